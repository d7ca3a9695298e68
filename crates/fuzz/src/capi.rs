//! The C boundary: everything that the header allows, with arguments that make no sense. No call
//! ends in a defect, each says in one line why it failed, and leaves nothing behind.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::LazyLock;

use arbitrary::{Arbitrary, Result, Unstructured};
use slidingtilepdb::*;

use crate::manifest::SOUND;
use crate::reference::TABLES;

/// Texts of all kinds: which is a board, a size or moves is left to chance.
const TEXTS: [&CStr; 40] = [
    c"8 6 7/2 5 4/3 0 1",
    c"1 2 3/4 5 6/7 0 8",
    c"1 2 3/4 5 6/8 7 0",
    c"2 5 3 4/1 6 7 8/9 10 11 12/13 14 0 15",
    c"0 3/2 1",
    c"3 2 1/5 4 0",
    c"[[1,2],[3,0]]",
    c"1 2 3 4 0",
    c"2x2",
    c"3x3",
    c"3x2",
    c"4x4",
    c"20x20",
    c"99999x1",
    c"0x0",
    c"blank-last",
    c"blank-first",
    c"single",
    c"multi",
    c"manhattan",
    c"lines",
    c"runs",
    c"3",
    c"5-3",
    c"2-2-1",
    c"1,2,3",
    c"1,2,3/4,5",
    c"best",
    c"fringe",
    c"R",
    c"LRUD",
    c"U2RD",
    c"L1000000",
    c"8 6",
    c"text",
    c"svg",
    c"",
    c"\xff\xfe",
    c"\x1b[2J\n\xc2\x85",
    c"7 7 7/a b c",
];
/// Sizes whose tables are built in a moment.
const SIZES: [&CStr; 4] = [c"2x2", c"3x2", c"2x3", c"3x3"];
/// The most nodes of a search.
const MAX_NODES: u64 = 2000;

/// Solvers that calls are made with, one of each metric, and null. They are never freed.
static SOLVERS: LazyLock<[usize; 3]> = LazyLock::new(|| {
    let open = |size: &CStr, partition: &CStr, metric: &CStr| {
        let options = stp_open_options {
            struct_size: size_of::<stp_open_options>(),
            size: size.as_ptr(),
            partition: partition.as_ptr(),
            metric: metric.as_ptr(),
            threads: 1,
            ..zeroed()
        };
        let mut solver = null_mut();
        // SAFETY: all of it is this function's own.
        let code = unsafe { stp_solver_open(&raw const options, &raw mut solver, null_mut()) };
        assert_eq!(code, STP_OK);
        solver as usize
    };
    [
        open(c"3x3", c"5-3", c"single"),
        open(c"3x2", c"runs", c"multi"),
        0,
    ]
});

/// All bytes zero, as C programs begin.
fn zeroed<T>() -> T {
    // SAFETY: used for structs of numbers, pointers and optional functions.
    unsafe { std::mem::zeroed() }
}

/// The bytes choose calls and their arguments.
pub fn body(bytes: &[u8]) {
    let mut choices = Unstructured::new(bytes);
    // What ends too soon is short of arguments.
    while !choices.is_empty() && Caller(&mut choices).call().is_ok() {}
}

/// A text, or null. What the bytes say may have a NUL within: then it ends there.
enum Text {
    Null,
    Known(&'static CStr),
    Own(CString),
}

impl Text {
    fn as_ptr(&self) -> *const c_char {
        match self {
            Text::Null => null(),
            Text::Known(text) => text.as_ptr(),
            Text::Own(text) => text.as_ptr(),
        }
    }
}

struct Caller<'a, 'b>(&'a mut Unstructured<'b>);

/// Where a call says why it failed: with rubbish in it, as C variables have.
struct Failure(stp_error);

impl Failure {
    fn new() -> Failure {
        let message = [0x55; STP_MESSAGE_SIZE];
        Failure(stp_error { code: 77, message })
    }

    /// Asserts that the call has said how it ended.
    #[track_caller]
    fn check(&self, code: stp_code) {
        assert_eq!(self.0.code, code);
        assert!((STP_OK..STP_DEFECT).contains(&code), "{code}");
        assert!(self.0.message.contains(&0), "a message without an end");
        // SAFETY: the message has a NUL.
        let message = unsafe { CStr::from_ptr(self.0.message.as_ptr()) };
        let message = message.to_str().expect("messages are UTF-8");
        assert_eq!(message.is_empty(), code == STP_OK, "{code}: {message}");
        assert!(!message.contains(char::is_control), "{message:?}");
    }
}

/// A text that a call has given, which is freed.
#[track_caller]
fn take_text(code: stp_code, text: *mut c_char) {
    assert_eq!(code == STP_OK, !text.is_null());
    if !text.is_null() {
        // SAFETY: the library has given this text, which ends with a NUL and is freed once.
        unsafe {
            CStr::from_ptr(text).to_str().expect("texts are UTF-8");
            stp_string_free(text);
        }
    }
}

/// A board that a call has given, which is freed.
#[track_caller]
fn take_board(code: stp_code, board: *mut stp_board) {
    assert_eq!(code == STP_OK, !board.is_null());
    if !board.is_null() {
        // SAFETY: the library has given this board, which is freed once and not used afterwards.
        unsafe {
            let given = &*board;
            assert_eq!(given.cells, given.columns as usize * given.rows as usize);
            let numbers = std::slice::from_raw_parts(given.numbers, given.cells);
            assert!(numbers.contains(&0));
            CStr::from_ptr(given.text)
                .to_str()
                .expect("texts are UTF-8");
            stp_board_free(board);
        }
    }
}

/// Reads all of a report.
fn check_report(report: *const stp_report) {
    // SAFETY: the report is one that the library has given and that is not freed.
    unsafe {
        let given = &*report;
        for text in [
            given.board,
            given.moves,
            given.letters,
            given.tables,
            given.message,
        ] {
            if !text.is_null() {
                CStr::from_ptr(text).to_str().expect("texts are UTF-8");
            }
        }
        if !given.letters.is_null() {
            assert_eq!(
                CStr::from_ptr(given.letters).count_bytes(),
                given.letter_count
            );
        }
        if !given.counts.is_null() {
            let counts = std::slice::from_raw_parts(given.counts, given.counts_length);
            assert_eq!(counts.first().copied().unwrap_or(0), given.count);
        }
        if !given.solutions.is_null() {
            let solutions = std::slice::from_raw_parts(given.solutions, given.solution_count);
            for &solution in solutions {
                CStr::from_ptr(solution).to_str().expect("texts are UTF-8");
            }
        }
        let json = stp_report_json(report);
        let json = CStr::from_ptr(json).to_str().expect("texts are UTF-8");
        serde_json::from_str::<serde_json::Value>(json).expect("an object of JSON");
    }
}

/// A report that a call has given: read, copied, and freed.
fn take_report(code: stp_code, report: *mut stp_report) {
    let has_report = [STP_OK, STP_UNSOLVABLE, STP_LIMIT, STP_CANCELLED].contains(&code);
    assert_eq!(has_report, !report.is_null());
    if !report.is_null() {
        check_report(report);
        // SAFETY: the report and its copy are freed once each, the copy later.
        unsafe {
            let copy = stp_report_copy(report);
            stp_report_free(report);
            check_report(copy);
            stp_report_free(copy);
        }
    }
}

unsafe extern "C" fn on_report(
    _: usize,
    report: *const stp_report,
    user_data: *mut c_void,
) -> c_int {
    check_report(report);
    answer(user_data)
}

unsafe extern "C" fn on_progress(_: *const stp_search_status, user_data: *mut c_void) -> c_int {
    answer(user_data)
}

/// What a callback returns: the number that it is passed, if it is passed any.
fn answer(user_data: *mut c_void) -> c_int {
    // SAFETY: it is null or points to a number of the caller's.
    unsafe { user_data.cast::<c_int>().as_ref() }.map_or(0, |answer| *answer)
}

impl Caller<'_, '_> {
    fn any<T: for<'x> Arbitrary<'x>>(&mut self) -> Result<T> {
        self.0.arbitrary()
    }

    fn text(&mut self) -> Result<Text> {
        let choice = usize::from(self.any::<u8>()?);
        Ok(match choice {
            0..16 => Text::Null,
            16..64 => {
                let length = usize::from(self.any::<u8>()? % 64);
                let mut bytes = self.0.bytes(length.min(self.0.len()))?.to_vec();
                bytes.push(0);
                let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(0);
                Text::Own(CString::new(&bytes[..end]).expect("it ends at its first NUL"))
            }
            _ => Text::Known(TEXTS[choice % TEXTS.len()]),
        })
    }

    fn solver(&mut self) -> Result<*const stp_solver> {
        Ok(SOLVERS[usize::from(self.any::<u8>()?) % SOLVERS.len()] as *const stp_solver)
    }

    /// A number for options: often 0, sometimes one that makes no sense.
    fn real(&mut self) -> Result<f64> {
        Ok(match self.any::<u8>()? {
            0..180 => 0.0,
            180..200 => 1e-3,
            200..210 => f64::NAN,
            210..220 => f64::INFINITY,
            220..230 => -1.0,
            _ => f64::from_bits(self.any()?),
        })
    }

    /// An enumeration of C: mostly one of the first numbers.
    fn small(&mut self) -> Result<i32> {
        let choice = self.any::<u8>()?;
        if choice < 250 {
            Ok(i32::from(choice % 3))
        } else {
            self.any()
        }
    }

    /// A struct of options as a program of another version has it: of its own size, in memory of
    /// just that size.
    fn sized<T: Copy>(&mut self, options: T) -> Result<Vec<u64>> {
        let ours = size_of::<T>();
        let size = match self.any::<u8>()? {
            0..200 => ours,
            200..220 => ours - 8 * usize::from(self.any::<u8>()? % 4),
            220..240 => ours + 8 * usize::from(self.any::<u8>()?),
            _ => usize::from(self.any::<u16>()?) & !7,
        };
        let filler = if self.any::<u8>()? < 128 {
            0
        } else {
            self.any()?
        };
        let mut words = vec![0_u64; (size.max(8)) / 8];
        // SAFETY: as many bytes as both have; any bytes are whole numbers.
        unsafe {
            let to = words.as_mut_ptr().cast::<u8>();
            let from = (&raw const options).cast::<u8>();
            from.copy_to_nonoverlapping(to, ours.min(8 * words.len()));
        }
        if let Some(last) = words.get_mut(ours / 8..).and_then(<[u64]>::last_mut) {
            *last = filler;
        }
        words[0] = size as u64;
        Ok(words)
    }

    fn call(&mut self) -> Result<()> {
        match self.any::<u8>()? % 22 {
            0..5 => self.open(),
            5..12 => self.search(),
            12 => self.list(),
            13..15 => self.advice(),
            15..18 => self.look(),
            18..21 => self.boards(),
            _ => self.scramble(),
        }
    }

    fn open(&mut self) -> Result<()> {
        let texts = [self.text()?, self.text()?, self.text()?, self.text()?];
        let size = match self.any::<u8>()? {
            0..200 => SIZES[usize::from(self.any::<u8>()?) % SIZES.len()].as_ptr(),
            _ => texts[0].as_ptr(),
        };
        let mut files: Vec<Vec<u8>> = Vec::new();
        for _ in 0..self.any::<u8>()? % 4 {
            let mut file = match usize::from(self.any::<u8>()?) % (TABLES.len() + 1) {
                0 => SOUND.0.clone(),
                table => TABLES[table - 1].clone(),
            };
            if self.any::<u8>()? < 128 {
                let at = usize::from(self.any::<u16>()?) % file.len();
                file[at] ^= self.any::<u8>()?;
                file.truncate(usize::from(self.any::<u16>()?).max(1));
            }
            files.push(file);
        }
        let bytes = |file: &Vec<u8>| stp_bytes {
            data: file.as_ptr(),
            length: file.len(),
        };
        let mut tables: Vec<stp_bytes> = files.iter().map(bytes).collect();
        if self.any::<u8>()? > 240 {
            tables.push(stp_bytes {
                data: null(),
                length: self.any()?,
            });
        }
        let cancel = stp_cancel_new();
        if self.any::<u8>()? > 240 {
            // SAFETY: it is not freed.
            unsafe { stp_cancel_cancel(cancel) };
        }
        let options = stp_open_options {
            size,
            goal: texts[1].as_ptr(),
            metric: if self.any::<u8>()? < 128 {
                null()
            } else {
                texts[2].as_ptr()
            },
            partition: texts[3].as_ptr(),
            // A place where no directory can be.
            directory: if self.any::<u8>()? < 240 {
                null()
            } else {
                c"/dev/null/x".as_ptr()
            },
            tables: if tables.is_empty() {
                null()
            } else {
                tables.as_ptr()
            },
            table_count: tables.len(),
            // Short enough that only small tables are built.
            max_build_time: match self.real()? {
                time if time == 0.0 || time > 1e-3 => 1e-3,
                time => time,
            },
            max_memory: if self.any::<u8>()? < 200 {
                0
            } else {
                self.any()?
            },
            threads: if self.any::<u8>()? < 250 { 1 } else { 4097 },
            load: self.small()?,
            cancel,
            ..zeroed()
        };
        let options = self.sized(options)?;
        let mut solver = std::ptr::dangling_mut::<stp_solver>();
        let mut failure = Failure::new();
        // SAFETY: the options have as many bytes as they say, and live until the call has
        // returned, as does all that they point to; what the call gives is freed once.
        unsafe {
            let code =
                stp_solver_open(options.as_ptr().cast(), &raw mut solver, &raw mut failure.0);
            failure.check(code);
            assert_eq!(code == STP_OK, !solver.is_null());
            if !solver.is_null() {
                let (mut json, mut failure) = (null_mut(), Failure::new());
                let code = stp_solver_info(solver, &raw mut json, &raw mut failure.0);
                failure.check(code);
                take_text(code, json);
                stp_solver_free(solver);
            }
            stp_cancel_free(cancel);
        }
        Ok(())
    }

    /// Options that end soon. `answer` is what callbacks return.
    fn options(&mut self, answer: &mut c_int, cancel: *const stp_cancel) -> Result<Vec<u64>> {
        let nodes = self.any::<u16>()?;
        let options = stp_solve_options {
            mode: self.small()?,
            notation: self.small()?,
            threads: if self.any::<u8>()? < 250 { 1 } else { 4097 },
            short_solution: self.small()?,
            explain: self.small()?,
            pruning: self.small()?,
            max_time: self.real()?,
            max_nodes: 1 + u64::from(nodes) % MAX_NODES,
            max_memory: if self.any::<u8>()? < 200 {
                1 << 20
            } else {
                self.any()?
            },
            seed: self.any()?,
            within: self.real()?,
            cancel,
            on_progress: if self.any::<u8>()? < 128 {
                None
            } else {
                Some(on_progress)
            },
            user_data: std::ptr::from_mut(answer).cast(),
            ..zeroed()
        };
        self.sized(options)
    }

    fn search(&mut self) -> Result<()> {
        let (solver, board) = (self.solver()?, self.text()?);
        let mut answer = c_int::from(self.any::<u8>()? > 200);
        let options = self.options(&mut answer, null())?;
        let (within, most) = (
            u32::from(self.any::<u8>()? % 4),
            usize::from(self.any::<u8>()?),
        );
        let is_all = self.any::<u8>()? < 64;
        // A program so old that its options end before the limits has none: it asks for all of it.
        let mut report = std::ptr::dangling_mut::<stp_report>();
        let mut failure = Failure::new();
        // SAFETY: the solver is null or never freed, the rest is this function's own.
        let code = unsafe {
            let options = options.as_ptr().cast();
            let (report, error) = (&raw mut report, &raw mut failure.0);
            match is_all {
                true => stp_solver_all_solutions(
                    solver,
                    board.as_ptr(),
                    within,
                    most,
                    options,
                    report,
                    error,
                ),
                false => stp_solver_solve(solver, board.as_ptr(), options, report, error),
            }
        };
        failure.check(code);
        take_report(code, report);
        Ok(())
    }

    fn list(&mut self) -> Result<()> {
        let solver = self.solver()?;
        let boards = [self.text()?, self.text()?, self.text()?];
        let pointers = boards.each_ref().map(Text::as_ptr);
        let count = usize::from(self.any::<u8>()?) % 4;
        let mut answer = c_int::from(self.any::<u8>()? > 200);
        let options = self.options(&mut answer, null())?;
        let mut failure = Failure::new();
        // SAFETY: the solver is null or never freed, the rest is this function's own.
        let code = unsafe {
            stp_solver_solve_list(
                solver,
                pointers.as_ptr(),
                count,
                options.as_ptr().cast(),
                if self.any::<u8>()? < 250 {
                    Some(on_report)
                } else {
                    None
                },
                (&raw mut answer).cast(),
                &raw mut failure.0,
            )
        };
        failure.check(code);
        Ok(())
    }

    fn advice(&mut self) -> Result<()> {
        let (solver, board, moves) = (self.solver()?, self.text()?, self.text()?);
        let mut answer = c_int::from(self.any::<u8>()? > 200);
        let options = self.options(&mut answer, null())?;
        let is_hint = self.any::<u8>()? < 128;
        let (mut json, mut failure) = (std::ptr::dangling_mut(), Failure::new());
        // SAFETY: the solver is null or never freed, the rest is this function's own.
        let code = unsafe {
            let (json, error) = (&raw mut json, &raw mut failure.0);
            let options = options.as_ptr().cast();
            match is_hint {
                true => stp_solver_hint(solver, board.as_ptr(), options, json, error),
                false => {
                    stp_solver_rate(solver, board.as_ptr(), moves.as_ptr(), options, json, error)
                }
            }
        };
        failure.check(code);
        take_text(code, json);
        Ok(())
    }

    fn look(&mut self) -> Result<()> {
        let (solver, board, moves) = (self.solver()?, self.text()?, self.text()?);
        let (goal, style) = (self.text()?, self.text()?);
        let (mut given, mut failure) = (std::ptr::dangling_mut(), Failure::new());
        let to = self.small()?;
        let choice = self.any::<u8>()? % 6;
        // SAFETY: the solver is null or never freed, the rest is this function's own.
        let code = unsafe {
            let (text, error) = (&raw mut given, &raw mut failure.0);
            let board = board.as_ptr();
            match choice {
                0 => stp_solver_probe(solver, board, text, error),
                1 => stp_moves_convert(board, moves.as_ptr(), to, text, error),
                2 => stp_moves_invert(moves.as_ptr(), text, error),
                3 | 4 => {
                    let (goal, style) = (goal.as_ptr(), style.as_ptr());
                    stp_board_draw(board, goal, style, moves.as_ptr(), text, error)
                }
                _ => {
                    let mut estimate = 77;
                    let code = stp_solver_estimate(solver, board, &raw mut estimate, error);
                    assert!(code == STP_OK || estimate == 0);
                    failure.check(code);
                    return Ok(());
                }
            }
        };
        failure.check(code);
        take_text(code, given);
        Ok(())
    }

    fn boards(&mut self) -> Result<()> {
        let (board, size) = (self.text()?, self.text()?);
        let (moves, goal) = (self.text()?, self.text()?);
        let (mut given, mut failure) = (std::ptr::dangling_mut(), Failure::new());
        let choice = self.any::<u8>()? % 5;
        let numbers: [u16; 16] = self.any()?;
        let (columns, rows) = (
            u32::from(self.any::<u8>()? % 5),
            u32::from(self.any::<u8>()? % 5),
        );
        // SAFETY: all of it is this function's own. There are as many numbers as cells at most.
        let code = unsafe {
            let (place, error) = (&raw mut given, &raw mut failure.0);
            match choice {
                0 => stp_board_parse(board.as_ptr(), size.as_ptr(), place, error),
                1 => stp_board_of_numbers(numbers.as_ptr(), columns, rows, place, error),
                2 => stp_board_of_goal(goal.as_ptr(), size.as_ptr(), place, error),
                3 => {
                    let mut is_goal = 77;
                    let (moves, goal) = (moves.as_ptr(), goal.as_ptr());
                    stp_board_apply(board.as_ptr(), moves, goal, place, &raw mut is_goal, error)
                }
                _ => {
                    let mut swap = [77; 2];
                    let (board, goal) = (board.as_ptr(), goal.as_ptr());
                    let code = stp_board_check(board, goal, swap.as_mut_ptr(), error);
                    assert!(swap[0] < swap[1] || swap == [0, 0]);
                    assert!(code == STP_UNSOLVABLE || swap == [0, 0]);
                    failure.check(code);
                    return Ok(());
                }
            }
        };
        failure.check(code);
        take_board(code, given);
        Ok(())
    }

    fn scramble(&mut self) -> Result<()> {
        let (size, goal) = (self.text()?, self.text()?);
        let count = match self.any::<u16>()? {
            count @ 0..2000 => u64::from(count),
            _ => self.any::<u64>()? | 1 << 20,
        };
        let is_walk = self.any::<u8>()? < 128;
        let seed = self.any()?;
        let (mut board, mut moves) = (std::ptr::dangling_mut(), std::ptr::dangling_mut());
        let mut failure = Failure::new();
        // SAFETY: the stream is made and freed here, the rest is this function's own.
        unsafe {
            let stream = stp_scrambler_new(seed);
            let (size, goal) = (size.as_ptr(), goal.as_ptr());
            let (place, error) = (&raw mut board, &raw mut failure.0);
            let code = match is_walk {
                true => {
                    let code =
                        stp_scrambler_walk(stream, size, goal, count, place, &raw mut moves, error);
                    take_text(code, moves);
                    code
                }
                false => stp_scrambler_draw(stream, size, goal, place, error),
            };
            failure.check(code);
            take_board(code, board);
            stp_scrambler_free(stream);
        }
        Ok(())
    }
}
