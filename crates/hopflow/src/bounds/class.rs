//! What a port promises to flows that share a queue or wait for more urgent ones: it depends on
//! what all of them may send.
//!
//! ```text
//! first in, first out, in a class below others:
//!   D = max over u of (Tlow + k (A(u) + sigma_H - l)) / (1 - k rho_H) + k l - u  (1)
//! round robin in a class below others: of the server (v, e) of the class alone
//!   v' = v / (1 - k rho_H),   e' = (e + k sigma_H) / (1 - k rho_H)               (2)
//! credit-based shaper, idle slope I:
//!   D = max over u of (k C A(u) / I - u) + W - l (1 / I - 1 / C)                 (3)
//!   W = (Tlow C + sum of (hi_h - lo_h)) / (C - sum of I_h)                       (4)
//!   hi = I W,   lo = -(C - I) Tmax                                               (5)
//!   a class without shaper:
//!   D = max over u of (Tlow + k A(u) + sum of (hi_h - lo_h) / C)
//!                     / (1 - sum of I_h / C) - u                                 (6)
//! ATS: Eq. (1), each shaped flow with its own bucket                             (7)
//! ```
//! | symbol     | meaning                                                       | unit        |
//! |------------|---------------------------------------------------------------|-------------|
//! | D          | from a packet's arrival (ATS: from when it may go) to its end | ps          |
//! | u          | from the start of a busy span to the packet's arrival         | ps          |
//! | A          | what the flows of the class bring: `curve.rs`                 | bits        |
//! | sigma_H    | burst of all more urgent classes: a line of their curve       | bits        |
//! | rho_H      | rate of that line                                             | bits per ps |
//! | h          | each of these classes                                         |             |
//! | Tlow       | the time of the largest packet of a less urgent class         | ps          |
//! | k          | ps for one bit, rounding included                             | ps per bit  |
//! | C          | rate of the link                                              | bits per ps |
//! | l          | the flow's smallest packet                                    | bits        |
//! | hi, lo     | the most and the least credit of a class                      | bits        |
//! | W          | how long a class with credit may wait                         | ps          |
//!
//! (1): let y be from the start of the busy span of the class and those above to the start of the
//! packet, which comes u after that start. Before it go Tlow, what came of its class by u and of
//! those above by y: y <= Tlow + k (A(u) - l + sigma_H + rho_H y). The delay is y + k l - u; A is
//! concave, so the greatest is at a bend, and it is the least over the lines of the curve of those
//! above. FIFO is a single class. (2): the same, with the turns of the class instead of A.
//!
//! (3) to (5): a class sends I t - c bits in a span of t that begins with no credit, and W bounds
//! c; see `cbs.rs`. A class with credit waits for Tlow and what those above send, who in t send
//! I_h t + hi_h - lo_h at most; the slopes may not add up to more than C.
//!
//! (7): a shaper adds nothing to the greatest delay of the port before it, if that port serves in
//! the order in which the same shapers let packets go ([LB18]); nor does it hold a packet of flows
//! that all keep their buckets as they come. Else only a flow alone in its group, or a limit on
//! the residence, has a bound here.
//!
//! Where rounded times add up to more than the link, the end of the run is the greatest u. What
//! control cells took is added.
//!
//! Source: [Cruz91] for (1), [LB18] for (7); the rest is worked out here. Checked by: `tests.rs`.

use std::collections::{BTreeMap, BTreeSet};

use hopflow_control::scheduler::{Guarantee, Reservation, SchedulerSpec};
use hopflow_network::SizeLaw;
use hopflow_units::Picos;

use super::Reason;
use super::contract::{Bucket, is_whole, per_picosecond};
use super::curve::Curve;
use super::port::{Member, Port};
use super::server::{Server, exactly, hindrance};

/// What comes to a port, in the order of its members.
#[derive(Clone, Debug, Default)]
pub(super) struct Came {
    /// What each flow brings, or why nothing is known of it.
    pub(super) curves: Vec<Result<Curve, Reason>>,
    /// The port that each comes from; `None`: its source.
    pub(super) feeds: Vec<Option<Feed>>,
}

/// The port that a flow comes from.
#[derive(Clone, Debug)]
pub(super) struct Feed {
    /// Its number.
    pub(super) port: usize,
    /// Of its link, in bits per ps.
    pub(super) rate: f64,
    pub(super) scheduler: SchedulerSpec,
}

/// How a packet gets over one port.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Crossing {
    /// By a server of its own.
    Server(Server),
    /// In at most so many ps from its arrival to its last bit.
    Span(f64),
    /// Held by a shaper for at most `wait` ps, then over in `span` ps; the shaper lets through
    /// what keeps `bucket`.
    Shaped {
        /// In ps.
        wait: f64,
        /// In ps.
        span: f64,
        /// Of the reservation.
        bucket: Bucket,
    },
}

/// Whether what a port promises depends on what its flows bring.
pub(super) fn is_shared(port: &Port<'_>) -> bool {
    match port.scheduler.guarantee() {
        Guarantee::RoundRobin => classes(port).len() > 1,
        Guarantee::Fifo
        | Guarantee::Classes
        | Guarantee::Credits
        | Guarantee::Gates(_)
        | Guarantee::Shaped { .. } => true,
        Guarantee::Unknown
        | Guarantee::Stamps(_)
        | Guarantee::Weights(_)
        | Guarantee::Turns
        | Guarantee::Quanta { .. }
        | Guarantee::Slots { .. } => false,
    }
}

/// Its classes, the most urgent first.
fn classes(port: &Port<'_>) -> BTreeSet<u8> {
    port.members.iter().map(|member| member.class).collect()
}

/// How each flow gets over a port with [`is_shared`], or over plain round robin.
pub(super) fn crossings(port: &Port<'_>, came: &Came, run: f64) -> Vec<Result<Crossing, Reason>> {
    if let Some(reason) = hindrance(port) {
        return vec![Err(reason); port.members.len()];
    }
    match port.scheduler.guarantee() {
        Guarantee::RoundRobin => round_robin(port, came, run),
        Guarantee::Credits => credit_shaped(port, came, run),
        Guarantee::Shaped { max_residence } => shaped(port, came, max_residence, run),
        Guarantee::Fifo => in_classes(port, came, |_| 0, run),
        _ => in_classes(port, came, |member| member.class, run),
    }
}

/// What the flows that `counts` bring together, no faster than the links they come by.
pub(super) fn load(
    port: &Port<'_>,
    came: &Came,
    counts: impl Fn(&Member<'_>) -> bool,
) -> Result<Curve, Reason> {
    let mut inputs: BTreeMap<usize, (Bucket, Vec<Curve>)> = BTreeMap::new();
    let mut curves = Vec::new();
    let flows = port.members.iter().zip(&came.curves).zip(&came.feeds);
    for ((member, curve), feed) in flows.filter(|((member, _), _)| counts(member)) {
        let curve = curve.clone()?;
        let Some(feed) = feed else {
            curves.push(curve);
            continue;
        };
        let none = (Bucket { sigma: 0.0, rho: feed.rate }, Vec::new());
        let (bucket, of_input) = inputs.entry(feed.port).or_insert(none);
        bucket.sigma = bucket.sigma.max(member.size.most().bits() as f64);
        of_input.push(curve);
    }
    let inputs = inputs.into_values().map(|(bucket, curves)| Curve::sum(curves).below(bucket));
    Ok(Curve::sum(curves.into_iter().chain(inputs)))
}

pub(super) fn overload(port: &Port<'_>) -> Reason {
    format!("the flows of `{}` may send more than it carries in the long run", port.name).into()
}

/// More than a share of one, beyond what floating-point numbers may err. What is let through
/// counts in the bound, over the length of the run.
pub(super) fn exceeds_one(share: f64) -> bool {
    share > 1.0 + 1e-9
}

fn in_classes(
    port: &Port<'_>,
    came: &Came,
    class: impl Fn(&Member<'_>) -> u8,
    run: f64,
) -> Vec<Result<Crossing, Reason>> {
    let mut classes = BTreeMap::new();
    let mut spans = BTreeMap::new();
    let mut span = |member: &Member<'_>| {
        let own = class(member);
        let least = member.size.least().bits();
        let found = spans.entry((own, least)).or_insert_with(|| {
            let loads = classes.entry(own).or_insert_with(|| {
                let above = load(port, came, |other| class(other) < own)?;
                let load = load(port, came, |other| class(other) == own)?;
                Ok((load, above))
            });
            let (load, above) = loads.as_ref().map_err(Reason::clone)?;
            let low = port.longest(|other| class(other) > own).most;
            behind(port, load, above, low, least as f64, run)
        });
        found.clone().map(Crossing::Span)
    };
    port.members.iter().map(&mut span).collect()
}

/// Eq. (1), for each line of the curve of the classes above; the least.
fn behind(
    port: &Port<'_>,
    load: &Curve,
    above: &Curve,
    low: f64,
    least: f64,
    run: f64,
) -> Result<f64, Reason> {
    if exceeds_one(port.exact * (load.rate() + above.rate())) {
        return Err(overload(port));
    }
    let span = |above: Bucket| {
        let left = 1.0 - port.per_bit * above.rho;
        let blocked = low + port.control + port.per_bit * (above.sigma - least);
        let span = |bits: f64, span: f64| (blocked + port.per_bit * bits) / left - span;
        (left > 0.0).then(|| greatest(load, run, span) + port.per_bit * least)
    };
    above.buckets().filter_map(span).reduce(f64::min).ok_or_else(|| overload(port))
}

/// The greatest of `of(A(t), t)` over spans t of the run: at a bend or at the end, as A is concave.
fn greatest(curve: &Curve, run: f64, of: impl Fn(f64, f64) -> f64) -> f64 {
    curve.bends(run).map(|(t, bits)| of(bits, t)).fold(f64::NEG_INFINITY, f64::max)
}

/// Eq. (2).
fn round_robin(port: &Port<'_>, came: &Came, run: f64) -> Vec<Result<Crossing, Reason>> {
    let mut rounds = BTreeMap::new();
    let mut server = |(index, member): (usize, &Member<'_>)| {
        let own = member.class;
        let (round, same, low, above) = rounds.entry(own).or_insert_with(|| {
            let same = port.members.iter().filter(|other| other.class == own);
            let round: f64 = same.map(|other| other.longest).sum();
            let same = port.longest(|other| other.class == own);
            let low = port.longest(|other| other.class > own).most;
            let above = load(port, came, |other| other.class < own);
            (round, same, low, above.map(|above| above.bucket_at(run)))
        });
        let above = above.clone()?;
        let left = 1.0 - port.per_bit * above.rho;
        if left <= 0.0 {
            return Err(overload(port));
        }
        let others = *round - member.longest;
        let least = member.size.least().bits() as f64;
        let wait = same.but(index).max(*low) + port.control + port.per_bit * above.sigma;
        Ok(Crossing::Server(Server {
            per_bit: (port.per_bit_of(member) + others / least) / left,
            exact: (port.exact + exactly(port, others) / least) / left,
            largest: (member.longest + others) / left,
            latency: wait / left,
            admits: None,
        }))
    };
    port.members.iter().enumerate().map(&mut server).collect()
}

/// What is known of one class of a credit-based shaper.
#[derive(Clone, Debug)]
struct Shaper {
    /// I, in bits per ps; 0: no shaper.
    idle: f64,
    /// W, in ps, and the sums over the classes above of I_h and of hi_h - lo_h.
    wait: f64,
    above: (f64, f64),
    load: Result<Curve, Reason>,
}

/// Eqs. (3) to (6).
fn credit_shaped(port: &Port<'_>, came: &Came, run: f64) -> Vec<Result<Crossing, Reason>> {
    let rate = per_picosecond(port.rate);
    let mut shapers: BTreeMap<u8, Shaper> = BTreeMap::new();
    let (mut slopes, mut swing, mut reserved) = (0.0, 0.0, 0);
    let mut free = None;
    for class in classes(port) {
        let of_class = || port.members.iter().zip(&port.shares).filter(|(m, _)| m.class == class);
        let slope = of_class().filter_map(|(_, share)| share.reservation);
        let slope: u128 = slope.map(|reservation| u128::from(reservation.rate.bps())).sum();
        // One that fills the link is none: as the machine has it.
        let shaped = slope < u128::from(port.rate.bps());
        let idle = if shaped { slope as f64 / Picos::PER_SECOND as f64 } else { 0.0 };
        reserved += slope;
        let low = port.longest(|other| other.class > class).most;
        let wait = (low * rate + swing) / (rate - slopes);
        let load = match &free {
            Some(free) => Err(format!(
                "on `{}` the more urgent class {free} has no shaper, and may take all of it",
                port.name
            )
            .into()),
            None if shaped && reserved > u128::from(port.rate.bps()) => {
                Err(format!("more is reserved on `{}` than it carries", port.name).into())
            }
            None => load(port, came, |member| member.class == class),
        };
        shapers.insert(class, Shaper { idle, wait, above: (slopes, swing), load });
        if idle == 0.0 {
            free = Some(class);
        }
        let longest = of_class().map(|(member, _)| member.longest).fold(0.0, f64::max);
        slopes += idle;
        swing += idle * wait + (rate - idle) * longest;
    }
    let span = |member: &Member<'_>| {
        let shaper = &shapers[&member.class];
        let least = member.size.least().bits() as f64;
        shaper_span(port, shaper, least, run).map(Crossing::Span)
    };
    port.members.iter().map(span).collect()
}

fn shaper_span(port: &Port<'_>, shaper: &Shaper, least: f64, run: f64) -> Result<f64, Reason> {
    let load = shaper.load.as_ref().map_err(Clone::clone)?;
    let rate = per_picosecond(port.rate);
    let (slopes, swing) = shaper.above;
    let left = 1.0 - slopes / rate;
    if left <= 0.0 {
        return Err(overload(port));
    }
    let (share, wait, less) = if shaper.idle > 0.0 {
        (shaper.idle / rate, shaper.wait + 2.0, least * (1.0 / shaper.idle - 1.0 / rate))
    } else {
        let low = (shaper.wait * (rate - slopes) - swing) / rate;
        (left, (low + swing / rate) / left, 0.0)
    };
    if exceeds_one(port.exact * load.rate() / share) {
        return Err(overload(port));
    }
    let burst = greatest(load, run, |bits, span| port.per_bit * bits / share - span);
    Ok(burst + wait - less)
}

/// Eq. (7).
fn shaped(
    port: &Port<'_>,
    came: &Came,
    max_residence: Option<Picos>,
    run: f64,
) -> Vec<Result<Crossing, Reason>> {
    let bucket_of = |reservation: &Reservation| {
        let rho = per_picosecond(reservation.rate);
        Bucket { sigma: reservation.burst.bits() as f64 + rho, rho }
    };
    // What may go: no link holds that back.
    let curves = port.shares.iter().zip(&came.curves).map(|(share, curve)| {
        share.reservation.map_or(curve.clone(), |r| Ok(Curve::of(&[bucket_of(&r)])))
    });
    let eligible = Came { curves: curves.collect(), feeds: vec![None; port.members.len()] };
    // The same for all of a class, as the shapers of the next node need it.
    let spans: BTreeMap<u8, Result<f64, Reason>> = classes(port)
        .into_iter()
        .map(|class| {
            let same = port.members.iter().filter(|member| member.class == class);
            let least = same.map(|member| member.size.least().bits()).min().unwrap_or(0);
            let span = load(port, &eligible, |other| other.class < class).and_then(|above| {
                let load = load(port, &eligible, |other| other.class == class)?;
                let low = port.longest(|other| other.class > class).most;
                behind(port, &load, &above, low, least as f64, run)
            });
            (class, span)
        })
        .collect();
    let groups = groups(port, came, run);
    let crossing = |(index, member): (usize, &Member<'_>)| {
        let span = spans[&member.class].clone()?;
        let Some(reservation) = port.shares[index].reservation else {
            return Ok(Crossing::Span(span));
        };
        let group = &groups[&(port.shares[index].input, member.class)];
        let most = max_residence.map(|most| most.0 as f64);
        let wait = match (group, most) {
            (Ok(wait), Some(most)) => wait.min(most),
            (Ok(wait), None) => *wait,
            (Err(_), Some(most)) => most,
            (Err(reason), None) => return Err(reason.clone()),
        };
        Ok(Crossing::Shaped { wait, span, bucket: bucket_of(&reservation) })
    };
    port.members.iter().enumerate().map(crossing).collect()
}

/// For each group of shaped flows, by input and class: how long its shapers hold a packet, over
/// what the port before may take.
fn groups(port: &Port<'_>, came: &Came, run: f64) -> BTreeMap<(u32, u8), Result<f64, Reason>> {
    let mut members: BTreeMap<(u32, u8), Vec<usize>> = BTreeMap::new();
    for (index, share) in port.shares.iter().enumerate() {
        if share.reservation.is_some() {
            members.entry((share.input, share.class)).or_default().push(index);
        }
    }
    let group = |flows: &Vec<usize>| {
        let rounding = flows.iter().map(|flow| roundings(port, *flow, run)).sum::<f64>();
        let feed = came.feeds[flows[0]].as_ref().map(|feed| feed.scheduler.guarantee());
        if matches!(feed, Some(Guarantee::Shaped { .. })) {
            return Ok(rounding);
        }
        let mut most = 0.0_f64;
        for flow in flows {
            let reservation = port.shares[*flow].reservation.expect("flows of a group have one");
            let own = Bucket {
                sigma: reservation.burst.bits() as f64,
                rho: per_picosecond(reservation.rate),
            };
            let curve = came.curves[*flow].clone()?;
            let slower = curve.buckets().filter(|bucket| !exceeds_one(bucket.rho / own.rho));
            let wait = slower.map(|bucket| ((bucket.sigma - own.sigma) / own.rho).max(0.0));
            let wait = wait.reduce(f64::min).ok_or_else(|| {
                Reason::from(format!(
                    "a flow may send more than it has reserved on `{}`",
                    port.name
                ))
            })?;
            most = most.max(wait);
        }
        if most > 1e-6 && flows.len() > 1 {
            return Err(format!(
                "several flows share a shaper of `{}`, and not all keep their buckets on arrival",
                port.name
            )
            .into());
        }
        Ok(most + rounding)
    };
    members.iter().map(|(key, flows)| (*key, group(flows))).collect()
}

/// How often an eligible time of the flow may be rounded up, by less than a picosecond each.
fn roundings(port: &Port<'_>, flow: usize, run: f64) -> f64 {
    let member = &port.members[flow];
    let Some(reservation) = port.shares[flow].reservation else { return 0.0 };
    let whole = |size: &SizeLaw| is_whole(reservation.rate, size);
    if whole(member.size) && whole(&SizeLaw::Fixed(reservation.burst)) {
        return 0.0;
    }
    let bits = reservation.burst.bits() as f64 + per_picosecond(reservation.rate) * run;
    bits / member.size.least().bits() as f64
}
