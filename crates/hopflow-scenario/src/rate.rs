//! Rate control of ports: a kind, or a table, of a switch or of a link.
//!
//! A settling time that is not given is filled in after all flows are read: the
//! longest FRTT of the port's flows, and Nrm cells of each of them at the rate of the link.

use hopflow_control::rate::{BackwardRmSpec, ExternalSpec, RateMistake, RateRule};
use hopflow_network::{DirectionId, NetworkSpec, RateSpec, Segment};
use hopflow_units::Picos;

use crate::Code;
use crate::described::{Reads, Words};
use crate::diagnostic::Sink;
use crate::given::Chosen;
use crate::keys::Key;
use crate::keys::rate::{
    self, OF_SWITCH_KEY, SETTLE, VS_VD, VS_VD_KEY, VirtualSource, WALL, backward_rm, virtual_source,
};
use crate::machine;
use crate::section::Section;

/// Rate control of a port.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PortRate {
    pub(crate) control: Option<RateSpec>,
    /// Whether the settling time is to be worked out.
    auto_settle: bool,
}

impl Chosen for PortRate {
    const KEY: &'static Key = &OF_SWITCH_KEY;

    fn of_table(kind: &'static str, table: &Section<'_>, sink: &mut Sink) -> Option<PortRate> {
        let rule = match kind {
            "external" => machine::of_table("rate rule", table, sink)
                .map(|place| Some(RateRule::External(ExternalSpec { place }))),
            _ => rate::read(kind, table, &(), sink),
        };
        let segment = segment(table, sink);
        let backward_rm = creates(table, rule.as_ref(), sink);
        let (rule, segment, backward_rm) = (rule?, segment?, backward_rm.ok()?);
        for mistake in rule.iter().flat_map(RateRule::mistakes) {
            report_mistake(&mistake, table, sink);
        }
        if rule.is_none() && matches!(segment, Segment::Virtual(_)) {
            let message = "this virtual source has no algorithm that allots it a rate";
            let hint = "choose a kind, such as `erica-plus`, or leave `vs-vd` out";
            sink.error(Code::NO_ALGORITHM, &table.place(&VS_VD_KEY), message).hint(hint);
            return None;
        }
        let nothing = rule.is_none() && segment == Segment::Through && backward_rm.is_none();
        let settles = rule.is_some_and(|rule| rule.facts().settles);
        let auto_settle = settles && SETTLE.item(table).is_none();
        let control = RateSpec { rule, segment, backward_rm };
        Some(PortRate { control: (!nothing).then_some(control), auto_settle })
    }
}

fn report_mistake(mistake: &RateMistake, table: &Section<'_>, sink: &mut Sink) {
    let RateMistake { name, value, range } = mistake;
    let message = format!("`{name}` is {value}, but must be {range}");
    sink.error(Code::OUT_OF_RANGE, &table.place_of(name), message);
}

/// The backward RM cells that the port creates; reports mistakes. `rule`: `None` if it was wrong.
fn creates(
    table: &Section<'_>,
    rule: Option<&Option<RateRule>>,
    sink: &mut Sink,
) -> Result<Option<BackwardRmSpec>, ()> {
    let Some(item) = backward_rm::item(table) else { return Ok(None) };
    if virtual_source(table).is_some() {
        let message = "`backward-rm` and `vs-vd` exclude each other: the virtual destination \
                       reports what its port allots in each RM cell that it turns around";
        sink.error(Code::CONFLICT, &item.span, message).hint("keep one of them");
        return Err(());
    }
    let Some(rule) = rule else { return Ok(None) };
    backward_rm::read(&item, rule.as_ref(), sink).map(Some).ok_or(())
}

/// Whether loops end at the port.
fn segment(table: &Section<'_>, sink: &mut Sink) -> Option<Segment> {
    let wall = WALL.is_set(table);
    let Some(item) = virtual_source(table) else {
        return Some(if wall { Segment::Wall } else { Segment::Through });
    };
    if wall {
        let message = "`wall` and `vs-vd` exclude each other: a loop ends at a virtual source";
        sink.error(Code::CONFLICT, &item.span, message).hint("keep one of them");
        return None;
    }
    let options = Section::of_item(&item, &VS_VD_KEY);
    let options = options.unwrap_or_else(|| Section::empty(item.span.clone(), &VS_VD));
    let (spec, is_allowed) = VirtualSource.read(&options, &(), sink)?;
    if !spec.is_stable() && !is_allowed {
        let (rate, input) = (spec.rate.word(), spec.input.word());
        let message = format!(
            "`rate = \"{rate}\"` with `input = \"{input}\"` allots more than the link has: load \
             and rates are measured at different places, so each misses the overload at the other"
        );
        let hint = "write `rate = \"measured\", input = \"class\"` or `rate = \"previous\", \
                    input = \"vc\"`, the pairs that [Kalyanaraman97] found stable, or set \
                    `allow-over-allocation = true`";
        sink.error(Code::OVER_ALLOCATION, &item.span, message).hint(hint);
        return None;
    }
    Some(Segment::Virtual(spec))
}

/// Fills in what follows from all flows: settling times that are worked out. `given`: the rate
/// control of each port as it was given.
pub(crate) fn fill(network: &mut NetworkSpec, given: impl Fn(DirectionId) -> PortRate) {
    if !(0..network.direction_count()).any(|id| given(DirectionId(id)).auto_settle) {
        return;
    }
    for (index, settle) in settling_times(network).into_iter().enumerate() {
        let id = DirectionId(index);
        if !given(id).auto_settle || settle == Picos::ZERO {
            continue;
        }
        let direction = &mut network.links[id.link()].directions[id.side()];
        if let Some(rule) = direction.rate_control.as_mut().and_then(|spec| spec.rule.as_mut()) {
            rule.set_settle(settle);
        }
    }
}

/// By direction: the longest FRTT of its flows, and Nrm cells of each of them at its rate. Zero
/// where no flow under `abr` crosses.
fn settling_times(network: &NetworkSpec) -> Vec<Picos> {
    let mut settle = vec![(0, 0); network.direction_count()];
    for vc in &network.vcs {
        let Some(abr) = &vc.rate else { continue };
        let loops = vc.hops.iter().map(|hop| network.loop_time(hop.link).0);
        let frtt = loops.fold(0, u64::saturating_add);
        for hop in &vc.hops {
            let id = hop.direction_id();
            let (longest, cells): &mut (u64, u64) = &mut settle[id.0];
            *longest = frtt.max(*longest);
            *cells = cells.saturating_add(network.cell_time(id).0.saturating_mul(abr.nrm.into()));
        }
    }
    settle.into_iter().map(|(longest, cells)| Picos(longest.saturating_add(cells))).collect()
}
