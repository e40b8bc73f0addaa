//! The receiving end of any credit scheme: which cells are held, and when a credit falls due.
//!
//! After every N2 freed cells a credit falls due, and the count of N2 restarts at that moment. A VC
//! has at most one credit waiting at a port; another that falls due meanwhile is merged with it.
//! The value of a credit cell is read when the cell *starts*, not when it falls due:
//! ```text
//! free room    C   = max(0, N2 + N3 - B)     left out when 0   N23, N123, N123+  (1)
//! freed total  Fwd                           always            CUP, window       (2)
//! freed since  A   = Fwd - Fwd_last          left out when 0   additive          (3)
//! ```
//! | symbol              | meaning                                             | unit  |
//! |---------------------|-----------------------------------------------------|-------|
//! | N2, `n2`            | cells freed per credit cell                         | cells |
//! | N2 + N3, `capacity` | cells that may be granted                           | cells |
//! | B, `buffered`       | cells held, the one in transmission included        | cells |
//! | Fwd, `freed_cells`  | cells freed since the start                         | cells |
//! | Fwd_last, `reported_cells` | Fwd when the last credit cell started        | cells |
//!
//! After a credit is left out, the next freed cell makes one due at once: waiting for N2 more would
//! make feedback slowest under congestion. If C were read when the credit falls due, the buffer
//! would overflow by the cells that arrive while the reverse link is busy. A requested credit (by
//! the sender, or a redundant one) does not change the count of N2.
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

/// The receiving end of one VC on one link.
#[derive(Clone, Copy, Debug)]
pub struct Receiver {
    grant: Grant,
    capacity: u32,
    n2: u32,
    buffered: u32,
    /// Cells freed since a credit last fell due, at most N2.
    since_due: u32,
    waiting: bool,
    /// Whether its credits are in cells that VCs share.
    is_carried: bool,
    freed_cells: u64,
    /// `freed_cells` when the last credit cell started.
    reported_cells: u64,
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
            is_carried: false,
            freed_cells: 0,
            reported_cells: 0,
        }
    }

    /// The same receiver with credits in cells that VCs share: every freed cell and every request
    /// makes one due, and the caller asks the carrier.
    #[must_use]
    pub const fn carried(self) -> Receiver {
        Receiver { n2: 1, is_carried: true, ..self }
    }

    /// Stores a cell. Returns the cells now held.
    pub fn on_cell(&mut self) -> Cells {
        self.buffered += 1;
        Cells(self.buffered)
    }

    /// Frees a cell. Returns whether a credit falls due and must be queued.
    pub fn on_freed(&mut self) -> bool {
        assert!(self.buffered > 0, "a cell left an empty buffer");
        self.buffered -= 1;
        self.freed_cells += 1;
        if self.grant == Grant::Nothing {
            return false;
        }
        self.since_due += 1;
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
            _ if self.is_carried => return true,
            _ if self.waiting => return false,
            _ => {}
        }
        self.waiting = true;
        true
    }

    /// The value of the credit cell that starts now; `None` if it is left out, and then the next
    /// freed cell makes one due. Panics unless a credit was waiting.
    pub fn credit_value(&mut self) -> Option<CreditValue> {
        assert!(self.waiting || self.is_carried, "a credit starts that nobody asked for");
        self.waiting = false;
        let value = match self.grant {
            Grant::Nothing | Grant::Shared | Grant::External => None,
            Grant::FreeRoom => {
                let free = self.capacity.saturating_sub(self.buffered);
                (free > 0).then(|| CreditValue::from_amount(free))
            }
            Grant::FreedTotal => Some(CreditValue::from_total(self.freed_cells)),
            Grant::FreedSince => {
                let freed = self.freed_cells - self.reported_cells;
                (freed > 0).then(|| CreditValue::from_amount(freed as u32))
            }
        };
        match value {
            Some(_) => self.reported_cells = self.freed_cells,
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
        self.is_carried
    }

    /// What its credit cells carry.
    pub const fn grant(&self) -> Grant {
        self.grant
    }

    /// B: cells held now, the one in transmission included.
    pub const fn buffered(&self) -> Cells {
        Cells(self.buffered)
    }

    /// Cells freed since the start of the run.
    pub const fn freed_cells(&self) -> u64 {
        self.freed_cells
    }
}

#[cfg(test)]
mod tests;
