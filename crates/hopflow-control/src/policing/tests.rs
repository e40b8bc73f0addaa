//! Claims about policing.

use hopflow_units::{Picos, Rate};
use proptest::prelude::*;

use super::*;

const PACKET: Bytes = Bytes(125);
/// The transmit time of a packet at 1 Mb/s.
const MS: u64 = 1_000_000_000;

fn megabit() -> Rate {
    Rate::from_bps(1_000_000).expect("not zero")
}

/// When each packet would pass if held until it conforms.
fn shaped(mut policer: Policer, births: &[(u64, Bytes)]) -> Vec<u64> {
    let mut last = SimTime::ZERO;
    let release = |(birth, size): &(u64, Bytes)| {
        last = policer.earliest(*size, last.max(SimTime(*birth)));
        policer.pass(*size, last);
        last.0
    };
    births.iter().map(release).collect()
}

/// Which packets conform if the others are dropped.
fn policed(mut policer: Policer, births: &[(u64, Bytes)]) -> Vec<bool> {
    let conforms = |(birth, size): &(u64, Bytes)| {
        let now = SimTime(*birth);
        let conforms = policer.earliest(*size, now) == now;
        if conforms {
            policer.pass(*size, now);
        }
        conforms
    };
    births.iter().map(conforms).collect()
}

/// Claim: bucket A passes the n-th packet of a burst after n periods; a packet that arrives later
/// passes at once.
#[test]
fn bucket_a_lets_one_packet_out_per_period() {
    let bucket = Policer::LeakyBucket(LeakyBucket::new(Picos(7)));
    let births = [0, 0, 0, 10, 100, 101].map(|birth| (birth, PACKET));
    assert_eq!(shaped(bucket, &births), [0, 7, 14, 21, 100, 107]);
}

/// Claim: 1 Mb/s with a depth of three packets passes three at once, then one per millisecond;
/// after two idle milliseconds two more at once.
#[test]
fn tokens_are_saved_up_to_the_depth() {
    let bucket = TokenBucket::new(megabit(), Bytes(375), PACKET);
    let births = [0, 0, 0, 0, 0, 4 * MS, 4 * MS, 4 * MS].map(|birth| (birth, PACKET));
    let leaves = [0, 0, 0, MS, 2 * MS, 4 * MS, 4 * MS, 5 * MS];
    assert_eq!(shaped(Policer::TokenBucket(bucket), &births), leaves);
    let kept = [true, true, true, false, false, true, true, true];
    assert_eq!(policed(Policer::TokenBucket(bucket), &births), kept);
}

/// Claim: a packet one picosecond too early does not conform; one in time does.
#[test]
fn gcra_takes_packets_up_to_its_limit_early() {
    let gcra = Policer::Gcra(Gcra::new(Picos(10), Picos(4)));
    let births = [0, 5, 6, 15, 16, 100].map(|birth| (birth, PACKET));
    assert_eq!(policed(gcra, &births), [true, false, true, false, true, true]);
}

/// The continuous-state leaky bucket of [I.371]: it drains by one per picosecond, a packet adds T.
fn by_leaky_bucket(increment: u64, limit: u64, births: &[u64]) -> Vec<bool> {
    let (mut level, mut last) = (0_u64, 0);
    let mut out = Vec::new();
    for &birth in births {
        let drained = level.saturating_sub(birth - last);
        let conforms = drained <= limit;
        if conforms {
            (level, last) = (drained + increment, birth);
        }
        out.push(conforms);
    }
    out
}

proptest! {
    /// Claim [I.371]: both forms of the GCRA accept and refuse the same packets.
    #[test]
    fn both_forms_of_the_gcra_agree(
        increment in 1_u64..50,
        limit in 0_u64..200,
        gaps in prop::collection::vec(0_u64..80, 1..200),
    ) {
        let births: Vec<u64> =
            gaps.iter().scan(0, |now, gap| { *now += gap; Some(*now) }).collect();
        let packets: Vec<(u64, Bytes)> = births.iter().map(|birth| (*birth, PACKET)).collect();
        let gcra = Policer::Gcra(Gcra::new(Picos(increment), Picos(limit)));
        prop_assert_eq!(policed(gcra, &packets), by_leaky_bucket(increment, limit, &births));
    }

    /// Claim: the output of a token bucket stays within sigma + r w in every window, exactly; and a
    /// shaper delays no packet longer than the contract requires (one picosecond earlier would
    /// violate it in some window).
    #[test]
    fn a_token_bucket_keeps_its_contract(
        bps in 1_u64..2_000_000_000,
        depth in 1_500_u64..9_000,
        packets in prop::collection::vec((0_u64..40_000_000, 1_u64..1_500), 1..60),
    ) {
        let rate = Rate::from_bps(bps).expect("not zero");
        let mut now = 0;
        let births: Vec<(u64, Bytes)> =
            packets.iter().map(|(gap, size)| { now += gap; (now, Bytes(*size)) }).collect();
        let bucket = TokenBucket::new(rate, Bytes(depth), Bytes(1_500));
        let leaves = shaped(Policer::TokenBucket(bucket), &births);
        let keeps = |from: usize, to: usize, end: u64| {
            let bits: u64 = births[from..=to].iter().map(|(_, size)| size.bits()).sum();
            let span = u128::from(end - leaves[from]);
            let allowed = scaled(depth) + u128::from(bps) * span;
            u128::from(bits) * u128::from(Picos::PER_SECOND) <= allowed
        };
        for to in 0..leaves.len() {
            prop_assert!((0..=to).all(|from| keeps(from, to, leaves[to])));
            let before = if to == 0 { 0 } else { leaves[to - 1] };
            if leaves[to] > births[to].0.max(before) {
                prop_assert!((0..to).any(|from| !keeps(from, to, leaves[to] - 1)));
            }
        }
    }
}

fn scaled(bytes: u64) -> u128 {
    u128::from(bytes * 8) * u128::from(Picos::PER_SECOND)
}

/// Claim: a packet whose tokens arrive after the end of time never passes: at 1 b/s, with a depth
/// of one packet of 1 MiB, the second waits 97 days, the third 194, the fourth more than the 213
/// days of the range of time.
#[test]
fn tokens_that_come_too_late_never_come() {
    let mib = Bytes(1 << 20);
    let bucket = TokenBucket::new(Rate::from_bps(1).expect("not zero"), mib, mib);
    let leaves = shaped(Policer::TokenBucket(bucket), &[(0, mib); 5]);
    let days_97 = mib.bits() * 1_000_000_000_000;
    assert_eq!(leaves, [0, days_97, 2 * days_97, u64::MAX, u64::MAX]);
}
