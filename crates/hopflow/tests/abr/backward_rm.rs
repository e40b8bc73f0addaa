//! Backward RM cells that a switch creates: none is made or lost unseen, at most ten a second of
//! each VC, and a newcomer with a long loop slows down after the short way back.

use hopflow::control::rate::{BackwardMark, BackwardRmSpec, EricaSpec, RateRule, VcCountingSpec};
use hopflow::network::{NetworkSpec, RateSpec, Segment};
use hopflow::units::{Picos, SimTime};

use super::network::{MS, Paths, run};

const PERMITTED: BackwardRmSpec =
    BackwardRmSpec { above: 0, mark: BackwardMark::Ci, gap: BackwardRmSpec::GAP };

/// The network where the port of link 0 creates backward RM cells.
fn creating(mut spec: NetworkSpec, created: BackwardRmSpec) -> NetworkSpec {
    let port = &mut spec.links[0].directions[0].rate_control;
    *port = port.map(|rate| RateSpec { backward_rm: Some(created), ..rate });
    spec
}

/// Claim [TM4.0]: a switch creates at most 10 in a second for each VC, the first with its first
/// cell. Every RM cell is accounted for: those that the sources made and those of the switch have
/// come back, and no property of the run is violated.
#[test]
fn ten_in_a_second_and_all_of_them_come_back() {
    let erica = RateRule::Erica(EricaSpec::default());
    let mut spec = creating(Paths::one_link(3).network(erica, Segment::Through), PERMITTED);
    spec.duration = MS.checked_mul(1_010).expect("it is short");
    for vc in &mut spec.vcs {
        vc.stop = Some(SimTime(MS.0 * 999));
    }
    let result = run(&spec, 0);
    assert!(result.summary.violations.is_empty(), "{:?}", result.summary.violations);
    for (vc, shown) in result.counters.vcs.iter().zip(&result.summary.vcs) {
        let made: Vec<u64> = vc.hops.iter().map(|hop| hop.rate.backward_made).collect();
        assert_eq!(made, [0, 10, 0], "{}", shown.name);
        assert_eq!(vc.hops[0].rate.backward_taken, vc.hops[0].rate.forward_made + 10);
        let published = shown.hops[1].rate.expect("it is under rate control");
        assert_eq!(published.backward_rm_cells_made, 10);
    }
}

/// Claim: a newcomer at the rate of the link, whose loop behind the switch is 40 ms, fills the
/// port until its rate is that of the port. Its first RM cell takes the loop; the one that the port
/// creates takes the way back. Access links of 5 us, cells of about 2.8 us: the longest queue is
/// below a hundredth of the other one.
#[test]
fn a_newcomer_slows_down_after_the_way_back() {
    let rule = RateRule::VcCounting(VcCountingSpec::new(MS.checked_mul(100).expect("short")));
    let plain = || {
        let mut spec = Paths::one_link(2).network(rule, Segment::Through);
        spec.links[0].directions.iter_mut().for_each(|side| side.delay = Picos(20 * MS.0));
        for vc in &mut spec.vcs {
            let abr = vc.rate.as_mut().expect("it is under ABR");
            (abr.icr, abr.rif) = (abr.pcr, 1.0);
        }
        spec.vcs[1].start = SimTime(MS.0 * 100);
        spec
    };
    let longest = |spec: &NetworkSpec| run(spec, 0).counters.directions[0].queue_max_packets;
    let created = BackwardRmSpec { mark: BackwardMark::Ni, above: 10, ..PERMITTED };
    let (with, without) = (longest(&creating(plain(), created)), longest(&plain()));
    assert!(100 * with < without, "{with} cells of {without}");
}
