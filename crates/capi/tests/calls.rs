//! The library as C programs call it: answers, limits, callbacks, and rejected arguments.
#![allow(unsafe_code, reason = "calls of C")]
#![allow(clippy::unwrap_used)]

#[path = "calls/answers.rs"]
mod answers;
#[path = "../../session/tests/shared/questions.rs"]
mod questions;

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::ptr::{null, null_mut};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use slidingtilepdb::*;

const EASY: &str = "2 5 3 4/1 6 7 8/9 10 11 12/13 14 0 15";
/// A board of 80 moves. A search with Manhattan distance alone takes hours.
const HARD: &str = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";
const UNSOLVABLE: &str = "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0";
/// Only a hang takes this long, even on a busy machine.
const HANG_LIMIT: Duration = Duration::from_secs(600);

fn text(pointer: *const c_char) -> String {
    assert!(!pointer.is_null());
    // SAFETY: texts of the library end with a NUL.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().unwrap().to_owned()
}

fn c(text: impl Into<Vec<u8>>) -> CString {
    CString::new(text).unwrap()
}

/// The error of a call, at first with any bytes.
fn error() -> stp_error {
    stp_error {
        code: 77,
        message: [1; STP_MESSAGE_SIZE],
    }
}

/// The code and the message of a call. Only a failure has a message.
fn ended(code: stp_code, error: &stp_error) -> (stp_code, String) {
    let message = text(error.message.as_ptr());
    assert_eq!(code, error.code);
    assert_eq!(code == STP_OK, message.is_empty(), "{message}");
    assert!(!message.contains(char::is_control), "{message:?}");
    (code, message)
}

/// Receives events; `true` stops the call.
type Hear<'a> = &'a mut dyn FnMut(Value) -> bool;

unsafe extern "C" fn hear(event: *const c_char, hear: *mut c_void) -> c_int {
    let event = serde_json::from_str(&text(event)).unwrap();
    // SAFETY: `hear` points to the listener of the test.
    let hear = unsafe { &mut *hear.cast::<Hear>() };
    hear(event).into()
}

/// Listener and token of a call.
struct With<'a>(Option<Hear<'a>>, *const stp_cancel);

/// Without listener and token.
const ALONE: With = With(None, null());

impl With<'_> {
    fn on_event(&self) -> stp_on_event {
        self.0.as_ref().map(|_| hear as _)
    }

    fn user_data(&mut self) -> *mut c_void {
        match &mut self.0 {
            Some(hear) => (&raw mut *hear).cast(),
            None => null_mut(),
        }
    }
}

/// A token that is freed on drop.
struct Token(*mut stp_cancel);

impl Token {
    fn new() -> Token {
        Token(stp_cancel_new())
    }

    fn cancelled() -> Token {
        let token = Token::new();
        // SAFETY: the token is alive.
        unsafe { stp_cancel_cancel(token.0) };
        token
    }
}

impl Drop for Token {
    fn drop(&mut self) {
        // SAFETY: the token is freed once.
        unsafe { stp_cancel_free(self.0) };
    }
}

/// A session that is freed on drop.
struct Session(*mut stp_session);

// SAFETY: threads can share sessions.
unsafe impl Sync for Session {}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: the session is freed once.
        unsafe { stp_session_free(self.0) };
    }
}

impl Session {
    fn open(directory: Option<&Path>, options: &str) -> Result<Session, (stp_code, String)> {
        let directory = directory.map(|path| c(path.to_str().unwrap()));
        let path = directory.as_ref().map_or(null(), |path| path.as_ptr());
        let (mut session, mut error) = (std::ptr::dangling_mut(), error());
        let options = c(options);
        // SAFETY: the results are written to variables of this function.
        let code =
            unsafe { stp_session_open(path, options.as_ptr(), &raw mut session, &raw mut error) };
        match ended(code, &error) {
            (STP_OK, _) => Ok(Session(session)),
            failure => {
                assert!(session.is_null());
                Err(failure)
            }
        }
    }

    /// A session whose tables are in memory.
    fn new() -> Session {
        Session::open(None, r#"{"threads": 2}"#).unwrap()
    }

    fn add(&self, table: &[u8], cancel: *const stp_cancel) -> (stp_code, String) {
        let mut error = error();
        let (bytes, length) = (table.as_ptr(), table.len());
        // SAFETY: the bytes are alive.
        let code = unsafe { stp_session_add_table(self.0, bytes, length, cancel, &raw mut error) };
        ended(code, &error)
    }

    /// Asks a question. The failure's code and message are those of its answer.
    fn ask_with(&self, request: &Value, mut with: With) -> (stp_code, Value) {
        let (request, on_event) = (c(request.to_string()), with.on_event());
        let (mut answer, mut error) = (std::ptr::dangling_mut(), error());
        // SAFETY: the results are written to variables of this function, and the answer is freed
        // once.
        let (code, answer) = unsafe {
            let (data, cancel) = (with.user_data(), with.1);
            let (place, to) = (&raw mut answer, &raw mut error);
            let code = stp_call(self.0, request.as_ptr(), on_event, data, cancel, place, to);
            let copy = text(answer);
            stp_string_free(answer);
            (code, serde_json::from_str::<Value>(&copy).unwrap())
        };
        let (_, message) = ended(code, &error);
        if code != STP_OK {
            assert_eq!(answer["message"].as_str().unwrap().len(), message.len());
            assert!(answer["code"].is_string());
        }
        (code, answer)
    }

    fn ask(&self, request: &Value) -> Value {
        let (code, answer) = self.ask_with(request, ALONE);
        assert_eq!(code, STP_OK, "{answer}");
        answer
    }

    fn try_solver(&self, options: &Value, mut with: With) -> Result<Solver, (stp_code, String)> {
        let (options, on_event) = (c(options.to_string()), with.on_event());
        let (mut solver, mut error) = (std::ptr::dangling_mut(), error());
        // SAFETY: the results are written to variables of this function.
        let code = unsafe {
            let (data, cancel) = (with.user_data(), with.1);
            let (place, to) = (&raw mut solver, &raw mut error);
            stp_solver_open(self.0, options.as_ptr(), on_event, data, cancel, place, to)
        };
        match ended(code, &error) {
            (STP_OK, _) => Ok(Solver(solver)),
            failure => {
                assert!(solver.is_null());
                Err(failure)
            }
        }
    }

    fn solver(&self, options: &Value) -> Solver {
        self.try_solver(options, ALONE).unwrap()
    }
}

/// A solver that is freed on drop.
struct Solver(*mut stp_solver);

// SAFETY: threads can share solvers.
unsafe impl Sync for Solver {}

impl Drop for Solver {
    fn drop(&mut self) {
        // SAFETY: the solver is freed once.
        unsafe { stp_solver_free(self.0) };
    }
}

impl Solver {
    fn solve_with(&self, board: &str, mut with: With) -> (stp_code, Option<Report>, String) {
        let (board, on_event) = (c(board), with.on_event());
        let (mut report, mut error) = (std::ptr::dangling_mut(), error());
        // SAFETY: the results are written to variables of this function.
        let code = unsafe {
            let (data, cancel) = (with.user_data(), with.1);
            let (place, to) = (&raw mut report, &raw mut error);
            stp_solver_solve(self.0, board.as_ptr(), on_event, data, cancel, place, to)
        };
        let (_, line) = ended(code, &error);
        let report = (!report.is_null()).then_some(Report(report));
        if let Some(report) = &report {
            assert_eq!(report.code, code);
            assert_eq!(code == STP_OK, report.message.is_null());
        }
        (code, report, line)
    }

    fn solve(&self, board: &str) -> Report {
        let (code, report, line) = self.solve_with(board, ALONE);
        assert_eq!(code, STP_OK, "{line}");
        report.unwrap()
    }

    /// Solves a list. The callback stops it after `stop_after` reports. Returns the reports' codes
    /// and lengths.
    fn list(
        &self,
        boards: &[*const c_char],
        cancel: *const stp_cancel,
        stop_after: usize,
    ) -> (stp_code, Vec<(stp_code, i32)>) {
        let mut listed = Listed(Vec::new(), stop_after);
        let (data, count) = ((&raw mut listed).cast(), boards.len());
        let mut error = error();
        // SAFETY: the results are written to variables of this function.
        let code = unsafe {
            let (boards, to) = (boards.as_ptr(), &raw mut error);
            stp_solver_solve_list(self.0, boards, count, Some(list), data, cancel, to)
        };
        (ended(code, &error).0, listed.0)
    }
}

/// A report that is freed on drop.
struct Report(*mut stp_report);

impl std::ops::Deref for Report {
    type Target = stp_report;

    fn deref(&self) -> &stp_report {
        // SAFETY: the pointer is not null, and the report is only freed on drop.
        unsafe { self.0.as_ref() }.unwrap()
    }
}

impl Drop for Report {
    fn drop(&mut self) {
        // SAFETY: the report is freed once.
        unsafe { stp_report_free(self.0) };
    }
}

fn json_of(report: *const stp_report) -> Value {
    // SAFETY: the report is not freed.
    serde_json::from_str(&text(unsafe { stp_report_json(report) })).unwrap()
}

/// Codes and lengths of reports, and the number of reports after which the callback stops the list.
struct Listed(Vec<(stp_code, i32)>, usize);

unsafe extern "C" fn list(number: usize, report: *const stp_report, listed: *mut c_void) -> c_int {
    // SAFETY: the report is valid, and `listed` points to the `Listed` of the test.
    let (listed, report) = unsafe { (&mut *listed.cast::<Listed>(), *report) };
    assert_eq!(number, listed.0.len());
    listed.0.push((report.code, report.length));
    (listed.0.len() == listed.1).into()
}

#[test]
fn solutions_are_structs_and_json() {
    let session = Session::new();
    let solver = session.solver(&json!({ "partition": "4-4-4-3" }));
    let report = solver.solve(EASY);
    assert_eq!((report.proved, report.length, report.bound), (1, 11, 11));
    assert_eq!(text(report.letters).len(), 11);
    let json = json_of(report.0);
    assert_eq!(
        (&json["status"], &json["length"]),
        (&json!("solved"), &json!(11))
    );
    assert_eq!(json["moves"], text(report.moves));
    assert_eq!(
        (&json["nodes"], &json["ms"]),
        (&json!(report.nodes), &json!(report.ms))
    );
    // The moves lead to the goal.
    let moves = text(report.letters);
    let end = session.ask(&json!({ "ask": "apply", "board": EASY, "moves": moves }));
    assert_eq!(end["solved"], true);
    // A report outlives its original, and a copy of the struct can be read.
    let copied: stp_report = *report;
    assert_eq!(json_of(&raw const copied), json);
    // SAFETY: the report is alive.
    let kept = Report(unsafe { stp_report_copy(report.0) });
    drop(report);
    drop(solver);
    assert_eq!((json_of(kept.0), text(kept.letters)), (json, moves));
    // A solver outlives its session.
    let solver = session.solver(&json!({ "size": "3x3", "partition": "manhattan" }));
    drop(session);
    let goal = solver.solve("1 2 3/4 5 6/7 8 0");
    let texts = (text(goal.moves), text(goal.letters));
    assert_eq!((goal.length, texts), (0, (String::new(), String::new())));
}

#[test]
fn boards_without_a_solution_have_a_report() {
    let session = Session::new();
    let solver = session.solver(&json!({ "partition": "manhattan" }));
    let (code, report, line) = solver.solve_with(UNSOLVABLE, ALONE);
    let report = report.unwrap();
    assert_eq!(
        (code, report.length, report.bound),
        (STP_UNSOLVABLE, -1, -1)
    );
    assert!(report.moves.is_null() && report.letters.is_null());
    assert_eq!(text(report.message), line);
    let json = json_of(report.0);
    assert_eq!(
        (&json["status"], &json["code"]),
        (&json!("unsolvable"), &json!("unsolvable"))
    );
    assert_eq!(
        (&json["swap"], &json["message"]),
        (&json!([14, 15]), &json!(line))
    );
    let solver = session.solver(&json!({ "partition": "manhattan", "max_nodes": 1000 }));
    let (code, report, line) = solver.solve_with(HARD, ALONE);
    let report = report.unwrap();
    assert_eq!((code, report.length), (STP_LIMIT, -1));
    assert!(report.bound >= 50 && report.nodes > 0, "{line}");
}

#[test]
fn callbacks_run_on_the_callers_thread_and_stop_calls() {
    let session = Session::new();
    let here = thread::current().id();
    // Stops at the fifth event of this type.
    let stopped = |kind: &str, call: &dyn Fn(With) -> stp_code| {
        let mut calls = 0;
        let mut hear = |event: Value| {
            assert_eq!(thread::current().id(), here);
            calls += usize::from(event["type"] == kind);
            assert!(calls <= 5);
            calls == 5
        };
        let code = call(With(Some(&mut hear), null()));
        assert_eq!((code, calls), (STP_CANCELLED, 5), "{kind}");
    };
    for (threads, mode) in [
        (1, "optimal"),
        (1, "anytime"),
        (2, "optimal"),
        (2, "anytime"),
    ] {
        let mut options = json!({ "partition": "manhattan", "threads": threads, "mode": mode });
        options["max_time"] = json!(1e6);
        let solver = session.solver(&options);
        stopped("progress", &|with| solver.solve_with(HARD, with).0);
        options["ask"] = json!("solve");
        options["board"] = json!(HARD);
        stopped("progress", &|with| session.ask_with(&options, with).0);
    }
    let folder = tempfile::tempdir().unwrap();
    for directory in [None, Some(folder.path())] {
        let session = Session::open(directory, "{}").unwrap();
        let tables = json!({ "partition": "4-4-4-3" });
        let open = |with: With| {
            session
                .try_solver(&tables, with)
                .map_or_else(|it| it.0, |_| 0)
        };
        stopped("tables", &open);
        assert_eq!(open(ALONE), STP_OK);
        let verify = json!({ "ask": "verify", "partition": "4-4-4-3" });
        stopped("tables", &|with| session.ask_with(&verify, with).0);
    }
}

#[test]
fn a_token_stops_running_and_later_calls() {
    let session = Session::new();
    let solver = session.solver(&json!({ "partition": "manhattan" }));
    let token = Token::new();
    let address = token.0 as usize;
    let stopper = thread::spawn(move || {
        thread::sleep(Duration::from_millis(50));
        // SAFETY: the token is freed after this thread has ended.
        unsafe { stp_cancel_cancel(address as *const stp_cancel) };
    });
    let (code, report, line) = solver.solve_with(HARD, With(None, token.0));
    assert_eq!(code, STP_CANCELLED);
    assert!(report.unwrap().bound >= 50, "{line}");
    stopper.join().unwrap();
    // A token stays cancelled, and a callback that stops its call does not cancel the token.
    assert_eq!(
        solver.solve_with(HARD, With(None, token.0)).0,
        STP_CANCELLED
    );
    let other = Token::new();
    let stopped = solver.solve_with(HARD, With(Some(&mut |_| true), other.0));
    assert_eq!(stopped.0, STP_CANCELLED);
    // SAFETY: both tokens are alive.
    unsafe {
        assert_eq!(stp_cancel_is_cancelled(token.0), 1);
        assert_eq!(stp_cancel_is_cancelled(other.0), 0);
    }
}

#[test]
fn lists_are_answered_in_order_despite_errors() {
    let session = Session::new();
    let (easy, odd) = (c(EASY), c(UNSOLVABLE));
    let boards = [
        easy.as_ptr(),
        c"1 2 three".as_ptr(),
        odd.as_ptr(),
        null(),
        c"\xff".as_ptr(),
        c"1 2 3/4 5 6/7 8 0".as_ptr(),
        easy.as_ptr(),
    ];
    let (solved, wrong) = ((STP_OK, 11), (STP_ERROR, -1));
    let expected = [
        solved,
        wrong,
        (STP_UNSOLVABLE, -1),
        wrong,
        wrong,
        wrong,
        solved,
    ];
    for threads in [1, 2, 5] {
        let solver = session.solver(&json!({ "partition": "4-4-4-3", "threads": threads }));
        assert_eq!(solver.list(&boards, null(), 0), (STP_OK, expected.to_vec()));
    }
    let solver = session.solver(&json!({ "partition": "4-4-4-3" }));
    let many = vec![easy.as_ptr(); 3000];
    assert_eq!(solver.list(&many, null(), 0), (STP_OK, vec![solved; 3000]));
    assert_eq!(
        solver.list(&many, null(), 7),
        (STP_CANCELLED, vec![solved; 7])
    );
    // The callback stops the list after the last board, when every board has a report.
    assert_eq!(solver.list(&many[..3], null(), 3).0, STP_OK);
    assert_eq!(solver.list(&many[..3], null(), 2).0, STP_CANCELLED);
    let token = Token::cancelled();
    assert_eq!(solver.list(&many, token.0, 0), (STP_CANCELLED, Vec::new()));
    assert_eq!(solver.list(&[], token.0, 0).0, STP_OK);
    for mode in ["strategic", "anytime"] {
        let solver = session.solver(&json!({ "partition": "4-4-4-3", "mode": mode }));
        let (code, listed) = solver.list(&boards, null(), 0);
        let codes: Vec<stp_code> = listed.iter().map(|(code, _)| *code).collect();
        assert_eq!(
            (code, codes),
            (STP_OK, expected.map(|(code, _)| code).to_vec())
        );
    }
}

/// Three 3x3 boards as numbers: 31 moves, 1 move, and the goal.
const NUMBERS: [u16; 27] = [
    8, 6, 7, 2, 5, 4, 3, 0, 1, 1, 2, 3, 4, 5, 6, 7, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8, 0,
];

#[test]
fn many_boards_can_be_numbers() {
    let session = Session::new();
    let solver = session.solver(&json!({ "size": "3x3" }));
    let mut numbers = NUMBERS;
    numbers[9] = 2;
    let mut listed = Listed(Vec::new(), 0);
    // SAFETY: the results are written to variables of this test.
    let code = unsafe {
        let (data, none) = ((&raw mut listed).cast(), null_mut());
        stp_solver_solve_numbers(
            solver.0,
            numbers.as_ptr(),
            3,
            Some(list),
            data,
            null(),
            none,
        )
    };
    let expected = vec![(STP_OK, 31), (STP_ERROR, -1), (STP_OK, 0)];
    assert_eq!((code, listed.0), (STP_OK, expected));

    let estimates = |numbers: *const u16, count: usize, cancel: *const stp_cancel| {
        let (mut values, mut error) = ([9_u16; 4], error());
        // SAFETY: the results are written to variables of this test.
        let code = unsafe {
            let (to, error) = (values.as_mut_ptr(), &raw mut error);
            stp_solver_estimates(solver.0, numbers, count, cancel, to, error)
        };
        let (code, line) = ended(code, &error);
        (code, values, line)
    };
    let (code, values, _) = estimates(NUMBERS.as_ptr(), 3, null());
    assert_eq!((code, values), (STP_OK, [31, 1, 0, 9]));
    assert_eq!(estimates(null(), 0, null()).0, STP_OK);
    let mut wrong = NUMBERS;
    wrong[16] = 300;
    let mut odd = NUMBERS;
    odd.swap(18, 19);
    for (numbers, count, expected, words) in [
        (null(), 1, STP_ERROR, "numbers is NULL"),
        (NUMBERS.as_ptr(), usize::MAX / 2, STP_ERROR, "address space"),
        (wrong.as_ptr(), 3, STP_ERROR, "board 1: 300"),
        (odd.as_ptr(), 3, STP_UNSOLVABLE, "board 2"),
    ] {
        let (code, _, line) = estimates(numbers, count, null());
        assert_eq!((code, line.contains(words)), (expected, true), "{line}");
    }
    let token = Token::cancelled();
    assert_eq!(estimates(NUMBERS.as_ptr(), 3, token.0).0, STP_CANCELLED);

    let estimate = |board: &str| {
        let (board, mut value) = (c(board), 77);
        // SAFETY: the result is written to a variable of this test.
        let code =
            unsafe { stp_solver_estimate(solver.0, board.as_ptr(), &raw mut value, null_mut()) };
        (code, value)
    };
    assert_eq!(estimate("8 6 7/2 5 4/3 0 1"), (STP_OK, 31));
    assert_eq!(estimate("1 2 3/4 5 6/8 7 0"), (STP_UNSOLVABLE, 0));
    assert_eq!(estimate(EASY), (STP_ERROR, 0));
}

#[test]
fn null_pointers_are_rejected() {
    let session = Session::new();
    let solver = session.solver(&json!({ "size": "3x3", "partition": "manhattan" }));
    let (session, solver) = (session.0.cast_const(), solver.0.cast_const());
    let board = c"1 2 3/4 5 6/7 0 8".as_ptr();
    // SAFETY: this test passes null pointers, which all calls accept.
    unsafe {
        stp_cancel_cancel(null());
        assert_eq!(stp_cancel_is_cancelled(null()), 0);
        assert!(stp_report_json(null()).is_null() && stp_report_copy(null()).is_null());
        let (mut report, mut json, mut made) = (null_mut(), null_mut(), null_mut());
        let (on, no, nothing) = (
            Some(list as _),
            null_mut::<stp_error>(),
            null_mut::<c_void>(),
        );
        let (report_at, json_at, none) = (&raw mut report, &raw mut json, null());
        let mut estimate = 0;
        let estimate_at = &raw mut estimate;
        let codes = [
            stp_session_open(null(), null(), null_mut(), no),
            stp_session_add_table(null(), [0].as_ptr(), 1, none, no),
            stp_session_add_table(session, null(), 1, none, no),
            stp_call(null(), c"{}".as_ptr(), None, nothing, none, json_at, no),
            stp_call(session, null(), None, nothing, none, json_at, no),
            stp_call(session, c"{}".as_ptr(), None, nothing, none, null_mut(), no),
            stp_solver_open(null(), null(), None, nothing, none, &raw mut made, no),
            stp_solver_open(session, null(), None, nothing, none, null_mut(), no),
            stp_solver_solve(null(), board, None, nothing, none, report_at, no),
            stp_solver_solve(solver, null(), None, nothing, none, report_at, no),
            stp_solver_solve(solver, board, None, nothing, none, null_mut(), no),
            stp_solver_solve_list(null(), null(), 0, on, nothing, none, no),
            stp_solver_solve_list(solver, null(), 1, on, nothing, none, no),
            stp_solver_solve_list(solver, null(), 0, None, nothing, none, no),
            stp_solver_solve_numbers(null(), null(), 0, on, nothing, none, no),
            stp_solver_solve_numbers(solver, null(), 1, on, nothing, none, no),
            stp_solver_estimate(null(), board, estimate_at, no),
            stp_solver_estimate(solver, null(), estimate_at, no),
            stp_solver_estimate(solver, board, null_mut(), no),
            stp_solver_estimates(null(), null(), 0, none, null_mut(), no),
            stp_solver_estimates(solver, NUMBERS.as_ptr(), 1, none, null_mut(), no),
        ];
        for (number, code) in codes.into_iter().enumerate() {
            assert_eq!(code, STP_ERROR, "call {number}");
        }
        assert!(report.is_null() && json.is_null() && made.is_null());
    }
}

#[test]
fn invalid_arguments_are_rejected() {
    let refused = |failure: (stp_code, String), word: &str| {
        assert_eq!(failure.0, STP_ERROR);
        assert!(failure.1.contains(word), "{word}: {}", failure.1);
    };
    for (options, word) in [
        ("{", "options: EOF"),
        ("[]", "options: invalid type"),
        (r#"{"thread": 1}"#, "unknown option `thread`"),
        (r#"{"threads": 5000}"#, "threads is 5000"),
        (r#"{"max_build_time": -1}"#, "max_build_time"),
        (r#"{"directory": 1}"#, "directory"),
    ] {
        refused(Session::open(None, options).err().unwrap(), word);
    }
    refused(
        Session::open(Some(Path::new("")), "{}").err().unwrap(),
        "directory is empty",
    );
    let session = Session::new();
    let board = json!({ "board": EASY });
    let failure = session.try_solver(&board, ALONE).err().unwrap();
    refused(failure, "board is an argument of each call");
    let solver = session.solver(&json!({ "size": "3x3", "partition": "manhattan" }));
    let (code, report, line) = solver.solve_with(EASY, ALONE);
    assert!(report.is_none());
    refused((code, line), "3x3");
    let mut error = error();
    let (mut report, bad) = (null_mut(), c"\xc3\x28".as_ptr());
    // SAFETY: the results are written to variables of this test.
    let code = unsafe {
        let (place, to) = (&raw mut report, &raw mut error);
        stp_solver_solve(solver.0, bad, None, null_mut(), null(), place, to)
    };
    refused(ended(code, &error), "UTF-8");
}

/// The table files of a directory.
fn files_of(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap();
    let files = files.map(|file| file.unwrap().path());
    let mut tables: Vec<PathBuf> = files
        .filter(|file| file.extension().is_some_and(|end| end == "pdb"))
        .collect();
    tables.sort();
    tables
}

#[test]
fn tables_of_a_directory_are_built_once() {
    let folder = tempfile::tempdir().unwrap();
    let options = json!({ "partition": "4-4-4-3" });
    let open = |settings: &str, options: &Value, with: With| {
        let session = Session::open(Some(folder.path()), settings).unwrap();
        session.try_solver(options, with).map(drop)
    };
    assert_eq!(open("{}", &options, ALONE), Ok(()));
    for settings in ["{}", r#"{"load": true}"#] {
        let mut built = 0;
        let mut hear = |event: Value| {
            built += usize::from(event["type"] == "tables");
            false
        };
        assert_eq!(
            open(settings, &options, With(Some(&mut hear), null())),
            Ok(())
        );
        assert_eq!(built, 0);
    }
    let large = json!({ "partition": "7-8" });
    let (code, line) = open("{}", &large, ALONE).unwrap_err();
    assert_eq!(code, STP_TABLE);
    assert!(line.contains("max_build_time"), "{line}");
    let little = Session::open(None, r#"{"max_memory": 1000000}"#).unwrap();
    assert_eq!(
        little.try_solver(&large, ALONE).err().unwrap().0,
        STP_MEMORY
    );
    // A damaged file is rejected and not changed.
    let file = files_of(folder.path()).swap_remove(0);
    let mut bytes = std::fs::read(&file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let (code, line) = open("{}", &options, ALONE).unwrap_err();
    assert_eq!(code, STP_TABLE);
    let name = file.file_name().unwrap().to_str().unwrap();
    assert!(line.contains(name), "{line}");
}

#[test]
fn tables_may_be_bytes_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let options = json!({ "size": "3x3", "partition": "5-3" });
    drop(
        Session::open(Some(folder.path()), "{}")
            .unwrap()
            .solver(&options),
    );
    let files = files_of(folder.path());
    let plain: Vec<_> = files
        .iter()
        .map(|file| std::fs::read(file).unwrap())
        .collect();
    // The first table is packed, and the others are compressed.
    let cancel = pdb_table::Cancel::default();
    let stored = |(number, bytes): (usize, &Vec<u8>)| {
        let table = pdb_table::Table::new(bytes.clone()).unwrap();
        if number == 0 {
            return pdb_table::pack(&table, None, &(), &cancel).unwrap();
        }
        let file = folder.path().join("compressed");
        let method = pdb_table::Compression::Zstd(3);
        let write = |file: &mut dyn std::io::Write| file.write_all(table.payload());
        pdb_table::write_table(
            &file,
            method,
            |file| write(file),
            |_| table.header().clone(),
        )
        .unwrap();
        std::fs::read(file).unwrap()
    };
    let tables: Vec<Vec<u8>> = plain.iter().enumerate().map(stored).collect();
    let session = Session::open(None, "{}").unwrap();
    for table in &tables {
        assert_eq!(session.add(table, null()).0, STP_OK);
    }
    let mut hear = |event: Value| {
        assert_ne!(event["type"], "tables", "a table is built");
        false
    };
    let solver = session
        .try_solver(&options, With(Some(&mut hear), null()))
        .unwrap();
    assert_eq!(solver.solve("8 6 7/2 5 4/3 0 1").length, 31);
    let little = Session::open(None, r#"{"max_memory": 1}"#).unwrap();
    let token = Token::cancelled();
    for table in tables.iter().chain(&plain) {
        assert_eq!(little.add(table, null()).0, STP_MEMORY);
        assert_eq!(session.add(table, token.0).0, STP_CANCELLED);
        let mut damaged = table.clone();
        *damaged.last_mut().unwrap() ^= 1;
        assert_eq!(session.add(&damaged, null()).0, STP_TABLE);
    }
    assert_eq!(session.add(&[], null()).0, STP_TABLE);
}

#[test]
fn threads_share_sessions_and_solvers() {
    let session = Session::new();
    let solver = session.solver(&json!({ "partition": "4-4-4-3" }));
    let hint = json!({ "ask": "hint", "board": EASY, "partition": "4-4-4-3" });
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let (session, solver) = (&session, &solver);
                for _ in 0..50 {
                    let report = solver.solve(EASY);
                    assert_eq!(json_of(report.0)["length"], 11);
                    assert_eq!(session.ask(&hint)["distance"], 11);
                }
            });
        }
    });
}

#[test]
fn callbacks_can_open_the_directory_of_the_build() {
    // This test would hang if the build waited for the callback, or a call for its own callback.
    let (over, end) = std::sync::mpsc::channel();
    thread::spawn(move || {
        let folder = tempfile::tempdir().unwrap();
        let settings = r#"{"max_build_time": 100}"#;
        let open = || Session::open(Some(folder.path()), settings).unwrap();
        let (session, other) = (open(), open());
        let tables = json!({ "partition": "4-4-4-3" });
        let mut inner = Vec::new();
        let mut hear = |event: Value| {
            if event["type"] == "tables" && inner.is_empty() {
                for session in [&other, &session] {
                    let opened = session.try_solver(&tables, ALONE);
                    inner.push(opened.map_or_else(|failure| failure.0, |_| STP_OK));
                }
            }
            false
        };
        let outer = session.try_solver(&tables, With(Some(&mut hear), null()));
        over.send((outer.is_ok(), inner)).unwrap();
    });
    let both = end.recv_timeout(HANG_LIMIT);
    assert_eq!(both, Ok((true, vec![STP_OK, STP_ERROR])));
}

#[test]
fn a_cancelled_token_stops_opening_from_every_source() {
    let folder = tempfile::tempdir().unwrap();
    let options = json!({ "size": "3x3", "partition": "5-3" });
    drop(
        Session::open(Some(folder.path()), "{}")
            .unwrap()
            .solver(&options),
    );
    let token = Token::cancelled();
    for directory in [None, Some(folder.path())] {
        for partition in ["5-3", "manhattan"] {
            let session = Session::open(directory, "{}").unwrap();
            let options = json!({ "size": "3x3", "partition": partition });
            let opened = session.try_solver(&options, With(None, token.0)).map(drop);
            assert_eq!(opened, Err((STP_CANCELLED, "cancelled".to_owned())));
        }
    }
}

#[test]
fn opening_does_not_start_thousands_of_threads() {
    let session = Session::open(None, r#"{"threads": 4096}"#).unwrap();
    let mut most = 0;
    let mut hear = |_: Value| {
        // Only Linux has this directory.
        let threads = std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count);
        most = threads.max(most);
        false
    };
    let options = json!({ "partition": "4-4-4-3" });
    assert!(
        session
            .try_solver(&options, With(Some(&mut hear), null()))
            .is_ok()
    );
    // This includes the threads of other tests.
    assert!(most < 1000, "{most} threads");
}

/// The path of the tables directory leads through a file, so the directory cannot be created.
#[test]
fn unstored_tables_cause_warnings() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let session = Session::open(Some(&file.join("tables")), "{}").unwrap();
    let mut warnings = String::new();
    let mut hear = |event: Value| {
        if event["type"] == "warning" {
            warnings += event["message"].as_str().unwrap();
        }
        false
    };
    let options = json!({ "size": "3x3", "partition": "4-4" });
    assert!(
        session
            .try_solver(&options, With(Some(&mut hear), null()))
            .is_ok()
    );
    assert!(warnings.contains("could not be kept"), "{warnings}");
}

#[test]
fn names_and_versions() {
    assert_eq!(text(stp_version()), env!("CARGO_PKG_VERSION"));
    assert_eq!(stp_abi_version(), STP_ABI_VERSION);
}
