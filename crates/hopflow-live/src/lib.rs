//! Real Linux hosts behind a simulated network, in real time.
//!
//! ```text
//! program -- socket -- TCP of Linux -- TUN  [ Session: the network of the scenario, ]  TUN -- ...
//!            a network namespace each       [ its clock tied to that of the machine ]
//! ```
//! Each connection of a scenario (`tcp`, `nfs`, `rpc-replay`) becomes one between two real hosts:
//! the packets that programs send there replace its endpoints ([`real_hosts`]). Everything else of
//! the scenario stays: links, switches, control, cells, and flows with sources of their own. One
//! thread is the network ([`Emulation::run`]): it reads what hosts send, simulates up to now, and
//! writes what arrives. Inside, time is exact; only the two edges are late, and their lateness is
//! measured ([`Evidence`]). The sent packets are recorded: a run can be simulated again, to the
//! same digest.
//!
//! Linux only. Everything ends with the process, however it ends: namespaces and devices have no
//! other owner, and programs of hosts end with the process namespace that they are the first of.

#![cfg(target_os = "linux")]

mod autogroup;
mod bulk;
mod drive;
mod evidence;
mod glance;
mod hosts;
mod join;
mod program;
mod real;
mod segments;
mod system;

pub use bulk::Bulk;
pub use drive::{Emulated, Emulation, Fault};
pub use evidence::{Evidence, Late, MOST_LATE};
pub use glance::Glance;
pub use hosts::{HOST, Hosts, Profile, TcpSettings, can_make_hosts};
pub use program::Program;
pub use real::{Pair, Unfit, real_hosts, recorded};
pub use system::{Refused, may_make_networks};
