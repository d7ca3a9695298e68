//! Title and legend above a chart.

use indicatif::HumanCount;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::canvas::{Canvas, Drawn, INK, MARGIN, WIDTH};
use super::chart::Chart;
use super::mark_painter::{MarkPainter, radius};
use super::series::{Marks, Series, Style};

/// All lengths are in pixels of the SVG.
const TITLE: u32 = 48;
const LINE: u32 = 24;
/// The width of a sample before the words of an entry.
const SAMPLE: u32 = 44;
const LETTERS: u32 = 15;

/// The title and the legend of a chart, whose entries go across in one or two columns.
pub(super) struct Legend<'a> {
    chart: &'a Chart,
    canvas: &'a Canvas,
    entries: Vec<Entry<'a>>,
    columns: u32,
}

/// Text beside one sample.
enum Entry<'a> {
    Series(&'a Series),
    Guide(&'a str),
    /// Counts that bubbles of the chart have, the largest last.
    Counts(Vec<u64>),
    /// Explanation of a box.
    Boxes,
}

impl Entry<'_> {
    fn words(&self) -> &str {
        match self {
            Entry::Series(series) => &series.label,
            Entry::Guide(label) => label,
            Entry::Counts(_) => "count:",
            Entry::Boxes => {
                "box: the middle half, black line: the median, ends: the least and the largest"
            }
        }
    }
}

impl<'a> Legend<'a> {
    pub(super) fn new(chart: &'a Chart, canvas: &'a Canvas) -> Self {
        let mut entries = Vec::new();
        if chart.has_boxes() {
            // Names stand beside the boxes.
            entries.push(Entry::Boxes);
        } else {
            let named = |series: &&Series| !series.label.is_empty();
            entries.extend(chart.series.iter().filter(named).map(Entry::Series));
        }
        entries.extend(chart.guide.as_ref().map(|guide| Entry::Guide(&guide.label)));
        if !chart.has_boxes() && chart.most() > 0 {
            entries.push(Entry::Counts(sample_counts(chart.most())));
        }
        let half = (WIDTH - 2 * MARGIN) / 2 - SAMPLE - MARGIN;
        let is_short = |entry: &Entry<'_>| canvas.width_of(entry.words(), LETTERS) <= half;
        let columns = 1 + u32::from(entries.len() > 1 && entries.iter().all(is_short));
        Legend {
            chart,
            canvas,
            entries,
            columns,
        }
    }

    pub(super) fn height(&self) -> u32 {
        TITLE + LINE * (self.entries.len() as u32).div_ceil(self.columns)
    }

    pub(super) fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Drawn<B> {
        let canvas = self.canvas;
        let all = WIDTH - 2 * MARGIN;
        let title = canvas.fitting(&self.chart.title, 24, all);
        let place = (canvas.px(MARGIN), canvas.px(TITLE / 2));
        canvas.write_at(area, title, place, HPos::Left, 24)?;
        let column = all / self.columns;
        for (number, entry) in (0..).zip(&self.entries) {
            let left = MARGIN + number % self.columns * column;
            let middle = TITLE + number / self.columns * LINE + LINE / 2;
            let words = canvas.fitting(entry.words(), LETTERS, column - SAMPLE - 8);
            let place = (canvas.px(left + SAMPLE), canvas.px(middle));
            canvas.write_at(area, words, place, HPos::Left, LETTERS)?;
            self.draw_sample(area, entry, (left, middle))?;
        }
        Ok(())
    }

    fn draw_sample<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        entry: &Entry<'_>,
        (left, middle): (u32, u32),
    ) -> Drawn<B> {
        let canvas = self.canvas;
        let style = match entry {
            Entry::Series(series) => series.style,
            _ => Style::default(),
        };
        let painter = MarkPainter {
            canvas,
            area,
            style,
        };
        let [start, centre, end] = [0, 17, 34].map(|x| (canvas.px(left + x), canvas.px(middle)));
        match entry {
            Entry::Series(series) => match &series.marks {
                Marks::Dots(_) => painter.marker(centre, 1.0),
                Marks::Line(_) | Marks::Steps(_) => painter.line(&[start, end]),
                Marks::DotsAndLine { .. } => {
                    painter.line(&[start, end])?;
                    painter.marker(centre, 1.0)
                }
                Marks::Bubbles(_) => painter.bubble(centre, canvas.px(7)),
                Marks::Box(_) => Ok(()),
            },
            Entry::Guide(_) => painter.guide(vec![start, end]),
            Entry::Boxes => {
                let places = [0, 9, 17, 26, 34].map(|x| canvas.px(left + x));
                painter.spread(places, canvas.px(middle))
            }
            Entry::Counts(counts) => self.draw_counts(area, counts, (left, middle)),
        }
    }

    /// Draws a bubble for each count, with the count beside it.
    fn draw_counts<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        counts: &[u64],
        (left, middle): (u32, u32),
    ) -> Drawn<B> {
        let (canvas, middle) = (self.canvas, self.canvas.px(middle));
        let mut left = left + SAMPLE + 72;
        for &count in counts {
            let radius = radius(canvas, count, self.chart.most());
            let edge = INK.stroke_width(canvas.scale());
            area.draw(&Circle::new((canvas.px(left), middle), radius, edge))?;
            let words = HumanCount(count).to_string();
            let place = (canvas.px(left + 15), middle);
            left += 15 + canvas.width_of(&words, LETTERS) + 28;
            canvas.write_at(area, words, place, HPos::Left, LETTERS)?;
        }
        Ok(())
    }
}

/// Up to three counts that show how areas grow: the largest, and powers of ten below it.
fn sample_counts(most: u64) -> Vec<u64> {
    let mut counts = vec![most];
    let mut power = 10_u64.pow(most.ilog10());
    while counts.len() < 3 && power > 0 {
        if power.saturating_mul(2) <= most {
            counts.push(power);
        }
        power /= 10;
    }
    counts.reverse();
    counts
}
