//! Reproducing: every scenario of the chosen experiments run, every claim of them judged; or their
//! wider bands, compared with the printed numbers.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use hopflow::RunOptions;
use hopflow::network::NetworkSpec;

use crate::bands::rows;
use crate::error::ReproduceError;
use crate::judge::judge;
use crate::plan::plan;
use crate::schedule::{Schedule, Turn};
use crate::title::title;
use crate::work::{Done, Piece, band_pieces, gathered, pieces};
use crate::{BandRow, Chart, ClaimResult, Exhibit, Experiment, Mark, Measured, Paper, Runs};

/// The part of the plan that one thread does first, lightest experiments first, in cells started:
/// a few seconds of work, so that a reader sees the first verdicts at once.
const OPENING: u64 = 30_000_000;

/// The results of an experiment.
#[derive(Clone, Debug)]
pub struct Reproduced {
    /// The first prefix of its claims, such as `kung94.fig14`.
    pub id: String,
    /// The figures or sections, in words.
    pub title: String,
    /// Its claims, judged, in the order of the file.
    pub claims: Vec<ClaimResult>,
    /// The network and its caption, where a figure of the paper is its drawing.
    pub network: Option<(String, NetworkSpec)>,
    /// Its charts.
    pub charts: Vec<Chart>,
    /// What the paper says, in its charts.
    pub marks: Vec<Mark>,
    /// Its tables beside the claims.
    pub exhibits: Vec<Exhibit>,
}

/// What `reproduce_all` reports while it works, from the thread that did the work.
#[derive(Debug)]
pub enum News {
    /// A run has ended, or a comparison.
    Piece {
        /// The experiment, by its place among the chosen ones.
        experiment: usize,
        /// The scenario's file, as the plan names it; empty where a formula is evaluated.
        scenario: String,
        /// Cells of all kinds started in it, as counted.
        started_packets: u64,
        /// Cells of the plan that are done, of all chosen experiments; of wider bands the runs.
        cells: u64,
    },
    /// An experiment is judged.
    Experiment {
        /// By its place among the chosen ones.
        experiment: usize,
        /// Its results.
        found: Box<Reproduced>,
    },
    /// The wider bands of an experiment are compared with the printed numbers.
    Bands {
        /// By its place among the chosen ones.
        experiment: usize,
        /// Every printed number at every setting.
        rows: Vec<BandRow>,
    },
}

/// An experiment and its paper.
pub type Chosen<'a> = (&'a Paper, &'a Experiment);

/// Runs what the chosen experiments need on `threads` threads in all, and judges their claims as
/// soon as an experiment has all that it needs. `news` receives each of them, in no fixed order;
/// the content for an experiment is the same on any number of threads. `options` give cancelling.
pub fn reproduce_all(
    chosen: &[Chosen<'_>],
    threads: NonZeroUsize,
    options: &RunOptions,
    news: &(dyn Fn(News) + Sync),
) -> Result<(), ReproduceError> {
    let plan = plan();
    let pieces = chosen.iter().map(|(_, experiment)| pieces(experiment, &plan)).collect();
    let judged = |experiment: usize, runs: &Runs| {
        let (paper, of) = chosen[experiment];
        let measured = of.measure(runs);
        let claims = judge(paper, of, &measured, runs)?;
        let Measured { network, charts, marks, exhibits, .. } = measured;
        let (id, title) = (of.id().to_owned(), title(of.prefixes()));
        let found = Reproduced { id, title, claims, network, charts, marks, exhibits };
        news(News::Experiment { experiment, found: Box::new(found) });
        Ok(())
    };
    work(pieces, threads, options, news, &judged)
}

/// Runs the wider bands of the chosen experiments, and compares what they give with the printed
/// numbers: `news` receives [`News::Bands`] of each. The rest is as in [`reproduce_all`].
pub fn bands_all(
    chosen: &[Chosen<'_>],
    threads: NonZeroUsize,
    options: &RunOptions,
    news: &(dyn Fn(News) + Sync),
) -> Result<(), ReproduceError> {
    let pieces = chosen.iter().map(|(_, experiment)| band_pieces(experiment)).collect();
    let compared = |experiment: usize, runs: &Runs| {
        let (paper, of) = chosen[experiment];
        let settings = of.bands().map_or_else(Vec::new, |bands| (bands.settings)(runs));
        let rows = rows(paper, of, &settings)?;
        news(News::Bands { experiment, rows });
        Ok(())
    };
    work(pieces, threads, options, news, &compared)
}

/// The runs of the wider bands of the chosen experiments.
pub fn bands_runs(chosen: &[Chosen<'_>]) -> u64 {
    chosen.iter().map(|(_, experiment)| band_pieces(experiment).len() as u64).sum()
}

/// What is done with the runs of an experiment when all are there.
type Finish<'a> = &'a (dyn Fn(usize, &Runs) -> Result<(), ReproduceError> + Sync);

/// Does all pieces of all experiments.
fn work(
    pieces: Vec<Vec<(u64, Piece)>>,
    threads: NonZeroUsize,
    options: &RunOptions,
    news: &(dyn Fn(News) + Sync),
    finish: Finish<'_>,
) -> Result<(), ReproduceError> {
    let weights: Vec<Vec<u64>> =
        pieces.iter().map(|all| all.iter().map(|(weight, _)| *weight).collect()).collect();
    let board = Board {
        schedule: Schedule::new(&weights, OPENING),
        done: pieces.iter().map(|all| all.iter().map(|_| None).collect()).collect(),
        cells: 0,
        wrong: None,
    };
    let house =
        House { pieces, options, news, finish, board: Mutex::new(board), stop: false.into() };
    let most = threads.get().min(weights.iter().map(Vec::len).sum());
    thread::scope(|scope| {
        for _ in 1..most {
            // A system that allows fewer threads gets fewer: no result depends on them.
            let one = thread::Builder::new().spawn_scoped(scope, || house.work(false));
            if one.is_err() {
                break;
            }
        }
        house.work(true);
    });
    let board = house.board.into_inner().unwrap_or_else(PoisonError::into_inner);
    board.wrong.map_or(Ok(()), Err)
}

/// What all threads share.
struct House<'a> {
    pieces: Vec<Vec<(u64, Piece)>>,
    options: &'a RunOptions,
    news: &'a (dyn Fn(News) + Sync),
    finish: Finish<'a>,
    board: Mutex<Board>,
    /// Something went wrong, or the work is cancelled.
    stop: AtomicBool,
}

struct Board {
    schedule: Schedule,
    /// The outcome of each piece of each experiment, until it is judged.
    done: Vec<Vec<Option<Done>>>,
    /// The weight of all pieces done.
    cells: u64,
    /// What went wrong first.
    wrong: Option<ReproduceError>,
}

impl House<'_> {
    /// Takes one piece after the other until there is none.
    fn work(&self, opens: bool) {
        let mut turn = Turn::new(opens);
        while let Some((experiment, piece)) = self.next(&mut turn) {
            if let Err(wrong) = self.piece(experiment, piece) {
                self.stop.store(true, Ordering::Relaxed);
                self.board().wrong.get_or_insert(wrong);
            }
        }
    }

    fn next(&self, turn: &mut Turn) -> Option<(usize, usize)> {
        let mut board = self.board();
        let next = board.schedule.next(turn)?;
        let cancelled = self.options.cancel.as_ref();
        if cancelled.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            board.wrong.get_or_insert(ReproduceError::Cancelled);
            return None;
        }
        (!self.stop.load(Ordering::Relaxed)).then_some(next)
    }

    fn piece(&self, experiment: usize, piece: usize) -> Result<(), ReproduceError> {
        let pieces = &self.pieces[experiment];
        let (weight, work) = &pieces[piece];
        let done = work.done(self.options)?;
        let started_packets = done.started_packets();
        let mut board = self.board();
        board.done[experiment][piece] = Some(done);
        board.cells += weight;
        let cells = board.cells;
        let all = board.done[experiment].iter().all(Option::is_some);
        let all = all.then(|| std::mem::take(&mut board.done[experiment]));
        drop(board);
        let scenario = work.scenario();
        (self.news)(News::Piece { experiment, scenario, started_packets, cells });
        let Some(all) = all else { return Ok(()) };
        let runs = gathered(pieces, all.into_iter().flatten().collect());
        (self.finish)(experiment, &runs)
    }

    /// No thread leaves the board half-written, so that one of a thread that panicked is whole.
    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
