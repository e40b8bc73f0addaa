//! PFC on Ethernet: the headroom of a priority, by speed and medium, with the terms of 802.3.
//!
//! ```text
//! headroom = T(frame back) + T(pause) + 2 x length x medium + interface + response
//!          + frame                                    (1), (2) of `lane/pause/headroom.rs`
//! mlx5     = (301 + 2.16 x metres) x Gb/s + 2.72 x MTU                                     (3)
//! ```
//! | term      | value                                                | source               |
//! |-----------|------------------------------------------------------|----------------------|
//! | frame     | 9,216 B and 20 B of preamble and gap, both ways      | [PFC-BT]             |
//! | pause     | 64 B and 20 B                                        | [PFC-BT]             |
//! | interface | bit times of both ends by speed; 0 where none is     | [PFC-BT]             |
//! |           | published                                            |                      |
//! | response  | quanta of 512 bit times by speed                     | [PFC-BT], [SONIC-HR] |
//! | medium    | time for a metre                                     | [`MEDIA`]            |
//!
//! [`VENDORS`] adds what a vendor has in public beyond these: the cell of a buffer and a delay of
//! the pipeline, or bytes. Public values: [PFC-BT], [SONIC-PG], [SONIC-SPC], [LINUX-MLX5].
//! Checked by: `preset/tests.rs`.

use hopflow_units::{Bytes, Picos, Rate};

use super::super::{
    BufferCells, CellHeadroom, Headroom, OVERHEAD, PausedLink, SizeError, Trial, delay_of_length,
    headroom, headroom_in_cells,
};
use super::{PresetError, PresetLink, PresetNeed, PresetSize, PublicRow, Speed, gbps, metres};

/// The largest frame on the wire.
pub(super) const FRAME: Bytes = Bytes(9_236);
/// A frame of 2,300 B (FCoE) on the wire, of the published sums.
const FCOE: Bytes = Bytes(2_320);
/// A pause frame on the wire.
const PAUSE: Bytes = Bytes(84);
/// Bit times of a pause quantum.
const QUANTUM: u64 = 512;
const UNIT: &str = "bytes";
const LINE: &str = "Ethernet, bits of the MAC";

/// Speeds by the rate of the MAC.
pub(super) const SPEEDS: [Speed; 8] = [
    Speed { name: "10G", rate_bps: gbps(10_000), line: LINE },
    Speed { name: "25G", rate_bps: gbps(25_000), line: LINE },
    Speed { name: "40G", rate_bps: gbps(40_000), line: LINE },
    Speed { name: "50G", rate_bps: gbps(50_000), line: LINE },
    Speed { name: "100G", rate_bps: gbps(100_000), line: LINE },
    Speed { name: "200G", rate_bps: gbps(200_000), line: LINE },
    Speed { name: "400G", rate_bps: gbps(400_000), line: LINE },
    Speed { name: "800G", rate_bps: gbps(800_000), line: LINE },
];

/// Bit times of the interfaces, both ends together, and quanta of the response, of [`SPEEDS`].
const TERMS: [(Option<u64>, u64); 8] = [
    (Some(8_192), 60),
    (Some(6_144), 80),
    (Some(24_576), 118),
    (None, 147),
    (Some(122_880), 394),
    (None, 453),
    (None, 905),
    (None, 905),
];

/// A medium, in which light takes its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Medium {
    /// Its name in options.
    pub name: &'static str,
    /// Picoseconds for a metre.
    pub picos_per_metre: u64,
    /// Where the number is from.
    pub source: &'static str,
}

/// Media, the usual one first.
pub const MEDIA: [Medium; 3] = [
    Medium { name: "fibre", picos_per_metre: 5_000, source: "5 ns for each metre [PFC-BT]" },
    Medium {
        name: "twinax",
        picos_per_metre: 4_760,
        source: "476 ns for 100 m of twin-axial copper [MLX-PFC]",
    },
    Medium {
        name: "sonic",
        picos_per_metre: 5_051,
        source: "light at 198,000 km/s, in SONiC's dynamic model [SONIC-HR]",
    },
];

impl Medium {
    /// The delay one way of this many metres; `None` on overflow.
    pub fn delay(self, metres: u64) -> Option<Picos> {
        metres.checked_mul(self.picos_per_metre).map(Picos)
    }
}

/// A vendor whose extra terms are public: its name, and what they are.
pub const VENDORS: [(&str, &str); 2] = [
    (
        ARISTA,
        "cells of 254 B, all packets of 64 B, and a pipeline delay fitted to the shortest row of \
         [SONIC-PG]: 400G and 800G",
    ),
    (SPECTRUM, "18 KiB more ([SONIC-SP6])"),
];
const ARISTA: &str = "arista-7060x6";
const SPECTRUM: &str = "nvidia-spectrum-6";
/// Bytes that [SONIC-SP6] adds.
const SPECTRUM_MORE: Bytes = Bytes(18 * 1_024);

/// The buffer of [SONIC-PG], by speed.
fn arista(speed: Speed) -> Option<BufferCells> {
    let pipeline = match speed.name {
        "400G" => Picos(1_111_000),
        "800G" => Picos(1_643_500),
        _ => return None,
    };
    Some(BufferCells { cell: Bytes(254), smallest: Bytes(64), share_percent: 100, pipeline })
}

/// Public headrooms: source, speed, metres, bytes.
const ROWS: [(&str, &str, u64, u64); 9] = [
    (ARISTA_ROW, "400G", 30, 425_958),
    (ARISTA_ROW, "400G", 300, 839_216),
    (ARISTA_ROW, "400G", 500, 1_136_396),
    (ARISTA_ROW, "800G", 5, 724_662),
    (ARISTA_ROW, "800G", 300, 1_621_536),
    ("[SONIC-SPC] Spectrum-3", "100G", 40, 51_200),
    ("[SONIC-SPC] Spectrum-4", "200G", 40, 65_536),
    ("[SONIC-SPC] Spectrum-3", "400G", 300, 272_384),
    ("[SONIC-SPC] Spectrum-4", "800G", 300, 474_112),
];
const ARISTA_ROW: &str = "[SONIC-PG] Arista 7060X6";

/// Sums of bit times for 100 m: speed, bytes.
const SUMS: [(&str, u64); 2] = [("10G", 17_754), ("400G", 119_560)];

/// What a priority needs.
pub(super) fn size(speed: Speed, link: &PresetLink<'_>) -> Result<PresetSize, PresetError> {
    let paused = paused(speed, link)?;
    let needed = headroom(&paused)?;
    let (in_cells, extra) = vendor(speed, link, &paused)?;
    let bytes = in_cells.as_ref().map_or(needed.headroom, |cells| cells.bytes);
    let too_large = SizeError::HeadroomTooLarge { span: needed.span, rate: paused.rate };
    let amount = bytes.0.checked_add(extra.0).ok_or(too_large)?;
    Ok(PresetSize {
        speed,
        unit: UNIT,
        amount,
        public: public(speed, link, &needed)?,
        notes: notes(speed, link),
        trial: Trial::of_pause(&paused, &needed),
        need: PresetNeed::Pause { link: paused, needed, in_cells, extra },
    })
}

/// Bit times of the interfaces and of the response.
fn terms(speed: Speed) -> (Option<u64>, u64) {
    let mut all = SPEEDS.iter().zip(TERMS);
    let of_speed = all.find(|(one, _)| one.name == speed.name);
    let (_, (interface, quanta)) = of_speed.expect("a speed of this list");
    (interface, QUANTUM * quanta)
}

fn bit_times(count: u64, rate: Rate) -> Picos {
    rate.transmit_time(Bytes(count / 8)).unwrap_or(Picos::MAX)
}

fn paused(speed: Speed, link: &PresetLink<'_>) -> Result<PausedLink, SizeError> {
    let rate = speed.rate();
    let (interface, response) = terms(speed);
    let interface = link.processing.unwrap_or(bit_times(interface.unwrap_or(0), rate));
    let response = link.response.unwrap_or(bit_times(response, rate));
    let too_late = SizeError::PauseTooLate { delay: link.delay, interface, response };
    Ok(PausedLink {
        rate,
        overhead: Bytes(0),
        overhead_back: Bytes(0),
        rate_back: rate,
        delay: link.delay.checked_mul(2).ok_or(too_late)?,
        interface,
        response,
        frame: link.packet.unwrap_or(FRAME),
        frame_back: link.packet_back.unwrap_or(FRAME),
        pause_frame: PAUSE,
        frames_ahead: 0,
    })
}

/// What the vendor of a link adds.
fn vendor(
    speed: Speed,
    link: &PresetLink<'_>,
    paused: &PausedLink,
) -> Result<(Option<CellHeadroom>, Bytes), PresetError> {
    let Some(name) = link.vendor else { return Ok((None, Bytes(0))) };
    if name == SPECTRUM {
        return Ok((None, SPECTRUM_MORE));
    }
    let buffer = arista(speed).filter(|_| name == ARISTA).ok_or_else(|| {
        let known = VENDORS.map(|(name, what)| format!("`{name}` has {what}"));
        let (vendor, known) = (name.to_owned(), known.join("; "));
        PresetError::UnknownVendor { vendor, speed: speed.name, known }
    })?;
    Ok((Some(headroom_in_cells(paused, &buffer)?), Bytes(0)))
}

fn notes(speed: Speed, link: &PresetLink<'_>) -> Vec<String> {
    let (interface, response) = terms(speed);
    let mut notes = Vec::new();
    if link.response.is_none() {
        notes.push(format!(
            "Response: {} quanta of 512 bit times, {response} at {}.",
            response / QUANTUM,
            speed.name
        ));
    }
    match interface {
        _ if link.processing.is_some() => {}
        Some(bits) => notes.push(format!("Interfaces: {bits} bit times, both ends together.")),
        None => notes.push(format!(
            "Interfaces: 0, since no public value for {} was read. Give those of your equipment by \
             --processing.",
            speed.name
        )),
    }
    let vendor = VENDORS.iter().find(|(name, _)| Some(*name) == link.vendor);
    notes.extend(vendor.map(|(name, what)| format!("`{name}` adds {what}.")));
    notes
}

fn public(
    speed: Speed,
    link: &PresetLink<'_>,
    needed: &Headroom,
) -> Result<Vec<PublicRow>, PresetError> {
    let at = |metres: u64| {
        let delay = delay_of_length(metres).unwrap_or(Picos::MAX);
        PresetLink {
            delay,
            metres: None,
            processing: None,
            response: None,
            packet_back: None,
            ..*link
        }
    };
    let mut rows = Vec::new();
    for (_, bytes) in SUMS.into_iter().filter(|row| row.0 == speed.name) {
        let link = paused(speed, &PresetLink { packet: Some(FCOE), ..at(100) })?;
        let ours = headroom(&link)?.headroom.0;
        let terms = "100 m, 2300 B against 9216 B, bit times".to_owned();
        rows.push(PublicRow::new("[PFC-BT]", terms, [bytes, ours], UNIT, ""));
    }
    for (source, _, metres, bytes) in ROWS.into_iter().filter(|row| row.1 == speed.name) {
        let link = paused(speed, &PresetLink { packet: None, ..at(metres) })?;
        let terms = format!("{metres} m, 9216 B");
        let (ours, why) = match arista(speed).filter(|_| source == ARISTA_ROW) {
            Some(buffer) => (
                headroom_in_cells(&link, &buffer)?.bytes.0,
                "by `--vendor arista-7060x6`, whose pipeline delay is fitted to the shortest \
                 cable; what the table adds for 300 m is not public",
            ),
            None => (
                headroom(&link)?.headroom.0,
                "it counts whole buffer cells with half of the bytes in packets of 64 B, and \
                 delays of MAC and PHY; the law in bytes has neither",
            ),
        };
        rows.push(PublicRow::new(source, terms, [bytes, ours], UNIT, why));
    }
    rows.push(mlx5(speed, link, needed));
    if speed.name == "400G" {
        let one_way = paused(speed, &PresetLink { packet: Some(FCOE), ..at(100) })?;
        let why = "it counts the light of one way alone, without frames, response and the way back";
        let ours = headroom(&one_way)?.headroom.0;
        let terms = "100 m".to_owned();
        rows.push(PublicRow::new("[PINGDO]", terms, [25_000, ours], UNIT, why));
    }
    Ok(rows)
}

/// Eq. (3), rounded down. The MTU is the frame without preamble and gap.
fn mlx5(speed: Speed, link: &PresetLink<'_>, needed: &Headroom) -> PublicRow {
    let mtu = link.packet.unwrap_or(FRAME).0.saturating_sub(OVERHEAD.0);
    let gbit = u128::from(speed.rate_bps / 1_000_000_000);
    let cable = 30_100 + 216 * u128::from(metres(link));
    let hundredths = cable.saturating_mul(gbit) + 272 * u128::from(mtu);
    let bytes = u64::try_from(hundredths / 100).unwrap_or(u64::MAX);
    let terms = format!("(301 + 2.16 x {} m) x {gbit} + 2.72 x {mtu} B", metres(link));
    PublicRow::new(
        "[LINUX-MLX5]",
        terms,
        [bytes, needed.headroom.0],
        UNIT,
        "a rule of a network card for all speeds alike: 2.16 B for a metre and Gb/s, where light \
         there and back is 1.25 B, and 301 B for a Gb/s instead of the response of 802.3",
    )
}
