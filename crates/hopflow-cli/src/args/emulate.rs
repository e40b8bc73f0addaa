//! Arguments of `emulate`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::ValueEnum;

use super::RunArgs;

pub(crate) const EMULATE_HELP: &str = "\
Examples:
  hopflow emulate examples/tcp-over-atm.toml --duration \"5 s\"
  hopflow emulate examples/tcp-over-atm.toml --profile reno-1994
  hopflow emulate examples/behind-a-buffer.toml --congestion bbr --expect
  hopflow emulate examples/tcp-over-atm.toml --addresses
  hopflow emulate examples/tcp-over-atm.toml --serve \"B1=iperf3 -s -1\" \\
                  --ready B1:5201 --at A1 -- iperf3 -c 10.77.0.2 -t 5

Each `tcp`, `nfs` or `rpc-replay` flow becomes a connection between two real
hosts with the TCP of Linux. Without --at, bulk data goes over all of them.
HOPFLOW_ADDRESS and HOPFLOW_PEER give a program the addresses of its first flow.
The command needs Linux, and root or user namespaces.

Exit code 1: --expect is not met or the program failed; 5: the machine was too
busy for the times to be trusted.";

/// Set up the TCP of all hosts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProfileName {
    /// As the system is set up.
    #[default]
    LinuxDefault,
    /// Reno without SACK, time stamps, RACK, tail loss probes, F-RTO and window scaling; time-outs
    /// of 1 s or more.
    #[value(name = "reno-1994")]
    Reno1994,
}

/// `hopflow emulate`.
#[derive(Debug, clap::Args)]
pub(crate) struct EmulateArgs {
    #[command(flatten)]
    pub(crate) run: RunArgs,
    /// Run the program behind `--` on HOST; the run ends with it.
    #[arg(long, value_name = "HOST", requires = "program")]
    pub(crate) at: Option<String>,
    /// Run a program, such as a server, on another host until the run ends; spaces separate its
    /// words; repeatable.
    #[arg(long, value_name = "HOST=PROGRAM", requires = "at")]
    pub(crate) serve: Vec<String>,
    /// Start the program behind `--` once HOST listens on PORT (TCP or UDP); repeatable. Default:
    /// .3 s after the servers.
    #[arg(long, value_name = "HOST:PORT", requires = "serve")]
    pub(crate) ready: Vec<String>,
    /// Set up the TCP of all hosts.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) profile: ProfileName,
    /// Set the congestion control of all hosts, or of one: reno, cubic, bbr; repeatable. Default:
    /// that of the profile.
    #[arg(long, value_name = "[HOST=]NAME")]
    pub(crate) congestion: Vec<String>,
    /// Judge the run by the scenario's `[expect]`; exit code 1 if a value is out of its range.
    #[arg(long, conflicts_with = "replay")]
    pub(crate) expect: bool,
    /// Simulate again what hosts sent in the run in DIR, and compare digests.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["at", "serve", "congestion"])]
    pub(crate) replay: Option<PathBuf>,
    /// Print the address of each host by flow; run nothing.
    #[arg(long, conflicts_with_all = ["at", "serve", "replay"])]
    pub(crate) addresses: bool,
    /// The program and its arguments.
    #[arg(last = true, value_name = "PROGRAM", requires = "at")]
    pub(crate) program: Vec<OsString>,
}
