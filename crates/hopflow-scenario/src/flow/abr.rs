//! Control `abr` of a flow: its parameters, those that follow from its path filled in.

use hopflow_control::rate::{AbrMistake, AbrSpec, TBE_MAX};
use hopflow_network::DirectionId;
use hopflow_units::{CellRate, Picos};

use crate::Code;
use crate::diagnostic::Sink;
use crate::hops::Hops;
use crate::keys::MOST_TBE;
use crate::link::Links;
use crate::section::Section;

/// Reads a table of kind `abr`, of a flow along `route`. `None`: a value is wrong.
pub(super) fn read(
    table: &Section<'_>,
    route: &Hops,
    links: &Links,
    sink: &mut Sink,
) -> Option<AbrSpec> {
    if route.iter().enumerate().any(|(index, (_, parent))| *parent != index.checked_sub(1)) {
        let message = "rate control needs one receiver, but this flow is multicast";
        sink.error(Code::UNICAST_ONLY, &table.span, message)
            .hint("use a credit scheme, or one flow per receiver");
        return None;
    }
    let first = route.first()?.0;
    let link = links.spec(first).rate;
    let rate = |key, default: CellRate, sink: &mut Sink| {
        table.or(key, default, |item| item.cell_rate(Some(link), sink))
    };
    let default = AbrSpec::new(rate("pcr", CellRate::from_rate(link), sink)?);
    let signalled = rate("icr", default.pcr, sink)?;
    let spec = AbrSpec {
        mcr: rate("mcr", default.mcr, sink)?,
        icr: signalled,
        tcr: rate("tcr", default.tcr, sink)?,
        ..default
    };
    let spec = counts_and_times(table, &spec, sink)?;
    let spec = factors(table, &spec, sink)?;
    let (tbe, frtt) = (tbe(table, sink)?, frtt(table, first, route, links, sink)?);
    let crm = table
        .or("crm", AbrSpec::missing_limit(tbe, spec.nrm), |item| item.count(0, 1 << 23, sink))?;
    let spec = AbrSpec { crm, ..spec };
    let mistakes = spec.mistakes();
    for mistake in &mistakes {
        told(mistake, table, sink);
    }
    if !mistakes.is_empty() {
        return None;
    }
    no_faster_than(CellRate::from_rate(link), &spec, table, sink)?;
    Some(AbrSpec { icr: spec.initial_rate(signalled, tbe, frtt), ..spec })
}

/// A source cannot send faster than its link, and turns that it never takes would only cost time.
fn no_faster_than(
    link: CellRate,
    spec: &AbrSpec,
    table: &Section<'_>,
    sink: &mut Sink,
) -> Option<()> {
    if spec.pcr <= link {
        return Some(());
    }
    let span = table.place("pcr");
    let message = format!("PCR is {}, but the first link carries {link}", spec.pcr);
    let hint = "leave `pcr` out, and it is the rate of the first link";
    sink.error(Code::RATE_ORDER, &span, message).hint(hint);
    None
}

fn counts_and_times(table: &Section<'_>, spec: &AbrSpec, sink: &mut Sink) -> Option<AbrSpec> {
    let count = |key, default: u32, sink: &mut Sink| {
        table.or(key, default, |item| item.count(1, 256, sink).map(|count| count as u32))
    };
    let time = |key, default: Picos, sink: &mut Sink| {
        table.or(key, default, |item| item.time(false, sink))
    };
    Some(AbrSpec {
        nrm: count("nrm", spec.nrm, sink)?,
        mrm: count("mrm", spec.mrm, sink)?,
        trm: time("trm", spec.trm, sink)?,
        adtf: time("adtf", spec.adtf, sink)?,
        sixteen_bit: table.flag("sixteen-bit", sink),
        ..*spec
    })
}

fn factors(table: &Section<'_>, spec: &AbrSpec, sink: &mut Sink) -> Option<AbrSpec> {
    let factor =
        |key, default: f64, sink: &mut Sink| table.or(key, default, |item| item.fraction(sink));
    Some(AbrSpec {
        rif: factor("rif", spec.rif, sink)?,
        rdf: factor("rdf", spec.rdf, sink)?,
        cdf: factor("cdf", spec.cdf, sink)?,
        ..*spec
    })
}

fn tbe(table: &Section<'_>, sink: &mut Sink) -> Option<u32> {
    let Some(item) = table.get("tbe") else { return Some(TBE_MAX) };
    let cells = item.size(sink)?.0;
    if u64::from(cells) > MOST_TBE {
        item.out_of_range(sink, &format!("{cells} cells"), &format!("at most {MOST_TBE} cells"));
        return None;
    }
    Some(cells)
}

/// What is told, or both latencies of every link of the path.
fn frtt(
    table: &Section<'_>,
    first: DirectionId,
    route: &Hops,
    links: &Links,
    sink: &mut Sink,
) -> Option<Picos> {
    if let Some(item) = table.get("frtt") {
        return item.span(links.cell_time(first), false, sink);
    }
    let loops = route.iter().map(|(id, _)| links.true_loop(id.link()).0);
    Some(Picos(loops.fold(0, u64::saturating_add)))
}

/// An error at the key that is out of its range.
fn told(mistake: &AbrMistake, table: &Section<'_>, sink: &mut Sink) {
    let (key, code) = match mistake {
        AbrMistake::NoPeak => ("pcr", Code::RATE_ORDER),
        AbrMistake::Order { mcr, pcr, .. } if mcr > pcr => ("mcr", Code::RATE_ORDER),
        AbrMistake::Order { .. } => ("icr", Code::RATE_ORDER),
        AbrMistake::Range { name, .. } | AbrMistake::Factor { name, .. } => {
            (key_of(name), Code::ABR_RANGE)
        }
    };
    let span = table.place(key);
    let hint = match mistake {
        AbrMistake::NoPeak => "give `pcr` a rate above zero, or leave it out".to_owned(),
        AbrMistake::Order { .. } => "raise `pcr`, or lower `mcr` or `icr`; left out, `pcr` is the \
                                     rate of the first link, `icr` is PCR and `mcr` is 0"
            .to_owned(),
        AbrMistake::Factor { value, .. } if *value > 0.0 && *value < 1.0 => {
            let halves = (1..=15).map(|k| 1_u32 << k);
            let near = |n: &u32| (value * f64::from(*n)).max(1.0 / (value * f64::from(*n)));
            let nearest = halves.min_by(|a, b| near(a).total_cmp(&near(b))).unwrap_or(2);
            format!("the nearest power of two is `{key} = \"1/{nearest}\"`")
        }
        _ => format!("leave `{key}` out for its default"),
    };
    sink.error(code, &span, mistake.to_string()).hint(hint);
}

/// The key of a parameter.
fn key_of(name: &str) -> &'static str {
    const KEYS: [&str; 8] = ["nrm", "mrm", "trm", "crm", "adtf", "rif", "rdf", "cdf"];
    let lower = name.to_lowercase();
    KEYS.into_iter().find(|key| *key == lower).unwrap_or("kind")
}
