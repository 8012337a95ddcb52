//! The wrappers around the client against the loopback server, counted by the log of the server.
#![cfg(all(feature = "reqwest", feature = "serve"))]
#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::sync::Arc;
use std::time::Duration;

use leg_core::{Clock, FixedClock};
use leg_fetch::{
    Faults, Fetch, FetchError, HostPolicy, HttpFetch, NoSleep, Rate, Request, Response, Server, StackBuilder,
    Url, respond_with,
};
use tokio::task::JoinSet;

const ANY: ([u8; 4], u16) = ([127, 0, 0, 1], 0);

fn policy() -> HostPolicy {
    HostPolicy::new().allow_private("127.0.0.1").unwrap()
}

/// A stack whose waits move the clock and take no time.
struct Bench {
    clock: Arc<FixedClock>,
    sleep: Arc<NoSleep>,
    server: Server,
}

impl Bench {
    async fn new(faults: &str) -> Self {
        let clock = Arc::new(FixedClock::at(1_000_000_000_000));
        let respond = respond_with(|request| Response::ok(request.url.path().to_owned()));
        let server = Server::builder()
            .faults(faults.parse().unwrap())
            .clock(Arc::clone(&clock) as Arc<dyn Clock>)
            .start(ANY, respond)
            .await
            .unwrap();
        Self { sleep: Arc::new(NoSleep::new(Arc::clone(&clock))), clock, server }
    }

    fn stack(&self) -> StackBuilder {
        let http = HttpFetch::builder(policy()).timeout(Duration::from_millis(200)).build().unwrap();
        StackBuilder::new(Arc::new(http), policy(), 7)
            .clock(Arc::clone(&self.clock) as _)
            .sleep(Arc::clone(&self.sleep) as _)
    }

    fn get(&self, path: &str) -> Request {
        Request::get(self.server.url().join(path))
    }

    fn asked(&self) -> usize {
        self.server.log().len()
    }
}

/// Sends requests for `0`, `1`, … all at once.
async fn together(bench: &Bench, fetch: &Arc<dyn Fetch>, count: usize) {
    let mut running = JoinSet::new();
    for number in 0..count {
        let (fetch, request) = (Arc::clone(fetch), bench.get(&number.to_string()));
        running.spawn(async move { fetch.fetch(request).await.unwrap() });
    }
    while let Some(done) = running.join_next().await {
        done.unwrap();
    }
}

#[tokio::test]
async fn tries_are_bounded_for_every_failure_that_may_pass() {
    for (faults, said) in [
        ("429=1;retry-after=0", Ok(429)),
        ("500=1", Ok(500)),
        ("502=1", Ok(502)),
        ("503=1;retry-after=1", Ok(503)),
        ("504=1", Ok(504)),
        ("cut=1", Err(FetchError::Cut { host: "127.0.0.1".into(), received: 1 })),
        ("timeout=1", Err(FetchError::Timeout { host: "127.0.0.1".into(), seconds: 1 })),
    ] {
        let bench = Bench::new(faults).await;
        let fetch = bench.stack().build();
        let answer = fetch.fetch(bench.get("ab")).await.map(|response| response.status);
        assert_eq!(answer, said, "{faults}");
        assert_eq!((bench.asked(), bench.sleep.slept().len()), (3, 2), "{faults}");
    }
    for (faults, status) in [("501=1", 501), ("404=1", 404), ("html=1", 200)] {
        let bench = Bench::new(faults).await;
        assert_eq!(bench.stack().build().fetch(bench.get("a")).await.unwrap().status, status);
        assert_eq!(bench.asked(), 1, "{faults}");
    }
    let bench = Bench::new("").await;
    let (fetch, gone) = (bench.stack().build(), bench.get("a"));
    drop(bench.server);
    let error = fetch.fetch(gone).await.unwrap_err();
    assert!(matches!(error, FetchError::Unreachable { .. }), "{error}");
    assert_eq!(bench.sleep.slept().len(), 2);

    let bench = Bench::new("503=1").await;
    let post = Request::post(bench.server.url(), "body");
    assert_eq!(bench.stack().build().fetch(post).await.unwrap().status, 503);
    assert_eq!(bench.asked(), 1, "nobody knows what the first try did");
}

#[tokio::test]
async fn the_pause_that_the_server_asks_for_is_kept() {
    let bench = Bench::new("503=1;retry-after=9").await;
    bench.stack().build().fetch(bench.get("a")).await.unwrap();
    assert_eq!(bench.sleep.slept(), [Duration::from_secs(9); 2]);
    let at: Vec<i64> =
        bench.server.log().iter().map(|entry| (entry.at_nanos - 1_000_000_000_000) / 1_000_000_000).collect();
    assert_eq!(at, [0, 9, 18]);

    let bench = Bench::new("429=1;retry-after=3600").await;
    let error = bench.stack().build().fetch(bench.get("a")).await.unwrap_err();
    assert_eq!(error, FetchError::Busy { host: "127.0.0.1".into(), seconds: 3_600 });
    assert_eq!((bench.asked(), bench.sleep.slept().len()), (1, 0));
}

#[tokio::test]
async fn a_dropped_request_is_not_tried_again() {
    let bench = Bench::new("timeout=1").await;
    let fetch = bench.stack().build();
    tokio::time::timeout(Duration::from_millis(50), fetch.fetch(bench.get("a"))).await.unwrap_err();
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(bench.asked(), 1);
}

#[tokio::test]
async fn no_more_than_allowed_are_under_way() {
    for limit in [1, 2, 3] {
        let bench = Bench::new("delay=20ms").await;
        let fetch = bench.stack().default_rate(Rate { concurrent: limit, ..Rate::default() }).build();
        // The wait of the server is real.
        let server = Server::builder()
            .faults("delay=20ms".parse().unwrap())
            .start(ANY, respond_with(|_| Response::ok("data")))
            .await
            .unwrap();
        let bench = Bench { server, ..bench };
        together(&bench, &fetch, 8).await;
        let most = bench.server.log().iter().map(|entry| entry.concurrent).max();
        assert_eq!((bench.asked(), most), (8, Some(limit)));
    }
}

#[tokio::test]
async fn requests_come_at_the_rate_and_retries_count() {
    let bench = Bench::new("").await;
    let one_by_one = Rate { concurrent: 1, per_second: Some(2.0), burst: 1 };
    let fetch = bench.stack().rate("127.0.0.1", one_by_one).build();
    together(&bench, &fetch, 6).await;
    let at: Vec<i64> =
        bench.server.log().iter().map(|entry| entry.at_nanos / 1_000_000 - 1_000_000).collect();
    assert_eq!(at, [0, 500, 1_000, 1_500, 2_000, 2_500]);

    let bench = Bench::new("503=1;retry-after=0").await;
    let slow = Rate { concurrent: 1, per_second: Some(0.1), burst: 1 };
    bench.stack().rate("127.0.0.1", slow).build().fetch(bench.get("a")).await.unwrap();
    let at: Vec<i64> =
        bench.server.log().iter().map(|entry| entry.at_nanos / 1_000_000_000 - 1_000).collect();
    assert_eq!(at, [0, 10, 20]);
}

#[tokio::test]
async fn a_host_outside_the_list_is_not_asked_nor_tried_again() {
    let bench = Bench::new("").await;
    let fetch = bench.stack().build();
    let error = fetch.fetch(Request::get(Url::parse("http://localhost/").unwrap())).await.unwrap_err();
    assert!(matches!(error, FetchError::Refused { .. }), "{error}");
    assert!(bench.asked() == 0 && bench.sleep.slept().is_empty());
}

#[tokio::test]
async fn faults_of_the_wrapper_look_like_those_of_the_wire() {
    for faults in ["429=1;retry-after=1", "503=1;retry-after=0", "500=1", "html=1", "garbage=1;seed=3"] {
        let bench = Bench::new("").await;
        let wrapped = bench.stack().tries(1).faults(faults.parse().unwrap()).build();
        let wired = Bench::new(faults).await;
        let one = wrapped.fetch(bench.get("a")).await.unwrap();
        let mut two = wired.stack().tries(1).build().fetch(wired.get("a")).await.unwrap();
        two.headers.remove("content-length");
        let headers = |response: &Response| {
            let mut headers = response.headers.clone();
            headers.remove("content-length");
            headers
        };
        assert_eq!(
            (one.status, &one.body, headers(&one)),
            (two.status, &two.body, headers(&two)),
            "{faults}"
        );
    }
    for faults in ["timeout=1", "drip=1", "delay=31s"] {
        let bench = Bench::new("").await;
        let faults = Faults::new(bench.stack().build(), faults.parse().unwrap())
            .with_sleep(Arc::clone(&bench.sleep) as _);
        let error =
            faults.fetch(bench.get("a").with_timeout(Duration::from_millis(1_500))).await.unwrap_err();
        assert_eq!(error, FetchError::Timeout { host: "127.0.0.1".into(), seconds: 2 });
        assert_eq!(bench.sleep.slept(), [Duration::from_millis(1_500)]);
    }
}

#[tokio::test]
async fn a_run_with_many_faults_ends_and_is_the_same_twice() {
    let run = || async {
        let bench = Bench::new("").await;
        let faults =
            "429=0.1,503=0.1,timeout=0.1,cut=0.1,html=0.05,garbage=0.05,drip=0.05,delay=200ms;seed=7";
        let fetch = bench.stack().faults(faults.parse().unwrap()).build();
        let mut said = Vec::new();
        for number in 0..60 {
            let answer = fetch.fetch(bench.get(&number.to_string())).await;
            said.push(answer.map(|response| (response.status, response.body)));
        }
        (said, bench.clock.now_nanos())
    };
    let (said, took) = run().await;
    let right = said.iter().enumerate().filter(|(number, answer)| {
        answer.as_ref().is_ok_and(|(status, body)| *status == 200 && *body == format!("/{number}"))
    });
    assert!(right.count() >= 40, "{said:?}");
    assert_eq!((said, took), run().await);
}

#[tokio::test]
async fn the_wrappers_keep_what_every_fetch_must() {
    let hosts = || Arc::new(HostPolicy::new().allow("example.org").unwrap());
    leg_testkit::conformance::fetch(|inner| {
        StackBuilder::new(inner, hosts(), 1).sleep(Arc::new(NoSleep::default())).build()
    })
    .await;
    leg_testkit::conformance::fetch(|inner| Arc::new(Faults::new(inner, "seed=7".parse().unwrap()))).await;
}
