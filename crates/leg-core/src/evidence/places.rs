//! The names of places: stations, sites and regions as evidence names them, found again in sentences.

use std::collections::BTreeSet;

use serde_json::Value;

/// Members of `where` that hold a name or an identifier.
const NAMING: [&str; 22] = [
    "name",
    "station",
    "station_name",
    "station_id",
    "site",
    "site_no",
    "site_id",
    "id",
    "gauge",
    "gage",
    "buoy",
    "port",
    "region",
    "basin",
    "box",
    "area",
    "place",
    "location",
    "city",
    "county",
    "state",
    "storm",
];

/// Words before an identifier that name no place.
const GENERIC: [&str; 14] = [
    "station", "gauge", "gage", "buoy", "site", "number", "no", "id", "usgs", "noaa", "ndbc", "co", "ops",
    "coops",
];

/// Longest name that is looked for, in words.
const LONGEST: usize = 8;

/// Names in the form in which they are compared.
#[derive(Debug, Default)]
pub(crate) struct Names {
    all: BTreeSet<String>,
    longest: usize,
}

impl Names {
    pub(crate) fn add(&mut self, names: BTreeSet<String>) {
        for name in names {
            self.longest = self.longest.max(name.split(' ').count().min(LONGEST));
            self.all.insert(name);
        }
    }

    /// The longest known name that a text begins with, and its length in bytes.
    pub(crate) fn at(&self, text: &str) -> Option<(String, usize)> {
        let mut name = String::new();
        let mut best = None;
        let mut chars = text.char_indices().peekable();
        for _ in 0..self.longest {
            let mut end = 0;
            let before = name.len();
            if !name.is_empty() {
                name.push(' ');
            }
            let word = name.len();
            while let Some((at, c)) = chars.peek().copied().filter(|(_, c)| c.is_alphanumeric()) {
                fold(c, &mut name);
                end = at + c.len_utf8();
                chars.next();
                if name.len() - word > 64 {
                    return best;
                }
            }
            if name.len() == word {
                name.truncate(before);
                break;
            }
            if self.all.contains(&name) {
                best = Some((name.clone(), end));
            }
            let mut gap = 0;
            while chars
                .peek()
                .is_some_and(|(_, c)| matches!(c, ' ' | ',' | '.' | '-' | '_' | '\'' | '’' | '('))
            {
                chars.next();
                gap += 1;
            }
            if gap > 2 {
                break;
            }
        }
        best
    }
}

/// The names that a `where` has, folded: lower case, without accents, words with one space between.
pub(crate) fn names_of(place: Option<&Value>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    match place {
        Some(Value::String(text)) => add(text, &mut names),
        Some(value) => walk(value, &mut names),
        None => {}
    }
    names
}

fn walk(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                match member {
                    Value::String(text) if NAMING.contains(&key.as_str()) => add(text, names),
                    Value::Number(number) if NAMING.contains(&key.as_str()) && number.is_u64() => {
                        add(&number.to_string(), names);
                    }
                    other => walk(other, names),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| walk(item, names)),
        _ => {}
    }
}

fn add(text: &str, names: &mut BTreeSet<String>) {
    let head = text.split([',', '(', ';']).next().unwrap_or_default();
    for part in [text, head] {
        let name = folded(part);
        let words = name.split(' ').count();
        let letters = name.chars().filter(|c| c.is_alphabetic()).count();
        let digits = name.chars().filter(char::is_ascii_digit).count();
        if words <= LONGEST && name.len() <= 120 && (letters >= 3 || digits >= 5) {
            names.insert(name);
        }
    }
    // "8725520 Fort Myers" and "USGS 02292900": the number alone names it too.
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        if word.len() >= 5 && word.bytes().all(|b| b.is_ascii_digit()) {
            names.insert(word.to_owned());
            let rest = folded(&text.replace(word, ""));
            if rest.len() >= 5 && !rest.split(' ').all(|word| GENERIC.contains(&word)) {
                names.insert(rest);
            }
        }
    }
}

/// A text in the form in which names are compared.
pub(crate) fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_alphanumeric() {
            fold(c, &mut out);
        } else if !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
    }
    out.truncate(out.trim_end().len());
    out
}

fn fold(c: char, out: &mut String) {
    let plain = match c {
        'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' | 'Á' | 'À' | 'Â' | 'Ä' | 'Ã' | 'Å' => 'a',
        'é' | 'è' | 'ê' | 'ë' | 'É' | 'È' | 'Ê' | 'Ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' | 'Í' | 'Ì' | 'Î' | 'Ï' => 'i',
        'ó' | 'ò' | 'ô' | 'ö' | 'õ' | 'ø' | 'Ó' | 'Ò' | 'Ô' | 'Ö' | 'Õ' | 'Ø' => 'o',
        'ú' | 'ù' | 'û' | 'ü' | 'Ú' | 'Ù' | 'Û' | 'Ü' => 'u',
        'ñ' | 'Ñ' => 'n',
        'ç' | 'Ç' => 'c',
        other => other,
    };
    out.extend(plain.to_lowercase());
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_are_found_whole_and_in_other_spellings() {
        let mut names = Names::default();
        names.add(names_of(Some(&json!({"station": "8725520", "name": "Fort Myers, FL", "lon": -81.87}))));
        names.add(names_of(Some(&json!({"region": "nino_3_4"}))));
        names.add(names_of(Some(&json!("USGS 02292900 Caloosahatchee River"))));
        for (text, expected) in [
            ("Fort Myers, FL reached", Some(("fort myers fl", 14))),
            ("Fort Myers reached", Some(("fort myers", 10))),
            ("fort-myers", Some(("fort myers", 10))),
            ("8725520 x", Some(("8725520", 7))),
            ("8725521 x", None),
            ("Niño 3.4 box", Some(("nino 3 4", 9))),
            ("02292900", Some(("02292900", 8))),
            ("Fort Myersville", None),
        ] {
            let found = names.at(text);
            assert_eq!(found.as_ref().map(|(name, end)| (name.as_str(), *end)), expected, "{text}");
        }
        assert!(names_of(Some(&json!({"lon": 1, "lat": 2, "unit": "degrees"}))).is_empty());
    }
}
