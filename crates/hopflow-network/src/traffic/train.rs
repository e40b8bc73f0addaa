//! Packet trains: a few packets at a fixed spacing, then a pause.
//!
//! ```text
//! in a train             t_(n+1) = t_n + s                                       (1)
//! to the next train      t_(n+1) = t_n + s + S                                   (2)
//! ```
//! | symbol | meaning                                                  | unit    |
//! |--------|----------------------------------------------------------|---------|
//! | L      | length of a train, geometric on 1, 2, ..., drawn each time | packets |
//! | s      | spacing inside a train                                   | ps      |
//! | S      | pause, exponential, rounded up, drawn each time          | ps      |
//!
//! The first train begins at start + S. Mean rate: E(L) / (E(L) s + E(S)). A source of mean rate
//! AR and burstiness b has s = 1 / (b AR) and E(S) = (E(L) / AR) (1 - 1/b).
//!
//! Source: [Zhang90] 3.1.2 after [JR86]; b = 2 there. Differs: the paper gives neither E(L) nor
//! whether the exponential gap between trains is in addition to s. Not modelled: trains that answer
//! each other. Checked by: `traffic/tests/packets.rs`.

use hopflow_kernel::RandomStream;
use hopflow_units::{Picos, SimTime};

use super::SourceSpec;
use super::facts::{Arrivals, Facts, Faster, NotFaster};
use super::machine::{FirstLink, Machine, Start};

/// The instants of Eqs. (1) and (2).
#[derive(Clone, Debug)]
pub(super) struct Train {
    /// When the next packet is due, without a pause before it.
    next: SimTime,
    /// Packets of this train still to come.
    left: u64,
    length: f64,
    spacing: Picos,
    pause: Picos,
    stream: RandomStream,
}

impl Train {
    pub(super) const FACTS: Facts = Facts::new("train");

    pub(super) fn arrivals(length: f64, spacing: Picos, pause: Picos) -> Arrivals<'static> {
        let mean_ps = spacing.0 as f64 + pause.0 as f64 / length;
        let at_once = "the packets of a train come at once, and its length has no limit";
        let least = Some(spacing).filter(|spacing| *spacing > Picos::ZERO).ok_or(at_once);
        Arrivals::Gaps { mean_ps, least, is_stationary: false }
    }

    #[expect(clippy::unnecessary_wraps, reason = "every kind is asked alike")]
    pub(super) fn faster(
        by: Faster,
        length: f64,
        spacing: Picos,
        pause: Picos,
    ) -> Result<SourceSpec, NotFaster> {
        let pause = Picos((pause.0 as f64 / by.times).ceil() as u64);
        Ok(SourceSpec::Train { length, spacing: by.shortened(spacing), pause })
    }

    /// The plan before packet 0.
    pub(super) fn new(start: &Start<'_>, length: f64, spacing: Picos, pause: Picos) -> Train {
        Train { next: start.at, left: 0, length, spacing, pause, stream: start.stream() }
    }
}

impl Machine for Train {
    #[inline]
    fn next_packet(&mut self, _bytes: u32, _first: &mut FirstLink) -> SimTime {
        if self.left == 0 {
            let pause = self.stream.exponential(self.pause.0 as f64);
            self.next = self.next.saturating_add(Picos(pause.ceil() as u64));
            self.left = self.stream.geometric(self.length);
        }
        let due = self.next;
        self.left -= 1;
        self.next = due.saturating_add(self.spacing);
        due
    }
}
