//! The columns of the tables of several seeds.

use super::Kind::{F64, Name, U64};
use super::{TableInfo, column, maybe};

/// One row per quantity of runs with several seeds.
pub(crate) const ESTIMATES: TableInfo = TableInfo {
    name: "estimates",
    row: "quantity of a VC, link direction or queue, over the runs of several seeds",
    columns: &[
        column("of", Name, "vc, link or queue."),
        column("name", Name, "The VC, or the link direction (of a queue: its port's)."),
        column("quantity", Name, "Which quantity; its name ends in its unit."),
        column("count", U64, "Runs that had it."),
        column("mean", F64, "Its mean over these runs."),
        maybe("deviation", F64, "Its standard deviation; none of one run."),
        maybe("half_width", F64, "Half the 95 % confidence interval of the mean."),
    ],
};

/// One row per quantity and seed.
pub(crate) const SEEDS: TableInfo = TableInfo {
    name: "seeds",
    row: "quantity and seed",
    columns: &[
        column("seed", Name, "The seed, in digits."),
        column("of", Name, "vc, link or queue."),
        column("name", Name, "The VC, or the link direction (of a queue: its port's)."),
        column("quantity", Name, "Which quantity; its name ends in its unit."),
        maybe("value", F64, "Its value in the run of this seed."),
    ],
};

/// All tables of the directory of several seeds.
pub const SEED_TABLES: [&TableInfo; 2] = [&ESTIMATES, &SEEDS];
