//! Traffic contract of a flow: token buckets that hold for all of its random numbers.
//!
//! ```text
//! bits that arrive in any closed span [s, t]  <=  sigma + rho (t - s)            (1)
//! after a delay of d_min to d_max:  sigma' = sigma + rho (d_max - d_min)         (2)
//! ```
//! | symbol | meaning                                        | unit        |
//! |--------|------------------------------------------------|-------------|
//! | sigma  | the burst, which holds at least one packet     | bits        |
//! | rho    | its greatest long-term rate                    | bits per ps |
//! | L      | the flow's largest packet                      | bits        |
//! | T      | its time on the first link; of GCRA: increment | ps          |
//! | H      | half period of an alternating source           | ps          |
//! | AIR, AI| packets and span of the envelope               | packets, ps |
//! | g      | least and average gap of the envelope          | ps          |
//!
//! A flow conforms to several buckets at once; each is a separate contract.
//!
//! | source                        | sigma                 | rho                              |
//! |-------------------------------|-----------------------|----------------------------------|
//! | every k-th, phased            | L                     | L / gap                          |
//! | constant                      | L (+ rho x 1 ps if its instants are rounded) | its rate  |
//! | on-off, peak                  | L                     | rate of the first link           |
//! | on-off, B packets, silence S  | B L - rho (B - 1) T   | B L / (B T + S)                  |
//! | alternating, peak             | L + rho x 1 ps        | the greater rate                 |
//! | alternating, mean m           | L + (high - m) H + .. | m                                |
//! | train                         | L                     | L / spacing                      |
//! | replay                        | by Eq. (1), scanned   | of a few rates, and 0            |
//! | greedy, Poisson               | none                  |                                  |
//! | envelope, peak                | L                     | L / g_min                        |
//! | envelope, mean                | L + AIR (L - g_min rho) | L times Eq. (4)                  |
//! | strict envelope               | AIR L                 | AIR L / AI                       |
//! | token bucket                  | its depth             | its rate                         |
//! | GCRA                          | L (1 + tau / T)       | L / T                            |
//! | leaky bucket A                | L                     | L / period                       |
//!
//! The envelope's mean: the gap after a packet is shorter than g_avg only if AI has passed since
//! the AIR-th packet before it, so going back in time AIR + 1 gaps last AI + g_min at least, until
//! fewer than AIR are left. This is slightly faster than one packet per g_avg. The difference over
//! the whole run gives a third bucket, of rate 1 / g_avg.
//! ```text
//! packets per ps = max(1 / g_avg, (AIR + 1) / (AI + g_min))                      (4)
//! ```
//!
//! The strict envelope: packets n and n + AIR are at least AI apart, so a closed span d has at most
//! AIR (floor(d / AI) + 1) packets.
//!
//! A policer removes packets, so the contract of the source holds after it, too. After a shaper
//! only the shaper's bucket counts; the time for which it holds a packet is bounded by its buffer
//! (n packets wait at most n times as long as one), or by Eq. (3) if the source has a bucket:
//! ```text
//! shaping <= (sigma_source - sigma) / rho,   rho_source <= rho                   (3)
//! ```
//! plus a picosecond for each packet of the run if its release instants are rounded up, because a
//! full bucket accepts no more tokens.
//!
//! Slow-down messages only reduce the rate of a source, so its contract holds with them too.
//!
//! Source: [Cruz91] for (1) and (2), [Zhang90] Appendix A for the envelope; the rest is derived
//! here. Checked by: `tests/contracts.rs`, against the packets of the sources.

use hopflow_network::traffic::Arrivals;
use hopflow_network::{
    EnvelopeRule, EnvelopeSpec, Excess, LengthLaw, NetworkSpec, PolicingRule, SizeLaw, SpanLaw,
    VcSpec, Wire,
};
use hopflow_units::{Bytes, Picos, Rate};

/// A token bucket to which a flow conforms: Eq. (1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bucket {
    /// In bits.
    pub(super) sigma: f64,
    /// In bits per picosecond.
    pub(super) rho: f64,
}

impl Bucket {
    /// Eq. (2).
    pub(super) fn delayed(self, jitter: f64) -> Bucket {
        Bucket { sigma: self.sigma + self.rho * jitter, rho: self.rho }
    }
}

/// The contract of a flow at its host's queue.
#[derive(Clone, Debug)]
pub(super) struct Contract {
    /// All of them hold; empty: none is known.
    pub(super) buckets: Vec<Bucket>,
    /// The reason why there is no bucket, or no better one.
    pub(super) lacks: &'static str,
    /// The longest time for which a shaper holds a packet, in ps.
    pub(super) shaping: f64,
}

/// A rate in bits per picosecond.
pub(super) fn per_picosecond(rate: Rate) -> f64 {
    rate.bps() as f64 / Picos::PER_SECOND as f64
}

/// The same where the host may work on the packets first: they wait for others of the host.
pub(super) fn at_queue(spec: &NetworkSpec, vc: &VcSpec, first: Rate, run: f64) -> Contract {
    if spec.send_work(vc) == Picos::ZERO {
        return contract(vc, first, run);
    }
    let lacks = "its packets wait for the processor of its host, and how long is not worked out";
    Contract { buckets: Vec::new(), lacks, shaping: 0.0 }
}

/// The contract of the flow `vc` at its host's queue in a run of `run` ps; `first` is the rate of
/// its first link.
pub(super) fn contract(vc: &VcSpec, first: Rate, run: f64) -> Contract {
    let mut contract = at_the_edge(vc, first, run);
    // A period of zero gives no bucket.
    contract.buckets.retain(|bucket| bucket.sigma.is_finite() && bucket.rho.is_finite());
    contract
}

fn at_the_edge(vc: &VcSpec, first: Rate, run: f64) -> Contract {
    if vc.framing.is_some() && !vc.source.is_endpoint() {
        let lacks = "the cells of a packet come at once, and this is not worked out";
        return Contract { buckets: Vec::new(), lacks, shaping: 0.0 };
    }
    if vc.rate.is_some() {
        let lacks = "rate control holds its cells back, and puts RM cells between them";
        return Contract { buckets: Vec::new(), lacks, shaping: 0.0 };
    }
    let largest = vc.traffic.size.most().bits() as f64;
    let (mut buckets, lacks) = match source(vc, first) {
        Ok(buckets) => (buckets, "nothing limits its rate"),
        Err(lacks) => (Vec::new(), lacks),
    };
    if let (Some(envelope), false) = (vc.traffic.envelope, vc.source.is_greedy()) {
        buckets.extend(of_envelope(envelope, largest, run));
    }
    let mut contract = Contract { buckets, lacks, shaping: 0.0 };
    let greedy = vc.source.is_greedy();
    let Some(policing) = vc.traffic.policing.filter(|_| !greedy) else { return contract };
    let (bucket, step, by_packets) = of_rule(policing.rule, largest);
    let room = match (policing.rule, policing.excess) {
        (PolicingRule::LeakyBucket { packets, .. }, _) | (_, Excess::Delayed { packets }) => {
            packets
        }
        (_, Excess::Only) => return contract,
        (_, Excess::Discarded | Excess::Elsewhere) => {
            contract.buckets.push(bucket);
            return contract;
        }
    };
    let comparable = !by_packets || vc.traffic.size.fixed().is_some();
    let slower = contract.buckets.iter().filter(|source| comparable && source.rho <= bucket.rho);
    let by_source = slower.map(|source| {
        let packets = (source.sigma + source.rho * run) / vc.traffic.size.least().bits() as f64;
        let rounding = if is_exact(policing.rule, &vc.traffic.size) { 0.0 } else { packets };
        ((source.sigma - bucket.sigma) / bucket.rho).max(0.0) + rounding
    });
    let shaping = by_source.fold(f64::from(room) * step, f64::min); // Eq. (3)
    Contract { buckets: vec![bucket], lacks, shaping }
}

/// Whether a shaper of this rule releases packets at whole picoseconds without rounding.
fn is_exact(rule: PolicingRule, size: &SizeLaw) -> bool {
    match rule {
        PolicingRule::TokenBucket { rate, burst } => {
            is_whole(rate, size) && is_whole(rate, &SizeLaw::Fixed(burst))
        }
        PolicingRule::LeakyBucket { .. } | PolicingRule::Gcra { .. } => true,
    }
}

/// The bucket of a rule; the greatest delay by each waiting packet, in ps; whether the rule counts
/// packets, not bits.
fn of_rule(rule: PolicingRule, largest: f64) -> (Bucket, f64, bool) {
    match rule {
        PolicingRule::LeakyBucket { period, .. } => {
            let period = period.0 as f64;
            (Bucket { sigma: largest, rho: largest / period }, period, true)
        }
        PolicingRule::TokenBucket { rate, burst } => {
            let bucket = Bucket { sigma: burst.bits() as f64, rho: per_picosecond(rate) };
            (bucket, (largest / bucket.rho).ceil(), false)
        }
        PolicingRule::Gcra { increment, limit } => {
            let (step, limit) = (increment.0 as f64, limit.0 as f64);
            let rho = largest / step;
            (Bucket { sigma: largest + rho * limit, rho }, step, true)
        }
    }
}

fn of_envelope(spec: EnvelopeSpec, largest: f64, run: f64) -> Vec<Bucket> {
    let (air, interval) = (f64::from(spec.packets), spec.interval.0 as f64);
    let EnvelopeRule::Gaps { least_gap, average_gap } = spec.rule else {
        return vec![Bucket { sigma: air * largest, rho: air * largest / interval }];
    };
    let (least, average) = (least_gap.0 as f64, average_gap.0 as f64);
    let mut buckets = Vec::new();
    if least > 0.0 {
        buckets.push(Bucket { sigma: largest, rho: largest / least });
    }
    if average > 0.0 {
        let rate = ((air + 1.0) / (interval + least)).max(1.0 / average);
        let burst = 1.0 + air * (1.0 - least * rate).max(0.0);
        buckets.push(Bucket { sigma: largest * burst, rho: largest * rate });
        let burst = burst + (rate - 1.0 / average) * run;
        buckets.push(Bucket { sigma: largest * burst, rho: largest / average });
    }
    buckets
}

/// The buckets of a source without envelope and policing, or the reason why there are none.
fn source(vc: &VcSpec, first: Rate) -> Result<Vec<Bucket>, &'static str> {
    let largest = vc.traffic.size.most().bits() as f64;
    let longest = first.transmit_time(vc.traffic.size.most()).map_or(f64::INFINITY, |t| t.0 as f64);
    let every = |gap: f64| Ok(vec![Bucket { sigma: largest, rho: largest / gap }]);
    let steady = |rho: f64, more: f64| Bucket { sigma: largest + more + rho, rho };
    match vc.source.arrivals() {
        Arrivals::Unlimited(why) => Err(why),
        Arrivals::PacketTimes(k) => every(k as f64 * longest),
        Arrivals::Gaps { least, .. } => every(least?.0 as f64),
        Arrivals::Steady(rate) => {
            let rho = per_picosecond(rate);
            let bucket = Bucket { sigma: largest, rho };
            Ok(vec![if is_whole(rate, &vc.traffic.size) { bucket } else { steady(rho, 0.0) }])
        }
        Arrivals::Alternating { rates, half_period } => {
            let [low, high] = rates.map(|rate| rate.map_or(0.0, per_picosecond));
            let (mean, peak) = (f64::midpoint(low, high), low.max(high));
            let more = (peak - mean) * half_period.0 as f64 + peak;
            Ok(vec![steady(peak, 0.0), steady(mean, more)])
        }
        Arrivals::Bursts { burst, off } => {
            let peak = Bucket { sigma: largest, rho: per_picosecond(first) };
            Ok(on_off_mean(burst, off, largest, longest).into_iter().chain([peak]).collect())
        }
        Arrivals::Recorded(times) => Ok(replayed(vc, times, largest, per_picosecond(first))),
    }
}

/// The bucket of whole bursts and silences, if both have a fixed length.
fn on_off_mean(burst: LengthLaw, off: SpanLaw, largest: f64, longest: f64) -> Option<Bucket> {
    let (LengthLaw::Fixed(packets), SpanLaw::Fixed(silence)) = (burst, off) else { return None };
    let packets = packets as f64;
    let rho = packets * largest / (packets * longest + silence.0 as f64);
    Some(Bucket { sigma: packets * largest - rho * (packets - 1.0) * longest, rho })
}

/// The buckets of a record: for the reserved rate, zero, the mean, and higher rates.
fn replayed(vc: &VcSpec, times: &[Picos], largest: f64, peak: f64) -> Vec<Bucket> {
    let bits = times.len() as f64 * largest;
    let span = times.last().map_or(0.0, |last| last.0 as f64).max(1.0);
    let reserved = vc.reservation.map(|reservation| per_picosecond(reservation.rate));
    let mean = bits / span;
    let rates = reserved.into_iter().chain([0.0, mean, 2.0 * mean, peak / 2.0, peak]);
    let bucket = |rho: f64| {
        let (mut level, mut sigma, mut last) = (0.0_f64, largest, 0);
        for time in times {
            level = (level - rho * (time.0 - last) as f64).max(0.0) + largest;
            (sigma, last) = (sigma.max(level), time.0);
        }
        Bucket { sigma, rho }
    };
    rates.map(bucket).collect()
}

/// The greatest time per bit of packets of this size distribution, with whole picoseconds for each
/// packet: at least 10^12 / rate.
pub(super) fn per_bit(wire: Wire, size: &SizeLaw) -> f64 {
    let of = |bytes: Bytes| wire.transmit_time(bytes).0 as f64 / bytes.bits() as f64;
    match size {
        SizeLaw::Fixed(bytes) => of(*bytes),
        SizeLaw::Mix(sizes) => sizes.iter().map(|(bytes, _)| of(*bytes)).fold(0.0, f64::max),
        SizeLaw::Uniform { least, .. } => {
            let exact = is_whole(wire.rate, size) && wire.overhead == Bytes(0);
            let rounding = if exact { 0.0 } else { 1.0 / least.bits() as f64 };
            let overhead = wire.overhead.bits() as f64 / least.bits() as f64;
            per_bit_exactly(wire.rate) * (1.0 + overhead) + rounding
        }
    }
}

/// Whether every packet of this size distribution takes whole picoseconds at `rate`.
pub(super) fn is_whole(rate: Rate, size: &SizeLaw) -> bool {
    let whole = |bytes: Bytes| {
        let bit_picos = u128::from(bytes.bits()) * u128::from(Picos::PER_SECOND);
        bit_picos % u128::from(rate.bps()) == 0
    };
    match size {
        SizeLaw::Fixed(bytes) => whole(*bytes),
        SizeLaw::Mix(sizes) => sizes.iter().all(|(bytes, _)| whole(*bytes)),
        SizeLaw::Uniform { .. } => whole(Bytes(1)),
    }
}

/// 10^12 / rate: the time of a bit without rounding, in ps.
pub(super) fn per_bit_exactly(rate: Rate) -> f64 {
    Picos::PER_SECOND as f64 / rate.bps() as f64
}
