// popc: compiles codelets for the emulated IPU. See helpText() in options.cpp.
#include <algorithm>
#include <iostream>
#include <iterator>

#include "compiler.hpp"
#include "options.hpp"
#include "process.hpp"

namespace {

int compileInTemporaryFolder(const popc::Options& options) {
  const auto prepare = [&](const std::string& folder) {
    if (std::find(options.inputs.begin(), options.inputs.end(), "-") == options.inputs.end()) {
      return;
    }
    const std::string text{std::istreambuf_iterator<char>(std::cin),
                           std::istreambuf_iterator<char>()};
    popc::writeFile(folder + "/stdin", text);
  };
  const auto body = [&](const std::string& folder) {
    try {
      return popc::compile(options, folder);
    } catch (const std::exception& error) {
      std::cerr << error.what() << '\n';
      return 1;
    }
  };
  return popc::withTemporaryFolder(prepare, body);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const popc::Options options = popc::parseOptions({argv + 1, argv + argc});
    switch (options.action) {
      case popc::Options::Action::kHelp:
        std::cout << popc::helpText();
        return 0;
      case popc::Options::Action::kVersion:
        std::cout << "popc version " << popc::kVersion << " (codelets for the emulated IPU)\n";
        return 0;
      case popc::Options::Action::kListTargets:
        for (const std::string& name : popc::targets()) std::cout << name << '\n';
        return 0;
      case popc::Options::Action::kCompile:
        return compileInTemporaryFolder(options);
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
  }
  return 1;
}
