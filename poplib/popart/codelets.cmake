# popsnn_add_codelets as in the package's build, with the popc of the Poplar installation.
function(popsnn_add_codelets target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "OUTPUT" "SOURCES;FLAGS")
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${arg_OUTPUT})
  set(sources)
  foreach(source IN LISTS arg_SOURCES)
    list(APPEND sources ${CMAKE_CURRENT_SOURCE_DIR}/${source})
  endforeach()
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.hpp)
  add_custom_command(
    OUTPUT ${output}
    COMMAND $<TARGET_FILE:popc_bin> --target cpu,ipu2,ipu21 -std=c++17
            ${arg_FLAGS} ${sources} -o ${output}
    DEPENDS ${sources} ${headers}
    COMMENT "Compiling codelets ${arg_OUTPUT}"
    VERBATIM)
  add_custom_target(${target} ALL DEPENDS ${output})
  set_target_properties(${target} PROPERTIES POPSNN_CODELETS ${output})
endfunction()
