//! Queues computed by hand from artificial rows.

use hopflow_network::TraceEvent::{Arrived, Left, Started};

use super::*;
use crate::fixture::{T, line, row};

/// Times in half cell times of a queue at S: 1 cell from 2 on, 2 from 4, 1 from 5, 0 from 9 on; at
/// 4 a cell leaves and two arrive, so that it holds 0 and 1 in between.
fn rows() -> Vec<TraceRow> {
    vec![
        row(2, Arrived, 0, 0, 1),
        row(2, Started, 2, 0, 1),
        row(4, Left, 2, 0, 0),
        row(4, Arrived, 0, 1, 1),
        row(4, Arrived, 0, 2, 2),
        row(5, Left, 2, 1, 1),
        row(9, Left, 2, 2, 0),
    ]
}

fn watched(from: u64, part: u64, end: u64) -> WatchedQueue {
    let mut watch = QueueWatch::new(&line(), 1, SimTime(from * T / 2), Picos(part * T / 2));
    let mut filter = TraceFilter::none();
    watch.widen(&mut filter);
    let keeps =
        |direction| filter.keeps(SimTime::ZERO, 0, direction, hopflow_network::CellKind::Data);
    assert!((0..4).all(keeps));
    let rows = rows();
    watch.take(&rows[..3]);
    watch.take(&rows[3..]);
    watch.finish(SimTime(end * T / 2))
}

/// Claim: of 12 half cell times the queue is empty for 2 + 3, holds 1 cell for 2 + 4 and 2 cells
/// for 1: mean (6 + 2) / 12. Lengths within the instant 4 have no duration. In parts of 5: 2 + 2
/// in the first (from 2 to 4: 1 each, from 4 to 5: 2), 4 in the second, 0 in the truncated last.
#[test]
fn a_queue_is_weighed_over_time() {
    let seen = watched(0, 5, 12);
    let lengths = seen.lengths.unwrap();
    let shares: Vec<f64> = lengths.shares.iter().map(|share| (share * 12.0).round()).collect();
    assert_eq!((shares, lengths.max_packets, lengths.p99_packets), (vec![5.0, 6.0, 1.0], 2, 2));
    assert!((lengths.mean_packets - 8.0 / 12.0).abs() < 1e-12);
    assert_eq!(seen.values, [4.0 / 5.0, 4.0 / 5.0, 0.0]);
}

/// Claim: a warm-up up to 5 excludes the two cells from the distribution, but not from the curve;
/// with a warm-up of the whole run there is no distribution.
#[test]
fn a_warm_up_is_left_out_of_the_distribution() {
    let seen = watched(5, 5, 12);
    let lengths = seen.lengths.unwrap();
    assert_eq!(lengths.max_packets, 1);
    assert!((lengths.mean_packets - 4.0 / 7.0).abs() < 1e-12);
    assert_eq!(seen.values, watched(0, 5, 12).values);
    assert_eq!(watched(12, 5, 12).lengths, None);
}
