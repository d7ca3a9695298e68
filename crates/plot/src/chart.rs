//! A chart: series of numbers between two axes, below their legend.

use crate::axis::{Axis, Span};
use crate::frame::Frame;
use crate::legend::Legend;
use crate::plot_area::PlotArea;
use crate::series::{Guide, GuideLine, Series};
use crate::shape::Drawing;

/// A chart. It takes as many series as there are colours and markers to tell apart; up to twelve
/// are read well.
#[derive(Clone, Debug)]
pub struct Chart {
    /// What stands above.
    pub title: String,
    /// The level axis: of boxes that of their numbers.
    pub x: Axis,
    /// The upright axis; of boxes only the label is used, that of the column of names.
    pub y: Axis,
    /// What is shown, the later above the earlier.
    pub series: Vec<Series>,
    /// A line to compare with.
    pub guide: Option<Guide>,
    /// What the legend says of boxes, [`BOXES`] in English.
    pub boxes: String,
    /// What the legend says of the areas of bubbles, [`COUNTS`] in English.
    pub counts: String,
}

/// How a box is read.
pub const BOXES: &str =
    "box: the middle half, black line: the median, ends: the least and the largest";
/// What the area of a bubble is.
pub const COUNTS: &str = "count:";

/// How a chart is laid out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct View {
    /// The width in pixels, at least 200.
    pub width: f64,
    /// Whether the title, the legend and the names of the axes are left out: a page has its own.
    /// Then names of boxes stand above them, which takes less of a narrow page.
    pub is_bare: bool,
}

impl Default for View {
    fn default() -> View {
        View {
            width: 960.0,
            is_bare: false,
        }
    }
}

impl View {
    /// The height of a box with its name.
    pub(crate) fn row(self) -> f64 {
        if self.is_bare { 44.0 } else { 30.0 }
    }
}

impl Chart {
    /// The chart as shapes.
    #[must_use]
    pub fn drawing(&self, view: View) -> Drawing {
        let legend = Legend::new(self, view);
        let frame = Frame::new(self, view, self.spans(), legend.height());
        let mut drawing = Drawing {
            width: view.width,
            height: frame.end(),
            ..Drawing::default()
        };
        legend.draw(&mut drawing);
        let chart = self;
        PlotArea { chart, frame }.draw(&mut drawing);
        drawing
    }

    /// Whether no series has a mark.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let mut marks = self.series.iter().map(|series| &series.marks);
        marks.all(|marks| marks.points().is_empty())
    }

    /// Whether the series are rows of boxes.
    pub(crate) fn has_boxes(&self) -> bool {
        self.series.iter().any(|series| series.marks.is_box())
    }

    /// The height of the part with the marks.
    pub(crate) fn body(&self, view: View) -> f64 {
        match self.has_boxes() {
            true => view.row() * self.series.len() as f64,
            false => (view.width * 0.6).round().clamp(240.0, 440.0),
        }
    }

    /// The largest count of a bubble, 0 without bubbles.
    pub(crate) fn most(&self) -> u64 {
        let counts = self.series.iter().map(|series| series.marks.most());
        counts.max().unwrap_or(0)
    }

    pub(crate) fn spans(&self) -> [Span; 2] {
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
