//! On-off bursts: cells back to back, then silence, with drawn or fixed lengths.
//!
//! ```text
//! t(i, j) = a_i + j T,      j = 0 .. L_i - 1     cell j of burst i               (1)
//! a_(i+1) = a_i + L_i T + S_i                    the next burst                  (2)
//! a_0     = start (burst first), or start + S                                    (3)
//!
//!   |#|#|#|#|............|#|#|..........      # one cell time T
//!   a_0      '--- S_0 ---' a_1                silence begins when the last cell time ends
//! ```
//! | symbol | meaning                                                     | unit  |
//! |--------|-------------------------------------------------------------|-------|
//! | L      | length of a burst, at least 1                               | cells |
//! | S      | silence after a burst                                       | ps    |
//! | T      | cell time of the first hop's link                           | ps    |
//!
//! L is fixed, geometric on 1, 2, ..., or exponential and rounded up to a whole cell. S is
//! fixed, geometric on 0, 1, ... cell times, or exponential and rounded up to a whole ps.
//!
//! Draws are made in the order S (unless a burst is first), L, S, L, ... The share of time
//! that is on is E(L) T / (E(L) T + E(S)). Rounding up an exponential number of mean m gives
//! E(L) = 1 / (1 - exp(-1/m)), about m + 1/2. With a geometric number of mean m the mean is m.
//!
//! Source: the bursty VCs of [KMCL94] 8.2 (its lengths are not given there). Differs: nothing.
//! Not modelled: heavy tails, correlated bursts. Checked by: `traffic/tests.rs`.

use hopflow_kernel::RandomStream;
use hopflow_units::{Picos, SimTime};

use super::SourceSpec;
use super::facts::{Arrivals, Facts, Faster, NotFaster};
use super::machine::{FirstLink, Machine, Start};

use crate::{LengthLaw, SpanLaw};

/// The instants of Eqs. (1) to (3).
#[derive(Clone, Debug)]
pub(super) struct OnOff {
    /// When the next cell is due if it belongs to this burst; otherwise when this burst's last cell
    /// time ends.
    next: SimTime,
    /// Cells of this burst still to come.
    left: u64,
    cell_time: Picos,
    burst: LengthLaw,
    off: SpanLaw,
    stream: RandomStream,
    /// Whether silence precedes the next burst.
    rest: bool,
}

impl OnOff {
    pub(super) const FACTS: Facts = Facts::new("on-off");

    pub(super) const fn arrivals(
        burst: LengthLaw,
        off: SpanLaw,
        _burst_first: bool,
    ) -> Arrivals<'static> {
        Arrivals::Bursts { burst, off }
    }

    pub(super) const fn faster(
        _by: Faster,
        _burst: LengthLaw,
        _off: SpanLaw,
        _burst_first: bool,
    ) -> Result<SourceSpec, NotFaster> {
        Err(NotFaster::NoLaw)
    }

    /// The plan before cell 0, with a burst or a silence at the start.
    pub(super) fn new(
        start: &Start<'_>,
        burst: LengthLaw,
        off: SpanLaw,
        burst_first: bool,
    ) -> OnOff {
        let (next, cell_time, stream) = (start.at, start.longest, start.stream());
        OnOff { next, left: 0, cell_time, burst, off, stream, rest: !burst_first }
    }

    fn begin_burst(&mut self) {
        if self.rest {
            let silence = drawn_span(self.off, self.cell_time, &mut self.stream);
            self.next = self.next.saturating_add(silence);
        }
        self.left = drawn_length(self.burst, &mut self.stream);
        self.rest = true;
    }
}

impl Machine for OnOff {
    #[inline]
    fn next_packet(&mut self, bytes: u32, first: &mut FirstLink) -> SimTime {
        if self.left == 0 {
            self.begin_burst();
        }
        let due = self.next;
        self.left -= 1;
        self.next = due.saturating_add(first.time(bytes));
        due
    }
}

/// L, at least 1.
fn drawn_length(law: LengthLaw, stream: &mut RandomStream) -> u64 {
    match law {
        LengthLaw::Fixed(cells) => {
            assert!(cells >= 1, "a burst has at least one cell");
            cells
        }
        LengthLaw::Geometric(mean) => stream.geometric(mean),
        LengthLaw::Exponential(mean) => (stream.exponential(mean).ceil() as u64).max(1),
    }
}

/// S; the longest span on overflow.
fn drawn_span(law: SpanLaw, cell_time: Picos, stream: &mut RandomStream) -> Picos {
    match law {
        SpanLaw::Fixed(span) => span,
        SpanLaw::GeometricCells(mean) => {
            let cells = stream.geometric(mean + 1.0) - 1;
            Picos(cells.saturating_mul(cell_time.0))
        }
        SpanLaw::Exponential(mean) => Picos(stream.exponential(mean.0 as f64).ceil() as u64),
    }
}
