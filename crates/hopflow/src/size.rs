//! Size: the buffer that one VC needs at the receiving end of one link.
//!
//! ```text
//! R  = 2 x delay + processing (+ 2 cell times of the link)                          (1)
//! N3 = ceil(R x B_VC / 424)                                                         (2)
//! N1 = ceil(R x B_link / 424)      N123                                             (3)
//! N1 = ceil(R x B_VC / 424)        N123+                                            (4)
//! buffer = N1 + N2 + N3            (N23 has no N1)                                  (5)
//! ```
//! | symbol                     | meaning                                         | unit   |
//! |----------------------------|-------------------------------------------------|--------|
//! | R, `round_trip`            | a cell out, its credit back                     | ps     |
//! | delay, `Link::delay`       | propagation one way                             | ps     |
//! | processing                 | handling cell and credit at both ends together  | ps     |
//! | B_VC, B_link               | target bandwidth of the VC, rate of the link    | b/s    |
//! | N1, N2, N3                 | zones of the buffer                             | cells  |
//!
//! Source: [KMCL94] 4.2, Equation (3) with the ceiling of its footnote 4, and 4.7 with Figure 6.
//! N1 for N123 and N123+ covers the arrivals in one R without E subtracted: at most the link's
//! rate, or the VC's if the sender is limited to N1 cells per R. Differs: the paper counts no
//! cell times in R; a simulated loop has two ([`CellTimes::Counted`]). All arithmetic is in
//! integers.
//! Packets of other sizes than cells count units; their zones are in
//! `hopflow-scenario/src/credit_loop.rs`. Not modelled: sharing one buffer between VCs.
//! Checked by: `size/tests.rs`, `docs/models/size.md`.

mod cells;
mod credits;
mod hops;
mod inflow;
mod lanes;
mod packets;
mod pause;
#[cfg(feature = "calculators")]
mod preset;
mod previous_loop;
mod queue_bound;
mod rates;
#[cfg(feature = "calculators")]
mod sonic;
#[cfg(feature = "calculators")]
mod trial;
mod windows;

pub use cells::{BufferCells, CellHeadroom, OVERHEAD, headroom_in_cells};
pub use credits::{LaneCredit, LaneLoop, LaneNeed, beyond_device, lane_credit, size_lane_credits};
pub use hops::{HopSize, size_hops, vcs_without_law};
pub use lanes::{LaneSize, size_lanes};
pub use packets::size_of_packets;
pub use pause::{AutoXoff, Headroom, PausedLink, auto_xoff, headroom};
#[cfg(feature = "calculators")]
pub use preset::{
    MEDIA, Medium, Preset, PresetError, PresetLink, PresetNeed, PresetSize, PublicRow, Speed,
    VENDORS,
};
pub use previous_loop::LoopQueue;
pub use queue_bound::{NoBound, QueueBound};
pub use rates::{RateSize, size_rates};
#[cfg(feature = "calculators")]
pub use sonic::{SonicFinding, SonicRow, SonicTerms, SonicVerdict, audit_sonic, read_sonic};
#[cfg(feature = "calculators")]
pub use trial::{Trial, TrialError, TrialRun, Verified};
pub use windows::{GivenWindow, WindowPath, WindowSize, size_window, size_windows};

use hopflow_control::credit::{CreditScheme, N1};
use hopflow_scenario::cells_in_loop;
use hopflow_units::{Bytes, Cells, Picos, Rate, Wire};
use thiserror::Error;

/// Propagation in cable and fibre: 5 us for each km, so 5 ns for each metre.
pub const PICOS_PER_METRE: u64 = 5_000;

/// The least number of bytes that is also printed in thousands.
const ROUNDED_FROM: u64 = 100_000;

/// The propagation delay of a link of this length in metres; `None` on overflow.
pub fn delay_of_length(metres: u64) -> Option<Picos> {
    metres.checked_mul(PICOS_PER_METRE).map(Picos)
}

/// Whether the round trip includes the transmission of a data cell and a credit cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellTimes {
    /// As in [KMCL94]: propagation and processing only.
    Left,
    /// As in a simulated loop.
    Counted,
}

/// One link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Propagation delay one way.
    pub delay: Picos,
    /// The link's rate, B_link.
    pub rate: Rate,
    /// Time for handling data cells and credit cells, both ends together.
    pub processing: Picos,
    /// Whether cell times count in R.
    pub cell_times: CellTimes,
}

impl Link {
    /// R. Eq. (1). An error on overflow.
    pub fn round_trip(&self) -> Result<Picos, SizeError> {
        let cell_times = match self.cell_times {
            CellTimes::Left => Some(Picos::ZERO),
            CellTimes::Counted => {
                self.rate.transmit_time(Bytes::CELL).and_then(|t| t.checked_mul(2))
            }
        };
        let there_and_back = self.delay.checked_mul(2);
        there_and_back
            .and_then(|span| span.checked_add(self.processing))
            .and_then(|span| span.checked_add(cell_times?))
            .ok_or(SizeError::RoundTripTooLong { delay: self.delay, processing: self.processing })
    }
}

/// Credit schemes whose buffers differ, the smallest buffer first. Every other scheme is sized as
/// one of these.
pub fn schemes() -> Vec<CreditScheme> {
    let all = CreditScheme::ALL.iter().copied();
    let mut schemes: Vec<CreditScheme> = all.filter(|scheme| *scheme == alike(*scheme)).collect();
    schemes.sort_by_key(|scheme| scheme.facts().n1);
    schemes
}

/// The first scheme of the list with the same zones.
fn alike(scheme: CreditScheme) -> CreditScheme {
    let n1 = scheme.facts().n1;
    let mut all = CreditScheme::ALL.iter().copied();
    all.find(|one| one.facts().n1 == n1).expect("the list has the scheme itself")
}

/// The reason why a buffer could not be sized.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SizeError {
    /// R does not fit 2^64 ps (213 days).
    #[error(
        "the round trip of a delay of {delay} with {processing} of processing is over 213 days"
    )]
    RoundTripTooLong {
        /// One way.
        delay: Picos,
        /// Both ends.
        processing: Picos,
    },
    /// The buffer does not fit 2^32 cells.
    #[error("a round trip of {round_trip} at {rate} needs more than 2^32 cells")]
    TooManyCells {
        /// R.
        round_trip: Picos,
        /// The rate it is filled at.
        rate: Rate,
    },
    /// The target of the VC is faster than its link.
    #[error("the VC's target of {target} is above the link's rate of {rate}: lower the target")]
    TargetAboveLink {
        /// B_VC.
        target: Rate,
        /// B_link.
        rate: Rate,
    },
    /// N2 is zero.
    #[error("N2 is 0 cells: a credit goes back after every N2 cells, so give at least 1")]
    NoN2,
    /// A frame without a byte.
    #[error("a frame of 0 bytes: give its size on the wire, preamble and gap included")]
    NoFrame,
    /// Buffer cells or a smallest packet without a byte, or larger than the largest frame.
    #[error(
        "buffer cells of {cell} B and a smallest packet of {smallest} B beside a frame of {frame} \
         B on the wire: give at least 1 B each, and a packet that is 20 B smaller than the frame; \
         its share is 0 to 100 %"
    )]
    NoCells {
        /// Bytes of a cell.
        cell: u64,
        /// Bytes of the smallest packet.
        smallest: u64,
        /// Bytes of the largest frame on the wire.
        frame: u64,
    },
    /// The span does not fit 2^64 ps (213 days).
    #[error(
        "a pause takes effect after more than 213 days: a delay of {delay}, {interface} at the \
         interfaces, {response} until the paused end stops; give shorter ones"
    )]
    PauseTooLate {
        /// Propagation.
        delay: Picos,
        /// Both ends.
        interface: Picos,
        /// The paused end's.
        response: Picos,
    },
    /// XOFF does not fit 2^64 bytes.
    #[error("XOFF on a link of {rate} is above 2^64 bytes: give a smaller delay or frame")]
    ThresholdTooLarge {
        /// The rate of the link.
        rate: Rate,
    },
    /// A memory that nothing shares.
    #[error("0 inputs share the memory: give --inputs 1 or more")]
    NoInput,
    /// A packet, a block or an update of nothing.
    #[error(
        "a packet of {packet} B, blocks of {block} B, a credit after {update} blocks: none of \
         them may be 0"
    )]
    EmptyLane {
        /// Bytes of a packet.
        packet: u64,
        /// Bytes of a block.
        block: u64,
        /// Blocks for each credit.
        update: u32,
    },
    /// A window of no packets.
    #[error("a packet of 0 B, or an update after 0 packets: give at least 1")]
    NoPacket,
    /// The credits of a lane do not fit 2^64 bytes, or their loop 2^64 ps.
    #[error("a loop with {delays} of delays at {rate} needs more credits than can be computed")]
    LaneTooLarge {
        /// Propagation and processing, both ways.
        delays: Picos,
        /// The rate of the data.
        rate: Rate,
    },
    /// The headroom does not fit 2^64 bytes.
    #[error("arrivals in {span} at {rate}, and two frames, are more than 2^64 bytes")]
    HeadroomTooLarge {
        /// Until the pause takes effect.
        span: Picos,
        /// The rate of the data.
        rate: Rate,
    },
}

/// The buffer that one VC needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Size {
    /// The scheme, one of [`schemes`].
    pub scheme: CreditScheme,
    /// R.
    pub round_trip: Picos,
    /// The size of a unit: that of a cell, unless packets have other sizes.
    pub unit: Bytes,
    /// Zero for N23.
    pub n1: Cells,
    /// As given.
    pub n2: Cells,
    /// Eq. (2).
    pub n3: Cells,
    /// N1 + N2 + N3. Eq. (5).
    pub buffer: Cells,
    /// The formulas, and below each the numbers put in.
    pub formula: String,
}

impl Size {
    /// The name of the scheme in tables: `N123+`.
    pub fn scheme_name(&self) -> String {
        self.scheme.facts().name.to_uppercase()
    }

    /// The buffer in bytes: the size of a unit for each, 53 for each cell.
    pub const fn bytes(&self) -> Bytes {
        Bytes(self.buffer.0 as u64 * self.unit.0)
    }

    /// The buffer in thousands of bytes, rounded up.
    pub fn kilobytes(&self) -> u64 {
        self.bytes().0.div_ceil(1_000)
    }

    /// The number of these VCs that fit a memory of this size.
    pub fn fits(&self, memory: Bytes) -> u64 {
        memory.0 / self.bytes().0
    }
}

/// The buffer for a VC with the target bandwidth `target` on `link`.
pub fn size(scheme: CreditScheme, link: &Link, target: Rate, n2: Cells) -> Result<Size, SizeError> {
    let round_trip = link.round_trip()?;
    let mut size = size_of_loop(scheme, round_trip, link.rate, target, n2)?;
    size.formula = format!("{}\n{}", round_trip_formula(link, round_trip), size.formula);
    Ok(size)
}

/// The same for a round trip that is known. The formula begins at Eq. (2).
pub fn size_of_loop(
    scheme: CreditScheme,
    round_trip: Picos,
    link: impl Into<Wire>,
    target: Rate,
    n2: Cells,
) -> Result<Size, SizeError> {
    let link = link.into();
    let rate = link.rate;
    if n2 == Cells::ZERO {
        return Err(SizeError::NoN2);
    }
    if target > rate {
        return Err(SizeError::TargetAboveLink { target, rate });
    }
    let n3 = cells_in(round_trip, target, link)?;
    let n1_rate = scheme.facts().n1.map(|n1| n1.rate(rate, target));
    let n1 = n1_rate.map_or(Ok(Cells::ZERO), |rate| cells_in(round_trip, rate, link))?;
    let buffer = n1.checked_add(n2).and_then(|sum| sum.checked_add(n3));
    let buffer = buffer.ok_or(SizeError::TooManyCells { round_trip, rate })?;
    let scheme = alike(scheme);
    let (unit, formula) = (Bytes::CELL, String::new());
    let mut size = Size { scheme, round_trip, unit, n1, n2, n3, buffer, formula };
    size.formula = self::formula(&size, target, n1_rate, link);
    Ok(size)
}

/// ceil(R x rate / 424): the cells that a rate fills a round trip with. Eqs. (2) to (4). No more
/// than the link carries with its overhead.
fn cells_in(round_trip: Picos, rate: Rate, link: Wire) -> Result<Cells, SizeError> {
    let cells = cells_in_loop(round_trip, rate, link).and_then(|cells| u32::try_from(cells).ok());
    cells.map(Cells).ok_or(SizeError::TooManyCells { round_trip, rate })
}

/// The formula of [`cells_in`]: of `rate`, which has a name, or of the link.
fn in_loop_text(round_trip: Picos, name: &str, rate: Rate, link: Wire) -> String {
    let by_rate = cells_in(round_trip, rate, link.rate.into());
    if cells_in(round_trip, rate, link) == by_rate {
        return format!("ceil(R x {name} / 424 bits) = ceil({round_trip} x {rate} / 424 bits)");
    }
    let bits = Bytes::CELL.bits() + link.overhead.bits();
    format!(
        "ceil(R x B_link / {bits} bits, overhead included) = ceil({round_trip} x {} / {bits} bits)",
        link.rate
    )
}

fn round_trip_formula(link: &Link, round_trip: Picos) -> String {
    let Link { delay, processing, .. } = link;
    let (term, cells) = match link.cell_times {
        CellTimes::Left => ("", String::new()),
        CellTimes::Counted => {
            let cell = link.rate.transmit_time(Bytes::CELL).unwrap_or(Picos::MAX);
            (" + 2 x cell time", format!(" + 2 x {cell}"))
        }
    };
    format!("R = 2 x delay + processing{term} = 2 x {delay} + {processing}{cells} = {round_trip}")
}

fn formula(size: &Size, target: Rate, n1_rate: Option<Rate>, link: Wire) -> String {
    let Size { round_trip, n1, n2, n3, buffer, .. } = size;
    let mut lines =
        vec![format!("N3 = {} = {}", in_loop_text(*round_trip, "B_VC", target, link), n3.0)];
    let sum = match n1_rate {
        None => format!("N2 + N3 = {} + {}", n2.0, n3.0),
        Some(rate) => {
            let name = if size.scheme.facts().n1 == Some(N1::Link) { "B_link" } else { "B_VC" };
            lines.push(format!("N1 = {} = {}", in_loop_text(*round_trip, name, rate, link), n1.0));
            format!("N1 + N2 + N3 = {} + {} + {}", n1.0, n2.0, n3.0)
        }
    };
    let bytes = size.bytes().0;
    let rounded = match bytes {
        ..ROUNDED_FROM => String::new(),
        _ => format!(" = {} kB", size.kilobytes()),
    };
    lines.push(format!("buffer = {sum} = {buffer} = {bytes} bytes{rounded}"));
    lines.join("\n")
}

#[cfg(test)]
mod tests;
