//! One digest for one workload: in both engines, on 1, 2, 3 and 4 threads, in every build.
//!
//! `benches/pins/digests.txt` pins the digests of all workloads at their small size, one line each:
//! name, data cells, digest. The tests compare a debug build with them, `--digests` compares the
//! release build, so both are compared with each other. A digest changes only with the model:
//! `--digests --renew` rewrites the file, and its commit must state what changed and why.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_network::{Engine, NetworkSpec, TraceFilter};
use hopflow_record::{Reading, Together};
use hopflow_units::SimTime;

use crate::workloads::{self, Workload};

const THREADS: [usize; 4] = [1, 2, 3, 4];

/// The digest of a network, if all executors agree.
pub(crate) fn of(name: &str, spec: &NetworkSpec) -> Result<u64, String> {
    let digest = |mut engine: Box<dyn Engine>| {
        engine.run_until(SimTime(spec.duration.0));
        Together::read(&Reading::new(spec, None, &*engine)).digest()
    };
    let none = TraceFilter::none;
    let expected = digest(Box::new(ReferenceEngine::new(spec, none())));
    for threads in THREADS {
        let found = digest(Box::new(WindowedEngine::new(spec, none(), threads)));
        if found != expected {
            return Err(format!(
                "{name}: the digest is {found:016x} on {threads} threads, {expected:016x} in the \
                 reference engine"
            ));
        }
    }
    Ok(expected)
}

/// Compares all workloads with their pins, or renews these.
pub(crate) fn run(renew: bool) -> Result<(), String> {
    let found = lines(workloads::ALL)?;
    if !renew {
        return compare(&found);
    }
    std::fs::write(path(), found)
        .map_err(|cause| format!("the pins cannot be written: {cause}"))?;
    eprintln!(
        "benches/pins/digests.txt is written. A digest that changed means that the same scenario \
         now gives another run: say in the commit what changed in the model, and why."
    );
    Ok(())
}

/// The lines of the file for these workloads, computed on all cores.
fn lines(workloads: &[Workload]) -> Result<String, String> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut lines = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(workload) = workloads.get(index) else { return Ok(lines) };
            let Workload { name, small_size, .. } = workload;
            let digest = of(name, &workload.small_network())?;
            lines.push((index, format!("{name} {small_size} {digest:016x}\n")));
        }
    };
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let found: Result<Vec<Vec<(usize, String)>>, String> = thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        let ends = workers.into_iter().map(|worker| worker.join().expect("a digest never panics"));
        ends.collect()
    });
    let mut lines = found?.concat();
    lines.sort();
    Ok(lines.into_iter().map(|(_, line)| line).collect())
}

fn compare(found: &str) -> Result<(), String> {
    let pinned = std::fs::read_to_string(path())
        .map_err(|cause| format!("benches/pins/digests.txt cannot be read: {cause}"))?;
    let unlike: Vec<String> = found
        .lines()
        .filter(|line| !pinned.lines().any(|pin| pin == *line))
        .map(|line| {
            let name = line.split(' ').next().unwrap_or(line);
            let pin = pinned.lines().find(|pin| pin.split(' ').next() == Some(name));
            format!("  found  {line}\n  pinned {}", pin.unwrap_or("nothing"))
        })
        .collect();
    if unlike.is_empty() {
        return Ok(());
    }
    Err(format!(
        "digests differ from benches/pins/digests.txt (name, cells, digest):\n{}\n\
         If the model was meant to change: `cargo xtask bench --digests --renew`, and say why in \
         the commit.",
        unlike.join("\n")
    ))
}

fn path() -> PathBuf {
    crate::root().join("benches/pins/digests.txt")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: every workload has one digest, the pinned one, in both engines and on 1 to 4 threads.
    #[test]
    fn every_workload_has_its_digest() {
        compare(&lines(workloads::ALL).unwrap()).unwrap();
    }

    /// Claim: the file pins all workloads and nothing else, in their order.
    #[test]
    fn the_pins_are_those_of_the_workloads() {
        let pinned = std::fs::read_to_string(path()).unwrap();
        let names: Vec<&str> = pinned.lines().map(|line| line.split(' ').next().unwrap()).collect();
        let all: Vec<&str> = workloads::ALL.iter().map(|workload| workload.name).collect();
        assert_eq!(names, all);
    }
}
