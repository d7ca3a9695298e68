//! The contract in other languages: types of TypeScript and Python, tables of Markdown, and the
//! schemas of OpenAPI. All of them are made of the fields of [`Request`] and of the schemas of
//! [`Response`], [`Event`] and [`Failure`].

use std::fmt::Write as _;

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value as Json, json};
use solver::Mode;

use crate::field::Fields as _;
use crate::question::OPTIONS_OF_MODES;
use crate::request::Settings;
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
    if ask == "solve" {
        schema["dependentSchemas"] = modes_of_options().into();
    }
    schema
}

/// The conditions of options that belong to some modes.
fn modes_of_options() -> Map<String, Json> {
    let conditions = OPTIONS_OF_MODES.iter().map(|(option, modes)| {
        let mut names: Vec<_> = modes.iter().map(|mode| json!(mode.name())).collect();
        let mut condition = json!({ "required": ["mode"] });
        if modes.contains(&Mode::default()) {
            names.push(Json::Null);
            condition = json!({});
        }
        condition["properties"] = json!({ "mode": { "enum": names } });
        ((*option).to_owned(), condition)
    });
    conditions.collect()
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
        Kind::Text => json!({ "type": "string" }),
        Kind::Size => json!({ "title": "Size", "type": "string" }),
        Kind::Board | Kind::Moves => json!({
            "title": if kind == Kind::Board { "BoardLike" } else { "MovesLike" },
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
    let first = text.split("\n\n").next().unwrap_or_default();
    let first = first.replace('\n', " ");
    let mut parts = first.split("[`");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, after) = part.split_once("`]").unwrap_or((part, ""));
        let name = name.rsplit("::").next().unwrap_or(name);
        let (_, after) = match after.strip_prefix('(') {
            Some(link) => link.split_once(')').unwrap_or_default(),
            None => ("", after),
        };
        let _ = write!(plain, "`{name}`{after}");
    }
    plain
}

/// A language into which types are written.
struct Language {
    text: &'static str,
    whole: &'static str,
    number: &'static str,
    truth: &'static str,
    object: &'static str,
    list: fn(&str) -> String,
    tuple: fn(&str) -> String,
    names: fn(&str) -> String,
    names_between: &'static str,
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
    tuple: |items| format!("[{items}]"),
    names: str::to_owned,
    names_between: " | ",
};

const PYTHON: Language = Language {
    text: "str",
    whole: "int",
    number: "float",
    truth: "bool",
    object: "Mapping[str, str]",
    list: |item| format!("tuple[{item}, ...]"),
    tuple: |items| format!("tuple[{items}]"),
    names: |names| format!("Literal[{names}]"),
    names_between: ", ",
};

impl Language {
    /// The type of a property, or of an option.
    fn written(&self, schema: &Json) -> String {
        if let Some(name) = schema["$ref"].as_str().or(schema["title"].as_str()) {
            return name.rsplit('/').next().unwrap_or_default().to_owned();
        }
        let list = |word: &str| schema[word].as_array();
        if let Some(names) = list("enum") {
            let names: Vec<_> = names.iter().map(Json::to_string).collect();
            return (self.names)(&names.join(self.names_between));
        }
        if let Some(all) = list("allOf").or(list("anyOf")).or(list("oneOf")) {
            let all = all.iter().filter(|one| one["enum"] != json!([null]));
            return all
                .map(|one| self.written(one))
                .collect::<Vec<_>>()
                .join(" | ");
        }
        match schema["type"].as_str().unwrap_or_default() {
            "string" => self.text.to_owned(),
            "integer" => self.whole.to_owned(),
            "number" => self.number.to_owned(),
            "boolean" => self.truth.to_owned(),
            "array" => {
                let item = self.written(&schema["items"]);
                match schema["maxItems"].as_u64() {
                    Some(2) => (self.tuple)(&format!("{item}, {item}")),
                    _ => (self.list)(&item),
                }
            }
            _ => self.object.to_owned(),
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
    let list = |json: &Json| json.as_array().cloned().unwrap_or_default();
    let needed = list(&object["required"]);
    let fields = object["properties"].as_object().cloned();
    let mut all: Vec<_> = fields
        .into_iter()
        .flatten()
        .map(|(name, schema)| Property {
            is_needed: needed.iter().any(|needed| *needed == name),
            about: about(&schema),
            name,
            schema,
        })
        .collect();
    let variants = list(&object["oneOf"]);
    for (index, variant) in variants.iter().enumerate() {
        for mut property in properties(variant) {
            if property.about.is_empty() {
                let names = property.schema["enum"].as_array().into_iter().flatten();
                let names: Vec<_> = names.filter_map(Json::as_str).collect();
                property.about = format!("`{}`: {}", names.concat(), about(variant));
            }
            match all.iter_mut().find(|known| known.name == property.name) {
                // The name of the variant: one of all.
                Some(known) if known.schema["enum"].is_array() => {
                    let mut names = list(&known.schema["enum"]);
                    names.append(&mut list(&property.schema["enum"]));
                    known.schema["enum"] = names.into();
                    known.about += &format!(" {}", property.about);
                }
                // Two items in one variant, any number in another.
                Some(known) if known.schema != property.schema => {
                    known.schema["maxItems"] = Json::Null;
                }
                Some(_) => {}
                None => {
                    property.is_needed &= index == 0 && property.schema["enum"].is_array();
                    all.push(property);
                }
            }
        }
    }
    all
}

fn about(schema: &Json) -> String {
    schema["description"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

/// The names of an enumeration, each with its sentence; empty for other types.
fn names(schema: &Json) -> Vec<(String, String)> {
    let of = |one: &Json| {
        let names = one["enum"].as_array().cloned().unwrap_or_default();
        let names = names.into_iter().map(|name| (name.to_string(), about(one)));
        names.collect::<Vec<_>>()
    };
    match schema["oneOf"].as_array() {
        Some(all) => all.iter().flat_map(of).collect(),
        None => of(schema),
    }
}

/// The type with a list of names; `None` for other types.
fn type_of_names(schema: &Json, language: &Language) -> Option<String> {
    let names: Vec<_> = names(schema).into_iter().map(|(name, _)| name).collect();
    (!names.is_empty()).then(|| (language.names)(&names.join(language.names_between)))
}

/// The types of answers, events and questions, for TypeScript.
#[must_use]
pub fn typescript() -> String {
    let mut text = "// Made by crates/session/src/bin/contract.rs.\n".to_owned();
    text += "import type { BoardLike, MovesLike, Size } from \"./types.js\";\n";
    let field = |property: &Property| {
        let mark = if property.is_needed { "" } else { "?" };
        let is_null = property.schema["nullable"] == true;
        let or_null = if is_null { " | null" } else { "" };
        let written = TYPESCRIPT.written(&property.schema);
        format!("{}{mark}: {written}{or_null};", property.name)
    };
    let interface = |name: &str, properties: &[Property]| {
        let mut text = format!("export interface {name} {{\n");
        for property in properties {
            let _ = writeln!(text, "  /** {} */\n  {}", property.about, field(property));
        }
        text + "}\n"
    };
    for (name, schema) in objects() {
        let _ = writeln!(text, "\n/** {} */", about(&schema));
        if schema.get("properties").is_some() {
            text += &interface(&name, &properties(&schema));
            continue;
        }
        let variants = schema["oneOf"].as_array().into_iter().flatten();
        let variants = variants.map(|variant| {
            let fields: Vec<_> = properties(variant).iter().map(field).collect();
            format!("{{ {} }}", fields.join(" "))
        });
        let written = match type_of_names(&schema, &TYPESCRIPT) {
            Some(names) => names,
            None if schema["oneOf"].is_array() => variants.collect::<Vec<_>>().join(" | "),
            None => TYPESCRIPT.written(&schema),
        };
        let _ = writeln!(text, "export type {name} = {written};");
    }
    for ask in Request::NAMES {
        let _ = writeln!(text, "\n/** Options of the question `{ask}`. */");
        let fields = Request::fields(ask).unwrap_or_default();
        let fields = fields.iter().map(|field| Property {
            name: Spelling::Camel.name(field.name),
            about: sentence(field, Spelling::Camel),
            schema: kind_schema(field.kind),
            is_needed: field.is_needed,
        });
        text += &interface(&class(ask), &fields.collect::<Vec<_>>());
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
        if let Some(names) = type_of_names(&schema, &PYTHON) {
            let _ = writeln!(aliases, "    {name}: TypeAlias = {names}");
        } else if schema["anyOf"].is_null() {
            let base = match name.as_str() {
                "Report" => "Drawing",
                "Solvability" => "Truth",
                _ => "Result",
            };
            let properties = properties(&schema);
            let about = about(&schema);
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
            for field in &fields {
                if field.is_needed || OF_SOLVER.contains(&field.name) != is_own {
                    continue;
                }
                let kind = match field.name {
                    "goal" => "GoalLike".to_owned(),
                    _ => OPTIONS.written(&kind_schema(field.kind)),
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

/// A document with current lists. The list of NAME is between the lines `<!-- contract: NAME -->`
/// and `<!-- end -->`; its items keep their order. NAME is an object of answers, an enumeration, a
/// question, `questions` for the options of all questions, or `settings` for those of a session.
/// `None` if a name is unknown.
#[must_use]
pub fn document(text: &str) -> Option<String> {
    let mut parts = text.split("<!-- contract: ");
    let mut text = parts.next()?.to_owned();
    for part in parts {
        let (name, rest) = part.split_once(" -->\n")?;
        let (old, rest) = rest.split_once("<!-- end -->")?;
        let mut rows = rows(name)?;
        if name != "questions" {
            rows.sort_by_key(|row| old.find(&format!("- {}: ", row[0])).unwrap_or(old.len()));
        }
        let _ = writeln!(text, "<!-- contract: {name} -->\n");
        for row in rows {
            let _ = match &row[..] {
                [name, questions, about] => writeln!(text, "- {name} ({questions}): {about}"),
                _ => writeln!(text, "- {}", row.join(": ")),
            };
        }
        let _ = write!(text, "\n<!-- end -->{rest}");
    }
    Some(text)
}

/// The cells of a table's rows; the first one is the name.
fn rows(name: &str) -> Option<Vec<Vec<String>>> {
    let objects = objects();
    // The names of an enumeration are written out, unless the sentence has them.
    let row = |name: &str, about: &str, schema: &Json| {
        let inner = [schema, &schema["allOf"][0], &schema["anyOf"][0]].map(|one| &one["$ref"]);
        let path = inner.iter().find_map(|path| path.as_str());
        let named = path.and_then(|path| objects.get(path.rsplit('/').next()?));
        let names = names(named.unwrap_or(schema)).into_iter();
        let names: Vec<_> = names.map(|(name, _)| name.replace('"', "`")).collect();
        let is_stated = names.iter().all(|name| about.contains(name));
        let names = if is_stated {
            String::new()
        } else {
            format!(" One of {}.", names.join(", "))
        };
        vec![format!("`{name}`"), format!("{about}{names}")]
    };
    let option = |field: &Field| {
        let about = sentence(field, Spelling::Snake);
        row(field.name, &about, &kind_schema(field.kind))
    };
    if name == "questions" {
        let mut rows: Vec<Vec<String>> = Vec::new();
        for ask in Request::NAMES {
            for mut own in Request::fields(ask)?.iter().map(option) {
                own.insert(1, format!("`{ask}`"));
                match rows
                    .iter_mut()
                    .find(|row| (&row[0], &row[2]) == (&own[0], &own[2]))
                {
                    Some(row) => row[1] += &format!(", `{ask}`"),
                    None => rows.push(own),
                }
            }
        }
        return Some(rows);
    }
    let mut settings = Vec::new();
    Settings::describe(&mut settings);
    match (name, Request::fields(name)) {
        ("settings", _) => return Some(settings.iter().map(option).collect()),
        (_, Some(fields)) => return Some(fields.iter().map(option).collect()),
        _ => {}
    }
    let schema = objects.get(name)?;
    let names = names(schema).into_iter();
    let names = names.map(|(name, about)| vec![name.replace('"', "`"), about]);
    let fields = properties(schema).into_iter();
    let fields = fields.map(|field| row(&field.name, &field.about, &field.schema));
    Some(names.chain(fields).collect())
}

#[cfg(test)]
mod tests {
    /// `WRITE_DOCUMENTS=1 cargo test -p sliding-tile-pdb-session --features schema` writes them.
    #[test]
    fn the_tables_of_documents_are_current() {
        let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");
        let mut tables = 0;
        for file in std::fs::read_dir(docs).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "md") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let current = super::document(&text).unwrap();
            tables += current.matches("<!-- contract: ").count();
            if std::env::var_os("WRITE_DOCUMENTS").is_some() {
                std::fs::write(path, current).unwrap();
            } else {
                assert!(text == current, "{}: use WRITE_DOCUMENTS=1", path.display());
            }
        }
        assert!(tables > 10);
    }
}
