//! Agreement with the Python package `gsw`.

use super::freezing::{ct_freezing, t_freezing};
use super::peer_table::PEER;
use super::spice::{SpicePressure, spiciness};
use super::temperature::{ct_from_t, isobaric_heat_capacity, pt_from_ct, pt0_from_t, t_from_ct};
use super::{oxygen, salinity, sea_water};

#[test]
fn everything_agrees_with_gsw() {
    for row in PEER {
        let [sp, t, p, lon, lat, rest @ ..] = row;
        let [sa, ct, pt0, ct_f, t_f, spice0, spice1, spice2, cp, o2, rho, sound] = rest;
        let own_sa = salinity::sa_from_sp(sp, p, lon, lat);
        // The atlas is kept in single precision.
        assert!((own_sa - sa).abs() < 5e-9, "SA {own_sa} {row:?}");
        assert!((salinity::sp_from_sa(sa, p, lon, lat) - sp).abs() < 5e-9, "SP {row:?}");
        // The rest is printed with 13 digits.
        let near = |name: &str, own: f64, peer: f64, scale: f64| {
            assert!((own - peer).abs() <= 1e-11 * scale, "{name}: {own} {peer} {row:?}");
        };
        near("CT", ct_from_t(sa, t, p), ct, 10.0);
        near("pt0", pt0_from_t(sa, t, p), pt0, 10.0);
        near("pt", pt_from_ct(sa, ct), pt0, 10.0);
        near("t", t_from_ct(sa, ct, p), t, 10.0);
        near("CT_freezing", ct_freezing(sa, p, 0.0), ct_f, 100.0);
        near("t_freezing", t_freezing(sa, p, 1.0), t_f, 100.0);
        near("spiciness0", spiciness(sa, ct, SpicePressure::Surface), spice0, 10.0);
        near("spiciness1", spiciness(sa, ct, SpicePressure::Thousand), spice1, 10.0);
        near("spiciness2", spiciness(sa, ct, SpicePressure::TwoThousand), spice2, 10.0);
        near("cp", isobaric_heat_capacity(sa, t, p), cp, 4000.0);
        near("O2sol", oxygen::solubility(sp, pt0), o2, 1000.0);
        near("rho", sea_water::rho(sa, ct, p), rho, 1000.0);
        near("sound speed", sea_water::sound_speed(sa, ct, p), sound, 1500.0);
    }
}
