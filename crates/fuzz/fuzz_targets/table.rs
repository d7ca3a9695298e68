//! libFuzzer over `fuzz::table`, or files that are its arguments.
#![cfg_attr(fuzzing, no_main)]

fuzz::program!(table);
