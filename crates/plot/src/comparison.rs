//! The plots of a comparison. Some plots show one set of boards; others compare sets of boards with
//! different numbers of random moves.

mod charts;
mod groups;

use std::cmp::Ordering;

use crate::chart::Chart;
use groups::Groups;

/// One search of a comparison, reduced to the fields that plots use.
#[derive(Clone, PartialEq, Debug)]
pub struct Run<'a> {
    /// Name of the set of boards; `walk-N` for boards made by N random moves.
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

impl Run<'_> {
    /// The number if the board was solved, or if not; otherwise infinite.
    fn number_if(&self, is_solved: bool, number: f64) -> f64 {
        match self.is_solved == is_solved {
            true => number,
            false => f64::INFINITY,
        }
    }
}

/// A plot and its name.
#[derive(Clone, Debug)]
pub struct Plot {
    /// `nodes`, `spread`, `time`, `solved`, `h`, `walk-nodes` or `walk-length`.
    pub name: &'static str,
    /// The plot.
    pub chart: Chart,
}

/// Translations of the words in plots, as pairs of key and text. The key of a search or heuristic
/// is its name in records. The key of a title is the name of the plot. The text of the key `boards`
/// names the set of boards in titles. The other keys are defined next to the charts that use them.
/// The text of the key `limit` contains `{}` twice: the first is replaced by the number of searches
/// that a limit stopped, the second by the number of all searches.
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

/// The plots that compare boards of one size by their number of random moves. The list is empty if
/// the runs contain fewer than two sets of random moves of this size.
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

/// The number of random moves in the name of the run's set, if any.
fn walk_of(run: &Run<'_>) -> Option<u64> {
    run.set.strip_prefix("walk-")?.parse().ok()
}

/// Pairs of an integer and a measurement, sorted.
fn in_order(points: impl Iterator<Item = (u64, f64)>) -> Vec<(u64, f64)> {
    // All callers share one compiled sort. Each further sort would add kilobytes to the page's
    // WebAssembly module.
    fn compare(one: &(u64, f64), other: &(u64, f64)) -> Ordering {
        one.0.cmp(&other.0).then(one.1.total_cmp(&other.1))
    }
    let mut points: Vec<_> = points.collect();
    points.sort_unstable_by(compare);
    points
}

/// Groups sorted pairs that have the same integer, and applies `number` to each group.
fn by_first(points: &[(u64, f64)], number: fn(&[(u64, f64)]) -> f64) -> Vec<(f64, f64)> {
    let parts = points.chunk_by(|one, other| one.0 == other.0);
    parts.map(|part| (part[0].0 as f64, number(part))).collect()
}

/// Median of the measurements of a sorted group; the lower one if two measurements are in the
/// middle.
fn median(sorted: &[(u64, f64)]) -> f64 {
    sorted[(sorted.len() - 1) / 2].1
}

fn mean(points: &[(u64, f64)]) -> f64 {
    let sum: f64 = points.iter().map(|point| point.1).sum();
    sum / points.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::{Marks, Series};

    const LIMIT: f64 = 20_000.0;

    /// Searches of 20 boards in each of two sets. A limit stops A* on the harder half of the second
    /// set.
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
                        generated: if is_solved {
                            f64::from(shortest.pow(3))
                        } else {
                            LIMIT
                        },
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
        let [_, y] = of(&plots, "h").spans();
        assert_eq!(y.ends().1, 8.0, "the diagonal reaches the farthest board");
        assert!(
            of_set(&sample(), "none", "3x3", &[])
                .iter()
                .all(|plot| plot.chart.is_empty())
        );
    }

    #[test]
    fn a_search_that_a_limit_ended_stands_at_its_limit() {
        let series = of(&of_set(&sample(), "walk-50", "3x3", &[]), "nodes").series;
        let Marks::DotsAndLine { dots, bounds, line } = &series[0].marks else {
            panic!("{:?}", series[0].marks);
        };
        let count = |dots: &[(f64, f64)]| dots.iter().filter(|dot| dot.1.is_finite()).count();
        assert_eq!((count(dots), count(bounds)), (5, 5));
        assert!(bounds.iter().all(|bound| bound.1 >= LIMIT));
        assert!(
            line.iter().all(|point| point.1 < LIMIT),
            "half are solved: known"
        );

        let mut runs = sample();
        runs.iter_mut()
            .for_each(|own| own.is_solved &= own.number > 2);
        let [nodes, time] =
            ["nodes", "time"].map(|name| of(&of_set(&runs, "walk-50", "3x3", &[]), name));
        let unknown = self::line(&nodes.series[0])
            .iter()
            .filter(|point| point.1.is_infinite());
        assert_eq!(unknown.count(), 2, "the lengths of the boards 1 and 2");
        let Marks::Box(spread) = &time.series[0].marks else {
            panic!("{:?}", time.series[0].marks);
        };
        assert_eq!((spread.least, spread.median), (0.25, f64::INFINITY));
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
        let nodes = of(&plots, "walk-nodes").series;
        assert_eq!(nodes.len(), 3);
        assert_eq!(
            line(&nodes[0])[1],
            (50.0, f64::INFINITY),
            "the mean is a lower bound"
        );
        let one: Vec<Run<'_>> = sample()
            .into_iter()
            .filter(|own| own.set == "walk-10")
            .collect();
        assert!(of_walks(&one, "3x3", &[]).is_empty());
    }
}
