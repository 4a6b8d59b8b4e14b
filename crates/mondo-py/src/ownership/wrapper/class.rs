//! The publication of wrapper classes: the type objects that Python sees.

use std::ffi::{CString, c_int, c_ulong, c_void};
use std::mem::size_of;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::Ordering;

use pyo3::exceptions::{PySystemError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyModule, PyTuple, PyType};
use pyo3::{PyClass, ffi};

use crate::interop::capsule;

use super::class_trait::{Getters, Wrapper};
use super::layout::{Layout, measure_contents};
use super::lifecycle::{attached, dealloc};

/// Other classes may be derived.
pub(super) const OPEN: c_ulong = ffi::Py_TPFLAGS_DEFAULT | ffi::Py_TPFLAGS_BASETYPE;

/// Measures the objects of `T`, and makes sure that `create` may make them: what PyO3 writes
/// beside the header and the contents has to be zero.
fn measure<T: Wrapper>(layout: &Layout, py: Python<'_>) -> PyResult<()> {
    let native = py.get_type::<T>();
    let dict: usize = native.getattr("__dictoffset__")?.extract()?;
    // Python 3.11 and 3.12 make every `__dict__` in advance.
    let made = dict..dict + size_of::<usize>();
    let contents = measure_contents(&T::sample(py)?.into_bound(py), made)?;
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

/// Calls `make` with what the interpreter passes to `tp_new` or `tp_init`. Returns the object that was
/// made, or null, and whether it succeeded; if not, the interpreter has the exception.
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
        // SAFETY: the three are an object, a tuple, and a dictionary or null, by this function's contract.
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
    // SAFETY: the interpreter passes a type, a tuple, and a dictionary or null.
    unsafe {
        let (object, _) = call_maker(class.cast(), args, kwargs, &|class, args, kwargs| {
            T::construct(class.cast_unchecked(), args, kwargs).map(Some)
        });
        object
    }
}

/// Returns whether a class derived from that of `T` has an `__init__` of its own, which decides about
/// the arguments.
pub(crate) fn has_own_init<T: Wrapper>(cls: &Bound<'_, PyType>) -> bool {
    T::layout().class(cls.py()).is_ok_and(|published| {
        let [own, init] = [cls, published].map(|class| {
            // SAFETY: the object is a class, and any class has that slot.
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
    // SAFETY: the interpreter passes an object of `T`, a tuple, and a dictionary or null.
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
    // SAFETY: the interpreter passes an object, which has a class.
    unsafe {
        let class = ffi::Py_TYPE(object).cast();
        ffi::Py_INCREF(class);
        class
    }
}

/// The setter of `__class__`: the native class says what an object stands for (a block argument, an
/// integer type), and its methods rely on that. Classes in Python over one native class can replace each
/// other.
unsafe extern "C" fn set_class(
    object: *mut ffi::PyObject,
    value: *mut ffi::PyObject,
    _closure: *mut c_void,
) -> c_int {
    attached(|py| {
        // SAFETY: the interpreter passes an object, and another one or null for a deletion.
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

/// The address of the native class that a class in Python is derived from; none of a native class.
fn native_base(class: &Bound<'_, PyType>) -> Option<usize> {
    let native = format!("{}._mlir_libs._mlir", capsule::root(class.py()));
    for base in class.mro() {
        // A class that was made by a call of `type` need not have a module.
        let module = base.getattr("__module__").ok();
        let module = module.and_then(|module| module.extract::<String>().ok());
        if module.is_some_and(|module| module.starts_with(&native)) {
            return (!base.is(class)).then_some(base.as_ptr() as usize);
        }
    }
    None
}

/// Makes the class that Python sees for `T`, and puts it into `module`.
pub(crate) fn publish<'py, T: Wrapper>(
    module: &Bound<'py, PyModule>,
    name: &str,
) -> PyResult<Bound<'py, PyType>> {
    publish_with::<T>(module, name, &[])
}

/// The same with getters that the class has in place of PyO3's own.
pub(crate) fn publish_with<'py, T: Wrapper>(
    module: &Bound<'py, PyModule>,
    name: &str,
    getters: Getters,
) -> PyResult<Bound<'py, PyType>> {
    let py = module.py();
    measure::<T>(T::layout(), py)?;
    let bases = PyTuple::new(py, [py.get_type::<T>()])?;
    let mut properties = vec![ffi::PyGetSetDef {
        name: c"__class__".as_ptr(),
        get: Some(class_of),
        set: Some(set_class),
        doc: ptr::null(),
        closure: ptr::null_mut(),
    }];
    for (name, get, doc) in getters {
        properties.push(ffi::PyGetSetDef {
            name: name.as_ptr(),
            get: Some(*get),
            set: None,
            doc: doc.as_ptr(),
            closure: ptr::null_mut(),
        });
    }
    // An entry of zeros ends the array, as CPython wants it.
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

/// Makes the class that Python sees for `L`, a class that PyO3 derived from a wrapper class, over
/// `parent`, what Python sees for that. Among the slots is a `tp_init`, which takes what `signature`
/// says.
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

/// The same with other slots than a `tp_init`; `parent` is what Python sees for `T`.
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

/// [`leaf_with`] once for all classes: of what PyO3 made, with the parent's `tp_dealloc`.
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
    // The slot is set here, as the class would otherwise inherit a generic `tp_dealloc` that looks
    // for the wrapper's with every object.
    slots.push(ffi::PyType_Slot {
        slot: ffi::Py_tp_dealloc,
        pfunc: dealloc as *mut c_void,
    });
    make(native, module, &name, "", &bases, &slots, OPEN)
}

/// The same without slots.
pub(crate) fn leaf<'py, T: Wrapper, L: PyClass>(
    module: &Bound<'py, PyModule>,
    parent: &Bound<'py, PyType>,
) -> PyResult<Bound<'py, PyType>> {
    leaf_with::<T, L>(module, parent, &[])
}

/// The documentation that a type is made with, from which Python reads `__text_signature__`.
/// `__doc__` is another thing afterwards. Without a signature, the parent's counts.
fn signed(name: &str, signature: &str) -> String {
    if signature.is_empty() {
        String::new()
    } else {
        format!("{name}{signature}\n--\n\n")
    }
}

/// Makes a class over `native`, which PyO3 made and is one of `bases`.
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
        // Before Python 3.12 the type keeps the pointer; the classes live as long as the process.
        name: full.into_raw(),
        // With a size of 0, CPython takes that of the base.
        basicsize: 0,
        itemsize: 0,
        flags: flags as u32,
        slots: slots.as_mut_ptr(),
    };
    // SAFETY: the specification is complete, its slots end with a zero, and Python copies all but the
    // name. The flag and the functions of garbage collection are inherited.
    let class = unsafe {
        Bound::from_owned_ptr_or_err(
            py,
            ffi::PyType_FromSpecWithBases(&raw mut spec, bases.as_ptr()),
        )?
        .cast_into::<PyType>()?
    };
    class.setattr("__doc__", native.getattr("__doc__")?)?;
    // Python shows this name in its errors; the specification has the module, which it takes from there.
    class.setattr("__name__", name)?;
    // It is in the `__mro__`; a class of PyO3's is one of `builtins` unless told otherwise.
    native.setattr("__module__", module.name()?)?;
    module.setattr(name, &class)?;
    Ok(class)
}
