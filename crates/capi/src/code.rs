//! Result codes of calls, and the numbers of modes, methods, notations, prunings and sides.

use std::ffi::c_char;

use solver::{Method, Mode};

/// The result of a call, or the outcome of a board: one of STP_OK, STP_ERROR and so on.
pub type stp_code = i32;

/// The call succeeded.
pub const STP_OK: stp_code = 0;
/// The input is invalid: a board, a goal, moves, an option, a null pointer.
pub const STP_ERROR: stp_code = 1;
/// The goal cannot be reached from this board.
pub const STP_UNSOLVABLE: stp_code = 2;
/// A limit of time or nodes was reached.
pub const STP_LIMIT: stp_code = 3;
/// The call was stopped by a token or a callback.
pub const STP_CANCELLED: stp_code = 4;
/// A table is missing, damaged, or not the expected one.
pub const STP_TABLE: stp_code = 5;
/// There is not enough memory, or a thread could not be started.
pub const STP_MEMORY: stp_code = 6;
/// The library has a defect. The arguments of the call are unchanged.
pub const STP_DEFECT: stp_code = 7;
/// The report contains the best solution so far, and the search continues. Only the callback for
/// better solutions receives this code.
pub const STP_IMPROVED: stp_code = 8;

/// A solution that is proved to be shortest, or no solution.
pub const STP_MODE_OPTIMAL: i32 = 0;
/// A solution found immediately, by a method that people can follow. The method supports all trays
/// and needs no tables.
pub const STP_MODE_STRATEGIC: i32 = 1;
/// A solution found immediately, then shorter ones, until one is proved optimal or a limit is
/// reached.
pub const STP_MODE_ANYTIME: i32 = 2;

/// There is no solution.
pub const STP_METHOD_NONE: i32 = -1;
/// IDA*.
pub const STP_METHOD_SEARCH: i32 = 0;
/// Tile by tile, as people solve the puzzle.
pub const STP_METHOD_STRATEGIC: i32 = 1;
/// Beam search.
pub const STP_METHOD_BEAM: i32 = 2;
/// Shortening parts of a longer solution.
pub const STP_METHOD_WINDOW: i32 = 3;

/// Letters for the direction of the tile, with repeat counts: U2RD.
pub const STP_NOTATION_TILE: i32 = 0;
/// Letters for the direction of the blank, with repeat counts.
pub const STP_NOTATION_BLANK: i32 = 1;
/// The numbers of the moved tiles, separated by spaces.
pub const STP_NOTATION_NUMBERS: i32 = 2;

/// If several paths of up to 12 moves lead to the same arrangement, only one of them is searched.
pub const STP_PRUNING_AUTOMATON: i32 = 0;
/// Only moves that undo the last move are pruned, as in most published node counts.
pub const STP_PRUNING_PARENT: i32 = 1;

/// Boards are searched from the start position or from the goal, whichever is expected to need
/// fewer nodes.
pub const STP_SIDE_AUTO: i32 = 0;
/// Boards are searched from the start position.
pub const STP_SIDE_START: i32 = 1;
/// Boards are searched from the goal. The call fails if there are no tables for such a search.
pub const STP_SIDE_GOAL: i32 = 2;

/// The name of a code: "ok", "error", "unsolvable", "limit", "cancelled", "table", "memory",
/// "defect" or "improved"; "unknown" for other numbers.
///
/// The text is static and must not be freed. May be called from any thread at any time.
#[unsafe(no_mangle)]
pub extern "C" fn stp_code_name(code: stp_code) -> *const c_char {
    let name = match code {
        STP_OK => c"ok",
        STP_ERROR => c"error",
        STP_UNSOLVABLE => c"unsolvable",
        STP_LIMIT => c"limit",
        STP_CANCELLED => c"cancelled",
        STP_TABLE => c"table",
        STP_MEMORY => c"memory",
        STP_DEFECT => c"defect",
        STP_IMPROVED => c"improved",
        _ => c"unknown",
    };
    name.as_ptr()
}

pub(crate) fn mode_number(mode: Option<Mode>) -> i32 {
    match mode {
        Some(Mode::Strategic) => STP_MODE_STRATEGIC,
        Some(Mode::Anytime) => STP_MODE_ANYTIME,
        _ => STP_MODE_OPTIMAL,
    }
}

pub(crate) fn method_number(method: Option<Method>) -> i32 {
    match method {
        Some(Method::Search) => STP_METHOD_SEARCH,
        Some(Method::Strategic) => STP_METHOD_STRATEGIC,
        Some(Method::Beam) => STP_METHOD_BEAM,
        Some(Method::Window) => STP_METHOD_WINDOW,
        _ => STP_METHOD_NONE,
    }
}
