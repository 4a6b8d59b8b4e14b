//! The depth of types, attributes, locations and affine expressions. MLIR prints, writes and compares what is in them by
//! recursion, and programs can nest them without end.

use mondo_sys::{
    MlirAttribute, mlirAffineMapAttrGet, mlirIntegerSetGetConstraint,
    mlirIntegerSetGetNumConstraints, mondoAffineExprIsTooDeep, mondoAttributeIsTooDeep,
    mondoTypeIsTooDeep,
};

use crate::error::{Error, ErrorKind, Result};
use crate::sort::PARTS;
use crate::uniqued_handles::{AffineExpr, AffineMap, Attribute, IntegerSet, Location, Type};

/// Refuses something that is too deep.
pub(crate) fn check(what: &str, is_too_deep: bool) -> Result<()> {
    if is_too_deep {
        let message =
            format!("the {what} nests deeper than {PARTS} levels, or has more than 2^28 parts");
        return Err(Error::new(ErrorKind::Form, message));
    }
    Ok(())
}

impl<K> Type<'_, K> {
    /// Returns true if it nests deeper than 3000 levels, or has more than 2^28 parts when each is counted as often as it is
    /// printed, so that MLIR cannot print it. No operation can have it.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, _| {
    ///     let deep = (0..4000).fold(ctx.i8().any(), |inner, _| ctx.tuple(&[inner]).any());
    ///     assert!(deep.is_too_deep() && !ctx.i8().is_too_deep());
    ///     assert_eq!(deep.to_string(), "<nested deeper than 3000 levels, or of more than 2^28 parts>");
    /// });
    /// ```
    pub fn is_too_deep(self) -> bool {
        // SAFETY: a uniqued thing is live as long as its context, which its brand names.
        unsafe { mondoTypeIsTooDeep(self.raw()) }
    }
}

impl<K> Attribute<'_, K> {
    /// As for a type.
    pub fn is_too_deep(self) -> bool {
        // SAFETY: a uniqued thing is live as long as its context, which its brand names.
        unsafe { mondoAttributeIsTooDeep(self.raw()) }
    }
}

impl<K> Location<'_, K> {
    /// As for a type.
    pub fn is_too_deep(self) -> bool {
        let ptr = self.raw().ptr;
        // SAFETY: a uniqued thing is live as long as its context, which its brand names; a location is an attribute.
        unsafe { mondoAttributeIsTooDeep(MlirAttribute { ptr }) }
    }
}

impl<K> AffineExpr<'_, K> {
    /// As for a type.
    pub fn is_too_deep(self) -> bool {
        // SAFETY: a uniqued thing is live as long as its context, which its brand names.
        unsafe { mondoAffineExprIsTooDeep(self.raw()) }
    }
}

impl<K> AffineMap<'_, K> {
    /// As for a type.
    pub fn is_too_deep(self) -> bool {
        // SAFETY: a uniqued thing is live as long as its context, which its brand names.
        unsafe { mondoAttributeIsTooDeep(mlirAffineMapAttrGet(self.raw())) }
    }
}

impl<K> IntegerSet<'_, K> {
    /// As for a type.
    pub fn is_too_deep(self) -> bool {
        // SAFETY: a uniqued thing is live as long as its context, which its brand names; each index is below the
        // count.
        unsafe {
            (0..mlirIntegerSetGetNumConstraints(self.raw())).any(|index| {
                mondoAffineExprIsTooDeep(mlirIntegerSetGetConstraint(self.raw(), index))
            })
        }
    }
}
