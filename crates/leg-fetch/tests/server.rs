//! The loopback server, over raw connections: no client stands between the test and the wire.
#![cfg(feature = "serve")]
#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::time::Duration;

use leg_fetch::{Fault, FaultSpec, Method, Response, Server, respond_with};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const ANY: ([u8; 4], u16) = ([127, 0, 0, 1], 0);

async fn server(faults: FaultSpec) -> Server {
    let respond = respond_with(|request| match request.url.path() {
        "/missing" => Response::ok("none").with_status(404),
        "/echo" => Response::ok(request.body.clone()),
        _ => Response::ok("0123456789").with_header("etag", "\"1\"").with_header("x-split", "a\r\nb: c"),
    });
    Server::builder().faults(faults).drip(Duration::from_millis(1)).start(ANY, respond).await.unwrap()
}

/// Sends `text` and reads until the server closes the connection.
async fn say(server: &Server, text: &str) -> String {
    let mut stream = TcpStream::connect(server.url().authority()).await.unwrap();
    stream.write_all(text.as_bytes()).await.unwrap();
    let mut said = Vec::new();
    stream.read_to_end(&mut said).await.unwrap();
    String::from_utf8_lossy(&said).into_owned()
}

#[tokio::test]
async fn one_connection_serves_get_head_range_post_and_what_is_unchanged() {
    let server = server(FaultSpec::default()).await;
    let said = say(
        &server,
        "GET /a?x=1 HTTP/1.1\r\n\r\nHEAD / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nRange: bytes=2-3\r\n\r\n\
         GET / HTTP/1.1\r\nRange: bytes=10-\r\n\r\nPOST /echo HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc\
         GET / HTTP/1.1\r\nIf-None-Match: \"1\"\r\n\r\nGET /missing HTTP/1.1\r\nConnection: close\r\n\r\n",
    )
    .await;
    assert_eq!(
        said,
        "HTTP/1.1 200 OK\r\naccept-ranges: bytes\r\netag: \"1\"\r\ncontent-length: 10\r\n\r\n0123456789\
         HTTP/1.1 200 OK\r\naccept-ranges: bytes\r\netag: \"1\"\r\ncontent-length: 10\r\n\r\n\
         HTTP/1.1 206 Partial Content\r\naccept-ranges: bytes\r\ncontent-range: bytes 2-3/10\r\netag: \"1\"\r\n\
         content-length: 2\r\n\r\n23\
         HTTP/1.1 416 Status\r\naccept-ranges: bytes\r\ncontent-range: bytes */10\r\netag: \"1\"\r\n\
         content-length: 0\r\n\r\n\
         HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabc\
         HTTP/1.1 304 Not Modified\r\netag: \"1\"\r\n\r\n\
         HTTP/1.1 404 Not Found\r\ncontent-length: 4\r\n\r\nnone"
    );
    let log = server.log();
    let statuses: Vec<u16> = log.iter().map(|entry| entry.status).collect();
    assert_eq!(statuses, [200, 200, 206, 416, 200, 304, 404]);
    assert_eq!((log[0].request.method, log[1].request.method), (Method::Get, Method::Head));
    assert_eq!(log[0].request.url.query(), [("x".to_owned(), "1".to_owned())]);
    assert!(log.iter().all(|entry| entry.concurrent == 1 && entry.fault.is_none()));
    assert!(log.windows(2).all(|two| two[0].at_nanos <= two[1].at_nanos));
}

#[tokio::test]
async fn what_is_no_request_is_told_so_and_ends_the_connection() {
    let server = server(FaultSpec::default()).await;
    for (text, status) in [
        ("\u{1}\u{2}\r\n\r\n", "400"),
        ("GET http://elsewhere/ HTTP/1.1\r\n\r\n", "400"),
        ("GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", "400"),
        ("DELETE / HTTP/1.1\r\n\r\n", "405"),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "411"),
        ("POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", "413"),
    ] {
        let said = say(&server, text).await;
        assert!(said.starts_with(&format!("HTTP/1.1 {status} ")), "{text}: {said}");
    }
    assert!(server.log().is_empty());
}

#[tokio::test]
async fn faults_are_seen_on_the_wire() {
    let get = "GET / HTTP/1.1\r\nConnection: close\r\n\r\n";
    for (faults, parts) in [
        ("429=1;retry-after=1", ["HTTP/1.1 429 ", "retry-after: 1\r\n"]),
        ("503=1;retry-after=0", ["HTTP/1.1 503 ", "retry-after: 0\r\n"]),
        ("500=1", ["HTTP/1.1 500 ", "\r\n\r\na fault on purpose"]),
        ("cut=1", ["content-length: 20\r\n", "\r\n\r\n01234"]),
        ("html=1", ["HTTP/1.1 200 ", "text/html"]),
        ("garbage=1", ["HTTP/1.1 200 ", "content-length: 16\r\n"]),
        ("drip=1", ["HTTP/1.1 200 ", "\r\n\r\n0123456789"]),
        ("delay=20ms", ["HTTP/1.1 200 ", "\r\n\r\n0123456789"]),
    ] {
        let server = server(faults.parse().unwrap()).await;
        let said = say(&server, get).await;
        assert!(parts.iter().all(|part| said.contains(part)), "{faults}: {said}");
    }
}

#[tokio::test]
async fn a_timeout_says_nothing_and_is_logged_without_a_status() {
    let server = server(FaultSpec::always(Fault::Timeout)).await;
    let get = "GET / HTTP/1.1\r\n\r\n";
    tokio::time::timeout(Duration::from_millis(50), say(&server, get)).await.unwrap_err();
    assert_eq!(server.log()[0].status, 0);
    assert_eq!(server.log()[0].fault, Some(Fault::Timeout));
}

#[tokio::test]
async fn it_stops_when_dropped_and_serves_no_other_interface() {
    let server = server(FaultSpec::default()).await;
    let address = server.url().authority().to_owned();
    let mut open = TcpStream::connect(&address).await.unwrap();
    open.write_all(b"GET / HTTP/1.1\r\n\r\n").await.unwrap();
    drop(server);
    let mut said = Vec::new();
    // The connection ends, by a reset or not.
    let _ended = open.read_to_end(&mut said).await;
    TcpStream::connect(&address).await.unwrap_err();
    let error = Server::start(([0, 0, 0, 0], 0), respond_with(|_| Response::ok(""))).await.unwrap_err();
    assert!(error.to_string().contains("take 127.0.0.1"), "{error}");
}
