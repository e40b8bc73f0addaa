//! Recorded calls: a CSV of instants, procedures and bytes.

use hopflow_network::transport::rpc::{Procedure, RecordedCall};
use hopflow_units::Picos;

use crate::diagnostic::Sink;
use crate::keys::rpc::LARGEST_BLOCK;
use crate::naming::short;
use crate::replay::{self, BadLine, Traces};
use crate::value::Item;

/// The calls in a file.
pub(super) fn read(
    file: &Item<'_>,
    cell: Picos,
    traces: &mut Traces<'_>,
    sink: &mut Sink,
) -> Option<Vec<RecordedCall>> {
    traces.lines_of(file, |text, most| parse(text, cell, most), sink)
}

/// Reads a heading `time_us,procedure,bytes` and one call a line; `bytes` may be left out where it
/// has no meaning. On error the line's number, from 1.
fn parse(text: &str, cell: Picos, most: usize) -> Result<Vec<RecordedCall>, BadLine> {
    let (heading, lines) = replay::lines(text)?;
    let (line, heading) = heading;
    let columns: Vec<&str> = heading.split(',').map(str::trim).collect();
    let scale = match columns[..] {
        [time, "procedure", "bytes"] => replay::scale(time, cell),
        _ => None,
    };
    let Some(scale) = scale else {
        let wanted = "`time_us,procedure,bytes`, or another unit of time_ps to time_cells";
        return Err((line, format!("the heading is `{}`, but must be {wanted}", short(heading))));
    };
    let mut calls: Vec<RecordedCall> = Vec::new();
    for (line, value) in lines {
        let call = call(value, scale).map_err(|reason| (line, reason))?;
        if let Some(last) = calls.last().map(|last| last.at).filter(|last| *last > call.at) {
            return Err((line, format!("{} comes after {last}: times never decrease", call.at)));
        }
        if calls.len() == most {
            return Err((line, "more calls are replayed than cells may be in all".to_owned()));
        }
        calls.push(call);
    }
    if calls.is_empty() {
        return Err((line, "the file holds no calls".to_owned()));
    }
    Ok(calls)
}

fn call(value: &str, scale: u64) -> Result<RecordedCall, String> {
    let fields: Vec<&str> = value.split(',').map(str::trim).collect();
    let (time, name, bytes) = match fields[..] {
        [time, name] => (time, name, ""),
        [time, name, bytes] => (time, name, bytes),
        _ => return Err(format!("`{}` is not a time, a procedure and bytes", short(value))),
    };
    let at = replay::time(time, scale)?;
    let procedure = match name {
        "lookup" => Procedure::Lookup,
        "getattr" => Procedure::GetAttributes,
        "read" => Procedure::Read,
        "write" => Procedure::Write,
        _ => {
            let known = "lookup, getattr, read, write";
            return Err(format!("unknown procedure `{}`: the procedures are {known}", short(name)));
        }
    };
    let moves = matches!(procedure, Procedure::Read | Procedure::Write);
    let data = match bytes {
        "" if !moves => Some(0),
        _ => bytes.parse::<u32>().ok().filter(|data| *data <= LARGEST_BLOCK),
    };
    let data = data.ok_or_else(|| {
        format!("`{}` is not a number of bytes from 0 to {LARGEST_BLOCK}", short(bytes))
    })?;
    Ok(RecordedCall { at, procedure, data })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: a call a line, times in the unit of the heading, bytes where they mean something.
    #[test]
    fn calls_are_read_line_by_line() {
        let text = "time_ms,procedure,bytes\n0,lookup\n1.5, read, 8192\n# note\n1.5,getattr,\n";
        let call = |at, procedure, data| RecordedCall { at: Picos(at), procedure, data };
        let wanted = vec![
            call(0, Procedure::Lookup, 0),
            call(1_500_000_000, Procedure::Read, 8_192),
            call(1_500_000_000, Procedure::GetAttributes, 0),
        ];
        assert_eq!(parse(text, Picos(1), 3), Ok(wanted));
    }

    /// Claim: what cannot be used is refused at its line.
    #[test]
    fn a_broken_call_is_refused_at_its_line() {
        let line = |text: &str| parse(text, Picos(1), 2).unwrap_err().0;
        assert_eq!(line(""), 1);
        assert_eq!(line("time_ms,bytes,procedure\n"), 1);
        let after = |text: &str| line(&format!("time_us,procedure,bytes\n0,read,1\n{text}\n"));
        let none = parse("time_us,procedure,bytes\n", Picos(1), 2).unwrap_err();
        assert_eq!(none.1, "the file holds no calls");
        for bad in ["x,read,1", "1,open,1", "1,read", "1,read,8193", "1,write,-1", "1", "1,2,3,4"] {
            assert_eq!(after(bad), 3, "{bad}");
        }
        assert_eq!(line("time_us,procedure,bytes\n5,lookup\n4,lookup\n"), 3);
        assert_eq!(after("1,lookup\n2,lookup"), 4, "more than are allowed");
    }
}
