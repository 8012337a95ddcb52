//! Closed forms of tools of the column, of sections and of transports, on a small ocean whose fields are straight lines.

use std::sync::Arc;

use ndarray::{Array, IxDyn};
use ocean_data::Dataset;
use ocean_data::dataset::{MemoryStore, MemoryVariable};
use ocean_tools::Datasets;
use serde_json::{Value, json};

use crate::fixture::{Bench, number, values};
use crate::grid::month_starts;

const DEPTHS: [f64; 5] = [5.0, 15.0, 25.0, 35.0, 45.0];
const RADIUS: f64 = 6_371_000.0;

/// Two months of 5 levels to 50 m on 11 x 11 degrees: temperature 30 - 0.2 z, salinity 30 + 0.2 z, density 20 + 0.1 z,
/// oxygen 5 + 2 |z - 25|, and a current eastwards of 0.5 cos(lat) m s-1, which turns as a solid body.
fn bench() -> Bench {
    let axis = |name: &str, values: Vec<f64>, units: &str, standard_name: &str| {
        MemoryVariable::new(name, &[name], Array::from_vec(values).into_dyn())
            .with("units", units)
            .with("standard_name", standard_name)
    };
    let degrees = || (0..11).map(f64::from).collect::<Vec<f64>>();
    let field = |name: &str, units: &str, standard_name: &str, of: &dyn Fn(f64, f64) -> f64| {
        let values =
            Array::from_shape_fn(IxDyn(&[2, 5, 11, 11]), |at| of(DEPTHS[at[1]], (at[2] as f64).to_radians()));
        MemoryVariable::new(name, &["time", "depth", "lat", "lon"], values)
            .with("units", units)
            .with("standard_name", standard_name)
    };
    let variables = vec![
        axis("time", month_starts(2), "days since 2000-01-01", "time"),
        axis("depth", DEPTHS.to_vec(), "m", "depth").with("positive", "down"),
        axis("lat", degrees(), "degrees_north", "latitude"),
        axis("lon", degrees(), "degrees_east", "longitude"),
        field("temp", "degC", "sea_water_temperature", &|z, _| 30.0 - 0.2 * z),
        field("salt", "1", "sea_water_practical_salinity", &|z, _| 30.0 + 0.2 * z),
        field("sigma", "kg m-3", "sea_water_sigma_theta", &|z, _| 20.0 + 0.1 * z),
        field("o2", "mmol m-3", "mole_concentration_of_dissolved_molecular_oxygen_in_sea_water", &|z, _| {
            5.0 + 2.0 * (z - 25.0).abs()
        }),
        field("u", "m s-1", "eastward_sea_water_velocity", &|_, lat| 0.5 * lat.cos()),
        field("v", "m s-1", "northward_sea_water_velocity", &|_, _| 0.0),
    ];
    let store = Arc::new(MemoryStore::new("memory", variables).unwrap());
    let dataset = Dataset::from_store("memory:lines", store).unwrap();
    Bench::over(Datasets::default().with_dataset("lines", dataset).unwrap())
}

fn of(variable: &str) -> Value {
    json!({"variable": variable, "dataset": "lines"})
}

#[track_caller]
fn near(found: f64, exact: f64, relative: f64) {
    assert!((found - exact).abs() <= relative * exact.abs().max(1e-300), "{found} for {exact}");
}

#[tokio::test]
async fn columns_of_straight_lines_have_closed_forms() {
    let bench = bench();
    let (temp, salt, sigma) = (of("temp"), of("salt"), of("sigma"));
    let (_, mixed) = bench.step("identify_mixed_layer_depth", json!({"temp": temp, "threshold": 1.0})).await;
    // (tool, arguments, evidence, exact value)
    let rows = [
        (
            "compute_tropical_cyclone_heat_potential",
            json!({"temp": temp}),
            "mean",
            37.5 * 1026.0 * 3_991.867_957_119_63 / 1e7,
        ),
        ("compute_freshwater_content", json!({"salt": salt}), "mean", 3.8 / 34.8 * 14.5),
        ("compute_stratification_index", json!({"density": sigma}), "mean", 4.0),
        (
            "compute_stratification_index",
            json!({"density": sigma, "depth_range": [10, 40], "method": "density_gradient"}),
            "mean",
            0.1,
        ),
        // phi of a linear stratification: g rho' h^2 / 12, in five layers 1 - 1/25 of it.
        (
            "compute_stratification_index",
            json!({"density": sigma, "depth_range": [0, 50], "method": "potential_energy_anomaly"}),
            "mean",
            9.7963 * 0.1 * 2500.0 / 12.0 * 0.96,
        ),
        (
            "compute_mixed_layer_mean",
            json!({"data": sigma, "mixed_layer_depth": mixed}),
            "mean",
            (205.0 + 107.5) / 15.0,
        ),
        (
            "compute_isopycnal_layer_mean",
            json!({"data": temp, "density": sigma, "sigma0_upper": 21.0, "sigma0_lower": 23.0}),
            "mean",
            26.0,
        ),
        ("detect_oxygen_minimum_zone", json!({"oxygen": of("o2")}), "mean", 17.5),
        ("compute_density_gradient_profile", json!({"density": sigma}), "max", 0.1),
        (
            "compute_watermass_fraction",
            json!({"temp": temp, "salt": salt, "sources": [
                {"name": "b", "temp": 20, "salt": 40}, {"name": "a", "temp": 30, "salt": 30}]}),
            "max",
            0.9,
        ),
        ("compute_nutrient_ratio", json!({"nitrate": of("o2"), "phosphate": of("o2")}), "max", 1.0),
    ];
    for (tool, arguments, name, exact) in rows {
        let output = bench.call(tool, arguments).await;
        assert!(
            (number(&output, name) - exact).abs() < 1e-9 * exact,
            "{tool}: {} for {exact}",
            number(&output, name)
        );
    }
    let output = bench.call("compute_vertical_stability_timeseries", json!({"density": sigma})).await;
    // Gravity at the place is between 9.780 and 9.786 m s-2.
    near(number(&output, "mean"), 9.7815 * 0.1 / 1022.5, 5e-4);
}

#[tokio::test]
async fn a_current_that_turns_as_a_solid_body_leaves_a_box_as_it_enters() {
    let bench = bench();
    let corners = json!([[1, 1], [9, 1], [9, 9], [1, 9]]);
    let ask = json!({"u": of("u"), "v": of("v"), "boundary": corners});
    let output = bench.call("compute_closed_boundary_flux", ask).await;
    let sine = |degrees: f64| degrees.to_radians().sin();
    let inflow = 0.5 * 50.0 * RADIUS * (sine(9.0) - sine(1.0)) / 1e6;
    // Between the rows the cosine is taken for a line.
    near(number(&output, "inflow"), inflow, 1e-4);
    near(number(&output, "outflow"), inflow, 1e-4);
    assert!(number(&output, "continuity_error") < 1e-12);
    // Salt is the same on both sides.
    let ask = json!({"u": of("u"), "v": of("v"), "boundary": corners, "tracer": of("salt")});
    let output = bench.call("compute_closed_boundary_flux", ask).await;
    near(number(&output, "inflow"), 35.0 * inflow * 1e6, 1e-4);
}

#[tokio::test]
async fn layers_of_a_transport_sum_up_to_it() {
    let bench = bench();
    let with = |members: Value| {
        let mut ask = json!({"u": of("u"), "transect_points": [[5, 2], [5, 8]], "positive": "north_east"});
        if let (Some(own), Value::Object(members)) = (ask.as_object_mut(), members) {
            own.extend(members);
        }
        ask
    };
    let whole = number(&bench.call("compute_volume_transport", with(json!({}))).await, "mean");
    let rows: f64 = (2..=8).map(|lat| f64::from(lat).to_radians().cos()).sum();
    near(whole, 0.5 * 50.0 * RADIUS * 1.0_f64.to_radians() * rows / 1e6, 1e-9);
    let by_depth = bench.call("compute_transport_by_layer", with(json!({"layer_bounds": [0, 20, 40]}))).await;
    near(number(&by_depth, "total"), whole, 1e-12);
    near(number(&by_depth, "sum_of_layers"), 0.8 * whole, 1e-9);
    near(number(&by_depth, "outside"), 0.2 * whole, 1e-9);
    let dense = json!({"layer_bounds": [15, 20, 22, 35], "coordinate": "sigma0", "temp": of("temp"), "salt": of("salt")});
    let by_density = bench.call("compute_transport_by_layer", with(dense)).await;
    near(number(&by_density, "sum_of_layers"), whole, 1e-9);
    assert!(number(&by_density, "closure_error") < 1e-12);
    let hovmoller = bench.call("compute_transect_normal_flux_hovmoller", with(json!({}))).await;
    near(number(&hovmoller, "max"), 0.5 * 50.0 * 2.0_f64.to_radians().cos(), 1e-9);
    // Practical salinity is converted: 35.16504/35 of it and the anomaly of the place.
    let salt = |kind: &str| with(json!({"salt": of("salt"), "salinity_kind": kind}));
    let own = number(&bench.call("compute_salt_transport", salt("practical")).await, "mean");
    let as_it_is = number(&bench.call("compute_salt_transport", salt("absolute")).await, "mean");
    near(own / as_it_is, 35.165_04 / 35.0, 1e-3);
    assert!(own > as_it_is);
}

#[tokio::test]
async fn a_section_and_its_diagrams_keep_straight_lines() {
    let bench = bench();
    let ask = json!({"data": of("temp"), "transect_points": [[1, 1], [5, 6], [9, 1]], "n_samples": 21});
    let (output, section) = bench.step("extract_transect_section", ask).await;
    near(number(&output, "max"), 29.0, 1e-12);
    near(number(&output, "mean"), 25.0, 1e-12);
    let artifact = &output.artifacts["result"];
    assert_eq!(artifact.primary().unwrap().shape, [2, 5, 21]);
    assert!(
        artifact.variable("bottom_depth").unwrap().values.iter().all(|floor| (floor - 50.0).abs() < 1e-9)
    );
    let distance = &artifact.coords["distance"].values;
    near(distance[20].as_f64().unwrap(), number(&output, "length"), 1e-9);
    for (extra, exact) in [
        (json!({"diagram_type": "time_distance", "depth_range": [0, 20]}), 28.0),
        (json!({"diagram_type": "time_distance", "depth_range": [0, 15]}), (290.0 + 135.0) / 15.0),
        (json!({"diagram_type": "time_distance", "fixed_depth": 20}), 26.0),
        (json!({"diagram_type": "time_depth", "distance_range_km": [100, 300]}), 25.0),
    ] {
        let mut ask = extra.clone();
        ask["section"] = section.clone();
        let found = bench.call("compute_section_hovmoller", ask).await;
        assert!((number(&found, "mean") - exact).abs() < 1e-9, "{extra}: {}", number(&found, "mean"));
    }
}

#[tokio::test]
async fn a_derived_field_is_that_of_the_tool_of_its_own() {
    let bench = bench();
    let fields = json!({"temp": of("temp"), "salt": of("salt"), "u": of("u"), "v": of("v")});
    let (_, all) = bench.step("assemble_dataset", json!({ "variables": fields })).await;
    let (pair, water) =
        (json!({"u": of("u"), "v": of("v")}), json!({"temp": of("temp"), "salt": of("salt")}));
    for (kind, tool, arguments) in [
        ("speed", "compute_speed_from_uv", &pair),
        ("buoyancy_frequency", "compute_brunt_vaisala_frequency", &water),
    ] {
        let derived = bench.call("compute_derived_field", json!({"field_type": kind, "dataset": all})).await;
        let own = bench.call(tool, arguments.clone()).await;
        assert!(values(&derived).iter().zip(values(&own)).all(|(a, b)| a.to_bits() == b.to_bits()), "{kind}");
    }
    let asked = json!({"field_type": "vorticity", "u": of("u"), "v": of("v"), "depth": {"at": 5}});
    let vorticity = bench.call("compute_derived_field", asked).await;
    // A current that turns as a solid body: u = 0.5 cos(lat) has the vorticity 2 · 0.5 sin(lat) / R.
    let exact = (5.0_f64.to_radians()).sin() / RADIUS;
    near(values(&vorticity)[5 * 11 + 5], exact, 1e-3);
    let asked = json!({"field_type": "buoyancy_frequency", "density": of("sigma")});
    let slope = bench.call("compute_derived_field", asked).await;
    near(number(&slope, "mean"), 9.80665 / 1025.0 * 0.1, 1e-9);
    let wrong = json!({"field_type": "speed", "data": of("temp")});
    let error = bench.try_call("compute_derived_field", wrong).await.unwrap_err();
    assert!(error.message.contains("u and v"), "{}", error.message);
}
