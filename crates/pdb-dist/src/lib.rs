//! Building pattern databases on several machines: the sweep of `pdb-gen`, divided among processes
//! that timely dataflow connects.
//!
//! | what | module |
//! | --- | --- |
//! | which rows a process has, and what a level does to them | [`pdb_gen::Deal`], [`pdb_gen::PartSweep`] |
//! | a process's share of a job: connections, timely's workers | [`run`], `connect`, `handshake`, `wire` |
//! | blocks of rows, bounded on their way, and words of all to all | `net`, `packet` |
//! | table after table, level after level | `peer`, `work`, `levels`, `verify` |
//! | signs of life, and the end with one line | `heartbeat`, `cluster` |
//! | what it will take | [`plan()`] |
//! | where the table goes, and what survives | `output`, `part_file`, `saver`, `checksummed_file` |
//! | what is printed | `terminal`, `report` |
//!
//! Each process has two of timely's workers: one works, the other looks after the partners.
//! `docs/scale.md` tells how to run it and what crosses the wire.

#![forbid(unsafe_code)]

mod checksummed_file;
mod cluster;
mod connect;
mod handshake;
mod heartbeat;
mod hosts;
mod interrupt;
mod job;
mod levels;
mod local;
mod net;
mod output;
mod packet;
mod part_file;
mod peer;
mod plan;
mod report;
mod saver;
mod session;
mod terminal;
mod verify;
mod wire;
mod work;

pub use handshake::PROTOCOL;
pub use hosts::read_hostfile;
pub use interrupt::catch_interrupts;
pub use job::{Job, Task};
pub use local::run_local;
pub use part_file::join;
pub use plan::{Machine, Plan, plan};
pub use session::run;
