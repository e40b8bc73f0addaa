//! A coder: frames at a fixed rate, of as many cells as the allowed rate carries until the next.

use hopflow_control::rate::AbrSpec;
use hopflow_units::CellRate;

use super::*;
use crate::traffic::CodedCounters;

fn acr(cells_per_second: f64) -> CellRate {
    CellRate::new(cells_per_second).unwrap()
}

/// A coder of a frame each millisecond under rate control, Nrm = 32.
fn coder(part: Option<f64>, least: u64, most: Option<u64>) -> Source {
    let frame = Picos(1_000_000_000);
    let mut vc = vc(SourceSpec::Video { frame, part, least, most }, 500, None);
    vc.rate = Some(AbrSpec::new(acr(1_000_000.0)).into());
    Source::new(&vc, first_link(), 1)
}

/// The next frame at this rate: its instant and its cells.
fn frame(source: &mut Source, cells_per_second: f64) -> (u64, u64) {
    let at = source.due().expect("a coder has no end");
    let mut cells = 0;
    while source.due() == Some(at) {
        source.on_rate(acr(cells_per_second));
        assert_eq!(source.made().birth, at);
        source.advance();
        cells += 1;
    }
    (at.0, cells)
}

/// Claim [Roberts96]: each frame is coded at the rate of its instant. At 100,000 cells/s, whatever
/// the rate becomes after the first cell, 1 ms has 100 cells; half of them if the part is 1/2; 96
/// (of 96.875) if nothing is said, because one cell of 32 is an RM cell. 50,999 cells/s and half
/// are 25 of 25.4995.
#[test]
fn a_frame_has_the_cells_of_its_rate() {
    let ms = 1_000_000_000;
    let mut whole = coder(Some(1.0), 1, None);
    assert_eq!(frame(&mut whole, 100_000.0), (500, 100));
    assert_eq!(frame(&mut whole, 7_000.0), (500 + ms, 7));
    assert_eq!(frame(&mut whole, 123_456.0), (500 + 2 * ms, 123));
    let mut half = coder(Some(0.5), 1, None);
    assert_eq!(frame(&mut half, 100_000.0), (500, 50));
    assert_eq!(frame(&mut half, 50_999.0), (500 + ms, 25));
    assert_eq!(frame(&mut coder(None, 1, None), 100_000.0), (500, 96));
}

/// Claim: a rate that changes between the cells of one frame changes the next frame, not this one.
#[test]
fn a_frame_is_coded_once() {
    let mut source = coder(Some(1.0), 1, None);
    for rate in [3_000.0, 90_000.0, 50_000.0] {
        source.on_rate(acr(rate));
        source.advance();
    }
    assert_eq!(source.due(), Some(SimTime(1_000_000_500)));
}

/// Claim: no frame is smaller than the least, not even at no rate at all, nor larger than the most.
#[test]
fn frames_keep_their_bounds() {
    let mut source = coder(Some(1.0), 3, Some(8));
    let cells: Vec<u64> = [0.0, 2_999.0, 4_000.0, 8_000.0, 9_000.0, 1e9]
        .map(|rate| frame(&mut source, rate).1)
        .to_vec();
    assert_eq!(cells, [3, 3, 4, 8, 8, 8]);
}

/// Claim: the coder counts its frames, the smallest and the largest, and how much each differs from
/// the one before: 5, 9, 2 and 2 cells are 18 in four frames, with changes of 4, 7 and 0. After a
/// restart only later frames count for the smallest and the largest.
#[test]
fn quality_is_counted() {
    let mut source = coder(Some(1.0), 1, None);
    for rate in [5_000.0, 9_000.0, 2_000.0, 2_000.0] {
        frame(&mut source, rate);
    }
    let expected = CodedCounters {
        frames: 4,
        cells: 18,
        least_cells: Some(2),
        most_cells: 9,
        changes: 3,
        changed_cells: 11,
    };
    assert_eq!(source.coded(), Some(expected));
    source.restart_statistics();
    frame(&mut source, 6_000.0);
    let coded = source.coded().unwrap();
    assert_eq!((coded.frames, coded.least_cells, coded.most_cells), (5, Some(6), 6));
    assert_eq!(Source::new(&vc(SourceSpec::Greedy, 0, None), first_link(), 1).coded(), None);
}
