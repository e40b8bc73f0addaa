//! Loss against the start-up rate: a source starts at ICR beside one that fills the link.
//!
//! ```text
//! lost = ICR x RTT - B      the queue grows by ICR until the other has made room       (1)
//! ```
//! B is the buffer at the bottleneck. (1) is for an exact rate that comes at once. VC counting
//! sends that: it counts a VC from its first cell on. Marking takes many RM cells, and goes on
//! losing. Source: [Roberts96], its beginning and what it says after Figures 1 to 3. Differs: the
//! paper runs none of this. TBE is left out, for it would bound ICR: TBE / RTT is what is varied.

use super::technique::{ALL, Technique};
use crate::observe::least;
use crate::{Chart, ChartLine, Exhibit, Experiment, Measured, Runs, ScenarioText};

/// The link over ICR.
const PARTS: [u32; 7] = [64, 32, 16, 8, 4, 2, 1];
/// Cells that the link carries in one round trip of 20 ms: 149.76 Mb/s x 20 ms / 424.
const PIPE: f64 = 7_064.15;
/// B, in cells, as the scenario has it.
const BUFFER: f64 = 1_325.0;
const SMALL: &str = "buffer = \"1325 cells\"";
const LARGE: &str = "buffer = \"7417 cells\"";
const BUFFERED: &str = "startup-counting-buffered.toml";
/// RIF of the iterative technique, and of binary marking.
const RIF: &str = "rif = \"1/16\"";
const SLOW_RIF: &str = "rif = \"1/64\"";
const FULL: &str = "icr = \"100 %\"";

/// Starts at many rates.
pub(super) const EXPERIMENT: Experiment =
    Experiment::new(&["roberts96.startup"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let base = scenario!("roberts96/startup.toml");
    let mut all = Vec::new();
    for technique in ALL {
        let at = |parts: u32| {
            let icr = format!("icr = \"{} %\"", 100.0 / f64::from(parts));
            technique.unbounded(&base.variant("", &[(FULL, &icr)]), file(technique, parts))
        };
        all.extend(PARTS.map(at));
    }
    let large = base.variant("", &[(SMALL, LARGE)]);
    all.push(Technique::Counting.unbounded(&large, BUFFERED));
    let iterative = all.iter().filter(|one| one.file.starts_with("startup-iterative-"));
    let slow = |one: &ScenarioText| one.variant(slow_file(&one.file), &[(RIF, SLOW_RIF)]);
    let slow: Vec<ScenarioText> = iterative.map(slow).collect();
    all.extend(slow);
    all
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("roberts96.startup");
    let of = |technique| PARTS.map(|parts| lost(runs, &file(technique, parts)));
    let [binary, iterative, counting] = ALL.map(of);
    let mut claim = |id: &str, value| measured.claim(id, value);
    claim("counting.lost", counting[6] / pipe_less_buffer(1));
    claim("counting.lost_half", counting[5] / pipe_less_buffer(2));
    claim("counting.safe", safe(&counting));
    claim("counting.buffered", lost(runs, BUFFERED));
    claim("counting.gain", safe(&binary) / safe(&counting));
    let falls = |lost: &[f64; 7]| lost.windows(2).filter(|pair| pair[1] < pair[0]).count();
    let all: usize = [&binary, &iterative, &counting].into_iter().map(falls).sum();
    claim("falls", all as f64);
    claim("counting.falls", falls(&counting) as f64);
    claim("binary.more", least_more(&binary, &counting));
    claim("iterative.less", least_more(&binary, &iterative));
    claim("iterative.lost", iterative[0]);
    let slow = PARTS.map(|parts| lost(runs, &slow_file(&file(Technique::Iterative, parts))));
    claim("iterative.same_rif", least_more(&binary, &slow));
    measured.charts = vec![chart(&[binary, iterative, counting])];
    measured.exhibits = vec![exhibit(&[binary, iterative, slow, counting])];
    measured
}

fn file(technique: Technique, parts: u32) -> String {
    format!("startup-{}-{parts}.toml", technique.name())
}

fn slow_file(file: &str) -> String {
    file.replace("iterative", "iterative-slow")
}

fn lost(runs: &Runs, file: &str) -> f64 {
    runs.one(file).lost_packets() as f64
}

/// Eq. (1) at this part of the link.
fn pipe_less_buffer(parts: u32) -> f64 {
    (PIPE / f64::from(parts) - BUFFER).max(0.0)
}

/// The greatest start-up rate without loss, over that of the link; 0 where there is none.
fn safe(lost: &[f64; 7]) -> f64 {
    let without = PARTS.iter().zip(lost).filter(|(_, lost)| **lost < 0.5);
    without.map(|(parts, _)| 1.0 / f64::from(*parts)).fold(0.0, f64::max)
}

/// The least of how much more one loses, over all rates.
fn least_more(one: &[f64; 7], other: &[f64; 7]) -> f64 {
    least(one.iter().zip(other).map(|(one, other)| one - other))
}

fn chart(lost: &[[f64; 7]; 3]) -> Chart {
    let line = |name: &str, of: &dyn Fn(usize) -> f64| {
        let point = |(place, parts): (usize, &u32)| (1.0 / f64::from(*parts), of(place));
        ChartLine::straight(name, PARTS.iter().enumerate().map(point))
    };
    let techniques = ALL.iter().zip(lost);
    let lines = techniques.map(|(technique, lost)| line(technique.title(), &|place| lost[place]));
    let law = line("pipe less buffer", &|place| pipe_less_buffer(PARTS[place]));
    Chart::new("roberts96-startup", "Loss against the start-up rate")
        .caption("A source starts beside one that fills the link; the buffer is 3/16 of the pipe.")
        .axes("start-up rate over the link", "cells lost in 500 ms")
        .lines(lines.chain([law]))
}

fn exhibit(lost: &[[f64; 7]; 4]) -> Exhibit {
    let row = |(place, parts): (usize, &u32)| {
        let mut values: Vec<f64> = lost.iter().map(|one| one[place]).collect();
        values.push(pipe_less_buffer(*parts));
        (format!("1/{parts}"), values)
    };
    Exhibit::new("Cells lost against the start-up rate")
        .note("500 ms from the start on, at a round trip of 20 ms and a buffer of 1,325 cells.")
        .columns(
            "start-up rate over the link",
            [
                ("binary", "cells"),
                ("iterative", "cells"),
                ("iterative, RIF = 1/64", "cells"),
                ("VC counting", "cells"),
                ("pipe less buffer", "cells"),
            ],
        )
        .rows(PARTS.iter().enumerate().map(row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopflow_scenario::Scenario;

    /// By hand: 149.76 Mb/s x 20 ms / 424 bits, and the buffer is 3/16 of it to a cell; a start at
    /// an eighth fits and one at a quarter does not.
    #[test]
    fn the_buffer_is_between_an_eighth_and_a_quarter() {
        assert!((149.76e6 * 0.02 / 424.0 - PIPE).abs() < 0.01);
        assert!((PIPE * 3.0 / 16.0 - BUFFER).abs() < 1.0);
        assert!(pipe_less_buffer(8) < 1e-9);
        assert!((pipe_less_buffer(4) - 441.037_5).abs() < 1e-6);
        assert!((safe(&[0.0, 0.0, 0.0, 0.0, 3.0, 2.0, 1.0]) - 0.125).abs() < 1e-12);
        assert!(safe(&[1.0; 7]) < 1e-12);
    }

    /// Claim: the second VC alone starts at the rate of the file, and no TBE bounds it.
    #[test]
    fn the_second_starts_at_the_rate_of_its_file() {
        let all = scenarios();
        assert_eq!(all.len(), 4 * PARTS.len() + 1);
        for scenario in &all {
            assert!(!scenario.text.contains("tbe"), "{}", scenario.file);
            Scenario::from_toml(&scenario.text, &scenario.file).unwrap();
        }
        let slow = all.iter().find(|one| one.file == "startup-iterative-64.toml").unwrap();
        assert_eq!(slow.text.matches("icr = \"1.5625 %\"").count(), 1);
        assert!(slow.text.contains(RIF));
        let same = all.iter().find(|one| one.file == "startup-iterative-slow-64.toml").unwrap();
        assert_eq!(same.text, slow.text.replace(RIF, SLOW_RIF));
    }
}
