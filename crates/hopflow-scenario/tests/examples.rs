//! The worked examples: each passes the check without a warning, and means what it says.

use std::path::PathBuf;

use hopflow_control::scheduler::SchedulerSpec;
use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_network::{
    CreditScheme, CreditSpec, DirectionId, Engine, HopControl, LaneRule, LanesSpec, NetworkSpec,
    RunCounters, TraceFilter, VcSpec,
};
use hopflow_scenario::Scenario;
use hopflow_units::{Bytes, Cells, Picos, SimTime};

const EXAMPLES: [&str; 40] = [
    "abr-erica-plus",
    "adaptive-credit",
    "backward-rm",
    "beat-down",
    "behind-a-buffer",
    "calls",
    "cbfc",
    "controls",
    "dctcp-incast",
    "delay-bounds",
    "exercise",
    "false-credits",
    "far-wan",
    "figure-14",
    "fill-the-gaps",
    "gigabit-into-ten-megabit",
    "hippi-burst",
    "incast",
    "lanes",
    "lost-credits",
    "memory-by-link",
    "memory-in-cells",
    "mixed-sizes",
    "multicast",
    "nfs",
    "one-vc",
    "per-destination",
    "pfc-deadlock",
    "shared-credits",
    "slow-receiver",
    "tcp-over-atm",
    "traffic-classes",
    "tsn-ats",
    "tsn-gates",
    "udp-and-tcp",
    "unused-past",
    "video",
    "virtual-clock-firewall",
    "vs-vd-satellite",
    "workstation",
];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn example(name: &str) -> Scenario {
    match Scenario::load(&folder().join(format!("{name}.toml"))) {
        Ok(scenario) => scenario,
        Err(diagnostics) => panic!("{diagnostics}"),
    }
}

fn credit(vc: &VcSpec, hop: usize) -> CreditSpec {
    match vc.hops[hop].control {
        HopControl::Credit(credit) => credit,
        HopControl::None => panic!("{} is not controlled on hop {hop}", vc.name),
    }
}

/// Claim: every example, and the template that `init` writes, passes the check in silence.
#[test]
fn examples_pass_without_a_warning() {
    for name in EXAMPLES {
        let scenario = example(name);
        assert_eq!(scenario.warnings, [], "{name}");
        assert!(scenario.title.is_some(), "{name} has a title");
    }
    let template = Scenario::from_toml(Scenario::template(), "template.toml");
    assert_eq!(template.map(|scenario| scenario.warnings), Ok(Vec::new()));
}

/// Claim: what the template has commented out is right too, each for itself.
#[test]
fn what_the_template_suggests_is_right() {
    let template = Scenario::template();
    for key in ["buffer", "scheduler", "reservation", "packet", "[[event]]"] {
        let commented = format!("# {key}");
        assert!(template.contains(&commented), "{key}");
        let mut text = template.replacen(&commented, key, 1);
        if key == "packet" {
            let control = template.lines().find(|line| line.starts_with("control")).unwrap();
            text = text.replacen(control, "", 1);
        }
        if key == "[[event]]" {
            let event = template.split("# [[event]]\n").nth(1).unwrap();
            let body: Vec<&str> = event.lines().take_while(|line| line.starts_with('#')).collect();
            let bare = body.join("\n").replace("# ", "");
            text = text.replacen(&body.join("\n"), &bare, 1);
        }
        let scenario = Scenario::from_toml(&text, "template.toml");
        assert_eq!(scenario.map(|scenario| scenario.warnings), Ok(Vec::new()), "{key}");
    }
}

/// Claim [KMCL94] 7.2: figure 14 has a loop of 155 cell times, 681,585 ps each: 2 x 52,141,253
/// (76.5 cells, rounded up) + 2 x 681,585 = 105,645,676 ps; and N3 = 155, 113, 63.
#[test]
fn figure_14_is_as_in_the_paper() {
    let scenario = example("figure-14");
    let network = &scenario.network;
    let names: Vec<&str> = network.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["A1", "A2", "A3", "S", "B"]);
    assert_eq!(network.duration, Picos(20_000 * 681_585));
    for (vc, n3) in network.vcs.iter().zip([155, 113, 63]) {
        let credit = credit(vc, 0);
        assert_eq!(
            (credit.scheme, credit.n2, credit.n3),
            (CreditScheme::N23, Cells(10), Cells(n3))
        );
    }
    assert!((0..4).all(|link| network.loop_time(link) == Picos(105_645_676)));
    assert_eq!(scenario.record.queues, [3]);
    assert_eq!(scenario.record.throughput, [DirectionId::new(3, 0)]);
}

/// Claim [KMCL94] Eq. (3): 1 km at 1 Gb/s is a loop of 10 us + 2 x 0.424 us; at 10 Mb/s that is
/// 0.256 cells, so N3 = 1. On the slow link 30 is given. S1 holds 4000 / 53 = 75 whole cells.
#[test]
fn the_gigabit_example_sizes_each_link() {
    let network = example("gigabit-into-ten-megabit").network;
    let n3 = |vc: usize| [0, 1, 2].map(|hop| credit(&network.vcs[vc], hop).n3.0);
    assert_eq!(n3(0), [1, 30, 1]);
    assert_eq!(n3(1), [1, 26, 1]);
    assert_eq!(network.nodes[2].buffer, Some(Bytes(4_000).into()));
}

/// Claim: shortest paths to five hosts share the first link and part at the switch.
#[test]
fn the_multicast_example_is_a_tree() {
    let network = example("multicast").network;
    let tree = &network.vcs[0];
    let parents: Vec<Option<usize>> = tree.hops.iter().map(|hop| hop.parent).collect();
    assert_eq!(parents, [None, Some(0), Some(0), Some(0), Some(0), Some(0)]);
    assert_eq!(network.leaves(0).len(), 5);
    assert_eq!(network.vcs.len(), 6);
    assert_eq!(network.vcs[5].name, "burst5");
}

/// Claim: a tree to several hosts does not depend on the order in which they are named. On a row of
/// switches S1 to S4 with a host at each, the path from H1 to Hn has n + 1 links.
#[test]
fn a_tree_does_not_depend_on_the_order_of_its_ends() {
    let row = r#"
version = 2
duration = "1 ms"
[defaults.link]
rate = "1 Gb/s"
[[switch]]
name = "S{}"
count = 4
[[host]]
name = "H{}"
count = 4
[[link]]
between = ["S{}", "S{+1}"]
count = 3
[[link]]
between = ["S{}", "H{}"]
count = 4
[[flow]]
name = "f"
from = "H1"
"#;
    for to in ["[\"H2\", \"H3\", \"H4\"]", "[\"H4\", \"H3\", \"H2\"]", "[\"H3\", \"H4\", \"H2\"]"] {
        let scenario = Scenario::from_toml(&format!("{row}to = {to}\n"), "row.toml");
        let network = scenario.unwrap_or_else(|wrong| panic!("{to}: {wrong}")).network;
        let hops = &network.vcs[0].hops;
        let path = |leaf: usize| {
            let up = std::iter::successors(Some(leaf), |hop| hops[*hop].parent);
            (network.nodes[network.to_node(hops[leaf].direction_id())].name.clone(), up.count())
        };
        let mut paths: Vec<(String, usize)> = network.leaves(0).into_iter().map(path).collect();
        paths.sort();
        let wanted = [("H2", 3), ("H3", 4), ("H4", 5)].map(|(name, n)| (name.to_owned(), n));
        assert_eq!(paths, wanted, "{to}");
        assert_eq!(hops.len(), 7, "one link from H1, three in the row, three to hosts: {to}");
    }
}

/// What is counted in a whole run.
fn run(network: &NetworkSpec) -> RunCounters {
    let mut engine = WindowedEngine::new(network, TraceFilter::default(), 1);
    engine.run_until(SimTime(network.duration.0));
    engine.counters()
}

/// Claim: both engines count the same in the first part of every example.
#[test]
fn both_engines_agree_on_the_examples() {
    for name in EXAMPLES {
        let network = example(name).network;
        // The firewall deletes a flow after 20 s.
        let part = if name == "virtual-clock-firewall" { 5 } else { 40 };
        let end = SimTime(network.duration.0 / part);
        let mut windowed = WindowedEngine::new(&network, TraceFilter::default(), 1);
        let mut reference = ReferenceEngine::new(&network, TraceFilter::default());
        windowed.run_until(end);
        reference.run_until(end);
        assert!(windowed.counters() == reference.counters(), "{name}");
    }
}

/// Claim [KMCL94] 4.4: six credits in a cell instead of one lower the share of credit cells from
/// one in 11 to one in 56 to 61.
#[test]
fn shared_credit_cells_leave_more_to_data() {
    let mut network = example("shared-credits").network;
    let share = |network: &NetworkSpec| {
        let counters = run(network);
        let link = &counters.directions[0];
        link.control_packets as f64 / (link.control_packets + link.data_packets) as f64
    };
    let together = share(&network);
    for hop in network.vcs.iter_mut().flat_map(|vc| &mut vc.hops) {
        if let HopControl::Credit(credit) = &mut hop.control {
            credit.per_cell = 1;
        }
    }
    let alone = share(&network);
    assert!((alone * 11.0 - 1.0).abs() < 0.01, "{alone}");
    assert!((1.0 / 61.5..1.0 / 55.5).contains(&together), "{together}");
}

/// Claim [KMCL94] 4.5: of credits that are wrong by 25, additive credit overruns long after one of
/// them, N23 only where no good credit follows, and after five of them: by 25, less the cells freed
/// since the last credit, fewer than N2 = 10.
#[test]
fn false_credits_overrun_by_their_error() {
    let network = example("false-credits").network;
    let over = |end: u64| {
        let mut engine = WindowedEngine::new(&network, TraceFilter::default(), 1);
        engine.run_until(SimTime(network.duration.0 / 60 * end));
        let counters = engine.counters();
        [0, 1].map(|vc| counters.vcs[vc].hops[0].overrun_packets)
    };
    let (before, once, twice) = (over(29), over(32), over(60));
    assert_eq!((before, once[0], twice[1]), ([0, 0], 0, once[1]));
    assert!([once[1], twice[0]].iter().all(|over| (16..=25).contains(over)), "{once:?} {twice:?}");
}

/// Claim [KMCL94] 2: under N23 nothing of a burst of 800 Mb/s for 10 ms is lost before a link of
/// 155 Mb/s, and it is through before the end; without control more than three quarters of it are
/// lost, and cells of the steady flow, too. 10 ms are 18,868 cells.
#[test]
fn a_hippi_host_is_throttled_and_loses_nothing() {
    let mut network = example("hippi-burst").network;
    let counts = |network: &NetworkSpec| {
        let counters = run(network);
        [0, 1].map(|vc| {
            let of = &counters.vcs[vc];
            let lost: u64 = of.hops.iter().map(|hop| hop.dropped_packets).sum();
            (of.created_packets, of.leaves[0].delivered_packets, lost)
        })
    };
    let [burst, steady] = counts(&network);
    assert_eq!((burst.1, burst.2, steady.2), (burst.0, 0, 0));
    assert!((18_867..=18_869).contains(&burst.0), "{burst:?}");
    for hop in network.vcs.iter_mut().flat_map(|vc| &mut vc.hops) {
        hop.control = HopControl::None;
    }
    let [burst, steady] = counts(&network);
    assert!(burst.2 * 4 > burst.0 * 3 && steady.2 > 0, "{burst:?} {steady:?}");
}

/// Claim [Zhang90] 3.2.3: VirtualClock loses no packet of a flow that keeps to its reservation,
/// and gives the other what is left; FIFO takes from all alike. 128 kb/s for 120 s are 7,680
/// packets of 250 B. About 5 x 9.7 + 50 = 98.5 packets/s are offered to 64: 35 % is lost. The
/// fifth check of the fast flow, at packet 1,000, is near 20 s; it deletes the flow.
#[test]
fn virtual_clock_is_a_firewall_and_fifo_is_none() {
    let counters = run(&example("virtual-clock-firewall").network);
    let lost = |vc: usize| {
        let hops = &counters.vcs[vc].hops;
        hops.iter().map(|hop| hop.pushed_out_packets + hop.dropped_packets).sum::<u64>()
    };
    let sent = |vc: usize| counters.vcs[vc].created_packets;
    assert_eq!([0, 1, 2, 3, 4].map(lost), [0; 5]);
    let delivered: u64 = (0..6).map(|vc| counters.vcs[vc].leaves[0].delivered_packets).sum();
    assert!((7_600..=7_680).contains(&delivered), "{delivered} of 7,680 packets");
    for vc in 6..11 {
        let share = lost(vc) as f64 / sent(vc) as f64;
        assert!((0.25..0.45).contains(&share), "VC {vc} lost {share} to FIFO");
    }
    let fast = &counters.vcs[5].hops[1];
    assert_eq!(fast.slow_down_messages, 3);
    let deleted = fast.deleted.unwrap();
    assert!((15..25).contains(&(deleted.0 / Picos::PER_SECOND)), "deleted at {deleted}");
}

/// Claim: deficit round robin shares bytes by weight, 2 : 2 : 2 : 4 of 10 Mb/s, within 1 % (what
/// begins before all are backlogged); round robin gives the three that are always backlogged as
/// many packets each, and the fourth, which wants less than a turn, all it wants.
#[test]
fn turns_of_bytes_and_of_packets_share_as_they_should() {
    let counters = run(&example("mixed-sizes").network);
    let leaf = |vc: usize| &counters.vcs[vc].leaves[0];
    for (vc, mbps) in [2.0, 2.0, 2.0, 4.0].into_iter().enumerate() {
        let found = leaf(vc).delivered_bytes as f64 * 8.0 / 10.0 / 1e6;
        assert!((found / mbps - 1.0_f64).abs() < 0.01, "VC {vc} has {found} Mb/s, not {mbps}");
    }
    let packets = [4, 5, 7].map(|vc| leaf(vc).delivered_packets);
    let spread = packets.iter().max().unwrap() - packets.iter().min().unwrap();
    assert!(spread * 100 < packets[0], "packets differ by {spread}: {packets:?}");
    assert_eq!(counters.vcs[6].hops[0].dropped_packets, 0);
}

/// Claim: delays stay below the bounds worked out in the example. At a port of rate C a packet of
/// class p waits, from the time it may go, for the bursts of its class and those above and for one
/// packet of a lower class, at the rate that those above leave: (3 x 800 + 1500) x 8 / 100 Mb/s
/// and (2400 + 30000 + 1500) x 8 / 94 Mb/s; its own last bit is among these. Shaping adds nothing.
/// The first link adds a packet, propagation 3 us. The camera that sends too much gets
/// 21 Mb/s x 1 s + 15 kB = 2,112 packets at most.
#[test]
fn shaped_flows_stay_below_their_bounds() {
    let counters = run(&example("tsn-ats").network);
    let greatest = |vc: usize| counters.vcs[vc].leaves[0].delay.max_ps().unwrap();
    for vc in 0..3 {
        assert!(greatest(vc) <= 2 * 312_000_000 + 16_000_000 + 3_000_000, "{}", greatest(vc));
    }
    let cam1 = greatest(3);
    assert!(cam1 <= 2 * 2_885_106_383 + 100_000_000 + 3_000_000, "{cam1}");
    assert_eq!(counters.vcs[3].hops.iter().map(|hop| hop.dropped_packets).sum::<u64>(), 0);
    let cam2 = counters.vcs[4].leaves[0].delivered_packets;
    assert!((2_050..=2_112).contains(&cam2), "{cam2} packets");
}

/// Claim, by hand, and as the showcase of INET for 802.1Qbv has it: every packet of the control
/// loop takes 2 x (72 x 8 / 100 Mb/s + 50 ns) = 11.62 us, beside 60 Mb/s of others. Under strict
/// priority some packet waits for others.
#[test]
fn gates_keep_a_window_free() {
    let mut network = example("tsn-gates").network;
    let counters = run(&network);
    let delay = &counters.vcs[0].leaves[0].delay;
    assert_eq!((delay.count(), delay.max_ps()), (1_000, Some(11_620_000)));
    assert!((delay.mean_ps().unwrap() - 11_620_000.0).abs() < 1e-3);
    assert!(counters.vcs[1].leaves[0].delivered_packets > 4_500);
    for direction in network.links.iter_mut().flat_map(|link| &mut link.directions) {
        direction.scheduler = SchedulerSpec::StrictPriority;
    }
    assert!(run(&network).vcs[0].leaves[0].delay.max_ps() > Some(50_000_000));
}

/// Claim, by hand: of 900 Mb/s in 100 ms, classes of weights 60 and 40 have 4,500 and 3,000 packets
/// of 1500 B; the strict class loses nothing. A packet of it takes 0.16 us to S and 1.6 us on, with
/// 1 us of each link, and waits for at most one packet of 1500 B, 12 us. Of the 960 kB that are not
/// reserved both have a quarter, 160 packets, and at most a few packets of voice are there.
#[test]
fn classes_share_what_a_strict_one_leaves() {
    let counters = run(&example("traffic-classes").network);
    let of = |vc: usize| &counters.vcs[vc].leaves[0];
    let voice = of(0);
    assert!((6_248..=6_250).contains(&voice.delivered_packets), "{}", voice.delivered_packets);
    assert!(voice.delay.max_ps().is_some_and(|delay| delay <= 15_760_000), "{:?}", voice.delay);
    let sent = [1, 2].map(|vc| of(vc).delivered_packets);
    let held = counters.nodes[3].memory_max_bytes;
    assert!((480_000..=481_000).contains(&held), "{held}");
    assert!((4_495..=4_500).contains(&sent[0]) && (2_996..=3_001).contains(&sent[1]), "{sent:?}");
}

/// Claim, by hand (docs/models/lanes.md): R is 312.26 ns before a host and 83.2 ns more before a
/// switch, so 4 and 5 packets of 17 credits. Nothing is lost, two senders get half of the link
/// each, and it is busy from the first packet on, which starts within 83.2 ns and takes 133.2 ns to
/// the switch. With 2 packets of credit `check` warns.
#[test]
fn cbfc_fills_a_link_without_loss() {
    let scenario = example("cbfc");
    let buffer = |id: usize| match scenario.network.direction(DirectionId(id)).lanes {
        Some(LanesSpec { rule: LaneRule::Cbfc(lane), .. }) => lane.buffer,
        other => panic!("{other:?}"),
    };
    assert_eq!([0, 2, 4].map(buffer), [85, 85, 68]);
    let counters = run(&scenario.network);
    let delivered = [0, 1].map(|vc: usize| counters.vcs[vc].leaves[0].delivered_packets);
    assert!(delivered[0].abs_diff(delivered[1]) <= 1, "{delivered:?}");
    let idle = scenario.network.duration.0 - counters.directions[4].busy.0;
    assert!((133_200..133_200 + 83_200).contains(&idle), "{idle}");
    let text = std::fs::read_to_string(folder().join("cbfc.toml")).expect("the example");
    let small = text.replace("buffer = \"auto\"", "buffer = 34");
    let warnings = Scenario::from_toml(&small, "cbfc.toml").expect("a valid scenario").warnings;
    assert!(warnings.iter().any(|one| one.message.contains("34 blocks")), "{warnings:?}");
}

/// Claim: the same file gives the same resolved form, byte for byte; keys end in their units.
#[test]
fn the_resolved_form_is_stable() {
    let resolved = serde_json::to_string_pretty(&example("one-vc").resolved()).unwrap();
    assert_eq!(resolved, serde_json::to_string_pretty(&example("one-vc").resolved()).unwrap());
    insta::assert_snapshot!(resolved);
}

/// Claim: a warm-up is read from the file, in cells too, or set afterwards; it may be nothing.
/// Lengths are counted where they are asked for.
#[test]
fn a_warm_up_and_lengths_are_read() {
    let plain = example("one-vc");
    assert_eq!(plain.warm_up, Picos::ZERO);
    let text = r#"
version = 2
duration = "1 ms"
warm-up = "10 cells"
[[host]]
name = "A"
[[host]]
name = "B"
[[link]]
between = ["A", "B"]
rate = "424 Mb/s"
delay = "1 us"
[[flow]]
name = "VC1"
route = ["A", "B"]
source = { kind = "greedy" }
[record]
lengths = ["A->B"]
"#;
    let mut scenario = Scenario::from_toml(text, "a.toml").unwrap();
    assert_eq!(scenario.warm_up, Picos(10_000_000));
    let counted = scenario.network.links[0].directions.each_ref().map(|d| d.count_lengths);
    assert_eq!(counted, [true, false]);
    assert_eq!(scenario.resolved()["record"]["lengths"], serde_json::json!(["A->B"]));
    assert_eq!(scenario.resolved()["warm_up_ps"], 10_000_000);
    scenario.set_warm_up("0 s").unwrap();
    assert_eq!(scenario.warm_up, Picos::ZERO);
    assert!(scenario.set_warm_up("3 km").is_err());
}

/// Claim: a duration set afterwards is read as in the file, and a wrong one is refused.
#[test]
fn a_duration_can_be_set_afterwards() {
    let mut scenario = example("one-vc");
    scenario.set_duration("3 ms").unwrap();
    assert_eq!(scenario.network.duration, Picos(3_000_000_000));
    scenario.set_duration("10 cells").unwrap();
    assert_eq!(scenario.network.duration, Picos(6_815_850));
    for wrong in ["3", "3 km", "-3 ms", "0 s", "1e30 s", "soon"] {
        assert!(scenario.set_duration(wrong).is_err(), "{wrong}");
    }
    // The links of this one have different cell times.
    assert!(example("gigabit-into-ten-megabit").set_duration("10 cells").is_err());
}
