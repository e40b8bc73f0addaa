//! "What you see": the run in a few sentences, each made from its numbers.
//!
//! In order: what was delivered and under which control, the busiest link, what was lost, how even
//! the rates are, which VC waited longest, the longest queue, what was stopped. A sentence whose
//! number would be nothing is left out. VCs that only carry acknowledgements are not compared.

use std::collections::BTreeSet;

use hopflow::network::NodeKind;
use hopflow::record::{Summary, VcSummary};
use hopflow::units::Picos;
use hopflow_figures::{rate_text, time_text};

use super::view::RunView;
use crate::chart::plain_number;

/// The most names in one sentence.
const NAMES: usize = 3;

/// The sentences.
pub(super) fn sentences(run: &RunView<'_>, controls: &[String]) -> Vec<String> {
    let summary = run.summary;
    let back: BTreeSet<&str> =
        summary.connections.iter().map(|connection| connection.vcs[1].as_str()).collect();
    let vcs: Vec<(&VcSummary, &str)> = summary
        .vcs
        .iter()
        .zip(controls.iter().map(String::as_str).chain(std::iter::repeat("")))
        .filter(|(vc, _)| !back.contains(vc.name.as_str()))
        .collect();
    // What compares VCs or queues needs all of them.
    let all = |found: Option<String>| found.filter(|_| !summary.leaves_vcs_out());
    let found = [
        delivered(summary, &vcs),
        busiest(summary),
        lost(summary),
        all(evenness(&vcs)),
        all(delays(&vcs)),
        (summary.queues_left_out == 0).then(|| longest_queue(run)).flatten(),
        stopped(summary),
        broken(summary),
    ];
    found.into_iter().flatten().collect()
}

fn percent(share: f64) -> String {
    format!("{}\u{202f}%", plain_number(100.0 * share, 1))
}

fn count(value: u64) -> String {
    plain_number(value as f64, 0)
}

/// The names as code, and how many others there are.
fn names<'a>(all: impl Iterator<Item = &'a str> + Clone) -> String {
    let shown: Vec<String> = all.clone().take(NAMES).map(|name| format!("`{name}`")).collect();
    let text = match shown.as_slice() {
        [one, two] => format!("{one} and {two}"),
        shown => shown.join(", "),
    };
    match all.count().saturating_sub(NAMES) {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}

fn delivered(summary: &Summary, vcs: &[(&VcSummary, &str)]) -> Option<String> {
    let span = Picos(summary.end_ps.saturating_sub(summary.from_ps));
    let word = summary.counted_in.word();
    if let Some(all) = summary.totals.as_ref().filter(|_| summary.leaves_vcs_out()) {
        let (vcs, cells) = (count(all.vcs), count(all.received_packets));
        return Some(format!("{vcs} VCs delivered {cells} {word} in {span}."));
    }
    let (first, _) = vcs.first()?;
    let cells = vcs.iter().map(|(vc, _)| vc.received_packets).sum();
    let rate = rate_text(vcs.iter().map(|(vc, _)| vc.throughput_bps).sum());
    let subject = match vcs {
        [_] => format!("`{}`", first.name),
        _ => format!("{} VCs", vcs.len()),
    };
    let mut kinds: Vec<&str> = vcs.iter().map(|(_, control)| *control).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let scheme = |part: &str| part.split(',').next().unwrap_or(part).to_owned();
    let kind = |text: &&str| text.split("; ").map(scheme).collect::<Vec<_>>().join(" with ");
    let mut schemes: Vec<String> = kinds.iter().map(kind).collect();
    schemes.dedup();
    let under = match (kinds.as_slice(), schemes.as_slice()) {
        (["none"], _) => " without flow control".to_owned(),
        ([one], _) => format!(" under `{one}`"),
        (_, [one]) => format!(" under `{one}` with different settings"),
        (_, schemes) => format!(" under {}", names(schemes.iter().map(String::as_str))),
    };
    Some(format!("{subject} delivered {} {word} in {span}, {rate} in all,{under}.", count(cells)))
}

fn busiest(summary: &Summary) -> Option<String> {
    let link = summary.links.iter().rev().max_by(|a, b| a.busy_share.total_cmp(&b.busy_share))?;
    if link.busy_share <= 0.0 {
        return None;
    }
    let shares: Vec<String> = link
        .vcs
        .iter()
        .take(NAMES)
        .map(|part| format!("{} for `{}`", percent(part.share), part.vc))
        .collect();
    let more = match link.vcs.len().saturating_sub(NAMES) as u64 + link.vcs_left_out {
        0 => String::new(),
        more => format!(", the rest for {more} more VCs"),
    };
    let parts =
        if shares.is_empty() { String::new() } else { format!(": {}{more}", shares.join(", ")) };
    Some(format!(
        "The busiest link direction is `{}`, which was sending {} of the time{parts}.",
        link.name,
        percent(link.busy_share)
    ))
}

fn lost(summary: &Summary) -> Option<String> {
    let word = summary.counted_in.word();
    let sum = |of: fn(&VcSummary) -> u64| summary.vcs.iter().map(of).sum::<u64>();
    let totals = summary.totals.as_ref().filter(|_| summary.leaves_vcs_out());
    let (dropped, created) = match totals {
        Some(all) => (all.dropped_packets, all.created_packets),
        None => (sum(|vc| vc.dropped_packets), sum(|vc| vc.created_packets)),
    };
    if created == 0 {
        return None;
    }
    if dropped == 0 {
        return Some(format!("None of the {word} was dropped."));
    }
    let share = percent(dropped as f64 / created as f64);
    let most = summary.vcs.iter().rev().max_by_key(|vc| vc.dropped_packets);
    let whose = match most {
        Some(vc) if summary.vcs.len() > 1 && vc.dropped_packets == dropped => {
            format!(", all of them of `{}`", vc.name)
        }
        Some(vc) if summary.vcs.len() > 1 && vc.dropped_packets > 0 => {
            format!(", most of them ({}) of `{}`", count(vc.dropped_packets), vc.name)
        }
        _ => String::new(),
    };
    Some(format!(
        "{} {word} were dropped, {share} of those sent by sources{whose}.",
        count(dropped)
    ))
}

fn evenness(vcs: &[(&VcSummary, &str)]) -> Option<String> {
    if vcs.len() < 2 {
        return None;
    }
    let by = |a: &&VcSummary, b: &&VcSummary| a.throughput_bps.total_cmp(&b.throughput_bps);
    let all = || vcs.iter().map(|(vc, _)| *vc);
    // The first of several equal ones.
    let (least, most) = (all().min_by(by)?, all().rev().max_by(by)?);
    let ratios: Vec<f64> = all().filter_map(|vc| vc.fair.as_ref()?.ratio).collect();
    let span = ratios.iter().fold(None, |span: Option<(f64, f64)>, ratio| {
        Some(span.map_or((*ratio, *ratio), |(low, high)| (low.min(*ratio), high.max(*ratio))))
    });
    let fair = match span {
        Some((low, high)) if percent(low) == percent(high) => {
            format!(", {} of the max-min fair share", percent(low))
        }
        Some((low, high)) => {
            format!(", {} to {} of the max-min fair shares", percent(low), percent(high))
        }
        None => String::new(),
    };
    if most.throughput_bps <= 0.0 {
        return None;
    }
    if least.throughput_bps >= 0.99 * most.throughput_bps {
        let rate = rate_text(most.throughput_bps);
        return Some(format!("Each VC has the same rate within 1\u{202f}%, {rate}{fair}."));
    }
    Some(format!(
        "Rates range from {} (`{}`) to {} (`{}`){fair}.",
        rate_text(least.throughput_bps),
        least.name,
        rate_text(most.throughput_bps),
        most.name
    ))
}

fn delays(vcs: &[(&VcSummary, &str)]) -> Option<String> {
    let by = |a: &(&VcSummary, f64), b: &(&VcSummary, f64)| a.1.total_cmp(&b.1);
    let mean = |(vc, _): &(&'_ VcSummary, &str)| Some(vc.delay_ps.as_ref()?.mean);
    let means: Vec<(&VcSummary, f64)> =
        vcs.iter().filter_map(|one| Some((one.0, mean(one)?))).collect();
    let least = means.iter().copied().min_by(by)?;
    let most = means.iter().rev().copied().max_by(by)?;
    let waiting = |(vc, mean): (&VcSummary, f64)| {
        let share = vc.waiting_ps.as_ref().map(|waiting| waiting.mean / mean);
        share.map_or(String::new(), |share| format!(", {} of it waiting", percent(share)))
    };
    let long = format!("{} for `{}`{}", time_text(most.1), most.0.name, waiting(most));
    if most.1 <= 1.01 * least.1 {
        return Some(format!("The mean delay is {long}."));
    }
    Some(format!("The mean delay is from {} for `{}` to {long}.", time_text(least.1), least.0.name))
}

fn longest_queue(run: &RunView<'_>) -> Option<String> {
    let nodes = run.network.nodes.iter();
    let switches: BTreeSet<&str> =
        nodes.filter(|node| node.kind == NodeKind::Switch).map(|node| node.name.as_str()).collect();
    let queues = run.summary.queues.iter();
    let queues = queues.filter(|queue| switches.contains(queue.node.as_str()));
    let longest = queues.rev().max_by_key(|queue| queue.max_packets)?;
    if longest.max_packets < 2 {
        return None;
    }
    Some(format!(
        "The longest queue in a switch is that of `{}` at `{}` for `{}`: {} {} at most, {} on \
         average.",
        longest.vc,
        longest.node,
        longest.port,
        count(u64::from(longest.max_packets)),
        run.summary.counted_in.word(),
        plain_number(longest.mean_packets, 1)
    ))
}

fn stopped(summary: &Summary) -> Option<String> {
    let lanes = summary.links.iter().flat_map(|link| link.lanes.iter().map(move |l| (link, l)));
    let most = lanes.rev().max_by(|a, b| a.1.shut_share.total_cmp(&b.1.shut_share));
    if let Some((link, lane)) = most.filter(|(_, lane)| lane.shut_share >= 0.01) {
        let by = if lane.is_paused() { "pauses" } else { "missing credit" };
        let what = match &lane.destination {
            Some(node) => format!("What goes to `{node}` by"),
            None => format!("Priority {} of", lane.lane),
        };
        return Some(format!(
            "{what} `{}` was stopped by {by} for {} of the time.",
            link.name,
            percent(lane.shut_share)
        ));
    }
    if summary.leaves_vcs_out() {
        return None;
    }
    let hops = summary.vcs.iter().flat_map(|vc| vc.hops.iter().map(move |hop| (vc, hop)));
    let most = hops.rev().max_by(|a, b| a.1.no_credit_share.total_cmp(&b.1.no_credit_share));
    let (vc, hop) = most.filter(|(_, hop)| hop.no_credit_share >= 0.01)?;
    Some(format!(
        "Flow control held back `{}` most, on `{}`: it had a {} and no permission to send it for \
         {} of the time.",
        vc.name,
        hop.link,
        summary.counted_in.one(),
        percent(hop.no_credit_share)
    ))
}

fn broken(summary: &Summary) -> Option<String> {
    match summary.violations.len() {
        0 => None,
        1 => Some("One property that every run must keep was broken; it is below.".to_owned()),
        many => Some(format!("{many} properties that every run must keep were broken.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tests::scenario;

    /// Claim: every sentence holds a number of this run: changed numbers change the sentence,
    /// and a number of nothing leaves its sentence out.
    #[test]
    fn sentences_follow_the_numbers() {
        let scenario = scenario();
        let mut result = hopflow::run(&scenario, &hopflow::RunOptions::default()).expect("it runs");
        let controls = vec!["n23, 165 credits".to_owned(); result.summary.vcs.len()];
        let text_of = |summary: &Summary| {
            let run = RunView {
                network: &scenario.network,
                manifest: &result.manifest,
                summary,
                series: &[],
                why: &[],
            };
            sentences(&run, &controls).join(" ")
        };
        let summary = &mut result.summary;
        let vcs = summary.vcs.len();
        let text = text_of(summary);
        assert!(text.starts_with(&format!("{vcs} VCs delivered ")), "{text}");
        assert!(text.contains("under `n23, 165 credits`."), "{text}");
        assert!(text.contains("None of the cells was dropped."), "{text}");
        summary.vcs[0].dropped_packets = 7;
        summary.vcs[0].throughput_bps = 4_000_000.0;
        summary.vcs[1].throughput_bps = 1_000_000.0;
        summary.links[0].busy_share = 0.999;
        summary.links[0].vcs.clear();
        let name = summary.links[0].name.clone();
        let text = text_of(summary);
        let whose = format!("all of them of `{}`.", summary.vcs[0].name);
        assert!(text.contains("7 cells were dropped") && text.contains(&whose), "{text}");
        assert!(text.contains("Rates range from 1\u{202f}Mb/s"), "{text}");
        let busiest =
            format!("direction is `{name}`, which was sending 99.9\u{202f}% of the time.");
        assert!(text.contains(&busiest), "{text}");
        summary.totals = None;
        summary.vcs.clear();
        summary.links.clear();
        summary.queues.clear();
        assert_eq!(text_of(summary), "");
    }
}
