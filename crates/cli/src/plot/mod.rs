//! Plots as SVG and PNG.
//!
//! Letters are measured, and in PNG drawn, with the font in `assets`, so that the same numbers give
//! the same bytes everywhere.

mod canvas;

pub use canvas::{COLOURS, Canvas, Drawing, Drawn, FAINT, INK, Placed, WIDTH, not_drawn, png, svg};
