//! The plots of a comparison, four for each set of boards.

use std::collections::{BTreeMap, HashSet};

use cli::plot::{Axis, Chart, Guide, GuideLine, Marks, Scale, Series, Spread, Style};
use command::Failure;
use lab::Record;
use lab::compare::{Group, RunStatus};

use super::table::RecordGroup;

/// All plots, by file name.
pub(crate) fn all(groups: &[RecordGroup<'_>]) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let mut files = Vec::new();
    for (set, size) in different(groups.iter().map(|(own, _)| (&*own.set, &*own.size))) {
        let is_of_set = |(own, _): &&RecordGroup<'_>| (&*own.set, &*own.size) == (set, size);
        let of_set: Vec<&RecordGroup<'_>> = groups.iter().filter(is_of_set).collect();
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

/// Each value once, in the order in which they come first.
fn different<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut different = Vec::new();
    for value in values {
        if !different.contains(&value) {
            different.push(value);
        }
    }
    different
}

fn axis(label: &str, scale: Scale) -> Axis {
    Axis {
        label: label.to_owned(),
        scale,
    }
}

/// A chart without a guide.
fn chart(title: String, x: Axis, y: Axis, series: Vec<Series>) -> Chart {
    let guide = None;
    Chart {
        title,
        x,
        y,
        series,
        guide,
    }
}

/// A series for each group.
fn series(groups: &[&RecordGroup<'_>], marks: impl Fn(&[&Record]) -> Marks) -> Vec<Series> {
    let series = groups.iter().map(|(group, records)| Series {
        label: label(group),
        style: style(group, groups),
        marks: marks(records),
    });
    series.collect()
}

/// A colour for each heuristic, a marker for each search.
fn style(group: &Group, groups: &[&RecordGroup<'_>]) -> Style {
    let place = |name: fn(&Group) -> &str| {
        let names = different(groups.iter().map(|(own, _)| name(own)));
        names
            .iter()
            .position(|own| *own == name(group))
            .unwrap_or(0)
    };
    Style {
        colour: place(|own| &own.heuristic),
        marker: place(|own| &own.search),
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
fn nodes(boards: &str, groups: &[&RecordGroup<'_>]) -> Chart {
    let marks = |records: &[&Record]| {
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
        let dots = dots.map(|&(length, nodes)| (length.into(), nodes));
        let line = by_length.iter().filter_map(|(&length, nodes)| {
            Some((length.into(), solver::Spread::of(nodes)?.median))
        });
        Marks::DotsAndLine {
            line: line.collect(),
            dots: dots.collect(),
        }
    };
    chart(
        format!("{boards}: nodes by length; lines: the median"),
        axis("moves of the solution", Scale::Linear),
        axis("generated nodes", Scale::Log),
        series(groups, marks),
    )
}

fn sorted_ms<'a>(records: impl Iterator<Item = &'a &'a Record>) -> Vec<f64> {
    let mut ms: Vec<f64> = records.map(|own| own.ms).collect();
    ms.sort_unstable_by(f64::total_cmp);
    ms
}

/// Distribution of the times. Searches at a limit count with their time until then.
fn times(boards: &str, groups: &[&RecordGroup<'_>]) -> Chart {
    let marks = |records: &[&Record]| {
        let ms = sorted_ms(records.iter());
        let at = |share: f64| ms[((ms.len() - 1) as f64 * share).round() as usize];
        Marks::Box(Spread {
            least: at(0.0),
            lower: at(0.25),
            median: at(0.5),
            upper: at(0.75),
            largest: at(1.0),
        })
    };
    chart(
        format!("{boards}: time"),
        axis("milliseconds", Scale::Log),
        axis("", Scale::Linear),
        series(groups, marks),
    )
}

/// Each heuristic's value against the true distance, as far as that is known.
fn values(boards: &str, groups: &[&RecordGroup<'_>]) -> Chart {
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
        let (name, mean) = (&group.heuristic, format!("{}, mean", group.heuristic));
        let both = [
            (name.clone(), Marks::Bubbles(bubbles.collect())),
            (mean, Marks::Line(line.collect())),
        ];
        series.extend(both.map(|(label, marks)| Series {
            label,
            style,
            marks,
        }));
    }
    let mut chart = chart(
        format!("{boards}: value and distance"),
        axis("true distance, in moves", Scale::Linear),
        axis("value of the heuristic", Scale::Linear),
        series,
    );
    chart.guide = Some(Guide {
        label: "admissible: never above the distance".to_owned(),
        line: GuideLine::Diagonal,
    });
    chart
}

/// The share of the boards that are solved within a time.
fn solved(boards: &str, groups: &[&RecordGroup<'_>]) -> Chart {
    let slowest = groups.iter().flat_map(|(_, records)| records);
    let slowest = slowest.map(|own| own.ms).fold(0.0, f64::max);
    let marks = |records: &[&Record]| {
        let ms = sorted_ms(records.iter().filter(is_solved));
        let share = |count: usize| 100.0 * count as f64 / records.len() as f64;
        let steps = (1..).zip(&ms).map(|(count, &ms)| (ms, share(count)));
        // To the right edge.
        Marks::Steps(steps.chain([(slowest, share(ms.len()))]).collect())
    };
    chart(
        format!("{boards}: solved within a time"),
        axis("milliseconds", Scale::Log),
        axis("boards", Scale::Percent),
        series(groups, marks),
    )
}
