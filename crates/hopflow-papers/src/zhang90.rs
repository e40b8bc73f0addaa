//! [Zhang90]: VirtualClock. Every test, and what the text says of its rivals.
//!
//! What the paper leaves out or contradicts, and how each is set here: `docs/models/zhang90.md`.
//! Claims are in `papers/zhang90/claims/`, one file for each experiment.

mod alone;
mod burstiness;
mod calls;
mod fig1;
pub mod measure;
mod metered;
pub mod network;
mod passed;
mod pattern;
mod sec2_2_1;
mod sec2_2_2;
mod sec2_3_1;
mod sec2_3_2;
mod sec3_1;
mod sec4;
mod sec5;
mod settings;
mod test1;
mod test2;
mod test3;

paper!(
    "zhang90",
    "/claims/",
    [
        "fig1", "sec2.2.1", "sec2.2.2", "epoch", "sec2.3.1", "sec2.3.2", "sec3.1", "test1",
        "test2", "test3", "sec4", "pattern", "sec5", "calls"
    ],
    [
        fig1, sec2_2_1, sec2_2_2, sec2_3_1, sec2_3_2, sec3_1, test1, test2, test3, sec4, pattern,
        sec5, calls
    ],
    primary
);
