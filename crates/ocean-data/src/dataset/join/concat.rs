//! Files that follow each other in time as one store.

use std::sync::Arc;

use ndarray::{ArrayD, Axis as NdAxis, IxDyn, Slice};
use serde_json::{Value, json};

use super::group::Part;
use super::same::{CODING, difference, is_coded_alike, is_grid, text, time_units};
use crate::cf::{Attributes, Conversion, Packing, TimeUnits, Unit};
use crate::dataset::open::OpenError;
use crate::dataset::prefetch::Prefetch;
use crate::dataset::store::{ElementType, ReadError, Store, StoredBlock, StoredVariable, Window};

/// Stores that follow each other along one dimension.
#[derive(Debug)]
pub(crate) struct Concatenated {
    format: String,
    parts: Vec<Arc<dyn Store>>,
    /// First index of each part along time, and the length of all.
    starts: Vec<usize>,
    variables: Vec<StoredVariable>,
    columns: Vec<Column>,
    attributes: Attributes,
}

/// Where a variable is in the parts.
#[derive(Debug)]
struct Column {
    /// Its index in each part; in the first alone when it has no time.
    indices: Vec<usize>,
    /// Position of time among its dimensions; `None` when it has none.
    along: Option<usize>,
    /// What is done to the numbers of each part; nothing when all are coded alike.
    recoding: Vec<Recoding>,
}

/// From the stored numbers of a part to those that are presented.
#[derive(Debug, Clone)]
enum Recoding {
    /// Decoded and converted to the units of the first part.
    Values(Packing, Conversion),
    /// Decoded, and counted from the reference of the first part.
    Times(Packing, TimeUnits, TimeUnits),
}

impl Concatenated {
    /// Joins parts of one grid, in the order of their times.
    pub(crate) fn new(mut parts: Vec<Part>) -> Result<Self, OpenError> {
        let (name, dimension) = time_of(&parts[0])?;
        check_times(&mut parts, &name)?;
        let mut starts = vec![0];
        for part in &parts {
            let index = index_of(part, &name).ok_or_else(|| lacks(part, &parts[0], &name))?;
            starts.push(starts.last().copied().unwrap_or(0) + part.store.variables()[index].len());
        }
        let total = starts.last().copied().unwrap_or(0);
        let first = &parts[0];
        let bounds = index_of(first, &name).and_then(|at| text(&first.store.variables()[at], "bounds"));
        let mut variables = Vec::new();
        let mut columns = Vec::new();
        for (at, variable) in first.store.variables().iter().enumerate() {
            let along = variable.dimensions.iter().position(|own| own.0 == dimension);
            let mut indices = vec![at];
            let mut complete = true;
            for part in &parts[1..] {
                match index_of(part, &variable.name) {
                    Some(index) => {
                        check_shape(first, variable, part, index, along)?;
                        if along.is_none() && is_grid(variable) {
                            check_values(first, at, part, index)?;
                        }
                        indices.push(index);
                    }
                    None => complete = false,
                }
            }
            if !complete && along.is_some() {
                // Data variables are the same in all parts; this one serves some other.
                continue;
            }
            let is_time = variable.name == name || Some(variable.name.as_str()) == bounds;
            let clock = is_time.then_some(name.as_str());
            let recoding = match along {
                Some(_) => recoding(&parts, &indices, clock)?,
                None => Vec::new(),
            };
            variables.push(presented(variable, along, total, &starts, !recoding.is_empty()));
            columns.push(Column { indices, along, recoding });
        }
        let format = format!("{} in {} files along `{dimension}`", first.store.format(), parts.len());
        let attributes = first.store.attributes().clone();
        let parts = parts.into_iter().map(|part| part.store).collect();
        Ok(Self { format, parts, starts, variables, columns, attributes })
    }

    /// What of a window lies in a part: its first index along time, and the window in the part.
    fn inside(&self, part: usize, along: usize, window: &Window) -> Option<(usize, Window)> {
        let (from, to) = (window.start[along], window.start[along] + window.shape[along]);
        let (first, last) = (from.max(self.starts[part]), to.min(self.starts[part + 1]));
        let mut inside = window.clone();
        (inside.start[along], inside.shape[along]) =
            (first.saturating_sub(self.starts[part]), last.saturating_sub(first));
        (first < last).then_some((first, inside))
    }

    /// Reads the part of a window that lies in one part.
    fn read_part(&self, column: &Column, part: usize, window: &Window) -> Result<StoredBlock, ReadError> {
        let index = column.indices[part];
        let mut block = self.parts[part].read(index, window)?;
        if let Some(recoding) = column.recoding.get(part) {
            let path = self.parts[part].variables()[index].name.clone();
            recoding.apply(&mut block.values).map_err(|detail| ReadError::Damaged {
                path: format!("part {} of the files", part + 1),
                variable: path,
                detail,
            })?;
        }
        Ok(block)
    }
}

impl Store for Concatenated {
    fn format(&self) -> &str {
        &self.format
    }

    fn variables(&self) -> &[StoredVariable] {
        &self.variables
    }

    fn attributes(&self) -> &Attributes {
        &self.attributes
    }

    fn read(&self, index: usize, window: &Window) -> Result<StoredBlock, ReadError> {
        let column = &self.columns[index];
        let Some(along) = column.along else { return self.read_part(column, 0, window) };
        let from = window.start[along];
        let mut out: Option<StoredBlock> = None;
        for part in 0..self.parts.len() {
            let Some((first, inside)) = self.inside(part, along, window) else { continue };
            let last = first + inside.shape[along];
            let block = self.read_part(column, part, &inside)?;
            if inside.shape == window.shape {
                return Ok(block);
            }
            let whole = out.get_or_insert_with(|| StoredBlock {
                values: ArrayD::from_elem(IxDyn(&window.shape), f64::NAN),
                chunks: Vec::new(),
            });
            let place = Slice::from(first - from..last - from);
            whole.values.slice_axis_mut(NdAxis(along), place).assign(&block.values);
            whole.chunks.extend(block.chunks);
        }
        let empty = || StoredBlock { values: ArrayD::zeros(IxDyn(&window.shape)), chunks: Vec::new() };
        Ok(out.unwrap_or_else(empty))
    }

    fn prefetch(&self, index: usize, windows: &[Window]) -> Prefetch {
        let column = &self.columns[index];
        let Some(along) = column.along else { return self.parts[0].prefetch(column.indices[0], windows) };
        let parts = (0..self.parts.len()).map(|part| {
            let inside = windows.iter().filter_map(|window| self.inside(part, along, window));
            let inside: Vec<Window> = inside.map(|inside| inside.1).collect();
            if inside.is_empty() {
                return Prefetch::default();
            }
            self.parts[part].prefetch(column.indices[part], &inside)
        });
        Prefetch::all(parts.collect())
    }

    fn fingerprint(&self) -> Result<Value, ReadError> {
        let parts = self.parts.iter().map(|part| part.fingerprint()).collect::<Result<Vec<_>, _>>()?;
        Ok(json!({ "parts": parts }))
    }
}

impl Recoding {
    fn apply(&self, values: &mut ArrayD<f64>) -> Result<(), String> {
        match self {
            Self::Values(packing, conversion) => {
                values.mapv_inplace(|stored| conversion.apply(packing.decode(stored)));
            }
            Self::Times(packing, own, common) => {
                for value in values.iter_mut() {
                    let time = own.decode(packing.decode(*value)).map_err(|error| error.to_string())?;
                    *value = common.encode(&time).map_err(|error| error.to_string())?;
                }
            }
        }
        Ok(())
    }
}

fn index_of(part: &Part, name: &str) -> Option<usize> {
    part.store.variables().iter().position(|variable| variable.name == name)
}

fn refused(part: &Part, first: &Part, detail: String) -> OpenError {
    OpenError::NotJoinable { path: part.address.clone(), other: first.address.clone(), detail }
}

fn lacks(part: &Part, first: &Part, name: &str) -> OpenError {
    refused(part, first, format!("it has no variable `{name}`"))
}

/// Name and dimension of the time coordinate: the one that most data variables lie along.
fn time_of(part: &Part) -> Result<(String, String), OpenError> {
    let mut best: Option<(usize, String, String)> = None;
    for time in &part.grid.times {
        let Some(index) = index_of(part, &time.name) else { continue };
        let [(dimension, _)] = part.store.variables()[index].dimensions.as_slice() else { continue };
        let along =
            |variable: &&crate::dataset::Variable| variable.dimensions.iter().any(|d| d.name == *dimension);
        let users = part.grid.variables.iter().filter(along).count();
        if best.as_ref().is_none_or(|best| best.0 < users) {
            best = Some((users, time.name.clone(), dimension.clone()));
        }
    }
    let detail = || "it has no time dimension with readable times to join along".to_owned();
    best.map(|best| (best.1, best.2)).ok_or_else(|| refused(part, part, detail()))
}

/// Puts parts in the order of their times, which must rise and not overlap.
fn check_times(parts: &mut [Part], name: &str) -> Result<(), OpenError> {
    let times = |part: &Part| part.grid.times.iter().find(|time| time.name == name).cloned();
    for part in parts.iter() {
        let Some(time) = times(part) else { return Err(lacks(part, &parts[0], name)) };
        let calendar = times(&parts[0]).map(|first| first.calendar);
        if calendar.is_some_and(|calendar| calendar != time.calendar) {
            let detail = format!("its calendar is {}", time.calendar.name());
            return Err(refused(part, &parts[0], detail));
        }
        if let Some(at) = time.nanoseconds.windows(2).position(|pair| pair[1] <= pair[0]) {
            let date = time.dates[at + 1].to_iso(time.calendar);
            let detail = format!("its times do not rise: {date} comes at or before the time before it");
            return Err(refused(part, &parts[0], detail));
        }
    }
    parts.sort_by_key(|part| times(part).and_then(|time| time.nanoseconds.first().copied()));
    for pair in parts.windows(2) {
        let (Some(one), Some(next)) = (times(&pair[0]), times(&pair[1])) else { continue };
        if let (Some(last), Some(first)) = (one.nanoseconds.last(), next.nanoseconds.first())
            && first <= last
        {
            let iso =
                |date: Option<&crate::cf::DateTime>| date.map(|d| d.to_iso(one.calendar)).unwrap_or_default();
            let (from, to) = (iso(next.dates.first()), iso(one.dates.last()));
            let detail = format!("it starts at {from}, when the other has not ended ({to})");
            return Err(refused(&pair[1], &pair[0], detail));
        }
    }
    Ok(())
}

fn check_shape(
    first: &Part,
    variable: &StoredVariable,
    part: &Part,
    index: usize,
    along: Option<usize>,
) -> Result<(), OpenError> {
    let other = &part.store.variables()[index];
    let same = variable.dimensions.len() == other.dimensions.len()
        && variable.element.is_numeric() == other.element.is_numeric()
        && (variable.dimensions.iter().zip(&other.dimensions).enumerate())
            .all(|(at, (a, b))| a.0 == b.0 && (a.1 == b.1 || Some(at) == along));
    if same {
        return Ok(());
    }
    let words = |variable: &StoredVariable| {
        let dims: Vec<String> = variable.dimensions.iter().map(|d| format!("{} {}", d.0, d.1)).collect();
        format!("({})", dims.join(", "))
    };
    let detail =
        format!("`{}` has the dimensions {} and not {}", variable.name, words(other), words(variable));
    Err(refused(part, first, detail))
}

fn check_values(first: &Part, at: usize, part: &Part, index: usize) -> Result<(), OpenError> {
    match difference(first.store.as_ref(), at, part.store.as_ref(), index)? {
        Some(detail) => Err(refused(part, first, detail)),
        None => Ok(()),
    }
}

/// What makes the numbers of all parts alike; empty when they are. `clock` is the time coordinate for times.
fn recoding(parts: &[Part], indices: &[usize], clock: Option<&str>) -> Result<Vec<Recoding>, OpenError> {
    let variables: Vec<&StoredVariable> =
        parts.iter().zip(indices).map(|(part, &index)| &part.store.variables()[index]).collect();
    // Bounds have the units of their coordinate.
    let units: Vec<&StoredVariable> = match clock {
        Some(name) => parts
            .iter()
            .filter_map(|part| index_of(part, name).map(|index| &part.store.variables()[index]))
            .collect(),
        None => variables.clone(),
    };
    let alike = |list: &[&StoredVariable]| list.iter().all(|variable| is_coded_alike(list[0], variable));
    if !variables[0].element.is_numeric() || (alike(&variables) && alike(&units)) {
        return Ok(Vec::new());
    }
    let mut out = Vec::new();
    for ((part, variable), unit) in parts.iter().zip(&variables).zip(&units) {
        let packing = Packing::from_attributes(&variable.attributes, variable.fill_value);
        if clock.is_some() {
            let (Some(own), Some(common)) = (time_units(unit), time_units(units[0])) else {
                return Err(refused(part, &parts[0], "its time units cannot be read".to_owned()));
            };
            out.push(Recoding::Times(packing, own, common));
            continue;
        }
        let (own, common) = (text(unit, "units"), text(units[0], "units"));
        let conversion = if own == common {
            Conversion::IDENTITY
        } else {
            convert(own.unwrap_or(""), common.unwrap_or("")).ok_or_else(|| {
                let words = |units: Option<&str>| units.unwrap_or("none").to_owned();
                let (own, common) = (words(own), words(common));
                let detail = format!("`{}` has the units `{own}` and not `{common}`", variable.name);
                refused(part, &parts[0], detail)
            })?
        };
        out.push(Recoding::Values(packing, conversion));
    }
    Ok(out)
}

fn convert(from: &str, to: &str) -> Option<Conversion> {
    from.parse::<Unit>().ok()?.to(&to.parse().ok()?).ok()
}

/// The variable of the first part as all parts together have it.
fn presented(
    variable: &StoredVariable,
    along: Option<usize>,
    total: usize,
    starts: &[usize],
    is_recoded: bool,
) -> StoredVariable {
    let mut out = variable.clone();
    let Some(along) = along else { return out };
    out.dimensions[along].1 = total;
    // Chunks that reach over the ends of parts are not read in one piece.
    let chunk = out.chunk_shape[along].max(1);
    let inner = &starts[1..starts.len() - 1];
    if inner.iter().any(|start| start % chunk != 0) {
        let shortest = starts.windows(2).map(|pair| pair[1] - pair[0]).min().unwrap_or(1);
        out.chunk_shape[along] = chunk.min(shortest).max(1);
    }
    if is_recoded {
        for key in CODING {
            out.attributes.remove(key);
        }
        out.element = ElementType::Number("float64");
        out.fill_value = None;
        out.is_packed_in_single = false;
    }
    out
}
