//! The packets of a port by class, and inside a class in order of (rank, arrival).
//!
//! Classes are numbered from the most urgent one in use, without gaps.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::machine::{Packets, Port};
use super::ranked::Ranked;

/// What a machine keeps with a packet that does not affect the order in its class.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beside<T>(pub(super) T);

impl<T> PartialEq for Beside<T> {
    fn eq(&self, _other: &Beside<T>) -> bool {
        true
    }
}

impl<T> Eq for Beside<T> {}

impl<T> Ord for Beside<T> {
    fn cmp(&self, _other: &Beside<T>) -> Ordering {
        Ordering::Equal
    }
}

impl<T> PartialOrd for Beside<T> {
    fn partial_cmp(&self, other: &Beside<T>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The packets of a port by class.
#[derive(Clone, Debug)]
pub(super) struct Classes<R> {
    classes: Vec<Class<R>>,
    /// For each flow: its class here and its number in the class.
    places: Vec<(u32, u32)>,
}

#[derive(Clone, Debug)]
struct Class<R> {
    packets: Ranked<R>,
    /// The flows of the class, by their number in it.
    flows: Vec<u32>,
}

impl<R: Copy + Ord> Classes<R> {
    pub(super) fn new(port: &Port<'_>) -> Classes<R> {
        let Port { flows, finds_victims, .. } = *port;
        let urgencies: BTreeSet<u8> = flows.iter().map(|flow| flow.class).collect();
        let mut members = vec![Vec::new(); urgencies.len()];
        let mut places = Vec::with_capacity(flows.len());
        for (number, flow) in (0_u32..).zip(flows) {
            let class = urgencies.range(..flow.class).count();
            places.push((class as u32, members[class].len() as u32));
            members[class].push(number);
        }
        let class =
            |flows: Vec<u32>| Class { packets: Ranked::new(flows.len(), finds_victims), flows };
        Classes { classes: members.into_iter().map(class).collect(), places }
    }

    /// How many classes there are.
    pub(super) fn len(&self) -> u32 {
        self.classes.len() as u32
    }

    /// The class of a flow, counted from the most urgent.
    pub(super) fn class(&self, flow: u32) -> u32 {
        self.places[flow as usize].0
    }

    /// The packets of the flow's class, and the flow's number in it.
    fn place(&mut self, flow: u32) -> (&mut Ranked<R>, u32) {
        let (class, number) = self.places[flow as usize];
        (&mut self.classes[class as usize].packets, number)
    }

    /// Packets that wait in a class.
    pub(super) fn waiting(&self, class: u32) -> u64 {
        self.classes[class as usize].packets.waiting()
    }

    /// The flow whose last packet is the last of a class. `None` if the class has no packet.
    pub(super) fn last(&self, class: u32) -> Option<u32> {
        let class = &self.classes[class as usize];
        class.packets.victim().map(|number| class.flows[number as usize])
    }

    pub(super) fn arrive(&mut self, flow: u32, bytes: u32, rank: R) {
        let (packets, number) = self.place(flow);
        packets.arrive(number, bytes, rank);
    }

    /// The first packet of a class that is allowed to start: its rank and flow.
    #[inline]
    pub(super) fn first(&self, class: u32) -> Option<(R, u32)> {
        let class = &self.classes[class as usize];
        class.packets.first().map(|(rank, number)| (rank, class.flows[number as usize]))
    }
}

impl<R: Copy + Ord> Packets for Classes<R> {
    type Rank = R;

    fn permit(&mut self, flow: u32) {
        let (packets, number) = self.place(flow);
        packets.permit(number);
    }

    fn forbid(&mut self, flow: u32) {
        let (packets, number) = self.place(flow);
        packets.forbid(number);
    }

    fn is_empty(&self, flow: u32) -> bool {
        let (class, number) = self.places[flow as usize];
        self.classes[class as usize].packets.is_empty(number)
    }

    fn take_first(&mut self, flow: u32) -> (u32, R) {
        let (packets, number) = self.place(flow);
        packets.take_first(number)
    }

    fn take_last(&mut self, flow: u32) -> (u32, R) {
        let (packets, number) = self.place(flow);
        packets.take_last(number)
    }

    /// The flow whose last packet is the last of the least urgent class with a packet.
    fn victim(&self) -> Option<u32> {
        (0..self.len()).rev().find_map(|class| self.last(class))
    }
}
