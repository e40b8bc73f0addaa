//! Fairness: what each VC would have if the network were shared max-min fairly, and the Jain index
//! of what it has instead.
//!
//! ```text
//! share(v)  =  mean over [from, end) of the max-min rate of v among the VCs that are on   (1)
//! x(v)      =  throughput(v) / share(v)                                                   (2)
//! J         =  (sum x)^2 / (n sum x^2),   over the n VCs with a share above 0             (3)
//! ```
//! J is 1 where all VCs have the same part of their share, and 1/n where one has everything.
//!
//! The max-min rate (`max_min.rs`) is worked out from the network alone, as if traffic were a fluid
//! and nothing waited: what each VC offers (`offered.rs`), links by their rate. More urgent
//! priorities take theirs first, the next share what is left, unless VCs of different priorities
//! meet at a port that does not know any. VCs that all have reservations share by the reserved
//! rates, as schedulers do; beside others without, a reserved rate is a least rate. Where VCs
//! start, stop or alternate between two rates, the network is solved anew for each span between
//! such instants, and (1) is the mean over time.
//!
//! Of VCs under rate control, MCR is a least rate and PCR the most, and one cell of Nrm is an RM
//! cell: the share is of the others. The target utilization of a switch is taken off only if asked
//! for.
//!
//! All rates are of bits on the wire, as throughput is. A share is what the *network* could give:
//! whether credits, windows or buffers let a VC have it is what the comparison shows.
//!
//! No share is told where the traffic of a VC is not known beforehand: request and response, TCP
//! with a given amount to carry. What comes back to a TCP sender has no share, and takes nothing.
//!
//! Not modelled: what credits, ACKs, RM cells on their way back and other control cells take of a
//! link; branches of a multicast VC at different rates (a tree has one rate on all its links);
//! changes on the scenario's timeline. Source: [JCH84] for (3). Checked by: `fairness/tests.rs`.

pub mod max_min;
mod offered;
mod phases;
mod tell;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::ops::Range;

use hopflow_control::scheduler::SchedulerSpec;
use hopflow_network::{HopSpec, NetworkSpec, VcSpec};
use hopflow_units::{Bytes, CellRate, Rate, SimTime};
use thiserror::Error;

use self::max_min::{Claimant, Held, Overbooked, max_min};
use self::offered::{Demand, Offer, offer};
use self::phases::{Phase, phases};
pub(crate) use self::tell::tell;

/// A unit of rate is 2^-48 b/s: whole units keep the shares of 2^20 VCs to 10^-8 b/s, and 2^64 b/s
/// are 2^112 units.
const UNIT_BITS: u32 = 48;

/// A part of something: 0 to 1, as a fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    numerator: u32,
    denominator: u32,
}

impl Part {
    /// All of it.
    pub const ALL: Part = Part { numerator: 1, denominator: 1 };

    /// So much of it; `None` if that is more than all, or nothing.
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

/// So many cells per second in units of rate.
fn units(rate: CellRate) -> u128 {
    // The cast saturates: what is past the range is past any link.
    (rate.get() * Bytes::CELL.bits() as f64 * (1_u64 << UNIT_BITS) as f64) as u128
}

/// What holds a VC at its share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeldBy {
    /// It has all that its source offers.
    Source,
    /// This link direction is full: [`hopflow_network::DirectionId`].
    Link(usize),
}

/// The max-min fair share of a VC.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FairShare {
    /// Eq. (1), in bits per second on the wire.
    pub bps: f64,
    /// What holds it there: for the longest time, where that changes. `None`: it was never on.
    pub held_by: Option<HeldBy>,
}

/// The shares of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct FairShares {
    /// By VC; `None`: it has none, as it only carries what another one asks for (TCP's ACKs).
    pub vcs: Vec<Option<FairShare>>,
    /// Whether any VC was held by a link that others want, too. Else each simply has what it
    /// offers, or a link of its own.
    pub contested: bool,
}

/// Why there are no shares.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoShares {
    /// What a VC offers is not known beforehand.
    #[error("VC `{vc}`: {reason}")]
    Unknown {
        /// Its name.
        vc: String,
        /// Why not.
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
        /// How many there are.
        spans: usize,
    },
    /// There is no time to take the mean over.
    #[error("the span is empty")]
    NoTime,
}

/// The shares of all VCs over `span`, by Eq. (1). VCs of the least urgent priority are to use, with
/// all others together, no more than the part `target` of each link: the target utilization of a
/// rate control. Without one it is [`Part::ALL`].
pub fn fair_shares(
    spec: &NetworkSpec,
    span: Range<SimTime>,
    target: Part,
) -> Result<FairShares, NoShares> {
    if span.is_empty() {
        return Err(NoShares::NoTime);
    }
    let offers = (0..spec.vcs.len()).map(|vc| offer(spec, vc, &span));
    let offers = offers.collect::<Result<Vec<Offer>, NoShares>>()?;
    let phases = phases(spec, &offers, &span)?;
    let mut told = Told::new(&offers);
    for phase in &phases {
        let rates = solve(spec, &offers, phase, target)?;
        told.add(spec, phase, &rates);
    }
    Ok(told.shares())
}

/// In units of rate, by VC; `None`: it is off, or has no share.
type Rates = Vec<Option<max_min::Share>>;

/// The shares in one span, priority by priority.
fn solve(
    spec: &NetworkSpec,
    offers: &[Offer],
    phase: &Phase,
    target: Part,
) -> Result<Rates, NoShares> {
    let mut rates = vec![None; spec.vcs.len()];
    let on = |vc: &usize| phase.on[*vc] && offers[*vc] != Offer::Follows;
    let on: Vec<usize> = (0..spec.vcs.len()).filter(on).collect();
    let classes = classes(spec);
    let present: BTreeSet<u8> = on.iter().map(|vc| classes[*vc]).collect();
    let links = spec.links.iter().flat_map(|link| &link.directions);
    let rate_of_link: Vec<Rate> = links.map(|direction| direction.rate).collect();
    let mut used = vec![0_u128; rate_of_link.len()];
    for class in &present {
        let part = if present.last() == Some(class) { target } else { Part::ALL };
        let left = rate_of_link.iter().zip(&used);
        let left: Vec<u128> =
            left.map(|(rate, used)| part.of(*rate).saturating_sub(*used)).collect();
        let vcs: Vec<usize> = on.iter().copied().filter(|vc| classes[*vc] == *class).collect();
        let reserved = vcs.iter().all(|vc| spec.vcs[*vc].reservation.is_some());
        let of = |vc: &usize| claimant(&spec.vcs[*vc], phase.demands[*vc], reserved);
        let claimants: Vec<Claimant> = vcs.iter().map(of).collect();
        let shares = max_min(&left, &claimants).map_err(|Overbooked { link }| {
            let link = hopflow_record::direction_names(spec)[link].clone();
            NoShares::Overbooked { link }
        })?;
        for ((vc, claimant), share) in vcs.iter().zip(&claimants).zip(shares) {
            for &link in &claimant.links {
                used[link] += share.rate;
            }
            rates[*vc] = Some(share);
        }
    }
    Ok(rates)
}

/// By VC: its priority, or 0 for all if VCs of different ones meet where nobody looks at them.
fn classes(spec: &NetworkSpec) -> Vec<u8> {
    let mut known: Vec<Option<u8>> = vec![None; spec.direction_count()];
    for vc in &spec.vcs {
        for direction in vc.hops.iter().map(HopSpec::direction_id) {
            let first = *known[direction.0].get_or_insert(vc.priority);
            if first != vc.priority && !has_priorities(spec.direction(direction).scheduler) {
                return vec![0; spec.vcs.len()];
            }
        }
    }
    spec.vcs.iter().map(|vc| vc.priority).collect()
}

/// Whether a port serves more urgent priorities first.
fn has_priorities(scheduler: SchedulerSpec) -> bool {
    match scheduler {
        SchedulerSpec::RoundRobin
        | SchedulerSpec::StrictPriority
        | SchedulerSpec::Ats { .. }
        | SchedulerSpec::Cbs => true,
        SchedulerSpec::Fifo
        | SchedulerSpec::WeightedRoundRobin
        | SchedulerSpec::DeficitRoundRobin { .. }
        | SchedulerSpec::Wfq
        | SchedulerSpec::Wf2q
        | SchedulerSpec::Scfq
        | SchedulerSpec::Sfq
        | SchedulerSpec::VirtualClock(_)
        | SchedulerSpec::LeapForward
        | SchedulerSpec::Tdm { .. }
        | SchedulerSpec::ScheduleBased { .. } => false,
    }
}

/// `reserved`: whether all that share with it have a reservation.
fn claimant(vc: &VcSpec, demand: Demand, reserved: bool) -> Claimant {
    let own = vc.reservation.map(|reservation| reservation.rate);
    let (least, weight) = match own {
        Some(rate) if reserved => (0, rate.bps()),
        _ => (own.map_or(0, |rate| Part::ALL.of(rate)), u64::from(vc.weight)),
    };
    let (mcr, pcr) =
        vc.rate.as_ref().map_or((0, None), |abr| (units(abr.mcr), Some(units(abr.pcr))));
    let demand = demand.units(payload(vc));
    Claimant {
        links: vc.hops.iter().map(|hop| hop.direction_id().0).collect(),
        demand: demand.into_iter().chain(pcr).min(),
        least: least.max(mcr),
        weight,
    }
}

/// What has been told of each VC, span by span.
struct Told {
    /// `None`: it has no share.
    vcs: Vec<Option<ToldVc>>,
    contested: bool,
}

#[derive(Clone, Debug, Default)]
struct ToldVc {
    bps: f64,
    /// What held it, and for which part of the time.
    held: Vec<(HeldBy, f64)>,
}

impl Told {
    fn new(offers: &[Offer]) -> Told {
        let told = |offer: &Offer| (*offer != Offer::Follows).then(ToldVc::default);
        Told { vcs: offers.iter().map(told).collect(), contested: false }
    }

    fn add(&mut self, spec: &NetworkSpec, phase: &Phase, rates: &Rates) {
        let mut on_link = vec![0; spec.direction_count()];
        for vc in (0..rates.len()).filter(|vc| rates[*vc].is_some()) {
            for hop in &spec.vcs[vc].hops {
                on_link[hop.direction_id().0] += 1;
            }
        }
        for (vc, told) in self.vcs.iter_mut().enumerate() {
            let (Some(told), Some(share)) = (told, rates[vc]) else { continue };
            let unit = (1_u64 << UNIT_BITS) as f64;
            told.bps += share.rate as f64 / unit * payload(&spec.vcs[vc]) * phase.part;
            let held = match share.held {
                Held::Demand => HeldBy::Source,
                Held::Link(link) => {
                    self.contested |= on_link[link] > 1;
                    HeldBy::Link(link)
                }
            };
            match told.held.iter_mut().find(|(by, _)| *by == held) {
                Some((_, part)) => *part += phase.part,
                None => told.held.push((held, phase.part)),
            }
        }
    }

    fn shares(self) -> FairShares {
        let share = |told: ToldVc| {
            let mut longest: Option<(HeldBy, f64)> = None;
            for (by, part) in told.held {
                if longest.is_none_or(|(_, most)| part > most) {
                    longest = Some((by, part));
                }
            }
            FairShare { bps: told.bps, held_by: longest.map(|(by, _)| by) }
        };
        let vcs = self.vcs.into_iter().map(|told| told.map(share)).collect();
        FairShares { vcs, contested: self.contested }
    }
}

/// Eq. (3) of pairs (throughput, share); those without a share do not count. `None` when none
/// counts, or nobody has anything.
pub fn jain_index(pairs: impl IntoIterator<Item = (f64, f64)>) -> Option<f64> {
    let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for (throughput, share) in pairs {
        if share > 0.0 {
            let x = throughput / share;
            count += 1.0;
            sum += x;
            squares += x * x;
        }
    }
    // Rounding may put it a little above 1.
    (squares > 0.0).then(|| (sum * sum / (count * squares)).min(1.0))
}
