//! Tests of comparisons, explanations and positions.

use std::sync::Mutex;
use std::time::Duration;

use lab::compare::{Group, RunStatus};
use lab::search::{Counts, DEFAULT_ORDER};
use lab::{
    BoardSet, CompareError, Comparison, Entrant, Explanation, HeuristicChoice, HeuristicFactory,
    Limits, Position, Record, Search,
};
use puzzle::{Board, Cell, Goal};

fn choices(names: &[&str]) -> Vec<HeuristicChoice> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

fn searches(names: &[&str]) -> Vec<Search> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

fn comparison() -> Comparison {
    let goal = Goal::blank_last("3x2".parse().unwrap());
    let boards = ["1 2 3/4 0 5", "2 3 5/1 4 0", "0 1 2/4 5 3"];
    let boards = boards.iter().map(|board| board.parse().unwrap()).collect();
    let mut known = BoardSet::of("known", goal, boards);
    known.boards[0].length = Some(1);
    let other = Goal::blank_first("2x2".parse().unwrap());
    Comparison {
        sets: vec![known, BoardSet::walks(other, 2, 3, 1)],
        entrants: Entrant::all(
            &choices(&["manhattan", "zero"]),
            &searches(&[
                "astar",
                "breadth-first",
                "ida-star",
                "bidirectional",
                "greedy",
            ]),
        ),
        limits: Limits::default(),
        order: DEFAULT_ORDER,
        threads: 2,
    }
}

fn run(comparison: &Comparison) -> Vec<Record> {
    let prepared = comparison.prepare(&HeuristicFactory::default()).unwrap();
    let finished = Mutex::new(0);
    let mut records = Vec::new();
    prepared.run(
        |_| *finished.lock().unwrap() += 1,
        |record| records.push(record),
    );
    assert_eq!(*finished.lock().unwrap(), records.len());
    records
}

#[test]
fn searches_without_heuristics_run_once() {
    let entrants = comparison().entrants;
    let names: Vec<String> = entrants
        .iter()
        .map(|own| format!("{} {}", own.search, own.heuristic_name()))
        .collect();
    let expected = [
        "astar manhattan",
        "astar zero",
        "breadth-first none",
        "ida-star manhattan",
        "ida-star zero",
        "bidirectional manhattan",
        "bidirectional zero",
        "greedy manhattan",
        "greedy zero",
    ];
    assert_eq!(names, expected);
    let twice = choices(&["zero", "zero"]);
    let same = searches(&["astar", "breadth-first", "astar"]);
    assert_eq!(Entrant::all(&twice, &same).len(), 2);
}

#[test]
fn records_are_in_order_and_correct() {
    let comparison = comparison();
    let records = run(&comparison);
    assert_eq!((records.len(), comparison.runs()), (45, 45));
    let set = |record: &Record| {
        comparison
            .sets
            .iter()
            .position(|own| own.name == record.set)
    };
    let is_entrant = |record: &Record, own: &Entrant| {
        own.search.to_string() == record.search && own.heuristic_name() == record.heuristic
    };
    let places = records.iter().map(|record| {
        let mut entrants = comparison.entrants.iter();
        let entrant = entrants.position(|own| is_entrant(record, own));
        (set(record).unwrap(), entrant.unwrap(), record.number)
    });
    let places: Vec<_> = places.collect();
    assert!(places.is_sorted_by(|a, b| a < b));
    assert_eq!((places[0], places[44]), ((0, 0, 1), (1, 8, 2)));
    for record in &records {
        let set = comparison.set_of(&record.set, &record.size).unwrap();
        assert_eq!(
            (record.goal.clone(), set.boards.len()),
            (
                set.goal.to_string(),
                if record.size == "3x2" { 3 } else { 2 }
            )
        );
        let known = &set.boards[record.number - 1];
        assert_eq!(record.board, known.board.to_string());
        assert_eq!(
            (record.status, record.limit.as_ref()),
            (RunStatus::Solved, None)
        );
        let moves = puzzle::read_letters(record.moves.as_ref().unwrap()).unwrap();
        assert_eq!(moves.len() as u32, record.length.unwrap());
        assert_eq!(known.board.play(&moves).as_ref(), Ok(set.goal.board()));
        let shortest = records
            .iter()
            .find(|other| other.board == record.board && other.search == "breadth-first");
        let shortest = shortest.unwrap().length;
        match record.search.as_str() {
            "greedy" if known.length.is_none() => assert_eq!(record.optimal_length, None),
            _ => assert_eq!(record.optimal_length, shortest),
        }
        if record.search != "greedy" {
            assert_eq!(
                record.length, shortest,
                "{} {}",
                record.search, record.board
            );
        }
        let position = Position::new(&set.goal.state(&known.board).unwrap()).unwrap();
        let heuristic = match record.heuristic.as_str() {
            "manhattan" => set.goal.state(&known.board).unwrap().manhattan(),
            _ => 0,
        };
        assert_eq!(
            (record.h0, position.tray().to_string()),
            (heuristic, record.size.clone())
        );
        assert!(record.generated > 0 && record.expanded > 0 && record.ms >= 0.0);
        assert_eq!(record.iterations.is_empty(), record.search != "ida-star");
        let factor = Counts {
            generated: record.generated,
            ..Counts::default()
        };
        let factor = factor.branching_factor(record.length.unwrap() as usize);
        let error = factor.unwrap() - record.branching_factor.unwrap();
        assert!(error.abs() <= 0.5e-4 + 1e-12, "{error}");
    }
    let set = |name, size| comparison.set_of(name, size).map(|set| &set.name);
    assert!(set("known", "3x2").is_some() && set("walk-3", "2x2").is_some());
    assert!(set("known", "2x2").is_none() && set("other", "3x2").is_none());
}

#[test]
fn a_cancelled_comparison_has_no_records() {
    let mut stopped = comparison();
    stopped.limits.cancel = pdb_table::Cancel::default();
    stopped.limits.cancel.cancel();
    assert!(run(&stopped).is_empty());
}

#[test]
fn records_name_the_limit_of_a_search() {
    let mut comparison = comparison();
    comparison.limits.max_nodes = Some(1);
    comparison.sets.truncate(1);
    comparison.entrants.truncate(1);
    let records = run(&comparison);
    for record in &records[1..] {
        assert_eq!(
            (record.status, record.limit.as_deref()),
            (RunStatus::Limit, Some("nodes"))
        );
        assert_eq!(
            (record.length, &record.moves, record.optimal_length),
            (None, &None, None)
        );
        assert_eq!(record.branching_factor, None);
    }
    let groups = Group::of(&records);
    let (group, of) = &groups[0];
    let limited = records
        .iter()
        .filter(|record| record.limit.is_some())
        .count();
    assert_eq!((groups.len(), of.len(), group.boards), (1, 3, 3));
    assert_eq!(group.limits, [("nodes".to_owned(), limited)]);
    assert_eq!(group.solved, 3 - limited);
}

#[test]
fn groups_have_the_figures_of_their_records() {
    let records = run(&comparison());
    let groups = Group::of(&records);
    assert_eq!(groups.len(), 18);
    for (group, own) in &groups {
        assert!(own.iter().all(|record| {
            (&record.set, &record.size, &record.search, &record.heuristic)
                == (&group.set, &group.size, &group.search, &group.heuristic)
        }));
        assert_eq!((group.boards, group.solved), (own.len(), own.len()));
        assert!(group.limits.is_empty());
        let mean = |number: fn(&Record) -> f64| {
            own.iter().map(|&record| number(record)).sum::<f64>() / own.len() as f64
        };
        for (spread, expected) in [
            (&group.generated, mean(|record| record.generated as f64)),
            (&group.expanded, mean(|record| record.expanded as f64)),
            (&group.reopened, mean(|record| record.reopened as f64)),
            (&group.peak, mean(|record| record.peak as f64)),
            (&group.peak_bytes, mean(|record| record.peak_bytes as f64)),
            (&group.h0, mean(|record| record.h0.into())),
            (&group.ms, mean(|record| record.ms)),
            (
                group.length.as_ref().unwrap(),
                mean(|record| record.length.unwrap().into()),
            ),
        ] {
            assert!(
                (spread.mean - expected).abs() < 1e-6,
                "{} {expected}",
                spread.mean
            );
        }
        let factor = mean(|record| record.branching_factor.unwrap());
        assert!((group.branching_factor.unwrap() - factor).abs() < 1e-6);
    }
    assert!(Group::of(&[]).is_empty());
}

#[test]
fn impossible_comparisons_have_a_reason() {
    let check = |change: &dyn Fn(&mut Comparison)| {
        let mut comparison = comparison();
        change(&mut comparison);
        let prepared = comparison.prepare(&HeuristicFactory::default());
        assert_eq!(prepared.map(drop).err(), comparison.check().err());
        comparison.check()
    };
    assert_eq!(check(&|_| ()), Ok(()));
    assert_eq!(
        check(&|own| own.entrants.clear()),
        Err(CompareError::NoEntrants)
    );
    assert_eq!(check(&|own| own.sets[0].boards.clear()), Ok(()));
    assert_eq!(check(&|own| own.sets.clear()), Err(CompareError::NoBoards));
    let nodes = check(&|own| own.limits.max_nodes = Some(0));
    assert_eq!(nodes, Err(CompareError::Zero("nodes")));
    let memory = check(&|own| own.limits.max_memory = Some(0));
    assert_eq!(memory, Err(CompareError::Zero("memory")));
    let time = check(&|own| own.limits.max_time = Some(Duration::ZERO));
    assert_eq!(time, Err(CompareError::Zero("time")));
    assert_eq!(
        check(&|own| own.limits.max_time = Some(Duration::from_secs(9))),
        Ok(())
    );
    let with = |board: &'static str| {
        check(&move |own| own.sets[0].boards[1].board = board.parse().unwrap())
    };
    assert_eq!(
        with("1 2/3 0"),
        Err(CompareError::Size("1 2/3 0".to_owned()))
    );
    let message = with("2 1 3/4 5 0").unwrap_err().to_string();
    assert!(
        message.starts_with("the board 2 1 3/4 5 0 is unsolvable: "),
        "{message}"
    );
    assert!(
        message.ends_with("swapping tiles 1 and 2 would repair it"),
        "{message}"
    );
    let other = check(&|own| {
        own.entrants = Entrant::all(&choices(&["6-6-3"]), &searches(&["astar"]));
    });
    assert!(matches!(other, Err(CompareError::Heuristic(_))));
    let large = check(&|own| {
        let goal = Goal::blank_last("20x20".parse().unwrap());
        own.sets = vec![BoardSet::of(
            "large",
            goal.clone(),
            vec![goal.board().clone()],
        )];
    });
    assert!(matches!(large, Err(CompareError::TooLarge(_))));
}

#[test]
fn boards_are_drawn_by_seed() {
    let goal = Goal::blank_last("3x3".parse().unwrap());
    let random = |seed| BoardSet::random(goal.clone(), 5, seed);
    assert_eq!(
        (random(1), random(1).name),
        (random(1), "random".to_owned())
    );
    assert_ne!(random(1), random(2));
    let walks = BoardSet::walks(goal.clone(), 4, 6, 1);
    assert_eq!(
        (walks.name.as_str(), walks.boards.len(), &walks.goal),
        ("walk-6", 4, &goal)
    );
    for set in [random(3), walks] {
        for known in &set.boards {
            assert_eq!(known.length, None);
            assert!(goal.state(&known.board).unwrap().check_solvable().is_ok());
            assert_ne!(known.board, *goal.board());
        }
    }
    let names: Vec<&str> = BoardSet::suite_names().collect();
    let error = BoardSet::suite("korf").unwrap_err().to_string();
    assert_eq!(
        error,
        format!("there is no suite `korf`: expected {}", names.join(", "))
    );
}

#[test]
fn explanations_add_up() {
    let board: Board = "3 2 1/4 5 6/7 8 0".parse().unwrap();
    let goal = Goal::blank_last(board.tray());
    let position = Position::new(&goal.state(&board).unwrap()).unwrap();
    let names = [
        "manhattan",
        "linear-conflict",
        "zero",
        "misplaced",
        "walking-distance",
        "5-3",
    ];
    let factory = HeuristicFactory::default();
    let heuristics: Vec<_> = choices(&names)
        .iter()
        .map(|choice| factory.heuristic(choice, &goal).unwrap())
        .collect();
    let seen = Explanation::of(&heuristics, &position, &goal);
    let largest = seen.iter().map(|own| own.value).max().unwrap();
    for ((explanation, heuristic), name) in seen.iter().zip(&heuristics).zip(names) {
        assert_eq!(
            (explanation.value, explanation.heuristic.as_str()),
            (heuristic.estimate(&position), name)
        );
        assert_eq!(
            explanation.is_largest,
            explanation.value == largest,
            "{name}"
        );
        assert_eq!(explanation.is_consistent, heuristic.is_consistent());
        assert_eq!(explanation.source, heuristic.source());
        assert!(name == "zero" || !explanation.source.is_empty());
        // The value of a pattern database is its largest term: the sum of one view. Other values
        // are the sums of all their terms.
        let sum: u32 = match name {
            "5-3" => explanation
                .terms
                .iter()
                .map(|term| term.value)
                .max()
                .unwrap(),
            _ => explanation.terms.iter().map(|term| term.value).sum(),
        };
        assert_eq!(sum, explanation.value, "{name}: {:?}", explanation.terms);
    }
    assert!(Explanation::of(&[], &position, &goal).is_empty());
}

#[test]
fn positions_are_boards_that_move() {
    let goal = Goal::blank_last("3x3".parse().unwrap());
    let state = goal.state(&"1 2 3/4 0 5/7 8 6".parse().unwrap()).unwrap();
    let mut position = Position::new(&state).unwrap();
    assert_eq!((position.blank(), position.goal_blank()), (4, 8));
    assert!(!position.is_goal());
    let tiles: Vec<(Cell, Cell)> = position.tiles().collect();
    assert_eq!(tiles.len(), 8);
    assert_eq!(tiles[4], (Cell::new(4), Cell::new(5)));
    let slide = position.slide(5);
    assert_eq!((slide.tile, slide.from, slide.to), (4, 5, 4));
    assert_eq!((position.blank(), position.pieces()[4]), (5, 4));
    position.slide(8);
    assert!(position.is_goal() && position.blank() == 8);
    assert_eq!(
        position,
        Position::new(&puzzle::State::goal(goal.tray(), Cell::new(8))).unwrap()
    );
    let large = |side: usize| {
        let tray = puzzle::Tray::new(side, 16).unwrap();
        Position::new(&puzzle::State::goal(tray, tray.last())).is_ok()
    };
    assert_eq!((large(16), large(17)), (true, false));
}
