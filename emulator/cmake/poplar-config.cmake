# find_package(poplar) makes the imported targets poplar, pva, poputil, popops, gcl, poplin, popnn,
# poprand, popsparse and popfloat, as far as they are installed, and popc_bin, the compiler of
# codelets.
get_filename_component(_poplar_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

function(_poplar_library name)
  set(file "${_poplar_prefix}/lib/libpopsnn-${name}.so")
  if(TARGET ${name} OR NOT EXISTS "${file}")
    return()
  endif()
  add_library(${name} SHARED IMPORTED)
  set_target_properties(${name} PROPERTIES
    IMPORTED_LOCATION "${file}"
    INTERFACE_INCLUDE_DIRECTORIES "${_poplar_prefix}/include"
    INTERFACE_LINK_LIBRARIES "${ARGN}")
endfunction()

_poplar_library(poplar)
_poplar_library(pva poplar)
_poplar_library(poputil poplar)
_poplar_library(popops poputil poplar)
_poplar_library(gcl popops poputil poplar)
_poplar_library(poplin popops poputil poplar)
_poplar_library(popnn poplin popops poputil poplar)
_poplar_library(poprand popops poputil poplar)
_poplar_library(popsparse popops poputil poplar)
_poplar_library(popfloat popops poputil poplar)

if(NOT TARGET popc_bin)
  add_executable(popc_bin IMPORTED)
  set_target_properties(popc_bin PROPERTIES IMPORTED_LOCATION "${_poplar_prefix}/bin/popc")
endif()

unset(_poplar_prefix)
