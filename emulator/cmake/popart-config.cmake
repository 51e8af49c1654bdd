# find_package(popart): the imported targets popart and popart-only, which is the same library.
include(CMakeFindDependencyMacro)
find_dependency(poplar PATHS "${CMAKE_CURRENT_LIST_DIR}/../poplar" NO_DEFAULT_PATH)

if(NOT TARGET popart)
  get_filename_component(_popart_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
  add_library(popart SHARED IMPORTED)
  set_target_properties(popart PROPERTIES
    IMPORTED_LOCATION "${_popart_prefix}/lib/libpopsnn-popart.so"
    INTERFACE_INCLUDE_DIRECTORIES "${_popart_prefix}/include"
    INTERFACE_COMPILE_DEFINITIONS "ONNX_NAMESPACE=onnx"
    INTERFACE_LINK_LIBRARIES "poprand;popnn;poplin;popops;poputil;poplar")
  unset(_popart_prefix)
endif()
if(NOT TARGET popart-only)
  add_library(popart-only INTERFACE IMPORTED)
  set_target_properties(popart-only PROPERTIES INTERFACE_LINK_LIBRARIES popart)
endif()
set(popart_FOUND TRUE)
