//! Who is locked out at a full buffer, and what ends it.

use hopflow_control::scheduler::SchedulerSpec;
use hopflow_network::{Discard, HopControl, NetworkSpec, SizeLaw, SourceSpec};
use hopflow_units::{Bytes, Cells, Picos};

use super::{shared, summary};
use crate::why::{Severity, why};

/// Two VCs at the rate of their links into one link of the same rate, with 20 cells before it.
fn two() -> NetworkSpec {
    let mut network = shared(2, HopControl::None, &SourceSpec::Greedy);
    network.nodes[0].buffer = Some(Cells(20).into());
    network
}

/// The VCs that are locked out, with the link over which they bring their cells.
fn locked_out(network: &NetworkSpec) -> Vec<(String, String)> {
    let notes = why(&summary(network)).into_iter().filter(|note| note.cause == "lockout");
    let place = |note: crate::why::Note| {
        assert_eq!(note.severity, Severity::Warning);
        assert!(note.change.is_some(), "{note}");
        Some((note.vc?, note.link?))
    };
    notes.map(|note| place(note).expect("it has a VC and a link")).collect()
}

fn out(vc: &str, link: &str) -> Vec<(String, String)> {
    vec![(vc.to_owned(), link.to_owned())]
}

/// Claim: of two greedy VCs in step, the port of VC1 comes first, and VC2 has the room of the first
/// cells alone: of 20,000 it loses nearly all. Where VC1 begins a quarter of a cell time later, VC2
/// finds the room first, and VC1 is locked out: a phase says who wins, not that both do.
#[test]
fn the_one_that_comes_second_is_locked_out() {
    let mut network = two();
    assert_eq!(locked_out(&network), out("VC2", "A2->S"));
    network.vcs[0].phase = Picos(250_000);
    assert_eq!(locked_out(&network), out("VC1", "A1->S"));
    let notes = why(&summary(&network));
    let text = notes.iter().find(|note| note.cause == "lockout").map(ToString::to_string);
    let start = "VC1 was locked out at S: it lost 99.";
    assert!(text.as_ref().is_some_and(|text| text.starts_with(start)), "{text:?}");
    assert!(text.is_some_and(|text| text.contains(", and VC2, which brought as much,")));
}

/// Claim: what the note proposes ends it: sizes that vary, or a switch that discards from the
/// longest queue. A VC of another rate is not locked out by the first, however much it loses.
#[test]
fn what_is_proposed_ends_it() {
    let mut network = two();
    network.nodes[0].discard = Discard::LastOfLongest;
    for direction in &mut network.links[0].directions {
        direction.scheduler = SchedulerSpec::Wfq;
    }
    for link in 1..=2 {
        network.links[link].directions[1].scheduler = SchedulerSpec::Wfq;
    }
    assert_eq!(locked_out(&network), []);
    let mut network = two();
    for vc in &mut network.vcs {
        vc.traffic.size = SizeLaw::Uniform { least: Bytes(40), most: Bytes(60) };
    }
    assert_eq!(locked_out(&network), []);
    let mut network = two();
    network.vcs[1].source = SourceSpec::EveryKth { k: 2 }.into();
    assert_eq!(locked_out(&network), []);
}
