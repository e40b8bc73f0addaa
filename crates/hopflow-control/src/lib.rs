//! Flow control as plain state machines: `now` and inputs go in, decisions come out.
//!
//! This crate knows neither events nor links, and holds no clock, no random source and no logger.
//! The network embeds these machines and passes events to them.

pub mod admission;
pub mod credit;
pub mod external;
pub mod lane;
pub mod marking;
pub mod policing;
pub mod rate;
pub mod scheduler;
