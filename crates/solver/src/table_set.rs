//! A plan's tables made ready for a search: every view's parts, where their entries lie, and how a move changes them.

use pdb_table::{Encoding, Table, TableError};
use puzzle::{
    Cell, CellSet, HeuristicSpec, Partition, Pattern, Ranking, State, TableId, TableKind,
};

use crate::lehmer::{MOST_NARROW, Permutations};
use crate::root_value::{self, RootLookup};
use crate::row_index::{RowIndex, RowWord};
use crate::slide::{Slide, Slides};

/// The bytes of a table, wherever they are kept.
pub(crate) struct AnyBytes(Box<dyn AsRef<[u8]> + Send + Sync>);

impl AsRef<[u8]> for AnyBytes {
    fn as_ref(&self) -> &[u8] {
        (*self.0).as_ref()
    }
}

/// Tables and views for one goal.
pub(crate) struct Heuristic<W> {
    tables: Vec<Opened>,
    spaces: Vec<Geometry<W>>,
    pub(crate) views: Vec<View>,
}

struct Opened {
    table: Table<AnyBytes>,
    /// Its place among the spaces.
    space: usize,
}

/// What tables with equally many tiles and of the same kind share.
struct Geometry<W> {
    ranking: Ranking,
    layout: Box<RowIndex<W>>,
    permutations: Box<Permutations>,
}

/// One partition, or the image of one under a symmetry: a sum.
pub(crate) struct View {
    pub(crate) parts: Vec<Part>,
    /// The part that a move of a tile (by goal cell) changes. Every part of a full-cost view changes with every
    /// move, so there all tiles name the only part.
    pub(crate) part_of_tile: Vec<u8>,
}

/// One pattern of a view, and how it is looked up in a table that may be stored in another orientation.
pub(crate) struct Part {
    table: usize,
    pub(crate) tiles: CellSet,
    /// Cell of the table for each cell of the board.
    map: Vec<u8>,
    /// The moves of a search in the table's orientation.
    hops: Slides,
}

/// Where a pattern's tiles are in the table's orientation, as the search carries it, in one word: the shape, one bit
/// a cell; the packed Lehmer digits; and in the last [`VALUE_BITS`] the value found there.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Placement(u64);

/// The value is there modulo 128. That is enough to tell by how much the value of a neighbour is larger, which is at most 1 in tables of
/// one bit and some 10 in blank-compressed ones.
const VALUE_BITS: u32 = 7;
const VALUE_AT: u32 = u64::BITS - VALUE_BITS;

impl Placement {
    /// With the value 0.
    fn new(shape: CellSet, digits: u64, digits_at: u32) -> Placement {
        Placement(u64::from(shape.bits()) | digits << digits_at)
    }

    /// A bit a cell; bits above the tray's cells mean nothing.
    #[inline(always)]
    pub(crate) fn shape(self) -> u32 {
        self.0 as u32
    }

    #[inline(always)]
    fn value(self) -> i32 {
        (self.0 >> VALUE_AT) as i32
    }

    /// The same place with a value larger by `change`.
    #[inline(always)]
    pub(crate) fn plus(self, change: i32) -> Placement {
        Placement(self.0.wrapping_add((i64::from(change) as u64) << VALUE_AT))
    }
}

/// A table that is not what its own values imply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} is damaged: its values lead nowhere; find out which with pdb-gen verify, and build it again", name(.0))]
pub struct DamagedTable(
    /// Its name, where the search can tell.
    pub Option<String>,
);

fn name(table: &Option<String>) -> String {
    table.as_ref().map_or_else(
        || "a table of this search".to_owned(),
        |name| format!("the table {name}"),
    )
}

impl<W: RowWord> Heuristic<W> {
    /// Takes one table for each pattern of the spec from `open`, and checks that it is the right one.
    pub(crate) fn new<E: From<TableError>>(
        spec: &HeuristicSpec,
        mut open: impl FnMut(TableId) -> Result<Table<AnyBytes>, E>,
    ) -> Result<Self, E> {
        let mut heuristic = Heuristic {
            tables: Vec::new(),
            spaces: Vec::new(),
            views: Vec::new(),
        };
        for partition in spec.views() {
            let view = heuristic.view(spec, &partition, &mut open)?;
            heuristic.views.push(view);
        }
        Ok(heuristic)
    }

    fn view<E: From<TableError>>(
        &mut self,
        spec: &HeuristicSpec,
        partition: &Partition,
        open: &mut impl FnMut(TableId) -> Result<Table<AnyBytes>, E>,
    ) -> Result<View, E> {
        let tray = spec.tray();
        let mut parts = Vec::new();
        let mut part_of_tile = vec![0; tray.cells()];
        for (number, pattern) in partition.patterns().iter().enumerate() {
            let tiles = pattern.tiles();
            let (id, symmetry) = pattern.table(partition.kind());
            let known = self
                .tables
                .iter()
                .position(|opened| opened.table.id() == id);
            let table = match known {
                Some(table) => table,
                None => {
                    let table = open(id)?;
                    table.check_id(id)?;
                    let space = self.space_of(&table)?;
                    self.tables.push(Opened { table, space });
                    self.tables.len() - 1
                }
            };
            for tile in tiles.iter() {
                part_of_tile[tile.index()] = number as u8;
            }
            parts.push(Part {
                table,
                tiles,
                map: tray
                    .iter()
                    .map(|cell| symmetry.map(tray, cell).index() as u8)
                    .collect(),
                hops: Slides::new(tray, spec.order(), |cell| symmetry.map(tray, cell)),
            });
        }
        Ok(View {
            parts,
            part_of_tile,
        })
    }

    /// What tables like this one share, made for the first of them. In any case checks the table's number of entries,
    /// so that no look-up leaves the payload, and its goal entry, without which no search would end.
    fn space_of(&mut self, table: &Table<AnyBytes>) -> Result<usize, TableError> {
        let id = table.id();
        let known = self.spaces.iter().position(|space| space.serves(id));
        let index = match known {
            Some(index) => {
                table.expect_entries(self.spaces[index].ranking.entries())?;
                index
            }
            None => {
                let ranking = table.ranking()?;
                self.spaces.push(Geometry {
                    layout: Box::new(RowIndex::new(&ranking)),
                    permutations: Box::new(Permutations::new(ranking.tiles())),
                    ranking,
                });
                self.spaces.len() - 1
            }
        };
        let ranking = &self.spaces[index].ranking;
        let goal = ranking.goal_row(id) * ranking.row_entries();
        if self.spaces[index].permutations.bits() + id.tray().cells() as u32 > VALUE_AT {
            return Err(TableError::TooLarge(table.header().entries));
        }
        let is_zero = table.entry_matches(goal as u64, Some(0));
        is_zero.then_some(index).ok_or(TableError::Goal)
    }

    /// Whether all tables can be read as [`OneBit`].
    pub(crate) fn is_one_bit(&self) -> bool {
        let mut tables = self.tables.iter().map(|opened| opened.table.header());
        tables.all(|header| {
            header.encoding == Encoding::OneBit && header.id.tiles().len() <= MOST_NARROW
        })
    }

    /// Parts of all views together.
    pub(crate) fn parts(&self) -> usize {
        self.views.iter().map(|view| view.parts.len()).sum()
    }

    /// Whether sums of a view are at least Manhattan distance and 0 at the goal only: a view of additive tables that
    /// covers all tiles.
    pub(crate) fn is_complete(&self) -> bool {
        self.views.first().is_some_and(|view| {
            let parts = view.parts.iter();
            let tiles: usize = parts.clone().map(|part| part.tiles.len()).sum();
            let mut kinds = parts.map(|part| self.tables[part.table].table.id().kind());
            tiles + 1 == view.part_of_tile.len() && kinds.all(TableKind::is_additive)
        })
    }

    /// Everything that looking a part up takes.
    fn lookup<'a>(&'a self, part: &'a Part) -> Lookup<'a, W> {
        let Opened { table, space } = &self.tables[part.table];
        let space = &self.spaces[*space];
        Lookup {
            hops: &part.hops,
            digits_at: space.ranking.tray().cells() as u32,
            layout: &space.layout,
            permutations: &space.permutations,
            row_entries: space.ranking.row_entries(),
            payload: table.payload(),
            one_bit: table.header().encoding == Encoding::OneBit,
        }
    }

    /// All parts of all views as a search from a state needs them, view by view.
    pub(crate) fn roots(&self, state: &State) -> Result<Vec<RootPart<'_, W>>, DamagedTable> {
        let parts: Vec<&Part> = self.views.iter().flat_map(|view| &view.parts).collect();
        let lookups = parts.iter().map(|part| self.lookup(part));
        let lookups: Vec<Lookup<W>> = lookups.collect();
        let found = parts.iter().zip(&lookups);
        let tops = found.map(|(part, lookup)| self.top(part, lookup, state));
        let tops: Vec<RootLookup<W>> = tops.collect();
        let one_bit: Vec<&RootLookup<W>> = tops.iter().filter(|top| top.lookup.one_bit).collect();
        let mut descended = root_value::values(state.tray(), &one_bit).into_iter();
        let values = tops.iter().map(|top| {
            let h = match top.lookup.one_bit {
                true => descended.next().flatten(),
                false => top.lookup.byte(top.entry),
            };
            h.map(|h| (top.place.plus(h.into()), h))
        });
        let values: Vec<Option<(Placement, u8)>> = values.collect();
        let starts = parts.into_iter().zip(lookups).zip(values);
        let starts = starts.map(|((part, lookup), value)| {
            let name = || self.tables[part.table].table.id().name();
            let (placement, h) = value.ok_or_else(|| DamagedTable(Some(name())))?;
            Ok(RootPart {
                lookup,
                placement,
                h,
            })
        });
        starts.collect()
    }

    /// Where a part's tiles are in a state, without their value.
    fn top<'a, 'b>(
        &self,
        part: &Part,
        lookup: &'a Lookup<'b, W>,
        state: &State,
    ) -> RootLookup<'a, 'b, W> {
        let Opened { table, space } = &self.tables[part.table];
        let Geometry {
            ranking,
            permutations,
            ..
        } = &self.spaces[*space];
        let id = table.id();
        let map = |cell: Cell| Cell::new(usize::from(part.map[cell.index()]));
        // Both the cells and the tiles' names are seen in the table's orientation.
        let mut cell_of = vec![Cell::new(0); part.map.len()];
        for (cell, &piece) in state.tray().iter().zip(state.pieces()) {
            cell_of[map(piece).index()] = map(cell);
        }
        let blank = map(state.blank());
        let (row, rank) = ranking.locate(id.tiles(), blank, |tile| cell_of[tile.index()]);
        let shape: CellSet = id
            .tiles()
            .iter()
            .map(|tile| cell_of[tile.index()])
            .collect();
        let parity = shape.colour(id.tray()) ^ id.tiles().colour(id.tray());
        RootLookup {
            lookup,
            place: Placement::new(shape, permutations.digits(rank), lookup.digits_at),
            entry: row * ranking.row_entries() + rank as usize,
            blank,
            parity: parity as u8,
            goal_entry: ranking.goal_row(id) * ranking.row_entries(),
            most: table.header().histogram.max(),
        }
    }
}

/// A part at the beginning of a search.
pub(crate) struct RootPart<'a, W> {
    pub(crate) lookup: Lookup<'a, W>,
    /// Where its tiles are, with their value.
    pub(crate) placement: Placement,
    /// The value.
    pub(crate) h: u8,
}

impl<W> Geometry<W> {
    fn serves(&self, id: TableId) -> bool {
        let ranking = &self.ranking;
        (ranking.tray(), ranking.tiles(), ranking.kind())
            == (id.tray(), id.tiles().len(), id.kind())
    }
}

/// A part as the search looks it up.
pub(crate) struct Lookup<'a, W> {
    payload: &'a [u8],
    hops: &'a Slides,
    layout: &'a RowIndex<W>,
    permutations: &'a Permutations,
    digits_at: u32,
    row_entries: usize,
    one_bit: bool,
}

/// How tables are read. The mode is chosen once a search, outside the loop.
pub(crate) trait Mode {
    /// Whether there may be tables of bytes, full-cost tables, patterns of more than [`MOST_NARROW`] tiles, and
    /// Manhattan distance.
    const GENERAL: bool;
}

/// Additive tables of one bit an entry that cover all tiles, up to eight tiles each.
pub(crate) struct OneBit;

impl Mode for OneBit {
    const GENERAL: bool = false;
}

/// Everything else.
pub(crate) struct General;

impl Mode for General {
    const GENERAL: bool = true;
}

impl<W: RowWord> Lookup<'_, W> {
    /// The place of the part, still with its old value, and its entry, after a slide ([`Slides::get`]).
    #[inline(always)]
    pub(crate) fn after<M: Mode>(&self, place: Placement, slide: u16) -> (Placement, usize) {
        self.after_hop::<M>(place, self.hops.get(slide))
    }

    /// [`Self::after`] a slide in the table's orientation.
    #[inline(always)]
    pub(crate) fn after_hop<M: Mode>(&self, place: Placement, hop: &Slide) -> (Placement, usize) {
        let shape = place.shape();
        let low = (shape & hop.below).count_ones();
        let distance = (shape & hop.between).count_ones();
        let from = u32::from(hop.from);
        if !M::GENERAL {
            let digits = place.0 >> self.digits_at;
            let change = self
                .permutations
                .change_narrow(digits, low, distance, hop.is_back);
            let after = Placement(place.0 ^ u64::from(hop.flip) ^ change << self.digits_at);
            let row = self.layout.region_row(after.shape(), from) as usize;
            let rank = self.permutations.rank_narrow(digits ^ change) as usize;
            return (after, row * self.row_entries + rank);
        }
        let mut digits = (place.0 & ((1 << VALUE_AT) - 1)) >> self.digits_at;
        let mut after = place;
        // In full-cost tables the blank moves past other tiles too.
        if shape >> from & 1 == 1 {
            let change = self.permutations.change(digits, low, distance, hop.is_back);
            digits ^= change;
            after = Placement(place.0 ^ u64::from(hop.flip) ^ change << self.digits_at);
        }
        let row = self.layout.row(after.shape(), from) as usize;
        (
            after,
            row * self.row_entries + self.permutations.rank(digits) as usize,
        )
    }

    /// The bit of an entry of a one-bit table.
    pub(crate) fn bit(&self, entry: usize) -> u8 {
        self.payload[entry >> 3] >> (entry & 7) & 1
    }

    /// The value of an entry of a byte table; `None` if no position has it.
    fn byte(&self, entry: usize) -> Option<u8> {
        self.payload.get(entry).copied().filter(|&h| h < u8::MAX)
    }

    /// Brings an entry closer to the processor.
    #[inline(always)]
    pub(crate) fn prefetch<M: Mode>(&self, entry: usize) {
        let byte = if !M::GENERAL || self.one_bit {
            entry >> 3
        } else {
            entry
        };
        prefetch(self.payload, byte);
    }

    /// By how much the value of an entry is larger than that of the place, one move away.
    #[inline(always)]
    pub(crate) fn change<M: Mode>(&self, place: Placement, entry: usize) -> i32 {
        let h = place.value();
        if M::GENERAL && !self.one_bit {
            // Histogram are carried modulo 128; neighbours differ by much less.
            let apart = (i32::from(self.payload[entry]) - h) << (i32::BITS - VALUE_BITS);
            return apart >> (i32::BITS - VALUE_BITS);
        }
        let bit = i32::from(self.payload[entry >> 3] >> (entry & 7));
        // h + 1 and h - 1 differ in bit 1, so the bit tells which it is.
        let is_down = ((h + 1) >> 1 ^ bit) & 1;
        1 - 2 * is_down
    }
}

/// Asks the processor to bring a byte closer; a wish where it knows no such instruction.
#[inline(always)]
fn prefetch(payload: &[u8], index: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: nothing is read or written, and the instruction faults for no address at all.
    #[allow(unsafe_code)]
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch(payload.as_ptr().wrapping_add(index).cast(), _MM_HINT_T0);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (payload, index);
}

impl AnyBytes {
    /// Any bytes that stay the same.
    pub(crate) fn new(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        AnyBytes(Box::new(bytes))
    }
}
