//! The row graph: which rows a table has and which moves lead from row to row. A sweep runs over it
//! and knows nothing else of tiles or trays.
//!
//! A move of a pattern's tile changes the checkerboard colour of its shape, and a step of the blank
//! in a full-cost table changes the colour of the blank's cell. So the rows fall into two halves,
//! every move leads from one half to the other, and the distances of a half's entries are all even
//! or all odd.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use puzzle::{BlankClasses, CellSet, Ranking, TableId, TableKind};

use crate::parallel::each_task;
use crate::sweep::zeroed_pages::ZeroedPages;

/// The rows of one table, or those of one part of it, in two colour classes, and the moves between
/// them.
pub(crate) struct RowGraph {
    pub(crate) ranking: Ranking,
    pub(crate) halves: [ColourClass; 2],
    /// The moves into the rows of each half.
    pub(crate) moves: [Moves; 2],
    /// The goal's row; its entry of rank 0 is the goal.
    pub(crate) goal: RowPlace,
}

/// Position of the goal's row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RowPlace {
    pub(crate) half: usize,
    /// Which row of the half; `None` if it is another part's.
    pub(crate) index: Option<usize>,
}

/// Rows of one colour, in ascending order.
pub(crate) struct ColourClass {
    rows: Vec<u32>,
    /// First row of each group, then the number of rows. A group is the rows of one shape.
    groups: Vec<u32>,
    shapes: Vec<u32>,
}

/// The moves into rows, in one flat array.
pub(crate) struct Moves {
    /// First edge of each row, then the number of edges.
    first_edge: Vec<u32>,
    edges: ZeroedPages<Edge>,
}

/// A move, seen from one of the two rows, which are of different halves. Five bytes, since there
/// are about nine for each row.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Edge {
    row: [u8; 4],
    /// From in the lower four bits, to in the upper ones: tables have at most 12 tiles.
    positions: u8,
}

impl Edge {
    pub(crate) fn new(row: u32, from: usize, to: usize) -> Self {
        Edge {
            row: row.to_le_bytes(),
            positions: (from | to << 4) as u8,
        }
    }

    /// The row at its other end, counted in its half: where a move into a row comes from.
    #[inline]
    pub(crate) fn row(self) -> usize {
        u32::from_le_bytes(self.row) as usize
    }

    /// Reading positions of the moved element, in the source and in the target.
    #[inline]
    pub(crate) fn positions(self) -> (u8, u8) {
        (self.positions & 15, self.positions >> 4)
    }
}

impl RowGraph {
    /// The graph of this table. A blank-compressed table is made from the rows of the zero-aware
    /// one. O(rows).
    pub(crate) fn new(id: TableId) -> Self {
        let ranking = Ranking::new(id.tray(), id.tiles().len(), id.kind().swept());
        let (halves, places) = ColourClass::both(&ranking, |_| true);
        let moves = halves
            .each_ref()
            .map(|half| Moves::find(half, &ranking, &places));
        RowGraph::of_rows(id, ranking, halves, moves)
    }

    /// The graph of some of the rows.
    pub(crate) fn of_rows(
        id: TableId,
        ranking: Ranking,
        halves: [ColourClass; 2],
        moves: [Moves; 2],
    ) -> Self {
        let row = ranking.goal_row(id);
        let (shape, blank) = ranking.row_shape(row);
        let half = ranking.kind().colour(id.tray(), shape, blank);
        let index = halves[half].rows.binary_search(&(row as u32)).ok();
        RowGraph {
            ranking,
            halves,
            moves,
            goal: RowPlace { half, index },
        }
    }

    /// Of each half, ascending, the numbers of the rows of a table of this kind: where it has the
    /// minimum over the rows of each shape, the numbers of the shapes.
    pub(crate) fn into_numbers(self, kind: TableKind) -> [Vec<u32>; 2] {
        self.halves.map(|half| match kind.is_minimum() {
            true => half.shapes,
            false => half.rows,
        })
    }

    /// The half whose rows a level writes.
    pub(crate) fn written_half(&self, level: u8) -> usize {
        (self.goal.half + usize::from(level)) % 2
    }
}

impl ColourClass {
    /// Lists the rows of the shapes, given by their numbers, that `is_listed` accepts, by colour.
    /// Returns also the place in its class of each of these rows, by its number in the table.
    pub(crate) fn both(
        ranking: &Ranking,
        is_listed: impl Fn(usize) -> bool,
    ) -> ([ColourClass; 2], Vec<u32>) {
        let (tray, kind) = (ranking.tray(), ranking.kind());
        let classes = BlankClasses::new(tray, kind);
        // Room for all rows: pages that are not written to take no memory.
        let room = || Vec::with_capacity(ranking.rows());
        let mut halves = [0, 1].map(|_| ColourClass {
            rows: room(),
            groups: room(),
            shapes: room(),
        });
        let mut places = vec![0; ranking.rows()];
        let shapes = ranking.shapes().iter().enumerate();
        for (shape, &cells) in shapes.filter(|(shape, _)| is_listed(*shape)) {
            let mut first = [true, true];
            for (row, blank) in ranking.shape_rows(shape).zip(classes.of(cells)) {
                let colour = kind.colour(tray, cells, blank);
                let half = &mut halves[colour];
                if std::mem::take(&mut first[colour]) {
                    half.groups.push(half.rows.len() as u32);
                    half.shapes.push(shape as u32);
                }
                places[row] = half.rows.len() as u32;
                half.rows.push(row as u32);
            }
        }
        for half in &mut halves {
            half.groups.push(half.rows.len() as u32);
            for list in [&mut half.rows, &mut half.groups, &mut half.shapes] {
                list.shrink_to_fit();
            }
        }
        (halves, places)
    }

    /// Visits the rows of some groups: the shape, and the cells of the blank.
    pub(crate) fn each_row(
        &self,
        ranking: &Ranking,
        groups: Range<usize>,
        mut visit: impl FnMut(CellSet, CellSet),
    ) {
        let classes = BlankClasses::new(ranking.tray(), ranking.kind());
        for group in groups {
            let shape_index = self.shapes[group] as usize;
            let shape = ranking.shapes()[shape_index];
            let mut all_rows = ranking.shape_rows(shape_index).zip(classes.of(shape));
            for &row in &self.rows[self.group_start(group)..self.group_start(group + 1)] {
                if let Some((_, blank)) = all_rows.find(|(other, _)| *other == row as usize) {
                    visit(shape, blank);
                }
            }
        }
    }

    /// Number of each row in the table, ascending.
    pub(crate) fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Number of groups; a group is the rows of one shape.
    pub(crate) fn groups(&self) -> usize {
        self.groups.len() - 1
    }

    /// The rows before a group; of the group after the last, all rows.
    pub(crate) fn group_start(&self, group: usize) -> usize {
        self.groups[group] as usize
    }

    pub(crate) fn group_of(&self, index: usize) -> usize {
        self.groups
            .partition_point(|&start| start as usize <= index)
            - 1
    }
}

impl Moves {
    /// The moves into rows: of each its first edge, and all edges.
    pub(crate) fn new(mut first_edge: Vec<u32>, edges: &[Edge]) -> Self {
        first_edge.push(edges.len() as u32);
        let mut pages = ZeroedPages::zeros(edges.len());
        pages.copy_from_slice(edges);
        Moves {
            first_edge,
            edges: pages,
        }
    }

    /// Finds the moves into all rows of a class from rows at `places`: counts them, then puts each
    /// where it belongs, so that nothing is moved or grows.
    fn find(class: &ColourClass, ranking: &Ranking, places: &[u32]) -> Self {
        let mut ends = vec![0; class.rows.len() + 1];
        let groups = 0..class.groups();
        let row = |group| class.group_start(group);
        each_task(groups.clone(), &mut ends[1..], &row, &|groups, counts| {
            let mut counts = counts.iter_mut();
            class.each_row(ranking, groups, |shape, blank| {
                if let Some(count) = counts.next() {
                    *count = ranking.count_row_moves(shape, blank) as u32;
                }
            });
        });
        for row in 1..ends.len() {
            ends[row] += ends[row - 1];
        }
        let mut edges = ZeroedPages::zeros(ends[class.rows.len()] as usize);
        let edge = |group| ends[class.group_start(group)] as usize;
        each_task(groups, &mut edges, &edge, &|groups, edges| {
            let mut edges = edges.iter_mut();
            class.each_row(ranking, groups, |shape, blank| {
                // The moves first: a zip that ends with them takes no edge too many.
                for (out, edge) in ranking.row_moves(shape, blank).zip(edges.by_ref()) {
                    *edge = Edge::new(places[out.row], out.to, out.from);
                }
            });
        });
        Moves {
            first_edge: ends,
            edges,
        }
    }

    #[inline]
    pub(crate) fn edges(&self, index: usize) -> &[Edge] {
        &self.edges[self.first_edge[index] as usize..self.first_edge[index + 1] as usize]
    }

    /// [`Self::edges`], or `None` if there is no such row.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<&[Edge]> {
        let (start, end) = (self.first_edge.get(index)?, self.first_edge.get(index + 1)?);
        self.edges.get(*start as usize..*end as usize)
    }
}
