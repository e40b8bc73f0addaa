//! Bulk data over the connections of a scenario: the work of its TCP sources, with real sockets.
//!
//! Neither program touches the data, so that hosts have their processors for TCP: the sender's
//! pages are those of a file in memory, and the receiver lets the kernel drop the received data.

use std::fs::File;
use std::io::{self, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::AsRawFd as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::sendfile::sendfile64;
use nix::sys::socket::{MsgFlags, recv};

use crate::system::keep_off;
use crate::{Hosts, Pair};

/// The port of the listening socket.
const PORT: u16 = 5_077;
/// Bytes of a read or write.
const PIECE: usize = 1 << 18;
/// How long a socket waits before it checks whether the run is over.
const PATIENCE: Duration = Duration::from_millis(50);

/// Endless data from the first host of a connection to the second.
#[derive(Debug, Default)]
pub struct Bulk {
    received: AtomicU64,
}

impl Bulk {
    /// Bytes that the program of the second host has read.
    pub fn received(&self) -> u64 {
        self.received.load(Ordering::Relaxed)
    }

    /// The second host: accepts one connection, and reads.
    pub fn receive(
        &self,
        hosts: &Hosts,
        pair: &Pair,
        processor: usize,
        stop: &AtomicBool,
    ) -> io::Result<()> {
        hosts.enter(pair.hosts[1])?;
        keep_off(processor);
        let listener = TcpListener::bind(SocketAddr::from((pair.addresses[1], PORT)))?;
        listener.set_nonblocking(true)?;
        let stream = loop {
            match listener.accept() {
                Ok((stream, _)) => break stream,
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(error),
                Err(_) if stop.load(Ordering::Relaxed) => return Ok(()),
                Err(_) => thread::sleep(Duration::from_millis(1)),
            }
        };
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let mut piece = vec![0; PIECE];
        while !stop.load(Ordering::Relaxed) {
            match recv(stream.as_raw_fd(), &mut piece, MsgFlags::MSG_TRUNC) {
                Ok(0) => return Ok(()),
                Ok(bytes) => {
                    self.received.fetch_add(bytes as u64, Ordering::Relaxed);
                }
                Err(error) if is_patience(error) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// The first host: connects, and writes.
    pub fn send(
        &self,
        hosts: &Hosts,
        pair: &Pair,
        processor: usize,
        stop: &AtomicBool,
    ) -> io::Result<()> {
        hosts.enter(pair.hosts[0])?;
        keep_off(processor);
        let to = SocketAddr::from((pair.addresses[1], PORT));
        let stream = loop {
            match TcpStream::connect_timeout(&to, Duration::from_secs(1)) {
                Ok(stream) => break stream,
                Err(_) if stop.load(Ordering::Relaxed) => return Ok(()),
                // The listener has not started, or the network loses the packets that open the
                // connection.
                Err(_) => thread::sleep(Duration::from_millis(1)),
            }
        };
        stream.set_write_timeout(Some(PATIENCE))?;
        let mut data = File::from(memfd_create(c"bulk", MFdFlags::MFD_CLOEXEC)?);
        data.write_all(&vec![0; PIECE])?;
        while !stop.load(Ordering::Relaxed) {
            match sendfile64(&stream, &data, Some(&mut 0), PIECE) {
                Ok(_) => {}
                Err(error) if is_patience(error) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

fn is_patience(error: Errno) -> bool {
    matches!(error, Errno::EAGAIN | Errno::EINTR | Errno::ETIMEDOUT)
}
