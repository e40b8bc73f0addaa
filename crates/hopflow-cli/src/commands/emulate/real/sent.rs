//! What hosts sent, beside the results: `sent.csv`, and `live.json` with the evidence of a run.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use hopflow::network::transport::live::Given;
use hopflow_live::{Emulated, Evidence, Pair};
use hopflow_scenario::regular;
use hopflow_units::SimTime;
use serde::{Deserialize, Serialize};

use crate::fail::Fail;

const SENT: &str = "sent.csv";
const LIVE: &str = "live.json";

/// By connection, what the first host and the second sent.
pub(super) type Sent = Vec<[Arc<[Given]>; 2]>;

/// A line of `sent.csv`.
#[derive(Serialize, Deserialize)]
struct Line {
    connection: String,
    /// 1: the first host of the connection; 2: the second.
    host: usize,
    time_ps: u64,
    bytes: u32,
}

/// `live.json`.
#[derive(Serialize)]
pub(super) struct Live<'a> {
    /// The digest of the live run.
    digest: &'a str,
    /// Where it ended.
    end_ps: u64,
    evidence: &'a Evidence,
    connections: &'a [Reading],
}

/// What the program of the second host of a connection has read of bulk data.
#[derive(Serialize)]
pub(super) struct Reading {
    pub(super) name: String,
    pub(super) read_bytes: u64,
    pub(super) read_bps: f64,
}

impl<'a> Live<'a> {
    pub(super) fn new(done: &'a Emulated, connections: &'a [Reading]) -> Live<'a> {
        let digest = &done.result.manifest.digest;
        Live { digest, end_ps: done.result.end.0, evidence: &done.evidence, connections }
    }
}

/// What another run needs of it.
#[derive(Deserialize)]
pub(super) struct Ended {
    pub(super) digest: String,
    pub(super) end_ps: u64,
}

/// Writes both files.
pub(super) fn write(
    folder: &Path,
    pairs: &[Pair],
    done: &Emulated,
    reads: &[Reading],
) -> Result<(), Fail> {
    let path = folder.join(SENT);
    let unwritten = |cause: String| Fail::Unwritten(format!("{}: {cause}", path.display()));
    let mut out = csv::Writer::from_path(&path).map_err(|error| unwritten(error.to_string()))?;
    for (pair, ends) in pairs.iter().zip(&done.sent) {
        for (side, given) in ends.iter().enumerate() {
            for Given { at, bytes } in given.iter() {
                let connection = pair.name.clone();
                let line = Line { connection, host: side + 1, time_ps: at.0, bytes: *bytes };
                out.serialize(line).map_err(|error| unwritten(error.to_string()))?;
            }
        }
    }
    out.flush().map_err(|error| unwritten(error.to_string()))?;
    let path = folder.join(LIVE);
    let text =
        serde_json::to_string_pretty(&Live::new(done, reads)).expect("it is plain data") + "\n";
    let unwritten = |cause| Fail::Unwritten(format!("{}: {cause}", path.display()));
    fs::write(&path, text).map_err(unwritten)
}

/// Reads both.
pub(super) fn read(folder: &Path, pairs: &[Pair]) -> Result<(Sent, Ended), Fail> {
    let path = folder.join(LIVE);
    let wrong = |path: &Path, why: String| {
        let hint = "give the directory of an emulated run";
        Fail::input(format!("{}: {why}: {hint}", path.display()))
    };
    let text = regular::read_text(&path).map_err(|cause| wrong(&path, cause.to_string()))?;
    let ended = serde_json::from_str(&text).map_err(|error| wrong(&path, error.to_string()))?;
    let path = folder.join(SENT);
    let mut lines =
        csv::Reader::from_path(&path).map_err(|error| wrong(&path, error.to_string()))?;
    let mut sent: Vec<[Vec<Given>; 2]> = pairs.iter().map(|_| Default::default()).collect();
    for line in lines.deserialize() {
        let line: Line = line.map_err(|error| wrong(&path, error.to_string()))?;
        let Line { connection, host, time_ps, bytes } = line;
        let pair = pairs.iter().position(|pair| pair.name == connection);
        let Some((pair, 1 | 2)) = pair.zip(Some(host)) else {
            let why = format!("the scenario has no host {host} of a connection `{connection}`");
            return Err(wrong(&path, why));
        };
        let given = Given { at: SimTime(time_ps), bytes };
        let before = sent[pair][host - 1].last().map_or(SimTime::ZERO, |given| given.at);
        if given.at < before || !(1..=pairs[pair].mtu).contains(&bytes) {
            let why =
                format!("a packet of {bytes} B at {time_ps} ps, after one at {} ps", before.0);
            return Err(wrong(&path, why));
        }
        sent[pair][host - 1].push(given);
    }
    Ok((sent.into_iter().map(|ends| ends.map(Arc::from)).collect(), ended))
}
