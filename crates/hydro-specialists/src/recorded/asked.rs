//! [`Asked`]: a request, taken apart.

use jiff::civil::DateTime;
use leg_fetch::Request;

use super::index::Fixture;
use crate::Moment;

/// A request, taken apart.
#[derive(Debug)]
pub(super) struct Asked<'a> {
    pub service: &'a str,
    pub path: &'a str,
    pub query: &'a [(String, String)],
}

impl<'a> Asked<'a> {
    pub(super) fn of(request: &'a Request) -> Option<Self> {
        let path = request.url.path().trim_start_matches('/');
        let (service, path) = path.split_once('/').unwrap_or((path, ""));
        Some(Self { service, path, query: request.url.query() }).filter(|asked| !asked.service.is_empty())
    }

    /// A parameter, by its name in any letter case.
    pub(super) fn get(&self, name: &str) -> Option<&'a str> {
        value(self.query, name)
    }
}

impl Fixture {
    /// A parameter of the recorded request.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        value(&self.query, name)
    }

    /// The body as JSON, if it is some.
    pub(super) fn json(&self) -> Option<serde_json::Value> {
        serde_json::from_slice(&self.body).ok()
    }
}

fn value<'a>(query: &'a [(String, String)], name: &str) -> Option<&'a str> {
    query.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}

/// Whether each of some parameters is the same in both, or has its default in the one that leaves it out.
pub(super) fn agree(asked: &Asked<'_>, fixture: &Fixture, names: &[(&str, &str)]) -> bool {
    names.iter().all(|(name, default)| {
        asked.get(name).unwrap_or(default).eq_ignore_ascii_case(fixture.get(name).unwrap_or(default))
    })
}

/// From the first to the last minute that two parameters name.
pub(super) fn window(begin: Option<&str>, end: Option<&str>) -> Option<(DateTime, DateTime)> {
    let begin: Moment = read(begin?)?;
    let end: Moment = end.map_or(Some(begin), read)?;
    Some((begin.first(), end.last()))
}

fn read(text: &str) -> Option<Moment> {
    text.replace('+', " ").parse().ok()
}

/// By how much two windows overlap, in minutes; `None` when they do not.
pub(super) fn overlap(a: (DateTime, DateTime), b: (DateTime, DateTime)) -> Option<i64> {
    let (from, to) = (a.0.max(b.0), a.1.min(b.1));
    (from <= to).then(|| from.duration_until(to).as_mins())
}
