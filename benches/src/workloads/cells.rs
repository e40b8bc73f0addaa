//! Cells under N23 on every hop, or under ABR with ERICA+ at every port of a switch.
//!
//! The tandem and the fabric have greedy sources that stop; many flows continue to the end. The
//! links of the fabric carry a cell in 327.68 ns, as long as 4,096 bytes at 100 Gb/s, and their
//! delay is 1 us.
//!
//! ```text
//! tandem, N23   a cell leaves every T and none waits: the last of N arrives at
//!               (N - 1) T + 6 (T + 50 us), and each of 6 hops has floor(N / N2) credits  (1)
//! ```
//! T is the time of a cell. Checked by: the test below; by the digests of both engines
//! (`digests.rs`).

use hopflow_network::{LengthLaw, NetworkSpec, SourceSpec, SpanLaw};
use hopflow_units::{Bytes, Picos};

use super::control::Control;
use super::fabric::{FatTree, Pattern};
use super::plan::{OC3, Plan, micros};

const FABRIC: u64 = 1_293_945_313;

/// A greedy VC over five switches.
pub(super) fn tandem(control: Control, cells: u64) -> NetworkSpec {
    let mut plan = Plan::new(Bytes::CELL);
    let mut last = plan.host("A");
    for hop in 1..=6 {
        let next = if hop == 6 { plan.host("B") } else { plan.switch(format!("S{hop}")) };
        plan.link([last, next], OC3, micros(50));
        last = next;
    }
    let stop = plan.packets(cells);
    let route: Vec<_> = (0..6).map(|link| (link, 0)).collect();
    plan.vc(&route, SourceSpec::Greedy).stop = Some(stop);
    plan.spec.duration = Picos(stop.0 + 10 * micros(60).0);
    control.apply(&mut plan.spec);
    plan.spec
}

/// Bursts of many flows over one trunk.
pub(super) fn many_flows(control: Control, flows: u64, cells: u64) -> NetworkSpec {
    let mut plan = Plan::new(Bytes::CELL);
    let (a, b, sink) = (plan.switch("S1"), plan.switch("S2"), plan.host("B"));
    let trunk = plan.link([a, b], OC3, micros(50));
    let exit = plan.link([b, sink], OC3, micros(5));
    let cell = plan.packets(1).0;
    // Load .9 of the trunk: a burst of 100 in every 100 x flows / .9 cell times.
    let off = Picos(100 * cell * flows * 10 / 9 - 100 * cell);
    for flow in 1..=flows {
        let host = plan.host(format!("H{flow}"));
        let access = plan.link([host, a], OC3, micros(5));
        let source = SourceSpec::OnOff {
            burst: LengthLaw::Fixed(100),
            off: SpanLaw::Exponential(off),
            burst_first: false,
        };
        plan.vc(&[(access, 0), (trunk, 0), (exit, 0)], source);
    }
    plan.spec.duration = Picos(cells * cell * 10 / 9);
    control.apply(&mut plan.spec);
    plan.spec
}

/// A fat tree of hosts, each greedy to one other.
pub(super) fn fabric(tree: FatTree, control: Control, cells: u64) -> NetworkSpec {
    let each = cells / tree.hosts() as u64;
    let mut plan = tree.plan(FABRIC, Bytes::CELL);
    let stop = plan.packets(each);
    for flow in tree.flows(Pattern::Random, each) {
        plan.vc(&tree.route(flow.from, flow.to), SourceSpec::Greedy).stop = Some(stop);
    }
    plan.spec.duration = Picos(stop.0 * 3);
    control.apply(&mut plan.spec);
    plan.spec
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workloads::testing::{delivered, hops, last, reference, windowed};

    /// Claim: the tandem under N23 ends at Eq. (1), with this number of credits, in both engines.
    #[test]
    fn the_tandem_is_never_held() {
        let spec = tandem(Control::N23, 5_005);
        for counters in [windowed(&spec), reference(&spec)] {
            assert_eq!(last(&counters), 5_004 * 2_726_338 + 6 * 52_726_338);
            assert_eq!(delivered(&counters), 5_005);
            assert_eq!(hops(&counters), [6 * 5_005, 6 * 500]);
        }
    }

    /// Claim: under ABR with ERICA+ the only VC of the tandem finally has nearly its whole link: of
    /// the time of 20,000 cells more than 80 % carry its data, and RM cells travel both ways.
    #[test]
    fn the_tandem_under_erica_fills_its_link() {
        let counters = windowed(&tandem(Control::EricaPlus, 20_000));
        assert!(delivered(&counters) > 16_000, "{}", delivered(&counters));
        assert!(counters.vcs[0].hops[0].rate.backward_taken > 0);
    }

    /// Claim: many flows offer 0.9 of the trunk, and ERICA+ carries it: of a run of 200,000 cell
    /// times more than three quarters carry data over the trunk, within the spread of its bursts.
    #[test]
    fn many_flows_under_erica_carry_what_they_offer() {
        let counters = windowed(&many_flows(Control::EricaPlus, 100, 180_000));
        let share = delivered(&counters) as f64 / 200_000.0;
        assert!((0.75..0.95).contains(&share), "{share}");
    }
}
