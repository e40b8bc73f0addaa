//! The keys of the whole file that are not tables: its title, the times of the run, seeds, routing.

use std::ops::Range;

use hopflow_network::Jitter;
use hopflow_units::Picos;

use super::{Key, MOST_SEED, Ty, key};
use crate::Code;
use crate::described::{Choice, Count, EVERY, Maybe, ReadIn, Text, keys, taken};
use crate::diagnostic::Sink;
use crate::quantity::Sort;
use crate::value::Item;

/// The version of the format.
pub(crate) const FORMAT_VERSION: u64 = 2;

pub(crate) const VERSION: Key = key(
    "version",
    Ty::Version,
    "The version of the format, 2. Version 1 is read as version 2, with a warning.",
)
.required()
.such_as("2");
pub(crate) const CELL_TIME_OF: Key = key(
    "cell-time-of",
    Ty::Two(&Ty::Name),
    "The link direction in whose cell times `duration`, `warm-up` and `record.window` are given.",
)
.default("the cell time that all links share");

keys! { pub(crate) OF_RUNS:
    of EVERY => {
        TITLE: Maybe<Text> = "title", "What the scenario shows, in one line.";
        NOTES: Maybe<Text> = "notes", "More about it.";
        DURATION: OfRun = "duration", "The run covers [0, duration).", required("\"1 ms\"");
        WARM_UP: OfRun<true> = "warm-up",
            "The time from 0 on that totals leave out; less than `duration`.",
            default(|_| Picos::ZERO, "0 s");
        SEED: Count<0, MOST_SEED> = "seed", "Root of every random stream.", default(|_| 1, "1");
        JITTER: Jitters = "jitter",
            "When a switch admits a packet that its full buffer could drop: up to the gap of its \
             flow later, at random, so that no flow has the room of another by its phase; or \
             exactly as it arrives.",
            default(|_| Jitters::WORDS[0], "gap");
        ROUTING: Routings = "routing",
            "Which of several shortest paths a flow with `from` and one `to` takes: by a hash at \
             each node, by the number of the destination in a fat tree, or the first.",
            default(|_| Routings::WORDS[0], "ecmp");
        ROUTE_SEED: Maybe<Count<0, MOST_SEED>> = "route-seed",
            "The seed of the choice among equal paths under `ecmp`; it keeps the routes while \
             `seed` changes.",
            words("`seed`");
    }
}

/// How a flow chooses among equal paths, each of the `RoutingKind` at the same place.
pub(crate) struct Routings;

impl Choice for Routings {
    const WORDS: &'static [&'static str] = &["ecmp", "d-mod-k", "first"];
}

/// The admission of packets, each word of the `Jitter` of [`Jitters::of`].
pub(crate) struct Jitters;

impl Jitters {
    /// The jitter that a word names.
    pub(crate) fn of(word: &str) -> Jitter {
        if word == Jitters::WORDS[0] { Jitter::Gap } else { Jitter::Exact }
    }
}

impl Choice for Jitters {
    const WORDS: &'static [&'static str] = &["gap", "exact"];
}

/// The cell time in which times of the whole run are given: `Ok(None)` when links differ, `Err`
/// when `cell-time-of` is wrong.
pub(crate) type CellOfRun = Result<Option<Picos>, ()>;

taken! { @type
    /// A time of the whole run; above zero unless `ZERO`.
    OfRun [ZERO: bool = false] is Picos, Ty::span(ZERO)
}

impl<const ZERO: bool> ReadIn<CellOfRun> for OfRun<ZERO> {
    fn read(item: &Item<'_>, cell_time: &CellOfRun, sink: &mut Sink) -> Option<Picos> {
        let quantity = item.quantity(Sort::SPAN, sink)?;
        let cell = match cell_time {
            _ if quantity.sort == Sort::Time => Picos(1),
            Ok(Some(cell)) => *cell,
            Ok(None) => {
                whose_cells(&item.span, item.key, sink);
                return None;
            }
            Err(()) => return None,
        };
        item.fitting_span(quantity, cell, ZERO, sink)
    }
}

/// A time in cells, but of no link in particular.
fn whose_cells(span: &Range<usize>, key: &str, sink: &mut Sink) {
    let message = format!("`{key}` is in cells, but cell times of the links differ");
    let hint = "give it as a time, or add `cell-time-of = [\"A\", \"S\"]`";
    sink.error(Code::WHOSE_CELLS, span, message).hint(hint);
}
