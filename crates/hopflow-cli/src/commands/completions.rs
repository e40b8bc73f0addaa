//! `hopflow completions`: what a shell completes.

use clap::CommandFactory as _;

use crate::args::{Args, CompletionsArgs};
use crate::{Outcome, output};

pub(crate) fn completions(args: &CompletionsArgs) -> Outcome {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "hopflow", &mut text);
    output::write(&String::from_utf8_lossy(&text))
}
