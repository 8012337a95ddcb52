//! The cache in front of the loopback server.
#![cfg(all(feature = "reqwest", feature = "serve"))]
#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use leg_core::FixedClock;
use leg_fetch::{
    CACHE_HEADER, Cache, Fetch as _, HostPolicy, HttpFetch, Lifetime, Lifetimes, Request, Response, Scripted,
    Server, lifetime_by, respond_with,
};
use tempfile::TempDir;

/// A cache of one minute; `/forever` and `/never` are as they are called.
struct Bench {
    clock: Arc<FixedClock>,
    folder: TempDir,
    version: Arc<AtomicU32>,
    server: Server,
    cache: Cache,
}

impl Bench {
    async fn new() -> Self {
        let version = Arc::new(AtomicU32::new(1));
        let now = Arc::clone(&version);
        let respond = respond_with(move |request| {
            let version = now.load(Ordering::SeqCst);
            let response = Response::ok(format!("body {version}")).with_header(CACHE_HEADER, "hit");
            match request.url.path() {
                "/tagged" => response.with_header("etag", format!("\"{version}\"")),
                "/dated" => {
                    let date = "Sun, 06 Nov 1994 08:49:37 GMT";
                    let unchanged = request.header("if-modified-since") == Some(date) && version == 1;
                    response.with_status(if unchanged { 304 } else { 200 }).with_header("last-modified", date)
                }
                "/flaky" => response
                    .with_status(if version == 2 { 503 } else { 200 })
                    .with_header("etag", "\"always\""),
                "/broken" => response.with_status(503),
                "/missing" => response.with_status(404),
                "/echo" => Response::ok(format!("{:?}", request.url.query())),
                _ => response,
            }
        });
        let server = Server::start(([127, 0, 0, 1], 0), respond).await.unwrap();
        let policy = HostPolicy::new().allow_private("127.0.0.1").unwrap();
        let http = Arc::new(HttpFetch::builder(policy).build().unwrap());
        let lifetimes = Lifetimes::new(Lifetime::For(Duration::from_mins(1)))
            .with("127.0.0.1", "/forever", Lifetime::Forever)
            .with("127.0.0.1", "/never", Lifetime::Never);
        let clock = Arc::new(FixedClock::at(1_000_000_000_000));
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("made/when/needed");
        let cache = Cache::new(http, inside, Arc::new(lifetimes)).with_clock(Arc::clone(&clock) as _);
        Self { clock, folder, version, server, cache }
    }

    fn get(&self, path: &str) -> Request {
        Request::get(self.server.url().join(path))
    }

    /// Status, body, where it came from, and how often the server was asked so far.
    async fn ask(&self, request: Request) -> (u16, String, Option<String>, usize) {
        let response = self.cache.fetch(request).await.unwrap();
        let text = String::from_utf8(response.body.to_vec()).unwrap();
        (response.status, text, response.header(CACHE_HEADER).map(str::to_owned), self.server.log().len())
    }

    async fn check(&self, path: &str, body: &str, from: Option<&str>, asked: usize) {
        let said = self.ask(self.get(path)).await;
        assert_eq!(said, (200, body.to_owned(), from.map(str::to_owned), asked), "{path}");
    }

    fn pass(&self, seconds: i64) {
        self.clock.advance(seconds * 1_000_000_000);
    }

    fn files(&self) -> Vec<std::path::PathBuf> {
        let folder = self.folder.path().join("made/when/needed");
        fs::read_dir(folder).map(|files| files.map(|file| file.unwrap().path()).collect()).unwrap_or_default()
    }
}

#[tokio::test]
async fn an_answer_is_taken_as_it_is_for_its_lifetime() {
    let bench = Bench::new().await;
    bench.check("plain", "body 1", None, 1).await;
    bench.version.store(2, Ordering::SeqCst);
    bench.pass(59);
    bench.check("plain", "body 1", Some("hit"), 1).await;
    bench.pass(1);
    bench.check("plain", "body 2", None, 2).await;
    bench.check("plain", "body 2", Some("hit"), 2).await;

    bench.check("forever", "body 2", None, 3).await;
    bench.version.store(3, Ordering::SeqCst);
    bench.pass(1_000_000_000);
    bench.check("forever", "body 2", Some("hit"), 3).await;
    for asked in 4..6 {
        bench.check("never", "body 3", None, asked).await;
    }
}

#[tokio::test]
async fn an_old_answer_is_asked_for_by_its_validator() {
    for path in ["tagged", "dated"] {
        let bench = Bench::new().await;
        bench.check(path, "body 1", None, 1).await;
        bench.pass(60);
        bench.check(path, "body 1", Some("revalidated"), 2).await;
        assert_eq!(bench.server.log()[1].status, 304);
        bench.pass(59);
        bench.check(path, "body 1", Some("hit"), 2).await;
        bench.pass(60);
        bench.version.store(2, Ordering::SeqCst);
        bench.check(path, "body 2", None, 3).await;
        bench.check(path, "body 2", Some("hit"), 3).await;
        assert_eq!(bench.files().len(), 1);
    }
}

#[tokio::test]
async fn errors_posts_and_personal_answers_are_not_kept() {
    let bench = Bench::new().await;
    let post = || Request::post(bench.server.url(), "body");
    let personal = || bench.get("tagged").with_header("authorization", "Bearer canary-header");
    let own_question = || bench.get("tagged").with_header("if-none-match", "\"9\"");
    let repeating = || Request::get(bench.server.url().join("echo").with_query("token", "canary-query"));
    for request in
        [bench.get("broken"), bench.get("missing"), post(), personal(), own_question(), repeating()]
    {
        let before = bench.server.log().len();
        for more in 1..3 {
            let (_, _, from, asked) = bench.ask(request.clone()).await;
            assert_eq!((from, asked), (None, before + more), "{request:?}");
        }
    }
    assert!(bench.files().is_empty());
    assert_eq!(bench.cache.write_failures(), 0);

    bench.check("flaky", "body 1", None, 13).await;
    bench.pass(60);
    bench.version.store(2, Ordering::SeqCst);
    assert_eq!(bench.ask(bench.get("flaky")).await, (503, "body 2".into(), None, 14));
    bench.version.store(3, Ordering::SeqCst);
    // The error did not destroy what was kept.
    bench.check("flaky", "body 1", Some("revalidated"), 15).await;
}

#[tokio::test]
async fn a_broken_file_is_asked_for_again() {
    let bench = Bench::new().await;
    bench.check("tagged", "body 1", None, 1).await;
    let files = bench.files();
    for broken in [b"".as_slice(), b"{}", b"{}\n", b"\xff\xfe\n\n\n"] {
        let asked = bench.server.log().len();
        fs::write(&files[0], broken).unwrap();
        bench.check("tagged", "body 1", None, asked + 1).await;
        bench.check("tagged", "body 1", Some("hit"), asked + 1).await;
    }
    assert_eq!(bench.files(), files);
}

#[tokio::test]
async fn each_range_is_kept_for_itself() {
    let bench = Bench::new().await;
    let part = |range: &str| bench.get("tagged").with_header("range", range);
    assert_eq!(bench.ask(part("bytes=0-3")).await, (206, "body".into(), None, 1));
    assert_eq!(bench.ask(part("bytes=5-5")).await, (206, "1".into(), None, 2));
    assert_eq!(bench.ask(bench.get("tagged")).await, (200, "body 1".into(), None, 3));
    assert_eq!(bench.ask(part("bytes=0-3")).await, (206, "body".into(), Some("hit".into()), 3));
    assert_eq!(
        bench.cache.fetch(part("bytes=5-5")).await.unwrap().header("content-range"),
        Some("bytes 5-5/6")
    );
    bench.pass(60);
    assert_eq!(bench.ask(part("bytes=0-3")).await, (206, "body".into(), Some("revalidated".into()), 4));
    assert_eq!(bench.ask(part("bytes=99-")).await.0, 416);
    assert_eq!(bench.files().len(), 3);
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "in the way").unwrap();
    let request = Request::get(leg_fetch::Url::parse("https://h/").unwrap());
    let inner = Arc::new(Scripted::new("script").answer(&request, Response::ok("data")));
    let cache = Cache::new(Arc::clone(&inner) as _, file, lifetime_by(|_| Lifetime::Forever));
    for asked in 1..3 {
        assert_eq!(cache.fetch(request.clone()).await.unwrap().body, "data");
        assert_eq!((inner.asked().len(), cache.write_failures()), (asked, asked as u64));
    }
}

#[tokio::test]
async fn many_at_once_leave_whole_files_only() {
    let bench = Bench::new().await;
    let cache = Arc::new(bench.cache);
    let mut running = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let (cache, request) = (Arc::clone(&cache), Request::get(bench.server.url().join("tagged")));
        running.spawn(async move { cache.fetch(request).await.unwrap().body });
    }
    while let Some(body) = running.join_next().await {
        assert_eq!(body.unwrap(), "body 1");
    }
    assert_eq!(fs::read_dir(bench.folder.path().join("made/when/needed")).unwrap().count(), 1);
    assert_eq!(cache.write_failures(), 0);
}

#[tokio::test]
async fn it_keeps_what_every_fetch_must() {
    let folder = tempfile::tempdir().unwrap();
    leg_testkit::conformance::fetch(|inner| {
        Arc::new(Cache::new(inner, folder.path(), lifetime_by(|_| Lifetime::Forever)))
    })
    .await;
}
