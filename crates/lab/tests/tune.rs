//! What tuning measures, against plain searches of every state that share nothing with it; and what
//! it chooses.
#![allow(clippy::unwrap_used)]

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicU32, Ordering};

use lab::tune::{Candidate, Stage, TuneError, TuneOptions, TuneProgress, TuneReport, tune};
use pdb_table::Cancel;
use puzzle::{Cell, CellSet, Goal, HeuristicSpec, Pattern, Scrambler, State, TableKind, Tray};

fn task(size: &str, blank: usize, sizes: &[usize]) -> TuneOptions {
    TuneOptions {
        tray: size.parse().unwrap(),
        goal_blank: Cell::new(blank),
        kind: TableKind::ZeroAware,
        sizes: sizes.to_vec(),
        together: 1,
        seed: 5,
        states: 500,
        entries: 1_000_000_000,
        finalists: 1000,
        searched: Vec::new(),
        known: Vec::new(),
        memory: None,
    }
}

fn boards(task: &TuneOptions, count: usize) -> Vec<State> {
    let mut scrambler = Scrambler::new(9);
    let draw = |_| scrambler.draw(task.tray, task.goal_blank);
    (0..count).map(draw).collect()
}

/// Where a pattern's tiles and the blank are.
type Placement = (Vec<Cell>, Cell);

fn placement(state: &State, tiles: CellSet) -> Placement {
    let cell_of = |tile: Cell| state.pieces().iter().position(|&piece| piece == tile);
    let cells = tiles.iter().map(|tile| Cell::new(cell_of(tile).unwrap()));
    (cells.collect(), state.blank())
}

/// Moves of a pattern's tiles from every placement to the goal.
fn distances(tray: Tray, blank: Cell, tiles: CellSet) -> HashMap<Placement, u32> {
    let goal = placement(&State::goal(tray, blank), tiles);
    let mut distance = HashMap::from([(goal.clone(), 0)]);
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

/// All states that can be solved.
fn all_states(tray: Tray, blank: Cell) -> Vec<State> {
    let goal = State::goal(tray, blank);
    let mut seen = HashSet::from([goal.clone()]);
    let mut states = vec![goal];
    let mut next = 0;
    while let Some(state) = states.get(next).cloned() {
        next += 1;
        for direction in puzzle::Direction::ALL {
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
        ("3x3", 8, &[5, 3][..]),
        ("3x3", 1, &[4, 4]),
        ("3x3", 4, &[7, 1]),
        ("3x3", 0, &[8]),
        ("3x2", 0, &[3, 2]),
        ("3x2", 1, &[4, 1]),
    ] {
        let task = task(size, blank, sizes);
        let states = all_states(task.tray, task.goal_blank);
        let tuned = tune(&task, &()).unwrap();
        assert!(tuned.is_exhaustive && !tuned.candidates.is_empty());
        let (first, last) = (&tuned.candidates[0], tuned.candidates.last().unwrap());
        for candidate in [first, last] {
            let parts = &candidate.partitions[0];
            let h = |tiles: &CellSet| distances(task.tray, task.goal_blank, *tiles);
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

/// Every partition by counting in binary, every view by hand, every value by plain search.
#[test]
fn the_ranking_is_that_of_all_partitions() {
    let task = task("3x3", 0, &[4, 4]);
    let (tray, blank) = (task.tray, task.goal_blank);
    let tiles = CellSet::all(tray).without(blank);
    let transposed = |set: CellSet| -> CellSet { set.map(puzzle::Symmetry::TRANSPOSE, tray) };
    let mut scrambler = Scrambler::new(task.seed);
    let sample: Vec<State> = (0..task.states)
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
    let tuned = tune(&task, &()).unwrap();
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
    let mut task = task("3x3", 8, &[5, 3]);
    (task.finalists, task.searched) = (4, boards(&task, 12));
    let first = tune(&task, &()).unwrap();
    assert_eq!(first, tune(&task, &()).unwrap());
    let other = tune(&TuneOptions { seed: 6, ..task }, &()).unwrap();
    assert_ne!(first.candidates[0].mean, other.candidates[0].mean);
}

/// With next to nothing to spend partitions are screened by small tables; what is measured then is
/// as exact, and bounds are bounds.
#[test]
fn screening_measures_what_it_can_afford() {
    let full = tune(&task("3x3", 8, &[5, 3]), &()).unwrap();
    let mut task = task("3x3", 8, &[5, 3]);
    task.entries = 400_000;
    let some = tune(&task, &()).unwrap();
    assert!(!some.is_exhaustive && full.is_exhaustive);
    assert!(some.tables < full.tables);
    assert!(!some.candidates.is_empty() && some.candidates.len() < full.candidates.len());
    for candidate in &some.candidates {
        assert!(full.candidates.contains(candidate));
    }
    // The screening leads to the better half.
    let place = full
        .candidates
        .iter()
        .position(|c| *c == some.candidates[0]);
    assert!(place.unwrap() < full.candidates.len() / 2, "{place:?}");
}

#[test]
fn several_partitions_do_better_than_one() {
    // No symmetry keeps an edge cell of a 3x2.
    let alone = tune(&task("3x2", 1, &[3, 2]), &()).unwrap();
    let mut task = task("3x2", 1, &[3, 2]);
    task.together = 2;
    let pairs = tune(&task, &()).unwrap();
    let best = &pairs.candidates[0];
    assert_eq!((best.partitions.len(), best.means.len()), (2, 2));
    assert!(best.mean > alone.candidates[0].mean);
}

#[test]
fn known_partitions_take_part_and_pictures_read_back() {
    let mut task = task("3x3", 8, &[5, 3]);
    let goal = Goal::with_blank(task.tray, task.goal_blank);
    let named = HeuristicSpec::parse("5-3", &goal).unwrap();
    task.known = vec![
        named
            .partitions()
            .iter()
            .map(|p| p.patterns().iter().map(Pattern::tiles).collect())
            .collect(),
    ];
    (task.finalists, task.searched) = (3, boards(&task, 10));
    let tuned = tune(&task, &()).unwrap();
    assert_eq!(tuned.candidates.len(), 4);
    assert_eq!(tuned.candidates.iter().filter(|c| c.is_known).count(), 1);
    for candidate in &tuned.candidates {
        let pictures = candidate.pictures(task.tray, task.goal_blank);
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
    // Only what is known.
    task.finalists = 0;
    let TuneReport { candidates, .. } = tune(&task, &()).unwrap();
    assert!(matches!(
        &candidates[..],
        [Candidate { is_known: true, .. }]
    ));
}

#[test]
fn impossible_tasks_are_refused() {
    let refused = |task: TuneOptions| tune(&task, &()).unwrap_err();
    assert!(matches!(
        refused(task("3x3", 8, &[5, 4])),
        TuneError::Sum { found: 9, .. }
    ));
    assert!(matches!(
        refused(task("3x3", 8, &[8, 0])),
        TuneError::Pattern(_)
    ));
    assert!(matches!(
        refused(task("4x4", 8, &[13, 2])),
        TuneError::Pattern(_)
    ));
    assert!(matches!(
        refused(task("6x5", 8, &[10, 10, 9])),
        TuneError::Pattern(_)
    ));
    let mut full = task("3x3", 8, &[5, 3]);
    full.kind = TableKind::FullCost;
    assert_eq!(refused(full), TuneError::TableKind(TableKind::FullCost));
    let mut none = task("3x3", 8, &[5, 3]);
    none.states = 0;
    assert!(matches!(refused(none), TuneError::Nothing(_)));
    // Memory: for a table, for all those of a search at once, for the sample's values.
    let mut poor = task("4x4", 0, &[11, 4]);
    poor.memory = Some(1 << 30);
    let text = refused(poor).to_string();
    assert!(
        text.contains("11 tiles") && text.contains("up to 8 tiles"),
        "{text}"
    );
    let mut poor = task("3x3", 0, &[4, 4]);
    poor.memory = Some(1 << 23);
    assert!(tune(&poor, &()).is_ok());
    poor.states = 100_000;
    let text = refused(poor.clone()).to_string();
    assert!(text.contains("fewer states"), "{text}");
    poor.searched = boards(&poor, 1);
    poor.together = 200;
    let text = refused(poor).to_string();
    assert!(text.contains("400 tables at once"), "{text}");
}

/// Gives up after some steps.
struct Impatient(AtomicU32, Cancel);

impl TuneProgress for Impatient {
    fn at(&self, _: Stage, _: u64, _: u64) {
        if self.0.fetch_add(1, Ordering::Relaxed) + 1 > 3 {
            self.1.cancel();
        }
    }

    fn cancel(&self) -> Cancel {
        self.1.clone()
    }

    fn is_over(&self, _: f64) -> bool {
        false
    }
}

/// Has no time left after some candidates were searched with.
struct Late {
    candidates: u32,
    searched: AtomicU32,
    /// Candidates of the first round.
    first: AtomicU32,
}

impl TuneProgress for Late {
    fn at(&self, stage: Stage, _: u64, total: u64) {
        if stage == Stage::Search && self.searched.fetch_add(1, Ordering::Relaxed) == 0 {
            self.first.store(total as u32, Ordering::Relaxed);
        }
    }

    fn cancel(&self) -> Cancel {
        Cancel::default()
    }

    fn is_over(&self, share: f64) -> bool {
        share >= 1.0 && self.searched.load(Ordering::Relaxed) >= self.candidates
    }
}

#[test]
fn the_time_ends_the_search() {
    let mut task = task("3x3", 8, &[5, 3]);
    task.finalists = 2;
    let by_mean = tune(&task, &()).unwrap().candidates;
    task.searched = boards(&task, 8);
    let late = |candidates| {
        let watch = Late {
            candidates,
            searched: AtomicU32::new(0),
            first: AtomicU32::new(0),
        };
        (tune(&task, &watch).unwrap(), watch.first.into_inner())
    };
    // No time at all: by the mean.
    let (none, _) = late(0);
    assert!(none.is_cut);
    assert_eq!((none.searched, none.candidates), (0, by_mean));
    // One of the first round, on a quarter of the boards.
    let (one, racers) = late(1);
    assert!(one.is_cut && one.candidates[0].nodes.len() == 24);
    assert_eq!((one.searched, one.candidates.len()), (2, 1));
    // The first round and a part of the second, which does not count.
    let first = late(racers);
    let second = late(racers + 1);
    assert!(first.0.is_cut && first == second);
    assert_eq!((first.0.searched, first.0.candidates.len()), (2, 2));
    assert!(!late(100).0.is_cut);
}

#[test]
fn a_watch_can_give_up() {
    let stopped = tune(
        &task("3x3", 8, &[5, 3]),
        &Impatient(AtomicU32::new(0), Cancel::default()),
    );
    let error = stopped.unwrap_err();
    assert!(
        matches!(error, TuneError::Cancelled | TuneError::Build(_)),
        "{error:?}"
    );
}
