//! What a flow reserves, what its source keeps to, and what the edge does to its packets.

use std::ops::Range;

use hopflow_control::scheduler::Reservation;
use hopflow_network::{
    EnvelopeRule, EnvelopeSpec, Excess, PolicingRule, PolicingSpec, SizeLaw, SourceSpec,
    TrafficSpec, VcSpec,
};
use hopflow_units::{Bytes, Picos, Rate};

use crate::Code;
use crate::described::{Reads, Words};
use crate::diagnostic::Sink;
use crate::keys::LAST_PRIORITY;
use crate::keys::flow::OBEYS;
use crate::keys::service::WEIGHT;
use crate::keys::traffic::{
    AI, AIR, BURST, DEPTH, ENVELOPE_KEY, EXCESS, INTERVAL, KEEPS, Keeps, LARGEST_BURST, LIMIT,
    POLICING_KEY, POLICING_KINDS, PRIORITY, RATE, RESERVATION_KEY, ROOM, TOKENS,
};
use crate::section::Section;
use crate::value::{Item, LONGEST};

/// AI in packets where nothing is said.
const PACKETS_PER_INTERVAL: u64 = 100;

/// A flow as its traffic is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge<'e, 'a> {
    pub(crate) flow: &'e Section<'a>,
    pub(crate) size: &'e SizeLaw,
    /// The cell time of the first link.
    pub(crate) cell: Picos,
}

impl Edge<'_, '_> {
    /// The time of the largest packet at a rate, if a scenario can express it.
    fn packet_time(&self, rate: Rate) -> Option<Picos> {
        rate.transmit_time(self.size.most()).filter(|time| *time <= LONGEST)
    }

    /// As [`Edge::packet_time`], an error at `item` when it is too long.
    fn period(&self, rate: Rate, item: &Item<'_>, sink: &mut Sink) -> Option<Picos> {
        let time = self.packet_time(rate);
        if time.is_none() {
            let range = "high enough for one packet in 100 days";
            item.out_of_range(sink, &rate.to_string(), range);
        }
        time
    }

    /// `reservation`; reports mistakes.
    pub(crate) fn reservation(&self, sink: &mut Sink) -> Result<Option<Reservation>, ()> {
        let table = self.flow.table(&RESERVATION_KEY);
        table.map(|table| self.reserves(&table, sink).ok_or(())).transpose()
    }

    fn reserves(&self, table: &Section<'_>, sink: &mut Sink) -> Option<Reservation> {
        let rate = RATE.read(table, self.size, sink)?;
        let packet = self.period(rate, &RATE.item(table)?, sink)?;
        let interval = match INTERVAL.item(table) {
            Some(item) => {
                let interval = INTERVAL.read(table, &self.cell, sink)?;
                self.holds_a_packet(&item, interval, packet, rate, sink)?;
                interval
            }
            None => packet.checked_mul(PACKETS_PER_INTERVAL).unwrap_or(LONGEST).min(LONGEST),
        };
        let priority = PRIORITY.read(table, &self.cell, sink)?;
        let given = BURST.item(table);
        let burst = given.map_or(Some(self.size.most()), |item| self.burst(&item, sink))?;
        Some(Reservation { rate, interval, priority, burst })
    }

    /// AI is at least the time of one packet at AR, [Zhang90] 5.
    fn holds_a_packet(
        &self,
        item: &Item<'_>,
        interval: Picos,
        packet: Picos,
        rate: Rate,
        sink: &mut Sink,
    ) -> Option<()> {
        if interval >= packet {
            return Some(());
        }
        let message = format!(
            "AI is {interval}, shorter than one packet of {} B at {rate}, which takes {packet}",
            self.size.most().0
        );
        let hint = format!("raise `interval` to {packet} or more, or raise `rate`");
        sink.error(Code::SHORT_INTERVAL, &item.span, message).hint(hint);
        None
    }

    /// A burst that holds the largest packet.
    fn burst(&self, item: &Item<'_>, sink: &mut Sink) -> Option<Bytes> {
        let burst = item.bytes(Bytes(1), Bytes(LARGEST_BURST), sink)?;
        let most = self.size.most().0;
        self.holds(burst, "`burst`", format!("raise it to {most} B or more"), item, sink)
    }

    /// The burst that the reservation lends to the policer at `item`. The reservation of a flow
    /// that is cut counts cells, so it may be less than a packet.
    fn lent_burst(
        &self,
        reserved: Option<&Reservation>,
        item: &Item<'_>,
        sink: &mut Sink,
    ) -> Option<Bytes> {
        let burst = needed(reserved, item, sink)?.burst;
        let hint = format!("add `burst = \"{} B\"`, or more, to `policing`", self.size.most().0);
        self.holds(burst, "the burst of the reservation", hint, item, sink)
    }

    /// The burst, an error at `item` when it is less than the largest packet.
    fn holds(
        &self,
        burst: Bytes,
        what: &str,
        hint: String,
        item: &Item<'_>,
        sink: &mut Sink,
    ) -> Option<Bytes> {
        let most = self.size.most();
        if burst < most {
            let message = format!(
                "{what} is {} B, but the largest packet has {} B: it would never go through",
                burst.0, most.0
            );
            sink.error(Code::SMALL_BURST, &item.span, message).hint(hint);
            return None;
        }
        Some(burst)
    }

    /// `envelope`; reports mistakes.
    fn envelope(
        &self,
        reserved: Option<&Reservation>,
        sink: &mut Sink,
    ) -> Result<Option<EnvelopeSpec>, ()> {
        let Some(item) = self.flow.get(&ENVELOPE_KEY) else { return Ok(None) };
        if item.value.as_table().is_none() && !item.flag(sink).ok_or(())? {
            return Ok(None);
        }
        self.keeps_to(&item, reserved, sink).map(Some).ok_or(())
    }

    /// The envelope of a table, or that of the reservation.
    fn keeps_to(
        &self,
        item: &Item<'_>,
        reserved: Option<&Reservation>,
        sink: &mut Sink,
    ) -> Option<EnvelopeSpec> {
        let (kind, packets, interval) = match Section::of_item(item, &ENVELOPE_KEY) {
            Some(table) => (
                KEEPS.read(&table, &self.cell, sink)?,
                AIR.read(&table, &self.cell, sink)?,
                AI.read(&table, &self.cell, sink)?,
            ),
            None => (Keeps::Gaps, None, None),
        };
        let is_given = packets.is_some() || interval.is_some();
        let (packets, interval) = match (packets, interval) {
            (Some(packets), Some(interval)) => (packets, interval),
            (packets, interval) => {
                let reserved = needed(reserved, item, sink)?;
                let packets = packets.unwrap_or_else(|| packets_per_interval(reserved, self.size));
                (packets, interval.unwrap_or(reserved.interval))
            }
        };
        let average_gap = match reserved {
            Some(reserved) if !is_given => self.packet_time(reserved.rate)?,
            _ => Picos(interval.0.div_ceil(packets)),
        };
        let packets = u32::try_from(packets).ok().filter(|packets| *packets <= 100_000_000);
        if packets.is_none() {
            item.out_of_range(sink, "AR x AI", "100000000 packets at most");
        }
        let least_gap = Picos(average_gap.0.div_ceil(2));
        let rule = match kind {
            Keeps::Gaps => EnvelopeRule::Gaps { least_gap, average_gap },
            Keeps::Strictly => EnvelopeRule::Strict,
        };
        Some(EnvelopeSpec { packets: packets?, interval, rule })
    }

    /// `policing`; reports mistakes.
    fn policing(
        &self,
        reserved: Option<&Reservation>,
        sink: &mut Sink,
    ) -> Result<Option<PolicingSpec>, ()> {
        let table = self.flow.table(&POLICING_KEY);
        table.map(|table| self.polices(&table, reserved, sink).ok_or(())).transpose()
    }

    fn polices(
        &self,
        table: &Section<'_>,
        reserved: Option<&Reservation>,
        sink: &mut Sink,
    ) -> Option<PolicingSpec> {
        let kind = table.kind(POLICING_KINDS, sink)?;
        let whole = Item { span: table.span.clone(), ..self.flow.get(&POLICING_KEY)? };
        let (rate, at) = match TOKENS.read(table, self.size, sink)? {
            Some(rate) => (rate, TOKENS.item(table)?),
            None => (needed(reserved, &whole, sink)?.rate, whole.clone()),
        };
        let excess = excess(kind, table, sink)?;
        let rule = match (kind, excess) {
            ("leaky-bucket", Excess::Delayed { packets }) => {
                PolicingRule::LeakyBucket { period: self.period(rate, &at, sink)?, packets }
            }
            ("gcra", _) => {
                let limit = LIMIT.read(table, &self.cell, sink)?;
                PolicingRule::Gcra { increment: self.period(rate, &at, sink)?, limit }
            }
            _ => {
                let burst = match DEPTH.item(table) {
                    Some(item) => self.burst(&item, sink)?,
                    None => self.lent_burst(reserved, &whole, sink)?,
                };
                PolicingRule::TokenBucket { rate, burst }
            }
        };
        Some(PolicingSpec { rule, excess })
    }

    /// All that stands beside the source. `misbehaves`: the source keeps to nothing.
    pub(crate) fn traffic(
        &self,
        reserved: Option<&Reservation>,
        source: Option<&SourceSpec>,
        misbehaves: bool,
        sink: &mut Sink,
    ) -> Option<TrafficSpec> {
        let mut traffic = TrafficSpec { size: self.size.clone(), ..TrafficSpec::default() };
        if misbehaves {
            self.keeps_to_nothing(sink)?;
        } else {
            traffic.envelope = self.envelope(reserved, sink).ok()?;
            traffic.obeys = OBEYS.is_set(self.flow);
        }
        traffic.policing = self.policing(reserved, sink).ok()?;
        if let (true, Some(item)) = (traffic.obeys, OBEYS.item(self.flow)) {
            needed(reserved, &item, sink)?;
        }
        let held = [
            (ENVELOPE_KEY, traffic.envelope.is_some()),
            (POLICING_KEY, traffic.policing.is_some()),
            (OBEYS.key, traffic.obeys),
        ];
        let held = held.into_iter().find(|(_, holds)| *holds);
        let has_no_law = |source: &&SourceSpec| source.is_greedy() || source.facts().follows_rate;
        if let (Some((key, _)), Some(source)) = (held, source.filter(has_no_law)) {
            no_law(&self.flow.get(&key)?, source.facts().name, "", sink);
            return None;
        }
        let elsewhere = |spec: PolicingSpec| spec.excess == Excess::Elsewhere;
        if traffic.obeys && traffic.policing.is_some_and(elsewhere) {
            let item = OBEYS.item(self.flow)?;
            let message = "`obeys` and `excess = \"low-priority\"` exclude each other: a message \
                           would reach one of the two flows only";
            sink.error(Code::CONFLICT, &item.span, message).hint("keep one of them");
            return None;
        }
        Some(traffic)
    }

    /// A source that misbehaves has neither `envelope` nor `obeys` of its own; those of
    /// `[defaults]` do not hold for it.
    fn keeps_to_nothing(&self, sink: &mut Sink) -> Option<()> {
        for key in [ENVELOPE_KEY, OBEYS.key] {
            let own = self.flow.own(&key).filter(|item| item.value.as_bool() != Some(false));
            if let Some(item) = own {
                let message = format!("`misbehaves` and `{}` exclude each other", key.name);
                sink.error(Code::CONFLICT, &item.span, message).hint("keep one of them");
                return None;
            }
        }
        Some(())
    }
}

/// The reservation that the key `item` needs.
fn needed<'r>(
    reserved: Option<&'r Reservation>,
    item: &Item<'_>,
    sink: &mut Sink,
) -> Option<&'r Reservation> {
    if reserved.is_none() {
        let message = format!("`{}` needs a reservation, but this flow has none", item.key);
        let hint = "add `reservation = { rate = \"10 packets/s\", interval = \"20 s\" }`";
        sink.error(Code::NO_RESERVATION, &item.span, message).hint(hint);
    }
    reserved
}

/// What becomes of a packet that does not conform.
fn excess(kind: &str, table: &Section<'_>, sink: &mut Sink) -> Option<Excess> {
    let excess = match kind {
        "leaky-bucket" => Excess::Delayed { packets: 0 },
        _ => EXCESS.read(table, &(), sink)?,
    };
    if matches!(excess, Excess::Delayed { .. }) {
        return Some(Excess::Delayed { packets: ROOM.read(table, &(), sink)? });
    }
    if let Some(item) = table.own(&ROOM.key) {
        let excess = excess.word();
        let message = format!("`room` does not belong to excess `{excess}`: no packet waits");
        let hint = "take it out, or write `excess = \"delay\"`";
        sink.error(Code::KEY_OF_OTHER_KIND, &item.span, message).hint(hint);
        return None;
    }
    Some(excess)
}

/// AIR: AR x AI in packets of the largest size, rounded up.
fn packets_per_interval(reserved: &Reservation, size: &SizeLaw) -> u64 {
    let bit_picos = u128::from(reserved.rate.bps()) * u128::from(reserved.interval.0);
    let packet = u128::from(size.most().bits()) * u128::from(Picos::PER_SECOND);
    u64::try_from(bit_picos.div_ceil(packet).max(1)).unwrap_or(u64::MAX)
}

/// The source has no rate of its own that the key `item` could act on.
pub(crate) fn no_law(item: &Item<'_>, kind: &str, others: &str, sink: &mut Sink) {
    let message = format!("`{}` cannot be combined with a `{kind}` source", item.key);
    let hint = format!("choose a source with a rate of its own, such as `poisson`{others}");
    sink.error(Code::NO_RATE, &item.span, message).hint(hint);
}

/// The VC that carries what does not conform, if `vc` leaves it to another: made from the same
/// stream, of the lowest priority, without reservation.
pub(crate) fn excess_of(vc: &VcSpec) -> Option<VcSpec> {
    let policing = vc.traffic.policing.filter(|spec| spec.excess == Excess::Elsewhere)?;
    let policing = Some(PolicingSpec { excess: Excess::Only, ..policing });
    let traffic = TrafficSpec { policing, stream: Some(vc.name.clone()), ..(*vc.traffic).clone() };
    let name = format!("{}.excess", vc.name);
    let priority = LAST_PRIORITY;
    Some(VcSpec {
        name,
        priority,
        traffic: traffic.into(),
        reservation: None,
        signalled: false,
        weight: 1,
        ..vc.clone()
    })
}

/// `weight`, an error beside a reservation, whose rate is the weight.
pub(crate) fn weight(flow: &Section<'_>, reserved: Option<Range<usize>>, sink: &mut Sink) -> u32 {
    if let (Some(item), Some(span)) = (WEIGHT.item(flow), reserved) {
        let message = "`weight` and `reservation` exclude each other: the reserved rate is the \
                       weight";
        let error = sink.error(Code::CONFLICT, &item.span, message);
        error.hint("keep one of them").label(span, "the reservation");
    }
    WEIGHT.read(flow, &(), sink).unwrap_or(1)
}
