//! Fairness: the rate of each VC if the network were shared max-min fairly, and the Jain index of
//! the measured throughputs relative to these.
//!
//! ```text
//! share(v)  =  mean over [from, end) of the max-min rate of v among the VCs that are on   (1)
//! x(v)      =  throughput(v) / share(v)                                                   (2)
//! J         =  (sum x)^2 / (n sum x^2),   over the n VCs with a share above 0             (3)
//! ```
//! J is 1 if all VCs have the same part of their share, and 1/n if one has the whole throughput.
//!
//! The max-min rate (`max_min.rs`) is computed from the network alone, as for a fluid without
//! queues: from the offered load of each VC (`offered.rs`) and the rates of links. More urgent
//! priorities take precedence, and the next share the rest, unless VCs of different priorities meet
//! at a port without priorities. If all VCs have reservations, they share by the reserved rates, as
//! schedulers do; if some have none, a reserved rate is a least rate. If VCs start, stop or
//! alternate between two rates, the network is solved again for each span between these instants,
//! and (1) is the mean over time.
//!
//! For VCs under rate control, MCR is the least rate and PCR the greatest, and one cell of Nrm is
//! an RM cell: the share counts the others. The target utilization of a switch is subtracted only
//! on request.
//!
//! Shares are those on the routes of the flows. If flows have equal paths, results add the share if
//! every flow split evenly over them (`split.rs`).
//!
//! All rates count bits on the wire, like throughput. A share is the rate that the *network* could
//! provide; the comparison shows whether credits, windows or buffers permit it.
//!
//! No share is reported if the traffic of a VC is not known in advance: request and response, TCP
//! with a given amount of data. The ACKs to a TCP sender have no share, and use no capacity.
//!
//! Not modelled: the use of links by credits, ACKs, backward RM cells and other control cells;
//! branches of a multicast VC at different rates (a tree has one rate on all its links); changes on
//! the scenario's timeline. Source: [JCH84] for (3). Checked by: `fairness/tests.rs`.

pub mod max_min;
mod offered;
mod phases;
mod spans;
mod split;
mod tell;
#[cfg(test)]
mod tests;
mod together;

use std::ops::Range;

use hopflow_network::{DirectionId, HopSpec, NetworkSpec, VcSpec};
use hopflow_units::{Bytes, CellRate, Rate, SimTime};
use thiserror::Error;

use self::max_min::{Held, Share};
pub(crate) use self::offered::mean_bytes;
use self::offered::{Offer, offer};
use self::phases::{Phase, phases};
use self::spans::Spans;
pub(crate) use self::tell::Fairness;
pub(crate) use self::together::{carriers, on, stop_together};

/// A unit of rate is 2^-48 b/s: whole units keep the shares of 2^20 VCs to 10^-8 b/s, and 2^64 b/s
/// are 2^112 units.
const UNIT_BITS: u32 = 48;

/// A part of a whole: 0 to 1, as a fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    numerator: u32,
    denominator: u32,
}

impl Part {
    /// The whole.
    pub const ALL: Part = Part { numerator: 1, denominator: 1 };

    /// This fraction; `None` if it is more than the whole, or zero.
    pub const fn new(numerator: u32, denominator: u32) -> Option<Part> {
        if numerator == 0 || numerator > denominator {
            return None;
        }
        Some(Part { numerator, denominator })
    }

    /// This part of a rate, in units of 2^-48 b/s, rounded down.
    pub fn of(self, rate: Rate) -> u128 {
        let whole = u128::from(rate.bps()) * u128::from(self.numerator);
        let denominator = u128::from(self.denominator);
        let rest = ((whole % denominator) << UNIT_BITS) / denominator;
        ((whole / denominator) << UNIT_BITS) + rest
    }
}

/// The part of a VC's cells that is data: under rate control every Nrm-th is an RM cell.
fn payload(vc: &VcSpec) -> f64 {
    vc.rate.as_ref().map_or(1.0, |abr| f64::from(abr.nrm - 1) / f64::from(abr.nrm))
}

/// A rate of cells in units of rate.
fn units(rate: CellRate) -> u128 {
    // The cast saturates: such a rate is above that of any link.
    (rate.get() * Bytes::CELL.bits() as f64 * (1_u64 << UNIT_BITS) as f64) as u128
}

/// The limit of a VC's share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeldBy {
    /// The share is the offered load of its source.
    Source,
    /// This link direction is full: [`hopflow_network::DirectionId`].
    Link(usize),
}

/// The max-min fair share of a VC.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FairShare {
    /// Eq. (1), in bits per second on the wire.
    pub bps: f64,
    /// Its limit; if it changes, that for the longest time. `None`: the VC was never on.
    pub held_by: Option<HeldBy>,
}

/// The shares of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct FairShares {
    /// By VC; `None`: it has none, because its traffic depends on another VC (TCP's ACKs).
    pub vcs: Vec<Option<FairShare>>,
    /// Whether any VC was limited by a link that others need, too. Else the share of each is its
    /// offered load, or the rate of a link of its own.
    pub contested: bool,
}

/// The reason why there are no shares.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoShares {
    /// The offered load of a VC is not known in advance.
    #[error("VC `{vc}`: {reason}")]
    Unknown {
        /// Its name.
        vc: String,
        /// The reason.
        reason: &'static str,
    },
    /// Least rates do not fit.
    #[error(
        "the least rates of the VCs on `{link}` are more than it has: lower them, or raise the \
         link's rate or the target"
    )]
    Overbooked {
        /// The link direction.
        link: String,
    },
    /// The VCs start and stop too often.
    #[error("{spans} spans between starts and stops are too many to solve the network for each")]
    TooManySpans {
        /// Their number.
        spans: usize,
    },
    /// Packets of several sizes have an overhead on a link: its capacity for data depends on the
    /// VCs that send.
    #[error(
        "packets of several mean sizes cross `{link}`, and each takes {overhead} B beside its own"
    )]
    SeveralSizes {
        /// The link direction.
        link: String,
        /// The overhead in bytes.
        overhead: u64,
    },
    /// Classes share a link by weight.
    #[error(
        "VCs of several priorities share `{link}` by the weights of their classes, of which no \
         fair shares are worked out"
    )]
    ClassWeights {
        /// The link direction.
        link: String,
    },
    /// A VC asks for its reservation, so a run decides which VCs send.
    #[error("VC `{vc}` asks for its reservation, and only a run shows which VCs are admitted")]
    Admission {
        /// Its name.
        vc: String,
    },
    /// The span is empty.
    #[error("the span is empty")]
    NoTime,
}

/// The shares of all VCs over `span`, by Eq. (1). VCs of the least urgent priority, together with
/// all others, use no more than the part `target` of each link: the target utilization of a rate
/// control. Without one it is [`Part::ALL`].
pub fn fair_shares(
    spec: &NetworkSpec,
    span: Range<SimTime>,
    target: Part,
) -> Result<FairShares, NoShares> {
    if span.is_empty() {
        return Err(NoShares::NoTime);
    }
    if let Some(vc) = spec.vcs.iter().find(|vc| vc.signalled) {
        return Err(NoShares::Admission { vc: vc.name.clone() });
    }
    if let Some(id) = spans::shared_by_classes(spec) {
        let link = hopflow_record::direction_names(spec).swap_remove(id.0);
        return Err(NoShares::ClassWeights { link });
    }
    let offers = (0..spec.vcs.len()).map(|vc| offer(spec, vc, &span));
    let offers = offers.collect::<Result<Vec<Offer>, NoShares>>()?;
    let phases = phases(spec, &offers, &span)?;
    let mut means = Means::new(&offers);
    let mut spans = Spans::new(spec, data_rates(spec)?, &offers, target);
    for phase in phases {
        means.add(spec, &phase, spans.solve(&phase)?);
    }
    Ok(means.shares())
}

/// By link direction: its capacity for bits of packets. For packets of mean size S with an overhead
/// o it is the part S / (S + o) of its rate.
fn data_rates(spec: &NetworkSpec) -> Result<Vec<Rate>, NoShares> {
    let mut sizes: Vec<Option<f64>> = vec![None; spec.direction_count()];
    for vc in &spec.vcs {
        for id in vc.hops.iter().map(HopSpec::direction_id) {
            let overhead = spec.direction(id).overhead.0;
            if overhead == 0 {
                continue;
            }
            let size = offered::mean_bytes(&vc.traffic.size);
            let differs = |other: f64| (other - size).abs() > 1e-9 * size;
            if sizes[id.0].replace(size).is_some_and(differs) {
                let link = hopflow_record::direction_names(spec).swap_remove(id.0);
                return Err(NoShares::SeveralSizes { link, overhead });
            }
        }
    }
    let rate = |(id, size): (usize, &Option<f64>)| {
        let direction = spec.direction(DirectionId(id));
        let part = size.map_or(1.0, |size| size / (size + direction.overhead.0 as f64));
        let bps = direction.rate.bps() as f64 * part;
        let whole = if part < 1.0 { Rate::from_bps(bps as u64) } else { None };
        whole.unwrap_or(direction.rate)
    };
    Ok(sizes.iter().enumerate().map(rate).collect())
}

/// The means over the spans so far.
struct Means {
    /// `None`: the VC has no share.
    vcs: Vec<Option<MeanShare>>,
    contested: bool,
}

#[derive(Clone, Debug, Default)]
struct MeanShare {
    bps: f64,
    /// Its limits, each with its part of the time.
    held: Vec<(HeldBy, f64)>,
}

impl Means {
    fn new(offers: &[Offer]) -> Means {
        let mean = |offer: &Offer| (*offer != Offer::Follows).then(MeanShare::default);
        Means { vcs: offers.iter().map(mean).collect(), contested: false }
    }

    fn add(&mut self, spec: &NetworkSpec, phase: &Phase, rates: &[Option<Share>]) {
        let on_link = if self.contested { Vec::new() } else { on_links(spec, rates) };
        for (vc, mean) in self.vcs.iter_mut().enumerate() {
            let (Some(mean), Some(share)) = (mean, rates[vc]) else { continue };
            let unit = (1_u64 << UNIT_BITS) as f64;
            mean.bps += share.rate as f64 / unit * payload(&spec.vcs[vc]) * phase.part;
            let held = match share.held {
                Held::Demand => HeldBy::Source,
                Held::Link(link) => {
                    self.contested = self.contested || on_link[link] > 1;
                    HeldBy::Link(link)
                }
            };
            match mean.held.iter_mut().find(|(by, _)| *by == held) {
                Some((_, part)) => *part += phase.part,
                None => mean.held.push((held, phase.part)),
            }
        }
    }

    fn shares(self) -> FairShares {
        let share = |mean: MeanShare| {
            let mut longest: Option<(HeldBy, f64)> = None;
            for (by, part) in mean.held {
                if longest.is_none_or(|(_, most)| part > most) {
                    longest = Some((by, part));
                }
            }
            FairShare { bps: mean.bps, held_by: longest.map(|(by, _)| by) }
        };
        let vcs = self.vcs.into_iter().map(|mean| mean.map(share)).collect();
        FairShares { vcs, contested: self.contested }
    }
}

/// The number of VCs with a share on each link direction.
fn on_links(spec: &NetworkSpec, rates: &[Option<Share>]) -> Vec<u32> {
    let mut on_link = vec![0; spec.direction_count()];
    for (vc, _) in spec.vcs.iter().zip(rates).filter(|(_, share)| share.is_some()) {
        vc.hops.iter().for_each(|hop| on_link[hop.direction_id().0] += 1);
    }
    on_link
}

/// Eq. (3) of pairs (throughput, share); those without a share do not count. `None` if none counts,
/// or all throughputs are zero.
pub fn jain_index(pairs: impl IntoIterator<Item = (f64, f64)>) -> Option<f64> {
    let mut jain = Jain::default();
    pairs.into_iter().for_each(|(throughput, share)| jain.add(throughput, share));
    jain.index()
}

/// The sums of Eq. (3), VC by VC.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Jain {
    count: u32,
    sum: f64,
    squares: f64,
}

impl Jain {
    /// Adds a VC.
    pub(crate) fn add(&mut self, throughput: f64, share: f64) {
        if share > 0.0 {
            let x = throughput / share;
            self.count += 1;
            self.sum += x;
            self.squares += x * x;
        }
    }

    /// n of Eq. (3): the VCs with a share above 0.
    pub(crate) fn vcs(self) -> u32 {
        self.count
    }

    /// Eq. (3).
    pub(crate) fn index(self) -> Option<f64> {
        let index = self.sum * self.sum / (f64::from(self.count) * self.squares);
        // By rounding it may be slightly above 1.
        (self.squares > 0.0).then(|| index.min(1.0))
    }
}
