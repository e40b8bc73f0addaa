//! Presets: the sizes of links that engineers know by name, with the terms of their standards.
//!
//! A preset chooses the rate, the unit of buffers and the other terms of a law that is elsewhere:
//!
//! | preset          | law                              | file of its terms          |
//! |-----------------|----------------------------------|----------------------------|
//! | `pfc`           | headroom: `lane/pause/headroom.rs` | `preset/ethernet.rs`     |
//! | `fibre-channel` | credits of a lane: `lane/size.rs` | `preset/fibre_channel.rs` |
//! | `infiniband`    | the same                         | `preset/infiniband.rs`     |
//! | `cbfc`          | the same, with spaced updates    | `preset/cbfc.rs`           |
//! | `n23`           | N3 of one VC: `size.rs`          | `preset/n23.rs`            |
//!
//! Beside the result are public values of vendors and standards ([`PublicRow`]), each with its
//! source and the result of the law for the same terms. The network of [`Preset::size`] that
//! confirms the result is a [`Trial`].
//! Checked by: `preset/tests.rs`.

mod cbfc;
mod ethernet;
mod fibre_channel;
mod infiniband;
mod n23;
mod public;

pub use ethernet::{MEDIA, Medium, VENDORS};
pub use public::PublicRow;

use hopflow_control::lane::LaneCreditSpec;
use hopflow_units::{Bytes, Picos, Rate};
use thiserror::Error;

use super::{
    CellHeadroom, Headroom, LaneLoop, LaneNeed, PICOS_PER_METRE, PausedLink, Size, SizeError,
    Trial, lane_credit,
};

/// A kind of link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// Priority flow control of Ethernet.
    Pfc,
    /// Credits of Fibre Channel, one for each frame.
    FibreChannel,
    /// Credits of InfiniBand, in blocks of 64 B.
    Infiniband,
    /// Credit-based flow control of Ultra Ethernet.
    Cbfc,
    /// N23 on an ATM link.
    N23,
}

/// A speed of a preset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Speed {
    /// Its name, such as `8GFC`.
    pub name: &'static str,
    /// Bits of frames per second: what the line code leaves.
    pub rate_bps: u64,
    /// How the rate follows from the line.
    pub line: &'static str,
}

/// The link of a preset; what is `None` is the preset's own.
#[derive(Clone, Copy, Debug)]
pub struct PresetLink<'a> {
    /// The name of a speed.
    pub speed: &'a str,
    /// Propagation one way.
    pub delay: Picos,
    /// The length of the cable, for public rules that count it; `None`: the delay at 5 ns for each
    /// metre.
    pub metres: Option<u64>,
    /// The largest frame or packet; with `pfc` as on the wire.
    pub packet: Option<Bytes>,
    /// `pfc`: the largest frame of any priority on the way back, on the wire.
    pub packet_back: Option<Bytes>,
    /// Bytes that a packet takes of the link in addition to its own; 0 with `pfc` and `n23`.
    pub overhead: Option<Bytes>,
    /// Time of both ends to handle a frame.
    pub processing: Option<Picos>,
    /// `pfc`: from the arrival of the pause frame until the paused end stops.
    pub response: Option<Picos>,
    /// `pfc`: one of [`VENDORS`], whose extra terms are added.
    pub vendor: Option<&'a str>,
}

/// What a preset needs, by its law.
#[derive(Clone, Debug)]
pub enum PresetNeed {
    /// `pfc`: the headroom, and the same in the cells of a vendor.
    Pause {
        /// The terms.
        link: PausedLink,
        /// The law in bytes.
        needed: Headroom,
        /// The law in buffer cells, of a vendor whose cell is public.
        in_cells: Option<CellHeadroom>,
        /// Bytes that a vendor adds to the headroom.
        extra: Bytes,
    },
    /// A lane.
    Lane {
        /// The terms.
        lane: LaneLoop,
        /// The law.
        needed: LaneNeed,
        /// The most blocks that a device promises, if its standard limits them.
        device_most: Option<u32>,
    },
    /// A VC.
    Vc(Size),
}

impl PresetNeed {
    /// The formulas of the law, each followed by the same with numbers.
    pub fn formula(&self) -> String {
        match self {
            PresetNeed::Pause { needed, in_cells, .. } => {
                let cells = in_cells.iter().map(|cells| cells.formula.as_str());
                [needed.formula.as_str()].into_iter().chain(cells).collect::<Vec<_>>().join("\n")
            }
            PresetNeed::Lane { needed, .. } => needed.formula.clone(),
            PresetNeed::Vc(size) => size.formula.clone(),
        }
    }
}

/// The answer of a preset.
#[derive(Clone, Debug)]
pub struct PresetSize {
    /// The speed.
    pub speed: Speed,
    /// The unit in which an engineer configures it.
    pub unit: &'static str,
    /// The size in this unit.
    pub amount: u64,
    /// The law and its result.
    pub need: PresetNeed,
    /// Public values, with the result of the law for the same terms.
    pub public: Vec<PublicRow>,
    /// Terms that are assumed, and what they come from.
    pub notes: Vec<String>,
    /// The network that confirms it.
    pub trial: Trial,
}

/// Why a preset has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PresetError {
    /// A speed that the preset does not have.
    #[error("`{speed}` is not a speed of {preset}: give one of {known}")]
    UnknownSpeed {
        /// As given.
        speed: String,
        /// The name of the preset.
        preset: &'static str,
        /// All speeds.
        known: String,
    },
    /// A vendor without public terms, or without any for this speed.
    #[error("no public terms of `{vendor}` for {speed}: {known}")]
    UnknownVendor {
        /// As given.
        vendor: String,
        /// The speed.
        speed: &'static str,
        /// What is known.
        known: String,
    },
    /// The law has no result.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The network of the preset is refused.
    #[error("no network of this preset: {0}")]
    Refused(String),
}

impl Preset {
    /// All presets.
    pub const ALL: [Preset; 5] =
        [Preset::Pfc, Preset::FibreChannel, Preset::Infiniband, Preset::Cbfc, Preset::N23];

    /// Its name in options.
    pub const fn name(self) -> &'static str {
        match self {
            Preset::Pfc => "pfc",
            Preset::FibreChannel => "fibre-channel",
            Preset::Infiniband => "infiniband",
            Preset::Cbfc => "cbfc",
            Preset::N23 => "n23",
        }
    }

    /// The preset of a name.
    pub fn named(name: &str) -> Option<Preset> {
        Preset::ALL.into_iter().find(|preset| preset.name() == name)
    }

    /// Its speeds, the slowest first.
    pub const fn speeds(self) -> &'static [Speed] {
        match self {
            Preset::Pfc => &ethernet::SPEEDS,
            Preset::FibreChannel => &fibre_channel::SPEEDS,
            Preset::Infiniband => &infiniband::SPEEDS,
            Preset::Cbfc => &cbfc::SPEEDS,
            Preset::N23 => &n23::SPEEDS,
        }
    }

    /// The packet or frame that it takes if none is given.
    pub const fn packet(self) -> Bytes {
        match self {
            Preset::Pfc => ethernet::FRAME,
            Preset::FibreChannel => fibre_channel::FRAME,
            Preset::Infiniband => infiniband::PACKET,
            Preset::Cbfc => cbfc::PACKET,
            Preset::N23 => Bytes::CELL,
        }
    }

    /// The speed of a name, in capitals or not.
    fn speed(self, name: &str) -> Result<Speed, PresetError> {
        let mut all = self.speeds().iter();
        all.find(|speed| speed.name.eq_ignore_ascii_case(name)).copied().ok_or_else(|| {
            let known: Vec<&str> = self.speeds().iter().map(|speed| speed.name).collect();
            PresetError::UnknownSpeed {
                speed: name.to_owned(),
                preset: self.name(),
                known: known.join(", "),
            }
        })
    }

    /// What a link of this preset needs.
    pub fn size(self, link: &PresetLink<'_>) -> Result<PresetSize, PresetError> {
        let speed = self.speed(link.speed)?;
        match self {
            Preset::Pfc => ethernet::size(speed, link),
            Preset::FibreChannel => fibre_channel::size(speed, link),
            Preset::Infiniband => infiniband::size(speed, link),
            Preset::Cbfc => cbfc::size(speed, link),
            Preset::N23 => n23::size(speed, link),
        }
    }
}

impl Speed {
    fn rate(self) -> Rate {
        Rate::from_bps(self.rate_bps).expect("no preset has a rate of 0")
    }
}

/// Gb/s, which are not whole in every table.
const fn gbps(millis: u64) -> u64 {
    millis * 1_000_000
}

/// The length of a link.
fn metres(link: &PresetLink<'_>) -> u64 {
    link.metres.unwrap_or(link.delay.0 / PICOS_PER_METRE)
}

/// A lane on the link of a preset, towards an end that frees a packet as it arrives. An error on
/// overflow.
fn lane_loop(
    speed: Speed,
    link: &PresetLink<'_>,
    packet: Bytes,
    block: Bytes,
    update: u32,
) -> Result<LaneLoop, SizeError> {
    let rate = speed.rate();
    let overhead = link.overhead.unwrap_or(Bytes(0));
    let too_large = SizeError::LaneTooLarge { delays: link.delay, rate };
    let processing = link.processing.unwrap_or(Picos::ZERO);
    let delays = link.delay.checked_mul(2).and_then(|delays| delays.checked_add(processing));
    let credit = Bytes(Bytes::CELL.0.saturating_add(overhead.0));
    Ok(LaneLoop {
        rate,
        link_overhead: overhead,
        target: rate,
        delays: delays.ok_or(too_large)?,
        hold: Picos::ZERO,
        wait: Picos::ZERO,
        credit: rate.transmit_time(credit).ok_or(too_large)?,
        packet,
        largest: packet,
        densest: packet,
        densest_on_link: packet,
        block,
        overhead: 0,
        update,
    })
}

/// The answer for a lane whose credit follows freed blocks.
fn of_lane(
    speed: Speed,
    lane: LaneLoop,
    unit: &'static str,
    device_most: Option<u32>,
) -> Result<PresetSize, PresetError> {
    let needed = lane_credit(&lane)?;
    Ok(PresetSize {
        speed,
        unit,
        amount: needed.blocks,
        trial: Trial::of_lane(&lane, &needed, unit),
        need: PresetNeed::Lane { lane, needed, device_most },
        public: Vec::new(),
        notes: Vec::new(),
    })
}

/// The most that a device of InfiniBand promises, in blocks of this size.
fn device_most(block: Bytes) -> Option<u32> {
    LaneCreditSpec::device_most(block)
}

#[cfg(test)]
mod tests;
