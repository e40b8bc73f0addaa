//! What is said of flows whose hosts work on what they send and receive.

use hopflow_network::{HopControl, SourceSpec, WorkSpec};
use hopflow_record::Summary;
use hopflow_testing::{NetworkBuilder, cells};
use hopflow_units::Picos;

use super::{sentences, summary};
use crate::why::why;

/// A and B beside a switch, each with its work in cell times; a greedy flow from A to B.
fn run(works: [[u64; 2]; 2]) -> Summary {
    let mut network = NetworkBuilder::new(20_000);
    let (a, s, b) = (network.host("A"), network.switch("S"), network.host("B"));
    network.link(a, s, 1);
    network.link(s, b, 1);
    for (host, [send, receive]) in [a, b].into_iter().zip(works) {
        let work = WorkSpec { send: cells(send), receive: cells(receive), credit: Picos::ZERO };
        network.spec.nodes[host].work = (work != WorkSpec::default()).then_some(work);
    }
    network.vc("VC1", &[a, s, b], HopControl::None, SourceSpec::Greedy);
    summary(&network.spec)
}

fn cause(summary: &Summary) -> &'static str {
    why(summary).into_iter().filter(|note| note.vc.is_some()).nth(1).expect("the limit").cause
}

/// Claim: a sender that works 4 cell times on each cell is the limit, and so is such a receiver;
/// the work of the other kind, which the flow does not need, is not. The sentence has the counts:
/// 5,000 jobs of 4 cell times end in 20,000, but for the last, which ends with the run.
#[test]
fn a_saturated_processor_is_named() {
    let sender = run([[4, 0], [0, 0]]);
    assert_eq!(cause(&sender), "processor");
    let found = sentences(&sender, "VC1");
    assert!(
        found[1].starts_with(
            "VC1 was limited by the processor of A, which worked 100.0 % of the time: on 4999 \
             packets that it sent, 0 that it received, and 0 credits."
        ),
        "{}",
        found[1]
    );
    assert_eq!(cause(&run([[0, 0], [0, 4]])), "processor");
    assert_eq!(cause(&run([[0, 0], [0, 0]])), "link-full");
    // It does not work on what the flow brings it.
    assert_eq!(cause(&run([[0, 4], [4, 0]])), "link-full");
}
