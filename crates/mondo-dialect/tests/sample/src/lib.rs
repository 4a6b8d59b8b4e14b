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
use mondo_dialect::{Attribute, Dialect, Op, Type, export_dialect};

/// The dialect.
pub const SAMPLE: Dialect = Dialect::new("sample", "An operation for each trait.")
    .depends(&["arith"])
    .operations(ALL)
    .passes(passes::ALL)
    .constant("constant", "value", is_constant);

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
