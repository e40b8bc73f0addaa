//! Claims about the runs that confirm a size.

use hopflow_control::credit::{CreditScheme, WindowUpdate};

use super::super::{
    CellTimes, Link, PICOS_PER_METRE, Preset, PresetLink, WindowPath, headroom, size as size_vc,
    size_window,
};
use super::*;
use hopflow_units::Cells;

fn preset(preset: Preset, speed: &str, metres: u64, packet: Option<u64>) -> Verified {
    let link = PresetLink {
        speed,
        delay: Picos(metres * PICOS_PER_METRE),
        metres: None,
        packet: packet.map(Bytes),
        packet_back: None,
        overhead: None,
        processing: None,
        response: None,
        vendor: None,
    };
    let size = preset.size(&link).unwrap_or_else(|wrong| panic!("{wrong}"));
    size.trial.verify().unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// Claim: 199 credits fill 50 km of 8GFC with the largest frames, and 198 do not: the link is busy
/// for 198 frames of 2.527059 us in a loop of 502.589412 us, 99.556 %. The law of lanes is exact.
#[test]
fn credits_of_lanes_are_exact() {
    let found = preset(Preset::FibreChannel, "8GFC", 50_000, None);
    assert!(found.is_confirmed && found.least == 199, "{found:?}");
    let [law, less] = &found.runs[..] else { panic!("two runs: {found:?}") };
    assert_eq!((law.size, law.idle, law.is_enough), (199, Picos::ZERO, true));
    assert_eq!((less.size, less.is_enough), (198, false));
    let busy = 198.0 * 2.527_059 / 502.589_412;
    assert!((less.busy - busy).abs() < 1e-3, "{} {busy}", less.busy);
    assert!(found.verdict.starts_with("Confirmed, and exact"), "{}", found.verdict);
    for (kind, speed, metres, packet) in [
        (Preset::FibreChannel, "8GFC", 50_000, Some(1_060)),
        (Preset::FibreChannel, "32GFC", 7_000, None),
        (Preset::Infiniband, "NDR", 300, None),
        (Preset::Infiniband, "EDR", 40, Some(256)),
    ] {
        let found = preset(kind, speed, metres, packet);
        assert!(found.is_confirmed && found.runs.len() == 2, "{speed} {metres}: {found:?}");
    }
}

/// Claim: CBFC has the full rate with the credits of the law; where fewer are enough, the least
/// number has the full rate and one less has not.
#[test]
fn credits_of_cbfc_are_an_upper_bound() {
    for (speed, metres, packet) in
        [("800G", 500, 9_216), ("800G", 500, 64), ("400G", 10, 4_160), ("100G", 30, 1_500)]
    {
        let found = preset(Preset::Cbfc, speed, metres, Some(packet));
        assert!(found.is_confirmed, "{speed} {metres} {packet}: {found:?}");
        let of = |size| found.runs.iter().find(|run| run.size == size).map(|run| run.is_enough);
        assert_eq!(of(found.least), Some(true), "{found:?}");
        assert_eq!(of(found.least - 1), Some(false), "{found:?}");
    }
}

/// Claim [KMCL94]: N3 by Equation (3) is enough. The least N3 is one below its ceiling: all N2 + N3
/// cells may be on their way when the last N2 - 1 of them wait for their credit.
#[test]
fn n3_is_one_above_the_least() {
    for (speed, metres) in [("OC-12", 10_000), ("OC-3", 1_000), ("OC-12", 212)] {
        let found = preset(Preset::N23, speed, metres, None);
        let law = found.runs[0].size;
        assert!(found.is_confirmed, "{found:?}");
        assert_eq!(found.least, law - 1, "{found:?}");
        assert!(found.verdict.contains("upper bound"), "{}", found.verdict);
    }
}

/// Claim: windows are exact, whatever the update: each packet, some, half.
#[test]
fn windows_are_exact() {
    let rate = Rate::from_bps(1_000_000_000).unwrap();
    for (rtt, update) in [
        (1_000_000_000, WindowUpdate::Every(1)),
        (777_777_777, WindowUpdate::Every(7)),
        (1_000_000_000, WindowUpdate::Half),
    ] {
        let path = WindowPath { rate, rtt: Picos(rtt), packet: Bytes(1_500), update, given: None };
        let window = size_window(&path).unwrap();
        let found = Trial::of_window(rate, path.rtt, &window).verify().unwrap();
        assert!(found.is_confirmed, "{update:?}: {found:?}");
        assert_eq!(found.least, window.needed, "{update:?}: {found:?}");
    }
    let path = WindowPath {
        rate,
        rtt: Picos(423_999),
        packet: Bytes(1_500),
        update: WindowUpdate::Every(1),
        given: None,
    };
    let window = size_window(&path).unwrap();
    let wrong = Trial::of_window(rate, path.rtt, &window).verify().unwrap_err();
    assert!(wrong.to_string().contains("an update of 53 B"), "{wrong}");
}

/// Claim: with the room of the law nothing is lost; with the most that the run has held nothing is
/// lost either, and with one byte less a packet is. The law is less than three frames above it: the
/// frame that crosses XOFF, the one that starts last, and the frame of the way back that the pause
/// frame may not have waited for.
#[test]
fn rooms_of_pfc_are_an_upper_bound() {
    for (speed, metres, packet) in
        [("10G", 100, None), ("400G", 100, None), ("100G", 300, Some(1_084)), ("25G", 5, Some(84))]
    {
        let found = preset(Preset::Pfc, speed, metres, packet);
        assert!(found.is_confirmed && found.by_loss, "{speed} {metres}: {found:?}");
        let law = found.runs[0].size;
        let of = |size| found.runs.iter().find(|run| run.size == size).unwrap();
        assert_eq!(of(found.least).dropped, 0, "{found:?}");
        assert!(of(found.least - 1).dropped > 0, "{found:?}");
        let frames = 2 * packet.unwrap_or(9_236) + 9_236;
        assert!(law - found.least < frames, "{speed} {metres}: {found:?}");
    }
}

/// Claim: what a run could not confirm in a short time, or at all, is an error with the way out; a
/// network that is refused says why.
#[test]
fn what_cannot_be_run_is_an_error() {
    let rate = Rate::from_bps(1_000_000_000_000).unwrap();
    let wire = Wire { rate, overhead: Bytes(0) };
    let long = Link {
        delay: Picos(100_000_000_000),
        rate,
        processing: Picos::ZERO,
        cell_times: CellTimes::Left,
    };
    let size = size_vc(CreditScheme::N23, &long, rate, Cells(10)).unwrap();
    let wrong = Trial::of_credit(wire, Bytes::CELL, &size).verify().unwrap_err();
    assert!(matches!(wrong, TrialError::TooLong { .. }), "{wrong}");
    let short = Link { delay: Picos(100), ..long };
    let size = size_vc(CreditScheme::N23, &short, rate, Cells(10)).unwrap();
    let wrong = Trial::of_credit(wire, Bytes::CELL, &size).verify().unwrap_err();
    assert!(wrong.to_string().contains("give a longer --delay"), "{wrong}");
    let paused = PausedLink {
        rate,
        overhead: Bytes(0),
        overhead_back: Bytes(0),
        rate_back: rate,
        delay: Picos(1_000_000),
        interface: Picos::ZERO,
        response: Picos::ZERO,
        frame: Bytes(1 << 30),
        frame_back: Bytes(1 << 30),
        pause_frame: Bytes(84),
        frames_ahead: 0,
    };
    let needed = headroom(&paused).unwrap();
    let wrong = Trial::of_pause(&paused, &needed).verify().unwrap_err();
    assert!(matches!(wrong, TrialError::Refused(_)), "{wrong}");
}
