//! Calls of hosts, in a native build: spelling, events, cancelling, limits, tables from bytes. All
//! questions of data/answers are asked by the package's tests.

// Helper functions of tests call `unwrap`, as tests do.
#![allow(clippy::unwrap_used)]

use std::cell::Cell;
use std::rc::Rc;

use serde_json::{Value, json};
use wasm::{Session, host};

const FAR: &str = "8 6 7/2 5 4/3 0 1";

/// Asks a question of the 3x3 tray unless the request says otherwise.
fn ask(session: &Session, ask: &str, request: Value) -> Result<Value, Value> {
    let mut fields = json!({ "ask": ask });
    if ask != "compare" {
        fields["size"] = "3x3".into();
    }
    for (name, value) in request.as_object().unwrap() {
        fields[name] = value.clone();
    }
    let read = |text: String| serde_json::from_str(&text).unwrap();
    let answer = session.call(&fields.to_string(), None);
    answer.map(read).map_err(read)
}

fn failure(answer: Result<Value, Value>) -> Value {
    answer.expect_err("it must fail")
}

fn message(answer: Result<Value, Value>) -> String {
    failure(answer)["message"].as_str().unwrap().to_owned()
}

fn add(session: &Session, bytes: &[u8]) -> Result<String, Value> {
    let added = session.add(bytes);
    added.map_err(|text| serde_json::from_str(&text).unwrap())
}

/// The table of the eight tiles: its file's name, and its bytes.
fn eight() -> (String, Vec<u8>) {
    let session = Session::new(1);
    let info = ask(&session, "open", json!({ "partition": "8" })).unwrap();
    let file = info["files"][0].as_str().unwrap().to_owned();
    let bytes = session.session.table(&file).unwrap().bytes().to_vec();
    (file, bytes)
}

#[test]
fn requests_are_spelled_for_javascript() {
    let session = Session::new(1);
    for (request, words) in [
        ("", "EOF"),
        ("[]", "invalid type"),
        ("{}", "unknown question"),
        (r#"{"ask":"scramble","nunber":1}"#, "`nunber`"),
    ] {
        let text = session.call(request, None).unwrap_err();
        let error: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(error["code"], "error");
        assert!(error["message"].as_str().unwrap().contains(words), "{text}");
    }
    let solve = |mut request: Value| {
        request["board"] = FAR.into();
        ask(&session, "solve", request)
    };
    for (request, words) in [
        (
            json!({ "max_nodes": 1 }),
            "`max_nodes`: expected `board`, `size`, `goal`, `metric`",
        ),
        (json!({ "maxNodes": 0 }), "maxNodes is 0"),
        (json!({ "maxTime": -1 }), "maxTime must be a time"),
        (
            json!({ "maxMemory": 1_000_000 }),
            "maxMemory is for the mode anytime, not for optimal",
        ),
    ] {
        let message = message(solve(request));
        assert!(message.contains(words), "{message}");
    }
    // JavaScript has only one type of number, and times in milliseconds.
    assert_eq!(
        solve(json!({ "maxNodes": 1e6, "maxTime": 60_000 })).unwrap()["length"],
        31
    );
    let fault = failure(ask(
        &session,
        "apply",
        json!({ "board": "1 2 3/4 5 6/7 8 0", "moves": "U" }),
    ));
    assert_eq!(fault["fault"]["reason"], "edge");
    let limit = failure(solve(json!({ "maxNodes": 1 })));
    assert_eq!(
        (&limit["code"], &limit["status"]),
        (&json!("limit"), &json!("limit"))
    );
    assert!(limit["message"].is_string() && limit["bound"].is_number());
}

#[test]
fn tables_come_from_bytes_and_are_checked() {
    let (file, bytes) = eight();
    let packed = {
        let table = pdb_table::Table::new(bytes.clone()).unwrap();
        pdb_table::pack(&table, None, &(), &pdb_table::Cancel::default()).unwrap()
    };
    let given = json!({ "partition": "8", "maxBuildTime": 0 });
    for good in [&bytes, &packed] {
        let session = Session::new(1);
        assert_eq!(
            failure(ask(&session, "open", given.clone()))["code"],
            "table"
        );
        assert_eq!(add(&session, good).unwrap(), file);
        let info = ask(&session, "open", given.clone()).unwrap();
        assert_eq!(info["tables"][0]["verified"], "sums");
        assert_eq!(session.session.table(&file).unwrap().bytes(), bytes);
        let info = ask(&session, "verify", json!({ "partition": "8" })).unwrap();
        assert_eq!(info["tables"][0]["verified"], "proved");
        let answer = ask(&session, "solve", json!({ "board": FAR, "partition": "8" }));
        assert_eq!(answer.unwrap()["length"], 31);

        // All bytes of the header are tried, and about a hundred bytes of the payload.
        let places = (0..good.len()).filter(|place| *place < 128 || place % 499 == 0);
        for place in places {
            let mut bad = good.clone();
            bad[place] ^= 1;
            let session = Session::new(1);
            match add(&session, &bad) {
                Err(failure) => assert_eq!(failure["code"], "table", "{failure}"),
                // The zeros that fill the header's page have no checksum.
                Ok(_) => {
                    ask(&session, "open", given.clone()).unwrap();
                    let table = session.session.table(&file).unwrap();
                    assert_eq!(table.bytes()[4096..], bytes[4096..], "byte {place}");
                }
            }
        }
        for length in [0, 1, 15, 64, good.len() / 2, good.len() - 1] {
            let error = add(&Session::new(1), &good[..length]).unwrap_err();
            assert_eq!(error["code"], "table", "{length} bytes");
        }
    }
    // A table of another goal is rejected.
    let other = Session::new(1);
    add(&other, &bytes).unwrap();
    let request = json!({ "goal": "blank-first", "partition": "5-3", "maxBuildTime": 0 });
    let error = failure(ask(&other, "open", request));
    assert_eq!(error["code"], "table");
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("is not a table of 5-3")
    );
    let zstd = add(&other, &[0x28, 0xb5, 0x2f, 0xfd, 0]).unwrap_err();
    assert!(zstd["message"].as_str().unwrap().contains("zstd"));
}

#[test]
fn tables_are_limited_in_memory_and_time() {
    let session = Session::new(1);
    let choose = |request: Value| ask(&session, "choose", request);
    let large = json!({ "size": "4x4", "partition": "12-3" });
    for question in ["choose", "open"] {
        assert_eq!(
            failure(ask(&session, question, large.clone()))["code"],
            "memory"
        );
    }
    // The page sets the same limit, 2.3 s.
    for (size, metric, partition) in [
        ("3x3", "single", "8"),
        ("4x4", "single", "6-6-3"),
        ("5x5", "single", "5-5-5-5-4"),
        ("6x6", "single", "4-4-4-4-4-4-4-4-3"),
        ("4x3", "multi", "runs"),
    ] {
        let request = json!({ "size": size, "metric": metric, "maxBuildTime": 2300 });
        assert_eq!(choose(request).unwrap()["partition"], partition, "{size}");
    }
}

#[test]
fn threads_are_those_of_the_session() {
    let session = Session::new(2);
    let solve = |threads: Value| {
        let request = json!({ "board": FAR, "partition": "5-3", "threads": threads });
        ask(&session, "solve", request)
    };
    for (threads, used) in [(Value::Null, 2), (json!(0), 2), (json!(1), 1)] {
        assert_eq!(solve(threads).unwrap()["threads"], used);
    }
    assert_eq!(
        message(solve(json!(3))),
        "threads is 3: expected at most 2, or 0 for as many as allowed"
    );
}

#[test]
fn the_host_receives_events_and_cancels_calls() {
    let session = Session::new(1);
    let hard = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1"; // 80 moves
    let without = json!({ "size": "4x4", "partition": "manhattan", "board": hard });
    let heard = Rc::new(Cell::new(0));
    let asked = Rc::new(Cell::new(0));
    let (count, stop) = (Rc::clone(&heard), Rc::clone(&asked));
    host::set_cancel_check(move || {
        stop.set(stop.get() + 1);
        stop.get() > 200
    });
    let listener = move |event: &str| {
        let event: Value = serde_json::from_str(event).unwrap();
        if event["type"] == "progress" {
            assert!(event["bound"].as_u64() >= Some(40));
            count.set(count.get() + 1);
        }
    };
    let error = host::listening(listener, || {
        failure(ask(&session, "solve", without.clone()))
    });
    assert_eq!(error["code"], "cancelled");
    assert!(
        error["bound"].as_u64() >= Some(40),
        "the proved bound is reported: {error}"
    );
    assert!(heard.get() >= 1 && asked.get() > 200);
    // Builds, comparisons and advice can be cancelled too.
    let tables = json!({ "size": "4x4", "partition": "6-6-3" });
    let random = json!({ "heuristics": ["manhattan"], "searches": ["astar"] });
    for (question, request) in [
        ("open", tables),
        ("compare", random),
        ("hint", without.clone()),
    ] {
        assert_eq!(
            failure(ask(&session, question, request))["code"],
            "cancelled",
            "{question}"
        );
    }
    // A time limit works even if the host never cancels a call.
    host::set_cancel_check(|| false);
    let mut short = without;
    short["maxTime"] = 20.into();
    assert_eq!(failure(ask(&session, "solve", short))["code"], "limit");
}

#[test]
fn better_solutions_and_finished_searches_are_reported() {
    let session = Session::new(1);
    let best = Rc::new(Cell::new(None));
    let finished = Rc::new(Cell::new(0));
    let (last, count) = (Rc::clone(&best), Rc::clone(&finished));
    let listener = move |event: &str| {
        let event: Value = serde_json::from_str(event).unwrap();
        if event["type"] == "improved" {
            let better = &event["report"];
            assert_eq!(
                (&better["status"], &better["tables"]),
                (&json!("improved"), &json!("8"))
            );
            last.set(better["length"].as_u64());
        }
        if event["type"] == "record" {
            count.set(count.get() + 1);
            assert_eq!(
                (&event["finished"], &event["runs"]),
                (&json!(count.get()), &json!(8))
            );
        }
    };
    host::listening(listener, || {
        let request = json!({ "board": FAR, "partition": "8", "mode": "anytime" });
        let report = ask(&session, "solve", request).unwrap();
        assert_eq!(best.get(), report["length"].as_u64());
        let request = json!({ "number": 2, "moves": [10, 30], "seed": 3,
                              "searches": ["astar", "ida-star"], "heuristics": ["manhattan"] });
        let records = ask(&session, "compare", request).unwrap();
        assert_eq!((records.as_array().unwrap().len(), finished.get()), (8, 8));
    });
}
