//! Plots of comparisons for the commands and the page.
//!
//! A [`Chart`] has series between two axes. [`Chart::drawing`] lays it out as shapes, the input of
//! all formats; [`Chart::svg`] writes them as SVG. [`comparison`] makes charts from the searches of
//! a comparison. Letter widths come from a table, so that the same numbers produce the same bytes
//! on every system.

#![forbid(unsafe_code)]

mod axis;
mod chart;
pub mod comparison;
mod frame;
mod legend;
mod letters;
mod marks;
mod plot_area;
mod series;
mod shape;
mod svg;

pub use axis::{Axis, Scale};
pub use chart::{BOXES, COUNTS, Chart, View};
pub use series::{Guide, GuideLine, Marks, Series, Spread, Style};
pub use shape::{Anchor, Drawing, Form, Look, PALETTE, Paint, Place, Shape};
