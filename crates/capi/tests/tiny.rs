//! Calls every function of the library with heap memory exactly as large as the header requires.
//! The inputs are so small that memory checkers, which are up to a thousand times slower, finish:
//! scripts/check/memory.sh runs all tests named `tiny`. The checker reports a byte that is read or
//! written beyond the caller's memory.
#![allow(unsafe_code, reason = "calls of C")]
#![allow(clippy::unwrap_used)]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::{MaybeUninit, offset_of};
use std::ptr::{null, null_mut};
use std::thread;

use slidingtilepdb::*;

/// A board two moves from the goal.
const BOARD: &str = "1 2 3/0 4 5";
const UNSOLVABLE: &str = "2 1 3/4 5 0";

/// A text that ends where its allocation ends.
struct Text(Box<[u8]>);

impl Text {
    fn new(text: &str) -> Text {
        Text(text.bytes().chain([0]).collect())
    }

    fn pointer(&self) -> *const c_char {
        self.0.as_ptr().cast()
    }
}

/// Uninitialised heap memory for one result of a call.
struct Place<T>(Box<MaybeUninit<T>>);

impl<T: Copy> Place<T> {
    fn new() -> Place<T> {
        Place(Box::new(MaybeUninit::uninit()))
    }

    fn pointer(&mut self) -> *mut T {
        self.0.as_mut_ptr()
    }

    /// The result that a call has written.
    fn get(&self) -> T {
        // SAFETY: every call writes all its results, even if it fails. Otherwise the memory
        // checkers report the read of uninitialised memory.
        unsafe { *self.0.as_ptr() }
    }
}

/// Options of a program that was compiled with the first version of the header. The allocation has
/// exactly the size of the struct in that version.
struct FirstVersion(Box<[u64]>);

impl FirstVersion {
    /// `fill` writes members through a pointer.
    fn new<T>(size: usize, fill: impl FnOnce(*mut T)) -> FirstVersion {
        let mut words = vec![0_u64; size / 8].into_boxed_slice();
        words[0] = size as u64;
        fill(words.as_mut_ptr().cast());
        FirstVersion(words)
    }

    fn pointer<T>(&self) -> *const T {
        self.0.as_ptr().cast()
    }
}

const OPEN_SIZE: usize = offset_of!(stp_open_options, user_data) + size_of::<*mut c_void>();
const SOLVE_SIZE: usize = offset_of!(stp_solve_options, user_data) + size_of::<*mut c_void>();

/// Checks that the returned code and the code of the error are `expected`, and that only a failure
/// has a message.
fn expect(code: stp_code, error: &Place<stp_error>, expected: stp_code) {
    // Only the message up to its NUL is initialised, so the struct must not be read as a whole.
    let pointer = error.0.as_ptr();
    // SAFETY: the code and the message were written, and the message ends with a NUL.
    let (said, message) = unsafe {
        let message = CStr::from_ptr((&raw const (*pointer).message).cast());
        (
            (&raw const (*pointer).code).read(),
            message.to_str().unwrap(),
        )
    };
    assert_eq!((code, said), (expected, expected), "{message}");
    assert_eq!(message.is_empty(), expected == STP_OK);
}

fn read(text: *const c_char) -> String {
    assert!(!text.is_null());
    // SAFETY: texts of the library end with a NUL.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap().to_owned()
}

fn taken(text: *mut c_char) -> String {
    let copy = read(text);
    // SAFETY: this test owns the text.
    unsafe { stp_string_free(text) };
    copy
}

/// Opens a solver of 3x2 boards with the heuristic `partition`.
fn open(partition: &str) -> *mut stp_solver {
    let (size, partition) = (Text::new("3x2"), Text::new(partition));
    let options = FirstVersion::new(OPEN_SIZE, |options: *mut stp_open_options| {
        // SAFETY: the first version of the structure contains these members.
        unsafe {
            (&raw mut (*options).size).write(size.pointer());
            (&raw mut (*options).partition).write(partition.pointer());
            (&raw mut (*options).threads).write(2);
            (&raw mut (*options).max_memory).write(1 << 30);
        }
    });
    let (mut solver, mut error) = (Place::new(), Place::new());
    // SAFETY: all pointers meet the header's requirements.
    let code = unsafe { stp_solver_open(options.pointer(), solver.pointer(), error.pointer()) };
    expect(code, &error, STP_OK);
    solver.get()
}

/// Reads everything that a report points to.
fn read_report(report: *const stp_report) -> stp_report {
    // SAFETY: the report is not freed, and its arrays have the stated lengths.
    unsafe {
        let copy = *report;
        let texts = [
            copy.board,
            copy.moves,
            copy.letters,
            copy.tables,
            copy.message,
        ];
        for text in texts.into_iter().filter(|text| !text.is_null()) {
            read(text);
        }
        if !copy.counts.is_null() {
            let counts = std::slice::from_raw_parts(copy.counts, copy.counts_length);
            assert_eq!(counts[0], copy.count);
        }
        if !copy.solutions.is_null() {
            for &text in std::slice::from_raw_parts(copy.solutions, copy.solution_count) {
                read(text);
            }
        }
        read(stp_report_json(report));
        copy
    }
}

unsafe extern "C" fn hear(report: *const stp_report, kept: *mut c_void) -> c_int {
    read_report(report);
    // SAFETY: `kept` points to the list of the test, which runs on this thread.
    unsafe { (*kept.cast::<Vec<usize>>()).push(stp_report_copy(report) as usize) };
    0
}

unsafe extern "C" fn hear_numbered(
    _number: usize,
    report: *const stp_report,
    kept: *mut c_void,
) -> c_int {
    // SAFETY: the report is valid, and `kept` points to the list of the test.
    unsafe { hear(report, kept) }
}

unsafe extern "C" fn hear_search(status: *const stp_search_status, calls: *mut c_void) -> c_int {
    // SAFETY: the status is valid, and `calls` points to a number of the test.
    unsafe {
        assert!((*status).ms >= 0.0);
        *calls.cast::<u32>() += 1;
    }
    0
}

unsafe extern "C" fn hear_build(status: *const stp_build_status, calls: *mut c_void) -> c_int {
    // SAFETY: the status is valid, and `calls` points to a number of the test.
    unsafe {
        read((*status).table);
        *calls.cast::<u32>() += 1;
    }
    0
}

fn free_kept(kept: Vec<usize>) {
    assert!(!kept.is_empty());
    for report in kept {
        read_report(report as *const stp_report);
        // SAFETY: each copy is freed once.
        unsafe { stp_report_free(report as *mut stp_report) };
    }
}

#[test]
fn tiny_boards_and_moves_of_exact_size() {
    let (text, goal, moves) = (Text::new(BOARD), Text::new("blank-last"), Text::new("LL"));
    let (size, style, wrong) = (Text::new("3x2"), Text::new("svg"), Text::new("1 1/0 x"));
    let (mut made, mut error) = (Place::<*mut stp_board>::new(), Place::new());
    let (mut line, mut swap) = (Place::<*mut c_char>::new(), Place::<[u16; 2]>::new());
    let mut is_goal = Place::<i32>::new();
    let numbers: Box<[u16]> = Box::new([1, 2, 3, 4, 5, 0]);
    // SAFETY: all pointers meet the header's requirements.
    unsafe {
        let check = |made: &Place<*mut stp_board>| {
            let board = made.get();
            let numbers = std::slice::from_raw_parts((*board).numbers, (*board).cells);
            assert_eq!(numbers.len(), 6);
            let text = read((*board).text);
            stp_board_free(board);
            text
        };
        let (board, error_at) = (text.pointer(), error.pointer());
        let code = stp_board_parse(board, size.pointer(), made.pointer(), error_at);
        expect(code, &error, STP_OK);
        assert_eq!(check(&made), BOARD);
        let code = stp_board_parse(wrong.pointer(), null(), made.pointer(), error.pointer());
        expect(code, &error, STP_ERROR);
        assert!(made.get().is_null());
        let code = stp_board_of_numbers(numbers.as_ptr(), 3, 2, made.pointer(), error.pointer());
        expect(code, &error, STP_OK);
        assert_eq!(check(&made), "1 2 3/4 5 0");
        let (goal, place) = (goal.pointer(), made.pointer());
        let code = stp_board_of_goal(goal, size.pointer(), place, error.pointer());
        expect(code, &error, STP_OK);
        assert_eq!(check(&made), "1 2 3/4 5 0");

        let code = stp_board_check(board, goal, swap.pointer().cast(), error.pointer());
        expect(code, &error, STP_OK);
        assert_eq!(swap.get(), [0, 0]);
        let odd = Text::new(UNSOLVABLE);
        let code = stp_board_check(odd.pointer(), goal, swap.pointer().cast(), error.pointer());
        expect(code, &error, STP_UNSOLVABLE);
        assert_eq!(swap.get(), [1, 2]);

        let (moves, place) = (moves.pointer(), made.pointer());
        let code = stp_board_apply(
            board,
            moves,
            goal,
            place,
            is_goal.pointer(),
            error.pointer(),
        );
        expect(code, &error, STP_OK);
        assert_eq!(is_goal.get(), 1);
        assert_eq!(check(&made), "1 2 3/4 5 0");
        let (style, place) = (style.pointer(), line.pointer());
        let code = stp_board_draw(board, goal, style, moves, place, error.pointer());
        expect(code, &error, STP_OK);
        assert!(taken(line.get()).starts_with("<svg"));
        let place = line.pointer();
        let code = stp_moves_convert(board, moves, STP_NOTATION_NUMBERS, place, error.pointer());
        expect(code, &error, STP_OK);
        assert_eq!(taken(line.get()), "4 5");
        let code = stp_moves_invert(moves, line.pointer(), error.pointer());
        expect(code, &error, STP_OK);
        assert_eq!(taken(line.get()), "R2");
        let code = stp_moves_invert(wrong.pointer(), line.pointer(), null_mut());
        assert!(code == STP_ERROR && line.get().is_null());
    }
    assert!(!read(stp_code_name(STP_LIMIT)).is_empty() && !read(stp_version()).is_empty());
    assert_eq!(stp_abi_version(), STP_ABI_VERSION);
}

#[test]
fn tiny_scrambles_of_exact_size() {
    let (size, mut error) = (Text::new("3x2"), Place::new());
    let (mut made, mut line) = (Place::<*mut stp_board>::new(), Place::<*mut c_char>::new());
    let stream = stp_scrambler_new(7);
    // SAFETY: all pointers meet the header's requirements.
    unsafe {
        let (size, at) = (size.pointer(), made.pointer());
        let code = stp_scrambler_draw(stream, size, null(), at, error.pointer());
        expect(code, &error, STP_OK);
        stp_board_free(made.get());
        for count in [9, u64::MAX] {
            let (at, moves) = (made.pointer(), line.pointer());
            let code = stp_scrambler_walk(stream, size, null(), count, at, moves, error.pointer());
            if count > 9 {
                expect(code, &error, STP_ERROR);
                assert!(made.get().is_null() && line.get().is_null());
                continue;
            }
            expect(code, &error, STP_OK);
            assert_eq!(taken(line.get()).len(), 9);
            stp_board_free(made.get());
        }
        stp_scrambler_free(stream);
    }
}

#[test]
fn tiny_answers_of_exact_size() {
    let solver = open("manhattan");
    let (text, moves, odd) = (Text::new(BOARD), Text::new("LL"), Text::new(UNSOLVABLE));
    let (board, moves, odd) = (text.pointer(), moves.pointer(), odd.pointer());
    let (mut made, mut error) = (Place::<*mut stp_report>::new(), Place::new());
    let (mut line, mut estimate) = (Place::<*mut c_char>::new(), Place::<u32>::new());
    let mut calls = 0_u32;
    let token = stp_cancel_new();
    let options = FirstVersion::new(SOLVE_SIZE, |options: *mut stp_solve_options| {
        // SAFETY: the first version of the structure contains these members.
        unsafe {
            (&raw mut (*options).threads).write(1);
            (&raw mut (*options).cancel).write(token);
            (&raw mut (*options).on_progress).write(Some(hear_search));
            (&raw mut (*options).user_data).write((&raw mut calls).cast());
        }
    });
    let given = options.pointer();
    // SAFETY: all pointers meet the header's requirements.
    unsafe {
        assert_eq!(read(stp_solver_partition(solver)), "manhattan");
        let code = stp_solver_solve(solver, board, given, made.pointer(), error.pointer());
        expect(code, &error, STP_OK);
        assert_eq!(read_report(made.get()).length, 2);
        let copy = stp_report_copy(made.get());
        stp_report_free(made.get());
        read_report(copy);
        stp_report_free(copy);
        let code = stp_solver_solve(solver, odd, null(), made.pointer(), error.pointer());
        expect(code, &error, STP_UNSOLVABLE);
        assert_eq!(read_report(made.get()).swap, [1, 2]);
        let mut copied: stp_report = *made.get();
        stp_report_free(&raw mut copied);
        stp_report_free(made.get());
        let place = made.pointer();
        let code = stp_solver_all_solutions(solver, board, 2, 4, given, place, error.pointer());
        expect(code, &error, STP_OK);
        assert_eq!(read_report(made.get()).count, 1);
        stp_report_free(made.get());

        let code = stp_solver_hint(solver, board, given, line.pointer(), error.pointer());
        expect(code, &error, STP_OK);
        assert!(taken(line.get()).contains("\"distance\""));
        let code = stp_solver_rate(solver, board, moves, given, line.pointer(), error.pointer());
        expect(code, &error, STP_OK);
        taken(line.get());
        let code = stp_solver_probe(solver, board, line.pointer(), error.pointer());
        expect(code, &error, STP_OK);
        taken(line.get());
        let code = stp_solver_info(solver, line.pointer(), error.pointer());
        expect(code, &error, STP_OK);
        taken(line.get());
        let code = stp_solver_estimate(solver, board, estimate.pointer(), error.pointer());
        expect(code, &error, STP_OK);
        assert_eq!(estimate.get(), 2);
        let numbers: Box<[u16]> = [1, 2, 3, 0, 4, 5].repeat(2).into();
        let mut estimates = Place::<[u16; 2]>::new();
        let (from, to) = (numbers.as_ptr(), estimates.pointer().cast());
        let code = stp_solver_estimates(solver, from, 2, null(), to, error.pointer());
        expect(code, &error, STP_OK);
        assert_eq!(estimates.get(), [2, 2]);
        stp_cancel_cancel(token);
        assert_eq!(stp_cancel_is_cancelled(token), 1);
        let code = stp_solver_hint(solver, board, given, line.pointer(), error.pointer());
        expect(code, &error, STP_CANCELLED);
        assert!(line.get().is_null());
        stp_cancel_free(token);
        stp_solver_free(solver);
    }
}

#[test]
fn tiny_freeing_null_does_nothing() {
    // SAFETY: nothing is freed.
    unsafe {
        stp_string_free(null_mut());
        stp_report_free(null_mut());
        stp_board_free(null_mut());
        stp_solver_free(null_mut());
        stp_scrambler_free(null_mut());
        stp_cancel_free(null_mut());
    }
}

/// Callbacks receive the reports of lists and anytime searches, on several threads.
#[test]
fn tiny_lists_of_exact_size() {
    let solver = open("manhattan");
    let texts = [BOARD, UNSOLVABLE, "1 2", BOARD].map(Text::new);
    let boards: Box<[*const c_char]> = texts.iter().map(Text::pointer).chain([null()]).collect();
    let (mut kept, mut error) = (Vec::<usize>::new(), Place::new());
    // SAFETY: all pointers meet the header's requirements.
    unsafe {
        let data = (&raw mut kept).cast();
        let (first, count, on_report) = (boards.as_ptr(), boards.len(), Some(hear_numbered as _));
        let code = stp_solver_solve_list(
            solver,
            first,
            count,
            null(),
            on_report,
            data,
            error.pointer(),
        );
        expect(code, &error, STP_OK);
        assert_eq!(kept.len(), 5);
        free_kept(std::mem::take(&mut kept));

        let numbers: Box<[u16]> = [1, 2, 3, 0, 4, 5].repeat(2).into();
        let (data, first) = ((&raw mut kept).cast(), numbers.as_ptr());
        let code =
            stp_solver_solve_numbers(solver, first, 2, null(), on_report, data, error.pointer());
        expect(code, &error, STP_OK);
        assert_eq!(kept.len(), 2);
        free_kept(std::mem::take(&mut kept));

        let data = (&raw mut kept).cast();
        let options = FirstVersion::new(SOLVE_SIZE, |options: *mut stp_solve_options| {
            (&raw mut (*options).mode).write(STP_MODE_ANYTIME);
            (&raw mut (*options).on_improved).write(Some(hear));
            (&raw mut (*options).user_data).write(data);
        });
        let mut made = Place::<*mut stp_report>::new();
        let (text, given) = (texts[0].pointer(), options.pointer());
        let code = stp_solver_solve(solver, text, given, made.pointer(), error.pointer());
        expect(code, &error, STP_OK);
        read_report(made.get());
        stp_report_free(made.get());
        free_kept(kept);

        // Two threads use one solver, and a third frees a report.
        let address = solver as usize;
        let solved = [0, 1].map(|number| {
            let board = Text::new([BOARD, UNSOLVABLE][number]);
            thread::spawn(move || {
                let (solver, mut made) = (address as *const stp_solver, Place::new());
                let report = made.pointer();
                stp_solver_solve(solver, board.pointer(), null(), report, null_mut());
                made.get() as usize
            })
        });
        for thread in solved {
            let report = thread.join().unwrap() as *mut stp_report;
            read_report(report);
            stp_report_free(report);
        }
        stp_solver_free(solver);
    }
}

/// Opens solvers with all, some or none of the tables in the caller's memory. Threads of the pool
/// build the missing tables.
#[test]
fn tiny_tables_of_exact_size() {
    let size = Text::new("3x2");
    let partition = Text::new("1,2,3/4,5");
    let goal = puzzle::Goal::blank_last("3x2".parse().unwrap());
    let spec = puzzle::HeuristicSpec::parse("1,2,3/4,5", &goal).unwrap();
    let files: Vec<Box<[u8]>> = spec
        .tables()
        .into_iter()
        .map(|id| {
            let control = pdb_table::Control::default();
            let built = pdb_gen::build(id, pdb_table::Encoding::U8, &control).unwrap();
            built.into_table().bytes().into()
        })
        .collect();
    let tables: Box<[stp_bytes]> = files
        .iter()
        .map(|file| stp_bytes {
            data: file.as_ptr(),
            length: file.len(),
        })
        .collect();
    let mut calls = 0_u32;
    for given in [tables.len(), 1, 0] {
        let options = FirstVersion::new(OPEN_SIZE, |options: *mut stp_open_options| {
            // SAFETY: the first version of the structure contains these members.
            unsafe {
                (&raw mut (*options).size).write(size.pointer());
                (&raw mut (*options).partition).write(partition.pointer());
                (&raw mut (*options).threads).write(2);
                (&raw mut (*options).tables).write(tables.as_ptr());
                (&raw mut (*options).table_count).write(given);
                (&raw mut (*options).on_build).write(Some(hear_build));
                (&raw mut (*options).user_data).write((&raw mut calls).cast());
            }
        });
        calls = 0;
        let (mut solver, mut error) = (Place::new(), Place::new());
        // SAFETY: all pointers meet the header's requirements.
        let code = unsafe { stp_solver_open(options.pointer(), solver.pointer(), error.pointer()) };
        expect(code, &error, STP_OK);
        assert_eq!(calls == 0, given == tables.len());
        let (board, mut made) = (Text::new(BOARD), Place::<*mut stp_report>::new());
        // SAFETY: all pointers meet the header's requirements. The solver has copied the tables.
        unsafe {
            let solver = solver.get();
            let report = made.pointer();
            stp_solver_solve(solver, board.pointer(), null(), report, null_mut());
            stp_solver_free(solver);
            assert_eq!(read_report(made.get()).length, 2);
            stp_report_free(made.get());
        }
    }
}
