//! Series computed by hand from artificial rows.

use hopflow_network::{CellKind, DirectionId, TraceEvent, TraceRow};
use hopflow_units::{Picos, SimTime};

use super::Recorder;
use crate::fixture::{T, fork, line, row};
use crate::{Quantity, RecordSpec, Series, Shape};

use TraceEvent::{Arrived, Born, Dropped, Left, Started};

/// Whether the engine is to report data cells of VC 0 on this direction.
fn keeps(recorder: &Recorder, direction: u32) -> bool {
    recorder.filter().keeps(SimTime::ZERO, 0, direction, CellKind::Data)
}

fn control(when: u64, direction: u32, event: TraceEvent, credit: u32) -> TraceRow {
    TraceRow { kind: CellKind::Credit, credit, ..row(when, event, direction, 0, 0) }
}

fn named<'a>(series: &'a [Series], name: &str) -> &'a Series {
    series.iter().find(|s| s.name == name).unwrap_or_else(|| panic!("no series `{name}`"))
}

/// Points as (half cell times, value).
fn points(series: &Series) -> Vec<(u64, f64)> {
    series.points.iter().map(|p| (p.time.0 * 2 / T, p.value)).collect()
}

/// Claim: a cell counts in every window for its time there, and the end truncates both the last
/// window and the last cell. Windows of 2.5 T; cells at 0, T, 2 T and 5.5 T, a credit at
/// 4 T, end at 6 T: [0, 2.5) is full; [2.5, 5) has half a cell and a credit; [5, 6) half a cell.
#[test]
fn throughput_is_the_share_of_time_spent_sending() {
    let network = line();
    let window = Some(Picos(5 * T / 2));
    let spec = RecordSpec { window, throughput: vec![DirectionId(0)], ..RecordSpec::default() };
    let mut recorder = Recorder::new(&network, &spec);
    assert!(keeps(&recorder, 0) && !keeps(&recorder, 2));
    recorder.take(&[
        row(0, Started, 0, 0, 1),
        row(2, Left, 0, 0, 0),
        row(2, Started, 0, 1, 1),
        row(4, Started, 0, 2, 1),
        control(8, 0, Started, 0),
        row(11, Started, 0, 3, 1),
    ]);
    let series = recorder.finish(SimTime(6 * T));
    let names: Vec<&str> = series.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["VC1 on A->S", "credits on A->S", "everything on A->S"]);
    assert_eq!(points(&series[0]), [(0, 1.0), (5, 0.2), (10, 0.5)]);
    assert_eq!(points(&series[1]), [(0, 0.0), (5, 0.4), (10, 0.0)]);
    assert_eq!(points(&series[2]), [(0, 1.0), (5, 0.6), (10, 0.5)]);
    assert!((series[2].in_bps().unwrap()[1].value - 0.6 * 424e6).abs() < 1.0);
}

/// Claim: the window is 25 cell times if none is named, and a link that is never idle has exactly 1
/// in every window, also in the truncated last one.
#[test]
fn a_link_that_never_rests_shows_one() {
    let spec = RecordSpec { throughput: vec![DirectionId(0); 2], ..RecordSpec::default() };
    let mut recorder = Recorder::new(&line(), &spec);
    let rows: Vec<TraceRow> = (0..60).map(|n| row(2 * n + 1, Started, 0, n as u32, 1)).collect();
    recorder.take(&rows);
    let series = recorder.finish(SimTime(60 * T));
    assert_eq!(series.len(), 3, "what is named twice is kept once");
    let all = named(&series, "everything on A->S");
    assert_eq!(all.shape, Shape::Window(Picos(25 * T)));
    assert_eq!(points(all), [(0, 24.5 / 25.0), (50, 1.0), (100, 1.0)]);
}

/// Claim: the last change at an instant counts, and an unchanged value adds no point.
/// At T a cell leaves as the next arrives: the queue stays at 1.
#[test]
fn a_queue_is_read_after_the_last_change_of_an_instant() {
    let spec = RecordSpec { queues: vec![1, 1], ..RecordSpec::default() };
    let mut recorder = Recorder::new(&line(), &spec);
    assert!((0..4).all(|direction| keeps(&recorder, direction)));
    recorder.take(&[
        row(2, Arrived, 0, 0, 1),
        row(2, Started, 2, 0, 1),
        row(4, Left, 2, 0, 0),
        row(4, Arrived, 0, 1, 1),
        row(4, Started, 2, 1, 1),
        row(5, Arrived, 0, 2, 2),
        row(6, Arrived, 2, 0, 0),
        row(6, Left, 2, 1, 1),
        row(6, Started, 2, 2, 1),
        row(8, Left, 2, 2, 0),
    ]);
    let series = recorder.finish(SimTime(10 * T));
    assert_eq!(series.len(), 2);
    let queue = named(&series, "queue of VC1 at S");
    assert_eq!(points(queue), [(0, 0.0), (2, 1.0), (5, 2.0), (6, 1.0), (8, 0.0)]);
    assert_eq!(points(named(&series, "all queues at S")), points(queue));
    // Over 10 T: 1 for 1.5 T, 2 for 0.5 T, 1 for T: 3.5 / 10.
    assert_eq!(queue.mean(queue.whole()), Some(0.35));
}

/// Claim: the cells of a multicast VC at a node are the queue of its slowest branch; a cell given
/// up by a branch leaves its queue, a cell dropped at the far end does not.
#[test]
fn a_multicast_queue_is_its_slowest_branch() {
    let spec = RecordSpec { queues: vec![1], ..RecordSpec::default() };
    let mut recorder = Recorder::new(&fork(), &spec);
    recorder.take(&[
        row(2, Arrived, 0, 0, 1),
        row(2, Started, 2, 0, 1),
        row(4, Left, 2, 0, 0),
        row(4, Arrived, 0, 1, 2),
        row(4, Started, 2, 1, 1),
        row(6, Left, 2, 1, 0),
        // This cell was dropped at the far end of the first branch: S does not hold it.
        row(7, Dropped, 2, 1, 9),
        // The second branch gives up cell 0, then sends cell 1.
        row(8, Dropped, 4, 0, 1),
        row(9, Started, 4, 1, 1),
        row(11, Left, 4, 1, 0),
    ]);
    let series = recorder.finish(SimTime(10 * T));
    let queue = named(&series, "queue of VC1 at S");
    assert_eq!(points(queue), [(0, 0.0), (2, 1.0), (4, 2.0), (8, 1.0), (11, 0.0)]);
}

/// Claim: a credit count begins at N2 + N3 = 5, decreases with each start and is set by each
/// credit; at one instant the start after the credit counts.
#[test]
fn a_credit_count_follows_starts_and_credits() {
    let spec = RecordSpec { credits: vec![DirectionId(0)], ..RecordSpec::default() };
    let mut recorder = Recorder::new(&line(), &spec);
    assert!(keeps(&recorder, 1) && !keeps(&recorder, 2));
    let started = |when, credit| TraceRow { credit, ..row(when, Started, 0, 0, 1) };
    recorder.take(&[
        started(2, 4),
        started(4, 3),
        control(5, 1, Started, 0),
        control(6, 1, Arrived, 5),
        started(6, 4),
        started(8, u32::MAX),
    ]);
    let series = recorder.finish(SimTime(10 * T));
    assert_eq!(points(&series[0]), [(0, 5.0), (2, 4.0), (4, 3.0), (6, 4.0)]);
    assert_eq!((series[0].quantity, series[0].node.as_deref()), (Quantity::Credit, Some("A")));
}

/// Claim: the delay of a cell is counted from its own birth, also after lost cells and after the
/// wrap of sequence numbers at 2^28; each final host has a separate series.
#[test]
fn a_delay_runs_from_the_cells_own_birth() {
    let spec = RecordSpec { delays: vec![0], ..RecordSpec::default() };
    let mut recorder = Recorder::new(&fork(), &spec);
    let last = (1 << 28) - 1;
    recorder.take(&[
        row(0, Born, 0, last - 1, 1),
        row(2, Born, 0, last, 1),
        row(4, Arrived, 0, last - 1, 1),
        row(6, Born, 0, 0, 1),
        row(8, Arrived, 2, last - 1, 0),
        row(12, Arrived, 2, 0, 0),
        row(13, Arrived, 4, last, 0),
        row(14, Arrived, 4, 0, 0),
    ]);
    assert!(recorder.delays[0].births_kept() == 0, "births past every branch are forgotten");
    let series = recorder.finish(SimTime(10 * T));
    let cell = T as f64 / 2.0;
    assert_eq!(points(named(&series, "delay of VC1 to B")), [(8, 8.0 * cell), (12, 6.0 * cell)]);
    assert_eq!(points(named(&series, "delay of VC1 to C")), [(13, 11.0 * cell), (14, 8.0 * cell)]);
}

/// Claim: the division of the rows into slices does not affect the series.
#[test]
fn slices_of_any_size_give_the_same_series() {
    let spec = RecordSpec {
        throughput: vec![DirectionId(0), DirectionId(2)],
        queues: vec![0, 1],
        delays: vec![0],
        ..RecordSpec::default()
    };
    let rows: Vec<TraceRow> = (0..40_u32)
        .flat_map(|n| {
            let when = u64::from(n) * 2;
            [
                row(when, Born, 0, n, 1),
                row(when, Started, 0, n, 1),
                row(when + 2, Left, 0, n, 0),
                row(when + 2, Arrived, 0, n, 1),
            ]
        })
        .collect();
    let run = |size: usize| {
        let mut recorder = Recorder::new(&line(), &spec);
        rows.chunks(size).for_each(|slice| recorder.take(slice));
        recorder.finish(SimTime(50 * T))
    };
    let whole = run(rows.len());
    assert!((1..9).all(|size| run(size) == whole));
}
