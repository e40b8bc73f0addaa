//! Networks whose rates are known by hand.

use hopflow::control::rate::{Drain, EricaPlusSpec, EricaSpec, RateRule, VcCountingSpec};
use hopflow::network::{NetworkSpec, NodeKind, NodeSpec, Segment, SourceSpec, VcSpec};
use hopflow::units::{Picos, Rate};

use super::network::{DATA, Paths, add_link, rate_of, run, throughputs};

fn erica() -> RateRule {
    RateRule::Erica(EricaSpec::default())
}

fn counting() -> RateRule {
    let spec = VcCountingSpec::new(Picos(5_000_000_000));
    RateRule::VcCounting(VcCountingSpec { drain: Drain::Always(0.98), ..spec })
}

/// Runs 300 ms; the rates of the last 100 in Mb/s.
fn rates(spec: &NetworkSpec) -> Vec<f64> {
    throughputs(&run(spec, 200).summary).iter().map(|bps| bps / 1e6).collect()
}

#[track_caller]
fn assert_near(rate: f64, expected: f64, tolerance: f64) {
    let off = (rate / expected - 1.0).abs();
    assert!(off < tolerance, "{rate} Mb/s, not {expected}");
}

/// Claim: one VC alone on 100 Mb/s has U C x 31/32 of data under ERICA, for no ER is above A, which
/// is U C; under ERICA+ the whole link; under VC counting 98 % of it. To the cell of an interval.
#[test]
fn one_vc_has_the_target() {
    let plus = RateRule::EricaPlus(EricaPlusSpec::default());
    for (rule, target) in [(erica(), 90.0), (plus, 100.0), (counting(), 98.0)] {
        let spec = Paths::one_link(1).network(rule, Segment::Through);
        assert_near(rates(&spec)[0], target * DATA, 0.001);
    }
}

/// 30 Mb/s of constant traffic at a priority above that of the VCs, over the first link.
fn with_vbr(mut spec: NetworkSpec) -> NetworkSpec {
    for vc in &mut spec.vcs {
        vc.priority = 1;
    }
    spec.nodes.push(NodeSpec::new("VBR", NodeKind::Host));
    let host = spec.nodes.len() - 1;
    let into = add_link(&mut spec, (host, 0), 160, 5);
    let mut hops = spec.vcs[0].hops.to_vec();
    hops[0].link = into;
    let rate = Rate::from_bps(30_000_000).expect("it is above zero");
    spec.vcs.push(VcSpec::new("VBR", hops, SourceSpec::Constant { rate }));
    spec
}

/// Claim: beside 30 Mb/s of VBR at higher priority, one VC has U C - 30 under ERICA and
/// 0.98 (C - 30) under VC counting, of which 31/32 is data. The VBR traffic has all it sends, and
/// waits for a cell in transmission at most at each port: three cell times at 160, 100, 160.
#[test]
fn vbr_goes_first() {
    for (rule, target) in [(erica(), 60.0), (counting(), 0.98 * 70.0)] {
        let spec = with_vbr(Paths::one_link(1).network(rule, Segment::Through));
        let result = run(&spec, 200);
        let rates = throughputs(&result.summary);
        assert_near(rates[0] / 1e6, target * DATA, 0.005);
        assert_near(rates[1] / 1e6, 30.0, 0.005);
        let delay = result.summary.vcs[1].delay_ps.as_ref().expect("cells came");
        let cell = 424e6 * (2.0 / 160.0 + 1.0 / 100.0);
        assert!((delay.max as f64) < 110e6 + 2.0 * cell, "{}", delay.max);
    }
}

/// Claim: MCR first, the rest in equal parts. Of three VCs one has MCR 40: under VC counting
/// 0.98 x (40 + 20) and 0.98 x 20; under ERICA the excess is equal, and the sum is 90 to 99.
#[test]
fn mcr_is_given_first() {
    let with_mcr = |rule| {
        let mut spec = Paths::one_link(3).network(rule, Segment::Through);
        let abr = spec.vcs[0].rate.as_mut().expect("it is under ABR");
        (abr.mcr, abr.icr) = (rate_of(40), rate_of(40));
        rates(&spec)
    };
    let counted = with_mcr(counting());
    assert_near(counted[0], 0.98 * 60.0 * DATA, 0.005);
    assert_near(counted[1], 0.98 * 20.0 * DATA, 0.005);
    let under_erica = with_mcr(erica());
    assert_near(under_erica[0] - 40.0 * DATA, under_erica[1], 0.02);
    assert_near(under_erica[2], under_erica[1], 0.02);
    let load = under_erica.iter().sum::<f64>() / DATA;
    assert!((89.9..99.1).contains(&load), "{load}");
}

/// Claim: VCs keep their MCR where the target is below it: beside VBR it is 90 - 30 = 60, and two
/// VCs with MCR 34 send 68 of the 70 that are free.
#[test]
fn mcr_is_kept_where_the_target_is_below_it() {
    let mut spec = Paths::one_link(2).network(erica(), Segment::Through);
    for vc in &mut spec.vcs {
        let abr = vc.rate.as_mut().expect("it is under ABR");
        (abr.mcr, abr.icr) = (rate_of(34), rate_of(34));
    }
    let rates = rates(&with_vbr(spec));
    assert_near(rates[0], 34.0 * DATA, 0.005);
    assert_near(rates[1], 34.0 * DATA, 0.005);
}

/// Claim: what is above the MCR goes by weight, 1 to 3.
#[test]
fn weights_share_the_rest() {
    for rule in [erica(), counting()] {
        let mut spec = Paths::one_link(2).network(rule, Segment::Through);
        spec.vcs[1].weight = 3;
        let rates = rates(&spec);
        assert_near(rates[1] / 3.0, rates[0], 0.02);
    }
}

/// Claim: a VC with PCR 10 sends that, and leaves the rest to the other.
#[test]
fn pcr_is_not_exceeded() {
    let mut spec = Paths::one_link(2).network(counting(), Segment::Through);
    let abr = spec.vcs[0].rate.as_mut().expect("it is under ABR");
    (abr.pcr, abr.icr) = (rate_of(10), rate_of(10));
    let rates = rates(&spec);
    assert_near(rates[0], 10.0 * DATA, 0.005);
    assert_near(rates[1], 0.98 * 90.0 * DATA, 0.005);
}
