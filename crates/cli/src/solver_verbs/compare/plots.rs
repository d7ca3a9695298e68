//! The plots of a comparison, four for each set of boards.

use std::collections::{BTreeMap, HashSet};

use cli::plot::{Axis, Chart, Guide, GuideLine, Marks, Scale, Series, Spread, Style};
use command::Failure;
use lab::Record;
use lab::compare::{Group, RunStatus};

/// A group and its searches.
type Grouped<'a> = (Group, Vec<&'a Record>);

/// All plots, by file name.
pub(crate) fn all(groups: &[Grouped<'_>]) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let mut files = Vec::new();
    let mut sets: Vec<(&str, &str)> = Vec::new();
    for (group, _) in groups {
        if !sets.contains(&(&group.set, &group.size)) {
            sets.push((&group.set, &group.size));
        }
    }
    for (set, size) in sets {
        let of_set = groups
            .iter()
            .filter(|(own, _)| (&*own.set, &*own.size) == (set, size));
        let of_set: Vec<&Grouped<'_>> = of_set.collect();
        let boards = format!("{size} {set}");
        let charts = [
            ("nodes", nodes(&boards, &of_set)),
            ("time", times(&boards, &of_set)),
            ("h", values(&boards, &of_set)),
            ("solved", solved(&boards, &of_set)),
        ];
        for (name, chart) in charts {
            let stem = format!("{name}-{size}-{set}");
            files.push((format!("{stem}.svg"), chart.svg()?.into_bytes()));
            files.push((format!("{stem}.png"), chart.png()?));
        }
    }
    Ok(files)
}

fn axis(label: &str, scale: Scale) -> Axis {
    Axis {
        label: label.to_owned(),
        scale,
    }
}

/// A colour for each heuristic, a marker for each search.
fn style(group: &Group, groups: &[&Grouped<'_>]) -> Style {
    fn place<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> usize {
        let mut different: Vec<&str> = Vec::new();
        for own in names {
            if !different.contains(&own) {
                different.push(own);
            }
        }
        different.iter().position(|own| *own == name).unwrap_or(0)
    }
    let heuristics = groups.iter().map(|(own, _)| &*own.heuristic);
    let searches = groups.iter().map(|(own, _)| &*own.search);
    Style {
        colour: place(&group.heuristic, heuristics),
        marker: place(&group.search, searches),
    }
}

fn label(group: &Group) -> String {
    let name = match &*group.heuristic {
        "none" => group.search.clone(),
        heuristic => format!("{} {heuristic}", group.search),
    };
    match group.boards - group.solved {
        0 => name,
        unsolved => format!("{name} ({unsolved} of {} at a limit)", group.boards),
    }
}

fn is_solved(record: &&&Record) -> bool {
    record.status == RunStatus::Solved
}

/// Dots above one another that can be told apart while nodes grow e-fold.
const DOTS_PER_E: f64 = 15.0;

/// Generated nodes against the length of the solution.
fn nodes(boards: &str, groups: &[&Grouped<'_>]) -> Chart {
    let series = groups.iter().map(|(group, records)| {
        let points = records.iter().filter(is_solved);
        let points = points.filter_map(|own| Some((own.length?, own.generated as f64)));
        let points: Vec<(u32, f64)> = points.collect();
        let mut by_length: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for &(length, nodes) in &points {
            by_length.entry(length).or_default().push(nodes);
        }
        // Dots that lie on one another are drawn once.
        let mut places = HashSet::new();
        let dots = points.iter().filter(|&&(length, nodes)| {
            places.insert((length, (nodes.max(1.0).ln() * DOTS_PER_E).round() as u64))
        });
        let dots = dots
            .map(|&(length, nodes)| (length.into(), nodes))
            .collect();
        let line = by_length.iter();
        let line = line.filter_map(|(&length, nodes)| {
            Some((length.into(), solver::Spread::of(nodes)?.median))
        });
        Series {
            label: label(group),
            style: style(group, groups),
            marks: Marks::DotsAndLine {
                line: line.collect(),
                dots,
            },
        }
    });
    Chart {
        title: format!("{boards}: nodes by length; lines: the median"),
        x: axis("moves of the solution", Scale::Linear),
        y: axis("generated nodes", Scale::Log),
        series: series.collect(),
        guide: None,
    }
}

/// How the times are spread. Searches at a limit count with the time that they took.
fn times(boards: &str, groups: &[&Grouped<'_>]) -> Chart {
    let series = groups.iter().map(|(group, records)| {
        let mut ms: Vec<f64> = records.iter().map(|own| own.ms).collect();
        ms.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| ms[((ms.len() - 1) as f64 * share).round() as usize];
        Series {
            label: label(group),
            style: style(group, groups),
            marks: Marks::Box(Spread {
                least: at(0.0),
                lower: at(0.25),
                median: at(0.5),
                upper: at(0.75),
                largest: at(1.0),
            }),
        }
    });
    Chart {
        title: format!("{boards}: time"),
        x: axis("milliseconds", Scale::Log),
        y: axis("", Scale::Linear),
        series: series.collect(),
        guide: None,
    }
}

/// Each heuristic's value against the true distance, as far as that is known.
fn values(boards: &str, groups: &[&Grouped<'_>]) -> Chart {
    let mut distances: BTreeMap<(&str, usize), u32> = BTreeMap::new();
    for record in groups.iter().flat_map(|(_, records)| records) {
        if let Some(distance) = record.optimal_length {
            distances.insert((&record.board, record.number), distance);
        }
    }
    let mut series: Vec<Series> = Vec::new();
    let mut seen: Vec<&str> = vec!["none"];
    for (group, records) in groups {
        if seen.contains(&&*group.heuristic) {
            continue;
        }
        seen.push(&group.heuristic);
        let mut counts: BTreeMap<(u32, u32), u64> = BTreeMap::new();
        for record in records {
            if let Some(&distance) = distances.get(&(&*record.board, record.number)) {
                *counts.entry((distance, record.h0)).or_default() += 1;
            }
        }
        let mut sums: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
        for (&(distance, h), &count) in &counts {
            let (sum, boards) = sums.entry(distance).or_default();
            *sum += f64::from(h) * count as f64;
            *boards += count as f64;
        }
        let style = Style {
            marker: 0,
            ..style(group, groups)
        };
        let bubbles = counts.iter();
        let bubbles = bubbles.map(|(&(distance, h), &count)| (distance.into(), h.into(), count));
        let line = sums.iter();
        let line = line.map(|(&distance, (sum, boards))| (distance.into(), sum / boards));
        series.push(Series {
            label: group.heuristic.clone(),
            style,
            marks: Marks::Bubbles(bubbles.collect()),
        });
        series.push(Series {
            label: format!("{}, mean", group.heuristic),
            style,
            marks: Marks::Line(line.collect()),
        });
    }
    Chart {
        title: format!("{boards}: value and distance"),
        x: axis("true distance, in moves", Scale::Linear),
        y: axis("value of the heuristic", Scale::Linear),
        series,
        guide: Some(Guide {
            label: "admissible: never above the distance".to_owned(),
            line: GuideLine::Diagonal,
        }),
    }
}

/// The share of the boards that are solved within a time.
fn solved(boards: &str, groups: &[&Grouped<'_>]) -> Chart {
    let slowest = groups.iter().flat_map(|(_, records)| records);
    let slowest = slowest.map(|own| own.ms).fold(0.0, f64::max);
    let series = groups.iter().map(|(group, records)| {
        let ms = records.iter().filter(is_solved).map(|own| own.ms);
        let mut ms: Vec<f64> = ms.collect();
        ms.sort_unstable_by(f64::total_cmp);
        let share = |count: usize| 100.0 * count as f64 / records.len() as f64;
        let steps = (1..).zip(&ms).map(|(count, &ms)| (ms, share(count)));
        let mut steps: Vec<(f64, f64)> = steps.collect();
        // To the right edge.
        steps.push((slowest, share(ms.len())));
        Series {
            label: label(group),
            style: style(group, groups),
            marks: Marks::Steps(steps),
        }
    });
    Chart {
        title: format!("{boards}: solved within a time"),
        x: axis("milliseconds", Scale::Log),
        y: axis("boards", Scale::Percent),
        series: series.collect(),
        guide: None,
    }
}
