//! Random boards.

use std::ffi::c_char;
use std::ptr::null_mut;

use puzzle::{Goal, Scrambler, write_letters};

use crate::board::{into_c, stp_board};
use crate::code::stp_code;
use crate::error::{Failure, guard, guard_quietly, stp_error};
use crate::input::{Place, optional_text, read_goal, read_size};
use crate::text::give;

/// The most random moves of one call.
const MAX_MOVES: u64 = 1_000_000;

/// A stream of random boards, the same for the same seed on every machine and in every version.
#[derive(Debug)]
pub struct stp_scrambler(Scrambler);

/// A stream of random boards with a seed.
///
/// The caller frees it by stp_scrambler_free. Never NULL. May be called from any thread.
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
        // SAFETY: the caller passes what `stp_scrambler_new` has made, once.
        guard_quietly(|| drop(unsafe { Box::from_raw(scrambler) }));
    }
}

/// The next board, drawn uniformly from all that can be solved. `size` and `goal` are as for
/// stp_board_of_goal.
///
/// The caller frees the board by stp_board_free; after a failure `*board` is NULL. `error` may be
/// NULL. Only one thread at a time may use a stream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_scrambler_draw(
    scrambler: *mut stp_scrambler,
    size: *const c_char,
    goal: *const c_char,
    board: *mut *mut stp_board,
    error: *mut stp_error,
) -> stp_code {
    let call = || {
        // SAFETY: the caller passes what the header asks for.
        let (place, goal, scrambler) = unsafe {
            let place = Place::new(board, null_mut(), "board")?;
            (place, goal_of(size, goal)?, stream(scrambler)?)
        };
        let state = scrambler.0.draw(goal.tray(), goal.blank());
        let drawn = goal.board_of(&state);
        let drawn = drawn.ok_or_else(|| Failure::input("the goal has another size"))?;
        place.put(into_c(drawn));
        Ok(())
    };
    // SAFETY: the caller promises it of `error`.
    unsafe { guard(error, call) }
}

/// The board after so many random moves from the goal, none of which undoes the one before, and if
/// `moves` is not NULL these moves. Up to a million; on a tray of one line they end at the frame.
/// `size` and `goal` are as for stp_board_of_goal.
///
/// The caller frees the board by stp_board_free and the moves by stp_string_free; after a failure
/// both are NULL. `error` may be NULL. Only one thread at a time may use a stream.
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
    let call = || {
        // SAFETY: the caller passes what the header asks for.
        let (moves, place, goal, scrambler) = unsafe {
            let moves = Place::optional(moves, null_mut());
            let place = Place::new(board, null_mut(), "board")?;
            (moves, place, goal_of(size, goal)?, stream(scrambler)?)
        };
        if count > MAX_MOVES {
            return Err(Failure::input(format!(
                "{count} random moves are too many: at most {MAX_MOVES}"
            )));
        }
        let walked = scrambler.0.walk(goal.board(), count as usize);
        let end = goal.board().play(&walked).map_err(Failure::input)?;
        if let Some(moves) = moves {
            give(moves, write_letters(&walked));
        }
        place.put(into_c(end));
        Ok(())
    };
    // SAFETY: the caller promises it of `error`.
    unsafe { guard(error, call) }
}

/// # Safety
/// Both are null or texts that end with a NUL.
unsafe fn goal_of(size: *const c_char, goal: *const c_char) -> Result<Goal, Failure> {
    // SAFETY: the caller promises it.
    unsafe {
        let size = read_size(optional_text(size, "size")?)?;
        read_goal(optional_text(goal, "goal")?, size)
    }
}

/// # Safety
/// `scrambler` is null or a stream that is not freed and nobody else uses.
unsafe fn stream<'a>(scrambler: *mut stp_scrambler) -> Result<&'a mut stp_scrambler, Failure> {
    // SAFETY: the caller promises it.
    unsafe { scrambler.as_mut() }.ok_or_else(|| Failure::input("scrambler is NULL"))
}
