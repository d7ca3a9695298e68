//! Iterative deepening (Korf 1985): searches with growing bounds on the solution length, in either
//! metric.

use puzzle::{Direction, State};

use crate::calls::{Limits, NodeCount, Request, SearchOutcome, SearchStatus, Side};
use crate::tables::DamagedTable;

/// A search of one board, which runs one iteration at a time.
pub(crate) trait Iterate {
    /// The heuristic's value of the board.
    fn h0(&self) -> i32;

    /// The cost of a node, in the same unit for all searches of one board.
    fn node_cost(&self) -> f64;

    /// Searches all paths that begin at the board and whose estimates stay within the bound. Stops
    /// at the first solution if the request is for one solution. `status` is the status at the
    /// start of the iteration.
    fn iterate(
        &mut self,
        bound: i32,
        request: Request,
        status: SearchStatus,
    ) -> Result<IterationResult, DamagedTable>;
}

/// The result of an iteration.
pub(crate) struct IterationResult {
    pub(crate) nodes: NodeCount,
    /// The smallest estimate above the bound.
    pub(crate) next: Option<i32>,
    /// The tile moves of the requested solutions.
    pub(crate) solutions: Vec<Vec<Direction>>,
    /// The number of solutions found, by length.
    pub(crate) lengths: Vec<u64>,
    /// Whether a limit ended the iteration.
    pub(crate) is_stopped: bool,
}

/// Runs the iterations of a search that is ready to begin.
pub(crate) type Deepen<'b> = dyn FnMut(&mut dyn Iterate) -> Result<(), DamagedTable> + 'b;

/// A search with growing bounds, up to the first bound with a solution. It searches the board from
/// the start. If there are tables for the inverse of the board ([`State::inverse`]), it also
/// searches from the goal. A bound that one side completes is proved for both sides.
pub(crate) struct Deepening<'a> {
    request: Request,
    limits: Limits<'a>,
    choice: SideChoice,
    /// Bound proved earlier: no solution is shorter.
    proved: i32,
    /// The bound of the next iteration.
    bound: i32,
    /// Minimum bound of the iteration after the next one.
    next: i32,
    generated: u64,
    pub(crate) outcome: SearchOutcome,
    pub(crate) is_over: bool,
}

impl<'a> Deepening<'a> {
    pub(crate) fn new(state: &State, request: Request, limits: Limits<'a>) -> Self {
        let mut outcome = SearchOutcome {
            is_finished: true,
            solutions: Vec::new(),
            side: Side::Start,
            lengths: Vec::new(),
            bound: 0,
            h0: 0,
            iterations: Vec::new(),
        };
        let is_over = state.is_goal();
        if is_over {
            // The only solution of the goal is the empty path, because a solution ends when it
            // first reaches the goal.
            outcome.solutions.push(Vec::new());
            outcome.lengths.push(1);
        }
        Deepening {
            request,
            limits,
            choice: SideChoice::default(),
            proved: match request {
                Request::Shortest(_) => limits.from as i32,
                Request::UpTo { .. } => 0,
            },
            bound: 0,
            next: 0,
            generated: 0,
            outcome,
            is_over,
        }
    }

    /// Searches from the start until a search from the goal is worth its preparation. `opening` is
    /// the number of nodes from the start that pay for opening the tables of the goal's side: 0 if
    /// these tables are in memory, `u64::MAX` if there are none. Returns the nodes of this search.
    pub(crate) fn run_alone(
        &mut self,
        start: &mut dyn Iterate,
        opening: u64,
    ) -> Result<u64, DamagedTable> {
        self.run_while(&mut [(Side::Start, start)], Some(opening))?;
        Ok(self.generated)
    }

    /// Continues with these sides until the search ends.
    pub(crate) fn run(
        &mut self,
        sides: &mut [(Side, &mut dyn Iterate)],
    ) -> Result<(), DamagedTable> {
        self.run_while(sides, None)
    }

    fn begin(&mut self, search: &dyn Iterate) {
        let h0 = search.h0();
        self.outcome.h0 = h0 as u32;
        self.bound = match self.request {
            Request::Shortest(_) => h0,
            Request::UpTo { length, .. } => i32::try_from(length).unwrap_or(i32::MAX),
        };
        self.next = self.bound;
        self.outcome.bound = h0 as u32;
    }

    fn run_while(
        &mut self,
        sides: &mut [(Side, &mut dyn Iterate)],
        opening: Option<u64>,
    ) -> Result<(), DamagedTable> {
        if let (true, [(_, first), ..]) = (self.outcome.iterations.is_empty(), &*sides) {
            self.begin(*first);
        }
        while !self.is_over {
            // Iterations below the proved bound are cheap and show which side is better.
            let has_choice = opening.is_some() || sides.len() > 1;
            if self.bound < self.proved && (self.choice.is_decided || !has_choice) {
                self.choice.skip_bounds((self.proved - self.bound) / 2);
                self.bound = self.proved;
            }
            let proved = self.bound.max(self.proved) as u32;
            if self.limits.is_too_long(proved) {
                self.outcome.bound = proved;
                (self.outcome.is_finished, self.is_over) = (false, true);
                return Ok(());
            }
            if sides.len() > 1 {
                if let Some((place, bound)) = self.choice.comparison() {
                    self.iterate(place, bound, sides)?;
                }
            }
            for place in self.choice.places(sides.len()) {
                self.iterate(place, self.bound, sides)?;
            }
            if self.is_over {
                return Ok(());
            }
            let is_paid = opening.is_some_and(|opening| self.is_paid(opening));
            if is_paid && self.choice.sides[0].last()[0] <= LEAST_TO_COMPARE {
                // The goal's side searches this bound, too.
                return Ok(());
            }
            self.choice.end_bound();
            self.bound = self.next;
            if is_paid {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether the nodes of this search, including those expected at the next bound, pay for
    /// opening tables.
    fn is_paid(&self, opening: u64) -> bool {
        let [last, _] = self.choice.sides[0].last();
        let bounds = (self.next.max(self.proved) - self.bound) / 2;
        let expected = last as f64 * GROWTH.powi(bounds);
        last >= ALONE_BELOW && self.generated.saturating_add(expected as u64) >= opening
    }

    /// Searches a bound from one side, unless the search is over.
    fn iterate(
        &mut self,
        place: usize,
        bound: i32,
        sides: &mut [(Side, &mut dyn Iterate)],
    ) -> Result<(), DamagedTable> {
        if self.is_over {
            return Ok(());
        }
        let (side, search) = &mut sides[place];
        let request = self.request;
        let status = SearchStatus {
            bound: match request {
                Request::Shortest(_) => self.bound.max(self.proved) as u32,
                Request::UpTo { shortest, .. } => shortest,
            },
            generated: self.generated,
            last: self.choice.last(place),
            threads: 1,
            longest: request.longest(),
            ..SearchStatus::default()
        };
        let found = search.iterate(bound, request, status)?;
        self.generated += found.nodes.generated;
        let outcome = &mut self.outcome;
        let iteration = found.nodes.of_iteration(*side, bound);
        outcome.iterations.push(iteration);
        outcome.bound = status.bound;
        if found.is_stopped {
            if request.longest().is_none() {
                // If the other side has completed this bound, `self.next` is proved.
                outcome.bound = outcome.bound.max(self.next as u32);
            }
            (outcome.is_finished, self.is_over) = (false, true);
        } else if request.longest().is_some() || !found.solutions.is_empty() {
            (outcome.solutions, outcome.lengths) = (found.solutions, found.lengths);
            (outcome.side, self.is_over) = (*side, true);
        } else {
            let (nodes, node_cost) = (found.nodes.generated, search.node_cost());
            match bound == self.bound {
                true => self.choice.record(place, bound, nodes, node_cost),
                false => self
                    .choice
                    .record_comparison(place, bound, nodes, node_cost),
            }
            // The state is solvable, so table values are wrong if an iteration prunes no node and
            // finds no solution.
            let above = found.next.filter(|&above| above > bound);
            self.next = self.next.max(above.ok_or(DamagedTable(None))?);
        }
        Ok(())
    }
}

/// Chooses the sides that search each bound. While iterations are cheap and neither side is clearly
/// better, both sides search. After that, only the side with the lower expected cost searches. The
/// other side then searches lower bounds, at a small share of the cost, to compare the sides again.
#[derive(Default)]
struct SideChoice {
    sides: [SideCost; 2],
    is_decided: bool,
}

/// The cost of a side.
#[derive(Default)]
struct SideCost {
    /// Bounds and nodes of this side's iterations, in order.
    iterations: Vec<(i32, u64)>,
    /// Cost of a node.
    node_cost: f64,
    /// Nodes of the iteration with the current bound: measured if `has_searched` is set, expected
    /// otherwise.
    at_bound: f64,
    has_searched: bool,
}

impl SideCost {
    /// Nodes of this side's last two iterations, the latest first; 0 if there are fewer iterations.
    fn last(&self) -> [u64; 2] {
        let mut nodes = self.iterations.iter().rev().map(|&(_, nodes)| nodes);
        [(); 2].map(|()| nodes.next().unwrap_or(0))
    }

    fn last_bound(&self) -> i32 {
        self.iterations.last().map_or(i32::MIN, |&(bound, _)| bound)
    }

    /// Nodes of the iteration with this bound.
    fn nodes_of(&self, bound: i32) -> Option<u64> {
        let found = self.iterations.iter().find(|found| found.0 == bound);
        found.map(|&(_, nodes)| nodes)
    }

    fn cost(&self) -> f64 {
        self.at_bound * self.node_cost
    }
}

impl SideChoice {
    /// Indices of the sides that still have to search the current bound. The side with the lower
    /// expected cost comes first. `sides` is the number of sides, 1 or 2.
    fn places(&self, sides: usize) -> Vec<usize> {
        let costs = &self.sides;
        let mut places: Vec<usize> = (0..sides).filter(|&at| !costs[at].has_searched).collect();
        places.sort_by(|&a, &b| costs[a].cost().total_cmp(&costs[b].cost()));
        places.truncate(if self.is_decided { 1 } else { sides });
        places
    }

    /// Nodes of a side's last two iterations, the latest first. If the other side has searched
    /// higher bounds, these are the nodes that this side would have needed there.
    fn last(&self, place: usize) -> [u64; 2] {
        let [side, other] = [&self.sides[place], &self.sides[1 - place]];
        match side.last_bound() < other.last_bound() {
            true => {
                let ratio = side.at_bound / other.at_bound;
                other.last().map(|nodes| (nodes as f64 * ratio) as u64)
            }
            false => side.last(),
        }
    }

    /// The side with the higher expected cost, and a bound that this side searches to compare the
    /// sides again: the highest one that costs at most `SHARE_OF_COMPARISON` of the next iteration.
    /// `None` if both sides search each bound, if the last comparison was clear, or if no bound
    /// above the side's last one is suitable.
    fn comparison(&self) -> Option<(usize, i32)> {
        if !self.is_decided {
            return None;
        }
        let [start, goal] = &self.sides;
        let (place, side, best) = match start.cost() <= goal.cost() {
            true => (1, goal, start),
            false => (0, start, goal),
        };
        let [last, _] = side.last();
        let known = best.nodes_of(side.last_bound());
        let is_clear = known.is_some_and(|known| last as f64 >= CLEAR_COMPARISON * known as f64);
        if last >= LEAST_TO_COMPARE && is_clear {
            return None;
        }
        let is_suitable = |&(bound, nodes): &(i32, u64)| {
            let nodes = nodes as f64 * side.at_bound / best.at_bound;
            bound > side.last_bound()
                && nodes >= LEAST_TO_COMPARE as f64
                && nodes * side.node_cost <= SHARE_OF_COMPARISON * best.cost()
        };
        let (bound, _) = best.iterations.iter().rfind(|found| is_suitable(found))?;
        Some((place, *bound))
    }

    /// Records an iteration with the current bound.
    fn record(&mut self, place: usize, bound: i32, nodes: u64, node_cost: f64) {
        let (side, other) = self.side_and_other(place);
        side.iterations.push((bound, nodes));
        (side.at_bound, side.node_cost) = (nodes.max(1) as f64, node_cost);
        side.has_searched = true;
        if other.iterations.is_empty() {
            (other.at_bound, other.node_cost) = (side.at_bound, node_cost);
        }
    }

    /// Records an iteration with a lower bound, which the other side has searched before. The ratio
    /// of the sides is expected to be the same at the current bound.
    fn record_comparison(&mut self, place: usize, bound: i32, nodes: u64, node_cost: f64) {
        let (side, other) = self.side_and_other(place);
        side.iterations.push((bound, nodes));
        side.node_cost = node_cost;
        if let Some(known) = other.nodes_of(bound) {
            side.at_bound = other.at_bound * nodes.max(1) as f64 / known.max(1) as f64;
        }
    }

    fn side_and_other(&mut self, place: usize) -> (&mut SideCost, &mut SideCost) {
        let [start, goal] = &mut self.sides;
        match place {
            0 => (start, goal),
            _ => (goal, start),
        }
    }

    /// Decides whether one side is clearly better, and updates the expected costs for the next
    /// bound. [`Self::record`] must have been called for each side's iteration.
    fn end_bound(&mut self) {
        let [start, goal] = self.sides.each_ref().map(SideCost::cost);
        let nodes = self.sides.each_ref().map(|side| side.last()[0]);
        self.is_decided |= nodes[0].max(nodes[1]) > MOST_IN_TRIAL
            || nodes[1] > 0 && start.max(goal) >= CLEAR_RATIO * start.min(goal);
        self.skip_bounds(1);
        for side in &mut self.sides {
            side.has_searched = false;
        }
    }

    /// Multiplies the expected nodes of both sides by their growth over this number of bounds.
    fn skip_bounds(&mut self, bounds: i32) {
        for side in &mut self.sides {
            side.at_bound *= GROWTH.powi(bounds);
        }
    }
}

// The constants below were tuned together for a low mean node count: the first three on the
// published lists felner1000 and korf100, with the partitions 6-6-3 and 7-8 and the preset `best`;
// the other three on random boards of 4x4 (6-6-3 and 7-8) and 5x5 (6-6-6-6).

/// After an iteration from the start with at least this number of nodes, the board is searched from
/// the goal too, if the nodes from the start pay for opening the tables of the goal's side.
const ALONE_BELOW: u64 = 40;
/// If a side generates more than this number of nodes within one bound, only the side with the
/// lower expected cost searches the next bounds.
const MOST_IN_TRIAL: u64 = 250;
/// One side is clearly better if the costs of the two sides differ by at least this factor.
const CLEAR_RATIO: f64 = 1.1;
/// Cautious factor by which the nodes of a side grow from one bound to the next: the median is 6.3
/// to 7.4, and nine iterations of ten grow by less than 8.4 to 11.
const GROWTH: f64 = 9.0;
/// A comparison of the sides costs at most this share of the next iteration.
const SHARE_OF_COMPARISON: f64 = 0.02;
/// After a comparison in which a side needed at least this multiple of the other side's nodes, the
/// sides are not compared again. On 5x5, no side with 3 times the nodes was better 4 or 6 moves
/// later (89 cases); 3 % of the sides with twice the nodes were (2 of 72).
const CLEAR_COMPARISON: f64 = 3.0;
/// Minimum number of nodes of a comparison. Short searches, as on most 4x4 boards, do not gain from
/// comparisons: there the position of the solution in the last iteration matters more.
const LEAST_TO_COMPARE: u64 = 80_000;

#[cfg(test)]
mod tests {
    use puzzle::Goal;

    use super::*;
    use crate::calls::DuplicatePruning;

    /// A search whose iterations with the bounds 40, 42, ... need these numbers of nodes. The last
    /// one finds a solution.
    struct Known(&'static [u64]);

    impl Iterate for Known {
        fn h0(&self) -> i32 {
            40
        }

        fn node_cost(&self) -> f64 {
            1.0
        }

        fn iterate(
            &mut self,
            bound: i32,
            _: Request,
            _: SearchStatus,
        ) -> Result<IterationResult, DamagedTable> {
            let number = (bound - 40) as usize / 2;
            let is_solved = number + 1 == self.0.len();
            Ok(IterationResult {
                nodes: NodeCount {
                    generated: self.0[number],
                    expanded: 0,
                },
                next: Some(bound + 2),
                solutions: vec![Vec::new(); usize::from(is_solved)],
                lengths: Vec::new(),
                is_stopped: false,
            })
        }
    }

    /// The iterations of a search of a board, as the initial of the side and the bound. The tables
    /// of the goal's side are opened for `opening` nodes; `from` is the proved bound.
    fn iterations(start: Known, goal: Known, opening: u64, from: u32) -> Vec<(char, u32)> {
        let goal_board = Goal::blank_last("2x2".parse().unwrap());
        let state = goal_board.state(&"0 1/3 2".parse().unwrap()).unwrap();
        let request = Request::Shortest(DuplicatePruning::default());
        let limits = Limits {
            from,
            ..Limits::default()
        };
        let mut deepening = Deepening::new(&state, request, limits);
        let (mut start, mut goal) = (start, goal);
        deepening.run_alone(&mut start, opening).unwrap();
        let sides: &mut [(Side, &mut dyn Iterate)] =
            &mut [(Side::Start, &mut start), (Side::Goal, &mut goal)];
        deepening.run(sides).unwrap();
        let iterations = deepening.outcome.iterations.iter();
        let side = |side| if side == Side::Goal { 'g' } else { 's' };
        iterations.map(|it| (side(it.side), it.bound)).collect()
    }

    #[rustfmt::skip]
    const START: [u64; 9] = [
        45, 300, 2_400, 19_200, 153_600, 1_228_800, 9_830_400, 78_643_200, 1,
    ];

    #[test]
    fn sides_are_compared_again_at_lower_bounds() {
        // At the bound 40, the start is better.
        let early = [
            ('s', 40),
            ('g', 40),
            ('s', 42),
            ('s', 44),
            ('s', 46),
            ('s', 48),
            ('s', 50),
            ('s', 52),
        ];
        // At the bound 48, the goal is better: it searches all later bounds.
        let goal = Known(&[60, 0, 0, 0, 60_000, 0, 0, 30_000_000, 1]);
        let late = [('g', 48), ('g', 54), ('g', 56)];
        let found = iterations(Known(&START), goal, 0, 0);
        assert_eq!(found, [&early[..], &late].concat());
        // At the bound 48, the start is better: the sides are compared at later bounds, too.
        let goal = Known(&[60, 0, 0, 0, 400_000, 3_000_000, 0, 0, 1]);
        let late = [('g', 48), ('s', 54), ('g', 50), ('s', 56)];
        let found = iterations(Known(&START), goal, 0, 0);
        assert_eq!(found, [&early[..], &late].concat());
        // If the start is much better, this comparison is the last one.
        let goal = Known(&[60, 0, 0, 0, 500_000, 0, 0, 0, 1]);
        let late = [('g', 48), ('s', 54), ('s', 56)];
        let found = iterations(Known(&START), goal, 0, 0);
        assert_eq!(found, [&early[..], &late].concat());
    }

    #[test]
    fn tables_are_opened_when_nodes_pay_for_them() {
        const GOAL: [u64; 9] = [60, 290, 2_300, 18_000, 160_000, 0, 0, 0, 1];
        let sides = |opening, from| iterations(Known(&START), Known(&GOAL), opening, from);
        let opened_after = |opening| {
            let sides = sides(opening, 0);
            sides.iter().position(|&(side, _)| side == 'g')
        };
        // The nodes so far, and 9 times those of the last iteration: 450, 3045, 24,345.
        let openings = [0, 450, 451, 3_045, 3_046, 24_345];
        assert_eq!(openings.map(opened_after), [1, 1, 2, 2, 3, 3].map(Some));
        // The goal's side does not repeat the bound of a long iteration.
        let long = [('s', 48), ('s', 50), ('g', 48), ('s', 52)];
        assert_eq!(sides(194_746, 0)[4..8], long);
        // Bounds below the proved one are only searched until the side is decided.
        let proved = [('s', 40), ('s', 42), ('s', 56)];
        assert_eq!(sides(u64::MAX, 56), proved);
    }
}
