//! Request and response: the keys of NFS clients and of recorded calls.

use hopflow_network::transport::rpc::{
    EpochSpec, NfsSpec, Procedure, ReplaySpec, RpcSpec, ServiceLaw, Workload,
};
use hopflow_units::{Bytes, Picos, Probability};

use super::{LARGEST_BLOCK, SHORTEST, calls, clock};
use crate::Code;
use crate::diagnostic::Sink;
use crate::keys::{EPOCHS, SERVICE, SERVICES};
use crate::replay::Traces;
use crate::section::Section;

/// The largest file, as NFS version 2 has it.
const LARGEST_FILE: Bytes = Bytes((1 << 31) - 1);
/// Bytes of the headers of IP and UDP.
const IP: u32 = 20;
const UDP: u32 = 8;
/// The least chance to join an epoch: clients look for the next one they join.
const LEAST_JOIN: f64 = 0.001;

/// The client and the server that a source table of this kind tells.
pub(super) fn read(
    kind: &str,
    source: &Section<'_>,
    cell: Picos,
    traces: &mut Traces<'_>,
    sink: &mut Sink,
) -> Option<RpcSpec> {
    let preset = RpcSpec::default();
    let mtu = source.or("mtu", preset.mtu, |item| {
        Some(item.bytes(Bytes(576), Bytes(65_535), sink)?.0 as u32)
    })?;
    let span = |key, default: Picos, sink: &mut Sink| {
        source.or(key, default, |item| clock(&item, cell, sink))
    };
    let tick = span("tick", preset.tick, sink)?;
    let first_timeout = span("first-timeout", preset.first_timeout, sink)?;
    let service = service(source, cell, sink)?;
    let workload = if kind == "nfs" {
        Workload::Nfs(nfs(source, cell, sink)?)
    } else {
        let outstanding = source.need("outstanding", sink)?;
        let outstanding = outstanding.count(1, u64::from(u32::MAX), sink)? as u32;
        let file = source.need("file", sink)?;
        Workload::Replay(ReplaySpec { calls: calls::read(&file, cell, traces, sink)?, outstanding })
    };
    Some(RpcSpec { workload, mtu, tick, first_timeout, service })
}

fn service(source: &Section<'_>, cell: Picos, sink: &mut Sink) -> Option<ServiceLaw> {
    let Some(item) = source.get("service") else { return Some(RpcSpec::default().service) };
    let Some(law) = source.table("service", &SERVICE).filter(|_| item.value.is_table()) else {
        return item.span(cell, true, sink).map(ServiceLaw::Fixed);
    };
    let kind = law.kind(SERVICES, sink)?;
    let mean = law.need("mean", sink)?.span(cell, true, sink)?;
    let fixed = kind == "fixed";
    Some(if fixed { ServiceLaw::Fixed(mean) } else { ServiceLaw::Exponential(mean) })
}

fn nfs(source: &Section<'_>, cell: Picos, sink: &mut Sink) -> Option<NfsSpec> {
    let preset = NfsSpec::default();
    let size_median = source
        .or("size-median", preset.size_median, |item| item.bytes(Bytes(1), LARGEST_FILE, sink))?;
    let size_sigma = source.or("size-sigma", preset.size_sigma, |item| item.number(0.0, sink))?;
    let block = source.or("block", preset.block, |item| {
        Some(item.bytes(Bytes(1), Bytes(u64::from(LARGEST_BLOCK)), sink)?.0 as u32)
    })?;
    let read_ahead = source
        .or("read-ahead", preset.read_ahead, |item| Some(item.count(1, 1_000_000, sink)? as u32))?;
    let start_window =
        source.or("start-window", preset.start_window, |item| item.span(cell, true, sink))?;
    let files = source.or("files", None, |item| item.count(1, u64::MAX, sink).map(Some))?;
    let epochs = match source.table("epochs", &EPOCHS) {
        Some(table) => Some(epochs(&table, cell, sink)?),
        None => None,
    };
    let think = think(source, epochs.is_some(), cell, sink).ok()?;
    let spec = NfsSpec { size_median, size_sigma, block, read_ahead, start_window, ..preset };
    Some(NfsSpec { files, epochs, think, ..spec })
}

/// The mean think time, none: until the next epoch. Reports mistakes.
fn think(
    source: &Section<'_>,
    has_epochs: bool,
    cell: Picos,
    sink: &mut Sink,
) -> Result<Option<Picos>, ()> {
    let Some(item) = source.get("think") else { return Ok(NfsSpec::default().think) };
    if item.value.as_str() != Some("until-epoch") {
        return item.span(cell, true, sink).map(Some).ok_or(());
    }
    if !has_epochs {
        let message = "a client that thinks until the next epoch never wakes: there are none";
        let hint = "add `epochs = { gap = \"1 s\" }`, or give a time such as \"30 ms\"";
        sink.error(Code::MISSING_KEY, &item.span, message).hint(hint);
        return Err(());
    }
    Ok(None)
}

fn epochs(table: &Section<'_>, cell: Picos, sink: &mut Sink) -> Option<EpochSpec> {
    let stream =
        table.or("stream", "epochs".to_owned(), |item| Some(item.text(sink)?.to_owned()))?;
    let item = table.need("gap", sink)?;
    let gap = item.span(cell, false, sink)?;
    if gap < SHORTEST {
        item.out_of_range(sink, &gap.to_string(), "1 us or more");
        return None;
    }
    let join = match table.get("join") {
        Some(item) => {
            let join = item.probability(sink)?;
            if join.as_f64() < LEAST_JOIN {
                item.out_of_range(sink, &join.as_f64().to_string(), "from 0.001 to 1");
                return None;
            }
            join
        }
        None => Probability::new(1.0).expect("1 is a probability"),
    };
    let jitter = table.or("jitter", Picos::ZERO, |item| item.span(cell, true, sink))?;
    Some(EpochSpec { stream, gap, join, jitter })
}

/// The smallest and the largest packet of calls, and of replies.
pub(super) fn packets(spec: &RpcSpec) -> [(u32, u32); 2] {
    match &spec.workload {
        Workload::Nfs(nfs) => {
            let calls =
                [Procedure::Lookup, Procedure::GetAttributes, Procedure::Read].map(|procedure| {
                    (procedure, if procedure == Procedure::Read { nfs.block } else { 0 })
                });
            // The last block of a file may have one byte.
            let all = calls.into_iter().chain([(Procedure::Read, 1)]);
            range_of(all, spec.mtu)
        }
        Workload::Replay(replay) => {
            range_of(replay.calls.iter().map(|call| (call.procedure, call.data)), spec.mtu)
        }
    }
}

/// The range over calls, each with the bytes it moves. A datagram longer than the MTU is cut; the
/// last piece may have one byte.
fn range_of(calls: impl Iterator<Item = (Procedure, u32)>, mtu: u32) -> [(u32, u32); 2] {
    let packets = |message: u32| {
        let whole = IP + UDP + message;
        if whole <= mtu { (whole, whole) } else { (IP + 1, mtu) }
    };
    let wider =
        |(least, most): (u32, u32), (low, high): (u32, u32)| (least.min(low), most.max(high));
    calls.fold([(u32::MAX, 0); 2], |[there, back], (procedure, data)| {
        let call = packets(procedure.call_bytes(data));
        let reply = packets(procedure.reply_bytes(data));
        [wider(there, call), wider(back, reply)]
    })
}
