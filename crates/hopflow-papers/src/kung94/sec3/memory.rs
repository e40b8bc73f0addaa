//! The memory of N123, N123+ and N23: by the sizes for the links of Figure 6, and in runs.
//!
//! In the runs the VC of Figure 12 may use a third of its link, and the link behind the switch is
//! shut: the switch then holds what was in flight and what the sender may still send.
//! Source: [KMCL94] 1 and 3. Differs: the paper gives no numbers, and the zone N1 is our reading
//! (`docs/models/n123.md`).

use hopflow::network::CreditScheme;
use hopflow::size::{Size, size_of_loop};
use hopflow_units::{Cells, Rate};

use super::super::{fig6, fig12};
use crate::observe::{extremes, least};
use crate::{Exhibit, Measured, Runs, ScenarioText};

/// The most memory first, as the paper names them.
const SCHEMES: [CreditScheme; 3] = [CreditScheme::N123, CreditScheme::N123Plus, CreditScheme::N23];
const CONTROL: &str = r#"kind = "n23", n2 = 10, n3 = 51"#;
const OUT: &str = "S->B";

fn file(scheme: CreditScheme) -> String {
    let kind = scheme.facts().name;
    format!("fig12-third-blocked-{}.toml", kind.replace('+', "-plus"))
}

/// The network of Figure 12 with a target of a third under each scheme, blocked.
pub(super) fn scenarios() -> Vec<ScenarioText> {
    let base = scenario!("kung94/fig12.toml");
    let of = |scheme: CreditScheme| {
        let kind = scheme.facts().name;
        let control = format!("kind = \"{kind}\", n2 = 10, target = \"33 %\"");
        base.variant(file(scheme), &[(CONTROL, &*control), ("\n[record]", fig12::BLOCK)])
    };
    SCHEMES.map(of).to_vec()
}

/// The sizes, then the most that the switch held.
pub(super) fn claims(measured: &mut Measured, runs: &Runs) {
    let steps = sizes(false).into_iter().map(|(_, [n123, plus, _])| apart(&n123, &plus));
    measured.claim("memory.n123_above_plus", least(steps));
    let steps = sizes(true).into_iter().map(|(_, [_, plus, n23])| apart(&plus, &n23));
    measured.claim("memory.plus_above_n23", least(steps));
    measured.claim("memory.extra_by_length", extra_by_length());
    let held = SCHEMES.map(|scheme| most_held(runs, scheme));
    measured.claim("memory.run.n123_above_plus", held[0] - held[1]);
    measured.claim("memory.run.plus_above_n23", held[1] - held[2]);
    let lost: u64 = SCHEMES.iter().map(|scheme| runs.one(&file(*scheme)).lost_packets()).sum();
    measured.claim("memory.run.lost", lost as f64);
    measured.exhibits.push(exhibit(held));
}

/// The most cells that the switch held at once.
fn most_held(runs: &Runs, scheme: CreditScheme) -> f64 {
    let hop = runs.one(&file(scheme)).hop("VC", OUT);
    extremes(&hop.fills(), 0.0, f64::INFINITY).1
}

/// The entries of Figure 6 under the three schemes, with or without those at the link's rate.
fn sizes(at_link_rate: bool) -> Vec<(u64, [Size; 3])> {
    let link = Rate::from_bps(fig6::LINK).expect("not zero");
    let mut sizes = Vec::new();
    for (_, bps) in fig6::TARGETS.into_iter().filter(|(_, bps)| at_link_rate || *bps < fig6::LINK) {
        let target = Rate::from_bps(bps).expect("no target is zero");
        for length in fig6::LENGTHS_KM {
            let size = |scheme| {
                let around = fig6::round_trip(length);
                size_of_loop(scheme, around, link, target, Cells(10)).expect("it fits")
            };
            sizes.push((length, SCHEMES.map(size)));
        }
    }
    sizes
}

fn apart(more: &Size, less: &Size) -> f64 {
    f64::from(more.buffer.0) - f64::from(less.buffer.0)
}

/// N1 at 1000 km over N1 at 100 km: the least of both schemes and all targets.
fn extra_by_length() -> f64 {
    let of = |km| sizes(true).into_iter().filter(move |(length, _)| *length == km);
    let n1 = |km: u64, scheme: usize| of(km).map(move |(_, of)| f64::from(of[scheme].n1.0));
    least((0..2).flat_map(|scheme| {
        let ratios = n1(1_000, scheme).zip(n1(100, scheme)).map(|(far, near)| far / near);
        ratios.collect::<Vec<_>>()
    }))
}

fn exhibit(held: [f64; 3]) -> Exhibit {
    Exhibit::new("Memory of N123, N123+ and N23")
        .note(
            "The most cells of a VC with a third of the link that the switch of Figure 9 held when \
             its output was shut, N2 = 10.",
        )
        .columns("scheme", [("held", "cells")])
        .rows(
            SCHEMES
                .iter()
                .zip(held)
                .map(|(one, held)| (one.facts().name.to_uppercase(), vec![held])),
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 10 km, 622.08 Mb/s: N1 = N3 = 155 and N2 = 10 are 320 cells with a third zone, 165 without;
    /// 100 Mb/s: N3 = 25, so 190, 60 and 35.
    #[test]
    fn sizes_by_hand() {
        let found: Vec<[u32; 3]> = sizes(true)
            .into_iter()
            .filter(|(length, _)| *length == 10)
            .map(|(_, of)| of.map(|size| size.buffer.0))
            .collect();
        assert_eq!(found[1..], [[190, 60, 35], [320, 320, 165]]);
        assert_eq!(sizes(false).len(), 8);
    }
}
