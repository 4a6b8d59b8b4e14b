//! The operations.

use mondo_dialect::assembly::{ATTR_DICT, Piece, attribute, operand, type_of, word};
use mondo_dialect::{
    Attribute, AttributeConstraint, Call, Folded, Infer, Op, OpAttribute, Operation, Pattern,
    Result, Slot, Trait, Type, TypeConstraint,
};

use crate::patterns;
use crate::quantity::{Quantity, Value};
use crate::unit::Unit;

const QUANTITY: TypeConstraint =
    TypeConstraint::new("a quantity", |ty| ty.parameters::<Quantity>().is_some());

const VALUE: AttributeConstraint =
    AttributeConstraint::new("a constant quantity", "Units_ValueAttr", |attribute| {
        attribute.parameters::<Value>().is_some()
    });

const ONE_QUANTITY: &[Slot] = &[Slot::one("operand", QUANTITY)];
const TWO_QUANTITIES: &[Slot] = &[Slot::one("lhs", QUANTITY), Slot::one("rhs", QUANTITY)];
const RESULT: &[Slot] = &[Slot::one("result", QUANTITY)];

/// `units.neg %a : !units.q<"m">`
const UNARY_FORM: &[Piece] = &[
    operand("operand"),
    ATTR_DICT,
    word(":"),
    type_of(&["operand"]),
];

/// `units.mul %a, %b : !units.q<"m">, !units.q<"s">`
const BINARY_FORM: &[Piece] = &[
    operand("lhs"),
    word(","),
    operand("rhs"),
    ATTR_DICT,
    word(":"),
    type_of(&["lhs"]),
    word(","),
    type_of(&["rhs"]),
];

const fn unary(name: &'static str, summary: &'static str, infer: Infer) -> Op {
    Op::new(name, summary)
        .operands(ONE_QUANTITY)
        .results(RESULT)
        .pure()
        .infer(infer)
        .assembly(UNARY_FORM)
}

const fn binary(name: &'static str, summary: &'static str, infer: Infer) -> Op {
    Op::new(name, summary)
        .operands(TWO_QUANTITIES)
        .results(RESULT)
        .pure()
        .infer(infer)
        .assembly(BINARY_FORM)
}

pub(crate) const ALL: &[Op] = &[
    Op::new("constant", "A constant quantity.")
        .attributes(&[OpAttribute::required("value", VALUE)])
        .results(RESULT)
        .pure()
        .constant_like()
        .assembly(&[attribute("value"), ATTR_DICT])
        .infer(|call| {
            let value = call
                .attribute("value")
                .and_then(Attribute::parameters::<Value>);
            let value = value.ok_or("a constant needs a value, which is a constant quantity")?;
            Ok(vec![call.uniquer().defined_type(&value.quantity)?])
        })
        .fold(|operation, _| operation.attribute("value").map(Folded::Constant)),
    binary("add", "The sum of two quantities of the same unit.", sum)
        .commutative()
        .fold(|operation, constants| compute(operation, constants, |lhs, rhs| lhs + rhs)),
    binary(
        "sub",
        "The difference of two quantities of the same unit.",
        sum,
    )
    .canonicalize(&[Pattern::new("units.sub", patterns::difference_to_negated)])
    .fold(|operation, constants| compute(operation, constants, |lhs, rhs| lhs - rhs)),
    binary(
        "mul",
        "The product of two quantities; its unit is the product of theirs.",
        |call| product(call, "product", Unit::times),
    )
    .commutative()
    .fold(|operation, constants| compute(operation, constants, |lhs, rhs| lhs * rhs)),
    binary(
        "div",
        "The quotient of two quantities; its unit is the quotient of theirs.",
        |call| product(call, "quotient", Unit::over),
    )
    .fold(|operation, constants| compute(operation, constants, |lhs, rhs| lhs / rhs)),
    unary("neg", "A quantity with the other sign.", |call| {
        Ok(vec![quantity_type(call, 0)?.1])
    })
    .traits(&[Trait::Involution])
    .fold(|operation, constants| folded(operation, -constant(constants, 0)?.magnitude)),
    unary(
        "sqrt",
        "The square root of a quantity; its unit is the square root of the quantity's.",
        root,
    )
    .fold(|operation, constants| {
        let magnitude = constant(constants, 0)?.magnitude;
        // A number without a root is not folded; it fails when the program runs.
        (magnitude >= 0.0).then(|| folded(operation, magnitude.sqrt()))?
    }),
    Op::new(
        "convert",
        "The same quantity in another unit of the same dimension.",
    )
    .operands(ONE_QUANTITY)
    .results(RESULT)
    .pure()
    .verify(convertible)
    .assembly(&[
        operand("operand"),
        ATTR_DICT,
        word(":"),
        type_of(&["operand"]),
        word("to"),
        type_of(&["result"]),
    ])
    .fold(convert)
    .canonicalize(&[Pattern::new("units.convert", patterns::convert_of_convert)]),
];

fn quantity_type<'c>(call: &Call<'c>, index: usize) -> Result<(Quantity, Type<'c>)> {
    let ty = call
        .operand_type(index)
        .ok_or_else(|| format!("operand #{index} is missing"))?;
    let quantity = ty
        .parameters()
        .ok_or_else(|| format!("operand #{index} must be a quantity, but got '{ty}'"))?;
    Ok((quantity, ty))
}

fn same_element(lhs: &Quantity, rhs: &Quantity) -> Result<()> {
    if lhs.element == rhs.element {
        return Ok(());
    }
    let (lhs, rhs) = (lhs.element, rhs.element);
    Err(format!("the numbers of both quantities must be the same, but are {lhs} and {rhs}").into())
}

fn same_dimension(lhs: &Quantity, rhs: &Quantity) -> Result<()> {
    if lhs.unit.dimension == rhs.unit.dimension {
        return Ok(());
    }
    let (lhs, rhs) = (lhs.described(), rhs.described());
    Err(
        format!("the dimensions of both quantities must be the same, but are {lhs} and {rhs}")
            .into(),
    )
}

fn sum<'c>(call: &Call<'c>) -> Result<Vec<Type<'c>>> {
    let ((lhs, ty), (rhs, _)) = (quantity_type(call, 0)?, quantity_type(call, 1)?);
    same_dimension(&lhs, &rhs)?;
    if lhs.unit != rhs.unit {
        let (lhs, rhs) = (lhs.described(), rhs.described());
        return Err(format!(
            "the units of both quantities must be the same, but are {lhs} and {rhs}: use \
             units.convert"
        )
        .into());
    }
    same_element(&lhs, &rhs)?;
    Ok(vec![ty])
}

fn product<'c>(
    call: &Call<'c>,
    what: &str,
    combine: fn(Unit, Unit) -> Option<Unit>,
) -> Result<Vec<Type<'c>>> {
    let ((lhs, _), (rhs, _)) = (quantity_type(call, 0)?, quantity_type(call, 1)?);
    same_element(&lhs, &rhs)?;
    let unit = combine(lhs.unit, rhs.unit).ok_or_else(|| {
        let (lhs, rhs) = (lhs.described(), rhs.described());
        format!("the {what} of the units {lhs} and {rhs} is too large or too small to be exact")
    })?;
    Ok(vec![
        call.uniquer().defined_type(&Quantity { unit, ..lhs })?,
    ])
}

fn root<'c>(call: &Call<'c>) -> Result<Vec<Type<'c>>> {
    let (quantity, _) = quantity_type(call, 0)?;
    let unit = quantity.unit.square_root().ok_or_else(|| {
        format!(
            "there is no square root of the unit {}: its exponents must be even, and its scale a \
             square",
            quantity.described()
        )
    })?;
    Ok(vec![
        call.uniquer()
            .defined_type(&Quantity { unit, ..quantity })?,
    ])
}

fn convertible(operation: Operation<'_>) -> Result<()> {
    let (from, to) = (operation.operand(0).type_(), operation.result(0).type_());
    // The definition's constraints have been checked.
    let (Some(from), Some(to)) = (from.parameters(), to.parameters()) else {
        return Ok(());
    };
    same_dimension(&from, &to)?;
    same_element(&from, &to)?;
    if from.unit.factor_to(to.unit).is_none() {
        let (from, to) = (from.described(), to.described());
        return Err(format!(
            "the factor from {from} to {to} is too large or too small to be exact"
        )
        .into());
    }
    Ok(())
}

fn constant(constants: &[Option<Attribute<'_>>], index: usize) -> Option<Value> {
    (*constants.get(index)?)?.parameters()
}

/// The constant of the operation's type that is nearest to `magnitude`.
fn folded(operation: Operation<'_>, magnitude: f64) -> Option<Folded<'_>> {
    let quantity = operation.result(0).type_().parameters()?;
    let value = Value::rounded(magnitude, quantity);
    let attribute = operation.uniquer().defined_attribute(&value).ok()?;
    Some(Folded::Constant(attribute))
}

/// Single precision is exact, too: a double has more than twice the bits, so rounding twice is
/// rounding once for these operations.
fn compute<'c>(
    operation: Operation<'c>,
    constants: &[Option<Attribute<'c>>],
    function: fn(f64, f64) -> f64,
) -> Option<Folded<'c>> {
    let (lhs, rhs) = (constant(constants, 0)?, constant(constants, 1)?);
    folded(operation, function(lhs.magnitude, rhs.magnitude))
}

fn convert<'c>(
    operation: Operation<'c>,
    constants: &[Option<Attribute<'c>>],
) -> Option<Folded<'c>> {
    let (operand, result) = (operation.operand(0), operation.result(0));
    if operand.type_() == result.type_() {
        return Some(Folded::Value(operand));
    }
    let value = constant(constants, 0)?;
    let to: Quantity = result.type_().parameters()?;
    let factor = value.quantity.unit.factor_to(to.unit)?;
    folded(operation, factor.scale(value.magnitude))
}
