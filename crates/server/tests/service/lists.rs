//! Lists of boards.

use std::time::Duration;

use serde_json::json;

use super::client::{EASY, HARD, Service, until};

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
