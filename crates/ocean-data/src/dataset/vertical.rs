//! Levels that follow the terrain: which variables their formula takes.

use super::numbers::read_numbers;
use super::store::{ReadError, Store, StoredVariable};
use crate::cf::{Attribute, OceanFormula, OceanLevel, Unit, base_name};

/// A terrain-following coordinate of a dimension.
#[derive(Debug, Clone)]
pub(crate) struct Terrain {
    /// Name of the coordinate variable.
    pub(crate) name: String,
    /// The dimension it belongs to.
    pub(crate) dimension: String,
    pub(crate) formula: OceanFormula,
    /// Levels in the order of the store.
    pub(crate) levels: Vec<OceanLevel>,
    /// Edges of the levels, one more than levels and in the same order, when the file has them.
    pub(crate) edges: Option<Vec<OceanLevel>>,
    /// Position of the depth of the floor in the store.
    pub(crate) depth: usize,
    /// Position of the height of the surface in the store.
    pub(crate) eta: Option<usize>,
    /// Critical depth in metres.
    pub(crate) depth_c: f64,
}

/// The terrain-following coordinates of a store.
#[derive(Debug, Default)]
pub(crate) struct FoundTerrain {
    /// Those that have all they need.
    pub(crate) usable: Vec<Terrain>,
    /// Dimension, and why its coordinate cannot be used.
    pub(crate) problems: Vec<(String, String)>,
}

/// Finds the terrain-following coordinates of a store.
pub(crate) fn find_terrain(store: &dyn Store) -> Result<FoundTerrain, ReadError> {
    let stored = store.variables();
    let mut found = FoundTerrain::default();
    for variable in stored {
        let [(dimension, _)] = variable.dimensions.as_slice() else { continue };
        let Some(terms) = terms_of(stored, variable) else { continue };
        match build(store, variable, dimension, &terms)? {
            Ok(terrain) => found.usable.push(terrain),
            Err(problem) => found.problems.push((dimension.clone(), problem)),
        }
    }
    let all = found.usable.clone();
    for terrain in &mut found.usable {
        terrain.edges = edges_of(terrain, &all);
    }
    Ok(found)
}

/// The standard name of the formula and the variables of its terms.
struct Terms {
    standard_name: String,
    terms: Vec<(String, String)>,
}

impl Terms {
    fn get(&self, key: &str) -> Option<&str> {
        self.terms.iter().find(|term| term.0 == key).map(|term| term.1.as_str())
    }
}

fn terms_of(stored: &[StoredVariable], variable: &StoredVariable) -> Option<Terms> {
    let text = |key: &str| variable.attributes.get(key).and_then(Attribute::as_text).unwrap_or("");
    let mut words = text("formula_terms").split_whitespace().peekable();
    let mut terms = Vec::new();
    while let Some(word) = words.next() {
        // `s: s_rho`, and `s:s_rho` as some files write it.
        match word.split_once(':') {
            Some((key, "")) => terms.push((key.to_owned(), words.next()?.to_owned())),
            Some((key, name)) => terms.push((key.to_owned(), name.to_owned())),
            None => return None,
        }
    }
    let standard_name = text("standard_name");
    if standard_name.starts_with("ocean_s") && !terms.is_empty() {
        return Some(Terms { standard_name: standard_name.to_owned(), terms });
    }
    roms_terms(stored, variable)
}

/// The terms of a ROMS file that has none: `s_rho` with `Cs_r`, `hc`, `h`, `zeta` and `Vtransform`.
fn roms_terms(stored: &[StoredVariable], variable: &StoredVariable) -> Option<Terms> {
    let name = base_name(&variable.name);
    let stretching = match name {
        "s_rho" => "Cs_r",
        "s_w" => "Cs_w",
        _ => return None,
    };
    let has = |name: &str| stored.iter().any(|candidate| base_name(&candidate.name) == name);
    if !["h", "hc", stretching].iter().all(|name| has(name)) {
        return None;
    }
    let terms = [("s", name), ("C", stretching), ("eta", "zeta"), ("depth", "h"), ("depth_c", "hc")];
    let terms = terms.map(|(key, name)| (key.to_owned(), name.to_owned())).to_vec();
    Some(Terms { standard_name: "Vtransform".to_owned(), terms })
}

fn build(
    store: &dyn Store,
    variable: &StoredVariable,
    dimension: &str,
    terms: &Terms,
) -> Result<Result<Terrain, String>, ReadError> {
    let stored = store.variables();
    let find = |key: &str| {
        terms.get(key).and_then(|name| stored.iter().position(|v| base_name(&v.name) == base_name(name)))
    };
    let lacks = |key: &str| {
        let name = terms.get(key).unwrap_or(key);
        Ok(Err(format!(
            "its formula needs `{name}` ({key}), which the file does not have; add the grid file, or interpolate the data to fixed depths first"
        )))
    };
    let scalar = |key: &str| -> Result<Option<f64>, ReadError> {
        let Some(index) = find(key).filter(|&index| stored[index].len() == 1) else { return Ok(None) };
        Ok(read_numbers(store, index)?.first().copied())
    };
    let along = |key: &str| -> Result<Option<Vec<f64>>, ReadError> {
        let Some(index) = find(key).filter(|&index| stored[index].len() == variable.len()) else {
            return Ok(None);
        };
        Ok(Some(read_numbers(store, index)?))
    };
    let depth_c = scalar("depth_c")?;
    let formula = match terms.standard_name.as_str() {
        "Vtransform" => {
            let transform = stored.iter().position(|v| base_name(&v.name) == "Vtransform");
            let transform = match transform {
                Some(index) => read_numbers(store, index)?.first().copied(),
                None => None,
            };
            match transform {
                Some(1.0) => OceanFormula::G1,
                Some(2.0) => OceanFormula::G2,
                // Without a critical depth both are the same.
                _ if depth_c == Some(0.0) => OceanFormula::G2,
                _ => {
                    return Ok(Err(
                        "the file does not say which transform its levels follow; add `Vtransform` (1 or 2)"
                            .to_owned(),
                    ));
                }
            }
        }
        name => {
            let (a, b) = (scalar("a")?.unwrap_or(0.0), scalar("b")?.unwrap_or(0.0));
            match OceanFormula::from_standard_name(name, a, b) {
                Some(formula) => formula,
                None => return Ok(Err(format!("no formula is known for `{name}`"))),
            }
        }
    };
    let needs_c = matches!(formula, OceanFormula::G1 | OceanFormula::G2);
    let Some(depth) = find("depth") else { return lacks("depth") };
    if depth_c.is_none() && formula != OceanFormula::Sigma {
        return lacks("depth_c");
    }
    let (s, c, z) = (along("s")?.or(along("sigma")?), along("C")?, along("zlev")?);
    if s.is_none() {
        return lacks("s");
    }
    if needs_c && c.is_none() {
        return lacks("C");
    }
    let at = |values: &Option<Vec<f64>>, k: usize| values.as_ref().map_or(f64::NAN, |values| values[k]);
    // Levels below `nsigma` are of fixed height.
    let sigma_levels = scalar("nsigma")?;
    let levels = (0..variable.len())
        .map(|k| {
            let fixed = formula == OceanFormula::SigmaZ
                && sigma_levels.map_or(at(&s, k).is_nan(), |count| k as f64 >= count);
            OceanLevel { s: if fixed { f64::NAN } else { at(&s, k) }, c: at(&c, k), z: at(&z, k) }
        })
        .collect();
    Ok(Ok(Terrain {
        name: variable.name.clone(),
        dimension: dimension.to_owned(),
        formula,
        levels,
        edges: None,
        depth,
        eta: find("eta"),
        depth_c: depth_c.unwrap_or(0.0),
    }))
}

/// The edges of levels are the levels of another coordinate of the same formula that has one more and lies around them.
fn edges_of(terrain: &Terrain, all: &[Terrain]) -> Option<Vec<OceanLevel>> {
    let around = |other: &&Terrain| {
        other.levels.len() == terrain.levels.len() + 1
            && other.formula == terrain.formula
            && other.depth == terrain.depth
            && terrain.levels.iter().enumerate().all(|(k, level)| {
                let (a, b) = (other.levels[k].s, other.levels[k + 1].s);
                (a.min(b)..=a.max(b)).contains(&level.s)
            })
    };
    all.iter().find(around).map(|other| other.levels.clone())
}

/// What turns a stored length into metres.
pub(crate) fn metres(variable: &StoredVariable) -> f64 {
    let text = variable.attributes.get("units").and_then(Attribute::as_text).unwrap_or("");
    let unit = text.parse::<Unit>().ok().filter(Unit::is_length);
    let metre = "m".parse::<Unit>().ok();
    unit.zip(metre).and_then(|(unit, metre)| unit.to(&metre).ok()).map_or(1.0, |c| c.scale)
}
