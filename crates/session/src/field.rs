//! Fields of requests: their kinds, and reading them from JSON by name.
//!
//! Requests are flat objects in JSON, and nested groups of fields in Rust. Derived readers of serde
//! cannot both nest and reject unknown names, and would add 40 kB to the WebAssembly module.

use std::fmt::Display;
use std::time::Duration;

use puzzle::{Metric, Notation, TableKind, Tray};
use serde_json::{Map, Value as Json};
#[cfg(feature = "solver")]
use solver::{Mode, Side};

use crate::Failure;
use crate::request::Style;

/// The spelling of option names in a frontend and in its errors.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Spelling {
    /// `max_time`, in seconds.
    #[default]
    Snake,
    /// `maxTime`, in milliseconds: JavaScript.
    Camel,
    /// `--max-time`: options of a command.
    Option,
}

impl Spelling {
    /// The frontend's name of an option.
    #[must_use]
    pub fn name(self, name: &str) -> String {
        match self {
            Spelling::Snake => name.to_owned(),
            Spelling::Option => format!("--{}", name.replace('_', "-")),
            Spelling::Camel => {
                let mut camel = String::new();
                for word in name.split('_') {
                    match (camel.is_empty(), word.split_at_checked(1)) {
                        (false, Some((first, rest))) => {
                            camel += &first.to_ascii_uppercase();
                            camel += rest;
                        }
                        _ => camel += word,
                    }
                }
                camel
            }
        }
    }
}

/// The kind of a field's values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A text.
    Text,
    /// A board or a goal: a text, or an array of numbers or rows.
    Board,
    /// Moves: a text, or an array of texts.
    Moves,
    /// Columns x rows, such as `4x4`.
    Size,
    /// One of these names.
    Name(&'static [&'static str]),
    /// A whole number of at least 0.
    Whole,
    /// A number of at least 0.
    Number,
    /// A time in seconds; in [`Spelling::Camel`] in milliseconds.
    Time,
    /// A truth value; by default `false`.
    Flag,
    /// A list; by default empty.
    List(&'static Kind),
    /// A JSON object.
    Object,
}

impl Kind {
    /// The kind in the words of an error.
    fn words(self) -> String {
        match self {
            Kind::Text => "a text".to_owned(),
            Kind::Board => "a text or an array".to_owned(),
            Kind::Moves => "a text or an array of texts".to_owned(),
            Kind::Size => "a size such as 4x4".to_owned(),
            Kind::Name(names) => format!("one of {}", names.join(", ")),
            Kind::Whole => "a whole number of at least 0".to_owned(),
            Kind::Number => "a number of at least 0".to_owned(),
            Kind::Time => "a time of at least 0".to_owned(),
            Kind::Flag => "true or false".to_owned(),
            Kind::List(Kind::List(_)) => {
                "a list of partitions, each a list of parts, each a list of tiles".to_owned()
            }
            Kind::List(_) => "a list".to_owned(),
            Kind::Object => "an object".to_owned(),
        }
    }
}

/// Description of a field.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name, in [`Spelling::Snake`].
    pub name: &'static str,
    /// The sentences about the field.
    pub about: &'static str,
    /// The kind of its values.
    pub kind: Kind,
    /// Whether a request without this field is refused.
    pub is_needed: bool,
}

/// A board or a goal as a caller writes it; an array is kept as its JSON text.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct BoardText(pub String);

/// Moves as a caller writes them; the texts of an array are joined by spaces.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct MovesText(pub String);

impl<T: Into<String>> From<T> for BoardText {
    fn from(text: T) -> BoardText {
        BoardText(text.into())
    }
}

impl<T: Into<String>> From<T> for MovesText {
    fn from(text: T) -> MovesText {
        MovesText(text.into())
    }
}

/// A type of fields.
pub(crate) trait Value: Sized {
    const KIND: Kind;
    /// Whether the field must be given.
    const IS_NEEDED: bool = true;

    /// Reads a value; `None` if it is of another kind, an error if it is invalid.
    fn read(json: &Json, spelling: Spelling) -> Result<Option<Self>, String>;
}

impl<T: Value> Value for Option<T> {
    const KIND: Kind = T::KIND;
    const IS_NEEDED: bool = false;

    fn read(json: &Json, spelling: Spelling) -> Result<Option<Self>, String> {
        Ok(T::read(json, spelling)?.map(Some))
    }
}

impl<T: Value + 'static> Value for Vec<T> {
    const KIND: Kind = Kind::List(&T::KIND);
    const IS_NEEDED: bool = false;

    fn read(json: &Json, spelling: Spelling) -> Result<Option<Self>, String> {
        let Some(items) = json.as_array() else {
            return Ok(None);
        };
        let mut read = Vec::new();
        for item in items {
            let Some(item) = T::read(item, spelling)? else {
                return Ok(None);
            };
            read.push(item);
        }
        Ok(Some(read))
    }
}

impl Value for bool {
    const KIND: Kind = Kind::Flag;
    const IS_NEEDED: bool = false;

    fn read(json: &Json, _: Spelling) -> Result<Option<Self>, String> {
        Ok(json.as_bool())
    }
}

/// Types whose values are read by one expression.
macro_rules! values {
    ($($type:ty, $kind:expr, |$json:ident, $spelling:pat_param| $read:expr;)*) => {$(
        impl Value for $type {
            const KIND: Kind = $kind;

            fn read($json: &Json, $spelling: Spelling) -> Result<Option<Self>, String> {
                $read
            }
        }
    )*};
}

/// Types with a name for each value.
macro_rules! named_values {
    ($($type:ty),*) => {$(
        impl Value for $type {
            const KIND: Kind = Kind::Name(&{
                let mut names = [""; <$type>::ALL.len()];
                let mut number = 0;
                while number < names.len() {
                    names[number] = <$type>::ALL[number].name();
                    number += 1;
                }
                names
            });

            fn read(json: &Json, _: Spelling) -> Result<Option<Self>, String> {
                parsed(json)
            }
        }
    )*};
}

values! {
    String, Kind::Text, |json, _| Ok(json.as_str().map(str::to_owned));
    Tray, Kind::Size, |json, _| parsed(json);
    u64, Kind::Whole, |json, _| Ok(whole(json));
    u16, Kind::Whole, |json, _| Ok(whole(json).and_then(|number| number.try_into().ok()));
    f64, Kind::Number, |json, _| Ok(json.as_f64().filter(|number| *number >= 0.0));
    Duration, Kind::Time, |json, spelling| {
        let unit = if spelling == Spelling::Camel { 1e-3 } else { 1.0 };
        let seconds = f64::read(json, spelling)?;
        Ok(seconds.map(|seconds| Duration::from_secs_f64((seconds * unit).min(1e9))))
    };
    BoardText, Kind::Board, |json, _| Ok(match json {
        Json::String(text) => Some(BoardText(text.clone())),
        Json::Array(_) => Some(BoardText(json.to_string())),
        _ => None,
    });
    MovesText, Kind::Moves, |json, spelling| Ok(match json {
        Json::String(text) => Some(MovesText(text.clone())),
        json => Vec::<String>::read(json, spelling)?.map(|moves| MovesText(moves.join(" "))),
    });
    Map<String, Json>, Kind::Object, |json, _| Ok(json.as_object().cloned());
}
named_values! { Metric, Notation, TableKind, Style }
#[cfg(feature = "solver")]
named_values! { Mode, Side }

fn parsed<T: std::str::FromStr<Err: Display>>(json: &Json) -> Result<Option<T>, String> {
    let value = json.as_str().map(str::parse).transpose();
    value.map_err(|error: T::Err| error.to_string())
}

/// Reads a whole number. JavaScript has only one type of number, so 1e6 is a whole number, too.
fn whole(json: &Json) -> Option<u64> {
    /// The largest whole number that a double distinguishes from its neighbours.
    const MAX: f64 = 9_007_199_254_740_991.0;
    let is_whole = |number: &f64| number.fract() == 0.0 && (0.0..=MAX).contains(number);
    let of_double = || json.as_f64().filter(is_whole).map(|number| number as u64);
    json.as_u64().or_else(of_double)
}

/// A group of fields, such as a question.
pub trait Fields: Sized {
    /// Reads the fields. A wrong one has its default, and its failure ends [`Self::from_fields`].
    fn read(from: &mut Reader) -> Self;

    /// Adds the descriptions of the fields, in order.
    fn describe(all: &mut Vec<Field>);

    /// Reads a question of this type from its fields, as [`Request::read`](crate::Request::read)
    /// does.
    ///
    /// # Errors
    /// An unknown field, or a field with a wrong value.
    fn from_fields(fields: Map<String, Json>, spelling: Spelling) -> Result<Self, Failure> {
        let mut reader = Reader::new(fields, spelling);
        let question = Self::read(&mut reader);
        reader.finish().map(|()| question)
    }
}

/// The fields of a request, the names that were read, and the first failure.
#[derive(Debug)]
pub struct Reader {
    fields: Map<String, Json>,
    spelling: Spelling,
    known: Vec<&'static str>,
    failure: Option<String>,
}

impl Reader {
    pub(crate) fn new(fields: Map<String, Json>, spelling: Spelling) -> Reader {
        Reader {
            fields,
            spelling,
            known: Vec::new(),
            failure: None,
        }
    }

    /// Reads a field; `null` stands for a missing field.
    pub(crate) fn take<T: Value + Default>(&mut self, name: &'static str) -> T {
        self.known.push(name);
        let spelled = self.spelling.name(name);
        match self.fields.get(&spelled) {
            None | Some(Json::Null) if T::IS_NEEDED => {
                self.fail(format!("{spelled} is missing"));
            }
            None | Some(Json::Null) => {}
            Some(value) => match T::read(value, self.spelling) {
                Ok(Some(value)) => return value,
                Ok(None) => {
                    let message = wrong(&spelled, value, T::KIND);
                    self.fail(message);
                }
                Err(message) => self.fail(message),
            },
        }
        T::default()
    }

    fn fail(&mut self, message: String) {
        self.failure.get_or_insert(message);
    }

    /// Refuses fields that were not read, because a misspelt option would be ignored silently.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        if let Some(message) = self.failure {
            return Err(Failure::input(message));
        }
        let known = self.known.iter().map(|known| self.spelling.name(known));
        let known: Vec<String> = known.collect();
        let is_known = |name: &String| name == "ask" || known.contains(name);
        match self.fields.keys().find(|name| !is_known(name)) {
            Some(name) => Err(Failure::input(format_args!(
                "unknown option `{}`: expected {}",
                name.chars().take(40).collect::<String>().escape_debug(),
                known
                    .iter()
                    .map(|name| format!("`{name}`"))
                    .collect::<Vec<_>>()
                    .join(", "),
            ))),
            None => Ok(()),
        }
    }
}

/// The message for a value of another kind.
fn wrong(spelled: &str, value: &Json, kind: Kind) -> String {
    let mut found = value.to_string();
    if found.len() > 40 {
        found = found.chars().take(40).chain("...".chars()).collect();
    }
    format!("{spelled} must be {}, not {found}", kind.words())
}
