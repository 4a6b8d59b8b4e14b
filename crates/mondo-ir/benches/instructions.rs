//! One item of mondo-ir, or the same by the C API, so many times: `cargo xtask bench --rust` counts the instructions.
//!
//! The setting up is the same for any number, so that the difference of two numbers is what the items take.

use std::ffi::{CString, c_void};
use std::hint::black_box;

use mondo_ir::ops::arith;
use mondo_ir::{
    Block, Context, Conversion, Ctx, Ir, Module, Op, Patterns, Region, Result, Walk, WalkOrder,
};
use mondo_sys as c;

/// A function of so many sums, each of the one before.
fn sums(count: usize) -> String {
    let mut text = "func.func @f(%x0: i32) -> i32 {\n".to_owned();
    for index in 0..count {
        let next = index + 1;
        text.push_str(&format!(
            "%x{next} = arith.addi %x{index}, %x{index} : i32\n"
        ));
    }
    text + &format!("return %x{count} : i32 }}")
}

fn name(text: &'static str) -> c::MlirStringRef {
    c::MlirStringRef {
        data: text.as_ptr().cast(),
        length: text.len(),
    }
}

fn entry<'call, 'ctx>(ir: &'call Ir<'ctx>, module: &Module<'ctx>) -> Block<'call, 'ctx> {
    let function = module.body(ir).first();
    let body = function.and_then(|function| function.region(0));
    body.and_then(Region::first)
        .expect("the function has a body")
}

/// Builds sums at the end of a block.
fn build<'ctx>(ctx: Ctx<'ctx>, ir: &Ir<'ctx>, how: &str, count: usize) -> Result<()> {
    let module = Module::parse(ctx, "func.func @f(%a: i32) { llvm.unreachable }")?;
    let block = entry(ir, &module);
    block.first().map_or(Ok(()), Op::erase)?;
    let a = block.arguments()[0];
    let location = ctx.unknown();
    match how {
        "generic" => {
            for _ in 0..count {
                let sum = ir.build("arith.addi", location).operands(&[a, a]);
                black_box(sum.result(ctx.i32()).at_end(block)?);
            }
        }
        "generic-infer" => {
            for _ in 0..count {
                let sum = ir.build("arith.addi", location).operands(&[a, a]);
                black_box(sum.infer().at_end(block)?);
            }
        }
        _ => {
            for _ in 0..count {
                black_box(arith::addi(ir, a, a).at(location).at_end(block)?.result());
            }
        }
    }
    Ok(())
}

/// The same by the C API, as a Rust program without mondo-ir does it.
fn build_by_c(infer: bool, count: usize) {
    // SAFETY: the functions of the C API get live handles, as each comes from the call before.
    unsafe {
        let context = context_of_c();
        let location = c::mlirLocationUnknownGet(context);
        let i32_ = c::mlirIntegerTypeGet(context, 32);
        let block = c::mlirBlockCreate(1, &raw const i32_, &raw const location);
        let a = c::mlirBlockGetArgument(block, 0);
        let operands = [a, a];
        for _ in 0..count {
            let mut state = c::mlirOperationStateGet(name("arith.addi"), location);
            c::mlirOperationStateAddOperands(&raw mut state, 2, operands.as_ptr());
            if infer {
                c::mlirOperationStateEnableResultTypeInference(&raw mut state);
            } else {
                let type_ = c::mlirIntegerTypeGet(context, 32);
                c::mlirOperationStateAddResults(&raw mut state, 1, &raw const type_);
            }
            c::mlirBlockAppendOwnedOperation(block, c::mlirOperationCreate(&raw mut state));
        }
        black_box(block);
        c::mlirBlockDestroy(block);
    }
}

/// Walks over a thousand sums, and counts their operands.
fn walk<'ctx>(ctx: Ctx<'ctx>, ir: &Ir<'ctx>, times: usize) -> Result<()> {
    let module = Module::parse(ctx, &sums(1000))?;
    let op = module.op(ir);
    for _ in 0..times {
        let mut counted = 0_usize;
        op.walk(WalkOrder::Pre, |op| {
            counted += op.iter_operands().count();
            Walk::Advance
        });
        assert!(black_box(counted) >= 2000);
    }
    Ok(())
}

/// The same by the C API.
fn walk_by_c(times: usize) {
    unsafe extern "C" fn count(op: c::MlirOperation, data: *mut c_void) -> c::MlirWalkResult {
        // SAFETY: `data` is the counter below, and the operation is live.
        unsafe {
            for index in 0..c::mlirOperationGetNumOperands(op) {
                black_box(c::mlirOperationGetOperand(op, index));
                *data.cast::<usize>() += 1;
            }
        }
        c::MlirWalkResultAdvance
    }
    let text = CString::new(sums(1000)).expect("there is no zero in it");
    // SAFETY: the functions of the C API get live handles, and the callback uses only what it gets.
    unsafe {
        let context = context_of_c();
        let text = c::mlirStringRefCreateFromCString(text.as_ptr());
        let module = c::mlirModuleGetOperation(c::mlirModuleCreateParse(context, text));
        for _ in 0..times {
            let mut counted = 0_usize;
            let data = (&raw mut counted).cast();
            c::mlirOperationWalk(module, Some(count), data, c::MlirWalkPreOrder);
            assert!(black_box(counted) >= 2000);
        }
    }
}

/// A context with two dialects.
fn context_of_c() -> c::MlirContext {
    // SAFETY: the functions of the C API get live handles, as each comes from the call before.
    unsafe {
        let registry = c::mlirDialectRegistryCreate();
        let context = c::mlirContextCreateWithThreading(false);
        c::mlirDialectHandleInsertDialect(c::mlirGetDialectHandle__arith__(), registry);
        c::mlirDialectHandleInsertDialect(c::mlirGetDialectHandle__func__(), registry);
        c::mlirContextAppendDialectRegistry(context, registry);
        c::mlirContextLoadAllAvailableDialects(context);
        context
    }
}

/// Converts each sum to a difference.
fn convert<'ctx>(ctx: Ctx<'ctx>, ir: &mut Ir<'ctx>, count: usize) -> Result<()> {
    let module = Module::parse(ctx, &sums(count))?;
    let mut conversion = Conversion::new();
    conversion.illegal("arith.addi").legal("arith.subi");
    conversion.pattern("arith.addi", 1, |rewriter, sum, adaptor| {
        let new = rewriter.ir().build("arith.subi", sum.location());
        let new = new.operands(&adaptor.operands()?).result(sum.ctx().i32());
        rewriter.replace(&rewriter.insert(new.finish()?).results());
        Ok(true)
    });
    conversion.apply_partial(ir, module.owner())?;
    Ok(())
}

/// The same by a greedy pattern.
fn rewrite<'ctx>(ctx: Ctx<'ctx>, ir: &mut Ir<'ctx>, count: usize) -> Result<()> {
    let module = Module::parse(ctx, &sums(count))?;
    let mut patterns = Patterns::new();
    patterns.add("arith.addi", 1, |rewriter, sum| {
        let new = rewriter.ir().build("arith.subi", sum.location());
        let new = new.operands(&sum.operands()).result(sum.ctx().i32());
        rewriter.replace(&rewriter.insert(new.finish()?).results());
        Ok(true)
    });
    patterns.apply(ir, module.owner())?;
    Ok(())
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let (Some(item), Some(Ok(count))) = (
        arguments.get(1).map(String::as_str),
        arguments.get(2).map(|count| count.parse::<usize>()),
    ) else {
        return;
    };
    if item.starts_with("build-c") {
        return build_by_c(item == "build-c-infer", count);
    }
    if item == "walk-c" {
        return walk_by_c(count);
    }
    let mut context = Context::new();
    context.threads(false);
    let done = context.enter(|ctx, ir| {
        ctx.load_all();
        match item {
            "build-generic" => build(ctx, ir, "generic", count),
            "build-generic-infer" => build(ctx, ir, "generic-infer", count),
            "build-typed" => build(ctx, ir, "typed", count),
            "walk" => walk(ctx, ir, count),
            "parse" => Module::parse(ctx, &sums(count)).map(drop),
            "convert" => convert(ctx, ir, count),
            _ => rewrite(ctx, ir, count),
        }
    });
    done.expect("the item can be measured");
}
