//! A dialect with an operation for each trait and interface, for the tests of the SDK: MLIR's passes run over it.

mod arithmetic;
mod control_flow;
mod functions;
mod memory;
mod parts;
mod passes;
mod tensors;
mod types;

use mondo_dialect::attributes::Int;
use mondo_dialect::types::Integer;
use mondo_dialect::{Attribute, Dialect, Lowering, Model, Op, Type, export_dialect};

/// The dialect.
pub const SAMPLE: Dialect = Dialect::new("sample", "An operation for each trait.")
    .depends(&["arith", "llvm", "transform"])
    .operations(ALL)
    .passes(passes::ALL)
    .constant("constant", "value", is_constant)
    .models(&[
        Model::of("llvm.call_intrinsic").effects(&[]).speculatable(),
        Model::of("transform.param.constant").inlinable(),
    ])
    .to_llvm(&[
        Lowering::new("sample.constant", |rewriter, constant, _| {
            let Some(value) = constant.attribute("value") else {
                return Ok(false);
            };
            let new = rewriter
                .ir()
                .build("llvm.mlir.constant", constant.location());
            let new = new
                .attribute("value", value)
                .result(constant.results()[0].type_());
            rewriter.replace(&rewriter.insert(new.finish()?).results());
            Ok(true)
        }),
        Lowering::new("sample.add", |rewriter, sum, adaptor| {
            let new = rewriter.ir().build("llvm.add", sum.location());
            let new = new.operands(&adaptor.operands()?).infer();
            rewriter.replace(&rewriter.insert(new.finish()?).results());
            Ok(true)
        }),
    ]);

const ALL: &[Op] = &[
    arithmetic::CONSTANT,
    arithmetic::ADD,
    arithmetic::ABS,
    arithmetic::NOT,
    arithmetic::CHECKED,
    functions::SCOPE,
    functions::FUNC,
    functions::CALL,
    functions::CALL_VALUE,
    functions::RETURN,
    control_flow::BR,
    control_flow::COND_BR,
    control_flow::IF,
    control_flow::REPEAT,
    control_flow::YIELD,
    control_flow::GRAPH,
    control_flow::STRICT,
    control_flow::RAW,
    memory::ALLOC,
    memory::LOAD,
    memory::STORE,
    memory::FREE,
    memory::TRACE,
    memory::VIEW,
    tensors::SCALE,
    tensors::PRODUCT,
    parts::COMPARE,
    parts::GATHER,
    parts::SWITCH,
];

/// True for an integer of the type of the result.
fn is_constant<'c>(value: Attribute<'c>, ty: Type<'c>) -> bool {
    let integer = value.downcast::<Int>();
    integer.is_some_and(|value| ty.downcast::<Integer>().is_some() && value.type_() == ty)
}

export_dialect!(SAMPLE as mondoRegisterDialect_sample);
