//! Textbook searches with any heuristic, each in its own file.
//!
//! All are deterministic. Children are generated in the order of the blank's moves (by default up,
//! left, right, down). The node with the least f is expanded next. Of nodes with equal f, the one
//! with the least h is expanded first; if h is also equal, the one inserted last. Breadth-first
//! search instead expands nodes in order of generation. Bidirectional search expands the node with
//! the least g on each side; of nodes with equal g, the one inserted last.

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
    /// Expands level by level from the start, without a heuristic. Optimal.
    BreadthFirst,
    /// Expands the node with the least g next, without a heuristic: Dijkstra's algorithm. Optimal.
    UniformCost,
    /// Expands the node with the least h next. Finds a solution quickly, but the solution can be
    /// long.
    Greedy,
    /// Expands the node with the least g + h next. Optimal. P. E. Hart, N. J. Nilsson and B.
    /// Raphael, 1968.
    AStar,
    /// Expands the node with the least g + w h next. Solutions are at most w times as long as
    /// optimal ones. I. Pohl, 1970.
    WeightedAStar(Weight),
    /// Depth-first searches with growing bounds of g + h. Optimal, and stores no nodes. R. E. Korf,
    /// 1985.
    IdaStar,
    /// NBS: searches from both ends at once. Optimal. J. Chen, R. C. Holte, S. Zilles and N. R.
    /// Sturtevant, Front-to-end bidirectional heuristic search with near-optimal node expansions,
    /// 2017.
    Bidirectional,
}

/// Error of an unknown search name.
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
    /// Maximum ratio of a solution's length to the optimum; `None` without a guarantee.
    #[must_use]
    pub fn max_ratio(self) -> Option<f64> {
        match self {
            Search::Greedy => None,
            Search::WeightedAStar(weight) => Some(weight.get()),
            _ => Some(1.0),
        }
    }

    /// Whether the search uses a heuristic.
    #[must_use]
    pub fn has_heuristic(self) -> bool {
        !matches!(self, Search::BreadthFirst | Search::UniformCost)
    }

    /// Whether the search also runs from the goal, and so needs a backward heuristic.
    #[must_use]
    pub fn is_bidirectional(self) -> bool {
        self == Search::Bidirectional
    }

    /// Runs the search. The start must be solvable. From an unsolvable start, IDA* never ends on
    /// trays of several rows and columns; the other searches visit all reachable states, half of
    /// all states. Reads the clock only with [`Limits::max_time`] or [`Limits::listener`].
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

/// Number of nodes that IDA* with this bound expands from a board: the nodes with g + h of at most
/// the bound. Nodes below goals are included. `None` if a limit stopped the search.
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

/// The moves of the tiles when the blank visits these cells in order.
fn moves(tray: Tray, blanks: &[u8]) -> Vec<Direction> {
    let cell = |blank: u8| puzzle::Cell::new(blank.into());
    let steps = blanks.windows(2);
    let moves = steps.filter_map(|pair| tray.direction(cell(pair[1]), cell(pair[0])));
    moves.collect()
}
