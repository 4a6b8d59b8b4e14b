//! The dependents of an operation: the wrappers of its module, results and regions.

use crate::ownership::wrapper::{AnyPlace, Wrapper};

/// The places of the wrappers that depend on an operation, except that of its first result. They are no
/// references.
#[derive(Default)]
pub(crate) struct Dependents {
    pub(crate) module: AnyPlace,
    pub(crate) results: Vec<AnyPlace>,
    pub(crate) regions: Vec<AnyPlace>,
}

/// The key of the module that an operation is.
#[derive(Clone, Copy)]
pub(crate) struct ModuleKey;

/// The key of a result by its number.
#[derive(Clone, Copy)]
pub(crate) struct ResultKey(pub(crate) isize);

/// The key of a region by its number.
#[derive(Clone, Copy)]
pub(crate) struct RegionKey(pub(crate) isize);

/// A key of dependents. It has one implementation, and so one class of objects: what is under it follows from the
/// key.
pub(crate) trait Key: slot::Which {
    type Object: Wrapper;
}

pub(super) mod slot {
    /// The identifier of one dependent of an operation.
    #[derive(Clone, Copy)]
    pub(crate) enum Dependent {
        Module,
        Result(isize),
        Region(isize),
    }

    /// The identifier of a dependent that a key has. The module is not public, so the three keys below are all.
    pub(crate) trait Which: Copy {
        fn which(self) -> Dependent;
    }

    impl Which for super::ModuleKey {
        #[inline]
        fn which(self) -> Dependent {
            Dependent::Module
        }
    }

    impl Which for super::ResultKey {
        #[inline]
        fn which(self) -> Dependent {
            Dependent::Result(self.0)
        }
    }

    impl Which for super::RegionKey {
        #[inline]
        fn which(self) -> Dependent {
            Dependent::Region(self.0)
        }
    }
}

impl Dependents {
    #[inline]
    pub(super) fn slot(&mut self, which: slot::Dependent) -> &AnyPlace {
        let (list, index) = match which {
            slot::Dependent::Module => return &self.module,
            slot::Dependent::Result(index) => (&mut self.results, index.unsigned_abs()),
            slot::Dependent::Region(index) => (&mut self.regions, index.unsigned_abs()),
        };
        if list.len() <= index {
            list.resize_with(index + 1, AnyPlace::empty);
        }
        &list[index]
    }
}
