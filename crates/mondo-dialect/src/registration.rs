//! From the constants of a dialect to the table that the shim reads.

use std::ffi::c_void;
use std::sync::OnceLock;

use mondo_sys::*;

use crate::callbacks::{CALLBACKS, NamedOp};
use crate::definition::{Dialect, Op};
use crate::ir::c_string;
use crate::parameters::Codec;

/// A dialect's table, made when it is first registered. It stays until the process ends: contexts
/// have its address as the dialect's identity.
#[derive(Debug)]
pub struct Registered {
    dialect: &'static Dialect,
    table: OnceLock<Table>,
}

#[derive(Debug)]
struct Table(MondoSdkDialect);

// SAFETY: a table is never changed, and neither is anything that its pointers lead to.
unsafe impl Send for Table {}
// SAFETY: as above.
unsafe impl Sync for Table {}

impl Registered {
    /// The dialect, not registered yet.
    #[must_use]
    pub const fn new(dialect: &'static Dialect) -> Self {
        Self {
            dialect,
            table: OnceLock::new(),
        }
    }

    /// Adds the dialect to a registry.
    ///
    /// # Panics
    ///
    /// If the process has more operations that infer their results' types than MLIR's interface can
    /// be told apart for.
    ///
    /// # Safety
    ///
    /// `registry` is a live registry that no other thread uses meanwhile.
    pub unsafe fn add_to(&'static self, registry: MlirDialectRegistry) {
        let table = self.table.get_or_init(|| table(self.dialect));
        // SAFETY: the caller vouches for the registry; the table is in a static, and made of what
        // was leaked.
        let added = unsafe { mondoSdkRegisterDialect(registry, &raw const table.0) };
        assert!(
            added,
            "too many operations infer the types of their results"
        );
    }
}

fn leaked<T: 'static>(items: Vec<T>) -> (isize, *const T) {
    let items: &'static [T] = items.leak();
    (items.len().cast_signed(), items.as_ptr())
}

fn opaque<T>(definition: &'static T) -> *const c_void {
    std::ptr::from_ref(definition).cast()
}

fn parameterized(codec: &'static Codec, memref_element: bool) -> MondoSdkParameterized {
    MondoSdkParameterized {
        name: c_string(codec.name),
        definition: opaque(codec),
        memrefElement: memref_element,
    }
}

fn op(dialect: &str, op: &'static Op) -> MondoSdkOp {
    let name: &'static str = format!("{dialect}.{}", op.name).leak();
    let names = op.attributes.iter().map(|it| c_string(it.name));
    let (count, attributes) = leaked(names.collect());
    MondoSdkOp {
        name: c_string(name),
        definition: opaque(Box::leak(Box::new(NamedOp { name, op }))),
        numAttributes: count,
        attributes,
        pure_: op.pure,
        commutative: op.commutative,
        constantLike: op.constant_like,
        folds: op.fold.is_some(),
        infers: op.infer.is_some(),
        hasAssembly: op.assembly.is_some(),
    }
}

fn table(dialect: &'static Dialect) -> Table {
    let (num_depends, depends) = leaked(dialect.depends.iter().map(|it| c_string(it)).collect());
    let types = dialect.types.iter();
    let types = types.map(|it| parameterized(&it.codec, it.memref_element));
    let (num_types, types) = leaked(types.collect());
    let attributes = dialect.attributes.iter();
    let attributes = attributes.map(|it| parameterized(&it.codec, false));
    let (num_attributes, attributes) = leaked(attributes.collect());
    let (num_ops, ops) = leaked(
        dialect
            .operations
            .iter()
            .map(|it| op(dialect.name, it))
            .collect(),
    );
    let (constant_op, constant_attribute) = match &dialect.constant {
        Some(constant) => {
            let name = format!("{}.{}", dialect.name, constant.operation);
            (c_string(name.leak()), c_string(constant.attribute))
        }
        None => (c_string(""), c_string("")),
    };
    Table(MondoSdkDialect {
        name: c_string(dialect.name),
        definition: opaque(dialect),
        callbacks: &raw const CALLBACKS,
        numDepends: num_depends,
        depends,
        numTypes: num_types,
        types,
        numAttributes: num_attributes,
        attributes,
        numOps: num_ops,
        ops,
        constantOp: constant_op,
        constantAttribute: constant_attribute,
    })
}
