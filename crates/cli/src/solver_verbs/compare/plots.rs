//! Writes the plots of a comparison to files.

use lab::Record;
use lab::compare::RunStatus;
use plot::comparison::{self, Run, different};
use plot::{Chart, View};

use super::table::RecordGroup;

/// All plots by file name.
pub(crate) fn all(groups: &[RecordGroup<'_>]) -> Vec<(String, Vec<u8>)> {
    let records = groups.iter().flat_map(|(_, records)| records);
    let runs: Vec<Run<'_>> = records.map(|record| run(record)).collect();
    let mut plots = Vec::new();
    for (set, size) in different(runs.iter().map(|own| (own.set, own.size))) {
        for plot in comparison::of_set(&runs, set, size, &[]) {
            plots.push((format!("{}-{size}-{set}", plot.name), plot.chart));
        }
    }
    for size in different(runs.iter().map(|own| own.size)) {
        for plot in comparison::of_walks(&runs, size, &[]) {
            plots.push((format!("{}-{size}", plot.name), plot.chart));
        }
    }
    let svg = |chart: Chart| chart.svg(View::default()).into_bytes();
    let plots = plots.into_iter();
    plots
        .map(|(stem, chart)| (format!("{stem}.svg"), svg(chart)))
        .collect()
}

fn run(record: &Record) -> Run<'_> {
    Run {
        set: &record.set,
        size: &record.size,
        number: record.number as u32,
        search: &record.search,
        heuristic: &record.heuristic,
        is_solved: record.status == RunStatus::Solved,
        length: record.length,
        optimal_length: record.optimal_length,
        h0: record.h0,
        generated: record.generated as f64,
        ms: record.ms,
    }
}
