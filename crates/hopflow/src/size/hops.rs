//! Sizes for a whole network: the needed and the existing buffer of every VC at every hop.

use hopflow_control::credit::{PacketUnits, USUAL_N2};
use hopflow_network::{HopControl, HopSpec, NetworkSpec, ProtocolSpec, SizeLaw, VcSpec};
use hopflow_record::direction_names;
use hopflow_scenario::CreditLoop;
use hopflow_units::{Bytes, Cells, Rate};

use super::{Size, SizeError, schemes, size_of_packets};

/// The buffer of one VC at the receiving end of one hop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HopSize {
    /// The VC.
    pub vc: String,
    /// The link direction, `FROM->TO`.
    pub link: String,
    /// The need for its target bandwidth, with the true loop of the link as R.
    pub needed: Size,
    /// The buffer in the scenario; `None` without credit control, and under adaptive credit, whose
    /// memory is shared.
    pub given: Option<Cells>,
    /// Whether the VC has no control on this hop, so that N23 is a proposal.
    pub is_proposal: bool,
}

/// For each VC, whether it is one of TCP, whose window holds its packets.
fn of_tcp(network: &NetworkSpec) -> Vec<bool> {
    let mut of_tcp = vec![false; network.vcs.len()];
    for connection in &*network.connections {
        let is_tcp = matches!(connection.protocol, ProtocolSpec::Tcp(_));
        for vc in [connection.forward, connection.backward] {
            of_tcp[vc] |= is_tcp;
        }
    }
    of_tcp
}

/// Whether a VC has no control on a hop: no credit, window or rate of its own, no pause or lane.
/// The hop to the application of a slow host has no control.
fn is_open(network: &NetworkSpec, vc: &VcSpec, hop: &HopSpec) -> bool {
    let lanes = network.direction(hop.direction_id()).lanes;
    let shared = lanes.is_some_and(|lanes| lanes.covers(vc.priority));
    let is_drain = network.is_drain(hop.link);
    hop.control == HopControl::None && !vc.has_way_back() && !shared && !is_drain
}

/// The VCs with an external credit scheme, which has no law.
pub fn vcs_without_law(network: &NetworkSpec) -> Vec<&str> {
    let is_external = |vc: &&VcSpec| vc.hops.iter().any(|hop| hop.control.external().is_some());
    network.vcs.iter().filter(is_external).map(|vc| vc.name.as_str()).collect()
}

/// The buffers for every VC and hop under credit, and for packets without control, but those of
/// TCP: `target` for each VC, at most the rate of each link; `None`: the rate of each link. N2,
/// unit and scheme are those of the hop; N2 = 10 and N23 if it has none or a scheme with the buffer
/// of N23, and then the usual unit for packets that are not cells. Hops under an external scheme
/// are left out.
pub fn size_hops(network: &NetworkSpec, target: Option<Rate>) -> Result<Vec<HopSize>, SizeError> {
    let names = direction_names(network);
    let mut sizes = Vec::new();
    for (vc, of_tcp) in network.vcs.iter().zip(of_tcp(network)) {
        let (least, most) = (vc.traffic.size.least(), vc.traffic.size.most());
        let is_cells = vc.traffic.size == SizeLaw::CELL;
        let usual = if is_cells { Bytes::CELL } else { PacketUnits::USUAL };
        for hop in &vc.hops {
            let (scheme, unit, n2, given) = match hop.control {
                HopControl::None if is_open(network, vc, hop) && (is_cells || !of_tcp) => {
                    (schemes()[0], usual, USUAL_N2, None)
                }
                HopControl::None => continue,
                HopControl::Credit(credit) if credit.scheme.external().is_some() => continue,
                HopControl::Credit(credit) => {
                    let given = hop.shared_credit().is_none().then(|| credit.buffer());
                    (credit.scheme, credit.unit, credit.n2, given)
                }
            };
            let wire = network.direction(hop.direction_id()).wire();
            let target = target.unwrap_or(wire.rate).min(wire.rate);
            let round_trip = network.loop_time(hop.link);
            let law = CreditLoop { wire, round_trip, unit, least, most };
            let needed = size_of_packets(scheme, &law, target, n2)?;
            let link = names[hop.direction_id().0].clone();
            let is_proposal = hop.control == HopControl::None;
            sizes.push(HopSize { vc: vc.name.clone(), link, needed, given, is_proposal });
        }
    }
    Ok(sizes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopflow_network::{CreditScheme, SourceSpec};
    use hopflow_testing::{NetworkBuilder, credit, n23};

    /// Claim: a VC under adaptive credit is sized as if it were alone; its existing buffer is not
    /// reported, because the memory is shared.
    #[test]
    fn adaptive_credit_gives_no_vc_a_buffer_of_its_own() {
        let mut network = NetworkBuilder::new(100);
        let (a, b) = (network.host("A"), network.host("B"));
        network.link(a, b, 10);
        let control = credit(CreditScheme::Adaptive, 4, 0);
        network.vc("VC1", &[a, b], control, SourceSpec::Greedy);
        let sizes = size_hops(&network.spec, None).unwrap();
        assert_eq!((sizes[0].needed.buffer, sizes[0].given), (Cells(4 + 22), None));
    }

    /// Claim: an external scheme has no size, and its VC is named instead; other hops keep theirs.
    #[test]
    fn external_schemes_are_not_sized() {
        let mut network = NetworkBuilder::new(100);
        let (a, s, b) = (network.host("A"), network.switch("S"), network.host("B"));
        network.link(a, s, 10);
        network.link(s, b, 50);
        network.vc("VC1", &[a, s, b], n23(4, 20), SourceSpec::Greedy);
        network.vc("VC2", &[a, s, b], n23(4, 20), SourceSpec::Greedy);
        network.spec.vcs[0].hops[0].control = credit(CreditScheme::External(0), 4, 20);
        let sizes = size_hops(&network.spec, None).unwrap();
        let found = sizes.iter().map(|size| (size.vc.as_str(), size.link.as_str()));
        assert_eq!(found.collect::<Vec<_>>(), [("VC1", "S->B"), ("VC2", "A->S"), ("VC2", "S->B")]);
        assert_eq!(vcs_without_law(&network.spec), ["VC1"]);
    }

    /// Claim: every hop has the size for the true loop of its own link. A delay of 10 cell times
    /// each way and two cells are 22 cell times; 50 each way are 102. Half the rate halves N3.
    #[test]
    fn every_hop_is_sized_for_its_own_loop() {
        let mut network = NetworkBuilder::new(100);
        let (a, s, b) = (network.host("A"), network.switch("S"), network.host("B"));
        network.link(a, s, 10);
        network.link(s, b, 50);
        network.vc("VC1", &[a, s, b], n23(4, 20), SourceSpec::Greedy);
        network.spec.vcs[0].hops[1].control = HopControl::None;
        let sizes = size_hops(&network.spec, None).unwrap();
        let found = sizes.iter().map(|size| (size.link.as_str(), size.needed.buffer.0, size.given));
        let found: Vec<_> = found.collect();
        assert_eq!(found, [("A->S", 4 + 22, Some(Cells(24))), ("S->B", 10 + 102, None)]);
        let half = size_hops(&network.spec, Rate::from_bps(212_000_000)).unwrap();
        assert_eq!(half.iter().map(|size| size.needed.n3.0).collect::<Vec<_>>(), [11, 51]);
        let most = size_hops(&network.spec, Rate::from_bps(u64::MAX)).unwrap();
        assert_eq!(most, sizes, "no VC is faster than its link");
    }
}
