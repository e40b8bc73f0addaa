//! The receiving end of any credit scheme: which units are held, and when a credit falls due.
//!
//! After every N2 freed units a credit falls due, and the count of N2 restarts at that moment. A VC
//! has at most one credit waiting at a port; another that falls due meanwhile is merged with it.
//! The value of a credit cell is read when the cell *starts*, not when it falls due:
//! ```text
//! free room    C   = max(0, N2 + N3 - B)     left out when 0   N23, N123, N123+  (1)
//! freed total  Fwd                           always            CUP, window       (2)
//! freed since  A   = Fwd - Fwd_last          left out when 0   additive          (3)
//! ```
//! | symbol              | meaning                                             | unit  |
//! |---------------------|-----------------------------------------------------|-------|
//! | N2, `n2`            | units freed per credit cell                         | units |
//! | N2 + N3, `capacity` | units that may be granted                           | units |
//! | B, `buffered`       | units held, those in transmission included          | units |
//! | Fwd, `freed`        | units freed since the start                         | units |
//! | Fwd_last, `reported` | Fwd when the last credit cell started              | units |
//!
//! A cell is one unit, a packet has several (`units.rs`). When a packet crosses the N2-th unit, its
//! other units do not count towards the next credit: a credit falls due after every ceil(N2 / u)
//! packets of u units, so no two follow within N2 units, as with cells. Nothing is lost by that: C,
//! Fwd and A include every freed unit.
//!
//! After a credit is left out, the next freed unit makes one due at once: waiting for N2 more would
//! make feedback slowest under congestion. If C were read when the credit falls due, the buffer
//! would overflow by the cells that arrive while the reverse link is busy. A requested credit (by
//! the sender, or a redundant one) does not change the count of N2.
//!
//! An engine may let a receiver count packets ([`Receiver::in_packets`]), and another one the units
//! of the same packets, so that the number of packets held is at hand.
//!
//! Where VCs share credit cells, a `CreditCarrier` decides when a credit falls due (`carrier.rs`),
//! and the receiver passes every freed cell and every request on.
//!
//! Source: [KMCL94] 4.3 and 4.5. Differs: the three points above, which [KMCL94] leaves open. Not
//! modelled: nothing. Checked by: `receiver/tests.rs`.

use hopflow_units::Cells;

use super::CreditValue;

/// The content of a scheme's credit cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grant {
    /// There are no credit cells.
    Nothing,
    /// Free room: N2 + N3 - B; left out when zero. N23, N123, N123+.
    FreeRoom,
    /// The running total of freed cells (CUP). Never left out.
    FreedTotal,
    /// Cells freed since the last credit cell started (additive credit).
    FreedSince,
    /// The value of a shared buffer (`adaptive.rs`). Every freed cell and every request is passed
    /// to it, and it decides whether a credit falls due.
    Shared,
    /// The value of a machine from outside hopflow (`external.rs`). Every cell and every request is
    /// passed to the machine, which decides whether a credit falls due.
    External,
}

impl Grant {
    /// The value of a credit that is wrong by `error`: amounts stay within 28 bits, totals and the
    /// values of external machines are changed modulo 2^28.
    pub fn falsified(self, value: CreditValue, error: i32) -> CreditValue {
        let wrong = i64::from(value.bits()) + i64::from(error);
        match self {
            Grant::FreeRoom | Grant::FreedSince => {
                let most = i64::from(CreditValue::MAX.bits());
                CreditValue::from_amount(wrong.clamp(0, most) as u32)
            }
            Grant::Nothing | Grant::FreedTotal | Grant::Shared | Grant::External => {
                CreditValue::from_total(wrong.cast_unsigned())
            }
        }
    }

    /// Whether something beside the receiver decides about its credits.
    pub const fn is_passed_on(self) -> bool {
        matches!(self, Grant::Shared | Grant::External)
    }
}

/// What decides when the credits of a receiver fall due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CountedBy {
    /// Its own count of N2.
    Itself,
    /// Credits are in cells that VCs share: the carrier.
    Carrier,
    /// This receiver counts packets: the one that counts their units.
    Units,
}

/// The receiving end of one VC on one link.
#[derive(Clone, Copy, Debug)]
pub struct Receiver {
    grant: Grant,
    capacity: u32,
    n2: u32,
    buffered: u32,
    /// Units freed since a credit last fell due.
    since_due: u32,
    waiting: bool,
    counted_by: CountedBy,
    freed: u64,
    /// `freed` when the last credit cell started.
    reported: u64,
}

impl Receiver {
    /// A receiver with an empty buffer that grants `capacity`. N2 is at least 1 (asserted).
    pub fn new(grant: Grant, capacity: Cells, n2: Cells) -> Receiver {
        assert!(n2 >= Cells::ONE, "N2 is at least one cell");
        let n2 = if grant.is_passed_on() { Cells::ONE } else { n2 };
        Receiver {
            grant,
            capacity: capacity.0,
            n2: n2.0,
            buffered: 0,
            since_due: 0,
            waiting: false,
            counted_by: CountedBy::Itself,
            freed: 0,
            reported: 0,
        }
    }

    /// The same receiver with credits in cells that VCs share: every freed cell and every request
    /// makes one due, and the caller asks the carrier.
    #[must_use]
    pub const fn carried(self) -> Receiver {
        Receiver { n2: 1, counted_by: CountedBy::Carrier, ..self }
    }

    /// A receiver of the same packets that counts them, not their units: every freed packet and
    /// every request makes a credit due, and the caller asks the receiver that counts units.
    #[must_use]
    pub const fn in_packets(self) -> Receiver {
        Receiver { n2: 1, counted_by: CountedBy::Units, ..self }
    }

    /// Stores a cell. Returns the cells now held.
    #[inline]
    pub fn on_cell(&mut self) -> Cells {
        self.on_packet(Cells::ONE)
    }

    /// Stores a packet of this many units. Returns the units now held.
    #[inline]
    pub fn on_packet(&mut self, units: Cells) -> Cells {
        self.buffered += units.0;
        Cells(self.buffered)
    }

    /// Frees a cell. Returns whether a credit falls due and must be queued.
    #[inline]
    pub fn on_freed(&mut self) -> bool {
        self.on_packet_freed(Cells::ONE)
    }

    /// Frees a packet of this many units. Returns whether a credit falls due and must be queued.
    #[inline]
    pub fn on_packet_freed(&mut self, units: Cells) -> bool {
        assert!(self.buffered >= units.0, "a cell left an empty buffer");
        self.buffered -= units.0;
        self.freed += u64::from(units.0);
        if self.grant == Grant::Nothing {
            return false;
        }
        self.since_due += units.0;
        if self.since_due < self.n2 {
            return false;
        }
        self.since_due = 0;
        self.ask()
    }

    /// Requests a credit now, whatever the count of N2 (a request by the sender, or a redundant
    /// credit). Returns whether one must be queued: not if one is waiting.
    pub fn ask(&mut self) -> bool {
        match self.grant {
            Grant::Shared | Grant::External => return true,
            Grant::Nothing => return false,
            _ if self.counted_by != CountedBy::Itself => return true,
            _ if self.waiting => return false,
            _ => {}
        }
        self.waiting = true;
        true
    }

    /// The value of the credit cell that starts now; `None` if it is left out, and then the next
    /// freed cell makes one due. Panics unless a credit was waiting.
    pub fn credit_value(&mut self) -> Option<CreditValue> {
        let is_known = self.waiting || self.is_carried();
        assert!(is_known, "a credit starts that nobody asked for");
        self.waiting = false;
        let value = match self.grant {
            Grant::Nothing | Grant::Shared | Grant::External => None,
            Grant::FreeRoom => {
                let free = self.capacity.saturating_sub(self.buffered);
                (free > 0).then(|| CreditValue::from_amount(free))
            }
            Grant::FreedTotal => Some(CreditValue::from_total(self.freed)),
            Grant::FreedSince => {
                let freed = self.freed - self.reported;
                (freed > 0).then(|| CreditValue::from_amount(freed as u32))
            }
        };
        match value {
            Some(_) => self.reported = self.freed,
            None => self.since_due = self.n2 - 1,
        }
        value
    }

    /// Whether a machine from outside hopflow decides about its credits.
    pub const fn is_external(&self) -> bool {
        matches!(self.grant, Grant::External)
    }

    /// Whether its credits are in cells that VCs share.
    pub const fn is_carried(&self) -> bool {
        matches!(self.counted_by, CountedBy::Carrier)
    }

    /// Whether it counts packets, and another receiver their units.
    pub const fn is_in_packets(&self) -> bool {
        matches!(self.counted_by, CountedBy::Units)
    }

    /// What its credit cells carry.
    pub const fn grant(&self) -> Grant {
        self.grant
    }

    /// B: units held now, those in transmission included; packets, where it counts these.
    pub const fn buffered(&self) -> Cells {
        Cells(self.buffered)
    }

    /// Units freed since the start of the run; packets, where it counts these.
    pub const fn freed(&self) -> u64 {
        self.freed
    }
}

#[cfg(test)]
mod tests;
