//! The recording of a run in addition to its counters: series, and rows of the trace.

use hopflow_network::{DirectionId, TraceFilter};
use hopflow_units::Picos;

/// The recording of a run. By default only the counters are kept, as always.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordSpec {
    /// The window over which throughput is averaged. Not zero. `None`: 25 cell times of each
    /// link direction.
    pub window: Option<Picos>,
    /// Link directions whose throughput is kept: one series per VC, one for control cells, one
    /// for all.
    pub throughput: Vec<DirectionId>,
    /// Nodes at which the queue length of every VC is kept.
    pub queues: Vec<usize>,
    /// Link directions whose senders' credit counts are kept, one series per VC.
    pub credits: Vec<DirectionId>,
    /// VCs whose rates are kept, if they are under rate control: ACR, and ER at each port.
    pub rates: Vec<usize>,
    /// VCs whose delay is kept for every delivered cell.
    pub delays: Vec<usize>,
    /// The rows kept as the trace itself.
    pub trace: TraceFilter,
}
