//! `hopflow size --sonic`: an audit of a table of headrooms.

use hopflow::CONTRACT_VERSION;
use hopflow::size::{BufferCells, SonicFinding, SonicTerms, SonicVerdict, audit_sonic, read_sonic};
use hopflow_scenario::regular;
use hopflow_units::shape::Shaped;
use hopflow_units::{Bytes, Picos};
use serde::Serialize;

use super::keyed::{Keyed, Rows};
use crate::Outcome;
use crate::args::{Format, SizeArgs};
use crate::fail::Fail;
use crate::output::{self, Columns, Table, cell};

/// The smallest packet of Ethernet, without preamble and gap.
const SMALLEST: Bytes = Bytes(64);

/// How the switch of the arguments keeps packets; `None` without a cell.
pub(super) fn buffer_of(args: &SizeArgs) -> Option<BufferCells> {
    Some(BufferCells {
        cell: args.pfc.cell?,
        smallest: args.pfc.smallest.unwrap_or(SMALLEST),
        share_percent: args.pfc.small_share.unwrap_or(100),
        pipeline: args.pfc.pipeline.unwrap_or(Picos::ZERO),
    })
}

/// Audits the table of the arguments: a short row is a failed property.
pub(super) fn audit(args: &SizeArgs) -> Outcome {
    let (Some(file), Some(frame), Some(buffer)) =
        (&args.pfc.sonic, args.pfc.frame, buffer_of(args))
    else {
        unreachable!("required by the arguments")
    };
    let name = file.display();
    let text = regular::read_text(file)
        .map_err(|cause| Fail::Input(format!("`{name}` cannot be read: {cause}")))?;
    let in_file = |wrong: String| Fail::Input(format!("{name}: {wrong}"));
    let rows = read_sonic(&text).map_err(in_file)?;
    let (response, interface) = (args.pfc.response, args.processing());
    let terms = SonicTerms { frame, buffer, response, interface };
    let findings = audit_sonic(&rows, &terms).map_err(in_file)?;
    let count = |verdict| findings.iter().filter(|one| one.verdict == verdict).count();
    let [good, short, odd] =
        [SonicVerdict::Good, SonicVerdict::Short, SonicVerdict::Odd].map(count);
    if args.format == Format::Csv {
        output::print_csv(&keyed(&findings).table())?;
    } else {
        let document = SonicDocument {
            version: CONTRACT_VERSION,
            good_rows: good,
            short_rows: short,
            odd_rows: odd,
            rows: keyed(&findings).document(),
        };
        output::print(args.format, &[("", table(&findings))], &document)?;
    }
    if args.format == Format::Table {
        output::write(&format!("\n{}\n", summary(good, short, odd)))?;
    }
    if short > 0 { Err(Fail::Property) } else { Ok(()) }
}

fn summary(good: usize, short: usize, odd: usize) -> String {
    let rest = format!("{good} good, {odd} odd, {short} short.");
    match short {
        0 => format!("No row is short: {rest}"),
        1 => format!("1 row is short, packets may be dropped there: {rest}"),
        _ => format!("{short} rows are short, packets may be dropped there: {rest}"),
    }
}

fn table(findings: &[SonicFinding]) -> Table {
    let columns: Columns<SonicFinding> = &[
        ("#line", |one| cell(one.row.line)),
        ("#Mb/s", |one| cell(one.row.speed_mbps)),
        ("cable", |one| format!("{} m", one.row.metres)),
        ("#xoff bytes", |one| cell(one.row.given.0)),
        ("#needed bytes", |one| cell(one.needed.0)),
        ("verdict", |one| one.verdict.name().to_owned()),
        ("reason", |one| one.reason.clone()),
    ];
    Table::of(columns, findings)
}

/// A row of a table of buffer profiles, beside the law.
#[derive(Debug, Serialize, Shaped)]
pub(crate) struct SonicRowFound<'a> {
    /// The line of the file, from 1.
    line: usize,
    /// The speed of the port.
    speed_mbps: u64,
    /// The length of the cable.
    cable_metres: u64,
    /// The headroom of the file.
    given_bytes: u64,
    /// The headroom by the law.
    needed_bytes: u64,
    /// `good`, `short` or `odd`.
    verdict: &'static str,
    /// Why.
    reason: &'a str,
}

/// What `size --sonic --format json` prints.
#[derive(Debug, Serialize, Shaped)]
pub(crate) struct SonicDocument {
    /// The version of this contract.
    version: u32,
    /// Rows with enough headroom.
    good_rows: usize,
    /// Rows with too little.
    short_rows: usize,
    /// Rows that could not be judged.
    odd_rows: usize,
    /// Every row.
    rows: Rows<SonicRowFound<'static>>,
}

fn keyed(findings: &[SonicFinding]) -> Keyed {
    Keyed::of(findings.iter().map(|one| SonicRowFound {
        line: one.row.line,
        speed_mbps: one.row.speed_mbps,
        cable_metres: one.row.metres,
        given_bytes: one.row.given.0,
        needed_bytes: one.needed.0,
        verdict: one.verdict.name(),
        reason: &one.reason,
    }))
}
