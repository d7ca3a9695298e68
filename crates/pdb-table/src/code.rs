//! Kinds of failures.

/// Kind of a failure. Every error of the libraries states its code; exit codes, exceptions and
/// statuses of HTTP are made of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Code {
    /// The request is invalid or impossible.
    #[serde(rename = "error")]
    Input,
    /// The board cannot reach the goal.
    Unsolvable,
    /// A limit stopped the search.
    Limit,
    /// The caller stopped the call.
    Cancelled,
    /// A table is missing, damaged or not the expected one, or a file cannot be used.
    Table,
    /// More memory is needed than is allowed or free.
    Memory,
}

puzzle::name_variants! {
    "code", Code {
        Input: "error", Unsolvable: "unsolvable", Limit: "limit", Cancelled: "cancelled",
        Table: "table", Memory: "memory"
    }
}

/// Defines the method `code` of an error: `codes! { Error { pattern => code, ... } }`.
#[macro_export]
macro_rules! codes {
    ($error:ident { $($pattern:pat => $code:expr),+ $(,)? }) => {
        impl $error {
            /// The code of the error.
            #[must_use]
            pub fn code(&self) -> $crate::Code {
                match self {
                    $($pattern => $code),+
                }
            }
        }
    };
}
