# The functions of MLIR's module of this name, with the same names and arguments. They build no
# package: each declaration becomes an interface library that has the arguments as properties, and
# `mondo_project_record` writes all of them to a file once the project is configured.

include_guard(GLOBAL)

# A group of MLIR's own Python package; the bundle has the module in its place.
function(_mondo_python_group name)
  if(NOT TARGET ${name})
    add_library(${name} INTERFACE IMPORTED GLOBAL)
    set_target_properties(${name} PROPERTIES mlir_python_SOURCES_TYPE pure mlir_python_DEPENDS "")
  endif()
endfunction()

# Declares a group: `kind` says by which function, and the arguments after `parent` are pairs of
# property and value.
function(_mondo_python_declare kind name parent)
  add_library(${name} INTERFACE)
  set_target_properties(${name} PROPERTIES
    mondo_KIND "${kind}"
    mondo_SOURCE_DIR "${CMAKE_CURRENT_SOURCE_DIR}"
    mondo_BINARY_DIR "${CMAKE_CURRENT_BINARY_DIR}"
    mlir_python_DEPENDS "")
  set_property(GLOBAL APPEND PROPERTY MONDO_GROUPS ${name})
  if(parent)
    _mondo_python_group(${parent})
    set_property(TARGET ${parent} APPEND PROPERTY mlir_python_DEPENDS ${name})
    set_property(GLOBAL APPEND PROPERTY MONDO_PARENTS ${parent})
  endif()
endfunction()

# Sets `output` to true for a group of MLIR's own package, which the bundle has in its own way. Upstream's CMakeLists.txt
# declares all of them; it is known by the group around them, and the further groups of that file, as those of
# MLIR's tests, are the project's. A project inside of LLVM's build may declare files of MLIR's package once more for
# itself; LLVM's installation lacks these files.
function(_mondo_python_is_upstreams output name root)
  set(${output} FALSE PARENT_SCOPE)
  if(name STREQUAL "MLIRPythonSources")
    set_property(GLOBAL APPEND PROPERTY MONDO_UPSTREAM_PYTHON "${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  get_property(folders GLOBAL PROPERTY MONDO_UPSTREAM_PYTHON)
  if(CMAKE_CURRENT_SOURCE_DIR IN_LIST folders)
    if(name MATCHES "^MLIRPython(Sources|Extension|CAPI)($|\\.)")
      set(${output} TRUE PARENT_SCOPE)
    endif()
  elseif(MLIR_MAIN_SRC_DIR)
    set(upstream "${MLIR_MAIN_SRC_DIR}/python")
    cmake_path(NORMAL_PATH upstream)
    cmake_path(ABSOLUTE_PATH root NORMALIZE)
    cmake_path(IS_PREFIX upstream "${root}" NORMALIZE inside)
    set(${output} ${inside} PARENT_SCOPE)
  endif()
endfunction()

# Declares `name` as a group of MLIR's own package. In a project's own package, the group `instead` takes its place.
function(_mondo_python_embed name parent instead)
  _mondo_python_group(${name})
  if(parent)
    _mondo_python_group(${parent})
    get_property(folders GLOBAL PROPERTY MONDO_UPSTREAM_PYTHON)
    if(CMAKE_CURRENT_SOURCE_DIR IN_LIST folders)
      set(instead ${name})
    endif()
    set_property(TARGET ${parent} APPEND PROPERTY mlir_python_DEPENDS ${instead})
  endif()
endfunction()

# Pure Python, below ROOT_DIR.
function(declare_mlir_python_sources name)
  cmake_parse_arguments(ARG "" "ROOT_DIR;ADD_TO_PARENT" "SOURCES;SOURCES_GLOB" ${ARGN})
  if(NOT ARG_ROOT_DIR)
    set(ARG_ROOT_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  _mondo_python_is_upstreams(upstreams ${name} "${ARG_ROOT_DIR}")
  if(upstreams)
    _mondo_python_embed(${name} "${ARG_ADD_TO_PARENT}" MLIRPythonSources.Core.Python)
    return()
  endif()
  set(files ${ARG_SOURCES})
  foreach(pattern IN LISTS ARG_SOURCES_GLOB)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS RELATIVE "${ARG_ROOT_DIR}" "${ARG_ROOT_DIR}/${pattern}")
    list(APPEND files ${found})
  endforeach()
  _mondo_python_declare(sources ${name} "${ARG_ADD_TO_PARENT}")
  set_target_properties(${name} PROPERTIES
    mlir_python_SOURCES_TYPE pure
    mlir_python_ROOT_DIR "${ARG_ROOT_DIR}"
    mondo_ROOT "${ARG_ROOT_DIR}"
    mondo_SOURCES "${files}")
  set_property(TARGET ${name} PROPERTY INTERFACE_SOURCES "")
endfunction()

# The classes of a dialect's operations and enums, and its Python by hand.
function(declare_mlir_dialect_python_bindings)
  cmake_parse_arguments(ARG "GEN_ENUM_BINDINGS"
    "ROOT_DIR;ADD_TO_PARENT;TD_FILE;DIALECT_NAME;EXTENSION_NAME"
    "SOURCES;SOURCES_GLOB;DEPENDS;GEN_ENUM_BINDINGS_TD_FILE" ${ARGN})
  _mondo_python_dialect()
endfunction()

# The same for operations that a project adds to a dialect that has its own module.
function(declare_mlir_dialect_extension_python_bindings)
  cmake_parse_arguments(ARG "GEN_ENUM_BINDINGS"
    "ROOT_DIR;ADD_TO_PARENT;TD_FILE;DIALECT_NAME;EXTENSION_NAME"
    "SOURCES;SOURCES_GLOB;DEPENDS;GEN_ENUM_BINDINGS_TD_FILE" ${ARGN})
  _mondo_python_dialect()
endfunction()

macro(_mondo_python_dialect)
  if(ARG_EXTENSION_NAME)
    set(name "${ARG_ADD_TO_PARENT}.${ARG_EXTENSION_NAME}")
  else()
    set(name "${ARG_ADD_TO_PARENT}.${ARG_DIALECT_NAME}")
  endif()
  if(NOT ARG_ROOT_DIR)
    set(ARG_ROOT_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  _mondo_python_is_upstreams(upstreams ${name} "${ARG_ROOT_DIR}")
  if(upstreams)
    _mondo_python_embed(${name} "${ARG_ADD_TO_PARENT}" MLIRPythonSources.Dialects.${ARG_DIALECT_NAME})
    return()
  endif()
  declare_mlir_python_sources(${name}
    ROOT_DIR "${ARG_ROOT_DIR}"
    ADD_TO_PARENT "${ARG_ADD_TO_PARENT}"
    SOURCES ${ARG_SOURCES}
    SOURCES_GLOB ${ARG_SOURCES_GLOB})
  if(ARG_TD_FILE)
    set(enums "")
    if(ARG_GEN_ENUM_BINDINGS_TD_FILE)
      set(enums "${ARG_ROOT_DIR}/${ARG_GEN_ENUM_BINDINGS_TD_FILE}")
    elseif(ARG_GEN_ENUM_BINDINGS)
      set(enums "${ARG_ROOT_DIR}/${ARG_TD_FILE}")
    endif()
    get_property(include DIRECTORY PROPERTY INCLUDE_DIRECTORIES)
    set_target_properties(${name} PROPERTIES
      mondo_KIND dialect
      mondo_DIALECT "${ARG_DIALECT_NAME}"
      mondo_EXTENSION "${ARG_EXTENSION_NAME}"
      mondo_TD "${ARG_ROOT_DIR}/${ARG_TD_FILE}"
      mondo_ENUMS "${enums}"
      mondo_INCLUDE "${include}"
      mondo_DEPENDS "${ARG_DEPENDS}")
    if(ARG_EXTENSION_NAME)
      _mondo_python_extension_classes()
    endif()
    # Projects add dependencies to the targets that upstream's function makes.
    foreach(target IN ITEMS ${name}.tablegen ${name}.ops_gen)
      if(NOT TARGET ${target})
        add_custom_target(${target})
      endif()
    endforeach()
  endif()
endmacro()

# The classes of operations that a project adds to a dialect. The dialect itself may be another's, so that
# nothing but the project says of them: they are Python sources that its build makes.
macro(_mondo_python_extension_classes)
  cmake_path(GET ARG_TD_FILE PARENT_PATH folder)
  set(LLVM_TARGET_DEFINITIONS "${ARG_ROOT_DIR}/${ARG_TD_FILE}")
  set(generated "${folder}/_${ARG_EXTENSION_NAME}_ops_gen.py")
  mlir_tablegen("${generated}" -gen-python-op-bindings -bind-dialect=${ARG_DIALECT_NAME}
    -dialect-extension=${ARG_EXTENSION_NAME} DEPENDS ${ARG_DEPENDS})
  if(enums)
    set(LLVM_TARGET_DEFINITIONS "${enums}")
    set(enum_classes "${folder}/_${ARG_EXTENSION_NAME}_enum_gen.py")
    mlir_tablegen("${enum_classes}" -gen-python-enum-bindings DEPENDS ${ARG_DEPENDS})
    list(APPEND generated "${enum_classes}")
  endif()
  add_public_tablegen_target(${name}.tablegen)
  declare_mlir_python_sources(${name}.ops_gen
    ROOT_DIR "${CMAKE_CURRENT_BINARY_DIR}"
    ADD_TO_PARENT ${name}
    SOURCES ${generated})
endmacro()

# A Python extension in C++. Its libraries are never built here: the one of its sources makes CMake say with
# which folders, definitions and options they are compiled, and the other which libraries it links itself.
function(declare_mlir_python_extension name)
  cmake_parse_arguments(ARG "_PRIVATE_SUPPORT_LIB" "ROOT_DIR;MODULE_NAME;ADD_TO_PARENT"
    "SOURCES;PRIVATE_LINK_LIBS;EMBED_CAPI_LINK_LIBS" ${ARGN})
  if(NOT ARG_ROOT_DIR)
    set(ARG_ROOT_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  get_property(folders GLOBAL PROPERTY MONDO_UPSTREAM_PYTHON)
  if(CMAKE_CURRENT_SOURCE_DIR IN_LIST folders)
    _mondo_python_is_upstreams(upstreams ${name} "${ARG_ROOT_DIR}")
    if(upstreams)
      _mondo_python_embed(${name} "${ARG_ADD_TO_PARENT}" ${name})
      return()
    endif()
  endif()
  set(files "")
  foreach(source IN LISTS ARG_SOURCES)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${ARG_ROOT_DIR}" NORMALIZE)
    list(APPEND files "${source}")
  endforeach()
  _mondo_python_declare(extension ${name} "${ARG_ADD_TO_PARENT}")
  set_target_properties(${name} PROPERTIES
    mlir_python_SOURCES_TYPE extension
    mlir_python_EXTENSION_MODULE_NAME "${ARG_MODULE_NAME}"
    mlir_python_EMBED_CAPI_LINK_LIBS "${ARG_EMBED_CAPI_LINK_LIBS}"
    mondo_MODULE "${ARG_MODULE_NAME}"
    mondo_SOURCES "${files}"
    mondo_C_API "${ARG_EMBED_CAPI_LINK_LIBS}"
    mondo_PRIVATE "${ARG_PRIVATE_LINK_LIBS}"
    mondo_PROBE "mondo.extension.${name}"
    mondo_LINK_PROBE "mondo.link.${name}"
    INTERFACE_SOURCES "${files}")
  set(cpp ${files})
  list(FILTER cpp INCLUDE REGEX "\\.(c|cc|cpp|cxx)$")
  if(cpp)
    add_library(mondo.extension.${name} OBJECT EXCLUDE_FROM_ALL ${cpp})
    target_link_libraries(mondo.extension.${name} PRIVATE
      ${ARG_PRIVATE_LINK_LIBS} ${ARG_EMBED_CAPI_LINK_LIBS})
  endif()
  # In this folder, since imported libraries may be known here alone.
  _mondo_never_built(mondo.link.${name} SHARED)
  target_link_libraries(mondo.link.${name} PRIVATE ${ARG_PRIVATE_LINK_LIBS})
endfunction()

# The package: which of the groups it has, and where it is laid out.
function(add_mlir_python_modules name)
  cmake_parse_arguments(ARG ""
    "ROOT_PREFIX;INSTALL_PREFIX;MLIR_BINDINGS_PYTHON_NB_DOMAIN"
    "COMMON_CAPI_LINK_LIBS;DECLARED_SOURCES" ${ARGN})
  _mondo_target(${name})
  _mondo_target(install-${name})
  _mondo_target(install-${name}-stripped)
  _mondo_python_package(modules "${ARG_DECLARED_SOURCES}" "${ARG_COMMON_CAPI_LINK_LIBS}")
  set(all "")
  foreach(group IN LISTS ARG_DECLARED_SOURCES)
    _mondo_flatten(more "${group}")
    list(APPEND all ${more})
  endforeach()
  list(REMOVE_DUPLICATES all)
  foreach(group IN LISTS all)
    set(module "")
    if(TARGET ${group})
      get_target_property(module ${group} mondo_MODULE)
    endif()
    if(module)
      set(target ${name}.extension.${module}.dso)
      get_target_property(probe ${group} mondo_PROBE)
      _mondo_never_built(${target} MODULE)
      set_property(TARGET ${target} PROPERTY mondo_PROBE "${probe}")
      set_property(GLOBAL APPEND PROPERTY MONDO_EXTENSIONS ${target})
    else()
      _mondo_target(${name}.sources.${group})
    endif()
  endforeach()
endfunction()

# The library that upstream links all C API libraries into; the bundle's own takes its place.
function(add_mlir_python_common_capi_library name)
  cmake_parse_arguments(ARG ""
    "INSTALL_COMPONENT;INSTALL_DESTINATION;OUTPUT_DIRECTORY;RELATIVE_INSTALL_ROOT"
    "DECLARED_HEADERS;DECLARED_SOURCES;EMBED_LIBS" ${ARGN})
  _mondo_never_built(${name} SHARED)
  _mondo_target(${name}.sources)
  _mondo_python_package(common "${ARG_DECLARED_SOURCES}" "${ARG_EMBED_LIBS}")
endfunction()

# A target without commands, for dependencies.
function(_mondo_target name)
  if(NOT TARGET ${name})
    add_custom_target(${name})
  endif()
endfunction()

# A library that is never built. Projects set options and definitions of the libraries that upstream's
# functions make, link them and install them.
function(_mondo_never_built name type)
  if(NOT TARGET ${name})
    set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}.mondo.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "" @ONLY)
    add_library(${name} ${type} EXCLUDE_FROM_ALL "${source}")
    set_property(TARGET ${name} PROPERTY mondo_NEVER_BUILT TRUE)
  endif()
endfunction()

macro(_mondo_python_package kind declared libraries)
  get_property(prefix DIRECTORY PROPERTY COMPILE_DEFINITIONS)
  list(FILTER prefix INCLUDE REGEX "^MLIR_PYTHON_PACKAGE_PREFIX=")
  set_target_properties(${name} PROPERTIES
    mondo_KIND ${kind}
    mondo_DECLARED "${declared}"
    mondo_C_API "${libraries}"
    mondo_PREFIX "${prefix}"
    mondo_ROOT "${ARG_ROOT_PREFIX}")
  set_property(GLOBAL APPEND PROPERTY MONDO_PACKAGES ${name})
endmacro()

# The groups that the arguments have, for a project that makes a target of their files. Each is a target.
function(_flatten_mlir_python_targets output)
  set(all "")
  foreach(group IN LISTS ARGN)
    _mondo_flatten(more "${group}")
    list(APPEND all ${more})
  endforeach()
  list(REMOVE_DUPLICATES all)
  set(${output} "${all}" PARENT_SCOPE)
endfunction()

function(add_mlir_python_sources_target name)
  _mondo_target(${name})
endfunction()

function(add_mlir_python_extension libname extname)
  _mondo_never_built(${libname} MODULE)
endfunction()

function(mlir_python_setup_extension_rpath)
endfunction()

function(build_nanobind_lib)
  set(NB_LIBRARY_TARGET_NAME "" PARENT_SCOPE)
endfunction()

# Stubs are made from a built extension, which there is none of here.
function(mlir_generate_type_stubs)
  cmake_parse_arguments(ARG "VERBOSE" "MODULE_NAME;OUTPUT_DIR;PATTERN_FILE"
    "IMPORT_PATHS;DEPENDS_TARGETS;OUTPUTS;DEPENDS_TARGET_SRC_DEPS" ${ARGN})
  set(target "${ARG_MODULE_NAME}.type_stubs")
  if(NOT TARGET ${target})
    add_custom_target(${target})
  endif()
  set(NB_STUBGEN_CUSTOM_TARGET ${target} PARENT_SCOPE)
endfunction()

function(generate_type_stubs)
endfunction()

foreach(group IN ITEMS
    MLIRPythonSources MLIRPythonSources.Core MLIRPythonSources.Core.Python
    MLIRPythonSources.Core.Python.Extras MLIRPythonSources.Dialects
    MLIRPythonSources.ExecutionEngine MLIRPythonExtension.Core
    MLIRPythonExtension.ExecutionEngine MLIRPythonExtension.RegisterEverything
    MLIRPythonCAPI.HeaderSources)
  _mondo_python_group(${group})
endforeach()
