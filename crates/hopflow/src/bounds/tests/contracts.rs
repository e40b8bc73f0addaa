//! Claims about contracts: what sources, envelopes, policers and shapers really send keeps them.

use hopflow_control::scheduler::SchedulerSpec;
use hopflow_network::traffic::{Fate, Source};
use hopflow_network::{
    EnvelopeRule, EnvelopeSpec, Excess, NetworkSpec, PolicingRule, PolicingSpec, SizeLaw,
    SourceSpec, VcSpec, Wire,
};
use hopflow_testing::with_strict_envelopes;
use hopflow_units::{Bytes, Picos, Rate};

use super::random::random_network;
use crate::bounds::contract::{Bucket, Contract, contract};

/// When the first `count` packets are sent, with their bits, and how long each was held.
fn sent(vc: &VcSpec, first: Rate, seed: u64, count: usize) -> Vec<(u64, f64, u64)> {
    let wire = Wire { rate: first, overhead: Bytes(0) };
    let mut source = Source::new(vc, wire, seed);
    let mut packets = Vec::new();
    while let Some(due) = source.due()
        && packets.len() < count
    {
        let made = source.made();
        if made.fate == Fate::Sent {
            packets.push((due.0, f64::from(made.bytes) * 8.0, due.since(made.birth).0));
        }
        source.advance();
    }
    packets
}

/// Checks every span from one packet to another, and every wait in the shaper.
fn check(contract: &Contract, packets: &[(u64, f64, u64)], what: &str) {
    for (index, (from, _, held)) in packets.iter().enumerate() {
        // A picosecond for floating-point numbers: the bound of a path has one more, too.
        assert!(*held as f64 <= contract.shaping + 1.0, "{what}: held for {held} ps: {contract:?}");
        let mut bits = 0.0;
        for (to, more, _) in &packets[index..] {
            bits += more;
            for bucket in &contract.buckets {
                let most = bucket.sigma + bucket.rho * (to - from) as f64;
                assert!(bits <= most * (1.0 + 1e-12), "{what}: {bits} bits, {from} to {to} ps");
            }
        }
    }
}

/// Claim, Eq. (1) of `contract.rs`: every source of the random networks keeps every one of its
/// buckets in every span, and no shaper holds a packet for longer than computed.
#[test]
fn sources_keep_their_buckets() {
    let network = |seed| random_network(seed, &[SchedulerSpec::Fifo]);
    let (kept, held) = kept((0..400).map(network));
    assert!(kept > 3_000 && held > 3_000, "{kept} buckets, {held} packets held");
}

/// Claim: the same where strict envelopes hold the sources back.
#[test]
fn sources_in_strict_envelopes_keep_their_buckets() {
    let network = |seed| with_strict_envelopes(random_network(seed, &[SchedulerSpec::Fifo]), seed);
    let (kept, held) = kept((0..200).map(network));
    assert!(kept > 1_000 && held > 500, "{kept} buckets, {held} packets held");
}

/// Checks the sources of these networks: how many buckets were kept, how many packets held.
fn kept(networks: impl Iterator<Item = NetworkSpec>) -> (usize, usize) {
    let (mut kept, mut held) = (0, 0);
    for (seed, network) in networks.enumerate() {
        for vc in &network.vcs {
            let first = network.direction(vc.hops[0].direction_id()).rate;
            let packets = sent(vc, first, network.seed, 120);
            let span = packets.last().map_or(1, |packet| packet.0.max(1));
            let contract = contract(vc, first, span as f64);
            check(&contract, &packets, &format!("seed {seed}, {}", vc.name));
            kept += contract.buckets.len();
            held += packets.iter().filter(|packet| packet.2 > 0).count();
        }
    }
    (kept, held)
}

/// A greedy source of packets of 1,000 bits that the envelope of AIR = 10, AI = 1 us and 100 ns on
/// the average holds back: 50 ns apart at least.
fn held_back() -> VcSpec {
    let times = vec![Picos::ZERO; 500];
    let mut vc = VcSpec::new("a", Vec::new(), SourceSpec::Replay { times });
    vc.traffic.size = SizeLaw::Fixed(Bytes(125));
    vc.traffic.envelope = Some(EnvelopeSpec {
        packets: 10,
        interval: Picos(1_000_000),
        rule: EnvelopeRule::Gaps { least_gap: Picos(50_000), average_gap: Picos(100_000) },
    });
    vc
}

/// Claim: the envelope of [Zhang90] lets 11 packets through in 1.05 us again and again, not 10 in
/// 1 us, and 1 + 10 (1 - 50 x 11 / 1050) = 5.76 at once on top: a bucket that is kept, and of
/// which nearly all is used.
#[test]
fn the_envelope_is_a_bucket() {
    let first = Rate::from_bps(1_000_000_000_000).expect("above zero");
    let packets = sent(&held_back(), first, 1, 500);
    let contract = contract(&held_back(), first, packets.last().expect("packets").0 as f64);
    check(&contract, &packets, "held back");
    let rho = 11_000.0 / 1_050_000.0;
    let mean = contract.buckets.iter().find(|bucket| (bucket.rho / rho - 1.0).abs() < 1e-9);
    let mean = mean.expect("it has the bucket of the mean");
    assert!((mean.sigma - 1_000.0 * (1.0 + 10.0 - 500.0 * 11.0 / 1_050.0)).abs() < 1e-6);
    let bits = |from: usize, to: usize| {
        1_000.0 * (to - from + 1) as f64 - rho * (packets[to].0 - packets[from].0) as f64
    };
    let most = (0..300).map(|to| bits(0, to)).fold(0.0, f64::max);
    assert!(most > 0.9 * mean.sigma, "{most} of {}", mean.sigma);
}

/// Claim: a strict envelope is a bucket of AIR packets at AIR per AI, which is kept, and filled to
/// the brim by a source that sends AIR packets at once.
#[test]
fn a_strict_envelope_is_a_bucket_of_air_packets() {
    let first = Rate::from_bps(1_000_000_000_000).expect("above zero");
    let mut strict = held_back();
    let envelope =
        EnvelopeSpec { packets: 10, interval: Picos(1_000_000), rule: EnvelopeRule::Strict };
    strict.traffic.envelope = Some(envelope);
    let packets = sent(&strict, first, 1, 500);
    let contract = contract(&strict, first, 1e12);
    check(&contract, &packets, "strict");
    let of_envelope = Bucket { sigma: 10_000.0, rho: 10_000.0 / 1_000_000.0 };
    assert!(contract.buckets.contains(&of_envelope), "{contract:?}");
    assert_eq!(packets.iter().filter(|packet| packet.0 == packets[0].0).count(), 10);
}

/// Claim: a rule that lets a packet through at any time is no bucket.
#[test]
fn a_period_of_no_time_is_no_bucket() {
    let first = Rate::from_bps(1_000_000).expect("above zero");
    let mut vc = VcSpec::new("a", Vec::new(), SourceSpec::Poisson { gap: Picos(1_000) });
    let rule = PolicingRule::Gcra { increment: Picos::ZERO, limit: Picos(5) };
    vc.traffic.policing = Some(PolicingSpec { rule, excess: Excess::Discarded });
    let contract = contract(&vc, first, 1e12);
    assert!(contract.buckets.is_empty(), "{contract:?}");
}
