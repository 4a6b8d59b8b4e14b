//! The operations.

use mondo_dialect::assembly::{
    ATTR_DICT, ATTRIBUTES, Piece, attribute, operand, region, symbol_name, type_of, types_of, when,
    word,
};
use mondo_dialect::attributes::Int;
use mondo_dialect::{
    Attribute, AttributeConstraint, Case, Effect, Enum, Folded, Op, OpAttribute, OpEffect,
    Operation, Pattern, RegionSlot, Slot, Trait, Way,
};
use tarn_syntax::{Binary, compute};

use crate::patterns;
use crate::types::{ARRAY, NUMBER, is_number, number};

pub(crate) const ALL: &[Op] = &[
    SOURCE,
    FUNC,
    RETURN,
    CALL,
    CONSTANT,
    binary("add", "A sum.", |operation, constants| {
        folded(operation, constants, Binary::Add)
    })
    .commutative()
    .canonicalize(&[Pattern::new("tarn.add", patterns::sum_of_sum)]),
    binary("sub", "A difference.", |operation, constants| {
        folded(operation, constants, Binary::Subtract)
    }),
    binary("mul", "A product.", |operation, constants| {
        folded(operation, constants, Binary::Multiply)
    })
    .commutative(),
    binary(
        "div",
        "A quotient; zero if the divisor is.",
        |operation, constants| folded(operation, constants, Binary::Divide),
    ),
    binary(
        "rem",
        "A remainder; zero if the divisor is.",
        |operation, constants| folded(operation, constants, Binary::Remainder),
    ),
    binary("and", "Bits of both.", |operation, constants| {
        folded(operation, constants, Binary::And)
    })
    .commutative(),
    binary("or", "Bits of either.", |operation, constants| {
        folded(operation, constants, Binary::Or)
    })
    .commutative(),
    binary("xor", "Bits of one of both.", |operation, constants| {
        folded(operation, constants, Binary::Xor)
    })
    .commutative(),
    COMPARE,
    ARRAY_OP,
    CLEAR,
    GET,
    SET,
    IF,
    WHILE,
    CONDITION,
    YIELD,
];

const SOURCE: Op = Op::new("source", "The text of a program.")
    .attributes(&[
        OpAttribute::required("text", AttributeConstraint::STRING),
        OpAttribute::with_default("file", AttributeConstraint::STRING, |uniquer| {
            uniquer.string_attr("<text>").any()
        }),
    ])
    .effects(&[OpEffect::on_everything(Effect::Write)]);

const FUNC: Op = Op::new("func", "A function.")
    .attributes(&[
        OpAttribute::required("sym_name", AttributeConstraint::STRING),
        OpAttribute::required("function_type", AttributeConstraint::FUNCTION_TYPE),
        OpAttribute::optional("sym_visibility", AttributeConstraint::STRING),
    ])
    .regions(&[RegionSlot::one("body")])
    .traits(&[
        Trait::Symbol,
        Trait::IsolatedFromAbove,
        Trait::AutomaticAllocationScope,
        Trait::SingleBlock,
    ])
    .callable("function_type")
    .assembly(&[
        symbol_name("sym_name"),
        attribute("function_type"),
        ATTRIBUTES,
        region("body"),
    ]);

const RETURN: Op = Op::new("return", "Ends a function.")
    .operands(&[Slot::one("result", NUMBER)])
    .traits(&[Trait::Terminator, Trait::ReturnLike, Trait::Pure])
    .assembly(&[
        operand("result"),
        ATTR_DICT,
        word(":"),
        type_of(&["result"]),
    ]);

const CALL: Op = Op::new("call", "Calls a function.")
    .attributes(&[OpAttribute::required("callee", AttributeConstraint::SYMBOL)])
    .operands(&[Slot::variadic("arguments", NUMBER)])
    .results(&[Slot::one("result", NUMBER)])
    .calls("callee", "arguments")
    .infer(is_number)
    .assembly(&[
        attribute("callee"),
        word("("),
        operand("arguments"),
        word(")"),
        ATTR_DICT,
        when("arguments", &[word(":"), types_of("arguments")]),
    ]);

const CONSTANT: Op = Op::new("constant", "A number.")
    .attributes(&[OpAttribute::required("value", AttributeConstraint::I64)])
    .results(&[Slot::one("result", NUMBER)])
    .pure()
    .constant_like()
    .infer(is_number)
    .assembly(&[attribute("value"), ATTR_DICT])
    .fold(|operation, _| operation.attribute("value").map(Folded::Constant));

const TWO_NUMBERS: &[Slot] = &[Slot::one("left", NUMBER), Slot::one("right", NUMBER)];
const ONE_NUMBER: &[Slot] = &[Slot::one("result", NUMBER)];
const BINARY: &[Piece] = &[
    operand("left"),
    word(","),
    operand("right"),
    ATTR_DICT,
    word(":"),
    type_of(&["left", "right"]),
];

const fn binary(name: &'static str, summary: &'static str, fold: mondo_dialect::Fold) -> Op {
    Op::new(name, summary)
        .operands(TWO_NUMBERS)
        .results(ONE_NUMBER)
        .pure()
        .infer(is_number)
        .assembly(BINARY)
        .fold(fold)
}

/// The values of a predicate are those of `arith.cmpi`.
const PREDICATE: Enum = Enum::new(
    "Predicate",
    "a predicate",
    &[
        Case::new("eq", 0),
        Case::new("ne", 1),
        Case::new("lt", 2),
        Case::new("le", 3),
        Case::new("gt", 4),
        Case::new("ge", 5),
    ],
);

const COMPARE: Op = Op::new("compare", "One if the comparison holds, else zero.")
    .operands(&[Slot::one("left", NUMBER), Slot::one("right", NUMBER)])
    .results(&[Slot::one("result", NUMBER)])
    .attributes(&[OpAttribute::required(
        "predicate",
        AttributeConstraint::enumeration(&PREDICATE),
    )])
    .pure()
    .infer(is_number)
    .assembly(&[
        attribute("predicate"),
        operand("left"),
        word(","),
        operand("right"),
        ATTR_DICT,
        word(":"),
        type_of(&["left", "right"]),
    ])
    .fold(|operation, constants| {
        let predicate = operation.attribute("predicate")?.downcast::<Int>()?;
        let operator = match predicate.value() {
            0 => Binary::Equal,
            1 => Binary::NotEqual,
            2 => Binary::Less,
            3 => Binary::LessOrEqual,
            4 => Binary::Greater,
            _ => Binary::GreaterOrEqual,
        };
        folded(operation, constants, operator)
    })
    .canonicalize(&[Pattern::new("tarn.compare", patterns::compared_again)]);

const ARRAY_OP: Op = Op::new("array", "An array of the function, with any numbers in it.")
    .results(&[Slot::one("array", ARRAY)])
    .effects(&[OpEffect::on(Effect::Allocate, "array")])
    .assembly(&[ATTR_DICT, word(":"), type_of(&["array"])]);

const CLEAR: Op = Op::new("clear", "Makes each number of an array zero.")
    .operands(&[Slot::one("array", ARRAY)])
    .effects(&[OpEffect::on(Effect::Write, "array")])
    .assembly(&[operand("array"), ATTR_DICT, word(":"), type_of(&["array"])]);

const GET: Op = Op::new(
    "get",
    "A number of an array. The index is taken modulo its length.",
)
.operands(&[Slot::one("array", ARRAY), Slot::one("index", NUMBER)])
.results(&[Slot::one("value", NUMBER)])
.effects(&[OpEffect::on(Effect::Read, "array")])
.infer(is_number)
.assembly(&[
    operand("array"),
    word("["),
    operand("index"),
    word("]"),
    ATTR_DICT,
    word(":"),
    type_of(&["array"]),
    word("at"),
    type_of(&["index"]),
]);

const SET: Op = Op::new("set", "Changes a number of an array.")
    .operands(&[
        Slot::one("value", NUMBER),
        Slot::one("array", ARRAY),
        Slot::one("index", NUMBER),
    ])
    .effects(&[OpEffect::on(Effect::Write, "array")])
    .assembly(&[
        operand("value"),
        word("to"),
        operand("array"),
        word("["),
        operand("index"),
        word("]"),
        ATTR_DICT,
        word(":"),
        type_of(&["array"]),
        word("at"),
        type_of(&["value", "index"]),
    ]);

const IF: Op = Op::new(
    "if",
    "Runs one of two regions: the first unless the condition is zero.",
)
.operands(&[Slot::one("condition", NUMBER)])
.regions(&[RegionSlot::one("yes"), RegionSlot::one("no")])
.traits(&[
    Trait::SingleBlock,
    Trait::NoRegionArguments,
    Trait::RecursiveMemoryEffects,
])
.implicit_terminator("yield")
.flow(&[
    Way::into("yes"),
    Way::into("no"),
    Way::out_of("yes"),
    Way::out_of("no"),
])
.assembly(&[
    operand("condition"),
    word(":"),
    type_of(&["condition"]),
    ATTRIBUTES,
    region("yes"),
    word("else"),
    region("no"),
]);

const WHILE: Op = Op::new(
    "while",
    "Runs the second region as long as the first one says so.",
)
.regions(&[RegionSlot::one("check"), RegionSlot::one("body")])
.traits(&[
    Trait::SingleBlock,
    Trait::NoRegionArguments,
    Trait::RecursiveMemoryEffects,
])
.flow(&[
    Way::into("check"),
    Way::between("check", "body"),
    Way::between("body", "check"),
    Way::out_of("check"),
])
.assembly(&[ATTRIBUTES, region("check"), word("do"), region("body")]);

const CONDITION: Op = Op::new(
    "condition",
    "Ends the check of a loop, which goes on unless this is zero.",
)
.operands(&[Slot::one("value", NUMBER)])
.traits(&[Trait::Terminator, Trait::Pure])
.assembly(&[operand("value"), ATTR_DICT, word(":"), type_of(&["value"])]);

const YIELD: Op = Op::new("yield", "Ends a region.")
    .traits(&[Trait::Terminator, Trait::ReturnLike, Trait::Pure])
    .assembly(&[ATTR_DICT]);

/// The constant that the operation computes, by the same function as the interpreter.
fn folded<'c>(
    operation: Operation<'c>,
    constants: &[Option<Attribute<'c>>],
    operator: Binary,
) -> Option<Folded<'c>> {
    let [left, right] = constants else {
        return None;
    };
    match (number(*left), number(*right), operator) {
        (Some(left), Some(right), _) => {
            let uniquer = operation.uniquer();
            let value = compute(operator, left, right);
            Some(Folded::Constant(
                uniquer.integer_attr(uniquer.i64(), value).any(),
            ))
        }
        (_, Some(0), Binary::Add | Binary::Subtract | Binary::Or | Binary::Xor)
        | (_, Some(1), Binary::Multiply | Binary::Divide) => {
            Some(Folded::Value(operation.operand(0)))
        }
        _ => None,
    }
}
