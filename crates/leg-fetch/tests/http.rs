//! The client against the loopback server: what is taken, and what is refused.
#![cfg(all(feature = "reqwest", feature = "serve"))]
#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::io::{self, Write as _};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use flate2::Compression;
use flate2::write::GzEncoder;
use leg_fetch::{
    Fault, FaultSpec, Fetch as _, FetchError, HostPolicy, HttpBuilder, HttpFetch, Request, Resolver,
    Response, Server, Url, respond_with,
};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

const ANY: ([u8; 4], u16) = ([127, 0, 0, 1], 0);

fn local() -> HttpBuilder {
    HttpFetch::builder(HostPolicy::new().allow_private("127.0.0.1").unwrap()).timeout(Duration::from_secs(5))
}

async fn serving(answer: impl Fn(&Request) -> Response + Send + Sync + 'static) -> Server {
    Server::start(ANY, respond_with(answer)).await.unwrap()
}

async fn faulty(faults: FaultSpec) -> Server {
    let respond = respond_with(|_| Response::ok("x".repeat(1_000)));
    Server::builder().faults(faults).drip(Duration::from_millis(10)).start(ANY, respond).await.unwrap()
}

fn pack(block: &[u8], blocks: usize) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..blocks {
        encoder.write_all(block).unwrap();
    }
    encoder.finish().unwrap()
}

#[tokio::test]
async fn every_status_is_an_answer_with_its_body() {
    let server = serving(|request| {
        let status = request.url.path().trim_start_matches('/').parse().unwrap();
        Response::ok("said").with_status(status)
    })
    .await;
    let http = local().build().unwrap();
    for status in
        [200, 201, 202, 203, 206, 300, 400, 401, 403, 404, 410, 416, 422, 429, 500, 501, 502, 503, 504, 599]
    {
        let response = http.fetch(Request::get(server.url().join(&status.to_string()))).await.unwrap();
        assert_eq!((response.status, response.body.as_ref()), (status, b"said".as_slice()));
    }
    for status in [204, 304] {
        let response = http.fetch(Request::get(server.url().join(&status.to_string()))).await.unwrap();
        assert_eq!((response.status, response.body.len()), (status, 0));
    }
}

#[tokio::test]
async fn method_headers_body_and_user_agent_reach_the_server() {
    let server = serving(|request| Response::ok(request.body.clone()).with_header("X-Own", "1")).await;
    let http = local().contact("https://example.org/about").build().unwrap();
    let url = server.url().with_query("q", "New York");
    let sent =
        Request::post(url.clone(), "body").with_header("x-api-key", "k").with_header("host", "evil.example");
    let response = http.fetch(sent).await.unwrap();
    assert_eq!((response.body.as_ref(), response.header("X-OWN")), (b"body".as_slice(), Some("1")));
    let head = http.fetch(Request::head(url.clone())).await.unwrap();
    assert_eq!((head.status, head.body.len()), (200, 0));
    let part = http.fetch(Request::get(url).with_header("range", "bytes=0-0")).await.unwrap();
    assert_eq!(part.status, 416, "the answer to GET has no body here");

    let asked: Vec<Request> = server.log().into_iter().map(|entry| entry.request).collect();
    let agent = format!("leg-hydro/{} (+https://example.org/about)", env!("CARGO_PKG_VERSION"));
    assert!(asked.iter().all(|request| request.header("user-agent") == Some(&agent)));
    assert_eq!(asked[0].url.query(), [("q".to_owned(), "New York".to_owned())]);
    assert_eq!(asked[0].header("x-api-key"), Some("k"));
    assert_eq!(asked[0].header("host"), Some(server.url().authority()), "nobody else names the host");
    assert_eq!(asked[1].header("accept-encoding"), Some("gzip"));
    assert_eq!(asked[2].header("accept-encoding"), None, "a range of packed bytes is another one");
}

#[tokio::test]
async fn a_cut_body_is_an_error_and_never_a_short_success() {
    let server = faulty(FaultSpec::always(Fault::Cut)).await;
    let http = local().build().unwrap();
    let error = http.fetch(Request::get(server.url())).await.unwrap_err();
    assert_eq!(error, FetchError::Cut { host: "127.0.0.1".into(), received: 500 });

    // Packed and cut, with the right length: the transport sees nothing wrong.
    let server = serving(|_| {
        let packed = pack(b"water level", 100);
        Response::ok(packed[..packed.len() - 4].to_vec()).with_header("content-encoding", "gzip")
    })
    .await;
    let error = http.fetch(Request::get(server.url())).await.unwrap_err();
    assert!(matches!(error, FetchError::Cut { .. }), "{error}");
}

#[tokio::test]
async fn what_is_slow_meets_the_limit_of_the_client_or_of_the_request() {
    let server = faulty(FaultSpec::always(Fault::Drip)).await;
    let silent = faulty(FaultSpec::always(Fault::Timeout)).await;
    let http = local().timeout(Duration::from_millis(100)).build().unwrap();
    for url in [server.url(), silent.url()] {
        let error = http.fetch(Request::get(url)).await.unwrap_err();
        assert_eq!(error, FetchError::Timeout { host: "127.0.0.1".into(), seconds: 1 });
    }
    let patient = local().build().unwrap();
    let hurried = Request::get(server.url()).with_timeout(Duration::from_millis(100));
    assert!(matches!(patient.fetch(hurried).await, Err(FetchError::Timeout { .. })));
}

#[tokio::test]
async fn a_body_without_an_end_is_refused_at_the_limit() {
    let server = faulty(FaultSpec::always(Fault::Endless)).await;
    let http = local().body_limit(1_000_000).build().unwrap();
    let error = http.fetch(Request::get(server.url())).await.unwrap_err();
    assert_eq!(error, FetchError::TooLarge { host: "127.0.0.1".into(), limit: 1_000_000 });
    let server = serving(|_| Response::ok(vec![0; 1_001])).await;
    for (limit, fits) in [(1_001, true), (1_000, false)] {
        let http = local().body_limit(limit).build().unwrap();
        assert_eq!(http.fetch(Request::get(server.url())).await.is_ok(), fits, "{limit}");
    }
}

#[tokio::test]
async fn a_bomb_is_refused_by_its_unpacked_bytes() {
    // 1 GiB of zeros in about 4.5 MB.
    let bomb = pack(&vec![0; 1024 * 1024], 1024);
    assert!(bomb.len() < 10_000_000);
    let server = serving(move |_| Response::ok(bomb.clone()).with_header("content-encoding", "gzip")).await;
    let http = local().build().unwrap();
    let error = http.fetch(Request::get(server.url())).await.unwrap_err();
    assert_eq!(error, FetchError::TooLarge { host: "127.0.0.1".into(), limit: 64 * 1024 * 1024 });
}

#[tokio::test]
async fn packed_bodies_come_unpacked_unless_the_request_asks_itself() {
    let packed = pack(b"level ", 3);
    let sent = packed.clone();
    let server = serving(move |_| Response::ok(sent.clone()).with_header("content-encoding", "gzip")).await;
    let http = local().build().unwrap();
    let response = http.fetch(Request::get(server.url())).await.unwrap();
    assert_eq!(response.body, "level level level ");
    assert_eq!((response.header("content-encoding"), response.header("content-length")), (None, None));
    let raw = Request::get(server.url()).with_header("accept-encoding", "gzip");
    let response = http.fetch(raw).await.unwrap();
    assert_eq!(
        (response.body.as_ref(), response.header("content-encoding")),
        (packed.as_slice(), Some("gzip"))
    );
}

#[tokio::test]
async fn redirects_are_followed_inside_the_list_and_nowhere_else() {
    let other = serving(|request| Response::ok(format!("{} {}", request.method, request.url.path()))).await;
    let port = other.url().port().unwrap();
    let server = serving(move |request| {
        let (status, to) = match request.url.path() {
            "/relative" => (302, "end".to_owned()),
            "/end" => return Response::ok("end"),
            "/other" => (301, format!("http://127.0.0.1:{port}/there")),
            "/keep" => (308, format!("http://127.0.0.1:{port}/there")),
            "/loop" => (302, "/loop".to_owned()),
            "/private" => (302, "http://10.0.0.1/".to_owned()),
            "/metadata" => (307, "http://169.254.169.254/latest".to_owned()),
            "/mapped" => (302, "http://[::ffff:7f00:1]/".to_owned()),
            "/number" => (302, "http://167772161/".to_owned()),
            "/name" => (302, "http://localhost/".to_owned()),
            "/elsewhere" => (302, "https://other.example/".to_owned()),
            "/user" => (302, "http://127.0.0.1@other.example/".to_owned()),
            "/file" => (302, "file:///etc/passwd".to_owned()),
            "/none" => return Response::ok("no location").with_status(302),
            _ => (302, String::new()),
        };
        Response::ok("moved").with_status(status).with_header("location", to)
    })
    .await;
    let http = local().build().unwrap();
    let get = |path: &str| Request::get(server.url().join(path)).with_header("x-api-key", "canary");
    assert_eq!(http.fetch(get("relative")).await.unwrap().body, "end");
    assert_eq!(http.fetch(get("other")).await.unwrap().body, "GET /there");
    assert_eq!(http.fetch(get("none")).await.unwrap().status, 302);
    let posted =
        |path: &str| Request::post(server.url().join(path), "body").with_header("content-type", "text/plain");
    assert_eq!(http.fetch(posted("other")).await.unwrap().body, "GET /there");
    assert_eq!(http.fetch(posted("keep")).await.unwrap().body, "POST /there");
    let log = other.log();
    assert!(
        log.iter().all(|entry| entry.request.header("x-api-key").is_none()),
        "another port is another origin"
    );
    assert!(log[1].request.body.is_empty() && log[1].request.header("content-type").is_none());
    assert_eq!(log[2].request.body, "body");

    let looped = http.fetch(get("loop")).await.unwrap_err();
    assert_eq!(looped, FetchError::Redirects { host: "127.0.0.1".into(), limit: 5 });
    let asked = server.log().iter().filter(|entry| entry.request.url.path() == "/loop").count();
    assert_eq!(asked, 6);
    for path in ["private", "metadata", "mapped", "number", "name", "elsewhere", "user", "file"] {
        let error = http.fetch(get(path)).await.unwrap_err();
        assert!(matches!(error, FetchError::Refused { .. }), "{path}: {error}");
    }
}

/// Every name stands for these addresses.
#[derive(Debug)]
struct Fixed(Vec<IpAddr>);

#[async_trait]
impl Resolver for Fixed {
    async fn resolve(&self, _: &str) -> io::Result<Vec<IpAddr>> {
        if self.0.is_empty() { Err(io::ErrorKind::NotFound.into()) } else { Ok(self.0.clone()) }
    }
}

#[tokio::test]
async fn a_name_that_stands_for_a_private_address_is_refused() {
    let server = serving(|_| Response::ok("inside")).await;
    let port = server.url().port().unwrap();
    let url = Url::parse(&format!("http://rebind.example:{port}/")).unwrap();
    let strict = || HostPolicy::new().allow("rebind.example").unwrap();
    let http = |policy: HostPolicy, addresses: &[&str]| {
        let addresses = addresses.iter().map(|address| address.parse().unwrap()).collect();
        HttpFetch::builder(policy).resolver(Arc::new(Fixed(addresses))).build().unwrap()
    };
    for inside in
        ["127.0.0.1", "::1", "::ffff:127.0.0.1", "0.0.0.0", "10.1.2.3", "169.254.169.254", "100.64.0.1"]
    {
        let error = http(strict(), &[inside]).fetch(Request::get(url.clone())).await.unwrap_err();
        assert!(matches!(error, FetchError::Refused { .. }), "{inside}: {error}");
        assert!(error.to_string().contains(inside), "{error}");
    }
    assert!(server.log().is_empty(), "nothing reached the server");

    let own = HostPolicy::new().allow_private("rebind.example").unwrap();
    assert_eq!(http(own, &["127.0.0.1"]).fetch(Request::get(url.clone())).await.unwrap().body, "inside");
    let other_port =
        HostPolicy::new().allow_private("rebind.example:1").unwrap().allow("rebind.example").unwrap();
    let error = http(other_port, &["127.0.0.1"]).fetch(Request::get(url.clone())).await.unwrap_err();
    assert!(
        matches!(error, FetchError::Refused { .. }),
        "the permission of one port is not one of all: {error}"
    );
    let unknown = http(strict(), &[]).fetch(Request::get(url)).await.unwrap_err();
    assert!(matches!(unknown, FetchError::Unreachable { .. }), "{unknown}");
}

#[tokio::test]
async fn an_address_that_is_read_in_two_ways_is_not_asked() {
    let policy = ["127.1", "2130706433", "0x7f.1", "good.example\\", "bücher.example"]
        .iter()
        .fold(HostPolicy::new(), |policy, host| policy.clone().allow(host).unwrap_or(policy));
    let http = HttpFetch::builder(policy).build().unwrap();
    for text in ["http://127.1/", "http://2130706433/", "http://0x7f.1/", "http://bücher.example/"] {
        let error = http.fetch(Request::get(Url::parse(text).unwrap())).await.unwrap_err();
        assert!(matches!(error, FetchError::Url { .. }), "{text}: {error}");
    }
}

/// Says `answer` to the first connection, whatever it asks, and then closes it or not.
async fn raw(answer: &'static str, close: bool) -> (Url, JoinSet<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = Url::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
    let mut running = JoinSet::new();
    running.spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut asked = [0; 4_096];
        let _some = stream.read(&mut asked).await;
        stream.write_all(answer.as_bytes()).await.unwrap();
        if !close {
            std::future::pending::<()>().await;
        }
    });
    (url, running)
}

#[tokio::test]
async fn what_is_no_answer_is_told_by_what_is_wrong() {
    let http = local().timeout(Duration::from_millis(500)).build().unwrap();
    let cut = || Some(FetchError::Cut { host: "127.0.0.1".into(), received: 3 });
    let too_large = || Some(FetchError::TooLarge { host: "127.0.0.1".into(), limit: 64 * 1024 * 1024 });
    let late = || Some(FetchError::Timeout { host: "127.0.0.1".into(), seconds: 1 });
    for (answer, close, said) in [
        ("HTTP/1.1 200 OK\r\ncontent-length: 10000000000\r\n\r\n", false, too_large()),
        ("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nabc", true, cut()),
        ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n", true, cut()),
        ("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nabc", false, late()),
        ("HTTP/1.1 20", false, late()),
        ("HTTP/1.1 20", true, None),
        ("", true, None),
        ("SSH-2.0-OpenSSH_9.9\r\n", true, None),
    ] {
        let (url, _running) = raw(answer, close).await;
        let error = http.fetch(Request::get(url)).await.unwrap_err();
        match said {
            Some(said) => assert_eq!(error, said, "{answer}"),
            None => assert!(matches!(error, FetchError::Unreachable { .. }), "{answer}: {error}"),
        }
    }
    // A server that does not speak TLS.
    let server = serving(|_| Response::ok("open")).await;
    let secure = Url::parse(&server.url().expose().replace("http:", "https:")).unwrap();
    let error = http.fetch(Request::get(secure)).await.unwrap_err();
    assert!(matches!(error, FetchError::Unreachable { .. }), "{error}");
}

#[tokio::test]
async fn no_secret_is_in_any_error_or_debug() {
    let closed = serving(|_| Response::ok("")).await;
    let gone = closed.url();
    drop(closed);
    let server = serving(|request| {
        let location = match request.url.path() {
            "/echo" => "http://canary-query.example/?token=canary-query",
            "/loop" => "/loop?token=canary-query",
            "/bad" => "gopher://canary-query",
            _ => return Response::ok(vec![0; 100]),
        };
        Response::ok("").with_status(302).with_header("location", location)
    })
    .await;
    let cut = faulty(FaultSpec::always(Fault::Cut)).await;
    let silent = faulty(FaultSpec::always(Fault::Timeout)).await;
    let http = local().timeout(Duration::from_millis(200)).body_limit(99).build().unwrap();
    let with = |url: Url| {
        let shown = url.expose().replace("http://", "http://canary-user:canary-password@");
        let url = Url::parse(&shown).unwrap().with_query("token", "canary-query");
        Request::get(url).with_header("authorization", "Bearer canary-header")
    };
    let mut broken = with(server.url());
    broken.headers.insert("x-bad".to_owned(), "canary\n-header".to_owned());
    let mut requests = vec![broken, with(Url::parse("http://other.example/").unwrap())];
    requests.extend([gone, server.url(), cut.url(), silent.url()].map(with));
    requests.extend(["echo", "loop", "bad"].map(|path| with(server.url().join(path))));
    for request in requests {
        let error = http.fetch(request.clone()).await.unwrap_err();
        let shown = format!("{error} {error:?} {request:?} {http:?} {server:?}");
        assert!(!shown.contains("canary"), "{shown}");
        let tool = format!("{:?}", leg_core::ToolError::from(error));
        assert!(!tool.contains("canary"), "{tool}");
    }
    let log = format!("{:?}", server.log());
    assert!(!log.contains("canary"), "{log}");
}
