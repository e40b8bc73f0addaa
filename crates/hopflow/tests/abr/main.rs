//! Sources under ABR with the algorithms of switches, in whole networks: where rates rest, what
//! RM cells take, and what becomes of sources whose RM cells are lost.

mod backward_rm;
mod closed_forms;
mod fixed_points;
mod lost_rm_cells;
mod network;
mod queue_bound;
