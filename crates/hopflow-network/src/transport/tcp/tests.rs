//! Whole connections over a small channel, against traces worked by hand and properties.

mod channel;
mod linux;
mod properties;
mod recovery;
mod reno;
mod sender;
