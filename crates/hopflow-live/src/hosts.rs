//! The hosts of a scenario as real ones: each has a network namespace, with a device for each
//! connection that ends there.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::net::Ipv4Addr;
use std::sync::Mutex;
use std::{fs, io, thread};

use hopflow_network::NetworkSpec;
use hopflow_units::Picos;

use crate::Pair;
use crate::evidence::waited;
use crate::system::{Namespace, Refused, Tun, loop_back, set_network};

/// Packets that a host has passed to its device and that were not read yet. A host that sends while
/// the device is full loses packets, which is a loss of the host.
const RING: u32 = 1_000;
/// The name of threads of this process that do the work of a host.
pub const HOST: &str = "host";
/// The tables of sockets of a network.
const SOCKETS: [&str; 4] = ["tcp", "tcp6", "udp", "udp6"];
/// A host whose link takes longer than this for a packet cuts its data itself. Reading and cutting
/// 64 kB at once takes tens of microseconds, which delays all other packets to its host.
const LONG: Picos = Picos(20_000_000);

/// The TCP settings of all hosts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// The defaults of the system.
    #[default]
    LinuxDefault,
    /// As close to 1994 as Linux allows: Reno without SACK, time stamps, RACK, tail loss probes,
    /// F-RTO and window scaling, and time-outs of at least 1 s. The first window still has ten
    /// segments.
    Reno1994,
}

impl Profile {
    /// The settings, below `net`.
    const fn settings(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Profile::LinuxDefault => &[],
            Profile::Reno1994 => &[
                ("ipv4/tcp_congestion_control", "reno"),
                ("ipv4/tcp_sack", "0"),
                ("ipv4/tcp_timestamps", "0"),
                ("ipv4/tcp_recovery", "0"),
                ("ipv4/tcp_early_retrans", "0"),
                ("ipv4/tcp_frto", "0"),
                ("ipv4/tcp_window_scaling", "0"),
                ("ipv4/tcp_rto_min_us", "1000000"),
            ],
        }
    }
}

/// The TCP settings of hosts.
#[derive(Clone, Debug, Default)]
pub struct TcpSettings {
    /// The profile of all hosts.
    pub profile: Profile,
    /// The congestion control of all hosts, such as `cubic`; `None`: that of the profile.
    pub congestion: Option<String>,
    /// The congestion control of single hosts, by number of the node, which takes precedence.
    pub of_hosts: BTreeMap<usize, String>,
}

/// Whether this process can make real hosts: it makes one with a device, and removes it.
pub fn can_make_hosts() -> Result<(), Refused> {
    let tried = thread::spawn(|| {
        let space = Namespace::new()?;
        let (own, peer) = (Ipv4Addr::new(10, 77, 0, 1), Ipv4Addr::new(10, 77, 0, 2));
        Tun::new(c"hop0", own, peer, 1_500, RING, true)?;
        drop(space);
        Ok(())
    });
    tried.join().expect("it is tried without a panic")
}

/// A host.
#[derive(Debug)]
struct Host {
    /// The number of the node.
    node: usize,
    space: Namespace,
}

/// The real hosts of a scenario.
#[derive(Debug)]
pub struct Hosts {
    real: Vec<Host>,
    /// For each pair, the devices of the two hosts.
    devices: Vec<[Tun; 2]>,
    names: Vec<String>,
    /// The processes of programs that run on hosts.
    programs: Mutex<Vec<u32>>,
}

impl Hosts {
    /// Makes the hosts.
    pub fn new(
        network: &NetworkSpec,
        pairs: &[Pair],
        settings: &TcpSettings,
    ) -> Result<Hosts, Refused> {
        let mut nodes: Vec<usize> = pairs.iter().flat_map(|pair| pair.hosts).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let mut found: Vec<[Option<Tun>; 2]> = pairs.iter().map(|_| [None, None]).collect();
        let mut hosts = Vec::new();
        for node in nodes {
            // The thread stays in the namespace for ever, so it is short-lived.
            let made = thread::scope(|scope| {
                let made = scope.spawn(|| host(node, pairs, settings)).join();
                made.expect("a host is made without a panic")
            });
            let (space, devices) = made?;
            for ([pair, side], device) in devices {
                found[pair][side] = Some(device);
            }
            hosts.push(Host { node, space });
        }
        let both = |device: [Option<Tun>; 2]| device.map(|one| one.expect("both hosts have one"));
        let devices = found.into_iter().map(both).collect();
        let names = network.nodes.iter().map(|node| node.name.clone()).collect();
        Ok(Hosts { real: hosts, devices, names, programs: Mutex::default() })
    }

    pub(crate) fn devices(&self) -> &[[Tun; 2]] {
        &self.devices
    }

    /// Names of the real hosts.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.real.iter().map(|host| self.names[host.node].as_str())
    }

    /// The number of a real host, by its name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.real.iter().map(|host| host.node).find(|node| self.names[*node] == name)
    }

    /// Moves this thread, and processes that it starts from now on, to a host.
    pub(crate) fn enter(&self, node: usize) -> io::Result<()> {
        let host = self.real.iter().find(|host| host.node == node);
        host.expect("it is a real host").space.enter()
    }

    /// A program runs on a host, by the number of its process, until this is dropped.
    pub(crate) fn runs(&self, process: u32) -> Runs<'_> {
        self.programs.lock().expect("nobody panics with it").push(process);
        Runs { hosts: self, process }
    }

    /// The longest wait for a processor of one thread of a host: those of this process that are
    /// called [`HOST`], and those of programs. `None` if the system reports none.
    pub(crate) fn waited(&self) -> Option<u64> {
        let own = threads("self").into_iter().filter(|thread| {
            let name = fs::read_to_string(format!("/proc/{thread}/comm"));
            name.is_ok_and(|name| name.trim() == HOST)
        });
        let programs = self.programs.lock().expect("nobody panics with it");
        let of_programs = programs.iter().flat_map(|process| threads(&process.to_string()));
        own.chain(of_programs).filter_map(|thread| waited(&thread)).max()
    }

    /// Whether a socket of a host listens on a port: one of TCP, or any of UDP.
    pub fn listens(&self, node: usize, port: u16) -> io::Result<bool> {
        thread::scope(|scope| {
            let look = || {
                self.enter(node)?;
                Ok(SOCKETS.iter().any(|name| {
                    let path = format!("/proc/thread-self/net/{name}");
                    let text = fs::read_to_string(path).unwrap_or_default();
                    text.lines().any(|line| is_open(line, port, name.starts_with("udp")))
                }))
            };
            scope.spawn(look).join().expect("a table is read without a panic")
        })
    }

    /// Packets that hosts lost because their device was full.
    pub(crate) fn lost(&self) -> u64 {
        let one = |host: &Host| {
            thread::scope(|scope| scope.spawn(|| lost_here(&host.space)).join().unwrap_or(0))
        };
        self.real.iter().map(one).sum()
    }
}

/// A program that runs on a host.
pub(crate) struct Runs<'h> {
    hosts: &'h Hosts,
    process: u32,
}

impl Drop for Runs<'_> {
    fn drop(&mut self) {
        let mut programs = self.hosts.programs.lock().expect("nobody panics with it");
        programs.retain(|process| *process != self.process);
    }
}

/// The folders of the threads of a process in `/proc`.
fn threads(process: &str) -> Vec<String> {
    let folder = format!("{process}/task");
    let all = fs::read_dir(format!("/proc/{folder}")).into_iter().flatten().flatten();
    all.map(|thread| format!("{folder}/{}", thread.file_name().to_string_lossy())).collect()
}

/// Whether a line of a table of sockets is an open one on this port: in the second column, behind
/// the address; in the fourth, 0A is a listening socket of TCP.
fn is_open(line: &str, port: u16, is_udp: bool) -> bool {
    let columns: Vec<&str> = line.split_whitespace().collect();
    let [_, own, _, state, ..] = columns[..] else { return false };
    let its = own.rsplit_once(':').and_then(|(_, port)| u16::from_str_radix(port, 16).ok());
    its == Some(port) && (is_udp || state == "0A")
}

/// A host in a namespace of its own, with its devices by pair and side.
type Made = (Namespace, Vec<([usize; 2], Tun)>);

fn host(node: usize, pairs: &[Pair], settings: &TcpSettings) -> Result<Made, Refused> {
    let space = Namespace::new()?;
    // Neighbour discovery would enter the network. Without IPv6 this is not needed.
    for device in ["all", "default"] {
        drop(set_network(&format!("ipv6/conf/{device}/disable_ipv6"), "1"));
    }
    set_network("ipv4/tcp_no_metrics_save", "1")?;
    for (name, value) in settings.profile.settings() {
        set_network(name, value)?;
    }
    if let Some(congestion) = settings.of_hosts.get(&node).or(settings.congestion.as_ref()) {
        let set = set_network("ipv4/tcp_congestion_control", congestion);
        set.map_err(|wrong| wrong.hint(no_congestion_control))?;
    }
    loop_back()?;
    let mut devices = Vec::new();
    for (index, pair) in pairs.iter().enumerate() {
        for side in 0..2 {
            if pair.hosts[side] != node {
                continue;
            }
            let (own, peer) = (pair.addresses[side], pair.addresses[1 - side]);
            let name = CString::new(format!("hop{index}")).expect("digits have no zero");
            devices.push((
                [index, side],
                Tun::new(&name, own, peer, pair.mtu, RING, pair.packet_time[side] < LONG)?,
            ));
        }
    }
    Ok((space, devices))
}

/// What to do if a congestion control cannot be set.
fn no_congestion_control(cause: io::ErrorKind) -> &'static str {
    match cause {
        io::ErrorKind::PermissionDenied => {
            "\nthe system keeps it for itself: as root, \
             `sysctl -w net.ipv4.tcp_allowed_congestion_control=\"reno cubic bbr\"` lets the \
             networks of hosts have these"
        }
        _ => {
            "\nit is not a loaded congestion control: `modprobe tcp_NAME` loads one, \
             /proc/sys/net/ipv4/tcp_available_congestion_control lists them"
        }
    }
}

/// The twelfth number of a line of `dev` counts what the device dropped of its host's data.
fn lost_here(space: &Namespace) -> u64 {
    if space.enter().is_err() {
        return 0;
    }
    let text = fs::read_to_string("/proc/thread-self/net/dev").unwrap_or_default();
    let of_line = |line: &str| {
        let (name, numbers) = line.split_once(':')?;
        let dropped: u64 = numbers.split_whitespace().nth(11)?.parse().ok()?;
        name.trim().starts_with("hop").then_some(dropped)
    };
    text.lines().filter_map(of_line).sum()
}
