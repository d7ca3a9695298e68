//! A chart: series of numbers between two axes, below their legend.

use super::axis::{Axis, Span};
use super::series::{Guide, GuideLine, Series};

/// A chart. It takes as many series as there are colours and markers to tell apart; up to twelve
/// are read well.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Title above the chart.
    pub title: String,
    /// The level axis: of boxes that of their numbers.
    pub x: Axis,
    /// The upright axis; of boxes only the label is used, that of the column of names.
    pub y: Axis,
    /// Series, the later above the earlier.
    pub series: Vec<Series>,
    /// A line to compare with.
    pub guide: Option<Guide>,
}

/// The height of the part with the marks, in pixels of the SVG as all lengths are.
const BODY: u32 = 440;
/// A box with its name.
pub(super) const ROW: u32 = 30;

impl Chart {
    /// Whether the series are rows of boxes.
    pub(super) fn has_boxes(&self) -> bool {
        self.series.iter().any(|series| series.marks.is_box())
    }

    pub(super) fn body(&self) -> u32 {
        match self.has_boxes() {
            true => ROW * self.series.len() as u32,
            false => BODY,
        }
    }

    /// The largest count of a bubble, 0 without bubbles.
    pub(super) fn most(&self) -> u64 {
        let counts = self.series.iter().map(|series| series.marks.most());
        counts.max().unwrap_or(0)
    }

    pub(super) fn spans(&self) -> [Span; 2] {
        let points = self.series.iter().flat_map(|series| series.marks.points());
        let (mut x, mut y): (Vec<f64>, Vec<f64>) = points.unzip();
        match self.guide.as_ref().map(|guide| guide.line) {
            Some(GuideLine::X(number)) => x.push(number),
            Some(GuideLine::Y(number)) => y.push(number),
            Some(GuideLine::Diagonal) | None => {}
        }
        [Span::new(self.x.scale, &x), Span::new(self.y.scale, &y)]
    }
}
