//! A flow that is a connection: the VC there, the VC back, and what its two ends do.

use hopflow_control::rate::AbrSpec;
use hopflow_network::{
    FramingSpec, HopSpec, ProtocolSpec, Shared, SizeLaw, SourceSpec, TrafficSpec, VcSpec,
};
use hopflow_units::{Picos, Rate};

use super::circuit::{hops, only_cells, packets, rate, start_stop};
use crate::Code;
use crate::calls;
use crate::control::Control;
use crate::credit_loop::Packets;
use crate::described::Reads;
use crate::diagnostic::Sink;
use crate::keys::connection::{BACK_KEY, SEND_LIMIT};
use crate::keys::dscp::DscpMap;
use crate::keys::service::{self, WEIGHT};
use crate::keys::source::SOURCE_KEY;
use crate::keys::traffic::RESERVATION_KEY;
use crate::keys::transport::FRAMING_KEY;
use crate::replay::Traces;
use crate::section::Section;
use crate::template::Copy;
use crate::traffic::{self, Edge};
use crate::transport::{self, Protocol};
use crate::way::Way;

/// The parts of a connection.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub(super) there: VcSpec,
    pub(super) back: VcSpec,
    pub(super) protocol: ProtocolSpec,
    pub(super) send_limits: [Option<Rate>; 2],
}

/// Reads a flow whose source is a connection.
pub(super) fn read(
    name: &str,
    section: &Section<'_>,
    copy: Copy,
    way: Option<&Way<'_>>,
    (map, traces): (&DscpMap, &mut Traces<'_>),
    sink: &mut Sink,
) -> Option<Pair> {
    let others = transport::no_key_of_others(section, sink);
    let way = way?;
    one_receiver(section, way, sink)?;
    calls::not_of_connections(section, sink)?;
    let cell = way.first()?.cell;
    let protocol = Protocol::read(section, cell, traces, sink);
    // What TCP gets back are ACKs, which no application takes.
    let is_tcp = |protocol: &Protocol| matches!(protocol.spec, ProtocolSpec::Tcp(_));
    let way = if protocol.as_ref().is_some_and(is_tcp) {
        way.clone()
    } else {
        way.begun_at_application()
    };
    let encapsulation = transport::framing(section, sink);
    let send_limits = SEND_LIMIT.read(section, &[(); 2], sink);
    let control = Control::read(section, copy, &way, sink);
    let (protocol, encapsulation, control) = (protocol?, encapsulation.ok()?, control?);
    control.is_no_window(sink)?;
    if let Some(encapsulation) = encapsulation {
        let source = section.table(&SOURCE_KEY)?;
        let item = source.get(&protocol.of_size).or_else(|| section.get(&FRAMING_KEY))?;
        let most = protocol.packets.iter().map(|(_, most)| u64::from(*most)).max()?;
        transport::fits_frame(&item, most, encapsulation, sink)?;
    }
    let back = section.table(&BACK_KEY);
    let control_back = Control::of_way_back(section, back.as_ref(), sink)?;
    control_back.is_no_window(sink)?;
    let turned = way.turned();
    let [rate_there, rate_back] = [rate(&control, &way, sink), rate(&control_back, &turned, sink)];
    let [there_size, back_size] = protocol.sizes();
    let counted = |size| match encapsulation {
        Some(_) => Packets::CELLS,
        None => packets(Some(size), false),
    };
    let hops_there = hops(&way, &control, counted(&there_size), sink);
    let hops_back = hops(&turned, &control_back, counted(&back_size), sink);
    let (start, stop) = start_stop(section, cell, sink)?;
    let way = |hops: Vec<HopSpec>,
               rate: Option<AbrSpec>,
               name: String,
               size: SizeLaw,
               sink: &mut Sink| {
        let mut vc = VcSpec::new(name, hops, SourceSpec::Endpoint);
        (vc.start, vc.stop, vc.rate) = (start, stop, rate.map(Shared::from));
        if let Some(encapsulation) = encapsulation {
            vc.framing = Some(FramingSpec { packet: size, encapsulation }.into());
        } else {
            only_cells(section.get(&SOURCE_KEY), &size, &vc.hops, rate.as_ref(), sink)?;
            vc.traffic = TrafficSpec { size, ..TrafficSpec::default() }.into();
        }
        Some(vc)
    };
    let back_name = format!("{name}.{}", protocol.back);
    let mut there = way(hops_there?, rate_there.ok()?, name.to_owned(), there_size, sink)?;
    there.ecn_capable = protocol.spec.heeds_marks();
    let back_vc = way(hops_back?, rate_back.ok()?, back_name, back_size, sink);
    let there = served(there, section, (map, cell), sink)?;
    let last = turned.first()?.cell;
    let back = served_back(back_vc?, &there, back.as_ref(), (map, last), sink)?;
    others?;
    Some(Pair { there, back, protocol: protocol.spec, send_limits: send_limits? })
}

fn one_receiver(section: &Section<'_>, way: &Way<'_>, sink: &mut Sink) -> Option<()> {
    if way.is_one_path() {
        return Some(());
    }
    let item = section.get(&SOURCE_KEY)?;
    let message = "a connection has two ends, but this flow is multicast";
    sink.error(Code::UNICAST_ONLY, &item.span, message).hint("use one flow per receiver");
    None
}

/// How the ports on its way serve a VC, whose priority holds if its table has none. `cell` is the
/// cell time of its first link.
fn served(
    mut vc: VcSpec,
    section: &Section<'_>,
    (map, cell): (&DscpMap, Picos),
    sink: &mut Sink,
) -> Option<VcSpec> {
    let edge = Edge { flow: section, size: &vc.traffic.size, cell };
    vc.reservation = edge.reservation(sink).ok()?;
    let span = vc.reservation.and_then(|_| section.get(&RESERVATION_KEY)).map(|item| item.span);
    vc.weight = traffic::weight(section, span, sink);
    vc.priority = service::priority(section, map, vc.priority, sink)?;
    Some(vc)
}

/// How the ports serve the VC back: as its own table says, else as the VC there.
fn served_back(
    vc: VcSpec,
    there: &VcSpec,
    back: Option<&Section<'_>>,
    at: (&DscpMap, Picos),
    sink: &mut Sink,
) -> Option<VcSpec> {
    let Some(back) = back else {
        return Some(VcSpec { priority: there.priority, weight: there.weight, ..vc });
    };
    calls::not_of_connections(back, sink)?;
    let mut vc = served(VcSpec { priority: there.priority, ..vc }, back, at, sink)?;
    if WEIGHT.item(back).is_none() && vc.reservation.is_none() {
        vc.weight = there.weight;
    }
    Some(vc)
}
