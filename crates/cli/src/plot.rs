//! Plots as SVG and PNG.
//!
//! Letters are measured, and in PNG drawn, with the font in `assets`, so that the same numbers give
//! the same bytes everywhere. Functions that draw fail if the format's backend does.

mod axis;
mod canvas;
mod chart;
mod chart_drawing;
mod frame;
mod legend;
mod mark_painter;
mod plot_area;
mod series;

pub use axis::{Axis, Scale};
pub use canvas::{
    COLOURS, Canvas, Drawing, DrawingPlace, Drawn, FAINT, INK, WIDTH, not_drawn, png, svg,
};
pub use chart::Chart;
pub use series::{Guide, GuideLine, Marks, Series, Spread, Style};
