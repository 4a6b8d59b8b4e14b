//! Handles of what MLIR uniques in a context (types, attributes, locations and the like): one
//! pointer, valid as long as the context.

use std::ffi::c_void;
use std::ptr::NonNull;

use crate::uniquer::Uniquer;

/// The levels that types, attributes and affine expressions may nest, as in bytecode and text.
pub(crate) const PARTS: usize = 3000;

/// The text in place of that of something too deep.
pub(crate) fn text_of_too_deep() -> String {
    format!("<nested deeper than {PARTS} levels, or of more than 2^28 parts>")
}

/// The handles of one sort, whatever their brand. The sort's own name is its handle with the brand
/// `'static`.
///
/// For programs that keep uniqued things beside what keeps their context alive: as an address, which
/// becomes a handle again in a scope of that context.
///
/// ```
/// # use mondo_ir::{Attribute, Context, Sort, Type};
/// /// The texts of things of one sort.
/// fn texts<S: Sort>(all: &[S::Of<'_>]) -> Vec<String> {
///     all.iter().map(|one| S::to_text(*one)).collect()
/// }
/// Context::new().enter(|ctx, _| {
///     assert_eq!(texts::<Type<'static>>(&[ctx.i8().any()]), ["i8"]);
///     assert_eq!(texts::<Attribute<'static>>(&[ctx.unit().any()]), ["unit"]);
/// });
/// ```
pub trait Sort {
    /// The handle with a brand.
    type Of<'ctx>: Copy;

    /// The address by which the context knows the thing.
    fn address(of: Self::Of<'_>) -> NonNull<c_void>;

    /// The thing at an address.
    ///
    /// # Safety
    ///
    /// The address is that of a thing of this sort and kind, which is of the brand's context.
    unsafe fn at<'ctx>(address: NonNull<c_void>) -> Self::Of<'ctx>;

    /// The context of a thing.
    fn uniquer<'ctx>(of: Self::Of<'ctx>) -> Uniquer<'ctx>;

    /// The text of a thing, as MLIR prints it.
    fn to_text(of: Self::Of<'_>) -> String;
}

/// Declares a handle of a uniqued thing: Copy, compared by identity, and as the C API passes it.
///
/// A C structure with one pointer is passed like that pointer on each machine that mondo links for
/// (System V x86-64, AAPCS64), so the handle stands for the structure in declarations, and `Option` of
/// it for one that may be null.
macro_rules! uniqued {
    ($(#[$doc:meta])* $name:ident, $raw:ident, $print:ident, $context:ident) => {
        $(#[$doc])*
        #[repr(transparent)]
        pub struct $name<'ctx, K = Any> {
            pointer: std::ptr::NonNull<std::ffi::c_void>,
            brand: $crate::brand::Brand<'ctx>,
            kind: std::marker::PhantomData<K>,
        }

        impl<'ctx, K> $name<'ctx, K> {
            /// # Safety
            ///
            /// The thing is of the brand's context, and of the kind `K`.
            #[inline]
            pub unsafe fn from_raw(raw: mondo_sys::$raw) -> Option<Self> {
                Some(Self {
                    pointer: std::ptr::NonNull::new(raw.ptr.cast_mut().cast())?,
                    brand: std::marker::PhantomData,
                    kind: std::marker::PhantomData,
                })
            }

            /// For calls that never return null.
            ///
            /// # Safety
            ///
            /// As for `from_raw`.
            #[allow(dead_code, reason = "not every sort has calls that are in no row")]
            #[inline]
            pub(crate) unsafe fn expect(raw: mondo_sys::$raw) -> Self {
                // SAFETY: this function has the contract of `from_raw`, which its caller upholds.
                unsafe { Self::from_raw(raw) }.expect("MLIR returned no null here")
            }

            /// The handle as the C API's structure, as mondo-sys declares it.
            #[inline]
            pub fn raw(self) -> mondo_sys::$raw {
                mondo_sys::$raw { ptr: self.pointer.as_ptr().cast_const().cast() }
            }

            /// Without the kind, or with one that is known to hold.
            #[inline]
            pub(crate) fn with_kind<L>(self) -> $name<'ctx, L> {
                $name {
                    pointer: self.pointer,
                    brand: self.brand,
                    kind: std::marker::PhantomData,
                }
            }

            /// The context that it is of.
            #[inline]
            pub fn uniquer(self) -> $crate::uniquer::Uniquer<'ctx> {
                // SAFETY: a uniqued thing is live as long as its context, which its brand names.
                unsafe { $crate::uniquer::Uniquer::expect(mondo_sys::$context(self.raw())) }
            }

            /// The text as MLIR prints it; where it is not UTF-8, the replacement character stands. Where it nests
            /// deeper than MLIR can follow, the text says that.
            pub fn to_text(self) -> String {
                if self.is_too_deep() {
                    return $crate::sort::text_of_too_deep();
                }
                // SAFETY: the thing lives as long as the context, which outlives the brand.
                let print = |sink, data| unsafe { mondo_sys::$print(self.raw(), sink, data) };
                $crate::callback::text(print).0
            }

            /// The handle without its kind, which is then `Any`.
            #[inline]
            pub fn any(self) -> $name<'ctx> {
                self.with_kind()
            }
        }

        impl<K> $crate::sort::Sort for $name<'static, K> {
            type Of<'ctx> = $name<'ctx, K>;

            #[inline]
            fn address(of: $name<'_, K>) -> std::ptr::NonNull<std::ffi::c_void> {
                of.pointer
            }

            #[inline]
            unsafe fn at<'ctx>(
                address: std::ptr::NonNull<std::ffi::c_void>,
            ) -> $name<'ctx, K> {
                $name {
                    pointer: address,
                    brand: std::marker::PhantomData,
                    kind: std::marker::PhantomData,
                }
            }

            #[inline]
            fn uniquer<'ctx>(of: Self::Of<'ctx>) -> $crate::uniquer::Uniquer<'ctx> {
                of.uniquer()
            }

            fn to_text(of: $name<'_, K>) -> String {
                of.to_text()
            }
        }

        impl<K> Clone for $name<'_, K> {
            #[inline]
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<K> Copy for $name<'_, K> {}

        impl<'ctx, K, L> PartialEq<$name<'ctx, L>> for $name<'ctx, K> {
            #[inline]
            fn eq(&self, other: &$name<'ctx, L>) -> bool {
                self.pointer == other.pointer
            }
        }

        impl<K> Eq for $name<'_, K> {}

        impl<K> std::hash::Hash for $name<'_, K> {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.pointer.hash(state);
            }
        }

        impl<K> std::fmt::Display for $name<'_, K> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.to_text())
            }
        }

        impl<K> std::fmt::Debug for $name<'_, K> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({self})", stringify!($name))
            }
        }

        impl<K> $crate::c_type::CType for $name<'_, K> {
            type Raw = mondo_sys::$raw;

            fn name() -> String {
                stringify!($raw).to_owned()
            }

            #[inline]
            fn to_raw(self) -> Self::Raw {
                self.raw()
            }

            #[inline]
            unsafe fn of_raw(raw: Self::Raw) -> Self {
                // SAFETY: `CType::of_raw` asks for a thing of the brand's context and of this kind, which
                // `expect` needs.
                unsafe { Self::expect(raw) }
            }
        }

        impl<K> $crate::c_type::CType for Option<$name<'_, K>> {
            type Raw = mondo_sys::$raw;

            fn name() -> String {
                stringify!($raw).to_owned()
            }

            #[inline]
            fn to_raw(self) -> Self::Raw {
                mondo_sys::$raw {
                    ptr: self
                        .map_or(std::ptr::null_mut(), |thing| thing.pointer.as_ptr())
                        .cast_const()
                        .cast(),
                }
            }

            #[inline]
            unsafe fn of_raw(raw: Self::Raw) -> Self {
                // SAFETY: `CType::of_raw` asks for a thing of the brand's context and of this kind, or
                // null, which `from_raw` needs.
                unsafe { $name::from_raw(raw) }
            }
        }
    };
}

/// Declares kinds of a uniqued thing, and the conversion to one of any kind.
macro_rules! kinds {
    ($handle:ident: $($(#[$doc:meta])* $kind:ident, $alias:ident;)+) => {
        $(
            $(#[$doc])*
            #[derive(Debug)]
            pub enum $kind {}

            impl<'ctx> From<$handle<'ctx, $kind>> for $handle<'ctx> {
                fn from(thing: $handle<'ctx, $kind>) -> Self {
                    thing.any()
                }
            }

            #[doc = concat!("[`", stringify!($handle), "`] of the kind [`", stringify!($kind), "`].")]
            pub type $alias<'ctx> = $handle<'ctx, $kind>;
        )+
    };
}

/// Implements the one check of a kind.
macro_rules! casts {
    ($handle:ident, $trait:ident) => {
        impl<'ctx> $handle<'ctx> {
            /// Returns true if this is of the kind `K`.
            #[inline]
            pub fn is<K: $trait>(self) -> bool {
                K::holds(self)
            }

            /// The handle as one of the kind `K`, or `None` if it is of another kind.
            #[inline]
            pub fn downcast<K: $trait>(self) -> Option<$handle<'ctx, K>> {
                K::holds(self).then(|| self.with_kind())
            }

            /// The same as one of the kind `K`.
            ///
            /// # Errors
            /// `ErrorKind::Cast` if it is of another kind.
            pub fn cast<K: $trait>(self) -> $crate::error::Result<$handle<'ctx, K>> {
                self.downcast().ok_or_else(|| {
                    $crate::error::Error::new(
                        $crate::error::ErrorKind::Cast,
                        format!("{self} is not of the kind {}", K::NAME),
                    )
                })
            }
        }
    };
}

/// Implements the tests of kinds, by functions of the C API.
macro_rules! tests {
    ($handle:ident, $trait:ident: $($kind:ident = $test:path;)+) => {
        $(impl $trait for $kind {
            const NAME: &'static str = stringify!($kind);

            #[inline]
            fn holds(of: $handle<'_>) -> bool {
                $test(of)
            }
        })+
    };
}

pub(crate) use {casts, kinds, tests, uniqued};
