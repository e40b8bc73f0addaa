//! Whole packets in a random network: VCs with AAL5, and connections over two VCs.

use hopflow_units::{Bytes, Cells, Picos, Rate};

use super::{Dice, Style};
use hopflow_network::transport::aal5::Encapsulation;
use hopflow_network::transport::rpc::{NfsSpec, RpcSpec, ServiceLaw, Workload};
use hopflow_network::transport::tcp::{TcpAcks, TcpSpec, TcpTimers, TcpVariant, Transfer};
use hopflow_network::{
    ConnectionSpec, FrameDiscardSpec, FramingSpec, HopControl, HopSpec, NetworkSpec, ProtocolSpec,
    SizeLaw, SourceSpec, VcSpec,
};

/// Adds to `spec` in place, before packets of other sizes.
pub(super) fn add(spec: &mut NetworkSpec, style: Style, dice: &mut Dice) {
    for node in &mut spec.nodes {
        node.frame_discard = random_discard(dice);
    }
    for vc in 0..spec.vcs.len() {
        if spec.vcs[vc].source == SourceSpec::Greedy || dice.chance(40) {
            continue;
        }
        if is_unicast(&spec.vcs[vc]) && spec.vcs[vc].window.is_none() && dice.chance(60) {
            add_connection(spec, vc, style, dice);
        } else {
            spec.vcs[vc].framing = Some(random_framing(dice).into());
        }
    }
}

fn random_discard(dice: &mut Dice) -> FrameDiscardSpec {
    let threshold = |dice: &mut Dice| dice.chance(60).then(|| Cells(dice.below(20) as u32).into());
    match dice.below(4) {
        0 => FrameDiscardSpec::Partial,
        1 => FrameDiscardSpec::Early { node: threshold(dice), vc: threshold(dice) },
        _ => FrameDiscardSpec::None,
    }
}

fn is_unicast(vc: &VcSpec) -> bool {
    vc.hops.iter().enumerate().all(|(index, hop)| hop.parent == index.checked_sub(1))
}

fn random_framing(dice: &mut Dice) -> FramingSpec {
    let packet = match dice.below(3) {
        0 => SizeLaw::Fixed(Bytes(dice.between(1, 400))),
        1 => SizeLaw::Uniform { least: Bytes(20), most: Bytes(dice.between(20, 600)) },
        _ => SizeLaw::Mix(vec![(Bytes(40), 3), (Bytes(1_500), 1)]),
    };
    let both = [Encapsulation::LlcSnap, Encapsulation::VcMultiplexed];
    FramingSpec { packet, encapsulation: *dice.pick(&both) }
}

/// Turns a VC into the way there of a connection, and adds the way back.
pub(super) fn add_connection(
    spec: &mut NetworkSpec,
    forward: usize,
    style: Style,
    dice: &mut Dice,
) {
    let mss = dice.between(1, 900);
    let has_credit = |vc: &VcSpec| vc.hops.iter().any(|hop| hop.control != HopControl::None);
    let framed = has_credit(&spec.vcs[forward]) || dice.chance(60);
    let backward = spec.vcs.len();
    let mut back = spec.vcs[forward].clone();
    back.name = format!("{}-back", back.name);
    back.hops = back.hops.iter().rev().enumerate().map(|(at, hop)| turned(at, hop)).collect();
    if dice.chance(30) {
        back.hops.iter_mut().for_each(|hop| hop.control = HopControl::None);
    }
    spec.vcs.push(back);
    for vc in [forward, backward] {
        let vc = &mut spec.vcs[vc];
        vc.source = SourceSpec::Endpoint.into();
        if framed {
            vc.framing = Some(random_framing(dice).into());
        } else {
            vc.traffic.size = SizeLaw::Uniform { least: Bytes(1), most: Bytes(1_500) };
        }
    }
    let span = if style.aligned { 100_000_000 } else { dice.between(3_000_000, 300_000_000) };
    let protocol = if dice.chance(40) {
        random_rpc(span, framed, dice)
    } else {
        ProtocolSpec::Tcp(random_tcp(mss as u32, Picos(span), dice))
    };
    let limit = |dice: &mut Dice| {
        let bps = *dice.pick(&[42_400_000, 99_999_999, 400_000_000]);
        dice.chance(30).then(|| Rate::from_bps(bps).expect("not zero"))
    };
    spec.vcs[forward].ecn_capable = protocol.heeds_marks();
    spec.connections.push(ConnectionSpec {
        name: format!("connection{forward}"),
        forward,
        backward,
        protocol,
        send_limits: [limit(dice), limit(dice)],
    });
}

/// Small files, read fast.
fn random_rpc(span: u64, framed: bool, dice: &mut Dice) -> ProtocolSpec {
    let short = |dice: &mut Dice| Picos(dice.between(1, span));
    let nfs = NfsSpec {
        size_median: Bytes(dice.between(1, 2_000)),
        size_sigma: dice.below(2) as f64,
        block: dice.between(1, 1_000) as u32,
        read_ahead: dice.between(1, 4) as u32,
        think: Some(Picos(dice.below(span))),
        start_window: short(dice),
        ..NfsSpec::default()
    };
    ProtocolSpec::Rpc(RpcSpec {
        workload: Workload::Nfs(nfs),
        mtu: if framed { *dice.pick(&[576, 9_180]) } else { 576 },
        tick: short(dice),
        first_timeout: short(dice),
        service: ServiceLaw::Exponential(Picos(dice.below(span / 10))),
    })
}

/// Any variant, with ticks of `span` so that timers matter in a short run.
fn random_tcp(mss: u32, span: Picos, dice: &mut Dice) -> TcpSpec {
    let mut presets: Vec<TcpSpec> = TcpVariant::ALL.iter().map(|it| TcpSpec::new(*it)).collect();
    presets.push(TcpSpec::cai97());
    let spec = dice.pick(&presets).clone();
    let timers = match spec.timers {
        TcpTimers::Ticks { .. } => TcpTimers::Ticks { tick: span, min_ticks: 2, rttvar_factor: 4 },
        TcpTimers::Fine { .. } => TcpTimers::Fine { granularity: Picos(span.0 / 8), min: span },
    };
    let acks = match dice.below(3) {
        0 => TcpAcks::EverySegment,
        1 => TcpAcks::WindowMoves { tick: span },
        _ => TcpAcks::EverySecond { delay: span },
    };
    let bytes = Transfer::Bytes(dice.between(1, 40_000));
    let transfer = if dice.chance(50) { Transfer::Infinite } else { bytes };
    let window = mss * dice.between(1, 20) as u32 + (1 << spec.scale);
    let first = if dice.chance(50) { 1 } else { u32::MAX - dice.below(3_000) as u32 };
    let nagle = dice.chance(50);
    TcpSpec { mss, window, timers, acks, nagle, transfer, first, ..spec }
}

/// A hop in the other direction, as number `at` of the way back.
fn turned(at: usize, hop: &HopSpec) -> HopSpec {
    let (link, control) = (hop.link, hop.control);
    HopSpec { link, direction: 1 - hop.direction, parent: at.checked_sub(1), control }
}
