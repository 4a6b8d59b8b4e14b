//! The definition of a dialect: plain values that are known when the crate is compiled.
//!
//! All of it is `const`, so that the description for the Python classes can be written while
//! compiling ([`crate::description`]), and registering a dialect allocates next to nothing.

use mondo_ir::sdk::{Codec, LowerType, Lowering, Model, Parameters, ToLlvm};
use mondo_ir::{Attribute, Type};

use crate::assembly::same;
use crate::checks::check_op;
use crate::op::Op;
use crate::passes::{Pass, begins_with, check_passes};

/// A dialect: its types, attributes and operations.
#[derive(Debug, Clone, Copy)]
pub struct Dialect {
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) depends: &'static [&'static str],
    pub(crate) types: &'static [TypeDef],
    pub(crate) attributes: &'static [AttributeDef],
    pub(crate) operations: &'static [Op],
    pub(crate) passes: &'static [Pass],
    pub(crate) constant: Option<Constant>,
    pub(crate) models: &'static [Model],
    pub(crate) to_llvm: Option<ToLlvm>,
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
            passes: &[],
            constant: None,
            models: &[],
            to_llvm: None,
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
            check_op(&operations[index]);
            index += 1;
        }
        self.operations = operations;
        self
    }

    /// The passes.
    #[must_use]
    pub const fn passes(mut self, passes: &'static [Pass]) -> Self {
        check_passes(self.name, passes);
        self.passes = passes;
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

    /// What MLIR's passes may know of operations of other dialects, one model for each. The dialects are among those of
    /// [`Self::depends`].
    ///
    /// ```
    /// # use mondo_dialect::{Dialect, Effect, Model, ModelEffect};
    /// /// `toy` makes such calls only of intrinsics that read what they are given.
    /// const TOY: Dialect = Dialect::new("toy", "Toys.").depends(&["llvm"]).models(&[
    ///     Model::of("llvm.call_intrinsic").effects(&[ModelEffect::on_operand(Effect::Read, 0)]),
    /// ]);
    /// ```
    #[must_use]
    pub const fn models(mut self, models: &'static [Model]) -> Self {
        let mut index = 0;
        while index < models.len() {
            let mut depends = false;
            let mut other = 0;
            while other < self.depends.len() {
                depends |= begins_with(models[index].operation(), self.depends[other], b'.');
                other += 1;
            }
            assert!(
                depends,
                "a model is of an operation of a dialect that is not among `Dialect::depends`"
            );
            index += 1;
        }
        self.models = models;
        self
    }

    /// How MLIR's pass `convert-to-llvm` converts the operations (MLIR's `ConvertToLLVMPatternInterface`). The pass fails where
    /// no pattern for an operation applies. New operations are of `llvm`, or of what else the pass converts.
    ///
    /// Only a dialect with such patterns links MLIR's dialect `llvm`.
    ///
    /// ```
    /// # use mondo_dialect::{Dialect, Lowering};
    /// const TOY: Dialect = Dialect::new("toy", "Toys.").to_llvm(&[Lowering::new(
    ///     "toy.add",
    ///     |rewriter, sum, adaptor| {
    ///         let new = rewriter.ir().build("llvm.add", sum.location());
    ///         let new = rewriter.insert(new.operands(&adaptor.operands()?).infer().finish()?);
    ///         rewriter.replace(&new.results());
    ///         Ok(true)
    ///     },
    /// )]);
    /// ```
    // Inlined, as otherwise this crate would refer to the function that adds the interface, and so would each dialect.
    #[inline]
    #[must_use]
    pub const fn to_llvm(mut self, patterns: &'static [Lowering]) -> Self {
        let mut index = 0;
        while index < patterns.len() {
            assert!(
                begins_with(patterns[index].root(), self.name, b'.'),
                "a pattern of `Dialect::to_llvm` is for an operation of another dialect"
            );
            index += 1;
        }
        self.to_llvm = Some(ToLlvm::new(patterns));
        self
    }

    /// What the types become in `convert-to-llvm`, after [`Self::to_llvm`]. The function returns none for types that it does not
    /// know.
    #[must_use]
    pub const fn types_to_llvm(mut self, types: LowerType) -> Self {
        match &mut self.to_llvm {
            Some(to_llvm) => to_llvm.types = Some(types),
            None => panic!("`Dialect::types_to_llvm` comes after `Dialect::to_llvm`"),
        }
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
