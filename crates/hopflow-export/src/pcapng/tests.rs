//! Claims about captures, read back by a reader of this file's own, and by tshark.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use hopflow::network::{CellKind, DirectionId, TraceEvent, TraceRow};
use hopflow::units::Bytes;
use hopflow::{RunOptions, Scenario, run_with_rows};

use crate::{RunWriter, TraceFormat};

/// Cells under credit, of which some are corrupted.
pub(crate) const CELLS: &str = r#"
version = 2
title = "Cells"
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
corrupt-data = 0.05
[[flow]]
name = "VC1"
route = ["A1", "S", "B"]
[[flow]]
name = "VC2"
route = ["A2", "S", "B"]
"#;

/// Packets of several sizes, without control: a full switch drops.
pub(crate) const PACKETS: &str = r#"
version = 2
jitter = "exact"
title = "Packets"
duration = "400 us"
seed = 3
[defaults.link]
rate = "1 Gb/s"
delay = "300 ns"
overhead = "20 B"
[[host]]
name = "A{}"
count = 2
[[switch]]
name = "S"
buffer = "9 packets"
[[host]]
name = "B"
[[link]]
between = ["A{}", "S"]
count = 2
[[link]]
between = ["S", "B"]
[[flow]]
name = "mixed"
route = ["A1", "S", "B"]
packet = { sizes = ["40 B", "64 B", "577 B", "1500 B"], weights = [1, 1, 1, 1] }
source = { kind = "greedy" }
[[flow]]
name = "fixed"
route = ["A2", "S", "B"]
packet = "1000 B"
source = { kind = "greedy" }
"#;

/// A packet as the file has it.
#[derive(Debug, PartialEq, Eq)]
struct Read {
    interface: u32,
    time_ns: u64,
    bytes: Vec<u8>,
    length: u32,
    comment: Option<String>,
}

struct Capture {
    /// Name, link type, bits per second.
    interfaces: Vec<(String, u16, u64)>,
    packets: Vec<Read>,
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes[at..at + 2].try_into().expect("2 bytes"))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes"))
}

fn options(mut bytes: &[u8]) -> BTreeMap<u16, Vec<u8>> {
    let mut found = BTreeMap::new();
    while !bytes.is_empty() {
        let (code, length) = (u16_at(bytes, 0), usize::from(u16_at(bytes, 2)));
        if code == 0 {
            assert_eq!(bytes.len(), 4, "nothing is behind the end of options");
            break;
        }
        found.insert(code, bytes[4..4 + length].to_vec());
        bytes = &bytes[4 + length.next_multiple_of(4)..];
    }
    found
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// The format, read as its specification is written.
fn capture(file: &Path) -> Capture {
    let mut bytes = &fs::read(file).expect("readable")[..];
    let mut capture = Capture { interfaces: Vec::new(), packets: Vec::new() };
    let mut is_first = true;
    while !bytes.is_empty() {
        let (kind, length) = (u32_at(bytes, 0), u32_at(bytes, 4) as usize);
        assert_eq!(length % 4, 0);
        assert_eq!(u32_at(bytes, length - 4) as usize, length, "both lengths are equal");
        let body = &bytes[8..length - 4];
        assert_eq!(kind == 0x0A0D_0D0A, is_first, "one section, first");
        match kind {
            0x0A0D_0D0A => assert_eq!((u32_at(body, 0), u16_at(body, 4)), (0x1A2B_3C4D, 1)),
            1 => {
                let of = options(&body[8..]);
                assert_eq!(of[&9], [9], "nanoseconds");
                let speed = u64::from_le_bytes(of[&8].clone().try_into().expect("8 bytes"));
                capture.interfaces.push((text(&of[&2]), u16_at(body, 0), speed));
            }
            6 => {
                let captured = u32_at(body, 12) as usize;
                let of = options(&body[20 + captured.next_multiple_of(4)..]);
                capture.packets.push(Read {
                    interface: u32_at(body, 0),
                    time_ns: u64::from(u32_at(body, 4)) << 32 | u64::from(u32_at(body, 8)),
                    bytes: body[20..20 + captured].to_vec(),
                    length: u32_at(body, 16),
                    comment: of.get(&1).map(|comment| text(comment)),
                });
            }
            other => panic!("a block of type {other}"),
        }
        bytes = &bytes[length..];
        is_first = false;
    }
    capture
}

pub(crate) struct Run {
    _folder: tempfile::TempDir,
    pub(crate) path: PathBuf,
    scenario: Scenario,
    pub(crate) rows: Vec<TraceRow>,
}

/// Runs a scenario with `trace` in its table of what to record.
pub(crate) fn run(text: &str, trace: &str, formats: &[TraceFormat]) -> Run {
    let text = format!("{text}\n[record]\ntrace = {trace}\n");
    let scenario = Scenario::from_toml(&text, "a.toml").expect("a valid scenario");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run");
    let network = &scenario.network;
    let mut writer = RunWriter::create(&path, false, network).expect("a new directory");
    writer.trace_formats(formats, network).expect("files");
    let mut rows = Vec::new();
    let result = run_with_rows(&scenario, &RunOptions::default(), &mut |slice| {
        assert!(writer.take(slice));
        rows.extend_from_slice(slice);
    });
    writer.finish(network, &result.expect("it runs"), &[]).expect("written");
    Run { _folder: folder, path, scenario, rows }
}

impl Run {
    fn file(&self) -> PathBuf {
        self.path.join("packets.pcapng")
    }

    /// The rows that end a crossing, or a wait.
    fn ends(&self) -> Vec<&TraceRow> {
        let ends = [TraceEvent::Arrived, TraceEvent::Corrupted, TraceEvent::Dropped];
        self.rows.iter().filter(|row| ends.contains(&row.event)).collect()
    }

    fn lost(&self) -> usize {
        self.ends().iter().filter(|row| row.event != TraceEvent::Arrived).count()
    }

    pub(crate) fn count(&self, event: TraceEvent) -> usize {
        self.rows.iter().filter(|row| row.event == event).count()
    }
}

fn big(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(bytes[at..at + 4].try_into().expect("4 bytes"))
}

/// Claim: a capture of cells has every row that ends a crossing, once and in order, with its
/// link, its instant, its VC and its value; what is corrupted says so, with the error flag.
#[test]
fn cells_come_back() {
    let run = run(CELLS, "true", &[TraceFormat::Pcapng]);
    let read = capture(&run.file());
    let names: Vec<&str> = read.interfaces.iter().map(|of| of.0.as_str()).collect();
    assert_eq!(names, ["A1->S", "S->A1", "A2->S", "S->A2", "S->B", "B->S"]);
    assert!(read.interfaces.iter().all(|of| (of.1, of.2) == (197, 622_080_000)));
    let rows = run.ends();
    assert_eq!(read.packets.len(), rows.len());
    assert!(rows.len() > 1500 && run.count(TraceEvent::Corrupted) > 10);
    assert!(rows.iter().any(|row| row.kind == CellKind::Credit));
    for (packet, row) in read.packets.iter().zip(rows) {
        assert_eq!((packet.interface, packet.time_ns), (row.direction, row.time.0 / 1000));
        assert_eq!((packet.bytes.len(), packet.length), (16 + 12, 16 + 53));
        let header = big(&packet.bytes, 16);
        let [vpi, vci] = [header >> 20, header >> 4 & 0xFFFF];
        assert_eq!([vpi, vci], [row.kind as u32, 32 + row.vc]);
        assert_eq!([big(&packet.bytes, 20), big(&packet.bytes, 24)], [row.vc, row.value]);
        let is_corrupt = row.event == TraceEvent::Corrupted;
        assert_eq!(packet.bytes[9] & 16 != 0, is_corrupt);
        let comment = packet.comment.as_deref();
        assert_eq!(comment, is_corrupt.then_some("corrupted on S->B, discarded at B"));
    }
    assert!(!run.path.join("trace-00001.parquet").exists());
}

/// Claim: packets of several sizes have their lengths, for the time between start and arrival is
/// that of a packet so long; and those dropped say where.
#[test]
fn packets_have_their_lengths() {
    let run = run(PACKETS, "true", &[TraceFormat::Parquet, TraceFormat::Pcapng]);
    let read = capture(&run.file());
    assert_eq!(read.packets.len(), run.ends().len());
    let mut starts = BTreeMap::new();
    for row in run.rows.iter().filter(|row| row.event == TraceEvent::Started) {
        starts.insert((row.direction, row.vc, row.value), row.time);
    }
    let (mut lengths, mut dropped) = (Vec::new(), 0);
    for (packet, row) in read.packets.iter().zip(run.ends()) {
        assert_eq!(packet.bytes[12..14], [0x81, 0]);
        assert_eq!(packet.bytes[16..18], [0x88, 0xB5]);
        assert_eq!([big(&packet.bytes, 22), big(&packet.bytes, 26)], [row.vc, row.value]);
        let [id, size] = [row.direction as usize, packet.length as usize];
        let latency = run.scenario.network.latency_of(DirectionId(id), Bytes(size as u64));
        assert_eq!(starts[&(row.direction, row.vc, row.value)] + latency, row.time);
        let of = ["mixed", "fixed"][row.vc as usize];
        let says = format!("dropped at S as it arrived; S holds {} of {of}", row.fill);
        let is_dropped = row.event == TraceEvent::Dropped;
        assert_eq!(packet.comment.as_deref(), is_dropped.then_some(says.as_str()));
        dropped += usize::from(is_dropped);
        lengths.push(packet.length);
    }
    lengths.sort_unstable();
    lengths.dedup();
    assert!(dropped > 5 && lengths.len() == 5, "{dropped} dropped, {} lengths", lengths.len());
    assert!(run.path.join("trace-00001.parquet").exists());
}

/// Claim: where a part of the trace is asked for, the capture has that part alone, and a packet of
/// unknown length says so: the first of a span may have started before it.
#[test]
fn a_part_of_the_trace_is_a_part_of_the_capture() {
    let part = r#"{ links = ["A1->S"], from = "100 us", to = "200 us" }"#;
    let run = run(PACKETS, part, &[TraceFormat::Pcapng]);
    let read = capture(&run.file());
    assert_eq!(read.packets.len(), run.ends().len());
    assert!(read.packets.len() > 5);
    assert!(read.packets.iter().all(|packet| packet.interface == 0));
    assert!(read.packets.iter().all(|packet| (100_000..200_000).contains(&packet.time_ns)));
    let unknown = |packet: &&Read| {
        packet.comment.as_ref().is_some_and(|comment| comment.contains("length not known"))
    };
    assert_eq!(read.packets.iter().filter(unknown).count(), 1);
    assert!(unknown(&&read.packets[0]));
}

/// What tshark prints of these fields; `None` where it is not installed: `test` is skipped.
fn tshark(test: &str, file: &Path, fields: &[&str]) -> Option<Vec<Vec<String>>> {
    let mut command = Command::new("tshark");
    command.arg("-r").arg(file).args(["-T", "fields"]);
    for field in fields {
        command.args(["-e", field]);
    }
    let Ok(output) = command.output() else {
        hopflow_testing::skip(test, "tshark is not installed");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let line = |line: &str| line.split('\t').map(str::to_owned).collect();
    Some(String::from_utf8_lossy(&output.stdout).lines().map(line).collect())
}

fn seconds(row: &TraceRow) -> String {
    let ns = row.time.0 / 1000;
    format!("{}.{:09}", ns / 1_000_000_000, ns % 1_000_000_000)
}

/// Claim: tshark, where it is installed, reads the same cells.
#[test]
fn tshark_reads_cells() {
    let run = run(CELLS, "true", &[TraceFormat::Pcapng]);
    let fields = ["frame.time_epoch", "frame.interface_name", "frame.len", "atm.vpi", "atm.vci"];
    let fields = [&fields[..], &["frame.comment", "_ws.malformed"]].concat();
    let Some(lines) = tshark("tshark_reads_cells", &run.file(), &fields) else { return };
    assert_eq!(lines.len(), run.ends().len());
    let links = ["A1->S", "S->A1", "A2->S", "S->A2", "S->B", "B->S"];
    for (line, row) in lines.iter().zip(run.ends()) {
        let vpi = (row.kind as u32).to_string();
        let vci = (32 + row.vc).to_string();
        let link = links[row.direction as usize];
        assert_eq!(line[..5], [&seconds(row)[..], link, "53", &vpi, &vci]);
        assert_eq!(line[5].is_empty(), row.event == TraceEvent::Arrived);
        assert_eq!(line[6], "");
    }
    assert_eq!(lines.iter().filter(|line| !line[5].is_empty()).count(), run.lost());
}

/// Claim: tshark, where it is installed, reads pause frames as those of 802.1Qbb, and the class
/// and the time are those of the row.
#[test]
fn tshark_reads_pause_frames() {
    let control =
        "pause = { priorities = [0], xoff = \"6000 B\", xon = \"3000 B\", room = \"auto\" }\n";
    let text = PACKETS.replace("overhead", &format!("{control}overhead"));
    let text = text.replace("buffer = \"9 packets\"\n", "");
    let run = run(&text, "true", &[TraceFormat::Pcapng]);
    let is_pause = |row: &&&TraceRow| row.kind == CellKind::Pause;
    let fields = ["frame.time_epoch", "macc.opcode", "macc.cbfc.pause_time.c0", "eth.type"];
    let pauses = run.ends().iter().filter(is_pause).count();
    assert!(pauses > 2, "{pauses} pauses");
    let Some(lines) = tshark("tshark_reads_pause_frames", &run.file(), &fields) else { return };
    assert_eq!(lines.len(), run.ends().len());
    for (line, row) in lines.iter().zip(run.ends()) {
        assert_eq!(line[0], seconds(row));
        if row.kind == CellKind::Pause {
            assert_eq!(line[1], "0x0101");
            assert_eq!(line[2], (row.value & 0xFFFF).to_string());
        } else {
            assert_eq!(line[1], "");
        }
    }
}
