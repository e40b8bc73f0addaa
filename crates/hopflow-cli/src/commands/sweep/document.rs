//! A sweep as one JSON document: the keys are in `docs/sweep.md`.

use std::path::Path;

use hopflow::CONTRACT_VERSION;
use hopflow::record::{CONFIDENCE, Estimate};
use hopflow_sweep::{Overview, Point, Shape, Stale};
use serde_json::{Map, Value, json};

/// The plan.
pub(super) fn plan(folder: &Path, shape: &Shape) -> Value {
    let file = shape.file();
    json!({
        "version": CONTRACT_VERSION,
        "directory": folder.display().to_string(),
        "key": file.key().to_string(),
        "program": file.program,
        "file": file.file,
        "control": file.control,
        "axes": file.axes,
        "points": shape.grid.points(),
        "seeds": shape.seeds,
        "until": file.until,
        "most_runs": shape.most_runs(),
        "measures": file.columns,
        "series": file.series,
    })
}

/// The plan, and the estimates of the runs that are stored. `stale`: the runs that were made again.
pub(crate) fn document(
    folder: &Path,
    shape: &Shape,
    overview: &Overview,
    stale: Option<&Stale>,
) -> Value {
    let mut document = plan(folder, shape);
    if let Some(stale) = stale {
        document["stale"] = stale_rows(stale);
    }
    let kept = folder.join("scenario.toml").display().to_string();
    let failures = overview.failures.iter().map(|one| {
        json!({
            "point": one.point,
            "seed": one.seed.to_string(),
            "status": one.status,
            "error": one.why,
            "command": shape.command(one.point, one.seed, &kept),
        })
    });
    document["rows"] = json!(overview.rows);
    document["points_with_rows"] = json!(overview.points);
    document["points_without_chance"] = json!(overview.certain);
    document["failed"] = json!(overview.failed);
    document["failures"] = failures.collect();
    document["unmet_points"] = json!(overview.unmet);
    document["confidence"] = json!(CONFIDENCE);
    let points = overview.estimated.iter().map(|(point, of)| estimates(shape, *point, of));
    document["estimates"] = points.collect();
    document
}

/// Stored runs that were stale.
pub(crate) fn stale_rows(stale: &Stale) -> Value {
    let why = (stale.rows() > 0).then(|| stale.to_string());
    json!({ "program": stale.program, "input": stale.input, "why": why })
}

fn estimates(shape: &Shape, point: u64, of: &Point) -> Value {
    let axes = shape.grid.axes().iter().zip(shape.grid.values(point));
    let values: Map<String, Value> =
        axes.map(|(axis, value)| (axis.key().to_owned(), Value::String(value))).collect();
    let measured = shape.measures.names().zip(&of.estimates);
    let entry =
        |(name, estimate): (&str, &Option<Estimate>)| Some((name.to_owned(), json!((*estimate)?)));
    let measures: Map<String, Value> = measured.filter_map(entry).collect();
    json!({ "point": point, "values": values, "runs": of.runs, "measures": measures })
}
