//! The scenario written out: every default filled in, every quantity a number whose key ends in
//! its unit, every name in place of an index. The same scenario gives the same bytes.

mod scheduler;
mod traffic;
mod transport;

use hopflow_network::{
    CellKind, Change, CreditsOf, DirectionId, HopControl, Limit, LinkSpec, Machine, RoundTrip,
    TracePart, VcSpec,
};
use hopflow_units::{Picos, SimTime};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::Scenario;
use crate::described::Words as _;
use crate::keys::marking::write_marking;
use crate::keys::run::FORMAT_VERSION;
use crate::naming::direction;
use scheduler::scheduler;
use traffic::{policing, size, source};

/// A scenario as it is run, worked out as it is written: flows are never all in memory.
#[derive(Clone, Copy, Debug)]
pub struct Resolving<'a> {
    scenario: &'a Scenario,
    /// The flows that are written, by their places; `None`: all.
    flows: Option<&'a [usize]>,
}

impl Serialize for Resolving<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Value::Object(mut all) = self.scenario.without_flows() else {
            unreachable!("a scenario is an object");
        };
        all.insert("flows".to_owned(), Value::Null);
        let count = self.scenario.network.vcs.len();
        let left_out = self.flows.map_or(0, |flows| count - flows.len());
        if left_out > 0 {
            all.insert("flows_left_out".to_owned(), json!(left_out));
        }
        let mut entries: Vec<(String, Value)> = all.into_iter().collect();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        let mut map = to.serialize_map(Some(entries.len()))?;
        for (key, value) in entries {
            match key.as_str() {
                "flows" => map.serialize_entry(&key, &Flows(*self))?,
                _ => map.serialize_entry(&key, &sorted(value))?,
            }
        }
        map.end()
    }
}

/// The flows, one after the other.
struct Flows<'a>(Resolving<'a>);

impl Serialize for Flows<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Resolving { scenario, flows } = self.0;
        let vcs = &scenario.network.vcs;
        let flow = |vc: usize| sorted(scenario.flow(&vcs[vc]));
        match flows {
            Some(flows) => to.collect_seq(flows.iter().map(|vc| flow(*vc))),
            None => to.collect_seq((0..vcs.len()).map(flow)),
        }
    }
}

impl Scenario {
    /// The scenario as it is run. Keys are in alphabetical order; integers above 2^53 are
    /// strings.
    pub fn resolved(&self) -> Value {
        serde_json::to_value(self.resolve(None)).expect("a scenario is plain data")
    }

    /// The same to be written. With `flows`, which are places of flows in ascending order, all
    /// others are left out, and `flows_left_out` is their number.
    pub fn resolve<'a>(&'a self, flows: Option<&'a [usize]>) -> Resolving<'a> {
        Resolving { scenario: self, flows }
    }

    fn without_flows(&self) -> Value {
        let network = &self.network;
        let nodes: Vec<Value> = network
            .nodes
            .iter()
            .enumerate()
            .map(|(index, node)| {
                let mut value = json!({
                    "buffer_packets": packets_of(node.buffer),
                    "discard": node.discard.word(),
                    "frame_discard": transport::frame_discard(node.frame_discard),
                    "kind": if network.is_host(index) { "host" } else { "switch" },
                    "name": node.name,
                    "port_buffer_packets": packets_of(node.port_buffer),
                    "vc_buffer_packets": packets_of(node.vc_buffer),
                });
                put_bytes(&mut value, "buffer_bytes", node.buffer);
                put_bytes(&mut value, "port_buffer_bytes", node.port_buffer);
                put_bytes(&mut value, "vc_buffer_bytes", node.vc_buffer);
                if let Some(cell) = node.cell {
                    value["cell_bytes"] = int(cell.0);
                }
                if let Some(alpha) = node.alpha {
                    value["alpha_billionths"] = int(alpha.billionths());
                }
                if !node.reserve.is_none() {
                    value["reserve_bytes"] = node.reserve.0.iter().map(|one| int(one.0)).collect();
                }
                if let Some(link) = node.drain {
                    value["drain_link"] = json!(link);
                }
                if let Some(work) = node.work {
                    value["work"] = json!(work);
                }
                value
            })
            .collect();
        let links: Vec<Value> =
            network.links.iter().enumerate().map(|(index, link)| self.link(index, link)).collect();
        let connection = |spec| transport::connection(spec, network);
        let connections: Vec<Value> = network.connections.iter().map(connection).collect();
        let mut resolved = json!({
            "duration_ps": int(network.duration.0),
            "notes": self.notes,
            "routing": self.routing(),
            "seed": int(network.seed),
            "jitter": network.jitter,
            "title": self.title,
            "version": FORMAT_VERSION,
            "warm_up_ps": int(self.warm_up.0),
        });
        // `json!` would copy these.
        let events = Value::Array(self.events());
        for (key, list) in [("connections", connections), ("links", links), ("nodes", nodes)] {
            resolved[key] = Value::Array(list);
        }
        (resolved["events"], resolved["record"]) = (events, self.recorded());
        if let Some(control) = &self.control {
            resolved["control"] = json!(control);
        }
        resolved
    }

    /// How routes were chosen; the seed is that of the choice.
    fn routing(&self) -> Value {
        let routing = &self.routing;
        let hottest = routing.hottest.as_ref().map(|hottest| {
            json!({
                "even_load": hottest.even_load,
                "flows": hottest.vcs.len(),
                "link": direction(&self.network, hottest.direction),
                "load": hottest.load,
            })
        });
        json!({
            "flows_with_equal_paths": routing.equal.len(),
            "hottest": hottest,
            "kind": routing.kind.word(),
            "pinned": routing.pinned,
            "seed": int(routing.seed),
        })
    }

    fn link(&self, index: usize, link: &LinkSpec) -> Value {
        let names = link.ends.map(|end| self.network.nodes[end].name.as_str());
        let sides = [0, 1].map(|side| {
            let direction = &link.directions[side];
            let mut value = json!({
                "corrupt_credits": direction.corrupt_credits,
                "corrupt_data": direction.corrupt_data,
                "delay_ps": int(direction.delay.0),
                "from": names[side],
                "lanes": direction.lanes,
                "overhead_bytes": int(direction.overhead.0),
                "pool": direction.shared_buffer,
                "processing_ps": int(direction.processing.0),
                "rate_control": direction.rate_control,
                "rate_bps": int(direction.rate.bps()),
                "scheduler": scheduler(&direction.scheduler, &self.network.machines),
                "to": names[1 - side],
            });
            let lanes = direction.lanes.and_then(|lanes| lanes.rule.external());
            put_machine(&mut value["lanes"], lanes, &self.network.machines);
            if let Some(rule) = direction.rate_control.and_then(|rate| rate.rule) {
                let written = &mut value["rate_control"]["rule"];
                put_machine(written, rule.external(), &self.network.machines);
            }
            if let Some(marking) = direction.marking {
                value["marking"] = write_marking(marking);
                let place = marking.rule.external();
                put_machine(&mut value["marking"], place, &self.network.machines);
            }
            if let Some(buffer) = direction.buffer {
                value["buffer_packets"] = json!(packets_of(Some(buffer)));
                put_bytes(&mut value, "buffer_bytes", Some(buffer));
            }
            value
        });
        let round_trip = match link.round_trip {
            RoundTrip::Loop => "loop",
            RoundTrip::Measured => "measured",
            RoundTrip::Fixed(_) => "set",
        };
        let mut link = json!({
            "round_trip": round_trip,
            "round_trip_ps": int(self.network.round_trip(index).0),
        });
        link["directions"] = Value::Array(sides.into());
        link
    }

    fn flow(&self, vc: &VcSpec) -> Value {
        let hops: Vec<Value> = vc
            .hops
            .iter()
            .map(|hop| {
                json!({
                    "control": control(&hop.control, &self.network.machines),
                    "link": hop.link,
                    "parent": hop.parent,
                    "through": direction(&self.network, hop.direction_id()),
                })
            })
            .collect();
        let traffic = &vc.traffic;
        let mut flow = json!({
            "abr": vc.rate.as_deref(),
            "envelope": traffic.envelope,
            "framing": vc.framing.as_deref().map(transport::framing),
            "give_up_after_ps": vc.multicast.give_up_after.map(|span| int(span.0)),
            "name": vc.name,
            "obeys": traffic.obeys,
            "policing": traffic.policing.as_ref().map(policing),
            "priority": vc.priority,
            "reservation": vc.reservation,
            "run_ahead_packets": vc.multicast.run_ahead.map(|cells| cells.0),
            "size": size(&traffic.size),
            "source": source(&vc.source, &self.network.machines),
            "start_ps": int(vc.start.0),
            "stop_ps": vc.stop.map(|stop| int(stop.0)),
            "stream": traffic.stream,
            "weight": vc.weight,
            "window": vc.window,
        });
        flow["hops"] = Value::Array(hops);
        if vc.phase > Picos::ZERO {
            flow["phase_ps"] = int(vc.phase.0);
        }
        if vc.signalled {
            flow["signalled"] = json!(true);
        }
        if let Some(packets) = traffic.packets {
            flow["packets"] = int(packets);
        }
        flow
    }

    fn events(&self) -> Vec<Value> {
        let event = |event: &hopflow_network::EventSpec| {
            let (change, value) = match event.change {
                Change::CorruptData(chance) => ("corrupt_data", json!(chance)),
                Change::CorruptCredits(chance) => ("corrupt_credits", json!(chance)),
                Change::CorruptNextCredits { count, .. } => ("corrupt_next_credits", json!(count)),
                Change::FalsifyNextCredits { count, error, of: CreditsOf::Lane(lane) } => {
                    ("falsify_next_credits", json!({ "count": count, "by": error, "lane": lane }))
                }
                Change::FalsifyNextCredits { count, error, .. } => {
                    ("falsify_next_credits", json!({ "count": count, "by": error }))
                }
                Change::Blocked(blocked) => ("blocked", json!(blocked)),
            };
            let flow = match event.change {
                Change::CorruptNextCredits { vc: Some(vc), .. }
                | Change::FalsifyNextCredits { of: CreditsOf::Vc(vc), .. } => {
                    Some(&self.network.vcs[vc].name)
                }
                _ => None,
            };
            json!({
                "at_ps": int(event.at.0),
                "change": change,
                "flow": flow,
                "link": event.link,
                "through": direction(&self.network, DirectionId::new(event.link, event.direction)),
                "value": value,
            })
        };
        self.network.events.iter().map(event).collect()
    }

    /// A part of a trace; what is `null` is not restricted.
    fn part(&self, part: &TracePart) -> Value {
        let kept = |flags: &[bool]| (0..flags.len()).filter(|i| flags[*i]).collect::<Vec<_>>();
        let flow = |vc: usize| self.network.vcs[vc].name.clone();
        let link = |id: usize| direction(&self.network, DirectionId(id));
        let named = |flags: &Option<Vec<bool>>, name: &dyn Fn(usize) -> String| -> Value {
            flags.as_ref().map(|flags| kept(flags).into_iter().map(name).collect::<Vec<_>>()).into()
        };
        let kinds = kept(&part.kinds).into_iter().map(|kind| CellKind::WORDS[kind]);
        json!({
            "flows": named(&part.vcs, &flow),
            "from_ps": int(part.from.0),
            "kinds": kinds.collect::<Vec<_>>(),
            "links": named(&part.directions, &link),
            "to_ps": (part.to < SimTime::NEVER).then(|| int(part.to.0)),
        })
    }

    fn recorded(&self) -> Value {
        let record = &self.record;
        let directions = |ids: &[DirectionId]| -> Vec<String> {
            ids.iter().map(|id| direction(&self.network, *id)).collect()
        };
        let kept = |flags: &[bool]| -> Vec<usize> {
            flags.iter().enumerate().filter(|(_, kept)| **kept).map(|(index, _)| index).collect()
        };
        let vc_name = |vc: &usize| self.network.vcs[*vc].name.as_str();
        let traced: Vec<DirectionId> =
            kept(&record.trace.directions).into_iter().map(DirectionId).collect();
        let counted = (0..self.network.direction_count()).map(DirectionId);
        let counted: Vec<DirectionId> =
            counted.filter(|id| self.network.direction(*id).count_lengths).collect();
        let mut value = json!({
            "credits": directions(&record.credits),
            "delays": record.delays.iter().map(vc_name).collect::<Vec<_>>(),
            "lengths": directions(&counted),
            "queues": record.queues.iter().map(|n| &self.network.nodes[*n].name)
                .collect::<Vec<_>>(),
            "rates": record.rates.iter().map(vc_name).collect::<Vec<_>>(),
            "throughput": directions(&record.throughput),
            "trace_directions": directions(&traced),
            "trace_flows": kept(&record.trace.vcs).iter().map(vc_name).collect::<Vec<_>>(),
            "window_cell_times": record.window.is_none().then_some(25),
            "window_ps": record.window.map(|span| int(span.0)),
        });
        if let Some(part) = &record.trace.part {
            value["trace_part"] = self.part(part);
        }
        value
    }
}

fn control(control: &HopControl, machines: &[Machine]) -> Value {
    let HopControl::Credit(credit) = control else { return Value::Null };
    let mut value = json!(credit);
    put_machine(&mut value, control.external(), machines);
    value
}

/// Adds name and version of an external machine, if it is one.
fn put_machine(value: &mut Value, place: Option<u16>, machines: &[Machine]) {
    let Some(place) = place else { return };
    let Machine { name, version, .. } = &machines[usize::from(place)];
    value["machine"] = json!(name);
    value["version"] = int(*version);
}

/// A limit in packets; `null` for none, and for one in bytes.
fn packets_of(limit: Option<Limit>) -> Option<u32> {
    limit.and_then(Limit::packets).map(|cells| cells.0)
}

/// Adds a limit in bytes, if it is one.
fn put_bytes(value: &mut Value, key: &str, limit: Option<Limit>) {
    if let Some(Limit::Bytes(bytes)) = limit {
        value[key] = int(bytes.0);
    }
}

/// A number, or a string above 2^53.
fn int(value: u64) -> Value {
    json!(Picos(value))
}

/// The same with all keys put in in alphabetical order, whichever kind of map is underneath.
pub(crate) fn sorted(value: Value) -> Value {
    match value {
        Value::Object(mut object) if object.keys().is_sorted() => {
            for value in object.values_mut() {
                *value = sorted(value.take());
            }
            Value::Object(object)
        }
        Value::Object(object) => {
            let mut entries: Vec<(String, Value)> = object.into_iter().collect();
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            let entries = entries.into_iter().map(|(key, value)| (key, sorted(value)));
            Value::Object(entries.collect::<Map<_, _>>())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        other => other,
    }
}
