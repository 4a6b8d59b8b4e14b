//! The table by which the shim knows a dialect.

use std::ffi::c_void;

use mondo_sys::{
    MlirDialectRegistry, MondoSdkDialect, MondoSdkOp, MondoSdkParameterized,
    mondoSdkRegisterDialect,
};

use crate::callback::string_ref;
use crate::sdk::callbacks::CALLBACKS;
use crate::sdk::codec::Codec;
use crate::sdk::defined::{Constants, DefinedOp};

/// A registry of dialects, as a registration function of the C API gets it.
///
/// ```
/// # use mondo_ir::sdk::{Registry, Table};
/// /// A registration function has this type.
/// fn add(table: &'static Table, registry: Registry) {
///     // SAFETY: MLIR calls registration functions with a registry that is live, in one thread.
///     unsafe { table.add_to(registry) };
/// }
/// ```
#[repr(transparent)]
#[derive(Debug, Clone, Copy)]
pub struct Registry(MlirDialectRegistry);

/// A type of a dialect.
///
/// ```
/// # use mondo_ir::sdk::{Codec, TypeRow};
/// fn element_of_memrefs(codec: &'static Codec) -> TypeRow {
///     TypeRow { codec, memref_element: true }
/// }
/// ```
#[derive(Debug)]
pub struct TypeRow {
    /// Its parameters.
    pub codec: &'static Codec,
    /// True if it may be an element of a memref.
    pub memref_element: bool,
}

/// An operation of a dialect.
///
/// ```
/// # use mondo_ir::sdk::{DefinedOp, OpRow};
/// fn row(definition: &'static dyn DefinedOp) -> OpRow {
///     OpRow {
///         definition,
///         attributes: vec!["mark"],
///         pure: true,
///         commutative: false,
///         constant_like: false,
///         folds: true,
///         infers: true,
///         has_assembly: true,
///     }
/// }
/// ```
#[derive(Debug)]
pub struct OpRow {
    /// Its functions.
    pub definition: &'static dyn DefinedOp,
    /// The names of its attributes.
    pub attributes: Vec<&'static str>,
    /// True if it has no effect but its results.
    pub pure: bool,
    /// True if the order of its operands does not matter.
    pub commutative: bool,
    /// True if it is a constant.
    pub constant_like: bool,
    /// True if it can be folded.
    pub folds: bool,
    /// True if the types of its results are inferred.
    pub infers: bool,
    /// True if it has a custom form.
    pub has_assembly: bool,
}

/// A dialect's table. It stays until the process ends: contexts have its address as the dialect's identity.
///
/// ```
/// # use mondo_ir::sdk::{Codec, OpRow, Table, TypeRow};
/// /// The table of a dialect with one type and one operation.
/// fn table(length: &'static Codec, operation: OpRow) -> Table {
///     let length = TypeRow { codec: length, memref_element: true };
///     Table::new("units", &["arith"], &[length], &[], &[operation], None)
/// }
/// ```
#[derive(Debug)]
pub struct Table(MondoSdkDialect);

// SAFETY: a table is never changed, and neither is anything that its pointers lead to.
unsafe impl Send for Table {}
// SAFETY: a table is never changed, and neither is anything that its pointers lead to.
unsafe impl Sync for Table {}

impl Table {
    /// The table of a dialect. What it is made of is leaked.
    pub fn new(
        name: &'static str,
        depends: &[&'static str],
        types: &[TypeRow],
        attributes: &[&'static Codec],
        operations: &[OpRow],
        constants: Option<Constants>,
    ) -> Self {
        let (num_depends, depends) = leaked(depends.iter().map(|it| string_ref(*it)).collect());
        let types = types.iter();
        let types = types.map(|it| parameterized(it.codec, it.memref_element));
        let (num_types, types) = leaked(types.collect());
        let attributes = attributes.iter().map(|it| parameterized(it, false));
        let (num_attributes, attributes) = leaked(attributes.collect());
        let (num_ops, ops) = leaked(operations.iter().map(op).collect());
        let (constant_op, constant_attribute) =
            constants.map_or(("", ""), |it| (it.operation, it.attribute));
        let definition = constants.map_or(std::ptr::null(), |it| opaque(Box::leak(Box::new(it))));
        Self(MondoSdkDialect {
            name: string_ref(name),
            definition,
            callbacks: &raw const CALLBACKS,
            numDepends: num_depends,
            depends,
            numTypes: num_types,
            types,
            numAttributes: num_attributes,
            attributes,
            numOps: num_ops,
            ops,
            constantOp: string_ref(constant_op),
            constantAttribute: string_ref(constant_attribute),
        })
    }

    /// Adds the dialect to a registry.
    ///
    /// # Panics
    /// Panics if the process has more operations that infer their results' types than MLIR's interface can be
    /// told apart for.
    ///
    /// # Safety
    ///
    /// `registry` is a live registry that no other thread uses meanwhile.
    pub unsafe fn add_to(&'static self, registry: Registry) {
        // SAFETY: the caller vouches for the registry; the table is static, and made of what was leaked.
        let added = unsafe { mondoSdkRegisterDialect(registry.0, &raw const self.0) };
        assert!(
            added,
            "too many operations infer the types of their results"
        );
    }
}

fn leaked<T: 'static>(items: Vec<T>) -> (isize, *const T) {
    let items: &'static [T] = items.leak();
    (items.len() as isize, items.as_ptr())
}

fn opaque<T>(definition: &'static T) -> *const c_void {
    std::ptr::from_ref(definition).cast()
}

fn parameterized(codec: &'static Codec, memref_element: bool) -> MondoSdkParameterized {
    MondoSdkParameterized {
        name: string_ref(codec.name),
        definition: opaque(codec),
        memrefElement: memref_element,
    }
}

fn op(row: &OpRow) -> MondoSdkOp {
    let (count, attributes) = leaked(row.attributes.iter().map(|it| string_ref(*it)).collect());
    // C++ has a thin pointer: to the one of two words.
    let definition: &'static &'static dyn DefinedOp = Box::leak(Box::new(row.definition));
    MondoSdkOp {
        name: string_ref(row.definition.name()),
        definition: opaque(definition),
        numAttributes: count,
        attributes,
        pure_: row.pure,
        commutative: row.commutative,
        constantLike: row.constant_like,
        folds: row.folds,
        infers: row.infers,
        hasAssembly: row.has_assembly,
    }
}
