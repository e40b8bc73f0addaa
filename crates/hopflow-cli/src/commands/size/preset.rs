//! `hopflow size --preset`: a link by the name of its kind and speed.

use hopflow::size::{MEDIA, Preset, PresetLink, PresetNeed, PresetSize, delay_of_length};
use hopflow_units::Picos;
use hopflow_units::shape::Shaped;
use serde::Serialize;

use super::{Answer, headroom, lanes, public, vcs};
use crate::args::SizeArgs;
use crate::fail::Fail;

/// A preset in the document of sizes.
#[derive(Debug, Serialize, Shaped)]
#[shape(name = "SizePreset")]
pub(crate) struct PresetOf {
    /// Its name.
    name: &'static str,
    /// The speed.
    speed: &'static str,
    /// The rate of the link.
    rate_bps: u64,
    /// The delay of the link.
    delay_ps: u64,
    /// The size.
    amount: u64,
    /// The unit of the size.
    unit: &'static str,
}

/// The answer of the preset of the arguments.
pub(super) fn answer(args: &SizeArgs) -> Result<Answer, Fail> {
    let name = args.preset.preset.as_deref().unwrap_or_default();
    let preset = Preset::named(name).expect("one of the values that the argument may have");
    refuse_others(args, preset)?;
    let delay = delay(args)?;
    let link = PresetLink {
        speed: args.preset.speed.as_deref().unwrap_or_default(),
        delay,
        metres: args.preset.length,
        packet: if preset == Preset::Pfc { args.pfc.frame } else { args.lanes.packet },
        packet_back: args.pfc.frame_back,
        overhead: args.lanes.overhead,
        processing: args.processing,
        response: args.pfc.response,
        vendor: args.preset.vendor.as_deref(),
    };
    let size = preset.size(&link).map_err(Fail::input)?;
    let mut notes = vec![first_note(&size, &link, preset)];
    notes.extend(size.notes.iter().cloned());
    notes.extend(medium_note(args));
    notes.extend(public::notes(&size.public));
    let mut answer = Answer {
        preset: Some(PresetOf {
            name: preset.name(),
            speed: size.speed.name,
            rate_bps: size.speed.rate_bps,
            delay_ps: delay.0,
            amount: size.amount,
            unit: size.unit,
        }),
        public: size.public,
        notes,
        ..Answer::default()
    };
    match size.need {
        PresetNeed::Pause { link, needed, in_cells, .. } => {
            answer.paused.push(headroom::of_terms(args, &link, needed, in_cells)?);
        }
        PresetNeed::Lane { lane, needed, device_most } => {
            let lane = lanes::Lane::of_terms(&lane, needed, device_most);
            answer.notes.extend(lane.note());
            answer.lanes.push(lane);
        }
        PresetNeed::Vc(size) => answer.vcs.push(vcs::Line::of_size(size)),
    }
    answer.verified(args, &[size.trial])
}

/// The amount, in the unit in which it is configured.
fn first_note(size: &PresetSize, link: &PresetLink<'_>, preset: Preset) -> String {
    let packet = link.packet.unwrap_or(preset.packet());
    let what = match &size.need {
        PresetNeed::Pause { extra, .. } if extra.0 > 0 => {
            format!(" of headroom, {} of them the vendor's", extra.0)
        }
        PresetNeed::Pause { .. } => " of headroom".to_owned(),
        PresetNeed::Lane { .. } => String::new(),
        PresetNeed::Vc(_) => " of N3".to_owned(),
    };
    format!(
        "{}, {} one way, packets of {} B: {} {}{what}.",
        size.speed.name, link.delay, packet.0, size.amount, size.unit
    )
}

/// The delay one way: given, or of the length in its medium.
fn delay(args: &SizeArgs) -> Result<Picos, Fail> {
    if let Some(delay) = args.delay {
        return Ok(delay);
    }
    let Some(metres) = args.preset.length else {
        return Err(Fail::input(
            "how long is the link? Give --length \"100 m\", or --delay \"500 ns\" one way",
        ));
    };
    let medium = MEDIA.into_iter().find(|one| Some(one.name) == args.preset.medium.as_deref());
    let delay = medium.map_or_else(|| delay_of_length(metres), |medium| medium.delay(metres));
    delay.ok_or_else(|| Fail::Input(format!("a length of {metres} m is too long to compute")))
}

fn medium_note(args: &SizeArgs) -> Option<String> {
    let name = args.preset.medium.as_deref()?;
    let medium = MEDIA.into_iter().find(|one| one.name == name)?;
    Some(format!("Medium {name}: {}.", medium.source))
}

/// Refuses options that this preset does not use.
fn refuse_others(args: &SizeArgs, preset: Preset) -> Result<(), Fail> {
    let (lanes, pfc) = (&args.lanes, &args.pfc);
    let is_lane = ![Preset::Pfc, Preset::N23].contains(&preset);
    let given = [
        ("--packet", lanes.packet.is_some(), is_lane),
        ("--overhead", lanes.overhead.is_some(), is_lane),
        ("--update", lanes.update.is_some(), false),
        ("--frame", pfc.frame.is_some(), preset == Preset::Pfc),
        ("--frame-back", pfc.frame_back.is_some(), preset == Preset::Pfc),
        ("--response", pfc.response.is_some(), preset == Preset::Pfc),
        ("--xoff", pfc.xoff.is_some(), preset == Preset::Pfc),
        ("--inputs", pfc.inputs.is_some(), preset == Preset::Pfc),
        ("--rate-back", pfc.rate_back.is_some(), false),
        ("--pause-frame", pfc.pause_frame.is_some(), false),
        ("--frames-ahead", pfc.frames_ahead.is_some(), false),
        ("--cell", pfc.cell.is_some(), false),
        ("--vendor", args.preset.vendor.is_some(), preset == Preset::Pfc),
    ];
    let wrong = given.into_iter().find(|(_, is_given, is_used)| *is_given && !is_used);
    let Some((option, ..)) = wrong else { return Ok(()) };
    let instead = match preset {
        Preset::Pfc if option == "--packet" => "its frames are those of --frame",
        Preset::Pfc => "`hopflow size --pfc` takes all terms of a headroom",
        Preset::N23 => "its packets are cells; `hopflow size --rate --delay` takes N2 and a target",
        _ => "`hopflow size --lanes` takes all terms of a lane",
    };
    Err(Fail::Input(format!("`--preset {}` does not use {option}: {instead}", preset.name())))
}
