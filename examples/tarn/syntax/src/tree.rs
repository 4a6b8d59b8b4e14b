//! The syntax tree. Each part knows its place in the text.

use std::fmt;

/// A place in the text. Lines and columns count from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub line: u32,
    pub column: u32,
}

/// Why a text is no program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    pub place: Place,
    pub message: String,
}

impl Error {
    pub(crate) fn new(place: Place, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { place, message }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { line, column } = self.place;
        write!(f, "{line}:{column}: {}", self.message)
    }
}

impl std::error::Error for Error {}

/// Functions. Each is known in all of the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    pub functions: Vec<Function>,
}

/// A function of integers. It returns at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    pub place: Place,
    pub name: String,
    pub parameters: Vec<(String, Place)>,
    pub body: Vec<Statement>,
    pub result: Expression,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// `let x = 1;`
    Let {
        place: Place,
        name: String,
        value: Expression,
    },
    /// `let xs[8];`, all zero.
    Array {
        place: Place,
        name: String,
        length: i64,
    },
    /// `x = 1;`
    Assign {
        place: Place,
        name: String,
        value: Expression,
    },
    /// `xs[0] = 1;`
    Store {
        place: Place,
        name: String,
        index: Expression,
        value: Expression,
    },
    /// `if x { … } else { … }`; a condition is true unless it is zero.
    If {
        place: Place,
        condition: Expression,
        yes: Vec<Statement>,
        no: Vec<Statement>,
    },
    /// `while x { … }`
    While {
        place: Place,
        condition: Expression,
        body: Vec<Statement>,
    },
    /// `for i in 0..10 { … }`; both ends are computed once.
    For {
        place: Place,
        name: String,
        from: Expression,
        to: Expression,
        body: Vec<Statement>,
    },
}

/// An expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    pub place: Place,
    pub kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    Number(i64),
    Variable(String),
    /// `xs[i]`; the index is taken modulo the length.
    Element(String, Box<Expression>),
    Unary(Unary, Box<Expression>),
    Binary(Binary, Box<Expression>, Box<Expression>),
    Call(String, Vec<Expression>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unary {
    /// `-x`
    Negate,
    /// `!x`: one if `x` is zero, else zero.
    Not,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    /// The quotient, toward zero; zero where the divisor is zero.
    Divide,
    /// What is left of the division; zero where the divisor is zero.
    Remainder,
    And,
    Or,
    Xor,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Binary {
    /// Each operator with its text, the longest first, and how tightly it binds.
    pub(crate) const ALL: [(&str, Self, u8); 14] = [
        ("==", Self::Equal, 4),
        ("!=", Self::NotEqual, 4),
        ("<=", Self::LessOrEqual, 4),
        (">=", Self::GreaterOrEqual, 4),
        ("<", Self::Less, 4),
        (">", Self::Greater, 4),
        ("|", Self::Or, 1),
        ("^", Self::Xor, 2),
        ("&", Self::And, 3),
        ("+", Self::Add, 5),
        ("-", Self::Subtract, 5),
        ("*", Self::Multiply, 6),
        ("/", Self::Divide, 6),
        ("%", Self::Remainder, 6),
    ];
}
