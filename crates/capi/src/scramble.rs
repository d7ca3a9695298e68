//! Random boards.

use std::ffi::c_char;
use std::ptr::null_mut;

use puzzle::{Scrambler, write_letters};

use crate::board::{into_c, stp_board};
use crate::code::stp_code;
use crate::error::{CallError, guard_quietly, guarded, stp_error};
use crate::input::{Place, read_goal_of_size};
use crate::text::give;

/// Maximum number of random moves per call.
const MAX_MOVES: u64 = 1_000_000;

/// A stream of random boards. The same seed produces the same boards on every machine and in every
/// version of the library.
#[derive(Debug)]
pub struct stp_scrambler(Scrambler);

/// Creates a stream of random boards from a seed.
///
/// The caller frees it with stp_scrambler_free. The result is never NULL. May be called from any
/// thread.
#[unsafe(no_mangle)]
pub extern "C" fn stp_scrambler_new(seed: u64) -> *mut stp_scrambler {
    Box::into_raw(Box::new(stp_scrambler(Scrambler::new(seed))))
}

/// Frees a stream; does nothing with NULL.
///
/// No other call may use the stream at the same time or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_scrambler_free(scrambler: *mut stp_scrambler) {
    if !scrambler.is_null() {
        // SAFETY: the caller passes a result of `stp_scrambler_new`, once.
        guard_quietly(|| drop(unsafe { Box::from_raw(scrambler) }));
    }
}

/// Creates the next random board. All solvable boards are equally likely. `size` and `goal` are as
/// for stp_board_of_goal.
///
/// The caller frees the board with stp_board_free; after a failure `*board` is NULL. `error` may be
/// NULL. Only one thread at a time may use a scrambler.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_scrambler_draw(
    scrambler: *mut stp_scrambler,
    size: *const c_char,
    goal: *const c_char,
    board: *mut *mut stp_board,
    error: *mut stp_error,
) -> stp_code {
    guarded!(error, {
        // SAFETY: the caller's pointers meet the header's requirements.
        let (place, goal, scrambler) = unsafe {
            let place = Place::new(board, null_mut(), "board")?;
            (place, read_goal_of_size(goal, size)?, stream(scrambler)?)
        };
        let state = scrambler.0.draw(goal.tray(), goal.blank());
        let drawn = goal.board_of(&state);
        let drawn = drawn.ok_or_else(|| CallError::input("the goal has another size"))?;
        place.put(into_c(drawn));
    })
}

/// Makes `count` random moves from the goal. No move undoes the previous one. Returns the
/// board, and also the moves unless `moves` is NULL. `count` is at most a million. On a tray with
/// one row or column the walk ends early when the blank reaches the frame. `size` and `goal` are as
/// for stp_board_of_goal.
///
/// The caller frees the board with stp_board_free and the moves with stp_string_free; after a
/// failure both are NULL. `error` may be NULL. Only one thread at a time may use a scrambler.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_scrambler_walk(
    scrambler: *mut stp_scrambler,
    size: *const c_char,
    goal: *const c_char,
    count: u64,
    board: *mut *mut stp_board,
    moves: *mut *mut c_char,
    error: *mut stp_error,
) -> stp_code {
    guarded!(error, {
        // SAFETY: the caller's pointers meet the header's requirements.
        let (moves, place, goal, scrambler) = unsafe {
            let moves = Place::optional(moves, null_mut());
            let place = Place::new(board, null_mut(), "board")?;
            (
                moves,
                place,
                read_goal_of_size(goal, size)?,
                stream(scrambler)?,
            )
        };
        if count > MAX_MOVES {
            return Err(CallError::input(format!(
                "count is {count}: expected at most {MAX_MOVES} random moves"
            )));
        }
        let walked = scrambler.0.walk(goal.board(), count as usize);
        let end = goal.board().play(&walked).map_err(CallError::input)?;
        if let Some(moves) = moves {
            give(moves, write_letters(&walked));
        }
        place.put(into_c(end));
    })
}

/// # Safety
/// `scrambler` is null or a live stream that nothing else uses.
unsafe fn stream<'a>(scrambler: *mut stp_scrambler) -> Result<&'a mut stp_scrambler, CallError> {
    // SAFETY: the caller promises that `scrambler` is null or a live stream.
    unsafe { scrambler.as_mut() }.ok_or_else(|| CallError::input("scrambler is NULL"))
}
