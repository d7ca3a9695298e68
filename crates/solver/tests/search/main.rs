//! The search against searches written here, which share none of its code but the tables'
//! numbering.
#![allow(clippy::unwrap_used)]

mod exact;
mod helpers;
mod iterations;
mod limit;
mod order;
mod reference;
mod solutions;
