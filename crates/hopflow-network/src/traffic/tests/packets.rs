//! Claims about packets: trains and random gaps, sizes, sources that are held back, and the edge.
//! One packet of 53 bytes lasts 1 ns on the first link.

use hopflow_control::scheduler::{Meter, MeterCheck, Reservation};

use super::*;
use crate::{EnvelopeRule, EnvelopeSpec, Excess, PolicingRule, PolicingSpec, SizeLaw};

/// The first packets as (due, birth, fate).
fn packets(vc: &VcSpec, seed: u64, count: usize) -> Vec<(u64, Made)> {
    let mut source = Source::new(vc, first_link(), seed);
    let mut seen = Vec::new();
    while let Some(due) = source.due()
        && seen.len() < count
    {
        seen.push((due.0, source.made()));
        source.advance();
    }
    seen
}

fn gaps(instants: &[u64]) -> Vec<u64> {
    instants.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// Mean and squared coefficient of variation.
fn moments(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let square = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / count;
    (mean, square / (mean * mean))
}

fn is_near(value: f64, expected: f64, share: f64) -> bool {
    (value - expected).abs() <= share * expected
}

/// A train source of mean length 3, 50 ns inside a train, 150 ns mean pause.
fn train() -> SourceSpec {
    SourceSpec::Train { length: 3.0, spacing: Picos(50_000), pause: Picos(150_000) }
}

/// Claim [Zhang90, 3.1.2]: all gaps inside a train are the spacing; those between trains are the
/// spacing plus an exponential pause; lengths are geometric. With E[L] = 3 a gap ends a train with
/// probability 1/3, and the mean rate is 3 packets per 3 x 50 + 150 ns.
#[test]
fn trains_have_fixed_gaps_inside_and_exponential_pauses_between() {
    let gaps = gaps(&first(train(), 200_001));
    assert!(gaps.iter().all(|&gap| gap >= 50_000));
    let pauses: Vec<f64> =
        gaps.iter().filter(|&&gap| gap > 50_000).map(|&gap| (gap - 50_000) as f64).collect();
    // Standard errors: of the share .11 %, of the mean .4 %, of the variation about .9 %.
    let share = pauses.len() as f64 / gaps.len() as f64;
    assert!(is_near(share, 1.0 / 3.0, 0.02), "{share}");
    let (mean, variation) = moments(&pauses);
    assert!(is_near(mean, 150_000.0, 0.02), "{mean}");
    assert!(is_near(variation, 1.0, 0.05), "{variation}");
    let all: Vec<f64> = gaps.iter().map(|&gap| gap as f64).collect();
    assert!(is_near(moments(&all).0, 100_000.0, 0.01));
}

/// Claim: gaps of a Poisson source have the requested mean and a squared coefficient of variation
/// of 1; the first packet, too, follows a gap.
#[test]
fn poisson_gaps_are_exponential() {
    let source = SourceSpec::Poisson { gap: Picos(100_000) };
    let seen: Vec<f64> =
        gaps(&first(source.clone(), 200_001)).iter().map(|&gap| gap as f64).collect();
    let (mean, variation) = moments(&seen);
    assert!(is_near(mean, 100_000.0, 0.01), "{mean}");
    assert!(is_near(variation, 1.0, 0.03), "{variation}");
    let firsts: Vec<f64> =
        (0..4_000).map(|seed| instants(&vc(source.clone(), 0, None), seed, 1)[0] as f64).collect();
    assert!(is_near(moments(&firsts).0, 100_000.0, 0.06));
}

/// Claim: after a random phase within one gap all gaps are equal; phases are uniform (mean half a
/// gap, squared variation 1/3).
#[test]
fn phased_packets_come_at_equal_gaps_after_a_random_phase() {
    let source = vc(SourceSpec::Phased { gap: Picos(9_999) }, 70, None);
    let mut phases = Vec::new();
    for seed in 0..4_000 {
        let seen = instants(&source, seed, 5);
        assert_eq!(gaps(&seen), [9_999; 4]);
        assert!((70..70 + 9_999).contains(&seen[0]), "{}", seen[0]);
        phases.push((seen[0] - 70) as f64);
    }
    let (mean, variation) = moments(&phases);
    assert!(is_near(mean, 4_999.5, 0.04) && is_near(variation, 1.0 / 3.0, 0.06));
}

/// Claim: sizes follow their law, and do not move a single packet of a source in packets.
#[test]
fn sizes_follow_their_law_and_move_nothing() {
    let plain = vc(train(), 0, None);
    let sized = |size: SizeLaw| {
        let mut sized = plain.clone();
        sized.traffic.size = size;
        sized
    };
    let uniform = sized(SizeLaw::Uniform { least: Bytes(100), most: Bytes(104) });
    let mix = sized(SizeLaw::Mix(vec![(Bytes(40), 7), (Bytes(576), 4), (Bytes(1_500), 1)]));
    let expected = instants(&plain, 5, 60_000);
    for (vc, law) in [
        (&uniform, [100, 101, 102, 103, 104].map(|bytes| (bytes, 1.0 / 5.0)).to_vec()),
        (&mix, vec![(40, 7.0 / 12.0), (576, 4.0 / 12.0), (1_500, 1.0 / 12.0)]),
    ] {
        let seen = packets(vc, 5, 60_000);
        assert!(seen.iter().map(|(due, _)| *due).eq(expected.iter().copied()));
        for &(bytes, share) in &law {
            let count = seen.iter().filter(|(_, made)| made.bytes == bytes).count();
            assert!(is_near(count as f64 / 60_000.0, share, 0.06), "{bytes} B: {count}");
        }
        assert!(seen.iter().all(|(_, made)| law.iter().any(|(bytes, _)| *bytes == made.bytes)));
    }
}

/// AR = one packet of 53 bytes per 100 ns, AIR = `packets`.
fn contract(packets: u32) -> (Reservation, EnvelopeSpec) {
    let interval = Picos(u64::from(packets) * 100_000);
    let (least_gap, average_gap) = (Picos(50_000), Picos(100_000));
    let rate = rate(4_240_000_000);
    let reservation = Reservation { rate, interval, priority: Picos::ZERO, burst: Bytes::CELL };
    let rule = EnvelopeRule::Gaps { least_gap, average_gap };
    (reservation, EnvelopeSpec { packets, interval, rule })
}

fn with_envelope(source: SourceSpec, packets: u32) -> VcSpec {
    let mut vc = vc(source, 0, None);
    vc.traffic.envelope = Some(contract(packets).1);
    vc
}

/// Claim [Zhang90, Appendix A]: a source that always has a packet sends 2 AR for AI / 2, then AR:
/// the gaps after the first AIR packets are the least ones; then each is the average one, as long
/// as the packet AIR before was sent less than AI ago. Packet 20 (at 1,500 ns) is the first whose
/// tenth before it (at 500 ns) is that old.
#[test]
fn the_envelope_lets_a_greedy_source_send_twice_the_rate_for_half_an_interval() {
    let eager = SourceSpec::Phased { gap: Picos(1) };
    let seen = instants(&with_envelope(eager, 10), 1, 26);
    let mut expected = [100_000; 25];
    expected[..10].fill(50_000);
    expected[20] = 50_000;
    assert_eq!(gaps(&seen), expected);
    let in_first_interval = seen.iter().filter(|&&at| at < seen[0] + 1_000_000).count();
    assert_eq!(in_first_interval, 15);
}

/// Claim: the envelope does not affect a source at its average rate.
#[test]
fn the_envelope_leaves_a_steady_source_alone() {
    let steady = SourceSpec::Phased { gap: Picos(100_000) };
    let free = vc(steady.clone(), 0, None);
    assert_eq!(instants(&with_envelope(steady, 7), 3, 500), instants(&free, 3, 500));
}

/// The largest lead of the meter over 36,000 packets, as a share of AI, and whether it flagged.
fn lead(vc: &VcSpec, packets_per_interval: u32, seed: u64) -> (f64, bool) {
    let (reservation, _) = contract(packets_per_interval);
    let mut meter = Meter::new(&reservation, Bytes::CELL, MeterCheck::EveryAir, None);
    let (mut most, mut flagged) = (i128::MIN, false);
    for (due, _) in packets(vc, seed, 36_000) {
        let reading = meter.on_packet(Picos(100_000), SimTime(due));
        most = most.max(reading.lead_ps);
        flagged |= reading.too_fast;
    }
    (most as f64 / reservation.interval.0 as f64, flagged)
}

/// Claim [Zhang90, 2.3.2]: a flow that keeps the envelope is never found too fast, and its lead
/// stays below AI; without it, flows of the same mean rate are eventually found too fast.
#[test]
fn no_flow_inside_its_envelope_is_ever_flagged() {
    let trains = SourceSpec::Train { length: 2.0, spacing: Picos(50_000), pause: Picos(100_000) };
    for source in [trains, SourceSpec::Poisson { gap: Picos(100_000) }] {
        let mut flagged_without = 0;
        for seed in 0..30 {
            let (share, flagged) = lead(&with_envelope(source.clone(), 50), 50, seed);
            assert!(share < 1.0 && !flagged, "seed {seed}: {share} of AI");
            flagged_without += u32::from(lead(&vc(source.clone(), 0, None), 50, seed).1);
        }
        assert!(flagged_without >= 25, "{flagged_without} of 30");
    }
}

/// Claim: after a message to slow down, a source that obeys keeps AR for the next AI, then its own
/// law again; the packet that is due at the time of the message is still sent. One that does not
/// obey continues.
#[test]
fn a_source_that_obeys_slows_down_for_one_interval() {
    let obedient = |obeys| {
        let mut vc = vc(SourceSpec::Phased { gap: Picos(20_000) }, 0, None);
        vc.reservation = Some(contract(5).0);
        vc.traffic.obeys = obeys;
        let mut source = Source::new(&vc, first_link(), 1);
        let mut seen = Vec::new();
        while seen.len() < 20 {
            let due = source.due().expect("endless");
            if seen.len() == 3 {
                source.slow_down(due);
            }
            seen.push(due.0);
            source.advance();
        }
        gaps(&seen)
    };
    // The message arrives with packet 3: AR until an interval of 500 ns is over, at packet 8.
    let mut expected = vec![20_000; 19];
    expected[3..8].fill(100_000);
    assert_eq!(obedient(true), expected);
    assert_eq!(obedient(false), [20_000; 19]);
}

fn policed(times: &[u64], rule: PolicingRule, excess: Excess) -> Vec<(u64, u64, Fate)> {
    let mut vc =
        vc(SourceSpec::Replay { times: times.iter().map(|&t| Picos(t)).collect() }, 0, None);
    vc.traffic.policing = Some(PolicingSpec { rule, excess });
    packets(&vc, 1, 100).iter().map(|(due, made)| (*due, made.birth.0, made.fate)).collect()
}

/// Claim [Turner86]: bucket A passes one packet per period; packets that find two waiting are lost.
#[test]
fn leaky_bucket_a_spaces_packets_out() {
    let rule = PolicingRule::LeakyBucket { period: Picos(10_000), packets: 2 };
    let seen = policed(&[0, 0, 0, 0, 10_000, 60_000], rule, Excess::Discarded);
    assert_eq!(
        seen,
        [
            (0, 0, Fate::Sent),
            (0, 0, Fate::Discarded),
            (10_000, 0, Fate::Sent),
            (20_000, 0, Fate::Sent),
            (30_000, 10_000, Fate::Sent),
            (60_000, 60_000, Fate::Sent),
        ]
    );
}

/// Two packets deep, one packet (424 bits) per 10 ns.
const TOKENS: fn() -> PolicingRule =
    || PolicingRule::TokenBucket { rate: rate(42_400_000_000), burst: Bytes(106) };

/// Claim: bucket B passes a burst of its depth, then at its token rate. At 15 ns there are 1.5
/// packets of tokens: one passes, and the half is full again at 20.
#[test]
fn a_token_bucket_passes_its_depth_then_its_rate() {
    let times = [0, 0, 0, 15_000, 15_000, 20_000];
    let fates: Vec<Fate> =
        policed(&times, TOKENS(), Excess::Discarded).iter().map(|packet| packet.2).collect();
    let [s, d] = [Fate::Sent, Fate::Discarded];
    assert_eq!(fates, [s, s, d, s, d, s]);
    let dues: Vec<u64> = policed(&times, TOKENS(), Excess::Delayed { packets: 9 })
        .iter()
        .map(|packet| packet.0)
        .collect();
    assert_eq!(dues, [0, 0, 10_000, 20_000, 30_000, 40_000]);
}

/// Claim [I.371]: with an increment of 10 ns and a limit of 4 ns a packet may arrive 4 ns early,
/// but the theoretical times continue from the last theoretical one: 0, 6 (20 next), 16, not 25.
#[test]
fn gcra_allows_a_packet_its_limit_early() {
    let rule = PolicingRule::Gcra { increment: Picos(10_000), limit: Picos(4_000) };
    let times = [0, 5_999, 6_000, 15_999, 16_000, 90_000];
    let fates: Vec<Fate> =
        policed(&times, rule, Excess::Discarded).iter().map(|packet| packet.2).collect();
    let [s, d] = [Fate::Sent, Fate::Discarded];
    assert_eq!(fates, [s, d, s, d, s, s]);
}

/// Claim: two VCs made from one stream, one with the excess elsewhere and one with the excess only,
/// carry each packet exactly once; a source without excess packets still ends each look ahead.
#[test]
fn excess_elsewhere_and_excess_only_share_each_packet_once() {
    let half = |excess, gap| {
        let mut vc = vc(SourceSpec::Poisson { gap: Picos(gap) }, 0, None);
        vc.traffic.stream = Some("both".into());
        vc.traffic.size = SizeLaw::Uniform { least: Bytes(40), most: Bytes(60) };
        vc.traffic.policing = Some(PolicingSpec { rule: TOKENS(), excess });
        packets(&vc, 9, 5_000)
    };
    for gap in [8_000, 40_000_000] {
        let (conforming, rest) = (half(Excess::Elsewhere, gap), half(Excess::Only, gap));
        let mut left_to_the_rest = 0;
        for (one, other) in conforming.iter().zip(&rest) {
            assert_eq!((one.0, one.1.birth, one.1.bytes), (other.0, other.1.birth, other.1.bytes));
            let sent = |made: &Made| usize::from(made.fate == Fate::Sent);
            assert_eq!(sent(&one.1) + sent(&other.1), 1);
            left_to_the_rest += sent(&other.1);
        }
        let expected = if gap == 8_000 { 300..2_500 } else { 0..1 };
        assert!(expected.contains(&left_to_the_rest), "{left_to_the_rest}");
    }
}

/// Claim: packets that wait when the VC stops still pass; none is born from then on.
#[test]
fn a_stop_ends_births_not_releases() {
    let times = [0, 0, 0, 5_000, 9_000];
    let mut vc = vc(SourceSpec::Replay { times: times.map(Picos).to_vec() }, 0, Some(6_000));
    let excess = Excess::Delayed { packets: 9 };
    vc.traffic.policing = Some(PolicingSpec { rule: TOKENS(), excess });
    let dues: Vec<u64> = packets(&vc, 1, 9).iter().map(|packet| packet.0).collect();
    assert_eq!(dues, [0, 0, 10_000, 20_000]);
}
