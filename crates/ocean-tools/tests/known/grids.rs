//! Areas, masks, coverage and integrals on the sphere, where geometry gives the answer.

use std::f64::consts::PI;

use serde_json::json;

use crate::fixture::{number, values};
use crate::sea::{At, RADIUS, Sea, all_near, axis, count, of};

fn sine(degrees: f64) -> f64 {
    degrees.to_radians().sin()
}

/// The globe in cells of 10 degrees with three layers of 10 m.
fn globe() -> Sea {
    Sea::new(axis(0.0, 1.0, 3), vec![5.0, 15.0, 25.0], axis(-85.0, 10.0, 18), axis(5.0, 10.0, 36))
}

#[tokio::test]
async fn cells_of_the_globe_have_its_area_and_volume() {
    let bench = globe().column("one", "1", |_| 1.0).bench();
    let output = bench.call("compute_cell_metrics", json!({"reference": of("one")})).await;
    let sphere = 4.0 * PI * RADIUS * RADIUS;
    assert!((number(&output, "total_area") / sphere - 1.0).abs() < 1e-13);
    assert!((number(&output, "total_volume") / (sphere * 30.0) - 1.0).abs() < 1e-13);
    assert!((number(&output, "max") / (sphere / 72.0 * sine(10.0)) - 1.0).abs() < 1e-12, "at the equator");
    let artifact = &output.artifacts["result"];
    let row = |name: &str, y: usize| artifact.variable(name).unwrap().values[y * 36];
    let degree = RADIUS * PI / 180.0;
    assert!((row("dx", 0) / (10.0 * degree * sine(5.0)) - 1.0).abs() < 1e-12, "at 85S");
    all_near(&[row("dy", 0), row("dy", 9)], 10.0 * degree, 1e-6);
}

#[tokio::test]
async fn integrals_of_a_concentration_are_its_mean_times_the_sphere() {
    // sin² φ has the mean 1/3; in cells of 10 degrees their centres give 1/3 less a known bit.
    let bench = globe()
        .column("c", "mol m-3", |at: At| sine(at.lat).powi(2) * (1.0 + at.day))
        .map("half", "mol m-2", |at| if at.lon < 180.0 { 2.0 } else { f64::NAN })
        .bench();
    let sphere = 4.0 * PI * RADIUS * RADIUS;
    let centres: f64 = (0..18)
        .map(|y| {
            let lat = -85.0 + 10.0 * f64::from(y);
            sine(lat).powi(2) * (sine(lat + 5.0) - sine(lat - 5.0)) / 2.0
        })
        .sum();
    assert!((centres - 1.0 / 3.0).abs() < 2e-3, "{centres}");
    let volume = bench.call("compute_volume_integral", json!({"data": of("c")})).await;
    for (day, value) in values(&volume).iter().enumerate() {
        let exact = sphere * 30.0 * centres * (1.0 + day as f64);
        assert!((value / exact - 1.0).abs() < 1e-12, "{day}: {value} {exact}");
    }
    let area = bench.call("compute_area_integral", json!({"data": of("half")})).await;
    all_near(values(&area), sphere, 1e-9 * sphere);
    let cap = json!({"data": of("half"), "region": {"lon": [0, 360], "lat": [60, 90]}});
    let area = bench.call("compute_area_integral", cap).await;
    // A cap of the sphere, half of it wet, with 2 in each square metre.
    let exact = 2.0 * PI * RADIUS * RADIUS * (1.0 - sine(60.0));
    all_near(values(&area), exact, 1e-9 * exact);
}

#[tokio::test]
async fn masks_keep_what_geometry_says() {
    let bench = globe()
        .map("lat_field", "degree", |at: At| if at.lon > 350.0 { f64::NAN } else { at.lat + 1000.0 * at.day })
        .map("gappy", "1", |at| match (at.day, at.lon) {
            (_, lon) if lon > 350.0 => f64::NAN,
            (day, lon) if day > 1.5 && lon < 90.0 => f64::NAN,
            _ => 1.0,
        })
        .bench();
    let ask = |comparison: &str, threshold: f64| json!({"data": of("lat_field"), "threshold": threshold, "comparison": comparison});
    // North of 30N on the first day, everywhere later; the share of the sphere is (1 − sin 30°)/2 = 1/4.
    let (north, mask) = bench.step("build_threshold_mask", ask("gt", 30.0)).await;
    assert_eq!(count(&north, "n_valid"), 3 * 18 * 35);
    assert_eq!(count(&north, "n_true"), (6 + 18 + 18) * 35);
    let share = bench.call("compute_masked_area_fraction_timeseries", json!({"event_mask": mask})).await;
    all_near(&values(&share)[..1], 0.25, 1e-12);
    all_near(&values(&share)[1..], 1.0, 1e-12);

    // Not south of 30S and not north of 30N on the first day: 6 rows of 18.
    let (_, south) = bench.step("build_threshold_mask", ask("lt", -30.0)).await;
    let either = json!({"masks": [mask, south], "operation": "or", "invert": true});
    let (middle, band) = bench.step("combine_masks", either).await;
    assert_eq!(count(&middle, "n_true"), 6 * 35);
    assert_eq!(count(&middle, "n_valid"), 3 * 18 * 35, "land stays unknown");
    let kept = bench.call("apply_mask", json!({"data": of("lat_field"), "mask": band})).await;
    assert_eq!((number(&kept, "min"), number(&kept, "max")), (-25.0, 25.0));
    assert_eq!(count(&kept, "n"), 6 * 35);
    let filled = json!({"data": of("lat_field"), "mask": band, "fill_value": 7});
    let filled = bench.call("apply_mask", filled).await;
    assert_eq!(
        values(&filled).iter().filter(|value| value.to_bits() == 7.0_f64.to_bits()).count(),
        3 * 648 - 210
    );

    // A triangle of centres: 5 + 4 + … cells below the diagonal of a box.
    let triangle = json!({"reference": of("gappy"), "polygon_points": [[0, 0], [50, 0], [0, 50]]});
    let inside = bench.call("build_polygon_mask", triangle).await;
    assert_eq!(count(&inside, "n_true"), 5 + 4 + 3 + 2 + 1);

    // 35 of 36 meridians are wet; on the last day 9 of them have gaps.
    let coverage = bench.call("compute_coverage", json!({"data": of("gappy")})).await;
    all_near(&values(&coverage)[..2], 1.0, 1e-12);
    all_near(&values(&coverage)[2..], 26.0 / 35.0, 1e-12);
    let cells = bench.call("compute_coverage", json!({"data": of("gappy"), "by": "space"})).await;
    let row = &values(&cells)[..36];
    assert!(row[..9].iter().all(|share| (share - 2.0 / 3.0).abs() < 1e-12) && row[35].is_nan());
}
