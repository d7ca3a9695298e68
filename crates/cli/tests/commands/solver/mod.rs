//! `solver`: boards in, solutions out.

mod all_solutions;
mod board;
mod check;
mod goal;
mod input;
mod limit;
mod list;
mod metric;
mod moves;
mod place;
mod run;
mod solution;
mod table;
