//! The plot of `pdb-gen stats`: how many entries have each value, above how that grows from value
//! to value.
//!
//! Letters are measured, and in PNG drawn, with the font in `assets`, so that the same tables give
//! the same bytes everywhere.

use std::ops::Range;

use cli::Failure;
use cli::words::counted;
use indicatif::HumanCount;
use pdb_table::{LevelStats, Stats};
use plotters::chart::MeshStyle;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};
use puzzle::{TableId, TableKind};

use crate::stats::Described;

/// The largest number of tables in one plot: that of colours that everybody can tell apart.
const MAX_TABLES: usize = COLOURS.len();

/// Okabe & Ito's colours for all kinds of sight, without black and yellow.
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];
const INK: RGBColor = RGBColor(40, 40, 40);
const FAINT: RGBColor = RGBColor(222, 222, 222);

/// Readers of SVG look for the first of these that they have.
const FONT: &str = "DejaVu Sans, Verdana, sans-serif";

/// All lengths are in pixels of the SVG.
const WIDTH: u32 = 960;
const UPPER: u32 = 340;
const LOWER: u32 = 240;
const TITLE: u32 = 48;
/// Above each chart, for what it shows.
const CAPTION: u32 = 30;
/// A table's line in the legend.
const LINE: u32 = 34;
const MARGIN: u32 = 24;
/// Pixels of the PNG for each of the SVG: sharp on today's screens and in print.
const PNG_SCALE: u32 = 2;

/// What is plotted.
pub(crate) struct Subject<'a> {
    title: String,
    /// What is counted, such as `Entries`.
    things: &'static str,
    curves: Vec<Curve<'a>>,
    /// Whether two legends fit side by side.
    has_short_legends: bool,
}

/// A histogram of a plot.
struct Curve<'a> {
    stats: &'a Stats,
    legend: String,
    /// The table whose pattern is drawn before the legend.
    table: Option<TableId>,
}

impl<'a> Subject<'a> {
    /// Tables, at least one.
    pub(crate) fn tables(tables: &'a [Described]) -> Self {
        let id = tables[0].header.id;
        let mut others = tables.iter().map(|table| table.header.id);
        // Then tray and kind are part of the title.
        let is_uniform = others.all(|other| (other.tray(), other.kind()) == (id.tray(), id.kind()));
        let title = match (is_uniform, tables.len()) {
            (true, 1) => format!("{} {} table", id.tray(), kind(id)),
            (true, _) => format!("{} {} tables", id.tray(), kind(id)),
            (false, _) => "Pattern databases".to_owned(),
        };
        let curve = |table: &'a Described| {
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

    /// Values of random states.
    pub(crate) fn sample(title: String, stats: &'a Stats) -> Self {
        let legend = numbers(stats, "random states");
        let table = None;
        Subject {
            title,
            things: "States",
            curves: vec![Curve {
                stats,
                legend,
                table,
            }],
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

/// The plot as SVG.
pub(crate) fn svg(subject: &Subject<'_>) -> Result<String, Failure> {
    let plot = Plot::new(subject, 1)?;
    let mut text = String::new();
    let root = SVGBackend::with_string(&mut text, plot.size()).into_drawing_area();
    plot.draw(&root).map_err(not_drawn)?;
    drop(root);
    Ok(text)
}

/// The plot as PNG.
pub(crate) fn png(subject: &Subject<'_>) -> Result<Vec<u8>, Failure> {
    let plot = Plot::new(subject, PNG_SCALE)?;
    let (width, height) = plot.size();
    let mut pixels = vec![0; (width * height * 3) as usize];
    let root = BitMapBackend::with_buffer(&mut pixels, plot.size()).into_drawing_area();
    plot.draw(&root).map_err(not_drawn)?;
    drop(root);

    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().map_err(not_drawn)?;
    writer.write_image_data(&pixels).map_err(not_drawn)?;
    writer.finish().map_err(not_drawn)?;
    Ok(bytes)
}

fn not_drawn(error: impl std::fmt::Display) -> Failure {
    Failure::table(format!("the plot cannot be drawn: {error}"))
}

/// What is plotted and how large.
struct Plot<'a> {
    subject: &'a Subject<'a>,
    scale: u32,
}

type Drawn<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

impl<'a> Plot<'a> {
    fn new(subject: &'a Subject<'a>, scale: u32) -> Result<Self, Failure> {
        let curves = subject.curves.len();
        if curves > MAX_TABLES {
            return Err(Failure::input(format!(
                "{curves} tables are too many for one plot: name at most {MAX_TABLES} files"
            )));
        }
        let font = include_bytes!("../../../assets/DejaVuSans.ttf");
        register_font(FONT, FontStyle::Normal, font)
            .map_err(|_| not_drawn("its font is damaged"))?;
        Ok(Plot { subject, scale })
    }

    fn columns(&self) -> u32 {
        1 + u32::from(self.subject.has_short_legends && self.curves().len() > 1)
    }

    fn head(&self) -> u32 {
        TITLE + LINE * (self.curves().len() as u32).div_ceil(self.columns())
    }

    fn size(&self) -> (u32, u32) {
        let height = self.head() + UPPER + LOWER;
        (WIDTH * self.scale, height * self.scale)
    }

    fn px(&self, length: u32) -> i32 {
        (length * self.scale) as i32
    }

    fn font(&self, size: u32) -> TextStyle<'static> {
        let (family, size) = (FontFamily::Name(FONT), self.px(size).into());
        TextStyle::from(FontDesc::new(family, size, FontStyle::Normal)).color(&INK)
    }

    fn curves(&self) -> &'a [Curve<'a>] {
        &self.subject.curves
    }

    /// The curves with their colours.
    fn coloured(&self) -> impl Iterator<Item = (&'a Curve<'a>, RGBColor)> {
        self.curves().iter().zip(COLOURS)
    }

    fn draw<B: DrawingBackend>(&self, root: &DrawingArea<B, Shift>) -> Drawn<B> {
        root.fill(&WHITE)?;
        let (head, body) = root.split_vertically(self.px(self.head()));
        let (upper, lower) = body.split_vertically(self.px(UPPER));
        self.draw_head(&head)?;
        self.draw_histogram(&upper)?;
        self.draw_growth(&lower)?;
        root.present()
    }

    fn draw_head<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Drawn<B> {
        let title = self.subject.title.as_str();
        self.write(area, title, (MARGIN, TITLE / 2 + 4), 24)?;

        let width = (WIDTH - 2 * MARGIN) / self.columns();
        for (number, (curve, colour)) in (0..).zip(self.coloured()) {
            let left = MARGIN + number % self.columns() * width;
            let top = TITLE + number / self.columns() * LINE;
            if let Some(id) = curve.table {
                self.draw_pattern(area, id, colour, (left, top))?;
            }
            let indent = if curve.table.is_some() { 40 } else { 0 };
            self.write(
                area,
                curve.legend.as_str(),
                (left + indent, top + LINE / 2),
                15,
            )?;
        }
        Ok(())
    }

    /// Writes words, of which the middle of the left side is at a place.
    fn write<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        words: impl Into<String>,
        (left, middle): (u32, u32),
        size: u32,
    ) -> Drawn<B> {
        let font = self.font(size).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(
            words.into(),
            (self.px(left), self.px(middle)),
            font,
        ))
    }

    /// Draws a table's tray: the pattern's tiles at home, a dot where the blank may end.
    fn draw_pattern<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        id: TableId,
        colour: RGBColor,
        (left, top): (u32, u32),
    ) -> Drawn<B> {
        let longest = id.tray().width().max(id.tray().height()) as u32;
        let side = ((LINE - 6) * self.scale / longest).max(2) as i32;
        let (left, top) = (self.px(left), self.px(top + 3));
        let gap = self.px(1);
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

    /// From half a value before 0 to half a value after the largest.
    fn values(&self) -> Range<f64> {
        let largest = self.curves().iter().map(|curve| curve.stats.max()).max();
        -0.6..largest.unwrap_or(0) as f64 + 0.6
    }

    /// The largest of a number over all values of all tables.
    fn highest(&self, number: impl Fn(LevelStats) -> f64) -> f64 {
        let levels = self.curves().iter().flat_map(|curve| curve.stats.levels());
        levels.map(number).fold(0.0, f64::max)
    }

    fn draw_histogram<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Drawn<B> {
        let things = self.subject.things;
        let area = self.caption(area, &format!("{things} by value; dashed: the mean"))?;
        let top = 100.0 * self.highest(|level| level.share) * 1.06;
        let mut chart = self
            .frame(&area, 0)
            .build_cartesian_2d(self.values(), 0.0..top)?;
        let mut mesh = chart.configure_mesh();
        self.style(&mut mesh)
            .y_label_formatter(&|share| format!("{}%", short(*share)))
            .draw()?;
        for (curve, colour) in self.coloured() {
            let points = || {
                let levels = curve.stats.levels();
                levels.map(|level| (level.value as f64, 100.0 * level.share))
            };
            if self.curves().len() == 1 {
                let bar = |(x, y)| Rectangle::new([(x - 0.4, 0.0), (x + 0.4, y)], colour.filled());
                chart.draw_series(points().map(bar))?;
            } else {
                let line = colour.stroke_width(2 * self.scale);
                chart.draw_series(LineSeries::new(points(), line))?;
                let dot = |point| Circle::new(point, self.px(3), colour.filled());
                chart.draw_series(points().map(dot))?;
            }
            let mean = curve.stats.mean();
            let colour = if self.curves().len() == 1 {
                INK
            } else {
                colour
            };
            let style = colour.stroke_width(self.scale);
            let (dash, gap) = (self.px(5), self.px(4));
            let ends = [(mean, 0.0), (mean, top)];
            chart.draw_series(DashedLineSeries::new(ends, dash as u32, gap as u32, style))?;
        }
        Ok(())
    }

    fn draw_growth<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Drawn<B> {
        let things = self.subject.things.to_lowercase();
        let caption = format!(
            "Growth; dots: {things} of a value by those of the value before, \
             line: mean of two steps"
        );
        let area = self.caption(area, &caption)?;
        let top = self.highest(|level| level.growth.unwrap_or(0.0)).max(1.2) * 1.06;
        let mut chart = self
            .frame(&area, 20)
            .build_cartesian_2d(self.values(), 0.0..top)?;
        let mut mesh = chart.configure_mesh();
        self.style(&mut mesh)
            .y_labels(6)
            .y_label_formatter(&|growth| short(*growth))
            .x_desc("value, in moves")
            .draw()?;
        let one = [(self.values().start, 1.0), (self.values().end, 1.0)];
        chart.draw_series(LineSeries::new(one, INK.stroke_width(self.scale)))?;
        for (curve, colour) in self.coloured() {
            let levels = || curve.stats.levels();
            let at = |value: usize, growth| (value as f64, growth);
            let smooth = levels().filter_map(|level| Some(at(level.value, level.growth2?)));
            let line = colour.stroke_width(2 * self.scale);
            chart.draw_series(LineSeries::new(smooth, line))?;
            let single = levels().filter_map(|level| Some(at(level.value, level.growth?)));
            let dot = |point| Circle::new(point, self.px(3), colour.filled());
            chart.draw_series(single.map(dot))?;
        }
        Ok(())
    }

    /// Sets what the axes of both charts have in common.
    fn style<'m, 'p, 'q, B: DrawingBackend>(
        &self,
        mesh: &'m mut MeshStyle<'p, 'q, RangedCoordf64, RangedCoordf64, B>,
    ) -> &'m mut MeshStyle<'p, 'q, RangedCoordf64, RangedCoordf64, B> {
        let label = self.font(14);
        mesh.disable_x_mesh()
            .bold_line_style(FAINT.stroke_width(self.scale))
            .light_line_style(TRANSPARENT)
            .axis_style(INK.stroke_width(self.scale))
            .x_label_style(label.clone())
            .y_label_style(label.clone())
            .axis_desc_style(label)
            .x_label_formatter(&whole)
            .set_all_tick_mark_size(self.px(5))
    }

    /// Writes what a chart shows, and gives the place that is left for it.
    fn caption<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        words: &str,
    ) -> Result<DrawingArea<B, Shift>, DrawingAreaErrorKind<B::ErrorType>> {
        let (above, below) = area.split_vertically(self.px(CAPTION));
        self.write(&above, words, (MARGIN, CAPTION / 2 + 2), 15)?;
        Ok(below)
    }

    /// A chart whose vertical axis stands where that of the other does.
    fn frame<'b, B: DrawingBackend>(
        &self,
        area: &'b DrawingArea<B, Shift>,
        below: u32,
    ) -> ChartBuilder<'b, 'b, B> {
        let mut chart = ChartBuilder::on(area);
        chart
            .margin_left(self.px(MARGIN / 2))
            .margin_right(self.px(MARGIN))
            .margin_top(self.px(4))
            .margin_bottom(self.px(8))
            .set_label_area_size(LabelAreaPosition::Left, self.px(52))
            .set_label_area_size(LabelAreaPosition::Bottom, self.px(below + 26));
        chart
    }
}

/// The kind in words that do not refer to the command line.
fn kind(id: TableId) -> &'static str {
    match id.kind() {
        TableKind::FullCost => "full-cost",
        TableKind::MultiTile => "multi-tile",
        kind => kind.name(),
    }
}

/// A value on the axis; the marks between two values have no number.
fn whole(value: &f64) -> String {
    let text = short(*value);
    match text.contains('.') {
        true => String::new(),
        false => text,
    }
}

/// A number with at most two decimals.
fn short(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
