//! Data variables and how a word finds one.

use std::collections::BTreeSet;

use super::mesh::MeshLink;
use crate::cf::{Axis, Packing, Quantity, base_name};
use crate::nearest::nearest;

/// A data variable with what is known about its axes.
#[derive(Debug, Clone)]
pub struct Variable {
    /// Name; variables of nested groups have a path.
    pub name: String,
    /// `standard_name`, without modifiers.
    pub standard_name: Option<String>,
    /// `long_name`.
    pub long_name: Option<String>,
    /// `units`.
    pub units: Option<String>,
    /// What it was taken for.
    pub quantity: Option<Quantity>,
    /// Why.
    pub quantity_reason: Option<&'static str>,
    /// Element type as stored.
    pub stored_type: String,
    /// Dimensions, slowest first.
    pub dimensions: Vec<Dimension>,
    /// `cell_methods`: what a value is of its cell, such as `time: mean`.
    pub cell_methods: Option<String>,
    /// Whether its latitudes and longitudes are two-dimensional.
    pub is_curvilinear: bool,
    /// The grid without axes that it is on.
    pub(crate) mesh: Option<MeshLink>,
    /// Its terrain-following levels, by position in the dataset's list.
    pub(crate) terrain: Option<usize>,
    /// Coordinates of one value that `coordinates` names: axis and position in the dataset's list of it.
    pub(crate) scalars: Vec<(Axis, usize)>,
    pub(crate) index: usize,
    pub(crate) packing: Packing,
}

/// A dimension of a variable.
#[derive(Debug, Clone)]
pub struct Dimension {
    /// Name.
    pub name: String,
    /// Length.
    pub length: usize,
    /// The axis, when a coordinate was found.
    pub axis: Option<Axis>,
    /// Position of the coordinate in the dataset's list of its axis.
    pub(crate) coordinate: Option<usize>,
}

impl Variable {
    /// The dimension of an axis, with its position in the store.
    pub fn dimension(&self, axis: Axis) -> Option<(usize, &Dimension)> {
        self.dimensions.iter().enumerate().find(|(_, dimension)| dimension.axis == Some(axis))
    }

    /// The coordinate of one value that it has along an axis, by position in the dataset's list.
    pub(crate) fn scalar(&self, axis: Axis) -> Option<usize> {
        self.scalars.iter().find(|scalar| scalar.0 == axis).map(|scalar| scalar.1)
    }

    /// The stored dimension of time, depth, rows and columns. Nodes are columns.
    pub(crate) fn places(&self) -> [Option<usize>; 4] {
        let of = |axis| self.dimension(axis).map(|found| found.0);
        let (y, x) = match self.mesh {
            Some(link) => (link.y, Some(link.x)),
            None => (of(Axis::Latitude), of(Axis::Longitude)),
        };
        [of(Axis::Time), of(Axis::Depth), y, x]
    }

    /// The standard name, or the variable's own.
    pub fn identity_name(&self) -> &str {
        self.standard_name.as_deref().unwrap_or_else(|| base_name(&self.name))
    }
}

/// A word that finds no variable, or several.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VariableError {
    /// Nothing matches.
    #[error("the dataset has no variable `{name}`; it has: {}", available.join(", "))]
    Unknown {
        /// The word.
        name: String,
        /// The variables there are, nearest first.
        available: Vec<String>,
    },
    /// Several match equally well.
    #[error("`{name}` could be any of: {}; give the full name", candidates.join(", "))]
    Ambiguous {
        /// The word.
        name: String,
        /// The variables that match.
        candidates: Vec<String>,
    },
}

/// Finds the variable a word means: by name, by standard name, then by quantity.
pub(crate) fn resolve<'a>(variables: &'a [Variable], word: &str) -> Result<&'a Variable, VariableError> {
    let word = word.trim();
    let matching =
        |test: &dyn Fn(&Variable) -> bool| variables.iter().filter(|v| test(v)).collect::<Vec<_>>();
    let attempts: [&dyn Fn(&Variable) -> bool; 5] = [
        &|v| v.name == word,
        &|v| base_name(&v.name) == word,
        &|v| base_name(&v.name).eq_ignore_ascii_case(word),
        &|v| v.standard_name.as_deref() == Some(word),
        &|v| v.long_name.as_deref().is_some_and(|long| long.eq_ignore_ascii_case(word)),
    ];
    for attempt in attempts {
        if let Some(found) = only(word, &matching(attempt))? {
            return Ok(found);
        }
    }
    let wanted =
        Quantity::from_word(word).or_else(|| Quantity::of_variable(word, Some(word)).map(|found| found.0));
    for quantity in [wanted, wanted.and_then(Quantity::substitute)].into_iter().flatten() {
        let candidates = matching(&|v| v.quantity == Some(quantity));
        let rank = |v: &Variable| quantity.rank(&v.name, v.standard_name.as_deref());
        let best = candidates.iter().map(|v| rank(v)).min();
        let best: Vec<&Variable> = candidates.into_iter().filter(|v| Some(rank(v)) == best).collect();
        if let Some(found) = only(word, &best)? {
            return Ok(found);
        }
    }
    let names: Vec<&str> = variables.iter().map(|v| v.name.as_str()).collect();
    Err(VariableError::Unknown { name: word.to_owned(), available: nearest(word, names, 30) })
}

fn only<'a>(word: &str, found: &[&'a Variable]) -> Result<Option<&'a Variable>, VariableError> {
    match found {
        [] => Ok(None),
        [one] => Ok(Some(one)),
        several => {
            let names: BTreeSet<String> = several.iter().map(|v| v.name.clone()).collect();
            Err(VariableError::Ambiguous { name: word.to_owned(), candidates: names.into_iter().collect() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cf::Attributes;

    fn variable(name: &str, standard_name: Option<&str>) -> Variable {
        let found = Quantity::of_variable(name, standard_name);
        Variable {
            name: name.to_owned(),
            standard_name: standard_name.map(str::to_owned),
            long_name: None,
            units: None,
            quantity: found.map(|f| f.0),
            quantity_reason: found.map(|f| f.1),
            stored_type: "float32".to_owned(),
            dimensions: Vec::new(),
            is_curvilinear: false,
            mesh: None,
            terrain: None,
            cell_methods: None,
            scalars: Vec::new(),
            index: 0,
            packing: Packing::from_attributes(&Attributes::new(), None),
        }
    }

    #[test]
    fn words_find_what_the_file_has() {
        let model = [
            variable("thetao", Some("sea_water_potential_temperature")),
            variable("so", Some("sea_water_salinity")),
            variable("zos", None),
            variable("physics/uo", None),
        ];
        for (word, expected) in [
            ("temperature", "thetao"),
            ("sst", "thetao"),
            ("Salinity", "so"),
            ("ssh", "zos"),
            ("u", "physics/uo"),
            ("UO", "physics/uo"),
            ("sea_water_salinity", "so"),
            ("vosaline", "so"),
        ] {
            assert_eq!(resolve(&model, word).unwrap().name, expected, "{word}");
        }
        let observed = [variable("sst", None)];
        assert_eq!(resolve(&observed, "temperature").unwrap().name, "sst");
    }

    #[test]
    fn a_miss_lists_the_nearest_first() {
        let variables = [variable("so", None), variable("thetao", None)];
        let Err(VariableError::Unknown { available, .. }) = resolve(&variables, "thetaoo") else {
            panic!("it should not be found")
        };
        assert_eq!(available, ["thetao", "so"]);
    }

    #[test]
    fn equal_matches_are_not_guessed() {
        let variables = [variable("a/temp", None), variable("b/temp", None)];
        assert!(matches!(resolve(&variables, "temp"), Err(VariableError::Ambiguous { .. })));
    }
}
