//! [Roberts96]: binary marking, the iterative explicit rate and VC counting.
//!
//! The paper states no network; what is chosen here and why: `docs/models/roberts96.md`. Claims are
//! in `papers/roberts96/claims/`, one file for each experiment.

mod beatdown;
mod becn;
mod codec;
mod coder;
mod far;
mod fig4;
mod figures;
mod network;
mod pipe;
mod read;
mod startup;
mod technique;
mod wall;

paper!(
    "roberts96",
    "/claims/",
    [
        "fig1", "fig2", "fig3", "fig4", "becn", "pipe", "startup", "beatdown", "wall", "codec",
        "coder"
    ],
    [figures, fig4, becn, pipe, startup, beatdown, wall, codec, coder],
    primary
);
