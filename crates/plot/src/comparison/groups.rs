//! The runs of a comparison, grouped by search and heuristic, and functions that several charts
//! use.

use super::{Names, Run, different, in_order};
use crate::axis::{Axis, Scale};
use crate::chart::{BOXES, COUNTS, Chart};
use crate::drawing::PALETTE;
use crate::marks::MARKERS;
use crate::series::{Guide, GuideLine, Marks, Series, Style};

/// The runs of one search with one heuristic. A group is never empty.
pub(super) type Group<'a> = Vec<&'a Run<'a>>;

pub(super) struct Groups<'a> {
    /// Runs by search and heuristic.
    pub(super) own: Vec<Group<'a>>,
    names: &'a Names,
    colours: Vec<(&'a str, usize)>,
    markers: Vec<(&'a str, usize)>,
}

impl<'a> Groups<'a> {
    pub(super) fn new(runs: Vec<&'a Run<'a>>, names: &'a Names) -> Self {
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

    /// The translation with the key `name`, or `english` if the key is missing.
    pub(super) fn named<'n>(&'n self, name: &str, english: &'n str) -> &'n str {
        let found = self.names.iter().find(|own| own.0 == name);
        found.map_or(english, |own| &own.1)
    }

    /// A chart. Its title begins with `boards`: a set of boards, or a size.
    pub(super) fn chart(
        &self,
        boards: &str,
        (name, title): (&str, &str),
        axes: [((&str, &str), Scale); 2],
        series: Vec<Series>,
    ) -> Chart {
        let [x, y] = axes.map(|((name, english), scale)| Axis {
            label: self.named(name, english).to_owned(),
            scale,
        });
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

    pub(super) fn diagonal(&self, (name, english): (&str, &str), end: f64) -> Option<Guide> {
        Some(Guide {
            label: self.named(name, english).to_owned(),
            line: GuideLine::Diagonal(end),
        })
    }

    /// The translated names of a run's search and heuristic.
    pub(super) fn pair(&self, run: &Run<'_>) -> String {
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
    pub(super) fn label(&self, group: &Group<'_>) -> String {
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

    pub(super) fn style(&self, run: &Run<'_>) -> Style {
        Style {
            colour: place_in(&self.colours, run.heuristic),
            marker: place_in(&self.markers, run.search),
        }
    }

    /// One series per group.
    pub(super) fn series(&self, marks: impl Fn(&Group<'_>) -> Marks) -> Vec<Series> {
        let series = self.own.iter().map(|group| Series {
            label: self.label(group),
            style: self.style(group[0]),
            marks: marks(group),
        });
        series.collect()
    }

    pub(super) fn runs(&self) -> impl Iterator<Item = &Run<'a>> {
        self.own.iter().flatten().copied()
    }

    /// Lengths of shortest solutions by board number, if known.
    pub(super) fn distances(&self) -> Vec<(u64, f64)> {
        let known = self.runs();
        in_order(known.filter_map(|own| Some((own.number.into(), own.optimal_length?.into()))))
    }
}

/// Heuristics in the order of their colours. Other heuristics get the next free colour.
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

/// An index below `count` for each name. A name that `order` contains has its position in `order`
/// as its index, and therefore the same colour or marker in every comparison. Names share an index
/// only if there are more than `count` names.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::PALETTE;

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
