//! `hopflow size`: the buffer that each VC needs.

use hopflow::size::{CellTimes, HopSize, Link, Scheme, Size, size_hops};
use hopflow_units::Cells;
use serde_json::{Value, json};

use crate::args::{Format, SizeArgs};
use crate::fail::Fail;
use crate::output::Table;
use crate::{Outcome, diagnose, output};

/// One line of the answer.
struct Line {
    vc: String,
    link: String,
    size: Size,
    given: Option<Cells>,
}

pub(crate) fn size(args: &SizeArgs) -> Outcome {
    let lines = match &args.file {
        Some(file) => {
            let scenario = diagnose::load(file)?;
            let hops = size_hops(&scenario.network, args.target).map_err(Fail::input)?;
            let line = |hop: HopSize| Line {
                vc: hop.vc,
                link: hop.link,
                size: hop.needed,
                given: hop.given,
            };
            hops.into_iter().map(line).collect()
        }
        None => one_link(args)?,
    };
    let columns = ["VC", "link", "scheme", "#N1", "#N2", "#N3", "#cells", "#bytes", "#given"];
    let mut table = Table::new(&columns);
    if args.memory.is_some() {
        table.head.push("VCs that fit".to_owned());
        table.numeric.push(true);
    }
    for line in &lines {
        let size = &line.size;
        let mut row = vec![line.vc.clone(), line.link.clone(), size.scheme.name().to_owned()];
        let amounts = [size.n1, size.n2, size.n3, size.buffer];
        row.extend(amounts.map(|cells| cells.0.to_string()));
        row.push(size.bytes().0.to_string());
        row.push(line.given.map_or_else(String::new, |cells| cells.0.to_string()));
        row.extend(args.memory.map(|memory| size.fits(memory).to_string()));
        table.row(row);
    }
    output::print(args.format, &[("", table)], || document(args, &lines))?;
    if args.format == Format::Table {
        formulas(&lines)?;
    }
    Ok(())
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
fn formulas(lines: &[Line]) -> Outcome {
    let mut seen: Vec<&str> = Vec::new();
    for line in lines {
        if !seen.contains(&line.size.formula.as_str()) {
            seen.push(&line.size.formula);
        }
    }
    output::write(&format!("\n{}\n", seen.join("\n\n")))
}

fn document(args: &SizeArgs, lines: &[Line]) -> Value {
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
    json!({ "version": 1, "sizes": sizes.collect::<Vec<_>>() })
}
