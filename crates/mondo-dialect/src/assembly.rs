//! The custom form of an operation, said in pieces that are both read and written.
//!
//! `units.add %a, %b : !units.q<"m">` is
//! `[operand("lhs"), word(","), operand("rhs"), ATTR_DICT, word(":"), type_of(&["lhs", "rhs"])]`.
//! What an operation's pieces do not determine is an error when the crate is compiled.

use mondo_sys::*;

use crate::asm::{Parsed, Parser, Printer, said};
use crate::definition::{Op, Slot};
use crate::ir::{Operation, Type, Value, c_string};

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

/// Whether two texts are the same: `==` is not for constants.
pub(crate) const fn same(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let mut index = 0;
    while index < left.len() && index < right.len() && left[index] == right[index] {
        index += 1;
    }
    index == left.len() && index == right.len()
}

const fn has_operand(pieces: &[Piece], name: &str) -> bool {
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

const fn has_type(pieces: &[Piece], name: &str) -> bool {
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

const fn has_dictionary(pieces: &[Piece]) -> bool {
    let mut index = 0;
    while index < pieces.len() {
        if let Piece::AttrDict = pieces[index] {
            return true;
        }
        index += 1;
    }
    false
}

/// Refuses, while compiling, a form that does not determine the operation.
pub(crate) const fn check(op: &Op, pieces: &[Piece]) {
    assert!(
        has_dictionary(pieces),
        "a custom form without ATTR_DICT loses attributes"
    );
    let mut index = 0;
    while index < op.operands.len() {
        let name = op.operands[index].name;
        assert!(
            has_operand(pieces, name),
            "an operand is missing in the custom form"
        );
        assert!(
            has_type(pieces, name),
            "an operand's type is missing in the custom form"
        );
        index += 1;
    }
    index = 0;
    while index < op.results.len() {
        assert!(
            op.infer.is_some() || has_type(pieces, op.results[index].name),
            "a result's type is missing in the custom form, and not inferred either"
        );
        assert!(
            !op.results[index].variadic || op.infer.is_some(),
            "a variadic group of results has no custom form unless it is inferred"
        );
        index += 1;
    }
}

/// What was read so far.
struct Session<'p, 'c> {
    raw: *mut MondoSdkOpParser,
    base: &'p mut Parser<'c>,
    op: &'static Op,
    /// Where each operand of the definition begins among those read, and how many there are.
    operands: Vec<(&'static str, isize, isize)>,
    types: Vec<(&'static [&'static str], Type<'c>)>,
}

/// Reads an operation.
///
/// # Safety
///
/// `raw` is an operation's parser that is good for the call, as is what `base` reads from.
pub(crate) unsafe fn parse(
    op: &'static Op,
    pieces: &'static [Piece],
    raw: *mut MondoSdkOpParser,
    base: &mut Parser<'_>,
) -> Parsed<()> {
    let mut session = Session {
        raw,
        base,
        op,
        operands: Vec::new(),
        types: Vec::new(),
    };
    for piece in pieces {
        session.piece(piece)?;
    }
    session.finish()
}

impl<'c> Session<'_, 'c> {
    fn piece(&mut self, piece: &'static Piece) -> Parsed<()> {
        match *piece {
            Piece::Word(text) => self.base.expect(text),
            Piece::Operand(name) => {
                let variadic = self
                    .op
                    .operands
                    .iter()
                    .any(|it| it.name == name && it.variadic);
                // SAFETY: the parser lives as long as the session.
                unsafe {
                    let first = mondoSdkOpParserNumOperands(self.raw);
                    said(if variadic {
                        mondoSdkOpParserOperands(self.raw)
                    } else {
                        mondoSdkOpParserOperand(self.raw)
                    })?;
                    let count = mondoSdkOpParserNumOperands(self.raw) - first;
                    self.operands.push((name, first, count));
                }
                Ok(())
            }
            Piece::Attribute(name) => {
                let attribute = self.base.attribute()?;
                // SAFETY: the parser lives as long as the session, and the attribute is live.
                unsafe { mondoSdkOpParserAddAttribute(self.raw, c_string(name), attribute.raw) };
                Ok(())
            }
            Piece::TypeOf(names) => {
                let ty = self.base.ty()?;
                self.types.push((names, ty));
                Ok(())
            }
            // SAFETY: the parser lives as long as the session.
            Piece::AttrDict => said(unsafe { mondoSdkOpParserAttrDict(self.raw) }),
        }
    }

    fn type_of(&self, slot: &Slot) -> Option<Type<'c>> {
        let found = self
            .types
            .iter()
            .find(|(names, _)| names.contains(&slot.name));
        found.map(|(_, ty)| *ty)
    }

    /// Gives the operation its operands, in the order of the definition, and its results.
    fn finish(self) -> Parsed<()> {
        for slot in self.op.operands {
            let read = self.operands.iter().find(|(name, ..)| *name == slot.name);
            let (Some((_, first, count)), Some(ty)) = (read, self.type_of(slot)) else {
                continue; // `check` saw that both are there.
            };
            for index in *first..first + count {
                // SAFETY: the parser lives as long as the session, the index is of an operand it
                // has read, and the type is live.
                said(unsafe { mondoSdkOpParserResolve(self.raw, index, ty.raw) })?;
            }
        }
        if self.op.infer.is_some() {
            // SAFETY: the parser lives as long as the session.
            return said(unsafe { mondoSdkOpParserInfer(self.raw) });
        }
        for slot in self.op.results {
            if let Some(ty) = self.type_of(slot) {
                // SAFETY: the parser lives as long as the session, and the type is live.
                unsafe { mondoSdkOpParserAddType(self.raw, ty.raw) };
            }
        }
        Ok(())
    }
}

/// Where the values of a group are, given how many values there are in all; nowhere if there is no
/// group of that name, or too few values.
pub(crate) fn group(slots: &[Slot], name: &str, total: usize) -> std::ops::Range<usize> {
    let variadic = (total + 1).saturating_sub(slots.len());
    let mut first = 0;
    for slot in slots {
        let count = if slot.variadic { variadic } else { 1 };
        if slot.name == name && first + count <= total {
            return first..first + count;
        }
        first += count;
    }
    0..0
}

/// Writes an operation behind its name.
///
/// # Safety
///
/// `raw` is an operation's printer that is good for the call, as is what `base` writes to.
pub(crate) unsafe fn print(
    op: &'static Op,
    pieces: &[Piece],
    operation: Operation<'_>,
    raw: *mut MondoSdkOpPrinter,
    base: &mut Printer<'_>,
) {
    let operands = operation.operands();
    let results = operation.results();
    let mut tight = false;
    let mut elided = Vec::new();
    for piece in pieces {
        if let Piece::Attribute(name) = piece {
            elided.push(c_string(name));
        }
    }
    for piece in pieces {
        let closes = matches!(piece, Piece::Word("," | ")" | ">" | "]"));
        if !tight && !closes && !matches!(piece, Piece::AttrDict) {
            base.text(" ");
        }
        tight = matches!(piece, Piece::Word("(" | "<" | "["));
        match *piece {
            Piece::Word(text) => base.text(text),
            Piece::Operand(name) => {
                for (index, at) in group(op.operands, name, operands.len()).enumerate() {
                    if index > 0 {
                        base.text(", ");
                    }
                    // SAFETY: the printer is good for the call, and the value is live.
                    unsafe { mondoSdkOpPrinterOperand(raw, operands[at].raw) };
                }
            }
            Piece::Attribute(name) => {
                if let Some(attribute) = operation.attribute(name) {
                    base.attribute(attribute);
                }
            }
            Piece::TypeOf(names) => {
                let value = names.iter().find_map(|name| {
                    let operand = group(op.operands, name, operands.len()).next();
                    let result = group(op.results, name, results.len()).next();
                    operand
                        .map(|at| operands[at])
                        .or(result.map(|at| results[at]))
                });
                // An empty group has no type; any will do.
                base.ty(value.map_or_else(|| operation.context().none(), Value::ty));
            }
            // SAFETY: the printer is good for the call, the operation is live, and the names are a
            // vector's.
            Piece::AttrDict => unsafe {
                mondoSdkOpPrinterAttrDict(
                    raw,
                    operation.raw,
                    elided.len().cast_signed(),
                    elided.as_ptr(),
                );
            },
        }
    }
}
