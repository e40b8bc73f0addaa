//! Routes where several shortest paths are equal: who takes which, and what follows for the links.

use std::collections::{BTreeMap, BTreeSet};

use hopflow_scenario::{Code, RoutingKind, Scenario, ScenarioFile};
use serde_json::Value;

/// A fat tree of 400 Gb/s; `head` is put before it, `flows` behind.
fn fat_tree(k: usize, head: &str, flows: &str) -> String {
    format!(
        "version = 2\nduration = \"1 us\"\n{head}\n[[topology]]\nkind = \"fat-tree\"\nk = {k}\n\
         rate = \"400 Gb/s\"\n{flows}"
    )
}

fn flow(name: &str, from: &str, to: &str) -> String {
    format!("[[flow]]\nname = \"{name}\"\nfrom = \"{from}\"\nto = \"{to}\"\n")
}

fn copies(count: usize, from: &str, to: &str) -> String {
    format!("{}count = {count}\n", flow("F{}", from, to))
}

fn read(text: &str) -> Scenario {
    Scenario::from_toml(text, "routing.toml").unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// The links of every flow by name, as the written-out scenario has them.
fn routes(scenario: &Scenario) -> BTreeMap<String, Vec<String>> {
    let resolved = scenario.resolved();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let hops = |flow: &Value| {
        let hops = flow["hops"].as_array().expect("hops");
        hops.iter().map(|hop| text(&hop["through"])).collect()
    };
    let flows = resolved["flows"].as_array().expect("flows").iter();
    flows.map(|flow| (text(&flow["name"]), hops(flow))).collect()
}

/// How many flows each link has, counted one by one.
fn counted(scenario: &Scenario) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for link in routes(scenario).into_values().flatten() {
        *counts.entry(link).or_insert(0) += 1;
    }
    counts
}

/// A permutation of 0 .. n without fixed points, by a generator of its own.
fn permutation(n: usize, seed: u64) -> Vec<usize> {
    let mut state = seed;
    let mut draw = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    // Sattolo: one cycle.
    let mut order: Vec<usize> = (0..n).collect();
    for last in (1..n).rev() {
        order.swap(last, draw(last));
    }
    order
}

/// Claim [Zahavi10]: under D-mod-k every shift permutation of a full fat tree has at most one flow
/// on each link direction.
#[test]
fn shifts_are_free_of_contention_under_d_mod_k() {
    for (k, shifts) in [(2, vec![1]), (4, (1..16).collect()), (6, vec![1, 5, 27, 53])] {
        let hosts = k * k * k / 4;
        for shift in shifts {
            let flows = copies(hosts, "H{}", &format!("H{{+{shift}%{hosts}}}"));
            let scenario = read(&fat_tree(k, "routing = \"d-mod-k\"", &flows));
            let counts = counted(&scenario);
            assert!(counts.values().all(|count| *count == 1), "k = {k}, {shift}: {counts:?}");
            assert_eq!(scenario.routing.kind, RoutingKind::DModK);
        }
    }
}

/// Claim: on a random permutation under `ecmp` the hottest link has as many flows as the fullest
/// link between switches, counted one by one, and all that cross it.
#[test]
fn the_hottest_link_is_the_one_with_most_flows() {
    for seed in 1..=5 {
        let order = permutation(128, seed);
        let flows: String = order
            .iter()
            .enumerate()
            .map(|(from, to)| {
                flow(&format!("F{from}"), &format!("H{}", from + 1), &format!("H{}", to + 1))
            })
            .collect();
        let scenario = read(&fat_tree(8, &format!("seed = {seed}"), &flows));
        let counts = counted(&scenario);
        let between_switches = counts.iter().filter(|(link, _)| !link.contains('H'));
        let most = *between_switches.map(|(_, count)| count).max().unwrap();
        let hottest = scenario.routing.hottest.as_ref().unwrap();
        assert_eq!((hottest.vcs.len(), hottest.load), (most, most as f64));
        // Balls into bins: 128 flows into 128 links of a tier put 3 or more into some of them.
        assert!(most >= 3, "{most}");
        // An even split of a permutation loads no link by more than its hosts can take.
        assert!(hottest.even_load <= 1.0 + 1e-9, "{}", hottest.even_load);
        let network = &scenario.network;
        let id = hottest.direction;
        let name = |node: usize| network.nodes[node].name.as_str();
        let link = format!("{}->{}", name(network.from_node(id)), name(network.to_node(id)));
        let crossing: BTreeSet<String> = routes(&scenario)
            .into_iter()
            .filter(|(_, way)| way.contains(&link))
            .map(|f| f.0)
            .collect();
        let reported = hottest.vcs.iter().map(|vc| network.vcs[*vc].name.clone()).collect();
        assert_eq!(crossing, reported);
    }
}

/// Claim: another flow changes no route of those that are there.
#[test]
fn another_flow_changes_no_route() {
    let flows = copies(8, "H{}", "H{+8}");
    let before = routes(&read(&fat_tree(4, "", &flows)));
    let after = routes(&read(&fat_tree(4, "", &format!("{}{flows}", flow("first", "H3", "H9")))));
    assert_eq!(after.len(), 9);
    for (name, way) in before {
        assert_eq!(after[&name], way);
    }
}

/// Claim: the choices of the two tiers are independent. With k = 8 a host has 16 paths to another
/// pod. 1,600 flows use all of them, 100 each on average: were the second choice that of the first,
/// they would use k/2 = 4. A count is binomial with a deviation of 9.7, so that none of 16 is
/// further than 50 from 100. Of 16 flows 16 (1 - (15/16)^16) = 10.3 paths are used on average.
#[test]
fn tiers_do_not_polarise() {
    let used = |count: usize, seed: u64| {
        let flows = copies(count, "H1", "H65");
        let scenario = read(&fat_tree(8, &format!("seed = {seed}"), &flows));
        let counts = counted(&scenario);
        let down = counts.into_iter().filter(|(link, _)| link.starts_with('C'));
        down.map(|(_, count)| count).collect::<Vec<usize>>()
    };
    let counts = used(1_600, 1);
    assert_eq!((counts.len(), counts.iter().sum::<usize>()), (16, 1_600));
    assert!(counts.iter().all(|count| count.abs_diff(100) <= 50), "{counts:?}");
    let few: Vec<usize> = (1..=8).map(|seed| used(16, seed).len()).collect();
    let mean = few.iter().sum::<usize>() as f64 / 8.0;
    // The deviation of one is 1.2, of the mean of 8 0.42: five of them.
    assert!((mean - 10.3).abs() < 2.1, "{few:?}");
    assert_eq!(few, FEW, "exact for given seeds, on every machine");
}

/// Paths used by 16 flows, for seeds 1 to 8.
const FEW: [usize; 8] = [10, 10, 10, 10, 10, 10, 11, 11];

/// Claim: the way back of a connection uses the same links.
#[test]
fn the_way_back_uses_the_same_links() {
    let tcp =
        format!("{}source = {{ kind = \"tcp\", variant = \"reno\" }}\n", copies(8, "H{}", "H{+8}"));
    let scenario = read(&fat_tree(4, "", &tcp));
    let routes = routes(&scenario);
    let turned = |link: &String| {
        let (from, to) = link.split_once("->").unwrap();
        format!("{to}->{from}")
    };
    let mut cores = BTreeSet::new();
    for number in 1..=8 {
        let there = &routes[&format!("F{number}")];
        let back: Vec<String> =
            routes[&format!("F{number}.ack")].iter().rev().map(turned).collect();
        assert_eq!(*there, back);
        cores.insert(there[3].clone());
    }
    assert!(cores.len() > 1, "not all by one core: {cores:?}");
    assert_eq!(scenario.routing.equal.len(), 16);
}

/// Claim: another seed gives other routes, whether the file, a setting or `with_seed` has it, and
/// the same seed the same ones; `route-seed` holds them.
#[test]
fn seeds_choose_and_route_seed_pins() {
    let flows = copies(8, "H{}", "H{+8}");
    let of = |head: &str| read(&fat_tree(4, head, &flows));
    let (one, two) = (of("seed = 1"), of("seed = 2"));
    assert_ne!(routes(&one), routes(&two));
    let other = one.with_seed(2).unwrap();
    assert_eq!(other, two);
    let file = ScenarioFile::new(fat_tree(4, "seed = 1", &flows), "routing.toml");
    let set = file.with_settings(&["seed=2".to_owned()]).unwrap().read().unwrap();
    assert_eq!(set.network, two.network);
    assert_eq!(other.with_seed(1).unwrap(), one);
    let pinned = of("seed = 1\nroute-seed = 2");
    assert!(pinned.routing.pinned && !pinned.routing.follows_seed());
    assert_eq!(routes(&pinned), routes(&two));
    let again = pinned.with_seed(5).unwrap();
    assert_eq!((routes(&again), again.network.seed), (routes(&two), 5));
}

/// Claim: a file with another seed gives the scenario of that seed. Its text then has the seed,
/// except one above 2^63 - 1, which a file cannot hold.
#[test]
fn a_file_has_one_seed() {
    let text = fat_tree(4, "seed = 1", &copies(8, "H{}", "H{+8}"));
    let file = ScenarioFile::new(text, "tree.toml");
    let one = file.read().unwrap();
    for seed in [2, u64::MAX] {
        let other = file.clone().with_seed(seed).unwrap();
        let (read, drawn) = (other.read().unwrap(), one.with_seed(seed).unwrap());
        assert_eq!(read.network, drawn.network);
        assert_ne!(routes(&read), routes(&one));
        assert_eq!(other.written("seed"), Some(if seed == 2 { "2" } else { "1" }));
    }
}

/// Claim: what was set after reading stays under another seed; a network that was changed by hand
/// is refused rather than put back.
#[test]
fn what_was_set_stays_under_another_seed() {
    let mut scenario = read(&fat_tree(4, "", &copies(8, "H{}", "H{+8}")));
    scenario.set_duration("3 us").unwrap();
    scenario.set_warm_up("1 us").unwrap();
    let other = scenario.with_seed(9).unwrap();
    assert_eq!(
        (other.network.duration, other.warm_up),
        (scenario.network.duration, scenario.warm_up)
    );
    assert_ne!(routes(&other), routes(&scenario));
    scenario.network.vcs.pop();
    let wrong = scenario.with_seed(9).unwrap_err();
    assert!(wrong.to_string().contains("was changed after it was read"), "{wrong}");
    assert!(wrong.items[0].hint.as_ref().unwrap().contains("route-seed = 1"));
}

/// Claim: `first` is one path for all, and multicast takes the first under any rule.
#[test]
fn first_is_one_path_and_multicast_keeps_it() {
    let flows = copies(8, "H{}", "H{+8}");
    let first = read(&fat_tree(4, "routing = \"first\"", &flows));
    let by_core: BTreeSet<String> =
        routes(&first).into_values().map(|way| way[3].clone()).collect();
    assert_eq!(by_core, BTreeSet::from(["C1->P3A1", "C1->P4A1"].map(str::to_owned)));
    assert_eq!(first.routing.equal, [0, 1, 2, 3, 4, 5, 6, 7]);
    let tree = "[[flow]]\nname = \"tree\"\nfrom = \"H1\"\nto = [\"H9\", \"H13\"]\n";
    let trees = ["first", "ecmp", "d-mod-k"].map(|rule| {
        let scenario = read(&fat_tree(4, &format!("routing = \"{rule}\""), tree));
        assert!(scenario.routing.equal.is_empty());
        routes(&scenario)
    });
    assert_eq!((&trees[0], &trees[0]), (&trees[1], &trees[2]));
}

/// Claim: eight flows of one core are found out: 4 of them on one link, 400 % of its rate, where an
/// even split puts 100 % on each of the four links above a pair of hosts' switches.
#[test]
fn collisions_are_found_out() {
    let flows = copies(8, "H{}", "H{+8}");
    let first = read(&fat_tree(4, "routing = \"first\"", &flows));
    let hottest = first.routing.hottest.as_ref().unwrap();
    assert_eq!((hottest.vcs.len(), hottest.load, hottest.even_load), (4, 4.0, 1.0));
    let [warning] = &first.warnings[..] else { panic!("{:#?}", first.warnings) };
    assert_eq!(warning.code, Code::UNEVEN_PATHS);
    let message = "4 flows collide on `P1A1->C1` (`F1`, `F2`, `F3`, `F4`): they offer 400 % of its \
                   rate, and equal paths could take them, at 100 % on the fullest link";
    assert_eq!(warning.message, message);
    // A shift under D-mod-k collides nowhere; half the rate from one core neither.
    let even = read(&fat_tree(4, "routing = \"d-mod-k\"", &flows));
    assert_eq!((even.warnings.len(), even.routing.hottest.unwrap().load), (0, 1.0));
    let slow = format!("{flows}source = {{ kind = \"constant\", rate = \"100 Gb/s\" }}\n");
    let slow = read(&fat_tree(4, "routing = \"first\"", &slow));
    assert_eq!((slow.warnings.len(), slow.routing.hottest.unwrap().load), (0, 1.0));
}

/// Claim: D-mod-k between hosts that are not in one whole fat tree is an error that names both.
#[test]
fn d_mod_k_needs_a_whole_fat_tree() {
    let head = "routing = \"d-mod-k\"";
    let outside = format!(
        "{}[[host]]\nname = \"X\"\n[[link]]\nbetween = [\"X\", \"P1E1\"]\nrate = \"400 Gb/s\"\n",
        flow("out", "X", "H9")
    );
    let more = format!(
        "{}[[link]]\nbetween = [\"P1E1\", \"P1A1\"]\nrate = \"400 Gb/s\"\n",
        flow("more", "H1", "H9")
    );
    for (flows, ends) in [(outside, "`X` and `H9`"), (more, "`H1` and `H9`")] {
        let wrong = Scenario::from_toml(&fat_tree(4, head, &flows), "routing.toml").unwrap_err();
        assert_eq!(wrong.items[0].code, Code::NO_D_MOD_K);
        assert!(wrong.items[0].message.contains(ends), "{wrong}");
    }
}

/// Claim: a multicast flow that would leave its host by two links is an error with both, not a
/// broken invariant: a host puts a cell on one link, and switches copy it.
#[test]
fn a_multicast_flow_leaves_its_host_by_one_link() {
    let text = "version = 2\nduration = \"1 ms\"\n[defaults.link]\nrate = \"1 Gb/s\"\n\
                [[host]]\nname = \"A\"\n[[host]]\nname = \"B\"\n[[host]]\nname = \"C\"\n\
                [[switch]]\nname = \"S\"\n[[link]]\nbetween = [\"A\", \"S\"]\n[[link]]\n\
                between = [\"C\", \"S\"]\n[[link]]\nbetween = [\"A\", \"B\"]\n[[flow]]\n\
                name = \"f\"\nfrom = \"A\"\nto = [\"B\", \"C\"]\n";
    let wrong = Scenario::from_toml(text, "two.toml").unwrap_err();
    assert_eq!(wrong.items.len(), 1, "{wrong}");
    assert_eq!(wrong.items[0].code, Code::NOT_A_TREE);
    let shown = wrong.to_string();
    assert!(shown.contains("leave `A` by two links, to `B` and to `S`"), "{shown}");
}
