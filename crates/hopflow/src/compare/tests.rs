//! Comparisons of tiny networks, computed by hand.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hopflow_network::{CreditScheme, SourceSpec};
use hopflow_testing::{NetworkBuilder, credit};

use super::*;

/// Three greedy senders into one link of 424 Mb/s (a cell in 1 us), delays of 2 us: a loop of 6
/// cells. The switch has room for 60 cells.
const THREE: &str = r#"version = 2
jitter = "exact"
title = "three into one"
duration = "2 ms"
[defaults.link]
rate = "424 Mb/s"
delay = "2 us"
[[switch]]
name = "S"
buffer = "60 cells"
[[host]]
name = "A{}"
count = 3
[[host]]
name = "B"
[[link]]
between = ["A{}", "S"]
count = 3
[[link]]
between = ["S", "B"]
[[flow]]
name = "VC{}"
count = 3
from = "A{}"
to = "B"
[[variant]]
name = "tight"
flow = { control = { kind = "n23", n2 = 1, n3 = 1 } }
"#;

fn contenders(controls: &[&str]) -> Vec<Contender> {
    contenders_of(THREE, controls)
}

fn contenders_of(text: &str, controls: &[&str]) -> Vec<Contender> {
    let file = ScenarioFile::new(text, "three.toml");
    let under = |name: &&str| {
        let scenario = file.under(name).unwrap_or_else(|wrong| panic!("{wrong}"));
        Contender { name: (*name).to_owned(), title: None, scenario }
    };
    controls.iter().map(under).collect()
}

fn threads(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).expect("above zero")
}

fn compared(controls: &[&str]) -> Comparison {
    compared_in(THREE, controls)
}

fn compared_in(text: &str, controls: &[&str]) -> Comparison {
    let contenders = contenders_of(text, controls);
    compare(contenders, &RunOptions::default(), threads(2), None).expect("it runs")
}

fn causes(comparison: &Comparison) -> Vec<(&str, Vec<&str>)> {
    fn affected(note: &CompareNote) -> (&str, Vec<&str>) {
        (&note.cause, note.controls.iter().map(String::as_str).collect())
    }
    notes_of(comparison).into_iter().map(affected).collect()
}

/// The notes without that on the admission of packets, which has a test of its own.
fn notes_of(comparison: &Comparison) -> Vec<&CompareNote> {
    comparison.notes.iter().filter(|note| note.cause != "admission").collect()
}

/// Claim: the rule by which packets are admitted to full buffers is one for all controls, and a
/// note says under which of them it has effect: information with jitter, a warning without.
#[test]
fn admission_is_one_rule_for_all_controls() {
    let with = THREE.replace("jitter = \"exact\"\n", "");
    for (text, severity) in [(with.as_str(), "info"), (THREE, "warning")] {
        let all = compared_in(text, &["drop-tail", "n23"]);
        let note = all.notes.iter().find(|note| note.cause == "admission").expect("there is one");
        assert_eq!(
            (note.severity.as_str(), &note.controls[..]),
            (severity, &["drop-tail".to_owned()][..])
        );
        assert!(note.text.contains("Under `n23` no buffer drops packets of several links."));
    }
    let lossless = compared_in(&with, &["n23"]);
    assert!(lossless.notes.iter().all(|note| note.cause != "admission"));
}

/// Claim: without control two of three cells are lost, the switch is full, and what it would need
/// is two cells for every microsecond. A1's cell n arrives at 1 + 2 + n us; so do the others', and
/// one leaves: at the end, 2000 us, 3 x 1997 have come and 1996 have left: 3995 are held.
#[test]
fn drop_tail_needs_what_it_loses() {
    let all = compared(&["drop-tail"]);
    let none = &all.runs[0].measures;
    let switch = &none.switches[0];
    assert_eq!((switch.max_packets, switch.p99_packets), (60, 60));
    assert_eq!(none.needed_packets, 3 * 1997 - 1996);
    assert_eq!(none.lost_packets, 3 * 1997 - 1996 - 60);
    assert_eq!(switch.promised_packets, None);
    assert_eq!(all.manifest.bottleneck.as_deref(), Some("S->B"));
}

/// Claim: under N23 with N2 = 10 and N3 = the loop of 6 nothing is lost, the link is full (less the
/// first 4 of 2000 us) and shared alike, and no more is held than promised, 3 x 16 cells. With N2 =
/// N3 = 1 a VC has 2 cells per loop of 6 us: 3 x 2 / 6 is still full, with less held.
#[test]
fn credit_loses_nothing() {
    let all = compared(&["n23", "tight"]);
    let [n23, tight] = [0, 1].map(|index| &all.runs[index].measures);
    for one in [n23, tight] {
        assert_eq!(one.lost_packets, 0);
        assert!(one.jain.unwrap() > 0.9999, "{:?}", one.jain);
        assert!(one.violations.is_empty(), "{:?}", one.violations);
    }
    assert!((n23.utilization.unwrap() - 1997.0 / 2000.0).abs() < 0.001, "{:?}", n23.utilization);
    assert_eq!(n23.switches[0].promised_packets, Some(48));
    assert_eq!(tight.switches[0].promised_packets, Some(6));
    assert!(n23.needed_packets <= 48 && tight.needed_packets <= 6);
    assert!(tight.needed_packets < n23.needed_packets);
    // Within a part of 10 us the first cells come.
    assert!(n23.settled_ps.is_some_and(|at| at <= 20_000_000), "{:?}", n23.settled_ps);
    assert_eq!(
        n23.delay_max_ps,
        all.runs[0].summary.vcs.iter().filter_map(|vc| Some(vc.delay_ps?.max)).max()
    );
}

/// Claim: every run is the one that the scenario gives alone under its control, on any number of
/// threads; curves are of the whole run, and their means those of the summary.
#[test]
fn runs_are_those_of_their_scenarios() {
    let controls = ["drop-tail", "n23", "fifo"];
    let options = RunOptions::default();
    let one = compare(contenders(&controls), &options, threads(1), None).unwrap();
    let many = compare(contenders(&controls), &options, threads(5), None).unwrap();
    assert_eq!(one.manifest, many.manifest);
    assert_eq!(one.manifest.controls, controls);
    for (run, contender) in one.runs.iter().zip(contenders(&controls)) {
        let alone = crate::run(&contender.scenario, &options).unwrap();
        assert_eq!(run.manifest.digest, alone.manifest.digest);
        assert_eq!(run.summary.vcs, alone.summary.vcs);
        assert_eq!((run.queues.len(), run.rates.len()), (1, 3));
        let values = &run.queues[0].values;
        assert_eq!(values.len(), 200);
        let mean = values.iter().sum::<f64>() / 200.0;
        let node = alone.summary.node("S").unwrap();
        assert!((mean - node.mean_packets).abs() < 1e-6);
        assert!((run.measures.switches[0].mean_packets - node.mean_packets).abs() < 1e-6);
        let rates: f64 = run.rates.iter().flat_map(|rate| &rate.values).sum::<f64>() / 200.0;
        // What is on its way at the end is sent but not delivered: 3 us of 2 ms.
        assert!((rates - run.measures.throughput_bps).abs() < 424e6 * 4.0 / 2000.0);
    }
}

/// Claim: flows of one link share a pool, which is promised once: here each has a link of its own,
/// so three pools. A pool is 4 R + 2 N: with a loop of 6 cells and one flow 26 cells. Of 60 cells
/// there 78 are promised, which is reported; 16 for each of three under N23 are not too much.
#[test]
fn promises_above_the_memory_are_reported() {
    let [adaptive, n23] = ["adaptive", "n23"].map(|name| contenders(&[name]).remove(0).scenario);
    let over = over_promised(&adaptive.network);
    assert_eq!(
        over,
        [OverPromised {
            node: "S",
            promised: 78,
            room: hopflow_units::Cells(60).into(),
            counted: None
        }]
    );
    assert_eq!(over_promised(&n23.network), []);
    assert_eq!(compared(&["adaptive"]).runs[0].measures.switches[0].promised_packets, Some(78));
}

/// Claim: a delay is split into sending host and network. Of a VC alone nothing waits in the
/// network: a cell takes 2 x (1 + 2) us from its first bit on. A greedy source waits nowhere; at
/// twice the rate of the link every cell waits half a microsecond longer than the one before.
#[test]
fn delays_are_split_into_host_and_network() {
    let alone = THREE.replace("count = 3", "count = 1");
    let all = compared_in(&alone, &["drop-tail"]);
    let one = &all.runs[0].measures;
    // A greedy packet is born as it starts.
    assert_eq!((one.delay_network_ps, one.delay_host_ps), (Some(6e6), Some(0.0)));
    assert_eq!(one.delay_mean_ps, Some(6e6));
    let constant = "from = \"A{}\"\nsource = { kind = \"constant\", rate = \"848 Mb/s\" }";
    let twice = alone.replace("from = \"A{}\"", constant);
    let all = compared_in(&twice, &["drop-tail"]);
    let one = &all.runs[0].measures;
    // Cell n is born at n / 2 us and starts at n us: n / 2 us wait, of 1994 delivered in 2 ms.
    assert_eq!(one.delay_network_ps, Some(6e6));
    let waits = one.delay_host_ps.unwrap();
    assert!((waits - 0.5e6 * 1994.0 / 2.0).abs() < 1e6, "{waits}");
    assert!(one.tcp.is_none());
}

/// Claim: what is cancelled is left out; what cannot be run names its control.
#[test]
fn cancelled_runs_are_left_out() {
    let cancel = Some(Arc::new(AtomicBool::new(true)));
    let options = RunOptions { cancel, ..RunOptions::default() };
    let cut = compare(contenders(&["drop-tail", "n23"]), &options, threads(2), None).unwrap();
    assert!(!cut.complete && cut.runs.is_empty() && cut.manifest.controls.is_empty());
    let options = RunOptions { duration: Some(Picos::ZERO), ..RunOptions::default() };
    let error = compare(contenders(&["n23"]), &options, threads(1), None).unwrap_err();
    assert!(error.to_string().starts_with("under `n23`: "), "{error}");
}

/// Claim: without names the scenario as it stands comes first, then the variants of its file.
#[test]
fn variants_are_the_default() {
    let file = ScenarioFile::new(THREE, "three.toml");
    assert_eq!(default_controls(&file).unwrap(), ["as-is", "tight"]);
    let bare = ScenarioFile::new(THREE.split("[[variant]]").next().unwrap(), "three.toml");
    assert_eq!(default_controls(&bare), None);
}

/// Claim: XOFF is the input's share of the buffer less the headroom. Eight priorities are paused,
/// so eight pause frames may wait: 1 cell on the way back + 8 + 4 us of delay = 13 cells, one that
/// starts last and one that crosses XOFF: 15. Of 60 cells each of three inputs has 20: XOFF is 5.
/// Then nothing is lost; with XOFF at 100 cells two thirds are.
#[test]
fn pfc_is_sized_by_the_buffer() {
    let all = compared(&["pfc"]);
    let pfc = &all.runs[0].measures;
    assert_eq!(pfc.lost_packets, 0);
    assert!(pfc.switches[0].max_packets <= 60 && pfc.switches[0].max_packets > 15);
    let xoff = all.sizes.iter().find(|size| size.size == "XOFF").expect("it is sized");
    assert_eq!([xoff.least, xoff.most, xoff.places], [5 * 53, 5 * 53, 3]);
    assert_eq!((xoff.law_least, xoff.law_most), (Some(5 * 53), Some(5 * 53)));
    assert_eq!(causes(&all), []);
    let more = "[[variant]]\nname = \"by-hand\"\nlink = { pause = { priorities = [0, 1, 2, 3, 4, \
                5, 6, 7], xoff = \"100 cells\" } }\n";
    let all = compared_in(&format!("{THREE}{more}"), &["by-hand"]);
    assert!(all.runs[0].measures.lost_share > 0.5);
    assert_eq!(causes(&all), [("lossless-lost", vec!["by-hand"])]);
    let note = &all.notes[0];
    assert!(note.text.contains("should lose nothing, but lost"), "{note}");
    assert!(note.change.contains("above the 265 B that its memory allows"), "{note}");
}

/// Claim: with a packet of XOFF and 15 above it for each of three inputs, 48 cells are the least
/// with which PFC fits, and no packet is lost with them; the need is that of all inputs together.
/// Three VCs of N23 need 3 x 16 cells in all, though each alone has 16; so do three lanes under
/// credit, which need no headroom.
#[test]
fn what_does_not_fit_tells_its_need_in_all() {
    let with = |cells: u32| THREE.replace("60 cells", &format!("{cells} cells"));
    let all = compared_in(&with(48), &["pfc"]);
    assert_eq!(all.runs[0].measures.lost_packets, 0);
    let file = ScenarioFile::new(with(47), "three.toml");
    let wrong = file.under("pfc").expect_err("47 are too few").to_string();
    assert!(wrong.contains("HF0052") && wrong.contains("16 each"), "{wrong}");
    assert!(wrong.contains("raise `buffer` to \"48 packets\""), "{wrong}");
    let needs_of = |control: &str| {
        let unlimited = file.under_unlimited(control).expect("it fits without limits");
        needs(&unlimited.network)
    };
    let need = |packets| vec![Need { node: "S".to_owned(), packets, bytes: None, formula: None }];
    assert_eq!(needs_of("pfc"), need(48));
    assert_eq!(needs_of("n23"), need(48));
    assert_eq!(needs_of("lanes"), need(48));
    assert_eq!(needs_of("drop-tail"), []);
    let unfit = Unfit {
        control: "pfc".to_owned(),
        title: None,
        code: "HF0052".to_owned(),
        reason: "too small".to_owned(),
        change: Some("raise it".to_owned()),
        needs: need(48),
    };
    let of_vc = Unfit { reason: "the `vc-buffer` is too small".to_owned(), ..unfit.clone() };
    let beside = compared(&["drop-tail"]).beside(vec![unfit, of_vc]);
    assert_eq!(causes(&beside), [("does-not-fit", vec!["pfc"]), ("does-not-fit", vec!["pfc"])]);
    let notes = notes_of(&beside);
    assert_eq!(notes[1].change, "Raise it.");
    let said = notes[0].to_string();
    let expected = "`pfc` does not fit: too small. It needs 48 packets at `S` in all. Raise the \
                    memory of `S` to 48 packets.";
    assert_eq!(said, expected);
}

/// Claim: the need of a node is that of its most demanding input, for each input. As above, but A3
/// has 4 us of delay, so 8 there and back: 19 cells beyond XOFF and 20 in all, for each of three
/// inputs. A `port-buffer` is shared by the inputs of the port: of 60 cells each has 20, as of a
/// `buffer`, and XOFF is 5 cells for A1 and A2, and 1 for A3.
#[test]
fn the_worst_input_decides_what_pauses_need() {
    let links = "between = [\"A{}\", \"S\"]\ncount = 3";
    let far = "between = [\"A{}\", \"S\"]\ncount = 2\n[[link]]\nbetween = [\"A3\", \"S\"]\n\
               delay = \"4 us\"";
    let text = THREE.replace(links, far);
    let file = ScenarioFile::new(text.replace("60 cells", "59 cells"), "three.toml");
    let wrong = file.under("pfc").expect_err("59 are too few").to_string();
    assert!(wrong.contains("HF0052") && wrong.contains("20 each"), "{wrong}");
    let unlimited = file.under_unlimited("pfc").expect("it fits without limits");
    assert_eq!(
        needs(&unlimited.network),
        [Need { node: "S".to_owned(), packets: 60, bytes: None, formula: None }]
    );
    for text in [text.clone(), text.replace("\nbuffer =", "\nport-buffer =")] {
        let all = compared_in(&text, &["pfc"]);
        assert_eq!(all.runs[0].measures.lost_packets, 0);
        let xoff = all.sizes.iter().find(|size| size.size == "XOFF").expect("it is sized");
        assert_eq!([xoff.least, xoff.most, xoff.places], [53, 5 * 53, 3]);
    }
}

/// Claim: one lost packet is reported. At t us 3 (t - 3) cells have come and t - 4 have left: at 33
/// us 61 are held, one more than fit, if nothing is paused before 100 are.
#[test]
fn one_packet_lost_is_reported() {
    let more = "[[variant]]\nname = \"by-hand\"\nlink = { pause = { priorities = [0], xoff = \"100 \
                cells\", room = \"auto\" } }\n";
    let short = format!("{THREE}{more}").replace("2 ms", "33 us");
    let all = compared_in(&short, &["by-hand"]);
    assert_eq!(all.runs[0].measures.lost_packets, 1);
    assert_eq!(causes(&all), [("lossless-lost", vec!["by-hand"])]);
    let text = &notes_of(&all)[0].text;
    assert!(text.starts_with("`by-hand` should lose nothing, but lost 1 packet ("), "{text}");
}

/// Claim: connections together are complete when the last is: the transfer of 40 kB ends later than
/// that of 10 kB, which shares its link.
#[test]
fn the_last_transfer_completes_the_connections() {
    let two =
        THREE.split("[[flow]]").next().expect("the network").replace("60 cells", "6000 cells");
    let flow = |host: u8, bytes: u8| {
        format!(
            "[[flow]]\nname = \"F{host}\"\nfrom = \"A{host}\"\nto = \"B\"\nframing = \"aal5\"\n\
             source = {{ kind = \"tcp\", variant = \"newreno\", transfer = \"{bytes} kB\" }}\n"
        )
    };
    let text = format!("{two}{}{}", flow(1, 40), flow(2, 10)).replace("2 ms", "1 s");
    let all = compared_in(&text, &["drop-tail"]);
    let run = &all.runs[0];
    let ends = run.summary.connections.iter().map(|one| one.tcp.as_ref()?.finished_ps);
    let ends: Vec<u64> = ends.map(|end| end.expect("it is finished")).collect();
    assert!(ends[0] > ends[1], "{ends:?}");
    let tcp = run.measures.tcp.as_ref().expect("there are connections");
    assert_eq!((tcp.finished, tcp.completion_ps), (2, Some(ends[0])));
}

/// Claim: the Jain index is of throughputs relative to fair shares. Of 424 Mb/s under N23, 100 and
/// 400 Mb/s offered are 100 and 324: 424^2 / (2 (100^2 + 324^2)) = .78 by themselves, and 1 as
/// shares. The same holds where flows do not compete: 100 and 300 Mb/s are what was offered.
#[test]
fn fairness_is_relative_to_fair_shares() {
    let flow = "name = \"VC{}\"\ncount = 3\nfrom = \"A{}\"\nto = \"B\"";
    for second in [400, 300] {
        let offers = [(1, 100), (2, second)].map(|(host, rate)| {
            format!(
                "name = \"VC{host}\"\nfrom = \"A{host}\"\nto = \"B\"\n\
                 source = {{ kind = \"constant\", rate = \"{rate} Mb/s\" }}"
            )
        });
        let text = THREE.replace(flow, &offers.join("\n[[flow]]\n"));
        let run = &compared_in(&text, &["n23"]).runs[0];
        let rates: Vec<f64> = run.measures.vcs.iter().map(|vc| vc.throughput_bps).collect();
        assert!(rates[1] > 2.9 * rates[0], "{rates:?}");
        assert!(run.measures.jain.is_some_and(|jain| jain > 0.9999), "{:?}", run.measures.jain);
    }
}

/// Claim: the memory that a control needs is that of switches: B takes 42.4 of 424 Mb/s from its
/// one sender, and holds nine of ten cells that come, while S never holds more than one.
#[test]
fn a_slow_host_is_no_memory_of_switches() {
    let one = THREE.replace("count = 3", "count = 1");
    let slow = one.replace("name = \"B\"", "name = \"B\"\ndrain = \"10 %\"");
    let all = compared_in(&slow, &["drop-tail"]);
    let measures = &all.runs[0].measures;
    let needed = |kind| {
        let of_kind = measures.switches.iter().find(|node| node.kind == kind);
        of_kind.expect("it is measured").needed_packets
    };
    assert!(needed("host") > 1700, "{}", needed("host"));
    assert_eq!((needed("switch"), measures.needed_packets), (1, 1));
}

/// Claim: what credit promises is held against the least memory of a node: under N23 a slow host is
/// promised 48 cells. Its receive buffer holds them; a buffer of 20 cells would not.
#[test]
fn promises_are_held_against_the_least_memory() {
    let room = "name = \"B\"\ndrain = \"50 %\"\nreceive-buffer = \"48 cells\"";
    let slow = THREE.replace("name = \"B\"", room);
    let mut network = contenders_of(&slow, &["n23"]).remove(0).scenario.network;
    let node = network.nodes.iter().position(|node| node.name == "B").expect("it is there");
    let promised = over_promised(&network);
    assert_eq!(promised, []);
    network.nodes[node].buffer = Some(hopflow_units::Cells(20).into());
    let over = over_promised(&network);
    assert_eq!((over.len(), over[0].node, over[0].room), (1, "B", hopflow_units::Cells(20).into()));
}

/// Claim: lanes per destination have one size on a link, that of the lane that needs most, and the
/// table says so: what is used is what the formula gives, from the least link to the largest, where
/// hosts behind a link get packets of different sizes.
#[test]
fn lanes_of_a_link_have_one_size() {
    let text = "version = 2\nduration = \"100 us\"\n[defaults.link]\nrate = \"10 Gb/s\"\n\
                delay = \"1 us\"\n[[host]]\nname = \"A{}\"\ncount = 2\n\
                [[host]]\nname = \"B{}\"\ncount = 2\n\
                [[switch]]\nname = \"S\"\n[[switch]]\nname = \"T\"\n\
                [[link]]\nbetween = [\"A{}\", \"S\"]\ncount = 2\n\
                [[link]]\nbetween = [\"S\", \"T\"]\n\
                [[link]]\nbetween = [\"T\", \"B{}\"]\ncount = 2\n\
                [[flow]]\nname = \"small\"\nfrom = \"A1\"\nto = \"B1\"\npacket = \"64 B\"\n\
                [[flow]]\nname = \"large\"\nfrom = \"A2\"\nto = \"B2\"\npacket = \"9000 B\"\n";
    let file = ScenarioFile::new(text, "two.toml");
    let network = file.under("n23-destination").expect("it is fine").network;
    let all = sizes::sizes("n23-destination", &network);
    let lane = all.iter().find(|size| size.size == "lane").expect("there are lanes");
    assert_eq!([Some(lane.least), Some(lane.most)], [lane.law_least, lane.law_most]);
    assert!(lane.least < lane.most && lane.places == 6, "{lane:?}");
}

/// Claim: the credit of lanes is one loop: R = a cell there, a credit back and 4 us of delay, 1 us
/// held at S: 7 cells; with a credit after 10 blocks, m = 10 cells of one block: 7 + 9 = 16 blocks.
/// What a lane promises is what its smallest packets fill, so 3 x 16 cells of S.
#[test]
fn lanes_are_sized_by_their_loop() {
    let all = compared(&["lanes"]);
    let lanes = &all.runs[0].measures;
    assert_eq!((lanes.lost_packets, lanes.switches[0].promised_packets), (0, Some(48)));
    let lane = all.sizes.iter().find(|size| size.size == "lane").expect("it is sized");
    assert_eq!((lane.most, lane.law_most), (16, Some(16)));
    assert!(lanes.utilization.unwrap() > 0.99, "{:?}", lanes.utilization);
}

/// Claim: two controls with one digest are the same run, which is reported once for each after the
/// first; a scheduler is reported to be idle if no port has two flows, or two priorities.
#[test]
fn same_runs_and_idle_schedulers_are_reported() {
    let all = compared(&["as-is", "round-robin", "strict-priority"]);
    let same = ("same-run", vec!["as-is", "round-robin"]);
    assert_eq!(causes(&all)[..2], [("idle-scheduler", vec!["strict-priority"]), same]);
    let single = THREE.replace("count = 3", "count = 1");
    let all = compared_in(&single, &["fifo", "n23"]);
    assert_eq!(causes(&all), [("idle-scheduler", vec!["fifo"])]);
    assert!(all.notes[0].text.contains("no port of a switch has two flows"), "{}", all.notes[0]);
}

/// Claim: each seed is the comparison that it gives alone, on any number of threads, and its values
/// are in the estimates; the first control has no difference. A deterministic scenario is reported.
#[test]
fn seeds_are_compared_in_pairs() {
    let poisson = "to = \"B\"\nsource = { kind = \"poisson\", rate = \"200 Mb/s\" }";
    let random = THREE.replace("to = \"B\"", poisson);
    let controls = ["drop-tail", "n23"];
    let of = |text: &str, count: usize, at_once: usize| {
        let contenders = contenders_of(text, &controls);
        let options = RunOptions::default();
        compare_seeds(&contenders, &options, threads(count), threads(at_once), None).unwrap()
    };
    let all = of(&random, 3, 4);
    assert_eq!(all.manifest, of(&random, 3, 1).manifest);
    assert_eq!(all.manifest.seeds, ["1", "2", "3"]);
    assert_eq!(
        (all.complete, &all.manifest.controls[..]),
        (true, &controls.map(str::to_owned)[..])
    );
    let mut delays = Vec::new();
    for (seed, number) in all.seeds.iter().zip(1..) {
        let options = RunOptions { seed: Some(number), ..RunOptions::default() };
        let alone = compare(contenders_of(&random, &controls), &options, threads(2), None).unwrap();
        assert_eq!(seed.manifest, alone.manifest);
        delays.push([0, 1].map(|control| alone.runs[control].measures.delay_mean_ps));
    }
    let row = |control: &str, quantity: &str| {
        let is_it = |row: &&ControlEstimate| row.control == control && row.quantity == quantity;
        all.estimates.iter().find(is_it).expect("it is estimated")
    };
    let n23 = row("n23", "delay_mean_ps");
    assert_eq!(n23.values, delays.iter().map(|[_, n23]| *n23).collect::<Vec<_>>());
    let paired = delays.iter().map(|[first, n23]| n23.unwrap() - first.unwrap());
    let mean = paired.sum::<f64>() / 3.0;
    let found = n23.difference.expect("it is not the first").estimate;
    assert!((found.mean - mean).abs() < 1e-6 * mean.abs().max(1.0), "{found:?}");
    assert_eq!(row("drop-tail", "delay_mean_ps").difference, None);
    assert!(all.notes.iter().all(|note| note.cause != "same-seeds"));
    let exact = THREE.replace("[[flow]]\n", "[[flow]]\nexact-phase = true\n");
    let alike = of(&exact, 2, 2);
    assert!(alike.notes.iter().any(|note| note.cause == "same-seeds"), "{:?}", alike.notes);
    let cancel = Some(Arc::new(AtomicBool::new(true)));
    let options = RunOptions { cancel, ..RunOptions::default() };
    let contenders = contenders_of(THREE, &controls);
    let cut = compare_seeds(&contenders, &options, threads(2), threads(2), None).unwrap();
    assert!(!cut.complete && cut.seeds.is_empty() && cut.estimates.is_empty());
    let options = RunOptions { seed: Some(u64::MAX), ..RunOptions::default() };
    let error = compare_seeds(&contenders, &options, threads(2), threads(1), None).unwrap_err();
    assert!(error.to_string().contains("2 seeds from"), "{error}");
}

/// Claim: a hop under an external scheme has sizes, and no law; the laws of other hops are theirs:
/// N1 of N123 is the loop of S->B, 2 x (50 + 1) = 102 cell times.
#[test]
fn external_schemes_have_no_law() {
    let mut network = NetworkBuilder::new(100);
    let (a, s, b) = (network.host("A"), network.switch("S"), network.host("B"));
    network.link(a, s, 10);
    network.link(s, b, 50);
    let own = credit(CreditScheme::External(0), 4, 30);
    network.vc("VC", &[a, s, b], own, SourceSpec::Greedy);
    network.spec.vcs[0].hops[1].control = credit(CreditScheme::N123, 4, 20);
    let sizes = sizes::sizes("own", &network.spec);
    let size = |name: &str| sizes.iter().find(|size| size.size == name).expect("it is sized");
    let n3 = size("N3");
    assert_eq!([n3.least, n3.most, n3.places], [20, 30, 2]);
    assert_eq!((n3.law_least, n3.law_most), (None, None));
    assert_eq!((size("N1").law_least, size("N1").places), (Some(102), 1));
}
