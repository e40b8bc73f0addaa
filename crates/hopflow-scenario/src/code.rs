//! The codes of errors and warnings. `docs/errors.md` explains each; a test holds both together.

use std::fmt;

/// The number of a kind of mistake, shown as `HF0001`. Numbers are never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub u16);

impl Code {
    /// Whether it says that one value cannot be read.
    pub(crate) const fn is_of_value(self) -> bool {
        matches!(self.0, 5 | 7 | 10..=13 | 24)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HF{:04}", self.0)
    }
}

macro_rules! codes {
    ($($name:ident = $number:literal, $meaning:literal;)*) => {
        impl Code {
            $(#[doc = $meaning] pub const $name: Code = Code($number);)*
            /// Every code with its meaning, in ascending order.
            pub const ALL: &'static [(Code, &'static str)] = &[$((Code::$name, $meaning)),*];
        }
    };
}

codes! {
    SYNTAX = 1, "The file is not TOML.";
    UNREADABLE = 2, "A file cannot be read.";
    UNKNOWN_KEY = 3, "The key is unknown.";
    MISSING_KEY = 4, "A key that must be there is missing.";
    WRONG_TYPE = 5, "The value is of another type than the key takes.";
    VERSION = 6, "The version of the format is not known.";
    UNKNOWN_CHOICE = 7, "The value is none of those to choose from.";
    KEY_OF_OTHER_KIND = 8, "The key does not belong to this kind.";
    CONFLICT = 9, "Keys exclude each other.";
    NO_UNIT = 10, "A quantity has no unit.";
    WRONG_UNIT = 11, "The unit is unknown or measures something else.";
    NOT_A_NUMBER = 12, "The text holds no number that can be read.";
    OUT_OF_RANGE = 13, "A number is too small or too big.";
    WHOSE_CELLS = 14, "A time is in cells, but the cell times of the links differ.";
    TOO_MUCH = 15, "A scenario exceeds a limit.";
    NO_MEMORY = 16, "A run does not fit in the memory that is left.";
    EXPECTS_NOTHING = 17, "The scenario states no right answer to grade by.";
    BAD_DIGEST = 18, "A digest is not 16 hexadecimal digits.";
    BOUNDS = 19, "The least of a range is above its most.";
    DUPLICATE = 20, "A name is used twice.";
    BAD_NAME = 21, "A name or a text contains something that is not allowed.";
    UNKNOWN_NAME = 22, "Nothing has this name.";
    TEMPLATE = 23, "`count` and the `{}` in names do not fit together.";
    NOT_MODELLED = 24, "The name stands for something that hopflow does not model.";
    SELF_LINK = 30, "A link joins a node to itself.";
    NO_SUCH_LINK = 31, "Two nodes are not joined by such a link.";
    SHORT_ROUND_TRIP = 32, "R is set shorter than the true loop.";
    UNCONNECTED = 40, "No path leads from one node to the other.";
    NOT_A_PATH = 41, "A step of a route is not a link.";
    LOOP = 42, "A route visits a node twice.";
    SWITCH_AT_THE_END = 43, "A flow starts or ends at a switch.";
    HOST_IN_THE_MIDDLE = 44, "A flow passes through a host.";
    FLOW_TO_ITSELF = 45, "A flow ends where it starts.";
    NOT_A_TREE = 46, "The routes of a multicast flow do not form one tree.";
    UNICAST_ONLY = 47, "An end-to-end window, or rate control, serves one receiver only.";
    NO_D_MOD_K = 48, "D-mod-k needs both hosts in one fat tree.";
    SMALL_N3 = 50, "N3 is too small for its target.";
    CREDIT_BITS = 51, "A credit or window does not fit a credit cell: 2^27 - 1 at most.";
    SMALL_BUFFER = 52, "A buffer holds less than the credit that is granted for it.";
    HOP_NOT_CROSSED = 53, "A flow does not cross the link that is named.";
    SMALL_SHARED_BUFFER = 54, "A pool has less than a cell for each flow that shares it.";
    SHORT_MEASURING = 55, "The measuring interval of a pool is shorter than the link's loop.";
    THRESHOLDS = 56, "The thresholds of a pause are not in order: XON < XOFF <= room.";
    SMALL_LANE = 57, "A lane's buffer holds less than a packet and what a credit waits for.";
    NO_WATCHDOG = 58, "A port cannot discard what is paused.";
    SMALL_CREDIT = 59, "The credit of a flow is less than a packet and what a credit waits for.";
    BROKEN_CSV = 60, "A line of a replayed trace cannot be used.";
    STOP_BEFORE_START = 61, "A source stops before it starts.";
    NO_RATE = 62, "The source has no rate of its own that could be raised, held or policed.";
    PACKETS_DIFFER = 63, "A rate is in packets per second, but packets differ in size.";
    ONLY_CELLS = 64, "This control counts cells, but packets are of another size.";
    SHORT_INTERVAL = 70, "The averaging interval is shorter than one packet at the reserved rate.";
    NO_RESERVATION = 71, "A flow has no reservation where it needs one.";
    OVERBOOKED = 72, "Reservations add up to more than a link carries.";
    MIXED_SHARES = 73, "At a port with weights some flows have reservations, others have none.";
    SMALL_BURST = 74, "A burst is smaller than the largest packet.";
    SMALL_QUANTUM = 75, "What a flow may send in a turn is smaller than its largest packet.";
    SMALL_FRAME = 76, "A frame has fewer slots, or openings are shorter, than a flow needs.";
    NO_VICTIM = 77, "A node cannot push packets out.";
    LARGE_PACKET = 80, "A packet is larger than an AAL5 frame holds.";
    WINDOW_OF_TCP = 81, "A TCP window does not fit its field, or holds less than a segment.";
    SMALL_HOST_BUFFER = 82, "A host's buffer holds less than one packet of its flow.";
    SMALL_MEMORY = 83, "A limit in bytes is less than a packet, or reserves, take.";
    ABR_RANGE = 90, "A parameter of `abr` is out of its range.";
    RATE_ORDER = 91, "The rates of a flow under `abr` are not in order: MCR, ICR, PCR, first link.";
    NOT_PACED = 92, "A port cannot pace a flow under `abr`, or its RM cells do not pass.";
    NOT_A_SWITCH = 93, "Rate control is set for a port of a host.";
    NO_ALGORITHM = 94, "A virtual source has no algorithm, or a coder no control, for its rate.";
    OVER_ALLOCATION = 95, "Options of a virtual source allot more than the link has.";
    UNKNOWN_MACHINE = 96, "No external machine of this name is registered.";
    STARVATION = 101, "Credits may take such a large part of a link that data starves.";
    UNUSED_NODE = 102, "No flow touches a node.";
    ABOVE_LINK_RATE = 103, "A source is faster than a link on its way.";
    NEVER_HAPPENS = 104, "Something is scheduled after the end of the run.";
    OVERBOOKING = 105, "Reservations add up to more than a link carries, which is allowed.";
    PRIORITY_IGNORED = 106, "A port does not look at a flow's priority.";
    WEIGHT_IGNORED = 107, "No port on a flow's way looks at its weight.";
    SMALL_HEADROOM = 108,
        "The room above XOFF may not hold the data that arrives before a pause takes effect.";
    UNUSED_CONTROL = 109, "A link has a control that no flow uses.";
    NO_EXPLICIT_RATE = 110, "A flow under `abr` crosses no port that allots it a rate.";
    LONG_TARGET = 111, "The queue that ERICA+ aims at does not fit its switch.";
    EMPTY_TRACE = 112, "The trace that is asked for would be empty.";
    UNEVEN_PATHS = 113, "Flows collide on a link that equal paths would relieve.";
    BELOW_LOOP = 114, "Credit, or a window, is less than a loop of what its flows may send.";
    LEAKING_LANE = 115, "A lane loses data, and nothing brings its credit back.";
    FORMER_FORMAT = 116, "The scenario uses an older version or name of the format.";
    UNMARKED = 117, "A flow heeds marks, but no port on its way marks.";
    USUAL_TCP = 121, "A source of TCP does not state its `variant`.";
    RATE_OF_RM_CELLS = 125, "A virtual source takes the rate of a flow between two RM cells.";
    BEYOND_DEVICE = 126, "A lane promises more than the totals of its device count.";
    FEW_CALLS = 127, "All calls may begin before the run ends.";
    OVERWORKED = 128, "Flows bring a host more work than its processor can do.";
}
