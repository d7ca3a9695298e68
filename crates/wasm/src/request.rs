//! Requests: JSON objects with named fields.
//!
//! Fields are read by name. Types with serde's derive would make the same checks, but would add
//! 40 kB to the module. A field of the wrong type is an error.

use std::fmt::Display;
use std::str::FromStr;

use serde_json::{Map, Value};

use crate::json_error::JsonError;

/// A request with known field names only.
#[derive(Debug)]
pub struct Request(Map<String, Value>);

impl Request {
    /// Parses a request. `names` lists the allowed fields, such as `size, goal`.
    pub fn read(text: &str, names: &str) -> Result<Request, JsonError> {
        let object: Map<String, Value> = serde_json::from_str(text)
            .map_err(|error| JsonError::input(format!("options: {error}")))?;
        // Splits bytes: code that splits strings would add a kilobyte to the module.
        let is_known = |name: &String| {
            let mut words = names.as_bytes().split(|&byte| byte == b' ');
            words.any(|word| word.strip_suffix(b",").unwrap_or(word) == name.as_bytes())
        };
        match object.keys().find(|name| !is_known(name)) {
            Some(name) => Err(JsonError::input(format!(
                "there is no option `{}`: expected {names}",
                name.escape_debug(),
            ))),
            None => Ok(Request(object)),
        }
    }

    /// A field, if it exists.
    fn field<'a, T>(
        &'a self,
        name: &str,
        expected: &str,
        read: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, JsonError> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match read(value) {
                Some(value) => Ok(Some(value)),
                None => Err(JsonError::input(format!(
                    "option {name} must be {expected}"
                ))),
            },
        }
    }

    /// A text.
    pub fn text(&self, name: &str) -> Result<Option<&str>, JsonError> {
        self.field(name, "a text", Value::as_str)
    }

    /// A value that is parsed from a text, such as a size.
    pub fn parsed<T: FromStr<Err: Display>>(&self, name: &str) -> Result<Option<T>, JsonError> {
        let parsed = self.text(name)?.map(str::parse).transpose();
        parsed.map_err(JsonError::input)
    }

    /// A required text.
    pub fn needed_text(&self, name: &str) -> Result<&str, JsonError> {
        let text = self.text(name)?;
        text.ok_or_else(|| JsonError::input(format!("option {name} is missing")))
    }

    /// A list of texts; empty if the field is missing.
    pub fn texts(&self, name: &str) -> Result<Vec<String>, JsonError> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let read = |value: &Value| value.as_array()?.iter().map(text).collect();
        let texts = self.field(name, "a list of texts", read)?;
        Ok(texts.unwrap_or_default())
    }

    /// A whole number of at least 0.
    pub fn whole(&self, name: &str) -> Result<Option<u64>, JsonError> {
        self.field(name, "a whole number of at least 0", whole)
    }

    /// A list of whole numbers; empty if the field is missing.
    pub fn wholes(&self, name: &str) -> Result<Vec<u64>, JsonError> {
        let read = |value: &Value| value.as_array()?.iter().map(whole).collect();
        let numbers = self.field(name, "a list of whole numbers of at least 0", read)?;
        Ok(numbers.unwrap_or_default())
    }

    /// A list of partitions. A partition is a list of parts, a part is a list of tile numbers.
    pub fn parts(&self, name: &str) -> Result<Option<Vec<Vec<Vec<u16>>>>, JsonError> {
        fn list<T>(value: &Value, read: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
            value.as_array()?.iter().map(read).collect()
        }
        let number = |value: &Value| u16::try_from(whole(value)?).ok();
        let expected = "a list of partitions, each a list of parts, each a list of tiles";
        self.field(name, expected, |partitions| {
            list(partitions, |parts| list(parts, |part| list(part, number)))
        })
    }

    /// A list of objects; empty if the request does not contain the list.
    pub fn objects(&self, name: &str) -> Result<&[Value], JsonError> {
        let read = |value| Value::as_array(value).map(Vec::as_slice);
        let objects = self.field(name, "a list of objects", read)?;
        Ok(objects.unwrap_or_default())
    }

    /// The entries of an object, as pairs of name and text; empty if the request does not contain
    /// the object.
    pub fn names(&self, name: &str) -> Result<Vec<(String, String)>, JsonError> {
        let pair =
            |(name, text): (&String, &Value)| Some((name.clone(), text.as_str()?.to_owned()));
        let read = |value: &Value| value.as_object()?.iter().map(pair).collect();
        let texts = self.field(name, "an object of texts", read)?;
        Ok(texts.unwrap_or_default())
    }

    /// A number of at least 0.
    pub fn number(&self, name: &str) -> Result<Option<f64>, JsonError> {
        let read = |value: &Value| value.as_f64().filter(|number| *number >= 0.0);
        self.field(name, "a number of at least 0", read)
    }

    /// A boolean.
    pub fn flag(&self, name: &str) -> Result<Option<bool>, JsonError> {
        self.field(name, "true or false", Value::as_bool)
    }
}

/// Reads a whole number. JavaScript has only one type of number, so 1e6 is a whole number, too.
fn whole(value: &Value) -> Option<u64> {
    /// The largest whole number that a double distinguishes from its neighbours.
    const MAX: f64 = 9_007_199_254_740_991.0;
    let is_whole = |number: &f64| number.fract() == 0.0 && (0.0..=MAX).contains(number);
    let of_double = || value.as_f64().filter(is_whole).map(|number| number as u64);
    value.as_u64().or_else(of_double)
}
