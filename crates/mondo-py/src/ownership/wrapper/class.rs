//! Making the type objects of wrapper classes. PyO3 makes a *native* class for each; the *published* class,
//! which Python code uses, is derived from it and has mondo's `tp_dealloc`, `tp_new` and `tp_init`.

use std::ffi::{CString, c_int, c_ulong, c_void};
use std::mem::size_of;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::Ordering;

use pyo3::exceptions::{PySystemError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyModule, PyTuple, PyType};
use pyo3::{PyClass, ffi};

use crate::interop::attachment::attached;
use crate::interop::capsule;
use crate::interop::submodules;

use super::class_trait::{Getters, Wrapper};
use super::layout::{Layout, measure_contents};
use super::lifecycle::dealloc;

/// The flags of a class from which others may be derived.
pub(super) const OPEN: c_ulong = ffi::Py_TPFLAGS_DEFAULT | ffi::Py_TPFLAGS_BASETYPE;

/// Measures the layout of the objects of `T`. Fails unless all bytes beside the object's header and its
/// contents are zero, because `create` makes objects without PyO3 and leaves these bytes as new memory has
/// them.
fn measure<T: Wrapper>(layout: &Layout, py: Python<'_>) -> PyResult<()> {
    let native = py.get_type::<T>();
    let dict: usize = native.getattr("__dictoffset__")?.extract()?;
    // Python 3.11 and 3.12 create the `__dict__` of each new object, so that these bytes are not zero.
    let dict_slot = dict..dict + size_of::<usize>();
    let contents = measure_contents(&T::sample(py)?.into_bound(py), dict_slot)?;
    let weak: usize = native.getattr("__weakrefoffset__")?.extract()?;
    if weak == 0 || dict == 0 {
        return Err(PySystemError::new_err(
            "a wrapper class has no `__dict__` or no weak references",
        ));
    }
    layout.contents.store(contents, Ordering::Relaxed);
    layout.dict.store(dict, Ordering::Relaxed);
    layout.weak.store(weak, Ordering::Relaxed);
    Ok(())
}

/// A constructor or an initialiser with its arguments: the class or the object, a tuple, a dictionary.
type Maker<'a> = &'a dyn for<'py> Fn(
    &Bound<'py, PyAny>,
    &Bound<'py, PyTuple>,
    Option<&Bound<'py, PyDict>>,
) -> PyResult<Option<Bound<'py, PyAny>>>;

/// Calls `make` with the arguments that the interpreter passed to `tp_new` or `tp_init`. Returns the object
/// that was made, or null, and whether the call succeeded; if not, the exception is set.
///
/// # Safety
///
/// `first` is an object, `args` a tuple, and `kwargs` a dictionary or null.
unsafe fn call_maker(
    first: *mut ffi::PyObject,
    args: *mut ffi::PyObject,
    kwargs: *mut ffi::PyObject,
    make: Maker<'_>,
) -> (*mut ffi::PyObject, bool) {
    attached(|py| {
        // SAFETY: by this function's contract, these are a live object, a tuple, and a dictionary or null.
        let (first, args, kwargs) = unsafe {
            (
                Bound::<PyAny>::from_borrowed_ptr(py, first),
                Bound::from_borrowed_ptr(py, args).cast_into_unchecked::<PyTuple>(),
                Bound::from_borrowed_ptr_or_opt(py, kwargs)
                    .map(|kwargs| kwargs.cast_into_unchecked::<PyDict>()),
            )
        };
        let made = catch_unwind(AssertUnwindSafe(|| make(&first, &args, kwargs.as_ref())))
            .unwrap_or_else(|_| Err(PySystemError::new_err("a constructor panicked")));
        match made {
            Ok(object) => (object.map_or(ptr::null_mut(), Bound::into_ptr), true),
            Err(error) => {
                error.restore(py);
                (ptr::null_mut(), false)
            }
        }
    })
}

/// `tp_new` of a wrapper class.
unsafe extern "C" fn new<T: Wrapper>(
    class: *mut ffi::PyTypeObject,
    args: *mut ffi::PyObject,
    kwargs: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: CPython calls `tp_new` with a type, a tuple, and a dictionary or null.
    unsafe {
        let (object, _) = call_maker(class.cast(), args, kwargs, &|class, args, kwargs| {
            T::construct(class.cast_unchecked(), args, kwargs).map(Some)
        });
        object
    }
}

/// Returns whether `cls`, derived from the published class of `T`, has another `__init__`. Then that one
/// decides which arguments are accepted.
pub(crate) fn has_own_init<T: Wrapper>(cls: &Bound<'_, PyType>) -> bool {
    T::layout().class(cls.py()).is_ok_and(|published| {
        let [own, init] = [cls, published].map(|class| {
            // SAFETY: both are types, and `Py_tp_init` is a slot number that `PyType_GetSlot` accepts.
            unsafe { ffi::PyType_GetSlot(class.as_type_ptr(), ffi::Py_tp_init) }
        });
        own != init
    })
}

/// `tp_init` of a wrapper class.
unsafe extern "C" fn init<T: Wrapper>(
    object: *mut ffi::PyObject,
    args: *mut ffi::PyObject,
    kwargs: *mut ffi::PyObject,
) -> c_int {
    // SAFETY: CPython calls `tp_init` of this class with an instance of it, a tuple, and a dictionary or
    // null.
    let (_, succeeded) = unsafe {
        call_maker(object, args, kwargs, &|object, args, kwargs| {
            T::initialise(object.cast_unchecked(), args, kwargs).map(|()| None)
        })
    };
    if succeeded { 0 } else { -1 }
}

/// The getter of `__class__`.
unsafe extern "C" fn class_of(
    object: *mut ffi::PyObject,
    _closure: *mut c_void,
) -> *mut ffi::PyObject {
    // SAFETY: CPython calls a getter with a live object, which has a type.
    unsafe {
        let class = ffi::Py_TYPE(object).cast();
        ffi::Py_INCREF(class);
        class
    }
}

/// The setter of `__class__`. It allows a change between classes written in Python that are derived from the
/// same native class, and no other: the methods of a native class rely on the kind of what its objects
/// represent (a block argument, an integer type).
unsafe extern "C" fn set_class(
    object: *mut ffi::PyObject,
    value: *mut ffi::PyObject,
    _closure: *mut c_void,
) -> c_int {
    attached(|py| {
        // SAFETY: CPython calls a setter with a live object, and with the new value or null for `del`.
        let (object, value) = unsafe {
            (
                Bound::<PyAny>::from_borrowed_ptr(py, object),
                Bound::<PyAny>::from_borrowed_ptr_or_opt(py, value),
            )
        };
        match replace_class(&object, value) {
            Ok(()) => 0,
            Err(error) => {
                error.restore(py);
                -1
            }
        }
    })
}

/// The property `__class__` of a wrapper, which guards its assignment.
pub(super) fn guarded_class() -> ffi::PyGetSetDef {
    ffi::PyGetSetDef {
        name: c"__class__".as_ptr(),
        get: Some(class_of),
        set: Some(set_class),
        doc: ptr::null(),
        closure: ptr::null_mut(),
    }
}

fn replace_class(object: &Bound<'_, PyAny>, value: Option<Bound<'_, PyAny>>) -> PyResult<()> {
    let class = value.as_ref().and_then(|value| value.cast::<PyType>().ok());
    let native = native_base(&object.get_type());
    match class {
        Some(class) if native.is_some() && native == native_base(class) => {
            let all = object.py().get_type::<PyAny>().getattr("__dict__")?;
            let setter = all.get_item("__class__")?;
            setter.call_method1("__set__", (object, class))?;
            Ok(())
        }
        _ => Err(PyTypeError::new_err(
            "__class__ assignment is not supported between native classes: cast with the class \
             instead",
        )),
    }
}

/// The address of the native class that a class written in Python is derived from; None for a native class.
fn native_base(class: &Bound<'_, PyType>) -> Option<usize> {
    let native = format!("{}._mlir_libs._mlir", capsule::root(class.py()));
    for base in class.mro() {
        // A class that was made by a call of `type` may be without `__module__`.
        let module = base.getattr("__module__").ok();
        let module = module.and_then(|module| module.extract::<String>().ok());
        if module.is_some_and(|module| module.starts_with(&native)) {
            return (!base.is(class)).then_some(base.as_ptr() as usize);
        }
    }
    None
}

/// Makes the published class of `T`, and adds it to `module`.
pub(crate) fn publish<'py, T: Wrapper>(
    module: &Bound<'py, PyModule>,
    name: &str,
) -> PyResult<Bound<'py, PyType>> {
    publish_with::<T>(module, name, &[])
}

/// Does the work of [`publish`], with getters that replace PyO3's.
pub(crate) fn publish_with<'py, T: Wrapper>(
    module: &Bound<'py, PyModule>,
    name: &str,
    getters: Getters,
) -> PyResult<Bound<'py, PyType>> {
    let py = module.py();
    measure::<T>(T::layout(), py)?;
    let bases = PyTuple::new(py, [py.get_type::<T>()])?;
    let mut properties = vec![guarded_class()];
    for (name, get, doc) in getters {
        properties.push(ffi::PyGetSetDef {
            name: name.as_ptr(),
            get: Some(*get),
            set: None,
            doc: doc.as_ptr(),
            closure: ptr::null_mut(),
        });
    }
    // CPython reads the array up to an entry of zeros.
    properties.push(ffi::PyGetSetDef::default());
    // Python 3.10 and 3.11 keep pointers to the definitions.
    let properties = properties.leak();
    let slots = [
        ffi::PyType_Slot {
            slot: ffi::Py_tp_getset,
            pfunc: properties.as_mut_ptr().cast(),
        },
        ffi::PyType_Slot {
            slot: ffi::Py_tp_dealloc,
            pfunc: dealloc::<T> as *mut c_void,
        },
        ffi::PyType_Slot {
            slot: ffi::Py_tp_new,
            pfunc: new::<T> as *mut c_void,
        },
        ffi::PyType_Slot {
            slot: ffi::Py_tp_init,
            pfunc: init::<T> as *mut c_void,
        },
    ];
    let native = py.get_type::<T>();
    let class = make(&native, module, name, T::SIGNATURE, &bases, &slots, OPEN)?;
    T::layout()
        .class
        .set(py, class.clone().unbind())
        .map_err(|_| PySystemError::new_err("_mlir can be initialised only once in a process"))?;
    Ok(class)
}

/// Makes the published class of `L`, which PyO3 derived from a wrapper class whose published class is
/// `parent`. The slots have a `tp_init`, whose parameters are `signature`.
pub(crate) fn publish_over<'py, L: PyClass>(
    module: &Bound<'py, PyModule>,
    name: &str,
    parent: &Bound<'py, PyType>,
    signature: &str,
    slots: &[ffi::PyType_Slot],
) -> PyResult<Bound<'py, PyType>> {
    let py = module.py();
    let native = py.get_type::<L>();
    let bases = PyTuple::new(py, [parent, &native])?;
    make(&native, module, name, signature, &bases, slots, OPEN)
}

/// Makes the published class of `L`, which PyO3 derived from `T`, with slots other than `tp_init`. `parent`
/// is the published class of `T`.
pub(crate) fn leaf_with<'py, T: Wrapper, L: PyClass>(
    module: &Bound<'py, PyModule>,
    parent: &Bound<'py, PyType>,
    slots: &[ffi::PyType_Slot],
) -> PyResult<Bound<'py, PyType>> {
    leaf_over(
        module,
        parent,
        &L::type_object(module.py()),
        slots,
        dealloc::<T>,
    )
}

/// The part of [`leaf_with`] that is not generic, so that it is compiled once for all classes.
#[inline(never)]
fn leaf_over<'py>(
    module: &Bound<'py, PyModule>,
    parent: &Bound<'py, PyType>,
    native: &Bound<'py, PyType>,
    slots: &[ffi::PyType_Slot],
    dealloc: unsafe extern "C" fn(*mut ffi::PyObject),
) -> PyResult<Bound<'py, PyType>> {
    let bases = PyTuple::new(module.py(), [parent, native])?;
    let name = native.name()?.to_string();
    let mut slots = slots.to_vec();
    // Without this slot CPython would give the class `subtype_dealloc`, which searches the bases for the
    // wrapper's `tp_dealloc` each time that an object is freed.
    slots.push(ffi::PyType_Slot {
        slot: ffi::Py_tp_dealloc,
        pfunc: dealloc as *mut c_void,
    });
    make(native, module, &name, "", &bases, &slots, OPEN)
}

/// Makes the published class of `L` as [`leaf_with`] does, without slots.
pub(crate) fn leaf<'py, T: Wrapper, L: PyClass>(
    module: &Bound<'py, PyModule>,
    parent: &Bound<'py, PyType>,
) -> PyResult<Bound<'py, PyType>> {
    leaf_with::<T, L>(module, parent, &[])
}

/// The `tp_doc` of a type, from which CPython reads `__text_signature__`; `make` sets another `__doc__`
/// afterwards. It is empty without a signature, so that the parent's signature counts.
fn signed(name: &str, signature: &str) -> String {
    if signature.is_empty() {
        String::new()
    } else {
        format!("{name}{signature}\n--\n\n")
    }
}

/// Makes a class that is derived from `bases`, of which `native`, PyO3's class, is one.
#[inline(never)]
pub(super) fn make<'py>(
    native: &Bound<'py, PyType>,
    module: &Bound<'py, PyModule>,
    name: &str,
    signature: &str,
    bases: &Bound<'py, PyTuple>,
    slots: &[ffi::PyType_Slot],
    flags: c_ulong,
) -> PyResult<Bound<'py, PyType>> {
    let py = module.py();
    let full = CString::new(format!("{}.{name}", module.name()?))?;
    let doc = CString::new(signed(name, signature))?;
    let mut slots = slots.to_vec();
    slots.push(ffi::PyType_Slot {
        slot: ffi::Py_tp_doc,
        pfunc: doc.as_ptr() as *mut c_void,
    });
    slots.push(ffi::PyType_Slot {
        slot: 0,
        pfunc: ptr::null_mut(),
    });
    let mut spec = ffi::PyType_Spec {
        // Before Python 3.12 the type keeps this pointer. It is never freed, as the classes live until the
        // process ends.
        name: full.into_raw(),
        // With a size of 0, CPython takes that of the base.
        basicsize: 0,
        itemsize: 0,
        flags: flags as u32,
        slots: slots.as_mut_ptr(),
    };
    // SAFETY: the specification has every field, its slots end with a zero, and CPython copies all but the
    // name, which is leaked. The type inherits `Py_TPFLAGS_HAVE_GC` with `tp_traverse` and `tp_clear` from
    // its base.
    let class = unsafe {
        Bound::from_owned_ptr_or_err(
            py,
            ffi::PyType_FromSpecWithBases(&raw mut spec, bases.as_ptr()),
        )?
        .cast_into::<PyType>()?
    };
    class.setattr("__doc__", native.getattr("__doc__")?)?;
    // Setting `__name__` sets `tp_name`, which Python's errors show. The specification's name has to include
    // the module, from which CPython sets `__module__`.
    class.setattr("__name__", name)?;
    // The native class is visible in `__mro__`, and PyO3 gave it the module `builtins`.
    submodules::set_module(native, &module.name()?)?;
    module.setattr(name, &class)?;
    Ok(class)
}
