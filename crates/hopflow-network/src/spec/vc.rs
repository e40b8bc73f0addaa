//! One VC: its hops, its control, and its traffic.

use hopflow_control::rate::AbrSpec;
use hopflow_control::scheduler::Reservation;
use hopflow_units::{Cells, Picos, Rate, SimTime};
use serde::{Deserialize, Serialize};

use super::{DirectionId, FramingSpec, HopControl, Shared, SizeLaw, TrafficSpec};
use crate::traffic::SourceSpec;
use crate::transport::frames::Framing;

/// One virtual circuit: a tree of hops from one source host to one or more final hosts.
#[derive(Clone, Debug, PartialEq)]
pub struct VcSpec {
    /// Unique name.
    pub name: String,
    /// 0 is served first.
    pub priority: u8,
    /// The links crossed. `hops[0]` leaves the source host; parents come before children.
    pub hops: Shared<Vec<HopSpec>>,
    /// The source of its cells.
    pub source: Shared<SourceSpec>,
    /// When the source is switched on.
    pub start: SimTime,
    /// By how much its source begins later than `start`.
    pub phase: Picos,
    /// When the source ends: no cell is born at or after this instant.
    pub stop: Option<SimTime>,
    /// End-to-end control from the final host back to the source. Unicast only.
    pub window: Option<WindowSpec>,
    /// Rate control from the final host back to the source. Unicast, without a window.
    pub rate: Option<Shared<AbrSpec>>,
    /// Whether ports may mark its packets with congestion experienced (ECN-capable transport,
    /// [RFC3168] 5): its ends react to marks. Unicast only.
    pub ecn_capable: bool,
    /// How branches of a multicast VC hold each other back, the same at every branching switch.
    pub multicast: MulticastSpec,
    /// Its packets, and the restrictions of its source.
    pub traffic: Shared<TrafficSpec>,
    /// How packets of its source are cut into cells; `traffic.size` is then that of a cell.
    pub framing: Option<Shared<FramingSpec>>,
    /// Its reservation on every hop.
    pub reservation: Option<Reservation>,
    /// Whether it asks for its reservation by a set-up when it starts, and releases it when it
    /// stops. Otherwise the reservation exists for the whole run. Unicast, with a reservation, not
    /// of a connection and without rate control.
    pub signalled: bool,
    /// Its share at ports whose flows have no reservations, at least 1.
    pub weight: u32,
}

impl VcSpec {
    /// A VC of cells along `hops`, of priority 0, from the start of the run to its end.
    pub fn new(name: impl Into<String>, hops: Vec<HopSpec>, source: SourceSpec) -> VcSpec {
        VcSpec {
            name: name.into(),
            priority: 0,
            hops: hops.into(),
            source: source.into(),
            start: SimTime::ZERO,
            phase: Picos::ZERO,
            stop: None,
            window: None,
            rate: None,
            ecn_capable: false,
            multicast: MulticastSpec::default(),
            traffic: Shared::default(),
            framing: None,
            reservation: None,
            signalled: false,
            weight: 1,
        }
    }

    /// Shares all values of `other` that are equal.
    pub fn share_with(&mut self, other: &VcSpec) {
        self.hops.join(&other.hops);
        self.source.join(&other.source);
        self.traffic.join(&other.traffic);
        if let (Some(rate), Some(other)) = (&mut self.rate, &other.rate) {
            rate.join(other);
        }
        if let (Some(framing), Some(other)) = (&mut self.framing, &other.framing) {
            framing.join(other);
        }
    }

    /// When its source begins: at its start, or a phase later.
    pub fn begins(&self) -> SimTime {
        self.start.saturating_add(self.phase)
    }

    /// The rate that it asks for as it starts; `None`: it asks for nothing.
    pub fn asked_rate(&self) -> Option<Rate> {
        self.reservation.filter(|_| self.signalled).map(|reservation| reservation.rate)
    }

    /// The number of final hosts.
    pub fn leaf_count(&self) -> usize {
        self.feeds().into_iter().filter(|feeds| !feeds).count()
    }

    /// For each hop: whether it feeds another.
    pub(crate) fn feeds(&self) -> Vec<bool> {
        let mut feeds = vec![false; self.hops.len()];
        self.hops.iter().filter_map(|hop| hop.parent).for_each(|parent| feeds[parent] = true);
        feeds
    }

    /// For each hop: the hops that it feeds, in order.
    pub fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.hops.len()];
        for (hop, parent) in self.hops.iter().enumerate().filter_map(|(i, h)| Some((i, h.parent?)))
        {
            children[parent].push(hop);
        }
        children
    }
}

impl VcSpec {
    /// Sizes of the packets that the source makes: those on the wire, except with AAL5.
    pub fn source_size(&self) -> &SizeLaw {
        self.framing.as_ref().map_or(&self.traffic.size, |framing| &framing.packet)
    }

    /// Whether its cells are reassembled into packets: with AAL5, or in a connection.
    pub fn carries_packets(&self) -> bool {
        self.framing.is_some() || self.source.is_endpoint()
    }

    /// How its packets are sent on the wire.
    pub fn wire_framing(&self) -> Framing {
        self.framing.as_ref().map_or(Framing::Whole, |framing| Framing::Aal5(framing.encapsulation))
    }
}

/// One link crossed by a VC.
#[derive(Clone, Debug, PartialEq)]
pub struct HopSpec {
    /// The link.
    pub link: usize,
    /// Its direction, 0 or 1.
    pub direction: usize,
    /// The hop that feeds this one, `None` for the first.
    pub parent: Option<usize>,
    /// Link-by-link control on this hop.
    pub control: HopControl,
}

/// An end-to-end sliding window with ACK cells on the reverse path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowSpec {
    /// W, at least 1.
    #[serde(rename = "packets")]
    pub cells: Cells,
    /// An ACK cell after this number of delivered cells, at least 1.
    #[serde(rename = "ack_every_packets")]
    pub ack_every: Cells,
}

/// How branches of a multicast VC hold each other back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MulticastSpec {
    /// A branch may start a cell only if at most this number of older cells are still held for
    /// slower branches. `None`: branches run ahead as far as there are cells.
    pub run_ahead: Option<Cells>,
    /// A branch whose next cell has waited for this span loses cells instead of holding back the
    /// VC.
    pub give_up_after: Option<Picos>,
}

impl HopSpec {
    /// The link direction crossed.
    pub const fn direction_id(&self) -> DirectionId {
        DirectionId::new(self.link, self.direction)
    }
}
