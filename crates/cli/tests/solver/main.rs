//! `solver` as its users run it: boards in; exit code, lines and tables out.
#![allow(clippy::unwrap_used)]

mod all_solutions;
mod board;
mod goal;
mod input;
mod limit;
mod list;
mod metric;
mod place;
mod run;
mod solution;
mod table;
