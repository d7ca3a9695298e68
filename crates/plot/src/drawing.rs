//! A drawing: shapes in pixels, written as SVG.

use std::fmt::Write as _;

use crate::letters::has_letter;

/// A position in pixels from the top left corner.
pub(crate) type Place = (f64, f64);

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

/// Fonts in order of preference.
const FONT: &str = "DejaVu Sans, Verdana, sans-serif";

/// Purpose of a colour. A page's style sheet can define the colour.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Paint {
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
    fn class(self) -> String {
        match self {
            Paint::Ink => "ink".to_owned(),
            Paint::Faint => "faint".to_owned(),
            Paint::Paper => "paper".to_owned(),
            Paint::Series(number) => format!("series-{number}"),
        }
    }

    /// The colour on a white background.
    fn colour(self) -> String {
        let [red, green, blue] = match self {
            Paint::Ink => [40; 3],
            Paint::Faint => [222; 3],
            Paint::Paper => [255; 3],
            Paint::Series(number) => PALETTE[number % PALETTE.len()],
        };
        format!("#{red:02x}{green:02x}{blue:02x}")
    }
}

/// The outline of a shape.
#[derive(Debug)]
pub(crate) enum Form {
    Circle {
        centre: Place,
        radius: f64,
    },
    /// Places joined by straight lines; a closed path joins the last to the first.
    Path {
        places: Vec<Place>,
        is_closed: bool,
    },
}

/// The point of a text that is at its place, at half of the text's height.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A drawing; later shapes are above earlier ones.
#[derive(Default, Debug)]
pub(crate) struct Drawing {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// The series to which the shapes added next belong.
    pub(crate) series: Option<usize>,
    /// The series whose group is open in `text`.
    open: Option<usize>,
    text: String,
}

// Writing to a string never fails, here and below.
impl Drawing {
    pub(crate) fn new(width: f64, height: f64) -> Self {
        Drawing {
            width,
            height,
            ..Drawing::default()
        }
    }

    pub(crate) fn fill(&mut self, form: &Form, paint: Paint, opacity: f64, tooltip: &str) {
        let (class, colour) = (paint.class(), paint.colour());
        let look = format!(" class=\"fill {class}\" fill=\"{colour}\"");
        self.add(form, &look, opacity, tooltip);
    }

    pub(crate) fn outline(&mut self, form: &Form, paint: Paint, width: f64, tooltip: &str) {
        self.add(form, &stroke(paint, width), 1.0, tooltip);
    }

    /// Joins places with a line, with optional lengths of dashes and gaps.
    pub(crate) fn line(
        &mut self,
        places: &[Place],
        (paint, opacity): (Paint, f64),
        width: f64,
        dash: Option<(f64, f64)>,
    ) {
        if places.len() > 1 {
            let (places, is_closed) = (places.to_vec(), false);
            let mut look = stroke(paint, width);
            if let Some((dash, gap)) = dash {
                let _ = write!(look, " stroke-dasharray=\"{dash} {gap}\"");
            }
            self.add(&Form::Path { places, is_closed }, &look, opacity, "");
        }
    }

    /// Writes a text on one line.
    pub(crate) fn text(&mut self, words: &str, (x, y): Place, anchor: Anchor, size: u32) {
        self.enter();
        // The middle of lower-case letters is about a third of the font size above their baseline.
        let [x, y] = [x, y + 0.35 * f64::from(size)].map(rounded);
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let (class, colour) = (Paint::Ink.class(), Paint::Ink.colour());
        let _ = writeln!(
            self.text,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{anchor} class=\"fill {class}\" \
             fill=\"{colour}\">{}</text>",
            escaped(words)
        );
    }

    fn add(&mut self, form: &Form, look: &str, opacity: f64, tooltip: &str) {
        self.enter();
        let text = &mut self.text;
        let name = match form {
            Form::Circle { centre, radius } => {
                let [x, y, radius] = [centre.0, centre.1, *radius].map(rounded);
                let _ = write!(text, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"");
                "circle"
            }
            Form::Path { places, is_closed } => {
                *text += "<path d=\"";
                for (number, &(x, y)) in places.iter().enumerate() {
                    let [x, y] = [x, y].map(rounded);
                    let _ = write!(text, "{}{x} {y}", if number == 0 { 'M' } else { 'L' });
                }
                *text += if *is_closed { "Z\"" } else { "\"" };
                "path"
            }
        };
        *text += look;
        if opacity < 1.0 {
            let _ = write!(text, " opacity=\"{opacity}\"");
        }
        let _ = match tooltip.is_empty() {
            true => writeln!(text, "/>"),
            false => writeln!(text, "><title>{}</title></{name}>", escaped(tooltip)),
        };
    }

    /// Opens the group of the series, and closes the group before.
    fn enter(&mut self) {
        if self.open != self.series {
            self.leave();
            self.open = self.series;
            if let Some(number) = self.series {
                let _ = writeln!(self.text, "<g data-series=\"{number}\">");
            }
        }
    }

    fn leave(&mut self) {
        if self.open.take().is_some() {
            self.text += "</g>\n";
        }
    }

    /// The drawing as SVG with the title for screen readers, on white if it has a paper.
    pub(crate) fn svg(self, title: &str, has_paper: bool) -> String {
        let paper = "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
        let paper = if has_paper { paper } else { "" };
        let head = format!("<title>{}</title>\n{paper}", escaped(title));
        self.document(" role=\"img\"", &head)
    }

    /// The drawing as SVG with attributes and first elements.
    pub(crate) fn document(mut self, attributes: &str, head: &str) -> String {
        self.leave();
        let [width, height] = [self.width, self.height].map(rounded);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\"{attributes} width=\"{width}\" \
             height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-family=\"{FONT}\">\n{head}{}\
             </svg>\n",
            self.text
        )
    }
}

fn stroke(paint: Paint, width: f64) -> String {
    let (class, colour) = (paint.class(), paint.colour());
    format!(" class=\"{class}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"")
}

/// Rounds to a quarter of a pixel; the difference is not visible.
fn rounded(length: f64) -> f64 {
    (length * 4.0).round() / 4.0
}

/// Escapes a text for XML. Characters that XML does not allow become spaces.
fn escaped(words: &str) -> String {
    let words = words
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    words.replace(|c| !has_letter(c), " ")
}
