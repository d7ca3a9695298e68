//! Reports as JSON, byte by byte as `solver --json` has always printed them; only the time is set.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use puzzle::{Board, Goal, HeuristicSpec, Metric, Notation};
use solver::{Improvement, Mode, Report, SolveOptions, Solver, Status, check_board};

const FARTHEST: &str = "8 6 7/2 5 4/3 0 1";
const NEAR: &str = "1 2 3/4 5 6/0 7 8";
const SOLVED: &str = "1 2 3/4 5 6/7 8 0";
const SWAPPED: &str = "1 2 3/4 5 6/8 7 0";

/// A solver for the 3x3, by the name of its heuristic.
struct Named {
    solver: Solver,
    name: &'static str,
}

fn named(metric: Metric, name: &'static str) -> Named {
    let goal = Goal::blank_last("3x3".parse().unwrap());
    let builder = HeuristicSpec::builder(&goal).metric(metric);
    let spec = builder.parse(name).unwrap();
    let solver = Solver::build(goal, spec).unwrap();
    Named { solver, name }
}

fn board(text: &str) -> Board {
    Board::parse(text, None).unwrap()
}

impl Named {
    fn finish(&self, report: Report) -> Report {
        let report = report.with_time(Duration::from_micros(1500));
        report.with_threads(2).with_tables(self.name)
    }

    fn one(&self, text: &str, options: &SolveOptions, notation: Notation) -> Report {
        let board = board(text);
        let result = self.solver.solve_with(&board, options);
        let report = Report::new(self.solver.goal(), &board, &result, notation);
        self.finish(report.with_mode(options.mode))
    }

    fn all(&self, text: &str, within: u32, most: usize, options: &SolveOptions) -> Report {
        let board = board(text);
        let result = self.solver.all_solutions(&board, within, most, options);
        let report = Report::all_solutions(self.solver.goal(), &board, &result, Notation::Tile);
        self.finish(report)
    }
}

fn threads_allowed(threads: usize) -> usize {
    match threads {
        0 => std::thread::available_parallelism().unwrap().get(),
        threads => threads,
    }
}

/// A report is written so, and read again.
#[track_caller]
fn check(report: &Report, object: &str) {
    assert_eq!(serde_json::to_string(report).unwrap(), object);
    assert_eq!(&serde_json::from_str::<Report>(object).unwrap(), report);
}

#[test]
fn boards_that_are_solved() {
    let (options, tile) = (SolveOptions::default(), Notation::Tile);
    let table = named(Metric::Single, "8");
    check(
        &table.one(FARTHEST, &options, tile),
        r#"{"board":"8 6 7/2 5 4/3 0 1","status":"solved","mode":"optimal","length":31,"optimal":true,"proved":true,"method":"search","moves":"LDR2UL2D2RURDLURUL2DRULD2R2U2L2","nodes":39,"expanded":31,"ms":1.5,"h0":31,"bound":31,"iterations":[{"bound":31,"nodes":39,"expanded":31}],"threads":2,"tables":"8"}"#,
    );
    check(
        &table.one(SOLVED, &options, tile),
        r#"{"board":"1 2 3/4 5 6/7 8 0","status":"solved","mode":"optimal","length":0,"optimal":true,"proved":true,"method":"search","moves":"","nodes":0,"expanded":0,"ms":1.5,"h0":0,"bound":0,"iterations":[],"threads":2,"tables":"8"}"#,
    );
    check(
        &table.one(NEAR, &options, Notation::Numbers),
        r#"{"board":"1 2 3/4 5 6/0 7 8","status":"solved","mode":"optimal","length":2,"optimal":true,"proved":true,"method":"search","moves":"7 8","nodes":2,"expanded":2,"ms":1.5,"h0":2,"bound":2,"iterations":[{"bound":2,"nodes":2,"expanded":2}],"threads":2,"tables":"8"}"#,
    );
    let runs = named(Metric::Multi, "runs");
    check(
        &runs.one(FARTHEST, &options, tile),
        r#"{"board":"8 6 7/2 5 4/3 0 1","status":"solved","mode":"optimal","length":20,"optimal":true,"proved":true,"method":"search","moves":"DRUL2D2R2ULDRU2L2DR2UL2D2R2U2L2","nodes":33,"expanded":20,"ms":1.5,"h0":20,"bound":20,"iterations":[{"bound":20,"nodes":33,"expanded":20}],"threads":2,"tables":"runs"}"#,
    );
}

#[test]
fn all_solutions() {
    let options = SolveOptions::default();
    let table = named(Metric::Single, "8");
    let mut report = table.all(NEAR, 2, 1000, &options);
    check(
        &report,
        r#"{"board":"1 2 3/4 5 6/0 7 8","status":"solved","mode":"optimal","length":2,"optimal":true,"proved":true,"method":"search","moves":"L2","count":1,"counts":[1,0,0],"solutions":["L2"],"nodes":11,"expanded":6,"ms":1.5,"h0":2,"bound":2,"iterations":[{"bound":2,"nodes":2,"expanded":2},{"bound":4,"nodes":9,"expanded":4}],"threads":2,"tables":"8"}"#,
    );
    // What the command leaves out.
    report.solutions = None;
    check(
        &report,
        r#"{"board":"1 2 3/4 5 6/0 7 8","status":"solved","mode":"optimal","length":2,"optimal":true,"proved":true,"method":"search","moves":"L2","count":1,"counts":[1,0,0],"nodes":11,"expanded":6,"ms":1.5,"h0":2,"bound":2,"iterations":[{"bound":2,"nodes":2,"expanded":2},{"bound":4,"nodes":9,"expanded":4}],"threads":2,"tables":"8"}"#,
    );
    let mut report = named(Metric::Multi, "runs").all(FARTHEST, 0, 2, &options);
    report.counts = None;
    check(
        &report,
        r#"{"board":"8 6 7/2 5 4/3 0 1","status":"solved","mode":"optimal","length":20,"optimal":true,"proved":true,"method":"search","moves":"DRUL2D2R2ULDRU2L2DR2UL2D2R2U2L2","count":2,"solutions":["DRUL2D2R2ULDRU2L2DR2UL2D2R2U2L2","D2RU2L2D2RURUL2D2RURUL2D2R2U2L2"],"nodes":113,"expanded":59,"ms":1.5,"h0":20,"bound":20,"iterations":[{"bound":20,"nodes":33,"expanded":20},{"bound":20,"nodes":80,"expanded":39}],"threads":2,"tables":"runs"}"#,
    );
}

/// Better solutions are written like answers, with a status of their own.
#[test]
fn better_solutions_of_an_anytime_search() {
    let table = named(Metric::Single, "5-3");
    let far = board(FARTHEST);
    let heard = Arc::new(Mutex::new(Vec::new()));
    let listener = Arc::clone(&heard);
    let options = SolveOptions::default().mode(Mode::Anytime);
    let options = options.improved(move |improvement: &Improvement| {
        listener.lock().unwrap().push(improvement.clone());
    });
    let last = table.one(FARTHEST, &options, Notation::Tile);
    assert_eq!(
        (last.status, last.mode),
        (Status::Solved, Some(Mode::Anytime))
    );
    assert_eq!((last.length, last.proved), (Some(31), Some(true)));
    let heard = heard.lock().unwrap();
    assert!(!heard.is_empty());
    for improvement in heard.iter() {
        let solution = &improvement.solution;
        let report = Report::improved(&far, improvement, Notation::Tile);
        assert_eq!(
            (report.status, report.mode),
            (Status::Improved, Some(Mode::Anytime))
        );
        assert_eq!(
            (report.length, report.bound),
            (Some(solution.length), Some(solution.lower_bound))
        );
        assert_eq!(
            (report.method, report.proved),
            (Some(solution.method), Some(solution.is_optimal))
        );
        assert_eq!(report.proved, report.optimal);
        assert_eq!(report.ms.is_some(), report.moves.is_some());
        let object = serde_json::to_string(&report).unwrap();
        assert!(
            object.contains(r#""status":"improved","mode":"anytime","length":"#),
            "{object}"
        );
        assert_eq!(serde_json::from_str::<Report>(&object).unwrap(), report);
    }
}

#[test]
fn boards_over_a_limit() {
    let limited = |nodes| SolveOptions::default().max_nodes(nodes);
    let manhattan = named(Metric::Single, "manhattan");
    check(
        &manhattan.one(FARTHEST, &limited(1000), Notation::Tile),
        r#"{"board":"8 6 7/2 5 4/3 0 1","status":"limit","mode":"optimal","nodes":1027,"expanded":680,"ms":1.5,"h0":21,"bound":27,"iterations":[{"bound":21,"nodes":5,"expanded":3},{"bound":23,"nodes":63,"expanded":42},{"bound":25,"nodes":356,"expanded":242},{"bound":27,"nodes":603,"expanded":393}],"threads":2,"tables":"manhattan","message":"stopped after 1027 nodes: no solution is shorter than 27 moves"}"#,
    );
    check(
        &manhattan.all(NEAR, 20, 1000, &limited(3000)),
        r#"{"board":"1 2 3/4 5 6/0 7 8","status":"limit","mode":"optimal","length":2,"optimal":true,"proved":true,"method":"search","moves":"L2","nodes":3015,"expanded":1749,"ms":1.5,"h0":2,"bound":2,"iterations":[{"bound":2,"nodes":2,"expanded":2},{"bound":22,"nodes":3013,"expanded":1747}],"threads":2,"tables":"manhattan","message":"stopped after 3015 nodes: 2 moves are proved optimal, but not all solutions were counted"}"#,
    );
    check(
        &named(Metric::Multi, "lines").one(FARTHEST, &limited(1000), Notation::Tile),
        r#"{"board":"8 6 7/2 5 4/3 0 1","status":"limit","mode":"optimal","nodes":1001,"expanded":496,"ms":1.5,"h0":11,"bound":17,"iterations":[{"bound":11,"nodes":4,"expanded":1},{"bound":12,"nodes":14,"expanded":6},{"bound":13,"nodes":42,"expanded":20},{"bound":14,"nodes":68,"expanded":33},{"bound":15,"nodes":164,"expanded":81},{"bound":16,"nodes":478,"expanded":238},{"bound":17,"nodes":231,"expanded":117}],"threads":2,"tables":"lines","message":"stopped after 1001 nodes: no solution is shorter than 17 moves"}"#,
    );
}

#[test]
fn boards_without_a_solution() {
    let goal = Goal::blank_last("3x3".parse().unwrap());
    let swapped = board(SWAPPED);
    let refused = check_board(&goal, &swapped).map(|_| unreachable!());
    let why = goal.state(&swapped).unwrap().check_solvable().unwrap_err();
    let message = why.describe(&goal);
    assert!(message.contains("7 and 8"), "{message}");
    let report = Report::new(&goal, &swapped, &refused, Notation::Tile);
    check(
        &report.clone().with_line(7).with_threads(2),
        &format!(
            r#"{{"board":"{SWAPPED}","status":"unsolvable","swap":[7,8],"line":7,"message":"{message}"}}"#
        ),
    );
    assert_eq!(report.swap, Some([7, 8]));
    // Three tiles of a line go round: no swap of two repairs that.
    let goal = Goal::blank_last("4x1".parse().unwrap());
    let turned = Board::parse("2 3 1 0", Some(goal.tray())).unwrap();
    let refused = check_board(&goal, &turned).map(|_| unreachable!());
    let report = Report::new(&goal, &turned, &refused, Notation::Tile);
    assert_eq!((report.status, report.swap), (Status::Unsolvable, None));
    let goal = Goal::blank_last("3x3".parse().unwrap());
    let other = board("1 2/3 0");
    let refused = check_board(&goal, &other).map(|_| unreachable!());
    check(
        &Report::new(&goal, &other, &refused, Notation::Tile),
        r#"{"board":"1 2/3 0","status":"error","message":"the board is 2x2, but the goal is 3x3"}"#,
    );
    let mut report =
        Report::error("word 1 `what` is neither a tile's number nor a blank (0 _ . x)");
    report.board = Some("what".to_owned());
    check(
        &report.with_line(3),
        r#"{"board":"what","status":"error","line":3,"message":"word 1 `what` is neither a tile's number nor a blank (0 _ . x)"}"#,
    );
}

/// In order, each as it would be alone, by any number of threads; none after the token is
/// cancelled.
#[test]
fn lists_of_boards() {
    let table = named(Metric::Single, "5-3");
    let boards = [FARTHEST, SWAPPED, NEAR, SOLVED, "1 2/3 0"].map(board);
    for threads in [0, 1, 3] {
        let options = SolveOptions::default().threads(threads);
        let mut statuses = Vec::new();
        let many = boards.iter().cycle().take(500).cloned();
        table
            .solver
            .solve_list(many, &options, |index, mut report| {
                let board = &boards[index % 5];
                let alone = table.solver.solve(board);
                let alone = Report::new(table.solver.goal(), board, &alone, Notation::Tile)
                    .with_mode(Mode::Optimal);
                assert_eq!(report.threads.is_some(), report.nodes.is_some());
                let threads = report.threads.take();
                assert!(threads.is_none_or(|count| threads_allowed(options.threads) == count));
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
    // The threads of a list do not stay behind among those that searches share.
    let permits = Arc::new(solver::ThreadPermits::new(1));
    let before = format!("{permits:?}");
    let options = SolveOptions::default().threads(3).permits(&permits);
    table.solver.solve_list(boards.clone(), &options, |_, _| {});
    assert_eq!(format!("{permits:?}"), before);
    let options = SolveOptions::default().threads(2);
    let cancel = options.cancel.clone();
    let mut seen = 0;
    let endless = boards.iter().cycle().cloned();
    table.solver.solve_list(endless, &options, |_, _| {
        seen += 1;
        cancel.cancel();
    });
    assert!((1..2000).contains(&seen), "{seen}");
}
