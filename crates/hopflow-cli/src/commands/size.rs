//! `hopflow size`: the buffer that each VC needs, and the headroom of each paused priority.

mod headroom;

use hopflow::size::{CellTimes, HopSize, Link, Scheme, Size, size_hops, size_lanes};
use hopflow_units::{Bytes, Cells};
use serde_json::{Value, json};

use crate::args::{Format, SizeArgs};
use crate::fail::Fail;
use crate::output::{Columns, Table, cell, data, maybe};
use crate::{Outcome, diagnose, output};
use headroom::Paused;

/// One line of the answer.
struct Line {
    vc: String,
    link: String,
    size: Size,
    given: Option<Cells>,
}

/// What `--table` may be.
pub(crate) const TABLES: [&str; 2] = ["vcs", "headrooms"];

pub(crate) fn size(args: &SizeArgs) -> Outcome {
    output::table_needs_csv(args.format, args.table.as_deref())?;
    if args.file.is_none() && !args.settings.set.is_empty() {
        return Err(Fail::input("`--set` sets a key of a scenario: name its file, too"));
    }
    let (lines, paused) = match &args.file {
        Some(file) => {
            let scenario = diagnose::load(file, &args.settings)?;
            let hops = size_hops(&scenario.network, args.target).map_err(Fail::input)?;
            let line = |hop: HopSize| Line {
                vc: hop.vc,
                link: hop.link,
                size: hop.needed,
                given: hop.given,
            };
            let lanes = size_lanes(&scenario.network).map_err(Fail::input)?;
            let paused = lanes.into_iter().map(headroom::of_lane).collect();
            (hops.into_iter().map(line).collect(), paused)
        }
        None if args.pfc.pfc => (Vec::new(), vec![headroom::of_link(args)?]),
        None => (one_link(args)?, Vec::new()),
    };
    if args.format == Format::Csv {
        let default = if lines.is_empty() { TABLES[1] } else { TABLES[0] };
        return output::print_csv(&match args.table.as_deref().unwrap_or(default) {
            "headrooms" => headroom::data_table(args.memory, &paused),
            _ => vc_data(args, &lines),
        });
    }
    let mut tables = Vec::new();
    if !lines.is_empty() {
        tables.push(("", vc_table(args, &lines)));
    }
    if !paused.is_empty() {
        let title = if lines.is_empty() { "" } else { "Headroom of PFC" };
        tables.push((title, headroom::table(args.memory, &paused)));
    }
    output::print(args.format, &tables, &document(args, &lines, &paused))?;
    if args.format == Format::Table {
        let sizes = lines.iter().map(|line| line.size.formula.as_str());
        formulas(sizes.chain(paused.iter().map(|one| one.needed.formula.as_str())))?;
    }
    Ok(())
}

fn vc_table(args: &SizeArgs, lines: &[Line]) -> Table {
    let columns = ["VC", "link", "scheme", "#N1", "#N2", "#N3", "#cells", "#bytes", "#given"];
    let mut table = Table::new(&columns);
    if args.memory.is_some() {
        table.column("#VCs that fit");
    }
    for line in lines {
        let size = &line.size;
        let mut row = vec![line.vc.clone(), line.link.clone(), size.scheme.name().to_owned()];
        let amounts = [size.n1, size.n2, size.n3, size.buffer];
        row.extend(amounts.map(|cells| cells.0.to_string()));
        row.push(size.bytes().0.to_string());
        row.push(line.given.map_or_else(String::new, |cells| cells.0.to_string()));
        row.extend(args.memory.map(|memory| size.fits(memory).to_string()));
        table.row(row);
    }
    table
}

/// The VCs as data: the keys of JSON, without the formula.
fn vc_data(args: &SizeArgs, lines: &[Line]) -> Table {
    let columns: Columns<(&Line, Option<Bytes>)> = &[
        ("vc", |(line, _)| line.vc.clone()),
        ("link", |(line, _)| line.link.clone()),
        ("scheme", |(line, _)| line.size.scheme.name().to_owned()),
        ("n1_cells", |(line, _)| cell(line.size.n1.0)),
        ("n2_cells", |(line, _)| cell(line.size.n2.0)),
        ("n3_cells", |(line, _)| cell(line.size.n3.0)),
        ("buffer_cells", |(line, _)| cell(line.size.buffer.0)),
        ("buffer_bytes", |(line, _)| cell(line.size.bytes().0)),
        ("given_cells", |(line, _)| maybe(line.given.map(|cells| cells.0))),
        ("fit_vcs", |(line, memory)| maybe(memory.map(|memory| line.size.fits(memory)))),
        ("round_trip_ps", |(line, _)| cell(line.size.round_trip.0)),
    ];
    let rows: Vec<_> = lines.iter().map(|line| (line, args.memory)).collect();
    data(columns, rows.iter())
}

fn one_link(args: &SizeArgs) -> Result<Vec<Line>, Fail> {
    let (Some(delay), Some(rate)) = (args.delay, args.rate) else {
        unreachable!("required by the arguments")
    };
    let cell_times = CellTimes::Left;
    let link = Link { delay, rate, processing: args.processing, cell_times };
    let target = args.target.unwrap_or(rate);
    Scheme::ALL
        .into_iter()
        .map(|scheme| {
            let size = size_of(scheme, &link, target, args.n2)?;
            Ok(Line { vc: String::new(), link: String::new(), size, given: None })
        })
        .collect()
}

fn size_of(
    scheme: Scheme,
    link: &Link,
    target: hopflow_units::Rate,
    n2: u32,
) -> Result<Size, Fail> {
    hopflow::size::size(scheme, link, target, Cells(n2)).map_err(Fail::input)
}

/// The formulas with the numbers put in, each once.
fn formulas<'a>(all: impl Iterator<Item = &'a str>) -> Outcome {
    let mut seen: Vec<&str> = Vec::new();
    for formula in all {
        if !seen.contains(&formula) {
            seen.push(formula);
        }
    }
    output::write(&format!("\n{}\n", seen.join("\n\n")))
}

fn document(args: &SizeArgs, lines: &[Line], paused: &[Paused]) -> Value {
    let sizes = lines.iter().map(|line| {
        json!({
            "vc": line.vc, "link": line.link, "scheme": line.size.scheme.name(),
            "round_trip_ps": line.size.round_trip.0.to_string(),
            "n1_cells": line.size.n1.0, "n2_cells": line.size.n2.0, "n3_cells": line.size.n3.0,
            "buffer_cells": line.size.buffer.0, "buffer_bytes": line.size.bytes().0,
            "given_cells": line.given.map(|cells| cells.0),
            "fit_vcs": args.memory.map(|memory| line.size.fits(memory)),
            "formula": line.size.formula,
        })
    });
    let sizes: Vec<Value> = sizes.collect();
    json!({ "version": 1, "sizes": sizes, "headrooms": headroom::documents(args.memory, paused) })
}
