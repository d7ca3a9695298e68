//! Builds pattern databases on several machines: the sweep of `pdb-gen`, divided among processes
//! that are connected by timely dataflow.
//!
//! | task | module |
//! | --- | --- |
//! | assignment of rows to processes, and the sweep of one process's rows | [`pdb_gen::ShapePartition`], [`pdb_gen::PartSweep`] |
//! | one process of a job: connections, timely's workers | [`run`], `hosts`, `connect`, `handshake` |
//! | blocks of rows with flow control, and messages from all to all | `net` |
//! | loops over tables and levels | `job`, `levels` |
//! | heartbeats, and the end of a failed build with one message | `heartbeat`, `cluster` |
//! | forecast of memory, traffic and time | [`plan()`] |
//! | table and part files, and checkpoints | `output`, `part_file`, `saver` |
//! | terminal output, results | `terminal` |
//!
//! Each process has two timely workers: one builds, the other monitors the partners.
//! `docs/scale.md` describes how to run a build, and the protocol.

#![forbid(unsafe_code)]

mod cluster;
mod connect;
mod handshake;
mod heartbeat;
mod hosts;
mod job;
mod levels;
mod net;
mod output;
mod part_file;
mod plan;
mod saver;
mod terminal;

pub use handshake::PROTOCOL;
pub use hosts::{read_hostfile, run_local};
pub use job::{Job, Task, run};
pub use part_file::join;
pub use plan::{Machine, Plan, plan};
pub use terminal::catch_interrupts;
