//! Numbers of pages of comparisons and of several seeds, and of the head of a run's page, against
//! the measures that they show: each number differs from all others, so a page that shows another
//! one, or that of another control, fails.

use std::num::NonZeroUsize;

use hopflow::compare::{
    CompareNote, Comparison, Contender, ControlMeasures, compare, compare_seeds,
};
use hopflow::record::Summary;
use hopflow::scenario::ScenarioFile;
use hopflow::{RunOptions, Scenario, run, run_seeds};
use hopflow_export::report::{
    Block, Cell, Page, RunView, Section, Table, compare_page, compare_seeds_page, run_page,
    seeds_page,
};
use serde_json::{Value, json};

/// A column, the place of its value in the document, and a factor.
type Shown = (&'static str, &'static str, f64);

const SCENARIO: &str = r#"
version = 2
duration = "20 ms"
seed = 1
[defaults.link]
rate = "10 Mb/s"
delay = "10 us"
[defaults.switch]
buffer = "3180 B"
[[host]]
name = "A{}"
count = 2
[[switch]]
name = "S"
[[host]]
name = "B"
[[link]]
between = ["A{}", "S"]
count = 2
[[link]]
between = ["S", "B"]
[[flow]]
name = "tcp"
from = "A1"
to = "B"
framing = "aal5"
source = { kind = "tcp", variant = "newreno", transfer = "10 kB" }
[[flow]]
name = "plain"
from = "A2"
to = "B"
source = { kind = "poisson", rate = "8 Mb/s" }
"#;

fn contenders() -> Vec<Contender> {
    let file = ScenarioFile::new(SCENARIO, "two.toml");
    let one = |name: &str| Contender {
        name: name.to_owned(),
        title: None,
        scenario: file.under(name).expect("it fits"),
    };
    ["as-is", "drop-tail"].map(one).to_vec()
}

fn compared() -> Comparison {
    let options = RunOptions::default();
    compare(contenders(), &options, NonZeroUsize::MIN, None).expect("it runs")
}

/// All tables of a page, those inside other blocks too.
fn tables(page: &Page) -> Vec<&Table> {
    fn walk<'p>(blocks: &'p [Block], found: &mut Vec<&'p Table>) {
        for block in blocks {
            match block {
                Block::Table(table) => found.push(table),
                Block::Folded(_, inside) | Block::Grid(inside) => walk(inside, found),
                Block::Beside(left, right) => {
                    walk(left, found);
                    walk(right, found);
                }
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    page.sections.iter().for_each(|section| walk(&section.blocks, &mut found));
    found
}

/// The table that has these columns.
fn with<'p>(page: &'p Page, heads: &[&str]) -> &'p Table {
    let has = |table: &&&Table| {
        heads.iter().all(|head| table.columns.iter().any(|column| column.title == *head))
    };
    let all = tables(page);
    all.iter().find(has).unwrap_or_else(|| panic!("no table has {heads:?}"))
}

/// The number in a row below a heading, in ps, bits per second, packets or parts of one.
fn number(table: &Table, row: usize, head: &str) -> f64 {
    let column = table.columns.iter().position(|column| column.title == head);
    let column = column.unwrap_or_else(|| panic!("no column {head}"));
    let Cell::Text(text) = &table.rows[row][column] else { panic!("{head} has no number") };
    let (number, unit) = text.split_once('\u{202f}').unwrap_or((text, ""));
    let factor = match unit {
        "%" => 0.01,
        "s" => 1e12,
        "ms" | "Gb/s" => 1e9,
        "\u{b5}s" | "Mb/s" => 1e6,
        "ns" | "kb/s" => 1e3,
        _ => 1.0,
    };
    number.replace(',', "").parse::<f64>().unwrap_or_else(|_| panic!("{head}: {text}")) * factor
}

fn assert_shows(table: &Table, row: usize, head: &str, expected: f64) {
    let shown = number(table, row, head);
    // Four digits are shown; two of a share in per cent.
    assert!((shown - expected).abs() <= 6e-4 * expected, "{head}: {shown}, and not {expected}");
}

/// What the tables of controls show of a measure: heading, place and a factor that makes its values
/// possible.
const MEASURES: [(&str, &str, f64); 9] = [
    ("utilization", "/utilization", 1e-4),
    ("delivered", "/throughput_bps", 1.0),
    ("lost", "/lost_share", 1e-4),
    ("delay mean", "/delay_mean_ps", 1.0),
    ("p99", "/delay_p99_ps", 1.0),
    ("max", "/delay_max_ps", 1.0),
    ("Jain index", "/jain", 1e-4),
    ("buffer needed", "/needed_packets", 1.0),
    ("settled after", "/settled_ps", 1.0),
];
const DELAYS: [(&str, &str, f64); 2] =
    [("at the host", "/delay_host_ps", 1.0), ("in the network", "/delay_network_ps", 1.0)];
const TCP: [(&str, &str, f64); 5] = [
    ("goodput", "/tcp/goodput_bps", 1.0),
    ("after", "/tcp/completion_ps", 1.0),
    ("time-outs", "/tcp/timeouts", 1.0),
    ("round trip", "/tcp/round_trip_ps", 1.0),
    ("max", "/tcp/round_trip_max_ps", 1.0),
];
const SWITCHES: [(&str, &str, f64); 5] = [
    ("mean", "/switches/0/mean_packets", 1.0),
    ("p99", "/switches/0/p99_packets", 1.0),
    ("max", "/switches/0/max_packets", 1.0),
    ("needed", "/switches/0/needed_packets", 1.0),
    ("promised by credit", "/switches/0/promised_packets", 1.0),
];

const MEMORY: [(&str, &str, f64); 2] = [
    ("most held", "/switches/0/max_bytes", 1.0),
    ("memory needed", "/switches/0/needed_bytes", 1.0),
];

/// The measures with a value of its own at each place.
fn marked(measures: &ControlMeasures, control: usize) -> ControlMeasures {
    let mut document = serde_json::to_value(measures).expect("it is data");
    let places = MEASURES.iter().chain(&DELAYS).chain(&TCP).chain(&SWITCHES).chain(&MEMORY);
    for (index, (_, place, factor)) in places.enumerate() {
        let digits = 1_001 + 7 * index as u64 + 1_000 * control as u64;
        let value = document.pointer_mut(place).unwrap_or_else(|| panic!("no {place}"));
        *value = if *factor < 1.0 { json!(digits as f64 * factor) } else { json!(digits) };
    }
    for (index, vc) in document["vcs"].as_array_mut().expect("a list").iter_mut().enumerate() {
        vc["throughput_bps"] = json!(3_001 + 7 * index as u64 + 1_000 * control as u64);
        vc["fair_bps"] = json!(6_001 + 7 * index as u64);
    }
    serde_json::from_value(document).expect("they are measures")
}

/// Claim: each number of the page of a comparison is that of its heading and of its control: the
/// controls, where delay is spent, TCP, switches, and what each VC delivers under each control.
#[test]
fn each_number_of_a_comparison_is_of_its_column_and_control() {
    let mut comparison = compared();
    for (place, run) in comparison.runs.iter_mut().enumerate() {
        run.measures = marked(&run.measures, place);
    }
    let page = compare_page(&comparison);
    let lists: [(&[&str], &[Shown]); 5] = [
        (&["utilization", "p99"], &MEASURES),
        (&["at the host", "in the network"], &DELAYS),
        (&["goodput", "round trip"], &TCP),
        (&["p99", "promised by credit"], &SWITCHES),
        (&["most held", "promised"], &MEMORY),
    ];
    for (row, run) in comparison.runs.iter().enumerate() {
        let document = serde_json::to_value(&run.measures).expect("it is data");
        for (heads, list) in lists {
            let table = with(&page, heads);
            assert_eq!(table.rows.len(), 2, "{heads:?}");
            for (head, place, _) in list {
                let expected = document.pointer(place).and_then(Value::as_f64).expect("a number");
                assert_shows(table, row, head, expected);
            }
        }
        let delivered = with(&page, &["fair share", "as-is", "drop-tail"]);
        for (index, vc) in run.measures.vcs.iter().enumerate() {
            assert_shows(delivered, index, &run.measures.control, vc.throughput_bps);
            assert_shows(delivered, index, "fair share", vc.fair_bps.expect("it was set"));
        }
    }
}

/// Claim: each estimate of the pages of several seeds is in its column: mean, deviation, half width
/// and both ends of the interval.
#[test]
fn each_estimate_of_several_seeds_is_in_its_column() {
    let scenario = Scenario::from_toml(SCENARIO, "two.toml").expect("a valid scenario");
    let three = NonZeroUsize::new(3).expect("above zero");
    let options = RunOptions::default();
    let mut result = run_seeds(&scenario, &options, three, three, None).expect("it runs");
    let is_rate = |name: &str| name == "throughput_bps";
    let row = result.estimates.iter_mut().find(|row| is_rate(&row.quantity)).expect("a rate");
    row.estimate.mean = 1_001.0;
    row.estimate.deviation = Some(1_008.0);
    row.estimate.half_width = Some(1_015.0);
    row.interval = Some([1_022.0, 1_029.0]);
    let name = row.name.clone();
    let page = seeds_page(&result);
    let table = with(&page, &["deviation", "from"]);
    let is_row = |row: &Vec<Cell>| {
        row[0] == Cell::Code(name.clone()) && row[1] == Cell::Text("throughput".to_owned())
    };
    let place = table.rows.iter().position(is_row).expect("a row of the rate");
    for (head, expected) in [
        ("mean", 1_001.0),
        ("deviation", 1_008.0),
        ("\u{b1}", 1_015.0),
        ("from", 1_022.0),
        ("to", 1_029.0),
    ] {
        assert_shows(table, place, head, expected);
    }
}

/// Claim: the page of a comparison under several seeds has the mean of each control, and the
/// difference of the second to the first.
#[test]
fn each_estimate_of_a_comparison_is_of_its_control() {
    let two = NonZeroUsize::new(2).expect("above zero");
    let options = RunOptions::default();
    let mut result = compare_seeds(&contenders(), &options, two, two, None).expect("it runs");
    let mut place = 0;
    for row in result.estimates.iter_mut().filter(|row| row.quantity == "throughput_bps") {
        row.estimate.mean = [2_001.0, 3_003.0][place];
        if let Some(difference) = &mut row.difference {
            difference.estimate.mean = 4_007.0;
        }
        place += 1;
    }
    assert_eq!(place, 2);
    let page = compare_seeds_page(&result);
    let texts: Vec<String> = tables(&page)
        .iter()
        .flat_map(|table| &table.rows)
        .map(|row| format!("{row:?}"))
        .filter(|row| ["2.001", "3.003", "4.007"].iter().any(|shown| row.contains(shown)))
        .collect();
    let first = texts.iter().find(|row| row.contains("2.001")).expect("the mean of the first");
    let second = texts.iter().find(|row| row.contains("3.003")).expect("the mean of the second");
    assert!(first.contains("as-is") || first == second, "{first}");
    assert!(second.contains("drop-tail") && second.contains("4.007"), "{second}");
}

/// Claim: the numbers in the head of the page of a run are those of their names.
#[test]
fn each_fact_of_a_run_is_that_of_its_name() {
    let scenario = Scenario::from_toml(SCENARIO, "two.toml").expect("a valid scenario");
    let result = run(&scenario, &RunOptions::default()).expect("it runs");
    let mut document = serde_json::to_value(&result.summary).expect("it is data");
    document["totals"] = Value::Null;
    for vc in 0..document["vcs"].as_array().expect("a list").len() {
        let mut set = |key: &str, value: u64| document["vcs"][vc][key] = json!(value);
        set("received_packets", 101 * (vc as u64 + 1));
        set("dropped_packets", 211 * (vc as u64 + 1));
        set("corrupted_packets", 307 * (vc as u64 + 1));
    }
    let summary: Summary = serde_json::from_value(document).expect("it is a summary");
    let sum: u64 = (1..=summary.vcs.len() as u64).sum();
    let (network, manifest) = (&scenario.network, &result.manifest);
    let page = run_page(&RunView { network, manifest, summary: &summary, series: &[], why: &[] });
    let fact = |end: &str| {
        let found = page.facts.iter().find(|(name, _)| name.ends_with(end));
        found.unwrap_or_else(|| panic!("no {end}")).1.replace(',', "")
    };
    assert_eq!(fact("VCs"), summary.vcs.len().to_string());
    assert_eq!(fact("delivered"), (101 * sum).to_string());
    assert_eq!(fact("dropped"), (211 * sum).to_string());
    assert_eq!(fact("corrupted"), (307 * sum).to_string());
    assert_eq!((fact("seed"), fact("digest")), ("1".to_owned(), format!("`{}`", manifest.digest)));
}

/// Claim: the page of a large network opens with ten bars, the hops that wait longest, in order,
/// two of each link at most, and the sentences of two VCs, each an item; all bars and the others
/// are folded. A small one folds nothing. Links in sentences are code.
#[test]
fn a_large_run_opens_with_its_longest_waits() {
    let large = SCENARIO.replace("count = 2", "count = 8").replace("\"A2\"", "\"A{}\"");
    let large = large.replace("name = \"plain\"", "name = \"plain{}\"\ncount = 8");
    for (text, vcs) in [(SCENARIO, 3), (&large, 10)] {
        let scenario = Scenario::from_toml(text, "pages.toml").unwrap_or_else(|e| panic!("{e}"));
        let result = run(&scenario, &RunOptions::default()).expect("it runs");
        let (network, manifest, summary) = (&scenario.network, &result.manifest, &result.summary);
        let said = |name: &str| {
            let rest = ["It waited.", "Its packets waited at S for S->B."].map(str::to_owned);
            [format!("{name} delivered 1 Mb/s.")].into_iter().chain(rest)
        };
        let why: Vec<String> = summary.vcs.iter().flat_map(|vc| said(&vc.name)).collect();
        assert_eq!(summary.vcs.len(), vcs, "the connection has a VC back");
        let page = run_page(&RunView { network, manifest, summary, series: &[], why: &why });
        let section = page.sections.iter().find(|one| one.id == "time").expect("it is there");
        let (mut bars, mut folded_bars, mut sentences, mut folded_sentences) = (vec![], 0, 0, 0);
        for block in &section.blocks {
            match block {
                Block::Shares(shares) => {
                    bars.extend(shares.rows.iter().map(|(_, shares)| shares[1] + shares[2]));
                }
                Block::List(items) => {
                    sentences += items.len();
                    let end = " delivered 1 Mb/s. It waited. Its packets waited at S for `S->B`.";
                    assert!(items.iter().all(|item| item.ends_with(end)), "{items:?}");
                }
                Block::Folded(_, inside) => match &inside[..] {
                    [Block::Shares(shares)] => folded_bars += shares.rows.len(),
                    [Block::List(items)] => folded_sentences += items.len(),
                    _ => panic!("another part is folded"),
                },
                _ => panic!("another block"),
            }
        }
        let hops: usize = summary.vcs.iter().map(|vc| vc.hops.len()).sum();
        let mut of_link = std::collections::BTreeMap::new();
        for hop in summary.vcs.iter().flat_map(|vc| &vc.hops) {
            *of_link.entry(&hop.link).or_insert(0_usize) += 1;
        }
        let two_each: usize = of_link.into_values().map(|hops| hops.min(2)).sum();
        let (open, all) = if hops > 10 { (two_each.min(10), hops) } else { (hops, 0) };
        assert_eq!((bars.len(), folded_bars), (open, all));
        let said = if vcs > 3 { (2, vcs - 2) } else { (vcs, 0) };
        assert_eq!((sentences, folded_sentences), said);
        assert!(hops <= 10 || bars.is_sorted_by(|a, b| a >= b), "{bars:?}");
    }
}

/// Claim: of more than two charts of one kind the others are folded, all of them side by side;
/// tables below the first, and notes, have the titles of the controls.
#[test]
fn a_comparison_folds_like_charts_and_names_controls_by_title() {
    let text = SCENARIO.replace("name = \"plain\"", "name = \"plain{}\"\ncount = 8");
    let file = ScenarioFile::new(&text, "many.toml");
    let one = |(name, title): (&str, &str)| Contender {
        name: name.to_owned(),
        title: Some(title.to_owned()),
        scenario: file.under(name).expect("it fits"),
    };
    let contenders = [("as-is", "plain buffers"), ("drop-tail", "full buffers")].map(one);
    let options = RunOptions::default();
    let mut comparison =
        compare(contenders.to_vec(), &options, NonZeroUsize::MIN, None).expect("it runs");
    for run in &mut comparison.runs {
        let (name, title) = (&run.measures.control, run.measures.label());
        assert!(name != title, "{name}");
    }
    let page = compare_page(&comparison);
    let rates = page.sections.iter().find(|one| one.id == "rates").expect("it is there");
    let count = |block: &Block| match block {
        Block::Grid(inside) => inside.len(),
        _ => 0,
    };
    let open: usize = rates.blocks.iter().map(count).sum();
    let folded = rates.blocks.iter().find_map(|block| match block {
        Block::Folded(summary, inside) => Some((summary.as_str(), count(&inside[0]))),
        _ => None,
    });
    let vcs = comparison.runs[0].rates.len();
    assert!(vcs >= 9, "{vcs}");
    let expected = format!("{} more charts: Rate of ", vcs - 2);
    let (summary, inside) = folded.expect("the others are folded");
    assert!(summary.starts_with(&expected), "{summary}");
    assert_eq!((open, inside), (2, vcs - 2));
    let spent = with(&page, &["at the host"]);
    assert_eq!(spent.rows[0][0], Cell::Text("plain buffers".to_owned()));
    with(&page, &["fair share", "plain buffers", "full buffers"]);
    // Without a note of a loss three of eight broken properties are in sight, with one it is.
    comparison.runs[0].measures.violations = vec!["1 packet dropped".to_owned(); 8];
    let first = |comparison: &Comparison| compare_page(comparison).sections[0].clone();
    let folded = |section: &Section| match section.blocks.last() {
        Some(Block::Folded(_, inside)) => (section.blocks.len() - 1, inside.len()),
        other => panic!("{other:?}"),
    };
    let broken = first(&comparison);
    assert_eq!((folded(&broken), broken.verdicts.len()), ((3, 5), 8));
    comparison.notes = vec![CompareNote {
        severity: "warning".to_owned(),
        cause: "lossless-lost".to_owned(),
        controls: vec!["as-is".to_owned()],
        text: "`as-is` should lose nothing, but lost 1 packet.".to_owned(),
        change: "Raise it.".to_owned(),
    }];
    let broken = first(&comparison);
    assert_eq!((folded(&broken), broken.verdicts.len()), ((1, 8), 8));
    let said =
        Block::Alarm("plain buffers should lose nothing, but lost 1 packet. Raise it.".into());
    assert_eq!(broken.blocks[0], said);
    let page = compare_page(&comparison);
    assert!(!page.sections.iter().flat_map(|one| &one.blocks).any(|block| matches!(block,
        Block::Note(text) if text.contains("should lose nothing"))));
    let promises = with(&page, &["utilization", "promises"]);
    assert_eq!(promises.rows[1].last(), Some(&Cell::Text("kept".to_owned())));
}

/// Claim: in a large network the links stand by load and the queues by length; in a small one by
/// their places in the file.
#[test]
fn a_large_run_has_its_busiest_links_first() {
    let large = SCENARIO.replace("count = 2", "count = 40").replace("\"A2\"", "\"A{}\"");
    let large = large.replace("name = \"plain\"", "name = \"plain{}\"\ncount = 40");
    for (text, is_large) in [(SCENARIO, false), (&large, true)] {
        let scenario = Scenario::from_toml(text, "pages.toml").unwrap_or_else(|e| panic!("{e}"));
        let result = run(&scenario, &RunOptions::default()).expect("it runs");
        let (network, manifest, summary) = (&scenario.network, &result.manifest, &result.summary);
        let page = run_page(&RunView { network, manifest, summary, series: &[], why: &[] });
        let column = |table: &Table, head: &str| -> Vec<f64> {
            (0..table.rows.len()).map(|row| number(table, row, head)).collect()
        };
        let busy = column(with(&page, &["link", "busy"]), "busy");
        let means = column(with(&page, &["node", "port", "VC"]), "mean");
        let is_sorted = |values: &[f64]| values.is_sorted_by(|a, b| a >= b);
        assert_eq!(is_sorted(&busy), is_large, "{busy:?}");
        assert!(!is_large || is_sorted(&means), "{means:?}");
    }
}
