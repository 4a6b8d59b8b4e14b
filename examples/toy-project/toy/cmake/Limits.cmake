# Lines `name number` become C++ constants.
file(STRINGS "${FROM}" lines)
set(text "")
foreach(line IN LISTS lines)
  if(line MATCHES "^([a-z_]+) ([0-9]+)$")
    string(APPEND text "inline constexpr unsigned ${CMAKE_MATCH_1} = ${CMAKE_MATCH_2};\n")
  endif()
endforeach()
file(WRITE "${TO}" "${text}")
