//! Calls every function of the library with heap memory exactly as large as the header requires.
//! The inputs are so small that memory checkers, which are up to a thousand times slower, finish:
//! scripts/check/memory.sh runs all tests named `tiny`. The checker reports a byte that is read or
//! written beyond the caller's memory.
#![allow(unsafe_code, reason = "calls of C")]
#![allow(clippy::unwrap_used)]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::MaybeUninit;
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

/// Checks that the returned code and the code of the error are `expected`, and that only a failure
/// has a message.
fn expect(code: stp_code, error: &Place<stp_error>, expected: stp_code) {
    // Only the message up to its NUL is initialised, so the struct must not be read as a whole.
    let pointer = error.0.as_ptr();
    // SAFETY: the code and the message were written, and the message ends with a NUL.
    let (said, message) = unsafe {
        let message = read((&raw const (*pointer).message).cast());
        ((&raw const (*pointer).code).read(), message)
    };
    assert_eq!((code, said), (expected, expected), "{message}");
    assert_eq!(message.is_empty(), expected == STP_OK);
}

fn read(text: *const c_char) -> String {
    assert!(!text.is_null());
    // SAFETY: texts of the library end with a NUL.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap().to_owned()
}

fn open_session(options: &str) -> *mut stp_session {
    let (options, mut session, mut error) = (Text::new(options), Place::new(), Place::new());
    let (place, to) = (session.pointer(), error.pointer());
    // SAFETY: all pointers meet the header's requirements.
    let code = unsafe { stp_session_open(null(), options.pointer(), place, to) };
    expect(code, &error, STP_OK);
    session.get()
}

/// Opens a solver of 3x2 boards, and frees its session.
fn open(options: &str) -> *mut stp_solver {
    let (options, session) = (Text::new(options), open_session(r#"{"threads": 2}"#));
    let (mut solver, mut error) = (Place::new(), Place::new());
    // SAFETY: all pointers meet the header's requirements.
    unsafe {
        let (place, to, none) = (solver.pointer(), error.pointer(), null_mut());
        let code = stp_solver_open(session, options.pointer(), None, none, null(), place, to);
        expect(code, &error, STP_OK);
        stp_session_free(session);
    }
    solver.get()
}

/// Solves a board without listener, token and error.
fn solve_quietly(solver: *const stp_solver, board: &Text) -> *mut stp_report {
    let (mut made, none) = (Place::new(), null_mut());
    let (board, place) = (board.pointer(), made.pointer());
    // SAFETY: the pointers meet the header's requirements.
    unsafe { stp_solver_solve(solver, board, None, none, null(), place, null_mut()) };
    made.get()
}

/// Reads everything that a report points to.
fn read_report(report: *const stp_report) -> stp_report {
    // SAFETY: the report is not freed.
    unsafe {
        let copy = *report;
        let texts = [copy.moves, copy.letters, copy.message].into_iter();
        for text in texts.filter(|text| !text.is_null()) {
            read(text);
        }
        assert!(read(stp_report_json(report)).starts_with('{'));
        copy
    }
}

unsafe extern "C" fn hear_report(
    _number: usize,
    report: *const stp_report,
    kept: *mut c_void,
) -> c_int {
    read_report(report);
    // SAFETY: `kept` points to the list of the test, which runs on this thread.
    unsafe { (*kept.cast::<Vec<usize>>()).push(stp_report_copy(report) as usize) };
    0
}

unsafe extern "C" fn hear(event: *const c_char, calls: *mut c_void) -> c_int {
    assert!(read(event).starts_with('{'));
    // SAFETY: `calls` points to a number of the test.
    unsafe { *calls.cast::<u32>() += 1 };
    0
}

fn free_kept(kept: &mut Vec<usize>) {
    assert!(!kept.is_empty());
    for report in kept.drain(..) {
        read_report(report as *const stp_report);
        // SAFETY: each report is freed once.
        unsafe { stp_report_free(report as *mut stp_report) };
    }
}

#[test]
fn tiny_questions_of_exact_size() {
    let session = open_session(r#"{"threads": 1}"#);
    let (mut answer, mut error) = (Place::<*mut c_char>::new(), Place::new());
    let mut calls = 0_u32;
    let token = stp_cancel_new();
    let mut ask = |request: &str, expected: stp_code| {
        let (request, data) = (Text::new(request), (&raw mut calls).cast());
        let (place, to) = (answer.pointer(), error.pointer());
        // SAFETY: all pointers meet the header's requirements.
        unsafe {
            let code = stp_call(
                session,
                request.pointer(),
                Some(hear),
                data,
                token,
                place,
                to,
            );
            expect(code, &error, expected);
            let text = read(answer.get());
            stp_string_free(answer.get());
            text
        }
    };
    let hint = r#"{"ask": "hint", "board": "1 2 3/0 4 5", "partition": "manhattan"}"#;
    assert!(ask(hint, STP_OK).contains("\"distance\":2"));
    let draw = r#"{"ask": "draw", "board": "1 2 3/0 4 5", "style": "svg", "moves": "LL"}"#;
    assert!(ask(draw, STP_OK).starts_with("\"<svg"));
    let odd = r#"{"ask": "solve", "board": "2 1 3/4 5 0"}"#;
    assert!(ask(odd, STP_UNSOLVABLE).contains("\"swap\":[1,2]"));
    assert!(ask("{", STP_ERROR).contains("\"message\""));
    // SAFETY: the token is not freed.
    unsafe { stp_cancel_cancel(token) };
    assert!(ask(hint, STP_CANCELLED).contains("cancelled"));
    assert!(calls > 0);
    // SAFETY: session and token are freed once.
    unsafe {
        assert_eq!(stp_cancel_is_cancelled(token), 1);
        stp_cancel_free(token);
        stp_session_free(session);
    }
    assert_eq!(
        (stp_abi_version(), read(stp_version()).is_empty()),
        (STP_ABI_VERSION, false)
    );
}

#[test]
fn tiny_answers_of_exact_size() {
    let solver = open(r#"{"size": "3x2", "partition": "manhattan"}"#);
    let (board, odd) = (Text::new(BOARD), Text::new(UNSOLVABLE));
    let (mut made, mut error) = (Place::<*mut stp_report>::new(), Place::new());
    let mut calls = 0_u32;
    // SAFETY: all pointers meet the header's requirements.
    unsafe {
        let (text, data) = (board.pointer(), (&raw mut calls).cast());
        let (place, to) = (made.pointer(), error.pointer());
        let code = stp_solver_solve(solver, text, Some(hear), data, null(), place, to);
        expect(code, &error, STP_OK);
        assert_eq!(read_report(made.get()).length, 2);
        let copy = stp_report_copy(made.get());
        let copied: stp_report = *made.get();
        read_report(&raw const copied);
        stp_report_free(made.get());
        read_report(copy);
        stp_report_free(copy);
        let (place, to) = (made.pointer(), error.pointer());
        let code = stp_solver_solve(solver, odd.pointer(), None, null_mut(), null(), place, to);
        expect(code, &error, STP_UNSOLVABLE);
        read_report(made.get());
        stp_report_free(made.get());

        let mut estimate = Place::<u32>::new();
        let code = stp_solver_estimate(solver, text, estimate.pointer(), error.pointer());
        expect(code, &error, STP_OK);
        assert_eq!(estimate.get(), 2);
        let numbers: Box<[u16]> = [1, 2, 3, 0, 4, 5].repeat(2).into();
        let mut estimates = Place::<[u16; 2]>::new();
        let (from, values) = (numbers.as_ptr(), estimates.pointer().cast());
        let code = stp_solver_estimates(solver, from, 2, null(), values, error.pointer());
        expect(code, &error, STP_OK);
        assert_eq!(estimates.get(), [2, 2]);
        stp_solver_free(solver);
    }
}

#[test]
fn tiny_freeing_null_does_nothing() {
    // SAFETY: nothing is freed.
    unsafe {
        stp_string_free(null_mut());
        stp_report_free(null_mut());
        stp_session_free(null_mut());
        stp_solver_free(null_mut());
        stp_cancel_free(null_mut());
    }
}

/// Callbacks receive the reports of lists and the events of anytime searches, on several threads.
#[test]
fn tiny_lists_of_exact_size() {
    let solver = open(r#"{"size": "3x2", "partition": "manhattan"}"#);
    let texts = [BOARD, UNSOLVABLE, "1 2", BOARD].map(Text::new);
    let boards: Box<[*const c_char]> = texts.iter().map(Text::pointer).chain([null()]).collect();
    let (mut kept, mut error) = (Vec::<usize>::new(), Place::new());
    // SAFETY: all pointers meet the header's requirements.
    unsafe {
        let on = Some(hear_report as _);
        let (from, count, data) = (boards.as_ptr(), boards.len(), (&raw mut kept).cast());
        let code = stp_solver_solve_list(solver, from, count, on, data, null(), error.pointer());
        expect(code, &error, STP_OK);
        assert_eq!(kept.len(), 5);
        free_kept(&mut kept);
        let numbers: Box<[u16]> = [1, 2, 3, 0, 4, 5].repeat(2).into();
        let (from, data) = (numbers.as_ptr(), (&raw mut kept).cast());
        let code = stp_solver_solve_numbers(solver, from, 2, on, data, null(), error.pointer());
        expect(code, &error, STP_OK);
        assert_eq!(kept.len(), 2);
        free_kept(&mut kept);

        let anytime = open(r#"{"size": "3x2", "partition": "manhattan", "mode": "anytime"}"#);
        let (mut made, mut calls) = (Place::new(), 0_u32);
        let (text, data) = (texts[0].pointer(), (&raw mut calls).cast());
        let (place, to) = (made.pointer(), error.pointer());
        let code = stp_solver_solve(anytime, text, Some(hear), data, null(), place, to);
        expect(code, &error, STP_OK);
        read_report(made.get());
        stp_report_free(made.get());
        stp_solver_free(anytime);
        assert!(calls > 0);

        // Two threads use one solver, and a third frees a report.
        let address = solver as usize;
        let solved = [BOARD, UNSOLVABLE].map(|board| {
            let board = Text::new(board);
            thread::spawn(move || solve_quietly(address as *const stp_solver, &board) as usize)
        });
        for thread in solved {
            free_kept(&mut vec![thread.join().unwrap()]);
        }
        stp_solver_free(solver);
    }
}

/// Opens solvers with all, some or none of the tables in the caller's memory. Threads of the pool
/// build the missing tables.
#[test]
fn tiny_tables_of_exact_size() {
    let goal = puzzle::Goal::blank_last("3x2".parse().unwrap());
    let spec = puzzle::HeuristicSpec::parse("1,2,3/4,5", &goal).unwrap();
    let built = spec.tables().into_iter().map(|id| {
        let control = pdb_table::Control::default();
        let built = pdb_gen::build(id, pdb_table::Encoding::U8, &control).unwrap();
        built.into_table().bytes().into()
    });
    let files: Vec<Box<[u8]>> = built.collect();
    let options = Text::new(r#"{"size": "3x2", "partition": "1,2,3/4,5"}"#);
    for given in [files.len(), 1, 0] {
        let session = open_session(r#"{"threads": 2, "max_memory": 1000000000}"#);
        let (mut solver, mut error, mut calls) = (Place::new(), Place::new(), 0_u32);
        let board = Text::new(BOARD);
        // SAFETY: all pointers meet the header's requirements. The session has copied the tables.
        unsafe {
            for file in &files[..given] {
                let (bytes, length) = (file.as_ptr(), file.len());
                let to = error.pointer();
                expect(
                    stp_session_add_table(session, bytes, length, null(), to),
                    &error,
                    STP_OK,
                );
            }
            let (place, to, data) = (solver.pointer(), error.pointer(), (&raw mut calls).cast());
            let text = options.pointer();
            let code = stp_solver_open(session, text, Some(hear), data, null(), place, to);
            expect(code, &error, STP_OK);
            stp_session_free(session);
            let report = solve_quietly(solver.get(), &board);
            stp_solver_free(solver.get());
            assert_eq!(read_report(report).length, 2);
            stp_report_free(report);
        }
        // If all tables are given, the only event is the one that names the tables.
        assert_eq!(calls == 1, given == files.len());
    }
}
