//! The list of gates of a time-aware shaper: which classes may send when. Eq. (1) of
//! `time_aware.rs`.

use std::sync::Arc;

use hopflow_units::Picos;

/// Which classes may send, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gate {
    /// The span d. Not zero.
    pub span: Picos,
    /// Bit k: class k may send.
    pub open: u8,
}

/// The gates of a port, in the order of their times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateList {
    /// When the first gate takes effect.
    pub offset: Picos,
    /// Not empty.
    pub gates: Arc<[Gate]>,
}

impl GateList {
    /// The longest cycle: sums of three fit 2^64 ps.
    pub const LONGEST: Picos = Picos(1 << 62);

    /// The cycle T. `None` when the sum of the spans is zero or above [`GateList::LONGEST`].
    pub fn cycle(&self) -> Option<Picos> {
        let sum = self.gates.iter().try_fold(0_u64, |sum, gate| sum.checked_add(gate.span.0));
        sum.filter(|sum| (1..=GateList::LONGEST.0).contains(sum)).map(Picos)
    }

    /// The openings of a class in a cycle, see [`GateList::spans`].
    pub fn openings(&self, class: u8) -> Vec<(Picos, Picos)> {
        self.spans(|open| open & 1_u8.checked_shl(class.into()).unwrap_or(0) != 0)
    }

    /// The spans of a cycle in which the open classes meet a condition: begin and end after the
    /// offset, in order. The last may end in the next cycle. A condition that is always met gives
    /// one span of a whole cycle.
    pub fn spans(&self, meets: impl Fn(u8) -> bool) -> Vec<(Picos, Picos)> {
        let mut openings: Vec<(Picos, Picos)> = Vec::new();
        let mut begin = Picos::ZERO;
        for gate in self.gates.iter() {
            let end = Picos(begin.0 + gate.span.0);
            if meets(gate.open) {
                match openings.last_mut().filter(|(_, last)| *last == begin) {
                    Some((_, last)) => *last = end,
                    None => openings.push((begin, end)),
                }
            }
            begin = end;
        }
        if openings.len() > 1 && openings[0].0 == Picos::ZERO {
            let first = openings[0].1;
            if let Some((_, last)) = openings.last_mut().filter(|(_, last)| *last == begin) {
                last.0 += first.0;
                openings.remove(0);
            }
        }
        openings
    }
}
