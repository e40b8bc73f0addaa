//! Several seeds of a comparison: every control under every seed, and paired differences.
//!
//! ```text
//! x(c, k)  = a measure of control c under seed k
//! d(c, k)  = x(c, k) - x(1, k)            1: the first control                           (1)
//! interval = mean d +- t(n - 1) s / sqrt(n)         over the seeds that have both        (2)
//! ```
//! Network and traffic of a seed are the same for all controls, so random effects that all of them
//! share cancel in (1): the interval (2) of a difference is narrower than those of the two means.
//! If it contains zero, the seeds do not distinguish the two controls.
//!
//! Source: Student's t as in `hopflow-record/src/estimate.rs`. Each run equals a single run of its
//! control and seed. The link whose utilization is compared is the same for all seeds.
//! Not modelled: a correction for the number of compared intervals.

use std::num::NonZeroUsize;

use hopflow_record::{CONFIDENCE, Estimate, digest_of_all};
use hopflow_units::shape::Shaped;
use serde::{Deserialize, Serialize};

use super::{
    CompareError, CompareNote, Comparison, Contender, ControlMeasures, ControlSize, Unfit,
    bottleneck, comparison, note, see_all,
};
use crate::CONTRACT_VERSION;
use crate::many::ManyProgressCallback;
use crate::{RunOptions, SeedsError};

/// The name of a measure, which ends in its unit, and the function that reads it.
type Measure = (&'static str, fn(&ControlMeasures) -> Option<f64>);

/// The estimated measures.
const MEASURES: [Measure; 15] = [
    ("utilization_share", |one| one.utilization),
    ("throughput_bps", |one| Some(one.throughput_bps)),
    ("lost_share", |one| Some(one.lost_share)),
    ("delay_mean_ps", |one| one.delay_mean_ps),
    ("delay_host_ps", |one| one.delay_host_ps),
    ("delay_network_ps", |one| one.delay_network_ps),
    ("delay_p99_ps", |one| one.delay_p99_ps.map(|ps| ps as f64)),
    ("delay_max_ps", |one| one.delay_max_ps.map(|ps| ps as f64)),
    ("jain", |one| one.jain),
    ("needed_packets", |one| Some(one.needed_packets as f64)),
    ("settled_ps", |one| one.settled_ps.map(|ps| ps as f64)),
    ("tcp_goodput_bps", |one| Some(one.tcp.as_ref()?.goodput_bps)),
    ("tcp_completion_ps", |one| Some(one.tcp.as_ref()?.completion_ps? as f64)),
    ("tcp_retransmitted_share", |one| {
        let tcp = one.tcp.as_ref()?;
        Some(tcp.retransmitted_segments as f64 / tcp.segments.max(1) as f64)
    }),
    ("tcp_round_trip_ps", |one| one.tcp.as_ref()?.round_trip_ps),
];

/// One measure of one control over all seeds, and against the first control.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Shaped)]
pub struct ControlEstimate {
    /// The name of the control in `--control`.
    pub control: String,
    /// The name of the measure, which ends in its unit.
    pub quantity: String,
    /// Its value under each seed, in order; `None` without a value.
    pub values: Vec<Option<f64>>,
    /// Mean, deviation and confidence interval of the existing values.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// The confidence interval, least and greatest; `null` for one value.
    pub interval: Option<[f64; 2]>,
    /// The difference to the first control; `null` for that control, or if no seed has both.
    pub difference: Option<PairedDifference>,
}

/// The difference of a control to the first one, seed by seed. Eqs. (1) and (2).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Shaped)]
pub struct PairedDifference {
    /// The estimate over the seeds that have both.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// The confidence interval, least and greatest; `null` for one seed.
    pub interval: Option<[f64; 2]>,
    /// Whether the interval excludes zero: the seeds distinguish the two controls. `null` without
    /// an interval.
    pub differs: Option<bool>,
}

/// The runs of all controls under all seeds.
#[derive(Clone, Debug)]
pub struct SeedsComparison {
    /// One comparison for each seed under which all controls reached their end, in order.
    pub seeds: Vec<Comparison>,
    /// Whether all seeds did; else the comparison was cancelled.
    pub complete: bool,
    /// The description of the comparison.
    pub manifest: SeedsComparisonManifest,
    /// Every measure of every control, measure by measure.
    pub estimates: Vec<ControlEstimate>,
    /// Controls that do not fit the network.
    pub unfit: Vec<Unfit>,
    /// The notes of all seeds, each cause and control once, with the text of its first seed.
    pub notes: Vec<CompareNote>,
}

/// The description of a comparison with several seeds, without time, host or number of threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Shaped)]
pub struct SeedsComparisonManifest {
    /// The version of hopflow.
    pub version: String,
    /// The scenario's title, if it has one.
    pub title: Option<String>,
    /// The controls, in the requested order.
    pub controls: Vec<String>,
    /// The seeds whose runs reached their end, as strings of decimal digits.
    pub seeds: Vec<String>,
    /// The digest of each seed's comparison, 16 hexadecimal digits.
    pub digests: Vec<String>,
    /// The common digest of all runs, 16 hexadecimal digits.
    pub digest: String,
    /// The duration of each run, in ps.
    #[serde(with = "hopflow_record::wire::integer")]
    pub duration_ps: u64,
    /// The end of the warm-up, in ps.
    #[serde(with = "hopflow_record::wire::integer")]
    pub warm_up_ps: u64,
    /// The link direction whose utilization is compared, one for all seeds.
    pub bottleneck: Option<String>,
    /// Whether all seeds reached their end.
    pub complete: bool,
}

/// A comparison under several seeds as one JSON object, see `docs/results.md`.
#[derive(Clone, Debug, Serialize, Shaped)]
pub struct SeedsComparisonDocument<'a> {
    /// The version of this contract: it changes when a key changes its meaning.
    pub version: u32,
    /// The description of the comparison.
    pub manifest: &'a SeedsComparisonManifest,
    /// The confidence of every interval.
    pub confidence: f64,
    /// Every measure of every control.
    pub estimates: &'a [ControlEstimate],
    /// The sizes that each control used under the first seed.
    pub sizes: &'a [ControlSize],
    /// Controls that do not fit.
    pub unfit: &'a [Unfit],
    /// Explanations of the numbers.
    pub notes: &'a [CompareNote],
}

impl SeedsComparison {
    /// The output of `compare --seeds N --format json`.
    pub fn document(&self) -> SeedsComparisonDocument<'_> {
        SeedsComparisonDocument {
            version: CONTRACT_VERSION,
            manifest: &self.manifest,
            confidence: CONFIDENCE,
            estimates: &self.estimates,
            sizes: self.sizes(),
            unfit: &self.unfit,
            notes: &self.notes,
        }
    }

    /// The sizes that each control used under the first seed.
    pub fn sizes(&self) -> &[ControlSize] {
        self.seeds.first().map_or(&[], |seed| &seed.sizes)
    }

    /// Adds controls that do not fit, each with a note.
    #[must_use]
    pub fn beside(mut self, unfit: Vec<Unfit>) -> SeedsComparison {
        self.notes.extend(unfit.iter().map(note::unfit));
        self.unfit.extend(unfit);
        self
    }
}

/// Runs every contender with `count` seeds, from that of `options` or of the first contender on, in
/// parallel on `threads` threads in total. Cancelled seeds are left out.
pub fn compare_seeds(
    contenders: &[Contender],
    options: &RunOptions,
    count: NonZeroUsize,
    threads: NonZeroUsize,
    progress: Option<&ManyProgressCallback>,
) -> Result<SeedsComparison, CompareError> {
    let own = contenders.first().map_or(1, |one| one.scenario.network.seed);
    let base = options.seed.unwrap_or(own);
    let last = base.checked_add(count.get() as u64 - 1);
    let last = last.ok_or(SeedsError::TooGreat { base, count: count.get() })?;
    let with = |seed| RunOptions { seed: Some(seed), ..options.clone() };
    let jobs = (base..=last).flat_map(|seed| contenders.iter().map(move |one| (one.clone(), seed)));
    let jobs = jobs.map(|(one, seed)| (one, with(seed))).collect();
    let mut seen = see_all(jobs, threads, progress)?;
    let link = bottleneck(&seen);
    let mut seeds = Vec::new();
    while !seen.is_empty() {
        let rest = seen.split_off(contenders.len());
        seeds.push(comparison(std::mem::replace(&mut seen, rest), link.clone()));
    }
    seeds.retain(|seed| seed.complete);
    Ok(together(seeds, count.get(), link))
}

fn together(seeds: Vec<Comparison>, count: usize, bottleneck: Option<String>) -> SeedsComparison {
    let complete = seeds.len() == count;
    let first = seeds.first().map(|seed| seed.manifest.clone());
    let digests = seeds.iter().flat_map(|seed| &seed.manifest.digests);
    let digests = digests.map(|digest| u64::from_str_radix(digest, 16).unwrap_or_default());
    let digest = digest_of_all(digests);
    let manifest = SeedsComparisonManifest {
        version: env!("CARGO_PKG_VERSION").to_string(),
        title: first.as_ref().and_then(|first| first.title.clone()),
        controls: first.as_ref().map(|first| first.controls.clone()).unwrap_or_default(),
        seeds: seeds.iter().map(|seed| seed.manifest.seed.clone()).collect(),
        digests: seeds.iter().map(|seed| seed.manifest.digest.clone()).collect(),
        digest: format!("{digest:016x}"),
        duration_ps: first.as_ref().map_or(0, |first| first.duration_ps),
        warm_up_ps: first.as_ref().map_or(0, |first| first.warm_up_ps),
        bottleneck,
        complete,
    };
    let mut notes: Vec<CompareNote> = Vec::new();
    for note in seeds.iter().flat_map(|seed| &seed.notes) {
        let same =
            |known: &CompareNote| known.cause == note.cause && known.controls == note.controls;
        if !notes.iter().any(same) {
            notes.push(note.clone());
        }
    }
    notes.extend(note::alike(&manifest.digests, &manifest.controls));
    let estimates = estimates(&seeds);
    SeedsComparison { seeds, complete, manifest, estimates, unfit: Vec::new(), notes }
}

/// All measures that have a value for some control and seed.
fn estimates(seeds: &[Comparison]) -> Vec<ControlEstimate> {
    let controls = seeds.first().map_or(0, |seed| seed.runs.len());
    let mut found = Vec::new();
    for (quantity, measure) in MEASURES {
        let values = |control: usize| -> Vec<Option<f64>> {
            seeds.iter().map(|seed| measure(&seed.runs[control].measures)).collect()
        };
        for control in 0..controls {
            let own = values(control);
            let Some(estimate) = Estimate::of(own.iter().copied().flatten()) else { continue };
            found.push(ControlEstimate {
                control: seeds[0].runs[control].measures.control.clone(),
                quantity: quantity.to_owned(),
                difference: (control > 0).then(|| difference(&own, &values(0))).flatten(),
                values: own,
                interval: estimate.bounds(),
                estimate,
            });
        }
    }
    found
}

/// Eqs. (1) and (2). A difference of rounding, a billionth of the values, is no difference.
fn difference(own: &[Option<f64>], first: &[Option<f64>]) -> Option<PairedDifference> {
    let pairs = own.iter().zip(first);
    let estimate = Estimate::of(pairs.filter_map(|(own, first)| Some((*own)? - (*first)?)))?;
    let interval = estimate.bounds();
    let values = own.iter().chain(first).flatten();
    let rounding = 1e-9 * values.fold(0.0, |most: f64, value| most.max(value.abs()));
    let differs = interval.map(|[least, most]| least > rounding || most < -rounding);
    Some(PairedDifference { estimate, interval, differs })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: differences are paired. Those of 10, 20 and 30 to 9, 18 and 30 are 1, 2 and 0: mean
    /// 1, deviation 1, t(2) = 4.3027, half width 4.3027 / sqrt(3) = 2.4842, which includes zero,
    /// though the values spread ten times as far. If values are greater by 100, it is excluded.
    /// A seed that lacks one of the two is left out.
    #[test]
    fn differences_are_paired() {
        let of = |values: &[f64]| values.iter().copied().map(Some).collect::<Vec<_>>();
        let found = difference(&of(&[10.0, 20.0, 30.0]), &of(&[9.0, 18.0, 30.0])).unwrap();
        let Estimate { count, mean, deviation, half_width } = found.estimate;
        assert_eq!((count, mean, deviation), (3, 1.0, Some(1.0)));
        assert!((half_width.unwrap() - 2.484_2).abs() < 1e-4, "{half_width:?}");
        assert_eq!(found.differs, Some(false));
        let [least, most] = found.interval.unwrap();
        assert!((least + 1.484_2).abs() < 1e-4 && (most - 3.484_2).abs() < 1e-4);
        assert!(
            difference(&of(&[101.0, 102.0, 103.0]), &of(&[1.0, 2.0, 4.0])).unwrap().differs
                == Some(true)
        );
        assert!(difference(&of(&[-9.0, -8.0]), &of(&[1.0, 2.0])).unwrap().differs == Some(true));
        let gap = difference(&[Some(5.0), None, Some(7.0)], &[Some(4.0), Some(9.0), None]).unwrap();
        assert_eq!((gap.estimate.count, gap.estimate.mean, gap.interval), (1, 1.0, None));
        assert_eq!(gap.differs, None);
        assert_eq!(difference(&[None], &[Some(1.0)]), None);
        let rounded = difference(&of(&[1.0 + 1e-12, 1.0 + 1e-12]), &of(&[1.0, 1.0])).unwrap();
        assert_eq!(rounded.differs, Some(false));
    }
}
