//! Which experiments are meant by the ids of papers, experiments and claims.

use hopflow_papers::{Chosen, Experiment, Paper};

use crate::fail::Fail;

/// The most ids that are offered instead of one that does not exist.
const OFFERED: usize = 3;

/// Whether a claim is meant by one of the ids; by none: every claim is.
pub(crate) fn is_wanted(claim: &str, ids: &[String]) -> bool {
    ids.is_empty() || ids.iter().any(|id| is_under(claim, id))
}

/// Whether a claim or an experiment lies under an id such as `kung94.fig1` or `kung94.fig14`.
fn is_under(id: &str, above: &str) -> bool {
    id == above || id.strip_prefix(above).is_some_and(|rest| rest.starts_with('.'))
}

/// The experiments with a claim that is meant, in the order of the papers; and the ids, where that
/// of an experiment stands for all figures that it has.
pub(crate) fn choose<'a>(
    papers: &'a [Paper],
    ids: &[String],
) -> Result<(Vec<Chosen<'a>>, Vec<String>), Fail> {
    let experiment = |id: &String| {
        let mut all = papers.iter().flat_map(|paper| &paper.experiments);
        all.find(|one| one.id() == id)
    };
    let prefixes = |id: &String| match experiment(id) {
        Some(one) => one.prefixes().iter().map(|prefix| (*prefix).to_owned()).collect(),
        None => vec![id.clone()],
    };
    let ids: Vec<String> = ids.iter().flat_map(prefixes).collect();
    let claims = || papers.iter().flat_map(|paper| &paper.claims);
    for id in &ids {
        if !claims().any(|claim| is_under(&claim.id, id)) {
            return Err(Fail::Input(unknown(papers, id)));
        }
    }
    let experiments =
        papers.iter().flat_map(|paper| paper.experiments.iter().map(move |one| (paper, one)));
    let wanted = |(paper, one): &Chosen<'a>| {
        paper.claims_of(one).iter().any(|claim| is_wanted(&claim.id, &ids))
    };
    let chosen = experiments.filter(wanted).collect();
    Ok((chosen, ids))
}

fn unknown(papers: &[Paper], id: &str) -> String {
    let near = near(papers, id);
    let meant = match near.as_slice() {
        [] => {
            let keys: Vec<String> = papers.iter().map(|paper| format!("`{}`", paper.key)).collect();
            format!("the papers are {}", keys.join(", "))
        }
        near => {
            let near: Vec<String> = near.iter().map(|id| format!("`{id}`")).collect();
            format!("did you mean {}?", near.join(" or "))
        }
    };
    format!(
        "there is no paper, experiment or claim `{id}`: {meant} `hopflow reproduce --list` lists \
         all experiments"
    )
    .replace("` `hopflow", "`. `hopflow")
}

/// What is close to `id`, the closest first: of papers and experiments, or of the claims of an
/// experiment that it names.
fn near(papers: &[Paper], id: &str) -> Vec<String> {
    // `Figure 14` is `fig14`.
    let lower = id.to_lowercase().replace([' ', '-'], "").replace("figure", "fig");
    let mut known: Vec<&str> = papers.iter().map(|paper| paper.key).collect();
    known.extend(papers.iter().flat_map(|paper| &paper.experiments).flat_map(Experiment::prefixes));
    if known.contains(&lower.as_str()) {
        return vec![lower];
    }
    // `fig14` is `kung94.fig14`.
    let ends = |one: &&str| one.strip_suffix(&lower).is_some_and(|before| before.ends_with('.'));
    let parts: Vec<String> =
        known.iter().copied().filter(ends).take(OFFERED).map(str::to_owned).collect();
    if !parts.is_empty() {
        return parts;
    }
    let below = |one: &&str| is_under(&lower, one);
    let claims = papers.iter().flat_map(|paper| &paper.claims).map(|claim| claim.id.as_str());
    let deepest = known.iter().copied().filter(below).max_by_key(|one| one.len());
    match deepest {
        Some(above) if above.contains('.') => {
            closest(&lower, claims.filter(|claim| is_under(claim, above)), usize::MAX)
        }
        _ => closest(&lower, known.into_iter(), lower.chars().count() / 4 + 1),
    }
}

/// The nearest, if they are no farther than `most` edits.
fn closest<'a>(id: &str, known: impl Iterator<Item = &'a str>, most: usize) -> Vec<String> {
    let far = |one: &str| strsim::damerau_levenshtein(id, &one.to_lowercase());
    let mut near: Vec<(usize, &str)> = known.map(|one| (far(one), one)).collect();
    near.retain(|(far, _)| *far <= most);
    near.sort_unstable();
    near.into_iter().take(OFFERED).map(|(_, one)| one.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopflow_papers::papers;

    /// Claim: a paper, an experiment, several of them and a claim choose the experiments that
    /// measure their claims; `kung94.fig1` is not the beginning of `kung94.fig14`.
    #[test]
    fn ids_choose_experiments() {
        let papers = papers();
        let ids = |ids: &[&str]| -> Vec<&str> {
            let ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
            choose(&papers, &ids).unwrap().0.iter().map(|(_, one)| one.id()).collect()
        };
        assert_eq!(ids(&["kung94.fig14"]), ["kung94.fig14"]);
        assert_eq!(ids(&["kung94.fig16.vc1_above_vc2"]), ["kung94.fig14"]);
        assert_eq!(ids(&["kung94.fig14", "zhang90.fig1"]), ["zhang90.fig1", "kung94.fig14"]);
        let debate = ["debate.lan", "debate.bursts", "debate.heirs", "debate.headroom"];
        assert_eq!(ids(&["debate"]), debate);
        assert!(ids(&[]).len() > 40);
        let wanted = choose(&papers, &["kung94.fig14".to_owned()]).unwrap().1;
        assert_eq!(wanted, ["kung94.fig14", "kung94.fig15", "kung94.fig16"]);
        assert_eq!(choose(&papers, &["kung94.fig15".to_owned()]).unwrap().1, ["kung94.fig15"]);
        assert!(choose(&papers, &["kung94.fig1".to_owned()]).is_err());
    }

    /// Claim: what is nearly right is named in the message.
    #[test]
    fn near_misses_are_named() {
        let papers = papers();
        let says = |id: &str| unknown(&papers, id);
        assert!(says("kung95").contains("did you mean `kung94`?"), "{}", says("kung95"));
        assert!(says("Kung94").contains("`kung94`"), "{}", says("Kung94"));
        assert!(says("fig14").contains("did you mean `kung94.fig14`?"), "{}", says("fig14"));
        assert!(says("kung94.figure14").contains("`kung94.fig14`"), "{}", says("kung94.figure14"));
        assert!(says("figure14").contains("`kung94.fig14`"), "{}", says("figure14"));
        assert!(says("Figure 14").contains("`kung94.fig14`"), "{}", says("Figure 14"));
        let claim = says("kung94.fig14.vc1.shares");
        assert!(claim.contains("did you mean `kung94.fig14.vc1.share`"), "{claim}");
        assert!(says("x").contains("the papers are `zhang90`, "), "{}", says("x"));
    }
}
