//! Exit codes besides 0 (success), 1 (no solution, or a limit) and 2 (bad input or usage).

/// Exit code after Ctrl-C: 128 plus the signal number, as in shells.
pub const EXIT_INTERRUPTED: u8 = 130;

/// Exit code for a bad or missing table, and for a failed write to a file or standard output.
pub const EXIT_TABLE: u8 = 3;
