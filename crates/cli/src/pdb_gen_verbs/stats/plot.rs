//! The plot of `pdb-gen stats`. Its upper chart shows the number of entries per value, and its
//! lower chart shows how this number grows from value to value.

use std::ops::Range;

use cli::plot::{COLOURS, Canvas, Drawing, DrawingPlace, Drawn, FAINT, INK, WIDTH};
use command::Failure;
use command::words::counted;
use indicatif::HumanCount;
use pdb_table::{LevelStats, Stats};
use plotters::coord::Shift;
use plotters::prelude::*;
use puzzle::{TableId, TableKind};

use super::table_stats::TableStats;

/// Maximum number of tables in one plot: each table has its own colour.
const MAX_TABLES: usize = COLOURS.len();

/// Height of the upper chart. All lengths are in pixels of the SVG.
const UPPER: u32 = 340;
const LOWER: u32 = 240;
const TITLE: u32 = 48;
/// Height of the caption above each chart.
const CAPTION: u32 = 30;
/// Height of a line in the legend.
const LINE: u32 = 34;
const MARGIN: u32 = 24;

/// Subject of a plot.
pub(super) struct Subject<'a> {
    title: String,
    /// The counted things, such as `Entries`.
    things: &'static str,
    curves: Vec<Curve<'a>>,
    /// Whether two legends fit side by side.
    has_short_legends: bool,
}

/// A histogram in a plot.
struct Curve<'a> {
    stats: &'a Stats,
    legend: String,
    /// The table whose pattern is drawn before the legend.
    table: Option<TableId>,
}

impl<'a> Subject<'a> {
    /// A plot of one or more tables.
    pub(super) fn tables(tables: &'a [TableStats]) -> Self {
        let id = tables[0].header.id;
        let mut others = tables.iter().map(|table| table.header.id);
        // If all tables have the same tray and kind, the title contains both.
        let is_uniform = others.all(|other| (other.tray(), other.kind()) == (id.tray(), id.kind()));
        let title = match (is_uniform, tables.len()) {
            (true, 1) => format!("{} {} table", id.tray(), kind(id)),
            (true, _) => format!("{} {} tables", id.tray(), kind(id)),
            (false, _) => "Pattern databases".to_owned(),
        };
        let curve = |table: &'a TableStats| {
            let id = table.header.id;
            let kind = match is_uniform {
                true => String::new(),
                false => format!("{} {}, ", id.tray(), kind(id)),
            };
            let tiles = counted(id.tiles().len() as u64, "tile");
            Curve {
                stats: &table.stats,
                legend: format!("{kind}{tiles}, {}", numbers(&table.stats, "entries")),
                table: Some(id),
            }
        };
        Subject {
            title,
            things: "Entries",
            curves: tables.iter().map(curve).collect(),
            has_short_legends: is_uniform,
        }
    }

    /// A plot of the values of random states.
    pub(super) fn sample(title: String, stats: &'a Stats) -> Self {
        let curve = Curve {
            stats,
            legend: numbers(stats, "random states"),
            table: None,
        };
        Subject {
            title,
            things: "States",
            curves: vec![curve],
            has_short_legends: true,
        }
    }
}

fn numbers(stats: &Stats, things: &str) -> String {
    format!(
        "{} {things}, mean {:.2}, largest {}",
        HumanCount(stats.entries()),
        stats.mean(),
        stats.max()
    )
}

impl Drawing for Subject<'_> {
    fn height(&self, _: &Canvas) -> u32 {
        self.head() + UPPER + LOWER
    }

    fn draw<B: DrawingBackend>(&self, canvas: &Canvas, root: &DrawingArea<B, Shift>) -> Drawn<B> {
        let (head, body) = root.split_vertically(canvas.px(self.head()));
        let (upper, lower) = body.split_vertically(canvas.px(UPPER));
        let subject = self;
        let plot = Plot { subject, canvas };
        plot.draw_head(&head)?;
        plot.draw_histogram(&upper)?;
        plot.draw_growth(&lower)
    }
}

impl Subject<'_> {
    /// Rejects more tables than there are colours.
    pub(super) fn check(&self) -> Result<(), Failure> {
        match self.curves.len() {
            0..=MAX_TABLES => Ok(()),
            curves => Err(Failure::input(format!(
                "{curves} tables are too many for one plot: name at most {MAX_TABLES} files"
            ))),
        }
    }

    fn columns(&self) -> u32 {
        1 + u32::from(self.has_short_legends && self.curves.len() > 1)
    }

    fn head(&self) -> u32 {
        TITLE + LINE * (self.curves.len() as u32).div_ceil(self.columns())
    }
}

/// A plot and its canvas.
struct Plot<'a> {
    subject: &'a Subject<'a>,
    canvas: &'a Canvas,
}

impl<'a> Plot<'a> {
    fn curves(&self) -> &'a [Curve<'a>] {
        &self.subject.curves
    }

    fn coloured(&self) -> impl Iterator<Item = (&'a Curve<'a>, RGBColor)> {
        self.curves().iter().zip(COLOURS)
    }

    fn draw_head<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Drawn<B> {
        let (title, place) = (&self.subject.title, (MARGIN, TITLE / 2 + 4));
        self.canvas.write(area, title, place, 24)?;
        let width = (WIDTH - 2 * MARGIN) / self.subject.columns();
        for (number, (curve, colour)) in (0..).zip(self.coloured()) {
            let left = MARGIN + number % self.subject.columns() * width;
            let top = TITLE + number / self.subject.columns() * LINE;
            if let Some(id) = curve.table {
                self.draw_pattern(area, id, colour, (left, top))?;
            }
            let indent = if curve.table.is_some() { 40 } else { 0 };
            let place = (left + indent, top + LINE / 2);
            self.canvas.write(area, &curve.legend, place, 15)?;
        }
        Ok(())
    }

    /// Draws a table's tray: the pattern's tiles on their goal cells, and a dot on each possible
    /// final cell of the blank.
    fn draw_pattern<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        id: TableId,
        colour: RGBColor,
        (left, top): (u32, u32),
    ) -> Drawn<B> {
        let longest = id.tray().width().max(id.tray().height()) as u32;
        let side = ((LINE - 6) * self.canvas.scale() / longest).max(2) as i32;
        let (left, top) = (self.canvas.px(left), self.canvas.px(top + 3));
        let gap = self.canvas.px(1);
        let square = |(x, y): (i32, i32), side: i32, colour: RGBColor| {
            let corners = [(x, y), (x + side, y + side)];
            area.draw(&Rectangle::new(corners, colour.filled()))
        };
        for cell in id.tray().iter() {
            let x = left + id.tray().column(cell) as i32 * side;
            let y = top + id.tray().row(cell) as i32 * side;
            let is_tile = id.tiles().contains(cell);
            square((x, y), side - gap, if is_tile { colour } else { FAINT })?;
            if id.blank().contains(cell) {
                let inset = (side - gap) / 3;
                square((x + inset, y + inset), side - gap - 2 * inset, WHITE)?;
            }
        }
        Ok(())
    }

    /// The range of the value axis: from -0.6 to the largest value plus 0.6.
    fn values(&self) -> Range<f64> {
        let largest = self.curves().iter().map(|curve| curve.stats.max()).max();
        -0.6..largest.unwrap_or(0) as f64 + 0.6
    }

    /// The maximum of `number` over all values of all tables.
    fn highest(&self, number: impl Fn(LevelStats) -> f64) -> f64 {
        let levels = self.curves().iter().flat_map(|curve| curve.stats.levels());
        levels.map(number).fold(0.0, f64::max)
    }

    fn draw_histogram<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Drawn<B> {
        let things = self.subject.things;
        let area = self.caption(area, &format!("{things} by value; dashed: the mean"))?;
        let top = 100.0 * self.highest(|level| level.share) * 1.06;
        let is_alone = self.curves().len() == 1;
        let mut chart = self
            .frame(&area, 0)
            .build_cartesian_2d(self.values(), 0.0..top)?;
        let mut mesh = chart.configure_mesh();
        self.canvas
            .style(&mut mesh)
            .x_label_formatter(&whole)
            .y_label_formatter(&|share| format!("{}%", short(*share)))
            .draw()?;
        for (curve, colour) in self.coloured() {
            let point = |level: LevelStats| (level.value as f64, 100.0 * level.share);
            let points = || curve.stats.levels().map(point);
            if is_alone {
                let bar = |(x, y)| Rectangle::new([(x - 0.4, 0.0), (x + 0.4, y)], colour.filled());
                chart.draw_series(points().map(bar))?;
            } else {
                let line = colour.stroke_width(2 * self.canvas.scale());
                chart.draw_series(LineSeries::new(points(), line))?;
                let dot = |point| Circle::new(point, self.canvas.px(3), colour.filled());
                chart.draw_series(points().map(dot))?;
            }
            let mean = curve.stats.mean();
            let colour = if is_alone { INK } else { colour };
            let style = colour.stroke_width(self.canvas.scale());
            let (dash, gap) = (self.canvas.px(5), self.canvas.px(4));
            let ends = [(mean, 0.0), (mean, top)];
            chart.draw_series(DashedLineSeries::new(ends, dash as u32, gap as u32, style))?;
        }
        Ok(())
    }

    fn draw_growth<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Drawn<B> {
        let things = self.subject.things.to_lowercase();
        let caption = format!(
            "Growth: {things} with value h divided by {things} with h-1 (dots); mean over two steps \
             (line)"
        );
        let area = self.caption(area, &caption)?;
        let top = self.highest(|level| level.growth.unwrap_or(0.0)).max(1.2) * 1.06;
        let mut chart = self
            .frame(&area, 20)
            .build_cartesian_2d(self.values(), 0.0..top)?;
        let mut mesh = chart.configure_mesh();
        self.canvas
            .style(&mut mesh)
            .x_label_formatter(&whole)
            .y_labels(6)
            .y_label_formatter(&|growth| short(*growth))
            .x_desc("value, in moves")
            .draw()?;
        let one = [(self.values().start, 1.0), (self.values().end, 1.0)];
        chart.draw_series(LineSeries::new(one, INK.stroke_width(self.canvas.scale())))?;
        for (curve, colour) in self.coloured() {
            let levels = || curve.stats.levels();
            let at = |value: usize, growth| (value as f64, growth);
            let smooth = levels().filter_map(|level| Some(at(level.value, level.growth2?)));
            let line = colour.stroke_width(2 * self.canvas.scale());
            chart.draw_series(LineSeries::new(smooth, line))?;
            let single = levels().filter_map(|level| Some(at(level.value, level.growth?)));
            let dot = |point| Circle::new(point, self.canvas.px(3), colour.filled());
            chart.draw_series(single.map(dot))?;
        }
        Ok(())
    }

    /// Draws the caption of a chart, and returns the remaining area.
    fn caption<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        words: &str,
    ) -> DrawingPlace<B> {
        let (above, below) = area.split_vertically(self.canvas.px(CAPTION));
        let place = (MARGIN, CAPTION / 2 + 2);
        self.canvas.write(&above, words, place, 15)?;
        Ok(below)
    }

    /// An empty chart. The upper and the lower chart have the same margins, so their vertical axes
    /// are aligned.
    fn frame<'b, B: DrawingBackend>(
        &self,
        area: &'b DrawingArea<B, Shift>,
        below: u32,
    ) -> ChartBuilder<'b, 'b, B> {
        let mut chart = ChartBuilder::on(area);
        chart
            .margin_left(self.canvas.px(MARGIN / 2))
            .margin_right(self.canvas.px(MARGIN))
            .margin_top(self.canvas.px(4))
            .margin_bottom(self.canvas.px(8))
            .set_label_area_size(LabelAreaPosition::Left, self.canvas.px(52))
            .set_label_area_size(LabelAreaPosition::Bottom, self.canvas.px(below + 26));
        chart
    }
}

/// Name of a table kind in plots. Options use [`TableKind::name`].
fn kind(id: TableId) -> &'static str {
    match id.kind() {
        TableKind::FullCost => "full-cost",
        TableKind::MultiTile => "multi-tile",
        kind => kind.name(),
    }
}

/// Axis label of `value`; empty if `value` is not a whole number.
fn whole(value: &f64) -> String {
    let text = Some(short(*value)).filter(|text| !text.contains('.'));
    text.unwrap_or_default()
}

/// A number with at most two decimals.
fn short(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
