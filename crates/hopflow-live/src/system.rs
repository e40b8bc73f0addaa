//! Calls to the kernel: namespaces, TUN devices, addresses, priority, the end of children.
//!
//! The few calls that have no safe wrapper are here, each behind a safe function. The rest of this
//! crate has no `unsafe` code.

use std::ffi::CStr;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::net::Ipv4Addr;
use std::os::fd::{AsFd as _, AsRawFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use nix::errno::Errno;
use nix::libc;
use nix::sched::{CloneFlags, CpuSet, sched_setaffinity, setns, unshare};
use nix::sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags, EpollTimeout};
use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::Signal;
use nix::sys::socket::{AddressFamily, SockFlag, SockType, socket};
use nix::unistd::{Pid, getegid, geteuid};

/// The device that creates devices.
const TUN: &str = "/dev/net/tun";

/// A step that the system refused, and what to do about it.
#[derive(Debug, thiserror::Error)]
#[error("{what}: {cause}{hint}")]
pub struct Refused {
    what: String,
    #[source]
    cause: io::Error,
    hint: &'static str,
}

impl Refused {
    /// The same with the remedy for such a cause, unless it has one.
    pub(crate) fn hint(self, of: fn(io::ErrorKind) -> &'static str) -> Refused {
        let hint = if self.hint.is_empty() { of(self.cause.kind()) } else { self.hint };
        Refused { hint, ..self }
    }
}

fn refused(what: impl Into<String>, hint: &'static str) -> impl FnOnce(io::Error) -> Refused {
    let what = what.into();
    move |cause| Refused { what, cause, hint }
}

/// Lets this process make its own networks: as root it already may, otherwise it becomes root of
/// its own user namespace, in which it keeps its outside identity. Must be called while the process
/// has one thread.
pub fn may_make_networks() -> Result<(), Refused> {
    let (user, group) = (geteuid(), getegid());
    if user.is_root() {
        return Ok(());
    }
    let hint = "\nas another user than root this needs user namespaces: \
                `sysctl kernel.unprivileged_userns_clone=1` on Debian, \
                `sysctl kernel.apparmor_restrict_unprivileged_userns=0` on Ubuntu; or be root";
    unshare(CloneFlags::CLONE_NEWUSER)
        .map_err(io::Error::from)
        .map_err(refused("no user namespace", hint))?;
    let map = |path: &str, text: String| {
        fs::write(path, text).map_err(refused(format!("{path} cannot be written"), hint))
    };
    map("/proc/self/setgroups", "deny".to_owned())?;
    map("/proc/self/uid_map", format!("0 {user} 1"))?;
    map("/proc/self/gid_map", format!("0 {group} 1"))
}

/// A network namespace; it ends with its last handle, process and device.
#[derive(Debug)]
pub(crate) struct Namespace(File);

impl Namespace {
    /// Creates a namespace and moves this thread into it.
    pub(crate) fn new() -> Result<Namespace, Refused> {
        let hint = "\nthis needs root, or a system that lets users make namespaces";
        unshare(CloneFlags::CLONE_NEWNET)
            .map_err(io::Error::from)
            .map_err(refused("no network namespace", hint))?;
        let path = "/proc/thread-self/ns/net";
        File::open(path).map(Namespace).map_err(refused(path, ""))
    }

    /// Moves this thread into it.
    pub(crate) fn enter(&self) -> io::Result<()> {
        Ok(setns(&self.0, CloneFlags::CLONE_NEWNET)?)
    }
}

/// Gives processes that this thread starts from now on a numbering of their own: the first of them
/// is number 1, and as it ends, the kernel ends all that it has started, however deep.
pub(crate) fn number_processes() -> io::Result<()> {
    Ok(unshare(CloneFlags::CLONE_NEWPID)?)
}

/// A setting of the network of this thread, such as `ipv4/tcp_sack`.
pub(crate) fn set_network(name: &str, value: &str) -> Result<(), Refused> {
    let path = format!("/proc/sys/net/{name}");
    fs::write(&path, value).map_err(|cause| {
        let hint = match cause.kind() {
            io::ErrorKind::ReadOnlyFilesystem => {
                "\nin a container that shows its settings read-only: give it `--privileged`"
            }
            _ => "",
        };
        refused(format!("{path} cannot be set to `{value}`"), hint)(cause)
    })
}

/// A device in the network of this thread: data sent by its host is read from it, data written to
/// it arrives at the host, each with the header of `segments.rs`. Its host leaves checksums to it.
/// Reads and writes do not block.
#[derive(Debug)]
pub(crate) struct Tun(File);

impl Tun {
    /// Makes a device with an address, for packets to `peer` up to `mtu` bytes, with room for
    /// `ring` packets that were not read yet. With `cuts` its host leaves TCP segmentation to it.
    pub(crate) fn new(
        name: &CStr,
        own: Ipv4Addr,
        peer: Ipv4Addr,
        mtu: u32,
        ring: u32,
        cuts: bool,
    ) -> Result<Tun, Refused> {
        let hint = "\nload the module with `modprobe tun`; in a container, pass the device in \
                    (`--device /dev/net/tun --cap-add NET_ADMIN`); as a user, it needs mode 0666";
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .custom_flags(libc::O_NONBLOCK | libc::O_CLOEXEC)
            .open(TUN)
            .map_err(refused(TUN, hint))?;
        let flags = (libc::IFF_TUN | libc::IFF_NO_PI | libc::IFF_VNET_HDR) as libc::c_short;
        let request = request(name, |union| union.ifru_flags = flags);
        ioctl(&file, libc::TUNSETIFF as libc::c_ulong, &request)
            .map_err(refused("TUNSETIFF", hint))?;
        let cutting = if cuts { libc::TUN_F_TSO4 | libc::TUN_F_TSO_ECN } else { 0 };
        leave_to(&file, libc::TUN_F_CSUM | cutting).map_err(refused("TUNSETOFFLOAD", hint))?;
        let socket = socket(AddressFamily::Inet, SockType::Datagram, SockFlag::SOCK_CLOEXEC, None)
            .map_err(io::Error::from)
            .map_err(refused("no socket", ""))?;
        set_address(&socket, name, libc::SIOCSIFADDR, own)?;
        set_address(&socket, name, libc::SIOCSIFDSTADDR, peer)?;
        let set = |what: &str, number, fill: &dyn Fn(&mut libc::__c_anonymous_ifr_ifru)| {
            let request = self::request(name, fill);
            ioctl(&socket, number, &request).map_err(refused(format!("{what} of a device"), ""))
        };
        set("the MTU", libc::SIOCSIFMTU, &|union| union.ifru_mtu = mtu.cast_signed())?;
        // In a user namespace the kernel keeps its own ring length.
        match set("the ring", libc::SIOCSIFTXQLEN, &|union| {
            union.ifru_metric = ring.cast_signed();
        }) {
            Err(wrong) if wrong.cause.kind() != io::ErrorKind::PermissionDenied => Err(wrong),
            _ => Ok(()),
        }?;
        up(&socket, name)?;
        Ok(Tun(file))
    }

    /// The next packet that the host has sent, if any: its bytes.
    pub(crate) fn read(&self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        match io::Read::read(&mut &self.0, buffer) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Delivers a packet to the host.
    pub(crate) fn write(&self, packet: &[u8]) -> io::Result<()> {
        io::Write::write(&mut &self.0, packet).map(|_| ())
    }
}

/// Reports which devices have a packet.
pub(crate) struct Watch {
    epoll: Epoll,
    events: Vec<EpollEvent>,
}

impl Watch {
    /// Watches these devices, each known by its place.
    pub(crate) fn new(devices: &[&Tun]) -> io::Result<Watch> {
        let epoll = Epoll::new(EpollCreateFlags::EPOLL_CLOEXEC)?;
        for (place, device) in devices.iter().enumerate() {
            let event = EpollEvent::new(EpollFlags::EPOLLIN, place as u64);
            epoll.add(device.0.as_fd(), event)?;
        }
        Ok(Watch { epoll, events: vec![EpollEvent::empty(); devices.len().max(1)] })
    }

    /// The devices that have a packet now, without waiting.
    pub(crate) fn ready(&mut self) -> io::Result<impl Iterator<Item = usize> + '_> {
        let count = match self.epoll.wait(&mut self.events, EpollTimeout::ZERO) {
            Err(Errno::EINTR) => 0,
            count => count?,
        };
        Ok(self.events[..count].iter().map(|event| event.data() as usize))
    }
}

/// Switches a device of this thread's network on.
fn up(socket: &OwnedFd, name: &CStr) -> Result<(), Refused> {
    let flags = (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
    let request = request(name, |union| union.ifru_flags = flags);
    ioctl(socket, libc::SIOCSIFFLAGS, &request).map_err(refused("a device stays down", ""))
}

/// Switches the loop-back device of this thread's network on.
pub(crate) fn loop_back() -> Result<(), Refused> {
    let socket = socket(AddressFamily::Inet, SockType::Datagram, SockFlag::SOCK_CLOEXEC, None);
    let socket = socket.map_err(io::Error::from).map_err(refused("no socket", ""))?;
    up(&socket, c"lo")
}

fn set_address(
    socket: &OwnedFd,
    name: &CStr,
    number: libc::c_ulong,
    address: Ipv4Addr,
) -> Result<(), Refused> {
    let mut bytes = [0; 14];
    bytes[2..6].copy_from_slice(&address.octets().map(signed));
    let address = libc::sockaddr { sa_family: libc::AF_INET as u16, sa_data: bytes };
    let request = request(name, |union| union.ifru_addr = address);
    ioctl(socket, number, &request).map_err(refused("a device gets no address", ""))
}

/// A request about a device of this name (at most 15 bytes), with its one value.
fn request(name: &CStr, fill: impl FnOnce(&mut libc::__c_anonymous_ifr_ifru)) -> libc::ifreq {
    let name = name.to_bytes();
    assert!(name.len() < libc::IFNAMSIZ, "names of devices have 15 bytes at most");
    let own = std::array::from_fn(|at| name.get(at).map_or(0, |byte| signed(*byte)));
    let mut request = libc::ifreq {
        ifr_name: own,
        ifr_ifru: libc::__c_anonymous_ifr_ifru { ifru_slave: [0; libc::IFNAMSIZ] },
    };
    fill(&mut request.ifr_ifru);
    request
}

/// A byte in C's type on this machine.
const fn signed(byte: u8) -> libc::c_char {
    libc::c_char::from_ne_bytes([byte])
}

fn ioctl(file: &impl AsRawFd, number: libc::c_ulong, request: &libc::ifreq) -> io::Result<()> {
    // SAFETY: the descriptor is open, and every number used above reads or writes one `ifreq`.
    #[allow(unsafe_code)]
    let done = unsafe {
        libc::ioctl(file.as_raw_fd(), number as libc::Ioctl, std::ptr::from_ref(request))
    };
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Sets the tasks that a host leaves to its device.
fn leave_to(file: &File, what: libc::c_uint) -> io::Result<()> {
    // SAFETY: the descriptor is open, and this call takes a number, no address.
    #[allow(unsafe_code)]
    let done = unsafe { libc::ioctl(file.as_raw_fd(), libc::TUNSETOFFLOAD as libc::Ioctl, what) };
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Makes a child end with the thread that starts it, however that ends.
pub(crate) fn end_with_us(command: &mut Command) {
    let last = || Ok(set_pdeathsig(Signal::SIGKILL)?);
    // SAFETY: between fork and exec it makes one system call and allocates nothing.
    #[allow(unsafe_code)]
    unsafe {
        command.pre_exec(last);
    }
}

/// Keeps this thread on one processor, at the highest priority that the user may set. A refusal of
/// the system costs only precision, which the run measures.
pub(crate) fn settle(processor: usize) -> bool {
    let mut set = CpuSet::new();
    let is_set = set.set(processor).and_then(|()| sched_setaffinity(Pid::from_raw(0), &set));
    is_set.is_ok() && come_first()
}

/// Gives this thread the highest of the usual priorities, which requires root.
fn come_first() -> bool {
    // SAFETY: the call takes three numbers; 0 is the calling thread.
    #[allow(unsafe_code)]
    let done = unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, -20) };
    done == 0
}

/// Keeps this thread, and processes that it starts, off one processor, if there is another.
pub(crate) fn keep_off(processor: usize) {
    let count = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let mut set = CpuSet::new();
    for other in (0..count).filter(|other| *other != processor) {
        if set.set(other).is_err() {
            return;
        }
    }
    if count > 1 {
        // Otherwise hosts may run where the switch runs: then the run measures its own lateness.
        let _ = sched_setaffinity(Pid::from_raw(0), &set);
    }
}
