//! The module's instance: version, memory, and the message of a panic. After a panic, which traps,
//! only [`last_panic`] can be called.

use std::cell::RefCell;
use std::panic;

use wasm_bindgen::prelude::*;

thread_local! {
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Records the messages of all later panics, which would otherwise be lost.
#[wasm_bindgen(start)]
pub fn start() {
    panic::set_hook(Box::new(|panic| PANIC.set(panic.to_string())));
}

/// The message of the last panic; empty without a panic. When memory is exhausted, the module traps
/// without a panic.
#[wasm_bindgen]
#[must_use]
pub fn last_panic() -> String {
    PANIC.with_borrow(Clone::clone)
}

/// The version of the package.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// The SHA-256 of bytes, in hexadecimal.
#[cfg(feature = "solver")]
#[wasm_bindgen]
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest as _;
    pdb_table::hex(&sha2::Sha256::digest(bytes))
}

/// Size of the instance's memory, in bytes.
#[wasm_bindgen]
#[must_use]
pub fn memory_bytes() -> f64 {
    #[cfg(target_arch = "wasm32")]
    let pages = core::arch::wasm32::memory_size(0);
    #[cfg(not(target_arch = "wasm32"))]
    let pages = 0_usize;
    pages as f64 * 65536.0
}
