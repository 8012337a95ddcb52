//! The English names of the months.

const NAMES: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The English name of a month from 1 to 12.
///
/// ```
/// use leg_core::evidence::month_name;
///
/// assert_eq!(month_name(9), Some("September"));
/// assert_eq!(month_name(13), None);
/// ```
pub fn month_name(month: u8) -> Option<&'static str> {
    NAMES.get(usize::from(month).checked_sub(1)?).copied()
}

/// The month from 1 to 12 that a word names: in full or by its usual abbreviation, in small letters or large, with a
/// full stop or without. In small letters `may` and `march` are other words too: the caller looks at what stands around.
///
/// ```
/// use leg_core::evidence::month_number;
///
/// assert_eq!(month_number("Sept."), Some(9));
/// assert_eq!(month_number("marching"), None);
/// ```
pub fn month_number(word: &str) -> Option<u8> {
    let word = word.trim_end_matches('.').to_ascii_lowercase();
    let names = |name: &str| {
        let name = name.to_ascii_lowercase();
        name == word || (name.starts_with(&word) && (word.len() == 3 || word == "sept"))
    };
    NAMES.iter().position(|name| names(name)).and_then(|at| u8::try_from(at + 1).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_and_its_abbreviations_give_the_month_back() {
        for month in 1..=12 {
            let name = month_name(month).unwrap();
            for word in
                [name.to_owned(), name.to_uppercase(), name[..3].to_lowercase(), format!("{}.", &name[..3])]
            {
                assert_eq!(month_number(&word), Some(month), "{word}");
            }
        }
        for word in ["", ".", "ma", "marc", "mai", "junes", "septem", "Ⅻ"] {
            assert_eq!(month_number(word), None, "{word}");
        }
        assert_eq!((month_name(0), month_name(u8::MAX)), (None, None));
    }
}
