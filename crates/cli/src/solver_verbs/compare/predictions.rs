//! The nodes of IDA*'s iterations, compared with predictions from the distribution of a heuristic's
//! values.
//!
//! The method is that of Korf, Reid and Edelkamp (2001): all boards are searched to the same bound.
//! A search does not stop at the goal, so it expands all nodes within the bound.

use command::table::{TableFormat, TextTable, brief, plain};
use command::{Failure, interrupted};
use lab::prediction::{Distribution, count_expanded};
use lab::{Comparison, HeuristicFactory, Limits, Position};
use puzzle::Cell;
use solver::{ThreadPermits, ordered_map};

use super::table::RecordGroup;

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

/// The predictions as text or Markdown, with means per board, or as CSV, with sums over the boards.
pub(crate) fn write(predictions: &[Prediction], format: TableFormat) -> String {
    let means = |own: &Prediction| {
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
    };
    let sums = |own: &Prediction| {
        let words = [&own.set, &own.size, &own.heuristic].map(String::clone);
        let numbers = [own.boards as u64, own.bound.into(), own.expanded];
        let numbers = numbers.iter().map(u64::to_string);
        let words = words.into_iter().chain(numbers);
        words.chain([plain(own.predicted, 4)]).collect()
    };
    let table = match format {
        TableFormat::Csv => TextTable::new(
            "set,size,heuristic,boards,bound,expanded,predicted",
            3,
            predictions.iter().map(sums).collect(),
        ),
        _ => TextTable::new(
            "boards,heuristic,bound,expanded,predicted,ratio",
            2,
            predictions.iter().map(means).collect(),
        ),
    };
    table.write(format)
}
