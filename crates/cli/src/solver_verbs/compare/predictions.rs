//! The nodes of IDA*'s iterations, compared with predictions from the distribution of a heuristic's
//! values.
//!
//! The method is that of Korf, Reid and Edelkamp (2001): all boards are searched to the same bound.
//! A search does not stop at the goal, so it expands all nodes within the bound.

use command::words::csv_field;
use command::{Failure, interrupted, print_line};
use lab::prediction::{Distribution, count_expanded};
use lab::{Comparison, HeuristicFactory, Limits, Position};
use puzzle::Cell;
use solver::{ThreadPermits, ordered_map};

use super::table::RecordGroup;
use crate::text_table::{TableFormat, TextTable, brief, plain};

/// Expanded and predicted nodes of the iterations with one bound, summed over all boards of a set.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Prediction {
    set: String,
    size: String,
    heuristic: String,
    boards: usize,
    bound: u32,
    expanded: u64,
    predicted: f64,
}

/// Seed of the random states for predictions.
const SEED: u64 = 1;
/// An iteration is run and counted only if at most this number of expanded nodes is predicted.
const MAX_EXPANDED: f64 = 5e8;
/// Number of bounds for which iterations are predicted and counted.
const BOUNDS: u32 = 6;

/// Predicts and counts the nodes of iterations, for each set and heuristic searched by IDA*.
pub(crate) fn predictions(
    comparison: &Comparison,
    groups: &[RecordGroup<'_>],
    factory: &HeuristicFactory,
    states: u64,
) -> Result<Vec<Prediction>, Failure> {
    let mut predictions = Vec::new();
    let is_ida = |own: &&RecordGroup<'_>| own.0.search == "ida-star";
    for (group, records) in groups.iter().filter(is_ida) {
        let set = comparison.set_of(&group.set, &group.size);
        let (Some(set), Ok(choice)) = (set, group.heuristic.parse()) else {
            continue;
        };
        let heuristic = factory.heuristic(&choice, &set.goal);
        let heuristic = heuristic.map_err(Failure::input)?;
        let sample = Distribution::sample(&*heuristic, &set.goal, states, SEED, &command::cancel());
        let distribution = sample.map_err(Failure::input)?;
        let boards = set.boards.iter();
        let states = boards.filter_map(|own| set.goal.state(&own.board));
        let positions = states.map(|state| Position::new(&state));
        let positions = positions.collect::<Result<Vec<Position>, _>>();
        let positions = positions.map_err(Failure::input)?;
        let predict = |bound: u32| {
            let blanks = positions.iter().map(|own| Cell::new(own.blank().into()));
            let expanded = blanks.map(|blank| distribution.expanded(blank, bound));
            expanded.sum::<f64>()
        };
        // Uses the bounds up to the length of the longest solution, but stops before a bound whose
        // predicted number of nodes is too large.
        let longest = records.iter().filter_map(|own| own.length).max();
        let bounds = 0..=longest.unwrap_or(0);
        let affordable = bounds.take_while(|&bound| predict(bound) <= MAX_EXPANDED);
        let last = affordable.last().unwrap_or(0);
        let mut limits = Limits::default();
        limits.cancel = command::cancel();
        for bound in last.saturating_sub(BOUNDS - 1)..=last {
            let mut expanded = 0;
            ordered_map(
                &positions,
                comparison.threads,
                &ThreadPermits::default(),
                |start| count_expanded(&*heuristic, start, bound, &limits),
                |_, count| expanded += count.unwrap_or(0),
            );
            if interrupted() {
                return Ok(predictions);
            }
            predictions.push(Prediction {
                set: group.set.clone(),
                size: group.size.clone(),
                heuristic: group.heuristic.clone(),
                boards: positions.len(),
                bound,
                expanded,
                predicted: predict(bound),
            });
        }
    }
    Ok(predictions)
}

/// Prints the predictions below the table of the comparison, except in CSV.
pub(crate) fn print(predictions: &[Prediction], format: TableFormat) {
    let table = text_table(predictions);
    match format {
        TableFormat::Text => print_line(format_args!("\n{}", table.text().trim_end())),
        TableFormat::Markdown => print_line(format_args!("\n{}", table.markdown().trim_end())),
        TableFormat::Csv => {}
    }
}

/// The predictions as a text table. The numbers are means per board.
fn text_table(predictions: &[Prediction]) -> TextTable {
    let rows = predictions.iter().map(|own| {
        let boards = own.boards as f64;
        vec![
            format!("{} {} {}", own.boards, own.size, own.set),
            own.heuristic.clone(),
            own.bound.to_string(),
            brief(own.expanded as f64 / boards, 1),
            brief(own.predicted / boards, 1),
            match own.expanded {
                0 => "-".to_owned(),
                expanded => format!("{:.3}", own.predicted / expanded as f64),
            },
        ]
    });
    let columns = "boards heuristic bound expanded predicted ratio";
    TextTable {
        columns: columns.split(' ').map(str::to_owned).collect(),
        words: 2,
        rows: rows.collect(),
    }
}

/// The predictions as CSV. The numbers are sums over the boards.
pub(crate) fn csv(predictions: &[Prediction]) -> String {
    let line = |own: &Prediction| {
        let Prediction {
            set,
            size,
            boards,
            bound,
            expanded,
            ..
        } = own;
        let (heuristic, predicted) = (csv_field(&own.heuristic), plain(own.predicted, 4));
        format!("{set},{size},{heuristic},{boards},{bound},{expanded},{predicted}\n")
    };
    let lines: String = predictions.iter().map(line).collect();
    format!("set,size,heuristic,boards,bound,expanded,predicted\n{lines}")
}
