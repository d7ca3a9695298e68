//! Amount of free memory.

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

use puzzle::TableId;

use super::TableStoreError;

/// Free memory for a build or for tables, in bytes; `None` if the system does not report it.
///
/// At most 2 GiB for a 32-bit program.
#[must_use]
pub fn free_memory() -> Option<u64> {
    addressable(free_in_system(), usize::BITS)
}

/// Limits free memory to the amount that a program with addresses of `bits` bits can use. Half of
/// the addresses are reserved for the system, the program, stacks and gaps. The other half is the
/// limit, also for a single allocation.
fn addressable(free: Option<u64>, bits: u32) -> Option<u64> {
    match bits {
        64.. => free,
        _ => Some(free.unwrap_or(u64::MAX).min(1 << (bits - 1))),
    }
}

fn free_in_system() -> Option<u64> {
    let text = read_to_string("/proc/meminfo").ok()?;
    let available = kibibytes(&text, "MemAvailable:")?;
    // A container may have a lower limit. The file of the limit contains `max` if there is no
    // limit.
    let number = |file| read_to_string(file).ok()?.trim().parse().ok();
    let limit: Option<u64> = number("/sys/fs/cgroup/memory.max");
    let used: u64 = number("/sys/fs/cgroup/memory.current").unwrap_or(0);
    // Cached pages of files count as free: the system releases them on demand.
    let stat = read_to_string("/sys/fs/cgroup/memory.stat").unwrap_or_default();
    let cached = stat.lines().find_map(|l| l.strip_prefix("inactive_file "));
    let cached: u64 = cached.and_then(|bytes| bytes.parse().ok()).unwrap_or(0);
    let used = used.saturating_sub(cached);
    let left = limit.map_or(u64::MAX, |limit| limit.saturating_sub(used));
    let of_process = |file| read_to_string(file).unwrap_or_default();
    let limits = of_process("/proc/self/limits");
    let address_space = free_address_space(&limits, &of_process("/proc/self/status"));
    Some(left.min(available).min(address_space.unwrap_or(u64::MAX)))
}

/// Bytes that remain below the process's address space limit (`ulimit -v`), from the contents of
/// `/proc/self/limits` and `/proc/self/status`; `None` without a limit.
fn free_address_space(limits: &str, status: &str) -> Option<u64> {
    /// Address space that a thread reserves at its first allocation, in bytes.
    const HEAP: u64 = 64 << 20;
    /// Lower limit of the result, in bytes. Small tables fit into the first heap, which is already
    /// reserved.
    const SMALL: u64 = 8 << 20;
    let mut lines = limits.lines();
    let line = lines.find_map(|line| line.strip_prefix("Max address space"))?;
    // Without a limit the field is `unlimited`.
    let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
    let left = limit.saturating_sub(kibibytes(status, "VmSize:")?);
    let threads = field(status, "Threads:").and_then(|count| count.parse().ok());
    let heaps = threads.unwrap_or(1_u64).saturating_mul(HEAP);
    // The heaps count for at most half of the remaining address space: threads share heaps when
    // little is left.
    Some((left - heaps.min(left / 2)).max(SMALL))
}

/// A field of a file in `/proc`.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = text.lines();
    lines
        .find_map(|line| line.strip_prefix(name))
        .map(str::trim)
}

/// A field in kB (1024 bytes), converted to bytes.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let number = field(text, name)?.strip_suffix("kB")?.trim();
    number.parse::<u64>().ok()?.checked_mul(1024)
}

/// Free disk space for a directory in bytes, if the system reports it. The directory need not
/// exist.
#[must_use]
pub fn free_disk(directory: &Path) -> Option<u64> {
    fs4::available_space(nearest_directory(directory)).ok()
}

/// The path itself if it is an existing directory, otherwise its nearest existing ancestor
/// directory.
pub(crate) fn nearest_directory(path: &Path) -> &Path {
    let there = path.ancestors().find(|path| path.is_dir());
    there.unwrap_or(Path::new("."))
}

/// Rejects tables that together need more bytes than are free. The bytes of `checkpoints` count as
/// free.
pub(crate) fn check_room(
    tables: &[TableId],
    directory: &Path,
    needed: u64,
    free: Option<u64>,
    checkpoints: &[(PathBuf, u64)],
) -> Result<(), TableStoreError> {
    let taken: u64 = checkpoints.iter().map(|(_, taken)| taken).sum();
    match free.filter(|free| needed > free.saturating_add(taken)) {
        None => Ok(()),
        Some(free) => Err(TableStoreError::DiskFull {
            name: match tables {
                [id] => id.name(),
                _ => format!("the {} tables", tables.len()),
            },
            directory: directory.to_owned(),
            needed,
            free,
            checkpoints: checkpoints.to_vec(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATUS: &str =
        "Name:\tpdb-gen\nVmPeak:\t    9000 kB\nVmSize:\t    8000 kB\nThreads:\t2\n";

    fn left(limit: &str) -> Option<u64> {
        let limits = format!(
            "Limit                     Soft Limit           Hard Limit           Units     \n\
             Max resident set          unlimited            unlimited            bytes     \n\
             Max address space         {limit:<20} unlimited            bytes     \n"
        );
        free_address_space(&limits, STATUS)
    }

    #[test]
    fn addresses_of_32_bits_reach_2_gib() {
        assert_eq!(addressable(Some(5 << 30), 32), Some(2 << 30));
        assert_eq!(addressable(Some(5 << 20), 32), Some(5 << 20));
        assert_eq!(addressable(None, 32), Some(2 << 30));
        assert_eq!(addressable(Some(5 << 30), 64), Some(5 << 30));
        assert_eq!(addressable(None, 64), None);
        assert!(free_memory().is_none_or(|free| usize::try_from(free).is_ok()));
    }

    #[test]
    fn the_address_space_limit_is_respected() {
        let mapped = 8000 << 10;
        assert_eq!(left("unlimited"), None);
        assert_eq!(left("1073741824"), Some((1 << 30) - mapped - (128 << 20)));
        assert_eq!(left("28192000"), Some(10_000_000));
        assert_eq!(left("1000000"), Some(8 << 20));
        assert_eq!(free_address_space("", STATUS), None);
        assert_eq!(free_address_space("Max address space 5 5 bytes", ""), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn free_memory_is_less_than_total_memory() {
        let text = read_to_string("/proc/meminfo").unwrap();
        let all = kibibytes(&text, "MemTotal:").unwrap();
        let free = free_memory().unwrap();
        assert!((1 << 20..all).contains(&free), "{free} of {all}");
    }
}
