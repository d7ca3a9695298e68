//! The tables of a comparison.

use clap::ValueEnum;
use command::Failure;
use command::words::csv_field;
use indicatif::HumanCount;
use lab::Record;
use lab::compare::Group;

use super::TableFormat;

/// Writes the groups in a format. Without `columns`, the format's default columns are used.
pub(crate) fn write(
    format: TableFormat,
    columns: &[Column],
    groups: &[(Group, Vec<&Record>)],
) -> String {
    let columns = Column::chosen(columns, format);
    match format {
        TableFormat::Text => {
            let mut text = for_people(&columns, groups).text();
            if groups.iter().any(|(group, _)| !group.limits.is_empty()) {
                let of_solved = [Column::Length, Column::MedianLength, Column::Branching];
                let heads = columns.iter().filter(|column| of_solved.contains(column));
                let heads: Vec<&str> = heads.map(|column| column.head()).collect();
                if !heads.is_empty() {
                    text += &format!("{}: of the solved boards; ", heads.join(", "));
                }
                text += ">: of all boards, up to the limit\n";
            }
            text
        }
        TableFormat::Markdown => for_people(&columns, groups).markdown(),
        TableFormat::Csv => csv(groups),
    }
}

/// A table's columns and rows, as text.
pub(crate) struct Table {
    pub(crate) columns: Vec<&'static str>,
    /// The first columns, which are words.
    pub(crate) words: usize,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Table {
    /// Aligned columns.
    pub(crate) fn text(&self) -> String {
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| row[column].chars().count());
            let head = self.columns[column].len();
            cells.chain([head]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let line = |cells: &[String]| {
            let cells = cells.iter().zip(&widths).enumerate();
            let cells = cells.map(|(column, (cell, &width))| match column < self.words {
                true => format!("{cell:width$}"),
                false => format!("{cell:>width$}"),
            });
            let line = cells.collect::<Vec<_>>().join("  ");
            format!("{}\n", line.trim_end())
        };
        let head: Vec<String> = self.columns.iter().map(ToString::to_string).collect();
        let rows = self.rows.iter().map(|row| line(row));
        std::iter::once(line(&head)).chain(rows).collect()
    }

    /// The same in Markdown.
    pub(crate) fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let head: Vec<String> = self.columns.iter().map(ToString::to_string).collect();
        let rules = (0..self.columns.len()).map(|column| match column < self.words {
            true => "---".to_owned(),
            false => "---:".to_owned(),
        });
        let rules: Vec<String> = rules.collect();
        let rows = self.rows.iter().map(|row| line(row));
        [line(&head), line(&rules)]
            .into_iter()
            .chain(rows)
            .collect()
    }
}

/// A column of the table for people.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
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
    /// Default text columns: at most 100 characters with the longest names.
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

    /// The chosen columns, and those of the format where none are chosen.
    fn chosen(columns: &[Column], format: TableFormat) -> Vec<Column> {
        let is_all = columns.contains(&Column::All);
        match (columns, format) {
            ([], TableFormat::Text) => Column::NARROW.to_vec(),
            _ if is_all || columns.is_empty() => {
                let (_, columns) = Column::value_variants()
                    .split_last()
                    .unwrap_or((&Column::All, &[]));
                columns.to_vec()
            }
            _ => columns.to_vec(),
        }
    }

    fn head(self) -> &'static str {
        match self {
            Column::Boards => "boards",
            Column::Search => "search",
            Column::Heuristic => "heuristic",
            Column::Solved => "solved",
            Column::Length => "length",
            Column::MedianLength => "median length",
            Column::H0 => "h0",
            Column::Generated => "generated",
            Column::Expanded => "expanded",
            Column::Branching => "branching",
            Column::Ms => "ms",
            Column::MedianMs => "median ms",
            Column::KeptNodes => "kept nodes",
            Column::KeptKb => "kept kB",
            Column::All => "",
        }
    }

    fn is_words(self) -> bool {
        matches!(
            self,
            Column::Boards | Column::Search | Column::Heuristic | Column::Solved
        )
    }

    /// A group's figure: a mean over its boards unless the head says otherwise. Boards stopped by a
    /// limit count with their nodes and time so far, so the figure is a lower bound.
    fn cell(self, group: &Group) -> String {
        let at_least = if group.limits.is_empty() { "" } else { ">" };
        let cost = |number: f64, digits: usize| format!("{at_least}{}", grouped(number, digits));
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
            Column::Branching => group
                .branching_factor
                .map_or("-".to_owned(), |b| format!("{b:.3}")),
            Column::Ms => cost(group.ms.mean, 3),
            Column::MedianMs => cost(group.ms.median, 3),
            Column::KeptNodes => cost(group.peak.mean, 0),
            Column::KeptKb => cost(group.peak_bytes.mean / 1e3, 1),
            Column::All => String::new(),
        }
    }
}

/// Number of solved boards of a group, and the limits that ended the others.
fn solved(group: &Group) -> String {
    let limits = group.limits.iter();
    let limits = limits
        .map(|(limit, count)| format!("{count} at the {} limit", limit.trim_end_matches('s')));
    let limits: Vec<String> = limits.collect();
    match limits.is_empty() {
        true => format!("{}", group.solved),
        false => format!("{} ({})", group.solved, limits.join(", ")),
    }
}

/// The groups for people.
fn for_people(columns: &[Column], groups: &[(Group, Vec<&Record>)]) -> Table {
    let row = |group: &Group| columns.iter().map(|column| column.cell(group)).collect();
    Table {
        rows: groups.iter().map(|(group, _)| row(group)).collect(),
        columns: columns.iter().map(|column| column.head()).collect(),
        words: columns
            .iter()
            .take_while(|column| column.is_words())
            .count(),
    }
}

/// The table with a column for each figure. Figures of groups with limits are lower bounds.
fn csv(groups: &[(Group, Vec<&Record>)]) -> String {
    let mut text = "set,size,search,heuristic,boards,solved,limit_nodes,limit_memory,limit_time,\
                    length_mean,length_median,length_worst,h0_mean"
        .to_owned();
    for name in [
        "generated",
        "expanded",
        "reopened",
        "peak",
        "peak_bytes",
        "ms",
    ] {
        text += &format!(",{name}_mean,{name}_median,{name}_worst,{name}_total");
    }
    text += ",branching_factor\n";
    for (group, _) in groups {
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
            csv_field(&group.heuristic),
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
            group.peak_bytes,
            group.ms,
        ];
        for cost in costs {
            row.extend([cost.mean, cost.median, cost.worst, cost.total].map(plain));
        }
        row.push(optional(group.branching_factor));
        text += &format!("{}\n", row.join(","));
    }
    text
}

/// A row for each search.
pub(crate) fn records_csv(records: &[Record]) -> Result<String, Failure> {
    let mut text = "set,size,goal,number,board,search,heuristic,status,limit,length,\
                    optimal_length,moves,h0,generated,expanded,reopened,peak,peak_bytes,branching_factor,ms\n"
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
            csv_field(&record.heuristic),
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
            record.peak_bytes.to_string(),
            record.branching_factor.map_or(String::new(), plain),
            plain(record.ms),
        ];
        text += &format!("{}\n", row.join(","));
    }
    Ok(text)
}

/// At most four digits after the point.
pub(crate) fn plain(number: f64) -> String {
    let digits = format!("{number:.4}");
    digits
        .trim_end_matches('0')
        .trim_end_matches('.')
        .to_owned()
}

/// With commas between groups of three digits; digits after the point for small numbers only.
pub(crate) fn grouped(number: f64, digits: usize) -> String {
    match number >= 1000.0 {
        true => HumanCount(number.round() as u64).to_string(),
        false => format!("{number:.digits$}"),
    }
}
