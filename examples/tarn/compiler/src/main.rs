//! `tarn run FILE [A B]`, `tarn object FILE OUT`, `tarn show STAGE FILE`, `tarn compare COUNT [FIRST]`.

use std::process::ExitCode;

use tarn::Compiler;
use tarn_syntax::{Interpreter, generate};

const USAGE: &str = "usage: tarn run FILE [A B]      runs `main`, which takes two numbers
       tarn object FILE OUT    writes an object file
       tarn show STAGE FILE    prints the IR after a stage: parsed, simplified, lowered, flat, llvm
       tarn compare COUNT [FIRST]
                               compares generated programs with the interpreter";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<String, String> {
    let read =
        |file: &str| std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"));
    let number = |text: &str| {
        text.parse::<i64>()
            .map_err(|_| format!("`{text}` is no number"))
    };
    let mut compiler = Compiler::new();
    match *arguments {
        ["run", file] => run(&["run", file, "0", "0"]),
        ["run", file, first, second] => {
            let loaded = compiler.load(file, &read(file)?);
            let loaded = loaded.map_err(|error| error.to_string())?;
            let result = loaded.main(number(first)?, number(second)?);
            result
                .map(|result| result.to_string())
                .map_err(|error| error.to_string())
        }
        ["object", file, out] => {
            let written = compiler.write_object(file, &read(file)?, out.as_ref());
            written
                .map(|()| format!("wrote {out}"))
                .map_err(|error| error.to_string())
        }
        ["show", stage, file] => {
            let shown = compiler.text_after(stage, file, &read(file)?);
            shown.map_err(|error| error.to_string())
        }
        ["compare", count] => run(&["compare", count, "0"]),
        ["compare", count, first] => {
            let first = number(first)?.unsigned_abs();
            compare(first, number(count)?.unsigned_abs())
        }
        _ => Err(USAGE.to_owned()),
    }
}

/// The arguments that each program is called with.
const ARGUMENTS: [(i64, i64); 4] = [(0, 0), (7, -3), (i64::MIN, -1), (123_456_789, i64::MAX)];
const STEPS: u64 = 100_000_000;

/// Compares what generated programs return with what the interpreter says. Each runs as it is written (level 0) or optimised.
fn compare(first: u64, count: u64) -> Result<String, String> {
    let mut compilers = [Compiler::new().level(0), Compiler::new()];
    let mut calls = 0;
    for seed in first..first + count {
        let text = generate(seed);
        let wrong = |why: String| format!("the program of seed {seed}: {why}\n{text}");
        let program = tarn_syntax::parse(&text).map_err(|error| wrong(error.to_string()))?;
        let compiler = &mut compilers[(seed % 2) as usize];
        let loaded = compiler
            .load("generated", &text)
            .map_err(|error| wrong(error.to_string()))?;
        for (a, b) in ARGUMENTS {
            let meant = Interpreter::new(&program, STEPS).call("main", &[a, b]);
            let meant = meant.map_err(|stopped| wrong(format!("the interpreter: {stopped:?}")))?;
            let returned = loaded
                .main(a, b)
                .map_err(|error| wrong(error.to_string()))?;
            if returned != meant {
                return Err(wrong(format!(
                    "main({a}, {b}) is {meant}, but returned {returned}"
                )));
            }
            calls += 1;
        }
    }
    Ok(format!(
        "{count} programs agree with the interpreter, in {calls} calls"
    ))
}
