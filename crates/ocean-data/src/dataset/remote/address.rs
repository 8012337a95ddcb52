//! Addresses of objects on servers.

/// `https://host/path?query`, `http://…` or `s3://bucket/key`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) scheme: String,
    /// Host with port, or bucket.
    pub(crate) host: String,
    /// Without a slash at either end.
    pub(crate) path: String,
    /// What follows a `?`: it may be a secret.
    pub(crate) query: Option<String>,
}

impl Address {
    /// Reads an address; says what is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (scheme, rest) = text.split_once("://").ok_or("it has no scheme")?;
        let scheme = scheme.to_ascii_lowercase();
        if !matches!(scheme.as_str(), "http" | "https" | "s3") {
            return Err(format!("its scheme is `{scheme}`; give https, http or s3"));
        }
        let rest = rest.split('#').next().unwrap_or_default();
        let (place, query) = match rest.split_once('?') {
            Some((place, query)) => (place, Some(query.to_owned())),
            None => (rest, None),
        };
        let (host, path) = place.split_once('/').unwrap_or((place, ""));
        if host.is_empty() {
            return Err("it has no host".to_owned());
        }
        if host.contains('@') {
            return Err("it holds a user or a password; leave them out".to_owned());
        }
        if text.chars().any(|letter| letter.is_whitespace() || letter.is_control()) {
            return Err("it holds blanks; write them as %20".to_owned());
        }
        let host = if scheme == "s3" { host.to_owned() } else { host.to_ascii_lowercase() };
        Ok(Self { scheme, host, path: path.trim_matches('/').to_owned(), query })
    }

    /// The name of what is at the end of the path.
    pub(crate) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// The folder that the object is in, with its scheme and host.
    pub(crate) fn folder(&self) -> String {
        let folder = self.path.rsplit_once('/').map_or("", |parts| parts.0);
        let slash = if folder.is_empty() { "" } else { "/" };
        format!("{}://{}{slash}{folder}", self.scheme, self.host)
    }

    /// All but the query: what may be shown.
    pub(crate) fn shown(&self) -> String {
        format!("{}://{}/{}", self.scheme, self.host, self.path)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn parts_are_told_apart() {
        let address = Address::parse("HTTPS://Data.example:8080/a/b%20c.nc?token=1#top").unwrap();
        assert_eq!(
            (address.host.as_str(), address.path.as_str(), address.name()),
            ("data.example:8080", "a/b%20c.nc", "b%20c.nc")
        );
        assert_eq!(address.query.as_deref(), Some("token=1"));
        assert_eq!(address.shown(), "https://data.example:8080/a/b%20c.nc");
        assert_eq!(address.folder(), "https://data.example:8080/a");
        assert_eq!(Address::parse("s3://Bucket/x.zarr/").unwrap().path, "x.zarr");
        assert_eq!(Address::parse("s3://b/x").unwrap().folder(), "s3://b");
    }

    #[test]
    fn what_cannot_be_used_is_told() {
        for (text, word) in [
            ("ftp://h/x", "ftp"),
            ("https:///x", "no host"),
            ("https://me:pw@h/x", "password"),
            ("https://h/a b", "%20"),
            ("h/x", "no scheme"),
        ] {
            let error = Address::parse(text).unwrap_err();
            assert!(error.contains(word) && !error.contains("pw"), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn any_text_ends_without_a_panic(text in "\\PC{0,30}") {
            let _ = Address::parse(&text);
            let _ = Address::parse(&format!("http://{text}"));
        }
    }
}
