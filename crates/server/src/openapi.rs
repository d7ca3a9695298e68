//! The description of the service in OpenAPI 3.1: the routes of `openapi.json`, and the schemas of
//! the contract.

use serde_json::{Map, Value, json};
use session::{OPTIONS_OF_MODES, schema};
use solver::Mode;

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
    // In the list of solvers, the goal is a text beside its size.
    let mut solver = schemas["TablesInfo"].clone();
    for (name, about) in [("goal", "The goal."), ("size", "Columns x rows.")] {
        solver["properties"][name] = json!({ "type": "string", "description": about });
    }
    schemas["Solver"] = solver;
    describe_modes(schemas, config);
    let fields = schemas["ScrambleRequest"]["properties"].as_object();
    let parameters = fields
        .into_iter()
        .flatten()
        .map(|(name, schema)| json!({ "name": name, "in": "query", "schema": schema }));
    let parameters: Vec<_> = parameters.collect();
    text["paths"]["/v1/scramble"]["get"]["parameters"] = parameters.into();
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

/// Describes which options belong to which mode. The schema of /v1/anytime is that of /v1/solve,
/// reduced to the fields that suit the mode anytime.
fn describe_modes(schemas: &mut Value, config: &Config) {
    let mut anytime = schemas["SolveRequest"].clone();
    anytime["properties"]["mode"] = json!({ "const": "anytime" });
    let solve = &mut schemas["SolveRequest"];
    for (option, modes) in OPTIONS_OF_MODES {
        let mut names: Vec<_> = modes.iter().map(|mode| json!(mode.name())).collect();
        let mut of_modes = json!({ "required": ["mode"] });
        if modes.contains(&Mode::default()) {
            names.push(Value::Null);
            of_modes = json!({});
        }
        of_modes["properties"] = json!({ "mode": { "enum": names } });
        solve["dependentSchemas"][option] = of_modes;
        if !modes.contains(&Mode::Anytime) {
            let fields = anytime["properties"].as_object_mut();
            fields.and_then(|fields: &mut Map<_, _>| fields.remove(option));
        }
    }
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
