//! The networks that are timed: sizes and rates of a tandem, of many flows over one trunk and of
//! a fat tree, with N23 on every hop or with nothing but FIFO, and a network of packets under
//! VirtualClock.
//!
//! * `tandem-n23`: host, 5 switches, host; 155.52 Mb/s, 50 us; one greedy VC.
//! * `many-flows-n23`: 1,000 hosts, 2 switches, host; 155.52 Mb/s; bursts of 100 cells with
//!   exponential silence between, load .9 on the trunk.
//! * `fabric-n23`: three-stage fat tree of 64 hosts; every host greedy to one other, a random
//!   permutation.
//! * `mostly-idle-n23`: 20,000 VCs between 32 hosts over 4 switches, one cell per cell time in all.
//! * `tandem-abr`: the tandem, its VC under ABR, with ERICA+ at every switch.
//! * `cai97-1`: configuration 1 of [Cai97], fifteen seconds: five TCPs over AAL5 and ABR, a
//!   satellite, virtual sources at every switch.
//! * `test-one`: Test-One of [Zhang90], ten minutes: 60 flows of packet trains over four switches,
//!   VirtualClock.
//! * `tcp-over-cells`: Table 2 (b) of [Kung97], thirty seconds: two TCPs over AAL5 and N23, 192
//!   cells a segment.
//! * `tandem-fifo`, `many-flows-fifo` (1,000 flows), `many-flows-10k-fifo`, `fabric-fifo` (64
//!   hosts, random), `fabric-fifo-shift`, `large-fabric-fifo` (1,024 hosts) and
//!   `large-fabric-fifo-shift`: the workloads of other simulators, see `workloads/fifo.rs`.
//!
//! The links of `fabric-n23` carry a cell in 327.68 ns, as long as 4,096 bytes at 100 Gb/s, and
//! last 1 us. N2 = 10; N3 = one loop, rounded up, so that one VC can fill its links.

mod fabric;
mod fifo;
mod mostly_idle;
mod plan;

use hopflow_control::rate::{AbrSpec, EricaPlusSpec, RateRule};
use hopflow_network::{
    DirectionId, HopControl, LengthLaw, NetworkSpec, NodeKind, RateSpec, Segment, SourceSpec,
    SpanLaw,
};
use hopflow_scenario::Scenario;
use hopflow_units::{Bytes, CellRate, Picos, SimTime};

use fabric::{FatTree, Pattern};
use plan::{Control, Plan, micros};

/// What can be timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Workload {
    /// One greedy VC over five switches.
    TandemN23,
    /// A thousand bursty VCs over one trunk.
    ManyFlowsN23,
    /// A fat tree of 64 hosts, a random permutation.
    FabricN23,
    /// Twenty thousand VCs that hardly ever have a cell.
    MostlyIdleN23,
    /// One greedy VC over five switches under ABR.
    TandemAbr,
    /// Five TCPs under ABR, a satellite, and virtual sources.
    #[value(name = "cai97-1")]
    Cai97,
    /// Sixty flows of packet trains under VirtualClock.
    TestOne,
    /// Two TCPs over cells with credit.
    TcpOverCells,
    /// A constant source over five switches, FIFO.
    TandemFifo,
    /// A thousand bursty VCs over one trunk, FIFO.
    ManyFlowsFifo,
    /// Ten thousand bursty VCs over one trunk, FIFO.
    #[value(name = "many-flows-10k-fifo")]
    ManyFlows10kFifo,
    /// A fat tree of 64 hosts, a random permutation of packets, FIFO.
    FabricFifo,
    /// A fat tree of 64 hosts, a permutation in which nobody waits, FIFO.
    FabricFifoShift,
    /// A fat tree of 1,024 hosts, a random permutation of packets, FIFO.
    LargeFabricFifo,
    /// A fat tree of 1,024 hosts, a permutation in which nobody waits, FIFO.
    LargeFabricFifoShift,
}

impl Workload {
    pub(crate) const ALL: [Workload; 15] = [
        Workload::TandemN23,
        Workload::ManyFlowsN23,
        Workload::FabricN23,
        Workload::MostlyIdleN23,
        Workload::TandemAbr,
        Workload::Cai97,
        Workload::TestOne,
        Workload::TcpOverCells,
        Workload::TandemFifo,
        Workload::ManyFlowsFifo,
        Workload::ManyFlows10kFifo,
        Workload::FabricFifo,
        Workload::FabricFifoShift,
        Workload::LargeFabricFifo,
        Workload::LargeFabricFifoShift,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Workload::TandemN23 => "tandem-n23",
            Workload::ManyFlowsN23 => "many-flows-n23",
            Workload::FabricN23 => "fabric-n23",
            Workload::MostlyIdleN23 => "mostly-idle-n23",
            Workload::TandemAbr => "tandem-abr",
            Workload::Cai97 => "cai97-1",
            Workload::TestOne => "test-one",
            Workload::TcpOverCells => "tcp-over-cells",
            Workload::TandemFifo => "tandem-fifo",
            Workload::ManyFlowsFifo => "many-flows-fifo",
            Workload::ManyFlows10kFifo => "many-flows-10k-fifo",
            Workload::FabricFifo => "fabric-fifo",
            Workload::FabricFifoShift => "fabric-fifo-shift",
            Workload::LargeFabricFifo => "large-fabric-fifo",
            Workload::LargeFabricFifoShift => "large-fabric-fifo-shift",
        }
    }

    /// Whether it is one of those that other simulators are measured on.
    pub(crate) const fn is_fifo(self) -> bool {
        matches!(
            self,
            Workload::TandemFifo
                | Workload::ManyFlowsFifo
                | Workload::ManyFlows10kFifo
                | Workload::FabricFifo
                | Workload::FabricFifoShift
                | Workload::LargeFabricFifo
                | Workload::LargeFabricFifoShift
        )
    }

    /// The reference engine runs a stretch this many times shorter. Slow start over a satellite has
    /// sent next to nothing in a twentieth of its run.
    pub(crate) const fn shorter(self) -> u64 {
        match self {
            Workload::Cai97 => 2,
            _ => 20,
        }
    }

    /// Data cells in all, at full size.
    pub(crate) const fn full_size(self) -> u64 {
        match self {
            Workload::TandemN23 | Workload::TandemAbr => 3_000_000,
            Workload::Cai97 => 15 * BEHIND_SATELLITE_PER_SECOND,
            Workload::ManyFlowsN23
            | Workload::MostlyIdleN23
            | Workload::TandemFifo
            | Workload::ManyFlowsFifo
            | Workload::ManyFlows10kFifo => 1_000_000,
            Workload::FabricN23 | Workload::FabricFifo | Workload::FabricFifoShift => 64 * 3_000,
            Workload::LargeFabricFifo | Workload::LargeFabricFifoShift => 1_024 * 300,
            Workload::TestOne => 600 * TEST_ONE_PER_SECOND,
            Workload::TcpOverCells => 30 * SLOW_LINK_PER_SECOND,
        }
    }

    /// The network that makes about `cells` data cells.
    pub(crate) fn network(self, cells: u64) -> NetworkSpec {
        match self {
            Workload::TandemN23 => tandem(cells),
            Workload::ManyFlowsN23 => many_flows(1_000, cells),
            Workload::FabricN23 => fabric(cells),
            Workload::MostlyIdleN23 => mostly_idle::mostly_idle(cells),
            Workload::TandemAbr => tandem_abr(cells),
            Workload::Cai97 => cai97(cells),
            Workload::TestOne => test_one(cells),
            Workload::TcpOverCells => tcp_over_cells(cells),
            Workload::TandemFifo => fifo::tandem(cells),
            Workload::ManyFlowsFifo => fifo::many_flows(1_000, cells),
            Workload::ManyFlows10kFifo => fifo::many_flows(10_000, cells),
            Workload::FabricFifo => fifo::fabric(FatTree::HOSTS_64, Pattern::Random, cells),
            Workload::FabricFifoShift => fifo::fabric(FatTree::HOSTS_64, Pattern::Shift, cells),
            Workload::LargeFabricFifo => fifo::fabric(FatTree::HOSTS_1024, Pattern::Random, cells),
            Workload::LargeFabricFifoShift => {
                fifo::fabric(FatTree::HOSTS_1024, Pattern::Shift, cells)
            }
        }
    }
}

/// Sixty flows of about 9.6 packets/s.
const TEST_ONE_PER_SECOND: u64 = 576;

/// Cells of a link of 45 Mb/s.
const BEHIND_SATELLITE_PER_SECOND: u64 = 106_132;

/// Configuration 1 of [Cai97], cut to so many cells on its slow link.
fn cai97(cells: u64) -> NetworkSpec {
    let text = include_str!("../../papers/cai97/conf1.toml");
    let scenario = Scenario::from_toml(text, "papers/cai97/conf1.toml");
    let mut spec = scenario.expect("a scenario of the project is right").network;
    spec.duration = Picos(cells * (Picos::PER_SECOND / BEHIND_SATELLITE_PER_SECOND));
    spec
}

/// Cells of a link of 49.92 Mb/s.
const SLOW_LINK_PER_SECOND: u64 = 117_736;

/// Table 2 (b) of [Kung97], cut to so many cells on its slow link.
fn tcp_over_cells(cells: u64) -> NetworkSpec {
    let text = include_str!("../../papers/creditnet/table2b.toml");
    let scenario = Scenario::from_toml(text, "papers/creditnet/table2b.toml");
    let mut spec = scenario.expect("a scenario of the project is right").network;
    spec.duration = Picos(cells * (Picos::PER_SECOND / SLOW_LINK_PER_SECOND));
    spec
}

/// Test-One of [Zhang90], cut to so many packets.
fn test_one(packets: u64) -> NetworkSpec {
    let text = include_str!("../../papers/zhang90/test1.toml");
    let scenario = Scenario::from_toml(text, "papers/zhang90/test1.toml");
    let mut spec = scenario.expect("a scenario of the project is right").network;
    spec.duration = Picos(packets * (Picos::PER_SECOND / TEST_ONE_PER_SECOND));
    spec
}

const OC3: u64 = 155_520_000;
const FABRIC: u64 = 1_293_945_313;

fn tandem(cells: u64) -> NetworkSpec {
    let mut plan = Plan::new(Control::N23, Bytes::CELL);
    let mut last = plan.node(NodeKind::Host);
    for hop in 0..6 {
        let kind = if hop == 5 { NodeKind::Host } else { NodeKind::Switch };
        let next = plan.node(kind);
        plan.link([last, next], OC3, micros(50));
        last = next;
    }
    let cell = plan.spec.cell_time(DirectionId(0));
    let route: Vec<_> = (0..6).map(|link| (link, 0)).collect();
    plan.vc(&route, SourceSpec::Greedy, Some(SimTime(cells * cell.0)));
    plan.spec.duration = Picos(cells * cell.0 + 10 * micros(60).0);
    plan.spec
}

/// The tandem with rate control in place of credit.
fn tandem_abr(cells: u64) -> NetworkSpec {
    let mut spec = tandem(cells);
    let link = spec.links[0].directions[0].rate;
    let rule = Some(RateRule::EricaPlus(EricaPlusSpec::default()));
    for link in spec.links.iter_mut().skip(1) {
        let segment = Segment::Through;
        link.directions[0].rate_control = Some(RateSpec { rule, segment });
    }
    for vc in &mut spec.vcs {
        vc.rate = Some(AbrSpec::new(CellRate::from_rate(link)));
        vc.hops.iter_mut().for_each(|hop| hop.control = HopControl::None);
    }
    spec
}

fn many_flows(flows: u64, cells: u64) -> NetworkSpec {
    let mut plan = Plan::new(Control::N23, Bytes::CELL);
    let (a, b, sink) =
        (plan.node(NodeKind::Switch), plan.node(NodeKind::Switch), plan.node(NodeKind::Host));
    let trunk = plan.link([a, b], OC3, micros(50));
    let exit = plan.link([b, sink], OC3, micros(5));
    let cell = plan.spec.cell_time(DirectionId(0)).0;
    // Load .9 of the trunk: a burst of 100 in every 100 x flows / .9 cell times.
    let off = Picos(100 * cell * flows * 10 / 9 - 100 * cell);
    for _ in 0..flows {
        let host = plan.node(NodeKind::Host);
        let access = plan.link([host, a], OC3, micros(5));
        let source = SourceSpec::OnOff {
            burst: LengthLaw::Fixed(100),
            off: SpanLaw::Exponential(off),
            burst_first: false,
        };
        plan.vc(&[(access, 0), (trunk, 0), (exit, 0)], source, None);
    }
    plan.spec.duration = Picos(cells * cell * 10 / 9);
    plan.spec
}

/// A fat tree of 64 hosts, each greedy to one other.
fn fabric(cells: u64) -> NetworkSpec {
    let tree = FatTree::HOSTS_64;
    let links = (Control::N23, FABRIC, Bytes::CELL);
    let each = cells / tree.hosts() as u64;
    tree.network(Pattern::Random, links, (&SourceSpec::Greedy, each)).spec
}
