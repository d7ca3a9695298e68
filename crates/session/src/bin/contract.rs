//! Prints the types of questions and answers for another language: `contract typescript` or
//! `contract python`.

#![allow(clippy::print_stdout)]

use std::process::ExitCode;

use session::schema;

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("typescript") => print!("{}", schema::typescript()),
        Some("python") => print!("{}", schema::python()),
        _ => {
            println!("usage: contract typescript | python");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
