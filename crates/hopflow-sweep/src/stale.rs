//! Stale rows: stored rows that are not those of the plan as it reads now. They are removed when a
//! sweep goes on, and run again.
//!
//! | cause   | found by                                                                        |
//! |---------|---------------------------------------------------------------------------------|
//! | program | the program's part of the key: no point is read                                 |
//! | input   | the key of the point as it reads now, which covers the contents of files that a |
//! |         | point names, and versions and sources of external machines that it uses         |
//!
//! Points are read again only if the second cause is possible: if the text of the scenario or of an
//! axis may name a file, or if machines or the first point have changed. That costs one reading for
//! each stored point.
//!
//! Rows are removed before `sweep.json` is written with the program and the machines of today. So
//! after a crash at any instant the next opening finds the rest of them.
//!
//! Not found: a file that changes after its point was read, until the sweep goes on again.

use std::fmt;

/// The stored rows of a directory that are run again, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stale {
    /// Rows of another program.
    pub program: u64,
    /// Rows whose point reads otherwise now.
    pub input: u64,
    /// The program of the directory, and that of today.
    pub(crate) programs: [String; 2],
    /// Whether external machines have another version or source.
    pub(crate) machines: bool,
}

impl Stale {
    /// All stale rows.
    pub fn rows(&self) -> u64 {
        self.program + self.input
    }
}

impl fmt::Display for Stale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [was, is] = &self.programs;
        let was = if was.is_empty() { "an earlier version" } else { was };
        let program = format!("{} are of another program ({was}; this one is {is})", self.program);
        let cause = if self.machines {
            "an external machine has another version or source, or a file other contents"
        } else {
            "a file that their points name has other contents"
        };
        let input = format!("{} differ in what they read ({cause})", self.input);
        let causes = [(self.program, program), (self.input, input)];
        let causes: Vec<String> =
            causes.into_iter().filter(|(rows, _)| *rows > 0).map(|(_, cause)| cause).collect();
        write!(f, "{} stored runs are stale and are run again: {}", self.rows(), causes.join("; "))
    }
}
