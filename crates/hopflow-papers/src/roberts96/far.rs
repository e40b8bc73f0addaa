//! Figure 2 with the switch near the destination, where the text before Figure 1 has it.
//!
//! The blocks of the figures, the switch one tenth of the way from the destination. QT, at which
//! EPRCA is congested, is not stated: the four numbers are bands over it, each the median of 25
//! runs in which the distance and the start of the fourth VC are changed as in `figures.rs`.
//! Source: [Roberts96] Figure 2 and the text before Figure 1.

use super::network::{FAR, LINK, bare_blocks, grid, later, moved, percent};
use super::read::{COLUMNS, Four, four};
use super::technique::Technique;
use crate::observe::median;
use crate::{Exhibit, Measured, Runs, ScenarioText};

/// QT in cells; a queue counts the cell in transmission.
const QTS: [u32; 6] = [0, 1, 3, 10, 20, 100];
const QT: &str = "qt = \"1 cells\"";

fn file(qt: u32, far: i32, late: i32) -> String {
    format!("blocks-iterative-near-destination-qt{qt}-far{far:+}-late{late:+}.toml")
}

/// The grid around the switch near the destination, at every QT.
pub(super) fn scenarios() -> Vec<ScenarioText> {
    let bare = Technique::Iterative.of(&bare_blocks(), "");
    let at = |qt: u32| {
        let congested = format!("qt = \"{qt} cells\"");
        let base = bare.variant("", &[(QT, &congested)]);
        grid().map(move |(far, late)| {
            let file = file(qt, far, late);
            later(&moved(&base, &file, FAR * percent(far)), &file, late)
        })
    };
    QTS.into_iter().flat_map(at).collect()
}

/// The medians at this QT.
fn numbers(runs: &Runs, qt: u32) -> Four {
    let all: Vec<Four> =
        grid().map(|(far, late)| four(runs.one(&file(qt, far, late)), LINK)).collect();
    Four::each(|number| median(all.iter().map(number)))
}

/// The bands over QT, and a table of them.
pub(super) fn claims(measured: &mut Measured, runs: &Runs) {
    let all = QTS.map(|qt| (format!("QT = {qt} cells"), numbers(runs, qt)));
    let mut band = |id: &str, number: fn(&Four) -> f64| {
        let values = all.iter().map(|(name, four)| (name.clone(), number(four))).collect();
        measured.band(format!("fig2.far.{id}"), values);
    };
    band("utilization", |four| four.utilization);
    band("transfer", |four| four.transfer);
    band("max_queue", |four| four.max_queue);
    band("mean_queue", |four| four.mean_queue);
    let printed = ("Figure 2 as printed".to_owned(), vec![0.88, 32.0, 125.0, 20.0]);
    let rows = all.iter().map(|(name, four)| (name.clone(), four.row()));
    measured.exhibits.push(
        Exhibit::new("Figure 2 with the switch near the destination")
            .note("Medians of 25 runs each.")
            .columns("EPRCA", COLUMNS)
            .rows(std::iter::once(printed).chain(rows)),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the loop is that of Figure 2, and the switch nearer to the destination than to the
    /// sources in every run.
    #[test]
    fn the_switch_is_near_the_destination() {
        let all = scenarios();
        assert_eq!(all.len(), 6 * 25);
        for scenario in &all {
            let delays = scenario.text.lines().filter_map(|line| {
                let cells = line.strip_prefix("delay = \"")?.strip_suffix(" cells\"")?;
                cells.parse::<f64>().ok()
            });
            let delays: Vec<f64> = delays.collect();
            assert!(delays[0] > 280.0 && delays[1] < 70.0, "{}: {delays:?}", scenario.file);
            assert!((delays[0] + delays[1] - 353.0).abs() < 0.02, "{delays:?}");
        }
    }
}
