//! From the input of a case to a selection.

use ocean_data::cf::Axis;
use ocean_data::{Dataset, Selection};
use serde_json::{Value, json};

use super::bench::Bench;
use super::case::Given;

/// The selection that an input describes: `variable`, `lat`, `lon`, `time_index`, `depth_index`, `time`, `depth`.
///
/// # Errors
/// A message: an index beyond the axis, or a file that does not open.
pub(super) fn selection_of(input: &Given, bench: &Bench) -> Result<Value, String> {
    let mut selection = json!({ "variable": input.text("variable")? });
    if let Some(region) = input.region()? {
        selection["region"] = region;
    }
    if input.get("time_index").is_some() {
        let time = bench.time_at(input, input.index("time_index")?)?;
        selection["time"] = json!([time, time]);
    }
    if input.get("depth_index").is_some() {
        selection["depth"] = json!({ "at": bench.depth_at(input, input.index("depth_index")?)? });
    }
    Ok(selection)
}

impl Bench {
    /// The whole field of an input's variable.
    fn whole(&self, input: &Given) -> Result<ocean_data::Field, String> {
        let path = self.path(input.text("file")?);
        let dataset = Dataset::open(&path.to_string_lossy()).map_err(|error| error.to_string())?;
        dataset.select(&Selection::of(input.text("variable")?)).map_err(|error| error.to_string())
    }

    /// The instant of a position on the time axis.
    pub(super) fn time_at(&self, input: &Given, index: usize) -> Result<String, String> {
        let field = self.whole(input)?;
        let times = field.times().ok_or("the variable has no times")?.iso();
        times
            .get(index)
            .cloned()
            .ok_or_else(|| format!("time {index} is beyond the {} of the file", times.len()))
    }

    /// Whether the file's latitudes run from north to south.
    pub(super) fn is_northern_first(&self, input: &Given) -> Result<bool, String> {
        let field = self.whole(input)?;
        let name = field.variable().dimension(Axis::Latitude).map(|(_, dimension)| dimension.name.clone());
        let own = field.dataset().coordinates().iter().find(|one| Some(&one.name) == name.as_ref());
        Ok(own.is_some_and(|one| one.values.first() > one.values.last()))
    }

    /// The first and the last instant.
    pub(super) fn window_of(&self, input: &Given) -> Result<[String; 2], String> {
        let times = self.whole(input)?.times().ok_or("the variable has no times")?.iso();
        times
            .first()
            .cloned()
            .zip(times.last().cloned())
            .map(Into::into)
            .ok_or_else(|| "there is no time".to_owned())
    }

    /// The depth of a position on the depth axis.
    pub(super) fn depth_at(&self, input: &Given, index: usize) -> Result<f64, String> {
        let field = self.whole(input)?;
        let depths = &field.depths().ok_or("the variable has no depths")?.values;
        depths
            .get(index)
            .copied()
            .ok_or_else(|| format!("level {index} is beyond the {} of the file", depths.len()))
    }

    /// Whether the layers of a variable have these edges.
    pub(super) fn has_layer_edges(&self, input: &Given, edges: &[f64]) -> Result<(), String> {
        let field = self.whole(input)?;
        let bounds = &field.depths().ok_or("the variable has no depths")?.bounds;
        let own: Vec<f64> =
            bounds.iter().map(|pair| pair[0]).chain(bounds.last().map(|pair| pair[1])).collect();
        let same = own.len() == edges.len() && own.iter().zip(edges).all(|(a, b)| (a - b).abs() < 1e-3);
        if same { Ok(()) } else { Err(format!("layer edges {edges:?} are not those of the data: {own:?}")) }
    }
}
