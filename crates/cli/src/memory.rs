//! How much memory is free.

use std::fs::read_to_string;

/// Bytes of memory that are free for a build or for tables; `None` where the system does not say.
#[must_use]
pub fn free_memory() -> Option<u64> {
    let text = read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    // A container may have less; its file says `max` where there is no limit.
    let number = |file| read_to_string(file).ok()?.trim().parse().ok();
    let limit: Option<u64> = number("/sys/fs/cgroup/memory.max");
    let used: u64 = number("/sys/fs/cgroup/memory.current").unwrap_or(0);
    // The system frees pages of files that were read or written when memory is needed.
    let stat = read_to_string("/sys/fs/cgroup/memory.stat").unwrap_or_default();
    let cached = stat.lines().find_map(|l| l.strip_prefix("inactive_file "));
    let cached: u64 = cached.and_then(|bytes| bytes.parse().ok()).unwrap_or(0);
    let used = used.saturating_sub(cached);
    let left = limit.map_or(u64::MAX, |limit| limit.saturating_sub(used));
    Some(left.min(kib * 1024))
}
