//! libFuzzer over `fuzz::json`, or files that are its arguments.
#![cfg_attr(fuzzing, no_main)]

fuzz::program!(json);
