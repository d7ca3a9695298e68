//! The nodes of IDA*'s iterations beside those that the distribution of a heuristic's values
//! predicts.
//!
//! As Korf, Reid and Edelkamp (2001) measured it: all boards are searched down to the same bound,
//! past the goal as well, so no board is left out for being solved.

use command::words::csv_field;
use command::{Failure, interrupted};
use lab::compare::Group;
use lab::prediction::{Distribution, count_expanded};
use lab::{Comparison, HeuristicFactory, Limits, Position, Record};
use solver::{ThreadPermits, ordered_map};

use super::table::{Table, grouped, plain};

/// An iteration of all boards of a set.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Prediction {
    set: String,
    size: String,
    heuristic: String,
    boards: usize,
    bound: u32,
    /// Nodes of all boards together, and those predicted.
    expanded: u64,
    predicted: f64,
}

/// The seed of the states that predictions come from.
const SEED: u64 = 1;
/// The expanded nodes of the largest iteration that is counted, at most, as they are predicted.
const MAX_EXPANDED: f64 = 5e8;
/// Bounds that are counted.
const BOUNDS: u32 = 6;

/// Predicts and counts iterations of each set and heuristic that IDA* searched.
pub(crate) fn predictions(
    comparison: &Comparison,
    groups: &[(Group, Vec<&Record>)],
    factory: &HeuristicFactory,
    states: u64,
) -> Result<Vec<Prediction>, Failure> {
    let mut predictions = Vec::new();
    let is_ida = |own: &&(Group, Vec<&Record>)| own.0.search == "ida-star";
    for (group, records) in groups.iter().filter(is_ida) {
        let set = comparison.set_of(&group.set, &group.size);
        let (Some(set), Ok(choice)) = (set, group.heuristic.parse()) else {
            continue;
        };
        let heuristic = factory.heuristic(&choice, &set.goal);
        let heuristic = heuristic.map_err(Failure::input)?;
        let sample = Distribution::sample(&*heuristic, &set.goal, states, SEED, &command::cancel());
        let distribution = sample.map_err(Failure::input)?;
        let states = set
            .boards
            .iter()
            .filter_map(|own| set.goal.state(&own.board));
        let positions = states.map(|state| Position::new(&state));
        let positions: Vec<Position> = positions
            .collect::<Result<_, _>>()
            .map_err(Failure::input)?;
        let predict = |bound: u32| {
            let blanks = positions
                .iter()
                .map(|own| puzzle::Cell::new(own.blank().into()));
            blanks
                .map(|blank| distribution.expanded(blank, bound))
                .sum::<f64>()
        };
        // Up to the longest solution, as far as that is not too dear: predictions grow with bounds.
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

/// The predictions for people: means of a board.
pub(crate) fn for_people(predictions: &[Prediction]) -> Table {
    let rows = predictions.iter().map(|own| {
        let boards = own.boards as f64;
        vec![
            format!("{} {} {}", own.boards, own.size, own.set),
            own.heuristic.clone(),
            own.bound.to_string(),
            grouped(own.expanded as f64 / boards, 1),
            grouped(own.predicted / boards, 1),
            match own.expanded {
                0 => "-".to_owned(),
                expanded => format!("{:.3}", own.predicted / expanded as f64),
            },
        ]
    });
    Table {
        columns: vec![
            "boards",
            "heuristic",
            "bound",
            "expanded",
            "predicted",
            "ratio",
        ],
        words: 2,
        rows: rows.collect(),
    }
}

/// The predictions as CSV: sums over the boards.
pub(crate) fn csv(predictions: &[Prediction]) -> String {
    let mut text = "set,size,heuristic,boards,bound,expanded,predicted\n".to_owned();
    for own in predictions {
        text += &format!(
            "{},{},{},{},{},{},{}\n",
            own.set,
            own.size,
            csv_field(&own.heuristic),
            own.boards,
            own.bound,
            own.expanded,
            plain(own.predicted)
        );
    }
    text
}
