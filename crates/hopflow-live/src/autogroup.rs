//! The priority of this process among other sessions.
//!
//! Where `kernel.sched_autogroup_enabled` is 1, Linux first divides the processors among sessions
//! and then among the threads of each (sched(7)): the priority of a thread counts only within its
//! session. So the session is raised, too, while the network runs, and then restored. A shell of
//! the same session restores it: it waits for the end of its input, which comes with the end of
//! this process, whatever ended it.

use std::fs;
use std::process::{Child, Command, Stdio};

const PATH: &str = "/proc/self/autogroup";
/// The nice value of the session while the network runs: the least.
const RAISED: i32 = -20;
/// Restores the value that is its first argument, at the end of its input. No key of a terminal
/// ends it before that.
const RESTORE: &str = "trap '' INT TERM HUP QUIT; read -r _; echo \"$0\" > /proc/self/autogroup";

/// A session with a raised priority, until this is dropped. If the system refuses that, which
/// requires root, nothing changes; the run measures what that costs.
#[derive(Debug)]
pub(crate) struct Raised(Option<Child>);

impl Raised {
    pub(crate) fn new() -> Raised {
        // Of two runs in one session, the first restores it.
        let before = current().filter(|before| *before != RAISED);
        let keeper = before.and_then(|before| keeper(before).ok());
        let mut raised = Raised(keeper);
        if raised.0.is_some() && fs::write(PATH, RAISED.to_string()).is_err() {
            raised = Raised(None);
        }
        raised
    }
}

impl Drop for Raised {
    fn drop(&mut self) {
        if let Some(mut keeper) = self.0.take() {
            // `wait` ends its input first.
            drop(keeper.wait());
        }
    }
}

/// Starts the shell that restores the nice value `before`.
fn keeper(before: i32) -> std::io::Result<Child> {
    let mut shell = Command::new("sh");
    shell.args(["-c", RESTORE, &before.to_string()]).stdin(Stdio::piped());
    shell.stdout(Stdio::null()).stderr(Stdio::null()).spawn()
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
        if before.is_none() {
            hopflow_testing::skip("a_session_is_raised_and_restored", "no sessions");
        } else if current() == before {
            hopflow_testing::skip("a_session_is_raised_and_restored", "only root may raise it");
        } else {
            assert_eq!(current(), Some(RAISED));
        }
        drop(raised);
        assert_eq!(current(), before);
    }
}
