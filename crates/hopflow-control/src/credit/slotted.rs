//! A slow and simple link for tests: one VC, one cell per slot, credits that take no bandwidth.
//!
//! ```text
//!   sender --- there slots ---> receiver         loop D = there + back
//!          <--- back slots ----
//! slot t:  1. credits that arrive at t are accepted
//!          2. the cell that arrives at t is accepted
//!          3. the receiver frees up to `drain` cells; a credit that fell due starts
//!          4. the sender starts a cell if it may
//! ```
//! A cell that starts at t and is freed on arrival gives a credit that arrives at t + D, before the
//! start of that slot. So a credit that arrives at t misses exactly the cells started in t-D+1 ..
//! t-1, that is in (t-D, t]. The link keeps its own record, independent of the schemes: all starts,
//! all cells freed, and the cells freed when each credit started.

use std::collections::VecDeque;

use hopflow_units::{Bytes, Cells, Picos, SimTime};

use super::{CreditScheme, CreditValue, PacketUnits, Receiver, Sender, Start};

/// Any instant, for senders that do not depend on time.
pub(super) const NOW: SimTime = SimTime(0);

/// The start of a sender with an initial credit, without N1 and R.
pub(super) const fn start(credit: u32) -> Start {
    Start {
        credit: Cells(credit),
        n1: Cells::ZERO,
        round_trip: Picos(0),
        units: PacketUnits::CELLS,
    }
}

/// What the receiver and the links do in one slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The most cells freed.
    pub(super) drain: u64,
    /// The credit that starts in this slot is corrupted.
    pub(super) lose_credit: bool,
    /// The cell that starts in this slot is corrupted.
    pub(super) lose_cell: bool,
}

impl Step {
    /// No losses: the receiver frees all that it has.
    pub(super) const OPEN: Step = Step { drain: u64::MAX, lose_credit: false, lose_cell: false };
    /// The receiver frees nothing.
    pub(super) const STALLED: Step = Step { drain: 0, lose_credit: false, lose_cell: false };
    /// As `OPEN`, but a credit that starts is lost.
    pub(super) const DEAF: Step = Step { drain: u64::MAX, lose_credit: true, lose_cell: false };
}

/// A credit that arrived: the counts before and after it, and the exact counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Taken {
    /// The slot.
    pub(super) slot: u64,
    /// The sender's count before.
    pub(super) before: Cells,
    /// The sender's count after.
    pub(super) after: Cells,
    /// Cells started so far less those freed when the credit started: the exact counters.
    pub(super) outstanding: u64,
}

/// A credit in flight.
#[derive(Clone, Copy, Debug)]
struct Credit {
    arrives: u64,
    value: CreditValue,
    freed_at_start: u64,
}

/// One VC on one link.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) sender: Sender,
    pub(super) receiver: Receiver,
    there: u64,
    back: u64,
    /// R in slots, the span of E.
    round_trip: u64,
    pub(super) now: u64,
    cells: VecDeque<u64>,
    credits: VecDeque<Credit>,
    /// Every slot in which a cell started.
    pub(super) starts: Vec<u64>,
    /// Every credit received.
    pub(super) taken: Vec<Taken>,
    /// Slots in which a credit started.
    pub(super) credit_starts: Vec<u64>,
    /// The most cells ever held.
    pub(super) peak: Cells,
    /// What the corrupted credits carried.
    pub(super) lost_values: u64,
}

impl Link {
    /// A link under a scheme, with a loop of `loop_slots` (at least 2) and the same R.
    pub(super) fn new(scheme: CreditScheme, zones: [u32; 3], loop_slots: u64) -> Link {
        let [n1, n2, n3] = zones.map(Cells);
        // One slot is one picosecond.
        let credit = n2 + n3;
        let round_trip = Picos(loop_slots);
        let start = Start { credit, n1, round_trip, units: PacketUnits::CELLS };
        let sender = Sender::new(scheme, start);
        Link::of(sender, Receiver::new(scheme.facts().grant, credit, n2), loop_slots)
    }

    /// A link with these two ends.
    pub(super) fn of(sender: Sender, receiver: Receiver, loop_slots: u64) -> Link {
        let there = loop_slots / 2;
        Link {
            sender,
            receiver,
            there,
            back: loop_slots - there,
            round_trip: loop_slots,
            now: 0,
            cells: VecDeque::new(),
            credits: VecDeque::new(),
            starts: Vec::new(),
            taken: Vec::new(),
            credit_starts: Vec::new(),
            peak: Cells::ZERO,
            lost_values: 0,
        }
    }

    /// Sets R independently of the true loop.
    pub(super) fn with_round_trip(mut self, slots: u64) -> Link {
        self.round_trip = slots;
        self
    }

    /// One slot of a greedy sender. Returns whether a cell started.
    pub(super) fn step(&mut self, step: Step) -> bool {
        let now = SimTime(self.now);
        while self.credits.front().is_some_and(|c| c.arrives == self.now) {
            let credit = self.credits.pop_front().unwrap();
            self.take(credit);
        }
        if self.cells.front() == Some(&self.now) {
            self.cells.pop_front();
            self.peak = self.peak.max(self.receiver.on_cell());
        }
        let mut due = false;
        for _ in 0..step.drain.min(self.receiver.buffered().0.into()) {
            due |= self.receiver.on_freed();
        }
        if due {
            self.start_credit(step.lose_credit);
        }
        let starts = self.sender.permission(now) == super::Permission::Now;
        if starts {
            self.sender.on_send(now, Bytes::CELL.0 as u32);
            self.starts.push(self.now);
            if !step.lose_cell {
                self.cells.push_back(self.now + self.there);
            }
        }
        self.now += 1;
        starts
    }

    /// A number of equal slots.
    pub(super) fn steps(&mut self, count: u64, step: Step) {
        for _ in 0..count {
            self.step(step);
        }
    }

    /// The sender requests a credit; the answer, if any, starts in this slot.
    pub(super) fn request(&mut self) {
        if self.receiver.ask() {
            self.start_credit(false);
        }
    }

    fn start_credit(&mut self, lost: bool) {
        let Some(value) = self.receiver.credit_value() else { return };
        self.credit_starts.push(self.now);
        if lost {
            self.lost_values += u64::from(value.bits());
        } else {
            let freed_at_start = self.receiver.freed();
            self.credits.push_back(Credit { arrives: self.now + self.back, value, freed_at_start });
        }
    }

    fn take(&mut self, credit: Credit) {
        let now = SimTime(self.now);
        let in_flight = self.starts.iter().rev().take_while(|&&s| s + self.round_trip > self.now);
        let in_flight = Cells(in_flight.count() as u32);
        let before = self.sender.credit_count(now);
        self.sender.on_credit(now, credit.value, in_flight);
        let after = self.sender.credit_count(now);
        let outstanding = self.starts.len() as u64 - credit.freed_at_start;
        self.taken.push(Taken { slot: self.now, before, after, outstanding });
    }

    /// Steps with an open receiver until a credit has just started.
    pub(super) fn until_credit_starts(&mut self) {
        let before = self.credit_starts.len();
        while self.credit_starts.len() == before {
            self.step(Step::OPEN);
        }
    }

    /// Asserts that from now on `cells` start in every `slots`, after a warm-up of many loops.
    pub(super) fn assert_pace(&mut self, (cells, slots): (u64, u64)) {
        self.steps(6_000, Step::OPEN);
        for _ in 0..5 {
            let from = self.now;
            self.steps(slots, Step::OPEN);
            assert_eq!(self.starts_in(from, self.now), cells, "in {slots} slots from {from}");
        }
    }

    /// Cells that started in slots [from, to).
    pub(super) fn starts_in(&self, from: u64, to: u64) -> u64 {
        self.starts.iter().filter(|&&s| (from..to).contains(&s)).count() as u64
    }

    /// The fingerprint of a run of 5,000 slots: h <- 31 h + slot over all starts. The receiver
    /// frees one cell or none at random (upper bit of a linear congruential generator); if
    /// `losses`, every 7th credit is lost.
    pub(super) fn fingerprint(mut self, losses: bool) -> u64 {
        let (mut state, mut hash) = (1_u64, 0_u64);
        for _ in 0..5_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let lose_credit = losses && self.credit_starts.len() % 7 == 6;
            self.step(Step { drain: state >> 63, lose_credit, lose_cell: false });
        }
        for &slot in &self.starts {
            hash = hash.wrapping_mul(31).wrapping_add(slot);
        }
        hash
    }
}

/// The law of exact counters on a lone link with a receiver that frees at once: with
/// n0 = N3 + 1 and m = N2 ceil(n0 / N2), m cells start in every D + m - n0 slots, or one in
/// every slot when that is less. Returns (cells, slots) of one period.
///
/// Derivation: count cells from 1; let x(i) be the slot of cell i. The credit that falls due with
/// cell j N2 arrives at x(j N2) + D and grants the cells up to N2 + N3 + j N2. Cells beyond N3 + j
/// N2 wait for it, and the first of them is j N2 + n0: x(j N2 + n0) = max(x(j N2 + n0 - 1) + 1, x(j
/// N2) + D);   for all others x(i) = x(i - 1) + 1. The slowest cycle of this recursion gives the
/// pace: either one cell per slot; or n0 cells in D slots from a multiple of N2 on, then one cell
/// per slot to the next multiple of N2.
pub(super) fn law(n2: u64, n3: u64, loop_slots: u64) -> (u64, u64) {
    let n0 = n3 + 1;
    let m = n2 * n0.div_ceil(n2);
    let slots = loop_slots + m - n0;
    if m >= slots { (1, 1) } else { (m, slots) }
}

/// Random slots: how much the receiver frees, and whether the credit and the cell are lost.
pub(super) fn any_steps(lossy: bool) -> impl proptest::strategy::Strategy<Value = Vec<Step>> {
    use proptest::prelude::*;
    // Stretches of one behaviour each, so that both full and empty buffers occur.
    let stretch = (0_u64..4, 1_usize..60, any::<u8>());
    proptest::collection::vec(stretch, 1..40).prop_map(move |stretches| {
        let mut steps = Vec::new();
        for (drain, length, dice) in stretches {
            let lose_credit = lossy && dice % 5 == 0;
            steps
                .extend(std::iter::repeat_n(Step { drain, lose_credit, lose_cell: false }, length));
        }
        steps
    })
}
