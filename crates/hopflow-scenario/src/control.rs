//! Flow control of a flow: what its `control` table says, worked out for each hop.

use hopflow_network::{CreditScheme, CreditSpec, DirectionId, HopControl, NodeKind, WindowSpec};
use hopflow_units::{Cells, Picos, Rate};

use crate::Code;
use crate::cell_time::cells_in_flight;
use crate::decimal::Rounding;
use crate::diagnostic::Sink;
use crate::hops::Hops;
use crate::keys::{CONTROL, CONTROL_KINDS, HOP, MOST_CREDIT};
use crate::link::Links;
use crate::machine;
use crate::node::Nodes;
use crate::section::Section;
use crate::template::{self, Copy};
use crate::value::Item;

/// The control of one flow: its own table, and those of hops that differ.
#[derive(Debug)]
pub(crate) struct Control<'a> {
    section: Option<Section<'a>>,
    kind: &'static str,
    overrides: Vec<(DirectionId, Section<'a>, &'static str)>,
}

/// The values of one hop: the hop's own table first, then the flow's.
#[derive(Debug)]
struct Layers<'s, 'a> {
    hop: Option<&'s Section<'a>>,
    flow: Option<&'s Section<'a>>,
    /// Whether both are of one kind, so that what one lacks is taken from the other.
    kind: &'static str,
}

impl<'a> Layers<'_, 'a> {
    fn get(&self, key: &'static str) -> Option<Item<'a>> {
        let belongs = |item: &Item<'a>| {
            CONTROL
                .key(item.key)
                .is_some_and(|k| k.kinds.is_empty() || k.kinds.contains(&self.kind))
        };
        let own = self.hop.and_then(|section| section.get(key));
        own.or_else(|| self.flow.and_then(|section| section.get(key)).filter(belongs))
    }

    fn flag(&self, key: &'static str, sink: &mut Sink) -> bool {
        self.get(key).and_then(|item| item.flag(sink)).unwrap_or(false)
    }
}

impl<'a> Control<'a> {
    /// Reads `control` and `[[flow.hop]]`. `None` when the kind is unknown.
    pub(crate) fn read(
        flow: &Section<'a>,
        copy: Copy,
        nodes: &Nodes,
        links: &Links,
        hops: &Hops,
        sink: &mut Sink,
    ) -> Option<Control<'a>> {
        let section = flow.table("control", &CONTROL);
        let kind = match &section {
            Some(section) => section.kind(CONTROL_KINDS, sink)?,
            None => "none",
        };
        let mut overrides: Vec<(DirectionId, Section<'a>, &'static str)> = Vec::new();
        let changed = flow.is_changed("control");
        for hop in flow.tables("hop", &HOP, sink).into_iter().filter(|_| !changed) {
            let hop_kind = match hop.get("kind") {
                Some(item) => item.choice(CONTROL_KINDS, sink)?,
                None if matches!(kind, "window" | "abr") => "none",
                None => kind,
            };
            hop.only_keys_of(hop_kind, sink);
            let item = hop.need("link", sink)?;
            let [from, to] = item.two(sink)?;
            let from = template::fill(from.text(sink)?, &from.span, copy, sink)?;
            let to = template::fill(to.text(sink)?, &to.span, copy, sink)?;
            let direction = links.find([&from, &to], &item.span, nodes, sink)?;
            if !hops.iter().any(|(crossed, _)| *crossed == direction) {
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
        let back = back.filter(|_| !flow.is_changed("control"));
        let own = back.and_then(|back| back.table("control", &CONTROL));
        let section = own.or_else(|| flow.table("control", &CONTROL));
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
        let message = "control `window` does not go with a connection, whose ends say themselves \
                       how much they send";
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
        let cells = section.need("packets", sink)?.count(1, MOST_CREDIT, sink)?;
        let ack_every = match section.get("ack-every") {
            Some(item) => item.count(1, MOST_CREDIT, sink)?,
            None => 1,
        };
        if ack_every > cells {
            let item = section.get("ack-every").or_else(|| section.get("packets"))?;
            let message = format!(
                "an ACK after {ack_every} packets never comes: the window of {cells} is full before"
            );
            sink.error(Code::OUT_OF_RANGE, &item.span, message)
                .hint(format!("lower `ack-every` to {cells} or less, or raise `packets`"));
        }
        Some(WindowSpec { cells: Cells(cells as u32), ack_every: Cells(ack_every as u32) })
    }

    /// The table of kind `abr`, if that is the kind. An error where a hop has credit as well.
    pub(crate) fn abr(&self, sink: &mut Sink) -> Result<Option<&Section<'a>>, ()> {
        let Some(section) = self.section.as_ref().filter(|_| self.kind == "abr") else {
            return Ok(None);
        };
        let credit = self.overrides.iter().find(|(.., kind)| *kind != "none");
        let Some((_, hop, kind)) = credit else { return Ok(Some(section)) };
        let message = format!("a hop under `{kind}` does not go with control `abr` of its flow");
        let hint = "take the `[[flow.hop]]` out, or give the flow a credit scheme";
        let error = sink.error(Code::CONFLICT, &hop.span, message).hint(hint);
        error.label(section.span.clone(), "the control of the flow");
        Err(())
    }

    /// The control of one hop.
    pub(crate) fn on_hop(
        &self,
        direction: DirectionId,
        nodes: &Nodes,
        links: &Links,
        sink: &mut Sink,
    ) -> Option<HopControl> {
        let hop = self.overrides.iter().find(|(crossed, ..)| *crossed == direction);
        let kind = hop.map_or(self.kind, |(.., kind)| kind);
        if matches!(kind, "none" | "window" | "abr") {
            return Some(HopControl::None);
        }
        let layers =
            Layers { hop: hop.map(|(_, section, _)| section), flow: self.section.as_ref(), kind };
        let spec = layers.credit(kind, direction, links, sink)?;
        layers.fits_bits(&spec, sink)?;
        layers.fits_buffer(&spec, direction, nodes, links, sink)?;
        Some(HopControl::Credit(spec))
    }
}

impl Layers<'_, '_> {
    fn credit(
        &self,
        kind: &str,
        direction: DirectionId,
        links: &Links,
        sink: &mut Sink,
    ) -> Option<CreditSpec> {
        let link_rate = links.spec(direction).rate;
        let round_trip = links.round_trip(direction.link());
        let cell_time = links.cell_time(direction);
        let target = match self.get("target") {
            Some(item) => Some(item.bandwidth(link_rate, Rounding::Up, sink)?),
            None => None,
        };
        let n2 = match self.get("n2") {
            Some(item) => item.count(1, MOST_CREDIT, sink)?,
            None => 10,
        };
        // A pool of the link takes the place of N3.
        let continuous = self.get("e").and_then(|item| item.text(sink)) == Some("continuous");
        let scheme = self.with_machine(CreditScheme::of_kind(kind, continuous)?, sink)?;
        let facts = scheme.facts();
        let shares_buffer = facts.shares_buffer();
        let n3 = if shares_buffer { 0 } else { self.n3(target, link_rate, round_trip, sink)? };
        let n1 = match facts.n1 {
            Some(n1) => {
                self.n1(n1.rate(link_rate, target.unwrap_or(link_rate)), round_trip, sink)?
            }
            None => Cells::ZERO,
        };
        let span = |key, sink: &mut Sink| match self.get(key) {
            Some(item) => item.span(cell_time, false, sink).map(Some),
            None => Some(None),
        };
        let request_after = span("request-after", sink)?;
        let redundant_every = span("redundant-every", sink)?;
        let (n2, n3) = (Cells(n2 as u32), Cells(n3));
        let pool = links.shared[direction.link()][direction.side()].pool.as_ref();
        let allow_small_buffer = if shares_buffer {
            pool.is_some_and(|pool| pool.allow_small_buffer)
        } else {
            self.flag("allow-small-buffer", sink)
        };
        Some(CreditSpec { scheme, n1, n2, n3, request_after, redundant_every, allow_small_buffer })
    }

    /// The scheme with the place of its machine, if it is external.
    fn with_machine(&self, scheme: CreditScheme, sink: &mut Sink) -> Option<CreditScheme> {
        if scheme.external().is_none() {
            return Some(scheme);
        }
        let item = match self.get("machine") {
            Some(item) => item,
            None => self.hop.or(self.flow)?.need("machine", sink)?,
        };
        machine::named("credit scheme", &item, sink).map(CreditScheme::External)
    }

    /// N3, held against Eq. (3) where a target is named.
    fn n3(
        &self,
        target: Option<Rate>,
        link_rate: Rate,
        round_trip: Picos,
        sink: &mut Sink,
    ) -> Option<u32> {
        let bandwidth = target.unwrap_or(link_rate);
        let least = cells_in_flight(round_trip, bandwidth);
        let given = self.get("n3").filter(|item| item.value.as_str() != Some("auto"));
        let Some(item) = given else {
            return self.auto("n3", least, round_trip, bandwidth, sink);
        };
        let n3 = item.count(0, MOST_CREDIT, sink)?;
        let least = least.unwrap_or(u64::MAX);
        if target.is_some() && n3 < least && !self.flag("allow-small-n3", sink) {
            let message = format!(
                "N3 is {n3}, too small for a target of {bandwidth} with R = {round_trip}: Eq. (3) \
                 gives {least}"
            );
            let hint = format!("raise `n3` to {least}, or set `allow-small-n3 = true`");
            sink.error(Code::SMALL_N3, &item.span, message).hint(hint);
            return None;
        }
        Some(n3 as u32)
    }

    fn n1(&self, bandwidth: Rate, round_trip: Picos, sink: &mut Sink) -> Option<Cells> {
        let given = self.get("n1").filter(|item| item.value.as_str() != Some("auto"));
        let Some(item) = given else {
            let cells = cells_in_flight(round_trip, bandwidth);
            return self.auto("n1", cells, round_trip, bandwidth, sink).map(Cells);
        };
        Some(Cells(item.count(1, MOST_CREDIT, sink)? as u32))
    }

    /// A worked-out N1 or N3, if a credit cell can tell it.
    fn auto(
        &self,
        key: &'static str,
        cells: Option<u64>,
        round_trip: Picos,
        bandwidth: Rate,
        sink: &mut Sink,
    ) -> Option<u32> {
        let fitting = cells.filter(|cells| *cells <= MOST_CREDIT);
        if fitting.is_none() {
            let message = format!(
                "`{key}` worked out for {bandwidth} with R = {round_trip} is above \
                     {MOST_CREDIT} cells"
            );
            self.at(key, Code::CREDIT_BITS, message, sink);
        }
        fitting.map(|cells| cells as u32)
    }

    /// N1 + N2 + N3 fits a credit cell.
    fn fits_bits(&self, spec: &CreditSpec, sink: &mut Sink) -> Option<()> {
        let sum = u64::from(spec.n1.0) + u64::from(spec.n2.0) + u64::from(spec.n3.0);
        if sum > MOST_CREDIT {
            let message = format!(
                "N1 + N2 + N3 is {sum} cells, but a credit cell tells {MOST_CREDIT} at most"
            );
            self.at("n3", Code::CREDIT_BITS, message, sink);
            return None;
        }
        Some(())
    }

    /// The receiver has room for all it grants, but for what a pool grants, which is checked when
    /// all flows are known.
    fn fits_buffer(
        &self,
        spec: &CreditSpec,
        direction: DirectionId,
        nodes: &Nodes,
        links: &Links,
        sink: &mut Sink,
    ) -> Option<()> {
        let receiver = links.receiver(direction);
        let node = &nodes.specs[receiver];
        let drain = links.drain(receiver).map(|id| links.spec(id).buffer);
        let room = [node.buffer, node.vc_buffer, drain.flatten()].into_iter().flatten().min();
        let need = spec.buffer();
        let holds = node.kind == NodeKind::Switch || drain.is_some();
        let own = holds && !spec.scheme.facts().shares_buffer();
        let small = own && room.is_some_and(|room| room < need);
        if small && !spec.allow_small_buffer {
            let room = room.unwrap_or_default();
            let of_host = drain.flatten() == Some(room);
            let what = if of_host { "receive buffer" } else { "buffer" };
            let message = format!(
                "N1 + N2 + N3 is {need}, but the {what} of `{}` holds {room}: cells could be lost",
                node.name
            );
            let key = if of_host { "`receive-buffer`" } else { "the buffer" };
            let hint =
                format!("raise {key} to {need}, lower N3, or set `allow-small-buffer = true`");
            self.at("n3", Code::SMALL_BUFFER, message, sink).map(|item| item.hint(hint));
            return None;
        }
        Some(())
    }

    /// An error at `key` or else at the table.
    fn at<'k>(
        &self,
        key: &'static str,
        code: Code,
        message: String,
        sink: &'k mut Sink,
    ) -> Option<&'k mut crate::Diagnostic> {
        let table = self.hop.or(self.flow).map(|section| section.span.clone());
        let span = self.get(key).map(|item| item.span).or(table)?;
        Some(sink.error(code, &span, message))
    }
}
