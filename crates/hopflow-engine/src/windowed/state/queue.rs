//! What waits at a port: the packets of one VC, or of one branch of it, as they leave a node.
//!
//! A queue knows which packets may start next and when: how many wait, why they wait, its place
//! in the list of its port. Whose they are, and what is counted of them, is its circuit
//! (`circuit.rs`), which most operations that change the fill take as an argument.

use hopflow_control::credit::{Permission, Sender};
use hopflow_units::SimTime;

use super::arena::CellQueue;
use super::circuit::Circuit;
use crate::windowed::wire::NONE;
use crate::windowed::wire::unit::{SIZE_MASK, Unit};

/// Held by other branches of its VC: it is a branch.
pub(crate) const BRANCH: u8 = 1;
/// Held by the gate of its lane, which is shut.
pub(crate) const LANE: u8 = 2;
/// Held by its pacer until a turn is released.
const PACED: u8 = 4;
/// Held by its window while that is full.
const WINDOW: u8 = 8;

/// A queue at a port: the hot part of a sending end.
#[expect(clippy::struct_excessive_bools, reason = "independent facts, read one by one")]
#[derive(Debug)]
pub(crate) struct Queue {
    /// The sending end of credit on the link.
    pub(crate) control: Sender,
    /// Packets waiting to start (of a multicast branch they are in the receiver's held list).
    pub(crate) cells: CellQueue,
    pub(crate) waiting: u32,
    /// Packets waiting or in transmission.
    fill: u32,
    pub(crate) next_listed: u32,
    pub(crate) port: u32,
    /// The receiver of this node that frees what leaves; `NONE` at a source.
    pub(crate) receiver: u32,
    /// The receiver at the next node.
    pub(crate) downstream: u32,
    /// The reasons that may hold it beside its control: [`BRANCH`], [`LANE`], [`PACED`],
    /// [`WINDOW`].
    pub(crate) held_by: u8,
    pub(crate) priority: u8,
    pub(crate) listed: bool,
    pub(crate) transmitting: bool,
    /// A greedy source that is on: there is always another packet.
    greedy: bool,
    /// Whether its starts are noted: for E, or for the units of what leaves.
    pub(crate) is_noted: bool,
    /// Whether it holds a packet that may not start.
    is_blocked: bool,
}

/// No larger than a line of a cache, though not aligned to one.
const _: () = assert!(size_of::<Queue>() <= 64);

/// The reasons of a circuit's cold part that may hold its queue from the beginning.
fn held_by(circuit: &Circuit) -> u8 {
    let Some(cold) = &circuit.cold else { return 0 };
    let is_paced = cold.rated.as_ref().is_some_and(|rated| rated.pacer.is_some());
    let has_window = !cold.window.is_free_to_send();
    u8::from(is_paced) * PACED + u8::from(has_window) * WINDOW
}

impl Queue {
    /// A queue without packets, whose packets leave by `port`, for a circuit at the beginning.
    pub(crate) fn new(port: u32, priority: u8, control: Sender, circuit: &Circuit) -> Queue {
        Queue {
            is_noted: false,
            control,
            cells: CellQueue::EMPTY,
            waiting: 0,
            fill: 0,
            next_listed: NONE,
            port,
            receiver: NONE,
            downstream: NONE,
            held_by: held_by(circuit),
            priority,
            listed: false,
            transmitting: false,
            greedy: false,
            is_blocked: false,
        }
    }

    /// Packets waiting or in transmission.
    #[inline]
    pub(crate) const fn fill(&self) -> u32 {
        self.fill
    }

    /// Whether there is always another packet: its source is greedy, and on.
    #[inline]
    pub(crate) const fn is_greedy(&self) -> bool {
        self.greedy
    }

    /// Whether it holds a packet that may not start.
    #[inline]
    pub(crate) const fn is_blocked(&self) -> bool {
        self.is_blocked
    }

    /// Whether it is a branch of a multicast VC.
    #[inline]
    pub(crate) const fn is_branch(&self) -> bool {
        self.held_by & BRANCH != 0
    }

    /// Whether the gate of its lane is shut.
    #[inline]
    pub(crate) const fn is_shut(&self) -> bool {
        self.held_by & LANE != 0
    }

    /// The gate of its lane is shut, or open.
    pub(crate) fn set_shut(&mut self, is_shut: bool) {
        self.held_by = (self.held_by & !LANE) | (u8::from(is_shut) * LANE);
    }

    /// Whether it is paced.
    #[inline]
    pub(crate) const fn is_paced(&self) -> bool {
        self.held_by & PACED != 0
    }

    /// Whether there is a packet that could start.
    #[inline]
    pub(crate) const fn has_cell(&self) -> bool {
        self.waiting > 0 || self.greedy
    }

    /// Whether it holds nothing, and nothing is to come at once.
    #[inline]
    pub(crate) const fn is_empty(&self) -> bool {
        self.fill == 0 && !self.greedy
    }

    /// Whether nothing holds its next packet, by a simple check: one with a window, of several
    /// branches or on a lane that is shut needs the full check of its permission.
    #[inline]
    pub(crate) fn is_free_to_send(&self) -> bool {
        self.held_by == 0 && self.control.is_free_to_send()
    }

    /// The credit count as seen at `now`.
    pub(crate) fn credit(&self, circuit: &Circuit, now: u64) -> u32 {
        let count = self.control.credit_count(SimTime(now)).0;
        match &circuit.cold {
            Some(cold) => count.min(cold.window.credit_count(SimTime(now)).0),
            None => count,
        }
    }

    /// E from a credit, where R is the true loop and no packet is lost on the link: N2 + N3 - C
    /// units were held as the credit started, and all others that were sent and not freed have
    /// started in the last R. Zero where E is not needed.
    pub(crate) fn in_flight_by_count(&self, circuit: &Circuit, credit: &Unit) -> u32 {
        if !self.control.needs_in_flight() {
            return 0;
        }
        let (initial, value) = (u64::from(circuit.initial), u64::from(credit.value));
        assert!(value <= initial, "a credit of N23 is at most N2 + N3");
        let outstanding = self.control.sent_units(circuit.sent_packets()) - credit.word;
        assert!(outstanding <= initial, "N23 with the true R never sends more than N2 + N3");
        (outstanding + value - initial) as u32
    }

    /// The permission of link control and window together.
    #[inline]
    pub(crate) fn permission(&self, circuit: &Circuit, now: u64) -> Permission {
        let control = self.control.permission(SimTime(now));
        match &circuit.cold {
            // A window never names an instant.
            Some(cold) if cold.window.permission(SimTime(now)) != Permission::Now => {
                Permission::Blocked
            }
            _ => control,
        }
    }

    /// A packet of this size, perhaps with marks, starts.
    #[inline]
    pub(crate) fn on_send(&mut self, circuit: &mut Circuit, bytes: u32, now: u64) {
        self.on_start(circuit, bytes, now);
        if let Some(cold) = &mut circuit.cold {
            cold.window.on_send(SimTime(now), bytes & SIZE_MASK);
        }
    }

    /// The same, of a VC without window.
    #[expect(clippy::inline_always, reason = "it is on the way of every cell")]
    #[inline(always)]
    pub(crate) fn on_start(&mut self, circuit: &mut Circuit, bytes: u32, now: u64) {
        self.control.on_send(SimTime(now), bytes & SIZE_MASK);
        circuit.count_start();
        self.transmitting = true;
    }

    /// A packet arrives at an empty queue and starts at once.
    #[expect(clippy::inline_always, reason = "it is on the way of every cell")]
    #[inline(always)]
    pub(crate) fn fill_one(&mut self, circuit: &mut Circuit, now: u64) {
        debug_assert!(self.is_empty());
        circuit.end_empty(now);
        self.fill = 1;
        circuit.note_fill(1);
    }

    /// One more packet waits or (greedy) starts.
    #[inline]
    pub(crate) fn fill_up(&mut self, circuit: &mut Circuit, now: u64) {
        circuit.settle(self.fill, self.greedy, now);
        self.fill += 1;
        circuit.note_fill(self.fill);
    }

    /// One packet has left, or was given up.
    #[inline]
    pub(crate) fn fill_down(&mut self, circuit: &mut Circuit, now: u64) {
        circuit.settle(self.fill, self.greedy, now);
        assert!(self.fill > 0, "a cell left a hop that holds none");
        self.fill -= 1;
    }

    /// A greedy source is switched on or off.
    pub(crate) fn set_greedy(&mut self, circuit: &mut Circuit, on: bool, now: u64) {
        circuit.settle(self.fill, self.greedy, now);
        self.greedy = on;
    }

    /// A greedy source has created its last packet: no other is offered.
    pub(crate) fn end_greedy(&mut self, circuit: &mut Circuit, now: u64) {
        self.set_greedy(circuit, false, now);
        circuit.offers = false;
    }

    /// Updates whether it is blocked. Returns whether a new blocked span begins.
    pub(crate) fn set_blocked(
        &mut self,
        circuit: &mut Circuit,
        is_blocked: bool,
        now: u64,
    ) -> bool {
        self.is_blocked = is_blocked;
        circuit.count_blocked(is_blocked, now)
    }
}
