//! A run as an HTML fragment for notebooks: its facts, its network and the recorded series, drawn
//! as SVG. It has its own style and no script, and it affects nothing outside itself.

use std::fmt::Write as _;

use hopflow::Manifest;
use hopflow::network::NetworkSpec;
use hopflow::record::{Series, Summary};
use hopflow_export::chart::{Figure, legend_swatch};
use hopflow_export::report::{Block, charts, escape, network as picture};
use hopflow_figures::{STYLE as PICTURES, time_text};

/// All rules are scoped to the class of the fragment.
const STYLE: &str = include_str!("page.css");
/// The most charts; the report of a run has more.
const CHARTS: usize = 6;
/// Pixel columns of a chart, to which series are thinned.
const COLUMNS: usize = 300;

/// The fragment.
pub(crate) fn page(
    network: &NetworkSpec,
    summary: &Summary,
    series: &[Series],
    manifest: &Manifest,
) -> String {
    let title = manifest.title.as_deref().unwrap_or("A run");
    let flows = network.vcs.len();
    let style = STYLE.replacen("/* pictures */", PICTURES, 1);
    let mut out = format!(
        "<div class=\"hopflow-run\"><style>{style}</style><h3>{}</h3><p>{} simulated, {flows} {}, \
         digest <code>{}</code></p>",
        escape(title),
        time_text(summary.end_ps as f64),
        if flows == 1 { "flow" } else { "flows" },
        escape(&manifest.digest),
    );
    for broken in &summary.violations {
        let _ = write!(out, "<p><b>Property failed:</b> {}</p>", escape(&broken.text));
    }
    let vcs: Vec<&str> = network.vcs.iter().map(|vc| vc.name.as_str()).collect();
    let charts = charts(series, summary.counted_in, &vcs);
    let more = charts.len().saturating_sub(CHARTS);
    for block in picture(network, summary).iter().chain(charts.iter().take(CHARTS)) {
        match block {
            Block::Drawing { svg, .. } => {
                let _ = write!(out, "<figure>{svg}</figure>");
            }
            Block::Figure(figure) => {
                // A notebook has many results on one page: their ids must differ.
                let id = format!("hopflow-{}-{}", manifest.digest, figure.id);
                chart(&mut out, &Figure { id, ..figure.clone() });
            }
            Block::Text(text) => {
                let _ = write!(out, "<p>{}</p>", escape(&text.replace('`', "")));
            }
            _ => {}
        }
    }
    if more > 0 {
        let _ = write!(out, "<p>{more} more charts are in the report of a run.</p>");
    }
    out + "</div>"
}

fn chart(out: &mut String, figure: &Figure) {
    let _ = write!(out, "<figure><h4>{}</h4><ul class=\"legend\">", escape(&figure.title));
    for (index, (line, same)) in figure.series.iter().zip(figure.same_as()).enumerate() {
        let swatch = legend_swatch(line.kind, figure.look(index));
        let _ =
            write!(out, "<li><span>{swatch}{}{}</span></li>", escape(&line.name), escape(&same));
    }
    let _ = write!(out, "</ul>{}</figure>", figure.picture(COLUMNS));
}
