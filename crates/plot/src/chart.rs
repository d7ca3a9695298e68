//! A chart: series of numbers between two axes, below a legend.

use crate::axis::{Axis, Span};
use crate::drawing::Drawing;
use crate::frame::Frame;
use crate::legend::{Legend, draw_sample};
use crate::plot_area::PlotArea;
use crate::series::{Guide, GuideLine, Series};

/// A chart. Up to about twelve series are readable: more would need more colours and markers.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Title above the chart.
    pub title: String,
    /// The horizontal axis. Boxes extend along this axis.
    pub x: Axis,
    /// The vertical axis. In a chart of boxes only the label of this axis is shown, as the heading
    /// of the names of the boxes.
    pub y: Axis,
    /// The series; later ones are drawn above earlier ones.
    pub series: Vec<Series>,
    /// A reference line.
    pub guide: Option<Guide>,
    /// Legend text of boxes. [`BOXES`] is the English text.
    pub boxes: String,
    /// Legend text of the areas of bubbles. [`COUNTS`] is the English text.
    pub counts: String,
}

/// Legend text of boxes.
pub const BOXES: &str =
    "box: the middle half, black line: the median, ends: the least and the largest";
/// Legend text of the areas of bubbles.
pub const COUNTS: &str = "count:";

/// Layout of a chart.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct View {
    /// Width in pixels, at least 200.
    pub width: f64,
    /// Whether the title, the legend and the axis labels are omitted, because the page has its own.
    /// The names of boxes are then drawn above the boxes, to save width.
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
    /// Height of a box with its name.
    pub(crate) fn row(self) -> f64 {
        if self.is_bare { 44.0 } else { 30.0 }
    }
}

impl Chart {
    /// The chart as shapes.
    pub(crate) fn drawing(&self, view: View) -> Drawing {
        let legend = Legend::new(self, view);
        let frame = Frame::new(self, view, self.spans(), (legend.height(), self.body(view)));
        let mut drawing = Drawing::new(view.width, frame.end());
        legend.draw(&mut drawing, draw_sample);
        let chart = self;
        PlotArea { chart, frame }.draw(&mut drawing);
        drawing
    }

    /// Whether the chart has no marks.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let mut marks = self.series.iter().map(|series| &series.marks);
        marks.all(|marks| marks.points().is_empty())
    }

    /// Whether the series are rows of boxes.
    pub(crate) fn has_boxes(&self) -> bool {
        self.series.iter().any(|series| series.marks.is_box())
    }

    /// Height of the area with the marks.
    fn body(&self, view: View) -> f64 {
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
