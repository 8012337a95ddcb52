//! Velocities on the faces of cells.

use std::f64::consts::PI;

use ocean_data::field::{
    Stagger, StaggerError, WalkControl, WalkError, collocate, require_collocated, stagger_of, walk_together,
};
use serde_json::{Value, json};

use crate::select;
use crate::support::Builder;

/// Velocities on the faces of a turned grid: a flow of 1 m s-1 to the east everywhere. `after` tells whether the faces
/// of index `i` lie after the centre, as those of NEMO, or before it.
fn staggered(after: bool) -> Builder {
    let shift = if after { 0.5 } else { -0.5 };
    let at = |y: f64, x: f64| {
        let (a, b) = ((x - 9.5) * PI / 180.0, (y - 9.5) * PI / 180.0);
        let (px, py, pz) = (b.cos() * a.cos(), b.cos() * a.sin(), b.sin());
        let (c, s) = ((PI / 6.0).cos(), (PI / 6.0).sin());
        let (qy, qz) = (c * py - s * pz, s * py + c * pz);
        [qy.atan2(px) * 180.0 / PI, qz.atan2(px.hypot(qy)) * 180.0 / PI]
    };
    // The flow along columns and rows at a place, from the direction of the grid there.
    let along = move |y: f64, x: f64, rows: bool| {
        let (from, to) =
            if rows { (at(y - 0.01, x), at(y + 0.01, x)) } else { (at(y, x - 0.01), at(y, x + 0.01)) };
        let east = (to[0] - from[0]) * (at(y, x)[1] * PI / 180.0).cos();
        east / east.hypot(to[1] - from[1])
    };
    let plane = [("y", 20), ("x", 20)];
    let north = [("units", "degrees_north")];
    let east = [("units", "degrees_east")];
    Builder::default()
        .add("nav_lat_u", &plane, &[20, 20], &north, move |i| at(i[0] as f64, i[1] as f64 + shift)[1])
        .add("nav_lon_u", &plane, &[20, 20], &east, move |i| at(i[0] as f64, i[1] as f64 + shift)[0])
        .add("nav_lat_v", &plane, &[20, 20], &north, move |i| at(i[0] as f64 + shift, i[1] as f64)[1])
        .add("nav_lon_v", &plane, &[20, 20], &east, move |i| at(i[0] as f64 + shift, i[1] as f64)[0])
        .add(
            "vozocrtx",
            &plane,
            &[20, 20],
            &[
                ("units", "m s-1"),
                ("coordinates", "nav_lat_u nav_lon_u"),
                ("standard_name", "sea_water_x_velocity"),
            ],
            move |i| if i == [12, 12] { f64::NAN } else { along(i[0] as f64, i[1] as f64 + shift, false) },
        )
        .add(
            "vomecrty",
            &plane,
            &[20, 20],
            &[
                ("units", "m s-1"),
                ("coordinates", "nav_lat_v nav_lon_v"),
                ("standard_name", "sea_water_y_velocity"),
            ],
            move |i| along(i[0] as f64 + shift, i[1] as f64, true),
        )
}

#[test]
fn staggered_components_meet_at_cell_centres() {
    for after in [true, false] {
        let dataset = staggered(after).open();
        let of = |name: &str| select(&dataset, &json!({"variable": name})).unwrap();
        let (u, v) = (of("vozocrtx"), of("vomecrty"));
        assert!(u.notes().iter().any(|note| note.contains("along the rows")), "{:?}", u.notes());
        let first = if after { -1 } else { 0 };
        assert_eq!(stagger_of(&u, &v).unwrap(), Stagger::Faces { first_column: first, first_row: first });
        assert!(matches!(require_collocated(&u, &v), Err(StaggerError::Staggered { .. })));
        let together = walk_together(&[&u, &v], &WalkControl::default(), |_| (), |()| ());
        assert!(matches!(together, Err(WalkError::Places { .. })));
        let centred = collocate(&u, &v, 1 << 30).unwrap();
        assert_eq!(centred.u.dim(), (1, 1, 19, 19));
        assert!(!centred.east_north);
        let turned = centred.to_east_north();
        assert!(turned.east_north);
        for ((_, _, y, x), &east) in turned.u.indexed_iter() {
            // One face beside two of the centres is dry.
            let tolerance = if (10..14).contains(&y) && (10..14).contains(&x) { 0.02 } else { 2e-3 };
            assert!((east - 1.0).abs() < tolerance, "{after} {y} {x}: {east}");
            assert!(turned.v[[0, 0, y, x]].abs() < 0.02, "{after} {y} {x}: {}", turned.v[[0, 0, y, x]]);
        }
    }
}

#[test]
fn cells_at_the_rim_of_a_region_have_both_faces() {
    let dataset = staggered(true).open();
    let region = json!({"lon": [-3, 3], "lat": [-3, 3]});
    let of =
        |name: &str, region: &Value| select(&dataset, &json!({"variable": name, "region": region})).unwrap();
    let part = collocate(&of("vozocrtx", &region), &of("vomecrty", &region), 1 << 30).unwrap();
    let all = json!({"lon": [-90, 90], "lat": [-90, 90]});
    let whole = collocate(&of("vozocrtx", &all), &of("vomecrty", &all), 1 << 30).unwrap();
    let mut found = 0;
    for ((_, _, y, x), &value) in part.u.indexed_iter() {
        let (lon, lat) = (part.lon[[y, x]], part.lat[[y, x]]);
        assert_eq!(value.is_finite(), lon.abs() <= 3.0 && lat.abs() <= 3.0);
        if value.is_finite() {
            let same = whole
                .lon
                .indexed_iter()
                .find(|(at, there)| (**there - lon).abs() < 1e-9 && (whole.lat[*at] - lat).abs() < 1e-9);
            let ((row, column), _) = same.unwrap();
            assert_eq!(value, whole.u[[0, 0, row, column]]);
            found += 1;
        }
    }
    assert!(found > 20, "{found}");
}

#[test]
fn components_on_staggered_axes_are_collocated_too() {
    let faces = |name: &'static str, from: f64| -> (&'static str, Vec<f64>) {
        (name, (0..6).map(|i| from + f64::from(i)).collect())
    };
    let ((xt, lons), (xu, lons_u)) = (faces("xt", 10.0), faces("xu", 10.5));
    let ((yt, lats), (yv, lats_v)) = (faces("yt", 40.0), faces("yv", 40.5));
    let (north, east) = ([("units", "degrees_north")], [("units", "degrees_east")]);
    let dataset = Builder::default()
        .axis(xt, &east, &lons)
        .axis(xu, &east, &lons_u)
        .axis(yt, &north, &lats)
        .axis(yv, &north, &lats_v)
        .add("u", &[(yt, 6), (xu, 6)], &[6, 6], &[("units", "m s-1")], |at| at[1] as f64)
        .add("v", &[(yv, 6), (xt, 6)], &[6, 6], &[("units", "m s-1")], |at| 10.0 * at[0] as f64)
        .open();
    let of = |name: &str| select(&dataset, &json!({"variable": name})).unwrap();
    let centred = collocate(&of("u"), &of("v"), 1 << 20).unwrap();
    assert_eq!(centred.u.dim(), (1, 1, 5, 5));
    assert!((centred.lon[[0, 0]] - 11.0).abs() < 1e-9 && (centred.lat[[0, 0]] - 41.0).abs() < 1e-9);
    assert_eq!(centred.u[[0, 0, 2, 0]], 0.5);
    assert_eq!(centred.v[[0, 0, 1, 3]], 15.0);
    assert!(centred.east_north && centred.to_east_north().u == centred.u);
}
