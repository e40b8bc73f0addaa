//! Connections: transport protocols between two hosts, and how their packets become cells.

use hopflow_units::Rate;

use super::SizeLaw;
use crate::transport::aal5::Encapsulation;
use crate::transport::live::LiveSpec;
use crate::transport::rpc::RpcSpec;
use crate::transport::tcp::TcpSpec;

/// One connection: a VC in each direction, and an endpoint at each of the two hosts.
#[derive(Clone, Debug, PartialEq)]
pub struct ConnectionSpec {
    /// Unique name, which is also the owner of the endpoints' random streams.
    pub name: String,
    /// The VC from the first host (it sends the data, or the requests) to the second. Its source
    /// is [`crate::SourceSpec::Endpoint`]; unicast.
    pub forward: usize,
    /// The VC in the other direction, with the same properties.
    pub backward: usize,
    /// The protocol of the endpoints.
    pub protocol: ProtocolSpec,
    /// The greatest sending rate of each host, in bits of packets (from the IP header on) per
    /// second: the first host, the second.
    pub send_limits: [Option<Rate>; 2],
}

/// The protocol of the endpoints of a connection.
#[derive(Clone, Debug, PartialEq)]
pub enum ProtocolSpec {
    /// The first host sends data over TCP.
    Tcp(TcpSpec),
    /// The first host is a client that calls, the second its server.
    Rpc(RpcSpec),
    /// Packets come from outside the simulation.
    Live(LiveSpec),
}

impl ProtocolSpec {
    /// Whether its data may be marked with congestion experienced.
    pub const fn heeds_marks(&self) -> bool {
        match self {
            ProtocolSpec::Tcp(tcp) => tcp.variant.facts().heeds_marks,
            ProtocolSpec::Rpc(_) | ProtocolSpec::Live(_) => false,
        }
    }

    /// The index of its congestion control, if that comes from outside hopflow.
    pub const fn external(&self) -> Option<u16> {
        match self {
            ProtocolSpec::Tcp(tcp) => tcp.variant.external(),
            ProtocolSpec::Rpc(_) | ProtocolSpec::Live(_) => None,
        }
    }
}

/// AAL5: a packet of the source, its encapsulation and a trailer of 8 bytes, padded to whole
/// cells of 48 bytes of payload.
#[derive(Clone, Debug, PartialEq)]
pub struct FramingSpec {
    /// Sizes of the packets of a source that is not an endpoint, from the IP header on.
    pub packet: SizeLaw,
    /// How the protocols on the VC are distinguished.
    pub encapsulation: Encapsulation,
}
