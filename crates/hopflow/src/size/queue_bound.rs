//! Size: a bound on the queue of a port that VCs under rate control share, if one holds.
//!
//! A port that cannot be overloaded has (3) of `inflow.rs` under any rule. At a port that counts
//! VCs, if n greedy VCs meet on a link of rate C and nowhere else:
//! ```text
//! f s_i  = f (MCR_i + w_i (C - sum(MCR)) / sum(w))     the least rate set for VC i      (1)
//! gap_i  = Nrm max(n T, 1 / min(P_i, f s_i)) + n T     from one BRM at the port to the
//!                                                      next                             (2)
//! tau_i  = waits_i + max(FRTT_i, F_i + gap_i)          if ICR_i >= min(P_i, f s_i)      (3)
//! tau_i  = 2 waits_i + FRTT_i + F_i + gap_i            else                             (4)
//! A      = min(sum(P_i), sum(ICR_i) + sum over k = 1..n of
//!                                          (max_i(min(P_i, C_k) - ICR_i))+)             (5)
//! queue <= max(tau_i) x (A - C)+ + sum(b_i) + 1 + drift                                 (6)
//! ```
//! | symbol  | meaning                                                           | unit    |
//! |---------|-------------------------------------------------------------------|---------|
//! | P, b, T | as in `inflow.rs`                                                 |         |
//! | f       | least part of its share that is set for a VC                      | 1       |
//! | FRTT_i  | the loop without queues                                           | s       |
//! | F_i     | its part from the port to the source and back                     | s       |
//! | waits_i | the most that a cell waits in the loop: one turn at the port       | s       |
//! | tau_i   | the greatest age of the rate that arriving cells obey             | s       |
//! | A       | greatest rate of arrivals before VCs obey                         | cells/s |
//! | C_k     | C / k, the greatest rate of the k-th VC; C if the VCs differ      | cells/s |
//! | drift   | cells by which 1/T falls short of C in the run                    | cells   |
//!
//! *Why (6).* VCs that were known tau ago send at most min(C, sum(P)): they obey shares of C that
//! have not increased since. The others send at most their terms of A. With U(t) the sum of these
//! terms over VCs known at t, the port gets at most (U(t) - C)+ - (U(t - tau) - C)+ more than C,
//! whose integral is tau (A - C)+ for any start times. Source: derived here.
//! Not modelled: more than `NoBound` lists. Checked by: `hopflow/tests/abr/queue_bound.rs`.

mod flow;

use hopflow_control::rate::MaxMin;
use hopflow_control::scheduler::SchedulerSpec;
use hopflow_network::{DirectionId, Segment, SizeLaw, VcSpec};
use thiserror::Error;

use super::inflow::{Inflow, seconds};
use flow::{Flow, Port};

/// A bound on the queue of a port, all its VCs together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueBound {
    /// Cells, including the one in transmission. Eq. (6), rounded up.
    pub cells: u64,
    /// The formula, and the numbers put in.
    pub formula: String,
}

/// The reason why no bound on the queue of a port is known.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoBound {
    /// The rule finds its rate step by step.
    #[error("the rate of `{0}` converges over several loops, and each may add to the queue")]
    Converges(&'static str),
    /// The port sets no rate.
    #[error("the port has no rule, and more may come than its link takes")]
    NoRule,
    /// Loops end at the port.
    #[error(
        "a virtual source lowers its rate again and again, and the segment before it follows one \
         loop later each time"
    )]
    Virtual,
    /// The port has a scheduler, credit, lanes, priorities, or backward traffic of a VC.
    #[error(
        "the port does more than serve cells of its VCs in turn: it has a scheduler, priorities, \
         credit, lanes, packets that are not cells, or RM cells of the other direction"
    )]
    Shared,
    /// Links or sources change during the run, or packets are not cells.
    #[error("the scenario has events or packets that are not cells")]
    Changes,
    /// A VC is not known to be greedy from its start to the end of the run.
    #[error("`{0}` is not a greedy flow of `abr` without an end: it may come back at an old rate")]
    Pauses(String),
    /// The minima fill the link.
    #[error("the minimum rates of the flows are as much as the link")]
    Minima,
    /// A rate does not rise to its share at the first BRM.
    #[error("`{0}` rises to its share in several steps: raise `rif`, or `icr`")]
    Increase(String),
    /// CRM, ADTF, TCR, 16-bit rates or rates that are measured.
    #[error(
        "`{0}` may send below the rate that it was given: through `crm`, `adtf`, `tcr`, 16-bit \
         rates or a measured rate"
    )]
    Lower(String),
    /// VCs obey later than the port assumes.
    #[error("the settling time of the port is shorter than the loop of `{0}`")]
    Settle(String),
    /// Another port on the path queues cells or sets a lower rate.
    #[error("`{vc}` may wait at `{link}` or on the way back over it, or get a lower rate there")]
    Elsewhere {
        /// The VC.
        vc: String,
        /// The link direction, `FROM->TO`.
        link: String,
    },
}

/// The bound on the queue of one port, or the reason why there is none. `names`: those of all link
/// directions.
pub(super) fn queue_bound(
    inflow: &mut Inflow<'_>,
    id: DirectionId,
    names: &[String],
) -> Result<QueueBound, NoBound> {
    let network = inflow.network;
    let cells = |spec: &VcSpec| spec.traffic.size == SizeLaw::CELL;
    if !network.events.is_empty() || !network.vcs.iter().all(cells) {
        return Err(NoBound::Changes);
    }
    if let Some(bursts) = inflow.queue(id) {
        return Ok(no_overload(bursts));
    }
    let control = network.direction(id).rate_control;
    match control.map(|control| (control.segment, control.rule)) {
        Some((Segment::Virtual(_), _)) => Err(NoBound::Virtual),
        None | Some((_, None)) => Err(NoBound::NoRule),
        Some((segment, Some(rule))) => match rule.effect().max_min {
            Some(law) if segment == Segment::Through => counted(inflow, id, &law, names),
            _ => Err(NoBound::Converges(rule.facts().name)),
        },
    }
}

/// Eq. (3) of `inflow.rs`.
fn no_overload(bursts: f64) -> QueueBound {
    let cells = (bursts + 1.0).ceil() as u64;
    let formula = format!(
        "queue <= sum of the bursts of its lines + 1 = {bursts:.1} + 1, up to {cells} cells: no \
         more comes than the link takes"
    );
    QueueBound { cells, formula }
}

/// Eq. (6).
fn counted(
    inflow: &mut Inflow<'_>,
    id: DirectionId,
    law: &MaxMin,
    names: &[String],
) -> Result<QueueBound, NoBound> {
    if !inflow.is_plain(id) || inflow.network.direction(id).scheduler != SchedulerSpec::RoundRobin {
        return Err(NoBound::Shared);
    }
    let port = Port::new(inflow, id);
    let users = inflow.users(id).to_vec();
    let mut flows = Vec::new();
    for (vc, hop) in users {
        let flow = Flow::new(inflow, &port, vc, hop, names)?;
        flow.check(inflow.network, &port, law)?;
        flows.push(flow);
    }
    let is_fair = flows.iter().all(|flow| flow.is_like(&flows[0], inflow.network));
    port.check_increase(inflow.network, &flows, law.part, is_fair)?;
    let tau = flows.iter().map(|flow| flow.tau(&port, law.part)).fold(0.0, f64::max);
    let rates = most(&flows, port.assumed_rate, is_fair);
    let bursts: f64 = flows.iter().map(|flow| flow.burst).sum();
    let drift = seconds(inflow.network.duration) * (port.assumed_rate - port.rate).max(0.0);
    let above = (rates - port.rate).max(0.0);
    let cells = (tau * above + bursts + 1.0 + drift).ceil() as u64;
    let formula = format!(
        "queue <= tau x (A - C) + bursts + 1 + drift = {:.6} ms x ({rates:.0} - {:.0}) cells/s + \
         {bursts:.1} + 1 + {drift:.1}, up to {cells} cells",
        tau * 1e3,
        port.rate
    );
    Ok(QueueBound { cells, formula })
}

/// A. Eq. (5).
fn most(flows: &[Flow], assumed_rate: f64, is_fair: bool) -> f64 {
    let peaks: f64 = flows.iter().map(|flow| flow.peak).sum();
    let starts: f64 = flows.iter().map(|flow| flow.icr).sum();
    let step = |k: usize| {
        let share = if is_fair { assumed_rate / k as f64 } else { assumed_rate };
        let above = flows.iter().map(|flow| flow.peak.min(share) - flow.icr);
        above.fold(0.0, f64::max)
    };
    peaks.min(starts + (1..=flows.len()).map(step).sum::<f64>())
}
