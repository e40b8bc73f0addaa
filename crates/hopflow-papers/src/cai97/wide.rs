//! Wider bands of Tables 1 to 3: three readings of ERICA+ over averaging intervals up to 60 ms, by
//! the queues of all VCs together and by the largest of one VC. A run has no chance, so there is
//! one of each; it lasts 10 s, see `readings.rs`.
//!
//! The third reading is *not held* with VCs counted by their contributions, and with loads averaged
//! as parts: options of ERICA+, see `docs/models/erica.md`.

use super::network::{SOURCES, file, most, most_of_one, switches, variant};
use super::readings::{HELD, MEASURED, SHORT};
use crate::observe::{greatest, least};
use crate::{Bands, Run, Runs, ScenarioText, Setting};

/// Averaging intervals, in ms.
const INTERVALS: [u32; 12] = [3, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 60];
const BOTH: [bool; 2] = [false, true];
const CAP: &str = "cap = \"link\"";
const COUNTED: (&str, &str) =
    (CAP, "cap = \"link\", active-count = \"contributions\", averaging = \"of-parts\"");

/// A reading: its words, its name in files, and what differs from the files of the paper; the last
/// with virtual sources alone.
struct Reading {
    words: &'static str,
    name: &'static str,
    edits: &'static [(&'static str, &'static str)],
    rate: Option<(&'static str, &'static str)>,
}

const READINGS: [Reading; 3] = [
    Reading { words: "held", name: "wide-held", edits: &[SHORT], rate: None },
    Reading {
        words: "not held",
        name: "wide-not-held",
        edits: &[(HELD, ""), SHORT],
        rate: Some(MEASURED),
    },
    Reading {
        words: "contributions",
        name: "wide-contributions",
        edits: &[(HELD, ""), SHORT, COUNTED],
        rate: Some(MEASURED),
    },
];

/// The queue of a switch.
type Queue = fn(&Run, &str) -> f64;
const QUEUES: [(&str, Queue); 2] = [("all VCs", most), ("one VC", most_of_one)];

/// The wider bands.
pub(super) const BANDS: Bands = Bands { scenarios, names, settings };

impl Reading {
    fn file(&self, conf: u32, virtual_source: bool, ms: u32) -> String {
        file(conf, virtual_source, &format!("{}-{ms}", self.name))
    }

    fn scenario(&self, conf: u32, virtual_source: bool, ms: u32) -> ScenarioText {
        let rate = self.rate.filter(|_| virtual_source);
        let edits: Vec<_> = self.edits.iter().copied().chain(rate).collect();
        variant(conf, virtual_source, ms, &format!("{}-{ms}", self.name), &edits)
    }
}

fn scenarios() -> Vec<ScenarioText> {
    let mut all = Vec::new();
    for (reading, conf) in READINGS.iter().flat_map(|reading| (1..=3).map(move |c| (reading, c))) {
        for virtual_source in BOTH {
            all.extend(INTERVALS.map(|ms| reading.scenario(conf, virtual_source, ms)));
        }
    }
    all
}

/// Reading, interval, and which queue of a switch.
type Free = (&'static Reading, u32, (&'static str, Queue));

fn free() -> impl Iterator<Item = Free> {
    let readings = READINGS.iter().flat_map(|one| INTERVALS.map(|ms| (one, ms)));
    readings.flat_map(|(one, ms)| QUEUES.map(|queue| (one, ms, queue)))
}

fn name((reading, ms, (queue, _)): &Free) -> String {
    format!("{}, {ms} ms, {queue}", reading.words)
}

fn names() -> Vec<String> {
    free().map(|of| name(&of)).collect()
}

fn settings(runs: &Runs) -> Vec<Setting> {
    let at = |of: Free| {
        let mut setting = Setting::new(name(&of));
        let (reading, ms, (_, queue)) = of;
        for (conf, virtual_source) in (1..=3).flat_map(|conf| BOTH.map(|row| (conf, row))) {
            let file = reading.file(conf, virtual_source, ms);
            for (claim, value) in row(conf, virtual_source, runs.one(&file), queue) {
                setting.add(claim, &file, value);
            }
        }
        setting
    };
    free().map(at).collect()
}

/// What a row of a table prints, by the claim on it: queues of switches, then of sources.
fn row(conf: u32, virtual_source: bool, run: &Run, queue: Queue) -> Vec<(String, f64)> {
    let name = if virtual_source { "with" } else { "without" };
    let id = |column: &str| format!("cai97.table{conf}.{name}.{column}");
    // The paper has no column for the last switch, which is behind the slow link.
    let count = switches(run).len() - 1;
    let switch = |number: usize| (id(&format!("sw{number}")), queue(run, &format!("SW{number}")));
    let mut values: Vec<_> = (1..=count).map(switch).collect();
    let waits = SOURCES.map(|source| most(run, source));
    // Of configurations 1 and 2 with virtual sources it prints the least and the greatest.
    if virtual_source && conf < 3 {
        let id = |of: &str| format!("cai97.table{conf}.primary.with.source_{of}");
        values.extend([(id("least"), least(waits)), (id("most"), greatest(waits))]);
    } else {
        values.push((id("source"), greatest(waits)));
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: three readings at twelve intervals of six rows, each file once; the first two at
    /// 10 ms are the usual runs but for their length.
    #[test]
    fn readings_reach_to_60_ms() {
        let all = scenarios();
        let files: std::collections::BTreeSet<&str> = all.iter().map(|one| &*one.file).collect();
        assert_eq!((all.len(), files.len()), (216, 216));
        let text = |name: &str| all.iter().find(|one| one.file == name).map(|one| &one.text);
        let usual = super::super::tables::EXPERIMENT.scenarios();
        let of = |name: &str| usual.iter().find(|one| one.file == name).unwrap().text.clone();
        assert_eq!(text("conf1-wide-not-held-10.toml"), Some(&of("conf1-not-held-10.toml")));
        let held = of("conf1-10.toml").replace(SHORT.0, SHORT.1);
        assert_eq!(text("conf1-wide-held-10.toml"), Some(&held));
        let counted = text("conf2-without-wide-contributions-60.toml").unwrap();
        assert!(counted.contains("contributions") && counted.contains("\"60 ms\""));
        assert!(!counted.contains("vs-vd"));
    }
}
