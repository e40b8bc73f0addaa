//! Control `abr` of a flow: its parameters, those that follow from its path filled in.

use hopflow_control::rate::{AbrMistake, AbrSpec};
use hopflow_network::SourceSpec;
use hopflow_units::{Bytes, CellRate, Picos};

use crate::Code;
use crate::described::{OnLink, Reads};
use crate::diagnostic::Sink;
use crate::keys::abr::{Abr, ICR, MCR, PCR};
use crate::keys::source::SOURCE_KEY;
use crate::section::Section;
use crate::way::Way;

/// Reads a table of kind `abr`, of a flow along `way`. `None`: a value is wrong.
pub(super) fn read(table: &Section<'_>, way: &Way<'_>, sink: &mut Sink) -> Option<AbrSpec> {
    if !way.is_one_path() {
        let message = "rate control needs one receiver, but this flow is multicast";
        sink.error(Code::UNICAST_ONLY, &table.span, message)
            .hint("use a credit scheme, or one flow per receiver");
        return None;
    }
    let first = way.first()?;
    let link = OnLink { rate: first.rate, cell: first.cell, unit: Bytes::CELL };
    let (spec, tbe, frtt) = Abr.read(table, &link, sink)?;
    let mistakes = spec.mistakes();
    for mistake in &mistakes {
        report_mistake(mistake, table, sink);
    }
    if !mistakes.is_empty() {
        return None;
    }
    no_faster_than(CellRate::from_rate(link.rate), &spec, table, sink)?;
    let both_latencies = || {
        let loops = way.terms.iter().map(|terms| terms.true_loop.0);
        Picos(loops.fold(0, u64::saturating_add))
    };
    let frtt = frtt.unwrap_or_else(both_latencies);
    Some(AbrSpec { icr: spec.initial_rate(spec.icr, tbe, frtt), ..spec })
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
    let span = PCR.place(table);
    let message = format!("PCR is {}, but the first link carries {link}", spec.pcr);
    let hint = "leave `pcr` out, and it is the rate of the first link";
    sink.error(Code::RATE_ORDER, &span, message).hint(hint);
    None
}

/// An error at the key that is out of its range.
fn report_mistake(mistake: &AbrMistake, table: &Section<'_>, sink: &mut Sink) {
    let (key, code) = match mistake {
        AbrMistake::NoPeak => (PCR.key.name, Code::RATE_ORDER),
        AbrMistake::Order { mcr, pcr, .. } if mcr > pcr => (MCR.key.name, Code::RATE_ORDER),
        AbrMistake::Order { .. } => (ICR.key.name, Code::RATE_ORDER),
        AbrMistake::Range { name, .. } | AbrMistake::Factor { name, .. } => {
            (*name, Code::ABR_RANGE)
        }
    };
    let key = key.to_lowercase();
    let span = table.place_of(&key);
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

/// A source that follows the allowed rate is under rate control.
pub(super) fn has_a_rate_to_follow(
    section: &Section<'_>,
    source: &SourceSpec,
    rate: Option<&AbrSpec>,
    sink: &mut Sink,
) -> Option<()> {
    if !source.facts().follows_rate || rate.is_some() {
        return Some(());
    }
    let kind = source.facts().name;
    let message = format!(
        "a `{kind}` source follows the rate of control `abr`, but this flow is not under it"
    );
    let hint = "add `control = { kind = \"abr\" }`, or choose another source, such as `constant`";
    sink.error(Code::NO_ALGORITHM, &section.get(&SOURCE_KEY)?.span, message).hint(hint);
    None
}
