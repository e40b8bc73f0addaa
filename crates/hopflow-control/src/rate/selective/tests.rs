//! Marks by hand, and a chain of links on which marks for all beat a long VC down.

use hopflow_units::Picos;

use super::super::fixture::{brm, rate};
use super::super::{AbrSource, AbrSpec, RateControl, RateRule};
use super::*;

/// Claim [Roberts96]: while the port is congested, VCs at 7/8 of MACR = 1000 or more are marked and
/// slower ones are not; without congestion none is.
#[test]
fn only_fast_vcs_are_marked() {
    let average = MacrSpec { initial: Some(rate(1000.0)), ..MacrSpec::default() };
    let spec = SelectiveSpec { average, ..SelectiveSpec::new(EfciSpec::single(10)) };
    let mut port = Selective::new(spec, rate(8000.0), 4);
    let mut marked = |ccr, queue| {
        let mut rm = brm(ccr, 8000.0);
        port.backward(SimTime::ZERO, 0, &mut rm, queue);
        assert_eq!(rm.er, rate(8000.0));
        rm.ci
    };
    assert!(marked(875.0, 11));
    assert!(!marked(874.0, 11));
    assert!(!marked(2000.0, 10));
}

/// A chain of 4 links, 10,000 cells/s each, one VC over all of them and one VC over each. Returns
/// the shares of the long VC and of all short ones, in cells, in 20 s after 10 s. Cells are a
/// fluid: in a step of 1 ms each VC adds its ACR to the queue of each of its links. RM cells return
/// without delay, one per Nrm = 32 cells of the VC.
fn chain(rule: &RateRule) -> (f64, f64) {
    const LINKS: usize = 4;
    let capacity = 10_000.0;
    let spec = AbrSpec { icr: rate(1000.0), rif: 1.0 / 256.0, ..AbrSpec::new(rate(capacity)) };
    let mut ports: [RateControl; LINKS] =
        std::array::from_fn(|_| RateControl::new(rule, rate(capacity), 2));
    let mut queues = [0.0_f64; LINKS];
    // Source 0 is the long VC; 1 + k is the short one of link k.
    let mut sources = [AbrSource::new(&spec); LINKS + 1];
    let (mut unsent, mut sent) = ([0.0_f64; LINKS + 1], [0.0_f64; LINKS + 1]);
    for step in 0..30_000_u64 {
        let now = SimTime::ZERO.saturating_add(Picos(step * 1_000_000_000));
        for link in 0..LINKS {
            let load = sources[0].acr().get() + sources[1 + link].acr().get();
            // Each link is slower for a quarter of the time, at its own times: otherwise all queues
            // would be the same.
            let slow = (step / 50 + link as u64).is_multiple_of(4);
            let drained = if slow { 0.9 * capacity } else { capacity };
            queues[link] = (queues[link] + (load - drained) / 1000.0).max(0.0);
        }
        for vc in 0..=LINKS {
            let cells = sources[vc].acr().get() / 1000.0;
            unsent[vc] += cells;
            if step >= 10_000 {
                sent[vc] += cells;
            }
            if unsent[vc] < 32.0 {
                continue;
            }
            unsent[vc] -= 32.0;
            let path = if vc == 0 { 0..LINKS } else { vc - 1..vc };
            let flow = u32::from(vc > 0);
            let mut rm = RmCell { backward: false, ..brm(sources[vc].acr().get(), capacity) };
            for link in path.clone() {
                ports[link].arrive(now, flow, queues[link] as u64);
                ports[link].forward(now, flow, &mut rm, queues[link] as u64);
            }
            rm.backward = true;
            for link in path.rev() {
                ports[link].backward(now, flow, &mut rm, queues[link] as u64);
            }
            sources[vc].on_backward(&spec, &rm);
        }
    }
    (sent[0], sent[1..].iter().sum::<f64>() / LINKS as f64)
}

/// Claim [Roberts96]: marks for all beat down the VC with many hops, marks for the fast ones do
/// not. The fair share of all VCs of the chain is the same.
#[test]
fn a_long_vc_is_not_beaten_down() {
    let queue = EfciSpec::single(20);
    let (long, short) = chain(&RateRule::Becn(queue));
    assert!(long < 0.5 * short, "BECN: {long}, {short}");
    let (long, short) = chain(&RateRule::Selective(SelectiveSpec::new(queue)));
    assert!(long > 0.8 * short, "selective: {long}, {short}");
}
