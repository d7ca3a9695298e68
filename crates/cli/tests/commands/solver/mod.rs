//! `solver`: boards in, solutions out.

mod all_solutions;
mod board;
mod check;
mod goal;
mod input;
mod limit;
mod list;
mod metric;
mod mode;
mod moves;
mod place;
mod probe;
mod run;
mod scramble;
mod shell;
mod show;
mod solution;
mod strategic;
mod summary;
mod table;
