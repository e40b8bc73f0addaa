//! The table on the terminal while hosts run: the rate of each connection, both ways.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use hopflow_live::{Glance, Pair};
use hopflow_units::{Picos, SimTime};
use indicatif::{ProgressBar, ProgressStyle};

use crate::output;

/// The period at which the end of the run and Ctrl-C are polled.
const GLANCE: Duration = Duration::from_millis(50);
/// Glances between two tables.
const PAUSE: u32 = 10;
/// Connections that are shown.
const MOST: usize = 12;

/// The table.
pub(super) struct Table<'r> {
    pairs: &'r [Pair],
    glance: &'r Glance,
    end: SimTime,
    bar: ProgressBar,
    shown: Instant,
    bytes: Vec<[u64; 2]>,
}

impl<'r> Table<'r> {
    /// Of a run that ends at `end`; hidden if stderr is no terminal or `quiet` is set.
    pub(super) fn new(
        quiet: bool,
        end: SimTime,
        pairs: &'r [Pair],
        glance: &'r Glance,
    ) -> Table<'r> {
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(1000) };
        let style = ProgressStyle::with_template("{bar:24} {percent:>3} %  {prefix}\n{msg}")
            .expect("the template is well formed");
        bar.set_style(style);
        let bytes = vec![[0; 2]; pairs.len().min(MOST)];
        Table { pairs, glance, end, bar, shown: Instant::now(), bytes }
    }

    /// Shows it until `over` is true; `cancel`, of Ctrl-C, sets `stop`.
    pub(super) fn show(mut self, over: &AtomicBool, cancel: &AtomicBool, stop: &AtomicBool) {
        let mut glances = 0;
        while !over.load(Ordering::Relaxed) {
            if cancel.load(Ordering::Relaxed) {
                stop.store(true, Ordering::Relaxed);
            }
            glances += 1;
            if glances % PAUSE == 0 && !self.bar.is_hidden() {
                self.update();
            }
            thread::sleep(GLANCE);
        }
        self.bar.finish_and_clear();
    }

    fn update(&mut self) {
        let (now, late) = (self.glance.now(), self.glance.latest_ns());
        self.bar.set_position((now.0 as f64 / self.end.0 as f64 * 1000.0) as u64);
        self.bar.set_prefix(format!(
            "{} of {}  latest packet {} us late",
            output::span(now.0 as f64),
            Picos(self.end.0),
            output::number(late as f64 / 1e3, 1)
        ));
        let seconds = self.shown.elapsed().as_secs_f64().max(1e-9);
        self.shown = Instant::now();
        let width = self.pairs.iter().take(MOST).map(|pair| pair.name.len()).max().unwrap_or(0);
        let width = width.max("flow".len());
        let mut text =
            format!("{:width$}  {:>12}  {:>12}  {:>10}", "flow", "Mb/s", "back", "packets");
        for (index, (pair, before)) in self.pairs.iter().zip(&mut self.bytes).enumerate() {
            let came = self.glance.came(index);
            let rates = [0, 1].map(|way| {
                let bits = 8.0 * (came[way].1 - before[way]) as f64;
                output::number(bits / seconds / 1e6, 2)
            });
            *before = came.map(|(_, bytes)| bytes);
            let packets = came[0].0 + came[1].0;
            let [there, back] = rates;
            let name = &pair.name;
            let _ = write!(text, "\n{name:width$}  {there:>12}  {back:>12}  {packets:>10}");
        }
        if self.pairs.len() > MOST {
            let _ = write!(text, "\nand {} more", self.pairs.len() - MOST);
        }
        self.bar.set_message(text);
    }
}
