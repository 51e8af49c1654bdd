# Poplar, poplibs and PopART of the SDK in POPSNN_SDK: an unpacked archive, whose folders poplar-* and
# popart-* each have a prefix of their own, or one prefix with all of it, as the emulator's.
file(GLOB POPSNN_SDK_PREFIXES ${POPSNN_SDK}/poplar-* ${POPSNN_SDK}/popart-*)
find_package(poplar REQUIRED PATHS ${POPSNN_SDK_PREFIXES} ${POPSNN_SDK} NO_DEFAULT_PATH)
find_package(poplibs REQUIRED PATHS ${POPSNN_SDK_PREFIXES} ${POPSNN_SDK} NO_DEFAULT_PATH)
# popart alone would ask for the packages of ONNX and Protobuf, which popart-only hides.
find_package(popart COMPONENTS popart-only PATHS ${POPSNN_SDK_PREFIXES} ${POPSNN_SDK}
             NO_DEFAULT_PATH)
message(STATUS "popsnn: the ipu engine for the Poplar of ${poplar_DIR}")
if(NOT TARGET popart-only)
  message(STATUS "popsnn: no PopART in ${POPSNN_SDK}: expected its folder popart-*; layers inside of "
                 "PopTorch models need it")
endif()
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)  # to the SDK's libraries
include(${CMAKE_CURRENT_LIST_DIR}/../poplib/popart/codelets.cmake)
