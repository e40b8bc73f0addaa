//! Schedulers of ports.

use hopflow_control::scheduler::SchedulerSpec;

use crate::diagnostic::Sink;
use crate::given::Chosen;
use crate::keys::network::NODE_SCHEDULER;
use crate::keys::{Key, scheduler};
use crate::machine;
use crate::section::Section;

impl Chosen for SchedulerSpec {
    const KEY: &'static Key = &NODE_SCHEDULER;

    fn of_table(kind: &'static str, table: &Section<'_>, sink: &mut Sink) -> Option<SchedulerSpec> {
        if kind == "external" {
            return machine::of_table("scheduler", table, sink).map(SchedulerSpec::External);
        }
        let read = scheduler::read(kind, table, &(), sink)?;
        read.or_else(|| SchedulerSpec::without_parameters(kind))
    }
}
