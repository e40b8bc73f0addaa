//! Slow hosts: the application of a host, which takes arrived packets at a rate of its own, or
//! stops for a time. `application.rs` makes it.

use std::ops::Range;

use hopflow_network::Limit;
use hopflow_units::{Picos, Rate, SimTime};

use crate::Code;
use crate::decimal::Rounding;
use crate::described::Reads;
use crate::diagnostic::Sink;
use crate::keys::network::{AT, DRAIN, FOR, RECEIVE_BUFFER, STALL_KEY};
use crate::quantity::{Quantity, Sort};
use crate::section::Section;
use crate::value::Item;

/// What a host says of its application.
#[derive(Clone, Debug)]
pub(crate) struct Application {
    /// How fast it takes packets, and where the file says so; `None`: as fast as its link.
    pub(crate) rate: Option<(Drain, Range<usize>)>,
    /// The limit of the receive buffer.
    pub(crate) buffer: Option<Limit>,
    /// When it stops: disjoint, in order of time.
    pub(crate) stalls: Vec<Stall>,
    /// Where the first of its keys is.
    pub(crate) span: Range<usize>,
}

/// How fast an application takes packets.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Drain {
    /// At a rate.
    Rate(Rate),
    /// At a share of the rate of the host's link.
    Share(Quantity),
}

/// A time in which an application starts no packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stall {
    pub(crate) at: SimTime,
    pub(crate) until: SimTime,
    /// Where the file gives it.
    pub(crate) span: Range<usize>,
}

/// What a host says of its application; `None`: nothing, it takes all at once.
pub(crate) fn read(section: &Section<'_>, sink: &mut Sink) -> Option<Application> {
    let [drains, room, stops] =
        [DRAIN, RECEIVE_BUFFER.key, STALL_KEY].map(|key| section.find(&key));
    let span = [&drains, &room, &stops].into_iter().flatten().next()?.span.clone();
    let rate = drains.and_then(|item| Some((drain(&item, sink)?, item.span)));
    let buffer = room.and_then(|item| item.limit(sink));
    let stalls = stops.and_then(|item| stalls(&item, sink)).unwrap_or_default();
    Some(Application { rate, buffer, stalls, span })
}

fn drain(item: &Item<'_>, sink: &mut Sink) -> Option<Drain> {
    let quantity = item.quantity(Sort::BANDWIDTH, sink)?;
    if quantity.sort == Sort::Rate {
        return item.rate(sink).map(Drain::Rate);
    }
    let whole = quantity.share_of(Picos::PER_SECOND, Rounding::Up);
    if whole.is_none_or(|share| share == 0 || share > Picos::PER_SECOND) {
        item.out_of_range(sink, item.value.as_str()?, "more than 0 % and at most 100 %");
        return None;
    }
    Some(Drain::Share(quantity))
}

/// One table, or a list of them.
fn stalls(item: &Item<'_>, sink: &mut Sink) -> Option<Vec<Stall>> {
    let items = if item.value.is_array() { item.list(sink)? } else { vec![item.clone()] };
    let mut stalls = Vec::new();
    for item in items {
        let table = Section::of_item(&item, &STALL_KEY)?;
        let at = AT.read(&table, &(), sink)?;
        let span = FOR.read(&table, &(), sink)?;
        let until = SimTime(at.0.saturating_add(span.0));
        stalls.push(Stall { at: SimTime(at.0), until, span: item.span });
    }
    stalls.sort_by_key(|stall| stall.at);
    for pair in stalls.windows(2) {
        let (first, second) = (&pair[0], &pair[1]);
        if second.at < first.until {
            let message = format!(
                "two stops overlap: the application stops at {}, but resumes only at {} from its \
                 stop at {}",
                Picos(second.at.0),
                Picos(first.until.0),
                Picos(first.at.0)
            );
            let error = sink.error(Code::CONFLICT, &second.span, message);
            let error = error.hint("merge the two stops, or move one");
            error.label(first.span.clone(), "the first stop");
            return None;
        }
    }
    // One that begins as another ends goes on with it.
    stalls.dedup_by(|next, first| {
        let touches = next.at == first.until;
        if touches {
            first.until = next.until;
        }
        touches
    });
    Some(stalls)
}
