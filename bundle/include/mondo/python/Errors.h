//===-- Errors.h - Diagnostics and MLIRError ------------------------------===//
//
// Errors that MLIR reports become exceptions here. Conversions of arguments, which
// fail with Python's own exceptions, are in `Casters.h`.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_PYTHON_ERRORS_H
#define MONDO_PYTHON_ERRORS_H

#include "mondo/python/Casters.h"

#include "mlir-c/Diagnostics.h"

#include <vector>

namespace mlir {
namespace python {
namespace MLIR_BINDINGS_PYTHON_DOMAIN {

enum class PyDiagnosticSeverity : std::underlying_type_t<MlirDiagnosticSeverity> {
  Error = MlirDiagnosticError,
  Warning = MlirDiagnosticWarning,
  Note = MlirDiagnosticNote,
  Remark = MlirDiagnosticRemark
};

/// A diagnostic, which lives as long as the handler that it is given to runs.
class PyDiagnostic {
public:
  PyDiagnostic(MlirDiagnostic diagnostic) : diagnostic(diagnostic) {}

  /// A copy of the message.
  struct DiagnosticInfo {
    PyDiagnosticSeverity severity;
    PyLocation location;
    std::string message;
    std::vector<DiagnosticInfo> notes;

    /// An object with the attributes of the package's `DiagnosticInfo`.
    nanobind::object toPython() const {
      static constexpr const char *names[] = {"ERROR", "WARNING", "NOTE", "REMARK"};
      nanobind::list inner;
      for (const DiagnosticInfo &note : notes)
        inner.append(note.toPython());
      return nanobind::module_::import_("types").attr("SimpleNamespace")(
          nanobind::arg("severity") =
              support::ir().attr("DiagnosticSeverity").attr(names[static_cast<int>(severity)]),
          nanobind::arg("location") = location.toPython(), nanobind::arg("message") = message,
          nanobind::arg("notes") = inner);
    }
  };

  void invalidate() { valid = false; }
  bool isValid() { return valid; }
  PyDiagnosticSeverity getSeverity() {
    check();
    return static_cast<PyDiagnosticSeverity>(mlirDiagnosticGetSeverity(diagnostic));
  }
  PyLocation getLocation() {
    check();
    MlirLocation loc = mlirDiagnosticGetLocation(diagnostic);
    return PyLocation(PyMlirContext::forContext(mlirLocationGetContext(loc)), loc);
  }
  nanobind::str getMessage() {
    check();
    PyPrintAccumulator text;
    mlirDiagnosticPrint(diagnostic, text.getCallback(), text.getUserData());
    return text.join();
  }
  /// Copies of the notes, as `toPython` of each makes them.
  nanobind::tuple getNotes() {
    check();
    nanobind::list notes;
    for (const DiagnosticInfo &note : getInfo().notes)
      notes.append(note.toPython());
    return nanobind::tuple(notes);
  }
  DiagnosticInfo getInfo() {
    std::vector<DiagnosticInfo> notes;
    intptr_t count = mlirDiagnosticGetNumNotes(diagnostic);
    for (intptr_t index = 0; index < count; ++index)
      notes.push_back(PyDiagnostic(mlirDiagnosticGetNote(diagnostic, index)).getInfo());
    return {getSeverity(), getLocation(), nanobind::cast<std::string>(getMessage()),
            std::move(notes)};
  }

private:
  void check() {
    if (!valid)
      throw std::invalid_argument("Diagnostic is invalid (used outside of callback)");
  }

  MlirDiagnostic diagnostic;
  bool valid = true;
};

/// Keeps the errors of a context while it lives; others see what is no error.
struct PyMlirContext::ErrorCapture {
  ErrorCapture(PyMlirContextRef context)
      : context(std::move(context)), handler(mlirContextAttachDiagnosticHandler(
                                         this->context->get(), &handle, this, nullptr)) {}
  ErrorCapture(const ErrorCapture &) = delete;
  ~ErrorCapture() { mlirContextDetachDiagnosticHandler(context->get(), handler); }

  std::vector<PyDiagnostic::DiagnosticInfo> take() { return std::move(errors); }

private:
  static MlirLogicalResult handle(MlirDiagnostic diagnostic, void *self) {
    if (mlirDiagnosticGetSeverity(diagnostic) != MlirDiagnosticError)
      return mlirLogicalResultFailure();
    // A handler may run in one of MLIR's threads.
    nanobind::gil_scoped_acquire attached;
    auto *capture = static_cast<ErrorCapture *>(self);
    if (capture->context->getEmitErrorDiagnostics())
      return mlirLogicalResultFailure();
    capture->errors.push_back(PyDiagnostic(diagnostic).getInfo());
    return mlirLogicalResultSuccess();
  }

  PyMlirContextRef context;
  std::vector<PyDiagnostic::DiagnosticInfo> errors;
  MlirDiagnosticHandlerID handler;
};

/// The exception that becomes `ir.MLIRError` in Python.
struct MLIRError {
  MLIRError(const llvm::Twine &message, std::vector<PyDiagnostic::DiagnosticInfo> &&errors = {})
      : message(message.str()), errorDiagnostics(std::move(errors)) {
    static const bool registered = [] {
      nanobind::register_exception_translator(&translate);
      return true;
    }();
    (void)registered;
  }

  std::string message;
  std::vector<PyDiagnostic::DiagnosticInfo> errorDiagnostics;

private:
  static void translate(const std::exception_ptr &thrown, void *) {
    try {
      std::rethrow_exception(thrown);
    } catch (const MLIRError &error) {
      nanobind::list errors;
      for (const PyDiagnostic::DiagnosticInfo &one : error.errorDiagnostics)
        errors.append(one.toPython());
      nanobind::object cls = support::ir().attr("MLIRError");
      PyErr_SetObject(cls.ptr(), cls(error.message, errors).ptr());
    }
  }
};

} // namespace MLIR_BINDINGS_PYTHON_DOMAIN
} // namespace python
} // namespace mlir

#endif // MONDO_PYTHON_ERRORS_H
