//! The library as C programs call it: answers, limits, callbacks, and rejected arguments.
#![allow(unsafe_code, reason = "calls of C")]
#![allow(clippy::unwrap_used)]

#[path = "calls/answers.rs"]
mod answers;
#[path = "../../session/tests/shared/questions.rs"]
mod questions;

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::mem::offset_of;
use std::path::{Path, PathBuf};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{self, ThreadId};
use std::time::Duration;

use slidingtilepdb::*;

const EASY: &CStr = c"2 5 3 4/1 6 7 8/9 10 11 12/13 14 0 15";
/// A board of 80 moves. A search with Manhattan distance alone takes hours.
const HARD: &CStr = c"0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";
/// Only a hang takes this long, even on a busy machine.
const HANG_LIMIT: Duration = Duration::from_secs(600);
const UNSOLVABLE: &CStr = c"1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0";

/// All bytes zero, the initial state of options in C.
fn zeroed<T>() -> T {
    // SAFETY: this function is only used for structs of numbers, pointers and optional functions.
    unsafe { std::mem::zeroed() }
}

fn open_options() -> stp_open_options {
    stp_open_options {
        struct_size: size_of::<stp_open_options>(),
        ..zeroed()
    }
}

fn solve_options() -> stp_solve_options {
    stp_solve_options {
        struct_size: size_of::<stp_solve_options>(),
        ..zeroed()
    }
}

fn text(pointer: *const c_char) -> String {
    assert!(!pointer.is_null());
    // SAFETY: texts of the library end with a NUL.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().unwrap().to_owned()
}

fn taken(pointer: *mut c_char) -> String {
    let copy = text(pointer);
    // SAFETY: this test owns the text.
    unsafe { stp_string_free(pointer) };
    copy
}

fn message(error: &stp_error) -> String {
    text(error.message.as_ptr())
}

/// A solver that is freed on drop.
struct Opened(*mut stp_solver);

impl Drop for Opened {
    fn drop(&mut self) {
        // SAFETY: the solver is opened once and freed once.
        unsafe { stp_solver_free(self.0) };
    }
}

fn try_open(options: &stp_open_options) -> Result<Opened, (stp_code, String)> {
    let (mut solver, mut error) = (
        std::ptr::dangling_mut::<stp_solver>(),
        zeroed::<stp_error>(),
    );
    // SAFETY: the results are written to variables of this function.
    let code = unsafe { stp_solver_open(options, &raw mut solver, &raw mut error) };
    assert_eq!(code, error.code);
    match code {
        STP_OK => Ok(Opened(solver)),
        _ => {
            assert!(solver.is_null());
            assert!(!message(&error).is_empty());
            Err((code, message(&error)))
        }
    }
}

fn open(size: &CStr, partition: &CStr) -> Opened {
    let options = stp_open_options {
        size: size.as_ptr(),
        partition: partition.as_ptr(),
        threads: 2,
        ..open_options()
    };
    try_open(&options).map_err(|(_, line)| line).unwrap()
}

/// A report that is freed on drop.
struct Reported(*mut stp_report);

impl std::ops::Deref for Reported {
    type Target = stp_report;

    fn deref(&self) -> &stp_report {
        // SAFETY: the pointer is not null, and the report is only freed on drop.
        unsafe { self.0.as_ref() }.unwrap()
    }
}

impl Drop for Reported {
    fn drop(&mut self) {
        // SAFETY: the report is created once and freed once.
        unsafe { stp_report_free(self.0) };
    }
}

fn json_of(report: *const stp_report) -> serde_json::Value {
    // SAFETY: the report is not freed.
    serde_json::from_str(&text(unsafe { stp_report_json(report) })).unwrap()
}

fn solve(
    solver: &Opened,
    board: &CStr,
    options: &stp_solve_options,
) -> (stp_code, Option<Reported>, String) {
    let (mut report, mut error) = (
        std::ptr::dangling_mut::<stp_report>(),
        zeroed::<stp_error>(),
    );
    // SAFETY: the results are written to variables of this function.
    let code = unsafe {
        stp_solver_solve(
            solver.0,
            board.as_ptr(),
            options,
            &raw mut report,
            &raw mut error,
        )
    };
    assert_eq!(code, error.code);
    let is_guessed = message(&error).contains(" read as ");
    assert_eq!(code == STP_OK, message(&error).is_empty() || is_guessed);
    let report = (!report.is_null()).then_some(Reported(report));
    (code, report, message(&error))
}

#[test]
fn solutions_are_structs_and_json() {
    let solver = open(c"4x4", c"4-4-4-3");
    let (code, report, _) = solve(&solver, EASY, &solve_options());
    let report = report.unwrap();
    assert_eq!((code, report.code, report.proved), (STP_OK, STP_OK, 1));
    assert_eq!((report.length, report.bound), (11, 11));
    assert_eq!(
        (report.mode, report.method),
        (STP_MODE_OPTIMAL, STP_METHOD_SEARCH)
    );
    assert_eq!((report.threads, report.letter_count), (2, 11));
    assert_eq!(text(report.board), EASY.to_str().unwrap());
    assert_eq!(text(report.tables), "4-4-4-3");
    assert!(report.message.is_null() && report.counts.is_null() && report.solutions.is_null());
    let json = json_of(report.0);
    assert_eq!(json["status"], "solved");
    assert_eq!(json["length"], 11);
    assert_eq!(json["moves"], text(report.moves));
    assert_eq!(json["nodes"], report.nodes);
    assert_eq!(json["ms"], report.ms);
    // `letters` contains one letter per move. The moves lead to the goal.
    let (mut end, mut is_goal) = (null_mut(), 0);
    // SAFETY: the texts are valid, and the results are written to variables of this test.
    unsafe {
        let code = stp_board_apply(
            EASY.as_ptr(),
            report.letters,
            null(),
            &raw mut end,
            &raw mut is_goal,
            null_mut(),
        );
        assert_eq!((code, is_goal), (STP_OK, 1));
        assert_eq!(text((*end).text), "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0");
        stp_board_free(end);
        let copy = stp_report_copy(report.0);
        drop(report);
        let copy = Reported(copy);
        assert_eq!(copy.letter_count, 11);
        assert_eq!(text(copy.letters).len(), 11);
        assert_eq!(json_of(copy.0), json);
    }
}

#[test]
fn notations() {
    let solver = open(c"3x3", c"manhattan");
    let mut options = solve_options();
    let board = c"1 2 3/4 0 6/7 5 8";
    for (notation, moves) in [
        (STP_NOTATION_TILE, "UL"),
        (STP_NOTATION_BLANK, "DR"),
        (STP_NOTATION_NUMBERS, "5 8"),
    ] {
        options.notation = notation;
        let report = solve(&solver, board, &options).1.unwrap();
        assert_eq!(text(report.moves), moves);
        assert_eq!(text(report.letters), "UL");
    }
    let report = solve(&solver, c"1 2 3/4 5 6/7 8 0", &options).1.unwrap();
    assert_eq!((report.length, report.letter_count), (0, 0));
    assert_eq!(
        (text(report.moves), text(report.letters)),
        (String::new(), String::new())
    );
}

#[test]
fn boards_without_a_solution_have_a_report() {
    let solver = open(c"4x4", c"manhattan");
    let (code, report, line) = solve(&solver, UNSOLVABLE, &solve_options());
    let report = report.unwrap();
    assert_eq!((code, report.code), (STP_UNSOLVABLE, STP_UNSOLVABLE));
    assert_eq!(
        (report.length, report.bound, report.swap),
        (-1, -1, [14, 15])
    );
    assert!(report.moves.is_null() && report.letters.is_null() && report.tables.is_null());
    assert_eq!(text(report.message), line);
    assert_eq!(json_of(report.0)["status"], "unsolvable");

    for limited in [
        stp_solve_options {
            max_nodes: 1000,
            ..solve_options()
        },
        stp_solve_options {
            max_time: 0.02,
            ..solve_options()
        },
    ] {
        let (code, report, line) = solve(&solver, HARD, &limited);
        let report = report.unwrap();
        assert_eq!(
            (code, report.code, report.length),
            (STP_LIMIT, STP_LIMIT, -1)
        );
        assert!(report.bound >= 50, "{line}");
        assert!(report.nodes >= limited.max_nodes, "{line}");
        assert!(line.contains("no solution is shorter than"), "{line}");
        assert_eq!(json_of(report.0)["status"], "limit");
    }
}

#[test]
fn strategic_and_anytime_modes_have_reports() {
    let solver = open(c"4x4", c"4-4-4-3");
    let mut options = stp_solve_options {
        mode: STP_MODE_STRATEGIC,
        explain: 1,
        ..solve_options()
    };
    let followed = solve(&solver, HARD, &options).1.unwrap();
    assert_eq!(followed.method, STP_METHOD_STRATEGIC);
    assert!(json_of(followed.0)["steps"].as_array().unwrap().len() > 10);
    (options.short_solution, options.explain) = (1, 0);
    let short = solve(&solver, HARD, &options).1.unwrap();
    assert!(short.length < followed.length);

    unsafe extern "C" fn hear(report: *const stp_report, heard: *mut c_void) -> c_int {
        // SAFETY: the report is valid, and `heard` points to the list of the test.
        unsafe {
            assert_eq!((*report).code, STP_IMPROVED);
            // The report contains all fields of a solved board.
            let json = json_of(report);
            assert_eq!(json["status"], "improved");
            assert_eq!(
                (&json["mode"], &json["tables"]),
                (&"anytime".into(), &"4-4-4-3".into())
            );
            assert_eq!(
                (&json["threads"], &json["ms"]),
                (&2.into(), &(*report).ms.into())
            );
            assert_eq!(((*report).mode, (*report).threads), (STP_MODE_ANYTIME, 2));
            assert_eq!(text((*report).tables), "4-4-4-3");
            (*heard.cast::<Vec<Reported>>()).push(Reported(stp_report_copy(report)));
        }
        0
    }
    let mut heard: Vec<Reported> = Vec::new();
    let options = stp_solve_options {
        mode: STP_MODE_ANYTIME,
        within: 0.5,
        max_time: f64::INFINITY,
        on_improved: Some(hear),
        user_data: (&raw mut heard).cast(),
        ..solve_options()
    };
    let (code, report, _) = solve(&solver, HARD, &options);
    let report = report.unwrap();
    assert_eq!((code, report.mode), (STP_OK, STP_MODE_ANYTIME));
    assert!(f64::from(report.length) <= 1.5 * f64::from(report.bound));
    assert_eq!(heard.last().unwrap().length, report.length);
    assert!(heard.is_sorted_by_key(|better| -better.length));
}

#[test]
fn all_solutions_are_counted_and_listed() {
    let solver = open(c"3x3", c"8");
    let board = c"8 6 7/2 5 4/3 0 1";
    let all = |within, most, options: &stp_solve_options| {
        let (mut report, mut error) = (null_mut(), zeroed::<stp_error>());
        // SAFETY: the results are written to variables of this test.
        let code = unsafe {
            stp_solver_all_solutions(
                solver.0,
                board.as_ptr(),
                within,
                most,
                options,
                &raw mut report,
                &raw mut error,
            )
        };
        (code, Reported(report))
    };
    let (code, report) = all(2, 50, &solve_options());
    assert_eq!((code, report.length, report.count), (STP_OK, 31, 40));
    // SAFETY: the array has the length that the report states.
    unsafe {
        let counts = std::slice::from_raw_parts(report.counts, report.counts_length);
        assert_eq!(counts, [40, 0, 207]);
        let solutions = std::slice::from_raw_parts(report.solutions, report.solution_count);
        assert_eq!(solutions.len(), 50);
        assert_eq!(text(solutions[0]), text(report.moves));
        assert_ne!(text(solutions[1]), text(report.moves));
    }
    assert_eq!(json_of(report.0)["counts"], serde_json::json!([40, 0, 207]));
    // The call only counts solutions, but its report still contains the first solution.
    let (code, report) = all(0, 0, &solve_options());
    assert_eq!((code, report.count, report.solution_count), (STP_OK, 40, 0));
    assert!(report.solutions.is_null());
    let json = json_of(report.0);
    assert_eq!((report.letter_count, text(report.letters).len()), (31, 31));
    assert_eq!(
        (&json["count"], &json["moves"]),
        (&40.into(), &text(report.moves).into())
    );
    // Longer solutions were not requested. Programs can read the number of shortest solutions from
    // both `count` and `counts`.
    assert_eq!((json.get("counts"), json.get("solutions")), (None, None));
    // SAFETY: the report is not freed, and the array has the stated length.
    unsafe {
        let copy = Reported(stp_report_copy(report.0));
        for report in [&report, &copy] {
            let counts = std::slice::from_raw_parts(report.counts, report.counts_length);
            assert_eq!(counts, [40]);
        }
    }
    // The first solution is proved shortest, and then the node limit ends the count of the
    // solutions.
    let limited = stp_solve_options {
        max_nodes: 5000,
        ..solve_options()
    };
    let (code, report) = all(20, 1, &limited);
    assert_eq!(
        (code, report.code, report.length, report.proved),
        (STP_LIMIT, STP_LIMIT, 31, 1)
    );
    assert_eq!((report.letter_count, report.counts_length), (31, 0));
    assert!(report.counts.is_null());
    // The search is always optimal, but options that do not suit the requested mode are rejected.
    let mut anytime = stp_solve_options {
        mode: STP_MODE_ANYTIME,
        seed: 7,
        within: 0.1,
        ..solve_options()
    };
    let (code, report) = all(0, 1, &anytime);
    assert_eq!(
        (code, report.mode, report.count),
        (STP_OK, STP_MODE_OPTIMAL, 40)
    );
    anytime.mode = STP_MODE_STRATEGIC;
    assert_eq!(all(0, 1, &anytime).0, STP_ERROR);
}

/// Records the calls of a callback, and stops the search after a given number of calls.
struct Heard {
    thread: ThreadId,
    calls: usize,
    stop_after: usize,
}

impl Heard {
    fn stopping_after(calls: usize) -> Heard {
        Heard {
            thread: thread::current().id(),
            calls: 0,
            stop_after: calls,
        }
    }

    /// # Safety
    /// `heard` is valid, and nothing else uses it during the call.
    unsafe fn hear(heard: *mut c_void) -> c_int {
        // SAFETY: the caller promises that `heard` is valid and that nothing else uses it.
        let heard = unsafe { heard.cast::<Heard>().as_mut() }.unwrap();
        assert_eq!(heard.thread, thread::current().id());
        heard.calls += 1;
        (heard.calls >= heard.stop_after).into()
    }
}

unsafe extern "C" fn hear_progress(status: *const stp_search_status, heard: *mut c_void) -> c_int {
    // SAFETY: the status is valid, and `heard` points to the `Heard` of the test.
    unsafe {
        assert!((*status).bound >= 50 && (*status).ms >= 0.0);
        Heard::hear(heard)
    }
}

unsafe extern "C" fn hear_build(status: *const stp_build_status, heard: *mut c_void) -> c_int {
    // SAFETY: the status is valid, and `heard` points to the `Heard` of the test.
    unsafe {
        let status = *status;
        assert!(text(status.table).starts_with("4x4-zero-aware"));
        assert!(status.number < status.tables && (0.0..=1.0).contains(&status.done));
        Heard::hear(heard)
    }
}

#[test]
fn callbacks_run_on_the_callers_thread_and_stop_calls() {
    let solver = open(c"4x4", c"manhattan");
    let mut heard = Heard::stopping_after(5);
    for threads in [1, 2] {
        for mode in [STP_MODE_OPTIMAL, STP_MODE_ANYTIME] {
            heard.calls = 0;
            let options = stp_solve_options {
                threads,
                mode,
                max_time: f64::INFINITY,
                on_progress: Some(hear_progress),
                user_data: (&raw mut heard).cast(),
                ..solve_options()
            };
            let (code, report, line) = solve(&solver, HARD, &options);
            assert_eq!(
                (code, report.unwrap().code),
                (STP_CANCELLED, STP_CANCELLED),
                "{line}"
            );
            assert!(heard.calls >= 5);
        }
    }
    let mut heard = Heard::stopping_after(usize::MAX);
    let mut options = stp_open_options {
        partition: c"4-4-4-3".as_ptr(),
        threads: 2,
        on_build: Some(hear_build),
        user_data: (&raw mut heard).cast(),
        ..open_options()
    };
    assert!(try_open(&options).is_ok());
    assert!(heard.calls > 10);
    let folder = tempfile::tempdir().unwrap();
    let directory = CString::new(folder.path().to_str().unwrap()).unwrap();
    for directory in [null(), directory.as_ptr()] {
        let mut heard = Heard::stopping_after(3);
        options.user_data = (&raw mut heard).cast();
        options.directory = directory;
        assert_eq!(try_open(&options).map(|_| ()).unwrap_err().0, STP_CANCELLED);
        assert_eq!(heard.calls, 3);
    }
}

#[test]
fn a_token_stops_running_and_later_calls() {
    let solver = open(c"4x4", c"manhattan");
    let token = stp_cancel_new();
    let address = token as usize;
    let stopper = thread::spawn(move || {
        thread::sleep(Duration::from_millis(50));
        // SAFETY: the token is freed after this thread has ended.
        unsafe { stp_cancel_cancel(address as *const stp_cancel) };
    });
    let options = stp_solve_options {
        cancel: token,
        ..solve_options()
    };
    let (code, report, line) = solve(&solver, HARD, &options);
    assert_eq!(code, STP_CANCELLED);
    assert!(report.unwrap().bound >= 50);
    assert!(line.contains("no solution is shorter"), "{line}");
    stopper.join().unwrap();
    // A token stays cancelled, and a callback that stops its call does not cancel the token.
    assert_eq!(solve(&solver, HARD, &options).0, STP_CANCELLED);
    let other = stp_cancel_new();
    let mut heard = Heard::stopping_after(1);
    let options = stp_solve_options {
        cancel: other,
        on_progress: Some(hear_progress),
        user_data: (&raw mut heard).cast(),
        ..solve_options()
    };
    assert_eq!(solve(&solver, HARD, &options).0, STP_CANCELLED);
    // SAFETY: both tokens are freed once.
    unsafe {
        assert_eq!(stp_cancel_is_cancelled(token), 1);
        assert_eq!(stp_cancel_is_cancelled(other), 0);
        stp_cancel_free(token);
        stp_cancel_free(other);
    }
}

/// Reports of a list.
#[derive(Default)]
struct Listed {
    codes: Vec<stp_code>,
    modes: Vec<i32>,
    json: Vec<serde_json::Value>,
    lengths: Vec<i32>,
    boards: Vec<String>,
    stop_after: usize,
}

unsafe extern "C" fn list(number: usize, report: *const stp_report, listed: *mut c_void) -> c_int {
    // SAFETY: the report is valid, and `listed` points to the `Listed` of the test.
    let listed = unsafe { listed.cast::<Listed>().as_mut() }.unwrap();
    listed.json.push(json_of(report));
    // SAFETY: the report is valid until this callback returns.
    let report = unsafe { *report };
    assert_eq!(number, listed.codes.len());
    listed.modes.push(report.mode);
    listed.codes.push(report.code);
    listed.lengths.push(report.length);
    listed.boards.push(text(report.board));
    (listed.codes.len() == listed.stop_after).into()
}

fn solve_list(
    solver: &Opened,
    boards: &[*const c_char],
    options: &stp_solve_options,
    stop_after: usize,
) -> (stp_code, Listed) {
    let mut listed = Listed {
        stop_after,
        ..Listed::default()
    };
    // SAFETY: the results are written to variables of this function.
    let code = unsafe {
        stp_solver_solve_list(
            solver.0,
            boards.as_ptr(),
            boards.len(),
            options,
            Some(list),
            (&raw mut listed).cast(),
            null_mut(),
        )
    };
    (code, listed)
}

#[test]
fn lists_are_answered_in_order_despite_errors() {
    let solver = open(c"4x4", c"4-4-4-3");
    let boards = [
        EASY.as_ptr(),
        c"1 2 three".as_ptr(),
        UNSOLVABLE.as_ptr(),
        null(),
        c"\xff".as_ptr(),
        c"1 2 3/4 5 6/7 8 0".as_ptr(),
        EASY.as_ptr(),
    ];
    for threads in [1, 2, 5] {
        let options = stp_solve_options {
            threads,
            ..solve_options()
        };
        let (code, listed) = solve_list(&solver, &boards, &options, 0);
        assert_eq!(code, STP_OK);
        let error = STP_ERROR;
        assert_eq!(
            listed.codes,
            [0, error, STP_UNSOLVABLE, error, error, error, 0]
        );
        assert_eq!(listed.lengths, [11, -1, -1, -1, -1, -1, 11]);
        assert_eq!(listed.boards[1], "1 2 three");
    }
    let many = vec![EASY.as_ptr(); 3000];
    let (code, listed) = solve_list(&solver, &many, &solve_options(), 0);
    assert_eq!((code, listed.codes.len()), (STP_OK, 3000));
    let (code, listed) = solve_list(&solver, &many, &solve_options(), 7);
    assert_eq!((code, listed.codes.len()), (STP_CANCELLED, 7));
    assert_eq!(solve_list(&solver, &[], &solve_options(), 0).0, STP_OK);
}

/// Every report contains the mode; reports of searched boards also contain tables, threads and
/// time. The callbacks for progress and improved solutions are not called for lists.
#[test]
fn reports_of_lists_are_complete() {
    unsafe extern "C" fn count(_: *const stp_search_status, calls: *mut c_void) -> c_int {
        // SAFETY: `calls` points to the counter of the test.
        let calls = unsafe { calls.cast::<AtomicU32>().as_ref() }.unwrap();
        calls.fetch_add(1, Ordering::Relaxed);
        0
    }
    unsafe extern "C" fn count_better(_: *const stp_report, calls: *mut c_void) -> c_int {
        // SAFETY: `calls` points to the counter of the test.
        unsafe { count(null(), calls) }
    }
    let calls = AtomicU32::new(0);
    let solver = open(c"4x4", c"4-4-4-3");
    let boards = [EASY.as_ptr(), UNSOLVABLE.as_ptr(), c"1 2 three".as_ptr()];
    for (mode, name) in [
        (STP_MODE_OPTIMAL, "optimal"),
        (STP_MODE_STRATEGIC, "strategic"),
        (STP_MODE_ANYTIME, "anytime"),
    ] {
        let options = stp_solve_options {
            mode,
            explain: (mode == STP_MODE_STRATEGIC).into(),
            on_progress: Some(count),
            on_improved: Some(count_better),
            user_data: (&raw const calls).cast_mut().cast(),
            ..solve_options()
        };
        let (code, listed) = solve_list(&solver, &boards, &options, 0);
        assert_eq!((code, listed.modes), (STP_OK, vec![mode; 3]));
        for (json, status) in listed.json.iter().zip(["solved", "unsolvable", "error"]) {
            assert_eq!(
                (&json["status"], &json["mode"]),
                (&status.into(), &name.into())
            );
            for field in ["nodes", "tables", "threads", "ms"] {
                assert_eq!(
                    json.get(field).is_some(),
                    status == "solved",
                    "{field}: {json}"
                );
            }
        }
        assert_eq!(listed.json[0]["tables"], "4-4-4-3");
        assert_eq!(listed.json[0]["steps"].is_array(), options.explain == 1);
        assert_eq!(calls.load(Ordering::Relaxed), 0);
    }
}

#[test]
fn advice_is_json() {
    let solver = open(c"3x3", c"8");
    let board = c"8 6 7/2 5 4/3 0 1".as_ptr();
    // SAFETY: the solver is open, and the results are written to variables of this test.
    unsafe {
        let mut json = null_mut();
        let code = stp_solver_hint(solver.0, board, null(), &raw mut json, null_mut());
        assert_eq!(code, STP_OK);
        let hint: serde_json::Value = serde_json::from_str(&taken(json)).unwrap();
        assert_eq!(
            (&hint["board"], &hint["distance"], &hint["tables"]),
            (&"8 6 7/2 5 4/3 0 1".into(), &31.into(), &"8".into())
        );
        let moves = c"RLR".as_ptr();
        let code = stp_solver_rate(solver.0, board, moves, null(), &raw mut json, null_mut());
        assert_eq!(code, STP_OK);
        let rating: serde_json::Value = serde_json::from_str(&taken(json)).unwrap();
        assert_eq!(
            (&rating["moves"], &rating["length"]),
            (&"RLR".into(), &3.into())
        );
        let code = stp_solver_probe(solver.0, board, &raw mut json, null_mut());
        assert_eq!(code, STP_OK);
        let probe = taken(json);
        assert_eq!(probe.matches("\"board\"").count(), 1);
        let probe: serde_json::Value = serde_json::from_str(&probe).unwrap();
        assert_eq!(
            (&probe["estimate"], &probe["tables"]),
            (&31.into(), &"8".into())
        );
        let mut estimate = 7;
        let code = stp_solver_estimate(solver.0, board, &raw mut estimate, null_mut());
        assert_eq!((code, estimate), (STP_OK, 31));
        let unsolvable = c"1 2 3/4 5 6/8 7 0".as_ptr();
        for code in [
            stp_solver_hint(solver.0, unsolvable, null(), &raw mut json, null_mut()),
            stp_solver_rate(
                solver.0,
                unsolvable,
                moves,
                null(),
                &raw mut json,
                null_mut(),
            ),
            stp_solver_probe(solver.0, unsolvable, &raw mut json, null_mut()),
            stp_solver_estimate(solver.0, unsolvable, &raw mut estimate, null_mut()),
        ] {
            assert_eq!((code, json.is_null()), (STP_UNSOLVABLE, true));
        }
        assert_eq!(estimate, 0);
        let code = stp_solver_rate(
            solver.0,
            board,
            c"DDD".as_ptr(),
            null(),
            &raw mut json,
            null_mut(),
        );
        assert_eq!(code, STP_ERROR);
        let info = info(&solver);
        assert_eq!(
            (&info["size"], &info["partition"]),
            (&"3x3".into(), &"8".into())
        );
        assert_eq!(info["tables"][0]["tiles"][0].as_array().unwrap().len(), 8);
    }
}

#[test]
fn tables_of_a_directory_are_built_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = CString::new(folder.path().to_str().unwrap()).unwrap();
    let options = stp_open_options {
        partition: c"4-4-4-3".as_ptr(),
        directory: path.as_ptr(),
        ..open_options()
    };
    assert!(try_open(&options).is_ok());
    let mut heard = Heard::stopping_after(1);
    let again = stp_open_options {
        on_build: Some(hear_build),
        user_data: (&raw mut heard).cast(),
        ..options
    };
    assert!(try_open(&again).is_ok());
    assert_eq!(heard.calls, 0);
    let large = stp_open_options {
        partition: c"7-8".as_ptr(),
        ..options
    };
    let (code, line) = try_open(&large).map(|_| ()).unwrap_err();
    assert_eq!(code, STP_TABLE);
    assert!(line.contains("max_build_time"), "{line}");
    let little = stp_open_options {
        partition: c"7-8".as_ptr(),
        directory: null(),
        max_memory: 1 << 20,
        ..options
    };
    assert_eq!(try_open(&little).map(|_| ()).unwrap_err().0, STP_MEMORY);
    // A damaged file is rejected and not changed.
    let file = files_of(folder.path()).swap_remove(0);
    let mut bytes = std::fs::read(&file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let (code, line) = try_open(&options).map(|_| ()).unwrap_err();
    assert_eq!(code, STP_TABLE);
    assert!(
        line.contains(file.file_name().unwrap().to_str().unwrap()),
        "{line}"
    );
}

#[test]
fn the_library_chooses_tables_without_a_partition() {
    let chosen = |options: &stp_open_options| {
        let solver = try_open(options).map_err(|(_, line)| line).unwrap();
        // SAFETY: the solver is open.
        text(unsafe { stp_solver_partition(solver.0) })
    };
    assert_eq!(chosen(&open_options()), "6-6-3");
    let hurried = stp_open_options {
        max_build_time: 0.1,
        threads: 2,
        ..open_options()
    };
    assert_eq!(chosen(&hurried), "5-5-5");
    let line = stp_open_options {
        size: c"7x1".as_ptr(),
        ..open_options()
    };
    assert_eq!(chosen(&line), "manhattan");
    let multi = stp_open_options {
        size: c"3x3".as_ptr(),
        metric: c"multi".as_ptr(),
        ..open_options()
    };
    assert_eq!(chosen(&multi), "runs");
}

/// The result of stp_solver_info.
fn info(solver: &Opened) -> serde_json::Value {
    let mut json = null_mut();
    // SAFETY: the result is written to a variable of this function.
    let code = unsafe { stp_solver_info(solver.0, &raw mut json, null_mut()) };
    assert_eq!(code, STP_OK);
    serde_json::from_str(&taken(json)).unwrap()
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

/// The structs of the tables. They are valid as long as the bytes in `tables`.
fn structs_of(tables: &[Vec<u8>]) -> Vec<stp_bytes> {
    let bytes = tables.iter().map(|table| stp_bytes {
        data: table.as_ptr(),
        length: table.len(),
    });
    bytes.collect()
}

#[test]
fn the_choice_of_tables_has_a_reason_and_prefers_existing_ones() {
    let folder = tempfile::tempdir().unwrap();
    let path = CString::new(folder.path().to_str().unwrap()).unwrap();
    // These options allow no time to build tables.
    let hurried = stp_open_options {
        size: c"3x3".as_ptr(),
        max_build_time: 1e-9,
        ..open_options()
    };
    let opened = |options: &stp_open_options| {
        let solver = try_open(options).map_err(|(_, line)| line).unwrap();
        let info = info(&solver);
        (info["partition"].clone(), info["reason"].clone())
    };
    let in_directory = stp_open_options {
        directory: path.as_ptr(),
        ..hurried
    };
    for options in [&hurried, &in_directory] {
        let (partition, reason) = opened(options);
        assert_eq!(partition, "manhattan");
        let reason = reason.as_str().unwrap();
        assert!(
            reason.starts_with("tables of 8 are missing") && reason.ends_with("manhattan instead"),
            "{reason}"
        );
    }
    let usual = stp_open_options {
        max_build_time: 100.0,
        ..in_directory
    };
    let chosen = ("8".into(), serde_json::Value::Null);
    assert_eq!(opened(&usual), chosen);
    assert_eq!(opened(&in_directory), chosen);
    let files = files_of(folder.path());
    let tables: Vec<_> = files
        .iter()
        .map(|file| std::fs::read(file).unwrap())
        .collect();
    let bytes = structs_of(&tables);
    let given = stp_open_options {
        tables: bytes.as_ptr(),
        table_count: bytes.len(),
        ..hurried
    };
    assert_eq!(opened(&given), chosen);
    // Tables that are not needed are ignored. `reason` is null, because the partition is requested.
    let asked = stp_open_options {
        partition: c"manhattan".as_ptr(),
        ..given
    };
    assert_eq!(
        opened(&asked),
        ("manhattan".into(), serde_json::Value::Null)
    );
}

#[test]
fn tables_may_be_bytes_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = CString::new(folder.path().to_str().unwrap()).unwrap();
    let mut options = stp_open_options {
        size: c"3x3".as_ptr(),
        partition: c"5-3".as_ptr(),
        directory: path.as_ptr(),
        ..open_options()
    };
    assert!(try_open(&options).is_ok());
    let goal = puzzle::Goal::blank_last("3x3".parse().unwrap());
    let ids = puzzle::HeuristicSpec::parse("5-3", &goal).unwrap().tables();
    let files = ids.iter().map(|id| folder.path().join(id.name() + ".pdb"));
    let mut tables: Vec<_> = files.map(|file| std::fs::read(file).unwrap()).collect();
    let plain = tables.clone();
    // The first table is packed, and the second one is compressed.
    let table = pdb_table::Table::new(tables[0].clone()).unwrap();
    let cancel = solver::Cancel::default();
    tables[0] = pdb_table::pack(&table, None, &(), &cancel).unwrap();
    let table = pdb_table::Table::new(tables[1].clone()).unwrap();
    let compressed = folder.path().join("compressed");
    pdb_table::write_table(
        &compressed,
        pdb_table::Compression::Zstd(3),
        |file| file.write_all(table.payload()),
        |_| table.header().clone(),
    )
    .unwrap();
    tables[1] = std::fs::read(compressed).unwrap();
    let mut heard = Heard::stopping_after(1);
    let open = |tables: &[Vec<u8>], options: &mut stp_open_options| {
        let bytes = structs_of(tables);
        options.tables = bytes.as_ptr();
        options.table_count = bytes.len();
        try_open(options)
    };
    assert_eq!(
        open(&tables, &mut options).map(|_| ()).unwrap_err().0,
        STP_ERROR
    );
    options.directory = null();
    options.on_build = Some(hear_build);
    options.user_data = (&raw mut heard).cast();
    let solver = open(&tables, &mut options)
        .map_err(|(_, line)| line)
        .unwrap();
    assert_eq!(heard.calls, 0);
    options.on_build = None;
    let report = solve(&solver, c"8 6 7/2 5 4/3 0 1", &solve_options())
        .1
        .unwrap();
    assert_eq!(report.length, 31);
    assert!(open(&plain, &mut options).is_ok());
    options.max_memory = 1;
    for tables in [&tables, &plain] {
        let (code, line) = open(tables, &mut options).map(|_| ()).unwrap_err();
        assert_eq!(code, STP_MEMORY);
        assert!(line.starts_with("table 0: "), "{line}");
    }
    options.max_memory = 0;
    for table in 0..2 {
        let mut damaged = tables.clone();
        *damaged[table].last_mut().unwrap() ^= 1;
        let (code, line) = open(&damaged, &mut options).map(|_| ()).unwrap_err();
        assert_eq!(code, STP_TABLE);
        assert!(line.starts_with(&format!("table {table}: ")), "{line}");
        damaged[table].clear();
        assert_eq!(
            open(&damaged, &mut options).map(|_| ()).unwrap_err().0,
            STP_TABLE
        );
    }
}

#[test]
fn boards_and_moves() {
    // SAFETY: all texts are valid, and the results are written to variables of this test.
    unsafe {
        let (mut board, mut error) = (null_mut(), zeroed::<stp_error>());
        let drawn = c"6 4 7\n8 5 _\n3 2 1".as_ptr();
        let code = stp_board_parse(drawn, null(), &raw mut board, &raw mut error);
        assert_eq!(code, STP_OK);
        assert_eq!(((*board).columns, (*board).rows, (*board).cells), (3, 3, 9));
        assert_eq!(text((*board).text), "6 4 7/8 5 0/3 2 1");
        let numbers = std::slice::from_raw_parts((*board).numbers, 9).to_vec();
        stp_board_free(board);
        let code = stp_board_of_numbers(numbers.as_ptr(), 3, 3, &raw mut board, null_mut());
        assert_eq!(code, STP_OK);
        assert_eq!(text((*board).text), "6 4 7/8 5 0/3 2 1");
        stp_board_free(board);
        let goal = c"blank-first".as_ptr();
        let code = stp_board_of_goal(goal, c"3x2".as_ptr(), &raw mut board, null_mut());
        assert_eq!(
            (code, text((*board).text)),
            (STP_OK, "0 1 2/3 4 5".to_owned())
        );
        stp_board_free(board);

        let mut swap = [9_u16; 2];
        let code = stp_board_check(
            UNSOLVABLE.as_ptr(),
            null(),
            (&raw mut swap).cast(),
            &raw mut error,
        );
        assert_eq!((code, swap), (STP_UNSOLVABLE, [14, 15]));
        assert!(message(&error).contains("14 and 15"));
        let code = stp_board_check(
            EASY.as_ptr(),
            null(),
            (&raw mut swap).cast(),
            &raw mut error,
        );
        assert_eq!(
            (code, swap, message(&error)),
            (STP_OK, [0, 0], String::new())
        );

        let (start, moves) = (c"1 2 3/4 0 6/7 5 8".as_ptr(), c"UL".as_ptr());
        let mut drawing = null_mut();
        for (style, moves, first) in [
            (c"text", null(), "1 "),
            (c"svg", null(), "<svg"),
            (c"svg", moves, "<svg"),
        ] {
            let code = stp_board_draw(
                start,
                null(),
                style.as_ptr(),
                moves,
                &raw mut drawing,
                null_mut(),
            );
            let drawing = taken(drawing);
            assert!(
                code == STP_OK && drawing.trim_start().contains(first),
                "{drawing}"
            );
        }
        let draw = c"picture".as_ptr();
        assert_eq!(
            stp_board_draw(start, null(), draw, null(), &raw mut drawing, null_mut()),
            STP_ERROR
        );
        assert!(drawing.is_null());

        let mut written = null_mut();
        let to = STP_NOTATION_NUMBERS;
        let code = stp_moves_convert(start, moves, to, &raw mut written, null_mut());
        assert_eq!((code, taken(written)), (STP_OK, "5 8".to_owned()));
        let code = stp_moves_invert(c"U2RD".as_ptr(), &raw mut written, null_mut());
        assert_eq!((code, taken(written)), (STP_OK, "ULD2".to_owned()));

        let scrambler = stp_scrambler_new(7);
        let code = stp_scrambler_draw(
            scrambler,
            c"4x4".as_ptr(),
            null(),
            &raw mut board,
            null_mut(),
        );
        assert_eq!(code, STP_OK);
        assert_eq!(
            stp_board_check((*board).text, null(), null_mut(), null_mut()),
            STP_OK
        );
        stp_board_free(board);
        let size = c"3x3".as_ptr();
        let code = stp_scrambler_walk(
            scrambler,
            size,
            null(),
            20,
            &raw mut board,
            &raw mut written,
            null_mut(),
        );
        assert_eq!(code, STP_OK);
        let (mut goal, mut end) = (null_mut(), null_mut());
        stp_board_of_goal(null(), size, &raw mut goal, null_mut());
        let code = stp_board_apply(
            (*goal).text,
            written,
            null(),
            &raw mut end,
            null_mut(),
            null_mut(),
        );
        assert_eq!((code, text((*end).text)), (STP_OK, text((*board).text)));
        stp_string_free(written);
        for board in [goal, end, board] {
            stp_board_free(board);
        }
        let code = stp_scrambler_walk(
            scrambler,
            size,
            null(),
            u64::MAX,
            &raw mut board,
            &raw mut written,
            null_mut(),
        );
        assert_eq!(
            (code, board.is_null(), written.is_null()),
            (STP_ERROR, true, true)
        );
        stp_scrambler_free(scrambler);
    }
}

#[test]
fn null_pointers_are_rejected() {
    let solver = open(c"3x3", c"manhattan");
    let board = c"1 2 3/4 5 6/7 0 8".as_ptr();
    // SAFETY: this test passes null pointers, which all calls accept.
    unsafe {
        stp_cancel_cancel(null());
        assert_eq!(stp_cancel_is_cancelled(null()), 0);
        assert!(stp_report_json(null()).is_null() && stp_report_copy(null()).is_null());
        assert!(stp_solver_partition(null()).is_null());

        let (mut report, mut json, mut made) = (null_mut(), null_mut(), null_mut());
        let (mut estimate, none) = (0, null_mut::<stp_error>());
        let codes = [
            stp_solver_open(null(), null_mut(), none),
            stp_solver_info(null(), &raw mut json, none),
            stp_solver_info(solver.0, null_mut(), none),
            stp_solver_solve(null(), board, null(), &raw mut report, none),
            stp_solver_solve(solver.0, null(), null(), &raw mut report, none),
            stp_solver_solve(solver.0, board, null(), null_mut(), none),
            stp_solver_all_solutions(null(), board, 0, 0, null(), &raw mut report, none),
            stp_solver_all_solutions(solver.0, null(), 0, 0, null(), &raw mut report, none),
            stp_solver_all_solutions(solver.0, board, 0, 0, null(), null_mut(), none),
            stp_solver_solve_list(null(), null(), 0, null(), Some(list), null_mut(), none),
            stp_solver_solve_list(solver.0, null(), 1, null(), Some(list), null_mut(), none),
            stp_solver_solve_list(solver.0, null(), 0, null(), None, null_mut(), none),
            stp_solver_hint(null(), board, null(), &raw mut json, none),
            stp_solver_hint(solver.0, null(), null(), &raw mut json, none),
            stp_solver_hint(solver.0, board, null(), null_mut(), none),
            stp_solver_rate(null(), board, board, null(), &raw mut json, none),
            stp_solver_rate(solver.0, null(), board, null(), &raw mut json, none),
            stp_solver_rate(solver.0, board, null(), null(), &raw mut json, none),
            stp_solver_rate(solver.0, board, board, null(), null_mut(), none),
            stp_solver_probe(null(), board, &raw mut json, none),
            stp_solver_probe(solver.0, null(), &raw mut json, none),
            stp_solver_probe(solver.0, board, null_mut(), none),
            stp_solver_estimate(null(), board, &raw mut estimate, none),
            stp_solver_estimate(solver.0, null(), &raw mut estimate, none),
            stp_solver_estimate(solver.0, board, null_mut(), none),
            stp_board_parse(null(), null(), &raw mut made, none),
            stp_board_parse(board, null(), null_mut(), none),
            stp_board_of_numbers(null(), 3, 3, &raw mut made, none),
            stp_board_of_numbers([0_u16].as_ptr(), 1, 1, null_mut(), none),
            stp_board_of_goal(null(), null(), null_mut(), none),
            stp_board_check(null(), null(), null_mut(), none),
            stp_board_apply(null(), board, null(), &raw mut made, null_mut(), none),
            stp_board_apply(board, null(), null(), &raw mut made, null_mut(), none),
            stp_board_apply(board, c"R".as_ptr(), null(), null_mut(), null_mut(), none),
            stp_board_draw(null(), null(), c"svg".as_ptr(), null(), &raw mut json, none),
            stp_board_draw(board, null(), null(), null(), &raw mut json, none),
            stp_board_draw(board, null(), c"svg".as_ptr(), null(), null_mut(), none),
            stp_moves_convert(null(), board, 0, &raw mut json, none),
            stp_moves_convert(board, null(), 0, &raw mut json, none),
            stp_moves_convert(board, c"R".as_ptr(), 0, null_mut(), none),
            stp_moves_invert(null(), &raw mut json, none),
            stp_moves_invert(c"R".as_ptr(), null_mut(), none),
            stp_scrambler_draw(null_mut(), null(), null(), &raw mut made, none),
            stp_scrambler_walk(
                null_mut(),
                null(),
                null(),
                1,
                &raw mut made,
                null_mut(),
                none,
            ),
        ];
        for (number, code) in codes.into_iter().enumerate() {
            assert_eq!(code, STP_ERROR, "call {number}");
        }
        assert!(report.is_null() && json.is_null() && made.is_null());
    }
}

#[test]
fn invalid_arguments_are_rejected() {
    let solver = open(c"3x3", c"manhattan");
    let board = c"1 2 3/4 5 6/7 0 8";
    let refused = |options: stp_solve_options, word: &str| {
        let (code, report, line) = solve(&solver, board, &options);
        assert_eq!((code, report.is_some()), (STP_ERROR, false), "{word}");
        assert!(line.contains(word), "{word}: {line}");
    };
    refused(
        stp_solve_options {
            mode: 3,
            ..solve_options()
        },
        "mode",
    );
    refused(
        stp_solve_options {
            mode: -1,
            ..solve_options()
        },
        "mode",
    );
    refused(
        stp_solve_options {
            notation: 9,
            ..solve_options()
        },
        "notation",
    );
    refused(
        stp_solve_options {
            pruning: 2,
            ..solve_options()
        },
        "pruning",
    );
    refused(
        stp_solve_options {
            side: 3,
            ..solve_options()
        },
        "side",
    );
    let many = stp_open_options {
        threads: u32::MAX,
        ..open_options()
    };
    assert_eq!(try_open(&many).map(|_| ()).unwrap_err().0, STP_ERROR);
    refused(
        stp_solve_options {
            threads: 5000,
            ..solve_options()
        },
        "threads",
    );
    for wrong in [-1.0, f64::NAN, f64::NEG_INFINITY] {
        refused(
            stp_solve_options {
                max_time: wrong,
                ..solve_options()
            },
            "max_time",
        );
        refused(
            stp_solve_options {
                within: wrong,
                ..solve_options()
            },
            "within",
        );
        let options = stp_open_options {
            max_build_time: wrong,
            ..open_options()
        };
        let (code, line) = try_open(&options).map(|_| ()).unwrap_err();
        assert!(
            code == STP_ERROR && line.contains("max_build_time"),
            "{line}"
        );
    }
    // In the first version of the library, the struct ended before `side`.
    for size in [0, 8, offset_of!(stp_solve_options, side) - 1, 1 << 40] {
        refused(
            stp_solve_options {
                struct_size: size,
                ..solve_options()
            },
            "struct_size",
        );
    }
    // Very long times mean no limit, and very short times are valid limits.
    for time in [f64::INFINITY, 1e300, f64::MIN_POSITIVE] {
        let options = stp_solve_options {
            max_time: time,
            ..solve_options()
        };
        assert!(matches!(
            solve(&solver, board, &options).0,
            STP_OK | STP_LIMIT
        ));
    }
    for (bad, word) in [
        (c"1 2 3/4 5 6/7 7 8", "is repeated"),
        (c"", "board"),
        (c"\xc3\x28", "UTF-8"),
        (c"1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0", "3x3"),
    ] {
        let (code, report, line) = solve(&solver, bad, &solve_options());
        assert_eq!((code, report.is_some()), (STP_ERROR, false));
        assert!(line.contains(word), "{line}");
    }
    type Set = fn(&mut stp_open_options, *const c_char);
    let names: [(Set, &CStr); 6] = [
        (|options, text| options.size = text, c"4y4"),
        (|options, text| options.goal = text, c"blank-nowhere"),
        (|options, text| options.metric = text, c"miles"),
        (|options, text| options.partition = text, c"6-6-9"),
        (|options, text| options.partition = text, c"\xff"),
        (|options, text| options.directory = text, c""),
    ];
    for (set, wrong) in names {
        let mut options = open_options();
        set(&mut options, wrong.as_ptr());
        let (code, line) = try_open(&options).map(|_| ()).unwrap_err();
        assert_eq!(code, STP_ERROR, "{line}");
    }
}

/// Options of a program that was compiled with a later header.
#[repr(C)]
struct LaterOptions {
    known: stp_solve_options,
    later: [u64; 2],
}

#[test]
fn options_of_later_versions_are_accepted_if_new_members_are_zero() {
    let solver = open(c"3x3", c"manhattan");
    let mut options = LaterOptions {
        known: solve_options(),
        later: [0; 2],
    };
    options.known.struct_size = size_of::<LaterOptions>();
    let solve = |options: &LaterOptions| {
        let (mut report, mut error) = (null_mut(), zeroed::<stp_error>());
        // SAFETY: the options are as large as they state, and the results are written to variables
        // of this test.
        let code = unsafe {
            let options = (&raw const *options).cast();
            let board = c"1 2 3/4 5 6/7 0 8".as_ptr();
            stp_solver_solve(solver.0, board, options, &raw mut report, &raw mut error)
        };
        // SAFETY: the report is freed once.
        unsafe { stp_report_free(report) };
        (code, message(&error))
    };
    assert_eq!(solve(&options).0, STP_OK);
    options.later[1] = 1;
    let (code, line) = solve(&options);
    assert!(
        code == STP_ERROR && line.contains("update the library"),
        "{line}"
    );
}

#[test]
fn solvers_can_be_shared_by_threads() {
    let solver = open(c"4x4", c"4-4-4-3");
    let address = solver.0 as usize;
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(move || {
                let shared = std::mem::ManuallyDrop::new(Opened(address as *mut stp_solver));
                for _ in 0..50 {
                    let report = solve(&shared, EASY, &solve_options()).1.unwrap();
                    assert_eq!(report.length, 11);
                    assert_eq!(json_of(report.0)["length"], 11);
                }
            });
        }
    });
}

#[test]
fn names_and_versions() {
    assert_eq!(text(stp_version()), env!("CARGO_PKG_VERSION"));
    assert_eq!(stp_abi_version(), STP_ABI_VERSION);
    assert_eq!(text(stp_code_name(STP_UNSOLVABLE)), "unsolvable");
    assert_eq!(text(stp_code_name(77)), "unknown");
}

/// Data of a callback that opens a solver in `directory` when it is called for the first time.
struct Reentry {
    directory: CString,
    opened: Option<Result<(), (stp_code, String)>>,
}

unsafe extern "C" fn open_again(_: *const stp_build_status, reentry: *mut c_void) -> c_int {
    // SAFETY: `reentry` points to the `Reentry` of the test.
    let reentry = unsafe { reentry.cast::<Reentry>().as_mut() }.unwrap();
    if reentry.opened.is_none() {
        let options = stp_open_options {
            partition: c"4-4-4-3".as_ptr(),
            directory: reentry.directory.as_ptr(),
            max_build_time: 100.0,
            ..open_options()
        };
        reentry.opened = Some(try_open(&options).map(drop));
    }
    0
}

#[test]
fn a_callback_can_open_the_directory_of_the_build() {
    // This test would deadlock if the build waited for the callback.
    let (ended, end) = std::sync::mpsc::channel();
    thread::spawn(move || {
        let folder = tempfile::tempdir().unwrap();
        let mut reentry = Reentry {
            directory: CString::new(folder.path().to_str().unwrap()).unwrap(),
            opened: None,
        };
        let directory = reentry.directory.clone();
        let options = stp_open_options {
            partition: c"4-4-4-3".as_ptr(),
            directory: directory.as_ptr(),
            max_build_time: 100.0,
            on_build: Some(open_again),
            user_data: (&raw mut reentry).cast(),
            ..open_options()
        };
        let outer = try_open(&options).map(drop);
        ended.send((outer, reentry.opened)).unwrap();
    });
    let both = end.recv_timeout(HANG_LIMIT);
    assert_eq!(both, Ok((Ok(()), Some(Ok(())))));
}

#[test]
fn a_cancelled_token_stops_opening_from_every_source() {
    let folder = tempfile::tempdir().unwrap();
    let path = CString::new(folder.path().to_str().unwrap()).unwrap();
    let token = stp_cancel_new();
    let kept = stp_open_options {
        size: c"3x3".as_ptr(),
        partition: c"5-3".as_ptr(),
        directory: path.as_ptr(),
        cancel: token,
        ..open_options()
    };
    assert!(try_open(&kept).is_ok());
    let file = files_of(folder.path()).swap_remove(0);
    let bytes = std::fs::read(file).unwrap();
    let table = stp_bytes {
        data: bytes.as_ptr(),
        length: bytes.len(),
    };
    let given = stp_open_options {
        directory: null(),
        tables: &raw const table,
        table_count: 1,
        ..kept
    };
    let none = stp_open_options {
        partition: c"manhattan".as_ptr(),
        directory: null(),
        ..kept
    };
    assert!(try_open(&given).is_ok());
    // SAFETY: the token is freed at the end.
    unsafe { stp_cancel_cancel(token) };
    for options in [kept, given, none] {
        let ended = try_open(&options).map(drop);
        assert_eq!(ended, Err((STP_CANCELLED, "cancelled".to_owned())));
    }
    // SAFETY: the token is freed once.
    unsafe { stp_cancel_free(token) };
}

unsafe extern "C" fn count_threads(_: *const stp_build_status, most: *mut c_void) -> c_int {
    // Only Linux has this directory.
    let threads = std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count);
    // SAFETY: `most` points to the number of the test.
    let most = unsafe { most.cast::<usize>().as_mut() }.unwrap();
    *most = threads.max(*most);
    0
}

#[test]
fn opening_does_not_start_thousands_of_threads() {
    let mut most = 0;
    let options = stp_open_options {
        partition: c"4-4-4-3".as_ptr(),
        threads: 4096,
        on_build: Some(count_threads),
        user_data: (&raw mut most).cast(),
        ..open_options()
    };
    assert!(try_open(&options).is_ok());
    // This includes the threads of other tests.
    assert!(most < 1000, "{most} threads");
}

#[test]
fn answered_lists_are_not_cancelled_at_their_end() {
    let solver = open(c"4x4", c"4-4-4-3");
    let boards = [EASY.as_ptr(); 3];
    // The callback stops the list after the last board. Every board already has a report, so the
    // call succeeds.
    assert_eq!(solve_list(&solver, &boards, &solve_options(), 3).0, STP_OK);
    assert_eq!(
        solve_list(&solver, &boards, &solve_options(), 2).0,
        STP_CANCELLED
    );
    let token = stp_cancel_new();
    // SAFETY: the token is freed at the end.
    unsafe { stp_cancel_cancel(token) };
    let options = stp_solve_options {
        cancel: token,
        ..solve_options()
    };
    let (code, listed) = solve_list(&solver, &boards, &options, 0);
    assert_eq!((code, listed.codes.len()), (STP_CANCELLED, 0));
    assert_eq!(solve_list(&solver, &[], &options, 0).0, STP_OK);
    // SAFETY: the token is freed once.
    unsafe { stp_cancel_free(token) };
}

#[test]
fn copies_of_the_struct_are_not_reports() {
    let solver = open(c"3x3", c"manhattan");
    let report = solve(&solver, c"1 2 3/4 5 6/7 0 8", &solve_options()).1;
    let report = report.unwrap();
    let mut copy: stp_report = *report;
    // SAFETY: copies of the struct are rejected, and the report is freed once.
    unsafe {
        assert!(stp_report_json(&raw const copy).is_null());
        assert!(stp_report_copy(&raw const copy).is_null());
        stp_report_free(&raw mut copy);
        let whole = stp_report_copy(report.0);
        assert_eq!(
            text(stp_report_json(whole)),
            text(stp_report_json(report.0))
        );
        stp_report_free(whole);
    }
}

#[test]
fn messages_are_one_line_for_any_input() {
    let bad = c"a\nb\x1b[31m\tc";
    for options in [
        stp_open_options {
            metric: bad.as_ptr(),
            ..open_options()
        },
        stp_open_options {
            partition: bad.as_ptr(),
            ..open_options()
        },
        stp_open_options {
            goal: bad.as_ptr(),
            ..open_options()
        },
    ] {
        let (code, line) = try_open(&options).map(drop).unwrap_err();
        assert_eq!(code, STP_ERROR);
        assert!(!line.chars().any(char::is_control), "{line:?}");
    }
}

#[test]
fn only_damaged_files_suggest_a_rebuild() {
    // The call fails because the directory's name is too long, not because a file is damaged.
    let long = CString::new(format!("/{}", "x".repeat(300))).unwrap();
    let options = stp_open_options {
        partition: c"7-8".as_ptr(),
        directory: long.as_ptr(),
        ..open_options()
    };
    let (code, line) = try_open(&options).map(drop).unwrap_err();
    assert_eq!(code, STP_TABLE);
    assert!(!line.contains("build it again"), "{line}");
}

/// Three 3x3 boards as numbers: 31 moves, 1 move, and the goal.
const NUMBERS: [u16; 27] = [
    8, 6, 7, 2, 5, 4, 3, 0, 1, 1, 2, 3, 4, 5, 6, 7, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8, 0,
];

#[test]
fn estimates_of_many_boards() {
    let solver = open(c"3x3", c"8");
    let estimates = |numbers: *const u16, count: usize, options: &stp_solve_options| {
        let (mut values, mut error) = ([9_u16; 4], zeroed::<stp_error>());
        // SAFETY: the results are written to variables of this test.
        let code = unsafe {
            stp_solver_estimates(
                solver.0,
                numbers,
                count,
                options,
                values.as_mut_ptr(),
                &raw mut error,
            )
        };
        assert_eq!(code, error.code);
        (code, values, message(&error))
    };
    let options = solve_options();
    let (code, values, _) = estimates(NUMBERS.as_ptr(), 3, &options);
    assert_eq!((code, values), (STP_OK, [31, 1, 0, 9]));
    assert_eq!(estimates(null(), 0, &options).0, STP_OK);

    let (code, _, line) = estimates(null(), 1, &options);
    assert_eq!((code, line.contains("numbers is NULL")), (STP_ERROR, true));
    let (code, _, line) = estimates(NUMBERS.as_ptr(), usize::MAX / 2, &options);
    assert_eq!((code, line.contains("address space")), (STP_ERROR, true));
    let mut wrong = NUMBERS;
    wrong[16] = 300;
    let (code, _, line) = estimates(wrong.as_ptr(), 3, &options);
    assert_eq!((code, line.contains("board 1: 300")), (STP_ERROR, true));
    let mut wrong = NUMBERS;
    wrong.swap(18, 19);
    let (code, _, line) = estimates(wrong.as_ptr(), 3, &options);
    assert_eq!((code, line.contains("board 2")), (STP_UNSOLVABLE, true));
    // SAFETY: the token is created once and freed once.
    unsafe {
        let cancel = stp_cancel_new();
        stp_cancel_cancel(cancel);
        let options = stp_solve_options { cancel, ..options };
        assert_eq!(estimates(NUMBERS.as_ptr(), 3, &options).0, STP_CANCELLED);
        stp_cancel_free(cancel);
    }
}

#[test]
fn reports_of_many_boards() {
    unsafe extern "C" fn hear(
        number: usize,
        report: *const stp_report,
        heard: *mut c_void,
    ) -> c_int {
        // SAFETY: the report is valid, and `heard` points to the list of the test.
        unsafe {
            let line = (number, (*report).code, (*report).length);
            (*heard.cast::<Vec<(usize, stp_code, i32)>>()).push(line);
        }
        0
    }
    let solver = open(c"3x3", c"8");
    let mut numbers = NUMBERS;
    numbers[9] = 2;
    let mut heard: Vec<(usize, stp_code, i32)> = Vec::new();
    // SAFETY: the results are written to variables of this test.
    let code = unsafe {
        stp_solver_solve_numbers(
            solver.0,
            numbers.as_ptr(),
            3,
            null(),
            Some(hear),
            (&raw mut heard).cast(),
            null_mut(),
        )
    };
    assert_eq!(code, STP_OK);
    let expected = [(0, STP_OK, 31), (1, STP_ERROR, -1), (2, STP_OK, 0)];
    assert_eq!(heard, expected);
}

type Change = fn(&mut stp_solve_options);

/// Each option that suits only one mode, with that mode.
const OF_MODES: [(Change, &str, i32); 5] = [
    (|options| options.within = 0.1, "within", STP_MODE_ANYTIME),
    (|options| options.seed = 7, "seed", STP_MODE_ANYTIME),
    (
        |options| options.max_memory = 1 << 20,
        "max_memory",
        STP_MODE_ANYTIME,
    ),
    (
        |options| options.short_solution = 1,
        "short_solution",
        STP_MODE_STRATEGIC,
    ),
    (|options| options.explain = 1, "explain", STP_MODE_STRATEGIC),
];

#[test]
fn options_of_other_modes_are_rejected() {
    let solver = open(c"3x3", c"8");
    let board = c"1 2 3/4 5 6/7 0 8";
    for (change, name, own) in OF_MODES {
        for mode in [STP_MODE_OPTIMAL, STP_MODE_STRATEGIC, STP_MODE_ANYTIME] {
            let mut options = solve_options();
            options.mode = mode;
            change(&mut options);
            let (code, report, line) = solve(&solver, board, &options);
            let expected = if mode == own { STP_OK } else { STP_ERROR };
            assert_eq!((code, report.is_some()), (expected, mode == own), "{line}");
            assert_eq!(
                line.starts_with(name) && line.contains(" for the mode "),
                mode != own
            );
            let (code, listed) = solve_list(&solver, &[board.as_ptr()], &options, 0);
            assert_eq!(
                (code, listed.codes.len()),
                (expected, usize::from(mode == own))
            );
            let mut report = null_mut();
            // SAFETY: the result is written to a variable of this test, and the report is freed
            // once.
            let code = unsafe {
                let place = &raw mut report;
                let board = board.as_ptr();
                let code =
                    stp_solver_all_solutions(solver.0, board, 0, 1, &options, place, null_mut());
                stp_report_free(report);
                code
            };
            assert_eq!((code, report.is_null()), (expected, mode != own), "{name}");
        }
    }
    // Short solutions have no steps, so `short_solution` and `explain` contradict each other.
    let both = stp_solve_options {
        mode: STP_MODE_STRATEGIC,
        short_solution: 1,
        explain: 1,
        ..solve_options()
    };
    let (code, _, line) = solve(&solver, board, &both);
    assert_eq!(code, STP_ERROR);
    assert!(line.contains("short_solution and explain"), "{line}");
    // Any solution is accepted.
    let any = stp_solve_options {
        mode: STP_MODE_ANYTIME,
        within: f64::INFINITY,
        ..solve_options()
    };
    assert_eq!(solve(&solver, board, &any).0, STP_OK);
}

#[test]
fn advice_accepts_options_of_any_mode() {
    let solver = open(c"3x3", c"8");
    let (board, moves) = (c"8 6 7/2 5 4/3 0 1".as_ptr(), c"RLR".as_ptr());
    for (change, name, _) in OF_MODES {
        let mut options = solve_options();
        change(&mut options);
        let (options, mut json, mut value) = (&raw const options, null_mut(), 0);
        // SAFETY: the results are written to variables of this test.
        unsafe {
            let code = stp_solver_hint(solver.0, board, options, &raw mut json, null_mut());
            assert_eq!(code, STP_OK, "{name}");
            assert!(taken(json).contains(r#""distance":31"#));
            let code = stp_solver_rate(solver.0, board, moves, options, &raw mut json, null_mut());
            assert_eq!(code, STP_OK, "{name}");
            taken(json);
            let (numbers, to) = (NUMBERS.as_ptr(), &raw mut value);
            let code = stp_solver_estimates(solver.0, numbers, 1, options, to, null_mut());
            assert_eq!((code, value), (STP_OK, 31), "{name}");
        }
    }
}

/// The path of the tables directory leads through a file, so the directory cannot be created.
#[test]
fn unstored_tables_cause_warnings() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let info_in = |directory: &Path| {
        let directory = CString::new(directory.to_str().unwrap()).unwrap();
        let options = stp_open_options {
            size: c"3x3".as_ptr(),
            partition: c"4-4".as_ptr(),
            directory: directory.as_ptr(),
            ..open_options()
        };
        info(&try_open(&options).map_err(|(_, line)| line).unwrap())
    };
    let warnings = info_in(&file.join("tables"))["warnings"].to_string();
    assert!(warnings.contains("could not be kept"), "{warnings}");
    assert!(info_in(&folder.path().join("tables"))["warnings"].is_null());
}

#[test]
fn guesses_about_boards_are_told() {
    let note = "each character is read as a cell";
    let solver = open(c"3x3", c"8");
    let (code, report, line) = solve(&solver, c"87_654321", &solve_options());
    assert_eq!((code, &line[..]), (STP_OK, note));
    assert_eq!(json_of(report.unwrap().0)["notes"][0], note);
    let (mut board, mut error) = (null_mut(), zeroed::<stp_error>());
    // SAFETY: all texts are valid, and the results are written to variables of this test.
    unsafe {
        let (guessed, own) = (
            c"87_654312".as_ptr(),
            c"{\"board\": \"1 2/0 3\", \"goal\": \"snail\"}",
        );
        let code = stp_board_parse(guessed, null(), &raw mut board, &raw mut error);
        assert_eq!((code, message(&error)), (STP_OK, note.to_owned()));
        stp_board_free(board);
        let code = stp_board_check(guessed, null(), null_mut(), &raw mut error);
        assert_eq!(code, STP_UNSOLVABLE);
        assert!(message(&error).contains("goal snail") && message(&error).ends_with(note));
        let code = stp_board_parse(own.as_ptr(), null(), &raw mut board, &raw mut error);
        assert_eq!((code, board.is_null()), (STP_ERROR, true));
        assert!(message(&error).contains("states its own goal"));
        for moves in [c"left, left", c"['L', 'L']", c"←←", c"Left Left"] {
            let start = c"1 2 3/0 6 5/7 8 4".as_ptr();
            let columns = c"columns".as_ptr();
            let moves = moves.as_ptr();
            let code = stp_board_apply(
                start,
                moves,
                columns,
                &raw mut board,
                null_mut(),
                &raw mut error,
            );
            assert_eq!(
                (code, text((*board).text)),
                (STP_OK, "1 2 3/6 5 0/7 8 4".to_owned())
            );
            stp_board_free(board);
        }
    }
}
