//! Textbook searches over any heuristic, each in a file of its own.
//!
//! All of them are deterministic. Children are generated in the order of the blank's moves (up,
//! left, right, down, unless another is asked for). Where several nodes may be expanded next, it is
//! the one with the least f, then with the least h, and of these the one that was put there last;
//! breadth-first search takes the one that was generated first, bidirectional search on each side
//! the one with the least g, and of these the one that was put there last.

use std::fmt;
use std::str::FromStr;

use puzzle::{Direction, Tray};

use crate::heuristic::AnyHeuristic;
use crate::position::Position;

mod best_first;
mod bidirectional;
mod breadth_first;
mod counts;
pub(crate) mod ida_star;
mod limit;
mod node_store;
mod open_list;
mod problem;
mod steps;
mod weight;

pub use counts::{Counts, Iteration};
pub use ida_star::{Deepened, Deepening};
pub use limit::{Limit, Limits, Listener, NODES_PER_CHECK, Progress};
pub use problem::{Problem, SearchRun};
pub use steps::DEFAULT_ORDER;
pub use weight::Weight;

pub(crate) use steps::Steps;

use limit::Watch;

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
    /// The greatest ratio of a solution's length to the optimum; `None` without a guarantee.
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

    /// Searches. The start must be solvable, or the whole half of the states is gone through, by
    /// IDA* for ever. Asks no clock without
    /// [`Limits::max_time`] and [`Limits::listener`].
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
                let deepened = problem.heuristic.deepen(Deepening {
                    start: problem.start,
                    order: problem.order,
                    watch,
                    only_bound: None,
                });
                (deepened.outcome, deepened.counts)
            }
        };
        SearchRun {
            outcome: outcome.map(|blanks| moves(problem.start.tray(), &blanks)),
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
    let deepened = heuristic.deepen(Deepening {
        start,
        order: DEFAULT_ORDER,
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
