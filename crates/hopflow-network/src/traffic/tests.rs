//! Claims about sources. Most instants below are computed by hand with a cell time of 1 ns.

use hopflow_units::Bytes;
use proptest::prelude::*;

use super::*;
use crate::{TrafficSpec, VcSpec, Wire};

mod packets;
mod strict;
mod video;

const T: Picos = Picos(1_000);

/// Claim: what makes its own packets has instants, and nothing else has; a record is reported as it
/// is. At eight times the rate a gap of 9 ps is 2 ps, as gaps are rounded up; a rate past the
/// fastest is refused, and so is a source that has none.
#[test]
fn facts_are_those_of_the_source() {
    let times = vec![Picos(5), Picos(70)];
    let replay = SourceSpec::Replay { times: times.clone() };
    let constant = SourceSpec::Constant { rate: first_link().rate };
    let specs = [SourceSpec::Greedy, SourceSpec::Endpoint, replay.clone(), constant.clone()];
    for spec in specs {
        let is_due = Source::new(&vc(spec.clone(), 0, None), first_link(), 1).due().is_some();
        assert_eq!(is_due, spec.facts().made_by == MadeBy::Source, "{}", spec.facts().name);
    }
    assert_eq!(replay.arrivals(), Arrivals::Recorded(&times));
    let by = Faster { times: 8.0, fastest: first_link().rate };
    let faster = SourceSpec::Phased { gap: Picos(9) }.faster(by);
    assert_eq!(faster, Ok(SourceSpec::Phased { gap: Picos(2) }));
    assert_eq!(constant.faster(by), Err(NotFaster::OutOfRange));
    assert_eq!(replay.faster(by), Err(NotFaster::NoLaw));
}

/// A cell of 424 bits lasts T.
fn first_link() -> Wire {
    Wire { rate: Rate::from_bps(424_000_000_000).expect("not zero"), overhead: Bytes(0) }
}

fn vc(source: SourceSpec, start: u64, stop: Option<u64>) -> VcSpec {
    let vc = VcSpec::new("VC1", Vec::new(), source);
    VcSpec { start: SimTime(start), stop: stop.map(SimTime), ..vc }
}

/// The first `count` instants, fewer when the source ends.
fn instants(vc: &VcSpec, seed: u64, count: usize) -> Vec<u64> {
    let mut source = Source::new(vc, first_link(), seed);
    let mut seen = Vec::new();
    while let Some(due) = source.due() {
        if seen.len() == count {
            break;
        }
        seen.push(due.0);
        source.advance();
    }
    seen
}

fn first(source: SourceSpec, count: usize) -> Vec<u64> {
    instants(&vc(source, 0, None), 1, count)
}

fn rate(bps: u64) -> Rate {
    Rate::from_bps(bps).unwrap()
}

/// An alternating source; a rate of 0 is silence.
fn alternating(low: u64, high: u64, half: u64) -> SourceSpec {
    let [low, high] = [low, high].map(Rate::from_bps);
    SourceSpec::Alternating { low, high, half_period: Picos(half) }
}

/// Claim: a greedy VC has no instants of its own.
#[test]
fn greedy_is_never_due() {
    assert!(first(SourceSpec::Greedy, 1).is_empty());
}

/// Claim [KMCL94, Figure 10]: a cell every third cell time, counted from the start.
#[test]
fn every_third_cell_time() {
    let source = SourceSpec::EveryKth { k: 3 };
    assert_eq!(instants(&vc(source.clone(), 500, None), 1, 4), [500, 3_500, 6_500, 9_500]);
    // A stop at an instant that is due removes that cell: it is not before the stop.
    assert_eq!(instants(&vc(source.clone(), 500, Some(6_500)), 1, 4), [500, 3_500]);
    assert_eq!(instants(&vc(source, 500, Some(500)), 1, 4), [0; 0]);
}

/// Claim: 424 bits at 300 Gb/s last 1413.33 ps; the instants are rounded up one by one and
/// do not drift: the third step ends exactly at 4240.
#[test]
fn constant_rounds_up_without_drift() {
    let source = SourceSpec::Constant { rate: rate(300_000_000_000) };
    assert_eq!(first(source.clone(), 5), [0, 1_414, 2_827, 4_240, 5_654]);
    assert_eq!(first(source, 3_000_001)[3_000_000], 4_240_000_000);
}

/// Claim: two cells back to back, then 2.5 ns of silence from the end of the second's cell time
/// (at 2 ns): the next burst begins at 4.5 ns. Without `burst_first` all is 2.5 ns later.
#[test]
fn silence_begins_when_the_last_cell_time_ends() {
    let source = |burst_first| SourceSpec::OnOff {
        burst: LengthLaw::Fixed(2),
        off: SpanLaw::Fixed(Picos(2_500)),
        burst_first,
    };
    assert_eq!(first(source(true), 5), [0, 1_000, 4_500, 5_500, 9_000]);
    assert_eq!(first(source(false), 5), [2_500, 3_500, 7_000, 8_000, 11_500]);
}

/// Claim: with 100 Gb/s (4240 ps a cell) and 200 Gb/s (2120 ps) alternating every 10 ns: cells 1
/// and 2 at 4240 and 8480. At 10,000 the third has 1520 ps x 100 Gb/s of its bits; the other
/// 272,000 b/s-ns accrue at twice the speed, 1360 ps. So 11,360, then every 2120 to 19,840. At
/// 20,000 the eighth has 160 ps x 200 Gb/s and lacks 424,000 - 32,000, at 100 Gb/s 3920 ps: 23,920.
#[test]
fn a_cell_half_gathered_is_completed_at_the_new_rate() {
    let source = SourceSpec::Alternating {
        low: Some(rate(100_000_000_000)),
        high: Some(rate(200_000_000_000)),
        half_period: Picos(10_000),
    };
    let expected = [0, 4_240, 8_480, 11_360, 13_480, 15_600, 17_720, 19_840, 23_920];
    assert_eq!(first(source, 9), expected);
}

/// Claim: an alternating source with silent half periods is the on-off source of whole bursts. With
/// a link's rate for 5 ns, five cells of 1 ns; then 5 ns of silence.
#[test]
fn silence_by_turns_is_an_on_off_source() {
    let on_off = |burst_first| SourceSpec::OnOff {
        burst: LengthLaw::Fixed(5),
        off: SpanLaw::Fixed(Picos(5_000)),
        burst_first,
    };
    let link = first_link().rate.bps();
    let head = [5_000, 6_000, 7_000, 8_000, 9_000, 15_000, 16_000];
    assert_eq!(first(alternating(0, link, 5_000), 7), head);
    assert_eq!(first(alternating(0, link, 5_000), 10_000), first(on_off(false), 10_000));
    assert_eq!(first(alternating(link, 0, 5_000), 10_000), first(on_off(true), 10_000));
}

/// Claim: silence keeps the bits of a packet that is half accrued. At a link's rate for 2.5 ns the
/// third cell has half its bits when silence begins; the other half follows when it ends: cells 0,
/// 1, 2 at 0, 1 and 2 ns, cell 3 half a cell time into the next active period at 5.5 ns.
#[test]
fn silence_keeps_half_a_packet() {
    let link = first_link().rate.bps();
    let expected = [0, 1_000, 2_000, 5_500, 6_500, 10_000, 11_000, 12_000, 15_500];
    assert_eq!(first(alternating(link, 0, 2_500), 9), expected);
}

/// Claim: a source of N packets makes exactly N, the first ones of its law; with a `stop` as well,
/// the earlier limit ends it.
#[test]
fn a_source_ends_after_its_packets() {
    let source = SourceSpec::Constant { rate: first_link().rate };
    let counted = |packets, stop| {
        let mut vc = vc(source.clone(), 500, stop);
        vc.traffic = TrafficSpec { packets, ..TrafficSpec::default() }.into();
        instants(&vc, 1, 9)
    };
    assert_eq!(counted(Some(3), None), [500, 1_500, 2_500]);
    assert_eq!(counted(Some(3), Some(2_000)), [500, 1_500]);
    assert_eq!(counted(Some(1), Some(2_000)), [500]);
    assert_eq!(counted(None, Some(2_000)), [500, 1_500]);
}

/// Claim: a replayed trace keeps its instants, equal ones too, and then ends.
#[test]
fn replay_repeats_the_record_and_ends() {
    let source = SourceSpec::Replay { times: vec![Picos(5), Picos(5), Picos(70)] };
    assert_eq!(instants(&vc(source.clone(), 100, None), 1, 9), [105, 105, 170]);
    assert_eq!(instants(&vc(source, 100, Some(170)), 1, 9), [105, 105]);
}

/// Claim: a packet beyond the range of time never falls due, and nothing wraps.
#[test]
fn the_end_of_time_ends_a_source() {
    let near_end = u64::MAX - 1_500;
    for source in [
        SourceSpec::EveryKth { k: u64::MAX },
        SourceSpec::Constant { rate: rate(1) },
        SourceSpec::Alternating { low: Some(rate(1)), high: None, half_period: Picos(1) },
        SourceSpec::Alternating { low: Some(rate(1)), high: Some(rate(2)), half_period: Picos(1) },
        SourceSpec::OnOff {
            burst: LengthLaw::Fixed(1),
            off: SpanLaw::Fixed(Picos::MAX),
            burst_first: true,
        },
    ] {
        assert_eq!(instants(&vc(source, near_end, None), 1, 9), [near_end]);
    }
}

/// Claim: making a cell that is not due panics.
#[test]
#[should_panic(expected = "a source made a cell that was not due")]
fn a_cell_that_is_not_due_is_refused() {
    Source::new(&vc(SourceSpec::Greedy, 0, None), first_link(), 1).advance();
}

/// Claim (fingerprint): the drawn instants of two laws, from a second implementation of streams,
/// laws and Eqs. (1) to (3) of `on_off.rs` in another language.
#[test]
fn drawn_bursts_are_pinned() {
    let geometric = SourceSpec::OnOff {
        burst: LengthLaw::Geometric(5.0),
        off: SpanLaw::GeometricCells(20.0),
        burst_first: false,
    };
    let exponential = SourceSpec::OnOff {
        burst: LengthLaw::Exponential(5.0),
        off: SpanLaw::Exponential(Picos(20_000)),
        burst_first: true,
    };
    let head = [9, 10, 11, 12, 24, 32, 33, 60, 61, 80, 88, 89].map(|cell_time| cell_time * T.0);
    let seen = first(geometric, 174);
    assert_eq!((&seen[..12], seen[173]), (&head[..], 903_000));
    let head =
        [0, 1_000, 2_000, 19_226, 20_226, 21_226, 25_853, 26_853, 32_455, 33_455, 34_455, 35_455];
    let seen = first(exponential, 205);
    assert_eq!((&seen[..12], seen[204]), (&head[..], 824_811));
}

/// Claim (closed form): the share of time that is on is E[L] T / (E[L] T + E[S]). Both laws
/// of a cycle have a standard deviation below their mean, so over n cycles the relative standard
/// error of a share is below sqrt(2/n); with n = 20,000 cycles and 5 of them, 0.05.
#[test]
fn on_off_has_its_mean_rate() {
    let exponential_length = 30.502_78; // 1 / (1 - exp(-1/30))
    for (burst, off, cells) in [
        (LengthLaw::Geometric(30.0), SpanLaw::GeometricCells(60.0), 30.0),
        (LengthLaw::Exponential(30.0), SpanLaw::Exponential(Picos(60_000)), exponential_length),
    ] {
        let source = SourceSpec::OnOff { burst, off, burst_first: false };
        let count = 600_000;
        let seen = first(source, count);
        let share = count as f64 * T.0 as f64 / seen[count - 1] as f64;
        let expected = cells / (cells + 60.0);
        assert!((share / expected - 1.0).abs() < 0.05, "share {share}, expected {expected}");
    }
}

/// Claim (closed form): the mean rate of an alternating source is (low + high) / 2: after m
/// whole periods exactly floor(m H (low + high) / b) + 1 cells are due (cell 0 included).
#[test]
fn alternating_has_its_mean_rate() {
    let (low, high, half) = (62_208_000, 410_572_800, 681_585_000_u64);
    let source = alternating(low, high, half);
    let periods = 500;
    let bits = u128::from(periods * 2 * half) * u128::from(low + high) / 2;
    let cells = (bits / u128::from(bit_picos(53))) as usize + 1;
    let seen = first(source, cells + 1);
    assert!(seen[cells - 1] <= periods * 2 * half && seen[cells] > periods * 2 * half);
}

proptest! {
    /// Claim: cell n of a constant source is due at start + ceil(n b / r), for any n and r.
    #[test]
    fn constant_follows_its_equation(
        bps in prop_oneof![1_u64..50, 1_u64..], start in 0..u64::MAX / 2) {
        let source = SourceSpec::Constant { rate: rate(bps) };
        let seen = instants(&vc(source, start, None), 1, 300);
        for (n, due) in (0_u128..).zip(seen) {
            let expected = u128::from(start) + (n * 424_000_000_000_000).div_ceil(u128::from(bps));
            prop_assert_eq!(u128::from(due), expected);
        }
    }

    /// Claim: with equal rates, an alternating source is a constant one, wherever it switches.
    #[test]
    fn equal_rates_alternate_unseen(bps in 1_u64..1_u64 << 50, half in 1_u64..1_u64 << 50) {
        let constant = SourceSpec::Constant { rate: rate(bps) };
        prop_assert_eq!(first(alternating(bps, bps, half), 300), first(constant, 300));
    }

    /// Claim: Eq. (3) of `alternating.rs`, against bits counted picosecond by picosecond: nothing
    /// is due while the rate is 0.
    #[test]
    fn alternating_follows_its_equation(
        low in 1_u64..200, high in 1_u64..200, half in 1_u64..400, silent in 0_usize..3,
    ) {
        // Tera-scale rates, so that a cell takes some 2 to 40,000 ps.
        let [low, high] = [low, high].map(|r| r * 1_000_000_000_000);
        let [low, high] = [[low, high], [0, high], [low, 0]][silent];
        let seen = first(alternating(low, high, half), 20);
        let (mut gathered, mut expected) = (0_u128, Vec::new());
        for now in 0_u64.. {
            let rate = if (now / half) % 2 == 0 { low } else { high };
            while rate > 0 && gathered >= expected.len() as u128 * u128::from(bit_picos(53)) {
                expected.push(now);
            }
            if expected.len() >= 20 {
                break;
            }
            gathered += u128::from(rate);
        }
        prop_assert_eq!(&seen[..], &expected[..20]);
    }

    /// Claim: any source keeps to [start, stop), in order; `stop` only truncates, it changes no
    /// cell before it; cells of a burst do not overlap.
    #[test]
    fn start_and_stop_are_kept(
        seed: u64,
        start in 0_u64..1_000_000,
        span in 0_u64..1_000_000,
        mean in 1.0_f64..50.0,
        which in 0..3,
    ) {
        let burst = match which {
            0 => LengthLaw::Fixed(mean as u64),
            1 => LengthLaw::Geometric(mean),
            _ => LengthLaw::Exponential(mean),
        };
        let off = match which {
            0 => SpanLaw::Exponential(Picos(mean as u64)),
            1 => SpanLaw::GeometricCells(mean - 1.0),
            _ => SpanLaw::Fixed(Picos(mean as u64)),
        };
        let source = SourceSpec::OnOff { burst, off, burst_first: which == 1 };
        let endless = instants(&vc(source.clone(), start, None), seed, 3_000);
        let cut = instants(&vc(source, start, Some(start + span)), seed, 3_000);
        let before: Vec<u64> = endless.iter().copied().filter(|&t| t < start + span).collect();
        prop_assert_eq!(cut, before);
        prop_assert!(endless[0] >= start);
        prop_assert!(endless.is_sorted_by(|a, b| a + T.0 <= *b));
    }
}
