//! The workloads on which other simulators are measured, and their common properties: cells and
//! packets without control, unlimited buffers. A hop is one packet over one link.
//!
//! ```text
//! tandem      A - 5 switches - B, all 155.52 Mb/s, 50 us; cell i is born at i T
//! many flows  F hosts - S1 - S2 - B, 155.52 Mb/s; 50 us between S1 and S2, else 5 us; each host
//!             sends N / F cells in bursts of 100, one per T; before the first burst and between
//!             bursts exponential silence of mean 100 T F / 0.9 - 100 T: load 0.9 on S1-S2
//! fabric      fat tree of 64 or 1,024 hosts, 100 Gb/s, 1 us; every host sends n packets of
//!             4,096 bytes back to back, by the patterns of `fabric.rs`
//! ```
//! | symbol | meaning                                                 | unit    |
//! |--------|---------------------------------------------------------|---------|
//! | T      | cell time, 2,726,338 ps; a packet of the fabric 327,680 | ps      |
//! | N, n   | packets in all, packets of a host                       | packets |
//! | H      | hosts of a fabric                                       |         |
//!
//! Each run ends when the last packet arrives, computed here without an engine:
//! ```text
//! tandem      (N - 1) T + 6 (T + 50 us)                                               (1)
//! many flows  e + 50 us + T + 5 us; e is when the last cell has left S1, by Lindley's
//!             recursion e_i = max(e_(i-1), a_i) + T over arrivals a_i at S1           (2)
//! fabric      a permutation: at most 2 c n T + 6 (T + 1 us), c flows on the busiest link (3)
//!             incast: (H - 1) n T + T + 2 us: from the first arrival at the last switch
//!             on, its last link is never idle if n is 2 or more                       (4)
//!             all-to-all: at least (H - 2) T + 6 (T + 1 us), as the last of host 0 crosses
//!             six links; at most as (3) with c = 1                                   (5)
//! ```
//! (3): packets wait at the two stages up only, at each for at most c n packets. (1), (2) and (4)
//! hold for any order of service that leaves no port idle, so for VirtualClock too. Under PFC a
//! port may be stopped: (3) is then doubled, which the tests and the digests show to suffice. On
//! the tandem no sender is paused. Of many flows a host is, but 12 of its cells are then at S1 when
//! it is resumed, for longer than the pause takes to end, so S1 is not idle: (1) and (2) hold.
//!
//! The tandem is a scenario file, `benches/scenarios/tandem-fifo.toml`. The others are made here,
//! and `scenarios.rs` writes them as files with a line for each flow: a flow of N / F cells stops
//! at a time that depends on its own draws, and a D-mod-k route is a list of links for each host.
//!
//! Source: `benches/peers/README.md`. Differs: T is rounded up to a whole ps, not truncated, so the
//! tandem of 100,000 cells ends 100,005 ps later than in simulators that truncate it; draws of many
//! flows are our own. Checked by: the tests below.

use hopflow_network::traffic::Source;
use hopflow_network::{DirectionId, LengthLaw, NetworkSpec, SourceSpec, SpanLaw, Wire};
use hopflow_scenario::Scenario;
use hopflow_units::{Bytes, Picos, Rate, SimTime};

use super::control::{self, Control};
use super::fabric::{FatTree, Pattern};
use super::plan::{OC3, Plan, micros};

/// The packet size of the fabric.
const PACKET: Bytes = Bytes(4096);
const FABRIC_BPS: u64 = 100_000_000_000;
/// Cells of a burst of many flows.
const BURST: u64 = 100;

/// The tandem, with this number of cells.
pub(super) fn tandem(control: Control, cells: u64) -> NetworkSpec {
    let text = include_str!("../../scenarios/tandem-fifo.toml");
    let scenario = Scenario::from_toml(text, "benches/scenarios/tandem-fifo.toml");
    let mut spec = scenario.expect("a scenario of the project is right").network;
    let (hop, cell) = (spec.latency(DirectionId(0)), spec.cell_time(DirectionId(0)));
    spec.vcs[0].stop = Some(SimTime(cells * cell.0));
    // Eq. (1); the instant of the last arrival belongs to the run.
    spec.duration = Picos((cells - 1) * cell.0 + 6 * hop.0 + 1);
    control.apply(&mut spec);
    spec
}

/// Many flows over one trunk, with this number of cells in all (at least one of each flow).
pub(super) fn many_flows(control: Control, flows: u64, cells: u64) -> NetworkSpec {
    let mut plan = Plan::new(Bytes::CELL);
    let (a, b, sink) = (plan.switch("S1"), plan.switch("S2"), plan.host("B"));
    let trunk = plan.link([a, b], OC3, micros(50));
    let exit = plan.link([b, sink], OC3, micros(5));
    let cell = plan.packets(1).0;
    let off = Picos(BURST * cell * flows * 10 / 9 - BURST * cell);
    let source = SourceSpec::OnOff {
        burst: LengthLaw::Fixed(BURST),
        off: SpanLaw::Exponential(off),
        burst_first: false,
    };
    let each = (cells / flows).max(1);
    let mut births = Vec::new();
    for flow in 1..=flows {
        let host = plan.host(format!("H{flow}"));
        let access = plan.link([host, a], OC3, micros(5));
        let seed = plan.spec.seed;
        let vc = plan.vc(&[(access, 0), (trunk, 0), (exit, 0)], source.clone());
        let rate = Rate::from_bps(OC3).expect("a rate above zero");
        let mut draws = Source::new(vc, Wire { rate, overhead: Bytes(0) }, seed);
        for _ in 0..each {
            births.push(draws.made().birth.0);
            draws.advance();
        }
        vc.stop = draws.due();
    }
    plan.spec.duration = Picos(last_delivery(births, cell) + 1);
    control.apply(&mut plan.spec);
    plan.spec
}

/// Eq. (2). No cell waits on the access links, where cells of one host are at least T apart, nor
/// after S1.
fn last_delivery(mut births: Vec<u64>, cell: u64) -> u64 {
    births.sort_unstable();
    let arrivals = births.into_iter().map(|birth| birth + cell + micros(5).0);
    let left = arrivals.fold(0, |left: u64, arrival| left.max(arrival) + cell);
    left + micros(50).0 + cell + micros(5).0
}

/// The fabric, with this number of packets in all (at least one of each host).
pub(super) fn fabric(
    tree: FatTree,
    pattern: Pattern,
    control: Control,
    packets: u64,
) -> NetworkSpec {
    let each = (packets / tree.hosts() as u64).max(1);
    let mut plan = tree.plan(FABRIC_BPS, PACKET);
    for flow in tree.flows(pattern, each) {
        let [start, stop] = [flow.first, each].map(|count| plan.packets(count));
        let vc = plan.vc(&tree.route(flow.from, flow.to), SourceSpec::EveryKth { k: flow.k });
        (vc.start, vc.stop) = (start, Some(stop));
    }
    let mut spec = plan.spec;
    let path = 6 * spec.latency_of(DirectionId(0), PACKET).0;
    let most = match pattern {
        Pattern::AllToAll => 1,
        _ => control::flows(&spec).into_iter().max().unwrap_or(0),
    };
    let pauses = if control == Control::Pfc { 2 } else { 1 };
    let waiting = 2 * most * spec.transmit_time(DirectionId(0), PACKET).0;
    spec.duration = Picos(pauses * each * waiting + path + 1);
    control.apply(&mut spec);
    spec
}

#[cfg(test)]
mod tests;
