//! The verbs, and the shared options that each accepts.

use command::verbs::VerbOptions;
use command::{HEURISTIC, SURROUNDINGS};

/// The shared options that each verb accepts. Solving, which has no verb, accepts all of them.
pub(crate) const VERBS: &VerbOptions = &[
    ("scramble", &[HEURISTIC, SURROUNDINGS]),
    ("apply", &[&["size", "goal", "json"]]),
    ("invert", &[&["json"]]),
    ("check", &[HEURISTIC, SURROUNDINGS]),
    ("hint", &[HEURISTIC, SURROUNDINGS]),
    ("rate", &[HEURISTIC, SURROUNDINGS]),
    ("show", &[HEURISTIC, SURROUNDINGS]),
    ("probe", &[HEURISTIC, SURROUNDINGS]),
    #[cfg(feature = "full")]
    ("explain", &[&["size", "goal"], SURROUNDINGS]),
    #[cfg(feature = "full")]
    ("compare", &[&["size", "goal"], SURROUNDINGS]),
    #[cfg(feature = "full")]
    ("completions", &[]),
    #[cfg(feature = "full")]
    ("man", &[]),
];
