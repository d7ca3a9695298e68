//! Plots drawn by the commands, and charts as PNG.
//!
//! PNG text uses the font in `assets`, so that the same numbers produce the same bytes on every
//! system.

mod canvas;
mod chart_png;

pub use canvas::{
    COLOURS, Canvas, Drawing, DrawingPlace, Drawn, FAINT, INK, WIDTH, not_drawn, png, svg,
};
pub use chart_png::chart_png;
