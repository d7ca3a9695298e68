//! Measuring how fast the machine is: one small build, and one small file.

use std::io::{self, Write as _};
use std::path::Path;
use std::time::Instant;

use pdb_table::{Control, Encoding, Executor as _};
use puzzle::{Pattern, TableId, TableKind, Tray};

use crate::build::build;
use crate::forecast::{Calibration, model_seconds};
use crate::parallel::RayonExecutor;
use crate::store::room::nearest_directory;

/// Bytes written to find out how fast a disk is.
const SAMPLE: usize = 16 << 20;
/// Builds of which the mean counts.
const RUNS: usize = 2;
/// Bytes a second of a disk that is not tried, since little is written.
const USUAL_DISK: f64 = 200e6;
/// Bytes a second of a disk that cannot be tried.
const UNKNOWN_DISK: f64 = 100e6;

impl Calibration {
    /// The speed at which the model of [`Forecast`](crate::Forecast) was measured: one core, and no
    /// disk.
    pub const UNIT: Calibration = Calibration {
        sweep: 1.0,
        disk: f64::INFINITY,
    };

    /// [`Self::measure`] if these tables take longer to build than that, by the model; else the
    /// speed of the model's machine with as many cores as there are threads, which is near enough
    /// where it is a matter of a second.
    #[must_use]
    pub fn for_tables(tables: &[(TableId, Encoding)], directory: &Path) -> Calibration {
        match are_small(tables) {
            true => Calibration {
                sweep: 1.0 / RayonExecutor.threads() as f64,
                disk: USUAL_DISK,
            },
            false => Calibration::measure(directory),
        }
    }

    /// Builds a table of seven tiles in memory with the current pool's threads, and writes a
    /// temporary file to `directory`, or to the nearest directory above it that is there. Takes a
    /// second or so. A disk to which the file cannot be written is assumed to be a slow one.
    #[must_use]
    pub fn measure(directory: &Path) -> Calibration {
        let id = sample();
        let start = Instant::now();
        for _ in 0..RUNS {
            // A build that fails for lack of memory says nothing about speed.
            let _ = build(id, Encoding::OneBit, &Control::default());
        }
        let sweep = start.elapsed().as_secs_f64() / sample_seconds();
        let disk = write_sample(directory).map_or(UNKNOWN_DISK, |seconds| SAMPLE as f64 / seconds);
        Calibration { sweep, disk }
    }
}

/// Whether building these tables takes less time than measuring.
fn are_small(tables: &[(TableId, Encoding)]) -> bool {
    let seconds = |&(id, encoding): &(TableId, Encoding)| model_seconds(id, encoding);
    tables.iter().map(seconds).sum::<f64>() < sample_seconds()
}

/// Seconds that measuring takes by the model.
fn sample_seconds() -> f64 {
    model_seconds(sample(), Encoding::OneBit) * RUNS as f64
}

/// Tiles 1 to 7 of the 15-puzzle.
fn sample() -> TableId {
    const ALWAYS: &str = "seven tiles of the 15-puzzle are a pattern";
    #[expect(clippy::expect_used, reason = "nothing of it is input")]
    let pattern = {
        let tray = Tray::new(4, 4).expect(ALWAYS);
        Pattern::new(tray, tray.iter().take(7).collect(), tray.last()).expect(ALWAYS)
    };
    pattern.table(TableKind::ZeroAware).0
}

/// Seconds that it takes to bring [`SAMPLE`] bytes to the disk.
fn write_sample(directory: &Path) -> io::Result<f64> {
    let mut file = tempfile::tempfile_in(nearest_directory(directory))?;
    let bytes = noise(SAMPLE);
    let start = Instant::now();
    file.write_all(&bytes)?;
    file.sync_all()?;
    Ok(start.elapsed().as_secs_f64())
}

/// Bytes, a multiple of 8, that no file system stores in less space.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 1_u64;
    (0..length / 8)
        .flat_map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_le_bytes()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use puzzle::{Goal, HeuristicSpec};

    use super::*;

    #[test]
    fn nothing_is_measured_for_tables_that_are_built_sooner() {
        let are_small = |size: &str, partition: &str| {
            let goal = Goal::blank_last(size.parse().unwrap());
            let spec = HeuristicSpec::parse(partition, &goal).unwrap();
            let tables = spec.tables().into_iter();
            let tables: Vec<_> = tables
                .map(|id| (id, Encoding::default_for(id.kind())))
                .collect();
            are_small(&tables)
        };
        assert!(super::are_small(&[]));
        assert!(are_small("3x3", "8") && are_small("4x4", "6-6-3"));
        assert!(!are_small("4x4", "7-8") && !are_small("5x5", "6-6-6-6"));
    }

    #[test]
    fn the_sample_has_two_builds_and_many_different_bytes() {
        let one = model_seconds(sample(), Encoding::OneBit);
        assert!((sample_seconds() - 2.0 * one).abs() < 1e-12);
        let bytes = noise(1 << 16);
        assert_eq!(bytes.len(), 1 << 16);
        let words: HashSet<&[u8]> = bytes.chunks(8).collect();
        assert_eq!(words.len(), 1 << 13);
        // Of each bit half are set.
        for bit in 0..64 {
            let set = words
                .iter()
                .filter(|word| word[bit / 8] >> (bit % 8) & 1 != 0);
            let set = set.count();
            assert!((3800..4400).contains(&set), "bit {bit}: {set}");
        }
    }
}
