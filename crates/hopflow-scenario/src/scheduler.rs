//! Schedulers of ports.

use hopflow_control::scheduler::SchedulerSpec;

use crate::diagnostic::Sink;
use crate::given::Chosen;
use crate::keys::{self, SCHEDULER};
use crate::machine;
use crate::section::Section;
use crate::tab::Tab;

impl Chosen for SchedulerSpec {
    const TAB: &'static Tab = &SCHEDULER;

    fn of_table(kind: &'static str, table: &Section<'_>, sink: &mut Sink) -> Option<SchedulerSpec> {
        if kind == "external" {
            return machine::of_table("scheduler", table, sink).map(SchedulerSpec::External);
        }
        let read = keys::read_scheduler(kind, table, &(), sink)?;
        read.or_else(|| SchedulerSpec::without_parameters(kind))
    }
}
