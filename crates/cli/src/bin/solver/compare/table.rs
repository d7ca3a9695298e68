//! The tables of a comparison.

use cli::Failure;
use cli::words::csv_field;
use indicatif::HumanCount;
use lab::Record;
use lab::compare::Group;

use super::TableFormat;

/// The table of groups in a format.
pub(crate) fn write(format: TableFormat, groups: &[(Group, Vec<&Record>)]) -> String {
    match format {
        TableFormat::Text => {
            let mut text = for_people(groups).text();
            if groups.iter().any(|(group, _)| !group.limits.is_empty()) {
                text +=
                    "length, branching: of the solved boards; >: of all boards, up to the limit\n";
            }
            text
        }
        TableFormat::Markdown => for_people(groups).markdown(),
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

const COLUMNS: [&str; 13] = [
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
    "kept nodes",
    "kept MB",
];

/// The groups for people. Boards that a limit ended count with what they took, so their group's
/// figures are at least that much.
fn for_people(groups: &[(Group, Vec<&Record>)]) -> Table {
    let rows = groups.iter().map(|(group, _)| {
        let at_least = if group.limits.is_empty() { "" } else { ">" };
        let cost = |number: f64, digits: usize| format!("{at_least}{}", grouped(number, digits));
        let limits = group
            .limits
            .iter()
            .map(|(limit, count)| format!("{count} at the {} limit", limit.trim_end_matches('s')));
        let limits: Vec<String> = limits.collect();
        let solved = match limits.is_empty() {
            true => format!("{}", group.solved),
            false => format!("{} ({})", group.solved, limits.join(", ")),
        };
        let length = |number: fn(&solver::Spread) -> f64, digits: usize| {
            let spread = group.length.as_ref().map(number);
            spread.map_or("-".to_owned(), |number| format!("{number:.digits$}"))
        };
        vec![
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
            cost(group.peak.mean, 0),
            cost(group.peak_bytes.mean / 1e6, 1),
        ]
    });
    Table {
        rows: rows.collect(),
        columns: COLUMNS.to_vec(),
        words: 4,
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
