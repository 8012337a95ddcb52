//! Reading requests from a connection and writing answers to it, whole and broken ones.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::{Method, Request, Response, Sleep, Url};

/// A larger head is refused.
const LARGEST_HEAD: usize = 64 * 1024;
/// A larger body is refused.
const LARGEST_BODY: usize = 64 * 1024 * 1024;
/// More headers are refused.
const MOST_HEADERS: usize = 100;

/// What came over the connection.
pub(crate) enum Incoming {
    /// A request.
    Request(Request),
    /// Something else: the status and the reason to answer.
    Bad(u16, &'static str),
}

/// How a body is written.
pub(crate) enum Body<'a> {
    /// As it is.
    Whole,
    /// Its length only, as for HEAD; and where no body may be.
    Announced,
    /// The first half of it.
    Cut,
    /// Byte after byte with a pause before each.
    Drip(&'a dyn Sleep, Duration),
    /// Again and again.
    Endless,
}

/// One connection with what was read ahead.
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// What the head of a request says.
struct Head {
    method: String,
    target: String,
    headers: BTreeMap<String, String>,
    len: usize,
}

impl Connection {
    pub(crate) const fn new(stream: TcpStream) -> Self {
        Self { stream, buffer: Vec::new() }
    }

    /// The next request; none when the client has closed the connection.
    pub(crate) async fn read(&mut self, base: &Url) -> io::Result<Option<Incoming>> {
        let head = loop {
            match head(&self.buffer) {
                Ok(Some(head)) => break head,
                Ok(None) if self.buffer.len() > LARGEST_HEAD => {
                    return Ok(Some(Incoming::Bad(431, "the head is too large")));
                }
                Ok(None) => {}
                Err(reason) => return Ok(Some(Incoming::Bad(400, reason))),
            }
            if self.fill().await? == 0 {
                return Ok(None);
            }
        };
        if head.headers.contains_key("transfer-encoding") {
            return Ok(Some(Incoming::Bad(411, "a body needs a content-length")));
        }
        let Ok(body_len) = head.headers.get("content-length").map_or(Ok(0), |text| text.parse::<usize>())
        else {
            return Ok(Some(Incoming::Bad(400, "the content-length is no number")));
        };
        if body_len > LARGEST_BODY {
            return Ok(Some(Incoming::Bad(413, "the body is too large")));
        }
        let end = head.len + body_len;
        while self.buffer.len() < end {
            if self.fill().await? == 0 {
                return Ok(None);
            }
        }
        let body = self.buffer.get(head.len..end).unwrap_or_default().to_vec();
        self.buffer.drain(..end);
        let method = match head.method.as_str() {
            "GET" => Method::Get,
            "HEAD" => Method::Head,
            "POST" => Method::Post,
            _ => return Ok(Some(Incoming::Bad(405, "only GET, HEAD and POST are known"))),
        };
        let Ok(url) = Url::parse(&format!("http://{}{}", base.authority(), head.target)) else {
            return Ok(Some(Incoming::Bad(400, "the target is no path")));
        };
        let request = Request { method, url, headers: head.headers, body: body.into(), timeout: None };
        Ok(Some(Incoming::Request(request)))
    }

    async fn fill(&mut self) -> io::Result<usize> {
        self.stream.read_buf(&mut self.buffer).await
    }

    /// Waits until the client ends the connection.
    pub(crate) async fn wait_for_end(&mut self) -> io::Result<()> {
        while self.fill().await? > 0 {
            self.buffer.clear();
        }
        Err(io::ErrorKind::ConnectionAborted.into())
    }

    /// Writes an answer; an error ends the connection, and a cut one does so too.
    pub(crate) async fn write(&mut self, response: &Response, body: Body<'_>) -> io::Result<()> {
        let bytes = response.body.as_ref();
        let length = match body {
            Body::Cut => Some(bytes.len() + bytes.len().max(1)),
            Body::Endless => None,
            _ => Some(bytes.len()),
        };
        let mut out = write_head(response, length).into_bytes();
        match body {
            Body::Whole => {
                out.extend_from_slice(bytes);
                self.stream.write_all(&out).await
            }
            Body::Announced => self.stream.write_all(&out).await,
            Body::Cut => {
                out.extend_from_slice(bytes.get(..bytes.len() / 2).unwrap_or_default());
                self.stream.write_all(&out).await?;
                self.stream.shutdown().await?;
                Err(io::ErrorKind::ConnectionAborted.into())
            }
            Body::Drip(sleep, pause) => {
                self.stream.write_all(&out).await?;
                for byte in bytes {
                    sleep.sleep(pause).await;
                    self.stream.write_all(&[*byte]).await?;
                }
                Ok(())
            }
            Body::Endless => {
                self.stream.write_all(&out).await?;
                let filler = if bytes.is_empty() { b"0".as_slice() } else { bytes };
                let block = filler.repeat((64 * 1024_usize).div_ceil(filler.len()));
                let mut chunk = format!("{:x}\r\n", block.len()).into_bytes();
                chunk.extend_from_slice(&block);
                chunk.extend_from_slice(b"\r\n");
                loop {
                    self.stream.write_all(&chunk).await?;
                }
            }
        }
    }
}

/// The head at the start of `bytes`; none when it is not complete.
fn head(bytes: &[u8]) -> Result<Option<Head>, &'static str> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let len = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(len)) => len,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(_) => return Err("the request is not HTTP/1.1"),
    };
    let target = parsed.path.unwrap_or_default();
    if !target.starts_with('/') {
        return Err("the target is no path");
    }
    let headers = parsed
        .headers
        .iter()
        .map(|header| (header.name.to_ascii_lowercase(), String::from_utf8_lossy(header.value).into_owned()))
        .collect();
    let method = parsed.method.unwrap_or_default().to_owned();
    Ok(Some(Head { method, target: target.to_owned(), headers, len }))
}

fn write_head(response: &Response, length: Option<usize>) -> String {
    let status = response.status;
    let mut out = format!("HTTP/1.1 {status} {}\r\n", reason(status));
    for (name, value) in &response.headers {
        let ours = matches!(name.as_str(), "content-length" | "transfer-encoding" | "connection");
        if !ours && !name.contains(char::is_control) && !value.contains(char::is_control) {
            out.extend([name, ": ", value, "\r\n"]);
        }
    }
    match length {
        // These have no body by definition.
        Some(_) if matches!(status, 204 | 304) => {}
        Some(length) => out.extend(["content-length: ", &length.to_string(), "\r\n"]),
        None => out.push_str("transfer-encoding: chunked\r\n"),
    }
    out.push_str("\r\n");
    out
}

const fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        206 => "Partial Content",
        304 => "Not Modified",
        404 => "Not Found",
        429 => "Too Many Requests",
        503 => "Service Unavailable",
        _ => "Status",
    }
}
