//! Claims about time-outs.

use proptest::prelude::*;

use super::super::round_trip::RoundTrips;
use super::*;

fn timeouts(trips: &RoundTrips) -> [u64; 2] {
    [trips.timeout(Procedure::Lookup), trips.timeout(Procedure::Read)]
}

/// Claim [NFS93] (by hand): with a first time-out of 25 ticks, 8 A = 200 and 4 D = 0: T = ((203/4 =
/// 50) + 0 + 1)/2 = 25 and (207/8 = 25) + 0 + 1 = 26. A reply within the tick measures 1: the
/// error is 1 - 25 = -24, 8 A = 176, 4 D = 24: T = (44 + 24 + 1)/2 = 34 and 22 + 24 + 1 = 47. The
/// next: error 1 - 22 = -21, 8 A = 155, 4 D = 24 + 21 - 6 = 39: T = (39 + 39 + 1)/2 = 39 and
/// 20 + 39 + 1 = 60.
#[test]
fn first_measurements_widen_the_time_out() {
    let mut trips = RoundTrips::new(25);
    assert_eq!(timeouts(&trips), [25, 26]);
    for expected in [[34, 47], [39, 60]] {
        trips.answered(Procedure::Lookup, Some(0));
        trips.answered(Procedure::Read, Some(0));
        assert_eq!(timeouts(&trips), expected);
    }
}

/// Claim [NFS93]: on a fast network the time-outs settle at 4 and 6 ticks: 8 A falls until 8 A / 8
/// is 1, that is to 15, and 4 D until 4 D / 4 is 0, that is to 3; T = ((18/4 = 4) + 3 + 1) / 2 = 4
/// and (22/8 = 2) + 3 + 1 = 6.
#[test]
fn time_outs_come_to_rest_on_a_fast_network() {
    let mut trips = RoundTrips::new(25);
    for _ in 0..200 {
        trips.answered(Procedure::Lookup, Some(0));
        trips.answered(Procedure::Read, Some(0));
    }
    assert_eq!(timeouts(&trips), [4, 6]);
    // Each procedure is measured separately.
    assert_eq!(trips.timeout(Procedure::GetAttributes), 25);
}

/// Claim [NFS93]: each time-out doubles the next, for all calls together, up to 2^8; a reply ends
/// that, even one that measures nothing.
#[test]
fn time_outs_double_until_a_reply_comes() {
    let mut trips = RoundTrips::new(25);
    for doublings in 1..12 {
        trips.timed_out();
        let factor = 1 << doublings.min(8);
        assert_eq!(timeouts(&trips), [25 * factor, 26 * factor]);
    }
    trips.answered(Procedure::Write, None);
    assert_eq!(timeouts(&trips), [25, 26]);
}

proptest! {
    /// Claim: whole numbers follow Eqs. (2) to (4) in real numbers: they lose less than one unit of
    /// 8 A and of 4 D per step, which the gains amplify to at most 1 tick of A and 2 of D: T is
    /// within 2 + 4 x 2 = 10 ticks of it.
    #[test]
    fn whole_numbers_follow_the_law(ticks in prop::collection::vec(0_u64..60, 1..200)) {
        let mut trips = RoundTrips::new(25);
        let (mut mean, mut deviation) = (25.0_f64, 0.0_f64);
        for ticks in ticks {
            trips.answered(Procedure::Lookup, Some(ticks));
            trips.answered(Procedure::Read, Some(ticks));
            let error = ticks as f64 + 1.0 - mean;
            mean += error / 8.0;
            deviation += (error.abs() - deviation) / 4.0;
            let [short, long] = timeouts(&trips).map(|ticks| ticks as f64);
            prop_assert!((short - (mean + 2.0 * deviation)).abs() < 6.0);
            prop_assert!((long - (mean + 4.0 * deviation)).abs() < 10.0);
        }
    }
}
