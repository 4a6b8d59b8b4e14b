//! The parser and printer of an operation's custom assembly form, which interpret the pieces of its
//! definition.

use mondo_ir::Type;
use mondo_ir::sdk::{OpParser, OpPrinter, Parsed, Value};

use crate::assembly::Piece;
use crate::definition::{Op, Slot};

/// The operands and types read so far.
struct Session<'s, 'p, 'ctx> {
    parser: &'s mut OpParser<'p, 'ctx>,
    op: &'static Op,
    /// The index at which each operand of the definition begins among those read, and how many there are.
    operands: Vec<(&'static str, usize, usize)>,
    types: Vec<(&'static [&'static str], Type<'ctx>)>,
}

/// Reads an operation.
pub(crate) fn parse(
    op: &'static Op,
    pieces: &'static [Piece],
    parser: &mut OpParser<'_, '_>,
) -> Parsed<()> {
    let mut session = Session {
        parser,
        op,
        operands: Vec::new(),
        types: Vec::new(),
    };
    for piece in pieces {
        session.piece(piece)?;
    }
    session.finish()
}

impl<'ctx> Session<'_, '_, 'ctx> {
    fn piece(&mut self, piece: &'static Piece) -> Parsed<()> {
        match *piece {
            Piece::Word(text) => self.parser.base().expect(text),
            Piece::Operand(name) => {
                let variadic = self
                    .op
                    .operands
                    .iter()
                    .any(|operand| operand.name == name && operand.variadic);
                let first = self.parser.operand_count();
                if variadic {
                    self.parser.operands()?;
                } else {
                    self.parser.operand()?;
                }
                let count = self.parser.operand_count() - first;
                self.operands.push((name, first, count));
                Ok(())
            }
            Piece::Attribute(name) => {
                let attribute = self.parser.base().attribute()?;
                self.parser.add_attribute(name, attribute);
                Ok(())
            }
            Piece::TypeOf(names) => {
                let ty = self.parser.base().type_()?;
                self.types.push((names, ty));
                Ok(())
            }
            Piece::AttrDict => self.parser.attr_dict(),
        }
    }

    fn type_of(&self, slot: &Slot) -> Option<Type<'ctx>> {
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
                continue; // `check_form` saw that both are there.
            };
            for index in *first..first + count {
                self.parser.resolve(index, ty)?;
            }
        }
        if self.op.infer.is_some() {
            return self.parser.infer();
        }
        for slot in self.op.results {
            if let Some(ty) = self.type_of(slot) {
                self.parser.add_type(ty);
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
pub(crate) fn print(op: &'static Op, pieces: &[Piece], printer: &mut OpPrinter<'_, '_>) {
    let operation = printer.operation();
    let operands = operation.operands();
    let results = operation.results();
    let mut tight = false;
    let mut elided = Vec::new();
    for piece in pieces {
        if let Piece::Attribute(name) = piece {
            elided.push(*name);
        }
    }
    for piece in pieces {
        let closes = matches!(piece, Piece::Word("," | ")" | ">" | "]"));
        if !tight && !closes && !matches!(piece, Piece::AttrDict) {
            printer.base().text(" ");
        }
        tight = matches!(piece, Piece::Word("(" | "<" | "["));
        match *piece {
            Piece::Word(text) => printer.base().text(text),
            Piece::Operand(name) => {
                for (index, at) in group(op.operands, name, operands.len()).enumerate() {
                    if index > 0 {
                        printer.base().text(", ");
                    }
                    printer.operand(operands[at]);
                }
            }
            Piece::Attribute(name) => {
                if let Some(attribute) = operation.attribute(name) {
                    printer.base().attribute(attribute);
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
                let any = || operation.uniquer().none().any();
                printer.base().type_(value.map_or_else(any, Value::type_));
            }
            Piece::AttrDict => printer.attr_dict(&elided),
        }
    }
}
