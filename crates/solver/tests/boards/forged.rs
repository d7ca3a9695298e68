//! Tables with valid checksums and wrong values: calls may fail, but answers are never wrong and
//! searches always end.

use pdb_table::{Control, Encoding, Header, Table};
use puzzle::{Board, Cell, Direction, Goal, HeuristicSpec, Scrambler, State};
use solver::{SolveError, SolveOptions, Solver, SolverError};

fn complete() -> (Goal, HeuristicSpec) {
    let goal = Goal::blank_last("3x3".parse().unwrap());
    let spec = HeuristicSpec::parse("8", &goal).unwrap();
    (goal, spec)
}

/// A solver with the complete 3x3 table, after `change` has modified the table's payload.
fn forged(encoding: Encoding, change: impl Fn(&mut [u8])) -> Result<Solver, SolverError> {
    let (goal, spec) = complete();
    Solver::with_tables(goal, spec, |id| {
        let table = pdb_gen::build(id, encoding, &Control::default())?.into_table();
        let mut payload = table.payload().to_vec();
        change(&mut payload);
        let header = Header {
            payload_sha256: Header::of_bytes(id, &payload).payload_sha256,
            ..table.header().clone()
        };
        Ok::<_, SolverError>(Table::new([header.encode(), payload].concat())?)
    })
}

#[test]
fn a_goal_value_other_than_0_is_rejected_when_the_solver_is_made() {
    let (_, spec) = complete();
    let id = spec.tables()[0];
    let table = pdb_gen::build(id, Encoding::U8, &Control::default())
        .unwrap()
        .into_table();
    let entry = (0..).find(|&entry| table.byte(entry) == Some(0)).unwrap() as usize;
    assert!(forged(Encoding::U8, |_| {}).is_ok());
    assert!(forged(Encoding::U8, |payload| payload[entry] = 2).is_err());
    let flip = |payload: &mut [u8]| payload[entry / 8] ^= 1 << (entry % 8);
    assert!(forged(Encoding::OneBit, flip).is_err());
}

/// Eleven bits around a cycle of twelve moves are wrong. Along this cycle, the estimate decreases
/// for ever.
#[test]
fn an_estimate_that_decreases_for_ever_is_detected() {
    let (goal, spec) = complete();
    let id = spec.tables()[0];
    let table = pdb_gen::build(id, Encoding::U8, &Control::default())
        .unwrap()
        .into_table();
    let ranking = table.ranking().unwrap();
    let entry = |state: &State| {
        let place = |tile: Cell| {
            let mut pieces = state.pieces().iter();
            Cell::new(pieces.position(|&piece| piece == tile).unwrap())
        };
        let (row, rank) = ranking.locate(id.tiles(), state.blank(), place);
        (row * ranking.row_entries()) as u64 + u64::from(rank)
    };
    let distance = |state: &State| table.byte(entry(state)).unwrap();
    // The blank of `root` is in the centre, so it can move in a circle. A move out of this circle
    // brings `root` nearer to the goal.
    let circle = [
        Direction::Up,
        Direction::Left,
        Direction::Down,
        Direction::Right,
    ];
    let mut scrambler = Scrambler::new(1);
    let root = std::iter::repeat_with(|| scrambler.draw(id.tray(), Cell::new(8))).find(|state| {
        let mut beside = state.clone();
        state.blank() == Cell::new(4)
            && distance(state) >= 16
            && beside.slide(Direction::Down)
            && distance(&beside) < distance(state)
    });
    let root = root.unwrap();
    let solver = forged(Encoding::OneBit, |payload| {
        let mut state = root.clone();
        for step in 0..12_usize {
            let h = (usize::from(distance(&root)) + 12 - step) % 4;
            let at = entry(&state) as usize;
            payload[at / 8] = payload[at / 8] & !(1 << (at % 8)) | ((h >> 1) as u8) << (at % 8);
            assert!(state.slide(circle[step % 4]));
        }
        assert_eq!(state, root);
    });
    let board = goal.board_of(&root).unwrap();
    let solved = solver.unwrap().solve(&board);
    assert!(matches!(solved, Err(SolveError::Damaged(_))), "{solved:?}");
}

/// Flips random bits of the table, about one bit per ten bytes, and repeats this with many seeds.
#[test]
fn searches_over_wrong_bits_end() {
    let boards = [
        "8 6 7/2 5 4/3 0 1",
        "6 4 7/8 5 0/3 2 1",
        "0 8 7/6 5 4/3 2 1",
    ];
    let lengths = [31, 31, 28];
    let mut random = 1_u64;
    let (mut solved, mut refused) = (0, 0);
    for _ in 0..40 {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let seed = random;
        let solver = forged(Encoding::OneBit, |payload| {
            let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            for _ in 0..payload.len() / 10 {
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let at = (random >> 33) as usize % payload.len();
                payload[at] ^= 1 << (random >> 61);
            }
        });
        let Ok(solver) = solver else {
            refused += 1;
            continue;
        };
        for (board, length) in boards.iter().zip(lengths) {
            let board = Board::parse(board, None).unwrap();
            // A probe also ends, whether it descends to the goal or not.
            let probe = solver.probe(&board);
            let is_known = matches!(probe, Ok(_) | Err(SolveError::Damaged(_)));
            assert!(is_known, "{probe:?}");
            let options = SolveOptions::default().max_nodes(200_000);
            match solver.solve_with(&board, &options) {
                Ok(solution) => {
                    assert!(solution.moves.len() >= length);
                    assert_eq!(solution.moves.len(), solution.lower_bound as usize);
                    solved += 1;
                }
                Err(SolveError::Damaged(_)) => refused += 1,
                Err(error) => assert!(matches!(error, SolveError::Limit(_)), "{error}"),
            }
        }
    }
    assert!(
        solved > 0 && refused > 0,
        "{solved} solved, {refused} rejected"
    );
}
