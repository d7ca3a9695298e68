//! Shapes of a laid-out chart, independent of the output format (SVG or PNG).

/// A position in pixels from the top left corner.
pub type Place = (f64, f64);

/// Colours of series: the palette of Okabe and Ito, darkened so that thin lines are visible on
/// white.
pub const PALETTE: [[u8; 3]; 8] = [
    [0, 103, 163],
    [194, 78, 0],
    [0, 120, 90],
    [163, 69, 126],
    [138, 100, 0],
    [61, 79, 196],
    [179, 38, 30],
    [85, 85, 85],
];

/// Purpose of a colour. A style sheet or palette defines the colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paint {
    /// Text and axes.
    Ink,
    /// Grid lines.
    Faint,
    /// The background.
    Paper,
    /// A colour of [`PALETTE`].
    Series(usize),
}

impl Paint {
    /// Red, green and blue of the colour on a white background.
    #[must_use]
    pub fn rgb(self) -> [u8; 3] {
        match self {
            Paint::Ink => [40; 3],
            Paint::Faint => [222; 3],
            Paint::Paper => [255; 3],
            Paint::Series(number) => PALETTE[number % PALETTE.len()],
        }
    }
}

/// The outline of a shape.
#[derive(Clone, PartialEq, Debug)]
pub enum Form {
    /// A circle.
    Circle {
        /// Its centre.
        centre: Place,
        /// Its radius.
        radius: f64,
    },
    /// Places joined by straight lines.
    Path {
        /// The corners.
        places: Vec<Place>,
        /// Whether the last corner is joined to the first.
        is_closed: bool,
    },
    /// A text on one line.
    Text {
        /// The text.
        words: String,
        /// Position of the text.
        place: Place,
        /// The point of the text that is drawn at `place`.
        anchor: Anchor,
        /// Font size.
        size: u32,
    },
}

/// A point of a text, at half of the text's height.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// The left side.
    Start,
    /// The centre.
    Middle,
    /// The right side.
    End,
}

/// Style of an outline.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Look {
    /// Filled.
    Fill,
    /// A line with a width, and optional lengths of dashes and gaps.
    Stroke(f64, Option<(f64, f64)>),
}

/// A part of a drawing.
#[derive(Clone, PartialEq, Debug)]
pub struct Shape {
    /// The outline.
    pub form: Form,
    /// Style of the outline.
    pub look: Look,
    /// The colour.
    pub paint: Paint,
    /// Opacity from 0 (invisible) to 1.
    pub opacity: f64,
    /// Index of the shape's series, if it belongs to one.
    pub series: Option<usize>,
    /// Tooltip; may be empty.
    pub tooltip: String,
}

/// A drawing; later shapes are above earlier ones.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Drawing {
    /// Width. All lengths are in pixels.
    pub width: f64,
    /// The height.
    pub height: f64,
    /// The shapes.
    pub shapes: Vec<Shape>,
    /// The series to which the shapes added next belong.
    pub(crate) series: Option<usize>,
}

impl Drawing {
    fn add(&mut self, form: Form, look: Look, (paint, opacity): (Paint, f64), tooltip: &str) {
        self.shapes.push(Shape {
            form,
            look,
            paint,
            opacity,
            series: self.series,
            tooltip: tooltip.to_owned(),
        });
    }

    pub(crate) fn fill(&mut self, form: Form, paint: Paint, opacity: f64, tooltip: &str) {
        self.add(form, Look::Fill, (paint, opacity), tooltip);
    }

    pub(crate) fn outline(&mut self, form: Form, paint: Paint, width: f64, tooltip: &str) {
        self.add(form, Look::Stroke(width, None), (paint, 1.0), tooltip);
    }

    pub(crate) fn line(
        &mut self,
        places: &[Place],
        paint: (Paint, f64),
        width: f64,
        dash: Option<(f64, f64)>,
    ) {
        if places.len() > 1 {
            let (places, is_closed) = (places.to_vec(), false);
            let form = Form::Path { places, is_closed };
            self.add(form, Look::Stroke(width, dash), paint, "");
        }
    }

    pub(crate) fn text(&mut self, words: &str, place: Place, anchor: Anchor, size: u32) {
        let words = words.to_owned();
        let form = Form::Text {
            words,
            place,
            anchor,
            size,
        };
        self.fill(form, Paint::Ink, 1.0, "");
    }
}
