//! [`Server`]: a small HTTP server on the loopback interface.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use leg_core::{Clock, SystemClock};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::faults::{fault_page, fault_status};
use crate::respond::negotiate;
use crate::wire::{Body, Connection, Incoming};
use crate::{Fault, FaultSpec, Method, Request, Respond, Response, Sleep, TokioSleep, Url};

/// A running server; it stops when it is dropped. It speaks HTTP/1.1 without encryption, has no protection against
/// its clients, and therefore serves the loopback interface only.
///
/// ```
/// # #[cfg(feature = "reqwest")]
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// use leg_fetch::{Fetch as _, HostPolicy, HttpFetch, Request, Response, Server, respond_with};
///
/// let respond = respond_with(|request| Response::ok(request.url.path().to_owned()));
/// let server = Server::start(([127, 0, 0, 1], 0), respond).await?;
///
/// let policy = HostPolicy::new().allow_private("127.0.0.1")?;
/// let http = HttpFetch::builder(policy).build()?;
/// let response = http.fetch(Request::get(server.url().join("levels"))).await?;
/// assert_eq!(response.body, "/levels");
/// assert_eq!(server.log()[0].status, 200);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
pub struct Server {
    url: Url,
    shared: Arc<Shared>,
    // Dropping the set ends the task, which holds the set of the connections.
    _accepting: JoinSet<()>,
}

/// One request as the server met it.
#[derive(Debug, Clone)]
pub struct Logged {
    /// What was asked; `Debug` hides secrets.
    pub request: Request,
    /// When it had come, in nanoseconds since 1970.
    pub at_nanos: i64,
    /// The status that was sent; 0 when none was.
    pub status: u16,
    /// How many requests were under way then, this one included.
    pub concurrent: usize,
    /// What went wrong on purpose.
    pub fault: Option<Fault>,
}

/// Sets up a [`Server`].
#[derive(Debug)]
pub struct ServerBuilder {
    faults: FaultSpec,
    clock: Arc<dyn Clock>,
    sleep: Arc<dyn Sleep>,
    drip: Duration,
}

impl Default for ServerBuilder {
    fn default() -> Self {
        Self {
            faults: FaultSpec::default(),
            clock: Arc::new(SystemClock),
            sleep: Arc::new(TokioSleep),
            drip: Duration::from_millis(100),
        }
    }
}

impl ServerBuilder {
    /// Sets the faults; none without it.
    #[must_use]
    pub fn faults(mut self, faults: FaultSpec) -> Self {
        self.faults = faults;
        self
    }

    /// Sets the clock of the log.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Sets how delays and drips wait.
    #[must_use]
    pub fn sleep(mut self, sleep: Arc<dyn Sleep>) -> Self {
        self.sleep = sleep;
        self
    }

    /// Sets the pause before each byte of a [`Fault::Drip`]; 100 ms without it.
    #[must_use]
    pub const fn drip(mut self, pause: Duration) -> Self {
        self.drip = pause;
        self
    }

    /// Starts it; with port 0 it takes a free one.
    ///
    /// # Errors
    /// When the address is not one of the loopback interface, or is taken.
    pub async fn start(self, addr: impl Into<SocketAddr>, respond: Arc<dyn Respond>) -> io::Result<Server> {
        let addr = addr.into();
        if !addr.ip().is_loopback() {
            let message = format!("{addr} is not an address of the loopback interface; take 127.0.0.1");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let listener = TcpListener::bind(addr).await?;
        let url = Url::parse(&format!("http://{}", listener.local_addr()?)).map_err(io::Error::other)?;
        let shared = Arc::new(Shared {
            options: self,
            respond,
            url: url.clone(),
            asked: AtomicU64::new(0),
            under_way: AtomicUsize::new(0),
            log: Mutex::default(),
        });
        let mut accepting = JoinSet::new();
        accepting.spawn(accept(listener, Arc::clone(&shared)));
        Ok(Server { url, shared, _accepting: accepting })
    }
}

impl Server {
    /// Starts a server without faults; with port 0 it takes a free one.
    ///
    /// # Errors
    /// When the address is not one of the loopback interface, or is taken.
    pub async fn start(addr: impl Into<SocketAddr>, respond: Arc<dyn Respond>) -> io::Result<Self> {
        ServerBuilder::default().start(addr, respond).await
    }

    /// A server with faults, another clock or other waits.
    pub fn builder() -> ServerBuilder {
        ServerBuilder::default()
    }

    /// Its address, such as `http://127.0.0.1:40123/`.
    pub fn url(&self) -> Url {
        self.url.clone()
    }

    /// What was asked so far, in order.
    pub fn log(&self) -> Vec<Logged> {
        self.shared.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("url", &self.url).finish_non_exhaustive()
    }
}

struct Shared {
    options: ServerBuilder,
    respond: Arc<dyn Respond>,
    url: Url,
    asked: AtomicU64,
    under_way: AtomicUsize,
    log: Mutex<Vec<Logged>>,
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(serve(stream, Arc::clone(&shared)));
                }
                // Such as too many open files: others may end meanwhile.
                Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
            },
            // Or the set would grow with each connection.
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn serve(stream: TcpStream, shared: Arc<Shared>) {
    let mut connection = Connection::new(stream);
    loop {
        match connection.read(&shared.url).await {
            Ok(Some(Incoming::Request(request))) => {
                let keep =
                    !request.header("connection").is_some_and(|text| text.eq_ignore_ascii_case("close"));
                if shared.answer(&mut connection, request).await.is_err() || !keep {
                    return;
                }
            }
            Ok(Some(Incoming::Bad(status, reason))) => {
                let response = Response::ok(reason).with_status(status);
                // The client is told if it still listens; the connection ends anyhow.
                let _told = connection.write(&response, Body::Whole).await;
                return;
            }
            Ok(None) | Err(_) => return,
        }
    }
}

/// Counts a request as under way until it is dropped.
struct UnderWay<'a>(&'a AtomicUsize);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Shared {
    /// An error ends the connection.
    async fn answer(&self, connection: &mut Connection, request: Request) -> io::Result<()> {
        let number = self.asked.fetch_add(1, Ordering::SeqCst);
        let concurrent = self.under_way.fetch_add(1, Ordering::SeqCst) + 1;
        let _under_way = UnderWay(&self.under_way);
        let at_nanos = self.options.clock.now_nanos();
        let fault = self.options.faults.choose(number);
        let response = self.response(&request, number, fault);
        let method = request.method;
        let status = if fault == Some(Fault::Timeout) { 0 } else { response.status };
        {
            let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
            log.push(Logged { request, at_nanos, status, concurrent, fault });
        }
        if !self.options.faults.delay().is_zero() {
            self.options.sleep.sleep(self.options.faults.delay()).await;
        }
        let body = match fault {
            Some(Fault::Timeout) => return connection.wait_for_end().await,
            _ if method == Method::Head || matches!(response.status, 204 | 304) => Body::Announced,
            Some(Fault::Cut) => Body::Cut,
            Some(Fault::Drip) => Body::Drip(self.options.sleep.as_ref(), self.options.drip),
            Some(Fault::Endless) => Body::Endless,
            _ => Body::Whole,
        };
        connection.write(&response, body).await
    }

    fn response(&self, request: &Request, number: u64, fault: Option<Fault>) -> Response {
        match fault {
            Some(Fault::Status(status)) => fault_status(&self.options.faults, status, number),
            Some(Fault::Html) => fault_page(),
            Some(Fault::Garbage) => {
                let response = negotiate(request, self.respond.respond(request));
                let body = self.options.faults.garbage(number, response.body.len().max(16));
                Response { body: body.into(), ..response }
            }
            _ => negotiate(request, self.respond.respond(request)),
        }
    }
}
