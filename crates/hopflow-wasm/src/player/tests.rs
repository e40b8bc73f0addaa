//! A film shows every event once, whether in one part or in several.

use std::collections::BTreeMap;

use hopflow::units::SimTime;
use hopflow::{RunOptions, Scenario};
use hopflow_testing::random_network;
use proptest::prelude::*;

use super::*;

/// A film of the whole run in parts that end at shares (thousandths) of it.
fn film(scenario: &Scenario, shares: &[u64]) -> Vec<Columns> {
    let mut player = Player::new(scenario).expect("it runs");
    let end = player.end().0;
    let at = |share: u64| SimTime((u128::from(end) * u128::from(share) / 1000) as u64);
    let mut parts = Vec::new();
    let mut from = SimTime::ZERO;
    for share in shares.iter().copied().chain([1000]) {
        let until = at(share).max(from);
        parts.push(player.film(from, until).clone());
        assert!(player.known() >= until);
        // Known parts are not requested again.
        from = player.known();
    }
    parts
}

/// All flights, by direction and start.
fn flights(parts: &[Columns]) -> Vec<(u32, u64, u64, u32, u8, u8)> {
    let mut all: Vec<_> = parts
        .iter()
        .flat_map(|part| {
            (0..part.start.len()).map(|k| {
                let times = (part.start[k] as u64, part.end[k] as u64);
                (part.direction[k], times.0, times.1, part.vc[k], part.kind[k], part.fate[k])
            })
        })
        .collect();
    all.sort_unstable();
    all
}

/// The states at the end.
fn last(parts: &[Columns]) -> BTreeMap<Key, u64> {
    let mut last = BTreeMap::new();
    for part in parts {
        for k in 0..part.time.len() {
            last.insert((part.what[k], part.place[k], part.whose[k]), part.value[k] as u64);
        }
    }
    last
}

fn scenario_of(seed: u64) -> Scenario {
    let text = include_str!("../../../../examples/one-vc.toml");
    let mut scenario = Scenario::from_toml(text, "one-vc.toml").expect("an example is right");
    scenario.network = random_network(seed);
    scenario.warm_up = hopflow::units::Picos::ZERO;
    scenario.phased.clear();
    scenario
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    /// Claim: there is one flight for each packet and control cell that started, on its link in the
    /// order of starts; a film in parts has the same flights and, at the end, the same states as a
    /// film in one piece.
    #[test]
    fn a_film_shows_everything_once(
        seed in any::<u64>(),
        mut shares in prop::collection::vec(0_u64..1000, 0..6),
    ) {
        shares.sort_unstable();
        let scenario = scenario_of(seed);
        let (network, nothing) = (&scenario.network, RecordSpec::default());
        let run = hopflow::run_network(network, &nothing, &RunOptions::default(), &mut |_| ());
        let run = run.expect("it runs");
        let started: u64 =
            run.counters.directions.iter().map(|d| d.data_packets + d.control_packets).sum();
        let whole = film(&scenario, &[]);
        let parts = film(&scenario, &shares);
        prop_assert_eq!(flights(&whole).len() as u64, started);
        prop_assert!(flights(&whole) == flights(&parts), "flights");
        prop_assert!(last(&whole) == last(&parts), "states at the end");
    }
}

/// Claim: rows before the start of a film are not shown, but states that still hold are: in
/// `figure-14` the queues at 1 ms are those of a film from 0.
#[test]
fn a_film_may_begin_late() {
    let text = include_str!("../../../../examples/figure-14.toml");
    let scenario = Scenario::from_toml(text, "figure-14.toml").expect("an example is right");
    let late = SimTime(1_000_000_000);
    let mut player = Player::new(&scenario).expect("it runs");
    let mut whole = player.film(SimTime::ZERO, late).clone();
    let known = player.known();
    // Rows at the instant itself are in both.
    let held = whole.time.iter().take_while(|time| **time < known.0 as f64).count();
    whole.time.truncate(held);
    let from_start = last(&[whole]);
    let mut player = Player::new(&scenario).expect("it runs");
    let part = player.film(known, known).clone();
    let first: BTreeMap<Key, u64> = (0..from_start.len())
        .map(|k| ((part.what[k], part.place[k], part.whose[k]), part.value[k] as u64))
        .collect();
    assert!(first.len() > 10);
    assert_eq!(first, from_start);
    assert!(part.end.iter().all(|end| *end >= known.0 as f64));
}

/// Claim: a pause frame of all quanta closes the lane for 65,535 x 512 bits, and one of none opens
/// it at once. In the ring of `pfc-deadlock` the links have 424 Mb/s: 79.137 ms.
#[test]
fn a_pause_ends_after_its_quanta() {
    let text = include_str!("../../../../examples/pfc-deadlock.toml");
    let scenario = Scenario::from_toml(text, "pfc-deadlock.toml").expect("an example is right");
    let part = film(&scenario, &[]).remove(0);
    let shut = (0..part.what.len()).filter(|row| part.what[*row] == SHUT);
    let mut spans: Vec<u64> = shut.map(|row| (part.value[row] - part.time[row]) as u64).collect();
    spans.sort_unstable();
    spans.dedup();
    let whole = (65_535_u128 * 512 * 1_000_000_000_000).div_ceil(424_000_000) as u64;
    assert!(spans == [0, whole] || spans == [whole], "{spans:?}, not {whole}");
}
