//! Claims about a run on disk: whole, readable, the same when read back, nothing when it fails.

use std::fs;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use hopflow::network::{HopControl, SizeLaw, TraceFilter};
use hopflow::record::Recorder;
use hopflow::units::{Bytes, Picos, SimTime};
use hopflow::{RunOptions, Scenario, run_with_rows};

use super::*;
use crate::directory::Sink;
use crate::parquet::{TraceSelection, read_trace};

/// The network of a manifest.
pub(crate) fn network_of(manifest: &Manifest) -> Option<NetworkSpec> {
    network::read(&manifest.scenario.as_ref()?.value())
}

impl RunWriter {
    /// As [`RunWriter::finish_as`], at its own place.
    pub(crate) fn finish(
        self,
        network: &NetworkSpec,
        result: &RunResult,
        why: &[String],
    ) -> Result<PathBuf, ExportError> {
        let target = self.directory.target().to_path_buf();
        self.finish_as(&target, network, result, why)
    }
}

const SCENARIO: &str = r#"
version = 2
title = "Two VCs into one link"
duration = "600 cells"
seed = 1
[defaults.link]
rate = "622.08 Mb/s"
delay = "5 cells"
[defaults.flow]
source = { kind = "greedy" }
control = { kind = "n23", n2 = 3, n3 = 20 }
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
name = "VC1"
route = ["A1", "S", "B"]
[[flow]]
name = "VC2"
route = ["A2", "S", "B"]
[record]
throughput = ["S->B"]
queues = ["S"]
credits = ["A1->S"]
delays = ["VC1"]
trace = true
"#;

pub(crate) fn scenario() -> Scenario {
    Scenario::from_toml(SCENARIO, "two.toml").expect("a valid scenario")
}

/// Runs the scenario into `writer`; returns the result and the rows of its trace.
fn run_into(writer: &mut RunWriter, options: &RunOptions) -> (RunResult, Vec<TraceRow>) {
    let mut rows = Vec::new();
    let result = run_with_rows(&scenario(), options, &mut |slice| {
        writer.take(slice);
        rows.extend_from_slice(slice);
    });
    (result.expect("it runs"), rows)
}

struct Stored {
    _folder: tempfile::TempDir,
    path: PathBuf,
    result: RunResult,
    rows: Vec<TraceRow>,
}

fn stored(options: &RunOptions) -> Stored {
    let folder = tempfile::tempdir().expect("a folder");
    let network = scenario().network;
    let target = folder.path().join("run");
    let mut writer = RunWriter::create(&target, false, &network).expect("a new directory");
    let (result, rows) = run_into(&mut writer, options);
    let why = ["VC1 shares S->B.".to_owned()];
    let path = writer.finish(&network, &result, &why).expect("it is written");
    Stored { _folder: folder, path, result, rows }
}

/// Claim: a manifest of another run than the summary is an error that names both digests.
#[test]
fn files_of_two_runs_are_refused() {
    let run = stored(&RunOptions::default());
    let manifest = run.path.join(MANIFEST);
    let text = fs::read_to_string(&manifest).expect("there");
    let digest = &run.result.manifest.digest;
    fs::write(&manifest, text.replace(digest.as_str(), "0123456789abcdef")).expect("written");
    let error = StoredRun::read(&run.path).expect_err("two runs").to_string();
    assert!(error.contains("summary.json") && error.contains(digest.as_str()), "{error}");
    assert!(error.contains("not 0123456789abcdef"), "{error}");
}

/// Manifest, summary, series and trace come back as they were, to the last bit.
#[test]
fn a_run_read_back_is_the_run() {
    let run = stored(&RunOptions::default());
    let back = StoredRun::read(&run.path).expect("readable");
    assert_eq!(back.manifest, run.result.manifest);
    assert_eq!(back.summary, run.result.summary);
    assert_eq!(back.series, run.result.series);
    let names = Names::new(&scenario().network);
    let rows = read_trace(&run.path, &names, &TraceSelection::default()).expect("readable");
    assert!(rows.len() > 5000, "{} rows", rows.len());
    assert!(rows == run.rows);
}

/// The charts of a run can be regenerated from its directory alone: the network comes from the
/// manifest, the series from the trace, and they are the series that were recorded.
#[test]
fn the_trace_gives_the_series_again() {
    let run = stored(&RunOptions::default());
    let back = StoredRun::read(&run.path).expect("readable");
    let network = network_of(&back.manifest).expect("the manifest has the scenario");
    let original = scenario().network;
    assert_eq!(network.nodes, original.nodes);
    assert_eq!(network.vcs, original.vcs, "greedy sources: all of it");
    for (link, (one, other)) in network.links.iter().zip(&original.links).enumerate() {
        assert_eq!((one.ends, &one.directions), (other.ends, &other.directions));
        assert_eq!(network.round_trip(link), original.round_trip(link));
    }
    let rows = read_trace(&run.path, &Names::new(&network), &TraceSelection::default());
    let mut recorder = Recorder::new(&network, &scenario().record);
    recorder.take(&rows.expect("readable"));
    assert_eq!(recorder.finish(SimTime(network.duration.0)), run.result.series);
}

/// A slow host is read back from the manifest with its receive buffer.
#[test]
fn slow_hosts_come_back_from_the_manifest() {
    let slow = "name = \"B\"\ndrain = \"50 %\"\nreceive-buffer = \"100 cells\"\n";
    let text = SCENARIO.replace("name = \"B\"\n", slow);
    let scenario = Scenario::from_toml(&text, "slow.toml").expect("a valid scenario");
    let result = hopflow::run(&scenario, &RunOptions::default()).expect("it runs");
    let network = network_of(&result.manifest).expect("the manifest has the scenario");
    assert_eq!(network.nodes, scenario.network.nodes);
    let host = network.nodes.iter().position(|node| node.name == "B").expect("a host");
    let drain = network.drain(host).expect("a slow host");
    assert_eq!(network.direction(drain).buffer, scenario.network.direction(drain).buffer);
    assert!(network.direction(drain).buffer.is_some() && network.is_host(host));
}

/// So is every credit scheme, with its measures against loss.
#[test]
fn credit_comes_back_from_the_manifest() {
    let safe = "request-after = \"1 ms\", redundant-every = \"2 ms\"";
    for (kind, scheme) in [
        ("\"n23\", e = \"continuous\"", "n23-continuous"),
        ("\"n123\", n1 = 15", "n123"),
        ("\"n123+\", n1 = 15", "n123+"),
        ("\"cup\"", "cup"),
        ("\"additive\"", "additive"),
    ] {
        let control = format!("control = {{ kind = {kind}, {safe} }}");
        let text = SCENARIO.replace("control = { kind = \"n23\", n2 = 3, n3 = 20 }", &control);
        let scenario = Scenario::from_toml(&text, "credit.toml").expect("a valid scenario");
        let result = hopflow::run(&scenario, &RunOptions::default()).expect("it runs");
        let network = network_of(&result.manifest).expect("the manifest has the scenario");
        assert_eq!(network.vcs, scenario.network.vcs);
        let HopControl::Credit(credit) = network.vcs[0].hops[0].control else {
            panic!("{scheme} has no credit");
        };
        assert_eq!(credit.scheme.facts().name, scheme);
        assert!(credit.request_after.is_some() && credit.redundant_every.is_some());
    }
}

/// Pools, pauses and lanes are read back from the manifest, exact to the last number.
#[test]
fn what_flows_share_comes_back_from_the_manifest() {
    let adaptive = "control = { kind = \"adaptive\", n2 = 3 }";
    for lanes in ["refresh = \"9 cells\"", "kind = \"cbfc\", overhead = \"9 B\""] {
        let shared = format!(
            "between = [\"S\", \"B\"]\n\
             pause = [{{ priorities = [0, 7], xoff = \"9 cells\", room = \"auto\" }}, \"none\"]\n\
             lanes = [\"none\", {{ priorities = [0], buffer = 20, {lanes} }}]\n\
             pool = {{ memory = \"70 cells\" }}\n"
        );
        let text = SCENARIO.replace("control = { kind = \"n23\", n2 = 3, n3 = 20 }", adaptive);
        let text = text.replace("between = [\"S\", \"B\"]\n", &shared);
        let scenario = Scenario::from_toml(&text, "shared.toml").expect("a valid scenario");
        let result = hopflow::run(&scenario, &RunOptions::default()).expect("it runs");
        let network = network_of(&result.manifest).expect("the manifest has the scenario");
        assert_eq!(network.vcs, scenario.network.vcs);
        for (link, original) in network.links.iter().zip(&scenario.network.links) {
            assert_eq!(link.directions, original.directions);
        }
        let [there, back] = &network.links[2].directions;
        assert!(there.lanes.is_some() && back.lanes.is_some() && there.shared_buffer.is_some());
        assert_eq!(there.shared_buffer.map(|shared| shared.memory.0), Some(70));
    }
}

/// So are flows under ABR and the rate control of ports, whatever its kind.
#[test]
fn rate_control_comes_back_from_the_manifest() {
    let linear = "{ kind = \"erica-plus\", curve = \"linear\", delta = \"none\", decay = 0.8, \
                  active-count = \"contributions\", vc-rate = \"measured\", interval-cells = 9 }";
    for keys in [
        "{ kind = \"none\", wall = true }",
        "{ kind = \"efci\", high = \"9 cells\", low = \"2 cells\", wall = true }",
        "{ kind = \"becn\", high = \"9 cells\" }",
        "{ kind = \"selective\", high = \"9 cells\", initial = \"9 cells/s\" }",
        "{ kind = \"eprca\", ci = true }",
        "{ kind = \"vc-counting\" }",
        "{ kind = \"vc-counting\", drain = \"always\", vc-rate = \"measured\", tolerance = 0.1 }",
        "{ kind = \"erica\", averaging = \"of-factor\", vs-vd = true }",
        "{ kind = \"erica-plus\", averaging = \"of-parts\", vs-vd = { rate = \"previous\", \
         input = \"vc\", update = \"backward\", icr = \"9 cells/s\" } }",
        linear,
    ] {
        let abr = "control = { kind = \"abr\", mcr = \"1 kb/s\", rif = \"1/64\", cdf = 0 }";
        let link = format!("between = [\"S\", \"B\"]\nrate-control = [{keys}, \"none\"]\n");
        let text = SCENARIO
            .replace("control = { kind = \"n23\", n2 = 3, n3 = 20 }", abr)
            .replace("between = [\"S\", \"B\"]\n", &link);
        let scenario = Scenario::from_toml(&text, "rate.toml").expect("a valid scenario");
        let result = hopflow::run(&scenario, &RunOptions::default()).expect("it runs");
        let network = network_of(&result.manifest).expect("the manifest has the scenario");
        assert_eq!(network.vcs, scenario.network.vcs);
        assert_eq!(network.links[2].directions, scenario.network.links[2].directions);
        assert!(network.links[2].directions[0].rate_control.is_some(), "{keys}");
    }
}

/// The sizes of packets are in the manifest too: a run of 500-byte packets and one of packets of
/// any size give their throughput again.
#[test]
fn sizes_come_back_from_the_manifest() {
    let mut scenario = scenario();
    scenario.record.credits.clear();
    for hop in scenario.network.vcs.iter_mut().flat_map(|vc| &mut vc.hops) {
        hop.control = HopControl::None;
    }
    let sizes = [
        SizeLaw::Fixed(Bytes(500)),
        SizeLaw::Uniform { least: Bytes(40), most: Bytes(1500) },
        SizeLaw::Mix(vec![(Bytes(40), 3), (Bytes(1500), 1)]),
    ];
    for (one, other) in [(0, 1), (1, 2), (2, 0)] {
        for (vc, size) in [(0, one), (1, other)] {
            scenario.network.vcs[vc].traffic.size = sizes[size].clone();
        }
        let options = RunOptions { keep_trace: true, ..RunOptions::default() };
        let result = hopflow::run(&scenario, &options).expect("it runs");
        let network = network_of(&result.manifest).expect("the manifest has the scenario");
        assert_eq!(network.vcs, scenario.network.vcs);
        let mut recorder = Recorder::new(&network, &scenario.record);
        recorder.take(&result.trace);
        assert_eq!(recorder.finish(SimTime(network.duration.0)), result.series);
        let busy = result.summary.link("S->B").expect("a link").busy_share;
        assert!(busy > 0.9, "{busy}");
        assert_eq!(result.violations(), []);
    }
}

/// A selection by VC, link and span equals a filter over all rows.
#[test]
fn a_selection_is_a_filter() {
    let run = stored(&RunOptions::default());
    let names = Names::new(&scenario().network);
    let (from, to) = (SimTime(100_000_000), SimTime(200_000_000));
    let selection = TraceSelection {
        vcs: Some(vec!["VC2".to_owned()]),
        links: Some(vec!["A2->S".to_owned()]),
        from,
        to: Some(to),
    };
    let link = names.links.iter().position(|l| l.0 == "A2->S").expect("a link") as u32;
    let wanted = |r: &&TraceRow| r.vc == 1 && r.direction == link && r.time >= from && r.time < to;
    let expected: Vec<TraceRow> = run.rows.iter().filter(wanted).copied().collect();
    assert!(!expected.is_empty());
    assert_eq!(read_trace(&run.path, &names, &selection).expect("readable"), expected);
}

/// The same scenario gives the same bytes in every file.
#[test]
fn a_run_is_the_same_bytes_again() {
    let (one, two) = (stored(&RunOptions::default()), stored(&RunOptions::default()));
    let files = |run: &Stored| -> Vec<(PathBuf, Vec<u8>)> {
        let entries = fs::read_dir(&run.path).expect("a directory");
        let mut files: Vec<(PathBuf, Vec<u8>)> = entries
            .map(|entry| entry.expect("an entry").path())
            .map(|path| {
                (path.file_name().expect("a name").into(), fs::read(&path).expect("a file"))
            })
            .collect();
        files.sort();
        files
    };
    let (one, two) = (files(&one), files(&two));
    let names: Vec<String> = one.iter().map(|f| f.0.display().to_string()).collect();
    let expected = [
        "hops.parquet",
        "lengths.parquet",
        "links.parquet",
        "manifest.json",
        "ports.parquet",
        "queues.parquet",
        "report.html",
        "series.parquet",
        "summary.json",
        "trace-00001.parquet",
        "vcs.parquet",
    ];
    assert_eq!(names, expected);
    for (first, second) in one.iter().zip(&two) {
        assert!(first == second, "{}", first.0.display());
    }
}

/// A run that was stopped is kept, is marked as stopped, and is readable.
#[test]
fn a_stopped_run_is_kept_and_says_so() {
    let stop = Arc::new(AtomicBool::new(true));
    let options = RunOptions { cancel: Some(stop), ..RunOptions::default() };
    let run = stored(&options);
    let back = StoredRun::read(&run.path).expect("readable");
    assert!(!back.manifest.complete);
    let manifest = fs::read_to_string(run.path.join("manifest.json")).expect("there");
    assert!(manifest.contains("\"complete\": false"));
    let report = fs::read_to_string(run.path.join("report.html")).expect("there");
    assert!(report.contains("Stopped early"));
}

/// Files that accept bytes until they have used their common room; then the disk is full.
struct Short {
    left: Arc<AtomicUsize>,
    inner: fs::File,
}

impl Write for Short {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let left = self.left.load(Ordering::Relaxed);
        let now = bytes.len().min(left);
        if now == 0 && !bytes.is_empty() {
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        self.left.store(left - now, Ordering::Relaxed);
        self.inner.write(&bytes[..now])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl Sink for Short {
    fn complete(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes a run to a disk with room for `bytes`; returns the outcome and the room that is left.
fn write_within(
    bytes: usize,
    folder: &Path,
    result: &RunResult,
    rows: &[TraceRow],
) -> (Result<PathBuf, ExportError>, usize) {
    let left = Arc::new(AtomicUsize::new(bytes));
    let room = left.clone();
    let open = move |path: &Path| -> io::Result<Box<dyn Sink>> {
        Ok(Box::new(Short { left: room.clone(), inner: fs::File::create(path)? }))
    };
    let directory = RunDirectory::create_with(&folder.join("run"), false, Box::new(open));
    let network = scenario().network;
    let mut writer = RunWriter::new(directory.expect("a new directory"), &network);
    let taken = writer.take(rows);
    let outcome = writer.finish(&network, result, &[]);
    assert!(taken || outcome.is_err(), "what could not be taken is an error at the end");
    (outcome, left.load(Ordering::Relaxed))
}

/// Wherever the disk gets full, the error names a file and the cause, and nothing is left: every
/// byte of the trace and the first tables, and steps through the rest.
#[test]
fn a_full_disk_leaves_nothing_wherever_it_strikes() {
    let run = stored(&RunOptions::default());
    let rows = &run.rows[..20];
    let folder = tempfile::tempdir().expect("a folder");
    let plenty = 100_000_000;
    let (whole, left) = write_within(plenty, folder.path(), &run.result, rows);
    let path = whole.expect("there is room");
    let total = plenty - left;
    let trace = fs::metadata(path.join("trace-00001.parquet")).expect("there").len() as usize;
    fs::remove_dir_all(path).expect("removed");
    let every_byte = 0..trace + 2000;
    let steps = (trace + 2000..total).step_by(487).chain([total - 1]);
    for bytes in every_byte.chain(steps) {
        let (outcome, _) = write_within(bytes, folder.path(), &run.result, rows);
        let error = outcome.expect_err("the disk is full").to_string();
        assert!(error.contains("run/"), "{bytes}: {error}");
        assert!(error.contains("no storage space"), "{bytes}: {error}");
        let left = fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(left, 0, "after {bytes} bytes");
    }
    assert!(write_within(total, folder.path(), &run.result, rows).0.is_ok());
}

/// The same with the device that is always full, if there is one.
#[test]
fn the_full_device_is_an_error_with_its_cause() {
    let device = Path::new("/dev/full");
    if !device.exists() {
        let test = "the_full_device_is_an_error_with_its_cause";
        hopflow_testing::skip(test, "there is no /dev/full");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let open = move |_: &Path| -> io::Result<Box<dyn Sink>> {
        Ok(Box::new(fs::OpenOptions::new().write(true).open(device)?))
    };
    let target = folder.path().join("run");
    let directory = RunDirectory::create_with(&target, false, Box::new(open)).expect("new");
    let error = directory.write("manifest.json", b"{}").expect_err("full");
    assert!(error.to_string().contains("run/manifest.json"), "{error}");
    assert!(error.to_string().contains("No space left"), "{error}");
    drop(directory);
    assert!(!target.exists());
}

/// A run without a trace has no trace file, and reading it yields no rows.
#[test]
fn a_run_without_a_trace_has_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut scenario = scenario();
    scenario.record.trace = TraceFilter::none();
    let network = &scenario.network;
    let target = folder.path().join("run");
    let writer = Mutex::new(RunWriter::create(&target, false, network).expect("a new directory"));
    let result = run_with_rows(&scenario, &RunOptions::default(), &mut |rows| {
        writer.lock().expect("one thread").take(rows);
    });
    let writer = writer.into_inner().expect("one thread");
    let named = folder.path().join("run-digest");
    let path = writer.finish_as(&named, network, &result.expect("it runs"), &[]);
    let path = path.expect("it is written");
    assert_eq!(path, named);
    assert!(!path.join("trace-00001.parquet").exists());
    let rows = read_trace(&path, &Names::new(network), &TraceSelection::default());
    assert_eq!(rows.expect("readable"), []);
}

/// Scenario, network and a directory of a run with many VCs, which the result does not keep.
fn many(folder: &Path, keep_scenario: bool) -> (Scenario, PathBuf) {
    let text = SCENARIO.replace("name = \"VC2\"\n", "name = \"more{}\"\ncount = 149\n");
    let text = text.replace("trace = true", "trace = { flows = [\"VC1\"] }");
    let scenario = Scenario::from_toml(&text, "many.toml").expect("a valid scenario");
    let target = folder.join(if keep_scenario { "with" } else { "without" });
    let mut writer = RunWriter::create(&target, false, &scenario.network).expect("a directory");
    if keep_scenario {
        writer.keep_scenario(&text).expect("it is kept");
    }
    let options = RunOptions { keep_vcs: false, ..RunOptions::default() };
    let (result, rows) = hopflow::run_to_rows(&scenario, &options, &mut Nothing).expect("it runs");
    assert_eq!((result.summary.vcs.len(), result.summary.vcs_left_out), (100, 50));
    writer.take_rows(&rows);
    (scenario.clone(), writer.finish(&scenario.network, &result, &[]).expect("it is written"))
}

struct Nothing;

impl hopflow::RowSink for Nothing {
    fn rows(&mut self, _rows: &[TraceRow]) {}
}

/// Claim: the network of a run with many VCs is read back whole: from its scenario.toml if the
/// manifest leaves flows out, which it does only if there is a scenario.toml. If that is broken
/// later, the flows of the manifest are left. Files of rows have all VCs.
#[test]
fn all_vcs_of_a_directory_are_known() {
    let folder = tempfile::tempdir().expect("a folder");
    for keep_scenario in [true, false] {
        let (scenario, path) = many(folder.path(), keep_scenario);
        let back = StoredRun::read(&path).expect("readable");
        assert_eq!(back.summary.vcs.len(), 100);
        let flows = network_of(&back.manifest).expect("the manifest has the scenario").vcs.len();
        assert_eq!(flows, if keep_scenario { 100 } else { 150 });
        let network = back.network(&path).expect("a network");
        assert_eq!(network.vcs, scenario.network.vcs);
        assert_eq!(network.duration, scenario.network.duration);
        let rows = fs::metadata(path.join("hops.parquet")).expect("there").len();
        assert!(rows > 0);
        if keep_scenario {
            fs::write(path.join("scenario.toml"), "version = 2").expect("written");
            assert_eq!(back.network(&path).expect("a network").vcs.len(), 100);
        }
    }
}

/// Runs the first microseconds of a scenario into a directory; returns the network read back.
fn back(scenario: &mut Scenario, text: Option<&str>) -> NetworkSpec {
    scenario.network.duration = Picos(scenario.network.duration.0.min(50_000_000));
    scenario.warm_up = Picos::ZERO;
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("run");
    let network = &scenario.network;
    let mut writer = RunWriter::create(&target, false, network).expect("a new directory");
    if let Some(text) = text {
        writer.keep_scenario(text).expect("it is written");
    }
    let result = hopflow::run(scenario, &RunOptions::default()).expect("it runs");
    let path = writer.finish(network, &result, &[]).expect("it is written");
    let stored = StoredRun::read(&path).expect("readable");
    stored.network(&path).expect("it has a network")
}

/// Claim: the network of a stored run equals the network that was run, to the last key: of every
/// example.
#[test]
fn every_example_comes_back_whole() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut seen = 0;
    for entry in fs::read_dir(examples).expect("the examples") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("readable");
        let mut scenario = Scenario::load(&path).expect("a valid example");
        let network = back(&mut scenario, Some(&text));
        assert_eq!(network, scenario.network, "{}", path.display());
        seen += 1;
    }
    assert!(seen > 15, "{seen} examples");
}

/// Claim: the same holds for every credit scheme and round trip, and from the manifest alone, too.
#[test]
fn every_scheme_and_round_trip_comes_back() {
    let schemes = [
        ("kind = \"n23\", n2 = 3, n3 = 20", ""),
        ("kind = \"n23\", n2 = 3, n3 = 20, e = \"continuous\"", ""),
        ("kind = \"n123\", n1 = 9, n2 = 3, n3 = 20", ""),
        ("kind = \"n123+\", n1 = 9, n2 = 3, n3 = 20", ""),
        ("kind = \"cup\", n2 = 3, n3 = 20", ""),
        ("kind = \"additive\", n2 = 3, n3 = 20", ""),
        ("kind = \"adaptive\", n2 = 3", "pool = { memory = \"70 cells\" }\n"),
    ];
    let mut names = Vec::new();
    for (control, pool) in schemes {
        for round_trip in ["loop", "measured", "99 us"] {
            let link = format!("[defaults.link]\nround-trip = \"{round_trip}\"\n{pool}");
            let control = format!("control = {{ {control} }}");
            let text = SCENARIO
                .replace("[defaults.link]\n", &link)
                .replace("control = { kind = \"n23\", n2 = 3, n3 = 20 }", &control);
            let mut scenario = Scenario::from_toml(&text, "two.toml").expect("a valid scenario");
            let whole = back(&mut scenario, Some(&text));
            assert_eq!(whole, scenario.network, "{control}, {round_trip}");
            let manifest_alone = back(&mut scenario, None);
            assert_eq!(manifest_alone, scenario.network, "{control}, {round_trip}");
            names.push(scenario.network.vcs[0].hops[0].control);
        }
    }
    names.dedup();
    assert_eq!(names.len(), schemes.len(), "all are different");
}
