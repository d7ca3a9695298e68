//! Boards and moves, without a solver.

use std::ffi::{CString, c_char};
use std::ptr::null_mut;

use puzzle::{Board, Drawing, Notation, Tray, invert_text};
use solver::{SolveError, check_board};

use crate::code::{STP_UNSOLVABLE, stp_code};
use crate::error::{CallError, guard_quietly, guarded, stp_error};
use crate::input::{Place, optional_text, read_goal_of_size, text};
use crate::text::{c_string, give};
use crate::values::{notation, read_board, read_goal, read_moves, read_size};

/// A board. The library allocates and frees boards, so later versions may add members at the end. A
/// board never changes, so any number of threads may read it at once. It owns everything that it
/// points to. Pass a board by its pointer: a copy of the struct by assignment can be read as long
/// as the board lives, but must not be passed to stp_board_free.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stp_board {
    /// The numbers in reading order, 0 for the blank.
    pub numbers: *const u16,
    /// Length of `numbers`.
    pub cells: usize,
    /// The board as a text in rows, such as "1 2 3/4 5 6/7 8 0". All calls accept this text as a
    /// board.
    pub text: *const c_char,
    /// Columns of the tray.
    pub columns: u32,
    /// Rows of the tray.
    pub rows: u32,
}

/// A board and its data.
#[repr(C)]
struct OwnedBoard {
    /// Must be the first member, so that a pointer to it is also a pointer to the whole struct.
    public: stp_board,
    board: Board,
    text: CString,
}

/// Allocates a board, which the caller frees.
pub(crate) fn into_c(board: Board) -> *mut stp_board {
    let tray = board.tray();
    let mut owned = Box::new(OwnedBoard {
        public: stp_board {
            numbers: std::ptr::null(),
            cells: tray.cells(),
            text: std::ptr::null(),
            columns: tray.width() as u32,
            rows: tray.height() as u32,
        },
        text: c_string(board.to_string()),
        board,
    });
    // The board and the text stay in place as long as the box exists, so these pointers stay valid.
    owned.public.numbers = owned.board.numbers().as_ptr();
    owned.public.text = owned.text.as_ptr();
    Box::into_raw(owned).cast()
}

/// Parses a board in any usual form: rows separated by slashes, lists, drawings. `size` is for
/// example "4x4". If it is NULL, the rows of the text determine the size, and a text without rows
/// is read as a square. If the form of the text was guessed, for example because the blank is a
/// gap, the call returns STP_OK and the message of `error` names the guess.
///
/// The caller frees the board with stp_board_free; after a failure `*board` is NULL. `error` may be
/// NULL. May be called from any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_board_parse(
    input: *const c_char,
    size: *const c_char,
    board: *mut *mut stp_board,
    error: *mut stp_error,
) -> stp_code {
    guarded!(error, notes, {
        // SAFETY: the caller's pointers meet the header's requirements.
        let (place, read, size) = unsafe {
            let place = Place::new(board, null_mut(), "board")?;
            let size = read_size(optional_text(size, "size")?)?;
            (place, text(input, "input")?, size)
        };
        let read = read_board(read, size, None, notes)?;
        place.put(into_c(read));
    })
}

/// Creates a board from numbers in reading order, 0 for the blank, one per cell.
///
/// The caller frees the board with stp_board_free; after a failure `*board` is NULL. The numbers
/// are copied. `error` may be NULL. May be called from any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_board_of_numbers(
    numbers: *const u16,
    columns: u32,
    rows: u32,
    board: *mut *mut stp_board,
    error: *mut stp_error,
) -> stp_code {
    guarded!(error, {
        // SAFETY: the caller's pointers meet the header's requirements.
        let place = unsafe { Place::new(board, null_mut(), "board") }?;
        let tray = Tray::new(columns as usize, rows as usize).map_err(CallError::input)?;
        if numbers.is_null() {
            return Err(CallError::input("numbers is NULL"));
        }
        // SAFETY: the caller promises one number per cell.
        let numbers = unsafe { std::slice::from_raw_parts(numbers, tray.cells()) };
        let numbers: Vec<u32> = numbers.iter().map(|&number| number.into()).collect();
        let read = Board::new(tray, &numbers).map_err(CallError::input)?;
        place.put(into_c(read));
    })
}

/// Creates the board of a goal. `goal` is "blank-last", "blank-first", "snail", "columns" or a
/// board; NULL means "blank-last". `size` is for example "4x4"; NULL means the size of the goal if it is a board,
/// else 4x4.
///
/// The caller frees the board with stp_board_free; after a failure `*board` is NULL. `error` may be
/// NULL. May be called from any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_board_of_goal(
    goal: *const c_char,
    size: *const c_char,
    board: *mut *mut stp_board,
    error: *mut stp_error,
) -> stp_code {
    guarded!(error, {
        // SAFETY: the caller's pointers meet the header's requirements.
        let (place, goal) = unsafe {
            let place = Place::new(board, null_mut(), "board")?;
            (place, read_goal_of_size(goal, size)?)
        };
        place.put(into_c(goal.board().clone()));
    })
}

/// Frees a board and everything that it points to; does nothing with NULL.
///
/// Free each board once. May be called from any thread, while no other thread uses the board.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_board_free(board: *mut stp_board) {
    if !board.is_null() {
        // SAFETY: the caller passes a result of `into_c`, once.
        guard_quietly(|| drop(unsafe { Box::from_raw(board.cast::<OwnedBoard>()) }));
    }
}

/// Checks whether a board is solvable. Returns STP_OK if it is, else STP_UNSOLVABLE with the reason
/// as the message of `error`. `goal` is as for stp_board_of_goal. `swap` is NULL or an array of
/// two numbers. For an unsolvable board, it receives two tiles whose swap makes the board solvable,
/// the smaller first. It receives 0 and 0 for a solvable board, and if no swap helps.
///
/// `error` may be NULL. May be called from any thread. Takes a few microseconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_board_check(
    board: *const c_char,
    goal: *const c_char,
    swap: *mut u16,
    error: *mut stp_error,
) -> stp_code {
    guarded!(error, notes, {
        // SAFETY: the caller's pointers meet the header's requirements: room for two numbers, and
        // texts.
        let (swap, board, goal) = unsafe {
            let swap = Place::optional(swap.cast::<[u16; 2]>(), [0, 0]);
            (swap, text(board, "board")?, optional_text(goal, "goal")?)
        };
        let board = read_board(board, None, None, notes)?;
        let goal = read_goal(goal, Some(board.tray()))?;
        match check_board(&goal, &board) {
            Ok(_) => {}
            Err(SolveError::Unsolvable(why)) => {
                if let Some(swap) = swap {
                    swap.put(why.swap_numbers(&goal).unwrap_or_default());
                }
                return Err(CallError::new(STP_UNSOLVABLE, why.describe(&goal, &board)));
            }
            Err(error) => return Err(CallError::input(error)),
        }
    })
}

/// Applies moves to a board. The moves are letters for the direction of the tile, such as "U2RD",
/// words such as "up", arrows, or the numbers of the tiles. `is_goal` may be NULL; it is set to 1 if the resulting board is the
/// goal, else to 0. `goal` is as for stp_board_of_goal.
///
/// The caller frees the result with stp_board_free; after a failure `*result` is NULL. `error` may
/// be NULL. May be called from any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_board_apply(
    board: *const c_char,
    moves: *const c_char,
    goal: *const c_char,
    result: *mut *mut stp_board,
    is_goal: *mut i32,
    error: *mut stp_error,
) -> stp_code {
    guarded!(error, notes, {
        // SAFETY: the caller's pointers meet the header's requirements.
        let (place, is_goal, board, moves, goal) = unsafe {
            let place = Place::new(result, null_mut(), "result")?;
            let is_goal = Place::optional(is_goal, 0);
            let goal = optional_text(goal, "goal")?;
            let board = text(board, "board")?;
            (place, is_goal, board, text(moves, "moves")?, goal)
        };
        let board = read_board(board, None, None, notes)?;
        let goal = read_goal(goal, Some(board.tray()))?;
        let end = board.play(&read_moves(&board, moves)?);
        let end = end.map_err(CallError::input)?;
        if let Some(is_goal) = is_goal {
            is_goal.put((&end == goal.board()).into());
        }
        place.put(into_c(end));
    })
}

/// Draws a board. `style` is "text", or "svg" for a picture. The picture animates `moves`, which
/// may be NULL. `goal`, which determines the colours, is as for stp_board_of_goal.
///
/// The caller frees the drawing with stp_string_free; after a failure `*drawing` is NULL. `error`
/// may be NULL. May be called from any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_board_draw(
    board: *const c_char,
    goal: *const c_char,
    style: *const c_char,
    moves: *const c_char,
    drawing: *mut *mut c_char,
    error: *mut stp_error,
) -> stp_code {
    guarded!(error, notes, {
        // SAFETY: the caller's pointers meet the header's requirements.
        let (place, board, goal, style, moves) = unsafe {
            let place = Place::new(drawing, null_mut(), "drawing")?;
            let board = text(board, "board")?;
            let goal = optional_text(goal, "goal")?;
            let moves = optional_text(moves, "moves")?;
            (place, board, goal, text(style, "style")?, moves)
        };
        let board = read_board(board, None, None, notes)?;
        let drawing = Drawing::new(&read_goal(goal, Some(board.tray()))?);
        let drawn = match (style, moves) {
            ("text", None) => drawing.text(&board, false),
            ("text", Some(_)) => {
                return Err(CallError::input("moves need the style svg"));
            }
            ("svg", None) => drawing.svg(&board),
            ("svg", Some(moves)) => {
                let drawn = drawing.animated_svg(&board, &read_moves(&board, moves)?);
                drawn.map_err(CallError::input)?
            }
            (style, _) => {
                return Err(CallError::input(format!(
                    "style is `{}`: expected text or svg",
                    style.escape_debug()
                )));
            }
        };
        give(place, drawn);
    })
}

/// Converts moves that start on a board to the notation `to`, such as STP_NOTATION_TILE. `moves` is
/// as for stp_board_apply.
///
/// The caller frees the text with stp_string_free; after a failure `*converted` is NULL. `error`
/// may be NULL. May be called from any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_moves_convert(
    board: *const c_char,
    moves: *const c_char,
    to: i32,
    converted: *mut *mut c_char,
    error: *mut stp_error,
) -> stp_code {
    guarded!(error, notes, {
        // SAFETY: the caller's pointers meet the header's requirements.
        let (place, board, moves) = unsafe {
            let place = Place::new(converted, null_mut(), "converted")?;
            (place, text(board, "board")?, text(moves, "moves")?)
        };
        let board = read_board(board, None, None, notes)?;
        let written = board.write_moves(&read_moves(&board, moves)?, notation(to)?);
        give(place, written.map_err(CallError::input)?);
    })
}

/// The moves that undo `moves`, in the same notation.
///
/// The caller frees the text with stp_string_free; after a failure `*inverse` is NULL. `error` may
/// be NULL. May be called from any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_moves_invert(
    moves: *const c_char,
    inverse: *mut *mut c_char,
    error: *mut stp_error,
) -> stp_code {
    guarded!(error, {
        // SAFETY: the caller's pointers meet the header's requirements.
        let (place, moves) = unsafe {
            let place = Place::new(inverse, null_mut(), "inverse")?;
            (place, text(moves, "moves")?)
        };
        let back = invert_text(moves, Notation::guess(moves));
        give(place, back.map_err(CallError::input)?);
    })
}
