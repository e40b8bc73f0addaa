//! Sources: where the cells of a flow come from.

use std::collections::BTreeMap;
use std::rc::Rc;

use hopflow_network::traffic::{Arrivals, Faster, NotFaster, shortened};
use hopflow_network::transport::rpc::RecordedCall;
use hopflow_network::{LengthLaw, SizeLaw, SourceSpec, SpanLaw};
use hopflow_units::{Picos, Rate};

use crate::Code;
use crate::decimal::{Decimal, Rounding};
use crate::diagnostic::Sink;
use crate::keys::{BURST, OFF, SOURCE, SOURCE_KINDS};
use crate::machine;
use crate::quantity::Sort;
use crate::section::Section;
use crate::template::short;
use crate::traffic::no_law;
use crate::transport::calls;
use crate::value::{FASTEST_BPS, Item, LONGEST, cell_time};

const LAWS: &[&str] = &["fixed", "geometric", "exponential"];

/// The most bytes of a trace that is replayed.
pub(crate) const MOST_CSV_BYTES: usize = 256 << 20;
/// The most cells and calls replayed by all flows together.
const MOST_CELLS: usize = 20_000_000;

/// Reads a file named in the scenario, or says why not.
pub(crate) type ReadFile<'f> = &'f dyn Fn(&str) -> Result<Vec<u8>, String>;

/// Files read so far, and cells and calls taken from them.
pub(crate) struct Traces<'f> {
    read: ReadFile<'f>,
    texts: BTreeMap<String, Rc<Result<String, String>>>,
    cells: usize,
}

impl std::fmt::Debug for Traces<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Traces").field("cells", &self.cells).finish_non_exhaustive()
    }
}

impl<'f> Traces<'f> {
    pub(crate) fn new(read: ReadFile<'f>) -> Traces<'f> {
        Traces { read, texts: BTreeMap::new(), cells: 0 }
    }

    fn text(&mut self, path: &str) -> Rc<Result<String, String>> {
        if let Some(text) = self.texts.get(path) {
            return Rc::clone(text);
        }
        let text = (self.read)(path).and_then(|bytes| {
            if bytes.len() > MOST_CSV_BYTES {
                return Err(format!("it is larger than {} MiB", MOST_CSV_BYTES >> 20));
            }
            String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())
        });
        let text = Rc::new(text);
        self.texts.insert(path.to_owned(), Rc::clone(&text));
        text
    }

    /// The times of a trace.
    fn times(&mut self, file: &Item<'_>, cell: Picos, sink: &mut Sink) -> Option<Vec<Picos>> {
        let parse = |text: &str, most| parse_times(text, cell, most);
        let times = self.parsed(file, parse, sink)?;
        self.cells += times.len();
        Some(times)
    }

    /// The calls of a record.
    pub(crate) fn calls(
        &mut self,
        file: &Item<'_>,
        cell: Picos,
        sink: &mut Sink,
    ) -> Option<Vec<RecordedCall>> {
        let parse = |text: &str, most| calls::parse(text, cell, most);
        let calls = self.parsed(file, parse, sink)?;
        self.cells += calls.len();
        Some(calls)
    }

    /// What `parse` makes of a file of which so many lines can be taken.
    fn parsed<T>(
        &mut self,
        file: &Item<'_>,
        parse: impl FnOnce(&str, usize) -> Result<T, BadLine>,
        sink: &mut Sink,
    ) -> Option<T> {
        let path = file.text(sink)?;
        let text = self.text(path);
        let text = match text.as_ref() {
            Ok(text) => text,
            Err(reason) => {
                let message = format!("`{path}` cannot be read: {reason}");
                sink.error(Code::UNREADABLE, &file.span, message)
                    .hint("the path is looked up beside the scenario file");
                return None;
            }
        };
        let parsed = parse(text, MOST_CELLS.saturating_sub(self.cells));
        if let Err((line, reason)) = &parsed {
            let message = format!("{path}:{line}: {reason}");
            sink.error(Code::BROKEN_CSV, &file.span, message);
        }
        parsed.ok()
    }
}

/// The number of a line, from 1, and what is wrong there.
pub(crate) type BadLine = (usize, String);

/// A line with its number, from 1.
type Line<'t> = (usize, &'t str);

/// The heading of a CSV, and the lines after it that are neither empty nor notes.
pub(crate) fn lines(text: &str) -> Result<(Line<'_>, impl Iterator<Item = Line<'_>>), BadLine> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let heading = lines.next().ok_or((1, "the file is empty".to_owned()))?;
    Ok((heading, lines))
}

/// How many ps a time under this heading is told in.
pub(crate) fn scale(heading: &str, cell: Picos) -> Option<u64> {
    Some(match heading {
        "time_ps" => 1,
        "time_ns" => 1_000,
        "time_us" => 1_000_000,
        "time_ms" => 1_000_000_000,
        "time_s" => Picos::PER_SECOND,
        "time_cells" => cell.0,
        _ => return None,
    })
}

/// A time in units of `scale` ps.
pub(crate) fn time(value: &str, scale: u64) -> Result<Picos, String> {
    let decimal = Decimal::parse(value).ok_or_else(|| format!("`{}` is no time", short(value)))?;
    let time = decimal.scaled(scale, Rounding::Up).map(Picos).filter(|time| *time <= LONGEST);
    time.ok_or_else(|| format!("{} is below 0 or above 100 days", short(value)))
}

/// Reads a CSV of times: a heading with the unit, then one time a line.
fn parse_times(text: &str, cell: Picos, most: usize) -> Result<Vec<Picos>, BadLine> {
    let ((line, heading), lines) = lines(text)?;
    let scale = scale(heading, cell).ok_or_else(|| {
        let units = "time_ps, time_ns, time_us, time_ms, time_s or time_cells";
        (line, format!("the heading is `{}`, but must be {units}", short(heading)))
    })?;
    let mut times: Vec<Picos> = Vec::new();
    for (line, value) in lines {
        let time = time(value, scale).map_err(|reason| (line, reason))?;
        if let Some(&last) = times.last().filter(|last| **last > time) {
            return Err((line, format!("{time} comes after {last}: times never decrease")));
        }
        if times.len() == most {
            return Err((line, format!("more than {MOST_CELLS} cells are replayed in all")));
        }
        times.push(time);
    }
    if times.is_empty() {
        return Err((line, "the file holds no times".to_owned()));
    }
    Ok(times)
}

/// The source of a flow with packets of this size, whose first link runs at `rate`.
pub(crate) fn read(
    flow: &Section<'_>,
    size: &SizeLaw,
    rate: Rate,
    traces: &mut Traces<'_>,
    sink: &mut Sink,
) -> Option<SourceSpec> {
    let source = match flow.table("source", &SOURCE) {
        Some(section) => plain(&section, size, rate, traces, sink)?,
        None => SourceSpec::Greedy,
    };
    fits_record(flow, &source, sink)?;
    let Some(item) = flow.get("misbehaves") else { return Some(source) };
    let times = item.number(1.0, sink)?;
    faster(&source, times, &item, sink)
}

fn plain(
    section: &Section<'_>,
    size: &SizeLaw,
    rate: Rate,
    traces: &mut Traces<'_>,
    sink: &mut Sink,
) -> Option<SourceSpec> {
    let cell = cell_time(rate);
    let pace = |key, sink: &mut Sink| section.need(key, sink)?.pace(size, Some(rate), sink);
    let gap = |sink: &mut Sink| section.need("rate", sink)?.gap(size, rate, sink);
    match section.kind(SOURCE_KINDS, sink)? {
        "greedy" => Some(SourceSpec::Greedy),
        "every-kth" => {
            let item = section.need("k", sink)?;
            let k = item.count(1, u64::MAX, sink)?;
            let packet = rate.transmit_time(size.most());
            let span = packet.and_then(|packet| packet.checked_mul(k));
            if span.is_none_or(|span| span > LONGEST) {
                let range = "so small that packets are 100 days apart at most";
                item.out_of_range(sink, &k.to_string(), range);
                return None;
            }
            Some(SourceSpec::EveryKth { k })
        }
        "constant" => match section.get("phase").and_then(|item| item.text(sink)) {
            Some("random") => Some(SourceSpec::Phased { gap: gap(sink)? }),
            _ => Some(SourceSpec::Constant { rate: pace("rate", sink)? }),
        },
        "alternating" => {
            let [low, high] =
                ["low", "high"].map(|key| or_silence(section.need(key, sink), size, rate, sink));
            let half_period = section.need("half-period", sink)?.span(cell, false, sink);
            let (low, high, half_period) = (low.ok()?, high.ok()?, half_period?);
            if low.is_none() && high.is_none() {
                let item = section.need("high", sink)?;
                item.out_of_range(sink, "0 beside a `low` of 0", "above 0 for one of the two");
                return None;
            }
            Some(SourceSpec::Alternating { low, high, half_period })
        }
        "on-off" => {
            let burst = burst(section, sink);
            let off = off(section, cell, sink);
            let burst_first = section.flag("burst-first", sink);
            Some(SourceSpec::OnOff { burst: burst?, off: off?, burst_first })
        }
        "train" => train(section, gap(sink), sink),
        "poisson" => Some(SourceSpec::Poisson { gap: gap(sink)? }),
        "external" => {
            let item = section.need("machine", sink)?;
            Some(SourceSpec::External { machine: machine::named("source", &item, sink)? })
        }
        _ => {
            let file = section.need("file", sink)?;
            Some(SourceSpec::Replay { times: traces.times(&file, cell, sink)? })
        }
    }
}

/// A rate, or `None` for silence: a rate of 0; an error when it is wrong, which is told.
fn or_silence(
    item: Option<Item<'_>>,
    size: &SizeLaw,
    link: Rate,
    sink: &mut Sink,
) -> Result<Option<Rate>, ()> {
    let item = item.ok_or(())?;
    let quantity = item.quantity(&[Sort::Rate, Sort::Share, Sort::Pace], sink).ok_or(())?;
    if quantity.value.whole() == Some(0) {
        return Ok(None);
    }
    item.pace(size, Some(link), sink).map(Some).ok_or(())
}

/// After how many packets the source of a flow ends; an error when it is wrong, which is told.
pub(crate) fn packets(flow: &Section<'_>, sink: &mut Sink) -> Result<Option<u64>, ()> {
    let source = flow.table("source", &SOURCE);
    match source.and_then(|source| source.get("packets")) {
        Some(item) => item.count(1, u64::MAX, sink).map(Some).ok_or(()),
        None => Ok(None),
    }
}

/// Whether the source of a flow begins at its start to the picosecond.
pub(crate) fn keeps_to_start(flow: &Section<'_>) -> bool {
    let source = flow.table("source", &SOURCE);
    let told = source.is_some_and(|source| source.get("phase").is_some());
    told || flow.flag("exact-phase", &mut Sink::new())
}

/// A record has at least as many packets as are asked for.
fn fits_record(flow: &Section<'_>, source: &SourceSpec, sink: &mut Sink) -> Option<()> {
    let Arrivals::Recorded(times) = source.arrivals() else { return Some(()) };
    let Some(packets) = packets(flow, sink).ok()?.filter(|packets| *packets > times.len() as u64)
    else {
        return Some(());
    };
    let item = flow.table("source", &SOURCE)?.get("packets")?;
    let range = format!("at most {}, the packets of the record", times.len());
    item.out_of_range(sink, &packets.to_string(), &range);
    None
}

/// Packet trains of mean gap g: packets are g / burstiness apart in a train of mean length L, and
/// the pause has mean L g - L g / burstiness, so that the mean rate is 1 / g.
fn train(section: &Section<'_>, gap: Option<Picos>, sink: &mut Sink) -> Option<SourceSpec> {
    let item = section.need("length", sink)?;
    let length = item.number(1.0, sink)?;
    let burstiness = match section.get("burstiness") {
        Some(item) => item.number(1.0, sink)?,
        None => 2.0,
    };
    let gap = gap?;
    let spacing = shortened(gap, burstiness).min(gap);
    let pause = ((gap.0 - spacing.0) as f64 * length).ceil();
    if length > 1e9 || pause > LONGEST.0 as f64 {
        let range = "at most 1e9, with pauses of at most 100 days";
        item.out_of_range(sink, &length.to_string(), range);
        return None;
    }
    Some(SourceSpec::Train { length, spacing, pause: Picos(pause as u64) })
}

/// The source at so many times its rate.
fn faster(source: &SourceSpec, times: f64, item: &Item<'_>, sink: &mut Sink) -> Option<SourceSpec> {
    let fastest = Rate::from_bps(FASTEST_BPS)?;
    match source.faster(Faster { times, fastest }) {
        Ok(faster) => return Some(faster),
        Err(NotFaster::OutOfRange) => {
            item.fitting_rate(None, sink);
        }
        Err(NotFaster::NoLaw) => {
            no_law(item, source.facts().name, ", or set its own rate higher", sink);
        }
    }
    None
}

fn burst(section: &Section<'_>, sink: &mut Sink) -> Option<LengthLaw> {
    let item = section.need("burst", sink)?;
    let Some(law) = section.table("burst", &BURST).filter(|_| item.value.is_table()) else {
        return item.count(1, 1_000_000_000, sink).map(LengthLaw::Fixed);
    };
    let kind = law.kind(LAWS, sink)?;
    let mean = law.need("mean", sink)?;
    if kind == "fixed" {
        return mean.count(1, 1_000_000_000, sink).map(LengthLaw::Fixed);
    }
    let number = mean.number(0.0, sink)?;
    let least = if kind == "geometric" { 1.0 } else { 1e-6 };
    if number < least || number > 1e9 {
        mean.out_of_range(sink, &number.to_string(), &format!("from {least} to 1e9"));
        return None;
    }
    Some(match kind {
        "geometric" => LengthLaw::Geometric(number),
        _ => LengthLaw::Exponential(number),
    })
}

fn off(section: &Section<'_>, cell: Picos, sink: &mut Sink) -> Option<SpanLaw> {
    let item = section.need("off", sink)?;
    let Some(law) = section.table("off", &OFF).filter(|_| item.value.is_table()) else {
        return item.span(cell, false, sink).map(SpanLaw::Fixed);
    };
    let kind = law.kind(LAWS, sink)?;
    let mean = law.need("mean", sink)?;
    // Also holds the mean within the longest span.
    let span = mean.span(cell, false, sink)?;
    match kind {
        "fixed" => Some(SpanLaw::Fixed(span)),
        "exponential" => Some(SpanLaw::Exponential(span)),
        _ => {
            let cells = mean.quantity(&[Sort::Cells], sink)?;
            Some(SpanLaw::GeometricCells(cells.value.as_f64()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(text: &str) -> Result<Vec<u64>, (usize, String)> {
        let times = parse_times(text, Picos(700), 5)?;
        Ok(times.into_iter().map(|time| time.0).collect())
    }

    /// Claim: each heading gives its unit, exactly; comments and empty lines are passed over.
    #[test]
    fn a_trace_is_read_in_its_unit() {
        assert_eq!(times("time_ns\n0\n# note\n\n1.5\r\n1.5\n"), Ok(vec![0, 1_500, 1_500]));
        assert_eq!(times("time_cells\n0.5\n2"), Ok(vec![350, 1_400]));
    }

    /// Claim: every broken trace is refused at its line.
    #[test]
    fn a_broken_trace_is_refused_at_its_line() {
        let line = |text: &str| times(text).unwrap_err().0;
        assert_eq!(line(""), 1);
        assert_eq!(line("time_ps\n"), 1);
        assert_eq!(line("seconds\n1"), 1);
        assert_eq!(line("time_ps\n1\nx\n"), 3);
        assert_eq!(line("time_ps\n5\n4\n"), 3);
        assert_eq!(line("time_ps\n-1\n"), 2);
        assert_eq!(line("time_s\n1e400\n"), 2);
        assert_eq!(line("time_ps\n1\n1\n1\n1\n1\n1\n"), 7, "more cells than are allowed");
    }
}
