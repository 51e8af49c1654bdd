#include "codelets.hpp"

#include <dlfcn.h>

#include <string>

#include "check.hpp"
#include "popsnn/codelets.hpp"

namespace popsnn {
namespace ops {
namespace {

// The folder that this library was loaded from.
std::string own_folder() {
  static const char within = 0;
  Dl_info info;
  if (dladdr(&within, &info) == 0 || info.dli_fname == nullptr)
    fail("popsnn", "expected to find this library's own path, got none");
  const std::string path = info.dli_fname;
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

}  // namespace

void add_own_codelets(poplar::Graph& graph, const NetworkSpec& network) {
  add_codelets(graph, network, own_folder() + "/popsnn_codelets.gp");
}

}  // namespace ops
}  // namespace popsnn
