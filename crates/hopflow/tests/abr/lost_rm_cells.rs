//! RM cells: none is made or lost unseen, and where links lose them, sources slow down and come
//! back.

use hopflow::control::rate::{EricaSpec, RateRule};
use hopflow::network::{Change, EventSpec, NetworkSpec, Segment};
use hopflow::units::{Probability, SimTime};

use super::network::{MS, Paths, run, throughputs};

fn at(ms: u64) -> SimTime {
    SimTime(ms * MS.0)
}

/// Greedy VCs under ERICA on one link, whose way back loses BRMs from 100 ms to 200 ms.
fn losing(vcs: usize, probability: f64, cdf: f64) -> NetworkSpec {
    let rule = RateRule::Erica(EricaSpec::default());
    let mut spec = Paths::one_link(vcs).network(rule, Segment::Through);
    for vc in &mut spec.vcs {
        let abr = vc.rate.as_mut().expect("it is under ABR");
        (abr.crm, abr.cdf) = (8, cdf);
    }
    let loses = |ms, probability| EventSpec {
        at: at(ms),
        link: 0,
        direction: 1,
        change: Change::CorruptData(probability),
    };
    let chance = Probability::new(probability).expect("a chance");
    spec.events = vec![loses(100, chance), loses(200, Probability::ZERO)];
    spec
}

fn until(mut spec: NetworkSpec, ms: u64) -> NetworkSpec {
    spec.duration = MS.checked_mul(ms).expect("it is short");
    spec
}

/// FRMs made, BRMs made of them, BRMs that came back.
fn rm_cells(spec: &NetworkSpec, vc: usize) -> (u64, u64, u64) {
    let counters = run(spec, 0).counters;
    let hops = &counters.vcs[vc].hops;
    let last = hops.last().expect("a VC has hops").rate;
    (hops[0].rate.forward_made, last.turned_around, hops[0].rate.backward_taken)
}

/// Claim: without loss every FRM is turned around and comes back, once the source is off: and of
/// 32 cells one is an FRM.
#[test]
fn rm_cells_are_conserved() {
    let mut spec = losing(3, 0.0, 1.0 / 16.0);
    for vc in &mut spec.vcs {
        vc.stop = Some(at(250));
    }
    for vc in 0..3 {
        let (made, turned, back) = rm_cells(&spec, vc);
        assert!(made > 100);
        assert_eq!((turned, back), (made, made));
        let sent = run(&spec, 0).counters.vcs[vc].hops[0].sent_packets;
        assert!(sent.div_ceil(32) == made, "{made} of {sent}");
    }
}

/// Claim: with all BRMs lost, 8 RM cells (1.2 ms at this rate) go unanswered without harm; then ACR
/// is 15/16 of itself after each.
#[test]
fn acr_falls_for_each_rm_cell_past_crm() {
    let after = |ms| {
        let counters = run(&until(losing(1, 1.0, 1.0 / 16.0), ms), 0).counters;
        let rate = counters.vcs[0].hops[0].rate;
        (rate.acr, rate.forward_made)
    };
    assert_eq!(after(101).0, after(100).0);
    let (first, made) = after(105);
    assert!(first < after(100).0 * 9 / 10);
    for ms in [110, 130, 190] {
        let (now, then_made) = after(ms);
        let expected = (made..then_made).fold(first as f64, |rate, _| rate * 15.0 / 16.0);
        assert!((now as f64 - expected).abs() < 2.0, "{ms} ms: {now}, not {expected}");
    }
}

/// Claim: at CDF = 1 ACR falls to zero, and out-of-rate RM cells, ten a second, bring it back.
#[test]
fn a_source_at_rate_zero_comes_back() {
    let spec = losing(2, 1.0, 1.0);
    let counters = run(&until(spec.clone(), 199), 0).counters;
    assert!(counters.vcs.iter().all(|vc| vc.hops[0].rate.acr == 0));
    let rates = throughputs(&run(&until(spec, 600), 500).summary);
    assert!(rates.iter().all(|rate| (43e6..48.1e6).contains(rate)), "{rates:?}");
}

/// Claim: with half of all BRMs lost every VC advances, and all have their share again after.
#[test]
fn random_loss_stops_nobody() {
    let spec = losing(4, 0.5, 1.0 / 16.0);
    let during = throughputs(&run(&until(spec.clone(), 200), 100).summary);
    let after = throughputs(&run(&spec, 250).summary);
    let share = |mbps: f64| mbps * 1e6 / 4.0 * 31.0 / 32.0;
    assert!(during.iter().all(|rate| *rate > share(40.0)), "{during:?}");
    assert!(after.iter().all(|rate| (share(88.0)..share(101.0)).contains(rate)), "{after:?}");
}
