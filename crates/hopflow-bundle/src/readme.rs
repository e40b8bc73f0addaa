//! README of a bundle: for those who check it without knowing hopflow.

use std::fmt::Write as _;

use crate::{Bundle, Kind};

/// The text, which depends only on the rest of the bundle.
pub(crate) fn text(bundle: &Bundle) -> String {
    let card = bundle.card();
    let title = card.title.as_deref().unwrap_or("A run of hopflow");
    let (version, digest) = (&card.version, &card.digest);
    let for_each =
        |of: &str| format!("{} runs, one for each {of}, have the digest `{digest}`.", card.runs);
    let what = match card.kind {
        Kind::Run => format!("The run has the digest `{digest}`."),
        Kind::Seeds => for_each("seed"),
        Kind::Controls => for_each("control"),
        Kind::ControlsAndSeeds => for_each("seed and control"),
        Kind::Sweep => format!(
            "{} runs of a sweep are the rows of `results/runs.parquet`, each with its digest. The \
             key of its plan is `{digest}`.",
            card.runs
        ),
    };
    let folder = bundle.folder();
    let by_hand = match card.kind {
        Kind::Sweep => {
            "It writes `again/runs.parquet`, which has the same bytes as `results/runs.parquet`:\n\
             `cmp again/runs.parquet results/runs.parquet`."
        }
        _ => {
            "It writes `again/manifest.json` and `again/summary.json`, which have the same bytes\n\
             as those in `results`: `cmp again/summary.json results/summary.json`."
        }
    };
    let mut text = format!(
        "# {title}\n\n\
         This folder has all that is needed to make these results again. They were made by\n\
         hopflow {version}, a simulator of network flow control. {what}\n\
         A digest folds every event of a run: equal digests are equal runs. It does not depend on\n\
         the machine or the number of threads.\n\n\
         ## Check\n\n\
         With hopflow {version} (`hopflow --version`), and the archive as it came:\n\n\
         ```sh\nhopflow bundle --check {folder}.tar\n```\n\n\
         This makes the runs again from the folder `scenario`, writes every other file of this\n\
         folder anew, and compares both byte by byte. It prints the first difference of each file\n\
         and ends with exit code 1 if there is one, and with 0 if all is the same. `--sample N`\n\
         makes N of the runs, and its last line names the files of which it compared digests\n\
         only. The file may have another name.\n\n\
         ## Check by hand\n\n\
         In this folder, `sha256sum -c SHA256SUMS` says whether its files are whole. This command\n\
         makes the results again:\n\n\
         ```sh\n{}\n```\n\n{by_hand}\n\n\
         ## Files\n\n| file | content |\n|---|---|\n",
        card.command
    );
    let rows = [
        ("bundle.json", "versions, digests, seeds and controls, the command"),
        ("resolved.json", "the scenario as it was run, with every default filled in"),
        ("scenario/scenario.toml", "the scenario's text, with keys that were set from outside"),
        ("results/", "what was found"),
        ("SHA256SUMS", "a sum of each file"),
    ];
    for (name, content) in rows {
        let _ = writeln!(text, "| `{name}` | {content} |");
    }
    let own = "scenario/scenario.toml";
    for name in bundle.names().filter(|name| name.starts_with("scenario/") && *name != own) {
        let _ = writeln!(text, "| `{name}` | a file that the scenario names |");
    }
    text
}
