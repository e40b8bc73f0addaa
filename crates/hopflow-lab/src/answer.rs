//! The response to a request.
//!
//! The checks in this order: the request names this server (else 421), it is read-only (else 405),
//! it names one of the files (else 404). Every response carries the same security headers,
//! including refusals.

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

/// The response of a server on `port`. The body of the request is not read.
pub(crate) fn answer<B>(site: &Site, port: u16, request: &Request<B>) -> Response<Full<Bytes>> {
    let mut response = choose(site, port, request);
    for (name, value) in SAFETY {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn choose<B>(site: &Site, port: u16, request: &Request<B>) -> Response<Full<Bytes>> {
    if !is_meant(port, request) {
        let text = format!("this is http://127.0.0.1:{port}/ and answers to no other name\n");
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
fn is_meant<B>(port: u16, request: &Request<B>) -> bool {
    let mut hosts = request.headers().get_all(HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return false;
    };
    let target = request.uri().authority();
    is_own(port, host.as_bytes())
        && target.is_none_or(|target| is_own(port, target.as_str().as_bytes()))
}

/// Whether `host`, as written in a request, is this server.
fn is_own(port: u16, host: &[u8]) -> bool {
    ["127.0.0.1", "localhost"].iter().any(|name| {
        host.eq_ignore_ascii_case(format!("{name}:{port}").as_bytes())
            || (port == HTTP_PORT && host.eq_ignore_ascii_case(name.as_bytes()))
    })
}

fn refusal(status: StatusCode, text: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(text)));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
