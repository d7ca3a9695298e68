//! Compares probes with three sources: the search's estimates, tables of one byte per entry, and
//! pinned numbers. Probes share no look-up code with the search.

use std::collections::HashMap;

use pdb_gen::build;
use pdb_table::{Control, Encoding, Table};
use puzzle::{Board, Goal, HeuristicSpec, Metric, Ranking, Scrambler, State, TableKind};
use solver::{Probe, Solver};

/// A solver, and the tables of its specification with one byte per entry.
struct Checked {
    solver: Solver,
    tables: HashMap<String, (Table<Vec<u8>>, Ranking)>,
}

impl Checked {
    fn new(spec: HeuristicSpec, goal: &Goal) -> Checked {
        let bytes = |id| {
            let table = build(id, Encoding::U8, &Control::default()).unwrap();
            let table = Table::new(table.into_table().bytes().to_vec()).unwrap();
            let ranking = table.ranking().unwrap();
            (id.name(), (table, ranking))
        };
        let tables = spec.tables().into_iter().map(bytes).collect();
        let solver = Solver::build_one_side(goal.clone(), spec).unwrap();
        Checked { solver, tables }
    }

    /// Checks that the estimate equals the search's estimate, and that all numbers agree with each
    /// other and with the table.
    fn check(&self, board: &Board) -> Probe {
        let probe = self.solver.probe(board).unwrap();
        assert_eq!(
            probe.estimate,
            self.solver.estimate(board).unwrap(),
            "{board}"
        );
        let views = self.solver.spec().views();
        assert_eq!(views.len(), probe.views.len());
        for (view, expected) in probe.views.iter().zip(&views) {
            let partition = &self.solver.spec().partitions()[view.partition];
            assert!(partition.map(view.symmetry).is_same(expected));
            assert_eq!(
                (view.kind, view.parts.len()),
                (expected.kind(), expected.patterns().len())
            );
            let values = view.parts.iter().map(|part| u32::from(part.value));
            assert_eq!(view.sum, values.sum::<u32>());
            assert!(view.sum <= probe.estimate);
            for part in &view.parts {
                let (table, ranking) = &self.tables[&part.table];
                assert_eq!(
                    table.value(part.entry),
                    Some(part.value),
                    "{board} {part:?}"
                );
                let encoding: Encoding = part.encoding.parse().unwrap();
                assert_eq!(part.stored, encoding.stored(Some(part.value)));
                // The entry's shape is the image of the part's tiles under the symmetry.
                let row = part.entry / ranking.row_entries() as u64;
                let (shape, blank) = ranking.row_shape(row as usize);
                let tray = board.tray();
                let image = |number: u16| {
                    let at = board.numbers().iter().position(|&n| n == number).unwrap();
                    part.symmetry.map(tray, puzzle::Cell::new(at))
                };
                assert_eq!(
                    shape,
                    part.tiles.iter().map(|&number| image(number)).collect()
                );
                assert!(blank.contains(image(0)));
            }
        }
        let sums = probe.views.iter().map(|view| view.sum);
        assert_eq!(sums.chain(probe.table_free).max(), Some(probe.estimate));
        probe
    }
}

fn spec(goal: &Goal, kind: TableKind, name: &str) -> HeuristicSpec {
    HeuristicSpec::builder(goal).kind(kind).parse(name).unwrap()
}

/// Calls `visit` with all boards that can reach the goal.
fn for_each_board(goal: &Goal, mut visit: impl FnMut(&Board)) -> usize {
    fn permute(pieces: &mut [puzzle::Cell], from: usize, visit: &mut impl FnMut(&[puzzle::Cell])) {
        if from == pieces.len() {
            return visit(pieces);
        }
        for i in from..pieces.len() {
            pieces.swap(from, i);
            permute(pieces, from + 1, visit);
            pieces.swap(from, i);
        }
    }
    let mut pieces: Vec<_> = goal.tray().iter().collect();
    let mut boards = 0;
    permute(&mut pieces, 0, &mut |pieces| {
        let state = State::new(goal.tray(), goal.blank(), pieces.to_vec()).unwrap();
        if state.check_solvable().is_ok() {
            boards += 1;
            visit(&goal.board_of(&state).unwrap());
        }
    });
    boards
}

/// Checks all boards of the 8-puzzle.
fn check_all(kind: TableKind, name: &str, goal: &Goal) {
    check_every(1, kind, name, goal);
}

/// Checks every `step`-th board.
fn check_every(step: usize, kind: TableKind, name: &str, goal: &Goal) {
    let checked = Checked::new(spec(goal, kind, name), goal);
    let mut met = 0;
    let boards = for_each_board(goal, |board| {
        if met % step == 0 {
            checked.check(board);
        }
        met += 1;
    });
    assert_eq!(boards, 181_440);
}

fn goal(board: &str) -> Goal {
    Goal::parse(board, None).unwrap()
}

#[test]
fn boards_with_additive_tables() {
    let every = if crate::IS_LONG { 1 } else { 10 };
    check_every(
        every,
        TableKind::ZeroAware,
        "5-3",
        &goal("1 2 3/4 5 6/7 8 0"),
    );
    // The tile numbers of this goal are not in reading order.
    let other = goal("8 3 1/2 0 7/5 4 6");
    check_every(5, TableKind::BlankCompressed, "4-4", &other);
}

#[test]
fn all_boards_with_one_table_of_all_tiles() {
    let every = if crate::IS_LONG { 1 } else { 10 };
    check_every(every, TableKind::ZeroAware, "8", &goal("1 2 3/4 0 5/6 7 8"));
}

#[test]
fn all_boards_with_full_cost_tables() {
    check_all(TableKind::FullCost, "fringe", &goal("0 1 2/3 4 5/6 7 8"));
    check_all(
        TableKind::ZeroAware,
        "manhattan",
        &goal("1 2 3/8 0 4/7 6 5"),
    );
}

#[test]
fn boards_with_runs() {
    check_every(
        5,
        TableKind::MultiTile,
        "1,2,3/6,7,8",
        &goal("1 2 3/4 5 6/7 8 0"),
    );
    check_all(TableKind::MultiTile, "lines", &goal("1 2 3/4 5 6/7 8 0"));
}

/// Joined heuristics, other trays, and goals without symmetry.
#[test]
fn random_boards() {
    for (size, kind, name) in [
        ("4x4", TableKind::BlankCompressed, "5-5-5"),
        ("4x4", TableKind::FullCost, "4-4-4-3"),
        ("4x4", TableKind::MultiTile, "1,2,3,4/12,13,14,15"),
        ("4x3", TableKind::ZeroAware, "manhattan+fringe+6-5"),
        ("5x4", TableKind::ZeroAware, "4-4-4-4-3"),
        ("5x3", TableKind::ZeroAware, "4-4-4-2"),
        ("3x5", TableKind::ZeroAware, "4-4-4-2"),
        ("20x1", TableKind::ZeroAware, "manhattan"),
        ("20x20", TableKind::MultiTile, "lines"),
    ] {
        for goal in [Goal::blank_first, Goal::blank_last].map(|new| new(size.parse().unwrap())) {
            let mut drawn = Scrambler::new(4);
            let checked = Checked::new(spec(&goal, kind, name), &goal);
            checked.check(goal.board());
            for _ in 0..100 {
                let state = drawn.draw(goal.tray(), goal.blank());
                checked.check(&goal.board_of(&state).unwrap());
            }
        }
    }
}

#[test]
fn unsolvable_boards_have_no_probe() {
    let goal = goal("1 2 3/4 5 6/7 8 0");
    let solver =
        Solver::build_one_side(goal.clone(), spec(&goal, TableKind::ZeroAware, "5-3")).unwrap();
    for text in ["1 2 3/4 5 6/8 7 0", "1 2/3 0"] {
        let board = Board::parse(text, None).unwrap();
        let error = solver.probe(&board).unwrap_err();
        assert_eq!(Err(error), solver.estimate(&board));
    }
}

/// All values of one board. Table readers in other languages can be compared with them.
#[test]
fn an_example_is_pinned() {
    let board = Board::parse("5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13", None).unwrap();
    let goal = Goal::blank_last(board.tray());
    let checked = Checked::new(spec(&goal, TableKind::ZeroAware, "6-6-3"), &goal);
    let mut drawn = Scrambler::new(6);
    for _ in 0..200 {
        let state = drawn.draw(goal.tray(), goal.blank());
        checked.check(&goal.board_of(&state).unwrap());
    }
    let probe = checked.check(&board);
    let mut lines = Vec::new();
    for view in &probe.views {
        lines.push(format!(
            "{} {} {} = {}",
            view.partition, view.kind, view.symmetry, view.sum
        ));
        for part in &view.parts {
            let tiles: Vec<String> = part.tiles.iter().map(u16::to_string).collect();
            lines.push(format!(
                "{}: {} {} {} entry {} bit {} value {}",
                tiles.join(","),
                part.table,
                part.encoding,
                part.symmetry,
                part.entry,
                part.stored,
                part.value
            ));
        }
    }
    assert_eq!((probe.estimate, probe.table_free), (47, None));
    assert_eq!(lines, PINNED);
}

const PINNED: [&str; 8] = [
    "0 zero-aware identity = 47",
    "4,7,8,11,12,15: \
     4x4-zero-aware-1.2.3.4.5.6-blank0 one-bit anti-transpose entry 6934973 bit 1 value 19",
    "5,6,9,10,13,14: \
     4x4-zero-aware-0.1.2.4.5.6-blank3 one-bit turn-right entry 4494574 bit 1 value 18",
    "1,2,3: \
     4x4-zero-aware-0.1.2-blank3 one-bit identity entry 1660 bit 1 value 10",
    "0 zero-aware transpose = 43",
    "10,11,12,13,14,15: \
     4x4-zero-aware-1.2.3.4.5.6-blank0 one-bit half-turn entry 6871284 bit 0 value 17",
    "2,3,4,6,7,8: \
     4x4-zero-aware-0.1.2.4.5.6-blank3 one-bit left-right entry 9671626 bit 1 value 18",
    "1,5,9: \
     4x4-zero-aware-0.1.2-blank3 one-bit transpose entry 3044 bit 0 value 8",
];

#[cfg(feature = "serde")]
#[test]
fn probes_are_written_and_read() {
    let board = Board::parse("1 2 3/4 0 6/7 5 8", None).unwrap();
    let goal = Goal::blank_last(board.tray());
    for (spec, object) in [
        (
            spec(&goal, TableKind::ZeroAware, "manhattan"),
            r#"{"estimate":2,"table_free":2,"views":[]}"#,
        ),
        (
            HeuristicSpec::builder(&goal)
                .metric(Metric::Multi)
                .parse("1,2,3")
                .unwrap(),
            r#"{"estimate":2,"views":[{"partition":0,"symmetry":"identity","kind":"runs","sum":2,"parts":[{"tiles":[1,2,3],"table":"3x3-runs-0.1.2-blank6","encoding":"mod-3","symmetry":"left-right","entry":6,"stored":3,"value":2}]},{"partition":0,"symmetry":"transpose","kind":"runs","sum":2,"parts":[{"tiles":[1,4,7],"table":"3x3-runs-0.1.2-blank6","encoding":"mod-3","symmetry":"turn-right","entry":6,"stored":3,"value":2}]}]}"#,
        ),
    ] {
        let probe = Solver::build_one_side(goal.clone(), spec)
            .unwrap()
            .probe(&board)
            .unwrap();
        assert_eq!(serde_json::to_string(&probe).unwrap(), object);
        assert_eq!(serde_json::from_str::<Probe>(object).unwrap(), probe);
    }
}
