//! `pdb-gen` as its users run it: arguments in; exit code, lines and files out.
#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used)]

mod build;
mod damage;
mod file;
mod forgery;
mod input;
mod pack;
mod place;
mod run;
mod variant;
