//! Numbers in words.

/// A number of things, such as `1 move` and `2 moves`.
#[must_use]
pub fn counted(count: u64, thing: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{ending}")
}
