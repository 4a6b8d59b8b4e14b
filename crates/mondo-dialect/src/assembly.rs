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
    /// The types of a variadic group of operands or results, with commas between them.
    TypesOf(&'static str),
    /// The name of the symbol that the operation defines, from the attribute of that name.
    SymbolName(&'static str),
    /// A region, or the whole group if that is variadic.
    Region(&'static str),
    /// The arguments of the first block of the region that follows, in parentheses.
    Arguments(&'static str),
    /// A successor, or the whole group if that is variadic.
    Successor(&'static str),
    /// Pieces that are there if an operand, a result, an attribute, a region or a successor is.
    When(&'static str, &'static [Piece]),
    /// The attributes that have no piece of their own, if there are any.
    AttrDict,
    /// The same after the keyword `attributes`, for a form in which a region follows.
    Attributes,
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

/// The types of the variadic group of that name, with commas between them; nothing for an empty group.
#[must_use]
pub const fn types_of(name: &'static str) -> Piece {
    Piece::TypesOf(name)
}

/// The name of the symbol that the operation defines, `@f`, from the attribute of that name.
#[must_use]
pub const fn symbol_name(attribute: &'static str) -> Piece {
    Piece::SymbolName(attribute)
}

/// The region of that name, in braces.
#[must_use]
pub const fn region(name: &'static str) -> Piece {
    Piece::Region(name)
}

/// The arguments of the first block of a region, `(%a: i32)`. Its [`region`] is written without them then.
#[must_use]
pub const fn arguments(region: &'static str) -> Piece {
    Piece::Arguments(region)
}

/// The successor of that name.
#[must_use]
pub const fn successor(name: &'static str) -> Piece {
    Piece::Successor(name)
}

/// Pieces that are there if the part of that name is: an operand, a result, an attribute, a region or a successor that may
/// be left out. They begin with a word, by which they are recognised. An attribute without a piece among them is a unit.
#[must_use]
pub const fn when(part: &'static str, pieces: &'static [Piece]) -> Piece {
    Piece::When(part, pieces)
}

/// The other attributes.
pub const ATTR_DICT: Piece = Piece::AttrDict;

/// The other attributes, after the keyword `attributes`: for a form in which a region follows.
pub const ATTRIBUTES: Piece = Piece::Attributes;

/// Compares two texts in constants, where `==` cannot be used.
pub(crate) const fn same(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let mut index = 0;
    while index < left.len() && index < right.len() && left[index] == right[index] {
        index += 1;
    }
    index == left.len() && index == right.len()
}
