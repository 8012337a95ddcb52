//! A small HTTP server of the files in a folder, with byte ranges and with faults.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// A running server. Files below `norange/` come whole whatever is asked for, those below `cut/` end early, and those
/// below `broken/` are errors of the server.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
    stopped: Arc<AtomicBool>,
}

impl Server {
    pub(crate) fn start(root: PathBuf) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (requests, stopped) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let (log, end) = (Arc::clone(&requests), Arc::clone(&stopped));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if end.load(Ordering::SeqCst) {
                    break;
                }
                let (root, log) = (root.clone(), Arc::clone(&log));
                std::thread::spawn(move || answer(&root, &stream.unwrap(), &log));
            }
        });
        Self { address, requests, stopped }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}/{path}", self.address)
    }

    /// What was asked for so far: path and range.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        // The server looks up at the next connection.
        let _ = TcpStream::connect(self.address);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

fn answer(root: &std::path::Path, stream: &TcpStream, log: &Mutex<Vec<String>>) {
    let mut lines = BufReader::new(stream).lines();
    let Some(Ok(first)) = lines.next() else { return };
    let target = first.split(' ').nth(1).unwrap_or("/").to_owned();
    let path = target.split('?').next().unwrap().trim_start_matches('/').to_owned();
    let mut range = None;
    for line in lines.map_while(Result::ok).take_while(|line| !line.is_empty()) {
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("range: bytes=") {
            range = value.split_once('-').map(|(a, b)| (a.parse::<usize>().ok(), b.parse::<usize>().ok()));
        }
    }
    log.lock().unwrap().push(format!("{target} {range:?}"));
    let (kind, file) = path.split_once('/').unwrap_or(("", &path));
    let is_fault = ["norange", "cut", "broken"].contains(&kind);
    let body = fs::read(root.join(if is_fault { file } else { &path }));
    let mut out = stream;
    let Ok(body) = body else {
        let _ = out.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        return;
    };
    if kind == "broken" {
        let _ = out.write_all(b"HTTP/1.1 500 Sorry\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        return;
    }
    let (status, place, part) = match range.filter(|_| kind != "norange") {
        Some((Some(from), to)) if from < body.len() => {
            let to = to.unwrap_or(usize::MAX).min(body.len() - 1);
            let place = format!("Content-Range: bytes {from}-{to}/{}\r\n", body.len());
            ("206 Partial Content", place, &body[from..=to])
        }
        Some((None, Some(count))) => {
            let from = body.len() - count.min(body.len());
            let place = format!("Content-Range: bytes {from}-{}/{}\r\n", body.len() - 1, body.len());
            ("206 Partial Content", place, &body[from..])
        }
        _ => ("200 OK", String::new(), &body[..]),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Length: {}\r\n{place}ETag: \"{}\"\r\nLast-Modified: Tue, 01 Dec 2026 00:00:00 GMT\r\n\
         Connection: close\r\n\r\n",
        part.len(),
        body.len()
    );
    let sent = if kind == "cut" && part.len() > 1 { &part[..part.len() / 2] } else { part };
    let _ = out.write_all(head.as_bytes()).and_then(|()| out.write_all(sent)).and_then(|()| out.flush());
}
