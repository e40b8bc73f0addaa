//! Flow control of a flow: what its `control` table says, worked out for each hop.

use hopflow_control::credit::PacketUnits;
use hopflow_network::{CreditScheme, CreditSpec, DirectionId, HopControl, Limit, WindowSpec};
use hopflow_units::{Bytes, Cells, Rate};

use crate::Code;
use crate::credit_loop::{CreditLoop, Packets, amount};
use crate::described::{Choice, Described, OnLink, ReadIn, Reads, Taken};
use crate::diagnostic::Sink;
use crate::hops::Hops;
use crate::keys::MOST_CREDIT;
use crate::keys::control::{
    ACK_EVERY, ALLOW_SMALL_BUFFER, ALLOW_SMALL_N3, CONTROL_KEY, CONTROL_KINDS, CREDITS_PER_CELL, E,
    EvaluateAt, HOP_KEY, HOP_LINK, N1, N2, N3, PACKETS, REDUNDANT_EVERY, REQUEST_AFTER, TARGET,
    UNIT,
};
use crate::machine;
use crate::section::Section;
use crate::template::{self, Copy};
use crate::way::{Room, Terms, Way};

/// The control of one flow: its own table, and those of hops that differ.
#[derive(Debug)]
pub(crate) struct Control<'a> {
    section: Option<Section<'a>>,
    kind: &'static str,
    overrides: Vec<(DirectionId, Section<'a>, &'static str)>,
}

impl<'a> Control<'a> {
    /// Reads `control` and `[[flow.hop]]`. `None` when the kind is unknown.
    pub(crate) fn read(
        flow: &Section<'a>,
        copy: Copy,
        way: &Way<'_>,
        sink: &mut Sink,
    ) -> Option<Control<'a>> {
        let section = flow.table(&CONTROL_KEY);
        let kind = match &section {
            Some(section) => section.kind(CONTROL_KINDS, sink)?,
            None => "none",
        };
        let mut overrides: Vec<(DirectionId, Section<'a>, &'static str)> = Vec::new();
        let changed = flow.is_changed(&CONTROL_KEY);
        for hop in flow.tables(&HOP_KEY, sink).into_iter().filter(|_| !changed) {
            let hop_kind = match hop.kind_item() {
                Some(item) => item.choice(CONTROL_KINDS, sink)?,
                None if matches!(kind, "window" | "abr") => "none",
                None => kind,
            };
            hop.only_keys_of(hop_kind, sink);
            let item = hop.need(&HOP_LINK, sink)?;
            let [from, to] = item.two(sink)?;
            let from = template::fill(from.text(sink)?, &from.span, copy, sink)?;
            let to = template::fill(to.text(sink)?, &to.span, copy, sink)?;
            let direction = way.find([&from, &to], &item.span, sink)?;
            if !way.hops.iter().any(|(crossed, _)| *crossed == direction) {
                let message = format!("the flow does not cross the link from `{from}` to `{to}`");
                sink.error(Code::HOP_NOT_CROSSED, &item.span, message);
            } else if overrides.iter().any(|(other, ..)| *other == direction) {
                let message = format!("two `[[flow.hop]]` name the link from `{from}` to `{to}`");
                sink.error(Code::DUPLICATE, &item.span, message);
            } else {
                overrides.push((direction, hop, hop_kind));
            }
        }
        Some(Control { section, kind, overrides })
    }

    /// The control of the VC back of a connection: that of its own table, else of the flow's.
    pub(crate) fn of_way_back(
        flow: &Section<'a>,
        back: Option<&Section<'a>>,
        sink: &mut Sink,
    ) -> Option<Control<'a>> {
        let back = back.filter(|_| !flow.is_changed(&CONTROL_KEY));
        let own = back.and_then(|back| back.table(&CONTROL_KEY));
        let section = own.or_else(|| flow.table(&CONTROL_KEY));
        let kind = match &section {
            Some(section) => section.kind(CONTROL_KINDS, sink)?,
            None => "none",
        };
        Some(Control { section, kind, overrides: Vec::new() })
    }

    /// An error if it is a window: a connection has its own.
    pub(crate) fn is_no_window(&self, sink: &mut Sink) -> Option<()> {
        let Some(section) = self.section.as_ref().filter(|_| self.kind == "window") else {
            return Some(());
        };
        let message = "control `window` cannot be combined with a connection: its endpoints set \
                       their own windows";
        let hint = "choose a credit scheme such as `n23`, or `none`; for TCP see `source.window`";
        sink.error(Code::CONFLICT, &section.span, message).hint(hint);
        None
    }

    /// The end-to-end window, if that is the kind. `unicast`: whether there is one receiver.
    pub(crate) fn window(&self, unicast: bool, sink: &mut Sink) -> Option<WindowSpec> {
        let section = self.section.as_ref().filter(|_| self.kind == "window")?;
        if !unicast {
            let message = "an end-to-end window needs one receiver, but this flow is multicast";
            sink.error(Code::UNICAST_ONLY, &section.span, message)
                .hint("use a credit scheme, or one flow per receiver");
            return None;
        }
        let cells = PACKETS.read(section, &(), sink)?;
        let ack_every = ACK_EVERY.read(section, &(), sink)?;
        if ack_every > cells {
            let message = format!(
                "`ack-every` ({ack_every}) exceeds the window of {cells} packets: no ACK would be \
                 sent"
            );
            sink.error(Code::OUT_OF_RANGE, &ACK_EVERY.place(section), message)
                .hint(format!("lower `ack-every` to {cells} or less, or raise `packets`"));
        }
        Some(WindowSpec { cells: Cells(cells), ack_every: Cells(ack_every) })
    }

    /// The table of kind `abr`, if that is the kind. An error where a hop has credit as well.
    pub(crate) fn abr(&self, sink: &mut Sink) -> Result<Option<&Section<'a>>, ()> {
        let Some(section) = self.section.as_ref().filter(|_| self.kind == "abr") else {
            return Ok(None);
        };
        let credit = self.overrides.iter().find(|(.., kind)| *kind != "none");
        let Some((_, hop, kind)) = credit else { return Ok(Some(section)) };
        let message = format!("a hop cannot be under `{kind}` while its flow is under `abr`");
        let hint = "take the `[[flow.hop]]` out, or give the flow a credit scheme";
        let error = sink.error(Code::CONFLICT, &hop.span, message).hint(hint);
        error.label(section.span.clone(), "the control of the flow");
        Err(())
    }

    /// By hop of a way, which of the tables of hops is its own.
    pub(crate) fn own_tables(&self, hops: &Hops) -> Vec<Option<usize>> {
        let own = |id| self.overrides.iter().position(|(crossed, ..)| *crossed == id);
        hops.iter().map(|(id, _)| own(*id)).collect()
    }

    /// The control of one hop, of a flow whose packets on the wire have these sizes.
    pub(crate) fn on_hop(
        &self,
        way: &Way<'_>,
        at: usize,
        packets: Packets,
        sink: &mut Sink,
    ) -> Option<HopControl> {
        let (direction, _) = way.hops[at];
        let hop = self.overrides.iter().find(|(crossed, ..)| *crossed == direction);
        let kind = hop.map_or(self.kind, |(.., kind)| kind);
        if matches!(kind, "none" | "window" | "abr") {
            return Some(HopControl::None);
        }
        let table = match hop {
            Some((_, hop, _)) => hop.clone().over(self.section.as_ref()),
            None => self.section.clone()?,
        };
        let (terms, receiver) = (&way.terms[at], way.receiver(at));
        let hop = Hop { table: table.of_kind(kind), terms, receiver, packets };
        let spec = hop.credit(kind, sink)?;
        hop.fits_bits(&spec, sink)?;
        hop.holds_a_packet(&spec, sink)?;
        hop.fits_buffer(&spec, sink)?;
        Some(HopControl::Credit(spec))
    }
}

/// A hop under credit: its own table, with that of the flow behind it.
#[derive(Debug)]
struct Hop<'h, 'a> {
    table: Section<'a>,
    terms: &'h Terms,
    /// The name of the node at its end.
    receiver: &'h str,
    packets: Packets,
}

impl Hop<'_, '_> {
    fn credit(&self, kind: &str, sink: &mut Sink) -> Option<CreditSpec> {
        let (table, rate) = (&self.table, self.terms.rate);
        let usual = if self.packets.are_cells() { Bytes::CELL } else { PacketUnits::USUAL };
        let unit = UNIT.read(table, &(), sink)?.unwrap_or(usual);
        let link = OnLink { rate, cell: self.terms.cell, unit };
        let target = TARGET.read(table, &link, sink)?;
        let n2 = Cells(N2.read(table, &link, sink)?);
        let is_continuous = E.read(table, &link, sink)? == EvaluateAt::WORDS[1];
        let scheme = self.with_machine(CreditScheme::of_kind(kind, is_continuous)?, sink)?;
        let facts = scheme.facts();
        // A shared buffer takes the place of N3.
        let shares_buffer = facts.shares_buffer();
        let n3 = if shares_buffer { Cells::ZERO } else { self.n3(target, n2, &link, sink)? };
        let n1 = match facts.n1 {
            Some(n1) => {
                let rate = n1.rate(rate, target.unwrap_or(rate));
                let law = self.law(unit).n1(rate);
                self.zone(&N1, rate, law, &link, sink)?
            }
            None => Cells::ZERO,
        };
        let request_after = REQUEST_AFTER.read(table, &link, sink)?;
        let redundant_every = REDUNDANT_EVERY.read(table, &link, sink)?;
        let allow_small_buffer = if shares_buffer {
            self.terms.allow_small_shared
        } else {
            ALLOW_SMALL_BUFFER.is_set(table)
        };
        let per_cell = CREDITS_PER_CELL.read(table, &link, sink)?;
        Some(CreditSpec {
            scheme,
            unit,
            n1,
            n2,
            n3,
            request_after,
            redundant_every,
            per_cell,
            allow_small_buffer,
        })
    }

    /// The scheme with the place of its machine, if it is external.
    fn with_machine(&self, scheme: CreditScheme, sink: &mut Sink) -> Option<CreditScheme> {
        if scheme.external().is_none() {
            return Some(scheme);
        }
        machine::of_table("credit scheme", &self.table, sink).map(CreditScheme::External)
    }

    /// The law of its zones.
    fn law(&self, unit: Bytes) -> CreditLoop {
        let (Packets { least, most }, round_trip) = (self.packets, self.terms.round_trip);
        CreditLoop { wire: self.terms.wire(), round_trip, unit, least, most }
    }

    /// N3, held against the law where a target is named.
    fn n3(&self, target: Option<Rate>, n2: Cells, link: &OnLink, sink: &mut Sink) -> Option<Cells> {
        let bandwidth = target.unwrap_or(link.rate);
        let law = self.law(link.unit);
        let n3 = self.zone(&N3, bandwidth, law.n3(bandwidth, n2), link, sink)?;
        let least = law.n3(bandwidth, n2).unwrap_or(u64::MAX);
        let is_small = target.is_some() && u64::from(n3.0) < least;
        if is_small && !ALLOW_SMALL_N3.is_set(&self.table) {
            let by = if law.is_of_cells() { "Eq. (3)" } else { "the law of packets" };
            let message = format!(
                "N3 is {}, too small for a target of {bandwidth} with R = {}: {by} gives {least}",
                n3.0, self.terms.round_trip
            );
            let hint = format!("raise `n3` to {least}, or set `allow-small-n3 = true`");
            sink.error(Code::SMALL_N3, &N3.place(&self.table), message).hint(hint);
            return None;
        }
        Some(n3)
    }

    /// N1 or N3 as it is given, or else by the law for this rate, if a credit cell can count it.
    fn zone<T>(
        &self,
        key: &Described<T>,
        bandwidth: Rate,
        law: Option<u64>,
        link: &OnLink,
        sink: &mut Sink,
    ) -> Option<Cells>
    where
        T: Taken<Value = Option<u32>> + ReadIn<OnLink>,
    {
        if let Some(units) = key.read(&self.table, link, sink)? {
            return Some(Cells(units));
        }
        let cells = law.filter(|units| *units <= MOST_CREDIT);
        if cells.is_none() {
            let message = format!(
                "`{}` worked out for {bandwidth} with R = {} is above {}",
                key.key.name,
                self.terms.round_trip,
                amount(MOST_CREDIT, link.unit)
            );
            sink.error(Code::CREDIT_BITS, &key.place(&self.table), message);
        }
        cells.map(|cells| Cells(cells as u32))
    }

    /// N1 + N2 + N3 fits a credit cell.
    fn fits_bits(&self, spec: &CreditSpec, sink: &mut Sink) -> Option<()> {
        let sum = u64::from(spec.n1.0) + u64::from(spec.n2.0) + u64::from(spec.n3.0);
        if sum > MOST_CREDIT {
            let message = format!(
                "N1 + N2 + N3 is {}, but a credit cell can carry {MOST_CREDIT} at most",
                amount(sum, spec.unit)
            );
            sink.error(Code::CREDIT_BITS, &N3.place(&self.table), message);
            return None;
        }
        Some(())
    }

    /// No packet waits for more credit than there is, or for one that falls due after more freed
    /// units than are granted.
    fn holds_a_packet(&self, spec: &CreditSpec, sink: &mut Sink) -> Option<()> {
        let (units, packet) = (spec.packet_units(self.packets.most), self.packets.most.0);
        if units.are_packets() {
            return Some(());
        }
        let largest = units.largest().0;
        if spec.scheme.facts().n1.is_some() && spec.n1.0 < largest {
            let message = format!(
                "N1 is {}, but a packet of {packet} B takes {largest}: it could never start",
                amount(spec.n1.0, spec.unit)
            );
            let hint = format!("raise `n1` to {largest} or more, or leave it out");
            sink.error(Code::SMALL_CREDIT, &N1.place(&self.table), message).hint(hint);
            return None;
        }
        let one_size = self.packets.least == self.packets.most;
        let least = units.least_buffer(spec.n2, one_size);
        if u64::from(spec.initial_credit().0) >= least || spec.scheme.facts().shares_buffer() {
            return Some(());
        }
        let n3 = least - u64::from(spec.n2.0);
        let message = format!(
            "N2 + N3 is {}, but a packet of {packet} B takes {largest} and a credit comes after \
             {} freed: it could wait for ever",
            amount(spec.initial_credit().0, spec.unit),
            spec.n2.0
        );
        let hint = format!("raise `n3` to {n3} or more, or leave it out");
        sink.error(Code::SMALL_CREDIT, &N3.place(&self.table), message).hint(hint);
        None
    }

    /// The receiver has room for all it grants, but for what a shared buffer grants, which is
    /// checked when all flows are known.
    fn fits_buffer(&self, spec: &CreditSpec, sink: &mut Sink) -> Option<()> {
        let (granted, shares) = (spec.buffer(), spec.scheme.facts().shares_buffer());
        // Of a limit in packets, the smallest have the fewest units.
        let smallest = spec.packet_units(self.packets.least).largest();
        let need = Cells(granted.0 / smallest.0);
        let Packets { least, most } = self.packets;
        let memory = |room: &Room| room.memory_of(granted, spec.unit, least, most);
        let is_small = |room: &Room| match room.limit {
            Limit::Packets(limit) => limit < need,
            Limit::Bytes(limit) => limit.0 < memory(room),
        };
        let small = self.terms.room.filter(|room| !shares && is_small(room));
        if let Some(room) = small
            && !spec.allow_small_buffer
        {
            let what = if room.is_receive_buffer { "receive buffer" } else { "buffer" };
            let (receiver, sum) = (&self.receiver, amount(granted.0, spec.unit));
            let (message, raised) = match room.limit {
                Limit::Packets(limit) if self.packets.are_cells() => {
                    let message = format!(
                        "N1 + N2 + N3 is {need}, but the {what} of `{receiver}` holds {limit}: \
                         cells could be lost"
                    );
                    (message, need.to_string())
                }
                Limit::Packets(limit) => {
                    let message = format!(
                        "N1 + N2 + N3 is {sum}, in which {} packets of {} B fit, but the {what} of \
                         `{receiver}` holds {}: packets could be lost",
                        need.0, self.packets.least.0, limit.0
                    );
                    (message, format!("{} packets", need.0))
                }
                Limit::Bytes(limit) => {
                    let needed = format!("{} B", memory(&room));
                    let message = format!(
                        "N1 + N2 + N3 is {sum}, which take up to {needed}, but the {what} of \
                         `{receiver}` holds {} B: packets could be lost",
                        limit.0
                    );
                    (message, needed)
                }
            };
            let key = if room.is_receive_buffer { "`receive-buffer`" } else { "the buffer" };
            let hint =
                format!("raise {key} to {raised}, lower N3, or set `allow-small-buffer = true`");
            sink.error(Code::SMALL_BUFFER, &N3.place(&self.table), message).hint(hint);
            return None;
        }
        Some(())
    }
}
