//! The contract in other languages: types of TypeScript and Python, tables of Markdown, and the
//! schemas of OpenAPI. All of them are made of the fields of [`Request`] and of the schemas of
//! [`Response`], [`Event`] and [`Failure`].

use std::fmt::Write as _;

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value as Json, json};

use crate::{Event, Failure, Field, Kind, Request, Response, Spelling};

/// The schemas of all objects in answers, by name.
#[must_use]
pub fn objects() -> Map<String, Json> {
    let settings = SchemaSettings::openapi3().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
    });
    let mut generator = settings.for_serialize().into_generator();
    generator.subschema_for::<Response>();
    generator.subschema_for::<Event>();
    generator.subschema_for::<Failure>();
    let mut objects = generator.take_definitions(true);
    objects.values_mut().for_each(plain);
    objects
}

/// The schema of a question, with all its options.
#[must_use]
pub fn request(ask: &str) -> Json {
    let fields = Request::fields(ask).unwrap_or_default();
    let needed = fields.iter().filter(|field| field.is_needed);
    let needed: Vec<_> = needed.map(|field| field.name).collect();
    let properties = fields.iter().map(|field| {
        let mut schema = kind_schema(field.kind);
        schema["description"] = sentence(field, Spelling::Snake).into();
        if !field.is_needed {
            or_null(&mut schema);
        }
        (field.name.to_owned(), schema)
    });
    let mut schema = json!({
        "type": "object",
        "additionalProperties": false,
        "properties": properties.collect::<Map<_, _>>(),
    });
    if !needed.is_empty() {
        schema["required"] = needed.into();
    }
    schema
}

/// Allows `null`, which stands for a missing field, as OpenAPI 3.1 writes it.
fn or_null(schema: &mut Json) {
    match schema.get_mut("oneOf").and_then(Json::as_array_mut) {
        Some(choices) => choices.push(json!({ "type": "null" })),
        None => schema["type"] = json!([schema["type"], "null"]),
    }
    if let Some(names) = schema.get_mut("enum").and_then(Json::as_array_mut) {
        names.push(Json::Null);
    }
}

fn kind_schema(kind: Kind) -> Json {
    match kind {
        Kind::Text | Kind::Size => json!({ "type": "string" }),
        Kind::Board | Kind::Moves => json!({
            "oneOf": [{ "type": "string" }, { "type": "array", "items": {} }]
        }),
        Kind::Name(names) => json!({ "type": "string", "enum": names }),
        Kind::Whole => json!({ "type": "integer", "minimum": 0, "format": "uint64" }),
        Kind::Number | Kind::Time => json!({ "type": "number", "minimum": 0 }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::List(items) => json!({ "type": "array", "items": kind_schema(*items) }),
        Kind::Object => json!({ "type": "object" }),
    }
}

/// The sentence of a field, with the unit of times.
fn sentence(field: &Field, spelling: Spelling) -> String {
    let about = field.about.trim();
    match (field.kind, spelling) {
        (Kind::Time, Spelling::Camel) => format!("{about} In milliseconds."),
        (Kind::Time, _) => format!("{about} In seconds."),
        _ => about.to_owned(),
    }
}

/// Keeps the first paragraph of each description, without links of Rust's documentation, and drops
/// `null` from fields that are absent instead.
fn plain(schema: &mut Json) {
    let needed = schema["required"].as_array().cloned().unwrap_or_default();
    if let Json::Object(fields) = schema {
        if let Some(Json::String(text)) = fields.get_mut("description") {
            *text = words(text);
        }
        fields.remove("nullable");
        for (name, inner) in fields.iter_mut() {
            match inner {
                Json::Object(all) if name == "properties" => {
                    for (name, property) in all {
                        let is_needed = needed.iter().any(|needed| needed == name);
                        let is_null = is_needed && property["nullable"] == true;
                        plain(property);
                        if is_null {
                            property["nullable"] = true.into();
                        }
                    }
                }
                Json::Array(all) => all.iter_mut().filter(|one| one.is_object()).for_each(plain),
                Json::Object(_) => plain(inner),
                _ => {}
            }
        }
    }
}

fn words(text: &str) -> String {
    let first = text
        .split("\n\n")
        .next()
        .unwrap_or_default()
        .replace('\n', " ");
    let mut plain = String::new();
    let mut rest = first.as_str();
    while let Some((before, after)) = rest.split_once("[`") {
        let Some((name, after)) = after.split_once("`]") else {
            break;
        };
        let name = name.rsplit("::").next().unwrap_or(name);
        let _ = write!(plain, "{before}`{name}`");
        rest = match after.strip_prefix('(') {
            Some(link) => link.split_once(')').map_or("", |(_, after)| after),
            None => after,
        };
    }
    plain + rest
}

/// A language into which types are written.
struct Language {
    text: &'static str,
    whole: &'static str,
    number: &'static str,
    truth: &'static str,
    object: &'static str,
    list: fn(String) -> String,
    names: fn(&[String]) -> String,
}

const TYPESCRIPT: Language = Language {
    text: "string",
    whole: "number",
    number: "number",
    truth: "boolean",
    object: "Record<string, string>",
    list: |item| match item.contains(' ') {
        true => format!("({item})[]"),
        false => format!("{item}[]"),
    },
    names: |names| names.join(" | "),
};

const PYTHON: Language = Language {
    text: "str",
    whole: "int",
    number: "float",
    truth: "bool",
    object: "Mapping[str, str]",
    list: |item| format!("tuple[{item}, ...]"),
    names: |names| format!("Literal[{}]", names.join(", ")),
};

impl Language {
    /// The type of a property.
    fn written(&self, schema: &Json) -> String {
        if let Some(reference) = schema["$ref"].as_str() {
            return reference.rsplit('/').next().unwrap_or_default().to_owned();
        }
        let names = |list: &Json| {
            let names = list.as_array().into_iter().flatten().map(Json::to_string);
            (self.names)(&names.collect::<Vec<_>>())
        };
        if schema["enum"].is_array() {
            return names(&schema["enum"]);
        }
        for word in ["allOf", "anyOf", "oneOf"] {
            if let Some(all) = schema[word].as_array() {
                let all = all.iter().filter(|one| one["enum"] != json!([null]));
                let all: Vec<_> = all.map(|one| self.written(one)).collect();
                return all.join(" | ");
            }
        }
        match schema["type"].as_str().unwrap_or_default() {
            "string" => self.text.to_owned(),
            "integer" => self.whole.to_owned(),
            "number" => self.number.to_owned(),
            "boolean" => self.truth.to_owned(),
            "array" => (self.list)(self.written(&schema["items"])),
            _ => self.object.to_owned(),
        }
    }

    /// The type of a request's field.
    fn kind(&self, kind: Kind) -> String {
        match kind {
            Kind::Text => self.text.to_owned(),
            Kind::Board => "BoardLike".to_owned(),
            Kind::Moves => "MovesLike".to_owned(),
            Kind::Size => "Size".to_owned(),
            Kind::Name(names) => {
                let names = names.iter().map(|name| format!("{name:?}"));
                (self.names)(&names.collect::<Vec<_>>())
            }
            Kind::Whole => self.whole.to_owned(),
            Kind::Number | Kind::Time => self.number.to_owned(),
            Kind::Flag => self.truth.to_owned(),
            Kind::List(item) => (self.list)(self.kind(*item)),
            Kind::Object => self.object.to_owned(),
        }
    }
}

/// A property of an object.
struct Property {
    name: String,
    about: String,
    schema: Json,
    is_needed: bool,
}

/// The properties of an object, with those of its variants.
fn properties(object: &Json) -> Vec<Property> {
    let is_needed = |object: &Json, name: &str| {
        object["required"]
            .as_array()
            .is_some_and(|all| all.iter().any(|one| one == name))
    };
    let own = |object: &Json, is_variant: bool| {
        let fields = object["properties"]
            .as_object()
            .cloned()
            .unwrap_or_default();
        let property = |(name, schema): (String, Json)| Property {
            is_needed: !is_variant && is_needed(object, &name),
            about: schema["description"]
                .as_str()
                .unwrap_or_default()
                .to_owned(),
            name,
            schema,
        };
        fields.into_iter().map(property).collect::<Vec<_>>()
    };
    let mut all = own(object, false);
    for variant in object["oneOf"].as_array().into_iter().flatten() {
        for property in own(variant, true) {
            match all.iter_mut().find(|known| known.name == property.name) {
                // A name that differs between variants is any text.
                Some(known) if known.schema["enum"].is_array() => {
                    let mut names = known.schema["enum"].as_array().cloned().unwrap_or_default();
                    names.extend(
                        property.schema["enum"]
                            .as_array()
                            .cloned()
                            .unwrap_or_default(),
                    );
                    known.schema["enum"] = names.into();
                }
                Some(_) => {}
                None => all.push(property),
            }
        }
    }
    all
}

/// The names of an enumeration, each with its sentence; empty for other types.
fn names(schema: &Json) -> Vec<(String, String)> {
    let of = |one: &Json| {
        let about = one["description"].as_str().unwrap_or_default().to_owned();
        let names = one["enum"].as_array().into_iter().flatten();
        names
            .map(|name| (name.to_string(), about.clone()))
            .collect::<Vec<_>>()
    };
    match schema["oneOf"].as_array() {
        Some(all) => all.iter().flat_map(of).collect(),
        None => of(schema),
    }
}

/// The types of answers, events and questions, for TypeScript.
#[must_use]
pub fn typescript() -> String {
    let mut text = "// Made by crates/session/src/bin/contract.rs.\n".to_owned();
    text += "import type { BoardLike, MovesLike, Size } from \"./types.js\";\n";
    let comment = |indent: &str, about: &str| format!("{indent}/** {about} */\n");
    for (name, schema) in objects() {
        text += "\n";
        text += &comment("", schema["description"].as_str().unwrap_or_default());
        let names = names(&schema);
        if !names.is_empty() {
            let names: Vec<_> = names.into_iter().map(|(name, _)| name).collect();
            let _ = writeln!(text, "export type {name} = {};", names.join(" | "));
        } else if let (Some(all), None) = (schema["oneOf"].as_array(), schema.get("properties")) {
            let _ = write!(text, "export type {name} =");
            for variant in all {
                text += "\n  | {";
                for Property { name, schema, .. } in properties(variant) {
                    let _ = write!(text, " {name}: {};", TYPESCRIPT.written(&schema));
                }
                text += " }";
            }
            text += ";\n";
        } else if schema["anyOf"].is_array() {
            let _ = writeln!(
                text,
                "export type {name} = {};",
                TYPESCRIPT.written(&schema)
            );
        } else {
            let _ = writeln!(text, "export interface {name} {{");
            for Property {
                name,
                about,
                schema,
                is_needed,
            } in properties(&schema)
            {
                text += &comment("  ", &about);
                let mark = if is_needed { "" } else { "?" };
                let or_null = if schema["nullable"] == true {
                    " | null"
                } else {
                    ""
                };
                let written = TYPESCRIPT.written(&schema);
                let _ = writeln!(text, "  {name}{mark}: {written}{or_null};");
            }
            text += "}\n";
        }
    }
    for ask in Request::NAMES {
        let _ = writeln!(text, "\n/** Options of the question `{ask}`. */");
        let _ = writeln!(text, "export interface {} {{", class(ask));
        for field in Request::fields(ask).unwrap_or_default() {
            text += &comment("  ", &sentence(&field, Spelling::Camel));
            let mark = if field.is_needed { "" } else { "?" };
            let name = Spelling::Camel.name(field.name);
            let _ = writeln!(text, "  {name}{mark}: {};", TYPESCRIPT.kind(field.kind));
        }
        text += "}\n";
    }
    text
}

/// The name of a question's options in other languages.
fn class(ask: &str) -> String {
    let mut name = ask.to_owned();
    name[..1].make_ascii_uppercase();
    name + "Request"
}

/// The module `_contract` of the Python package: the classes of answers, the sentences of options,
/// and their types.
#[must_use]
pub fn python() -> String {
    let mut text = PYTHON_HEAD.to_owned();
    let mut aliases = String::new();
    for (name, schema) in objects() {
        let about = schema["description"].as_str().unwrap_or_default();
        let names = names(&schema);
        if !names.is_empty() {
            let names: Vec<_> = names.into_iter().map(|(name, _)| name).collect();
            let names = names.join(", ");
            let _ = writeln!(aliases, "    {name}: TypeAlias = Literal[{names}]");
        } else if schema["anyOf"].is_null() {
            let base = match name.as_str() {
                "Report" => "Drawing",
                "Solvability" => "Truth",
                _ => "Result",
            };
            let properties = properties(&schema);
            let _ = writeln!(text, "\n\nclass {name}({base}):\n    \"\"\"{about}\n");
            for Property { name, about, .. } in &properties {
                let _ = writeln!(text, "    - `{name}`: {about}");
            }
            text += "    \"\"\"\n\n    __slots__ = ()\n";
            for property in properties {
                let is_none = !property.is_needed || property.schema["nullable"] == true;
                let or_none = if is_none { " | None" } else { "" };
                let written = PYTHON.written(&property.schema);
                let _ = writeln!(text, "    {}: {written}{or_none}", property.name);
            }
        }
    }
    text += "\n\nOPTIONS = {\n";
    for ask in Request::NAMES {
        let _ = writeln!(text, "    {ask:?}: {{");
        for field in Request::fields(ask).unwrap_or_default() {
            let about = sentence(&field, Spelling::Snake);
            let _ = writeln!(text, "        {:?}: {about:?},", field.name);
        }
        text += "    },\n";
    }
    let _ = write!(
        text,
        "}}\n\"\"\"Options of questions.\"\"\"\n\nif TYPE_CHECKING:\n{aliases}"
    );
    for ask in Request::NAMES {
        let fields = Request::fields(ask).unwrap_or_default();
        let has = |name: &str| fields.iter().any(|field| field.name == name);
        if !has("max_time") || !has("partition") {
            continue;
        }
        let name = class(ask).replace("Request", "Options");
        for (is_own, class) in [
            (false, format!("Solver{name}(CallOptions, total=False)")),
            (true, format!("{name}(Solver{name}, total=False)")),
        ] {
            let _ = write!(
                text,
                "\n    class {class}:\n        \"\"\"Options of `{ask}`.\"\"\"\n\n"
            );
            // A solver has its own goal and tables.
            let of_solver = |field: &&Field| OF_SOLVER.contains(&field.name) == is_own;
            for field in fields
                .iter()
                .filter(|field| !field.is_needed)
                .filter(of_solver)
            {
                let kind = match field.name {
                    "goal" => "GoalLike".to_owned(),
                    _ => OPTIONS.kind(field.kind),
                };
                let _ = writeln!(text, "        {}: {kind} | None", field.name);
            }
        }
    }
    text
}

/// The beginning of Python's module. Importing `typing` takes longer than importing the package.
const PYTHON_HEAD: &str = r#""""Results, and options of questions. Made by crates/session/src/bin/contract.rs."""

from __future__ import annotations

from ._results import Drawing, Result, Truth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Literal, TypeAlias, TypedDict

    from ._native import Cancel
    from .types import GoalLike, ProgressLike, Size

    class CallOptions(TypedDict, total=False):
        """Options of all calls."""

        progress: ProgressLike | None
        improved: Callable[[Report], object] | None
        cancel: Cancel | None
"#;

/// Options that a solver of Python has, and its questions have not.
const OF_SOLVER: [&str; 6] = ["size", "goal", "metric", "kind", "partition", "parts"];

/// The types of options in Python.
const OPTIONS: Language = Language {
    list: |item| format!("Sequence[{item}]"),
    ..PYTHON
};

/// A table of Markdown: the fields of an answer's object, or the options of a question, or the
/// names of an enumeration.
#[must_use]
pub fn markdown(name: &str) -> Option<String> {
    let rows: Vec<(String, String)> = match Request::fields(name) {
        Some(fields) => {
            let row = |field: &Field| {
                (
                    format!("`{}`", field.name),
                    sentence(field, Spelling::Snake),
                )
            };
            fields.iter().map(row).collect()
        }
        None => {
            let objects = objects();
            let schema = objects.get(name)?;
            match names(schema) {
                names if names.is_empty() => {
                    let all = properties(schema).into_iter();
                    all.map(|own| (format!("`{}`", own.name), own.about))
                        .collect()
                }
                names => {
                    let all = names.into_iter();
                    all.map(|(name, about)| (format!("`{}`", name.trim_matches('"')), about))
                        .collect()
                }
            }
        }
    };
    let mut table = "| field | meaning |\n| --- | --- |\n".to_owned();
    for (name, about) in rows {
        let _ = writeln!(table, "| {name} | {} |", about.replace('|', "\\|"));
    }
    Some(table)
}
