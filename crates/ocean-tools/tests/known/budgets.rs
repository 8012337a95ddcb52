//! Budgets that close because they were made to.

use serde_json::{Value, json};

use crate::fixture::{draft, number, values};
use crate::sea::{At, RADIUS, Sea, all_near, axis, of, part};

const DAY: f64 = 86_400.0;

fn radians(degrees: f64) -> f64 {
    degrees.to_radians()
}

/// A tracer that is carried round the Earth's axis at `rate` radians a day and upwards at `rise` metres a day:
/// C = f(λ − rate t) + slope (z − rise t).
fn carried(days: usize, step: f64, degrees: f64, columns: usize, of_longitude: impl Fn(f64) -> f64) -> Sea {
    let (rate, rise, slope) = (0.01, 0.5, 0.015);
    Sea::new(axis(0.0, step, days), axis(10.0, 10.0, 4), axis(28.0, 1.0, 5), axis(0.0, degrees, columns))
        .column("c", "degC", move |at: At| {
            of_longitude(radians(at.lon) - rate * at.day) + slope * (-at.depth - rise * at.day)
        })
        .column("u", "m s-1", move |at| rate / DAY * RADIUS * radians(at.lat).cos())
        .column("v", "m s-1", |_| 0.0)
        .column("w", "m s-1", move |_| rise / DAY)
}

fn ask(more: Value) -> Value {
    let mut arguments = json!({"data": of("c"), "u": of("u"), "v": of("v")});
    if let (Some(own), Value::Object(more)) = (arguments.as_object_mut(), more) {
        own.extend(more);
    }
    arguments
}

#[tokio::test]
async fn a_linear_tracer_that_is_only_carried_leaves_no_residual() {
    let bench = carried(6, 1.0, 1.0, 7, |x| 3.0 * x).bench();
    let budget = bench.call("compute_partial_tracer_budget", ask(json!({"w_data": of("w")}))).await;
    // Differences of a linear field are exact, so that only round-off is left: dC/dt = -3 rate - slope rise.
    all_near(part(&budget, "tendency"), -0.0375, 1e-11);
    all_near(part(&budget, "horizontal_advection"), -0.03, 1e-11);
    all_near(part(&budget, "vertical_advection"), -0.0075, 1e-11);
    all_near(part(&budget, "residual"), 0.0, 1e-11);
    assert!(number(&budget, "closure") < 1e-9);
    assert_eq!(number(&budget, "n_cells").to_bits(), f64::from(4 * 5 * 7_u8).to_bits());

    // Without the vertical term its whole size is in the residual.
    let without = bench.call("compute_partial_tracer_budget", ask(json!({}))).await;
    all_near(part(&without, "residual"), -0.0075, 1e-11);
    assert!((number(&without, "closure") - 0.2).abs() < 1e-9);
    assert!(!without.artifacts.contains_key("vertical_advection"));

    // The same terms one by one.
    let series = bench
        .call("compute_tracer_horizontal_advection_timeseries", ask(json!({"weighting": "equal"})))
        .await;
    all_near(values(&series), -0.03, 1e-11);
    let term = |name: &str| bench.keep(&budget.artifacts[name]);
    let mut terms =
        json!({"local_tendency": term("tendency"), "horizontal_advection": term("horizontal_advection")});
    let (rest, residual) = bench.step("compute_budget_residual", terms.clone()).await;
    all_near(values(&rest), -0.0075, 1e-11);
    terms["residual"] = residual;
    let verdict = bench.call("compare_budget_term_magnitudes", terms.clone()).await;
    assert_eq!(draft(&verdict, "label").value, json!("supported"));
    assert_eq!(draft(&verdict, "largest_term").value, json!("horizontal_advection"));
    assert!(number(&verdict, "imbalance") < 1e-9 && (number(&verdict, "closure") - 0.2).abs() < 1e-9);
    terms.as_object_mut().unwrap().remove("residual");
    let verdict = bench.call("compare_budget_term_magnitudes", terms).await;
    assert_eq!(draft(&verdict, "label").value, json!("untestable"));
}

#[tokio::test]
async fn the_residual_of_a_wave_falls_with_the_square_of_the_grid() {
    let mut left = Vec::new();
    for fine in [1_u32, 2] {
        let halves = f64::from(fine);
        let (days, columns) = (5 * fine as usize, 20 * fine as usize);
        let bench = carried(days, 10.0 / halves, 3.0 / halves, columns, |x| (6.0 * x).sin()).bench();
        let arguments = ask(json!({"w_data": of("w"), "aggregation": "none"}));
        let budget = bench.call("compute_partial_tracer_budget", arguments).await;
        let residual = budget.artifacts["residual"].primary().unwrap();
        let [times, levels, rows, columns] = residual.shape[..] else { panic!("{:?}", residual.shape) };
        let inside = |at: usize| {
            let (x, t) = (at % columns, at / (columns * rows * levels));
            x > 0 && x + 1 < columns && t > 0 && t + 1 < times
        };
        let largest = (0..residual.values.len())
            .filter(|&at| inside(at))
            .fold(0.0_f64, |most, at| most.max(residual.values[at].abs()));
        left.push(largest);
    }
    let order = (left[0] / left[1]).log2();
    assert!((order - 2.0).abs() < 0.15, "{left:?}: of order {order}");
}

#[tokio::test]
async fn a_slab_that_is_heated_carried_and_deepened_closes() {
    // A slab of T1 over 8 degC that deepens through one layer of water; the flux is what the slab then needs.
    let (rate, deepening, cold) = (0.05, 0.4, 8.0);
    let capacity = 1026.0 * 3_991.867_957_119_63;
    let turning = 0.01;
    let warm = move |at: At| 20.0 + rate * at.day + 2.0 * radians(at.lon);
    let depth = move |at: At| 50.0 + deepening * at.day;
    let sea = Sea::new(axis(0.0, 1.0, 9), axis(5.0, 10.0, 12), axis(-2.0, 1.0, 5), axis(10.0, 1.0, 6))
        .column("t", "degC", move |at| if at.depth < 60.0 { warm(at) } else { cold })
        .column("u", "m s-1", move |at| turning / DAY * RADIUS * radians(at.lat).cos())
        .column("v", "m s-1", |_| 0.0)
        .map("h", "m", depth)
        .map("q", "W m-2", move |at| {
            let advection = -2.0 * turning;
            let entrainment = -deepening * (warm(at) - cold) / depth(at);
            (rate - advection - entrainment) * capacity * depth(at) / DAY
        });
    let bench = sea.bench();
    let arguments = json!({
        "temp": of("t"), "u": of("u"), "v": of("v"), "mld": of("h"), "qnet": of("q"), "below": 20,
    });
    let budget = bench.call("compute_mixed_layer_heat_budget", arguments.clone()).await;
    all_near(part(&budget, "tendency"), rate, 1e-10);
    all_near(part(&budget, "horizontal_advection"), -2.0 * turning, 1e-10);
    all_near(part(&budget, "residual"), 0.0, 1e-9);
    assert!(part(&budget, "entrainment").iter().all(|value| *value < -0.08), "entrainment cools");

    // Sunlight that passes the base is missed by the slab.
    let mut sunny = arguments;
    sunny["shortwave"] = of("q");
    let budget = bench.call("compute_mixed_layer_heat_budget", sunny).await;
    assert!(part(&budget, "residual").iter().all(|value| *value > 1e-3), "less heat stays");
}

#[tokio::test]
async fn native_terms_close_to_round_off_and_a_missing_one_shows() {
    let flow = |at: At| 1e3 * (at.lon - at.lat);
    let mixing = |at: At| 70.0 * at.day + at.depth;
    let sea = Sea::new(axis(0.0, 1.0, 3), axis(5.0, 10.0, 2), axis(0.0, 1.0, 3), axis(0.0, 1.0, 4))
        .column("all", "degC m3 s-1", move |at| flow(at) + mixing(at))
        .column("flow", "degC m3 s-1", flow)
        .column("mixing", "degC m3 s-1", mixing)
        .column("volume", "km3", |at| 1e-3 * (100.0 + at.depth));
    let bench = sea.bench();
    let arguments = |terms: Value| json!({"terms": terms, "tendency": "all", "volume": of("volume")});
    let whole = json!({"all": of("all"), "flow": of("flow"), "mixing": of("mixing")});
    let budget = bench.call("compute_flux_form_budget", arguments(whole)).await;
    assert!(number(&budget, "closure") < 1e-14 && draft(&budget, "closed").value == json!("yes"));
    assert_eq!(budget.artifacts["sum"].primary().unwrap().units, "degC s-1");
    // km3 are 1e9 m3: the first cell has 0.105 of them.
    assert!((part(&budget, "tendency")[0] - 5.0 / 0.105e9).abs() < 1e-20);
    let short = json!({"all": of("all"), "flow": of("flow")});
    let budget = bench.call("compute_flux_form_budget", arguments(short)).await;
    assert!(number(&budget, "closure") > 0.01 && draft(&budget, "closed").value == json!("no"));
    let error =
        bench.try_call("compute_flux_form_budget", arguments(json!({"flow": of("flow")}))).await.unwrap_err();
    assert!(error.message.contains("name the rate of change by `tendency`"), "{}", error.message);
}

#[tokio::test]
async fn fluxes_at_the_surface_have_the_sign_they_state() {
    let sea = Sea::new(axis(0.0, 1.0, 2), vec![5.0], axis(0.0, 1.0, 2), axis(0.0, 1.0, 2))
        .map("sst", "degC", |_| 28.0)
        .map("air", "K", |_| 299.15)
        .map("humidity", "g kg-1", |_| 18.0)
        .map("wind", "m s-1", |_| 8.0)
        .map("calm", "m s-1", |_| 0.0)
        .map("sun", "W m-2", |_| 200.0)
        .map("sky", "W m-2", |_| 410.0)
        .map("sea_co2", "uatm", |_| 380.0)
        .map("air_co2", "uatm", |_| 400.0)
        .map("wind2", "m2 s-2", |_| 49.0)
        .map("cool", "degC", |_| 20.0)
        .map("salt", "1e-3", |_| 35.0);
    let bench = sea.bench();
    let heat = bench
        .call(
            "compute_surface_heat_flux",
            json!({
                "sst": of("sst"), "t2": of("air"), "q2": of("humidity"), "u10": of("calm"), "v10": of("wind"),
                "swdn": of("sun"), "lwdn": of("sky"), "pressure": 1010,
            }),
        )
        .await;
    // pycoare 0.4.3 (see the kernel): 25.14 and 160.93 W m-2 out of the sea; the rest by hand.
    let longwave = 0.97 * (410.0 - 5.670_374_419e-8 * 301.15_f64.powi(4));
    all_near(part(&heat, "sensible"), -25.138, 0.01);
    all_near(part(&heat, "latent"), -160.93, 0.05);
    all_near(part(&heat, "shortwave"), 189.0, 1e-9);
    all_near(part(&heat, "longwave"), longwave, 1e-9);
    all_near(part(&heat, "net"), 189.0 + longwave - 25.138 - 160.93, 0.06);

    let ask = json!({
        "pco2_sea": of("sea_co2"), "pco2_air": of("air_co2"), "wind2": of("wind2"), "temp": of("cool"), "salt": of("salt"),
    });
    let co2 = bench.call("compute_air_sea_co2_flux", ask).await;
    // pyseaflux 2.2.1: k 12.221985 cm h-1 and K0 0.033215232 mol L-1 atm-1 at 20 degC and 35.
    let exact = 12.221_984_890_871 * 0.01 * 24.0 * 365.25 * 33.215_231_538 * -20e-6;
    all_near(part(&co2, "flux"), exact, 1e-9);
    all_near(part(&co2, "transfer_velocity"), 12.221_984_890_871, 1e-9);
}
