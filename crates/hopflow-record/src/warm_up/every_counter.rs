//! Every counter of a run, each with a different value, before and after a warm-up.

use hopflow_network::counters::{
    DirectionCounters, FrameCounters, HopCounters, LaneCounters, LeafCounters, NodeCounters,
    RateCounters, SetUpCounters, SharedBufferCounters, VcCounters, WorkCounters,
};
use hopflow_network::traffic::CodedCounters;
use hopflow_network::transport::rpc::RpcCounters;
use hopflow_network::transport::tcp::{ReceiverCounters, SenderCounters};
use hopflow_network::transport::{EndpointCounters, HoldCounters};
use hopflow_network::{DelayHistogram, QueueLengths, RunCounters};
use hopflow_units::{Picos, SimTime};

use super::of_vcs;

/// A reading, or an expected combination of both.
#[derive(Clone, Copy, PartialEq)]
enum Reading {
    Before,
    After,
    Measured,
    Whole,
}
use Reading::{After, Before, Measured, Whole};

/// Generates the values of one reading: the n-th value is a multiple of n, so that a test detects
/// two swapped counters.
struct Fill {
    reading: Reading,
    asked: u64,
}

impl Fill {
    fn value(&mut self, [before, after, measured, whole]: [u64; 4]) -> u64 {
        self.asked += 1;
        let times = match self.reading {
            Before => before,
            After => after,
            Measured => measured,
            Whole => whole,
        };
        times * self.asked
    }

    /// A count of events: the measured value is the difference.
    fn count(&mut self) -> u64 {
        self.value([1, 3, 2, 3])
    }

    /// The current state.
    fn now(&mut self) -> u64 {
        self.value([5, 3, 3, 3])
    }

    /// A greatest value, which was restarted at the end of the warm-up.
    fn most(&mut self) -> u64 {
        self.value([6, 4, 4, 6])
    }

    fn small_now(&mut self) -> u32 {
        self.now() as u32
    }

    fn small_most(&mut self) -> u32 {
        self.most() as u32
    }

    fn span(&mut self) -> Picos {
        Picos(self.count())
    }

    fn area(&mut self) -> u128 {
        u128::from(self.count()) << 70
    }

    /// Delays, which were restarted at the end of the warm-up.
    fn delay(&mut self) -> DelayHistogram {
        self.asked += 1;
        let mut delay = DelayHistogram::default();
        if self.reading == Before || self.reading == Whole {
            delay.record(1_000 + self.asked);
        }
        if self.reading != Before {
            delay.record(10_000 + self.asked);
        }
        delay
    }

    fn lengths(&mut self) -> QueueLengths {
        let mut lengths = QueueLengths::default();
        let parts = [7, 2, 2, 9];
        lengths.time = vec![Picos(self.value(parts)), Picos(self.value(parts))];
        lengths.arrivals = vec![0, self.value(parts)];
        lengths
    }

    fn hop(&mut self) -> HopCounters {
        HopCounters {
            sent_packets: self.count(),
            left_packets: self.count(),
            fill_packets: self.small_now(),
            fill_max_packets: self.small_most(),
            fill_area: self.area(),
            no_cell: self.span(),
            no_credit: self.span(),
            no_credit_count: self.count(),
            blocked_since: Some(SimTime(self.now())),
            given_up_packets: self.count(),
            pushed_out_packets: self.count(),
            slow_down_messages: self.count(),
            deleted: Some(SimTime(self.now())),
            request_cells: self.count(),
            credits_taken: self.count(),
            credits_corrupted: self.count(),
            received_packets: self.count(),
            corrupted_packets: self.count(),
            dropped_packets: self.count(),
            overrun_packets: self.count(),
            credits_sent: self.count(),
            credits_left_out: self.count(),
            credits_falsified: self.count(),
            credits_shared: self.count(),
            allocation_cells: self.small_now(),
            is_reserved: self.reading != Before,
            rate: RateCounters {
                forward_made: self.count(),
                turned_around: self.count(),
                backward_taken: self.count(),
                acr: self.now(),
                backward_made: self.count(),
            },
        }
    }

    fn leaf(&mut self) -> LeafCounters {
        LeafCounters {
            delivered_packets: self.count(),
            delivered_bytes: self.count(),
            // The first of both parts is that before, the last that after.
            first: Some(SimTime(self.value([1, 2, 2, 1]))),
            last: Some(SimTime(self.value([1, 2, 2, 2]))),
            delay: self.delay(),
            waiting: Some(self.delay()),
            packets: Some(FrameCounters {
                whole_frames: self.count(),
                whole_bytes: self.count(),
                broken_frames: self.count(),
                wasted_packets: self.count(),
                delay: self.delay(),
            }),
        }
    }

    fn work(&mut self) -> WorkCounters {
        WorkCounters {
            busy: self.span(),
            sent_packets: self.count(),
            received_packets: self.count(),
            credits: self.count(),
            waiting: self.small_now(),
            waiting_max: self.small_most(),
            longest_wait: Picos(self.most()),
            undelivered_packets: self.small_now(),
        }
    }

    fn lane(&mut self) -> LaneCounters {
        LaneCounters {
            lane: 3,
            shut: self.span(),
            shut_count: self.count(),
            shut_since: Some(SimTime(self.now())),
            pauses_sent: self.count(),
            frames_sent: self.count(),
            frames_taken: self.count(),
            frames_corrupted: self.count(),
            held_max: self.most(),
            watchdog_packets: self.count(),
            frames_falsified: self.count(),
            overrun_packets: self.count(),
        }
    }

    fn direction(&mut self) -> DirectionCounters {
        DirectionCounters {
            data_packets: self.count(),
            control_packets: self.count(),
            busy: self.span(),
            queue_packets: self.small_now(),
            queue_max_packets: self.small_most(),
            lengths: Some(self.lengths()),
            shared_buffer: Some(SharedBufferCounters {
                held_cells: self.small_now(),
                held_max_cells: self.small_most(),
            }),
            data_in_flight: self.now(),
            control_in_flight: self.now(),
            lanes: vec![self.lane()],
            marked_packets: self.count(),
            reserved_bps: self.now(),
            reserved_max_bps: self.most(),
            refused_set_ups: self.count(),
            fair_rate: Some(self.now()),
            hash: self.now(),
        }
    }

    /// Windows, round trips and time-outs of TCP are those since the beginning in both.
    fn tcp_sender(&mut self) -> SenderCounters {
        SenderCounters {
            segments: self.count(),
            retransmitted_segments: self.count(),
            retransmitted_bytes: self.count(),
            timeouts: self.count(),
            fast_retransmits: self.count(),
            mark_cuts: self.count(),
            acked_bytes: self.count(),
            marked_bytes: self.count(),
            acks: self.count(),
            duplicate_acks: self.count(),
            samples: self.count(),
            window_bytes: self.small_now(),
            cwnd_bytes: self.small_now(),
            cwnd_bytes_max: self.small_now(),
            ssthresh_bytes: self.small_now(),
            srtt: Picos(self.now()),
            srtt_max: Picos(self.now()),
            rto: Picos(self.now()),
            rto_max: Picos(self.now()),
            finished: Some(SimTime(self.now())),
        }
    }

    fn holds(&mut self) -> HoldCounters {
        HoldCounters {
            pacing_ps: self.count(),
            host_ps: self.count(),
            peer_ps: self.count(),
            application_ps: self.count(),
            receive_window_ps: self.count(),
            growth_ps: self.count(),
            marks_ps: self.count(),
            loss_ps: self.count(),
            time_out_ps: self.count(),
        }
    }

    fn tcp_receiver(&mut self) -> ReceiverCounters {
        ReceiverCounters {
            segments: self.count(),
            delivered_bytes: self.count(),
            new_bytes: self.count(),
            duplicate_bytes: self.count(),
            out_of_order_segments: self.count(),
            acks: self.count(),
            delayed_acks: self.count(),
        }
    }

    fn rpc(&mut self) -> RpcCounters {
        RpcCounters {
            calls: self.count(),
            replies: self.count(),
            retransmissions: self.count(),
            timeouts: self.count(),
            duplicates: self.count(),
            read_bytes: self.count(),
            written_bytes: self.count(),
            response: self.delay(),
            transfer: self.delay(),
        }
    }

    fn coded(&mut self) -> CodedCounters {
        CodedCounters {
            frames: self.count(),
            cells: self.count(),
            // The lesser of both parts is that before.
            least_cells: Some(self.value([1, 2, 2, 1])),
            most_cells: self.most(),
            changes: self.count(),
            changed_cells: self.count(),
        }
    }

    fn vc(&mut self, endpoint: EndpointCounters) -> VcCounters {
        VcCounters {
            created_packets: self.count(),
            policed_packets: self.count(),
            sent_frames: self.count(),
            endpoint: Some(endpoint),
            holds: Some(self.holds()),
            coded: Some(self.coded()),
            hops: vec![self.hop(), self.hop()],
            leaves: vec![self.leaf()],
            ack_cells: self.count(),
            acked_cells: self.count(),
            set_up: SetUpCounters {
                asked: self.count(),
                admitted: self.count(),
                refused: self.count(),
                released: self.count(),
                took: self.span(),
                refused_hop: Some(self.small_now()),
            },
        }
    }
}

/// A run in which every counter has a different value. Written without `..`, so that a new counter
/// must be added here.
fn counters(reading: Reading) -> RunCounters {
    let mut fill = Fill { reading, asked: 0 };
    let endpoints = [
        EndpointCounters::TcpSender(fill.tcp_sender()),
        EndpointCounters::TcpReceiver(fill.tcp_receiver()),
        EndpointCounters::RpcClient(fill.rpc()),
        EndpointCounters::RpcServer(fill.rpc()),
    ];
    RunCounters {
        now: SimTime(if reading == Before { 5 } else { 10 }),
        vcs: endpoints.map(|endpoint| fill.vc(endpoint)).to_vec(),
        directions: vec![fill.direction(), fill.direction()],
        nodes: vec![NodeCounters {
            buffered_packets: fill.small_now(),
            buffered_max_packets: fill.small_most(),
            buffered_area: fill.area(),
            memory_max_bytes: fill.most(),
            work: fill.work(),
        }],
    }
}

/// Claim: each counter of a run is combined according to its kind. A count, span or integral is the
/// difference in the measured part and the second reading in the whole; the current state is that
/// of the second reading; a greatest value, delays and lengths are those of the second part, and of
/// both together in the whole.
#[test]
fn every_counter_is_put_together_as_its_kind() {
    let (before, after) = (counters(Before), counters(After));
    let [whole, measured] = of_vcs(&before, 0..before.vcs.len(), &after);
    assert_eq!(measured, counters(Measured));
    assert_eq!(whole, counters(Whole));
}
