//! Credit on one hop: which scheme, with which zones of its buffer.

use hopflow_units::{Cells, Picos};
use serde::{Deserialize, Serialize};

/// Link-by-link control on one hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HopControl {
    /// None: cells start whenever the link is free.
    None,
    /// A credit scheme.
    Credit(CreditSpec),
}

/// A credit scheme on one hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "WrittenCredit", try_from = "WrittenCredit")]
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
    /// All, without their third zone.
    const ALL: [CreditScheme; 7] = [
        CreditScheme::N23,
        CreditScheme::N23Continuous,
        CreditScheme::N123 { n1: Cells::ZERO },
        CreditScheme::N123Plus { n1: Cells::ZERO },
        CreditScheme::Cup,
        CreditScheme::Additive,
        CreditScheme::Adaptive,
    ];

    /// N1, where the scheme has it.
    const fn n1(self) -> Option<Cells> {
        match self {
            CreditScheme::N123 { n1 } | CreditScheme::N123Plus { n1 } => Some(n1),
            _ => None,
        }
    }

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
        self.scheme.n1().unwrap_or_default() + self.n2 + self.n3
    }

    /// The initial credit, N2 + N3.
    pub fn initial_credit(&self) -> Cells {
        self.n2 + self.n3
    }
}

/// A [`CreditSpec`] in results: every scheme has the key of N1, which may be `null`.
#[derive(Serialize, Deserialize)]
struct WrittenCredit {
    scheme: String,
    n1_cells: Option<Cells>,
    n2_cells: Cells,
    n3_cells: Cells,
    redundant_every_ps: Option<Picos>,
    request_after_ps: Option<Picos>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    allow_small_buffer: bool,
}

impl From<CreditSpec> for WrittenCredit {
    fn from(spec: CreditSpec) -> WrittenCredit {
        WrittenCredit {
            scheme: spec.scheme.name().to_owned(),
            n1_cells: spec.scheme.n1(),
            n2_cells: spec.n2,
            n3_cells: spec.n3,
            redundant_every_ps: spec.redundant_every,
            request_after_ps: spec.request_after,
            allow_small_buffer: spec.allow_small_buffer,
        }
    }
}

impl TryFrom<WrittenCredit> for CreditSpec {
    type Error = String;

    fn try_from(written: WrittenCredit) -> Result<CreditSpec, String> {
        let named = CreditScheme::ALL.into_iter().find(|scheme| scheme.name() == written.scheme);
        let mut scheme =
            named.ok_or_else(|| format!("`{}` is no credit scheme", written.scheme))?;
        if let CreditScheme::N123 { n1 } | CreditScheme::N123Plus { n1 } = &mut scheme {
            *n1 = written.n1_cells.ok_or("the scheme has an N1")?;
        }
        Ok(CreditSpec {
            scheme,
            n2: written.n2_cells,
            n3: written.n3_cells,
            request_after: written.request_after_ps,
            redundant_every: written.redundant_every_ps,
            allow_small_buffer: written.allow_small_buffer,
        })
    }
}
