//! Interned names, and the identities of C++ types.

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

use mondo_sys::{MlirIdentifier, MlirTypeID, mlirIdentifierGet, mlirIdentifierStr};

use crate::brand::Brand;
use crate::callback::{bytes, string_ref};
use crate::context::Ctx;
use crate::declarations::{self as c, InC};

/// A name that the context keeps once: of an attribute or an operation.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Identifier<'ctx> {
    pointer: NonNull<c_void>,
    brand: Brand<'ctx>,
}

impl<'ctx> Identifier<'ctx> {
    /// # Safety
    ///
    /// The identifier is of the brand's context.
    pub(crate) unsafe fn expect(raw: MlirIdentifier) -> Self {
        Self {
            pointer: NonNull::new(raw.ptr.cast_mut()).expect("MLIR returned no null here"),
            brand: PhantomData,
        }
    }

    pub(crate) fn raw(self) -> MlirIdentifier {
        MlirIdentifier {
            ptr: self.pointer.as_ptr(),
        }
    }

    /// The text; where it is not UTF-8, the replacement character stands.
    pub fn text(self) -> String {
        // SAFETY: the context keeps the text as long as it lives.
        String::from_utf8_lossy(unsafe { bytes(mlirIdentifierStr(self.raw())) }).into_owned()
    }
}

impl fmt::Display for Identifier<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl fmt::Debug for Identifier<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identifier({self})")
    }
}

impl PartialEq<str> for Identifier<'_> {
    fn eq(&self, other: &str) -> bool {
        // SAFETY: the context keeps the text as long as it lives.
        unsafe { bytes(mlirIdentifierStr(self.raw())) == other.as_bytes() }
    }
}

impl PartialEq<&str> for Identifier<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl InC for Identifier<'_> {
    const NAME: &'static str = "MlirIdentifier";
}

/// The identity of a C++ class of operation, type or attribute. It is the same for all contexts, but
/// those of dialects that are defined at run time die with their context.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TypeId<'ctx> {
    pointer: NonNull<c_void>,
    brand: Brand<'ctx>,
}

impl TypeId<'_> {
    /// # Safety
    ///
    /// The identity is of the brand's context, or static.
    pub(crate) unsafe fn from_raw(raw: MlirTypeID) -> Option<Self> {
        Some(Self {
            pointer: NonNull::new(raw.ptr.cast_mut())?,
            brand: PhantomData,
        })
    }
}

impl InC for TypeId<'_> {
    const NAME: &'static str = "MlirTypeID";
}

impl<'ctx, K> crate::types::Type<'ctx, K> {
    /// The identity of the type's class.
    pub fn type_id(self) -> TypeId<'ctx> {
        c::mlirTypeGetTypeID(self.any())
    }
}

impl<'ctx, K> crate::attributes::Attribute<'ctx, K> {
    /// The identity of the attribute's class.
    pub fn type_id(self) -> TypeId<'ctx> {
        c::mlirAttributeGetTypeID(self.any())
    }
}

impl<'ctx> Ctx<'ctx> {
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
