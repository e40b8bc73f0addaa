//! Claims about windows: those of one path, and those of networks.

use hopflow_engine::WindowedEngine;
use hopflow_network::{Engine, HopControl, SourceSpec, TraceFilter, WindowSpec};
use hopflow_testing::NetworkBuilder;
use hopflow_units::{Cells, SimTime};

use super::*;

/// Claim: with W of Eq. (2) the source is never held, with W - 1 it is. Links of 10 and 50
/// cell times: R = 2 x (1 + 10) + 2 x (1 + 50) = 124; an ACK after 4 cells: 124 + 3.
#[test]
fn the_window_of_a_full_path_is_the_law() {
    let mut network = NetworkBuilder::new(5_000);
    let (a, s, b) = (network.host("A"), network.switch("S"), network.host("B"));
    network.link(a, s, 10);
    network.link(s, b, 50);
    network.vc("VC1", &[a, s, b], HopControl::None, SourceSpec::Greedy);
    let mut spec = network.spec;
    let window = |cells| Some(WindowSpec { cells: Cells(cells), ack_every: Cells(4) });
    spec.vcs[0].window = window(9);
    let sizes = size_windows(&spec, None).unwrap();
    assert_eq!(sizes.len(), 1);
    // W = 9 = 2 x 4 + 1: 8 cells in 124 + 4 - 1 - 1 = 126 cell times of 1 us.
    let given = sizes[0].given.unwrap();
    assert_eq!((sizes[0].needed, given.packets, given.latest), (127, 9, None));
    assert_eq!(given.reached_bps, 8 * 424 * 1_000_000 / 126);
    let started = |cells| {
        let mut spec = spec.clone();
        spec.vcs[0].window = window(cells);
        let mut engine = WindowedEngine::new(&spec, TraceFilter::none(), 1);
        engine.run_until(SimTime(spec.duration.0));
        engine.counters().vcs[0].leaves[0].delivered_packets
    };
    assert_eq!(started(127), 5_000 - 62);
    assert!(started(126) < 4_920);
    let half = size_windows(&spec, Rate::from_bps(212_000_000)).unwrap();
    assert_eq!(half[0].needed, 62 + 3);
}

/// Claim (by hand): 4 MiB over 100 ms at 10 Gb/s, packets of 1,500 B: T = 1.2 us, R / T = 83,334.3.
/// An update for each packet: 83,335 packets, 125,002,500 B fill the path, and 4 MiB are 2,796
/// packets: 2,796 x 1,500 B / 100.0012 ms = 335.5 Mb/s. Updates after half: 2 x 83,334 packets.
/// Half of 4 MiB is used with packet 1,399, and 2 x 1,399 packets are more than the window has: one
/// update in each loop, 1,399 packets in R + T, 167.9 Mb/s. One of 2,798 packets opens twice in
/// R + 1,398 T.
#[test]
fn the_window_of_a_long_path_by_hand() {
    let path = WindowPath {
        rate: Rate::from_bps(10_000_000_000).unwrap(),
        rtt: Picos(100_000_000_000),
        packet: Bytes(1_500),
        update: WindowUpdate::Every(1),
        given: Some(Bytes(4_194_304)),
    };
    let size = size_window(&path).unwrap();
    assert_eq!(
        (size.needed, size.needed_bytes(), size.loop_bytes()),
        (83_335, 125_002_500, 125_002_500)
    );
    let given = size.given.unwrap();
    assert_eq!((given.packets, given.latest), (2_796, None));
    assert_eq!(given.reached_bps, 335_515_973);
    assert!(size.formula.contains("= 83335 packets of 1500 B = 125002500 B"), "{}", size.formula);
    let half = size_window(&WindowPath { update: WindowUpdate::Half, ..path }).unwrap();
    assert_eq!((half.needed, half.needed_bytes()), (166_668, 250_002_000));
    assert_eq!(half.given.unwrap().reached_bps, 167_875_970);
    let even = WindowPath { update: WindowUpdate::Half, given: Some(Bytes(2_798 * 1_500)), ..path };
    let twice = 2_798 * 12_000 * 1_000_000 / (100_001_200 + 1_398 * 1_200);
    assert_eq!(size_window(&even).unwrap().given.unwrap().reached_bps / 1_000, twice);
    let full = size_window(&WindowPath { given: Some(Bytes(250_002_000)), ..path }).unwrap();
    assert_eq!(full.given.unwrap().reached_bps, 10_000_000_000);
    assert_eq!(full.given.unwrap().latest, Some(166_668 - 83_335 + 1));
}

/// Claim: an update later than the window never comes: rate 0, said so; half of a window of 2.9
/// packets is reached by its second packet.
#[test]
fn an_update_later_than_the_window_never_comes() {
    let path = WindowPath {
        rate: Rate::from_bps(8_000_000).unwrap(),
        rtt: Picos(9_000_000_000),
        packet: Bytes(1_000),
        update: WindowUpdate::Every(11),
        given: Some(Bytes(10_999)),
    };
    let size = size_window(&path).unwrap();
    assert_eq!((size.needed, size.given.unwrap().reached_bps), (20, 0));
    assert!(size.formula.contains("never comes, the window has 10"), "{}", size.formula);
    let half = WindowPath { update: WindowUpdate::Half, given: Some(Bytes(2_900)), ..path };
    // W = 2, U = 2: 2 packets in 10 ms + 1 ms.
    assert_eq!(size_window(&half).unwrap().given.unwrap().reached_bps, 16_000 * 1_000 / 11);
    let none = WindowPath { packet: Bytes(0), ..path };
    assert_eq!(size_window(&none), Err(SizeError::NoPacket));
}
