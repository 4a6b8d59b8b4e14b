//===-- Globals.h - Registrations of dialects' modules --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_BINDINGS_PYTHON_GLOBALS_H
#define MLIR_BINDINGS_PYTHON_GLOBALS_H

#include "mondo/python/Types.h"
#include "mondo/python/Casters.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace mlir {
namespace python {
namespace MLIR_BINDINGS_PYTHON_DOMAIN {

/// The registrations of the process, which the package's native module has.
class PyGlobals {
public:
  static PyGlobals &get() {
    static PyGlobals globals;
    return globals;
  }

  std::vector<std::string> getDialectSearchPrefixes() {
    return nanobind::cast<std::vector<std::string>>(globals().attr("dialect_search_modules"));
  }
  void setDialectSearchPrefixes(std::vector<std::string> prefixes) {
    globals().attr("dialect_search_modules") = prefixes;
  }
  void addDialectSearchPrefix(std::string prefix) {
    globals().attr("append_dialect_search_prefix")(prefix);
  }
  bool loadDialectModule(llvm::StringRef dialectNamespace) {
    return nanobind::cast<bool>(
        globals().attr("_check_dialect_module_loaded")(dialectNamespace.str()));
  }
  void registerAttributeBuilder(const std::string &kind, nanobind::callable function,
                                bool replace = false) {
    support::ir().attr("AttrBuilder").attr("insert")(kind, function,
                                                     nanobind::arg("replace") = replace);
  }
  std::optional<nanobind::callable> lookupAttributeBuilder(const std::string &kind) {
    nanobind::object builders = support::ir().attr("AttrBuilder");
    if (!nanobind::cast<bool>(builders.attr("contains")(kind)))
      return std::nullopt;
    return nanobind::cast<nanobind::callable>(builders.attr("get")(kind));
  }
  void registerTypeCaster(MlirTypeID typeID, nanobind::callable caster, bool replace = false) {
    registerCaster(MLIR_PYTHON_CAPI_TYPE_CASTER_REGISTER_ATTR, typeID, caster, replace);
  }
  void registerValueCaster(MlirTypeID typeID, nanobind::callable caster, bool replace = false) {
    registerCaster(MLIR_PYTHON_CAPI_VALUE_CASTER_REGISTER_ATTR, typeID, caster, replace);
  }
  void registerDialectImpl(const std::string &dialectNamespace, nanobind::object cls) {
    globals().attr("_register_dialect_impl")(dialectNamespace, cls);
  }
  void registerOperationImpl(const std::string &name, nanobind::object cls, bool replace = false) {
    globals().attr("_register_operation_impl")(name, cls, nanobind::arg("replace") = replace);
  }

  /// A type id that nothing else has.
  MlirTypeID allocateTypeID() {
    static MlirTypeIDAllocator allocator = mlirTypeIDAllocatorCreate();
    return mlirTypeIDAllocatorAllocateTypeID(allocator);
  }

  /// Settings for locations that are taken from Python's call stack.
  class TracebackLoc {
  public:
    static constexpr size_t kMaxFrames = 512;

    bool locTracebacksEnabled() {
      return nanobind::cast<bool>(globals().attr("loc_tracebacks_enabled")());
    }
    void setLocTracebacksEnabled(bool value) {
      globals().attr("set_loc_tracebacks_enabled")(value);
    }
    size_t locTracebackFramesLimit() {
      return nanobind::cast<size_t>(globals().attr("loc_tracebacks_frame_limit")());
    }
    void setLocTracebackFramesLimit(size_t value) {
      globals().attr("set_loc_tracebacks_frame_limit")(value);
    }
    void registerTracebackFileInclusion(const std::string &file) {
      globals().attr("register_traceback_file_inclusion")(file);
    }
    void registerTracebackFileExclusion(const std::string &file) {
      globals().attr("register_traceback_file_exclusion")(file);
    }
  };
  TracebackLoc &getTracebackLoc() { return tracebackLoc; }

private:
  static nanobind::object globals() { return support::nativeModule().attr("globals"); }
  static void registerCaster(const char *function, MlirTypeID typeID, nanobind::callable caster,
                             bool replace) {
    support::nativeModule().attr(function)(PyTypeID(typeID).toPython(),
                                           nanobind::arg("replace") = replace)(caster);
  }

  TracebackLoc tracebackLoc;
};

/// The functions that make attributes of Python values, by the kind of the attribute.
struct PyAttrBuilderMap {
  static bool dunderContains(const std::string &attributeKind) {
    return PyGlobals::get().lookupAttributeBuilder(attributeKind).has_value();
  }
  static nanobind::callable dunderGetItemNamed(const std::string &attributeKind) {
    std::optional<nanobind::callable> builder =
        PyGlobals::get().lookupAttributeBuilder(attributeKind);
    if (!builder)
      throw nanobind::key_error(attributeKind.c_str());
    return *builder;
  }
  static void dunderSetItemNamed(const std::string &attributeKind, nanobind::callable func,
                                 bool replace) {
    PyGlobals::get().registerAttributeBuilder(attributeKind, func, replace);
  }
};

/// LLVM's switch for debug output.
struct PyGlobalDebugFlag {
  static void set(nanobind::object & /*owner*/, bool enable) {
    support::ir().attr("_GlobalDebug").attr("flag") = enable;
  }
  static bool get(const nanobind::object & /*owner*/) {
    return nanobind::cast<bool>(support::ir().attr("_GlobalDebug").attr("flag"));
  }
};

} // namespace MLIR_BINDINGS_PYTHON_DOMAIN
} // namespace python
} // namespace mlir

#endif // MLIR_BINDINGS_PYTHON_GLOBALS_H
