//! Routes in results: shares on them and beside them, and seeds that change them.

use std::num::NonZeroUsize;

use hopflow::{RunError, RunOptions, RunResult, Scenario, run, run_seeds};

/// Hosts A1.. and B1.. beside two switches with two parallel links; all links have 400 Gb/s.
fn parallel(head: &str, flows: &str) -> Scenario {
    let link = |between: &str, count: usize| {
        format!("[[link]]\nbetween = [{between}]\ncount = {count}\nrate = \"400 Gb/s\"\n")
    };
    let links = [link("\"A{}\", \"S\"", 4), link("\"S\", \"T\"", 2), link("\"T\", \"B{}\"", 4)];
    let text = format!(
        "version = 2\nduration = \"20 us\"\n{head}\n[[switch]]\nname = \"S\"\n[[switch]]\n\
         name = \"T\"\n[[host]]\nname = \"A{{}}\"\ncount = 4\n[[host]]\nname = \"B{{}}\"\n\
         count = 4\n{}{flows}",
        links.concat()
    );
    Scenario::from_toml(&text, "parallel.toml").unwrap_or_else(|wrong| panic!("{wrong}"))
}

const THREE: &str = "[[flow]]\nname = \"F{}\"\ncount = 3\nfrom = \"A{}\"\nto = \"B{}\"\n";
const FOURTH: &str = "[[flow]]\nname = \"F4\"\nroute = [\"A4\", \"S\", \"T#1\", \"B4\"]\n";

/// Share and split share of every VC, in Gb/s.
fn shares(result: &RunResult) -> Vec<(f64, Option<f64>)> {
    let round = |bps: f64| (bps / 1e6).round() / 1e3;
    let fair = result.summary.vcs.iter().filter_map(|vc| vc.fair.as_ref());
    fair.map(|fair| (round(fair.share_bps), fair.split_bps.map(round))).collect()
}

/// Claim, by hand: three greedy flows of one link have 400/3 each. If each split evenly over both
/// links, each link would carry 3/2 of a share: 2/3 of 400. A fourth flow that is bound to the
/// first link makes that 5/2 of a share: 160 each, beside 100 on these routes.
#[test]
fn the_split_share_is_beside_the_share() {
    let of = |flows: &str| {
        shares(&run(&parallel("routing = \"first\"", flows), &RunOptions::default()).unwrap())
    };
    assert_eq!(of(THREE), [(133.333, Some(266.667)); 3]);
    assert_eq!(of(&format!("{THREE}{FOURTH}")), [(100.0, Some(160.0)); 4]);
}

/// Claim, by hand: of four flows split over both links the two that ask for 50 leave 700 to the two
/// greedy ones, which have 350 each.
#[test]
fn a_source_that_asks_for_less_leaves_the_rest() {
    let slow = "[[flow]]\nname = \"G{}\"\ncount = 2\nfrom = \"A{+2}\"\nto = \"B{+2}\"\n\
                source = { kind = \"constant\", rate = \"50 Gb/s\" }\n";
    let greedy = THREE.replace("count = 3", "count = 2");
    let scenario = parallel("routing = \"first\"", &format!("{greedy}{slow}"));
    let found = shares(&run(&scenario, &RunOptions::default()).unwrap());
    let (greedy, slow) = ((150.0, Some(350.0)), (50.0, Some(50.0)));
    assert_eq!(found, [greedy, greedy, slow, slow]);
}

/// Claim: where no flow has equal paths there is no split share.
#[test]
fn without_equal_paths_there_is_no_split_share() {
    let bound = FOURTH.replace("\"F4\"", "\"F{}\"").replace("A4", "A{}").replace("B4", "B{}");
    let scenario = parallel("", &format!("{bound}count = 3\n"));
    assert!(scenario.routing.equal.is_empty());
    let found = shares(&run(&scenario, &RunOptions::default()).unwrap());
    assert_eq!(found, [(133.333, None); 3]);
}

/// Claim: each run of several seeds has the routes that its seed gives alone; `route-seed` holds
/// them for all. Sources keep to their starts, so that nothing else here is random, and digests
/// differ by routes alone. Where they do not, the phases are those of the seed as well.
#[test]
fn every_seed_has_its_routes_and_phases() {
    let exact = format!("{THREE}exact-phase = true\n");
    let many = NonZeroUsize::new(6).unwrap();
    let digests = |scenario: &Scenario| {
        let found = run_seeds(scenario, &RunOptions::default(), many, NonZeroUsize::MIN, None);
        found.unwrap().runs.iter().map(|run| run.digest).collect::<Vec<u64>>()
    };
    let alone = |head: &str, seed: u64, flows: &str| {
        let alone = parallel(&format!("{head}seed = {seed}"), flows);
        run(&alone, &RunOptions::default()).unwrap().digest
    };
    let found = digests(&parallel("", &exact));
    assert!(found.iter().any(|digest| *digest != found[0]), "{found:?}");
    for (seed, digest) in (1..).zip(&found) {
        assert_eq!(alone("", seed, &exact), *digest);
    }
    let pinned = "route-seed = 3\n";
    // Now nothing is random, and one run stands for all seeds.
    assert_eq!(digests(&parallel(pinned, &exact)), [found[2]]);
    assert_eq!(alone(pinned, 6, &exact), found[2]);
    let found = digests(&parallel(pinned, THREE));
    let different: std::collections::BTreeSet<u64> = found.iter().copied().collect();
    assert_eq!(different.len(), 6, "{found:?}");
    for (seed, digest) in (1..).zip(&found) {
        assert_eq!(alone(pinned, seed, THREE), *digest);
    }
}

/// Claim: a network that was changed by hand is not run on the routes of another seed.
#[test]
fn a_changed_network_keeps_its_seed() {
    let mut scenario = parallel("", THREE);
    scenario.network.vcs.pop();
    run(&scenario, &RunOptions::default()).unwrap();
    let other = RunOptions { seed: Some(7), ..RunOptions::default() };
    let Err(RunError::Routes(wrong)) = run(&scenario, &other) else { panic!("it runs") };
    assert!(wrong.to_string().contains("route-seed = 1"), "{wrong}");
}
