//! The registration of a dialect: its constants become the table that the C++ shim reads.

use std::sync::OnceLock;

use mondo_ir::sdk::{Constants, OpRow, Registry, Table, TypeRow};

use crate::defined::NamedOp;
use crate::definition::{Dialect, Op};

/// A dialect's table, made when it is first registered.
#[derive(Debug)]
pub struct Registered {
    dialect: &'static Dialect,
    table: OnceLock<Table>,
}

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
    /// If the process has more operations with inferred result types than there are functions to give to MLIR: its
    /// interface has no place for data, so that each such operation needs a function of its own.
    ///
    /// # Safety
    ///
    /// `registry` is a live registry that no other thread uses meanwhile.
    pub unsafe fn add_to(&'static self, registry: Registry) {
        let table = self.table.get_or_init(|| table(self.dialect));
        // SAFETY: the registry is live and used by this thread alone, by this function's contract.
        unsafe { table.add_to(registry) }
    }
}

fn table(dialect: &'static Dialect) -> Table {
    let types = dialect.types.iter().map(|definition| TypeRow {
        codec: &definition.codec,
        memref_element: definition.memref_element,
    });
    let attributes = dialect
        .attributes
        .iter()
        .map(|definition| &definition.codec);
    let operations = dialect
        .operations
        .iter()
        .map(|operation| row(dialect.name, operation));
    let constants = dialect.constant.map(|constant| Constants {
        operation: format!("{}.{}", dialect.name, constant.operation).leak(),
        attribute: constant.attribute,
        accepts: constant.accepts,
    });
    Table::new(
        dialect.name,
        dialect.depends,
        &types.collect::<Vec<_>>(),
        &attributes.collect::<Vec<_>>(),
        &operations.collect::<Vec<_>>(),
        constants,
    )
}

fn row(dialect: &str, op: &'static Op) -> OpRow {
    let name: &'static str = format!("{dialect}.{}", op.name).leak();
    OpRow {
        definition: Box::leak(Box::new(NamedOp { name, op })),
        attributes: op
            .attributes
            .iter()
            .map(|attribute| attribute.name)
            .collect(),
        pure: op.pure,
        commutative: op.commutative,
        constant_like: op.constant_like,
        folds: op.fold.is_some(),
        infers: op.infer.is_some(),
        has_assembly: op.assembly.is_some(),
    }
}
