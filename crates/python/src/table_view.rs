//! Views of a table: the goal and the orientation of its look-ups.

use puzzle::{CellSet, Goal, HeuristicSpec, Pattern, Symmetry, TableId, TableKind};

/// The goal and orientation in which a table is used.
#[derive(Clone, Debug)]
pub(crate) struct TableView {
    pub(crate) goal: Goal,
    /// The goal cells of the pattern's tiles.
    pub(crate) tiles: CellSet,
    /// Maps the pattern to the table's orientation.
    pub(crate) symmetry: Symmetry,
}

impl TableView {
    /// The view in which the table is stored. The goal of the view has the blank on the first blank
    /// cell of `id`, and the tiles in ascending order.
    pub(crate) fn stored(id: TableId) -> TableView {
        let blank = id.blank().lowest().unwrap_or(id.tray().last());
        TableView {
            goal: Goal::with_blank(id.tray(), blank),
            tiles: id.tiles(),
            symmetry: Symmetry::Identity,
        }
    }

    /// The view of a pattern of a goal.
    pub(crate) fn of_pattern(goal: &Goal, pattern: &Pattern, kind: TableKind) -> TableView {
        TableView {
            goal: goal.clone(),
            tiles: pattern.tiles(),
            symmetry: pattern.table(kind).1,
        }
    }

    /// The view for the first pattern of `spec` that uses the table `id`. If no pattern uses the
    /// table, the result is [`TableView::stored`].
    pub(crate) fn of_spec(goal: &Goal, spec: &HeuristicSpec, id: TableId) -> TableView {
        let mut patterns = spec.patterns();
        let found = patterns.find(|(pattern, kind)| pattern.table(*kind).0 == id);
        match found {
            Some((pattern, kind)) => TableView::of_pattern(goal, &pattern, kind),
            None => TableView::stored(id),
        }
    }

    /// The numbers on the tiles, ascending.
    pub(crate) fn numbers(&self) -> Vec<u16> {
        let mut numbers: Vec<u16> = self.tiles.iter().map(|t| self.goal.number_at(t)).collect();
        numbers.sort_unstable();
        numbers
    }
}
