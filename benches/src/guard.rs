//! The regression guard: instructions per cell-hop of fourteen workloads against their pins.
//!
//! `benches/pins/instructions.txt` has the pins, one line each: name, instructions per cell-hop.
//! More than 3 % above a pin fails; `cargo xtask guard --renew` moves the pin, in a commit of its
//! own that states what the instructions buy. More than 10 % below is reported, so that the pin
//! follows. Counts apply to the pinned toolchain, profile `guard`, x86-64-v3, which `cargo xtask
//! guard` builds.

use std::fmt::Write;
use std::path::PathBuf;

use crate::instructions;
use crate::workloads;

/// The general path under N23, on one VC and on many nodes; plain FIFO; ABR; VirtualClock; limits
/// and marks that are reached, and that are not; DCTCP; the lanes of PFC and CBFC; VirtualClock and
/// ATS of many flows; VCs that are rarely used, and the set-up of VCs.
const GUARDED: [&str; 14] = [
    "tandem-n23",
    "fabric-n23",
    "many-flows-fifo",
    "tandem-abr",
    "test-one",
    "fabric-buffer",
    "fabric-buffer-shift",
    "fabric-dctcp",
    "fabric-pfc",
    "fabric-cbfc",
    "fabric-virtual-clock",
    "fabric-ats",
    "mostly-idle-n23",
    "set-up",
];
const FAILS_ABOVE: f64 = 1.03;
const RENEW_BELOW: f64 = 0.90;

/// Compares them with their pins, or renews these.
pub(crate) fn run(renew: bool) -> Result<(), String> {
    let mut counts = Vec::new();
    for name in GUARDED {
        let workload = workloads::named(name).expect("the guarded workloads are in the table");
        counts.push((name, instructions::per_hop(workload)?));
    }
    if renew {
        let mut text = String::new();
        for (name, count) in counts {
            writeln!(text, "{name} {count:.1}").expect("a string takes it all");
        }
        let written = std::fs::write(path(), text);
        written.map_err(|cause| format!("the pins cannot be written: {cause}"))?;
        eprintln!(
            "benches/pins/instructions.txt is written: commit it alone, with the reason for what \
             became more expensive."
        );
        return Ok(());
    }
    let pins = std::fs::read_to_string(path());
    let pins = pins.map_err(|cause| format!("no benches/pins/instructions.txt: {cause}"))?;
    let verdict = judge(&counts, &pins)?;
    println!("{}", verdict.table);
    verdict.outcome
}

/// The report, and whether it passes.
#[derive(Debug)]
struct Verdict {
    table: String,
    outcome: Result<(), String>,
}

fn judge(counts: &[(&str, f64)], pins: &str) -> Result<Verdict, String> {
    let mut table = String::from("| workload | instructions per cell-hop | pinned | change |\n");
    table += "|---|---:|---:|---:|\n";
    let (mut dearer, mut cheaper) = (Vec::new(), false);
    for &(name, count) in counts {
        let line = pins.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let pin = line.and_then(|pin| pin.trim().parse::<f64>().ok());
        let pin = pin.ok_or_else(|| format!("benches/pins/instructions.txt has no `{name}`"))?;
        let change = (count / pin - 1.0) * 100.0;
        writeln!(table, "| {name} | {count:.1} | {pin:.1} | {change:+.1} % |").expect("a string");
        if count > pin * FAILS_ABOVE {
            dearer.push(name);
        }
        cheaper |= count < pin * RENEW_BELOW;
    }
    if cheaper {
        table +=
            "\nA pin is more than 10 % too high and guards nothing: `cargo xtask guard --renew`.\n";
    }
    let outcome = if dearer.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "more than 3 % above the pin: {}.\nFind what became more expensive (`valgrind \
             --tool=callgrind`), or, if it is worth it, `cargo xtask guard --renew` and commit \
             benches/pins/instructions.txt alone, with the reason.",
            dearer.join(", ")
        ))
    };
    Ok(Verdict { table, outcome })
}

fn path() -> PathBuf {
    crate::root().join("benches/pins/instructions.txt")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: 3 % above the pin is allowed, more fails and is named; 11 % below is reported and
    /// passes; a workload without a pin is an error.
    #[test]
    fn dearer_fails_and_cheaper_is_reported() {
        let pins = "a 100.0\nab 200.0\n";
        let good = judge(&[("a", 103.0), ("ab", 181.0)], pins).unwrap();
        assert_eq!(good.outcome, Ok(()));
        assert!(good.table.contains("| ab | 181.0 | 200.0 | -9.5 % |"), "{}", good.table);
        assert!(!good.table.contains("--renew"));
        let cheap = judge(&[("a", 89.0), ("ab", 200.0)], pins).unwrap();
        assert_eq!(cheap.outcome, Ok(()));
        assert!(cheap.table.contains("--renew"));
        let dear = judge(&[("a", 103.1), ("ab", 100.0)], pins).unwrap().outcome.unwrap_err();
        assert!(dear.starts_with("more than 3 % above the pin: a."), "{dear}");
        assert!(judge(&[("b", 1.0)], pins).is_err());
    }

    /// Claim: every guarded workload has a pin.
    #[test]
    fn the_pins_are_those_of_the_guarded() {
        let pins = std::fs::read_to_string(path()).unwrap();
        let names: Vec<&str> = pins.lines().filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(names, GUARDED);
    }
}
