//! Whole connections over a small channel, compared with traces by hand, and properties.

mod channel;
mod external;
mod linux;
mod properties;
mod recovery;
mod reno;
mod sender;
