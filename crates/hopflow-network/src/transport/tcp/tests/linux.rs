//! NewReno beside the TCP of the Linux kernel, where a test may open network namespaces.
//!
//! Two namespaces and a pair of virtual links; the way there goes through a token bucket of 8 Mb/s
//! with a queue of 30 packets. The test runs itself once in each namespace as the peer.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use hopflow_units::{Picos, SimTime};

use super::super::{TcpAcks, TcpSpec, TcpTimers, Transfer};
use super::channel::{Connection, Link, Losses, MILLI};

const ROLE: &str = "HOPFLOW_LINUX_TCP";
const ADDRESS: &str = "192.0.2.2:4321";
const WARM_UP: Duration = Duration::from_secs(2);
const MEASURED: Duration = Duration::from_secs(6);
/// Wire bytes of a segment: Ethernet, IP, TCP and time stamps around 1,448 bytes.
const PACKET: u32 = 14 + 52 + 1_448;

const SCRIPT: &str = r#"
set -e
mount -t tmpfs none /run
mkdir /run/netns
ip netns add left
ip netns add right
ip link add name left0 type veth peer name right0
ip link set left0 netns left
ip link set right0 netns right
ip -n left addr add 192.0.2.1/24 dev left0
ip -n right addr add 192.0.2.2/24 dev right0
ip -n left link set left0 up
ip -n right link set right0 up
tc -n left qdisc add dev left0 root tbf rate 8mbit burst 1600 limit 45420
test="transport::tcp::tests::linux::reno_is_like_the_kernel"
HOPFLOW_LINUX_TCP=right ip netns exec right "$0" --exact "$test" > /dev/null &
trap "kill $! 2> /dev/null" EXIT
HOPFLOW_LINUX_TCP=left ip netns exec left "$0" --exact "$test" --nocapture
wait
"#;

/// Segments sent and sent again while it was measured.
#[derive(Clone, Copy, Debug)]
struct Counts {
    segments: f64,
    again: f64,
}

/// Claim: over a queue of 30 packets at 8 Mb/s Linux's Reno and NewReno here send as many segments
/// in 6 s (the link's 660 a second, within 5 %) and lose about as many: the window swings between
/// half of 31 and 31 packets of 1.514 ms, one more per round trip, so a cycle lasts 3/8 x 31^2 x
/// 1.514 ms = 0.55 s and loses one packet: 11. The kernel acknowledges every second segment but
/// counts the bytes, so here every segment is acknowledged. It paces, and its bursts vary: within a
/// factor of 2. The kernel goes by the clock of the machine: where others take its cores the link
/// stands still for a while, so a run that is not near is measured again, twice at most.
#[test]
fn reno_is_like_the_kernel() {
    match std::env::var(ROLE).as_deref() {
        Ok("left") => return send(),
        Ok(_) => return receive(),
        Err(_) => {}
    }
    let model = model();
    assert!((3_840.0..4_080.0).contains(&model.segments), "{model:?}");
    assert!((9.0..=13.0).contains(&model.again), "{model:?}");
    let near = |a: f64, b: f64, factor: f64| a < b * factor && b < a * factor;
    let is_near = |kernel: Counts| {
        near(kernel.segments, model.segments, 1.05) && near(kernel.again, model.again, 2.0)
    };
    let mut measured = Vec::new();
    for _ in 0..3 {
        match kernel() {
            Err(reason) => {
                return eprintln!("skipped beside Linux: no network namespaces here: {reason}");
            }
            Ok(kernel) if is_near(kernel) => return,
            Ok(kernel) => measured.push(kernel),
        }
    }
    panic!("the kernel: {measured:?}, here: {model:?}");
}

/// The same path in the simulator.
fn model() -> Counts {
    let spec = TcpSpec {
        mss: 1_448,
        header: 52 + 14,
        window: 1 << 20,
        scale: 7,
        initial_window: 10,
        timers: TcpTimers::Fine { granularity: Picos(MILLI), min: Picos(200 * MILLI) },
        acks: TcpAcks::EverySegment,
        transfer: Transfer::Infinite,
        ..TcpSpec::newreno()
    };
    assert_eq!(spec.largest_packet(), PACKET);
    let mut there = Link::new(1_000_000, Picos(MILLI / 100), Losses::None);
    there.limit = 31; // one on the wire
    let back = Link::new(0, Picos(MILLI / 100), Losses::None);
    let mut connection = Connection::new(&spec, there, back);
    connection.traced = false;
    let mut counters = || {
        let until = connection.now.0 + WARM_UP.as_millis() as u64 * MILLI;
        connection.run(SimTime(until));
        connection.sender.counters()
    };
    let before = counters();
    let after = [(); 3].map(|()| counters())[2];
    Counts {
        segments: (after.segments - before.segments) as f64,
        again: (after.retransmitted_segments - before.retransmitted_segments) as f64,
    }
}

/// The same path in the kernel, or why not.
fn kernel() -> Result<Counts, String> {
    let exe = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new("unshare");
    command.args(["--net", "--mount", "bash", "-c", SCRIPT]).arg(exe);
    let output = command.output().map_err(|error| format!("unshare: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find_map(|line| line.split_once("linux-tcp "));
    let Some((_, numbers)) = line else {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    };
    let mut numbers = numbers.split(' ').filter_map(|number| number.parse().ok());
    let mut next = || numbers.next().ok_or_else(|| "no numbers".to_owned());
    Ok(Counts { segments: next()?, again: next()? })
}

/// The peer that sends: says what the kernel counted.
fn send() {
    std::fs::write("/proc/sys/net/ipv4/tcp_congestion_control", "reno").expect("Reno is there");
    let tries = (0..250).find_map(|_| {
        sleep(Duration::from_millis(20));
        TcpStream::connect(ADDRESS).ok()
    });
    let mut stream = tries.expect("the peer listens within 5 s");
    let data = [0; 1 << 14];
    let write_for = |stream: &mut TcpStream, span: Duration| {
        let start = Instant::now();
        while start.elapsed() < span {
            stream.write_all(&data).expect("the peer reads");
        }
        counted()
    };
    let before = write_for(&mut stream, WARM_UP);
    let after = write_for(&mut stream, MEASURED);
    println!("\nlinux-tcp {} {}", after.0 - before.0, after.1 - before.1);
}

/// The peer that receives.
fn receive() {
    let listener = TcpListener::bind(ADDRESS).expect("the address is ours");
    let (mut stream, _) = listener.accept().expect("the peer connects");
    let mut data = [0; 1 << 14];
    while stream.read(&mut data).is_ok_and(|bytes| bytes > 0) {}
}

/// OutSegs and RetransSegs of this namespace: the kernel counts segments sent again in the latter
/// only.
fn counted() -> (u64, u64) {
    let text = std::fs::read_to_string("/proc/net/snmp").expect("the kernel counts");
    let mut lines = text.lines().filter(|line| line.starts_with("Tcp:"));
    let (names, values) = (lines.next().expect("names"), lines.next().expect("values"));
    let value = |name: &str| {
        let at = names.split(' ').position(|other| other == name).expect("a counter");
        values.split(' ').nth(at).and_then(|value| value.parse::<u64>().ok()).expect("a number")
    };
    (value("OutSegs"), value("RetransSegs"))
}
