//! Runs against formulas.

use super::*;

/// A link of delay 76.5 u each way: its loop is 2 x 77.5 = 155 u.
fn long_link(network: &mut NetworkBuilder, from: usize, to: usize) {
    let direction = plain_direction(424_000_000, Picos(76_500_000));
    network.link_of(LinkSpec {
        ends: [from, to],
        directions: [direction.clone(), direction],
        round_trip: RoundTrip::Loop,
    });
}

/// Cells sent on hop 0 of VC 0 from 20 periods on, over 100 periods of `period` u.
fn sent_over(spec: &NetworkSpec, period: u64) -> u64 {
    let mut engine = ReferenceEngine::new(spec, TraceFilter::none());
    engine.run_until(at(20 * period));
    let before = engine.counters().vcs[0].hops[0].sent_packets;
    engine.run_until(at(120 * period));
    engine.counters().vcs[0].hops[0].sent_packets - before
}

/// Claim: one greedy VC that wants more than its credit gives sends m cells each D + m - n0 u,
/// n0 = N3 + 1, m = N2 x ceil(n0 / N2), D the loop: with N2 = 10, N3 = 51, D = 155 that is 60
/// each 163 u on a lone hop. On a hop into a switch a cell is freed when it has left, one u
/// later, so D = 156: 60 each 164 u.
#[test]
fn a_burst_of_m_in_each_period() {
    for scheme in [CreditScheme::N23, CreditScheme::Cup, CreditScheme::Additive] {
        let mut lone = NetworkBuilder::new(1);
        let (a, b) = (lone.host("A"), lone.host("B"));
        long_link(&mut lone, a, b);
        lone.vc("VC", &[a, b], credit(scheme, 10, 51), SourceSpec::Greedy);
        assert_eq!(sent_over(&lone.spec, 163), 6_000, "{scheme:?}");

        let mut tandem = NetworkBuilder::new(1);
        let (a, s, b) = (tandem.host("A"), tandem.switch("S"), tandem.host("B"));
        long_link(&mut tandem, a, s);
        long_link(&mut tandem, s, b);
        tandem.vc("VC", &[a, s, b], credit(scheme, 10, 51), SourceSpec::Greedy);
        assert_eq!(sent_over(&tandem.spec, 164), 6_000, "{scheme:?}");
    }
}

/// Claim [KMCL94] Figure 20: of two opposite greedy VCs each direction carries ten data cells,
/// then one credit: 10 of 11.
#[test]
fn opposite_flows_leave_one_cell_in_eleven_to_credits() {
    let mut network = NetworkBuilder::new(1);
    let (a, b) = (network.host("A"), network.host("B"));
    long_link(&mut network, a, b);
    network.vc("there", &[a, b], n23(10, 155), SourceSpec::Greedy);
    network.vc("back", &[b, a], n23(10, 155), SourceSpec::Greedy);
    // 100 periods of 11 u; at most one credit more or less at either end.
    assert!(sent_over(&network.spec, 11 * 20).abs_diff(100 * 200) <= 2);
}

/// Claim: three greedy VCs over one output get a third each, exactly, and never exceed N2 + N3
/// cells at the switch; the first peak of the largest is (N2 + N3) x 2/3 = 110 ([KMCL94] 5.3).
#[test]
fn three_vcs_share_one_output() {
    let mut network = NetworkBuilder::new(6_000);
    let (s, out) = (network.switch("S"), network.host("out"));
    long_link(&mut network, s, out);
    for (index, n3) in [155, 113, 63].into_iter().enumerate() {
        let host = network.host(&format!("in{index}"));
        long_link(&mut network, host, s);
        let name = format!("VC{index}");
        let vc = network.vc(&name, &[host, s, out], n23(10, 155), SourceSpec::Greedy);
        network.spec.vcs[vc].hops[0].control = n23(10, n3);
    }
    let (_, counters) = run(&network.spec);
    let peaks: Vec<u32> = counters.vcs.iter().map(|vc| vc.hops[1].fill_max_packets).collect();
    assert!((109..=112).contains(&peaks[0]), "{peaks:?}");
    let sent: Vec<u64> = counters.vcs.iter().map(|vc| vc.hops[1].sent_packets).collect();
    assert!(sent.iter().all(|&cells| cells.abs_diff(sent[0]) <= 1), "{sent:?}");
    // The output starts with the first arrival at 77.5 u and is never idle after it.
    assert_eq!(counters.directions[0].busy, Picos(6_000_000_000 - 77_500_000));
}

/// Claim: N23 with continuous E sends a cell whenever fewer than C cells have started in R; on
/// a lone hop, where C is always N2 + N3, that is N2 + N3 each R = 155 u.
#[test]
fn continuous_e_gives_the_full_allowance_each_round_trip() {
    let mut network = NetworkBuilder::new(1);
    let (a, b) = (network.host("A"), network.host("B"));
    long_link(&mut network, a, b);
    let control = credit(CreditScheme::N23Continuous, 10, 51);
    network.vc("VC", &[a, b], control, SourceSpec::Greedy);
    assert_eq!(sent_over(&network.spec, 155), 6_100);
}

/// Claim: N123+ starts at most N1 cells in any R: 7 each 155 u when credit is ample.
#[test]
fn n123_plus_paces_by_n1() {
    let mut network = NetworkBuilder::new(1);
    let (a, b) = (network.host("A"), network.host("B"));
    long_link(&mut network, a, b);
    let HopControl::Credit(spec) = credit(CreditScheme::N123Plus, 2, 100) else { panic!() };
    let control = HopControl::Credit(hopflow_network::CreditSpec { n1: Cells(7), ..spec });
    network.vc("VC", &[a, b], control, SourceSpec::Greedy);
    assert_eq!(sent_over(&network.spec, 155), 700);
}

/// Claim: a fixed network gives a fixed order of starts, for ever. Rates that fit no grid, two
/// VCs, losses: any change of the model shows here.
#[test]
fn the_order_of_starts_is_pinned() {
    let mut network = NetworkBuilder::new(2_000);
    let (a, s, b) = (network.host("A"), network.switch("S"), network.host("B"));
    network.link(a, s, 5);
    network.link(s, b, 7);
    network.spec.links[1].directions[0].rate = Rate::from_bps(155_520_000).unwrap();
    network.vc("greedy", &[a, s, b], n23(3, 20), SourceSpec::Greedy);
    network.vc("steady", &[a, s, b], n23(2, 9), SourceSpec::EveryKth { k: 7 });
    let loss = hopflow_units::Probability::new(0.1).unwrap();
    network.event(0, DirectionId(1), Change::CorruptCredits(loss));
    let (_, counters) = run(&network.spec);
    let hashes: Vec<u64> = counters.directions.iter().map(|direction| direction.hash).collect();
    let pinned = [
        6_305_022_809_436_518_551,
        9_649_554_730_869_306_492,
        4_185_758_876_948_365_790,
        18_383_369_466_188_875_110,
    ];
    assert_eq!(hashes, pinned);
}
