//! Boards and lists of boards: headers, statuses and errors. The answers are checked by `answers`.

use std::time::Duration;

use serde_json::{Value, json};

use super::client::{EASY, HARD, Service, until};
use super::questions::{Question, SHARED, ask_all};

#[test]
fn answers_have_an_id_and_end_with_a_newline() {
    let service = Service::new();
    let answer = service.post("/v1/solve", &json!({ "board": EASY }));
    let report = answer.ok();
    assert_eq!(
        (answer.header("content-type"), report["length"].as_u64()),
        (Some("application/json"), Some(31))
    );
    assert_eq!(answer.header("search-id").unwrap().len(), 32);
    assert!(answer.body.ends_with(b"\n"));
    // A board without a solution, and a search that reaches a limit, also have reports.
    let unsolvable = json!({ "board": "1 2 3/4 5 6/8 7 0" });
    for path in ["/v1/solve", "/v1/hint", "/v1/probe", "/v1/explain"] {
        let report = service.post(path, &unsolvable).ok();
        assert_eq!(report["status"], "unsolvable", "{path}");
    }
    let limited = json!({ "board": HARD, "partition": "manhattan", "max_time": 0.05 });
    let report = service.post("/v1/solve", &limited).ok();
    assert_eq!(report["status"], "limit");
    assert!(report["bound"].as_u64().unwrap() >= 58);
}

#[test]
fn errors_name_the_field() {
    let service = Service::with(|config| config.max_cells = 36);
    let cases = [
        (json!({ "board": EASY, "max_time": 1e9 }), "3600"),
        (json!({ "board": EASY, "threads": 9 }), "threads"),
        (json!({ "board": EASY, "boards": [EASY] }), "either"),
        (json!({ "board": EASY, "speed": "fast" }), "`max_time`"),
        (json!({ "board": EASY, "leading_id": true }), "leading_id"),
        (json!({ "size": "7x7", "board": "0" }), "36"),
    ];
    for (request, word) in cases {
        let detail = service.post("/v1/solve", &request).problem(422, "error");
        assert!(detail.contains(word), "{request}: {detail}");
        assert!(!detail.contains('\n'), "{detail}");
    }
    let detail = service.get("/v1/nowhere").problem(404, "error");
    assert!(detail.contains("/v1/nowhere"));
    let answer = service.get("/v1/solve");
    answer.problem(405, "error");
    assert_eq!(answer.header("allow"), Some("POST"));
}

#[test]
fn explanations_have_the_distance() {
    let service = Service::new();
    let seen = service.post("/v1/explain", &json!({ "board": EASY })).ok();
    assert_eq!(
        (&seen["distance"], &seen["goal"]),
        (&31.into(), &"1 2 3/4 5 6/7 8 0".into())
    );
    let line = json!({ "board": [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 11]], "size": "12x1" });
    assert_eq!(service.post("/v1/explain", &line).ok()["distance"], 1);
}

#[test]
fn boards_are_scrambled() {
    let service = Service::new();
    let posted = service
        .post("/v1/scramble", &json!({ "seed": 7, "number": 3 }))
        .ok();
    assert_eq!(service.get("/v1/scramble?seed=7&number=3").ok(), posted);
    // Without a seed, each answer differs.
    let other = service.get("/v1/scramble").ok();
    assert_ne!(other, service.get("/v1/scramble").ok());
    for query in ["number=10001", "moves=99999999999", "moves=-1", "length=7"] {
        let answer = service.get(&format!("/v1/scramble?{query}"));
        answer.problem(422, "error");
    }
    // The cells of all boards are limited, also if only the goal determines their size.
    let goal: Vec<String> = (0..400).map(|number| number.to_string()).collect();
    let many = json!({ "goal": goal.join(" "), "number": 10_000 });
    let detail = service.post("/v1/scramble", &many).problem(422, "error");
    assert!(detail.contains("cells together"), "{detail}");
}

fn ask(service: &Service, question: &Question) -> Result<Value, String> {
    let path = format!("/v1/{}", question.ask);
    let answer = service.post(&path, &json!(question.request));
    let object = answer.json();
    match (answer.status, question.ask) {
        (200, "scramble") => {
            let boards = object.as_array().unwrap().iter();
            let boards = boards.map(|line| line["board"].clone());
            Ok(json!({ "boards": boards.collect::<Vec<_>>() }))
        }
        (200, "explain") if !object["heuristics"].is_null() => Ok(object["heuristics"].clone()),
        (200, _) => Ok(object),
        _ => Err(object["code"].as_str().unwrap().to_owned()),
    }
}

#[test]
fn all_questions_have_their_answers() {
    let service = Service::new();
    let asks = [SHARED, &["explain"]].concat();
    ask_all("http", &asks, |question| ask(&service, question));
}

const TEXT: [(&str, &str); 1] = [("Content-Type", "text/plain")];

#[test]
fn reports_have_the_order_of_the_boards() {
    let service = Service::new();
    let scrambled = service.get("/v1/scramble?number=300&seed=1&size=3x3").ok();
    let boards = scrambled.as_array().unwrap().iter();
    let boards: Vec<&str> = boards
        .map(|board| board["board"].as_str().unwrap())
        .collect();
    let answer = service.post("/v1/solve", &json!({ "boards": boards }));
    assert_eq!(answer.header("content-type"), Some("application/x-ndjson"));
    let reports = answer.lines();
    assert_eq!(reports.len(), 300);
    for (board, report) in boards.iter().zip(&reports) {
        assert_eq!(
            (&report["board"], &report["status"]),
            (&(*board).into(), &"solved".into())
        );
        assert_eq!(report["line"], json!(null));
    }
    let accept = [
        ("Content-Type", "application/json"),
        ("Accept", "application/json"),
    ];
    for boards in [&boards[..], &[]] {
        let body = json!({ "boards": boards }).to_string();
        let array = service.send("POST", "/v1/solve", &accept, body.as_bytes());
        assert_eq!(array.header("content-type"), Some("application/json"));
        assert_eq!(array.ok().as_array().unwrap().len(), boards.len());
    }
    for wrong in [
        json!([7]),
        json!([null]),
        json!("text"),
        json!(vec![EASY; 10_001]),
    ] {
        let answer = service.post("/v1/solve", &json!({ "boards": wrong }));
        answer.problem(422, "error");
    }
}

/// The suite of answers has the forms of lists.
#[test]
fn lines_of_texts_are_numbered() {
    let service = Service::new();
    // The first line says 30 moves, and the second one is no UTF-8.
    let list = b"8 6 7 2 5 4 3 0 1 30\n\xff\n\n1 2 3\n4 5 6\n7 0 8";
    let answer = service.send("POST", "/v1/solve?max_time=5&threads=0", &TEXT, list);
    let lines = answer.lines();
    let found = lines
        .iter()
        .map(|report| json!([report["line"], report["status"]]));
    let expected = json!([[1, "error"], [2, "error"], [4, "solved"]]);
    assert_eq!(json!(found.collect::<Vec<_>>()), expected);
    let path = "/v1/solve?size=2x2&leading_id=true";
    let reports = service.send("POST", path, &TEXT, b"1 2 0 3 1\n").lines();
    assert_eq!(reports[0]["board"], "2 0/3 1");
    for query in ["speed=1", "max_time=-1", "board=1"] {
        let path = format!("/v1/solve?{query}");
        let answer = service.send("POST", &path, &TEXT, b"2 0/3 1");
        answer.problem(422, "error");
    }
}

#[test]
fn lines_may_be_json() {
    let service = Service::new();
    let list =
        "\"8 6 7/2 5 4/3 0 1\"\n\n[1,2,3,4,5,6,7,0,8]\n{\"board\":[[1,2],[0,3]]}\n{\"bord\":7}\n[[";
    let kind = [("Content-Type", "application/x-ndjson; charset=utf-8")];
    let answer = service.send("POST", "/v1/solve", &kind, list.as_bytes());
    let found: Vec<_> = answer.lines();
    let found = found
        .iter()
        .map(|report| json!([report["line"], report["status"]]));
    let expected = json!([
        [1, "solved"],
        [3, "solved"],
        [4, "solved"],
        [5, "error"],
        [6, "error"]
    ]);
    assert_eq!(json!(found.collect::<Vec<_>>()), expected);
}

#[test]
fn answers_arrive_while_boards_are_sent() {
    let service = Service::new();
    let mut connection = service.connect();
    let head = "POST /v1/solve HTTP/1.1\r\nHost: test\r\nContent-Type: text/plain\r\n\
                Transfer-Encoding: chunked\r\n\r\n";
    connection.write(head.as_bytes());
    for round in 0..3 {
        connection.write(b"9\r\n1 2/0 3\n \r\n");
        if round == 0 {
            assert_eq!(connection.head().status, 200);
        }
        let line = String::from_utf8(connection.chunk().unwrap()).unwrap();
        assert!(
            line.contains("\"status\":\"solved\"") && line.ends_with('\n'),
            "{line}"
        );
    }
    connection.write(b"0\r\n\r\n");
    assert_eq!(connection.chunk(), None);
    until("nothing runs", || {
        service.running() + service.waiting() == 0.0
    });
}

#[test]
fn lists_are_bounded() {
    let service = Service::with(|config| {
        (config.max_boards, config.max_list) = (3, 200_000);
    });
    let brief = Service::with(|config| config.max_list_time = Duration::from_millis(500));
    let last = |service: &Service, path: &str, list: &str| {
        let answer = service.send("POST", path, &TEXT, list.as_bytes());
        assert_eq!(answer.status, 200);
        let mut lines = answer.lines();
        let last = lines.pop().unwrap();
        assert_eq!(last["status"], "error", "{last}");
        (lines.len(), last["message"].as_str().unwrap().to_owned())
    };
    let (before, message) = last(&service, "/v1/solve", &"2 0/3 1\n".repeat(5));
    assert!(before == 3 && message.contains("maximum of 3"), "{message}");
    let (_, message) = last(&service, "/v1/solve", &"#\n".repeat(150_000));
    assert!(message.contains("too large"), "{message}");
    let long = format!("2 0/3 1\n{}", "1 ".repeat(50_000));
    let (before, message) = last(&service, "/v1/solve", &long);
    assert!(before == 1 && message.contains("65536"), "{message}");
    let hard = format!("{HARD}\n{HARD}\n");
    let (before, message) = last(&brief, "/v1/solve?partition=manhattan", &hard);
    assert!(before == 0 && message.contains("0.5 s"), "{message}");
}
