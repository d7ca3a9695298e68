//! Options of a verb that are fields of its question in the contract (crate `session`).

use std::marker::PhantomData;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use puzzle::Tray;
use serde_json::{Map, Value as Json, json};
use session::{Field, Fields, Kind, Spelling};

use crate::arguments::SharedArgs;
use crate::output::Failure;
use crate::quantity::{count, number, seconds};

/// Fields that are arguments of the verb, or options of [`SharedArgs`].
const ELSEWHERE: [&str; 10] = [
    "board",
    "boards",
    "goal",
    "kind",
    "metric",
    "partition",
    "parts",
    "progress",
    "size",
    "threads",
];

/// The options of a verb with the question `Q`.
#[derive(Clone, Debug)]
pub struct Asked<Q> {
    given: Map<String, Json>,
    question: PhantomData<Q>,
}

/// The sentences about a field of the question `Q`, for the help of an option.
///
/// # Panics
/// The question has no such field.
#[must_use]
pub fn about<Q: Fields>(name: &str) -> String {
    let mut fields = Vec::new();
    Q::describe(&mut fields);
    let field = fields.iter().find(|field| field.name == name);
    words(field.unwrap_or_else(|| panic!("no field {name}")))
}

fn words(field: &Field) -> String {
    field.about.trim().trim_end_matches('.').replace('`', "")
}

/// The fields of `Q` that are options of its verb.
fn options<Q: Fields>() -> impl Iterator<Item = Field> {
    let mut fields = Vec::new();
    Q::describe(&mut fields);
    let is_option = |field: &Field| {
        !ELSEWHERE.contains(&field.name) && !matches!(field.kind, Kind::Moves | Kind::Object)
    };
    fields.into_iter().filter(is_option)
}

fn argument(field: &Field) -> Arg {
    let arg = Arg::new(field.name)
        .long(field.name.replace('_', "-"))
        .help(words(field))
        // A wrong number such as -1 is answered by its parser.
        .allow_hyphen_values(matches!(
            field.kind,
            Kind::Size | Kind::Whole | Kind::Number | Kind::Time
        ));
    let kind = field.kind;
    let read = move |text: &str| value(kind, text);
    match kind {
        Kind::Flag => arg.action(ArgAction::SetTrue),
        Kind::Name(names) => arg
            .value_name(field.name.to_ascii_uppercase())
            .value_parser(PossibleValuesParser::new(names).map(Json::from)),
        Kind::List(_) => arg
            .value_name("NAME,...")
            .action(ArgAction::Append)
            .value_parser(read),
        kind => arg.value_parser(read).value_name(match kind {
            Kind::Size => "WxH",
            Kind::Whole => "N",
            Kind::Number => "K|P%",
            Kind::Time => "TIME",
            _ => "NAME",
        }),
    }
}

/// The value of an option as JSON. A list is separated by commas; a text with a slash is a
/// partition, whose commas separate tiles.
fn value(kind: Kind, text: &str) -> Result<Json, String> {
    match kind {
        Kind::Size => {
            let tray: Result<Tray, _> = text.parse();
            tray.map(|tray| json!(tray.to_string()))
                .map_err(|error| error.to_string())
        }
        Kind::Whole => count(text).map(Json::from),
        Kind::Number => number(text).map(Json::from),
        Kind::Time => seconds(text).map(|time| json!(time.as_secs_f64())),
        Kind::List(kind) if text.contains('/') => Ok(json!([value(*kind, text.trim())?])),
        Kind::List(kind) => {
            let items = text.split(',').map(|item| value(*kind, item.trim()));
            items.collect()
        }
        _ => Ok(json!(text)),
    }
}

impl<Q: Fields> Args for Asked<Q> {
    fn augment_args(command: Command) -> Command {
        command.args(options::<Q>().map(|field| argument(&field)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<Q: Fields> FromArgMatches for Asked<Q> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut given = Map::new();
        for Field { name, kind, .. } in options::<Q>() {
            let refused = |error| clap::Error::raw(ErrorKind::InvalidValue, error);
            let value = match kind {
                Kind::Flag => Some(json!(matches.get_flag(name))),
                Kind::List(_) => {
                    let values = matches.try_get_many(name).map_err(refused)?;
                    let lists = values.map(|lists| lists.filter_map(Json::as_array).flatten());
                    lists.map(|items| items.cloned().collect())
                }
                _ => matches.try_get_one(name).map_err(refused)?.cloned(),
            };
            given.extend(value.map(|value| (name.to_owned(), value)));
        }
        Ok(Asked {
            given,
            question: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<Q: Fields> Asked<Q> {
    /// The question with these options, the shared options and further fields.
    ///
    /// # Errors
    /// A value that the contract rejects.
    pub fn question<'a>(
        &self,
        shared: &SharedArgs,
        further: impl IntoIterator<Item = (&'a str, Json)>,
    ) -> Result<Q, Failure> {
        let mut fields = Vec::new();
        Q::describe(&mut fields);
        let mut given = Map::new();
        // An option of another question is rejected before, or has no effect on any question.
        let of_all = shared.fields().into_iter().chain(self.given.clone());
        let further = further.into_iter();
        let further = further.map(|(name, value)| (name.to_owned(), value));
        for (name, value) in of_all.chain(further) {
            if fields.iter().any(|field| field.name == name) {
                given.insert(Spelling::Option.name(&name), value);
            }
        }
        Ok(Q::from_fields(given, Spelling::Option)?)
    }
}
