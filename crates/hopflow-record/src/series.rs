//! Series: one quantity over simulated time.

use std::ops::Range;

use hopflow_units::{Picos, SimTime};

/// The quantity of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Share of a link direction's time spent sending data cells of one VC.
    VcThroughput,
    /// The same for ACK cells of all end-to-end windows.
    AckThroughput,
    /// The same for credit, request and loop cells.
    ControlThroughput,
    /// The same for all units.
    Throughput,
    /// Cells of one VC held at a node, including the one in transmission.
    Queue,
    /// Data cells of all VCs held at a node.
    NodeQueue,
    /// The credit count of one VC's sender.
    Credit,
    /// ACR of the source of one VC, under rate control.
    AllowedRate,
    /// ACR of a virtual source of one VC, at a switch.
    VirtualAllowedRate,
    /// ER in the backward RM cells of one VC after a port, which may lower it.
    ExplicitRate,
    /// Delay of each cell of one VC, from birth to its last bit at the final host.
    Delay,
}

/// The unit of the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A share of the link's rate, 0 to 1; [`Series::rate_bps`] converts it to bits per second.
    Share,
    /// Packets; cells if all packets are cells.
    Packets,
    /// Picoseconds.
    Picos,
    /// Bits per second, of cells with their headers.
    BitsPerSecond,
}

/// The time for which a value holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A value holds from its point until the next point.
    Step,
    /// One point per window, at its start; the value is the average over the window. The last
    /// window may be truncated by the end of the series; its value is the average over its rest.
    Window(Picos),
    /// A value belongs to its instant alone. Several values may have one instant.
    Sample,
}

/// One value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The instant.
    pub time: SimTime,
    /// The value, in the unit of the series.
    pub value: f64,
}

/// One quantity over time, from 0 to `end`.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The name for people: `queue of VC1 at S`.
    pub name: String,
    /// The quantity.
    pub quantity: Quantity,
    /// The VC, if the quantity belongs to one VC.
    pub vc: Option<String>,
    /// The node: of a queue, of a sender's credit count or ACR, of a port that writes ER, or the
    /// final host of a delay.
    pub node: Option<String>,
    /// The link direction (`FROM->TO`) of a throughput or a credit count; for ACR and ER, the one
    /// that the sender or the port sends into.
    pub link: Option<String>,
    /// The unit of the values.
    pub unit: Unit,
    /// The time for which values hold.
    pub shape: Shape,
    /// The rate of the link, for a throughput.
    pub rate_bps: Option<u64>,
    /// The series covers `[0, end)`.
    pub end: SimTime,
    /// In order of time.
    pub points: Vec<Point>,
}

/// A value and the span `[from, to)` for which it holds. For a sample both ends are its instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// The begin.
    pub from: SimTime,
    /// The end, exclusive.
    pub to: SimTime,
    /// The value, in the unit of the series.
    pub value: f64,
}

impl Series {
    /// The whole run.
    pub fn whole(&self) -> Range<SimTime> {
        SimTime::ZERO..self.end
    }

    /// The values that hold in a part of `span`, in order, clipped to it. For samples: those in it.
    pub fn pieces(&self, span: Range<SimTime>) -> impl Iterator<Item = Piece> + '_ {
        let first = match self.shape {
            Shape::Sample => self.points.partition_point(|p| p.time < span.start),
            _ => self.points.partition_point(|p| p.time <= span.start).saturating_sub(1),
        };
        let end = span.end.min(self.end);
        let points = self.points[first..].iter().enumerate();
        points.map_while(move |(offset, point)| {
            let from = point.time.max(span.start);
            if from >= end {
                return None;
            }
            let to = match self.shape {
                Shape::Sample => from,
                _ => self.points.get(first + offset + 1).map_or(end, |next| next.time.min(end)),
            };
            Some(Piece { from, to, value: point.value })
        })
    }

    /// The greatest value in `span`; `None` without a value.
    pub fn max(&self, span: Range<SimTime>) -> Option<f64> {
        self.pieces(span).map(|p| p.value).reduce(f64::max)
    }

    /// The mean in `span`: over time for steps and windows, over cells for samples. `None` without
    /// a value.
    pub fn mean(&self, span: Range<SimTime>) -> Option<f64> {
        let (mut sum, mut weight) = (0.0, 0.0);
        for piece in self.pieces(span) {
            let part = match self.shape {
                Shape::Sample => 1.0,
                _ => piece.to.since(piece.from).0 as f64,
            };
            sum += piece.value * part;
            weight += part;
        }
        (weight > 0.0).then(|| sum / weight)
    }

    /// The points of a throughput in bits per second; `None` for any other quantity.
    pub fn in_bps(&self) -> Option<Vec<Point>> {
        let rate = self.rate_bps? as f64;
        let scaled = self.points.iter();
        Some(scaled.map(|p| Point { time: p.time, value: p.value * rate }).collect())
    }
}

#[cfg(test)]
mod tests;
