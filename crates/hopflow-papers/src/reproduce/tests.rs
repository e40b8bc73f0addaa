//! Experiments on several threads: the same claims, what cancelling keeps, and all of the papers.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::*;
use crate::debate::picture;
use crate::papers;
use crate::plan::Planned;
use crate::plan::tests::{plan_text, planned};

/// The experiments of these papers under one of these prefixes.
fn chosen<'a>(papers: &'a [Paper], ids: &[&str]) -> Vec<Chosen<'a>> {
    let all = papers.iter().flat_map(|paper| paper.experiments.iter().map(move |e| (paper, e)));
    all.filter(|(_, experiment)| ids.contains(&experiment.id())).collect()
}

/// Small ones: with runs and without.
const SMALL: [&str; 4] = ["kung94.fig6", "kung94.fig14", "kung94.fig20", "zhang90.fig1"];

/// Claim: the claims, their values and digests are the same on any number of threads.
#[test]
fn claims_are_the_same_on_any_threads() {
    let papers = papers();
    let chosen = chosen(&papers, &SMALL);
    let found = |threads: usize| {
        let found = Mutex::new(BTreeMap::new());
        let keep = |news: News| {
            if let News::Experiment { experiment, found: one } = news {
                let before = found.lock().unwrap().insert(experiment, one.claims);
                assert_eq!(before, None, "an experiment is judged once");
            }
        };
        let threads = NonZeroUsize::new(threads).unwrap();
        reproduce_all(&chosen, threads, &RunOptions::default(), &keep).unwrap();
        found.into_inner().unwrap()
    };
    let one = found(1);
    assert_eq!(one.len(), SMALL.len());
    assert_eq!(one, found(2));
    assert_eq!(one, found(5));
}

/// Claim: on one thread the lightest experiment comes first; what is judged before the work is
/// cancelled is kept, and nothing comes after it.
#[test]
fn what_is_judged_before_cancelling_is_kept() {
    let papers = papers();
    let chosen = chosen(&papers, &SMALL);
    let cancel = Arc::new(AtomicBool::new(false));
    let options = RunOptions { cancel: Some(Arc::clone(&cancel)), ..RunOptions::default() };
    let seen = Mutex::new(Vec::new());
    let stop = |news: News| {
        if let News::Experiment { found, .. } = news {
            seen.lock().unwrap().push(found.id);
            cancel.store(true, Ordering::Relaxed);
        }
    };
    let outcome = reproduce_all(&chosen, NonZeroUsize::MIN, &options, &stop);
    assert!(matches!(outcome, Err(ReproduceError::Cancelled)), "{outcome:?}");
    assert_eq!(seen.into_inner().unwrap(), ["kung94.fig6"]);
}

/// The product's promise: every claim of any paper is reproduced, differs for a reason that is
/// shown, or is written down as not reproduced, with the values that are known. And the cells that
/// the runs start are those of the plan, and the picture of docs/debate.md is that of its run:
/// `HOPFLOW_WRITE_PLAN=1` writes both anew.
#[test]
fn every_claim_is_reproduced_explained_or_known() {
    let papers = papers();
    let all = papers.iter().flat_map(|paper| paper.experiments.iter().map(move |e| (paper, e)));
    let all: Vec<Chosen<'_>> = all.collect();
    let failed = Mutex::new(Vec::new());
    let drawn = Mutex::new(None);
    let cells: Mutex<BTreeMap<(usize, String), u64>> = Mutex::new(BTreeMap::new());
    let hear = |news: News| match news {
        News::Piece { experiment, scenario, started_packets, .. } => {
            *cells.lock().unwrap().entry((experiment, scenario)).or_default() += started_packets;
        }
        News::Experiment { found, .. } => {
            if let Some(chart) = found.charts.iter().find(|chart| chart.id == picture::CHART) {
                *drawn.lock().unwrap() = Some(picture::picture(chart));
            }
            let off = found.claims.iter().filter(|claim| claim.is_new());
            failed.lock().unwrap().extend(off.map(|claim| {
                let (id, measured, band) = (&claim.id, claim.measured, claim.band);
                format!("{id}: {measured:?} {band:?}, paper {:?}", claim.paper_range)
            }));
        }
        News::Bands { .. } => {}
    };
    let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    reproduce_all(&all, threads, &RunOptions::default(), &hear).unwrap();
    let failed = failed.into_inner().unwrap();
    let mut cells = cells.into_inner().unwrap();
    let mut counted = |one: Planned| {
        let place = all.iter().position(|(_, experiment)| experiment.id() == one.experiment);
        let key = (place.unwrap(), one.scenario.clone());
        Planned { cells: cells.remove(&key).unwrap_or_default(), ..one }
    };
    let now: Vec<Planned> = planned(&papers).unwrap().into_iter().map(&mut counted).collect();
    let (text, pinned) = (plan_text(&now), plan_text(&plan()));
    let drawn = drawn.into_inner().unwrap().expect("the debate has its chart");
    if std::env::var_os("HOPFLOW_WRITE_PLAN").is_some() {
        std::fs::write(picture::FILE, &drawn).unwrap();
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../papers/plan.csv");
        std::fs::write(path, &text).unwrap();
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    if std::env::var_os("HOPFLOW_WRITE_PLAN").is_some() {
        return;
    }
    let shown = std::fs::read_to_string(picture::FILE).unwrap();
    assert!(drawn == shown, "docs/pictures/debate.svg: HOPFLOW_WRITE_PLAN=1 writes it");
    let others: Vec<&str> = text.lines().filter(|l| !pinned.lines().any(|p| p == *l)).collect();
    assert!(text == pinned, "papers/plan.csv has not these lines:\n{}", others.join("\n"));
}
