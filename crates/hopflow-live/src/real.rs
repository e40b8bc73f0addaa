//! A scenario between real hosts: its connections carry packets from outside.

use std::net::Ipv4Addr;
use std::sync::Arc;

use hopflow::Scenario;
use hopflow_network::transport::live::{Given, Line, LiveSpec, Outside};
use hopflow_network::{NetworkSpec, ProtocolSpec, SizeLaw};
use hopflow_units::{Bytes, Picos};

/// The least size of an IP packet, in bytes.
const LEAST: u64 = 20;
/// The MTU of current hosts, if the scenario specifies none.
const USUAL_MTU: u32 = 1_500;
/// The number of connections that can have addresses.
const MOST: usize = 1 << 14;

/// A connection between two real hosts.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Its name.
    pub name: String,
    /// Its first and its second host, by number of the node.
    pub hosts: [usize; 2],
    /// Their addresses, which no other connection has: 10.77.0.1 and 10.77.0.2 for the first
    /// connection, four more for each next one.
    pub addresses: [Ipv4Addr; 2],
    /// The largest packet, from the IP header on, in bytes.
    pub mtu: u32,
    /// The transmit time of the largest packet on the link of each host.
    pub packet_time: [Picos; 2],
    /// The lines that join them to the network.
    pub lines: [Arc<Line>; 2],
}

/// Why a scenario cannot have real hosts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unfit(String);

/// Replaces the endpoints of all connections by real hosts.
pub fn real_hosts(scenario: &Scenario) -> Result<(Scenario, Vec<Pair>), Unfit> {
    let network = &scenario.network;
    if network.connections.is_empty() {
        let why = "no flow has a source of kind `tcp`: only connections have real hosts at their \
                   ends. Give a flow `source = { kind = \"tcp\", variant = \"cubic\" }`";
        return Err(Unfit(why.to_owned()));
    }
    if network.connections.len() > MOST {
        return Err(Unfit(format!("more than {MOST} connections have no addresses")));
    }
    let pairs: Vec<Pair> = (0..network.connections.len()).map(|at| pair(network, at)).collect();
    let mut hosts = pairs.iter().flat_map(|pair| pair.hosts);
    if let Some(host) = hosts.find(|host| network.nodes[*host].work.is_some()) {
        let why = format!(
            "the host `{}` has `work`, but a real host works on its packets itself: leave `work` \
             out",
            network.nodes[host].name
        );
        return Err(Unfit(why));
    }
    let end = |index: usize, side: usize| Outside::Live(Arc::clone(&pairs[index].lines[side]));
    Ok((with_ends(scenario, &pairs, end), pairs))
}

/// The same scenario with the packets that hosts sent in a run: by connection, first and second
/// host.
pub fn recorded(scenario: &Scenario, sent: &[[Arc<[Given]>; 2]]) -> Result<Scenario, Unfit> {
    let (scenario, pairs) = real_hosts(scenario)?;
    if pairs.len() != sent.len() {
        let (there, given) = (pairs.len(), sent.len());
        return Err(Unfit(format!("a record of {given} connections, the scenario has {there}")));
    }
    let end = |index: usize, side: usize| Outside::Recorded(Arc::clone(&sent[index][side]));
    Ok(with_ends(&scenario, &pairs, end))
}

fn pair(network: &NetworkSpec, index: usize) -> Pair {
    let connection = &network.connections[index];
    let hops = &network.vcs[connection.forward].hops;
    let from = network.from_node(hops[0].direction_id());
    let to = network.to_node(hops[hops.len() - 1].direction_id());
    let base = u32::from(Ipv4Addr::new(10, 77, 0, 0)) + 4 * index as u32;
    let mtu = match &connection.protocol {
        ProtocolSpec::Tcp(tcp) => tcp.largest_packet(),
        ProtocolSpec::Rpc(rpc) => rpc.mtu,
        ProtocolSpec::Live(live) => live.mtu,
    };
    // Linux sends no smaller packets than this: a smaller MTU is for simulated hosts.
    let mtu = if mtu < 576 { USUAL_MTU } else { mtu };
    let time = |vc: usize| {
        let rate = network.direction(network.vcs[vc].hops[0].direction_id()).rate;
        rate.transmit_time(Bytes(u64::from(mtu)))
            .expect("a scenario's packets take less than a day")
    };
    Pair {
        name: connection.name.clone(),
        hosts: [from, to],
        addresses: [1, 2].map(|host| Ipv4Addr::from(base + host)),
        mtu,
        packet_time: [time(connection.forward), time(connection.backward)],
        lines: Default::default(),
    }
}

fn with_ends(
    scenario: &Scenario,
    pairs: &[Pair],
    end: impl Fn(usize, usize) -> Outside,
) -> Scenario {
    let mut scenario = scenario.clone();
    let network = &mut scenario.network;
    for (index, pair) in pairs.iter().enumerate() {
        let connection = &mut network.connections[index];
        let vcs = [connection.forward, connection.backward];
        let ends = [end(index, 0), end(index, 1)];
        connection.protocol = ProtocolSpec::Live(LiveSpec { mtu: pair.mtu, ends });
        for vc in vcs {
            let (least, most) = (Bytes(LEAST), Bytes(u64::from(pair.mtu)));
            let sizes = SizeLaw::Uniform { least, most };
            let vc = &mut network.vcs[vc];
            // With AAL5 the wire carries cells; without, the packets themselves.
            match &mut vc.framing {
                Some(framing) => framing.packet = sizes,
                None => vc.traffic.size = sizes,
            }
        }
    }
    scenario
}
