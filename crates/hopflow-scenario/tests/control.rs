//! Control of flows whose keys stand in several tables.

use hopflow_network::{CreditScheme, HopControl};
use hopflow_scenario::Scenario;
use hopflow_units::Cells;

mod two_switches;

const FLOW: &str = "[[flow]]\nname = \"f\"\nroute = [\"H\", \"S\", \"T\", \"G\"]\n";

/// Claim: keys of `[defaults.flow] control` without a kind hold for flows whose kind has them, and
/// for no others; a hop of another kind does not take them either.
#[test]
fn defaults_of_control_hold_for_kinds_that_have_them() {
    for kind in ["n23", "n123", "n123+", "cup", "additive", "adaptive"] {
        for hop in ["", "[[flow.hop]]\nlink = [\"S\", \"T\"]\nkind = \"n123\"\n"] {
            let end = format!(
                "control = {{ kind = \"{kind}\" }}\n{hop}[defaults.flow]\n\
                 control = {{ e = \"continuous\", n1 = 4, target = \"50 %\" }}\n"
            );
            let text = two_switches::text("1 ms", "", &format!("{FLOW}{end}"));
            let network = Scenario::from_toml(&text, "control.toml").expect("fine").network;
            let schemes = network.vcs[0].hops.iter().map(|hop| match hop.control {
                HopControl::Credit(credit) => (credit.scheme, credit.n1),
                HopControl::None => panic!("every hop is under credit"),
            });
            let n1 = if kind.starts_with("n123") { Cells(4) } else { Cells::ZERO };
            let own = (CreditScheme::of_kind(kind, kind == "n23").expect("it is a scheme"), n1);
            let trunk = if hop.is_empty() { own } else { (CreditScheme::N123, Cells(4)) };
            assert_eq!(schemes.collect::<Vec<_>>(), [own, trunk, own], "{kind} {hop}");
        }
    }
}
