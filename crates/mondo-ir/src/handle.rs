//! The form of handles of what is in a tree: a pointer, its scope, and the borrow of the token that it
//! cannot outlive.

/// Declares a handle into a tree: Copy, compared by identity.
macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $raw:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name<'call, 'ctx> {
            pointer: std::ptr::NonNull<std::ffi::c_void>,
            state: &'ctx $crate::scope::State,
            brand: $crate::brand::Brand<'ctx>,
            call: std::marker::PhantomData<&'call ()>,
        }

        impl<'ctx> $name<'_, 'ctx> {
            /// # Safety
            ///
            /// The object is live and of the state's context, and nothing frees it while the token is
            /// borrowed for `'call`.
            pub(crate) unsafe fn from_raw(
                raw: mondo_sys::$raw,
                state: &'ctx $crate::scope::State,
            ) -> Option<Self> {
                Some(Self {
                    pointer: std::ptr::NonNull::new(raw.ptr as *mut std::ffi::c_void)?,
                    state,
                    brand: std::marker::PhantomData,
                    call: std::marker::PhantomData,
                })
            }

            /// For calls that never return null.
            ///
            /// # Safety
            ///
            /// As for `from_raw`.
            pub(crate) unsafe fn expect(
                raw: mondo_sys::$raw,
                state: &'ctx $crate::scope::State,
            ) -> Self {
                // SAFETY: the caller's.
                unsafe { Self::from_raw(raw, state) }.expect("MLIR returned no null here")
            }

            pub(crate) fn raw(self) -> mondo_sys::$raw {
                mondo_sys::$raw { ptr: self.pointer.as_ptr() }
            }

            /// The context.
            pub fn ctx(self) -> $crate::context::Ctx<'ctx> {
                $crate::context::Ctx::of(self.state)
            }
        }

        impl PartialEq for $name<'_, '_> {
            fn eq(&self, other: &Self) -> bool {
                self.pointer == other.pointer
            }
        }

        impl Eq for $name<'_, '_> {}

        impl std::hash::Hash for $name<'_, '_> {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.pointer.hash(state);
            }
        }
    };
}

pub(crate) use handle;
