//! libFuzzer over `fuzz::moves`, or a program that runs the files in its arguments.
#![cfg_attr(fuzzing, no_main)]

fuzz::program!(moves);
