//! A column of a CSV file as a series, until a dataset can be opened from one.

use std::collections::BTreeMap;
use std::path::Path;

use leg_core::Artifact;
use ocean_data::cf::Calendar;

use crate::kernels::time_axis::TimeAxis;
use crate::series::Series;

/// Names of a column of times.
const TIMES: [&str; 3] = ["time", "date", "datetime"];

/// The series of a column. The files hold no quoted cells.
pub(super) fn series(path: &Path, column: &str) -> Result<Artifact, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("`{}`: {error}", path.display()))?;
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap_or_default().split(',').map(str::trim).collect();
    let place = |wanted: &dyn Fn(&str) -> bool| names.iter().position(|name| wanted(name));
    let time = place(&|name| TIMES.contains(&name)).ok_or("the file has no column of times")?;
    let own = place(&|name| name == column).ok_or_else(|| format!("the file has no column `{column}`"))?;
    let (mut times, mut values) = (Vec::new(), Vec::new());
    for line in lines.filter(|line| !line.trim().is_empty()) {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let cell = |at: usize| cells.get(at).copied().unwrap_or_default();
        times.push(cell(time).to_owned());
        let value = cell(own);
        let missing = value.is_empty() || value.eq_ignore_ascii_case("nan");
        values.push(if missing {
            f64::NAN
        } else {
            value.parse().map_err(|_| format!("`{column}` holds `{value}`"))?
        });
    }
    let axis = TimeAxis::parse(Calendar::Standard, &times).map_err(|error| error.to_string())?;
    let units = if column.ends_with("_m") { "m" } else { "degC" };
    let series = Series {
        name: column.to_owned(),
        standard_name: None,
        units: units.to_owned(),
        axis,
        values,
        attributes: BTreeMap::new(),
    };
    Ok(series.to_artifact())
}
