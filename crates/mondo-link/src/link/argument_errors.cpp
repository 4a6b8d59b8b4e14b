//===-- argument_errors.cpp - upstream's words for wrong arguments --------===//
//
// PyO3 raises TypeError where an argument is missing or of a wrong kind, in words of its own. Programs
// recognise these errors by the words of upstream's bindings, "incompatible function arguments". The
// linker has the extension call this function in the place of PyErr_SetObject (--wrap), which puts
// those words before PyO3's.
//
// Python's functions are declared here, because the C++ compiler of a bundle need not have its headers.
// They are in the stable ABI of every CPython from 3.10 on.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <string.h>

extern "C" {
struct PyObject;
extern PyObject *PyExc_TypeError;
const char *PyUnicode_AsUTF8AndSize(PyObject *text, long *size);
PyObject *PyUnicode_FromFormat(const char *format, ...);
void PyErr_Clear(void);
void Py_DecRef(PyObject *object);
void __real_PyErr_SetObject(PyObject *type, PyObject *value);
void __wrap_PyErr_SetObject(PyObject *type, PyObject *value);
}

namespace {

/// The words that PyO3 uses about arguments, and nobody else uses.
const char *const aboutArguments[] = {
    " object is not an instance of '",
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

} // namespace

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
