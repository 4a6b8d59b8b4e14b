//===-- argument_errors.cpp - upstream's text for wrong arguments ---------===//
//
// PyO3 raises TypeError where an argument is missing or of a wrong kind, in words of its own. Programs
// recognise these errors by the text of upstream's bindings: "incompatible function arguments", the
// overloads of the function, and the types that it was called with.
//
// The linker has the extension call functions here in the place of Python's (--wrap). The one for
// PyErr_SetObject puts the words before PyO3's. Those for PyType_FromSpec and PyCMethod_New replace the
// methods and setters of a new class, and the functions of modules, by trampolines, which know the
// arguments; where one fails because of its arguments, the Python module `_argument_errors` writes the rest
// of the text. Operators, which are called most, ask that module by themselves (mondo-py's
// `interop/operators.rs`). The same places put the signatures into docstrings (signature_lines.cpp).
//
// Python's functions are declared here, because the C++ compiler of a bundle need not have its headers.
// They are in the stable ABI of every CPython from 3.10 on.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <string.h>

#include <utility>

extern "C" {
struct PyObject;
struct PyMethodDef {
  const char *name;
  void *call;
  int flags;
  const char *doc;
};
struct PyGetSetDef {
  const char *name;
  void *get;
  void *set;
  const char *doc;
  void *closure;
};
struct PyType_Slot {
  int slot;
  void *function;
};
struct PyType_Spec {
  const char *name;
  int basicsize;
  int itemsize;
  unsigned flags;
  PyType_Slot *slots;
};
extern PyObject *PyExc_TypeError;
const char *PyUnicode_AsUTF8AndSize(PyObject *text, long *size);
PyObject *PyUnicode_FromFormat(const char *format, ...);
void PyErr_Clear(void);
void PyErr_Fetch(PyObject **type, PyObject **value, PyObject **traceback);
void PyErr_NormalizeException(PyObject **type, PyObject **value, PyObject **traceback);
void PyErr_Restore(PyObject *type, PyObject *value, PyObject *traceback);
PyObject *PyImport_ImportModule(const char *name);
PyObject *PyObject_CallMethod(PyObject *object, const char *name, const char *format, ...);
PyObject *PyObject_GetAttrString(PyObject *object, const char *name);
PyObject *PyTuple_New(long size);
long PyTuple_Size(PyObject *tuple);
PyObject *PyTuple_GetItem(PyObject *tuple, long index);
int PyTuple_SetItem(PyObject *tuple, long index, PyObject *item);
void Py_IncRef(PyObject *object);
void Py_DecRef(PyObject *object);
void __real_PyErr_SetObject(PyObject *type, PyObject *value);
void __wrap_PyErr_SetObject(PyObject *type, PyObject *value);
PyObject *__real_PyCMethod_New(PyMethodDef *def, PyObject *self, PyObject *module, PyObject *cls);
PyObject *__wrap_PyCMethod_New(PyMethodDef *def, PyObject *self, PyObject *module, PyObject *cls);
PyObject *__real_PyType_FromSpec(PyType_Spec *spec);
PyObject *__wrap_PyType_FromSpec(PyType_Spec *spec);
PyObject *__real_PyType_FromSpecWithBases(PyType_Spec *spec, PyObject *bases);
PyObject *__wrap_PyType_FromSpecWithBases(PyType_Spec *spec, PyObject *bases);
}

// See signature_lines.cpp.
void setImportRoot(const char *module);
const char *signaturesOf(const char *owner);
const char *withSignatures(const char *functions, const char *name, const char *doc);

namespace {

//===----------------------------------------------------------------------===//
// The first words
//===----------------------------------------------------------------------===//

/// The words that PyO3 uses about arguments, and nobody else uses.
const char *const aboutArguments[] = {
    " object is not an instance of '",
    "'None' is not an instance of '",
    "() missing ",
    "() got an unexpected keyword argument ",
    "() got multiple values for argument ",
    " positional arguments but ",
    " positional argument but ",
};

bool isAboutArguments(PyObject *value) {
  const char *text = PyUnicode_AsUTF8AndSize(value, nullptr);
  if (!text) {
    // It is no text.
    PyErr_Clear();
    return false;
  }
  if (strstr(text, "incompatible function arguments"))
    return false;
  for (const char *words : aboutArguments)
    if (strstr(text, words))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// The overloads and the types of the arguments
//===----------------------------------------------------------------------===//

/// Flags of methods, and numbers of a class's slots, as Python's headers define them.
enum { VARARGS = 0x1, KEYWORDS = 0x2, NOARGS = 0x4, STATIC = 0x20, FASTCALL = 0x80 };
enum { SLOT_INIT = 60, SLOT_METHODS = 64, SLOT_SET_ITEM = 3, SLOT_ATTRIBUTES = 73 };

/// A function of a native class or module, by the number of its trampoline.
struct Method {
  void *call;
  const char *name;
  /// The class or module, which lives as long as the process.
  PyObject *owner;
  /// True if upstream's text has no object among the arguments.
  bool isStatic;
};

/// The ways in which Python calls functions, and how many there can be of each. Those beyond have PyO3's
/// text only.
struct Fast {
  using Call = PyObject *(*)(PyObject *, PyObject *const *, long, PyObject *);
  static constexpr unsigned count = 704;
};
/// Functions without parameters. Python would refuse any argument in its own words before the call, so
/// that the trampoline is a function of any arguments.
struct NoArgs {
  using Call = Fast::Call;
  static constexpr unsigned count = 96;
};
struct Varargs {
  using Call = PyObject *(*)(PyObject *, PyObject *, PyObject *);
  static constexpr unsigned count = 64;
};
struct Init {
  using Call = int (*)(PyObject *, PyObject *, PyObject *);
  static constexpr unsigned count = 64;
};
struct SetItem {
  using Call = int (*)(PyObject *, PyObject *, PyObject *);
  static constexpr unsigned count = 24;
};
struct Setter {
  using Call = int (*)(PyObject *, PyObject *, void *);
  static constexpr unsigned count = 48;
};

template <typename Kind> Method methods[Kind::count];
template <typename Kind> unsigned used = 0;

template <typename Kind> typename Kind::Call callOf(const Method &method) {
  return reinterpret_cast<typename Kind::Call>(method.call);
}

/// The functions of `_argument_errors`.
const char *const aboutFunction = "explain", *const aboutSetter = "explain_setter";

/// Calls `_argument_errors.explain(error, owner, name, arguments, keywords)`, or `writer` in its place: the
/// keywords are a tuple of the names of the last arguments, or a dictionary. An exception of its own is
/// dropped.
void explain(const char *writer, const Method &method, PyObject *error, PyObject *arguments,
             PyObject *keywords) {
  PyObject *home = PyObject_GetAttrString(method.owner, "__module__");
  if (!home) {
    // It is a module.
    PyErr_Clear();
    home = PyObject_GetAttrString(method.owner, "__name__");
  }
  const char *name = home ? PyUnicode_AsUTF8AndSize(home, nullptr) : nullptr;
  const char *end = name ? strstr(name, "._mlir_libs.") : nullptr;
  PyObject *module = nullptr, *done = nullptr;
  char path[512];
  const char *rest = "._mlir_libs._argument_errors";
  size_t length = end ? static_cast<size_t>(end - name) : sizeof path;
  if (length + strlen(rest) < sizeof path) {
    memcpy(path, name, length);
    strcpy(path + length, rest);
    module = PyImport_ImportModule(path);
  }
  if (module)
    done = PyObject_CallMethod(module, writer, "OOsOO", error, method.owner, method.name,
                               arguments, keywords);
  if (!done)
    PyErr_Clear();
  for (PyObject *object : {home, module, done})
    if (object)
      Py_DecRef(object);
}

/// Explains the exception that a function has just raised, if that is a TypeError which no Python code
/// has seen: one from code that the function called has a traceback already.
[[gnu::cold, gnu::noinline]] void raised(const Method &method, PyObject *self,
                                         PyObject *const *items, long count, PyObject *keywords,
                                         const char *writer = aboutFunction) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  if (type == PyExc_TypeError && !traceback && method.owner) {
    PyErr_NormalizeException(&type, &value, &traceback);
    long receiver = method.isStatic ? 0 : 1;
    PyObject *arguments = PyTuple_New(receiver + count);
    PyObject *none = keywords ? nullptr : PyTuple_New(0);
    if (arguments && (keywords || none)) {
      if (receiver) {
        Py_IncRef(self);
        PyTuple_SetItem(arguments, 0, self);
      }
      for (long i = 0; i < count; ++i) {
        Py_IncRef(items[i]);
        PyTuple_SetItem(arguments, receiver + i, items[i]);
      }
      explain(writer, method, value, arguments, keywords ? keywords : none);
    } else {
      PyErr_Clear();
    }
    for (PyObject *object : {arguments, none})
      if (object)
        Py_DecRef(object);
  }
  PyErr_Restore(type, value, traceback);
}

/// The same for arguments in a tuple.
[[gnu::cold, gnu::noinline]] void raisedFor(const Method &method, PyObject *self, PyObject *given,
                                            PyObject *keywords) {
  PyObject *items[16];
  long count = PyTuple_Size(given);
  if (count > 16)
    return;
  for (long i = 0; i < count; ++i)
    items[i] = PyTuple_GetItem(given, i);
  raised(method, self, items, count, keywords);
}

// The common parts of all trampolines of a kind, which are small then.

/// The arguments, which only a failed call needs. They are written to the stack: in registers that survive
/// the call they would take twice as many instructions, in each call of each method.
struct Given {
  PyObject *volatile self;
  PyObject *const *volatile items;
  volatile long count;
  PyObject *volatile names;
  const Method *volatile method;
};

[[gnu::cold, gnu::noinline]] PyObject *failed(const Given &given) {
  PyObject *names = given.names;
  const long count = given.count + (names ? PyTuple_Size(names) : 0);
  raised(*given.method, given.self, given.items, count, names);
  return nullptr;
}

[[gnu::noinline]] PyObject *run(Fast, PyObject *self, PyObject *const *items, long count,
                                PyObject *names, const Method &method) {
  const Given given = {self, items, count, names, &method};
  PyObject *result = callOf<Fast>(method)(self, items, count, names);
  return __builtin_expect(result != nullptr, 1) ? result : failed(given);
}

[[gnu::cold, gnu::noinline]] PyObject *refused(const Given &given) {
  const long named = given.names ? PyTuple_Size(given.names) : 0;
  PyObject *text =
      PyUnicode_FromFormat("incompatible function arguments: %s() takes no arguments (%zd given)",
                           given.method->name, given.count + named);
  if (!text)
    return nullptr;
  __real_PyErr_SetObject(PyExc_TypeError, text);
  Py_DecRef(text);
  return failed(given);
}

[[gnu::noinline]] PyObject *run(NoArgs, PyObject *self, PyObject *const *items, long count,
                                PyObject *names, const Method &method) {
  if (__builtin_expect(count != 0 || (names && PyTuple_Size(names) != 0), 0))
    return refused({self, items, count, names, &method});
  return reinterpret_cast<PyObject *(*)(PyObject *, PyObject *)>(method.call)(self, nullptr);
}

[[gnu::noinline]] PyObject *run(Varargs, PyObject *self, PyObject *given, PyObject *keywords,
                                const Method &method) {
  PyObject *result = callOf<Varargs>(method)(self, given, keywords);
  if (__builtin_expect(!result, 0))
    raisedFor(method, self, given, keywords);
  return result;
}

[[gnu::noinline]] int run(Init, PyObject *self, PyObject *given, PyObject *keywords,
                          const Method &method) {
  int result = callOf<Init>(method)(self, given, keywords);
  if (__builtin_expect(result < 0, 0))
    raisedFor(method, self, given, keywords);
  return result;
}

[[gnu::noinline]] int run(SetItem, PyObject *self, PyObject *key, PyObject *value,
                          const Method &method) {
  int result = callOf<SetItem>(method)(self, key, value);
  if (__builtin_expect(result < 0, 0)) {
    PyObject *items[] = {key, value};
    const Method deleting = {nullptr, "__delitem__", method.owner, false};
    raised(value ? method : deleting, self, items, value ? 2 : 1, nullptr);
  }
  return result;
}

[[gnu::noinline]] int run(Setter, PyObject *self, PyObject *value, void *closure,
                          const Method &method) {
  int result = callOf<Setter>(method)(self, value, closure);
  // Without a value the attribute is deleted.
  if (__builtin_expect(result < 0, 0) && value)
    raised(method, self, &value, 1, nullptr, aboutSetter);
  return result;
}

template <typename Kind, unsigned N, typename Call = typename Kind::Call> struct Trampoline;

template <typename Kind, unsigned N, typename Result, typename... Arguments>
struct Trampoline<Kind, N, Result (*)(Arguments...)> {
  static Result call(Arguments... arguments) { return run(Kind(), arguments..., methods<Kind>[N]); }
};

template <typename Kind, unsigned... N>
void *trampoline(std::integer_sequence<unsigned, N...>, unsigned number) {
  static constexpr typename Kind::Call all[] = {&Trampoline<Kind, N>::call...};
  return reinterpret_cast<void *>(all[number]);
}

/// Replaces a function by a trampoline, which calls it. Returns false if there is none left.
template <typename Kind> bool replace(void *&function, const char *name, bool isStatic) {
  unsigned number = used<Kind>;
  if (number == Kind::count)
    return false;
  ++used<Kind>;
  methods<Kind>[number] = {function, name, nullptr, isStatic};
  function = trampoline<Kind>(std::make_integer_sequence<unsigned, Kind::count>(), number);
  return true;
}

void replaceFunction(PyMethodDef *function, bool isStatic) {
  switch (function->flags & (VARARGS | KEYWORDS | NOARGS | FASTCALL)) {
  case FASTCALL | KEYWORDS:
    replace<Fast>(function->call, function->name, isStatic);
    break;
  case VARARGS | KEYWORDS:
    replace<Varargs>(function->call, function->name, isStatic);
    break;
  case NOARGS:
    if (replace<NoArgs>(function->call, function->name, isStatic))
      function->flags ^= NOARGS | FASTCALL | KEYWORDS;
    break;
  default:
    break;
  }
}

void replaceMethods(PyMethodDef *method, const char *functions) {
  for (; method->name; ++method) {
    replaceFunction(method, method->flags & STATIC);
    if (functions)
      method->doc = withSignatures(functions, method->name, method->doc);
  }
}

void replaceSetters(PyGetSetDef *attribute) {
  for (; attribute->name; ++attribute)
    if (attribute->set)
      replace<Setter>(attribute->set, attribute->name, false);
}

/// Puts its signatures into the docstring of a function of a module, which has this name.
void describe(PyMethodDef *function, PyObject *module) {
  const char *name = PyUnicode_AsUTF8AndSize(module, nullptr);
  if (!name) {
    PyErr_Clear();
    return;
  }
  setImportRoot(name);
  if (const char *functions = signaturesOf(name))
    function->doc = withSignatures(functions, function->name, function->doc);
}

/// Returns true if a trampoline calls the function already.
template <typename Kind> bool isReplaced(void *function) {
  for (unsigned number = 0; number < used<Kind>; ++number)
    if (trampoline<Kind>(std::make_integer_sequence<unsigned, Kind::count>(), number) == function)
      return true;
  return false;
}

/// Tells the new trampolines their class or module.
template <typename Kind> void own(unsigned from, PyObject *owner) {
  for (; from < used<Kind>; ++from)
    methods<Kind>[from].owner = owner;
}

/// Makes a class with `make`, whose functions are trampolines.
template <typename Make> PyObject *withTrampolines(PyType_Spec *spec, Make make) {
  unsigned fast = used<Fast>, varargs = used<Varargs>, init = used<Init>, set = used<SetItem>;
  unsigned setters = used<Setter>, noArgs = used<NoArgs>;
  const char *functions = signaturesOf(spec->name);
  for (PyType_Slot *slot = spec->slots; slot->slot; ++slot) {
    if (slot->slot == SLOT_METHODS)
      replaceMethods(static_cast<PyMethodDef *>(slot->function), functions);
    else if (slot->slot == SLOT_INIT)
      replace<Init>(slot->function, "__init__", false);
    else if (slot->slot == SLOT_SET_ITEM)
      replace<SetItem>(slot->function, "__setitem__", false);
    else if (slot->slot == SLOT_ATTRIBUTES)
      replaceSetters(static_cast<PyGetSetDef *>(slot->function));
  }
  PyObject *made = make();
  own<Fast>(fast, made);
  own<NoArgs>(noArgs, made);
  own<Varargs>(varargs, made);
  own<Init>(init, made);
  own<SetItem>(set, made);
  own<Setter>(setters, made);
  return made;
}

} // namespace

PyObject *__wrap_PyType_FromSpec(PyType_Spec *spec) {
  return withTrampolines(spec, [&] { return __real_PyType_FromSpec(spec); });
}

PyObject *__wrap_PyType_FromSpecWithBases(PyType_Spec *spec, PyObject *bases) {
  return withTrampolines(spec, [&] { return __real_PyType_FromSpecWithBases(spec, bases); });
}

PyObject *__wrap_PyCMethod_New(PyMethodDef *def, PyObject *self, PyObject *module, PyObject *cls) {
  // A closure is of no module, and one of many that are made and go.
  if (module && !isReplaced<Fast>(def->call) && !isReplaced<NoArgs>(def->call) &&
      !isReplaced<Varargs>(def->call)) {
    unsigned fast = used<Fast>, varargs = used<Varargs>, noArgs = used<NoArgs>;
    replaceFunction(def, true);
    describe(def, module);
    Py_IncRef(self);
    own<Fast>(fast, self);
    own<NoArgs>(noArgs, self);
    own<Varargs>(varargs, self);
  }
  return __real_PyCMethod_New(def, self, module, cls);
}

void __wrap_PyErr_SetObject(PyObject *type, PyObject *value) {
  if (type == PyExc_TypeError && value && isAboutArguments(value)) {
    if (PyObject *text =
            PyUnicode_FromFormat("incompatible function arguments: %U", value)) {
      __real_PyErr_SetObject(type, text);
      Py_DecRef(text);
      return;
    }
    PyErr_Clear();
  }
  __real_PyErr_SetObject(type, value);
}
