//! Figure 2 with the switch near the destination, where the text before Figure 1 has it.
//!
//! The blocks of the figures, the switch one tenth of the way from the destination. QT, at which
//! EPRCA is congested, is not stated: the four numbers are bands over it, each the median of 25
//! runs in which the distance and the start of the fourth VC are changed as in `figures.rs`.
//! Source: [Roberts96] Figure 2 and the text before Figure 1.

use super::network::{LINK, TO_FAR_SWITCH, bare_blocks, grid, later, moved, percent};
use super::read::{COLUMNS, Four, four};
use super::technique::Technique;
use crate::observe::median;
use crate::{Bands, Exhibit, Measured, Runs, ScenarioText, Setting};

/// QT in cells; a queue counts the cell in transmission.
const QTS: [u32; 6] = [0, 1, 3, 10, 20, 100];
/// Those of the wider bands.
const WIDE: [u32; 13] = [0, 1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100];
const QT: &str = "qt = \"1 cells\"";

fn file(qt: u32, far: i32, late: i32) -> String {
    format!("blocks-iterative-near-destination-qt{qt}-far{far:+}-late{late:+}.toml")
}

/// The wider bands: a run has no chance, and each setting is the median of 25.
pub(super) const BANDS: Bands = Bands { scenarios: || grids(&WIDE), names, settings };

/// The grid around the switch near the destination, at every QT.
pub(super) fn scenarios() -> Vec<ScenarioText> {
    grids(&QTS)
}

fn grids(qts: &[u32]) -> Vec<ScenarioText> {
    let bare = Technique::Iterative.of(&bare_blocks(), "");
    let at = |qt: u32| {
        let congested = format!("qt = \"{qt} cells\"");
        let base = bare.variant("", &[(QT, &congested)]);
        grid().map(move |(far, late)| {
            let file = file(qt, far, late);
            later(&moved(&base, &file, TO_FAR_SWITCH * percent(far)), &file, late)
        })
    };
    qts.iter().copied().flat_map(at).collect()
}

fn name(qt: u32) -> String {
    format!("near the destination, QT = {qt} cells")
}

fn names() -> Vec<String> {
    WIDE.map(name).to_vec()
}

fn settings(runs: &Runs) -> Vec<Setting> {
    let at = |qt: &u32| {
        let mut setting = Setting::new(name(*qt));
        let (file, four) = (file(*qt, 0, 0), numbers(runs, *qt));
        for (end, number) in NUMBERS {
            setting.add(format!("roberts96.fig2.far.{end}"), &file, number(&four));
        }
        setting
    };
    WIDE.iter().map(at).collect()
}

/// How one of the four numbers is read.
type Read = fn(&Four) -> f64;

/// The four numbers, by the ends of their claims.
const NUMBERS: [(&str, Read); 4] = [
    ("utilization", |four| four.utilization),
    ("transfer", |four| four.transfer),
    ("max_queue", |four| four.max_queue),
    ("mean_queue", |four| four.mean_queue),
];

/// The medians at this QT.
fn numbers(runs: &Runs, qt: u32) -> Four {
    let all: Vec<Four> =
        grid().map(|(far, late)| four(runs.one(&file(qt, far, late)), LINK)).collect();
    Four::each(|number| median(all.iter().map(number)))
}

/// The bands over QT, and a table of them.
pub(super) fn claims(measured: &mut Measured, runs: &Runs) {
    let all = QTS.map(|qt| (format!("QT = {qt} cells"), numbers(runs, qt)));
    for (id, number) in NUMBERS {
        let values = all.iter().map(|(name, four)| (name.clone(), number(four))).collect();
        measured.band(format!("fig2.far.{id}"), values);
    }
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
