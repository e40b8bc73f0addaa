//! Rate control in scenario files: the meaning of keys, in numbers by hand; both engines agree on
//! it.

use hopflow_control::rate::{
    AbrSpec, ActiveCount, BackwardMark, BackwardRmSpec, Drain, EfciSpec, EprcaSpec, ErCap,
    EricaOptions, EricaPlusSpec, EricaSpec, LoadAveraging, MacrSpec, QueueControl, QueueCurve,
    RateRule, SelectiveSpec, VcCountingSpec, VcRate,
};
use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_network::{
    Engine, NetworkSpec, RateSpec, Segment, TraceFilter, VirtualInput, VirtualRate, VirtualSpec,
    VirtualUpdate,
};
use hopflow_scenario::Scenario;
use hopflow_units::{CellRate, Picos, SimTime};
use serde_json::json;

mod two_switches;

use two_switches::text;

const FLOW: &str = "[[flow]]\nname = \"f\"\nfrom = \"H\"\nto = \"G\"\n";

fn scenario(trunk: &str, end: &str) -> Scenario {
    let text = text("2 ms", trunk, end);
    Scenario::from_toml(&text, "rate.toml").unwrap_or_else(|wrong| panic!("{wrong}\n{text}"))
}

fn rate(cells_per_second: f64) -> CellRate {
    CellRate::new(cells_per_second).expect("a rate")
}

/// The result of a control table of the flow.
fn abr(keys: &str) -> AbrSpec {
    let end = format!("{FLOW}control = {{ kind = \"abr\"{keys} }}");
    *scenario("", &end).network.vcs[0].rate.clone().expect("it is under abr")
}

/// Claim: an empty table is the default of the sources for the rate of the first link.
#[test]
fn a_source_has_the_defaults_of_its_link() {
    assert_eq!(abr(""), AbrSpec::new(rate(1e6)));
}

/// Claim: every key has its meaning. 42.4 Mb/s are 100,000 cells/s, and so are 10 % of the link.
#[test]
fn keys_of_a_source_are_read() {
    let keys = ", pcr = \"42.4 Mb/s\", mcr = \"500.5 cells/s\", icr = \"1 %\", nrm = 16, mrm = 3, \
                trm = \"50 ms\", rif = \"1/64\", rdf = 0.25, cdf = 0, crm = 7, adtf = \"1 s\", \
                tcr = \"0 b/s\", sixteen-bit = true";
    let spec = AbrSpec {
        pcr: rate(100_000.0),
        mcr: rate(500.5),
        icr: rate(10_000.0),
        nrm: 16,
        mrm: 3,
        trm: Picos(50_000_000_000),
        rif: 1.0 / 64.0,
        rdf: 0.25,
        cdf: 0.0,
        crm: 7,
        adtf: Picos(1_000_000_000_000),
        tcr: CellRate::ZERO,
        sixteen_bit: true,
    };
    assert_eq!(abr(keys), spec);
}

/// Claim [TM4.0]: ICR is at most TBE / FRTT, and CRM is TBE / Nrm, rounded up. The path's loop is
/// 12 us: 6 cells in it are 500,000 cells/s. A given FRTT replaces it; MCR is a lower bound.
#[test]
fn exposure_bounds_the_first_rate() {
    let spec = abr(", tbe = \"6 cells\"");
    assert_eq!((spec.icr, spec.crm), (rate(500_000.0), 1));
    let spec = abr(", tbe = \"33 cells\", frtt = \"1 ms\"");
    assert_eq!((spec.icr, spec.crm), (rate(33_000.0), 2));
    assert_eq!(abr(", tbe = \"33 cells\", frtt = \"1 ms\", mcr = \"10 %\"").icr, rate(1e5));
    assert_eq!(abr(", tbe = \"33 cells\", frtt = \"100 cells\"").icr, rate(330_000.0));
}

/// Rate control of S->T and T->S.
fn ports(trunk: &str) -> [Option<RateSpec>; 2] {
    let abr = "[defaults.flow]\ncontrol = { kind = \"abr\" }\n";
    scenario(trunk, &format!("{abr}{FLOW}")).network.links[1]
        .directions
        .each_ref()
        .map(|d| d.rate_control)
}

fn rule(table: &str) -> RateRule {
    ports(&format!("rate-control = {table}"))[0].and_then(|spec| spec.rule).expect("a rule is read")
}

/// Claim: `backward-rm` has the threshold of marking rules, CI and 100 ms [TM4.0] unless the file
/// has others; a rule that does not mark every flow needs a threshold, and a virtual source has
/// none.
#[test]
fn backward_rm_cells_of_a_port_are_read() {
    let read =
        |table: &str| ports(&format!("rate-control = {table}"))[0].and_then(|r| r.backward_rm);
    let spec = |above, mark, gap| Some(BackwardRmSpec { above, mark, gap });
    let ci = BackwardMark::Ci;
    let marking = "{ kind = \"becn\", high = \"9 cells\", low = \"2 cells\", backward-rm = true }";
    assert_eq!(read(marking), spec(9, ci, Picos(100_000_000_000)));
    let given =
        "{ kind = \"none\", backward-rm = { above = \"106 B\", mark = \"ni\", gap = \"2 ms\" } }";
    assert_eq!(read(given), spec(2, BackwardMark::Ni, Picos(2_000_000_000)));
    assert_eq!(read("{ kind = \"erica\", backward-rm = false }"), None);
    let refused = |table: &str| {
        let abr = "[defaults.flow]\ncontrol = { kind = \"abr\" }\n";
        let text = text("2 ms", &format!("rate-control = {table}"), &format!("{abr}{FLOW}"));
        Scenario::from_toml(&text, "rate.toml").expect_err("refused").to_string()
    };
    let wrong = refused("{ kind = \"erica\", backward-rm = true }");
    assert!(wrong.contains("`above` is missing in this backward-rm"), "{wrong}");
    let wrong = refused("{ kind = \"erica\", vs-vd = true, backward-rm = { above = \"1 cell\" } }");
    assert!(wrong.contains("`backward-rm` and `vs-vd` exclude each other"), "{wrong}");
}

/// Claim: a kind alone has the defaults of its algorithm. VC counting settles in the loop of the
/// path and the time of Nrm cells of its one flow: 12 + 32 us.
#[test]
fn kinds_alone_have_defaults() {
    assert_eq!(rule("\"eprca\""), RateRule::Eprca(EprcaSpec::default()));
    assert_eq!(rule("\"erica\""), RateRule::Erica(EricaSpec::default()));
    assert_eq!(rule("\"erica-plus\""), RateRule::EricaPlus(EricaPlusSpec::default()));
    let settle = Picos(44_000_000);
    assert_eq!(rule("\"vc-counting\""), RateRule::VcCounting(VcCountingSpec::new(settle)));
}

/// Claim: every key of marking, of EPRCA and of VC counting has its meaning. 530 B are 10 cells.
#[test]
fn keys_of_queues_are_read() {
    let queue = EfciSpec { high: 20, low: 10 };
    let of_queue = "high = \"20 cells\", low = \"530 B\"";
    assert_eq!(rule(&format!("{{ kind = \"efci\", {of_queue} }}")), RateRule::Efci(queue));
    assert_eq!(rule(&format!("{{ kind = \"becn\", {of_queue} }}")), RateRule::Becn(queue));
    let single = RateRule::Efci(EfciSpec::single(9));
    assert_eq!(rule("{ kind = \"efci\", high = \"9 cells\" }"), single);
    let average = MacrSpec { av: 0.5, vcs: 0.75, initial: Some(rate(7.0)) };
    let of_macr = "av = 0.5, vcs = \"3/4\", initial = \"7 cells/s\"";
    assert_eq!(
        rule(&format!("{{ kind = \"selective\", {of_queue}, {of_macr}, part = 0.5 }}")),
        RateRule::Selective(SelectiveSpec { queue, average, part: 0.5 })
    );
    let keys = "dpf = 0.5, erf = 0.25, mrf = 0.125, qt = \"0 cells\", dqt = \"5 cells\", ci = true";
    assert_eq!(
        rule(&format!("{{ kind = \"eprca\", {of_macr}, {keys} }}")),
        RateRule::Eprca(EprcaSpec {
            average,
            dpf: 0.5,
            erf: 0.25,
            mrf: 0.125,
            qt: 0,
            dqt: 5,
            ci: true,
        })
    );
    let times = "interval = \"2 ms\", active = \"3 ms\", settle = \"4 ms\", \
                 vc-rate = \"measured\", tolerance = \"1/4\"";
    let counting = |drain| {
        let [interval, active, settle] = [2, 3, 4].map(|ms| Picos(ms * 1_000_000_000));
        let (vc_rate, tolerance) = (VcRate::Measured, 0.25);
        let times = VcCountingSpec { interval, active, ..VcCountingSpec::new(settle) };
        RateRule::VcCounting(VcCountingSpec { drain, vc_rate, tolerance, ..times })
    };
    assert_eq!(
        rule(&format!("{{ kind = \"vc-counting\", {of_queue}, part = 0.8, {times} }}")),
        counting(Drain::WhileQueued { queue, factor: 0.8 })
    );
    assert_eq!(
        rule(&format!("{{ kind = \"vc-counting\", drain = \"always\", {times} }}")),
        counting(Drain::Always(0.98))
    );
}

/// Claim: so has every key of ERICA and ERICA+.
#[test]
fn keys_of_erica_are_read() {
    let options = EricaOptions {
        interval: Picos(1_000_000_000),
        interval_cells: Some(100),
        active: ActiveCount::Contributions { decay: 0.8 },
        backward_counts: false,
        immediate_share: true,
        vc_rate: VcRate::Measured,
        averaging: LoadAveraging::OfParts { alpha: 0.5 },
        max_alloc: None,
        hold_at_share: true,
        cap: ErCap::Link,
    };
    let keys = "interval = \"1 ms\", interval-cells = 100, active-count = \"contributions\", \
                decay = 0.8, backward-counts = false, immediate-share = true, \
                vc-rate = \"measured\", averaging = \"of-parts\", alpha = 0.5, delta = \"none\", \
                hold-at-share = true, cap = \"link\"";
    assert_eq!(
        rule(&format!("{{ kind = \"erica\", utilization = 0.95, {keys} }}")),
        RateRule::Erica(EricaSpec { utilization: 0.95, options })
    );
    let plus = |curve, drain_limit, options| {
        let queue_control = QueueControl { curve, drain_limit };
        let target_delay = Picos(500_000_000);
        RateRule::EricaPlus(EricaPlusSpec { target_delay, queue_control, options })
    };
    let target = "kind = \"erica-plus\", target-delay = \"0.5 ms\"";
    assert_eq!(
        rule(&format!("{{ {target}, curve = \"linear\", above = \"1/4\", below = 0, {keys} }}")),
        plus(QueueCurve::Linear { above: 0.25, below: 0.0 }, 0.5, options)
    );
    let averaging = LoadAveraging::OfFactor { alpha: 0.8 };
    let options = EricaOptions { averaging, max_alloc: Some(0.2), ..EricaOptions::default() };
    let keys = "a = 1.5, b = 1.25, drain-limit = 0.75, averaging = \"of-factor\", delta = 0.2";
    assert_eq!(
        rule(&format!("{{ {target}, {keys} }}")),
        plus(QueueCurve::Hyperbolic { a: 1.5, b: 1.25 }, 0.75, options)
    );
}

/// Claim [Cai97]: with virtual sources the rate of a VC is `measured` unless the file has another
/// value, under every rule that has the choice; the CCR of a loop is taken where `rate` names it.
/// Without virtual sources it is the CCR of RM cells. Between two RM cells (`ccr`) is an option,
/// and `check` names key and value.
#[test]
fn virtual_sources_measure_rates() {
    let found = |keys: &str| {
        let flow = format!("{FLOW}control = {{ kind = \"abr\" }}\n");
        let scenario = scenario(&format!("rate-control = [{{ {keys} }}, \"none\"]"), &flow);
        let rule = scenario.network.links[1].directions[0].rate_control.unwrap().rule.unwrap();
        let warned = scenario.warnings.iter().any(|w| w.message.contains("`vc-rate = \"ccr\"`"));
        (rule.effect().vc_rate, warned)
    };
    let [ccr, measured] = [VcRate::Ccr, VcRate::Measured].map(Some);
    for kind in ["vc-counting", "erica", "erica-plus"] {
        for (keys, rate, warned) in [
            ("", ccr, false),
            (", vs-vd = false", ccr, false),
            (", vs-vd = true", measured, false),
            (", vs-vd = { rate = \"measured\", icr = \"9 cells/s\" }", measured, false),
            (", vs-vd = { rate = \"previous\", input = \"vc\" }", ccr, false),
            (", vs-vd = true, vc-rate = \"ccr\"", ccr, true),
            (", vc-rate = \"measured\"", measured, false),
        ] {
            assert_eq!(found(&format!("kind = \"{kind}\"{keys}")), (rate, warned), "{kind}{keys}");
        }
    }
    assert_eq!(found("kind = \"eprca\", vs-vd = true"), (None, false));
}

/// Claim: a wall and virtual sources are read, with an algorithm or, for a wall, without.
#[test]
fn segments_are_read() {
    let segment = |table: &str| ports(&format!("rate-control = {table}"))[0].unwrap();
    let wall = segment("{ kind = \"none\", wall = true }");
    assert_eq!(wall, RateSpec { rule: None, segment: Segment::Wall, backward_rm: None });
    let of = |keys: &str| segment(&format!("{{ kind = \"erica\", vs-vd = {keys} }}")).segment;
    assert_eq!(of("false"), Segment::Through);
    assert_eq!(of("true"), Segment::Virtual(VirtualSpec::default()));
    assert_eq!(
        of("{ rate = \"previous\", input = \"vc\", update = \"backward\", icr = \"9 cells/s\" }"),
        Segment::Virtual(VirtualSpec {
            rate: VirtualRate::Previous,
            input: VirtualInput::Vc,
            update: VirtualUpdate::Backward,
            icr: Some(rate(9.0)),
        })
    );
    let next = "{ rate = \"next\", update = \"turn-around\", allow-over-allocation = true }";
    assert_eq!(
        of(next),
        Segment::Virtual(VirtualSpec {
            rate: VirtualRate::Next,
            input: VirtualInput::Class,
            update: VirtualUpdate::TurnAround,
            icr: None,
        })
    );
}

fn kinds(network: &NetworkSpec) -> Vec<[&'static str; 2]> {
    let kind = |spec: Option<RateSpec>| match spec.and_then(|spec| spec.rule) {
        Some(RateRule::Erica(_)) => "erica",
        Some(RateRule::Eprca(_)) => "eprca",
        Some(_) => "other",
        None => "none",
    };
    network
        .links
        .iter()
        .map(|link| link.directions.each_ref().map(|d| kind(d.rate_control)))
        .collect()
}

/// Claim: the rate control of a switch applies to all its ports. That of a link takes precedence
/// over it, and that of a variant over both. Ports of hosts have none, though a link specifies it
/// for both its ends.
#[test]
fn links_go_before_switches() {
    let flow = format!("{FLOW}control = {{ kind = \"abr\" }}\n");
    let of_switches = "[defaults.switch]\nrate-control = \"erica\"\n";
    let network = scenario("", &format!("{flow}{of_switches}")).network;
    let [first, last] = [["none", "erica"], ["erica", "none"]];
    assert_eq!(kinds(&network), [first, ["erica"; 2], last]);
    let mixed = scenario("rate-control = [\"eprca\", \"none\"]", &format!("{flow}{of_switches}"));
    assert_eq!(kinds(&mixed.network), [first, ["eprca", "none"], last]);
    let of_links = format!("{flow}[[link]]\nbetween = [\"H\", \"S\"]\nrate-control = \"eprca\"\n");
    let network = scenario("", &of_links).network;
    assert_eq!(kinds(&network)[3], ["none", "eprca"]);
    let variant = "[[variant]]\nname = \"v\"\nswitch = { rate-control = \"erica\" }\n";
    let text = text("2 ms", "rate-control = \"eprca\"", &(flow + variant));
    let file = hopflow_scenario::ScenarioFile::new(text, "rate.toml");
    let varied = file.under("v").unwrap_or_else(|wrong| panic!("{wrong:?}"));
    assert_eq!(kinds(&varied.network), [first, ["erica"; 2], last]);
}

/// Claim: a connection is paced both ways, each by the link on which it begins, unless its way back
/// has a control of its own.
#[test]
fn connections_are_paced_both_ways() {
    let tcp = "source = { kind = \"tcp\", variant = \"reno\" }\nframing = \"aal5\"\n\
               control = { kind = \"abr\" }\n";
    let rates = |end: &str| {
        let network = scenario("", &format!("{FLOW}{tcp}{end}")).network;
        network.assert_valid();
        let rates: Vec<_> =
            network.vcs.iter().map(|vc| vc.rate.as_ref().map(|abr| abr.pcr)).collect();
        rates
    };
    assert_eq!(rates(""), [Some(rate(1e6)); 2]);
    let none = "back = { control = { kind = \"none\" } }\n";
    assert_eq!(rates(none), [Some(rate(1e6)), None]);
    let slow = "back = { control = { kind = \"abr\", pcr = \"1000 cells/s\" } }\n";
    assert_eq!(rates(slow), [Some(rate(1e6)), Some(rate(1000.0))]);
}

/// Claim: both engines count the same for a file, for every kind, plain and with virtual sources,
/// TCP included.
#[test]
fn both_engines_agree_on_every_kind() {
    let tcp = "[[flow]]\nname = \"t\"\nfrom = \"H\"\nto = \"G\"\n\
               source = { kind = \"tcp\", variant = \"reno\" }\n\
               framing = \"aal5\"\ncontrol = { kind = \"abr\" }\n";
    for keys in [
        "kind = \"efci\", high = \"9 cells\"",
        "kind = \"efci\", high = \"9 cells\", wall = true",
        "kind = \"becn\", high = \"9 cells\", low = \"2 cells\"",
        "kind = \"selective\", high = \"9 cells\"",
        "kind = \"eprca\"",
        "kind = \"vc-counting\"",
        "kind = \"erica\", interval = \"100 us\"",
        "kind = \"erica-plus\", interval = \"100 us\", vs-vd = true",
        "kind = \"erica\", vs-vd = { rate = \"previous\", input = \"vc\", icr = \"900 Mb/s\" }",
    ] {
        let switch = format!("[defaults.switch]\nrate-control = {{ {keys} }}\n");
        let flow = format!("{FLOW}control = {{ kind = \"abr\", icr = \"10 %\" }}\n");
        let network = scenario("", &format!("{switch}{flow}{tcp}")).network;
        let end = SimTime(network.duration.0);
        let mut reference = ReferenceEngine::new(&network, TraceFilter::none());
        let mut windowed = WindowedEngine::new(&network, TraceFilter::none(), 1);
        reference.run_until(end);
        windowed.run_until(end);
        let counters = windowed.counters();
        assert!(counters == reference.counters(), "{keys}");
        let delivered: Vec<u64> =
            counters.vcs.iter().map(|vc| vc.leaves[0].delivered_packets).collect();
        // The first ACK of TCP is delayed longer.
        assert!(delivered[..2].iter().all(|cells| *cells > 0), "{keys}: {delivered:?}");
    }
}

/// Claim: `[record] rates` names flows, or with `true` takes all; a name without a flow is a
/// mistake.
#[test]
fn recorded_rates_are_those_of_flows() {
    let flows = FLOW.replace("\"f\"", "\"e\"") + FLOW;
    let kept = |rates: &str| scenario("", &format!("{flows}[record]\nrates = {rates}\n")).record;
    assert_eq!(kept("[\"f\"]").rates, [1]);
    assert_eq!(kept("true").rates, [0, 1]);
    let wrong = text("2 ms", "", &format!("{flows}[record]\nrates = [\"ff\"]\n"));
    let error = Scenario::from_toml(&wrong, "rate.toml").unwrap_err().to_string();
    assert!(error.contains("no flow is named `ff`"), "{error}");
}

/// Keys of S-T, the following text, the place of the mistake, and parts of its message and its
/// hint.
const MISTAKES: &[[&str; 5]] = &[
    [
        "",
        "control = { kind = \"abr\", rif = 0.1 }",
        "0.1",
        "RIF is 0.1; it is a power of two from 1/32768 to 1",
        "the nearest power of two is `rif = \"1/8\"`",
    ],
    [
        "rate-control = { kind = \"erica\", interval = \"999 ns\" }",
        "control = { kind = \"abr\" }",
        "{ kind = \"erica\", interval = \"999 ns\" }",
        "`interval` is shorter than a cell of `S->T`, which takes 1 us",
        "a hundred cell times or more",
    ],
    [
        "",
        "control = { kind = \"abr\", pcr = \"425 Mb/s\" }",
        "\"425 Mb/s\"",
        ", but the first link carries 1000000 cells/s",
        "leave `pcr` out",
    ],
    [
        "",
        "control = { kind = \"abr\", nrm = 48 }",
        "48",
        "Nrm is 48; it is a power of two from 2 to 256",
        "leave `nrm` out",
    ],
    [
        "",
        "control = { kind = \"abr\", pcr = \"50 %\", icr = \"60 %\" }",
        "\"60 %\"",
        "MCR 0 cells/s, ICR 600000 cells/s, PCR 500000 cells/s",
        "raise `pcr`, or lower",
    ],
    [
        "",
        "control = { kind = \"abr\" }\n[defaults.host]\nscheduler = \"fifo\"",
        "{ kind = \"abr\" }",
        "`f` is under `abr` and paced at `H->S`, but `H->S` is not round robin",
        "leave `scheduler` and `discard` as they are",
    ],
    [
        "rate-control = { kind = \"erica\", vs-vd = true }\nscheduler = \"wfq\"",
        "control = { kind = \"abr\" }",
        "{ kind = \"abr\" }",
        "paced at `S->T`, but `S->T` is not round robin",
        "virtual sources",
    ],
    [
        "lanes = [\"none\", { priorities = [7], buffer = 20 }]",
        "control = { kind = \"abr\" }",
        "{ kind = \"abr\" }",
        "lanes and pauses, as on `T->S`,",
        "take `lanes` or `pause` out",
    ],
    [
        "rate-control = { kind = \"erica\", vs-vd = { rate = \"next\" } }",
        "",
        "{ rate = \"next\" }",
        "`rate = \"next\"` with `input = \"class\"` allots more than the link has",
        "set `allow-over-allocation = true`",
    ],
    [
        "rate-control = { kind = \"eprca\", qt = \"400 cells\" }",
        "",
        "{ kind = \"eprca\", qt = \"400 cells\" }",
        "`dqt` is 300, but must be at least QT",
        "",
    ],
    [
        "rate-control = { kind = \"erica\", alpha = 0.5 }",
        "",
        "0.5",
        "`alpha` has no meaning without `averaging = \"of-parts\"`",
        "leave `alpha` out",
    ],
    [
        "rate-control = \"efci\"",
        "",
        "\"efci\"",
        "the rate control `efci` needs more than its name",
        "high = \"100 cells\"",
    ],
    [
        "",
        "control = { kind = \"erica-plus\" }",
        "\"erica-plus\"",
        "`kind` cannot be `erica-plus`",
        "see `rate-control` of `[[switch]]`",
    ],
    [
        "",
        "control = { kind = \"abr\" }",
        "{ kind = \"abr\" }",
        "no port on its path allots it a rate: it rises to PCR, 1000000 cells/s",
        "\"erica-plus\"",
    ],
    [
        "rate-control = \"erica\"",
        "",
        "\"erica\"",
        "no flow under `abr` leaves by a port with this `rate-control`",
        "give flows `control = { kind = \"abr\" }`",
    ],
    [
        "",
        "[defaults.flow]\ncontrol = { kind = \"abr\", n2 = 5 }",
        "n2",
        "`n2` does not belong to the control `abr`",
        "it belongs to: n23",
    ],
];

/// Claim: each mistake is reported at its place, with the values and the way out.
#[test]
fn mistakes_are_reported_with_place_values_and_way_out() {
    for [trunk, end, place, says, way_out] in MISTAKES {
        let text = text("2 ms", trunk, &format!("{FLOW}{end}"));
        let items = match Scenario::from_toml(&text, "rate.toml") {
            Ok(scenario) => scenario.warnings,
            Err(wrong) => wrong.items,
        };
        let found = items.iter().find(|item| item.message.contains(says));
        let Some(found) = found else { panic!("{trunk} {end}\ngave {items:#?}") };
        assert_eq!(&text[found.labels[0].span.clone()], *place, "{says}");
        let hint = found.hint.as_deref().unwrap_or_default();
        assert!(hint.contains(way_out), "{says}\nhints at {hint}");
        assert_eq!(hint.is_empty(), way_out.is_empty(), "{says}\nhints at {hint}");
    }
}

/// Claim: all mistakes of a table are reported at once: wrong values, and two keys that only other
/// options allow.
#[test]
fn all_mistakes_of_a_table_are_reported() {
    let keys = "interval = 5, cap = \"none\", utilization = \"x\", decay = 0.5, alpha = 0.5, \
                vs-vd = 1";
    let text = text("2 ms", &format!("rate-control = {{ kind = \"erica\", {keys} }}"), FLOW);
    let wrong = Scenario::from_toml(&text, "rate.toml").unwrap_err();
    for key in ["interval", "cap", "utilization", "decay", "alpha", "vs-vd"] {
        let found =
            wrong.items.iter().filter(|item| item.message.starts_with(&format!("`{key}` ")));
        assert_eq!(found.count(), 1, "{key}: {wrong}");
    }
}

/// Claim: flows under `abr` share by weight where ERICA computes their rates, so a weight is not a
/// warning there, but it is where switches mark.
#[test]
fn weights_count_where_rates_are_computed() {
    let flow = format!("{FLOW}weight = 3\ncontrol = {{ kind = \"abr\" }}\n");
    assert_eq!(scenario("rate-control = \"erica\"", &flow).warnings, []);
    let marked = scenario("rate-control = { kind = \"becn\", high = \"9 cells\" }", &flow);
    assert_eq!(marked.warnings.len(), 1, "{:?}", marked.warnings);
}

/// Claim: the resolved scenario has rates in cells per second, every default filled in; a port
/// without rate control has none.
#[test]
fn the_resolved_form_tells_rates() {
    let flow = format!("{FLOW}control = {{ kind = \"abr\", icr = \"1 %\" }}\n");
    let trunk = "rate-control = [{ kind = \"erica-plus\", vs-vd = true }, \"none\"]";
    let resolved = scenario(trunk, &flow).resolved();
    let abr = &resolved["flows"][0]["abr"];
    assert_eq!(abr["pcr_cells_per_second"], 1e6);
    assert_eq!(abr["icr_cells_per_second"], 1e4);
    assert_eq!((&abr["nrm_cells"], &abr["crm_cells"]), (&json!(32), &json!(524_288)));
    let [there, back] = [0, 1].map(|side| &resolved["links"][1]["directions"][side]);
    let control = &there["rate_control"];
    assert_eq!(control["rule"]["kind"], "erica-plus");
    assert_eq!(control["rule"]["target_delay_ps"], 1_500_000_000);
    let segment = json!({
        "icr_cells_per_second": null,
        "input": "class",
        "kind": "vs-vd",
        "rate": "measured",
        "update": "both",
    });
    assert_eq!(control["segment"], segment);
    assert_eq!(back["rate_control"], json!(null));
}
