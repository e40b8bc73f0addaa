//! `hopflow query`: SQL over directories of results. This file decides which tables there are; the
//! caller passes the function that runs SQL, because only the Python package has it.

mod views;

use std::path::{Path, PathBuf};

use clap::ValueEnum as _;
use serde::Serialize;

use crate::args::{QueryArgs, QueryFormat};
use crate::fail::Fail;
use crate::{Outcome, RunSql};
pub(crate) use views::{View, views};

/// The query for the function that runs SQL.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Query<'a> {
    sql: &'a str,
    views: Vec<View>,
    format: String,
    out: Option<&'a Path>,
}

pub(crate) fn query(args: &QueryArgs, run_sql: Option<&RunSql<'_>>) -> Outcome {
    let views = views(&args.places)?;
    let Some(run_sql) = run_sql else { return Err(no_sql(args, &views)) };
    check_out(args)?;
    let format = args.format.to_possible_value().map(|value| value.get_name().to_owned());
    let (sql, out) = (args.sql.as_str(), args.out.as_deref());
    let query = Query { sql, views, format: format.unwrap_or_default(), out };
    let query = serde_json::to_string(&query).map_err(|error| Fail::Input(error.to_string()))?;
    match run_sql(&query) {
        0 => Ok(()),
        code => Err(Fail::Ended(code)),
    }
}

fn check_out(args: &QueryArgs) -> Outcome {
    match &args.out {
        None if args.format == QueryFormat::Parquet => Err(Fail::input(
            "--format parquet writes a file: name it with --out, such as `--out answer.parquet`",
        )),
        Some(out) if out.is_dir() || out.file_name().is_none() => {
            Err(Fail::Input(format!("`{}` is a directory: name a file with --out", out.display())))
        }
        Some(out) if out.exists() && !args.force => Err(Fail::Input(format!(
            "`{}` exists: choose another file with --out, or replace it with --force",
            out.display()
        ))),
        _ => Ok(()),
    }
}

/// What to do without the Python package.
fn no_sql(args: &QueryArgs, views: &[View]) -> Fail {
    let made: Vec<String> = views.iter().map(|view| view.sql.clone() + ";").collect();
    let (made, sql) = (made.join(" "), args.sql.trim_end());
    Fail::Input(format!(
        "SQL is run by DuckDB in the Python package, and this program is without it: \
         pip install 'hopflow[sql]', then this command works as it is. The program `duckdb`, where \
         there is one, does the same by:\n    duckdb -cmd {} -c {}",
        hopflow_sweep::quoted(&made),
        hopflow_sweep::quoted(sql)
    ))
}

/// The tables of directories, as JSON, for callers that run SQL themselves.
pub(crate) fn tables(places: &[PathBuf]) -> Result<serde_json::Value, Fail> {
    serde_json::to_value(views(places)?).map_err(|error| Fail::Fault(error.to_string()))
}
