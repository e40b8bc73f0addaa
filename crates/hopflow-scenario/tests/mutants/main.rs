//! A seeded mutator: broken files of every sort are refused with a place and a code, or taken, and
//! then they run for a while; they never panic, and never take long.
//!
//! `HOPFLOW_MUTANTS` sets how many (20,000 without it), `HOPFLOW_MUTANT` runs that one alone.

use hopflow_engine::WindowedEngine;
use hopflow_network::{Engine, NetworkSpec, SourceSpec, TraceFilter, VcSpec};
use hopflow_scenario::{Diagnostic, Scenario};
use hopflow_units::{Rate, SimTime};

use breaking::mutant;
use seeds::{seeds, traffic};

mod breaking;
mod seeds;
mod words;

fn check(text: &str, diagnostic: &Diagnostic) {
    assert!(!diagnostic.message.is_empty(), "{} says nothing", diagnostic.code);
    assert!(!diagnostic.labels.is_empty(), "{} points nowhere", diagnostic.code);
    for label in &diagnostic.labels {
        assert!(text.get(label.span.clone()).is_some(), "{} points outside", diagnostic.code);
    }
}

/// The start of a run, as long as the engine is small and events are few.
fn simulate(network: &NetworkSpec) {
    let hops: usize = network.vcs.iter().map(|vc| vc.hops.len()).sum();
    if network.nodes.len() > 200 || hops > 1_000 {
        return;
    }
    let gap = |vc: &VcSpec| {
        let at = |rate: Rate| 8 * vc.traffic.size.least().0 * 1_000_000_000_000 / rate.bps();
        match &*vc.source {
            SourceSpec::Poisson { gap } | SourceSpec::Phased { gap } => gap.0,
            SourceSpec::Train { spacing, .. } => spacing.0,
            SourceSpec::Constant { rate } => at(*rate),
            SourceSpec::Alternating { low, high, .. } => (*low).max(*high).map_or(u64::MAX, at),
            _ => u64::MAX,
        }
    };
    let links = network.least_transmit_times().into_iter().map(|time| time.0);
    let least = network.vcs.iter().map(gap).chain(links).min().unwrap_or(1).max(1);
    let mut engine = WindowedEngine::new(network, TraceFilter::default(), 1);
    engine.run_until(SimTime(least.saturating_mul(300).min(network.duration.0)));
    engine.counters();
}

/// Runs one mutant. Whether it was taken.
fn run(text: &str) -> bool {
    let trace = |path: &str| match path {
        "trace.csv" => Ok(b"time_cells\n0\n1.5\n2\n".to_vec()),
        _ => Err("there are no files here".to_owned()),
    };
    match Scenario::from_toml_with(text, "mutant.toml", &trace) {
        Ok(scenario) => {
            simulate(&scenario.network);
            scenario.warnings.iter().for_each(|warning| check(text, warning));
            // A mutant may have a million flows, whose JSON takes gigabytes.
            if scenario.network.vcs.len() <= 10_000 {
                assert_eq!(scenario.resolved(), scenario.resolved());
            }
            true
        }
        Err(diagnostics) => {
            diagnostics.items.iter().for_each(|item| check(text, item));
            assert!(diagnostics.to_string().contains("error[HF"), "a refusal has a code");
            false
        }
    }
}

/// Claim: what is broken here is whole to begin with, and runs.
#[test]
fn the_seeds_are_taken() {
    for text in traffic() {
        let scenario = Scenario::from_toml(&text, "seed.toml");
        simulate(&scenario.unwrap_or_else(|wrong| panic!("{wrong}\nin {text}")).network);
    }
}

/// Claim: no broken file makes the reader panic, and both outcomes occur. A mutant that fails
/// is named, so that `HOPFLOW_MUTANT=N cargo test -p hopflow-scenario mutants` replays it.
#[test]
fn mutants_are_taken_or_refused() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seeds = seeds();
    if let Some(one) = number("HOPFLOW_MUTANT") {
        let text = mutant(one, &seeds);
        println!("{text}");
        run(&text);
        return;
    }
    let count = number("HOPFLOW_MUTANTS").unwrap_or(20_000);
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let taken: u64 = std::thread::scope(|scope| {
        let seeds = &seeds;
        let worker = |first: u64| {
            scope.spawn(move || {
                let mut taken = 0;
                for number in (first..count).step_by(threads as usize) {
                    let text = mutant(number, seeds);
                    let outcome = std::panic::catch_unwind(|| run(&text));
                    let Ok(fine) = outcome else { panic!("mutant {number} failed:\n{text}") };
                    taken += u64::from(fine);
                }
                taken
            })
        };
        let workers: Vec<_> = (0..threads).map(worker).collect();
        workers.into_iter().map(|worker| worker.join().expect("no mutant failed")).sum()
    });
    assert!(taken > count / 50 && taken < count / 2, "{taken} of {count} mutants were taken");
}
