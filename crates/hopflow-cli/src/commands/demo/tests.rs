//! That the demo compares fairly, and fits its terminal.

use hopflow::network::NodeKind;
use hopflow::size::{size_hops, size_lanes};
use hopflow_scenario::{AS_IS, Scenario};

use super::*;

fn under(control: &str) -> Scenario {
    ScenarioFile::new(SCENARIO, NAME).under(control).unwrap()
}

/// The memory of each switch under a control, in cells: the demo gives all the same.
fn memory(scenario: &Scenario) -> Vec<Option<hopflow_units::Cells>> {
    let nodes = scenario.network.nodes.iter().filter(|node| node.kind == NodeKind::Switch);
    nodes.map(|node| node.buffer.and_then(hopflow::network::Limit::packets)).collect()
}

/// Claim: the comparison is fair. All three controls have the same memory; PFC has the room that
/// the size laws ask for above XOFF, and all its rooms fit the memory; XON is a loop of cells; each
/// VC has the credit that its loop asks for, and no more.
#[test]
fn the_comparison_is_fair() {
    let [tail, pfc, credit] = [AS_IS, "pfc", "credit"].map(under);
    assert_eq!(memory(&tail), memory(&pfc));
    assert_eq!(memory(&tail), memory(&credit));
    let lanes = size_lanes(&pfc.network).unwrap();
    let hops = size_hops(&credit.network, None).unwrap();
    let loop_cells = hops[0].needed.n3;
    for node in ["S1", "S2"] {
        let into = lanes.iter().filter(|lane| lane.link.ends_with(&format!("->{node}")));
        let mut room = 0;
        for lane in into {
            let given = lane.given.unwrap();
            assert_eq!(given.0, lane.xoff.0 + lane.needed.beyond_xoff.0, "{}", lane.link);
            assert_eq!(lane.xoff.0, 2 * u64::from(loop_cells.0) * 53, "{}", lane.link);
            room += given.0;
        }
        assert!(room > 0 && room <= 1280 * 53, "{node}: {room} bytes");
    }
    for hop in &hops {
        assert_eq!(hop.given, Some(hop.needed.buffer), "{} on {}", hop.vc, hop.link);
    }
}

/// Claim: a screen is never wider than its terminal, but for words.
#[test]
fn the_screen_fits_its_terminal() {
    let row = |label| Row {
        label,
        digest: String::new(),
        victim_bps: 1.234e9,
        fair_bps: 6e9,
        fair_share: 0.2057,
        victim_lost_share: 0.0,
        incast_lost_share: 0.0002,
        victim_delay_max_ps: 2_267_269_243,
        incast_from_ps: 0,
        incast_to_ps: 2_889_000_000,
        curve_part_ps: 1,
        curve: (0..200).map(f64::from).collect(),
        line_bps: 200.0,
        sentence: "Nothing is lost, and the victim keeps all of its fair rate.".to_owned(),
    };
    for width in [40, 80, 200] {
        let screen = screen(&[row("drop tail"), row("credit per VC")], Picos(6_000_000_000), width);
        let widest = screen.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(width.min(100)), "{widest:?} at {width}:\n{screen}");
        assert!(screen.contains("\ndrop tail      ▁"), "{screen}");
    }
    let numbers = row("PFC").numbers();
    assert!(numbers.starts_with("victim 1.23 of 6 Gb/s for 2.89 ms;"), "{numbers}");
    assert!(
        numbers.contains("lost 0 % of its cells, less than 0.1 % of the incast's"),
        "{numbers}"
    );
    assert!(numbers.ends_with("2.27 ms"), "{numbers}");
}
