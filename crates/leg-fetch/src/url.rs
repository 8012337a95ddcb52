//! [`Url`]: an `http` or `https` address that hides its secrets whenever it is shown.

use std::fmt;

use crate::FetchError;
use crate::redact::{REDACTED, is_secret_name};

/// An `http` or `https` address. `Display` and `Debug` hide credentials; [`Url::expose`] does not.
///
/// ```
/// use leg_fetch::Url;
///
/// let url = Url::parse("https://me:pw@example.org/a?api_key=123")?.with_query("place", "New York");
/// assert_eq!(url.to_string(), "https://REDACTED@example.org/a?api_key=REDACTED&place=New%20York");
/// assert_eq!(url.host(), "example.org");
/// # Ok::<(), leg_fetch::FetchError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Url {
    scheme: String,
    user: Option<String>,
    authority: String,
    path: String,
    query: Vec<(String, String)>,
}

impl Url {
    /// Reads an absolute address. A fragment is dropped: no server ever sees it.
    ///
    /// # Errors
    /// [`FetchError::Url`] for another scheme, a missing host, or blanks and control characters.
    pub fn parse(text: &str) -> Result<Self, FetchError> {
        let fail = |reason| FetchError::Url { reason };
        if text.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(fail("it holds blanks or control characters; percent-encode them"));
        }
        let (scheme, rest) =
            text.split_once("://").ok_or_else(|| fail("it has no scheme; write `https://host/path`"))?;
        let scheme = scheme.to_ascii_lowercase();
        if !matches!(scheme.as_str(), "http" | "https") {
            return Err(fail("its scheme is neither `http` nor `https`"));
        }
        let rest = rest.split('#').next().unwrap_or_default();
        let (before, query) = rest.split_once('?').unwrap_or((rest, ""));
        let cut = before.find('/').unwrap_or(before.len());
        let (authority, path) = before.split_at(cut);
        let (user, authority) = match authority.rsplit_once('@') {
            Some((user, authority)) => (Some(user.to_owned()), authority),
            None => (None, authority),
        };
        let url = Self {
            scheme,
            user,
            authority: authority.to_ascii_lowercase(),
            path: if path.is_empty() { "/".to_owned() } else { path.to_owned() },
            query: query.split('&').filter(|pair| !pair.is_empty()).map(pair).collect(),
        };
        if url.host().is_empty() {
            return Err(fail("it has no host; write `https://host/path`"));
        }
        Ok(url)
    }

    /// Adds a query parameter, which is encoded when the address is written.
    #[must_use]
    pub fn with_query(mut self, name: &str, value: impl Into<String>) -> Self {
        self.query.push((name.to_owned(), value.into()));
        self
    }

    /// Adds path segments after the path that is there.
    #[must_use]
    pub fn join(mut self, segments: &str) -> Self {
        while self.path.ends_with('/') {
            self.path.pop();
        }
        for segment in segments.split('/').filter(|segment| !segment.is_empty()) {
            self.path.push('/');
            encode(segment, &mut self.path);
        }
        self
    }

    /// The host, without the port, in small letters.
    pub fn host(&self) -> &str {
        if self.authority.starts_with('[') {
            let end = self.authority.find(']').map_or(self.authority.len(), |at| at + 1);
            return self.authority.get(..end).unwrap_or_default();
        }
        self.authority.split(':').next().unwrap_or_default()
    }

    /// The port; the usual one of the scheme when the address names none, and none when it cannot be read.
    ///
    /// ```
    /// use leg_fetch::Url;
    ///
    /// assert_eq!(Url::parse("https://example.org/a")?.port(), Some(443));
    /// assert_eq!(Url::parse("http://[::1]:8080/a")?.port(), Some(8080));
    /// # Ok::<(), leg_fetch::FetchError>(())
    /// ```
    pub fn port(&self) -> Option<u16> {
        match self.authority.get(self.host().len()..).unwrap_or_default() {
            "" | ":" => Some(if self.is_https() { 443 } else { 80 }),
            named => named.strip_prefix(':').and_then(|port| port.parse().ok()),
        }
    }

    /// Whether the connection is encrypted.
    pub fn is_https(&self) -> bool {
        self.scheme == "https"
    }

    /// Host and port as they stand in the address, in small letters and without credentials.
    pub fn authority(&self) -> &str {
        &self.authority
    }

    /// The path, which starts with `/`.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The decoded query parameters as they stand in the address.
    pub fn query(&self) -> &[(String, String)] {
        &self.query
    }

    /// User name and password as they stand in the address.
    pub(crate) fn user(&self) -> Option<&str> {
        self.user.as_deref()
    }

    /// The whole address with its secrets: for the client that sends the request, never for a log.
    pub fn expose(&self) -> String {
        self.write(self.user.as_deref(), |_, value| value)
    }

    fn write<'a>(&'a self, user: Option<&str>, show: impl Fn(&str, &'a str) -> &'a str) -> String {
        let mut out = format!("{}://", self.scheme);
        if let Some(user) = user {
            out.push_str(user);
            out.push('@');
        }
        out.push_str(&self.authority);
        out.push_str(&self.path);
        for (at, (name, value)) in self.query.iter().enumerate() {
            out.push(if at == 0 { '?' } else { '&' });
            encode(name, &mut out);
            out.push('=');
            encode(show(name, value), &mut out);
        }
        out
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let user = self.user.as_ref().map(|_| REDACTED);
        f.write_str(&self.write(user, |name, value| if is_secret_name(name) { REDACTED } else { value }))
    }
}

impl fmt::Debug for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn pair(text: &str) -> (String, String) {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    (decode(name), decode(value))
}

/// Percent-encodes all but the unreserved characters of RFC 3986.
pub(crate) fn encode(text: &str, out: &mut String) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            out.push('%');
            out.push(char::from(HEX[usize::from(byte >> 4)]));
            out.push(char::from(HEX[usize::from(byte & 15)]));
        }
    }
}

/// Decodes `%41` and `+`; a broken escape stays as it is.
fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let escape = (byte == b'%')
            .then(|| bytes.get(at + 1..at + 3).and_then(|hex| std::str::from_utf8(hex).ok()))
            .flatten()
            .filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()))
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        if let Some(decoded) = escape {
            out.push(decoded);
            at += 3;
        } else {
            out.push(if byte == b'+' { b' ' } else { byte });
            at += 1;
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_query_are_read_alike() {
        let plus = Url::parse("http://h/p?t=20150101+00%3A00&e=").unwrap();
        let percent = Url::parse("HTTP://H/p?t=20150101%2000:00&e#frag").unwrap();
        assert_eq!(plus, percent);
        assert_eq!(plus.expose(), "http://h/p?t=20150101%2000%3A00&e=");
    }

    #[test]
    fn broken_escapes_stay() {
        let url = Url::parse("http://h/?a=100%&b=%zz&c=%+f").unwrap();
        let values: Vec<&str> = url.query().iter().map(|(_, value)| value.as_str()).collect();
        assert_eq!(values, ["100%", "%zz", "% f"]);
    }

    #[test]
    fn host_has_no_port_and_no_user() {
        for (text, host) in [
            ("http://a:b@Example.org:8080", "example.org"),
            ("http://[::1]:80/x", "[::1]"),
            ("http://x@y@z/", "z"),
        ] {
            assert_eq!(Url::parse(text).unwrap().host(), host, "{text}");
        }
    }

    #[test]
    fn refuses_what_is_no_http_address_and_does_not_repeat_it() {
        for bad in
            ["", "example.org", "ftp://h/", "file:///etc/passwd", "http://", "http:///p", "http://h/ x"]
        {
            let error = Url::parse(bad).unwrap_err().to_string();
            assert!(bad.is_empty() || !error.contains(bad), "{error}");
        }
    }

    #[test]
    fn joined_segments_cannot_change_host_or_query() {
        let url = Url::parse("http://h/api/").unwrap().join("stations/a?b=c#d.json");
        assert_eq!(url.expose(), "http://h/api/stations/a%3Fb%3Dc%23d.json");
    }
}
