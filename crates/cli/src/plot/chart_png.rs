//! Charts of the crate `plot` as PNG.

use command::Failure;
use plot::{Anchor, Chart, Form, Look, Shape, View};
use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::canvas::{self, Canvas, Drawing, Drawn, WIDTH};

/// A chart as PNG.
pub fn chart_png(chart: &Chart) -> Result<Vec<u8>, Failure> {
    let view = View {
        width: f64::from(WIDTH),
        is_bare: false,
    };
    canvas::png(&ChartPng(chart.drawing(view)))
}

struct ChartPng(plot::Drawing);

impl Drawing for ChartPng {
    fn height(&self, _: &Canvas) -> u32 {
        self.0.height.ceil() as u32
    }

    fn draw<B: DrawingBackend>(&self, canvas: &Canvas, root: &DrawingArea<B, Shift>) -> Drawn<B> {
        let mut shapes = self.0.shapes.iter();
        shapes.try_for_each(|shape| draw(shape, canvas, root))
    }
}

fn draw<B: DrawingBackend>(
    shape: &Shape,
    canvas: &Canvas,
    area: &DrawingArea<B, Shift>,
) -> Drawn<B> {
    let scale = f64::from(canvas.scale());
    let px = |length: f64| (length * scale).round() as i32;
    let [red, green, blue] = shape.paint.rgb();
    let colour = RGBColor(red, green, blue).mix(shape.opacity);
    let style = match shape.look {
        Look::Fill => colour.filled(),
        Look::Stroke(width, _) => colour.stroke_width(px(width) as u32),
    };
    match &shape.form {
        Form::Circle { centre, radius } => area.draw(&Circle::new(
            (px(centre.0), px(centre.1)),
            px(*radius),
            style,
        )),
        Form::Path { places, is_closed } => {
            let mut places: Vec<_> = places.iter().map(|&(x, y)| (px(x), px(y))).collect();
            match shape.look {
                Look::Fill => area.draw(&Polygon::new(places, style)),
                Look::Stroke(_, Some((dash, gap))) => {
                    places.dedup();
                    let path = DashedPathElement::new(places, px(dash), px(gap), style);
                    area.draw(&path)
                }
                Look::Stroke(_, None) => {
                    places.extend(places.first().copied().filter(|_| *is_closed));
                    area.draw(&PathElement::new(places, style))
                }
            }
        }
        Form::Text {
            words,
            place: (x, y),
            anchor,
            size,
        } => {
            let side = match anchor {
                Anchor::Start => HPos::Left,
                Anchor::Middle => HPos::Center,
                Anchor::End => HPos::Right,
            };
            let font = canvas.font(*size).pos(Pos::new(side, VPos::Center));
            // The crate `plotters` draws text too high by an eighth of its size.
            let place = (px(*x), px(y + f64::from(*size) / 8.0));
            area.draw(&Text::new(words.as_str(), place, font))
        }
    }
}

#[cfg(test)]
mod tests {
    use plot::{Axis, Marks, Scale, Series, Style};

    use super::*;

    #[test]
    fn png_is_twice_as_large_as_the_drawing() {
        let axis = || Axis {
            label: "nodes".to_owned(),
            scale: Scale::Log,
        };
        let points = vec![(1.0, 0.0), (2.0, 5.0), (2.0, 5.0)];
        let all = [
            Marks::Dots(points.clone()),
            Marks::Line(points.clone()),
            Marks::Steps(points),
            Marks::Bubbles(vec![(1.0, 2.0, 3)]),
            Marks::Line(Vec::new()),
        ];
        let series = (0..).zip(all).map(|(number, marks)| Series {
            label: format!("series {number}"),
            style: Style {
                colour: number,
                marker: number + 2,
            },
            marks,
        });
        let chart = Chart {
            title: "all marks".to_owned(),
            x: axis(),
            y: axis(),
            series: series.collect(),
            guide: None,
            boxes: plot::BOXES.to_owned(),
            counts: plot::COUNTS.to_owned(),
        };
        let bytes = chart_png(&chart).unwrap();
        let decoder = png::Decoder::new(std::io::Cursor::new(&bytes));
        let reader = decoder.read_info().unwrap();
        let (width, height) = reader.info().size();
        let drawing = chart.drawing(View::default());
        let size = [drawing.width, drawing.height].map(|length| 2.0 * length);
        assert_eq!([width, height].map(f64::from), size);
    }
}
