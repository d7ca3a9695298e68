//! All questions and their options. The sentence of each field is the only one in the repository:
//! the command's help, the OpenAPI description, the types of TypeScript and Python, and the tables
//! of `docs` are made of them.

#[cfg(any(feature = "solver", feature = "lab"))]
use std::time::Duration;

#[cfg(feature = "solver")]
use puzzle::TableKind;
use puzzle::{Metric, Notation, Tray, name_variants};
use serde_json::{Map, Value as Json};
#[cfg(feature = "solver")]
use solver::{Mode, Side};

use crate::Failure;
use crate::field::{BoardText, Field, Fields, MovesText, Reader, Spelling, Value};

/// Sentences of fields that several questions have.
macro_rules! sentence {
    (goal) => {
        " The goal: `blank-last` (1 2 3 ... 0, the default), `blank-first` (0 1 2 ...), `snail` (1 \
         2 3 ... along a spiral, the blank at its end), `columns` (1 2 3 ... 0 by columns), or a \
         board."
    };
    (metric) => {
        " Unit of a move: `single`, one tile by one cell, or `multi`, one or more tiles of a line."
    };
    (notation) => {
        " Notation of the moves: letters of the direction of the `tile` or the `blank`, or \
         `numbers` of the moved tiles; by default it is guessed."
    };
}

/// Declares groups of fields. The groups in brackets come first, and are flat in JSON.
macro_rules! fields {
    ($(
        $(#[$($meta:tt)+])*
        $name:ident $([$($group:ident: $group_type:ty),+])? {
            $($(#[doc = $about:expr])+ $field:ident: $type:ty),* $(,)?
        }
    )+) => {$(
        $(#[$($meta)+])*
        #[derive(Clone, PartialEq, Default, Debug)]
        pub struct $name {
            $($(#[doc = concat!("[`", stringify!($group_type), "`].")] pub $group: $group_type,)+)?
            $($(#[doc = $about])+ pub $field: $type,)*
        }

        $(#[$($meta)+])*
        impl Fields for $name {
            fn read(_from: &mut Reader) -> $name {
                $name {
                    $($($group: Fields::read(_from),)+)?
                    $($field: _from.take(stringify!($field)),)*
                }
            }

            fn describe(_all: &mut Vec<Field>) {
                $($(<$group_type>::describe(_all);)+)?
                $(_all.push(Field {
                    name: stringify!($field),
                    about: concat!($($about),+),
                    kind: <$type as Value>::KIND,
                    is_needed: <$type as Value>::IS_NEEDED,
                });)*
            }
        }
    )+};
}

/// Declares the questions: variant, name in JSON, and type of the fields.
macro_rules! questions {
    ($($(#[cfg($($condition:tt)+)])? $variant:ident = $name:literal,)+) => {
        /// A question. In JSON an object whose field `ask` is the question's name.
        #[derive(Clone, PartialEq, Debug)]
        #[non_exhaustive]
        pub enum Request {
            $(
                $(#[cfg($($condition)+)])?
                #[doc = concat!("[`", stringify!($variant), "`](struct@", stringify!($variant), ")")]
                $variant($variant),
            )+
        }

        impl Request {
            /// The names of all questions.
            pub const NAMES: &[&str] = &[$($(#[cfg($($condition)+)])? $name,)+];

            /// The name of the question.
            #[must_use]
            pub fn name(&self) -> &'static str {
                match self {
                    $($(#[cfg($($condition)+)])? Request::$variant(_) => $name,)+
                }
            }

            /// Reads the question `ask` from its fields, whose names are spelled as the frontend
            /// does.
            ///
            /// # Errors
            /// An unknown question or field, or a field with a wrong value.
            pub fn read(
                ask: &str,
                fields: Map<String, Json>,
                spelling: Spelling,
            ) -> Result<Request, Failure> {
                let mut reader = Reader::new(fields, spelling);
                let request = match ask {
                    $($(#[cfg($($condition)+)])? $name => Request::$variant(Fields::read(&mut reader)),)+
                    _ => return Err(Failure::input(format_args!(
                        "unknown question `{}`: expected {}",
                        ask.chars().take(40).collect::<String>().escape_debug(),
                        Request::NAMES.join(", "),
                    ))),
                };
                reader.finish()?;
                Ok(request)
            }

            /// The fields of the question with this name, in order; `None` for other names.
            #[cfg(feature = "schema")]
            #[must_use]
            pub fn fields(ask: &str) -> Option<Vec<Field>> {
                let mut all = Vec::new();
                match ask {
                    $($name => $variant::describe(&mut all),)+
                    _ => return None,
                }
                Some(all)
            }
        }
    };
}

/// Style of a drawing.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Style {
    /// Lines of text.
    #[default]
    Text,
    /// A picture; with moves an animated one.
    Svg,
}

name_variants! { "style", Style { Text: "text", Svg: "svg" } }

fields! {
    #[cfg(all(any(feature = "file", feature = "schema"), feature = "solver"))]
    /// Settings of a session.
    Settings {
        /// Directory of the tables, which need not exist: missing tables are built and stored
        /// there. By default tables are built in memory.
        directory: Option<String>,
        /// Number of threads of a search that sets none; by default all cores.
        threads: Option<u64>,
        /// Memory limit of the tables of one goal, in bytes; by default the free memory.
        max_memory: Option<u64>,
        /// Limit of the estimated time to build missing tables; by default 2 s, in the metric
        /// `multi` 4 s, and without a directory no limit for a partition that a request names.
        max_build_time: Option<Duration>,
        /// Whether files of 8 MiB or more are loaded into memory, if enough is free, rather than
        /// mapped. Loading takes about 0.1 s per GB and makes searches up to 28 % faster.
        load: bool,
    }

    /// A board and its goal.
    Subject {
        /// The board.
        board: BoardText,
        /// Columns x rows, if the board does not determine them.
        size: Option<Tray>,
        #[doc = sentence!(goal)]
        goal: Option<BoardText>,
    }

    /// A goal without a board.
    Place {
        /// Columns x rows, such as 5x3; by default those of the board or the goal, else 4x4.
        size: Option<Tray>,
        #[doc = sentence!(goal)]
        goal: Option<BoardText>,
    }

    #[cfg(feature = "solver")]
    /// Metric and tables.
    Tables {
        #[doc = sentence!(metric)]
        metric: Option<Metric>,
        /// Kind of the tables; `full` and `blank-compressed` distinguish where the blank is, and
        /// `runs` is the kind of the metric `multi`. By default `zero-aware`, for `fringe` always
        /// `full`.
        kind: Option<TableKind>,
        /// Partition: a name (`6-6-3`, `7-8`, `best`, `fewest`, `small`, `8`, `5-3`, `fringe`,
        /// `manhattan`; in the metric `multi` also `runs` and `lines`) or lists of tiles such as
        /// `1,2,5,6/3,4,...`; + joins several partitions. The default depends on the size.
        partition: Option<String>,
        /// Partitions as lists of the tiles of each part, instead of `partition`.
        parts: Option<Vec<Vec<Vec<u16>>>>,
    }

    #[cfg(feature = "solver")]
    /// Limits of a search.
    Search {
        /// Time limit per board; by default none, or 10 s for an anytime answer without a limit.
        max_time: Option<Duration>,
        /// Limit of generated nodes per board; a search for an optimal solution then uses one
        /// thread.
        max_nodes: Option<u64>,
        /// Number of threads per board; 0 for as many as allowed.
        threads: Option<u64>,
        /// Optimal and anytime: side from which searches begin; `auto`, the default, is the side
        /// that is expected to need fewer nodes.
        side: Option<Side>,
    }

    /// Reads a board, in any form.
    Parse {
        /// The board.
        board: BoardText,
        /// Columns x rows, if the board does not determine them.
        size: Option<Tray>,
    }

    /// Reads a list of boards. A wrong entry has an error instead of a board.
    List {
        /// The list: one board per line, or one row of a board per line.
        text: String,
        /// Columns x rows, if the boards do not determine them.
        size: Option<Tray>,
    }

    /// Reads a goal.
    ReadGoal [place: Place] {}

    /// Asks whether a board can be solved, and if not, why.
    Solvability [subject: Subject] {}

    /// Asks for the board after moves.
    Apply [subject: Subject] {
        /// The moves.
        moves: MovesText,
        #[doc = sentence!(notation)]
        notation: Option<Notation>,
    }

    /// Writes moves in another notation.
    Convert [subject: Subject] {
        /// The moves.
        moves: MovesText,
        #[doc = sentence!(notation)]
        from: Option<Notation>,
        /// Notation of the answer.
        to: Option<Notation>,
    }

    /// Asks for the moves that undo moves.
    Invert {
        /// The moves.
        moves: MovesText,
        #[doc = sentence!(notation)]
        notation: Option<Notation>,
    }

    /// Draws a board.
    Draw [subject: Subject] {
        /// Style of the drawing.
        style: Option<Style>,
        /// With the style `svg`: moves to animate.
        moves: Option<MovesText>,
        #[doc = sentence!(notation)]
        notation: Option<Notation>,
        /// With the style `text`: colours for terminals.
        ansi: bool,
        /// With the style `svg`: side of a tile in pixels, 16 to 512; by default 64.
        cell_size: Option<u64>,
    }

    /// Asks for random boards.
    Scramble [place: Place] {
        /// Number of boards; by default 1.
        number: Option<u64>,
        /// Number of random moves from the goal; by default all boards are equally likely.
        moves: Option<u64>,
        /// Seed: equal seeds give equal boards; by default random, in the libraries 0.
        seed: Option<u64>,
    }

    /// Asks for the partitions from which the default of a size is chosen, the largest first.
    Partitions {
        /// Columns x rows; by default 4x4.
        size: Option<Tray>,
        #[doc = sentence!(metric)]
        metric: Option<Metric>,
    }

    #[cfg(feature = "solver")]
    /// Chooses the tables of a goal, without opening or building them.
    Choose [place: Place, tables: Tables] {
        /// Limit of the estimated time to build missing tables.
        max_build_time: Option<Duration>,
    }

    #[cfg(feature = "solver")]
    /// Opens the tables of a goal, and builds missing ones.
    Open [place: Place, tables: Tables] {
        /// Limit of the estimated time to build missing tables; with 0 all tables must exist.
        max_build_time: Option<Duration>,
        /// Whether the tables of other goal cells of the blank are opened too, so that boards can
        /// be searched from both sides. By default they are built if all tables together have at
        /// most 2^27 entries, and larger ones are opened if they exist.
        both_sides: Option<bool>,
    }

    #[cfg(feature = "solver")]
    /// Proves every entry of the tables by the moves of the puzzle.
    Verify [place: Place, tables: Tables] {}

    #[cfg(feature = "solver")]
    /// Solves a board.
    Solve [subject: Subject, tables: Tables, search: Search] {
        /// Kind of answer: `optimal` (the default) is a proved shortest solution, `strategic` an
        /// immediate one by a method that people can follow, `anytime` an immediate one and then
        /// shorter ones, until one is proved or a limit is reached.
        mode: Option<Mode>,
        /// Notation of the moves in the answer: letters of the direction of the `tile` (the
        /// default) or the `blank`, or `numbers` of the moved tiles.
        notation: Option<Notation>,
        /// Optimal: also all solutions with at most this many moves more than a shortest one; the
        /// time grows about fivefold for every 2 moves. Anytime: ends when the solution exceeds the
        /// proved bound by at most this share of it, such as 0.05.
        within: Option<f64>,
        /// Optimal: list all shortest solutions.
        all: bool,
        /// Optimal: only count the solutions.
        count: bool,
        /// Optimal, with `all` or `within`: list at most this many solutions, the shortest first;
        /// by default 1000.
        most: Option<u64>,
        /// Strategic: a solution of about 60 % of the length, which is harder to follow.
        short: bool,
        /// Strategic: the steps of the solution.
        explain: bool,
        /// Anytime: memory limit besides the tables, in bytes, at least 1 MiB.
        max_memory: Option<u64>,
        /// Anytime: seed of random choices, by default 0. Equal seeds and node limits give equal
        /// solutions.
        seed: Option<u64>,
    }

    #[cfg(feature = "solver")]
    /// Asks for the distance to the goal and the best moves.
    Hint [subject: Subject, tables: Tables, search: Search] {}

    #[cfg(feature = "solver")]
    /// Rates each move of a game.
    Rate [subject: Subject, tables: Tables, search: Search] {
        /// The moves.
        moves: MovesText,
        #[doc = sentence!(notation)]
        notation: Option<Notation>,
    }

    #[cfg(feature = "solver")]
    /// Asks for the entries and values of the tables for a board.
    Probe [subject: Subject, tables: Tables] {}

    #[cfg(feature = "lab")]
    /// Asks for the heuristics that are quick to build for a size.
    Heuristics {
        /// Columns x rows; by default 4x4.
        size: Option<Tray>,
    }

    #[cfg(feature = "lab")]
    /// Explains the values of heuristics on a board.
    Explain [subject: Subject] {
        /// Names: `zero`, `misplaced`, `manhattan`, `linear-conflict`, `inversion-distance`,
        /// `walking-distance`, or partitions such as `6-6-3`, `fringe` or `blank-compressed:6-6-3`;
        /// names joined by + stand for their maximum. By default all heuristics that are quick to
        /// build for the size.
        heuristics: Vec<String>,
    }

    #[cfg(feature = "lab")]
    /// Runs textbook searches with heuristics on boards.
    Compare {
        /// Sizes of random boards, or the size of `boards`; by default 3x3.
        sizes: Vec<Tray>,
        #[doc = sentence!(goal)]
        goal: Option<BoardText>,
        /// The boards; by default random boards.
        boards: Vec<BoardText>,
        /// Number of random boards of each set; by default 100.
        number: Option<u64>,
        /// Numbers of random moves, each a set of boards; by default all boards are equally likely.
        moves: Vec<u64>,
        /// Seed of the random boards; by default 0.
        seed: Option<u64>,
        /// Names of heuristics, as in `explain`; by default `misplaced`, `manhattan` and
        /// `linear-conflict`.
        heuristics: Vec<String>,
        /// Names of searches: `breadth-first`, `uniform-cost`, `greedy`, `astar`,
        /// `weighted-astar:W` with a weight W such as 1.5, `ida-star`, `bidirectional` (NBS); by
        /// default `astar` and `ida-star`.
        searches: Vec<String>,
        /// Limit of generated nodes per search; by default 10 million, or none with a time limit.
        max_nodes: Option<u64>,
        /// Memory limit of a search, in bytes.
        max_memory: Option<u64>,
        /// Time limit per search.
        max_time: Option<Duration>,
        /// Number of searches at the same time; 0 for as many as allowed.
        threads: Option<u64>,
        /// Whether the progress of the current search is reported, besides finished searches.
        progress: bool,
    }

    #[cfg(feature = "lab")]
    /// Draws plots of the records of a comparison. Empty plots are left out.
    Plots {
        /// The records, each an object as in the answer to `compare`.
        records: Vec<Map<String, Json>>,
        /// Set of the records to plot; by default that of the first record.
        set: Option<String>,
        /// Size of the records to plot; by default that of the first record.
        size: Option<String>,
        /// Width in pixels.
        width: Option<f64>,
        /// Whether titles are left out.
        bare: bool,
        /// Words of the plots, for other languages: an object of texts.
        names: Option<Map<String, Json>>,
    }
}

questions! {
    Parse = "parse",
    List = "list",
    ReadGoal = "goal",
    Solvability = "solvability",
    Apply = "apply",
    Convert = "convert",
    Invert = "invert",
    Draw = "draw",
    Scramble = "scramble",
    Partitions = "partitions",
    #[cfg(feature = "solver")]
    Choose = "choose",
    #[cfg(feature = "solver")]
    Open = "open",
    #[cfg(feature = "solver")]
    Verify = "verify",
    #[cfg(feature = "solver")]
    Solve = "solve",
    #[cfg(feature = "solver")]
    Hint = "hint",
    #[cfg(feature = "solver")]
    Rate = "rate",
    #[cfg(feature = "solver")]
    Probe = "probe",
    #[cfg(feature = "lab")]
    Heuristics = "heuristics",
    #[cfg(feature = "lab")]
    Explain = "explain",
    #[cfg(feature = "lab")]
    Compare = "compare",
    #[cfg(feature = "lab")]
    Plots = "plots",
}

impl Request {
    /// Reads a question from a JSON object.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn from_json(text: &str) -> Result<Request, Failure> {
        let fields = serde_json::from_str(text);
        let fields = fields.map_err(|error| {
            Failure::input(format_args!("the request is no JSON object: {error}"))
        })?;
        Request::from_object(fields, Spelling::Snake)
    }

    /// Reads a question from an object, whose field `ask` names it.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn from_object(fields: Map<String, Json>, spelling: Spelling) -> Result<Request, Failure> {
        let ask = fields.get("ask").and_then(Json::as_str);
        let ask = ask.unwrap_or_default().to_owned();
        Request::read(&ask, fields, spelling)
    }
}
