//! The rules of the server, tested from outside: requests as bytes on a connection.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use hopflow_lab::{BindError, Limits, POLICY, Server, Site, USUAL_ADDRESS, USUAL_PORTS};

const INDEX: &[u8] = b"<!doctype html><title>made</title>";
const SCRIPT: &[u8] = b"export {};";
/// As large as the engine: needs more than one write.
static ENGINE: [u8; 3_000_000] = [7; 3_000_000];
/// More than the system buffers for a client that does not read.
static LARGE: [u8; 64_000_000] = [0; 64_000_000];

/// After this a test fails instead of waiting for ever. A passing test never waits this long.
const PATIENCE: Duration = Duration::from_mins(1);

/// A server with a small made-up page, on a free port, until it is dropped.
struct Running {
    /// Where a client reaches it.
    address: IpAddr,
    port: u16,
    stop: Arc<AtomicBool>,
    ended: Receiver<std::io::Result<()>>,
}

impl Running {
    fn start() -> Running {
        Running::with(Limits::default())
    }

    fn with(limits: Limits) -> Running {
        Running::on(USUAL_ADDRESS, limits).expect("some port is free")
    }

    fn on(bound: IpAddr, limits: Limits) -> Result<Running, BindError> {
        let files: [(&str, &[u8]); 7] = [
            ("index.html", INDEX),
            ("icon.svg", b"<svg/>"),
            ("notes.unknown", b"?"),
            ("assets/index-1a2b.js", SCRIPT),
            ("assets/index-1a2b.css", b"p{}"),
            ("assets/hopflow-1a2b.wasm", &ENGINE),
            ("large.txt", &LARGE),
        ];
        let site = Site::new(files.map(|(name, content)| (name.to_owned(), content)));
        let server = Server::bind(bound, Some(0))?;
        let port = server.port();
        let stop = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&stop);
        let (end, ended) = channel();
        std::thread::spawn(move || end.send(server.serve(site, limits, &seen)));
        let address = if bound.is_unspecified() { USUAL_ADDRESS } else { bound };
        Ok(Running { address, port, stop, ended })
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect((self.address, self.port)).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("not zero");
        stream
    }

    /// Sends `request`, with PORT replaced, and reads until the server closes.
    fn send(&self, request: &str) -> Answer {
        let mut stream = self.connect();
        let request = request.replace("PORT", &self.port.to_string());
        stream.write_all(request.as_bytes()).expect("it takes a request");
        Answer::read(&mut stream)
    }

    fn get(&self, target: &str) -> Answer {
        self.send(&format!("GET {target} HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if !std::thread::panicking() {
            self.ended.recv_timeout(PATIENCE).expect("the server ends").expect("without error");
        }
    }
}

/// The bytes received, until the connection was closed.
#[derive(Debug)]
struct Answer {
    head: String,
    body: Vec<u8>,
}

impl Answer {
    fn read(stream: &mut TcpStream) -> Answer {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("an answer, then the end");
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
        let head = String::from_utf8(bytes[..end].to_vec()).expect("a head is text");
        Answer { head, body: bytes[end + 4..].to_vec() }
    }

    fn status(&self) -> u16 {
        self.head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status")
    }

    /// The value of the header `name`, which must be there once.
    fn header(&self, name: &str) -> &str {
        let lines = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        let found: Vec<&str> = lines
            .filter(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
            .collect();
        assert_eq!(found.len(), 1, "{name} in {}", self.head);
        found[0]
    }
}

/// Claim: every file arrives whole, under its name, with its type; `/` is index.html; a query such
/// as `?embed` changes nothing.
#[test]
fn files_come_whole_with_their_types() {
    let server = Running::start();
    for (target, kind, content) in [
        ("/", "text/html; charset=utf-8", INDEX),
        ("/index.html", "text/html; charset=utf-8", INDEX),
        ("/?embed", "text/html; charset=utf-8", INDEX),
        ("/icon.svg", "image/svg+xml", b"<svg/>"),
        ("/notes.unknown", "application/octet-stream", b"?"),
        ("/assets/index-1a2b.js", "text/javascript; charset=utf-8", SCRIPT),
        ("/assets/index-1a2b.css", "text/css; charset=utf-8", b"p{}"),
        ("/assets/hopflow-1a2b.wasm", "application/wasm", &ENGINE),
    ] {
        let answer = server.get(target);
        assert_eq!(answer.status(), 200, "{target}");
        assert_eq!(answer.header("content-type"), kind, "{target}");
        assert_eq!(answer.header("content-length"), content.len().to_string(), "{target}");
        assert!(answer.body == content, "{target}");
    }
}

/// Claim: HEAD gives the head of GET and no body.
#[test]
fn head_has_no_body() {
    let server = Running::start();
    let answer = server.send("HEAD /assets/index-1a2b.js HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n");
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.header("content-length"), SCRIPT.len().to_string());
    assert!(answer.body.is_empty());
}

/// Claim: only GET and HEAD are answered, and the refusal names them.
#[test]
fn other_methods_are_refused() {
    let server = Running::start();
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"] {
        let request =
            format!("{method} / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 4\r\n\r\nbody");
        let answer = server.send(&request);
        assert_eq!(answer.status(), 405, "{method}");
        assert_eq!(answer.header("allow"), "GET, HEAD");
    }
}

/// Claim: a request that names another host, no host, two hosts or another port gets no file. That
/// is how DNS rebinding appears here.
#[test]
fn only_its_own_host_is_answered() {
    let server = Running::start();
    for host in ["127.0.0.1:PORT", "localhost:PORT", "LocalHost:PORT"] {
        let answer = server.send(&format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n"));
        assert_eq!((answer.status(), &answer.body[..]), (200, INDEX), "{host}");
    }
    for host in [
        "evil.example:PORT",
        "127.0.0.1.evil.example:PORT",
        "localhost.evil.example:PORT",
        "evil.example",
        "127.0.0.1",
        "127.0.0.1:1",
        "localhost",
        "0.0.0.0:PORT",
        "[::1]:PORT",
        "user@localhost:PORT",
        "",
    ] {
        let answer = server.send(&format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n"));
        assert_eq!(answer.status(), 421, "{host}");
        assert_ne!(answer.body, INDEX);
    }
    for request in [
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nHost: evil.example\r\n\r\n",
        "GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n",
    ] {
        assert_eq!(server.send(request).status(), 421, "{request}");
    }
    let own = "GET http://127.0.0.1:PORT/ HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n";
    assert_eq!(server.send(own).status(), 200);
}

/// Claim: only the names of the files are found: no parent folder, no folder, no other spelling of
/// a name.
#[test]
fn nothing_but_the_files_is_found() {
    let server = Running::start();
    for target in [
        "/Cargo.toml",
        "/../Cargo.toml",
        "/assets/../../Cargo.toml",
        "/assets/../index.html",
        "/%2e%2e/Cargo.toml",
        "/..%2fCargo.toml",
        "//etc/passwd",
        "/etc/passwd",
        "/..\\Cargo.toml",
        "/assets",
        "/assets/",
        "//index.html",
        "/INDEX.HTML",
        "/index.htm%6c",
        "/index.html/",
    ] {
        let answer = server.get(target);
        assert_eq!(answer.status(), 404, "{target}");
        assert_eq!(answer.body, b"no such file\n", "{target}");
    }
}

/// Claim: every response, including refusals, specifies what the page may load and who may read or
/// frame it.
#[test]
fn every_response_has_the_headers_of_safety() {
    let server = Running::start();
    for answer in [
        server.get("/"),
        server.get("/assets/hopflow-1a2b.wasm"),
        server.get("/missing"),
        server.send("POST / HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n"),
        server.send("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"),
    ] {
        assert_eq!(answer.header("content-security-policy"), POLICY);
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("referrer-policy"), "no-referrer");
        assert_eq!(answer.header("cross-origin-opener-policy"), "same-origin");
        assert_eq!(answer.header("cross-origin-resource-policy"), "same-origin");
        assert!(!answer.head.to_lowercase().contains("access-control"), "{}", answer.head);
    }
}

/// Claim: the policy is that of the page, and that no other origin may frame it.
#[test]
fn the_policy_is_that_of_the_page() {
    let page = include_str!("../../../lab/index.html");
    let (_, rest) = page.split_once("http-equiv=\"Content-Security-Policy\"").unwrap();
    let (_, rest) = rest.split_once("content=\"").unwrap();
    let (policy, _) = rest.split_once('"').unwrap();
    assert_eq!(POLICY, format!("{policy}; frame-ancestors 'self'"));
}

/// Claim: only names with a hash in them may be kept without asking again.
#[test]
fn only_hashed_names_are_kept() {
    let server = Running::start();
    let forever = "public, max-age=31536000, immutable";
    assert_eq!(server.get("/assets/index-1a2b.js").header("cache-control"), forever);
    assert_eq!(server.get("/").header("cache-control"), "no-cache");
    assert_eq!(server.get("/icon.svg").header("cache-control"), "no-cache");
    assert_eq!(server.get("/missing").header("cache-control"), "no-store");
}

/// Claim: a head larger than 16 kB, or one that is not HTTP, is refused and does no harm.
#[test]
fn nonsense_is_refused() {
    let server = Running::start();
    let long = "x".repeat(20_000);
    let answer = server.send(&format!("GET / HTTP/1.1\r\nHost: localhost:PORT\r\nX: {long}"));
    assert_eq!(answer.status(), 431);
    assert_eq!(server.send("\u{1}\u{2} nonsense\r\n\r\n").status(), 400);
    assert_eq!(server.get("/").status(), 200);
}

/// Claim: no more connections are served concurrently than the limit; the next one waits, and is
/// then served.
#[test]
fn connections_are_bounded() {
    let hour = Duration::from_hours(1);
    let server = Running::with(Limits { connections: 2, request: hour, whole: hour });
    let (first, second) = (server.connect(), server.connect());
    let mut third = server.connect();
    let request = format!("GET / HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", server.port);
    third.write_all(request.as_bytes()).unwrap();
    third.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
    third.read(&mut [0]).expect_err("both places are taken");
    drop(first);
    third.set_read_timeout(Some(PATIENCE)).unwrap();
    assert_eq!(Answer::read(&mut third).status(), 200);
    drop(second);
}

/// Claim: clients that send nothing, or only a part, hold their places for the time limit of a
/// request and no longer, even if they continue byte by byte. Then the next client is served.
#[test]
fn slow_requests_hold_no_place_for_long() {
    let request = Duration::from_millis(600);
    let limits = Limits { connections: 2, request, whole: Duration::from_hours(1) };
    let server = Running::with(limits);
    let silent = server.connect();
    let mut slow = server.connect();
    let dripping = std::thread::spawn(move || {
        let bytes = b"GET / HTTP/1.1\r\nHost: ".iter().chain(std::iter::repeat(&b'x'));
        // The server closes after 0.6 s; these bytes would take a minute.
        bytes.take(600).all(|byte| {
            std::thread::sleep(Duration::from_millis(100));
            slow.write_all(&[*byte]).is_ok()
        })
    });
    assert_eq!(server.get("/").status(), 200);
    assert!(!dripping.join().unwrap(), "the slow client was never cut");
    drop(silent);
}

/// Claim: a client that does not read its response holds its place for the time limit of a
/// connection and no longer.
#[test]
fn slow_readers_hold_no_place_for_long() {
    let whole = Duration::from_millis(600);
    let limits = Limits { connections: 1, request: whole, whole };
    let server = Running::with(limits);
    let mut lazy = Vec::new();
    for _ in 0..2 {
        let mut stream = server.connect();
        let request = "GET /large.txt HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n";
        stream.write_all(request.replace("PORT", &server.port.to_string()).as_bytes()).unwrap();
        lazy.push(stream);
    }
    assert_eq!(server.get("/").status(), 200);
    let mut taken = Vec::new();
    let cut = lazy[0].read_to_end(&mut taken).is_err() || taken.len() < LARGE.len();
    assert!(cut, "the whole response fits into the buffers of the system: the test says nothing");
}

/// Claim: the port is bound on 127.0.0.1 only, exactly the requested one, and an error with the way
/// out if it is taken.
#[test]
fn an_exact_port_is_taken_or_an_error() {
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = taken.local_addr().unwrap().port();
    let error = Server::bind(USUAL_ADDRESS, Some(port)).unwrap_err();
    assert!(matches!(error, BindError::Port { port: named, .. } if named == port));
    let text = error.to_string();
    assert!(text.contains(&port.to_string()) && text.contains("`--port 0`"), "{text}");
    drop(taken);
    let server = Server::bind(USUAL_ADDRESS, Some(port)).unwrap();
    assert_eq!(server.port(), port);
    assert_eq!(server.url(), format!("http://127.0.0.1:{port}/"));
    // All of 127.0.0.0/8 is this machine, and a server on all addresses would answer there.
    if cfg!(target_os = "linux") {
        TcpStream::connect(("127.0.0.2", port)).unwrap_err();
    }
}

/// Claim: on all addresses, a request that names any IP address with the port is answered, as
/// behind the port of a container; a name is not, because of DNS rebinding. The address that is
/// printed is one at which the server answers.
#[test]
fn on_all_addresses_ip_addresses_are_names() {
    let server = Running::on(Ipv4Addr::UNSPECIFIED.into(), Limits::default()).unwrap();
    for host in ["127.0.0.1:PORT", "localhost:PORT", "192.168.1.20:PORT", "[2001:db8::1]:PORT"] {
        let answer = server.send(&format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n"));
        assert_eq!((answer.status(), &answer.body[..]), (200, INDEX), "{host}");
        assert_eq!(answer.header("content-security-policy"), POLICY);
    }
    for host in ["evil.example:PORT", "192.168.1.20.evil.example:PORT", "192.168.1.20", "classroom"]
    {
        let answer = server.send(&format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n"));
        assert_eq!(answer.status(), 421, "{host}");
        assert!(String::from_utf8_lossy(&answer.body).contains("an IP address with the port"));
    }
    for request in ["POST / HTTP/1.1\r\nHost: 10.0.0.1:PORT\r\n\r\n", "nonsense\r\n\r\n"] {
        assert!(server.send(request).status() >= 400, "{request}");
    }
    let public = Server::bind(Ipv4Addr::UNSPECIFIED.into(), Some(0)).unwrap();
    assert!(public.is_public());
    let url = public.url();
    let host = url.strip_prefix("http://").and_then(|url| url.strip_suffix('/')).unwrap();
    TcpStream::connect(host).expect("the printed address is one of this machine");
    let local = Server::bind(USUAL_ADDRESS, Some(0)).unwrap();
    assert!(!local.is_public());
}

/// Claim: on one address, only this address is a name of the server, with its port.
#[test]
fn on_one_address_it_alone_is_a_name() {
    // All of 127.0.0.0/8 is this machine on Linux; elsewhere one address has to do.
    let (own, other) = if cfg!(target_os = "linux") {
        (Ipv4Addr::new(127, 0, 0, 2), Ipv4Addr::LOCALHOST)
    } else {
        (Ipv4Addr::LOCALHOST, Ipv4Addr::new(127, 0, 0, 2))
    };
    let server = Running::on(own.into(), Limits::default()).unwrap();
    for (host, status) in [(own, 200), (other, 421), (Ipv4Addr::UNSPECIFIED, 421)] {
        let answer = server.send(&format!("GET / HTTP/1.1\r\nHost: {host}:PORT\r\n\r\n"));
        assert_eq!(answer.status(), status, "{host}");
    }
}

/// Claim: an address of another machine is one error, which names the address and how to find the
/// right one, whether a port was requested or not.
#[test]
fn an_address_of_another_machine_is_an_error() {
    let other = IpAddr::V4(Ipv4Addr::new(198, 51, 100, 77));
    for port in [None, Some(0), Some(4994)] {
        let error = Server::bind(other, port).unwrap_err();
        assert!(matches!(error, BindError::Address { address, .. } if address == other));
        let text = error.to_string();
        assert!(text.contains("198.51.100.77") && text.contains("`--bind 0.0.0.0`"), "{text}");
    }
}

/// Claim: without a requested port, servers bind the usual ones in order, skipping those that are
/// taken; if none is left, that is an error with the way out.
#[test]
fn the_next_usual_port_is_taken() {
    let mut servers = Vec::new();
    let error = loop {
        match Server::bind(USUAL_ADDRESS, None) {
            Ok(server) => servers.push(server),
            Err(error) => break error,
        }
    };
    let ports: Vec<u16> = servers.iter().map(Server::port).collect();
    assert!(ports.is_sorted() && ports.iter().all(|port| USUAL_PORTS.contains(port)), "{ports:?}");
    let mut others = USUAL_PORTS.filter(|port| !ports.contains(port));
    assert!(others.all(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_err()));
    assert!(error.to_string().contains("4994 to 5003"), "{error}");
    assert!(error.to_string().contains("`--port 0`"), "{error}");
}

/// Claim: the server ends on request, even with a client that waits.
#[test]
fn it_ends_when_asked() {
    let server = Running::start();
    let waiting = server.connect();
    drop(server);
    drop(waiting);
}
