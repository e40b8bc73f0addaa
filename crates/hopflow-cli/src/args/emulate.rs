//! Arguments of `emulate`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::ValueEnum;

use super::RunArgs;

pub(crate) const EMULATE_HELP: &str = "\
Examples:
  hopflow emulate examples/tcp-over-atm.toml --duration \"5 s\"
  hopflow emulate examples/tcp-over-atm.toml --duration \"5 s\" --profile reno-1994
  hopflow emulate examples/behind-a-buffer.toml --congestion bbr --expect
  hopflow emulate examples/tcp-over-atm.toml --addresses
  hopflow emulate examples/tcp-over-atm.toml --serve \"B1=iperf3 -s -1\" \\
                  --ready B1:5201 --at A1 -- iperf3 -c 10.77.0.2 -t 5

Each `tcp`, `nfs` or `rpc-replay` flow becomes a connection between two real hosts, with TCP of
Linux. Without --at, bulk data goes over all of them for the duration of the scenario. In the
environment of a program, HOPFLOW_ADDRESS and HOPFLOW_PEER are the addresses of its first flow.

Exit codes: as for `run`, 1 also if --expect is not met or the program failed, and 5 if the machine
was too busy for the times to be trusted.
It needs Linux, and root or user namespaces.";

/// How the TCP of all hosts is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProfileName {
    /// As the system has it.
    #[default]
    LinuxDefault,
    /// Reno without SACK, time stamps, RACK, tail loss probes, F-RTO and window scaling; time-outs
    /// of 1 s at least.
    #[value(name = "reno-1994")]
    Reno1994,
}

/// `hopflow emulate`.
#[derive(Debug, clap::Args)]
pub(crate) struct EmulateArgs {
    #[command(flatten)]
    pub(crate) run: RunArgs,
    /// The host on which the program behind `--` runs; the run ends with it.
    #[arg(long, value_name = "HOST", requires = "program")]
    pub(crate) at: Option<String>,
    /// A program on another host, such as a server; it is ended with the run. Its words are split
    /// at spaces. May be given several times.
    #[arg(long, value_name = "HOST=PROGRAM", requires = "at")]
    pub(crate) serve: Vec<String>,
    /// Start the program behind `--` once a socket of HOST listens on PORT (TCP, or any of UDP);
    /// without it, .3 s after the servers. May be given several times.
    #[arg(long, value_name = "HOST:PORT", requires = "serve")]
    pub(crate) ready: Vec<String>,
    /// How the TCP of all hosts is set.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) profile: ProfileName,
    /// The congestion control of all hosts, such as reno, cubic or bbr, or of one. May be given
    /// several times. Default: as the profile.
    #[arg(long, value_name = "[HOST=]NAME")]
    pub(crate) congestion: Vec<String>,
    /// Judge the run by the values of the scenario's `[expect]`: exit code 1 if one is out of its
    /// range.
    #[arg(long, conflicts_with = "replay")]
    pub(crate) expect: bool,
    /// Simulate what hosts sent in an earlier run again, from its directory, and compare digests.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["at", "serve", "congestion"])]
    pub(crate) replay: Option<PathBuf>,
    /// Print the address of each host by flow, and stop.
    #[arg(long, conflicts_with_all = ["at", "serve", "replay"])]
    pub(crate) addresses: bool,
    /// The program and its arguments.
    #[arg(last = true, value_name = "PROGRAM", requires = "at")]
    pub(crate) program: Vec<OsString>,
}
