//! Density and what follows from it at a point, over crate `gsw`; its errors are missing values here.

use gsw::{conversions, earth, volume};

/// In-situ density, kg m-3.
pub fn rho(sa: f64, ct: f64, p: f64) -> f64 {
    value(volume::rho(sa, ct, p), sa, ct, p)
}

/// Potential density less 1000, kg m-3, at a reference pressure in dbar.
pub fn sigma(sa: f64, ct: f64, p_ref: f64) -> f64 {
    rho(sa, ct, p_ref) - 1000.0
}

/// Thermal expansion with respect to Conservative Temperature, K-1.
pub fn alpha(sa: f64, ct: f64, p: f64) -> f64 {
    value(volume::alpha(sa, ct, p), sa, ct, p)
}

/// Haline contraction at constant Conservative Temperature, kg g-1.
pub fn beta(sa: f64, ct: f64, p: f64) -> f64 {
    value(volume::beta(sa, ct, p), sa, ct, p)
}

/// Speed of sound, m s-1.
pub fn sound_speed(sa: f64, ct: f64, p: f64) -> f64 {
    value(volume::sound_speed(sa, ct, p), sa, ct, p)
}

/// Specific enthalpy, J kg-1.
pub fn enthalpy(sa: f64, ct: f64, p: f64) -> f64 {
    value(volume::enthalpy(sa, ct, p), sa, ct, p)
}

/// Isentropic compressibility, Pa-1: 1 / (rho c2). That of crate `gsw` 0.2.3 is up to 7 % off.
pub fn compressibility(sa: f64, ct: f64, p: f64) -> f64 {
    let speed = sound_speed(sa, ct, p);
    1.0 / (rho(sa, ct, p) * speed * speed)
}

/// Specific volume less that of the standard ocean (35.16504 g kg-1, 0 degC) at the pressure, m3 kg-1.
pub fn specific_volume_anomaly(sa: f64, ct: f64, p: f64) -> f64 {
    value(volume::specvol_anom_standard(sa, ct, p), sa, ct, p)
}

/// Pressure at a depth (metres, positive down) and latitude, dbar.
pub fn pressure(depth: f64, lat: f64) -> f64 {
    conversions::p_from_z(-depth, lat, None, None).unwrap_or(f64::NAN)
}

/// Depth (metres, positive down) of a pressure at a latitude.
pub fn depth(p: f64, lat: f64) -> f64 {
    -conversions::z_from_p(p, lat, 0.0, 0.0)
}

/// Gravity at a latitude and pressure, m s-2.
pub fn gravity(lat: f64, p: f64) -> f64 {
    earth::gravity(lat, p).unwrap_or(f64::NAN)
}

/// Coriolis parameter, s-1, with the rotation 7.292115e-5 s-1.
pub fn coriolis(lat: f64) -> f64 {
    2.0 * 7.292_115e-5 * libm::sin(lat.to_radians())
}

fn value(result: gsw::Result<f64>, sa: f64, ct: f64, p: f64) -> f64 {
    let is_water = (0.0..=120.0).contains(&sa) && (-12.0..=80.0).contains(&ct) && p.is_finite();
    if is_water { result.unwrap_or(f64::NAN) } else { f64::NAN }
}
