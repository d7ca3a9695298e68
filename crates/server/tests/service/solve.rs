//! Single boards: headers, statuses and errors. The answers are checked by `answers`.

use serde_json::{Value, json};

use crate::client::{EASY, HARD, Service};
use crate::questions::{Question, SHARED, ask_all};

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
