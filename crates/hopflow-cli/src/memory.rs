//! Whether runs fit in memory: the estimate of their peak against what the machine has left, or
//! the group of processes that this one is in (a container).
//!
//! On systems that do not report the memory that is left, nothing is refused.

mod left;

use hopflow::{Scenario, memory_estimate};
use hopflow_scenario::Code;

use crate::fail::Fail;

/// The memory of runs is reported from this number of bytes on.
const WORTH_TELLING: u64 = 256 << 20;

/// Refuses runs that do not fit, unless `yes`; reports what they take, if that is much. `at_once`
/// runs of `scenario` hold memory together.
pub(crate) fn fits(
    file: &str,
    scenario: &Scenario,
    at_once: usize,
    yes: bool,
    quiet: bool,
) -> Result<(), Fail> {
    fits_in(left::left(), file, scenario, at_once, yes, quiet)
}

fn fits_in(
    left: Option<u64>,
    file: &str,
    scenario: &Scenario,
    at_once: usize,
    yes: bool,
    quiet: bool,
) -> Result<(), Fail> {
    let needed = memory_estimate(scenario, at_once > 1).saturating_mul(at_once as u64);
    if let Some(left) = left.filter(|left| needed > *left && !yes) {
        return Err(Fail::Input(refusal(file, scenario, at_once, needed, left)));
    }
    if needed >= WORTH_TELLING && !quiet {
        eprintln!("{}: about {} of memory", file, in_words(needed));
    }
    Ok(())
}

fn refusal(file: &str, scenario: &Scenario, at_once: usize, needed: u64, left: u64) -> String {
    let runs = if at_once > 1 { format!("{at_once} runs of it at once") } else { "a run".into() };
    let network = &scenario.network;
    format!(
        "{}: `{}` takes about {} of memory ({runs}; {} VCs, {} links), but only {} are left: give \
         it fewer VCs or shorter links, let fewer `--threads` run seeds and controls side by side, \
         or go on all the same with `--yes`",
        Code::NO_MEMORY,
        file,
        in_words(needed),
        network.vcs.len(),
        network.links.len(),
        in_words(left)
    )
}

/// `1.2 GB`: two digits or so, in powers of 1000.
pub(crate) fn in_words(bytes: u64) -> String {
    let units = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB")];
    let bytes = bytes as f64;
    let (unit, name) = units.into_iter().find(|unit| bytes >= unit.0).unwrap_or((1e6, "MB"));
    format!("{:.1} {name}", bytes / unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: sizes are shown in powers of 1000, with one digit behind the point.
    #[test]
    fn sizes_are_shown_in_words() {
        let shown = [0, 250_000, 12_340_000, 1_249_000_000, 3_000_000_000_000].map(in_words);
        assert_eq!(shown, ["0.0 MB", "0.2 MB", "12.3 MB", "1.2 GB", "3.0 TB"]);
    }

    /// Claim: what does not fit in what is left is refused, with the estimate, what is left and the
    /// ways out; ten at once are refused where one would fit; `--yes` goes on, and so does a
    /// system that does not tell what is left.
    #[test]
    fn what_does_not_fit_is_refused_unless_yes() {
        let text = include_str!("../../../examples/incast.toml");
        let scenario = Scenario::from_toml(text, "incast.toml").unwrap();
        let needed = memory_estimate(&scenario, false);
        let judge =
            |left, at_once, yes| fits_in(left, "incast.toml", &scenario, at_once, yes, true);
        assert!(judge(Some(needed), 1, false).is_ok());
        assert!(judge(None, 1, false).is_ok());
        assert!(judge(Some(needed - 1), 1, true).is_ok());
        for (left, at_once) in [(needed - 1, 1), (needed * 2, 10)] {
            let Err(Fail::Input(said)) = judge(Some(left), at_once, false) else {
                panic!("{left} bytes are too few");
            };
            for word in ["HF0016", "incast.toml", "MB of memory", &in_words(left), "--yes"] {
                assert!(said.contains(word), "{word}: {said}");
            }
            assert_eq!(said.contains("10 runs of it at once"), at_once == 10, "{said}");
        }
    }
}
