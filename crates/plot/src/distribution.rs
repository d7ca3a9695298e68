//! The plot of `pdb-gen stats`: distributions of values over a chart of their growth.

use crate::axis::{Axis, Scale, Span, measured};
use crate::chart::{Chart, View};
use crate::drawing::{Drawing, Form, Paint, Place};
use crate::frame::Frame;
use crate::legend::Legend;
use crate::marks::MarkPainter;
use crate::plot_area::PlotArea;
use crate::series::{Guide, GuideLine, Marks, Series, Style};

/// A distribution of values. All points have the value as their first number.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Text of the legend.
    pub label: String,
    /// Cells of the pattern that is drawn before the label.
    pub pattern: Vec<PatternCell>,
    /// The mean of the values.
    pub mean: f64,
    /// Percentages of all values from 0 to the largest.
    pub shares: Vec<(f64, f64)>,
    /// Ratios of the count of a value and the count of the value before.
    pub growth: Vec<(f64, f64)>,
    /// Geometric means of two such ratios.
    pub growth2: Vec<(f64, f64)>,
}

/// A cell of a pattern.
#[derive(Clone, Copy, Debug)]
pub struct PatternCell {
    /// Column and row, from the top left corner.
    pub place: (usize, usize),
    /// Whether the pattern has the tile of this goal cell.
    pub is_tile: bool,
    /// Whether this can be the final cell of the blank; it has a dot.
    pub is_blank: bool,
}

/// Height of a line in the legend, and size of a pattern in it.
const LINE: f64 = 32.0;
const PATTERN: f64 = 24.0;

/// The plot as SVG, like [`Chart::svg`]. `things` are counted, such as `entries`. One curve is drawn
/// as bars, several as lines; [`crate::PALETTE`] has a colour for each of eight.
#[must_use]
pub fn svg(title: &str, things: &str, curves: &[Curve]) -> String {
    let is_alone = curves.len() == 1;
    let shares = format!("{things} by value, in percent; dashed: the mean");
    let mut upper = chart(shares, curves, |curve| match is_alone {
        true => Marks::Line(Vec::new()),
        false => Marks::Line(curve.shares.clone()),
    });
    title.clone_into(&mut upper.title);
    let growth = format!(
        "growth: {things} with value h divided by {things} with h−1 (dots); mean over two steps \
         (line)"
    );
    let mut lower = chart(growth, curves, |curve| Marks::Dots(curve.growth.clone()));
    let (label, line) = (String::new(), GuideLine::Y(1.0));
    lower.guide = Some(Guide { label, line });

    let view = View::default();
    let mut drawing = Drawing::new(view.width, 0.0);
    let mut legend = Legend::new(&upper, view);
    legend.line = LINE;
    legend.draw(&mut drawing, |drawing, series, place| {
        let style = series.style;
        draw_pattern(drawing, &curves[style.colour].pattern, style, place);
        MarkPainter { drawing, style }.marker((place.0 + 33.0, place.1), 1.0, "");
    });
    let plot = area(
        &upper,
        curves,
        |curve| &curve.shares,
        (legend.height(), 280.0),
    );
    plot.draw(&mut drawing);
    for (number, curve) in curves.iter().enumerate() {
        if is_alone {
            draw_bars(&mut drawing, &plot.frame, &curve.shares);
        }
        let paint = if is_alone {
            Paint::Ink
        } else {
            Paint::Series(number)
        };
        let mean = plot.frame.upright(curve.mean);
        drawing.line(&mean, (paint, 1.0), 1.0, Some((5.0, 4.0)));
    }
    let plot = area(
        &lower,
        curves,
        |curve| &curve.growth,
        (plot.frame.end(), 180.0),
    );
    plot.draw(&mut drawing);
    for (curve, series) in curves.iter().zip(&lower.series) {
        let (drawing, style) = (&mut drawing, series.style);
        MarkPainter { drawing, style }.line(&plot.places(&curve.growth2));
    }
    drawing.height = plot.frame.end();
    drawing.svg(title, true)
}

fn chart(label: String, curves: &[Curve], marks: impl Fn(&Curve) -> Marks) -> Chart {
    let series = (0..).zip(curves).map(|(number, curve)| Series {
        label: curve.label.clone(),
        style: Style {
            colour: number,
            marker: number,
        },
        marks: marks(curve),
    });
    let axis = |label| Axis {
        label,
        scale: Scale::Linear,
    };
    Chart {
        title: String::new(),
        x: axis("value, in moves".to_owned()),
        y: axis(label),
        series: series.collect(),
        guide: None,
        boxes: String::new(),
        counts: String::new(),
    }
}

/// The area of a chart whose vertical axis begins at 0.
fn area<'a>(
    chart: &'a Chart,
    curves: &[Curve],
    points: impl Fn(&Curve) -> &[(f64, f64)],
    place: (f64, f64),
) -> PlotArea<'a> {
    let values = curves.iter().map(|curve| curve.shares.len()).max();
    let largest = values.unwrap_or(0).saturating_sub(1) as f64;
    let tops = curves.iter().flat_map(points).map(|point| point.1);
    let spans = [
        Span::new(Scale::Linear, &[0.0, largest]).with_room(0.5),
        Span::new(Scale::Linear, &[0.0, tops.fold(1.0, f64::max)]),
    ];
    let mut frame = Frame::new(chart, View::default(), spans, place);
    if curves.len() == 1 {
        // Bars stand on the axis.
        frame.floor = 0.0;
    }
    PlotArea { chart, frame }
}

fn draw_pattern(drawing: &mut Drawing, cells: &[PatternCell], style: Style, place: Place) {
    let longest = cells.iter().map(|cell| cell.place.0.max(cell.place.1) + 1);
    let side = PATTERN / longest.max().unwrap_or(1) as f64;
    let (size, middle) = (0.85 * side, 0.42 * side);
    for cell in cells {
        let left = place.0 + side * cell.place.0 as f64;
        let top = place.1 - PATTERN / 2.0 + side * cell.place.1 as f64;
        let colour = Paint::Series(style.colour);
        let paint = if cell.is_tile { colour } else { Paint::Faint };
        let square = rectangle([left, left + size], [top, top + size]);
        drawing.fill(&square, paint, 1.0, "");
        if cell.is_blank {
            let (centre, radius) = ((left + middle, top + middle), side / 5.0);
            drawing.fill(&Form::Circle { centre, radius }, Paint::Paper, 1.0, "");
        }
    }
}

fn draw_bars(drawing: &mut Drawing, frame: &Frame<'_>, bars: &[(f64, f64)]) {
    for &(value, share) in bars {
        let sides = [value - 0.4, value + 0.4].map(|value| frame.left_of(value));
        let ends = [share, 0.0].map(|share| frame.place((value, share)).1);
        let tooltip = format!("{value}; {}", measured(share));
        drawing.fill(&rectangle(sides, ends), Paint::Series(0), 1.0, &tooltip);
    }
}

fn rectangle([left, right]: [f64; 2], [top, bottom]: [f64; 2]) -> Form {
    Form::Path {
        places: vec![(left, top), (right, top), (right, bottom), (left, bottom)],
        is_closed: true,
    }
}
