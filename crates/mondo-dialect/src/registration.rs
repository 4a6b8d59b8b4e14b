//! The registration of a dialect: its constants become the table that the C++ shim reads.

use std::sync::OnceLock;

use mondo_ir::sdk::{Constants, Interfaces, OpRow, Registry, Table, Trait, TypeRow};

use crate::defined::NamedOp;
use crate::definition::Dialect;
use crate::interfaces;
use crate::op::Op;
use crate::passes::Pass;
use crate::storage;

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
    let table = Table::new(
        dialect.name,
        dialect.depends,
        &types.collect::<Vec<_>>(),
        &attributes.collect::<Vec<_>>(),
        &operations.collect::<Vec<_>>(),
        dialect.passes.iter().map(Pass::row).collect(),
        constants,
    )
    .with_models(dialect.models);
    match dialect.to_llvm {
        Some(to_llvm) => table.with_lowering(to_llvm),
        None => table,
    }
}

fn row(dialect: &str, op: &'static Op) -> OpRow {
    let full = |name: &str| -> &'static str { format!("{dialect}.{name}").leak() };
    let name = full(op.name);
    let mut traits = op.traits.to_vec();
    for (has, one) in [
        (op.pure, Trait::Pure),
        (op.commutative, Trait::Commutative),
        (op.constant_like, Trait::ConstantLike),
    ] {
        if has && !traits.contains(&one) {
            traits.push(one);
        }
    }
    OpRow {
        attributes: op.attributes.iter().map(|one| one.name).collect(),
        operands: op.operands.iter().map(|slot| slot.group).collect(),
        results: op.results.iter().map(|slot| slot.group).collect(),
        regions: op.regions.iter().map(|slot| slot.group).collect(),
        successors: op.successors.iter().map(|slot| slot.group).collect(),
        traits,
        interfaces: Interfaces {
            tiling: storage::resolve(op),
            ..interfaces::resolve(op)
        },
        terminator: op.terminator.map(full),
        folds: op.fold.is_some(),
        infers: op.infer.is_some(),
        has_assembly: op.assembly.is_some(),
        has_defaults: op.attributes.iter().any(|one| one.default.is_some()),
        inlinable: op.inlinable,
        patterns: op.patterns.to_vec(),
        ..OpRow::new(Box::leak(Box::new(NamedOp { name, op })))
    }
}
