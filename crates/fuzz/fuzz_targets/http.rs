//! libFuzzer over `fuzz::http`, or files that are its arguments.
#![cfg_attr(fuzzing, no_main)]

fuzz::program!(http);
