//! `linalg`: the bodies of named operations. MLIR assumes, and does not check, how many operands such an
//! operation has, and that its function is one for their elements.

use mondo_sys::mlirLinalgFillBuiltinNamedOpRegion;

use crate::declarations as c;
use crate::nodes::Op;
use crate::types::{Complex, Float, Integer, Shaped};
use crate::uniqued_handles::Type;

/// The computation that an operation does with its operands' elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Computes {
    /// Nothing, or a conversion: any elements will do.
    Moves,
    /// A function of one float.
    Unary,
    /// A function of two numbers of one kind, except for these.
    Binary(Numbers),
    /// A choice by a truth value.
    Select,
    /// Products that are summed up, of numbers that are converted to the output's kind.
    Products,
    /// Products that are summed up, of quantized numbers: the zero points are subtracted first.
    QuantizedProducts,
    /// Elements converted to the output's type and reduced by a function of such numbers.
    Windows(Numbers),
    /// Random numbers within two floats, from a seed.
    Random,
}

/// The elements that a function of two numbers is defined for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Numbers {
    float: bool,
    complex: bool,
    integer: bool,
    boolean: bool,
}

const ALL: Numbers = Numbers {
    float: true,
    complex: true,
    integer: true,
    boolean: true,
};
const NOT_BOOLEAN: Numbers = Numbers {
    boolean: false,
    ..ALL
};
const ORDERED: Numbers = Numbers {
    complex: false,
    ..ALL
};
const FLOAT: Numbers = Numbers {
    complex: false,
    integer: false,
    boolean: false,
    ..ALL
};
const UNSIGNED: Numbers = Numbers {
    float: false,
    complex: false,
    ..NOT_BOOLEAN
};

/// Kinds of element types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Element {
    Float,
    Complex,
    Integer,
    Boolean,
    Other,
}

impl Element {
    fn of(given: Type<'_>) -> Self {
        let shaped = given.downcast::<Shaped>();
        let element = shaped.map_or(given, |shaped| c::mlirShapedTypeGetElementType(shaped));
        if element.is::<Float>() {
            Self::Float
        } else if element.is::<Complex>() {
            Self::Complex
        } else if let Some(integer) = element.downcast::<Integer>() {
            if integer.width() == 1 {
                Self::Boolean
            } else {
                Self::Integer
            }
        } else {
            Self::Other
        }
    }

    fn is_integer(self) -> bool {
        matches!(self, Self::Integer | Self::Boolean)
    }

    /// Returns whether a number of this kind can be converted to one of the other.
    fn converts_to(self, other: Self) -> bool {
        match other {
            Self::Complex => self == Self::Complex,
            _ => self == Self::Float || self.is_integer(),
        }
    }
}

impl Numbers {
    fn have(self, element: Element) -> bool {
        match element {
            Element::Float => self.float,
            Element::Complex => self.complex,
            Element::Integer => self.integer,
            Element::Boolean => self.boolean,
            Element::Other => false,
        }
    }

    /// Returns whether a function of these is defined for the two.
    fn have_both(self, left: Element, right: Element) -> bool {
        let one_kind = left == right || left.is_integer() && right.is_integer();
        // Two integers, one of them a truth value, are not two truth values.
        one_kind && (self.have(left) || self.have(right))
    }
}

impl Computes {
    /// By the name of the operation, or of the kind of an `elementwise`.
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "copy" | "fill" | "transpose" | "broadcast" => Self::Moves,
            "exp" | "log" | "abs" | "ceil" | "floor" | "negf" | "reciprocal" | "round" | "sqrt"
            | "rsqrt" | "square" | "tanh" | "erf" => Self::Unary,
            "add" | "mul" => Self::Binary(ALL),
            "sub" | "div" => Self::Binary(NOT_BOOLEAN),
            "max" | "min" | "max_signed" | "min_signed" => Self::Binary(ORDERED),
            "div_unsigned" | "max_unsigned" | "min_unsigned" => Self::Binary(UNSIGNED),
            "powf" => Self::Binary(FLOAT),
            "select" => Self::Select,
            "fill_rng_2d" => Self::Random,
            "quantized_matmul" | "quantized_batch_matmul" => Self::QuantizedProducts,
            "matmul"
            | "batch_matmul"
            | "batch_reduce_matmul"
            | "contract"
            // Before LLVM 22, these are operations of their own.
            | "matmul_transpose_a"
            | "matmul_transpose_b"
            | "batch_matmul_transpose_a"
            | "batch_matmul_transpose_b"
            | "matvec"
            | "vecmat"
            | "batch_matvec"
            | "batch_vecmat"
            | "dot"
            | "mmt4d"
            | "batch_mmt4d" => Self::Products,
            _ if name.starts_with("conv_") || name.starts_with("depthwise_conv_") => {
                if name.ends_with("_q") {
                    Self::QuantizedProducts
                } else {
                    Self::Products
                }
            }
            _ if name.starts_with("pooling_") => Self::Windows(if name.ends_with("_sum") {
                ALL
            } else if name.ends_with("_unsigned") {
                UNSIGNED
            } else {
                ORDERED
            }),
            _ => return None,
        })
    }

    fn operands(self) -> usize {
        match self {
            Self::Moves | Self::Unary => 2,
            Self::Binary(_) | Self::Products | Self::Windows(_) => 3,
            Self::Select | Self::Random => 4,
            Self::QuantizedProducts => 5,
        }
    }

    /// Returns whether it is defined for these elements, of which there are as many as it has
    /// operands.
    fn fits(self, elements: &[Element]) -> bool {
        let first = elements[0];
        let output = elements[elements.len() - 1];
        let converted = elements.iter().all(|element| element.converts_to(output));
        match self {
            Self::Moves => true,
            Self::Unary => first == Element::Float,
            Self::Binary(numbers) => numbers.have_both(first, elements[1]),
            Self::Select => first == Element::Boolean,
            Self::Products => converted && ALL.have(output),
            Self::QuantizedProducts => converted && NOT_BOOLEAN.have(output),
            // The operand that gives a pooling its window matters by its shape alone, so that its
            // elements may be of any type.
            Self::Windows(numbers) => first.converts_to(output) && numbers.have(output),
            Self::Random => {
                first == Element::Float && elements[1] == Element::Float && elements[2].is_integer()
            }
        }
    }
}

/// Gives a named operation, which has no body yet, the one that its name stands for.
///
/// # Errors
/// The reason for which there is no body for it.
pub fn fill(op: Op<'_>) -> Result<(), String> {
    check(op)?;
    // SAFETY: the operation is live, and of the form that this is for.
    unsafe { mlirLinalgFillBuiltinNamedOpRegion(op.raw()) };
    Ok(())
}

/// Fails if `op` is not what a body can be built for.
fn check(op: Op<'_>) -> Result<(), String> {
    let full_name = op.name().to_text();
    let registered = op.uniquer().has_operation(&full_name);
    let mut computed = full_name.strip_prefix("linalg.").map(str::to_owned);
    let mut converts = false;
    match computed.as_deref() {
        Some("elementwise") => computed = function(op, "kind"),
        // Before LLVM 22. Their operands are converted to the output's type first.
        Some("elemwise_unary") => {
            (computed, converts) = (function(op, "fun").or(Some("exp".into())), true);
        }
        Some("elemwise_binary") => {
            (computed, converts) = (function(op, "fun").or(Some("add".into())), true);
        }
        _ => {}
    }
    let computes = computed.as_deref().and_then(Computes::of);
    let (true, Some(computes)) = (registered, computes) else {
        return Err(format!(
            "'{full_name}' is not a named operation of linalg whose body is known"
        ));
    };
    if c::mlirOperationGetNumRegions(op) != 1 || op.blocks().next().is_some() {
        return Err(format!("'{full_name}' has a body already"));
    }
    let operands = (0..).map_while(|at| op.operand(at));
    let mut elements: Vec<Element> = operands
        .map(|operand| {
            operand.map_or(Element::Other, |value| {
                Element::of(c::mlirValueGetType(value))
            })
        })
        .collect();
    if elements.len() != computes.operands() {
        return Err(format!(
            "'{full_name}' has {} operands, but its body is one for {}",
            elements.len(),
            computes.operands()
        ));
    }
    let output = elements[elements.len() - 1];
    let converted = elements.iter().all(|element| element.converts_to(output));
    if converts && converted {
        elements.fill(output);
    }
    if converts && !converted || !computes.fits(&elements) {
        return Err(format!(
            "'{full_name}' is not defined for elements of the types that its operands have"
        ));
    }
    Ok(())
}

/// The name of the function that an operation applies to elements, which the attribute `key` says.
fn function(op: Op<'_>, key: &str) -> Option<String> {
    let text = c::mlirOperationGetAttributeByName(op, key.into())?.to_text();
    let (_, name) = text.split_once('<')?;
    Some(name.strip_suffix('>')?.to_owned())
}
