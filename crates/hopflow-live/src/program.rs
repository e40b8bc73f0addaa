//! Programs of the user on a host of the scenario.

use std::ffi::OsString;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::system::{end_with_us, keep_off, number_processes};
use crate::{Hosts, Pair};

/// How often a program is polled for its end.
const GLANCE: Duration = Duration::from_millis(5);

/// A program on a host.
#[derive(Clone, Debug)]
pub struct Program {
    /// The host, by number of its node.
    pub node: usize,
    /// The program and its arguments.
    pub command: Vec<OsString>,
}

impl Program {
    /// Runs it to its end, or until `stop`: then it is killed, and there is no exit status. The
    /// environment variables `HOPFLOW_ADDRESS` and `HOPFLOW_PEER` hold the addresses of the first
    /// connection of its host. It also ends with this process, however that ends. All processes
    /// that it has started end with it: it is number 1 of a process namespace.
    pub fn run(
        &self,
        hosts: &Hosts,
        pairs: &[Pair],
        processor: usize,
        stop: &AtomicBool,
    ) -> io::Result<Option<ExitStatus>> {
        hosts.enter(self.node)?;
        keep_off(processor);
        let (program, arguments) = self.command.split_first().expect("a program has a name");
        let mut command = Command::new(program);
        command.args(arguments);
        let here = |pair: &&Pair| pair.hosts.contains(&self.node);
        if let Some(pair) = pairs.iter().find(here) {
            let side = usize::from(pair.hosts[0] != self.node);
            command.env("HOPFLOW_ADDRESS", pair.addresses[side].to_string());
            command.env("HOPFLOW_PEER", pair.addresses[1 - side].to_string());
        }
        end_with_us(&mut command);
        number_processes()?;
        let mut child = command.spawn()?;
        let _runs = hosts.runs(child.id());
        wait(&mut child, stop)
    }
}

fn wait(child: &mut Child, stop: &AtomicBool) -> io::Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if stop.load(Ordering::Relaxed) {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(GLANCE);
    }
}
