//! The keys of flows that the schedulers of ports go by. The VC back of a connection has them too.

use super::LAST_PRIORITY;
use crate::described::{EVERY, Whole, keys};

keys! { pub(crate) OF_SERVICE:
    of EVERY => {
        PRIORITY: Whole<0, { LAST_PRIORITY as u32 }> = "priority",
            "0 to 7: 0 is served first, where the port's scheduler knows priorities.",
            default(|_| 0, "0");
        WEIGHT: Whole<1, 1_000_000_000> = "weight",
            "Its share at ports whose scheduler has weights and whose flows have no reservations.",
            default(|_| 1, "1");
    }
}
