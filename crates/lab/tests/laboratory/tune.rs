//! Tests of tuning. Simple code computes the expected measurements and choices.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use lab::tune::{
    Cancel, Candidate, Control, Stage, TuneError, TuneEvent, TuneOptions, TuneReport, tune,
};
use puzzle::{
    Cell, CellSet, Direction, Goal, HeuristicSpec, Pattern, Scrambler, State, TableKind, Tray,
};
use rustc_hash::FxBuildHasher;
use solver::{DuplicatePruning, Side, SolveOptions, Solver};

fn options(size: &str, blank: usize, sizes: &[usize]) -> TuneOptions {
    let (tray, blank) = (size.parse().unwrap(), Cell::new(blank));
    let mut options = TuneOptions::new(tray, blank, sizes.to_vec());
    options.seed = 5;
    options.states = 500;
    options.max_entries = 1_000_000_000;
    options.finalists = 1000;
    options
}

/// Tunes to the end.
fn run(options: &TuneOptions) -> Result<TuneReport, TuneError> {
    tune(options, &Control::default())
}

fn boards(options: &TuneOptions, count: usize) -> Vec<State> {
    let mut scrambler = Scrambler::new(9);
    let draw = |_| scrambler.draw(options.tray, options.goal_blank);
    (0..count).map(draw).collect()
}

/// Cells of a pattern's tiles and of the blank.
type Placement = (Vec<Cell>, Cell);

fn placement(state: &State, tiles: CellSet) -> Placement {
    let cell_of = |tile: Cell| state.pieces().iter().position(|&piece| piece == tile);
    let cells = tiles.iter().map(|tile| Cell::new(cell_of(tile).unwrap()));
    (cells.collect(), state.blank())
}

/// For each placement, the minimum number of moves of the pattern's tiles on a path to the goal
/// placement.
fn distances(tray: Tray, blank: Cell, tiles: CellSet) -> HashMap<Placement, u32, FxBuildHasher> {
    let goal = placement(&State::goal(tray, blank), tiles);
    let mut distance = HashMap::default();
    distance.insert(goal.clone(), 0);
    let mut queue = VecDeque::from([(goal, 0)]);
    while let Some((here, moves)) = queue.pop_front() {
        if distance[&here] < moves {
            continue;
        }
        for next in tray.neighbours(here.1) {
            let mut there = here.clone();
            let tile = there.0.iter().position(|&cell| cell == next);
            if let Some(tile) = tile {
                there.0[tile] = here.1;
            }
            there.1 = next;
            let moves = moves + u32::from(tile.is_some());
            let known = distance.entry(there.clone()).or_insert(u32::MAX);
            if moves < *known {
                *known = moves;
                match tile {
                    Some(_) => queue.push_back((there, moves)),
                    None => queue.push_front((there, moves)),
                }
            }
        }
    }
    distance
}

/// All solvable states.
fn all_states(tray: Tray, blank: Cell) -> Vec<State> {
    let goal = State::goal(tray, blank);
    let mut seen = HashSet::from([goal.clone()]);
    let mut states = vec![goal];
    let mut next = 0;
    while let Some(state) = states.get(next).cloned() {
        next += 1;
        for direction in Direction::ALL {
            let mut moved = state.clone();
            if moved.slide(direction) && seen.insert(moved.clone()) {
                states.push(moved);
            }
        }
    }
    states
}

#[test]
fn mean_h_is_the_mean_over_all_states() {
    for (size, blank, sizes) in [
        ("3x2", 0, &[3, 2][..]),
        ("3x2", 1, &[4, 1]),
        ("3x3", 1, &[4, 4]),
        ("3x3", 4, &[7, 1]),
        ("3x3", 8, &[5, 3]),
        ("3x3", 0, &[8]),
    ]
    .into_iter()
    .take(if crate::IS_LONG { 6 } else { 4 })
    {
        let options = options(size, blank, sizes);
        let states = all_states(options.tray, options.goal_blank);
        let tuned = run(&options).unwrap();
        assert!(tuned.is_exhaustive && !tuned.candidates.is_empty());
        let (first, last) = (&tuned.candidates[0], tuned.candidates.last().unwrap());
        for candidate in [first, last] {
            let parts = &candidate.partitions[0];
            let h = |tiles: &CellSet| distances(options.tray, options.goal_blank, *tiles);
            let tables: Vec<_> = parts.iter().map(|tiles| (*tiles, h(tiles))).collect();
            let value = |state: &State| -> u32 {
                let parts = tables.iter();
                parts
                    .map(|(tiles, table)| table[&placement(state, *tiles)])
                    .sum()
            };
            let sum: u32 = states.iter().map(value).sum();
            let mean = f64::from(sum) / states.len() as f64;
            assert!(candidate.is_exact);
            let found = candidate.means[0];
            assert!(
                (found - mean).abs() < 1e-9,
                "{size} {sizes:?}: {found}, {mean}"
            );
        }
    }
}

/// Simple code computes the expected means and efforts of all partitions. Each partition has two
/// views: itself and its transposed image.
#[test]
fn the_ranking_equals_that_of_all_partitions() {
    let options = options("3x3", 0, &[4, 4]);
    let (tray, blank) = (options.tray, options.goal_blank);
    let tiles = CellSet::all(tray).without(blank);
    let transposed = |set: CellSet| -> CellSet { set.map(puzzle::Symmetry::Transpose, tray) };
    let mut scrambler = Scrambler::new(options.seed);
    let sample: Vec<State> = (0..options.states)
        .map(|_| scrambler.draw(tray, blank))
        .collect();
    let values: HashMap<CellSet, Vec<u32>> = CellSet::subsets(tray, 4)
        .filter(|part| !part.contains(blank))
        .map(|part| {
            let table = distances(tray, blank, part);
            let states = sample.iter();
            (part, states.map(|s| table[&placement(s, part)]).collect())
        })
        .collect();
    let sum =
        |part: CellSet, state: usize| values[&part][state] + values[&tiles.difference(part)][state];
    let mut expected: HashMap<CellSet, (f64, f64)> = HashMap::new();
    for &part in values.keys() {
        let h = (0..sample.len()).map(|s| sum(part, s).max(sum(transposed(part), s)));
        let h: Vec<u32> = h.collect();
        let mean = f64::from(h.iter().sum::<u32>()) / h.len() as f64;
        // The branching factor of the 3x3 is the square root of 3.
        let effort: f64 = h.iter().map(|&h| 3_f64.powf(-0.5 * f64::from(h))).sum();
        expected.insert(part, (effort / h.len() as f64, mean));
    }
    let tuned = run(&options).unwrap();
    assert_eq!(tuned.candidates.len(), tuned.compared);
    let mut seen = HashSet::new();
    let mut last = f64::INFINITY;
    for candidate in &tuned.candidates {
        let parts = &candidate.partitions[0];
        for part in [
            parts[0],
            parts[1],
            transposed(parts[0]),
            transposed(parts[1]),
        ] {
            let (effort, mean) = expected[&part];
            assert!(
                (candidate.effort / effort - 1.0).abs() < 1e-6,
                "{candidate:?} {effort}"
            );
            assert!((candidate.mean - mean).abs() < 1e-9, "{candidate:?} {mean}");
            seen.insert(part);
        }
        assert!(candidate.mean <= last);
        last = candidate.mean;
    }
    assert_eq!(seen.len(), expected.len());
}

#[test]
fn a_tuning_is_repeatable() {
    let mut options = options("3x3", 8, &[5, 3]);
    (options.finalists, options.searched) = (4, boards(&options, 12));
    let first = run(&options).unwrap();
    assert_eq!(first, run(&options).unwrap());
    options.seed = 6;
    let other = run(&options).unwrap();
    assert_ne!(first.candidates[0].mean, other.candidates[0].mean);
}

/// With a tiny budget, all partitions are screened by bounds from small tables, and only a few
/// partitions are measured. The measured values equal those of a tuning with a full budget.
#[test]
fn screening_keeps_its_budget() {
    let full = run(&options("3x3", 8, &[5, 3])).unwrap();
    let mut options = options("3x3", 8, &[5, 3]);
    options.max_entries = 400_000;
    let some = run(&options).unwrap();
    assert!(!some.is_exhaustive && full.is_exhaustive);
    assert!(some.tables < full.tables);
    assert!(!some.candidates.is_empty() && some.candidates.len() < full.candidates.len());
    for candidate in &some.candidates {
        assert!(full.candidates.contains(candidate));
    }
    // The best candidate found by screening is in the better half of all candidates.
    let place = full
        .candidates
        .iter()
        .position(|c| *c == some.candidates[0]);
    assert!(place.unwrap() < full.candidates.len() / 2, "{place:?}");
}

#[test]
fn several_partitions_are_better_than_one() {
    let alone = run(&options("3x2", 1, &[3, 2])).unwrap();
    let mut options = options("3x2", 1, &[3, 2]);
    options.together = 2;
    let pairs = run(&options).unwrap();
    let best = &pairs.candidates[0];
    assert_eq!((best.partitions.len(), best.means.len()), (2, 2));
    assert!(best.mean > alone.candidates[0].mean);
}

#[test]
fn known_partitions_take_part_and_pictures_read_back() {
    let mut options = options("3x3", 8, &[5, 3]);
    let goal = Goal::with_blank(options.tray, options.goal_blank);
    let named = HeuristicSpec::parse("5-3", &goal).unwrap();
    options.known = vec![
        named
            .partitions()
            .iter()
            .map(|p| p.patterns().iter().map(Pattern::tiles).collect())
            .collect(),
    ];
    (options.finalists, options.searched) = (3, boards(&options, 10));
    let tuned = run(&options).unwrap();
    assert_eq!(tuned.candidates.len(), 4);
    assert_eq!(tuned.candidates.iter().filter(|c| c.is_known).count(), 1);
    for candidate in &tuned.candidates {
        let pictures = candidate.pictures(options.tray, options.goal_blank);
        let text: String = pictures.iter().map(|p| format!("{p}\n")).collect();
        let read = HeuristicSpec::builder(&goal)
            .file("p.txt", Ok(text.clone()))
            .parse("p.txt");
        let read = read.unwrap();
        let parts: HashSet<CellSet> = candidate.partitions[0].iter().copied().collect();
        assert_eq!(
            read.partitions()[0]
                .patterns()
                .iter()
                .map(Pattern::tiles)
                .collect::<HashSet<_>>(),
            parts
        );
        assert_eq!(read.order(), candidate.nodes[0].0);
    }
    // With `finalists` = 0, only the sets in `options.known` are measured.
    options.finalists = 0;
    let TuneReport { candidates, .. } = run(&options).unwrap();
    assert!(matches!(
        &candidates[..],
        [Candidate { is_known: true, .. }]
    ));
}

#[test]
fn impossible_tasks_are_rejected() {
    let refused = |options: TuneOptions| run(&options).unwrap_err();
    assert!(matches!(
        refused(options("3x3", 8, &[5, 4])),
        TuneError::Sum { found: 9, .. }
    ));
    assert!(matches!(
        refused(options("3x3", 8, &[8, 0])),
        TuneError::Pattern(_)
    ));
    assert!(matches!(
        refused(options("4x4", 8, &[13, 2])),
        TuneError::Pattern(_)
    ));
    assert!(matches!(
        refused(options("13x5", 8, &[12, 12, 12, 12, 12, 4])),
        TuneError::Pattern(_)
    ));
    // On the 6x6, a pattern has at most 9 tiles, because a table has at most 2^27 shapes.
    assert!(matches!(
        refused(options("6x6", 8, &[10, 10, 10, 5])),
        TuneError::Pattern(_)
    ));
    let mut full = options("3x3", 8, &[5, 3]);
    full.kind = TableKind::FullCost;
    assert_eq!(refused(full), TuneError::TableKind(TableKind::FullCost));
    let mut none = options("3x3", 8, &[5, 3]);
    none.states = 0;
    assert!(matches!(refused(none), TuneError::Nothing(_)));
    // The memory limit is too low: first for one table, then for the sample's values, then for all
    // tables of the searches at once.
    let mut poor = options("4x4", 0, &[11, 4]);
    poor.max_memory = Some(1 << 30);
    let text = refused(poor).to_string();
    assert!(
        text.contains("11 tiles") && text.contains("up to 8 tiles"),
        "{text}"
    );
    let mut poor = options("3x3", 0, &[4, 4]);
    poor.max_memory = Some(1 << 23);
    assert!(run(&poor).is_ok());
    poor.states = 100_000;
    let text = refused(poor.clone()).to_string();
    assert!(text.contains("fewer states"), "{text}");
    poor.searched = boards(&poor, 1);
    poor.together = 200;
    let text = refused(poor).to_string();
    assert!(text.contains("400 tables at once"), "{text}");
}

#[test]
fn without_time_sets_are_ranked_by_the_mean() {
    let mut options = options("3x3", 8, &[5, 3]);
    options.finalists = 2;
    let by_mean = run(&options).unwrap().candidates;
    options.searched = boards(&options, 8);
    options.max_time = Some(Duration::ZERO);
    let none = run(&options).unwrap();
    assert!(none.is_cut);
    assert_eq!((none.searched, none.candidates), (0, by_mean));
    options.max_time = Some(Duration::MAX);
    assert!(!run(&options).unwrap().is_cut);
}

#[test]
fn a_tuning_is_reported_and_can_be_cancelled() {
    let options = options("3x3", 8, &[5, 3]);
    let cancel = Cancel::default();
    let (steps, token) = (AtomicU32::new(0), cancel.clone());
    let listener = move |event: &TuneEvent| {
        assert!((1..=event.total).contains(&event.done));
        if steps.fetch_add(1, Ordering::Relaxed) + 1 > 3 {
            assert_eq!(event.stage, Stage::Measure);
            token.cancel();
        }
    };
    let stopped = tune(&options, &Control::new(cancel, Some(Arc::new(listener))));
    assert_eq!(stopped, Err(TuneError::Cancelled));
}

fn search_options(
    tray: Tray,
    blank: Cell,
    kind: TableKind,
    name: &str,
    boards: usize,
) -> TuneOptions {
    let goal = Goal::with_blank(tray, blank);
    let spec = HeuristicSpec::builder(&goal)
        .kind(kind)
        .parse(name)
        .unwrap();
    let parts = spec
        .partitions()
        .iter()
        .map(|p| p.patterns().iter().map(Pattern::tiles).collect());
    let mut scrambler = Scrambler::new(3);
    let patterns = spec.partitions()[0].patterns().iter();
    let sizes = patterns.map(|p| p.tiles().len()).collect();
    let mut options = TuneOptions::new(tray, blank, sizes);
    options.kind = kind;
    options.states = 10;
    options.max_entries = 0;
    options.finalists = 0;
    options.searched = (0..boards).map(|_| scrambler.draw(tray, blank)).collect();
    options.known = vec![parts.collect()];
    options
}

fn check(tray: Tray, blank: Cell, kind: TableKind, name: &str, boards: usize, orders: usize) {
    let options = search_options(tray, blank, kind, name, boards);
    let tuned = tune(&options, &Control::default()).unwrap();
    let candidate = &tuned.candidates[0];
    assert_eq!(candidate.nodes.len(), 24);
    let goal = Goal::with_blank(tray, blank);
    for &(order, nodes) in candidate.nodes.iter().take(orders) {
        let letters: String = order.map(Direction::letter).iter().collect();
        let pictures = candidate.pictures(tray, blank).into_iter();
        let pictures = pictures.map(|mut picture| {
            picture.order = Some(order);
            format!("{picture}\n")
        });
        let text: String = pictures.collect();
        let spec = HeuristicSpec::builder(&goal)
            .kind(kind)
            .file("p.txt", Ok(text))
            .parse("p.txt")
            .unwrap();
        let solver = Solver::build(goal.clone(), spec).unwrap();
        let plain = SolveOptions::default()
            .side(Side::Start)
            .pruning(DuplicatePruning::ParentOnly);
        let solve = |state: &State| {
            let board = goal.board_of(state).unwrap();
            solver.solve_with(&board, &plain).unwrap().stats.generated
        };
        let expected: u64 = options.searched.iter().map(solve).sum();
        let found = nodes * boards as f64;
        assert!(
            (found - expected as f64).abs() < 0.5,
            "{name} {letters}: {found}, {expected}"
        );
    }
}

#[test]
fn counts_of_every_order_equal_the_solvers() {
    let tray = Tray::new(3, 3).unwrap();
    for blank in [0, 1, 4] {
        check(tray, Cell::new(blank), TableKind::ZeroAware, "5-3", 15, 24);
    }
    check(
        tray,
        Cell::new(8),
        TableKind::BlankCompressed,
        "4-4",
        15,
        24,
    );
}

#[test]
fn counts_of_the_15_puzzle_equal_the_solvers() {
    let tray = Tray::new(4, 4).unwrap();
    let count = if cfg!(feature = "long-tests") { 3 } else { 1 };
    for blank in [5, 0, 1].into_iter().take(count) {
        check(tray, Cell::new(blank), TableKind::ZeroAware, "6-6-3", 3, 2);
    }
}
