//! Size: an audit of a table of PFC headrooms, `pg_profile_lookup.ini` of SONiC.
//!
//! ```text
//! # speed cable size xon xoff threshold xon_offset      speed in Mb/s, cable such as 300m, bytes
//! short: xoff < need      need by `cells.rs`, for the speed and the cable of the row
//! odd:   xoff is not whole cells; or xoff > 2 x need; or a longer cable of the speed,
//!        which has enough, has no more
//! ```
//! The response of the paused end is that of its speed in [SONIC-HR] unless one is given.
//! Not modelled: a headroom pool that ports share. Checked by: `size/sonic/tests.rs`.

use hopflow_units::{Bytes, Picos, Rate};

use super::{BufferCells, PausedLink, SizeError, delay_of_length, headroom_in_cells};

/// Pause quanta of 512 bits that an end may take to stop, by speed in Mb/s [SONIC-HR].
const RESPONSE_QUANTA: [(u64, u64); 10] = [
    (100, 1),
    (1_000, 2),
    (10_000, 67),
    (25_000, 80),
    (40_000, 118),
    (50_000, 147),
    (100_000, 394),
    (200_000, 453),
    (400_000, 905),
    (800_000, 905),
];

/// One row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SonicRow {
    /// Its line, from 1.
    pub line: usize,
    /// The speed in Mb/s.
    pub speed_mbps: u64,
    /// The cable in metres.
    pub metres: u64,
    /// `xoff`: the headroom in bytes.
    pub given: Bytes,
}

/// The parameters with which every row is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SonicTerms {
    /// The largest frame on the wire, both ways.
    pub frame: Bytes,
    /// The packet memory of the switch.
    pub buffer: BufferCells,
    /// The response of the paused end; `None`: by speed.
    pub response: Option<Picos>,
    /// The delay of the interfaces, both ends together.
    pub interface: Picos,
}

/// The verdict on a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SonicVerdict {
    /// At least the need, without other findings.
    Good,
    /// Less than the need: packets may be dropped.
    Short,
    /// Enough, but inconsistent with the other rows.
    Odd,
}

impl SonicVerdict {
    /// The word in tables.
    pub const fn name(self) -> &'static str {
        match self {
            SonicVerdict::Good => "good",
            SonicVerdict::Short => "short",
            SonicVerdict::Odd => "odd",
        }
    }
}

/// A row and its need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SonicFinding {
    /// The row.
    pub row: SonicRow,
    /// The needed headroom.
    pub needed: Bytes,
    /// What is said of it.
    pub verdict: SonicVerdict,
    /// The reason, in a sentence; empty for a good row.
    pub reason: String,
}

/// Reads the rows of a table. An error names the line, the field and what it should be.
pub fn read_sonic(text: &str) -> Result<Vec<SonicRow>, String> {
    let lines = text.lines().zip(1..);
    let bare = |(line, number): (&str, usize)| {
        let line = line.split('#').next().unwrap_or_default().trim().to_owned();
        (!line.is_empty()).then_some((line, number))
    };
    let rows: Vec<SonicRow> = lines.filter_map(bare).map(row).collect::<Result<_, _>>()?;
    if rows.is_empty() {
        return Err("no row: a row is `speed cable size xon xoff`, such as \
                    `400000 300m 8636 0 839216`"
            .to_owned());
    }
    Ok(rows)
}

fn row((text, line): (String, usize)) -> Result<SonicRow, String> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let [speed, cable, _, _, xoff, ..] = fields[..] else {
        return Err(format!(
            "line {line} has {} fields: a row is `speed cable size xon xoff`, such as \
             `400000 300m 8636 0 839216`",
            fields.len()
        ));
    };
    let wrong = |name: &str, field: &str, what: &str| {
        format!("line {line}: the {name} is `{field}`, but it must be {what}")
    };
    let speed_mbps = speed.parse().ok().filter(|speed| *speed > 0);
    let metres = cable.strip_suffix('m').and_then(|metres| metres.parse().ok());
    Ok(SonicRow {
        line,
        speed_mbps: speed_mbps
            .ok_or_else(|| wrong("speed", speed, "a whole number of Mb/s, such as `400000`"))?,
        metres: metres
            .ok_or_else(|| wrong("cable", cable, "a whole number of metres, such as `300m`"))?,
        given: xoff
            .parse()
            .map(Bytes)
            .map_err(|_| wrong("xoff", xoff, "a whole number of bytes, such as `839216`"))?,
    })
}

/// Compares every row with its need. An error names the line.
pub fn audit_sonic(rows: &[SonicRow], terms: &SonicTerms) -> Result<Vec<SonicFinding>, String> {
    let need = |row: &SonicRow| {
        let at_line = |wrong: &dyn std::fmt::Display| format!("line {}: {wrong}", row.line);
        let link = link(row, terms).map_err(|wrong| at_line(&wrong))?;
        let needed = headroom_in_cells(&link, &terms.buffer);
        Ok(needed.map_err(|wrong: SizeError| at_line(&wrong))?.bytes)
    };
    let needs = rows.iter().map(need).collect::<Result<Vec<Bytes>, String>>()?;
    let all: Vec<(&SonicRow, Bytes)> = rows.iter().zip(needs).collect();
    let finding = |&(row, needed): &(&SonicRow, Bytes)| {
        let (verdict, reason) = judge(row, needed, &all, terms.buffer.cell);
        SonicFinding { row: row.clone(), needed, verdict, reason }
    };
    Ok(all.iter().map(finding).collect())
}

fn link(row: &SonicRow, terms: &SonicTerms) -> Result<PausedLink, String> {
    let rate = row.speed_mbps.checked_mul(1_000_000).and_then(Rate::from_bps);
    let rate = rate.ok_or_else(|| format!("{} Mb/s is too fast to compute", row.speed_mbps))?;
    let delay = row.metres.checked_mul(2).and_then(delay_of_length);
    let delay = delay.ok_or_else(|| format!("{} m is too long to compute", row.metres))?;
    let quanta = RESPONSE_QUANTA.iter().find(|(speed, _)| *speed == row.speed_mbps);
    let of_speed = quanta.and_then(|(_, quanta)| rate.transmit_time(Bytes(64 * quanta)));
    let response = terms.response.or(of_speed).ok_or_else(|| {
        format!("no response time is known for {} Mb/s: give --response", row.speed_mbps)
    })?;
    Ok(PausedLink {
        rate,
        overhead: Bytes(0),
        overhead_back: Bytes(0),
        rate_back: rate,
        delay,
        interface: terms.interface,
        response,
        frame: terms.frame,
        frame_back: terms.frame,
        pause_frame: Bytes(84),
        frames_ahead: 0,
    })
}

fn judge(
    row: &SonicRow,
    needed: Bytes,
    all: &[(&SonicRow, Bytes)],
    cell: Bytes,
) -> (SonicVerdict, String) {
    if row.given < needed {
        let missing = needed.0 - row.given.0;
        let cells = missing.div_ceil(cell.0);
        let reason = format!("{missing} bytes ({cells} cells) less than {} m need", row.metres);
        return (SonicVerdict::Short, reason);
    }
    let enough = all.iter().filter(|(other, needed)| other.given >= *needed);
    let longer = enough.map(|(other, _)| *other).find(|other| {
        let alike = other.speed_mbps == row.speed_mbps;
        alike && other.metres > row.metres && other.given <= row.given
    });
    let reason = if let Some(longer) = longer {
        format!("line {} has no more for {} m", longer.line, longer.metres)
    } else if !row.given.0.is_multiple_of(cell.0) {
        format!("not a whole number of cells of {} B", cell.0)
    } else if row.given.0 / 2 > needed.0 {
        format!("more than twice what {} m need", row.metres)
    } else {
        return (SonicVerdict::Good, String::new());
    };
    (SonicVerdict::Odd, reason)
}

#[cfg(test)]
mod tests;
