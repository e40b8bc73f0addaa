//! Properties of every correct run that can be checked from its counters.
//!
//! * Conservation: see [`crate::conservation`].
//! * A receiver never gets more cells than its promised buffer: N1 + N2 + N3 of a VC, the blocks of
//!   a lane.
//! * A VC under credit control loses no cell to congestion: none is dropped at the end of a hop
//!   with credit control, its own or that of its lane, and none is pushed out of the buffer after
//!   it. Drops at a source host and branches that give up cells by design are not violations.
//! * The time of every VC and hop adds up: no cell, no credit and sending are at most the run.
//! * No cycle of buffers waits for itself: see [`crate::find_deadlock`].
//! * Losses of a hop whose receiver's buffer is small with the user's consent
//!   (`allow-small-buffer`) are not violations, but accepted losses.
//! * No delay exceeds the bound of its VC. A higher crate computes bounds and adds violations.
//!
//! A violation is data, not an error: the run is complete and can be inspected.

use hopflow_network::counters::{DirectionCounters, HopCounters, LaneCounters};
use hopflow_network::{DirectionId, HopControl, HopSpec, LaneNumbers, NetworkSpec, RunCounters};
use hopflow_units::SimTime;
use hopflow_units::shape::Shaped;
use serde::{Deserialize, Serialize};

use crate::conservation::Imbalance;
use crate::deadlock::find_deadlock;
use crate::sending::Sending;

/// A property of every correct run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Shaped)]
#[serde(rename_all = "kebab-case")]
pub enum Property {
    /// No cell appears or vanishes.
    Conservation,
    /// No receiver of a VC or of a lane gets more than its promised buffer.
    NoOverrun,
    /// A VC under credit control loses no cell to congestion.
    NoCongestionLoss,
    /// The time of a VC on a hop adds up to the run.
    TimeAddsUp,
    /// No delay exceeds its bound.
    DelayBound,
    /// No cycle of buffers waits for itself.
    NoDeadlock,
}

/// A property that a run violated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Shaped)]
pub struct Violation {
    /// The property.
    pub property: Property,
    /// The VC, if it is known.
    pub vc: Option<String>,
    /// The link direction (`FROM->TO`), if it is known.
    pub link: Option<String>,
    /// The number of cells (for a deadlock: of waits), or ps for [`Property::TimeAddsUp`] and
    /// [`Property::DelayBound`].
    #[serde(with = "crate::wire::integer")]
    pub count: u64,
    /// One sentence with the values.
    pub text: String,
}

/// The violations of the VCs of a run.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Breaches {
    /// Violated properties.
    pub(crate) broken: Vec<Violation>,
    /// Losses that the user accepts.
    pub(crate) accepted: Vec<Violation>,
}

/// The violation by cells that appeared or vanished.
pub(crate) fn unbalanced(imbalance: &Imbalance) -> Violation {
    Violation {
        property: Property::Conservation,
        vc: None,
        link: None,
        count: imbalance.left.abs_diff(imbalance.right),
        text: imbalance.to_string(),
    }
}

/// The violations of the VCs of `spec` and `counters`, each VC by itself. `names` are those of link
/// directions.
pub(crate) fn vc_breaches(
    spec: &NetworkSpec,
    counters: &RunCounters,
    names: &[String],
    sending: &[Vec<Sending>],
) -> Breaches {
    let mut found = Breaches::default();
    for (vc, vc_spec) in spec.vcs.iter().enumerate() {
        for (hop, hop_spec) in vc_spec.hops.iter().enumerate() {
            let link = &names[hop_spec.direction_id().0];
            let count = &counters.vcs[vc].hops[hop];
            let mut check = HopCheck { name: &vc_spec.name, link, count, found: &mut found };
            let parent = hop_spec.parent.map(|parent| &vc_spec.hops[parent]);
            check.losses(spec, hop_spec, parent);
            check.lane(spec, hop_spec, vc_spec.priority);
            check.time(sending[vc][hop], counters.now);
        }
    }
    found
}

/// The lanes whose promised buffers were overrun.
pub(crate) fn lane_violations(
    spec: &NetworkSpec,
    counters: &RunCounters,
    names: &[String],
) -> Vec<Violation> {
    let lanes = LaneNumbers::new(spec);
    let of_direction = |(id, count): (usize, &DirectionCounters)| {
        let promise = spec.direction(DirectionId(id)).lanes?.rule.promise()?;
        let of_lane = |lane: &LaneCounters| Violation {
            property: Property::NoOverrun,
            vc: None,
            link: Some(names[id].clone()),
            count: lane.overrun_packets,
            text: format!(
                "{} on `{}`: {} packets arrived when the promised buffer of {} blocks had no room \
                 for them",
                lanes.words(spec, DirectionId(id), lane.lane),
                names[id],
                lane.overrun_packets,
                promise.buffer
            ),
        };
        let over = count.lanes.iter().filter(|lane| lane.overrun_packets > 0);
        Some(over.map(of_lane).collect::<Vec<_>>())
    };
    counters.directions.iter().enumerate().filter_map(of_direction).flatten().collect()
}

/// A cycle of buffers that waits for itself.
pub(crate) fn deadlock_violation(
    spec: &NetworkSpec,
    counters: &RunCounters,
    names: &[String],
) -> Option<Violation> {
    let deadlock = find_deadlock(spec, counters)?;
    let first = deadlock.cycle.first()?;
    let direction = spec.vcs[first.vc].hops[first.hop].direction_id();
    Some(Violation {
        property: Property::NoDeadlock,
        vc: Some(spec.vcs[first.vc].name.clone()),
        link: Some(names[direction.0].clone()),
        count: deadlock.cycle.len() as u64,
        text: deadlock.text(spec),
    })
}

/// The check of one hop.
struct HopCheck<'a> {
    /// The name of the VC.
    name: &'a str,
    /// The name of the link direction.
    link: &'a str,
    count: &'a HopCounters,
    found: &'a mut Breaches,
}

impl HopCheck<'_> {
    /// Checks losses of a hop, whose parent is `before`.
    fn losses(&mut self, spec: &NetworkSpec, hop: &HopSpec, before: Option<&HopSpec>) {
        let HopCounters { overrun_packets, dropped_packets, pushed_out_packets, .. } = *self.count;
        if let Some(buffer) = spec.promised_buffer(hop) {
            if overrun_packets > 0 {
                let text = format!(
                    "{overrun_packets} cells arrived when the promised buffer of {buffer} was full"
                );
                self.breach(Property::NoOverrun, overrun_packets, &text, false);
            }
            if dropped_packets > 0 {
                let text = format!("{dropped_packets} cells dropped at a full buffer");
                self.loss(dropped_packets, &text, "is", hop);
            }
        }
        let before = before.filter(|hop| hop.control != HopControl::None);
        if let Some(before) = before.filter(|_| pushed_out_packets > 0) {
            let text = format!("{pushed_out_packets} cells pushed out of a full buffer");
            self.loss(pushed_out_packets, &text, "came", before);
        }
    }

    /// Checks losses of a hop in a lane whose receiver promises a buffer.
    fn lane(&mut self, spec: &NetworkSpec, hop: &HopSpec, priority: u8) {
        let lanes = spec.direction(hop.direction_id()).lanes;
        let lanes = lanes.filter(|lanes| lanes.covers(priority) && hop.control == HopControl::None);
        let is_promised = lanes
            .is_some_and(|lanes| lanes.rule.promise().is_some() && lanes.rule.external().is_none());
        let lost = self.count.dropped_packets;
        if is_promised && lost > 0 {
            let text = format!(
                "{lost} packets dropped at a full buffer although the lane has promised room"
            );
            self.breach(Property::NoCongestionLoss, lost, &text, false);
        }
    }

    /// Reports cells lost in the buffer after `hop`, under whose credit control the VC `is`.
    fn loss(&mut self, count: u64, text: &str, is: &str, hop: &HopSpec) {
        let accepted =
            matches!(hop.control, HopControl::Credit(credit) if credit.allow_small_buffer);
        let text = if accepted {
            format!("{text}, which `allow-small-buffer` accepts")
        } else {
            format!("{text} although the VC {is} under credit control")
        };
        self.breach(Property::NoCongestionLoss, count, &text, accepted);
    }

    /// Checks that the times of the hop are at most the run.
    fn time(&mut self, sending: Sending, now: SimTime) {
        let spans = [self.count.no_cell, self.count.no_credit, sending.time];
        let known: u128 = spans.iter().map(|span| u128::from(span.0)).sum();
        let end = u128::from(now.0);
        if sending.exact && known > end {
            let text = format!(
                "no cell ({}), no credit ({}) and sending ({}) add up to more than the run ({now})",
                spans[0], spans[1], spans[2]
            );
            let excess = u64::try_from(known - end).unwrap_or(u64::MAX);
            self.breach(Property::TimeAddsUp, excess, &text, false);
        }
    }

    fn breach(&mut self, property: Property, count: u64, text: &str, accepted: bool) {
        let text = format!("VC `{}` on `{}`: {text}", self.name, self.link);
        let (vc, link) = (Some(self.name.to_owned()), Some(self.link.to_owned()));
        let list = if accepted { &mut self.found.accepted } else { &mut self.found.broken };
        list.push(Violation { property, vc, link, count, text });
    }
}
