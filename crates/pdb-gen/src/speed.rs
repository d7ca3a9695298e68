//! Measuring how fast the machine is: one small build, and one small file.

use std::io::{self, Write as _};
use std::path::Path;
use std::time::Instant;

use pdb_table::Encoding;
use puzzle::{Kind, Pattern, TableId, Tray};

use crate::build::build;
use crate::forecast::{Forecast, Speed};

/// Bytes written to find out how fast a disk is.
const SAMPLE: usize = 16 << 20;
/// Builds of which the fastest counts.
const RUNS: usize = 2;

impl Speed {
    /// The speed at which the model of [`Forecast`] was measured: one core, and no disk.
    pub const UNIT: Speed = Speed {
        sweep: 1.0,
        disk: f64::INFINITY,
    };

    /// Builds a table of seven tiles in memory with the current pool's threads, and writes a temporary file to
    /// `directory`, or to the nearest directory above it that is there. Takes less than a second or two.
    ///
    /// # Errors
    /// Those of writing.
    pub fn measure(directory: &Path) -> io::Result<Speed> {
        let id = sample();
        let model = Forecast::new(id, Encoding::OneBit, &Speed::UNIT).seconds;
        let mut sweep = f64::INFINITY;
        for _ in 0..RUNS {
            let start = Instant::now();
            build(id, Encoding::OneBit, &mut ()).map_err(io::Error::other)?;
            sweep = sweep.min(start.elapsed().as_secs_f64() / model);
        }
        let disk = SAMPLE as f64 / write_sample(directory)?;
        Ok(Speed { sweep, disk })
    }
}

/// Tiles 1 to 7 of the 15-puzzle.
fn sample() -> TableId {
    const ALWAYS: &str = "seven tiles of the 15-puzzle are a pattern";
    #[expect(clippy::expect_used, reason = "nothing of it is input")]
    let pattern = {
        let tray = Tray::new(4, 4).expect(ALWAYS);
        Pattern::new(tray, tray.iter().take(7).collect(), tray.last()).expect(ALWAYS)
    };
    pattern.table(Kind::ZeroAware).0
}

/// Seconds that it takes to bring [`SAMPLE`] bytes to the disk.
fn write_sample(directory: &Path) -> io::Result<f64> {
    let there = directory.ancestors().find(|path| path.is_dir());
    let mut file = tempfile::tempfile_in(there.unwrap_or(Path::new(".")))?;
    // Bytes that no file system stores in less space.
    let mut state = 1_u64;
    let bytes: Vec<u8> = (0..SAMPLE / 8)
        .flat_map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_le_bytes()
        })
        .collect();
    let start = Instant::now();
    file.write_all(&bytes)?;
    file.sync_all()?;
    Ok(start.elapsed().as_secs_f64())
}
