//! Size: the headroom of PFC in buffer cells.
//!
//! A switch keeps packets in cells of a fixed size, and a packet takes whole cells. So small
//! packets fill a buffer faster than in proportion to their bytes: 64 B take 84 B of the wire, and
//! one cell of 254 B.
//! ```text
//! W        = ceil((span + pipeline) x rate / 8 bits)                                (1)
//! before   = floor((W - 1) / w_s) x c_s                 all packets smallest        (2)
//! before   = ceil((W - 1) x (p c_s + (1 - p) c_f) / (p w_s + (1 - p) w_f))          (3)
//! headroom = (before + c_f) x cell                                                  (4)
//! ```
//! | symbol    | meaning                                                         | unit  |
//! |-----------|-----------------------------------------------------------------|-------|
//! | span      | until the pause takes effect: (1) of `pause/headroom.rs`        | ps    |
//! | pipeline  | from the crossing of XOFF until the pause frame is created      | ps    |
//! | p         | share of packets that are the smallest, (2) is p = 1            |       |
//! | w_s, w_f  | the smallest packet and the largest frame on the wire           | bytes |
//! | c_s, c_f  | cells that they take, without preamble and gap                  | cells |
//!
//! All packets but the last one take less than the span on the wire, (2) and (3); the last one may
//! be the largest, (4). Source: derived here; the quantisation and its parameters are public in
//! SONiC ([SONIC-HR], there as one factor for all bytes). Not modelled: cells that hold parts of
//! two packets; a header kept with each packet. Checked by, against a run: `size/cells/tests.rs`.

use hopflow_units::{Bytes, Picos, Rate};

use super::{PausedLink, SizeError, headroom};

/// Preamble and gap of a frame.
pub const OVERHEAD: Bytes = Bytes(20);

/// The packet memory of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferCells {
    /// The size of a buffer cell. Not zero.
    pub cell: Bytes,
    /// The smallest packet, without preamble and gap. Not zero.
    pub smallest: Bytes,
    /// p: of 100 packets these are the smallest, 0 to 100.
    pub share_percent: u32,
    /// From the crossing of XOFF until the pause frame is created.
    pub pipeline: Picos,
}

/// The headroom of a priority in buffer cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellHeadroom {
    /// Cells. Eq. (4).
    pub cells: u64,
    /// The same in bytes.
    pub bytes: Bytes,
    /// The formulas, and below each the numbers put in.
    pub formula: String,
}

impl BufferCells {
    /// Cells that a packet takes; `wire`: its size with preamble and gap.
    fn cells(&self, wire: Bytes) -> u64 {
        wire.0.saturating_sub(OVERHEAD.0).max(1).div_ceil(self.cell.0)
    }
}

/// The headroom of a priority on a link, in buffer cells. The frames of `link` are as on the wire.
pub fn headroom_in_cells(
    link: &PausedLink,
    buffer: &BufferCells,
) -> Result<CellHeadroom, SizeError> {
    let BufferCells { cell, smallest, share_percent, pipeline } = *buffer;
    let small = Bytes(smallest.0.saturating_add(OVERHEAD.0));
    if cell == Bytes(0) || smallest == Bytes(0) || share_percent > 100 || small > link.frame {
        let frame = link.frame.0;
        return Err(SizeError::NoCells { cell: cell.0, smallest: smallest.0, frame });
    }
    let span = headroom(link)?.span;
    let PausedLink { delay, interface, response, rate, .. } = *link;
    let too_late = SizeError::PauseTooLate { delay, interface, response };
    let span = span.checked_add(pipeline).ok_or(too_late)?;
    let wire = bytes_in(span, rate);
    let [c_small, c_frame] = [small, link.frame].map(|size| u128::from(buffer.cells(size)));
    let [w_small, w_frame] = [small, link.frame].map(|size| u128::from(size.0));
    let (p, q) = (u128::from(share_percent), u128::from(100 - share_percent));
    let [cells, bytes] = [p * c_small + q * c_frame, p * w_small + q * w_frame];
    let before = match share_percent {
        100 => (wire - 1) / w_small * c_small,
        _ => ((wire - 1) * cells).div_ceil(bytes),
    };
    let sum = before + c_frame;
    let too_large = SizeError::HeadroomTooLarge { span, rate };
    let bytes = u64::try_from(sum * u128::from(cell.0)).map_err(|_| too_large)?;
    let formula = format!(
        "W = ceil((span + pipeline) x rate / 8 bits) = ceil({span} x {rate} / 8 bits) = {wire} \
         bytes on the wire\n\
         {share_percent} % packets of {} B in {c_small} cell(s), the others of {} B in {c_frame}: \
         {before} cells, and the last packet {c_frame}\n\
         headroom = {before} + {c_frame} = {sum} cells of {} B = {bytes} bytes",
        small.0, link.frame.0, cell.0
    );
    Ok(CellHeadroom { cells: bytes / cell.0, bytes: Bytes(bytes), formula })
}

/// W. Eq. (1), at least 1.
fn bytes_in(span: Picos, rate: Rate) -> u128 {
    let bits = u128::from(span.0) * u128::from(rate.bps());
    bits.div_ceil(8 * u128::from(Picos::PER_SECOND)).max(1)
}

#[cfg(test)]
mod tests;
