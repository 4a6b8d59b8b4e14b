//! Native functions: the Python functions that PDL patterns call by name.
//!
//! MLIR believes a function that succeeds to have given as many results as the pattern takes, and of
//! their kinds; and it ends the process if a rewrite function fails, since the driver cannot take
//! back what the pattern did. So results are kept until they are checked, and where a rewrite
//! function fails, the rest of its pattern goes on with placeholders; the driver's caller gets the
//! exception.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ffi::c_void;

use mondo_sys::*;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::interop::string::{bytes, collect, string_ref, to_string};
use crate::ir::attribute::Attribute;
use crate::ir::types::Type;
use crate::ownership::block::Block;
use crate::ownership::context::{Context, require_same};
use crate::ownership::operation::OperationBase;
use crate::ownership::owner;
use crate::ownership::value::Value;

/// The kind of a result of a native function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Attribute,
    Operation,
    Type,
    Value,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Attribute => "an Attribute",
            Self::Operation => "an operation",
            Self::Type => "a Type",
            Self::Value => "a Value",
        }
    }
}

/// The native functions that a module's patterns call: their results, by name.
#[derive(Default)]
pub(super) struct Calls {
    constraints: BTreeMap<String, Vec<Kind>>,
    rewrites: BTreeMap<String, Vec<Kind>>,
}

impl Calls {
    /// Those of rewrite functions, or those of constraints.
    pub(super) fn of_kind(&self, is_rewrite: bool) -> &BTreeMap<String, Vec<Kind>> {
        if is_rewrite {
            &self.rewrites
        } else {
            &self.constraints
        }
    }

    /// Collects them. Fails where Python functions cannot serve.
    ///
    /// # Safety
    ///
    /// `op` is a live operation, and valid.
    pub(super) unsafe fn of(op: MlirOperation) -> PyResult<Self> {
        struct Walk {
            calls: Calls,
            failed: Option<PyErr>,
        }

        unsafe extern "C" fn visit(op: MlirOperation, data: *mut c_void) -> MlirWalkResult {
            // SAFETY: `data` is the walk below, which waits; MLIR visits live operations.
            let walk = unsafe { &mut *data.cast::<Walk>() };
            // SAFETY: as above.
            match unsafe { walk.calls.add(op) } {
                Ok(()) => MlirWalkResultAdvance,
                Err(error) => {
                    walk.failed = Some(error);
                    MlirWalkResultInterrupt
                }
            }
        }

        let mut walk = Walk {
            calls: Self::default(),
            failed: None,
        };
        // SAFETY: the operation is live; the walk changes nothing.
        unsafe {
            mlirOperationWalk(op, Some(visit), (&raw mut walk).cast(), MlirWalkPreOrder);
        }
        match walk.failed {
            Some(error) => Err(error),
            None => Ok(walk.calls),
        }
    }

    /// Adds what `op`, which is live and valid, calls.
    unsafe fn add(&mut self, op: MlirOperation) -> PyResult<()> {
        // SAFETY: the caller vouches for the operation.
        let kind = unsafe { to_string(mlirIdentifierStr(mlirOperationGetName(op))) };
        let (known, results) = match kind.as_str() {
            // One with a name has no body, but leaves everything to that function.
            "pdl.rewrite" => (&mut self.rewrites, false),
            "pdl.apply_native_rewrite" => (&mut self.rewrites, true),
            "pdl.apply_native_constraint" => (&mut self.constraints, true),
            _ => return Ok(()),
        };
        let Some(name) = text_attribute(op, "name") else {
            return Ok(());
        };
        let kinds = if results {
            result_kinds(op, &name)?
        } else {
            Vec::new()
        };
        if !kinds.is_empty() && is_true(op, "isNegated") {
            return Err(PyValueError::new_err(format!(
                "the negated constraint {name:?} has results, which there are none of where it fails"
            )));
        }
        match known.entry(name) {
            Entry::Vacant(entry) => {
                entry.insert(kinds);
            }
            Entry::Occupied(entry) if *entry.get() != kinds => {
                return Err(PyValueError::new_err(format!(
                    "the native function {:?} is called for different kinds of results; a function of \
                     Python's is given one name for each",
                    entry.key()
                )));
            }
            Entry::Occupied(_) => {}
        }
        Ok(())
    }
}

fn attribute(op: MlirOperation, name: &str) -> Option<MlirAttribute> {
    // SAFETY: the callers have a live operation.
    let found = unsafe { mlirOperationGetAttributeByName(op, string_ref(name)) };
    (!found.ptr.is_null()).then_some(found)
}

fn text_attribute(op: MlirOperation, name: &str) -> Option<String> {
    let found = attribute(op, name)?;
    // SAFETY: an attribute of a live operation is live.
    unsafe {
        mlirAttributeIsAString(found)
            .then(|| String::from_utf8_lossy(bytes(mlirStringAttrGetValue(found))).into_owned())
    }
}

fn is_true(op: MlirOperation, name: &str) -> bool {
    // SAFETY: an attribute of a live operation is live.
    attribute(op, name)
        .is_some_and(|it| unsafe { mlirAttributeIsABool(it) && mlirBoolAttrGetValue(it) })
}

/// The kinds of the results of `op`, a live operation that calls `name`.
fn result_kinds(op: MlirOperation, name: &str) -> PyResult<Vec<Kind>> {
    // SAFETY: the operation is live, and the indices are below the count.
    let texts = unsafe {
        (0..mlirOperationGetNumResults(op))
            .map(|index| mlirValueGetType(mlirOperationGetResult(op, index)))
            .map(|ty| collect(|callback, data| mlirTypePrint(ty, callback, data)))
    };
    texts
        .map(|text| match text.as_str() {
            "!pdl.attribute" => Ok(Kind::Attribute),
            "!pdl.operation" => Ok(Kind::Operation),
            "!pdl.type" => Ok(Kind::Type),
            "!pdl.value" => Ok(Kind::Value),
            _ => Err(PyValueError::new_err(format!(
                "the native function {name:?} is to give a {text}, which functions of Python's cannot"
            ))),
        })
        .collect()
}

/// A result that MLIR can be given.
pub(super) enum Given {
    Attribute(MlirAttribute),
    Operation(MlirOperation),
    Type(MlirType),
    Value(MlirValue),
}

impl Given {
    /// The value, operation, type or attribute that `object` stands for. Fails if it was destroyed,
    /// or is of another context.
    pub(super) fn of(object: &Bound<'_, PyAny>, context: &Py<Context>) -> PyResult<Self> {
        let py = object.py();
        if let Ok(value) = object.cast::<Value>() {
            let value = value.get();
            let raw = value.get(py)?;
            require_same(context, value.tree(py)?.get().context(), "value")?;
            Ok(Self::Value(raw))
        } else if let Ok(operation) = object.cast::<OperationBase>() {
            let operation = operation.get();
            let raw = operation.get(py)?;
            require_same(context, &operation.context_of(py)?, "operation")?;
            Ok(Self::Operation(raw))
        } else if let Ok(ty) = object.cast::<Type>() {
            Ok(Self::Type(MlirType {
                ptr: ty.get().contents().get_in(py, context, "type")?,
            }))
        } else if let Ok(attribute) = object.cast::<Attribute>() {
            Ok(Self::Attribute(MlirAttribute {
                ptr: attribute.get().contents().get_in(py, context, "attribute")?,
            }))
        } else {
            Err(PyTypeError::new_err(format!(
                "expected a Value, an operation, a Type or an Attribute, not {}",
                object.get_type()
            )))
        }
    }

    fn kind(&self) -> Kind {
        match self {
            Self::Attribute(_) => Kind::Attribute,
            Self::Operation(_) => Kind::Operation,
            Self::Type(_) => Kind::Type,
            Self::Value(_) => Kind::Value,
        }
    }

    /// # Safety
    ///
    /// `results` is live, and so is this.
    unsafe fn push(&self, results: MlirPDLResultList) {
        // SAFETY: the caller vouches for both.
        unsafe {
            match *self {
                Self::Attribute(it) => mlirPDLResultListPushBackAttribute(results, it),
                Self::Operation(it) => mlirPDLResultListPushBackOperation(results, it),
                Self::Type(it) => mlirPDLResultListPushBackType(results, it),
                Self::Value(it) => mlirPDLResultListPushBackValue(results, it),
            }
        }
    }
}

/// Gives MLIR the results, if they are what the pattern takes; all of them or none.
///
/// # Safety
///
/// `results` is live, and nothing has been put into it.
pub(super) unsafe fn give(
    name: &str,
    wanted: &[Kind],
    objects: &[Bound<'_, PyAny>],
    context: &Py<Context>,
    results: MlirPDLResultList,
) -> PyResult<()> {
    if objects.len() != wanted.len() {
        return Err(PyValueError::new_err(format!(
            "the native function {name:?} gave {} results, where the pattern takes {}",
            objects.len(),
            wanted.len()
        )));
    }
    let given = objects
        .iter()
        .map(|object| Given::of(object, context))
        .collect::<PyResult<Vec<_>>>()?;
    let mut pairs = given.iter().zip(wanted).enumerate();
    if let Some((index, (given, wanted))) = pairs.find(|(_, (it, kind))| it.kind() != **kind) {
        return Err(PyTypeError::new_err(format!(
            "result {index} of the native function {name:?} is {}, where the pattern takes {}",
            given.kind().name(),
            wanted.name()
        )));
    }
    for given in given {
        // SAFETY: the caller vouches for the list; the results were alive just now.
        unsafe { given.push(results) };
    }
    Ok(())
}

/// The place where a pattern is at work, for the placeholders of its results.
pub(super) struct Place {
    context: MlirContext,
    /// Null if it is not known, or gone.
    block: MlirBlock,
    /// The type of what most likely is to be replaced.
    ty: MlirType,
}

impl Place {
    /// # Safety
    ///
    /// `rewriter` is live; if it says where to insert (`is_set`), nothing was changed since MLIR
    /// called.
    pub(super) unsafe fn of(rewriter: MlirPatternRewriter, is_set: bool) -> Self {
        // SAFETY: the caller vouches for the rewriter. It inserts before the operation that the
        // pattern matched, as long as nobody moves it.
        unsafe {
            let base = mlirPatternRewriterAsBase(rewriter);
            let context = mlirRewriterBaseGetContext(base);
            let none = || mlirNoneTypeGet(context);
            if !is_set {
                return Self {
                    context,
                    block: MlirBlock {
                        ptr: std::ptr::null_mut(),
                    },
                    ty: none(),
                };
            }
            let block = mlirRewriterBaseGetInsertionBlock(base);
            let mut matched = mlirRewriterBaseGetOperationAfterInsertion(base);
            if block.ptr.is_null() || !is_in(matched, block) {
                matched.ptr = std::ptr::null_mut();
            }
            let ty = if matched.ptr.is_null() || mlirOperationGetNumResults(matched) == 0 {
                none()
            } else {
                mlirValueGetType(mlirOperationGetResult(matched, 0))
            };
            Self { context, block, ty }
        }
    }

    /// The block's object, which shows that the block was destroyed.
    pub(super) fn block(&self, py: Python<'_>) -> Option<Py<Block>> {
        if self.block.ptr.is_null() {
            return None;
        }
        // SAFETY: the block is live: nothing was changed yet.
        unsafe {
            let parent = mlirBlockGetParentOperation(self.block);
            if parent.ptr.is_null() {
                return None;
            }
            let tree = owner::find(py, parent).ok()?.get().tree(py).ok()?;
            crate::ownership::block::wrap(py, tree.as_unbound(), self.block).ok()
        }
    }

    /// Says that the block may be gone.
    pub(super) fn forget_block(&mut self) {
        self.block.ptr = std::ptr::null_mut();
    }

    /// Gives MLIR placeholders of these kinds. Returns the operations that were made for them.
    ///
    /// # Safety
    ///
    /// `results` is live and empty, and so is the block, unless it was forgotten.
    pub(super) unsafe fn give_placeholders(
        &self,
        kinds: &[Kind],
        results: MlirPDLResultList,
    ) -> Vec<MlirOperation> {
        let mut made = Vec::new();
        for kind in kinds {
            // SAFETY: the caller vouches for the list and the block, the context of both is live, and
            // a new operation has one result.
            unsafe {
                match kind {
                    Kind::Attribute => Given::Attribute(mlirUnitAttrGet(self.context)),
                    Kind::Type => Given::Type(mlirNoneTypeGet(self.context)),
                    Kind::Operation => Given::Operation(self.placeholder(&mut made)),
                    Kind::Value => {
                        Given::Value(mlirOperationGetResult(self.placeholder(&mut made), 0))
                    }
                }
                .push(results);
            }
        }
        made
    }

    /// A new operation with one result, at the start of the block; in none if that is gone.
    unsafe fn placeholder(&self, made: &mut Vec<MlirOperation>) -> MlirOperation {
        // SAFETY: as for `give_placeholders`; MLIR copies the name and the type.
        unsafe {
            let name = string_ref("builtin.unrealized_conversion_cast");
            let mut state = mlirOperationStateGet(name, mlirLocationUnknownGet(self.context));
            mlirOperationStateAddResults(&raw mut state, 1, &raw const self.ty);
            let op = mlirOperationCreate(&raw mut state);
            if !self.block.ptr.is_null() {
                mlirBlockInsertOwnedOperation(self.block, 0, op);
                made.push(op);
            }
            op
        }
    }
}

/// Returns whether `op`, which may be gone, is in a live block.
unsafe fn is_in(op: MlirOperation, block: MlirBlock) -> bool {
    // SAFETY: the caller vouches for the block, and its operations are live.
    unsafe {
        let mut each = mlirBlockGetFirstOperation(block);
        while !each.ptr.is_null() && each.ptr != op.ptr {
            each = mlirOperationGetNextInBlock(each);
        }
        !each.ptr.is_null()
    }
}
