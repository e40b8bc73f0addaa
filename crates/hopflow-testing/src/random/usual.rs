//! Random networks in which most VCs are of the usual kind, as the windowed engine has it
//! (`hopflow-engine/src/windowed/state/idle.rs`): one final host, a source that is not greedy, and
//! link-by-link credit without requests and repeats, or no credit. Links corrupt, buffers are full,
//! several VCs begin late or never. In a third of the networks a few VCs stay as drawn, so that
//! ends built before the run and ends built at first use are neighbors.

use super::fifo_only::keep_one_path;
use super::{Dice, Style, add_events, add_links, add_nodes, add_vc, at, packets};
use crate::NetworkBuilder;
use hopflow_network::{
    CreditScheme, CreditSpec, HopControl, MulticastSpec, NetworkSpec, SourceSpec, VcSpec,
};

/// A random network of mostly usual VCs, the same for the same `seed`.
pub fn random_usual_network(seed: u64) -> NetworkSpec {
    let mut dice = Dice(seed ^ 0x1D1E_0C11_5EED_0003);
    let dice = &mut dice;
    let duration = dice.between(100, 1_500);
    let mut network = NetworkBuilder::new(duration);
    network.spec.seed = dice.next();
    let style = Style::drawn(dice);
    add_nodes(&mut network, style, dice);
    add_links(&mut network, style, dice);
    let spoils = dice.chance(33);
    for index in 0..dice.between(1, 12) {
        add_vc(&mut network, index, style, duration, dice);
    }
    for vc in &mut network.spec.vcs {
        if !spoils || dice.chance(80) {
            make_usual(vc, duration, dice);
        }
    }
    add_events(&mut network, duration, dice);
    network.spec.assert_valid();
    network.spec
}

fn make_usual(vc: &mut VcSpec, duration: u64, dice: &mut Dice) {
    vc.window = None;
    vc.multicast = MulticastSpec::default();
    keep_one_path(vc);
    for hop in &mut vc.hops {
        let HopControl::Credit(credit) = hop.control else { continue };
        let names_instants = credit.scheme.facts().names_instants;
        let scheme = if names_instants { CreditScheme::N23 } else { credit.scheme };
        let (request_after, redundant_every) = (None, None);
        hop.control =
            HopControl::Credit(CreditSpec { scheme, request_after, redundant_every, ..credit });
    }
    if *vc.source == SourceSpec::Greedy {
        vc.source = packets::random_source(dice).into();
    }
    match dice.below(4) {
        // It starts late, or after the end.
        0 => vc.start = at(dice.between(duration / 2, duration + 50)),
        // It sends only one cell, at some time.
        1 => {
            let burst = super::cells(dice.below(duration));
            vc.source = SourceSpec::Replay { times: vec![burst] }.into();
        }
        _ => {}
    }
    if dice.chance(15) {
        vc.stop = Some(vc.start);
    }
}
