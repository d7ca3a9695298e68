//! The tables of a solver: which, where from, and what missing ones take to build.

pub(crate) mod open_event;
pub(crate) mod open_options;
pub(crate) mod open_tables;
pub(crate) mod table_choice;
