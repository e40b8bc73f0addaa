//! Credit on one hop: which scheme, with which zones of its buffer.

use hopflow_units::{Cells, Picos};

/// Link-by-link control on one hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HopControl {
    /// None: cells start whenever the link is free.
    None,
    /// A credit scheme.
    Credit(CreditSpec),
}

/// A credit scheme on one hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CreditSpec {
    /// Which scheme.
    pub scheme: CreditScheme,
    /// Cells freed per credit cell, at least 1.
    pub n2: Cells,
    /// The buffer behind N2, in cells. N2 + N3 is the initial credit (CUP: the allocation).
    pub n3: Cells,
    /// A sender that has waited so long for credit, with a cell in hand, asks for it
    /// (Sender-Request-Credit), and again each time as long. Not zero.
    pub request_after: Option<Picos>,
    /// The receiver sends a redundant credit each time this span has passed. Not zero.
    pub redundant_every: Option<Picos>,
    /// The user accepts that the buffer behind the hop is below what is promised: cells that it
    /// loses are no breach. It changes nothing else.
    pub allow_small_buffer: bool,
}

/// Which credit scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreditScheme {
    /// N23, E taken when a credit arrives.
    N23,
    /// N23, E taken at every instant.
    N23Continuous,
    /// N123: E is not subtracted; N1 more cells of buffer absorb what is in flight.
    N123 {
        /// The third zone.
        n1: Cells,
    },
    /// N123+: as N123, and at most N1 cells start in any R.
    N123Plus {
        /// The third zone and the most cells per R.
        n1: Cells,
    },
    /// Exact counters.
    Cup,
    /// Additive credit.
    Additive,
    /// Shares of the direction's pool by measured use; `n2` is the most cells freed per credit
    /// cell, `n3` is zero.
    Adaptive,
}

impl CreditScheme {
    /// Its name in results and resolved scenarios. It is the `kind` of the scenario file; of N23
    /// with continuous E, the file's `e` follows.
    pub const fn name(self) -> &'static str {
        match self {
            CreditScheme::N23 => "n23",
            CreditScheme::N23Continuous => "n23-continuous",
            CreditScheme::N123 { .. } => "n123",
            CreditScheme::N123Plus { .. } => "n123+",
            CreditScheme::Cup => "cup",
            CreditScheme::Additive => "additive",
            CreditScheme::Adaptive => "adaptive",
        }
    }
}

impl CreditSpec {
    /// The cells the receiver must have room for: N2 + N3, and N1 where the scheme has it.
    pub fn buffer(&self) -> Cells {
        let n1 = match self.scheme {
            CreditScheme::N123 { n1 } | CreditScheme::N123Plus { n1 } => n1,
            _ => Cells::ZERO,
        };
        n1 + self.n2 + self.n3
    }

    /// The initial credit, N2 + N3.
    pub fn initial_credit(&self) -> Cells {
        self.n2 + self.n3
    }
}
