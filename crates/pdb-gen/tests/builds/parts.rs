//! Sweeps divided among parts, without a network, produce the same bytes as a single sweep.

use pdb_gen::{PartSweep, ShapePartition, build};

use pdb_table::{Control, Encoding, Histogram};
use puzzle::{Cell, CellSet, Pattern, TableId, TableKind, Tray};

fn table(tray: Tray, tiles: CellSet, blank: usize, kind: TableKind) -> TableId {
    let pattern = Pattern::new(tray, tiles, Cell::new(blank)).unwrap();
    pattern.table(kind).0
}

/// Sweeps all parts in turn. After the level `saved`, all parts are saved and restored into new
/// parts.
fn sweep(id: TableId, parts: usize, saved: Option<u8>) -> (Histogram, Vec<u8>) {
    let new = |part| PartSweep::new(id, parts, part).unwrap();
    let mut all: Vec<PartSweep> = (0..parts).map(new).collect();
    let mut histogram = Histogram::default();
    histogram.add(0, all.iter().map(PartSweep::new_entries).sum());
    let entries = all.iter().map(PartSweep::own_entries).sum::<u64>();
    assert_eq!(entries, all[0].entries());
    loop {
        let mut blocks = Vec::new();
        for (from, part) in all.iter_mut().enumerate() {
            part.begin_level();
            let mut send = |to, block| blocks.push((from, to, block));
            while part.send(1 << 10, &mut send) {}
        }
        // Half of the blocks are received before the first call of `pull`.
        let (early, late) = blocks.split_at(blocks.len() / 2);
        let deliver = |all: &mut Vec<PartSweep>, blocks: &[(usize, usize, Vec<u8>)]| {
            for (from, to, block) in blocks {
                all[*to].receive(*from, block).unwrap();
            }
        };
        deliver(&mut all, early);
        // The second half is received between calls of `pull` and, if blocks are left, after the
        // last call.
        let mut late = late.iter();
        for part in 0..all.len() {
            while all[part].pull(1 << 10) {
                if let Some((from, to, block)) = late.next() {
                    all[*to].receive(*from, block).unwrap();
                }
            }
        }
        let late: Vec<_> = late.cloned().collect();
        deliver(&mut all, &late);
        let level = all[0].level();
        let found = all.iter().map(PartSweep::new_entries).sum();
        if found == 0 {
            break;
        }
        histogram.add(level, found);
        if saved == Some(level) {
            let mut total = 0;
            for (index, part) in all.iter_mut().enumerate() {
                let mut bytes = Vec::new();
                part.save(&mut bytes).unwrap();
                assert_eq!(bytes.len() as u64, part.saved_bytes());
                *part = new(index);
                total += part.restore(level, &mut &bytes[..]).unwrap();
                if !bytes.is_empty() {
                    assert!(part.restore(level, &mut &bytes[1..]).is_err());
                }
                part.restore(level, &mut &bytes[..]).unwrap();
            }
            assert_eq!(total, histogram.total());
        }
    }
    let header = all[0].header(&histogram, [0; 32]);
    let mut payload = vec![0; header.payload_length() as usize];
    let mut written = 0;
    for part in &mut all {
        part.finish();
        let mut last = 0;
        let rows = part.each_row(|at, row| {
            assert!(at == 0 || at > last);
            last = at;
            written += row.len();
            payload[at as usize..][..row.len()].copy_from_slice(row);
            Ok::<(), ()>(())
        });
        rows.unwrap();
    }
    assert_eq!(written, payload.len());
    (histogram, payload)
}

fn check(id: TableId, parts: usize, saved: Option<u8>) {
    let built = build(id, Encoding::OneBit, &Control::default()).unwrap();
    let mut expected = Vec::new();
    built.write_payload(&mut expected).unwrap();
    let (histogram, payload) = sweep(id, parts, saved);
    assert!(payload == expected, "{} in {parts} parts", id.name());
    assert_eq!(histogram, built.header([0; 32]).histogram);
}

#[test]
fn all_patterns_of_3x3_in_any_number_of_parts() {
    let tray: Tray = "3x3".parse().unwrap();
    for (index, bits) in (1_u64..256).enumerate() {
        let tiles = CellSet::from_bits(bits);
        let id = table(tray, tiles, 8, TableKind::ZeroAware);
        check(id, 1 + index % 7, (index % 3 == 0).then_some(5));
    }
}

#[cfg_attr(
    not(feature = "long-tests"),
    ignore = "long set: cargo test --features long-tests"
)]
#[test]
fn other_trays() {
    for (size, tiles, blank, parts) in [
        ("2x2", &[0, 1, 2][..], 3, 2),
        ("2x5", &[1, 2, 4, 5, 9], 0, 3),
        ("4x4", &[8, 9, 10, 12, 13, 14], 0, 4),
        ("4x4", &[1, 4, 5, 6, 8, 9], 0, 7),
        ("4x4", &[0, 1, 4, 5, 6], 15, 64),
        ("5x5", &[1, 2, 5, 6], 0, 5),
        ("6x6", &[1, 2, 7, 8], 0, 2),
    ] {
        let tiles = tiles.iter().map(|&tile| Cell::new(tile)).collect();
        let id = table(size.parse().unwrap(), tiles, blank, TableKind::ZeroAware);
        for saved in [None, Some(1), Some(20)] {
            check(id, parts, saved);
        }
    }
}

#[test]
fn other_kinds_are_rejected_in_parts() {
    let tray: Tray = "3x3".parse().unwrap();
    for kind in TableKind::ALL {
        let id = table(tray, CellSet::from_bits(0b1_1110), 8, kind);
        let refused = PartSweep::new(id, 2, 0)
            .err()
            .map(|error| error.to_string());
        match kind {
            TableKind::ZeroAware => assert_eq!(refused, None),
            _ => assert!(refused.unwrap().contains("use pdb-gen"), "{kind}"),
        }
    }
}

#[test]
fn damaged_blocks_are_rejected() {
    let tray: Tray = "4x4".parse().unwrap();
    let tiles = [1, 4, 5, 6, 8].map(Cell::new).into_iter().collect();
    let id = table(tray, tiles, 0, TableKind::ZeroAware);
    assert_eq!(ShapePartition::new(tray, 5, 2).parts(), 2);
    for change in 0..if cfg!(feature = "long-tests") {
        100
    } else {
        40
    } {
        let mut parts = [0, 1].map(|part| PartSweep::new(id, 2, part).unwrap());
        for _ in 0..12 {
            let mut blocks = Vec::new();
            for (from, part) in parts.iter_mut().enumerate() {
                part.begin_level();
                while part.send(1 << 10, &mut |to, block| blocks.push((from, to, block))) {}
                while part.pull(1 << 10) {}
            }
            for (from, to, block) in blocks {
                parts[to].receive(from, &block).unwrap();
                // The result is arbitrary, but there is no panic.
                let mut damaged = block.clone();
                let at = change * 31 % damaged.len();
                damaged[at] ^= 1 << (change % 8);
                damaged.truncate(damaged.len() - change % 3 % damaged.len());
                let mut other = PartSweep::new(id, 2, to).unwrap();
                (1..=parts[to].level()).for_each(|_| other.begin_level());
                let _ = other.receive(from, &damaged);
            }
        }
        assert!(parts[0].receive(7, &[13]).is_err() && parts[0].receive(1, &[]).is_err());
    }
}

/// Sweeps the only part of a table until the level `last` is finished, or to the end.
fn sweep_alone(part: &mut PartSweep, last: Option<u8>) {
    while last.is_none_or(|last| part.level() < last) {
        part.begin_level();
        while part.send(1 << 10, &mut |_, _| panic!("there is no other part")) {}
        while part.pull(1 << 10) {}
        if part.new_entries() == 0 {
            break;
        }
    }
}

fn saved(part: &mut PartSweep) -> Vec<u8> {
    let mut bytes = Vec::new();
    part.save(&mut bytes).unwrap();
    bytes
}

fn six_tiles() -> TableId {
    let tiles = [0, 1, 2, 4, 5, 6].map(Cell::new).into_iter().collect();
    table("4x3".parse().unwrap(), tiles, 11, TableKind::ZeroAware)
}

#[test]
fn a_part_can_restore_an_earlier_level() {
    let mut part = PartSweep::new(six_tiles(), 1, 0).unwrap();
    sweep_alone(&mut part, Some(4));
    let early = saved(&mut part);
    sweep_alone(&mut part, None);
    let late = saved(&mut part);
    // Some rows that are complete now were not yet reached at level 4, so `restore` must clear
    // them.
    part.restore(4, &mut &early[..]).unwrap();
    assert!(saved(&mut part) == early);
    sweep_alone(&mut part, None);
    assert!(saved(&mut part) == late);
}

#[test]
fn impossible_row_states_are_rejected() {
    let mut part = PartSweep::new(six_tiles(), 1, 0).unwrap();
    sweep_alone(&mut part, Some(4));
    let bytes = saved(&mut part);
    part.restore(4, &mut &bytes[..]).unwrap();
    // A row state consists of two numbers: frontier entries and visited entries. Rows have 720
    // entries.
    let state = |at: usize| {
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        [number(8 * at), number(8 * at + 4)]
    };
    let row = (0..).find(|&at| state(at)[1] > 1).unwrap();
    let [frontier, found] = state(row);
    for changed in [
        [found + 1, found],
        [frontier, 721],
        [frontier + 1, found],
        [frontier, found + 1],
        [frontier, 0],
    ] {
        let mut bytes = bytes.clone();
        bytes.extend([0; 4096]);
        for (at, number) in bytes[8 * row..].chunks_exact_mut(4).zip(changed) {
            at.copy_from_slice(&u32::to_le_bytes(number));
        }
        let refused = part.restore(4, &mut &bytes[..]).unwrap_err();
        assert_eq!(
            refused.kind(),
            std::io::ErrorKind::InvalidData,
            "{changed:?}"
        );
    }
}
