//! The algorithm of a port: what its table says, over the defaults of its spec.

use hopflow_control::rate::{
    ActiveCount, Drain, EfciSpec, EprcaSpec, ErCap, EricaOptions, EricaPlusSpec, EricaSpec,
    LoadAveraging, MacrSpec, QueueControl, QueueCurve, RateRule, SelectiveSpec, VcCountingSpec,
    VcRate,
};
use hopflow_units::Picos;

use crate::Code;
use crate::diagnostic::Sink;
use crate::keys::{ACTIVE_COUNTS, AVERAGINGS, CURVES, DRAINS, ER_CAPS, VC_RATES};
use crate::section::Section;
use crate::value::Item;

/// A settling time that stands until that of all flows is known.
const SOME_TIME: Picos = Picos(1);

/// The rule of this kind, `None` where it has none; an error when a value is wrong.
pub(super) fn read(
    kind: &str,
    table: &Section<'_>,
    sink: &mut Sink,
) -> Result<Option<RateRule>, ()> {
    if kind == "none" {
        return Ok(None);
    }
    Values { table }.rule(kind, sink).map(Some).ok_or(())
}

/// The values of a table, or what stands where they are not told.
struct Values<'s, 'a> {
    table: &'s Section<'a>,
}

impl<'a> Values<'_, 'a> {
    fn or<T>(
        &self,
        key: &'static str,
        default: T,
        read: impl FnOnce(Item<'a>) -> Option<T>,
    ) -> Option<T> {
        self.table.get(key).map_or(Some(default), read)
    }

    fn part(&self, key: &'static str, default: f64, sink: &mut Sink) -> Option<f64> {
        self.or(key, default, |item| item.fraction(sink))
    }

    fn cells(&self, key: &'static str, default: u64, sink: &mut Sink) -> Option<u64> {
        self.or(key, default, |item| item.queue(sink))
    }

    fn time(&self, key: &'static str, default: Picos, sink: &mut Sink) -> Option<Picos> {
        self.or(key, default, |item| item.time(false, sink))
    }

    fn flag(&self, key: &'static str, default: bool, sink: &mut Sink) -> Option<bool> {
        self.or(key, default, |item| item.flag(sink))
    }

    fn choice(
        &self,
        key: &'static str,
        words: &'static [&'static str],
        sink: &mut Sink,
    ) -> Option<&'static str> {
        self.or(key, words[0], |item| item.choice(words, sink))
    }

    /// An error for each of these keys that is told: it goes with another choice.
    fn none_of(&self, keys: &[&'static str], with: &str, sink: &mut Sink) -> Option<()> {
        let told = keys.iter().find_map(|key| self.table.get(key));
        let Some(item) = told else { return Some(()) };
        let message = format!("`{}` has no meaning without `{with}`", item.key);
        sink.error(Code::CONFLICT, &item.span, message)
            .hint(format!("leave `{}` out, or write `{with}`", item.key));
        None
    }

    fn rule(&self, kind: &str, sink: &mut Sink) -> Option<RateRule> {
        Some(match kind {
            "efci" => RateRule::Efci(self.marking(sink)?),
            "becn" => RateRule::Becn(self.marking(sink)?),
            "selective" => RateRule::Selective(self.selective(sink)?),
            "eprca" => RateRule::Eprca(self.eprca(sink)?),
            "vc-counting" => RateRule::VcCounting(self.vc_counting(sink)?),
            "erica" => RateRule::Erica(self.erica(sink)?),
            _ => RateRule::EricaPlus(self.erica_plus(sink)?),
        })
    }

    fn marking(&self, sink: &mut Sink) -> Option<EfciSpec> {
        let high = self.table.need("high", sink)?.queue(sink)?;
        Some(EfciSpec { high, low: self.cells("low", high, sink)? })
    }

    fn macr(&self, sink: &mut Sink) -> Option<MacrSpec> {
        let default = MacrSpec::default();
        Some(MacrSpec {
            av: self.part("av", default.av, sink)?,
            vcs: self.part("vcs", default.vcs, sink)?,
            initial: self.or("initial", None, |item| item.cell_rate(None, sink).map(Some))?,
        })
    }

    fn selective(&self, sink: &mut Sink) -> Option<SelectiveSpec> {
        let default = EprcaSpec::default().dpf;
        Some(SelectiveSpec {
            queue: self.marking(sink)?,
            average: self.macr(sink)?,
            part: self.part("part", default, sink)?,
        })
    }

    fn eprca(&self, sink: &mut Sink) -> Option<EprcaSpec> {
        let default = EprcaSpec::default();
        Some(EprcaSpec {
            average: self.macr(sink)?,
            dpf: self.part("dpf", default.dpf, sink)?,
            erf: self.part("erf", default.erf, sink)?,
            mrf: self.part("mrf", default.mrf, sink)?,
            qt: self.cells("qt", default.qt, sink)?,
            dqt: self.cells("dqt", default.dqt, sink)?,
            ci: self.flag("ci", default.ci, sink)?,
        })
    }

    fn vc_counting(&self, sink: &mut Sink) -> Option<VcCountingSpec> {
        let default = VcCountingSpec::new(SOME_TIME);
        let drain = if self.choice("drain", DRAINS, sink)? == "always" {
            self.none_of(&["high", "low"], "drain = \"while-queued\"", sink)?;
            Drain::Always(self.part("part", 0.98, sink)?)
        } else {
            let high = self.cells("high", 5, sink)?;
            let queue = EfciSpec { high, low: self.cells("low", 1, sink)? };
            Drain::WhileQueued { queue, factor: self.part("part", 0.9, sink)? }
        };
        Some(VcCountingSpec {
            drain,
            interval: self.time("interval", default.interval, sink)?,
            active: self.time("active", default.active, sink)?,
            settle: self.time("settle", default.settle, sink)?,
            vc_rate: self.vc_rate(sink)?,
            tolerance: self.part("tolerance", default.tolerance, sink)?,
        })
    }

    fn erica(&self, sink: &mut Sink) -> Option<EricaSpec> {
        let default = EricaSpec::default();
        Some(EricaSpec {
            utilization: self.part("utilization", default.utilization, sink)?,
            options: self.options(sink)?,
        })
    }

    fn erica_plus(&self, sink: &mut Sink) -> Option<EricaPlusSpec> {
        let default = EricaPlusSpec::default();
        let drain_limit = default.queue_control.drain_limit;
        let queue_control = QueueControl {
            curve: self.curve(sink)?,
            drain_limit: self.part("drain-limit", drain_limit, sink)?,
        };
        Some(EricaPlusSpec {
            target_delay: self.time("target-delay", default.target_delay, sink)?,
            queue_control,
            options: self.options(sink)?,
        })
    }

    fn curve(&self, sink: &mut Sink) -> Option<QueueCurve> {
        if self.choice("curve", CURVES, sink)? == "linear" {
            self.none_of(&["a", "b"], "curve = \"hyperbolic\"", sink)?;
            let above = self.part("above", 0.125, sink)?;
            return Some(QueueCurve::Linear { above, below: self.part("below", 0.0625, sink)? });
        }
        self.none_of(&["above", "below"], "curve = \"linear\"", sink)?;
        let a = self.or("a", 1.15, |item| item.number(1.0, sink))?;
        Some(QueueCurve::Hyperbolic { a, b: self.or("b", 1.05, |item| item.number(1.0, sink))? })
    }

    fn options(&self, sink: &mut Sink) -> Option<EricaOptions> {
        let default = EricaOptions::default();
        let is_none = |item: &Item<'_>| item.value.as_str() == Some("none");
        let interval_cells = self.or("interval-cells", default.interval_cells, |item| {
            if is_none(&item) {
                return Some(None);
            }
            item.count(1, u64::from(u32::MAX), sink).map(Some)
        })?;
        let max_alloc = self.or("delta", default.max_alloc, |item| {
            if is_none(&item) { Some(None) } else { item.number(0.0, sink).map(Some) }
        })?;
        let active = if self.choice("active-count", ACTIVE_COUNTS, sink)? == "contributions" {
            ActiveCount::Contributions { decay: self.part("decay", 0.9, sink)? }
        } else {
            self.none_of(&["decay"], "active-count = \"contributions\"", sink)?;
            ActiveCount::Seen
        };
        Some(EricaOptions {
            interval: self.time("interval", default.interval, sink)?,
            interval_cells,
            active,
            backward_counts: self.flag("backward-counts", default.backward_counts, sink)?,
            immediate_share: self.flag("immediate-share", default.immediate_share, sink)?,
            vc_rate: self.vc_rate(sink)?,
            averaging: self.averaging(sink)?,
            max_alloc,
            hold_at_share: self.flag("hold-at-share", default.hold_at_share, sink)?,
            cap: match self.choice("cap", ER_CAPS, sink)? {
                "link" => ErCap::Link,
                _ => ErCap::Target,
            },
        })
    }

    fn vc_rate(&self, sink: &mut Sink) -> Option<VcRate> {
        Some(match self.choice("vc-rate", VC_RATES, sink)? {
            "measured" => VcRate::Measured,
            _ => VcRate::Ccr,
        })
    }

    fn averaging(&self, sink: &mut Sink) -> Option<LoadAveraging> {
        let averaging = self.choice("averaging", AVERAGINGS, sink)?;
        if averaging == "none" {
            self.none_of(&["alpha"], "averaging = \"of-parts\"", sink)?;
            return Some(LoadAveraging::None);
        }
        let alpha = self.part("alpha", 0.8, sink)?;
        Some(match averaging {
            "of-factor" => LoadAveraging::OfFactor { alpha },
            _ => LoadAveraging::OfParts { alpha },
        })
    }
}
