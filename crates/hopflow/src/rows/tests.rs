//! One way for runs of every size.

use std::collections::BTreeSet;
use std::io::{self, Write};

use hopflow_record::{RecordSpec, WORST};
use hopflow_testing::{random_network, random_usual_network};
use hopflow_units::Picos;
use serde::Serialize;
use serde_json::Value;

use crate::CONTRACT_VERSION;
use crate::run::simulate;
use crate::{ResultDocument, RunOptions, RunResult, Scenario, memory_estimate, run_to_rows};

/// Takes nothing.
struct Nothing;

impl crate::RowSink for Nothing {
    fn rows(&mut self, _rows: &[hopflow_network::TraceRow]) {}
}

/// Claim: rows that are read as they are written give, byte for byte, the JSON of a result that
/// keeps all rows; with and without a warm-up; and what is not a row is the same in both.
#[test]
fn rows_that_are_not_kept_are_written_as_those_that_are() {
    for seed in 0..60 {
        for network in [random_network(seed), random_usual_network(seed)] {
            for warm_up in [None, Some(Picos(network.duration.0 / 3))] {
                let run = |keep_vcs| {
                    let options = RunOptions { warm_up, keep_vcs, ..RunOptions::default() };
                    simulate(&network, &RecordSpec::default(), &options, &mut Nothing).unwrap()
                };
                let ((all, _), (few, rows)) = (run(true), run(false));
                let (manifest, summary) = (&few.manifest, &rows.of_summary(&few.summary));
                let streamed = ResultDocument { version: CONTRACT_VERSION, manifest, summary };
                assert_eq!(text(&streamed), text(&all.document()), "seed {seed}");
                assert_eq!(few.digest, all.digest);
                assert_eq!(few.counters.directions, all.counters.directions);
                assert!(few.counters.vcs.is_empty() && all.counters.vcs.len() == network.vcs.len());
            }
        }
    }
}

fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

/// `count` VCs over 11 links, one in 50 of which sends.
fn line(count: usize) -> Scenario {
    let flow = |name: &str, count: usize, source: &str| {
        format!(
            "[[flow]]\nname = \"{name}{{}}\"\ncount = {count}\n\
             from = \"A\"\nto = \"B\"\n\
             source = {{ kind = \"poisson\", rate = \"{source}\" }}\n"
        )
    };
    let links = (1..10).map(|at| format!("[[link]]\nbetween = [\"S{at}\", \"S{}\"]\n", at + 1));
    let text = format!(
        "version = 2\nduration = \"4 ms\"\n[defaults.link]\nrate = \"622.08 Mb/s\"\n\
         delay = \"1 us\"\n\
         [[host]]\nname = \"A\"\n[[host]]\nname = \"B\"\n[[switch]]\nname = \"S{{}}\"\ncount = 10\n\
         [[link]]\nbetween = [\"A\", \"S1\"]\n[[link]]\nbetween = [\"S10\", \"B\"]\n{}{}{}",
        links.collect::<String>(),
        flow("busy", count / 50, "1 Mb/s"),
        flow("idle", count - count / 50, "1 b/s"),
    );
    Scenario::from_toml(&text, "line.toml").expect("the scenario is right")
}

/// Counts bytes.
struct Bytes(u64);

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn bytes(value: &impl Serialize) -> u64 {
    let mut counted = Bytes(0);
    serde_json::to_writer(&mut counted, value).expect("it is counted");
    counted.0
}

/// Where keys are in a document, whatever the places in lists.
fn keys(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let path = format!("{path}.{key}");
                keys(value, &path, found);
                found.insert(path);
            }
        }
        Value::Array(list) => list.iter().for_each(|value| keys(value, path, found)),
        _ => {}
    }
}

/// What is compared between sizes.
struct Sized {
    vcs: u64,
    keys: BTreeSet<String>,
    rows: [u64; 2],
    kept: [usize; 2],
    document: u64,
    summary: u64,
    estimate: u64,
    result: RunResult,
}

fn sized(vcs: usize, warm_up: Option<Picos>) -> Sized {
    let mut scenario = line(vcs);
    scenario.warm_up = warm_up.unwrap_or_default();
    let options = RunOptions { keep_vcs: false, ..RunOptions::default() };
    let (result, all) = run_to_rows(&scenario, &options, &mut Nothing).unwrap();
    let mut rows = [0, 0];
    all.each(&mut |part| {
        rows[0] += part.vcs.len() as u64;
        rows[1] += part.queues.len() as u64;
        assert!(part.vcs.len() <= hopflow_record::BLOCK && part.links.is_empty());
    });
    let (manifest, summary) = (&result.manifest, &all.of_summary(&result.summary));
    let document = bytes(&ResultDocument { version: CONTRACT_VERSION, manifest, summary });
    let mut found = BTreeSet::new();
    keys(&serde_json::to_value(&result.summary).unwrap(), "", &mut found);
    Sized {
        vcs: vcs as u64,
        keys: found,
        rows,
        kept: [result.summary.vcs.len(), result.summary.queues.len()],
        document,
        summary: bytes(&result.summary),
        estimate: memory_estimate(&scenario, false),
        result,
    }
}

/// Claim: nothing changes at 100,000 hops, from where on VCs were once left out: networks of 9,000
/// and of 9,200 VCs over 11 links have the same keys, a row for each VC and queue, as many rows in
/// their summaries, totals of all VCs, and documents and estimates of memory in proportion; with a
/// warm-up, too.
#[test]
fn there_is_no_cliff() {
    for warm_up in [None, Some(Picos(1_000_000_000))] {
        let [small, large] = [9_000, 9_200].map(|vcs| sized(vcs, warm_up));
        assert!(small.vcs * 11 < 100_000 && large.vcs * 11 > 100_000);
        assert_eq!(small.keys, large.keys);
        assert!(small.keys.contains(".totals.vcs") && small.keys.contains(".vcs.hops.link"));
        assert_eq!(small.kept, [WORST; 2]);
        assert_eq!(large.kept, [WORST; 2]);
        for one in [&small, &large] {
            let totals = one.result.summary.totals.as_ref().unwrap();
            assert_eq!(one.rows, [one.vcs, 11 * one.vcs]);
            assert_eq!((totals.vcs, totals.hops), (one.vcs, 11 * one.vcs));
            assert_eq!(totals.silent_vcs, one.vcs - one.vcs / 50);
            assert!(totals.received_packets > 100);
            assert_eq!(one.result.summary.vcs_left_out, one.vcs - WORST as u64);
            assert!(one.summary < one.document / 20, "{} of {}", one.summary, one.document);
        }
        let near = |small: u64, large: u64, what: &str| {
            let ratio = large as f64 / small as f64;
            // 2.2 % more VCs; some is the same for all sizes.
            assert!((1.0..1.03).contains(&ratio), "{what}: {small}, {large}");
        };
        near(small.document, large.document, "bytes of JSON");
        near(small.estimate, large.estimate, "bytes of memory");
        let [one, other] = [&small, &large].map(|one| one.summary as f64);
        assert!((one / other - 1.0).abs() < 0.03, "summaries of {one} and {other} bytes");
    }
}
