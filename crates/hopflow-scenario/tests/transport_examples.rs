//! The worked examples of transport show what their comments say.

use std::path::PathBuf;

use hopflow_engine::WindowedEngine;
use hopflow_network::transport::EndpointCounters;
use hopflow_network::transport::rpc::RpcCounters;
use hopflow_network::transport::tcp::SenderCounters;
use hopflow_network::{Engine, NetworkSpec, RunCounters, TraceFilter};
use hopflow_scenario::Scenario;
use hopflow_units::SimTime;

/// A whole run of an example, with some of its text replaced.
fn run(name: &str, change: [&str; 2]) -> (NetworkSpec, RunCounters) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let text = std::fs::read_to_string(folder.join(format!("{name}.toml"))).expect("it is there");
    assert!(text.contains(change[0]), "{name} has no `{}`", change[0]);
    let text = text.replace(change[0], change[1]);
    let scenario = Scenario::from_toml(&text, name).unwrap_or_else(|wrong| panic!("{wrong}"));
    let network = scenario.network;
    let mut engine = WindowedEngine::new(&network, TraceFilter::none(), 1);
    engine.run_until(SimTime(network.duration.0));
    let counters = engine.counters();
    (network, counters)
}

/// Runs of an example, with lookup by name.
struct Run {
    network: NetworkSpec,
    counters: RunCounters,
}

impl Run {
    fn of(name: &str) -> Run {
        Run::changed(name, ["", ""])
    }

    fn changed(name: &str, change: [&str; 2]) -> Run {
        let (network, counters) = run(name, change);
        Run { network, counters }
    }

    fn vc(&self, name: &str) -> usize {
        let place = self.network.vcs.iter().position(|vc| vc.name == name);
        place.expect("a VC has this name")
    }

    fn sender(&self, name: &str) -> SenderCounters {
        match &self.counters.vcs[self.vc(name)].endpoint {
            Some(EndpointCounters::TcpSender(counters)) => *counters,
            other => panic!("{name} is no TCP: {other:?}"),
        }
    }

    /// Bytes of data that a TCP delivered, or packets of UDP with their headers.
    fn delivered(&self, name: &str) -> u64 {
        match &self.counters.vcs[self.vc(name) + 1].endpoint {
            Some(EndpointCounters::TcpReceiver(counters)) => counters.delivered_bytes,
            other => panic!("{name} is no TCP: {other:?}"),
        }
    }

    fn whole_frames(&self, name: &str) -> u64 {
        let leaf = &self.counters.vcs[self.vc(name)].leaves[0];
        leaf.packets.as_ref().expect("it carries packets").whole_frames
    }

    fn lost_packets(&self, name: &str) -> u64 {
        let hops = &self.counters.vcs[self.vc(name)].hops;
        hops.iter().map(|hop| hop.dropped_packets + hop.given_up_packets).sum()
    }

    fn client(&self, name: &str) -> RpcCounters {
        match &self.counters.vcs[self.vc(name)].endpoint {
            Some(EndpointCounters::RpcClient(counters)) => counters.clone(),
            other => panic!("{name} is no client: {other:?}"),
        }
    }

    fn node(&self, name: &str) -> usize {
        let place = self.network.nodes.iter().position(|node| node.name == name);
        place.expect("a node has this name")
    }

    fn most_held(&self, name: &str) -> u32 {
        self.counters.nodes[self.node(name)].buffered_max_packets
    }

    /// The share of the run that the link from one node to another is busy.
    fn busy(&self, from: &str, to: &str) -> f64 {
        let ends = [self.node(from), self.node(to)];
        let link = self.network.links.iter().position(|link| link.ends == ends);
        let busy = self.counters.directions[2 * link.expect("such a link")].busy;
        busy.0 as f64 / self.network.duration.0 as f64
    }
}

/// 49.92 Mb/s carry 9,140 B of data in 192 cells of 53 B: 56.05 MB in 10 s.
const MOST_OF_TCP: f64 = 49.92e6 / 8.0 * 10.0 * 9_140.0 / (192.0 * 53.0);

/// Claim [Kung97]: with credit one TCP fills 97 % or more of the slow link and loses no cell;
/// without it gets 1 to 4 % and waits for time-outs. A window of 65,535 B is 7 packets, 1,344
/// cells: a buffer of 1,400 cells loses none, and does as well as credit.
#[test]
fn one_tcp_fills_a_slow_link_with_credit_only() {
    let run = Run::of("tcp-over-atm");
    let share = |run: &Run, name: &str| run.delivered(name) as f64 / MOST_OF_TCP;
    assert!((0.97..1.0).contains(&share(&run, "credit")), "{}", share(&run, "credit"));
    assert_eq!((run.lost_packets("credit"), run.sender("credit").timeouts), (0, 0));
    assert!(run.most_held("S1") <= 100);
    assert!((0.01..0.04).contains(&share(&run, "plain")), "{}", share(&run, "plain"));
    assert!(run.lost_packets("plain") > 0 && run.sender("plain").timeouts >= 3);
    let large = Run::changed("tcp-over-atm", ["\"682 cells\"", "\"1400 cells\""]);
    assert_eq!(large.lost_packets("plain"), 0);
    assert!(share(&large, "plain") > 0.97, "{}", share(&large, "plain"));
}

/// Claim: a full queue of a host blocks TCP and drops nothing: with room for two packets of 192
/// cells it never holds more than 400 cells, and every packet that it accepted has arrived or is on
/// its way.
#[test]
fn a_full_host_blocks_tcp() {
    let run = Run::of("tcp-over-atm");
    let hop = &run.counters.vcs[run.vc("credit")].hops[0];
    assert!((193..=400).contains(&hop.fill_max_packets), "{}", hop.fill_max_packets);
    assert_eq!(hop.given_up_packets, 0);
    let sent = run.counters.vcs[run.vc("credit")].sent_frames;
    let there = run.whole_frames("credit");
    assert!(sent - there <= 7, "{sent} sent, {there} came");
}

/// Claim [Kung97]: with credit UDP gets its rate, 2 MB/s / 9,180 B x 10 s = 2,178 packets that
/// arrive in time, and TCP the rest, within 3 %; the link is full. Without credit the two use less
/// than 45 % of it.
#[test]
fn udp_leaves_the_rest_to_tcp_with_credit_only() {
    let run = Run::of("udp-and-tcp");
    for name in ["udp1", "udp2"] {
        assert_eq!(run.lost_packets(name), 0, "{name}");
        assert!((2_178..=2_179).contains(&run.whole_frames(name)), "{name}");
    }
    let of_udp = 2e6 / 9_180.0 * 192.0 * 53.0 * 10.0;
    let rest = MOST_OF_TCP - of_udp * 9_140.0 / (192.0 * 53.0);
    let share = run.delivered("tcp1") as f64 / rest;
    assert!((0.97..1.0).contains(&share), "{share}");
    assert_eq!(run.lost_packets("tcp1"), 0);
    assert!(run.busy("S1", "T1") > 0.97);
    assert!(run.busy("S2", "T2") < 0.45);
    assert!(run.delivered("tcp2") as f64 / rest < 0.03);
}

/// Claim: N3 of a server's link is 15.46 us x 155.52 Mb/s / 424 bits = 5.67, so 6. With N2 = 10 the
/// switch holds at most 16 cells of a flow; without credit it holds several times this in all.
/// Calls wait at most 10 % longer, all are answered, none is sent again.
#[test]
fn credit_bounds_what_eight_clients_leave_in_a_switch() {
    let run = Run::of("nfs");
    let mean = |kind: &str| {
        let clients = (1..=8).map(|number| run.client(&format!("{kind}{number}")));
        let (mut sum, mut count) = (0.0, 0.0);
        for client in clients {
            assert_eq!(client.retransmissions, 0);
            assert!(client.calls - client.replies <= 2);
            sum += client.response.mean_ps().expect("calls were answered") * client.replies as f64;
            count += client.replies as f64;
        }
        sum / count
    };
    for number in 1..=8 {
        let replies = &run.counters.vcs[run.vc(&format!("nfs{number}.reply"))];
        assert!(replies.hops[1].fill_max_packets <= 16, "{}", replies.hops[1].fill_max_packets);
    }
    assert!(run.most_held("S2") >= 2 * run.most_held("S1"));
    let (with, without) = (mean("nfs"), mean("plain"));
    assert!(with < 1.1 * without, "{with} and {without} ps");
}

/// Claim: with marks above 65 packets DCTCP loses nothing, and its queue never exceeds 250 packets:
/// sixteen first windows of ten segments, and the packets sent before the first marks return.
/// NewReno in its place fills the room for 600 and loses packets.
#[test]
fn dctcp_keeps_an_incast_short() {
    let seen = |change| {
        let (network, counters) = run("dctcp-incast", change);
        let out = counters.directions.iter().map(|way| way.queue_max_packets).max();
        let hops = counters.vcs.iter().flat_map(|vc| &vc.hops);
        let dropped: u64 = hops.map(|hop| hop.dropped_packets).sum();
        let finished = counters.vcs.iter().filter(|vc| {
            matches!(&vc.endpoint, Some(EndpointCounters::TcpSender(tcp)) if tcp.finished.is_some())
        });
        assert_eq!(network.connections.len(), 16);
        (out.unwrap_or(0), dropped, finished.count())
    };
    let [dctcp, newreno] = [["dctcp", "dctcp"], ["\"dctcp\"", "\"newreno\""]].map(seen);
    assert!(dctcp.0 <= 250 && dctcp.1 == 0 && dctcp.2 == 16, "{dctcp:?}");
    assert!(newreno.0 == 600 && newreno.1 > 0, "{newreno:?}");
}
