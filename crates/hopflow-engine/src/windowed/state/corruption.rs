//! Corruption of units that start on a link direction: by chance, and of a specified number of
//! credits.

use hopflow_kernel::RandomStream;
use hopflow_units::Probability;

use hopflow_network::CellKind;

/// Corruption on the outgoing direction.
#[derive(Debug)]
pub(crate) struct Corruption {
    pub(crate) data: Probability,
    pub(crate) credits: Probability,
    /// Credits still to be corrupted: (VC or any, count).
    pub(crate) next_credits: Vec<(Option<u32>, u32)>,
    pub(crate) stream: RandomStream,
}

impl Corruption {
    /// Whether the unit of this kind and VC that starts now is corrupted.
    #[expect(clippy::inline_always, reason = "it is on the way of every cell")]
    #[inline(always)]
    pub(super) fn strikes(&mut self, kind: CellKind, vc: u32) -> bool {
        if kind.is_control() {
            return self.strikes_control(kind, vc);
        }
        !self.data.is_zero() && self.data.hits(self.stream.next_u64())
    }

    fn strikes_control(&mut self, kind: CellKind, vc: u32) -> bool {
        if kind == CellKind::Credit && self.takes_named(&[vc]) {
            return true;
        }
        let never = matches!(kind, CellKind::Loop | CellKind::LoopReply | CellKind::SlowDown);
        !never
            && !kind.is_signalling()
            && !self.credits.is_zero()
            && self.credits.hits(self.stream.next_u64())
    }

    /// Whether the credit cell of these VCs that starts now is corrupted.
    pub(super) fn strikes_credits(&mut self, vcs: &[u32]) -> bool {
        let by_chance = |this: &mut Corruption| this.credits.hits(this.stream.next_u64());
        self.takes_named(vcs) || !self.credits.is_zero() && by_chance(self)
    }

    fn takes_named(&mut self, vcs: &[u32]) -> bool {
        if self.next_credits.is_empty() {
            return false;
        }
        for of in vcs.iter().map(|vc| Some(*vc)).chain([None]) {
            let named = self.next_credits.iter_mut().find(|entry| entry.0 == of && entry.1 > 0);
            if let Some((_, left)) = named {
                *left -= 1;
                return true;
            }
        }
        false
    }
}
