//! What is said of runs whose limit is known beforehand, and of counters made by hand.

use hopflow_control::lane::LaneCreditSpec;
use hopflow_control::rate::{AbrSpec, EricaOptions, EricaSpec, RateRule};
use hopflow_network::{
    CreditScheme, HopControl, LaneRule, NetworkSpec, RateSpec, Segment, SharedBufferSpec,
    SourceSpec, WindowSpec,
};
use hopflow_record::{RecordSpec, Summary};
use hopflow_testing::{
    NetworkBuilder, cells, credit, n23, pause, per_destination, ring, with_lanes,
};
use hopflow_units::{Bytes, CellRate, Cells, Picos, Probability, Rate};

use super::{Note, Severity, why};

mod endpoints;
mod lockout;
mod processors;
use crate::{RunOptions, run_network};

fn summary(network: &NetworkSpec) -> Summary {
    let options = RunOptions::default();
    run_network(network, &RecordSpec::default(), &options, &mut |_| ()).unwrap().summary
}

/// The sentences about `vc`.
fn sentences(summary: &Summary, vc: &str) -> Vec<String> {
    let notes = why(summary).into_iter().filter(|note| note.vc.as_deref() == Some(vc));
    notes.map(|note| note.to_string()).collect()
}

/// Hosts A1 to An, each with a VC through switch S to host B; loops of 22 cell times.
fn shared(vcs: usize, control: HopControl, source: &SourceSpec) -> NetworkSpec {
    let mut network = NetworkBuilder::new(20_000);
    let (switch, last) = (network.switch("S"), network.host("B"));
    network.link(switch, last, 10);
    for index in 1..=vcs {
        let host = network.host(&format!("A{index}"));
        network.link(host, switch, 10);
        network.vc(&format!("VC{index}"), &[host, switch, last], control, source.clone());
    }
    network.spec
}

/// Claim: of three greedy VCs into one link, the link is the bottleneck, with the names and
/// shares of the others, and the first hop's lack of credit is traced to it.
#[test]
fn a_shared_link_is_named_with_its_users() {
    let summary = summary(&shared(3, n23(4, 22), &SourceSpec::Greedy));
    let found = sentences(&summary, "VC1");
    assert!(found[0].starts_with("VC1 delivered 141."), "{}", found[0]);
    assert_eq!(
        found[1],
        "The bottleneck of VC1 was S->B: the link was busy 99.9 % of the time, 33.3 % with VC1 \
         itself, 33.3 % with VC2, 33.3 % with VC3."
    );
    assert!(found[2].starts_with("On A1->S it was sending 33.4 % of the time"), "{}", found[2]);
    assert!(found[4].starts_with("Its cells waited mostly at S for S->B: "), "{}", found[4]);
    assert_eq!(found.len(), 5);
}

/// Claim: a VC alone with enough credit fills its link; with N2 + N3 of a third of the loop
/// the loop limits it; with every third cell time its source does.
#[test]
fn the_limit_of_a_vc_alone_is_found() {
    let full = sentences(&summary(&shared(1, n23(4, 22), &SourceSpec::Greedy)), "VC1");
    assert_eq!(full[1], "VC1 filled A1->S itself: the link's rate limited it.");
    let tight = sentences(&summary(&shared(1, n23(2, 6), &SourceSpec::Greedy)), "VC1");
    assert!(tight[1].starts_with("VC1 waited for credit on A1->S 6"), "{}", tight[1]);
    let end = "although S often had no cell: N2 + N3 = 8 cells may be out in one round trip, in \
               which the link carries 22.0. N2 + N3 of 22 or more fill the loop.";
    assert!(tight[1].ends_with(end), "{}", tight[1]);
    let third = sentences(&summary(&shared(1, n23(4, 22), &SourceSpec::EveryKth { k: 3 })), "VC1");
    let source = "VC1 was limited mostly by its source: it had nothing to send 66.7 % of the time.";
    assert_eq!(third[1], source);
}

/// Claim: what limits a VC without control may be behind its first link. Three VCs with a cell
/// every other cell time bring 1.5 times what S->B carries: it is the bottleneck, not the source
/// that left the first link idle half of the time. With room for 20 cells at S cells are lost
/// there instead of waiting. Two of them fit: then the source is the limit.
#[test]
fn a_limit_behind_the_first_link_is_found() {
    let every_other = SourceSpec::EveryKth { k: 2 };
    let mut network = shared(3, HopControl::None, &every_other);
    let over = sentences(&summary(&network), "VC1");
    assert!(
        over[1].starts_with("The bottleneck of VC1 was S->B: the link was busy 99."),
        "{over:?}"
    );
    network.nodes[0].buffer = Some(Cells(20).into());
    let summary = summary(&network);
    let worst = summary.vcs.iter().max_by_key(|vc| vc.dropped_packets).expect("three of them");
    let lost = &sentences(&summary, &worst.name)[1];
    assert!(lost.starts_with(&format!("{} lost ", worst.name)), "{lost}");
    let place =
        " % of its cells at S, whose buffer was full: S->B, by which they were to leave, was busy ";
    assert!(lost.contains(place), "{lost}");
    let part = worst.dropped_packets as f64 / worst.created_packets as f64;
    assert!(0.0 < part && part < 1.0, "{part}");
    let text = format!("{} lost {:.1} % of its cells at S,", worst.name, 100.0 * part);
    assert!(lost.starts_with(&text), "{lost} is not {text}");
    let of_worst = |note: &Note| note.vc.as_ref() == Some(&worst.name) && note.cause == "losses";
    let note = why(&summary).into_iter().find(of_worst).expect("it lost cells");
    assert!(note.numbers.contains(&("lost_share", part)), "{:?}", note.numbers);
    let fits = sentences(&self::summary(&shared(2, HopControl::None, &every_other)), "VC1");
    assert!(fits[1].starts_with("VC1 was limited mostly by its source"), "{fits:?}");
}

/// Claim: a greedy VC that fills its first link is limited by a slower link behind it, where its
/// cells pile up.
#[test]
fn a_slower_link_behind_the_first_is_found() {
    let mut network = shared(1, HopControl::None, &SourceSpec::Greedy);
    let first = &mut network.links[1].directions;
    let twice = Rate::from_bps(2 * first[0].rate.bps()).expect("above zero");
    for direction in first {
        direction.rate = twice;
    }
    let found = sentences(&summary(&network), "VC1");
    assert_eq!(found[1], "VC1 filled S->B itself: the link's rate limited it.");
}

/// Claim: two greedy VCs under ERICA, which fills 90 % of their link, end at 45 % of it each, or
/// 190.80 Mb/s, and are reported to be held there, by the port that sets it: ACR and the fair rate
/// of the port agree within the 10 % of error of a load; none is given if no port sets one or
/// paces.
#[test]
fn a_rate_that_was_set_is_named() {
    let mut network = shared(2, HopControl::None, &SourceSpec::Greedy);
    let port = network.vcs[0].hops[1].clone();
    let direction = &mut network.links[port.link].directions[port.direction];
    let cells = CellRate::from_rate(direction.rate);
    let options = EricaOptions { interval: Picos(100_000_000), ..EricaOptions::default() };
    let rule = RateRule::Erica(EricaSpec { options, ..EricaSpec::default() });
    direction.rate_control =
        Some(RateSpec { rule: Some(rule), segment: Segment::Through, backward_rm: None });
    for vc in &mut network.vcs {
        vc.rate = Some(AbrSpec::new(cells).into());
    }
    let summary = summary(&network);
    for vc in &summary.vcs {
        let [first, second] = [0, 1].map(|hop| vc.hops[hop].rate.expect("under rate control"));
        let acr = first.acr_cells_per_second.expect("paced at its source") as f64 / cells.get();
        let fair = second.fair_cells_per_second.expect("ERICA tells one") as f64 / cells.get();
        assert!((0.405..=0.495).contains(&acr) && (fair - 0.45).abs() < 0.01, "{acr}, {fair}");
        assert_eq!((first.fair_cells_per_second, second.acr_cells_per_second), (None, None));
        assert!(first.forward_rm_cells > 100 && second.forward_rm_cells == 0);
        let (out, back) = (first.forward_rm_cells, first.backward_rm_cells);
        assert!(out - back <= 2, "{out} out, {back} back");
        assert_eq!([&*vc.hops[0].control, &*vc.hops[1].control], ["abr", "none"]);
    }
    let found = sentences(&summary, "VC1");
    let held = "VC1 was held to the rate assigned to it on A1->S ";
    assert!(found[1].starts_with(held), "{}", found[1]);
    let place = " The port with the least fair rate, 190.80 Mb/s, was S->B, busy 9";
    assert!(found[1].contains(place), "{}", found[1]);
    assert!(found[3].starts_with("On S->B ") && !found[3].contains("no credit"), "{}", found[3]);
    assert!(found[2].contains("was held to its rate 5"), "{}", found[2]);
}

/// Claim: where credits are lost and never asked for, that is said beside the lack of credit.
#[test]
fn lost_credits_are_reported() {
    let mut network = shared(1, n23(2, 6), &SourceSpec::Greedy);
    network.links[1].directions[1].corrupt_credits = Probability::new(0.3).unwrap();
    let found = sentences(&summary(&network), "VC1");
    let end = " credit cells were lost. Without the losses, or with `refresh`, it would send more.";
    assert!(found[1].ends_with(end), "{}", found[1]);
    assert!(found.iter().any(|text| text.contains("credit cells for A1->S were lost")));
}

/// Claim: a full window is traced to the link behind which the cells wait, or reported to be small.
#[test]
fn a_full_window_is_explained() {
    let mut network = shared(2, HopControl::None, &SourceSpec::Greedy);
    for vc in &mut network.vcs {
        vc.window = Some(WindowSpec { cells: Cells(100), ack_every: Cells(1) });
    }
    let shared = sentences(&summary(&network), "VC1");
    assert!(shared[1].contains("mostly because its cells waited for S->B"), "{}", shared[1]);
    assert!(shared[2].starts_with("The bottleneck of VC1 was S->B"), "{}", shared[2]);
    network.vcs.truncate(1);
    network.vcs[0].window = Some(WindowSpec { cells: Cells(10), ack_every: Cells(1) });
    let small = sentences(&summary(&network), "VC1");
    assert!(small[1].starts_with("VC1 was limited by its window of 10 cells"), "{}", small[1]);
}

/// Claim: lost cells are reported with number and place. Both VCs arrive in lockstep and
/// the port of VC1 comes first, so the room that one cell leaves is always taken by VC1, and
/// VC2 loses.
#[test]
fn losses_are_reported_at_their_place() {
    let mut network = shared(2, HopControl::None, &SourceSpec::Greedy);
    network.nodes[0].buffer = Some(Cells(20).into());
    let summary = summary(&network);
    let dropped = summary.vcs[1].hops[0].dropped_packets;
    assert!(dropped > 0 && summary.vcs[0].hops[0].dropped_packets == 0);
    let text = format!("{dropped} of its cells were dropped at S, whose buffer was full.");
    assert!(sentences(&summary, "VC2").contains(&text));
    // Of a switch with dynamic thresholds, whose buffer need not be full: 21 of 63 cells are held.
    network.nodes[0].buffer = Some(hopflow_units::Bytes(63 * 53).into());
    network.nodes[0].alpha = hopflow_network::Alpha::new(0.5);
    let summary = self::summary(&network);
    assert_eq!(summary.nodes[0].max_bytes, Some(21 * 53));
    let says = "at S, where its queue was at 0.5 times the free memory (`alpha`).";
    let said = ["VC1", "VC2"].map(|vc| sentences(&summary, vc));
    assert!(said.iter().flatten().any(|text| text.contains(says)), "{said:?}");
    // Each of three outputs has 6 cells for itself, so 45 are shared: 6 + 15 are held.
    network.nodes[0].reserve.0[0] = hopflow_units::Bytes(6 * 53);
    let summary = self::summary(&network);
    assert_eq!(summary.nodes[0].max_bytes, Some(21 * 53));
    assert_eq!(summary.nodes[0].reserved_bytes, Some(3 * 6 * 53));
    let says = "at S, where its queue was, beyond its `reserve`, at 0.5 times the free memory that";
    let said = ["VC1", "VC2"].map(|vc| sentences(&summary, vc));
    assert!(said.iter().flatten().any(|text| text.contains(says)), "{said:?}");
}

/// Claim: a VC that has nothing to send for a third of the run is not said to be held by the buffer
/// behind its link: eight senders make 1,700 cells each at once, S->B needs 13,600 of 20,000 cell
/// times for them, and pauses hold them meanwhile. S has no cell after it, and neither has A3.
#[test]
fn an_idle_end_is_no_cause() {
    let mut network = paused(shared(8, HopControl::None, &SourceSpec::EveryKth { k: 1 }));
    for vc in &mut network.vcs {
        vc.stop = Some(hopflow_testing::at(1_700));
    }
    let summary = summary(&network);
    let [first, second] = [0, 1].map(|hop| &summary.vcs[2].hops[hop]);
    assert!(second.no_cell_share > 0.5 * first.no_credit_share, "the case is the one meant");
    let found = sentences(&summary, "VC3");
    assert!(found[1].contains(" S->B") && !found[1].contains("held with its lane"), "{found:?}");
}

/// Claim: of three VCs with N3 below the share that others leave, the one with the least gets
/// least, and its credit is the cause, not the link that is busy with the others: loops of 22
/// cell times, N2 + N3 of 16, 12 and 6 cells. The VC with the most is limited by the link.
#[test]
fn a_credit_below_the_fair_share_is_named() {
    let mut network = shared(3, n23(1, 15), &SourceSpec::Greedy);
    for (vc, n3) in network.vcs.iter_mut().zip([15, 11, 5]) {
        vc.hops[0].control = n23(1, n3);
    }
    let summary = summary(&network);
    let least = sentences(&summary, "VC3");
    assert!(least[1].starts_with("VC3 waited for credit on A3->S "), "{}", least[1]);
    assert!(
        least[1].contains(": N2 + N3 = 6 cells may be out in one round trip, in which the link")
    );
    assert!(least[1].contains(" On S->B, busy 99."), "{}", least[1]);
    assert!(least[1].ends_with("N2 + N3 of 22 or more fill the loop."), "{}", least[1]);
    let most = sentences(&summary, "VC1");
    assert!(most[1].starts_with("The bottleneck of VC1 was S->B"), "{}", most[1]);
}

/// Claim: the credit of a lane that one VC has for itself is named with its size, and no other VC
/// is blamed: 8 blocks of a cell each. The loop is 22 cell times and the
/// switch holds a cell for one more: with 23 the VC fills its link, with 20 it does not.
#[test]
fn a_small_lane_of_one_vc_is_reported() {
    let lane = |buffer| {
        let block = hopflow_units::Bytes::CELL;
        let credit = LaneCreditSpec { block, buffer, update: 1, refresh: None };
        let network = shared(1, HopControl::None, &SourceSpec::Greedy);
        sentences(&summary(&with_lanes(network, LaneRule::Credit(credit))), "VC1")
    };
    let small = lane(8);
    assert!(small[1].starts_with("VC1 was held with its lane on A1->S 6"), "{}", small[1]);
    let end = "although S often had no cell of it: its lane has 8 blocks of the 23 of its loop. A \
               `buffer` of 23 blocks would keep the link busy.";
    assert!(small[1].ends_with(end), "{}", small[1]);
    assert!(!small.iter().any(|text| text.contains("others")), "{small:?}");
    let full = "VC1 filled A1->S itself: the link's rate limited it.";
    assert_eq!(lane(23)[1], full);
    assert_ne!(lane(20)[1], full);
}

/// Claim: a note says the same to programs: how much it matters, its cause, place and numbers.
#[test]
fn notes_have_numbers() {
    let summary = summary(&shared(1, n23(2, 6), &SourceSpec::Greedy));
    let notes = why(&summary);
    let causes: Vec<_> = notes.iter().map(|note| (note.severity, note.cause)).collect();
    let expected = [
        (Severity::Info, "outcome"),
        (Severity::Warning, "credit"),
        (Severity::Detail, "hop"),
        (Severity::Detail, "hop"),
    ];
    assert_eq!(causes, expected);
    let note = &notes[1];
    assert_eq!((note.vc.as_deref(), note.link.as_deref()), (Some("VC1"), Some("A1->S")));
    let held = summary.vcs[0].hops[0].no_credit_share;
    let numbers = [("held_share", held), ("credit_cells", 8.0), ("loop_cells", 22.0)];
    assert_eq!(note.numbers, numbers);
    assert_eq!(note.change.as_deref(), Some("N2 + N3 of 22 or more fill the loop."));
}

/// Claim: on counters made by hand every kind of loss has its sentence, a VC that delivered
/// nothing is said to, and a breach of what must hold comes last.
#[test]
fn artificial_counters_are_reported() {
    let mut summary = summary(&shared(1, n23(4, 22), &SourceSpec::Greedy));
    let vc = &mut summary.vcs[0];
    (vc.hops[0].given_up_packets, vc.hops[0].dropped_packets) = (1, 2);
    (vc.hops[1].given_up_packets, vc.hops[1].corrupted_packets) = (3, 4);
    (vc.hops[1].credits_corrupted, vc.hops[1].credits_sent) = (5, 50);
    vc.hops[1].request_cells = 6;
    (vc.policed_packets, vc.hops[1].pushed_out_packets, vc.hops[1].slow_down_messages) = (7, 8, 9);
    vc.hops[1].deleted_ps = Some(3_000_000);
    vc.received_packets = 0;
    let created = vc.created_packets;
    let found = sentences(&summary, "VC1");
    assert_eq!(found[0], format!("VC1 made {created} cells and delivered none."));
    for text in [
        "1 of its cells were dropped at A1, whose buffer was full.",
        "2 of its cells were dropped at S, whose buffer was full although the VC is under credit \
         control.",
        "3 of its cells were given up at S because the branch to B was blocked.",
        "4 of its cells arrived corrupted over S->B.",
        "5 of the 50 credit cells for S->B were lost.",
        "S asked for credit 6 times.",
        "7 of its cells were policed away.",
        "8 of its cells were pushed out at S by others.",
        "The scheduler of S->B found it too fast 9 times, and deleted it as a known flow at 3 us.",
    ] {
        assert!(found.iter().any(|sentence| sentence == text), "{text}");
    }
    let silent = summary_of_silence();
    assert_eq!(why(&silent)[0].text, "VC1 made no cell.");
}

/// A run whose only VC starts after its end.
fn summary_of_silence() -> Summary {
    let mut network = shared(1, n23(4, 22), &SourceSpec::Greedy);
    network.vcs[0].start = hopflow_testing::at(30_000);
    assert!(network.duration < cells(30_000));
    summary(&network)
}

/// All priorities of all links paused at 20 cells, resumed at 10.
fn paused(network: NetworkSpec) -> NetworkSpec {
    with_lanes(network, LaneRule::Pause(pause(20, 10)))
}

/// Claim: a ring of three switches that PFC has brought to a stand is named as a deadlock, link by
/// link.
#[test]
fn a_pause_deadlock_is_named() {
    let summary = summary(&paused(ring(HopControl::None)));
    let sentences: Vec<String> = why(&summary).into_iter().map(|s| s.text).collect();
    let last = sentences.last().unwrap();
    assert!(last.starts_with("Broken: deadlock since "), "{last}");
    assert!(
        last.contains("S1->S2 (priority 0 paused) waits for VC1 to leave S2 by S2->S3"),
        "{last}"
    );
    let shut = "All VCs of priority 0 on S1->S2 were paused together 9";
    assert!(sentences.iter().any(|text| text.starts_with(shut)), "{sentences:?}");
}

/// Claim: lanes per destination are named by the host. Of two hosts behind S1->S2, the link to B is
/// a hundred times slower, so that its lane is shut, and C's is not; a link with one host behind
/// it has no sentence.
#[test]
fn a_destination_without_credit_is_reported() {
    let mut network = NetworkBuilder::new(5_000);
    let [a, d] = ["A", "D"].map(|name| network.host(name));
    let (s1, s2) = (network.switch("S1"), network.switch("S2"));
    let [b, c] = ["B", "C"].map(|name| network.host(name));
    for (from, to) in [(a, s1), (d, s1), (s1, s2), (s2, b), (s2, c)] {
        network.link(from, to, 1);
    }
    let every = |k| SourceSpec::EveryKth { k };
    network.vc("VC1", &[a, s1, s2, b], HopControl::None, SourceSpec::Greedy);
    network.vc("VC2", &[d, s1, s2, c], HopControl::None, every(4));
    network.spec.links[3].directions[0].rate = Rate::from_bps(4_240_000).unwrap();
    let lane = LaneCreditSpec { block: Bytes::CELL, buffer: 20, update: 1, refresh: None };
    let lanes = with_lanes(network.spec, LaneRule::Credit(lane));
    let found: Vec<String> = why(&summary(&per_destination(lanes)))
        .into_iter()
        .filter(|note| note.cause == "lane-shut")
        .map(|note| note.to_string())
        .collect();
    assert_eq!(found.len(), 1, "{found:?}");
    let begins =
        "1 of the 2 destinations behind S1->S2 was without credit for a time, B longest, 9";
    assert!(found[0].starts_with(begins), "{found:?}");
}

/// Claim: a victim of its lane is named: VC1 and VC2 share a link that is paused because VC1's
/// way on has a tenth of the rate.
#[test]
fn a_victim_of_its_lane_is_reported() {
    let mut network = NetworkBuilder::new(20_000);
    let (a, b) = (network.host("A"), network.host("B"));
    let (s1, s2) = (network.switch("S1"), network.switch("S2"));
    let (c, d) = (network.host("C"), network.host("D"));
    for (from, to) in [(a, s1), (b, s1), (s1, s2), (s2, c), (s2, d)] {
        network.link(from, to, 10);
    }
    for direction in &mut network.spec.links[3].directions {
        direction.rate = hopflow_units::Rate::from_bps(42_400_000).unwrap();
    }
    network.vc("VC1", &[a, s1, s2, c], HopControl::None, SourceSpec::Greedy);
    network.vc("VC2", &[b, s1, s2, d], HopControl::None, SourceSpec::Greedy);
    let found = sentences(&summary(&paused(network.spec)), "VC2");
    assert!(found[1].starts_with("VC2 was held with its lane on S1->S2 "), "{}", found[1]);
    let shares = found.iter().find(|text| text.starts_with("On S1->S2 ")).expect("it crosses it");
    assert!(shares.contains(", its lane shut ") && !shares.contains("no credit"), "{shares}");
}

/// Claim: adaptive credit is reported as a share of its memory, not as N2 + N3: of 20 cells a lone
/// VC has 10, and the loop carries 22.
#[test]
fn a_small_shared_buffer_is_reported() {
    let mut network = NetworkBuilder::new(20_000);
    let (a, s, b) = (network.host("A"), network.switch("S"), network.host("B"));
    for (from, to) in [(a, s), (s, b)] {
        network.link(from, to, 10);
    }
    for direction in network.spec.links.iter_mut().flat_map(|link| &mut link.directions) {
        direction.shared_buffer = Some(SharedBufferSpec { memory: Cells(20), interval: cells(22) });
    }
    network.vc("VC1", &[a, s, b], credit(CreditScheme::Adaptive, 1, 0), SourceSpec::Greedy);
    let found = sentences(&summary(&network.spec), "VC1");
    let text = "its share of the pool, which follows its use, may be out in one round trip, in \
                which the link carries 22.0. More memory of the pool would let it send more.";
    assert!(found[1].ends_with(text), "{}", found[1]);
}

/// Claim: where packets are no cells, no sentence says cells: of a window, a queue, losses, a slow
/// receiver and a VC that makes nothing.
#[test]
fn packets_are_counted_in_packets() {
    let text = r#"
version = 2
duration = "2 ms"
[defaults.link]
rate = "1 Gb/s"
delay = "10 us"
[[host]]
name = "A{}"
count = 3
[[switch]]
name = "S"
port-buffer = "10 packets"
[[host]]
name = "B"
drain = "50 %"
receive-buffer = "5 packets"
[[link]]
between = ["A{}", "S"]
count = 3
[[link]]
between = ["S", "B"]
[defaults.flow]
packet = "1500 B"
[[flow]]
name = "greedy"
from = "A1"
to = "B"
[[flow]]
name = "window"
from = "A2"
to = "B"
control = { kind = "window", packets = 2 }
[[flow]]
name = "silent"
from = "A3"
to = "B"
start = "1 s"
"#;
    let scenario =
        hopflow_scenario::Scenario::from_toml(text, "packets.toml").expect("it is valid");
    let summary = crate::run(&scenario, &crate::RunOptions::default()).expect("it runs").summary;
    let found: Vec<String> = why(&summary).iter().map(ToString::to_string).collect();
    let all = found.join("\n");
    for part in
        ["its window of 2 packets", "made no packet", "of its packets", "packets on average"]
    {
        assert!(all.contains(part), "{part}: {all}");
    }
    assert!(!all.contains("cell"), "{all}");
}
