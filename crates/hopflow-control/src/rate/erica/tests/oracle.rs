//! ERICA step by step as [Kalyanaraman97] appendix C.2 describes it, for intervals of time: the
//! number of active VCs is kept as a running sum, and there is neither MCR nor weight.

use crate::rate::{ActiveCount, ErCap, EricaOptions, LoadAveraging, VcRate};

#[derive(Clone, Default)]
pub(super) struct Vc {
    contribution: f64,
    seen: bool,
    ccr: f64,
    cells: u64,
    answered: bool,
    last_er: f64,
}

/// The pseudo-code's variables, in cells/s and seconds.
pub(super) struct Oracle {
    options: EricaOptions,
    link: f64,
    pub(super) vcs: Vec<Vc>,
    active_now: f64,
    active_before: f64,
    cells: u64,
    load: f64,
    capacity: f64,
    fair_share: f64,
    max_now: f64,
    max_before: f64,
    average: Option<(f64, f64, f64)>,
}

impl Oracle {
    /// Begins as the port does: all VCs counted, a load factor of 1.
    pub(super) fn new(options: EricaOptions, link: f64, target: f64, vcs: usize) -> Oracle {
        let fair_share = target / vcs as f64;
        let decay = decay_of(&options);
        let contribution = if decay > 0.0 { decay } else { 0.0 };
        Oracle {
            options,
            link,
            vcs: vec![Vc { contribution, ..Vc::default() }; vcs],
            active_now: contribution * vcs as f64,
            active_before: vcs as f64,
            cells: 0,
            load: 1.0,
            capacity: target,
            fair_share,
            max_now: fair_share,
            max_before: fair_share,
            average: None,
        }
    }

    fn mark(&mut self, vc: usize) {
        let vc = &mut self.vcs[vc];
        if vc.contribution < 1.0 {
            self.active_now += 1.0 - vc.contribution;
            vc.contribution = 1.0;
        }
        vc.seen = true;
    }

    pub(super) fn cell(&mut self, vc: usize) {
        self.mark(vc);
        self.vcs[vc].cells += 1;
        self.cells += 1;
    }

    pub(super) fn frm(&mut self, vc: usize, ccr: f64) {
        if self.options.vc_rate == VcRate::Ccr {
            self.vcs[vc].ccr = ccr;
        }
    }

    /// The rate that a BRM gets.
    pub(super) fn brm(&mut self, vc: usize) -> f64 {
        if self.options.backward_counts {
            self.mark(vc);
        }
        if self.vcs[vc].answered {
            return self.vcs[vc].last_er;
        }
        let ccr = self.vcs[vc].ccr;
        let share = if ccr == 0.0 { 0.0 } else { ccr / self.load };
        let mut er = share.max(self.fair_share);
        match self.options.max_alloc {
            Some(delta) if self.load <= 1.0 + delta => er = er.max(self.max_before),
            _ => {}
        }
        if self.options.hold_at_share && ccr < self.fair_share && er >= self.fair_share {
            er = self.fair_share;
        }
        er = er.min(if self.options.cap == ErCap::Link { self.link } else { self.capacity });
        self.max_now = self.max_now.max(er);
        (self.vcs[vc].answered, self.vcs[vc].last_er) = (true, er);
        er
    }

    /// The end of an interval of `secs` with `target` cells/s for these VCs.
    pub(super) fn end(&mut self, secs: f64, target: f64) {
        if decay_of(&self.options) > 0.0 {
            self.active_before = self.active_now.max(1.0);
        } else {
            let seen = self.vcs.iter().filter(|vc| vc.seen).count();
            self.active_before = (seen as f64).max(1.0);
        }
        self.active_now = 0.0;
        for vc in &mut self.vcs {
            vc.contribution *= decay_of(&self.options);
            self.active_now += vc.contribution;
        }
        self.measure(secs, target);
        self.fair_share = self.capacity / self.active_before;
        (self.max_before, self.max_now) = (self.max_now, self.fair_share);
        for vc in &mut self.vcs {
            if self.options.vc_rate == VcRate::Measured {
                vc.ccr = vc.cells as f64 / secs;
            }
            (vc.cells, vc.seen, vc.answered) = (0, false, false);
        }
        self.cells = 0;
    }

    fn measure(&mut self, secs: f64, target: f64) {
        let input = self.cells as f64 / secs;
        match self.options.averaging {
            LoadAveraging::None => {
                self.capacity = target;
                self.load = if target <= 0.0 { f64::INFINITY } else { input / target };
            }
            LoadAveraging::OfFactor { alpha } => {
                self.capacity = target;
                self.load = if target <= 0.0 {
                    f64::INFINITY
                } else if self.load.is_infinite() || self.average.is_none() {
                    input / target
                } else {
                    (1.0 - alpha) * self.load + alpha * (input / target)
                };
                self.average = Some((0.0, 0.0, 0.0));
            }
            LoadAveraging::OfParts { alpha } => {
                let new = (target * secs, self.cells as f64, secs);
                let old = self.average.unwrap_or(new);
                let mix = |old: f64, new: f64| (1.0 - alpha) * old + alpha * new;
                let (room, cells, secs) = (mix(old.0, new.0), mix(old.1, new.1), mix(old.2, new.2));
                self.average = Some((room, cells, secs));
                self.capacity = room / secs;
                let input = cells / secs;
                self.load =
                    if self.capacity <= 0.0 { f64::INFINITY } else { input / self.capacity };
            }
        }
    }
}

fn decay_of(options: &EricaOptions) -> f64 {
    match options.active {
        ActiveCount::Seen => 0.0,
        ActiveCount::Contributions { decay } => decay,
    }
}
