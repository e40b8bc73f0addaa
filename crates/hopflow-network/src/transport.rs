//! Endpoints of transport protocols: the behaviour of the two hosts of a connection.
//!
//! An endpoint is a plain state machine. It receives events (the arrival of a whole packet, an
//! instant that it requested), and answers what it sends. It knows neither cells nor queues nor
//! links: the engine cuts packets into cells, and asks an endpoint to send while its host's queue
//! has room.
//!
//! ```text
//! packet arrives --> arrive        next: how large a packet it would send now, if any
//! timer expires  --> expire        send: makes that packet
//!                    timer: the next instant at which it must be called
//! ```

pub mod aal5;
pub mod frame_discard;
pub mod frames;
mod hold;
pub mod host;
pub mod live;
pub mod rpc;
pub mod tcp;

use hopflow_control::external::Fault;
use hopflow_units::SimTime;

use crate::counters::{Combined, Part};
use crate::{ConnectionSpec, ProtocolSpec, VcSpec};

pub use hold::{Hold, HoldCounters};

/// A packet as an endpoint sees it: an IP packet with the contents of its transport header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Bytes from the IP header on, without what AAL5 or a link adds.
    pub bytes: u32,
    /// Its message.
    pub payload: Payload,
    /// Whether a port on its path has marked it with congestion experienced.
    pub marked: bool,
}

impl Packet {
    /// An unmarked packet.
    pub const fn new(bytes: u32, payload: Payload) -> Packet {
        Packet { bytes, payload, marked: false }
    }
}

/// The message of a packet to the other endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payload {
    /// Nothing but its bytes (UDP from a plain source).
    Plain,
    /// A TCP segment.
    Tcp(tcp::Segment),
    /// A request or a reply.
    Rpc(rpc::Message),
    /// The packet of this number from outside the simulation.
    Live(u64),
}

/// The counters of an endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndpointCounters {
    /// The sending end.
    TcpSender(tcp::SenderCounters),
    /// The receiving end.
    TcpReceiver(tcp::ReceiverCounters),
    /// A client of request and response.
    RpcClient(rpc::RpcCounters),
    /// Its server.
    RpcServer(rpc::RpcCounters),
    /// An end whose packets come from outside: they are counted as frames.
    Live,
}

impl Combined for EndpointCounters {
    fn combined(before: &EndpointCounters, after: &EndpointCounters, part: Part) -> Self {
        use EndpointCounters::{Live, RpcClient, RpcServer, TcpReceiver, TcpSender};
        match (before, after) {
            (TcpSender(b), TcpSender(a)) => TcpSender(Combined::combined(b, a, part)),
            (TcpReceiver(b), TcpReceiver(a)) => TcpReceiver(Combined::combined(b, a, part)),
            (RpcClient(b), RpcClient(a)) => RpcClient(Combined::combined(b, a, part)),
            (RpcServer(b), RpcServer(a)) => RpcServer(Combined::combined(b, a, part)),
            (Live, Live) => Live,
            _ => panic!("counters of another network"),
        }
    }
}

/// One end of a connection.
#[derive(Debug)]
pub enum Endpoint {
    /// The end that sends data, and receives acknowledgements.
    TcpSender(Box<tcp::Sender>),
    /// The end that receives data, and acknowledges it.
    TcpReceiver(tcp::Receiver),
    /// A client of request and response.
    RpcClient(Box<rpc::Client>),
    /// Its server.
    RpcServer(Box<rpc::Server>),
    /// An end whose packets come from outside.
    Live(live::End),
}

macro_rules! each {
    ($self:expr, $machine:ident => $result:expr) => {
        match $self {
            Endpoint::TcpSender($machine) => $result,
            Endpoint::TcpReceiver($machine) => $result,
            Endpoint::RpcClient($machine) => $result,
            Endpoint::RpcServer($machine) => $result,
            Endpoint::Live($machine) => $result,
        }
    };
}

impl Endpoint {
    /// A whole packet has arrived from the other end. Panics if it belongs to another protocol.
    pub fn arrive(&mut self, packet: Packet, now: SimTime) {
        each!(self, machine => machine.arrive(packet, now));
    }

    /// The next instant at which it must be called, if any; an instant in the past means now.
    pub fn timer(&self) -> Option<SimTime> {
        each!(self, machine => machine.timer())
    }

    /// Advances to `now`. Nothing happens if no timer is due.
    pub fn expire(&mut self, now: SimTime) {
        each!(self, machine => machine.expire(now));
    }

    /// The size of the packet it would send now, in bytes; `None`: nothing to send now.
    pub fn next(&self, now: SimTime) -> Option<u32> {
        each!(self, machine => machine.next(now))
    }

    /// The packet that [`Endpoint::next`] announced goes to the host's queue.
    pub fn send(&mut self, now: SimTime) -> Packet {
        each!(self, machine => machine.send(now))
    }

    /// Why it sends nothing at `now`, the state being that after its last call.
    pub fn hold(&self, now: SimTime) -> Hold {
        match self.next(now) {
            Some(_) => Hold::Host,
            None => each!(self, machine => machine.reason(now)),
        }
    }

    /// When its reason may change although nothing happens, if at all: at the end of its data.
    pub fn stop(&self) -> Option<SimTime> {
        match self {
            Endpoint::TcpSender(sender) => Some(sender.stop()),
            _ => None,
        }
    }

    /// Resets the counters that cannot be subtracted later: response times.
    pub fn restart_statistics(&mut self) {
        if let Endpoint::RpcClient(client) = self {
            client.restart_statistics();
        }
    }

    /// Why its external machine is not called any more.
    pub fn fault(&self) -> Option<&Fault> {
        match self {
            Endpoint::TcpSender(sender) => sender.fault(),
            _ => None,
        }
    }

    /// Its counters.
    pub fn counters(&self) -> EndpointCounters {
        match self {
            Endpoint::TcpSender(machine) => EndpointCounters::TcpSender(machine.counters()),
            Endpoint::TcpReceiver(machine) => EndpointCounters::TcpReceiver(machine.counters()),
            Endpoint::RpcClient(machine) => EndpointCounters::RpcClient(machine.counters().clone()),
            Endpoint::RpcServer(machine) => EndpointCounters::RpcServer(machine.counters().clone()),
            Endpoint::Live(_) => EndpointCounters::Live,
        }
    }

    /// Both endpoints of a connection: the first host's, the second's. `vc` is the VC of the first;
    /// it has start and stop. `seed` is the seed of the scenario. The network adds the external
    /// machines, see `NetworkSpec::new_endpoints`.
    pub fn pair(connection: &ConnectionSpec, vc: &VcSpec, seed: u64) -> [Endpoint; 2] {
        match &connection.protocol {
            ProtocolSpec::Tcp(tcp) => [
                Endpoint::TcpSender(Box::new(tcp::Sender::new(tcp, vc.start, vc.stop))),
                Endpoint::TcpReceiver(tcp::Receiver::new(tcp)),
            ],
            ProtocolSpec::Rpc(rpc) => {
                let (name, stop) = (&connection.name, vc.stop.unwrap_or(SimTime::NEVER));
                let client = rpc::Client::new(rpc, name, vc.start, stop, seed);
                let server = rpc::Server::new(rpc, name, seed);
                [Endpoint::RpcClient(Box::new(client)), Endpoint::RpcServer(Box::new(server))]
            }
            ProtocolSpec::Live(spec) => {
                [0, 1].map(|side| Endpoint::Live(live::End::new(&spec.ends[side])))
            }
        }
    }
}
