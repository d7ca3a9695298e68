//! Title and legend of a chart.

use crate::chart::{Chart, View};
use crate::drawing::{Anchor, Drawing, Form, Paint, Place};
use crate::frame::MARGIN;
use crate::letters::{fitting, grouped, width_of};
use crate::marks::{MarkPainter, radius};
use crate::series::{Marks, Series, Style};

const TITLE: f64 = 48.0;
/// Width of a sample before the text of an entry.
const SAMPLE: f64 = 44.0;
const LETTERS: u32 = 15;

/// The title and the legend of a chart, with entries in one or two columns.
pub(crate) struct Legend<'a> {
    chart: &'a Chart,
    view: View,
    entries: Vec<Entry<'a>>,
    columns: usize,
    /// Height of an entry.
    pub(crate) line: f64,
}

/// Content of an entry.
enum Entry<'a> {
    Series(&'a Series),
    Guide(&'a str),
    /// Counts of bubbles of the chart, the largest last.
    Counts(Vec<u64>),
    /// Explanation of boxes.
    Boxes,
}

impl<'a> Legend<'a> {
    pub(crate) fn new(chart: &'a Chart, view: View) -> Self {
        let mut entries = Vec::new();
        if chart.has_boxes() {
            // The names of the series are beside the boxes.
            entries.push(Entry::Boxes);
        } else {
            let named = |series: &&Series| !series.label.is_empty();
            entries.extend(chart.series.iter().filter(named).map(Entry::Series));
        }
        entries.extend(chart.guide.as_ref().map(|guide| Entry::Guide(&guide.label)));
        if !chart.has_boxes() && chart.most() > 0 {
            entries.push(Entry::Counts(sample_counts(chart.most())));
        }
        let half = (view.width - 2.0 * MARGIN) / 2.0 - SAMPLE - MARGIN;
        let is_short = |entry: &Entry<'_>| width_of(words(chart, entry), LETTERS) <= half;
        let columns = 1 + usize::from(entries.len() > 1 && entries.iter().all(is_short));
        Legend {
            chart,
            view,
            entries,
            columns,
            line: 24.0,
        }
    }

    /// Height; 0 if the legend is omitted.
    pub(crate) fn height(&self) -> f64 {
        match self.view.is_bare {
            true => 0.0,
            false => TITLE + self.line * self.entries.len().div_ceil(self.columns) as f64,
        }
    }

    /// Draws everything; `sample` draws what stands before the label of a series.
    pub(crate) fn draw(
        &self,
        drawing: &mut Drawing,
        sample: impl Fn(&mut Drawing, &Series, Place),
    ) {
        if self.view.is_bare {
            return;
        }
        let all = self.view.width - 2.0 * MARGIN;
        let title = fitting(&self.chart.title, 24, all);
        drawing.text(&title, (MARGIN, TITLE / 2.0), Anchor::Start, 24);
        let column = all / self.columns as f64;
        for (number, entry) in self.entries.iter().enumerate() {
            let left = MARGIN + (number % self.columns) as f64 * column;
            let middle = TITLE + (number / self.columns) as f64 * self.line + self.line / 2.0;
            let words = fitting(words(self.chart, entry), LETTERS, column - SAMPLE - 8.0);
            drawing.text(&words, (left + SAMPLE, middle), Anchor::Start, LETTERS);
            match entry {
                Entry::Series(series) => sample(drawing, series, (left, middle)),
                Entry::Guide(_) => {
                    let style = Style::default();
                    let line = [(left, middle), (left + 34.0, middle)];
                    MarkPainter { drawing, style }.guide(&line);
                }
                Entry::Counts(counts) => self.draw_counts(drawing, counts, (left, middle)),
                Entry::Boxes => draw_box(drawing, Style::default(), (left, middle)),
            }
        }
    }

    /// Draws a bubble for each count, with the count beside it.
    fn draw_counts(&self, drawing: &mut Drawing, counts: &[u64], (left, middle): Place) {
        let mut left = left + SAMPLE + 30.0 + width_of(&self.chart.counts, LETTERS);
        for &count in counts {
            let form = Form::Circle {
                centre: (left, middle),
                radius: radius(count, self.chart.most()),
            };
            drawing.outline(&form, Paint::Ink, 1.0, "");
            let words = grouped(count);
            drawing.text(&words, (left + 15.0, middle), Anchor::Start, LETTERS);
            left += 43.0 + width_of(&words, LETTERS);
        }
    }
}

fn words<'a>(chart: &'a Chart, entry: &Entry<'a>) -> &'a str {
    match entry {
        Entry::Series(series) => &series.label,
        Entry::Guide(label) => label,
        Entry::Counts(_) => &chart.counts,
        Entry::Boxes => &chart.boxes,
    }
}

/// Draws a sample of the marks of a series, from `left` to `left` + 34 pixels.
pub(crate) fn draw_sample(drawing: &mut Drawing, series: &Series, (left, middle): Place) {
    let style = series.style;
    let mut painter = MarkPainter { drawing, style };
    let [start, centre, end] = [0.0, 17.0, 34.0].map(|x| (left + x, middle));
    match &series.marks {
        Marks::Dots(_) => painter.marker(centre, 1.0, ""),
        Marks::Steps(_) => painter.line(&[start, end]),
        Marks::Line(_) | Marks::DotsAndLine { .. } => {
            painter.line(&[start, end]);
            painter.marker(centre, 1.0, "");
        }
        Marks::Bubbles(_) => painter.bubble(centre, 7.0, ""),
        Marks::Box(_) => draw_box(drawing, style, (left, middle)),
    }
}

fn draw_box(drawing: &mut Drawing, style: Style, (left, middle): Place) {
    let places = [0.0, 9.0, 17.0, 26.0, 34.0].map(|x| left + x);
    MarkPainter { drawing, style }.spread(places, (middle, 5), "");
}

/// Up to three counts for the legend of areas: the largest, and powers of ten below it.
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
