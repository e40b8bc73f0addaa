//! Where cells come from: each source says when its next cell is due, and nothing else.
//!
//! A [`Source`] is a plain state machine: [`Source::due`] reads a field, [`Source::advance`]
//! moves on to the next cell. It does not know whether its cells are taken: a cell that finds
//! the host full is the engine's affair, and the source goes on as planned.
//!
//! | source      | cell n is due at                                   | file             |
//! |-------------|----------------------------------------------------|------------------|
//! | greedy      | never: the engine makes a cell when it can start   | -                |
//! | every k-th  | start + n k T                                      | `every_kth.rs`   |
//! | constant    | start + ceil(n x 424 bits / rate)                  | `constant.rs`    |
//! | on-off      | back to back in bursts, silence between            | `on_off.rs`      |
//! | alternating | when its bits have gathered at the rate of the moment | `alternating.rs` |
//! | replay      | start + the recorded instant                       | `replay.rs`      |
//!
//! T is the cell time of the first hop's link. Every source may have a `stop`: no cell is due at
//! or after it. Cells never fall due in a wrong order; several may fall due at one instant.
//!
//! Not modelled: sources that react to the network (they come with the transport protocols).

mod alternating;
mod constant;
mod every_kth;
mod on_off;
mod replay;

use hopflow_kernel::RandomStream;
use hopflow_units::{Bytes, Picos, SimTime};

use crate::{SourceSpec, VcSpec};

use alternating::Alternating;
use constant::Constant;
use every_kth::EveryKth;
use on_off::OnOff;
use replay::Replay;

/// 424 bits times 10^12 ps/s: what one cell needs, in bits per second x picoseconds.
const CELL_BIT_PICOS: u64 = Bytes::CELL.bits() * Picos::PER_SECOND;

/// The source of one VC.
#[derive(Clone, Debug)]
pub struct Source {
    due: Option<SimTime>,
    stop: SimTime,
    plan: Plan,
    bytes: u32,
}

/// A packet that a source makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    /// When it was born: before it is due if a shaper delayed it.
    pub birth: SimTime,
    /// Its size on the wire.
    pub bytes: u32,
    /// What becomes of it.
    pub fate: Fate,
}

/// What becomes of a packet at the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It joins its host's queue.
    Sent,
    /// The policer discards it.
    Discarded,
}

/// The instants of a source without its `stop`, told one after the other.
#[derive(Clone, Debug)]
enum Plan {
    /// No instants of its own: greedy.
    Empty,
    EveryKth(EveryKth),
    Constant(Constant),
    OnOff(OnOff),
    Alternating(Alternating),
    Replay(Replay),
}

impl Source {
    /// The source of `vc`, before its first cell. `first_cell_time` is the cell time of the first
    /// hop's link; `seed` is the scenario's. The stream's owner is the VC's name, its purpose
    /// `source`.
    pub fn new(vc: &VcSpec, first_cell_time: Picos, seed: u64) -> Source {
        let start = vc.start;
        let plan = match &vc.source {
            SourceSpec::Greedy => Plan::Empty,
            SourceSpec::EveryKth { k } => Plan::EveryKth(EveryKth::new(start, *k, first_cell_time)),
            SourceSpec::Constant { rate } => Plan::Constant(Constant::new(start, *rate)),
            SourceSpec::OnOff { burst, off, burst_first } => {
                let stream = RandomStream::new(seed, &vc.name, "source");
                let mut on_off = OnOff::new(start, first_cell_time, *burst, *off, stream);
                if !burst_first {
                    on_off.rest_first();
                }
                Plan::OnOff(on_off)
            }
            SourceSpec::Alternating { low, high, half_period } => {
                Plan::Alternating(Alternating::new(start, [*low, *high], *half_period))
            }
            SourceSpec::Replay { times } => Plan::Replay(Replay::new(start, times)),
            other => unimplemented!("{other:?} is about to land"),
        };
        let bytes = vc.traffic.size.most().0 as u32;
        let stop = vc.stop.unwrap_or(SimTime::NEVER);
        let mut source = Source { due: None, stop, plan, bytes };
        source.look_ahead();
        source
    }

    /// When the next cell is due; `None`: never again, or greedy. Never before the VC's start,
    /// never at or after its stop.
    #[inline]
    pub const fn due(&self) -> Option<SimTime> {
        self.due
    }

    /// The packet that is due. Panics when none is.
    pub fn made(&self) -> Made {
        let birth = self.due.expect("a packet is due");
        Made { birth, bytes: self.bytes, fate: Fate::Sent }
    }

    /// The size of the next packet of a greedy source, which is made as it starts.
    pub fn next_greedy_bytes(&mut self) -> u32 {
        self.bytes
    }

    /// A message tells the source to slow down. Its next packet may fall due later after it.
    pub fn slow_down(&mut self, _now: SimTime) {}

    /// Takes note that the due cell has been made. Panics when none was due: a broken caller.
    pub fn advance(&mut self) {
        assert!(self.due.is_some(), "a source made a cell that was not due");
        self.look_ahead();
    }

    fn look_ahead(&mut self) {
        let next = match &mut self.plan {
            Plan::Empty => SimTime::NEVER,
            Plan::EveryKth(plan) => plan.next_cell(),
            Plan::Constant(plan) => plan.next_cell(),
            Plan::OnOff(plan) => plan.next_cell(),
            Plan::Alternating(plan) => plan.next_cell(),
            Plan::Replay(plan) => plan.next_cell(),
        };
        self.due = (next < self.stop).then_some(next);
    }
}

#[cfg(test)]
mod tests;
