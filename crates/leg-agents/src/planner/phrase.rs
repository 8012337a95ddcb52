//! Phrases of skill folders and data files, as regular expressions.

use regex::Regex;

/// Words of a phrase in one expression: whole words, `*` for any ending, `...` for up to six words between.
///
/// `None` when there is nothing in it.
pub(crate) fn phrase_pattern(phrase: &str) -> Option<String> {
    let mut out = String::new();
    let mut gap = false;
    for word in phrase.to_lowercase().split_whitespace() {
        if word == "..." {
            gap = !out.is_empty();
            continue;
        }
        if !out.is_empty() {
            out.push_str(if gap { r"\b(?:\W+[\w.~-]+){0,6}?\W+" } else { r"[\s-]+" });
        }
        gap = false;
        match word.strip_suffix('*') {
            Some(stem) if !stem.is_empty() => {
                out.push_str(&regex::escape(stem));
                out.push_str(r"\w*");
            }
            _ => out.push_str(&regex::escape(word)),
        }
    }
    let begins = out.starts_with(|c: char| c.is_alphanumeric());
    let ends = out.ends_with(|c: char| c.is_alphanumeric() || c == '*');
    (!out.is_empty())
        .then(|| format!("{}{out}{}", if begins { r"\b" } else { "" }, if ends { r"\b" } else { "" }))
}

/// One expression for several phrases, the longest first. `None` when there is none, or when they are too many.
pub(crate) fn phrases_regex<'a>(phrases: impl IntoIterator<Item = &'a str>) -> Option<Regex> {
    let mut patterns: Vec<String> = phrases.into_iter().filter_map(phrase_pattern).collect();
    patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.len()));
    if patterns.is_empty() { None } else { Regex::new(&patterns.join("|")).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_endings_and_gaps() {
        let hit = |phrase: &str, text: &str| phrases_regex([phrase]).unwrap().is_match(text);
        assert!(hit("warm* faster", "which warmed faster?"));
        assert!(hit("which ... faster", "which of the two boxes warmed faster"));
        assert!(hit("year to year", "year-to-year"));
        assert!(!hit("map", "mapping"));
        assert!(!hit("rich", "richardson"));
        assert!(phrases_regex([" ", "..."]).is_none());
    }
}
