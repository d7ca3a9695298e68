//! `pdb-gen` as its users run it: arguments in; exit code, lines and files out.
#![allow(clippy::unwrap_used)]

mod build;
mod checkpoint;
mod damage;
mod export;
mod file;
mod forgery;
mod input;
mod pack;
mod place;
mod plan;
mod run;
mod selection;
mod stats;
mod tune;
mod variant;
