//! The command's allocator in a process with limited address space.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use std::hint::black_box;
use std::sync::{Arc, Barrier};
use std::time::Duration;
use std::{fs, thread};

use rustix::process::{Resource, Rlimit, setrlimit};

#[global_allocator]
static ALLOCATOR: server::Allocator = server::Allocator;

/// Blocks of 1 MiB.
fn blocks(number: usize) -> Vec<Vec<u8>> {
    (0..number)
        .map(|_| black_box(Vec::with_capacity(1 << 20)))
        .collect()
}

#[test]
fn failed_allocations_wait_until_memory_is_freed() {
    let ready = Arc::new(Barrier::new(2));
    let is_ready = Arc::clone(&ready);
    let others = thread::spawn(move || {
        let held = blocks(400);
        is_ready.wait();
        thread::sleep(Duration::from_millis(300));
        drop(held);
    });
    ready.wait();
    let pages = fs::read_to_string("/proc/self/statm").unwrap();
    let pages: u64 = pages.split(' ').next().unwrap().parse().unwrap();
    let limit = Rlimit {
        current: Some(pages * 4096 + (100 << 20)),
        maximum: None,
    };
    setrlimit(Resource::As, limit).unwrap();
    assert_eq!(blocks(300).len(), 300);
    others.join().unwrap();
}
