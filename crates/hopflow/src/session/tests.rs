//! A session gives what a run gives, wherever its steps end.

use std::num::NonZeroUsize;

use hopflow_network::{DirectionId, NetworkSpec, TraceFilter};
use hopflow_record::RecordSpec;
use hopflow_testing::random_network;
use hopflow_units::{Picos, SimTime};
use proptest::prelude::*;

use super::{Rest, Session};
use crate::{RunOptions, run_network};

fn everything(network: &NetworkSpec) -> RecordSpec {
    let directions: Vec<DirectionId> = (0..network.direction_count()).map(DirectionId).collect();
    RecordSpec {
        throughput: directions.clone(),
        queues: (0..network.nodes.len()).collect(),
        credits: directions,
        trace: TraceFilter::all(network.vcs.len(), network.direction_count()),
        ..RecordSpec::default()
    }
}

/// Claim: more threads than there can be are as many as there are nodes, not an abort.
#[test]
fn threads_without_end_run() {
    let network = random_network(7);
    let digest = |threads| {
        let options = RunOptions { threads, ..RunOptions::default() };
        let run = run_network(&network, &RecordSpec::default(), &options, &mut |_| ());
        run.expect("it runs").digest
    };
    assert_eq!(digest(NonZeroUsize::MAX), digest(NonZeroUsize::MIN));
}

/// Claim: the steps of a run, and so the number of times that its windows are cut, are a function
/// of the network: at any speed they end at the same instants, and none but the last is shorter
/// than a window of the engine.
#[test]
fn steps_are_those_of_the_network() {
    for seed in 0..12 {
        let network = random_network(seed);
        let ends = || {
            let (options, record) = (RunOptions::default(), RecordSpec::default());
            let mut session = Session::of_network(&network, None, &record, &options, Rest::Waits)
                .expect("it runs");
            let window = session.forward.engine.window();
            let mut ends = Vec::new();
            while !session.is_over() {
                let before = session.now();
                session.advance(&mut |_| ());
                let went = Picos(session.now().0 - before.0);
                assert!(went >= window || session.is_over(), "{went:?} < {window:?}");
                ends.push(session.now());
            }
            ends
        };
        assert_eq!(ends(), ends(), "seed {seed}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Claim: steps of any lengths, then those that the session chooses, with a warm-up anywhere,
    /// give the digest, counters, series and rows of one run to the end, row for row.
    #[test]
    fn steps_change_nothing(
        seed in any::<u64>(),
        parts in prop::collection::vec(1_u64..1000, 1..12),
        warm_up in 0_u64..1000,
    ) {
        let network = random_network(seed);
        let record = everything(&network);
        let duration = u128::from(network.duration.0);
        let part = |share: u64| Picos((duration * u128::from(share) / 1000) as u64);
        let warm_up = Some(part(warm_up));
        let options = RunOptions { warm_up, keep_trace: true, ..RunOptions::default() };
        let whole = run_network(&network, &record, &options, &mut |_| ()).expect("it runs");
        let mut session =
            Session::of_network(&network, None, &record, &options, Rest::Waits).expect("it runs");
        let mut rows = Vec::new();
        for share in parts {
            let until = session.now().saturating_add(part(share));
            session.step(until, &mut |new| rows.extend_from_slice(new));
            prop_assert_eq!(session.now(), until.min(session.end()));
            prop_assert!(rows.iter().all(|row| row.time < until));
        }
        while !session.is_over() {
            let before = session.now();
            session.advance(&mut |new| rows.extend_from_slice(new));
            prop_assert!(session.now() > before, "it goes on");
        }
        session.step(SimTime::NEVER, &mut |new| rows.extend_from_slice(new));
        prop_assert!(session.is_over());
        let (result, _) = session.finish();
        prop_assert_eq!(result.digest, whole.digest);
        prop_assert!(result.counters == whole.counters, "counters");
        prop_assert!(result.measured == whole.measured, "counters after the warm-up");
        prop_assert!(result.series == whole.series, "series");
        prop_assert!(rows == whole.trace, "rows");
        prop_assert!(result.trace == whole.trace, "trace");
    }
}
