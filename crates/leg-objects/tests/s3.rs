//! The adapter over an S3 server: Python's `moto` on loopback, installed by `pip`. Where that does not work the test
//! says that it is skipped.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use leg_core::{Digest, Domain, ObjectStore, StoreError};
use leg_objects::{Credentials, S3Bucket};
use leg_testkit::conformance;

const SECRET: &str = "canary-secret-5d1f";
/// `moto` wants to see a signature and does not check it.
const AUTHORIZATION: &str = "Authorization: AWS4-HMAC-SHA256 Credential=k/20260101/us-east-1/s3/aws4_request, \
                             SignedHeaders=host, Signature=0";

/// An S3 server of our own; it ends with the value.
struct Moto {
    child: Child,
    host: String,
}

impl Drop for Moto {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Moto {
    /// Installs it where that was not done yet, and starts it on a free port.
    fn start() -> Result<Self, String> {
        let venv = Path::new(env!("CARGO_TARGET_TMPDIR")).join("moto-venv");
        let python = venv.join("bin/python");
        let ready = venv.join("ready");
        if !ready.exists() {
            done(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
            done(Command::new(&python).args(["-m", "pip", "install", "-q", "moto[server]"]))?;
            std::fs::write(&ready, "").map_err(|error| error.to_string())?;
        }
        let mut child = Command::new(&python)
            .args(["-m", "moto.server", "-H", "127.0.0.1", "-p", "0"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())?;
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let host = loop {
            let line = lines.next().and_then(Result::ok).ok_or("moto ended before it listened")?;
            if let Some((_, rest)) = line.split_once("http://") {
                break rest.trim().to_owned();
            }
        };
        // It writes a line a request; nobody reading would stop it.
        thread::spawn(move || lines.for_each(drop));
        Ok(Self { child, host })
    }

    fn request(&self, method: &str, path: &str, body: &[u8]) -> String {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\n{AUTHORIZATION}\r\nConnection: close\r\n\r\n",
            self.host,
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn bucket(&self) -> S3Bucket {
        bucket(&self.host)
    }
}

fn bucket(host: &str) -> S3Bucket {
    let mut bucket = S3Bucket::new("objects");
    "runs/objects".clone_into(&mut bucket.prefix);
    bucket.endpoint = Some(format!("http://{host}"));
    bucket.allow_http = true;
    bucket.credentials = Some(Credentials::new("canary-key-77aa", SECRET).with_token("canary-token-9c"));
    bucket
}

fn done(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn conforms_over_s3() {
    let moto = match Moto::start() {
        Ok(moto) => moto,
        Err(reason) => return eprintln!("skipped: moto cannot be installed or started: {reason}"),
    };
    let store: Arc<dyn ObjectStore> = Arc::new(moto.bucket().open().unwrap());
    // The bucket is not there yet: that is no missing object.
    let error = store.put(b"early").unwrap_err();
    assert!(matches!(error, StoreError::Io { .. }), "{error}");
    assert!(error.to_string().contains("s3://objects/runs/objects/"), "{error}");

    assert!(moto.request("PUT", "/objects", b"").starts_with("HTTP/1.1 200"));
    conformance::object_store(&store);
    let place = |digest: &Digest| {
        let hex = digest.to_hex();
        format!("/objects/runs/objects/{}/{}", &hex[..2], &hex[2..])
    };
    conformance::damaged_objects(&store, &|digest, bytes| {
        let answer = moto.request("PUT", &place(digest), bytes);
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    });
    // The layout is that of a folder below the prefix, and another client sees it.
    let digest = store.put(b"tide").unwrap();
    assert!(moto.request("GET", &place(&digest), b"").ends_with("tide"));
    let other = moto.bucket().open().unwrap();
    assert_eq!(other.get(&digest).unwrap().as_ref(), b"tide");
    let mut elsewhere = moto.bucket();
    elsewhere.prefix.clear();
    let elsewhere = elsewhere.open().unwrap();
    assert!(matches!(elsewhere.get(&digest), Err(StoreError::Missing { .. })));
}

/// A server that gives every request the same answer, and counts them.
fn always(answer: &'static str) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let host = listener.local_addr().unwrap().to_string();
    let count = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&count);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut reader = BufReader::new(stream.unwrap());
            let mut line = String::new();
            while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
                line.clear();
            }
            counter.fetch_add(1, Ordering::SeqCst);
            let _ = reader.get_mut().write_all(answer.as_bytes());
        }
    });
    (host, count)
}

#[test]
fn repeats_within_a_bound_and_says_no_secret() {
    let (host, count) = always(
        "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 18\r\nConnection: close\r\n\r\ncanary-secret-5d1f",
    );
    let mut bucket = bucket(&host);
    bucket.retries = 2;
    let store = bucket.open().unwrap();
    let error = store.get(&Digest::of(Domain::Object, b"")).unwrap_err();
    assert_eq!(count.load(Ordering::SeqCst), 3, "one request and two repetitions");
    let (host, _) =
        always("HTTP/1.1 403 Forbidden\r\nContent-Length: 18\r\nConnection: close\r\n\r\ncanary-secret-5d1f");
    let refused = self::bucket(&host).open().unwrap().put(b"x").unwrap_err();
    assert!(refused.to_string().contains("the credentials do not allow it"), "{refused}");
    for text in [format!("{error} {error:?}"), format!("{refused:?}"), format!("{store:?} {bucket:?}")] {
        assert!(!text.contains("canary"), "{text}");
    }
}
