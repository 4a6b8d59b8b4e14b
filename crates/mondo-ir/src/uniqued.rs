//! The form of handles of uniqued things: one pointer, which lives as long as the context.

/// A type as it is written in the C API's headers.
pub(crate) trait InC {
    /// Its spelling.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "the table of declarations is compared by a test")
    )]
    const NAME: &'static str;
}

/// Declares a handle of a uniqued thing: Copy, compared by identity, and as the C API passes it.
///
/// A C structure with one pointer is passed like that pointer on each machine that mondo links for
/// (System V x86-64, AAPCS64), so the handle stands for the structure in declarations, and `Option` of
/// it for one that may be null.
macro_rules! uniqued {
    ($(#[$doc:meta])* $name:ident, $raw:ident, $print:ident) => {
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
            pub(crate) unsafe fn from_raw(raw: mondo_sys::$raw) -> Option<Self> {
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
            pub(crate) unsafe fn expect(raw: mondo_sys::$raw) -> Self {
                // SAFETY: the caller's.
                unsafe { Self::from_raw(raw) }.expect("MLIR returned no null here")
            }

            pub(crate) fn raw(self) -> mondo_sys::$raw {
                mondo_sys::$raw { ptr: self.pointer.as_ptr().cast_const().cast() }
            }

            /// Without the kind, or with one that is known to hold.
            pub(crate) fn with_kind<L>(self) -> $name<'ctx, L> {
                $name {
                    pointer: self.pointer,
                    brand: self.brand,
                    kind: std::marker::PhantomData,
                }
            }

            /// The same, of any kind.
            pub fn any(self) -> $name<'ctx> {
                self.with_kind()
            }
        }

        impl<K> Clone for $name<'_, K> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<K> Copy for $name<'_, K> {}

        impl<'ctx, K, L> PartialEq<$name<'ctx, L>> for $name<'ctx, K> {
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
                // SAFETY: the thing lives as long as the context, which outlives the brand.
                let print = |sink, data| unsafe { mondo_sys::$print(self.raw(), sink, data) };
                f.write_str(&$crate::callback::text(print).0)
            }
        }

        impl<K> std::fmt::Debug for $name<'_, K> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({self})", stringify!($name))
            }
        }

        impl<K> $crate::uniqued::InC for $name<'_, K> {
            const NAME: &'static str = stringify!($raw);
        }

        impl<K> $crate::uniqued::InC for Option<$name<'_, K>> {
            const NAME: &'static str = stringify!($raw);
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
            /// True if this is of the kind `K`.
            pub fn is<K: $trait>(self) -> bool {
                K::holds(self)
            }

            /// The same as one of the kind `K`, if it is.
            pub fn downcast<K: $trait>(self) -> Option<$handle<'ctx, K>> {
                K::holds(self).then(|| self.with_kind())
            }

            /// The same as one of the kind `K`.
            ///
            /// # Errors
            /// `ErrorKind::Cast` where it is of another kind.
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
    ($handle:ident, $trait:ident: $($kind:ident = $test:ident;)+) => {
        $(impl $trait for $kind {
            const NAME: &'static str = stringify!($kind);

            fn holds(of: $handle<'_>) -> bool {
                c::$test(of)
            }
        })+
    };
}

pub(crate) use {casts, kinds, tests, uniqued};
