//! Checks that names are there, and used as what they are.

use std::collections::HashMap;

use crate::tree::{Error, Expression, Kind, Place, Program, Statement};

/// The longest array.
const LENGTH: i64 = 1 << 16;

struct Checker<'a> {
    /// The number of parameters of each function.
    functions: HashMap<&'a str, usize>,
    /// The variables of each block; true for an array.
    scopes: Vec<HashMap<&'a str, bool>>,
}

pub(crate) fn check(program: &Program) -> Result<(), Error> {
    let mut functions = HashMap::new();
    for function in &program.functions {
        let count = function.parameters.len();
        if functions.insert(function.name.as_str(), count).is_some() {
            let message = format!("there are two functions `{}`", function.name);
            return Err(Error::new(function.place, message));
        }
    }
    let mut checker = Checker {
        functions,
        scopes: Vec::new(),
    };
    for function in &program.functions {
        checker.scopes = vec![HashMap::new()];
        for (name, place) in &function.parameters {
            checker.declare(name, *place, false)?;
        }
        checker.statements(&function.body)?;
        checker.expression(&function.result)?;
    }
    Ok(())
}

impl<'a> Checker<'a> {
    fn declare(&mut self, name: &'a str, place: Place, is_array: bool) -> Result<(), Error> {
        let scope = self.scopes.last_mut();
        if scope.is_some_and(|scope| scope.insert(name, is_array).is_some()) {
            return Err(Error::new(
                place,
                format!("`{name}` is declared twice in this block"),
            ));
        }
        Ok(())
    }

    fn uses(&self, name: &str, place: Place, is_array: bool) -> Result<(), Error> {
        let found = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        let message = match found {
            Some(found) if *found == is_array => return Ok(()),
            Some(true) => format!("`{name}` is an array, so it needs an index"),
            Some(false) => format!("`{name}` is no array"),
            None => format!("there is no variable `{name}`"),
        };
        Err(Error::new(place, message))
    }

    fn block(&mut self, body: &'a [Statement]) -> Result<(), Error> {
        self.scopes.push(HashMap::new());
        self.statements(body)?;
        self.scopes.pop();
        Ok(())
    }

    fn statements(&mut self, body: &'a [Statement]) -> Result<(), Error> {
        body.iter()
            .try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &'a Statement) -> Result<(), Error> {
        match statement {
            Statement::Let { place, name, value } => {
                self.expression(value)?;
                self.declare(name, *place, false)
            }
            Statement::Array {
                place,
                name,
                length,
            } => {
                if !(1..=LENGTH).contains(length) {
                    let message = format!("the length of an array is 1 to {LENGTH}");
                    return Err(Error::new(*place, message));
                }
                self.declare(name, *place, true)
            }
            Statement::Assign { place, name, value } => {
                self.uses(name, *place, false)?;
                self.expression(value)
            }
            Statement::Store {
                place,
                name,
                index,
                value,
            } => {
                self.uses(name, *place, true)?;
                self.expression(index)?;
                self.expression(value)
            }
            Statement::If {
                condition, yes, no, ..
            } => {
                self.expression(condition)?;
                self.block(yes)?;
                self.block(no)
            }
            Statement::While {
                condition, body, ..
            } => {
                self.expression(condition)?;
                self.block(body)
            }
            Statement::For {
                place,
                name,
                from,
                to,
                body,
            } => {
                self.expression(from)?;
                self.expression(to)?;
                self.scopes.push(HashMap::new());
                self.declare(name, *place, false)?;
                self.block(body)?;
                self.scopes.pop();
                Ok(())
            }
        }
    }

    fn expression(&self, expression: &Expression) -> Result<(), Error> {
        let place = expression.place;
        match &expression.kind {
            Kind::Number(_) => Ok(()),
            Kind::Variable(name) => self.uses(name, place, false),
            Kind::Element(name, index) => {
                self.uses(name, place, true)?;
                self.expression(index)
            }
            Kind::Unary(_, operand) => self.expression(operand),
            Kind::Binary(_, left, right) => {
                self.expression(left)?;
                self.expression(right)
            }
            Kind::Call(name, arguments) => {
                let Some(count) = self.functions.get(name.as_str()) else {
                    return Err(Error::new(place, format!("there is no function `{name}`")));
                };
                if *count != arguments.len() {
                    let given = arguments.len();
                    let message = format!("`{name}` takes {count} arguments, not {given}");
                    return Err(Error::new(place, message));
                }
                arguments
                    .iter()
                    .try_for_each(|argument| self.expression(argument))
            }
        }
    }
}
