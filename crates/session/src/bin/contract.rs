//! Prints the contract for another language: `contract typescript`, `contract python`, or
//! `contract markdown NAME` for the table of an object or a question.

#![allow(clippy::print_stdout)]

use std::process::ExitCode;

use session::schema;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let text = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["typescript"] => Some(schema::typescript()),
        ["python"] => Some(schema::python()),
        ["markdown", name] => schema::markdown(name),
        _ => None,
    };
    match text {
        Some(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        None => {
            println!("usage: contract typescript | python | markdown NAME");
            ExitCode::from(2)
        }
    }
}
