//! Basis of all plots: size, scale, font, colours, and output as SVG and PNG.

use std::fmt;

use plotters::chart::MeshStyle;
use plotters::coord::Shift;
use plotters::coord::ranged1d::Ranged;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};

use command::Failure;

/// Colours of Okabe & Ito, without black and yellow: they can be distinguished with every kind of
/// colour vision.
pub const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];
/// Colour of text and axes.
pub const INK: RGBColor = RGBColor(40, 40, 40);
/// Colour of grid lines.
pub const FAINT: RGBColor = RGBColor(222, 222, 222);

/// Width of every plot. All lengths are in pixels of the SVG.
pub const WIDTH: u32 = 960;
/// PNG pixels per SVG pixel. With 2, plots are sharp on high-density screens and in print.
const PNG_SCALE: u32 = 2;

/// Fonts of the SVG: viewers use the first installed one.
const FONT: &str = "DejaVu Sans, Verdana, sans-serif";

/// Result of drawing.
pub type Drawn<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

/// A drawing area, or the error of drawing it.
pub type DrawingPlace<B> =
    Result<DrawingArea<B, Shift>, DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

/// A drawing that can be written as SVG and as PNG.
pub trait Drawing {
    /// Height in pixels of the SVG. It does not depend on the scale of `canvas`.
    fn height(&self, canvas: &Canvas) -> u32;

    /// Draws everything on a white background.
    fn draw<B: DrawingBackend>(&self, canvas: &Canvas, root: &DrawingArea<B, Shift>) -> Drawn<B>;
}

/// The drawing as SVG.
pub fn svg(drawing: &impl Drawing) -> Result<String, Failure> {
    let canvas = Canvas::new(1)?;
    let mut text = String::new();
    let backend = SVGBackend::with_string(&mut text, canvas.size(drawing));
    canvas.draw(drawing, backend)?;
    Ok(text)
}

/// The drawing as PNG.
pub fn png(drawing: &impl Drawing) -> Result<Vec<u8>, Failure> {
    let canvas = Canvas::new(PNG_SCALE)?;
    let (width, height) = canvas.size(drawing);
    let mut pixels = vec![0; (width * height * 3) as usize];
    let backend = BitMapBackend::with_buffer(&mut pixels, (width, height));
    canvas.draw(drawing, backend)?;
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

/// The error for a plot that cannot be drawn.
pub fn not_drawn(error: impl fmt::Display) -> Failure {
    Failure::table(format!("the plot cannot be drawn: {error}"))
}

/// A scale, and the style of all plots at that scale.
#[derive(Clone, Copy, Debug)]
pub struct Canvas {
    scale: u32,
}

impl Canvas {
    /// Creates a canvas, and registers the font that is needed to measure text.
    fn new(scale: u32) -> Result<Self, Failure> {
        let font = include_bytes!("../../assets/DejaVuSans.ttf");
        register_font(FONT, FontStyle::Normal, font)
            .map_err(|_| not_drawn("its font is damaged"))?;
        Ok(Canvas { scale })
    }

    fn size(self, drawing: &impl Drawing) -> (u32, u32) {
        (WIDTH * self.scale, drawing.height(&self) * self.scale)
    }

    fn draw<B: DrawingBackend>(self, drawing: &impl Drawing, backend: B) -> Result<(), Failure> {
        let root = backend.into_drawing_area();
        root.fill(&WHITE).map_err(not_drawn)?;
        drawing.draw(&self, &root).map_err(not_drawn)?;
        root.present().map_err(not_drawn)
    }

    /// Pixels of this canvas per pixel of the SVG.
    #[must_use]
    pub fn scale(&self) -> u32 {
        self.scale
    }

    /// Converts a length from pixels of the SVG to pixels of this canvas.
    #[must_use]
    pub fn px(&self, length: u32) -> i32 {
        (length * self.scale) as i32
    }

    /// The font of plots. `size` is in pixels of the SVG.
    #[must_use]
    pub fn font(&self, size: u32) -> TextStyle<'static> {
        let (family, size) = (FontFamily::Name(FONT), self.px(size).into());
        TextStyle::from(FontDesc::new(family, size, FontStyle::Normal)).color(&INK)
    }

    /// Writes text that begins at the x coordinate `left` and is vertically centred at the y
    /// coordinate `middle`. In PNG files the text is slightly higher.
    pub fn write<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        words: impl Into<String>,
        (left, middle): (u32, u32),
        size: u32,
    ) -> Drawn<B> {
        let font = self.font(size).pos(Pos::new(HPos::Left, VPos::Center));
        let place = (self.px(left), self.px(middle));
        area.draw(&Text::new(words.into(), place, font))
    }

    /// Sets the common axis style of all charts with a mesh.
    pub fn style<'m, 'p, 'q, X, Y, B>(
        &self,
        mesh: &'m mut MeshStyle<'p, 'q, X, Y, B>,
    ) -> &'m mut MeshStyle<'p, 'q, X, Y, B>
    where
        X: Ranged,
        Y: Ranged,
        B: DrawingBackend,
    {
        let label = self.font(14);
        mesh.disable_x_mesh()
            .bold_line_style(FAINT.stroke_width(self.scale))
            .light_line_style(TRANSPARENT)
            .axis_style(INK.stroke_width(self.scale))
            .x_label_style(label.clone())
            .y_label_style(label.clone())
            .axis_desc_style(label)
            .set_all_tick_mark_size(self.px(5))
    }
}
