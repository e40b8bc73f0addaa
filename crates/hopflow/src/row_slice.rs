//! Rows of a trace on their way: slice by slice, in buffers that come back.
//!
//! ```text
//! RowSlices::empty() --> filled by one thread --> read by another --> dropped
//!      ^                                                                |
//!      +---------------- the same room, emptied ------------------------+
//! ```
//! There are only so many slices, so whoever fills them waits for who reads them.

use std::mem;
use std::ops::{Deref, DerefMut};
use std::sync::mpsc::{Receiver, Sender, channel};

use hopflow_network::RowRuns;

/// The rows of a slice of simulated time as nodes made them: [`hopflow_network::RowOrder`] puts
/// them in order. Its room goes back when it is dropped.
#[derive(Debug)]
pub struct RowSlice {
    runs: RowRuns,
    home: Sender<RowRuns>,
}

impl Deref for RowSlice {
    type Target = RowRuns;

    fn deref(&self) -> &RowRuns {
        &self.runs
    }
}

impl DerefMut for RowSlice {
    fn deref_mut(&mut self) -> &mut RowRuns {
        &mut self.runs
    }
}

impl Drop for RowSlice {
    fn drop(&mut self) {
        let mut runs = mem::take(&mut self.runs);
        runs.clear();
        // Nobody takes it after the end.
        let _ = self.home.send(runs);
    }
}

/// Makes slices, at most so many at a time.
#[derive(Debug)]
pub struct RowSlices {
    home: Sender<RowRuns>,
    empties: Receiver<RowRuns>,
    made: usize,
    most: usize,
}

impl RowSlices {
    /// At most `most` slices at a time, and at least one.
    pub fn new(most: usize) -> RowSlices {
        let (home, empties) = channel();
        RowSlices { home, empties, made: 0, most: most.max(1) }
    }

    /// An empty slice; waits for one to be dropped while there are as many as there may be.
    pub fn empty(&mut self) -> RowSlice {
        let runs = match self.empties.try_recv() {
            Ok(runs) => runs,
            Err(_) if self.made < self.most => {
                self.made += 1;
                RowRuns::default()
            }
            Err(_) => self.empties.recv().expect("the sender is held here"),
        };
        RowSlice { runs, home: self.home.clone() }
    }

    /// How many have been made: what is used again counts once.
    pub fn made(&self) -> usize {
        self.made
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::sync_channel;
    use std::thread;

    /// Claim: two slices are made for any number of rounds, and the third waits until one of them
    /// is dropped.
    #[test]
    fn slices_come_back() {
        let mut slices = RowSlices::new(2);
        let (sent, got) = sync_channel(8);
        let reader = thread::spawn(move || got.into_iter().map(drop::<RowSlice>).count());
        for _ in 0..100 {
            sent.send(slices.empty()).expect("it is read");
        }
        drop(sent);
        assert_eq!((reader.join().expect("read"), slices.made()), (100, 2));
    }
}
