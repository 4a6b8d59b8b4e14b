//! `llvm`: structures and pointers.

use std::sync::PoisonError;

use mondo_sys::MlirLogicalResult;

use super::{DialectHandle, Loaded, dialect};
use crate::context::Ctx;
use crate::declarations::declarations;
use crate::error::{Error, ErrorKind, Result};
use crate::nesting;
use crate::objects::NestingWithin;
use crate::sort::{kinds, tests};
use crate::text::Text;
use crate::types::TypeKind;
use crate::uniqued_handles::{Location, Type, TypeId};

dialect! {
    /// The dialect.
    Llvm = mlirGetDialectHandle__llvm__
}

kinds! { Type:
    /// `!llvm.struct<(i32, f32)>`, `!llvm.struct<"name", (i32)>`.
    Struct, StructType;
    /// `!llvm.ptr`.
    Pointer, PointerType;
}

tests! { Type, TypeKind:
    Struct = mlirTypeIsALLVMStructType;
    Pointer = mlirTypeIsALLVMPointerType;
}

declarations! {
    "Dialect/LLVM.h" {
        mlirGetDialectHandle__llvm__() -> DialectHandle;
        mlirTypeIsALLVMStructType(of: Type<'ctx>) -> bool;
        mlirLLVMStructTypeGetTypeID() -> TypeId<'static>, since "22";
        mlirLLVMStructTypeGetName() -> Text<'static>, since "22";
        mlirLLVMStructTypeLiteralGet(
            ctx: Loaded<'ctx, Llvm>, count: isize, elements: *const Type<'ctx>, packed: bool
        ) -> StructType<'ctx>, slice 1;
        mlirLLVMStructTypeLiteralGetChecked(
            location: Location<'ctx>, count: isize, elements: *const Type<'ctx>, packed: bool
        ) -> Option<StructType<'ctx>>,
            needs "The dialect is loaded, and the array has `count` elements.";
        mlirLLVMStructTypeIdentifiedGet(
            ctx: Loaded<'ctx, Llvm>, name: Text<'_>
        ) -> StructType<'ctx>;
        mlirLLVMStructTypeOpaqueGet(ctx: Loaded<'ctx, Llvm>, name: Text<'_>) -> StructType<'ctx>;
        mlirLLVMStructTypeIdentifiedNewGet(
            ctx: Loaded<'ctx, Llvm>, name: Text<'_>, count: isize, elements: *const Type<'ctx>,
            packed: bool
        ) -> StructType<'ctx>, slice 2;
        mlirLLVMStructTypeSetBody(
            of: StructType<'ctx>, count: isize, elements: *const Type<'ctx>, packed: bool
        ) -> MlirLogicalResult, slice 1;
        mlirLLVMStructTypeIsLiteral(of: StructType<'ctx>) -> bool;
        mlirLLVMStructTypeIsOpaque(of: StructType<'ctx>) -> bool;
        mlirLLVMStructTypeIsPacked(of: StructType<'ctx>) -> bool;
        mlirLLVMStructTypeGetIdentifier(of: StructType<'ctx>) -> Text<'ctx>,
            needs "The structure has a name.";
        mlirLLVMStructTypeGetNumElementTypes(of: StructType<'ctx>) -> isize,
            needs "The structure has a body.";
        mlirLLVMStructTypeGetElementType(of: StructType<'ctx>, index: isize) -> Type<'ctx>,
            needs "The structure has a body, and the index is below the number of its elements.";
        mlirTypeIsALLVMPointerType(of: Type<'ctx>) -> bool;
        mlirLLVMPointerTypeGetTypeID() -> TypeId<'static>, since "22";
        mlirLLVMPointerTypeGetName() -> Text<'static>, since "22";
        mlirLLVMPointerTypeGet(ctx: Loaded<'ctx, Llvm>, address_space: u32) -> PointerType<'ctx>;
        mlirLLVMPointerTypeGetAddressSpace(of: PointerType<'ctx>) -> u32;
    }
}

impl<'ctx> Loaded<'ctx, Llvm> {
    /// The structure without a name that has these elements, or `None` if one of them cannot be an
    /// element, and then the context's diagnostic handlers know why.
    ///
    /// ```
    /// # use mondo_ir::{Context, dialects::llvm::Llvm};
    /// Context::new().enter(|ctx, _| {
    ///     let llvm = ctx.with_dialect::<Llvm>();
    ///     let elements = [ctx.i8().any(), ctx.f32().any()];
    ///     let pair = llvm.structure(ctx.unknown(), &elements, false).unwrap();
    ///     assert_eq!(pair.to_string(), "!llvm.struct<(i8, f32)>");
    ///     assert_eq!(llvm.structure_unchecked(&elements, false), pair);
    /// });
    /// ```
    pub fn structure(
        self,
        location: Location<'ctx>,
        elements: &[Type<'ctx>],
        packed: bool,
    ) -> Option<StructType<'ctx>> {
        let count = elements.len() as isize;
        // SAFETY: the dialect is loaded, and the array is as long as said; MLIR checks the types.
        unsafe { mlirLLVMStructTypeLiteralGetChecked(location, count, elements.as_ptr(), packed) }
    }

    /// The same, where nobody checks whether a structure can have such elements.
    pub fn structure_unchecked(self, elements: &[Type<'ctx>], packed: bool) -> StructType<'ctx> {
        mlirLLVMStructTypeLiteralGet::of(self, elements, packed)
    }

    /// A new structure with a name like this one, and these elements, which nobody checks.
    pub fn new_structure(
        self,
        name: &str,
        elements: &[Type<'ctx>],
        packed: bool,
    ) -> StructType<'ctx> {
        mlirLLVMStructTypeIdentifiedNewGet::of(self, name.into(), elements, packed)
    }
}

impl<'ctx> StructType<'ctx> {
    /// Sets the elements of a structure with a name. Checks only their depth. Returns `false` if the structure has other
    /// elements already, or no name.
    ///
    /// ```
    /// # use mondo_ir::{Context, dialects::llvm::{Llvm, mlirLLVMStructTypeIdentifiedGet}};
    /// Context::new().enter(|ctx, _| {
    ///     let llvm = ctx.with_dialect::<Llvm>();
    ///     let list = mlirLLVMStructTypeIdentifiedGet(llvm, "list".into());
    ///     // It has no body yet, and may have itself in it.
    ///     assert_eq!((list.name().unwrap().bytes(), list.body()), (&b"list"[..], None));
    ///     let elements = [ctx.i8().any(), ctx.parse_type("!llvm.ptr").unwrap()];
    ///     assert!(list.set_body(ctx, &elements, false).unwrap());
    ///     assert_eq!(list.body(), Some(elements.to_vec()));
    ///     let another = llvm.new_structure("list", &elements, false);
    ///     assert_ne!(another.name().unwrap().bytes(), b"list");
    /// });
    /// ```
    ///
    /// # Errors
    ///
    /// The structure, or a type that contains it, could nest deeper than 3000 levels. Functions of a dialect and passes
    /// registered by name always get an error, because only the program that made the context knows the depth of its
    /// structures.
    pub fn set_body(self, ctx: Ctx<'ctx>, elements: &[Type<'ctx>], packed: bool) -> Result<bool> {
        let Some(nesting) = &ctx.state.nesting else {
            let message = "a structure gets its elements from the program that made the context";
            return Err(Error::new(ErrorKind::Form, message));
        };
        let mut nesting = nesting.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the table is of the context of this scope (`Context::enter`), which outlives the scope.
        let within = unsafe { nesting.within(*ctx) };
        let set = self.set_body_within(within, elements, packed);
        nesting::check("structure", set.is_none())?;
        Ok(set.unwrap_or_default())
    }

    /// As [`set_body`](Self::set_body), with the table that has the depths of the context's structures. Returns `None` if
    /// something could nest too deep.
    #[doc(hidden)]
    pub fn set_body_within(
        self,
        mut nesting: NestingWithin<'_, 'ctx>,
        elements: &[Type<'ctx>],
        packed: bool,
    ) -> Option<bool> {
        nesting
            .takes_elements(self.any(), elements)
            .then(|| mlirLLVMStructTypeSetBody::of(self, elements, packed).value != 0)
    }

    /// The name, if the structure has one.
    pub fn name(self) -> Option<Text<'ctx>> {
        // SAFETY: what is not a literal has a name.
        (!mlirLLVMStructTypeIsLiteral(self))
            .then(|| unsafe { mlirLLVMStructTypeGetIdentifier(self) })
    }

    /// The types of the elements, or `None` if there is no body.
    pub fn body(self) -> Option<Vec<Type<'ctx>>> {
        if mlirLLVMStructTypeIsOpaque(self) {
            return None;
        }
        // SAFETY: the structure has a body, and each index is below its length.
        unsafe {
            let elements = (0..mlirLLVMStructTypeGetNumElementTypes(self))
                .map(|at| mlirLLVMStructTypeGetElementType(self, at));
            Some(elements.collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Context, Registry};

    #[test]
    fn a_structure_has_its_elements_and_its_name() {
        Context::with(&Registry::empty()).enter(|ctx, _| {
            let llvm = ctx.with_dialect();
            let elements = [ctx.i32().any(), ctx.f32().any()];
            let literal = llvm.structure(ctx.unknown(), &elements, false);
            let literal = literal.expect("both can be elements");
            assert_eq!(literal.body(), Some(elements.to_vec()));
            assert!(literal.name().is_none());
            assert!(!literal.set_body(ctx, &elements, false).expect("flat"));
            let void = ctx.parsed_type("!llvm.void").expect("there is one");
            let (refused, diagnostics) =
                ctx.capture(|| llvm.structure(ctx.unknown(), &[void], false));
            assert!(refused.is_none() && !diagnostics.is_empty());
            let named = mlirLLVMStructTypeIdentifiedGet(llvm, "pair".into());
            assert_eq!(named.body(), None);
            assert!(named.set_body(ctx, &elements, true).expect("flat"));
            assert!(!named.set_body(ctx, &elements[..1], true).expect("flat"));
            assert_eq!(named.name().map(Text::bytes), Some(&b"pair"[..]));
        });
    }
    #[test]
    fn structures_that_grow_from_the_outside_in_have_a_limit() {
        let mut context = Context::with(&Registry::empty());
        let mut levels = 0;
        // A context knows its structures in later scopes, too.
        for scope in 0..2 {
            context.enter(|ctx, _| {
                let llvm = ctx.with_dialect();
                let named = |level: usize| {
                    mlirLLVMStructTypeIdentifiedGet(llvm, format!("s{level}").as_str().into())
                };
                while named(levels)
                    .set_body(ctx, &[named(levels + 1).any()], false)
                    .is_ok()
                {
                    levels += 1;
                    if scope == 0 && levels == 2000 {
                        break;
                    }
                }
                assert!(!named(0).any().is_too_deep());
                assert_eq!(named(levels).body(), None);
            });
        }
        assert!((2900..3000).contains(&levels), "{levels}");
    }
}
