//! A small network with one flow from A to B over switches, as a scenario, and the same network
//! without one of its causes.

use std::fmt::Write as _;

/// What may hold the flow back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cause {
    /// The receiver's window; removed: x 4.
    ReceiveWindow,
    /// Corruption on a link; removed.
    Loss,
    /// Marks of ports; removed.
    Marks,
    /// The slowest links of the path; removed: rate x 2.
    Link,
    /// Credit of a hop; removed: N3 x 4.
    Credit,
    /// Credit of a lane; removed: blocks x 4.
    LaneCredit,
    /// Pauses; removed.
    Pause,
    /// A source that offers less, or an application that writes less; removed: unlimited.
    Source,
    /// A host that paces its packets; removed.
    Pacing,
    /// Gates of a port; removed: first in, first out.
    Gates,
    /// The end-to-end window; removed: x 4.
    Window,
    /// The time in which a server works on a call; removed: 0.
    Server,
    /// The peak rate of a source under ABR; removed: no rate control.
    Rate,
    /// A receiver that takes less than its link delivers; removed: it takes all at once.
    Drain,
    /// Other flows; removed.
    Others,
}

impl Cause {
    /// All of them.
    pub(crate) const ALL: [Cause; 15] = [
        Cause::ReceiveWindow,
        Cause::Loss,
        Cause::Marks,
        Cause::Link,
        Cause::Credit,
        Cause::LaneCredit,
        Cause::Pause,
        Cause::Source,
        Cause::Pacing,
        Cause::Gates,
        Cause::Window,
        Cause::Server,
        Cause::Rate,
        Cause::Drain,
        Cause::Others,
    ];
}

/// A link of the path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Link {
    pub(crate) mbps: f64,
    pub(crate) delay_us: u64,
}

/// What sends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Source {
    /// TCP of this variant and receiver's window in bytes, which writes a part of its bytes in each
    /// of 20 parts of the run, or all at once.
    Tcp { variant: &'static str, window: u64, part: Option<u64> },
    /// Always one more packet.
    Greedy,
    /// One rate.
    Constant { mbps: f64 },
    /// Reads files over NFS; the server takes so long for a call.
    Calls { service_us: u64, ahead: u32 },
}

/// Credit, window or rate of the flow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Control {
    None,
    Credit { n3: u64 },
    Window { packets: u64 },
    Rate { mbps: f64 },
}

/// One network.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Net {
    pub(crate) duration_us: u64,
    pub(crate) links: Vec<Link>,
    pub(crate) source: Source,
    pub(crate) control: Control,
    /// Bytes of the packets of a source that is no endpoint; 53 are cells.
    pub(crate) packet: u64,
    /// The probability of a loss on a link of the path, by its place.
    pub(crate) corrupt: Option<(usize, f64)>,
    /// The threshold of ports of switches, in packets.
    pub(crate) marking: Option<u64>,
    /// Mb/s.
    pub(crate) send_limit: Option<f64>,
    /// Blocks of 64 B of a lane.
    pub(crate) lanes: Option<u64>,
    /// XOFF of the first link in bytes.
    pub(crate) pause: Option<u64>,
    /// The place of a link, and the open and closed time of its gate.
    pub(crate) gates: Option<(usize, u64, u64)>,
    /// Mb/s that the receiver takes.
    pub(crate) drain: Option<f64>,
    /// Packets that the first switch holds.
    pub(crate) buffer: Option<u64>,
    /// Flows from hosts of their own through the first switch to a host behind a slow link, and the
    /// rate of that link.
    pub(crate) others: Option<(u32, f64)>,
    /// A light flow over the last link, in Mb/s.
    pub(crate) light: Option<f64>,
}

impl Net {
    /// The rate of the slowest link.
    pub(crate) fn slowest(&self) -> f64 {
        self.links.iter().map(|link| link.mbps).fold(f64::MAX, f64::min)
    }

    /// The sum of the delays there and back.
    pub(crate) fn round_trip_us(&self) -> u64 {
        2 * self.links.iter().map(|link| link.delay_us).sum::<u64>()
    }

    /// The names of the nodes of the path.
    pub(crate) fn node(&self, place: usize) -> String {
        match place {
            0 => "A".to_owned(),
            last if last == self.links.len() => "B".to_owned(),
            switch => format!("S{switch}"),
        }
    }

    /// The names of the slowest links.
    pub(crate) fn slowest_names(&self) -> Vec<String> {
        let slowest = self.slowest();
        let links = self.links.iter().enumerate().filter(|(_, link)| link.mbps <= slowest);
        links.map(|(place, _)| format!("{}->{}", self.node(place), self.node(place + 1))).collect()
    }

    /// The same network without a cause; `None` if it has no such thing.
    pub(crate) fn without(&self, cause: Cause) -> Option<Net> {
        let mut net = self.clone();
        match (cause, &mut net.source, &mut net.control) {
            (Cause::ReceiveWindow, Source::Tcp { window, .. }, _) => *window *= 4,
            (Cause::Loss, ..) => net.corrupt = None,
            (Cause::Marks, ..) => net.marking = None,
            (Cause::Link, ..) => {
                let slowest = self.slowest();
                let links = net.links.iter_mut().filter(|link| link.mbps <= slowest);
                links.for_each(|link| link.mbps *= 2.0);
            }
            (Cause::Credit, _, Control::Credit { n3 }) => *n3 *= 4,
            (Cause::LaneCredit, ..) => net.lanes = net.lanes.map(|blocks| 4 * blocks),
            (Cause::Pause, ..) => net.pause = None,
            (Cause::Source, Source::Tcp { part, .. }, _) => *part = None,
            (Cause::Source, source @ Source::Constant { .. }, _) => *source = Source::Greedy,
            (Cause::Pacing, ..) => net.send_limit = None,
            (Cause::Gates, ..) => net.gates = None,
            (Cause::Window, _, Control::Window { packets }) => *packets *= 4,
            (Cause::Server, Source::Calls { service_us, .. }, _) => *service_us = 0,
            (Cause::Rate, _, control @ Control::Rate { .. }) => *control = Control::None,
            (Cause::Drain, ..) => net.drain = None,
            (Cause::Others, ..) => (net.others, net.light) = (None, None),
            _ => {}
        }
        (net != *self).then_some(net)
    }

    /// The scenario.
    pub(crate) fn text(&self) -> String {
        let mut text = format!(
            "version = 2\nduration = \"{} us\"\nwarm-up = \"{} us\"\n[[host]]\nname = \"A\"\n\
             [[host]]\nname = \"B\"\n",
            self.duration_us,
            self.duration_us / 5
        );
        let mut add = |part: String| text.push_str(&part);
        if let Some(drain) = self.drain {
            add(format!("drain = \"{drain} Mb/s\"\n"));
        }
        for switch in 1..self.links.len() {
            add(format!("[[switch]]\nname = \"S{switch}\"\n"));
            if let Some(buffer) = self.buffer.filter(|_| switch == 1) {
                add(format!("buffer = \"{buffer} packets\"\n"));
            }
            if let Some(threshold) = self.marking {
                add(format!(
                    "marking = {{ kind = \"step\", threshold = \"{threshold} packets\" }}\n"
                ));
            }
        }
        for (place, link) in self.links.iter().enumerate() {
            add(self.link(place, *link));
        }
        if let Some((count, mbps)) = self.others {
            add(format!(
                "[[host]]\nname = \"X\"\n[[link]]\nbetween = [\"S1\", \"X\"]\n\
                 rate = \"{mbps} Mb/s\"\n"
            ));
            for other in 1..=count {
                let rate = self.links[0].mbps;
                add(format!(
                    "[[host]]\nname = \"O{other}\"\n[[link]]\nbetween = [\"O{other}\", \"S1\"]\n\
                     rate = \"{rate} Mb/s\"\n[[flow]]\nname = \"o{other}\"\nfrom = \"O{other}\"\n\
                     to = \"X\"\npacket = \"{} B\"\n\
                     source = {{ kind = \"poisson\", rate = \"{} Mb/s\" }}\n",
                    600 + 100 * other,
                    0.9 * rate
                ));
            }
        }
        if let Some(mbps) = self.light {
            let last = self.node(self.links.len() - 1);
            add(format!(
                "[[host]]\nname = \"L\"\n[[link]]\nbetween = [\"L\", \"{last}\"]\n\
                 rate = \"1 Gb/s\"\n[[flow]]\nname = \"light\"\nfrom = \"L\"\nto = \"B\"\n\
                 packet = \"200 B\"\nsource = {{ kind = \"poisson\", rate = \"{mbps} Mb/s\" }}\n"
            ));
        }
        add(self.flow());
        text
    }

    fn link(&self, place: usize, link: Link) -> String {
        let (from, to) = (self.node(place), self.node(place + 1));
        let mut text = format!(
            "[[link]]\nbetween = [\"{from}\", \"{to}\"]\nrate = \"{} Mb/s\"\ndelay = \"{} us\"\n",
            link.mbps, link.delay_us
        );
        if let Some((_, probability)) = self.corrupt.filter(|(at, _)| *at == place) {
            let _ = writeln!(text, "corrupt-data = [{probability}, 0]");
        }
        if let Some(blocks) = self.lanes {
            let _ = writeln!(
                text,
                "lanes = {{ priorities = [0], block = \"64 B\", buffer = {blocks}, update = 4, \
                 allow-small-buffer = true }}"
            );
        }
        if let Some(xoff) = self.pause.filter(|_| place == 0) {
            let _ = writeln!(text, "pause = {{ priorities = [0], xoff = \"{xoff} B\" }}");
        }
        if let Some((_, open, closed)) = self.gates.filter(|(at, ..)| *at == place) {
            let _ = writeln!(
                text,
                "scheduler = {{ kind = \"time-aware\", gates = [{{ for = \"{open} us\", \
                 open = [0] }}, {{ for = \"{closed} us\", open = [7] }}] }}"
            );
        }
        text
    }

    fn flow(&self) -> String {
        let route: Vec<String> =
            (0..=self.links.len()).map(|place| format!("\"{}\"", self.node(place))).collect();
        let mut text = format!("[[flow]]\nname = \"f\"\nroute = [{}]\n", route.join(", "));
        let packet = match self.packet {
            53 => String::new(),
            bytes => format!("packet = \"{bytes} B\"\n"),
        };
        let source = match self.source {
            Source::Tcp { variant, window, part } => {
                let transfer = part.map_or(String::new(), |bytes| {
                    let parts = (0..20).map(|part| {
                        let at = part * self.duration_us / 20;
                        format!("{{ at = \"{at} us\", bytes = \"{bytes} B\" }}")
                    });
                    format!(", transfer = [{}]", parts.collect::<Vec<_>>().join(", "))
                });
                format!(
                    "{{ kind = \"tcp\", variant = \"{variant}\", \
                     window = \"{window} B\"{transfer} }}"
                )
            }
            Source::Greedy => format!("{{ kind = \"greedy\" }}\n{packet}"),
            Source::Constant { mbps } => {
                format!("{{ kind = \"constant\", rate = \"{mbps} Mb/s\" }}\n{packet}")
            }
            Source::Calls { service_us, ahead } => format!(
                "{{ kind = \"nfs\", think = \"1 us\", service = \"{service_us} us\", \
                 read-ahead = {ahead}, size-median = \"1 MB\", size-sigma = 0, \
                 start-window = \"1 us\", mtu = \"1500 B\" }}"
            ),
        };
        let _ = writeln!(text, "source = {source}");
        if let Some(mbps) = self.send_limit {
            let _ = writeln!(text, "send-limit = \"{mbps} Mb/s\"");
        }
        let control = match self.control {
            Control::None => return text,
            Control::Credit { n3 } => {
                format!("{{ kind = \"n23\", n2 = 4, n3 = {n3}, allow-small-n3 = true }}")
            }
            Control::Window { packets } => format!("{{ kind = \"window\", packets = {packets} }}"),
            Control::Rate { mbps } => {
                format!("{{ kind = \"abr\", pcr = \"{mbps} Mb/s\", icr = \"{mbps} Mb/s\" }}")
            }
        };
        let _ = writeln!(text, "control = {control}");
        text
    }
}
