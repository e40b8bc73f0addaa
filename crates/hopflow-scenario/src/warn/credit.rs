//! Credit that is smaller than its loop, and lane credit that leaks away with lost data.

use std::ops::Range;

use hopflow_network::{
    Change, CreditLanes, CreditSpec, DirectionId, HopControl, HopSpec, LaneNumbers, NetworkSpec,
    VcSpec,
};
use hopflow_units::{Bytes, Picos, Probability, Rate};

use crate::Code;
use crate::build::Built;
use crate::credit_loop::CreditLoop;
use crate::diagnostic::Sink;
use crate::keys::Key;
use crate::keys::control::{ALLOW_SMALL_N3, CONTROL_KEY, TARGET};
use crate::naming::direction;
use crate::offered::source_bps;

/// A loss of less than this share of a rate is not worth a word.
const MINOR: f64 = 0.01;
/// Digits of a rate that is worked out.
pub(super) const DIGITS: u32 = 3;
/// Keys of a control that say how much credit is meant.
const MEANT: [Key; 2] = [TARGET.key, ALLOW_SMALL_N3.key];

/// Notes every warning about credit.
pub(super) fn check(built: &Built, sink: &mut Sink) {
    let shares = Shares::new(&built.network);
    small_n3(built, &shares, sink);
    small_lanes(built, &shares, sink);
    beyond_device(built, sink);
    leaking_lanes(built, sink);
}

/// By link direction: how many greedy flows cross it.
struct Shares<'a> {
    network: &'a NetworkSpec,
    greedy: Vec<u32>,
}

impl Shares<'_> {
    fn new(network: &NetworkSpec) -> Shares<'_> {
        let mut greedy = vec![0; network.direction_count()];
        for vc in network.vcs.iter().filter(|vc| vc.source.is_greedy()) {
            vc.hops.iter().for_each(|hop| greedy[hop.direction_id().0] += 1);
        }
        Shares { network, greedy }
    }

    /// What a flow may send in b/s if every link of its path is shared equally by its greedy flows:
    /// no more than its fair share. `None` where its source, or a window or a rate, decides.
    fn of(&self, vc: &VcSpec) -> Option<u64> {
        if vc.window.is_some() || vc.rate.is_some() {
            return None;
        }
        let greedy = vc.source.is_greedy();
        let of_source = if greedy { Some(u64::MAX) } else { source_bps(vc, self.network) };
        let of_hop = |hop: &HopSpec| {
            let id = hop.direction_id();
            let count = if greedy { self.greedy[id.0].max(1) } else { 1 };
            self.network.direction(id).rate.bps() / u64::from(count)
        };
        Some(vc.hops.iter().map(of_hop).fold(of_source?, u64::min))
    }
}

pub(super) fn is_minor(reached: u64, goal: u64) -> bool {
    reached as f64 >= (1.0 - MINOR) * goal as f64
}

/// Greedy flows that their own credit holds below their share of the links of their path.
fn small_n3(built: &Built, shares: &Shares<'_>, sink: &mut Sink) {
    let network = &built.network;
    for (vc, index) in network.vcs.iter().zip(0..) {
        let meant = MEANT.iter().any(|key| built.vc_origins.has(index, key));
        let greedy = vc.source.is_greedy() && !meant;
        let share = shares.of(vc).filter(|_| greedy).and_then(Rate::from_bps);
        let Some(share) = share else { continue };
        let children = vc.children();
        let hops = vc.hops.iter().zip(&children);
        let held = hops.filter_map(|(hop, next)| {
            let HopControl::Credit(spec) = hop.control else { return None };
            let next = next.iter().map(|next| vc.hops[*next].direction_id()).collect::<Vec<_>>();
            let (reached, message, n3) = held_below(vc, hop, spec, &next, share, network)?;
            Some((reached, hop.direction_id().0, message, n3))
        });
        let Some((reached, _, message, n3)) = held.min() else { continue };
        let message =
            format!("N3 of `{}` {message}: it gets about {}", vc.name, rate_text(reached));
        let hint = format!(
            "raise `n3` to {n3}, leave it out, or set `allow-small-n3 = true` if you mean it"
        );
        let place = built.vc_origins.key(index, &CONTROL_KEY);
        sink.warning(Code::BELOW_LOOP, place, message).hint(hint);
    }
}

/// What a flow reaches on a hop in b/s, what its N3 is and what is needed, if that is more.
fn held_below(
    vc: &VcSpec,
    hop: &HopSpec,
    spec: CreditSpec,
    next: &[DirectionId],
    target: Rate,
    network: &NetworkSpec,
) -> Option<(u64, String, u64)> {
    if spec.scheme.facts().shares_buffer() || spec.scheme.external().is_some() {
        return None;
    }
    let (id, size) = (hop.direction_id(), &vc.traffic.size);
    let round_trip = network.loop_time(hop.link);
    let [least, most] = [size.least(), size.most()];
    let wire = network.direction(id).wire();
    let law = CreditLoop { wire, round_trip, unit: spec.unit, least, most };
    let holds = next.iter().map(|id| network.transmit_time(*id, most));
    let lane = law.lane(target, spec.n2, holds.max().unwrap_or(Picos::ZERO));
    let promised = u64::from(spec.n2.0) + u64::from(spec.n3.0);
    let need = lane.need().ok().filter(|need| need.blocks > promised)?;
    let n3 = law.n3(target, spec.n2)?.max(need.blocks - u64::from(spec.n2.0));
    let unit = match spec.unit {
        Bytes::CELL => "cells".to_owned(),
        Bytes(bytes) => format!("units of {bytes} B"),
    };
    let message = format!(
        "on `{}` is {}, but a loop of {} at {} has {n3} {unit}",
        direction(network, id),
        spec.n3.0,
        law.round_trip_of_packet(),
        target.rounded(DIGITS)
    );
    // Where sizes differ, the rate depends on their order: only what no order reaches counts.
    let reached = if least == most {
        lane.reached_bps(promised)
    } else {
        let bits = u128::from(promised) * u128::from(spec.unit.bits());
        let bps = bits * u128::from(Picos::PER_SECOND) / u128::from(need.round_trip.0.max(1));
        u64::try_from(bps).unwrap_or(u64::MAX)
    };
    (!is_minor(reached, lane.goal_bps())).then_some((reached, message, n3))
}

/// Lanes whose buffer is less than a loop of what their flows may send.
fn small_lanes(built: &Built, shares: &Shares<'_>, sink: &mut Sink) {
    let network = &built.network;
    let lanes = CreditLanes::new(network);
    let mut wanted: Option<Vec<Vec<u128>>> = None;
    for (id, lane, promise) in lanes.used() {
        let shared = &built.links.shared[id.link()][id.side()];
        if shared.allow_small_buffer {
            continue;
        }
        let wanted = wanted.get_or_insert_with(|| wants(network, shares, lanes.numbers()));
        let rate = network.direction(id).rate;
        let wants = wanted[id.0][usize::from(lane)].min(u128::from(rate.bps())) as u64;
        let Some(target) = Rate::from_bps(wants) else { continue };
        let Some(best) = lanes.least(id, lane, target) else { continue };
        let Some(worst) = lanes.link(id, lane, target) else { continue };
        let Ok(need) = worst.need() else { continue };
        let buffer = u64::from(promise.buffer);
        // Credits that are spaced wait for some part of the spacing; others rarely wait.
        let is_spaced = promise.spacing > Picos::ZERO;
        let (least, reached) = if lanes.is_of_one_size(id, lane) {
            let judged = if is_spaced { &worst } else { &best };
            let Ok(need) = judged.need() else { continue };
            (need.blocks, Some(judged.reached_bps(buffer)))
        } else {
            (best.round_trip().map_or(0, |span| best.blocks_of_bytes(span)), None)
        };
        if buffer >= least || reached.is_some_and(|bps| is_minor(bps, best.goal_bps())) {
            continue;
        }
        let message = format!(
            "the credits of {} of `{}` are {buffer} blocks of {} B, but a loop of {} at {} needs \
             {}: {}",
            lanes.numbers().words(network, id, lane),
            direction(network, id),
            promise.block.0,
            need.round_trip,
            target.rounded(DIGITS),
            need.blocks,
            match reached {
                Some(bps) if is_spaced => {
                    let most = rate_text(best.reached_bps(buffer));
                    format!("it carries from {} to {most}", rate_text(bps))
                }
                Some(bps) => format!("it carries {} at most", rate_text(bps)),
                None => "its flows wait for credit".to_owned(),
            }
        );
        let hint = format!(
            "raise `buffer` to {}, or set `allow-small-buffer = true` in `lanes` if you mean it",
            need.blocks
        );
        sink.warning(Code::BELOW_LOOP, &shared.size_span, message).hint(hint);
    }
}

/// Lanes that promise more than a device can: totals of [IBA] have 12 bits.
fn beyond_device(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    let lanes = CreditLanes::new(network);
    for (id, lane, promise) in lanes.used() {
        let shared = &built.links.shared[id.link()][id.side()];
        let Some(most) = promise.device_most.filter(|most| promise.buffer > *most) else {
            continue;
        };
        let rate = network.direction(id).rate;
        let Some(best) = lanes.least(id, lane, rate).filter(|_| !shared.allow_large_buffer) else {
            continue;
        };
        let reached = best.reached_bps(u64::from(most));
        let carried = if lanes.is_of_one_size(id, lane) {
            format!(
                ", with which the lane carries {}, {:.1} % of what the link leaves for it",
                rate_text(reached),
                100.0 * reached as f64 / best.goal_bps() as f64
            )
        } else {
            String::new()
        };
        let message = format!(
            "the credits of {} of `{}` are {} blocks of {} B, but the totals of InfiniBand have \
             12 bits: a device promises {most} blocks at most{carried}",
            lanes.numbers().words(network, id, lane),
            direction(network, id),
            promise.buffer,
            promise.block.0,
        );
        let hint = format!(
            "set `buffer` to {most} or less, or `allow-large-buffer = true` in `lanes` if the \
             device counts further"
        );
        sink.warning(Code::BEYOND_DEVICE, &shared.size_span, message).hint(hint);
    }
}

/// By link direction and lane: what flows that nothing else holds may send together, in b/s.
fn wants(network: &NetworkSpec, shares: &Shares<'_>, lanes: &LaneNumbers) -> Vec<Vec<u128>> {
    let ids = (0..network.direction_count()).map(DirectionId);
    let mut wants: Vec<Vec<u128>> = ids.map(|id| vec![0; lanes.count(id)]).collect();
    for (index, vc) in network.vcs.iter().enumerate() {
        let credit = |hop: &HopSpec| hop.control != HopControl::None;
        let Some(bps) = shares.of(vc).filter(|_| !vc.hops.iter().any(credit)) else { continue };
        for id in vc.hops.iter().map(HopSpec::direction_id) {
            if let Some(lane) = lanes.of_vc(id, index, false) {
                wants[id.0][usize::from(lane)] += u128::from(bps);
            }
        }
    }
    wants
}

/// Lanes that lose data, with nothing to tell the receiver what was lost: Eq. (3) of
/// `lane/credit.rs` needs credits of the same lane the other way.
fn leaking_lanes(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    let lanes = CreditLanes::new(network);
    for (id, lane, promise) in lanes.used() {
        let Some(chance) = losses(network, id) else { continue };
        let back = id.reverse();
        let repairs = lanes.promise(back).is_some_and(|other| {
            let is_there = lanes.numbers().get(back, lane).is_some();
            is_there && (other.is_refreshed || lanes.is_used(back, lane))
        });
        if repairs {
            continue;
        }
        let message = format!(
            "{} of `{}` loses {:.3} % of its packets, and the receiver does not learn of them: \
             their blocks never come back, and the lane stalls once all {} are gone",
            lanes.numbers().words(network, id, lane),
            direction(network, id),
            chance.as_f64() * 100.0,
            promise.buffer
        );
        let hint = "set `refresh` in `lanes` of both directions, such as the loop of the link";
        let span: &Range<usize> = &built.links.shared[id.link()][id.side()].span;
        sink.warning(Code::LEAKING_LANE, span, message).hint(hint);
    }
}

/// The greatest chance with which data on a link direction is lost in the run, above 0.
fn losses(network: &NetworkSpec, id: DirectionId) -> Option<Probability> {
    let later = network.events.iter().filter(|event| {
        DirectionId::new(event.link, event.direction) == id && event.at.0 < network.duration.0
    });
    let later = later.filter_map(|event| match event.change {
        Change::CorruptData(chance) => Some(chance),
        _ => None,
    });
    let all = std::iter::once(network.direction(id).corrupt_data).chain(later);
    all.filter(|chance| !chance.is_zero()).max_by(|a, b| a.as_f64().total_cmp(&b.as_f64()))
}

/// A rate in b/s that is worked out, perhaps none.
fn rate_text(bps: u64) -> String {
    Rate::text(bps, DIGITS, "nothing")
}
