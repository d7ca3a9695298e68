//! libFuzzer over `fuzz::moves`, or files that are its arguments.
#![cfg_attr(fuzzing, no_main)]

fuzz::program!(moves);
