//! Thickness of layers, by level or by cell.

use ndarray::Array3;

use super::field::Field;
use super::plan::axis_indices;
use crate::cf::{Packing, base_name};
use crate::dataset::{StoredVariable, Window, metres};

/// Thickness of the layers of a field in metres, inside its selected range.
#[derive(Debug, Clone, PartialEq)]
pub struct Thickness {
    /// One value a level.
    pub levels: Vec<f64>,
    /// One value a cell, `(depth, y, x)`, where the file tells that cells at the floor are partial.
    pub cells: Option<Array3<f64>>,
}

impl Thickness {
    /// Of one cell; never more than that of its level.
    pub fn at(&self, level: usize, row: usize, column: usize) -> f64 {
        let whole = self.levels.get(level).copied().unwrap_or(0.0);
        match &self.cells {
            Some(cells) => cells.get([level, row, column]).copied().unwrap_or(whole),
            None => whole,
        }
    }
}

impl Field {
    /// Thickness of each cell inside the selected range, in metres; 1 where there is one level.
    ///
    /// Cells at the floor are partial where the file says so: in a thickness over `(depth, y, x)` (`thkcello`, `e3t_0`,
    /// `e3t`, `dzt`, `dht`), in the wet share of cells (`hFacC`), or by the depth of the floor under terrain-following
    /// levels. A thickness that changes with time is not used.
    pub fn cell_thickness(&self) -> Thickness {
        let levels = self.layer_thickness();
        let several = self.depths().is_some_and(|axis| !axis.squeezed && axis.values.len() > 1);
        let cells = match &self.terrain {
            Some(terrain) if several => terrain.wet_thickness(),
            None if several => self.partial_cells(),
            _ => None,
        };
        Thickness { levels, cells }
    }

    /// What the file says of partial cells.
    fn partial_cells(&self) -> Option<Array3<f64>> {
        let store = self.dataset.store();
        let stored = store.variables();
        let own = &stored[self.variable.index];
        let spatial = [self.places[1]?, self.places[2]?, self.places[3]?];
        let names = spatial.map(|at| own.dimensions[at].0.as_str());
        let lies = |variable: &StoredVariable| {
            let long = variable.dimensions.iter().filter(|d| d.1 != 1 || names.contains(&d.0.as_str()));
            variable.element.is_numeric() && long.map(|d| d.0.as_str()).eq(names)
        };
        let found = THICKNESSES.iter().find_map(|name| {
            let at = stored.iter().position(|v| base_name(&v.name).eq_ignore_ascii_case(name) && lies(v))?;
            Some((at, *name == "hfacc"))
        });
        let (at, is_share) = found?;
        let variable = &stored[at];
        let indices = axis_indices(self);
        let mut window = Window::all(variable);
        let mut places = [0; 3];
        for (i, name) in names.iter().enumerate() {
            let place = variable.dimensions.iter().position(|d| d.0 == *name)?;
            let first = indices[i + 1].iter().copied().min()?;
            let last = indices[i + 1].iter().copied().max()?;
            (window.start[place], window.shape[place]) = (first, last - first + 1);
            places[i] = place;
        }
        let block = store.read(at, &window).ok()?;
        let packing = Packing::from_attributes(&variable.attributes, variable.fill_value);
        let scale = if is_share { 1.0 } else { metres(variable) };
        let axis = self.depth.as_ref()?;
        let [from, to] = self.depth_range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        let mut index = vec![0; variable.dimensions.len()];
        let shape = (indices[1].len(), indices[2].len(), indices[3].len());
        Some(Array3::from_shape_fn(shape, |(z, y, x)| {
            for (i, position) in [z, y, x].into_iter().enumerate() {
                index[places[i]] = indices[i + 1][position] - window.start[places[i]];
            }
            let value = packing.decode(block.values[index.as_slice()]) * scale;
            let [top, bottom] = axis.bounds[z];
            let thick = if is_share { value * (bottom - top) } else { value };
            // A partial cell hangs from the top of its level.
            let cut = (top + thick).min(bottom).min(to) - top.max(from);
            if thick.is_finite() { cut.max(0.0) } else { 0.0 }
        }))
    }
}

/// Names of thicknesses, in lower case.
const THICKNESSES: [&str; 6] = ["thkcello", "e3t_0", "e3t", "dzt", "dht", "hfacc"];
