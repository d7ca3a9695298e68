//! Textbook searches over any heuristic, each in a file of its own.
//!
//! All of them are deterministic. Children are generated in the order of the blank's moves (up,
//! left, right, down, unless another is asked for). Where several nodes may be expanded next, it is
//! the one with the least f, then with the least h, and of these the one that was put there last;
//! breadth-first search takes the one that was generated first, bidirectional search on each side
//! the one with the least g, and of these the one that was put there last.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use pdb_table::Cancel;
use puzzle::{Direction, Tray};

use crate::clock::Instant;
use crate::heuristic::AnyHeuristic;
use crate::position::Position;

mod best_first;
mod bidirectional;
mod breadth_first;
pub(crate) mod ida_star;
mod node_store;
mod open_list;
mod steps;

pub use ida_star::{Deepened, Deepening, Iteration};
pub use steps::DEFAULT_ORDER;

pub(crate) use steps::Steps;

/// A textbook search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Search {
    /// Level by level from the start, without a heuristic. Optimal.
    BreadthFirst,
    /// The least g next, without a heuristic: Dijkstra's algorithm. Optimal.
    UniformCost,
    /// The least h next. Finds short solutions sometimes, and some solution soon.
    Greedy,
    /// The least g + h next. Optimal. P. E. Hart, N. J. Nilsson and B. Raphael, 1968.
    AStar,
    /// The least g + w h next: at most w times as long as optimal. I. Pohl, 1970.
    WeightedAStar(Weight),
    /// Depth-first searches with growing bounds of g + h. Optimal, and needs no memory. R. E. Korf,
    /// 1985.
    IdaStar,
    /// NBS, from both ends at once. Optimal. J. Chen, R. C. Holte, S. Zilles and N. R. Sturtevant,
    /// Front-to-end bidirectional heuristic search with near-optimal node expansions, 2017.
    Bidirectional,
}

/// The weight of h in weighted A*, from 1 on, in hundredths.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Weight(u16);

impl Weight {
    /// A weight of so many hundredths; `None` below 1 or above 100.
    #[must_use]
    pub fn from_hundredths(hundredths: u16) -> Option<Weight> {
        (100..=10_000)
            .contains(&hundredths)
            .then_some(Weight(hundredths))
    }

    /// Reads `1.25`.
    fn parse(text: &str) -> Option<Weight> {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let part = part.trim_end_matches('0');
        let is_digit = |c: char| c.is_ascii_digit();
        if part.len() > 2 || !whole.starts_with(is_digit) || !part.chars().all(is_digit) {
            return None;
        }
        let part: u16 = format!("{part:0<2}").parse().ok()?;
        let whole: u16 = whole.parse().ok()?;
        Weight::from_hundredths(whole.checked_mul(100)?.checked_add(part)?)
    }

    /// The weight.
    #[must_use]
    pub fn get(self) -> f64 {
        f64::from(self.0) / 100.0
    }

    /// Small whole numbers in this proportion: what g and h are multiplied by.
    fn factors(self) -> (u32, u32) {
        let common = (1..=100).rev().find(|n| self.0 % n == 0 && 100 % n == 0);
        let common = u32::from(common.unwrap_or(1));
        (100 / common, u32::from(self.0) / common)
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0 / 100, self.0 % 100);
        match part {
            0 => write!(f, "{whole}"),
            part if part % 10 == 0 => write!(f, "{whole}.{}", part / 10),
            part => write!(f, "{whole}.{part:02}"),
        }
    }
}

/// A name that no search has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "there is no search `{0}`: expected breadth-first, uniform-cost, greedy, astar, \
     weighted-astar:W (W from 1 to 100 in hundredths, such as 1.25), ida-star or bidirectional"
)]
pub struct UnknownSearch(pub String);

const NAMES: [(&str, Search); 6] = [
    ("breadth-first", Search::BreadthFirst),
    ("uniform-cost", Search::UniformCost),
    ("greedy", Search::Greedy),
    ("astar", Search::AStar),
    ("ida-star", Search::IdaStar),
    ("bidirectional", Search::Bidirectional),
];

impl FromStr for Search {
    type Err = UnknownSearch;

    fn from_str(text: &str) -> Result<Self, UnknownSearch> {
        if let Some((_, search)) = NAMES.iter().find(|(name, _)| *name == text) {
            return Ok(*search);
        }
        let unknown = || UnknownSearch(text.to_owned());
        let weight = text.strip_prefix("weighted-astar:").ok_or_else(unknown)?;
        let weight = Weight::parse(weight);
        weight.map(Search::WeightedAStar).ok_or_else(unknown)
    }
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Search::WeightedAStar(weight) => write!(f, "weighted-astar:{weight}"),
            search => {
                let known = NAMES.iter().find(|(_, own)| own == search);
                f.write_str(known.map_or("", |(name, _)| name))
            }
        }
    }
}

impl Search {
    /// How many times as long as optimal a solution can be; `None` where nothing is promised.
    #[must_use]
    pub fn max_ratio(self) -> Option<f64> {
        match self {
            Search::Greedy => None,
            Search::WeightedAStar(weight) => Some(weight.get()),
            _ => Some(1.0),
        }
    }

    /// Whether it asks the heuristic at all.
    #[must_use]
    pub fn has_heuristic(self) -> bool {
        !matches!(self, Search::BreadthFirst | Search::UniformCost)
    }

    /// Whether it also searches from the goal, for which it needs a heuristic of the way back.
    #[must_use]
    pub fn is_bidirectional(self) -> bool {
        self == Search::Bidirectional
    }
}

/// What a search may take. Without limits it goes on until it is cancelled.
#[derive(Clone, Default, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Generated nodes, about.
    pub max_nodes: Option<u64>,
    /// Bytes of all nodes that are kept, and what finds them.
    pub max_memory: Option<u64>,
    /// The time.
    pub max_time: Option<Duration>,
    /// Stops it from anywhere.
    pub cancel: Cancel,
}

/// The limit that ended a search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Limit {
    /// [`Limits::max_nodes`].
    Nodes,
    /// [`Limits::max_memory`].
    Memory,
    /// [`Limits::max_time`].
    Time,
    /// [`Limits::cancel`].
    Cancelled,
    /// Every board that can be reached was: there is no solution.
    Exhausted,
}

impl Limit {
    const NAMES: [(Limit, &'static str); 5] = [
        (Limit::Nodes, "nodes"),
        (Limit::Memory, "memory"),
        (Limit::Time, "time"),
        (Limit::Cancelled, "cancelled"),
        (Limit::Exhausted, "exhausted"),
    ];

    /// Its name: `nodes`, `memory`, `time`, `cancelled` or `exhausted`.
    #[must_use]
    pub fn name(self) -> &'static str {
        let known = Limit::NAMES.iter().find(|(limit, _)| *limit == self);
        known.map_or("", |(_, name)| name)
    }
}

/// What a search is about: a board that can be solved, and what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// The board.
    pub start: &'a Position,
    /// The heuristic of the goal.
    pub heuristic: &'a dyn AnyHeuristic,
    /// The heuristic of the way back: made for a goal whose blank is where the board's is. Only
    /// bidirectional search asks it, and does with 0 where there is none.
    pub backward: Option<&'a dyn AnyHeuristic>,
    /// The order in which the blank's moves are tried.
    pub order: [Direction; 4],
}

/// What a search found, and what that took.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchRun {
    /// The moves of the tiles; or the limit that it ran into.
    pub outcome: Result<Vec<Direction>, Limit>,
    /// Its nodes.
    pub counts: Counts,
}

/// Nodes of a search.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// The heuristic's value of the start.
    pub h0: u32,
    /// Children of expanded nodes, without those by the move back; counted before they are compared
    /// with anything, as in [`solver::SearchStats::generated`]. The start is not counted.
    pub generated: u64,
    /// Nodes whose children were generated, each time that they were.
    pub expanded: u64,
    /// Nodes that were expanded and then reached by a shorter way.
    pub reopened: u64,
    /// The most nodes kept at once, open and closed; those of the longest path for IDA*.
    pub peak: u64,
    /// The bytes that these take, with what finds them.
    pub peak_bytes: u64,
    /// The depth-first searches of IDA*; empty for others.
    pub iterations: Vec<Iteration>,
}

impl Counts {
    /// The effective branching factor: a tree with that many children everywhere, as deep as the
    /// solution is long, has as many nodes as were generated. `None` without moves or nodes. S.
    /// Russell and P. Norvig, Artificial Intelligence, 3.6.1.
    #[must_use]
    pub fn branching_factor(&self, length: usize) -> Option<f64> {
        let (nodes, depth) = (self.generated as f64, length as i32);
        if length == 0 || self.generated == 0 {
            return None;
        }
        let tree = |b: f64| match (b - 1.0).abs() < 1e-9 {
            true => f64::from(depth),
            false => b * (b.powi(depth) - 1.0) / (b - 1.0),
        };
        // IDA* can generate more nodes than the board has ways.
        let (mut low, mut high) = (0.0, nodes.max(1.0));
        for _ in 0..100 {
            let middle = (low + high) / 2.0;
            match tree(middle) < nodes {
                true => low = middle,
                false => high = middle,
            }
        }
        Some((low + high) / 2.0)
    }
}

impl Search {
    /// Searches. The start must be solvable, or the whole half of the states is gone through, by
    /// IDA* for ever. Asks no clock without [`Limits::max_time`].
    #[must_use]
    pub fn run(self, problem: &Problem<'_>, limits: &Limits) -> SearchRun {
        let watch = Watch::new(limits);
        let (outcome, counts) = match self {
            Search::BreadthFirst => breadth_first::run(problem, watch),
            Search::UniformCost => best_first::run(problem, (1, 0), watch),
            Search::Greedy => best_first::run(problem, (0, 1), watch),
            Search::AStar => best_first::run(problem, (1, 1), watch),
            Search::WeightedAStar(weight) => best_first::run(problem, weight.factors(), watch),
            Search::Bidirectional => bidirectional::run(problem, watch),
            Search::IdaStar => {
                let steps = Steps::new(problem.start.tray(), problem.order);
                let deepened = problem.heuristic.deepen(Deepening {
                    start: problem.start,
                    steps: &steps,
                    watch,
                    only_bound: None,
                });
                (deepened.outcome, deepened.counts)
            }
        };
        let moves = outcome.map(|blanks| moves(problem.start.tray(), &blanks));
        SearchRun {
            outcome: moves,
            counts,
        }
    }
}

/// The nodes that IDA* with a bound expands from a board, past goals as well: those with g + h of
/// at most the bound. `None` if a limit ended it.
pub fn count_expanded(
    heuristic: &dyn AnyHeuristic,
    start: &Position,
    bound: u32,
    limits: &Limits,
) -> Option<u64> {
    let steps = Steps::new(start.tray(), DEFAULT_ORDER);
    let deepened = heuristic.deepen(Deepening {
        start,
        steps: &steps,
        watch: Watch::new(limits),
        only_bound: Some(bound),
    });
    deepened.outcome.ok().map(|_| deepened.counts.expanded)
}

/// The moves of the tiles along the blank's cells, from the first to the last.
fn moves(tray: Tray, blanks: &[u8]) -> Vec<Direction> {
    let cell = |blank: u8| puzzle::Cell::new(blank.into());
    let steps = blanks.windows(2);
    let moves = steps.filter_map(|pair| tray.direction(cell(pair[1]), cell(pair[0])));
    moves.collect()
}

/// Looks at limits now and then.
#[derive(Debug)]
pub(crate) struct Watch<'a> {
    limits: &'a Limits,
    /// Asked only where there is a limit of time.
    begun: Option<Instant>,
    max_nodes: u64,
    /// Generated nodes at which the clock is asked next.
    next: u64,
}

/// Generated nodes from one look at the clock to the next.
const NODES_PER_CHECK: u64 = 1 << 14;

impl<'a> Watch<'a> {
    fn new(limits: &'a Limits) -> Self {
        Watch {
            limits,
            begun: limits.max_time.map(|_| Instant::now()),
            max_nodes: limits.max_nodes.unwrap_or(u64::MAX),
            next: 0,
        }
    }

    /// The limit that is reached after so many generated nodes.
    #[inline]
    pub(crate) fn check(&mut self, generated: u64) -> Option<Limit> {
        match generated >= self.next {
            true => self.look(generated),
            false => None,
        }
    }

    #[cold]
    fn look(&mut self, generated: u64) -> Option<Limit> {
        self.next = self.max_nodes.min(generated + NODES_PER_CHECK);
        if generated >= self.max_nodes {
            return Some(Limit::Nodes);
        }
        if self.limits.cancel.is_cancelled() {
            return Some(Limit::Cancelled);
        }
        let (begun, max) = self.begun.zip(self.limits.max_time)?;
        (begun.elapsed() >= max).then_some(Limit::Time)
    }

    /// Bytes that nodes may take.
    fn max_memory(&self) -> u64 {
        self.limits.max_memory.unwrap_or(u64::MAX)
    }
}

/// What a search gives: the blank's cells from the start to the goal, or the limit that it ran
/// into, and its counts.
type Outcome = (Result<Vec<u8>, Limit>, Counts);
