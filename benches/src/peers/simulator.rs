//! The simulators: which workloads each can run, how long a stretch, and its command.

use std::path::Path;

use crate::workloads::{Driver, Workload};

/// hopflow and the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Simulator {
    Hopflow,
    /// ns-3, point-to-point devices and a custom forwarder, no IP: less than users build.
    Ns3Raw,
    /// ns-3 with UDP over IPv4 and static routes: what users build.
    Ns3Ip,
    Nexosim,
    Simpy,
    NsPy,
}

impl Simulator {
    pub(super) const ALL: [Simulator; 6] = [
        Simulator::Hopflow,
        Simulator::Ns3Raw,
        Simulator::Ns3Ip,
        Simulator::Nexosim,
        Simulator::Simpy,
        Simulator::NsPy,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Simulator::Hopflow => "hopflow",
            Simulator::Ns3Raw => "ns-3 (no IP)",
            Simulator::Ns3Ip => "ns-3 (UDP/IP)",
            Simulator::Nexosim => "nexosim",
            Simulator::Simpy => "SimPy",
            Simulator::NsPy => "ns.py",
        }
    }

    /// The drivers for nexosim and ns.py have no fabric.
    pub(super) fn can(self, workload: &Workload) -> bool {
        !matches!(self, Simulator::Nexosim | Simulator::NsPy) || driver(workload).pattern.is_none()
    }

    /// By which factor its stretch is shorter, so that a round takes seconds. ns-3 with IP takes
    /// longer per packet the more interfaces a switch has.
    pub(super) fn shorter(self, workload: &Workload) -> u64 {
        match (self, sources(workload)) {
            (Simulator::Hopflow | Simulator::Ns3Raw | Simulator::Nexosim, _) => 1,
            (Simulator::Ns3Ip, 10_000) => 50,
            (Simulator::Ns3Ip, _) => 5,
            (Simulator::Simpy, _) => 10,
            (Simulator::NsPy, _) => 20,
        }
    }

    /// Why it cannot run, if it is not installed.
    pub(super) fn installed(self, folder: &Path) -> Result<(), String> {
        let there = |path: &str| folder.join(path).exists();
        let package = |name: &str| {
            let site = folder.join("python").join("lib");
            let versions = std::fs::read_dir(site).into_iter().flatten().flatten();
            versions.into_iter().any(|v| v.path().join("site-packages").join(name).exists())
        };
        let found = match self {
            Simulator::Hopflow => true,
            Simulator::Ns3Raw | Simulator::Ns3Ip => there("ns3/peerbench"),
            Simulator::Nexosim => there("nexosim/release/nexobench"),
            Simulator::Simpy => there("python/bin/python") && package("simpy"),
            Simulator::NsPy => there("python/bin/python") && package("ns"),
        };
        found.then_some(()).ok_or_else(|| "not installed (`--install` fetches it)".to_owned())
    }

    /// The command that runs a workload once.
    pub(super) fn command(self, workload: &Workload, cells: u64, folder: &Path) -> Vec<String> {
        let Driver { number, sources: flows, pattern } = driver(workload);
        let of = |path: &str| folder.join(path).to_string_lossy().into_owned();
        let script = |path: &str| {
            crate::root().join("benches/peers").join(path).to_string_lossy().into_owned()
        };
        let size = if pattern.is_some() { (cells / flows).max(1) } else { cells };
        let pattern = pattern.unwrap_or("shift");
        let words = match self {
            Simulator::Hopflow => {
                let myself = std::env::current_exe().unwrap_or_default();
                let myself = myself.to_string_lossy();
                format!(
                    "{myself}\n--once\n--format\njson\n--workload\n{}\n--cells\n{cells}",
                    workload.name
                )
            }
            Simulator::Ns3Raw | Simulator::Ns3Ip => {
                let mode = if self == Simulator::Ns3Raw { "raw" } else { "ip" };
                let program = of("ns3/peerbench");
                let which = if number == 3 { "H" } else { "F" };
                format!(
                    "{program}\n--w={number}\n--mode={mode}\n--n={size}\n--{which}={flows}\n\
                     --perm={pattern}"
                )
            }
            Simulator::Nexosim => {
                format!("{}\n{number}\n{size}\n{flows}\n1", of("nexosim/release/nexobench"))
            }
            Simulator::Simpy => {
                let (python, script) = (of("python/bin/python"), script("simpy/peerbench.py"));
                format!("{python}\n{script}\n{number}\n{size}\n{flows}\n{pattern}")
            }
            Simulator::NsPy => {
                let (python, script) = (of("python/bin/python"), script("nspy/peerbench.py"));
                format!("{python}\n{script}\n{number}\n{size}\n{flows}")
            }
        };
        words.lines().map(str::to_owned).collect()
    }
}

/// How many hosts of a workload send.
pub(super) fn sources(workload: &Workload) -> u64 {
    driver(workload).sources
}

fn driver(workload: &Workload) -> Driver {
    workload.driver.expect("only workloads that the drivers have are measured beside others")
}
