//! File names with `*`, `?` and `[…]`.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Whether a text has a wildcard.
pub(crate) fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// The paths that match a pattern, in order of name. Wildcards do not cross folders and do not match hidden files.
pub(crate) fn matching(pattern: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = vec![PathBuf::new()];
    for component in pattern.components() {
        let Component::Normal(part) = component else {
            for path in &mut found {
                path.push(component);
            }
            continue;
        };
        let part = part.to_string_lossy();
        if !is_pattern(&part) {
            for path in &mut found {
                path.push(part.as_ref());
            }
            continue;
        }
        let wanted: Vec<char> = part.chars().collect();
        let mut next = Vec::new();
        for folder in &found {
            let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            if !place.is_dir() {
                continue;
            }
            for entry in fs::read_dir(place)? {
                let name = entry?.file_name().to_string_lossy().into_owned();
                let letters: Vec<char> = name.chars().collect();
                if !name.starts_with('.') && matches(&wanted, &letters) {
                    next.push(folder.join(name));
                }
            }
        }
        next.sort();
        found = next;
    }
    found.retain(|path| path.exists());
    Ok(found)
}

/// Whether a name matches a pattern.
fn matches(pattern: &[char], name: &[char]) -> bool {
    // Where the last star stood, and the name's place it was tried for.
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        let step = match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
                continue;
            }
            Some('?') => Some(p + 1),
            Some('[') => class(pattern, p, name[n]),
            Some(&letter) if letter == name[n] => Some(p + 1),
            _ => None,
        };
        match (step, star) {
            (Some(next), _) => (p, n) = (next, n + 1),
            (None, Some((at, tried))) => {
                (p, n) = (at + 1, tried + 1);
                star = Some((at, tried + 1));
            }
            (None, None) => return false,
        }
    }
    pattern[p..].iter().all(|&letter| letter == '*')
}

/// The place after a class such as `[0-9]` or `[!a]` that the letter is in; a bracket without end is a letter.
fn class(pattern: &[char], start: usize, letter: char) -> Option<usize> {
    let negated = matches!(pattern.get(start + 1), Some('!' | '^'));
    let first = start + 1 + usize::from(negated);
    let Some(end) = (first + 1..pattern.len()).find(|&at| pattern[at] == ']') else {
        return (letter == '[').then_some(start + 1);
    };
    let (mut at, mut inside) = (first, false);
    while at < end {
        if at + 2 < end && pattern[at + 1] == '-' {
            inside |= (pattern[at]..=pattern[at + 2]).contains(&letter);
            at += 3;
        } else {
            inside |= pattern[at] == letter;
            at += 1;
        }
    }
    (inside != negated).then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fits(pattern: &str, name: &str) -> bool {
        let letters = |text: &str| text.chars().collect::<Vec<_>>();
        matches(&letters(pattern), &letters(name))
    }

    #[test]
    fn wildcards_match_as_in_a_shell() {
        for (pattern, name, wanted) in [
            ("*.nc", "a.nc", true),
            ("*.nc", "a.nc4", false),
            ("sst_????.nc", "sst_2010.nc", true),
            ("sst_????.nc", "sst_10.nc", false),
            ("sst_20[01][0-9].nc", "sst_2015.nc", true),
            ("sst_20[01][0-9].nc", "sst_2025.nc", false),
            ("[!a]*", "bc", true),
            ("[!a]*", "abc", false),
            ("a*b*c", "axxbxxbxc", true),
            ("a*b*c", "axxbxx", false),
            ("[", "[", true),
            ("", "", true),
        ] {
            assert_eq!(fits(pattern, name), wanted, "{pattern} {name}");
        }
    }

    #[test]
    fn folders_may_have_wildcards_too() {
        let home = tempfile::tempdir().unwrap();
        for name in ["2010/a.nc", "2011/a.nc", "2011/b.txt", "x/a.nc", "2011/.hidden.nc"] {
            let path = home.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, b"").unwrap();
        }
        let found = matching(&home.path().join("20??/*.nc")).unwrap();
        let names: Vec<_> = found.iter().map(|path| path.strip_prefix(home.path()).unwrap()).collect();
        assert_eq!(names, [Path::new("2010/a.nc"), Path::new("2011/a.nc")]);
        assert!(matching(&home.path().join("none/*.nc")).unwrap().is_empty());
    }

    proptest! {
        #[test]
        fn any_pattern_ends(pattern in "[ab*?\\[\\]!-]{0,12}", name in "[ab\\[\\]-]{0,12}") {
            let _ = fits(&pattern, &name);
            prop_assert!(fits("*", &name));
        }
    }
}
