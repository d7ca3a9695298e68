//! Series of a chart.

use crate::axis::has_place;

/// Numbers with a name, drawn alike.
#[derive(Clone, Debug)]
pub struct Series {
    /// Text of the legend; a series without text is not in it.
    pub label: String,
    /// Colour and marker of the series.
    pub style: Style,
    /// Marks of the series.
    pub marks: Marks,
}

/// Colour and marker of a series. Both numbers start again where there is no other colour
/// or marker.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Style {
    /// A colour: blue, red, green, pink, orange or light blue.
    pub colour: usize,
    /// A marker, circle, triangle, square or diamond, and with it the dashes of lines.
    pub marker: usize,
}

/// Marks of a series. Points without a place, such as infinite ones, are left out.
#[derive(Clone, Debug)]
pub enum Marks {
    /// Points that have nothing to do with each other.
    Dots(Vec<(f64, f64)>),
    /// Points that are joined.
    Line(Vec<(f64, f64)>),
    /// Points, and what they come to.
    DotsAndLine {
        /// The points.
        dots: Vec<(f64, f64)>,
        /// Joined above the points.
        line: Vec<(f64, f64)>,
    },
    /// Heights that hold up to the next point.
    Steps(Vec<(f64, f64)>),
    /// Points with how often they are found, which is the area.
    Bubbles(Vec<(f64, f64, u64)>),
    /// Distribution of numbers over the x axis. In a chart with a box every series has a row with
    /// its label at the left, and only boxes are drawn.
    Box(Spread),
}

/// Distribution of numbers: each at least the one before.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spread {
    /// The least number.
    pub least: f64,
    /// A quarter is at most this.
    pub lower: f64,
    /// Half is at most this.
    pub median: f64,
    /// A quarter is at least this.
    pub upper: f64,
    /// The largest number.
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

/// A line to compare with.
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
    /// Points with the same number on both axes.
    Diagonal,
    /// Upright, at a number of the x axis.
    X(f64),
    /// Level, at a number of the y axis.
    Y(f64),
}

impl Marks {
    /// All points; those of a box have no height.
    pub(crate) fn points(&self) -> Vec<(f64, f64)> {
        let mut points = match self {
            Marks::Dots(points) | Marks::Line(points) | Marks::Steps(points) => points.clone(),
            Marks::DotsAndLine { dots, line } => [dots.as_slice(), line].concat(),
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
