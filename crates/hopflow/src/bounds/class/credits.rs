//! The promise of a port with credit-based shapers to the flows of a class.
//!
//! ```text
//! for a class of idle slope I:
//!   D = max over u of (k C A(u) / I - u) + W - l (1 / I - 1 / C)                 (3)
//!   W = (Tlow C + sum of (hi_h - lo_h)) / (C - sum of I_h)                       (4)
//!   hi = I W,   lo = -(C - I) Tmax                                               (5)
//! for a class without shaper:
//!   D = max over u of (Tlow + k A(u) + sum of (hi_h - lo_h) / C)
//!                     / (1 - sum of I_h / C) - u                                 (6)
//! ```
//! | symbol     | meaning                                                       | unit        |
//! |------------|---------------------------------------------------------------|-------------|
//! | C          | rate of the link                                              | bits per ps |
//! | hi, lo     | the most and the least credit of a class                      | bits        |
//! | W          | the longest wait of a class with credit                       | ps          |
//!
//! The other symbols are those of `class.rs`. Bits here are those of the link, overhead included: a
//! class pays for it, and k C A(u) counts it.
//!
//! (3) to (5): a class sends I t - c bits in a span of t that begins with no credit, and W bounds
//! c; see `cbs.rs`. A class with credit waits for Tlow and for the classes above, which in t send
//! I_h t + hi_h - lo_h at most; the slopes must not add up to more than C.
//!
//! Source: derived here. Checked by: `bounds/tests.rs`.

use std::collections::BTreeMap;

use hopflow_control::scheduler::cbs::slope;
use hopflow_units::Picos;

use super::super::Reason;
use super::super::contract::per_picosecond;
use super::super::curve::Curve;
use super::super::port::{Member, Port};
use super::{Crossing, Inputs, classes, exceeds_one, greatest, load, overload};

/// One class of a credit-based shaper.
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
pub(super) fn crossings(
    port: &Port<'_>,
    inputs: &Inputs,
    run: f64,
) -> Vec<Result<Crossing, Reason>> {
    let rate = per_picosecond(port.rate);
    let mut shapers: BTreeMap<u8, Shaper> = BTreeMap::new();
    let (mut slopes, mut swing, mut reserved) = (0.0, 0.0, 0);
    let mut free = None;
    for class in classes(port) {
        let of_class = || port.members.iter().zip(&port.shares).filter(|(m, _)| m.class == class);
        let slope: u128 =
            of_class().map(|(_, share)| u128::from(slope(share, port.overhead))).sum();
        // A slope that fills the link means no shaper, as in the scheduler.
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
            None => load(port, inputs, |member| member.class == class),
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
        let least = (member.size.least().bits() + port.overhead.bits()) as f64;
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
