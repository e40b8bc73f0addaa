//! Calls on the circuits of one link: the share that is blocked is that of Erlang's formula, and
//! results say which flows were refused, and where.

use hopflow::fairness::{NoShares, Part, fair_shares};
use hopflow::{RunOptions, RunResult, run, why};
use hopflow_scenario::Scenario;
use hopflow_units::SimTime;

/// Calls of 64 kb/s on ten circuits, one in `every`, 2 s long on average. Each sends one cell.
fn text(every_ms: u64, seconds: u64) -> String {
    let count = seconds * 1_000 / every_ms * 12 / 10;
    format!(
        "version = 2\nduration = \"{seconds} s\"\nwarm-up = \"20 s\"\n\
         [defaults.link]\nrate = \"10 Mb/s\"\ndelay = \"1 ms\"\n\
         [defaults.switch]\nscheduler = \"virtual-clock\"\n\
         [[host]]\nname = \"A\"\n[[switch]]\nname = \"S1\"\n[[switch]]\nname = \"S2\"\n\
         [[host]]\nname = \"B\"\n[[link]]\nbetween = [\"A\", \"S1\"]\n\
         [[link]]\nbetween = [\"S1\", \"S2\"]\nrate = \"640 kb/s\"\n\
         [[link]]\nbetween = [\"S2\", \"B\"]\n\
         [[flow]]\nname = \"call{{}}\"\ncount = {count}\nroute = [\"A\", \"S1\", \"S2\", \"B\"]\n\
         source = {{ kind = \"every-kth\", k = 1000000000 }}\n\
         reservation = {{ rate = \"64 kb/s\" }}\n\
         calls = {{ every = \"{every_ms} ms\", holding = \"2 s\" }}\n"
    )
}

fn result(text: &str, seed: u64) -> RunResult {
    let scenario = Scenario::from_toml(text, "calls.toml").expect("it is fine");
    let scenario = scenario.with_seed(seed).expect("it is fine");
    run(&scenario, &RunOptions::default()).expect("it runs")
}

/// B(a, n), by its recursion B(a, 0) = 1, B(a, k) = a B(a, k - 1) / (k + a B(a, k - 1)).
fn erlang(load: f64, circuits: u32) -> f64 {
    (1..=circuits).fold(1.0, |blocked, k| load * blocked / (f64::from(k) + load * blocked))
}

/// Claim [Erlang17]: of 5, 10 and 20 erlang on ten circuits .0184, .2146 and .5380 are blocked. The
/// mean of N calls has the variance F B (1 - B) / N, where F = 2.872, 3.247, 2.149 is that of the
/// Markov chain of the circuits that a call finds busy (`papers/zhang90/claims/calls.toml`). Eight
/// runs of about 2,000 calls are within three standard errors.
#[test]
fn the_blocked_share_is_that_of_erlang() {
    for (load, every_ms, inflation) in [(5.0, 400, 2.872), (10.0, 200, 3.247), (20.0, 100, 2.149)] {
        let formula = erlang(load, 10);
        let text = text(every_ms, 20 + every_ms * 2);
        let (mut refused, mut answered) = (0, 0);
        for seed in 1..=8 {
            let result = result(&text, seed);
            let totals = result.summary.totals.as_ref().expect("a run has totals");
            refused += totals.refused_set_ups;
            answered += totals.refused_set_ups + totals.admitted_set_ups;
            assert!(result.summary.violations.is_empty(), "{:?}", result.summary.violations);
            let trunk = result.summary.link("S1->S2").expect("it is there");
            assert_eq!(trunk.reserved_max_bps, 640_000, "all ten circuits were in use");
            assert_eq!(trunk.refused_set_ups, totals.refused_set_ups);
        }
        let share = refused as f64 / answered as f64;
        let error = (inflation * formula * (1.0 - formula) / answered as f64).sqrt();
        println!("{load} erlang: {share:.4} of {answered}, {formula:.4} -+ {error:.4}");
        assert!(answered > 15_000, "{answered} calls were answered");
        assert!((share - formula).abs() < 3.0 * error, "{load} erlang: {share} for {formula}");
    }
}

/// Claim: the calls that 100 seeds draw, replayed on ten circuits without a network, are blocked
/// as Erlang's formula says, within three standard errors of 300,000 calls.
#[test]
fn the_drawn_calls_are_those_of_erlang() {
    for (load, every_ms, inflation) in [(5.0, 400, 2.872), (10.0, 200, 3.247), (20.0, 100, 2.149)] {
        let text = text(every_ms, 20 + every_ms * 3);
        let scenario = Scenario::from_toml(&text, "calls.toml").expect("it is fine");
        let end = SimTime(scenario.network.duration.0);
        let (mut refused, mut asked) = (0_u32, 0_u32);
        for seed in 1..=100 {
            let drawn = scenario.with_seed(seed).expect("it is fine");
            let mut busy: Vec<SimTime> = Vec::new();
            for vc in drawn.network.vcs.iter().filter(|vc| vc.begins() < end) {
                busy.retain(|stop| *stop > vc.begins());
                let has_room = busy.len() < 10;
                busy.extend(vc.stop.filter(|_| has_room));
                if vc.begins() >= SimTime(scenario.warm_up.0) {
                    asked += 1;
                    refused += u32::from(!has_room);
                }
            }
        }
        let (share, formula) = (f64::from(refused) / f64::from(asked), erlang(load, 10));
        let error = (inflation * formula * (1.0 - formula) / f64::from(asked)).sqrt();
        println!("{load} erlang: {share:.5} of {asked}, {formula:.5} -+ {error:.5}");
        assert!(asked > 290_000, "{asked} calls were drawn");
        assert!((share - formula).abs() < 3.0 * error, "{load} erlang: {share} for {formula}");
    }
}

/// Claim: the shares that the formula gives are those of the issue.
#[test]
fn erlangs_formula_has_its_known_values() {
    for (load, blocked) in [(5.0, 0.0184), (10.0, 0.2146), (20.0, 0.5380)] {
        assert!((erlang(load, 10) - blocked).abs() < 5e-5);
    }
}

/// Two flows of 60 % of a link: the second is refused at S.
const TWO: &str = r#"
version = 2
duration = "20 ms"
[[topology]]
kind = "star"
hosts = 3
rate = "10 Mb/s"
delay = "1 us"
[defaults.switch]
scheduler = "virtual-clock"
[defaults.flow]
source = { kind = "constant", rate = "5 Mb/s" }
reservation = { rate = "6 Mb/s", signalled = true }
[[flow]]
name = "first"
from = "H1"
to = "H3"
[[flow]]
name = "second"
from = "H2"
to = "H3"
start = "1 ms"
"#;

/// Claim: results name the answer, the time and the place of a refusal, and `why` says it. Fair
/// shares and bounds of ports that are asked are not known.
#[test]
fn results_say_who_was_refused_and_where() {
    let result = result(TWO, 1);
    let summary = &result.summary;
    let [first, second] = ["first", "second"].map(|name| summary.vc(name).expect("it is there"));
    assert_eq!((first.set_ups, first.admitted_set_ups, first.refused_at.as_deref()), (1, 1, None));
    let refused = (second.refused_set_ups, second.refused_at.as_deref());
    assert_eq!(refused, (1, Some("S->H3")));
    assert_eq!((second.created_packets, second.admitted_set_ups), (0, 0));
    // A cell takes 42.4 us and 1 us more: two links out and back; and one out and back.
    assert_eq!([first.set_up_ps, second.set_up_ps], [4 * 43_400_000, 2 * 43_400_000]);
    let totals = summary.totals.as_ref().expect("a run has totals");
    assert_eq!((totals.set_ups, totals.blocked_share), (2, Some(0.5)));
    let notes = why(summary);
    let said = notes.iter().any(|note| {
        note.text.starts_with("second was refused: its reservation did not fit beside the others")
            && note.text.contains("S->H3")
    });
    assert!(said, "{notes:?}");
    assert!(first.delay_bound_ps.is_none());
    assert!(first.delay_bound.contains("are set up and released"), "{}", first.delay_bound);
    let scenario = Scenario::from_toml(TWO, "two.toml").expect("it is fine");
    let span = SimTime::ZERO..SimTime(scenario.network.duration.0);
    let shares = fair_shares(&scenario.network, span, Part::ALL);
    assert_eq!(shares, Err(NoShares::Admission { vc: "first".to_owned() }));
}
