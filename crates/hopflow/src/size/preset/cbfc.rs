//! CBFC: the credits of a virtual channel of Ultra Ethernet, in credits of 256 B.
//!
//! The law is that of `lane/size.rs`, with the least spacing of CF_Updates as the wait of a credit.
//! The terms are those of the network that confirms the size: 20 B of preamble and gap, spacings
//! and timers as usual ([UE]). The case CBFC-12 of [SONiC-ScaleUp] requires the full rate at 500 m
//! with the smallest and the largest frame, and gives no number of credits.
//! Checked by: `preset/tests.rs`.

use hopflow_units::{Bytes, Picos};

use super::super::trial::LaneTrial;
use super::super::{OVERHEAD, SizeError, Trial};
use super::{PresetError, PresetLink, PresetNeed, PresetSize, Speed, gbps};

/// Speeds of Ethernet.
pub(super) const SPEEDS: [Speed; 4] = [
    Speed { name: "100G", rate_bps: gbps(100_000), line: LINE },
    Speed { name: "200G", rate_bps: gbps(200_000), line: LINE },
    Speed { name: "400G", rate_bps: gbps(400_000), line: LINE },
    Speed { name: "800G", rate_bps: gbps(800_000), line: LINE },
];

/// A packet of 4 KiB and 64 B of headers, as in `examples/cbfc.toml`.
pub(super) const PACKET: Bytes = Bytes(4_160);
const LINE: &str = "Ethernet, bits of the MAC";
/// CreditSize.
const CREDIT: Bytes = Bytes(256);

/// What a lane needs.
pub(super) fn size(speed: Speed, link: &PresetLink<'_>) -> Result<PresetSize, PresetError> {
    let packet = link.packet.unwrap_or(PACKET);
    let processing = link.processing.unwrap_or(Picos::ZERO);
    let half = Picos(processing.0 / 2);
    let too_large = SizeError::LaneTooLarge { delays: link.delay, rate: speed.rate() };
    let there = link.delay.checked_add(half).ok_or(too_large)?;
    let back = link.delay.checked_add(Picos(processing.0 - half.0)).ok_or(too_large)?;
    let trial = LaneTrial::cbfc(
        speed.rate(),
        link.overhead.unwrap_or(OVERHEAD),
        [there, back],
        packet,
        CREDIT,
    );
    let (lane, needed) = trial.law().map_err(PresetError::Refused)?;
    let amount = needed.blocks;
    let notes = vec![
        format!(
            "Credits of {} B, {} B of preamble and gap, a CF_Update after 6400 B of the link or \
             later ([UE]).",
            CREDIT.0, trial.overhead.0
        ),
        "[SONiC-ScaleUp] CBFC-12 requires the full rate over 500 m at 800 Gb/s with the smallest \
         and the largest frame, 64 B and 9216 B; it states no number of credits."
            .to_owned(),
    ];
    Ok(PresetSize {
        speed,
        unit: "credits",
        amount,
        trial: Trial::of_cbfc(trial, &needed),
        need: PresetNeed::Lane { lane, needed, device_most: None },
        public: Vec::new(),
        notes,
    })
}
