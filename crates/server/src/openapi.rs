//! The description of the service in OpenAPI 3.1: the routes of `openapi.json`, and the schemas of
//! the contract.

use serde_json::{Value, json};
use session::schema;

use crate::config::Config;

/// The OpenAPI description, with the limits of the configuration.
pub(crate) fn text(config: &Config) -> String {
    // The file is valid; a test reads the description.
    let mut text: Value = serde_json::from_str(include_str!("openapi.json")).unwrap_or_default();
    text["info"]["version"] = env!("CARGO_PKG_VERSION").into();
    let schemas = &mut text["components"]["schemas"];
    for (name, schema) in schema::objects() {
        schemas[name] = schema;
    }
    let asks = ["Solve", "Hint", "Rate", "Probe", "Explain", "Scramble"];
    for ask in asks {
        schemas[format!("{ask}Request")] = request(&ask.to_lowercase(), config);
    }
    describe_solve(schemas, config);
    let fields = schemas["ScrambleRequest"]["properties"].as_object();
    let parameters = fields
        .into_iter()
        .flatten()
        .map(|(name, schema)| json!({ "name": name, "in": "query", "schema": schema }));
    text["paths"]["/v1/scramble"]["get"]["parameters"] = parameters.collect();
    serde_json::to_string_pretty(&text).unwrap_or_default()
}

/// The schema of a question, with an example and the limits of the configuration.
fn request(ask: &str, config: &Config) -> Value {
    let mut schema = schema::request(ask);
    let limits = [
        ("max_memory", "maximum", json!(config.max_memory << 20)),
        ("max_time", "maximum", json!(config.max_time.as_secs_f64())),
        ("number", "maximum", json!(config.max_boards)),
        ("size", "pattern", json!("^[1-9][0-9]?x[1-9][0-9]?$")),
        ("threads", "maximum", json!(config.max_threads.max(1))),
    ];
    for (field, keyword, limit) in limits {
        if let Some(field) = schema.pointer_mut(&format!("/properties/{field}")) {
            field[keyword] = limit;
        }
    }
    schema["example"] = match ask {
        "rate" => json!({ "board": "1 2 3/4 0 6/7 5 8", "moves": "LRUL" }),
        "scramble" => json!({ "size": "4x4", "number": 2, "seed": 7 }),
        _ => json!({ "board": "8 6 7/2 5 4/3 0 1" }),
    };
    schema
}

/// The schema of /v1/anytime is that of /v1/solve, reduced to the fields that suit the mode anytime.
/// A request of /v1/solve has `board` or `boards`.
fn describe_solve(schemas: &mut Value, config: &Config) {
    let solve = &mut schemas["SolveRequest"];
    let mut anytime = solve.clone();
    anytime["dependentSchemas"] = json!({});
    for (option, condition) in solve["dependentSchemas"].as_object().into_iter().flatten() {
        let modes = condition["properties"]["mode"]["enum"].as_array();
        if !modes.is_some_and(|modes| modes.contains(&json!("anytime"))) {
            anytime["properties"]
                .as_object_mut()
                .and_then(|fields| fields.remove(option));
        }
    }
    anytime["properties"]["mode"] = json!({ "const": "anytime" });
    let about = "Boards to solve, instead of `board`. They are answered in this order.";
    let boards = &mut solve["properties"]["boards"];
    *boards = json!({ "type": "array", "description": about, "maxItems": config.max_boards });
    boards["items"] = anytime["properties"]["board"].clone();
    solve["oneOf"] = json!([{ "required": ["board"] }, { "required": ["boards"] }]);
    if let Some(fields) = solve.as_object_mut() {
        fields.remove("required");
    }
    schemas["AnytimeRequest"] = anytime;
}
