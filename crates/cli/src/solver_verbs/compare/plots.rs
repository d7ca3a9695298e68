//! Writes the plots of a comparison to files.

use cli::plot::chart_png;
use command::Failure;
use lab::Record;
use lab::compare::RunStatus;
use plot::View;
use plot::comparison::{self, Run, different};

use super::table::RecordGroup;

/// All plots by file name.
pub(crate) fn all(groups: &[RecordGroup<'_>]) -> Result<Vec<(String, Vec<u8>)>, Failure> {
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
    let mut files = Vec::new();
    for (stem, chart) in plots {
        let svg = chart.svg(View::default());
        files.push((format!("{stem}.svg"), svg.into_bytes()));
        files.push((format!("{stem}.png"), chart_png(&chart)?));
    }
    Ok(files)
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
