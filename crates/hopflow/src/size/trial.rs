//! Trial: the network that confirms a size, run at the size and below it.
//!
//! ```text
//! rate:  idle(size) = 0, and idle(less) > 0 for the size of an exact law                  (1)
//! loss:  lost(room) = 0; the most held in that run is the least room that loses nothing   (2)
//! ```
//! Of a credit or a window, the network is one link and a source that always has a packet: its port
//! is never idle if the size is enough, and idle in every loop if it is not. Where one unit less is
//! also enough, the law is an upper bound, and the least size is searched by halving. Of a
//! headroom, the network is a switch whose last link is overloaded: a run with the most that it has
//! held as its room is the same run, and with a byte less it loses that packet.
//!
//! A run covers [`LOOPS`] loops. It does not prove more than itself: other networks may need less
//! (none needs more by the laws). Not modelled: traffic on the way back of a credit.
//! Checked by: `trial/tests.rs`.

mod credit;
mod lane;
mod pause;
mod window;

pub(super) use lane::LaneTrial;

use hopflow_engine::WindowedEngine;
use hopflow_network::{Engine, NetworkSpec, TraceFilter};
use hopflow_scenario::{Diagnostic, Diagnostics, Scenario};
use hopflow_units::{Bytes, Picos, Rate, SimTime, Wire};
use thiserror::Error;

use super::{Headroom, LaneLoop, LaneNeed, PausedLink, Size, WindowSize};
use credit::CreditTrial;
use pause::PauseTrial;
use window::WindowTrial;

/// Loops of a run.
const LOOPS: u64 = 12;
/// Packets of a run, at most.
const MOST_PACKETS: u128 = 20_000_000;

/// The network that confirms a size.
#[derive(Clone, Debug)]
pub struct Trial {
    network: TrialNetwork,
    /// The size by the law.
    size: u64,
    /// The least size that the scenario accepts.
    floor: u64,
    /// The unit of sizes.
    unit: &'static str,
    /// The time of a run.
    span: Option<Picos>,
    /// Packets in it, at most.
    packets: u128,
}

#[derive(Clone, Debug)]
enum TrialNetwork {
    Lane(LaneTrial),
    Window(WindowTrial),
    Credit(CreditTrial),
    Pause(PauseTrial),
}

/// One run.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialRun {
    /// Which size it has: by the law, one less, the least that is enough, one less than that.
    pub of: &'static str,
    /// The size.
    pub size: u64,
    /// The time that the link from the sender was idle.
    pub idle: Picos,
    /// The share of the time after two loops that it was busy, 0 to 1.
    pub busy: f64,
    /// Packets that were dropped.
    pub dropped: u64,
    /// Whether the size was enough in this run.
    pub is_enough: bool,
}

/// What the runs show.
#[derive(Clone, Debug, PartialEq)]
pub struct Verified {
    /// The runs.
    pub runs: Vec<TrialRun>,
    /// The unit of the sizes.
    pub unit: &'static str,
    /// Whether a run is judged by loss, not by the rate.
    pub by_loss: bool,
    /// Whether the size by the law was enough.
    pub is_confirmed: bool,
    /// The least size that was enough.
    pub least: u64,
    /// What the runs show, in a sentence.
    pub verdict: String,
}

/// Why a size is not confirmed by a run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TrialError {
    /// The run would take too long.
    #[error(
        "a run with {packets} packets would take too long to confirm this size: give a shorter \
         link, a lower rate or larger packets"
    )]
    TooLong {
        /// Packets.
        packets: u128,
    },
    /// The delay is too short for the units that a run needs.
    #[error("{0}")]
    TooShort(String),
    /// The scenario of the trial is refused.
    #[error("the scenario that confirms this size is refused: {0}")]
    Refused(String),
}

impl Trial {
    /// The trial of a lane whose credits follow freed blocks.
    pub fn of_lane(lane: &LaneLoop, needed: &LaneNeed, unit: &'static str) -> Trial {
        Trial::of_blocks(LaneTrial::credit(lane), lane.packet, needed, unit)
    }

    /// The trial of a lane under CBFC.
    pub(super) fn of_cbfc(lane: LaneTrial, needed: &LaneNeed) -> Trial {
        let packet = lane.packet;
        Trial::of_blocks(lane, packet, needed, "credits")
    }

    fn of_blocks(lane: LaneTrial, packet: Bytes, need: &LaneNeed, unit: &'static str) -> Trial {
        let (rate, floor) = (lane.rate, lane.floor());
        let network = TrialNetwork::Lane(lane);
        Trial::of_loop(network, [need.blocks, floor], unit, need.round_trip, rate, packet)
    }

    /// The trial of the window of a path.
    pub fn of_window(rate: Rate, rtt: Picos, window: &WindowSize) -> Trial {
        let network = TrialNetwork::Window(WindowTrial::new(rate, rtt, window));
        let sizes = [window.needed, 1];
        Trial::of_loop(network, sizes, "packets", window.round_trip, rate, window.packet)
    }

    /// The trial of N23 on a link, for packets of one size, whose R is that of `size`.
    pub fn of_credit(wire: Wire, packet: Bytes, size: &Size) -> Trial {
        let credit = CreditTrial::new(wire, packet, size);
        let unit = if size.unit == Bytes::CELL { "cells of N3" } else { "units of N3" };
        let sizes = [u64::from(size.n3.0), credit.floor()];
        let network = TrialNetwork::Credit(credit);
        Trial::of_loop(network, sizes, unit, size.round_trip, wire.rate, packet)
    }

    /// The trial of a headroom.
    pub fn of_pause(link: &PausedLink, needed: &Headroom) -> Trial {
        let network = PauseTrial::new(link, needed);
        let (span, packets, size) = (network.span(), network.packets(), network.room());
        let network = TrialNetwork::Pause(network);
        Trial { network, size, floor: 0, unit: "bytes of room", span, packets }
    }

    fn of_loop(
        network: TrialNetwork,
        [size, floor]: [u64; 2],
        unit: &'static str,
        round_trip: Picos,
        rate: Rate,
        packet: Bytes,
    ) -> Trial {
        let span = round_trip.checked_mul(LOOPS);
        let gap = rate.transmit_time(packet).map_or(1, |gap| gap.0.max(1));
        let packets = u128::from(round_trip.0) * u128::from(LOOPS) / u128::from(gap);
        Trial { network, size, floor, unit, span, packets }
    }

    /// The size by the law, in the unit of the trial.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The scenario with this size, as a file has it.
    pub fn scenario(&self, size: u64) -> Result<String, TrialError> {
        let too_long = TrialError::TooLong { packets: self.packets };
        let span = self.span.ok_or(too_long)?;
        match &self.network {
            TrialNetwork::Lane(lane) => Ok(lane.text(span, Some(size))),
            TrialNetwork::Window(window) => window.text(span, size),
            TrialNetwork::Credit(credit) => credit.text(span, size),
            TrialNetwork::Pause(pause) => pause.text(span, size),
        }
    }

    /// Runs the network with the size by the law, with one unit less, and with what else shows the
    /// least size that is enough.
    pub fn verify(&self) -> Result<Verified, TrialError> {
        if self.packets > MOST_PACKETS {
            return Err(TrialError::TooLong { packets: self.packets });
        }
        let by_loss = matches!(self.network, TrialNetwork::Pause(_));
        let law = self.run("by the law", self.size)?;
        let mut runs = vec![law.0.clone()];
        let least = match (law.0.is_enough, by_loss) {
            (false, _) => self.size,
            (true, true) => self.with_least_room(law.1, &mut runs)?,
            (true, false) => self.with_least_rate(&mut runs)?,
        };
        let is_confirmed = law.0.is_enough;
        let verdict = self.verdict(is_confirmed, least, by_loss);
        Ok(Verified { runs, unit: self.unit, by_loss, is_confirmed, least, verdict })
    }

    fn verdict(&self, is_confirmed: bool, least: u64, by_loss: bool) -> String {
        let (size, unit) = (self.size, self.unit);
        let [kept, lost] = if by_loss {
            ["loses nothing", "loses packets"]
        } else {
            ["has the full rate", "waits for credit"]
        };
        if !is_confirmed {
            return format!(
                "Not confirmed: with {size} {unit} this run does not have what the law \
                            promises."
            );
        }
        match size - least {
            0 => format!(
                "Confirmed, and exact: with {size} {unit} this run {kept}, with one less it {lost}."
            ),
            more => {
                let reason = self.reason();
                format!(
                    "Confirmed as an upper bound: with {size} {unit} this run {kept}. It also does \
                     with {least}, {more} less, and {lost} below. {reason}"
                )
            }
        }
    }

    /// Why the law is an upper bound.
    fn reason(&self) -> &'static str {
        match &self.network {
            TrialNetwork::Lane(_) => {
                "The law counts the longest wait for an update; how frees and updates coincide \
                 decides whether a credit waits that long."
            }
            TrialNetwork::Window(_) => "The last update may come at an instant that suits it.",
            TrialNetwork::Credit(credit) if credit.is_of_packets() => {
                "The law is for a switch, which holds a packet for a packet time; the host of this \
                 run frees it as it arrives."
            }
            TrialNetwork::Credit(_) => {
                "The law is that of [KMCL94], rounded up; of the N2 cells of the buffer only \
                 N2 - 1 wait for their credit."
            }
            TrialNetwork::Pause(_) => {
                "The law is for frames of any size that meet at the worst instant; here all have \
                 one size."
            }
        }
    }

    /// (2): the most that the run has held, and one byte less.
    fn with_least_room(&self, held: u64, runs: &mut Vec<TrialRun>) -> Result<u64, TrialError> {
        let least = held.min(self.size);
        let more = [("one less", self.size - 1), ("most held", least), ("one less", least - 1)];
        for (of, size) in more {
            if runs.iter().all(|run| run.size != size) {
                runs.push(self.run(of, size)?.0);
            }
        }
        Ok(least)
    }

    /// (1): one unit less, and where this is enough the least size that is.
    fn with_least_rate(&self, runs: &mut Vec<TrialRun>) -> Result<u64, TrialError> {
        if self.size <= self.floor {
            return Ok(self.size);
        }
        let less = self.run("one less", self.size - 1)?.0;
        let is_enough = less.is_enough;
        runs.push(less);
        if !is_enough {
            return Ok(self.size);
        }
        let (mut enough, mut short) = (self.size - 1, None);
        let mut step = 1;
        while short.is_none() && enough > self.floor {
            let tried = enough.saturating_sub(step).max(self.floor);
            if self.run("", tried)?.0.is_enough {
                enough = tried;
            } else {
                short = Some(tried);
            }
            step *= 2;
        }
        while let Some(below) = short.filter(|below| enough - below > 1) {
            let tried = below + (enough - below) / 2;
            if self.run("", tried)?.0.is_enough {
                enough = tried;
            } else {
                short = Some(tried);
            }
        }
        if enough < self.size - 1 {
            runs.push(self.run("least", enough)?.0);
        }
        if let Some(short) = short {
            runs.push(self.run("one less", short)?.0);
        }
        Ok(enough)
    }

    /// A run with this size, and the most bytes that the lane has held.
    fn run(&self, of: &'static str, size: u64) -> Result<(TrialRun, u64), TrialError> {
        let text = self.scenario(size)?;
        let scenario = Scenario::from_toml(&text, "trial.toml").map_err(|wrong| refused(&wrong))?;
        let by_loss = matches!(self.network, TrialNetwork::Pause(_));
        Ok(measured(of, size, &scenario.network, by_loss))
    }
}

/// The errors of a scenario, in one line.
fn refused(wrong: &Diagnostics) -> TrialError {
    let all: Vec<String> = wrong.items.iter().map(Diagnostic::headline).collect();
    TrialError::Refused(all.join("; "))
}

/// Runs a network to its end.
fn measured(of: &'static str, size: u64, network: &NetworkSpec, by_loss: bool) -> (TrialRun, u64) {
    let end = network.duration;
    let begin = Picos(end.0 / LOOPS * 2);
    let mut engine = WindowedEngine::new(network, TraceFilter::none(), 1);
    engine.run_until(SimTime(begin.0));
    let before = engine.counters().directions[0].busy;
    engine.run_until(SimTime(end.0));
    let counters = engine.counters();
    let first = &counters.directions[0];
    let idle = Picos(end.0 - first.busy.0);
    let busy = (first.busy.0 - before.0) as f64 / (end.0 - begin.0) as f64;
    let hops = counters.vcs.iter().flat_map(|vc| &vc.hops);
    let dropped = hops.map(|hop| hop.dropped_packets).sum();
    let held = first.lanes.first().map_or(0, |lane| lane.held_max);
    let is_enough = if by_loss { dropped == 0 } else { idle == Picos::ZERO };
    (TrialRun { of, size, idle, busy, dropped, is_enough }, held)
}

/// A link from A to B, and a flow of packets over it.
fn one_link(span: Picos, link: &str, flow: &str) -> String {
    let lines = [
        "version = 2",
        "title = \"One link and a source that always has a packet\"",
        &format!("duration = \"{} ps\"\n", span.0),
        "[[host]]\nname = \"A\"\n[[host]]\nname = \"B\"\n",
        "[[link]]\nbetween = [\"A\", \"B\"]",
        link,
        "\n[[flow]]\nname = \"f\"\nfrom = \"A\"\nto = \"B\"",
        flow,
        "",
    ];
    lines.join("\n")
}

/// Delays there and back that add up to a span.
fn both_ways(span: Picos) -> String {
    let there = span.0 / 2;
    format!("delay = [\"{there} ps\", \"{} ps\"]", span.0 - there)
}

#[cfg(test)]
mod tests;
