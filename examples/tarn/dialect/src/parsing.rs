//! The pass `tarn-parse`: a program's text becomes operations, which have its places as their locations.

use std::collections::HashMap;
use std::ffi::CString;

use mondo_dialect::attributes::Str;
use mondo_dialect::ir::{
    Block, Ctx, Error, ErrorKind, Ir, Location, Op, OpBuilder, OwnedOp, Result, Value,
};
use mondo_dialect::{Attribute, Run, Type};
use tarn_syntax::{Binary, Expression, Function, Kind, Place, Statement, Unary};

use crate::types::{Array, Number};

pub(crate) fn run(run: &Run<'_, '_>) -> Result<()> {
    let body = run.op().region(0).and_then(|region| region.first());
    for op in body.into_iter().flat_map(Block::operations) {
        if op.name() == "tarn.source" {
            parse(run.ir(), op)?;
        }
    }
    Ok(())
}

fn text(attribute: Option<Attribute<'_>>) -> String {
    let text = attribute.and_then(Attribute::downcast::<Str>);
    text.map_or_else(String::new, |text| {
        String::from_utf8_lossy(text.value()).into_owned()
    })
}

/// Puts a program's functions in place of its text.
fn parse<'call, 'ctx>(ir: &'call Ir<'ctx>, source: Op<'call, 'ctx>) -> Result<()> {
    let (ctx, file) = (source.ctx(), text(source.attribute("file")));
    let program = tarn_syntax::parse(&text(source.attribute("text"))).map_err(|error| {
        let place = ctx.file(&file, error.place.line, error.place.column);
        if let Ok(message) = CString::new(error.message.as_str()) {
            place.emit_error(&message);
        }
        Error::new(ErrorKind::Parse, format!("{file} is no program: {error}"))
    })?;
    for function in &program.functions {
        source.insert_before(emit(ir, ctx, &file, function)?)?;
    }
    source.erase()
}

/// Makes the operations of a function.
struct Emitter<'a, 'call, 'ctx> {
    ir: &'call Ir<'ctx>,
    ctx: Ctx<'ctx>,
    file: &'a str,
    /// The arrays that stand for the variables of each block.
    scopes: Vec<HashMap<&'a str, Value<'call, 'ctx>>>,
    entry: Block<'call, 'ctx>,
    /// The last of the operations that make arrays. They are where the function begins, so that no loop makes more of them.
    last_array: Option<Op<'call, 'ctx>>,
    /// The block that operations are added to.
    block: Block<'call, 'ctx>,
}

fn emit<'ctx>(
    ir: &Ir<'ctx>,
    ctx: Ctx<'ctx>,
    file: &str,
    function: &Function,
) -> Result<OwnedOp<'ctx>> {
    let location = |place: Place| ctx.file(file, place.line, place.column);
    let number = ctx.defined_type(&Number)?;
    let inputs = vec![number; function.parameters.len()];
    let made = ir
        .build("tarn.func", location(function.place))
        .attribute("sym_name", ctx.string_attr(&function.name))
        .attribute(
            "function_type",
            ctx.type_attr(ctx.function(&inputs, &[number])),
        )
        .regions(1)
        .finish()?;
    let parameters = function.parameters.iter();
    let arguments: Vec<_> = parameters
        .map(|(_, place)| (number, location(*place)))
        .collect();
    let region = made.op(ir).region(0);
    let entry = region.ok_or_else(|| Error::new(ErrorKind::Build, "a function has a region"))?;
    let entry = entry.append_block(&arguments)?;
    let mut emitter = Emitter {
        ir,
        ctx,
        file,
        scopes: vec![HashMap::new()],
        entry,
        last_array: None,
        block: entry,
    };
    for ((name, place), value) in function.parameters.iter().zip(entry.arguments()) {
        emitter.declare(name, *place, value)?;
    }
    emitter.statements(&function.body)?;
    let result = emitter.value(&function.result)?;
    let end = emitter
        .op("tarn.return", function.result.place)
        .operand(result);
    end.at_end(emitter.block)?;
    Ok(made)
}

impl<'a, 'call, 'ctx> Emitter<'a, 'call, 'ctx> {
    fn location(&self, place: Place) -> Location<'ctx> {
        self.ctx.file(self.file, place.line, place.column)
    }

    fn op(&self, name: &str, place: Place) -> OpBuilder<'call, 'ctx> {
        self.ir.build(name, self.location(place))
    }

    /// Adds an operation whose one result is a number.
    fn result(&self, op: OpBuilder<'call, 'ctx>) -> Result<Value<'call, 'ctx>> {
        let op = op.infer().at_end(self.block)?;
        let result = op.result(0);
        result.ok_or_else(|| Error::new(ErrorKind::Missing, "an operation has no result"))
    }

    fn constant(&self, value: i64, place: Place) -> Result<Value<'call, 'ctx>> {
        let value = self.ctx.integer_attr(self.ctx.i64(), value);
        self.result(self.op("tarn.constant", place).attribute("value", value))
    }

    fn array(&mut self, length: i64, place: Place) -> Result<Value<'call, 'ctx>> {
        let type_: Type<'ctx> = self.ctx.defined_type(&Array { length })?;
        let made = self.op("tarn.array", place).result(type_);
        let made = match (self.last_array, self.entry.first()) {
            (Some(last), _) => made.after(last)?,
            (None, Some(first)) => made.before(first)?,
            (None, None) => made.at_end(self.entry)?,
        };
        self.last_array = Some(made);
        let result = made.result(0);
        result.ok_or_else(|| Error::new(ErrorKind::Missing, "an operation has no result"))
    }

    fn bind(&mut self, name: &'a str, array: Value<'call, 'ctx>) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, array);
        }
    }

    /// Declares a variable with that value.
    fn declare(&mut self, name: &'a str, place: Place, value: Value<'call, 'ctx>) -> Result<()> {
        let array = self.array(1, place)?;
        self.bind(name, array);
        self.set(array, None, value, place)
    }

    fn named(&self, name: &str) -> Result<Value<'call, 'ctx>> {
        let found = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        let missing = || Error::new(ErrorKind::Missing, format!("there is no variable `{name}`"));
        found.copied().ok_or_else(missing)
    }

    /// Changes an element, or a variable's only one.
    fn set(
        &self,
        array: Value<'call, 'ctx>,
        index: Option<Value<'call, 'ctx>>,
        value: Value<'call, 'ctx>,
        place: Place,
    ) -> Result<()> {
        let index = index.map_or_else(|| self.constant(0, place), Ok)?;
        let set = self.op("tarn.set", place).operands(&[value, array, index]);
        set.at_end(self.block).map(drop)
    }

    fn get(
        &self,
        array: Value<'call, 'ctx>,
        index: Option<Value<'call, 'ctx>>,
        place: Place,
    ) -> Result<Value<'call, 'ctx>> {
        let index = index.map_or_else(|| self.constant(0, place), Ok)?;
        self.result(self.op("tarn.get", place).operands(&[array, index]))
    }

    /// Adds the operations of `fill` to a new block of a region.
    fn inside(
        &mut self,
        op: Op<'call, 'ctx>,
        region: usize,
        fill: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let region = op.region(region);
        let region = region.ok_or_else(|| Error::new(ErrorKind::Missing, "a region is missing"))?;
        let around = std::mem::replace(&mut self.block, region.append_block(&[])?);
        self.scopes.push(HashMap::new());
        fill(self)?;
        self.scopes.pop();
        self.block = around;
        Ok(())
    }

    fn block(&mut self, body: &'a [Statement], place: Place) -> Result<()> {
        self.statements(body)?;
        self.op("tarn.yield", place).at_end(self.block).map(drop)
    }

    fn statements(&mut self, body: &'a [Statement]) -> Result<()> {
        body.iter()
            .try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &'a Statement) -> Result<()> {
        match statement {
            Statement::Let { place, name, value } => {
                let value = self.value(value)?;
                self.declare(name, *place, value)
            }
            Statement::Array {
                place,
                name,
                length,
            } => {
                let array = self.array(*length, *place)?;
                self.bind(name, array);
                let clear = self.op("tarn.clear", *place).operand(array);
                clear.at_end(self.block).map(drop)
            }
            Statement::Assign { place, name, value } => {
                let value = self.value(value)?;
                self.set(self.named(name)?, None, value, *place)
            }
            Statement::Store {
                place,
                name,
                index,
                value,
            } => {
                let index = self.value(index)?;
                let value = self.value(value)?;
                self.set(self.named(name)?, Some(index), value, *place)
            }
            Statement::If {
                place,
                condition,
                yes,
                no,
            } => {
                let condition = self.value(condition)?;
                let op = self.op("tarn.if", *place).operand(condition).regions(2);
                let op = op.at_end(self.block)?;
                self.inside(op, 0, |emitter| emitter.block(yes, *place))?;
                self.inside(op, 1, |emitter| emitter.block(no, *place))
            }
            Statement::While {
                place,
                condition,
                body,
            } => {
                let op = self
                    .op("tarn.while", *place)
                    .regions(2)
                    .at_end(self.block)?;
                self.inside(op, 0, |emitter| {
                    let value = emitter.value(condition)?;
                    let end = emitter.op("tarn.condition", condition.place).operand(value);
                    end.at_end(emitter.block).map(drop)
                })?;
                self.inside(op, 1, |emitter| emitter.block(body, *place))
            }
            Statement::For {
                place,
                name,
                from,
                to,
                body,
            } => {
                let (from, to) = (self.value(from)?, self.value(to)?);
                self.counted(name, *place, from, to, body)
            }
        }
    }

    /// A loop that counts. The body's variable is one of its own, which may be changed.
    fn counted(
        &mut self,
        name: &'a str,
        place: Place,
        from: Value<'call, 'ctx>,
        to: Value<'call, 'ctx>,
        body: &'a [Statement],
    ) -> Result<()> {
        let counter = self.array(1, place)?;
        self.set(counter, None, from, place)?;
        let op = self.op("tarn.while", place).regions(2).at_end(self.block)?;
        self.inside(op, 0, |emitter| {
            let count = emitter.get(counter, None, place)?;
            let value = emitter.compare(Binary::Less, count, to, place)?;
            let end = emitter.op("tarn.condition", place).operand(value);
            end.at_end(emitter.block).map(drop)
        })?;
        self.inside(op, 1, |emitter| {
            let count = emitter.get(counter, None, place)?;
            emitter.declare(name, place, count)?;
            let one = emitter.constant(1, place)?;
            let next = emitter.op("tarn.add", place).operands(&[count, one]);
            let next = emitter.result(next)?;
            emitter.set(counter, None, next, place)?;
            emitter.scopes.push(HashMap::new());
            emitter.block(body, place)?;
            emitter.scopes.pop();
            Ok(())
        })
    }

    fn compare(
        &self,
        operator: Binary,
        left: Value<'call, 'ctx>,
        right: Value<'call, 'ctx>,
        place: Place,
    ) -> Result<Value<'call, 'ctx>> {
        let predicate = match operator {
            Binary::Equal => 0,
            Binary::NotEqual => 1,
            Binary::Less => 2,
            Binary::LessOrEqual => 3,
            Binary::Greater => 4,
            _ => 5,
        };
        let predicate = self.ctx.integer_attr(self.ctx.i32(), predicate);
        let compare = self
            .op("tarn.compare", place)
            .attribute("predicate", predicate);
        self.result(compare.operands(&[left, right]))
    }

    fn value(&self, expression: &Expression) -> Result<Value<'call, 'ctx>> {
        let place = expression.place;
        match &expression.kind {
            Kind::Number(number) => self.constant(*number, place),
            Kind::Variable(name) => self.get(self.named(name)?, None, place),
            Kind::Element(name, index) => {
                let index = self.value(index)?;
                self.get(self.named(name)?, Some(index), place)
            }
            Kind::Unary(operator, operand) => {
                let (operand, zero) = (self.value(operand)?, self.constant(0, place)?);
                match operator {
                    Unary::Negate => {
                        self.result(self.op("tarn.sub", place).operands(&[zero, operand]))
                    }
                    Unary::Not => self.compare(Binary::Equal, operand, zero, place),
                }
            }
            Kind::Binary(operator, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                let name = match operator {
                    Binary::Add => "tarn.add",
                    Binary::Subtract => "tarn.sub",
                    Binary::Multiply => "tarn.mul",
                    Binary::Divide => "tarn.div",
                    Binary::Remainder => "tarn.rem",
                    Binary::And => "tarn.and",
                    Binary::Or => "tarn.or",
                    Binary::Xor => "tarn.xor",
                    _ => return self.compare(*operator, left, right, place),
                };
                self.result(self.op(name, place).operands(&[left, right]))
            }
            Kind::Call(name, arguments) => {
                let arguments = arguments.iter().map(|argument| self.value(argument));
                let arguments = arguments.collect::<Result<Vec<_>>>()?;
                let call = self.op("tarn.call", place).operands(&arguments);
                self.result(call.attribute("callee", self.ctx.symbol_ref(name)))
            }
        }
    }
}
