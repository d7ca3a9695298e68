//! Charts as SVG and PNG.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::canvas::{self, Canvas, Drawing, Drawn, has_letter};
use super::chart::Chart;
use super::frame::Frame;
use super::legend::Legend;
use super::plot_area::PlotArea;
use command::Failure;

/// Units of the SVG's coordinates per pixel, with which dashes are straight and areas exact.
const SVG_SCALE: u32 = 4;

impl Chart {
    /// The chart as SVG, with its title for those who hear it.
    pub fn svg(&self) -> Result<String, Failure> {
        let (svg, (width, height)) = canvas::svg_at(self, SVG_SCALE)?;
        // The view box stays: it is what coordinates refer to.
        let large = format!("<svg width=\"{width}\" height=\"{height}\"");
        let [width, height] = [width, height].map(|length| length / SVG_SCALE);
        let size = format!("<svg role=\"img\" width=\"{width}\" height=\"{height}\"");
        let title = format!(">\n<title>{}</title>\n", escaped(&self.title));
        Ok(svg.replacen(&large, &size, 1).replacen(">\n", &title, 1))
    }

    /// The chart as PNG.
    pub fn png(&self) -> Result<Vec<u8>, Failure> {
        canvas::png(self)
    }
}

impl Drawing for Chart {
    fn height(&self, canvas: &Canvas) -> u32 {
        Legend::new(self, canvas).height() + Frame::height(self)
    }

    fn draw<B: DrawingBackend>(&self, canvas: &Canvas, root: &DrawingArea<B, Shift>) -> Drawn<B> {
        let legend = Legend::new(self, canvas);
        legend.draw(root)?;
        let frame = Frame::new(self, canvas, self.spans(), legend.height());
        let plot_area = PlotArea {
            chart: self,
            canvas,
            area: root,
            frame,
        };
        plot_area.draw()
    }
}

/// Words as text of XML. Characters that it does not have are spaces.
fn escaped(words: &str) -> String {
    let words = words
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    words.replace(|c| !has_letter(c), " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{Axis, Guide, GuideLine, Marks, Scale, Series, Spread, Style};

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
        }
    }

    /// Numbers of an element's attributes.
    fn numbers<const N: usize>(node: roxmltree::Node<'_, '_>, names: [&str; N]) -> [f64; N] {
        names.map(|name| node.attribute(name).unwrap().parse().unwrap())
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
    fn svg_is_a_picture_with_a_title_and_has_every_dot() {
        let dots = vec![(40.0, 0.0), (41.0, 10.0), (42.0, 1000.0), (f64::NAN, 1.0)];
        let mut chart = chart([Scale::Linear, Scale::Log], vec![Marks::Dots(dots)]);
        let text = chart.svg().unwrap();
        assert_eq!(chart.svg().unwrap(), text);
        let document = roxmltree::Document::parse(&text).unwrap();
        let root = document.root_element();
        assert_eq!(root.attribute("role"), Some("img"));
        let title = root.first_element_child().unwrap();
        assert_eq!(title.tag_name().name(), "title");
        assert_eq!(title.text(), Some("A & B: <h> , \"nodes\""));
        // The legend's, then all that have a place; that of 0 is where that of the lowest power is.
        let places = circles(&document);
        assert_eq!(places.len(), 1 + 3);
        assert_eq!(places[1][1], places[2][1]);
        assert!(places[2][1] > places[3][1] && places[2][0] < places[3][0]);
        let words = words(&document);
        for word in ["series 0", "length", "nodes", "≤10", "100", "1k", "42"] {
            assert!(words.iter().any(|found| found == word), "{word}: {words:?}");
        }

        chart.series[0].label.clear();
        let text = chart.svg().unwrap();
        let document = roxmltree::Document::parse(&text).unwrap();
        assert_eq!(circles(&document).len(), 3);
    }

    #[test]
    fn boxes_stand_in_rows_beside_their_names() {
        let spread = |n: u32| Spread {
            least: 0.0,
            lower: 10_f64.powi(n as i32),
            median: 10_f64.powi(n as i32 + 1),
            upper: 10_f64.powi(n as i32 + 2),
            largest: 1e15,
        };
        let marks = (0..12).map(|n| Marks::Box(spread(n)));
        let chart = chart([Scale::Log, Scale::Linear], marks.collect());
        let text = chart.svg().unwrap();
        let document = roxmltree::Document::parse(&text).unwrap();
        let rectangles = document.descendants();
        let rectangles = rectangles.filter(|node| node.attribute("opacity") == Some("0.3"));
        let boxes: Vec<_> = rectangles
            .map(|node| numbers(node, ["x", "y", "width"]))
            .collect();
        // That of the legend comes first. Two powers of ten are as wide everywhere.
        assert_eq!(boxes.len(), 1 + 12);
        for pair in boxes[1..].windows(2) {
            assert!(pair[0][0] < pair[1][0] && pair[0][1] < pair[1][1]);
            assert!((pair[0][2] - pair[1][2]).abs() <= 1.0);
        }
        let words = words(&document);
        assert!((0..12).all(|n| words.contains(&format!("series {n}"))));
    }

    #[test]
    fn the_area_of_a_bubble_is_its_count() {
        let bubbles = vec![(1.0, 1.0, 0), (2.0, 2.0, 25), (3.0, 3.0, 100)];
        let mut chart = chart([Scale::Linear; 2], vec![Marks::Bubbles(bubbles)]);
        chart.guide = Some(Guide {
            label: "y = x".to_owned(),
            line: GuideLine::Diagonal,
        });
        let text = chart.svg().unwrap();
        let document = roxmltree::Document::parse(&text).unwrap();
        let circles = document.descendants();
        let circles = circles.filter(|node| node.attribute("opacity") == Some("0.35"));
        let radii: Vec<_> = circles.map(|node| numbers(node, ["r"])[0]).collect();
        // After that of the legend: the largest first, none of no count. Half the radius is a
        // quarter of the area.
        assert_eq!(radii[1..], [36.0, 18.0]);
        let words = words(&document);
        for word in ["y = x", "count:", "1", "10", "100"] {
            assert!(words.iter().any(|found| found == word), "{word}: {words:?}");
        }
    }

    /// All kinds of marks of the same numbers.
    fn all_marks(points: &[(f64, f64)]) -> Vec<Marks> {
        let (dots, line) = (points.to_vec(), points.to_vec());
        vec![
            Marks::Dots(dots.clone()),
            Marks::Line(dots.clone()),
            Marks::Steps(dots.clone()),
            Marks::Bubbles(dots.iter().map(|&(x, y)| (x, y, u64::MAX)).collect()),
            Marks::DotsAndLine { dots, line },
        ]
    }

    #[test]
    fn whatever_the_numbers_there_is_a_picture() {
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
                    GuideLine::Diagonal,
                    GuideLine::X(0.0),
                    GuideLine::Y(f64::NAN),
                ];
                // The short set takes one of them in turn.
                let every = if cfg!(feature = "long-tests") { 1 } else { 3 };
                drawn += 1;
                for line in lines.into_iter().skip(drawn % every).step_by(every) {
                    let label = "long ".repeat(60);
                    chart.guide = Some(Guide { label, line });
                    let text = chart.svg().unwrap();
                    let document = roxmltree::Document::parse(&text).unwrap();
                    let root = document.root_element();
                    let [width, height] = numbers(root, ["width", "height"]).map(|side| 4.0 * side);
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
    fn png_is_twice_as_large_as_svg() {
        let marks = [all_marks(&[(1.0, 0.0), (2.0, 5.0)]), all_marks(&[])].concat();
        for marks in [Vec::new(), marks] {
            let chart = chart(SCALES, marks);
            let bytes = chart.png().unwrap();
            let decoder = png::Decoder::new(std::io::Cursor::new(&bytes));
            let reader = decoder.read_info().unwrap();
            let text = chart.svg().unwrap();
            let document = roxmltree::Document::parse(&text).unwrap();
            let size = numbers(document.root_element(), ["width", "height"]);
            let (width, height) = reader.info().size();
            assert_eq!(
                [width, height].map(f64::from),
                size.map(|length| 2.0 * length)
            );
        }
    }
}
