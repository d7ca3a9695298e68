//! Textbook IDA*: recursive, one node at a time, with new look-ups of all entries at every node.

use pdb_gen::build;
use pdb_table::{Control, Encoding, Table};
use puzzle::{
    Board, Cell, CellSet, Direction, Goal, HeuristicSpec, Pattern, Ranking, Scrambler, State,
    Symmetry, TableKind,
};
use solver::{Side, SolveOptions};

/// A search that generates fewer nodes looks at all of them in depth-first order. Longer searches
/// look at the subtrees in another order, and may find another solution.
pub(crate) const PLAIN_BELOW: u64 = 30_000;

/// Options of a search from the start. [`Reference`] also searches from the start.
pub(crate) fn from_start() -> SolveOptions {
    SolveOptions::default().side(Side::Start)
}

/// The heuristic of the reference search: the largest of the views' sums. If the first view is not
/// a sum over all tiles, the maximum also includes Manhattan distance.
pub(crate) struct Reference {
    views: Vec<Vec<Part>>,
    tables: Vec<(Table<Vec<u8>>, Ranking)>,
    order: [Direction; 4],
    with_manhattan: bool,
}

struct Part {
    table: usize,
    tiles: CellSet,
    symmetry: Symmetry,
}

/// Result and cost of a search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Found {
    pub(crate) moves: Vec<Direction>,
    pub(crate) generated: u64,
    pub(crate) expanded: u64,
    pub(crate) h0: u32,
    /// Each searched bound, with the number of nodes generated before its search.
    pub(crate) bounds: Vec<(u32, u64)>,
    /// Each searched bound, with the numbers of nodes generated and expanded in its search.
    pub(crate) iterations: Vec<(u32, u64, u64)>,
}

impl Reference {
    pub(crate) fn new(spec: &HeuristicSpec) -> Reference {
        let tray = spec.tray();
        let mut tables: Vec<(Table<Vec<u8>>, Ranking)> = Vec::new();
        let mut views = Vec::new();
        for view in spec.views() {
            let part = |pattern: &Pattern| {
                let (id, symmetry) = pattern.table(view.kind());
                let known = tables.iter().position(|(table, _)| table.id() == id);
                let table = known.unwrap_or_else(|| {
                    let table = build(id, Encoding::U8, &Control::default())
                        .unwrap()
                        .into_table();
                    let table = Table::new(table.bytes().to_vec()).unwrap();
                    let ranking = table.ranking().unwrap();
                    tables.push((table, ranking));
                    tables.len() - 1
                });
                Part {
                    table,
                    tiles: id.tiles(),
                    symmetry,
                }
            };
            views.push(view.patterns().iter().map(part).collect());
        }
        let is_whole = spec.views().first().is_some_and(|view| {
            let tiles = view.tiles().len();
            view.kind() != TableKind::FullCost && tiles == tray.cells() - 1
        });
        Reference {
            views,
            tables,
            order: spec.order(),
            with_manhattan: !is_whole,
        }
    }

    /// Manhattan distance, if it contributes, and the views' sums, in the order of evaluation.
    fn estimates(&self, state: &State) -> impl Iterator<Item = u32> {
        let tray = state.tray();
        let manhattan = self.with_manhattan.then(|| state.manhattan());
        let sums = self.views.iter().map(move |view| {
            let value = |part: &Part| {
                let map = |cell: Cell| part.symmetry.map(tray, cell);
                let mut places = vec![Cell::new(0); tray.cells()];
                for (cell, &piece) in tray.iter().zip(state.pieces()) {
                    places[map(piece).index()] = map(cell);
                }
                let (table, ranking) = &self.tables[part.table];
                let place = |tile: Cell| places[tile.index()];
                let (row, rank) = ranking.locate(part.tiles, map(state.blank()), place);
                let entry = row * ranking.row_entries() + rank as usize;
                u32::from(table.byte(entry as u64).unwrap())
            };
            view.iter().map(value).sum()
        });
        manhattan.into_iter().chain(sums)
    }

    pub(crate) fn solve(&self, state: &State) -> Found {
        let mut found = Found {
            h0: self.estimates(state).max().unwrap(),
            ..Found::default()
        };
        let mut bound = found.h0;
        let mut state = state.clone();
        loop {
            found.bounds.push((bound, found.generated));
            if state.is_goal() {
                return found;
            }
            let (mut next, before) = (u32::MAX, (found.generated, found.expanded));
            let is_solved = self.dive(&mut state, None, bound, &mut next, &mut found);
            let (generated, expanded) = (found.generated - before.0, found.expanded - before.1);
            found.iterations.push((bound, generated, expanded));
            if is_solved {
                found.moves.reverse();
                return found;
            }
            bound = next;
        }
    }

    /// Whether there is a solution of up to `left` more moves. Stores its moves in reverse order.
    fn dive(
        &self,
        state: &mut State,
        last: Option<Direction>,
        left: u32,
        next: &mut u32,
        found: &mut Found,
    ) -> bool {
        found.expanded += 1;
        for blank in self.order {
            let tile = blank.opposite();
            if last == Some(blank) || !state.slide(tile) {
                continue;
            }
            found.generated += 1;
            // As in the solver, the next bound uses the first estimate that prunes the node. A
            // later estimate can be larger if values are not consistent.
            let over = self.estimates(state).find(|estimate| estimate + 1 > left);
            let is_found = match over {
                Some(estimate) => {
                    let bound = found.bounds.last().unwrap().0;
                    *next = (*next).min(bound - left + estimate + 1);
                    false
                }
                None => state.is_goal() || self.dive(state, Some(tile), left - 1, next, found),
            };
            state.slide(blank);
            if is_found {
                found.moves.push(tile);
                return true;
            }
        }
        false
    }
}

pub(crate) fn spec(goal: &Goal, partition: &str, kind: TableKind) -> HeuristicSpec {
    HeuristicSpec::builder(goal)
        .kind(kind)
        .parse(partition)
        .unwrap()
}

pub(crate) fn goal(size: &str, blank: usize) -> Goal {
    Goal::with_blank(size.parse().unwrap(), Cell::new(blank))
}

/// Random states for a goal.
pub(crate) fn drawn(goal: &Goal, count: usize, seed: u64) -> Vec<State> {
    let mut scrambler = Scrambler::new(seed);
    let draw = || scrambler.draw(goal.tray(), goal.blank());
    std::iter::repeat_with(draw).take(count).collect()
}

/// A state after `moves` random moves from the goal. No move undoes the move before it.
pub(crate) fn walked(goal: &Goal, moves: usize, seed: u64) -> State {
    let mut state = State::goal(goal.tray(), goal.blank());
    let (mut random, mut made, mut last) = (seed, 0, None);
    while made < moves {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let direction = Direction::ALL[(random >> 62) as usize];
        if last != Some(direction.opposite()) && state.slide(direction) {
            last = Some(direction);
            made += 1;
        }
    }
    state
}

/// The boards of a suite.
pub(crate) fn suite(file: &str) -> Vec<Board> {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    let read = |line| {
        puzzle::board_text::parse_listed(line, None, false)
            .unwrap()
            .board
    };
    lines.map(read).collect()
}

pub(crate) const KORF_100: &str = include_str!("../../../../data/suites/korf100.txt");
