//! Statistics of table files as text, CSV and JSON.

use std::path::{Path, PathBuf};

use command::words::{counted, csv_field, with_fields};
use pdb_table::{Header, Stats};
use serde_json::json;

use super::{csv_lines, level_lines};
use crate::table_files::describe;

/// A table file and its statistics.
#[derive(Debug)]
pub(super) struct TableStats {
    path: PathBuf,
    pub(super) header: Header,
    pub(super) stats: Stats,
}

impl TableStats {
    pub(super) fn new(path: &Path, header: &Header) -> Self {
        TableStats {
            path: path.to_owned(),
            header: header.clone(),
            stats: Stats::new(&header.histogram),
        }
    }
}

pub(super) fn text(tables: &[TableStats]) -> String {
    let mut text = String::new();
    for table in tables {
        let (id, stats) = (table.header.id, &table.stats);
        text += &format!(
            "{}\n  {} {} table of {}, {} entries reached\n\
             \x20 mean {:.4}, standard deviation {:.4}, median {}, largest {}\n",
            table.path.display(),
            id.tray(),
            id.kind(),
            counted(id.tiles().len() as u64, "tile"),
            stats.entries(),
            stats.mean(),
            stats.deviation(),
            stats.median(),
            stats.max()
        );
        text += &level_lines(stats);
    }
    text
}

pub(super) fn csv(tables: &[TableStats]) -> String {
    let lines = tables.iter().map(|table| {
        let name = csv_field(&table.path.to_string_lossy());
        csv_lines(&table.stats, &format!("{name},"))
    });
    format!(
        "file,value,count,share,growth,growth2\n{}",
        lines.collect::<String>()
    )
}

/// The object of `info --json` for each table, with the table's statistics added.
pub(super) fn json_lines(tables: &[TableStats]) -> String {
    let line = |table: &TableStats| {
        let stats = &table.stats;
        let fields = json!({
            "mean": stats.mean(),
            "deviation": stats.deviation(),
            "median": stats.median(),
            "growth": stats.levels().map(|level| level.growth).collect::<Vec<_>>(),
            "growth2": stats.levels().map(|level| level.growth2).collect::<Vec<_>>(),
        });
        let object = with_fields(describe(&table.path, &table.header), fields);
        format!("{object}\n")
    };
    tables.iter().map(line).collect()
}
