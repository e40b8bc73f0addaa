//! Settings of a port as read: scheduler, rate control, marking.

use hopflow_control::marking::MarkingSpec;
use hopflow_control::scheduler::SchedulerSpec;

use crate::given::Given;
use crate::rate::PortRate;

/// Settings of a port as read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Port {
    pub(crate) scheduler: Given<SchedulerSpec>,
    pub(crate) rate: Given<PortRate>,
    pub(crate) marking: Given<Option<MarkingSpec>>,
}
