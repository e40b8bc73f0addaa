//! Buffers in bytes: what pauses and lanes need of them, and what a small flow changes.

use hopflow::compare::{Need, needs, over_promised};
use hopflow::{RunResult, Scenario, run_in_both};
use hopflow_network::{DirectionId, HopControl, Thresholds};
use hopflow_scenario::ScenarioFile;

fn read(text: &str) -> Scenario {
    Scenario::from_toml(text, "memory.toml").unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// The run of a scenario, which both engines make alike.
fn done(text: &str) -> RunResult {
    run_in_both(&read(text)).expect("it runs")
}

/// Hosts H1 and H2 send packets of 4096 B to H3 through the switch S, and H3 to H1; `more` flows.
fn star(link: &str, switch: &str, more: &str) -> String {
    format!(
        "version = 2\nduration = \"200 us\"\n[defaults.link]\nrate = \"400 Gb/s\"\n\
         delay = \"20 m\"\n{link}\n[defaults.switch]\n{switch}\n[[topology]]\nkind = \"star\"\n\
         hosts = 3\n\
         [defaults.flow]\npacket = \"4096 B\"\n\
         [[flow]]\nname = \"a\"\nfrom = \"H1\"\nto = \"H3\"\n\
         [[flow]]\nname = \"b\"\nfrom = \"H2\"\nto = \"H3\"\n\
         [[flow]]\nname = \"back\"\nfrom = \"H3\"\nto = \"H1\"\n{more}"
    )
}

const PAUSE: &str = "pause = { priorities = [0], xoff = \"auto\", room = \"auto\" }";
/// One packet of 64 B in the middle of the run.
const SMALL: &str = "[[flow]]\nname = \"small\"\nfrom = \"H2\"\nto = \"H3\"\npacket = \"64 B\"\n\
                     source = { kind = \"constant\", rate = \"1 Mb/s\", packets = 1 }\n\
                     start = \"100 us\"\n";

/// Claim: a small flow changes neither the XOFF nor the need of PFC where the buffer is in bytes,
/// and what the run counts by no more than its packet: nothing is lost, as many pauses are sent,
/// each flow delivers as many packets but for one, and the switch holds at most 64 B more. Where
/// the buffer is in packets, the need is that of its packets, more than 30 times as large.
#[test]
fn a_small_flow_does_not_change_pfc() {
    let texts = [star(PAUSE, "buffer = \"1 MB\"", ""), star(PAUSE, "buffer = \"1 MB\"", SMALL)];
    let scenarios = texts.each_ref().map(|text| read(text));
    let [alone, beside] = scenarios.each_ref().map(|scenario| {
        let law = Thresholds::new(&scenario.network);
        let ids = (0..scenario.network.direction_count()).map(hopflow_network::DirectionId);
        let xoff: Vec<_> = ids.map(|id| law.xoff(id).ok()).collect();
        (xoff, needs(&scenario.network)[0].bytes)
    });
    // The small flow brings no new input of a priority: three inputs share.
    assert!(alone.0.iter().any(Option::is_some) && alone.1.is_some());
    assert_eq!(alone, beside);
    let [alone, beside] = texts.each_ref().map(|text| done(text));
    let pauses = |run: &RunResult| -> u64 {
        run.summary.links.iter().flat_map(|link| &link.lanes).map(|lane| lane.pauses_sent).sum()
    };
    assert!(pauses(&alone) > 10, "{}", pauses(&alone));
    assert_eq!(pauses(&alone), pauses(&beside));
    for (one, other) in alone.summary.vcs.iter().zip(&beside.summary.vcs) {
        assert_eq!((one.dropped_packets, other.dropped_packets), (0, 0));
        let [one, other] = [one, other].map(|vc| vc.received_packets);
        assert!(one > 100 && one.abs_diff(other) <= 1, "{one} and {other}");
    }
    assert_eq!(beside.summary.vcs[3].received_packets, 1);
    let [one, other] = [&alone, &beside].map(|run| run.summary.node("S").unwrap().max_bytes);
    assert!(one.unwrap().abs_diff(other.unwrap()) <= 64, "{one:?} and {other:?}");
    let packets = |more: &str| {
        let text = star("", "buffer = \"1000 packets\"", more);
        let text =
            text.replace("delay = ", "pause = { priorities = [0], xoff = \"60 kB\" }\ndelay = ");
        let Need { packets, bytes, formula, .. } = needs(&read(&text).network).remove(0);
        assert_eq!((bytes, formula), (None, None));
        packets
    };
    assert!(packets(SMALL) > 30 * packets(""));
}

/// Claim: the need of PFC in bytes is 2 frames and the headroom for each input: of the links of
/// H1 and H3, on which packets of 4096 B (81.92 ns) go back, 81.92 + 200 ns + 1.06 ns for the
/// pause; that of H2 has cells alone on the way back. With memory in cells of 1000 B a packet of
/// 4096 B takes 5000 B.
#[test]
fn the_need_of_pfc_is_in_bytes() {
    let network = read(&star(PAUSE, "buffer = \"1 MB\"", "")).network;
    let [need] = needs(&network).try_into().unwrap_or_else(|all| panic!("{all:?}"));
    let bytes = need.bytes.unwrap();
    let formula = format!("inputs x (2 x frame + headroom) = 3 x {} B = {bytes} B", bytes / 3);
    assert_eq!((bytes % 3, need.formula.as_deref()), (0, Some(formula.as_str())));
    let cells = read(&star(PAUSE, "buffer = \"1 MB\"\ncell = \"1000 B\"", "")).network;
    let [in_cells] = needs(&cells).try_into().unwrap_or_else(|all| panic!("{all:?}"));
    assert_eq!(in_cells.bytes, Some(3 * (bytes / 3).div_ceil(4_096) * 5_000));
    let fits = |buffer: u64| {
        let text = star(PAUSE, &format!("buffer = \"{buffer} B\""), SMALL);
        Scenario::from_toml(&text, "memory.toml").map(drop).map_err(|wrong| wrong.to_string())
    };
    assert_eq!(fits(bytes), Ok(()));
    let wrong = fits(bytes - 1).unwrap_err();
    let way_out = format!("raise `buffer` to \"{bytes} B\"");
    assert!(wrong.contains("HF0052") && wrong.contains(&way_out), "{wrong}");
}

/// Claim: a lane promises its blocks in bytes: 1500 blocks of 256 B from each of three inputs are
/// 384,000 B each, and 1,152,000 B together, whatever the packets are. A limit in bytes warns
/// below one of them, and `compare` below all.
#[test]
fn a_lane_promises_blocks() {
    let lanes = "lanes = { kind = \"cbfc\", priorities = [0], block = \"256 B\", buffer = 1500 }";
    for more in ["", SMALL] {
        let scenario = |buffer: u64| read(&star(lanes, &format!("buffer = \"{buffer} B\""), more));
        let warnings = |buffer| {
            let found = scenario(buffer).warnings;
            found.iter().filter(|item| item.code.to_string() == "HF0052").count()
        };
        assert_eq!((warnings(383_999), warnings(384_000)), (1, 0));
        let over = |buffer| {
            let network = scenario(buffer).network;
            over_promised(&network).first().map(|over| over.promised)
        };
        assert_eq!((over(1_151_999), over(1_152_000)), (Some(1_152_000), None));
    }
}

/// Claim: the credit of a VC is cells of 53 B: N2 + N3 of 18 cells needs 954 B, and 1152 B in
/// memory of cells of 64 B.
#[test]
fn credit_of_a_vc_counts_cells() {
    let fits = |switch: &str| {
        let text = format!(
            "version = 2\nduration = \"1 ms\"\n[[topology]]\nkind = \"star\"\nhosts = 3\n\
             rate = \"424 Mb/s\"\ndelay = \"3 us\"\n[defaults.switch]\n{switch}\n\
             [[flow]]\nname = \"f\"\nfrom = \"H1\"\nto = \"H2\"\n\
             control = {{ kind = \"n23\", n2 = 10, n3 = 8 }}\n"
        );
        Scenario::from_toml(&text, "memory.toml").is_ok()
    };
    for (cell, least) in [("", 954), ("cell = \"64 B\"\n", 1_152)] {
        assert!(fits(&format!("{cell}buffer = \"{least} B\"")));
        assert!(!fits(&format!("{cell}buffer = \"{} B\"", least - 1)));
    }
}

/// Claim: a switch of 64 MB in cells of 256 B and 128 hosts that send TCP has room for PFC, CBFC,
/// N23 and adaptive credit. The credits are in units of 256 B, which are its cells: N23 needs 256 B
/// x the sum of N2 + N3 of all hops into it, adaptive credit 256 B x the sum of its pools.
#[test]
fn a_switch_of_128_hosts_has_room_for_every_control() {
    let example = include_str!("../../../examples/memory-in-cells.toml");
    let file = ScenarioFile::new(example, "memory-in-cells.toml");
    for control in ["pfc", "cbfc", "n23", "adaptive"] {
        let network = file.under(control).unwrap_or_else(|wrong| panic!("{wrong:?}")).network;
        assert_eq!(over_promised(&network), [], "{control}");
        let switch = network.nodes.iter().position(|node| node.name == "S").expect("there");
        let hops = network.vcs.iter().flat_map(|vc| &vc.hops);
        let into = hops.filter(|hop| network.to_node(hop.direction_id()) == switch);
        let granted = into.filter_map(|hop| match hop.control {
            HopControl::Credit(credit) => Some(u64::from(credit.buffer().0)),
            HopControl::None => None,
        });
        let directions = network.links.iter().flat_map(|link| &link.directions);
        let into = directions
            .enumerate()
            .filter(|(index, _)| network.to_node(DirectionId(*index)) == switch);
        let pools = into.filter_map(|(_, one)| Some(u64::from(one.shared_buffer?.memory.0)));
        let units = if control == "adaptive" { pools.sum::<u64>() } else { granted.sum() };
        let mut small = network.clone();
        small.nodes[switch].buffer = Some(hopflow_units::Bytes(1).into());
        let promised = over_promised(&small).first().map(|over| over.promised);
        let is_credit = matches!(control, "n23" | "adaptive");
        assert!(!is_credit || promised == Some(256 * units), "{control}: {promised:?}, {units}");
    }
}
