//! Casters: the choice of the Python class for a type, an attribute or a value.
//!
//! The native classes of `ir` and `dialects` are registered by the `TypeID` of the type or attribute that
//! they represent. Dialects written in Python or C++ register callables (`register_type_caster`,
//! `register_value_caster`).

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mondo_ir::TypeKey;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use crate::interop::attached_cell::AttachedCell;
use crate::interop::registered_classes;

/// A hash of addresses. Those of `TypeID`s and classes differ in their middle bits.
pub(crate) type AddressHash = BuildHasherDefault<AddressHasher>;

/// Multiplies by an odd number (the golden ratio) and folds the high bits down.
#[derive(Default)]
pub(crate) struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_usize(usize::from(*byte));
        }
    }

    fn write_usize(&mut self, number: usize) {
        let mixed = (self.0 ^ number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }
}

/// The way in which a plain `Type`, `Attribute` or `Value` becomes an object of a more specific class.
pub(crate) enum Caster {
    /// A native class, whose objects are made without a call of Python code.
    Class(Py<PyType>),
    /// The first of these native classes whose test succeeds.
    Choice(Arc<[(Test, Py<PyType>)]>),
    /// A callable that a dialect registered, which takes the plain object.
    Call(Py<PyAny>),
}

impl Caster {
    fn share(&self, py: Python<'_>) -> Self {
        match self {
            Self::Class(class) => Self::Class(class.clone_ref(py)),
            Self::Choice(classes) => Self::Choice(Arc::clone(classes)),
            Self::Call(call) => Self::Call(call.clone_ref(py)),
        }
    }
}

type Casters = HashMap<usize, Caster, AddressHash>;

/// The casters of types and attributes, by `TypeID`.
static OF_TYPES: AttachedCell<Option<Casters>> = AttachedCell::new(None);
/// The casters of values, by the `TypeID` of their type.
static OF_VALUES: AttachedCell<Option<Casters>> = AttachedCell::new(None);
/// Pairs of a map (`OF_TYPES` or `OF_VALUES`) and a `TypeID` that has no caster in it, although the Python
/// module of its dialect was loaded.
static MISSES: AttachedCell<Option<HashSet<(usize, usize), AddressHash>>> = AttachedCell::new(None);
/// The last `TypeID` for which `OF_VALUES` had no caster. Successive values mostly have one kind of type, so
/// this saves the lookup.
static LAST_MISS: AtomicUsize = AtomicUsize::new(0);
/// The test of the types or attributes that a native class represents, by the class's address.
static TESTS: AttachedCell<Option<HashMap<usize, Test, AddressHash>>> = AttachedCell::new(None);

/// A test whether a type or attribute is one that a class represents.
#[derive(Clone, Copy)]
pub(crate) enum Test {
    /// For a class derived from `Type`.
    OfType(fn(mondo_ir::Type<'_>) -> bool),
    /// For a class derived from `Attribute`.
    OfAttribute(fn(mondo_ir::Attribute<'_>) -> bool),
}

/// Makes `class` the one for types or attributes with `type_id`.
pub(crate) fn add_class(class: &Bound<'_, PyType>, type_id: TypeKey) {
    add(class.py(), type_id, Caster::Class(class.clone().unbind()));
}

/// Makes the first of `classes` whose test succeeds the one for types or attributes with `type_id`, a
/// `TypeID` that several kinds of types or attributes share.
pub(crate) fn add_choice(py: Python<'_>, type_id: TypeKey, classes: Vec<(Test, Py<PyType>)>) {
    add(py, type_id, Caster::Choice(classes.into()));
}

fn add(py: Python<'_>, type_id: TypeKey, caster: Caster) {
    let key = type_id.address().as_ptr() as usize;
    let before = OF_TYPES.with(py, |casters| {
        casters.get_or_insert_default().insert(key, caster)
    });
    drop(before);
}

/// Registers the test of the types or attributes that `class` represents. A class derived from it has to pass
/// the test too.
pub(crate) fn add_test(class: &Bound<'_, PyType>, test: Test) {
    let key = class.as_ptr() as usize;
    TESTS.with(class.py(), |tests| {
        tests.get_or_insert_default().insert(key, test)
    });
}

/// The tests that a type or attribute has to pass to become an object of `class`: those of the class and of
/// its bases.
pub(crate) fn tests_of(class: &Bound<'_, PyType>) -> Vec<Test> {
    let mro = class.mro();
    TESTS.with(class.py(), |tests| {
        let Some(tests) = tests else {
            return Vec::new();
        };
        mro.iter()
            .filter_map(|class| tests.get(&(class.as_ptr() as usize)).copied())
            .collect()
    })
}

fn register(
    casters: &AttachedCell<Option<Casters>>,
    what: &str,
    type_id: TypeKey,
    caster: Bound<'_, PyAny>,
    replace: bool,
) -> PyResult<()> {
    let py = caster.py();
    let key = type_id.address().as_ptr() as usize;
    let share = |casters: &mut Option<Casters>| Some(casters.as_ref()?.get(&key)?.share(py));
    let present = casters.with(py, share);
    if let Some(present) = present.filter(|_| !replace) {
        let present = match present {
            Caster::Class(class) => class.bind(py).repr()?.to_string(),
            Caster::Choice(_) => "a class of this package".to_owned(),
            Caster::Call(call) => call.bind(py).repr()?.to_string(),
        };
        return Err(PyRuntimeError::new_err(format!("{what}: {present}")));
    }
    let caster = Caster::Call(caster.unbind());
    let replaced = casters.with(py, |casters| {
        casters.get_or_insert_default().insert(key, caster)
    });
    forget_misses(py);
    drop(replaced);
    Ok(())
}

/// `register_type_caster`.
pub(crate) fn register_type_caster(
    type_id: TypeKey,
    caster: Bound<'_, PyAny>,
    replace: bool,
) -> PyResult<()> {
    register(
        &OF_TYPES,
        "Type caster is already registered with caster",
        type_id,
        caster,
        replace,
    )
}

/// `register_value_caster`.
pub(crate) fn register_value_caster(
    type_id: TypeKey,
    caster: Bound<'_, PyAny>,
    replace: bool,
) -> PyResult<()> {
    register(
        &OF_VALUES,
        "Value caster is already registered",
        type_id,
        caster,
        replace,
    )
}

/// What is known of types and attributes that were defined at run time. Their `TypeID`s end with their context, so
/// that their classes are found by name.
pub(crate) struct Dynamic {
    /// The full name of such a type; None for another one.
    pub(crate) type_name: fn(mondo_ir::Type<'_>) -> Option<String>,
    /// The full name of such an attribute; None for another one.
    pub(crate) attribute_name: fn(mondo_ir::Attribute<'_>) -> Option<String>,
    /// The class of such types for whose name none was registered.
    pub(crate) types: Py<PyType>,
    /// The class of such attributes for whose name none was registered.
    pub(crate) attributes: Py<PyType>,
}

/// None in a bundle that cannot define dialects at run time.
static DYNAMIC: PyOnceLock<Dynamic> = PyOnceLock::new();
/// The classes that were registered by name: those of attributes have `true`.
static NAMED: AttachedCell<Option<Named>> = AttachedCell::new(None);

type Named = HashMap<(bool, String), Py<PyType>>;

/// Says how types and attributes that were defined at run time are known.
pub(crate) fn set_dynamic(py: Python<'_>, dynamic: Dynamic) {
    // The extension is initialised once; should that ever change, the first one stays.
    let _ = DYNAMIC.set(py, dynamic);
}

/// Makes `class` the one for types, or else attributes, that were defined by this name at run time.
pub(crate) fn name_class(class: Bound<'_, PyType>, full_name: String, attribute: bool) {
    let py = class.py();
    let class = class.unbind();
    let before = NAMED.with(py, |named| {
        let named = named.get_or_insert_default();
        named.insert((attribute, full_name), class)
    });
    drop(before);
}

fn of_name(
    py: Python<'_>,
    usual: impl FnOnce(&Dynamic) -> &Py<PyType>,
    name: Option<String>,
    attribute: bool,
) -> Option<Caster> {
    let key = (attribute, name?);
    let known = NAMED.with(py, |named| Some(named.as_ref()?.get(&key)?.clone_ref(py)));
    if let Some(class) = known {
        return Some(Caster::Call(class.into_any()));
    }
    Some(Caster::Class(usual(DYNAMIC.get(py)?).clone_ref(py)))
}

/// The caster of a type that was defined at run time.
pub(crate) fn of_dynamic_type(py: Python<'_>, of: mondo_ir::Type<'_>) -> Option<Caster> {
    let name = (DYNAMIC.get(py)?.type_name)(of);
    of_name(py, |dynamic| &dynamic.types, name, false)
}

/// The caster of an attribute that was defined at run time.
pub(crate) fn of_dynamic_attribute(py: Python<'_>, of: mondo_ir::Attribute<'_>) -> Option<Caster> {
    let name = (DYNAMIC.get(py)?.attribute_name)(of);
    of_name(py, |dynamic| &dynamic.attributes, name, true)
}

fn find_in(
    casters: &AttachedCell<Option<Casters>>,
    py: Python<'_>,
    type_id: TypeKey,
    dialect: impl FnOnce() -> String,
) -> PyResult<Option<Caster>> {
    let key = type_id.address().as_ptr() as usize;
    let look = || casters.with(py, |casters| Some(casters.as_ref()?.get(&key)?.share(py)));
    if let Some(found) = look() {
        return Ok(Some(found));
    }
    let which = (ptr::from_ref(casters) as usize, key);
    let is_miss = |misses: &mut Option<HashSet<_, _>>| {
        misses
            .as_ref()
            .is_some_and(|misses| misses.contains(&which))
    };
    if MISSES.with(py, is_miss) {
        return Ok(None);
    }
    // The dialect's Python module registers its casters when it is imported.
    registered_classes::load_dialect_module(py, &dialect())?;
    let found = look();
    if found.is_none() {
        MISSES.with(py, |misses| misses.get_or_insert_default().insert(which));
    }
    Ok(found)
}

/// Forgets the types without a caster, because another module may have registered one.
pub(crate) fn forget_misses(py: Python<'_>) {
    LAST_MISS.store(0, Ordering::Relaxed);
    MISSES.with(py, Option::take);
}

/// The caster for types or attributes with `type_id`, of `dialect`.
pub(crate) fn find(
    py: Python<'_>,
    type_id: TypeKey,
    dialect: impl FnOnce() -> String,
) -> PyResult<Option<Caster>> {
    find_in(&OF_TYPES, py, type_id, dialect)
}

/// The caster for values whose type has `type_id` and is of `dialect`.
pub(crate) fn find_for_value(
    py: Python<'_>,
    type_id: TypeKey,
    dialect: impl FnOnce() -> String,
) -> PyResult<Option<Caster>> {
    let key = type_id.address().as_ptr() as usize;
    if LAST_MISS.load(Ordering::Relaxed) == key {
        return Ok(None);
    }
    let found = find_in(&OF_VALUES, py, type_id, dialect)?;
    if found.is_none() {
        LAST_MISS.store(key, Ordering::Relaxed);
    }
    Ok(found)
}
