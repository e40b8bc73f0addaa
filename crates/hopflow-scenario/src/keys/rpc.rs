//! The keys of sources that are clients of request and response: NFS, and recorded calls.

use hopflow_network::transport::rpc::{EpochSpec, NfsSpec, RpcSpec, ServiceLaw};
use hopflow_units::{Picos, Probability};

use super::tcp::Clock;
use super::{Key, SPAN_OR_ZERO, Tab, Ty, key};
use crate::described::{
    Choice, Count, EVERY, Inner, Law, Maybe, Name, Number, Octets, OrUntilEpoch, SmallOctets, Span,
    Whole, choices, group, keys, taken,
};

/// The most bytes that a READ or WRITE moves.
pub(crate) const LARGEST_BLOCK: u32 = 8_192;
/// The largest file, as NFS version 2 has it.
const LARGEST_FILE: u64 = (1 << 31) - 1;
const NFS: &[&str] = &["nfs"];

keys! { pub(crate) OF_CLIENTS:
    of &["nfs", "rpc-replay"] => {
        FIRST_TIMEOUT: Clock = "first-timeout",
            "The time-out until a round trip has been measured, in whole ticks.",
            default(|_| RpcSpec::default().first_timeout, "1 s");
        SERVICE_TIME: ServiceTime = "service",
            "How long the server works on a call; it serves one at a time, in order of arrival.",
            default(|_| Picos::ZERO, "0 s");
    }
    of &["rpc-replay"] => {
        OUTSTANDING: Whole<1, { u32::MAX }> = "outstanding",
            "The most calls outstanding; others wait.",
            required("4");
    }
    of NFS => {
        SIZE_MEDIAN: Octets<1, LARGEST_FILE> = "size-median",
            "Median of the sizes of files, which are lognormal.",
            default(|_| NfsSpec::default().size_median, "6144 B");
        SIZE_SIGMA: Number<0> = "size-sigma",
            "Standard deviation of the logarithm of the sizes; 0: all are equal.",
            default(|_| NfsSpec::default().size_sigma, "1");
        BLOCK: SmallOctets<1, { LARGEST_BLOCK as u64 }> = "block",
            "Bytes that a READ asks for, at most 8192.",
            default(|_| NfsSpec::default().block, "8192 B");
        READ_AHEAD: Whole<1, 1_000> = "read-ahead", "The most READs outstanding.",
            default(|_| NfsSpec::default().read_ahead, "2");
        THINK: OrUntilEpoch<Span<true>> = "think",
            "Mean of the exponential think time between LOOKUP, GETATTR, READs and the next file, \
             or: until the next epoch.",
            default(|_| NfsSpec::default().think, "1.7 ms");
        START_WINDOW: Span<true> = "start-window",
            "The first call is made at a random time within this after the client's start.",
            default(|_| NfsSpec::default().start_window, "50 ms");
    }
}

pub(super) const EPOCHS_KEY: Key =
    key("epochs", Ty::Table(&EPOCHS), "Instants at which clients act together.")
        .of(NFS)
        .default("none");

keys! { pub(crate) OF_FILES:
    of NFS => {
        FILES: Maybe<Count<1, { u64::MAX }>> = "files", "How many files are read.",
            words("no end");
    }
}

keys! { OF_EPOCHS:
    of EVERY => {
        STREAM: Name = "stream", "Clients with the same name have the same instants.",
            default(|_| "epochs".to_owned(), "epochs");
        GAP: Clock = "gap", "Mean of the exponential gap between them, at least 1 us.",
            required("\"1 s\"");
        JOIN: Joining = "join", "The probability that a client joins one, at least 0.001.",
            default(|_| Probability::new(1.0).expect("1 is a probability"), "1");
        JITTER: Span<true> = "jitter", "A client that joins is late by a random time up to this.",
            default(|_| Picos::ZERO, "0 s");
    }
}

static EPOCHS: Tab = Tab {
    name: "epochs",
    doc: "Instants that clients have in common, as when one command is sent to many of them.",
    kinds: &[],
    keys: OF_EPOCHS,
};

group! {
    /// Instants that clients have in common.
    Epochs, Picos: { EpochSpec { stream, gap, join, jitter } } of {
        stream: STREAM,
        gap: GAP,
        join: JOIN,
        jitter: JITTER,
    } -> EpochSpec
}

/// The epochs of a client, if it has any.
pub(crate) const ITS_EPOCHS: Inner<Epochs> = Inner { key: EPOCHS_KEY, reads: Epochs };

keys! { OF_SERVICES:
    of EVERY => {
        LAW: Service = "kind", "`exponential` is rounded up to a ps.", required("\"exponential\"");
        MEAN: Span<true> = "mean", "Mean.", required("\"1 ms\"");
    }
}

static SERVICE: Tab = Tab {
    name: "service",
    doc: "The distribution of a service time.",
    kinds: Service::WORDS,
    keys: OF_SERVICES,
};

choices! {
    /// The distribution of a service time.
    Service by LAW, Picos:
        "fixed" = { ServiceLaw::Fixed(mean) } of { mean: MEAN }
        "exponential" = { ServiceLaw::Exponential(mean) } of { mean: MEAN }
    -> ServiceLaw
}

/// How long the server works at a call.
pub(crate) const SERVING: Law<ServiceTime, Service, ServiceLaw> =
    Law { bare: SERVICE_TIME, laws: Service, fixed: ServiceLaw::Fixed };

taken! { in Picos:
    /// A chance to join an epoch: clients look for the next one they join.
    Joining is Probability, Ty::Probability, |item, _, sink| {
        let join = item.probability(sink)?;
        if join.as_f64() < 0.001 {
            item.out_of_range(sink, &join.as_f64().to_string(), "from 0.001 to 1");
            return None;
        }
        Some(join)
    };

    /// A service time, or a table that has its distribution.
    ServiceTime is Picos, Ty::AnyOf(&[SPAN_OR_ZERO, Ty::Table(&SERVICE)]),
        |item, cell, sink| item.span(*cell, true, sink);
}
