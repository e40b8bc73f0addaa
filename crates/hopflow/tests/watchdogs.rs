//! What random networks reach: watchdogs of PFC that look at times, restore and forward.

use hopflow::control::lane::{PauseSpec, WatchdogAction};
use hopflow::engine::{ReferenceEngine, WindowedEngine};
use hopflow::network::{Engine, LaneRule, NetworkSpec, RunCounters, TraceFilter};
use hopflow::units::SimTime;
use hopflow_testing::{random_network, with_watchdogs};

/// The watchdogs that are not ideal timers.
fn watchdogs(spec: &mut NetworkSpec) -> impl Iterator<Item = &mut PauseSpec> {
    let directions = spec.links.iter_mut().flat_map(|link| &mut link.directions);
    let pauses = directions.filter_map(|direction| match &mut direction.lanes.as_mut()?.rule {
        LaneRule::Pause(pause) => Some(pause),
        _ => None,
    });
    pauses.filter(|pause| pause.watchdog.is_some() && !pause.watching.is_plain())
}

/// The counters of a run, the same in both engines and on two threads.
fn counters(spec: &NetworkSpec) -> RunCounters {
    let none = TraceFilter::none;
    let mut engines: [Box<dyn Engine>; 3] = [
        Box::new(ReferenceEngine::new(spec, none())),
        Box::new(WindowedEngine::new(spec, none(), 1)),
        Box::new(WindowedEngine::new(spec, none(), 2)),
    ];
    let [reference, alone, shared] = engines.each_mut().map(|engine| {
        engine.run_until(SimTime(spec.duration.0));
        engine.counters()
    });
    assert_eq!(reference, alone);
    assert_eq!(alone, shared);
    alone
}

/// Claim: watchdogs of random networks act, each kind in several networks: those that poll and
/// those that do not, that restore and that do not, that drop and that forward. One acts if the run
/// without it has other counters. Both engines agree on all of them, on two threads as well.
#[test]
fn watchdogs_of_random_networks_act() {
    let kinds = |pause: &PauseSpec| {
        let watching = pause.watching;
        [
            usize::from(watching.poll.0 > 0),
            2 + usize::from(watching.restore.is_some()),
            4 + usize::from(watching.action == WatchdogAction::Forward),
        ]
    };
    let (mut drawn, mut acted) = ([0; 6], [0; 6]);
    for seed in 0..600 {
        let mut spec = with_watchdogs(random_network(seed), seed);
        let count = watchdogs(&mut spec).count();
        if count == 0 {
            continue;
        }
        let whole = counters(&spec);
        for index in 0..count {
            let mut without = spec.clone();
            let pause = watchdogs(&mut without).nth(index).expect("it is one of them");
            let kinds = kinds(pause);
            pause.watchdog = None;
            let acts = usize::from(counters(&without) != whole);
            for kind in kinds {
                drawn[kind] += 1;
                acted[kind] += acts;
            }
        }
    }
    assert!(acted.iter().all(|count| *count >= 10), "{acted:?} of {drawn:?}");
}
