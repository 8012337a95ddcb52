//! [`read`]: text of a person or a model → [`Plan`].

use super::{Code, Diagnostic, Plan, Repair, RepairKind, parse, repair};

/// Finds the plan in a text, mends its form and reads it.
///
/// Closers that are missing at the end are added where the text ends after a whole value. When what comes of it is no
/// whole plan, the text was cut, and that is the first thing said.
///
/// ```
/// use leg_core::plan::read;
///
/// let text = r#"Here is the plan: {"version": 1, "question": "?", "tracks": [
///     {"id": "t", "steps": [{"id": "sst", "tool": "load", "args": {}},]}]} I hope it helps!"#;
/// let (plan, repairs) = read(text).unwrap();
/// assert_eq!(plan.tracks.len(), 1);
/// assert_eq!(repairs.len(), 2, "words around it, and a trailing comma");
/// ```
///
/// # Errors
/// All that is wrong with the text or the shape. Whether the tools and references exist is asked by
/// [`validate`](super::validate()).
pub fn read(text: &str) -> Result<(Plan, Vec<Repair>), Vec<Diagnostic>> {
    let (value, repairs) = repair(text).map_err(|diagnostic| vec![diagnostic])?;
    match parse(&value) {
        Ok(plan) => Ok((plan, repairs)),
        Err(mut faults) => {
            if let Some(cut) = repairs.iter().find(|repair| repair.kind == RepairKind::MissingCloser) {
                faults.insert(0, cut.truncation());
            }
            Err(faults)
        }
    }
}

impl Repair {
    /// What to say of a text whose missing closers were added and that is no whole plan, or that nobody looks at.
    pub fn truncation(&self) -> Diagnostic {
        let (count, line, column) = (self.count, self.line, self.column);
        let message = format!(
            "the text ends before the plan does: {count} closing brackets are missing (line {line}, column {column})"
        );
        Diagnostic::new("", Code::Truncated, message)
            .hint("send the whole plan; a shorter one if it does not fit")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_lost_only_its_closers_is_read_and_one_that_lost_more_is_cut() {
        let whole = r#"{"version": 1, "question": "?", "tracks": [{"id": "t", "steps": [{"id": "a", "tool": "b"}]}]}"#;
        let closers = whole.trim_end_matches(['}', ']']);
        let (plan, repairs) = read(&format!("{closers}}}")).unwrap();
        assert_eq!(plan, read(whole).unwrap().0);
        assert_eq!(repairs.iter().map(|repair| repair.kind).collect::<Vec<_>>(), [RepairKind::MissingCloser]);
        assert_eq!(repairs[0].count, 4);
        let mut cut = 0;
        for end in (1..whole.len()).filter(|end| whole.is_char_boundary(*end)) {
            match read(&whole[..end]) {
                // Each text that is read lost nothing but closers.
                Ok((same, _)) => assert_eq!(same, plan, "{}", &whole[..end]),
                Err(faults) => {
                    assert_eq!(faults[0].code, Code::Truncated, "{}: {faults:?}", &whole[..end]);
                    cut += 1;
                }
            }
        }
        assert!(cut > 80, "{cut}");
    }
}
