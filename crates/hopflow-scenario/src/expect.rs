//! The `[expect]` table: an exercise, and what a right answer to it is.
//!
//! It is no part of what is simulated: run, digest and resolved scenario are the same without it.

use std::ops::Range;

use crate::Code;
use crate::described::Reads;
use crate::diagnostic::Sink;
use crate::keys::Key;
use crate::keys::expect::{DIGEST, EXPECT_KEY, LABEL, LEAST, MOST, PATH, TASK, VALUES};
use crate::naming::short;
use crate::section::Section;

/// Digits of a digest.
const DIGITS: usize = 16;

/// What a right answer is: its run has one of the digests, where some are named, and every number
/// is in its range. At least one of both is there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expect {
    /// What is asked.
    pub task: Option<String>,
    /// 16 hexadecimal digits each, in small letters. Empty: any digest is right.
    pub digests: Vec<String>,
    /// Numbers of the run. Empty: the digest alone tells.
    pub values: Vec<ExpectedValue>,
}

/// A number of the run and its range, which has at least one end.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectedValue {
    /// Where it is in the document of the run, such as `vcs/VC1/throughput_bps`.
    pub path: String,
    /// The least that is right, in the unit of the path.
    pub least: Option<f64>,
    /// The most that is right, in the unit of the path.
    pub most: Option<f64>,
    /// What it tells, in a few words.
    pub label: Option<String>,
}

/// Reads the table, if there is one.
pub(crate) fn read(root: &Section<'_>, sink: &mut Sink) -> Option<Expect> {
    let section = root.table(&EXPECT_KEY)?;
    let task = TASK.read(&section, &(), sink).flatten();
    let values = section.tables(&VALUES, sink);
    let values: Vec<_> = values.iter().filter_map(|one| value(one, sink)).collect();
    let named = digests(&section, sink);
    if !says(&section, &DIGEST) && !says(&section, &VALUES) {
        let message = "`[expect]` names neither a `digest` nor `[[expect.values]]`";
        sink.error(Code::EXPECTS_NOTHING, &section.span, message)
            .hint("add the `digest` that `hopflow run` prints for a right answer, or values");
    }
    let digests = named.into_iter().filter_map(|(text, span)| digest(text, &span, sink)).collect();
    Some(Expect { task, digests, values })
}

/// Whether there is something under `key`, right or wrong.
fn says(section: &Section<'_>, key: &Key) -> bool {
    let empty = |list: &toml::de::DeArray<'_>| list.is_empty();
    section.own(key).is_some_and(|item| !item.value.as_array().is_some_and(empty))
}

/// The digests as written, one or a list of them.
fn digests<'a>(section: &Section<'a>, sink: &mut Sink) -> Vec<(&'a str, Range<usize>)> {
    match section.get(&DIGEST) {
        None => Vec::new(),
        Some(item) if item.value.is_array() => item.names(sink).unwrap_or_default(),
        Some(item) => item.text(sink).map(|text| (text, item.span)).into_iter().collect(),
    }
}

fn digest(text: &str, span: &Range<usize>, sink: &mut Sink) -> Option<String> {
    if text.len() == DIGITS && text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Some(text.to_ascii_lowercase());
    }
    let message =
        format!("`{}` is not a digest, which has {DIGITS} hexadecimal digits", short(text));
    sink.error(Code::BAD_DIGEST, span, message)
        .hint("copy the whole digest that `hopflow run` prints for a right answer");
    None
}

fn value(section: &Section<'_>, sink: &mut Sink) -> Option<ExpectedValue> {
    let path = PATH.read(section, &(), sink);
    let label = LABEL.read(section, &(), sink).flatten();
    let ends = [LEAST, MOST].map(|key| key.item(section));
    let [least, most] = [LEAST, MOST].map(|key| key.read(section, &(), sink).flatten());
    match &ends {
        [None, None] => {
            let message = "this number has neither a `least` nor a `most`: every run is right";
            sink.error(Code::EXPECTS_NOTHING, &section.span, message)
                .hint("add `least`, `most`, or both; both may be the same number");
        }
        [Some(low), Some(high)] if least.zip(most).is_some_and(|(least, most)| least > most) => {
            let message = format!(
                "`least` is {}, above `most`, which is {}: no run is right",
                low.written(),
                high.written()
            );
            sink.error(Code::BOUNDS, &low.span, message)
                .label(high.span.clone(), "the most")
                .hint("exchange them, or correct one of them");
        }
        _ => {}
    }
    Some(ExpectedValue { path: path?, least, most, label })
}
