//! Estimates of many boards at once, compared with those of single boards.

use std::time::Duration;

use pdb_gen::build;
use pdb_table::{Cancel, Control, Encoding, Header, Stats, Table};
use puzzle::{Board, Goal, HeuristicSpec, Metric, Scrambler, TableKind};
use solver::{
    EstimatesError, Report, SolveError, SolveOptions, Solver, SolverError, Status, Summary,
};

/// Random solvable boards.
fn boards(goal: &Goal, count: usize) -> Vec<Board> {
    let mut scrambler = Scrambler::new(1);
    let state = |_| scrambler.draw(goal.tray(), goal.blank());
    let states = (0..count).map(state);
    states.map(|state| goal.board_of(&state).unwrap()).collect()
}

/// The tile numbers of all boards, one board after the other.
fn numbers(boards: &[Board]) -> Vec<u16> {
    let numbers = boards.iter().flat_map(|board| board.numbers().to_vec());
    numbers.collect()
}

fn solver(goal: &Goal, spec: HeuristicSpec, encoding: Option<Encoding>) -> Solver {
    Solver::with_tables(goal.clone(), spec, |id| {
        let encoding = encoding.unwrap_or(Encoding::default_for(id.kind()));
        let table = build(id, encoding, &Control::default())?;
        Ok::<_, SolverError>(table.into_table())
    })
    .unwrap()
}

/// Compares the results of `Solver::estimates` and `Solver::estimate`. The boards are passed as
/// `u16` and as bytes.
fn check(goal: &Goal, spec: HeuristicSpec, encoding: Option<Encoding>) {
    let name = format!("{goal} {spec:?} {encoding:?}");
    let solver = solver(goal, spec, encoding);
    let boards = boards(goal, 3000);
    let estimate = |board: &Board| solver.estimate(board).unwrap() as u16;
    let expected: Vec<u16> = boards.iter().map(estimate).collect();
    let (numbers, cells) = (numbers(&boards), goal.tray().cells());
    // Estimates few boards, then enough boards for the computation of row paths, then again few
    // boards, with these row paths.
    for (count, threads) in [(3, 1), (3000, 2), (40, 1), (0, 1)] {
        let options = SolveOptions::default().threads(threads);
        let (mut values, all) = (vec![9999; count], &numbers[..count * cells]);
        solver.estimates(all, &mut values, &options).unwrap();
        assert_eq!(values, expected[..count], "{name}");
        if cells <= 256 {
            let bytes: Vec<u8> = all.iter().map(|&number| number as u8).collect();
            values.fill(9999);
            solver.estimates(&bytes, &mut values, &options).unwrap();
            assert_eq!(values, expected[..count], "{name}");
        }
    }
}

#[test]
fn estimates_of_many_boards_are_those_of_single_boards() {
    let spiral = "1 2 3 4/12 13 14 5/11 0 15 6/10 9 8 7";
    let pairs = |tiles: u16| {
        let pairs = (1..=tiles).step_by(2).map(|tile| match tile {
            last if last == tiles => last.to_string(),
            tile => format!("{tile},{}", tile + 1),
        });
        pairs.collect::<Vec<_>>().join("/")
    };
    for (size, goal, partition) in [
        ("3x3", "blank-last", "8"),
        ("3x3", "blank-first", "1,2,3,4/5,6,7,8"),
        ("3x3", "1 2 3/8 0 4/7 6 5", "1,2,3,4/5,6,7,8"),
        ("2x3", "blank-first", "5"),
        ("4x2", "blank-last", "1,2,3/4,5,6,7"),
        ("4x4", spiral, "1,2,3,4/5,6,7,8/9,10,11,12/13,14,15"),
        ("4x4", "blank-first", "4-4-4-3+manhattan"),
        ("5x5", "blank-last", &pairs(24)),
        ("6x4", "blank-first", &pairs(23)),
        ("8x8", "blank-last", &pairs(63)),
        ("8x8", "blank-last", "manhattan"),
        ("9x9", "blank-last", "manhattan"),
        ("1x5", "blank-last", "manhattan"),
        ("17x17", "blank-last", "manhattan"),
    ] {
        let goal = Goal::parse(goal, Some(size.parse().unwrap())).unwrap();
        let spec = HeuristicSpec::parse(partition, &goal);
        let spec = spec.unwrap_or_else(|error| panic!("{size} {partition}: {error}"));
        let encodings: &[_] = match partition {
            "manhattan" => &[None],
            _ => &[None, Some(Encoding::U8)],
        };
        for &encoding in encodings {
            check(&goal, spec.clone(), encoding);
        }
    }
}

#[test]
fn all_kinds_of_tables_and_both_metrics_have_estimates() {
    let goal = Goal::blank_last("3x3".parse().unwrap());
    for kind in TableKind::ALL {
        let spec = HeuristicSpec::builder(&goal)
            .kind(kind)
            .metric(kind.metric());
        check(&goal, spec.parse("1,2,3,6/4,5,7,8").unwrap(), None);
    }
    let spec = HeuristicSpec::builder(&goal).metric(Metric::Multi);
    check(&goal, spec.parse_default().unwrap(), None);
}

/// A solver, and the tile numbers of 5000 boards: enough boards for tasks on several threads.
fn eight_puzzle() -> (Solver, Vec<u8>) {
    let goal = Goal::blank_last("3x3".parse().unwrap());
    let solver = solver(&goal, HeuristicSpec::parse("8", &goal).unwrap(), None);
    let numbers = numbers(&boards(&goal, 5000));
    let numbers = numbers.iter().map(|&number| number as u8);
    (solver, numbers.collect())
}

#[test]
fn the_first_invalid_board_is_named() {
    let (solver, good) = eight_puzzle();
    let last = b"\x01\x02\x03\x04\x05\x06\x08\x07\x00";
    for (wrong, expected) in [
        (*last, "swap"),
        ([1; 9], "is repeated"),
        ([200, 1, 2, 3, 4, 5, 6, 7, 8], "200 at row 1"),
        ([63, 1, 2, 3, 4, 5, 6, 7, 8], "63 at row 1"),
    ] {
        for threads in [1, 3] {
            let mut numbers = good.clone();
            for at in [4321, 2345] {
                numbers[at * 9..][..9].copy_from_slice(&wrong);
            }
            let options = SolveOptions::default().threads(threads);
            let error = solver.estimates(&numbers, &mut [0; 5000], &options);
            let error = error.unwrap_err().to_string();
            assert!(error.starts_with("board 2345: "), "{error}");
            assert!(error.contains(expected), "{error}");
        }
    }
}

#[test]
fn wrong_lengths_and_cancelled_calls_are_errors() {
    let (solver, numbers) = eight_puzzle();
    let options = SolveOptions::default();
    let error = solver
        .estimates(&numbers, &mut [0; 4999], &options)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "45000 numbers for 4999 boards of 3x3: expected 44991"
    );
    let cancel = Cancel::default();
    cancel.cancel();
    let options = SolveOptions::default().cancel(&cancel);
    let error = solver.estimates(&numbers, &mut [0; 5000], &options);
    assert_eq!(error, Err(EstimatesError::Cancelled));
}

/// If a table has wrong bits, no look-up leaves the table, and no value exceeds the maximum in the
/// table's header.
#[test]
fn damaged_tables_have_errors_or_values_in_range() {
    let goal = Goal::blank_last("3x3".parse().unwrap());
    let spec = HeuristicSpec::parse("8", &goal).unwrap();
    for (encoding, fill) in [(Encoding::OneBit, 0b0110_1001), (Encoding::U8, 255)] {
        let mut max = 0;
        let solver = Solver::with_tables(goal.clone(), spec.clone(), |id| {
            let table = build(id, encoding, &Control::default())?.into_table();
            max = table.header().histogram.max();
            let ranking = table.ranking()?;
            let goal_entry = ranking.goal_row(id) * ranking.row_entries();
            let mut payload = table.payload().to_vec();
            let first = match encoding {
                Encoding::OneBit => goal_entry / 8 + 1,
                _ => goal_entry + 1,
            };
            payload[first..].fill(fill);
            let header = Header {
                payload_sha256: Header::of_bytes(id, &payload).payload_sha256,
                ..table.header().clone()
            };
            Ok::<_, SolverError>(Table::new([header.encode(), payload].concat())?)
        })
        .unwrap();
        let mut values = [0; 5000];
        match solver.estimates(&eight_puzzle().1, &mut values, &SolveOptions::default()) {
            Ok(()) => assert!(values.iter().all(|&value| value <= max.into())),
            Err(EstimatesError::Board {
                error: SolveError::Damaged(_),
                ..
            }) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

fn metric_solver(size: &str, metric: Metric, name: &str) -> Solver {
    let goal = Goal::blank_last(size.parse().unwrap());
    let spec = HeuristicSpec::builder(&goal).metric(metric).parse(name);
    Solver::build_one_side(goal, spec.unwrap()).unwrap()
}

/// A sample contains the boards that a `Scrambler` draws with the same seed. The sampled values
/// equal the results of `Solver::estimate`.
#[test]
fn samples_are_the_estimates_of_the_boards_of_a_seed() {
    for (size, metric, name) in [
        ("3x3", Metric::Single, "5-3"),
        ("3x3", Metric::Multi, "runs"),
        ("4x3", Metric::Single, "6-5"),
        ("12x12", Metric::Single, "manhattan"),
        ("6x1", Metric::Single, "manhattan"),
    ] {
        let solver = metric_solver(size, metric, name);
        let goal = solver.goal();
        let sample = solver.sample(300, 9).unwrap();
        let mut drawn = Scrambler::new(9);
        let mut values = Vec::new();
        for _ in 0..300 {
            let board = goal
                .board_of(&drawn.draw(goal.tray(), goal.blank()))
                .unwrap();
            values.push(solver.estimate(&board).unwrap());
        }
        assert_eq!(sample.boards(), 300);
        assert_eq!(
            sample.counts().len(),
            *values.iter().max().unwrap() as usize + 1
        );
        for (value, &count) in sample.counts().iter().enumerate() {
            let of_value = values.iter().filter(|&&found| found as usize == value);
            assert_eq!(of_value.count() as u64, count);
        }
        let mean = f64::from(values.iter().sum::<u32>()) / 300.0;
        let squares = values
            .iter()
            .map(|&value| (f64::from(value) - mean).powi(2));
        let deviation = (squares.sum::<f64>() / 299.0).sqrt();
        assert!((sample.mean() - mean).abs() < 1e-9);
        assert!((sample.deviation() - deviation).abs() < 1e-9);
        assert!((sample.standard_error() - deviation / 300_f64.sqrt()).abs() < 1e-9);
    }
}

/// A table of all eight tiles contains the distances of all boards. The means of many samples
/// deviate from the true mean as the standard error predicts.
#[test]
fn means_are_within_their_standard_errors() {
    let solver = metric_solver("3x3", Metric::Single, "8");
    let id = solver.spec().tables()[0];
    let built = build(id, Encoding::OneBit, &Control::default()).unwrap();
    let whole = Stats::new(&built.into_table().header().histogram);
    assert_eq!(whole.entries(), 181_440);
    let mean = whole.mean();
    let mut squares = 0.0;
    for seed in 0..100 {
        let sample = solver.sample(200, seed).unwrap();
        squares += ((sample.mean() - mean) / sample.standard_error()).powi(2) / 100.0;
    }
    assert!((0.6..1.5).contains(&squares), "{squares}");
}

#[test]
fn small_samples_have_statistics() {
    let solver = metric_solver("3x3", Metric::Single, "manhattan");
    let none = solver.sample(0, 1).unwrap();
    assert_eq!(
        (none.boards(), none.mean(), none.standard_error()),
        (0, 0.0, 0.0)
    );
    let one = solver.sample(1, 1).unwrap();
    assert_eq!(
        (one.boards(), one.deviation(), one.standard_error()),
        (1, 0.0, 0.0)
    );
    assert_eq!(one.mean(), (one.counts().len() - 1) as f64);
}

fn solved(length: u32, nodes: u64, ms: f64) -> Report {
    let mut report = Report::error("");
    (report.status, report.message) = (Status::Solved, None);
    (report.length, report.ms) = (Some(length), Some(ms));
    (report.nodes, report.expanded) = (Some(nodes), Some(nodes / 2));
    report
}

fn ended(status: Status, ms: Option<f64>) -> Report {
    let mut report = Report::error("why");
    (report.status, report.ms) = (status, ms);
    report.nodes = ms.map(|_| 1_000_000_000);
    report
}

/// For the numbers 1 to n, the median is n / 2 rounded up, and the 99th percentile is 0.99 n
/// rounded up. The order in which boards are added does not matter.
#[test]
fn spreads_are_those_of_the_nearest_rank() {
    for n in 1..=300_u32 {
        let mut summary = Summary::default();
        for step in 0..n {
            let length = 1 + (step * 7919 + 13) % n;
            // 7919 is a prime above all n, so all lengths occur.
            summary.add(&solved(
                length,
                u64::from(length) * 10,
                f64::from(length) / 4.0,
            ));
        }
        let spread = summary.length().unwrap();
        assert_eq!(spread.boards, n as usize);
        assert_eq!(spread.total, f64::from(n * (n + 1) / 2));
        assert_eq!(spread.mean, f64::from(n + 1) / 2.0);
        assert_eq!(spread.median, f64::from(n.div_ceil(2)));
        assert_eq!(spread.p99, f64::from((99 * n).div_ceil(100)));
        assert_eq!(spread.worst, f64::from(n));
        assert_eq!(summary.nodes().unwrap().p99, 10.0 * spread.p99);
        assert_eq!(summary.expanded().unwrap().worst, 5.0 * spread.worst);
        assert_eq!(summary.ms().unwrap().median, spread.median / 4.0);
        assert_eq!(summary.search_ms(), spread.total / 4.0);
    }
}

#[test]
fn only_solved_boards_have_statistics() {
    let none = Summary::default();
    assert_eq!(
        (none.boards(), none.length(), none.boards_per_second()),
        (0, None, None)
    );
    let none = none.with_wall_time(Duration::ZERO);
    assert_eq!(none.boards_per_second(), None);
    let mut stopped = Summary::default();
    stopped.add(&ended(Status::Limit, Some(20.0)));
    assert_eq!(
        (stopped.nodes(), stopped.ms(), stopped.search_ms()),
        (None, None, 20.0)
    );
}

/// Solutions that are not proved optimal are counted.
#[test]
fn unproved_lengths_are_marked() {
    let mut summary = Summary::default();
    for (length, bound) in [(40, 40), (52, 48), (60, 50)] {
        let mut report = solved(length, 10, 1.0);
        (report.bound, report.proved) = (Some(bound), Some(length == bound));
        summary.add(&report);
        // Intermediate results are not counted.
        report.status = Status::Improved;
        summary.add(&report);
    }
    assert_eq!((summary.boards(), summary.unproved()), (3, 2));
    assert_eq!(summary.count(Status::Improved), 0);
    assert_eq!(summary.bound().map(|bound| bound.mean), Some(46.0));
}
