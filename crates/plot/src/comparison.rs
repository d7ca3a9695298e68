//! The plots of a comparison: those of one set of boards, and those across sets of boards with
//! different numbers of random moves.

use std::cmp::Ordering;

use crate::axis::{Axis, Scale};
use crate::chart::{BOXES, COUNTS, Chart};
use crate::marks::MARKERS;
use crate::series::{Guide, GuideLine, Marks, Series, Spread, Style};
use crate::shape::PALETTE;

/// A search of a comparison: fields of its record.
#[derive(Clone, PartialEq, Debug)]
pub struct Run<'a> {
    /// The set of boards; sets of random moves are named `walk-` and the number of moves.
    pub set: &'a str,
    /// Columns x rows.
    pub size: &'a str,
    /// The board's number in its set.
    pub number: u32,
    /// The search.
    pub search: &'a str,
    /// The heuristic, or `none`.
    pub heuristic: &'a str,
    /// Whether the board was solved, rather than stopped by a limit.
    pub is_solved: bool,
    /// Number of moves of the solution.
    pub length: Option<u32>,
    /// Length of a shortest solution, if known.
    pub optimal_length: Option<u32>,
    /// The heuristic's value of the board.
    pub h0: u32,
    /// Generated nodes.
    pub generated: f64,
    /// Time in milliseconds.
    pub ms: f64,
}

/// A plot and its name.
#[derive(Clone, Debug)]
pub struct Plot {
    /// `nodes`, `spread`, `time`, `solved`, `h`, `walk-nodes` or `walk-length`.
    pub name: &'static str,
    /// The plot.
    pub chart: Chart,
}

/// Translations of the words in plots, as pairs of key and text. The keys of searches and
/// heuristics are their names in records, those of titles are the names of plots, and `boards` is
/// the word for the boards of a set; this module has the other keys. The text of `limit` has two
/// `{}`: the number of searches stopped by a limit, and the number of all searches.
pub type Names = [(String, String)];

/// The plots of one set of boards. Plots without data are empty.
#[must_use]
pub fn of_set(runs: &[Run<'_>], set: &str, size: &str, names: &Names) -> Vec<Plot> {
    let is_own = |own: &&Run<'_>| own.set == set && own.size == size;
    let groups = Groups::new(runs.iter().filter(is_own).collect(), names);
    let boards = format!("{size} {set}");
    let boards = groups.named("boards", &boards);
    let plots = [
        ("nodes", groups.nodes(boards)),
        ("spread", groups.spread(boards)),
        ("time", groups.times(boards)),
        ("solved", groups.solved(boards)),
        ("h", groups.values(boards)),
    ];
    plots.map(|(name, chart)| Plot { name, chart }).into()
}

/// The plots across the sets of a size that have different numbers of random moves; empty for fewer
/// than two such sets.
#[must_use]
pub fn of_walks(runs: &[Run<'_>], size: &str, names: &Names) -> Vec<Plot> {
    let is_own = |own: &&Run<'_>| own.size == size && walk_of(own).is_some();
    let own: Vec<&Run<'_>> = runs.iter().filter(is_own).collect();
    if own.iter().all(|run| run.set == own[0].set) {
        return Vec::new();
    }
    let groups = Groups::new(own, names);
    let plots = [
        ("walk-nodes", groups.walk_nodes(size)),
        ("walk-length", groups.walk_length(size)),
    ];
    plots.map(|(name, chart)| Plot { name, chart }).into()
}

/// The distinct values in order of first occurrence.
pub fn different<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut different = Vec::new();
    for value in values {
        if !different.contains(&value) {
            different.push(value);
        }
    }
    different
}

/// The number of random moves of a run's set.
fn walk_of(run: &Run<'_>) -> Option<u64> {
    run.set.strip_prefix("walk-")?.parse().ok()
}

/// Pairs of an integer and a measurement, sorted.
fn in_order(points: impl Iterator<Item = (u64, f64)>) -> Vec<(u64, f64)> {
    // All callers share one instance of the sort: each would add kilobytes to the page's module.
    fn compare(one: &(u64, f64), other: &(u64, f64)) -> Ordering {
        one.0.cmp(&other.0).then(one.1.total_cmp(&other.1))
    }
    let mut points: Vec<_> = points.collect();
    points.sort_unstable_by(compare);
    points
}

/// Reduces the measurements of each integer to one number.
fn by_first(points: &[(u64, f64)], number: fn(&[(u64, f64)]) -> f64) -> Vec<(f64, f64)> {
    let parts = points.chunk_by(|one, other| one.0 == other.0);
    parts.map(|part| (part[0].0 as f64, number(part))).collect()
}

/// The smallest number that at least half of the sorted numbers do not exceed.
fn median(sorted: &[(u64, f64)]) -> f64 {
    sorted[(sorted.len() - 1) / 2].1
}

fn mean(points: &[(u64, f64)]) -> f64 {
    let sum: f64 = points.iter().map(|point| point.1).sum();
    sum / points.len() as f64
}

/// Heuristics in the order of their colours. Others get the next free colour.
const HEURISTICS: [&str; 7] = [
    "zero",
    "misplaced",
    "manhattan",
    "linear-conflict",
    "inversion-distance",
    "walking-distance",
    "none",
];

/// Searches in the order of their markers.
const SEARCHES: [&str; 7] = [
    "astar",
    "ida-star",
    "breadth-first",
    "bidirectional",
    "greedy",
    "weighted-astar:1.5",
    "uniform-cost",
];

/// An index below `count` for each name. Names in `order` have their position there, so that they
/// look the same in every comparison. Names share an index only if there are more than `count`.
fn places<'a>(names: &[&'a str], order: &[&str], count: usize) -> Vec<(&'a str, usize)> {
    let place = |name: &str| order.iter().position(|own| *own == name);
    let known = names.iter().filter(|name| place(name).is_some());
    let others = names.iter().filter(|name| place(name).is_none());
    let mut found: Vec<(&str, usize)> = Vec::new();
    for &name in known.chain(others) {
        let mut number = place(name).unwrap_or(order.len()) % count;
        let uses = |number| found.iter().filter(|own| own.1 == number).count();
        for _ in 0..count {
            if uses(number) <= found.len() / count {
                break;
            }
            number = (number + 1) % count;
        }
        found.push((name, number));
    }
    found
}

fn place_in(places: &[(&str, usize)], name: &str) -> usize {
    let found = places.iter().find(|own| own.0 == name);
    found.map_or(0, |own| own.1)
}

/// Keys of words used in several plots, with their English text.
const GENERATED: (&str, &str) = ("generated", "generated nodes");
const LENGTH: (&str, &str) = ("length", "moves of the solution");
const MS: (&str, &str) = ("ms", "milliseconds");
const WALK: (&str, &str) = ("walk", "random moves");

/// Vertical resolution of dots: number of distinct heights per factor e of nodes.
const DOTS_PER_E: f64 = 15.0;

/// Runs of one search and heuristic, at least one.
type Group<'a> = Vec<&'a Run<'a>>;

struct Groups<'a> {
    /// Runs by search and heuristic.
    own: Vec<Group<'a>>,
    names: &'a Names,
    colours: Vec<(&'a str, usize)>,
    markers: Vec<(&'a str, usize)>,
}

impl<'a> Groups<'a> {
    fn new(runs: Vec<&'a Run<'a>>, names: &'a Names) -> Self {
        let mut own: Vec<Group<'a>> = Vec::new();
        for run in runs {
            let kind = |own: &Run<'a>| (own.search, own.heuristic);
            // Runs of a group are mostly consecutive.
            match own
                .iter_mut()
                .rev()
                .find(|group| kind(group[0]) == kind(run))
            {
                Some(group) => group.push(run),
                None => own.push(vec![run]),
            }
        }
        let heuristics = different(own.iter().map(|group| group[0].heuristic));
        let searches = different(own.iter().map(|group| group[0].search));
        Groups {
            colours: places(&heuristics, &HEURISTICS, PALETTE.len()),
            markers: places(&searches, &SEARCHES, MARKERS),
            own,
            names,
        }
    }

    /// The translation of a word, or its English text.
    fn named<'n>(&'n self, name: &str, english: &'n str) -> &'n str {
        let found = self.names.iter().find(|own| own.0 == name);
        found.map_or(english, |own| &own.1)
    }

    fn axis(&self, (name, english): (&str, &str), scale: Scale) -> Axis {
        Axis {
            label: self.named(name, english).to_owned(),
            scale,
        }
    }

    /// A chart of a set of boards, or of a size.
    fn chart(
        &self,
        boards: &str,
        (name, title): (&str, &str),
        [x, y]: [Axis; 2],
        series: Vec<Series>,
    ) -> Chart {
        Chart {
            title: format!("{boards}: {}", self.named(name, title)),
            x,
            y,
            series,
            guide: None,
            boxes: self.named("boxes", BOXES).to_owned(),
            counts: self.named("counts", COUNTS).to_owned(),
        }
    }

    fn diagonal(&self, name: &str, english: &str) -> Option<Guide> {
        Some(Guide {
            label: self.named(name, english).to_owned(),
            line: GuideLine::Diagonal,
        })
    }

    /// The names of search and heuristic of a group.
    fn pair(&self, run: &Run<'_>) -> String {
        let search = self.named(run.search, run.search);
        match run.heuristic {
            "none" => search.to_owned(),
            heuristic => {
                let (and, heuristic) = (self.named("and", " "), self.named(heuristic, heuristic));
                format!("{search}{and}{heuristic}")
            }
        }
    }

    /// [`Self::pair`], with the number of searches stopped by a limit.
    fn label(&self, group: &Group<'_>) -> String {
        let pair = self.pair(group[0]);
        let unsolved = group.iter().filter(|own| !own.is_solved).count();
        if unsolved == 0 {
            return pair;
        }
        let mut label = format!("{pair} (");
        let limit = self.named("limit", "{} of {} at a limit").split("{}");
        for (part, number) in limit.zip([Some(unsolved), Some(group.len()), None]) {
            label += part;
            label.extend(number.map(|number| number.to_string()));
        }
        label + ")"
    }

    fn style(&self, run: &Run<'_>) -> Style {
        Style {
            colour: place_in(&self.colours, run.heuristic),
            marker: place_in(&self.markers, run.search),
        }
    }

    /// One series per group.
    fn series(&self, marks: impl Fn(&Group<'_>) -> Marks) -> Vec<Series> {
        let series = self.own.iter().map(|group| Series {
            label: self.label(group),
            style: self.style(group[0]),
            marks: marks(group),
        });
        series.collect()
    }

    fn runs(&self) -> impl Iterator<Item = &Run<'a>> {
        self.own.iter().flatten().copied()
    }

    /// Lengths of shortest solutions by board number, if known.
    fn distances(&self) -> Vec<(u64, f64)> {
        let known = self.runs();
        in_order(known.filter_map(|own| Some((own.number.into(), own.optimal_length?.into()))))
    }

    /// Generated nodes against the length of the solution. If lengths of shortest solutions are
    /// known, these are used, so that a board has the same x position for every search.
    fn nodes(&self, boards: &str) -> Chart {
        let distances = self.distances();
        let length_of = |own: &Run<'_>| match distances.is_empty() {
            true => own.length.map(u64::from),
            false => distance_of(&distances, own),
        };
        let marks = |group: &Group<'_>| {
            let points = group.iter().filter(|own| own.is_solved);
            let points = points.filter_map(|own| Some((length_of(own)?, own.generated)));
            let points = in_order(points);
            // Overlapping dots are drawn once.
            let height = |nodes: f64| (nodes.max(1.0).ln() * DOTS_PER_E).round();
            let is_alike = |one: &(u64, f64), other: &(u64, f64)| {
                (one.0, height(one.1)) == (other.0, height(other.1))
            };
            let dots = points.chunk_by(is_alike);
            Marks::DotsAndLine {
                line: by_first(&points, median),
                dots: dots.map(|alike| (alike[0].0 as f64, alike[0].1)).collect(),
            }
        };
        let x = match distances.is_empty() {
            true => LENGTH,
            false => ("shortest-length", "moves of a shortest solution"),
        };
        let axes = [
            self.axis(x, Scale::Linear),
            self.axis(GENERATED, Scale::Log),
        ];
        let title = ("nodes", "nodes by length; lines: the median");
        self.chart(boards, title, axes, self.series(marks))
    }

    /// Distribution of a number over the searches of each group. Searches stopped by a limit count
    /// with their number so far.
    fn boxes(&self, number: fn(&Run<'_>) -> f64) -> Vec<Series> {
        self.series(|group| {
            let sorted = in_order(group.iter().map(|own| (0, number(own))));
            let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share).round() as usize].1;
            Marks::Box(Spread {
                least: at(0.0),
                lower: at(0.25),
                median: at(0.5),
                upper: at(0.75),
                largest: at(1.0),
            })
        })
    }

    fn spread(&self, boards: &str) -> Chart {
        let axes = [
            self.axis(GENERATED, Scale::Log),
            self.axis(("", ""), Scale::Linear),
        ];
        self.chart(
            boards,
            ("spread", "nodes"),
            axes,
            self.boxes(|own| own.generated),
        )
    }

    fn times(&self, boards: &str) -> Chart {
        let axes = [
            self.axis(MS, Scale::Log),
            self.axis(("", ""), Scale::Linear),
        ];
        self.chart(boards, ("time", "time"), axes, self.boxes(|own| own.ms))
    }

    /// Each heuristic's value against the true distance, if known.
    fn values(&self, boards: &str) -> Chart {
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
            let both = [
                (name.to_owned(), Marks::Bubbles(bubbles.collect())),
                (
                    format!("{name}, {}", self.named("mean", "mean")),
                    Marks::Line(by_first(&points, mean)),
                ),
            ];
            series.extend(both.map(|(label, marks)| Series {
                label,
                style,
                marks,
            }));
        }
        let axes = [
            self.axis(("distance", "true distance, in moves"), Scale::Linear),
            self.axis(("value", "value of the heuristic"), Scale::Linear),
        ];
        let mut chart = self.chart(boards, ("h", "value and distance"), axes, series);
        chart.guide = self.diagonal("admissible", "admissible: never above the distance");
        chart
    }

    /// The share of boards solved within a time.
    fn solved(&self, boards: &str) -> Chart {
        let slowest = self.runs().map(|own| own.ms).fold(0.0, f64::max);
        let marks = |group: &Group<'_>| {
            let ms = group.iter().filter(|own| own.is_solved);
            let ms = in_order(ms.map(|own| (0, own.ms)));
            let share = |count: usize| 100.0 * count as f64 / group.len() as f64;
            let steps = (1..).zip(&ms).map(|(count, ms)| (ms.1, share(count)));
            // Extends to the right edge.
            Marks::Steps(steps.chain([(slowest, share(ms.len()))]).collect())
        };
        let axes = [
            self.axis(MS, Scale::Log),
            self.axis(("share", "boards"), Scale::Percent),
        ];
        self.chart(
            boards,
            ("solved", "solved within a time"),
            axes,
            self.series(marks),
        )
    }

    /// Mean of generated nodes by random moves, one line per search and heuristic.
    fn walk_nodes(&self, size: &str) -> Chart {
        let series = self.series(|group| {
            let points = group.iter();
            let points = points.filter_map(|own| Some((walk_of(own)?, own.generated)));
            Marks::Line(by_first(&in_order(points), mean))
        });
        let axes = [
            self.axis(WALK, Scale::Linear),
            self.axis(GENERATED, Scale::Log),
        ];
        self.chart(
            size,
            ("walk-nodes", "mean nodes by random moves"),
            axes,
            series,
        )
    }

    /// The mean length of solutions by random moves. One line is shared by all searches that find
    /// shortest solutions.
    fn walk_length(&self, size: &str) -> Chart {
        let is_shortest = |own: &Run<'_>| own.length.is_some() && own.length == own.optimal_length;
        let line = |runs: &mut dyn Iterator<Item = &Run<'a>>| {
            let lengths = runs.filter_map(|own| {
                Some((
                    walk_of(own)? << 32 | u64::from(own.number),
                    own.length?.into(),
                ))
            });
            // Several searches solved the same board; it counts once.
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
        let axes = [
            self.axis(WALK, Scale::Linear),
            self.axis(LENGTH, Scale::Linear),
        ];
        let title = ("walk-length", "length of solutions by random moves");
        let mut chart = self.chart(size, title, axes, series.collect());
        chart.guide = self.diagonal("as-many", "as many moves as random ones");
        chart
    }
}

/// The length of a shortest solution of the board of a search.
fn distance_of(distances: &[(u64, f64)], run: &Run<'_>) -> Option<u64> {
    let place = distances.partition_point(|own| own.0 < u64::from(run.number));
    let found = distances
        .get(place)
        .filter(|own| own.0 == u64::from(run.number));
    found.map(|own| own.1 as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Searches of 20 boards of two sets; A* has a limit on the harder half of the second.
    fn sample() -> Vec<Run<'static>> {
        let mut runs = Vec::new();
        for (set, least) in [("walk-10", 4), ("walk-50", 20)] {
            for (search, heuristic) in [
                ("astar", "manhattan"),
                ("greedy", "manhattan"),
                ("breadth-first", "none"),
            ] {
                for number in 1..=20 {
                    let shortest = least + number % 5;
                    let is_solved = search != "astar" || set == "walk-10" || number <= 10;
                    let times = if search == "greedy" { 3 } else { 1 };
                    runs.push(Run {
                        set,
                        size: "3x3",
                        number,
                        search,
                        heuristic,
                        is_solved,
                        length: is_solved.then_some(shortest * times),
                        optimal_length: (is_solved && times == 1).then_some(shortest),
                        h0: 3,
                        generated: f64::from(shortest.pow(3)),
                        ms: f64::from(number) / 4.0,
                    });
                }
            }
        }
        runs
    }

    fn of(plots: &[Plot], name: &str) -> Chart {
        let plot = plots.iter().find(|plot| plot.name == name);
        plot.unwrap().chart.clone()
    }

    fn line(series: &Series) -> &[(f64, f64)] {
        match &series.marks {
            Marks::Line(line) | Marks::DotsAndLine { line, .. } => line,
            marks => panic!("{marks:?}"),
        }
    }

    #[test]
    fn boards_are_at_their_shortest_length_for_every_search() {
        let plots = of_set(&sample(), "walk-10", "3x3", &[]);
        for series in of(&plots, "nodes").series {
            let line = line(&series);
            let lengths: Vec<f64> = line.iter().map(|point| point.0).collect();
            assert_eq!(lengths, [4.0, 5.0, 6.0, 7.0, 8.0], "{}", series.label);
            assert_eq!(line[0].1, 64.0);
        }
        let names = plots.iter().map(|plot| plot.name).collect::<Vec<_>>();
        assert_eq!(names, ["nodes", "spread", "time", "solved", "h"]);
        let h = of(&plots, "h").series;
        assert_eq!((h.len(), line(&h[1]).len()), (2, 5));
        assert!(
            of_set(&sample(), "none", "3x3", &[])
                .iter()
                .all(|plot| plot.chart.is_empty())
        );
    }

    #[test]
    fn labels_are_translated_and_show_limits() {
        let names = [
            ("astar", "A*"),
            ("and", ", "),
            ("limit", "{} von {} am Limit"),
        ];
        let names = names.map(|(name, text)| (name.to_owned(), text.to_owned()));
        let runs = sample();
        let label = |names| {
            of(&of_set(&runs, "walk-50", "3x3", names), "time").series[0]
                .label
                .clone()
        };
        assert_eq!(label(&[]), "astar manhattan (10 of 20 at a limit)");
        assert_eq!(label(&names), "A*, manhattan (10 von 20 am Limit)");
    }

    #[test]
    fn walks_are_compared_and_boards_counted_once() {
        let plots = of_walks(&sample(), "3x3", &[]);
        let lengths = of(&plots, "walk-length").series;
        let labels: Vec<&str> = lengths.iter().map(|series| &*series.label).collect();
        assert_eq!(labels, ["shortest", "greedy manhattan"]);
        assert_eq!(line(&lengths[0]), [(10.0, 6.0), (50.0, 22.0)]);
        assert_eq!(line(&lengths[1]), [(10.0, 18.0), (50.0, 66.0)]);
        assert_eq!(of(&plots, "walk-nodes").series.len(), 3);
        let one: Vec<Run<'_>> = sample()
            .into_iter()
            .filter(|own| own.set == "walk-10")
            .collect();
        assert!(of_walks(&one, "3x3", &[]).is_empty());
    }

    #[test]
    fn heuristics_have_the_same_colour_in_every_comparison() {
        let colours = |names: &[&'static str]| places(names, &HEURISTICS, PALETTE.len());
        let all = colours(&["5-3", "zero", "manhattan", "misplaced", "4-4"]);
        for (name, colour) in colours(&["manhattan", "5-3", "zero"]) {
            assert_eq!(place_in(&all, name), colour, "{name}");
        }
        let mut numbers: Vec<usize> = all.iter().map(|own| own.1).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), 5);
        let many: Vec<String> = (0..20).map(|number| number.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        for colour in 0..PALETTE.len() {
            let shared = places(&many, &[], PALETTE.len());
            assert!((2..=3).contains(&shared.iter().filter(|own| own.1 == colour).count()));
        }
    }
}
