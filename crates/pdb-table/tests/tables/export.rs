//! Every byte and line of exports, compared with a straightforward reading of the table.

use crate::statistics::{UNREACHABLE, cells, table};
use pdb_table::{Encoding, Export, ExportError, ExportFormat, Table, TableError};
use puzzle::{Cell, Goal, Pattern, PatternError, Ranking, Symmetry, TableId, TableKind};

/// Options of an export, and a table with arbitrary values.
struct Example {
    goal: Goal,
    tiles: Vec<Cell>,
    id: TableId,
    symmetry: Symmetry,
    table: Table<Vec<u8>>,
    ranking: Ranking,
}

impl Example {
    fn new(goal: &str, tiles: &[usize], kind: TableKind) -> Self {
        let goal: Goal = goal.parse().unwrap();
        let pattern = Pattern::new(goal.tray(), cells(tiles), goal.blank()).unwrap();
        let (id, symmetry) = pattern.table(kind);
        let ranking = Ranking::new(goal.tray(), tiles.len(), kind);
        let values: Vec<u8> = (0..ranking.entries())
            .map(|entry| (entry * 7919 % 251) as u8)
            .map(|value| if value < 20 { UNREACHABLE } else { value })
            .collect();
        Example {
            goal,
            tiles: tiles.iter().map(|&tile| Cell::new(tile)).collect(),
            id,
            symmetry,
            table: table(id, Encoding::U8, &values),
            ranking,
        }
    }

    /// The value of the position in which the tiles, in the requested order, are on the cells
    /// `places`, and the blank is on `blank`.
    fn value(&self, places: &[Cell], blank: Cell) -> u8 {
        let turned = |cell| self.symmetry.map(self.goal.tray(), cell);
        let place = |tile: Cell| {
            let number = self.tiles.iter().position(|&t| turned(t) == tile);
            turned(places[number.unwrap()])
        };
        let (row, rank) = self.ranking.locate(self.id.tiles(), turned(blank), place);
        let entry = row * self.ranking.row_entries() + rank as usize;
        self.table.payload()[entry]
    }

    fn has_blank(&self) -> bool {
        self.id.kind() != TableKind::BlankCompressed
    }

    fn array(&self) -> Vec<u8> {
        let cells: Vec<Cell> = self.goal.tray().iter().collect();
        let axes = self.tiles.len() + usize::from(self.has_blank());
        let mut bytes = Vec::new();
        for number in 0..cells.len().pow(axes as u32) {
            let digit = |axis: usize| number / cells.len().pow((axes - 1 - axis) as u32);
            let place: Vec<Cell> = (0..axes).map(|a| cells[digit(a) % cells.len()]).collect();
            let twice = (0..axes).any(|axis| place[..axis].contains(&place[axis]));
            let (places, blank) = place.split_at(self.tiles.len());
            let any = || *cells.iter().find(|cell| !places.contains(cell)).unwrap();
            bytes.push(match twice {
                true => UNREACHABLE,
                false => self.value(places, blank.first().copied().unwrap_or_else(any)),
            });
        }
        bytes
    }

    /// All entries in the goal's orientation, ordered by row and permutation. An element contains
    /// the cells of the tiles in the requested order, the cells of the blank, and the value.
    fn entries(&self) -> Vec<(Vec<Cell>, Vec<Cell>, u8)> {
        let mut ascending = self.tiles.clone();
        ascending.sort_unstable();
        let mut entries = Vec::new();
        for row in 0..self.ranking.rows() {
            let (shape, blanks) = self.ranking.row_shape(row);
            let shape: Vec<Cell> = shape.iter().collect();
            for rank in 0..self.ranking.row_entries() as u32 {
                let mut order = vec![0; shape.len()];
                puzzle::unrank_permutation(rank, &mut order);
                let place = |tile: &Cell| {
                    let number = ascending.iter().position(|t| t == tile).unwrap();
                    let position = order.iter().position(|&n| usize::from(n) == number);
                    shape[position.unwrap()]
                };
                let places: Vec<Cell> = self.tiles.iter().map(place).collect();
                let value = self.value(&places, blanks.lowest().unwrap());
                entries.push((places, blanks.iter().collect(), value));
            }
        }
        entries
    }

    fn csv(&self) -> String {
        let mut text = String::new();
        for &tile in &self.tiles {
            text += &format!("tile{},", self.goal.number_at(tile));
        }
        text += if self.has_blank() {
            "blank,value\n"
        } else {
            "value\n"
        };
        for (places, blanks, value) in self.entries() {
            for place in places {
                text += &format!("{place},");
            }
            if self.has_blank() {
                let blanks: Vec<String> = blanks.iter().map(ToString::to_string).collect();
                text += &format!("{},", blanks.join(" "));
            }
            if value != UNREACHABLE {
                text += &value.to_string();
            }
            text.push('\n');
        }
        text
    }

    fn export(&self, format: ExportFormat) -> Result<Vec<u8>, ExportError> {
        let (goal, tiles) = (self.goal.clone(), self.tiles.clone());
        let export = Export::new(format, self.id.kind(), goal, tiles)?;
        assert_eq!((export.id(), export.format()), (self.id, format));
        assert_eq!(export.tiles(), self.tiles);
        let axes = self.tiles.len() + usize::from(self.has_blank());
        assert_eq!(export.axes(), vec![self.goal.tray().cells(); axes]);
        let mut bytes = Vec::new();
        export.write(&self.table, &mut bytes)?;
        match format {
            ExportFormat::Csv => assert_eq!(export.length(), None),
            _ => assert_eq!(export.length(), Some(bytes.len() as u64)),
        }
        Ok(bytes)
    }
}

#[test]
fn exports_equal_a_straightforward_reading() {
    for (goal, tiles) in [
        ("0 1 2/3 4 5/6 7 8", &[1, 2][..]),
        ("1 2 3/4 5 6/7 8 0", &[7, 0, 5]),
        ("1 2 3/8 0 4/7 6 5", &[2, 1]),
        ("1 2 3 0/4 5 6 7", &[4, 2]),
        ("3 1/0 2/5 4", &[5]),
        ("2 1/3 0", &[0, 2, 1]),
    ] {
        for kind in TableKind::ALL {
            let example = Example::new(goal, tiles, kind);
            let npy = example.export(ExportFormat::Npy).unwrap();
            let array = example.array();
            assert!(npy.ends_with(&array), "{goal} {kind}");
            let shape: Vec<String> = (0..tiles.len() + usize::from(example.has_blank()))
                .map(|_| format!("{},", example.goal.tray().cells()))
                .collect();
            let start = format!(
                "{{'descr': '|u1', 'fortran_order': False, 'shape': ({}), }}",
                shape.join(" ")
            );
            let head = &npy[..npy.len() - array.len()];
            assert_eq!(
                (head.len() % 64, head.len() / 64),
                (0, (10 + start.len()) / 64 + 1)
            );
            assert_eq!(head[..8], *b"\x93NUMPY\x01\x00");
            assert_eq!(
                usize::from(u16::from_le_bytes([head[8], head[9]])),
                head.len() - 10
            );
            let text = std::str::from_utf8(&head[10..]).unwrap();
            assert_eq!(text.trim_end(), start);
            assert!(text.ends_with('\n') && text.trim_end_matches('\n').len() + 1 == text.len());
            match example.export(ExportFormat::Dense) {
                Ok(dense) => assert!(!example.has_blank() && dense == array),
                Err(error) => assert!(
                    matches!(error, ExportError::Blank(of) if of == kind && example.has_blank())
                ),
            }
            let ranked: Vec<u8> = example.entries().iter().map(|entry| entry.2).collect();
            assert!(example.export(ExportFormat::Ranked).unwrap() == ranked);
            let csv = example.export(ExportFormat::Csv).unwrap();
            assert_eq!(String::from_utf8(csv).unwrap(), example.csv());
        }
    }
}

#[test]
fn impossible_exports_are_rejected() {
    let goal = |size: &str| Goal::blank_last(size.parse().unwrap());
    let new = |format, kind, size, tiles: &[usize]| {
        let tiles = tiles.iter().map(|&tile| Cell::new(tile)).collect();
        Export::new(format, kind, goal(size), tiles).map(|export| export.length())
    };
    let (bytes, kind) = (ExportFormat::Dense, TableKind::BlankCompressed);
    assert!(matches!(
        new(bytes, kind, "3x3", &[1, 2, 1]),
        Err(ExportError::Twice(cell)) if cell == Cell::new(1)
    ));
    assert!(matches!(
        new(bytes, kind, "3x3", &[1, 9]),
        Err(ExportError::Pattern(PatternError::Outside { .. }))
    ));
    assert!(matches!(
        new(bytes, kind, "3x3", &[8]),
        Err(ExportError::Pattern(PatternError::Blank))
    ));
    assert!(matches!(
        new(bytes, kind, "9x1", &[1]),
        Err(ExportError::Pattern(_))
    ));
    // 25^7 bytes are less than 16 GiB, and 25^8 bytes are more. The size of `npy` includes the 128
    // bytes of its header.
    assert_eq!(
        new(bytes, kind, "5x5", &[0, 1, 2, 3, 4, 5, 6]).unwrap(),
        Some(25_u64.pow(7))
    );
    let eight = [0, 1, 2, 3, 4, 5, 6, 7];
    assert!(matches!(
        new(bytes, kind, "5x5", &eight),
        Err(ExportError::Bytes { format: ExportFormat::Dense, length }) if length == 25_u64.pow(8)
    ));
    let npy = new(ExportFormat::Npy, kind, "5x5", &eight)
        .unwrap_err()
        .to_string();
    assert_eq!(npy, "npy would have 143 GiB, more than 16 GiB");
    let six = &eight[..6];
    assert!(matches!(new(ExportFormat::Csv, kind, "4x4", six), Ok(None)));
    assert!(matches!(
        new(ExportFormat::Csv, TableKind::ZeroAware, "4x4", six),
        Err(ExportError::Lines { lines: 11_816_640 })
    ));
    let ranked = new(ExportFormat::Ranked, TableKind::ZeroAware, "4x4", six).unwrap();
    assert_eq!(ranked, Some(11_816_640));

    let example = Example::new("1 2 3/4 5 6/7 8 0", &[0, 1], TableKind::ZeroAware);
    let values = crate::statistics::values(example.id);
    let bits = table(example.id, Encoding::OneBit, &values);
    let export = |tiles: &[usize]| {
        let tiles = tiles.iter().map(|&tile| Cell::new(tile)).collect();
        Export::new(
            ExportFormat::Ranked,
            TableKind::ZeroAware,
            example.goal.clone(),
            tiles,
        )
        .unwrap()
    };
    let error = export(&[0, 1]).write(&bits, &mut Vec::new()).unwrap_err();
    assert!(matches!(error, ExportError::Encoding(Encoding::OneBit)));
    let error = export(&[0, 4]).write(&bits, &mut Vec::new()).unwrap_err();
    assert!(matches!(
        error,
        ExportError::Table(TableError::WrongTable { .. })
    ));
}
