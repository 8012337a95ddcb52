//! Turbulent fluxes of heat and momentum between sea and air, by similarity theory.
//!
//! # Source
//! COARE 3.5: Fairall et al. (2003), J. Climate 16, 571–591, doi:10.1175/1520-0442(2003)016<0571:BPOASF>2.0.CO;2, with
//! the Charnock parameter of Edson et al. (2013), J. Phys. Oceanogr. 43, 1589–1610, doi:10.1175/JPO-D-12-0173.1.
//! Stable stability functions: Beljaars and Holtslag (1991); unstable: Grachev et al. (2000). Without cool skin, warm
//! layer, rain and waves: the temperature given is that of the skin.

use libm::{atan, cbrt, exp, log, pow, sqrt};

use super::sphere::GRAVITY;

/// Von Kármán's constant.
const KARMAN: f64 = 0.4;
/// Gas constant of dry air, J kg-1 K-1.
const DRY_AIR: f64 = 287.1;
/// Specific heat of air, J kg-1 K-1.
const CP_AIR: f64 = 1004.67;
/// Kelvin at 0 °C.
const KELVIN: f64 = 273.15;
/// Dry adiabatic lapse rate, K m-1.
const LAPSE: f64 = 0.0098;
/// Gusts over the convective velocity scale.
const GUSTINESS: f64 = 1.2;
/// Depth of the mixed air, m.
const BOUNDARY_LAYER: f64 = 600.0;
/// Iterations; the fluxes of ordinary air stand still after ten.
const ITERATIONS: usize = 30;

/// Air above the sea, and where it was measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Air {
    /// Speed relative to the sea, m s-1.
    pub wind: f64,
    /// Temperature, degC.
    pub temperature: f64,
    /// Specific humidity, kg kg-1.
    pub humidity: f64,
    /// Pressure at the sea, hPa.
    pub pressure: f64,
    /// Height of the wind, m.
    pub wind_height: f64,
    /// Height of temperature and humidity, m.
    pub air_height: f64,
}

/// Fluxes out of the sea.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fluxes {
    /// Sensible heat, W m-2.
    pub sensible: f64,
    /// Latent heat, W m-2.
    pub latent: f64,
    /// Stress of the wind, N m-2.
    pub stress: f64,
}

/// Specific humidity, kg kg-1, of air that is saturated over sea water at a temperature in degC and a pressure in hPa:
/// Buck (1981), two per cent less than over fresh water.
pub fn saturation(temperature: f64, pressure: f64) -> f64 {
    let vapour =
        0.98 * 6.1121 * exp(17.502 * temperature / (240.97 + temperature)) * (1.0007 + 3.46e-6 * pressure);
    0.622 * vapour / (pressure - 0.378 * vapour)
}

/// The fluxes between air and a sea surface of a temperature in degC. NaN in gives NaN.
pub fn coare(air: Air, surface: f64) -> Fluxes {
    let kelvin = air.temperature + KELVIN;
    let density = 100.0 * air.pressure / (DRY_AIR * kelvin * (1.0 + 0.61 * air.humidity));
    let vaporisation = (2.501 - 0.002_37 * surface) * 1e6;
    let t = air.temperature;
    let viscosity = 1.326e-5 * (1.0 + 6.542e-3 * t + 8.301e-6 * t * t - 4.84e-9 * t * t * t);
    let warmer = surface - t - LAPSE * air.air_height;
    let wetter = saturation(surface, air.pressure) - air.humidity;
    // Neutral air over a smooth sea to begin with.
    let mut gusty = libm::hypot(air.wind, 0.5);
    let mut friction = 0.035 * gusty;
    let (mut heat, mut vapour) = (0.0, 0.0);
    let mut neutral = air.wind;
    for _ in 0..ITERATIONS {
        let buoyancy = heat + 0.61 * kelvin * vapour;
        // Height over the Obukhov length. Far above 50 the turbulence has ceased and the scheme has no solution.
        let per_metre =
            (KARMAN * GRAVITY / kelvin * buoyancy / (friction * friction)).min(50.0 / air.wind_height);
        let charnock = 0.0017 * neutral.min(19.0) - 0.005;
        let rough = charnock * friction * friction / GRAVITY + 0.11 * viscosity / friction;
        let reynolds = rough * friction / viscosity;
        let rough_heat = (5.8e-5 / pow(reynolds, 0.72)).min(1.6e-4);
        friction = gusty * KARMAN / (log(air.wind_height / rough) - psi_wind(air.wind_height * per_metre));
        let transfer = KARMAN / (log(air.air_height / rough_heat) - psi_heat(air.air_height * per_metre));
        (heat, vapour) = (-warmer * transfer, -wetter * transfer);
        let rising = -GRAVITY / kelvin * friction * (heat + 0.61 * kelvin * vapour);
        let gust = if rising > 0.0 { GUSTINESS * cbrt(rising * BOUNDARY_LAYER) } else { 0.2 };
        gusty = libm::hypot(air.wind, gust);
        neutral = friction / KARMAN * air.wind / gusty * log(10.0 / rough);
    }
    Fluxes {
        sensible: -density * CP_AIR * friction * heat,
        latent: -density * vaporisation * friction * vapour,
        stress: density * friction * friction * air.wind / gusty,
    }
}

/// Stability function of the wind at a height over the Obukhov length.
fn psi_wind(zeta: f64) -> f64 {
    if zeta >= 0.0 {
        return stable(zeta, 0.75, 0.7 * zeta);
    }
    let x = sqrt(sqrt(1.0 - 15.0 * zeta));
    let kansas = 2.0 * log(f64::midpoint(1.0, x)) + log(f64::midpoint(1.0, x * x)) - 2.0 * atan(x)
        + std::f64::consts::FRAC_PI_2;
    blend(zeta, kansas, convective(10.15, zeta))
}

/// Stability function of temperature and humidity.
fn psi_heat(zeta: f64) -> f64 {
    if zeta >= 0.0 {
        let root = sqrt(1.0 + 2.0 / 3.0 * zeta);
        return stable(zeta, 0.6667, root * root * root - 1.0);
    }
    let kansas = 2.0 * log(f64::midpoint(1.0, sqrt(1.0 - 15.0 * zeta)));
    blend(zeta, kansas, convective(34.15, zeta))
}

/// The form of Beljaars and Holtslag, whose first term is given.
fn stable(zeta: f64, b: f64, first: f64) -> f64 {
    let (c, d) = (5.0, 0.35);
    -(first + b * (zeta - c / d) * exp(-(d * zeta).min(50.0)) + b * c / d)
}

/// Free convection.
fn convective(factor: f64, zeta: f64) -> f64 {
    let x = cbrt(1.0 - factor * zeta);
    let three = sqrt(3.0);
    1.5 * log((x * x + x + 1.0) / 3.0) - three * atan((2.0 * x + 1.0) / three) + std::f64::consts::PI / three
}

fn blend(zeta: f64, kansas: f64, convective: f64) -> f64 {
    let share = zeta * zeta / (1.0 + zeta * zeta);
    (1.0 - share) * kansas + share * convective
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fluxes_are_those_of_the_peer() {
        // pycoare 0.4.3, coare_35 with zu=10, zt=zq=2, lat=45, zi=600, jcool=0, nits=40: wind, air, humidity (as it takes
        // it from the relative one), sea, pressure; hsb, hlb, tau. Its gravity is that of 45N.
        let table = [
            ([8.0, 26.0, 0.017_999_131_8, 28.0, 1010.0], [25.137_683, 160.925_674, 0.093_956_003]),
            ([3.0, 15.0, 0.009_999_517_685, 14.0, 1015.0], [-3.082_903_9, -2.273_393_5, 0.005_264_077_3]),
            ([15.0, 5.0, 0.003_999_807_074, 8.0, 990.0], [74.030_708, 163.128_806, 0.529_605_14]),
            ([1.0, 27.0, 0.018_999_083_6, 29.5, 1012.0], [8.290_897_5, 51.151_353, 0.002_360_215]),
            ([22.0, 18.0, 0.009_499_541_8, 20.0, 1000.0], [72.810_783, 442.869_824, 1.461_835_5]),
        ];
        for ([wind, temperature, humidity, sea, pressure], exact) in table {
            let air = Air { wind, temperature, humidity, pressure, wind_height: 10.0, air_height: 2.0 };
            let found = coare(air, sea);
            for (own, exact) in [found.sensible, found.latent, found.stress].into_iter().zip(exact) {
                assert!((own / exact - 1.0).abs() < 1e-3, "{air:?}: {own} is not {exact}");
            }
        }
    }

    #[test]
    fn a_sea_as_warm_and_wet_as_the_air_gives_no_heat() {
        let air = Air {
            wind: 6.0,
            temperature: 20.0 - LAPSE * 2.0,
            humidity: saturation(20.0, 1013.0),
            pressure: 1013.0,
            wind_height: 10.0,
            air_height: 2.0,
        };
        let still = coare(air, 20.0);
        assert!(still.sensible.abs() < 1e-9 && still.latent.abs() < 1e-9 && still.stress > 0.0);
        assert!(coare(air, f64::NAN).latent.is_nan());
        assert!(coare(Air { wind: 0.0, ..air }, 25.0).latent > 0.0, "a calm still convects");
    }
}
