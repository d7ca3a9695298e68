//! The description of the service in OpenAPI 3.1. Requests and answers are those of the contract.

use serde_json::{Map, Value, json};
use session::schema;
use solver::{GivenOptions, Mode};

use crate::body::MAX_PARTITION;
use crate::config::Config;

/// A route: method, path, tag, summary, name of the request's schema, and answers.
type Route = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static [Answer],
);

/// An answer: its status, its types, and its schema; `""` for none and `[]` behind the name for a
/// list.
type Answer = (u16, &'static [&'static str], &'static str);

const JSON: &[&str] = &["application/json"];
const EVENTS: &[&str] = &["text/event-stream"];
const FILE: &[&str] = &["application/json", "application/octet-stream"];
const FILES: &[Answer] = &[
    (200, FILE, ""),
    (206, FILE, ""),
    (304, &[], ""),
    (416, &[], ""),
];

const ROUTES: [Route; 16] = [
    (
        "post",
        "/v1/solve",
        "solving",
        "Solves one board (`board`), or many boards (`boards`, or a list as body), each answered by \
         one report per line. The options of a list are query parameters. With `Accept: \
         text/event-stream` the answer for one board is a stream of events: `search` (with the id), \
         `progress`, and finally `report`. With `Accept: application/json` the reports of many \
         boards form one array.",
        "SolveRequest",
        &[
            (200, JSON, "ReportOrReports"),
            (200, &["application/x-ndjson"], "Report"),
            (200, EVENTS, "StreamEvent"),
        ],
    ),
    (
        "post",
        "/v1/anytime",
        "solving",
        "Solves a board immediately, then improves the solution. The answer is a stream of events: \
         `search` (with the id), `improved` with a report for each better solution, `progress`, and \
         finally `report` or `problem`.",
        "AnytimeRequest",
        &[(200, EVENTS, "StreamEvent")],
    ),
    (
        "delete",
        "/v1/searches/{id}",
        "solving",
        "Cancels a search. Its request is answered with the best solution so far, or with 409.",
        "",
        &[
            (204, &[], ""),
            (404, &["application/problem+json"], "Problem"),
        ],
    ),
    (
        "post",
        "/v1/hint",
        "advice",
        "The distance to the goal, and the good moves; or a report, if there is no solution or none \
         is found within the limits.",
        "HintRequest",
        &[(200, JSON, "HintOrReport")],
    ),
    (
        "post",
        "/v1/rate",
        "advice",
        "Rates the moves of a game; or a report.",
        "RateRequest",
        &[(200, JSON, "RatingOrReport")],
    ),
    (
        "post",
        "/v1/probe",
        "advice",
        "The table entries and values for a board, without a search; or a report.",
        "ProbeRequest",
        &[(200, JSON, "ProbeOrReport")],
    ),
    (
        "post",
        "/v1/explain",
        "advice",
        "Explains the values of heuristics on a board; or a report.",
        "ExplainRequest",
        &[(200, JSON, "ExplanationsOrReport")],
    ),
    (
        "post",
        "/v1/scramble",
        "advice",
        "Random solvable boards.",
        "ScrambleRequest",
        &[(200, JSON, "Scrambled[]")],
    ),
    (
        "get",
        "/v1/scramble",
        "advice",
        "Random solvable boards.",
        "",
        &[(200, JSON, "Scrambled[]")],
    ),
    (
        "get",
        "/v1/tables",
        "tables",
        "The open solvers, most recently used first, and the packed tables for download.",
        "",
        &[(200, JSON, "Tables")],
    ),
    (
        "get",
        "/v1/bundles/{name}/{file}",
        "tables",
        "A file of a bundle of packed tables; `manifest.json` lists the files.",
        "",
        FILES,
    ),
    (
        "get",
        "/v1/bundles/{name}/{version}/{file}",
        "tables",
        "A file of one version of a bundle. The file never changes.",
        "",
        FILES,
    ),
    (
        "get",
        "/healthz",
        "service",
        "Reports that the service is alive.",
        "",
        &[(200, JSON, "Health")],
    ),
    (
        "get",
        "/readyz",
        "service",
        "Reports whether the service accepts requests.",
        "",
        &[(200, JSON, "Health")],
    ),
    (
        "get",
        "/metrics",
        "service",
        "Metrics in the text format of Prometheus (OpenMetrics).",
        "",
        &[(200, &["application/openmetrics-text"], "")],
    ),
    (
        "get",
        "/openapi.json",
        "service",
        "The description of this service in OpenAPI 3.1.",
        "",
        &[(200, JSON, "")],
    ),
];

/// Statuses of errors of all requests, and of requests with a search.
const ERRORS: [(u16, &str, bool); 12] = [
    (
        400,
        "The request is not valid HTTP, or its body is incomplete or not JSON.",
        false,
    ),
    (404, "Not found.", false),
    (408, "The body did not arrive in time.", true),
    (409, "The search was cancelled.", true),
    (413, "The body is too large.", true),
    (414, "The path is longer than 64 KiB.", false),
    (415, "The body type is not supported.", true),
    (
        422,
        "The board, goal, moves or options are invalid or exceed a limit.",
        true,
    ),
    (
        429,
        "Too many searches or connections: try again after the seconds of Retry-After.",
        true,
    ),
    (431, "The request head is too large.", false),
    (500, "The service has a defect or a damaged table.", false),
    (
        503,
        "The service is stopping, or has too little memory: try again later.",
        false,
    ),
];

fn reference(name: &str) -> Value {
    match name.strip_suffix("[]") {
        Some(item) => json!({ "type": "array", "items": reference(item) }),
        None => json!({ "$ref": format!("#/components/schemas/{name}") }),
    }
}

/// The OpenAPI description, with the limits of the configuration.
pub(crate) fn text(config: &Config) -> String {
    let schemas = schemas(config);
    let mut paths = Map::new();
    for route in &ROUTES {
        let path = paths.entry(route.1).or_insert_with(|| json!({}));
        path[route.0] = operation(route, &schemas);
    }
    let tags = ["solving", "advice", "tables", "service"].map(|name| json!({ "name": name }));
    let description = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "solver-server",
            "description": "Solves sliding-tile puzzles with pattern databases. Objects are those of \
                            the command's --json (docs/json.md). Times in requests are seconds, times \
                            in answers are milliseconds (ms). Errors are problem objects (RFC 9457) \
                            with a code.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
            "version": env!("CARGO_PKG_VERSION"),
        },
        "tags": tags,
        "paths": paths,
        "components": { "schemas": schemas },
    });
    serde_json::to_string_pretty(&description).unwrap_or_default()
}

fn operation(route: &Route, schemas: &Value) -> Value {
    let (method, path, tag, summary, request, answers) = *route;
    let is_search = !request.is_empty() || path == "/v1/scramble";
    let header =
        |about: &str, kind: &str| json!({ "description": about, "schema": { "type": kind } });
    let mut responses = json!({});
    for (status, about, of_search) in ERRORS {
        if of_search && !is_search || status == 404 && !path.contains('{') {
            continue;
        }
        let mut response = json!({ "description": about });
        // If the head is too large, hyper answers without a problem object.
        if !matches!(status, 414 | 431) {
            let problem = json!({ "schema": reference("Problem") });
            response["content"] = json!({ "application/problem+json": problem });
        }
        if matches!(status, 429 | 503) {
            response["headers"] = json!({ "Retry-After": header("Seconds.", "integer") });
        }
        responses[status.to_string()] = response;
    }
    for (status, kinds, name) in answers {
        let response = &mut responses[status.to_string()];
        if response["description"].is_null() {
            response["description"] = "The answer.".into();
        }
        for kind in *kinds {
            let schema = if name.is_empty() {
                json!({})
            } else {
                reference(name)
            };
            response["content"][kind] = json!({ "schema": schema });
        }
    }
    if is_search && !path.ends_with("scramble") {
        responses["200"]["headers"] = json!({
            "Search-Id": header("For DELETE /v1/searches/{id}.", "string"),
            "Tables-Reason": header("Why the tables are not the default ones of the size.", "string"),
        });
    }
    let in_path = path
        .split('{')
        .skip(1)
        .filter_map(|part| part.split('}').next());
    let mut parameters: Vec<Value> = in_path
        .map(|name| {
            let schema = json!({ "type": "string" });
            json!({ "name": name, "in": "path", "required": true, "schema": schema })
        })
        .collect();
    if (method, path) == ("get", "/v1/scramble") {
        let fields = schemas["ScrambleRequest"]["properties"].as_object();
        parameters.extend(fields.into_iter().flatten().map(|(name, schema)| {
            let about = &schema["description"];
            json!({ "name": name, "in": "query", "description": about, "schema": schema })
        }));
    }
    let mut operation = json!({
        "tags": [tag],
        "summary": summary,
        "parameters": parameters,
        "responses": responses,
    });
    if !request.is_empty() {
        let mut content = json!({ "application/json": { "schema": reference(request) } });
        if request == "SolveRequest" {
            for kind in ["text/plain", "application/x-ndjson"] {
                content[kind] = json!({ "schema": { "type": "string" } });
            }
        }
        operation["requestBody"] = json!({ "required": true, "content": content });
    }
    operation
}

/// The schemas of requests and answers.
fn schemas(config: &Config) -> Value {
    let mut schemas = Value::Object(schema::objects());
    for ask in ["solve", "hint", "rate", "probe", "explain", "scramble"] {
        let mut name = format!("{ask}Request");
        name[..1].make_ascii_uppercase();
        schemas[name] = request(ask, config);
    }
    describe_modes(&mut schemas, config);
    let text = |about: &str| json!({ "type": "string", "description": about });
    let whole = |about: &str| json!({ "type": "integer", "description": about });
    let object = |properties: Value, optional: &[&str]| {
        let names = properties.as_object().into_iter().flat_map(Map::keys);
        let required: Vec<_> = names
            .filter(|name| !optional.contains(&name.as_str()))
            .collect();
        json!({ "type": "object", "required": required, "properties": properties })
    };
    schemas["Problem"] = object(
        json!({
            "type": text("Always `about:blank`: the status determines the kind of problem."),
            "title": text("The status in words."),
            "status": whole("The status code."),
            "detail": text("The value found, the expected value, and the remedy."),
            "code": { "enum": ["error", "cancelled", "table", "memory", "busy", "defect"] },
            "retry_after": whole("For 429 and 503: seconds after which to retry."),
        }),
        &["retry_after"],
    );
    schemas["StreamEvent"] = object(
        json!({
            "event": text("`search`, `improved`, `progress`, `report` or `problem`."),
            "data": text("JSON object: the id of the search, a report, the progress or a problem."),
        }),
        &[],
    );
    schemas["Health"] = object(
        json!({ "status": { "const": "ok" }, "version": text("Version.") }),
        &[],
    );
    let bundle = json!({
        "name": text("Name of the bundle."),
        "manifest": text("Address of the manifest."),
        "version": text("Address of this version, whose files never change."),
    });
    // In this list, the goal is a text beside its size.
    let mut solver = schemas["TablesInfo"].clone();
    solver["properties"]["goal"] = text("The goal.");
    solver["properties"]["size"] = text("Columns x rows.");
    schemas["Solver"] = solver;
    schemas["Tables"] = object(
        json!({
            "solvers": reference("Solver[]"),
            "bundles": { "type": "array", "items": object(bundle, &[]) },
        }),
        &[],
    );
    schemas["Explanations"] = object(
        json!({
            "board": text("The board."),
            "goal": text("The goal."),
            "distance": {
                "type": ["integer", "null"],
                "description": "Length of a shortest solution; null if none was found and proved \
                                within the time limit.",
            },
            "heuristics": reference("Explanation[]"),
            "notes": { "type": "array", "items": { "type": "string" } },
        }),
        &["notes"],
    );
    for name in ["Hint", "Rating", "Probe", "Explanations"] {
        let either = json!({ "anyOf": [reference(name), reference("Report")] });
        schemas[format!("{name}OrReport")] = either;
    }
    schemas["ReportOrReports"] = json!({ "anyOf": [reference("Report"), reference("Report[]")] });
    schemas
}

/// The schema of a question, with an example and the limits of the configuration.
fn request(ask: &str, config: &Config) -> Value {
    let mut schema = schema::request(ask);
    let limits = [
        ("max_memory", "maximum", json!(config.max_memory << 20)),
        ("max_time", "maximum", json!(config.max_time.as_secs_f64())),
        ("number", "maximum", json!(config.max_boards)),
        ("partition", "maxLength", json!(MAX_PARTITION)),
        ("size", "pattern", json!("^[1-9][0-9]?x[1-9][0-9]?$")),
        ("threads", "maximum", json!(config.max_threads.max(1))),
    ];
    for (field, keyword, limit) in limits {
        if let Some(field) = schema.pointer_mut(&format!("/properties/{field}")) {
            field[keyword] = limit;
        }
    }
    let easy = "8 6 7/2 5 4/3 0 1";
    schema["example"] = match ask {
        "solve" => json!({ "board": "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13", "max_time": 10 }),
        "rate" => json!({ "board": "1 2 3/4 0 6/7 5 8", "moves": "LRUL" }),
        "explain" => json!({ "board": easy, "heuristics": ["manhattan", "linear-conflict"] }),
        "scramble" => json!({ "size": "4x4", "number": 2, "seed": 7 }),
        _ => json!({ "board": easy }),
    };
    schema
}

/// Describes which options belong to which mode. The schema of /v1/anytime is that of /v1/solve,
/// reduced to the fields that suit the mode anytime.
fn describe_modes(schemas: &mut Value, config: &Config) {
    let mut anytime = schemas["SolveRequest"].clone();
    anytime["properties"]["mode"] = json!({ "const": "anytime" });
    let solve = &mut schemas["SolveRequest"];
    for (option, modes) in GivenOptions::of_modes() {
        let mut names: Vec<_> = modes.iter().map(|mode| json!(mode.name())).collect();
        let mut of_modes = json!({ "required": ["mode"] });
        if modes.contains(&Mode::default()) {
            names.push(Value::Null);
            of_modes = json!({});
        }
        of_modes["properties"] = json!({ "mode": { "enum": names } });
        solve["dependentSchemas"][option] = of_modes;
        if let Some(fields) = anytime["properties"].as_object_mut() {
            fields.retain(|field, _| field != option || modes.contains(&Mode::Anytime));
        }
    }
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
    schemas["AnytimeRequest"] = anytime;
}
