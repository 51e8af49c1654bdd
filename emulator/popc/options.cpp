#include "options.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace popc {
namespace {

bool startsWith(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

void readTargets(const std::string& list, Options& out) {
  out.for_cpu = out.for_ipu = false;
  std::istringstream stream(list);
  for (std::string name; std::getline(stream, name, ',');) {
    if (std::find(targets().begin(), targets().end(), name) == targets().end()) {
      throw std::runtime_error("popc: unknown target '" + name +
                               "': expected names that --list-targets prints");
    }
    (name == "cpu" ? out.for_cpu : out.for_ipu) = true;
  }
  if (!out.for_cpu && !out.for_ipu) {
    throw std::runtime_error("popc: option '-target' expects a target, got none");
  }
}

// Where an input belongs: C++, assembly, which is left out, or libraries.
std::vector<std::string>& listOf(const std::string& path, Options& out) {
  if (path == "-") return out.inputs;
  const size_t dot = path.rfind('.');
  const std::string suffix = dot == std::string::npos ? "" : path.substr(dot);
  for (const char* known : {".cpp", ".cc", ".cxx", ".C", ".c", ".hpp", ".h"}) {
    if (suffix == known) return out.inputs;
  }
  if (suffix == ".S" || suffix == ".s") return out.assembly;
  if (suffix == ".gp") return out.libraries;
  throw std::runtime_error(
      "popc: cannot compile '" + path +
      "' for the host: expected a C++ source (.cpp, .cc, .cxx, .C, .c), assembly "
      "next to it (.S, .s) or a library (.gp)");
}

}  // namespace

const std::vector<std::string>& targets() {
  static const std::vector<std::string> names = {"cpu", "ipu1", "ipu2", "ipu21"};
  return names;
}

const char* helpText() {
  return "usage: popc [options] SOURCE... -o FILE.gp\n"
         "\n"
         "Compiles codelets into a library that the emulated IPU loads. SOURCE is a C++ file, - "
         "for\n"
         "standard input, or a library (.gp), whose sources are compiled with the others.\n"
         "\n"
         "  -o FILE               the library to write\n"
         "  -O0 .. -O3            optimisation level (default -O3)\n"
         "  -I DIR, -D NAME[=X]   as for the compiler; so are -U, -include, -isystem, -W*, -f*,\n"
         "                        -m*, -g*, -std=*\n"
         "  -target LIST          comma-separated targets (default all). Vertices for an IPU are\n"
         "                        compiled with __IPU__, those for cpu (a model) without; the\n"
         "                        library holds both where they differ\n"
         "  -MF FILE              write the files that the output depends on, for make\n"
         "  --cache-dir DIR       instead of -o: keep the library in DIR, named by what it was "
         "made\n"
         "                        of, compile only if it is not there yet, and print its path\n"
         "  --list-targets        print the known targets\n"
         "  --version, --help\n"
         "\n"
         "The compiler is $POPSNN_CXX, else $CXX, else c++, g++ or clang++ on PATH. The codelet\n"
         "headers are in ../include next to popc's folder, or in $POPSNN_EMULATOR_INCLUDE.\n";
}

Options parseOptions(const std::vector<std::string>& arguments) {
  Options out;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const auto value = [&]() -> const std::string& {
      if (i + 1 == arguments.size()) {
        throw std::runtime_error("popc: option '" + argument + "' expects a value, got none");
      }
      return arguments[++i];
    };
    if (argument == "--help" || argument == "-h") {
      out.action = Options::Action::kHelp;
    } else if (argument == "--version") {
      out.action = Options::Action::kVersion;
    } else if (argument == "--list-targets") {
      out.action = Options::Action::kListTargets;
    } else if (argument == "-o") {
      out.output = value();
    } else if (argument == "--cache-dir") {
      out.cache_dir = value();
    } else if (argument == "-MF") {
      out.dependency_file = value();
    } else if (argument == "-target" || argument == "--target") {
      readTargets(value(), out);
    } else if (startsWith(argument, "-target=") || startsWith(argument, "--target=")) {
      readTargets(argument.substr(argument.find('=') + 1), out);
    } else if (argument == "-I" || argument == "-D" || argument == "-U" || argument == "-include" ||
               argument == "-isystem") {
      out.preprocess_flags.push_back(argument);
      out.preprocess_flags.push_back(value());
    } else if (startsWith(argument, "-I") || startsWith(argument, "-D") ||
               startsWith(argument, "-U")) {
      out.preprocess_flags.push_back(argument);
    } else if (startsWith(argument, "-Werror")) {
      // The host's compiler warns of other things than the device's, whose pointers have 4 bytes.
    } else if (startsWith(argument, "-O") || startsWith(argument, "-W") ||
               startsWith(argument, "-f") || startsWith(argument, "-m") ||
               startsWith(argument, "-g") || startsWith(argument, "-std=")) {
      out.compile_flags.push_back(argument);
      out.native = out.native || argument == "-march=native" || argument == "-mcpu=native";
    } else if (argument.size() > 1 && argument[0] == '-') {
      throw std::runtime_error("popc: unknown option '" + argument + "': see popc --help");
    } else {
      listOf(argument, out).push_back(argument);
    }
  }
  if (out.action != Options::Action::kCompile) return out;
  const bool empty = out.inputs.empty() && out.libraries.empty();
  if (empty && !out.assembly.empty()) {
    throw std::runtime_error(
        "popc: expected a C++ source next to assembly, which is not emulated, "
        "got '" +
        out.assembly.front() + "' alone");
  }
  if (empty) throw std::runtime_error("popc: expected a source file, got none");
  if (std::count(out.inputs.begin(), out.inputs.end(), "-") > 1) {
    throw std::runtime_error("popc: expected standard input ('-') once, got it several times");
  }
  if (out.output.empty() == out.cache_dir.empty()) {
    throw std::runtime_error("popc: expected one of -o FILE and --cache-dir DIR");
  }
  return out;
}

}  // namespace popc
