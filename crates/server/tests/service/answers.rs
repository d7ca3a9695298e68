//! Asks the service the questions of data/answers over HTTP.

use serde_json::{Value, json};

use super::client::Service;
use crate::questions::{Question, SHARED, ask_all};

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
