//! A layered beam search that needs no tables on disk: it makes all children of a layer's nodes and
//! keeps the best children as the next layer.
//!
//! Nodes form groups by the number of completed steps of the human method. Nodes are compared only
//! within their group, and the most advanced groups share the width. Otherwise the first node that
//! completes a step would displace nodes that complete it a few moves later with better boards.

use puzzle::{Direction, State, Tray};

use super::guide::{LineProgress, StageValue, StepGuide};
use super::score::Score;
use crate::boards::{GAMMA, HashSlots, NO_CELL, PackedTrail, TileStep, finish, tile_moves};
use crate::calls::setters;

/// Limits of a beam search, see [`improve`](super::improve).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Effort {
    /// Number of nodes kept per layer by the first beam; each later beam is twice as wide as the
    /// previous one.
    pub width: usize,
    /// Limit of generated nodes. A beam that reaches the limit is abandoned.
    pub max_nodes: u64,
    /// Seed that breaks ties between nodes.
    pub seed: u64,
}

impl Effort {
    /// The effort of [`short`](super::short) for a tray. A search with this effort takes a few tens
    /// of milliseconds on trays of up to 10x10, and a second on 20x20.
    #[must_use]
    pub fn short(tray: Tray) -> Effort {
        let cells = tray.cells() as f64;
        // Measured: a solution has about this number of moves, and a node has 2.3 children.
        let moves = 0.8 * cells * (tray.width() + tray.height()) as f64;
        let nodes = 600_000.0 * (cells / 100.0).powi(2).max(1.0);
        let width = (nodes / (2.3 * moves)).min(1500.0);
        Effort {
            width: width as usize,
            // Twice the expected number of nodes, because boards differ.
            max_nodes: 2 * nodes as u64,
            seed: 0,
        }
    }

    setters! {
        /// Begins with beams of this width.
        width(width: usize) => width = width;
        /// Limits the number of generated nodes.
        max_nodes(max_nodes: u64) => max_nodes = max_nodes;
        /// Sets the seed that breaks ties.
        seed(seed: u64) => seed = seed;
    }
}

/// Result of a beam search.
#[derive(Clone, Default, Debug)]
pub(crate) struct StrategicBeamEnd {
    /// Moves to the goal, if it was reached.
    pub(crate) moves: Option<Vec<Direction>>,
    /// Number of generated children.
    pub(crate) nodes: u64,
}

/// Number of stages that share the beam's width.
const STAGES: usize = 12;
/// Share of the remaining width that a stage receives. The most advanced stage receives its share
/// first.
const SHARE: f64 = 0.25;
/// Number of slots in the set of a layer's children, as a multiple of the width.
const MADE_PER_NODE: usize = 8;
/// Number of slots in the set of states kept in earlier layers, as a multiple of the width.
const KEPT_PER_NODE: usize = 32;
/// Number of trail entries at which dead ends are first removed from the trail.
const TRAIL_ROOM: usize = 1 << 20;
/// A beam is stuck if, during `STUCK_LAYERS * (rows + columns)` layers, it neither completes a new
/// step nor lowers the cost of the tiles.
const STUCK_LAYERS: usize = 10;
/// Assumed cost of the root's tiles. Only differences between costs matter.
const ROOT_TILES: u32 = 1 << 28;
/// Stands for "no last move" at the root.
const NO_MOVE: u8 = u8::MAX;

/// A child that may become a node of the next layer.
#[derive(Clone, Copy, Debug)]
struct LayerChild {
    /// Score in the high bits, pseudo-random tie-breaker in the low bits.
    key: u64,
    /// Sum of the costs of all tiles, a part of the score.
    tiles: u32,
    hash: u64,
    parent: u32,
    stage: u16,
    progress: LineProgress,
    direction: u8,
}

/// A node without its board.
#[derive(Clone, Copy, Debug)]
struct LayerNode {
    hash: u64,
    tiles: u32,
    entry: u32,
    blank: u16,
    progress: LineProgress,
    last: u8,
}

/// Order of a layer's children.
struct ChildOrder<'a> {
    score: &'a Score,
    seed: u64,
    /// Weight of the next step.
    urgency: u32,
}

/// The nodes of one layer. Chunk `i` of `pieces` and of `places` belongs to node `i`.
#[derive(Default, Debug)]
struct Layer {
    nodes: Vec<LayerNode>,
    pieces: Vec<u16>,
    /// The cell of each piece.
    places: Vec<u16>,
}

/// Searches from a state, which must match the guide, for a solution of at most `max_moves` moves.
/// Calls `stop` once per layer.
pub(super) fn search(
    guide: &mut StepGuide,
    state: &State,
    score: &Score,
    effort: &Effort,
    max_moves: usize,
    stop: &dyn Fn() -> bool,
) -> StrategicBeamEnd {
    let mut layer = Layer::default();
    let Some(standing) = layer.push_root(guide, state) else {
        return StrategicBeamEnd::default();
    };
    if guide.is_solved(standing) {
        let moves = Some(Vec::new());
        return StrategicBeamEnd { moves, nodes: 0 };
    }
    let (width, seed) = (effort.width.max(1), scatter(effort.seed));
    let mut next = Layer::default();
    let mut trail = PackedTrail::new(TRAIL_ROOM);
    let (mut made, mut kept) = (HashSlots::default(), HashSlots::default());
    kept.reset(width * KEPT_PER_NODE);
    let (mut children, mut keys) = (Vec::new(), Vec::new());
    let mut nodes = 0;
    let tray = guide.grid().tray;
    let stuck_layers = STUCK_LAYERS * (tray.width() + tray.height());
    // Most advanced stage, lowest tile cost, and the last layer that improved one of them.
    let (mut front, mut lowest, mut since) = (0, ROOT_TILES, 0);
    for depth in 0..max_moves {
        if nodes >= effort.max_nodes || layer.nodes.is_empty() || stop() {
            break;
        }
        children.clear();
        made.reset(width * MADE_PER_NODE);
        let choice = ChildOrder {
            score,
            seed,
            urgency: Score::urgency(depth - since),
        };
        let solved = layer.expand(guide, &choice, &mut nodes, |child: LayerChild| {
            if *kept.slot(child.hash) != child.hash
                && std::mem::replace(made.slot(child.hash), child.hash) != child.hash
            {
                children.push(child);
            }
        });
        if let Some((parent, direction)) = solved {
            let entry = trail.push(layer.nodes[parent].entry, direction);
            return StrategicBeamEnd {
                moves: Some(tile_moves(&trail.path(entry))),
                nodes,
            };
        }
        let best = Thresholds::new(&children, &mut keys, width);
        let least = children.iter().map(|child| child.tiles).min();
        let least = least.unwrap_or(lowest);
        if best.front > front || least < lowest {
            (front, lowest, since) = (front.max(best.front), lowest.min(least), depth);
        } else if depth > since + stuck_layers {
            break;
        }
        next.clear();
        for child in children.iter().filter(|child| best.holds(child)) {
            *kept.slot(child.hash) = child.hash;
            let entry = trail.push(layer.nodes[child.parent as usize].entry, child.direction);
            next.push_child(guide, &layer, child, entry);
        }
        std::mem::swap(&mut layer, &mut next);
        if trail.is_full() {
            trail.tidy(layer.nodes.iter_mut().map(|node| &mut node.entry));
        }
        if let Some(level) = layer.nodes.iter().map(|node| node.progress.level()).min() {
            guide.forget_before(level);
        }
    }
    StrategicBeamEnd { moves: None, nodes }
}

impl Layer {
    fn clear(&mut self) {
        self.nodes.clear();
        self.pieces.clear();
        self.places.clear();
    }

    fn push_root(&mut self, guide: &StepGuide, state: &State) -> Option<StageValue> {
        let pieces = state.pieces().iter().map(|piece| piece.index() as u16);
        self.pieces.extend(pieces);
        self.places.resize(self.pieces.len(), 0);
        let mut hash = 0;
        for (cell, &piece) in self.pieces.iter().enumerate() {
            let tile = usize::from(piece);
            self.places[tile] = cell as u16;
            if cell != state.blank().index() {
                hash ^= mix(tile, cell);
            }
        }
        let blank = state.blank().index();
        let standing = guide.look(LineProgress::default(), &self.places, blank)?;
        self.nodes.push(LayerNode {
            hash,
            tiles: ROOT_TILES,
            entry: 0,
            blank: blank as u16,
            progress: standing.progress,
            last: NO_MOVE,
        });
        Some(standing)
    }

    /// Makes all children. If a child is the goal, returns its parent and move.
    fn expand(
        &mut self,
        guide: &StepGuide,
        choice: &ChildOrder<'_>,
        count: &mut u64,
        mut on_child: impl FnMut(LayerChild),
    ) -> Option<(usize, u8)> {
        let cells = guide.grid().cells();
        let boards = self.pieces.chunks_exact(cells);
        let boards = boards.zip(self.places.chunks_exact_mut(cells));
        for ((parent, node), (pieces, places)) in self.nodes.iter().enumerate().zip(boards) {
            let blank = usize::from(node.blank);
            let hole = usize::from(pieces[blank]);
            let around_hole = choice.score.around_hole(node.blank, pieces);
            for (direction, &to) in (0..).zip(guide.grid().neighbours(blank)) {
                let from = usize::from(to);
                // Directions 0 and 1 are opposite, and so are 2 and 3.
                let is_undone = direction ^ 1 == node.last;
                if to == NO_CELL || is_undone || guide.is_locked(node.progress, from) {
                    continue;
                }
                *count += 1;
                let tile = usize::from(pieces[from]);
                let step = TileStep {
                    tile,
                    from: to,
                    hole: node.blank,
                    direction,
                };
                let change = choice.score.change(step, around_hole, pieces, places);
                (places[tile], places[hole]) = (node.blank, to);
                let standing = guide.look(node.progress, places, from);
                (places[tile], places[hole]) = (to, node.blank);
                let Some(standing) = standing else { continue };
                if guide.is_solved(standing) {
                    return Some((parent, direction));
                }
                let hash = node.hash ^ mix(tile, from) ^ mix(tile, blank);
                let tiles = node.tiles.wrapping_add(change);
                let total = tiles + choice.score.of_standing(standing, choice.urgency);
                on_child(LayerChild {
                    key: u64::from(total) << 32 | (hash ^ choice.seed) >> 32,
                    tiles,
                    hash,
                    parent: parent as u32,
                    stage: standing.stage,
                    progress: standing.progress,
                    direction,
                });
            }
        }
        None
    }

    fn push_child(&mut self, guide: &StepGuide, parents: &Layer, child: &LayerChild, entry: u32) {
        let cells = guide.grid().cells();
        let parent = child.parent as usize;
        let range = parent * cells..(parent + 1) * cells;
        let first = self.pieces.len();
        self.pieces
            .extend_from_slice(&parents.pieces[range.clone()]);
        self.places.extend_from_slice(&parents.places[range]);
        let (pieces, places) = (&mut self.pieces[first..], &mut self.places[first..]);
        let blank = parents.nodes[parent].blank;
        let to = guide.grid().neighbours(usize::from(blank))[usize::from(child.direction)];
        pieces.swap(usize::from(blank), usize::from(to));
        places[usize::from(pieces[usize::from(blank)])] = blank;
        places[usize::from(pieces[usize::from(to)])] = to;
        self.nodes.push(LayerNode {
            hash: child.hash,
            tiles: child.tiles,
            entry,
            blank: to,
            progress: child.progress,
            last: child.direction,
        });
    }
}

/// Largest key of the children that are kept, per stage. `front` is the most advanced stage, and
/// `keys[i]` belongs to stage `front - i`.
struct Thresholds {
    front: u16,
    keys: [Option<u64>; STAGES],
}

impl Thresholds {
    fn new(children: &[LayerChild], keys: &mut Vec<u64>, width: usize) -> Thresholds {
        let front = children.iter().map(|child| child.stage).max().unwrap_or(0);
        let mut thresholds = Thresholds {
            front,
            keys: [None; STAGES],
        };
        let mut room = width;
        for (behind, threshold) in thresholds.keys.iter_mut().enumerate() {
            let own = children
                .iter()
                .filter(|c| usize::from(front - c.stage) == behind);
            keys.clear();
            keys.extend(own.map(|child| child.key));
            let share = if behind + 1 == STAGES { 1.0 } else { SHARE };
            let quota = ((room as f64 * share) as usize).max(1).min(room);
            if quota == 0 || keys.is_empty() {
                continue;
            }
            let taken = quota.min(keys.len());
            *threshold = Some(*keys.select_nth_unstable(taken - 1).1);
            room -= taken;
        }
        thresholds
    }

    fn holds(&self, child: &LayerChild) -> bool {
        let behind = usize::from(self.front - child.stage);
        self.keys.get(behind).copied().flatten() >= Some(child.key)
    }
}

/// A pseudo-random number for a tile on a cell.
#[inline]
fn mix(tile: usize, cell: usize) -> u64 {
    scatter((tile << 16 | cell) as u64 + 1)
}

#[inline]
fn scatter(bits: u64) -> u64 {
    finish(bits.wrapping_mul(GAMMA))
}
