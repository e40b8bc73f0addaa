//! Report of a sweep: a page of lines and heat maps, of failures, and of all points in a table.
//!
//! Each measure that varies between runs has pictures (`report/pictures.rs`). The page states what
//! it leaves out; `runs.parquet` has all.

mod pictures;

use std::path::{Path, PathBuf};

use hopflow::record::Estimate;
use hopflow_export::report::{Block, Cell, Column, Page, Section, Table, value_text, words};

use crate::store::{REPORT, SCENARIO, write_file};
use crate::{MOST_ESTIMATED, Overview, Shape, SweepError, TOTALS};

/// The most measures, and rows of a table.
const MOST_MEASURES: usize = 16;
const MOST_ROWS: usize = 200;

/// Writes the page as `report.html` into the directory of the sweep, and returns its path.
pub fn write(folder: &Path, shape: &Shape, overview: &Overview) -> Result<PathBuf, SweepError> {
    let kept = folder.join(SCENARIO).display().to_string();
    let path = folder.join(REPORT);
    let html = page(shape, overview, &kept).html();
    match write_file(&path, html.as_bytes()) {
        Ok(()) => Ok(path),
        Err(cause) => Err(SweepError::Write { path, stored: overview.rows, cause }),
    }
}

/// The page of a sweep. `kept`: the file of its scenario in its directory.
pub fn page(shape: &Shape, overview: &Overview, kept: &str) -> Page {
    let file = shape.file();
    let mut sections = Vec::new();
    // What was offered is no result.
    let left_out = ["violations", "created_packets"].map(|name| shape.measures.place(name));
    let shown: Vec<usize> = (0..shape.measures.count())
        .filter(|column| varies(overview, *column) && !left_out.contains(&Some(*column)))
        .take(MOST_MEASURES)
        .collect();
    let seen: Vec<String> =
        shown.iter().filter_map(|column| pictures::seen(shape, overview, *column)).collect();
    if !seen.is_empty() {
        sections.push(Section::new("seen", "What you see", vec![Block::List(seen)]));
    }
    if overview.failed > 0 {
        sections.push(failures(shape, overview, kept));
    }
    let pictures = shown.iter().map(|column| pictures::of(shape, overview, *column));
    sections.extend(pictures.filter(|section| !section.blocks.is_empty()));
    sections.push(points(shape, overview, &shown));
    sections.push(dictionary(shape));
    let start = pictures::shared_start(shape).trim_end_matches('.');
    let keys = if start.is_empty() {
        String::new()
    } else {
        format!(" Keys in the pictures are those below `{start}`.")
    };
    let rule = shape
        .rule
        .as_ref()
        .map_or_else(String::new, |rule| format!(" Seeds of a point end when {}.", rule.text()));
    Page {
        title: pictures::swept(shape).map_or_else(
            || format!("Sweep of {}", file.name),
            |keys| format!("{keys} of {}", file.name),
        ),
        subtitle: format!(
            "{} runs at {} points. {}{rule}{keys}",
            overview.rows,
            overview.points,
            values(shape, overview)
        ),
        facts: vec![
            ("runs".to_owned(), overview.rows.to_string()),
            ("points".to_owned(), shape.grid.points().to_string()),
            ("seeds".to_owned(), shape.seeds.to_string()),
            ("key".to_owned(), format!("`{}`", file.key())),
        ],
        sections,
        footer: format!("Written by hopflow {}.", file.version),
    }
}

/// What the values of the page are.
fn values(shape: &Shape, overview: &Overview) -> String {
    if shape.seeds == 1 {
        return "Values are those of one run.".to_owned();
    }
    if overview.certain > 0 && overview.certain == overview.points {
        return "Nothing is random: each point has one run, which is that of every seed."
            .to_owned();
    }
    let means =
        "Values are means over the seeds of a point; marks are their 95 % confidence intervals.";
    match overview.certain {
        0 => means.to_owned(),
        certain => format!(
            "{means} At {certain} points nothing is random: they have one run, which is that of \
             every seed, and no interval."
        ),
    }
}

fn name(shape: &Shape, column: usize) -> &str {
    shape.measures.names().nth(column).expect("it is a column")
}

/// Whether runs have a measure, and it is not the same at all points.
fn varies(overview: &Overview, column: usize) -> bool {
    let means = overview.estimated.values().filter_map(|point| point.estimates[column]);
    let mut means = means.map(|estimate| estimate.mean);
    let Some(first) = means.next() else { return false };
    means.any(|mean| mean.total_cmp(&first).is_ne()) || overview.estimated.len() == 1
}

fn failures(shape: &Shape, overview: &Overview, kept: &str) -> Section {
    let rows = overview.failures.iter().map(|one| {
        vec![
            Cell::Text(one.point.to_string()),
            Cell::Text(one.seed.to_string()),
            Cell::Text(one.status.to_owned()),
            Cell::Text(one.why.replace('`', "'")),
            Cell::Text(format!("`{}`", shape.command(one.point, one.seed, kept))),
        ]
    });
    let mut columns = vec![Column::number("point", ""), Column::number("seed", "")];
    columns.extend(["status", "why", "command that repeats it"].map(Column::text));
    let more = overview.failed - overview.failures.len() as u64;
    Section::new("failures", "Failures", vec![Block::Table(table(columns, rows.collect(), more))])
}

/// A table with a note of the rows that it leaves out.
fn table(columns: Vec<Column>, rows: Vec<Vec<Cell>>, more: u64) -> Table {
    let note = if more > 0 { format!("{more} more in `runs.parquet`.") } else { String::new() };
    Table { columns, rows, note, ..Table::default() }
}

fn points(shape: &Shape, overview: &Overview, shown: &[usize]) -> Section {
    if overview.estimated.is_empty() {
        let text = format!(
            "Above {MOST_ESTIMATED} points nothing is drawn: read `runs.parquet` with DuckDB or \
             another reader."
        );
        return Section::new("points", "Points", vec![Block::Text(text)]);
    }
    // What is the same at all points stands in a sentence of its own.
    let shown: Vec<usize> = shown
        .iter()
        .copied()
        .filter(|column| pictures::flat(overview, *column, name(shape, *column)).is_none())
        .collect();
    let start = pictures::shared_start(shape);
    let mut columns = vec![Column::number("point", "")];
    let keys = shape.grid.axes().iter().map(crate::axis::Axis::key);
    columns.extend(keys.map(|key| Column::text(key.strip_prefix(start).unwrap_or(key))));
    let runs = columns.len();
    columns.push(Column::number("runs", ""));
    columns.extend(shown.iter().map(|column| Column::number(words(name(shape, *column)), "")));
    let rows = overview.estimated.iter().take(MOST_ROWS).map(|(point, of)| {
        let mut row = vec![Cell::Text(point.to_string())];
        row.extend(shape.grid.values(*point).into_iter().map(Cell::Code));
        row.push(Cell::Text(of.runs.to_string()));
        let cell = |column: &usize| estimate(of.estimates[*column], name(shape, *column));
        row.extend(shown.iter().map(cell));
        row
    });
    let more = overview.estimated.len().saturating_sub(MOST_ROWS) as u64;
    let mut table = table(columns, rows.collect(), more);
    if let Some(Cell::Text(runs)) = table.drop_constant(runs) {
        let each = if runs == "1" { "one run".to_owned() } else { format!("{runs} runs") };
        let space = if table.note.is_empty() { "" } else { " " };
        table.note = format!("Each point has {each}.{space}{}", table.note);
    }
    Section::new("points", "Points", vec![Block::Table(table)])
}

fn estimate(estimate: Option<Estimate>, name: &str) -> Cell {
    let Some(estimate) = estimate else { return Cell::Text("\u{2013}".to_owned()) };
    let half = estimate.half_width.map(|half| format!(" \u{b1} {}", value_text(name, half)));
    Cell::Text(format!("{}{}", value_text(name, estimate.mean), half.unwrap_or_default()))
}

fn dictionary(shape: &Shape) -> Section {
    let columns = shape.table().columns;
    let terms = columns.into_iter().map(|column| (column.name, column.meaning)).collect();
    let text = format!(
        "Beside this page: `runs.parquet` has a row for each point and seed, `sweep.json` the \
         plan. The first {} measures are totals of a run.",
        TOTALS.len()
    );
    Section::new("data", "Data dictionary", vec![Block::Text(text), Block::Dictionary(terms)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::plan;
    use crate::{Failure, Point};

    fn overview(shape: &Shape, value: impl Fn(u64) -> Option<f64>) -> Overview {
        let of = |point: u64| {
            let mut estimates = vec![None; shape.measures.count()];
            estimates[0] = value(point).and_then(|v| Estimate::of([v * 0.99, v * 1.01]));
            Point { runs: 2, estimates }
        };
        let points = shape.grid.points();
        let estimated = (0..points).map(|point| (point, of(point))).collect();
        Overview { rows: 2 * points, points, estimated, ..Overview::default() }
    }

    /// The shape of axes that the scenario of tests may not have.
    fn plan_unread(axes: &[&str]) -> Shape {
        let axes = axes.iter().map(|axis| (*axis).to_owned()).collect();
        let file = plan(&[], 2).shape().file().clone();
        Shape::read(crate::SweepFile { axes, ..file }).unwrap()
    }

    /// Claim: two numeric axes have lines over the longer one, a line for each value of the shorter
    /// one with an interval at each point, and a heat map with every square; a measure that no run
    /// has is left out.
    #[test]
    fn lines_and_maps_are_drawn() {
        let axes = ["flow.VC1.source.rate=1..4 Mb/s/4", "flow.VC1.weight=1,2", "control=as-is,n23"];
        let shape = plan(&axes, 2).shape().clone();
        let all = overview(&shape, |point| Some(1e6 * (1 + point) as f64));
        let page = page(&shape, &all, "");
        let ids: Vec<&str> = page.sections.iter().map(|section| section.id.as_str()).collect();
        assert_eq!(ids, ["seen", "m0", "points", "data"]);
        let Block::List(seen) = &page.sections[0].blocks[0] else {
            panic!("{:?}", page.sections[0])
        };
        // Point 0 has the least mean, 1 Mb/s, and point 15 the greatest.
        let least = "1\u{202f}Mb/s at flow.VC1.source.rate = 1 Mb/s, flow.VC1.weight = 1, \
                     control = as-is";
        let seen: Vec<String> = seen.iter().map(|one| one.replace('\u{a0}', " ")).collect();
        assert!(seen[0].contains(least) && seen[0].contains("to 16\u{202f}Mb/s at "), "{seen:?}");
        let blocks = &page.sections[1].blocks;
        let Block::Figure(figure) = &blocks[0] else { panic!("{blocks:?}") };
        let names: Vec<&str> = figure.series.iter().map(|line| line.name.as_str()).collect();
        assert_eq!(names[1], "flow.VC1.weight = 1, control = n23");
        assert_eq!((names.len(), figure.bands.len()), (4, 16));
        // Points 0, 4, 8 and 12 have weight 1 and the control `as-is`.
        let expected = [(1.0, 1.0), (2.0, 5.0), (3.0, 9.0), (4.0, 13.0)];
        let points = figure.series[0].points.iter().zip(expected);
        assert!(
            points.into_iter().all(|(p, e)| (p.0 - e.0).abs() < 1e-9 && (p.1 - e.1).abs() < 1e-9)
        );
        assert_eq!(
            (figure.y.unit.as_str(), figure.x.label.as_str()),
            ("Mb/s", "flow.VC1.source.rate (Mb/s)")
        );
        let Block::Grid(grid) = &blocks[1] else { panic!("{blocks:?}") };
        let maps: Vec<&str> = grid
            .iter()
            .map(|block| match block {
                // The map of a page, before that of a phone.
                Block::Drawing { svg, .. } => svg.split("</svg>").next().unwrap_or_default(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(maps.len(), 2);
        assert_eq!(maps[0].matches("<title>").count(), 8);
        assert!(!maps[0].contains("no value"));
        // The least value is in the first, the greatest in the second: both have one scale.
        let scale = |svg: &str| svg[svg.find("class=\"label\"").unwrap()..].to_owned();
        assert_eq!(scale(maps[0]), scale(maps[1]));
        let html = page.html();
        assert!(html.contains("hot5") && html.contains("hot1"), "the sheet and the map agree");
    }

    /// Claim, by hand: means from 617.289 to 617.290 Mb/s differ by 2e-6 of the mean, less than a
    /// thousandth: one sentence, and no picture. Ticks and scales have no two texts
    /// alike where values differ by more. Means that differ by less than a typical interval are one
    /// value, too; by more, they are not.
    #[test]
    fn a_constant_is_one_sentence() {
        let axes = ["flow.VC1.control.n2=1..4/4", "flow.VC1.control.n3=5..8/4"];
        let shape = plan_unread(&axes);
        let svg_of = |values: &dyn Fn(u64) -> [f64; 2]| {
            let of = |point: u64| {
                let mut estimates = vec![None; shape.measures.count()];
                estimates[0] = Estimate::of(values(point));
                (point, Point { runs: 2, estimates })
            };
            let estimated = (0..16).map(of).collect();
            let all = Overview { rows: 32, points: 16, estimated, ..Overview::default() };
            page(&shape, &all, "")
        };
        let constant = svg_of(&|point| [617_289_406.0 + 60.0 * point as f64; 2]);
        assert_eq!(constant.sections[0].id, "seen");
        let Block::List(said) = &constant.sections[0].blocks[0] else {
            panic!("{:?}", constant.sections[0])
        };
        assert!(said[0].ends_with(": 617.3\u{202f}Mb/s everywhere."), "{said:?}");
        assert_eq!((constant.sections[1].id.as_str(), said.len()), ("points", 1));
        assert!(constant.title.starts_with("n2 \u{d7} n3 of "), "{}", constant.title);
        assert!(constant.subtitle.contains("below `flow.VC1.control`"), "{}", constant.subtitle);
        // Ten values apart by 2.1e-3 of the mean in all.
        let slope = svg_of(&|point| [1e9 + 140_000.0 * point as f64; 2]);
        let Block::Beside(lines, maps) = &slope.sections[1].blocks[0] else {
            panic!("{:?}", slope.sections[1])
        };
        let Block::Figure(figure) = &lines[0] else { panic!("{lines:?}") };
        assert_eq!((figure.series[1].name.as_str(), figure.x.label.as_str()), ("n2 = 2", "n3"));
        let Block::Drawing { svg, .. } = &maps[0] else { panic!("{maps:?}") };
        let svg = svg.split("</svg>").next().expect("the map of a page");
        let scale: Vec<&str> =
            svg.split("Gb/s</text>").filter_map(|one| one.rsplit('>').next()).collect();
        let scale = &scale[scale.len() - 7..scale.len() - 1];
        let distinct: std::collections::BTreeSet<&&str> = scale.iter().collect();
        assert_eq!(distinct.len(), 6, "{scale:?}");
        // Two seeds 2 apart: t(1) sqrt(2) / sqrt(2) = 12.7 is half of the interval, 25.4 the whole.
        let within = |step: f64| {
            let page = svg_of(&|point| [point as f64 * step + 99.0, point as f64 * step + 101.0]);
            page.sections[1].id == "points"
        };
        assert!(within(25.0 / 15.0) && !within(26.0 / 15.0));
    }

    /// Claim, by hand: of six settings beside a map, four are drawn, the first and the last among
    /// them; the axis of values from 1,000 to 1,047 does not begin at 0, that of 0 to 47 does.
    #[test]
    fn lines_are_spread_and_stand_apart() {
        let shape = plan_unread(&["flow.VC1.control.n2=1..6/6", "flow.VC1.control.n3=5..40/8"]);
        let figure = |least: u64| {
            let of = |point: u64| {
                let mut estimates = vec![None; shape.measures.count()];
                estimates[0] = Estimate::of([(least + point) as f64; 2]);
                (point, Point { runs: 2, estimates })
            };
            let estimated = (0..48).map(of).collect();
            let all = Overview { rows: 96, points: 48, estimated, ..Overview::default() };
            let page = page(&shape, &all, "");
            let Block::Beside(lines, _) = &page.sections[1].blocks[0] else {
                panic!("{:?}", page.sections[1])
            };
            let Block::Figure(figure) = &lines[0] else { panic!("{lines:?}") };
            figure.clone()
        };
        let far = figure(1_000);
        let names: Vec<&str> = far.series.iter().map(|line| line.name.as_str()).collect();
        assert_eq!(names, ["n2 = 1", "n2 = 3", "n2 = 5", "n2 = 6"]);
        assert!(far.caption.starts_with("4 of 6 settings"), "{}", far.caption);
        assert!(far.caption.ends_with("does not begin at 0."), "{}", far.caption);
        assert!(far.y.range.is_some_and(|(low, _)| low > 0.0) && figure(0).y.range.is_none());
    }

    /// Claim: failures are in the page with their command; a point without a value is an empty
    /// square; random axes have no map.
    #[test]
    fn failures_and_gaps_are_reported() {
        let axes = ["flow.VC1.source.rate=1..3 Mb/s/3", "flow.VC1.weight=1,2"];
        let shape = plan(&axes, 2).shape().clone();
        let mut all = overview(&shape, |point| (point != 3).then_some(point as f64));
        all.failed = 30;
        let why = "it `cannot` be".to_owned();
        all.failures = vec![Failure { point: 3, seed: 8, status: "failed", why }];
        let html = page(&shape, &all, "").html();
        assert!(html.contains("no value") && html.contains("29 more"));
        assert!(html.contains("hopflow run one.toml --set"), "{html}");
        let axes = ["flow.VC1.source.rate=random 1..9 Mb/s/3", "flow.VC1.weight=random 1..5/3"];
        let shape = plan(&axes, 2).shape().clone();
        let page = page(&shape, &overview(&shape, |point| Some(point as f64)), "");
        assert_eq!(page.sections[1].blocks.len(), 1);
    }
}
