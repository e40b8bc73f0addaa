//! ERICA+: ERICA whose target is not a part of the link but a queueing delay. A short queue makes
//! the target a little more than the link, so that the link stays full; a long one makes it less,
//! so that the queue drains.
//!
//! ```text
//! free = max(0, C - other)                                                       (1)
//! Tq   = q / free                                                                (2)
//! A    = f(Tq) free                     f in `queue_control.rs`                  (3)
//! ```
//! | symbol             | meaning                                                 | unit    |
//! |--------------------|---------------------------------------------------------|---------|
//! | C, other           | as in `erica.rs`                                        | cells/s |
//! | free               | what the link has for rate-controlled VCs               | cells/s |
//! | q, `queue`         | rate-controlled cells at the port as the interval ends  | cells   |
//! | Tq                 | the time in which q would drain                         | s       |
//! | T0, `target_delay` | target queueing delay; Q0 = T0 free                     | s       |
//! | f                  | the part of the free rate that VCs are given            | 1       |
//! | A                  | target capacity, for Eq. (1) of `erica.rs`              | cells/s |
//!
//! The rest is Eq. (2) to (12) of `erica.rs`. With a full link and steady rates z = 1/f, so by
//! Eq. (7) there the queue may rest wherever 1 <= 1/f <= 1 + delta: with the default hyperbola
//! from Q0 to 1.77 Q0.
//!
//! Source: [Kalyanaraman97] p. 178-180, [VFJG98a] (1) to (13). Differs: nothing. Not modelled:
//! step functions and hysteresis for f. Checked by: `erica_plus/tests.rs`,
//! `docs/models/erica.md`.

use hopflow_units::{CellRate, Picos};
use serde::{Deserialize, Serialize};

use super::erica::{EricaOptions, EricaPort, TargetCapacity};
use super::mistake::{RateMistake, mistakes_of};
use super::{Effect, Facts, Rule};

mod queue_control;

pub use queue_control::{QueueControl, QueueCurve};

/// The parameters of an ERICA+ port.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EricaPlusSpec {
    /// T0: the target queueing delay, above zero. 1.5 ms in [VFJG98a] table 1; 0.5 ms occurs too.
    #[serde(rename = "target_delay_ps")]
    pub target_delay: Picos,
    /// f.
    #[serde(flatten)]
    pub queue_control: QueueControl,
    /// What ERICA+ shares with ERICA.
    pub options: EricaOptions,
}

impl Default for EricaPlusSpec {
    fn default() -> EricaPlusSpec {
        EricaPlusSpec {
            target_delay: Picos(1_500_000_000),
            queue_control: QueueControl::default(),
            options: EricaOptions::default(),
        }
    }
}

impl EricaPlusSpec {
    /// All that is wrong with it; empty if it is valid.
    pub fn mistakes(&self) -> Vec<RateMistake> {
        let fits = self.target_delay > Picos::ZERO;
        let own = mistakes_of([(fits, "target-delay", self.target_delay.0 as f64, "above 0")]);
        [own, self.queue_control.mistakes(), self.options.mistakes()].concat()
    }
}

/// The target of ERICA+: by the queue. Eq. (1) to (3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueueTarget {
    target_secs: f64,
    control: QueueControl,
}

impl TargetCapacity for QueueTarget {
    fn capacity(&self, link: f64, other: f64, queue: u64) -> f64 {
        let free = (link - other).max(0.0);
        let target_queue = self.target_secs * free;
        self.control.fraction(queue as f64, target_queue) * free
    }
}

/// The machine of one port under ERICA+.
pub type EricaPlus = EricaPort<QueueTarget>;

impl Rule for EricaPlus {
    type Spec = EricaPlusSpec;
    const FACTS: Facts = Facts { sets_er: true, heeds_weight: true, ..Facts::new("erica-plus") };

    fn new(spec: EricaPlusSpec, link: CellRate, flows: u32) -> EricaPlus {
        assert_eq!(spec.mistakes(), [], "ERICA+");
        let target_secs = spec.target_delay.as_secs_f64();
        let target = QueueTarget { target_secs, control: spec.queue_control };
        EricaPort::with_target(target, spec.options, link, flows)
    }

    fn effect(spec: &EricaPlusSpec) -> Effect {
        let (interval, vc_rate) = (Some(spec.options.interval), Some(spec.options.vc_rate));
        Effect { interval, vc_rate, target_delay: Some(spec.target_delay), ..Effect::default() }
    }
}

#[cfg(test)]
mod tests;
