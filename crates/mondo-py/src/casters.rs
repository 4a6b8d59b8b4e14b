//! Which Python class a type, an attribute or a value becomes.
//!
//! The classes of `ir` are registered natively, by the `TypeID` of what they stand for; dialects
//! written in Python or C++ register callables (`register_type_caster`, `register_value_caster`).

use std::collections::{HashMap, HashSet};
use std::ffi::c_void;
use std::hash::{BuildHasherDefault, Hasher};
use std::ptr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mondo_sys::MlirTypeID;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::globals;

/// Hashes addresses, which differ in their middle bits.
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

/// How something becomes an object of a better class.
pub(crate) enum Caster {
    /// A class of ours, whose objects can be made at once.
    Class(Py<PyType>),
    /// The first of these classes of ours whose test succeeds.
    Choice(Arc<[(Test, Py<PyType>)]>),
    /// A callable of somebody else's, which takes the plain object.
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

/// Of types and attributes.
static OF_TYPES: Mutex<Option<Casters>> = Mutex::new(None);
/// Of values, by their type.
static OF_VALUES: Mutex<Option<Casters>> = Mutex::new(None);
/// For which types there is no caster in which of the two maps, though their dialects' Python modules
/// were loaded.
static MISSES: Mutex<Option<HashSet<(usize, usize), AddressHash>>> = Mutex::new(None);
/// Which types or attributes a native class stands for, by the class's address.
static TESTS: Mutex<Option<HashMap<usize, Test, AddressHash>>> = Mutex::new(None);

/// Whether a type or attribute (by its storage pointer) is of a class.
pub(crate) type Test = fn(*const c_void) -> bool;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes `class` the one for types or attributes with `type_id`.
pub(crate) fn add_class(class: &Bound<'_, PyType>, type_id: MlirTypeID) {
    locked(&OF_TYPES)
        .get_or_insert_default()
        .insert(type_id.ptr as usize, Caster::Class(class.clone().unbind()));
}

/// Makes the first of `classes` whose test succeeds the one for types or attributes with `type_id`,
/// which several kinds share.
pub(crate) fn add_choice(type_id: MlirTypeID, classes: Vec<(Test, Py<PyType>)>) {
    locked(&OF_TYPES)
        .get_or_insert_default()
        .insert(type_id.ptr as usize, Caster::Choice(classes.into()));
}

/// Says what `class` can be made from; classes derived from it can be made from the same.
pub(crate) fn add_test(class: &Bound<'_, PyType>, test: Test) {
    locked(&TESTS)
        .get_or_insert_default()
        .insert(class.as_ptr() as usize, test);
}

/// Whether an object of `class` can stand for the type or attribute `raw`.
pub(crate) fn class_accepts(class: &Bound<'_, PyType>, raw: *const c_void) -> PyResult<bool> {
    let tests: Vec<Test> = {
        let tests = locked(&TESTS);
        let Some(tests) = tests.as_ref() else {
            return Ok(true);
        };
        class
            .mro()
            .iter()
            .filter_map(|class| tests.get(&(class.as_ptr() as usize)).copied())
            .collect()
    };
    Ok(tests.into_iter().all(|test| test(raw)))
}

fn register(
    casters: &Mutex<Option<Casters>>,
    what: &str,
    type_id: MlirTypeID,
    caster: Bound<'_, PyAny>,
    replace: bool,
) -> PyResult<()> {
    let py = caster.py();
    let key = type_id.ptr as usize;
    let present = locked(casters)
        .get_or_insert_default()
        .get(&key)
        .map(|caster| caster.share(py));
    if let Some(present) = present.filter(|_| !replace) {
        let present = match present {
            Caster::Class(class) => class.bind(py).repr()?.to_string(),
            Caster::Choice(_) => "a class of this package".to_owned(),
            Caster::Call(call) => call.bind(py).repr()?.to_string(),
        };
        return Err(PyRuntimeError::new_err(format!("{what}: {present}")));
    }
    let replaced = locked(casters)
        .get_or_insert_default()
        .insert(key, Caster::Call(caster.unbind()));
    locked(&MISSES).take();
    drop(replaced);
    Ok(())
}

/// `register_type_caster`.
pub(crate) fn register_type_caster(
    type_id: MlirTypeID,
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
    type_id: MlirTypeID,
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

fn find_in(
    casters: &Mutex<Option<Casters>>,
    py: Python<'_>,
    type_id: MlirTypeID,
    dialect: impl FnOnce() -> String,
) -> PyResult<Option<Caster>> {
    let key = type_id.ptr as usize;
    let look = || {
        let casters = locked(casters);
        Some(casters.as_ref()?.get(&key)?.share(py))
    };
    if let Some(found) = look() {
        return Ok(Some(found));
    }
    let which = (ptr::from_ref(casters) as usize, key);
    if locked(&MISSES)
        .as_ref()
        .is_some_and(|misses| misses.contains(&which))
    {
        return Ok(None);
    }
    // The dialect's Python module may register one.
    globals::load_dialect_module(py, &dialect())?;
    let found = look();
    if found.is_none() {
        locked(&MISSES).get_or_insert_default().insert(which);
    }
    Ok(found)
}

/// Forgets for what there was no caster: another module may have one.
pub(crate) fn forget_misses() {
    locked(&MISSES).take();
}

/// The caster for types or attributes with `type_id`, of `dialect`.
pub(crate) fn find(
    py: Python<'_>,
    type_id: MlirTypeID,
    dialect: impl FnOnce() -> String,
) -> PyResult<Option<Caster>> {
    find_in(&OF_TYPES, py, type_id, dialect)
}

/// The caster for values whose type has `type_id` and is of `dialect`.
pub(crate) fn find_for_value(
    py: Python<'_>,
    type_id: MlirTypeID,
    dialect: impl FnOnce() -> String,
) -> PyResult<Option<Caster>> {
    find_in(&OF_VALUES, py, type_id, dialect)
}
