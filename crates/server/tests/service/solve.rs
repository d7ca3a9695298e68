//! Single boards, and advice.

use serde_json::{Value, json};

use super::client::{EASY, HARD, Service};

#[test]
fn a_board_has_a_report() {
    let service = Service::new();
    let answer = service.post("/v1/solve", &json!({ "board": EASY }));
    let report = answer.ok();
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("search-id").unwrap().len(), 32);
    assert_eq!(report["board"], EASY);
    assert_eq!(
        (&report["status"], &report["mode"]),
        (&"solved".into(), &"optimal".into())
    );
    assert_eq!(
        (&report["length"], &report["proved"]),
        (&31.into(), &true.into())
    );
    assert_eq!(
        (&report["tables"], &report["threads"]),
        (&"8".into(), &1.into())
    );
    assert!(report["ms"].as_f64().unwrap() >= 0.0);
    // Boards can be arrays, and requests can set the goal, metric, notation and partition.
    let board = json!([8, 6, 7, 2, 5, 4, 3, 0, 1]);
    let multi = service.post("/v1/solve", &json!({ "board": board, "metric": "multi" }));
    assert_eq!(multi.ok()["length"], 20);
    let rows = json!([[1, 2, 3], [4, 5, 6], [7, 0, 8]]);
    let numbers = service.post(
        "/v1/solve",
        &json!({ "board": rows, "notation": "numbers" }),
    );
    assert_eq!(numbers.ok()["moves"], "8");
    let goal = json!({ "board": "1 0 2/3 4 5/6 7 8", "goal": "blank-first", "partition": "5-3" });
    let report = service.post("/v1/solve", &goal).ok();
    assert_eq!(
        (&report["moves"], &report["tables"]),
        (&"R".into(), &"5-3".into())
    );
    let goal = json!({ "board": "1 0 2/3 4 5/6 7 8", "goal": [[1, 2, 0], [3, 4, 5], [6, 7, 8]] });
    assert_eq!(service.post("/v1/solve", &goal).ok()["length"], 1);
}

#[test]
fn unsolved_boards_have_reports_too() {
    let service = Service::new();
    let unsolvable = json!({ "board": "1 2 3/4 5 6/8 7 0" });
    let report = service.post("/v1/solve", &unsolvable).ok();
    assert_eq!(report["status"], "unsolvable");
    assert_eq!(report["swap"], json!([7, 8]));
    for path in ["/v1/hint", "/v1/probe", "/v1/explain"] {
        assert_eq!(
            service.post(path, &unsolvable).ok()["status"],
            "unsolvable",
            "{path}"
        );
    }
    let limits = [json!({ "max_nodes": 1000 }), json!({ "max_time": 0.05 })];
    for mut limited in limits {
        limited["board"] = HARD.into();
        limited["partition"] = "manhattan".into();
        let report = service.post("/v1/solve", &limited).ok();
        assert_eq!(report["status"], "limit");
        assert!(report["bound"].as_u64().unwrap() >= 58);
    }
}

#[test]
fn modes_have_their_own_options() {
    let service = Service::new();
    let solve = |mut request: Value| {
        request["board"] = EASY.into();
        service.post("/v1/solve", &request)
    };
    let all = solve(json!({ "all": true })).ok();
    assert_eq!(
        (&all["count"], all["solutions"].as_array().unwrap().len()),
        (&40.into(), 40)
    );
    let within = solve(json!({ "within": 2, "most": 3 })).ok();
    assert_eq!(within["counts"], json!([40, 0, 207]));
    assert_eq!(within["solutions"].as_array().unwrap().len(), 3);
    let count = solve(json!({ "count": true })).ok();
    assert_eq!(
        (&count["count"], &count["solutions"]),
        (&40.into(), &json!(null))
    );
    // With `count`, the report still contains one solution. Only requests with `within` return
    // `counts`; `within` can be 0.
    assert_eq!(count["moves"], all["solutions"][0]);
    assert_eq!(
        (&all["counts"], &count["counts"]),
        (&json!(null), &json!(null))
    );
    assert_eq!(solve(json!({ "within": 0 })).ok()["counts"], json!([40]));
    let unsolvable = json!({ "board": "1 2 3/4 5 6/8 7 0" });
    let refused = service.post("/v1/solve", &unsolvable).ok();
    assert_eq!(
        (&refused["status"], &refused["tables"]),
        (&"unsolvable".into(), &json!(null))
    );
    let steps = solve(json!({ "mode": "strategic", "explain": true })).ok();
    assert!(steps["steps"].as_array().unwrap().len() > 3);
    let anytime = solve(json!({ "mode": "anytime", "within": 0.05, "seed": 3 })).ok();
    assert_eq!(
        (&anytime["mode"], &anytime["length"]),
        (&"anytime".into(), &31.into())
    );
    let wrong = [
        json!({ "seed": 1 }),
        json!({ "mode": "strategic", "all": true }),
        json!({ "mode": "optimal", "short": true }),
        json!({ "mode": "strategic", "short": true, "explain": true }),
        json!({ "most": 3 }),
        json!({ "within": 0.5 }),
        json!({ "within": -1 }),
        json!({ "count": true, "most": 3 }),
        json!({ "metric": "multi", "within": 2 }),
        json!({ "mode": "anytime", "max_memory": 17 }),
        json!({ "leading_id": true }),
    ];
    for request in wrong {
        solve(request).problem(422, "error");
    }
}

#[test]
fn errors_name_the_field() {
    let service = Service::with(|config| config.max_cells = 36);
    let cases = [
        (json!({ "board": "1 2 3" }), "3"),
        (json!({ "board": "1 2 3/4 5 6/7 8 8" }), "8"),
        (json!({ "board": EASY, "size": "4x4" }), "4x4"),
        (json!({ "board": EASY, "goal": "nowhere" }), "goal"),
        (json!({ "board": EASY, "goal": "1 2/3 0" }), "3x3"),
        (json!({ "board": EASY, "metric": "double" }), "single"),
        (json!({ "board": EASY, "partition": "9-9" }), "9-9"),
        (json!({ "board": EASY, "notation": "words" }), "numbers"),
        (json!({ "board": EASY, "max_time": 0 }), "max_time"),
        (json!({ "board": EASY, "max_time": 1e9 }), "3600"),
        (json!({ "board": EASY, "max_nodes": 0 }), "max_nodes"),
        (json!({ "board": EASY, "max_nodes": -1 }), "-1"),
        (json!({ "board": EASY, "threads": 9 }), "threads"),
        (json!({ "board": EASY, "boards": [EASY] }), "either"),
        (json!({}), "either"),
        (json!({ "board": 7 }), "board must be a text or an array"),
        (json!({ "board": [[1, 2], [3, "foo"]] }), "(row 2 column 2)"),
        (
            json!({ "board": { "board": EASY } }),
            "board must be a text or an array",
        ),
        (json!({ "board": EASY, "speed": "fast" }), "`max_time`"),
        (json!({ "size": "7x7", "board": "0" }), "36"),
        (json!([]), "an array"),
    ];
    for (request, word) in cases {
        let detail = service.post("/v1/solve", &request).problem(422, "error");
        assert!(detail.contains(word), "{request}: {detail}");
        assert!(!detail.contains('\n'), "{detail}");
    }
    let large = json!({ "board": HARD, "partition": "8-7" });
    service.post("/v1/solve", &large).problem(422, "table");
    let detail = service.get("/v1/nowhere").problem(404, "error");
    assert!(detail.contains("/v1/nowhere"));
    let answer = service.get("/v1/solve");
    answer.problem(405, "error");
    assert_eq!(answer.header("allow"), Some("POST"));
}

#[test]
fn players_are_advised() {
    let service = Service::new();
    let hint = service.post("/v1/hint", &json!({ "board": EASY })).ok();
    assert_eq!(
        (&hint["distance"], &hint["exact"]),
        (&31.into(), &true.into())
    );
    assert_eq!(hint["moves"].as_array().unwrap().len(), 3);
    let game = json!({ "board": "1 2 3/4 0 6/7 5 8", "moves": "LRUL" });
    let rating = service.post("/v1/rate", &game).ok();
    assert_eq!(
        (&rating["credit"], &rating["lost"]),
        (&75.0.into(), &2.into())
    );
    assert_eq!(
        (&rating["moves"], &rating["tables"]),
        (&"LRUL".into(), &"8".into())
    );
    let wrong = json!({ "board": "1 2 3/4 0 6/7 5 8", "moves": "LLL" });
    service.post("/v1/rate", &wrong).problem(422, "error");
    let probe = service
        .post("/v1/probe", &json!({ "board": EASY, "partition": "5-3" }))
        .ok();
    assert_eq!(
        (&probe["tables"], &probe["estimate"]),
        (&"5-3".into(), &29.into())
    );
}

#[test]
fn heuristics_are_explained() {
    let service = Service::new();
    let seen = service.post("/v1/explain", &json!({ "board": EASY })).ok();
    assert_eq!(
        (&seen["distance"], &seen["goal"]),
        (&31.into(), &"1 2 3/4 5 6/7 8 0".into())
    );
    assert!(seen["heuristics"].as_array().unwrap().len() > 4);
    let names = ["manhattan", "manhattan+fringe"];
    let seen = service
        .post(
            "/v1/explain",
            &json!({ "board": EASY, "heuristics": names }),
        )
        .ok();
    let values = seen["heuristics"].as_array().unwrap().iter();
    assert_eq!(
        values.map(|own| own["value"].clone()).collect::<Vec<_>>(),
        [21, 27]
    );
    let line = json!({ "board": [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 11]], "size": "12x1" });
    assert_eq!(service.post("/v1/explain", &line).ok()["distance"], 1);
    let unknown = json!({ "board": EASY, "heuristics": ["guess"] });
    service.post("/v1/explain", &unknown).problem(422, "error");
    let goal: Vec<u32> = (1..25).chain([0]).collect();
    let slow = json!({ "board": goal, "heuristics": ["zero+walking-distance"] });
    service.post("/v1/explain", &slow).problem(422, "error");
}

#[test]
fn boards_are_scrambled() {
    let service = Service::new();
    let posted = service
        .post("/v1/scramble", &json!({ "seed": 7, "number": 3 }))
        .ok();
    assert_eq!(service.get("/v1/scramble?seed=7&number=3").ok(), posted);
    let boards = posted.as_array().unwrap();
    assert_eq!(boards.len(), 3);
    assert_eq!(
        (&boards[2]["number"], &boards[2]["seed"]),
        (&3.into(), &7.into())
    );
    let walked = service.get("/v1/scramble?size=3x3&moves=5").ok();
    assert!(!walked[0]["scramble"].as_str().unwrap().is_empty());
    let other = service.get("/v1/scramble").ok();
    assert_ne!(other, service.get("/v1/scramble").ok());
    service
        .get("/v1/scramble?number=10001")
        .problem(422, "error");
    service
        .get("/v1/scramble?moves=99999999999")
        .problem(422, "error");
    service.get("/v1/scramble?moves=-1").problem(422, "error");
    // The cells of all boards are limited, also if only the goal says their size.
    let goal: Vec<String> = (0..400).map(|number| number.to_string()).collect();
    let many = json!({ "goal": goal.join(" "), "number": 10_000 });
    let detail = service.post("/v1/scramble", &many).problem(422, "error");
    assert!(detail.contains("cells together"), "{detail}");
    let detail = service.get("/v1/scramble?length=7").problem(422, "error");
    assert!(detail.contains("`seed`"), "{detail}");
}

#[test]
fn tables_are_listed_and_stored() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_owned();
    {
        let service = Service::with(|config| config.tables = Some(path));
        let request = json!({ "board": EASY, "partition": "5-3" });
        assert_eq!(service.post("/v1/solve", &request).ok()["length"], 31);
        let tables = service.get("/v1/tables").ok();
        let solvers = tables["solvers"].as_array().unwrap();
        let mine = solvers
            .iter()
            .find(|solver| solver["partition"] == "5-3")
            .unwrap();
        assert_eq!(
            (&mine["size"], &mine["metric"]),
            (&"3x3".into(), &"single".into())
        );
        let tiles = mine["tables"].as_array().unwrap().iter();
        let tiles: Vec<_> = tiles.map(|table| table["serves"][0].clone()).collect();
        assert!(tiles.contains(&json!([4, 5, 6, 7, 8])), "{tiles:?}");
        assert_eq!(tables["bundles"][0]["name"], "6-6-3");
    }
    let files = std::fs::read_dir(directory.path()).unwrap();
    let mut tables = files
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "pdb"));
    // A damaged table is rejected.
    let table = tables
        .find(|path| {
            let name = path.to_string_lossy();
            name.contains("3x3-zero-aware") && !name.contains("0.1.2.3.4.5.6.7")
        })
        .unwrap();
    let length = std::fs::metadata(&table).unwrap().len();
    let file = std::fs::OpenOptions::new()
        .write(true)
        .open(&table)
        .unwrap();
    file.set_len(length - 1).unwrap();
    let path = directory.path().to_owned();
    let service = Service::with(|config| config.tables = Some(path));
    let request = json!({ "board": EASY, "partition": "5-3" });
    service.post("/v1/solve", &request).problem(500, "table");
}

#[test]
fn boards_as_people_write_them_are_read() {
    const CASES: &str = include_str!("../../../../data/wild/boards_as_written.jsonl");
    let service = Service::new();
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let expected = case["boards"].as_array().unwrap();
        let goal = case["goal"].as_str().unwrap_or("blank-last");
        let query = format!("/v1/solve?mode=strategic&goal={}", goal.replace(' ', ","));
        let text = case["text"].as_str().unwrap();
        let answer = service.send(
            "POST",
            &query,
            &[("Content-Type", "text/plain")],
            text.as_bytes(),
        );
        let lines: Vec<Value> = (answer.text().lines())
            .map(|report| serde_json::from_str(report).unwrap())
            .collect();
        let is_read = |report: &&Value| report["status"] != "error";
        let boards = lines
            .iter()
            .filter(is_read)
            .map(|report| report["board"].clone());
        assert_eq!(boards.collect::<Vec<_>>(), *expected, "{line}");
        let request = json!({ "board": text, "goal": goal, "mode": "strategic" });
        let answer = service.post("/v1/solve", &request);
        match &expected[..] {
            [board] => assert_eq!(answer.ok()["board"], *board, "{line}"),
            _ => assert!(!answer.problem(422, "error").is_empty()),
        }
    }
}

#[test]
fn arrays_and_guesses_are_read() {
    let service = Service::new();
    let board = json!([[6, 4, 7], [8, 5, null], ["3", "2", 1.0]]);
    let solved = service.post("/v1/solve", &json!({ "board": board })).ok();
    assert_eq!(
        (&solved["length"], &solved["notes"]),
        (&31.into(), &Value::Null)
    );
    let column = json!([[1], [2], [3], [4], [5], [6], [7], [0], [8]]);
    for path in ["/v1/solve", "/v1/hint", "/v1/explain"] {
        let read = service.post(path, &json!({ "board": column })).ok();
        assert_eq!(read["board"], "1 2 3/4 5 6/7 0 8");
        assert_eq!(
            read["notes"][0], "one number per line is read as a 3x3 board",
            "{path}"
        );
    }
    let request = json!({ "board": "1 2 3/4 0 6/7 5 8", "moves": ["up", "L"] });
    assert_eq!(service.post("/v1/rate", &request).ok()["left"], 0);
    let own = json!({ "board": r#"{"board": [1,0,2,3], "goal": "blank-first"}"# });
    assert_eq!(service.post("/v1/solve", &own).ok()["length"], 1);
    let other = json!({ "board": own["board"], "goal": "blank-last" });
    let detail = service.post("/v1/solve", &other).problem(422, "error");
    assert!(detail.contains("states its own goal, 0 1/2 3"), "{detail}");
}
