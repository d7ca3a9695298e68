//! Reports as JSON, byte by byte as `solver --json` prints them, with a fixed time.

use std::sync::{Arc, Mutex};

use puzzle::{Board, Goal, HeuristicSpec, Metric, Notation};
use solver::{AllSolutions, Answer, Cancel, Mode, Question, Report, SolveOptions, Solver, Status};

const FARTHEST: &str = "8 6 7/2 5 4/3 0 1";
const NEAR: &str = "1 2 3/4 5 6/0 7 8";
const SOLVED: &str = "1 2 3/4 5 6/7 8 0";
const SWAPPED: &str = "1 2 3/4 5 6/8 7 0";

/// A solver for the 3x3.
fn solver(metric: Metric, name: &str) -> Solver {
    let goal = Goal::blank_last("3x3".parse().unwrap());
    let spec = HeuristicSpec::builder(&goal).metric(metric).parse(name);
    Solver::build_one_side(goal, spec.unwrap()).unwrap()
}

fn board(text: &str) -> Board {
    Board::parse(text, None).unwrap()
}

/// The report of the answer, with a fixed time.
fn ask(solver: &Solver, text: &str, question: &Question) -> Report {
    let mut report = solver.answer(&board(text), question).report;
    report.ms = report.ms.map(|_| 1.5);
    report
}

fn one(solver: &Solver, text: &str, options: &SolveOptions, notation: Notation) -> Report {
    let mut question = Question::new(options.clone());
    question.notation = notation;
    ask(solver, text, &question)
}

fn all(solver: &Solver, text: &str, all: AllSolutions, options: &SolveOptions) -> Report {
    let mut question = Question::new(options.clone());
    question.all = Some(all);
    ask(solver, text, &question)
}

fn threads_allowed(threads: usize) -> usize {
    match threads {
        0 => std::thread::available_parallelism().unwrap().get(),
        threads => threads,
    }
}

/// Checks that a report is written as `object` and read back.
#[track_caller]
fn check(report: &Report, object: &str) {
    assert_eq!(serde_json::to_string(report).unwrap(), object);
    assert_eq!(&serde_json::from_str::<Report>(object).unwrap(), report);
}

#[test]
fn boards_that_are_solved() {
    let (options, tile) = (SolveOptions::default(), Notation::Tile);
    let table = solver(Metric::Single, "8");
    check(
        &one(&table, FARTHEST, &options, tile),
        r#"{"board":"8 6 7/2 5 4/3 0 1","status":"solved","mode":"optimal","length":31,"proved":true,"method":"search","moves":"LDR2UL2D2RURDLURUL2DRULD2R2U2L2","nodes":39,"expanded":31,"ms":1.5,"h0":31,"bound":31,"iterations":[{"bound":31,"nodes":39,"expanded":31}],"threads":1,"tables":"8"}"#,
    );
    check(
        &one(&table, SOLVED, &options, tile),
        r#"{"board":"1 2 3/4 5 6/7 8 0","status":"solved","mode":"optimal","length":0,"proved":true,"method":"search","moves":"","nodes":0,"expanded":0,"ms":1.5,"h0":0,"bound":0,"iterations":[],"threads":1,"tables":"8"}"#,
    );
    check(
        &one(&table, NEAR, &options, Notation::Numbers),
        r#"{"board":"1 2 3/4 5 6/0 7 8","status":"solved","mode":"optimal","length":2,"proved":true,"method":"search","moves":"7 8","nodes":2,"expanded":2,"ms":1.5,"h0":2,"bound":2,"iterations":[{"bound":2,"nodes":2,"expanded":2}],"threads":1,"tables":"8"}"#,
    );
    let runs = solver(Metric::Multi, "runs");
    check(
        &one(&runs, FARTHEST, &options, tile),
        r#"{"board":"8 6 7/2 5 4/3 0 1","status":"solved","mode":"optimal","length":20,"proved":true,"method":"search","moves":"DRUL2D2R2ULDRU2L2DR2UL2D2R2U2L2","nodes":33,"expanded":20,"ms":1.5,"h0":20,"bound":20,"iterations":[{"bound":20,"nodes":33,"expanded":20}],"threads":1,"tables":"runs"}"#,
    );
}

#[test]
fn all_solutions() {
    let options = SolveOptions::default();
    let table = solver(Metric::Single, "8");
    let longer = |within, most| AllSolutions {
        within: Some(within),
        most,
    };
    check(
        &all(&table, NEAR, longer(2, 1000), &options),
        r#"{"board":"1 2 3/4 5 6/0 7 8","status":"solved","mode":"optimal","length":2,"proved":true,"method":"search","moves":"L2","count":1,"counts":[1,0,0],"solutions":["L2"],"nodes":11,"expanded":6,"ms":1.5,"h0":2,"bound":2,"iterations":[{"bound":2,"nodes":2,"expanded":2},{"bound":4,"nodes":9,"expanded":4}],"threads":1,"tables":"8"}"#,
    );
    // With a maximum of 0 solutions, the report has no `solutions`, but it has the `moves` of the
    // first solution.
    check(
        &all(&table, NEAR, longer(2, 0), &options),
        r#"{"board":"1 2 3/4 5 6/0 7 8","status":"solved","mode":"optimal","length":2,"proved":true,"method":"search","moves":"L2","count":1,"counts":[1,0,0],"nodes":11,"expanded":6,"ms":1.5,"h0":2,"bound":2,"iterations":[{"bound":2,"nodes":2,"expanded":2},{"bound":4,"nodes":9,"expanded":4}],"threads":1,"tables":"8"}"#,
    );
    let shortest = AllSolutions {
        within: None,
        most: 2,
    };
    check(
        &all(&solver(Metric::Multi, "runs"), FARTHEST, shortest, &options),
        r#"{"board":"8 6 7/2 5 4/3 0 1","status":"solved","mode":"optimal","length":20,"proved":true,"method":"search","moves":"DRUL2D2R2ULDRU2L2DR2UL2D2R2U2L2","count":2,"solutions":["DRUL2D2R2ULDRU2L2DR2UL2D2R2U2L2","D2RU2L2D2RURUL2D2RURUL2D2R2U2L2"],"nodes":113,"expanded":59,"ms":1.5,"h0":20,"bound":20,"iterations":[{"bound":20,"nodes":33,"expanded":20},{"bound":20,"nodes":80,"expanded":39}],"threads":1,"tables":"runs"}"#,
    );
}

/// The listener receives each better solution with a report like the final one, but with the status
/// `improved`.
#[test]
fn better_solutions_of_an_anytime_search() {
    let table = solver(Metric::Single, "5-3");
    let heard = Arc::new(Mutex::new(Vec::new()));
    let listener = Arc::clone(&heard);
    let options = SolveOptions::default().mode(Mode::Anytime);
    let mut question = Question::new(options);
    question.improved = Some(Arc::new(move |better: &Answer| {
        listener.lock().unwrap().push(better.clone());
    }));
    let last = ask(&table, FARTHEST, &question);
    assert_eq!(
        (last.status, last.mode),
        (Status::Solved, Some(Mode::Anytime))
    );
    assert_eq!((last.length, last.proved), (Some(31), Some(true)));
    let heard = heard.lock().unwrap();
    assert!(!heard.is_empty());
    for Answer { report, moves, .. } in heard.iter() {
        assert_eq!(
            (report.status, report.mode),
            (Status::Improved, Some(Mode::Anytime))
        );
        assert_eq!(
            (report.threads, report.tables.as_deref()),
            (Some(1), Some("5-3"))
        );
        assert!(report.ms.is_some() && report.bound <= report.length);
        let moves = board(FARTHEST).write_moves(moves.as_ref().unwrap(), Notation::Tile);
        assert_eq!(report.moves, moves.ok());
        let object = serde_json::to_string(&report).unwrap();
        assert!(
            object.contains(r#""status":"improved","mode":"anytime","length":"#),
            "{object}"
        );
        assert_eq!(&serde_json::from_str::<Report>(&object).unwrap(), report);
    }
}

#[test]
fn boards_over_a_limit() {
    let limited = |nodes| {
        let options = SolveOptions::default().side(solver::Side::Start);
        options.max_nodes(nodes)
    };
    let manhattan = solver(Metric::Single, "manhattan");
    check(
        &one(&manhattan, FARTHEST, &limited(1000), Notation::Tile),
        r#"{"board":"8 6 7/2 5 4/3 0 1","status":"limit","mode":"optimal","nodes":1027,"expanded":680,"ms":1.5,"h0":21,"bound":27,"iterations":[{"bound":21,"nodes":5,"expanded":3},{"bound":23,"nodes":63,"expanded":42},{"bound":25,"nodes":356,"expanded":242},{"bound":27,"nodes":603,"expanded":393}],"threads":1,"tables":"manhattan","message":"stopped after 1027 nodes: no solution is shorter than 27 moves"}"#,
    );
    check(
        &all(
            &manhattan,
            NEAR,
            AllSolutions {
                within: Some(20),
                most: 1000,
            },
            &limited(3000),
        ),
        r#"{"board":"1 2 3/4 5 6/0 7 8","status":"limit","mode":"optimal","length":2,"proved":true,"method":"search","moves":"L2","nodes":3015,"expanded":1749,"ms":1.5,"h0":2,"bound":2,"iterations":[{"bound":2,"nodes":2,"expanded":2},{"bound":22,"nodes":3013,"expanded":1747}],"threads":1,"tables":"manhattan","message":"stopped after 3015 nodes: 2 moves are proved optimal, but not all solutions were counted"}"#,
    );
    check(
        &one(
            &solver(Metric::Multi, "lines"),
            FARTHEST,
            &limited(1000),
            Notation::Tile,
        ),
        r#"{"board":"8 6 7/2 5 4/3 0 1","status":"limit","mode":"optimal","nodes":1001,"expanded":496,"ms":1.5,"h0":11,"bound":17,"iterations":[{"bound":11,"nodes":4,"expanded":1},{"bound":12,"nodes":14,"expanded":6},{"bound":13,"nodes":42,"expanded":20},{"bound":14,"nodes":68,"expanded":33},{"bound":15,"nodes":164,"expanded":81},{"bound":16,"nodes":478,"expanded":238},{"bound":17,"nodes":231,"expanded":117}],"threads":1,"tables":"lines","message":"stopped after 1001 nodes: no solution is shorter than 17 moves"}"#,
    );
}

#[test]
fn boards_without_a_solution() {
    let goal = Goal::blank_last("3x3".parse().unwrap());
    let swapped = board(SWAPPED);
    let why = goal.state(&swapped).unwrap().check_solvable().unwrap_err();
    let message = why.describe(&goal, &swapped);
    assert!(message.contains("7 and 8"), "{message}");
    let question = Question::default();
    let refusal = |goal: &Goal, board: &Board| question.refusal(goal, board).unwrap().report;
    let report = refusal(&goal, &swapped);
    check(
        &report.clone().with_line(7),
        &format!(
            r#"{{"board":"{SWAPPED}","status":"unsolvable","mode":"optimal","swap":[7,8],"reachable_goals":["snail","columns"],"line":7,"message":"{message}"}}"#
        ),
    );
    // The solver returns the same report, whether one solution or all solutions are requested.
    let table = solver(Metric::Single, "5-3");
    let shortest = AllSolutions {
        within: None,
        most: 2,
    };
    assert_eq!(ask(&table, SWAPPED, &question), report);
    assert_eq!(all(&table, SWAPPED, shortest, &question.options), report);
    assert!(question.refusal(&goal, &board(FARTHEST)).is_none());
    // The three tiles of this line are in cyclic order, so no swap of two tiles makes the board
    // solvable.
    let line = Goal::blank_last("4x1".parse().unwrap());
    let turned = Board::parse("2 3 1 0", Some(line.tray())).unwrap();
    let report = refusal(&line, &turned);
    assert_eq!((report.status, report.swap), (Status::Unsolvable, None));
    check(
        &refusal(&goal, &board("1 2/3 0")),
        r#"{"board":"1 2/3 0","status":"error","mode":"optimal","message":"the board is 2x2, but the goal is 3x3"}"#,
    );
    let mut report =
        Report::error("word 1 `what` is neither a tile's number nor a blank (0 _ . x)");
    report.board = Some("what".to_owned());
    check(
        &report.with_line(3),
        r#"{"board":"what","status":"error","line":3,"message":"word 1 `what` is neither a tile's number nor a blank (0 _ . x)"}"#,
    );
}

/// With any number of threads, reports are in order, and equal to the reports of single boards. No
/// report follows after the token is cancelled.
#[test]
fn lists_of_boards() {
    let table = solver(Metric::Single, "5-3");
    let boards = [FARTHEST, SWAPPED, NEAR, SOLVED, "1 2/3 0"].map(board);
    for most in [0, 1, 3] {
        let options = SolveOptions::default().threads(most);
        let mut statuses = Vec::new();
        let many = boards.iter().cycle().take(500).cloned();
        table.solve_list(many, &options, |index, mut report| {
            let board = &boards[index % 5];
            let mut alone = table.answer(board, &Question::default()).report;
            (alone.ms, alone.threads) = (None, None);
            assert_eq!(report.threads.is_some(), report.nodes.is_some());
            let threads = report.threads.take();
            assert!(threads.is_none_or(|count| threads_allowed(most) == count));
            assert_eq!(report.ms.take().is_some(), report.nodes.is_some());
            assert_eq!(report, alone);
            statuses.push(report.status);
        });
        let expected = [
            Status::Solved,
            Status::Unsolvable,
            Status::Solved,
            Status::Solved,
            Status::Error,
        ];
        assert_eq!(statuses, expected.repeat(100));
    }
    // Solving a list leaves the shared permits unchanged.
    let permits = Arc::new(solver::ThreadPermits::new(1));
    let before = format!("{permits:?}");
    let options = SolveOptions::default().threads(3).permits(&permits);
    table.solve_list(boards.clone(), &options, |_, _| {});
    assert_eq!(format!("{permits:?}"), before);
    let cancel = Cancel::default();
    let options = SolveOptions::default().threads(2).cancel(&cancel);
    let mut seen = 0;
    let endless = boards.iter().cycle().cloned();
    table.solve_list(endless, &options, |_, _| {
        seen += 1;
        cancel.cancel();
    });
    assert!((1..2000).contains(&seen), "{seen}");
}
