//! Partitions of a tray's tiles into parts of given sizes.

use puzzle::{CellSet, Symmetry, Tray, binomial};

/// The parts of a partition.
pub(crate) type Parts = Vec<CellSet>;

/// Sorts parts by size, largest first, and then by tiles. Two lists of the same parts are equal
/// after sorting.
pub(crate) fn sorted(mut parts: Parts) -> Parts {
    parts.sort_unstable_by_key(|part| (usize::MAX - part.len(), *part));
    parts
}

/// Number of ways to divide tiles into parts of these sizes (largest first). The result is a float,
/// because the number can exceed 64 bits.
pub(crate) fn count(sizes: &[usize]) -> f64 {
    let mut left: usize = sizes.iter().sum();
    let mut ways = 1.0;
    let mut equal = 0.0;
    for (index, &size) in sizes.iter().enumerate() {
        equal = match index > 0 && sizes[index - 1] == size {
            true => equal + 1.0,
            false => 1.0,
        };
        ways *= binomial(left, size) as f64 / equal;
        left -= size;
    }
    ways
}

/// All subsets of `tiles` with `size` members.
pub(crate) fn subsets(tiles: CellSet, size: usize) -> Vec<CellSet> {
    fn extend(rest: CellSet, size: usize, chosen: CellSet, found: &mut Vec<CellSet>) {
        if size == 0 {
            found.push(chosen);
        } else if let Some(tile) = rest.lowest().filter(|_| rest.len() >= size) {
            let rest = rest.without(tile);
            extend(rest, size - 1, chosen.with(tile), found);
            extend(rest, size, chosen, found);
        }
    }
    let mut found = Vec::new();
    extend(tiles, size, CellSet::EMPTY, &mut found);
    found
}

/// All partitions of `tiles` into parts of these sizes (largest first). Of partitions that are
/// images of each other under `symmetries`, one is returned.
pub(crate) fn partitions(
    tray: Tray,
    tiles: CellSet,
    sizes: &[usize],
    symmetries: &[Symmetry],
) -> Vec<Parts> {
    let mut found = Vec::new();
    fill(tiles, sizes, &mut Vec::new(), &mut |parts| {
        let parts = sorted(parts.to_vec());
        let mut images = symmetries
            .iter()
            .map(|&symmetry| image(&parts, symmetry, tray));
        if images.all(|image| parts <= image) {
            found.push(parts);
        }
    });
    found
}

fn fill(rest: CellSet, sizes: &[usize], parts: &mut Parts, found: &mut impl FnMut(&Parts)) {
    let Some((&size, later)) = sizes.split_first() else {
        return found(parts);
    };
    let last = parts.last().copied();
    for part in subsets(rest, size) {
        // Parts of equal size are sorted by their lowest tiles.
        let is_later = |last: CellSet| last.len() != size || last.lowest() < part.lowest();
        if last.is_none_or(is_later) {
            parts.push(part);
            fill(rest.difference(part), later, parts, found);
            parts.pop();
        }
    }
}

/// A partition's image.
pub(crate) fn image(parts: &Parts, symmetry: Symmetry, tray: Tray) -> Parts {
    sorted(parts.iter().map(|part| part.map(symmetry, tray)).collect())
}

/// All partitions that result from `parts` if two parts exchange one tile each.
pub(crate) fn neighbours(parts: &Parts) -> Vec<Parts> {
    let mut found = Vec::new();
    for (first, a) in parts.iter().enumerate() {
        for (second, b) in parts.iter().enumerate().skip(first + 1) {
            for left in a.iter() {
                for right in b.iter() {
                    let mut parts = parts.clone();
                    parts[first] = a.without(left).with(right);
                    parts[second] = b.without(right).with(left);
                    found.push(sorted(parts));
                }
            }
        }
    }
    found
}

/// The views of a heuristic: the partitions of a set and all their images, without duplicates.
pub(crate) fn views(set: &[Parts], symmetries: &[Symmetry], tray: Tray) -> Vec<Parts> {
    let mut views: Vec<Parts> = Vec::new();
    for &symmetry in symmetries {
        for parts in set {
            let image = image(parts, symmetry, tray);
            if !views.contains(&image) {
                views.push(image);
            }
        }
    }
    views
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partitions_are_found_once() {
        let tray = Tray::new(3, 3).unwrap();
        let tiles = CellSet::all(tray).without(puzzle::Cell::new(0));
        for sizes in [&[8][..], &[5, 3], &[4, 4], &[3, 3, 2], &[2, 2, 2, 2]] {
            let all = partitions(tray, tiles, sizes, &[]);
            assert_eq!(all.len() as f64, count(sizes));
            for parts in &all {
                assert!(
                    parts
                        .iter()
                        .map(|part| part.len())
                        .eq(sizes.iter().copied())
                );
                let together = parts.iter().copied().fold(CellSet::EMPTY, CellSet::union);
                assert_eq!(together, tiles);
            }
            let mut once = all.clone();
            once.sort();
            once.dedup();
            assert_eq!(once.len(), all.len());
            // With the reflection, one partition of each pair of images is kept. A partition that
            // is its own image is always kept.
            let reflections = [Symmetry::Identity, Symmetry::Transpose];
            let kept = partitions(tray, tiles, sizes, &reflections);
            let own = all.iter().filter(|p| image(p, reflections[1], tray) == **p);
            assert_eq!(2 * kept.len(), all.len() + own.count());
        }
    }

    #[test]
    fn neighbours_keep_the_sizes() {
        let cells = |bits| CellSet::from_bits(bits);
        let near = neighbours(&vec![cells(0b0_1110), cells(0b11_0000)]);
        assert_eq!(near.len(), 6);
        assert!(near.contains(&vec![cells(0b1_0110), cells(0b10_1000)]));
    }
}
