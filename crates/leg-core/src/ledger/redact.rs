//! Keeps credentials out of everything that is written down.
//!
//! What tools, agents and models say passes [`redact`] before it is hashed, recorded, told as an event or reported:
//! credentials in addresses, `Authorization`-like texts, and tokens with a known form become [`REDACTED`]. What is hashed
//! is the text without the secret, so that a replay gives the same digests. Arguments and plans are what was approved and
//! are never changed: one that holds a credential is refused before anything is written ([`secret_in`]).
//!
//! A secret that looks like any other word cannot be known. Tools must not put one into data: artifacts are kept as they
//! are.

use std::borrow::Cow;

use serde_json::Value;

/// What stands in place of a secret.
pub const REDACTED: &str = "REDACTED";

/// Parts of a name that mark a credential in an address. Names are cut at `-`, `_`, `.` and capitals first, so that
/// `monkey` is no `key`.
const SECRET_WORDS: [&str; 14] = [
    "apikey",
    "auth",
    "authorization",
    "credential",
    "credentials",
    "jwt",
    "key",
    "passwd",
    "password",
    "pwd",
    "secret",
    "sig",
    "signature",
    "token",
];

/// Names that mark a credential in any text: `key: 3` may be about a lock.
const PLAIN_NAMES: [&str; 15] = [
    "accesskey",
    "accesskeyid",
    "accesstoken",
    "apikey",
    "authorization",
    "authtoken",
    "clientsecret",
    "passwd",
    "password",
    "privatekey",
    "pwd",
    "refreshtoken",
    "secret",
    "secretaccesskey",
    "secretkey",
];

/// How tokens of well-known services begin, and how long they are at least.
const TOKENS: [(&str, usize); 15] = [
    ("sk-", 12),
    ("sk_live_", 16),
    ("rk_live_", 16),
    ("ghp_", 20),
    ("gho_", 20),
    ("ghs_", 20),
    ("ghu_", 20),
    ("github_pat_", 20),
    ("glpat-", 16),
    ("xoxb-", 16),
    ("xoxp-", 16),
    ("AKIA", 20),
    ("ASIA", 20),
    ("AIza", 30),
    ("hf_", 20),
];

/// A word of letters that is shorter holds no token.
pub(crate) const SHORTEST: usize = 12;

/// Whether a query parameter of this name is taken for a credential.
///
/// ```
/// use leg_core::ledger::is_secret_name;
///
/// assert!(is_secret_name("api_key"));
/// assert!(is_secret_name("X-Amz-Signature"));
/// assert!(is_secret_name("accessToken"));
/// assert!(!is_secret_name("station"));
/// ```
pub fn is_secret_name(name: &str) -> bool {
    let mut words = vec![String::new()];
    let mut after_small = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && after_small) {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        after_small = c.is_lowercase() || c.is_numeric();
    }
    let whole = words.concat();
    ["apikey", "accesstoken", "accesskeyid", "awsaccesskeyid", "password", "secret"]
        .iter()
        .any(|end| whole.ends_with(end))
        || words.iter().any(|word| SECRET_WORDS.contains(&word.as_str()))
}

/// The text without its credentials.
///
/// ```
/// use leg_core::ledger::redact;
///
/// let text = "GET https://me:pass@data.example/v1?station=8723970&token=abc failed: Bearer abcdef123";
/// let clean = "GET https://REDACTED@data.example/v1?station=8723970&token=REDACTED failed: Bearer REDACTED";
/// assert_eq!(redact(text), clean);
/// assert_eq!(redact("the key is under the mat"), "the key is under the mat");
/// ```
pub fn redact(text: &str) -> Cow<'_, str> {
    // No token is as short as most ids are.
    if text.len() < SHORTEST && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut expects = Expects::Nothing;
    let mut rest = text;
    while !rest.is_empty() {
        let gap = rest.find(|c: char| !is_gap(c)).unwrap_or(rest.len());
        let (between, after) = rest.split_at(gap);
        let end = after.find(is_gap).unwrap_or(after.len());
        let (word, next) = after.split_at(end);
        rest = next;
        out.push_str(between);
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        if bare.is_empty() {
            // Only punctuation: `"password" : "x"`.
            out.push_str(word);
            expects = expects.after_marks(word);
            continue;
        }
        let is_secret = match expects {
            Expects::Secret => !is_scheme(bare),
            Expects::Token => bare.len() >= 6,
            Expects::Nothing | Expects::Mark => false,
        };
        if is_secret {
            out.push_str(REDACTED);
        } else {
            word_without(word, &mut out);
        }
        expects = Expects::next(word, bare, &expects);
    }
    if out == text { Cow::Borrowed(text) } else { Cow::Owned(out) }
}

/// The place of the first credential in a value, as a JSON pointer.
///
/// ```
/// use leg_core::ledger::secret_in;
///
/// assert_eq!(secret_in(&serde_json::json!({"depth": 10})), None);
/// assert!(secret_in(&serde_json::json!({"api_key": "k3y-0f-th3-s3rv1c3"})).is_some());
/// ```
pub fn secret_in(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => (redact(text) != *text).then(String::new),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .find_map(|(at, item)| secret_in(item).map(|below| format!("/{at}{below}"))),
        Value::Object(members) => members.iter().find_map(|(name, value)| {
            let by_name = is_plain_name(name) && value.as_str().is_some_and(|text| !text.is_empty());
            let below = if by_name { Some(String::new()) } else { secret_in(value) };
            below.map(|below| format!("/{}{below}", name.replace('~', "~0").replace('/', "~1")))
        }),
        _ => None,
    }
}

/// A text under a name: all of it goes when the name marks a credential.
pub(crate) fn redact_named(name: &str, text: &str) -> String {
    if is_plain_name(name) { REDACTED.to_owned() } else { redact(text).into_owned() }
}

/// What the words so far say of the next one.
enum Expects {
    Nothing,
    /// A mark such as `:`, and then a secret.
    Mark,
    /// A secret, whatever it looks like.
    Secret,
    /// A token, after `Bearer`.
    Token,
}

impl Expects {
    fn next(word: &str, bare: &str, before: &Self) -> Self {
        let last = bare.rsplit(|c: char| !is_name(c)).next().unwrap_or_default();
        let ends_in_mark = word.ends_with([':', '=']);
        if is_scheme(bare) && (matches!(before, Self::Secret) || bare.eq_ignore_ascii_case("bearer")) {
            if matches!(before, Self::Secret) { Self::Secret } else { Self::Token }
        } else if is_plain_name(last) && ends_in_mark {
            Self::Secret
        } else if is_plain_name(last) && last.len() == bare.len() {
            Self::Mark
        } else {
            Self::Nothing
        }
    }

    fn after_marks(self, marks: &str) -> Self {
        match self {
            Self::Mark if marks.contains([':', '=']) => Self::Secret,
            Self::Mark => Self::Nothing,
            other => other,
        }
    }
}

/// Adds a word without the credentials inside it.
fn word_without(word: &str, out: &mut String) {
    let scheme = word.find("://").map(|at| at + 3);
    let is_address = scheme.is_some() || word.contains(['?', '&']);
    let mut rest = word;
    if let Some((head, tail)) = scheme.and_then(|at| word.split_at_checked(at)) {
        out.push_str(head);
        let host = tail.find(['/', '?', '#']).unwrap_or(tail.len());
        rest = match tail.get(..host).and_then(|authority| authority.rfind('@')) {
            Some(at) => {
                out.push_str(REDACTED);
                tail.get(at..).unwrap_or_default()
            }
            None => tail,
        };
    }
    // Pairs such as `token=abc`; what stands between two separators is one piece. In an address a comma is part of
    // the value.
    let separates = |c: char| matches!(c, '&' | '?' | '#' | ';') || (c == ',' && !is_address);
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.find(separates).unwrap_or(rest.len()));
        let (separator, next) = after.split_at(after.chars().next().map_or(0, char::len_utf8));
        rest = next;
        piece_without(piece, is_address, out);
        out.push_str(separator);
    }
}

fn piece_without(piece: &str, is_address: bool, out: &mut String) {
    if let Some((name, value)) = piece.split_once(['=', ':'])
        && !value.is_empty()
    {
        let last = name.rsplit(|c: char| !is_name(c)).next().unwrap_or_default();
        if is_plain_name(last) || (is_address && piece.contains('=') && is_secret_name(last)) {
            out.push_str(piece.get(..=name.len()).unwrap_or_default());
            return out.push_str(REDACTED);
        }
    }
    let mut rest = piece;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !is_token(c)).unwrap_or(rest.len());
        let (run, next) = rest.split_at(end);
        let marks = next.find(is_token).unwrap_or(next.len());
        out.push_str(if is_known_token(run) { REDACTED } else { run });
        out.push_str(next.get(..marks).unwrap_or_default());
        rest = next.get(marks..).unwrap_or_default();
    }
}

/// A token of a well-known service, or a JSON Web Token.
fn is_known_token(run: &str) -> bool {
    let known = TOKENS.iter().any(|(begin, least)| run.starts_with(begin) && run.len() >= *least);
    known || (run.starts_with("eyJ") && run.matches('.').count() == 2 && run.len() >= 30)
}

fn is_plain_name(name: &str) -> bool {
    let plain: String =
        name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    PLAIN_NAMES.contains(&plain.trim_start_matches('x'))
}

fn is_scheme(word: &str) -> bool {
    ["basic", "bearer", "digest", "token", "apikey"].iter().any(|scheme| word.eq_ignore_ascii_case(scheme))
}

const fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}

const fn is_token(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}

const fn is_gap(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '"' | '\'' | '<' | '>' | '`')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn credentials_go_in_whatever_form_they_come() {
        for text in [
            "https://user:CANARY1@host/path",
            "https://CANARY1@host/path?x=1",
            "https://host/p?a=1&api_key=CANARY1",
            "https://host/p?token=CANARY1,CANARY1&b=2",
            "https://host/p?X-Amz-Signature=CANARY1#top",
            "see <https://host/?sig=CANARY1>, please",
            "/v1/data?key=CANARY1 failed",
            "Authorization: Bearer CANARY1",
            "authorization: Basic CANARY1==",
            "authorization=CANARY1",
            "header Bearer CANARY1 was refused",
            "{\"password\": \"CANARY1\", \"n\": 1}",
            "{'api_key' : 'CANARY1'}",
            "api-key: CANARY1",
            "password=CANARY1;",
            "client_secret=CANARY1",
            "X-Api-Key: CANARY1",
            "the model said sk-CANARY1-0123456789 is wrong",
            "(ghp_CANARY100000000000000000000)",
            "key AKIACANARY1000000000 is expired",
            "eyJCANARY1eyJ.CANARY1CANARY1.CANARY1CANARY1",
        ] {
            let clean = redact(text);
            assert!(!clean.contains("CANARY1") && clean.contains(REDACTED), "{text} -> {clean}");
            assert_eq!(redact(&clean), clean, "what is clean stays as it is");
        }
    }

    #[test]
    fn plain_texts_stay_to_the_byte() {
        for text in [
            "",
            "no data between 2015-01-01 and 2015-02-01; the store covers 1993 to 2020",
            "https://api.tidesandcurrents.noaa.gov/api/prod/datagetter?station=8723970&datum=MLLW&units=metric",
            "evidence key: mean.max, token: 3, sig=2, auth: none",
            "`load_dataset` failed: expected value at line 1 column 2: {\"a\": [1, 2]}\n\tas told",
            "sk-7 is a station, and the password is unknown",
            "the bearer of the news said: ok",
            "file:///data/sst.nc and s3://bucket/key/of/object",
            "temperature in °C — «é» 😀",
        ] {
            assert!(matches!(redact(text), Cow::Borrowed(_)), "{text} -> {}", redact(text));
        }
    }

    #[test]
    fn a_secret_in_arguments_is_found_where_it_is() {
        let found = |value: Value| secret_in(&value);
        assert_eq!(found(json!({"a": [1, {"url": "https://u:p@h/"}]})).as_deref(), Some("/a/1/url"));
        assert_eq!(found(json!({"a/b": {"api_key": "x"}})).as_deref(), Some("/a~1b/api_key"));
        assert_eq!(
            found(json!({"api_key": "", "key": "mean", "token": 3, "q": "https://h/?station=1"})),
            None
        );
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_taken_and_clean_text_stays_clean(text in "\\PC{0,80}") {
            let once = redact(&text).into_owned();
            let twice = redact(&once).into_owned();
            proptest::prop_assert_eq!(once, twice);
        }
    }
}
