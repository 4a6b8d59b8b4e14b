//! The table by which the shim knows a dialect.

use std::ffi::c_void;

use mondo_sys::{
    MlirDialectRegistry, MondoSdkDialect, MondoSdkFlag, MondoSdkGroup, MondoSdkGroups,
    MondoSdkInteger, MondoSdkLoweringPattern, MondoSdkOp, MondoSdkOption, MondoSdkParameterized,
    MondoSdkPass, MondoSdkPattern, MondoSdkStatistic, MondoSdkText, MondoSdkToLlvm,
    mondoSdkRegisterDialect,
};

use crate::callback::string_ref;
use crate::sdk::callbacks::CALLBACKS;
use crate::sdk::codec::Codec;
use crate::sdk::defined::{Constants, DefinedOp};
use crate::sdk::groups::Group;
use crate::sdk::interfaces::{Interfaces, leaked};
use crate::sdk::lowering::{LowerType, Lowering, ToLlvm};
use crate::sdk::models::Model;
use crate::sdk::rewriting::{Initial, PassRow, Pattern};
use crate::sdk::traits::Trait;

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
    /// Returns true if it may be an element of a memref.
    pub memref_element: bool,
}

/// An operation of a dialect.
///
/// ```
/// # use mondo_ir::sdk::{Count, DefinedOp, Group, OpRow, Trait};
/// fn row(definition: &'static dyn DefinedOp) -> OpRow {
///     OpRow {
///         attributes: vec!["mark"],
///         operands: vec![Group { name: "operand", count: Count::One }],
///         traits: vec![Trait::Pure],
///         folds: true,
///         ..OpRow::new(definition)
///     }
/// }
/// ```
#[derive(Debug)]
pub struct OpRow {
    /// Its functions.
    pub definition: &'static dyn DefinedOp,
    /// The names of its attributes.
    pub attributes: Vec<&'static str>,
    /// Its operands.
    pub operands: Vec<Group>,
    /// Its results.
    pub results: Vec<Group>,
    /// Its regions.
    pub regions: Vec<Group>,
    /// Its successors.
    pub successors: Vec<Group>,
    /// Its traits.
    pub traits: Vec<Trait>,
    /// Its interfaces.
    pub interfaces: Interfaces,
    /// The operation, with the dialect's name, that ends a block of its regions where none is written.
    pub terminator: Option<&'static str>,
    /// Returns true if it can be folded.
    pub folds: bool,
    /// Returns true if the types of its results are inferred.
    pub infers: bool,
    /// Returns true if it has a custom form.
    pub has_assembly: bool,
    /// Returns true if an attribute has a default.
    pub has_defaults: bool,
    /// Returns true if it may be inlined.
    pub inlinable: bool,
    /// The patterns that canonicalization applies.
    pub patterns: Vec<Pattern>,
}

impl OpRow {
    /// An operation without parts.
    pub fn new(definition: &'static dyn DefinedOp) -> Self {
        Self {
            definition,
            attributes: Vec::new(),
            operands: Vec::new(),
            results: Vec::new(),
            regions: Vec::new(),
            successors: Vec::new(),
            traits: Vec::new(),
            interfaces: Interfaces::default(),
            terminator: None,
            folds: false,
            infers: false,
            has_assembly: false,
            has_defaults: false,
            inlinable: false,
            patterns: Vec::new(),
        }
    }
}

/// A dialect's table. It stays until the process ends: contexts have its address as the dialect's identity.
///
/// ```
/// # use mondo_ir::sdk::{Codec, OpRow, Table, TypeRow};
/// /// The table of a dialect with one type and one operation.
/// fn table(length: &'static Codec, operation: OpRow) -> Table {
///     let length = TypeRow { codec: length, memref_element: true };
///     Table::new("units", &["arith"], &[length], &[], &[operation], Vec::new(), None)
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
        passes: Vec<PassRow>,
        constants: Option<Constants>,
    ) -> Self {
        let (num_depends, depends) =
            leaked(depends.iter().map(|dialect| string_ref(*dialect)).collect());
        let types = types.iter();
        let types = types.map(|kind| parameterized(kind.codec, kind.memref_element));
        let (num_types, types) = leaked(types.collect());
        let attributes = attributes.iter().map(|codec| parameterized(codec, false));
        let (num_attributes, attributes) = leaked(attributes.collect());
        let (num_ops, ops) = leaked(operations.iter().map(op).collect());
        let (num_passes, passes) = leaked(passes.into_iter().map(pass).collect());
        let (constant_op, constant_attribute) = constants.map_or(("", ""), |constant| {
            (constant.operation, constant.attribute)
        });
        let definition = constants.map_or(std::ptr::null(), |constant| {
            opaque(Box::leak(Box::new(constant)))
        });
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
            numPasses: num_passes,
            passes,
            constantOp: string_ref(constant_op),
            constantAttribute: string_ref(constant_attribute),
            numModels: 0,
            models: std::ptr::null(),
            toLlvm: MondoSdkToLlvm {
                add: None,
                numPatterns: 0,
                patterns: std::ptr::null(),
                convertsTypes: false,
                definition: std::ptr::null(),
            },
        })
    }

    /// Adds interfaces for operations of other dialects.
    ///
    /// ```
    /// # use mondo_ir::sdk::{Model, Table};
    /// fn with_pure_intrinsics(table: Table) -> Table {
    ///     table.with_models(&[Model::of("llvm.call_intrinsic").effects(&[])])
    /// }
    /// ```
    #[must_use]
    pub fn with_models(mut self, models: &[Model]) -> Self {
        let (count, models) = leaked(models.iter().map(Model::raw).collect());
        self.0.numModels = count;
        self.0.models = models;
        self
    }

    /// Adds what `convert-to-llvm` does with the dialect.
    ///
    /// ```
    /// # use mondo_ir::sdk::{Table, ToLlvm};
    /// fn with_patterns(table: Table, patterns: ToLlvm) -> Table {
    ///     table.with_lowering(patterns)
    /// }
    /// ```
    #[must_use]
    pub fn with_lowering(mut self, to_llvm: ToLlvm) -> Self {
        let pattern = |pattern: &'static Lowering| MondoSdkLoweringPattern {
            root: string_ref(pattern.root()),
            definition: opaque(pattern),
            benefit: pattern.benefit(),
        };
        let (count, patterns) = leaked(to_llvm.patterns.iter().map(pattern).collect());
        self.0.toLlvm = MondoSdkToLlvm {
            add: to_llvm.add,
            numPatterns: count,
            patterns,
            convertsTypes: to_llvm.types.is_some(),
            definition: to_llvm.types.map_or(std::ptr::null(), |types| {
                opaque::<LowerType>(Box::leak(Box::new(types)))
            }),
        };
        self
    }

    /// Adds the dialect to a registry.
    ///
    /// # Panics
    /// Panics if the process has more operations that infer their results' types than MLIR's interface can be
    /// distinguished for.
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

fn groups(groups: &[Group]) -> MondoSdkGroups {
    let group = |group: &Group| MondoSdkGroup {
        name: string_ref(group.name),
        count: group.count.raw(),
    };
    let (count, groups) = leaked(groups.iter().map(group).collect());
    MondoSdkGroups { count, groups }
}

fn pattern(pattern: &Pattern) -> MondoSdkPattern {
    MondoSdkPattern {
        name: string_ref(pattern.root()),
        root: string_ref(pattern.root()),
        definition: opaque(Box::leak(Box::new(*pattern))),
        callbacks: &raw const CALLBACKS,
        benefit: pattern.benefit(),
    }
}

fn pass(row: PassRow) -> MondoSdkPass {
    let row: &'static PassRow = Box::leak(Box::new(row));
    let option = |(name, summary, initial): &(&'static str, &'static str, Initial)| {
        let (kind, initial) = match initial {
            Initial::Flag(true) => (MondoSdkFlag, "true"),
            Initial::Flag(false) => (MondoSdkFlag, "false"),
            Initial::Integer(number) => (MondoSdkInteger, &*number.to_string().leak()),
            Initial::Text(text) => (MondoSdkText, *text),
        };
        MondoSdkOption {
            name: string_ref(*name),
            summary: string_ref(*summary),
            kind,
            initial: string_ref(initial),
        }
    };
    let statistic = |(name, summary): &(&'static str, &'static str)| MondoSdkStatistic {
        name: string_ref(*name),
        summary: string_ref(*summary),
    };
    let (num_options, options) = leaked(row.options.iter().map(option).collect());
    let (num_statistics, statistics) = leaked(row.statistics.iter().map(statistic).collect());
    let (num_patterns, patterns) = leaked(row.patterns.iter().map(pattern).collect());
    MondoSdkPass {
        name: string_ref(row.name),
        summary: string_ref(row.summary),
        operation: string_ref(row.operation.unwrap_or_default()),
        definition: opaque(row),
        callbacks: &raw const CALLBACKS,
        runs: row.run.is_some() || row.conversion.is_some(),
        numOptions: num_options,
        options,
        numStatistics: num_statistics,
        statistics,
        numPatterns: num_patterns,
        patterns,
    }
}

fn op(row: &OpRow) -> MondoSdkOp {
    let (count, attributes) = leaked(
        row.attributes
            .iter()
            .map(|name| string_ref(*name))
            .collect(),
    );
    let (num_patterns, patterns) = leaked(row.patterns.iter().map(pattern).collect());
    let (num_traits, traits) = leaked(row.traits.iter().map(|id| id.raw()).collect());
    // C++ has a thin pointer: to the one of two words.
    let definition: &'static &'static dyn DefinedOp = Box::leak(Box::new(row.definition));
    MondoSdkOp {
        name: string_ref(row.definition.name()),
        definition: opaque(definition),
        callbacks: &raw const CALLBACKS,
        numTraits: num_traits,
        traits,
        numAttributes: count,
        attributes,
        operands: groups(&row.operands),
        results: groups(&row.results),
        regions: groups(&row.regions),
        successors: groups(&row.successors),
        terminator: string_ref(row.terminator.unwrap_or_default()),
        interfaces: row.interfaces.leaked(),
        folds: row.folds,
        infers: row.infers,
        hasAssembly: row.has_assembly,
        hasDefaults: row.has_defaults,
        numPatterns: num_patterns,
        patterns,
        inlinable: row.inlinable,
    }
}
