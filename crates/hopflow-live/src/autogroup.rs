//! The priority of this process among other sessions.
//!
//! Where `kernel.sched_autogroup_enabled` is 1, Linux first divides the processors among sessions
//! and then among the threads of each (sched(7)): the priority of a thread counts only within its
//! session. So the session is raised, too, while the network runs, and then restored.

use std::fs;

const PATH: &str = "/proc/self/autogroup";
/// The nice value of the session while the network runs: the least.
const RAISED: i32 = -20;

/// A session with a raised priority, until this is dropped. If the system refuses that, which
/// requires root, nothing changes; the run measures what that costs.
#[derive(Debug)]
pub(crate) struct Raised {
    /// The nice value to restore.
    before: Option<i32>,
}

impl Raised {
    pub(crate) fn new() -> Raised {
        // Of two runs in one session, the first restores it.
        let before = current().filter(|before| *before != RAISED);
        Raised { before: before.filter(|_| fs::write(PATH, RAISED.to_string()).is_ok()) }
    }
}

impl Drop for Raised {
    fn drop(&mut self) {
        if let Some(before) = self.before {
            // The session may be gone; then there is nothing to restore.
            drop(fs::write(PATH, before.to_string()));
        }
    }
}

/// The nice value of the session, if the system has one for it.
fn current() -> Option<i32> {
    nice(&fs::read_to_string(PATH).ok()?)
}

/// The value of a text such as `/autogroup-25 nice 5`.
fn nice(text: &str) -> Option<i32> {
    text.split_once(" nice ")?.1.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the value is that of the kernel's text, and nothing of another text.
    #[test]
    fn the_value_is_read() {
        assert_eq!(nice("/autogroup-25 nice 5\n"), Some(5));
        assert_eq!(nice("/autogroup-25 nice -20\n"), Some(-20));
        assert_eq!(nice("\n"), None);
    }

    /// Claim: a raised session has the least nice value, and afterwards the one that it had.
    #[test]
    fn a_session_is_raised_and_restored() {
        let before = current();
        let raised = Raised::new();
        match (before, raised.before) {
            (Some(before), Some(restores)) => {
                assert_eq!(restores, before);
                assert_eq!(current(), Some(RAISED));
            }
            (None, None) => {
                hopflow_testing::skip("a_session_is_raised_and_restored", "no sessions");
            }
            (_, restores) => {
                assert_eq!(restores, None, "only root may raise it");
                hopflow_testing::skip("a_session_is_raised_and_restored", "not allowed");
            }
        }
        drop(raised);
        assert_eq!(current(), before);
    }
}
