//! The marks of a chart between its axes.

use std::cmp::Reverse;

use crate::axis::{has_place, measured};
use crate::chart::Chart;
use crate::drawing::{Drawing, Place};
use crate::frame::Frame;
use crate::letters::grouped;
use crate::marks::{MarkPainter, radius};
use crate::series::{GuideLine, Marks, Series, Style};

/// The area of a chart between its axes.
pub(crate) struct PlotArea<'a> {
    pub(crate) chart: &'a Chart,
    pub(crate) frame: Frame<'a>,
}

impl PlotArea<'_> {
    /// Draws the axes, the guide and all series.
    pub(crate) fn draw(&self, drawing: &mut Drawing) {
        self.frame.draw(drawing);
        if let Some(guide) = &self.chart.guide {
            self.draw_guide(drawing, guide.line);
        }
        if self.chart.has_boxes() {
            self.draw_each(drawing, Self::draw_box);
        } else {
            // Lines are few and are drawn above the dots of all series.
            self.draw_each(drawing, Self::draw_points);
            self.draw_each(drawing, Self::draw_line);
        }
    }

    fn draw_each(
        &self,
        drawing: &mut Drawing,
        draw: impl Fn(&Self, MarkPainter<'_>, (usize, &Series)),
    ) {
        for (number, series) in self.chart.series.iter().enumerate() {
            drawing.series = Some(number);
            let style = series.style;
            draw(self, MarkPainter { drawing, style }, (number, series));
        }
        drawing.series = None;
    }

    fn draw_box(&self, mut painter: MarkPainter<'_>, (row, series): (usize, &Series)) {
        let Marks::Box(spread) = &series.marks else {
            return;
        };
        let numbers = spread.numbers();
        if has_place(numbers[0]) {
            let known = numbers.iter().filter(|&&number| has_place(number)).count();
            let mut texts = numbers.map(measured);
            texts[known..].fill("…".to_owned());
            let tooltip = tooltip_of(series, &texts.join(" – "));
            let places = numbers.map(|number| self.frame.left_of(number));
            painter.spread(places, (self.frame.middle_of(row), known), &tooltip);
        }
    }

    /// Positions of the points that can be shown.
    pub(crate) fn places(&self, points: &[(f64, f64)]) -> Vec<Place> {
        let points = points.iter().filter(is_placed);
        points.map(|&point| self.frame.place(point)).collect()
    }

    fn draw_points(&self, mut painter: MarkPainter<'_>, (_, series): (usize, &Series)) {
        let (dots, opacity) = match &series.marks {
            Marks::Dots(dots) => (dots, 0.7),
            // The dots are paler, so that the line stands out.
            Marks::DotsAndLine { dots, .. } => (dots, 0.4),
            Marks::Bubbles(bubbles) => return self.draw_bubbles(painter, series, bubbles),
            Marks::Line(_) | Marks::Steps(_) | Marks::Box(_) => return,
        };
        for place in self.places(dots) {
            painter.marker(place, opacity, "");
        }
        if let Marks::DotsAndLine { bounds, .. } = &series.marks {
            for place in self.places(bounds) {
                painter.bound(place);
            }
        }
    }

    /// Draws large bubbles first, so that they hide no small ones.
    fn draw_bubbles(
        &self,
        mut painter: MarkPainter<'_>,
        series: &Series,
        bubbles: &[(f64, f64, u64)],
    ) {
        let most = self.chart.most();
        let mut bubbles = bubbles.to_vec();
        bubbles.retain(|&(x, y, count)| has_place(x) && has_place(y) && count > 0);
        bubbles.sort_by_key(|bubble| Reverse(bubble.2));
        for (x, y, count) in bubbles {
            let numbers = format!("{}; {} ({})", measured(x), measured(y), grouped(count));
            let tooltip = tooltip_of(series, &numbers);
            let place = self.frame.place((x, y));
            painter.bubble(place, radius(count, most), &tooltip);
        }
    }

    fn draw_line(&self, mut painter: MarkPainter<'_>, (_, series): (usize, &Series)) {
        match &series.marks {
            Marks::Line(line) | Marks::DotsAndLine { line, .. } => {
                for line in line.split(|point| !is_placed(&point)) {
                    let places = self.places(line);
                    painter.casing(&places);
                    painter.line(&places);
                    for (place, (x, y)) in places.iter().zip(line) {
                        let numbers = format!("{}; {}", measured(*x), measured(*y));
                        painter.marker(*place, 1.0, &tooltip_of(series, &numbers));
                    }
                }
            }
            Marks::Steps(points) => painter.line(&steps(&self.places(points))),
            Marks::Dots(_) | Marks::Bubbles(_) | Marks::Box(_) => {}
        }
    }

    fn draw_guide(&self, drawing: &mut Drawing, line: GuideLine) {
        let places = match line {
            _ if self.chart.has_boxes() && !matches!(line, GuideLine::X(_)) => return,
            GuideLine::X(number) | GuideLine::Y(number) if !has_place(number) => return,
            GuideLine::X(number) => self.frame.upright(number).to_vec(),
            GuideLine::Y(number) => self.frame.level(number).to_vec(),
            GuideLine::Diagonal(_) => self.places(&self.diagonal()),
        };
        let style = Style::default();
        MarkPainter { drawing, style }.guide(&places);
    }

    /// Points with the same number on both axes, in the common range of the axes.
    fn diagonal(&self) -> Vec<(f64, f64)> {
        let (x, y) = (&self.frame.x, &self.frame.y);
        let low = x.ends().0.max(y.ends().0);
        let high = x.ends().1.min(y.ends().1);
        if low >= high {
            return Vec::new();
        }
        // The line is a curve if one axis is logarithmic and the other linear.
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

fn is_placed(point: &&(f64, f64)) -> bool {
    has_place(point.0) && has_place(point.1)
}

/// The name of a series and the numbers of a mark.
fn tooltip_of(series: &Series, numbers: &str) -> String {
    match series.label.is_empty() {
        true => numbers.to_owned(),
        false => format!("{}: {numbers}", series.label),
    }
}

/// Joins places by steps: first horizontal, then vertical.
fn steps(places: &[Place]) -> Vec<Place> {
    let mut all = places.get(..1).unwrap_or_default().to_vec();
    for pair in places.windows(2) {
        all.extend([(pair[1].0, pair[0].1), pair[1]]);
    }
    all
}
