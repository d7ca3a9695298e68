//! Runs `fuzz::solve` under libFuzzer or, in an ordinary build, on the files in its arguments.
#![cfg_attr(fuzzing, no_main)]

fuzz::program!(solve);
