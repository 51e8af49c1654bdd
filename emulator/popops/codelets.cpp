#include <dlfcn.h>

#include <popops/codelets.hpp>
#include <string>

#include "cycles.hpp"

namespace popops {

void addCodelets(poplar::Graph& graph) {
  // popops.gp lies beside this library.
  Dl_info info;
  dladdr(reinterpret_cast<void*>(&addCodelets), &info);
  std::string path = info.dli_fname;
  const std::string::size_type slash = path.rfind('/');
  path = slash == std::string::npos ? "popops.gp" : path.substr(0, slash + 1) + "popops.gp";
  graph.addCodelets(path);
  registerCycles(graph);
}

}  // namespace popops
