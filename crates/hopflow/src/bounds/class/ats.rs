//! The promise of a port with asynchronous traffic shaping (ATS) to its flows.
//!
//! ```text
//! D: Eq. (1) of `class.rs`, from eligibility on, each shaped flow with its own bucket          (7)
//! ```
//! (7): a shaper does not increase the greatest delay of the port before it, if that port serves in
//! the order in which the same shapers release packets ([LB18]); nor does it hold a packet of flows
//! that all conform to their buckets on arrival. Else there is a bound only for a flow alone in its
//! group, or with a limit on the residence.
//!
//! Source: [LB18]. Checked by: `bounds/tests.rs`.

use std::collections::BTreeMap;

use hopflow_control::scheduler::{Guarantee, Reservation};
use hopflow_network::SizeLaw;
use hopflow_units::Picos;

use super::super::Reason;
use super::super::contract::{Bucket, is_whole, per_picosecond};
use super::super::curve::Curve;
use super::super::port::{Member, Port};
use super::{Crossing, Inputs, behind, classes, exceeds_one, load};

/// Eq. (7).
pub(super) fn crossings(
    port: &Port<'_>,
    inputs: &Inputs,
    max_residence: Option<Picos>,
    run: f64,
) -> Vec<Result<Crossing, Reason>> {
    let bucket_of = |reservation: &Reservation| {
        let rho = per_picosecond(reservation.rate);
        Bucket { sigma: reservation.burst.bits() as f64 + rho, rho }
    };
    // The eligible packets, which no link limits.
    let curves = port.shares.iter().zip(&inputs.curves).map(|(share, curve)| {
        share.reservation.map_or(curve.clone(), |r| Ok(Curve::of(&[bucket_of(&r)])))
    });
    let eligible = Inputs { curves: curves.collect(), feeds: vec![None; port.members.len()] };
    // One span for all flows of a class, as the shapers of the next node require.
    let spans: BTreeMap<u8, Result<f64, Reason>> = classes(port)
        .into_iter()
        .map(|class| {
            let same = port.members.iter().filter(|member| member.class == class);
            let least = same.map(|member| port.least_of(member)).reduce(f64::min).unwrap_or(0.0);
            let span = load(port, &eligible, |other| other.class < class).and_then(|above| {
                let load = load(port, &eligible, |other| other.class == class)?;
                let low = port.longest(|other| other.class > class).most;
                behind(port, &load, &above, low, least, run)
            });
            (class, span)
        })
        .collect();
    let groups = groups(port, inputs, run);
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

/// For each group of shaped flows, by input and class: the time for which its shapers hold a
/// packet, beyond the delay of the port before.
fn groups(port: &Port<'_>, inputs: &Inputs, run: f64) -> BTreeMap<(u32, u8), Result<f64, Reason>> {
    let mut members: BTreeMap<(u32, u8), Vec<usize>> = BTreeMap::new();
    for (index, share) in port.shares.iter().enumerate() {
        if share.reservation.is_some() {
            members.entry((share.input, share.class)).or_default().push(index);
        }
    }
    let group = |flows: &Vec<usize>| {
        let rounding = flows.iter().map(|flow| roundings(port, *flow, run)).sum::<f64>();
        let feed = inputs.feeds[flows[0]].as_ref().map(|feed| feed.scheduler.guarantee());
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
            let curve = inputs.curves[*flow].clone()?;
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

/// The number of roundings of eligible times of the flow, each by less than a picosecond.
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
