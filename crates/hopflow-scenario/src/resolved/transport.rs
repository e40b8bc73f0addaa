//! Framing and connections, written out.

use hopflow_network::transport::aal5::Encapsulation;
use hopflow_network::transport::live::{LiveSpec, Outside};
use hopflow_network::transport::rpc::{NfsSpec, ReplaySpec, RpcSpec, ServiceLaw, Workload};
use hopflow_network::transport::tcp::{TcpAcks, TcpSpec, TcpTimers, Transfer};
use hopflow_network::{
    ConnectionSpec, FrameDiscardSpec, FramingSpec, Machine, NetworkSpec, ProtocolSpec,
};
use serde_json::{Value, json};

use super::traffic::{digest, size};
use super::{int, put_machine};

/// How packets of a flow are cut into cells.
pub(super) fn framing(framing: &FramingSpec) -> Value {
    let encapsulation = match framing.encapsulation {
        Encapsulation::LlcSnap => "llc-snap",
        Encapsulation::VcMultiplexed => "vc-multiplexed",
    };
    json!({ "encapsulation": encapsulation, "kind": "aal5", "packet": size(&framing.packet) })
}

/// Which frames a node drops.
pub(super) fn frame_discard(spec: FrameDiscardSpec) -> Value {
    match spec {
        FrameDiscardSpec::None => Value::Null,
        FrameDiscardSpec::Partial => json!({ "kind": "partial" }),
        FrameDiscardSpec::Early { node, vc } => json!({
            "kind": "early",
            "threshold_packets": node.map(|cells| cells.0),
            "vc_threshold_packets": vc.map(|cells| cells.0),
        }),
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
    let mut value = json!({
        "acks": acks(spec.acks),
        "first_sequence": spec.first,
        "header_bytes": spec.header,
        "initial_window_segments": spec.initial_window,
        "kind": "tcp",
        "mss_bytes": spec.mss,
        "nagle": spec.nagle,
        "timers": timers(spec.timers),
        "transfer": transfer(&spec.transfer),
        "variant": facts.name,
        "window_bytes": spec.window,
        "window_scale": spec.scale,
    });
    if facts.partial_acks {
        value["impatient"] = json!(spec.impatient);
    }
    put_machine(&mut value, spec.variant.external(), machines);
    value
}

fn acks(acks: TcpAcks) -> Value {
    match acks {
        TcpAcks::EverySegment => json!({ "kind": "every-segment" }),
        TcpAcks::WindowMoves { tick } => {
            json!({ "fast_tick_ps": int(tick.0), "kind": "window-moves" })
        }
        TcpAcks::EverySecond { delay } => {
            json!({ "delay_ps": int(delay.0), "kind": "every-second" })
        }
    }
}

fn timers(timers: TcpTimers) -> Value {
    match timers {
        TcpTimers::Ticks { tick, min_ticks, rttvar_factor } => json!({
            "kind": "ticks",
            "min_rto_ticks": min_ticks,
            "rttvar_factor": rttvar_factor,
            "tick_ps": int(tick.0),
        }),
        TcpTimers::Fine { granularity, min } => json!({
            "granularity_ps": int(granularity.0),
            "kind": "fine",
            "min_rto_ps": int(min.0),
        }),
    }
}

fn transfer(transfer: &Transfer) -> Value {
    match transfer {
        Transfer::Infinite => json!({ "kind": "infinite" }),
        Transfer::Bytes(bytes) => json!({ "bytes": int(*bytes), "kind": "bytes" }),
        Transfer::Schedule(entries) => {
            let numbers = entries.iter().flat_map(|(at, bytes)| [at.0, *bytes]);
            json!({
                "bytes": int(entries.iter().map(|(_, bytes)| bytes).sum()),
                "digest": format!("{:016x}", digest(numbers)),
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
            json!({ "digest": format!("{:016x}", digest(numbers)), "packets": all.len() })
        }
    };
    json!({ "ends": spec.ends.each_ref().map(end), "kind": "live", "mtu_bytes": spec.mtu })
}

fn rpc_connection(spec: &RpcSpec) -> Value {
    let (law, mean) = match spec.service {
        ServiceLaw::Fixed(mean) => ("fixed", mean),
        ServiceLaw::Exponential(mean) => ("exponential", mean),
    };
    let workload = match &spec.workload {
        Workload::Nfs(nfs) => nfs_client(nfs),
        Workload::Replay(replay) => recorded_calls(replay),
    };
    json!({
        "first_timeout_ps": int(spec.first_timeout.0),
        "kind": "rpc",
        "mtu_bytes": spec.mtu,
        "service_law": law,
        "service_ps": int(mean.0),
        "tick_ps": int(spec.tick.0),
        "workload": workload,
    })
}

fn nfs_client(spec: &NfsSpec) -> Value {
    let epochs = spec.epochs.as_ref().map(|epochs| {
        json!({
            "gap_ps": int(epochs.gap.0),
            "jitter_ps": int(epochs.jitter.0),
            "join": epochs.join.as_f64(),
            "stream": epochs.stream,
        })
    });
    json!({
        "block_bytes": spec.block,
        "epochs": epochs,
        "files": spec.files.map(int),
        "kind": "nfs",
        "read_ahead": spec.read_ahead,
        "size_median_bytes": int(spec.size_median.0),
        "size_sigma": spec.size_sigma,
        "start_window_ps": int(spec.start_window.0),
        "think_ps": spec.think.map(|span| int(span.0)),
    })
}

fn recorded_calls(spec: &ReplaySpec) -> Value {
    let numbers = spec.calls.iter().flat_map(|call| {
        [call.at.0, u64::from(call.procedure.call_bytes(call.data)), u64::from(call.data)]
    });
    json!({
        "calls": spec.calls.len(),
        "digest": format!("{:016x}", digest(numbers)),
        "kind": "replay",
        "outstanding": spec.outstanding,
    })
}
