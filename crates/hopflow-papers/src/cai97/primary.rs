//! Tables 1 to 3 by their primary readings: one run of each row, with the settings on which two
//! readers of the paper agree (`papers/cai97/primary.toml`). Source: [Cai97] 2, 3, 4.
//!
//! | of                | setting                                                              |
//! |-------------------|----------------------------------------------------------------------|
//! | averaging         | 5 ms                                                                 |
//! | below its share   | a VC rises to its share first                                        |
//! | highest rate      | the target                                                           |
//! | rate of a VC      | CCR of its RM cells; with VS/VD counted over intervals               |
//! | queue of a switch | the port toward the destinations; with VS/VD the largest of one VC   |
//!
//! The readers differ in LINK2 of configuration 3, so of that configuration one number alone has a
//! primary reading. Differs: the class queue of a port with virtual sources has no maximum of its
//! own; that of a VC includes its cells in the class queue.

use super::network::{SOURCES, VIRTUAL, file, most, most_of_one, variant};
use crate::observe::{greatest, least};
use crate::{Measured, Run, Runs, ScenarioText};

const NAME: &str = "primary";
const INTERVAL_MS: u32 = 5;
const BOTH: [bool; 2] = [false, true];
const CAP: (&str, &str) = ("cap = \"link\"", "cap = \"target\"");
/// The rate of a VC is measured over intervals, not between its RM cells.
const MEASURED: (&str, &str) = (VIRTUAL, ", vs-vd = true, vc-rate = \"measured\"");
/// The link of the port toward the destinations, by configuration and switch.
const PORTS: [&[&str]; 3] =
    [&["SW1->SW2", "SW2->SW3"], &["SW1->SW2", "SW2->SW3", "SW3->SW4"], &["SW1->SW2", "SW2->SW3"]];

/// Configurations 1 and 2 with virtual sources and without, 3 without.
pub(super) fn scenarios() -> Vec<ScenarioText> {
    let row = |conf: u32, virtual_source: bool| {
        let edits = if virtual_source { &[CAP, MEASURED][..] } else { &[CAP][..] };
        variant(conf, virtual_source, INTERVAL_MS, NAME, edits)
    };
    let both = (1..=2).flat_map(|conf| BOTH.map(|virtual_source| row(conf, virtual_source)));
    both.chain([row(3, false)]).collect()
}

/// The claims of a configuration.
pub(super) fn claims(measured: &mut Measured, runs: &Runs, conf: u32) {
    let id = |name: &str| format!("table{conf}.primary.{name}");
    let queue = |run: &Run, port: &str| {
        f64::from(run.counters.directions[run.direction(port).0].queue_max_packets)
    };
    let without = runs.one(&file(conf, false, NAME));
    if conf == 3 {
        measured.claim(id("without.sw2"), queue(without, PORTS[2][1]));
        return;
    }
    let with = runs.one(&file(conf, true, NAME));
    for (number, port) in (1..).zip(PORTS[conf as usize - 1]) {
        measured.claim(id(&format!("without.sw{number}")), queue(without, port));
        let one = most_of_one(with, &format!("SW{number}"));
        measured.claim(id(&format!("with.sw{number}")), one);
    }
    let waits = |run: &Run| SOURCES.map(|source| most(run, source));
    measured.claim(id("without.source"), greatest(waits(without)));
    measured.claim(id("with.source_least"), least(waits(with)));
    measured.claim(id("with.source_most"), greatest(waits(with)));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: five rows, each with the settings of the table above.
    #[test]
    fn rows_have_the_settings_of_the_readers() {
        let all = scenarios();
        assert_eq!(all.len(), 5);
        for row in &all {
            for setting in ["interval = \"5 ms\"", "hold-at-share = true", "cap = \"target\""] {
                assert!(row.text.contains(setting), "{}", row.file);
            }
            let virtual_source = !row.file.contains("without");
            assert_eq!(row.text.contains("vs-vd = true, vc-rate = \"measured\""), virtual_source);
            assert_eq!(row.text.contains("vs-vd"), virtual_source, "{}", row.file);
        }
    }
}
