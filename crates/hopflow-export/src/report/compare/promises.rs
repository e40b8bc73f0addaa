//! What the controls of a comparison promised and did not keep.

use hopflow::compare::{Comparison, ControlMeasures};

use super::super::parts::broken_properties;
use super::super::{Block, Cell, Section, Verdict};
use super::labelled;

/// The cause of a note of loss under a control that should lose nothing.
pub(super) const LOST: &str = "lossless-lost";

/// The section of broken properties, if there are any. What a control lost in all, and the way out,
/// stands first, and then each property is folded.
pub(super) fn broken_promises(comparison: &Comparison) -> Option<Section> {
    let broken = |measures: &ControlMeasures| {
        let label = measures.label().to_owned();
        let texts = measures.violations.clone().into_iter();
        texts.map(move |text| format!("Under {label}: {text}"))
    };
    let all = comparison.runs.iter().flat_map(|run| broken(&run.measures));
    let losses = comparison.notes.iter().filter(|note| note.cause == LOST);
    let sums = losses.map(|note| Block::Alarm(labelled(comparison, &note.to_string())));
    broken_properties(sums.collect(), all)
}

/// Whether a control keeps what it promises: a column where one does not.
pub(super) fn promise(one: &ControlMeasures) -> Cell {
    if one.violations.is_empty() { "kept".into() } else { Verdict::Fails.into() }
}
