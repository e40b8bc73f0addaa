//! Properties that every run must keep and that its counters can tell.
//!
//! * Conservation: see [`crate::check_conservation`].
//! * A receiver never gets more cells than the buffer it promised (N1 + N2 + N3).
//! * A VC under credit control loses no cell to congestion: none is dropped at the end of a hop
//!   with credit control, and none is pushed out of the buffer behind it. Drops at a source host
//!   and branches given up on purpose are no breach.
//! * The time of every VC and hop adds up: no cell, no credit and sending are at most the run.
//! * No circle of buffers waits for itself: see [`crate::find_deadlock`].
//! * What a hop loses whose receiver's buffer is small by the user's leave (`allow-small-buffer`)
//!   is no breach; it is kept beside the breaches as an accepted loss.
//! * No delay exceeds the bound of its VC. Bounds are worked out above this crate, and added there.
//!
//! A breach is data, not an error: the run is complete and can be looked at.

use hopflow_network::{HopControl, HopSpec, NetworkSpec, RunCounters};
use serde::{Deserialize, Serialize};

use crate::conservation::{Imbalance, check_named};
use crate::deadlock::find_deadlock;
use crate::names::direction_names;
use crate::sending::{Sending, sending_times};

/// Which property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Property {
    /// No cell appears or vanishes.
    Conservation,
    /// No receiver gets more cells than the buffer it promised.
    NoOverrun,
    /// A VC under credit control loses no cell to congestion.
    NoCongestionLoss,
    /// The time of a VC on a hop adds up to the run.
    TimeAddsUp,
    /// No delay exceeds its bound.
    DelayBound,
    /// No circle of buffers waits for itself.
    NoDeadlock,
}

/// A property that a run did not keep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// Which.
    pub property: Property,
    /// The VC, where one is to be named.
    pub vc: Option<String>,
    /// The link direction (`FROM->TO`), where one is to be named.
    pub link: Option<String>,
    /// Cells concerned (of a deadlock: waits), or ps for [`Property::TimeAddsUp`] and
    /// [`Property::DelayBound`].
    #[serde(with = "crate::wire::integer")]
    pub count: u64,
    /// One sentence with the values.
    pub text: String,
}

/// What the VCs of a run did not keep.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Breaches {
    /// Properties that were broken.
    pub(crate) broken: Vec<Violation>,
    /// Losses that the user accepts: no breach.
    pub(crate) accepted: Vec<Violation>,
}

/// The properties that a run did not keep, by VC and hop; none is good.
pub fn violations(spec: &NetworkSpec, counters: &RunCounters) -> Vec<Violation> {
    breaches_named(spec, counters, &direction_names(spec)).broken
}

/// The same, with the losses that the user accepts; `names` are those of link directions.
pub(crate) fn breaches_named(
    spec: &NetworkSpec,
    counters: &RunCounters,
    names: &[String],
) -> Breaches {
    let vcs = vc_breaches(spec, counters, names, &sending_times(spec, counters));
    let balance = check_named(spec, counters, names);
    let mut broken: Vec<_> = balance.err().iter().map(unbalanced).collect();
    broken.extend(vcs.broken);
    broken.extend(deadlock_violation(spec, counters, names));
    Breaches { broken, accepted: vcs.accepted }
}

/// Cells that appeared or vanished.
pub(crate) fn unbalanced(imbalance: &Imbalance) -> Violation {
    Violation {
        property: Property::Conservation,
        vc: None,
        link: None,
        count: imbalance.left.abs_diff(imbalance.right),
        text: imbalance.to_string(),
    }
}

/// What the VCs of `spec` and `counters` did not keep, each by itself. `names` are those of link
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
            let mut breach = |property, count, text, accepted: bool| {
                let (vc, link) = (Some(vc_spec.name.clone()), Some(link.clone()));
                let list = if accepted { &mut found.accepted } else { &mut found.broken };
                list.push(Violation { property, vc, link, count, text });
            };
            hop_violations(spec, counters, (vc, hop), link, &mut breach);
            let mut late = |property, count, text| breach(property, count, text, false);
            let of = (&*vc_spec.name, &**link);
            time_violation(counters, (vc, hop), sending[vc][hop], of, &mut late);
        }
    }
    found
}

/// A circle of buffers that waits for itself.
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

fn hop_violations(
    spec: &NetworkSpec,
    counters: &RunCounters,
    (vc, hop): (usize, usize),
    link: &str,
    breach: &mut dyn FnMut(Property, u64, String, bool),
) {
    let name = &spec.vcs[vc].name;
    let hops = &spec.vcs[vc].hops;
    let count = &counters.vcs[vc].hops[hop];
    let why = |accepted, otherwise| {
        if accepted { ", which `allow-small-buffer` accepts" } else { otherwise }
    };
    if let Some(buffer) = spec.promised_buffer(&hops[hop]) {
        if count.overrun_packets > 0 {
            let text = format!(
                "VC `{name}` on `{link}`: {} cells arrived when the promised buffer of {buffer} \
                 was full",
                count.overrun_packets
            );
            breach(Property::NoOverrun, count.overrun_packets, text, false);
        }
        if count.dropped_packets > 0 {
            let accepted = accepts_loss(&hops[hop]);
            let text = format!(
                "VC `{name}` on `{link}`: {} cells dropped for want of buffer{}",
                count.dropped_packets,
                why(accepted, " although the VC is under credit control")
            );
            breach(Property::NoCongestionLoss, count.dropped_packets, text, accepted);
        }
    }
    let before = hops[hop].parent.map(|parent| &hops[parent]);
    let before = before.filter(|hop| hop.control != HopControl::None);
    if let Some(before) = before.filter(|_| count.pushed_out_packets > 0) {
        let accepted = accepts_loss(before);
        let text = format!(
            "VC `{name}` on `{link}`: {} cells pushed out for want of buffer{}",
            count.pushed_out_packets,
            why(accepted, " although the VC came under credit control")
        );
        breach(Property::NoCongestionLoss, count.pushed_out_packets, text, accepted);
    }
}

/// Whether the user accepts that the buffer behind a hop is too small.
fn accepts_loss(hop: &HopSpec) -> bool {
    matches!(hop.control, HopControl::Credit(credit) if credit.allow_small_buffer)
}

fn time_violation(
    counters: &RunCounters,
    (vc, hop): (usize, usize),
    sending: Sending,
    (name, link): (&str, &str),
    breach: &mut dyn FnMut(Property, u64, String),
) {
    let count = &counters.vcs[vc].hops[hop];
    let spans = [count.no_cell, count.no_credit, sending.time];
    let known: u128 = spans.iter().map(|span| u128::from(span.0)).sum();
    let end = u128::from(counters.now.0);
    if sending.exact && known > end {
        let text = format!(
            "VC `{name}` on `{link}`: no cell ({}), no credit ({}) and sending ({}) add up to \
             more than the run ({})",
            spans[0], spans[1], spans[2], counters.now
        );
        breach(Property::TimeAddsUp, u64::try_from(known - end).unwrap_or(u64::MAX), text);
    }
}
