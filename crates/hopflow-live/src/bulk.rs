//! Bulk data over the connections of a scenario: what its TCP sources do, by real sockets.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use crate::system::keep_off;
use crate::{Hosts, Pair};

/// The port that is listened on.
const PORT: u16 = 5_077;
/// Bytes of a read or write.
const PIECE: usize = 1 << 16;
/// How long a socket waits before it looks whether the run is over.
const PATIENCE: Duration = Duration::from_millis(50);

/// Data from the first host of a connection to the second, without end.
#[derive(Debug, Default)]
pub struct Bulk {
    received: AtomicU64,
}

impl Bulk {
    /// Bytes that the program of the second host has read.
    pub fn received(&self) -> u64 {
        self.received.load(Ordering::Relaxed)
    }

    /// The second host: takes one connection, and reads.
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
        let mut stream = loop {
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
            match stream.read(&mut piece) {
                Ok(0) => return Ok(()),
                Ok(bytes) => {
                    self.received.fetch_add(bytes as u64, Ordering::Relaxed);
                }
                Err(error) if is_patience(&error) => {}
                Err(error) => return Err(error),
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
        let mut stream = loop {
            match TcpStream::connect_timeout(&to, Duration::from_secs(1)) {
                Ok(stream) => break stream,
                Err(_) if stop.load(Ordering::Relaxed) => return Ok(()),
                // Nobody listens yet, or the network loses what would open the connection.
                Err(_) => thread::sleep(Duration::from_millis(1)),
            }
        };
        stream.set_write_timeout(Some(PATIENCE))?;
        let piece = vec![0; PIECE];
        while !stop.load(Ordering::Relaxed) {
            match stream.write(&piece) {
                Ok(_) => {}
                Err(error) if is_patience(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

fn is_patience(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}
