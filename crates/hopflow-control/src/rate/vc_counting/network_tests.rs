//! Ports with VC counting, with sources at the end of a delay, against the max-min rates of the
//! whole network.

use proptest::prelude::*;

use super::super::fixture::{brm, frm, rate};
use super::*;

const STEP: u64 = 100_000_000;
/// The delay from a BRM at the source to the FRM that obeys it, in steps.
const DELAY: usize = 4;

/// Links, and the path of each VC over them.
#[derive(Clone, Debug)]
struct Network {
    links: Vec<f64>,
    paths: Vec<Vec<usize>>,
}

/// The max-min rates: the link with the smallest share freezes its VCs, and so on.
fn max_min(network: &Network) -> Vec<f64> {
    let mut rates: Vec<Option<f64>> = vec![None; network.paths.len()];
    loop {
        let share = |link: usize| {
            let on = (0..rates.len()).filter(|&vc| network.paths[vc].contains(&link));
            let (frozen, free): (Vec<usize>, Vec<usize>) = on.partition(|&vc| rates[vc].is_some());
            let taken: f64 = frozen.iter().filter_map(|&vc| rates[vc]).sum();
            let share = (network.links[link] - taken) / free.len() as f64;
            (!free.is_empty()).then_some((share, free))
        };
        let tightest =
            (0..network.links.len()).filter_map(share).min_by(|a, b| a.0.total_cmp(&b.0));
        let Some((share, free)) = tightest else {
            return rates.into_iter().map(|rate| rate.expect("every VC has a link")).collect();
        };
        for vc in free {
            rates[vc] = Some(share);
        }
    }
}

/// Lets RM cells circulate for `steps` steps, one of each VC per step. Sources take every ER as
/// their rate (RIF = 1) after a delay. Returns the last reported rates, and the largest load of any
/// link after half of the time, as a part of its rate.
fn run(network: &Network, drain: Drain, steps: usize, initial: f64) -> (Vec<f64>, f64) {
    let spec = VcCountingSpec { drain, ..VcCountingSpec::new(Picos((DELAY as u64 + 2) * STEP)) };
    let vcs = network.paths.len();
    let mut ports: Vec<VcCounting> =
        network.links.iter().map(|&link| VcCounting::new(spec, rate(link), vcs as u32)).collect();
    let mut ers: Vec<Vec<f64>> = vec![vec![initial; vcs]; DELAY];
    let mut heaviest = 0.0_f64;
    for step in 0..steps {
        let now = SimTime(step as u64 * STEP);
        for port in &mut ports {
            while port.next <= now {
                port.on_timer(port.next, 0);
            }
        }
        let rates = ers[step].clone();
        let mut next = Vec::new();
        for (vc, path) in network.paths.iter().enumerate() {
            for &link in path {
                ports[link].arrive(now, vc as u32, 1);
                ports[link].forward(now, vc as u32, &mut frm(rates[vc]), 1);
            }
            let mut rm = brm(rates[vc], 1e9);
            for &link in path.iter().rev() {
                // A queue now and then, so that ports drain at times.
                let queue = if step % 40 < 5 { 9 } else { 0 };
                ports[link].backward(now, vc as u32, &mut rm, queue);
            }
            next.push(rm.er.get());
        }
        ers.push(next);
        for (link, &capacity) in network.links.iter().enumerate().filter(|_| step > steps / 2) {
            let on = (0..vcs).filter(|&vc| network.paths[vc].contains(&link));
            heaviest = heaviest.max(on.map(|vc| rates[vc]).sum::<f64>() / capacity);
        }
    }
    (ers.pop().expect("there was a step"), heaviest)
}

fn assert_close(network: &Network, ers: &[f64], part: f64) {
    for (vc, (er, fair)) in ers.iter().zip(max_min(network)).enumerate() {
        let fair = part * fair;
        assert!((er - fair).abs() <= 0.01 * fair, "VC {vc}: {er}, not {fair}, of {network:?}");
    }
}

/// Generic fairness configuration 1: five switches, 22 VCs of six groups.
fn gfc1() -> Network {
    let groups: [(usize, &[usize]); 6] =
        [(3, &[0, 1, 2]), (3, &[1, 2, 3]), (3, &[1]), (6, &[0]), (6, &[3]), (2, &[2])];
    let paths = groups.iter().flat_map(|&(count, path)| vec![path.to_vec(); count]).collect();
    Network { links: vec![50.0, 150.0, 150.0, 100.0], paths }
}

/// Claim: on generic fairness configuration 1 the rates are the known ones, 5.556, 11.111, 33.333,
/// 5.556, 11.111 and 50, and the slow solver finds them too.
#[test]
fn generic_fairness_configuration_1() {
    let known = [(3, 5.556), (3, 11.111), (3, 33.333), (6, 5.556), (6, 11.111), (2, 50.0)];
    let known: Vec<f64> = known.iter().flat_map(|&(count, fair)| vec![fair; count]).collect();
    let fair = max_min(&gfc1());
    assert!(fair.iter().zip(&known).all(|(a, b)| (a - b).abs() < 0.001), "{fair:?}");
    let (ers, heaviest) = run(&gfc1(), Drain::Always(1.0), 400, 1.0);
    assert_close(&gfc1(), &ers, 1.0);
    assert!(heaviest < 1.01, "{heaviest}");
}

/// Claim: ports that give 0.98 of R settle too: a VC that is bottlenecked at the first link gets
/// 0.98 of its max-min rate there.
#[test]
fn a_constant_part_settles_too() {
    let parking = Network { links: vec![150.0], paths: vec![vec![0], vec![0], vec![0]] };
    let (ers, _) = run(&parking, Drain::Always(0.98), 200, 1.0);
    assert_close(&parking, &ers, 0.98);
}

fn any_network() -> impl Strategy<Value = Network> {
    (1_usize..5).prop_flat_map(|links| {
        let path = (0..links, 0..links).prop_map(|(a, b)| (a.min(b)..=a.max(b)).collect());
        let capacities = prop::collection::vec(10.0_f64..200.0, links);
        (capacities, prop::collection::vec(path, 1..8))
            .prop_map(|(links, paths)| Network { links, paths })
    })
}

proptest! {
    /// Claim: on random networks the reported rates settle within 1 % of the max-min rates,
    /// wherever the sources start. Then no link carries more than its rate. Each of up to four
    /// bottleneck levels takes up to two settling times of 6 steps, an interval of 10 and a delay.
    #[test]
    fn rates_settle_at_max_min(network in any_network(), initial in 0.1_f64..200.0) {
        let (ers, heaviest) = run(&network, Drain::Always(1.0), 400, initial);
        assert_close(&network, &ers, 1.0);
        prop_assert!(heaviest < 1.01, "{}", heaviest);
    }

    /// Claim: if all ports drain at once, for 5 of 40 steps, the rates still return to max-min. A
    /// VC that drains elsewhere takes a tenth less than it takes afterwards, so the others at a
    /// port are given at most a tenth of its link more, for a while.
    #[test]
    fn drains_do_not_upset_the_rates(network in any_network()) {
        let drain = Drain::WhileQueued { queue: EfciSpec { high: 5, low: 0 }, factor: 0.9 };
        let (ers, heaviest) = run(&network, drain, 400, 50.0);
        assert_close(&network, &ers, 1.0);
        prop_assert!(heaviest < 1.101, "{}", heaviest);
    }
}
