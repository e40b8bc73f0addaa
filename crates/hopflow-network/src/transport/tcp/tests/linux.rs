//! NewReno beside the TCP of the Linux kernel: recorded runs, acknowledgement by acknowledgement.
//!
//! ```text
//! left ---- 1 Gb/s or more ---- mid ==== 8 Mb/s, 30 packets of 1,514 bytes ==== right
//! ```
//! A record is what the sender's interface saw: a line for each segment sent and each
//! acknowledgement received, in segments of 1,448 bytes. `linux/reno.txt` was measured by `cargo
//! xtask beside-linux --record`; that command also measures the kernel of the machine and checks
//! this file's claims against it, through the folder of records in `HOPFLOW_LINUX_RECORDS`.

use hopflow_units::{Picos, SimTime};

use super::super::{TcpAcks, TcpSpec, TcpTimers, TcpVariant, Transfer};
use super::channel::{Connection, Link, Losses, MILLI};

const RECORD: &str = include_str!("linux/reno.txt");
/// A folder of other records to judge.
const OTHERS: &str = "HOPFLOW_LINUX_RECORDS";
const MSS: u32 = 1_448;
/// The link's queue in packets, including the one in transmission.
const QUEUE: usize = 30;
/// The least number of steady-state cycles in a run of the model and in a record.
const CYCLES: usize = 5;

/// An event at the sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// Segment number n was sent.
    Sent(u32),
    /// All segments before number n were acknowledged.
    Acked(u32),
}

/// A cycle: from the first retransmitted segment to the next one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Cycle {
    /// The number of segments sent.
    segments: u32,
    /// The number of retransmissions among them.
    again: u32,
    /// The number of acknowledgements received.
    acks: u32,
    /// Segments outstanding after each acknowledgement of new data that follows the recovery.
    window: Vec<u32>,
    /// Its duration, in microseconds.
    micros: u64,
}

/// Claims, over a queue of 30 packets that is never empty, both ends without SACK, each segment
/// acknowledged:
///
/// * Linux's Reno and NewReno here pass through the same cycle: the window grows by one segment per
///   round trip from half of the segments outstanding at the loss, until the queue of 30 is full
///   again. One more than fits is lost; with a window of 32 segments at the loss that is a cycle of
///   16 + 17 + ... + 32 segments and 16 in the recovery, 424, and one of them is sent again. Linux
///   grows by a whole segment after as many acknowledgements as the window has segments, [RFC5681]
///   (3) by a fraction at each: within 1 % (range written after the first record).
/// * At each acknowledgement of a cycle, counted from the end of its recovery, the two windows are
///   at most one segment apart (range written after the first record).
/// * Each cycle repeats the one before it exactly, in the kernel and in the model.
#[test]
fn newreno_goes_through_the_cycle_of_linux() {
    let model = steady(&model());
    for (name, text) in records() {
        let kernel = steady(&read(&text));
        report(&name, &kernel, &model);
        let (theirs, ours) = (median(&kernel), median(&model));
        assert!(theirs.segments.abs_diff(ours.segments) * 100 <= theirs.segments, "{name}");
        assert_eq!((theirs.again, ours.again), (1, 1), "{name}");
        assert!(theirs.acks.abs_diff(theirs.segments) <= 1, "{name}: each is acknowledged");
        let windows = theirs.window.iter().zip(&ours.window);
        let apart = windows.map(|(theirs, ours)| theirs.abs_diff(*ours)).max();
        assert!(apart <= Some(1), "{name}: the windows are {apart:?} segments apart");
        let alike = kernel.iter().filter(|cycle| cycle.segments == theirs.segments).count();
        assert!(alike * 10 >= kernel.len() * 8, "{name}: {alike} of {} cycles", kernel.len());
    }
    assert!(model.windows(2).all(|pair| pair[0].segments == pair[1].segments));
}

/// The shipped record, or those of a folder.
fn records() -> Vec<(String, String)> {
    let Some(folder) = std::env::var_os(OTHERS) else {
        return vec![("linux/reno.txt".to_owned(), RECORD.to_owned())];
    };
    let entries = std::fs::read_dir(&folder).expect("HOPFLOW_LINUX_RECORDS is a folder");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    assert!(!paths.is_empty(), "no record in {}", folder.display());
    let read = |path: &std::path::PathBuf| std::fs::read_to_string(path).expect("a record");
    paths.iter().map(|path| (path.display().to_string(), read(path))).collect()
}

/// Reads `MICROSECONDS s SEGMENT` and `MICROSECONDS a SEGMENTS` after lines of comments.
fn read(text: &str) -> Vec<(u64, Event)> {
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.map(|row| {
        let words: Vec<&str> = row.split(' ').collect();
        let [at, kind, number] = words[..] else { panic!("`{row}` has three words") };
        let number = number.parse().expect("a number of segments");
        let event = match kind {
            "s" => Event::Sent(number),
            "a" => Event::Acked(number),
            other => panic!("`{other}` is neither `s` nor `a`"),
        };
        (at.parse().expect("microseconds"), event)
    })
    .collect()
}

/// The same path in the simulator, for 8 s.
fn model() -> Vec<(u64, Event)> {
    let spec = TcpSpec {
        mss: MSS,
        header: 52 + 14, // Ethernet, IP, TCP and time stamps
        window: 1 << 20,
        scale: 7,
        initial_window: 10,
        timers: TcpTimers::Fine { granularity: Picos(MILLI), min: Picos(200 * MILLI) },
        acks: TcpAcks::EverySegment,
        transfer: Transfer::Infinite,
        ..TcpSpec::new(TcpVariant::NewReno)
    };
    let delay = Picos(MILLI / 100);
    let mut there = Link::new(1_000_000, delay, Losses::None);
    there.limit = QUEUE;
    let mut connection = Connection::new(&spec, there, Link::new(0, delay, Losses::None));
    connection.run(SimTime(8_000 * MILLI));
    // An acknowledgement precedes the segments sent at its instant.
    let micros = |at: SimTime| at.0 / 1_000_000;
    let number = |seq: u32| (seq - spec.first) / MSS;
    let acks = connection.acks.iter();
    let mut events: Vec<_> =
        acks.map(|(at, ack)| (micros(*at + delay), Event::Acked(number(ack.ack.0)))).collect();
    let sent = connection.data.iter();
    events.extend(sent.map(|(at, data)| (micros(*at), Event::Sent(number(data.seq.0)))));
    events.sort_by_key(|(at, event)| (*at, matches!(event, Event::Sent(_))));
    events
}

/// The cycles after the first two, without the last, which is incomplete.
fn steady(events: &[(u64, Event)]) -> Vec<Cycle> {
    let (mut una, mut max, mut recover, mut began) = (0, 0, 0, 0);
    let mut cycles = vec![Cycle::default()];
    for &(at, event) in events {
        match event {
            Event::Sent(number) if number < max => {
                if una >= recover {
                    cycles.push(Cycle::default());
                    (recover, began) = (max, at);
                }
                let cycle = cycles.last_mut().expect("never empty");
                cycle.segments += 1;
                cycle.again += 1;
            }
            Event::Sent(number) => {
                max = number + 1;
                cycles.last_mut().expect("never empty").segments += 1;
            }
            Event::Acked(number) => {
                let cycle = cycles.last_mut().expect("never empty");
                cycle.acks += 1;
                if number > una && number >= recover {
                    cycle.window.push(max - number);
                }
                una = una.max(number);
            }
        }
        cycles.last_mut().expect("never empty").micros = at - began;
    }
    cycles.pop();
    let cycles = cycles.split_off(3.min(cycles.len()));
    assert!(cycles.len() >= CYCLES, "{} cycles are too few", cycles.len());
    cycles
}

/// The cycle of median length.
fn median(cycles: &[Cycle]) -> &Cycle {
    let mut order: Vec<&Cycle> = cycles.iter().collect();
    order.sort_by_key(|cycle| cycle.segments);
    order[order.len() / 2]
}

fn report(name: &str, kernel: &[Cycle], model: &[Cycle]) {
    let line = |cycles: &[Cycle]| {
        let cycle = median(cycles);
        let (least, most) = (cycle.window.iter().min(), cycle.window.iter().max());
        let (least, most) = (least.unwrap_or(&0), most.unwrap_or(&0));
        let ms = cycle.micros as f64 / 1e3;
        let Cycle { segments, again, .. } = cycle;
        let count = cycles.len();
        format!("{segments} segments, {again} again, {ms:.1} ms, window {least} to {most}; {count}")
    };
    println!("{name}: medians of a cycle; cycles");
    println!("    Linux:   {}\n    hopflow: {}", line(kernel), line(model));
}
