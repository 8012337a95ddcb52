//! [`Respond`]: what a [`Server`](crate::Server) answers.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

use crate::{Method, Request, Response};

/// Answers the requests of a [`Server`](crate::Server).
///
/// An answer of status 200 to GET is enough: the server makes HEAD, one range of bytes (206, 416) and an unchanged
/// `ETag` (304) out of it.
pub trait Respond: Send + Sync + fmt::Debug {
    /// The answer. It is called on a thread that serves others too: it must not wait.
    fn respond(&self, request: &Request) -> Response;
}

/// Answers by a function.
///
/// ```
/// use leg_fetch::{Request, Response, Url, respond_with};
///
/// let respond = respond_with(|request| match request.url.path() {
///     "/levels" => Response::json("[1.5]"),
///     _ => Response::ok("no such page").with_status(404),
/// });
/// assert_eq!(respond.respond(&Request::get(Url::parse("http://h/other")?)).status, 404);
/// # Ok::<(), leg_fetch::FetchError>(())
/// ```
pub fn respond_with(answer: impl Fn(&Request) -> Response + Send + Sync + 'static) -> Arc<dyn Respond> {
    Arc::new(ByFunction(answer))
}

struct ByFunction<F>(F);

impl<F> fmt::Debug for ByFunction<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ByFunction")
    }
}

impl<F: Fn(&Request) -> Response + Send + Sync> Respond for ByFunction<F> {
    fn respond(&self, request: &Request) -> Response {
        (self.0)(request)
    }
}

/// The answer to `request` from the whole one: unchanged, a part, or as it is. The body of an answer to HEAD stays:
/// its length is sent.
pub(crate) fn negotiate(request: &Request, whole: Response) -> Response {
    if whole.status != 200 || request.method == Method::Post {
        return whole;
    }
    let etag = whole.header("etag");
    let asked = request.header("if-none-match").unwrap_or_default();
    if etag.is_some_and(|etag| asked.split(',').any(|one| one.trim() == etag)) {
        return Response { status: 304, body: Bytes::new(), ..whole };
    }
    // A range of a version that the client does not have any more would not fit to what it has.
    let same = request.header("if-range").is_none_or(|version| Some(version) == etag);
    let range = request.header("range").filter(|_| same).and_then(|text| text.strip_prefix("bytes="));
    let total = whole.body.len();
    let whole = whole.with_header("accept-ranges", "bytes");
    match range.map_or(Range::All, |text| Range::parse(text, total)) {
        Range::All => whole,
        Range::None => Response { status: 416, body: Bytes::new(), ..whole }
            .with_header("content-range", format!("bytes */{total}")),
        Range::Part(from, to) => Response { status: 206, body: whole.body.slice(from..to), ..whole }
            .with_header("content-range", format!("bytes {from}-{}/{total}", to - 1)),
    }
}

/// Which bytes are sent.
#[derive(Debug, PartialEq, Eq)]
enum Range {
    /// All: none is asked for, or in a way that servers may ignore.
    All,
    /// From the first to before the second.
    Part(usize, usize),
    /// The body has none of those.
    None,
}

impl Range {
    fn parse(text: &str, total: usize) -> Self {
        let Some((from, to)) = text.split_once('-').filter(|_| !text.contains(',')) else { return Self::All };
        let (from, to) = match (from.trim().parse(), to.trim().parse::<usize>()) {
            (Ok(from), Ok(last)) if last >= from => (from, last.saturating_add(1).min(total)),
            (Ok(from), Err(_)) if to.trim().is_empty() => (from, total),
            (Err(_), Ok(last)) if from.trim().is_empty() => (total.saturating_sub(last), total),
            _ => return Self::All,
        };
        if from < to { Self::Part(from, to) } else { Self::None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Url;

    #[test]
    fn ranges_are_read_as_rfc_9110_has_them() {
        for (text, range) in [
            ("0-0", Range::Part(0, 1)),
            ("2-4", Range::Part(2, 5)),
            ("2-", Range::Part(2, 10)),
            ("-3", Range::Part(7, 10)),
            ("-30", Range::Part(0, 10)),
            ("8-99", Range::Part(8, 10)),
            ("10-", Range::None),
            ("-0", Range::None),
            ("4-2", Range::All),
            ("0-1,3-4", Range::All),
            ("a-b", Range::All),
            ("", Range::All),
            ("0-18446744073709551615", Range::Part(0, 10)),
        ] {
            assert_eq!(Range::parse(text, 10), range, "{text}");
        }
    }

    #[test]
    fn a_part_of_another_version_is_the_whole() {
        let url = Url::parse("http://h/").unwrap();
        let whole = || Response::ok("0123456789").with_header("etag", "\"2\"");
        let asked = Request::get(url).with_header("range", "bytes=2-3");
        assert_eq!(negotiate(&asked, whole()).body, "23");
        assert_eq!(negotiate(&asked.clone().with_header("if-range", "\"2\""), whole()).status, 206);
        assert_eq!(negotiate(&asked.with_header("if-range", "\"1\""), whole()).status, 200);
    }
}
