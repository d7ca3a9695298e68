//! `pdb-gen`: builds tables and other files.

mod build;
mod checkpoint;
mod damage;
mod export;
mod input;
mod list;
mod pack;
mod place;
mod plan;
pub(crate) mod run;
mod selection;
mod shell;
mod stats;
mod tune;
