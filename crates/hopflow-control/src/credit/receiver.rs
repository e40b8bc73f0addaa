//! The receiving end of any credit scheme: which cells are held, and when a credit falls due.
//!
//! After every N2 freed cells a credit falls due, and the N2 count restarts at that moment. A VC
//! has at most one credit waiting at a port; one that falls due meanwhile is the same one. What a
//! credit cell carries is read when it *starts*, not when it falls due:
//! ```text
//! free room    C   = max(0, N2 + N3 - B)     left out when 0   N23, N123, N123+  (1)
//! freed total  Fwd                           always            CUP, window       (2)
//! freed since  A   = Fwd - Fwd_told          left out when 0   additive          (3)
//! ```
//! | symbol              | meaning                                             | unit  |
//! |---------------------|-----------------------------------------------------|-------|
//! | N2, `n2`            | cells freed per credit cell                         | cells |
//! | N2 + N3, `capacity` | cells that are granted                              | cells |
//! | B, `buffered`       | cells held, the one in transmission included        | cells |
//! | Fwd, `freed_cells`  | cells freed since the start                         | cells |
//! | Fwd_told, `told_cells` | Fwd when the last credit cell started            | cells |
//!
//! When a credit is left out, the next freed cell asks again, at once: if it had to wait for N2
//! more, feedback would be slowest under congestion. Were C read as the credit falls due, the
//! buffer would overflow by the cells that come while the reverse link is busy. A credit that
//! is asked for (by the sender, or as a redundant one) leaves the N2 count alone.
//!
//! Source: [KMCL94] 4.3 and 4.5. Differs: the three points above, which it leaves open. Not
//! modelled: several VCs' credits in one credit cell. Checked by: `receiver/tests.rs`.

use hopflow_units::Cells;

use super::CreditValue;

/// What a scheme's credit cell says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grant {
    /// No credit cells at all.
    Nothing,
    /// Free room: N2 + N3 - B, nothing when that is zero. N23, N123, N123+.
    FreeRoom,
    /// The running total of freed cells (CUP). Always something to say.
    FreedTotal,
    /// Cells freed since the last credit cell started (additive credit).
    FreedSince,
    /// What a pool says (`adaptive.rs`). Every freed cell and every asking is news for the pool,
    /// which decides whether a credit falls due.
    Shared,
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
    freed_cells: u64,
    /// `freed_cells` when the last credit cell started.
    told_cells: u64,
}

impl Receiver {
    /// A receiver with an empty buffer that grants `capacity`. N2 is at least 1 (asserted).
    pub fn new(grant: Grant, capacity: Cells, n2: Cells) -> Receiver {
        assert!(n2 >= Cells::ONE, "N2 is at least one cell");
        let n2 = if grant == Grant::Shared { Cells::ONE } else { n2 };
        Receiver {
            grant,
            capacity: capacity.0,
            n2: n2.0,
            buffered: 0,
            since_due: 0,
            waiting: false,
            freed_cells: 0,
            told_cells: 0,
        }
    }

    /// Takes a cell in. Returns the cells now held.
    pub fn on_cell(&mut self) -> Cells {
        self.buffered += 1;
        Cells(self.buffered)
    }

    /// Lets a cell go. Returns whether a credit falls due and must be put in line.
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

    /// Asks for a credit now, whatever the N2 counter says (a request by the sender, or a
    /// redundant credit). Returns whether one must be put in line: not if one is waiting.
    pub fn ask(&mut self) -> bool {
        match self.grant {
            Grant::Shared => return true,
            Grant::Nothing => return false,
            _ if self.waiting => return false,
            _ => {}
        }
        self.waiting = true;
        true
    }

    /// What the credit cell that starts now carries; `None` when it is left out, and then the
    /// next freed cell asks again. Panics unless a credit was waiting.
    pub fn credit_value(&mut self) -> Option<CreditValue> {
        assert!(self.waiting, "a credit starts that nobody asked for");
        self.waiting = false;
        let value = match self.grant {
            Grant::Nothing | Grant::Shared => None,
            Grant::FreeRoom => {
                let free = self.capacity.saturating_sub(self.buffered);
                (free > 0).then(|| CreditValue::from_amount(free))
            }
            Grant::FreedTotal => Some(CreditValue::from_total(self.freed_cells)),
            Grant::FreedSince => {
                let freed = self.freed_cells - self.told_cells;
                (freed > 0).then(|| CreditValue::from_amount(freed as u32))
            }
        };
        match value {
            Some(_) => self.told_cells = self.freed_cells,
            None => self.since_due = self.n2 - 1,
        }
        value
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
