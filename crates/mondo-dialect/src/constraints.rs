//! What operands, results and attributes may be.

use mondo_ir::attributes::{Int, Real, Str, SymbolRef, TypeValue, Unit};
use mondo_ir::types::Function;
use mondo_ir::{Attribute, Type, Uniquer};

/// An enumeration: the values that an attribute may have, with their names.
#[derive(Debug, Clone, Copy)]
pub struct Enum {
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) cases: &'static [Case],
}

/// A case of an enumeration.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    pub(crate) name: &'static str,
    pub(crate) value: i32,
}

impl Case {
    /// The case of that name, which the custom form has, and value, which MLIR keeps.
    #[must_use]
    pub const fn new(name: &'static str, value: i32) -> Self {
        Self { name, value }
    }
}

impl Enum {
    /// An enumeration. `name` is that of the class in Python, for instance `Predicate`; `summary` completes "must be …".
    #[must_use]
    pub const fn new(name: &'static str, summary: &'static str, cases: &'static [Case]) -> Self {
        Self {
            name,
            summary,
            cases,
        }
    }

    /// The value of the case that an attribute is.
    #[must_use]
    pub fn value_of(&self, attribute: Attribute<'_>) -> Option<i32> {
        self.case_of(attribute).map(|case| case.value)
    }

    pub(crate) fn case_of(&self, attribute: Attribute<'_>) -> Option<&'static Case> {
        let integer = attribute.downcast::<Int>()?;
        if integer.type_() != integer.uniquer().i32() {
            return None;
        }
        self.cases
            .iter()
            .find(|case| integer.value() == i128::from(case.value))
    }

    /// The attribute of the case of that value.
    #[must_use]
    pub fn attribute<'c>(&self, uniquer: Uniquer<'c>, value: i32) -> Attribute<'c> {
        uniquer.integer_attr(uniquer.i32(), i64::from(value)).any()
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
    pub(crate) cases: Option<&'static Enum>,
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

    /// True or false.
    pub const BOOL: Self = Self::new("bool attribute", "BoolAttr", |attribute| {
        attribute
            .downcast::<Int>()
            .is_some_and(|integer| integer.type_() == integer.uniquer().i1())
    });

    /// Nothing but that it is there.
    pub const UNIT: Self = Self::new("unit attribute", "UnitAttr", |attribute| {
        attribute.downcast::<Unit>().is_some()
    });

    /// The name of a symbol, as `@f` refers to it.
    pub const SYMBOL: Self = Self::new(
        "flat symbol reference attribute",
        "FlatSymbolRefAttr",
        |attribute| attribute.downcast::<SymbolRef>().is_some(),
    );

    /// The type of a function.
    pub const FUNCTION_TYPE: Self =
        Self::new("type attribute of function type", "TypeAttr", |attribute| {
            attribute
                .downcast::<TypeValue>()
                .is_some_and(|value| value.value().is::<Function>())
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
            cases: None,
        }
    }

    /// The cases of an enumeration. MLIR keeps a 32-bit integer; the custom form has the case's name, and Python a class of
    /// its own.
    #[must_use]
    pub const fn enumeration(cases: &'static Enum) -> Self {
        Self {
            summary: cases.summary,
            builder: cases.name,
            accepts: |attribute| attribute.downcast::<Int>().is_some(),
            cases: Some(cases),
        }
    }

    /// Returns true if an attribute is one of these.
    pub(crate) fn allows(&self, attribute: Attribute<'_>) -> bool {
        (self.accepts)(attribute)
            && self
                .cases
                .is_none_or(|cases| cases.case_of(attribute).is_some())
    }
}
