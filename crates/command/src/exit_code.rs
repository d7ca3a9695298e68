//! Exit codes besides 0 (success), 1 (no solution, or a limit) and 2 (bad input or usage).

/// Exit code after Ctrl-C: 128 plus the signal number, as in shells.
pub const EXIT_INTERRUPTED: u8 = 130;

/// Exit code if a table is bad or missing, or a file or standard output cannot be written.
pub const EXIT_TABLE: u8 = 3;
