//! Twenty thousand VCs, of which hardly any has a cell at any time.
//!
//! ```text
//! S1 - S2 - S3 - S4    8 hosts at each switch; 622.08 Mb/s; link k has 50 us + 1,237 k ps, so
//!                      that hardly two events coincide
//! VC v                 from host v mod 32 to one of the 24 hosts at other switches, in turn
//! ```
//! Cells of each VC form a Poisson process; all VCs together send one cell per cell time. With
//! 20,000 VCs a host sends to each of 24 others by about 26 VCs. The busiest link, S2 - S3, carries
//! less than half of its rate each way.

use hopflow_network::{NetworkSpec, SourceSpec};
use hopflow_units::{Bytes, Picos};

use super::control::Control;
use super::plan::{Plan, micros};

const OC12: u64 = 622_080_000;
const SWITCHES: usize = 4;
const HOSTS: usize = 32;
const AT_A_SWITCH: usize = HOSTS / SWITCHES;
/// Pairs of hosts; VCs of one pair hold one route.
const PAIRS: usize = HOSTS * (HOSTS - AT_A_SWITCH);

/// About this number of cells of this number of VCs over the mostly idle network.
pub(super) fn mostly_idle(vcs: u64, cells: u64) -> NetworkSpec {
    let mut plan = Plan::new(Bytes::CELL);
    let mut delay = 0..;
    let mut next_delay = || Picos(micros(50).0 + 1_237 * delay.next().unwrap_or(0));
    let switches: Vec<_> = (1..=SWITCHES).map(|i| plan.switch(format!("S{i}"))).collect();
    for pair in switches.windows(2) {
        plan.link([pair[0], pair[1]], OC12, next_delay());
    }
    let trunks = plan.spec.links.len();
    for index in 0..HOSTS {
        let host = plan.host(format!("H{}", index + 1));
        plan.link([host, switches[switch_of(index)]], OC12, next_delay());
    }
    let cell = plan.packets(1).0;
    let source = SourceSpec::Poisson { gap: Picos(cell * vcs) };
    for vc in 0..vcs.min(PAIRS as u64) as usize {
        let from = vc % HOSTS;
        let beside = (switch_of(from) + 1) * AT_A_SWITCH;
        let to = (beside + vc / HOSTS % (HOSTS - AT_A_SWITCH)) % HOSTS;
        let (first, last) = (switch_of(from), switch_of(to));
        let mut route = vec![(trunks + from, 0)];
        // Trunk k joins switch k to switch k + 1.
        route.extend((first..last).map(|trunk| (trunk, 0)));
        route.extend((last..first).rev().map(|trunk| (trunk, 1)));
        route.push((trunks + to, 1));
        plan.vc(&route, source.clone());
    }
    plan.spec.duration = Picos(cells * cell);
    Control::N23.apply(&mut plan.spec);
    let first = plan.spec.vcs.len();
    let all = &mut *plan.spec.vcs;
    all.reserve_exact(vcs as usize - first);
    for vc in first..vcs as usize {
        let mut next = all[vc % PAIRS].clone();
        next.name = format!("vc{vc}");
        all.push(next);
    }
    plan.spec
}

/// Hosts are numbered in blocks.
const fn switch_of(host: usize) -> usize {
    host / AT_A_SWITCH
}
