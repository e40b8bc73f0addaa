//! Adaptive credit: the VCs that arrive by one link share one memory in proportion to their use of
//! it.
//!
//! The sender counts as in CUP (`cup.rs`): a cell may start while the running total is below a
//! limit, and a credit cell raises or lowers the limit. The receiver reallocates its memory after
//! every measuring interval:
//! ```text
//! balance = L - Tx                                                               (1)
//! L       = Fwd + alloc                     when a credit cell starts; see (5)   (2)
//! alloc   = max(0, M/2 - TotQ - N) Use / TotUse + 1         each rounded down    (3)
//! due       when  Fwd + alloc >= L_adv + min(N2, ceil(alloc/4)),                 (4)
//!           and after an interval also when  Fwd + alloc < L_adv
//! L      <= Fwd + owed + M - sum(owed),     owed = max(1, P - Fwd)               (5)
//! P      <- max(cells received, every L advertised in the last interval or in force then)  (6)
//! ```
//! | symbol              | meaning                                                | unit  |
//! |---------------------|--------------------------------------------------------|-------|
//! | M, `memory`         | memory of the receiving end for the N VCs of the link  | cells |
//! | N                   | VCs that share it                                      |       |
//! | Tx, `sent_cells`    | cells that the sender has started                      | cells |
//! | Fwd, `freed`        | cells of the VC that the receiver has freed            | cells |
//! | L, `limit`          | the limit of Tx                                        | cells |
//! | L_adv, `advertised` | the limit advertised last                              | cells |
//! | alloc, `allocation` | the VC's share of the memory, at least 1               | cells |
//! | TotQ, `held`        | cells of all N VCs held when the interval ends         | cells |
//! | Use, TotUse         | cells freed in the interval: by the VC, by all N       | cells |
//! | N2, `n2`            | the most cells freed per credit cell                   | cells |
//! | P, `promise`        | upper bound of Tx                                      | cells |
//! | owed                | room reserved for the VC                               | cells |
//!
//! If TotUse = 0, no cell was freed: Use / TotUse is then taken as 1/N, its initial value. If no
//! cell is held either, the shares do not change. An idle VC keeps one cell, so that it can always
//! begin; its use is then measured, and its share follows from interval to interval.
//!
//! *Never above M.* Let the interval be at least the link's loop. When an interval ends, a limit
//! that was advertised before it began is in force, and all cells started under older limits have
//! arrived. So no Tx exceeds P (6), and the memory needs room for at most sum(owed), which (5)
//! keeps at or below M. A sender whose limit falls below its Tx waits: its balance is negative,
//! shown as 0. (5) is a safeguard: by (3) the shares of two intervals add up to at most M, which is
//! why M is halved. It acts only when shares change faster than every second interval. Each freed
//! cell lowers `owed` at once, so the sum is that of the instant at which a credit cell starts.
//! A credit cell that would repeat L_adv is left out, unless the sender has requested it.
//!
//! Source: [KC95] for the behaviour and the memory, 4 RTT + 2 N cells; (1) is Equation (1) of
//! [KM95]. Only the abstract and citations of either were read: (3) is what is known of the rule of
//! [KC95], and (4) to (6) are ours. Differs: a credit cell covers one VC, not several, and carries
//! Fwd + alloc instead of both. Not modelled: lost credit cells (a lost credit cell that lowers a
//! limit leaves the sender with the old limit, and the memory can overflow, which is counted). A
//! lost data cell occupies a cell of the VC's share until the sender requests credit: the request
//! carries Tx. Checked by: `adaptive/tests.rs`, `docs/models/adaptive-credit.md`.

use hopflow_units::{Cells, SimTime};

use super::machine::Machine;
use super::{CreditValue, Facts, Grant, Start};

/// The sending end of adaptive credit.
#[derive(Clone, Copy, Debug)]
pub struct AdaptiveSender {
    sent_cells: u64,
    limit: u64,
}

impl AdaptiveSender {
    pub(super) const FACTS: Facts = Facts { grant: Grant::Shared, ..Facts::new("adaptive") };

    pub(super) const fn new(start: Start) -> AdaptiveSender {
        AdaptiveSender { sent_cells: 0, limit: start.credit.0 as u64 }
    }
}

impl Machine for AdaptiveSender {
    fn on_send(&mut self, now: SimTime, units: Cells) {
        let is_enough = self.credit_count(now) >= units;
        assert!(is_enough, "adaptive credit sent a cell without credit");
        self.sent_cells += u64::from(units.0);
    }

    /// Sets a new limit, modulo 2^28, less than 2^27 away from the cells sent. Eq. (1).
    fn on_credit(&mut self, _now: SimTime, limit: CreditValue, _in_flight: Cells) {
        let behind = limit.behind(self.sent_cells);
        self.limit = if behind <= CreditValue::MAX_DISTANCE {
            self.sent_cells.saturating_sub(behind.into())
        } else {
            self.sent_cells + (1 << CreditValue::BITS) - u64::from(behind)
        };
    }

    /// The balance; 0 if it is negative.
    fn credit_count(&self, _now: SimTime) -> Cells {
        Cells(self.limit.saturating_sub(self.sent_cells) as u32)
    }
}

/// One VC at the receiving end. Totals are cells since the start of the run.
#[derive(Clone, Copy, Debug)]
struct Member {
    n2: u32,
    allocation: u32,
    held: u32,
    freed: u64,
    /// `freed` when the interval began.
    freed_before: u64,
    advertised: u64,
    /// The highest limit advertised in this interval or in force when it began.
    advertised_max: u64,
    promise: u64,
    /// `owed`, as it is subtracted from the spare room.
    charged: u64,
    waiting: bool,
    asked: bool,
}

impl Member {
    fn wanted(&self) -> u64 {
        self.freed + u64::from(self.allocation)
    }

    /// The least rise of the limit that makes a credit cell due. Eq. (4).
    fn step(&self) -> u64 {
        u64::from(self.n2.min(self.allocation.div_ceil(4)))
    }

    fn rises(&self) -> bool {
        self.wanted() >= self.advertised + self.step()
    }

    fn owed(&self) -> u64 {
        self.promise.saturating_sub(self.freed).max(1)
    }
}

/// The receiving end of adaptive credit: the memory that VCs of one link direction share.
#[derive(Clone, Debug)]
pub struct BufferShares {
    memory: u32,
    members: Vec<Member>,
    held: u32,
    held_max: u32,
    /// M - sum(owed): room that is reserved for no VC, at every instant. Negative only after lost
    /// credits.
    spare: i64,
}

impl BufferShares {
    /// A buffer of `memory` cells for VCs with these N2, all at least 1. Asserts at least one cell
    /// per VC and fewer than 2^27 cells in all.
    pub fn new(memory: Cells, n2: &[Cells]) -> BufferShares {
        let count = n2.len() as u32;
        let allocation = BufferShares::first_allocation(memory, count).0;
        assert!(memory.0 >= count, "each VC has a cell of the memory");
        assert!(memory.0 <= CreditValue::MAX_DISTANCE, "serial arithmetic needs less than 2^27");
        let promise = u64::from(allocation);
        let member = |n2: &Cells| {
            assert!(*n2 >= Cells::ONE, "N2 is at least one cell");
            Member {
                n2: n2.0,
                allocation,
                held: 0,
                freed: 0,
                freed_before: 0,
                advertised: promise,
                advertised_max: promise,
                promise,
                charged: promise,
                waiting: false,
                asked: false,
            }
        };
        let members: Vec<Member> = n2.iter().map(member).collect();
        let spare = i64::from(memory.0) - i64::from(allocation) * i64::from(count);
        BufferShares { memory: memory.0, members, held: 0, held_max: 0, spare }
    }

    /// The initial allocation of each of `count` VCs (at least 1).
    pub const fn first_allocation(memory: Cells, count: u32) -> Cells {
        Cells((memory.0 / 2).saturating_sub(count) / count + 1)
    }

    /// Stores a cell of a VC. Returns whether the memory was full: a broken promise.
    pub fn on_cell(&mut self, member: u32) -> bool {
        let is_full = self.held >= self.memory;
        self.members[member as usize].held += 1;
        self.held += 1;
        self.held_max = self.held_max.max(self.held);
        is_full
    }

    /// Frees a cell of a VC. Returns whether a credit falls due and must be queued.
    pub fn on_freed(&mut self, member: u32) -> bool {
        let member = &mut self.members[member as usize];
        assert!(member.held > 0, "a cell left an empty buffer");
        member.held -= 1;
        member.freed += 1;
        self.held -= 1;
        settle(member, &mut self.spare);
        let is_due = !member.waiting && member.rises();
        member.waiting |= is_due;
        is_due
    }

    /// Requests a credit of a VC, even if the limit has not changed. Returns whether a credit must
    /// be queued: not if one is waiting.
    pub fn ask(&mut self, member: u32) -> bool {
        let member = &mut self.members[member as usize];
        member.asked = true;
        !std::mem::replace(&mut member.waiting, true)
    }

    /// Takes the total of started cells from a sender that requests credit. Links keep the order,
    /// so cells that are neither freed nor held were lost: they count as freed, but not as use.
    pub fn on_check(&mut self, member: u32, sent_cells: u64) {
        let member = &mut self.members[member as usize];
        let lost = sent_cells - member.freed - u64::from(member.held);
        member.freed += lost;
        member.freed_before += lost;
        settle(member, &mut self.spare);
    }

    /// The limit in the VC's credit cell that starts now; `None` if the cell is left out because
    /// the limit has not changed. Eq. (2), (5). Panics unless a credit was waiting.
    pub fn credit_value(&mut self, member: u32) -> Option<CreditValue> {
        let member = &mut self.members[member as usize];
        assert!(member.waiting, "a credit starts that was not queued");
        member.waiting = false;
        let most = member.freed + member.charged + self.spare.max(0).cast_unsigned();
        let limit = member.wanted().min(most);
        if limit == member.advertised && !std::mem::take(&mut member.asked) {
            return None;
        }
        member.asked = false;
        member.advertised = limit;
        member.advertised_max = member.advertised_max.max(limit);
        member.promise = member.promise.max(limit);
        settle(member, &mut self.spare);
        Some(CreditValue::from_total(limit))
    }

    /// Ends a measuring interval and reallocates the memory, Eq. (3) and (6). Calls `due` with each
    /// VC whose credit falls due, in order; each credit must be queued.
    pub fn allot(&mut self, mut due: impl FnMut(u32)) {
        let count = self.members.len() as u32;
        let available =
            u64::from((self.memory / 2).saturating_sub(self.held.saturating_add(count)));
        let total: u64 = self.members.iter().map(|m| m.freed - m.freed_before).sum();
        for (index, member) in (0_u32..).zip(&mut self.members) {
            let taken_in = member.freed + u64::from(member.held);
            member.promise = member.advertised_max.max(taken_in);
            member.advertised_max = member.advertised;
            settle(member, &mut self.spare);
            let used = member.freed - member.freed_before;
            member.freed_before = member.freed;
            // If nothing moved, as if the use had been equal; if nothing is held either, no change.
            let equal = (self.held > 0).then_some(available / u64::from(count));
            if let Some(share) = (available * used).checked_div(total).or(equal) {
                member.allocation = share as u32 + 1;
            }
            if !member.waiting && (member.rises() || member.wanted() < member.advertised) {
                member.waiting = true;
                due(index);
            }
        }
    }

    /// The current share of a VC.
    pub fn allocation(&self, member: u32) -> Cells {
        Cells(self.members[member as usize].allocation)
    }

    /// TotQ: cells of all VCs held now.
    pub const fn held(&self) -> Cells {
        Cells(self.held)
    }

    /// The largest TotQ so far.
    pub const fn held_max(&self) -> Cells {
        Cells(self.held_max)
    }

    /// Resets the largest TotQ to the current one.
    pub const fn restart(&mut self) {
        self.held_max = self.held;
    }
}

/// Updates the room reserved for a VC, wherever P or Fwd has changed. Eq. (5).
fn settle(member: &mut Member, spare: &mut i64) {
    let owed = member.owed();
    *spare += member.charged.cast_signed() - owed.cast_signed();
    member.charged = owed;
}

#[cfg(test)]
mod tests;
