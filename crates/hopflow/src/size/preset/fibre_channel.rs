//! Fibre Channel: buffer-to-buffer credits of a link, by its length and the size of its frames.
//!
//! ```text
//! credits = ceil(R / T)          R = T(frame) + 2 x delay + processing + T(R_RDY)          (1)
//! rule of [FOS]    = kilometres x speed / 2 + 6                                            (2)
//! with small frames: ceil(ceil(kilometres x 2112 / payload) x Gbaud / 2.125)               (3)
//! rule of [SANbox] = kilometres x speed x .6                                               (4)
//! ```
//! One credit is a frame of any size, so that frames of half the size need twice the credits. A
//! receiver returns R_RDY as it frees a frame. (1) is that of `lane/size.rs` with a block of a
//! frame and a credit after each.
//!
//! Rates: bits of frames, which the line code leaves: 8b/10b up to 8GFC, 64b/66b above. Source of
//! the line rates up to 8.5 and of 28.05 GBd: [FOS]; those of 10GFC and 16GFC are common knowledge.
//! Frames of 2,148 B hold 2,112 B and 36 of header, CRC and delimiters [FOS].
//! Differs: T(R_RDY) is that of the control cell of the simulator, 53 B, not of 4 B: at most one
//! credit more. Gaps between frames are left out, unless `overhead` has them (24 B: six words):
//! then the same length needs fewer credits. Not modelled: trunks, virtual channels inside an ISL.
//! Checked by: `preset/tests.rs`.

use hopflow_units::{Bytes, Picos};

use super::super::{PICOS_PER_METRE, lane_credit};
use super::{
    PresetError, PresetLink, PresetSize, PublicRow, Speed, gbps, lane_loop, metres, of_lane,
};

/// Speeds by the rate of frames.
pub(super) const SPEEDS: [Speed; 7] = [
    Speed { name: "1GFC", rate_bps: gbps(850), line: "1.0625 GBd, 8b/10b" },
    Speed { name: "2GFC", rate_bps: gbps(1_700), line: "2.125 GBd, 8b/10b" },
    Speed { name: "4GFC", rate_bps: gbps(3_400), line: "4.25 GBd, 8b/10b" },
    Speed { name: "8GFC", rate_bps: gbps(6_800), line: "8.5 GBd, 8b/10b" },
    Speed { name: "10GFC", rate_bps: gbps(10_200), line: "10.51875 GBd, 64b/66b" },
    Speed { name: "16GFC", rate_bps: gbps(13_600), line: "14.025 GBd, 64b/66b" },
    Speed { name: "32GFC", rate_bps: gbps(27_200), line: "28.05 GBd, 64b/66b" },
];

/// The largest frame.
pub(super) const FRAME: Bytes = Bytes(2_148);
/// Header, CRC and delimiters of a frame.
const AROUND: u64 = 36;
/// The largest payload.
const PAYLOAD: u64 = 2_112;
const UNIT: &str = "credits";

/// The terms of public rules, by speed: speed in Gb/s as (2) counts it; thousands of Gbaud as (3)
/// takes them [FOS].
const FOS: [(&str, u64, u64); 7] = [
    ("1GFC", 1, 1_063),
    ("2GFC", 2, 2_125),
    ("4GFC", 4, 4_250),
    ("8GFC", 8, 8_500),
    ("10GFC", 10, 10_625),
    ("16GFC", 16, 17_000),
    ("32GFC", 32, 28_050),
];
/// Credits of [FOS] that are not for distance.
const FOS_SERVICES: u64 = 6;

/// [SANbox]: speed, credits and the kilometres that they reach with the largest frames.
const SANBOX: [(&str, u64, u64); 3] = [("1GFC", 16, 26), ("2GFC", 16, 13), ("4GFC", 16, 6)];

/// What a link needs. Eq. (1).
pub(super) fn size(speed: Speed, link: &PresetLink<'_>) -> Result<PresetSize, PresetError> {
    let frame = link.packet.unwrap_or(FRAME);
    let mut answer = of_lane(speed, lane_loop(speed, link, frame, frame, 1)?, UNIT, None)?;
    answer.notes = vec![
        format!("{} carries {} of frames: {}.", speed.name, speed.rate(), speed.line),
        "A credit is one frame, whatever its size. The credit of a run has 53 B where R_RDY has \
         4: at most one credit more. `--overhead \"24 B\"` counts the gap between frames."
            .to_owned(),
    ];
    answer.public = public(speed, link, frame)?;
    Ok(answer)
}

/// Credits for a distance and a frame, of a plain link.
fn plain(speed: Speed, delay: Picos, frame: Bytes) -> Result<u64, PresetError> {
    let link = PresetLink {
        speed: speed.name,
        delay,
        metres: None,
        packet: Some(frame),
        packet_back: None,
        overhead: None,
        processing: None,
        response: None,
        vendor: None,
    };
    Ok(lane_credit(&lane_loop(speed, &link, frame, frame, 1)?)?.blocks)
}

fn public(
    speed: Speed,
    link: &PresetLink<'_>,
    frame: Bytes,
) -> Result<Vec<PublicRow>, PresetError> {
    let mut rows = Vec::new();
    let given = Span { metres: metres(link), delay: link.delay };
    for (_, gbit, kbaud) in FOS.into_iter().filter(|row| row.0 == speed.name) {
        let mut spans = vec![Span::of_km(50)];
        if given != spans[0] {
            spans.insert(0, given);
        }
        for span in spans {
            rows.push(fos(speed, gbit, span)?);
        }
        let small = if frame < FRAME && frame.0 > AROUND { frame } else { Bytes(1_024 + AROUND) };
        let span = if frame < FRAME { given } else { Span::of_km(100) };
        rows.push(fos_small(speed, kbaud, span, small)?);
    }
    for (_, credits, km) in SANBOX.into_iter().filter(|row| row.0 == speed.name) {
        let ours = plain(speed, Span::of_km(km).delay, FRAME)?;
        rows.push(PublicRow::new(
            "[SANbox] 5200",
            format!("{km} km, {} B", FRAME.0),
            [credits, ours],
            UNIT,
            "it counts .6 credits for a kilometre and Gb/s; light and a frame of 2148 B with \
             8b/10b make .49, and the frame itself one more",
        ));
    }
    Ok(rows)
}

/// The length of a link, and its delay one way.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Span {
    metres: u64,
    delay: Picos,
}

impl Span {
    /// In fibre.
    const fn of_km(km: u64) -> Span {
        let metres = km * 1_000;
        Span { metres, delay: Picos(metres * PICOS_PER_METRE) }
    }

    /// As text: `50`, `0.3`.
    fn kilometres(self) -> String {
        (self.metres as f64 / 1_000.0).to_string()
    }
}

/// Eq. (2), rounded up.
fn fos(speed: Speed, gbit: u64, span: Span) -> Result<PublicRow, PresetError> {
    let distance = (u128::from(span.metres) * u128::from(gbit)).div_ceil(2 * 1_000);
    let distance = u64::try_from(distance).unwrap_or(u64::MAX - FOS_SERVICES);
    let ours = plain(speed, span.delay, FRAME)?;
    let why = if distance == ours {
        format!("6 of them are for fabric services; the {distance} of distance are equal")
    } else {
        let why = if distance > ours {
            "it counts a frame of 2148 B at 2 Gb/s as long as 1 km, where it is 1.01 km"
        } else if gbit == 10 {
            "it counts 10 Gb/s as five times 2 Gb/s, where 64b/66b carries six times as many \
             frames: its distance alone does not fill the link"
        } else {
            "it leaves out the frame itself, which also waits for its credit"
        };
        format!("6 of them are for fabric services, {distance} for distance; {why}")
    };
    let terms = format!("{} km x {gbit} / 2 + 6, {} B", span.kilometres(), FRAME.0);
    Ok(PublicRow::new("[FOS] Brocade", terms, [distance + FOS_SERVICES, ours], UNIT, &why))
}

/// Eq. (3).
fn fos_small(speed: Speed, kbaud: u64, span: Span, frame: Bytes) -> Result<PublicRow, PresetError> {
    let payload = frame.0 - AROUND;
    let metres_of_full = u128::from(span.metres) * u128::from(PAYLOAD);
    let km = metres_of_full.div_ceil(1_000 * u128::from(payload));
    let credits = (km * u128::from(kbaud)).div_ceil(2_125);
    let credits = u64::try_from(credits).unwrap_or(u64::MAX);
    let ours = plain(speed, span.delay, frame)?;
    let terms = format!("{} km, {payload} B of payload", span.kilometres());
    Ok(PublicRow::new(
        "[FOS] Brocade, average frames",
        terms,
        [credits, ours],
        UNIT,
        "it scales the kilometres by 2112 / payload and rounds up; frames also have 36 B more, so \
         that fewer are on the way",
    ))
}
