//! Markers, lines, bubbles and boxes.

use crate::drawing::{Drawing, Form, PALETTE, Paint, Place};
use crate::series::Style;

/// Radius of the bubble with the largest count.
const BUBBLE: f64 = 9.0;

/// Lengths of the dashes and gaps of lines, by marker; `None` for a solid line.
const DASHES: [Option<(f64, f64)>; 8] = [
    None,
    Some((8.0, 4.0)),
    Some((3.0, 3.0)),
    Some((14.0, 4.0)),
    Some((1.0, 3.0)),
    Some((6.0, 8.0)),
    Some((20.0, 6.0)),
    Some((10.0, 2.0)),
];

/// Number of distinct markers.
pub(crate) const MARKERS: usize = DASHES.len();

/// Draws marks in a style.
pub(crate) struct MarkPainter<'a> {
    pub(crate) drawing: &'a mut Drawing,
    pub(crate) style: Style,
}

impl MarkPainter<'_> {
    fn paint(&self) -> Paint {
        Paint::Series(self.style.colour % PALETTE.len())
    }

    /// Draws the style's marker around a place. The last four markers are hollow.
    pub(crate) fn marker(&mut self, (x, y): Place, opacity: f64, tooltip: &str) {
        let marker = self.style.marker % MARKERS;
        let polygon = |corners: &[Place]| Form::Path {
            places: corners.iter().map(|(dx, dy)| (x + dx, y + dy)).collect(),
            is_closed: true,
        };
        let form = match marker % 4 {
            0 => Form::Circle {
                centre: (x, y),
                radius: 4.0,
            },
            1 => polygon(&[(0.0, -5.0), (5.0, 4.0), (-5.0, 4.0)]),
            2 => polygon(&[(-3.5, -3.5), (3.5, -3.5), (3.5, 3.5), (-3.5, 3.5)]),
            _ => polygon(&[(0.0, -5.0), (5.0, 0.0), (0.0, 5.0), (-5.0, 0.0)]),
        };
        let paint = self.paint();
        if marker < 4 {
            self.drawing.fill(&form, paint, opacity, tooltip);
        } else if opacity < 1.0 {
            self.drawing.outline(&form, paint, 1.0, tooltip);
        } else {
            self.drawing.fill(&form, Paint::Paper, 1.0, "");
            self.drawing.outline(&form, paint, 2.0, tooltip);
        }
    }

    /// Joins places with a line in the style's dashes.
    pub(crate) fn line(&mut self, places: &[Place]) {
        let dash = DASHES[self.style.marker % MARKERS];
        let paint = (self.paint(), 1.0);
        self.drawing.line(places, paint, 2.0, dash);
    }

    /// Draws a wide line in the background colour. The line of the series is drawn above it, and is
    /// thereby separated from dots.
    pub(crate) fn casing(&mut self, places: &[Place]) {
        self.drawing.line(places, (Paint::Paper, 0.8), 5.0, None);
    }

    /// Joins places with a thin line that belongs to no series.
    pub(crate) fn guide(&mut self, places: &[Place]) {
        let dash = Some((5.0, 4.0));
        self.drawing.line(places, (Paint::Ink, 1.0), 1.0, dash);
    }

    /// Draws a translucent circle.
    pub(crate) fn bubble(&mut self, centre: Place, radius: f64, tooltip: &str) {
        let (form, paint) = (Form::Circle { centre, radius }, self.paint());
        self.drawing.fill(&form, paint, 0.35, "");
        self.drawing.outline(&form, paint, 1.0, tooltip);
    }

    /// Draws a lower bound: a hollow marker with an arrow.
    pub(crate) fn bound(&mut self, (x, y): Place) {
        arrow(self.drawing, self.paint(), (x, y), (0.0, -12.0));
        self.style.marker = self.style.marker % 4 + 4;
        self.marker((x, y), 1.0, "");
    }

    /// Draws a box at a height, with its five numbers: the two ends, the two edges and the median.
    /// Only the first `known` are marked; an arrow leads to the others.
    pub(crate) fn spread(
        &mut self,
        [least, lower, median, upper, largest]: [f64; 5],
        (y, known): (f64, usize),
        tooltip: &str,
    ) {
        let (half, cap, paint) = (9.0, 5.0, (self.paint(), 1.0));
        let drawing = &mut *self.drawing;
        drawing.line(&[(least, y), (lower, y)], paint, 2.0, None);
        drawing.line(&[(upper, y), (largest, y)], paint, 2.0, None);
        for &end in &[least, largest][..known.max(4) - 3] {
            drawing.line(&[(end, y - cap), (end, y + cap)], paint, 2.0, None);
        }
        if known < 5 {
            arrow(drawing, paint.0, (largest, y), (12.0, 0.0));
        }
        let form = Form::Path {
            places: vec![
                (upper, y - half),
                (lower, y - half),
                (lower, y + half),
                (upper, y + half),
            ],
            is_closed: known > 3,
        };
        drawing.fill(&form, paint.0, 0.3, tooltip);
        if known > 1 {
            drawing.outline(&form, paint.0, 2.0, "");
        }
        if known > 2 {
            let ends = [(median, y - half), (median, y + half)];
            drawing.line(&ends, (Paint::Ink, 1.0), 3.0, None);
        }
    }
}

/// Draws an arrow that leads `right` and `down` from a place.
pub(crate) fn arrow(drawing: &mut Drawing, paint: Paint, from: Place, (right, down): Place) {
    let end = (from.0 + right, from.1 + down);
    let part = 4.0 / (right.abs() + down.abs());
    let side = |turn| {
        (
            end.0 - part * (right + turn * down),
            end.1 - part * (down + turn * right),
        )
    };
    let places = [from, end, side(1.0), end, side(-1.0)];
    drawing.line(&places, (paint, 1.0), 2.0, None);
}

/// Radius of a bubble; its area is proportional to its count.
pub(crate) fn radius(count: u64, most: u64) -> f64 {
    let share = count as f64 / most.max(1) as f64;
    (BUBBLE * share.sqrt()).max(1.0)
}
