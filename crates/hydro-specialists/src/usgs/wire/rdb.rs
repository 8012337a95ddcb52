//! [`Rdb`]: tables of the older services: comments, a row of names, a row of formats, rows separated by tabs.

/// A table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Rdb {
    pub(crate) columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Rdb {
    /// Reads a text. Short rows lack their last cells; what is longer than the names is cut.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut lines = text
            .lines()
            .map(|line| line.trim_end_matches('\r'))
            .filter(|line| !line.trim_start().starts_with('#'));
        let mut next = || lines.by_ref().find(|line| !line.trim().is_empty());
        let Some(names) = next() else { return Ok(Self::default()) };
        if names.trim_start().starts_with('<') {
            return Err("it is a page of HTML where a table is due".to_owned());
        }
        if !names.contains('\t') {
            return Err("it is no table: the row of names has no tab".to_owned());
        }
        let columns: Vec<String> = names.split('\t').map(|name| name.trim().to_owned()).collect();
        let is_format = |cell: &str| {
            let cell = cell.trim();
            cell.ends_with(['s', 'd', 'n'])
                && cell.trim_end_matches(['s', 'd', 'n']).bytes().all(|b| b.is_ascii_digit())
        };
        let Some(formats) = next() else { return Err("the table ends after its names".to_owned()) };
        if !formats.split('\t').all(is_format) {
            return Err("the row of formats is missing".to_owned());
        }
        let mut rows = Vec::new();
        while let Some(line) = next() {
            rows.push(line.split('\t').take(columns.len()).map(|cell| cell.trim().to_owned()).collect());
        }
        Ok(Self { columns, rows })
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// A cell by row and name; an empty one is none.
    pub(crate) fn text(&self, row: usize, column: &str) -> Option<&str> {
        let at = self.columns.iter().position(|own| own == column)?;
        self.rows.get(row)?.get(at).map(String::as_str).filter(|cell| !cell.is_empty())
    }

    /// A cell as a number.
    pub(crate) fn number(&self, row: usize, column: &str) -> Option<f64> {
        self.text(row, column)?.parse().ok().filter(|value: &f64| value.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_with_their_holes() {
        let text =
            "# words\n#\nsite_no\tname\tvalue\n15s\t50s\t8n\n01\tA RIVER\t 1.5\n02\t\t\n03\tB\t2\t9\n04\n";
        let table = Rdb::read(text).unwrap();
        assert_eq!((table.len(), table.columns.len()), (4, 3));
        assert_eq!((table.text(0, "name"), table.number(0, "value")), (Some("A RIVER"), Some(1.5)));
        assert_eq!(
            (table.text(1, "name"), table.number(1, "value"), table.text(3, "name")),
            (None, None, None)
        );
        assert_eq!(table.text(0, "absent"), None);
        assert_eq!(Rdb::read("#  No sites found\n").unwrap(), Rdb::default());
        for bad in ["<html><body>gone</body></html>", "one line", "a\tb\n1\t2\n", "a\tb"] {
            assert!(Rdb::read(bad).is_err(), "{bad}");
        }
    }
}
