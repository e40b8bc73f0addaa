//! The keys of flows that the schedulers of ports go by. The VC back of a connection has them too.

use super::LAST_PRIORITY;
use super::dscp::{Codepoint, DscpMap};
use crate::Code;
use crate::described::{EVERY, Maybe, Reads, Whole, keys};
use crate::diagnostic::Sink;
use crate::section::Section;

keys! { pub(crate) OF_SERVICE:
    of EVERY => {
        PRIORITY: Whole<0, { LAST_PRIORITY as u32 }> = "priority",
            "0 to 7: 0 is served first, where the port's scheduler knows priorities.",
            default(|_| 0, "0");
        DSCP: Maybe<Codepoint> = "dscp",
            "The differentiated services codepoint of its packets, in place of `priority`: \
             `dscp-map` says which priority that is.",
            words("none: `priority` holds"), such_as("\"EF\"");
        WEIGHT: Whole<1, 1_000_000_000> = "weight",
            "Its share at ports whose scheduler has weights and whose flows have no reservations.",
            default(|_| 1, "1");
    }
}

/// The priority of a flow, by itself or by its codepoint; both at one place are an error. `or`: of
/// one with neither.
pub(crate) fn priority(flow: &Section<'_>, map: &DscpMap, or: u8, sink: &mut Sink) -> Option<u8> {
    let (of_priority, of_dscp) = (flow.layer(&PRIORITY.key), flow.layer(&DSCP.key));
    if of_priority.is_some() && of_priority == of_dscp {
        let message = "`priority` and `dscp` exclude each other: `dscp-map` says which priority a \
                       codepoint is";
        let error = sink.error(Code::CONFLICT, &DSCP.place(flow), message);
        error.hint("keep one of them").label(PRIORITY.place(flow), "the priority");
        return None;
    }
    let is_nearer = of_priority.is_some_and(|near| of_dscp.is_none_or(|far| near < far));
    if is_nearer {
        return PRIORITY.read(flow, &(), sink).map(|priority| priority as u8);
    }
    let codepoint = DSCP.read(flow, &(), sink)?;
    Some(codepoint.map_or(or, |codepoint| map.priority(codepoint)))
}
