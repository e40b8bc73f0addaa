//! Section 5: AI as a knob between TDM and a datagram network.
//!
//! ```text
//! 1 / AR  <  AI  <  flow duration                                                        (1)
//! ```
//! Test-One with the AI of all flows, and of their envelopes, from one packet (AI = 1 / AR) to the
//! whole run. At the left end a source may hardly vary: it comes near sources of constant rate,
//! which is TDM traffic. At the right end the ring of send times is never full, and the source
//! does what it does without an envelope, packet for packet.
//! Source: [Zhang90] 5. Differs: with AIR = 1 the envelope of Appendix A still lets a packet follow
//! after half the average gap if the one before it came late.

use hopflow_units::{Picos, SimTime};

use super::measure::{LinkSeen, everyone, link_12, over, waiting};
use super::metered::{Lone, gap, train};
use super::network::{ENVELOPE, INTERVAL, SOURCE, test_one};
use crate::{Chart, ChartLine, Experiment, Measured, Run, Runs, ScenarioText};

const SEEDS: u32 = 4;
/// AIR as powers of two: 1 packet to 4,096, more than a flow sends in the run. AI at 10 packets/s.
const DOUBLINGS: [u32; 9] = [0, 1, 2, 3, 4, 6, 8, 10, 12];
const GAP_MS: u32 = 100;
const HOUR: SimTime = SimTime(3_600 * Picos::PER_SECOND);
const TDM: &str = "sec5-constant.toml";
const DATAGRAM: &str = "sec5-no-envelope.toml";
/// The same two at the utilization of the left end.
const TDM_LEFT: &str = "sec5-constant-8.9.toml";
const DATAGRAM_LEFT: &str = "sec5-no-envelope-8.9.toml";
const LEFT: (&str, &str) = ("\"10 packets/s\"", "\"8.9 packets/s\"");

/// Section 5.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["zhang90.sec5"], scenarios, measure);

fn file(doublings: u32) -> String {
    format!("sec5-air{}.toml", 1_u32 << doublings)
}

fn scenarios() -> Vec<ScenarioText> {
    let base = test_one().with_seeds(SEEDS);
    let base = base.variant("sec5.toml", &[("\"620 s\"", "\"320 s\"")]);
    let knob = DOUBLINGS.map(|doublings| {
        let interval = format!("interval = \"{} ms\"", GAP_MS << doublings);
        base.variant(file(doublings), &[(INTERVAL, &interval)])
    });
    let constant = "source = { kind = \"constant\", rate = \"10 packets/s\", phase = \"random\" }";
    let tdm = base.variant(TDM, &[(SOURCE, constant)]);
    let datagram = base.variant(DATAGRAM, &[(ENVELOPE, "envelope = false")]);
    let left = [tdm.variant(TDM_LEFT, &[LEFT]), datagram.variant(DATAGRAM_LEFT, &[LEFT])];
    knob.into_iter().chain([tdm, datagram]).chain(left).collect()
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("zhang90.sec5");
    let points = DOUBLINGS.map(|doublings| seen(runs.all(&file(doublings))));
    let (tdm, datagram) = (seen(runs.all(TDM)), seen(runs.all(DATAGRAM)));
    let rises = |value: fn(&Seen) -> f64| {
        points.windows(2).filter(|pair| value(&pair[0]) < value(&pair[1])).count() as f64
    };
    let steps = (DOUBLINGS.len() - 1) as f64;
    measured.claim("utilization_steps_not_up", steps - rises(|seen| seen.busy));
    measured.claim("wait_steps_not_up", steps - rises(|seen| seen.wait));
    measured.claim("deviation_steps_not_up", steps - rises(|seen| seen.deviation));
    let (left, right) = (points[0], points[points.len() - 1]);
    let [tdm_left, datagram_left] = [TDM_LEFT, DATAGRAM_LEFT].map(|file| seen(runs.all(file)));
    measured.claim("left.utilization", left.busy);
    measured.claim("left.utilization_off", (left.busy / tdm_left.busy - 1.0).abs());
    measured.claim("left.wait_over_constant", left.wait / tdm_left.wait);
    measured.claim("left.wait_over_datagram", left.wait / datagram_left.wait);
    measured.claim("left.deviation_over_constant", left.deviation / tdm_left.deviation);
    measured.claim("right.utilization_less_datagram", right.busy - datagram.busy);
    measured.claim("right.wait_less_datagram", right.wait - datagram.wait);
    measured.claim("left.gap_variation", gap_variation(Some(1)));
    measured.claim("right.gap_variation", gap_variation(None));
    measured.charts = charts(&points, tdm, datagram);
    measured
}

/// Standard deviation over mean of the gaps between packets at the source, of 20 flows for an
/// hour, with an envelope of `air` packets or without one.
fn gap_variation(air: Option<u64>) -> f64 {
    let source = train(10, 2.0, 2.0);
    let interval = Picos(gap(10).0 * air.unwrap_or(1));
    let lone = Lone { per_second: 10, interval, source, envelope: air.is_some() };
    let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for seed in 1..=20 {
        let births: Vec<SimTime> = lone.births("flow", seed, HOUR).collect();
        for pair in births.windows(2) {
            let gap = pair[1].since(pair[0]).as_secs_f64();
            (count, sum, squares) = (count + 1.0, sum + gap, squares + gap * gap);
        }
    }
    let mean = sum / count;
    (squares / count - mean * mean).sqrt() / mean
}

/// One place of the knob: mean over both directions of Link 12, all packets, and the seeds.
#[derive(Clone, Copy)]
struct Seen {
    /// Utilization.
    busy: f64,
    /// Mean waiting in ms.
    wait: f64,
    /// Standard deviation of the queue over time, in packets.
    deviation: f64,
}

fn seen(runs: &[Run]) -> Seen {
    let both = |value: fn(&LinkSeen) -> f64| over(runs, |run| link_12(run, value)).mean;
    Seen {
        busy: both(|link| link.busy),
        wait: over(runs, |run| waiting(run, &everyone(run)).mean_ms).mean,
        deviation: both(|link| link.over_time.deviation_packets),
    }
}

fn charts(points: &[Seen], tdm: Seen, datagram: Seen) -> Vec<Chart> {
    let chart = |id: &str, y: &str, value: fn(Seen) -> f64| {
        let point = |(doublings, seen): (&u32, &Seen)| (f64::from(*doublings), value(*seen));
        let curve = DOUBLINGS.iter().zip(points).map(point);
        let level = |name: &str, seen: Seen| {
            ChartLine::straight(name, [(0.0, value(seen)), (12.0, value(seen))])
        };
        Chart::new(format!("zhang90-sec5-{id}"), format!("Section 5: {id} by AI"))
            .caption(
                "Test-One, AI from 1 / AR to the whole run. At the right end it is the traffic \
                 without an envelope, packet for packet.",
            )
            .axes("AIR (doublings of one packet)", y)
            .lines([
                ChartLine::straight("envelope", curve),
                level("constant rate", tdm),
                level("no envelope", datagram),
            ])
    };
    vec![
        chart("utilization", "utilization of Link 12", |seen| seen.busy),
        chart("waiting", "mean waiting of all packets (ms)", |seen| seen.wait),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopflow_network::SourceSpec;

    /// Claim, by hand from Appendix A, for a source that always has more to send (average gap
    /// 100 ms): with AIR = 1 its gaps are 50, 100 ms in turn, with AIR = 2 they are 50, 100, 100.
    #[test]
    fn the_envelope_is_tightest_at_two_packets() {
        for (air, gaps_ms) in [(1, vec![50, 100]), (2, vec![50, 100, 100])] {
            let source = SourceSpec::Constant { rate: super::super::metered::rate(1_000) };
            let interval = Picos(gap(10).0 * air);
            let lone = Lone { per_second: 10, interval, source, envelope: true };
            let births: Vec<SimTime> = lone.births("greedy", 1, HOUR).skip(10).take(61).collect();
            let gaps = births.windows(2).map(|pair| pair[1].since(pair[0]).0 / 1_000_000_000);
            let mut gaps: Vec<u64> = gaps.collect();
            let first = gaps.iter().position(|gap| *gap == 50).expect("a short gap comes");
            gaps.rotate_left(first);
            assert!(gaps.chunks(gaps_ms.len()).all(|cycle| cycle == gaps_ms), "{gaps:?}");
        }
    }
}
