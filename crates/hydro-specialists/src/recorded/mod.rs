//! [`Recorded`]: answers of the services out of a folder of recordings, so that everything can be tried without them.
//!
//! A folder has an `INDEX.toml` that names, for each file, the service and the request that it answers. A request need not be
//! the recorded one to the letter: what decides about the meaning of an answer (station, product, datum, units, event, place)
//! must agree, dates must overlap, and all else (names of clients, lists of fields, limits) may differ. What cannot be answered
//! from the folder is a 404 that says so; nothing is made up. Derived answers are parts or unions of recorded ones: a block of
//! an expanded station, the marks of one event out of two files, the listing of a bucket.

mod asked;
mod coops;
mod fema;
mod index;
mod nhc;
mod osm;
mod series;
mod stofs;
mod usgs;

use std::path::Path;

use async_trait::async_trait;
use leg_fetch::{Fetch, FetchError, Request, Response, Url};
use serde_json::json;

use asked::Asked;
pub use index::RecordedError;
use index::{Fixture, Index};

/// Answers of the services out of a folder of recordings.
///
/// As a [`Fetch`] it answers for [`Addresses::below`](crate::Addresses::below) [`Recorded::address`].
#[derive(Debug, Clone)]
pub struct Recorded {
    index: Index,
    preferred: Vec<String>,
}

impl Recorded {
    /// Reads a folder with its `INDEX.toml`.
    ///
    /// # Errors
    /// [`RecordedError`] when the index or a file that it names cannot be read.
    pub fn open(folder: &Path) -> Result<Self, RecordedError> {
        Ok(Self { index: Index::open(folder)?, preferred: Vec::new() })
    }

    /// Of several files that answer a request, these come first.
    #[must_use]
    pub fn preferring<S: Into<String>>(mut self, files: impl IntoIterator<Item = S>) -> Self {
        self.preferred = files.into_iter().map(Into::into).collect();
        self
    }

    /// The address that it answers for when it is used without a server.
    ///
    /// # Errors
    /// Never: the address is one.
    pub fn address() -> Result<Url, FetchError> {
        Url::parse("http://recorded.invalid")
    }

    /// Answers a request for `/<service>/<path>?<query>`.
    pub fn answer(&self, request: &Request) -> Response {
        let Some(asked) = Asked::of(request) else { return Self::nothing("no service is named") };
        let found = match asked.service {
            "nhc" | "nhc_ftp" | "nhc_maps" => nhc::answer(self, &asked),
            "coops" => coops::answer(self, &asked),
            "usgs_stn" | "usgs_ogc" | "usgs_nwis" | "usgs_nwis_peak" => usgs::answer(self, &asked),
            "fema" => fema::answer(self, &asked),
            "stofs" | "stofs_3d" => stofs::answer(self, &asked),
            "osm_tiles" | "osm_imagery" | "osm_places" => osm::answer(self, &asked),
            _ => None,
        };
        found.unwrap_or_else(|| Self::nothing(&format!("{}/{}", asked.service, asked.path)))
    }

    /// The service whose answer a file is, by the short name of the index.
    pub fn service_of(&self, file: &str) -> Option<&str> {
        self.index
            .fixtures
            .iter()
            .find(|fixture| fixture.file == file)
            .map(|fixture| fixture.service.as_str())
    }

    /// The files of a service, preferred ones first, else in the order of the index.
    fn of(&self, service: &str) -> Vec<&Fixture> {
        let mut all: Vec<&Fixture> =
            self.index.fixtures.iter().filter(|fixture| fixture.service == service).collect();
        all.sort_by_key(|fixture| !self.is_preferred(fixture));
        all
    }

    fn is_preferred(&self, fixture: &Fixture) -> bool {
        self.preferred.contains(&fixture.file)
    }

    fn nothing(what: &str) -> Response {
        let body = json!({ "recorded": false, "message": format!("nothing is recorded for {what}") });
        Response::json(body.to_string()).with_status(404)
    }
}

#[async_trait]
impl Fetch for Recorded {
    async fn fetch(&self, request: Request) -> Result<Response, FetchError> {
        let response = self.answer(&request);
        Ok(match request.headers.get("range") {
            Some(range) if response.status == 200 => part(&response, range),
            _ => response,
        })
    }
}

#[cfg(feature = "serve")]
impl leg_fetch::Respond for Recorded {
    fn respond(&self, request: &Request) -> Response {
        self.answer(request)
    }
}

/// The part of a body that a `Range` header asks for.
fn part(response: &Response, range: &str) -> Response {
    let whole = response.body.len() as u64;
    let bounds = range.strip_prefix("bytes=").and_then(|range| range.split_once('-'));
    let bounds = bounds.and_then(|(from, to)| match (from.parse::<u64>(), to.parse::<u64>()) {
        (Ok(from), Ok(to)) => Some((from, to.saturating_add(1).min(whole))),
        (Ok(from), Err(_)) if to.is_empty() => Some((from, whole)),
        (Err(_), Ok(last)) if from.is_empty() => Some((whole.saturating_sub(last), whole)),
        _ => None,
    });
    let Some((from, to)) = bounds.filter(|(from, to)| from < to) else {
        return Response::ok(Vec::new()).with_status(416);
    };
    let (Ok(begin), Ok(end)) = (usize::try_from(from), usize::try_from(to)) else {
        return Response::ok(Vec::new()).with_status(416);
    };
    let mut answer = response.clone().with_status(206);
    answer.body = response.body.slice(begin..end);
    answer.with_header("content-range", format!("bytes {from}-{}/{whole}", to - 1))
}

/// Whether a path ends with `.extension`.
fn is_a(path: &str, extension: &str) -> bool {
    Path::new(path).extension().is_some_and(|own| own.eq_ignore_ascii_case(extension))
}

/// A file as an answer, with the content type of its name.
fn whole(fixture: &Fixture) -> Response {
    let kind = match fixture.file.rsplit('.').next() {
        Some("json" | "geojson") => "application/json",
        Some("png") => "image/png",
        Some("xml") => "application/xml",
        Some("nc") => "application/x-netcdf",
        _ => "text/plain",
    };
    Response::ok(fixture.body.clone()).with_header("content-type", kind)
}
