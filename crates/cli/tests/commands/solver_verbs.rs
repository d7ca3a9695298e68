//! Tests of `solver`: boards are read, and solutions are printed.

mod all_solutions;
pub(crate) mod board;
mod check;
mod compare;
mod explain;
mod goal;
mod hint;
mod input;
mod limit;
mod list;
mod mode;
mod record;
pub(crate) mod run;
mod scramble;
mod shell;
mod show;
mod solution;
mod table;
