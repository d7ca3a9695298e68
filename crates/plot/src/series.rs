//! Series of a chart.

use crate::axis::has_place;

/// Numbers with a name and a style.
#[derive(Clone, Debug)]
pub struct Series {
    /// Text of the legend; a series without text is not in the legend.
    pub label: String,
    /// Colour and marker of the series.
    pub style: Style,
    /// Marks of the series.
    pub marks: Marks,
}

/// Colour and marker of a series. Both indices wrap around.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Style {
    /// Index of a colour in [`crate::PALETTE`].
    pub colour: usize,
    /// Index of a marker (circle, triangle, square or diamond) and of the dashes of lines.
    pub marker: usize,
}

/// Marks of a series. Points that cannot be shown, such as infinite ones, are omitted, and
/// interrupt a line.
#[derive(Clone, Debug)]
pub enum Marks {
    /// Independent points.
    Dots(Vec<(f64, f64)>),
    /// Points joined by a line.
    Line(Vec<(f64, f64)>),
    /// Points, and a line that summarises them.
    DotsAndLine {
        /// The points.
        dots: Vec<(f64, f64)>,
        /// Further points, whose y is a lower bound. They are hollow and have an arrow.
        bounds: Vec<(f64, f64)>,
        /// The line, drawn above the points.
        line: Vec<(f64, f64)>,
    },
    /// A step function: each value applies up to the next point.
    Steps(Vec<(f64, f64)>),
    /// Points with counts. The area of a bubble shows the count.
    Bubbles(Vec<(f64, f64, u64)>),
    /// Distribution of numbers over the x axis. A chart that contains a box draws only boxes, one
    /// below the other, each with the label of its series.
    Box(Spread),
}

/// Distribution of numbers; the fields are in ascending order. All but the first can be infinite,
/// if they are not known: the box then ends in an arrow.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spread {
    /// Minimum.
    pub least: f64,
    /// Lower quartile.
    pub lower: f64,
    /// Median.
    pub median: f64,
    /// Upper quartile.
    pub upper: f64,
    /// Maximum.
    pub largest: f64,
}

impl Spread {
    pub(crate) fn numbers(&self) -> [f64; 5] {
        let Spread {
            least,
            lower,
            median,
            upper,
            largest,
        } = *self;
        [least, lower, median, upper, largest]
    }
}

/// A reference line.
#[derive(Clone, Debug)]
pub struct Guide {
    /// Text of the legend.
    pub label: String,
    /// Position of the line.
    pub line: GuideLine,
}

/// Position of a guide.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum GuideLine {
    /// Through points with the same number on both axes; the vertical axis reaches this number.
    Diagonal(f64),
    /// Vertical, through this number on the x axis.
    X(f64),
    /// Horizontal, through this number on the y axis.
    Y(f64),
}

impl Marks {
    /// All points that can be shown. A box has five points: its numbers as x values, and y = 0.
    pub(crate) fn points(&self) -> Vec<(f64, f64)> {
        let mut points = match self {
            Marks::Dots(points) | Marks::Line(points) | Marks::Steps(points) => points.clone(),
            Marks::DotsAndLine { dots, bounds, line } => [&**dots, bounds, line].concat(),
            Marks::Bubbles(bubbles) => bubbles.iter().map(|&(x, y, _)| (x, y)).collect(),
            Marks::Box(spread) => spread.numbers().map(|number| (number, 0.0)).to_vec(),
        };
        points.retain(|&(x, y)| has_place(x) && has_place(y));
        points
    }

    pub(crate) fn is_box(&self) -> bool {
        matches!(self, Marks::Box(_))
    }

    /// The largest count of a bubble, 0 without bubbles.
    pub(crate) fn most(&self) -> u64 {
        match self {
            Marks::Bubbles(bubbles) => bubbles.iter().map(|bubble| bubble.2).max().unwrap_or(0),
            _ => 0,
        }
    }
}
