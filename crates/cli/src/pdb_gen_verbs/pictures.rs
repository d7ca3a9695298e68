//! Output about the requested partitions: pictures, the meanings of names such as `best`, and the
//! parts that use a table.

use std::collections::BTreeSet;

use command::{Failure, print_line};
use puzzle::{
    Cell, Goal, HeuristicSpec, Metric, Partition, PartitionPicture, Pattern, TableId, Tray,
};
use serde_json::{Value, json};

use crate::selection::Selection;

/// Maximum width of a row of pictures, in characters.
const WIDTH: usize = 76;

/// The requested partitions.
pub(crate) struct Pictures {
    goal: Goal,
    partitions: Vec<Partition>,
    /// Meanings of the names in `--partition`.
    meanings: Vec<String>,
}

impl Pictures {
    pub(crate) fn new(selection: &Selection) -> Result<Self, Failure> {
        let shared = &selection.shared;
        let goal = shared.goal(None)?;
        let names = shared.partition.iter().flat_map(|name| name.split('+'));
        let names = names.filter(|_| shared.metric() == Metric::Single);
        let meanings = names.filter_map(|name| meaning(name.trim(), goal.tray()));
        Ok(Pictures {
            meanings: meanings.collect(),
            partitions: selection.partitions(&goal)?,
            goal,
        })
    }

    /// Prints the meanings of names such as `best`, then the pictures side by side.
    pub(crate) fn print(&self) {
        self.meanings.iter().for_each(print_line);
        let tray = self.goal.tray();
        let titles = (0..self.partitions.len()).map(|number| self.number(number));
        let blocks = titles.zip(&self.partitions).map(|(title, partition)| {
            let rows = (0..tray.height()).map(|row| self.row(partition, row));
            let title = (!title.is_empty()).then_some(title);
            title.into_iter().chain(rows).collect::<Vec<String>>()
        });
        let blocks: Vec<Vec<String>> = blocks.collect();
        let width = 2 * tray.width() + 3;
        for blocks in blocks.chunks((WIDTH / width).max(1)) {
            for line in 0..blocks[0].len() {
                let cell = |block: &Vec<String>| format!("    {:<1$}", block[line], width - 4);
                print_line(blocks.iter().map(cell).collect::<String>().trim_end());
            }
        }
        let tables: BTreeSet<TableId> = self.parts().map(|part| part.2).collect();
        let shared = match tables.len() < self.parts().count() {
            true => "; parts with one table are images of each other",
            false => "",
        };
        print_line(format_args!("    (.: the blank at home{shared})"));
        let views = Partition::views(&self.partitions, tray, self.goal.blank()).len();
        let these = match self.partitions.len() {
            partitions if views <= partitions => return,
            1 => "this and its images",
            _ => "these and their images",
        };
        print_line(format_args!(
            "    h is the maximum over {views} views: {these}"
        ));
    }

    /// The parts that use a table, such as `for 1a, 2b`. Here `1a` is the part whose tiles have the
    /// letter `a` in the picture of partition 1. The tiles follow, as `--tiles` takes them.
    pub(crate) fn served(&self, id: TableId) -> String {
        let served = self.parts().filter(|&(_, _, table)| table == id);
        let name = |(partition, part, _): (usize, usize, TableId)| {
            let tiles = self.tiles(&self.partitions[partition].patterns()[part]);
            let tiles: Vec<String> = tiles.iter().map(ToString::to_string).collect();
            let number = self.number(partition);
            format!("{number}{} (tiles {})", sign(part), tiles.join(","))
        };
        let names: Vec<String> = served.map(name).collect();
        match names.is_empty() {
            true => "for other goal cells of the blank".to_owned(),
            false => format!("for {}", names.join(", ")),
        }
    }

    /// [`Self::served`] as JSON: pairs of a partition's number and a part's number, both counted
    /// from 0.
    pub(crate) fn served_as_json(&self, id: TableId) -> Value {
        let served = self.parts().filter(|&(_, _, table)| table == id);
        let pairs = served.map(|(partition, part, _)| json!([partition, part]));
        pairs.collect()
    }

    /// Tile numbers of each part of each partition.
    pub(crate) fn as_json(&self) -> Value {
        let partitions = self.partitions.iter().map(|partition| {
            let parts = partition.patterns().iter();
            parts.map(|part| self.tiles(part)).collect::<Vec<_>>()
        });
        json!(partitions.collect::<Vec<_>>())
    }

    fn tiles(&self, part: &Pattern) -> Vec<u16> {
        let number = |cell: Cell| self.goal.number_at(cell);
        part.tiles().iter().map(number).collect()
    }

    /// All parts: the number of the partition, the number of the part, and the part's table.
    fn parts(&self) -> impl Iterator<Item = (usize, usize, TableId)> {
        let partitions = self.partitions.iter().enumerate();
        partitions.flat_map(|(number, partition)| {
            let parts = partition.patterns().iter().enumerate();
            parts.map(move |(part, pattern)| (number, part, pattern.table(partition.kind()).0))
        })
    }

    /// Number of a partition, from 1; empty if there is only one partition.
    fn number(&self, partition: usize) -> String {
        match self.partitions.len() {
            1 => String::new(),
            _ => (partition + 1).to_string(),
        }
    }

    fn row(&self, partition: &Partition, row: usize) -> String {
        let tray = self.goal.tray();
        let signs = (0..tray.width()).map(|column| {
            let cell = tray.cell(column, row);
            let mut parts = partition.patterns().iter();
            match parts.position(|part| part.tiles().contains(cell)) {
                Some(part) => sign(part).to_string(),
                None if cell == self.goal.blank() => ".".to_owned(),
                None => "-".to_owned(),
            }
        });
        signs.collect::<Vec<_>>().join(" ")
    }
}

fn sign(part: usize) -> char {
    PartitionPicture::sign(part)
}

/// Explanation of a partition name that is a word, such as `best`; `None` for other names.
fn meaning(name: &str, tray: Tray) -> Option<String> {
    let room = match (tray.width(), tray.height(), name) {
        (4, 4, "small") => Some("8.5 MiB"),
        (4, 4, _) => Some("400 MiB"),
        (5, 5, "small") => Some("240 MiB"),
        (5, 5, _) => Some("2.2 GiB"),
        (8, 8, "best") => Some("340 MiB"),
        _ => None,
    };
    let what = match name {
        "best" if tray.cells() > 25 => "the highest estimates",
        "best" => "the fastest searches",
        "fewest" => "the searches that generate the fewest nodes",
        "small" => "the fastest searches",
        _ => return None,
    };
    Some(match room {
        Some(room) => format!(
            "{name}: {what}, as measured, with up to {room} of tables (goals with the blank in a \
             corner)"
        ),
        None => format!(
            "{name}: on a {tray} tray the default, {}",
            HeuristicSpec::default_name(Metric::Single, tray)
        ),
    })
}
