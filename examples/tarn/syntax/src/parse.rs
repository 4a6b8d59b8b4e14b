//! The parser, by recursive descent.

use crate::lex::Token;
use crate::tree::{Binary, Error, Expression, Function, Kind, Place, Program, Statement, Unary};

const KEYWORDS: [&str; 8] = ["fn", "return", "let", "if", "else", "while", "for", "in"];

/// Expressions and blocks that nest deeper than this are refused, since the parser recurses.
const DEPTH: u32 = 100;

struct Parser<'a> {
    tokens: &'a [(Token, Place)],
    next: usize,
    depth: u32,
}

pub(crate) fn parse(tokens: &[(Token, Place)]) -> Result<Program, Error> {
    let mut parser = Parser {
        tokens,
        next: 0,
        depth: 0,
    };
    let mut functions = Vec::new();
    while *parser.token() != Token::End {
        functions.push(parser.function()?);
    }
    Ok(Program { functions })
}

impl Parser<'_> {
    fn token(&self) -> &Token {
        &self.tokens[self.next].0
    }

    fn place(&self) -> Place {
        self.tokens[self.next].1
    }

    fn advance(&mut self) {
        if self.next + 1 < self.tokens.len() {
            self.next += 1;
        }
    }

    fn wanted<T>(&self, what: &str) -> Result<T, Error> {
        let found = match self.token() {
            Token::Number(number) => format!("`{number}`"),
            Token::Word(word) => format!("`{word}`"),
            Token::Symbol(symbol) => format!("`{symbol}`"),
            Token::End => "the end".to_owned(),
        };
        Err(Error::new(
            self.place(),
            format!("expected {what}, but found {found}"),
        ))
    }

    fn take(&mut self, symbol: &str) -> bool {
        let found = matches!(self.token(), Token::Symbol(next) if *next == symbol);
        if found {
            self.advance();
        }
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = matches!(self.token(), Token::Word(next) if next == word);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, symbol: &str) -> Result<(), Error> {
        if self.take(symbol) {
            Ok(())
        } else {
            self.wanted(&format!("`{symbol}`"))
        }
    }

    fn expect_word(&mut self, word: &str) -> Result<(), Error> {
        if self.take_word(word) {
            Ok(())
        } else {
            self.wanted(&format!("`{word}`"))
        }
    }

    fn name(&mut self) -> Result<String, Error> {
        match self.token() {
            Token::Word(word) if !KEYWORDS.contains(&word.as_str()) => {
                let name = word.clone();
                self.advance();
                Ok(name)
            }
            _ => self.wanted("a name"),
        }
    }

    /// Parses something that may contain itself.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        if self.depth == DEPTH {
            return Err(Error::new(
                self.place(),
                "the program nests too deeply here",
            ));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    /// Parses parts with commas between them up to the closing parenthesis.
    fn list<T>(
        &mut self,
        mut part: impl FnMut(&mut Self) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let mut parts = Vec::new();
        self.expect("(")?;
        while !self.take(")") {
            if !parts.is_empty() {
                self.expect(",")?;
            }
            parts.push(part(self)?);
        }
        Ok(parts)
    }

    fn function(&mut self) -> Result<Function, Error> {
        self.expect_word("fn")?;
        let place = self.place();
        let name = self.name()?;
        let parameters = self.list(|parser| {
            let place = parser.place();
            Ok((parser.name()?, place))
        })?;
        self.expect("{")?;
        let mut body = Vec::new();
        while !self.take_word("return") {
            body.push(self.statement()?);
        }
        let result = self.expression()?;
        self.expect(";")?;
        self.expect("}")?;
        Ok(Function {
            place,
            name,
            parameters,
            body,
            result,
        })
    }

    fn block(&mut self) -> Result<Vec<Statement>, Error> {
        self.expect("{")?;
        let mut body = Vec::new();
        while !self.take("}") {
            body.push(self.nested(Self::statement)?);
        }
        Ok(body)
    }

    fn statement(&mut self) -> Result<Statement, Error> {
        let place = self.place();
        if self.take_word("let") {
            return self.declaration(place);
        }
        if self.take_word("if") {
            let condition = self.expression()?;
            let yes = self.block()?;
            let no = if self.take_word("else") {
                self.block()?
            } else {
                Vec::new()
            };
            return Ok(Statement::If {
                place,
                condition,
                yes,
                no,
            });
        }
        if self.take_word("while") {
            let condition = self.expression()?;
            let body = self.block()?;
            return Ok(Statement::While {
                place,
                condition,
                body,
            });
        }
        if self.take_word("for") {
            let name = self.name()?;
            self.expect_word("in")?;
            let from = self.expression()?;
            self.expect("..")?;
            let to = self.expression()?;
            let body = self.block()?;
            return Ok(Statement::For {
                place,
                name,
                from,
                to,
                body,
            });
        }
        let name = self.name()?;
        if self.take("[") {
            let index = self.expression()?;
            self.expect("]")?;
            self.expect("=")?;
            let value = self.expression()?;
            self.expect(";")?;
            return Ok(Statement::Store {
                place,
                name,
                index,
                value,
            });
        }
        self.expect("=")?;
        let value = self.expression()?;
        self.expect(";")?;
        Ok(Statement::Assign { place, name, value })
    }

    fn declaration(&mut self, place: Place) -> Result<Statement, Error> {
        let name = self.name()?;
        if self.take("[") {
            let Token::Number(length) = *self.token() else {
                return self.wanted("the length of the array");
            };
            self.advance();
            self.expect("]")?;
            self.expect(";")?;
            return Ok(Statement::Array {
                place,
                name,
                length,
            });
        }
        self.expect("=")?;
        let value = self.expression()?;
        self.expect(";")?;
        Ok(Statement::Let { place, name, value })
    }

    fn expression(&mut self) -> Result<Expression, Error> {
        self.nested(|parser| parser.binary(0))
    }

    /// An expression whose operators bind more tightly than `level`.
    fn binary(&mut self, level: u8) -> Result<Expression, Error> {
        let mut left = self.unary()?;
        loop {
            let Token::Symbol(symbol) = *self.token() else {
                return Ok(left);
            };
            let found = Binary::ALL.iter().find(|(text, ..)| *text == symbol);
            let Some(&(_, operator, binds)) = found.filter(|(.., binds)| *binds > level) else {
                return Ok(left);
            };
            let place = self.place();
            self.advance();
            let right = self.binary(binds)?;
            let kind = Kind::Binary(operator, Box::new(left), Box::new(right));
            left = Expression { place, kind };
        }
    }

    fn unary(&mut self) -> Result<Expression, Error> {
        let place = self.place();
        let operator = if self.take("-") {
            Unary::Negate
        } else if self.take("!") {
            Unary::Not
        } else {
            return self.primary();
        };
        let operand = self.nested(Self::unary)?;
        Ok(Expression {
            place,
            kind: Kind::Unary(operator, Box::new(operand)),
        })
    }

    fn primary(&mut self) -> Result<Expression, Error> {
        let place = self.place();
        if let Token::Number(number) = *self.token() {
            self.advance();
            return Ok(Expression {
                place,
                kind: Kind::Number(number),
            });
        }
        if self.take("(") {
            let inner = self.expression()?;
            self.expect(")")?;
            return Ok(inner);
        }
        let Ok(name) = self.name() else {
            return self.wanted("an expression");
        };
        let kind = if matches!(self.token(), Token::Symbol("(")) {
            Kind::Call(name, self.list(Self::expression)?)
        } else if self.take("[") {
            let index = self.expression()?;
            self.expect("]")?;
            Kind::Element(name, Box::new(index))
        } else {
            Kind::Variable(name)
        };
        Ok(Expression { place, kind })
    }
}
