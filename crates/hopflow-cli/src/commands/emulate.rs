//! `hopflow emulate`: real TCP through the network of a scenario, in real time.
//!
//! Nothing is recorded while it runs. What hosts sent is simulated again afterwards, to the same
//! digest, and that run is kept and printed as `hopflow run` does.

use crate::Outcome;
use crate::args::EmulateArgs;

#[cfg(target_os = "linux")]
mod real;

#[cfg(target_os = "linux")]
pub(crate) fn emulate(args: &EmulateArgs) -> Outcome {
    real::emulate(args)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn emulate(args: &EmulateArgs) -> Outcome {
    let _ = args;
    let why = "emulate needs Linux: its hosts are network namespaces. `hopflow run` simulates them";
    Err(crate::fail::Fail::input(why))
}
