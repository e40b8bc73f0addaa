//! The port of an address of this machine, its connections, and their time limits.

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, UdpSocket};
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

/// The address that is bound if none is requested: no other machine reaches it.
pub const USUAL_ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// Why no port of the address is available.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// The address is of another machine.
    #[error(
        "{address} is not an address of this machine: {cause}; `ip address` (Linux), `ifconfig` or \
         `ipconfig` lists those, and `--bind 0.0.0.0` takes all"
    )]
    Address {
        /// The address.
        address: IpAddr,
        /// Why not.
        cause: io::Error,
    },
    /// The requested port.
    #[error("port {port} of {address} cannot be had: {cause}; `--port 0` takes a free one")]
    Port {
        /// The address.
        address: IpAddr,
        /// The port.
        port: u16,
        /// Why not.
        cause: io::Error,
    },
    /// None was requested, and none of the usual ones is free.
    #[error(
        "none of the ports {} to {} of {address} can be had: {cause}; `--port 0` takes a free one",
        USUAL_PORTS.start(),
        USUAL_PORTS.end()
    )]
    Usual {
        /// The address.
        address: IpAddr,
        /// Why the last one is not available.
        cause: io::Error,
    },
}

/// A bound port of an address of this machine. Connections wait there until [`Server::serve`].
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    own: SocketAddr,
}

impl Server {
    /// Binds exactly `port` of `address`, where 0 is any free one; or, without it, the first free
    /// one of [`USUAL_PORTS`]. The address 0.0.0.0 or `::` is all addresses of this machine.
    pub fn bind(address: IpAddr, port: Option<u16>) -> Result<Server, BindError> {
        let bound = if let Some(port) = port {
            Server::on(address, port).map_err(|cause| BindError::Port { address, port, cause })
        } else {
            let (first, last) = USUAL_PORTS.into_inner();
            let free = (first..last).find_map(|port| Server::on(address, port).ok());
            let found = free.map_or_else(|| Server::on(address, last), Ok);
            found.map_err(|cause| BindError::Usual { address, cause })
        };
        bound.map_err(|error| match error {
            BindError::Port { cause, .. } | BindError::Usual { cause, .. }
                if cause.kind() == io::ErrorKind::AddrNotAvailable =>
            {
                BindError::Address { address, cause }
            }
            error => error,
        })
    }

    fn on(address: IpAddr, port: u16) -> io::Result<Server> {
        let listener = TcpListener::bind((address, port))?;
        listener.set_nonblocking(true)?;
        let own = listener.local_addr()?;
        Ok(Server { listener, own })
    }

    /// The port that was bound.
    pub fn port(&self) -> u16 {
        self.own.port()
    }

    /// Whether other machines can reach it.
    pub fn is_public(&self) -> bool {
        !self.own.ip().is_loopback()
    }

    /// Its address for a browser. Of a server on all addresses, it is the one from which this
    /// machine reaches others, or the one of the machine itself if it reaches none.
    pub fn url(&self) -> String {
        let ip = self.own.ip();
        let ip = if ip.is_unspecified() { outward(ip) } else { ip };
        format!("http://{}/", SocketAddr::new(ip, self.own.port()))
    }

    /// Serves `site` until `stop` is set. Open connections are then closed.
    pub fn serve(self, site: Site, limits: Limits, stop: &AtomicBool) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            tokio::spawn(accept(listener, self.own, Arc::new(site), limits));
            while !stop.load(Ordering::Relaxed) {
                sleep(LOOK).await;
            }
            Ok(())
        })
    }
}

/// The address of this machine towards others; its own one if there is none. The system looks up
/// the route to an address for documentation (RFC 5737, RFC 3849); nothing is sent.
fn outward(all: IpAddr) -> IpAddr {
    let (own, other): (IpAddr, IpAddr) = if all.is_ipv4() {
        (Ipv4Addr::LOCALHOST.into(), Ipv4Addr::new(192, 0, 2, 1).into())
    } else {
        (Ipv6Addr::LOCALHOST.into(), Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into())
    };
    let towards = || -> io::Result<IpAddr> {
        let socket = UdpSocket::bind((all, 0))?;
        socket.connect((other, 9))?;
        Ok(socket.local_addr()?.ip())
    };
    towards().unwrap_or(own)
}

/// Accepts connections, concurrently up to the limit.
async fn accept(
    listener: tokio::net::TcpListener,
    own: SocketAddr,
    site: Arc<Site>,
    limits: Limits,
) {
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
            talk(stream, own, &site, limits).await;
            drop(place);
        });
    }
}

/// One request and its response.
async fn talk(stream: TcpStream, own: SocketAddr, site: &Site, limits: Limits) {
    let service = service_fn(|request: Request<Incoming>| {
        let response = answer(site, own, &request);
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
