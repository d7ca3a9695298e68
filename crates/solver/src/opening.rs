//! The tables of a solver: their choice, their source, and the build time of missing tables.

mod open_event;
mod open_options;
mod open_tables;
mod other_goals;
mod table_choice;

pub use open_event::{OpenError, OpenEvent, OpenProgress};
pub use open_options::{Keep, OpenOptions, OtherGoals};
pub use open_tables::place_of;
pub use table_choice::{Missing, OverBudget, TableBudget, TableChoice};
