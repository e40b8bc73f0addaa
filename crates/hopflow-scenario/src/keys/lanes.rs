//! The keys of lanes: how they are read into a [`LaneRule`].

use hopflow_control::lane::{CbfcSpec, ExternalLaneSpec, LaneCreditSpec, LaneRule};
use hopflow_network::{DirectionSpec, LaneKey};
use hopflow_units::{Bytes, Picos};

use super::shared::WORD;
use super::{Key, SPAN, Tab, Ty, key, machine};
use crate::cell_time::cell_time_of;
use crate::described::{Choice, EVERY, Flag, Maybe, Octets, OrAuto, Whole, keys, reads, taken};
use crate::machine::of_table;
use crate::priorities::Priorities;
use crate::tab::joined;

/// The rules that this table selects: all but the first, which has a table of its own.
pub(crate) const LANE_KINDS: &[&str] = LaneRule::NAMES.split_at(1).1;

const LANES_OR_NONE: Ty = Ty::AnyOf(&[WORD, Ty::Table(&LANES)]);
const LANES_OF_LINK: Ty = Ty::AnyOf(&[Ty::Table(&LANES), WORD, Ty::Two(&LANES_OR_NONE)]);
pub(crate) const LANES_KEY: Key = key(
    "lanes",
    LANES_OF_LINK,
    "One credit for all flows of a priority, as in InfiniBand, or of a destination; one table for \
     both directions, or `[there, back]`. Not together with `pause`.",
)
.default("none");

static LANES: Tab = Tab {
    name: "lanes",
    doc: "Lanes: the receiver's buffer of a priority is promised to all its flows together.",
    kinds: LANE_KINDS,
    keys: joined!(
        &[
            key(
                "kind",
                Ty::Choice(LANE_KINDS),
                "How credits return: `credit`: after a number of freed blocks, as in InfiniBand; \
                 `cbfc`: at spaced times, as in CBFC of Ultra Ethernet; `external`: by a rule of \
                 your own.",
            )
            .default("credit"),
            machine(
                "The name of a lane rule of your own, which a program in Rust registers; \
                 experimental.",
            ),
        ],
        OF_LANES,
    ),
};

const MOST_BLOCKS: u32 = LaneCreditSpec::BUFFER_MOST;
const LARGEST_BLOCK: u64 = 1 << 20;

/// What the packets of a lane have in common.
pub(crate) struct Pers;

impl Choice for Pers {
    const WORDS: &'static [&'static str] = LaneKey::WORDS;
}

keys! { pub(crate) OF_LANES:
    of EVERY => {
        PRIORITIES: Priorities = "priorities",
            "The priorities that are lanes, each with its own buffer.",
            required("[0]");
        PER: Pers = "per",
            "What the packets of a lane have in common: `priority`, or `destination`: the priority \
             and the host where they end, so that each host behind the link has a credit and a \
             buffer of its own.",
            default(|_| LaneKey::WORDS[0], "priority");
        BLOCK: Octets<1, LARGEST_BLOCK> = "block",
            "The unit of buffers; a packet takes whole blocks.",
            default(|_| LaneCreditSpec::USUAL_BLOCK, "64 B ([IBA]); `cbfc`: 128 B ([UE])");
    }
    of &["cbfc"] => {
        OVERHEAD: Octets<0, 127> = "overhead",
            "PktOvhd: bytes that a packet takes in its blocks in addition to its own, at most 127 \
             B.",
            default(|_| Bytes(0), "0 B");
    }
    of EVERY => {
        BUFFER: OrAuto<Whole<1, MOST_BLOCKS>> = "buffer",
            "The receiver's buffer for each lane, in blocks: at least its largest packet and \
             `update` - 1; `cbfc`: below 2^20. `auto`: one loop at the rate of the link; not for \
             `external`, whose loop is not known.",
            required("\"auto\"");
    }
    of &["credit"] => {
        UPDATE: Whole<1, MOST_BLOCKS> = "update", "Freed blocks per credit.",
            default(|_| LaneCreditSpec::USUAL_UPDATE, "10, as N2 in [KMCL94]");
        REFRESH: Maybe<Timer> = "refresh",
            "The receiver sends a credit at this interval, at least a cell time of the direction \
             back; cells are those of that direction.",
            words("never");
    }
    of &["cbfc"] => {
        MIN_SPACING: Octets<800, 16_384> = "min-spacing",
            "The least number of bytes of the direction back between CF_Updates: 800 B to 16384 B.",
            default(|_| Bytes(6_400), "6400 B ([UE])");
        MAX_SPACING: Octets<16_384, 1_048_576> = "max-spacing",
            "Bytes of the direction back after which a CF_Update is due without news: 16384 B to \
             1048576 B.",
            default(|_| Bytes(262_144), "262144 B ([UE])");
        CC_TIMER: Timer = "cc-timer",
            "The interval between CC_Updates for the lanes of the other direction, at least a cell \
             time of the direction back; cells are those of that direction.",
            default(|_| Picos(256_000_000), "256 us ([UE])");
    }
    of EVERY => {
        ALLOW_SMALL_BUFFER: Flag = "allow-small-buffer",
            "Accept a buffer below one loop, with which the lane waits for credit.",
            default(|_| false, "false");
    }
    of &["credit"] => {
        ALLOW_LARGE_BUFFER: Flag = "allow-large-buffer",
            "Accept more than 2048 blocks of 64 B, which totals of 12 bits (InfiniBand) do not \
             count.",
            default(|_| false, "false");
    }
}

// Read with the direction that credits take.
reads! { LaneRule, DirectionSpec:
    "credit" = {
        let buffer = buffer.unwrap_or(1);
        LaneRule::Credit(LaneCreditSpec { block, buffer, update, refresh })
    } of { block: BLOCK, buffer: BUFFER, update: UPDATE, refresh: REFRESH }
    "cbfc" = |_, back, _| {
        let span = |bytes| back.rate.transmit_time(bytes).unwrap_or(Picos::MAX);
        Some(LaneRule::Cbfc(CbfcSpec {
            block,
            overhead: overhead.0 as u16,
            buffer: buffer.unwrap_or(1),
            min_spacing: span(min_spacing),
            max_spacing: span(max_spacing),
            cc_timer,
        }))
    } of {
        block: BLOCK.or(|_| Bytes(128)),
        overhead: OVERHEAD,
        buffer: BUFFER.taking::<OrAuto<Whole<1, { CbfcSpec::BUFFER_MOST }>>>(),
        min_spacing: MIN_SPACING,
        max_spacing: MAX_SPACING,
        cc_timer: CC_TIMER,
    }
    "external" = |table, _, sink| {
        let place = of_table("lane rule", table, sink)?;
        if buffer.is_none() {
            let range = "a number: the loop of a rule of your own is not known";
            BUFFER.need(table, sink)?.out_of_range(sink, "auto", range);
        }
        Some(LaneRule::External(ExternalLaneSpec { place, block, buffer: buffer? }))
    } of { block: BLOCK, buffer: BUFFER }
}

taken! { in DirectionSpec:
    /// A timer of at least a cell time of the way back.
    Timer is Picos, SPAN, |item, back, sink| {
        let cell = cell_time_of(back);
        let timer = item.span(cell, false, sink)?;
        if timer < cell {
            let range = format!("at least a cell time of the way back, {cell}");
            item.out_of_range(sink, &timer.to_string(), &range);
            return None;
        }
        Some(timer)
    };
}

#[cfg(test)]
mod tests {
    use hopflow_units::Rate;

    use super::*;
    use crate::diagnostic::Sink;
    use crate::section::Section;

    /// Claim: the rules of this table are those that name it, and each is read by its name; but
    /// `external` needs a machine (`tests/lane_machines.rs`).
    #[test]
    fn every_rule_of_the_table_has_keys() {
        let rules = LaneRule::ALL.iter().filter(|facts| facts.table == LANES.name);
        assert!(rules.map(|facts| facts.name).eq(LANE_KINDS.iter().copied()));
        let back = DirectionSpec::new(Rate::from_bps(1_000_000).unwrap(), Picos::ZERO);
        let table = toml::de::DeTable::parse("buffer = 9").unwrap();
        let table = Section::new(table.get_ref(), 0..0, &LANES);
        for kind in LANE_KINDS.iter().filter(|kind| **kind != "external") {
            let rule = read(kind, &table, &back, &mut Sink::new()).unwrap().expect("it has keys");
            assert_eq!(rule.facts().name, *kind);
        }
    }

    /// Claim: the words of a default tell its value, unless that is nothing.
    #[test]
    fn defaults_in_words_are_the_values() {
        let back = DirectionSpec::new(Rate::from_bps(1_000_000_000).unwrap(), Picos::ZERO);
        let defaults = defaults(&Section::empty(0..0, &LANES), &back);
        assert_eq!(defaults.len(), 9);
        defaults.iter().for_each(crate::described::known::Known::assert_words_match);
    }
}
