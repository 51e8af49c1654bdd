# find_package(poplibs), or of one of them, poplin: the libraries on top of Poplar, whose targets
# find_package(poplar) makes.
include(CMakeFindDependencyMacro)
find_dependency(poplar PATHS "${CMAKE_CURRENT_LIST_DIR}/../poplar" NO_DEFAULT_PATH)
