//! The options of ERICA and ERICA+, with their usual values.
//!
//! | option            | default | source                                                       |
//! |-------------------|---------|--------------------------------------------------------------|
//! | `interval`        | 5 ms    | [VFJG98a] table 1 (15 ms for its largest network)            |
//! | `interval_cells`  | none    | 100 cells with 1 ms, or 500 with 5 ms: customary             |
//! | `active`          | seen    | [Kalyanaraman97] p. 400; its decay factor 0.9 is customary,  |
//! |                   |         | 0.8 is in [VFJG98a]                                          |
//! | `backward_counts` | yes     | [Kalyanaraman97] p. 403                                      |
//! | `immediate_share` | no      | an option in [Kalyanaraman97] p. 399                         |
//! | `vc_rate`         | CCR     | [Kalyanaraman97] p. 403; measured is an option, p. 162       |
//! | `averaging`       | none    | options in [Kalyanaraman97] p. 400-402                       |
//! | `max_alloc`       | 0.1     | [VFJG98a]: delta = 0.1                                       |
//! | `hold_at_share`   | no      | [VFJG98a] (12) has it; see below                             |
//! | `cap`             | target  | customary; see below                                         |
//!
//! Holding a VC at its fair share until it has reached it avoids a jump, but it needs exact rates.
//! A source whose CCR is a little below F, because ER was rounded down or because its rate is
//! measured, is held at F for ever, even if the link has capacity left. So the option is off by
//! default.
//!
//! ER is capped at the target, A. While a queue drains, A is only a part of the link, so VCs whose
//! load is far below A rise only to that part. If the link is the cap, they rise above A, and the
//! load factor of the next interval brings them back.
//!
//! Source: as in the table. Not modelled: nothing. Checked by: `erica/tests.rs`.

use hopflow_units::Picos;
use serde::{Deserialize, Serialize};

use super::super::mistake::{RateMistake, mistakes_of};
use super::LoadAveraging;

/// What ERICA and ERICA+ have in common.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EricaOptions {
    /// The averaging interval, above zero.
    #[serde(rename = "interval_ps")]
    pub interval: Picos,
    /// An interval also ends after this number of rate-controlled cells, at least 1; `None`: only
    /// after `interval`.
    #[serde(with = "hopflow_units::exact::option")]
    pub interval_cells: Option<u64>,
    /// How N is counted.
    #[serde(flatten)]
    pub active: ActiveCount,
    /// Whether a BRM of a VC shows that it is active, as its forward cells do.
    pub backward_counts: bool,
    /// Whether a VC that was not counted in the last interval lowers F at once.
    pub immediate_share: bool,
    /// Where the rate of a VC is taken from.
    pub vc_rate: VcRate,
    /// How the load is averaged over intervals.
    #[serde(flatten)]
    pub averaging: LoadAveraging,
    /// delta of Eq. (7), at least 0; `None`: without Mold, as in the first version of ERICA.
    #[serde(rename = "delta")]
    pub max_alloc: Option<f64>,
    /// Eq. (8): a VC below its fair share rises to it first.
    pub hold_at_share: bool,
    /// The upper bound of a VC's rate.
    pub cap: ErCap,
}

impl Default for EricaOptions {
    fn default() -> EricaOptions {
        EricaOptions {
            interval: Picos(5_000_000_000),
            interval_cells: None,
            active: ActiveCount::Seen,
            backward_counts: true,
            immediate_share: false,
            vc_rate: VcRate::Ccr,
            averaging: LoadAveraging::None,
            max_alloc: Some(0.1),
            hold_at_share: false,
            cap: ErCap::Target,
        }
    }
}

/// How a VC counts towards N.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "WrittenCount", from = "WrittenCount")]
pub enum ActiveCount {
    /// Fully, if it was seen in the interval; else not at all.
    Seen,
    /// Fully, if it was seen in the interval; else `decay` times what it counted before.
    Contributions {
        /// Decay factor, 0 to below 1.
        decay: f64,
    },
}

/// An [`ActiveCount`] in results: `decay` is `null` where VCs are seen or not.
#[derive(Serialize, Deserialize)]
struct WrittenCount {
    #[serde(rename = "active_count")]
    kind: Count,
    decay: Option<f64>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Count {
    Seen,
    Contributions,
}

impl From<ActiveCount> for WrittenCount {
    fn from(count: ActiveCount) -> WrittenCount {
        match count {
            ActiveCount::Seen => WrittenCount { kind: Count::Seen, decay: None },
            ActiveCount::Contributions { decay } => {
                WrittenCount { kind: Count::Contributions, decay: Some(decay) }
            }
        }
    }
}

impl From<WrittenCount> for ActiveCount {
    fn from(written: WrittenCount) -> ActiveCount {
        written.decay.map_or(ActiveCount::Seen, |decay| ActiveCount::Contributions { decay })
    }
}

/// Where the rate of a VC is taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VcRate {
    /// The CCR of its last FRM cell: what it may send.
    Ccr,
    /// Its cells in the last interval (VC counting: settling time): what it did send.
    Measured,
}

/// The upper bound of the rate that a VC is given, its MCR included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErCap {
    /// MCR + A: the target, which is less than the link while a queue drains.
    Target,
    /// C: the rate of the link, whatever the queue.
    Link,
}

impl EricaOptions {
    /// All that is wrong with them; empty if they are valid.
    pub fn mistakes(&self) -> Vec<RateMistake> {
        let cells = self.interval_cells.unwrap_or(1);
        let delta = self.max_alloc.unwrap_or(0.0);
        let decay = match self.active {
            ActiveCount::Seen => 0.0,
            ActiveCount::Contributions { decay } => decay,
        };
        let alpha = match self.averaging {
            LoadAveraging::None => 1.0,
            LoadAveraging::OfFactor { alpha } | LoadAveraging::OfParts { alpha } => alpha,
        };
        let delta_fits = delta >= 0.0 && delta.is_finite();
        let alpha_fits = alpha > 0.0 && alpha <= 1.0;
        mistakes_of([
            (self.interval > Picos::ZERO, "interval", self.interval.0 as f64, "above 0"),
            (cells > 0, "interval-cells", cells as f64, "at least 1"),
            ((0.0..1.0).contains(&decay), "decay", decay, "from 0 to below 1"),
            (delta_fits, "delta", delta, "0 or more"),
            (alpha_fits, "alpha", alpha, "above 0 and at most 1"),
        ])
    }
}
