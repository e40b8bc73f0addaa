//! The networks that are timed: sizes and rates of a tandem, of many flows over one trunk and of
//! a fat tree, with N23 on every hop, and a network of packets under VirtualClock.
//!
//! * `tandem-n23`: host, 5 switches, host; 155.52 Mb/s, 50 us; one greedy VC.
//! * `many-flows-n23`: 1,000 hosts, 2 switches, host; 155.52 Mb/s; bursts of 100 cells with
//!   exponential silence between, load .9 on the trunk.
//! * `fabric-n23`: three-stage fat tree of 64 hosts; every host greedy to one other, a random
//!   permutation.
//! * `tandem-abr`: the same, the VC under ABR, with ERICA+ at every switch.
//! * `test-one`: Test-One of [Zhang90], ten minutes: 60 flows of packet trains over four switches,
//!   VirtualClock.
//! * `tcp-over-cells`: Table 2 (b) of [Kung97], thirty seconds: two TCPs over AAL5 and N23, 192
//!   cells a segment.
//!
//! The fabric's links carry a cell in 327.68 ns, as long as 4,096 bytes at 100 Gb/s, and last 1
//! us. N2 = 10; N3 = one loop, rounded up, so that one VC can fill its links.

use hopflow_control::rate::{AbrSpec, EricaPlusSpec, RateRule};
use hopflow_network::{
    CreditScheme, CreditSpec, DirectionSpec, HopControl, HopSpec, LengthLaw, LinkSpec, NetworkSpec,
    NodeKind, NodeSpec, RateSpec, RoundTrip, Segment, SourceSpec, SpanLaw, VcSpec,
};
use hopflow_scenario::Scenario;
use hopflow_units::{CellRate, Cells, Picos, Rate, SimTime};

/// What can be timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Workload {
    /// One greedy VC over five switches.
    TandemN23,
    /// A thousand bursty VCs over one trunk.
    ManyFlowsN23,
    /// A fat tree of 64 hosts, a random permutation.
    FabricN23,
    /// One greedy VC over five switches under ABR.
    TandemAbr,
    /// Sixty flows of packet trains under VirtualClock.
    TestOne,
    /// Two TCPs over cells with credit.
    TcpOverCells,
}

impl Workload {
    pub(crate) const ALL: [Workload; 6] = [
        Workload::TandemN23,
        Workload::ManyFlowsN23,
        Workload::FabricN23,
        Workload::TandemAbr,
        Workload::TestOne,
        Workload::TcpOverCells,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Workload::TandemN23 => "tandem-n23",
            Workload::ManyFlowsN23 => "many-flows-n23",
            Workload::FabricN23 => "fabric-n23",
            Workload::TandemAbr => "tandem-abr",
            Workload::TestOne => "test-one",
            Workload::TcpOverCells => "tcp-over-cells",
        }
    }

    /// Data cells in all, at full size.
    pub(crate) const fn full_size(self) -> u64 {
        match self {
            Workload::TandemN23 | Workload::TandemAbr => 3_000_000,
            Workload::ManyFlowsN23 => 1_000_000,
            Workload::FabricN23 => 64 * 3_000,
            Workload::TestOne => 600 * TEST_ONE_PER_SECOND,
            Workload::TcpOverCells => 30 * SLOW_LINK_PER_SECOND,
        }
    }

    /// The network that makes about `cells` data cells.
    pub(crate) fn network(self, cells: u64) -> NetworkSpec {
        match self {
            Workload::TandemN23 => tandem(cells),
            Workload::ManyFlowsN23 => many_flows(1_000, cells),
            Workload::FabricN23 => fabric(4, cells),
            Workload::TandemAbr => tandem_abr(cells),
            Workload::TestOne => test_one(cells),
            Workload::TcpOverCells => tcp_over_cells(cells),
        }
    }
}

/// Sixty flows of about 9.6 packets/s.
const TEST_ONE_PER_SECOND: u64 = 576;

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

/// A network under construction.
struct Plan {
    spec: NetworkSpec,
}

impl Plan {
    fn new() -> Plan {
        Plan {
            spec: NetworkSpec {
                nodes: Vec::new(),
                links: Vec::new(),
                vcs: Vec::new(),
                connections: Vec::new(),
                events: Vec::new(),
                duration: Picos::ZERO,
                seed: 1,
            },
        }
    }

    fn node(&mut self, kind: NodeKind) -> usize {
        let name = format!("n{}", self.spec.nodes.len());
        self.spec.nodes.push(NodeSpec::new(name, kind));
        self.spec.nodes.len() - 1
    }

    fn link(&mut self, ends: [usize; 2], bps: u64, delay: Picos) -> usize {
        let rate = Rate::from_bps(bps).expect("a rate above zero");
        let direction = DirectionSpec::new(rate, delay);
        let directions = [direction; 2];
        self.spec.links.push(LinkSpec { ends, directions, round_trip: RoundTrip::Loop });
        self.spec.links.len() - 1
    }

    /// A VC over these links, each given with the direction it is crossed in.
    fn vc(&mut self, route: &[(usize, usize)], source: SourceSpec, stop: Option<SimTime>) {
        let hops = route.iter().enumerate().map(|(index, &(link, direction))| HopSpec {
            link,
            direction,
            parent: index.checked_sub(1),
            control: self.n23(link),
        });
        let name = format!("vc{}", self.spec.vcs.len());
        let vc = VcSpec { stop, ..VcSpec::new(name, hops.collect(), source) };
        self.spec.vcs.push(vc);
    }

    fn n23(&self, link: usize) -> HopControl {
        let cell = self.spec.cell_time(hopflow_network::DirectionId::new(link, 0));
        let n3 = self.spec.loop_time(link).0.div_ceil(cell.0);
        HopControl::Credit(CreditSpec {
            scheme: CreditScheme::N23,
            n2: Cells(10),
            n3: Cells(n3 as u32),
            request_after: None,
            redundant_every: None,
        })
    }
}

fn micros(count: u64) -> Picos {
    Picos::from_micros(count).expect("a short span")
}

fn tandem(cells: u64) -> NetworkSpec {
    let mut plan = Plan::new();
    let mut last = plan.node(NodeKind::Host);
    for hop in 0..6 {
        let kind = if hop == 5 { NodeKind::Host } else { NodeKind::Switch };
        let next = plan.node(kind);
        plan.link([last, next], OC3, micros(50));
        last = next;
    }
    let cell = plan.spec.cell_time(hopflow_network::DirectionId(0));
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
    let mut plan = Plan::new();
    let (a, b, sink) =
        (plan.node(NodeKind::Switch), plan.node(NodeKind::Switch), plan.node(NodeKind::Host));
    let trunk = plan.link([a, b], OC3, micros(50));
    let exit = plan.link([b, sink], OC3, micros(5));
    let cell = plan.spec.cell_time(hopflow_network::DirectionId(0)).0;
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

/// A fat tree of k pods, k switches of each kind in a pod, k hosts a switch, k x k cores.
fn fabric(k: usize, cells: u64) -> NetworkSpec {
    let mut plan = Plan::new();
    let hosts: Vec<_> = (0..k * k * k).map(|_| plan.node(NodeKind::Host)).collect();
    let edges: Vec<_> = (0..k * k).map(|_| plan.node(NodeKind::Switch)).collect();
    let aggregates: Vec<_> = (0..k * k).map(|_| plan.node(NodeKind::Switch)).collect();
    let cores: Vec<_> = (0..k * k).map(|_| plan.node(NodeKind::Switch)).collect();
    let mut link = |ends| plan.link(ends, FABRIC, micros(1));
    let host_links: Vec<_> = (0..hosts.len()).map(|h| link([hosts[h], edges[h / k]])).collect();
    let edge_links: Vec<_> =
        (0..k * k * k).map(|i| link([edges[i / k], aggregates[i / k / k * k + i % k]])).collect();
    let core_links: Vec<_> =
        (0..k * k * k).map(|i| link([aggregates[i / k], cores[(i / k) % k * k + i % k]])).collect();
    let cell = plan.spec.cell_time(hopflow_network::DirectionId(0)).0;
    let stop = SimTime(cells / hosts.len() as u64 * cell);
    for (source, target) in permutation(hosts.len()).into_iter().enumerate() {
        // D-mod-k: the way up is told by the target.
        let (from, to) = (source / k, target / k);
        let (up, core) = (target % k, target / k % k);
        let mut route = vec![(host_links[source], 0)];
        if from != to {
            route.push((edge_links[from * k + up], 0));
            if from / k != to / k {
                route.push((core_links[(from / k * k + up) * k + core], 0));
                route.push((core_links[(to / k * k + up) * k + core], 1));
            }
            route.push((edge_links[to * k + up], 1));
        }
        route.push((host_links[target], 1));
        plan.vc(&route, SourceSpec::Greedy, Some(stop));
    }
    plan.spec.duration = Picos(stop.0 * 3);
    plan.spec
}

/// A random permutation without fixed points: Fisher-Yates with splitmix64 from seed 1, then
/// each fixed point swapped with its right neighbour.
fn permutation(count: usize) -> Vec<usize> {
    let mut state = 1_u64;
    let mut target: Vec<usize> = (0..count).collect();
    for i in (1..count).rev() {
        let j = (splitmix64(&mut state) % (i as u64 + 1)) as usize;
        target.swap(i, j);
    }
    for i in 0..count {
        if target[i] == i {
            target.swap(i, (i + 1) % count);
        }
    }
    target
}

fn splitmix64(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
