//! Hosts whose applications accept arrivals at a rate of their own, or stop for a time: the
//! equations of `docs/models/slow-receiver.md`, by hand.

use hopflow::{EngineKind, RunOptions, RunResult, Scenario, Severity, run};

/// A cell of 424 bits at 2.5 Gb/s.
const DRAIN_PS: u64 = 169_600;
/// The same at 10 Gb/s.
const CELL_PS: u64 = 42_400;

fn read(text: &str) -> Scenario {
    Scenario::from_toml(text, "slow.toml").unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn done(text: &str) -> RunResult {
    let result = run(&read(text), &RunOptions::default()).expect("it runs");
    assert!(result.complete);
    assert_eq!(result.summary.violations, []);
    result
}

/// A -> S -> B on links of 10 Gb/s and 1 us.
fn one(head: &str, host: &str, link: &str, flow: &str) -> String {
    format!(
        "version = 2\n{head}\n[defaults.link]\nrate = \"10 Gb/s\"\ndelay = \"1 us\"\n{link}\n\
         [[host]]\nname = \"A\"\n[[host]]\nname = \"B\"\n{host}\n[[switch]]\nname = \"S\"\n\
         [[link]]\nbetween = [\"A\", \"S\"]\n[[link]]\nbetween = [\"S\", \"B\"]\n\
         [[flow]]\nname = \"f\"\nroute = [\"A\", \"S\", \"B\"]\n{flow}\n"
    )
}

const SLOW: &str = "drain = \"25 %\"\nreceive-buffer = \"500 cells\"";
const PAUSE: &str =
    "pause = { priorities = [0], xoff = \"100 cells\", xon = \"50 cells\", room = \"auto\" }";
const LANES: &str = "lanes = { priorities = [0], block = \"53 B\", buffer = 200, update = 4 }";

/// Every control that loses nothing, in TOML: of the links, and of the flow.
const LOSSLESS: &[(&str, &str, &str)] = &[
    ("pfc", PAUSE, ""),
    ("lanes", LANES, ""),
    ("n23", "", "control = { kind = \"n23\", n2 = 10, n3 = 90 }"),
    ("n123", "", "control = { kind = \"n123\", n2 = 10, n3 = 90 }"),
    ("cup", "", "control = { kind = \"cup\", n2 = 10, n3 = 90 }"),
    ("additive", "", "control = { kind = \"additive\", n2 = 10, n3 = 90 }"),
    ("adaptive", "pool = { memory = \"300 cells\" }", "control = { kind = \"adaptive\", n2 = 10 }"),
    ("window", "", "control = { kind = \"window\", packets = 200 }"),
];

/// Claim: a drain r below the arrival rate is the rate of a flow, to the cell: n cells in n drain
/// times, under every lossless control, and the receive buffer stays within its size.
#[test]
fn the_drain_is_the_throughput() {
    let (warm_up, cells) = (2_000 * DRAIN_PS, 20_000);
    let head =
        format!("duration = \"{} ps\"\nwarm-up = \"{warm_up} ps\"", warm_up + cells * DRAIN_PS);
    for (name, link, flow) in LOSSLESS {
        let result = done(&one(&head, SLOW, link, flow));
        let vc = &result.summary.vcs[0];
        assert_eq!((vc.received_packets, vc.dropped_packets), (cells, 0), "{name}");
        let host = result.summary.nodes.iter().find(|node| node.node == "B").unwrap();
        assert!((1..=500).contains(&host.max_packets), "{name}: {} cells", host.max_packets);
    }
}

/// Claim: without control the host loses its arrivals minus the packets that its application
/// accepts, and all of them by its full receive buffer.
#[test]
fn drop_tail_loses_the_rest_at_the_host() {
    let (warm_up, cells) = (4_000 * DRAIN_PS, 20_000);
    let head =
        format!("duration = \"{} ps\"\nwarm-up = \"{warm_up} ps\"", warm_up + cells * DRAIN_PS);
    // 5 Gb/s: two cells come in each drain time.
    let flow = "source = { kind = \"constant\", rate = \"5 Gb/s\" }";
    let result = done(&one(&head, SLOW, "", flow));
    let vc = &result.summary.vcs[0];
    assert_eq!((vc.created_packets, vc.received_packets), (2 * cells, cells));
    assert_eq!(vc.hops[1].dropped_packets, cells, "on S->B");
    let host = result.summary.nodes.iter().find(|node| node.node == "B").unwrap();
    assert_eq!((host.max_packets, host.kind.as_str()), (500, "host"));
    let last = result.summary.nodes.last().unwrap();
    assert_eq!((last.node.as_str(), last.kind.as_str()), ("B application", "application"));
}

/// Claim: a host that takes all that its link brings loses and delays nothing but the time of the
/// packet at its application.
#[test]
fn a_drain_as_fast_as_the_link_holds_nothing_back() {
    let flow = "source = { kind = \"constant\", rate = \"5 Gb/s\" }";
    let [plain, slow] = ["", "drain = \"100 %\"\nreceive-buffer = \"1 packet\""]
        .map(|host| done(&one("duration = \"1 ms\"", host, "", flow)));
    let delay = |result: &RunResult| result.summary.vcs[0].delay_ps.as_ref().unwrap().mean;
    assert_eq!(slow.summary.vcs[0].dropped_packets, 0);
    assert!((delay(&slow) - delay(&plain) - CELL_PS as f64).abs() < 1e-6);
}

/// Claim: V and A share S1->S2 alone; B takes 2.5 of A's 4 Gb/s. Under PFC S1->S2 is paused for B,
/// and lets a cell of each pass in turn: V has 2.5 of its 5 Gb/s. Under credit per VC V has all.
#[test]
fn pfc_makes_a_victim_and_credit_per_vc_none() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/slow-receiver.toml");
    let file = hopflow::scenario::ScenarioFile::load(std::path::Path::new(path)).unwrap();
    // In units of 100 Mb/s.
    let rates = |control: &str| {
        let result = run(&file.under(control).unwrap(), &RunOptions::default()).unwrap();
        let lossless = control != "as-is";
        let lost = result.summary.vcs[1].dropped_packets;
        assert_eq!(lost == 0, lossless, "{control}: {lost} lost");
        [0, 1].map(|vc: usize| (result.summary.vcs[vc].throughput_bps / 1e8).round() as u64)
    };
    assert_eq!(rates("as-is"), [50, 25]);
    assert_eq!(rates("pfc"), [25, 25]);
    assert_eq!(rates("credit"), [50, 25]);
}

/// Claim: TCP to a slow host gets what the host drains: ACKs are of what was drained, and a receive
/// buffer above the window loses nothing.
#[test]
fn tcp_gets_what_the_host_drains() {
    let flow =
        "source = { kind = \"tcp\", variant = \"reno\", window = \"16 kB\", mss = \"1460 B\" }";
    let host = "drain = \"1 Gb/s\"\nreceive-buffer = \"100 packets\"";
    let result = done(&one("duration = \"600 ms\"\nwarm-up = \"500 ms\"", host, "", flow));
    let vc = &result.summary.vcs[0];
    assert_eq!(vc.dropped_packets, 0);
    assert!((0.999e9..1.001e9).contains(&vc.throughput_bps), "{}", vc.throughput_bps);
}

/// Claim: both engines agree on slow hosts that also send, at the end of each kind of flow.
#[test]
fn engines_agree_on_slow_hosts() {
    let back = "[[flow]]\nname = \"back\"\nroute = [\"B\", \"S\", \"A\"]\n";
    let answered = "source = { kind = \"nfs\" }";
    let flows = LOSSLESS.iter().map(|(_, link, flow)| (*link, *flow)).chain([
        ("", "source = { kind = \"constant\", rate = \"5 Gb/s\" }"),
        (
            "",
            "source = { kind = \"tcp\", variant = \"reno\", window = \"16 kB\", mss = \"1460 B\" }",
        ),
        ("", answered),
        ("", "control = { kind = \"n23\", n2 = 10, n3 = 90, e = \"continuous\" }"),
        ("", "control = { kind = \"additive\", n2 = 10, n3 = 90 }"),
        ("", "control = { kind = \"abr\" }"),
    ]);
    for (link, flow) in flows {
        let host = format!("{SLOW}\nstall = {{ at = \"100 us\", for = \"50 us\" }}");
        let duration = if flow == answered { "200 ms" } else { "400 us" };
        let slow = one(&format!("duration = \"{duration}\""), &host, link, flow);
        let slow = slow.replace("name = \"A\"\n", "name = \"A\"\ndrain = \"3 Gb/s\"\n");
        let scenario = read(&format!("{slow}{back}{flow}\n"));
        let [reference, windowed] = [EngineKind::Reference, EngineKind::Windowed]
            .map(|engine| run(&scenario, &RunOptions { engine, ..RunOptions::default() }).unwrap());
        assert_eq!(reference.digest, windowed.digest, "{flow}");
        assert_eq!(reference.counters, windowed.counters, "{flow}");
        assert!(reference.summary.vcs[0].received_packets > 0, "{flow}");
    }
}

/// Claim: while an application stops for T, T / (time of a cell) fewer cells are accepted, to one
/// cell (the one in transmission at the stop), and arrivals are held back without loss.
#[test]
fn a_stall_holds_its_time_of_drain() {
    let cells = 3_000;
    let flow = "control = { kind = \"n23\", n2 = 10, n3 = 90 }";
    let taken = |stall: &str| {
        let host = format!("{SLOW}\n{stall}");
        let result = done(&one("duration = \"4 ms\"", &host, "", flow));
        assert_eq!(result.summary.vcs[0].dropped_packets, 0);
        result.summary.vcs[0].received_packets
    };
    let all = taken("");
    let stall = format!("stall = {{ at = \"1 ms\", for = \"{} ps\" }}", cells * DRAIN_PS);
    assert!(taken(&stall).abs_diff(all - cells) <= 1);
    let half = cells / 2 * DRAIN_PS;
    let twice = format!(
        "stall = [{{ at = \"3 ms\", for = \"{half} ps\" }}, \
         {{ at = \"1 ms\", for = \"{half} ps\" }}]"
    );
    assert!(taken(&twice).abs_diff(all - cells) <= 2);
}

/// The notes of `why` of one cause, each with the VC it is about.
fn slow_notes(result: &RunResult) -> Vec<(Option<String>, Severity, String)> {
    let notes = hopflow::why(&result.summary).into_iter();
    let slow = notes.filter(|note| note.cause == "slow-receiver");
    slow.map(|note| (note.vc.clone(), note.severity, note.to_string())).collect()
}

/// Claim: `why` names the slow host: to the victim that PFC makes, to the flow that fills what the
/// host takes, and once for the run, with what it paused; and no host where all is taken.
#[test]
fn why_names_the_slow_host() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/slow-receiver.toml");
    let file = hopflow::scenario::ScenarioFile::load(std::path::Path::new(path)).unwrap();
    let notes_under = |control: &str| {
        slow_notes(&run(&file.under(control).unwrap(), &RunOptions::default()).unwrap())
    };
    let pfc = notes_under("pfc");
    assert_eq!(pfc.len(), 3, "{pfc:#?}");
    let (victim, flow, host) = (&pfc[0], &pfc[1], &pfc[2]);
    assert_eq!((victim.0.as_deref(), victim.1), (Some("victim"), Severity::Warning));
    let why = "B is a slow receiver, which takes 2.50 Gb/s, 25.0 % of its link; it held back \
               S2->B, so cells of slow filled the buffer behind S1->S2.";
    assert!(victim.2.contains(why), "{}", victim.2);
    assert_eq!(flow.2, "slow filled what B takes itself: it takes 2.50 Gb/s, 25.0 % of its link.");
    assert_eq!((host.0.as_deref(), host.1), (None, Severity::Warning));
    assert!(host.2.starts_with("B is a slow receiver: it takes 2.50 Gb/s"), "{}", host.2);
    assert!(host.2.contains("it held back S2->B 7"), "{}", host.2);
    let credit = notes_under("credit");
    assert_eq!(credit.iter().filter(|note| note.0.as_deref() == Some("victim")).count(), 0);
    assert_eq!(credit.last().unwrap().1, Severity::Info);
    assert!(notes_under("as-is").last().unwrap().2.contains("cells found it full and were lost"));
    let plain = done(&one("duration = \"1 ms\"", "", "", ""));
    assert_eq!(slow_notes(&plain), []);
}

/// Claim: a host as fast as its link that stops for a fifth of the run is named with its stop.
#[test]
fn why_names_a_stall() {
    let host = "stall = { at = \"1 ms\", for = \"1 ms\" }\nreceive-buffer = \"500 cells\"";
    let result = done(&one("duration = \"5 ms\"", host, PAUSE, ""));
    let notes = slow_notes(&result);
    let (_, severity, text) = notes.last().unwrap();
    assert_eq!(*severity, Severity::Warning);
    assert!(text.contains("and stopped for 20.0 % of the time"), "{text}");
    assert!(text.contains("it held back S->B 20.0 % of the time"), "{text}");
}

/// Claim: a fair share knows the drain: two greedy flows to B share its 2.5 Gb/s, and a third that
/// shares their link S1->S2 has what they leave of it.
#[test]
fn fair_shares_know_the_drain() {
    let flow = "[[flow]]\nname = \"g\"\nroute = [\"A\", \"S\", \"B\"]\n\
                [[host]]\nname = \"C\"\n[[link]]\nbetween = [\"S\", \"C\"]\n\
                [[flow]]\nname = \"h\"\nroute = [\"A\", \"S\", \"C\"]";
    let scenario = read(&one("duration = \"1 ms\"", SLOW, "", flow));
    let result = run(&scenario, &RunOptions::default()).unwrap();
    let shares = result.summary.vcs.iter().map(|vc| vc.fair.as_ref().unwrap().share_bps);
    assert_eq!(shares.collect::<Vec<f64>>(), [1.25e9, 1.25e9, 7.5e9]);
}

/// Claim: `check` prints hosts that are slower than their link or stop, and no others.
#[test]
fn slow_hosts_are_reported() {
    let reported = |host: &str| {
        let network = read(&one("duration = \"4 ms\"", host, "", "")).network;
        hopflow::slow_hosts(&network).iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let slow = "slow host: B takes 2.5 Gb/s, 25.0 % of its link; receive buffer of 500 packets";
    assert_eq!(reported(SLOW), [slow]);
    let stalls = "stall = [{ at = \"1 ms\", for = \"1 ms\" }, { at = \"3 ms\", for = \"9 ms\" }]";
    let whole = "slow host: B takes 10 Gb/s, 100.0 % of its link; receive buffer without limit; \
                 stops 2 times, for 2 ms in all";
    assert_eq!(reported(stalls), [whole]);
    assert_eq!(reported("receive-buffer = \"9 cells\""), [""; 0]);
    assert_eq!(reported(""), [""; 0]);
}
