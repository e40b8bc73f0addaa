//! Networks of greedy ABR VCs: one link for each pair of switches that a path crosses, used in one
//! direction only, so that backward RM cells meet no data.

use hopflow::control::rate::{AbrSpec, RateRule};
use hopflow::network::{
    DirectionId, HopControl, HopSpec, Jitter, LinkSpec, NetworkSpec, NodeKind, NodeSpec, RateSpec,
    RoundTrip, Segment, SourceSpec, VcSpec,
};
use hopflow::record::{RecordSpec, Summary};
use hopflow::units::{CellRate, Picos, Rate};
use hopflow::{RunOptions, RunResult, run_network};
use hopflow_testing::plain_direction;

/// The rate of the link of every source, in Mb/s: more than any link between switches has.
pub(crate) const ACCESS: u64 = 160;

/// The part of in-rate cells that is data.
pub(crate) const DATA: f64 = 31.0 / 32.0;

/// A millisecond.
pub(crate) const MS: Picos = Picos(1_000_000_000);

/// A link between two switches, used in one direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    /// From which switch, to which.
    pub(crate) ends: (usize, usize),
    /// In Mb/s.
    pub(crate) mbps: u64,
    /// In us.
    pub(crate) delay: u64,
}

/// Links between switches, and the path of each VC over them.
#[derive(Clone, Debug)]
pub(crate) struct Paths {
    pub(crate) links: Vec<Link>,
    /// By VC: links.
    pub(crate) vcs: Vec<Vec<usize>>,
}

impl Paths {
    /// Several VCs over one link of 100 Mb/s.
    pub(crate) fn one_link(vcs: usize) -> Paths {
        Paths::of_walks(&vec![vec![0, 1]; vcs], |_, _| (100, 100))
    }

    /// VCs along switches, over links of what `law` says of their ends: Mb/s, and us of delay.
    pub(crate) fn of_walks(
        walks: &[Vec<usize>],
        law: impl Fn(usize, usize) -> (u64, u64),
    ) -> Paths {
        let mut paths = Paths { links: Vec::new(), vcs: Vec::new() };
        for walk in walks {
            let pairs = walk.windows(2).map(|pair| (pair[0], pair[1]));
            let path = pairs.map(|ends| paths.link(ends, law(ends.0, ends.1))).collect();
            paths.vcs.push(path);
        }
        paths
    }

    /// The link with these ends; adds it if it is not there.
    pub(crate) fn link(&mut self, ends: (usize, usize), (mbps, delay): (u64, u64)) -> usize {
        self.links.iter().position(|link| link.ends == ends).unwrap_or_else(|| {
            self.links.push(Link { ends, mbps, delay });
            self.links.len() - 1
        })
    }

    /// The network, with greedy VCs that start at 1/32 of their peak.
    pub(crate) fn network(&self, rule: RateRule, segment: Segment) -> NetworkSpec {
        let count =
            self.links.iter().map(|link| link.ends.0.max(link.ends.1) + 1).max().unwrap_or(0);
        let switch = |index| NodeSpec::new(format!("S{index}"), NodeKind::Switch);
        let mut spec = NetworkSpec {
            nodes: (0..count).map(switch).collect(),
            links: Vec::new().into(),
            vcs: Vec::new().into(),
            connections: Vec::new().into(),
            events: Vec::new(),
            machines: Vec::new().into(),
            duration: MS.checked_mul(300).expect("it is short"),
            seed: 1,
            jitter: Jitter::Exact,
        };
        for &Link { ends, mbps, delay } in &self.links {
            let link = add_link(&mut spec, ends, mbps, delay);
            spec.links[link].directions[0].rate_control =
                Some(RateSpec { rule: Some(rule), segment, backward_rm: None });
        }
        for (index, path) in self.vcs.iter().enumerate() {
            self.add_vc(&mut spec, index, path);
        }
        spec
    }

    fn add_vc(&self, spec: &mut NetworkSpec, index: usize, path: &[usize]) {
        let (first, last) = (self.links[path[0]].ends.0, self.links[path[path.len() - 1]].ends.1);
        let [source, end] = ["in", "out"].map(|side| {
            spec.nodes.push(NodeSpec::new(format!("{side}{index}"), NodeKind::Host));
            spec.nodes.len() - 1
        });
        let into = add_link(spec, (source, first), ACCESS, 5);
        let out = add_link(spec, (last, end), ACCESS, 5);
        let links = std::iter::once(into).chain(path.iter().copied()).chain([out]);
        let hop = |(hop, link): (usize, usize)| HopSpec {
            link,
            direction: 0,
            parent: hop.checked_sub(1),
            control: HopControl::None,
        };
        let hops = links.enumerate().map(hop).collect();
        let mut vc = VcSpec::new(format!("VC{index}"), hops, SourceSpec::Greedy);
        vc.rate = Some(slow_start(ACCESS).into());
        spec.vcs.push(vc);
    }
}

/// The defaults of ABR with this peak in Mb/s, but for ICR: 1/32 of it, so that the start leaves no
/// queue that takes long to drain.
pub(crate) fn slow_start(mbps: u64) -> AbrSpec {
    let pcr = rate_of(mbps);
    AbrSpec { icr: pcr.times(1.0 / 32.0), ..AbrSpec::new(pcr) }
}

/// Mb/s as cells.
pub(crate) fn rate_of(mbps: u64) -> CellRate {
    CellRate::from_rate(Rate::from_bps(mbps * 1_000_000).expect("a test's rate is above zero"))
}

/// Adds a link of `mbps` both ways, `delay` in us; returns its number.
pub(crate) fn add_link(
    spec: &mut NetworkSpec,
    ends: (usize, usize),
    mbps: u64,
    delay: u64,
) -> usize {
    let direction = plain_direction(mbps * 1_000_000, Picos(delay * 1_000_000));
    let round_trip = RoundTrip::Loop;
    let ends = [ends.0, ends.1];
    spec.links.push(LinkSpec { ends, directions: [direction.clone(), direction], round_trip });
    spec.links.len() - 1
}

/// Runs it, with a warm-up in ms.
pub(crate) fn run(spec: &NetworkSpec, warm_up: u64) -> RunResult {
    let options = RunOptions { warm_up: MS.checked_mul(warm_up), ..RunOptions::default() };
    run_network(spec, &RecordSpec::default(), &options, &mut |_| ()).expect("the network is valid")
}

/// By VC, what was delivered, in b/s of data cells.
pub(crate) fn throughputs(summary: &Summary) -> Vec<f64> {
    summary.vcs.iter().map(|vc| vc.throughput_bps).collect()
}

/// What all data of VCs is in bits per second on a link direction.
pub(crate) fn load(spec: &NetworkSpec, rates: &[f64], id: DirectionId) -> f64 {
    let crosses = |vc: &&VcSpec| vc.hops.iter().any(|hop| hop.direction_id() == id);
    spec.vcs.iter().zip(rates).filter(|(vc, _)| crosses(vc)).map(|(_, rate)| rate).sum()
}
