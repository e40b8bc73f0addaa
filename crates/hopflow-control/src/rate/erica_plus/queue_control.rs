//! The queue control function of ERICA+: the part of the free rate that VCs are given at a queue.
//!
//! With x = q / Q0:
//! ```text
//! hyperbolic   f = b / ((b - 1) x + 1)                  0 <= x <= 1              (1)
//!              f = max(QDLF, a / ((a - 1) x + 1))       x > 1                    (2)
//! linear       f = 1 + m_b (1 - x)                      0 <= x <= 1              (3)
//!              f = max(QDLF, 1 - m_a (x - 1))           x > 1                    (4)
//! ```
//! | symbol      | meaning                                                 | unit  |
//! |-------------|---------------------------------------------------------|-------|
//! | q, Q0       | queue, and target queue                                 | cells |
//! | f           | part of the free rate; 1 at x = 1, never rising         | 1     |
//! | a, b        | steepness above and below Q0; b is also f(0); 1 is flat | 1     |
//! | m_a, m_b    | slopes above and below Q0, per Q0                       | 1     |
//! | QDLF        | queue drain limit factor: the lower bound of f          | 1     |
//!
//! (2) reaches QDLF = 0.5 with a = 1.15 at x = (a / 0.5 - 1) / (a - 1) = 8.67.
//!
//! Source: [Kalyanaraman97] p. 180 for (1), (2); QDLF = 0.5 from [VFJG98a]; a = 1.15, b = 1.05 are
//! customary. [VJGF98b] proposes linear functions with slopes 1/2^k and finds that they do well;
//! its Q1, up to which f stays 1, is Q0 here. Their default slopes 1/8 and 1/16 are ours, near
//! those of (1), (2) at Q0: 0.13 and 0.048. Not modelled: steps, hysteresis, inverse hyperbolas.
//! Checked by: `erica_plus/tests.rs`.

use super::super::mistake::{RateMistake, mistakes_of};
use serde::{Deserialize, Serialize};

/// f, with its limits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct QueueControl {
    /// Its shape.
    pub curve: QueueCurve,
    /// QDLF, above 0 and at most 1.
    pub drain_limit: f64,
}

/// The shape of f.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum QueueCurve {
    /// Eq. (1), (2).
    Hyperbolic {
        /// a, 1 or more.
        a: f64,
        /// b, 1 or more.
        b: f64,
    },
    /// Eq. (3), (4).
    Linear {
        /// m_a, 0 or more.
        above: f64,
        /// m_b, 0 or more.
        below: f64,
    },
}

impl QueueCurve {
    /// The hyperbolas with their customary a = 1.15 and b = 1.05.
    pub const HYPERBOLIC: QueueCurve = QueueCurve::Hyperbolic { a: 1.15, b: 1.05 };
    /// Straight lines with our slopes, 1/8 above and 1/16 below.
    pub const LINEAR: QueueCurve = QueueCurve::Linear { above: 0.125, below: 0.0625 };
}

impl Default for QueueControl {
    fn default() -> QueueControl {
        QueueControl { curve: QueueCurve::HYPERBOLIC, drain_limit: 0.5 }
    }
}

impl QueueControl {
    /// f at a queue of `queue` cells with a target of `target` cells. With nothing free (a target
    /// of zero) any queue is infinitely too long.
    pub fn fraction(&self, queue: f64, target: f64) -> f64 {
        let level = if queue > 0.0 { queue / target } else { 0.0 };
        if level <= 1.0 { self.below(level) } else { self.above(level).max(self.drain_limit) }
    }

    fn below(&self, level: f64) -> f64 {
        match self.curve {
            QueueCurve::Hyperbolic { b, .. } => b / ((b - 1.0) * level + 1.0),
            QueueCurve::Linear { below, .. } => 1.0 + below * (1.0 - level),
        }
    }

    fn above(&self, level: f64) -> f64 {
        // A flat curve stays 1, however long the queue: 0 times infinity is nothing here.
        match self.curve {
            QueueCurve::Hyperbolic { a, .. } if a > 1.0 => a / ((a - 1.0) * level + 1.0),
            QueueCurve::Linear { above, .. } if above > 0.0 => 1.0 - above * (level - 1.0),
            _ => 1.0,
        }
    }

    pub(super) fn mistakes(&self) -> Vec<RateMistake> {
        let limit_fits = self.drain_limit > 0.0 && self.drain_limit <= 1.0;
        let fits = |value: f64, least: f64| value >= least && value.is_finite();
        let [above, below] = match self.curve {
            QueueCurve::Hyperbolic { a, b } => {
                [(fits(a, 1.0), "a", a, "1 or more"), (fits(b, 1.0), "b", b, "1 or more")]
            }
            QueueCurve::Linear { above, below } => [
                (fits(above, 0.0), "above", above, "0 or more"),
                (fits(below, 0.0), "below", below, "0 or more"),
            ],
        };
        let limit = (limit_fits, "drain-limit", self.drain_limit, "above 0 and at most 1");
        mistakes_of([limit, above, below])
    }
}
