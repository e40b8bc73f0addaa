//! The keys of transport: packets cut into cells, and what the ends of connections do.

use hopflow_network::transport::aal5::Encapsulation;

use super::rpc::{EPOCHS_KEY, OF_CLIENTS, OF_FILES};
use super::tcp::{OF_SEGMENTS, OF_SEQUENCES, TRANSFERS};
use super::{Key, Tab, Ty, key};
use crate::described::{Maybe, Size, Word, keys, words};
use crate::tab::joined;

const FRAMINGS: &[&str] = &["none", "aal5"];

words! {
    Encapsulation:
        "llc-snap" = Encapsulation::LlcSnap,
        "vc-multiplexed" = Encapsulation::VcMultiplexed;
}

pub(crate) const FRAME_DISCARDS: &[&str] = &["none", "partial", "early"];

keys! { pub(crate) OF_EARLY:
    of &["early"] => {
        THRESHOLD: Maybe<Size> = "threshold",
            "What the switch holds in total when a frame begins: a number of cells, or bytes.",
            words("no limit; one of the two is needed");
        VC_THRESHOLD: Maybe<Size> = "vc-threshold", "The same of the frame's VC alone.",
            words("no limit; one of the two is needed");
    }
}

pub(crate) static FRAME_DISCARD: Tab = Tab {
    name: "frame-discard",
    doc: "Whether a switch drops frames of AAL5 rather than cells.",
    kinds: FRAME_DISCARDS,
    keys: joined!(
        &[key(
            "kind",
            Ty::Choice(FRAME_DISCARDS),
            "`partial`: drops the rest of a frame that has lost a cell, except its last cell. \
             `early`: drops a whole frame that begins above a threshold; otherwise as `partial`.",
        )
        .required()],
        OF_EARLY,
    ),
};

const FRAME_DISCARD_OR_KIND: Ty =
    Ty::AnyOf(&[Ty::Choice(FRAME_DISCARDS), Ty::Table(&FRAME_DISCARD)]);
pub(crate) const FRAME_DISCARD_KEY: Key = key(
    "frame-discard",
    FRAME_DISCARD_OR_KIND,
    "What a switch without room drops of flows with AAL5 framing: cells, or frames. A kind, or a \
     table; `early` needs a table.",
)
.default("none");

keys! { pub(crate) OF_AAL5:
    of &["aal5"] => {
        ENCAPSULATION: Word<Encapsulation> = "encapsulation",
            "`llc-snap`: 8 bytes before each packet tell protocols apart ([RFC1483]). \
             `vc-multiplexed`: nothing.",
            default(|_| Encapsulation::default(), "llc-snap, as in [RFC1626]");
    }
}

static FRAMING: Tab = Tab {
    name: "framing",
    doc: "How packets are cut into cells.",
    kinds: FRAMINGS,
    keys: joined!(
        &[key(
            "kind",
            Ty::Choice(FRAMINGS),
            "`aal5`: a packet, its encapsulation and a trailer of 8 bytes, in whole cells of 48 \
             bytes of payload; the last one is marked. `none`: packets are units themselves.",
        )
        .required()],
        OF_AAL5,
    ),
};

const FRAMING_OR_KIND: Ty = Ty::AnyOf(&[Ty::Choice(FRAMINGS), Ty::Table(&FRAMING)]);
pub(crate) const FRAMING_KEY: Key = key(
    "framing",
    FRAMING_OR_KIND,
    "How packets become cells: a kind, or a table. With `aal5`, `packet` gives sizes from the IP \
     header on.",
)
.default("none");

/// The keys of sources that are connections: of TCP, then of NFS and replay.
pub(super) const OF_CONNECTIONS: &[Key] =
    joined!(OF_SEGMENTS, &[TRANSFERS], OF_SEQUENCES, OF_CLIENTS, &[EPOCHS_KEY], OF_FILES);
