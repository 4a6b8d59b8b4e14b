//! The custom form of an operation, said in pieces that are both read and written.
//!
//! `units.add %a, %b : !units.q<"m">` is
//! `[operand("lhs"), word(","), operand("rhs"), ATTR_DICT, word(":"), type_of(&["lhs", "rhs"])]`.
//! A form that leaves a part of the operation open is an error when the crate is compiled.

/// One piece of an operation's custom form.
#[derive(Debug, Clone, Copy)]
pub enum Piece {
    /// A token or a keyword.
    Word(&'static str),
    /// An operand, or the whole group if that is variadic.
    Operand(&'static str),
    /// An attribute, which then is not in the dictionary.
    Attribute(&'static str),
    /// The one type of all these operands and results.
    TypeOf(&'static [&'static str]),
    /// The attributes that have no piece of their own, if there are any.
    AttrDict,
}

/// A token or a keyword: `,`, `:`, `->`, `to`.
#[must_use]
pub const fn word(text: &'static str) -> Piece {
    Piece::Word(text)
}

/// The operand of that name.
#[must_use]
pub const fn operand(name: &'static str) -> Piece {
    Piece::Operand(name)
}

/// The attribute of that name.
#[must_use]
pub const fn attribute(name: &'static str) -> Piece {
    Piece::Attribute(name)
}

/// The one type that all of these have, operands or results.
#[must_use]
pub const fn type_of(names: &'static [&'static str]) -> Piece {
    Piece::TypeOf(names)
}

/// The other attributes.
pub const ATTR_DICT: Piece = Piece::AttrDict;

/// Compares two texts in constants, where `==` cannot be used.
pub(crate) const fn same(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let mut index = 0;
    while index < left.len() && index < right.len() && left[index] == right[index] {
        index += 1;
    }
    index == left.len() && index == right.len()
}

pub(crate) const fn has_operand(pieces: &[Piece], name: &str) -> bool {
    let mut index = 0;
    while index < pieces.len() {
        if let Piece::Operand(other) = pieces[index]
            && same(name, other)
        {
            return true;
        }
        index += 1;
    }
    false
}

pub(crate) const fn has_type(pieces: &[Piece], name: &str) -> bool {
    let mut index = 0;
    while index < pieces.len() {
        if let Piece::TypeOf(names) = pieces[index] {
            let mut at = 0;
            while at < names.len() {
                if same(name, names[at]) {
                    return true;
                }
                at += 1;
            }
        }
        index += 1;
    }
    false
}

pub(crate) const fn has_dictionary(pieces: &[Piece]) -> bool {
    let mut index = 0;
    while index < pieces.len() {
        if let Piece::AttrDict = pieces[index] {
            return true;
        }
        index += 1;
    }
    false
}
