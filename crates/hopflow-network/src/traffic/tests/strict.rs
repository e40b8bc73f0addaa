//! The strict envelope: at most AIR packets in every span of length AI, and no packet later than
//! that needs.

use hopflow_control::scheduler::{Meter, MeterCheck, Reservation};
use hopflow_kernel::RandomStream;
use hopflow_units::{Bytes, Picos, SimTime};

use super::*;
use crate::{EnvelopeRule, EnvelopeSpec};

/// `source` under a strict envelope of `packets` in `interval`.
fn strictly(source: SourceSpec, packets: u32, interval: Picos) -> VcSpec {
    let mut vc = vc(source, 0, None);
    vc.traffic.envelope = Some(EnvelopeSpec { packets, interval, rule: EnvelopeRule::Strict });
    vc
}

/// Claim [Zhang90, 2.3.2]: "a flow source must constrain itself from sending more than AIR packets
/// during each average interval". One that always has a packet sends AIR at once, then waits for
/// AI.
#[test]
fn a_source_that_always_has_a_packet_sends_air_at_once() {
    let eager = SourceSpec::Replay { times: vec![Picos::ZERO; 8] };
    let seen = instants(&strictly(eager, 3, Picos(100)), 1, 8);
    assert_eq!(seen, [0, 0, 0, 100, 100, 100, 200, 200]);
}

/// The births of a source whose packets are planned at `planned`, found by counting: each packet is
/// born at the first instant, from its natural gap after the one before on, at which no half-open
/// span of length `interval` that holds it has more than `air` packets.
fn by_counting(planned: &[u64], air: usize, interval: u64) -> Vec<u64> {
    let mut births: Vec<u64> = Vec::new();
    for (index, at) in planned.iter().enumerate() {
        let natural = match index {
            0 => *at,
            _ => births[index - 1] + (at - planned[index - 1]),
        };
        let fits = |birth: u64| {
            (birth.saturating_sub(interval - 1)..=birth).all(|from| {
                let span = from..from + interval;
                births.iter().filter(|other| span.contains(other)).count() < air
            })
        };
        births.push((natural..u64::MAX).find(|birth| fits(*birth)).expect("time has no end"));
    }
    births
}

/// Claim: for random arrivals, AIR and AI the births are those found by counting: no span of length
/// AI, wherever it begins, has more than AIR packets, and a packet is late only if it must be. Half
/// of the cases hold packets back.
#[test]
fn births_are_those_found_by_counting() {
    let mut held = 0;
    for seed in 0..400 {
        let mut stream = RandomStream::new(seed, "strict", "test");
        let mut below = |most: u64| stream.next_u64() % most;
        let (air, interval, spread) = (1 + below(6), 1 + below(40), 1 + below(24));
        let mut at = below(20);
        let mut planned = vec![at];
        for _ in 0..60 {
            at += if below(3) == 0 { 0 } else { below(spread) };
            planned.push(at);
        }
        let times = planned.iter().map(|at| Picos(*at)).collect();
        let vc = strictly(SourceSpec::Replay { times }, air as u32, Picos(interval));
        let expected = by_counting(&planned, air as usize, interval);
        assert_eq!(instants(&vc, 1, planned.len()), expected, "{air} in {interval}: {planned:?}");
        held += u32::from(expected != planned);
    }
    assert!((200..400).contains(&held), "{held} of 400 held back");
}

/// Claim: the same at the density of real sources. Over 20,000 packets each, Poisson and trains,
/// the fullest span of AI has exactly AIR packets, wherever it begins; under Appendix A it has
/// more.
#[test]
fn no_span_of_ai_has_more_than_air_packets() {
    let interval = Picos(2_000_000);
    let fullest = |seen: &[u64]| {
        let ends = |from: u64| seen.partition_point(|at| *at < from + interval.0);
        seen.iter().enumerate().map(|(index, from)| ends(*from) - index).max()
    };
    let trains = SourceSpec::Train { length: 4.0, spacing: Picos(20_000), pause: Picos(200_000) };
    for source in [trains, SourceSpec::Poisson { gap: Picos(90_000) }] {
        let strict = strictly(source.clone(), 20, interval);
        assert_eq!(fullest(&instants(&strict, 7, 20_000)), Some(20), "{source:?}");
        let mut soft = strict.clone();
        let rule = EnvelopeRule::Gaps { least_gap: Picos(50_000), average_gap: Picos(100_000) };
        soft.traffic.envelope = Some(EnvelopeSpec { packets: 20, interval, rule });
        assert!(fullest(&instants(&soft, 7, 20_000)) > Some(20), "{source:?}");
    }
}

/// Claim [Zhang90, 2.3.2]: within the strict envelope "the VirtualClock value is stabilized": after
/// a span d the lead is at most AI ceil(d / AI) - d <= AI, so no flow is ever found too fast, not
/// even one that sends AIR at once whenever it may.
#[test]
fn no_flow_inside_its_strict_envelope_is_ever_flagged() {
    let interval = Picos(5_000_000);
    let (rate, priority) = (rate(4_240_000_000), Picos::ZERO);
    let reservation = Reservation { rate, interval, priority, burst: Bytes::CELL };
    let eager = SourceSpec::Replay { times: vec![Picos::ZERO; 20_000] };
    for source in [eager, SourceSpec::Poisson { gap: Picos(80_000) }] {
        let strict = strictly(source.clone(), 50, interval);
        let mut meter = Meter::new(&reservation, Bytes::CELL, MeterCheck::EveryAir, None);
        for due in instants(&strict, 3, 20_000) {
            let reading = meter.on_packet(Picos(100_000), SimTime(due));
            assert!(!reading.too_fast && reading.lead_ps <= interval.0.into(), "{source:?}");
        }
    }
}
