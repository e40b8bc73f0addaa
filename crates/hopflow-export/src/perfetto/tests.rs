//! Claims about timelines, read back by a decoder of this file's own.

use std::collections::BTreeMap;
use std::fs;

use hopflow::network::{CellKind, TraceEvent, TraceRow};

use crate::TraceFormat;
use crate::pcapng::tests::{CELLS, PACKETS, Run, run};

/// A value of a field, by the type on the wire.
#[derive(Debug)]
enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

/// The fields of a message, by number; the last of each.
type Fields<'a> = BTreeMap<u64, Value<'a>>;

fn varint(bytes: &mut &[u8]) -> u64 {
    let (mut value, mut shift) = (0, 0);
    loop {
        let byte = bytes[0];
        *bytes = &bytes[1..];
        value |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return value;
        }
        shift += 7;
    }
}

fn field<'a>(bytes: &mut &'a [u8]) -> (u64, Value<'a>) {
    let key = varint(bytes);
    let length = match key & 7 {
        0 => return (key >> 3, Value::Number(varint(bytes))),
        1 => 8,
        2 => varint(bytes) as usize,
        other => panic!("a field of wire type {other}"),
    };
    let (value, rest) = bytes.split_at(length);
    *bytes = rest;
    let value = match key & 7 {
        1 => Value::Number(u64::from_le_bytes(value.try_into().expect("8 bytes"))),
        _ => Value::Bytes(value),
    };
    (key >> 3, value)
}

fn fields(mut bytes: &[u8]) -> Fields<'_> {
    let mut found = Fields::new();
    while !bytes.is_empty() {
        let (number, value) = field(&mut bytes);
        assert!(found.insert(number, value).is_none(), "field {number} is there once");
    }
    found
}

fn number(fields: &Fields<'_>, field: u64) -> Option<u64> {
    match fields.get(&field)? {
        Value::Number(value) => Some(*value),
        Value::Bytes(_) => panic!("field {field} is no number"),
    }
}

fn inner<'a>(fields: &Fields<'a>, field: u64) -> Option<&'a [u8]> {
    match fields.get(&field)? {
        Value::Bytes(value) => Some(value),
        Value::Number(_) => panic!("field {field} is a number"),
    }
}

fn text(fields: &Fields<'_>, field: u64) -> String {
    String::from_utf8(inner(fields, field).expect("it is there").to_vec()).expect("UTF-8")
}

#[derive(Debug)]
struct Event {
    time_ns: u64,
    /// 1 begins a slice, 2 ends one, 3 is an instant, 4 a value of a counter.
    kind: u64,
    track: String,
    name: String,
    value: u64,
    from: Option<u64>,
    to: Option<u64>,
}

/// The events of a trace, with the names of their tracks: `node/track`.
fn events(run: &Run) -> Vec<Event> {
    let bytes = fs::read(run.path.join("trace.pftrace")).expect("readable");
    let (mut bytes, mut tracks, mut events) = (&bytes[..], BTreeMap::new(), Vec::new());
    while !bytes.is_empty() {
        let (1, Value::Bytes(packet)) = field(&mut bytes) else { panic!("a packet") };
        let packet = fields(packet);
        assert_eq!(number(&packet, 10), Some(1), "all are of one sequence");
        if let Some(track) = inner(&packet, 60) {
            let track = fields(track);
            let name = match number(&track, 5) {
                Some(parent) => format!("{}/{}", tracks[&parent], text(&track, 2)),
                None => text(&track, 2),
            };
            assert!(tracks.insert(number(&track, 1).expect("a number"), name).is_none());
            continue;
        }
        let event = fields(inner(&packet, 11).expect("an event"));
        events.push(Event {
            time_ns: number(&packet, 8).expect("a time"),
            kind: number(&event, 9).expect("a type"),
            track: tracks[&number(&event, 11).expect("a track")].clone(),
            name: inner(&event, 23).map_or(String::new(), |_| text(&event, 23)),
            value: number(&event, 30).unwrap_or_default(),
            from: number(&event, 47),
            to: number(&event, 48),
        });
    }
    events
}

fn count(events: &[Event], kind: u64, name: &str) -> usize {
    events.iter().filter(|event| event.kind == kind && event.name.starts_with(name)).count()
}

/// Claim: each start of a trace is a slice that ends when its last bit leaves, on the track of its
/// port; no two slices of a port overlap; and each loss is an instant.
#[test]
fn slices_are_the_starts() {
    for text in [CELLS, PACKETS] {
        let run = run(text, "true", &[TraceFormat::Perfetto]);
        let events = events(&run);
        assert_eq!(count(&events, 1, ""), run.count(TraceEvent::Started));
        let starts = run.rows.iter().filter(|row| row.event == TraceEvent::Started);
        for (event, row) in events.iter().filter(|event| event.kind == 1).zip(starts) {
            assert_eq!(event.time_ns, row.time.0 / 1000);
        }
        assert_eq!(count(&events, 3, "corrupted"), run.count(TraceEvent::Corrupted));
        assert_eq!(count(&events, 3, "dropped"), run.count(TraceEvent::Dropped));
        assert!(count(&events, 3, "corrupted") + count(&events, 3, "dropped") > 5);
        let mut open = BTreeMap::new();
        for event in events.iter().filter(|event| event.kind < 3) {
            let begins = event.kind == 1;
            let (was_open, since) =
                open.insert(&event.track, (begins, event.time_ns)).unwrap_or_default();
            assert_ne!(was_open, begins, "{event:?}");
            assert!(since <= event.time_ns, "{event:?}");
        }
        // What left in the trace has ended; at most one slice of a port is left open.
        let ends: Vec<u64> =
            events.iter().filter(|event| event.kind == 2).map(|event| event.time_ns).collect();
        let left = run.rows.iter().filter(|row| row.event == TraceEvent::Left);
        assert!(left.clone().count() > 100);
        left.for_each(|row| assert!(ends.contains(&(row.time.0 / 1000)), "{row:?}"));
        assert!(count(&events, 1, "") - ends.len() <= 6);
    }
}

/// Rows of data of VC1 at `S`, where it is not corrupted.
fn at_s(row: &TraceRow) -> bool {
    // 0 is A1->S, 4 is S->B.
    let is_there =
        (row.direction == 0 && row.at_receiver) || (row.direction == 4 && !row.at_receiver);
    row.vc == 0 && row.kind == CellKind::Data && row.event != TraceEvent::Corrupted && is_there
}

/// Claim: the counter of a queue has the fill of each row of data at the node, and that of a
/// credit the count of each row that changes it.
#[test]
fn counters_are_the_columns() {
    let run = run(CELLS, "true", &[TraceFormat::Perfetto]);
    let events = events(&run);
    let values = |track: &str| -> Vec<(u64, u64)> {
        let of = events.iter().filter(|event| event.kind == 4 && event.track == track);
        of.map(|event| (event.time_ns, event.value)).collect()
    };
    let queue: Vec<(u64, u64)> = run
        .rows
        .iter()
        .filter(|row| at_s(row))
        .map(|row| (row.time.0 / 1000, u64::from(row.fill)))
        .collect();
    assert!(queue.iter().any(|value| value.1 > 1));
    assert_eq!(values("S/queue of VC1"), queue);
    let changes = |row: &&TraceRow| {
        let starts =
            row.direction == 0 && row.event == TraceEvent::Started && row.kind == CellKind::Data;
        let comes =
            row.direction == 1 && row.event == TraceEvent::Arrived && row.kind == CellKind::Credit;
        row.vc == 0 && (starts || comes)
    };
    let credit: Vec<(u64, u64)> = run
        .rows
        .iter()
        .filter(changes)
        .map(|row| (row.time.0 / 1000, u64::from(row.credit)))
        .collect();
    assert!(credit.iter().any(|value| value.1 == 0));
    assert_eq!(values("A1/credit of VC1 on A1->S"), credit);
}

/// Claim: arrows are those of a slow count over all rows: from each credit that arrives when the
/// row before it left the count at zero, to the next start of the VC there.
#[test]
fn arrows_go_from_credits_to_starts() {
    let run = run(CELLS, "true", &[TraceFormat::Perfetto]);
    let mut expected = Vec::new();
    for (vc, there) in [(0, 0), (0, 4), (1, 2), (1, 4)] {
        let of = |row: &&TraceRow| {
            let is_start = row.direction == there && row.event == TraceEvent::Started;
            let is_credit = row.direction == there + 1 && row.event == TraceEvent::Arrived;
            row.vc == vc
                && ((is_start && row.kind == CellKind::Data)
                    || (is_credit && row.kind == CellKind::Credit))
        };
        let rows: Vec<&TraceRow> = run.rows.iter().filter(of).collect();
        for pair in rows.windows(2).enumerate() {
            let (place, [before, credit]) = pair else { panic!("two rows") };
            if before.credit == 0 && credit.kind == CellKind::Credit && credit.credit > 0 {
                let next = rows[place + 2..].iter().find(|row| row.event == TraceEvent::Started);
                expected.push((credit.time.0 / 1000, next.map(|row| row.time.0 / 1000)));
            }
        }
    }
    assert!(expected.len() > 20, "{} arrows", expected.len());
    let events = events(&run);
    let ends: BTreeMap<u64, u64> =
        events.iter().filter_map(|event| Some((event.to?, event.time_ns))).collect();
    let mut found: Vec<(u64, Option<u64>)> = events
        .iter()
        .filter_map(|event| Some((event.time_ns, ends.get(&event.from?).copied())))
        .collect();
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected);
    let is_right = |event: &Event| event.from.is_none() || event.name.starts_with("credit for VC");
    assert!(events.iter().all(is_right));
    assert!(events.iter().all(|event| event.to.is_none() || event.kind == 1));
}
