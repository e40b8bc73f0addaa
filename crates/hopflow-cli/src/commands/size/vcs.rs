//! `hopflow size`: the buffer of each VC under credit.

use hopflow::control::credit::PacketUnits;
use hopflow::size::{CellTimes, HopSize, Link, Size, Trial, schemes, size_of_packets};
use hopflow_scenario::CreditLoop;
use hopflow_units::shape::Shaped;
use hopflow_units::{Bytes, Cells, Rate, Wire};
use serde::Serialize;

use super::fold;
use super::keyed::Keyed;
use crate::args::SizeArgs;
use crate::fail::Fail;
use crate::output::{Table, maybe};

/// One line of the answer.
pub(super) struct Line {
    vc: String,
    link: String,
    pub(super) size: Size,
    given: Option<Cells>,
}

impl Line {
    pub(super) fn of_hop(hop: HopSize) -> Line {
        Line { vc: hop.vc, link: hop.link, size: hop.needed, given: hop.given }
    }
}

impl Line {
    /// Of a link, without a scenario.
    pub(super) const fn of_size(size: Size) -> Line {
        Line { vc: String::new(), link: String::new(), size, given: None }
    }
}

/// Every scheme on the link of the arguments.
pub(super) fn of_link(args: &SizeArgs) -> Result<Vec<Line>, Fail> {
    let (Some(delay), Some(rate)) = (args.delay, args.rate) else {
        unreachable!("looked at before")
    };
    if let Some(packet) = args.lanes.packet {
        return of_packets(
            args,
            packet,
            Link { delay, rate, processing: args.processing(), cell_times: CellTimes::Counted },
        );
    }
    if args.lanes.overhead.is_some() {
        return Err(Fail::Input(
            "--overhead is of packets: add --packet SIZE, or --lanes".to_owned(),
        ));
    }
    let cell_times = CellTimes::Left;
    let link = Link { delay, rate, processing: args.processing(), cell_times };
    let target = args.target.unwrap_or(rate);
    let line = |scheme| {
        let size = hopflow::size::size(scheme, &link, target, Cells(args.n2));
        Ok(Line::of_size(size.map_err(Fail::input)?))
    };
    schemes().into_iter().map(line).collect()
}

/// Every scheme for a flow of packets of one size on the link of the arguments.
fn of_packets(args: &SizeArgs, packet: Bytes, link: Link) -> Result<Vec<Line>, Fail> {
    let unit = args.lanes.unit.unwrap_or(PacketUnits::USUAL);
    for (option, size) in [("--packet", packet), ("--unit", unit)] {
        if !(1..=1 << 20).contains(&size.0) {
            let message = format!("{option} is {} B, but it is from 1 B to 1 MiB", size.0);
            return Err(Fail::Input(message));
        }
    }
    let round_trip = link.round_trip().map_err(Fail::input)?;
    let law =
        CreditLoop { wire: wire(args, link.rate), round_trip, unit, least: packet, most: packet };
    let target = args.target.unwrap_or(link.rate);
    let line = |scheme| {
        let size = size_of_packets(scheme, &law, target, Cells(args.n2));
        Ok(Line::of_size(size.map_err(Fail::input)?))
    };
    schemes().into_iter().map(line).collect()
}

/// The trial of N23, the first scheme of the list.
pub(super) fn trial(args: &SizeArgs, lines: &[Line]) -> Option<Trial> {
    let packet = args.lanes.packet.unwrap_or(Bytes::CELL);
    Some(Trial::of_credit(wire(args, args.rate?), packet, &lines.first()?.size))
}

fn wire(args: &SizeArgs, rate: Rate) -> Wire {
    Wire { rate, overhead: args.lanes.overhead.unwrap_or(Bytes(0)) }
}

/// Which number is the credits, and why a scenario's differs.
pub(super) fn notes(args: &SizeArgs, lines: &[Line]) -> Vec<String> {
    let Some(first) = lines.first() else { return Vec::new() };
    let lanes = "For packets that share one credit (InfiniBand): add --lanes.".to_owned();
    if args.lanes.packet.is_some() {
        let credits = format!(
            "The credits of a flow are all units of its buffer: {} for {}. A switch holds its \
             packets for a packet time; a host frees them as they arrive, and needs a packet less.",
            first.size.buffer.0,
            first.size.scheme_name()
        );
        return vec![credits, lanes];
    }
    let credits = format!(
        "The credits of a VC are all cells of its buffer: {} for {}.",
        first.size.buffer.0,
        first.size.scheme_name()
    );
    let cell = args.rate.and_then(|rate| rate.transmit_time(Bytes::CELL));
    let times = cell.map(|cell| {
        format!(
            "R leaves out the cell and its credit on the wire, 2 x {cell}, as [KMCL94] does. `size \
             FILE` counts them, because a simulated loop has them: N3 is then up to 3 cells larger."
        )
    });
    let packets = "For packets: add --packet SIZE.".to_owned();
    [Some(credits), times, Some(packets), Some(lanes)].into_iter().flatten().collect()
}

pub(super) fn table(args: &SizeArgs, lines: &[Line]) -> Table {
    let of_scenario = args.file.is_some();
    let names: &[&str] = if of_scenario { &["VC", "link"] } else { &[] };
    let amounts = ["scheme", "#N1", "#N2", "#N3"];
    let in_units = has_units(lines);
    let sums: &[&str] =
        if in_units { &["#units", "#unit", "#bytes"] } else { &["#cells", "#bytes"] };
    let mut table = Table::new(&[names, &amounts, sums].concat());
    if of_scenario {
        table.column("#given");
    }
    if args.memory.is_some() {
        table.column("#VCs that fit");
    }
    let rows = lines.iter().map(|line| fold::Row {
        vc: line.vc.clone(),
        link: line.link.clone(),
        rest: cells_of(args, line, in_units),
    });
    for row in fold::folded(rows) {
        let names = if of_scenario { vec![row.vc, row.link] } else { Vec::new() };
        table.row([names, row.rest].concat());
    }
    table
}

/// Whether some credit counts units of another size than a cell's.
fn has_units(lines: &[Line]) -> bool {
    lines.iter().any(|line| line.size.unit != Bytes::CELL)
}

fn cells_of(args: &SizeArgs, line: &Line, in_units: bool) -> Vec<String> {
    let size = &line.size;
    let mut row = vec![size.scheme_name()];
    let amounts = [size.n1, size.n2, size.n3, size.buffer];
    row.extend(amounts.map(|cells| cells.0.to_string()));
    row.extend(in_units.then(|| format!("{} B", size.unit.0)));
    row.push(size.bytes().0.to_string());
    if args.file.is_some() {
        row.push(maybe(line.given.map(|cells| cells.0)));
    }
    row.extend(args.memory.map(|memory| size.fits(memory).to_string()));
    row
}

/// The buffer of one VC on one link.
#[derive(Debug, Serialize, Shaped)]
pub(crate) struct SizeRow<'a> {
    /// The VC; of a link without a scenario the scheme.
    vc: &'a str,
    /// The link direction; empty without a scenario.
    link: &'a str,
    /// The scheme.
    scheme: String,
    /// What the numbers below count: 53 B for cells, else the unit of credit.
    unit_bytes: u64,
    /// N1.
    n1_cells: u32,
    /// N2.
    n2_cells: u32,
    /// N3.
    n3_cells: u32,
    /// The buffer for zero loss.
    buffer_cells: u32,
    /// The same in bytes.
    buffer_bytes: u64,
    /// The buffer that the scenario gives; `null` without one.
    given_cells: Option<u32>,
    /// How many of these fit in the memory of `--memory`; `null` without it.
    fit_vcs: Option<u64>,
    /// R of the link.
    round_trip_ps: u64,
    /// The formulas, and below each the numbers put in.
    formula: &'a str,
}

pub(super) fn keyed(memory: Option<Bytes>, lines: &[Line]) -> Keyed {
    Keyed::of(lines.iter().map(|line| SizeRow {
        vc: &line.vc,
        link: &line.link,
        scheme: line.size.scheme_name(),
        unit_bytes: line.size.unit.0,
        n1_cells: line.size.n1.0,
        n2_cells: line.size.n2.0,
        n3_cells: line.size.n3.0,
        buffer_cells: line.size.buffer.0,
        buffer_bytes: line.size.bytes().0,
        given_cells: line.given.map(|cells| cells.0),
        fit_vcs: memory.map(|memory| line.size.fits(memory)),
        round_trip_ps: line.size.round_trip.0,
        formula: &line.size.formula,
    }))
}
