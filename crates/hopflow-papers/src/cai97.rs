//! [Cai97]: how much ERICA+ keeps in switches with virtual sources and without, over a satellite.
//!
//! What the paper leaves out or garbles, and how each is set here: `docs/models/cai97.md`. Claims
//! are in `papers/cai97/claims/`, one file for each experiment.

mod bursts;
mod law;
mod loops;
mod network;
mod primary;
mod readings;
mod sensitivity;
mod tables;
mod wide;

paper!(
    "cai97",
    "/claims/",
    ["tables", "readings", "primary", "loop", "sensitivity", "law", "bursts"],
    [tables, sensitivity, law, bursts],
    primary
);
