//! Row graph: the rows of a table and the moves between them. A sweep needs no other data about
//! tiles and trays.
//!
//! A move of a pattern's tile changes the checkerboard colour of the shape, and a step of the blank
//! in a full-cost table changes the colour of the blank's cell. So the rows form two halves, the
//! colour classes. Every move leads from one half to the other, and within a half all distances are
//! even or all are odd.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use puzzle::{BlankClasses, CellSet, Ranking, TableId, TableKind};

use crate::parallel::each_task;
use crate::sweep::buffers::ZeroedPages;

/// The rows of a table, or of one part of it, in two colour classes, and the moves between them.
pub(crate) struct RowGraph {
    pub(crate) ranking: Ranking,
    pub(crate) halves: [ColourClass; 2],
    /// The moves into the rows of each half.
    pub(crate) moves: [Moves; 2],
    /// Row that contains the goal. The goal is entry 0 of this row.
    pub(crate) goal: RowPlace,
}

/// Place of the goal's row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RowPlace {
    pub(crate) half: usize,
    /// Index in the half; `None` if the row belongs to another part.
    pub(crate) index: Option<usize>,
}

/// Rows of one colour, in ascending order.
pub(crate) struct ColourClass {
    rows: Vec<u32>,
    /// Index of the first row of each group; the last element is the number of rows. A group
    /// contains the rows of one shape.
    groups: Vec<u32>,
    shapes: Vec<u32>,
}

/// Moves into rows, in one flat array.
pub(crate) struct Moves {
    /// Index of the first edge of each row; the last element is the number of edges.
    first_edge: Vec<u32>,
    edges: ZeroedPages<Edge>,
}

/// A move into a row from a row of the other half. An edge is packed into five bytes to save
/// memory: there are about nine edges per row.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Edge {
    row: [u8; 4],
    /// `from` is stored in the lower four bits, `to` in the upper four. Four bits are enough,
    /// because tables have at most 12 tiles.
    positions: u8,
}

impl Edge {
    pub(crate) fn new(row: u32, from: usize, to: usize) -> Self {
        Edge {
            row: row.to_le_bytes(),
            positions: (from | to << 4) as u8,
        }
    }

    /// Source row of the move, as an index in its half.
    #[inline]
    pub(crate) fn row(self) -> usize {
        u32::from_le_bytes(self.row) as usize
    }

    /// Positions of the moved element in reading order: in the source row, and in the target row.
    #[inline]
    pub(crate) fn positions(self) -> (u8, u8) {
        (self.positions & 15, self.positions >> 4)
    }
}

impl RowGraph {
    /// Builds the graph of a table in O(rows) time. A blank-compressed table has the same graph as
    /// the zero-aware table of its tiles.
    pub(crate) fn new(id: TableId) -> Self {
        let ranking = Ranking::new(id.tray(), id.tiles().len(), id.kind().swept());
        let (halves, places) = ColourClass::both(&ranking, |_| true);
        let moves = halves
            .each_ref()
            .map(|half| Moves::find(half, &ranking, &places));
        RowGraph::of_rows(id, ranking, halves, moves)
    }

    /// The graph of a subset of the rows.
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

    /// For each half, the numbers of its rows in the table, ascending. If the table stores the
    /// minimum over the rows of each shape, returns the numbers of the shapes instead.
    pub(crate) fn into_numbers(self, kind: TableKind) -> [Vec<u32>; 2] {
        self.halves.map(|half| match kind.is_minimum() {
            true => half.shapes,
            false => half.rows,
        })
    }

    /// Index of the half that a level writes.
    pub(crate) fn written_half(&self, level: u8) -> usize {
        (self.goal.half + usize::from(level)) % 2
    }
}

impl ColourClass {
    /// Lists the rows of the shapes whose numbers `is_listed` accepts, by colour. Also returns, for
    /// each row number in the table, the row's index in its class (0 if the row is not listed).
    pub(crate) fn both(
        ranking: &Ranking,
        is_listed: impl Fn(usize) -> bool,
    ) -> ([ColourClass; 2], Vec<u32>) {
        let (tray, kind) = (ranking.tray(), ranking.kind());
        let classes = BlankClasses::new(tray, kind);
        // Each list has capacity for all rows. This costs nothing, because pages that are never
        // written use no memory.
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

    /// Visits the rows of groups; `visit` receives the shape and the blank class of each row.
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

    /// Number of groups.
    pub(crate) fn groups(&self) -> usize {
        self.groups.len() - 1
    }

    /// Index of the first row of a group, or the number of rows if `group` is the number of groups.
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
    /// Builds the moves from all edges and, for each row, the index of its first edge.
    pub(crate) fn new(mut first_edge: Vec<u32>, edges: &[Edge]) -> Self {
        first_edge.push(edges.len() as u32);
        let mut pages = ZeroedPages::zeros(edges.len());
        pages.copy_from_slice(edges);
        Moves {
            first_edge,
            edges: pages,
        }
    }

    /// Finds the moves into all rows of a class. `places` contains the index of each source row in
    /// its class. The moves are counted first and then written to their final positions, so nothing
    /// is reallocated.
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
                // If `edges` were the first operand, `zip` would consume one edge too many.
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

    /// Like [`Self::edges`], but returns `None` if `index` is out of range.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<&[Edge]> {
        let (start, end) = (self.first_edge.get(index)?, self.first_edge.get(index + 1)?);
        self.edges.get(*start as usize..*end as usize)
    }
}
