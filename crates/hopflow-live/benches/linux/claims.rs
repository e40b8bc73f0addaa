//! The claims about an experiment, and whether they hold.

use super::bed::Live;

/// Claims as they are judged: one row each.
pub(crate) struct Claims {
    part: String,
    differing: Vec<String>,
    unjudged: Vec<String>,
}

/// A claim. Its range was written before the first run of the experiment.
pub(crate) struct Claim {
    /// Its name.
    pub(crate) id: String,
    /// The result of the source, if there is one.
    pub(crate) source: &'static str,
    /// The least and the most that reproduce the source.
    pub(crate) range: [f64; 2],
    /// The unit of both.
    pub(crate) unit: &'static str,
}

impl Claims {
    /// Only claims whose name contains this part.
    pub(crate) fn new(part: &str) -> Claims {
        println!("| claim | source | range | measured | verdict |\n|---|---|---|---|---|");
        Claims { part: part.to_owned(), differing: Vec::new(), unjudged: Vec::new() }
    }

    /// Whether a claim of this name is wanted.
    pub(crate) fn wants(&self, id: &str) -> bool {
        id.contains(&self.part)
    }

    /// Reports that some claims cannot be judged here.
    pub(crate) fn skip(&mut self, ids: &str, why: &str) {
        eprintln!("{ids}: {why}");
        self.unjudged.push(ids.to_owned());
    }

    /// Judges a claim by the mean of some values, with their 95 % interval.
    pub(crate) fn judge(&mut self, claim: &Claim, values: &[f64], lives: &[&Live]) {
        let Claim { id, source, range: [least, most], unit } = claim;
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let square = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>();
        let half = student(values.len()) * (square / (count - 1.0).max(1.0) / count).sqrt();
        let measured = match values.len() {
            1 => format!("{mean:.3}"),
            count => format!("{mean:.3} ± {half:.3} ({count} runs)"),
        };
        let is_disturbed = lives.iter().any(|live| !live.evidence.disturbed.is_empty());
        let verdict = match (is_disturbed, (*least..=*most).contains(&mean)) {
            (true, _) => "not judged: disturbed",
            (false, true) => "reproduced",
            (false, false) => "differs",
        };
        println!("| {id} | {source} | {least} to {most} {unit} | {measured} | {verdict} |");
        match verdict {
            "differs" => self.differing.push(id.clone()),
            "reproduced" => {}
            _ => self.unjudged.push(id.clone()),
        }
    }

    /// The same for a claim that is known to differ, for a documented reason.
    pub(crate) fn judge_known(&mut self, claim: &Claim, value: f64, lives: &[&Live], why: &str) {
        let before = self.differing.len();
        self.judge(claim, &[value], lives);
        if self.differing.len() > before {
            self.differing.pop();
            eprintln!("{} differs, {why}", claim.id);
        }
    }

    /// Whether no claim differs. Claims that the machine was too busy to judge are reported as
    /// such.
    pub(crate) fn end(self) -> bool {
        for (what, ids) in [("differs", &self.differing), ("not judged", &self.unjudged)] {
            if !ids.is_empty() {
                eprintln!("{what}: {}", ids.join(", "));
            }
        }
        self.differing.is_empty()
    }
}

/// The 97.5 % quantile of Student's t for a mean of this number of values (tables, to 3 digits).
fn student(count: usize) -> f64 {
    const TABLE: [f64; 11] = [0.0, 0.0, 12.7, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26];
    TABLE.get(count).copied().unwrap_or(2.1)
}
