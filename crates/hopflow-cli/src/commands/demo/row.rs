//! What the demo measures of one run, and the sentence that follows from it.

use hopflow::compare::{Beside, ControlRun};
use hopflow::record::wire::integer;
use hopflow_figures::short_share;
use hopflow_units::shape::Shaped;
use serde::Serialize;

use crate::output::{number, span};

/// One control in numbers. The keys are those of `docs/results.md`.
#[derive(Debug, Serialize, Shaped)]
#[shape(name = "DemoControl")]
pub(crate) struct Row {
    /// The control, in words.
    #[serde(rename = "control")]
    pub(super) label: &'static str,
    /// The digest of its run.
    pub(super) digest: String,
    /// The victim's rate while the incast lasts: from its start to its last delivery.
    pub(super) victim_bps: f64,
    /// The victim's max-min fair rate while the incast is on.
    pub(super) fair_bps: f64,
    /// What the victim has of it.
    pub(super) fair_share: f64,
    /// The part of the victim's cells that is lost because a buffer was full.
    pub(super) victim_lost_share: f64,
    /// The part of the incast's cells that is lost because a buffer was full.
    pub(super) incast_lost_share: f64,
    /// The longest delay of a cell of the victim.
    #[serde(with = "integer")]
    pub(super) victim_delay_max_ps: u64,
    /// When the incast starts.
    #[serde(with = "integer")]
    pub(super) incast_from_ps: u64,
    /// When the last cell of the incast is delivered.
    #[serde(with = "integer")]
    pub(super) incast_to_ps: u64,
    /// The length of a part of `curve`.
    #[serde(with = "integer")]
    pub(super) curve_part_ps: u64,
    /// The victim's rate over the run, in bits per second.
    #[serde(rename = "curve_bps")]
    pub(super) curve: Vec<f64>,
    /// The rate of the victim's link: a full block.
    #[serde(skip)]
    pub(super) line_bps: f64,
    /// What happened.
    pub(super) sentence: String,
}

impl Row {
    /// Measures a run of the demo's scenario.
    pub(super) fn of(beside: &Beside, run: &ControlRun, label: &'static str) -> Row {
        let effect = beside.effect(run);
        let curve = run.rates.iter().find(|curve| curve.name == beside.name);
        let curve = curve.expect("every flow has a curve");
        let links = run.summary.links.iter();
        Row {
            label,
            digest: run.manifest.digest.clone(),
            victim_bps: effect.rate_bps,
            fair_bps: beside.fair_bps,
            fair_share: effect.fair_share,
            victim_lost_share: effect.lost_share,
            incast_lost_share: effect.others_lost_share,
            victim_delay_max_ps: effect.delay_max_ps,
            incast_from_ps: effect.from.0,
            incast_to_ps: effect.to.0,
            curve_part_ps: curve.part.0,
            curve: curve.values.clone(),
            line_bps: links.map(|link| link.rate_bps as f64).fold(0.0, f64::max),
            sentence: effect.sentence("the victim", "the incast", short_percent),
        }
    }

    /// The numbers in one line.
    pub(super) fn numbers(&self) -> String {
        format!(
            "victim {} of {} Gb/s for {}; lost {} of its cells, {} of the incast's; \
             slowest cell {}",
            number(self.victim_bps / 1e9, 2),
            number(self.fair_bps / 1e9, 2),
            span_of(self.incast_to_ps - self.incast_from_ps),
            short_percent(self.victim_lost_share),
            short_percent(self.incast_lost_share),
            span_of(self.victim_delay_max_ps),
        )
    }
}

fn short_percent(share: f64) -> String {
    short_share(share, ' ')
}

fn span_of(picos: u64) -> String {
    let text = format!("{:.2e}", picos as f64);
    span(text.parse().expect("it was written as a number"))
}
