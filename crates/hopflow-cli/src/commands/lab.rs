//! `hopflow lab`: the page of the lab on 127.0.0.1 or another address, until Ctrl-C.

use std::net::IpAddr;

use crate::Outcome;
use crate::args::LabArgs;
use crate::fail::Fail;

pub(crate) fn lab(args: &LabArgs) -> Outcome {
    serve(args.bind, args.port)
}

/// What a server means that other machines reach.
#[cfg(feature = "lab")]
const WARNING: &str = "\
warning: others on the network can open this page, too. Each reader works on a copy in the reader's
browser: no request changes anything on this machine, and none of its files is served. Others can
see who opens the page, because HTTP is not encrypted; whoever controls the network can change the
page on its way; many connections make it slow for all. Use it on a network that you trust, and
stop it after the lesson.";

/// Serves until Ctrl-C, which is the normal end: exit 0.
#[cfg(feature = "lab")]
fn serve(bind: Option<IpAddr>, port: Option<u16>) -> Outcome {
    use hopflow_lab::{Limits, Server, USUAL_ADDRESS};

    let server = Server::bind(bind.unwrap_or(USUAL_ADDRESS), port).map_err(Fail::input)?;
    let stop = crate::progress::cancel_on_interrupt();
    let url = server.url();
    if server.is_public() {
        eprintln!("The lab is at {url} for all machines that reach it. Ctrl-C ends it.\n{WARNING}");
    } else {
        eprintln!("The lab is at {url} for this machine only. Ctrl-C ends it.");
    }
    let served = server.serve(hopflow_lab::page(), Limits::default(), &stop);
    served.map_err(|cause| Fail::Fault(format!("the lab cannot be served: {cause}")))
}

#[cfg(not(feature = "lab"))]
fn serve(_bind: Option<IpAddr>, _port: Option<u16>) -> Outcome {
    Err(Fail::input(
        "this `hopflow` was built without the lab. The command of a release has it, from \
         the archive and from the wheel. In a copy of the repository: `cargo xtask lab`, then \
         `cargo install --path crates/hopflow-cli --features lab`",
    ))
}
