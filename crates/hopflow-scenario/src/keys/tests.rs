//! Claims about the keys of tables that have no kinds, or few.

use hopflow_units::{Bytes, Picos, Rate};

use super::*;
use crate::described::{OnLink, Reads, known::Known};
use crate::section::Section;

/// The defaults of keys that are read in one context.
macro_rules! defaults {
    ($context:expr; $($key:expr),+ $(,)?) => {{
        let table = Section::empty(0..0, &ROOT);
        [$(Reads::defaults(&$key, "", &table, &$context)),+].concat()
    }};
}

/// Claim: the words of a default are its value, unless it has no value.
#[test]
fn defaults_in_words_are_the_values() {
    let (cell, run) = (Picos(1), Ok(Some(Picos(1))));
    let link = OnLink { rate: Rate::from_bps(1).expect("a rate"), cell, unit: Bytes::CELL };
    let both = [cell; 2];
    let all: Vec<Known> = [
        defaults![(); IS_CONTROLLED, network::DISCARD, network::ALLOW_SHORT_ROUND_TRIP,
            network::ALLOW_OVERBOOKING],
        defaults![both; network::DELAY, network::OVERHEAD, network::PROCESSING,
            network::CORRUPT_DATA, network::CORRUPT_CREDITS],
        defaults![link; control::N2, control::N3, control::N1, control::E, control::ALLOW_SMALL_N3,
            control::ALLOW_SMALL_BUFFER, control::ACK_EVERY, control::ALLOW_SMALL_WINDOW,
            control::REQUEST_AFTER, control::UNIT],
        defaults![cell; service::PRIORITY, service::WEIGHT, flow::START, flow::EXACT_PHASE,
            flow::STOP, flow::OBEYS, traffic::PRIORITY, traffic::EXCESS, transport::ENCAPSULATION],
        defaults![cell; tcp::RTTVAR_FACTOR, tcp::FAST_TICK, tcp::NAGLE, tcp::IMPATIENT,
            tcp::FIRST_SEQUENCE, tcp::HEADER, tcp::VARIANT, tcp::ALLOW_SMALL_WINDOW],
        defaults![run; run::WARM_UP, run::SEED, run::JITTER, run::ROUTING, record::FROM],
        defaults![cell; shared::ALLOW_SMALL_BUFFER, shared::QUANTA],
    ]
    .concat();
    assert_eq!(all.len(), 43);
    all.iter().for_each(Known::assert_words_match);
}
