//! The measures against a closed form: the queue M/D/1, with a warm-up and several seeds.
//!
//! Poisson arrivals at load rho, each served in T:
//! ```text
//! mean waiting       W   = rho T / (2 (1 - rho))
//! its variance       V   = W^2 + rho T^2 / (3 (1 - rho))       (Pollaczek-Khinchine)
//! mean length        L   = rho + rho W / T                     (Little), over time
//! as arrivals see it L + 1                                     (Poisson), themselves included
//! ```

use hopflow_engine::WindowedEngine;
use hopflow_kernel::RandomStream;
use hopflow_network::{Engine, HopControl, NetworkSpec, SourceSpec, TraceFilter};
use hopflow_record::{Estimate, Keep, LengthSummary, Reading, Summary, Together};
use hopflow_testing::NetworkBuilder;
use hopflow_units::{Picos, SimTime};

/// The cell time of the builder's links.
const T: f64 = 1e6;
const RHO: f64 = 0.8;
/// Cell times of a run, and of its warm-up.
const CELLS: u64 = 40_000;
const WARM_UP: u64 = 2_000;

/// One host that sends to another; arrivals of cells are drawn from a stream of this seed.
fn network(seed: u64) -> NetworkSpec {
    let mut network = NetworkBuilder::new(CELLS);
    let (a, b) = (network.host("A"), network.host("B"));
    let link = network.link(a, b, 7);
    let mut stream = RandomStream::new(seed, "arrivals", "test");
    let (mut time, mut times) = (0.0, Vec::new());
    while time < CELLS as f64 * T {
        time += stream.exponential(T / RHO);
        times.push(Picos(time as u64));
    }
    network.vc("VC", &[a, b], HopControl::None, SourceSpec::Replay { times });
    network.spec.links[link].directions[0].count_lengths = true;
    network.spec
}

/// The measurements after the warm-up.
fn measured(seed: u64) -> Summary {
    let spec = network(seed);
    let mut engine = WindowedEngine::new(&spec, TraceFilter::none(), 1);
    engine.run_until(SimTime(WARM_UP * T as u64));
    let before = engine.counters();
    engine.restart_statistics();
    engine.run_until(SimTime(spec.duration.0));
    let reading = Reading::new(&spec, Some(&before), &engine);
    Together::read(&reading).summarize(&reading, Keep::All, &|_, _| (), &mut |_, _| None).0
}

/// Claim: over 24 seeds load, waiting, its deviation and both lengths are those of M/D/1, within
/// twice the half width of the 95 % interval (4 standard errors), and that is within 3 %.
#[test]
fn waiting_and_lengths_are_those_of_m_d_1() {
    let runs: Vec<Summary> = (1..=24).map(measured).collect();
    let waiting = RHO * T / (2.0 * (1.0 - RHO));
    let variance = waiting * waiting + RHO * T * T / (3.0 * (1.0 - RHO));
    let length = RHO + RHO * waiting / T;
    let lengths = |of: fn(&Summary) -> Option<&LengthSummary>| {
        move |run: &Summary| of(run).expect("lengths are kept").mean_packets
    };
    let time = lengths(|run| run.ports[0].lengths.as_ref()?.time.as_ref());
    let arrivals = lengths(|run| run.ports[0].lengths.as_ref()?.arrivals.as_ref());
    let of_vc = |run: &Summary| run.vcs[0].waiting_ps.expect("cells were delivered");
    check("load", &runs, RHO, |run| run.links[0].busy_share);
    check("waiting", &runs, waiting, |run| of_vc(run).mean);
    check("variance", &runs, variance, |run| {
        let deviation = of_vc(run).deviation.expect("it fits");
        deviation * deviation
    });
    check("length", &runs, length, time);
    check("length by arrivals", &runs, length + 1.0, arrivals);
    check("mean queue", &runs, length, |run| run.ports[0].mean_packets);
}

fn check(what: &str, runs: &[Summary], expected: f64, value: impl Fn(&Summary) -> f64) {
    let estimate = Estimate::of(runs.iter().map(value)).expect("there are runs");
    let half_width = estimate.half_width.expect("there are several");
    let error = (estimate.mean - expected).abs();
    assert!(error <= 2.0 * half_width, "{what}: {estimate:?}, not {expected}");
    let wide = if what == "variance" { 0.1 } else { 0.03 };
    assert!(half_width < wide * expected, "{what}: {estimate:?} is too wide");
}
