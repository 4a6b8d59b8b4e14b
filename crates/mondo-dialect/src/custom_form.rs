//! Reads and prints the custom form of an operation by the pieces of its definition.

use mondo_sys::*;

use crate::asm::{Parsed, Parser, Printer, said};
use crate::assembly::Piece;
use crate::definition::{Op, Slot};
use crate::ir::{Operation, Type, Value, c_string};

/// The operands and types read so far.
struct Session<'p, 'c> {
    raw: *mut MondoSdkOpParser,
    base: &'p mut Parser<'c>,
    op: &'static Op,
    /// The index at which each operand of the definition begins among those read, and how many there are.
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

/// The range of the values of a group, given how many values there are in all; none if there is no
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
