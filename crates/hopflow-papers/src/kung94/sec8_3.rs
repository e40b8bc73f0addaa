//! Section 8.3: buffer per switch for lossless delivery, link by link and end to end.
//!
//! A greedy VC crosses h links with a loop of R = 155 each; the link behind each switch is
//! blocked in turn. What full rate needs, and may all pile up in front of the block:
//! ```text
//! link by link   N2 + N3 = 10 + R                                                (1)
//! end to end     W = a + D - 1,   D = h R + 2,   a = 10                          (2)
//! ```
//! D is the loop of an ACK: h links and the short one to the host, one cell time each way. (2) is
//! the N3 + 1 >= D of `docs/models/n23.md` with N2 = a and N3 = W - a.
//! Source: [KMCL94] 8.3.

use crate::{Chart, ChartLine, Experiment, Measured, Run, Runs, ScenarioText};

/// The longest path, in links.
const LINKS: u32 = 8;
/// One link's loop, in cell times.
const R: u32 = 155;
/// Cell times from a start to the next node's, and cells sent before the block.
const HOP: u32 = 77;
const BEFORE_BLOCK: u32 = 5_000;
/// The share is taken in this span of the host's link, in cell times.
const SHARE_FROM: f64 = 2_500.0;

/// Section 8.3.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["kung94.sec8.3"], scenarios, measure);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scheme {
    Link,
    Window,
}

impl Scheme {
    const BOTH: [Scheme; 2] = [Scheme::Link, Scheme::Window];

    fn name(self) -> &'static str {
        match self {
            Scheme::Link => "link",
            Scheme::Window => "window",
        }
    }

    /// (1) and (2), in cells.
    fn need(self, links: u32) -> u32 {
        match self {
            Scheme::Link => 10 + R,
            Scheme::Window => 10 + links * R + 2 - 1,
        }
    }

    fn base(self) -> ScenarioText {
        match self {
            Scheme::Link => scenario!("kung94/sec8.3-link.toml"),
            Scheme::Window => scenario!("kung94/sec8.3-window.toml"),
        }
    }

    /// The file of a path of `links` links, the link behind switch `blocked` blocked, each
    /// switch with `less` cells less than needed.
    fn file(self, links: u32, blocked: u32, less: u32) -> String {
        match (links, blocked, less) {
            (1, 1, 0) => self.base().file,
            _ => format!("sec8.3-{}-h{links}-block{blocked}-less{less}.toml", self.name()),
        }
    }

    fn scenario(self, links: u32, blocked: u32, less: u32) -> ScenarioText {
        let base = self.base();
        let need = self.need(links);
        let trunk = match links {
            1 => String::new(),
            _ => format!("[[link]]\nbetween = [\"S{{}}\", \"S{{+1}}\"]\ncount = {}\n", links - 1),
        };
        let last = format!("{trunk}[[link]]\nbetween = [\"S{links}\", \"B\"]");
        let after = if blocked == links { "B".to_owned() } else { format!("S{}", blocked + 1) };
        let event = format!("from = \"S{blocked}\"\nto = \"{after}\"");
        let at = format!("at = \"{} cells\"", BEFORE_BLOCK + HOP * blocked);
        let first = self.need(1);
        let mut edits = vec![
            ("count = 1\n".to_owned(), format!("count = {links}\n")),
            (format!("vc-buffer = \"{first} "), format!("vc-buffer = \"{} ", need - less)),
            ("[[link]]\nbetween = [\"S1\", \"B\"]".to_owned(), last),
            ("from = \"S1\"\nto = \"B\"".to_owned(), event),
            ("at = \"5077 cells\"".to_owned(), at),
        ];
        if self == Scheme::Window {
            edits.push((format!("packets = {first},"), format!("packets = {need},")));
        }
        base.variant(self.file(links, blocked, less), &edits)
    }

    fn runs(self, runs: &Runs, links: u32, less: u32) -> Vec<(u32, &Run)> {
        (1..=links).map(|at| (at, runs.one(&self.file(links, at, less)))).collect()
    }

    /// The most cells that a switch held in front of its blocked link, over all blocks.
    fn peak(self, runs: &Runs, links: u32) -> f64 {
        let held = |(at, run): (u32, &Run)| run.counters.vcs[0].hops[at as usize].fill_max_packets;
        f64::from(self.runs(runs, links, 0).into_iter().map(held).max().unwrap_or(0))
    }
}

fn scenarios() -> Vec<ScenarioText> {
    let mut all = Vec::new();
    for scheme in Scheme::BOTH {
        for links in 1..=LINKS {
            for blocked in 1..=links {
                all.extend([0, 1].map(|less| scheme.scenario(links, blocked, less)));
            }
        }
    }
    all
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("kung94.sec8.3");
    for links in 1..=LINKS {
        path(&mut measured, runs, links);
    }
    measured.charts = vec![chart(runs)];
    measured
}

fn path(measured: &mut Measured, runs: &Runs, links: u32) {
    let id = format!("h{links}");
    let ratio = Scheme::Window.peak(runs, links) / Scheme::Link.peak(runs, links);
    measured.claim(format!("{id}.ratio"), ratio);
    let mut slowest = f64::INFINITY;
    for scheme in Scheme::BOTH {
        let (enough, short) = (scheme.runs(runs, links, 0), scheme.runs(runs, links, 1));
        let lost: u64 = enough.iter().map(|(_, run)| run.lost_packets()).sum();
        let lossless = short.iter().filter(|(_, run)| run.lost_packets() == 0).count();
        let name = scheme.name();
        measured.claim(format!("{id}.{name}.lost_at_need"), lost as f64);
        measured.claim(format!("{id}.{name}.runs_without_loss_below"), lossless as f64);
        for (_, run) in enough.iter().chain(&short) {
            let share = run.hop("VC", "A->S1").share(SHARE_FROM, f64::from(BEFORE_BLOCK));
            slowest = slowest.min(share);
        }
    }
    measured.claim(format!("{id}.slowest_share"), slowest);
}

fn chart(runs: &Runs) -> Chart {
    let line = |name: &str, scheme: Scheme| {
        ChartLine::straight(name, (1..=LINKS).map(|h| (f64::from(h), scheme.peak(runs, h))))
    };
    Chart::new("kung94-sec8-3", "Section 8.3: buffer per switch for lossless delivery")
        .caption("End to end, each switch needs a whole round trip; with one cell less, both lose.")
        .axes("links with a loop of 155 cell times", "most cells held by a switch (cells)")
        .lines([line("link by link", Scheme::Link), line("end to end", Scheme::Window)])
}
