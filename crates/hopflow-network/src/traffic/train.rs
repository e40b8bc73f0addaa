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
    /// The plan before packet 0.
    pub(super) fn new(
        start: SimTime,
        length: f64,
        [spacing, pause]: [Picos; 2],
        stream: RandomStream,
    ) -> Train {
        Train { next: start, left: 0, length, spacing, pause, stream }
    }

    /// When the next packet is due; `NEVER` on overflow.
    pub(super) fn next_packet(&mut self) -> SimTime {
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
