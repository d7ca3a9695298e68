//! Pattern databases.

use puzzle::{Cell, Goal, TableKind};
use solver::{PatternLookup, PatternState};

use super::{Heuristic, Term, listed};
use crate::position::{Position, Slide};

/// Tables of the distances of patterns. A pattern is a set of tiles; all other tiles are
/// indistinguishable.
///
/// Values of additive tables count only moves of the pattern's own tiles, so the values of a
/// partition's patterns add up. The heuristic is the maximum over the views: the partitions and
/// their images under the symmetries that keep the goal's blank. Unlike the solver's heuristic,
/// this heuristic does not add the Manhattan distance of tiles outside all patterns.
pub struct PatternDatabase {
    pub(super) name: String,
    pub(super) views: Vec<TableView>,
}

/// Patterns whose values add up.
pub(super) struct TableView {
    pub(super) kind: TableKind,
    pub(super) parts: Vec<ViewPart>,
    /// Index of each tile's part, if any. The tiles are numbered by their goal cells.
    pub(super) part_of_tile: Vec<Option<u16>>,
}

/// A pattern and its table.
pub(super) struct ViewPart {
    pub(super) tiles: Vec<Cell>,
    pub(super) lookup: PatternLookup,
}

impl Heuristic for PatternDatabase {
    /// The state of each part, view by view.
    type Carried = Vec<PatternState>;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn source(&self) -> &'static str {
        match self.views.first().map(|view| view.kind) {
            Some(TableKind::BlankCompressed) => {
                "R. E. Korf and A. Felner, Disjoint pattern database heuristics, 2002"
            }
            Some(TableKind::ZeroAware) => {
                "R. Clausecker and A. Reinefeld, Zero-aware pattern databases with 1-bit \
                 compression for sliding tile puzzles, 2019"
            }
            _ => "J. Culberson and J. Schaeffer, Pattern databases, 1998",
        }
    }

    /// If the entries of a table include the blank's region or cell, a move changes the table's
    /// value by at most one. Values of blank-compressed tables are minima over the regions and can
    /// change by more.
    fn is_consistent(&self) -> bool {
        let mut kinds = self.views.iter().map(|view| view.kind);
        kinds.all(|kind| kind != TableKind::BlankCompressed)
    }

    fn carry(&self, position: &Position) -> Vec<PatternState> {
        let mut cell_of = vec![Cell::new(0); position.pieces().len()];
        for (cell, &piece) in position.tray().iter().zip(position.pieces()) {
            cell_of[usize::from(piece)] = cell;
        }
        let blank = Cell::new(position.blank().into());
        let parts = self.views.iter().flat_map(|view| &view.parts);
        let root = |part: &ViewPart| part.lookup.root_at(|tile| cell_of[tile.index()], blank);
        // Only a damaged table lacks the value of a part; the value is then 0.
        parts.map(|part| root(part).unwrap_or_default()).collect()
    }

    fn follow(
        &self,
        before: &Vec<PatternState>,
        after: &mut Vec<PatternState>,
        _position: &Position,
        slide: Slide,
    ) {
        after.copy_from_slice(before);
        let (from, hole) = (Cell::new(slide.from.into()), Cell::new(slide.to.into()));
        let mut first = 0;
        for view in &self.views {
            let moved = match view.kind.has_blank() {
                // The blank belongs to the pattern, so every move changes the pattern's state.
                true => Some(0),
                false => view.part_of_tile[usize::from(slide.tile)],
            };
            if let Some(part) = moved {
                let part = usize::from(part);
                let state = &mut after[first + part];
                *state = view.parts[part].lookup.after(*state, from, hole);
            }
            first += view.parts.len();
        }
    }

    fn value(&self, carried: &Vec<PatternState>) -> u32 {
        let mut states = carried.iter();
        let sums = self.views.iter().map(|view| {
            let own = states.by_ref().take(view.parts.len());
            own.map(|state| u32::from(state.value())).sum()
        });
        sums.max().unwrap_or(0)
    }

    fn explain(&self, position: &Position, goal: &Goal) -> Vec<Term> {
        let carried = self.carry(position);
        let mut states = carried.iter();
        let mut terms = Vec::new();
        let largest = self.value(&carried);
        for view in &self.views {
            let values = states.by_ref().take(view.parts.len());
            let values: Vec<u32> = values.map(|state| state.value().into()).collect();
            for (part, &value) in view.parts.iter().zip(&values) {
                let tiles = part.tiles.iter().map(|&tile| goal.number_at(tile));
                let mut tiles: Vec<u16> = tiles.collect();
                tiles.sort_unstable();
                terms.push(Term {
                    words: format!("tiles {}", listed(&tiles).replace(' ', "")),
                    tiles,
                    value,
                });
            }
            if view.parts.len() > 1 {
                terms.push(Term {
                    words: match values.iter().sum::<u32>() == largest && self.views.len() > 1 {
                        true => "their sum, the largest".to_owned(),
                        false => "their sum".to_owned(),
                    },
                    tiles: Vec::new(),
                    value: values.iter().sum(),
                });
            }
        }
        terms
    }
}

impl std::fmt::Debug for PatternDatabase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PatternDatabase")
            .field("name", &self.name)
            .field("views", &self.views.len())
            .finish()
    }
}
