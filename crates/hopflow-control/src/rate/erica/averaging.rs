//! The load factor of a port, averaged over intervals or not.
//!
//! ```text
//! none      A = A_k,    z = x_k / (A_k t_k)                                      (1)
//! method 1  A = A_k,    z = (1 - alpha) z + alpha x_k / (A_k t_k)                (2)
//! method 2  a = (1 - alpha) a + alpha A_k t_k,   x and t likewise,               (3)
//!           A = a / t,  z = x / a                                                (4)
//! ```
//! | symbol           | meaning                                        | unit    |
//! |------------------|------------------------------------------------|---------|
//! | A_k, A           | target capacity: of interval k, and to be used | cells/s |
//! | x_k, t_k         | cells that came in interval k, and its length  | cells, s |
//! | a, x, t          | their averages                                 | cells, s |
//! | z                | load factor; infinite where A is 0             | 1       |
//! | alpha            | weight of the newest interval                  | 1       |
//!
//! Method 1 averages a ratio, so a short lull of the capacity weighs as much as a long one. Method
//! 2 averages numerator and denominator. An infinite z cannot be averaged: method 1 starts anew
//! after it.
//!
//! Source: [Kalyanaraman97] p. 400-402; alpha = 0.8 is customary ([VFJG98a] averages load and
//! number of VCs with a factor of 0.8). Differs: nothing. Not modelled: nothing. Checked by:
//! `erica/tests.rs`.

use serde::{Deserialize, Serialize};

/// How the load is averaged over intervals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "WrittenAveraging", try_from = "WrittenAveraging")]
pub enum LoadAveraging {
    /// Every interval counts alone. Eq. (1).
    None,
    /// Method 1: the load factor is averaged. Eq. (2).
    OfFactor {
        /// Weight of the newest interval, above 0 and at most 1.
        alpha: f64,
    },
    /// Method 2: cells, capacity and time are averaged. Eq. (3), (4).
    OfParts {
        /// Weight of the newest interval, above 0 and at most 1.
        alpha: f64,
    },
}

/// A [`LoadAveraging`] in results: `alpha` is `null` where nothing is averaged.
#[derive(Serialize, Deserialize)]
struct WrittenAveraging {
    averaging: Method,
    alpha: Option<f64>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Method {
    None,
    OfFactor,
    OfParts,
}

impl From<LoadAveraging> for WrittenAveraging {
    fn from(averaging: LoadAveraging) -> WrittenAveraging {
        let (averaging, alpha) = match averaging {
            LoadAveraging::None => (Method::None, None),
            LoadAveraging::OfFactor { alpha } => (Method::OfFactor, Some(alpha)),
            LoadAveraging::OfParts { alpha } => (Method::OfParts, Some(alpha)),
        };
        WrittenAveraging { averaging, alpha }
    }
}

impl TryFrom<WrittenAveraging> for LoadAveraging {
    type Error = &'static str;

    fn try_from(written: WrittenAveraging) -> Result<LoadAveraging, &'static str> {
        let alpha = written.alpha.ok_or("an average has an `alpha`");
        Ok(match written.averaging {
            Method::None => LoadAveraging::None,
            Method::OfFactor => LoadAveraging::OfFactor { alpha: alpha? },
            Method::OfParts => LoadAveraging::OfParts { alpha: alpha? },
        })
    }
}

/// The load on which a port relies until the next interval ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Load {
    /// A, in cells/s.
    pub(super) capacity: f64,
    /// z.
    pub(super) factor: f64,
}

/// Averages the load of a port.
#[derive(Clone, Debug)]
pub(super) struct LoadMeter {
    averaging: LoadAveraging,
    /// The last z of Eq. (2); infinite before the first interval.
    factor: f64,
    /// a, x, t of Eq. (3); `None` before the first interval.
    parts: Option<[f64; 3]>,
}

impl LoadMeter {
    pub(super) const fn new(averaging: LoadAveraging) -> LoadMeter {
        LoadMeter { averaging, factor: f64::INFINITY, parts: None }
    }

    /// Takes an interval of `secs` in which `cells` arrived and `capacity` cells/s were free.
    pub(super) fn measure(&mut self, secs: f64, cells: f64, capacity: f64) -> Load {
        let offered = capacity * secs;
        match self.averaging {
            LoadAveraging::None => Load { capacity, factor: ratio(cells, offered) },
            LoadAveraging::OfFactor { alpha } => {
                let now = ratio(cells, offered);
                let both_finite = self.factor.is_finite() && now.is_finite();
                self.factor = if both_finite { mix(self.factor, now, alpha) } else { now };
                Load { capacity, factor: self.factor }
            }
            LoadAveraging::OfParts { alpha } => {
                let now = [offered, cells, secs];
                let old = self.parts.unwrap_or(now);
                let [offered, cells, secs] = [0, 1, 2].map(|part| mix(old[part], now[part], alpha));
                self.parts = Some([offered, cells, secs]);
                Load { capacity: offered / secs, factor: ratio(cells, offered) }
            }
        }
    }
}

fn mix(old: f64, new: f64, alpha: f64) -> f64 {
    (1.0 - alpha) * old + alpha * new
}

/// Load over capacity; infinite without capacity.
fn ratio(cells: f64, offered: f64) -> f64 {
    if offered > 0.0 { cells / offered } else { f64::INFINITY }
}
