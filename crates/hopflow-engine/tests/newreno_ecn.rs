//! NewReno with ECN behind a port that marks above K packets: the sawtooth of a halved window.
//!
//! One flow, C the link in packets per second, T the round trip without queues. The queue passes K
//! with a window of C T + K packets; its mark comes back a round trip later, one packet more:
//! ```text
//! Wm = C T + K + 1                           the window that is halved                      (1)
//! P = Wm/2 + (Wm/2 + 1) + .. + Wm = 3 Wm (Wm + 2) / 8     packets from cut to cut           (2)
//! alpha = Wm / P                             marked: all of one window                      (3)
//! D = C T - Wm/2                             packets missing after the cut, if above 0      (4)
//! I = D + D + (D - 1) + .. + 1 = D (D + 3) / 2            packet times that the link idles  (5)
//! busy = P / (P + I),  Qmax = K + 1,  Qmin = -D or 0                                        (6)
//! ```
//! In (5), D packet times pass while the sender is silent, and in each round trip that follows as
//! many as its window is short of C T. So the link is always busy if K > C T.
//!
//! At 10 Gb/s, 100 us, 1,500 bytes, C T = 83.3 packets:
//!
//! | K | Wm | P | alpha | D | I | busy |
//! |---|---|---|---|---|---|---|
//! | 12 | 96.3 | 3,552 | 0.0271 | 35.2 | 671 | 0.841 |
//! | 40 | 124.3 | 5,888 | 0.0211 | 21.2 | 256 | 0.958 |
//! | 90 | 174.3 | 11,524 | 0.0151 | -3.8 | 0 | 1 |

mod bottleneck;

use bottleneck::{TEN, bottleneck, seen};
use hopflow_control::marking::{Length, MarkingRule, MarkingSpec, Moment};
use hopflow_network::NetworkSpec;
use hopflow_network::transport::tcp::TcpVariant;
use hopflow_testing::above;

/// Flows through a port that marks above this length.
fn marking(flows: usize, threshold: Length, moment: Moment) -> NetworkSpec {
    let mut spec = bottleneck(TEN, flows, TcpVariant::NewRenoEcn);
    let marking = MarkingSpec { rule: MarkingRule::External(0), moment };
    spec.links[0].directions[0].marking = Some(marking);
    spec.machines = vec![above(threshold)].into();
    spec
}

/// 200 ms of flows that are marked above K packets, after 20 ms: 35 cycles of 5,888 packets.
fn saw(flows: usize, threshold: u32) -> bottleneck::Seen {
    seen(&marking(flows, Length::Packets(threshold), Moment::Arrival), [20_000, 200_000])
}

/// Claim, Eq. (1) to (6): the link is busy for 0.841, 0.958 and all of the time with K = 12, 40 and
/// 90. A window that is one packet longer or shorter changes I / P by 5 %, so (1 - busy) too: 0.01
/// of 0.159, 0.003 of 0.042; an incomplete cycle of 35 adds at most 0.003.
#[test]
fn the_link_is_busy_as_the_formula_says() {
    for (threshold, busy, error) in [(12, 0.841, 0.013), (40, 0.958, 0.006), (90, 1.0, 0.001)] {
        let seen = saw(1, threshold);
        assert!((seen.busy - busy).abs() <= error, "{threshold}: {seen:?}");
        assert_eq!(seen.timeouts, 0, "{threshold}: {seen:?}");
    }
}

/// Claim, Eq. (3) and (6): one window in P is marked, within 10 %; the longest queue is K + 1, the
/// shortest 3.8 with K = 90 and none with less than C T; each within 1.
#[test]
fn the_queue_saws_as_the_formula_says() {
    for (threshold, alpha, shortest) in [(12, 0.0271, 0), (40, 0.0211, 0), (90, 0.0151, 4)] {
        let seen = saw(1, threshold);
        let longest = threshold as usize + 1;
        assert!((seen.alpha / alpha - 1.0).abs() < 0.1, "{threshold}: {seen:?}");
        assert!(seen.queue.2.abs_diff(longest) <= 1, "{threshold}: {seen:?}");
        assert!(seen.queue.0.abs_diff(shortest) <= 1, "{threshold}: {seen:?}");
    }
}

/// Claim: N flows grow by at most N packets in the round trip from a mark to its echo, so the queue
/// never goes beyond K + N + 1.
#[test]
fn the_queue_of_ten_flows_ends_above_the_threshold() {
    let seen = saw(10, 40);
    assert!((41..=51).contains(&seen.queue.2), "{seen:?}");
}

/// Claim: both engines have equal counters, with cells of AAL5 or packets, delayed
/// acknowledgements, a threshold in bytes or packets, marks at arrival or departure.
#[test]
fn both_engines_agree() {
    for (threshold, moment) in
        [(Length::Packets(5), Moment::Arrival), (Length::Bytes(9_000), Moment::Departure)]
    {
        for is_framed in [false, true] {
            let spec = marking(3, threshold, moment);
            let marked = bottleneck::marked_in_both(spec, is_framed, 10_000);
            assert!(marked > 20, "{marked} of {threshold:?} {moment:?} {is_framed}");
        }
    }
}
