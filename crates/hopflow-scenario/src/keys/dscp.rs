//! The differentiated services codepoint (DSCP) of a flow, and the map from codepoints to
//! priorities.
//!
//! ```text
//! priority = 7 - floor(dscp / 8), unless `dscp-map` names the codepoint          (1)
//! ```
//! The first three bits of a codepoint are its class selector, of which a larger one is more
//! urgent: CS7 is priority 0, EF (46) priority 2, best effort (0) priority 7.
//!
//! Source: [RFC2474] for class selectors, [RFC4594] for the names. Differs: one map for all
//! switches. Not modelled: maps of one switch, codepoints that switches change.

use serde_json::{Map, Value, json};

use super::{Key, LAST_PRIORITY, Ty, key};
use crate::Code;
use crate::described::{EVERY, ListOf, ReadIn, Reads, Taken, Whole, keys};
use crate::diagnostic::Sink;
use crate::section::Section;
use crate::tab::Tab;
use crate::value::Item;

/// The largest codepoint.
const LAST: u8 = 63;

/// Names of codepoints, in the order of [`VALUES`].
const NAMES: &[&str] = &[
    "BE",
    "DF",
    "LE",
    "CS0",
    "CS1",
    "AF11",
    "AF12",
    "AF13",
    "CS2",
    "AF21",
    "AF22",
    "AF23",
    "CS3",
    "AF31",
    "AF32",
    "AF33",
    "CS4",
    "AF41",
    "AF42",
    "AF43",
    "CS5",
    "VOICE-ADMIT",
    "EF",
    "CS6",
    "CS7",
];
/// The codepoints of [`NAMES`]. AFxy is 8 x + 2 y, CSx is 8 x.
const VALUES: [u8; 25] =
    [0, 0, 1, 0, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 44, 46, 48, 56];

/// A codepoint, as a number or by its name.
pub(crate) struct Codepoint;

impl Taken for Codepoint {
    type Value = u8;
    const TY: Ty = Ty::WordOr(NAMES, &Ty::Count(0, LAST as u64));

    fn write(value: &u8, name: &str, into: &mut Map<String, Value>) {
        into.insert(name.to_owned(), json!(value));
    }
}

impl<C> ReadIn<C> for Codepoint {
    fn read(item: &Item<'_>, _: &C, sink: &mut Sink) -> Option<u8> {
        let named = |word| NAMES.iter().position(|name| *name == word);
        match item.value.as_str().and_then(named) {
            Some(place) => Some(VALUES[place]),
            None => item.count(0, LAST.into(), sink).map(|count| count as u8),
        }
    }
}

keys! { OF_ENTRIES:
    of EVERY => {
        CODEPOINTS: ListOf<Codepoint> = "dscp", "The codepoints, as numbers or names.",
            required("[\"EF\"]");
        PRIORITY: Whole<0, { LAST_PRIORITY as u32 }> = "priority",
            "The priority of flows with one of them.", required("1");
    }
}

static DSCP_MAP: Tab = Tab {
    name: "dscp-map",
    doc: "Codepoints that are one priority.",
    kinds: &[],
    keys: OF_ENTRIES,
};

pub(crate) const DSCP_MAP_KEY: Key = key(
    "dscp-map",
    Ty::Tables(&DSCP_MAP),
    "Which `dscp` of flows is which priority, where that is not the default. SONiC's \
     `DSCP_TO_TC_MAP`.",
)
.default("7 less the first three bits of the codepoint: CS7 is 0, EF 2, 0 is 7 ([RFC2474])");

/// The priority of each codepoint. Eq. (1).
#[derive(Clone, Debug)]
pub(crate) struct DscpMap([u8; LAST as usize + 1]);

impl DscpMap {
    /// The map of a file; reports mistakes.
    pub(crate) fn read(root: &Section<'_>, sink: &mut Sink) -> DscpMap {
        let mut map = DscpMap(std::array::from_fn(|dscp| LAST_PRIORITY - dscp as u8 / 8));
        let mut named = [false; LAST as usize + 1];
        for entry in root.tables(&DSCP_MAP_KEY, sink) {
            let codepoints = CODEPOINTS.read(&entry, &(), sink);
            let priority = PRIORITY.read(&entry, &(), sink);
            let (Some(codepoints), Some(priority)) = (codepoints, priority) else { continue };
            for codepoint in codepoints.into_iter().map(usize::from) {
                map.0[codepoint] = priority as u8;
                if std::mem::replace(&mut named[codepoint], true) {
                    let message = format!("`dscp-map` names the codepoint {codepoint} twice");
                    let place = CODEPOINTS.place(&entry);
                    sink.error(Code::DUPLICATE, &place, message).hint("name each once");
                }
            }
        }
        map
    }

    /// The priority of a codepoint.
    pub(crate) fn priority(&self, codepoint: u8) -> u8 {
        self.0[usize::from(codepoint)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim ([RFC2474], [RFC4594]): CSx is 8 x, AFxy is 8 x + 2 y, EF is 101110 in bits,
    /// VOICE-ADMIT 101100, LE 000001.
    #[test]
    fn names_are_the_codepoints_of_the_standards() {
        assert_eq!(NAMES.len(), VALUES.len());
        for (name, value) in NAMES.iter().zip(VALUES) {
            let digits: Vec<u8> = name.bytes().filter(u8::is_ascii_digit).collect();
            let digit = |place: usize| digits[place] - b'0';
            let expected = match *name {
                "BE" | "DF" => 0,
                "LE" => 0b00_0001,
                "EF" => 0b10_1110,
                "VOICE-ADMIT" => 0b10_1100,
                _ if name.starts_with("CS") => 8 * digit(0),
                _ => 8 * digit(0) + 2 * digit(1),
            };
            assert_eq!(value, expected, "{name}");
        }
    }
}
