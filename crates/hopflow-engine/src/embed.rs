//! How control algorithms attach to a node, one file for each role, and the records that units
//! carry for them (`record.rs`). Both engines use it.

pub(crate) mod call;
pub(crate) mod credit;
pub(crate) mod door;
pub(crate) mod falsify;
pub(crate) mod lane;
pub(crate) mod marker;
pub(crate) mod processor;
pub(crate) mod rate;
pub(crate) mod record;
