
# Appended to AddMLIR.cmake by mondo. Upstream's function collects the objects of C API libraries, which an
# installed MLIR lacks; this one takes their archives whole. A bundle needs no aggregate, but programs of a
# project's tests may link one.
function(add_mlir_aggregate name)
  cmake_parse_arguments(ARG "SHARED;STATIC" "" "PUBLIC_LIBS;EMBED_LIBS" ${ARGN})
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}.aggregate.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "" @ONLY)
  add_library(${name} SHARED EXCLUDE_FROM_ALL "${source}" ${ARG_UNPARSED_ARGUMENTS})
  foreach(library IN LISTS ARG_EMBED_LIBS)
    target_link_libraries(${name} PRIVATE "$<LINK_LIBRARY:WHOLE_ARCHIVE,${library}>")
  endforeach()
  target_link_libraries(${name} PUBLIC ${ARG_PUBLIC_LIBS})
  # The project's own definitions that make functions of the C API visible.
  target_compile_definitions(${name} PRIVATE -DMLIR_CAPI_BUILDING_LIBRARY=1)
endfunction()
