//! Check of the results of `run` or `compare`: they are made again from the scenario, and so is the
//! bundle of them.

use hopflow_scenario::ScenarioFile;
use serde_json::Value;

use super::{Checked, Unlike, files, spread};
use crate::gather::{Documents, MANIFEST, SUMMARY, assembled, first_of, unfit};
use crate::named::{Named, SCENARIO};
use crate::part::{Part, Runs};
use crate::repeat::{Request, run_alone};
use crate::unpacked::Unpacked;
use crate::{Bundle, BundleError, CheckOptions, Progress};

pub(super) fn check(
    bundle: &Bundle,
    unpacked: &Unpacked,
    options: &CheckOptions,
    progress: Option<&Progress>,
) -> Result<Checked, BundleError> {
    let card = bundle.card();
    let mut request = Request::of(card)?;
    let folder = unpacked.folder().join("scenario");
    let name = folder.join(SCENARIO).display().to_string();
    let file = ScenarioFile::new(bundle.text(&format!("scenario/{SCENARIO}"))?, name);
    let summary = bundle.need(&format!("results/{SUMMARY}"))?;
    // A summary that cannot be read specifies nothing; it differs from the one that is made.
    let summary: Value = serde_json::from_slice(summary).unwrap_or_default();
    let runs = Runs { kind: card.kind, parts: card.parts.clone(), times: request.times };
    request.unfit = unfit(&summary);
    request.certain = summary["manifest"]["certain"] == true;
    request.demo = options.demo.filter(|demo| demo.is(&runs, file.text(), &summary));
    let named = Named::new(vec![folder]);
    let first = first_of(&runs, &file, &named)?;
    let all = card.parts.len() as u64;
    if options.sample.is_some_and(|wanted| wanted < all) {
        let mut checked = sample(&request, &file, &named, options, progress)?;
        let [manifest, summary] = [MANIFEST, SUMMARY].map(|name| format!("results/{name}"));
        let given = Documents {
            manifest: bundle.text(&manifest)?.to_owned(),
            summary: bundle.text(&summary)?.to_owned(),
        };
        let again = assembled(given, &file, &first, named, request.demo)?;
        checked.unlike.extend(files::unlike(bundle, unpacked, &again)?);
        checked.digests_only = vec![manifest, summary];
        return Ok(checked);
    }
    let made = request.documents(&file, &named, options, progress)?;
    let again = assembled(made, &file, &first, named, request.demo)?;
    let found = again.card().parts.iter();
    let runs = card.parts.iter().zip(found).filter(|(part, found)| part.digest != found.digest);
    let runs = runs.map(|(part, found)| unlike_digest(part, &found.digest));
    let mut unlike: Vec<Unlike> = runs.collect();
    unlike.extend(files::unlike(bundle, unpacked, &again)?);
    Ok(Checked { all, made: all, unlike, digests_only: Vec::new() })
}

/// Makes some of the runs, and compares their digests.
fn sample(
    request: &Request<'_>,
    file: &ScenarioFile,
    named: &Named,
    options: &CheckOptions,
    progress: Option<&Progress>,
) -> Result<Checked, BundleError> {
    let folders = named.folders();
    let one = |part: &Part| {
        let named = Named::new(folders.to_vec());
        let mut digests = Vec::new();
        for control in &part.controls {
            let read = |path: &str| named.read(path);
            let scenario = part.scenario(file, control, request.times, &read)?;
            digests.push(run_alone(&scenario, options, |_, _| std::num::NonZeroUsize::MIN)?.digest);
        }
        let found = format!("{:016x}", Part::digest_of(request.kind, &digests));
        Ok(Vec::from_iter((found != part.digest).then(|| unlike_digest(part, &found))))
    };
    spread(request.parts, options, progress, &one)
}

fn unlike_digest(part: &Part, found: &str) -> Unlike {
    Unlike {
        run: Some(part.name()),
        file: None,
        what: "the digest".to_owned(),
        bundled: part.digest.clone(),
        found: found.to_owned(),
    }
}
