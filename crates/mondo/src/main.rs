//! The binary `mondo`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mondo::Args { command, output } = mondo::parse("mondo");
    mondo::program(output, |terminal| {
        mondo::run(&command, output, None, terminal)
    })
}
