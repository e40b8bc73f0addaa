//! Mukherji's schedule: slots have owners, and a slot whose owner is idle is lent.
//!
//! ```text
//! in a slot whose owner has a packet, only the owner starts packets;             (1)
//!     each repays one:  b_i := max(b_i - 1, 0)
//! in any other slot, the flow with b_i < W whose turn it is;  b_i := b_i + 1     (2)
//! a packet starts only if it ends within the slot                                (3)
//! ```
//! | symbol      | meaning                                                | unit    |
//! |-------------|--------------------------------------------------------|---------|
//! | W, `window` | packets a flow may have sent in slots of others        | packets |
//! | b_i         | packets sent in slots of others and not repaid         | packets |
//!
//! The slots are those of `tdm.rs`. A slot without an owner is lent, too. Flows that may borrow
//! take turns of one packet each; a flow that receives a packet joins the end of the list. If the
//! packet of the flow whose turn it is does not end within the slot, nobody borrows the rest of it.
//! An owner that link control holds back counts as having no packet. As every packet ends within
//! its slot, an owner with a packet never loses a slot; W = 0 is TDM.
//!
//! When the buffer is full, the last packet of the flow with the most packets is pushed out.
//!
//! Source: [Muk86], known from [Zhang90] 4.1 only, which describes equal frames, slots assigned to
//! users, the use of own slots or of those whose owner is empty, and a window that limits the
//! packets sent in slots of others. Differs (not described there): who borrows first, and that the
//! use of an own slot repays a borrowed one. Not modelled: the assignment of slots end to end.
//! Checked by: `schedule_based/tests.rs`.

#[cfg(test)]
mod tests;

use hopflow_units::SimTime;

use super::Guarantee;
use super::backlog::Backlog;
use super::facts::{Facts, Void};
use super::frame::Frame;
use super::machine::{Machine, Port};
use super::rank_heap::RankHeap;
use super::turns::Turns;
use super::{Next, Notice};

/// The machine of Eqs. (1) to (3).
#[derive(Clone, Debug)]
pub struct ScheduleBased {
    backlog: Backlog,
    frame: Frame,
    window: u32,
    /// b of each flow.
    borrowed: Vec<u32>,
    /// Flows that may borrow.
    borrowers: Turns,
    /// Flows that have a packet and may send, by an own slot before which they have none; a number
    /// before the present slot means that the flow must be checked.
    owners: RankHeap<u64>,
}

impl ScheduleBased {
    pub(super) const FACTS: Facts = Facts {
        voided_by: &[Void::ControlCells],
        ..Facts::new("schedule-based", "schedule-based")
    };

    pub(super) const fn guarantee(frame: u32, _window: u32) -> Guarantee {
        Guarantee::Slots { frame }
    }

    /// An empty port of these flows. Panics when they do not fit the frame, see
    /// [`super::tdm::slots`].
    pub(super) fn new(port: &Port<'_>, frame: u32, window: u32) -> ScheduleBased {
        let flows = port.flows.len();
        ScheduleBased {
            backlog: Backlog::new(flows, port.finds_victims),
            frame: Frame::new(port.wire(), frame, port.flows),
            window,
            borrowed: vec![0; flows],
            borrowers: Turns::new(flows),
            owners: RankHeap::new(flows),
        }
    }

    /// The flow whose turn it is to borrow.
    fn borrower(&mut self) -> Option<u32> {
        while let Some(flow) = self.borrowers.first() {
            if self.owners.contains(flow) && self.borrowed[flow as usize] < self.window {
                return Some(flow);
            }
            self.borrowers.leave();
        }
        None
    }
}

impl Machine for ScheduleBased {
    type Packets = Backlog;

    fn packets(&mut self) -> &mut Backlog {
        &mut self.backlog
    }

    fn arrive(&mut self, flow: u32, bytes: u32, _now: SimTime) -> Option<Notice> {
        self.backlog.arrive(flow, bytes);
        self.changed(flow);
        None
    }

    fn next(&mut self, now: SimTime) -> Next {
        let present = self.frame.number(now);
        let owner = self.frame.owner(present);
        let borrower = self.borrower();
        let candidate = owner.filter(|owner| self.owners.contains(*owner)).or(borrower);
        if let Some(flow) = candidate {
            let bytes = self.backlog.ready(flow).expect("a waiting flow has a packet");
            if self.frame.fits(bytes, now) {
                return Next::Flow(flow); // Eq. (3)
            }
        }
        if borrower.is_some() {
            return Next::At(self.frame.start(present + 1));
        }
        while let Some((number, flow)) = self.owners.first() {
            if number > present {
                return Next::At(self.frame.start(number));
            }
            self.owners.set(flow, self.frame.own_from(flow, present + 1));
        }
        Next::Nothing
    }

    fn start(&mut self, flow: u32, now: SimTime, _end: SimTime) {
        let borrowed = &mut self.borrowed[flow as usize];
        if self.frame.owner(self.frame.number(now)) == Some(flow) {
            *borrowed = borrowed.saturating_sub(1); // Eq. (1)
        } else {
            assert_eq!(self.borrowers.first(), Some(flow), "the flow whose turn it is borrows");
            *borrowed += 1; // Eq. (2)
            self.borrowers.rotate();
        }
        self.drop_first(flow);
    }

    /// Updates the lists that hold the flow.
    fn changed(&mut self, flow: u32) {
        if self.backlog.ready(flow).is_none() {
            self.owners.remove(flow);
            return;
        }
        if !self.owners.contains(flow) {
            self.owners.set(flow, 0);
        }
        if self.borrowed[flow as usize] < self.window {
            self.borrowers.join(flow, &self.backlog);
        }
    }
}
