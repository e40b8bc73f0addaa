//! Framing and connections, written out.

use hopflow_network::transport::live::{LiveSpec, Outside};
use hopflow_network::transport::rpc::{ReplaySpec, RpcSpec, Workload};
use hopflow_network::transport::tcp::{TcpSpec, Transfer};
use hopflow_network::{
    ConnectionSpec, FrameDiscardSpec, FramingSpec, Machine, NetworkSpec, ProtocolSpec,
};
use serde_json::{Value, json};

use super::traffic::{digest, size};
use super::{int, packets_of, put_bytes, put_machine};

/// How packets of a flow are cut into cells.
pub(super) fn framing(framing: &FramingSpec) -> Value {
    let packet = size(&framing.packet);
    json!({ "encapsulation": framing.encapsulation, "kind": "aal5", "packet": packet })
}

/// Which frames a node drops.
pub(super) fn frame_discard(spec: FrameDiscardSpec) -> Value {
    match spec {
        FrameDiscardSpec::None => Value::Null,
        FrameDiscardSpec::Partial => json!({ "kind": "partial" }),
        FrameDiscardSpec::Early { node, vc } => {
            let mut value = json!({
                "kind": "early",
                "threshold_packets": packets_of(node),
                "vc_threshold_packets": packets_of(vc),
            });
            put_bytes(&mut value, "threshold_bytes", node);
            put_bytes(&mut value, "vc_threshold_bytes", vc);
            value
        }
    }
}

/// What the ends of a connection do, over which flows.
pub(super) fn connection(spec: &ConnectionSpec, network: &NetworkSpec) -> Value {
    let protocol = match &spec.protocol {
        ProtocolSpec::Tcp(tcp) => tcp_connection(tcp, &network.machines),
        ProtocolSpec::Rpc(rpc) => rpc_connection(rpc),
        ProtocolSpec::Live(live) => live_connection(live),
    };
    json!({
        "backward": network.vcs[spec.backward].name,
        "forward": network.vcs[spec.forward].name,
        "name": spec.name,
        "protocol": protocol,
        "send_limits_bps": spec.send_limits.map(|limit| limit.map(|rate| int(rate.bps()))),
    })
}

fn tcp_connection(spec: &TcpSpec, machines: &[Machine]) -> Value {
    let facts = spec.variant.facts();
    let mut value = json!(spec);
    value["transfer"] = transfer(&spec.transfer);
    value["variant"] = json!(facts.name);
    if facts.partial_acks {
        value["impatient"] = json!(spec.impatient);
    }
    put_machine(&mut value, spec.variant.external(), machines);
    value
}

fn transfer(transfer: &Transfer) -> Value {
    match transfer {
        Transfer::Infinite => json!({ "kind": "infinite" }),
        Transfer::Bytes(bytes) => json!({ "bytes": int(*bytes), "kind": "bytes" }),
        Transfer::Schedule(entries) => {
            let numbers = entries.iter().flat_map(|(at, bytes)| [at.0, *bytes]);
            json!({
                "bytes": int(entries.iter().map(|(_, bytes)| bytes).sum()),
                "digest": digest(numbers),
                "entries": entries.len(),
                "first_ps": entries.first().map(|(at, _)| int(at.0)),
                "kind": "schedule",
                "last_ps": entries.last().map(|(at, _)| int(at.0)),
            })
        }
    }
}

fn live_connection(spec: &LiveSpec) -> Value {
    let end = |outside: &Outside| match outside {
        Outside::Live(_) => json!("live"),
        Outside::Recorded(all) => {
            let numbers = all.iter().flat_map(|given| [given.at.0, u64::from(given.bytes)]);
            json!({ "digest": digest(numbers), "packets": all.len() })
        }
    };
    json!({ "ends": spec.ends.each_ref().map(end), "kind": "live", "mtu_bytes": spec.mtu })
}

fn rpc_connection(spec: &RpcSpec) -> Value {
    let mut value = json!(spec);
    value["workload"] = match &spec.workload {
        Workload::Nfs(nfs) => json!(nfs),
        Workload::Replay(replay) => recorded_calls(replay),
    };
    value
}

fn recorded_calls(spec: &ReplaySpec) -> Value {
    let numbers = spec.calls.iter().flat_map(|call| {
        [call.at.0, u64::from(call.procedure.call_bytes(call.data)), u64::from(call.data)]
    });
    json!({
        "calls": spec.calls.len(),
        "digest": digest(numbers),
        "kind": "replay",
        "outstanding": spec.outstanding,
    })
}
