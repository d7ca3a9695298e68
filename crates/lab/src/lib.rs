//! Comparing heuristics for sliding-tile puzzles: good partitions, found by measurement.

pub mod tune;
