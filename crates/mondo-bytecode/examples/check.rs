//! Checks files of bytecode or text: `cargo run -p mondo-bytecode --example check -- FILE…`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut failed = false;
    for path in std::env::args().skip(1) {
        let checked = std::fs::read(&path)
            .map_err(|error| error.to_string())
            .and_then(|bytes| match mondo_bytecode::is_bytecode(&bytes) {
                true => mondo_bytecode::check(&bytes)
                    .map(drop)
                    .map_err(|error| error.to_string()),
                false => mondo_bytecode::check_text(&bytes).map_err(|error| error.to_string()),
            });
        if let Err(error) = checked {
            println!("{path}: {error}");
            failed = true;
        }
    }
    ExitCode::from(u8::from(failed))
}
