//! Dialects that are defined at run time: the traits of their operations, their types and their attributes.

use std::ffi::c_void;

use mondo_sys::*;

use crate::attributes::AttributeKind;
use crate::c_type::CType;
use crate::callback::{caught, string_ref};
use crate::nodes::Op;
use crate::sort::kinds;
use crate::text::Text;
use crate::types::TypeKind;
use crate::uniqued_handles::{Attribute, Location, Type, TypeKey};
use crate::uniquer::Uniquer;

kinds! { Type:
    /// A type that was defined at run time.
    Dynamic, DynamicType;
}

kinds! { Attribute:
    /// An attribute that was defined at run time.
    DynamicValue, DynamicAttr;
}

impl TypeKind for Dynamic {
    const NAME: &'static str = "Dynamic";

    fn holds(of: Type<'_>) -> bool {
        // SAFETY: the type is live, by its brand.
        unsafe { mondoTypeIsDynamic(of.raw()) }
    }
}

impl AttributeKind for DynamicValue {
    const NAME: &'static str = "DynamicValue";

    fn holds(of: Attribute<'_>) -> bool {
        // SAFETY: the attribute is live, by its brand.
        unsafe { mondoAttributeIsDynamic(of.raw()) }
    }
}

/// A trait of operations, as MLIR's passes ask for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnownTrait {
    /// Operations that end a block.
    IsTerminator,
    /// Operations whose blocks need no terminator.
    NoTerminator,
}

impl KnownTrait {
    /// The key by which it is asked for.
    pub fn key(self) -> TypeKey {
        // SAFETY: both functions have no precondition.
        let id = unsafe {
            match self {
                Self::IsTerminator => mondoIsTerminatorTraitTypeID(),
                Self::NoTerminator => mondoNoTerminatorTraitTypeID(),
            }
        };
        TypeKey::at(id.ptr.cast_mut()).expect("each trait has a TypeID")
    }
}

/// A new key, for a trait. It stays for the rest of the process, like those of C++, as contexts keep it.
pub fn new_key() -> TypeKey {
    let place: &'static mut u64 = Box::leak(Box::new(0));
    TypeKey::at(std::ptr::from_mut(place).cast()).expect("a box is not at null")
}

/// # Safety
///
/// `data` is an `F` that `add_trait` leaked, and the operation is live.
unsafe extern "C" fn verify<F: Fn(Op<'_>, bool) -> bool>(
    op: MlirOperation,
    regions: bool,
    data: *mut c_void,
) -> bool {
    // SAFETY: `data` is the `F` that `add_trait` leaked for the trait, which keeps it until `release`, and MLIR
    // verifies a live operation, which the closure does not destroy.
    let (check, op) = unsafe { (&*data.cast::<F>(), Op::from_raw(op)) };
    caught(|| op.is_some_and(|op| check(op, regions))).unwrap_or(false)
}

/// # Safety
///
/// `data` is an `F` that `add_trait` leaked, which nothing uses any more.
unsafe extern "C" fn release<F>(data: *mut c_void) {
    // SAFETY: `data` is the `F` that `add_trait` leaked for the trait, which is released once. A panic ends here.
    let _ = caught(|| drop(unsafe { Box::from_raw(data.cast::<F>()) }));
}

impl<'ctx> Uniquer<'ctx> {
    /// Returns whether operations of this name were defined at run time, and none is being verified by a closure.
    pub fn is_dynamic_operation(self, name: &str) -> bool {
        // SAFETY: the context is live, and the name is only read.
        unsafe { mondoDynamicOperationCanChange(self.raw(), string_ref(name)) }
    }

    /// Returns whether operations of this name have a trait.
    pub fn operation_has_trait(self, name: &str, of: TypeKey) -> bool {
        // SAFETY: the context is live; the name is only read, and the key only compared.
        unsafe { mondoOperationNameHasTrait(self.raw(), string_ref(name), of.raw()) }
    }

    fn give_trait(self, name: &str, of: TypeKey, callbacks: MondoDynamicTraitCallbacks) -> bool {
        // SAFETY: the context is live, and the callers have found that the operation was defined at run time and that
        // no closure verifies. No other thread uses the context, as whoever borrowed it vouches.
        unsafe { mondoDynamicOperationAddTrait(self.raw(), string_ref(name), of.raw(), callbacks) }
    }

    /// Gives an operation a trait of MLIR's. Returns false if it has the trait, and `None` unless
    /// [`is_dynamic_operation`](Self::is_dynamic_operation). Not for a handler of diagnostics: the verifier may be at
    /// work.
    pub fn add_known_trait(self, name: &str, of: KnownTrait) -> Option<bool> {
        let callbacks = MondoDynamicTraitCallbacks {
            verify: None,
            release: None,
            data: std::ptr::null_mut(),
        };
        self.is_dynamic_operation(name)
            .then(|| self.give_trait(name, of.key(), callbacks))
    }

    /// Gives an operation a trait, which is checked by a closure: first for the operation alone, and with `true` when
    /// all inside of it was found valid. As [`add_known_trait`](Self::add_known_trait).
    pub fn add_trait<F>(self, name: &str, of: TypeKey, check: F) -> Option<bool>
    where
        F: Fn(Op<'_>, bool) -> bool + Send + Sync + 'static,
    {
        self.is_dynamic_operation(name).then(|| {
            let callbacks = MondoDynamicTraitCallbacks {
                verify: Some(verify::<F>),
                release: Some(release::<F>),
                data: Box::into_raw(Box::new(check)).cast(),
            };
            self.give_trait(name, of, callbacks)
        })
    }

    /// Says of an operation that it has no effects and may be executed speculatively. As
    /// [`add_known_trait`](Self::add_known_trait).
    pub fn make_pure(self, name: &str) -> Option<()> {
        self.is_dynamic_operation(name).then(|| {
            // SAFETY: the context is live, the operation was defined at run time, and no closure verifies.
            unsafe { mondoDynamicOperationMakePure(self.raw(), string_ref(name)) }
        })
    }

    /// The kind of the types that a dialect defined by this name at run time.
    pub fn dynamic_type_kind(self, dialect: &str, name: &str) -> Option<TypeKey> {
        self.dynamic_kind(dialect, name, false)
    }

    /// The kind of the attributes that a dialect defined by this name at run time.
    pub fn dynamic_attribute_kind(self, dialect: &str, name: &str) -> Option<TypeKey> {
        self.dynamic_kind(dialect, name, true)
    }

    fn dynamic_kind(self, dialect: &str, name: &str, attribute: bool) -> Option<TypeKey> {
        let (dialect, name) = (string_ref(dialect), string_ref(name));
        // SAFETY: the context is live, and the names are only read.
        let id = unsafe { mondoDynamicKindTypeID(self.raw(), dialect, name, attribute) };
        TypeKey::at(id.ptr.cast_mut())
    }
}

impl<'ctx> Location<'ctx> {
    /// A type that a dialect defined by this name. `None` if it defined none, or if the parameters do not fit: then
    /// diagnostic handlers know why.
    pub fn dynamic_type(
        self,
        dialect: &str,
        name: &str,
        parameters: &[Attribute<'ctx>],
    ) -> Option<DynamicType<'ctx>> {
        let kind = self.uniquer().dynamic_type_kind(dialect, name)?.raw();
        // SAFETY: the location and the parameters are live and of one context, by their brand, and the kind is one
        // that the dialect has. A handle has the layout of the structure of the C API.
        unsafe {
            let (count, first) = (parameters.len() as isize, parameters.as_ptr().cast());
            let raw = mondoDynamicTypeGet(self.raw(), kind, string_ref(dialect), count, first);
            Type::from_raw(raw)
        }
    }

    /// An attribute that a dialect defined by this name, as [`dynamic_type`](Self::dynamic_type).
    pub fn dynamic_attribute(
        self,
        dialect: &str,
        name: &str,
        parameters: &[Attribute<'ctx>],
    ) -> Option<DynamicAttr<'ctx>> {
        let kind = self.uniquer().dynamic_attribute_kind(dialect, name)?.raw();
        // SAFETY: as above.
        unsafe {
            let (count, first) = (parameters.len() as isize, parameters.as_ptr().cast());
            let raw = mondoDynamicAttributeGet(self.raw(), kind, string_ref(dialect), count, first);
            Attribute::from_raw(raw)
        }
    }
}

/// Collects as many parameters as `copy` says that there are.
fn all<'ctx>(copy: impl Fn(isize, *mut MlirAttribute) -> isize) -> Vec<Attribute<'ctx>> {
    let count = copy(0, std::ptr::null_mut());
    let mut raw = vec![
        MlirAttribute {
            ptr: std::ptr::null(),
        };
        count as usize
    ];
    copy(count, raw.as_mut_ptr());
    let attributes = raw.into_iter();
    // SAFETY: the parameters of a type or attribute are of its context.
    attributes
        .filter_map(|raw| unsafe { Attribute::from_raw(raw) })
        .collect()
}

impl<'ctx> DynamicType<'ctx> {
    /// The values of its parameters.
    pub fn values(self) -> Vec<Attribute<'ctx>> {
        // SAFETY: the type is live and dynamic, and there is room for as many parameters as are asked for.
        all(|room, into| unsafe { mondoDynamicTypeGetParameters(self.raw(), room, into) })
    }

    /// The name, with that of its dialect.
    pub fn full_name(self) -> String {
        // SAFETY: the type is live and dynamic, and its definition lives as long as the context.
        let name = unsafe { Text::of_raw(mondoDynamicTypeGetName(self.raw())) };
        format!("{}.{}", self.any().dialect().to_text(), name.to_text())
    }
}

impl<'ctx> DynamicAttr<'ctx> {
    /// The values of its parameters.
    pub fn values(self) -> Vec<Attribute<'ctx>> {
        // SAFETY: the attribute is live and dynamic, and there is room for as many parameters as are asked for.
        all(|room, into| unsafe { mondoDynamicAttributeGetParameters(self.raw(), room, into) })
    }

    /// The name, with that of its dialect.
    pub fn full_name(self) -> String {
        // SAFETY: the attribute is live and dynamic, and its definition lives as long as the context.
        let name = unsafe { Text::of_raw(mondoDynamicAttributeGetName(self.raw())) };
        format!("{}.{}", self.any().dialect().to_text(), name.to_text())
    }
}
