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
    /// The scenario to size, at every hop of every flow; `-` reads stdin. Without it, size one link
    /// by the options below.
    #[arg(conflicts_with_all = ["delay", "rate", "processing", "n2", "headroom", "of_packets",
          "packet"])]
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) settings: SetArgs,
    /// The propagation delay one way, or the length of the link: "50 us", "10 km".
    #[arg(long, value_parser = parse_delay)]
    pub(crate) delay: Option<Picos>,
    /// The rate of the link: "622.08 Mb/s".
    #[arg(long, value_parser = parse_rate)]
    pub(crate) rate: Option<Rate>,
    /// The rate that each VC must reach. Default: the rate of the link.
    #[arg(long, value_parser = parse_rate)]
    pub(crate) target: Option<Rate>,
    /// The processing time of data and credit cells, or of frames, at both ends together. Default:
    /// 0 us, or that of the preset.
    #[arg(long, value_parser = parse_time)]
    pub(crate) processing: Option<Picos>,
    /// The cells forwarded per credit cell; with --packet the units.
    #[arg(long, default_value_t = USUAL_N2.0)]
    pub(crate) n2: u32,
    /// Also compute how many such VCs, or paused priorities, fit this memory: "1 MB".
    #[arg(long, value_parser = parse_bytes)]
    pub(crate) memory: Option<Bytes>,
    /// Also simulate with this size and with one unit less; exit code 1 if the runs do not confirm
    /// it.
    #[arg(long, conflicts_with_all = ["file", "sonic", "hold", "packet_back", "target"])]
    pub(crate) verify: bool,
    /// Choose the format of the sizes.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Print this table with `--format csv`. Default: the first that has rows.
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
    /// Compute the window that a path of --rate and --rtt needs, and how late its update may be.
    /// With SIZE, also the rate that this window reaches.
    #[arg(long, value_name = "SIZE", num_args = 0..=1, group = "of_packets",
          value_parser = parse_bytes, requires_all = ["rate", "rtt"],
          conflicts_with_all = ["n2", "headroom", "delay", "target", "memory", "processing"])]
    #[expect(clippy::option_option, reason = "left out, alone, or with a size")]
    pub(crate) window: Option<Option<Bytes>>,
    /// The round trip of a small packet, as `ping` prints it; hopflow adds the transmit time of a
    /// packet.
    #[arg(long, value_name = "TIME", requires = "window", value_parser = parse_time)]
    pub(crate) rtt: Option<Picos>,
    /// Update the window after N packets. Default: a row for each packet, and one for half of the
    /// window.
    #[arg(long, value_name = "N", requires = "window", conflicts_with = "update",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) every: Option<u64>,
}

/// `hopflow size --lanes`; --packet and --update are of windows, too, --packet and --overhead of
/// the credit of a flow.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Credits of a lane")]
pub(crate) struct LaneArgs {
    /// Compute the credits of a lane on this link, one credit for all its packets (InfiniBand).
    #[arg(long, groups = ["of_packets", "of_lanes"],
          conflicts_with_all = ["n2", "pfc", "window"])]
    pub(crate) lanes: bool,
    /// The packet size of the flow, the lane or the window. Default: a cell of 53 B; with --lanes
    /// 4096 B, with --window 1500 B.
    #[arg(long, value_name = "SIZE", conflicts_with_all = ["pfc", "sonic"],
          value_parser = parse_bytes)]
    pub(crate) packet: Option<Bytes>,
    /// The unit in which the credit of a flow is counted; a packet takes whole units. Default: 256
    /// B.
    #[arg(long, value_name = "SIZE", requires = "packet", conflicts_with = "of_packets",
          value_parser = parse_bytes)]
    pub(crate) unit: Option<Bytes>,
    /// The bytes that the link adds to each packet, such as 20 B of preamble and gap. Default: 0 B.
    #[arg(long, value_name = "SIZE", conflicts_with_all = ["file", "pfc", "sonic", "window"],
          value_parser = parse_bytes)]
    pub(crate) overhead: Option<Bytes>,
    /// The block in which credits are counted; a packet takes whole blocks. Default: 64 B ([IBA]).
    #[arg(long, value_name = "SIZE", requires = "lanes", value_parser = parse_bytes)]
    pub(crate) block: Option<Bytes>,
    /// Return a credit after N freed blocks. Default: 10. With --window: `half`, when half of the
    /// window is used, or as --every.
    #[arg(long, value_name = "N", requires = "of_packets", value_parser = parse_update)]
    pub(crate) update: Option<UpdateArg>,
    /// The largest packet on the way back, for which a credit may have to wait. Default: none.
    #[arg(long, value_name = "SIZE", requires = "lanes", value_parser = parse_bytes)]
    pub(crate) packet_back: Option<Bytes>,
    /// The time that the receiver holds a packet, such as its transmit time on the next link of a
    /// store-and-forward switch. Default: 0 s.
    #[arg(long, value_name = "TIME", requires = "lanes", value_parser = parse_time)]
    pub(crate) hold: Option<Picos>,
}

/// `hopflow size --pfc`. Frames are as on the wire: with preamble and gap.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "PFC headroom")]
pub(crate) struct PfcArgs {
    /// Compute the headroom that a priority needs above its XOFF threshold on this link.
    #[arg(long, groups = ["headroom", "pause"], requires_all = ["frame", "response"],
          conflicts_with_all = ["target", "n2"])]
    pub(crate) pfc: bool,
    /// Audit a table of headrooms, `pg_profile_lookup.ini` of SONiC, row by row.
    #[arg(long, value_name = "FILE", group = "headroom", requires_all = ["frame", "cell"],
          conflicts_with_all = ["target", "n2", "delay", "rate", "pfc", "lanes", "memory"])]
    pub(crate) sonic: Option<PathBuf>,
    /// Also count the headroom in the buffer cells of the switch.
    #[arg(long, value_name = "SIZE", requires = "headroom", value_parser = parse_bytes)]
    pub(crate) cell: Option<Bytes>,
    /// The smallest packet, without preamble and gap, with --cell. Default: 64 B.
    #[arg(long, value_name = "SIZE", requires = "cell", value_parser = parse_bytes)]
    pub(crate) smallest: Option<Bytes>,
    /// The percentage of packets that are the smallest, with --cell: 0 to 100. Default: 100.
    #[arg(long, value_name = "PERCENT", requires = "cell")]
    pub(crate) small_share: Option<u32>,
    /// The time from the crossing of XOFF to the pause frame, with --cell. Default: 0 s.
    #[arg(long, value_name = "TIME", requires = "cell", value_parser = parse_time)]
    pub(crate) pipeline: Option<Picos>,
    /// The largest frame of the priority on the wire, 20 bytes of preamble and gap included.
    #[arg(long, value_name = "SIZE", requires = "headroom", value_parser = parse_bytes)]
    pub(crate) frame: Option<Bytes>,
    /// The time from the arrival of a pause frame until the paused end stops: "3072 ns" ([PFC-BT]
    /// at 10 Gb/s). Default with --sonic: the pause quanta of each speed.
    #[arg(long, value_name = "TIME", requires = "headroom", value_parser = parse_time)]
    pub(crate) response: Option<Picos>,
    /// The largest frame of any priority on the way back. Default: as --frame.
    #[arg(long, value_name = "SIZE", requires = "pause", value_parser = parse_bytes)]
    pub(crate) frame_back: Option<Bytes>,
    /// The rate of the way back. Default: as --rate.
    #[arg(long, value_name = "RATE", requires = "pause", value_parser = parse_rate)]
    pub(crate) rate_back: Option<Rate>,
    /// The size of a pause frame on the wire. Default: 84 B, 64 and 20 of preamble and gap.
    #[arg(long, value_name = "SIZE", requires = "pause", value_parser = parse_bytes)]
    pub(crate) pause_frame: Option<Bytes>,
    /// The pause frames of other priorities that may be sent first. Default: 0.
    #[arg(long, value_name = "N", requires = "pause")]
    pub(crate) frames_ahead: Option<u32>,
    /// Also compute the room for this XOFF threshold and its headroom.
    #[arg(long, value_name = "SIZE", requires = "pause", value_parser = parse_bytes)]
    pub(crate) xoff: Option<Bytes>,
    /// The inputs and priorities that share --memory equally; XOFF is computed from one share.
    /// Default: 1.
    #[arg(long, value_name = "N", requires = "pause", requires = "memory")]
    pub(crate) inputs: Option<u32>,
}

/// `hopflow size --preset`.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Links by name, beside public tables")]
pub(crate) struct PresetArgs {
    /// Size a link of this kind, with the terms of its standard and public values of vendors.
    #[arg(long, value_name = "KIND", groups = ["headroom", "pause", "of_packets", "of_lanes"],
          requires = "speed", conflicts_with_all = ["rate", "target", "n2"],
          value_parser = PossibleValuesParser::new(Preset::ALL.map(Preset::name)))]
    pub(crate) preset: Option<String>,
    /// The speed of the link: 10G to 800G (pfc, cbfc), 1GFC to 32GFC, SDR to XDR, OC-3 or OC-12
    /// (n23).
    #[arg(long, value_name = "NAME", requires = "preset")]
    pub(crate) speed: Option<String>,
    /// The length of the cable, instead of --delay: "100 m", "50 km".
    #[arg(long, value_name = "LENGTH", requires = "preset", conflicts_with = "delay",
          value_parser = parse_length)]
    pub(crate) length: Option<u64>,
    /// The medium of --length: fibre (5 ns per metre), twinax (4.76 ns), sonic (198,000 km/s).
    /// Default: fibre.
    #[arg(long, value_name = "NAME", requires = "length",
          value_parser = PossibleValuesParser::new(MEDIA.map(|medium| medium.name)))]
    pub(crate) medium: Option<String>,
    /// Add the public terms of this vendor, with `--preset pfc`.
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
