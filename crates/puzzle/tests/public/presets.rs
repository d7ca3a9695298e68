//! Tests of the presets `best`, `fewest` and `small`: they exist for every goal, and their tables
//! have a limited size.

use puzzle::{
    Cell, CellSet, Goal, HeuristicSpec, PartitionError, PartitionPicture, Pattern, Ranking,
    Symmetry, TableId, Tray, factorial,
};

fn spec(name: &str, tray: Tray, blank: Cell) -> Result<HeuristicSpec, PartitionError> {
    HeuristicSpec::parse(name, &Goal::with_blank(tray, blank))
}

/// Size of a table's payload at one bit per entry, in bytes.
fn bytes(table: &TableId) -> u64 {
    let tiles = table.tiles().len();
    let rows = Ranking::count_rows(table.tray(), tiles, table.kind());
    (rows * u64::from(factorial(tiles))).div_ceil(8)
}

fn sorted(parts: &[Pattern], symmetry: Symmetry) -> Vec<Pattern> {
    let mut images: Vec<Pattern> = parts.iter().map(|p| p.map(symmetry)).collect();
    images.sort_unstable();
    images
}

const MIB: u64 = 1 << 20;

#[test]
fn words_cover_all_tiles_of_every_goal_within_their_size() -> Result<(), PartitionError> {
    for (name, size, max) in [
        ("best", "4x4", 400 * MIB),
        ("fewest", "4x4", 400 * MIB),
        ("small", "4x4", 12 * MIB),
        ("best", "5x5", 2304 * MIB),
    ] {
        let tray: Tray = size.parse().unwrap();
        for blank in tray.iter() {
            let spec = spec(name, tray, blank)?;
            assert!(spec.views().len() >= 4, "{name} {size} {blank:?}");
            for partition in spec.partitions() {
                let mut left = CellSet::all(tray).without(blank);
                for part in partition.patterns() {
                    assert_eq!(part.tiles().difference(left), CellSet::EMPTY);
                    left = left.difference(part.tiles());
                }
                assert!(left.is_empty(), "{name} {size} {blank:?}");
            }
            let sum: u64 = spec.tables().iter().map(bytes).sum();
            assert!(sum <= max, "{name} {size} {blank:?}: {sum} bytes");
            // No partition is an image of another partition: the views already contain all images.
            let kept = Symmetry::keeping(tray, blank);
            for symmetry in kept {
                let image = |parts: &[Pattern]| sorted(parts, symmetry);
                let partitions = spec.partitions().iter().enumerate();
                for (index, partition) in partitions {
                    let mut others = spec.partitions()[..index].iter();
                    let same = |other: &&puzzle::Partition| {
                        image(other.patterns()) == sorted(partition.patterns(), Symmetry::Identity)
                    };
                    assert_eq!(others.find(same), None, "{name} {size} {blank:?}");
                }
            }
        }
    }
    Ok(())
}

/// Searches use the move order of the preset files.
#[test]
fn the_orders_of_the_files_are_used() {
    for (name, text) in [
        ("best", include_str!("../../partitions/4x4-best.txt")),
        ("best", include_str!("../../partitions/5x5-best.txt")),
        ("fewest", include_str!("../../partitions/4x4-fewest.txt")),
        ("small", include_str!("../../partitions/4x4-small.txt")),
    ] {
        let mut seen = CellSet::EMPTY;
        for picture in PartitionPicture::parse_all(text).unwrap() {
            seen = seen.with(picture.blank);
            let spec = spec(name, picture.tray, picture.blank).unwrap();
            assert_eq!(Some(spec.order()), picture.order, "{picture}");
            // For another goal, the symmetry that maps the picture also maps its order.
            let opposite = Cell::new(picture.tray.cells() - 1 - picture.blank.index());
            let carried = self::spec(name, picture.tray, opposite).unwrap().order();
            let mut ways = Symmetry::of(picture.tray)
                .filter(|s| s.map(picture.tray, picture.blank) == opposite);
            assert!(ways.any(|s| spec.order().map(|d| s.map_direction(d)) == carried));
        }
        // If symmetries map blank cells to each other, the file has pictures for exactly one of
        // these cells.
        let kinds = if text.contains("24-puzzle") { 6 } else { 3 };
        assert_eq!(seen.len(), kinds);
    }
}

#[test]
fn words_without_pictures_mean_the_default() -> Result<(), PartitionError> {
    for (name, size, expected) in [
        ("best", "3x3", "8"),
        ("small", "3x3", "8"),
        ("best", "4x3", "6-5"),
        ("best", "5x4", "6-6-6-1"),
        ("best", "6x6", "6-6-6-6-6-5"),
        ("small", "6x6", "5-5-5-5-5-5-5"),
        ("best", "6x5", "6-6-6-6-5"),
        ("best", "8x5", "5-5-5-5-5-5-5-4"),
        ("small", "8x5", "4-4-4-4-4-4-4-4-4-3"),
        ("best", "13x5", "manhattan"),
        ("best", "1x5", "manhattan"),
    ] {
        let tray: Tray = size.parse().unwrap();
        for blank in tray.iter() {
            let found = spec(name, tray, blank)?;
            assert_eq!(found, spec(expected, tray, blank)?, "{name} {size}");
        }
    }
    Ok(())
}

#[test]
fn words_are_joined_like_other_names() -> Result<(), PartitionError> {
    let tray: Tray = "4x4".parse().unwrap();
    for blank in tray.iter() {
        let (best, other) = (spec("best", tray, blank)?, spec("6-6-3", tray, blank)?);
        let both = spec("best+6-6-3", tray, blank)?;
        let joined = [best.partitions(), other.partitions()].concat();
        assert_eq!(both.partitions(), joined);
        assert_eq!(both.order(), best.order());
    }
    Ok(())
}
