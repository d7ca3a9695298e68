//! Creates a module for browsers: `bindgen FILE.wasm DIRECTORY` does the same as `wasm-bindgen
//! --target web --out-name sliding_tile_pdb --out-dir DIRECTORY FILE.wasm`.
//!
//! The package `wasm-bindgen-cli` is not used because it also contains a test runner, and takes
//! twice as long to compile.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let [wasm, directory] = std::env::args_os()
        .skip(1)
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| "usage: bindgen FILE.wasm DIRECTORY")?;
    wasm_bindgen_cli_support::Bindgen::new()
        .input_path(wasm)
        .web(true)?
        .omit_default_module_path(false)
        .typescript(true)
        .out_name("sliding_tile_pdb")
        .generate(directory)?;
    Ok(())
}
