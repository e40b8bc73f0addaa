//! The network of a stored run: whole from the `scenario.toml` of its directory, which is kept
//! where it repeats the run; else from the resolved scenario in its manifest.
//!
//! Of the manifest, what a picture and a recorder need is read: nodes, links, routes, sizes,
//! credit, lanes, rate control. Sources, faults and corruption are not; such a network is looked
//! at, not run again.

use std::path::Path;

use hopflow::Manifest;
use hopflow::control::rate::AbrSpec;
use hopflow::network::{
    Alpha, CreditSpec, DirectionSpec, HopControl, HopSpec, LANES, Limit, LinkSpec, NetworkSpec,
    NodeKind, NodeSpec, Reserve, RoundTrip, Shared, SizeLaw, SourceSpec, TrafficSpec, VcSpec,
};
use hopflow::record::direction_names;
use hopflow::scenario::{AS_IS, Scenario, ScenarioFile, regular};
use hopflow::units::{Bytes, Cells};
use serde::Deserialize;
use serde_json::Value;

/// The network of a run in a directory, as far as pictures and recorders need it; all of it, if its
/// `scenario.toml` can still be read (files that it names are not in the directory) and agrees with
/// the manifest. `None` when the manifest has no scenario, or one of another version.
pub(super) fn of_directory(manifest: &Manifest, directory: &Path) -> Option<NetworkSpec> {
    let scenario = manifest.scenario.as_ref()?.value();
    let network = read(&scenario)?;
    let left_out = scenario["flows_left_out"].as_u64().unwrap_or(0);
    let control = scenario["control"].as_str().unwrap_or(AS_IS);
    let all = network.vcs.len() as u64 + left_out;
    let is_same = |written: &Scenario| {
        let names = direction_names(&written.network) == direction_names(&network);
        let of_same = || {
            let again = read(&written.resolved());
            again
                .is_some_and(|again| NetworkSpec { duration: network.duration, ..again } == network)
        };
        written.network.vcs.len() as u64 == all && names && (left_out > 0 || of_same())
    };
    let file = directory.join("scenario.toml");
    let written = regular::read_text(&file).ok();
    let written = written.map(|text| ScenarioFile::new(text, file.display().to_string()));
    let written = written.and_then(|file| file.under(control).ok());
    // Routes may be those of the seed.
    let written = written.and_then(|scenario| scenario.with_seed(network.seed).ok());
    let written = written.filter(is_same).map(|scenario| scenario.network);
    Some(written.map_or_else(
        || network.clone(),
        |written| NetworkSpec { duration: network.duration, seed: network.seed, ..written },
    ))
}

pub(super) fn read(scenario: &Value) -> Option<NetworkSpec> {
    let nodes = list(scenario, "nodes")?.iter().map(node).collect::<Option<Vec<_>>>()?;
    let links =
        list(scenario, "links")?.iter().map(|l| link(l, &nodes)).collect::<Option<Vec<_>>>()?;
    let vcs = list(scenario, "flows")?
        .iter()
        .map(|flow| vc(flow, &nodes, &links))
        .collect::<Option<Vec<_>>>()?;
    Some(NetworkSpec {
        nodes: nodes.into(),
        links: links.into(),
        vcs: vcs.into(),
        connections: Vec::new().into(),
        events: Vec::new(),
        machines: Vec::new().into(),
        duration: written(&scenario["duration_ps"])?,
        seed: int(&scenario["seed"])?,
        // Results of older versions have no jitter.
        jitter: serde_json::from_value(scenario["jitter"].clone()).unwrap_or_default(),
    })
}

fn list<'a>(value: &'a Value, key: &str) -> Option<&'a Vec<Value>> {
    value[key].as_array()
}

fn int(value: &Value) -> Option<u64> {
    hopflow::units::exact::deserialize(value).ok()
}

/// A part of the network as it was written. `None` when it cannot be read; what is `null`, or was
/// not written by an older version, is an inner `None`.
fn written<'v, T: Deserialize<'v>>(value: &'v Value) -> Option<T> {
    T::deserialize(value).ok()
}

/// A limit, in packets or in bytes; an inner `None` is none.
#[expect(clippy::option_option, reason = "what cannot be read is not what is not there")]
fn limit(value: &Value, key: &str) -> Option<Option<Limit>> {
    let bytes: Option<u64> = written(&value[format!("{key}_bytes")])?;
    let packets: Option<u32> = written(&value[format!("{key}_packets")])?;
    let packets = packets.map(|packets| Limit::Packets(Cells(packets)));
    Some(bytes.map(|bytes| Limit::Bytes(Bytes(bytes))).or(packets))
}

/// The reserves of class queues, by priority; left out where there are none.
fn reserve(value: &Value) -> Option<Reserve> {
    let bytes: Option<[u64; LANES]> = written(value)?;
    Some(bytes.map_or_else(Reserve::default, |bytes| Reserve(bytes.map(Bytes))))
}

fn node(value: &Value) -> Option<NodeSpec> {
    let drain: Option<usize> = written(&value["drain_link"])?;
    let kind = match value["kind"].as_str()? {
        "host" if drain.is_some() => NodeKind::Switch,
        "host" => NodeKind::Host,
        "switch" => NodeKind::Switch,
        _ => return None,
    };
    Some(NodeSpec {
        buffer: limit(value, "buffer")?,
        vc_buffer: limit(value, "vc_buffer")?,
        port_buffer: limit(value, "port_buffer")?,
        cell: written::<Option<u64>>(&value["cell_bytes"])?.map(Bytes),
        alpha: written::<Option<u64>>(&value["alpha_billionths"])?.and_then(Alpha::of_billionths),
        reserve: reserve(&value["reserve_bytes"])?,
        drain,
        work: written(&value["work"])?,
        ..NodeSpec::new(value["name"].as_str()?, kind)
    })
}

fn link(value: &Value, nodes: &[NodeSpec]) -> Option<LinkSpec> {
    let sides = list(value, "directions")?;
    let end = |side: &Value, key: &str| {
        let name = side[key].as_str()?;
        nodes.iter().position(|node| node.name == name)
    };
    let direction = |side: &Value| {
        let (rate, delay) = (written(&side["rate_bps"])?, written(&side["delay_ps"])?);
        Some(DirectionSpec {
            overhead: written::<Option<_>>(&side["overhead_bytes"])?.unwrap_or_default(),
            processing: written(&side["processing_ps"])?,
            lanes: written(&side["lanes"])?,
            shared_buffer: written(&side["pool"])?,
            rate_control: written(&side["rate_control"])?,
            buffer: limit(side, "buffer")?,
            ..DirectionSpec::new(rate, delay)
        })
    };
    let (first, second) = (sides.first()?, sides.get(1)?);
    let round_trip = match value["round_trip"].as_str() {
        Some("loop") => RoundTrip::Loop,
        Some("measured") => RoundTrip::Measured,
        _ => RoundTrip::Fixed(written(&value["round_trip_ps"])?),
    };
    Some(LinkSpec {
        ends: [end(first, "from")?, end(first, "to")?],
        directions: [direction(first)?, direction(second)?],
        round_trip,
    })
}

fn vc(value: &Value, nodes: &[NodeSpec], links: &[LinkSpec]) -> Option<VcSpec> {
    let hops = list(value, "hops")?.iter().map(|h| hop(h, nodes, links));
    let hops = hops.collect::<Option<Vec<_>>>()?;
    let size = if value["size"].is_null() { SizeLaw::CELL } else { size(&value["size"])? };
    Some(VcSpec {
        traffic: TrafficSpec { size, ..TrafficSpec::default() }.into(),
        priority: written(&value["priority"])?,
        start: written(&value["start_ps"])?,
        phase: written::<Option<_>>(&value["phase_ps"])?.unwrap_or_default(),
        stop: written(&value["stop_ps"])?,
        window: written(&value["window"])?,
        rate: written::<Option<AbrSpec>>(&value["abr"])?.map(Shared::from),
        ..VcSpec::new(value["name"].as_str()?, hops, SourceSpec::Greedy)
    })
}

fn size(value: &Value) -> Option<SizeLaw> {
    Some(match value["kind"].as_str()? {
        "fixed" => SizeLaw::Fixed(written(&value["bytes"])?),
        "uniform" => SizeLaw::Uniform {
            least: written(&value["least_bytes"])?,
            most: written(&value["most_bytes"])?,
        },
        "mix" => {
            let one = |one: &Value| Some((written(&one["bytes"])?, written(&one["weight"])?));
            SizeLaw::Mix(list(value, "sizes")?.iter().map(one).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

fn hop(value: &Value, nodes: &[NodeSpec], links: &[LinkSpec]) -> Option<HopSpec> {
    let link = written(&value["link"])?;
    let ends = links.get::<usize>(link)?.ends.map(|end| nodes[end].name.as_str());
    let through = value["through"].as_str()?;
    let direction = (0..2).find(|&d| format!("{}->{}", ends[d], ends[1 - d]) == through)?;
    let parent = written(&value["parent"])?;
    let control = written::<Option<CreditSpec>>(&value["control"])?;
    let control = control.map_or(HopControl::None, HopControl::Credit);
    Some(HopSpec { link, direction, parent, control })
}
