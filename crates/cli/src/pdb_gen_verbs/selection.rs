//! The tables that a verb applies to: those of a partition, or of one pattern.

use command::quantity::count_within;
use command::{BuildCommand, Failure, PatternArgs, SharedArgs};
use pdb_gen::{BuildError, TableStore, free_memory};
use pdb_table::{Compression, Encoding, Header};
use puzzle::{Goal, HeuristicSpec, Metric, Partition, TableId, Tray};

/// The options that select tables and their file format, besides the shared options.
#[derive(clap::Args, Debug)]
pub(crate) struct Selection {
    #[command(flatten)]
    pub(crate) shared: SharedArgs,
    #[command(flatten)]
    pub(crate) pattern: PatternArgs,
    /// Add the partition's tables for other goal cells of the blank, with which solver searches
    /// boards from both sides; those of small partitions such as 6-6-3 are built anyway
    #[arg(long, conflicts_with = "tiles", global = true)]
    pub(crate) both_sides: bool,
    /// Encoding of the values: one-bit (zero-aware tables only), u8, or mod-3 (runs tables only)
    /// [default: one-bit for zero-aware tables, mod-3 for runs tables, else u8]
    #[arg(long, global = true)]
    pub(crate) encoding: Option<Encoding>,
    /// Compress written files with zstd at this level, 1 to 22 (19 if no level is given).
    /// Compressed files are smaller, but are decompressed whenever they are opened. With this
    /// option, info, list, verify and stats read only compressed files
    #[arg(long, value_name = "LEVEL", num_args = 0..=1, default_missing_value = "19", global = true,
          value_parser = parse_level, allow_negative_numbers = true)]
    pub(crate) zstd: Option<i32>,
}

fn parse_level(text: &str) -> Result<i32, String> {
    let level = count_within(1..=22)(text)?;
    i32::try_from(level).map_err(|error| error.to_string())
}

impl Selection {
    /// The tables that a build makes, without duplicates: the selected ones, and those of the
    /// partition's default set.
    pub(crate) fn tables_to_build(&self) -> Result<Vec<TableId>, Failure> {
        let mut tables = self.tables()?;
        if self.pattern.tiles.is_none() && !self.both_sides {
            let spec = self.spec()?;
            let usual = HeuristicSpec::tables_of(&spec.usual_goals());
            tables.extend(usual.into_iter().filter(|id| !spec.tables().contains(id)));
        }
        Ok(tables)
    }

    /// Whether `--both-sides` would add tables to [`Self::tables_to_build`].
    pub(crate) fn has_more_sides(&self) -> Result<bool, Failure> {
        if self.pattern.tiles.is_some() || self.both_sides {
            return Ok(false);
        }
        let spec = self.spec()?;
        Ok(spec.usual_goals() != spec.other_goals())
    }

    /// The selected tables, without duplicates.
    pub(crate) fn tables(&self) -> Result<Vec<TableId>, Failure> {
        let tables = if self.both_sides {
            let spec = self.spec()?;
            HeuristicSpec::tables_of([&spec].into_iter().chain(&spec.other_goals()))
        } else {
            self.pattern.tables(&self.shared)?
        };
        if let Some(encoding) = self.encoding {
            if let Some(id) = tables.iter().find(|id| !encoding.suits(id.kind())) {
                let kind = id.kind();
                return Err(Failure::input(BuildError::Encoding { kind, encoding }));
            }
        }
        Ok(tables)
    }

    /// The selected partition.
    pub(crate) fn spec(&self) -> Result<HeuristicSpec, Failure> {
        self.shared.spec(&self.shared.goal(None)?)
    }

    /// The partitions; with `--tiles`, one partition whose only pattern has those tiles.
    pub(crate) fn partitions(&self, goal: &Goal) -> Result<Vec<Partition>, Failure> {
        let Some((_, pattern)) = self.pattern.get(goal)? else {
            return Ok(self.shared.spec(goal)?.partitions().to_vec());
        };
        let partition = Partition::new(self.shared.kind(), vec![pattern]);
        Ok(vec![partition.map_err(Failure::input)?])
    }

    /// Whether the options name tables. Otherwise they only filter existing tables.
    pub(crate) fn names_tables(&self) -> bool {
        let shared = &self.shared;
        let by_goal =
            self.both_sides || (shared.goal.as_ref()).is_some_and(|goal| goal != "blank-last");
        self.pattern.tiles.is_some() || shared.partition.is_some() || by_goal
    }

    /// Whether an existing table is selected.
    pub(crate) fn selects(&self, header: &Header) -> bool {
        let (shared, id) = (&self.shared, header.id);
        // A table is stored in only one of its orientations, so `--size` matches the sides of the
        // tray in either order.
        let has_size = |size: Tray| {
            let (width, height) = (id.tray().width(), id.tray().height());
            [(width, height), (height, width)].contains(&(size.width(), size.height()))
        };
        shared.size.is_none_or(has_size)
            && (!self.has_kind() || id.kind() == shared.kind())
            && self.encoding.is_none_or(|own| own == header.encoding)
    }

    fn has_kind(&self) -> bool {
        self.shared.kind.is_some() || self.shared.metric == Some(Metric::Multi)
    }

    /// Whether the command line selects tables at all.
    pub(crate) fn is_given(&self) -> bool {
        let by_form = self.has_kind() || self.encoding.is_some();
        self.names_tables() || self.shared.size.is_some() || by_form
    }

    /// The command that builds the selected tables, or applies a verb to them.
    pub(crate) fn command(
        &self,
        verb: &[&str],
        goal: &Goal,
        tiles: Option<String>,
    ) -> BuildCommand {
        let mut command = BuildCommand::new(verb, &self.shared, goal, tiles);
        if let Some(encoding) = self.encoding {
            command.add("--encoding", encoding);
        }
        if self.both_sides {
            command.add_flag("--both-sides");
        }
        command
    }

    /// The command that builds the selected tables in the directory of `--tables`.
    pub(crate) fn build_command(&self, goal: &Goal) -> BuildCommand {
        self.in_directory(self.command(&[], goal, self.pattern.tiles.clone()))
    }

    /// A command with the option `--tables` of this one.
    pub(crate) fn in_directory(&self, mut command: BuildCommand) -> BuildCommand {
        if let Some(tables) = &self.shared.tables {
            command.add("--tables", tables.display());
        }
        command
    }

    /// The tables directory, with the requested format for written files.
    pub(crate) fn store(&self) -> Result<TableStore, Failure> {
        let mut store = TableStore::new(self.shared.directory()?);
        store.encoding = self.encoding;
        store.compression = self.zstd.map_or(Compression::None, Compression::Zstd);
        store.memory = free_memory();
        Ok(store)
    }
}
