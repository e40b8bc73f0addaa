//! Start phases: which sources have one, and its value.

use hopflow_kernel::RandomStream;
use hopflow_scenario::Scenario;
use hopflow_units::{Picos, SimTime};

/// Hosts A, B and D on a switch; links of A and B at these rates, and flows to D.
fn scenario(rates: [&str; 2], flows: &str) -> Scenario {
    let text = format!(
        "version = 2\nduration = \"10 ms\"\nseed = 9\n[defaults.link]\nrate = \"424 Mb/s\"\n\
         [[switch]]\nname = \"S\"\n[[host]]\nname = \"A\"\n[[host]]\nname = \"B\"\n\
         [[host]]\nname = \"D\"\n[[link]]\nbetween = [\"A\", \"S\"]\nrate = \"{}\"\n\
         [[link]]\nbetween = [\"B\", \"S\"]\nrate = \"{}\"\n[[link]]\nbetween = [\"S\", \"D\"]\n\
         {flows}",
        rates[0], rates[1]
    );
    Scenario::from_toml(&text, "phases.toml").unwrap_or_else(|wrong| panic!("{flows}\n{wrong}"))
}

const EQUAL: [&str; 2] = ["424 Mb/s", "424 Mb/s"];

/// A flow from A and one from B, with these keys.
fn two(a: &str, b: &str) -> String {
    let flow = |name: &str, keys: &str| {
        format!("[[flow]]\nname = \"{name}\"\nroute = [\"{name}\", \"S\", \"D\"]\n{keys}\n")
    };
    flow("A", a) + &flow("B", b)
}

fn phases(scenario: &Scenario) -> Vec<u64> {
    scenario.network.vcs.iter().map(|vc| vc.phase.0).collect()
}

/// U of Eq. (2) of `phase.rs`, from the stream of this owner.
fn drawn(seed: u64, owner: &str, gap: u64) -> u64 {
    let word = RandomStream::new(seed, owner, "phase").next_u64();
    ((u128::from(word) * u128::from(gap)) >> 64) as u64
}

/// Claim: two greedy sources with packets of equal duration begin at random within one packet time
/// of 1 us, each by its own stream; `start` stays the same. A cell at 212 Mb/s lasts 2 us: then
/// they differ, and neither has a phase.
#[test]
fn greedy_sources_of_equal_rates_have_phases() {
    let equal = scenario(EQUAL, &two("", "start = \"1 ms\""));
    assert_eq!(phases(&equal), [drawn(9, "A", 1_000_000), drawn(9, "B", 1_000_000)]);
    assert_eq!(equal.phased, [0, 1]);
    assert!(phases(&equal).iter().all(|phase| (1..1_000_000).contains(phase)));
    assert_eq!(equal.network.vcs[1].start, SimTime(1_000_000_000));
    assert_eq!(equal.resolved()["flows"][0]["phase_ps"], phases(&equal)[0]);
    let other = scenario(["424 Mb/s", "212 Mb/s"], &two("", ""));
    assert_eq!((phases(&other), &other.phased[..]), (vec![0, 0], &[][..]));
    assert_eq!(other.resolved()["flows"][0]["phase_ps"], serde_json::Value::Null);
}

/// Claim: sources with equal gaps are equal whatever their kind: every second cell time of 1 us,
/// and 212 Mb/s in cells of 424 bits, are 2 us. A source that draws its gaps has no phase, nor has
/// one whose `phase` is given.
#[test]
fn gaps_count_not_kinds() {
    let second = "source = { kind = \"every-kth\", k = 2 }";
    let half = "source = { kind = \"constant\", rate = \"212 Mb/s\" }";
    let seen = phases(&scenario(EQUAL, &two(second, half)));
    assert_eq!(seen, [drawn(9, "A", 2_000_000), drawn(9, "B", 2_000_000)]);
    let poisson = "source = { kind = \"poisson\", rate = \"212 Mb/s\" }";
    assert_eq!(phases(&scenario(EQUAL, &two(poisson, half))), [0, 0]);
    let at_start = "source = { kind = \"constant\", rate = \"212 Mb/s\", phase = \"start\" }";
    assert_eq!(phases(&scenario(EQUAL, &two(at_start, half))), [0, drawn(9, "B", 2_000_000)]);
    let mixed = "packet = { least = \"53 B\", most = \"60 B\" }";
    assert_eq!(phases(&scenario(EQUAL, &two(mixed, ""))), [0, 0]);
}

/// Claim: `exact-phase` turns the phase of its flow off, and in the defaults those of all flows; a
/// flow may turn its own on again. A connection cannot have it.
#[test]
fn exact_phase_turns_it_off() {
    let some = scenario(EQUAL, &two("exact-phase = true", ""));
    assert_eq!((phases(&some), &some.phased[..]), (vec![0, drawn(9, "B", 1_000_000)], &[1][..]));
    let all = "[defaults.flow]\nexact-phase = true\n";
    assert_eq!(phases(&scenario(EQUAL, &(two("", "") + all))), [0, 0]);
    let own = scenario(EQUAL, &(two("", "exact-phase = false") + all));
    assert_eq!(phases(&own), [0, drawn(9, "B", 1_000_000)]);
    let tcp = "source = { kind = \"tcp\", variant = \"reno\" }\ncount = 2\nname = \"t{}\"\n\
               to = \"D\"\nfrom = \"A\"\n";
    let with = |key: &str| scenario(EQUAL, &format!("[[flow]]\n{tcp}{all}{key}"));
    assert_eq!(phases(&with("")), [0; 4]);
}

/// Claim: another seed draws other phases; the rest of the network stays the same. A source that
/// stops within one gap begins before it stops.
#[test]
fn phases_follow_the_seed_and_end_before_the_stop() {
    let of = scenario(EQUAL, &two("", ""));
    let other = of.with_seed(10).unwrap();
    assert_eq!(phases(&other), [drawn(10, "A", 1_000_000), drawn(10, "B", 1_000_000)]);
    assert_eq!(other.with_seed(9).unwrap(), of);
    for seed in 0..100 {
        let short = scenario(EQUAL, &two("stop = \"1 ns\"", "")).with_seed(seed).unwrap();
        assert!(short.network.vcs[0].phase < Picos(1_000));
    }
}
