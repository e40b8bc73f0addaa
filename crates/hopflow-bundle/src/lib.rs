//! Bundles: a directory of results as one file that specifies how to repeat them, and the check
//! that does so.
//!
//! * [`bundle`]: gathers a directory of `run`, `compare` or `sweep` into a [`Bundle`]: the scenario
//!   with every file that it names, the resolved scenario, seeds, versions, digests and the
//!   command.
//! * [`Bundle::to_bytes`] and [`Bundle::read`]: an uncompressed tar archive with the same bytes on
//!   every machine (`tar.rs`), and a sum of each file.
//! * [`check()`]: repeats the runs, all or a sample, makes every file of the bundle again, and
//!   compares.

mod archive;
mod card;
mod check;
mod compared;
mod demo;
mod error;
mod finish;
mod gather;
mod kind;
mod named;
mod options;
mod part;
mod readme;
mod repeat;
mod sweep;
mod tar;
mod unpacked;

pub use archive::{Bundle, write_new};
pub use card::Card;
pub use check::{Checked, Unlike, check};
pub use demo::Demo;
pub use error::BundleError;
pub use gather::bundle;
pub use kind::Kind;
pub use options::{CheckOptions, Progress};
pub use part::Part;
