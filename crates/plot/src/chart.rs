//! A chart: series of numbers between two axes, below a legend.

use crate::axis::{Axis, Span};
use crate::drawing::Drawing;
use crate::frame::Frame;
use crate::legend::{Legend, draw_sample};
use crate::plot_area::PlotArea;
use crate::series::{Guide, GuideLine, Series};

/// A chart. Up to about twelve series are readable: more would need more colours and markers.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Title above the chart.
    pub title: String,
    /// The horizontal axis. Boxes extend along this axis.
    pub x: Axis,
    /// The vertical axis. In a chart of boxes only the label of this axis is shown, as the heading
    /// of the names of the boxes.
    pub y: Axis,
    /// The series; later ones are drawn above earlier ones.
    pub series: Vec<Series>,
    /// A reference line.
    pub guide: Option<Guide>,
    /// Legend text of boxes. [`BOXES`] is the English text.
    pub boxes: String,
    /// Legend text of the areas of bubbles. [`COUNTS`] is the English text.
    pub counts: String,
}

/// Legend text of boxes.
pub const BOXES: &str = "box: the middle half, black line: the median, \
                         ends: the least and the largest, arrow: at least";
/// Legend text of the areas of bubbles.
pub const COUNTS: &str = "count:";

/// Layout of a chart.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct View {
    /// Width in pixels, at least 200.
    pub width: f64,
    /// Whether the title, the legend and the axis labels are omitted, because the page has its own.
    /// The names of boxes are then drawn above the boxes, to save width.
    pub is_bare: bool,
}

impl Default for View {
    fn default() -> View {
        View {
            width: 960.0,
            is_bare: false,
        }
    }
}

impl View {
    /// Height of a box with its name.
    pub(crate) fn row(self) -> f64 {
        if self.is_bare { 44.0 } else { 30.0 }
    }
}

impl Chart {
    /// The chart as shapes.
    pub(crate) fn drawing(&self, view: View) -> Drawing {
        let legend = Legend::new(self, view);
        let frame = Frame::new(self, view, self.spans(), (legend.height(), self.body(view)));
        let mut drawing = Drawing::new(view.width, frame.end());
        legend.draw(&mut drawing, draw_sample);
        let chart = self;
        PlotArea { chart, frame }.draw(&mut drawing);
        drawing
    }

    /// Whether the chart has no marks.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let mut marks = self.series.iter().map(|series| &series.marks);
        marks.all(|marks| marks.points().is_empty())
    }

    /// Whether the series are rows of boxes.
    pub(crate) fn has_boxes(&self) -> bool {
        self.series.iter().any(|series| series.marks.is_box())
    }

    /// Height of the area with the marks.
    fn body(&self, view: View) -> f64 {
        match self.has_boxes() {
            true => view.row() * self.series.len() as f64,
            false => (view.width * 0.6).round().clamp(240.0, 440.0),
        }
    }

    /// The largest count of a bubble, 0 without bubbles.
    pub(crate) fn most(&self) -> u64 {
        let counts = self.series.iter().map(|series| series.marks.most());
        counts.max().unwrap_or(0)
    }

    pub(crate) fn spans(&self) -> [Span; 2] {
        let points = self.series.iter().flat_map(|series| series.marks.points());
        let (mut x, mut y): (Vec<f64>, Vec<f64>) = points.unzip();
        match self.guide.as_ref().map(|guide| guide.line) {
            Some(GuideLine::X(number)) => x.push(number),
            Some(GuideLine::Y(number) | GuideLine::Diagonal(number)) => y.push(number),
            None => {}
        }
        [Span::new(self.x.scale, &x), Span::new(self.y.scale, &y)]
    }
}

impl Chart {
    /// The chart as SVG, with its title for screen readers.
    ///
    /// Each colour is written as an attribute and as a class, so that a page's style sheet can
    /// change it. The classes are `ink`, `faint`, `paper`, `series-0` to `series-7`. The shapes of
    /// a series are in `<g>` elements whose attribute `data-series` is the index of the series.
    #[must_use]
    pub fn svg(&self, view: View) -> String {
        self.drawing(view).svg(&self.title, !view.is_bare)
    }
}

impl Series {
    /// The sample of the series in a legend, as SVG.
    #[must_use]
    pub fn sample(&self) -> String {
        let mut drawing = Drawing::new(38.0, 20.0);
        draw_sample(&mut drawing, self, (2.0, 10.0));
        drawing.document(" aria-hidden=\"true\"", "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axis::{Axis, Scale};
    use crate::letters::width_of;
    use crate::series::{Guide, GuideLine, Marks, Spread, Style};

    const SCALES: [Scale; 2] = [Scale::Linear, Scale::Log];

    fn chart([x, y]: [Scale; 2], marks: Vec<Marks>) -> Chart {
        let axis = |label: &str, scale| Axis {
            label: label.to_owned(),
            scale,
        };
        let series = (0..).zip(marks).map(|(number, marks)| Series {
            label: format!("series {number}"),
            style: Style {
                colour: number,
                marker: number / 6,
            },
            marks,
        });
        Chart {
            title: "A & B: <h>\u{1}, \"nodes\"".to_owned(),
            x: axis("length", x),
            y: axis("nodes", y),
            series: series.collect(),
            guide: None,
            boxes: BOXES.to_owned(),
            counts: COUNTS.to_owned(),
        }
    }

    /// The values of an element's attributes, as numbers.
    fn numbers<const N: usize>(node: roxmltree::Node<'_, '_>, names: [&str; N]) -> [f64; N] {
        names.map(|name| node.attribute(name).unwrap().parse().unwrap())
    }

    /// The left, the top and the width of a box, which is drawn from its right end.
    fn corners(node: roxmltree::Node<'_, '_>) -> [f64; 3] {
        let numbers = node
            .attribute("d")
            .unwrap()
            .split(|c: char| c.is_ascii_alphabetic());
        let numbers = numbers
            .flat_map(|pair| pair.split(' '))
            .filter(|word| !word.is_empty());
        let numbers: Vec<f64> = numbers.map(|word| word.parse().unwrap()).collect();
        [numbers[2], numbers[1], numbers[0] - numbers[2]]
    }

    fn circles(document: &roxmltree::Document<'_>) -> Vec<[f64; 2]> {
        let circles = document.descendants();
        let circles = circles.filter(|node| node.tag_name().name() == "circle");
        circles.map(|node| numbers(node, ["cx", "cy"])).collect()
    }

    fn words(document: &roxmltree::Document<'_>) -> Vec<String> {
        let texts = document.descendants().filter(roxmltree::Node::is_text);
        let texts = texts.filter_map(|node| Some(node.text()?.trim().to_owned()));
        texts.filter(|text| !text.is_empty()).collect()
    }

    #[test]
    fn svg_has_a_title_and_all_dots() {
        let dots = vec![(40.0, 0.0), (41.0, 10.0), (42.0, 1000.0), (f64::NAN, 1.0)];
        let mut chart = chart([Scale::Linear, Scale::Log], vec![Marks::Dots(dots)]);
        let text = chart.svg(View::default());
        assert_eq!(chart.svg(View::default()), text);
        let document = roxmltree::Document::parse(&text).unwrap();
        let root = document.root_element();
        assert_eq!(root.attribute("role"), Some("img"));
        let title = root.first_element_child().unwrap();
        assert_eq!(title.tag_name().name(), "title");
        assert_eq!(title.text(), Some("A & B: <h> , \"nodes\""));
        // The first dot is that of the legend; the value 0 is drawn at the lowest power of ten.
        let places = circles(&document);
        assert_eq!(places.len(), 1 + 3);
        assert_eq!(places[1][1], places[2][1]);
        assert!(places[2][1] > places[3][1] && places[2][0] < places[3][0]);
        let words = words(&document);
        for word in ["series 0", "length", "nodes", "≤10", "100", "1k", "42"] {
            assert!(words.iter().any(|found| found == word), "{word}: {words:?}");
        }

        chart.series[0].label.clear();
        let text = chart.svg(View::default());
        let document = roxmltree::Document::parse(&text).unwrap();
        assert_eq!(circles(&document).len(), 3);
    }

    #[test]
    fn boxes_are_in_rows_beside_their_names() {
        let spread = |n: u32| Spread {
            least: 0.0,
            lower: 10_f64.powi(n as i32),
            median: 10_f64.powi(n as i32 + 1),
            upper: 10_f64.powi(n as i32 + 2),
            largest: 1e15,
        };
        let marks = (0..12).map(|n| Marks::Box(spread(n)));
        let chart = chart([Scale::Log, Scale::Linear], marks.collect());
        let text = chart.svg(View::default());
        let document = roxmltree::Document::parse(&text).unwrap();
        let rectangles = document.descendants();
        let rectangles = rectangles.filter(|node| node.attribute("opacity") == Some("0.3"));
        let boxes: Vec<_> = rectangles.map(|node| corners(node)).collect();
        // The legend's box is first. Each box spans two powers of ten, so all boxes have the same
        // width.
        assert_eq!(boxes.len(), 1 + 12);
        for pair in boxes[1..].windows(2) {
            assert!(pair[0][0] < pair[1][0] && pair[0][1] < pair[1][1]);
            assert!((pair[0][2] - pair[1][2]).abs() <= 1.0);
        }
        let words = words(&document);
        assert!((0..12).all(|n| words.contains(&format!("series {n}"))));
    }

    #[test]
    fn lower_bounds_have_arrows() {
        let bounds = Marks::DotsAndLine {
            dots: Vec::new(),
            bounds: vec![(2.0, 5.0)],
            line: vec![(1.0, 2.0), (2.0, f64::INFINITY), (3.0, 4.0), (4.0, 5.0)],
        };
        let text = chart([Scale::Linear; 2], vec![bounds]).svg(View::default());
        // The arrow has the colour of the series.
        assert_eq!(text.matches("series-0").count(), 8);
        // The line has no part through the unknown number: one casing, from 3 to 4.
        assert_eq!(text.matches("stroke-width=\"5\"").count(), 1);

        let spread = |[median, upper, largest]: [f64; 3]| Spread {
            least: 1.0,
            lower: 2.0,
            median,
            upper,
            largest,
        };
        for (numbers, is_known) in [([3.0, 4.0, 5.0], true), ([f64::INFINITY; 3], false)] {
            let chart = chart([Scale::Linear; 2], vec![Marks::Box(spread(numbers))]);
            let (width, is_bare) = (300.0, true);
            let text = chart.svg(View { width, is_bare });
            assert_eq!(
                text.contains("L296 42L292 "),
                !is_known,
                "arrow at the edge"
            );
            assert_eq!(text.contains("stroke-width=\"3\""), is_known, "median");
        }
    }

    #[test]
    fn labels_of_the_horizontal_axis_are_whole() {
        let boxes = vec![Marks::Box(Spread {
            least: 0.001,
            lower: 0.01,
            median: 1.0,
            upper: 10.0,
            largest: 100_000.0,
        })];
        let (width, is_bare) = (320.0, true);
        let text = chart([Scale::Log, Scale::Linear], boxes).svg(View { width, is_bare });
        let document = roxmltree::Document::parse(&text).unwrap();
        let labels = document.descendants();
        let labels = labels.filter(|node| node.attribute("text-anchor") == Some("middle"));
        for label in labels {
            let [x] = numbers(label, ["x"]);
            let half = width_of(label.text().unwrap(), 14) / 2.0;
            assert!(half <= x + 0.2 && x + half <= width + 0.2, "{label:?}");
        }
    }

    #[test]
    fn areas_of_bubbles_are_proportional_to_counts() {
        let bubbles = vec![(1.0, 1.0, 0), (2.0, 2.0, 25), (3.0, 3.0, 100)];
        let mut chart = chart([Scale::Linear; 2], vec![Marks::Bubbles(bubbles)]);
        chart.guide = Some(Guide {
            label: "y = x".to_owned(),
            line: GuideLine::Diagonal(4.0),
        });
        let text = chart.svg(View::default());
        let document = roxmltree::Document::parse(&text).unwrap();
        let circles = document.descendants();
        let circles = circles.filter(|node| node.attribute("opacity") == Some("0.35"));
        let radii: Vec<_> = circles.map(|node| numbers(node, ["r"])[0]).collect();
        // The first circle is the sample in the legend. Then come the bubbles of the counts 100 and
        // 25: the second has half the radius of the first, and so a quarter of its area. The count
        // 0 has no bubble.
        assert_eq!(radii[1..], [9.0, 4.5]);
        let words = words(&document);
        for word in ["y = x", "count:", "1", "10", "100"] {
            assert!(words.iter().any(|found| found == word), "{word}: {words:?}");
        }
    }

    /// All kinds of marks for the same numbers.
    fn all_marks(points: &[(f64, f64)]) -> Vec<Marks> {
        let (dots, line) = (points.to_vec(), points.to_vec());
        vec![
            Marks::Dots(dots.clone()),
            Marks::Line(dots.clone()),
            Marks::Steps(dots.clone()),
            Marks::Bubbles(dots.iter().map(|&(x, y)| (x, y, u64::MAX)).collect()),
            Marks::DotsAndLine {
                dots,
                bounds: points.to_vec(),
                line,
            },
        ]
    }

    #[test]
    fn any_numbers_give_a_picture() {
        let nothing: &[(f64, f64)] = &[];
        let mut drawn = 0;
        for points in [
            nothing,
            &[(0.0, 0.0)],
            &[(5.0, 7.0); 3],
            &[(-3.0, 1.0), (4.0, -2.0)],
            &[(f64::NAN, f64::INFINITY), (1.0, 1.0)],
            &[(1e-320, 9e299), (9e299, 1e-320)],
        ] {
            for scales in [
                SCALES,
                [SCALES[1], SCALES[0]],
                [SCALES[0]; 2],
                [SCALES[1]; 2],
            ] {
                let mut chart = chart(scales, [all_marks(points), all_marks(points)].concat());
                let lines = [
                    GuideLine::Diagonal(1.0),
                    GuideLine::X(0.0),
                    GuideLine::Y(f64::NAN),
                ];
                // The short test set draws every third guide.
                let every = if cfg!(feature = "long-tests") { 1 } else { 3 };
                drawn += 1;
                for line in lines.into_iter().skip(drawn % every).step_by(every) {
                    let label = "long ".repeat(60);
                    chart.guide = Some(Guide { label, line });
                    let text = chart.svg(View::default());
                    let document = roxmltree::Document::parse(&text).unwrap();
                    let root = document.root_element();
                    let [width, height] = numbers(root, ["width", "height"]);
                    let view = format!("0 0 {width} {height}");
                    assert_eq!(root.attribute("viewBox"), Some(view.as_str()));
                    for [x, y] in circles(&document) {
                        assert!((0.0..width).contains(&x) && (0.0..height).contains(&y));
                    }
                }
            }
        }
    }

    #[test]
    fn bare_charts_have_marks_and_ticks_only() {
        let line = vec![(10.0, 10.0), (20.0, 1500.0)];
        let chart = chart([Scale::Linear, Scale::Log], vec![Marks::Line(line)]);
        let (width, is_bare) = (320.0, true);
        let text = chart.svg(View { width, is_bare });
        let document = roxmltree::Document::parse(&text).unwrap();
        assert_eq!(numbers(document.root_element(), ["width"]), [320.0]);
        let words = words(&document);
        assert!(words.iter().any(|word| word == "1k"), "{words:?}");
        assert!(words.iter().any(|word| word == "series 0: 20; 1,500"));
        assert!(
            !words
                .iter()
                .any(|word| word == "series 0" || word == "length")
        );
        let series = document.descendants();
        let series = series.filter(|node| node.attribute("data-series") == Some("0"));
        let coloured = series.flat_map(|group| group.descendants());
        let coloured = coloured.filter(|node| node.attribute("class") == Some("series-0"));
        assert_eq!(coloured.count(), 1);
        assert_eq!(chart.series[0].sample().matches("series-0").count(), 2);
    }
}
