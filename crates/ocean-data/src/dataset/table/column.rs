//! One column of a table: its heading and what is below it.

/// A column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name: the heading without a unit in brackets.
    pub name: String,
    /// The unit that the heading says, in brackets (`sst [degC]`) or at its end (`sea_level_m`).
    pub units: Option<String>,
    /// Its values, a row each.
    pub values: ColumnValues,
}

/// The values of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum ColumnValues {
    /// Numbers; NaN is missing.
    Numbers(Vec<f64>),
    /// Texts, of a column in which some are no numbers.
    Texts(Vec<String>),
}

impl Column {
    /// The column of a heading and its cells.
    pub(super) fn new(heading: &str, cells: Vec<String>) -> Self {
        let (name, units) = heading_parts(heading);
        let numbers: Option<Vec<f64>> = cells.iter().map(|cell| number(cell)).collect();
        let values = match numbers {
            Some(numbers) => ColumnValues::Numbers(numbers),
            None => ColumnValues::Texts(cells),
        };
        Self { name, units, values }
    }

    /// Its numbers; `None` for texts.
    pub fn numbers(&self) -> Option<&[f64]> {
        match &self.values {
            ColumnValues::Numbers(numbers) => Some(numbers),
            ColumnValues::Texts(_) => None,
        }
    }
}

/// A number, or NaN for one of the usual words for a missing one; `None` for other text.
pub(super) fn number(cell: &str) -> Option<f64> {
    match cell.to_ascii_lowercase().as_str() {
        "" | "na" | "n/a" | "nan" | "null" | "none" | "missing" | "-" => Some(f64::NAN),
        text => text.parse().ok(),
    }
}

/// Ends of headings that say a unit, longest first.
const SUFFIXES: [(&str, &str); 24] = [
    ("_umol_kg", "umol kg-1"),
    ("_mmol_m3", "mmol m-3"),
    ("_kg_m3", "kg m-3"),
    ("_mg_m3", "mg m-3"),
    ("_umol_l", "umol l-1"),
    ("_percent", "%"),
    ("_mg_l", "mg l-1"),
    ("_ml_l", "ml l-1"),
    ("_w_m2", "W m-2"),
    ("_cm_s", "cm s-1"),
    ("_its90", "degC"),
    ("_degc", "degC"),
    ("_dbar", "dbar"),
    ("_m_s", "m s-1"),
    ("_psu", "psu"),
    ("_hpa", "hPa"),
    ("_deg", "degrees"),
    ("_pct", "%"),
    ("_km", "km"),
    ("_cm", "cm"),
    ("_mm", "mm"),
    ("_pa", "Pa"),
    ("_kn", "knot"),
    ("_m", "m"),
];

/// Name and unit of a heading.
fn heading_parts(heading: &str) -> (String, Option<String>) {
    let heading = heading.trim().trim_start_matches('\u{feff}');
    for (open, close) in [('[', ']'), ('(', ')')] {
        let inside = heading.strip_suffix(close).and_then(|text| text.rsplit_once(open));
        if let Some((name, unit)) = inside.filter(|parts| !parts.0.trim().is_empty()) {
            let unit = Some(unit.trim().to_owned()).filter(|unit| !unit.is_empty());
            return (name.trim().to_owned(), unit);
        }
    }
    let lower = heading.to_ascii_lowercase();
    let unit = SUFFIXES.iter().find(|(end, _)| lower.len() > end.len() && lower.ends_with(end));
    (heading.to_owned(), unit.map(|(_, unit)| (*unit).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_say_units_in_brackets_or_at_their_end() {
        for (heading, name, unit) in [
            ("sst [degC]", "sst", Some("degC")),
            (" Depth (m) ", "Depth", Some("m")),
            ("time [days since 1950-01-01]", "time", Some("days since 1950-01-01")),
            ("sea_level_m", "sea_level_m", Some("m")),
            ("oxygen_umol_kg", "oxygen_umol_kg", Some("umol kg-1")),
            ("temperature_its90", "temperature_its90", Some("degC")),
            ("u_m_s", "u_m_s", Some("m s-1")),
            ("sst", "sst", None),
            ("flag []", "flag", None),
            ("_m", "_m", None),
            ("[x]", "[x]", None),
        ] {
            assert_eq!(heading_parts(heading), (name.to_owned(), unit.map(str::to_owned)), "{heading}");
        }
    }

    #[test]
    fn a_column_with_any_other_text_is_text() {
        let column = |cells: &[&str]| Column::new("a", cells.iter().map(|&cell| cell.to_owned()).collect());
        let numbers = column(&["1.5", "", "NaN", "-2e3"]);
        let numbers = numbers.numbers().unwrap();
        assert_eq!((numbers[0], numbers[3]), (1.5, -2000.0));
        assert!(numbers[1].is_nan() && numbers[2].is_nan());
        assert!(column(&["1.5", "A3"]).numbers().is_none());
    }
}
