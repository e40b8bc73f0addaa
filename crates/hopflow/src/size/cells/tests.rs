//! Claims about headroom in buffer cells: public tables, and a run.

use hopflow_control::lane::{PauseSpec, Watching};
use hopflow_engine::WindowedEngine;
use hopflow_network::{
    DirectionId, Engine, HopControl, LaneRule, LanesSpec, NetworkSpec, PausedLanes, SizeLaw,
    SourceSpec, TraceFilter,
};
use hopflow_testing::NetworkBuilder;
use hopflow_units::SimTime;

use super::super::delay_of_length;
use super::*;

/// A link of the speed and length, frames of 9216 B, and a response of 905 quanta.
fn link(gbps: u64, metres: u64) -> PausedLink {
    let rate = Rate::from_bps(gbps * 1_000_000_000).unwrap();
    PausedLink {
        rate,
        overhead: Bytes(0),
        overhead_back: Bytes(0),
        rate_back: rate,
        delay: delay_of_length(2 * metres).unwrap(),
        interface: Picos::ZERO,
        response: rate.transmit_time(Bytes(905 * 64)).unwrap(),
        frame: Bytes(9_236),
        frame_back: Bytes(9_236),
        pause_frame: Bytes(84),
        frames_ahead: 0,
    }
}

fn cells(gbps: u64, metres: u64, pipeline: u64) -> u64 {
    let (cell, smallest) = (Bytes(254), Bytes(64));
    let pipeline = Picos(pipeline);
    let buffer = BufferCells { cell, smallest, share_percent: 100, pipeline };
    let found = headroom_in_cells(&link(gbps, metres), &buffer).unwrap();
    assert_eq!(found.bytes.0, 254 * found.cells);
    found.cells
}

/// Claim (other tool: the table of Arista 7060X6 P32O64 in SONiC, [SONIC-PG]): with a cell of 254 B
/// and packets of 64 B, one number, the pipeline delay, fitted to the row of 30 m (1111 ns) gives
/// the row of 500 m to the cell and that of 300 m within 0.7 %; at 800 Gb/s, fitted to 5 m (1643
/// ns), 300 m within 0.4 %. The table never has less.
#[test]
fn one_delay_gives_the_public_rows() {
    let row = |gbps, metres, pipeline, bytes: u64| {
        assert_eq!(bytes % 254, 0, "rows are whole cells");
        (cells(gbps, metres, pipeline), bytes / 254)
    };
    assert_eq!(row(400, 30, 1_111_000, 425_958), (1_677, 1_677));
    assert_eq!(row(400, 500, 1_111_000, 1_136_396), (4_474, 4_474));
    assert_eq!(row(400, 300, 1_111_000, 839_216), (3_284, 3_304));
    assert_eq!(row(800, 5, 1_643_500, 724_662), (2_853, 2_853));
    assert_eq!(row(800, 300, 1_643_500, 1_621_536), (6_365, 6_384));
}

/// Claim: the share of small packets counts by packets: with none, frames of 9216 B in 37 cells of
/// 254 B take 37 x 254 / 9236 = 1.0175 of their bytes on the wire. With half of the packets small,
/// 84 B in 9320 are of them: 38 cells for 9320 B. A cell of a byte and no small packets come to the
/// law in bytes, less what preambles and gaps are.
#[test]
fn the_share_counts_by_packets() {
    let of = |share_percent, cell| {
        let (smallest, pipeline) = (Bytes(64), Picos::ZERO);
        let buffer = BufferCells { cell: Bytes(cell), smallest, share_percent, pipeline };
        headroom_in_cells(&link(400, 300), &buffer).unwrap().cells
    };
    // W: 184.72 ns + 1.68 ns + 3 us + 1158.4 ns at 50 B/ns are 217,240 B.
    assert_eq!(of(0, 254), (217_239 * 37_u64).div_ceil(9_236) + 37);
    assert_eq!(of(50, 254), (217_239 * 38_u64).div_ceil(9_320) + 37);
    assert_eq!(of(100, 254), 217_239 / 84 + 37);
    assert_eq!(of(0, 1), (217_239 * 9_216_u64).div_ceil(9_236) + 9_216);
    let buffer = BufferCells {
        cell: Bytes(0),
        smallest: Bytes(64),
        share_percent: 0,
        pipeline: Picos::ZERO,
    };
    for wrong in [
        buffer,
        BufferCells { cell: Bytes(9), smallest: Bytes(0), ..buffer },
        BufferCells { cell: Bytes(9), smallest: Bytes(9_217), ..buffer },
        BufferCells { cell: Bytes(9), share_percent: 101, ..buffer },
    ] {
        let error = headroom_in_cells(&link(400, 300), &wrong).unwrap_err();
        assert!(matches!(error, SizeError::NoCells { .. }), "{error}");
    }
}

/// A host that sends packets of 84 B on the wire into a switch with a slow link on; the way back is
/// idle.
fn funnel(delay: u64, xoff: u64, room: u64) -> NetworkSpec {
    let mut network = NetworkBuilder::new(3_000);
    let (a, s, b) = (network.host("A"), network.switch("S"), network.host("B"));
    network.link(a, s, 0);
    network.link(s, b, 1);
    network.spec.links[0].directions.iter_mut().for_each(|way| way.delay = Picos(delay));
    for direction in &mut network.spec.links[1].directions {
        direction.rate = Rate::from_bps(4_240_000).unwrap();
    }
    network.vc("VC1", &[a, s, b], HopControl::None, SourceSpec::Greedy);
    network.spec.vcs[0].traffic.size = SizeLaw::Fixed(Bytes(84));
    let pause = PauseSpec {
        xoff: Bytes(84 * xoff),
        xon: Bytes(84),
        quanta: 65_535,
        room: Some(Bytes(84 * room)),
        watchdog: None,
        watching: Watching::IDEAL,
    };
    network.spec.links[0].directions[0].lanes = Some(LanesSpec::new(1, LaneRule::Pause(pause)));
    network.spec
}

fn dropped(spec: &NetworkSpec) -> u64 {
    let mut engine = WindowedEngine::new(spec, TraceFilter::none(), 1);
    engine.run_until(SimTime(spec.duration.0));
    engine.counters().vcs[0].hops[0].dropped_packets
}

/// Claim: the law is exact for packets of a cell each. A run with room for XOFF and the headroom
/// drops nothing; with one cell less it drops a packet. (The way back is idle, so that nothing is
/// before the pause frame: it is the law's for a way back on which a frame of a byte has started.)
#[test]
fn one_cell_less_drops_a_packet() {
    for delay in [0, 1_000_000, 3_141_592, 17_000_001, 40_000_000] {
        for xoff in [2, 3, 20] {
            let spec = funnel(delay, xoff, 1);
            let of_run = PausedLanes::new(&spec).link(DirectionId(0), 0);
            let rate_back = Rate::from_bps(u64::MAX).unwrap();
            let pause = of_run.rate_back.transmit_time(Bytes::CELL).unwrap();
            let link = PausedLink {
                overhead: Bytes(0),
                overhead_back: Bytes(0),
                rate_back,
                frame_back: Bytes(1),
                pause_frame: Bytes(1),
                // The frames on the way back take a picosecond each at such a rate.
                interface: Picos(pause.0 - 2),
                ..of_run
            };
            let (cell, smallest) = (Bytes(84), Bytes(64));
            let pipeline = Picos::ZERO;
            let buffer = BufferCells { cell, smallest, share_percent: 100, pipeline };
            let headroom = headroom_in_cells(&link, &buffer).unwrap().cells;
            // The packet that crosses XOFF fills it up: all packets are of a cell.
            let room = xoff + headroom;
            assert_eq!(dropped(&funnel(delay, xoff, room)), 0, "{delay} {xoff} {headroom}");
            assert!(dropped(&funnel(delay, xoff, room - 1)) > 0, "{delay} {xoff} {headroom}");
        }
    }
}

/// Claim: why the room of `pause/headroom.rs` is up to two frames above the need of a run with
/// frames of one size: the one that crosses XOFF has at most XOFF rounded up to frames, and the
/// span holds ceil(span / T) starts, while the law allows a whole frame above XOFF and a start as
/// the span ends. Both at their worst, XOFF a byte above whole frames and the span a little above
/// whole frame times, the need is the law's but for a byte above XOFF and what the span is above.
#[test]
fn the_law_in_bytes_is_tight_at_its_worst() {
    let (frame, mut least, mut most) = (1_000_u64, u64::MAX, 0);
    let time = 20_000_u64;
    for xoff in [5_000, 5_001, 5_500, 5_999] {
        for span in [100 * time, 100 * time + 1, 100 * time + 10_000, 101 * time - 1] {
            let law = xoff + frame + (span * frame).div_ceil(time) + frame;
            let need = frame * (xoff.div_ceil(frame) + span.div_ceil(time));
            least = least.min(law - need);
            most = most.max(law - need);
        }
    }
    assert_eq!((least, most), (2, 2 * frame));
}
