//! Sentences about a hop at which a VC was held: by its rate, its lane, its window or its credit.

use hopflow_record::{HopSummary, LaneSummary, RateSummary, VcSummary};

use super::super::slow::SlowHost;
use super::super::{NEGLIGIBLE, Note, Report, Severity, percent, rate};
use super::{empty_meanwhile, is_external, shares_buffer};

impl<'a> Report<'a> {
    /// Its rate control held it: the port with the least fair rate or, if no port has one, the
    /// busiest link.
    pub(super) fn paced(&mut self, hop: &HopSummary) {
        let vc: &'a VcSummary = self.vc;
        let fair = |next: &HopSummary| next.rate.and_then(|rate| rate.fair_cells_per_second);
        let least = vc.hops.iter().filter_map(|next| Some((fair(next)?, next)));
        let least = least.min_by_key(|(fair, _)| *fair);
        let links = vc.hops.iter().skip(1).filter_map(|next| self.link(next));
        let busiest = links.max_by(|a, b| a.busy_share.total_cmp(&b.busy_share));
        let (which, link) = match least {
            Some((fair, next)) => {
                let which = format!("The port with the least fair rate, {}, was", bits(fair));
                (which, self.link(next))
            }
            None => ("No port assigned a fair rate; the busiest link after it was".into(), busiest),
        };
        let place = link.map_or_else(String::new, |link| {
            let (busy, others) = (percent(link.busy_share), self.others(link));
            format!(" {which} {}, busy {busy} of the time, {others}.", link.name)
        });
        let acr = hop.rate.and_then(|rate| rate.acr_cells_per_second).unwrap_or(0);
        let text = format!(
            "{} was held to the rate assigned to it on {} {} of the time; at the end ACR was \
             {}.{place}",
            vc.name,
            hop.link,
            percent(hop.no_credit_share),
            bits(acr)
        );
        let note = Note::new(Severity::Info, "rate", text).on(&hop.link);
        let note = note.with("held_share", hop.no_credit_share);
        self.say(note.with("acr_cells_per_second", acr as f64));
    }

    /// Without control of its own, only its lane can have held it: the credit of the lane is less
    /// than the loop, or others filled the buffer after the link.
    pub(super) fn lane(&mut self, hop: &HopSummary) {
        let Some(link) = self.link(hop) else { return };
        let end = self.vc.hops.last().map_or("", |hop| hop.to.as_str());
        let is_own = |lane: &&LaneSummary| {
            lane.destination.as_ref().is_none_or(|destination| destination == end)
        };
        let lane =
            link.lanes.iter().filter(is_own).max_by(|a, b| a.shut_share.total_cmp(&b.shut_share));
        let alone = !link.vcs.iter().any(|share| share.vc != self.vc.name && share.packets > 0);
        let held = format!(
            "{} was held with its lane on {} {} of the time, although {} often had no {} of it",
            self.vc.name,
            hop.link,
            percent(hop.no_credit_share),
            hop.to,
            self.index.unit.one()
        );
        let note = |cause, why: &str| {
            let note = Note::new(Severity::Warning, cause, format!("{held}: {why}."));
            note.on(&hop.link).with("held_share", hop.no_credit_share)
        };
        let buffer = lane.and_then(|lane| Some((lane.buffer_blocks?, lane.needed_blocks?)));
        let note = match (buffer, lane.and_then(|lane| lane.xoff_bytes)) {
            (Some((given, needed)), _) if given < needed => note(
                "lane-credit",
                &format!("its lane has {given} blocks of the {needed} of its loop"),
            )
            .with("buffer_blocks", given as f64)
            .with("needed_blocks", needed as f64)
            .change(format!("A `buffer` of {needed} blocks would keep the link busy.")),
            (None, Some(xoff)) if alone => {
                note("pause", &format!("XOFF of {xoff} bytes and XON are too low for its loop"))
                    .with("xoff_bytes", xoff as f64)
                    .change("`hopflow size` prints what PFC needs here.")
            }
            _ if alone => note("lane-credit", "credits of its lane were lost or came late"),
            _ => match self.slow_behind(hop) {
                Some((host, other)) => {
                    let why = format!(
                        "{} is a slow receiver, which {}; it held back {}, so {} of {other} \
                         filled the buffer behind {}",
                        host.name,
                        host.takes(),
                        host.into.name,
                        self.index.unit.word(),
                        hop.link
                    );
                    note("slow-receiver", &why)
                        .with("drain_bps", host.drain.rate_bps as f64)
                        .with("shut_share", host.shut)
                        .change("A faster drain, or credit per VC, would let it pass.")
                }
                None => note("lane-shared", "others filled the buffer behind the link"),
            },
        };
        self.say(note);
    }

    /// The slow host that held back its link most, among those of other VCs on the link of `hop`,
    /// and the VC to it.
    fn slow_behind(&self, hop: &HopSummary) -> Option<(&'a SlowHost<'a>, &'a str)> {
        let crosses = |vc: &VcSummary, link: &str| vc.hops.iter().any(|hop| hop.link == link);
        let others = |host: &SlowHost<'_>| {
            let vcs = self.index.vcs.iter().filter(|vc| vc.name != self.vc.name);
            let mut vcs = vcs.filter(|vc| crosses(vc, &hop.link) && crosses(vc, &host.into.name));
            vcs.next().map(|vc| vc.name.as_str())
        };
        let shut = self.index.slow.iter().filter(|host| host.shut >= NEGLIGIBLE);
        let behind = shut.filter_map(|host| Some((host, others(host)?)));
        behind.max_by(|a, b| a.0.shut.total_cmp(&b.0.shut))
    }

    pub(super) fn window(&mut self, hop: &HopSummary) {
        let window = hop.initial_credit_packets.unwrap_or(0);
        let unit = self.index.unit.word();
        let after = self.vc.hops[1..].iter();
        let slowest = after.max_by(|a, b| a.waiting_share.total_cmp(&b.waiting_share));
        let name = self.vc.name.clone();
        let full = percent(hop.no_credit_share);
        let note = |link: &str, severity: Severity, text: String| {
            let note = Note::new(severity, "window", text).on(link);
            note.with("full_share", hop.no_credit_share).with("window_packets", window as f64)
        };
        if let Some(slow) = slowest.filter(|slow| slow.waiting_share > NEGLIGIBLE) {
            let text = format!(
                "{name} had its window of {window} {unit} full {full} of the time, mostly because \
                 its {unit} waited for {}.",
                slow.link
            );
            self.say(note(&slow.link, Severity::Info, text));
            self.shares(slow);
        } else {
            let text = format!(
                "{name} was limited by its window of {window} {unit}, full {full} of the time: it \
                 is small for the round trip of the path."
            );
            let note = note(&hop.link, Severity::Warning, text);
            self.say(note.change("A larger `window` would let it send more."));
        }
    }

    /// No credit, although the next hop has buffer: the loop itself, or lost credits. `shared`: the
    /// next hop, if it has cells most of the time but others get more.
    pub(super) fn loop_bound(&mut self, hop: &HopSummary, shared: Option<&HopSummary>) {
        let credit = hop.initial_credit_packets.unwrap_or(0);
        let carries = self.carries(hop);
        let after = shared.or_else(|| self.fullest_after(hop));
        let place = match (shared, after) {
            (Some(next), _) => {
                format!("had no cell {} of it", percent(empty_meanwhile(hop, next)))
            }
            (None, Some(_)) => "often had no cell".to_owned(),
            (None, None) => "takes cells at once".to_owned(),
        };
        let limit = if shares_buffer(hop) {
            "its share of the pool, which follows its use,".to_owned()
        } else if is_external(hop) {
            format!("what the machine of its scheme grants, at most {credit} cells at once,")
        } else {
            format!("N2 + N3 = {credit} cells")
        };
        let lost = match (hop.credits_corrupted, hop.credits_sent) {
            (0, _) => String::new(),
            (lost, sent) => format!("; {lost} of {sent} credit cells were lost"),
        };
        let others = shared.and_then(|next| self.link(next)).map_or(String::new(), |link| {
            format!(
                ". On {}, busy {} of the time: {}",
                link.name,
                percent(link.busy_share),
                self.others(link)
            )
        });
        let text = format!(
            "{} waited for credit on {} {} of the time, although {} {place}: {limit} may be out in \
             one round trip, in which the link carries {carries:.1}{lost}{others}.",
            self.vc.name,
            hop.link,
            percent(hop.no_credit_share),
            hop.to
        );
        let note = Note::new(Severity::Warning, "credit", text).on(&hop.link);
        let note = note.with("held_share", hop.no_credit_share);
        let note = note.with("credit_cells", credit as f64).with("loop_cells", carries);
        self.say(if hop.credits_corrupted > 0 {
            note.change("Without the losses, or with `refresh`, it would send more.")
        } else if shares_buffer(hop) {
            note.change("More memory of the pool would let it send more.")
        } else if (credit as f64) < carries && !is_external(hop) {
            note.change(format!("N2 + N3 of {:.0} or more fill the loop.", carries.ceil()))
        } else {
            note
        });
    }
}

/// A rate in cells per second, as bits per second.
fn bits(cells_per_second: u64) -> String {
    rate(RateSummary::bps(cells_per_second))
}
