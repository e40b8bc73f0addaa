//! A source that codes each video frame at the rate of the moment.
//!
//! ```text
//! frame k = ACR at k / 30 s                                                        (1)
//! swing   = (greatest - least) / mean of the frames                                (2)
//! step    = mean of |frame k + 1 - frame k| / mean of the frames                   (3)
//! ```
//! Three VCs that always send, after start-up. The frames are read off the trace of ACR; that a
//! frame of another size would change what is sent is not modelled.
//! Source: [Roberts96], the third problem of binary marking. The frame rate is ours.

use super::network::three;
use super::read::{acr, within};
use super::technique::{ALL, Technique};
use crate::observe::{least, mean};
use crate::{Chart, ChartLine, Exhibit, Experiment, Measured, Run, Runs, ScenarioText};

/// Frames in a second, and the time that they begin, in ms.
const FRAMES: u32 = 30;
const FROM: f64 = 100.0;

/// Video.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["roberts96.codec"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let base = three("[record]\ntrace = [\"VC1\"]\n");
    let base = base.variant("", &[("duration = \"300 ms\"", "duration = \"1.1 s\"")]);
    ALL.map(|technique| technique.of(&base, file(technique))).to_vec()
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("roberts96.codec");
    let mut lines = Vec::new();
    let mut rows = Vec::new();
    for technique in ALL {
        let frames = frames(runs.one(&file(technique)));
        let (swing, step) = (swing(&frames), step(&frames));
        let (name, title) = (technique.name(), technique.title());
        measured.claim(format!("{name}.swing"), swing);
        measured.claim(format!("{name}.step"), step);
        rows.push((title.to_owned(), vec![mean(frames.iter().copied()) / 1e3, swing, step]));
        let points = (0..).map(f64::from).zip(frames.iter().map(|rate| rate / 1e3));
        lines.push(ChartLine::steps(title, points));
    }
    measured.charts = vec![
        Chart::new("roberts96-codec", "Rate of each video frame")
            .caption("ACR at the instant at which a frame is coded.")
            .axes("frame", "thousand cells/s")
            .lines(lines),
    ];
    measured.exhibits = vec![
        Exhibit::new("Video at the rate of the moment")
            .note("30 frames.")
            .columns("technique", [("mean", "thousand cells/s"), ("swing", ""), ("step", "")])
            .rows(rows),
    ];
    measured
}

fn file(technique: Technique) -> String {
    format!("codec-{}.toml", technique.name())
}

/// Eq. (1), in cells/s.
fn frames(run: &Run) -> Vec<f64> {
    let curve = acr(run, run.vc("VC1"));
    let at = |frame: u32| FROM + f64::from(frame) * 1e3 / f64::from(FRAMES);
    let rate = |time: f64| within(&curve, time, time).first().map_or(f64::NAN, |point| point.1);
    (0..FRAMES).map(at).map(rate).collect()
}

/// Eq. (2).
fn swing(frames: &[f64]) -> f64 {
    let low = least(frames.iter().copied());
    (frames.iter().copied().fold(0.0, f64::max) - low) / mean(frames.iter().copied())
}

/// Eq. (3).
fn step(frames: &[f64]) -> f64 {
    let steps: f64 = frames.windows(2).map(|pair| (pair[1] - pair[0]).abs()).sum();
    steps / (frames.len() - 1) as f64 / mean(frames.iter().copied())
}
