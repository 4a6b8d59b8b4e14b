//! The parser and printer of an operation's custom assembly form, which interpret the pieces of its
//! definition.

use mondo_ir::sdk::{Count, OpParser, OpPrinter, Operation, Parsed, Value};
use mondo_ir::{Attribute, Type};

use crate::assembly::Piece;
use crate::interfaces;
use crate::op::Op;
use crate::slots::Slot;

pub(crate) const OPERAND_SEGMENTS: &str = "operandSegmentSizes";
pub(crate) const RESULT_SEGMENTS: &str = "resultSegmentSizes";

/// Returns true if an attribute says how many values each group has.
pub(crate) fn has_segments(slots: &[Slot]) -> bool {
    slots
        .iter()
        .filter(|slot| slot.group.count.is_open())
        .count()
        > 1
}

/// The parts read so far.
struct Session<'s, 'p, 'ctx> {
    parser: &'s mut OpParser<'p, 'ctx>,
    op: &'static Op,
    /// The index at which each group of operands begins among those read, and how many there are.
    operands: Vec<(&'static str, usize, usize)>,
    /// The one type of several operands and results.
    types: Vec<(&'static [&'static str], Type<'ctx>)>,
    /// The types of a group.
    lists: Vec<(&'static str, Vec<Type<'ctx>>)>,
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
        lists: Vec::new(),
    };
    session.pieces(pieces)?;
    session.finish()
}

impl<'ctx> Session<'_, '_, 'ctx> {
    fn pieces(&mut self, pieces: &'static [Piece]) -> Parsed<()> {
        pieces.iter().try_for_each(|piece| self.piece(piece))
    }

    fn piece(&mut self, piece: &'static Piece) -> Parsed<()> {
        match *piece {
            Piece::Word(text) => self.parser.base().expect(text),
            Piece::Operand(name) => self.operand(name),
            Piece::Attribute(name) => self.attribute(name),
            Piece::TypeOf(names) => {
                let ty = self.parser.base().type_()?;
                self.types.push((names, ty));
                Ok(())
            }
            Piece::TypesOf(name) => {
                let mut all: Vec<_> = self.parser.base().optional_type()?.into_iter().collect();
                while !all.is_empty() && self.parser.base().take(",") {
                    all.push(self.parser.base().type_()?);
                }
                self.lists.push((name, all));
                Ok(())
            }
            Piece::SymbolName(attribute) => self.parser.symbol_name(attribute),
            Piece::Arguments(_) => self.parser.arguments(),
            Piece::Region(name) => self.region(name),
            Piece::Successor(name) => self.successor(name),
            Piece::When(part, inner) => self.when(part, inner),
            Piece::AttrDict => self.parser.attr_dict(),
            Piece::Attributes => self.parser.attributes(),
        }
    }

    fn operand(&mut self, name: &'static str) -> Parsed<()> {
        let slot = self.op.operands.iter().find(|slot| slot.group.name == name);
        let first = self.parser.operand_count();
        match slot.map_or(Count::One, |slot| slot.group.count) {
            Count::One => self.parser.operand()?,
            Count::Optional => {
                self.parser.optional_operand()?;
            }
            Count::Variadic => self.parser.operands()?,
        }
        let count = self.parser.operand_count() - first;
        self.operands.push((name, first, count));
        Ok(())
    }

    fn attribute(&mut self, name: &'static str) -> Parsed<()> {
        let definition = self.op.attributes.iter().find(|one| one.name == name);
        let Some(cases) = definition.and_then(|one| one.constraint.cases) else {
            let attribute = self.parser.base().attribute()?;
            self.parser.add_attribute(name, attribute);
            return Ok(());
        };
        let place = self.parser.base().place();
        let word = self.parser.base().keyword()?;
        let Some(case) = cases.cases.iter().find(|case| case.name == word) else {
            let names: Vec<_> = cases.cases.iter().map(|case| case.name).collect();
            let message = format!("expected one of {}, found '{word}'", names.join(", "));
            return Err(place.error(message));
        };
        let uniquer = self.parser.base().uniquer();
        let attribute = cases.attribute(uniquer, case.value);
        self.parser.add_attribute(name, attribute);
        Ok(())
    }

    fn region(&mut self, name: &'static str) -> Parsed<()> {
        let Some(first) = interfaces::region(self.op, name) else {
            return Ok(()); // `check_form` does not refuse a form that names another region.
        };
        if !self.op.regions[first].group.count.is_open() {
            return self.parser.region(first);
        }
        let mut index = first;
        while self.parser.optional_region(index)? {
            index += 1;
            if !self.parser.base().take(",") {
                break;
            }
        }
        Ok(())
    }

    fn successor(&mut self, name: &'static str) -> Parsed<()> {
        let slot = self
            .op
            .successors
            .iter()
            .find(|slot| slot.group.name == name);
        if slot.is_none_or(|slot| !slot.group.count.is_open()) {
            return self.parser.successor();
        }
        if self.parser.optional_successor()? {
            while self.parser.base().take(",") {
                self.parser.successor()?;
            }
        }
        Ok(())
    }

    fn when(&mut self, part: &'static str, pieces: &'static [Piece]) -> Parsed<()> {
        let [Piece::Word(first), rest @ ..] = pieces else {
            return self.pieces(pieces); // `check_form` refuses a form without a word here.
        };
        if !self.parser.base().take(first) {
            return Ok(());
        }
        let is_unit = interfaces::attribute(self.op, part).is_some()
            && !rest
                .iter()
                .any(|piece| matches!(piece, Piece::Attribute(name) if *name == part));
        if is_unit {
            let unit = self.parser.base().uniquer().unit().any();
            self.parser.add_attribute(part, unit);
        }
        self.pieces(rest)
    }

    fn type_of(&self, slot: &Slot) -> Option<Type<'ctx>> {
        let found = self
            .types
            .iter()
            .find(|(names, _)| names.contains(&slot.group.name));
        found.map(|(_, ty)| *ty)
    }

    fn types_of(&self, slot: &Slot) -> Option<&[Type<'ctx>]> {
        let found = self.lists.iter().find(|(name, _)| *name == slot.group.name);
        found.map(|(_, types)| types.as_slice())
    }

    /// Gives the operation its operands, in the order of the definition, and its results.
    fn finish(self) -> Parsed<()> {
        let mut sizes = Vec::new();
        for slot in self.op.operands {
            let name = slot.group.name;
            let read = self.operands.iter().find(|(other, ..)| *other == name);
            let (first, count) = read.map_or((0, 0), |(_, first, count)| (*first, *count));
            sizes.push(count as i32);
            let types = match (self.types_of(slot), self.type_of(slot)) {
                (Some(types), _) => types.to_vec(),
                (None, Some(one)) => vec![one; count],
                (None, None) => Vec::new(),
            };
            if types.len() != count {
                let message = format!("has {count} operands `{name}`, but {} types", types.len());
                return Err(mondo_ir::sdk::Error::new(message).into());
            }
            for (at, ty) in types.into_iter().enumerate() {
                self.parser.resolve(first + at, ty)?;
            }
        }
        let uniquer = self.parser.base().uniquer();
        if has_segments(self.op.operands) {
            let sizes = uniquer.i32_array(&sizes).any();
            self.parser.add_attribute(OPERAND_SEGMENTS, sizes);
        }
        if self.op.infer.is_some() {
            return self.parser.infer();
        }
        sizes = Vec::new();
        for slot in self.op.results {
            let types = match (self.types_of(slot), self.type_of(slot)) {
                (Some(types), _) => types.to_vec(),
                (None, one) => one.into_iter().collect(),
            };
            sizes.push(types.len() as i32);
            for ty in types {
                self.parser.add_type(ty);
            }
        }
        if has_segments(self.op.results) {
            let sizes = uniquer.i32_array(&sizes).any();
            self.parser.add_attribute(RESULT_SEGMENTS, sizes);
        }
        Ok(())
    }
}

/// An operation that is written.
struct Writer<'w, 'p, 'ctx> {
    printer: &'w mut OpPrinter<'p, 'ctx>,
    op: &'static Op,
    operation: Operation<'ctx>,
    /// The names of attributes that are not in the dictionary.
    elided: Vec<&'static str>,
    /// Returns true if what is next follows an opening bracket.
    tight: bool,
    /// Returns true if the arguments of the region that is next are written.
    with_arguments: bool,
}

/// Writes an operation behind its name.
pub(crate) fn print(op: &'static Op, pieces: &'static [Piece], printer: &mut OpPrinter<'_, '_>) {
    let operation = printer.operation();
    let mut elided = vec![OPERAND_SEGMENTS, RESULT_SEGMENTS];
    for attribute in op.attributes {
        let default = attribute.default.map(|make| make(operation.uniquer()));
        if default.is_some() && operation.attribute(attribute.name) == default {
            elided.push(attribute.name);
        }
    }
    add_written(pieces, &mut elided);
    let mut writer = Writer {
        printer,
        op,
        operation,
        elided,
        tight: false,
        with_arguments: false,
    };
    writer.pieces(pieces);
}

/// Adds the attributes that have a piece.
fn add_written(pieces: &[Piece], names: &mut Vec<&'static str>) {
    for piece in pieces {
        match piece {
            Piece::Attribute(name) | Piece::SymbolName(name) => names.push(name),
            Piece::When(part, inner) => {
                names.push(part);
                add_written(inner, names);
            }
            _ => {}
        }
    }
}

impl<'ctx> Writer<'_, '_, 'ctx> {
    fn pieces(&mut self, pieces: &'static [Piece]) {
        for piece in pieces {
            self.piece(piece);
        }
    }

    /// Writes the space before a piece.
    fn space(&mut self, piece: &Piece) {
        let closes = matches!(piece, Piece::Word("," | ")" | ">" | "]"));
        let has_own = matches!(piece, Piece::AttrDict | Piece::Attributes | Piece::When(..));
        if has_own {
            return;
        }
        if !self.tight && !closes {
            self.printer.base().text(" ");
        }
        self.tight = matches!(piece, Piece::Word("(" | "<" | "["));
    }

    fn piece(&mut self, piece: &'static Piece) {
        if self.is_nothing(piece) {
            return;
        }
        self.space(piece);
        match *piece {
            Piece::Word(text) => self.printer.base().text(text),
            Piece::Operand(name) => {
                for (index, value) in self.operation.operand_group(name).into_iter().enumerate() {
                    if index > 0 {
                        self.printer.base().text(", ");
                    }
                    self.printer.operand(value);
                }
            }
            Piece::Attribute(name) => {
                if let Some(attribute) = self.operation.attribute(name) {
                    self.attribute(name, attribute);
                }
            }
            Piece::TypeOf(names) => {
                let value = names
                    .iter()
                    .find_map(|name| self.values(name).first().copied());
                // An empty group has no type; any will do.
                let any = || self.operation.uniquer().none().any();
                let ty = value.map_or_else(any, Value::type_);
                self.printer.base().type_(ty);
            }
            Piece::TypesOf(name) => {
                for (index, value) in self.values(name).into_iter().enumerate() {
                    if index > 0 {
                        self.printer.base().text(", ");
                    }
                    self.printer.base().type_(value.type_());
                }
            }
            Piece::SymbolName(name) => {
                let text = self.operation.attribute(name).and_then(text);
                self.printer.symbol_name(text.unwrap_or_default());
            }
            Piece::Arguments(name) => {
                let entry = interfaces::region(self.op, name)
                    .and_then(|index| self.operation.region(index))
                    .and_then(mondo_ir::sdk::Region::entry);
                match entry {
                    Some(block) => self.printer.arguments(block),
                    None => self.printer.base().text("()"),
                }
                self.with_arguments = true;
            }
            Piece::Region(name) => {
                let with_arguments = !std::mem::take(&mut self.with_arguments);
                let first = interfaces::region(self.op, name).unwrap_or_default();
                let open = self.op.regions[first].group.count.is_open();
                let regions = self.operation.regions();
                let end = if open { regions.len() } else { first + 1 };
                for (index, region) in regions
                    .get(first..end)
                    .unwrap_or_default()
                    .iter()
                    .enumerate()
                {
                    if index > 0 {
                        self.printer.base().text(", ");
                    }
                    self.printer.region(*region, with_arguments);
                }
            }
            Piece::Successor(name) => {
                let first = interfaces::successor(self.op, name).unwrap_or_default();
                let open = self.op.successors[first].group.count.is_open();
                let all = self.operation.successors();
                let end = if open { all.len() } else { first + 1 };
                for (index, block) in all.get(first..end).unwrap_or_default().iter().enumerate() {
                    if index > 0 {
                        self.printer.base().text(", ");
                    }
                    self.printer.successor(*block);
                }
            }
            Piece::When(part, inner) => {
                if self.is_there(part) {
                    self.pieces(inner);
                }
            }
            Piece::AttrDict => self.printer.attr_dict(&self.elided),
            Piece::Attributes => self.printer.attributes(&self.elided),
        }
    }

    /// Returns true if there is nothing to write, not even a space.
    fn is_nothing(&self, piece: &Piece) -> bool {
        match piece {
            Piece::Operand(name) => self.operation.operand_group(name).is_empty(),
            Piece::TypesOf(name) => self.values(name).is_empty(),
            Piece::Attribute(name) => self.operation.attribute(name).is_none(),
            _ => false,
        }
    }

    fn attribute(&mut self, name: &str, attribute: Attribute<'ctx>) {
        let definition = self.op.attributes.iter().find(|one| one.name == name);
        let cases = definition.and_then(|one| one.constraint.cases);
        match cases.and_then(|cases| cases.case_of(attribute)) {
            Some(case) => self.printer.base().text(case.name),
            None => self.printer.base().attribute(attribute),
        }
    }

    /// The values of a group of operands or results.
    fn values(&self, name: &str) -> Vec<Value<'ctx>> {
        let operands = self.operation.operand_group(name);
        if operands.is_empty() {
            return self.operation.result_group(name);
        }
        operands
    }

    /// Returns true if a part that may be left out is there.
    fn is_there(&self, part: &'static str) -> bool {
        if let Some(index) = interfaces::attribute(self.op, part) {
            let definition = &self.op.attributes[index];
            let default = definition
                .default
                .map(|make| make(self.operation.uniquer()));
            let found = self.operation.attribute(part);
            return found.is_some() && found != default;
        }
        if let Some(index) = interfaces::region(self.op, part) {
            let regions = self.operation.regions();
            return regions
                .get(index..)
                .unwrap_or_default()
                .iter()
                .take(if self.op.regions[index].group.count.is_open() {
                    usize::MAX
                } else {
                    1
                })
                .any(|region| region.entry().is_some());
        }
        if let Some(index) = interfaces::successor(self.op, part) {
            return self.operation.successors().len() > index;
        }
        !self.values(part).is_empty()
    }
}

/// The text of a string.
fn text(attribute: Attribute<'_>) -> Option<&str> {
    let value = attribute.downcast::<mondo_ir::attributes::Str>()?.value();
    std::str::from_utf8(value).ok()
}
