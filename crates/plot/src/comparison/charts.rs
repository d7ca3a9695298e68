//! The charts of a comparison.

use super::groups::{Group, Groups};
use super::{Run, by_first, in_order, mean, median, walk_of};
use crate::axis::Scale;
use crate::chart::Chart;
use crate::drawing::PALETTE;
use crate::series::{Marks, Series, Spread, Style};

/// Keys of words used in several charts, with their English text.
const GENERATED: (&str, &str) = ("generated", "generated nodes");
const LENGTH: (&str, &str) = ("length", "moves of the solution");
const MS: (&str, &str) = ("ms", "milliseconds");
const WALK: (&str, &str) = ("walk", "random moves");
/// The vertical axis of boxes.
const ROWS: ((&str, &str), Scale) = (("", ""), Scale::Linear);

/// Vertical resolution of dots: number of distinct heights between n and e * n nodes, for any n.
const DOTS_PER_E: f64 = 15.0;

impl<'a> Groups<'a> {
    /// Generated nodes against the length of the solution. If lengths of shortest solutions are
    /// known, these are used, so that a board has the same x position for every search, and a search
    /// that a limit ended stands at its limit, as a lower bound, and is infinite in the median.
    pub(super) fn nodes(&self, boards: &str) -> Chart {
        let distances = self.distances();
        let length_of = |own: &Run<'_>| match distances.is_empty() {
            true => own.length.map(u64::from),
            false => distance_of(&distances, own),
        };
        let marks = |group: &Group<'_>| {
            let points = |is_solved| {
                let nodes = |own: &Run<'_>| own.number_if(is_solved, own.generated);
                let points = group.iter();
                in_order(points.filter_map(|own| Some((length_of(own)?, nodes(own)))))
            };
            let [solved, ended] = [true, false].map(points);
            // Overlapping dots are drawn once.
            let height = |nodes: f64| (nodes.max(1.0).ln() * DOTS_PER_E).round();
            let is_alike = |one: &(u64, f64), other: &(u64, f64)| {
                (one.0, height(one.1)) == (other.0, height(other.1))
            };
            let dots = |points: &[(u64, f64)]| {
                let dots = points.chunk_by(is_alike);
                dots.map(|alike| (alike[0].0 as f64, alike[0].1)).collect()
            };
            Marks::DotsAndLine {
                line: by_first(&solved, median),
                dots: dots(&solved),
                bounds: dots(&ended),
            }
        };
        let x = match distances.is_empty() {
            true => LENGTH,
            false => ("shortest-length", "moves of a shortest solution"),
        };
        let axes = [(x, Scale::Linear), (GENERATED, Scale::Log)];
        let title = (
            "nodes",
            "nodes by length; lines: the median; arrows: at least",
        );
        self.chart(boards, title, axes, self.series(marks))
    }

    /// Distribution of a number over the searches of each group. Searches that a limit ended have
    /// infinite numbers, except in the minimum.
    fn boxes(&self, number: fn(&Run<'_>) -> f64) -> Vec<Series> {
        self.series(|group| {
            let numbers = group.iter().map(|own| number(own));
            let of_solved = |own: &&Run<'_>| (0, own.number_if(true, number(own)));
            let sorted = in_order(group.iter().map(of_solved));
            let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share).round() as usize].1;
            Marks::Box(Spread {
                least: numbers.fold(at(0.0), f64::min),
                lower: at(0.25),
                median: at(0.5),
                upper: at(0.75),
                largest: at(1.0),
            })
        })
    }

    pub(super) fn spread(&self, boards: &str) -> Chart {
        let boxes = self.boxes(|own| own.generated);
        self.chart(
            boards,
            ("spread", "nodes"),
            [(GENERATED, Scale::Log), ROWS],
            boxes,
        )
    }

    pub(super) fn times(&self, boards: &str) -> Chart {
        let boxes = self.boxes(|own| own.ms);
        self.chart(boards, ("time", "time"), [(MS, Scale::Log), ROWS], boxes)
    }

    /// Each heuristic's value against the true distance. Boards whose distance is unknown are
    /// omitted.
    pub(super) fn values(&self, boards: &str) -> Chart {
        let distances = self.distances();
        let mut series: Vec<Series> = Vec::new();
        let mut seen: Vec<&str> = vec!["none"];
        for group in &self.own {
            let heuristic = group[0].heuristic;
            if seen.contains(&heuristic) {
                continue;
            }
            seen.push(heuristic);
            let points = group.iter();
            let points =
                points.filter_map(|own| Some((distance_of(&distances, own)?, own.h0.into())));
            let points = in_order(points);
            let bubbles = points.chunk_by(|one, other| one == other);
            let bubbles = bubbles.map(|alike| (alike[0].0 as f64, alike[0].1, alike.len() as u64));
            let style = Style {
                marker: 0,
                ..self.style(group[0])
            };
            let name = self.named(heuristic, heuristic);
            let means = format!("{name}, {}", self.named("mean", "mean"));
            let both = [
                (name.to_owned(), Marks::Bubbles(bubbles.collect())),
                (means, Marks::Line(by_first(&points, mean))),
            ];
            series.extend(both.map(|(label, marks)| Series {
                label,
                style,
                marks,
            }));
        }
        let axes = [
            (("distance", "true distance, in moves"), Scale::Linear),
            (("value", "value of the heuristic"), Scale::Linear),
        ];
        let mut chart = self.chart(boards, ("h", "value and distance"), axes, series);
        let words = ("admissible", "admissible: never above the distance");
        let farthest = distances.iter().map(|own| own.1).fold(0.0, f64::max);
        chart.guide = self.diagonal(words, farthest);
        chart
    }

    /// The share of boards solved within a time.
    pub(super) fn solved(&self, boards: &str) -> Chart {
        let slowest = self.runs().map(|own| own.ms).fold(0.0, f64::max);
        let marks = |group: &Group<'_>| {
            let ms = group.iter().filter(|own| own.is_solved);
            let ms = in_order(ms.map(|own| (0, own.ms)));
            let share = |count: usize| 100.0 * count as f64 / group.len() as f64;
            let steps = (1..).zip(&ms).map(|(count, ms)| (ms.1, share(count)));
            // The last step extends to the right edge.
            Marks::Steps(steps.chain([(slowest, share(ms.len()))]).collect())
        };
        let axes = [(MS, Scale::Log), (("share", "boards"), Scale::Percent)];
        let title = ("solved", "solved within a time");
        self.chart(boards, title, axes, self.series(marks))
    }

    /// Mean of generated nodes by the number of random moves, one line per search and heuristic. A
    /// mean of searches that a limit ended is a lower bound.
    pub(super) fn walk_nodes(&self, size: &str) -> Chart {
        let series = self.series(|group| {
            let means = |nodes: fn(&Run<'_>) -> f64| {
                let points = group.iter();
                let points = points.filter_map(|own| Some((walk_of(own)?, nodes(own))));
                by_first(&in_order(points), mean)
            };
            let line = means(|own| own.number_if(true, own.generated));
            let mut bounds = means(|own| own.generated);
            bounds.retain(|bound| !line.contains(bound));
            let dots = Vec::new();
            Marks::DotsAndLine { dots, bounds, line }
        });
        let axes = [(WALK, Scale::Linear), (GENERATED, Scale::Log)];
        let title = ("walk-nodes", "mean nodes by random moves; arrows: at least");
        self.chart(size, title, axes, series)
    }

    /// The mean length of solutions by the number of random moves. One line is shared by all
    /// searches that find shortest solutions.
    pub(super) fn walk_length(&self, size: &str) -> Chart {
        let is_shortest = |own: &Run<'_>| own.length.is_some() && own.length == own.optimal_length;
        let line = |runs: &mut dyn Iterator<Item = &Run<'a>>| {
            let board = |own: &Run<'_>| Some(walk_of(own)? << 32 | u64::from(own.number));
            let lengths = runs.filter_map(|own| Some((board(own)?, own.length?.into())));
            // A board that several searches solved counts once.
            let mut lengths = in_order(lengths);
            lengths.dedup();
            for length in &mut lengths {
                length.0 >>= 32;
            }
            Marks::Line(by_first(&lengths, mean))
        };
        let shortest = line(&mut self.runs().filter(|own| is_shortest(own)));
        let mut lines = vec![(self.named("shortest", "shortest").to_owned(), shortest)];
        for group in &self.own {
            let mut others = group.iter().copied().filter(|own| !is_shortest(own));
            lines.push((self.pair(group[0]), line(&mut others)));
        }
        lines.retain(|(_, marks)| !marks.points().is_empty());
        let series = (0..).zip(lines).map(|(number, (label, marks))| Series {
            label,
            style: Style {
                colour: number,
                marker: number / PALETTE.len(),
            },
            marks,
        });
        let axes = [(WALK, Scale::Linear), (LENGTH, Scale::Linear)];
        let title = ("walk-length", "length of solutions by random moves");
        let mut chart = self.chart(size, title, axes, series.collect());
        chart.guide = self.diagonal(("as-many", "as many moves as random ones"), 0.0);
        chart
    }
}

/// Length of a shortest solution of the board of `run`.
fn distance_of(distances: &[(u64, f64)], run: &Run<'_>) -> Option<u64> {
    let place = distances.partition_point(|own| own.0 < u64::from(run.number));
    let found = distances.get(place)?;
    (found.0 == u64::from(run.number)).then_some(found.1 as u64)
}
