//! A bucket in memory, and a writer of station files in the classic NetCDF format with unlimited time.

#![allow(dead_code, unreachable_pub, reason = "each test uses its part")]
#![allow(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::collections::BTreeMap;
use std::sync::Mutex;

use async_trait::async_trait;
use leg_fetch::{Fetch, FetchError, Request, Response};

/// Files by the end of their path, served by ranges, with all that was asked.
#[derive(Debug, Default)]
pub struct Bucket {
    pub files: BTreeMap<String, Vec<u8>>,
    /// Sends whole files whatever is asked.
    pub ignores_ranges: bool,
    pub asked: Mutex<Vec<(String, u64)>>,
}

impl Bucket {
    pub fn with(mut self, path: &str, body: impl Into<Vec<u8>>) -> Self {
        self.files.insert(path.to_owned(), body.into());
        self
    }

    /// Bytes that were sent of files whose path ends so.
    pub fn sent(&self, end: &str) -> u64 {
        self.asked.lock().unwrap().iter().filter(|own| own.0.ends_with(end)).map(|own| own.1).sum()
    }

    fn answer(&self, request: &Request) -> Response {
        let query = request.url.query();
        let find = |name: &str| query.iter().find(|own| own.0 == name).map(|own| own.1.as_str());
        if let Some(prefix) = find("prefix") {
            return Response::ok(self.listing(prefix, find("delimiter").is_some()));
        }
        let path = request.url.path().trim_start_matches('/');
        let Some(body) = self.files.iter().find(|own| path.ends_with(own.0.as_str())).map(|own| own.1) else {
            return Response::ok("<Error><Code>NoSuchKey</Code></Error>").with_status(404);
        };
        let range = request.headers.get("range").filter(|_| !self.ignores_ranges);
        let bounds = range.and_then(|range| range.strip_prefix("bytes=")?.split_once('-'));
        let Some((from, to)) = bounds else { return Response::ok(body.clone()) };
        let (from, to): (usize, usize) = (from.parse().unwrap(), to.parse().unwrap());
        if from >= body.len() {
            return Response::ok("").with_status(416);
        }
        let end = (to + 1).min(body.len());
        Response::ok(body[from..end].to_vec())
            .with_status(206)
            .with_header("content-range", format!("bytes {from}-{}/{}", end - 1, body.len()))
    }

    fn listing(&self, prefix: &str, by_folder: bool) -> String {
        let keys = self.files.iter().filter(|own| own.0.starts_with(prefix));
        let entries: Vec<String> = if by_folder {
            keys.filter_map(|own| Some(format!("{}/", own.0.rsplit_once('/')?.0)))
                .map(|folder| format!("<CommonPrefixes><Prefix>{folder}</Prefix></CommonPrefixes>"))
                .collect()
        } else {
            keys.map(|own| format!("<Contents><Key>{}</Key><Size>{}</Size></Contents>", own.0, own.1.len()))
                .collect()
        };
        format!("<ListBucketResult>{}<IsTruncated>false</IsTruncated></ListBucketResult>", entries.concat())
    }
}

#[async_trait]
impl Fetch for Bucket {
    async fn fetch(&self, request: Request) -> Result<Response, FetchError> {
        let answer = self.answer(&request);
        self.asked.lock().unwrap().push((request.url.path().to_owned(), answer.body.len() as u64));
        Ok(answer)
    }
}

/// A station file: times in seconds since `base`, and for each station its text, longitude, latitude and levels.
pub fn station_file(base: &str, times: &[f64], stations: &[(&str, f64, f64, Vec<f64>)]) -> Vec<u8> {
    let (n, width) = (u32::try_from(stations.len()).unwrap(), 50_u32);
    let units = format!("seconds since {base}        ! NCDASE - BASE_DAT");
    let head = |begins: [u32; 5]| -> Vec<u8> {
        let mut out = b"CDF\x01".to_vec();
        let int = |out: &mut Vec<u8>, value: u32| out.extend(value.to_be_bytes());
        let text = |out: &mut Vec<u8>, text: &str| {
            out.extend(u32::try_from(text.len()).unwrap().to_be_bytes());
            out.extend(text.as_bytes());
            out.resize(out.len().next_multiple_of(4), 0);
        };
        int(&mut out, u32::try_from(times.len()).unwrap());
        int(&mut out, 0x0A);
        int(&mut out, 3);
        for (name, length) in [("time", 0), ("station", n), ("namelen", width)] {
            text(&mut out, name);
            int(&mut out, length);
        }
        out.extend([0; 8]);
        int(&mut out, 0x0B);
        int(&mut out, 5);
        let variables: [(&str, &[u32], u32, u32); 5] = [
            ("station_name", &[1, 2], 2, n * width),
            ("x", &[1], 6, 8 * n),
            ("y", &[1], 6, 8 * n),
            ("time", &[0], 6, 8),
            ("zeta", &[0, 1], 6, 8 * n),
        ];
        for ((name, dims, kind, size), begin) in variables.into_iter().zip(begins) {
            text(&mut out, name);
            int(&mut out, u32::try_from(dims.len()).unwrap());
            for dim in dims {
                int(&mut out, *dim);
            }
            if name == "time" {
                int(&mut out, 0x0C);
                int(&mut out, 1);
                text(&mut out, "units");
                int(&mut out, 2);
                text(&mut out, &units);
            } else {
                out.extend([0; 8]);
            }
            int(&mut out, kind);
            int(&mut out, size.next_multiple_of(4));
            int(&mut out, begin);
        }
        out
    };
    let start = u32::try_from(head([0; 5]).len()).unwrap();
    let names = (n * width).next_multiple_of(4);
    let records = start + names + 16 * n;
    let mut out = head([start, start + names, start + names + 8 * n, records, records + 8]);
    for own in stations {
        out.extend(format!("{:<50}", own.0).as_bytes());
    }
    out.resize((start + names) as usize, 0);
    out.extend(stations.iter().flat_map(|own| own.1.to_be_bytes()));
    out.extend(stations.iter().flat_map(|own| own.2.to_be_bytes()));
    for (at, time) in times.iter().enumerate() {
        out.extend(time.to_be_bytes());
        out.extend(stations.iter().flat_map(|own| own.3[at].to_be_bytes()));
    }
    out
}
