//! The port and the VCs of a bound on a queue, and whether the law holds for them.
//!
//! Equations and symbols are those of `queue_bound.rs`. Source, what differs and what is not
//! modelled: as there. Checked by: `hopflow/tests/abr/queue_bound.rs`.

use hopflow_control::rate::{AbrSpec, MaxMin};
use hopflow_control::scheduler::SchedulerSpec;
use hopflow_network::{DirectionId, NetworkSpec, Segment, VcSpec};
use hopflow_units::{CellRate, Probability};

use super::NoBound;
use crate::size::inflow::{Inflow, seconds};

/// The port.
pub(super) struct Port {
    pub(super) id: DirectionId,
    /// 1/T, in cells a second.
    pub(super) rate: f64,
    /// C as the port counts it, in cells a second.
    pub(super) assumed_rate: f64,
    /// n T, in seconds.
    turn: f64,
}

impl Port {
    pub(super) fn new(inflow: &Inflow<'_>, id: DirectionId) -> Port {
        let (network, users) = (inflow.network, inflow.users(id));
        let assumed_rate = CellRate::from_rate(network.direction(id).rate).get();
        let turn = users.len() as f64 * seconds(network.cell_time(id));
        Port { id, rate: inflow.rate(id), assumed_rate, turn }
    }

    /// Whether every VC rises to the rate set for it at its next BRM.
    pub(super) fn check_increase(
        &self,
        network: &NetworkSpec,
        flows: &[Flow],
        part: f64,
        is_fair: bool,
    ) -> Result<(), NoBound> {
        let share = if is_fair { self.assumed_rate / 2.0 } else { self.assumed_rate };
        for flow in flows {
            let spec = &network.vcs[flow.vc];
            let abr = abr(spec)?;
            let step = abr.rif * abr.pcr.get();
            let most = abr.pcr.get().min(self.assumed_rate);
            let rises = abr.icr.get() + step >= most && (1.0 - part) * share <= step;
            if !rises || (!is_fair && abr.rif < 1.0) {
                return Err(NoBound::Increase(spec.name.clone()));
            }
        }
        Ok(())
    }
}

/// One VC of the port.
pub(super) struct Flow {
    vc: usize,
    /// P, in cells a second.
    pub(super) peak: f64,
    /// ICR, at most P, in cells a second.
    pub(super) icr: f64,
    /// Its rate at the port after all VCs are known, in cells a second. Eq. (1).
    pub(super) share: f64,
    /// b, in cells.
    pub(super) burst: f64,
    nrm: f64,
    /// F and FRTT, in seconds.
    near: f64,
    whole: f64,
    /// The most that cells wait in the loop, in seconds.
    waits: f64,
}

fn abr(spec: &VcSpec) -> Result<&AbrSpec, NoBound> {
    let traffic = &spec.traffic;
    let endless = spec.stop.is_none() && traffic.packets.is_none() && traffic.policing.is_none();
    let is_greedy = spec.source.is_greedy() && endless;
    let abr = spec.rate.as_deref().filter(|_| is_greedy);
    abr.ok_or_else(|| NoBound::Pauses(spec.name.clone()))
}

/// The rate of a VC at a port with all its VCs, in cells a second. Eq. (1).
fn share(inflow: &Inflow<'_>, id: DirectionId, vc: usize) -> Result<f64, NoBound> {
    let network = inflow.network;
    let (mut left, mut weights) = (CellRate::from_rate(network.direction(id).rate).get(), 0.0);
    for (user, _) in inflow.users(id) {
        left -= abr(&network.vcs[*user])?.mcr.get();
        weights += f64::from(network.vcs[*user].weight);
    }
    if left <= 0.0 {
        return Err(NoBound::Minima);
    }
    Ok(abr(&network.vcs[vc])?.mcr.get() + f64::from(network.vcs[vc].weight) * left / weights)
}

impl Flow {
    pub(super) fn new(
        inflow: &mut Inflow<'_>,
        port: &Port,
        vc: usize,
        hop: usize,
        names: &[String],
    ) -> Result<Flow, NoBound> {
        let network = inflow.network;
        let spec = &network.vcs[vc];
        let abr = abr(spec)?;
        let peak = inflow.peak(vc, hop);
        let share = share(inflow, port.id, vc)?;
        let icr = abr.icr.get().min(peak);
        let mut flow = Flow {
            vc,
            peak,
            icr,
            share,
            burst: 0.0,
            nrm: f64::from(abr.nrm),
            near: 0.0,
            whole: 0.0,
            waits: port.turn,
        };
        for (at, hop_spec) in spec.hops.iter().enumerate() {
            let id = hop_spec.direction_id();
            let elsewhere =
                || NoBound::Elsewhere { vc: spec.name.clone(), link: names[id.0].clone() };
            let back = flow.back(inflow, port, id).ok_or_else(elsewhere)?;
            flow.waits += back;
            if id != port.id {
                flow.waits += flow.forward(inflow, port, id).ok_or_else(elsewhere)?;
            }
            let span = seconds(network.latency(id)) + seconds(network.latency(id.reverse()));
            flow.whole += span;
            if at < hop {
                flow.near += span;
            }
        }
        let before =
            spec.hops[hop].parent.map_or(port.id, |parent| spec.hops[parent].direction_id());
        let burst = inflow.burst(vc, hop);
        flow.burst = burst.ok_or_else(|| NoBound::Elsewhere {
            vc: spec.name.clone(),
            link: names[before.0].clone(),
        })?;
        Ok(flow)
    }

    /// The most that a BRM waits on the way back over a link, in seconds.
    fn back(&self, inflow: &Inflow<'_>, port: &Port, id: DirectionId) -> Option<f64> {
        let (network, reverse) = (inflow.network, id.reverse());
        let directions = [id, reverse].map(|id| network.direction(id));
        let lossless =
            directions.iter().all(|direction| direction.corrupt_data == Probability::ZERO);
        let round_robin = directions[1].scheduler == SchedulerSpec::RoundRobin;
        let turn = inflow.users(id).len() as f64 * seconds(network.cell_time(reverse));
        let fits = turn <= self.nrm * seconds(network.cell_time(port.id));
        let free = inflow.users(reverse).is_empty() && directions[1].lanes.is_none();
        (lossless && round_robin && fits && free).then_some(turn)
    }

    /// The longest wait of a cell at another port, in seconds; `None` also if that port may set a
    /// lower rate for the VC than this one.
    fn forward(&self, inflow: &mut Inflow<'_>, port: &Port, id: DirectionId) -> Option<f64> {
        let wait = inflow.wait(id)?;
        let Some(control) = inflow.network.direction(id).rate_control else { return Some(wait) };
        if control.segment != Segment::Through {
            return None;
        }
        let Some(rule) = control.rule else { return Some(wait) };
        let law = rule.effect().max_min?;
        let part = match law.whole_up_to {
            Some(high) if inflow.queue(id)? + 1.0 <= high as f64 => 1.0,
            _ => law.part,
        };
        let set = part * share(inflow, id, self.vc).ok()?;
        (set >= self.peak.min(port.assumed_rate)).then_some(wait)
    }

    /// Whether ports share their links equally between the two, and both arrive at the same rate.
    pub(super) fn is_like(&self, other: &Flow, network: &NetworkSpec) -> bool {
        let [one, two] = [self.vc, other.vc].map(|vc| &network.vcs[vc]);
        let minimum = |spec: &VcSpec| spec.rate.as_ref().map(|abr| abr.mcr);
        one.weight == two.weight
            && minimum(one) == minimum(two)
            && self.peak.total_cmp(&other.peak).is_eq()
    }

    /// Whether the law holds for the VC.
    pub(super) fn check(
        &self,
        network: &NetworkSpec,
        port: &Port,
        law: &MaxMin,
    ) -> Result<(), NoBound> {
        let spec = &network.vcs[self.vc];
        let abr = abr(spec)?;
        let part = law.part;
        let (least, slowest) = (self.least(part), self.least(part).min(self.icr));
        let rms = self.tau(port, part) * self.peak / self.nrm + 1.0;
        let keeps = abr.crm as f64 > rms
            && self.gap(port, part) < seconds(abr.adtf)
            && slowest >= abr.tcr.get()
            && 1.0 / slowest + self.waits < seconds(law.active)
            && least > 0.0;
        if !keeps || abr.sixteen_bit || !law.by_ccr {
            return Err(NoBound::Lower(spec.name.clone()));
        }
        let obeys = self.near + self.waits + self.nrm / self.peak.min(self.share);
        if obeys > seconds(law.settle) {
            return Err(NoBound::Settle(spec.name.clone()));
        }
        Ok(())
    }

    /// The least rate that is set for it, at most P.
    fn least(&self, part: f64) -> f64 {
        self.peak.min(part * self.share)
    }

    /// Eq. (2), in seconds.
    fn gap(&self, port: &Port, part: f64) -> f64 {
        self.nrm * port.turn.max(1.0 / self.least(part)) + port.turn
    }

    /// Eqs. (3) and (4), in seconds.
    pub(super) fn tau(&self, port: &Port, part: f64) -> f64 {
        let steady = self.near + self.gap(port, part);
        if self.icr >= self.least(part) {
            self.waits + self.whole.max(steady)
        } else {
            2.0 * self.waits + self.whole + steady
        }
    }
}
