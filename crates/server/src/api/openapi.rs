//! The OpenAPI description: the parts that the route macros do not generate.

use serde_json::{Value, json};
use solver::{GivenOptions, Mode};
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

/// The OpenAPI description with the limits of the configuration.
pub(crate) fn text(openapi: &OpenApi, config: &Config) -> String {
    // Every description is valid JSON.
    let mut text = serde_json::to_value(openapi).unwrap_or_default();
    let limits = [
        ("boards", "maxItems", json!(config.max_boards)),
        ("max_memory", "maximum", json!(config.memory_bytes())),
        ("max_time", "maximum", json!(config.max_time)),
        ("number", "maximum", json!(config.max_boards)),
        ("partition", "maxLength", json!(MAX_PARTITION)),
        ("size", "pattern", json!("^[1-9][0-9]?x[1-9][0-9]?$")),
        ("threads", "maximum", json!(config.max_threads.max(1))),
    ];
    let schemas = text.pointer_mut("/components/schemas");
    let schemas = schemas.and_then(Value::as_object_mut).into_iter().flatten();
    for (name, schema) in schemas {
        if !name.ends_with("Request") {
            without_null(schema);
            continue;
        }
        for (field, keyword, limit) in &limits {
            if let Some(field) = schema.pointer_mut(&format!("/properties/{field}")) {
                field[*keyword] = limit.clone();
            }
        }
        if schema.pointer("/properties/boards").is_some() {
            schema["oneOf"] = json!([{ "required": ["board"] }, { "required": ["boards"] }]);
        }
    }
    describe_modes(&mut text);
    serde_json::to_string_pretty(&text).unwrap_or_default()
}

/// Removes `null` from the types of optional answer fields: they are omitted, never null.
fn without_null(schema: &mut Value) {
    let forms = [
        ("type", json!("null")),
        ("oneOf", json!({ "type": "null" })),
    ];
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let fields = schema.get_mut("properties").and_then(Value::as_object_mut);
    let fields = fields.into_iter().flatten();
    for (_, field) in fields.filter(|(name, _)| !required.contains(&json!(name))) {
        for (keyword, null) in &forms {
            if let Some(types) = field.get_mut(*keyword).and_then(Value::as_array_mut) {
                types.retain(|other| other != null);
            }
        }
    }
}

/// Describes which options belong to which mode. The schema of /v1/anytime is that of /v1/solve,
/// reduced to the fields that suit the mode anytime.
fn describe_modes(text: &mut Value) {
    let schemas = &mut text["components"]["schemas"];
    let mut anytime = schemas["SolveRequest"].clone();
    for (option, modes) in GivenOptions::of_modes() {
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
        let of_modes = GivenOptions::of_modes().find(|(option, _)| *option == field);
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
