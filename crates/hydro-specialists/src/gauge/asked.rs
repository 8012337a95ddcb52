//! What a question asks of a list of values: which of its sides is said first.

use crate::question::says;

/// A side of a series that a question asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Max,
    Min,
    First,
    Last,
    Mean,
    Count,
}

const WORDS: [(Side, &[&str]); 6] = [
    (
        Side::Max,
        &[
            "highest",
            "maximum",
            "max",
            "peak",
            "largest",
            "strongest",
            "greatest",
            "how high",
            "crest",
            "crested",
            "fastest",
            "warmest",
            "biggest",
            "top",
            "peaked",
            "record",
            "strong",
            "how strong",
        ],
    ),
    (
        Side::Min,
        &["lowest", "minimum", "min", "least", "smallest", "weakest", "coldest", "slowest", "how low"],
    ),
    (
        Side::First,
        &[
            "first",
            "initial",
            "at the start",
            "at the beginning",
            "the beginning of",
            "the start of",
            "begin with",
            "began",
            "earliest",
            "opening",
            "starting",
            "start with",
        ],
    ),
    (Side::Last, &["last", "final", "latest", "most recent", "at the end", "newest"]),
    (Side::Mean, &["mean", "average", "on average"]),
    (Side::Count, &["how many", "number of", "count of", "count", "how much data", "how often"]),
];

/// The sides that a text asks for, in the order of the table.
pub(crate) fn sides(text: &str) -> Vec<Side> {
    // `mean sea level`, `daily mean` and the like are no means of the series.
    let lower = [
        "mean sea level",
        "mean higher high water",
        "mean lower low water",
        "mean high water",
        "mean low water",
        "mean tide level",
        "daily mean",
        "mean daily",
        "first of all",
        "last year",
        "first week",
        "the last two hours",
        "the last 2 hours",
        "top ten",
    ]
    .iter()
    .fold(text.to_lowercase(), |text, phrase| text.replace(phrase, " "));
    WORDS.iter().filter(|(_, words)| says(&lower, words)).map(|(side, _)| *side).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_words_of_the_question() {
        assert_eq!(sides("the highest and lowest water above mean sea level"), [Side::Max, Side::Min]);
        assert_eq!(sides("How many values are there, and the first?"), [Side::First, Side::Count]);
        assert_eq!(sides("the tide at Naples"), []);
    }
}
