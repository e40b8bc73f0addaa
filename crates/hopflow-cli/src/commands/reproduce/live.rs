//! Experiments under way: a line on stderr for each that is done, and a page that grows.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hopflow::RunOptions;
use hopflow_papers::{Chosen, News, ReproduceError, Reproduced, page, plan, reproduce_all, title};

use super::place::Place;
use super::tables::Counts;
use crate::args::{ReproduceArgs, threads_or_all};
use crate::fail::Fail;
use crate::progress::{Line, cancel_on_interrupt};

/// The least time between two pages on the way.
const PAGE_EVERY: Duration = Duration::from_secs(5);
/// Pages take at most one part in this number of the time.
const PAGE_SHARE: u32 = 20;
/// The heading of the lines on stderr, after the column of names.
const HEADING: &str = "claims  reproduced  differ  not reproduced";

/// What is shared by the threads that report.
pub(super) struct Live<'a> {
    chosen: &'a [Chosen<'a>],
    args: &'a ReproduceArgs,
    pub(super) line: Line,
    cancel: Arc<AtomicBool>,
    /// Characters of the longest title.
    width: usize,
    state: Mutex<State>,
}

struct State {
    place: Place,
    /// What is judged, by experiment.
    found: Vec<Option<Reproduced>>,
    /// Cells of the plan that were done before the present call of [`Live::run`].
    before: u64,
    /// When the first experiment of that call was judged.
    first: Option<Duration>,
    /// When the page is written again.
    next_page: Duration,
    /// Why a page could not be written.
    wrong: Option<Fail>,
}

/// The results at the end.
pub(super) struct Ended {
    /// What is judged, in the order of the papers.
    pub(super) found: Vec<Reproduced>,
    pub(super) place: Place,
}

impl<'a> Live<'a> {
    pub(super) fn new(args: &'a ReproduceArgs, chosen: &'a [Chosen<'a>]) -> Live<'a> {
        let state = State {
            place: Place::new(args.report()),
            found: chosen.iter().map(|_| None).collect(),
            before: 0,
            first: None,
            next_page: Duration::ZERO,
            wrong: None,
        };
        let titles = chosen.iter().map(|(_, one)| title(one.prefixes()).chars().count());
        let live = Live {
            chosen,
            args,
            line: Line::new(args.quiet, cells(chosen).max(1)),
            cancel: cancel_on_interrupt(),
            width: titles.max().unwrap_or(0),
            state: Mutex::new(state),
        };
        live.say(|| format!("{:width$}  {HEADING}", "experiment", width = live.width));
        live
    }

    /// Reproduces some of the experiments. Returns whether all of them are judged, and when the
    /// first was.
    pub(super) fn run(&self, part: Range<usize>) -> Result<(bool, Option<Duration>), Fail> {
        let options =
            RunOptions { cancel: Some(Arc::clone(&self.cancel)), ..RunOptions::default() };
        let from = part.start;
        self.state().first = None;
        let threads = threads_or_all(self.args.threads);
        let chosen = &self.chosen[part];
        let outcome = reproduce_all(chosen, threads, &options, &|news| self.hear(from, news));
        let mut state = self.state();
        state.before += cells(chosen);
        if let Some(wrong) = state.wrong.take() {
            return Err(wrong);
        }
        match outcome {
            Ok(()) => Ok((true, state.first)),
            Err(ReproduceError::Cancelled) => Ok((false, state.first)),
            Err(wrong) => Err(Fail::Fault(wrong.to_string())),
        }
    }

    /// Removes the line, and returns what is judged.
    pub(super) fn end(self) -> Ended {
        self.line.end();
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ended { found: state.found.into_iter().flatten().collect(), place: state.place }
    }

    fn hear(&self, from: usize, news: News) {
        match news {
            News::Piece { experiment, cells, .. } => {
                let of = self.chosen[from + experiment].1;
                let before = self.state().before;
                self.line.show(before + cells, of.prefixes().join(", "));
            }
            News::Experiment { experiment, found } => self.judged(from + experiment, *found),
            News::Bands { .. } => {}
        }
    }

    fn judged(&self, experiment: usize, found: Reproduced) {
        self.say(|| self.row(&found));
        let mut state = self.state();
        let now = self.line.elapsed();
        state.first.get_or_insert(now);
        state.found[experiment] = Some(found);
        let done = state.found.iter().flatten().count();
        if done == self.chosen.len() || now < state.next_page || state.wrong.is_some() {
            return;
        }
        if let Err(wrong) = state.write(self.chosen.len()) {
            state.wrong = Some(wrong);
            self.cancel.store(true, Ordering::Relaxed);
        }
        let took = self.line.elapsed().saturating_sub(now);
        state.next_page = now + took + PAGE_EVERY.max(took * PAGE_SHARE);
    }

    fn row(&self, found: &Reproduced) -> String {
        let counts = Counts::new(&found.claims);
        let Counts { reproduced, differs, not_reproduced, .. } = counts;
        let claims = found.claims.len();
        format!(
            "{:width$}  {claims:>6}  {reproduced:>10}  {differs:>6}  {not_reproduced:>14}",
            found.title,
            width = self.width
        )
    }

    fn say(&self, text: impl FnOnce() -> String) {
        if !self.args.quiet {
            self.line.above(&text());
        }
    }

    /// No thread leaves the state half-written.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Writes the page of what is judged so far.
    fn write(&mut self, of: usize) -> Result<(), Fail> {
        let found: Vec<&Reproduced> = self.found.iter().flatten().collect();
        self.place.grow(&page(&found, of).html())
    }
}

/// Cells that the plan has for some experiments.
fn cells(chosen: &[Chosen<'_>]) -> u64 {
    let ids: BTreeSet<&str> = chosen.iter().map(|(_, one)| one.id()).collect();
    let here = plan().into_iter().filter(|one| ids.contains(one.experiment.as_str()));
    here.map(|one| one.cells).sum()
}
