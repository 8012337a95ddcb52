//! RFC 8785 canonical JSON: the only JSON that is hashed.
//!
//! [`Writer`] writes canonical bytes straight from Rust values, without a tree in between. Objects must be given
//! their keys in UTF-16 order, which is alphabetical order for plain ASCII keys; a debug build checks it.

use serde_json::{Number, Value};

/// A value has no canonical form.
///
/// ```
/// use leg_core::{CanonicalError, canonical};
///
/// let mut out = canonical::Writer::with_capacity(8);
/// assert!(matches!(out.number(f64::NAN), Err(CanonicalError::NotFinite(_))));
/// let large = serde_json::json!(u64::MAX);
/// assert!(matches!(canonical::to_vec(&large), Err(CanonicalError::LargeInteger(_))));
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CanonicalError {
    /// An integer beyond ±2^53 that no double stands for would be rounded by other readers.
    #[error("integer `{0}` is beyond 2^53 and would be rounded; carry it as a string")]
    LargeInteger(String),
    /// JSON has no infinity and no NaN.
    #[error("number `{0}` is not finite; carry a missing value as null")]
    NotFinite(f64),
}

/// Something that has one canonical JSON form.
///
/// ```
/// use leg_core::canonical::{Canonical, CanonicalError, Writer, to_vec};
///
/// struct Level {
///     station: &'static str,
///     metres: f64,
/// }
///
/// impl Canonical for Level {
///     fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
///         // Keys in their order, as a writer does not sort.
///         let mut object = out.object();
///         object.key("metres").number(self.metres)?;
///         object.key("station").str(self.station);
///         object.end();
///         Ok(())
///     }
/// }
/// let level = Level { station: "9990001", metres: 2.50 };
/// assert_eq!(to_vec(&level)?, br#"{"metres":2.5,"station":"9990001"}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Canonical {
    /// Writes the canonical form.
    ///
    /// # Errors
    /// [`CanonicalError`] when the value has none.
    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError>;
}

/// The canonical bytes of a JSON value.
///
/// ```
/// let value = serde_json::json!({"b": 1.0, "a": [true, null, "é"]});
/// assert_eq!(leg_core::canonical::to_vec(&value).unwrap(), r#"{"a":[true,null,"é"],"b":1}"#.as_bytes());
/// ```
///
/// # Errors
/// [`CanonicalError`] for integers beyond 2^53.
pub fn to_vec<T: Canonical + ?Sized>(value: &T) -> Result<Vec<u8>, CanonicalError> {
    let mut writer = Writer::default();
    value.write(&mut writer)?;
    Ok(writer.bytes)
}

/// The value as it comes back from its canonical form: `2.0` is `2` there, and what is printed from a value must not
/// depend on whether it was stored in between.
pub(crate) fn settled(value: Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            let printed = number.as_f64().map(|float| ryu_js::Buffer::new().format(float).to_owned());
            let back = printed.and_then(|text| serde_json::from_str(&text).ok());
            Value::Number(back.unwrap_or(number))
        }
        Value::Array(items) => items.into_iter().map(settled).collect(),
        Value::Object(members) => {
            // A map may keep the order of insertion; the canonical form has one order.
            let mut sorted: Vec<_> = members.into_iter().map(|(key, value)| (key, settled(value))).collect();
            sorted.sort_by(|a, b| utf16_order(&a.0, &b.0));
            Value::Object(sorted.into_iter().collect())
        }
        other => other,
    }
}

/// Writes canonical JSON.
///
/// ```
/// use leg_core::canonical::Writer;
///
/// let mut out = Writer::with_capacity(32);
/// out.array([1_u64, 2, 3], |out, number| {
///     out.count(number);
///     Ok(())
/// })?;
/// assert_eq!(out.into_bytes(), b"[1,2,3]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// Starts with room for `capacity` bytes.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { bytes: Vec::with_capacity(capacity) }
    }

    /// Starts with an empty buffer that was used before.
    pub(crate) const fn over(bytes: Vec<u8>) -> Self {
        Self { bytes }
    }

    /// What was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// What was written so far.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Adds bytes that are canonical JSON already.
    pub fn raw(&mut self, canonical: &[u8]) {
        self.bytes.extend_from_slice(canonical);
    }

    /// Writes `null`.
    pub fn null(&mut self) {
        self.raw(b"null");
    }

    /// Writes a truth value.
    pub fn bool(&mut self, value: bool) {
        self.raw(if value { b"true" } else { b"false" });
    }

    /// Writes a count; one beyond 2^53 becomes a string, as FORMS says.
    pub fn count(&mut self, value: u64) {
        let mut buffer = itoa::Buffer::new();
        if value > MAX_SAFE {
            self.str(buffer.format(value));
        } else {
            self.raw(buffer.format(value).as_bytes());
        }
    }

    /// Writes a finite number as ECMAScript does.
    ///
    /// # Errors
    /// [`CanonicalError::NotFinite`].
    pub fn number(&mut self, value: f64) -> Result<(), CanonicalError> {
        if !value.is_finite() {
            return Err(CanonicalError::NotFinite(value));
        }
        let mut buffer = ryu_js::Buffer::new();
        self.raw(buffer.format_finite(value).as_bytes());
        Ok(())
    }

    /// Writes a string.
    pub fn str(&mut self, text: &str) {
        self.bytes.push(b'"');
        self.escaped(text);
        self.bytes.push(b'"');
    }

    /// The inside of a string.
    fn escaped(&mut self, text: &str) {
        // Most texts need no escape. Without an early end the compiler looks at many bytes at a time.
        #[expect(
            clippy::needless_bitwise_bool,
            reason = "without branches it is done for many bytes at once"
        )]
        let plain = |byte: u8| (byte >= 0x20) & (byte != b'"') & (byte != b'\\');
        let is_plain = if text.len() < 24 {
            text.bytes().all(plain)
        } else {
            text.bytes().fold(true, |all, byte| all & plain(byte))
        };
        if is_plain {
            return self.raw(text.as_bytes());
        }
        let mut start = 0;
        for (at, byte) in text.bytes().enumerate() {
            let short = match byte {
                b'"' => b'"',
                b'\\' => b'\\',
                0x08 => b'b',
                0x09 => b't',
                0x0a => b'n',
                0x0c => b'f',
                0x0d => b'r',
                0x00..=0x1f => b'u',
                _ => continue,
            };
            self.raw(text.as_bytes().get(start..at).unwrap_or_default());
            self.raw(&[b'\\', short]);
            if short == b'u' {
                const HEX: [u8; 16] = *b"0123456789abcdef";
                let digit = |nibble: u8| HEX.get(usize::from(nibble)).copied().unwrap_or(b'0');
                self.raw(&[b'0', b'0', digit(byte >> 4), digit(byte & 15)]);
            }
            start = at + 1;
        }
        self.raw(text.as_bytes().get(start..).unwrap_or_default());
    }

    /// Writes any value that has a canonical form.
    ///
    /// # Errors
    /// Those of the value.
    pub fn value<T: Canonical + ?Sized>(&mut self, value: &T) -> Result<(), CanonicalError> {
        value.write(self)
    }

    /// Writes a digest.
    pub fn digest(&mut self, digest: &crate::Digest) {
        self.raw(b"\"b3:");
        digest.write_hex(&mut self.bytes);
        self.bytes.push(b'"');
    }

    /// Writes something that is shown as plain text, such as an id.
    pub fn display(&mut self, value: &impl std::fmt::Display) {
        use std::fmt::Write as _;

        struct Inside<'a>(&'a mut Writer);
        impl std::fmt::Write for Inside<'_> {
            fn write_str(&mut self, text: &str) -> std::fmt::Result {
                self.0.escaped(text);
                Ok(())
            }
        }
        self.bytes.push(b'"');
        // Neither the buffer nor the values of this crate refuse to be written.
        let _ = write!(Inside(self), "{value}");
        self.bytes.push(b'"');
    }

    /// Opens an object; give it its members in canonical order.
    pub fn object(&mut self) -> ObjectWriter<'_> {
        self.bytes.push(b'{');
        ObjectWriter {
            out: self,
            first: true,
            #[cfg(debug_assertions)]
            last: String::new(),
        }
    }

    /// Writes an array.
    ///
    /// # Errors
    /// The first error of an element.
    pub fn array<I: IntoIterator>(
        &mut self,
        items: I,
        mut write: impl FnMut(&mut Self, I::Item) -> Result<(), CanonicalError>,
    ) -> Result<(), CanonicalError> {
        self.bytes.push(b'[');
        for (at, item) in items.into_iter().enumerate() {
            if at > 0 {
                self.bytes.push(b',');
            }
            write(self, item)?;
        }
        self.bytes.push(b']');
        Ok(())
    }
}

/// An open object of a [`Writer`].
///
/// ```
/// use leg_core::canonical::Writer;
///
/// let mut out = Writer::with_capacity(32);
/// let mut object = out.object();
/// object.key("n").count(3);
/// object.key("ok").bool(true);
/// object.end();
/// assert_eq!(out.as_bytes(), br#"{"n":3,"ok":true}"#);
/// ```
#[derive(Debug)]
pub struct ObjectWriter<'a> {
    out: &'a mut Writer,
    first: bool,
    #[cfg(debug_assertions)]
    last: String,
}

impl ObjectWriter<'_> {
    /// Writes a key and gives the writer for its value.
    pub fn key(&mut self, key: &str) -> &mut Writer {
        #[cfg(debug_assertions)]
        {
            debug_assert!(
                self.first || utf16_order(&self.last, key).is_lt(),
                "`{key}` must not follow `{}`",
                self.last
            );
            key.clone_into(&mut self.last);
        }
        if !self.first {
            self.out.bytes.push(b',');
        }
        self.first = false;
        self.out.bytes.reserve(key.len() + 3);
        self.out.str(key);
        self.out.bytes.push(b':');
        self.out
    }

    /// Closes the object.
    pub fn end(self) {
        self.out.bytes.push(b'}');
    }
}

const MAX_SAFE: u64 = 1 << 53;

/// RFC 8785 orders keys by UTF-16 code units.
fn utf16_order(a: &str, b: &str) -> std::cmp::Ordering {
    if a.is_ascii() && b.is_ascii() { a.cmp(b) } else { a.encode_utf16().cmp(b.encode_utf16()) }
}

impl Canonical for Value {
    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        match self {
            Self::Null => out.null(),
            Self::Bool(value) => out.bool(*value),
            Self::Number(number) => write_number(number, out)?,
            Self::String(text) => out.str(text),
            Self::Array(items) => out.array(items, |out, item| item.write(out))?,
            Self::Object(members) => {
                // Another crate in the build may turn on `preserve_order` of `serde_json`, so the map's own order
                // says nothing.
                let mut object = out.object();
                let ordered =
                    members.keys().zip(members.keys().skip(1)).all(|(a, b)| utf16_order(a, b).is_lt());
                if ordered {
                    for (key, value) in members {
                        value.write(object.key(key))?;
                    }
                } else {
                    let mut sorted: Vec<_> = members.iter().collect();
                    sorted.sort_by(|a, b| utf16_order(a.0, b.0));
                    for (key, value) in sorted {
                        value.write(object.key(key))?;
                    }
                }
                object.end();
            }
        }
        Ok(())
    }
}

impl<T: Canonical> Canonical for [T] {
    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        out.array(self, |out, item| item.write(out))
    }
}

impl<T: Canonical> Canonical for Option<T> {
    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        if let Some(value) = self {
            value.write(out)
        } else {
            out.null();
            Ok(())
        }
    }
}

impl Canonical for str {
    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        out.str(self);
        Ok(())
    }
}

impl Canonical for crate::Digest {
    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        out.digest(self);
        Ok(())
    }
}

fn write_number(number: &Number, out: &mut Writer) -> Result<(), CanonicalError> {
    let large = || CanonicalError::LargeInteger(number.to_string());
    let safe = number.as_i64().map_or_else(|| number.as_u64(), |value| Some(value.unsigned_abs()));
    if let Some(magnitude) = safe {
        let digits = number.to_string();
        // A large double is printed as an integer too; one that no double stands for would be rounded by others.
        let exact = number.as_f64().map(|float| ryu_js::Buffer::new().format(float) == digits);
        if magnitude > MAX_SAFE && exact != Some(true) {
            return Err(large());
        }
        out.raw(digits.as_bytes());
    } else {
        out.number(number.as_f64().ok_or_else(large)?)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_fixed_record_has_fixed_bytes() {
        let value =
            json!({"z": 1e21, "a": -0.0, "é": "\u{1}\n\"", "m": [0.1, 1e-7, 333_333_333.333_333_3], "n": -5});
        assert_eq!(
            String::from_utf8(to_vec(&value).unwrap()).unwrap(),
            r#"{"a":0,"m":[0.1,1e-7,333333333.3333333],"n":-5,"z":1e+21,"é":"\u0001\n\""}"#
        );
    }

    #[test]
    fn integers_beyond_2_53_are_refused() {
        assert_eq!(to_vec(&json!(9_007_199_254_740_992_u64)).unwrap(), b"9007199254740992");
        assert!(to_vec(&json!(9_007_199_254_740_993_u64)).is_err());
        assert!(to_vec(&json!(-9_007_199_254_740_993_i64)).is_err());
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<f64>().prop_filter("finite", |x| x.is_finite()).prop_map(Value::from),
            (-(1_i64 << 53)..(1_i64 << 53)).prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 6, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                proptest::collection::btree_map(any::<String>(), inner, 0..6)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn agrees_with_an_independent_canonicaliser(value in any_json()) {
            let ours = to_vec(&value).unwrap();
            let theirs = serde_json_canonicalizer::to_vec(&value).unwrap();
            prop_assert_eq!(String::from_utf8(ours).unwrap(), String::from_utf8(theirs).unwrap());
        }

        #[test]
        fn a_settled_value_is_what_comes_back(value in any_json()) {
            let back: Value = serde_json::from_slice(&to_vec(&value).unwrap()).unwrap();
            prop_assert_eq!(settled(value).to_string(), back.to_string());
        }

        #[test]
        fn printed_doubles_come_back(x in any::<f64>().prop_filter("finite", |x| x.is_finite())) {
            let text = to_vec(&json!(x)).unwrap();
            let back: f64 = serde_json::from_slice(&text).unwrap();
            prop_assert_eq!(back.to_bits(), (x + 0.0).to_bits());
        }
    }
}
