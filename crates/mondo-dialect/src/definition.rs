//! The definition of a dialect: plain values that are known when the crate is compiled.
//!
//! All of it is `const`, so that the description for the Python classes can be written while
//! compiling ([`crate::description`]), and registering a dialect allocates next to nothing.

use mondo_ir::attributes::{Int, Real, Str, TypeValue};
use mondo_ir::sdk::{Call, Codec, Folded, Operation, Parameters, Result};
use mondo_ir::{Attribute, Type};

use crate::assembly::{Piece, has_dictionary, has_operand, has_type, same};

/// A dialect: its types, attributes and operations.
#[derive(Debug, Clone, Copy)]
pub struct Dialect {
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) depends: &'static [&'static str],
    pub(crate) types: &'static [TypeDef],
    pub(crate) attributes: &'static [AttributeDef],
    pub(crate) operations: &'static [Op],
    pub(crate) constant: Option<Constant>,
}

impl Dialect {
    /// A dialect without anything in it. `name` is MLIR's, for instance `units`.
    #[must_use]
    pub const fn new(name: &'static str, summary: &'static str) -> Self {
        Self {
            name,
            summary,
            depends: &[],
            types: &[],
            attributes: &[],
            operations: &[],
            constant: None,
        }
    }

    /// Dialects that are loaded into a context before this one.
    #[must_use]
    pub const fn depends(mut self, names: &'static [&'static str]) -> Self {
        self.depends = names;
        self
    }

    /// The types.
    #[must_use]
    pub const fn types(mut self, types: &'static [TypeDef]) -> Self {
        let mut index = 0;
        while index < types.len() {
            self.check_owner(&types[index].codec);
            index += 1;
        }
        self.types = types;
        self
    }

    /// The attributes.
    #[must_use]
    pub const fn attributes(mut self, attributes: &'static [AttributeDef]) -> Self {
        let mut index = 0;
        while index < attributes.len() {
            self.check_owner(&attributes[index].codec);
            index += 1;
        }
        self.attributes = attributes;
        self
    }

    /// Checks that a type's codec names this dialect: types are looked up by the name of their
    /// dialect.
    const fn check_owner(&self, codec: &Codec) {
        assert!(
            same(self.name, codec.dialect),
            "`Parameters::DIALECT` is not the name of the dialect that they are put in"
        );
    }

    /// The operations.
    #[must_use]
    pub const fn operations(mut self, operations: &'static [Op]) -> Self {
        let mut index = 0;
        while index < operations.len() {
            if let Some(pieces) = operations[index].assembly {
                check_form(&operations[index], pieces);
            }
            index += 1;
        }
        self.operations = operations;
        self
    }

    /// Sets the operation that a folded attribute becomes again: `operation`, one of those given to
    /// [`Self::operations`] before, with the attribute named `attribute`, if `accepts` says that the attribute is a constant of the
    /// type.
    #[must_use]
    pub const fn constant(
        mut self,
        operation: &'static str,
        attribute: &'static str,
        accepts: for<'c> fn(Attribute<'c>, Type<'c>) -> bool,
    ) -> Self {
        let mut index = 0;
        while index < self.operations.len() && !same(self.operations[index].name, operation) {
            index += 1;
        }
        assert!(
            index < self.operations.len(),
            "constants become an operation that the dialect does not have"
        );
        self.constant = Some(Constant {
            operation,
            attribute,
            accepts,
        });
        self
    }

    /// MLIR's name of the dialect.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }
}

/// The operation and attribute that constants are made of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Constant {
    pub(crate) operation: &'static str,
    pub(crate) attribute: &'static str,
    pub(crate) accepts: for<'c> fn(Attribute<'c>, Type<'c>) -> bool,
}

/// A type of a dialect.
#[derive(Debug, Clone, Copy)]
pub struct TypeDef {
    pub(crate) codec: Codec,
    pub(crate) memref_element: bool,
}

impl TypeDef {
    /// The type whose parameters are a `T`.
    #[must_use]
    pub const fn of<T: Parameters>() -> Self {
        Self {
            codec: Codec::of::<T>(),
            memref_element: false,
        }
    }

    /// Lets the type be an element of a memref (MLIR's `MemRefElementTypeInterface`).
    #[must_use]
    pub const fn memref_element(mut self) -> Self {
        self.memref_element = true;
        self
    }
}

/// An attribute of a dialect.
#[derive(Debug, Clone, Copy)]
pub struct AttributeDef {
    pub(crate) codec: Codec,
}

impl AttributeDef {
    /// The attribute whose parameters are a `T`.
    #[must_use]
    pub const fn of<T: Parameters>() -> Self {
        Self {
            codec: Codec::of::<T>(),
        }
    }
}

/// A constraint on an operand or a result.
#[derive(Debug, Clone, Copy)]
pub struct TypeConstraint {
    pub(crate) summary: &'static str,
    pub(crate) accepts: for<'c> fn(Type<'c>) -> bool,
}

impl TypeConstraint {
    /// Any type.
    pub const ANY: Self = Self::new("any type", |_| true);

    /// The types that `accepts` takes; `summary` completes "must be …".
    #[must_use]
    pub const fn new(summary: &'static str, accepts: for<'c> fn(Type<'c>) -> bool) -> Self {
        Self { summary, accepts }
    }
}

/// A constraint on an attribute of an operation.
#[derive(Debug, Clone, Copy)]
pub struct AttributeConstraint {
    pub(crate) summary: &'static str,
    pub(crate) builder: &'static str,
    pub(crate) accepts: for<'c> fn(Attribute<'c>) -> bool,
}

impl AttributeConstraint {
    /// Any attribute.
    pub const ANY: Self = Self::new("any attribute", "", |_| true);

    /// A string.
    pub const STRING: Self = Self::new("string attribute", "StrAttr", |attribute| {
        attribute.downcast::<Str>().is_some()
    });

    /// A 64-bit integer without signedness.
    pub const I64: Self = Self::new(
        "64-bit signless integer attribute",
        "I64Attr",
        |attribute| {
            attribute
                .downcast::<Int>()
                .is_some_and(|integer| integer.type_() == integer.uniquer().i64())
        },
    );

    /// A double.
    pub const F64: Self = Self::new("64-bit float attribute", "F64Attr", |attribute| {
        attribute
            .downcast::<Real>()
            .is_some_and(|float| float.type_() == float.uniquer().f64())
    });

    /// A type.
    pub const TYPE: Self = Self::new("type attribute", "TypeAttr", |attribute| {
        attribute.downcast::<TypeValue>().is_some()
    });

    /// The attributes that `accepts` takes. `summary` says which these are; `builder` is the name
    /// under which Python has a function that makes one out of a plain value (MLIR's
    /// `AttrBuilder`), or empty.
    #[must_use]
    pub const fn new(
        summary: &'static str,
        builder: &'static str,
        accepts: for<'c> fn(Attribute<'c>) -> bool,
    ) -> Self {
        Self {
            summary,
            builder,
            accepts,
        }
    }
}

/// An operand or a result, or a row of them.
#[derive(Debug, Clone, Copy)]
pub struct Slot {
    pub(crate) name: &'static str,
    pub(crate) constraint: TypeConstraint,
    pub(crate) variadic: bool,
}

impl Slot {
    /// Exactly one.
    #[must_use]
    pub const fn one(name: &'static str, constraint: TypeConstraint) -> Self {
        Self {
            name,
            constraint,
            variadic: false,
        }
    }

    /// Any number. An operation may have one such group among its operands, and one among its
    /// results.
    #[must_use]
    pub const fn variadic(name: &'static str, constraint: TypeConstraint) -> Self {
        Self {
            name,
            constraint,
            variadic: true,
        }
    }
}

/// An attribute that an operation has by its definition.
#[derive(Debug, Clone, Copy)]
pub struct OpAttribute {
    pub(crate) name: &'static str,
    pub(crate) constraint: AttributeConstraint,
    pub(crate) optional: bool,
}

impl OpAttribute {
    /// One that must be there.
    #[must_use]
    pub const fn required(name: &'static str, constraint: AttributeConstraint) -> Self {
        Self {
            name,
            constraint,
            optional: false,
        }
    }

    /// One that may be left out.
    #[must_use]
    pub const fn optional(name: &'static str, constraint: AttributeConstraint) -> Self {
        Self {
            name,
            constraint,
            optional: true,
        }
    }
}

/// Checks an operation whose operands, results and attributes are as defined.
pub type Verify = for<'c> fn(Operation<'c>) -> Result<()>;
/// Says what an operation's results are, given those operands that are constants.
pub type Fold = for<'c> fn(Operation<'c>, &[Option<Attribute<'c>>]) -> Option<Folded<'c>>;
/// Says which types the results have.
pub type Infer = for<'c> fn(&Call<'c>) -> Result<Vec<Type<'c>>>;

/// An operation of a dialect.
#[derive(Debug, Clone, Copy)]
pub struct Op {
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) operands: &'static [Slot],
    pub(crate) results: &'static [Slot],
    pub(crate) attributes: &'static [OpAttribute],
    pub(crate) pure: bool,
    pub(crate) commutative: bool,
    pub(crate) constant_like: bool,
    pub(crate) assembly: Option<&'static [Piece]>,
    pub(crate) verify: Option<Verify>,
    pub(crate) fold: Option<Fold>,
    pub(crate) infer: Option<Infer>,
}

impl Op {
    /// An operation without operands, results and attributes. `name` is without the dialect's.
    #[must_use]
    pub const fn new(name: &'static str, summary: &'static str) -> Self {
        Self {
            name,
            summary,
            operands: &[],
            results: &[],
            attributes: &[],
            pure: false,
            commutative: false,
            constant_like: false,
            assembly: None,
            verify: None,
            fold: None,
            infer: None,
        }
    }

    /// The operands.
    #[must_use]
    pub const fn operands(mut self, operands: &'static [Slot]) -> Self {
        assert!(
            variadic_groups(operands) <= 1,
            "an operation has at most one variadic group of operands"
        );
        self.operands = operands;
        self
    }

    /// The results.
    #[must_use]
    pub const fn results(mut self, results: &'static [Slot]) -> Self {
        assert!(
            variadic_groups(results) <= 1,
            "an operation has at most one variadic group of results"
        );
        self.results = results;
        self
    }

    /// The attributes.
    #[must_use]
    pub const fn attributes(mut self, attributes: &'static [OpAttribute]) -> Self {
        self.attributes = attributes;
        self
    }

    /// Says that the operation has no effect but its results and may be moved anywhere.
    #[must_use]
    pub const fn pure(mut self) -> Self {
        self.pure = true;
        self
    }

    /// Says that the order of the operands does not matter.
    #[must_use]
    pub const fn commutative(mut self) -> Self {
        self.commutative = true;
        self
    }

    /// Says that the operation is a constant: it has no operands and folds to an attribute.
    #[must_use]
    pub const fn constant_like(mut self) -> Self {
        self.constant_like = true;
        self
    }

    /// Sets the custom form; [`crate::assembly`] has the pieces. Without it there is only
    /// the generic form.
    #[must_use]
    pub const fn assembly(mut self, pieces: &'static [Piece]) -> Self {
        self.assembly = Some(pieces);
        self
    }

    /// Checks what the definition alone cannot say.
    #[must_use]
    pub const fn verify(mut self, verify: Verify) -> Self {
        self.verify = Some(verify);
        self
    }

    /// Folds the operation.
    #[must_use]
    pub const fn fold(mut self, fold: Fold) -> Self {
        self.fold = Some(fold);
        self
    }

    /// Infers the results' types, so that a builder need not give them; an operation whose results
    /// have other types is refused.
    #[must_use]
    pub const fn infer(mut self, infer: Infer) -> Self {
        self.infer = Some(infer);
        self
    }
}

const fn variadic_groups(slots: &[Slot]) -> usize {
    let (mut index, mut found) = (0, 0);
    while index < slots.len() {
        found += slots[index].variadic as usize;
        index += 1;
    }
    found
}

/// Refuses, while compiling, a form that does not determine the operation.
const fn check_form(op: &Op, pieces: &[Piece]) {
    assert!(
        has_dictionary(pieces),
        "a custom form without ATTR_DICT loses attributes"
    );
    let mut index = 0;
    while index < op.operands.len() {
        let name = op.operands[index].name;
        assert!(
            has_operand(pieces, name),
            "an operand is missing in the custom form"
        );
        assert!(
            has_type(pieces, name),
            "an operand's type is missing in the custom form"
        );
        index += 1;
    }
    index = 0;
    while index < op.results.len() {
        assert!(
            op.infer.is_some() || has_type(pieces, op.results[index].name),
            "a result's type is missing in the custom form, and not inferred either"
        );
        assert!(
            !op.results[index].variadic || op.infer.is_some(),
            "a variadic group of results has no custom form unless it is inferred"
        );
        index += 1;
    }
}
