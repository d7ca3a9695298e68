//! Limits of nodes, memory and time.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use lab::search::{Listener, Progress};

use super::*;

/// A board of the 4x4 that none of the searches solves with few nodes.
fn hard_board() -> (Goal, State) {
    let goal = Goal::blank_first(Tray::new(4, 4).unwrap());
    let numbers = "14 7 8 2/13 11 10 4/9 12 5 0/3 6 1 15"; // Korf's third: 59 moves
    let board = Board::parse(numbers, None).unwrap();
    let state = goal.state(&board).unwrap();
    (goal, state)
}

fn limits(set: impl FnOnce(&mut Limits)) -> Limits {
    let mut limits = Limits::default();
    set(&mut limits);
    limits
}

#[test]
fn node_time_and_token_limits_end_searches_soon() {
    let (goal, state) = hard_board();
    let start = Position::new(&state).unwrap();
    let both = Both::new(&goal, "misplaced");
    for search in SEARCHES {
        // Greedy search may finish before the limit.
        for most in [0, 1, 1000, 30_000] {
            let limits = limits(|limits| limits.max_nodes = Some(most));
            let run = || both.run(search, &start, &limits);
            let first = run();
            if search == "greedy" && first.outcome.is_ok() {
                continue;
            }
            assert_eq!(first.outcome, Err(Limit::Nodes), "{search}");
            // At most two nodes are expanded at a time.
            let generated = first.counts.generated;
            assert!(
                (most..=most + 8).contains(&generated),
                "{search}: {generated}"
            );
            let again = run();
            assert_eq!((again.outcome, again.counts), (first.outcome, first.counts));
        }
        let none = limits(|limits| {
            limits.max_nodes = Some(1_000_000);
            limits.max_time = Some(Duration::ZERO);
        });
        let run = both.run(search, &start, &none);
        assert_eq!(run.outcome, Err(Limit::Time), "{search}");
        assert!(run.counts.generated <= 8, "{search}");

        let cancelled = limits(|limits| limits.max_nodes = Some(1_000_000));
        cancelled.cancel.cancel();
        let run = both.run(search, &start, &cancelled);
        assert_eq!(run.outcome, Err(Limit::Cancelled), "{search}");
        assert!(run.counts.generated <= 8, "{search}");
    }
}

#[test]
fn time_limits_end_running_searches() {
    let (goal, state) = hard_board();
    let start = Position::new(&state).unwrap();
    let both = Both::new(&goal, "misplaced");
    for search in [
        "breadth-first",
        "uniform-cost",
        "astar",
        "ida-star",
        "bidirectional",
    ] {
        let run = |milliseconds| {
            let (begun, time) = (Instant::now(), Duration::from_millis(milliseconds));
            let most = limits(|limits| {
                limits.max_nodes = Some(10_000_000);
                limits.max_time = Some(time);
            });
            let run = both.run(search, &start, &most);
            assert_eq!(run.outcome, Err(Limit::Time), "{search}");
            assert!(begun.elapsed() >= time);
            run
        };
        // On a busy machine, a short time can end before the search begins.
        let mut runs = [50, 500, 5000].into_iter().map(run);
        assert!(runs.any(|run| run.counts.generated > 8), "{search}");
    }
}

#[test]
fn searches_keep_their_memory_limit() {
    let (goal, state) = hard_board();
    let start = Position::new(&state).unwrap();
    let both = Both::new(&goal, "misplaced");
    for search in ["breadth-first", "uniform-cost", "astar", "bidirectional"] {
        let mut before = (0, 0);
        let most_kilobytes = if IS_LONG { 20_000 } else { 5000 };
        let all = [1, 100, 200, 300, 500, 1000, 3000, 5000, 8000, 20_000];
        for kilobytes in all.into_iter().filter(|&some| some <= most_kilobytes) {
            let most = kilobytes * 1000;
            let limits = limits(|limits| limits.max_memory = Some(most));
            let run = both.run(search, &start, &limits);
            assert_eq!(run.outcome, Err(Limit::Memory), "{search}");
            let now = (run.counts.peak, run.counts.generated);
            assert!(now.0 >= before.0 && now.1 >= before.1, "{search}: {now:?}");
            before = now;
            // A stored board takes 25 bytes: 8 for its pieces, 12 for its `StoredNode`, 5 in the
            // hash table.
            assert!(now.0 * 25 <= most, "{search}: {now:?} in {most} bytes");
            // The limit may be reached with only one node per 100 bytes: the hash table grows by
            // doubling, and the old table exists until its entries are copied.
            if kilobytes >= 100 {
                assert!(now.0 * 100 >= most, "{search}: {now:?} in {most} bytes");
            }
            let again = both.run(search, &start, &limits);
            assert_eq!((again.outcome, again.counts), (run.outcome, run.counts));
        }
    }
    // The open list has a level for each priority. A node of a large priority needs memory for all
    // lower levels, even if they are empty.
    let far = BoardSet::random(Goal::blank_last("16x16".parse().unwrap()), 1, 1);
    let start = Position::new(&far.goal.state(&far.boards[0].board).unwrap()).unwrap();
    let small = limits(|limits| limits.max_memory = Some(1_000_000));
    let both = Both::new(&far.goal, "manhattan");
    let run = both.run("weighted-astar:99.99", &start, &small);
    assert_eq!((run.outcome, run.counts.generated), (Err(Limit::Memory), 0));
    // IDA* stores no nodes.
    let start = Position::new(&state).unwrap();
    let limits = limits(|limits| {
        limits.max_memory = Some(0);
        limits.max_nodes = Some(1000);
    });
    let run = both.run("ida-star", &start, &limits);
    assert_eq!(run.outcome, Err(Limit::Nodes));
}

#[test]
fn listeners_receive_nodes_and_iterations() {
    let (goal, state) = hard_board();
    let start = Position::new(&state).unwrap();
    let both = Both::new(&goal, "manhattan");
    for search in SEARCHES {
        let heard: Arc<Mutex<Vec<Progress>>> = Arc::default();
        let listened = limits(|limits| {
            limits.max_nodes = Some(200_000);
            let heard = Arc::clone(&heard);
            limits.listener = Some(Listener::new(move |own| heard.lock().unwrap().push(*own)));
        });
        let run = both.run(search, &start, &listened);
        let alone = both.run(search, &start, &limits(|own| own.max_nodes = Some(200_000)));
        assert_eq!((&run.outcome, &run.counts), (&alone.outcome, &alone.counts));
        let heard = heard.lock().unwrap();
        assert!(
            heard.is_sorted_by_key(|own| (own.elapsed, own.generated)),
            "{search}"
        );
        let ended: Vec<_> = heard.iter().filter_map(|own| own.ended).collect();
        assert_eq!(ended, run.counts.iterations, "{search}");
        assert!(
            ended.is_empty() || heard.iter().all(|own| own.bound >= run.counts.h0),
            "{search}"
        );
        if run.outcome == Err(Limit::Nodes) {
            assert!(heard.len() > 10, "{search}: {}", heard.len());
        }
    }
}
