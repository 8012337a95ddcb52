//! Dates as the derived products write them.

/// `09/21/1938` as `1938-09-21`; any other text stays as it is.
pub(crate) fn american(text: &str) -> String {
    let parts: Vec<&str> = text.trim().split('/').collect();
    let digits = |part: &str, length: usize| part.len() == length && part.bytes().all(|b| b.is_ascii_digit());
    match parts.as_slice() {
        [month, day, year] if digits(month, 2) && digits(day, 2) && digits(year, 4) => {
            format!("{year}-{month}-{day}")
        }
        _ => text.trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::american;

    #[test]
    fn american_dates_become_ours() {
        for (text, expected) in
            [("01/15/1856", "1856-01-15"), ("1856-01-15", "1856-01-15"), ("1/2", "1/2"), ("", "")]
        {
            assert_eq!(american(text), expected);
        }
    }
}
