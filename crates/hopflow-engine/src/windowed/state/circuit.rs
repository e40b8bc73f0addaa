//! A VC, or a branch of it, on one hop: whose packets a queue holds, and what is counted of them.
//!
//! Every queue of a VC has a circuit, with the same index at its node. The queue decides
//! (`queue.rs`); a circuit only counts, and knows what few VCs have: a window, rate control, spans
//! after which credit is requested, in [`ColdCircuit`]; blocked time in [`Blocked`].

mod cold;

pub(crate) use cold::ColdCircuit;

use std::collections::VecDeque;

use hopflow_units::{CellRate, Picos, SimTime};

use super::HopId;
use super::blocked::Blocked;
use super::lane::NO_LANE;
use super::rated::AbrState;
use crate::embed::rate::Pacer;
use crate::embed::record::Record;
use crate::windowed::wire::NONE;
use crate::windowed::wire::unit::CELL;
use hopflow_network::CellKind;
use hopflow_network::counters::HopCounters;

/// What a VC counts on a hop, at its sending end.
#[expect(clippy::struct_excessive_bools, reason = "independent facts, read one by one")]
#[derive(Debug)]
pub(crate) struct Circuit {
    last_change: u64,
    fill_area: u128,
    no_cell: u64,
    sent_packets: u64,
    pub(crate) vc: u32,
    pub(crate) hop: u32,
    fill_max: u32,
    pub(crate) is_ack: bool,
    /// Whether it needs E, and counters do not imply it.
    pub(crate) needs_in_flight: bool,
    /// Whether ports may mark its packets.
    pub(crate) bears_marks: bool,
    /// Whether a greedy source's next packet is reported at each start.
    pub(crate) offers: bool,
    /// Whether an endpoint waits for room in its queue.
    pub(crate) wakes: bool,
    /// The lane by which it leaves, if there is one.
    pub(crate) lane: u16,
    pub(crate) credits_taken: u64,
    /// The initial credit, from which exact counters give E.
    pub(crate) initial: u32,
    /// E: the units started in (now - R, now], after the last removal of older ones. Kept where
    /// counters do not imply it.
    pub(crate) in_flight: u32,
    /// Its number at the port's scheduler.
    pub(crate) flow: u32,
    /// Its source, at the source host.
    pub(crate) source: u32,
    /// The size of a greedy source's next packet.
    pub(crate) bytes: u32,
    /// Its blocked time, once it has been blocked.
    blocked: Option<Box<Blocked>>,
    /// Absent as long as nothing of it is needed.
    pub(crate) cold: Option<Box<ColdCircuit>>,
}

const _: () = assert!(size_of::<Circuit>() <= 112 && size_of::<ColdCircuit>() <= 176);

impl Circuit {
    /// The circuit of a hop, at the source of its VC. What is not in the arguments is that of data
    /// of a unicast VC that no credit controls.
    pub(crate) fn new(HopId { vc, hop }: HopId, cold: Option<Box<ColdCircuit>>) -> Circuit {
        Circuit {
            last_change: 0,
            fill_area: 0,
            no_cell: 0,
            sent_packets: 0,
            vc: vc as u32,
            hop: hop as u32,
            fill_max: 0,
            is_ack: false,
            needs_in_flight: false,
            bears_marks: false,
            offers: false,
            wakes: false,
            lane: NO_LANE,
            credits_taken: 0,
            initial: 0,
            in_flight: 0,
            flow: NONE,
            source: NONE,
            bytes: CELL,
            blocked: None,
            cold,
        }
    }

    /// Data, ACK and RM cells started.
    #[inline]
    pub(crate) const fn sent_packets(&self) -> u64 {
        self.sent_packets
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

    /// Its state for rate control, if its VC has that.
    pub(crate) fn rated(&mut self) -> Option<&mut AbrState> {
        self.cold.as_mut()?.rated.as_deref_mut()
    }

    /// The records of the units in its queue that have one, in order.
    pub(crate) fn records(&mut self) -> &mut VecDeque<Record> {
        &mut self.cold.get_or_insert_default().records
    }

    /// The pacer, of a paced VC.
    fn pacer(&self) -> Option<&Pacer> {
        self.cold.as_ref()?.rated.as_ref()?.pacer.as_ref()
    }

    /// ACR of a paced VC, zero of any other.
    pub(crate) fn acr(&self) -> CellRate {
        self.pacer().map_or(CellRate::ZERO, Pacer::acr)
    }

    /// Whether it is paced and has no turn.
    pub(crate) fn lacks_turn(&self) -> bool {
        self.pacer().is_some_and(Pacer::is_shut)
    }

    /// Counts a packet that starts.
    #[inline]
    pub(super) const fn count_start(&mut self) {
        self.sent_packets += 1;
    }

    /// Counts the greatest fill.
    #[inline]
    pub(super) fn note_fill(&mut self, fill: u32) {
        self.fill_max = self.fill_max.max(fill);
    }

    /// The time without a packet ends.
    #[inline]
    pub(super) const fn end_empty(&mut self, now: u64) {
        self.no_cell += now - self.last_change;
        self.last_change = now;
    }

    /// Brings the time integrals up to `now`, until which its queue was as given.
    #[expect(clippy::inline_always, reason = "it is on the way of every cell")]
    #[inline(always)]
    pub(super) fn settle(&mut self, fill: u32, is_greedy: bool, now: u64) {
        let span = now - self.last_change;
        self.last_change = now;
        if fill > 0 {
            self.fill_area += u128::from(fill) * u128::from(span);
        } else if !is_greedy {
            self.no_cell += span;
        }
    }

    /// Its queue becomes blocked, or no longer is. Returns whether a new blocked span begins.
    pub(super) fn count_blocked(&mut self, is_blocked: bool, now: u64) -> bool {
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

    /// Resets the greatest fill to the present one.
    pub(super) const fn restart(&mut self, fill: u32) {
        self.fill_max = fill;
    }

    /// The time without a packet in its queue up to `now`.
    pub(super) fn no_cell(&self, is_empty: bool, now: u64) -> Picos {
        let idle = if is_empty { now - self.last_change } else { 0 };
        Picos(self.no_cell + idle)
    }

    /// The integral of the fill up to `now`, in cell x ps.
    pub(super) fn area(&self, fill: u32, now: u64) -> u128 {
        self.fill_area + u128::from(fill) * u128::from(now - self.last_change)
    }

    /// Of the sending half of the hop's counters what it counts by itself, as read at `now`.
    pub(super) fn read(&self, now: u64, counters: &mut HopCounters) {
        counters.sent_packets = self.sent_packets;
        counters.fill_max_packets = self.fill_max;
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
}
