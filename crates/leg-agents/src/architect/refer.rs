//! Whether a part of a question speaks of what the part before it names.

/// Words for several things that were named before.
const ALL: [&str; 9] =
    ["their", "them", "both", "each", "these", "those", "the two", "the storms", "the hurricanes"];

/// Whether a text speaks of something that was named before it.
pub(super) fn refers_back(text: &str) -> bool {
    const ONE: [&str; 10] =
        ["it", "its", "that", "this", "the storm", "the hurricane", "there", "then", "they", "that storm"];
    has(text, &ONE) || refers_to_all(text)
}

/// Whether it does so in words that can mean no place.
pub(super) fn refers_to_thing(text: &str) -> bool {
    has(text, &["its", "the storm", "that storm", "the hurricane"]) || refers_to_all(text)
}

/// Whether it speaks of all of them.
pub(super) fn refers_to_all(text: &str) -> bool {
    has(text, &ALL)
}

fn has(text: &str, words: &[&str]) -> bool {
    let padded = format!(" {} ", text.to_lowercase().replace(|c: char| !c.is_alphanumeric(), " "));
    words.iter().any(|word| padded.contains(&format!(" {word} ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_or_all_are_meant() {
        assert!(refers_back("How strong was it?") && !refers_to_all("How strong was it?"));
        assert!(refers_to_all("I also need their event ids."));
        assert!(!refers_back("What is the tide at 8518750?"));
    }
}
