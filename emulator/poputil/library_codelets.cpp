#include "library_codelets.hpp"

#include <dlfcn.h>

#include <poputil/exceptions.hpp>
#include <string>

namespace poputil {
namespace internal {

constexpr char kPrefix[] = "libpopsnn-";  // of the emulator's libraries

void addLibraryCodelets(poplar::Graph& graph, const void* address) {
  Dl_info info;
  if (dladdr(address, &info) == 0) {
    throw poplibs_error("addCodelets: expected the library in a file of its own, got none");
  }
  const std::string path = info.dli_fname;
  const std::size_t slash = path.rfind('/');
  const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
  std::string stem = path.substr(name, path.find('.', name) - name);
  if (stem.compare(0, sizeof kPrefix - 1, kPrefix) == 0) stem.erase(0, sizeof kPrefix - 1);
  graph.addCodelets(path.substr(0, name) + stem + ".gp");
}

}  // namespace internal
}  // namespace poputil
