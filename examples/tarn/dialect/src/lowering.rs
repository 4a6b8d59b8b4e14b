//! The pass `tarn-lower`: a conversion to `arith`, `memref`, `scf` and `func`.

use mondo_dialect::attributes::TypeValue;
use mondo_dialect::ir::types::Function;
use mondo_dialect::ir::{Conversion, Error, ErrorKind, Op, OpBuilder, Region, Result, Value};
use mondo_dialect::{Adaptor, Attribute, ConversionRewriter, Run};

use crate::types::{Array, Number};

pub(crate) fn set_up<'ctx>(run: &Run<'_, 'ctx>, conversion: &mut Conversion<'ctx>) -> Result<()> {
    let c_interface = run.flag("c-interface");
    conversion
        .illegal_dialects(&["tarn"])
        .legal_dialects(&["arith", "memref", "scf", "func"])
        .convert_type(|type_| {
            let ctx = type_.uniquer();
            if type_.parameters::<Number>().is_some() {
                return Ok(Some(vec![ctx.i64().any()]));
            }
            let Some(array) = type_.parameters::<Array>() else {
                return Ok(None);
            };
            let length = array.length.unsigned_abs();
            Ok(Some(vec![
                ctx.memref(&[Some(length)], ctx.i64(), None)?.any(),
            ]))
        })
        .pattern("tarn.func", 1, move |rewriter, op, _| {
            function(rewriter, op, c_interface)
        })
        .pattern("tarn.constant", 1, |rewriter, op, _| {
            let value = op.attribute("value").ok_or_else(|| missing("value"))?;
            let build = Build { rewriter, op };
            let new = build.op("arith.constant").attribute("value", value);
            rewriter.replace(&[build.value(new)?]);
            Ok(true)
        })
        .pattern("tarn.call", 1, |rewriter, op, adaptor| {
            let callee = op.attribute("callee").ok_or_else(|| missing("callee"))?;
            let call = rewriter.ir().build("func.call", op.location());
            let call = call
                .operands(&adaptor.operands()?)
                .attribute("callee", callee);
            let call = rewriter.insert(call.result(op.ctx().i64()).finish()?);
            rewriter.replace(&call.results());
            Ok(true)
        })
        .pattern("tarn.compare", 1, |rewriter, op, adaptor| {
            let build = Build { rewriter, op };
            let predicate = op
                .attribute("predicate")
                .ok_or_else(|| missing("predicate"))?;
            let predicate = predicate.cast::<mondo_dialect::attributes::Int>()?.value();
            let holds =
                build.compare(predicate as i64, adaptor.values(0)[0], adaptor.values(1)[0])?;
            let number = build
                .op("arith.extui")
                .operand(holds)
                .result(op.ctx().i64());
            rewriter.replace(&rewriter.insert(number.finish()?).results());
            Ok(true)
        })
        .pattern("tarn.div", 1, |rewriter, op, adaptor| {
            divide(rewriter, op, adaptor, true)
        })
        .pattern("tarn.rem", 1, |rewriter, op, adaptor| {
            divide(rewriter, op, adaptor, false)
        })
        .pattern("tarn.array", 1, |rewriter, op, _| {
            let types = op
                .results()
                .into_iter()
                .map(|array| rewriter.convert_type(array.type_()));
            let new = rewriter.ir().build("memref.alloca", op.location());
            let new = new.results(&types.collect::<Result<Vec<_>>>()?);
            let none = op.ctx().i32_array(&[0, 0]);
            let new = new.attribute("operandSegmentSizes", none).finish()?;
            rewriter.replace(&rewriter.insert(new).results());
            Ok(true)
        })
        .pattern("tarn.clear", 1, clear)
        .pattern("tarn.get", 1, |rewriter, op, adaptor| {
            let build = Build { rewriter, op };
            let (array, index) = (adaptor.values(0)[0], adaptor.values(1)[0]);
            let index = build.index(length(op.operand(0))?, index)?;
            rewriter.replace(&[build.value(build.op("memref.load").operands(&[array, index]))?]);
            Ok(true)
        })
        .pattern("tarn.set", 1, |rewriter, op, adaptor| {
            let build = Build { rewriter, op };
            let operands = adaptor.operands()?;
            let index = build.index(length(op.operand(1))?, operands[2])?;
            let store = build
                .op("memref.store")
                .operands(&[operands[0], operands[1], index]);
            rewriter.insert(store.finish()?);
            rewriter.erase();
            Ok(true)
        })
        .pattern("tarn.if", 1, |rewriter, op, adaptor| {
            let build = Build { rewriter, op };
            let condition = build.is_true(adaptor.values(0)[0])?;
            structured(rewriter, op, build.op("scf.if").operand(condition))
        })
        .pattern("tarn.while", 1, |rewriter, op, _| {
            structured(
                rewriter,
                op,
                rewriter.ir().build("scf.while", op.location()),
            )
        })
        .pattern("tarn.condition", 1, |rewriter, op, adaptor| {
            let build = Build { rewriter, op };
            let goes_on = build.is_true(adaptor.values(0)[0])?;
            rewriter.insert(build.op("scf.condition").operand(goes_on).finish()?);
            rewriter.erase();
            Ok(true)
        });
    for (from, to) in [("tarn.yield", "scf.yield"), ("tarn.return", "func.return")] {
        conversion.pattern(from, 1, move |rewriter, op, adaptor| {
            let new = rewriter.ir().build(to, op.location());
            rewriter.insert(new.operands(&adaptor.operands()?).finish()?);
            rewriter.erase();
            Ok(true)
        });
    }
    for (from, to) in [
        ("tarn.add", "arith.addi"),
        ("tarn.sub", "arith.subi"),
        ("tarn.mul", "arith.muli"),
        ("tarn.and", "arith.andi"),
        ("tarn.or", "arith.ori"),
        ("tarn.xor", "arith.xori"),
    ] {
        conversion.pattern(from, 1, move |rewriter, op, adaptor| {
            let build = Build { rewriter, op };
            rewriter.replace(&[build.value(build.op(to).operands(&adaptor.operands()?))?]);
            Ok(true)
        });
    }
    Ok(())
}

fn missing(part: &str) -> Error {
    Error::new(ErrorKind::Missing, format!("it has no `{part}`"))
}

/// The length of an array.
fn length(array: Option<Value<'_, '_>>) -> Result<i64> {
    let array = array.and_then(|array| array.type_().parameters::<Array>());
    Ok(array.ok_or_else(|| missing("array"))?.length)
}

/// Makes operations with the location of the one that is converted.
struct Build<'a, 'call, 'ctx> {
    rewriter: &'a ConversionRewriter<'call, 'ctx>,
    op: Op<'call, 'ctx>,
}

impl<'call, 'ctx> Build<'_, 'call, 'ctx> {
    fn op(&self, name: &str) -> OpBuilder<'call, 'ctx> {
        self.rewriter.ir().build(name, self.op.location())
    }

    /// Inserts an operation whose one result has the type that its dialect infers.
    fn value(&self, op: OpBuilder<'call, 'ctx>) -> Result<Value<'call, 'ctx>> {
        let made = self.rewriter.insert(op.infer().finish()?);
        made.result(0).ok_or_else(|| missing("result"))
    }

    fn constant(&self, value: i64) -> Result<Value<'call, 'ctx>> {
        let ctx = self.op.ctx();
        let value = ctx.integer_attr(ctx.i64(), value);
        self.value(self.op("arith.constant").attribute("value", value))
    }

    fn index_constant(&self, value: i64) -> Result<Value<'call, 'ctx>> {
        let ctx = self.op.ctx();
        let value = ctx.integer_attr(ctx.index(), value);
        self.value(self.op("arith.constant").attribute("value", value))
    }

    fn compare(
        &self,
        predicate: i64,
        left: Value<'call, 'ctx>,
        right: Value<'call, 'ctx>,
    ) -> Result<Value<'call, 'ctx>> {
        let ctx = self.op.ctx();
        let predicate = ctx.integer_attr(ctx.i64(), predicate);
        let compare = self.op("arith.cmpi").attribute("predicate", predicate);
        self.value(compare.operands(&[left, right]))
    }

    fn select(
        &self,
        condition: Value<'call, 'ctx>,
        yes: Value<'call, 'ctx>,
        no: Value<'call, 'ctx>,
    ) -> Result<Value<'call, 'ctx>> {
        self.value(self.op("arith.select").operands(&[condition, yes, no]))
    }

    fn binary(
        &self,
        name: &str,
        left: Value<'call, 'ctx>,
        right: Value<'call, 'ctx>,
    ) -> Result<Value<'call, 'ctx>> {
        self.value(self.op(name).operands(&[left, right]))
    }

    fn is_true(&self, number: Value<'call, 'ctx>) -> Result<Value<'call, 'ctx>> {
        self.compare(NOT_EQUAL, number, self.constant(0)?)
    }

    /// The index of an element: the number modulo the length.
    fn index(&self, length: i64, number: Value<'call, 'ctx>) -> Result<Value<'call, 'ctx>> {
        if length == 1 {
            return self.index_constant(0);
        }
        let length = self.constant(length)?;
        let rest = self.binary("arith.remsi", number, length)?;
        let is_negative = self.compare(LESS, rest, self.constant(0)?)?;
        let above = self.binary("arith.addi", rest, length)?;
        let index = self.select(is_negative, above, rest)?;
        let index = self
            .op("arith.index_cast")
            .operand(index)
            .result(self.op.ctx().index());
        let index = self.rewriter.insert(index.finish()?);
        index.result(0).ok_or_else(|| missing("result"))
    }
}

/// Predicates of `arith.cmpi`.
const EQUAL: i64 = 0;
const NOT_EQUAL: i64 = 1;
const LESS: i64 = 2;

/// Makes a function of `func`, whose body is moved into it.
fn function<'call, 'ctx>(
    rewriter: &ConversionRewriter<'call, 'ctx>,
    op: Op<'call, 'ctx>,
    c_interface: bool,
) -> Result<bool> {
    let ctx = op.ctx();
    let name = op
        .attribute("sym_name")
        .ok_or_else(|| missing("sym_name"))?;
    let type_ = op
        .attribute("function_type")
        .and_then(Attribute::downcast::<TypeValue>);
    let type_ = type_.and_then(|type_| type_.value().downcast::<Function>());
    let type_ = type_.ok_or_else(|| missing("function_type"))?;
    let convert = |types: Vec<_>| {
        let types = types.into_iter().map(|type_| rewriter.convert_type(type_));
        types.collect::<Result<Vec<_>>>()
    };
    let type_ = ctx.function(&convert(type_.inputs())?, &convert(type_.results())?);
    let mut new = rewriter
        .ir()
        .build("func.func", op.location())
        .attribute("sym_name", name)
        .attribute("function_type", ctx.type_attr(type_));
    if c_interface {
        new = new.attribute("llvm.emit_c_interface", ctx.unit());
    }
    structured(rewriter, op, new)
}

/// Replaces an operation by one without results, which gets its regions.
fn structured<'call, 'ctx>(
    rewriter: &ConversionRewriter<'call, 'ctx>,
    op: Op<'call, 'ctx>,
    new: OpBuilder<'call, 'ctx>,
) -> Result<bool> {
    let regions: Vec<Region<'call, 'ctx>> = op.regions();
    let new = rewriter.insert(new.regions(regions.len()).finish()?);
    for (from, to) in regions.into_iter().zip(new.regions()) {
        rewriter.move_region(from, to);
    }
    rewriter.erase();
    Ok(true)
}

/// A division that never traps: by zero it is zero, and the least number by minus one is itself.
fn divide<'call, 'ctx>(
    rewriter: &ConversionRewriter<'call, 'ctx>,
    op: Op<'call, 'ctx>,
    adaptor: &Adaptor<'call, 'ctx>,
    is_quotient: bool,
) -> Result<bool> {
    let build = Build { rewriter, op };
    let (left, right) = (adaptor.values(0)[0], adaptor.values(1)[0]);
    let (zero, one, minus) = (build.constant(0)?, build.constant(1)?, build.constant(-1)?);
    let by_zero = build.compare(EQUAL, right, zero)?;
    let by_minus = build.compare(EQUAL, right, minus)?;
    let special = build.binary("arith.ori", by_zero, by_minus)?;
    let divisor = build.select(special, one, right)?;
    if !is_quotient {
        rewriter.replace(&[build.binary("arith.remsi", left, divisor)?]);
        return Ok(true);
    }
    let quotient = build.binary("arith.divsi", left, divisor)?;
    let negative = build.binary("arith.subi", zero, left)?;
    let quotient = build.select(by_minus, negative, quotient)?;
    rewriter.replace(&[build.select(by_zero, zero, quotient)?]);
    Ok(true)
}

/// Makes a loop that stores zeros.
fn clear<'call, 'ctx>(
    rewriter: &ConversionRewriter<'call, 'ctx>,
    op: Op<'call, 'ctx>,
    adaptor: &Adaptor<'call, 'ctx>,
) -> Result<bool> {
    let build = Build { rewriter, op };
    let array = adaptor.values(0)[0];
    let zero = build.constant(0)?;
    let from = build.index_constant(0)?;
    let to = build.index_constant(length(op.operand(0))?)?;
    let step = build.index_constant(1)?;
    let new = build
        .op("scf.for")
        .operands(&[from, to, step])
        .regions(1)
        .finish()?;
    let body = new
        .op(rewriter.ir())
        .region(0)
        .ok_or_else(|| missing("body"))?;
    let body = body.append_block(&[(op.ctx().index().any(), op.location())])?;
    let index = body.arguments()[0];
    build
        .op("memref.store")
        .operands(&[zero, array, index])
        .at_end(body)?;
    build.op("scf.yield").at_end(body)?;
    rewriter.insert(new);
    rewriter.erase();
    Ok(true)
}
