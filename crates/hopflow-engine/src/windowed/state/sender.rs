//! The sending end of one VC (or of one branch of it) at one node.

mod cold;

pub(crate) use cold::ColdSender;

use std::collections::VecDeque;

use hopflow_control::credit::{Permission, Sender};
use hopflow_units::{CellRate, Picos, SimTime};

use super::HopId;
use super::arena::CellQueue;
use super::blocked::Blocked;
use super::rated::AbrState;
use crate::embed::rate::Pacer;
use crate::embed::record::Record;
use crate::windowed::wire::NONE;
use crate::windowed::wire::unit::{CELL, Unit};
use hopflow_network::CellKind;
use hopflow_network::counters::HopCounters;

/// Held by other branches of its VC: it is a branch.
pub(crate) const BRANCH: u8 = 1;
/// Held by the gate of its lane.
pub(crate) const LANE: u8 = 2;
/// Held by its pacer until a turn is released.
pub(super) const PACED: u8 = 4;
/// Held by its window while that is full.
const WINDOW: u8 = 8;

/// One VC, or one branch of it, as it leaves a node: the hot part. What few senders need is in
/// [`ColdSender`]; what only blocked ones need, in [`Blocked`].
#[expect(clippy::struct_excessive_bools, reason = "independent facts, read one by one")]
#[derive(Debug)]
pub(crate) struct VcSender {
    pub(crate) control: Sender,
    /// Cells waiting to start (of a multicast branch they live in the receiver's held list).
    pub(crate) queue: CellQueue,
    pub(crate) waiting: u32,
    /// Cells waiting or in transmission.
    pub(crate) fill: u32,
    pub(crate) fill_max: u32,
    /// E: the starts in (now - R, now], after the last removal of older ones. Kept where counters
    /// do not imply it.
    pub(crate) in_flight: u32,
    pub(crate) next_listed: u32,
    pub(crate) listed: bool,
    pub(crate) transmitting: bool,
    /// A greedy source that is on: there is always another cell.
    pub(crate) greedy: bool,
    pub(crate) needs_in_flight: bool,
    pub(crate) is_ack: bool,
    /// Whether ports may mark its packets.
    pub(crate) bears_marks: bool,
    /// The reasons that may hold it beside its own control: [`BRANCH`], [`LANE`], [`PACED`],
    /// [`WINDOW`].
    pub(crate) held_by: u8,
    pub(crate) priority: u8,
    pub(crate) port: u32,
    /// Its number at the port's scheduler.
    pub(crate) flow: u32,
    /// Its source, at the source host.
    pub(crate) source: u32,
    /// The size of a greedy source's next packet, and whether it is reported at each start.
    pub(crate) bytes: u32,
    pub(crate) offers: bool,
    /// Whether an endpoint waits for room in its queue.
    pub(crate) wakes: bool,
    /// The receiver of this VC at this node; `NONE` at its source.
    pub(crate) receiver: u32,
    /// The receiver at the next node.
    pub(crate) downstream: u32,
    pub(crate) vc: u32,
    pub(crate) hop: u32,
    last_change: u64,
    fill_area: u128,
    no_cell: u64,
    pub(crate) sent_packets: u64,
    pub(crate) credits_taken: u64,
    /// The initial credit, from which exact counters give E.
    pub(crate) initial: u32,
    /// Whether it holds a cell that may not start.
    pub(crate) is_blocked: bool,
    /// Its blocked time, once it has been blocked.
    blocked: Option<Box<Blocked>>,
    /// Absent as long as nothing of it is needed.
    pub(crate) cold: Option<Box<ColdSender>>,
}

const _: () = assert!(size_of::<VcSender>() <= 176 && size_of::<ColdSender>() <= 176);

/// The reasons of its cold part that may hold a sender from the beginning.
fn held_by(cold: &ColdSender) -> u8 {
    let is_paced = cold.rated.as_ref().is_some_and(|rated| rated.pacer.is_some());
    let has_window = !cold.window.is_free_to_send();
    u8::from(is_paced) * PACED + u8::from(has_window) * WINDOW
}

impl VcSender {
    /// The sender of a hop whose cells leave by `port`, at the source of its VC. What is not in the
    /// arguments is that of data of a unicast VC that no credit controls.
    pub(crate) fn new(
        HopId { vc, hop }: HopId,
        port: u32,
        priority: u8,
        control: Sender,
        cold: Option<Box<ColdSender>>,
    ) -> VcSender {
        VcSender {
            needs_in_flight: control.needs_in_flight(),
            held_by: cold.as_deref().map_or(0, held_by),
            control,
            queue: CellQueue::EMPTY,
            waiting: 0,
            fill: 0,
            fill_max: 0,
            in_flight: 0,
            next_listed: NONE,
            listed: false,
            transmitting: false,
            greedy: false,
            is_ack: false,
            bears_marks: false,
            priority,
            port,
            flow: NONE,
            source: NONE,
            bytes: CELL,
            offers: false,
            wakes: false,
            receiver: NONE,
            downstream: NONE,
            vc: vc as u32,
            hop: hop as u32,
            last_change: 0,
            fill_area: 0,
            no_cell: 0,
            sent_packets: 0,
            credits_taken: 0,
            is_blocked: false,
            blocked: None,
            initial: 0,
            cold,
        }
    }

    /// Whether it is a branch of a multicast VC.
    #[inline]
    pub(crate) const fn is_branch(&self) -> bool {
        self.held_by & BRANCH != 0
    }

    /// The number of data cells started, without the forward RM cells that it created.
    #[inline]
    pub(crate) fn sent_data(&self) -> u64 {
        let rated = self.cold.as_ref().and_then(|cold| cold.rated.as_ref());
        self.sent_packets - rated.map_or(0, |rated| rated.forward_made)
    }

    /// The kind of its cells, except RM cells.
    #[inline]
    pub(crate) const fn kind(&self) -> CellKind {
        if self.is_ack { CellKind::Ack } else { CellKind::Data }
    }

    /// Whether it is paced.
    #[inline]
    pub(crate) const fn is_paced(&self) -> bool {
        self.held_by & PACED != 0
    }

    /// Its state for rate control, if its VC has that.
    pub(crate) fn rated(&mut self) -> Option<&mut AbrState> {
        self.cold.as_mut()?.rated.as_deref_mut()
    }

    /// The records of the units in its queue that have one, in order.
    pub(crate) fn records(&mut self) -> &mut VecDeque<Record> {
        &mut self.cold.get_or_insert_default().records
    }

    /// ACR of a paced sender, zero of any other.
    pub(crate) fn acr(&self) -> CellRate {
        let pacer = || self.cold.as_ref()?.rated.as_ref()?.pacer.as_ref();
        pacer().map_or(CellRate::ZERO, Pacer::acr)
    }

    /// Whether it is paced and has no turn.
    pub(crate) fn lacks_turn(&self) -> bool {
        let pacer = || self.cold.as_ref()?.rated.as_ref()?.pacer.as_ref();
        self.is_paced() && pacer().is_some_and(Pacer::is_shut)
    }

    /// Whether there is a cell that could start.
    #[inline]
    pub(crate) const fn has_cell(&self) -> bool {
        self.waiting > 0 || self.greedy
    }

    /// The credit count as seen at `now`.
    pub(crate) fn credit(&self, now: u64) -> u32 {
        let count = self.control.credit_count(SimTime(now)).0;
        match &self.cold {
            Some(cold) => count.min(cold.window.credit_count(SimTime(now)).0),
            None => count,
        }
    }

    /// Whether nothing holds its next cell, by a simple check: a sender with a window, of several
    /// branches or with lanes needs the full check of its permission.
    #[inline]
    pub(crate) fn is_free_to_send(&self) -> bool {
        self.held_by == 0 && self.control.is_free_to_send()
    }

    /// E from a credit, where R is the true loop and no cell is lost on the link: N2 + N3 - C cells
    /// were held as the credit started, and all others that were sent and not freed have started in
    /// the last R. Zero where E is not needed.
    pub(crate) fn in_flight_by_count(&self, credit: &Unit) -> u32 {
        if !self.control.needs_in_flight() {
            return 0;
        }
        let (initial, value) = (u64::from(self.initial), u64::from(credit.value));
        assert!(value <= initial, "a credit of N23 is at most N2 + N3");
        let outstanding = self.sent_packets - credit.word;
        assert!(outstanding <= initial, "N23 with the true R never sends more than N2 + N3");
        (outstanding + value - initial) as u32
    }

    /// The permission of link control and window together.
    #[inline]
    pub(crate) fn permission(&self, now: u64) -> Permission {
        let control = self.control.permission(SimTime(now));
        match &self.cold {
            // A window never names an instant.
            Some(cold) if cold.window.permission(SimTime(now)) != Permission::Now => {
                Permission::Blocked
            }
            _ => control,
        }
    }

    /// A cell starts.
    #[inline]
    pub(crate) fn on_send(&mut self, now: u64) {
        self.control.on_send(SimTime(now));
        if let Some(cold) = &mut self.cold {
            cold.window.on_send(SimTime(now));
        }
    }

    /// A cell arrives at an empty queue and starts at once.
    #[inline]
    pub(crate) fn fill_one(&mut self, now: u64) {
        debug_assert!(self.fill == 0 && !self.greedy);
        self.no_cell += now - self.last_change;
        self.last_change = now;
        self.fill = 1;
        self.fill_max = self.fill_max.max(1);
    }

    /// A cell of a VC without window starts.
    #[inline]
    pub(crate) fn on_start(&mut self, now: u64) {
        self.control.on_send(SimTime(now));
        self.sent_packets += 1;
        self.transmitting = true;
    }

    /// One more cell waits or (greedy) starts.
    #[inline]
    pub(crate) fn fill_up(&mut self, now: u64) {
        self.settle(now);
        self.fill += 1;
        self.fill_max = self.fill_max.max(self.fill);
    }

    /// One cell has left, or was given up.
    #[inline]
    pub(crate) fn fill_down(&mut self, now: u64) {
        self.settle(now);
        assert!(self.fill > 0, "a cell left a hop that holds none");
        self.fill -= 1;
    }

    /// A greedy source is switched on or off.
    pub(crate) fn set_greedy(&mut self, now: u64, on: bool) {
        self.settle(now);
        self.greedy = on;
    }

    /// A greedy source has created its last packet: no other is offered.
    pub(crate) fn end_greedy(&mut self, now: u64) {
        self.set_greedy(now, false);
        self.offers = false;
    }

    /// Brings the time integrals up to `now`.
    #[expect(clippy::inline_always, reason = "it is on the way of every cell")]
    #[inline(always)]
    fn settle(&mut self, now: u64) {
        let span = now - self.last_change;
        self.last_change = now;
        if self.fill > 0 {
            self.fill_area += u128::from(self.fill) * u128::from(span);
        } else if !self.greedy {
            self.no_cell += span;
        }
    }

    /// Updates whether it is blocked. Returns whether a new blocked span begins.
    pub(crate) fn set_blocked(&mut self, now: u64, is_blocked: bool) -> bool {
        self.is_blocked = is_blocked;
        let blocked = self.blocked.get_or_insert_default();
        if is_blocked {
            return blocked.begin(now);
        }
        blocked.end(now);
        false
    }

    /// Whether a timer for `at`, when it may be free to send, differs from the last one armed.
    pub(crate) fn arm(&mut self, at: u64) -> bool {
        self.blocked.get_or_insert_default().arm(at)
    }

    /// The time without a cell up to `now`.
    pub(crate) fn empty(&self, now: u64) -> Picos {
        let idle = if self.fill == 0 && !self.greedy { now - self.last_change } else { 0 };
        Picos(self.no_cell + idle)
    }

    /// The sending half of the hop's counters, as read at `now`.
    pub(crate) fn read(&self, now: u64, counters: &mut HopCounters) {
        counters.sent_packets = self.sent_packets;
        counters.left_packets = self.sent_packets - u64::from(self.transmitting);
        counters.fill_packets = self.fill;
        counters.fill_max_packets = self.fill_max;
        counters.fill_area = self.area(now);
        counters.no_cell = self.empty(now);
        if let Some(blocked) = &self.blocked {
            let (span, count, since) = blocked.read(now);
            counters.no_credit = Picos(span);
            counters.no_credit_count = count;
            counters.blocked_since = since.map(SimTime);
        }
        counters.credits_taken = self.credits_taken;
        counters.rate.acr = self.acr().get() as u64;
        if let Some(cold) = &self.cold {
            counters.credits_corrupted = cold.credits_corrupted;
            counters.request_cells = cold.request_cells;
            counters.given_up_packets = cold.given_up_packets;
            counters.pushed_out_packets = cold.pushed_out_packets;
            counters.slow_down_messages = cold.slow_down_messages;
            counters.deleted = cold.deleted.map(SimTime);
            if let Some(rated) = &cold.rated {
                counters.rate.forward_made = rated.forward_made;
                counters.rate.backward_taken = rated.backward_taken;
                counters.rate.backward_made = rated.backward_made;
            }
        }
    }

    /// The integral of the fill up to `now`, in cell x ps.
    pub(crate) fn area(&self, now: u64) -> u128 {
        self.fill_area + u128::from(self.fill) * u128::from(now - self.last_change)
    }
}
