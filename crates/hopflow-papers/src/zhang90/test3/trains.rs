//! Test-Three with longer trains of the misbehaving flows: bands over their mean length.
//!
//! [Zhang90] states the trains of flows that behave and not of those that do not. Longer trains
//! make the two overloaded queues of a switch stray further from half of its 100 packets each.
//! Differs: lengths other than that of the normal flows, 2 packets, have two seeds.

use hopflow_record::Estimate;

use super::super::measure::{link, lost, over};
use super::super::network::LINK_12;
use super::{FILE, misbehaving};
use crate::{Exhibit, Measured, Run, Runs, ScenarioText};

/// Mean lengths in packets; the first is that of the normal flows.
const LENGTHS: [u32; 5] = [2, 5, 10, 14, 20];
const SEEDS: u32 = 10;
const DEAF: &str = "misbehaves = 5";

fn file(length: u32) -> String {
    if length == LENGTHS[0] { FILE.to_owned() } else { format!("test3-trains-{length}.toml") }
}

/// Every length but that of the normal flows, and its scenario.
pub(super) fn files() -> impl Iterator<Item = (u32, String)> {
    LENGTHS[1..].iter().map(|length| (*length, file(*length)))
}

fn train(length: u32) -> String {
    format!("source = {{ kind = \"train\", rate = \"10 packets/s\", length = {length} }}")
}

/// The scenario at every length but the first, which the experiment has.
pub(super) fn scenarios(base: &ScenarioText) -> Vec<ScenarioText> {
    let of = |length: &u32| {
        let edit = format!("{DEAF}\n{}", train(*length));
        base.variant(file(*length), &[(DEAF, &edit)]).with_seeds(SEEDS)
    };
    LENGTHS[1..].iter().map(of).collect()
}

/// The queue of Link 12 from switch 2, and half of what is lost, at every length.
pub(super) fn claims(measured: &mut Measured, runs: &Runs) {
    for (column, (name, _)) in COLUMNS.iter().enumerate().filter(|(_, column)| !column.0.is_empty())
    {
        let of = |length: &u32| (format!("{length} packets"), numbers(runs, *length)[column]);
        measured.band(format!("trains.{name}"), LENGTHS.iter().map(of).collect());
    }
    measured.exhibits.push(exhibit(runs));
}

/// The name in claims, empty where there is none, and the heading.
const COLUMNS: [(&str, &str); 7] = [
    ("queue_mean", "mean"),
    ("queue_deviation", "deviation"),
    ("queue_p99", "p99"),
    ("", "S3->S2 mean"),
    ("", "deviation"),
    ("", "p99"),
    ("lost_half", "half of the lost"),
];

fn numbers(runs: &Runs, length: u32) -> Vec<Estimate> {
    let runs = runs.all(&file(length));
    let mut numbers = Vec::new();
    for name in LINK_12 {
        let all = |of: fn(&Run, &str) -> f64| over(runs, |run| of(run, name));
        numbers.push(all(|run, name| link(run, name).over_time.mean_packets));
        numbers.push(all(|run, name| link(run, name).over_time.deviation_packets));
        numbers.push(all(|run, name| f64::from(link(run, name).over_time.p99_packets)));
    }
    numbers.push(over(runs, |run| lost(run, &misbehaving(run)) / 2.0));
    numbers
}

fn exhibit(runs: &Runs) -> Exhibit {
    let means = |length| numbers(runs, length).iter().map(|one| one.mean).collect();
    let row = |length: u32| (format!("{length} packets"), means(length));
    let paper = vec![47.4, 7.65, 65.0, f64::NAN, f64::NAN, f64::NAN, 47_106.0];
    let rows = LENGTHS.into_iter().map(row);
    Exhibit::new("Test-Three: trains of the misbehaving flows")
        .note(
            "Queue of Link 12 from switch 2, then from switch 3, over time. The paper gives \
             neither the length of these trains nor the row of switch 3. Half of the lost: of both \
             directions between switches; no sentence of the paper says half.",
        )
        .columns("mean train", COLUMNS.map(|(_, heading)| (heading, "packets")))
        .rows(std::iter::once(("paper".to_owned(), paper)).chain(rows))
}

#[cfg(test)]
mod tests {
    use super::super::test_three;
    use super::*;

    /// Claim: only the ten flows that misbehave get longer trains; the others keep theirs.
    #[test]
    fn trains_are_those_of_the_deaf_flows() {
        let base = test_three();
        for (scenario, length) in scenarios(&base).iter().zip(&LENGTHS[1..]) {
            let longer = format!("misbehaves = 5\n{}", train(*length));
            assert_eq!(scenario.text.matches(&longer).count(), 10, "{}", scenario.file);
            assert_eq!(scenario.text.matches("length = 2 }").count(), 1, "the default");
        }
    }
}
