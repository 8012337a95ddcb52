//! Currents of closed form: solid rotation, linear shear, waves, a coast.

use serde_json::json;

use crate::fixture::{draft, number, values};
use crate::sea::{At, RADIUS, Sea, all_near, axis, of, part};

const ROTATION: f64 = 7.292_115e-5;

fn sine(degrees: f64) -> f64 {
    degrees.to_radians().sin()
}

fn cosine(degrees: f64) -> f64 {
    degrees.to_radians().cos()
}

#[tokio::test]
async fn solid_rotation_has_the_circulation_of_its_area() {
    let rate = 1e-6;
    let sea = Sea::new(axis(0.0, 1.0, 2), vec![5.0], axis(30.0, 0.25, 41), axis(-5.0, 0.25, 41))
        .column("u", "m s-1", move |at| rate * RADIUS * cosine(at.lat) * (1.0 + at.day))
        .column("v", "m s-1", |_| 0.0);
    let bench = sea.bench();
    // A box whose parallels are cut into pieces so short that great circles follow them.
    let line = |lat: f64, from: f64, step: f64| (0..41).map(move |i| [from + step * f64::from(i), lat]);
    let path: Vec<[f64; 2]> = line(32.0, -4.0, 0.2).chain(line(38.0, 4.0, -0.2)).collect();
    let ask = json!({"u": of("u"), "v": of("v"), "path": path, "n_samples": 2000});
    let output = bench.call("compute_circulation", ask).await;
    // Γ = ω R² Δλ (cos² 32° − cos² 38°), twice as much on the second day; A = R² Δλ (sin 38° − sin 32°).
    let turn = 8.0_f64.to_radians() * RADIUS * RADIUS;
    let circulation = rate * turn * (cosine(32.0).powi(2) - cosine(38.0).powi(2));
    let area = turn * (sine(38.0) - sine(32.0));
    let found = part(&output, "circulation");
    all_near(&found[..1], circulation, 2e-4 * circulation);
    all_near(&found[1..], 2.0 * circulation, 4e-4 * circulation);
    assert!((number(&output, "area") / area - 1.0).abs() < 1e-4);
    all_near(&part(&output, "mean_vorticity")[..1], circulation / area, 3e-4 * circulation / area);
    // The cells in the path are cut in 64 parts and the derivatives are of second order.
    assert!(number(&output, "stokes_mismatch") < 0.01, "{}", number(&output, "stokes_mismatch"));

    let back: Vec<[f64; 2]> = path.iter().rev().copied().collect();
    let output = bench.call("compute_circulation", json!({"u": of("u"), "v": of("v"), "path": back})).await;
    assert!(part(&output, "circulation")[0] < 0.0 && part(&output, "mean_vorticity")[0] > 0.0);
    let over = json!({"u": of("u"), "v": of("v"), "path": [[0, 31], [90, 35]]});
    assert!(bench.try_call("compute_circulation", over).await.is_err());
}

#[tokio::test]
async fn eddies_of_shifted_sines_carry_half_the_product_of_their_amplitudes() {
    // 40 days of 4 whole turns: <sin a sin (a + φ)> is cos φ / 2.
    let wave = |at: At| std::f64::consts::TAU * at.day / 10.0;
    let shift = 60.0_f64.to_radians();
    let shear = 2e-6;
    let north = |lat: f64| (lat - 10.0).to_radians() * RADIUS;
    let sea = Sea::new(axis(0.0, 1.0, 40), axis(5.0, 10.0, 3), axis(9.0, 0.5, 5), axis(0.0, 0.5, 4))
        .column("u", "m s-1", move |at| 0.4 + shear * north(at.lat) + 0.3 * wave(at).sin())
        .column("v", "m s-1", move |at| 0.1 + 0.2 * (wave(at) + shift).sin())
        .column("c", "mmol m-3", move |at| 5.0 + 2.0 * wave(at).sin())
        .column("w", "m s-1", move |at| 1e-5 * wave(at).sin())
        .column("rho", "kg m-3", move |at| 1025.0 + 0.1 * at.depth - 0.5 * wave(at).sin());
    let bench = sea.bench();
    let ask = json!({"data": of("c"), "u": of("u"), "v": of("v"), "mean": "record"});
    let flux = bench.call("compute_eddy_flux", ask).await;
    all_near(part(&flux, "eastward"), 0.3 * 2.0 / 2.0, 1e-12);
    all_near(part(&flux, "northward"), 0.2 * 2.0 * shift.cos() / 2.0, 1e-12);
    assert_eq!(flux.artifacts["eastward"].primary().unwrap().units, "mmol m-3 m s-1");
    assert_eq!(draft(&flux, "times").value, json!(40));

    let ask = json!({"u": of("u"), "v": of("v"), "w": of("w"), "density": of("rho"), "rho0": 1000});
    let energy = bench.call("compute_energy_conversion", ask).await;
    // −g <ρ'w'> = g · 0.5 · 1e-5 / 2, light water rising.
    all_near(part(&energy, "baroclinic"), 9.806_65 * 0.5e-5 / 2.0, 1e-12);
    // −ρ0 (<u'v'> (U_y + U tan φ / R) − <u'u'> V tan φ / R), by hand at each latitude.
    let map = energy.artifacts["barotropic"].primary().unwrap();
    for (y, lat) in axis(9.0, 0.5, 5).into_iter().enumerate() {
        let turn = lat.to_radians().tan() / RADIUS;
        let along = 0.4 + shear * north(lat);
        let exact = -1000.0 * (0.3 * 0.2 * shift.cos() / 2.0 * (shear + along * turn) - 0.045 * 0.1 * turn);
        all_near(&map.values[4 * y..4 * y + 4], exact, 1e-9 * exact.abs());
    }
}

#[tokio::test]
async fn potential_vorticity_and_radius_of_a_linear_ocean() {
    let (slope, shear) = (0.02, 1e-6);
    let squared = 4e-6;
    let sea = Sea::new(axis(0.0, 1.0, 1), axis(100.0, 200.0, 20), axis(-2.0, 8.0, 7), axis(0.0, 2.0, 3))
        .column("rho", "kg m-3", move |at| 1020.0 + slope * at.depth)
        .column("u", "m s-1", |_| 0.0)
        .column("v", "m s-1", move |at| shear * at.lon.to_radians() * RADIUS * cosine(at.lat))
        .column("n2", "s-2", move |_| squared)
        .map("floor", "m", |_| 4000.0);
    let bench = sea.bench();
    let ask =
        |form: &str| json!({"density": of("rho"), "u": of("u"), "v": of("v"), "form": form, "rho0": 1000});
    for (form, more) in [("planetary", 0.0), ("vertical", shear), ("full", shear)] {
        let found = bench.call("compute_potential_vorticity", ask(form)).await;
        for (at, value) in values(&found).iter().enumerate() {
            let lat = -2.0 + 8.0 * (at / 3 % 7) as f64;
            let exact = (2.0 * ROTATION * sine(lat) + more) * slope / 1000.0;
            assert!((value - exact).abs() < 1e-15, "{form} {at}: {value} {exact}");
        }
    }
    let without = json!({"density": of("rho")});
    let error = bench.try_call("compute_potential_vorticity", without).await.unwrap_err();
    assert!(error.message.contains("form `planetary`"), "{}", error.message);

    // c = N H / π: of levels to half a step below the lowest, 4000 m, and to the stated floor.
    let speed = 2e-3 * 4000.0 / std::f64::consts::PI;
    let ask = json!({"n2": of("n2"), "bottom_depth": {"variable": "floor", "dataset": "sea", "time": ["2000-01-01", "2000-01-01"]}});
    for ask in [json!({"n2": of("n2")}), ask] {
        let found = bench.call("compute_rossby_radius", ask).await;
        all_near(part(&found, "speed"), speed, 1e-9);
        for (at, radius) in part(&found, "radius").iter().enumerate() {
            let lat = -2.0 + 8.0 * (at / 3) as f64;
            let exact = if lat < 0.0 {
                (speed / (4.0 * ROTATION * cosine(lat) / RADIUS)).sqrt()
            } else {
                speed / (2.0 * ROTATION * sine(lat))
            };
            assert!((radius * 1000.0 / exact - 1.0).abs() < 1e-9, "{lat}: {radius}");
        }
    }
    let found = bench.call("compute_rossby_radius", json!({"n2": of("n2"), "method": "eigen"})).await;
    // 20 levels; the error of the lowest mode is (π/40)²/6 = 1e-3.
    all_near(part(&found, "speed"), speed, 2e-3 * speed);

    let modes = bench.call("compute_vertical_modes", json!({"n2": of("n2"), "n_modes": 2})).await;
    assert!((number(&modes, "speed_1") / speed - 1.0).abs() < 2e-3);
    assert!((number(&modes, "speed_2") / (speed / 2.0) - 1.0).abs() < 6e-3);
    assert_eq!(draft(&modes, "profiles").value, json!(21));
    let first = modes.artifacts["result"].variable("mode_1").unwrap();
    // A cosine of amplitude √2 changes its sign in the middle.
    assert!((first.values[0] - 2.0_f64.sqrt()).abs() < 0.01);
    assert!(first.values[9] > 0.0 && first.values[11] < 0.0);
}

#[tokio::test]
async fn a_coast_colder_than_the_open_sea_has_a_positive_index() {
    // Land east of 10°E; 2 degrees colder within a degree of it, with a season that goes out.
    let season = |at: At| (std::f64::consts::TAU * at.day / 365.25).sin();
    let days: Vec<f64> = (0..36).map(|month| 15.0 + 30.4375 * f64::from(month)).collect();
    let sea = Sea::new(days, vec![0.0], axis(-3.0, 1.0, 4), axis(-1.75, 0.5, 26))
        .map("sst", "degC", move |at| match at.lon {
            lon if lon > 10.0 => f64::NAN,
            lon if lon > 9.0 => 18.0 - 2.0 * season(at),
            _ => 20.0,
        })
        .map("steady", "K", |at| match at.lon {
            lon if lon > 10.0 => f64::NAN,
            lon if lon > 9.0 => 291.15,
            _ => 293.15,
        });
    let bench = sea.bench();
    let ask = |variable: &str, off: bool| json!({"sst": of(variable), "deseasonalise": off, "offshore_km": [200, 600]});
    let steady = bench.call("compute_upwelling_index_sst", ask("steady", false)).await;
    all_near(values(&steady), 2.0, 1e-9);
    assert_eq!(steady.artifacts["result"].primary().unwrap().dims, ["time", "lat"]);
    assert_eq!((number(&steady, "latitudes"), number(&steady, "coastal_cells")), (4.0, 8.0));
    let whole = bench.call("compute_upwelling_index_sst", ask("sst", false)).await;
    assert!((number(&whole, "max") - 4.0).abs() < 0.1 && (number(&whole, "min") - 0.0).abs() < 0.1);
    let anomaly = bench.call("compute_upwelling_index_sst", ask("sst", true)).await;
    assert!(number(&anomaly, "max") < 0.05, "the season is gone");
    let mut west = ask("steady", false);
    west["coast"] = json!("west");
    let error = bench.try_call("compute_upwelling_index_sst", west).await.unwrap_err();
    assert!(error.message.contains("the other side"), "{}", error.message);
}

#[tokio::test]
async fn a_sheared_stratified_flow_has_its_richardson_number() {
    let sea = Sea::new(axis(0.0, 1.0, 1), vec![5.0, 15.0, 35.0, 40.0], axis(30.0, 1.0, 2), axis(0.0, 1.0, 2))
        .column("u", "m s-1", |at: At| 0.5 - 3e-3 * at.depth)
        .column("v", "m s-1", |at| 4e-3 * at.depth);
    let bench = sea.bench();
    let (shear, reference) = bench.step("compute_vertical_shear", json!({"u": of("u"), "v": of("v")})).await;
    all_near(values(&shear), 5e-3, 1e-15);
    let n2 = |value: f64| {
        let mut own = shear.artifacts["result"].clone();
        own.variables[0].units = "s-2".to_owned();
        own.variables[0].name = "n2".to_owned();
        own.variables[0].values.fill(value);
        bench.keep(&own)
    };
    // Ri = N² / 2.5e-5.
    for (squared, exact, below) in [(1e-4, 4.0, 0.0), (5e-6, 0.2, 1.0)] {
        let ask = json!({"n2_data": n2(squared), "shear": reference});
        let found = bench.call("compute_richardson_number", ask).await;
        all_near(values(&found), exact, 1e-12);
        assert_eq!(number(&found, "below_quarter").to_bits(), f64::to_bits(below));
    }
}

#[tokio::test]
async fn fresh_water_is_what_the_salt_leaves() {
    // 0.1 m/s north through 4 degrees of the equator and layers of 0–10–20 m: 35 above, 17.5 below.
    let sea = Sea::new(axis(0.0, 1.0, 2), vec![5.0, 15.0], axis(-1.0, 1.0, 3), axis(0.0, 1.0, 6))
        .column("v", "m s-1", |at: At| 0.1 * (1.0 + at.day))
        .column("s", "1e-3", |at| if at.depth < 10.0 { 35.0 } else { 17.5 });
    let bench = sea.bench();
    let ask = json!({"v": of("v"), "salt": of("s"), "transect_points": [[1, 0], [4, 0]]});
    let found = bench.call("compute_freshwater_transport", ask.clone()).await;
    let width = 4.0_f64.to_radians() * RADIUS;
    // Only the lower layer has fresh water, half of its volume.
    let exact = 0.1 * width * 10.0 * 0.5 / 1e6;
    all_near(&values(&found)[..1], exact, 1e-12);
    all_near(&values(&found)[1..], 2.0 * exact, 1e-12);
    assert!((number(&found, "volume_mean") - 1.5 * 0.1 * width * 20.0 / 1e6).abs() < 1e-12);
    let mut saltier = ask;
    saltier["s_ref"] = json!(50);
    let found = bench.call("compute_freshwater_transport", saltier).await;
    all_near(&values(&found)[..1], 0.1 * width * (10.0 * 0.3 + 10.0 * 0.65) / 1e6, 1e-12);
}

#[tokio::test]
async fn a_map_of_advection_keeps_what_varies_together() {
    // u and the gradient change sign together, so that their product does not.
    let sign = |at: At| if at.day < 0.5 { 1.0 } else { -1.0 };
    let rate = 1e-6;
    let sea = Sea::new(axis(0.0, 1.0, 2), vec![5.0, 15.0], axis(10.0, 1.0, 3), axis(0.0, 1.0, 4))
        .column("c", "degC", move |at| sign(at) * (at.lon.to_radians() + at.depth))
        .column("u", "m s-1", move |at| sign(at) * rate * RADIUS * cosine(at.lat))
        .column("v", "m s-1", |_| 0.0);
    let bench = sea.bench();
    let ask = json!({"data": of("c"), "u": of("u"), "v": of("v")});
    let map = bench.call("compute_tracer_advection_map", ask.clone()).await;
    all_near(values(&map), -rate * 86_400.0, 1e-12);
    let mut spread = ask;
    spread["time_aggregation"] = json!("std");
    all_near(values(&bench.call("compute_tracer_advection_map", spread).await), 0.0, 1e-12);
}

#[tokio::test]
async fn particles_in_solid_rotation_keep_their_latitude_and_a_saddle_its_rate() {
    let rate = 0.02;
    let stretch = 0.05 / 86_400.0;
    let sea = Sea::new(axis(0.0, 10.0, 4), vec![5.0], axis(-3.0, 0.25, 25), axis(0.0, 0.25, 25))
        .column("u", "m s-1", move |at: At| rate / 86_400.0 * RADIUS * cosine(at.lat))
        .column("v", "m s-1", |_| 0.0)
        .column("along", "m s-1", move |at| stretch * RADIUS * (at.lon - 3.0).to_radians() * cosine(at.lat))
        .column("across", "m s-1", move |at| -stretch * RADIUS * at.lat.to_radians());
    let bench = sea.bench();
    let ask = json!({"u": of("u"), "v": of("v"), "release": [[0.5, 1.0], [5.0, -2.0]], "start": "2000-01-02", "days": 2});
    let found = bench.call("advect_particles", ask.clone()).await;
    let rows = found.artifacts["result"].content["rows"].as_array().unwrap().clone();
    assert_eq!(rows.len(), 6);
    // 0.02 radians a day are 1.1459 degrees; the second leaves the grid at 6 degrees east on the first day.
    assert_eq!(rows[2][1], json!("2000-01-04T00:00:00Z"));
    let lon = 0.5 + (2.0 * rate).to_degrees();
    assert!(
        (rows[2][2].as_f64().unwrap() - lon).abs() < 1e-4 && rows[2][3].as_f64().unwrap().abs() - 1.0 < 1e-9
    );
    assert_eq!((rows[2][4].as_str(), rows[5][4].as_str()), (Some("afloat"), Some("gone")));
    assert_eq!((number(&found, "n_afloat"), number(&found, "n_gone")), (1.0, 1.0));
    let mut late = ask;
    late["start"] = json!("2000-01-31");
    let error = bench.try_call("advect_particles", late).await.unwrap_err();
    assert!(error.message.contains("2000-01-31"), "{}", error.message);

    for direction in ["forward", "backward"] {
        let ask = json!({
            "u": of("along"), "v": of("across"), "start": "2000-01-11", "days": 5, "direction": direction,
        });
        let found = bench.call("compute_ftle", ask).await;
        let map = values(&found);
        all_near(&map[12 * 25 + 12..12 * 25 + 13], 0.05, 1e-4);
        // Particles beside the edge leave the grid one way or the other.
        assert!(map[12].is_nan() || map[12 * 25].is_nan());
    }
}
