// Compiled codelet libraries (.gp): loading, lookup of vertex types, compilation from source.
#pragma once
#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "compile/codelet_abi.h"

namespace poplar {
namespace emulator {

// One loaded .gp, as a model or as a device (an IPU) has it. A library is loaded once for each file
// and stays loaded, so every pointer into it (popc_vertex, its fields, its run thunk) holds until
// the process ends. Thread safe.
class CodeletLibrary {
 public:
  // Loads the file next to it that is compiled for this CPU, where there is one.
  // Throws file_load_error where the file is missing, is no codelet library or has another ABI.
  static const CodeletLibrary& load(const std::string& path, bool for_device);

  // By Poplar's name, "ns::X<float,4,true,ns::E::A>"; nullptr where the library has no such type.
  const popc_vertex* find(const std::string& name) const;

  // In the order of the library's table; for a device what is compiled for it comes first.
  const std::vector<const popc_vertex*>& vertices() const { return vertices_; }
  const std::string& path() const { return path_; }

 private:
  CodeletLibrary(std::string path, bool for_device);
  void add(const popc_library& library);

  std::string path_;
  std::vector<const popc_vertex*> vertices_;
  std::unordered_map<std::string, const popc_vertex*> by_name_;
};

// Both run popc with `flags` ("-O3 -I dir", split as a shell would), for a device or for a model,
// and return the path of the .gp in the user's cache ($POPSNN_CACHE_DIR, $XDG_CACHE_HOME/popsnn or
// ~/.cache/popsnn). What was compiled before (same preprocessed text, flags, compiler and popc) is
// not compiled again. Throw graph_program_compilation_error with the compiler's messages.
std::string compileCodelets(const std::vector<std::string>& sources, const std::string& flags,
                            bool for_device);
std::string compileCodeletText(const std::string& text, const std::string& flags, bool for_device);

// Puts the contents of a .gp into the user's cache and returns its path there.
std::string storeCodelets(const std::string& contents);

}  // namespace emulator
}  // namespace poplar
