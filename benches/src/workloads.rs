//! The networks that are timed: a table of their names, their full sizes and their constructors.
//!
//! | name begins with          | network                                                        |
//! |---------------------------|----------------------------------------------------------------|
//! | `tandem`                  | host, 5 switches, host; 155.52 Mb/s, 50 us; one VC             |
//! | `many-flows`              | 1,000 (`10k`: 10,000) hosts, 2 switches, host; 155.52 Mb/s;    |
//! |                           | bursts of 100 cells, exponential silence between, load .9      |
//! | `fabric`, `large-fabric`  | three-stage fat tree of 64 or 1,024 hosts; every host to one   |
//! |                           | other by a random permutation (`shift`: no packet waits;       |
//! |                           | `all-to-all`: to each other; `incast`: all to one)             |
//! | `mostly-idle`             | 20,000 VCs between 32 hosts over 4 switches, a cell at a time  |
//! | `million-vcs`             | the same with 1,000,000 VCs, of which a quarter has a cell     |
//! | `test-one`                | Test-One of [Zhang90], ten minutes (`hour`: an hour): 60 flows |
//! |                           | of packet trains over four switches, VirtualClock              |
//! | `cai97-1`                 | configuration 1 of [Cai97], fifteen seconds: five TCPs over    |
//! |                           | AAL5 and ABR, a satellite, virtual sources at every switch     |
//! | `set-up`                  | 10,000 VCs of a cell each, N23, between 16 hosts, from a file  |
//! | `tcp-over-cells`          | Table 2 (b) of [Kung97], thirty seconds: two TCPs over AAL5    |
//! |                           | and N23, 192 cells a segment                                   |
//!
//! | name ends with            | control                                        | made in       |
//! |---------------------------|------------------------------------------------|---------------|
//! | `n23`                     | N23 on every hop                               | `cells.rs`    |
//! | `abr`, `erica`            | ABR, ERICA+ at every port of a switch          | `cells.rs`    |
//! | `fifo`, a pattern         | none; FIFO: what other simulators run          | `packets.rs`  |
//! | `pfc`                     | PFC on every link; FIFO                        | `packets.rs`  |
//! | `virtual-clock`           | none; VirtualClock at every port               | `packets.rs`  |
//! | `buffer`, `buffer-shift`  | none; FIFO, ports of switches have a limit and | `packets.rs`  |
//! |                           | mark                                           |               |
//! | `dctcp`                   | DCTCP over such ports                          | `transport.rs` |
//! | `dctcp-bytes`             | the same; limits in bytes, memory in cells     | `transport.rs` |
//! | `cbfc`, `ats`             | 16 hosts; CBFC on every link, ATS at switches  | `files.rs`    |

mod cells;
mod control;
mod fabric;
mod files;
pub(crate) mod growing;
mod mostly_idle;
mod packets;
mod papers;
mod plan;
#[cfg(test)]
mod testing;
mod transport;

use hopflow_network::NetworkSpec;

use control::Control;
use fabric::{FatTree, Pattern};

/// What can be timed.
#[derive(Debug)]
pub(crate) struct Workload {
    pub(crate) name: &'static str,
    /// Data cells or packets in all, at full size.
    pub(crate) full_size: u64,
    /// The number in the runs whose digests are pinned.
    pub(crate) small_size: u64,
    /// The pinned runs, and those of the reference engine, are cut to this fraction of their time.
    cut: u64,
    /// The reference engine runs a stretch that is shorter than full size by this factor.
    pub(crate) shorter: u64,
    /// Its name in the drivers of other simulators, if they run it.
    pub(crate) driver: Option<Driver>,
    make: fn(u64) -> NetworkSpec,
}

/// A workload as known to the drivers of other simulators.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Driver {
    /// 1 tandem, 2 many flows, 3 fabric.
    pub(crate) number: u8,
    /// How many hosts send.
    pub(crate) sources: u64,
    /// The traffic pattern of a fabric.
    pub(crate) pattern: Option<&'static str>,
}

/// All workloads. A row: name, full size, and the function that makes about this many data cells.
pub(crate) static ALL: &[Workload] = &[
    row("tandem-n23", 3_000_000, |n| cells::tandem(Control::N23, n)),
    row("many-flows-n23", 1_000_000, |n| cells::many_flows(Control::N23, 1_000, n)),
    row("many-flows-10k-n23", 1_000_000, |n| cells::many_flows(Control::N23, 10_000, n))
        .shorter(400),
    row("fabric-n23", SMALL, |n| cells::fabric(FatTree::HOSTS_64, Control::N23, n)),
    row("large-fabric-n23", LARGE, |n| cells::fabric(FatTree::HOSTS_1024, Control::N23, n))
        .small(20 * 1_024),
    row("mostly-idle-n23", 1_000_000, |n| mostly_idle::mostly_idle(20_000, n)).shorter(400),
    // The reference engine would take tens of gigabytes: a shorter run has fewer VCs.
    row("million-vcs-n23", 300_000, |n| mostly_idle::mostly_idle(n * 10 / 3, n)),
    row("tandem-abr", 3_000_000, |n| cells::tandem(Control::EricaPlus, n)),
    row("many-flows-erica", 1_000_000, |n| cells::many_flows(Control::EricaPlus, 1_000, n)),
    row("fabric-erica", SMALL, |n| cells::fabric(FatTree::HOSTS_64, Control::EricaPlus, n))
        .small(64 * 500),
    // In a twentieth of its run, slow start over a satellite has hardly sent anything.
    row("cai97-1", 15 * papers::CAI97_PER_SECOND, papers::cai97).shorter(2).small(200_000),
    row("test-one", 600 * papers::TEST_ONE_PER_SECOND, papers::test_one),
    row("test-one-hour", 3_600 * papers::TEST_ONE_PER_SECOND, papers::test_one)
        .shorter(120)
        .small(4_000),
    row("tcp-over-cells", 30 * papers::TCP_PER_SECOND, papers::tcp_over_cells),
    row("tandem-fifo", 1_000_000, |n| packets::tandem(Control::Fifo, n)).driven(1, 1, None),
    row("many-flows-fifo", 1_000_000, |n| packets::many_flows(Control::Fifo, 1_000, n))
        .driven(2, 1_000, None),
    row("many-flows-10k-fifo", 1_000_000, |n| packets::many_flows(Control::Fifo, 10_000, n))
        .driven(2, 10_000, None)
        .small(10_000)
        .cut(10),
    row("fabric-fifo", SMALL, |n| small_fabric(Pattern::Random, Control::Fifo, n)).driven(
        3,
        64,
        Some("rand"),
    ),
    row("fabric-fifo-shift", SMALL, |n| small_fabric(Pattern::Shift, Control::Fifo, n)).driven(
        3,
        64,
        Some("shift"),
    ),
    row("large-fabric-fifo", LARGE, |n| large_fabric(Pattern::Random, Control::Fifo, n)).driven(
        3,
        1_024,
        Some("rand"),
    ),
    row("large-fabric-fifo-shift", LARGE, |n| large_fabric(Pattern::Shift, Control::Fifo, n))
        .driven(3, 1_024, Some("shift")),
    row("large-fabric-all-to-all", 1_024 * 1_023, |n| {
        large_fabric(Pattern::AllToAll, Control::Fifo, n)
    })
    .shorter(400)
    .small(4 * 1_024),
    row("large-fabric-incast", 1_023 * 300, |n| large_fabric(Pattern::Incast, Control::Fifo, n)),
    row("fabric-buffer", SMALL, |n| small_fabric(Pattern::Random, Control::Buffer, n)),
    row("fabric-buffer-shift", SMALL, |n| small_fabric(Pattern::Shift, Control::Buffer, n)),
    // Slow start takes a part of a short run.
    row("fabric-dctcp", 96_000, transport::dctcp).shorter(2).small(8_000),
    row("fabric-dctcp-bytes", 96_000, transport::dctcp_in_bytes).shorter(2).small(8_000),
    row("tandem-pfc", 1_000_000, |n| packets::tandem(Control::Pfc, n)),
    row("many-flows-pfc", 1_000_000, |n| packets::many_flows(Control::Pfc, 1_000, n)),
    row("fabric-pfc", SMALL, |n| small_fabric(Pattern::Random, Control::Pfc, n)),
    row("large-fabric-pfc", LARGE, |n| large_fabric(Pattern::Random, Control::Pfc, n))
        .small(30 * 1_024),
    row("tandem-virtual-clock", 1_000_000, |n| packets::tandem(Control::VirtualClock, n)),
    row("many-flows-virtual-clock", 1_000_000, |n| {
        packets::many_flows(Control::VirtualClock, 1_000, n)
    }),
    row("fabric-virtual-clock", SMALL, |n| small_fabric(Pattern::Random, Control::VirtualClock, n)),
    row("fabric-cbfc", 960_000, files::cbfc),
    row("fabric-ats", 960_000, files::ats),
    // A longer run has more VCs.
    row("set-up", 30_000, files::set_up).shorter(2),
];

/// Packets of the fabric of 64 hosts, 3,000 of each.
const SMALL: u64 = 64 * 3_000;
/// Packets of the fabric of 1,024 hosts, 300 of each.
const LARGE: u64 = 1_024 * 300;

fn small_fabric(pattern: Pattern, control: Control, packets: u64) -> NetworkSpec {
    packets::fabric(FatTree::HOSTS_64, pattern, control, packets)
}

fn large_fabric(pattern: Pattern, control: Control, packets: u64) -> NetworkSpec {
    packets::fabric(FatTree::HOSTS_1024, pattern, control, packets)
}

const fn row(name: &'static str, full_size: u64, make: fn(u64) -> NetworkSpec) -> Workload {
    Workload { name, full_size, small_size: 2_000, cut: 1, shorter: 20, driver: None, make }
}

impl Workload {
    const fn shorter(mut self, shorter: u64) -> Workload {
        self.shorter = shorter;
        self
    }

    const fn small(mut self, small_size: u64) -> Workload {
        self.small_size = small_size;
        self
    }

    const fn cut(mut self, cut: u64) -> Workload {
        self.cut = cut;
        self
    }

    const fn driven(mut self, number: u8, sources: u64, pattern: Option<&'static str>) -> Workload {
        self.driver = Some(Driver { number, sources, pattern });
        self
    }

    /// The network whose digest is pinned.
    pub(crate) fn small_network(&self) -> NetworkSpec {
        let mut spec = self.network(self.small_size);
        spec.duration.0 /= self.cut;
        spec
    }

    /// The network that the reference engine runs.
    pub(crate) fn short_network(&self, divide: u64) -> NetworkSpec {
        let mut spec = self.network((self.full_size / divide / self.shorter).max(64));
        spec.duration.0 /= self.cut;
        spec
    }

    /// The network that makes about `cells` data cells.
    pub(crate) fn network(&self, cells: u64) -> NetworkSpec {
        (self.make)(cells)
    }
}

/// The workload of this name.
pub(crate) fn named(name: &str) -> Option<&'static Workload> {
    ALL.iter().find(|workload| workload.name == name)
}
