//! Transport in scenario files: frames, connections, frame discard; the meaning of keys, in numbers
//! by hand.

use hopflow_engine::WindowedEngine;
use hopflow_network::transport::EndpointCounters;
use hopflow_network::transport::aal5::Encapsulation;
use hopflow_network::transport::rpc::{
    EpochSpec, NfsSpec, Procedure, RecordedCall, ReplaySpec, RpcSpec, ServiceLaw, Workload,
};
use hopflow_network::transport::tcp::{TcpAcks, TcpSpec, TcpTimers, TcpVariant, Transfer};
use hopflow_network::{
    ConnectionSpec, DirectionId, Engine, FrameDiscardSpec, FramingSpec, HopControl, HopSpec,
    NetworkSpec, ProtocolSpec, RunCounters, SizeLaw, SourceSpec, TraceFilter,
};
use hopflow_scenario::{Code, Scenario};
use hopflow_units::{Bytes, Cells, Picos, Probability, Rate, SimTime};

mod one_switch;

/// A - S - B at 155.52 and 51.84 Mb/s, with `keys` in its one flow.
fn text(keys: &str) -> String {
    one_switch::text("2 s", ["155.52 Mb/s", "51.84 Mb/s"], keys)
}

fn network(keys: &str) -> NetworkSpec {
    let read = |path: &str| match path {
        "calls.csv" => {
            Ok(b"time_ms,procedure,bytes\n0,lookup\n1,read,8192\n2,write,100\n".to_vec())
        }
        _ => Err("there is none".to_owned()),
    };
    match Scenario::from_toml_with(&text(keys), "test.toml", &read) {
        Ok(scenario) => scenario.network,
        Err(diagnostics) => panic!("{diagnostics}"),
    }
}

fn connection(keys: &str) -> ConnectionSpec {
    network(keys).connections.first().expect("the flow is a connection").clone()
}

fn tcp(keys: &str) -> TcpSpec {
    match connection(&format!("source = {{ kind = \"tcp\"{keys} }}")).protocol {
        ProtocolSpec::Tcp(spec) => spec,
        other => panic!("it is {other:?}"),
    }
}

fn rpc(keys: &str) -> RpcSpec {
    match connection(&format!("source = {{ {keys} }}")).protocol {
        ProtocolSpec::Rpc(spec) => spec,
        other => panic!("it is {other:?}"),
    }
}

fn run(network: &NetworkSpec) -> RunCounters {
    let mut engine = WindowedEngine::new(network, TraceFilter::none(), 1);
    engine.run_until(SimTime(network.duration.0));
    engine.counters()
}

/// Claim: TCP with AAL5 and credit is two VCs of cells, there and back over the same links, and
/// moves data: 2 s at 51.84 Mb/s carry at most 12.96 MB of cells.
#[test]
fn tcp_over_credit_runs() {
    let network = network(
        "framing = \"aal5\"\nsource = { kind = \"tcp\", variant = \"reno\", mtu = \"9180 B\" }\n\
         control = { kind = \"n23\" }\nsend-limit = [\"15 MB/s\", \"8 Mb/s\"]",
    );
    let names: Vec<&str> = network.vcs.iter().map(|vc| vc.name.as_str()).collect();
    assert_eq!(names, ["f", "f.ack"]);
    let ways = [0, 1].map(|vc| network.vcs[vc].hops.iter().map(HopSpec::direction_id));
    let ways = ways.map(Iterator::collect::<Vec<DirectionId>>);
    assert_eq!(ways[0], [DirectionId::new(0, 0), DirectionId::new(1, 0)]);
    assert_eq!(ways[1], [DirectionId::new(1, 1), DirectionId::new(0, 1)]);
    for vc in &network.vcs {
        assert_eq!((&*vc.source, &vc.traffic.size), (&SourceSpec::Endpoint, &SizeLaw::CELL));
        assert!(vc.hops.iter().all(|hop| hop.control != HopControl::None));
    }
    let limits = network.connections[0].send_limits.map(|limit| limit.map(Rate::bps));
    assert_eq!(limits, [Some(120_000_000), Some(8_000_000)]);
    let counters = run(&network);
    let Some(EndpointCounters::TcpReceiver(receiver)) = &counters.vcs[1].endpoint else {
        panic!("the VC back is the receiver's");
    };
    assert!(receiver.delivered_bytes > 10_000_000, "{} bytes", receiver.delivered_bytes);
    assert!(receiver.delivered_bytes < 12_960_000);
    assert!(counters.vcs[0].hops.iter().all(|hop| hop.dropped_packets == 0));
}

/// Claim: a variant is its preset; `reno-without-fast-retransmit` is Reno except for that.
#[test]
fn variants_are_presets() {
    let variant = |name: &str| tcp(&format!(", variant = \"{name}\""));
    assert_eq!(tcp(""), TcpSpec::new(TcpVariant::Cubic));
    assert_eq!(variant("reno"), TcpSpec::reno());
    assert_eq!(variant("newreno"), TcpSpec::new(TcpVariant::NewReno));
    let impatient = variant("newreno\", impatient = true, acks = \"every-second");
    assert_eq!(impatient, TcpSpec { impatient: true, ..TcpSpec::new(TcpVariant::NewReno) });
    assert_eq!(variant("newreno-ecn"), TcpSpec::new(TcpVariant::NewRenoEcn));
    assert_eq!(variant("cubic"), TcpSpec::new(TcpVariant::Cubic));
    assert_eq!(variant("dctcp"), TcpSpec::new(TcpVariant::Dctcp));
    let without = TcpSpec { variant: TcpVariant::RenoWithoutFastRetransmit, ..TcpSpec::reno() };
    assert_eq!(variant("reno-without-fast-retransmit"), without);
}

/// Claim: the keys of the sources of [Cai97] give its preset: 34,000 x 256 B need a scale of 8,
/// since 65,535 x 2^7 = 8,388,480 is less.
#[test]
fn every_key_of_a_preset_can_be_written() {
    let cai97 = tcp(
        ", variant = \"reno-without-fast-retransmit\", mss = \"512 B\", window = \"8704000 B\", \
         tick = \"100 ms\", acks = \"every-segment\"",
    );
    assert_eq!(cai97, TcpSpec::cai97());
}

/// Claim: the MSS is the MTU less the headers, 9,180 - 40; a minimum time-out of 1.1 s is three
/// ticks of 500 ms; a window of 65,536 B has scale 1.
#[test]
fn keys_of_tcp_mean_what_they_say() {
    let of_mtu =
        tcp(", variant = \"reno\", mtu = \"9180 B\", min-rto = \"1.1 s\", rttvar-factor = 2");
    let tick = Picos(500_000_000_000);
    let timers = TcpTimers::Ticks { tick, min_ticks: 3, rttvar_factor: 2 };
    assert_eq!(of_mtu, TcpSpec { mss: 9_140, timers, ..TcpSpec::reno() });
    assert_eq!(tcp(", header = \"52 B\", mtu = \"1500 B\"").mss, 1_448);
    let wide = tcp(", window = \"65536 B\"");
    assert_eq!((wide.window, wide.scale), (65_536, 1));
    assert_eq!(tcp(", window = \"65535 B\", window-scale = 3").scale, 3);
    let fine = tcp(", granularity = \"2 ms\", acks = \"every-second\", ack-delay = \"50 ms\"");
    let (granularity, min) = (Picos(2_000_000_000), Picos(200_000_000_000));
    assert_eq!(fine.timers, TcpTimers::Fine { granularity, min });
    assert_eq!(fine.acks, TcpAcks::EverySecond { delay: Picos(50_000_000_000) });
    let fast = tcp(", variant = \"cubic\", acks = \"window-moves\", fast-tick = \"100 ms\"");
    assert_eq!(fast.acks, TcpAcks::WindowMoves { tick: Picos(100_000_000_000) });
    let rest = tcp(", initial-window = 4, nagle = false, first-sequence = 4294967295");
    assert_eq!((rest.initial_window, rest.nagle, rest.first), (4, false, u32::MAX));
}

/// Claim: a transfer has no end, or a number of bytes at the start, or bytes at instants.
#[test]
fn transfers_are_read() {
    assert_eq!(tcp(", transfer = \"infinite\"").transfer, Transfer::Infinite);
    assert_eq!(tcp(", transfer = \"5 GB\"").transfer, Transfer::Bytes(5_000_000_000));
    let list = "[{ at = \"0 s\", bytes = \"1 MB\" }, { at = \"3 s\", bytes = \"20 B\" }]";
    let entries = vec![(SimTime(0), 1_000_000), (SimTime(3 * Picos::PER_SECOND), 20)];
    assert_eq!(tcp(&format!(", transfer = {list}")).transfer, Transfer::Schedule(entries));
}

/// Claim: without framing the VCs carry packets of the sizes of TCP: 41 B to 9,180 B of data, and
/// ACKs of 40 B, or up to 40 + 4 + 3 x 8 B with SACK.
#[test]
fn sizes_of_plain_packets_come_from_tcp() {
    let sizes = |keys: &str| {
        let network = network(&format!("source = {{ kind = \"tcp\"{keys} }}"));
        [0, 1].map(|vc| network.vcs[vc].traffic.size.clone())
    };
    let range = |least, most| SizeLaw::Uniform { least: Bytes(least), most: Bytes(most) };
    assert_eq!(sizes(", variant = \"reno\""), [range(41, 9_180), SizeLaw::Fixed(Bytes(40))]);
    assert_eq!(sizes(", variant = \"cubic\""), [range(41, 1_500), range(40, 68)]);
}

/// Claim [RFC1057], [RFC1094]: without framing, calls of an NFS client have 28 + 68 + 32 B
/// (GETATTR) to 28 + 68 + 44 B; replies 28 + 28 + 68 B (GETATTR) to 28 + 28 + 72 + 8,192 B, cut to
/// the MTU where that is less.
#[test]
fn sizes_of_plain_packets_come_from_nfs() {
    let sizes = |keys: &str| {
        let network = network(&format!("source = {{ {keys} }}"));
        [0, 1].map(|vc| network.vcs[vc].traffic.size.clone())
    };
    let range = |least, most| SizeLaw::Uniform { least: Bytes(least), most: Bytes(most) };
    assert_eq!(sizes("kind = \"nfs\""), [range(128, 140), range(124, 8_320)]);
    let cut = sizes("kind = \"nfs\", mtu = \"1500 B\"");
    assert_eq!(cut, [range(128, 140), range(21, 1_500)]);
    // LOOKUP and READ have 140 B, the WRITE of 100 B has 28 + 68 + 48 + 100 B.
    let replay = sizes("kind = \"rpc-replay\", file = \"calls.csv\", outstanding = 2");
    assert_eq!(replay, [range(140, 244), range(124, 8_320)]);
}

/// Claim: an NFS client has the defaults of its model, and each key changes its own part.
#[test]
fn keys_of_nfs_mean_what_they_say() {
    assert_eq!(rpc("kind = \"nfs\""), RpcSpec::default());
    let spec = rpc("kind = \"nfs\", mtu = \"1500 B\", tick = \"5 ms\", first-timeout = \"2 s\", \
         service = { kind = \"exponential\", mean = \"1 ms\" }, size-median = \"10 kB\", \
         size-sigma = 0, block = \"4096 B\", read-ahead = 4, think = \"until-epoch\", \
         start-window = \"0 s\", files = 9, \
         epochs = { stream = \"make\", gap = \"1 s\", join = 0.5, jitter = \"2 ms\" }");
    let epochs = EpochSpec {
        stream: "make".to_owned(),
        gap: Picos(Picos::PER_SECOND),
        join: Probability::new(0.5).unwrap(),
        jitter: Picos(2_000_000_000),
    };
    let nfs = NfsSpec {
        size_median: Bytes(10_000),
        size_sigma: 0.0,
        block: 4_096,
        read_ahead: 4,
        think: None,
        start_window: Picos::ZERO,
        epochs: Some(epochs),
        files: Some(9),
    };
    let wanted = RpcSpec {
        workload: Workload::Nfs(nfs),
        mtu: 1_500,
        tick: Picos(5_000_000_000),
        first_timeout: Picos(2 * Picos::PER_SECOND),
        service: ServiceLaw::Exponential(Picos(1_000_000_000)),
    };
    assert_eq!(spec, wanted);
    let fixed = rpc("kind = \"nfs\", service = \"3 ms\"");
    assert_eq!(fixed.service, ServiceLaw::Fixed(Picos(3_000_000_000)));
}

/// Claim: recorded calls are replayed by a client whose VC back is `f.reply`, and all are answered.
#[test]
fn recorded_calls_are_replayed() {
    let source = "source = { kind = \"rpc-replay\", file = \"calls.csv\", outstanding = 2 }";
    let call =
        |ms: u64, procedure, data| RecordedCall { at: Picos(ms * 1_000_000_000), procedure, data };
    let calls = vec![
        call(0, Procedure::Lookup, 0),
        call(1, Procedure::Read, 8_192),
        call(2, Procedure::Write, 100),
    ];
    let replay = Workload::Replay(ReplaySpec { calls, outstanding: 2 });
    let network = network(source);
    let ProtocolSpec::Rpc(spec) = &network.connections[0].protocol else { panic!("it is RPC") };
    assert_eq!(spec.workload, replay);
    assert_eq!(network.vcs[1].name, "f.reply");
    let Some(EndpointCounters::RpcClient(client)) = run(&network).vcs[0].endpoint.clone() else {
        panic!("the VC there is the client's");
    };
    assert_eq!((client.calls, client.replies, client.retransmissions), (3, 3, 0));
    assert_eq!((client.read_bytes, client.written_bytes), (8_192, 100));
}

/// Claim: NFS over cells with credit reads files.
#[test]
fn nfs_over_credit_runs() {
    let network = network(
        "framing = { kind = \"aal5\", encapsulation = \"vc-multiplexed\" }\n\
         source = { kind = \"nfs\", files = 5 }\ncontrol = { kind = \"n23\" }",
    );
    let framing = network.vcs[1].framing.as_ref().map(|framing| framing.encapsulation);
    assert_eq!(framing, Some(Encapsulation::VcMultiplexed));
    let Some(EndpointCounters::RpcClient(client)) = run(&network).vcs[0].endpoint.clone() else {
        panic!("the VC there is the client's");
    };
    assert_eq!(client.transfer.count(), 5);
}

/// Claim: a plain source with framing sends packets of the given sizes, cut into cells: 1,500 B are
/// ceil(1,516 / 48) = 32 cells. In 2 s at 1.2 Mb/s packets are due at 0, 10, ... 1,990 ms: 200 of
/// them, 6,400 cells; the last may or may not have arrived.
#[test]
fn packets_of_a_plain_source_are_cut() {
    let network = network(
        "packet = \"1500 B\"\nframing = \"aal5\"\n\
         source = { kind = \"constant\", rate = \"1.2 Mb/s\" }\ncontrol = { kind = \"n23\" }",
    );
    let packet = SizeLaw::Fixed(Bytes(1_500));
    let framing = FramingSpec { packet, encapsulation: Encapsulation::LlcSnap };
    let vc = &network.vcs[0];
    assert_eq!((vc.framing.as_deref(), &vc.traffic.size), (Some(&framing), &SizeLaw::CELL));
    assert_eq!(vc.source, SourceSpec::Constant { rate: Rate::from_bps(1_200_000).unwrap() });
    assert!(network.connections.is_empty());
    let counters = run(&network);
    assert_eq!((counters.vcs[0].sent_frames, counters.vcs[0].created_packets), (200, 6_400));
}

/// Claim: rates of the source count packets, those of a reservation count cells: 10 packets/s of
/// 1,500 B are 120 kb/s at the source, 10 cells/s are 4,240 b/s in a reservation.
#[test]
fn a_reservation_of_cells_counts_cells() {
    let network = network(
        "packet = \"1500 B\"\nframing = \"aal5\"\n\
         source = { kind = \"constant\", rate = \"10 packets/s\" }\n\
         reservation = { rate = \"10 packets/s\" }",
    );
    let vc = &network.vcs[0];
    assert_eq!(vc.source, SourceSpec::Constant { rate: Rate::from_bps(120_000).unwrap() });
    let reserved = vc.reservation.unwrap();
    assert_eq!((reserved.rate.bps(), reserved.burst), (4_240, Bytes(53)));
}

/// Claim: the VC back has control, priority and weight of the VC there, except for the keys of
/// `back`; a reservation is its own only.
#[test]
fn the_way_back_is_as_the_way_there() {
    let keys = "framing = \"aal5\"\nsource = { kind = \"tcp\", variant = \"reno\" }\npriority = 2\n\
                control = { kind = \"n23\", n2 = 7 }\n";
    let alike = network(&format!("{keys}weight = 3"));
    assert_eq!((alike.vcs[1].priority, alike.vcs[1].weight), (2, 3));
    let n2 = |network: &NetworkSpec, vc: usize| match network.vcs[vc].hops[0].control {
        HopControl::Credit(credit) => Some(credit.n2),
        HopControl::None => None,
    };
    assert_eq!([n2(&alike, 0), n2(&alike, 1)], [Some(Cells(7)); 2]);
    let part = network(&format!("{keys}weight = 3\nback = {{ control = {{ kind = \"none\" }} }}"));
    assert_eq!((part.vcs[1].priority, part.vcs[1].weight, n2(&part, 1)), (2, 3, None));
    let own = "back = { control = { kind = \"none\" }, priority = 0, \
               reservation = { rate = \"1 Mb/s\" } }";
    let own = network(&format!("{keys}reservation = {{ rate = \"2 Mb/s\" }}\n{own}"));
    assert_eq!([n2(&own, 0), n2(&own, 1)], [Some(Cells(7)), None]);
    let rate = |vc: usize| own.vcs[vc].reservation.map(|reservation| reservation.rate.bps());
    assert_eq!([rate(0), rate(1)], [Some(2_000_000), Some(1_000_000)]);
    assert_eq!((own.vcs[0].priority, own.vcs[1].priority), (2, 0));
}

/// Claim: `start` and `stop` hold for both VCs; one limit holds for both hosts.
#[test]
fn a_connection_has_one_start_and_one_stop() {
    let network = network(
        "source = { kind = \"tcp\", variant = \"reno\" }\nstart = \"1 s\"\nstop = \"1.5 s\"\n\
         send-limit = \"80 kb/s\"",
    );
    let second = Picos::PER_SECOND;
    for vc in &network.vcs {
        assert_eq!((vc.start, vc.stop), (SimTime(second), Some(SimTime(second / 2 * 3))));
    }
    assert_eq!(network.connections[0].send_limits, [Rate::from_bps(80_000); 2]);
}

/// Claim: a switch drops frames by its key, a threshold in cells or bytes.
#[test]
fn a_switch_drops_frames() {
    let of = |keys: &str| {
        let text = text("").replace("name = \"S\"", &format!("name = \"S\"\n{keys}"));
        Scenario::from_toml(&text, "test.toml").expect("it is right").network.nodes[1].frame_discard
    };
    assert_eq!(of(""), FrameDiscardSpec::None);
    assert_eq!(of("frame-discard = \"none\""), FrameDiscardSpec::None);
    assert_eq!(of("frame-discard = \"partial\""), FrameDiscardSpec::Partial);
    assert_eq!(of("frame-discard = { kind = \"partial\" }"), FrameDiscardSpec::Partial);
    let early =
        FrameDiscardSpec::Early { node: Some(Cells(500).into()), vc: Some(Bytes(5_300).into()) };
    let keys = "frame-discard = { kind = \"early\", threshold = \"500 cells\", \
                vc-threshold = \"5.3 kB\" }\nbuffer = \"501 cells\"";
    assert_eq!(of(keys), early);
}

/// Claim: a host whose `vc-buffer` holds one packet of 192 cells sends it. With one cell less the
/// message reports the packet, the buffer and the way out.
#[test]
fn a_host_holds_a_packet() {
    let of = |cells: u32| {
        let text = text(
            "framing = \"aal5\"\nsource = { kind = \"tcp\", variant = \"reno\", mtu = \"9180 B\" }",
        );
        let host = format!("name = \"A\"\nvc-buffer = \"{cells} cells\"");
        Scenario::from_toml(&text.replacen("name = \"A\"", &host, 1), "test.toml")
    };
    assert!(of(192).is_ok());
    let wrong = of(191).unwrap_err();
    let [item] = &wrong.items[..] else { panic!("{wrong}") };
    assert_eq!(item.code, Code::SMALL_HOST_BUFFER);
    let message = "a packet of `f` has up to 9180 B, 192 units on the wire, but the `vc-buffer` of \
                   `A` holds 191: it could never be sent";
    assert_eq!(item.message, message);
    let hint = "raise `vc-buffer` of the host to \"192 packets\" or more";
    assert_eq!(item.hint.as_deref(), Some(hint));
}

/// Claim: each mistake is reported with its values and the way out.
#[test]
fn mistakes_tell_values_and_the_way_out() {
    let reported = |keys: &str| {
        let wrong = Scenario::from_toml(&text(keys), "test.toml").unwrap_err();
        let [item] = &wrong.items[..] else { panic!("{wrong}") };
        (item.message.clone(), item.hint.clone().unwrap_or_default())
    };
    let cases = [
        (
            "source = { kind = \"tcp\", variant = \"reno\", window = \"9 kB\" }",
            "the window is sent as 9000 B, less than one full segment of 9140 B",
            "raise `window` to 9140 B or more, or lower `mss`",
        ),
        (
            "source = { kind = \"tcp\", variant = \"reno\", window = \"64 kB\", window-scale = 14, \
             mss = \"50 kB\" }",
            "the window is sent as 49152 B, less than one full segment of 50000 B",
            "raise `window` to 65536 B or more, or lower `mss`",
        ),
        (
            "source = { kind = \"tcp\", variant = \"reno\", window = \"1 MB\", window-scale = 2 }",
            "the window is 1000000 B, but with a scale of 2 at most 262140 B fit its field",
            "leave `window-scale` out: the least that fits is taken",
        ),
        (
            "framing = \"aal5\"\n\
             source = { kind = \"tcp\", variant = \"reno\", mtu = \"65528 B\", \
             window = \"70 kB\" }",
            "a packet has up to 65528 B, but an AAL5 frame holds 65527 B at most",
            "make packets at most 65527 B large, or leave `framing` out",
        ),
        (
            "source = { kind = \"tcp\", variant = \"reno\", mtu = \"1500 B\" }\n\
             control = { kind = \"abr\" }",
            "rate control paces cells of 53 B, but packets of this flow have 41 B to 1500 B",
            "cut packets into cells with `framing = \"aal5\"` (not of a greedy source), or take \
             `abr` out of `control`",
        ),
        (
            "send-limit = \"15 MB/s\"",
            "`send-limit` applies to connections only, and the source of this flow opens none",
            "leave it out, or choose a source of: tcp, nfs, rpc-replay",
        ),
        (
            "source = { kind = \"tcp\", variant = \"reno\" }\npacket = \"1500 B\"",
            "`packet` cannot be combined with a connection: the protocol sets the sizes of \
             packets: TCP by `mss` or `mtu`, NFS by `mtu`",
            "leave `packet` out",
        ),
    ];
    for (keys, message, hint) in cases {
        assert_eq!(reported(keys), (message.to_owned(), hint.to_owned()), "{keys}");
    }
}
