//! libFuzzer over `fuzz::goals`, or files that are its arguments.
#![cfg_attr(fuzzing, no_main)]

fuzz::program!(goals);
