//! Arguments of `size`.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use hopflow::control::credit::USUAL_N2;
use hopflow::size::{MEDIA, PICOS_PER_METRE, Preset, VENDORS};
use hopflow_scenario::{parse_bytes, parse_delay, parse_rate, parse_time};
use hopflow_units::{Bytes, Picos, Rate};

use super::{Format, SetArgs};

/// What `--table` may be.
pub(crate) const SIZE_TABLES: [&str; 7] =
    ["vcs", "lanes", "windows", "rates", "headrooms", "public", "verified"];

/// `hopflow size`.
#[derive(Debug, clap::Args)]
pub(crate) struct SizeArgs {
    /// A scenario (`-`: from stdin): sizes the control that each flow has, at every hop. Without
    /// it: one link, by the options below.
    #[arg(conflicts_with_all = ["delay", "rate", "processing", "n2", "headroom", "of_packets"])]
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) settings: SetArgs,
    /// Propagation one way, or the length of the link: "50 us", "10 km".
    #[arg(long, value_parser = parse_delay)]
    pub(crate) delay: Option<Picos>,
    /// The link's rate: "622.08 Mb/s".
    #[arg(long, value_parser = parse_rate)]
    pub(crate) rate: Option<Rate>,
    /// The bandwidth that each VC is to reach. Default: the link's rate.
    #[arg(long, value_parser = parse_rate)]
    pub(crate) target: Option<Rate>,
    /// Handling of data and credit cells, or of frames, both ends together. Default: 0 us, or that
    /// of the preset.
    #[arg(long, value_parser = parse_time)]
    pub(crate) processing: Option<Picos>,
    /// Cells forwarded per credit cell.
    #[arg(long, default_value_t = USUAL_N2.0)]
    pub(crate) n2: u32,
    /// A memory: also say how many such VCs, or paused priorities, fit it.
    #[arg(long, value_parser = parse_bytes)]
    pub(crate) memory: Option<Bytes>,
    /// Also run the network that confirms the size, with it and with one unit less. A run that does
    /// not confirm it ends with 1.
    #[arg(long, conflicts_with_all = ["file", "sonic", "hold", "packet_back", "target"])]
    pub(crate) verify: bool,
    /// How the sizes are printed.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// The table that `--format csv` prints. Default: the first that has rows.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(SIZE_TABLES))]
    pub(crate) table: Option<String>,
    #[command(flatten)]
    pub(crate) window: WindowArgs,
    #[command(flatten)]
    pub(crate) lanes: LaneArgs,
    #[command(flatten)]
    pub(crate) pfc: PfcArgs,
    #[command(flatten)]
    pub(crate) preset: PresetArgs,
}

impl SizeArgs {
    /// What `--processing` is where no preset has its own.
    pub(crate) fn processing(&self) -> Picos {
        self.processing.unwrap_or(Picos::ZERO)
    }
}

/// When a window is opened again, or a credit of a lane returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UpdateArg {
    /// When half of the window is used.
    Half,
    /// After this number of packets of a window, or blocks of a lane.
    After(u32),
}

fn parse_update(text: &str) -> Result<UpdateArg, String> {
    if text == "half" {
        return Ok(UpdateArg::Half);
    }
    let number = text.parse().map(UpdateArg::After);
    number.map_err(|_| format!("`{text}` is neither `half` nor a whole number"))
}

/// `hopflow size --window`.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Windows of a path (QUIC, HTTP/2, gRPC, TCP, RDMA)")]
pub(crate) struct WindowArgs {
    /// Instead: the window that a path of --rate and --rtt needs, and how late its update may be.
    /// With a SIZE also the rate that this window reaches.
    #[arg(long, value_name = "SIZE", num_args = 0..=1, group = "of_packets",
          value_parser = parse_bytes, requires_all = ["rate", "rtt"],
          conflicts_with_all = ["n2", "headroom", "delay", "target", "memory", "processing"])]
    #[expect(clippy::option_option, reason = "left out, alone, or with a size")]
    pub(crate) window: Option<Option<Bytes>>,
    /// The round trip of a small packet, as `ping` prints it; the time of a packet is added.
    #[arg(long, value_name = "TIME", requires = "window", value_parser = parse_time)]
    pub(crate) rtt: Option<Picos>,
    /// The update comes after this number of packets. Default: a row for each packet, and one for
    /// half of the window.
    #[arg(long, value_name = "N", requires = "window", conflicts_with = "update",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) every: Option<u64>,
}

/// `hopflow size --lanes`; --packet and --update are of windows, too.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Credits of a lane")]
pub(crate) struct LaneArgs {
    /// Instead: the credits of a lane on this link, one credit for all its packets (InfiniBand).
    #[arg(long, groups = ["of_packets", "of_lanes"],
          conflicts_with_all = ["n2", "pfc", "window"])]
    pub(crate) lanes: bool,
    /// The packets of the lane, or of the window. Default: 4096 B; with --window 1500 B.
    #[arg(long, value_name = "SIZE", requires = "of_packets", value_parser = parse_bytes)]
    pub(crate) packet: Option<Bytes>,
    /// Bytes that each packet takes of the link in addition to its own, such as 20 B of preamble
    /// and gap. Default: 0 B.
    #[arg(long, value_name = "SIZE", requires = "of_lanes", value_parser = parse_bytes)]
    pub(crate) overhead: Option<Bytes>,
    /// What credits are counted in; a packet takes whole blocks. Default: 64 B ([IBA]).
    #[arg(long, value_name = "SIZE", requires = "lanes", value_parser = parse_bytes)]
    pub(crate) block: Option<Bytes>,
    /// A credit returns after this number of freed blocks. Default: 10. With --window: `half`, when
    /// half of the window is used, or as --every.
    #[arg(long, value_name = "N", requires = "of_packets", value_parser = parse_update)]
    pub(crate) update: Option<UpdateArg>,
    /// The largest packet on the way back, which a credit may wait for. Default: none.
    #[arg(long, value_name = "SIZE", requires = "lanes", value_parser = parse_bytes)]
    pub(crate) packet_back: Option<Bytes>,
    /// How long the receiver holds a packet, such as its transmit time on the next link of a
    /// store-and-forward switch. Default: 0 s.
    #[arg(long, value_name = "TIME", requires = "lanes", value_parser = parse_time)]
    pub(crate) hold: Option<Picos>,
}

/// `hopflow size --pfc`. Frames are as on the wire: with preamble and gap.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "PFC headroom")]
pub(crate) struct PfcArgs {
    /// Instead: what a priority that PFC pauses on this link needs above its XOFF threshold.
    #[arg(long, groups = ["headroom", "pause"], requires_all = ["frame", "response"],
          conflicts_with_all = ["target", "n2"])]
    pub(crate) pfc: bool,
    /// Instead: an audit of a table of headrooms, `pg_profile_lookup.ini` of SONiC, row by row.
    #[arg(long, value_name = "FILE", group = "headroom", requires_all = ["frame", "cell"],
          conflicts_with_all = ["target", "n2", "delay", "rate", "pfc", "lanes", "memory"])]
    pub(crate) sonic: Option<PathBuf>,
    /// The cells in which the switch keeps packets: also count the headroom in them.
    #[arg(long, value_name = "SIZE", requires = "headroom", value_parser = parse_bytes)]
    pub(crate) cell: Option<Bytes>,
    /// With --cell: the smallest packet, without preamble and gap. Default: 64 B.
    #[arg(long, value_name = "SIZE", requires = "cell", value_parser = parse_bytes)]
    pub(crate) smallest: Option<Bytes>,
    /// With --cell: of 100 packets these are the smallest, 0 to 100. Default: 100.
    #[arg(long, value_name = "PERCENT", requires = "cell")]
    pub(crate) small_share: Option<u32>,
    /// With --cell: from the crossing of XOFF until the pause frame is made. Default: 0 s.
    #[arg(long, value_name = "TIME", requires = "cell", value_parser = parse_time)]
    pub(crate) pipeline: Option<Picos>,
    /// The largest frame of the priority on the wire, 20 bytes of preamble and gap included.
    #[arg(long, value_name = "SIZE", requires = "headroom", value_parser = parse_bytes)]
    pub(crate) frame: Option<Bytes>,
    /// From the pause frame's arrival until the paused end stops: "3072 ns" ([PFC-BT] at 10 Gb/s).
    /// Default with --sonic: the pause quanta of each speed.
    #[arg(long, value_name = "TIME", requires = "headroom", value_parser = parse_time)]
    pub(crate) response: Option<Picos>,
    /// The largest frame of any priority on the way back. Default: as `--frame`.
    #[arg(long, value_name = "SIZE", requires = "pause", value_parser = parse_bytes)]
    pub(crate) frame_back: Option<Bytes>,
    /// The rate of the way back. Default: as `--rate`.
    #[arg(long, value_name = "RATE", requires = "pause", value_parser = parse_rate)]
    pub(crate) rate_back: Option<Rate>,
    /// A pause frame on the wire. Default: 84 B, 64 and 20 of preamble and gap.
    #[arg(long, value_name = "SIZE", requires = "pause", value_parser = parse_bytes)]
    pub(crate) pause_frame: Option<Bytes>,
    /// Pause frames of other priorities that may be sent first. Default: 0.
    #[arg(long, value_name = "N", requires = "pause")]
    pub(crate) frames_ahead: Option<u32>,
    /// The XOFF threshold: also say the room for it and all that comes after it.
    #[arg(long, value_name = "SIZE", requires = "pause", value_parser = parse_bytes)]
    pub(crate) xoff: Option<Bytes>,
    /// With --memory: inputs and priorities that share it alike; XOFF is of the share of one.
    /// Default: 1.
    #[arg(long, value_name = "N", requires = "pause", requires = "memory")]
    pub(crate) inputs: Option<u32>,
}

/// `hopflow size --preset`.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Links by name, beside public tables")]
pub(crate) struct PresetArgs {
    /// Instead: a link of this kind, with the terms of its standard and public values of vendors.
    #[arg(long, value_name = "KIND", groups = ["headroom", "pause", "of_packets", "of_lanes"],
          requires = "speed", conflicts_with_all = ["rate", "target", "n2"],
          value_parser = PossibleValuesParser::new(Preset::ALL.map(Preset::name)))]
    pub(crate) preset: Option<String>,
    /// Its speed: 10G to 800G (pfc, cbfc), 1GFC to 32GFC, SDR to XDR, OC-3 or OC-12 (n23).
    #[arg(long, value_name = "NAME", requires = "preset")]
    pub(crate) speed: Option<String>,
    /// The length of its cable, instead of --delay: "100 m", "50 km".
    #[arg(long, value_name = "LENGTH", requires = "preset", conflicts_with = "delay",
          value_parser = parse_length)]
    pub(crate) length: Option<u64>,
    /// With --length, the medium: fibre (5 ns for a metre), twinax (4.76 ns), sonic (198,000 km/s).
    /// Default: fibre.
    #[arg(long, value_name = "NAME", requires = "length",
          value_parser = PossibleValuesParser::new(MEDIA.map(|medium| medium.name)))]
    pub(crate) medium: Option<String>,
    /// With `--preset pfc`: a vendor whose public terms are added.
    #[arg(long, value_name = "NAME", requires = "preset",
          value_parser = PossibleValuesParser::new(VENDORS.map(|(name, _)| name)))]
    pub(crate) vendor: Option<String>,
}

/// Metres of a length, `100 m` or `50 km`.
fn parse_length(text: &str) -> Result<u64, String> {
    let is_length = text.trim_end().ends_with('m');
    let delay = parse_delay(text)?;
    if !is_length || !delay.0.is_multiple_of(PICOS_PER_METRE) {
        return Err(format!("`{text}` is not a length in whole metres: `100 m` or `50 km`"));
    }
    Ok(delay.0 / PICOS_PER_METRE)
}
