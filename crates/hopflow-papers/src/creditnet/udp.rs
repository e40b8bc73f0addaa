//! One UDP beside one TCP: what each gets of the slow link, with credit and without.
//!
//! With credit and round robin between VCs, UDP gets its rate as long as that is no more than half
//! of the link, and TCP the rest. Without credit TCP falls to its time-outs, and the link carries
//! little more than UDP. Source: [Kung97] 3. Differs: the paper does not state UDP's rate, so the
//! experiment finds the rates at which both of its statements hold.

use super::read::{BUFFER, SLOW, busy, payload, without_credit};
use crate::observe::least;
use crate::{Chart, ChartLine, Experiment, Measured, Run, Runs, ScenarioText};

const RATE: &str = "rate = \"8 Mb/s\"";
/// Rates of UDP in Mb/s of packets; in MB/s of payload of cells .5 to 5.65 (one Mb/s is .1255).
const RATES: [u32; 10] = [4, 8, 12, 15, 18, 20, 22, 26, 35, 45];
/// One buffer for all VCs instead of 682 cells each.
const SHARED: &str = "buffer = \"1364 cells\"";
const MIDDLE: &str = "S1->S2";
/// What the paper says of the use of the link without credit.
const MOST_USE: f64 = 0.45;
/// The share of its rate from which UDP has its rate, and the use from which the link is full.
const NEARLY: f64 = 0.97;

/// TCP and UDP.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["creditnet.udp"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let base = scenario!("creditnet/udp.toml");
    let rates = RATES.into_iter().flat_map(|rate| {
        let offered_rate = format!("rate = \"{rate} Mb/s\"");
        let with = base.variant(file(Case::With, rate), &[(RATE, &offered_rate)]);
        let own = without_credit(&with, &file(Case::Own, rate), BUFFER);
        let shared = without_credit(&with, &file(Case::Shared, rate), SHARED);
        [with, own, shared]
    });
    rates.collect()
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("creditnet.udp");
    for (id, case) in [("own", Case::Own), ("shared", Case::Shared)] {
        let holds: Vec<f64> = RATES
            .into_iter()
            .filter(|rate| {
                both_halves(runs.one(&file(Case::With, *rate)), runs.one(&file(case, *rate)), *rate)
            })
            .map(offered)
            .collect();
        let edge = |value: Option<f64>| value.unwrap_or(f64::NAN);
        measured.claim(format!("{id}.from"), edge(holds.first().copied()));
        measured.claim(format!("{id}.to"), edge(holds.last().copied()));
        without(&mut measured, runs, id, case);
    }
    let half: Vec<&Run> = RATES
        .into_iter()
        .filter(|rate| offered(*rate) <= SLOW / 2.0)
        .map(|rate| runs.one(&file(Case::With, rate)))
        .collect();
    measured.claim("with.busy", least(half.iter().map(|run| busy(run, MIDDLE))));
    let lost: u64 = half.iter().map(|run| run.lost_packets()).sum();
    measured.claim("with.lost", lost as f64);
    measured.charts = vec![chart(runs)];
    measured
}

/// Over the rates at which UDP gets its rate with credit: the use of the link without credit, and
/// the most that is left of TCP.
fn without(measured: &mut Measured, runs: &Runs, id: &str, case: Case) {
    let gets = |rate: &u32| {
        let udp = payload(runs.one(&file(Case::With, *rate)), "UDP", MIDDLE);
        udp >= NEARLY * offered(*rate)
    };
    let rates: Vec<u32> = RATES.into_iter().filter(gets).collect();
    let used = |rate: &u32| {
        let at = format!("UDP at {:.2} MB/s", offered(*rate));
        (at, 100.0 * busy(runs.one(&file(case, *rate)), MIDDLE))
    };
    measured.band(format!("{id}.use"), rates.iter().map(used).collect());
    let left = rates.iter().map(|rate| {
        let tcp = |case| payload(runs.one(&file(case, *rate)), "TCP1", MIDDLE);
        tcp(case) / tcp(Case::With)
    });
    measured.claim(format!("{id}.tcp_left"), left.fold(f64::NAN, f64::max));
}

#[derive(Clone, Copy)]
enum Case {
    With,
    Own,
    Shared,
}

fn file(case: Case, rate: u32) -> String {
    let name = match case {
        Case::With => "",
        Case::Own => "-without",
        Case::Shared => "-shared",
    };
    format!("udp-{rate}{name}.toml")
}

/// Payload of UDP's cells in MB/s: 192 cells of 48 bytes for each packet of 9,180 bytes.
fn offered(rate: u32) -> f64 {
    f64::from(rate) / 8.0 * (192.0 * 48.0) / 9_180.0
}

/// What the paper says of both: with credit UDP gets its rate and the link is full; without it the
/// link is used less than 45 %.
fn both_halves(with: &Run, without: &Run, rate: u32) -> bool {
    let gets = payload(with, "UDP", MIDDLE) >= NEARLY * offered(rate);
    gets && busy(with, MIDDLE) >= NEARLY && busy(without, MIDDLE) < MOST_USE
}

fn chart(runs: &Runs) -> Chart {
    let line = |name: &str, value: &dyn Fn(u32) -> f64| {
        ChartLine::straight(name, RATES.into_iter().map(|rate| (offered(rate), value(rate))))
    };
    let of = |case, rate| runs.one(&file(case, rate));
    Chart::new("creditnet-udp", "One TCP and one UDP on a link of 5.65 MB/s")
        .caption("Without credit the link carries little more than UDP.")
        .axes("rate of the UDP source (MB/s of payload)", "payload on the slow link (MB/s)")
        .lines([
            line("UDP with credit", &|rate| payload(of(Case::With, rate), "UDP", MIDDLE)),
            line("TCP with credit", &|rate| payload(of(Case::With, rate), "TCP1", MIDDLE)),
            line("TCP, 682 cells each", &|rate| payload(of(Case::Own, rate), "TCP1", MIDDLE)),
            line("TCP, 1,364 shared", &|rate| payload(of(Case::Shared, rate), "TCP1", MIDDLE)),
        ])
}
