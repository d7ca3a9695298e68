//! Textbook searches with any heuristic.
//!
//! All are deterministic. Children are generated in the order of the blank's moves (by default up,
//! left, right, down). The node with the least f is expanded next. Of nodes with equal f, the one
//! with the least h is expanded first; if h is also equal, the one inserted last. Breadth-first
//! search instead expands nodes in order of generation. Bidirectional search expands the node with
//! the least g on each side; of nodes with equal g, the one inserted last.

mod best_first;
mod bidirectional;
pub(crate) mod ida_star;
mod limit;
mod node_store;
mod open_list;
mod steps;

use std::fmt;
use std::str::FromStr;

use puzzle::{Direction, Tray};

use crate::heuristic::AnyHeuristic;
use crate::position::Position;
use limit::Watch;

pub use ida_star::Deepening;
pub use limit::{Limit, Limits, Listener, NODES_PER_CHECK, Progress};
pub use steps::DEFAULT_ORDER;
pub(crate) use steps::Steps;

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
            Search::BreadthFirst => best_first::run_by_levels(problem, watch),
            Search::UniformCost => best_first::run(problem, (1, 0), watch),
            Search::Greedy => best_first::run(problem, (0, 1), watch),
            Search::AStar => best_first::run(problem, (1, 1), watch),
            Search::WeightedAStar(weight) => best_first::run(problem, weight.factors(), watch),
            Search::Bidirectional => bidirectional::run(problem, watch),
            Search::IdaStar => problem.heuristic.deepen(Deepening {
                start: problem.start,
                order: problem.order,
                watch,
                only_bound: None,
            }),
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
    let (outcome, counts) = heuristic.deepen(Deepening {
        start,
        order: DEFAULT_ORDER,
        watch: Watch::new(limits),
        only_bound: Some(bound),
    });
    outcome.ok().map(|_| counts.expanded)
}

/// The moves of the tiles when the blank visits these cells in order.
fn moves(tray: Tray, blanks: &[u8]) -> Vec<Direction> {
    let cell = |blank: u8| puzzle::Cell::new(blank.into());
    let steps = blanks.windows(2);
    let moves = steps.filter_map(|pair| tray.direction(cell(pair[1]), cell(pair[0])));
    moves.collect()
}

/// Input of a search: a solvable board and the heuristics.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// The board.
    pub start: &'a Position,
    /// The heuristic of the goal.
    pub heuristic: &'a dyn AnyHeuristic,
    /// The heuristic of the backward search, created for a goal whose blank is on the cell
    /// `start.blank()`. Only bidirectional search uses it; with `None` the backward heuristic is 0.
    pub backward: Option<&'a dyn AnyHeuristic>,
    /// The order in which the blank's moves are tried.
    pub order: [Direction; 4],
}

/// Result of a search, and its cost.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchRun {
    /// The moves of the tiles, or the limit reached.
    pub outcome: Result<Vec<Direction>, Limit>,
    /// Node counts.
    pub counts: Counts,
}

/// Result and node counts of a search. The result contains the blank's cells from the start to the
/// goal, or the limit that stopped the search.
pub type Outcome = (Result<Vec<u8>, Limit>, Counts);

/// The weight of h in weighted A*, at least 1, stored in hundredths.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Weight(u16);

impl Weight {
    /// Parses a weight from 1 to 100, such as `1.25`.
    pub(crate) fn parse(text: &str) -> Option<Weight> {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let part = part.trim_end_matches('0');
        let is_digit = |c: char| c.is_ascii_digit();
        if part.len() > 2 || !whole.starts_with(is_digit) || !part.chars().all(is_digit) {
            return None;
        }
        let part: u16 = format!("{part:0<2}").parse().ok()?;
        let whole: u16 = whole.parse().ok()?;
        let hundredths = whole.checked_mul(100)?.checked_add(part)?;
        let is_allowed = (100..=10_000).contains(&hundredths);
        is_allowed.then_some(Weight(hundredths))
    }

    /// The weight.
    #[must_use]
    pub fn get(self) -> f64 {
        f64::from(self.0) / 100.0
    }

    /// Small integer factors of g and h. The factor of h divided by the factor of g is the weight.
    pub(crate) fn factors(self) -> (u32, u32) {
        let common = (1..=100).rev().find(|n| self.0 % n == 0 && 100 % n == 0);
        let common = u32::from(common.unwrap_or(1));
        (100 / common, u32::from(self.0) / common)
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.get())
    }
}

/// Nodes of a search.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// The heuristic's value of the start.
    pub h0: u32,
    /// Children of expanded nodes, without reverse moves. As in [`solver::SearchStats::generated`],
    /// a child is counted before it is compared with the bound or with stored nodes. The start is
    /// not counted.
    pub generated: u64,
    /// Number of expansions: a node is counted each time that its children are generated.
    pub expanded: u64,
    /// Nodes reached by a shorter path after their expansion.
    pub reopened: u64,
    /// Maximum number of nodes stored at once, open and closed; for IDA* the length of the longest
    /// path.
    pub peak: u64,
    /// Memory of the [`Self::peak`] nodes and their index, in bytes.
    pub peak_bytes: u64,
    /// The depth-first searches of IDA*; empty for other searches.
    pub iterations: Vec<Iteration>,
}

impl Counts {
    /// The effective branching factor. A uniform tree with this branching factor and the depth
    /// `length` has as many nodes as the search generated. `None` if `length` or the number of
    /// nodes is 0. S. Russell and P. Norvig, Artificial Intelligence, 3.6.1.
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
        // IDA* generates the same nodes again with every bound, so the result can exceed the true
        // branching factor.
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

/// A depth-first search of IDA*.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "RunIteration"))]
pub struct Iteration {
    /// Largest g + h of expanded nodes.
    pub bound: u32,
    /// Generated nodes of this depth-first search.
    pub generated: u64,
    /// Expanded nodes of this depth-first search.
    pub expanded: u64,
}
