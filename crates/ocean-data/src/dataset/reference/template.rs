//! Texts with expressions in double braces.

use std::collections::BTreeMap;

use super::expression::{Value, evaluate};

/// Named templates of a reference file.
pub(super) type Templates = BTreeMap<String, String>;

/// Templates inside templates deeper than this are refused: they may go round in a circle.
const MAX_DEPTH: usize = 8;
/// Longer results are refused: templates can grow without bound.
const MAX_LENGTH: usize = 16 * 1024;

/// Fills in a template.
pub(super) fn render(
    text: &str,
    variables: &BTreeMap<String, Value>,
    templates: &Templates,
) -> Result<String, String> {
    render_at(text, variables, templates, 0)
}

/// Fills in a template that stands `depth` templates deep.
pub(super) fn render_at(
    text: &str,
    variables: &BTreeMap<String, Value>,
    templates: &Templates,
    depth: usize,
) -> Result<String, String> {
    if depth > MAX_DEPTH {
        return Err("templates are nested too deeply; they may go round in a circle".to_owned());
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        let (inside, end) =
            after.split_once("}}").ok_or_else(|| format!("`{text}` has `{{{{` without `}}}}`"))?;
        out.push_str(&evaluate(inside, variables, templates, depth)?.into_text());
        rest = end;
        if out.len() > MAX_LENGTH {
            return Err("a template gives a text that is too long".to_owned());
        }
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn given(text: &str) -> Result<String, String> {
        let templates: Templates = [
            ("u", "server.domain/path"),
            ("f", "{{c}}"),
            ("year", "{{u}}/{{'%04d' % y}}.nc"),
            ("circle", "{{circle}}"),
        ]
        .into_iter()
        .map(|(name, text)| (name.to_owned(), text.to_owned()))
        .collect();
        render(text, &BTreeMap::from([("i".to_owned(), Value::Int(3))]), &templates)
    }

    #[test]
    fn expressions_are_worked_out() {
        for (text, wanted) in [
            ("plain", "plain"),
            ("http://{{u}}", "http://server.domain/path"),
            ("http://{{f(c='text')}}", "http://text"),
            ("{{ year(y=i + 2007) }}", "server.domain/path/2010.nc"),
            ("{{(i + 1) * 1000}}", "4000"),
            ("{{i * 2 - -1}}", "7"),
            ("{{i // 2}}.{{-i // 2}}.{{i % 2}}.{{-i % 2}}", "1.-2.1.1"),
            ("{{8 / 2}}", "4"),
            ("{{'%03d' % i}}_{{\"%3d\" % i}}", "003_  3"),
            ("{{'a' + 'b'}}", "ab"),
            ("a}}b", "a}}b"),
        ] {
            assert_eq!(given(text).as_deref(), Ok(wanted), "{text}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (text, word) in [
            ("{{i", "without"),
            ("{{j}}", "`j`"),
            ("{{i + }}", "ends"),
            ("{{1 / 0}}", "zero"),
            ("{{3 / 2}}", "whole number"),
            ("{{circle}}", "circle"),
            ("{{i i}}", "should end"),
            ("{{9223372036854775807 + 1}}", "too large"),
            ("{{f(3)}}", "name=value"),
            ("{{i & 1}}", "`&`"),
        ] {
            let error = given(text).unwrap_err();
            assert!(error.contains(word), "{text}: {error}");
        }
        let deep = format!("{{{{{}i{}}}}}", "(".repeat(5000), ")".repeat(5000));
        assert!(given(&deep).unwrap_err().contains("deep"));
    }

    proptest! {
        #[test]
        fn any_text_ends_without_a_panic(text in "\\PC{0,40}") {
            let _ = given(&text);
            let _ = given(&format!("{{{{{text}}}}}"));
        }

        #[test]
        fn any_expression_ends_without_a_panic(text in "[0-9if u(),='%*/+-]{0,30}") {
            let _ = given(&format!("{{{{{text}}}}}"));
        }

        #[test]
        fn sums_are_those_of_whole_numbers(a in -1000_i64..1000, b in -1000_i64..1000, c in 1_i64..50) {
            let text = format!("{{{{({a} + {b}) * {c}}}}} {{{{{a} // {c}}}}} {{{{{b} % {c}}}}}");
            let wanted = format!("{} {} {}", (a + b) * c, a.div_euclid(c), b.rem_euclid(c));
            prop_assert_eq!(given(&text), Ok(wanted));
        }
    }
}
