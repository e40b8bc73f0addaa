//! The two programs of the bed: one sends as fast as it may, the other reads.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::record::MSS;

const ADDRESS: &str = "192.0.2.6:4321";
/// Attempts to connect, 20 ms apart: the other end and the capture need a moment to start.
const ATTEMPTS: u32 = 500;

/// `cargo xtask beside-linux-peer send SECONDS | receive`, which the bed calls.
pub(crate) fn peer(args: &[&str]) -> Result<()> {
    match args {
        ["send", seconds] => send(Duration::from_secs(seconds.parse().context("seconds")?)),
        ["receive"] => receive(),
        _ => bail!("this is for the bed of `cargo xtask beside-linux`"),
    }
}

fn send(span: Duration) -> Result<()> {
    // The capture begins within this time.
    sleep(Duration::from_millis(500));
    let connect = |_| {
        sleep(Duration::from_millis(20));
        TcpStream::connect(ADDRESS).ok()
    };
    let mut stream = (0..ATTEMPTS).find_map(connect).context("the receiver does not listen")?;
    // Whole segments, so that none is cut at the end of a write.
    let data = vec![0; 16 * MSS as usize];
    let began = Instant::now();
    while began.elapsed() < span {
        stream.write_all(&data).context("send")?;
    }
    Ok(())
}

fn receive() -> Result<()> {
    let listener = TcpListener::bind(ADDRESS).context("listen")?;
    let (mut stream, _) = listener.accept().context("accept")?;
    let mut data = [0; 1 << 14];
    while stream.read(&mut data).context("receive")? > 0 {}
    Ok(())
}
