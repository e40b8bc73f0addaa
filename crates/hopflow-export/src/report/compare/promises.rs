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
    let mut section = broken_properties(all)?;
    let losses = comparison.notes.iter().filter(|note| note.cause == LOST);
    let losses: Vec<Block> =
        losses.map(|note| Block::Alarm(labelled(comparison, &note.to_string()))).collect();
    if !losses.is_empty() {
        let summary = match section.verdicts.len() {
            1 => "The broken property".to_owned(),
            count => format!("The {count} broken properties"),
        };
        let mut each = Vec::new();
        for block in section.blocks {
            match block {
                Block::Folded(_, inside) => each.extend(inside),
                other => each.push(other),
            }
        }
        section.blocks = losses.into_iter().chain([Block::Folded(summary, each)]).collect();
    }
    Some(section)
}

/// Whether a control keeps what it promises: a column where one does not.
pub(super) fn promise(one: &ControlMeasures) -> Cell {
    if one.violations.is_empty() { "kept".into() } else { Verdict::Fails.into() }
}
