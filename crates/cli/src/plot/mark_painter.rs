//! Markers, lines, bubbles and boxes, in pixels.

use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;

use super::canvas::{COLOURS, Canvas, Drawn, INK};
use super::series::Style;

/// A place in pixels of the plot.
pub(super) type Place = (i32, i32);

/// The radius of the bubble with the largest count, in pixels of the SVG.
const BUBBLE: u32 = 9;

/// Draws marks in a style.
#[derive(Clone, Copy)]
pub(super) struct MarkPainter<'a, B: DrawingBackend> {
    pub(super) canvas: &'a Canvas,
    pub(super) area: &'a DrawingArea<B, Shift>,
    pub(super) style: Style,
}

impl<B: DrawingBackend> MarkPainter<'_, B> {
    pub(super) fn colour(&self) -> RGBColor {
        COLOURS[self.style.colour % COLOURS.len()]
    }

    /// Draws the style's marker around a place; the more opaque, the more it hides.
    pub(super) fn marker(&self, (x, y): Place, opacity: f64) -> Drawn<B> {
        let fill = self.colour().mix(opacity).filled();
        let radius = self.canvas.px(4);
        let far = self.canvas.px(5);
        let corners = match self.style.marker % 4 {
            0 => return self.area.draw(&Circle::new((x, y), radius, fill)),
            1 => vec![(x, y - far), (x + far, y + radius), (x - far, y + radius)],
            2 => {
                let side = radius - self.canvas.scale() as i32 / 2;
                let ends = [(x - side, y - side), (x + side, y + side)];
                return self.area.draw(&Rectangle::new(ends, fill));
            }
            _ => vec![(x, y - far), (x + far, y), (x, y + far), (x - far, y)],
        };
        self.area.draw(&Polygon::new(corners, fill))
    }

    /// Joins places with the style's dashes. A single place is a marker, so that nothing is lost.
    pub(super) fn line(&self, places: &[Place]) -> Drawn<B> {
        let mut places = places.to_vec();
        places.dedup();
        if let [place] = places[..] {
            return self.marker(place, 1.0);
        }
        let stroke = self.colour().stroke_width(2 * self.canvas.scale());
        let (dash, gap) = match self.style.marker % 4 {
            0 => return self.area.draw(&PathElement::new(places, stroke)),
            1 => (8, 4),
            2 => (3, 3),
            _ => (14, 4),
        };
        self.dashes(places, (dash, gap), stroke)
    }

    /// The same in white and wider: what a line lies on where there are many dots.
    pub(super) fn casing(&self, places: &[Place]) -> Drawn<B> {
        let stroke = WHITE.mix(0.8).stroke_width(5 * self.canvas.scale());
        self.area.draw(&PathElement::new(places.to_vec(), stroke))
    }

    /// Joins places with a thin line that belongs to no series.
    pub(super) fn guide(&self, places: Vec<Place>) -> Drawn<B> {
        self.dashes(places, (5, 4), INK.stroke_width(self.canvas.scale()))
    }

    fn dashes(&self, places: Vec<Place>, dash: (u32, u32), stroke: ShapeStyle) -> Drawn<B> {
        let (dash, gap) = (self.canvas.px(dash.0), self.canvas.px(dash.1));
        let path = DashedPathElement::new(places, dash, gap, stroke);
        self.area.draw(&path)
    }

    /// Draws a circle that others can be seen through.
    pub(super) fn bubble(&self, place: Place, radius: i32) -> Drawn<B> {
        let fill = self.colour().mix(0.35).filled();
        self.area.draw(&Circle::new(place, radius, fill))?;
        let edge = self.colour().stroke_width(self.canvas.scale());
        self.area.draw(&Circle::new(place, radius, edge))
    }

    /// Draws a box around a height from the second of five places to the fourth.
    pub(super) fn spread(
        &self,
        [least, lower, median, upper, largest]: [i32; 5],
        y: i32,
    ) -> Drawn<B> {
        let half = self.canvas.px(9);
        let cap = self.canvas.px(5);
        let thin = self.colour().stroke_width(2 * self.canvas.scale());
        let draw = |from: Place, to: Place, stroke: ShapeStyle| {
            self.area.draw(&PathElement::new(vec![from, to], stroke))
        };
        draw((least, y), (lower, y), thin)?;
        draw((upper, y), (largest, y), thin)?;
        for end in [least, largest] {
            draw((end, y - cap), (end, y + cap), thin)?;
        }
        let corners = [(lower, y - half), (upper, y + half)];
        let fill = self.colour().mix(0.3).filled();
        self.area.draw(&Rectangle::new(corners, fill))?;
        let [(left, top), (right, bottom)] = corners;
        let edge = [(left, top), (right, top), (right, bottom), (left, bottom)];
        let edge = edge.into_iter().chain([(left, top)]).collect::<Vec<_>>();
        self.area.draw(&PathElement::new(edge, thin))?;
        let thick = INK.stroke_width(3 * self.canvas.scale());
        draw((median, y - half), (median, y + half), thick)
    }
}

/// The radius of a bubble, whose area grows with its count.
pub(super) fn radius(canvas: &Canvas, count: u64, most: u64) -> i32 {
    let share = count as f64 / most.max(1) as f64;
    let radius = f64::from(canvas.px(BUBBLE)) * share.sqrt();
    (radius.round() as i32).max(canvas.px(1))
}
