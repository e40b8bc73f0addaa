//! Rate control on the built-in scenarios: which algorithms share links max-min fairly, where they
//! rest, and which do not.
//!
//! Claims are in `papers/fair/claims/`, one file for each experiment; scenarios are the built-in
//! ones with their flows under ABR.

mod efci;
mod network;
mod shares;
mod stall;

paper!("fair", "/claims/", ["shares", "stall", "efci"], [shares, stall, efci]);
