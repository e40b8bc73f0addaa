//! The law of windows against runs: windows of VCs in both engines, windows of TCP receivers, and
//! what `check` and `size` state of them.

use hopflow::engine::{ReferenceEngine, WindowedEngine};
use hopflow::network::{Engine, HopControl, NetworkSpec, SourceSpec, TraceFilter, WindowSpec};
use hopflow::scenario::Code;
use hopflow::size::{WindowSize, size_windows};
use hopflow::units::{Cells, Picos, Rate, SimTime};
use hopflow::{RunOptions, RunResult, Scenario, run};
use hopflow_testing::{NetworkBuilder, cells};

/// A, S and B in a row, with a slow second link, and one greedy VC.
fn line(delay: Picos, slow_bps: u64) -> NetworkSpec {
    let mut network = NetworkBuilder::new(1);
    let (a, s, b) = (network.host("A"), network.switch("S"), network.host("B"));
    network.link(a, s, 3);
    network.link(s, b, 0);
    network.vc("VC1", &[a, s, b], HopControl::None, SourceSpec::Greedy);
    let mut spec = network.spec;
    for direction in &mut spec.links[1].directions {
        direction.delay = delay;
        direction.rate = Rate::from_bps(slow_bps).expect("a rate");
    }
    spec
}

/// Cells delivered until each of two instants.
fn delivered(engine: &mut dyn Engine, until: [SimTime; 2]) -> [u64; 2] {
    until.map(|at| {
        engine.run_until(at);
        engine.counters().vcs[0].leaves[0].delivered_packets
    })
}

/// Claim: Eq. (2) of `window/law.rs` is the rate of both engines, exactly: in the steady state a
/// period has qU cells, for windows of less and more than a loop, updates after one cell, some,
/// half and all of the window, loops that are no multiple of T, and a slow link behind a fast one.
/// With an update after more cells than the window has, exactly the window is delivered, and then
/// nothing.
#[test]
fn the_law_is_what_both_engines_run() {
    let mut checked = 0;
    for (delay, slow) in
        [(Picos(0), 424_000_000), (Picos(7_654_321), 424_000_000), (cells(20), 97_000_001)]
    {
        for window in [1, 2, 3, 5, 8, 13, 21, 34, 55] {
            let updates = [1, 2, 3, window / 2, window - 1, window, window + 1];
            for every in updates.into_iter().filter(|every| *every > 0) {
                let mut spec = line(delay, slow);
                let ack_every = Cells(every);
                spec.vcs[0].window = Some(WindowSpec { cells: Cells(window), ack_every });
                let law = spec.windows()[0];
                let (packets, span) = law.path.period(window.into(), every.into());
                let span = (span as u64).max(packets * law.path.gap.0).max(law.path.round_trip.0);
                let until = [SimTime(50 * span + 12_345), SimTime(51 * span + 12_345)];
                spec.duration = Picos(until[1].0 + 1);
                let expected = |counts: [u64; 2]| match packets {
                    0 => counts == [u64::from(window); 2],
                    _ => counts[1] - counts[0] == packets,
                };
                let mut windowed = WindowedEngine::new(&spec, TraceFilter::none(), 1);
                let mut reference = ReferenceEngine::new(&spec, TraceFilter::none());
                let engines: [&mut dyn Engine; 2] = [&mut windowed, &mut reference];
                for counts in engines.map(|engine| delivered(engine, until)) {
                    assert!(
                        expected(counts),
                        "W {window}, U {every}, {delay}: {counts:?}, {packets}"
                    );
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 300, "{checked}");
}

fn read(text: &str) -> Scenario {
    Scenario::from_toml(text, "window.toml").unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn done(scenario: &Scenario) -> RunResult {
    let result = run(scenario, &RunOptions::default()).expect("it runs");
    assert_eq!(result.summary.violations, []);
    result
}

/// One flow over one link, or as many as `flow` counts.
fn path(rate: &str, delay: &str, head: &str, flow: &str) -> Scenario {
    let name = if flow.contains("count") { "f{}" } else { "f" };
    read(&format!(
        "version = 2\n{head}\n[[host]]\nname = \"A\"\n[[host]]\nname = \"B\"\n[[link]]\n\
         between = [\"A\", \"B\"]\nrate = \"{rate}\"\ndelay = \"{delay}\"\n[[flow]]\n\
         name = \"{name}\"\n\
         from = \"A\"\nto = \"B\"\n{flow}\n"
    ))
}

fn only_size(scenario: &Scenario) -> WindowSize {
    let mut sizes = size_windows(&scenario.network, None).expect("sizes");
    assert_eq!(sizes.len(), 1);
    sizes.remove(0)
}

fn warnings(scenario: &Scenario, code: Code) -> Vec<String> {
    let all = scenario.warnings.iter().filter(|one| one.code == code);
    all.map(|one| format!("{} {}", one.message, one.hint.as_deref().unwrap_or_default())).collect()
}

fn goodput(scenario: &Scenario) -> f64 {
    done(scenario).summary.connections[0].tcp.as_ref().expect("TCP").goodput_bps
}

/// Claim (by hand): 65,535 B over 1 Gb/s and 5 ms each way. A segment of 1,500 B
/// takes 12 us, its ACK of 40 B .32 us: R = 10.01232 ms, 834.36 segments. At most 65,535 B / R =
/// 52.36 Mb/s; whole segments are 44 of 1,460 B, 51.3 Mb/s. A loop is 835 packets, 1,252,500 B, and
/// with an ACK for two segments 836 segments fill the link: 1,220,560 B of data.
#[test]
fn a_window_of_64_kb_over_ten_milliseconds() {
    let head = "duration = \"2 s\"\nwarm-up = \"1 s\"";
    let of = |window: u64| {
        let flow =
            format!("source = {{ kind = \"tcp\", variant = \"cubic\", window = \"{window} B\" }}");
        path("1 Gb/s", "5 ms", head, &flow)
    };
    let small = of(65_535);
    let size = only_size(&small);
    assert_eq!(size.round_trip, Picos(10_012_320_000));
    assert_eq!(
        (size.in_loop, size.loop_bytes(), size.needed, size.needed_bytes()),
        (835, 1_252_500, 836, 1_220_560)
    );
    assert_eq!(size.given.unwrap().reached_bps, 52_363_488);
    let bps = goodput(&small);
    assert!((51.0e6..52.363e6).contains(&bps), "{bps}");
    let [warning] = &warnings(&small, Code::BELOW_LOOP)[..] else { panic!("one warning") };
    assert!(warning.starts_with(
        "the window of `f`, 65535 B, is less than the loop of 1.25 MB (10.01232 ms at 1 Gb/s): it \
         gets at most 52.4 Mb/s raise `window` to \"1220560 B\""
    ), "{warning}");
    let full = of(1_220_560);
    assert_eq!(warnings(&full, Code::BELOW_LOOP), Vec::<String>::new());
    // 1,460 of 1,500 B of the link are data.
    let bps = goodput(&full);
    assert!((0.999 * 1e9 * 1_460.0 / 1_500.0..1e9).contains(&bps), "{bps}");
    let short = goodput(&of(1_220_560 - 10 * 1_460));
    assert!(short < 0.993 * bps, "{short}");
}

/// Claim: `why` and `check` name one window for one flow. Alone it is the 1,220,560 B of the test
/// above, which `size` prints. Of four flows each has a quarter: R = 10.01232 ms is 208.6 times 4 x
/// 12 us, so 209 segments and one more, 210 x 1,460 B = 306,600 B. With these windows the flows
/// take all of the link, and a tenth less leaves a part of it idle.
#[test]
fn why_and_check_name_one_window() {
    for (count, needed) in [(1, 1_220_560), (4, 306_600)] {
        let of = |window: u64| {
            let flow = format!(
                "count = {count}\nsource = {{ kind = \"tcp\", variant = \"cubic\", window = \
                 \"{window} B\" }}"
            );
            path("1 Gb/s", "5 ms", "duration = \"3 s\"\nwarm-up = \"1 s\"", &flow)
        };
        let small = of(65_535);
        let warnings = warnings(&small, Code::BELOW_LOOP);
        let hint = format!("raise `window` to \"{needed} B\"");
        assert!(warnings[0].contains(&hint), "{warnings:?}");
        let notes = hopflow::why(&done(&small).summary);
        let said: Vec<&str> = notes.iter().filter_map(|note| note.change.as_deref()).collect();
        let text = format!("A `window` of {needed} B would fill its share of the path.");
        assert_eq!(said, vec![text.as_str(); count]);
        let used = |window: u64| {
            let connections = done(&of(window)).summary.connections;
            let bps = connections.iter().map(|one| one.tcp.as_ref().expect("TCP").goodput_bps);
            bps.sum::<f64>() / (1e9 * 1_460.0 / 1_500.0)
        };
        let (full, less) = (used(needed), used(needed * 9 / 10));
        assert!(full > 0.998 && less < 0.92, "{count}: {full}, {less}");
    }
}

/// Claim: the public case of a stream over 100 ms: 4,194,304 B of window carry 4,194,304 B in R,
/// 335.5 Mb/s, on a link of any rate; the warning names the window that fills the link.
#[test]
fn a_window_of_4_mib_over_100_milliseconds() {
    let flow = "source = { kind = \"tcp\", variant = \"cubic\", window = \"4194304 B\" }";
    let stream = path("10 Gb/s", "50 ms", "duration = \"8 s\"\nwarm-up = \"4 s\"", flow);
    let size = only_size(&stream);
    // R = 100 ms + 1.2 us + .032 us, 83,334.4 segments of 1.2 us; one more for an ACK of two.
    assert_eq!((size.in_loop, size.needed), (83_335, 83_336));
    let reached = size.given.unwrap().reached_bps as f64;
    assert!((335.5e6..335.6e6).contains(&reached), "{reached}");
    let bps = goodput(&stream);
    assert!((0.995 * reached..=reached).contains(&bps), "{bps}");
    let [warning] = &warnings(&stream, Code::BELOW_LOOP)[..] else { panic!("one warning") };
    assert!(warning.contains("is less than the loop of 125 MB"), "{warning}");
    assert!(warning.contains("at most 336 Mb/s raise `window` to \"121670560 B\""), "{warning}");
}

/// Claim: the window is the most for every congestion control and rule of ACKs, and the window of
/// `size` fills the link: over a grid of delays and windows no goodput is above window / R, and
/// with the needed window data takes its whole share of the link.
#[test]
fn no_tcp_exceeds_its_window() {
    for variant in ["reno", "newreno", "cubic", "dctcp"] {
        for acks in ["every-segment", "every-second", "window-moves"] {
            for (delay, window) in
                [("1 ms", 5_000), ("3.3 ms", 14_600), ("10 ms", 65_535), ("2 ms", 0)]
            {
                let of = |window: u64| {
                    let flow = format!(
                        "source = {{ kind = \"tcp\", variant = \"{variant}\", mtu = \"1500 B\", \
                         acks = \"{acks}\", window = \"{window} B\" }}"
                    );
                    path("50 Mb/s", delay, "duration = \"6 s\"\nwarm-up = \"2 s\"", &flow)
                };
                let needed = only_size(&of(30_000)).needed_bytes();
                let is_full = window == 0;
                let scenario = of(if is_full { needed } else { window });
                let reached = only_size(&scenario).given.unwrap().reached_bps as f64;
                let bps = goodput(&scenario);
                // In an interval of 4 s: a window more, which may arrive at its edge.
                let edge = 8.0 * only_size(&scenario).given.unwrap().bytes.0 as f64 / 4.0;
                assert!(bps <= reached + edge, "{variant} {acks} {delay}: {bps} > {reached}");
                let link = 50e6 * 1_460.0 / 1_500.0;
                let fills = bps > 0.99 * link;
                assert_eq!(fills, is_full, "{variant} {acks} {delay}: {bps} of {link}");
                assert_eq!(warnings(&scenario, Code::BELOW_LOOP).is_empty(), is_full);
            }
        }
    }
}

/// Claim: an end-to-end window is warned of with the same law: 1 Gb/s, 10 ms each way, packets of
/// 1,250 B, an ACK of 53 B: R / T = 2,001.04. W = 2,001 with an ACK after 1,000: 2,000 packets in
/// 2,001.04 + 998 packet times, 66.69 %. 2,002 + 999 are full. What is meant is not warned of, nor
/// what the share of another flow allows.
#[test]
fn a_window_with_late_acks_is_warned_of() {
    let head = "duration = \"2 s\"\nwarm-up = \"0.5 s\"";
    let of = |packets: u32, more: &str| {
        let flow = format!(
            "packet = \"1250 B\"\ncontrol = {{ kind = \"window\", packets = {packets}, ack-every = \
             1000{more} }}"
        );
        path("1 Gb/s", "10 ms", head, &flow)
    };
    let late = of(2_001, "");
    let size = only_size(&late);
    assert_eq!((size.needed, size.given.unwrap().reached_bps), (3_001, 666_879_534));
    let bps = done(&late).summary.vcs[0].throughput_bps;
    assert!((bps / 666_879_534.0 - 1.0).abs() < 0.002, "{bps}");
    let [warning] = &warnings(&late, Code::BELOW_LOOP)[..] else { panic!("one warning") };
    assert!(warning.starts_with(
        "the window of `f` is 2001 packets, but a loop of 20.010424 ms at 1 Gb/s needs 3001 with \
         an ACK after 1000: it gets at most 667 Mb/s raise `packets` to 3001"
    ), "{warning}");
    assert!(warnings(&of(3_001, ""), Code::BELOW_LOOP).is_empty());
    assert!(warnings(&of(2_001, ", allow-small-window = true"), Code::BELOW_LOOP).is_empty());
}

/// Claim: a flow that needs less than the window gives is not warned of: a source of its own rate,
/// a transfer that fits the window, and ten flows that share the link.
#[test]
fn a_window_that_is_enough_is_not_warned_of() {
    let head = "duration = \"1 s\"";
    let quiet = |flow: &str| {
        let scenario = path("1 Gb/s", "5 ms", head, flow);
        assert_eq!(warnings(&scenario, Code::BELOW_LOOP), Vec::<String>::new(), "{flow}");
    };
    let tcp = "source = { kind = \"tcp\", variant = \"newreno\", window = \"150 kB\"";
    quiet(&format!("{tcp}, transfer = \"150 kB\" }}"));
    quiet(&format!("{tcp}, allow-small-window = true }}"));
    // Ten flows: a tenth of the link each, so a tenth of the loop.
    let ten = format!("{tcp} }}").replace("source", "count = 10\nsource");
    quiet(&ten);
    quiet(
        "packet = \"1500 B\"\nsource = { kind = \"constant\", rate = \"100 Mb/s\" }\n\
         control = { kind = \"window\", packets = 90 }",
    );
    let one = path("1 Gb/s", "5 ms", head, &format!("{tcp} }}"));
    assert_eq!(warnings(&one, Code::BELOW_LOOP).len(), 1);
}

/// Claim: `tcp` without `variant` is CUBIC, and one warning says so for the whole file; a file that
/// states it has none, and the two are one run.
#[test]
fn a_missing_variant_is_cubic_and_said_once() {
    let head = "duration = \"1 s\"";
    let of = |variant: &str| {
        let flow = format!("count = 3\nsource = {{ kind = \"tcp\"{variant}, window = \"2 MB\" }}");
        path("100 Mb/s", "5 ms", head, &flow)
    };
    let open = of("");
    let [warning] = &warnings(&open, Code::USUAL_TCP)[..] else { panic!("one warning") };
    let says = "`f1` and 2 more do not state a `variant` of TCP: `cubic` is taken, in version 0.2";
    assert!(warning.starts_with(says), "{warning}");
    let [cubic, reno] = ["cubic", "reno"].map(|name| of(&format!(", variant = \"{name}\"")));
    assert!(
        warnings(&cubic, Code::USUAL_TCP).is_empty() && warnings(&reno, Code::USUAL_TCP).is_empty()
    );
    let [open, cubic, reno] = [open, cubic, reno].map(|one| done(&one).digest);
    assert!(open == cubic && open != reno);
}
