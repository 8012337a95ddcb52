//! [`Water`]: temperature and salinity as TEOS-10 wants them, whatever kinds of them the data hold.

use leg_core::{ToolContext, ToolError};
use ocean_data::Field;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Datasets;
use crate::argument::dataset::member;
use crate::argument::{ArtifactArgument, FieldArgument};
use crate::columns::{ColumnView, Columns};
use crate::kernels::teos10::column::Column;
use crate::kernels::teos10::{STANDARD_SALINITY, salinity, sea_water, temperature};

/// Reference salinity of a practical salinity of 1, g kg-1 (Millero et al. 2008).
const REFERENCE_FROM_PRACTICAL: f64 = STANDARD_SALINITY / 35.0;

/// Which temperature a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TemperatureKind {
    /// As measured.
    InSitu,
    /// Potential temperature with reference pressure 0.
    Potential,
    /// Conservative Temperature.
    Conservative,
}

/// Which salinity a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SalinityKind {
    /// Practical salinity.
    Practical,
    /// Absolute salinity, g kg-1.
    Absolute,
    /// Reference salinity, g kg-1: absolute salinity without the anomaly of its composition.
    Reference,
}

impl SalinityKind {
    /// The kind that a field states by its standard name and units; what had to be assumed is noted.
    pub(crate) fn of(field: &Field, notes: &mut Vec<String>) -> Self {
        Self::stated(field).unwrap_or_else(|| {
            notes.push(format!("`{}` has no standard name; it is taken as practical salinity", field.name()));
            Self::Practical
        })
    }

    /// How it is called in a sentence.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Practical => "practical salinity",
            Self::Absolute => "absolute salinity (g kg-1)",
            Self::Reference => "reference salinity (g kg-1)",
        }
    }

    /// Practical salinity of a salinity of this kind at a pressure and a place.
    pub(crate) fn practical(self, own: f64, p: f64, [lon, lat]: [f64; 2]) -> f64 {
        match self {
            Self::Practical => own,
            Self::Absolute => salinity::sp_from_sa(own, p, lon, lat),
            Self::Reference => own / REFERENCE_FROM_PRACTICAL,
        }
    }

    /// Absolute salinity, g kg-1, of a salinity of this kind at a pressure and a place.
    pub(crate) fn absolute(self, own: f64, p: f64, place: [f64; 2]) -> f64 {
        match self {
            Self::Absolute => own,
            Self::Practical | Self::Reference => {
                salinity::sa_from_sp(self.practical(own, p, place), p, place[0], place[1])
            }
        }
    }

    /// Reference salinity, g kg-1, of a salinity of this kind at a pressure and a place.
    pub(crate) fn reference(self, own: f64, p: f64, place: [f64; 2]) -> f64 {
        match self {
            Self::Reference => own,
            Self::Practical | Self::Absolute => self.practical(own, p, place) * REFERENCE_FROM_PRACTICAL,
        }
    }

    /// The kind that a field states, if it states any.
    pub(crate) fn stated(field: &Field) -> Option<Self> {
        let standard = field.standard_name().unwrap_or_default();
        let units = field.units().replace(['/', ' '], "");
        if standard.contains("reference_salinity") {
            Some(Self::Reference)
        } else if standard.contains("absolute_salinity")
            || (standard.is_empty() && matches!(units.as_str(), "gkg-1" | "gkg"))
        {
            Some(Self::Absolute)
        } else {
            // The older names, such as sea_water_salinity, are those of practical salinity.
            (!standard.is_empty()).then_some(Self::Practical)
        }
    }
}

impl TemperatureKind {
    /// The kind that a field states by its standard name or its own name; what had to be assumed is noted.
    pub(crate) fn of(field: &Field, notes: &mut Vec<String>) -> Self {
        kind_of_temperature(field, notes)
    }

    /// How it is called in a sentence.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::InSitu => "in-situ temperature",
            Self::Potential => "potential temperature",
            Self::Conservative => "Conservative Temperature",
        }
    }
}

/// Arguments of a tool that needs temperature and salinity and nothing else.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WaterArguments {
    /// Temperature; with `salt`, or else `dataset`.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    temp: Option<FieldArgument>,
    /// Salinity.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    salt: Option<FieldArgument>,
    /// A dataset with one temperature and one salinity, in place of `temp` and `salt`.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "dataset"}))]
    dataset: Option<ArtifactArgument>,
    /// Which temperature it is; by its standard name if absent.
    #[serde(default)]
    pub(crate) temperature_kind: Option<TemperatureKind>,
    /// Which salinity it is; by its standard name and units if absent.
    #[serde(default)]
    pub(crate) salinity_kind: Option<SalinityKind>,
}

impl WaterArguments {
    /// The columns of water, and those of further fields after them.
    ///
    /// # Errors
    /// As [`Water::new`].
    pub(crate) fn open(
        &self,
        more: Vec<Field>,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<Water, ToolError> {
        let pair = WaterPair {
            temp: self.temp.as_ref(),
            salt: self.salt.as_ref(),
            dataset: self.dataset.as_ref(),
            ..WaterPair::default()
        };
        let (temp, salt) = pair.open(datasets, context)?;
        Water::new(&temp, &salt, more, self.temperature_kind, self.salinity_kind)
    }
}

/// Where temperature and salinity come from: two fields, or a dataset that holds both.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct WaterPair<'a> {
    pub(crate) temp: Option<&'a FieldArgument>,
    pub(crate) salt: Option<&'a FieldArgument>,
    pub(crate) dataset: Option<&'a ArtifactArgument>,
    /// The dataset's name for the temperature.
    pub(crate) temp_name: Option<&'a str>,
    /// The dataset's name for the salinity.
    pub(crate) salt_name: Option<&'a str>,
}

impl WaterPair<'_> {
    /// Temperature and salinity.
    ///
    /// # Errors
    /// Neither or both given; a dataset without one of them.
    pub(crate) fn open(
        self,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<(Field, Field), ToolError> {
        match (self.temp, self.salt, self.dataset) {
            (Some(temp), Some(salt), None) => {
                Ok((temp.open(datasets, context)?, salt.open(datasets, context)?))
            }
            (None, None, Some(dataset)) => {
                let is_temperature = |name: &str, field: &Field| {
                    field.with_units("degC").is_ok()
                        && (field.standard_name().is_some_and(|own| own.contains("temperature"))
                            || name.starts_with("temp"))
                };
                let is_salinity = |name: &str, field: &Field| {
                    field.standard_name().is_some_and(|own| own.contains("salinity"))
                        || name.starts_with("sal")
                };
                let temp = member(dataset, self.temp_name, "temperature", is_temperature, datasets, context)?;
                let salt = member(dataset, self.salt_name, "salinity", is_salinity, datasets, context)?;
                Ok((temp, salt))
            }
            _ => Err(ToolError::invalid(
                "give temp and salt, or a dataset that holds both, as `assemble_dataset` makes it",
            )),
        }
    }
}

/// Columns of temperature and salinity, in degC and in the salinity's own unit, with their kinds.
#[derive(Debug)]
pub(crate) struct Water {
    pub(crate) columns: Columns,
    temperature: TemperatureKind,
    salinity: SalinityKind,
    /// What was assumed.
    pub(crate) notes: Vec<String>,
}

/// A column of sea water.
#[derive(Debug)]
pub(crate) struct WaterColumn {
    /// Pressure, dbar.
    pub(crate) p: Vec<f64>,
    /// Practical salinity.
    pub(crate) sp: Vec<f64>,
    /// Absolute salinity, g kg-1.
    pub(crate) sa: Vec<f64>,
    /// Conservative Temperature, degC.
    pub(crate) ct: Vec<f64>,
}

impl WaterColumn {
    /// The column for kernels.
    pub(crate) fn column(&self) -> Column<'_> {
        Column { sa: &self.sa, ct: &self.ct, p: &self.p }
    }

    /// A value for each level from absolute salinity, Conservative Temperature and pressure.
    pub(crate) fn map(&self, value: impl Fn(f64, f64, f64) -> f64) -> Vec<f64> {
        (0..self.p.len()).map(|at| value(self.sa[at], self.ct[at], self.p[at])).collect()
    }
}

impl Water {
    /// Water of two fields.
    ///
    /// # Errors
    /// Units that are no temperature, fields without a place.
    pub(crate) fn new(
        temp: &Field,
        salt: &Field,
        more: Vec<Field>,
        temperature: Option<TemperatureKind>,
        salinity: Option<SalinityKind>,
    ) -> Result<Self, ToolError> {
        let mut notes = Vec::new();
        let temperature = temperature.unwrap_or_else(|| kind_of_temperature(temp, &mut notes));
        let salinity = salinity.unwrap_or_else(|| SalinityKind::of(salt, &mut notes));
        if temp.depths().is_none() {
            notes.push(format!("`{}` has no depth; it is taken as at the surface", temp.name()));
        }
        let mut fields = vec![in_celsius(temp)?, salt.clone()];
        fields.extend(more);
        let columns = Columns::of(fields);
        columns.need_place()?;
        Ok(Self { columns, temperature, salinity, notes })
    }

    /// The kinds of the two fields.
    pub(crate) fn kinds(&self) -> (TemperatureKind, SalinityKind) {
        (self.temperature, self.salinity)
    }

    /// A column of the two fields.
    pub(crate) fn column(&self, view: &ColumnView<'_>) -> WaterColumn {
        let p: Vec<f64> = view.depth.iter().map(|&depth| sea_water::pressure(depth, view.lat)).collect();
        let (place, kind) = ([view.lon, view.lat], self.salinity);
        let salts = || view.values[1].iter().zip(&p);
        let sp: Vec<f64> = salts().map(|(&own, &p)| kind.practical(own, p, place)).collect();
        let sa: Vec<f64> = salts().map(|(&own, &p)| kind.absolute(own, p, place)).collect();
        let ct = (0..p.len())
            .map(|at| {
                let own = view.values[0][at];
                match self.temperature {
                    TemperatureKind::InSitu => temperature::ct_from_t(sa[at], own, p[at]),
                    TemperatureKind::Potential => temperature::ct_from_pt(sa[at], own),
                    TemperatureKind::Conservative => own,
                }
            })
            .collect();
        WaterColumn { p, sp, sa, ct }
    }
}

/// A temperature in degC.
///
/// # Errors
/// When its units are missing or measure something else.
pub(crate) fn in_celsius(field: &Field) -> Result<Field, ToolError> {
    let refuse = |why: String| {
        ToolError::invalid(format!(
            "`{}` {why}; a temperature in degC or K is needed, such as {{\"variable\": \"temperature\"}}",
            field.name()
        ))
    };
    if field.units().is_empty() {
        return Err(refuse("has no units".to_owned()));
    }
    field.with_units("degC").map_err(|error| refuse(format!("is no temperature ({error})")))
}

fn kind_of_temperature(field: &Field, notes: &mut Vec<String>) -> TemperatureKind {
    let standard = field.standard_name().unwrap_or_default();
    let name = field.name().to_lowercase();
    if standard.contains("conservative_temperature") || name == "bigthetao" {
        TemperatureKind::Conservative
    } else if standard.contains("potential_temperature")
        || ["thetao", "theta", "votemper", "ptemp", "potmp"].contains(&name.as_str())
    {
        TemperatureKind::Potential
    } else {
        if standard.is_empty() {
            notes.push(format!(
                "`{}` has no standard name; it is taken as an in-situ temperature",
                field.name()
            ));
        }
        TemperatureKind::InSitu
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_salinity_are_those_of_gsw() {
        // gsw 3.6.23 at 1000 dbar, 188 E, 4 N: SA_from_SP(34.7118), SR_from_SP(34.7118).
        let (p, place) = (1000.0, [188.0, 4.0]);
        let [sa, sr] = [34.884_906_412_887, 34.875_481_013_486];
        for (kind, own) in
            [(SalinityKind::Practical, 34.7118), (SalinityKind::Absolute, sa), (SalinityKind::Reference, sr)]
        {
            assert!((kind.practical(own, p, place) - 34.7118).abs() < 1e-9, "{kind:?}");
            assert!((kind.absolute(own, p, place) - sa).abs() < 1e-9, "{kind:?}");
            assert!((kind.reference(own, p, place) - sr).abs() < 1e-9, "{kind:?}");
        }
    }
}
