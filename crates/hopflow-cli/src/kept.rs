//! What is kept of runs beside what is printed: a directory of tables and a report
//! (`kept/directory.rs`), or nothing, in a program without the feature `results`
//! (`kept/nothing.rs`). Both have the same items.

#[cfg(feature = "results")]
mod directory;
#[cfg(not(feature = "results"))]
mod nothing;

#[cfg(feature = "results")]
pub(crate) use directory::{Directory, Keep, Stored, Writer, stored};
#[cfg(not(feature = "results"))]
pub(crate) use nothing::{Directory, Keep, Stored, Writer, stored};
