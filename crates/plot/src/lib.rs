//! Plots for the commands and the page.
//!
//! A [`Chart`] has series between two axes, and is written as SVG. [`comparison`] makes charts from
//! the searches of a comparison, [`distribution`] from the values of tables. Letter widths come
//! from a table, so that the same numbers produce the same bytes on every system.

#![forbid(unsafe_code)]

mod axis;
mod chart;
pub mod comparison;
pub mod distribution;
mod drawing;
mod frame;
mod legend;
mod letters;
mod marks;
mod plot_area;
mod series;

pub use axis::{Axis, Scale};
pub use chart::{BOXES, COUNTS, Chart, View};
pub use drawing::PALETTE;
pub use series::{Guide, GuideLine, Marks, Series, Spread, Style};
