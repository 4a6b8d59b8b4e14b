//! The methods of `_OperationBase` and `Operation`.

use std::sync::atomic::Ordering;

use mondo_ir::Terminated;
use mondo_ir::declarations as c;
use mondo_ir::nodes::Op;
use pyo3::PyTypeInfo;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes, PyDict, PyString, PyType};

use super::classes::Operation;
use super::create::{self, Attributes, Few, Recipe, Regions, ValueLike};
use super::edit::{Spot, attach};
use super::traits;
use crate::interop::capsule;
use crate::interop::enums;
use crate::ir::arguments::{each, integer, shown};
use crate::ir::asm_state::AsmState;
use crate::ir::bytecode::{self, Way};
use crate::ir::context_stack;
use crate::ir::error::{ErrorCapture, with_source};
use crate::ir::lists::blocks::OpSuccessors;
use crate::ir::lists::regions::RegionSequence;
use crate::ir::lists::values::{OpOperandList, OpResultList};
use crate::ir::location::Location;
use crate::ir::operation::attributes::OpAttributeMap;
use crate::ir::printing::{PrintOptions, object_of, one_line, write_bytecode};
use crate::ir::traceback;
use crate::ir::types::Type;
use crate::ownership::block::Block;
use crate::ownership::capsules;
use crate::ownership::context::{Context, require_same};
use crate::ownership::erasure;
use crate::ownership::operation::{self, OperationBase, operation_of, view_of};
use crate::ownership::tree::Tree;
use crate::ownership::value::{self, Value};

/// The text of an operation, as `str()` returns it.
pub(super) fn text(py: Python<'_>, operation: &OperationBase) -> PyResult<String> {
    PrintOptions::default().text(py, operation)
}

/// Parses one operation, which a new tree owns.
pub(super) fn parse(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    source_name: &str,
    context: Option<Bound<'_, Context>>,
) -> PyResult<Py<OperationBase>> {
    let text = if let Ok(bytes) = source.cast::<PyBytes>() {
        Terminated::new(bytes.as_bytes())
    } else if let Ok(text) = source.cast::<PyString>() {
        Terminated::new(text.to_str()?)
    } else {
        return Err(PyTypeError::new_err(
            "incompatible function arguments: parse() takes str or bytes",
        ));
    };
    let context = context_stack::resolve_context(py, context)?;
    Context::enter(py, &context, |ctx| {
        let (op, errors) = ErrorCapture::run(py, ctx.object(), || {
            bytecode::way_into(*ctx, &text, source_name).map(|way| match way {
                Way::Parser => Op::parse(*ctx, &text, source_name),
                Way::CheckedBytecode(names) => Op::read(*ctx, &text, source_name, &names),
            })
        })?;
        let Some(op) = op.flatten() else {
            let error = errors.into_error(py, "Unable to parse operation assembly");
            return Err(with_source(error, source));
        };
        let op = operation::adopt(ctx, op, true)?;
        errors.finish()?;
        Ok(op)
    })
}

fn is_attached(op: Op<'_>) -> bool {
    c::mlirOperationGetBlock(op).is_some()
}

/// The exception for the block or parent of an operation that is in no block.
fn detached() -> PyErr {
    PyValueError::new_err("Detached operations have no parent")
}

#[pymethods]
impl OperationBase {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.show(&visit)
    }

    /// A capsule with the `MlirOperation`, for extensions that use the C API.
    #[getter(_CAPIPtr)]
    fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let address = self.read(py, |op| op.address())?;
        capsule::wrap(py, "ir.Operation", address.as_ptr())
    }

    fn __eq__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Self>() else {
            return false;
        };
        match (operation_of(slf), operation_of(other)) {
            (Ok(mine), Ok(theirs)) => mine.is(&theirs),
            _ => slf.is(other),
        }
    }

    fn __hash__(slf: &Bound<'_, Self>) -> usize {
        operation_of(slf).map_or(slf.as_ptr() as usize, |op| op.as_ptr() as usize) >> 4
    }

    /// The attributes of the operation by name, its properties included.
    #[getter]
    fn attributes<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, OpAttributeMap>> {
        OpAttributeMap::new(slf.py(), operation_of(slf)?)
    }

    /// The context that the operation lives in.
    #[getter]
    fn context(&self, py: Python<'_>) -> PyResult<Py<Context>> {
        self.get(py)?;
        self.context_of(py)
    }

    /// The name with its dialect: `func.return`.
    #[getter]
    pub(super) fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        let tree = self.tree(py)?;
        let names = tree.get().context().get().names();
        let name = self.read(py, |op| names.text(py, op))?;
        self.with(py, |observed| {
            observed.name.store(name.as_ptr(), Ordering::Relaxed);
            Ok(name)
        })
    }

    /// The values that the operation uses, as a sequence that can be assigned to.
    #[getter]
    fn operands<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, OpOperandList>> {
        OpOperandList::new(slf.py(), operation_of(slf)?)
    }

    /// The regions of the operation, as a sequence.
    #[getter]
    fn regions<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, RegionSequence>> {
        RegionSequence::new(slf.py(), operation_of(slf)?)
    }

    /// The values that the operation computes, as a sequence.
    #[getter]
    fn results<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, OpResultList>> {
        OpResultList::new(slf.py(), operation_of(slf)?)
    }

    /// The result of an operation that has exactly one.
    #[getter]
    fn result(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        let result = |op: Op<'_>| create::unique_result(op).map(drop);
        slf.get().read(py, result)??;
        value::result_of(py, operation_of(slf)?, 0)
    }

    /// The location of the operation in the source program.
    #[getter]
    fn get_location<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Location>> {
        self.enter(py, |at, op| {
            Location::new(py, at.ctx(), c::mlirOperationGetLocation(op))
        })
    }

    #[setter]
    fn set_location(&self, py: Python<'_>, location: &Bound<'_, Location>) -> PyResult<()> {
        Tree::enter(&self.tree(py)?, |at| {
            let op = self.within(at.ctx())?;
            at.tree().get().modify(op)?;
            let location = location.get().within(at.ctx())?;
            c::mlirOperationSetLocation(op, location);
            Ok(())
        })
    }

    /// The operation around this one, or none at the top.
    #[getter]
    pub(super) fn parent(&self, py: Python<'_>) -> PyResult<Option<Py<Self>>> {
        self.enter(py, |at, op| {
            if !is_attached(op) && op.name().bytes() != b"builtin.module" {
                return Err(detached());
            }
            let parent = c::mlirOperationGetParentOperation(op);
            parent.map(|parent| at.operation(parent)).transpose()
        })
    }

    /// True if the operation is in a block.
    #[getter]
    fn attached(&self, py: Python<'_>) -> PyResult<bool> {
        self.read(py, is_attached)
    }

    pub(crate) fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        text(py, self)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        one_line(slf, slf.get())
    }

    /// Prints the operation to a file object, by default `sys.stdout`. `print(state, file=None,
    /// binary=False)` takes the names of values from an `AsmState`.
    #[pyo3(signature = (large_elements_limit = None, large_resource_limit = None,
        enable_debug_info = None, pretty_debug_info = false, print_generic_op_form = false,
        use_local_scope = false, use_name_loc_as_prefix = false, assume_verified = false,
        file = None, binary = false, skip_regions = false, *, state = None),
        text_signature = "($self, large_elements_limit=None, large_resource_limit=None, \
            enable_debug_info=False, pretty_debug_info=False, print_generic_op_form=False, \
            use_local_scope=False, use_name_loc_as_prefix=False, assume_verified=False, file=None, \
            binary=False, skip_regions=False, *, state=...)")]
    #[expect(
        clippy::too_many_arguments,
        clippy::fn_params_excessive_bools,
        reason = "upstream's"
    )]
    fn print(
        &self,
        py: Python<'_>,
        large_elements_limit: Option<Bound<'_, PyAny>>,
        large_resource_limit: Option<Bound<'_, PyAny>>,
        enable_debug_info: Option<bool>,
        pretty_debug_info: bool,
        print_generic_op_form: bool,
        use_local_scope: bool,
        use_name_loc_as_prefix: bool,
        assume_verified: bool,
        file: Option<Bound<'_, PyAny>>,
        binary: bool,
        skip_regions: bool,
        state: Option<Bound<'_, AsmState>>,
    ) -> PyResult<()> {
        let first = large_elements_limit.as_ref();
        let state = state.or_else(|| first.and_then(|given| given.cast().ok().cloned()));
        let (text, file, binary) = if let Some(state) = state {
            // The overload `print(state, file, binary)`, whose positional arguments have other names here.
            let file = file.or(large_resource_limit);
            let binary = binary || enable_debug_info.unwrap_or(false);
            (state.get().text(py, self)?, file, binary)
        } else {
            let options = PrintOptions {
                large_elements_limit: limit(large_elements_limit)?,
                large_resource_limit: limit(large_resource_limit)?,
                enable_debug_info: enable_debug_info.unwrap_or(false),
                pretty_debug_info,
                print_generic_op_form,
                use_local_scope,
                use_name_loc_as_prefix,
                assume_verified,
                skip_regions,
            };
            (options.text(py, self)?, file, binary)
        };
        let file = file.map_or_else(|| py.import("sys")?.getattr("stdout"), Ok)?;
        file.call_method1("write", (object_of(py, &text, binary),))?;
        Ok(())
    }

    /// The operation's assembly form, as `str` or `bytes`.
    #[pyo3(signature = (binary = false, large_elements_limit = None, large_resource_limit = None,
        enable_debug_info = false, pretty_debug_info = false, print_generic_op_form = false,
        use_local_scope = false, use_name_loc_as_prefix = false, assume_verified = false,
        skip_regions = false))]
    #[expect(
        clippy::too_many_arguments,
        clippy::fn_params_excessive_bools,
        reason = "upstream's"
    )]
    fn get_asm<'py>(
        &self,
        py: Python<'py>,
        binary: bool,
        large_elements_limit: Option<isize>,
        large_resource_limit: Option<isize>,
        enable_debug_info: bool,
        pretty_debug_info: bool,
        print_generic_op_form: bool,
        use_local_scope: bool,
        use_name_loc_as_prefix: bool,
        assume_verified: bool,
        skip_regions: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = PrintOptions {
            large_elements_limit,
            large_resource_limit,
            enable_debug_info,
            pretty_debug_info,
            print_generic_op_form,
            use_local_scope,
            use_name_loc_as_prefix,
            assume_verified,
            skip_regions,
        };
        Ok(object_of(py, &options.text(py, self)?, binary))
    }

    /// Writes the operation's bytecode to a file object that takes `bytes`.
    #[pyo3(signature = (file, desired_version = None))]
    fn write_bytecode(
        &self,
        py: Python<'_>,
        file: &Bound<'_, PyAny>,
        desired_version: Option<i64>,
    ) -> PyResult<()> {
        write_bytecode(py, self, file, desired_version)
    }

    /// Checks the operation and all below it; raises `MLIRError` if it is not valid.
    fn verify(&self, py: Python<'_>) -> PyResult<bool> {
        self.enter(py, |at, op| {
            let verify = || c::mlirOperationVerify(op);
            let (valid, errors) = ErrorCapture::run(py, at.object(), verify)?;
            if !valid {
                return Err(errors.into_error(py, "Verification failed"));
            }
            errors.finish()?;
            Ok(true)
        })
    }

    /// Returns whether operations of this name have a trait, which is given as its class.
    fn has_trait(&self, py: Python<'_>, trait_cls: &Bound<'_, PyType>) -> PyResult<bool> {
        let (context, name) = (
            self.context_of(py)?,
            self.read(py, |op| op.name().to_text())?,
        );
        traits::has_trait(py, &context, &name, trait_cls)
    }

    /// Moves the operation behind another one, with all below it.
    #[expect(
        clippy::redundant_closure,
        reason = "a variant is not a function for all lifetimes"
    )]
    fn move_after(slf: &Bound<'_, Self>, other: &Bound<'_, Self>) -> PyResult<()> {
        move_beside(slf, other, |other| Spot::After(other))
    }

    /// Moves the operation before another one, with all below it.
    #[expect(
        clippy::redundant_closure,
        reason = "a variant is not a function for all lifetimes"
    )]
    fn move_before(slf: &Bound<'_, Self>, other: &Bound<'_, Self>) -> PyResult<()> {
        move_beside(slf, other, |other| Spot::Before(other))
    }

    /// Returns whether the operation comes before another one of the same block.
    fn is_before_in_block(&self, py: Python<'_>, other: &Bound<'_, Self>) -> PyResult<bool> {
        let not_the_same = || PyValueError::new_err("the operations are not in the same block");
        self.enter(py, |at, op| {
            let (other, tree) = other.get().look_within(py, at.ctx(), None, "operation")?;
            drop(tree);
            op.is_before(other).ok_or_else(not_the_same)
        })
    }

    /// A deep copy, inserted at `ip`, or at the current insertion point; `False` inserts it nowhere.
    #[pyo3(signature = (ip = None))]
    fn clone(&self, py: Python<'_>, ip: Option<&Bound<'_, PyAny>>) -> PyResult<Py<PyAny>> {
        let place = create::place_of(py, ip)?;
        let copy = create::clone(py, self, place.as_ref())?;
        view_of(py, &copy)
    }

    /// Takes the operation out of its block; it becomes a tree of its own.
    fn detach_from_parent(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        slf.get().detach(slf.py())?;
        view_of(slf.py(), &operation_of(slf)?)
    }

    /// Destroys the operation and all below it; nothing outside may use their values.
    fn erase(&self, py: Python<'_>) -> PyResult<()> {
        erasure::operation(py, self)
    }

    /// Calls `callback` with this operation and every one below it that was there when the walk
    /// began, until it returns `WalkResult.INTERRUPT`. `WalkResult.SKIP` leaves out what is below.
    #[pyo3(signature = (callback, walk_order = None),
           text_signature = "($self, callback, walk_order=...)")]
    fn walk(
        &self,
        py: Python<'_>,
        callback: &Bound<'_, PyAny>,
        walk_order: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        if !callback.is_callable() {
            let kind = callback.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "walk(): incompatible function arguments: the callback, of type {kind}, cannot be called"
            )));
        }
        self.visit(py, callback, enums::walk_order(walk_order)?)
    }
}

/// Casts the elements of a sequence to a class; `none` makes the exception for `None`.
fn all_of<'py, T: PyTypeInfo>(
    sequence: Option<&Bound<'py, PyAny>>,
    operation: &str,
    what: (&str, &str),
    none: impl Fn() -> PyErr,
) -> PyResult<Few<Bound<'py, T>>> {
    let mut all = Few::new();
    let Some(sequence) = sequence else {
        return Ok(all);
    };
    each(sequence, |item| match item.cast_into::<T>() {
        Ok(item) => {
            all.push(item);
            Ok(())
        }
        Err(error) => {
            let item = error.into_inner();
            if item.is_none() {
                return Err(none());
            }
            Err(PyTypeError::new_err(format!(
                "create(): incompatible function arguments: {} {} of operation \"{operation}\" must be \
                 a {}, and is {}",
                what.0,
                all.len(),
                what.1,
                shown(&item)
            )))
        }
    })?;
    Ok(all)
}

fn limit(given: Option<Bound<'_, PyAny>>) -> PyResult<Option<isize>> {
    given.map(|given| integer(&given)).transpose()
}

fn move_beside(
    slf: &Bound<'_, OperationBase>,
    other: &Bound<'_, OperationBase>,
    place: impl for<'ctx> FnOnce(Op<'ctx>) -> Spot<'ctx>,
) -> PyResult<()> {
    let py = slf.py();
    let moved = other.get().enter(py, |at, target| {
        let mine = slf.get().read(py, |op| op.address())?;
        if !is_attached(target) {
            return Err(PyValueError::new_err("the other operation is in no block"));
        }
        if mine == target.address() {
            return Err(PyValueError::new_err(
                "an operation cannot be moved next to itself",
            ));
        }
        attach(at, slf, &place(target))
    })?;
    moved.settle();
    Ok(())
}

#[pymethods]
impl Operation {
    /// Makes an operation by its name.
    ///
    /// `ip` is where it goes: the current insertion point by default, nowhere for `False`.
    #[staticmethod]
    #[pyo3(signature = (name, results = None, operands = None, attributes = None,
                        successors = None, regions = 0, loc = None, ip = None, infer_type = false))]
    #[expect(clippy::too_many_arguments, reason = "upstream's")]
    fn create<'py>(
        py: Python<'py>,
        name: &str,
        results: Option<&Bound<'py, PyAny>>,
        operands: Option<&Bound<'py, PyAny>>,
        attributes: Option<Bound<'py, PyDict>>,
        successors: Option<Vec<Option<Bound<'py, Block>>>>,
        regions: isize,
        loc: Option<Bound<'py, Location>>,
        ip: Option<Bound<'py, PyAny>>,
        infer_type: bool,
    ) -> PyResult<Py<OperationBase>> {
        let regions = usize::try_from(regions)
            .map_err(|_| PyValueError::new_err("number of regions must be >= 0"))?;
        let none = |what: &str| PyValueError::new_err(format!("{what} cannot be None"));
        let results = all_of::<Type>(results, name, ("result", "Type"), || none("result type"))?;
        let operands = all_of::<Value>(operands, name, ("operand", "Value"), || {
            none("operand value")
        })?;
        let recipe = Recipe {
            name,
            results: Some(results),
            operands: operands.into_iter().map(ValueLike::Value).collect(),
            attributes: Attributes::of(attributes.as_ref(), name)?,
            successors: create::blocks_of(successors)?,
            regions: Regions::Empty(regions),
            infer: infer_type,
        };
        let location = traceback::resolve_location(py, loc)?.into_bound(py);
        let place = create::place_of(py, ip.as_ref())?;
        create::new_op(recipe, &location, place.as_ref())
    }

    /// Parses one operation from text or bytecode; raises `MLIRError` if it cannot be parsed.
    #[staticmethod]
    #[pyo3(signature = (source, *, source_name = "", context = None))]
    fn parse(
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        source_name: &str,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        view_of(py, &parse(py, source, source_name, context)?)
    }

    /// The object for the `MlirOperation` in a capsule.
    #[staticmethod]
    #[pyo3(name = "_CAPICreate")]
    fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Py<OperationBase>> {
        capsules::operation(capsule)
    }

    /// The operation itself.
    #[getter(operation)]
    fn itself(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    /// The operation as its dialect's Python code shows it.
    #[getter]
    fn opview(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        view_of(slf.py(), slf.as_super().as_unbound())
    }

    /// The block that the operation is in.
    #[getter]
    fn block(slf: &Bound<'_, Self>) -> PyResult<Py<Block>> {
        let (py, operation) = (slf.py(), slf.as_super().get());
        operation.enter(py, |at, op| {
            at.block(c::mlirOperationGetBlock(op).ok_or_else(detached)?)
        })
    }

    /// The blocks that control may go to from here.
    #[getter]
    fn successors<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, OpSuccessors>> {
        OpSuccessors::new(slf.py(), operation_of(slf.as_super())?)
    }

    /// Makes the operation use one value where it uses another.
    #[pyo3(text_signature = "($self, of, with_)")]
    fn replace_uses_of_with(
        slf: &Bound<'_, Self>,
        of: &Bound<'_, Value>,
        with_: &Bound<'_, Value>,
    ) -> PyResult<()> {
        let (py, operation) = (slf.py(), slf.as_super().get());
        let (tree, other) = (operation.tree(py)?, with_.get().tree(py)?);
        tree.get().refuse_change()?;
        other.get().refuse_user(Some(tree.get()))?;
        require_same(tree.get().context(), other.get().context(), "value")?;
        Tree::enter(&tree, |at| {
            let (from, to) = (of.get().within(at.ctx())?, with_.get().within(at.ctx())?);
            if !tree.is(&other) {
                tree.get().open();
                other.get().open();
            }
            c::mlirOperationReplaceUsesOfWith(operation.within(at.ctx())?, from, to);
            Ok(())
        })
    }

    /// Marks the object as invalid, for code that knows better than the hooks of the library.
    fn _set_invalid(slf: &Bound<'_, Self>) -> PyResult<()> {
        slf.as_super().get().mark_invalid(slf.py())
    }
}
