//! The HTTP service.

fn main() {}
