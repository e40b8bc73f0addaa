//! An experiment: the runs that some claims need, and what is read off them.

use std::collections::BTreeMap;

use hopflow::compare::{Comparison, default_controls};
use hopflow_network::{DirectionId, NetworkSpec, RunCounters, TraceRow};
use hopflow_record::{Estimate, Series, Summary, direction_names};
use hopflow_scenario::ScenarioFile;
use hopflow_units::Picos;

use crate::{Chart, Exhibit, Mark};

/// Measures the claims of one figure or section, or of several that share their runs.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    prefixes: &'static [&'static str],
    scenarios: fn() -> Vec<ScenarioText>,
    comparisons: fn() -> Vec<ScenarioText>,
    measure: fn(&Runs) -> Measured,
    bands: Option<Bands>,
}

impl Experiment {
    /// An experiment by the prefixes of its claims, its scenarios, and the function that reads
    /// every claim and the charts off the finished runs.
    pub const fn new(
        prefixes: &'static [&'static str],
        scenarios: fn() -> Vec<ScenarioText>,
        measure: fn(&Runs) -> Measured,
    ) -> Experiment {
        Experiment { prefixes, scenarios, comparisons: Vec::new, measure, bands: None }
    }

    /// The experiment with scenarios that are compared too: each as it stands and under all of its
    /// variants, with each of its seeds.
    #[must_use]
    pub const fn comparing(mut self, comparisons: fn() -> Vec<ScenarioText>) -> Experiment {
        self.comparisons = comparisons;
        self
    }

    /// The experiment with wider bands over what the paper leaves open.
    #[must_use]
    pub const fn banded(mut self, bands: Bands) -> Experiment {
        self.bands = Some(bands);
        self
    }

    /// Its wider bands, if it has some.
    pub fn bands(&self) -> Option<Bands> {
        self.bands
    }

    /// The claims measured: every claim whose id is one of these, a dot, and something more.
    pub fn prefixes(&self) -> &'static [&'static str] {
        self.prefixes
    }

    /// Its name: the first prefix.
    pub fn id(&self) -> &'static str {
        self.prefixes.first().copied().unwrap_or_default()
    }

    /// The scenarios that it runs, in order. Empty where a formula is evaluated.
    pub fn scenarios(&self) -> Vec<ScenarioText> {
        (self.scenarios)()
    }

    /// The scenarios that it compares.
    pub fn comparisons(&self) -> Vec<ScenarioText> {
        (self.comparisons)()
    }

    /// Reads every claim under the prefixes off the finished runs, and the charts.
    pub fn measure(&self, runs: &Runs) -> Measured {
        (self.measure)(runs)
    }
}

/// The wider bands of an experiment.
#[derive(Clone, Copy, Debug)]
pub struct Bands {
    /// The scenarios to run.
    pub scenarios: fn() -> Vec<ScenarioText>,
    /// The settings in words, in order.
    pub names: fn() -> Vec<String>,
    /// What they give, setting by setting.
    pub settings: fn(&Runs) -> Vec<Setting>,
}

/// One value of all that a paper leaves open.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// In words.
    pub name: String,
    /// What is measured there.
    pub values: Vec<SettingValue>,
}

/// What is measured at a setting.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingValue {
    /// A claim that measures the same: it says what it is, and of which number.
    pub claim: String,
    /// The file of the scenario; of several, the first.
    pub scenario: String,
    /// The value over the seeds.
    pub value: Estimate,
}

impl Setting {
    /// A setting that nothing is measured at yet.
    pub(crate) fn new(name: impl Into<String>) -> Setting {
        Setting { name: name.into(), values: Vec::new() }
    }

    /// Adds the value of a claim.
    pub(crate) fn add(
        &mut self,
        claim: impl Into<String>,
        scenario: impl Into<String>,
        value: impl IntoEstimate,
    ) {
        let (claim, scenario, value) = (claim.into(), scenario.into(), value.estimate());
        self.values.push(SettingValue { claim, scenario, value });
    }

    /// A setting with values of one scenario, by the ends of the ids of their claims.
    pub(crate) fn of(
        name: impl Into<String>,
        prefix: &str,
        scenario: &str,
        values: Vec<(String, Estimate)>,
    ) -> Setting {
        let mut setting = Setting::new(name);
        for (end, value) in values {
            setting.add(format!("{prefix}.{end}"), scenario, value);
        }
        setting
    }
}

/// A scenario as the user could run it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioText {
    /// Its file name, unique in the paper.
    pub file: String,
    /// The whole file.
    pub text: String,
    /// It is run with the seeds 1, 2, ... up to this.
    pub seeds: u32,
    /// When the summary begins to count, if not at the end of the warm-up of the file. What is
    /// counted in the whole run does not depend on it, so the file is the scenario of that.
    pub summed_from: Option<Picos>,
}

/// A scenario of `papers/` by its path there, such as `scenario!("kung94/fig14.toml")`.
macro_rules! scenario {
    ($path:literal) => {
        $crate::ScenarioText::of_paper(
            $path,
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../papers/", $path)),
        )
    };
}

impl ScenarioText {
    /// A file of `papers/`: its path there, and its text.
    pub(crate) fn of_paper(path: &str, text: &str) -> ScenarioText {
        ScenarioText::new(path.rsplit_once('/').map_or(path, |(_, file)| file), text)
    }

    /// A scenario that is run once.
    pub fn new(file: impl Into<String>, text: impl Into<String>) -> ScenarioText {
        ScenarioText { file: file.into(), text: text.into(), seeds: 1, summed_from: None }
    }

    /// The controls of a comparison: the scenario as it stands, and its variants.
    pub(crate) fn controls(&self) -> Vec<String> {
        default_controls(&ScenarioFile::new(&self.text, &self.file)).unwrap_or_default()
    }

    /// The same scenario with this number of seeds.
    #[must_use]
    pub fn with_seeds(mut self, seeds: u32) -> ScenarioText {
        self.seeds = seeds;
        self
    }

    /// The same scenario with a summary from this instant on, as with `hopflow run --warm-up`.
    #[must_use]
    pub fn summed_from(self, from: Picos) -> ScenarioText {
        ScenarioText { summed_from: Some(from), ..self }
    }

    /// A variant under another name in which `old` is replaced by `new` wherever it stands.
    /// Panics when it stands nowhere, so that a variant cannot silently equal its base.
    #[must_use]
    pub fn variant(
        &self,
        file: impl Into<String>,
        edits: &[(impl AsRef<str>, impl AsRef<str>)],
    ) -> ScenarioText {
        let mut text = self.text.clone();
        for (old, new) in edits {
            let (old, new) = (old.as_ref(), new.as_ref());
            assert!(text.contains(old), "`{}` has no `{old}` to vary", self.file);
            text = text.replace(old, new);
        }
        ScenarioText { file: file.into(), text, ..self.clone() }
    }
}

/// One finished run.
#[derive(Clone, Debug)]
pub struct Run {
    /// The seed it was run with.
    pub seed: u64,
    /// Its digest.
    pub digest: u64,
    /// What was simulated.
    pub network: NetworkSpec,
    /// What was counted in the whole run.
    pub counters: RunCounters,
    /// What was counted after the scenario's warm-up, in names and units.
    pub summary: Summary,
    /// The rows that the scenario's `[record] trace` names.
    pub rows: Vec<TraceRow>,
    /// The series that the scenario's `[record]` names.
    pub series: Vec<Series>,
}

impl Run {
    /// The index of a VC. Panics when the scenario has none of this name.
    pub fn vc(&self, name: &str) -> usize {
        let index = self.network.vcs.iter().position(|vc| vc.name == name);
        index.unwrap_or_else(|| panic!("the scenario has no VC `{name}`"))
    }

    /// The index of a node. Panics when the scenario has none of this name.
    pub fn node(&self, name: &str) -> usize {
        let index = self.network.nodes.iter().position(|node| node.name == name);
        index.unwrap_or_else(|| panic!("the scenario has no node `{name}`"))
    }

    /// The link direction of a name such as `A->S`. Panics when the scenario has none.
    pub fn direction(&self, name: &str) -> DirectionId {
        let index = direction_names(&self.network).iter().position(|n| n == name);
        DirectionId(index.unwrap_or_else(|| panic!("the scenario has no link `{name}`")))
    }

    /// The share of the whole run in which a link direction was busy, its warm-up included.
    pub fn busy_share(&self, link: &str) -> f64 {
        let direction = &self.counters.directions[self.direction(link).0];
        direction.busy.0 as f64 / self.counters.now.0 as f64
    }

    /// Data cells dropped, or received beyond the promised buffer, in the whole network.
    pub fn lost_packets(&self) -> u64 {
        let hops = self.counters.vcs.iter().flat_map(|vc| &vc.hops);
        hops.map(|h| h.dropped_packets + h.overrun_packets + h.given_up_packets).sum()
    }
}

/// The finished runs of an experiment.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    by_file: BTreeMap<String, Vec<Run>>,
    compared: BTreeMap<String, Vec<Comparison>>,
}

impl Runs {
    /// Adds a run of a scenario. Seeds of one scenario are added in order.
    pub fn add(&mut self, file: impl Into<String>, run: Run) {
        self.by_file.entry(file.into()).or_default().push(run);
    }

    /// Adds the comparison of a scenario. Seeds of one scenario are added in order.
    pub fn compare(&mut self, file: impl Into<String>, comparison: Comparison) {
        self.compared.entry(file.into()).or_default().push(comparison);
    }

    /// All comparisons of a scenario, by seed. Panics when there was none.
    pub fn comparisons(&self, file: &str) -> &[Comparison] {
        self.compared.get(file).unwrap_or_else(|| panic!("`{file}` was not compared"))
    }

    /// The first comparison of a scenario. Panics when there was none.
    pub fn comparison(&self, file: &str) -> &Comparison {
        &self.comparisons(file)[0]
    }

    /// All runs of a scenario, by seed. Panics when it was not run.
    pub fn all(&self, file: &str) -> &[Run] {
        self.by_file.get(file).unwrap_or_else(|| panic!("`{file}` was not run"))
    }

    /// The first run of a scenario. Panics when it was not run.
    pub fn one(&self, file: &str) -> &Run {
        &self.all(file)[0]
    }

    /// The first run of a scenario, if it was run.
    pub fn first(&self, file: &str) -> Option<&Run> {
        self.by_file.get(file).and_then(|runs| runs.first())
    }
}

/// What a claim may have as its value: one value, or the mean of those of several runs, one for
/// each seed.
pub trait IntoEstimate {
    /// The value as an estimate.
    fn estimate(self) -> Estimate;
}

impl IntoEstimate for f64 {
    fn estimate(self) -> Estimate {
        Estimate { count: 1, mean: self, deviation: None, half_width: None }
    }
}

impl IntoEstimate for Estimate {
    fn estimate(self) -> Estimate {
        self
    }
}

/// What an experiment read off its runs.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// The part of all claim ids here that callers leave out, without its dot.
    prefix: &'static str,
    /// Values by claim id, in the unit of the claim.
    pub values: Vec<(String, Estimate)>,
    /// Of claims with a free parameter: by claim id, its values in words and what is measured at
    /// each, in the unit of the claim.
    pub bands: Vec<(String, Vec<(String, Estimate)>)>,
    /// The network and its caption, where a figure of the paper is its drawing.
    pub network: Option<(String, NetworkSpec)>,
    /// Charts for the report.
    pub charts: Vec<Chart>,
    /// What the paper says, in these charts.
    pub marks: Vec<Mark>,
    /// Tables beside the claims.
    pub exhibits: Vec<Exhibit>,
}

impl Measured {
    /// Nothing measured yet. Claim ids are given without `prefix` and its dot.
    pub fn of(prefix: &'static str) -> Measured {
        Measured { prefix, ..Measured::default() }
    }

    /// Records the value of a claim.
    pub fn claim(&mut self, id: impl AsRef<str>, value: impl IntoEstimate) {
        self.values.push((self.full(id.as_ref()), value.estimate()));
    }

    /// Records the values of a claim over a free parameter, each with that of the parameter.
    pub fn band(&mut self, id: impl AsRef<str>, values: Vec<(String, impl IntoEstimate)>) {
        let values = values.into_iter().map(|(at, value)| (at, value.estimate())).collect();
        self.bands.push((self.full(id.as_ref()), values));
    }

    /// Shows what the paper says of a claim in a chart.
    pub fn mark(&mut self, mark: Mark) {
        self.marks.push(Mark { claim: self.full(&mark.claim), ..mark });
    }

    fn full(&self, id: &str) -> String {
        if self.prefix.is_empty() { id.to_owned() } else { format!("{}.{id}", self.prefix) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A variant differs from its base exactly where it says so.
    #[test]
    fn variant_edits_the_text() {
        let base = ScenarioText::new("a.toml", "n2 = 10\nn3 = 51\n").with_seeds(3);
        let variant = base.variant("b.toml", &[("n3 = 51", "n3 = 155")]);
        assert_eq!(variant.text, "n2 = 10\nn3 = 155\n");
        assert_eq!((variant.file.as_str(), variant.seeds), ("b.toml", 3));
    }

    /// An edit that meets nothing is a mistake of ours, not a silent copy of the base.
    #[test]
    #[should_panic(expected = "has no `n3 = 52` to vary")]
    fn variant_must_change_something() {
        let base = ScenarioText::new("a.toml", "n3 = 51\n");
        let _ = base.variant("b.toml", &[("n3 = 52", "n3 = 155")]);
    }
}
