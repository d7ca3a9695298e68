//! Compares every byte and line of small exports with a plain search in the goal's orientation.

use pdb_gen::build;
use pdb_table::{Control, Encoding, Export, ExportError, ExportFormat};
use puzzle::{Board, Cell, CellSet, Goal, Ranking, TableKind, Tray, unrank_permutation};

use crate::proof::Reference;

fn exported(
    format: ExportFormat,
    kind: TableKind,
    goal: &Goal,
    tiles: &[usize],
) -> Result<Vec<u8>, ExportError> {
    let tiles = tiles.iter().map(|&tile| Cell::new(tile)).collect();
    let export = Export::new(format, kind, goal.clone(), tiles)?;
    let table = build(export.id(), Encoding::U8, &Control::default()).unwrap();
    let mut bytes = Vec::new();
    export.write(&table.into_table(), &mut bytes)?;
    let foretold = export.length().unwrap_or(bytes.len() as u64);
    assert_eq!(bytes.len() as u64, foretold);
    Ok(bytes)
}

/// Expected values, from a plain search.
struct Oracle {
    tray: Tray,
    kind: TableKind,
    reference: Reference,
}

impl Oracle {
    fn new(kind: TableKind, goal: &Goal, tiles: &[usize]) -> Self {
        let home = [tiles, &[goal.blank().index()]].concat();
        Oracle {
            tray: goal.tray(),
            kind,
            reference: Reference::new(goal.tray(), &home, u8::from(kind == TableKind::FullCost)),
        }
    }

    /// Smallest distance of the placements with the tiles on `cells` and the blank on one of
    /// `blanks`.
    fn value(&self, cells: &[usize], blanks: impl IntoIterator<Item = usize>) -> u8 {
        let at = |blank| self.reference.distance(&[cells, &[blank]].concat());
        blanks.into_iter().map(at).min().unwrap()
    }

    /// The expected array, in lexicographic order of the cells of the tiles and then of the blank.
    fn array(&self, tiles: usize) -> Vec<u8> {
        let cells = self.tray.cells();
        let has_blank = self.kind != TableKind::BlankCompressed;
        let axes = tiles + usize::from(has_blank);
        let mut bytes = Vec::new();
        for number in 0..cells.pow(axes as u32) {
            let digit = |axis: usize| number / cells.pow((axes - 1 - axis) as u32) % cells;
            let place: Vec<usize> = (0..axes).map(digit).collect();
            let twice = (0..axes).any(|axis| place[..axis].contains(&place[axis]));
            bytes.push(match (twice, has_blank) {
                (true, _) => 255,
                (_, true) => self.value(&place[..tiles], [place[tiles]]),
                (_, false) => {
                    let free = (0..cells).filter(|cell| !place.contains(cell));
                    self.value(&place, free)
                }
            });
        }
        bytes
    }
}

/// For each entry, the cells of the tiles, in the order of `tiles`, and the blank's cells. The
/// entries are in the order of docs/ranking.md, in the goal's orientation.
fn entries(tray: Tray, kind: TableKind, tiles: &[usize]) -> Vec<(Vec<usize>, Vec<usize>)> {
    let mut ascending = tiles.to_vec();
    ascending.sort_unstable();
    let ranking = Ranking::new(tray, tiles.len(), kind);
    let mut entries = Vec::new();
    for row in 0..ranking.rows() {
        let (shape, blanks) = ranking.row_shape(row);
        let shape: Vec<usize> = shape.iter().map(Cell::index).collect();
        let blanks: Vec<usize> = blanks.iter().map(Cell::index).collect();
        for rank in 0..ranking.row_entries() as u32 {
            let mut order = vec![0; tiles.len()];
            unrank_permutation(rank, &mut order);
            let cell = |tile: &usize| {
                let number = ascending.iter().position(|t| t == tile).unwrap();
                shape[order
                    .iter()
                    .position(|&n| usize::from(n) == number)
                    .unwrap()]
            };
            entries.push((tiles.iter().map(cell).collect(), blanks.clone()));
        }
    }
    entries
}

/// Checks all formats for all kinds. `tiles` are goal cells, in any order.
fn check(goal: &Goal, tiles: &[usize]) {
    let tray = goal.tray();
    for kind in TableKind::ALL
        .into_iter()
        .filter(|&k| k != TableKind::MultiTile)
    {
        let oracle = Oracle::new(kind, goal, tiles);
        let name = format!("{tray} {tiles:?} {kind}");

        let array = oracle.array(tiles.len());
        let npy = exported(ExportFormat::Npy, kind, goal, tiles).unwrap();
        let start = npy.len() - array.len();
        assert!(npy[start..] == array, "{name}");
        assert_eq!((&npy[..8], start % 64), (&b"\x93NUMPY\x01\x00"[..], 0));
        assert_eq!(usize::from(npy[8]) + 256 * usize::from(npy[9]), start - 10);
        let axes = tiles.len() + usize::from(kind != TableKind::BlankCompressed);
        let shape = vec![format!("{},", tray.cells()); axes].join(" ");
        let words = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({shape}), }}");
        let header = std::str::from_utf8(&npy[10..start]).unwrap();
        assert!(header.starts_with(&words) && header.ends_with('\n'));
        let dense = exported(ExportFormat::Dense, kind, goal, tiles);
        match kind {
            TableKind::BlankCompressed => assert!(dense.unwrap() == array, "{name}"),
            _ => assert!(matches!(dense, Err(ExportError::Blank(_))), "{name}"),
        }

        let entries = entries(tray, kind, tiles);
        let values: Vec<u8> = entries
            .iter()
            .map(|(cells, blanks)| oracle.value(cells, blanks.iter().copied()))
            .collect();
        let ranked = exported(ExportFormat::Ranked, kind, goal, tiles).unwrap();
        assert!(ranked == values, "{name}");

        let mut lines = vec![String::new()];
        for &tile in tiles {
            let number = goal.number_at(Cell::new(tile));
            lines[0].push_str(&format!("tile{number},"));
        }
        let has_blank = kind != TableKind::BlankCompressed;
        lines[0].push_str(if has_blank { "blank,value" } else { "value" });
        for ((cells, blanks), value) in entries.iter().zip(values) {
            let mut words: Vec<String> = cells.iter().map(ToString::to_string).collect();
            let blanks: Vec<String> = blanks.iter().map(ToString::to_string).collect();
            words.extend(has_blank.then(|| blanks.join(" ")));
            words.push(if value == 255 {
                String::new()
            } else {
                value.to_string()
            });
            lines.push(words.join(","));
        }
        let csv = exported(ExportFormat::Csv, kind, goal, tiles).unwrap();
        assert_eq!(String::from_utf8(csv).unwrap(), lines.join("\n") + "\n");
    }
}

/// The standard goal with the blank on a given cell.
fn goal(size: &str, blank: usize) -> Goal {
    Goal::with_blank(size.parse().unwrap(), Cell::new(blank))
}

#[test]
fn every_pattern_of_the_2x2_in_every_order() {
    for blank in 0..4 {
        let goal = goal("2x2", blank);
        for number in 0..64 {
            let tiles = [number % 4, number / 4 % 4, number / 16];
            for count in 1..=3 {
                let listed: CellSet = tiles[..count].iter().map(|&t| Cell::new(t)).collect();
                if listed.len() == count && !listed.contains(goal.blank()) {
                    check(&goal, &tiles[..count]);
                }
            }
        }
    }
}

#[test]
fn patterns_of_other_trays_in_any_order_and_orientation() {
    for (size, blank, tiles) in [
        ("3x3", 8, &[0, 1, 2][..]),
        ("3x3", 8, &[7, 5, 6, 4]),
        ("3x3", 1, &[8, 3, 0]),
        ("3x3", 4, &[2, 8, 5]),
        ("3x3", 8, &[6, 0, 3, 1, 2]),
        ("3x2", 5, &[4, 0, 3, 1]),
        // Half of the entries are unreachable.
        ("3x2", 3, &[5, 0, 2, 4, 1]),
        ("4x3", 6, &[11, 2, 7]),
        ("3x4", 6, &[11, 9, 3]),
        ("4x4", 6, &[15, 9, 12]),
        ("5x5", 24, &[23, 4]),
        ("5x5", 7, &[11]),
    ] {
        check(&goal(size, blank), tiles);
    }
}

/// The columns of a list are named after the numbers on the goal's tiles.
#[test]
fn columns_are_named_after_the_goals_numbers() {
    let board = Board::parse("8 7 6/5 0 4/3 2 1", None).unwrap();
    let goal = Goal::new(board);
    check(&goal, &[8, 1, 3]);
    let csv = exported(ExportFormat::Csv, TableKind::FullCost, &goal, &[8, 1, 3]).unwrap();
    assert!(csv.starts_with(b"tile1,tile7,tile5,blank,value\n"));
}

#[test]
fn impossible_exports_are_rejected_with_a_reason() {
    let (first, large) = (goal("4x4", 0), goal("5x5", 0));
    let refused = |format, kind, goal: &Goal, tiles: &[usize]| {
        let tiles = tiles.iter().map(|&tile| Cell::new(tile)).collect();
        let refused = Export::new(format, kind, goal.clone(), tiles);
        refused.unwrap_err().to_string()
    };
    let (dense, npy, csv) = (ExportFormat::Dense, ExportFormat::Npy, ExportFormat::Csv);
    let (zero_aware, compressed) = (TableKind::ZeroAware, TableKind::BlankCompressed);
    assert!(refused(dense, zero_aware, &first, &[1]).contains("zero-aware"));
    assert!(refused(dense, TableKind::FullCost, &first, &[1]).contains("full"));
    assert!(refused(npy, zero_aware, &first, &[1, 2, 1]).contains("listed twice"));
    assert!(refused(npy, zero_aware, &first, &[0]).contains("blank"));
    assert!(refused(npy, zero_aware, &first, &[16]).contains("16"));
    assert!(refused(npy, zero_aware, &first, &[40]).contains("40"));
    assert!(refused(npy, zero_aware, &first, &[]).contains("1 to 12 tiles, not 0"));
    // The array of 16^9 bytes and its header are larger than 64 GiB, and the array of 25^8 bytes is
    // larger than 142 GiB. The `csv` list of six tiles has 11,816,640 lines.
    let eight = [1, 2, 3, 4, 5, 6, 7, 8];
    assert!(refused(npy, zero_aware, &first, &eight).contains("65 GiB"));
    assert!(refused(dense, compressed, &large, &eight).contains("143 GiB"));
    assert!(refused(csv, zero_aware, &first, &eight[..6]).contains("11816640 lines"));
    let allowed = |format, kind, goal: &Goal, count: usize| {
        let tiles = eight[..count].iter().map(|&tile| Cell::new(tile)).collect();
        Export::new(format, kind, goal.clone(), tiles).unwrap()
    };
    allowed(dense, compressed, &first, 8);
    allowed(csv, compressed, &first, 6);
    allowed(ExportFormat::Ranked, zero_aware, &large, 8);
}

#[test]
fn exports_reject_other_tables_and_encodings() {
    let export = |kind, blank| {
        let tiles = vec![Cell::new(0), Cell::new(1)];
        Export::new(ExportFormat::Ranked, kind, goal("3x3", blank), tiles).unwrap()
    };
    let written = |export: &Export, id, encoding| {
        let table = build(id, encoding, &Control::default())
            .unwrap()
            .into_table();
        export.write(&table, &mut Vec::new())
    };
    let asked = export(TableKind::ZeroAware, 8);
    assert!(written(&asked, asked.id(), Encoding::U8).is_ok());
    let error = written(&asked, asked.id(), Encoding::OneBit);
    assert!(matches!(error, Err(ExportError::Encoding(_))));
    for other in [
        export(TableKind::FullCost, 8),
        export(TableKind::BlankCompressed, 8),
    ] {
        let error = written(&asked, other.id(), Encoding::U8);
        assert!(matches!(error, Err(ExportError::Table(_))));
    }
}
