//! The puzzle of a request: size, goal, metric and partition.

use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use puzzle::board_text::ListedBoard;
use puzzle::{Goal, Metric, Tray};

use super::board_text::BoardText;
use crate::config::Config;
use crate::problem::Problem;

/// Maximum bytes of a partition's text: enough to list all tiles of the largest board.
pub(crate) const MAX_PARTITION: usize = 2000;

/// Goal, metric and partition.
#[derive(Clone, Debug)]
pub(crate) struct Puzzle {
    pub(crate) size: Option<Tray>,
    goal: Option<String>,
    /// The parsed goal for the size of the request's first board.
    parsed: Arc<OnceLock<Arc<Goal>>>,
    pub(crate) metric: Metric,
    pub(crate) partition: Option<String>,
    max_cells: usize,
}

impl Puzzle {
    pub(crate) fn new(
        config: &Config,
        size: Option<String>,
        goal: Option<BoardText>,
        metric: Option<String>,
        partition: Option<String>,
    ) -> Result<Puzzle, Problem> {
        let size = parse(size.as_deref())?;
        let metric = parse(metric.as_deref())?;
        if partition
            .as_ref()
            .is_some_and(|partition| partition.len() > MAX_PARTITION)
        {
            return Err(Problem::input(format!(
                "partition is longer than the maximum of {MAX_PARTITION} bytes"
            )));
        }
        let puzzle = Puzzle {
            size,
            goal: goal.map(|goal| goal.text().to_owned()),
            parsed: Arc::default(),
            metric: metric.unwrap_or(Metric::Single),
            partition,
            max_cells: config.max_cells,
        };
        if let Some(size) = size {
            puzzle.check_cells(size)?;
        }
        Ok(puzzle)
    }

    /// Parses a board, and checks its size if the request has one.
    pub(crate) fn board(&self, board: &BoardText) -> Result<ListedBoard, Problem> {
        self.of_goal(board.read(self.size)?)
    }

    /// Checks that the goal that the text of a board states, if any, is the goal of the request.
    pub(crate) fn of_goal(&self, read: ListedBoard) -> Result<ListedBoard, Problem> {
        if read.goal.is_none() {
            return Ok(read);
        }
        let goal = self.goal(Some(read.board.tray()))?;
        read.for_goal(&goal).map_err(Problem::input)
    }

    /// The goal for boards of the size `tray`. If no size is known, `blank-last` and `blank-first`
    /// are goals of 4x4.
    pub(crate) fn goal(&self, tray: Option<Tray>) -> Result<Arc<Goal>, Problem> {
        let parsed = self.parsed.get();
        if let Some(goal) = parsed.filter(|goal| tray == Some(goal.tray())) {
            return Ok(Arc::clone(goal));
        }
        let goal = self.goal.as_deref().unwrap_or("blank-last");
        let goal = Goal::parse(goal, tray.or(self.size));
        let goal = goal.map_err(|error| Problem::input(format!("goal: {error}")))?;
        self.check_cells(goal.tray())?;
        let goal = Arc::new(goal);
        // If a board of a list differs in size from the first board, the goal is parsed again for
        // that board.
        let _ = self.parsed.set(Arc::clone(&goal));
        Ok(goal)
    }

    fn check_cells(&self, tray: Tray) -> Result<(), Problem> {
        match tray.cells() > self.max_cells {
            true => Err(Problem::input(format!(
                "a {tray} board has {} cells, maximum {}",
                tray.cells(),
                self.max_cells
            ))),
            false => Ok(()),
        }
    }
}

pub(crate) fn parse<T: FromStr<Err: std::fmt::Display>>(
    text: Option<&str>,
) -> Result<Option<T>, Problem> {
    text.map(str::parse).transpose().map_err(Problem::input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_is_parsed_once_per_request() {
        let config = Config::default();
        let puzzle = Puzzle::new(&config, None, None, None, None).unwrap();
        let tray = |text: &str| Some(text.parse::<Tray>().unwrap());
        let first = puzzle.goal(tray("3x3")).unwrap();
        assert!(Arc::ptr_eq(&first, &puzzle.goal(tray("3x3")).unwrap()));
        assert!(Arc::ptr_eq(
            &first,
            &puzzle.clone().goal(tray("3x3")).unwrap()
        ));
        // Another size has its own goal; without a size, the goal is that of 4x4.
        assert_eq!(
            puzzle.goal(tray("2x3")).unwrap().tray(),
            tray("2x3").unwrap()
        );
        assert_eq!(puzzle.goal(None).unwrap().tray(), tray("4x4").unwrap());
    }
}
