//! The C API: all calls in the header, with valid and invalid arguments. No call crashes; each
//! failed call reports its reason in one line, and nothing is leaked.

#![allow(unsafe_code, reason = "calls of C")]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::LazyLock;

use arbitrary::{Arbitrary, Result, Unstructured};
use puzzle::Tray;
use serde_json::{Map, Value, json};
use session::Request;
use slidingtilepdb::*;

use crate::manifest::SOUND;
use crate::reference::TABLES;

/// Fields of questions, with valid and invalid values in JSON.
const FIELDS: [(&str, &[&str]); 25] = [
    ("board", BOARDS),
    ("board", BOARDS),
    (
        "size",
        &[r#""2x2""#, r#""3x2""#, r#""3x3""#, r#""99999x1""#, "3"],
    ),
    (
        "goal",
        &[
            r#""blank-first""#,
            r#""snail""#,
            r#""1 2 3/8 0 4/7 6 5""#,
            "[[1,2],[3,0]]",
            "[]",
        ],
    ),
    (
        "moves",
        &[
            r#""R""#,
            r#""LRUD""#,
            r#""U2RD""#,
            r#""8 6""#,
            r#"["l", "u"]"#,
            r#""L1000000""#,
        ],
    ),
    ("metric", &[r#""multi""#, r#""single""#, "1"]),
    ("kind", &[r#""fringe""#, r#""zero-aware""#, r#""x""#]),
    (
        "partition",
        &[
            r#""manhattan""#,
            r#""5-3""#,
            r#""2-2-1""#,
            r#""best""#,
            r#""1,2,3/4,5""#,
        ],
    ),
    ("parts", &["[[[1,2,3],[4,5,6,7,8]]]", "[[]]", "[[[0]]]"]),
    ("mode", &[r#""strategic""#, r#""anytime""#, r#""fast""#]),
    ("notation", &[r#""blank""#, r#""numbers""#, "7"]),
    ("style", &[r#""svg""#, r#""text""#]),
    ("within", &["1", "0.5", "-1", "1e300"]),
    ("all", &["true", "1"]),
    ("count", &["true"]),
    ("most", &["3", "0"]),
    ("short", &["true"]),
    ("explain", &["true"]),
    ("threads", &["1", "2", "5000"]),
    ("seed", &["7", "18446744073709551615", "1.5"]),
    ("max_memory", &["1000000", "0"]),
    (
        "heuristics",
        &[
            r#"["manhattan"]"#,
            r#"["misplaced+linear-conflict"]"#,
            r#"["x"]"#,
        ],
    ),
    ("searches", &[r#"["ida-star", "astar"]"#, r#"["x"]"#]),
    ("text", &[r#""1 2/0 3\n3 1/2 0""#]),
    ("records", &["[]", "[{}]"]),
];
const BOARDS: &[&str] = &[
    r#""8 6 7/2 5 4/3 0 1""#,
    r#""1 2 3/4 5 6/7 0 8""#,
    r#""1 2 3/4 5 6/8 7 0""#,
    r#""2 5 3 4/1 6 7 8/9 10 11 12/13 14 0 15""#,
    r#""3 2 1/5 4 0""#,
    "[[1,2],[3,0]]",
    r#""\u001b[2J\n\u0085""#,
];
/// Maximum number of nodes per search.
const MAX_NODES: u64 = 2000;

/// Settings with which only small tables are built.
const SETTINGS: &CStr = c"{\"threads\": 1, \"max_build_time\": 0.001}";

/// The session of the questions, which is never freed.
static SESSION: LazyLock<usize> = LazyLock::new(|| {
    let mut session = null_mut();
    // SAFETY: all pointers are to local variables.
    let code = unsafe { stp_session_open(null(), SETTINGS.as_ptr(), &raw mut session, null_mut()) };
    assert_eq!(code, STP_OK);
    session as usize
});

/// The bytes select calls and their arguments.
pub fn body(bytes: &[u8]) {
    let mut choices = Unstructured::new(bytes);
    // A call ends early if the bytes do not suffice for its arguments.
    while !choices.is_empty() && Caller(&mut choices).call().is_ok() {}
}

/// The error of a call. It is initialised with arbitrary bytes, like an uninitialised C variable.
struct Failure(stp_error);

impl Failure {
    fn new() -> Failure {
        let message = [0x55; STP_MESSAGE_SIZE];
        Failure(stp_error { code: 77, message })
    }

    /// Checks that the error matches the code of the call.
    #[track_caller]
    fn check(&self, code: stp_code) {
        assert_eq!(self.0.code, code);
        assert!((STP_OK..STP_DEFECT).contains(&code), "{code}");
        assert!(self.0.message.contains(&0), "a message without a NUL");
        let message = read(self.0.message.as_ptr());
        assert_eq!(code == STP_OK, message.is_empty(), "{code}: {message}");
        assert!(!message.contains(char::is_control), "{message:?}");
    }
}

fn read<'a>(text: *const c_char) -> &'a str {
    // SAFETY: texts of the library end with a NUL, and are not freed while they are used.
    unsafe { CStr::from_ptr(text) }
        .to_str()
        .expect("texts are UTF-8")
}

fn check_json(text: *const c_char) {
    serde_json::from_str::<Value>(read(text)).expect("JSON");
}

/// Reads all fields of a report.
fn check_report(report: *const stp_report) {
    // SAFETY: the library returned this report, and it is not freed yet.
    let given = unsafe { &*report };
    let texts = [given.moves, given.letters, given.message].into_iter();
    texts.filter(|text| !text.is_null()).for_each(|text| {
        read(text);
    });
    // SAFETY: as above.
    check_json(unsafe { stp_report_json(report) });
}

unsafe extern "C" fn on_event(event: *const c_char, answer: *mut c_void) -> c_int {
    check_json(event);
    // SAFETY: `answer` points to a number of the caller.
    unsafe { *answer.cast() }
}

unsafe extern "C" fn on_report(_: usize, report: *const stp_report, answer: *mut c_void) -> c_int {
    check_report(report);
    // SAFETY: `answer` points to a number of the caller.
    unsafe { *answer.cast() }
}

struct Caller<'a, 'b>(&'a mut Unstructured<'b>);

impl Caller<'_, '_> {
    fn any<T: for<'x> Arbitrary<'x>>(&mut self) -> Result<T> {
        self.0.arbitrary()
    }

    fn one<T: Copy>(&mut self, choices: &[T]) -> Result<T> {
        Ok(choices[usize::from(self.any::<u8>()?) % choices.len()])
    }

    /// Whether the choice is among the last `share` of 256.
    fn rarely(&mut self, share: u8) -> Result<bool> {
        Ok(self.any::<u8>()? >= u8::MAX - share)
    }

    /// Up to 64 bytes of the input.
    fn bytes(&mut self) -> Result<Vec<u8>> {
        let length = usize::from(self.any::<u8>()? % 64);
        Ok(self.0.bytes(length.min(self.0.len()))?.to_vec())
    }

    /// A text that is not a question.
    fn wild(&mut self) -> Result<CString> {
        let mut bytes = self.bytes()?;
        bytes.retain(|&byte| byte != 0);
        let is_object = serde_json::from_slice::<Map<String, Value>>(&bytes).is_ok();
        Ok(CString::new(if is_object { Vec::new() } else { bytes }).unwrap_or_default())
    }

    /// Fields of a question.
    fn fields(&mut self, ask: &str) -> Result<Map<String, Value>> {
        let mut fields = Map::new();
        for _ in 0..1 + self.any::<u8>()? % 6 {
            let (name, values) = self.one(&FIELDS)?;
            let value = match self.rarely(40)? {
                true => String::from_utf8_lossy(&self.bytes()?).into(),
                false => serde_json::from_str(self.one(values)?).expect("values are JSON"),
            };
            fields.insert(name.to_owned(), value);
        }
        if ["solve", "hint", "rate", "compare"].contains(&ask) {
            let nodes = 1 + u64::from(self.any::<u16>()?) % MAX_NODES;
            fields.insert("max_nodes".to_owned(), nodes.into());
        }
        if ["scramble", "compare"].contains(&ask) {
            fields.insert("number".to_owned(), 2.into());
        }
        // The texts of boards of any size can have thousands of cells.
        if ["heuristics", "explain", "compare"].contains(&ask) {
            fields.entry("size").or_insert("3x3".into());
            fields.remove("sizes");
        }
        Ok(fields)
    }

    /// A token, which is cancelled in rare cases.
    fn token(&mut self) -> Result<*mut stp_cancel> {
        let is_cancelled = self.rarely(12)?;
        let token = stp_cancel_new();
        if is_cancelled {
            // SAFETY: the token is not freed.
            unsafe { stp_cancel_cancel(token) };
        }
        Ok(token)
    }

    fn ask(&mut self) -> Result<()> {
        let ask = self.one(Request::NAMES)?;
        let request = match self.rarely(20)? {
            true => self.wild()?,
            false => {
                let mut fields = self.fields(ask)?;
                fields.insert("ask".to_owned(), ask.into());
                CString::new(json!(fields).to_string()).expect("JSON has no NUL")
            }
        };
        let (mut stops, listens) = (c_int::from(self.rarely(30)?), self.rarely(128)?);
        let token = self.token()?;
        let (mut answer, mut failure) = (std::ptr::dangling_mut(), Failure::new());
        // SAFETY: the session is never freed; all other pointers are to local variables. Answer and
        // token are freed once.
        unsafe {
            let on = listens.then_some(on_event as _);
            let (session, data) = (*SESSION as *const stp_session, (&raw mut stops).cast());
            let (place, to) = (&raw mut answer, &raw mut failure.0);
            let code = stp_call(session, request.as_ptr(), on, data, token, place, to);
            failure.check(code);
            if answer.is_null() {
                assert_eq!((code, request.to_str().is_err()), (STP_ERROR, true));
            } else {
                check_json(answer);
            }
            stp_string_free(answer);
            stp_cancel_free(token);
        }
        Ok(())
    }

    /// A table or a packed table, unchanged or changed.
    fn file(&mut self) -> Result<Vec<u8>> {
        let mut file = match usize::from(self.any::<u8>()?) % (TABLES.len() + 1) {
            0 => SOUND.0.clone(),
            table => TABLES[table - 1].clone(),
        };
        if self.any::<u8>()? < 128 {
            let at = usize::from(self.any::<u16>()?) % file.len();
            file[at] ^= self.any::<u8>()?;
            file.truncate(usize::from(self.any::<u16>()?));
        }
        Ok(file)
    }

    /// Opens a session, adds tables, and solves boards.
    fn solver(&mut self) -> Result<()> {
        let settings = match self.rarely(20)? {
            true => self.wild()?,
            false => SETTINGS.to_owned(),
        };
        // A path that cannot be a directory.
        let directory = self.one(&[null(), null(), c"/dev/null/x".as_ptr(), c"".as_ptr()])?;
        let files = [self.file()?, self.file()?];
        let files = &files[..usize::from(self.any::<u8>()?) % 3];
        let options = self.fields("solve")?;
        let options = CString::new(json!(options).to_string()).expect("JSON has no NUL");
        let texts = [self.bytes()?, self.bytes()?, b"8 6 7/2 5 4/3 0 1".to_vec()];
        let texts = texts.map(|mut text| {
            text.retain(|&byte| byte != 0);
            CString::new(text).unwrap_or_default()
        });
        let boards = texts.each_ref().map(|text| text.as_ptr());
        let mut numbers = vec![0; Tray::MAX_SIDE * Tray::MAX_SIDE];
        numbers[..16].copy_from_slice(&self.any::<[u16; 16]>()?);
        let (token, mut stops) = (self.token()?, c_int::from(self.rarely(30)?));
        let data: *mut c_void = (&raw mut stops).cast();
        let (mut session, mut solver) = (std::ptr::dangling_mut(), std::ptr::dangling_mut());
        let mut failure = Failure::new();
        let to = &raw mut failure.0;
        // SAFETY: all pointers are to local variables, and results are freed once. Each list has
        // one board, whose numbers suffice for the largest size.
        unsafe {
            let code = stp_session_open(directory, settings.as_ptr(), &raw mut session, to);
            failure.check(code);
            assert_eq!(code == STP_OK, !session.is_null());
            for file in files.iter().filter(|_| !session.is_null()) {
                failure.check(stp_session_add_table(
                    session,
                    file.as_ptr(),
                    file.len(),
                    token,
                    to,
                ));
            }
            let (text, place) = (options.as_ptr(), &raw mut solver);
            let code = stp_solver_open(session, text, Some(on_event), data, token, place, to);
            failure.check(code);
            assert_eq!(code == STP_OK, !solver.is_null());
            stp_session_free(session);
            for board in boards {
                let (mut report, mut estimate) = (std::ptr::dangling_mut(), 77);
                let place = &raw mut report;
                let code = stp_solver_solve(solver, board, Some(on_event), data, token, place, to);
                failure.check(code);
                let has_report = [STP_OK, STP_UNSOLVABLE, STP_LIMIT, STP_CANCELLED];
                assert_eq!(has_report.contains(&code), !report.is_null());
                if !report.is_null() {
                    check_report(report);
                    let copy = stp_report_copy(report);
                    stp_report_free(report);
                    check_report(copy);
                    stp_report_free(copy);
                }
                let code = stp_solver_estimate(solver, board, &raw mut estimate, to);
                failure.check(code);
                assert!(code == STP_OK || estimate == 0);
            }
            let on = Some(on_report as _);
            let (from, count) = (boards.as_ptr(), boards.len());
            failure.check(stp_solver_solve_list(
                solver, from, count, on, data, token, to,
            ));
            let (from, mut estimates) = (numbers.as_ptr(), [0; 1]);
            failure.check(stp_solver_solve_numbers(
                solver, from, 1, on, data, token, to,
            ));
            let values = estimates.as_mut_ptr();
            failure.check(stp_solver_estimates(solver, from, 1, token, values, to));
            stp_solver_free(solver);
            stp_cancel_free(token);
        }
        Ok(())
    }

    fn call(&mut self) -> Result<()> {
        match self.rarely(100)? {
            true => self.solver(),
            false => self.ask(),
        }
    }
}
