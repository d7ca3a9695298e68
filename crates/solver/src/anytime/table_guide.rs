//! A guide that scores boards by additive tables. A node stores the value of each part, and a move
//! updates one value per view.
//!
//! Entries are computed from the tiles' cells alone. This needs more instructions than IDA*, whose
//! nodes also store a placement per part. The nodes of a beam store no placements, because they are
//! copied and must be small: a value needs one byte, a placement one word. Look-ups of a block of
//! nodes proceed in stages (row, entry, value), so that many memory accesses are in flight at a
//! time.

use pdb_table::Encoding;
use puzzle::{Cell, MAX_TILES, Ranking, Tray, binomial, factorial};

use super::layer::{BeamChild, BeamNode};
use super::tile_terms::{CELLS, TileTerms, UNIT};
use crate::boards::{PackedBoard, PairWeights, TileStep};
use crate::machine::{CountsBits, prefetch, with_bit_counting};
use crate::tables::{CellRoom, Geometry as _, Part, SlideGeometry, View};

/// A part of a view and its table.
pub(crate) struct GuidePart<'a> {
    payload: &'a [u8],
    ranking: &'a Ranking,
    first_rows: &'a [u32],
    /// The part's tiles, named by their goal cells on the board, in the order of the table's tiles.
    tiles: [u8; MAX_TILES],
    count: usize,
    /// For each cell of the board, the cell in the table's orientation.
    to_table: [u8; CELLS],
    is_one_bit: bool,
    row_entries: usize,
}

/// A guide that scores boards by the tables of some views, which have at most `P` parts in total.
pub(crate) struct TableGuide<'a, const P: usize> {
    parts: Vec<GuidePart<'a>>,
    /// For each view, the index of each tile's part among all parts.
    part_of_tile: Vec<[u8; CELLS]>,
    /// Index of the first part of each view, followed by the total number of parts.
    first_part: Vec<usize>,
    /// Weight of each part's value in scores.
    part_weights: Vec<u16>,
    weights: Box<Weights>,
    tile_terms: TileTerms,
}

/// State of a look-up between stages.
#[derive(Clone, Copy, Default)]
struct LookUp {
    index: u32,
    rank: u32,
    blank: u8,
    part: u8,
    entry: usize,
}

/// Reused memory of a thread.
#[derive(Default)]
pub(crate) struct Scratch {
    look_ups: Vec<LookUp>,
    sums: Vec<u16>,
}

impl<'a, const P: usize> TableGuide<'a, P> {
    pub(crate) fn new<W: CellRoom>(
        views: &[&'a View<SlideGeometry<W>>],
        tray: Tray,
        goal_blank: Cell,
        weights: &PairWeights,
    ) -> Self {
        let mut guide = TableGuide {
            parts: Vec::new(),
            part_of_tile: Vec::new(),
            first_part: vec![0],
            part_weights: Vec::new(),
            weights: Box::new(Weights::new()),
            tile_terms: TileTerms::new(tray, goal_blank, views.len(), weights),
        };
        for view in views {
            let first = guide.parts.len();
            let mut part_of_tile = [0; CELLS];
            for (part, &own) in part_of_tile.iter_mut().zip(&view.part_of_tile) {
                *part = first as u8 + own;
            }
            guide.part_of_tile.push(part_of_tile);
            for part in &view.parts {
                let part = GuidePart::new(part);
                let weight = part_weight(tray, goal_blank, part.tiles());
                guide.part_weights.push(weight);
                guide.parts.push(part);
            }
            let parts = guide.parts[first..].iter().map(GuidePart::tiles);
            let weighted = parts.zip(guide.part_weights[first..].iter().copied());
            guide.tile_terms.add_view(&weighted.collect::<Vec<_>>());
            guide.first_part.push(guide.parts.len());
        }
        guide
    }

    /// Score of a move.
    pub(super) fn unit(&self) -> u16 {
        self.tile_terms.unit()
    }

    /// Sets `change`, `score` and `bound` of all children. The children of one parent must be
    /// consecutive.
    pub(super) fn score<B: PackedBoard>(
        &self,
        nodes: &[BeamNode<B, P>],
        children: &mut [BeamChild],
        scratch: &mut Scratch,
    ) {
        let guide = self;
        with_bit_counting(Score {
            guide,
            nodes,
            children,
            scratch,
        });
    }

    /// Turns the values of a parent into those of a child. `tile` is the tile that moves, `change`
    /// is [`BeamChild::change`].
    #[inline(always)]
    pub(super) fn advance(&self, values: &mut [u8; P], tile: u16, change: u8) {
        for (view, part_of_tile) in self.part_of_tile.iter().enumerate() {
            let value = &mut values[usize::from(part_of_tile[usize::from(tile) % CELLS])];
            *value = match change >> view & 1 {
                0 => value.wrapping_sub(1),
                _ => value.wrapping_add(1),
            };
        }
    }

    #[inline(always)]
    fn score_on_any_processor<B: PackedBoard>(
        &self,
        nodes: &[BeamNode<B, P>],
        children: &mut [BeamChild],
        scratch: &mut Scratch,
        cells: usize,
    ) {
        let views = self.part_of_tile.len();
        let Scratch { look_ups, sums } = scratch;
        look_ups.clear();
        sums.clear();
        for node in nodes {
            for view in 0..views {
                let parts = self.first_part[view]..self.first_part[view + 1];
                sums.push(node.values[parts].iter().map(|&h| u16::from(h)).sum());
            }
        }
        self.locate_children(nodes, children, look_ups, cells);
        for look_up in look_ups.iter_mut() {
            let part = &self.parts[usize::from(look_up.part)];
            let row = part.row(look_up.index as usize, look_up.blank);
            look_up.entry = row * part.row_entries + look_up.rank as usize;
            let byte = if part.is_one_bit {
                look_up.entry >> 3
            } else {
                look_up.entry
            };
            prefetch(part.payload, byte);
        }
        self.read_values(nodes, children, look_ups, sums);
    }

    /// First stage: computes the score terms that need no tables, and the shape and rank of each
    /// look-up.
    #[inline(always)]
    fn locate_children<B: PackedBoard>(
        &self,
        nodes: &[BeamNode<B, P>],
        children: &mut [BeamChild],
        look_ups: &mut Vec<LookUp>,
        cells: usize,
    ) {
        let mut cell_of = [0_u8; CELLS];
        let mut parent = usize::MAX;
        let mut around_hole = [0; 4];
        for child in children.iter_mut() {
            if usize::from(child.parent) != parent {
                parent = usize::from(child.parent);
                let board = &nodes[parent].board;
                around_hole = self.tile_terms.around_hole(board, child.hole);
                for cell in 0..cells {
                    cell_of[usize::from(board.get(cell as u16)) % CELLS] = cell as u8;
                }
            }
            let tile = usize::from(child.tile) % CELLS;
            let step = TileStep {
                tile,
                from: child.from,
                hole: child.hole,
                direction: child.direction,
            };
            let change = self
                .tile_terms
                .change(step, &nodes[parent].board, around_hole, &cell_of);
            child.score = nodes[parent].score.wrapping_add(change);
            cell_of[tile] = child.hole as u8;
            for part_of_tile in &self.part_of_tile {
                let number = part_of_tile[tile];
                let part = &self.parts[usize::from(number)];
                let (index, rank) = part.locate(&cell_of, &self.weights);
                prefetch(part.first_rows, index as usize);
                let blank = part.to_table[usize::from(child.from) % CELLS];
                look_ups.push(LookUp {
                    index,
                    rank,
                    blank,
                    part: number,
                    entry: 0,
                });
            }
            cell_of[tile] = child.from as u8;
        }
    }

    /// Last stage: computes the changes of values, and the resulting bounds and scores.
    #[inline(always)]
    fn read_values<B: PackedBoard>(
        &self,
        nodes: &[BeamNode<B, P>],
        children: &mut [BeamChild],
        look_ups: &[LookUp],
        sums: &[u16],
    ) {
        let views = self.part_of_tile.len();
        let mut found = look_ups.iter();
        for child in children.iter_mut() {
            let node = &nodes[usize::from(child.parent)];
            let sums = &sums[usize::from(child.parent) * views..][..views];
            let (mut max, mut change) = (0, 0);
            let mut score = child.score;
            for (view, (&sum, look_up)) in sums.iter().zip(found.by_ref()).enumerate() {
                let part = &self.parts[usize::from(look_up.part)];
                let h = node.values[usize::from(look_up.part)];
                let is_up = part.is_up(h, look_up.entry);
                change |= u8::from(is_up) << view;
                let weight = self.part_weights[usize::from(look_up.part)];
                // A sum can wrap around only if a table is damaged. No wrong solution results,
                // because a solution is accepted only if its replay reaches the goal.
                (max, score) = match is_up {
                    true => (max.max(sum.wrapping_add(1)), score.wrapping_add(weight)),
                    false => (max.max(sum.wrapping_sub(1)), score.wrapping_sub(weight)),
                };
            }
            child.change = change;
            child.bound = max;
            child.score = score;
        }
    }
}

/// A call of [`TableGuide::score`].
struct Score<'a, 'b, B, const P: usize> {
    guide: &'b TableGuide<'a, P>,
    nodes: &'b [BeamNode<B, P>],
    children: &'b mut [BeamChild],
    scratch: &'b mut Scratch,
}

impl<B: PackedBoard, const P: usize> CountsBits for Score<'_, '_, B, P> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let parts = &self.guide.parts;
        let cells = parts.first().map_or(0, |part| part.ranking.tray().cells());
        let Score { guide, nodes, .. } = self;
        guide.score_on_any_processor(nodes, self.children, self.scratch, cells);
    }
}

impl<'a> GuidePart<'a> {
    fn new<W: CellRoom>(part: &'a Part<SlideGeometry<W>>) -> Self {
        let (table, ranking) = (&part.table.table, part.table.geometry.ranking());
        let (to_table, tiles) = part.byte_maps();
        GuidePart {
            payload: table.payload(),
            ranking,
            first_rows: ranking.first_rows(),
            tiles,
            count: ranking.tiles(),
            to_table,
            is_one_bit: table.header().encoding == Encoding::OneBit,
            row_entries: ranking.row_entries(),
        }
    }

    fn tiles(&self) -> &[u8] {
        &self.tiles[..self.count]
    }

    /// Returns the number of the shape and the rank of the tiles on their cells, as in
    /// [`puzzle::rank_placement`]. The number of the shape is a sum of binomials of its cells
    /// (Knuth, TAOCP 7.2.1.3).
    #[inline(always)]
    fn locate(&self, cell_of: &[u8; CELLS], weights: &Weights) -> (u32, u32) {
        match self.count {
            5 => self.locate_tiles::<5>(cell_of, weights),
            6 => self.locate_tiles::<6>(cell_of, weights),
            7 => self.locate_tiles::<7>(cell_of, weights),
            0..=4 => self.locate_tiles::<4>(cell_of, weights),
            _ => self.locate_tiles::<MAX_TILES>(cell_of, weights),
        }
    }

    /// [`Self::locate`] for up to `K` tiles. With a constant `K`, the compiler unrolls the loops.
    #[inline(always)]
    fn locate_tiles<const K: usize>(&self, cell_of: &[u8; CELLS], weights: &Weights) -> (u32, u32) {
        let count = if K == 4 || K == MAX_TILES {
            self.count.min(K)
        } else {
            K
        };
        let mut cells = [0_u8; K];
        let mut shape = 0_u64;
        for (cell, &tile) in cells[..count].iter_mut().zip(&self.tiles) {
            *cell = self.to_table[usize::from(cell_of[usize::from(tile) % CELLS]) % CELLS];
            shape |= 1 << (*cell % 64);
        }
        let (mut index, mut rank, mut smaller) = (0, 0, 0_u64);
        let ranks = &weights.ranks[count % ROOM];
        for (number, &cell) in cells[..count].iter().enumerate() {
            let below = (1_u64 << (cell % 64)) - 1;
            let before = (shape & below).count_ones() as usize;
            index += weights.shapes[usize::from(cell) % CELLS][before % ROOM];
            let later = number as u32 - (smaller & below).count_ones();
            rank += later * ranks[before % ROOM];
            smaller |= below + 1;
        }
        (index, rank)
    }

    #[inline(always)]
    fn row(&self, index: usize, blank: u8) -> usize {
        let (first, next) = (self.first_rows[index], self.first_rows[index + 1]);
        if next - first == 1 {
            return first as usize;
        }
        self.ranking.row(index, Cell::new(blank.into()))
    }

    /// Whether the value of an entry is larger than the value `h` of its neighbour.
    #[inline(always)]
    fn is_up(&self, h: u8, entry: usize) -> bool {
        if self.is_one_bit {
            let bit = self.payload[entry >> 3] >> (entry & 7);
            (h.wrapping_add(1) >> 1 ^ bit) & 1 == 0
        } else {
            self.payload[entry] > h
        }
    }
}

/// Weight of a part's value in scores. Parts with tiles far from the blank's goal cell have a
/// larger weight, which keeps narrow beams from leaving a tile in a far corner until the end. With
/// 20 million nodes, solutions of 20 boards of 7x7 exceed DeepCubeA's by 17.8 moves, and by 18.6
/// moves without the larger weight. On 5x5, the weights of all parts are equal. With 30 million
/// nodes, solutions of korf50_24 then exceed the optimum by 0.80 moves; with additional weights of
/// up to 0.4, they exceed it by 0.96 moves.
fn part_weight(tray: Tray, goal_blank: Cell, tiles: &[u8]) -> u16 {
    let apart = |a: usize, b: usize, side: usize| a.abs_diff(b) as f64 / (side - 1).max(1) as f64;
    let distance = |&tile: &u8| {
        let tile = Cell::new(tile.into());
        let columns = apart(tray.column(tile), tray.column(goal_blank), tray.width());
        columns.max(apart(tray.row(tile), tray.row(goal_blank), tray.height()))
    };
    let far = if tray.cells() > SMALL_TRAY { FAR } else { 0.0 };
    let mean = tiles.iter().map(distance).sum::<f64>() / tiles.len().max(1) as f64;
    (UNIT * (1.0 + far * mean)).round() as u16
}

/// Maximum additional weight, as a fraction of [`UNIT`]. A part has it if all its tiles are as far
/// as possible from the blank's goal cell.
const FAR: f64 = 0.2;
/// On trays of up to this number of cells, no part has an additional weight.
const SMALL_TRAY: usize = 25;

/// Maximum number of tiles of a pattern, rounded up to a power of two.
const ROOM: usize = MAX_TILES.next_power_of_two();

/// Two kinds of weights: `shapes` add up to the number of a shape, `ranks` to the rank of a
/// permutation.
struct Weights {
    /// Binomials, indexed by a cell and by its position among the cells of its shape.
    shapes: [[u32; ROOM]; CELLS],
    /// Factorials, indexed by the number of tiles and by the digit of the permutation's rank.
    ranks: [[u32; ROOM]; ROOM],
}

impl Weights {
    fn new() -> Self {
        let mut weights = Weights {
            shapes: [[0; ROOM]; CELLS],
            ranks: [[0; ROOM]; ROOM],
        };
        for (cell, row) in weights.shapes.iter_mut().enumerate() {
            for (before, number) in row.iter_mut().enumerate().take(MAX_TILES) {
                // Binomials that do not fit in 32 bits are never used: tables of large trays have
                // fewer tiles.
                *number = binomial(cell, before + 1).try_into().unwrap_or(0);
            }
        }
        for (count, row) in weights.ranks.iter_mut().enumerate().take(MAX_TILES + 1) {
            for (place, number) in row.iter_mut().enumerate().take(count) {
                *number = factorial(count - 1 - place);
            }
        }
        weights
    }
}
