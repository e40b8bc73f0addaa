//! Section 8.3: the buffer that each switch needs for lossless delivery at full rate, link by
//! link against an end-to-end window.
//!
//! ```text
//! A ==(1)== S1 ==(2)== ... ==(h)== Sh --- B      h links with a loop of 155 cell times each,
//!                                                and a short one to the final host
//! N23 on every link: N2 + N3 = 165               window: W = 155 h + 2, the whole loop
//! ```
//! The link behind each switch is blocked in turn, at the worst moment: when a multiple of N2 cells
//! has started there, so that the credit for the last of them is still sent (a cell freed and not
//! yet told of is one cell less to come). At full rate without a pause cell n starts at switch k at
//! 77 k + n. Three runs each: no limit on buffers (what is needed), exactly what is needed, and one
//! cell less at every switch.
//!
//! Source: [KMCL94] 8.3.

use std::fmt::Write as _;

use crate::{Chart, ChartLine, Experiment, Measured, Run, Runs, ScenarioText};

const MOST_LINKS: u32 = 8;
const N2: u32 = 10;
const N3: u32 = 155;
const R: u32 = 155;
/// Cells that start at the switch before its link is blocked, a multiple of N2.
const CELLS_BEFORE: u32 = 550 * N2;
/// From a start at one switch to the start at the next, in cell times.
const STEP: u32 = 77;
/// When both schemes have settled, in cell times.
const SETTLED_AT: u32 = 3_000;

/// The two schemes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scheme {
    Link,
    Window,
}

impl Scheme {
    const BOTH: [Scheme; 2] = [Scheme::Link, Scheme::Window];

    const fn name(self) -> &'static str {
        match self {
            Scheme::Link => "link",
            Scheme::Window => "window",
        }
    }

    /// What it may have outstanding at one place: the buffer it should need.
    const fn granted(self, links: u32) -> u32 {
        match self {
            Scheme::Link => N2 + N3,
            Scheme::Window => R * links + 2,
        }
    }
}

/// What is allowed at the switches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Buffer {
    Unlimited,
    Need,
    OneLess,
}

/// One run: so many links, the link behind switch `blocked` blocked.
#[derive(Clone, Copy)]
struct Case {
    scheme: Scheme,
    links: u32,
    blocked: u32,
    buffer: Buffer,
}

impl Case {
    /// When the link is blocked, in cell times.
    const fn blocked_at(self) -> u32 {
        STEP * self.blocked + CELLS_BEFORE
    }

    /// The first case of a scheme has the plain name.
    fn file(self) -> String {
        let scheme = self.scheme.name();
        if self.links == 1 && self.buffer == Buffer::Unlimited {
            return format!("sec8.3-{scheme}.toml");
        }
        let buffer = match self.buffer {
            Buffer::Unlimited => "",
            Buffer::Need => "-need",
            Buffer::OneLess => "-one-less",
        };
        format!("sec8.3-{scheme}-h{}-s{}{buffer}.toml", self.links, self.blocked)
    }

    fn text(self) -> String {
        let h = self.links;
        let granted = self.scheme.granted(h);
        let limit = match self.buffer {
            Buffer::Unlimited => String::new(),
            Buffer::Need => format!("vc-buffer = \"{granted} cells\"\n"),
            Buffer::OneLess => format!("vc-buffer = \"{} cells\"\n", granted - 1),
        };
        let control = match self.scheme {
            Scheme::Link => {
                format!("{{ kind = \"n23\", n2 = {N2}, n3 = {N3}, allow-small-buffer = true }}")
            }
            Scheme::Window => format!("{{ kind = \"window\", cells = {granted} }}"),
        };
        let mut links = String::new();
        let mut route = String::from("\"A\"");
        for switch in 1..=h {
            let before = if switch == 1 { "A".to_owned() } else { format!("S{}", switch - 1) };
            let _ = writeln!(links, "[[link]]\nbetween = [\"{before}\", \"S{switch}\"]");
            let _ = write!(route, ", \"S{switch}\"");
        }
        let after =
            if self.blocked == h { "B".to_owned() } else { format!("S{}", self.blocked + 1) };
        format!(
            "# [KMCL94] Section 8.3: {h} links of R = {R} cell times, {scheme} control; the link \
             behind S{blocked} is\n# blocked from {blocked_at} cell times on.\n\
             version = 1\n\
             title = \"Buffer for lossless delivery, {scheme} control, {h} links\"\n\
             duration = \"{duration} cells\"\n\n\
             [defaults.link]\nrate = \"622.08 Mb/s\"\ndelay = [\"76 cells\", \"77 cells\"]\n\n\
             [[host]]\nname = \"A\"\n[[host]]\nname = \"B\"\n\n\
             [[switch]]\nname = \"S{{}}\"\ncount = {h}\n{limit}\n\
             {links}[[link]]\nbetween = [\"S{h}\", \"B\"]\ndelay = \"0 us\"\n\n\
             [[flow]]\nname = \"VC\"\nroute = [{route}, \"B\"]\nsource = {{ kind = \"greedy\" }}\n\
             control = {control}\n\n\
             [[event]]\nat = \"{blocked_at} cells\"\nfrom = \"S{blocked}\"\nto = \"{after}\"\n\
             blocked = true\n\n\
             [record]\ntrace = [\"A->S1\"]\n",
            scheme = self.scheme.name(),
            blocked = self.blocked,
            blocked_at = self.blocked_at(),
            duration = self.blocked_at() + 4 * R * (h + 1),
        )
    }
}

/// Section 8.3.
pub(super) struct Sec83;

impl Experiment for Sec83 {
    fn prefixes(&self) -> &'static [&'static str] {
        &["kung94.sec8.3"]
    }

    fn scenarios(&self) -> Vec<ScenarioText> {
        let mut scenarios = Vec::new();
        for links in 1..=MOST_LINKS {
            for scheme in Scheme::BOTH {
                for buffer in [Buffer::Unlimited, Buffer::Need, Buffer::OneLess] {
                    let cases = cases(scheme, links, buffer);
                    scenarios.extend(cases.map(|case| ScenarioText::new(case.file(), case.text())));
                }
            }
        }
        scenarios
    }

    fn measure(&self, runs: &Runs) -> Measured {
        let mut measured = Measured::default();
        let mut needs = [Vec::new(), Vec::new()];
        for links in 1..=MOST_LINKS {
            let need = |scheme| need(runs, scheme, links);
            let (link, window) = (need(Scheme::Link), need(Scheme::Window));
            needs[0].push((f64::from(links), link));
            needs[1].push((f64::from(links), window));
            let id = format!("kung94.sec8.3.h{links}");
            measured.claim(format!("{id}.ratio"), window / link);
            for scheme in Scheme::BOTH {
                losses(&mut measured, runs, scheme, links);
            }
            measured.claim(format!("{id}.slowest_share"), slowest(runs, links));
        }
        measured.charts.push(chart(needs));
        measured
    }
}

/// The runs of one scheme and limit, the link behind each switch blocked in turn.
fn cases(scheme: Scheme, links: u32, buffer: Buffer) -> impl Iterator<Item = Case> {
    (1..=links).map(move |blocked| Case { scheme, links, blocked, buffer })
}

/// The most cells of the VC that any switch held in any of the runs without a limit.
fn need(runs: &Runs, scheme: Scheme, links: u32) -> f64 {
    let most = |case: Case| {
        // Hop 0 leaves the source host; every other hop leaves a switch.
        let run = runs.one(&case.file());
        let hops = &run.counters.vcs[run.vc("VC")].hops[1..];
        hops.iter().map(|hop| hop.fill_max_cells).max().unwrap_or(0)
    };
    f64::from(cases(scheme, links, Buffer::Unlimited).map(most).max().unwrap_or(0))
}

fn losses(measured: &mut Measured, runs: &Runs, scheme: Scheme, links: u32) {
    let id = format!("kung94.sec8.3.h{links}.{}", scheme.name());
    let dropped = |case: Case| {
        let run = runs.one(&case.file());
        run.counters.vcs[run.vc("VC")].hops.iter().map(|hop| hop.dropped_cells).sum::<u64>()
    };
    let at_need: u64 = cases(scheme, links, Buffer::Need).map(dropped).sum();
    let lossless = cases(scheme, links, Buffer::OneLess).filter(|case| dropped(*case) == 0).count();
    measured.claim(format!("{id}.lost_at_need"), at_need as f64);
    measured.claim(format!("{id}.runs_without_loss_below"), lossless as f64);
}

/// The least share of the first link carried before the block.
fn slowest(runs: &Runs, links: u32) -> f64 {
    let all = Scheme::BOTH.into_iter().flat_map(|s| cases(s, links, Buffer::Unlimited));
    let (from, to) = (f64::from(SETTLED_AT), f64::from(CELLS_BEFORE));
    let share = |run: &Run| run.hop("VC", "A->S1").share(from, to);
    all.map(|case| share(runs.one(&case.file()))).fold(f64::INFINITY, f64::min)
}

fn chart([link, window]: [Vec<(f64, f64)>; 2]) -> Chart {
    let line = |name: &str, points| ChartLine { name: name.to_owned(), step: false, points };
    Chart {
        id: "kung94-sec8-3".to_owned(),
        title: "Section 8.3: buffer that each switch needs".to_owned(),
        caption: "Lossless delivery at full rate, whatever link blocks.".to_owned(),
        x: "links (count)".to_owned(),
        y: "buffer at each switch (cells)".to_owned(),
        lines: vec![line("end-to-end window", window), line("link by link, N23", link)],
    }
}
