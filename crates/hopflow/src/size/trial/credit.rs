//! Trial of N23: one link, and a VC of cells or packets with credit.
//!
//! ```text
//! delays = R - T(packet) - T(cell)      so that the loop of the run is the R of the law     (1)
//! ```

use hopflow_control::credit::PacketUnits;
use hopflow_units::{Bytes, Cells, Picos, Wire};

use super::super::Size;
use super::{TrialError, both_ways, one_link};

/// A VC on a link.
#[derive(Clone, Debug)]
pub(super) struct CreditTrial {
    wire: Wire,
    packet: Bytes,
    round_trip: Picos,
    unit: Bytes,
    n2: Cells,
}

impl CreditTrial {
    pub(super) const fn new(wire: Wire, packet: Bytes, size: &Size) -> CreditTrial {
        let Size { round_trip, unit, n2, .. } = *size;
        CreditTrial { wire, packet, round_trip, unit, n2 }
    }

    /// Whether it counts units of packets, not cells.
    pub(super) fn is_of_packets(&self) -> bool {
        self.unit != Bytes::CELL || self.packet != Bytes::CELL
    }

    /// The least N3 with which N2 + N3 hold a packet and an update.
    pub(super) fn floor(&self) -> u64 {
        let units = PacketUnits::new(self.unit, self.packet).of(self.packet.0 as u32);
        u64::from(units.0) - 1
    }

    pub(super) fn text(&self, span: Picos, n3: u64) -> Result<String, TrialError> {
        let CreditTrial { wire: Wire { rate, overhead }, packet, round_trip, unit, n2 } = self;
        let [there, back] = [*packet, Bytes::CELL].map(|size| self.wire.transmit_time(size));
        let sent = there.0.saturating_add(back.0);
        let delays = round_trip.0.checked_sub(sent).map(Picos).ok_or_else(|| {
            let what = if *packet == Bytes::CELL { "cell" } else { "packet" };
            TrialError::TooShort(format!(
                "R of {round_trip} is shorter than the {} of a {what} and its credit at {rate}: \
                 no run has this loop; give a longer --delay or --processing",
                Picos(sent)
            ))
        })?;
        let more = match overhead.0 {
            0 => String::new(),
            bytes => format!("\noverhead = \"{bytes} B\""),
        };
        let link = format!("rate = \"{} b/s\"\n{}{more}", rate.bps(), both_ways(delays));
        let [packet, unit] = if self.is_of_packets() {
            [format!("packet = \"{} B\"\n", packet.0), format!(", unit = \"{} B\"", unit.0)]
        } else {
            [String::new(), String::new()]
        };
        let flow =
            format!("{packet}control = {{ kind = \"n23\", n2 = {}, n3 = {n3}{unit} }}", n2.0);
        Ok(one_link(span, &link, &flow))
    }
}
