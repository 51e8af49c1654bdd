#include <dlfcn.h>

#include <poplin/codelets.hpp>
#include <string>

#include "cycles.hpp"

namespace poplin {

void addCodelets(poplar::Graph& graph) {
  // poplin.gp lies beside this library.
  Dl_info info;
  dladdr(reinterpret_cast<void*>(&addCodelets), &info);
  std::string path = info.dli_fname;
  const std::string::size_type slash = path.rfind('/');
  path = slash == std::string::npos ? "poplin.gp" : path.substr(0, slash + 1) + "poplin.gp";
  graph.addCodelets(path);
  registerCycles(graph);
}

}  // namespace poplin
