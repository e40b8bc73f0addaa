//! What a port with asynchronous traffic shaping (ATS) promises to its flows.
//!
//! ```text
//! D: Eq. (1) of `class.rs`, from when a packet may go, each shaped flow with its own bucket    (7)
//! ```
//! (7): a shaper adds nothing to the greatest delay of the port before it, if that port serves in
//! the order in which the same shapers let packets go ([LB18]); nor does it hold a packet of flows
//! that all keep their buckets as they come. Else only a flow alone in its group, or a limit on
//! the residence, has a bound here.
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
use super::{Came, Crossing, behind, classes, exceeds_one, load};

/// Eq. (7).
pub(super) fn crossings(
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
