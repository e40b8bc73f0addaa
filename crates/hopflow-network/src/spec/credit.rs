//! Credit on one hop: its scheme, and the zones of its buffer.

use hopflow_control::credit::{CreditScheme, PacketUnits};
use hopflow_units::{Bytes, Cells, Picos};
use serde::{Deserialize, Serialize};

/// Link-by-link control on one hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HopControl {
    /// No control: packets start whenever the link is free.
    None,
    /// A credit scheme.
    Credit(CreditSpec),
}

impl HopControl {
    /// The index of the machine, if it comes from outside hopflow.
    pub const fn external(self) -> Option<u16> {
        if let HopControl::Credit(credit) = self { credit.scheme.external() } else { None }
    }
}

/// A credit scheme on one hop. Credits count units; packets that are cells of 53 bytes, in units of
/// 53 bytes, are one each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "WrittenCredit", try_from = "WrittenCredit")]
pub struct CreditSpec {
    /// The scheme.
    pub scheme: CreditScheme,
    /// The size of a unit, at least 1: [`Bytes::CELL`] for cells.
    pub unit: Bytes,
    /// The third zone of the buffer, in units; zero if the scheme has none.
    pub n1: Cells,
    /// Units freed per credit cell, at least 1.
    pub n2: Cells,
    /// The buffer in addition to N2, in units. N2 + N3 is the initial credit (CUP: the allocation).
    pub n3: Cells,
    /// A sender that has waited for credit for this span, with a waiting cell, requests it
    /// (Sender-Request-Credit), and again after each further span. Not zero.
    pub request_after: Option<Picos>,
    /// The receiver sends a redundant credit each time this span has passed. Not zero.
    pub redundant_every: Option<Picos>,
    /// The most credits in a credit cell, 1 to [`CreditCarrier::MOST`]. Above 1 the hop shares
    /// credit cells with those of other VCs over the same link direction, scheme and number; never
    /// where something beside the receiver decides about its credits.
    ///
    /// [`CreditCarrier::MOST`]: hopflow_control::credit::CreditCarrier::MOST
    pub per_cell: u32,
    /// The user accepts that the buffer after the hop is smaller than promised: the cells that it
    /// loses are no violation. It changes nothing else.
    pub allow_small_buffer: bool,
}

impl CreditSpec {
    /// What packets of at most this size count.
    pub fn packet_units(&self, largest: Bytes) -> PacketUnits {
        PacketUnits::new(self.unit, largest)
    }

    /// The units the receiver must have room for: N1 + N2 + N3.
    pub fn buffer(&self) -> Cells {
        self.n1 + self.n2 + self.n3
    }

    /// The initial credit, N2 + N3.
    pub fn initial_credit(&self) -> Cells {
        self.n2 + self.n3
    }
}

/// A [`CreditSpec`] in results: every scheme has the key of N1, which may be `null`. Zones are in
/// cells, or in units of `unit_bytes` where that is there. Not here: the place of an external
/// machine; results have its name and version.
#[derive(Serialize, Deserialize)]
struct WrittenCredit {
    scheme: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unit_bytes: Option<Bytes>,
    n1_cells: Option<Cells>,
    n2_cells: Cells,
    n3_cells: Cells,
    redundant_every_ps: Option<Picos>,
    request_after_ps: Option<Picos>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    credits_per_cell: Option<u32>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    allow_small_buffer: bool,
}

impl From<CreditSpec> for WrittenCredit {
    fn from(spec: CreditSpec) -> WrittenCredit {
        WrittenCredit {
            scheme: spec.scheme.facts().name.to_owned(),
            unit_bytes: Some(spec.unit).filter(|unit| *unit != Bytes::CELL),
            n1_cells: spec.scheme.facts().n1.map(|_| spec.n1),
            n2_cells: spec.n2,
            n3_cells: spec.n3,
            redundant_every_ps: spec.redundant_every,
            request_after_ps: spec.request_after,
            credits_per_cell: Some(spec.per_cell).filter(|credits| *credits > 1),
            allow_small_buffer: spec.allow_small_buffer,
        }
    }
}

impl TryFrom<WrittenCredit> for CreditSpec {
    type Error = String;

    fn try_from(written: WrittenCredit) -> Result<CreditSpec, String> {
        let scheme = CreditScheme::named(&written.scheme)
            .ok_or_else(|| format!("unknown credit scheme `{}`", written.scheme))?;
        let n1 = match scheme.facts().n1 {
            Some(_) => written.n1_cells.ok_or("the scheme has an N1")?,
            None => Cells::ZERO,
        };
        Ok(CreditSpec {
            scheme,
            unit: written.unit_bytes.unwrap_or(Bytes::CELL),
            n1,
            n2: written.n2_cells,
            n3: written.n3_cells,
            request_after: written.request_after_ps,
            redundant_every: written.redundant_every_ps,
            per_cell: written.credits_per_cell.unwrap_or(1),
            allow_small_buffer: written.allow_small_buffer,
        })
    }
}
