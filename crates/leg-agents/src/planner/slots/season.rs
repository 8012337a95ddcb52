//! Seasons, by name and by the letters of their months.

use regex::Regex;

use crate::planner::text::{Found, Text};

/// A season, before the hemisphere is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::planner) enum SeasonWord {
    /// The letters of its months, such as `JJA`.
    Code(String),
    /// A word whose months depend on the hemisphere: months of the northern and of the southern one.
    Local {
        /// The word.
        word: &'static str,
        /// Letters in the north.
        north: &'static str,
        /// Letters in the south.
        south: &'static str,
    },
    /// Single months of each year.
    Months(Vec<u8>),
}

/// Twice round the year.
const LETTERS: &str = "jfmamjjasondjfmamjjasond";

const WORDS: [(&str, &str, &str); 6] = [
    ("spring-summer", "MAMJJA", "SONDJF"),
    ("warm season", "MJJASO", "NDJFMA"),
    ("summer", "JJA", "DJF"),
    ("winter", "DJF", "JJA"),
    ("spring", "MAM", "SON"),
    ("autumn", "SON", "MAM"),
];

/// Patterns of seasons.
#[derive(Debug)]
pub(in crate::planner) struct Seasons {
    words: Regex,
    fall: Regex,
    codes: Regex,
}

impl Seasons {
    /// Compiles the patterns.
    pub(in crate::planner) fn new() -> Result<Self, regex::Error> {
        Ok(Self {
            words: Regex::new(
                r"\b(spring[\s-]*(?:and|to|-)?[\s-]*summer|warm[\s-]season|summer|winter|spring|autumn)(?:s|time|s'|'s)?\b(?:\s+seasons?|\s+months)?",
            )?,
            fall: Regex::new(
                r"\b(?:in|during|of|each|every|for)\s+(?:the\s+)?(?P<span>falls?(?:\s+seasons?)?)\b|\b(?P<span2>falls?)\s+(?:of\s+)?(?:18|19|20)\d\d",
            )?,
            codes: Regex::new(
                r"\b(djf|mam|jja|son|jfm|amj|jas|ond|ndj|fma|mjj|aso|ndjfm|djfm|jjas|mamjja|mjjaso|ndjfma|sondjf)\b(?:\s+seasons?)?",
            )?,
        })
    }

    /// Takes season words out of a question.
    pub(in crate::planner) fn read(&self, text: &mut Text) -> Vec<Found<SeasonWord>> {
        let mut found = text.take(&self.words, |captures| {
            let word = captures.get(1)?.as_str();
            let (word, north, south) = if word.starts_with("spring") && word.ends_with("summer") {
                WORDS[0]
            } else {
                // Only the first entry has two words in it, and it was looked at.
                *WORDS.iter().skip(1).find(|(name, _, _)| name.get(..4) == word.get(..4))?
            };
            Some(SeasonWord::Local { word, north, south })
        });
        found.extend(
            text.take(&self.codes, |captures| {
                Some(SeasonWord::Code(captures.get(1)?.as_str().to_uppercase()))
            }),
        );
        let autumn = SeasonWord::Local { word: WORDS[5].0, north: WORDS[5].1, south: WORDS[5].2 };
        let mut falls = Vec::new();
        for captures in self.fall.captures_iter(text.left()) {
            if let Some(word) = captures.name("span").or_else(|| captures.name("span2")) {
                falls.push(Found { value: autumn.clone(), range: word.range() });
            }
        }
        for fall in &falls {
            text.consume(fall.range.clone());
        }
        found.extend(falls);
        found.sort_by_key(|season| season.range.start);
        found
    }
}

impl SeasonWord {
    /// The letters of its months; `None` for single months.
    pub(in crate::planner) fn code(&self, southern: bool) -> Option<String> {
        match self {
            Self::Code(code) => Some(code.clone()),
            Self::Local { north, south, .. } => Some((if southern { south } else { north }).to_string()),
            Self::Months(_) => None,
        }
    }

    /// First month and number of months, when they follow each other.
    pub(in crate::planner) fn span(&self, southern: bool) -> Option<(u8, u8)> {
        if let Self::Months(months) = self {
            let first = *months.first()?;
            let run = months.iter().zip(first..).all(|(month, expected)| *month == expected);
            return run.then_some((first, u8::try_from(months.len()).ok()?));
        }
        let code = self.code(southern)?.to_lowercase();
        let start = LETTERS.find(&code)?;
        Some((u8::try_from(start % 12).ok()? + 1, u8::try_from(code.len()).ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(question: &str) -> Vec<String> {
        let seasons = Seasons::new().unwrap();
        seasons
            .read(&mut Text::new(question))
            .into_iter()
            .filter_map(|found| found.value.code(false))
            .collect()
    }

    #[test]
    fn words_and_codes() {
        assert_eq!(codes("in summer 2015"), ["JJA"]);
        assert_eq!(codes("winters of 2010 to 2015"), ["DJF"]);
        assert_eq!(codes("JJA and DJF"), ["JJA", "DJF"]);
        assert_eq!(codes("in the fall of 2012"), ["SON"]);
        assert_eq!(codes("spring-summer 2014"), ["MAMJJA"]);
        assert_eq!(codes("spring 2014"), ["MAM"]);
        assert_eq!(codes("the warm season"), ["MJJASO"]);
    }

    #[test]
    fn words_inside_other_words_and_verbs_are_none() {
        assert!(codes("did it fall since 2010").is_empty());
        assert!(codes("offspring, midsummer's reason").is_empty());
    }

    #[test]
    fn months_of_a_season() {
        assert_eq!(SeasonWord::Code("JJA".into()).span(false), Some((6, 3)));
        assert_eq!(SeasonWord::Code("DJF".into()).span(false), Some((12, 3)));
        assert_eq!(SeasonWord::Months(vec![7]).span(false), Some((7, 1)));
        assert_eq!(SeasonWord::Months(vec![1, 7]).span(false), None);
    }
}
