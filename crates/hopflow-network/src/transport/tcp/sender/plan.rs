//! The choice of the next segment: the rules of `sender.rs`, in their order.

use hopflow_units::SimTime;

use super::super::sack::Pick;
use super::super::sequence::Seq;
use super::Sender;

/// The segment that would be sent now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) seq: Seq,
    /// Bytes, at least 1.
    pub(super) len: u32,
    /// Rule 1: the first segment, sent again.
    pub(super) resends: bool,
    /// Rule 2.
    pick: Option<Pick>,
}

impl Sender {
    /// The segment that would be sent now.
    pub(super) fn plan(&self, now: SimTime) -> Option<Plan> {
        if self.resend {
            let len = self.first_segment();
            return Some(Plan { seq: self.una, len, resends: true, pick: None });
        }
        if self.board.is_some() && self.congestion.recovering_by_sack() {
            return self.picked(now);
        }
        let (seq, end) = self.place();
        let len = self.onward(seq, end, now)?;
        Some(Plan { seq, len, resends: false, pick: None })
    }

    /// Rule 3: where it goes on, and the byte after the gap that it is in.
    pub(super) fn place(&self) -> (Seq, Option<Seq>) {
        match &self.board {
            Some(board) if self.nxt.before(self.max) => board.gap_from(self.nxt),
            _ => (self.nxt, None),
        }
    }

    /// Advances past the data that a plan sends.
    pub(super) fn follow(&mut self, plan: &Plan) {
        let end = plan.seq.plus(plan.len);
        if self.congestion.recovering_by_sack()
            && let Some(board) = &mut self.board
        {
            board.spend(plan.len);
        }
        if plan.resends {
            self.resend = false;
            self.nxt = self.nxt.max(end);
        } else if let (Some(pick), Some(board)) = (&plan.pick, &mut self.board) {
            board.sent(pick);
            self.nxt = self.nxt.max(end);
        } else {
            self.nxt = end;
        }
    }

    /// Bytes of the first segment that is not acknowledged.
    pub(super) fn first_segment(&self) -> u32 {
        let out = self.max.since(self.una);
        let end = self.board.as_ref().and_then(|board| board.gap_from(self.una).1);
        out.min(self.mss).min(end.map_or(out, |end| end.since(self.una)))
    }

    /// Bytes written and not acknowledged.
    pub(super) fn queued(&self) -> u64 {
        self.supply.written() - self.counters.acked_bytes
    }

    /// Bytes from una on that it may send at `now`, or has sent.
    pub(super) fn written(&self, now: SimTime) -> u64 {
        if self.supply.open(now) { self.queued() } else { u64::from(self.max.since(self.una)) }
    }

    /// Bytes that the congestion window still allows.
    pub(super) fn room(&self) -> u32 {
        let out = match &self.board {
            Some(board) if self.congestion.recovering_by_sack() => return board.room(),
            Some(board) => self.nxt.since(self.una) - board.held_below(self.nxt),
            None => self.nxt.since(self.una),
        };
        self.congestion.allowance(self.duplicates).saturating_sub(out)
    }

    /// Rule 2.
    fn picked(&self, now: SimTime) -> Option<Plan> {
        let board = self.board.as_ref().filter(|_| self.room() >= self.mss)?;
        let new = self.onward(self.max, None, now).unwrap_or(0);
        let pick = board.pick(self.una, self.max, new)?;
        Some(Plan { seq: pick.seq, len: pick.len, resends: false, pick: Some(pick) })
    }

    /// Rule 3: the number of bytes to send from `seq` on, at most to `end`.
    fn onward(&self, seq: Seq, end: Option<Seq>, now: SimTime) -> Option<u32> {
        let again = seq.before(self.max);
        let off = seq.since(self.una);
        let left = self.written(now).saturating_sub(u64::from(off));
        let data = end.map_or(left, |end| left.min(u64::from(end.since(seq))));
        let room = self.room().min(self.wnd.saturating_sub(off));
        let len = data.min(u64::from(room.min(self.mss))) as u32;
        let last = u64::from(len) == left && (!self.nagle || self.una == self.max);
        let sends = len == self.mss || again || last || len >= self.wnd / 2;
        (len > 0 && sends).then_some(len)
    }
}
