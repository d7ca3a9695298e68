//! Tables made by a plain search: what is read, decoded, packed and exported of them.
#![allow(clippy::unwrap_used)]

mod control;
mod export;
mod files;
mod search;
mod statistics;
mod values;
