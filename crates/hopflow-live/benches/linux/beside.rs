//! The same data over a pair of `veth` devices with the token bucket of the kernel.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::case::{CONGESTION, Case};

/// Header bytes before the payload of a segment: IP, TCP, and time stamps.
const HEADERS: f64 = 52.0;

/// The share of the rate that IP packets use, or why it cannot be measured.
pub(crate) fn carried(case: &Case, seconds: u64) -> Result<f64, String> {
    let [first, second] = [Space::new()?, Space::new()?];
    let pair = format!("ip link add hopA mtu {} type veth peer name hopB mtu {0}", case.mtu);
    first.run(&pair)?;
    first.run(&format!("ip link set hopB netns {}", second.0.id()))?;
    for (space, device, own) in [(&first, "hopA", 1), (&second, "hopB", 2)] {
        space.run(&format!("sysctl -w net.ipv4.tcp_congestion_control={CONGESTION}"))?;
        space.run(&format!("ip address add 10.78.0.{own}/30 dev {device}"))?;
        space.run(&format!("ip link set {device} up"))?;
    }
    // A bucket of 1 ms of the rate; a queue of 50 ms.
    let bucket = (case.rate * 1e6 / 8.0 / 1e3).max(66_000.0);
    let rate = case.rate;
    first.run(&format!(
        "tc qdisc add dev hopA root tbf rate {rate}mbit burst {bucket:.0} latency 50ms"
    ))?;
    let received = thread::scope(|scope| {
        let receiver = scope.spawn(|| second.inside(|| receive(seconds)));
        let sender = scope.spawn(|| first.inside(|| send(seconds)));
        sender.join().expect("it sends")??;
        receiver.join().expect("it receives")?
    })?;
    let segment = f64::from(case.mtu);
    Ok(received * segment / (segment - HEADERS) / (case.rate * 1e6))
}

/// Bits per second that the program reads after the first second.
fn receive(seconds: u64) -> Result<f64, String> {
    let text = |error: std::io::Error| error.to_string();
    let listener = TcpListener::bind("10.78.0.2:5078").map_err(text)?;
    let (mut stream, _) = listener.accept().map_err(text)?;
    let mut piece = vec![0; 1 << 16];
    let (begun, mut first, mut bytes) = (Instant::now(), None, 0);
    loop {
        let read = stream.read(&mut piece).map_err(text)?;
        if begun.elapsed() >= Duration::from_secs(1) {
            first.get_or_insert_with(Instant::now);
            bytes += read;
        }
        if read == 0 || begun.elapsed() >= Duration::from_secs(seconds) {
            let time = first.map_or(0.0, |first| first.elapsed().as_secs_f64());
            return Ok(bytes as f64 * 8.0 / time);
        }
    }
}

fn send(seconds: u64) -> Result<(), String> {
    let begun = Instant::now();
    let mut stream = loop {
        match TcpStream::connect("10.78.0.2:5078") {
            Ok(stream) => break stream,
            Err(error) if begun.elapsed() > Duration::from_secs(2) => return Err(error.to_string()),
            Err(_) => thread::sleep(Duration::from_millis(5)),
        }
    };
    let piece = vec![0; 1 << 16];
    while begun.elapsed() < Duration::from_secs(seconds + 2) && stream.write(&piece).is_ok() {}
    Ok(())
}

/// A network namespace, held by a process that sleeps.
struct Space(Child);

impl Space {
    fn new() -> Result<Space, String> {
        let mut command = Command::new("unshare");
        command.args(["--net", "sh", "-c", "echo; exec sleep 1000"]).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("unshare: {error}"))?;
        // It writes one line when it is ready.
        let mut line = [0];
        let stdout = child.stdout.as_mut().expect("it is piped");
        stdout.read_exact(&mut line).map_err(|error| format!("unshare: {error}"))?;
        Ok(Space(child))
    }

    /// Runs a command in the namespace.
    fn run(&self, words: &str) -> Result<(), String> {
        let target = format!("--target={}", self.0.id());
        let mut command = Command::new("nsenter");
        command.args([target.as_str(), "--net", "--"]).args(words.split_whitespace());
        let output = command.output().map_err(|error| format!("nsenter: {error}"))?;
        if output.status.success() {
            return Ok(());
        }
        Err(format!("`{words}`: {}", String::from_utf8_lossy(&output.stderr).trim()))
    }

    /// Calls `work` on this thread, in the namespace.
    fn inside<T>(&self, work: impl FnOnce() -> T) -> Result<T, String> {
        let path = format!("/proc/{}/ns/net", self.0.id());
        let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
        let entered = nix::sched::setns(file, nix::sched::CloneFlags::CLONE_NEWNET);
        entered.map_err(|error| error.to_string())?;
        Ok(work())
    }
}

impl Drop for Space {
    fn drop(&mut self) {
        // It has no state to lose.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
