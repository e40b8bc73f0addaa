//! The port of 127.0.0.1, its connections, and their time limits.

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use crate::Site;
use crate::answer::answer;

/// The ports that are tried in order if none is requested. The first is usual.
pub const USUAL_PORTS: RangeInclusive<u16> = 4994..=5003;

/// The greatest head of a request, in bytes.
const HEAD_BYTES: usize = 16 * 1024;
/// How often the server checks whether it must stop.
const LOOK: Duration = Duration::from_millis(50);
/// The pause after a connection could not be accepted, for instance for lack of file descriptors.
const PAUSE: Duration = Duration::from_millis(50);

/// Limits for slow clients. One connection carries one request, so they apply to every request.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Concurrent connections. Further ones wait until one ends.
    pub connections: usize,
    /// Time from the start of a connection until its request was read.
    pub request: Duration,
    /// Time from the start of a connection until its response was received.
    pub whole: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { connections: 64, request: Duration::from_secs(5), whole: Duration::from_secs(30) }
    }
}

/// Why no port of 127.0.0.1 is available.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// The requested port.
    #[error("port {port} of 127.0.0.1 cannot be had: {cause}; `--port 0` takes a free one")]
    Port {
        /// The port.
        port: u16,
        /// Why not.
        cause: io::Error,
    },
    /// None was requested, and none of the usual ones is free.
    #[error(
        "none of the ports {} to {} of 127.0.0.1 can be had: {cause}; `--port 0` takes a free one",
        USUAL_PORTS.start(),
        USUAL_PORTS.end()
    )]
    Usual {
        /// Why the last one is not available.
        cause: io::Error,
    },
}

/// A bound port of 127.0.0.1. Connections wait there until [`Server::serve`].
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    port: u16,
}

impl Server {
    /// Binds exactly `port`, where 0 is any free one; or, without it, the first free one of
    /// [`USUAL_PORTS`].
    pub fn bind(port: Option<u16>) -> Result<Server, BindError> {
        if let Some(port) = port {
            return Server::on(port).map_err(|cause| BindError::Port { port, cause });
        }
        let (first, last) = USUAL_PORTS.into_inner();
        let free = (first..last).find_map(|port| Server::on(port).ok());
        let found = free.map_or_else(|| Server::on(last), Ok);
        found.map_err(|cause| BindError::Usual { cause })
    }

    fn on(port: u16) -> io::Result<Server> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        Ok(Server { listener, port })
    }

    /// The port that was bound.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Its address for a browser.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Serves `site` until `stop` is set. Open connections are then closed.
    pub fn serve(self, site: Site, limits: Limits, stop: &AtomicBool) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            tokio::spawn(accept(listener, self.port, Arc::new(site), limits));
            while !stop.load(Ordering::Relaxed) {
                sleep(LOOK).await;
            }
            Ok(())
        })
    }
}

/// Accepts connections, concurrently up to the limit.
async fn accept(listener: tokio::net::TcpListener, port: u16, site: Arc<Site>, limits: Limits) {
    let places = Arc::new(Semaphore::new(limits.connections));
    loop {
        let place = Arc::clone(&places).acquire_owned().await;
        let place = place.expect("the semaphore is never closed");
        let Ok((stream, _)) = listener.accept().await else {
            sleep(PAUSE).await;
            continue;
        };
        let site = Arc::clone(&site);
        tokio::spawn(async move {
            talk(stream, port, &site, limits).await;
            drop(place);
        });
    }
}

/// One request and its response.
async fn talk(stream: TcpStream, port: u16, site: &Site, limits: Limits) {
    let service = service_fn(|request: Request<Incoming>| {
        let response = answer(site, port, &request);
        async { Ok::<_, Infallible>(response) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.request)
        .keep_alive(false)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service);
    // An error here is the client's, which is slow, wrong or gone; the others continue.
    let _ = timeout(limits.whole, connection).await;
}
