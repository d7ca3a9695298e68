//! Names of enum variants, and the error for unknown names.

/// Error: an unknown name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} `{name}` is not known: {}", alternatives(.known))]
pub struct UnknownName {
    what: &'static str,
    name: String,
    known: &'static [&'static str],
}

impl UnknownName {
    /// The error for `name`. `what` is the kind of name, `known` are its valid values.
    #[must_use]
    pub fn new(what: &'static str, name: &str, known: &'static [&'static str]) -> Self {
        let name = name.chars().map(printable_sign).collect();
        UnknownName { what, name, known }
    }
}

/// `a, b or c`.
fn alternatives(names: &[&str]) -> String {
    let (last, others) = names.split_last().unwrap_or((&"", &[]));
    format!("{} or {last}", others.join(", "))
}

/// Implements `ALL`, `name`, `Display` and `FromStr` for an enum from a list of variants and names.
#[doc(hidden)]
#[macro_export]
macro_rules! name_variants {
    ($what:literal, $type:ident { $($variant:ident: $name:literal),+ }) => {
        impl $type {
            /// All variants in order.
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$variant),+];

            /// The name, as `Display` writes and `FromStr` reads it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name),+
                }
            }
        }

        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl ::std::str::FromStr for $type {
            type Err = $crate::UnknownName;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($name => Ok($type::$variant),)+
                    _ => Err($crate::UnknownName::new($what, text, &[$($name),+])),
                }
            }
        }
    };
}

/// The start of an input word, with control characters replaced, so that messages stay on one line.
pub(crate) fn printable(word: &str) -> String {
    word.chars().take(20).map(printable_sign).collect()
}

/// [`printable`] for one character.
pub(crate) fn printable_sign(sign: char) -> char {
    if sign.is_control() { '\u{fffd}' } else { sign }
}

/// `1 number` or `2 numbers`.
pub(crate) fn count_of(count: usize, thing: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{s}")
}

/// The items as words, joined by a separator.
pub(crate) fn join<T: ToString>(things: impl IntoIterator<Item = T>, separator: &str) -> String {
    let words: Vec<String> = things.into_iter().map(|thing| thing.to_string()).collect();
    words.join(separator)
}

/// The words of a text, each with the byte at which it starts. `is_between` tells the characters
/// between words.
pub(crate) fn words(
    text: &str,
    is_between: fn(char) -> bool,
) -> impl Iterator<Item = (usize, &str)> {
    let mut end = 0;
    text.split_inclusive(is_between).filter_map(move |part| {
        let start = end;
        end += part.len();
        let word = part.trim_end_matches(is_between);
        (!word.is_empty()).then_some((start, word))
    })
}

#[cfg(test)]
mod tests {
    use crate::{Goal, HeuristicSpec, Metric, MoveOrder, PartitionPicture};

    /// Quoted input contains no control characters.
    #[test]
    fn errors_stay_on_one_line() {
        let word = "a\n\u{1b}\u{85}b";
        let goal = Goal::blank_last("3x3".parse().unwrap());
        let errors = [
            word.parse::<Metric>().unwrap_err().to_string(),
            word.parse::<MoveOrder>().unwrap_err().to_string(),
            HeuristicSpec::parse(word, &goal).unwrap_err().to_string(),
            HeuristicSpec::parse("1,2,\u{1b}", &goal)
                .unwrap_err()
                .to_string(),
            PartitionPicture::parse_all("a\u{1b}")
                .unwrap_err()
                .to_string(),
            PartitionPicture::parse_all("order \u{1b}\n")
                .unwrap_err()
                .to_string(),
        ];
        for line in errors {
            assert!(!line.contains(char::is_control), "{line:?}");
            assert!(line.contains('\u{fffd}'), "{line:?}");
        }
    }
}
