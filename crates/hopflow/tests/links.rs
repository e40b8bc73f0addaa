//! Links with an overhead, gates over them, lanes of devices with short totals, and pauses without
//! headroom: scenarios as their users wrote them, with the values that they expected.

use hopflow::size::{size_lane_credits, size_windows};
use hopflow::{EngineKind, RunOptions, RunResult, Scenario, run};
use hopflow_network::{DirectionId, Thresholds};
use hopflow_units::{Bytes, Rate};

fn read(text: &str) -> Scenario {
    Scenario::from_toml(text, "links.toml").unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// The run of a scenario, which both engines make alike.
fn done(text: &str) -> RunResult {
    let scenario = read(text);
    let one = |engine| {
        let options = RunOptions { engine, ..RunOptions::default() };
        run(&scenario, &options).expect("it runs")
    };
    let result = one(EngineKind::Windowed);
    assert_eq!(result.digest, one(EngineKind::Reference).digest);
    result
}

/// Its warnings, each with its code.
fn warnings(text: &str) -> Vec<String> {
    read(text).warnings.iter().map(|item| format!("{}: {}", item.code, item.message)).collect()
}

/// The share of the run in which a link direction is busy.
fn busy(result: &RunResult, link: &str) -> f64 {
    let found = result.summary.links.iter().find(|one| format!("{}->{}", one.from, one.to) == link);
    found.unwrap_or_else(|| panic!("no {link}")).busy_share
}

/// A flow from A to B over one link.
fn one_link(link: &str, packet: &str) -> String {
    format!(
        "version = 2\nduration = \"100 us\"\nwarm-up = \"20 us\"\n[[host]]\nname = \"A\"\n\
         [[host]]\nname = \"B\"\n[[link]]\nbetween = [\"A\", \"B\"]\n{link}\n\
         [[flow]]\nname = \"f\"\nfrom = \"A\"\nto = \"B\"\npacket = \"{packet}\"\n"
    )
}

fn over_500_m(buffer: &str) -> String {
    format!(
        "rate = \"800 Gb/s\"\ndelay = \"500 m\"\noverhead = \"20 B\"\nlanes = {{ kind = \"cbfc\", \
         priorities = [0], block = \"256 B\", buffer = {buffer} }}"
    )
}

/// Claim [SONiC-ScaleUp] CBFC-12: full rate over 500 m at 800 Gb/s with the smallest and the
/// largest frame. 9,216 B (T = 92.36 ns with 20 B of overhead): 56 packets of 36 credits in the
/// loop, 2,016. 64 B (T = .84 ns): R = .84 ns + 5 us + 64 ns of spacing + .73 ns = 5,065.57 ns,
/// 6,030.4 packets: 6,031. A run with these is busy all the time, at 64/84 of 800 Gb/s, and there
/// is no warning; with half of them, 3,015 packets go in 5,065.57 ns, half of that.
#[test]
fn credits_over_500_m_count_the_overhead() {
    for (packet, credits) in [("9216 B", 2_016), ("64 B", 6_031)] {
        let text = one_link(&over_500_m("\"auto\""), packet);
        let sizes = size_lane_credits(&read(&text).network, None).unwrap();
        assert_eq!((sizes[0].needed.blocks, sizes[0].given), (credits, credits as u32), "{packet}");
        assert!(warnings(&text).is_empty(), "{:?}", warnings(&text));
        assert!(busy(&done(&text), "A->B") > 0.99999, "{packet}");
    }
    let half = one_link(&over_500_m("3015"), "64 B");
    let found = warnings(&half);
    assert_eq!(found.len(), 1, "{found:?}");
    let [from, to] = ["needs 6031", "it carries from 304 Gb/s to 30"];
    assert!(found[0].starts_with("HF0114") && found[0].contains(from), "{found:?}");
    assert!(found[0].contains(to), "{found:?}");
}

/// Claim, by hand: N3 of cells over a link with an overhead counts the cells that the link carries.
/// At 424 Mb/s (a cell takes 1 us, with 53 B of overhead 2 us) and 9 us each way R is 2 x (2 + 9) =
/// 22 us: 11 cells of 106 B of the link, not 22 of 53 B; and the run is busy all the time. The
/// window of the same path is 11 cells too.
#[test]
fn credit_and_windows_count_the_overhead() {
    let link = "rate = \"424 Mb/s\"\ndelay = \"9 us\"\noverhead = \"53 B\"";
    let flow = |control: &str| one_link(link, "53 B").replace("packet = \"53 B\"", control);
    let text = flow("control = { kind = \"n23\", n2 = 1 }").replace("100 us", "1 ms");
    let sizes = hopflow::size::size_hops(&read(&text).network, None).unwrap();
    assert_eq!((sizes[0].needed.n3.0, sizes[0].given.map(|cells| cells.0)), (11, Some(12)));
    assert!(sizes[0].needed.formula.contains("848 bits, overhead included"));
    assert!(busy(&done(&text), "A->B") > 0.99999);
    let text = flow("control = { kind = \"window\", packets = 11, ack-every = 1 }");
    let windows = size_windows(&read(&text).network, None).unwrap();
    assert_eq!(windows[0].needed, 11);
    assert!(busy(&done(&text), "A->B") > 0.99999);
    // A target of a quarter of the link, in bits of cells, is what its share of the link leaves.
    let quarter = size_windows(&read(&text).network, Rate::from_bps(106_000_000)).unwrap();
    assert_eq!(quarter[0].needed, 6);
}

fn window_of_two(window: u64, overhead: &str) -> String {
    format!(
        "version = 2\nduration = \"2 ms\"\n[defaults.link]\nrate = \"1 Gb/s\"\noverhead = \
         \"{overhead}\"\n[[host]]\nname = \"A\"\n[[switch]]\nname = \"S\"\n[[host]]\nname = \"B\"\n\
         [[link]]\nbetween = [\"A\", \"S\"]\n[[link]]\nbetween = [\"S\", \"B\"]\n[link.scheduler]\n\
         kind = \"time-aware\"\noffset = \"50 us\"\ngates = [{{ for = \"{window} ns\", open = [0] \
         }}, \
         {{ for = \"{} ns\", open = [] }}]\n[[flow]]\nname = \"f\"\nfrom = \"A\"\nto = \"B\"\n\
         packet = \"40 B\"\nsource = {{ kind = \"greedy\", packets = 8 }}\n",
        98_760 - window
    )
}

/// Claim (CoRE-RG/CoRE4INET issue 9): two frames of .32 us with a gap of .096 us between them need
/// .736 us, as the gap after the last need not fit. So an opening of .74 us in each cycle of 98.76
/// us sends eight frames in four cycles, and one of .64 us in eight. The first opening is at 50 us.
/// The last frame starts .416 us after the fourth, at 346.696 us, or at the start of the eighth,
/// 741.32 us, and takes .416 us; it is born after 7 x .416 = 2.912 us.
#[test]
fn an_opening_of_two_frames_sends_two() {
    for (window, last) in [(740, 346_696), (736, 346_696), (735, 741_320), (640, 741_320)] {
        let result = done(&window_of_two(window, "12 B"));
        let vc = &result.summary.vcs[0];
        assert_eq!(vc.received_packets, 8, "{window}");
        let delay = vc.delay_ps.as_ref().expect("they arrived").max;
        assert_eq!(delay, (last + 416 - 2_912) * 1_000, "{window}");
    }
    // Without overhead two frames need .64 us.
    let result = done(&window_of_two(640, "0 B"));
    assert_eq!(result.summary.vcs[0].delay_ps.as_ref().expect("they arrived").max, 344_680_000);
}

/// Claim: InfiniBand's totals of 12 bits promise 2,048 blocks at most, 31 packets of 4,160 B (65
/// blocks). Over 1 km at 400 Gb/s a loop lasts 83.2 ns + 10 us + 1.06 ns = 10.08426 us, so the lane
/// carries 31 x 33,280 bits in it: 102.3 Gb/s, 25.6 %. A warning says so of `buffer = "auto"`, and
/// `size` too; with 2,048 blocks the run carries that. A device that counts further has no warning.
#[test]
fn infiniband_does_not_fill_a_kilometre() {
    let with = |lanes: &str| {
        one_link(
            &format!(
                "rate = \"400 Gb/s\"\ndelay = \"1 km\"\nlanes = {{ priorities = [0], block = \"64 \
                B\", \
                 update = 65, {lanes} }}"
            ),
            "4160 B",
        )
        .replace("100 us", "1 ms")
    };
    let auto = with("buffer = \"auto\"");
    let found = warnings(&auto);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with("HF0126") && found[0].contains("7930 blocks of 64 B"),
        "{found:?}"
    );
    assert!(found[0].contains("2048 blocks at most"), "{found:?}");
    assert!(found[0].contains("carries 102 Gb/s, 25.6 %"), "{found:?}");
    let sizes = size_lane_credits(&read(&auto).network, None).unwrap();
    assert_eq!(sizes[0].needed.blocks, 122 * 65);
    assert_eq!(sizes[0].beyond, Some((2_048, 31 * 33_280 * 1_000_000_000_000 / 10_084_260)));
    let small = done(&with("buffer = 2048, allow-small-buffer = true"));
    let share = busy(&small, "A->B");
    assert!((share - 31.0 * 83.2 / 10_084.26).abs() < 0.002, "{share}");
    assert!(warnings(&with("buffer = \"auto\", allow-large-buffer = true")).is_empty());
}

/// Claim [C5500]: posted writes of 256 B with 160 data and 32 header credits, at 32 Gb/s and 460 ns
/// one way. A packet takes 16 data credits and, with 24 B of header, 70 ns; a credit takes 13.25
/// ns. So 10 packets go in a loop of 70 + 920 + 13.25 = 1,003.25 ns: 69.8 % of the link. 15
/// packets, 240 data credits, fill it. By header credits the limit would be 32 packets.
#[test]
fn pcie_counts_payload_in_data_credits() {
    let with = |buffer: &str| {
        one_link(
            &format!(
                "rate = \"32 Gb/s\"\ndelay = \"460 ns\"\noverhead = [\"24 B\", \"0 B\"]\nlanes = \
                {{ \
                 priorities = [0], block = \"16 B\", buffer = {buffer}, update = 1 }}"
            ),
            "256 B",
        )
        .replace("100 us", "200 us")
    };
    let share = busy(&done(&with("160")), "A->B");
    assert!((share - 700.0 / 1_003.25).abs() < 0.001, "{share}");
    let sizes = size_lane_credits(&read(&with("\"auto\"")).network, None).unwrap();
    assert_eq!(sizes[0].needed.blocks, 240);
    assert!(busy(&done(&with("240")), "A->B") > 0.99999);
    assert!(busy(&done(&with("224, allow-small-buffer = true")), "A->B") < 0.99);
}

fn without_headroom(room: &str, packet: &str) -> String {
    format!(
        "version = 2\nduration = \"1 ms\"\n[defaults.link]\nrate = \"100 Gb/s\"\ndelay = \"40 m\"\n\
         pause = {{ priorities = [3], xoff = \"100 kB\", xon = \"80 kB\", room = \"{room}\" }}\n\
         [[topology]]\nkind = \"star\"\nhosts = 3\n[defaults.flow]\npacket = \
         \"{packet}\"\npriority = \
         3\n[[flow]]\nname = \"f{{}}\"\ncount = 2\nfrom = \"H{{}}\"\nto = \"H3\"\n"
    )
}

/// Claim (sonic-net/SONiC issue 480): a room as large as XOFF, two links of 100 Gb/s into one. A
/// packet that does not fit the room is dropped before it counts, so packets of 1,500 B hold 66 of
/// them at most, 99,000 B of 100,000: XOFF is never reached, no pause is sent, and the warning says
/// so. With a room of 100,500 B the 67th fits; then pauses are sent, and packets are still lost.
#[test]
fn without_a_packet_of_headroom_no_pause_is_sent() {
    let text = without_headroom("100 kB", "1500 B");
    let found = warnings(&text);
    assert!(found.iter().any(|text| text.starts_with("HF0108")), "{found:?}");
    let said = "packets of 1500 B fill at most 99000 B of the room";
    assert!(found.iter().any(|text| text.contains(said)), "{found:?}");
    assert!(found.iter().any(|text| text.contains("no pause is ever sent")), "{found:?}");
    let sent = |result: &RunResult| -> u64 {
        let lanes = result.summary.links.iter().flat_map(|link| &link.lanes);
        lanes.map(|lane| lane.pauses_sent).sum()
    };
    let result = done(&text);
    assert_eq!(sent(&result), 0);
    assert!(result.summary.vcs.iter().any(|vc| vc.dropped_packets > 1_000));
    for (room, packet) in [("100500 B", "1500 B"), ("100 kB", "1000 B")] {
        let text = without_headroom(room, packet);
        let found = warnings(&text);
        assert!(found.iter().any(|text| text.starts_with("HF0108")), "{found:?}");
        assert!(!found.iter().any(|text| text.contains("no pause is ever sent")), "{found:?}");
        assert!(sent(&done(&text)) > 0, "{room} {packet}");
    }
}

/// Claim: what does not fit is said in packets and in bytes, with the packet that makes the
/// difference. Three hosts at 400 Gb/s and 20 m, data of 4,096 B, and packets of 64 B from H2.
/// Nothing goes back to H2, so the headroom of its link is 9 cells of 53 B (9.54 ns) + 200 ns =
/// 209.54 ns, 10,477 B, and 4,096 B twice. With 4,096 B of XOFF it is 22,765 B, 356 packets of 64
/// B, for each of the three inputs of the switch.
#[test]
fn what_does_not_fit_names_the_smallest_packet() {
    let text = "version = 2\nduration = \"10 us\"\n[defaults.link]\nrate = \"400 Gb/s\"\ndelay = \
    \"20 \
                m\"\npause = { priorities = [0, 1, 2, 3, 4, 5, 6, 7], xoff = \"auto\" }\n\
                [defaults.switch]\nbuffer = \"1000 packets\"\n[[topology]]\nkind = \
                \"star\"\nhosts = \
                3\n[defaults.flow]\npacket = \"4096 B\"\n[[flow]]\nname = \"a\"\nfrom = \
                \"H1\"\nto = \
                \"H3\"\n[[flow]]\nname = \"b\"\nfrom = \"H2\"\nto = \"H3\"\n[[flow]]\nname = \
                \"back\"\nfrom = \"H3\"\nto = \"H1\"\n[[flow]]\nname = \"small\"\nfrom = \
                \"H2\"\nto = \
                \"H1\"\npacket = \"64 B\"\n";
    let Err(wrong) = Scenario::from_toml(text, "mixed.toml") else { panic!("it does not fit") };
    let wrong = wrong.to_string();
    let each = 4_096 + (209_540 * 400 / 8_000) + 2 * 4_096;
    assert_eq!((each, u64::div_ceil(each, 64)), (22_765, 356));
    assert!(wrong.contains("HF0052") && wrong.contains("356 each"), "{wrong}");
    assert!(wrong.contains("the smallest is a packet of `small`, 64 B"), "{wrong}");
    assert!(wrong.contains(&format!("in bytes the need is {} B", 3 * each)), "{wrong}");
    let lanes = text.replace(
        "pause = { priorities = [0, 1, 2, 3, 4, 5, 6, 7], xoff = \"auto\" }",
        "lanes = { kind = \"cbfc\", priorities = [0], block = \"256 B\", buffer = 1500 }",
    );
    let found = warnings(&lanes);
    assert!(found.iter().any(|text| text.contains("a packet of `small`, 64 B")), "{found:?}");
    assert!(found.iter().any(|text| text.contains("the need is 384000 B")), "{found:?}");
}

/// Hosts at these delays in us, each with a flow to the last, which is at 1 us; 8 Gb/s (a byte is a
/// ns).
fn star(delays: &[u64], switch: &str) -> String {
    let mut text = format!(
        "version = 2\nduration = \"10 us\"\n[defaults.link]\nrate = \"8 Gb/s\"\npause = {{ \
        priorities = \
         [0], xoff = \"1 B\" }}\n[defaults.flow]\npacket = \"1000 B\"\n[[switch]]\nname = \
         \"S\"\n{switch}\n\
         [[host]]\nname = \"B\"\n[[link]]\nbetween = [\"B\", \"S\"]\ndelay = \"1 us\"\n"
    );
    for (host, delay) in delays.iter().enumerate() {
        let part = format!(
            "[[host]]\nname = \"H{host}\"\n[[link]]\nbetween = [\"H{host}\", \"S\"]\ndelay = \
            \"{delay} us\"\n\
             [[flow]]\nname = \"f{host}\"\nfrom = \"H{host}\"\nto = \"B\"\n"
        );
        text.push_str(&part);
    }
    text
}

/// Claim, Eq. (5) of `threshold.rs`, by hand: the need of a node is that of its input with the
/// longest loop, for each input. At 1 us the headroom is 53 + 53 + 2,000 B and a packet, and a
/// packet crosses XOFF: 4,106 B beyond, 6 packets with XOFF; at 3 us 8,106 B, 10 packets. Two
/// inputs: 20, 18,212 B.
#[test]
fn the_longest_loop_decides_the_need_of_a_switch() {
    let scenario = read(&star(&[1, 3], ""));
    let law = Thresholds::new(&scenario.network);
    let beyond = [1, 2].map(|link| law.beyond(DirectionId::new(link, 0)));
    assert_eq!(beyond, [Some(Bytes(4_106)), Some(Bytes(8_106))]);
    let node = scenario.network.nodes.iter().position(|node| node.name == "S").expect("S");
    let need = law.needed_at(node).expect("it is paused");
    assert_eq!((need.packets, need.bytes), (20, 2 * 9_106));
    assert_eq!((need.smallest.size, need.smallest.vc), (Bytes(1_000), 1));
}

/// Claim, Eqs. (1) and (2) of `threshold.rs`, by hand: three inputs that lead to one port share its
/// `port-buffer` of 30 packets: 10 packets of 1,000 B each, less 4,106 B.
#[test]
fn the_inputs_of_a_port_share_its_buffer() {
    let scenario = read(&star(&[1, 1, 1], "port-buffer = \"30 packets\""));
    let law = Thresholds::new(&scenario.network);
    for link in 1..=3 {
        assert_eq!(law.xoff(DirectionId::new(link, 0)), Ok(Bytes(10_000 - 4_106)), "{link}");
    }
}
