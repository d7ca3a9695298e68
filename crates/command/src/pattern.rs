//! Tables named on the command line: those of a partition, or of one pattern.

use clap::Args;
use puzzle::{Cell, Goal, HeuristicSpec, Pattern, TableId};

use crate::arguments::SharedArgs;
use crate::failure::Failure;

/// The option that selects one pattern.
#[derive(Args, Clone, Debug)]
pub struct PatternArgs {
    /// Tile numbers of one pattern, such as 1,2,5,6, instead of a partition
    #[arg(long, value_name = "LIST", conflicts_with = "partition", global = true)]
    pub tiles: Option<String>,
}

impl PatternArgs {
    /// The goal cells of the tiles in `--tiles`, in the order of that list, and the pattern of
    /// these cells. `None` if `--tiles` is not given.
    ///
    /// # Errors
    /// The list is not a pattern.
    pub fn get(&self, goal: &Goal) -> Result<Option<(Vec<Cell>, Pattern)>, Failure> {
        let Some(list) = &self.tiles else {
            return Ok(None);
        };
        let tiles = HeuristicSpec::parse_tiles(list, goal).map_err(Failure::input)?;
        let pattern = Pattern::new(goal.tray(), tiles.iter().copied().collect(), goal.blank());
        Ok(Some((tiles, pattern.map_err(Failure::input)?)))
    }

    /// The tables of the pattern or, if no pattern is given, of the partition in the shared
    /// options. Each table is listed once.
    ///
    /// # Errors
    /// The options are invalid, or they name a heuristic without tables.
    pub fn tables(&self, shared: &SharedArgs) -> Result<Vec<TableId>, Failure> {
        let goal = shared.goal(None)?;
        let tables = match self.get(&goal)? {
            Some((_, pattern)) => vec![pattern.table(shared.kind()).0],
            None => shared.spec(&goal)?.tables(),
        };
        if tables.is_empty() {
            Pattern::check_tray(goal.tray()).map_err(Failure::input)?;
            return Err(Failure::input(
                "manhattan distance needs no tables; name a partition, such as --partition 6-6-3",
            ));
        }
        Ok(tables)
    }
}
