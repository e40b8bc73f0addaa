//! Video with the coder in the loop: VC1 sends the frames that it codes, and no more.
//!
//! ```text
//! swing   = (greatest - least) / mean of the frames                                (1)
//! step    = mean of |frame k + 1 - frame k| / mean of the frames                   (2)
//! correct = (C / 3) (Nrm - 1) / Nrm / 30      bits of a frame at a fair share of C (3)
//! ```
//! VC2 and VC3 always send. `codec.rs` reads frames off the trace of a VC that always sends; here
//! a frame is what is sent, so the coder acts on the network that it follows.
//! Source: [Roberts96], the third problem of binary marking. The frame rate is ours.

use hopflow_record::VideoSummary;

use super::network::{LINK, three};
use super::technique::{ALL, Technique};
use crate::{Exhibit, Experiment, Measured, Run, Runs, ScenarioText};

/// Frames in a second.
const FRAMES: f64 = 30.0;
/// VC1, which always sends in the other experiments.
const GREEDY: &str = "name = \"VC1\"\nroute = [\"H1\", \"S\", \"D\"]\n";

/// Video, the coder in the loop.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["roberts96.coder"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let coder = format!("{GREEDY}source = {{ kind = \"video\", frame-rate = {FRAMES} }}\n");
    let span = "duration = \"4.1 s\"\nwarm-up = \"100 ms\"";
    let base = three("").variant("", &[("duration = \"300 ms\"", span), (GREEDY, &coder)]);
    ALL.map(|technique| technique.of(&base, file(technique))).to_vec()
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("roberts96.coder");
    let mut rows = Vec::new();
    for technique in ALL {
        let run = runs.one(&file(technique));
        let video = run.summary.vc("VC1").and_then(|vc| vc.video).expect("VC1 is a coder");
        let (swing, step, mean) =
            (swing(&video), step(&video), video.frame_bits_mean / correct(run));
        let name = technique.name();
        measured.claim(format!("{name}.swing"), swing);
        measured.claim(format!("{name}.step"), step);
        if technique == Technique::Binary {
            measured.claim(format!("{name}.mean"), mean);
        }
        let values = vec![video.frame_bits_mean / 1e3, mean, swing, step];
        rows.push((technique.title().to_owned(), values));
    }
    let columns = [("mean", "kbit"), ("of its share", ""), ("swing", ""), ("step", "")];
    measured.exhibits = vec![
        Exhibit::new("Video, the coder in the loop")
            .note("30 frames/s for 4 s.")
            .columns("technique", columns)
            .rows(rows),
    ];
    measured
}

fn file(technique: Technique) -> String {
    format!("coder-{}.toml", technique.name())
}

/// Eq. (1).
fn swing(video: &VideoSummary) -> f64 {
    let least = video.frame_bits_least.expect("frames were coded");
    (video.frame_bits_most - least) as f64 / video.frame_bits_mean
}

/// Eq. (2).
fn step(video: &VideoSummary) -> f64 {
    video.frame_bits_change / video.frame_bits_mean
}

/// Eq. (3).
fn correct(run: &Run) -> f64 {
    let link = run.network.direction(run.direction(LINK)).rate.bps() as f64;
    let abr = run.network.vcs[run.vc("VC1")].rate.as_ref().expect("VC1 is under ABR");
    let nrm = f64::from(abr.nrm);
    link / 3.0 * (nrm - 1.0) / nrm / FRAMES
}
