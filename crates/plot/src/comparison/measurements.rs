//! Measurements grouped by an integer, such as nodes by the length of the solution.

use std::cmp::Ordering;

/// Pairs of an integer and a measurement, sorted.
pub(super) fn in_order(points: impl Iterator<Item = (u64, f64)>) -> Vec<(u64, f64)> {
    // All callers share one compiled sort. Each further sort would add kilobytes to the page's
    // WebAssembly module.
    fn compare(one: &(u64, f64), other: &(u64, f64)) -> Ordering {
        one.0.cmp(&other.0).then(one.1.total_cmp(&other.1))
    }
    let mut points: Vec<_> = points.collect();
    points.sort_unstable_by(compare);
    points
}

/// Groups sorted pairs that have the same integer, and applies `number` to each group.
pub(super) fn by_first(points: &[(u64, f64)], number: fn(&[(u64, f64)]) -> f64) -> Vec<(f64, f64)> {
    let parts = points.chunk_by(|one, other| one.0 == other.0);
    parts.map(|part| (part[0].0 as f64, number(part))).collect()
}

/// Median of the measurements of a sorted group; the lower one if two measurements are in the
/// middle.
pub(super) fn median(sorted: &[(u64, f64)]) -> f64 {
    sorted[(sorted.len() - 1) / 2].1
}

pub(super) fn mean(points: &[(u64, f64)]) -> f64 {
    let sum: f64 = points.iter().map(|point| point.1).sum();
    sum / points.len() as f64
}
