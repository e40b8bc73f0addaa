//! Small networks and counters, computed by hand, for the tests of this crate.

use hopflow_network::counters::{
    DirectionCounters, HopCounters, LeafCounters, NodeCounters, SetUpCounters, VcCounters,
    WorkCounters,
};
use hopflow_network::{
    CellKind, CreditScheme, CreditSpec, DelayHistogram, DirectionSpec, HopControl, HopSpec, Jitter,
    LinkSpec, NetworkSpec, NodeKind, NodeSpec, RoundTrip, RunCounters, SourceSpec, TraceEvent,
    TraceRow, VcSpec,
};
use hopflow_units::{Bytes, Cells, Picos, Rate, SimTime};

use crate::conservation::{Balance, Imbalance};
use crate::digest::Digest;
use crate::properties::{
    Breaches, Violation, deadlock_violation, lane_violations, unbalanced, vc_breaches,
};
use crate::sending::{Lines, Sending};
use crate::{Keep, Reading, Summary, Together, direction_names};

/// The cell time of every link here: 424 bits at 424 Mb/s are 1 us.
pub(crate) const T: u64 = 1_000_000;

fn node(name: &str, kind: NodeKind) -> NodeSpec {
    NodeSpec::new(name, kind)
}

pub(crate) fn link(ends: [usize; 2]) -> LinkSpec {
    let direction = DirectionSpec::new(Rate::from_bps(424_000_000).unwrap(), Picos::ZERO);
    LinkSpec { ends, directions: [direction.clone(), direction], round_trip: RoundTrip::Loop }
}

/// A hop under N23 with N2 = 2, N3 = 3.
pub(crate) fn n23_hop(link: usize, parent: Option<usize>) -> HopSpec {
    let credit = CreditSpec {
        scheme: CreditScheme::N23,
        unit: Bytes::CELL,
        n1: Cells::ZERO,
        n2: Cells(2),
        n3: Cells(3),
        request_after: None,
        redundant_every: None,
        per_cell: 1,
        allow_small_buffer: false,
    };
    HopSpec { link, direction: 0, parent, control: HopControl::Credit(credit) }
}

pub(crate) fn vc(name: &str, hops: Vec<HopSpec>) -> VcSpec {
    VcSpec::new(name, hops, SourceSpec::Greedy)
}

/// Host A - switch S - host B, one VC under N23 on both links. Directions: 0 `A->S`, 1 `S->A`,
/// 2 `S->B`, 3 `B->S`.
pub(crate) fn line() -> NetworkSpec {
    let spec = NetworkSpec {
        nodes: vec![
            node("A", NodeKind::Host),
            node("S", NodeKind::Switch),
            node("B", NodeKind::Host),
        ]
        .into(),
        links: vec![link([0, 1]), link([1, 2])].into(),
        vcs: vec![vc("VC1", vec![n23_hop(0, None), n23_hop(1, Some(0))])].into(),
        connections: Vec::new().into(),
        events: Vec::new(),
        machines: Vec::new().into(),
        duration: Picos(10 * T),
        seed: 1,
        jitter: Jitter::Exact,
    };
    spec.assert_valid();
    spec
}

/// Like [`line`], with a second final host C after S: directions 4 `S->C`, 5 `C->S`.
pub(crate) fn fork() -> NetworkSpec {
    let mut spec = line();
    spec.nodes.push(node("C", NodeKind::Host));
    spec.links.push(link([1, 3]));
    spec.vcs[0].hops.push(n23_hop(2, Some(0)));
    spec.assert_valid();
    spec
}

/// Counters of [`line`] at 10 T. A has started 8 cells: at 0 to 6 T, then, after 2.5 T without
/// credit, at 9.5 T. 7 have arrived at S, one of them corrupted. S has sent 5 to B, 4 of which
/// have arrived, and has a sixth in transmission since 9.75 T.
pub(crate) fn line_counters() -> RunCounters {
    let first = HopCounters {
        sent_packets: 8,
        left_packets: 7,
        fill_packets: 1,
        fill_max_packets: 1,
        fill_area: u128::from(T) * 15 / 2,
        no_credit: Picos(2 * T + T / 2),
        no_credit_count: 1,
        credits_taken: 1,
        received_packets: 6,
        corrupted_packets: 1,
        credits_sent: 2,
        ..HopCounters::default()
    };
    let second = HopCounters {
        sent_packets: 6,
        left_packets: 5,
        fill_packets: 1,
        fill_max_packets: 2,
        fill_area: u128::from(T) * 25 / 4,
        no_cell: Picos(3 * T + T * 3 / 4),
        credits_taken: 1,
        credits_corrupted: 1,
        received_packets: 4,
        credits_sent: 2,
        ..HopCounters::default()
    };
    let mut delay = DelayHistogram::default();
    for cells in [2, 2, 2, 4] {
        delay.record(cells * T);
    }
    let leaf = LeafCounters {
        delivered_packets: 4,
        first: Some(SimTime(2 * T)),
        last: Some(SimTime(9 * T)),
        delay,
        delivered_bytes: 4 * 53,
        waiting: None,
        packets: None,
    };
    RunCounters {
        now: SimTime(10 * T),
        vcs: vec![VcCounters {
            created_packets: 8,
            policed_packets: 0,
            sent_frames: 0,
            endpoint: None,
            holds: None,
            coded: None,
            hops: vec![first, second],
            leaves: vec![leaf],
            ack_cells: 0,
            acked_cells: 0,
            set_up: SetUpCounters::default(),
        }],
        directions: vec![
            direction([8, 0], 15, 1, [1, 0]),
            direction([0, 2], 4, 0, [0, 1]),
            DirectionCounters {
                busy: Picos(5 * T + T / 4),
                queue_max_packets: 2,
                ..direction([6, 0], 0, 1, [2, 0])
            },
            direction([0, 2], 4, 0, [0, 0]),
        ],
        nodes: [(1, 1, 15, 2), (1, 2, 25, 4), (0, 0, 0, 1)].map(held).to_vec(),
    }
}

/// Started, busy half cell times, queue, in flight; pairs are of data and control.
fn direction(cells: [u64; 2], halves: u64, queue: u32, flight: [u64; 2]) -> DirectionCounters {
    DirectionCounters {
        data_packets: cells[0],
        control_packets: cells[1],
        busy: Picos(halves * T / 2),
        queue_packets: queue,
        queue_max_packets: queue,
        data_in_flight: flight[0],
        control_in_flight: flight[1],
        marked_packets: 0,
        reserved_bps: 0,
        reserved_max_bps: 0,
        refused_set_ups: 0,
        fair_rate: None,
        hash: 7,
        lengths: None,
        lanes: Vec::new(),
        shared_buffer: None,
    }
}

/// The cells held now, the greatest number, and the integral as a fraction of T.
fn held((now, most, area, part): (u32, u32, u128, u128)) -> NodeCounters {
    NodeCounters {
        buffered_packets: now,
        buffered_max_packets: most,
        buffered_area: u128::from(T) * area / part,
        memory_max_bytes: 0,
        work: WorkCounters::default(),
    }
}

/// A row about a data cell of VC 0. `when` is in half cell times.
pub(crate) fn row(when: u64, event: TraceEvent, direction: u32, value: u32, fill: u32) -> TraceRow {
    TraceRow {
        time: SimTime(when * T / 2),
        direction,
        vc: 0,
        value,
        fill,
        credit: 0,
        event,
        kind: CellKind::Data,
        at_receiver: matches!(event, TraceEvent::Arrived | TraceEvent::Corrupted),
    }
}

/// The check of a run in one piece, which [`crate::Together`] reads in blocks of VCs; the error is
/// the first violated law.
pub(crate) fn check_conservation(
    spec: &NetworkSpec,
    counters: &RunCounters,
) -> Result<(), Imbalance> {
    let names = direction_names(spec);
    let mut balance = Balance::new(spec, &names);
    balance.take(spec, counters)?;
    balance.close(spec, counters)
}

/// Sending times per VC and hop.
pub(crate) fn sending_times(spec: &NetworkSpec, counters: &RunCounters) -> Vec<Vec<Sending>> {
    let mut lines = Lines::new(spec);
    lines.take(spec, counters);
    lines.close(spec, counters).of(spec, &counters.vcs)
}

/// The properties that a run violated.
pub(crate) fn violations(spec: &NetworkSpec, counters: &RunCounters) -> Vec<Violation> {
    breaches(spec, counters).broken
}

/// The same, with the losses that the user accepts.
pub(crate) fn breaches(spec: &NetworkSpec, counters: &RunCounters) -> Breaches {
    let names = direction_names(spec);
    let vcs = vc_breaches(spec, counters, &names, &sending_times(spec, counters));
    let balance = check_conservation(spec, counters);
    let mut broken: Vec<_> = balance.err().iter().map(unbalanced).collect();
    broken.extend(vcs.broken);
    broken.extend(lane_violations(spec, counters, &names));
    broken.extend(deadlock_violation(spec, counters, &names));
    Breaches { broken, accepted: vcs.accepted }
}

/// The digest of a run.
pub(crate) fn digest(spec: &NetworkSpec, counters: &RunCounters) -> u64 {
    let mut digest = Digest::new(counters);
    digest.take(&counters.vcs);
    digest.finish(counters, &spec.machines)
}

/// The summary of a run with all rows. `before`: the counters at the end of the warm-up.
pub(crate) fn summary_of(
    spec: &NetworkSpec,
    before: Option<&RunCounters>,
    after: &RunCounters,
) -> Summary {
    let reading = Reading::of_counters(spec, before, after);
    Together::read(&reading).summarize(&reading, Keep::All, &|_, _| (), &mut |_, _| None).0
}
