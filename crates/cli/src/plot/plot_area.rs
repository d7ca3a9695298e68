//! The marks of a chart between its axes.

use std::cmp::Reverse;

use plotters::coord::Shift;
use plotters::prelude::*;

use super::axis::has_place;
use super::canvas::{Canvas, Drawn};
use super::chart::Chart;
use super::frame::Frame;
use super::mark_painter::{MarkPainter, Place, radius};
use super::series::{GuideLine, Marks, Series, Style};

/// The part of a chart between its axes.
pub(super) struct PlotArea<'a, B: DrawingBackend> {
    pub(super) chart: &'a Chart,
    pub(super) canvas: &'a Canvas,
    pub(super) area: &'a DrawingArea<B, Shift>,
    pub(super) frame: Frame<'a>,
}

impl<B: DrawingBackend> PlotArea<'_, B> {
    /// Draws the axes, the guide and all series.
    pub(super) fn draw(&self) -> Drawn<B> {
        self.frame.draw(self.area)?;
        if let Some(guide) = &self.chart.guide {
            self.draw_guide(guide.line)?;
        }
        if self.chart.has_boxes() {
            return self.draw_boxes();
        }
        // Lines are few and lie above the many dots of all series.
        let mut series = self.chart.series.iter();
        series.try_for_each(|series| self.draw_points(series))?;
        let mut series = self.chart.series.iter();
        series.try_for_each(|series| self.draw_line(series))
    }

    fn draw_boxes(&self) -> Drawn<B> {
        for (row, series) in (0..).zip(&self.chart.series) {
            let Marks::Box(spread) = &series.marks else {
                continue;
            };
            let numbers = spread.numbers();
            if numbers.iter().all(|&number| has_place(number)) {
                let places = numbers.map(|number| self.frame.left_of(number));
                let middle = self.frame.middle_of(row);
                self.painter(series.style).spread(places, middle)?;
            }
        }
        Ok(())
    }

    fn painter(&self, style: Style) -> MarkPainter<'_, B> {
        MarkPainter {
            canvas: self.canvas,
            area: self.area,
            style,
        }
    }

    /// Positions of the points that have one.
    fn places(&self, points: &[(f64, f64)]) -> Vec<Place> {
        let placed = |point: &&(f64, f64)| has_place(point.0) && has_place(point.1);
        let points = points.iter().filter(placed);
        points.map(|&point| self.frame.place(point)).collect()
    }

    fn draw_points(&self, series: &Series) -> Drawn<B> {
        let painter = self.painter(series.style);
        match &series.marks {
            Marks::Dots(dots) => self.draw_dots(&painter, dots, 0.7),
            // Paler, so that the line stands out.
            Marks::DotsAndLine { dots, .. } => self.draw_dots(&painter, dots, 0.4),
            Marks::Bubbles(bubbles) => self.draw_bubbles(&painter, bubbles),
            Marks::Line(_) | Marks::Steps(_) | Marks::Box(_) => Ok(()),
        }
    }

    fn draw_dots(
        &self,
        painter: &MarkPainter<'_, B>,
        dots: &[(f64, f64)],
        opacity: f64,
    ) -> Drawn<B> {
        let mut places = self.places(dots).into_iter();
        places.try_for_each(|place| painter.marker(place, opacity))
    }

    /// Draws the large ones first, so that they hide none of the small ones.
    fn draw_bubbles(&self, painter: &MarkPainter<'_, B>, bubbles: &[(f64, f64, u64)]) -> Drawn<B> {
        let most = self.chart.most();
        let mut bubbles = bubbles.to_vec();
        bubbles.retain(|&(x, y, count)| has_place(x) && has_place(y) && count > 0);
        bubbles.sort_by_key(|bubble| Reverse(bubble.2));
        for (x, y, count) in bubbles {
            let place = self.frame.place((x, y));
            painter.bubble(place, radius(self.canvas, count, most))?;
        }
        Ok(())
    }

    fn draw_line(&self, series: &Series) -> Drawn<B> {
        let painter = self.painter(series.style);
        match &series.marks {
            Marks::Line(line) | Marks::DotsAndLine { line, .. } => {
                let places = self.places(line);
                painter.casing(&places)?;
                painter.line(&places)
            }
            Marks::Steps(points) => painter.line(&steps(&self.places(points))),
            Marks::Dots(_) | Marks::Bubbles(_) | Marks::Box(_) => Ok(()),
        }
    }

    fn draw_guide(&self, line: GuideLine) -> Drawn<B> {
        let places = match line {
            _ if self.chart.has_boxes() && !matches!(line, GuideLine::X(_)) => return Ok(()),
            GuideLine::X(number) | GuideLine::Y(number) if !has_place(number) => return Ok(()),
            GuideLine::X(number) => self.frame.upright(number),
            GuideLine::Y(number) => self.frame.level(number),
            GuideLine::Diagonal => self.places(&self.diagonal()),
        };
        self.painter(Style::default()).guide(places)
    }

    /// Points with the same number on both axes, as far as both have it.
    fn diagonal(&self) -> Vec<(f64, f64)> {
        let (x, y) = (&self.frame.x, &self.frame.y);
        let low = x.ends().0.max(y.ends().0);
        let high = x.ends().1.min(y.ends().1);
        if low >= high {
            return Vec::new();
        }
        // Straight unless one multiplies where the other adds.
        let parts = if x.is_log() == y.is_log() { 1 } else { 64 };
        let number = |part: i32| {
            let part = f64::from(part) / f64::from(parts);
            match x.is_log() {
                false => low + (high - low) * part,
                true => low * (high / low).powf(part),
            }
        };
        (0..=parts)
            .map(|part| (number(part), number(part)))
            .collect()
    }
}

/// Goes level to the next place and there up or down to it.
fn steps(places: &[Place]) -> Vec<Place> {
    let mut all = places.get(..1).unwrap_or_default().to_vec();
    for pair in places.windows(2) {
        all.extend([(pair[1].0, pair[0].1), pair[1]]);
    }
    all
}
