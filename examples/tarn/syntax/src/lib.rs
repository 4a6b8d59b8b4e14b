//! The language tarn without MLIR: lexer, parser, checks, an interpreter, and a generator of programs.
//!
//! ```
//! let program = tarn_syntax::parse("fn twice(n) { return n + n; }").unwrap();
//! assert_eq!(tarn_syntax::Interpreter::new(&program, 100).call("twice", &[21]), Ok(42));
//! ```

mod arithmetic;
mod check;
mod generate;
mod interpret;
mod lex;
mod parse;
mod tree;

pub use arithmetic::compute;
pub use generate::generate;
pub use interpret::{Interpreter, Stopped};
pub use tree::{Binary, Error, Expression, Function, Kind, Place, Program, Statement, Unary};

/// Reads a program, and checks that all that it names is there.
pub fn parse(text: &str) -> Result<Program, Error> {
    let program = parse::parse(&lex::lex(text)?)?;
    check::check(&program)?;
    Ok(program)
}
