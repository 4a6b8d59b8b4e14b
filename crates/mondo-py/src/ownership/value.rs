//! The wrappers of values: `Value`, `OpResult`, `BlockArgument`.
//!
//! A result is its operation and a number; an argument is an observed node itself. The object that a
//! value caster made for a value refers to the plain object, as a view does to its operation.

use std::ffi::c_void;
use std::ptr::{self, NonNull};

use mondo_ir::declarations as c;
use mondo_ir::nodes;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::ffi;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};

use crate::interop::attached_cell::Slot;
use crate::interop::casters::{self, Caster};
use crate::interop::two_phase::{initialised, uninitialised};
use crate::ownership::block::{self, Block};
use crate::ownership::context;
use crate::ownership::operation::{BoundResult, Key, Observed, OperationBase, ResultKey, ResultOf};
use crate::ownership::owner;
use crate::ownership::tree::Tree;
use crate::ownership::tree_member::make_dormant;
use crate::ownership::wrapper::{
    self, Disposal, Header, Layout, ObservedHandle, ObservedNode, Place, Wrapper,
};

/// A value: a result of an operation, or an argument of a block.
#[pyclass(frozen, subclass, dict, weakref)]
pub(crate) struct Value {
    node: ObservedNode,
    kind: Kind,
    /// None while the object is dormant, and until `__init__` in one that was made empty.
    owner: Slot<Owner>,
    /// The object that a caster made of this one.
    cast: Place<Value>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Result,
    Argument,
    /// Another object for the same value.
    Other,
}

/// The object that a value keeps alive.
enum Owner {
    Operation(ResultOf),
    Block(Py<Block>),
    Value(Py<Value>),
}

/// A reference to the object that a value keeps alive.
enum OwnerRef<'py> {
    Operation(BoundResult<'py>),
    Block(Bound<'py, Block>),
    Value(Bound<'py, Value>),
}

impl Owner {
    #[inline]
    fn share<'py>(&self, py: Python<'py>) -> OwnerRef<'py> {
        match self {
            Self::Operation(result) => OwnerRef::Operation(result.bind(py)),
            Self::Block(block) => OwnerRef::Block(block.bind(py).clone()),
            Self::Value(value) => OwnerRef::Value(value.bind(py).clone()),
        }
    }

    fn into_owner_ref(self, py: Python<'_>) -> OwnerRef<'_> {
        match self {
            Self::Operation(result) => OwnerRef::Operation(result.into_bound(py)),
            Self::Block(block) => OwnerRef::Block(block.into_bound(py)),
            Self::Value(value) => OwnerRef::Value(value.into_bound(py)),
        }
    }
}

/// A result of an operation.
#[pyclass(frozen, subclass, extends = Value)]
pub(crate) struct OpResult;

/// An argument of a block.
#[pyclass(frozen, subclass, extends = Value)]
pub(crate) struct BlockArgument;

static OP_RESULT: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static BLOCK_ARGUMENT: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// Remembers the classes that Python sees. The extension is initialised once; should that ever
/// change, the first classes stay.
pub(crate) fn set_classes(op_result: Bound<'_, PyType>, block_argument: Bound<'_, PyType>) {
    let py = op_result.py();
    let _ = OP_RESULT.set(py, op_result.unbind());
    let _ = BLOCK_ARGUMENT.set(py, block_argument.unbind());
}

impl Wrapper for Value {
    const SIGNATURE: &'static str = "(value)";
    fn layout() -> &'static Layout {
        static LAYOUT: Layout = Layout::new();
        &LAYOUT
    }

    fn header(&self) -> &Header {
        self.node.header()
    }

    fn sample(py: Python<'_>) -> PyResult<Py<Self>> {
        Py::new(py, Self::blank())
    }

    fn dispose(&self, py: Python<'_>, then: &mut dyn FnMut(Disposal<'_>)) {
        let owner = self
            .owner
            .with(py, Option::take)
            .map(|owner| owner.into_owner_ref(py));
        match (self.kind, &owner) {
            (Kind::Result, Some(OwnerRef::Operation(result))) => {
                result.op().dispose_dependent(py, result.key(), self, then);
            }
            (Kind::Argument, owner) if !self.node.raw().is_null() => {
                // If its table of retained objects has ended, there is no block.
                let tree = match owner {
                    Some(OwnerRef::Block(block)) => block.get().tree(py).ok(),
                    _ => None,
                };
                make_dormant(tree.as_ref(), then);
            }
            (Kind::Other, Some(OwnerRef::Value(base))) => {
                let base = base.get();
                match base.tree(py) {
                    Ok(tree) if base.cast.has(self) && base.is_alive(py) => {
                        then(Disposal::Dormant(tree.get().retained()));
                    }
                    _ => {
                        base.cast.leave(self);
                        then(Disposal::Free);
                    }
                }
            }
            _ => then(Disposal::Free),
        }
    }

    fn construct<'py>(
        cls: &Bound<'py, PyType>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if args.len() == 1
            && kwargs.is_none_or(PyDictMethods::is_empty)
            && let Ok(from) = args.get_item(0)?.cast_into::<Self>()
        {
            if from.get_type().is(cls) && !wrapper::has_own_init::<Self>(cls) {
                return Ok(from.into_any());
            }
            // A caster returns the object that it made of the value the last time.
            if let Some(known) = cast_of(cls.py(), &from.get().base(&from))?
                && known.bind(cls.py()).get_type().is(cls)
            {
                return Ok(known.into_bound(cls.py()).into_any());
            }
        }
        // `__init__` gives it its contents.
        Ok(wrapper::create(cls, Self::blank())?
            .into_bound(cls.py())
            .into_any())
    }

    fn initialise(
        this: &Bound<'_, Self>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let (py, cls) = (this.py(), this.get_type());
        let from = source(&cls, args, kwargs)?;
        let base = from.get().base(&from);
        let empty = this.get().owner.with(py, |owner| owner.is_none());
        if !empty {
            return if this.get().base(this).is(&base) {
                Ok(())
            } else {
                Err(initialised())
            };
        }
        accept(&cls, &from)?;
        this.get().set_owner(py, Owner::Value(base));
        Ok(())
    }
}

/// The argument of the constructor of `cls`: the value to cast from.
fn source<'py>(
    cls: &Bound<'py, PyType>,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, Value>> {
    let given = match (args.len(), kwargs.filter(|kwargs| !kwargs.is_empty())) {
        (1, None) => args.get_item(0)?,
        (0, Some(kwargs)) if kwargs.len() == 1 && kwargs.contains("value")? => {
            kwargs.values().get_item(0)?
        }
        _ => {
            return Err(PyTypeError::new_err(format!(
                "__init__(): incompatible function arguments: {}() takes one argument, the value to cast \
                 from",
                cls.name()?
            )));
        }
    };
    given.cast_into::<Value>().map_err(|error| {
        let given = error.into_inner();
        PyTypeError::new_err(format!(
            "__init__(): incompatible function arguments: expected a Value, not {}",
            given.get_type()
        ))
    })
}

/// Fails unless `from` is live, and an object of `cls` can stand for it.
fn accept(cls: &Bound<'_, PyType>, from: &Bound<'_, Value>) -> PyResult<()> {
    let py = cls.py();
    let argument = from
        .get()
        .read(py, |value| c::mlirValueIsABlockArgument(value))?;
    for (class, fits) in [(&OP_RESULT, !argument), (&BLOCK_ARGUMENT, argument)] {
        if let Some(class) = class.get(py).filter(|_| !fits)
            && cls.is_subclass(class.bind(py))?
        {
            return Err(pyo3::exceptions::PyValueError::new_err(format!(
                "Cannot cast value to {} (from {})",
                cls.name()?,
                from.repr()?
            )));
        }
    }
    Ok(())
}

impl Key for ResultKey {
    type Object = Value;
}

impl ObservedHandle for nodes::BlockArgument<'_> {
    type Object = Value;

    #[inline]
    fn node(object: &Value) -> &ObservedNode {
        &object.node
    }
}

impl Value {
    fn blank() -> Self {
        Self::new(Kind::Other, ptr::null_mut(), None)
    }

    fn new(kind: Kind, raw: *mut c_void, owner: Option<Owner>) -> Self {
        Self {
            node: ObservedNode::new::<Self>(raw),
            kind,
            owner: Slot::new(owner),
            cast: Place::empty(),
        }
    }

    /// Makes the object, which Python begins to refer to, keep something alive.
    fn set_owner(&self, py: Python<'_>, owner: Owner) {
        let before = self.owner.with(py, |owner_slot| owner_slot.replace(owner));
        drop(before);
    }

    #[inline]
    fn owner_ref<'py>(&self, py: Python<'py>) -> PyResult<OwnerRef<'py>> {
        self.owner
            .with(py, |owner| owner.as_ref().map(|owner| owner.share(py)))
            .ok_or_else(uninitialised)
    }

    /// The plain object for the same value.
    fn base(&self, this: &Bound<'_, Self>) -> Py<Self> {
        match self.owner_ref(this.py()) {
            Ok(OwnerRef::Value(base)) => base.unbind(),
            _ => this.clone().unbind(),
        }
    }

    /// The value, which is live at least until the interpreter runs other code.
    pub(crate) fn get(&self, py: Python<'_>) -> PyResult<NonNull<c_void>> {
        match self.owner_ref(py)? {
            OwnerRef::Operation(result) => result.get(py),
            OwnerRef::Block(block) => self.argument_in(&block),
            OwnerRef::Value(base) => base.get().get(py),
        }
    }

    /// The value and the tree that it is in.
    #[inline]
    pub(crate) fn look<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(NonNull<c_void>, Bound<'py, Tree>)> {
        match self.owner_ref(py)? {
            OwnerRef::Operation(result) => {
                let tree = result.op().tree(py)?;
                Ok((result.get(py)?, tree))
            }
            OwnerRef::Block(block) => Ok((self.argument_in(&block)?, block.get().tree(py)?)),
            OwnerRef::Value(base) => base.get().look(py),
        }
    }

    /// The value, which is an argument of a block.
    fn argument_in(&self, block: &Bound<'_, Block>) -> PyResult<NonNull<c_void>> {
        let py = block.py();
        let gone = || self.node.gone(py, "block argument");
        let address = NonNull::new(self.node.raw()).ok_or_else(gone)?;
        if context::any_is_running() {
            block.get().get(py)?;
        }
        Ok(address)
    }

    fn is_alive(&self, py: Python<'_>) -> bool {
        match (self.kind, self.owner_ref(py)) {
            (Kind::Result, Ok(OwnerRef::Operation(result))) => result.op().is_alive(py),
            (Kind::Argument, Ok(_)) => !self.node.raw().is_null(),
            (Kind::Other, Ok(OwnerRef::Value(base))) => base.get().is_alive(py),
            _ => false,
        }
    }

    /// The tree that it is in.
    pub(crate) fn tree<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Tree>> {
        match self.owner_ref(py)? {
            OwnerRef::Operation(result) => result.op().tree(py),
            OwnerRef::Block(block) => block.get().tree(py),
            OwnerRef::Value(base) => base.get().tree(py),
        }
    }

    /// The key that `==` compares; it stays the same after the value is destroyed.
    pub(crate) fn key(&self, this: &Bound<'_, Self>) -> usize {
        let py = this.py();
        match self.owner_ref(py) {
            Ok(OwnerRef::Value(base)) => base.as_ptr() as usize,
            _ => this.as_ptr() as usize,
        }
    }

    /// Forgets what a caster made: the type has changed.
    pub(crate) fn forget_cast(&self, this: &Bound<'_, Self>) {
        self.base(this).get().cast.empty_out();
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        let show = |owner: &Option<Owner>| match owner {
            Some(Owner::Operation(result)) => result.show(visit),
            Some(Owner::Block(block)) => visit.call(block),
            Some(Owner::Value(value)) => visit.call(value),
            None => Ok(()),
        };
        self.owner.look(show).unwrap_or(Ok(()))
    }
}

impl Value {
    /// The object that `look` finds for a result, from its operation and its number; else null.
    pub(crate) fn quick(
        &self,
        look: impl FnOnce(&OperationBase, isize) -> *mut ffi::PyObject,
    ) -> *mut ffi::PyObject {
        let found = self.owner.look(|owner| match owner {
            Some(Owner::Operation(result)) => look(result.op().get(), result.index()),
            _ => ptr::null_mut(),
        });
        found.unwrap_or(ptr::null_mut())
    }
}

/// The object of a result of `op`, if somebody has it.
pub(crate) fn active_result(py: Python<'_>, op: nodes::Op<'_>, index: isize) -> Option<Py<Value>> {
    Observed::of(op)?.active_dependent(py, ResultKey(index))
}

/// The object for a value, as the class that fits it best. `tree` is where the caller found it; unless trees
/// use each other's values, it is in that.
pub(crate) fn wrap(
    py: Python<'_>,
    tree: &Py<Tree>,
    value: nodes::Value<'_>,
) -> PyResult<Py<PyAny>> {
    let base = match value.kind() {
        nodes::ValueKind::Argument(argument_node) => {
            let block = c::mlirBlockArgumentGetOwner(argument_node);
            let home_tree = tree_for(py, tree, || owner::tree_of_block(py, block))?;
            argument(py, home_tree.as_unbound(), block, argument_node)?
        }
        nodes::ValueKind::Result(result_node) => {
            let op = c::mlirOpResultGetOwner(result_node);
            let index = c::mlirOpResultGetResultNumber(result_node);
            // The common case: somebody has the object, and so all that it needs.
            if let Some(base) = active_result(py, op, index) {
                return downcast(py, base, value);
            }
            let home_tree = tree_for(py, tree, || owner::tree_of(py, op))?;
            result(py, ResultOf::of(py, home_tree.as_unbound(), result_node)?)?
        }
    };
    downcast(py, base, value)
}

/// The tree of a value, given one that is right unless trees use each other's values.
fn tree_for<'py>(
    py: Python<'py>,
    tree: &Py<Tree>,
    find: impl FnOnce() -> PyResult<Bound<'py, Tree>>,
) -> PyResult<Bound<'py, Tree>> {
    if tree.get().context().get().has_open_trees() {
        return find();
    }
    Ok(tree.bind(py).clone())
}

/// The same for a value that an extension or MLIR speaks of.
pub(crate) fn object(py: Python<'_>, value: nodes::Value<'_>) -> PyResult<Py<PyAny>> {
    let tree = match value.owner() {
        nodes::Owner::Block(block) => owner::tree_of_block(py, block)?,
        nodes::Owner::Op(op) => owner::tree_of(py, op)?,
    };
    wrap(py, tree.as_unbound(), value)
}

/// The result of an `Operation` by its number, as the class that fits; fails if there is none.
pub(crate) fn result_of(
    py: Python<'_>,
    op: Py<OperationBase>,
    index: isize,
) -> PyResult<Py<PyAny>> {
    let found = ResultOf::numbered(py, &op, index, |of, value| {
        downcast(py, result(py, of)?, value)
    })?;
    op.drop_ref(py);
    found.ok_or_else(not_a_value)?
}

fn result(py: Python<'_>, of: ResultOf) -> PyResult<Py<Value>> {
    let wake = |object: &Value| object.set_owner(py, Owner::Operation(of.clone_ref(py)));
    if let Some(known) = of.op().get().fetch_dependent(py, of.key(), wake) {
        of.drop_ref(py);
        return known;
    }
    let class = wrapper::published(py, &OP_RESULT)?;
    let owner = Some(Owner::Operation(of));
    let value = Value::new(Kind::Result, ptr::null_mut(), owner);
    let value = wrapper::create(class, value)?;
    value.get().owner.look(|owner| {
        if let Some(Owner::Operation(of)) = owner {
            of.op().get().put_dependent(py, of.key(), &value);
        }
    });
    Ok(value)
}

/// The argument of a block that `value` is, without casters.
fn argument(
    py: Python<'_>,
    tree: &Py<Tree>,
    block: nodes::Block<'_>,
    value: nodes::BlockArgument<'_>,
) -> PyResult<Py<Value>> {
    let block = block::wrap(py, tree, block)?;
    let wake = |object: &Value| object.set_owner(py, Owner::Block(block.clone_ref(py)));
    if let Some(known) = wrapper::fetch_observed(py, value, wake) {
        return known;
    }
    let class = wrapper::published(py, &BLOCK_ARGUMENT)?;
    let address = value.address().as_ptr();
    let contents = Value::new(Kind::Argument, address, Some(Owner::Block(block)));
    let object = wrapper::create(class, contents)?;
    wrapper::observe(value, &object);
    Ok(object)
}

#[cold]
#[inline(never)]
fn not_a_value() -> PyErr {
    PyRuntimeError::new_err("not a value")
}

/// The object that a caster made of a value's plain object before.
fn cast_of(py: Python<'_>, base: &Py<Value>) -> PyResult<Option<Py<Value>>> {
    let wake = |object: &Value| object.set_owner(py, Owner::Value(base.clone_ref(py)));
    base.get().cast.fetch(py, wake)
}

/// The object that a caster makes of a value's plain object, if there is one for its type. It is
/// called each time, as it may count on; a class that it calls gives back the object of the last
/// time.
fn downcast(py: Python<'_>, base: Py<Value>, value: nodes::Value<'_>) -> PyResult<Py<PyAny>> {
    let ty = c::mlirValueGetType(value);
    let caster = casters::find_for_value(py, ty.type_id().key(), || ty.dialect().to_text())?;
    let cast = match caster {
        // Nothing registers choices for values.
        None | Some(Caster::Choice(_)) => return Ok(base.into_any()),
        Some(Caster::Class(class)) => class.bind(py).call1((&base,))?,
        Some(Caster::Call(call)) => call.bind(py).call1((&base,))?,
    };
    if let Ok(cast) = cast.cast::<Value>() {
        let mine = cast.get();
        let free = base.get().cast.is_empty();
        if free && mine.kind == Kind::Other && mine.base(cast).is(&base) {
            base.get().cast.put(cast.as_unbound());
        }
    }
    Ok(cast.unbind())
}

/// The exception for an operand without a value.
#[cold]
#[inline(never)]
pub(crate) fn dropped() -> PyErr {
    PyRuntimeError::new_err("the operand was dropped")
}
