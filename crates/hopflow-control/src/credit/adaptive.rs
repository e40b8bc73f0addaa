//! Adaptive credit: the VCs that arrive by one link share one memory in proportion to their use of
//! it.
//!
//! The sender counts as in CUP (`cup.rs`): a packet may start while the running total is far enough
//! below a limit, and a credit cell raises or lowers the limit. The receiver reallocates its memory
//! after every measuring interval:
//! ```text
//! balance = L - Tx,        a packet may start  <=>  balance >= l                 (1)
//! L       = Fwd + alloc                     when a credit cell starts; see (5)   (2)
//! alloc   = max(0, M/2 - TotQ - sum(l)) Use / TotUse + l    each rounded down    (3)
//! due       when  Fwd + alloc >= L_adv + min(N2, ceil(alloc/4), alloc - l + 1),  (4)
//!           and after an interval also when  Fwd + alloc < L_adv
//! L      <= Fwd + owed + M - sum(owed),     owed = max(l, P - Fwd)               (5)
//! P      <- max(units received, every L advertised in the last interval or in force then)  (6)
//! ```
//! | symbol              | meaning                                                | unit  |
//! |---------------------|--------------------------------------------------------|-------|
//! | M, `memory`         | memory of the receiving end for the VCs of the link    | units |
//! | l, `largest`        | the largest packet of the VC (`units.rs`); of cells 1  | units |
//! | sum(l)              | of all VCs that share the memory: of cells their number | units |
//! | Tx, `sent`          | units that the sender has started                      | units |
//! | Fwd, `freed`        | units of the VC that the receiver has freed            | units |
//! | L, `ahead` + Tx     | the limit of Tx                                        | units |
//! | L_adv, `advertised` | the limit advertised last                              | units |
//! | alloc, `allocation` | the VC's share of the memory, at least l               | units |
//! | TotQ, `held`        | units of all VCs held when the interval ends           | units |
//! | Use, TotUse         | units freed in the interval: by the VC, by all         | units |
//! | N2, `n2`            | the most units freed per credit cell                   | units |
//! | P, `promise`        | upper bound of Tx                                      | units |
//! | owed                | room reserved for the VC                               | units |
//!
//! If TotUse = 0, nothing was freed: Use / TotUse is then taken as 1/N, its initial value, with N
//! the number of VCs. If nothing is held either, the shares do not change. An idle VC keeps room
//! for its largest packet, so that it can always begin; its use is then measured, and its share
//! follows from interval to interval.
//!
//! *Never above M.* Let the interval be at least the link's loop, with the largest packet. When an
//! interval ends, a limit that was advertised before it began is in force, and all packets started
//! under older limits have arrived. So no Tx exceeds P (6), and the memory needs room for at most
//! sum(owed), which (5) keeps at or below M. A sender whose limit falls below its Tx waits: its
//! balance is negative, shown as 0. (5) is a safeguard: by (3) the shares of two intervals add up
//! to at most M, which is why M is halved. It acts only when shares change faster than every second
//! interval. Each freed unit lowers `owed` at once, so the sum is that of the instant at which a
//! credit cell starts. A credit cell that would repeat L_adv is left out, unless the sender has
//! requested it.
//!
//! *Never stuck.* A sender that waits has L_adv < Tx + l. Once all it sent is freed, Fwd = Tx, so
//! Fwd + alloc >= L_adv + alloc - l + 1, and a credit is due by the last term of (4). For cells,
//! l = 1, this term is alloc and never the least.
//!
//! Source: [KC95] for the behaviour and the memory, 4 RTT + 2 N cells; (1) is Equation (1) of
//! [KM95]. Only the abstract and citations of either were read: (3) is what is known of the rule of
//! [KC95], and (4) to (6) are ours, and so are packets of several units. Differs: a credit cell
//! covers one VC, not several, and carries Fwd + alloc instead of both. Not modelled: lost credit
//! cells (a lost credit cell that lowers a limit leaves the sender with the old limit, and the
//! memory can overflow, which is counted). A lost packet occupies its units of the VC's share until
//! the sender requests credit: the request carries Tx. Checked by: `adaptive/tests.rs`,
//! `docs/models/adaptive-credit.md`.

use hopflow_units::{Cells, SimTime};

use super::machine::Machine;
use super::{CreditValue, Facts, Grant, PacketUnits, Start};

/// The sending end of adaptive credit.
#[derive(Clone, Copy, Debug)]
pub struct AdaptiveSender {
    largest: Cells,
    /// Tx, of which the low 28 bits are compared.
    sent: u32,
    /// L - Tx, the balance.
    ahead: i32,
}

impl AdaptiveSender {
    pub(super) const FACTS: Facts = Facts { grant: Grant::Shared, ..Facts::new("adaptive") };

    /// The first share is below 2^27 (asserted).
    pub(super) const fn new(start: Start) -> AdaptiveSender {
        let share = start.credit.0;
        assert!(share <= CreditValue::MAX_DISTANCE, "serial arithmetic needs less than 2^27");
        let largest = start.units.largest();
        AdaptiveSender { largest, sent: 0, ahead: share.cast_signed() }
    }
}

impl Machine for AdaptiveSender {
    fn largest(&self) -> Cells {
        self.largest
    }

    fn on_send(&mut self, now: SimTime, units: Cells) {
        let is_enough = self.credit_count(now) >= units;
        assert!(is_enough, "adaptive credit sent a cell without credit");
        self.sent = self.sent.wrapping_add(units.0);
        self.ahead -= units.0.cast_signed();
    }

    /// Sets a new limit, modulo 2^28, less than 2^27 away from the units sent. Eq. (1).
    fn on_credit(&mut self, _now: SimTime, limit: CreditValue, _in_flight: Cells) {
        let behind = limit.behind(self.sent.into()).cast_signed();
        let is_behind = behind <= CreditValue::MAX_DISTANCE.cast_signed();
        self.ahead = if is_behind { -behind } else { (1 << CreditValue::BITS) - behind };
    }

    /// The balance; 0 if it is negative.
    fn credit_count(&self, _now: SimTime) -> Cells {
        Cells(self.ahead.max(0).cast_unsigned())
    }
}

/// What the memory knows of a VC that shares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sharer {
    /// The most units freed per credit cell, at least 1.
    pub n2: Cells,
    /// What its packets count.
    pub units: PacketUnits,
}

/// The VCs that share a memory, together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sharers {
    /// N.
    pub count: u32,
    /// sum(l): the memory for the largest packet of each.
    pub largest: Cells,
}

impl Sharers {
    /// One more VC, whose largest packet takes this many units.
    pub fn add(&mut self, largest: Cells) {
        self.count += 1;
        self.largest = Cells(self.largest.0.saturating_add(largest.0));
    }

    /// The first share of a VC of which the largest packet takes `largest` units: Eq. (3) with an
    /// empty memory and equal use.
    pub fn first_share(self, memory: Cells, largest: Cells) -> Cells {
        Cells((memory.0 / 2).saturating_sub(self.largest.0) / self.count.max(1) + largest.0)
    }
}

/// One VC at the receiving end. Totals are units since the start of the run.
#[derive(Clone, Copy, Debug)]
struct Member {
    n2: u32,
    units: PacketUnits,
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
        let beyond = self.allocation - self.largest();
        u64::from(self.n2.min(self.allocation.div_ceil(4)).min(beyond + 1))
    }

    /// l.
    const fn largest(&self) -> u32 {
        self.units.largest().0
    }

    fn rises(&self) -> bool {
        self.wanted() >= self.advertised + self.step()
    }

    fn owed(&self) -> u64 {
        self.promise.saturating_sub(self.freed).max(self.largest().into())
    }
}

/// The receiving end of adaptive credit: the memory that VCs of one link direction share.
#[derive(Clone, Debug)]
pub struct BufferShares {
    memory: u32,
    members: Vec<Member>,
    sharers: Sharers,
    held: u32,
    held_max: u32,
    /// M - sum(owed): room that is reserved for no VC, at every instant. Negative only after lost
    /// credits.
    spare: i64,
}

impl BufferShares {
    /// A buffer of `memory` units for these VCs. Asserts N2 of at least 1, room for the largest
    /// packet of each VC and fewer than 2^27 units in all.
    pub fn new(memory: Cells, vcs: &[Sharer]) -> BufferShares {
        let mut sharers = Sharers::default();
        for vc in vcs {
            sharers.add(vc.units.largest());
        }
        assert!(memory >= sharers.largest, "each VC has its largest packet of the memory");
        assert!(memory.0 <= CreditValue::MAX_DISTANCE, "serial arithmetic needs less than 2^27");
        let member = |vc: &Sharer| {
            assert!(vc.n2 >= Cells::ONE, "N2 is at least one unit");
            let allocation = sharers.first_share(memory, vc.units.largest()).0;
            let promise = u64::from(allocation);
            Member {
                n2: vc.n2.0,
                units: vc.units,
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
        let members: Vec<Member> = vcs.iter().map(member).collect();
        let charged: i64 = members.iter().map(|member| i64::from(member.allocation)).sum();
        let spare = i64::from(memory.0) - charged;
        BufferShares { memory: memory.0, members, sharers, held: 0, held_max: 0, spare }
    }

    /// Stores a packet of a VC. Returns whether it did not fit the memory: a broken promise.
    pub fn on_packet(&mut self, member: u32, bytes: u32) -> bool {
        let member = &mut self.members[member as usize];
        let units = member.units.of(bytes).0;
        member.held += units;
        self.held += units;
        self.held_max = self.held_max.max(self.held);
        self.held > self.memory
    }

    /// Frees a packet of a VC. Returns whether a credit falls due and must be queued.
    pub fn on_freed(&mut self, member: u32, bytes: u32) -> bool {
        let member = &mut self.members[member as usize];
        let units = member.units.of(bytes).0;
        assert!(member.held >= units, "a cell left an empty buffer");
        member.held -= units;
        member.freed += u64::from(units);
        self.held -= units;
        settle(member, &mut self.spare);
        let is_due = !member.waiting && member.rises();
        member.waiting |= is_due;
        is_due
    }

    /// Whether a packet of this size of a VC does not fit the memory now.
    pub fn lacks_room(&self, member: u32, bytes: u32) -> bool {
        let units = self.members[member as usize].units.of(bytes);
        Cells(self.held) + units > Cells(self.memory)
    }

    /// Requests a credit of a VC, even if the limit has not changed. Returns whether a credit must
    /// be queued: not if one is waiting.
    pub fn ask(&mut self, member: u32) -> bool {
        let member = &mut self.members[member as usize];
        member.asked = true;
        !std::mem::replace(&mut member.waiting, true)
    }

    /// Takes the total of started units from a sender that requests credit. Links keep the order,
    /// so units that are neither freed nor held were lost: they count as freed, but not as use.
    pub fn on_check(&mut self, member: u32, sent: u64) {
        let member = &mut self.members[member as usize];
        let lost = sent - member.freed - u64::from(member.held);
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
        let kept = self.held.saturating_add(self.sharers.largest.0);
        let available = u64::from((self.memory / 2).saturating_sub(kept));
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
                member.allocation = share as u32 + member.largest();
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

    /// TotQ: units of all VCs held now.
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
