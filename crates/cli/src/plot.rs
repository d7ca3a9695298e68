//! Plots that the commands draw themselves, and charts as PNG.
//!
//! Letters are drawn in PNG with the font in `assets`, so that the same numbers give the same bytes
//! everywhere. Functions that draw fail if the format's backend does.

mod canvas;
mod chart_png;

pub use canvas::{
    COLOURS, Canvas, Drawing, DrawingPlace, Drawn, FAINT, INK, WIDTH, not_drawn, png, svg,
};
pub use chart_png::chart_png;
