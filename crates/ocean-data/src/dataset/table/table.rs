//! A table of named columns.

use super::clock::clock;
use super::column::{Column, ColumnValues};
use super::records::records;

/// Rows with named columns, and a time each when there is one.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The columns that are no times, in the order of the file.
    pub columns: Vec<Column>,
    /// Nanoseconds since 1970-01-01 of each row, when the table has times.
    pub times: Option<Vec<Option<i128>>>,
    /// Rows.
    pub rows: usize,
}

/// A text that is no table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct TableError {
    /// What is wrong, and where.
    pub detail: String,
}

impl Table {
    /// Reads comma, semicolon or tab separated values under a line of headings. Lines that begin with `#` are left
    /// out.
    ///
    /// # Errors
    /// [`TableError`]: no headings, a heading twice, a row of another length, a cell that is no time.
    pub fn parse(text: &[u8]) -> Result<Self, TableError> {
        let wrong = |detail: String| TableError { detail };
        let mut records = records(text, separator(text)).map_err(wrong)?.into_iter();
        let headings = records.next().ok_or_else(|| wrong("it has no line of headings".to_owned()))?.1;
        let mut cells: Vec<Vec<String>> = vec![Vec::new(); headings.len()];
        for (line, record) in records {
            if record.len() != headings.len() {
                let (found, wanted) = (record.len(), headings.len());
                return Err(wrong(format!("line {line} has {found} cells and the headings are {wanted}")));
            }
            for (column, cell) in cells.iter_mut().zip(record) {
                column.push(cell);
            }
        }
        let rows = cells.first().map_or(0, Vec::len);
        if rows == 0 {
            return Err(wrong("it has no rows below its headings".to_owned()));
        }
        let mut columns: Vec<Column> = Vec::new();
        for (heading, cells) in headings.iter().zip(cells) {
            let mut column = Column::new(heading, cells);
            if column.name.is_empty() {
                // Row names of R and pandas have no heading.
                column.name = format!("column_{}", columns.len() + 1);
            }
            if column.name.contains('/') {
                column.name = column.name.replace('/', "_");
            }
            if columns.iter().any(|known| known.name == column.name) {
                return Err(wrong(format!("it has the heading `{}` twice", column.name)));
            }
            columns.push(column);
        }
        // Headings that are numbers belong to a file without headings.
        if headings.len() > 1 && headings.iter().all(|heading| heading.parse::<f64>().is_ok()) {
            return Err(wrong("its first line is no line of headings; add one".to_owned()));
        }
        let clock = clock(&columns).map_err(wrong)?;
        let times = clock.map(|clock| {
            let mut at = 0;
            columns.retain(|_| {
                at += 1;
                !clock.columns.contains(&(at - 1))
            });
            clock.nanoseconds
        });
        if let Some(named) = columns.iter_mut().find(|column| times.is_some() && column.name == "time") {
            "time_column".clone_into(&mut named.name);
        }
        Ok(Self { columns, times, rows })
    }

    /// The column of a name, in any letter case.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name.eq_ignore_ascii_case(name))
    }

    /// Whether times rise from row to row and none is missing.
    pub fn is_series(&self) -> bool {
        let Some(times) = &self.times else { return false };
        times.iter().all(Option::is_some) && times.windows(2).all(|pair| pair[0] < pair[1])
    }

    /// The texts of a column, as the file has them when it holds text and in as few digits as needed otherwise.
    pub fn texts(&self, name: &str) -> Option<Vec<String>> {
        Some(match &self.column(name)?.values {
            ColumnValues::Texts(texts) => texts.clone(),
            ColumnValues::Numbers(numbers) => numbers.iter().map(f64::to_string).collect(),
        })
    }
}

/// The mark that stands most often in the first line.
fn separator(text: &[u8]) -> char {
    let lines = text.split(|&byte| byte == b'\n');
    let first = lines.map(<[u8]>::trim_ascii_start).find(|line| !line.is_empty() && line[0] != b'#');
    let count =
        |mark: char| first.unwrap_or_default().iter().filter(|&&byte| char::from(byte) == mark).count();
    [';', '\t', ','].into_iter().max_by_key(|&mark| count(mark)).unwrap_or(',')
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_series_has_its_times_apart() {
        let text = "# a gauge\ntime;sea_level_m;flag\n2003-01-01T05:00:00Z;0.57;a\n2003-01-01T06:00:00Z;;b\n";
        let table = Table::parse(text.as_bytes()).unwrap();
        assert!(table.is_series());
        assert_eq!(table.rows, 2);
        let level = table.column("SEA_LEVEL_M").unwrap();
        assert_eq!(level.units.as_deref(), Some("m"));
        assert!(level.numbers().unwrap()[1].is_nan());
        assert_eq!(table.texts("flag").unwrap(), ["a", "b"]);
        assert_eq!(table.texts("sea_level_m").unwrap()[0], "0.57");
        assert!(table.column("time").is_none());
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (text, words) in [
            ("", "no line of headings"),
            ("# only\n", "no line of headings"),
            ("a,b\n", "no rows"),
            ("a,b\n1,2\n3\n", "line 3 has 1 cells"),
            ("a,a\n1,2\n", "`a` twice"),
            ("1,2\n3,4\n", "no line of headings"),
            ("time,a\nsoon,1\n", "row 1"),
        ] {
            let error = Table::parse(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(words), "{text:?}: {error}");
        }
        let error = Table::parse(b"a,b\n1,\xff\n").unwrap_err().to_string();
        assert!(error.contains("UTF-8"), "{error}");
    }

    proptest! {
        #[test]
        fn any_bytes_end_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Table::parse(&bytes);
        }

        #[test]
        fn numbers_come_back(rows in proptest::collection::vec((any::<f64>(), -1e9_f64..1e9), 1..20)) {
            let mut text = "a,b [m]\n".to_owned();
            for (a, b) in &rows {
                writeln!(text, "{a},{b}").unwrap();
            }
            let table = Table::parse(text.as_bytes()).unwrap();
            for (at, (a, b)) in rows.iter().enumerate() {
                let found = table.columns[0].numbers().unwrap()[at];
                prop_assert!(found.to_bits() == a.to_bits() || (found.is_nan() && a.is_nan()));
                prop_assert_eq!(table.columns[1].numbers().unwrap()[at].to_bits(), b.to_bits());
            }
        }
    }
}
