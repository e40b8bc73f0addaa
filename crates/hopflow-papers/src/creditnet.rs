//! [Kung97]: TCP with and without credit on the CreditNet switches; and beside it what one buffer
//! for all VCs of a link does to them, and adaptive credit [KC95].
//!
//! What the paper leaves out or contradicts, and how each is set here: `docs/models/creditnet.md`.
//! Claims are in `papers/creditnet/claims/`, one file for each experiment.

mod adaptive;
mod backpressure;
mod hol;
mod host;
mod primary;
mod read;
mod table2;
mod udp;
mod window;

paper!(
    "creditnet",
    "/claims/",
    ["table2", "primary", "udp", "backpressure", "window", "hol", "adaptive", "host"],
    [table2, udp, backpressure, window, hol, adaptive, host],
    primary
);
