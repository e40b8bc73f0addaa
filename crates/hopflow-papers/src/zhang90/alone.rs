//! Footnote 9 read another way: each pattern in a network of its own, at the same load.
//!
//! ```text
//! constant:  N flows of one period; a packet waits for about one packet of each other flow on
//!            its link at most, (N - 1) s, whatever the load                                (1)
//! others:    waiting grows as 1 / (1 - load)                                               (2)
//! ```
//! So here, too, the ratio of waits must grow with the load in the end. Test-One's flows without an
//! envelope; the trains are those of `burstiness.rs` with burstiness 2.
//! Source: [Zhang90] 3.2.4, footnote 9.

use super::burstiness::{self, RATES, curve_of};
use super::network::{SOURCE, test_one, unbounded};
use crate::{Chart, ChartLine, Measured, Runs, ScenarioText};

const SOURCES: [(&str, &str); 2] = [
    ("constant", "source = { kind = \"constant\", rate = \"10 packets/s\", phase = \"random\" }"),
    ("poisson", "source = { kind = \"poisson\", rate = \"10 packets/s\" }"),
];

fn file(pattern: &str, rate: &str) -> String {
    if pattern == "train" {
        burstiness::file(2, rate)
    } else {
        format!("pattern-{pattern}-alone-{rate}.toml")
    }
}

/// Constant and Poisson flows alone, at every rate.
pub(super) fn scenarios() -> Vec<ScenarioText> {
    let base = test_one().with_seeds(burstiness::SEEDS);
    let of = |(pattern, source): (&'static str, &'static str)| {
        let base = base.variant("", &[(SOURCE, source)]);
        RATES.map(move |rate| unbounded(&base, file(pattern, rate), rate))
    };
    SOURCES.into_iter().flat_map(of).collect()
}

/// The claims `pattern.load.alone.*`.
pub(super) fn measure(measured: &mut Measured, runs: &Runs) {
    let [constant, poisson, train] = ["constant", "poisson", "train"].map(|pattern| {
        let points = curve_of(runs, |rate| file(pattern, rate));
        ChartLine::straight(pattern, points)
    });
    let last = RATES.len() - 1;
    let mut claim = |id: &str, value: f64| {
        measured.claim(format!("load.alone.{id}"), value);
    };
    for (name, line) in [("poisson", &poisson), ("train", &train)] {
        let ratio = |index: usize| line.points[index].1 / constant.points[index].1;
        claim(&format!("{name}_ratio"), ratio(last - 1));
        claim(&format!("{name}_ratio_change"), ratio(last) / ratio(last - 1));
    }
    measured.charts.push(
        Chart::new("zhang90-pattern-alone", "Footnote 9: each pattern in a network of its own")
            .caption("Test-One's flows under VirtualClock, without an envelope.")
            .axes("utilization of Link 12", "mean waiting of all packets (ms)")
            .lines([constant, poisson, train]),
    );
}
