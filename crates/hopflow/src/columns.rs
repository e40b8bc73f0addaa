//! Rows of a trace as columns: one array per field, for readers of many rows at once.

use hopflow_network::TraceRow;

/// Rows of a trace, field by field: row k is the k-th value of every column. [`TraceRow`] documents
/// the fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowColumns {
    /// The instant, in ps.
    pub time_ps: Vec<u64>,
    /// The link direction.
    pub direction: Vec<u32>,
    /// The VC.
    pub vc: Vec<u32>,
    /// Sequence number, credit value or acknowledgement.
    pub value: Vec<u32>,
    /// Packets of this VC held at the node after the event.
    pub fill: Vec<u32>,
    /// The credit count of the sender after the event.
    pub credit: Vec<u32>,
    /// The event: the number of a [`TraceEvent`](hopflow_network::TraceEvent).
    pub event: Vec<u8>,
    /// The unit: the number of a [`CellKind`](hopflow_network::CellKind).
    pub kind: Vec<u8>,
    /// Whether it happened at the receiving end.
    pub at_receiver: Vec<bool>,
}

impl RowColumns {
    /// Rows.
    pub fn len(&self) -> usize {
        self.time_ps.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.time_ps.is_empty()
    }

    /// Adds rows at the end.
    pub fn extend(&mut self, rows: &[TraceRow]) {
        self.time_ps.extend(rows.iter().map(|row| row.time.0));
        self.direction.extend(rows.iter().map(|row| row.direction));
        self.vc.extend(rows.iter().map(|row| row.vc));
        self.value.extend(rows.iter().map(|row| row.value));
        self.fill.extend(rows.iter().map(|row| row.fill));
        self.credit.extend(rows.iter().map(|row| row.credit));
        self.event.extend(rows.iter().map(|row| row.event as u8));
        self.kind.extend(rows.iter().map(|row| row.kind as u8));
        self.at_receiver.extend(rows.iter().map(|row| row.at_receiver));
    }

    /// Removes all rows and keeps their memory.
    pub fn clear(&mut self) {
        let RowColumns { time_ps, direction, vc, value, fill, credit, event, kind, at_receiver } =
            self;
        time_ps.clear();
        for column in [direction, vc, value, fill, credit] {
            column.clear();
        }
        event.clear();
        kind.clear();
        at_receiver.clear();
    }
}
