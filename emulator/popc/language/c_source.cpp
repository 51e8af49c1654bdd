#include "c_source.hpp"

#include "wrapper.hpp"

namespace popc {
namespace {

constexpr const char* kRefusal = "poplar::detail::refuse(";
constexpr const char* kRefusalOfC = "popc_refuse(";

bool startsWith(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

}  // namespace

bool isC(const std::string& path) {
  return path.size() > 2 && path.compare(path.size() - 2, 2, ".c") == 0;
}

std::string preludeOfC() { return "void popc_refuse(const char*);\n" + compilerMarks(); }

void refuseInC(std::string& text) {
  const std::string from = kRefusal, to = kRefusalOfC;
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
  }
}

std::string supportOfC(bool for_ipu) {
  return for_ipu ? "extern \"C\" void popc_refuse(const char* what) {\n"
                   "  poplar::detail::refuse(what);\n}\n"
                 : "";
}

std::vector<std::string> flagsOfC(const std::vector<std::string>& flags) {
  std::vector<std::string> out;
  for (const std::string& flag : flags) {
    if (!startsWith(flag, "-std=c++") && !startsWith(flag, "-std=gnu++")) out.push_back(flag);
  }
  return out;
}

std::vector<std::string> flagsOfCxx(const std::vector<std::string>& flags) {
  std::vector<std::string> kept;
  for (const std::string& flag : flags) {
    const bool of_c = startsWith(flag, "-std=") && flag.find("++") == std::string::npos;
    if (!of_c) kept.push_back(flag);
  }
  return kept;
}

}  // namespace popc
