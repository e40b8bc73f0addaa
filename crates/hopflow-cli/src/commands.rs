//! One file per command.

pub(crate) mod bundle;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod demo;
pub(crate) mod diff;
pub(crate) mod doctor;
pub(crate) mod emulate;
pub(crate) mod explain;
pub(crate) mod lab;
pub(crate) mod man;
mod place;
pub(crate) mod query;
pub(crate) mod report;
pub(crate) mod reproduce;
pub(crate) mod run;
pub(crate) mod size;
pub(crate) mod small;
pub(crate) mod sweep;
pub(crate) mod why;
