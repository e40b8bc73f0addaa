//! Schedulers, packets, reservations, sources and policing: the meaning of each key, in numbers
//! computed by hand.

use std::num::NonZeroU8;

use hopflow_control::scheduler::{
    ClassWeights, Gate, GateList, MeterCheck, Reservation, SchedulerSpec, StampClock,
    VirtualClockSpec,
};
use hopflow_network::{
    Discard, EnvelopeRule, EnvelopeSpec, Excess, NetworkSpec, PolicingRule, PolicingSpec, SizeLaw,
    SourceSpec, VcSpec,
};
use hopflow_scenario::Scenario;
use hopflow_units::{Bytes, Cells, Picos, Rate};
use serde_json::json;

mod one_switch;

/// A - S - B at 1 Mb/s, and `end` after it: keys of the only flow, then more tables.
fn scenario(end: &str) -> Scenario {
    let text = one_switch::text("1 s", ["1 Mb/s"; 2], end);
    Scenario::from_toml(&text, "traffic.toml").unwrap_or_else(|wrong| panic!("{end}\n{wrong}"))
}

fn network(end: &str) -> NetworkSpec {
    scenario(end).network
}

fn flow(end: &str) -> VcSpec {
    network(end).vcs[0].clone()
}

/// The code of the only error.
fn refused(end: &str) -> String {
    let text = one_switch::text("1 s", ["1 Mb/s"; 2], end);
    let wrong = Scenario::from_toml(&text, "traffic.toml").expect_err("it is wrong").to_string();
    let codes: Vec<&str> = wrong.split("error[").skip(1).collect();
    assert_eq!(codes.len(), 1, "{wrong}");
    codes[0].split(']').next().unwrap_or_default().to_owned()
}

/// The source of a flow of packets of 250 B.
fn packets_of(source: &str) -> SourceSpec {
    (*flow(&format!("{PACKET}source = {source}")).source).clone()
}

fn ms(ms: u64) -> Picos {
    Picos(ms * 1_000_000_000)
}

fn kbps(kbps: u64) -> Rate {
    Rate::from_bps(kbps * 1_000).expect("not zero")
}

/// 250 B, 10 packets a second: 20 kb/s, a packet every 100 ms.
const PACKET: &str = "packet = \"250 B\"\n";
const RESERVED: &str = "packet = \"250 B\"\n\
                        reservation = { rate = \"10 packets/s\", interval = \"20 s\" }\n";
const TRAIN: &str = "source = { kind = \"train\", rate = \"10 packets/s\", length = 2 }\n";

/// Claim: 10 packets/s of 250 B are 20 kb/s. If nothing else is given, AI is 100 packets, 10 s; the
/// burst is a packet; there is no P.
#[test]
fn a_reservation_is_read() {
    let bare = flow(&format!("{PACKET}reservation = {{ rate = \"10 packets/s\" }}"));
    let (interval, priority, burst) = (ms(10_000), Picos::ZERO, Bytes(250));
    assert_eq!(bare.reservation, Some(Reservation { rate: kbps(20), interval, priority, burst }));
    let full = "reservation = { rate = \"20 kb/s\", interval = \"20 s\", priority = \"1 s\", \
                burst = \"2 kB\" }";
    let (interval, priority, burst) = (ms(20_000), ms(1_000), Bytes(2_000));
    let full = flow(&format!("{PACKET}{full}")).reservation;
    assert_eq!(full, Some(Reservation { rate: kbps(20), interval, priority, burst }));
    assert_eq!(flow("").reservation, None);
    // An interval in cells is of the first link: 1,000 cells of 424 us are 424 ms.
    let cells = "reservation = { rate = \"10 packets/s\", interval = \"1000 cells\" }";
    let cells = flow(&format!("{PACKET}{cells}")).reservation.unwrap();
    assert_eq!(cells.interval, ms(424));
}

/// Claim [Zhang90] Appendix A: AIR = 10 x 20 = 200 packets, average gap 100 ms, minimum gap 50 ms;
/// the same from the reservation or from the keys of `envelope`.
#[test]
fn an_envelope_is_that_of_the_reservation_or_given() {
    let wanted = EnvelopeSpec {
        packets: 200,
        interval: ms(20_000),
        rule: EnvelopeRule::Gaps { least_gap: ms(50), average_gap: ms(100) },
    };
    let reserved = flow(&format!("{RESERVED}{TRAIN}envelope = true"));
    assert_eq!(reserved.traffic.envelope, Some(wanted));
    let given = "envelope = { packets = 200, interval = \"20 s\" }";
    assert_eq!(flow(&format!("{PACKET}{TRAIN}{given}")).traffic.envelope, Some(wanted));
    assert_eq!(flow(&format!("{RESERVED}{TRAIN}envelope = false")).traffic.envelope, None);
    // What a table leaves out is that of the reservation: 100 in 20 s are 200 ms apart.
    let half = flow(&format!("{RESERVED}{TRAIN}envelope = {{ packets = 100 }}")).traffic.envelope;
    let rule = EnvelopeRule::Gaps { least_gap: ms(100), average_gap: ms(200) };
    assert_eq!(half, Some(EnvelopeSpec { packets: 100, rule, ..wanted }));
    assert_eq!(refused(&format!("{PACKET}{TRAIN}envelope = {{ packets = 100 }}")), "HF0071");
}

/// Claim [Zhang90] 2.3.2: a strict envelope has AIR and AI, of the reservation or given, and no
/// gaps; results name it.
#[test]
fn a_strict_envelope_has_no_gaps() {
    let strict =
        |packets, interval| Some(EnvelopeSpec { packets, interval, rule: EnvelopeRule::Strict });
    let reserved = format!("{RESERVED}{TRAIN}envelope = {{ kind = \"strict\" }}");
    assert_eq!(flow(&reserved).traffic.envelope, strict(200, ms(20_000)));
    let given = "envelope = { kind = \"strict\", packets = 7, interval = \"3 s\" }";
    assert_eq!(flow(&format!("{PACKET}{TRAIN}{given}")).traffic.envelope, strict(7, ms(3_000)));
    let resolved = scenario(&reserved).resolved();
    let written = json!({
        "interval_ps": 20_000_000_000_000_u64,
        "kind": "strict",
        "packets": 200,
    });
    assert_eq!(resolved["flows"][0]["envelope"], written);
}

/// Claim: a train of burstiness 2 at 10 packets/s has packets 50 ms apart, and a pause of mean
/// 2 x (100 - 50) ms, so that two packets take 200 ms. With burstiness 8: 12.5 ms and
/// 2 x 87.5 ms. Poisson gaps have the mean 100 ms; so has the gap of a random phase.
#[test]
fn sources_keep_their_mean_rate() {
    let source = |text: &str| flow(&format!("{PACKET}source = {text}")).source;
    let train = |length, spacing, pause| SourceSpec::Train { length, spacing, pause };
    let plain = "{ kind = \"train\", rate = \"10 packets/s\", length = 2 }";
    assert_eq!(source(plain), train(2.0, ms(50), ms(100)));
    let bursty = "{ kind = \"train\", rate = \"20 kb/s\", length = 2, burstiness = 8 }";
    assert_eq!(source(bursty), train(2.0, Picos(12_500_000_000), ms(175)));
    let poisson = "{ kind = \"poisson\", rate = \"2 %\" }";
    assert_eq!(source(poisson), SourceSpec::Poisson { gap: ms(100) });
    let phased = "{ kind = \"constant\", rate = \"10 packets/s\", phase = \"random\" }";
    assert_eq!(source(phased), SourceSpec::Phased { gap: ms(100) });
    let constant = "{ kind = \"constant\", rate = \"10 packets/s\" }";
    assert_eq!(source(constant), SourceSpec::Constant { rate: kbps(20) });
    // Packets of 100 and 400 B, 3 : 1, have 175 B on average: 1,400 bits at 14 kb/s are 100 ms.
    let mixed = "packet = { sizes = [\"100 B\", \"400 B\"], weights = [3, 1] }\n\
                 source = { kind = \"poisson\", rate = \"14 kb/s\" }";
    assert_eq!(flow(mixed).source, SourceSpec::Poisson { gap: ms(100) });
}

/// Claim: 30 frames/s are 33,333,333,334 ps apart, rounded up; frames are bounded in cells, 530 B
/// are 10; a coder is under `abr`, and nothing else holds it.
#[test]
fn a_coder_is_read() {
    let abr = "control = { kind = \"abr\" }\n";
    let coder = |keys: &str| {
        (*flow(&format!("{abr}source = {{ kind = \"video\", frame-rate = {keys} }}")).source)
            .clone()
    };
    let frame = Picos(33_333_333_334);
    let plain = SourceSpec::Video { frame, part: None, least: 1, most: None };
    assert_eq!(coder("30"), plain);
    let bounds = "30, part = \"1/2\", least-frame = \"3 cells\", most-frame = \"530 B\"";
    assert_eq!(
        coder(bounds),
        SourceSpec::Video { frame, part: Some(0.5), least: 3, most: Some(10) }
    );
    let video = "source = { kind = \"video\", frame-rate = 30";
    assert_eq!(refused(&format!("{video} }}")), "HF0094");
    for wrong in
        [", part = 1.5", ", part = 0", ", least-frame = \"0 cells\"", ", most-frame = \"0 B\""]
    {
        assert_eq!(refused(&format!("{abr}{video}{wrong} }}")), "HF0013", "{wrong}");
    }
    let fastest = SourceSpec::Video { frame: Picos(1_000_000), part: None, least: 1, most: None };
    assert_eq!(coder("1e6"), fastest);
    for wrong in ["1.1e6", "1e12", "0"] {
        let text = format!("{abr}source = {{ kind = \"video\", frame-rate = {wrong} }}");
        assert_eq!(refused(&text), "HF0013", "{wrong}");
    }
    let held = ["obeys = true\nreservation = { rate = \"9 kb/s\" }", "misbehaves = 2"];
    for held in held {
        assert_eq!(refused(&format!("{abr}{video} }}\n{held}")), "HF0062", "{held}");
    }
    let framed = format!("{abr}{video} }}\npacket = \"1500 B\"\nframing = \"aal5\"");
    assert_eq!(refused(&framed), "HF0009");
}

/// Claim: `misbehaves = 5` divides gaps by five and multiplies rates. The `envelope` and `obeys` of
/// the defaults do not apply to it.
#[test]
fn a_source_that_misbehaves_is_faster_and_keeps_to_nothing() {
    let fast = |source: &str| {
        let end = format!(
            "packet = \"250 B\"\nsource = {source}\nmisbehaves = 5\n\
             reservation = {{ rate = \"10 packets/s\" }}\n\
             [defaults.flow]\nenvelope = true\nobeys = true"
        );
        let vc = flow(&end);
        assert_eq!((vc.traffic.envelope, vc.traffic.obeys), (None, false), "{source}");
        vc.source
    };
    let train = SourceSpec::Train { length: 2.0, spacing: ms(10), pause: ms(20) };
    assert_eq!(fast("{ kind = \"train\", rate = \"10 packets/s\", length = 2 }"), train);
    let poisson = SourceSpec::Poisson { gap: ms(20) };
    assert_eq!(fast("{ kind = \"poisson\", rate = \"10 packets/s\" }"), poisson);
    let constant = SourceSpec::Constant { rate: kbps(100) };
    assert_eq!(fast("{ kind = \"constant\", rate = \"20 kb/s\" }"), constant);
    let alternating =
        "{ kind = \"alternating\", low = \"1 kb/s\", high = \"2 kb/s\", half-period = \"1 s\" }";
    let (low, high, half_period) = (Some(kbps(5)), Some(kbps(10)), ms(1_000));
    assert_eq!(fast(alternating), SourceSpec::Alternating { low, high, half_period });
}

/// Claim: a rate of 0 is silence, in one of the two phases; in both it is an error. Silence stays
/// silence with `misbehaves`.
#[test]
fn a_source_may_be_silent_by_turns() {
    let text = |low: &str, high: &str| {
        format!(
            "{{ kind = \"alternating\", low = \"{low}\", high = \"{high}\", \
             half-period = \"1 s\" }}"
        )
    };
    let half_period = ms(1_000);
    let silent = SourceSpec::Alternating { low: None, high: Some(kbps(20)), half_period };
    assert_eq!(packets_of(&text("0 kb/s", "20 kb/s")), silent);
    assert_eq!(packets_of(&text("0 packets/s", "10 packets/s")), silent);
    let silent = SourceSpec::Alternating { low: Some(kbps(20)), high: None, half_period };
    assert_eq!(packets_of(&text("20 kb/s", "0 %")), silent);
    let fast =
        flow(&format!("packet = \"250 B\"\nsource = {}\nmisbehaves = 2", text("10 kb/s", "0 b/s")));
    assert_eq!(fast.source, silent);
    assert_eq!(refused(&format!("source = {}", text("0 %", "0 b/s"))), "HF0013");
    assert_eq!(refused(&format!("source = {}", text("0.5 b/s", "1 b/s"))), "HF0013");
}

/// Claim: `packets` ends a source of any kind except a connection; 0 is an error, and so is a
/// number above that of a record. The resolved scenario has the key only if the file has it.
#[test]
fn a_source_of_a_number_of_packets() {
    let packets = |text: &str| flow(&format!("source = {{ {text} }}")).traffic.packets;
    assert_eq!(packets("kind = \"greedy\", packets = 7"), Some(7));
    assert_eq!(packets("kind = \"poisson\", rate = \"10 packets/s\", packets = 1"), Some(1));
    assert_eq!(packets("kind = \"every-kth\", k = 3"), None);
    let resolved = |end: &str| scenario(end).resolved()["flows"][0]["packets"].clone();
    assert_eq!(resolved("source = { kind = \"greedy\", packets = 7 }"), json!(7));
    assert_eq!(resolved(""), json!(null));
    let refused = |text: &str| refused(&format!("source = {{ {text} }}"));
    assert_eq!(refused("kind = \"greedy\", packets = 0"), "HF0013");
    assert_eq!(refused("kind = \"tcp\", packets = 7"), "HF0008");
}

/// Claim: keys that a policer omits are those of the reservation: a packet at 20 kb/s is 100 ms.
#[test]
fn policing_is_that_of_the_reservation_or_given() {
    let policing =
        |text: &str| flow(&format!("{RESERVED}{TRAIN}policing = {text}")).traffic.policing.unwrap();
    let (rate, burst) = (kbps(20), Bytes(250));
    let rule = PolicingRule::TokenBucket { rate, burst };
    let excess = Excess::Discarded;
    assert_eq!(policing("{ kind = \"token-bucket\" }"), PolicingSpec { rule, excess });
    let given = "{ kind = \"token-bucket\", rate = \"40 kb/s\", burst = \"1 kB\", \
                 excess = \"delay\", room = 7 }";
    let rule = PolicingRule::TokenBucket { rate: kbps(40), burst: Bytes(1_000) };
    assert_eq!(policing(given), PolicingSpec { rule, excess: Excess::Delayed { packets: 7 } });
    let gcra = policing("{ kind = \"gcra\", limit = \"0 s\" }");
    let rule = PolicingRule::Gcra { increment: ms(100), limit: Picos::ZERO };
    assert_eq!(gcra, PolicingSpec { rule, excess });
    let leaky = policing("{ kind = \"leaky-bucket\", rate = \"20 packets/s\", room = 5 }");
    assert_eq!(leaky.rule, PolicingRule::LeakyBucket { period: ms(50), packets: 5 });
}

/// Claim: with excess at low priority there is a second VC after the first, of its path and stream,
/// of the last priority, without reservation; it can be recorded by its name.
#[test]
fn excess_at_low_priority_is_a_flow_of_its_own() {
    let end = format!(
        "{RESERVED}{TRAIN}policing = {{ kind = \"token-bucket\", excess = \"low-priority\" }}\n\
         [[flow]]\nname = \"g\"\nroute = [\"B\", \"S\", \"A\"]\n[record]\ndelays = [\"f.excess\"]"
    );
    let scenario = scenario(&end);
    let [first, second, third] = scenario.network.vcs.as_slice() else { panic!("three VCs") };
    assert_eq!([&first.name, &second.name, &third.name], ["f", "f.excess", "g"]);
    assert_eq!(first.traffic.policing.unwrap().excess, Excess::Elsewhere);
    assert_eq!(second.traffic.policing.unwrap().excess, Excess::Only);
    assert_eq!(second.traffic.stream.as_deref(), Some("f"));
    assert_eq!((second.priority, second.reservation), (7, None));
    assert_eq!((&second.hops, &second.source), (&first.hops, &first.source));
    assert_eq!(scenario.record.delays, [1]);
}

/// Claim: sizes, weights and buffers are read; 64 kB hold 1,207 cells of 53 B.
#[test]
fn packets_weights_and_buffers_are_read() {
    let range = &flow("packet = { least = \"40 B\", most = \"1500 B\" }").traffic.size;
    assert_eq!(*range, SizeLaw::Uniform { least: Bytes(40), most: Bytes(1_500) });
    let mix = &flow("packet = { sizes = [\"40 B\", \"1500 B\"] }").traffic.size;
    assert_eq!(*mix, SizeLaw::Mix(vec![(Bytes(40), 1), (Bytes(1_500), 1)]));
    assert_eq!(flow("").traffic.size, SizeLaw::CELL);
    let weight = flow("weight = 3\n[defaults.switch]\nscheduler = \"wfq\"").weight;
    assert_eq!(weight, 3);
    let node = |end: &str| network(end).nodes[1].clone();
    let full = node(
        "[defaults.switch]\nbuffer = \"64 kB\"\nvc-buffer = \"5 cells\"\n\
         port-buffer = \"7 packets\"\ndiscard = \"last-of-longest\"\nscheduler = \"fifo\"",
    );
    assert_eq!(full.buffer, Some(Bytes(64_000).into()));
    assert_eq!((full.vc_buffer, full.port_buffer), (Some(Cells(5).into()), Some(Cells(7).into())));
    assert_eq!(full.discard, Discard::LastOfLongest);
    let own = node("[defaults.switch]\nscheduler = \"fifo\"\ndiscard = \"last-of-own\"");
    assert_eq!((own.discard, own.port_buffer), (Discard::LastOfOwn, None));
}

/// Claim: the scheduler of a link takes precedence over that of the sending node, that of a
/// direction over that of a link, and that of a node over the default. Without any it is round
/// robin, at hosts too.
#[test]
fn the_nearest_scheduler_counts() {
    const PLAIN: SchedulerSpec = SchedulerSpec::RoundRobin;
    const FIFO: SchedulerSpec = SchedulerSpec::Fifo;
    const WFQ: SchedulerSpec = SchedulerSpec::Wfq;
    let of = |end: &str| -> Vec<SchedulerSpec> {
        let links = network(end).links;
        links.iter().flat_map(|link| &link.directions).map(|way| way.scheduler.clone()).collect()
    };
    // A->S, S->A, S->B, B->S.
    assert_eq!(of(""), [PLAIN; 4]);
    assert_eq!(of("[defaults.switch]\nscheduler = \"fifo\""), [PLAIN, FIFO, FIFO, PLAIN]);
    assert_eq!(of("[defaults.host]\nscheduler = \"wfq\""), [WFQ, PLAIN, PLAIN, WFQ]);
    let link = "[defaults.switch]\nscheduler = \"fifo\"\n[defaults.link]\nscheduler = \"wfq\"";
    assert_eq!(of(link), [WFQ; 4]);
    let ways = "[defaults.link]\nscheduler = [\"wfq\", { kind = \"fifo\" }]";
    assert_eq!(of(ways), [WFQ, FIFO, WFQ, FIFO]);
    let own = "[[switch]]\nname = \"T\"\nscheduler = \"sfq\"\n[[link]]\nbetween = [\"S\", \"T\"]\n\
               rate = \"1 Mb/s\"\n[defaults.switch]\nscheduler = \"fifo\"";
    assert_eq!(of(own)[4..], [FIFO, SchedulerSpec::Sfq]);
}

/// Claim: each kind is the scheduler of its name, with its parameters.
#[test]
fn each_kind_of_scheduler_is_read() {
    let of = |text: &str| {
        let reserved = "reservation = { rate = \"9 kb/s\" }";
        let spec = network(&format!("{reserved}\n[defaults.switch]\nscheduler = {text}"));
        spec.links[1].directions[0].scheduler.clone()
    };
    for (text, spec) in [
        ("\"round-robin\"", SchedulerSpec::RoundRobin),
        ("\"fifo\"", SchedulerSpec::Fifo),
        ("{ kind = \"strict-priority\" }", SchedulerSpec::StrictPriority),
        ("\"weighted-round-robin\"", SchedulerSpec::WeightedRoundRobin),
        ("\"wfq\"", SchedulerSpec::Wfq),
        ("\"wf2q\"", SchedulerSpec::Wf2q),
        ("\"scfq\"", SchedulerSpec::Scfq),
        ("\"sfq\"", SchedulerSpec::Sfq),
        ("\"leap-forward\"", SchedulerSpec::LeapForward),
        ("\"ats\"", SchedulerSpec::Ats { max_residence: None }),
        ("\"cbs\"", SchedulerSpec::Cbs),
        ("{ kind = \"tdm\", frame = 20 }", SchedulerSpec::Tdm { frame: 20 }),
        (
            "{ kind = \"deficit-round-robin\", quantum = \"1500 B\" }",
            SchedulerSpec::DeficitRoundRobin { quantum: Bytes(1_500) },
        ),
        (
            "{ kind = \"schedule-based\", frame = 20, window = 3 }",
            SchedulerSpec::ScheduleBased { frame: 20, window: 3 },
        ),
        (
            "{ kind = \"ats\", max-residence = \"5 ms\" }",
            SchedulerSpec::Ats { max_residence: Some(ms(5)) },
        ),
        (
            "{ kind = \"time-aware\", offset = \"3 ms\", \
             gates = [{ for = \"2 s\", open = [0, 7] }, { for = \"4 ms\", open = [] }] }",
            SchedulerSpec::TimeAware(GateList {
                offset: ms(3),
                gates: [Gate { span: ms(2_000), open: 0b1000_0001 }, Gate { span: ms(4), open: 0 }]
                    .into(),
            }),
        ),
        (
            "{ kind = \"ets\", quantum = \"1500 B\", \
             weights = [{ priority = 7, weight = 100 }, { priority = 1, weight = 1 }] }",
            SchedulerSpec::Ets {
                quantum: Bytes(1_500),
                weights: ClassWeights([0, 1, 0, 0, 0, 0, 0, 100].map(NonZeroU8::new)),
            },
        ),
        ("\"virtual-clock\"", SchedulerSpec::VirtualClock(VirtualClockSpec::default())),
        (
            "{ kind = \"virtual-clock\", stamp = \"meter\", check = \"2 s\", threshold = \"3 s\", \
             messages = false, delete-after = \"never\", refuse-ahead = \"4 s\" }",
            SchedulerSpec::VirtualClock(VirtualClockSpec {
                stamp: StampClock::Meter,
                check: MeterCheck::Every(ms(2_000)),
                threshold: Some(ms(3_000)),
                messages: false,
                delete_after: None,
                refuse_ahead: Some(ms(4_000)),
            }),
        ),
    ] {
        assert_eq!(of(text), spec, "{text}");
    }
}

/// Claim: gates that never let a packet through are refused with the time that it takes. So are an
/// empty list, and a gate without a length; and gates in front of another scheduler, which are not
/// modelled.
#[test]
fn gates_that_let_nothing_through_are_refused() {
    let refused = |gates: &str| {
        let end = format!(
            "[defaults.switch]\n\
             scheduler = {{ kind = \"time-aware\", gates = {gates} }}"
        );
        let text = one_switch::text("1 s", ["1 Mb/s"; 2], &end);
        Scenario::from_toml(&text, "gates.toml").expect_err("refused").to_string()
    };
    let shut = refused("[{ for = \"1 s\", open = [1] }]");
    assert!(shut.contains("error[HF0076]") && shut.contains("no gate opens priority 0"), "{shut}");
    let short = refused("[{ for = \"1 ns\", open = [0] }, { for = \"1 s\", open = [1] }]");
    assert!(short.contains("gates of priority 0 are open for 1 ns at most"), "{short}");
    let none = refused("[]");
    assert!(none.contains("`gates` has 0 gates, not 1 to 1024"), "{none}");
    let twice = refused("[{ for = \"1 s\", open = [0, 0] }]");
    assert!(twice.contains("`open` names 0 twice"), "{twice}");
    let long = refused("[{ for = \"4e6 s\", open = [0] }, { for = \"1e6 s\", open = [] }]");
    assert!(long.contains("add up to more than 2^62 ps (53 days)"), "{long}");
    let end = "[defaults.switch]\n\
               scheduler = { kind = \"cbs\", gates = [{ for = \"1 s\", open = [0] }] }";
    let text = one_switch::text("1 s", ["1 Mb/s"; 2], end);
    let wrong = Scenario::from_toml(&text, "gates.toml").expect_err("refused").to_string();
    assert!(wrong.contains("a credit-based shaper behind gates, are not modelled"), "{wrong}");
}

/// Claim: the resolved form has all of these, in numbers with their units.
#[test]
fn the_resolved_form_tells_all() {
    let end = format!(
        "{RESERVED}{TRAIN}envelope = true\nobeys = true\n\
         policing = {{ kind = \"token-bucket\", burst = \"1 kB\" }}\n\
         [defaults.switch]\nscheduler = {{ kind = \"virtual-clock\", delete-after = 0 }}\n\
         discard = \"last-of-own\"\nport-buffer = \"50 packets\""
    );
    let resolved = scenario(&end).resolved();
    let flow = &resolved["flows"][0];
    assert_eq!(
        flow["reservation"],
        json!({
            "burst_bytes": 250,
            "interval_ps": 20_000_000_000_000_u64,
            "priority_ps": 0,
            "rate_bps": 20_000,
        })
    );
    assert_eq!(
        flow["source"],
        json!({
            "kind": "train",
            "length_packets": 2.0,
            "pause_ps": 100_000_000_000_u64,
            "spacing_ps": 50_000_000_000_u64,
        })
    );
    assert_eq!(
        flow["envelope"],
        json!({
            "average_gap_ps": 100_000_000_000_u64,
            "interval_ps": 20_000_000_000_000_u64,
            "least_gap_ps": 50_000_000_000_u64,
            "packets": 200,
        })
    );
    assert_eq!(
        flow["policing"],
        json!({
            "burst_bytes": 1_000,
            "excess": "discard",
            "kind": "token-bucket",
            "rate_bps": 20_000,
            "room_packets": null,
        })
    );
    assert_eq!(flow["obeys"], true);
    assert_eq!(flow["size"], json!({ "bytes": 250, "kind": "fixed" }));
    let scheduler = &resolved["links"][1]["directions"][0]["scheduler"];
    assert_eq!(scheduler["kind"], "virtual-clock");
    assert_eq!(scheduler["delete_after_messages"], 0);
    assert_eq!(resolved["nodes"][1]["discard"], "last-of-own");
    assert_eq!(resolved["nodes"][1]["port_buffer_packets"], 50);
}
