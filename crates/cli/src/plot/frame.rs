//! The axes of a chart: where its numbers are on the plot.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::axis::{Span, Tick};
use super::canvas::{Canvas, Drawn, FAINT, INK, MARGIN, WIDTH};
use super::chart::{Chart, ROW};
use super::mark_painter::Place;

/// All lengths are in pixels of the SVG. Above the axes, for what the upright one measures.
const CAPTION: u32 = 32;
/// Below the axes, for numbers and what they measure.
const BELOW: u32 = 66;
/// Between the axes and the first and last numbers, so that their marks are whole.
const INSET: u32 = 12;
const LETTERS: u32 = 14;
/// The way from label to label on the level axis.
const LEVEL_LABEL: u32 = 70;
/// The length of a tick.
const TICK: u32 = 5;

pub(super) struct Frame<'a> {
    chart: &'a Chart,
    canvas: &'a Canvas,
    pub(super) x: Span,
    pub(super) y: Span,
    /// At the left: the names of the rows of boxes, else the numbers of the upright axis.
    labels: Vec<String>,
    left: u32,
    top: u32,
}

impl<'a> Frame<'a> {
    /// The height of the axes with all that is written around them.
    pub(super) fn height(chart: &Chart) -> u32 {
        caption(chart) + INSET + chart.body() + BELOW
    }

    /// The axes of a chart whose part above them ends at a height.
    pub(super) fn new(chart: &'a Chart, canvas: &'a Canvas, [x, y]: [Span; 2], top: u32) -> Self {
        let labels: Vec<String> = match chart.has_boxes() {
            true => {
                let names = chart.series.iter().map(|series| &series.label);
                let fitting = names.map(|name| canvas.fitting(name, LETTERS, WIDTH * 2 / 5));
                fitting.collect()
            }
            false => {
                let ticks = y.ticks(upright_labels(chart)).into_iter();
                ticks.map(|tick| tick.label).collect()
            }
        };
        let widths = labels.iter().map(|words| canvas.width_of(words, LETTERS));
        Frame {
            left: MARGIN + widths.max().unwrap_or(0).max(24) + TICK + 5,
            chart,
            canvas,
            x,
            y,
            labels,
            top: top + caption(chart) + INSET,
        }
    }

    fn right(&self) -> u32 {
        WIDTH - MARGIN - INSET
    }

    fn bottom(&self) -> u32 {
        self.top + self.chart.body()
    }

    /// Position at a fraction of the way between two lengths.
    fn between(&self, from: u32, to: u32, part: f64) -> i32 {
        let (from, to) = (self.canvas.px(from), self.canvas.px(to));
        from + (f64::from(to - from) * part).round() as i32
    }

    fn across(&self, part: f64) -> i32 {
        self.between(self.left + INSET, self.right(), part)
    }

    fn up(&self, part: f64) -> i32 {
        self.between(self.bottom() - INSET, self.top, part)
    }

    pub(super) fn place(&self, (x, y): (f64, f64)) -> Place {
        (self.left_of(x), self.up(self.y.place(y)))
    }

    /// Position of a number on the level axis.
    pub(super) fn left_of(&self, x: f64) -> i32 {
        self.across(self.x.place(x))
    }

    /// The height of the middle of a row of boxes.
    pub(super) fn middle_of(&self, row: u32) -> i32 {
        self.canvas.px(self.top + ROW * row + ROW / 2)
    }

    /// The ends of the upright line at a number of the level axis.
    pub(super) fn upright(&self, x: f64) -> Vec<Place> {
        let x = self.left_of(x);
        let ends = [self.bottom(), self.top - INSET];
        ends.map(|y| (x, self.canvas.px(y))).to_vec()
    }

    /// The ends of the level line at a number of the upright axis.
    pub(super) fn level(&self, y: f64) -> Vec<Place> {
        let y = self.up(self.y.place(y));
        let ends = [self.left, WIDTH - MARGIN];
        ends.map(|x| (self.canvas.px(x), y)).to_vec()
    }

    /// Draws the axes with all that is written around them.
    pub(super) fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Drawn<B> {
        let canvas = self.canvas;
        if !self.chart.y.label.is_empty() {
            let words = canvas.fitting(&self.chart.y.label, LETTERS, WIDTH - 2 * MARGIN);
            let caption = self.top - INSET - CAPTION / 2;
            let place = (canvas.px(MARGIN), canvas.px(caption));
            canvas.write_at(area, words, place, HPos::Left, LETTERS)?;
        }
        let [left, right] = [self.left, WIDTH - MARGIN].map(|length| canvas.px(length));
        let [top, bottom] = [self.top - INSET, self.bottom()].map(|length| canvas.px(length));
        let ticks = self.x.ticks((self.right() - self.left) / LEVEL_LABEL);
        let point = |at, distance| (self.across(at), bottom + distance);
        self.draw_ticks(area, &ticks, bottom - top, (TICK + 11, HPos::Center), point)?;
        if self.chart.has_boxes() {
            for (row, name) in (0..).zip(&self.labels) {
                let place = (canvas.px(self.left - TICK - 5), self.middle_of(row));
                canvas.write_at(area, name, place, HPos::Right, LETTERS)?;
            }
        } else {
            let ticks = self.y.ticks(upright_labels(self.chart));
            let point = |at, distance| (left - distance, self.up(at));
            self.draw_ticks(area, &ticks, right - left, (TICK + 5, HPos::Right), point)?;
        }
        let axes = [(left, top), (left, bottom), (right, bottom)];
        self.draw_line(area, &axes, INK)?;
        let words = canvas.fitting(&self.chart.x.label, LETTERS, self.right() - self.left);
        let place = ((left + right) / 2, canvas.px(self.bottom() + BELOW - 24));
        canvas.write_at(area, words, place, HPos::Center, LETTERS)
    }

    /// Draws the ticks of an axis with their labels, and a line of the given length through the
    /// chart at each label. `point` is the place at a part of the axis and a distance outwards.
    fn draw_ticks<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        ticks: &[Tick],
        length: i32,
        (distance, side): (u32, HPos),
        point: impl Fn(f64, i32) -> Place,
    ) -> Drawn<B> {
        let canvas = self.canvas;
        for tick in ticks {
            let on_axis = point(tick.at, 0);
            if tick.label.is_empty() {
                let end = point(tick.at, canvas.px(TICK - 2));
                self.draw_line(area, &[on_axis, end], INK)?;
                continue;
            }
            // From the left, or from above.
            let mut grid = [on_axis, point(tick.at, -length)];
            grid.sort_unstable();
            self.draw_line(area, &grid, FAINT)?;
            let end = point(tick.at, canvas.px(TICK));
            self.draw_line(area, &[on_axis, end], INK)?;
            let place = point(tick.at, canvas.px(distance));
            canvas.write_at(area, &tick.label, place, side, LETTERS)?;
        }
        Ok(())
    }

    fn draw_line<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        places: &[Place],
        colour: RGBColor,
    ) -> Drawn<B> {
        let stroke = colour.stroke_width(self.canvas.scale());
        area.draw(&PathElement::new(places.to_vec(), stroke))
    }
}

/// About how many numbers stand beside the upright axis.
fn upright_labels(chart: &Chart) -> u32 {
    (chart.body() / 42).max(2)
}

/// The height of what is written above the axes.
fn caption(chart: &Chart) -> u32 {
    if chart.y.label.is_empty() { 0 } else { CAPTION }
}
