//! Tables of the cases: a column as a series.

use std::collections::BTreeMap;
use std::path::Path;

use leg_core::Artifact;
use ocean_data::cf::Calendar;
use ocean_data::dataset::Table;

use crate::kernels::time_axis::TimeAxis;
use crate::series::Series;

/// The table of a file.
pub(super) fn table(path: &Path) -> Result<Table, String> {
    let text = std::fs::read(path).map_err(|error| format!("`{}`: {error}", path.display()))?;
    Table::parse(&text).map_err(|error| format!("`{}`: {error}", path.display()))
}

/// The numbers of a column.
pub(super) fn numbers<'a>(table: &'a Table, column: &str) -> Result<&'a [f64], String> {
    let own = table.column(column).ok_or_else(|| format!("the file has no column `{column}`"))?;
    own.numbers().ok_or_else(|| format!("`{column}` holds no numbers"))
}

/// The series of a column.
pub(super) fn series(path: &Path, column: &str) -> Result<Artifact, String> {
    let table = table(path)?;
    let times = table.times.as_ref().ok_or("the file has no column of times")?;
    let times = times
        .iter()
        .map(|time| time.and_then(|time| Calendar::Standard.instant(time).ok()).ok_or("a row has no time"))
        .collect::<Result<Vec<_>, _>>()?;
    let axis = TimeAxis::new(Calendar::Standard, times).map_err(|error| error.to_string())?;
    let units = table.column(column).and_then(|own| own.units.clone());
    let series = Series {
        name: column.to_owned(),
        standard_name: None,
        // The other files are of temperatures.
        units: units.unwrap_or_else(|| "degC".to_owned()),
        axis,
        values: numbers(&table, column)?.to_vec(),
        attributes: BTreeMap::new(),
    };
    Ok(series.to_artifact())
}
