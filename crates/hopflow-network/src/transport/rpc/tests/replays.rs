//! Claims about replay.

use super::*;

fn recorded(micros: u64, procedure: Procedure, data: u32) -> RecordedCall {
    RecordedCall { at: Picos(micros * MICRO), procedure, data }
}

/// Claim (by hand): calls are made at their recorded instants, whether replies arrive or not; with
/// at most one outstanding, at the later of that instant and the previous reply. LOOKUP takes
/// 20.296 us (see `calls.rs`), GETATTR 20.252 us; WRITE of 1,000 bytes: 28 + 116 + 1,000 and 124
/// bytes, 21.268 us.
#[test]
fn calls_come_as_recorded() {
    let calls = vec![
        recorded(5, Procedure::Lookup, 0),
        recorded(5, Procedure::GetAttributes, 0),
        recorded(100, Procedure::Write, 1_000),
    ];
    for (outstanding, second) in [(2, 5_000), (1, 25_296)] {
        let replay = ReplaySpec { calls: calls.clone(), outstanding };
        let mut rig = lossless(&of(Workload::Replay(replay)));
        assert!(rig.run(SimTime::NEVER));
        let sent: Vec<_> = rig.directions[0].sent.iter().map(|(at, _)| at.0 / 1_000).collect();
        assert_eq!(sent, [5_000, second, 100_000]);
        assert_eq!(rig.replies.last(), Some(&SimTime(121_268_000)));
        let counters = rig.client.counters();
        assert_eq!((counters.read_bytes, counters.written_bytes), (0, 1_000));
    }
}

/// Claim: a record is relative to the client's start, and an empty one calls nothing.
#[test]
fn a_record_begins_with_the_start() {
    let replay = ReplaySpec { calls: vec![recorded(5, Procedure::Read, 1)], outstanding: 1 };
    let spec = of(Workload::Replay(replay));
    let start = SimTime(7 * MICRO);
    let client = Client::new(&spec, "c", start, SimTime::NEVER, 1);
    assert_eq!(client.timer(), Some(start + Picos(5 * MICRO)));
    let empty = of(Workload::Replay(ReplaySpec { calls: Vec::new(), outstanding: 1 }));
    assert_eq!(pair(&empty, 1).0.timer(), None);
}

/// Claim: a record whose instants decrease is a bug in the caller.
#[test]
#[should_panic(expected = "does not run backwards")]
fn a_record_that_runs_backwards_is_refused() {
    let calls = vec![recorded(5, Procedure::Read, 1), recorded(4, Procedure::Read, 1)];
    let _ = pair(&of(Workload::Replay(ReplaySpec { calls, outstanding: 1 })), 1);
}
