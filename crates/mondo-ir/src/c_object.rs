//! The owner of a C object.

/// A C object that its owner destroys.
pub(crate) trait Destroy: Copy {
    /// Destroys the object.
    ///
    /// # Safety
    ///
    /// The object is live, nothing else owns it, and nothing uses it afterwards.
    unsafe fn destroy(self);
}

/// Owns a C object, and destroys it when it is dropped.
#[derive(Debug)]
pub(crate) struct Owned<T: Destroy>(T);

impl<T: Destroy> Owned<T> {
    /// Takes an object over.
    ///
    /// # Safety
    ///
    /// The object is live, and nothing else will destroy it.
    pub(crate) unsafe fn new(object: T) -> Self {
        Self(object)
    }

    /// The object, which stays owned.
    pub(crate) fn get(&self) -> T {
        self.0
    }

    /// The object, which the caller owns now.
    pub(crate) fn release(self) -> T {
        let object = self.0;
        std::mem::forget(self);
        object
    }
}

impl<T: Destroy> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: `new` got the only ownership of a live object.
        unsafe { self.0.destroy() };
    }
}

/// Implements [`Destroy`] by the C API's function for it.
macro_rules! destroy {
    ($($object:ident by $function:ident;)+) => {
        $(impl $crate::c_object::Destroy for mondo_sys::$object {
            unsafe fn destroy(self) {
                // SAFETY: the C function has the contract of `Destroy::destroy`, which the caller upholds.
                unsafe { mondo_sys::$function(self) };
            }
        })+
    };
}

destroy! {
    MlirContext by mlirContextDestroy;
    MondoNesting by mondoNestingDestroy;
    MlirDialectRegistry by mlirDialectRegistryDestroy;
    MlirOpPrintingFlags by mlirOpPrintingFlagsDestroy;
    MlirAsmState by mlirAsmStateDestroy;
    MlirBytecodeWriterConfig by mlirBytecodeWriterConfigDestroy;
    MlirPassManager by mlirPassManagerDestroy;
    MlirSymbolTable by mlirSymbolTableDestroy;
    MlirTypeIDAllocator by mlirTypeIDAllocatorDestroy;
    MlirOperation by mlirOperationDestroy;
    MlirTransformOptions by mlirTransformOptionsDestroy;
    MlirRewritePatternSet by mlirRewritePatternSetDestroy;
    MlirPDLPatternModule by mlirPDLPatternModuleDestroy;
    MlirFrozenRewritePatternSet by mlirFrozenRewritePatternSetDestroy;
    MlirGreedyRewriteDriverConfig by mlirGreedyRewriteDriverConfigDestroy;
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[derive(Clone, Copy)]
    struct Counted<'a>(&'a Cell<u32>);

    impl Destroy for Counted<'_> {
        unsafe fn destroy(self) {
            self.0.set(self.0.get() + 1);
        }
    }

    #[test]
    fn an_object_is_destroyed_once() {
        let count = Cell::new(0);
        // SAFETY: a counter is destroyed by adding to it, as often as one likes.
        drop(unsafe { Owned::new(Counted(&count)) });
        assert_eq!(count.get(), 1);
    }
}
