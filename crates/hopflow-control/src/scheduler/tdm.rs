//! Time division multiplexing: every slot has an owner, and is wasted when the owner is idle.
//!
//! ```text
//! in a slot, only its owner starts packets, and only those that end within it    (1)
//! ```
//! The slots are those of [`slots`] and [`slot_time`], spread evenly over the frame. A slot lasts
//! as long as the largest packet of the port, with the overhead of the link: such a packet starts
//! only at the start of its slot. A smaller one may start later in the slot, or be followed by
//! another, if it ends within it. The owner also loses a slot if something else (a credit) occupies
//! the port at its start and the packet no longer fits.
//!
//! As every full frame from now on has all s_i slots of the flow, a packet with q others of its
//! flow ahead ends within
//! ```text
//! S + ceil((q + 1) / s_i) f S                                                    (2)
//! ```
//! | symbol   | meaning                                    | unit    |
//! |----------|--------------------------------------------|---------|
//! | S        | a slot                                     | ps      |
//! | f        | slots of a frame                           | slots   |
//! | s_i      | slots of flow i in a frame                 | slots   |
//! | q        | packets of the flow ahead, none of them in transmission | packets |
//!
//! An idle port reports when the next slot begins whose owner has a packet; each change of a flow
//! costs O(log n), whatever the number of slots between.
//!
//! When the buffer is full, the last packet of the flow with the most packets is pushed out.
//!
//! Source: [Zhang90] 4.1 (as the model that VirtualClock imitates). Differs: nothing. Not modelled:
//! guard times; slots of one flow kept for another. Checked by: `tdm/tests.rs`.

#[cfg(test)]
mod tests;

use hopflow_units::SimTime;

use super::Guarantee;
use super::backlog::Backlog;
use super::facts::{Facts, Void};
use super::frame::Frame;
use super::machine::{Machine, Packets, Port};
use super::rank_heap::RankHeap;
use super::{Next, Notice};

pub use super::frame::{SlotsError, places, slot_time, slots};

/// The machine of Eq. (1).
#[derive(Clone, Debug)]
pub struct Tdm {
    backlog: Backlog,
    frame: Frame,
    /// Flows that have a packet and may send, by an own slot before which they cannot; a number
    /// before the present slot means that the flow must be checked.
    waiting: RankHeap<u64>,
}

impl Tdm {
    pub(super) const FACTS: Facts =
        Facts { holds_to_rate: true, voided_by: &[Void::ControlCells], ..Facts::new("tdm", "TDM") };

    pub(super) const fn guarantee(frame: u32) -> Guarantee {
        Guarantee::Slots { frame }
    }

    /// An empty port of these flows. Panics when they do not fit the frame, see [`slots`].
    pub(super) fn new(port: &Port<'_>, frame: u32) -> Tdm {
        Tdm {
            backlog: Backlog::new(port.flows.len(), port.finds_victims),
            frame: Frame::new(port.wire(), frame, port.flows),
            waiting: RankHeap::new(port.flows.len()),
        }
    }
}

impl Machine for Tdm {
    type Packets = Backlog;

    fn packets(&mut self) -> &mut Backlog {
        &mut self.backlog
    }

    fn arrive(&mut self, flow: u32, bytes: u32, _now: SimTime) -> Option<Notice> {
        self.backlog.arrive(flow, bytes);
        self.changed(flow);
        None
    }

    fn next(&mut self, now: SimTime) -> Next {
        let present = self.frame.number(now);
        while let Some((number, flow)) = self.waiting.first() {
            let bytes = self.backlog.ready(flow).expect("a waiting flow has a packet");
            if number > present {
                return Next::At(self.frame.start(number));
            }
            if number < present {
                self.waiting.set(flow, self.frame.own_from(flow, present));
            } else if self.frame.owner(number) == Some(flow) && self.frame.fits(bytes, now) {
                return Next::Flow(flow); // Eq. (1)
            } else {
                self.waiting.set(flow, self.frame.own_from(flow, present + 1));
            }
        }
        Next::Nothing
    }

    fn start(&mut self, flow: u32, _now: SimTime, _end: SimTime) {
        self.drop_first(flow);
    }

    fn drop_first(&mut self, flow: u32) {
        self.backlog.take_first(flow);
        self.waiting.remove(flow); // the next packet may fit where the first one did not
        self.changed(flow);
    }

    /// Marks the flow for a check, unless it is waiting already.
    fn changed(&mut self, flow: u32) {
        if self.backlog.ready(flow).is_none() {
            self.waiting.remove(flow);
        } else if !self.waiting.contains(flow) {
            self.waiting.set(flow, 0);
        }
    }
}
