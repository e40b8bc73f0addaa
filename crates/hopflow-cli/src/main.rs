//! The binary `hopflow`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(hopflow_cli::main_with(std::env::args_os()))
}
