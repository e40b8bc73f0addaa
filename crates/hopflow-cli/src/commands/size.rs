//! `hopflow size`: the buffer, credits or window that each control needs, and the headroom of each
//! paused priority: of one link or path, or for the controls that the flows of a scenario have.

mod fold;
mod headroom;
mod keyed;
mod lanes;
mod others;
mod preset;
mod public;
mod sonic;
mod vcs;
mod verified;
mod windows;

use hopflow::CONTRACT_VERSION;
use hopflow::size::{
    PublicRow, Trial, Verified, size_hops, size_lane_credits, size_lanes, size_rates, size_windows,
    vcs_without_law,
};
use hopflow_scenario::Scenario;
use hopflow_units::shape::Shaped;
use serde::Serialize;
use serde_json::Value;

use crate::args::{Format, SIZE_TABLES, SizeArgs};
use crate::fail::Fail;
use crate::output::{self, Table};
use crate::{Outcome, diagnose};
use keyed::{Keyed, Rows};
pub(crate) use sonic::SonicDocument;

/// The most names in a note.
const NAMED: usize = 3;

/// What `size --format json` prints.
#[derive(Debug, Serialize, Shaped)]
pub(crate) struct SizeDocument<'a> {
    /// The version of this contract.
    version: u32,
    /// The preset that was asked for; `null` without one.
    preset: Option<&'a preset::PresetOf>,
    /// The buffer of each VC at each hop, or of each scheme on a link.
    sizes: Rows<vcs::SizeRow<'a>>,
    /// The credits of each lane.
    lanes: Rows<lanes::LaneRow<'a>>,
    /// The window of each path.
    windows: Rows<windows::WindowRow<'a>>,
    /// The queue of each port under rate control.
    rates: Rows<others::RateRow<'a>>,
    /// The headroom of each paused priority.
    headrooms: Rows<headroom::HeadroomRow<'a>>,
    /// Public values beside those of the law, of a preset.
    public: Rows<public::PublicValue<'a>>,
    /// The runs that confirm a size, with `--verify`.
    verified: Rows<verified::VerifiedRun<'a>>,
    /// What the numbers do not cover.
    notes: &'a [String],
}

/// What was sized, by kind of control.
#[derive(Default)]
struct Answer {
    vcs: Vec<vcs::Line>,
    lanes: Vec<lanes::Lane>,
    windows: Vec<hopflow::size::WindowSize>,
    rates: Vec<hopflow::size::RateSize>,
    paused: Vec<headroom::Paused>,
    /// The preset that was asked for.
    preset: Option<preset::PresetOf>,
    /// Public values beside those of the law.
    public: Vec<PublicRow>,
    /// Runs that confirm the sizes.
    verified: Vec<Verified>,
    /// What the numbers do not cover.
    notes: Vec<String>,
}

pub(crate) fn size(args: &SizeArgs) -> Outcome {
    output::table_needs_csv(args.format, args.table.as_deref())?;
    if args.file.is_none() && !args.settings.set.is_empty() {
        return Err(Fail::input("`--set` sets a key of a scenario: name its file, too"));
    }
    if args.pfc.sonic.is_some() {
        return sonic::audit(args);
    }
    let scenario = args.file.as_ref().map(|file| diagnose::load(file, &args.settings));
    let answer = answer(scenario.transpose()?.as_ref(), args)?;
    if args.format == Format::Csv {
        output::print_csv(&answer.data(args))?;
    } else {
        output::print(args.format, &answer.tables(args), &answer.document(args))?;
    }
    if args.format == Format::Table {
        answer.print_formulas()?;
    }
    let is_confirmed = answer.verified.iter().all(|one| one.is_confirmed);
    if is_confirmed { Ok(()) } else { Err(Fail::Property) }
}

/// The sizes of a scenario, or of the link of the arguments.
fn answer(scenario: Option<&Scenario>, args: &SizeArgs) -> Result<Answer, Fail> {
    scenario.map_or_else(|| of_link(args), |scenario| of_scenario(scenario, args))
}

/// What `--format json` prints of a scenario, or of the link of the arguments.
pub(crate) fn document(scenario: Option<&Scenario>, args: &SizeArgs) -> Result<Value, Fail> {
    let answer = answer(scenario, args)?;
    Ok(serde_json::to_value(answer.document(args)).expect("sizes are plain data"))
}

fn of_link(args: &SizeArgs) -> Result<Answer, Fail> {
    if args.preset.preset.is_some() {
        return preset::answer(args);
    }
    if args.window.window.is_some() {
        let windows = windows::of_link(args)?;
        let notes = windows::notes(&windows);
        let trials = windows::trials(args, &windows);
        return Answer { windows, notes, ..Answer::default() }.verified(args, &trials);
    }
    if args.delay.is_none() || args.rate.is_none() {
        let what = if args.lanes.lanes { " --lanes" } else { "" };
        return Err(Fail::Input(format!(
            "nothing to size: give a scenario FILE, or --rate and --delay of one link, or \
             --window with --rate and --rtt of a path\n  \
             hopflow size examples/lanes.toml\n  \
             hopflow size{what} --rate \"400 Gb/s\" --delay \"300 m\"\n  \
             hopflow size --window --rate \"10 Gb/s\" --rtt \"100 ms\"\n  \
             hopflow size --preset fibre-channel --speed 8GFC --length \"50 km\""
        )));
    }
    let mut answer = Answer::default();
    let trial = if args.pfc.pfc {
        let (paused, trial) = headroom::of_link(args)?;
        answer.paused.push(paused);
        Some(trial)
    } else if args.lanes.lanes {
        let (lane, trial) = lanes::of_link(args)?;
        answer.notes.extend(lane.note());
        answer.lanes.push(lane);
        Some(trial)
    } else {
        answer.vcs = vcs::of_link(args)?;
        answer.notes = vcs::notes(args, &answer.vcs);
        vcs::trial(args, &answer.vcs)
    };
    answer.verified(args, trial.as_slice())
}

fn of_scenario(scenario: &Scenario, args: &SizeArgs) -> Result<Answer, Fail> {
    let network = &scenario.network;
    let hops = size_hops(network, args.target).map_err(Fail::input)?;
    let lanes = size_lane_credits(network, args.target).map_err(Fail::input)?;
    let paused = size_lanes(network).map_err(Fail::input)?;
    let mut notes = Vec::new();
    if hops.iter().any(|hop| hop.is_proposal) {
        notes.push(
            "Rows without a given buffer are of flows that nothing controls: N23 is a proposal."
                .to_owned(),
        );
    }
    if let Some(external) = several(&vcs_without_law(network)) {
        notes.push(format!(
            "Not sized: {external}. Only the author of an external credit scheme knows its formula."
        ));
    }
    let rates = size_rates(network).map_err(Fail::input)?;
    notes.extend(others::star(&rates));
    notes.extend(others::no_bounds(&rates));
    let lanes: Vec<_> = lanes.into_iter().map(lanes::Lane::of_scenario).collect();
    notes.extend(lanes.iter().filter_map(lanes::Lane::note));
    Ok(Answer {
        vcs: hops.into_iter().map(vcs::Line::of_hop).collect(),
        lanes,
        windows: size_windows(network, args.target).map_err(Fail::input)?,
        rates,
        paused: paused.into_iter().map(headroom::of_lane).collect(),
        notes,
        ..Answer::default()
    })
}

/// The names of flows, or the first of many; `None` of none.
fn several(names: &[&str]) -> Option<String> {
    let first = names.first()?;
    Some(match names.len() {
        ..=NAMED => names.join(", "),
        count => format!("{first} and {} more", count - 1),
    })
}

impl Answer {
    /// With the runs of these trials, where they are asked for.
    fn verified(mut self, args: &SizeArgs, trials: &[Trial]) -> Result<Answer, Fail> {
        if args.verify {
            let runs = trials.iter().map(|trial| trial.verify().map_err(Fail::input));
            self.verified = runs.collect::<Result<_, Fail>>()?;
            self.notes.extend(self.verified.iter().map(|one| one.verdict.clone()));
        }
        Ok(self)
    }

    /// The tables that have rows, each with its title.
    fn tables(&self, args: &SizeArgs) -> Vec<(&'static str, Table)> {
        let all = [
            (
                "Credit of each VC",
                vcs::table(args, &self.vcs).worst_by("the largest", "vcs", "bytes"),
            ),
            (
                "Credit of lanes",
                lanes::table(args, &self.lanes).worst_by("the largest", "lanes", "bytes"),
            ),
            (
                "Windows",
                windows::table(args, &self.windows).worst_by(
                    "the largest",
                    "windows",
                    "window packets",
                ),
            ),
            (
                "Rate control: what one VC may still send in a loop, and the queue of the port",
                others::rates(&self.rates).worst_by("the largest", "rates", "cells of one loop"),
            ),
            (
                "Headroom of PFC",
                headroom::table(args.memory, &self.paused).worst_by(
                    "the largest",
                    "headrooms",
                    "headroom bytes",
                ),
            ),
            (
                "Public values, and what the law gives for the same terms",
                public::table(&self.public),
            ),
            ("Runs of the network that confirms the size", verified::table(&self.verified)),
        ];
        let mut tables: Vec<_> =
            all.into_iter().filter(|(_, table)| !table.rows.is_empty()).collect();
        if let [(title, _)] = &mut tables[..] {
            *title = "";
        }
        tables
    }

    /// The rows of each table of `SIZE_TABLES`.
    fn keyed(&self, args: &SizeArgs) -> [Keyed; SIZE_TABLES.len()] {
        [
            vcs::keyed(args.memory, &self.vcs),
            lanes::keyed(args.memory, &self.lanes),
            windows::keyed(&self.windows),
            others::keyed_rates(&self.rates),
            headroom::keyed(args.memory, &self.paused),
            public::keyed(&self.public),
            verified::keyed(&self.verified),
        ]
    }

    /// The table of CSV: the one that is asked for, or the first that has rows.
    fn data(&self, args: &SizeArgs) -> Table {
        let all = self.keyed(args);
        let place = match args.table.as_deref() {
            Some(name) => SIZE_TABLES.iter().position(|table| *table == name),
            None => all.iter().position(|rows| !rows.is_empty()),
        };
        all[place.unwrap_or(0)].table()
    }

    fn document(&self, args: &SizeArgs) -> SizeDocument<'_> {
        let [sizes, lanes, windows, rates, headrooms, public, verified] = self.keyed(args);
        SizeDocument {
            version: CONTRACT_VERSION,
            preset: self.preset.as_ref(),
            sizes: sizes.document(),
            lanes: lanes.document(),
            windows: windows.document(),
            rates: rates.document(),
            headrooms: headrooms.document(),
            public: public.document(),
            verified: verified.document(),
            notes: &self.notes,
        }
    }

    /// Prints the formulas with their numbers, each once, and the notes.
    fn print_formulas(&self) -> Outcome {
        let all = self.vcs.iter().map(|line| &line.size.formula);
        let all = all.chain(self.lanes.iter().map(|lane| &lane.needed.formula));
        let all = all.chain(self.windows.iter().map(|window| &window.formula));
        let all = all.chain(self.rates.iter().map(|rate| &rate.formula));
        let bounds = self.rates.iter().filter_map(|rate| rate.bound.as_ref().ok());
        let all = all.chain(bounds.map(|bound| &bound.formula));
        let known = self.rates.iter().filter_map(|rate| rate.of_loop.as_ref());
        let all = all.chain(known.map(|known| &known.formula));
        let all = all.chain(self.paused.iter().map(|one| &one.needed.formula));
        let all = all.chain(self.paused.iter().map(|one| &one.auto.formula));
        let in_cells = self.paused.iter().filter_map(|one| one.in_cells.as_ref());
        let all = all.chain(in_cells.map(|found| &found.formula));
        let mut seen: Vec<&str> = Vec::new();
        for formula in all.chain(&self.notes) {
            if !seen.contains(&formula.as_str()) {
                seen.push(formula);
            }
        }
        let more = seen.len().saturating_sub(output::shown());
        seen.truncate(output::shown());
        let more = match more {
            0 => String::new(),
            more => format!(
                "\n{more} more formulas and notes: `--all-rows` shows them, `--format json` prints \
                 all.\n"
            ),
        };
        output::write(&format!("\n{}\n{more}", seen.join("\n\n")))
    }
}
