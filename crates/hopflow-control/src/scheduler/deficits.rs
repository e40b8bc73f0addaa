//! Turns of a number of bytes, the state of deficit round robin: of flows in one scheduler, of
//! classes in another, whose files have the equations.

use super::turns::Turns;

/// Queues that take turns, and what each may still send in its turn.
#[derive(Clone, Debug)]
pub(super) struct Deficits {
    turns: Turns,
    /// D of each queue in bytes.
    left: Vec<u64>,
    /// Whether the turn of the queue at the front has begun.
    begun: bool,
}

impl Deficits {
    pub(super) fn new(queues: usize) -> Deficits {
        Deficits { turns: Turns::new(queues), left: vec![0; queues], begun: false }
    }

    /// Puts a queue at the end that has a packet which may start, if it is not in the list.
    pub(super) fn enter(&mut self, queue: u32) {
        self.turns.enter(queue);
    }

    /// The queue whose first packet starts next, for `quantum` bytes a turn; `first` has the size
    /// of its first packet that may start.
    pub(super) fn next(
        &mut self,
        quantum: impl Fn(u32) -> u64,
        first: impl Fn(u32) -> Option<u32>,
    ) -> Option<u32> {
        while let Some(queue) = self.turns.first() {
            let deficit = &mut self.left[queue as usize];
            let Some(bytes) = first(queue) else {
                *deficit = 0;
                self.turns.leave();
                self.begun = false;
                continue;
            };
            if !self.begun {
                *deficit += quantum(queue);
                self.begun = true;
            }
            if u64::from(bytes) <= *deficit {
                return Some(queue);
            }
            self.turns.rotate();
            self.begun = false;
        }
        None
    }

    /// That packet starts.
    pub(super) fn start(&mut self, queue: u32, bytes: u32) {
        assert_eq!(self.turns.first(), Some(queue), "the queue whose turn it is starts");
        self.left[queue as usize] -= u64::from(bytes);
    }
}
