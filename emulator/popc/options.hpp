// popc's command line.
#pragma once
#include <string>
#include <vector>

namespace popc {

// The version of the Poplar API that is emulated.
constexpr const char* kVersion = "3.4.0";

struct Options {
  std::vector<std::string> inputs;     // "-" is standard input
  std::vector<std::string> assembly;   // left out: vertices run their C++
  std::vector<std::string> libraries;  // whose sources are compiled with the inputs
  std::string output;
  std::string cache_dir;                      // --cache-dir: the output is named by its content
  std::string dependency_file;                // -MF
  std::vector<std::string> compile_flags;     // for every run of the compiler
  std::vector<std::string> preprocess_flags;  // -I, -D and the like
  bool for_cpu = true, for_ipu = true;        // -target: at least one
  bool native = false;                        // -march=native was given
  enum class Action { kCompile, kHelp, kVersion, kListTargets } action = Action::kCompile;
};

// Throws std::runtime_error with one sentence for a bad command line.
Options parseOptions(const std::vector<std::string>& arguments);

const char* helpText();
const std::vector<std::string>& targets();

}  // namespace popc
