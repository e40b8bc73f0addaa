//! What the sending end of a credit scheme answers: may this VC start a cell now?

use hopflow_units::SimTime;

/// The answer to "may a cell start now?".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// Yes.
    Now,
    /// Not before this instant, if nothing else happens until then.
    At(SimTime),
    /// Not before the next credit.
    Blocked,
}
