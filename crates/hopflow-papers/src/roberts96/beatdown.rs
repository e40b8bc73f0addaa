//! Beat-down: a VC over six congested links under binary marking, and what cures it.
//!
//! ```text
//! marked over h hops = 1 - (1 - p)^h, each congested for p of the time, independently   (1)
//! (1 - p) / p + (1 - P) / P = RDF / RIF,  P = 1 - (1 - p)^6,  the rates at rest on a
//!                             full link, r = (RIF / RDF) PCR (1 - p) / p                (2)
//! ```
//! [Roberts96] takes p = 1/2 and gets 1/32 of the unmarked time. A full link makes p less: (2).
//! The one-hop VCs have other ways to their switches and other starts; alike, all six links
//! would be congested at the same moments.
//! Source: [Roberts96], the text after Figure 1; (2) is derived in `docs/models/roberts96.md`.

use super::technique::Technique;
use crate::{Exhibit, Experiment, Measured, Run, Runs, ScenarioText};

const FILE: &str = "chain.toml";
const LOCKSTEP: &str = "chain-lockstep.toml";
/// The links of the long VC.
const HOPS: i32 = 6;

/// Name, title, sources and switches.
const CASES: [(&str, &str, Technique, Option<&str>); 5] = [
    ("chain", "binary marking (EFCI)", Technique::Binary, None),
    ("selective", "selective marking", Technique::Binary, Some(SELECTIVE)),
    ("iterative", "iterative explicit rate (EPRCA)", Technique::Iterative, None),
    ("counting", "VC counting", Technique::Counting, None),
    ("erica", "ERICA", Technique::Counting, Some(r#"kind = "erica""#)),
];
/// QT of EPRCA in cells, which the paper does not state; the first is that of the other figures.
const QTS: [u32; 3] = [1, 10, 100];
const SELECTIVE: &str = r#"kind = "selective", high = "20 cells""#;

/// Beat-down.
pub(super) const EXPERIMENT: Experiment =
    Experiment::new(&["roberts96.beatdown"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let base = scenario!("roberts96/chain.toml");
    let case = |(name, _, sources, rule): (&str, &str, Technique, Option<&str>)| match rule {
        Some(rule) => sources.with_rule(&base, file(name), rule),
        None => sources.of(&base, file(name)),
    };
    let cases = CASES.into_iter().map(case);
    let alike: Vec<(String, String)> = (2..=HOPS).flat_map(alike).collect();
    let over_qt = QTS[1..].iter().map(|qt| {
        let rule = format!("kind = \"eprca\", qt = \"{qt} cells\"");
        Technique::Iterative.with_rule(&base, qt_file(*qt), &rule)
    });
    cases.chain([base.variant(LOCKSTEP, &alike)]).chain(over_qt).collect()
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("roberts96.beatdown");
    let unmarked = 0.5_f64;
    let long = (0..HOPS).fold(1.0, |part, _| part * unmarked);
    measured.claim("marked", 1.0 - long);
    measured.claim("share", long / unmarked);
    let mut rows = vec![("binary marking at rest, Eq. (2)".to_owned(), at_rest())];
    for (name, title, ..) in CASES {
        let rates = rates(runs.one(&file(name)));
        measured.claim(format!("{name}.share"), rates[0]);
        rows.push((title.to_owned(), rates.to_vec()));
    }
    let lockstep = rates(runs.one(LOCKSTEP));
    measured.claim("lockstep.share", lockstep[0]);
    rows.push(("binary marking, links alike".to_owned(), lockstep.to_vec()));
    let over_qt = QTS.map(|qt| (format!("QT {qt} cells"), rates(runs.one(&qt_file(qt)))));
    let band = over_qt.iter().map(|(qt, rates)| (qt.clone(), rates[0])).collect();
    measured.band("iterative.over_qt", band);
    let row = |(qt, rates): &(String, [f64; 4])| (format!("EPRCA, {qt}"), rates.to_vec());
    rows.extend(over_qt[1..].iter().map(row));
    measured.claim("chain.low", 1.0 - rates(runs.one(FILE))[0]);
    measured.exhibits = vec![
        Exhibit::new("A VC over six links against one VC over each")
            .note("Throughput after the first 200 ms; rates as shares of a link.")
            .columns(
                "technique",
                [("long / short", ""), ("long", ""), ("short, mean", ""), ("busy", "")],
            )
            .rows(rows),
    ];
    measured
}

/// Edits that make the VC of a link like that of the first: its way to the switch and its start.
fn alike(link: i32) -> [(String, String); 2] {
    let (delay, start) = (10 + 7 * (link - 1), f64::from(link - 1) * 1.7);
    [
        (format!("delay = \"{delay} cells\""), "delay = \"10 cells\"".to_owned()),
        (format!("start = \"{start:.1} ms\"\n"), String::new()),
    ]
}

fn file(name: &str) -> String {
    if name == "chain" { FILE.to_owned() } else { format!("chain-{name}.toml") }
}

/// The scenario of EPRCA with a QT in cells.
fn qt_file(qt: u32) -> String {
    if qt == QTS[0] { file("iterative") } else { file(&format!("iterative-qt-{qt}")) }
}

/// Long over short, long, mean short, mean use of the six links.
fn rates(run: &Run) -> [f64; 4] {
    let link = run.network.direction(run.direction("S1->S2")).rate.bps() as f64;
    let cells = |name: &str| {
        let vc = run.summary.vc(name).expect("a VC of the scenario");
        vc.throughput_packets_per_second * 424.0 / link
    };
    let busy = |hop: i32| {
        let link = run.summary.link(&format!("S{hop}->S{}", hop + 1));
        link.map_or(f64::NAN, |one| one.busy_share)
    };
    let count = f64::from(HOPS);
    let long = cells("LONG");
    let short = (1..=HOPS).map(|hop| cells(&format!("SHORT{hop}"))).sum::<f64>() / count;
    [long / short, long, short, (1..=HOPS).map(busy).sum::<f64>() / count]
}

/// Eq. (2) with RIF = 1/64 and RDF = 1/16, as [`rates`].
fn at_rest() -> Vec<f64> {
    let gain = 0.25;
    let rate = |marked: f64| gain * (1.0 - marked) / marked;
    let of_long = |p: f64| 1.0 - (0..HOPS).fold(1.0, |part, _| part * (1.0 - p));
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let p = f64::midpoint(low, high);
        if rate(p) + rate(of_long(p)) > 1.0 { low = p } else { high = p }
    }
    let (short, long) = (rate(low), rate(of_long(low)));
    vec![long / short, long, short, short + long]
}
