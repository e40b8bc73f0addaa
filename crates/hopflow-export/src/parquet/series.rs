//! The recorded series, one row per value.

use std::path::Path;

use hopflow::record::{Point, Quantity, Series, Shape, Unit};
use hopflow::units::{Picos, SimTime};

use super::reader::{Rows, reader};
use super::rows::Value::{F64, Name, Nothing, U64};
use super::rows::{TableFile, TakesRows, Value};
use super::schema::SERIES;
use crate::ExportError;
use crate::directory::RunDirectory;

const FILE: &str = "series.parquet";

const QUANTITIES: [(Quantity, &str); 11] = [
    (Quantity::VcThroughput, "vc-throughput"),
    (Quantity::AckThroughput, "ack-throughput"),
    (Quantity::ControlThroughput, "control-throughput"),
    (Quantity::Throughput, "throughput"),
    (Quantity::Queue, "queue"),
    (Quantity::NodeQueue, "node-queue"),
    (Quantity::Credit, "credit"),
    (Quantity::AllowedRate, "acr"),
    (Quantity::VirtualAllowedRate, "virtual-acr"),
    (Quantity::ExplicitRate, "er"),
    (Quantity::Delay, "delay"),
];

const UNITS: [(Unit, &str); 4] = [
    (Unit::Share, "share"),
    (Unit::Packets, "packets"),
    (Unit::Picos, "ps"),
    (Unit::BitsPerSecond, "bps"),
];

fn word<T: PartialEq + Copy>(words: &[(T, &'static str)], value: T) -> &'static str {
    words.iter().find(|w| w.0 == value).expect("every value has a word").1
}

/// The word of a unit, in the column `unit`.
pub fn unit_word(unit: Unit) -> &'static str {
    word(&UNITS, unit)
}

fn value_of<T: Copy>(words: &[(T, &str)], text: Option<&str>) -> Option<T> {
    words.iter().find(|w| Some(w.1) == text).map(|w| w.0)
}

/// Writes `series.parquet`.
pub(crate) fn write_series(directory: &RunDirectory, series: &[Series]) -> Result<(), ExportError> {
    let mut file = TableFile::open(directory, &SERIES)?;
    each(series, &mut file)?;
    file.close()
}

/// The rows of the table.
pub(super) fn each(series: &[Series], rows: &mut impl TakesRows) -> Result<(), ExportError> {
    for one in series {
        let points = one.points.iter().map(Some);
        let none = one.points.is_empty().then_some(None);
        for point in points.chain(none) {
            rows.push(&row(one, point))?;
        }
    }
    Ok(())
}

fn row<'a>(series: &'a Series, point: Option<&Point>) -> [Value<'a>; 12] {
    let text = |name: &'a Option<String>| name.as_deref().map_or(Nothing, Name);
    let (shape, window) = match series.shape {
        Shape::Step => ("step", Nothing),
        Shape::Window(window) => ("window", U64(window.0)),
        Shape::Sample => ("sample", Nothing),
    };
    [
        Name(&series.name),
        Name(word(&QUANTITIES, series.quantity)),
        text(&series.vc),
        text(&series.node),
        text(&series.link),
        Name(unit_word(series.unit)),
        Name(shape),
        window,
        series.rate_bps.map_or(Nothing, U64),
        U64(series.end.0),
        point.map_or(Nothing, |p| U64(p.time.0)),
        point.map_or(Nothing, |p| F64(p.value)),
    ]
}

/// The series of a run directory, as they were recorded.
pub fn read_series(directory: &Path) -> Result<Vec<Series>, ExportError> {
    let path = directory.join(FILE);
    let mut all: Vec<Series> = Vec::new();
    for batch in reader(&path, &SERIES, None)? {
        let rows = batch?;
        for index in 0..rows.len() {
            let name = rows.name(0, index).unwrap_or_default();
            if all.last().is_none_or(|last| last.name != name) {
                let head = head(&rows, index);
                all.push(head.ok_or_else(|| ExportError::read(&path, "unknown kind of series"))?);
            }
            if let (Some(time), Some(value), Some(last)) =
                (rows.u64(10, index), rows.f64(11, index), all.last_mut())
            {
                last.points.push(Point { time: SimTime(time), value });
            }
        }
    }
    Ok(all)
}

/// The unit of this name; version 1 of the contract said cells of all packets.
fn unit(name: &str) -> Option<Unit> {
    value_of(&UNITS, Some(if name == "cells" { "packets" } else { name }))
}

/// The series that begins in row `index`, without its points.
fn head(rows: &Rows, index: usize) -> Option<Series> {
    let text = |column| rows.name(column, index).map(str::to_owned);
    let shape = match rows.name(6, index)? {
        "step" => Shape::Step,
        "window" => Shape::Window(Picos(rows.u64(7, index)?)),
        "sample" => Shape::Sample,
        _ => return None,
    };
    Some(Series {
        name: text(0)?,
        quantity: value_of(&QUANTITIES, rows.name(1, index))?,
        vc: text(2),
        node: text(3),
        link: text(4),
        unit: unit(rows.name(5, index)?)?,
        shape,
        rate_bps: rows.u64(8, index),
        end: SimTime(rows.u64(9, index)?),
        points: Vec::new(),
    })
}
