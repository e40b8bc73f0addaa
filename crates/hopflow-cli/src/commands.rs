//! One file per command.

#[cfg(feature = "results")]
pub(crate) mod bundle;
pub(crate) mod check;
pub(crate) mod compare;
#[cfg(feature = "results")]
pub(crate) mod completions;
#[cfg(feature = "results")]
pub(crate) mod demo;
#[cfg(feature = "results")]
pub(crate) mod diff;
#[cfg(feature = "results")]
pub(crate) mod doctor;
#[cfg(feature = "live")]
pub(crate) mod emulate;
pub(crate) mod explain;
pub(crate) mod lab;
#[cfg(feature = "results")]
pub(crate) mod man;
mod place;
#[cfg(feature = "results")]
pub(crate) mod query;
#[cfg(feature = "results")]
pub(crate) mod report;
#[cfg(feature = "papers")]
pub(crate) mod reproduce;
pub(crate) mod run;
#[cfg(feature = "results")]
pub(crate) mod size;
pub(crate) mod small;
#[cfg(feature = "results")]
pub(crate) mod sweep;
pub(crate) mod why;
