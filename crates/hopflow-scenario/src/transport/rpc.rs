//! Request and response: the keys of NFS clients and of recorded calls.

use hopflow_network::transport::rpc::{
    NfsSpec, Procedure, ReplaySpec, RpcSpec, ServiceLaw, Workload,
};
use hopflow_units::Picos;

use super::calls;
use crate::Code;
use crate::described::{Reads, group};
use crate::diagnostic::Sink;
use crate::keys::rpc::{
    BLOCK, FILES, FIRST_TIMEOUT, ITS_EPOCHS, OUTSTANDING, READ_AHEAD, SERVING, SIZE_MEDIAN,
    SIZE_SIGMA, START_WINDOW, THINK,
};
use crate::keys::source::FILE;
use crate::keys::tcp::{MTU, TICK};
use crate::replay::Traces;
use crate::section::Section;

/// Bytes of the headers of IP and UDP.
const IP: u32 = 20;
const UDP: u32 = 8;

/// The client and the server that a source table of this kind tells.
pub(super) fn read(
    kind: &str,
    source: &Section<'_>,
    cell: Picos,
    traces: &mut Traces<'_>,
    sink: &mut Sink,
) -> Option<RpcSpec> {
    let (mtu, tick, first_timeout, service) = Any.read(source, &cell, sink)?;
    let workload = if kind == "nfs" {
        Workload::Nfs(Nfs.read(source, &cell, sink)?)
    } else {
        let outstanding = OUTSTANDING.read(source, &cell, sink)?;
        let file = FILE.need(source, sink)?;
        Workload::Replay(ReplaySpec { calls: calls::read(&file, cell, traces, sink)?, outstanding })
    };
    Some(RpcSpec { workload, mtu, tick, first_timeout, service })
}

group! {
    /// What clients of all workloads have: the MTU, both clocks, and the service time.
    Any, Picos: { (mtu, tick, first_timeout, service) } of {
        mtu: MTU,
        tick: TICK,
        first_timeout: FIRST_TIMEOUT,
        service: SERVING,
    } -> (u32, Picos, Picos, ServiceLaw)
}

group! {
    /// A client that reads files.
    Nfs, Picos: |table, _, sink| {
        let waits = THINK.item(table).filter(|_| think.is_none() && epochs.is_none());
        if let Some(item) = waits {
            let message = "`think` lasts until the next epoch, but there are no `epochs`: the \
                           client would never go on";
            let hint = "add `epochs = { gap = \"1 s\" }`, or give a time such as \"30 ms\"";
            sink.error(Code::MISSING_KEY, &item.span, message).hint(hint);
            return None;
        }
        let sizes = NfsSpec { size_median, size_sigma, block, ..NfsSpec::default() };
        Some(NfsSpec { read_ahead, think, start_window, epochs, files, ..sizes })
    } of {
        size_median: SIZE_MEDIAN,
        size_sigma: SIZE_SIGMA,
        block: BLOCK,
        read_ahead: READ_AHEAD,
        start_window: START_WINDOW,
        files: FILES,
        epochs: ITS_EPOCHS,
        think: THINK,
    } -> NfsSpec
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::source::SOURCE;

    /// Claim: the words of a default tell its value, unless that is nothing.
    #[test]
    fn defaults_in_words_are_the_values() {
        let (table, cell) = (Section::empty(0..0, &SOURCE), Picos(1));
        let mut defaults =
            [Any.defaults("nfs", &table, &cell), Nfs.defaults("nfs", &table, &cell)].concat();
        assert_eq!(defaults.len(), 14);
        // Its words are those of each congestion control of TCP first.
        defaults.retain(|known| known.key != "tick");
        defaults.iter().for_each(crate::described::known::Known::assert_words_match);
    }
}
