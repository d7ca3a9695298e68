//! Exit codes besides 0 (success), 1 (no solution, or a limit) and 2 (bad input or usage).

/// The exit code after Ctrl-C, as shells have it: 128 and the signal's number.
pub const EXIT_INTERRUPTED: u8 = 130;

/// The exit code where a table is bad or missing, or a file or standard output cannot be written.
pub const EXIT_TABLE: u8 = 3;
