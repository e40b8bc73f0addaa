//! Rows of a trace in transit: slice by slice, in buffers that are reused.
//!
//! ```text
//! RowSlices::empty() --> filled by one thread --> read by another --> dropped
//!      ^                                                                |
//!      +---------------- the same buffer, emptied ----------------------+
//! ```
//! The number of slices is limited, so the writer waits for the reader.

use std::mem;
use std::ops::{Deref, DerefMut};
use std::sync::mpsc::{Receiver, Sender, channel};

use hopflow_network::RowRuns;

/// The rows of a slice of simulated time in the order of nodes; [`hopflow_network::RowOrder`] sorts
/// them. Its buffer is reused after the slice is dropped.
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
        // It fails after the end, when buffers are no longer needed.
        let _ = self.home.send(runs);
    }
}

/// Creates slices, at most a given number at a time.
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

    /// An empty slice; waits until one is dropped while the greatest number exists.
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

    /// The number of created slices; reused ones count once.
    pub fn made(&self) -> usize {
        self.made
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::sync_channel;
    use std::thread;

    /// Claim: two slices are created for any number of rounds, and the third waits until one of
    /// them is dropped.
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
