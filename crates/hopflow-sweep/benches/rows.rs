//! The cost of storing many rows: time and memory of storing rows, of opening the directory again,
//! and of building the dataset. The rows are artificial, and cost nothing.
//! `cargo bench -p hopflow-sweep --bench rows -- 1000000`; 100,000 rows if no number is given. A
//! second number is that of the values in the series of each row.

use std::fs;
use std::path::Path;
use std::time::Instant;

use hopflow_scenario::{AS_IS, ScenarioFile};
use hopflow_sweep::{Outcome, Plan, Request, Row, RunKey, Shape, Span, Spans, Store, StoreOptions};

const SCENARIO: &str = "version = 2\nduration = \"1 ms\"\n[defaults.link]\nrate = \"1 Gb/s\"\n\
     delay = \"1 us\"\n[[host]]\nname = \"A\"\n[[host]]\nname = \"B\"\n[[link]]\n\
     between = [\"A\", \"B\"]\n[[flow]]\nname = \"VC1\"\nroute = [\"A\", \"B\"]\n\
     source = { kind = \"greedy\" }\n[record]\nqueues = true\n";
/// The number of rows that are stored at once, as a batch.
const BATCH: u64 = 200;

fn plan(points: u64, has_series: bool) -> Plan {
    let request = Request {
        file: ScenarioFile::new(SCENARIO, "rows.toml"),
        settings: Vec::new(),
        control: AS_IS.to_owned(),
        axes: vec![format!("flow.VC1.weight=1..{points}/{points}")],
        sweep_seed: 1,
        seeds: 1,
        until: None,
        measures: Vec::new(),
        series: if has_series { vec!["queue of VC1 at A".to_owned()] } else { Vec::new() },
    };
    Plan::new(request).unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn row(shape: &Shape, point: u64, values: u64) -> Row {
    let span = |at: u64| {
        let (from_ps, to_ps) = (at * 424_000 + at % 7, (at + 1) * 424_000 + (at + 1) % 7);
        Span { from_ps, to_ps, value: ((at + point) % 50) as f64 }
    };
    let spans: Box<[Span]> = (0..values).map(span).collect();
    let value = |column: usize| ((point + 1) * (column as u64 + 3)) as f64 / 7.0;
    let values = (0..shape.measures.count()).map(value).collect();
    let digest = point.wrapping_mul(u64::MAX / 3);
    let series: Spans = shape.series().iter().map(|_| spans.clone()).collect();
    let outcome = Outcome::Complete { digest, values, broken: None, series };
    let key = RunKey::not_run(&point.to_string(), shape.program());
    Row { point, replicate: 1, seed: 1, key, outcome }
}

/// The peak memory of this process, as reported by Linux.
fn peak_mb() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<f64>().ok());
    kib.map_or_else(|| "unknown".to_owned(), |kib| format!("{:.0} MB", kib * 1024.0 / 1e6))
}

fn bytes_in(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(it) if it.is_dir() => bytes_in(&entry.path()),
        Ok(it) => it.len(),
        Err(_) => 0,
    });
    sizes.sum()
}

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|one| one.parse::<u64>().ok());
    let (count, series) = (numbers.next().unwrap_or(100_000), numbers.next().unwrap_or(0));
    let plan = plan(count, series > 0);
    let shape = plan.shape();
    let folder = std::env::temp_dir().join(format!("hopflow-rows-{}", std::process::id()));
    let open = || {
        Store::open(&folder, shape, StoreOptions::default()).unwrap_or_else(|why| panic!("{why}"))
    };
    let tell = |what: &str, began: Instant| {
        let seconds = began.elapsed().as_secs_f64();
        let (each, bytes) = (seconds / count as f64 * 1e6, bytes_in(&folder) as f64 / 1e6);
        println!(
            "{what:28} {seconds:7.2} s  {each:6.2} us a row  {bytes:6.0} MB on disk  most \
                  memory so far {}",
            peak_mb()
        );
    };
    println!("{count} rows of {} measures, peak before {}", shape.measures.count(), peak_mb());
    let rows: u64 =
        (0..count.min(100)).map(|point| row(shape, point, series).line().len() as u64).sum();
    println!("a line of the journal: {} bytes", rows / count.min(100));
    let most = if series > 1000 { 1 } else { BATCH };
    let mut store = open();
    let began = Instant::now();
    while let Some(batch) = store.next_batch(store.count(), most) {
        let lines: String =
            (batch.first..batch.end).map(|point| row(shape, point, series).line()).collect();
        store.add_lines(&lines).unwrap_or_else(|why| panic!("{why}"));
    }
    tell("stored in batches", began);
    drop(store);
    let began = Instant::now();
    let mut store = open();
    tell("opened again", began);
    let began = Instant::now();
    store.compact().unwrap_or_else(|why| panic!("{why}"));
    tell("dataset made", began);
    let _ = fs::remove_dir_all(&folder);
}
