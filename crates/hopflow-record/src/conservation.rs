//! Conservation: no cell appears or vanishes. Every cell that entered a place left it, was
//! discarded or is still there, for every VC, branch and kind of cell.
//!
//! ```text
//! made           = policed + lost + left + held        hop 0, at the source host           (1)
//! taken in       = lost + left + held                  any other hop, at a switch          (2)
//! started        = left + (1 when one is in transmission)                                 (3)
//! started        = taken in + corrupted + dropped + in flight                             (4)
//! taken in       = delivered + held for work           last hop of a branch               (5)
//! credits started = taken in + corrupted + in flight      frames of lanes too             (6)
//! ACKs made       = came back + queued + in flight + lost                                (7)
//! ```
//! Forward RM cells created by the (virtual) source of a hop are "made" in (1) and added to "taken
//! in" in (2); those turned around at its receiving end are subtracted from "taken in" in (2) and
//! (5). Backward RM cells count as ACKs in (7), those that switches create too; those that end at a
//! virtual source count as come back.
//! Units that a host holds for its processor are counted per host, so (5) is checked per branch as
//! "not less" where a host works on what it receives, and per host as "equal".
//! "Lost" is given up or pushed out; "held" includes the cell in transmission. So over a whole
//! VC: made = delivered + policed + given up + pushed out + dropped + corrupted + held + in flight.
//! Cells in flight are counted per link direction, so (4) and (6) are checked per hop as "not less"
//! and per link direction as "equal". Lost ACKs, arriving requests, messages (slow-downs, and those
//! about reservations) in flight and loop cells are not counted individually: if they can occur,
//! "equal" becomes "not less". The laws of reservations are in `conservation/reservations.rs`.

mod reservations;

use std::collections::BTreeMap;

use hopflow_network::{
    Change, DirectionId, HopControl, NetworkSpec, NodeSpec, RoundTrip, RunCounters,
    counters::HopCounters,
};
use hopflow_units::{Bytes, Picos};
use reservations::Reservations;
use thiserror::Error;

/// Cells that appeared or vanished: the two sides of an equation that should hold.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {law}: {left} against {right}")]
pub(crate) struct Imbalance {
    /// The VC and hop, the link direction or the node.
    pub(crate) place: String,
    /// The violated law.
    pub(crate) law: &'static str,
    /// Its left side: cells, unless the law names another unit.
    pub(crate) left: u64,
    /// Its right side.
    pub(crate) right: u64,
}

/// The laws of conservation, checked for some VCs at a time; then for links and nodes.
#[derive(Debug)]
pub(crate) struct Balance<'n> {
    /// Names of link directions.
    names: &'n [String],
    /// The sums over all hops, by link direction.
    sums: Vec<Sum>,
    /// By link direction: whether ACK cells may cross it.
    acks: Vec<bool>,
    /// Eq. (7): ACKs created, and those that came back.
    made: u64,
    found: u64,
    /// By node: cells of VCs held there, and whether ACK cells may be.
    held: Vec<(u64, bool)>,
    reservations: Reservations,
    /// By node: units taken in by VCs that end there, and not delivered.
    undelivered: Vec<u64>,
}

impl<'n> Balance<'n> {
    /// The balance before any VC. `names` are those of link directions.
    pub(crate) fn new(spec: &NetworkSpec, names: &'n [String]) -> Balance<'n> {
        Balance {
            names,
            sums: vec![Sum::default(); spec.direction_count()],
            acks: vec![false; spec.direction_count()],
            made: 0,
            found: 0,
            held: vec![(0, false); spec.nodes.len()],
            reservations: Reservations::new(spec),
            undelivered: vec![0; spec.nodes.len()],
        }
    }

    /// Adds the VCs of `spec` and `counters`, and checks each.
    pub(crate) fn take(
        &mut self,
        spec: &NetworkSpec,
        counters: &RunCounters,
    ) -> Result<(), Imbalance> {
        let check = Check { spec, counters, names: self.names };
        for vc in 0..spec.vcs.len() {
            for hop in 0..spec.vcs[vc].hops.len() {
                check.hop(vc, hop)?;
            }
            check.leaves(vc)?;
            self.reservations.take(&spec.vcs[vc], &counters.vcs[vc])?;
        }
        for vc in 0..spec.vcs.len() {
            add_hops(&mut self.sums, spec, counters, vc);
            self.add_acks_and_held(spec, counters, vc);
        }
        Ok(())
    }

    fn add_acks_and_held(&mut self, spec: &NetworkSpec, counters: &RunCounters, vc: usize) {
        let (vc_spec, count) = (&spec.vcs[vc], &counters.vcs[vc]);
        self.made += count.ack_cells;
        self.found += count.acked_cells;
        // ACKs of loops inside the network.
        let inner = count.hops.iter().rev().skip(1);
        self.made += inner.map(|hop| hop.rate.turned_around).sum::<u64>();
        let inner = count.hops.iter().skip(1);
        self.found += inner.map(|hop| hop.rate.backward_taken).sum::<u64>();
        self.made += count.hops.iter().map(|hop| hop.rate.backward_made).sum::<u64>();
        for (node, cells) in held(spec, counters, vc) {
            self.held[node].0 += cells;
        }
        for (hop, leaf) in spec.leaves(vc).into_iter().zip(&count.leaves) {
            let node = spec.to_node(vc_spec.hops[hop].direction_id());
            let taken = count.hops[hop].received_packets - count.hops[hop].rate.turned_around;
            self.undelivered[node] += taken - leaf.delivered_packets;
        }
        if vc_spec.has_way_back() {
            for hop in &vc_spec.hops {
                self.acks[hop.direction_id().reverse().0] = true;
                self.held[spec.to_node(hop.direction_id())].1 = true;
            }
        }
    }

    /// Checks links, ACKs and nodes, after all VCs.
    pub(crate) fn close(
        mut self,
        spec: &NetworkSpec,
        counters: &RunCounters,
    ) -> Result<(), Imbalance> {
        for (id, count) in counters.directions.iter().enumerate() {
            let back = &mut self.sums[DirectionId(id).reverse().0];
            for lane in &count.lanes {
                back.control_started += lane.frames_sent;
                let arrived = lane.frames_taken + lane.frames_corrupted;
                back.credits_in_flight += lane.frames_sent - arrived;
            }
        }
        for index in 0..self.sums.len() {
            self.direction(spec, counters, DirectionId(index))?;
        }
        self.all_acks(spec, counters)?;
        self.nodes(spec, counters)
    }
}

/// Data and control cells of all hops that use a link direction.
#[derive(Clone, Debug, Default)]
struct Sum {
    data_started: u64,
    data_in_flight: u64,
    held: u64,
    control_started: u64,
    credits_in_flight: u64,
    /// Credits that shared the cell of another.
    shared: u64,
    requests: u64,
    /// Slow-downs of downstream hops, and messages about reservations, each of which may have
    /// started here, once.
    messages: u64,
}

struct Check<'a> {
    spec: &'a NetworkSpec,
    counters: &'a RunCounters,
    names: &'a [String],
}

/// Packets that arrived at the receiving end, including lost ones.
fn arrived(hop: &HopCounters) -> u64 {
    hop.received_packets + hop.corrupted_packets + hop.dropped_packets
}

impl Check<'_> {
    fn hop(&self, vc: usize, hop: usize) -> Result<(), Imbalance> {
        let spec = &self.spec.vcs[vc].hops[hop];
        let place = || {
            let name = &self.names[spec.direction_id().0];
            format!("VC `{}` on `{name}`", self.spec.vcs[vc].name)
        };
        let count = &self.counters.vcs[vc].hops[hop];
        let entered = match spec.parent {
            None => self.counters.vcs[vc].created_packets,
            Some(parent) => {
                let before = &self.counters.vcs[vc].hops[parent];
                before.received_packets - before.rate.turned_around
            }
        };
        let came = entered + count.rate.forward_made;
        let policed = if hop == 0 { self.counters.vcs[vc].policed_packets } else { 0 };
        let lost = count.given_up_packets + count.pushed_out_packets;
        let went = policed + lost + count.left_packets + u64::from(count.fill_packets);
        equal(&place, "came in = policed + lost + left + held", came, went)?;
        let in_transmission = count.sent_packets.saturating_sub(count.left_packets).min(1);
        let started = count.left_packets + in_transmission;
        equal(&place, "started = left + in transmission", count.sent_packets, started)?;
        let law = "started >= taken in + corrupted + dropped";
        at_least(&place, law, count.sent_packets, arrived(count))?;
        let law = "credits started >= credits in cells of others";
        at_least(&place, law, count.credits_sent, count.credits_shared)?;
        let law = "credits started >= taken in + corrupted";
        at_least(&place, law, count.credits_sent, count.credits_taken + count.credits_corrupted)?;
        let credits = match spec.control {
            HopControl::Credit(_) => 0,
            HopControl::None => count.credits_sent + count.request_cells,
        };
        equal(&place, "no credits without credit control", credits, 0)
    }

    fn leaves(&self, vc: usize) -> Result<(), Imbalance> {
        let leaves = self.spec.leaves(vc).into_iter().zip(&self.counters.vcs[vc].leaves);
        for (hop, leaf) in leaves {
            let id = self.spec.vcs[vc].hops[hop].direction_id();
            let node = &self.spec.nodes[self.spec.to_node(id)].name;
            let place = || format!("VC `{}` at host `{node}`", self.spec.vcs[vc].name);
            let count = &self.counters.vcs[vc].hops[hop];
            let taken = count.received_packets - count.rate.turned_around;
            let works = self.spec.receive_work(&self.spec.vcs[vc], hop) > Picos::ZERO;
            let compare: Compare = if works { at_least } else { equal };
            compare(&place, "taken in = delivered", taken, leaf.delivered_packets)?;
            let measured = leaf.delay.count();
            equal(&place, "delivered = delays measured", leaf.delivered_packets, measured)?;
            let size = &self.spec.vcs[vc].traffic.size;
            let bytes = |size: Bytes| leaf.delivered_packets.saturating_mul(size.0);
            let law = "delivered bytes >= cells x least size";
            at_least(&place, law, leaf.delivered_bytes, bytes(size.least()))?;
            let law = "cells x greatest size >= delivered bytes";
            at_least(&place, law, bytes(size.most()), leaf.delivered_bytes)?;
            if let Some(waiting) = &leaf.waiting {
                equal(&place, "delays measured = waiting measured", measured, waiting.count())?;
            }
        }
        Ok(())
    }
}

/// Adds the hops of a VC to the sums of link directions.
fn add_hops(sums: &mut [Sum], spec: &NetworkSpec, counters: &RunCounters, vc: usize) {
    let vc_spec = &spec.vcs[vc];
    for (hop, hop_spec) in vc_spec.hops.iter().enumerate() {
        let count = &counters.vcs[vc].hops[hop];
        let id = hop_spec.direction_id();
        let sum = &mut sums[id.0];
        sum.data_started += count.sent_packets;
        sum.data_in_flight += count.sent_packets - arrived(count);
        sum.held += u64::from(count.fill_packets);
        sum.control_started += count.request_cells;
        sum.requests += count.request_cells;
        let back = &mut sums[id.reverse().0];
        back.control_started += count.credits_sent - count.credits_shared;
        back.shared += count.credits_shared;
        back.credits_in_flight +=
            count.credits_sent - count.credits_taken - count.credits_corrupted;
        let before = |hop: &usize| vc_spec.hops[*hop].parent;
        for hop in std::iter::successors(hop_spec.parent, before) {
            let back = vc_spec.hops[hop].direction_id().reverse();
            sums[back.0].messages += count.slow_down_messages;
        }
        // A set-up and a release there, an answer back.
        let asked = counters.vcs[vc].set_up.asked;
        sums[id.0].messages += 2 * asked;
        sums[id.reverse().0].messages += asked;
    }
}

impl Balance<'_> {
    fn direction(
        &self,
        spec: &NetworkSpec,
        counters: &RunCounters,
        id: DirectionId,
    ) -> Result<(), Imbalance> {
        let place = || format!("link `{}`", self.names[id.0]);
        let (count, sum) = (&counters.directions[id.0], &self.sums[id.0]);
        let data: Compare = if self.acks[id.0] { at_least } else { equal };
        data(
            &place,
            "data cells started = those of its VCs",
            count.data_packets,
            sum.data_started,
        )?;
        let law = "data cells in flight = started - arrived";
        data(&place, law, count.data_in_flight, sum.data_in_flight)?;
        let queued = u64::from(count.queue_packets);
        data(&place, "cells at the port = those of its VCs", queued, sum.held)?;
        let measured = spec.links[id.link()].round_trip == RoundTrip::Measured;
        let uncounted = measured || sum.messages > 0;
        let control: Compare = if uncounted { at_least } else { equal };
        let law = "control cells started = credits + requests";
        control(&place, law, count.control_packets, sum.control_started)?;
        if !measured {
            let law = "credits + requests + messages >= control cells started";
            let most = sum.control_started + sum.messages;
            at_least(&place, law, most, count.control_packets)?;
        }
        if sum.shared > 0 {
            // A cell in flight has at least one credit.
            let law = "credits in flight >= their cells in flight";
            let is_known = !uncounted && sum.requests == 0;
            let cells = if is_known { count.control_in_flight } else { 0 };
            at_least(&place, law, sum.credits_in_flight, cells)?;
        } else {
            let flight: Compare = if uncounted || sum.requests > 0 { at_least } else { equal };
            let law = "control cells in flight = started - arrived";
            flight(&place, law, count.control_in_flight, sum.credits_in_flight)?;
        }
        self.reservations.close(spec, counters, id, &place)
    }

    /// Eq. (7), over all VCs: an ACK that is queued or in flight is not counted per VC. An ACK in
    /// transmission is counted at its port and on the wire, hence the slack of one per link.
    fn all_acks(&self, spec: &NetworkSpec, counters: &RunCounters) -> Result<(), Imbalance> {
        let mut found = self.found;
        for (count, sum) in counters.directions.iter().zip(&self.sums) {
            found += count.data_in_flight - sum.data_in_flight;
            found += u64::from(count.queue_packets) - sum.held;
        }
        let place = || "all VCs".to_string();
        if !self.acks_can_be_lost(spec) {
            let law = "ACKs that came back, wait or travel >= ACKs made";
            at_least(&place, law, found, self.made)?;
        }
        let twice = self.acks.iter().filter(|used| **used).count() as u64;
        let law = "ACKs made >= ACKs that came back, wait or travel";
        at_least(&place, law, self.made + twice, found)
    }

    fn acks_can_be_lost(&self, spec: &NetworkSpec) -> bool {
        let used = || self.acks.iter().enumerate().filter(|(_, used)| **used).map(|(id, _)| id);
        let corrupted = used().any(|id| !spec.direction(DirectionId(id)).corrupt_data.is_zero());
        let faults = spec.events.iter().any(|e| matches!(e.change, Change::CorruptData(_)));
        let limited =
            |n: &NodeSpec| n.buffer.is_some() || n.vc_buffer.is_some() || n.port_buffer.is_some();
        let ports = || spec.links.iter().flat_map(|link| &link.directions);
        let ports_limited = ports().any(|direction| direction.buffer.is_some());
        corrupted || faults || ports_limited || spec.nodes.iter().any(limited)
    }

    fn nodes(&self, spec: &NetworkSpec, counters: &RunCounters) -> Result<(), Imbalance> {
        for (node, count) in counters.nodes.iter().enumerate() {
            let place = || format!("node `{}`", spec.nodes[node].name);
            let (held, has_acks) = self.held[node];
            let compare: Compare = if has_acks { at_least } else { equal };
            let buffered = u64::from(count.buffered_packets);
            compare(&place, "cells held = those of its VCs", buffered, held)?;
            let waiting = u64::from(count.work.undelivered_packets);
            let law = "taken in = delivered + held for work";
            equal(&place, law, self.undelivered[node], waiting)?;
        }
        Ok(())
    }
}

/// The cells of a VC held at each of its sending nodes. A multicast cell is held until its slowest
/// branch has sent it, so a branching node holds as many as its slowest branch.
fn held(spec: &NetworkSpec, counters: &RunCounters, vc: usize) -> Vec<(usize, u64)> {
    let hops = spec.vcs[vc].hops.iter().zip(&counters.vcs[vc].hops);
    let mut held: BTreeMap<(Option<usize>, usize), u64> = BTreeMap::new();
    for (hop, count) in hops {
        let key = (hop.parent, spec.from_node(hop.direction_id()));
        let most = held.entry(key).or_default();
        *most = (*most).max(u64::from(count.fill_packets));
    }
    held.into_iter().map(|((_, node), cells)| (node, cells)).collect()
}

/// Compares the two sides of a law.
type Compare = fn(&dyn Fn() -> String, &'static str, u64, u64) -> Result<(), Imbalance>;

fn equal(
    place: &dyn Fn() -> String,
    law: &'static str,
    left: u64,
    right: u64,
) -> Result<(), Imbalance> {
    if left == right { Ok(()) } else { Err(Imbalance { place: place(), law, left, right }) }
}

fn at_least(
    place: &dyn Fn() -> String,
    law: &'static str,
    left: u64,
    right: u64,
) -> Result<(), Imbalance> {
    if left >= right { Ok(()) } else { Err(Imbalance { place: place(), law, left, right }) }
}

#[cfg(test)]
mod tests;
