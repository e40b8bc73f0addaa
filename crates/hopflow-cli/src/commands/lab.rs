//! `hopflow lab`: the page of the lab on 127.0.0.1, until Ctrl-C.

use crate::Outcome;
use crate::args::LabArgs;
use crate::fail::Fail;

pub(crate) fn lab(args: &LabArgs) -> Outcome {
    serve(args.port)
}

/// Serves until Ctrl-C, which is the normal end: exit 0.
#[cfg(feature = "lab")]
fn serve(port: Option<u16>) -> Outcome {
    use hopflow_lab::{Limits, Server};

    let server = Server::bind(port).map_err(Fail::input)?;
    let stop = crate::progress::cancel_on_interrupt();
    eprintln!("The lab is at {} for this machine only. Ctrl-C ends it.", server.url());
    let served = server.serve(hopflow_lab::page(), Limits::default(), &stop);
    served.map_err(|cause| Fail::Fault(format!("the lab cannot be served: {cause}")))
}

#[cfg(not(feature = "lab"))]
fn serve(_port: Option<u16>) -> Outcome {
    Err(Fail::input(
        "this `hopflow` was built without the lab. In a copy of the repository: \
         `cargo xtask lab`, then `cargo install --path crates/hopflow-cli --features lab`",
    ))
}
