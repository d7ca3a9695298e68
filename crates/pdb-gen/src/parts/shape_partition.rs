//! Assigns shapes to the parts of a sweep that is divided among processes, and the row graph of one
//! part: its own rows, the moves between them, and the rows exchanged with other parts.

use puzzle::{Cell, CellSet, Ranking, TableId, Tray, binomial};

use crate::sweep::row_graph::{ColourClass, Edge, Moves, RowGraph};

/// Partition of a table's shapes.
///
/// Borders are straight lines through the tray, each with a weight. The weight of a tile is the sum
/// of the weights of all borders to its left and above it. Parts are numbered from 0 to `n` - 1. A
/// shape is in the part whose number is the sum of the weights of its tiles, modulo `n`. A tile
/// that moves changes this number only when it crosses a border. Two borders through the middle are
/// enough for four parts. If each part consisted of consecutive shapes, rows would have fewer
/// neighbours in other parts. But consecutive shapes have similar distances, so the parts would
/// work one after another.
///
/// Every process computes this partition itself, with the same result.
#[derive(Clone, Debug)]
pub struct ShapePartition {
    parts: usize,
    /// For each cell, the weight of a tile on this cell, modulo `parts`.
    weights: Vec<u16>,
}

/// Largest accepted ratio of the number of shapes of the largest part to the mean over all parts.
/// [`ShapePartition::new`] adds borders until the ratio is within this limit.
const FAIR: f64 = 1.08;
/// Number of weight assignments that are tried before another border is added.
const TRIALS: usize = 200;
/// With fewer than this number of tiles, all shapes are in the first part: the rows of such tables
/// do not start at byte boundaries of the file, and the tables are built in an instant.
const FEWEST_TILES: usize = 4;

impl ShapePartition {
    /// Largest number of parts.
    pub const MAX_PARTS: usize = 256;

    /// Divides the shapes of `tiles` tiles among `parts` parts. `parts` is clamped to the range
    /// from 1 to [`Self::MAX_PARTS`]. With few shapes, some parts may be empty.
    #[must_use]
    pub fn new(tray: Tray, tiles: usize, parts: usize) -> Self {
        let parts = parts.clamp(1, ShapePartition::MAX_PARTS);
        let weights = vec![0; tray.cells()];
        if parts == 1 || tiles < FEWEST_TILES {
            return ShapePartition { parts, weights };
        }
        let borders = borders(tray);
        let mut best = (f64::INFINITY, weights);
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        'counts: for count in 1..=borders.len() {
            for trial in 0..TRIALS {
                let mut weights = vec![0; tray.cells()];
                for (index, border) in borders[..count].iter().enumerate() {
                    // Powers of two are good weights if `parts` is a power of two.
                    let weight = match trial {
                        0 => 1 << index.min(8),
                        _ => 1 + random.below(parts - 1),
                    };
                    for cell in border.iter() {
                        let total = &mut weights[cell.index()];
                        *total = ((usize::from(*total) + weight) % parts) as u16;
                    }
                }
                let largest = largest_share(&weights, tiles, parts);
                if largest < best.0 {
                    best = (largest, weights);
                }
                if best.0 <= FAIR {
                    break 'counts;
                }
            }
        }
        let weights = best.1;
        ShapePartition { parts, weights }
    }

    /// Number of parts.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.parts
    }

    /// Part of a shape.
    #[must_use]
    pub fn part(&self, shape: CellSet) -> usize {
        let weights = shape
            .iter()
            .map(|cell| usize::from(self.weights[cell.index()]));
        weights.sum::<usize>() % self.parts
    }

    /// For each cell, the weight of a tile on this cell, modulo the number of parts. Partitions
    /// with the same number of parts and the same weights are equal.
    #[must_use]
    pub fn weights(&self) -> &[u16] {
        &self.weights
    }
}

/// For each border between two columns, the cells to the right of it; for each border between two
/// rows, the cells below it. The borders nearest to the middle come first; columns and rows
/// alternate.
fn borders(tray: Tray) -> Vec<CellSet> {
    let (width, height) = (tray.width(), tray.height());
    let columns = (1..width).map(|from| (from, width, false));
    let rows = (1..height).map(|from| (from, height, true));
    let mut all: Vec<_> = columns.chain(rows).collect();
    all.sort_by_key(|&(from, length, is_row)| {
        ((2 * from).abs_diff(length), from > length / 2, is_row)
    });
    let beyond = |(from, _, is_row)| {
        let place = |cell: &Cell| match is_row {
            true => cell.index() / width,
            false => cell.index() % width,
        };
        tray.iter().filter(|cell| place(cell) >= from).collect()
    };
    all.into_iter().map(beyond).collect()
}

/// Number of shapes of the largest part, divided by the mean number of shapes per part.
fn largest_share(weights: &[u16], tiles: usize, parts: usize) -> f64 {
    // For each number of tiles and each part, the number of shapes that use only the cells
    // processed so far.
    let mut counts = vec![0.0; (tiles + 1) * parts];
    counts[0] = 1.0;
    for &weight in weights {
        for placed in (0..tiles).rev() {
            for part in 0..parts {
                let count = counts[placed * parts + part];
                let to = (part + usize::from(weight)) % parts;
                counts[(placed + 1) * parts + to] += count;
            }
        }
    }
    let largest = counts[tiles * parts..].iter().copied().fold(0.0, f64::max);
    largest * parts as f64 / binomial(weights.len(), tiles) as f64
}

/// Xorshift generator, identical on all machines.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 20) % end as u64) as usize
    }
}

/// A part to which a row is sent, and the row's number in the list of all rows sent to that part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Destination {
    pub(crate) part: u32,
    pub(crate) number: u32,
}

/// Moves between the part's rows of one colour and the rows of other parts.
pub(crate) struct PartLinks {
    first_destination: Vec<u32>,
    destinations: Vec<Destination>,
    /// `arrivals[p]` contains the moves from rows of part p into this part's rows of this colour.
    /// `arrivals[p].get(i)` returns the moves from row i in the list of rows that part p sends to
    /// this part.
    pub(crate) arrivals: Vec<Moves>,
}

impl PartLinks {
    /// Parts to which a row is sent.
    #[inline]
    pub(crate) fn destinations(&self, row: usize) -> &[Destination] {
        let (start, end) = (self.first_destination[row], self.first_destination[row + 1]);
        &self.destinations[start as usize..end as usize]
    }
}

/// The rows of one part, the moves between them, and the moves from and to other parts.
///
/// A row is sent to each part that owns a neighbour of it. The block identifies the row by its
/// number in the ascending list of all rows that the sending part sends to the receiving part. Both
/// parts compute this list themselves. The sender lists its own rows that have a move into the
/// other part. The receiver lists the rows of the other part that a move of its own rows reaches.
/// Both lists are equal, because moves are reversible.
pub(crate) struct PartGraph {
    pub(crate) own: RowGraph,
    /// For each colour class, the moves from and to other parts.
    pub(crate) links: [PartLinks; 2],
}

/// A move from a row of another part. The first element is the number of that row in the table.
type Crossing = (u32, Edge);

impl PartGraph {
    /// Builds the graph of a part in O(rows of the table) time. The memory is proportional to the
    /// part's rows, plus a few bytes per row of the table.
    pub(crate) fn new(id: TableId, shape_partition: &ShapePartition, part: usize) -> Self {
        let ranking = Ranking::new(id.tray(), id.tiles().len(), id.kind());
        let mut parts = vec![0_u16; ranking.rows()];
        for (index, &shape) in ranking.shapes().iter().enumerate() {
            parts[ranking.shape_rows(index)].fill(shape_partition.part(shape) as u16);
        }
        let part = part as u16;
        let is_own = |shape| parts[ranking.shape_rows(shape).start] == part;
        let (halves, places) = ColourClass::both(&ranking, is_own);
        // Finds the moves into the rows of a colour class, from rows of this part and of other
        // parts.
        let find = |own: &ColourClass| {
            let mut first_edge = Vec::with_capacity(own.rows().len() + 1);
            let mut edges = Vec::new();
            let mut first_destination = Vec::with_capacity(own.rows().len() + 1);
            let mut destinations: Vec<Destination> = Vec::new();
            let mut crossings: Vec<Vec<Crossing>> = vec![Vec::new(); shape_partition.parts()];
            let mut sent = vec![0_u32; shape_partition.parts()];
            own.each_row(&ranking, 0..own.groups(), |shape, blank| {
                let row = first_edge.len() as u32;
                first_edge.push(edges.len() as u32);
                let first = destinations.len();
                first_destination.push(first as u32);
                for out in ranking.row_moves(shape, blank) {
                    // The reverse move leads into this row.
                    let edge = |row| Edge::new(row, out.to, out.from);
                    let other = parts[out.row];
                    if other == part {
                        edges.push(edge(places[out.row]));
                        continue;
                    }
                    crossings[usize::from(other)].push((out.row as u32, edge(row)));
                    let part = u32::from(other);
                    if destinations[first..].iter().all(|to| to.part != part) {
                        let next = &mut sent[usize::from(other)];
                        let number = *next;
                        *next += 1;
                        destinations.push(Destination { part, number });
                    }
                }
            });
            first_destination.push(destinations.len() as u32);
            let links = PartLinks {
                first_destination,
                destinations,
                arrivals: crossings.into_iter().map(arrivals).collect(),
            };
            (Moves::new(first_edge, &edges), links)
        };
        let [(first, first_links), (second, second_links)] = halves.each_ref().map(find);
        PartGraph {
            own: RowGraph::of_rows(id, ranking, halves, [first, second]),
            links: [first_links, second_links],
        }
    }
}

/// Groups the moves from another part by source row.
fn arrivals(mut crossings: Vec<Crossing>) -> Moves {
    crossings.sort_unstable_by_key(|&(source, edge)| (source, edge.row()));
    let mut first_edge = Vec::new();
    let mut last = None;
    for (index, &(source, _)) in crossings.iter().enumerate() {
        if last.replace(source) != Some(source) {
            first_edge.push(index as u32);
        }
    }
    let edges: Vec<Edge> = crossings.into_iter().map(|(_, edge)| edge).collect();
    Moves::new(first_edge, &edges)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_nearly_equal_with_few_borders() {
        for (size, tiles, parts, borders) in [
            ("4x4", 8, 2, 1),
            ("4x4", 8, 4, 2),
            ("5x5", 7, 4, 2),
            ("5x5", 8, 3, 3),
            ("5x5", 7, 8, 4),
            ("5x5", 8, 64, 8),
        ] {
            let tray: Tray = size.parse().unwrap();
            let shape_partition = ShapePartition::new(tray, tiles, parts);
            let mut counts = vec![0_usize; parts];
            for shape in CellSet::subsets(tray, tiles) {
                counts[shape_partition.part(shape)] += 1;
            }
            let all: usize = counts.iter().sum();
            let share = counts.iter().max().unwrap() * parts * 100 / all;
            assert!(share <= 112, "{size} {tiles} tiles, {parts} parts: {share}");
            let differ =
                |a: usize, b: usize| shape_partition.weights[a] != shape_partition.weights[b];
            let width = tray.width();
            let columns = (1..width).filter(|&x| differ(x - 1, x)).count();
            let rows = (1..tray.height()).filter(|&y| differ((y - 1) * width, y * width));
            assert!(columns + rows.count() <= borders, "{size} {parts}");
        }
    }

    #[test]
    fn small_patterns_are_not_divided() {
        let tray = "5x5".parse().unwrap();
        let shape_partition = ShapePartition::new(tray, 3, 4);
        assert!(CellSet::subsets(tray, 3).all(|shape| shape_partition.part(shape) == 0));
    }

    /// Processes of different versions can work together only if their partitions are equal. The
    /// expected values come from a separate program. The last case needs random weights.
    #[test]
    fn partitions_do_not_change() {
        let weights = |size: &str, tiles, parts| {
            let shape_partition = ShapePartition::new(size.parse().unwrap(), tiles, parts);
            shape_partition.weights().to_vec()
        };
        let four = [0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3];
        assert_eq!(weights("4x4", 8, 4), four);
        let seven = [0, 4, 5, 5, 0, 4, 5, 5, 2, 6, 0, 0, 2, 6, 0, 0];
        assert_eq!(weights("4x4", 8, 7), seven);
        let many = [0, 23, 56, 35, 59, 18, 51, 30, 22, 45, 14, 57];
        assert_eq!(weights("4x3", 5, 64), many);
    }
}
