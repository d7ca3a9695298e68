//! The runs of a comparison, grouped by search and heuristic, and functions that several charts
//! use.

use super::in_order;
use super::looks::{HEURISTICS, SEARCHES, place_in, places};
use super::{Names, Run, different};
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

    pub(super) fn axis(&self, (name, english): (&str, &str), scale: Scale) -> Axis {
        Axis {
            label: self.named(name, english).to_owned(),
            scale,
        }
    }

    /// A chart. Its title begins with `boards`: a set of boards, or a size.
    pub(super) fn chart(
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

    pub(super) fn diagonal(&self, name: &str, english: &str) -> Option<Guide> {
        Some(Guide {
            label: self.named(name, english).to_owned(),
            line: GuideLine::Diagonal,
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
