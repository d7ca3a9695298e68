//! The tables of a comparison.

use cli::Failure;
use indicatif::HumanCount;
use lab::compare::Group;
use lab::prediction::Distribution;
use lab::{Comparison, HeuristicFactory, Record};
use puzzle::Board;

use super::TableFormat;

/// The expanded nodes of IDA*'s complete iterations, and those that were predicted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Prediction {
    /// The number of the group.
    group: usize,
    expanded: u64,
    predicted: f64,
}

/// The table in a format.
pub(crate) fn write(
    format: TableFormat,
    groups: &[(Group, Vec<&Record>)],
    predictions: &[Prediction],
) -> String {
    match format {
        TableFormat::Text => text(groups, predictions),
        TableFormat::Markdown => markdown(groups, predictions),
        TableFormat::Csv => csv(groups, predictions),
    }
}

/// The seed of the states that predictions come from.
const SEED: u64 = 1;

/// Predicts all groups that IDA* searched.
pub(crate) fn predictions(
    comparison: &Comparison,
    groups: &[(Group, Vec<&Record>)],
    factory: &HeuristicFactory,
    states: u64,
) -> Result<Vec<Prediction>, Failure> {
    let mut predictions = Vec::new();
    for (number, (group, records)) in groups.iter().enumerate() {
        let is_same = |set: &&lab::BoardSet| {
            set.name == group.set && set.goal.tray().to_string() == group.size
        };
        let (Some(set), Ok(choice)) = (
            comparison
                .sets
                .iter()
                .find(is_same)
                .filter(|_| group.search == "ida-star"),
            group.heuristic.parse(),
        ) else {
            continue;
        };
        let heuristic = factory
            .heuristic(&choice, &set.goal)
            .map_err(Failure::input)?;
        let sample = Distribution::sample(&*heuristic, &set.goal, states, SEED);
        let distribution = sample.map_err(Failure::input)?;
        let (mut expanded, mut predicted) = (0, 0.0);
        for record in records {
            let board: Option<Board> = record.board.parse().ok();
            let Some(blank) = board.and_then(|board| board.find(0)) else {
                continue;
            };
            // The last one ends at the solution, or at a limit.
            for iteration in record.iterations.iter().rev().skip(1) {
                expanded += iteration.expanded;
                predicted += distribution.expanded(blank, iteration.bound);
            }
        }
        predictions.push(Prediction {
            group: number,
            expanded,
            predicted,
        });
    }
    Ok(predictions)
}

/// A table's columns and rows, as text.
struct Table {
    columns: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

const COLUMNS: [&str; 12] = [
    "boards",
    "search",
    "heuristic",
    "solved",
    "length",
    "median",
    "h0",
    "generated",
    "expanded",
    "branching",
    "ms",
    "peak nodes",
];

/// Rows for people. Boards that a limit ended count with what they took, so their group's figures
/// are at least that much.
fn for_people(groups: &[(Group, Vec<&Record>)], predictions: &[Prediction]) -> Table {
    let mut columns = COLUMNS.to_vec();
    if !predictions.is_empty() {
        columns.extend(["of complete iterations", "predicted", "ratio"]);
    }
    let rows = groups.iter().enumerate().map(|(number, (group, _))| {
        let at_least = if group.limits.is_empty() { "" } else { ">" };
        let cost = |number: f64, digits: usize| format!("{at_least}{}", grouped(number, digits));
        let limits = group
            .limits
            .iter()
            .map(|(limit, count)| format!("{count} {limit}"));
        let limits: Vec<String> = limits.collect();
        let solved = match limits.is_empty() {
            true => format!("{}", group.solved),
            false => format!("{} ({})", group.solved, limits.join(", ")),
        };
        let length = |number: fn(&solver::Spread) -> f64, digits: usize| {
            let spread = group.length.as_ref().map(number);
            spread.map_or("-".to_owned(), |number| format!("{number:.digits$}"))
        };
        let mut row = vec![
            format!("{} {} {}", group.boards, group.size, group.set),
            group.search.clone(),
            group.heuristic.clone(),
            solved,
            length(|spread| spread.mean, 2),
            length(|spread| spread.median, 0),
            format!("{:.2}", group.h0.mean),
            cost(group.generated.mean, 0),
            cost(group.expanded.mean, 0),
            group
                .branching_factor
                .map_or("-".to_owned(), |b| format!("{b:.3}")),
            cost(group.ms.mean, 3),
            cost(group.peak.worst, 0),
        ];
        if let Some(own) = predictions.iter().find(|own| own.group == number) {
            let ratio = match own.expanded {
                0 => "-".to_owned(),
                expanded => format!("{:.3}", own.predicted / expanded as f64),
            };
            row.extend([
                grouped(own.expanded as f64, 0),
                grouped(own.predicted, 0),
                ratio,
            ]);
        }
        row.resize(columns.len(), String::new());
        row
    });
    Table {
        rows: rows.collect(),
        columns,
    }
}

/// The first columns, which are words.
const WORDS: usize = 4;

fn text(groups: &[(Group, Vec<&Record>)], predictions: &[Prediction]) -> String {
    let table = for_people(groups, predictions);
    let width = |column: usize| {
        let cells = table.rows.iter().map(|row| row[column].chars().count());
        cells
            .chain([table.columns[column].len()])
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..table.columns.len()).map(width).collect();
    let line = |cells: &[String]| {
        let cells = cells.iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, &width))| match column < WORDS {
            true => format!("{cell:width$}"),
            false => format!("{cell:>width$}"),
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        format!("{}\n", line.trim_end())
    };
    let head: Vec<String> = table.columns.iter().map(ToString::to_string).collect();
    let mut text = line(&head);
    text.extend(table.rows.iter().map(|row| line(row)));
    if groups.iter().any(|(group, _)| !group.limits.is_empty()) {
        text += "in brackets: boards that a limit ended, and which; length, branching: of the \
                 solved boards; >: of all boards, up to the limit\n";
    }
    text
}

/// The table in Markdown.
pub(crate) fn markdown(groups: &[(Group, Vec<&Record>)], predictions: &[Prediction]) -> String {
    let table = for_people(groups, predictions);
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = line(table.columns.iter().map(ToString::to_string).collect());
    let rules = (0..table.columns.len()).map(|column| match column < WORDS {
        true => "---".to_owned(),
        false => "---:".to_owned(),
    });
    text += &line(rules.collect());
    text.extend(table.rows.into_iter().map(line));
    text
}

/// The table with a column for each figure. Figures of groups with limits are lower bounds.
pub(crate) fn csv(groups: &[(Group, Vec<&Record>)], predictions: &[Prediction]) -> String {
    let mut text = "set,size,search,heuristic,boards,solved,limit_nodes,limit_memory,limit_time,\
                    length_mean,length_median,length_worst,h0_mean"
        .to_owned();
    for name in ["generated", "expanded", "reopened", "peak", "ms"] {
        text += &format!(",{name}_mean,{name}_median,{name}_worst,{name}_total");
    }
    text += ",branching_factor,complete_expanded,predicted_expanded\n";
    for (number, (group, _)) in groups.iter().enumerate() {
        let limit = |name: &str| {
            let own = group.limits.iter().find(|(own, _)| own == name);
            own.map_or(0, |(_, count)| *count).to_string()
        };
        let optional = |number: Option<f64>| number.map_or(String::new(), plain);
        let length = group.length.as_ref();
        let mut row = vec![
            group.set.clone(),
            group.size.clone(),
            group.search.clone(),
            group.heuristic.clone(),
            group.boards.to_string(),
            group.solved.to_string(),
            limit("nodes"),
            limit("memory"),
            limit("time"),
            optional(length.map(|spread| spread.mean)),
            optional(length.map(|spread| spread.median)),
            optional(length.map(|spread| spread.worst)),
            plain(group.h0.mean),
        ];
        let costs = [
            group.generated,
            group.expanded,
            group.reopened,
            group.peak,
            group.ms,
        ];
        for cost in costs {
            row.extend([cost.mean, cost.median, cost.worst, cost.total].map(plain));
        }
        let own = predictions.iter().find(|own| own.group == number);
        row.push(optional(group.branching_factor));
        row.push(optional(own.map(|own| own.expanded as f64)));
        row.push(optional(own.map(|own| own.predicted)));
        text += &format!("{}\n", row.join(","));
    }
    text
}

/// A row for each search.
pub(crate) fn records_csv(records: &[Record]) -> Result<String, Failure> {
    let mut text = "set,size,goal,number,board,search,heuristic,status,limit,length,\
                    optimal_length,moves,h0,generated,expanded,reopened,peak,branching_factor,ms\n"
        .to_owned();
    for record in records {
        let optional = |number: Option<u32>| number.map_or(String::new(), |n| n.to_string());
        let status = serde_json::to_value(record.status).map_err(Failure::table)?;
        let row = [
            record.set.clone(),
            record.size.clone(),
            record.goal.clone(),
            record.number.to_string(),
            record.board.clone(),
            record.search.clone(),
            record.heuristic.clone(),
            status.as_str().unwrap_or_default().to_owned(),
            record.limit.clone().unwrap_or_default(),
            optional(record.length),
            optional(record.optimal_length),
            record.moves.clone().unwrap_or_default(),
            record.h0.to_string(),
            record.generated.to_string(),
            record.expanded.to_string(),
            record.reopened.to_string(),
            record.peak.to_string(),
            record.branching_factor.map_or(String::new(), plain),
            plain(record.ms),
        ];
        text += &format!("{}\n", row.join(","));
    }
    Ok(text)
}

/// At most four digits after the point.
fn plain(number: f64) -> String {
    let digits = format!("{number:.4}");
    digits
        .trim_end_matches('0')
        .trim_end_matches('.')
        .to_owned()
}

/// With commas between groups of three digits; digits after the point for small numbers only.
fn grouped(number: f64, digits: usize) -> String {
    match number >= 1000.0 {
        true => HumanCount(number.round() as u64).to_string(),
        false => format!("{number:.digits$}"),
    }
}
