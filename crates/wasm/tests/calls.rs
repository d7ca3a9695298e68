//! Requests of hosts and their answers, in a native build.

// Helper functions of tests call `unwrap`, as tests do.
#![allow(clippy::unwrap_used)]

use std::cell::Cell;
use std::rc::Rc;

use serde_json::{Value, json};
use wasm::{JsonError, JsonSolver, Laboratory, Loader, host, rules};

fn value(answer: Result<String, JsonError>) -> Value {
    serde_json::from_str(&answer.unwrap_or_else(|failure| panic!("{failure}"))).unwrap()
}

fn failure<T>(answer: Result<T, JsonError>) -> Value {
    let failure = answer.err().expect("it must fail");
    serde_json::from_str(&failure.to_string()).unwrap()
}

fn loader(request: Value) -> Result<Loader, JsonError> {
    Loader::new(&request.to_string())
}

fn solver(request: Value) -> JsonSolver {
    let mut loader = loader(request).unwrap();
    loader.build(None).unwrap();
    loader.finish().unwrap()
}

/// The 3x3 tray, with the table of its eight tiles.
fn eight() -> JsonSolver {
    solver(json!({ "size": "3x3", "partition": "8" }))
}

#[test]
fn boards_are_read_in_any_form() {
    let board = value(rules::parse("1 2 3\n4 5 6\n7 8 _", None));
    assert_eq!(
        board,
        json!({ "board": "1 2 3/4 5 6/7 8 0", "size": "3x3", "columns": 3, "rows": 3,
                "tiles": [1, 2, 3, 4, 5, 6, 7, 8, 0] })
    );
    let guessed = value(rules::parse("12345678_", None));
    assert_eq!(guessed["notes"].as_array().unwrap().len(), 1);
    assert_eq!(
        value(rules::parse_list("1 2/3 0 5\n\nwhat", None)),
        json!([{ "line": 1, "text": "1 2/3 0 5", "board": "1 2/3 0", "size": "2x2", "columns": 2,
                 "rows": 2, "tiles": [1, 2, 3, 0], "known": 5 },
               { "line": 3, "text": "what", "error": value(rules::parse_list("what", None))[0]["error"] }])
    );
    let error = failure(rules::parse("1 2 3 4", Some("3x3".to_owned())));
    assert_eq!(error["code"], "error");
    assert_eq!(
        value(rules::goal("blank-first", Some("2x3".to_owned())))["board"],
        "0 1/2 3/4 5"
    );
    assert!(
        failure(rules::goal("what", None))["message"]
            .as_str()
            .unwrap()
            .starts_with("goal: ")
    );
}

#[test]
fn solvability_has_a_reason_and_a_swap() {
    assert_eq!(
        value(rules::solvability("1 2 3/4 5 6/7 8 0", None)),
        json!({ "solvable": true })
    );
    let not = value(rules::solvability("1 2 3/4 5 6/8 7 0", None));
    assert_eq!(not["swap"], json!([7, 8]));
    assert_eq!(not["reachable_goals"], json!(["snail", "columns"]));
    assert_eq!(
        (&not["is_odd"], &not["blank_distance"]),
        (&json!(true), &json!(0))
    );
    assert!(not["message"].as_str().unwrap().contains("unsolvable"));
    let other = value(rules::solvability(
        "0 1/2 3",
        Some("blank-first".to_owned()),
    ));
    assert_eq!(other["solvable"], true);
}

#[test]
fn scrambles_equal_those_of_the_command() {
    // The boards of `solver scramble -n 2 --seed 7 --json`.
    let boards = value(rules::scramble(r#"{"number":2,"seed":7}"#));
    assert_eq!(boards.as_array().unwrap().len(), 2);
    let mut scrambler = puzzle::Scrambler::new(7);
    let goal = puzzle::Goal::blank_last("4x4".parse().unwrap());
    for board in boards.as_array().unwrap() {
        let state = scrambler.draw(goal.tray(), goal.blank());
        assert_eq!(board["board"], goal.board_of(&state).unwrap().to_string());
    }
    let walk = &value(rules::scramble(r#"{"size":"3x3","moves":5,"seed":1}"#))[0];
    let back = rules::invert(walk["scramble"].as_str().unwrap(), None).unwrap();
    let apply = json!({ "board": walk["board"], "moves": back });
    assert_eq!(value(rules::apply(&apply.to_string()))["solved"], true);
    let error = failure(rules::scramble(r#"{"number":100001}"#));
    assert!(error["message"].as_str().unwrap().contains("too many"));
    let error = failure(rules::scramble(r#"{"nunber":1}"#));
    assert!(error["message"].as_str().unwrap().contains("nunber"));
}

#[test]
fn moves_are_converted_and_drawn() {
    let request = json!({ "board": "1 2 3/4 0 6/7 5 8", "moves": "UL", "to": "numbers" });
    assert_eq!(rules::convert(&request.to_string()).unwrap(), "5 8");
    let request = json!({ "board": "1 2 3/4 0 6/7 5 8", "moves": "5 8", "to": "blank" });
    assert_eq!(rules::convert(&request.to_string()).unwrap(), "DR");
    let wrong = json!({ "board": "1 2 3/4 5 6/7 8 0", "moves": "U" });
    assert_eq!(failure(rules::apply(&wrong.to_string()))["code"], "error");
    let draw =
        |style: &str| rules::draw(&json!({ "board": "1 2/3 0", "style": style }).to_string());
    assert!(draw("svg").unwrap().starts_with("<svg"));
    assert!(draw("text").unwrap().contains('3'));
    assert!(
        failure(draw("oil"))["message"]
            .as_str()
            .unwrap()
            .contains("oil")
    );
}

#[test]
fn boards_are_solved() {
    let solver = eight();
    let info = value(solver.info());
    assert_eq!(info["partition"], "8");
    assert_eq!(info["tables"][0]["verified"], "built");
    assert_eq!(info["tables"][0]["tiles"], json!([1, 2, 3, 4, 5, 6, 7, 8]));
    let report = value(solver.solve("8 6 7/2 5 4/3 0 1", "{}", None));
    assert_eq!(
        (&report["status"], &report["length"]),
        (&json!("solved"), &json!(31))
    );
    assert_eq!(
        (&report["proved"], &report["tables"]),
        (&json!(true), &json!("8"))
    );
    let all = value(solver.all_solutions("8 6 7/2 5 4/3 0 1", r#"{"most":3}"#, None));
    assert_eq!(
        (&all["count"], all["solutions"].as_array().unwrap().len()),
        (&json!(40), 3)
    );
    let count =
        value(solver.all_solutions("8 6 7/2 5 4/3 0 1", r#"{"count":true,"within":2}"#, None));
    assert_eq!(count["counts"], json!([40, 0, 207]));
    assert!(count.get("solutions").is_none());

    let not = failure(solver.solve("1 2 3/4 5 6/8 7 0", "{}", None));
    assert_eq!(
        (&not["code"], &not["swap"]),
        (&json!("unsolvable"), &json!([7, 8]))
    );
    let limit = failure(solver.solve("8 6 7/2 5 4/3 0 1", r#"{"max_nodes":1}"#, None));
    assert_eq!(
        (&limit["code"], &limit["bound"]),
        (&json!("limit"), &json!(31))
    );
    for field in ["mode", "tables", "threads", "ms", "nodes", "message"] {
        assert!(limit.get(field).is_some(), "{field}: {limit}");
    }
    for (request, words) in [
        ("", "options: "),
        ("[]", "options: "),
        (r#"{"maxNodes":1}"#, "`maxNodes`"),
        (r#"{"max_nodes":0}"#, "at least 1"),
        (r#"{"max_nodes":1.5}"#, "whole"),
        (r#"{"max_time":0}"#, "more than 0"),
        (r#"{"max_time":-1}"#, "at least 0"),
        (r#"{"mode":"best"}"#, "best"),
        (r#"{"notation":1}"#, "a text"),
    ] {
        let error = failure(solver.solve("8 6 7/2 5 4/3 0 1", request, None));
        assert_eq!(error["code"], "error", "{request}");
        assert!(
            error["message"].as_str().unwrap().contains(words),
            "{error}"
        );
    }
    assert_eq!(
        failure(solver.solve("1 2/3 0", "{}", None))["code"],
        "error"
    );
}

#[test]
fn options_of_other_modes_are_rejected() {
    let solver = eight();
    let board = "8 6 7/2 5 4/3 0 1";
    for (options, right) in [
        (r#""short":true"#, &["strategic"][..]),
        (r#""explain":true"#, &["strategic"]),
        (r#""within":0.1"#, &["anytime"]),
        (r#""seed":0"#, &["anytime"]),
        (r#""max_memory":1000000"#, &["anytime"]),
        // These values mean the same as a missing option.
        (
            r#""short":false,"within":null"#,
            &["optimal", "strategic", "anytime"],
        ),
    ] {
        for mode in ["optimal", "strategic", "anytime"] {
            let answer = solver.solve(board, &format!(r#"{{"mode":"{mode}",{options}}}"#), None);
            if right.contains(&mode) {
                assert_eq!(value(answer)["mode"], mode, "{options}");
                continue;
            }
            let error = failure(answer);
            assert_eq!(error["code"], "error", "{options}: {error}");
            let message = error["message"].as_str().unwrap();
            assert!(message.contains(right[0]), "{options}: {message}");
        }
    }
    // Messages use the JavaScript names of the options.
    let error = failure(solver.solve(board, r#"{"max_memory":1000000}"#, None));
    assert_eq!(
        error["message"],
        "maxMemory is for the mode anytime, not for optimal: leave it out"
    );
    let multi = self::solver(json!({ "size": "3x3", "metric": "multi" }));
    for (answer, message) in [
        (
            solver.solve(board, r#"{"within":2}"#, None),
            "within as a share is for the mode anytime, not for optimal: leave it out",
        ),
        (
            solver.solve(board, r#"{"mode":"anytime","within":1001}"#, None),
            "within is 1001: expected a share from 0 to 1000, such as 0.05 for 5 %",
        ),
        (
            solver.solve(
                board,
                r#"{"mode":"strategic","short":true,"explain":true}"#,
                None,
            ),
            "short and explain exclude each other: leave one out",
        ),
        (
            solver.all_solutions(board, r#"{"within":1.5}"#, None),
            "within is 1.5: expected a number of moves up to 1000",
        ),
        (
            solver.all_solutions(board, r#"{"count":true,"most":3}"#, None),
            "count and most exclude each other: leave one out",
        ),
        (
            multi.all_solutions(board, r#"{"within":2}"#, None),
            "within is for the metric single: leave it out",
        ),
        (
            solver.solve(board, r#"{"most":3}"#, None),
            "there is no option `most`: expected mode, notation, max_time, max_nodes, max_memory, \
             threads, side, short, explain, seed, within",
        ),
        (
            solver.all_solutions(board, r#"{"mode":"optimal"}"#, None),
            "there is no option `mode`: expected notation, max_time, max_nodes, threads, side, \
             within, most, count",
        ),
        (
            solver.hint(board, r#"{"short":true}"#, None),
            "there is no option `short`: expected max_time, max_nodes, threads, side",
        ),
        (
            solver.rate(board, "", r#"{"notation":"blank"}"#, None),
            "there is no option `notation`: expected max_time, max_nodes, threads, side",
        ),
    ] {
        let error = failure(answer);
        assert_eq!(
            (&error["code"], &error["message"]),
            (&json!("error"), &json!(message))
        );
    }
    let hint = value(solver.hint(
        board,
        r#"{"max_time":60000,"max_nodes":9000000,"threads":1}"#,
        None,
    ));
    assert_eq!(hint["distance"], 31);
}

#[test]
fn reports_of_all_solutions_have_the_requested_fields() {
    let solver = eight();
    let board = "8 6 7/2 5 4/3 0 1";
    let fields = ["count", "counts", "moves", "solutions"];
    for (request, expected) in [
        ("{}", [true, false, true, true]),
        (r#"{"within":0}"#, [true, true, true, true]),
        (r#"{"within":1}"#, [true, true, true, true]),
        (r#"{"count":true}"#, [true, false, true, false]),
        (r#"{"count":true,"within":2}"#, [true, true, true, false]),
        (r#"{"most":0}"#, [true, false, true, false]),
    ] {
        let report = value(solver.all_solutions(board, request, None));
        let found = fields.map(|field| report.get(field).is_some());
        assert_eq!(found, expected, "{request}: {report}");
        assert_eq!(
            (&report["count"], &report["mode"]),
            (&json!(40), &json!("optimal"))
        );
        for field in ["tables", "threads", "ms", "nodes"] {
            assert!(report.get(field).is_some(), "{request}: {report}");
        }
        let moves = report["moves"].as_str().unwrap();
        let apply = json!({ "board": board, "moves": moves }).to_string();
        assert_eq!(value(rules::apply(&apply))["solved"], true, "{moves}");
    }
    // Numbers of more than 32 bits are not truncated.
    let all = value(solver.all_solutions(board, r#"{"most":4294967296}"#, None));
    assert_eq!(all["solutions"].as_array().unwrap().len(), 40);
}

#[test]
fn reports_without_a_search_have_no_tables() {
    let solver = eight();
    let board = "1 2 3/4 5 6/8 7 0";
    for answer in [
        solver.solve(board, "{}", None),
        solver.solve(board, r#"{"mode":"anytime"}"#, None),
        solver.solve(board, r#"{"mode":"strategic","explain":true}"#, None),
        solver.all_solutions(board, "{}", None),
        solver.hint(board, "{}", None),
        solver.rate(board, "R", "{}", None),
        solver.probe(board),
        Laboratory::default().explain(&json!({ "board": board }).to_string()),
    ] {
        let error = failure(answer);
        assert_eq!(
            (&error["code"], &error["status"]),
            (&json!("unsolvable"), &json!("unsolvable"))
        );
        for field in ["tables", "threads", "ms", "nodes"] {
            assert!(error.get(field).is_none(), "{field}: {error}");
        }
    }
}

#[test]
fn other_metrics_goals_and_modes() {
    let multi = solver(json!({ "size": "3x3", "metric": "multi" }));
    assert_eq!(
        value(multi.solve("8 6 7/2 5 4/3 0 1", "{}", None))["length"],
        20
    );
    let goal = solver(json!({ "goal": "1 2 3/8 0 4/7 6 5" }));
    assert_eq!(
        value(goal.solve("2 8 3/1 6 4/7 0 5", "{}", None))["length"],
        5
    );
    let eight = eight();
    let taught = r#"{"mode":"strategic","explain":true}"#;
    let report = value(eight.solve("8 6 7/2 5 4/3 0 1", taught, None));
    assert!(!report["steps"].as_array().unwrap().is_empty());
    assert_eq!(report["optimal"], false);
    let report = value(eight.solve("8 6 7/2 5 4/3 0 1", r#"{"mode":"anytime"}"#, None));
    assert_eq!(
        (&report["length"], &report["proved"]),
        (&json!(31), &json!(true))
    );
    let multi = loader(json!({ "size": "4x4", "metric": "multi" })).unwrap();
    assert!(
        format!("{multi:?}").contains(r#"name: "runs""#),
        "4x4 has tables in this metric"
    );
    let large = solver(json!({ "size": "9x9" }));
    assert_eq!(value(large.info())["tables"], json!([]));
}

#[test]
fn advice_and_probe_equal_the_objects_of_the_command() {
    let solver = eight();
    let hint = value(solver.hint("8 6 7/2 5 4/3 0 1", "{}", None));
    assert_eq!(
        (&hint["board"], &hint["distance"]),
        (&json!("8 6 7/2 5 4/3 0 1"), &json!(31))
    );
    assert_eq!(
        (&hint["exact"], &hint["tables"]),
        (&json!(true), &json!("8"))
    );
    let rating = value(solver.rate("1 2 3/4 0 6/7 5 8", "LRUL", "{}", None));
    assert_eq!((&rating["length"], &rating["lost"]), (&json!(4), &json!(2)));
    let text = solver.probe("8 6 7/2 5 4/3 0 1");
    let boards = text.as_ref().unwrap().matches("\"board\"").count();
    assert_eq!(boards, 1, "{text:?}");
    let probe = value(text);
    assert_eq!(
        (&probe["estimate"], &probe["tables"]),
        (&json!(31), &json!("8"))
    );
    assert_eq!(
        failure(solver.probe("1 2 3/4 5 6/8 7 0"))["code"],
        "unsolvable"
    );
    assert_eq!(
        failure(solver.rate("1 2 3/4 5 6/7 8 0", "U", "{}", None))["code"],
        "error"
    );
}

#[test]
fn tables_come_from_bytes_and_are_checked() {
    let built = eight();
    let name = value(built.info())["tables"][0]["file"]
        .as_str()
        .unwrap()
        .to_owned();
    let bytes = built.bytes(&name).unwrap().to_vec();
    let request = json!({ "size": "3x3", "partition": "8" });

    let packed = {
        let table = pdb_table::Table::new(bytes.clone()).unwrap();
        pdb_table::pack(&table, None, &(), &pdb_table::Cancel::default()).unwrap()
    };
    for good in [&bytes, &packed] {
        let mut loader = loader(request.clone()).unwrap();
        assert_eq!(loader.add(good).unwrap(), name);
        let mut solver = loader.finish().unwrap();
        assert_eq!(solver.bytes(&name).unwrap(), bytes);
        assert_eq!(value(solver.info())["tables"][0]["verified"], "sums");
        assert_eq!(value(solver.verify(None))[0]["verified"], "proved");
        assert_eq!(
            value(solver.solve("8 6 7/2 5 4/3 0 1", "{}", None))["length"],
            31
        );
    }

    // All bytes of the header are tried, and about a hundred bytes of the payload.
    for good in [&bytes, &packed] {
        let places = (0..good.len()).filter(|place| *place < 128 || place % 499 == 0);
        for place in places {
            let mut bad = good.clone();
            bad[place] ^= 1;
            let mut loader = loader(request.clone()).unwrap();
            // The zeros that fill the header's page have no checksum.
            if let Err(failure) = loader.add(&bad) {
                assert!(
                    failure.to_string().contains(r#""code":"table""#),
                    "{failure}"
                );
            } else {
                let solver = loader.finish().unwrap();
                assert_eq!(
                    solver.bytes(&name).unwrap()[4096..],
                    bytes[4096..],
                    "byte {place}"
                );
            }
        }
        for length in [0, 1, 15, 64, good.len() / 2, good.len() - 1] {
            let mut loader = loader(request.clone()).unwrap();
            assert_eq!(
                failure(loader.add(&good[..length]))["code"],
                "table",
                "{length} bytes"
            );
        }
    }

    // A loader rejects a table of another goal, and creates no solver while a table is missing.
    let mut other =
        loader(json!({ "size": "3x3", "goal": "blank-first", "partition": "5-3" })).unwrap();
    let error = failure(other.add(&bytes));
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("is not a table of 5-3"),
        "{error}"
    );
    assert_eq!(failure(other.finish())["code"], "table");
    let mut zstd = loader(request).unwrap();
    let error = failure(zstd.add(&[0x28, 0xb5, 0x2f, 0xfd, 0]));
    assert!(error["message"].as_str().unwrap().contains("zstd"));
}

#[test]
fn requests_beyond_memory_are_rejected() {
    let error = failure(loader(json!({ "size": "4x4", "partition": "12-3" })));
    assert_eq!(error["code"], "memory");
    // The request fails before any table is built.
    let many = loader(json!({ "size": "4x4", "partition": vec!["1"; 33].join("+") }));
    assert!(many.is_err());
    // Without a requested partition, the largest partition that is quick to build is chosen.
    for (size, partition) in [
        ("4x4", "6-6-3"),
        ("5x5", "5-5-5-5-4"),
        ("20x20", "manhattan"),
    ] {
        let loader = loader(json!({ "size": size })).unwrap();
        assert!(
            format!("{loader:?}").contains(&format!("name: {partition:?}")),
            "{size}"
        );
    }
}

#[test]
fn the_time_limit_chooses_tables_with_a_reason() {
    // The page sets the same `max_build_time`, 2.3 s.
    for (size, metric, partition) in [
        ("3x3", "single", "8"),
        ("4x4", "single", "6-6-3"),
        ("5x5", "single", "5-5-5-5-4"),
        ("6x6", "single", "4-4-4-4-4-4-4-4-3"),
        ("4x3", "multi", "runs"),
    ] {
        let request = json!({ "size": size, "metric": metric, "max_build_time": 2.3 });
        let loader = format!("{:?}", loader(request).unwrap());
        assert!(
            loader.contains(&format!("name: {partition:?}")),
            "{size}: {loader}"
        );
    }
    let info = |request: Value| value(solver(request).info());
    let none = info(json!({ "size": "5x5", "max_build_time": 0 }));
    assert_eq!(none["partition"], "manhattan");
    let reason = none["reason"].as_str().unwrap();
    assert!(
        reason.starts_with("tables of 6-6-6-6 are missing"),
        "{reason}"
    );
    assert!(reason.ends_with(": manhattan instead"), "{reason}");
    for usual in [
        json!({ "size": "3x3" }),
        json!({ "size": "3x3", "partition": "4-4" }),
    ] {
        assert!(info(usual).get("reason").is_none());
    }
    // `max_build_time: 0` forbids building, but allows tables that are read from bytes.
    let request = json!({ "size": "3x3", "partition": "8", "max_build_time": 0 });
    let mut late = loader(request).unwrap();
    assert_eq!(failure(late.build(None))["code"], "error");
    let built = eight();
    let file = value(built.info())["tables"][0]["file"].clone();
    late.add(built.bytes(file.as_str().unwrap()).unwrap())
        .unwrap();
    late.build(None).unwrap();
    assert_eq!(
        value(late.finish().unwrap().info())["tables"][0]["verified"],
        "sums"
    );
}

#[test]
fn parts_are_requested_by_their_tiles() {
    let of = |parts: Value| loader(json!({ "size": "3x3", "goal": "blank-first", "parts": parts }));
    let info = |parts: Value| {
        let mut loader = of(parts).unwrap();
        loader.build(None).unwrap();
        value(loader.finish().unwrap().info())
    };
    let named = info(json!([[[1, 2, 3, 4], [5, 6, 7, 8]]]));
    assert_eq!(named["partition"], "4-4");
    assert!(named.get("reason").is_none());
    let listed = info(json!([[[1, 8, 3], [2, 4, 5, 6, 7]]]));
    assert_eq!(listed["partition"], "1,8,3/2,4,5,6,7");
    let request = json!({ "size": "3x3", "kind": "full", "parts": [[[1, 2, 3, 4, 5, 6, 7, 8]]] });
    let files = loader(request).unwrap().files().unwrap();
    assert!(files.contains("3x3-full-"), "{files}");
    for wrong in [
        json!([[1, 2]]),
        json!("8"),
        json!([[[1, -1]]]),
        json!([[[1, 70000]]]),
        json!([[[1, 2, 9]]]),
        json!([[[1, 2]]]),
        json!([]),
    ] {
        assert_eq!(failure(of(wrong.clone()))["code"], "error", "{wrong}");
    }
}

#[test]
fn sizes_have_partitions_to_choose_from() {
    let of = |size, metric: Option<&str>| value(rules::partitions(size, metric.map(str::to_owned)));
    assert_eq!(of("5x5", None)[1], "5-5-5-5-4");
    assert_eq!(of("4x4", Some("multi")), json!(["runs"]));
    assert_eq!(of("9x9", Some("single")), json!([]));
    assert_eq!(failure(rules::partitions("what", None))["code"], "error");
}

#[test]
fn the_host_receives_events_and_cancels_calls() {
    let solver = solver(json!({ "size": "4x4", "partition": "manhattan" }));
    let board = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1"; // 80 moves
    let heard = Rc::new(Cell::new(0));
    let asked = Rc::new(Cell::new(0));
    let (count, stop) = (Rc::clone(&heard), Rc::clone(&asked));
    host::set_cancel_check(move || {
        stop.set(stop.get() + 1);
        stop.get() > 200
    });
    let listener = move |event: &str| {
        let event: Value = serde_json::from_str(event).unwrap();
        assert_eq!(event["type"], "progress");
        assert!(event["bound"].as_u64() >= Some(40));
        count.set(count.get() + 1);
    };
    let error = host::listening(listener, || failure(solver.solve(board, "{}", None)));
    assert_eq!(error["code"], "cancelled");
    assert!(
        error["bound"].as_u64() >= Some(40),
        "the proved bound is reported: {error}"
    );
    assert!(heard.get() >= 1 && asked.get() > 200);
    // Builds, comparisons and advice can be cancelled too.
    let mut tables = loader(json!({ "size": "4x4", "partition": "6-6-3" })).unwrap();
    assert_eq!(failure(tables.build(None))["code"], "cancelled");
    let request = json!({ "heuristics": ["manhattan"], "searches": ["astar"] }).to_string();
    assert_eq!(
        failure(Laboratory::default().compare(&request, None))["code"],
        "cancelled"
    );
    assert_eq!(failure(solver.hint(board, "{}", None))["code"], "cancelled");
    // A time limit works even if the host never cancels a call.
    host::set_cancel_check(|| false);
    assert_eq!(
        failure(solver.solve(board, r#"{"max_time":20}"#, None))["code"],
        "limit"
    );
}

#[test]
fn better_solutions_are_reported() {
    let solver = eight();
    let heard = Rc::new(Cell::new(None));
    let last = Rc::clone(&heard);
    let listener = move |event: &str| {
        let event: Value = serde_json::from_str(event).unwrap();
        if event["type"] == "improved" {
            let better = &event["report"];
            assert_eq!(
                (&better["status"], &better["mode"]),
                (&json!("improved"), &json!("anytime"))
            );
            assert_eq!(
                (&better["tables"], &better["threads"]),
                (&json!("8"), &json!(1))
            );
            assert!(better["ms"].is_number());
            last.set(event["report"]["length"].as_u64());
        }
    };
    let request = r#"{"mode":"anytime"}"#;
    let report = host::listening(listener, || {
        value(solver.solve("8 6 7/2 5 4/3 0 1", request, None))
    });
    assert_eq!(heard.get(), report["length"].as_u64());
}

#[test]
fn the_laboratory_explains_and_compares() {
    let lab = Laboratory::default();
    let seen = value(lab.explain(r#"{"board":"3 2 1/5 4 6/7 8 0"}"#));
    let seen = seen.as_array().unwrap();
    let names: Vec<&str> = seen
        .iter()
        .map(|own| own["heuristic"].as_str().unwrap())
        .collect();
    assert_eq!(value(lab.heuristics("3x3")), json!(names));
    let conflict = seen
        .iter()
        .find(|own| own["heuristic"] == "linear-conflict")
        .unwrap();
    assert_eq!(conflict["value"], 12);

    let finished = Rc::new(Cell::new(0));
    let count = Rc::clone(&finished);
    let listener = move |event: &str| {
        let event: Value = serde_json::from_str(event).unwrap();
        count.set(count.get() + 1);
        assert_eq!(
            (&event["finished"], &event["runs"]),
            (&json!(count.get()), &json!(8))
        );
    };
    let request = json!({ "number": 2, "moves": [10, 30], "seed": 3, "searches": ["astar", "ida-star"],
                          "heuristics": ["manhattan"] });
    let records = host::listening(listener, || value(lab.compare(&request.to_string(), None)));
    assert_eq!((records.as_array().unwrap().len(), finished.get()), (8, 8));
    for pair in records.as_array().unwrap().chunks(4) {
        assert_eq!(pair[0]["length"], pair[2]["length"]);
    }
    let request = json!({ "records": records, "set": "walk-30", "bare": true, "width": 300,
                          "names": { "astar": "A*", "manhattan": "Distance", "and": ", ",
                                     "nodes": "Knoten", "boards": "3x3, 30" } });
    let plots = value(lab.plots(&request.to_string()));
    let names = plots.as_array().unwrap().iter();
    let names: Vec<&str> = names.map(|plot| plot["name"].as_str().unwrap()).collect();
    let all = [
        "nodes",
        "spread",
        "time",
        "solved",
        "h",
        "walk-nodes",
        "walk-length",
    ];
    assert_eq!(names, all);
    assert_eq!(plots[0]["series"][0]["label"], "A*, Distance");
    assert_eq!(plots[0]["title"], "3x3, 30: Knoten");
    assert_eq!(plots[1]["title"], "3x3, 30: nodes");
    assert!(plots[0]["svg"].as_str().unwrap().contains("width=\"300\""));
    assert_eq!(value(lab.plots(r#"{"records":[]}"#)), json!([]));
    let error = failure(lab.plots(r#"{"records":[{"set":1}]}"#));
    assert_eq!(error["code"], "error");

    for (request, words) in [
        (
            json!({ "heuristics": ["euclid"], "searches": ["astar"] }),
            "euclid",
        ),
        (
            json!({ "heuristics": ["manhattan"], "searches": ["dijkstra"] }),
            "dijkstra",
        ),
        (
            json!({ "heuristics": ["manhattan"], "searches": [] }),
            "no searches",
        ),
        (
            json!({ "heuristics": [], "searches": ["astar"], "number": 1e9 }),
            "too many",
        ),
        (
            json!({ "heuristics": ["manhattan"], "searches": ["astar"], "boards": ["1 2/0 0"] }),
            "0",
        ),
    ] {
        let error = failure(lab.compare(&request.to_string(), None));
        assert!(
            error["message"].as_str().unwrap().contains(words),
            "{error}"
        );
    }
}

#[test]
fn boards_are_searched_from_both_sides() {
    const CORNER: &str = "8 6 7/2 5 4/3 1 0";
    /// A board whose blank is on an edge. The goal's blank is in a corner, and no symmetry maps an
    /// edge cell to a corner.
    const EDGE: &str = "8 6 7/2 5 4/3 0 1";
    let request = json!({ "size": "3x3", "partition": "5-3" });
    let with = |name: &str, value: Value| {
        let mut request = request.clone();
        request[name] = value;
        request
    };
    let from_goal = |solver: &JsonSolver| solver.solve(EDGE, r#"{"side":"goal"}"#, None);
    let is_from_both = |solver: &JsonSolver| from_goal(solver).is_ok();
    assert!(is_from_both(&solver(request.clone())));
    let mut later = solver(with("both_sides", json!(false)));
    assert!(later.solve(CORNER, r#"{"side":"goal"}"#, None).is_ok());
    let error = failure(from_goal(&later));
    assert_eq!(error["code"], "error", "{error}");
    later.open_other_goals().unwrap();
    assert!(is_from_both(&later));

    // Solvers whose tables are read from bytes.
    let goal = puzzle::Goal::blank_last("3x3".parse().unwrap());
    let spec = puzzle::HeuristicSpec::parse("5-3", &goal).unwrap();
    let native = solver::Solver::open(goal, spec, &solver::OpenOptions::in_memory()).unwrap();
    let others = native.other_tables().unwrap();
    let of_bytes = |request: Value, others: &[pdb_table::SharedTable]| {
        let mut loader = loader(request).unwrap();
        for table in native.tables().iter().chain(others) {
            loader.add(table.bytes()).unwrap();
        }
        loader.finish().unwrap()
    };
    let files = value(loader(request.clone()).unwrap().files());
    let names = |tables: &[pdb_table::SharedTable]| {
        let names = tables.iter().map(|table| table.id().name() + ".pdb");
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    };
    let mut listed = [0, 1]
        .map(|place| -> Vec<String> { serde_json::from_value(files[place].clone()).unwrap() });
    listed.iter_mut().for_each(|names| names.sort());
    assert_eq!(listed, [names(&native.tables()), names(&others)]);
    let one_side = with("both_sides", json!(false));
    assert_eq!(
        value(loader(one_side.clone()).unwrap().files())[1],
        json!([])
    );

    assert!(is_from_both(&of_bytes(request.clone(), &others)));
    assert!(!is_from_both(&of_bytes(one_side, &others)));
    // Missing tables are built only on request.
    let mut own = of_bytes(request.clone(), &[]);
    assert!(!is_from_both(&own));
    own.open_other_goals().unwrap();
    assert!(is_from_both(&own));
}
