//! Notes of a comparison: facts that its numbers do not show.

use hopflow_control::scheduler::Guarantee;
use hopflow_network::{DirectionId, HopSpec, Jitter, Limit, NetworkSpec, NodeKind, Thresholds};
use hopflow_record::direction_names;
use hopflow_scenario::BUILT_IN;
use hopflow_units::SimTime;
use hopflow_units::shape::Shaped;
use serde::{Deserialize, Serialize};

use super::promised::{OverPromised, over_promised};
use super::sizes::is_lossless;
use super::{Contender, ControlRun, Unfit};
use crate::fairness::stop_together;

/// The number of switches that a note names; it counts the others.
const NAMED: usize = 4;

/// Limits of a switch that are not its whole memory, as errors name them.
const PARTS: [&str; 2] = ["`vc-buffer`", "`port-buffer`"];

/// A note about one control, or about several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Shaped)]
pub struct CompareNote {
    /// `info` or `warning`.
    pub severity: String,
    /// What it is about: `over-promised`, `lossless-lost`, `same-run`, `idle-scheduler`,
    /// `same-seeds`, `admission`, `load-falls` or `does-not-fit`.
    pub cause: String,
    /// The controls it is about.
    pub controls: Vec<String>,
    /// The sentence.
    pub text: String,
    /// The change that removes the cause.
    pub change: String,
}

fn note(cause: &str, controls: &[&str], text: String, change: impl Into<String>) -> CompareNote {
    CompareNote {
        severity: "warning".to_owned(),
        cause: cause.to_owned(),
        controls: controls.iter().map(|name| (*name).to_owned()).collect(),
        text,
        change: change.into(),
    }
}

impl std::fmt::Display for CompareNote {
    /// The sentence, and after it what to change.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(format!("{} {}", self.text, self.change).trim_end())
    }
}

/// The notes about runs, each with its scenario.
pub(super) fn notes(runs: &[(&Contender, &ControlRun)]) -> Vec<CompareNote> {
    let mut notes = Vec::new();
    for (one, run) in runs {
        notes.extend(promises(one));
        notes.extend(lost(one, run));
        notes.extend(idle_scheduler(one));
    }
    notes.extend(admission(runs));
    notes.extend(load_falls(runs));
    for (index, (one, run)) in runs.iter().enumerate() {
        let same = |(_, earlier): &&(&Contender, &ControlRun)| {
            earlier.measures.digest == run.measures.digest
        };
        if let Some((first, _)) = runs[..index].iter().find(same) {
            notes.push(same_run(first, one, &run.measures.digest));
        }
    }
    notes
}

/// How packets are admitted to buffers that can drop them: the file decides it for all controls.
fn admission(runs: &[(&Contender, &ControlRun)]) -> Option<CompareNote> {
    let (mut drop, mut others, mut rule) = (Vec::new(), Vec::new(), None);
    for (one, _) in runs {
        match one.scenario.network.admission() {
            Some(admission) => {
                drop.push(one.name.as_str());
                rule.get_or_insert(admission);
            }
            None => others.push(one.name.as_str()),
        }
    }
    let rule = rule?;
    let list = |names: &[&str]| {
        names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
    };
    let rest = if others.is_empty() {
        String::new()
    } else {
        format!(" Under {} no buffer drops packets of several links.", list(&others))
    };
    let text =
        format!("Admission, one rule for all controls: under {}, {rule}.{rest}", list(&drop));
    let exact = rule.jitter == Jitter::Exact;
    let change = if exact { "Their Jain indices may show phases, not controls." } else { "" };
    let severity = if exact { "warning" } else { "info" }.to_owned();
    Some(CompareNote { severity, ..note("admission", &drop, text, change) })
}

/// Rates over a load that falls, which have no Jain index.
fn load_falls(runs: &[(&Contender, &ControlRun)]) -> Option<CompareNote> {
    let (one, run) = runs.first()?;
    let summary = &run.summary;
    let measured = SimTime(summary.from_ps)..SimTime(summary.end_ps);
    if stop_together(&one.scenario.network, measured) {
        return None;
    }
    let controls: Vec<&str> = runs.iter().map(|(one, _)| one.name.as_str()).collect();
    let text = "No Jain index: some sources stop before others. What was held back is delivered \
                after that, so mean rates over the run do not show which VC was held."
        .to_owned();
    let change = "Rates over time show it: the page of a comparison has their charts.";
    Some(note("load-falls", &controls, text, change))
}

/// Credits that promise more than a switch holds.
fn promises(one: &Contender) -> Vec<CompareNote> {
    let over = over_promised(&one.scenario.network).into_iter();
    let note_of = |OverPromised { node, promised, room, counted }: OverPromised<'_>| {
        let unit = unit_of(room);
        let text = format!(
            "Credits of `{}` promise {promised} {unit} of the memory of `{node}`, which holds {}: \
             packets could be lost{}.",
            one.name,
            room.packets().map_or_else(|| room.to_string(), |room| room.0.to_string()),
            counted.map_or_else(String::new, |counted| format!("; {counted}"))
        );
        let change = format!("Raise its buffer to {promised} {unit}, or promise less.");
        note("over-promised", &[&one.name], text, change)
    };
    over.map(note_of).collect()
}

fn unit_of(limit: Limit) -> &'static str {
    match limit {
        Limit::Packets(_) => "packets",
        Limit::Bytes(_) => "B",
    }
}

/// A control under which switches should lose nothing, but lost something.
fn lost(one: &Contender, run: &ControlRun) -> Option<CompareNote> {
    let network = &one.scenario.network;
    if !is_lossless(network) {
        return None;
    }
    let mut lost = vec![0; network.nodes.len()];
    for (vc, spec) in run.summary.vcs.iter().zip(&network.vcs) {
        for (hop, spec) in vc.hops.iter().zip(&spec.hops) {
            lost[network.to_node(spec.direction_id())] += hop.dropped_packets;
        }
    }
    let is_switch = |node: &usize| network.nodes[*node].kind == NodeKind::Switch;
    let switches = (0..lost.len()).filter(is_switch);
    let (worst, most) = switches.map(|node| (node, lost[node])).rev().max_by_key(|one| one.1)?;
    if most == 0 {
        return None;
    }
    let name = &network.nodes[worst].name;
    let share = 100.0 * most as f64 / run.measures.created_packets.max(1) as f64;
    let packets = if most == 1 { "packet" } else { "packets" };
    let text = format!(
        "`{}` should lose nothing, but lost {most} {packets} ({share:.1} %) at `{name}`.",
        one.name
    );
    let change = way_out(network, worst, run);
    Some(note("lossless-lost", &[&one.name], text, change))
}

/// The change with which a node would have lost nothing.
fn way_out(network: &NetworkSpec, node: usize, run: &ControlRun) -> String {
    let name = &network.nodes[node].name;
    let over = over_promised(network);
    if let Some(over) = over.iter().find(|over| over.node == name) {
        let (promised, unit) = (over.promised, unit_of(over.room));
        return format!("Its credits promise more than it holds: raise it to {promised} {unit}.");
    }
    let (law, names) = (Thresholds::new(network), direction_names(network));
    let into = (0..network.direction_count()).map(hopflow_network::DirectionId);
    for id in into.filter(|id| network.to_node(*id) == node) {
        let threshold = network.direction(id).lanes.and_then(|lanes| lanes.rule.threshold());
        let Some(threshold) = threshold else { continue };
        match law.xoff(id) {
            Ok(xoff) if threshold.xoff > xoff => {
                return format!(
                    "XOFF of `{}` is {} B, above the {} B that its memory allows: write `xoff = \
                     \"auto\"`.",
                    names[id.0], threshold.xoff.0, xoff.0
                );
            }
            Err(_) => {
                let Some(need) = law.needed_at(node) else { continue };
                if network.counts_bytes()[node] {
                    return format!(
                        "Its memory has no room for the headroom of every input: raise it to {} B.",
                        need.memory
                    );
                }
                return format!(
                    "Its memory has no room for the headroom of every input: raise it to {} \
                     packets ({}).",
                    need.packets,
                    need.smallest.note(network, need.bytes)
                );
            }
            Ok(_) => {}
        }
    }
    let switch = run.measures.switches.iter().find(|switch| switch.node == *name);
    let of_bytes = switch.and_then(|switch| switch.needed_bytes);
    let needed = match (switch, of_bytes) {
        (_, Some(bytes)) => format!("{bytes} B"),
        (switch, None) => format!("{} packets", switch.map_or(0, |one| one.needed_packets)),
    };
    format!("In this run it needed {needed}: look at it with `hopflow why`.")
}

/// Whether it is a built-in scheduler, and not a variant of that name in the file.
fn built_in_scheduler(one: &Contender) -> bool {
    let own = one.scenario.variants.iter().any(|variant| variant.name == one.name);
    let built_in = BUILT_IN.iter().find(|built_in| built_in.name == one.name);
    !own && built_in.is_some_and(|built_in| built_in.is_scheduler)
}

/// Whether ports of switches order packets by their classes alone.
fn by_class_only(network: &NetworkSpec) -> bool {
    let mut ids = (0..network.direction_count()).map(DirectionId);
    let is_switch = |id: DirectionId| !network.is_host(network.from_node(id));
    ids.any(|id| is_switch(id) && network.direction(id).scheduler.guarantee() == Guarantee::Classes)
}

/// A scheduler whose ports have nothing to choose from.
fn idle_scheduler(one: &Contender) -> Option<CompareNote> {
    if !built_in_scheduler(one) {
        return None;
    }
    let network = &one.scenario.network;
    let by_priority = by_class_only(network);
    let mut classes = vec![Vec::new(); network.direction_count()];
    for (index, vc) in network.vcs.iter().enumerate() {
        for id in vc.hops.iter().map(HopSpec::direction_id) {
            let class = if by_priority { usize::from(vc.priority) } else { index };
            if !network.is_host(network.from_node(id))
                && !classes[id.0].contains(&class)
                && classes[id.0].len() < 2
            {
                classes[id.0].push(class);
            }
        }
    }
    if classes.iter().any(|classes| classes.len() > 1) {
        return None;
    }
    let (what, change) = if by_priority {
        let change = "Give flows that share a port a different `priority`, or leave it out.";
        ("all flows of a port have one priority", change)
    } else {
        let change = "Compare schedulers where flows share a port of a switch, or leave it out.";
        ("no port of a switch has two flows", change)
    };
    let text = format!("`{}` could not matter: {what}.", one.name);
    Some(note("idle-scheduler", &[&one.name], text, change))
}

/// Two controls that made the same run.
fn same_run(first: &Contender, second: &Contender, digest: &str) -> CompareNote {
    let text = format!(
        "`{}` and `{}` made the same run: every packet started at the same instant (digest \
         {digest}).",
        first.name, second.name
    );
    let change = if built_in_scheduler(first) || built_in_scheduler(second) {
        "Where flows have one weight, one priority and one packet size, many schedulers serve \
         alike: change these, or leave one of the two out."
    } else {
        "What differs between the two never acted: raise the load, or leave one of the two out."
    };
    note("same-run", &[&first.name, &second.name], text, change)
}

/// Seeds that all gave the same runs: nothing in the scenario is random.
pub(super) fn alike(digests: &[String], controls: &[String]) -> Option<CompareNote> {
    let first = digests.first()?;
    if digests.len() < 2 || digests.iter().any(|digest| digest != first) {
        return None;
    }
    let controls: Vec<&str> = controls.iter().map(String::as_str).collect();
    let text = "All seeds gave the same runs: nothing in the scenario is random.".to_owned();
    let change = "Leave `--seeds` out, or give sources, lengths or losses a random distribution.";
    Some(note("same-seeds", &controls, text, change))
}

/// A control that does not fit the network. The note gives the memory for all VCs together, since
/// the hint of the error itself is about one VC.
pub(super) fn unfit(one: &Unfit) -> CompareNote {
    let needs = one.needs.iter().max_by_key(|need| need.packets);
    let needed = needs.map_or_else(String::new, |need| {
        let formula = need.formula.as_ref().map_or_else(String::new, |of| format!(" ({of})"));
        format!(" It needs {} at `{}` in all{formula}.", need.amount(), need.node)
    });
    let text = format!("`{}` does not fit: {}.{needed}", one.control, one.reason);
    let all = one.needs.iter().take(NAMED);
    let all = all.map(|need| format!("of `{}` to {}", need.node, need.amount()));
    let more = match one.needs.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and of {more} more switches"),
    };
    // The limit of a VC or a port is not the memory of the whole switch: the hint of the error
    // names it.
    let of_part = PARTS.iter().any(|part| one.reason.contains(part));
    let change = match (needs, &one.change) {
        (Some(_), Some(change)) if of_part => change.clone(),
        (Some(_), _) => {
            format!("raise the memory {}{more}", all.collect::<Vec<_>>().join(", "))
        }
        (None, Some(change)) => change.clone(),
        (None, None) => "leave it out".to_owned(),
    };
    let first = change.chars().next().map(|first| first.to_uppercase().to_string());
    let rest = change.chars().skip(1).collect::<String>();
    let change = format!("{}{rest}.", first.unwrap_or_default());
    note("does-not-fit", &[&one.control], text, change)
}
