//! The response to a request.
//!
//! The checks in this order: the request names this server (else 421), it is read-only (else 405),
//! it names one of the files (else 404). Every response carries the same security headers,
//! including refusals.
//!
//! A server on one address is named by this address, one on all addresses by any IP address, and
//! one on this machine only by `localhost`, too. No other name is answered: a page that maps its
//! own name to an address of the server (DNS rebinding) sends its own name in `Host`.

use std::net::{IpAddr, SocketAddr};

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderName, HeaderValue,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use hyper::{Method, Request, Response, StatusCode};

use crate::Site;

/// The policy of the page (`lab/index.html`), and that only pages of the same origin may frame it.
pub const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
     style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; \
     worker-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'self'";

/// The port that a browser leaves out of `Host`.
const HTTP_PORT: u16 = 80;

const SAFETY: [(HeaderName, &str); 5] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// The response of a server that listens on `own`. The body of the request is not read.
pub(crate) fn answer<B>(
    site: &Site,
    own: SocketAddr,
    request: &Request<B>,
) -> Response<Full<Bytes>> {
    let mut response = choose(site, own, request);
    for (name, value) in SAFETY {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn choose<B>(site: &Site, own: SocketAddr, request: &Request<B>) -> Response<Full<Bytes>> {
    if !is_meant(own, request) {
        let port = own.port();
        let text = if own.ip().is_unspecified() {
            format!("this answers to an IP address with the port {port}, and to no other name\n")
        } else {
            format!("this is http://{own}/ and answers to no other name\n")
        };
        return refusal(StatusCode::MISDIRECTED_REQUEST, text);
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let text = "read-only: GET or HEAD\n".to_owned();
        let mut response = refusal(StatusCode::METHOD_NOT_ALLOWED, text);
        response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        return response;
    }
    let Some(file) = site.file(request.uri().path()) else {
        return refusal(StatusCode::NOT_FOUND, "no such file\n".to_owned());
    };
    let mut response = Response::new(Full::new(file.content.clone()));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(file.content_type()));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(file.cache_control()));
    response
}

/// Whether the request names this server: in its only `Host`, and in its target if that contains a
/// host.
fn is_meant<B>(own: SocketAddr, request: &Request<B>) -> bool {
    let mut hosts = request.headers().get_all(HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return false;
    };
    let target = request.uri().authority();
    is_own(own, host.as_bytes())
        && target.is_none_or(|target| is_own(own, target.as_str().as_bytes()))
}

/// Whether `host`, as written in a request, is this server.
fn is_own(own: SocketAddr, host: &[u8]) -> bool {
    let Ok(host) = std::str::from_utf8(host) else {
        return false;
    };
    if (own.ip().is_loopback() || own.ip().is_unspecified()) && is_localhost(own.port(), host) {
        return true;
    }
    let named = host.parse::<SocketAddr>().ok().or_else(|| without_port(host));
    named.is_some_and(|named| {
        named.port() == own.port() && (own.ip().is_unspecified() || named.ip() == own.ip())
    })
}

fn is_localhost(port: u16, host: &str) -> bool {
    host.eq_ignore_ascii_case(&format!("localhost:{port}"))
        || (port == HTTP_PORT && host.eq_ignore_ascii_case("localhost"))
}

/// An address whose port the browser left out.
fn without_port(host: &str) -> Option<SocketAddr> {
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let ip: IpAddr = match bare {
        Some(six) => IpAddr::V6(six.parse().ok()?),
        None => IpAddr::V4(host.parse().ok()?),
    };
    Some(SocketAddr::new(ip, HTTP_PORT))
}

fn refusal(status: StatusCode, text: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(text)));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: addresses of IPv6 are names like those of IPv4, in brackets, and on the port of HTTP
    /// the port may be missing. `localhost` is a name on a loopback address and on all addresses,
    /// not on an address of a network.
    #[test]
    fn a_server_has_the_names_of_its_address() {
        let own = |own: &str, host: &str| is_own(own.parse().unwrap(), host.as_bytes());
        for (server, host) in [
            ("[::1]:4994", "[::1]:4994"),
            ("[::1]:4994", "localhost:4994"),
            ("[2001:db8::1]:4994", "[2001:DB8:0::1]:4994"),
            ("[::]:4994", "[2001:db8::1]:4994"),
            ("[::]:4994", "192.0.2.1:4994"),
            ("192.0.2.1:80", "192.0.2.1"),
            ("192.0.2.1:80", "192.0.2.1:80"),
            ("[2001:db8::1]:80", "[2001:db8::1]"),
            ("127.0.0.1:80", "localhost"),
        ] {
            assert!(own(server, host), "{server} is {host}");
        }
        for (server, host) in [
            ("[::1]:4994", "[::2]:4994"),
            ("[::1]:4994", "::1:4994"),
            ("[::1]:4994", "127.0.0.1:4994"),
            ("[::]:4994", "[2001:db8::1]"),
            ("192.0.2.1:4994", "192.0.2.1"),
            ("192.0.2.1:4994", "localhost:4994"),
            ("192.0.2.1:80", "192.0.2.1:4994"),
            ("0.0.0.0:4994", "evil.example:4994"),
            ("0.0.0.0:4994", "192.0.2.1.evil.example:4994"),
            ("0.0.0.0:4994", ""),
        ] {
            assert!(!own(server, host), "{server} is not {host}");
        }
    }
}
