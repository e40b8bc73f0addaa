//! Credit cells that VCs share: which VCs have credits in the next one.
//!
//! All credit cells of a link travel on VCs of their own, and one cell can carry credits of n VCs.
//! A cell is queued when a VC becomes due, as if it were alone. When the cell starts, it takes the
//! VCs that are due, in order, and fills up with VCs that have freed fewer than N2 cells, those
//! first whose first such cell was freed earliest:
//! ```text
//! due    <=>  F >= N2, or a credit is requested                                  (1)
//! fresh  <=>  0 < F < N2                                                         (2)
//! a credit cell has min(n, due + fresh) credits, due VCs first                   (3)
//! F <- 0                             for each VC in the cell, as it starts       (4)
//! overhead = 1 / (n N2 + 1)          of a link that is full both ways, at least  (5)
//! ```
//! | symbol        | meaning                                                       | unit    |
//! |---------------|---------------------------------------------------------------|---------|
//! | n, `per_cell` | the most credits in a cell                                    | credits |
//! | N2, `n2`      | cells freed per credit                                        | cells   |
//! | F, `freed`    | cells freed since the last credit of the VC                   | cells   |
//! | overhead      | credit cells in all cells of a direction                      |         |
//!
//! (5): of n credits none covers more than N2 cells, unless the cell had to wait for its link. So
//! a credit cell covers at most n N2 data cells of the reverse direction; with equal traffic both
//! ways there are n N2 data cells for each credit cell. With V VCs of equal rate, lists in order
//! are a cycle: each cell takes the next n, and is due when the first of them has freed N2, that
//! is ceil(V / n) cells after its last credit. In this time the V VCs free V N2, so a cell covers
//! V N2 / ceil(V / n) cells of data, less at most one for each credit but the first: n N2 if n
//! divides V.
//!
//! Nothing waits for a cell to fill. Credits of fresh VCs are earlier than without sharing, which
//! every scheme allows: a value says what is true as its cell starts.
//!
//! Source: [KMCL94] 3 for the carrier VC and 4.4 for the overhead; the format of a credit cell is
//! in [KC93], which was not read. (1) to (4) are ours. A cell has room for six credits: 48 B, less
//! 4 B for a CRC, are six records of 28 bits of VPI and VCI and 28 bits of value. Not modelled: the
//! identifier of the carrier VC; other contents of the cell. Checked by: `carrier/tests.rs`,
//! `hopflow-engine/tests/shared_credits.rs`.

use hopflow_units::Cells;

/// The place of no member.
const NONE: u32 = u32::MAX;

/// What a VC has to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Idle,
    Fresh,
    Due,
}

/// One VC.
#[derive(Clone, Copy, Debug)]
struct Member {
    n2: u32,
    /// F, at most N2.
    freed: u32,
    state: State,
    /// Its neighbours in its list.
    before: u32,
    after: u32,
}

/// A list of members.
#[derive(Clone, Copy, Debug)]
struct Line {
    first: u32,
    last: u32,
}

impl Line {
    const EMPTY: Line = Line { first: NONE, last: NONE };

    fn append(&mut self, members: &mut [Member], place: u32) {
        let before = std::mem::replace(&mut self.last, place);
        (members[place as usize].before, members[place as usize].after) = (before, NONE);
        match before {
            NONE => self.first = place,
            before => members[before as usize].after = place,
        }
    }

    fn remove(&mut self, members: &mut [Member], place: u32) {
        let Member { before, after, .. } = members[place as usize];
        match before {
            NONE => self.first = after,
            before => members[before as usize].after = after,
        }
        match after {
            NONE => self.last = before,
            after => members[after as usize].before = before,
        }
    }
}

/// The credit cells of the VCs that arrive by one link direction and share them.
#[derive(Clone, Debug)]
pub struct CreditCarrier {
    members: Vec<Member>,
    due: Line,
    fresh: Line,
    /// Whether a credit cell waits in the control line.
    is_waiting: bool,
}

impl CreditCarrier {
    /// The most credits in a cell.
    pub const MOST: u32 = 6;

    /// Cells for VCs with these N2, all at least 1 (asserted).
    pub fn new(n2: impl Iterator<Item = Cells>) -> CreditCarrier {
        let member = |n2: Cells| {
            assert!(n2 >= Cells::ONE, "N2 is at least one cell");
            Member { n2: n2.0, freed: 0, state: State::Idle, before: NONE, after: NONE }
        };
        let members = n2.map(member).collect();
        CreditCarrier { members, due: Line::EMPTY, fresh: Line::EMPTY, is_waiting: false }
    }

    /// A cell of a VC is freed. Returns whether a credit cell must be queued. Eqs. (1), (2).
    pub fn on_freed(&mut self, place: u32) -> bool {
        let member = &mut self.members[place as usize];
        if member.state == State::Due {
            return false;
        }
        member.freed += 1;
        if member.freed >= member.n2 {
            return self.ask(place);
        }
        if member.state == State::Idle {
            member.state = State::Fresh;
            self.fresh.append(&mut self.members, place);
        }
        false
    }

    /// A credit of a VC is requested. Returns whether a credit cell must be queued.
    pub fn ask(&mut self, place: u32) -> bool {
        match self.members[place as usize].state {
            State::Due => return false,
            State::Fresh => self.fresh.remove(&mut self.members, place),
            State::Idle => {}
        }
        self.members[place as usize].state = State::Due;
        self.due.append(&mut self.members, place);
        !std::mem::replace(&mut self.is_waiting, true)
    }

    /// The next VC of the cell that starts now, whose value is to be read. Eqs. (3), (4).
    pub fn next_credit(&mut self) -> Option<u32> {
        let line = if self.due.first == NONE { &mut self.fresh } else { &mut self.due };
        let place = line.first;
        if place == NONE {
            return None;
        }
        line.remove(&mut self.members, place);
        let member = &mut self.members[place as usize];
        (member.state, member.freed) = (State::Idle, 0);
        Some(place)
    }

    /// The credit of a VC, named last, is left out: the next freed cell makes one due.
    pub fn leave_out(&mut self, place: u32) {
        let member = &mut self.members[place as usize];
        member.freed = member.n2 - 1;
    }

    /// The cell that started, or was left out, is complete. Returns whether another must be queued.
    pub fn complete(&mut self) -> bool {
        assert!(self.is_waiting, "a credit cell starts that was not queued");
        self.is_waiting = self.due.first != NONE;
        self.is_waiting
    }
}

#[cfg(test)]
mod tests;
