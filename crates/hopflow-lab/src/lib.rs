//! Serves the page in lab/, read-only: on 127.0.0.1 to this machine, or on an address to a
//! classroom.
//!
//! ```text
//!  Site      the files, by name; nothing else can be requested
//!  answer    the response to a request: host, method, name
//!  Server    the port of an address, connections, deadlines
//!  page      the files of lab/dist, inside the binary (feature `page`)
//! ```
//!
//! A page of another origin can send requests to 127.0.0.1 through the browser of its visitor. It
//! can also give its own name the address 127.0.0.1 (DNS rebinding), and then read the answers. So
//! `Host` must name this server, headers prevent other origins from reading or framing the files,
//! and no request changes anything. This holds on every address that is bound.

mod answer;
#[cfg(feature = "page")]
mod page;
mod server;
mod site;

pub use answer::POLICY;
#[cfg(feature = "page")]
pub use page::page;
pub use server::{BindError, Limits, Server, USUAL_ADDRESS, USUAL_PORTS};
pub use site::Site;
