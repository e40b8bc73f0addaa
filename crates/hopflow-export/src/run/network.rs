//! The network of a stored run: whole from the `scenario.toml` of its directory, which is kept
//! where it repeats the run; else from the resolved scenario in its manifest.
//!
//! Of the manifest, what a picture and a recorder need is read: nodes, links, routes, sizes,
//! credit, lanes, rate control. Sources, faults and corruption are not; such a network is looked
//! at, not run again.

mod rate;
mod shared;

use std::path::Path;

use hopflow::Manifest;
use hopflow::network::{
    CreditScheme, CreditSpec, DirectionSpec, HopControl, HopSpec, LinkSpec, NetworkSpec, NodeKind,
    NodeSpec, RoundTrip, Shared, SizeLaw, SourceSpec, TrafficSpec, VcSpec, WindowSpec,
};
use hopflow::record::direction_names;
use hopflow::scenario::{AS_IS, Scenario, ScenarioFile};
use hopflow::units::{Bytes, Cells, Picos, Rate, SimTime};
use serde_json::Value;

/// The network of the run, as far as pictures and recorders need it. `None` when the manifest has
/// no scenario, or one of another version.
pub fn network_of(manifest: &Manifest) -> Option<NetworkSpec> {
    read(&manifest.scenario.as_ref()?.value())
}

/// The same of a run in a directory: all of the network, if its `scenario.toml` can still be read
/// (files that it names are not in the directory) and agrees with the manifest.
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
    let written = ScenarioFile::load(&directory.join("scenario.toml")).ok();
    let written = written.and_then(|file| file.under(control).ok());
    // Routes may be those of the seed.
    let written = written.and_then(|scenario| scenario.with_seed(network.seed).ok());
    let written = written.filter(is_same).map(|scenario| scenario.network);
    Some(written.map_or_else(
        || network.clone(),
        |written| NetworkSpec { duration: network.duration, seed: network.seed, ..written },
    ))
}

fn read(scenario: &Value) -> Option<NetworkSpec> {
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
        duration: Picos(int(&scenario["duration_ps"])?),
        seed: int(&scenario["seed"])?,
    })
}

fn list<'a>(value: &'a Value, key: &str) -> Option<&'a Vec<Value>> {
    value[key].as_array()
}

/// A whole number, which above 2^53 is written as a string.
fn int(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

/// What is null, or was not told by an older version, is not there. An error when it cannot be
/// read.
fn told<T>(value: &Value, read: fn(&Value) -> Option<T>) -> Result<Option<T>, ()> {
    if value.is_null() { Ok(None) } else { read(value).map(Some).ok_or(()) }
}

fn cells(value: &Value) -> Option<Cells> {
    u32::try_from(value.as_u64()?).ok().map(Cells)
}

fn node(value: &Value) -> Option<NodeSpec> {
    let drain = value["drain_link"].as_u64().and_then(|link| usize::try_from(link).ok());
    let kind = match value["kind"].as_str()? {
        "host" if drain.is_some() => NodeKind::Switch,
        "host" => NodeKind::Host,
        "switch" => NodeKind::Switch,
        _ => return None,
    };
    Some(NodeSpec {
        buffer: cells(&value["buffer_packets"]),
        vc_buffer: cells(&value["vc_buffer_packets"]),
        drain,
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
        let rate = Rate::from_bps(int(&side["rate_bps"])?)?;
        Some(DirectionSpec {
            overhead: Bytes(told(&side["overhead_bytes"], int).ok()?.unwrap_or(0)),
            processing: Picos(int(&side["processing_ps"])?),
            lanes: told(&side["lanes"], shared::lanes).ok()?,
            pool: told(&side["pool"], shared::pool).ok()?,
            rate_control: told(&side["rate_control"], rate::port).ok()?,
            buffer: cells(&side["buffer_packets"]),
            ..DirectionSpec::new(rate, Picos(int(&side["delay_ps"])?))
        })
    };
    let (first, second) = (sides.first()?, sides.get(1)?);
    let round_trip = match value["round_trip"].as_str() {
        Some("loop") => RoundTrip::Loop,
        Some("measured") => RoundTrip::Measured,
        _ => RoundTrip::Fixed(Picos(int(&value["round_trip_ps"])?)),
    };
    Some(LinkSpec {
        ends: [end(first, "from")?, end(first, "to")?],
        directions: [direction(first)?, direction(second)?],
        round_trip,
    })
}

fn vc(value: &Value, nodes: &[NodeSpec], links: &[LinkSpec]) -> Option<VcSpec> {
    let hops = list(value, "hops")?.iter().map(|h| hop(h, nodes, links));
    let window = match &value["window"] {
        Value::Null => None,
        window => Some(WindowSpec {
            cells: cells(&window["packets"])?,
            ack_every: cells(&window["ack_every_packets"])?,
        }),
    };
    let hops = hops.collect::<Option<Vec<_>>>()?;
    let size = if value["size"].is_null() { SizeLaw::CELL } else { size(&value["size"])? };
    Some(VcSpec {
        traffic: TrafficSpec { size, ..TrafficSpec::default() }.into(),
        priority: u8::try_from(value["priority"].as_u64()?).ok()?,
        start: SimTime(int(&value["start_ps"])?),
        phase: Picos(int(&value["phase_ps"]).unwrap_or(0)),
        stop: int(&value["stop_ps"]).map(SimTime),
        window,
        rate: told(&value["abr"], rate::flow).ok()?.map(Shared::from),
        ..VcSpec::new(value["name"].as_str()?, hops, SourceSpec::Greedy)
    })
}

fn size(value: &Value) -> Option<SizeLaw> {
    let bytes = |value: &Value, key: &str| int(&value[key]).map(Bytes);
    Some(match value["kind"].as_str()? {
        "fixed" => SizeLaw::Fixed(bytes(value, "bytes")?),
        "uniform" => SizeLaw::Uniform {
            least: bytes(value, "least_bytes")?,
            most: bytes(value, "most_bytes")?,
        },
        "mix" => {
            let one = |one: &Value| {
                Some((bytes(one, "bytes")?, u32::try_from(int(&one["weight"])?).ok()?))
            };
            SizeLaw::Mix(list(value, "sizes")?.iter().map(one).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

fn hop(value: &Value, nodes: &[NodeSpec], links: &[LinkSpec]) -> Option<HopSpec> {
    let link = usize::try_from(value["link"].as_u64()?).ok()?;
    let ends = links.get(link)?.ends.map(|end| nodes[end].name.as_str());
    let through = value["through"].as_str()?;
    let direction = (0..2).find(|&d| format!("{}->{}", ends[d], ends[1 - d]) == through)?;
    let parent = match &value["parent"] {
        Value::Null => None,
        parent => Some(usize::try_from(parent.as_u64()?).ok()?),
    };
    Some(HopSpec { link, direction, parent, control: control(&value["control"])? })
}

/// The control with its credit.
fn control(value: &Value) -> Option<HopControl> {
    if value.is_null() {
        return Some(HopControl::None);
    }
    let n1 = cells(&value["n1_cells"]).unwrap_or(Cells::ZERO);
    let scheme = match value["scheme"].as_str()? {
        "n123" => CreditScheme::N123 { n1 },
        "n123+" => CreditScheme::N123Plus { n1 },
        "n23" => CreditScheme::N23,
        "n23-continuous" => CreditScheme::N23Continuous,
        "cup" => CreditScheme::Cup,
        "additive" => CreditScheme::Additive,
        "adaptive" => CreditScheme::Adaptive,
        _ => return None,
    };
    Some(HopControl::Credit(CreditSpec {
        scheme,
        n2: cells(&value["n2_cells"])?,
        n3: cells(&value["n3_cells"])?,
        request_after: None,
        redundant_every: None,
        allow_small_buffer: value["allow_small_buffer"].as_bool().unwrap_or(false),
    }))
}
