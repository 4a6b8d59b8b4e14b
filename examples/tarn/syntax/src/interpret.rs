//! The interpreter, which says what a program means.

use std::collections::HashMap;

use crate::arithmetic::compute;
use crate::tree::{Binary, Expression, Function, Kind, Program, Statement, Unary};

/// Calls nest no deeper than this.
const DEPTH: usize = 500;

/// Why a call had no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// The program has no such function with so many parameters.
    Missing,
    /// It took more steps than it may, or its calls nest too deeply.
    TooLong,
}

/// Runs the functions of a program.
#[derive(Debug)]
pub struct Interpreter<'a> {
    functions: HashMap<&'a str, &'a Function>,
    steps: u64,
    depth: usize,
}

/// The variables of the blocks around a statement. A number is an array with one element.
#[derive(Default)]
struct Frame<'a> {
    scopes: Vec<HashMap<&'a str, Vec<i64>>>,
}

impl<'a> Frame<'a> {
    fn declare(&mut self, name: &'a str, values: Vec<i64>) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, values);
        }
    }

    /// The place of an element; the index is taken modulo the length.
    fn element(&mut self, name: &str, index: i64) -> Option<&mut i64> {
        let mut scopes = self.scopes.iter_mut().rev();
        let values = scopes.find_map(|scope| scope.get_mut(name))?;
        let length = i64::try_from(values.len()).ok()?;
        let index = usize::try_from(index.checked_rem_euclid(length)?).ok()?;
        values.get_mut(index)
    }
}

impl<'a> Interpreter<'a> {
    /// An interpreter that stops after so many statements and expressions.
    pub fn new(program: &'a Program, steps: u64) -> Self {
        let named = |function: &'a Function| (function.name.as_str(), function);
        let functions = program.functions.iter().map(named).collect();
        Self {
            functions,
            steps,
            depth: 0,
        }
    }

    /// Calls a function.
    pub fn call(&mut self, name: &str, arguments: &[i64]) -> Result<i64, Stopped> {
        let function = *self.functions.get(name).ok_or(Stopped::Missing)?;
        if function.parameters.len() != arguments.len() {
            return Err(Stopped::Missing);
        }
        if self.depth == DEPTH {
            return Err(Stopped::TooLong);
        }
        self.depth += 1;
        let mut frame = Frame {
            scopes: vec![HashMap::new()],
        };
        for ((name, _), value) in function.parameters.iter().zip(arguments) {
            frame.declare(name, vec![*value]);
        }
        self.statements(&function.body, &mut frame)?;
        let result = self.value(&function.result, &mut frame)?;
        self.depth -= 1;
        Ok(result)
    }

    fn step(&mut self) -> Result<(), Stopped> {
        self.steps = self.steps.checked_sub(1).ok_or(Stopped::TooLong)?;
        Ok(())
    }

    fn block(&mut self, body: &'a [Statement], frame: &mut Frame<'a>) -> Result<(), Stopped> {
        frame.scopes.push(HashMap::new());
        self.statements(body, frame)?;
        frame.scopes.pop();
        Ok(())
    }

    fn statements(&mut self, body: &'a [Statement], frame: &mut Frame<'a>) -> Result<(), Stopped> {
        body.iter()
            .try_for_each(|statement| self.statement(statement, frame))
    }

    fn statement(
        &mut self,
        statement: &'a Statement,
        frame: &mut Frame<'a>,
    ) -> Result<(), Stopped> {
        self.step()?;
        match statement {
            Statement::Let { name, value, .. } => {
                let value = self.value(value, frame)?;
                frame.declare(name, vec![value]);
            }
            Statement::Array { name, length, .. } => {
                let length = usize::try_from(*length).map_err(|_| Stopped::Missing)?;
                frame.declare(name, vec![0; length]);
            }
            Statement::Assign { name, value, .. } => {
                let value = self.value(value, frame)?;
                *frame.element(name, 0).ok_or(Stopped::Missing)? = value;
            }
            Statement::Store {
                name, index, value, ..
            } => {
                let index = self.value(index, frame)?;
                let value = self.value(value, frame)?;
                *frame.element(name, index).ok_or(Stopped::Missing)? = value;
            }
            Statement::If {
                condition, yes, no, ..
            } => {
                let body = if self.value(condition, frame)? != 0 {
                    yes
                } else {
                    no
                };
                self.block(body, frame)?;
            }
            Statement::While {
                condition, body, ..
            } => {
                while self.value(condition, frame)? != 0 {
                    self.block(body, frame)?;
                }
            }
            Statement::For {
                name,
                from,
                to,
                body,
                ..
            } => {
                let from = self.value(from, frame)?;
                let to = self.value(to, frame)?;
                for index in from..to {
                    self.step()?;
                    frame.scopes.push(HashMap::new());
                    frame.declare(name, vec![index]);
                    self.block(body, frame)?;
                    frame.scopes.pop();
                }
            }
        }
        Ok(())
    }

    fn value(&mut self, expression: &'a Expression, frame: &mut Frame<'a>) -> Result<i64, Stopped> {
        self.step()?;
        Ok(match &expression.kind {
            Kind::Number(number) => *number,
            Kind::Variable(name) => *frame.element(name, 0).ok_or(Stopped::Missing)?,
            Kind::Element(name, index) => {
                let index = self.value(index, frame)?;
                *frame.element(name, index).ok_or(Stopped::Missing)?
            }
            Kind::Unary(Unary::Negate, operand) => self.value(operand, frame)?.wrapping_neg(),
            Kind::Unary(Unary::Not, operand) => {
                compute(Binary::Equal, self.value(operand, frame)?, 0)
            }
            Kind::Binary(operator, left, right) => {
                let left = self.value(left, frame)?;
                compute(*operator, left, self.value(right, frame)?)
            }
            Kind::Call(name, arguments) => {
                let mut values = Vec::new();
                for argument in arguments {
                    values.push(self.value(argument, frame)?);
                }
                self.call(name, &values)?
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn run(text: &str, arguments: &[i64]) -> Result<i64, Stopped> {
        let program = parse(text).unwrap();
        Interpreter::new(&program, 10_000).call("main", arguments)
    }

    #[test]
    fn operators_bind_as_usual() {
        assert_eq!(run("fn main() { return 2 + 3 * 4 - -1; }", &[]), Ok(15));
        assert_eq!(run("fn main() { return 1 | 6 & 3 == 3; }", &[]), Ok(1));
        assert_eq!(run("fn main() { return 10 - 3 - 2; }", &[]), Ok(5));
        assert_eq!(
            run("fn main() { return 7 / 0 + 7 % 0 + !3 + !0; }", &[]),
            Ok(1)
        );
    }

    #[test]
    fn loops_and_arrays() {
        let text = "fn main(n) {
            let xs[4];
            for i in 0..n { xs[i] = xs[i] + i; }
            let sum = 0;
            let i = -4;
            while i < 0 { sum = sum * 10 + xs[i]; i = i + 1; }
            return sum;
        }";
        assert_eq!(run(text, &[6]), Ok(4000 + 600 + 20 + 3));
    }

    #[test]
    fn a_program_may_not_end() {
        assert_eq!(
            run("fn main() { while 1 { } return 0; }", &[]),
            Err(Stopped::TooLong)
        );
        assert_eq!(
            run("fn main() { return main(); }", &[]),
            Err(Stopped::TooLong)
        );
    }

    #[test]
    fn names_are_checked() {
        for (text, why) in [
            ("fn f() { return x; }", "1:17: there is no variable `x`"),
            (
                "fn f() { return f(1); }",
                "1:17: `f` takes 0 arguments, not 1",
            ),
            ("fn f(a) { return a[0]; }", "1:18: `a` is no array"),
            (
                "fn f() { let a = 1; let a = 2; return a; }",
                "1:21: `a` is declared twice in this block",
            ),
            (
                "fn f() { let a[0]; return 1; }",
                "1:10: the length of an array is 1 to 65536",
            ),
            ("fn f() { return 1 }", "1:19: expected `;`, but found `}`"),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), why);
        }
        let deep = format!("fn f() {{ return {}1; }}", "(".repeat(200));
        assert!(
            parse(&deep)
                .unwrap_err()
                .message
                .contains("nests too deeply")
        );
    }
}
