//! The tables of a comparison.

use clap::ValueEnum;
use command::Failure;
use command::words::csv_field;
use lab::Record;
use lab::compare::Group;
use serde_json::Value;

use crate::text_table::{TableFormat, TextTable, brief, plain};

/// A group and its searches.
pub(crate) type RecordGroup<'a> = (Group, Vec<&'a Record>);

/// Writes the groups in a format. Without `columns`, the format's default columns are used.
pub(crate) fn write(format: TableFormat, columns: &[Column], groups: &[RecordGroup<'_>]) -> String {
    let columns = Column::chosen(columns, format);
    match format {
        TableFormat::Text => {
            let mut text = text_table(&columns, groups).text();
            if groups.iter().any(|(group, _)| !group.limits.is_empty()) {
                let of_solved = [Column::Length, Column::MedianLength, Column::Branching];
                let heads = columns.iter().filter(|column| of_solved.contains(column));
                let heads: Vec<String> = heads.map(|column| column.head()).collect();
                if !heads.is_empty() {
                    text += &format!("{}: of the solved boards; ", heads.join(", "));
                }
                text += ">: of all boards, up to the limit\n";
            }
            text
        }
        TableFormat::Markdown => text_table(&columns, groups).markdown(),
        TableFormat::Csv => csv(groups),
    }
}

/// A column of the text or Markdown table.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
pub(crate) enum Column {
    Boards,
    Search,
    Heuristic,
    Solved,
    Length,
    MedianLength,
    H0,
    Generated,
    Expanded,
    Branching,
    Ms,
    MedianMs,
    KeptNodes,
    KeptKb,
    /// Every column.
    All,
}

impl Column {
    /// Default columns in text: a line has at most 100 characters, even with the longest names of
    /// searches and heuristics.
    const NARROW: [Column; 8] = [
        Column::Boards,
        Column::Search,
        Column::Heuristic,
        Column::Solved,
        Column::Length,
        Column::H0,
        Column::Generated,
        Column::Ms,
    ];

    /// The chosen columns, or the default columns of the format.
    fn chosen(columns: &[Column], format: TableFormat) -> Vec<Column> {
        let is_all = columns.contains(&Column::All);
        match (columns, format) {
            ([], TableFormat::Text) => Column::NARROW.to_vec(),
            _ if is_all || columns.is_empty() => {
                let columns = Column::value_variants().iter().copied();
                columns.filter(|&column| column != Column::All).collect()
            }
            _ => columns.to_vec(),
        }
    }

    fn head(self) -> String {
        let name = self
            .to_possible_value()
            .map(|value| value.get_name().replace('-', " "));
        match self {
            Column::KeptKb => "kept kB".to_owned(),
            _ => name.unwrap_or_default(),
        }
    }

    /// Text of this column for a group. Figures are means over the group's boards, except in
    /// columns with another name, such as `median length`. If a limit stopped a search, the nodes
    /// and time up to the limit are counted, and these figures are lower bounds.
    fn cell(self, group: &Group) -> String {
        let at_least = if group.limits.is_empty() { "" } else { ">" };
        let cost = |number: f64, digits: usize| format!("{at_least}{}", brief(number, digits));
        let length = |number: fn(&solver::Spread) -> f64, digits: usize| {
            let spread = group.length.as_ref().map(number);
            spread.map_or("-".to_owned(), |number| format!("{number:.digits$}"))
        };
        match self {
            Column::Boards => format!("{} {} {}", group.boards, group.size, group.set),
            Column::Search => group.search.clone(),
            Column::Heuristic => group.heuristic.clone(),
            Column::Solved => solved(group),
            Column::Length => length(|spread| spread.mean, 2),
            Column::MedianLength => length(|spread| spread.median, 0),
            Column::H0 => format!("{:.2}", group.h0.mean),
            Column::Generated => cost(group.generated.mean, 0),
            Column::Expanded => cost(group.expanded.mean, 0),
            Column::Branching => {
                let factor = group.branching_factor.map(|factor| format!("{factor:.3}"));
                factor.unwrap_or("-".to_owned())
            }
            Column::Ms => cost(group.ms.mean, 3),
            Column::MedianMs => cost(group.ms.median, 3),
            Column::KeptNodes => cost(group.peak.mean, 0),
            Column::KeptKb => cost(group.peak_bytes.mean / 1e3, 1),
            Column::All => String::new(),
        }
    }
}

/// Number of solved boards of a group, and the limits that stopped the unsolved boards.
fn solved(group: &Group) -> String {
    let limits = group.limits.iter().map(|(limit, count)| {
        let limit = limit.trim_end_matches('s');
        format!("{count} at the {limit} limit")
    });
    match limits.collect::<Vec<_>>().join(", ").as_str() {
        "" => group.solved.to_string(),
        limits => format!("{} ({limits})", group.solved),
    }
}

/// The groups as a table for the formats text and Markdown.
fn text_table(columns: &[Column], groups: &[RecordGroup<'_>]) -> TextTable {
    let row = |group: &Group| columns.iter().map(|column| column.cell(group)).collect();
    TextTable {
        rows: groups.iter().map(|(group, _)| row(group)).collect(),
        columns: columns.iter().map(|column| column.head()).collect(),
        // The first columns contain words, and the other columns contain numbers.
        words: columns
            .iter()
            .take_while(|&&own| own <= Column::Solved)
            .count(),
    }
}

/// The table as CSV, with one column per figure. If a limit stopped the search of a board in a
/// group, the group's figures are lower bounds.
fn csv(groups: &[RecordGroup<'_>]) -> String {
    let mut text = "set,size,search,heuristic,boards,solved,limit_nodes,limit_memory,limit_time,\
                    length_mean,length_median,length_worst,h0_mean"
        .to_owned();
    for name in "generated expanded reopened peak peak_bytes ms".split(' ') {
        text += &format!(",{name}_mean,{name}_median,{name}_worst,{name}_total");
    }
    text += ",branching_factor\n";
    for (group, _) in groups {
        let optional =
            |number: Option<f64>| number.map_or(String::new(), |number| plain(number, 4));
        let mut row = vec![
            group.set.clone(),
            group.size.clone(),
            group.search.clone(),
            csv_field(&group.heuristic),
            group.boards.to_string(),
            group.solved.to_string(),
        ];
        row.extend(["nodes", "memory", "time"].map(|name| {
            let own = group.limits.iter().find(|(own, _)| own == name);
            own.map_or(0, |(_, count)| *count).to_string()
        }));
        let length = group.length.as_ref();
        row.push(optional(length.map(|spread| spread.mean)));
        row.push(optional(length.map(|spread| spread.median)));
        row.push(optional(length.map(|spread| spread.worst)));
        row.push(plain(group.h0.mean, 4));
        let costs = [group.generated, group.expanded, group.reopened, group.peak];
        for cost in costs.into_iter().chain([group.peak_bytes, group.ms]) {
            row.extend([cost.mean, cost.median, cost.worst, cost.total].map(|n| plain(n, 4)));
        }
        row.push(optional(group.branching_factor));
        text += &format!("{}\n", row.join(","));
    }
    text
}

/// One row per search, with the fields of the search's record. A field without a value is an empty
/// cell.
pub(crate) fn records_csv(records: &[Record]) -> Result<String, Failure> {
    const FIELDS: &str = "set,size,goal,number,board,search,heuristic,status,limit,length,\
                          optimal_length,moves,h0,generated,expanded,reopened,peak,peak_bytes,\
                          branching_factor,ms";
    let mut text = format!("{FIELDS}\n");
    for record in records {
        let object = serde_json::to_value(record).map_err(Failure::table)?;
        let cell = |field: &str| match &object[field] {
            Value::Null => String::new(),
            Value::String(words) => csv_field(words),
            Value::Number(number) if number.is_f64() => plain(number.as_f64().unwrap_or(0.0), 4),
            value => value.to_string(),
        };
        let row: Vec<String> = FIELDS.split(',').map(cell).collect();
        text += &format!("{}\n", row.join(","));
    }
    Ok(text)
}
