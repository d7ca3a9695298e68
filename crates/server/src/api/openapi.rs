//! The OpenAPI description: the parts that the route macros do not generate.

use serde_json::{Value, json};
use session::OPTIONS_OF_MODES;
use solver::Mode;
use utoipa::openapi::OpenApi;

use crate::config::Config;
use crate::request::MAX_PARTITION;

/// The description of the service as a whole.
#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "solver-server",
        description = "Solves sliding-tile puzzles with pattern databases. Objects are those of the \
                       command's --json (docs/json.md). Times in requests are seconds, times in \
                       answers are milliseconds (ms). Errors are problem objects (RFC 9457) with a \
                       code.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    tags(
        (name = "solving", description = "Solutions of boards"),
        (name = "advice", description = "Hints, ratings, and explanations of heuristics"),
        (name = "tables", description = "Open tables, and packed tables for download"),
        (name = "service", description = "Health, metrics and description of the service")
    )
)]
pub(crate) struct Description;

/// Examples of the questions.
fn example(ask: &str) -> Value {
    let easy = "8 6 7/2 5 4/3 0 1";
    match ask {
        "solve" => json!({ "board": "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13", "max_time": 10 }),
        "rate" => json!({ "board": "1 2 3/4 0 6/7 5 8", "moves": "LRUL" }),
        "explain" => json!({ "board": easy, "heuristics": ["manhattan", "linear-conflict"] }),
        "scramble" => json!({ "size": "4x4", "number": 2, "seed": 7 }),
        _ => json!({ "board": easy }),
    }
}

/// The OpenAPI description, with the objects of the contract and the limits of the configuration.
pub(crate) fn text(openapi: &OpenApi, config: &Config) -> String {
    // Every description is valid JSON.
    let mut text = serde_json::to_value(openapi).unwrap_or_default();
    let limits = [
        ("max_memory", "maximum", json!(config.memory_bytes())),
        ("max_time", "maximum", json!(config.max_time)),
        ("number", "maximum", json!(config.max_boards)),
        ("partition", "maxLength", json!(MAX_PARTITION)),
        ("size", "pattern", json!("^[1-9][0-9]?x[1-9][0-9]?$")),
        ("threads", "maximum", json!(config.max_threads.max(1))),
    ];
    let schemas = &mut text["components"]["schemas"];
    for (name, schema) in session::schema::objects() {
        schemas[name] = schema;
    }
    for ask in ["solve", "hint", "rate", "probe", "explain", "scramble"] {
        let mut schema = session::schema::request(ask);
        for (field, keyword, limit) in &limits {
            if let Some(field) = schema.pointer_mut(&format!("/properties/{field}")) {
                field[*keyword] = limit.clone();
            }
        }
        schema["example"] = example(ask);
        schemas[format!("{}Request", capital(ask))] = schema;
    }
    let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    schemas["Explanations"] = json!({
        "type": "object",
        "required": ["board", "goal", "distance", "heuristics"],
        "properties": {
            "board": { "type": "string", "description": "The board." },
            "goal": { "type": "string", "description": "The goal." },
            "distance": {
                "type": ["integer", "null"],
                "description": "Length of a shortest solution; null if none was found and proved \
                                within the time limit.",
            },
            "heuristics": { "type": "array", "items": reference("Explanation") },
            "notes": { "type": "array", "items": { "type": "string" } },
        },
    });
    for name in ["Hint", "Rating", "Probe", "Explanations"] {
        schemas[format!("{name}OrReport")] =
            json!({ "anyOf": [reference(name), reference("Report")] });
    }
    let solve = &mut schemas["SolveRequest"];
    solve["properties"]["boards"] = json!({
        "type": "array",
        "items": solve["properties"]["board"].clone(),
        "maxItems": config.max_boards,
        "description": "Boards to solve, instead of `board`. They are answered in this order.",
    });
    if let Some(fields) = solve.as_object_mut() {
        fields.remove("required");
    }
    solve["oneOf"] = json!([{ "required": ["board"] }, { "required": ["boards"] }]);
    scramble_parameters(&mut text);
    describe_modes(&mut text);
    serde_json::to_string_pretty(&text).unwrap_or_default()
}

fn capital(ask: &str) -> String {
    let mut name = ask.to_owned();
    name[..1].make_ascii_uppercase();
    name
}

/// The parameters of `GET /v1/scramble` are the fields of its question.
fn scramble_parameters(text: &mut Value) {
    let fields = text["components"]["schemas"]["ScrambleRequest"]["properties"].clone();
    let parameter = |(name, schema): (String, Value)| {
        json!({
            "name": name, "in": "query", "required": false,
            "description": schema["description"].clone(), "schema": schema,
        })
    };
    let fields = fields.as_object().cloned().unwrap_or_default();
    let parameters: Vec<Value> = fields.into_iter().map(parameter).collect();
    text["paths"]["/v1/scramble"]["get"]["parameters"] = parameters.into();
}

/// Describes which options belong to which mode. The schema of /v1/anytime is that of /v1/solve,
/// reduced to the fields that suit the mode anytime.
fn describe_modes(text: &mut Value) {
    let schemas = &mut text["components"]["schemas"];
    let mut anytime = schemas["SolveRequest"].clone();
    for (option, modes) in OPTIONS_OF_MODES {
        let mut names: Vec<_> = modes.iter().map(|mode| json!(mode.name())).collect();
        let mut of_modes = json!({ "required": ["mode"] });
        if modes.contains(&Mode::default()) {
            names.push(Value::Null);
            of_modes = json!({});
        }
        of_modes["properties"] = json!({ "mode": { "enum": names } });
        schemas["SolveRequest"]["dependentSchemas"][option] = of_modes;
    }
    let is_of_anytime = |field: &str| {
        let of_modes = OPTIONS_OF_MODES
            .into_iter()
            .find(|(option, _)| *option == field);
        of_modes.is_none_or(|(_, modes)| modes.contains(&Mode::Anytime))
    };
    if let Some(schema) = anytime.as_object_mut() {
        schema.remove("oneOf");
        schema.insert("required".to_owned(), json!(["board"]));
    }
    if let Some(fields) = anytime["properties"].as_object_mut() {
        fields.retain(|field, _| is_of_anytime(field) && field != "boards");
        fields.insert("mode".to_owned(), json!({ "const": "anytime" }));
    }
    schemas["AnytimeRequest"] = anytime;
    let body = &mut text["paths"]["/v1/anytime"]["post"]["requestBody"];
    body["content"]["application/json"]["schema"] =
        json!({ "$ref": "#/components/schemas/AnytimeRequest" });
}
