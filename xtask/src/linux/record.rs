//! A record of one connection: the segments sent, and the acknowledgements received.
//!
//! ```text
//! MICROSECONDS s N     segment number N was sent
//! MICROSECONDS a N     all segments before number N were acknowledged
//! ```
//! Microseconds count from the first segment; a segment has [`MSS`] bytes.
//!
//! The link's queue is never empty after the start, and each packet that passes is acknowledged at
//! once, so acknowledgements arrive one packet time apart. Any further delay is the lateness of
//! this machine's timers:
//! ```text
//! late(i) = t(i) - t(i - 1) - P,  at least 0        P = 1,514 B / 8 Mb/s = 1,514 us         (1)
//! lost    = (t(n) - t(1)) / ((n - 1) P) - 1                                                 (2)
//! ```

use std::fmt::Write as _;

/// Bytes of data in a segment.
pub(super) const MSS: u64 = 1_448;
/// P, in microseconds.
const PACKET: u64 = 1_514;
/// Rows before this instant are the start, in microseconds.
const START: u64 = 2_000_000;

/// An event and its instant, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Row {
    at: u64,
    acked: bool,
    segment: u64,
}

/// A connection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Record {
    rows: Vec<Row>,
}

/// The lateness of the machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lateness {
    /// Median, 99th percentile and maximum of Eq. (1), in microseconds.
    pub(super) micros: [u64; 3],
    /// Eq. (2).
    pub(super) lost: f64,
}

impl Record {
    /// From the output of `tcpdump -n -tt --time-stamp-precision nano`; `None` if no segment was
    /// sent, or a partial one.
    pub(super) fn from_dump(text: &str) -> Option<Record> {
        let mut rows = Vec::new();
        let mut first = None;
        for line in text.lines() {
            let Some((at, sent, number)) = packet(line) else { continue };
            let first = if sent { *first.get_or_insert(at) } else { first.unwrap_or(u64::MAX) };
            if at < first {
                continue; // the handshake
            }
            let bytes = number.checked_sub(1)?; // the first byte of data has number 1
            if bytes % MSS > 0 {
                return None;
            }
            rows.push(Row { at: (at - first) / 1_000, acked: !sent, segment: bytes / MSS });
        }
        (!rows.is_empty()).then_some(Record { rows })
    }

    /// The record as text, without rows after `micros`.
    pub(super) fn text(&self, micros: u64) -> String {
        let mut text = String::new();
        for row in self.rows.iter().take_while(|row| row.at <= micros) {
            let kind = if row.acked { 'a' } else { 's' };
            let _ = writeln!(text, "{} {kind} {}", row.at, row.segment);
        }
        text
    }

    /// The lateness of the machine after the start; `None` if the record ends before that.
    pub(super) fn lateness(&self) -> Option<Lateness> {
        let acks = self.rows.iter().filter(|row| row.acked && row.at >= START);
        let times: Vec<u64> = acks.map(|row| row.at).collect();
        let gaps = times.windows(2).map(|pair| pair[1] - pair[0]);
        let mut late: Vec<u64> = gaps.map(|gap| gap.saturating_sub(PACKET)).collect();
        late.sort_unstable();
        let (first, last) = (*times.first()?, *times.last()?);
        let most = late.len().checked_sub(1)?;
        let micros = [most / 2, most * 99 / 100, most].map(|place| late[place]);
        let lost = (last - first) as f64 / (late.len() as u64 * PACKET) as f64 - 1.0;
        Some(Lateness { micros, lost })
    }
}

/// From a line of tcpdump: the instant in nanoseconds, whether the sender sent it, and the number
/// of its first byte, or of the next byte expected. `None`: neither data nor an acknowledgement.
fn packet(line: &str) -> Option<(u64, bool, u64)> {
    let (at, rest) = line.split_once(" IP ")?;
    let (seconds, nanos) = at.split_once('.')?;
    let at = seconds.parse::<u64>().ok()? * 1_000_000_000 + nanos.parse::<u64>().ok()?;
    if rest.contains("Flags [S") {
        return None;
    }
    let number = |key: &str| {
        let (_, value) = rest.split_once(key)?;
        value.split([':', ',']).next()?.parse::<u64>().ok()
    };
    if rest.starts_with("192.0.2.1.") {
        rest.contains(", seq ").then(|| Some((at, true, number(", seq ")?)))?
    } else {
        Some((at, false, number(", ack ")?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUMP: &str = "\
5.000000100 IP 192.0.2.1.46684 > 192.0.2.6.4321: Flags [S], seq 1534827794, win 64240, length 0
5.000000200 IP 192.0.2.6.4321 > 192.0.2.1.46684: Flags [S.], seq 429668958, ack 1534827795, win 1
5.000000300 IP 192.0.2.1.46684 > 192.0.2.6.4321: Flags [.], ack 1, win 63, length 0
5.000001000 IP 192.0.2.1.46684 > 192.0.2.6.4321: Flags [.], seq 1:1449, ack 1, win 63, length 1448
5.000004000 IP 192.0.2.1.46684 > 192.0.2.6.4321: Flags [P.], seq 1449:2897, ack 1, length 1448
5.000007999 IP 192.0.2.6.4321 > 192.0.2.1.46684: Flags [.], ack 1449, win 67, length 0
";

    /// Claim: the handshake is left out, and times count from the first segment.
    #[test]
    fn a_dump_becomes_a_record() {
        let record = Record::from_dump(DUMP).expect("a record");
        assert_eq!(record.text(u64::MAX), "0 s 0\n3 s 1\n6 a 1\n");
        assert_eq!(record.text(5), "0 s 0\n3 s 1\n");
        assert_eq!(Record::from_dump(&DUMP.replace("1449:2897", "1450:2897")), None);
        assert_eq!(Record::from_dump("tcpdump: no such device"), None);
    }

    /// Claim, Eq. (1) and (2): three gaps of P, P + 20 us and P - 20 us are late by 0, 20 and 0 us
    /// and lose nothing; one of 4 P loses 3 of 6 packet times.
    #[test]
    fn lateness_is_counted_in_gaps() {
        let record = |gaps: &[u64]| {
            let mut rows = vec![Row { at: START, acked: true, segment: 0 }];
            for gap in gaps {
                let at = rows[rows.len() - 1].at + gap;
                rows.push(Row { at, acked: true, segment: 0 });
            }
            Record { rows }.lateness()
        };
        let even = record(&[PACKET, PACKET + 20, PACKET - 20]);
        assert_eq!(even, Some(Lateness { micros: [0, 0, 20], lost: 0.0 }));
        let still = record(&[PACKET, 4 * PACKET, PACKET]).expect("acknowledgements");
        assert_eq!((still.micros[2], still.lost), (3 * PACKET, 1.0));
        assert_eq!(record(&[]), None);
    }
}
