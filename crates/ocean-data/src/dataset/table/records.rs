//! The rows of separated values.
//!
//! # Source
//! RFC 4180, with semicolons and tabs beside commas, blanks around cells, and lines of remarks.

/// A row: the line it begins in, counted from 1, and its cells.
pub(super) type Record = (usize, Vec<String>);

/// Splits text into rows. Blank lines and lines that begin with `#` are left out; a cell in quotes may hold marks, line
/// ends, and quotes written twice.
pub(super) fn records(text: &[u8], mark: char) -> Result<Vec<Record>, String> {
    let text = std::str::from_utf8(text).map_err(|error| {
        let line = text[..error.valid_up_to()].split(|&byte| byte == b'\n').count();
        format!("line {line} is not UTF-8 text; save it as UTF-8")
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut out: Vec<Record> = Vec::new();
    let (mut line, mut rest) = (1, text);
    while !rest.is_empty() {
        let ends = |c: char| c == '\n' || c == '\r';
        let start = rest.trim_start_matches([' ', '\t']);
        if start.is_empty() || start.starts_with(ends) || rest.starts_with('#') {
            let end = rest.find('\n').map_or(rest.len(), |at| at + 1);
            (line, rest) = (line + 1, &rest[end..]);
            continue;
        }
        let first = line;
        let mut cells = Vec::new();
        loop {
            let blank = |c: char| c == ' ' || (c == '\t' && mark != '\t');
            let trimmed = rest.trim_start_matches(blank);
            if let Some(quoted) = trimmed.strip_prefix('"') {
                let (cell, after) = unquoted(quoted)
                    .ok_or_else(|| format!("the quote that opens in line {line} is not closed"))?;
                line += cell.matches('\n').count();
                cells.push(cell);
                rest = after.trim_start_matches(blank);
                if !rest.is_empty() && !rest.starts_with(mark) && !rest.starts_with(ends) {
                    return Err(format!("line {line} has text after a closing quote"));
                }
            } else {
                let end = rest.find(|c: char| c == mark || ends(c)).unwrap_or(rest.len());
                cells.push(rest[..end].trim().to_owned());
                rest = &rest[end..];
            }
            match rest.strip_prefix(mark) {
                Some(after) => rest = after,
                None => break,
            }
        }
        let end = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix(ends));
        (line, rest) = (line + 1, end.unwrap_or(rest));
        out.push((first, cells));
    }
    Ok(out)
}

/// A cell up to its closing quote, and what follows it.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let (mut cell, mut rest) = (String::new(), text);
    loop {
        let (before, after) = rest.split_once('"')?;
        cell.push_str(before);
        match after.strip_prefix('"') {
            Some(more) => {
                cell.push('"');
                rest = more;
            }
            None => return Some((cell, after)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Vec<Record> {
        records(text.as_bytes(), ',').unwrap()
    }

    fn row(line: usize, cells: &[&str]) -> Record {
        (line, cells.iter().map(|&cell| cell.to_owned()).collect())
    }

    #[test]
    fn rows_have_the_lines_they_begin_in() {
        let text = "\u{feff}# a remark\na, b ,c\r\n\n1,,3\n\"x\ny\",\" , \"\"q\"\"\",z\nlast,2,3";
        let wanted = [
            row(2, &["a", "b", "c"]),
            row(4, &["1", "", "3"]),
            row(5, &["x\ny", " , \"q\"", "z"]),
            row(7, &["last", "2", "3"]),
        ];
        assert_eq!(read(text), wanted);
        assert_eq!(records(b"a\t\tb\n", '\t').unwrap(), [row(1, &["a", "", "b"])]);
        assert!(read("\n  \n#x").is_empty());
    }

    #[test]
    fn mistakes_have_their_line() {
        for (text, words) in [
            (&b"a\n\"b"[..], "line 2 is not closed"),
            (b"a\n\"b\"c\n", "line 2 has text after"),
            (b"a\nb\n\xff", "line 3 is not UTF-8"),
        ] {
            let error = records(text, ',').unwrap_err();
            assert!(error.contains(words), "{error}");
        }
    }

    proptest! {
        #[test]
        fn quoted_cells_come_back(rows in proptest::collection::vec(proptest::collection::vec("\\PC{0,8}", 1..4), 1..5)) {
            let quote = |cell: &String| format!("\"{}\"", cell.replace('"', "\"\""));
            let text: String =
                rows.iter().map(|row| row.iter().map(quote).collect::<Vec<_>>().join(",") + "\n").collect();
            let found: Vec<Vec<String>> = read(&text).into_iter().map(|record| record.1).collect();
            prop_assert_eq!(found, rows);
        }

        #[test]
        fn any_bytes_end_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = records(&bytes, ',');
            let _ = records(&bytes, '\t');
        }
    }
}
