//! Interned names, and the identities of C++ types.

use mondo_sys::{
    mlirAttributeGetDialect, mlirDialectGetNamespace, mlirIdentifierGet, mlirTypeGetDialect,
};

use crate::c_type::CType;
use crate::callback::string_ref;
use crate::declarations as c;
use crate::text::Text;
use crate::uniqued_handles::{Attribute, Identifier, Type, TypeId};
use crate::uniquer::Uniquer;

impl<'ctx, K> Type<'ctx, K> {
    /// The name of the dialect that it is of.
    pub fn dialect(self) -> Text<'ctx> {
        // SAFETY: the type is live, and so is its dialect, which owns the text.
        unsafe { CType::of_raw(mlirDialectGetNamespace(mlirTypeGetDialect(self.raw()))) }
    }

    /// The identity of the type's class.
    pub fn type_id(self) -> TypeId<'ctx> {
        c::mlirTypeGetTypeID(self.any())
    }
}

impl<'ctx, K> Attribute<'ctx, K> {
    /// The name of the dialect that it is of.
    pub fn dialect(self) -> Text<'ctx> {
        // SAFETY: the attribute is live, and so is its dialect, which owns the text.
        unsafe { CType::of_raw(mlirDialectGetNamespace(mlirAttributeGetDialect(self.raw()))) }
    }

    /// The identity of the attribute's class.
    pub fn type_id(self) -> TypeId<'ctx> {
        c::mlirAttributeGetTypeID(self.any())
    }
}

impl<'ctx> Uniquer<'ctx> {
    /// The identifier of this text.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, _| {
    ///     assert_eq!(ctx.identifier("a"), ctx.identifier("a"));
    ///     assert_eq!(ctx.identifier("a"), "a");
    /// });
    /// ```
    pub fn identifier(self, text: &str) -> Identifier<'ctx> {
        // SAFETY: the context is live, and copies the text.
        unsafe { Identifier::expect(mlirIdentifierGet(self.raw(), string_ref(text))) }
    }
}

/// A name that is there twice: MLIR takes each name of a dictionary for another.
pub(crate) fn repeated<'a>(names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    let twice = names.windows(2).find(|pair| pair[0] == pair[1])?;
    Some(twice[0])
}
