//! The axes of a chart, and positions of numbers in pixels.

use crate::axis::{Span, Tick};
use crate::chart::{Chart, View};
use crate::drawing::{Anchor, Drawing, Paint, Place};
use crate::letters::{fitting, width_of};

/// Margin around a chart. All lengths here are in pixels.
pub(crate) const MARGIN: f64 = 24.0;
/// Margin around a bare chart.
const BARE_MARGIN: f64 = 4.0;
/// Height above the axes for the label of the vertical axis.
const CAPTION: f64 = 32.0;
/// Height below the axes for numbers and the label.
const BELOW: f64 = 66.0;
const BARE_BELOW: f64 = 28.0;
/// Distance between the ends of an axis and its first and last numbers, so that marks at these
/// numbers are not cut off.
const INSET: f64 = 12.0;
const LETTERS: u32 = 14;
/// Minimum distance between labels on the horizontal axis.
const LEVEL_LABEL: f64 = 70.0;
/// Length of a tick.
const TICK: f64 = 5.0;

pub(crate) struct Frame<'a> {
    chart: &'a Chart,
    view: View,
    pub(crate) x: Span,
    pub(crate) y: Span,
    /// Labels of the vertical axis: numbers, or the names of the rows in charts of boxes.
    labels: Vec<String>,
    margin: f64,
    left: f64,
    top: f64,
    /// Height of the area with the marks.
    body: f64,
    /// Distance between the horizontal axis and the first number of the vertical axis.
    pub(crate) floor: f64,
}

impl<'a> Frame<'a> {
    /// The axes of a chart around an area of height `body`; `top` is the lower end of what stands
    /// above.
    pub(crate) fn new(
        chart: &'a Chart,
        view: View,
        [x, y]: [Span; 2],
        (top, body): (f64, f64),
    ) -> Self {
        let has_rows = chart.has_boxes() && view.is_bare;
        let labels: Vec<String> = match chart.has_boxes() {
            true => {
                let most = view.width * if has_rows { 1.0 } else { 0.4 } - 2.0 * BARE_MARGIN;
                let names = chart.series.iter().map(|series| &series.label);
                names.map(|name| fitting(name, LETTERS, most)).collect()
            }
            false => {
                let ticks = y.ticks(upright_labels(body)).into_iter();
                ticks.map(|tick| tick.label).collect()
            }
        };
        let widths = labels.iter().map(|words| width_of(words, LETTERS).ceil());
        let margin = if view.is_bare { BARE_MARGIN } else { MARGIN };
        let beside = if has_rows {
            0.0
        } else {
            widths.fold(24.0, f64::max) + TICK + 5.0
        };
        let has_caption = !chart.y.label.is_empty() && !view.is_bare;
        Frame {
            left: margin + beside,
            chart,
            view,
            x,
            y,
            labels,
            margin,
            top: top + INSET + if has_caption { CAPTION } else { 0.0 },
            body,
            floor: INSET,
        }
    }

    fn right(&self) -> f64 {
        self.view.width - self.margin - INSET
    }

    fn bottom(&self) -> f64 {
        self.top + self.body
    }

    /// The lower end of all text below the axes.
    pub(crate) fn end(&self) -> f64 {
        self.bottom() + if self.view.is_bare { BARE_BELOW } else { BELOW }
    }

    fn across(&self, part: f64) -> f64 {
        let start = self.left + INSET;
        start + (self.right() - start) * part
    }

    fn up(&self, part: f64) -> f64 {
        let start = self.bottom() - self.floor;
        start + (self.top - start) * part
    }

    pub(crate) fn place(&self, (x, y): (f64, f64)) -> Place {
        (self.left_of(x), self.up(self.y.place(y)))
    }

    /// Horizontal position of a number.
    pub(crate) fn left_of(&self, x: f64) -> f64 {
        self.across(self.x.place(x))
    }

    /// Vertical position of the middle of a box.
    pub(crate) fn middle_of(&self, row: usize) -> f64 {
        let below_name = if self.view.is_bare { 8.0 } else { 0.0 };
        self.top + self.view.row() * (row as f64 + 0.5) + below_name
    }

    /// The two ends of the vertical line through the number `x` on the horizontal axis.
    pub(crate) fn upright(&self, x: f64) -> [Place; 2] {
        [self.bottom(), self.top - INSET].map(|y| (self.left_of(x), y))
    }

    /// The two ends of the horizontal line through the number `y` on the vertical axis.
    pub(crate) fn level(&self, y: f64) -> [Place; 2] {
        let y = self.up(self.y.place(y));
        [self.left, self.view.width - self.margin].map(|x| (x, y))
    }

    /// Draws the axes with their labels.
    pub(crate) fn draw(&self, drawing: &mut Drawing) {
        let [left, right] = [self.left, self.view.width - self.margin];
        let [top, bottom] = [self.top - INSET, self.bottom()];
        if !self.view.is_bare {
            self.draw_captions(drawing);
        }
        let ticks = self.x.ticks(((right - left) / LEVEL_LABEL) as u32);
        let point = |at, distance| (self.across(at), bottom + distance);
        draw_ticks(drawing, &ticks, bottom - top, (16.0, Anchor::Middle), point);
        if self.chart.has_boxes() {
            for (row, name) in self.labels.iter().enumerate() {
                let middle = self.middle_of(row);
                let (place, anchor) = match self.view.is_bare {
                    true => ((left + 5.0, middle - 20.0), Anchor::Start),
                    false => ((left - TICK - 5.0, middle), Anchor::End),
                };
                drawing.series = Some(row).filter(|_| self.view.is_bare);
                drawing.text(name, place, anchor, LETTERS);
            }
            drawing.series = None;
        } else {
            let ticks = self.y.ticks(upright_labels(self.body));
            let point = |at, distance| (left - distance, self.up(at));
            draw_ticks(drawing, &ticks, right - left, (10.0, Anchor::End), point);
        }
        let axes = [(left, top), (left, bottom), (right, bottom)];
        drawing.line(&axes, (Paint::Ink, 1.0), 1.0, None);
    }

    fn draw_captions(&self, drawing: &mut Drawing) {
        let y = fitting(&self.chart.y.label, LETTERS, self.view.width - 2.0 * MARGIN);
        let place = (MARGIN, self.top - INSET - CAPTION / 2.0);
        drawing.text(&y, place, Anchor::Start, LETTERS);
        let x = fitting(&self.chart.x.label, LETTERS, self.right() - self.left);
        let centre = (self.left + self.view.width - MARGIN) / 2.0;
        let place = (centre, self.bottom() + BELOW - 24.0);
        drawing.text(&x, place, Anchor::Middle, LETTERS);
    }
}

/// Draws the ticks of an axis with their labels, and a grid line of the given length at each label.
/// `point(at, distance)` returns the place at position `at`, `distance` pixels outside the axis.
fn draw_ticks(
    drawing: &mut Drawing,
    ticks: &[Tick],
    length: f64,
    (distance, anchor): (f64, Anchor),
    point: impl Fn(f64, f64) -> Place,
) {
    for tick in ticks {
        let on_axis = point(tick.at, 0.0);
        let is_short = tick.label.is_empty();
        let end = point(tick.at, if is_short { TICK - 2.0 } else { TICK });
        if !is_short {
            let grid = [on_axis, point(tick.at, -length)];
            drawing.line(&grid, (Paint::Faint, 1.0), 1.0, None);
            let (mut x, y) = point(tick.at, distance);
            if matches!(anchor, Anchor::Middle) {
                // The first and the last label are not cut off.
                let half = width_of(&tick.label, LETTERS) / 2.0;
                x = x.clamp(half, drawing.width - half);
            }
            drawing.text(&tick.label, (x, y), anchor, LETTERS);
        }
        drawing.line(&[on_axis, end], (Paint::Ink, 1.0), 1.0, None);
    }
}

/// Approximate number of labels on the vertical axis.
fn upright_labels(body: f64) -> u32 {
    ((body / 42.0) as u32).max(2)
}
