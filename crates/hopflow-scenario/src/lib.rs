//! Scenario files: TOML with units to a validated network.
//!
//! [`Scenario::from_toml`] reads, checks and builds; what is wrong comes back as [`Diagnostics`],
//! all of it at once. `docs/scenario.md` specifies the format, `docs/errors.md` the errors.
//!
//! | file            | what                                                         |
//! |-----------------|--------------------------------------------------------------|
//! | `keys.rs`       | every table and key: what the reader and the schema go by    |
//! | `decimal.rs`    | exact decimal numbers                                        |
//! | `quantity.rs`   | numbers with units                                           |
//! | `flag.rs`       | quantities outside scenario files                            |
//! | `value.rs`      | one value of each type, or why not                           |
//! | `cell_time.rs`  | cell times, true loops, cells in flight                      |
//! | `section.rs`    | tables with their defaults; the check of all keys            |
//! | `template.rs`   | names, `count` and `{}`                                      |
//! | `templates.rs`  | built-in scenarios with known answers                        |
//! | `topology.rs`   | networks made whole                                          |
//! | `drain.rs` `application.rs` | slow hosts; their applications and the links to them |
//! | `node.rs` `link.rs` `scheduler.rs` `event.rs` `record.rs` | the parts of a network      |
//! | `flow.rs` `route.rs` `control.rs` `packet.rs` `source.rs` `traffic.rs` | those of a flow |
//! | `way.rs`        | the hops of a flow, and what its keys may depend on of each  |
//! | `calls.rs`      | flows that ask for their reservation, calls                  |
//! | `transport.rs`  | frames of cells; connections: TCP, NFS, recorded calls       |
//! | `names.rs`      | nodes, links and flows by their names                        |
//! | `not_modelled.rs` | names of today that are not modelled, and what is nearest      |
//! | `replay.rs`     | records that sources and calls replay                        |
//! | `run_time.rs`   | duration, warm-up, and the cells in which they are given     |
//! | `naming.rs`     | how messages name texts and links                            |
//! | `machine.rs`    | external machines, by name                                   |
//! | `rate.rs`       | rate control of ports; ABR sources are in `flow/abr.rs`      |
//! | `variant.rs`    | controls to be compared: what they change; those built in    |
//! | `place.rs`      | where nodes and flows, and keys that many share, are named   |
//! | `file.rs`       | a file's text, put under one control after the other         |
//! | `read.rs`       | from that text to a scenario                                 |
//! | `setting.rs`    | keys set from outside the file, put into its text            |
//! | `build.rs`      | all parts in order                                           |
//! | `checks.rs`     | what only the whole network shows to be wrong                |
//! | `offered.rs`    | what sources offer at most                                   |
//! | `warn.rs`       | what is allowed but probably not meant                       |
//! | `expect.rs`     | exercises: what a right answer is                            |
//! | `resolved.rs`   | the scenario written out, every default filled in            |
//! | `schema.rs`     | JSON Schema for editors                                      |

mod application;
mod build;
mod calls;
mod cell_time;
mod checks;
mod code;
mod control;
mod credit_loop;
mod decimal;
mod described;
mod diagnostic;
mod drain;
mod event;
mod expect;
mod file;
mod flag;
mod flow;
mod form;
mod given;
mod hops;
mod keys;
mod link;
mod machine;
mod marking;
mod names;
mod naming;
mod node;
mod not_modelled;
mod offered;
mod origin;
mod packet;
mod paths;
mod phase;
mod place;
mod port;
mod priorities;
mod quantity;
mod rate;
mod read;
mod record;
pub mod regular;
mod replay;
mod resolved;
mod route;
mod routing;
mod run_time;
mod scenario;
mod scheduler;
mod schema;
mod section;
mod setting;
mod shared;
mod source;
mod tab;
mod template;
mod templates;
mod topology;
mod trace;
mod traffic;
mod transport;
mod value;
mod variant;
mod warn;
mod way;

pub use calls::{Calls, Tightest};
pub use cell_time::{cells_in_flight, cells_in_loop};
pub use code::Code;
pub use credit_loop::CreditLoop;
pub use diagnostic::{Diagnostic, Diagnostics, Label, SETTING, Severity, line_column};
pub use expect::{Expect, ExpectedValue};
pub use file::{ControlError, ScenarioFile};
pub use flag::{parse_bytes, parse_delay, parse_rate, parse_time};
pub use form::default_for_all;
pub use not_modelled::{LIMITS_PAGE, NOT_MODELLED, NotModelled};
pub use resolved::Resolving;
pub use routing::{HotLink, Routing, RoutingKind};
pub use scenario::Scenario;
pub use shared::pool_by_law;
pub use templates::{TEMPLATES, Template};
pub use trace::TraceChoice;
pub use value::nearest;
pub use variant::{AS_IS, BUILT_IN, BuiltIn, Variant, known_as, known_controls, nearest_control};
