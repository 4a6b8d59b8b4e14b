/*===-- tide.c - What of tide is in C ---------------------------------------===
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include <Python.h>

#include "mlir-c/Bindings/Python/Interop.h"
#include "mlir-c/IR.h"

static MlirWalkResult countOne(MlirOperation op, void *count) {
  (void)op;
  ++*(size_t *)count;
  return MlirWalkResultAdvance;
}

/* Python's objects show what they stand for as capsules, under names that begin with the import
 * root: another package's module is refused. */
static PyObject *count(PyObject *self, PyObject *object) {
  (void)self;
  PyObject *capsule = PyObject_GetAttrString(object, MLIR_PYTHON_CAPI_PTR_ATTR);
  if (!capsule)
    return NULL;
  MlirModule module = mlirPythonCapsuleToModule(capsule);
  Py_DECREF(capsule);
  if (mlirModuleIsNull(module))
    return NULL;
  size_t operations = 0;
  mlirOperationWalk(mlirModuleGetOperation(module), countOne, &operations, MlirWalkPreOrder);
  return PyLong_FromSize_t(operations);
}

static PyMethodDef methods[] = {
    {"count", count, METH_O, "How many operations are in the module, itself included."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "tide._tide",
    .m_methods = methods,
};

PyMODINIT_FUNC PyInit__tide(void) { return PyModuleDef_Init(&definition); }
