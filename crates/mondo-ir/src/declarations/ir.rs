//! The functions of types, attributes and locations of any kind.

use super::declarations;
use crate::uniqued_handles::{Attribute, Location, Type, TypeId};

declarations! {
    "IR.h" {
        mlirTypeGetTypeID(of: Type<'ctx>) -> TypeId<'ctx>;
        mlirAttributeGetTypeID(of: Attribute<'ctx>) -> TypeId<'ctx>;
        mlirAttributeGetType(of: Attribute<'ctx>) -> Type<'ctx>;
        mlirLocationGetAttribute(of: Location<'ctx>) -> Attribute<'ctx>;
    }
}
