//! The search against searches written here, which share none of its code but the tables' numbering.
#![allow(clippy::unwrap_used)]

mod crew;
mod exact;
mod limit;
mod reference;
mod solutions;
