//! Conversions that need to know what is dissolved, or in how dense a water.

use ocean_data::cf::{Conversion, Unit};
use schemars::JsonSchema;
use serde::Deserialize;

/// What is dissolved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum Substance {
    /// Not stated.
    #[default]
    #[serde(rename = "none")]
    None,
    /// Oxygen, as O2.
    O2,
    /// Nitrogen, as N.
    N,
    /// Phosphorus, as P.
    P,
    /// Silicon, as Si.
    Si,
    /// Carbon, as C.
    C,
}

/// Oxygen in a litre of gas at 0 degC and 1 atm, in moles: 44.66 mmol a litre (ICES).
const O2_MOL_PER_LITRE: f64 = 0.044_66;

impl Substance {
    /// Grams a mole, from the standard atomic weights (IUPAC 2021).
    pub fn molar_mass(self) -> Option<f64> {
        match self {
            Self::None => None,
            Self::O2 => Some(31.998),
            Self::N => Some(14.007),
            Self::P => Some(30.974),
            Self::Si => Some(28.085),
            Self::C => Some(12.011),
        }
    }

    /// What turns one unit into the other, and words for what was assumed. `density` is that of the water in kg m-3.
    ///
    /// # Errors
    /// A message that says what is missing, or that the units measure different things.
    ///
    /// ```
    /// use ocean_tools::kernels::substance::Substance;
    ///
    /// let unit = |text: &str| text.parse().unwrap();
    /// let (conversion, _) = Substance::O2.conversion(&unit("mmol m-3"), &unit("mg L-1"), None)?;
    /// assert!((conversion.apply(62.5) - 2.0).abs() < 1e-3);
    /// assert!(Substance::None.conversion(&unit("mmol m-3"), &unit("mg L-1"), None).is_err());
    /// # Ok::<(), String>(())
    /// ```
    pub fn conversion(
        self,
        from: &Unit,
        to: &Unit,
        density: Option<f64>,
    ) -> Result<(Conversion, String), String> {
        if let Ok(conversion) = from.to(to) {
            return Ok((conversion, String::new()));
        }
        // Each unit over one of these is a plain concentration in mol m-3, if it is any concentration at all.
        let (a, how_a) = self.to_molar(from, density)?;
        let (b, how_b) = self.to_molar(to, density)?;
        let mut how: Vec<String> = [how_a, how_b].into_iter().filter(|text| !text.is_empty()).collect();
        how.dedup();
        let how = if how.is_empty() { String::new() } else { format!(" ({})", how.join(", ")) };
        Ok((Conversion { scale: a / b, offset: 0.0 }, how))
    }

    /// The factor that turns a unit into mol m-3.
    fn to_molar(self, unit: &Unit, density: Option<f64>) -> Result<(f64, String), String> {
        let scale = |target: &str| {
            let target: Unit = target.parse().ok()?;
            unit.to(&target).ok().map(|conversion| conversion.scale)
        };
        let need_density = || {
            density.ok_or_else(|| {
                format!("`{}` is an amount a mass of water; state `density` in kg m-3", unit.text())
            })
        };
        let need_mass = || {
            self.molar_mass().ok_or_else(|| {
                format!(
                    "`{}` is a mass; state the `substance` that is dissolved: O2, N, P, Si or C",
                    unit.text()
                )
            })
        };
        if let Some(factor) = scale("mol m-3") {
            return Ok((factor, String::new()));
        }
        if let Some(factor) = scale("mol kg-1") {
            let density = need_density()?;
            return Ok((factor * density, format!("density {density} kg m-3")));
        }
        if let Some(factor) = scale("g m-3") {
            let mass = need_mass()?;
            return Ok((factor / mass, format!("{mass} g/mol")));
        }
        if self == Self::O2
            && let Some(factor) = scale("1")
        {
            // A volume of gas a volume of water: litres a cubic metre are a thousandth of the pure number.
            return Ok((
                factor * 1000.0 * O2_MOL_PER_LITRE,
                format!("{O2_MOL_PER_LITRE} mol of O2 a litre of gas"),
            ));
        }
        Err(format!(
            "`{}` is no concentration that can be converted here; give moles or mass a volume, or moles a mass of water",
            unit.text()
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn convert(
        substance: Substance,
        value: f64,
        from: &str,
        to: &str,
        density: Option<f64>,
    ) -> Result<f64, String> {
        let (from, to) = (from.parse().unwrap(), to.parse().unwrap());
        substance.conversion(&from, &to, density).map(|(conversion, _)| conversion.apply(value))
    }

    #[test]
    fn oxygen_has_four_usual_units() {
        for (value, from, to, density, expected) in [
            (62.5, "mmol m-3", "mg L-1", None, 1.999_875),
            (44.66, "mmol m-3", "mL L-1", None, 1.0),
            (1.0, "mL L-1", "mmol m-3", None, 44.66),
            (200.0, "umol kg-1", "mmol m-3", Some(1025.0), 205.0),
            (10.0, "degC", "K", None, 283.15),
        ] {
            let found = convert(Substance::O2, value, from, to, density).unwrap();
            assert!((found - expected).abs() < 1e-9, "{value} {from} is {found} {to}");
        }
    }

    #[test]
    fn what_is_missing_is_named() {
        for (substance, from, to, named) in [
            (Substance::None, "mmol m-3", "mg m-3", "substance"),
            (Substance::N, "umol kg-1", "mmol m-3", "density"),
            (Substance::C, "degC", "mmol m-3", "no concentration"),
        ] {
            let message = convert(substance, 1.0, from, to, None).unwrap_err();
            assert!(message.contains(named), "{message}");
        }
    }
}
