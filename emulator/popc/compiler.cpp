#include "compiler.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "cache_key.hpp"
#include "compile/codelet_checksum.hpp"
#include "pragmas.hpp"
#include "process.hpp"
#include "wrapper.hpp"

namespace popc {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

struct Unit {
  std::string input;
  std::string base;  // path of its temporary files, without suffix
  std::string text;  // preprocessed
  std::vector<VertexType> types;
  std::string messages;
  bool failed = false;
};

// The compiler that the environment names, as words.
Words namedCompiler() {
  for (const char* variable : {"POPSNN_CXX", "CXX"}) {
    const char* value = std::getenv(variable);
    std::istringstream stream(value ? value : "");
    Words words;
    for (std::string word; stream >> word;) words.push_back(word);
    if (!words.empty()) return words;
  }
  return {};
}

// A program's path, empty where PATH has none.
std::string onPath(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream stream(path ? path : "");
  for (std::string folder; std::getline(stream, folder, ':');) {
    if (access((folder + '/' + program).c_str(), X_OK) == 0) return folder + '/' + program;
  }
  return "";
}

std::string includeFolder() {
  const char* named = std::getenv("POPSNN_EMULATOR_INCLUDE");
  const fs::path folder = named ? fs::path(named) : fs::path(ownFolder()) / ".." / "include";
  if (!fs::exists(folder / "poplar" / "Vertex.hpp")) {
    throw std::runtime_error("popc: expected the codelet headers in '" +
                             folder.lexically_normal().string() +
                             "', found none: set POPSNN_EMULATOR_INCLUDE to their folder");
  }
  return folder.lexically_normal().string();
}

class Build {
 public:
  Build(const Options& options, const std::string& folder)
      : options_(options), folder_(folder), compiler_(findCompiler()) {
    for (const std::string& input : options.inputs) {
      units_.push_back({input, folder + "/" + std::to_string(units_.size()), "", {}, "", false});
    }
  }

  int run() {
    writeFile(folder_ + "/popc_abi.h", prelude());
    if (!forEachUnit([this](Unit& unit) { preprocess(unit); })) return 1;
    if (takeClang() && !forEachUnit([this](Unit& unit) { preprocess(unit); })) return 1;
    if (!options_.dependency_file.empty()) writeDependencies();
    if (!options_.cache_dir.empty() && isMade(output())) return done();
    if (!forEachUnit([this](Unit& unit) { findTypes(unit); })) return 1;
    dropRepeatedTypes();
    if (!forEachUnit([this](Unit& unit) { compileUnit(unit); })) return 1;
    return link() ? done() : 1;
  }

 private:
  // Units are independent; their messages come out in the order of the command line.
  bool forEachUnit(const std::function<void(Unit&)>& work) {
    std::atomic<size_t> next{0};
    const auto loop = [&] {
      for (size_t i = next++; i < units_.size(); i = next++) {
        try {
          work(units_[i]);
        } catch (const std::exception& error) {
          units_[i].messages += std::string(error.what()) + '\n';
          units_[i].failed = true;
        }
      }
    };
    const size_t limit = std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::thread> helpers;
    for (size_t i = 1; i < std::min(limit, units_.size()); ++i) helpers.emplace_back(loop);
    loop();
    for (std::thread& helper : helpers) helper.join();
    bool ok = true;
    for (Unit& unit : units_) {
      std::cerr << unit.messages;
      unit.messages.clear();
      ok = ok && !unit.failed;
    }
    return ok;
  }

  // Goes over to clang++ where a source is for clang alone; returns whether it did.
  bool takeClang() {
    for (const Unit& unit : units_) {
      if (!wantsClang(unit.text)) continue;
      const std::string clang = !namedCompiler().empty() ? "" : onPath("clang++");
      if (clang.empty()) {
        throw std::runtime_error("popc: " + (unit.input == "-" ? "<stdin>" : unit.input) +
                                 ": ext_vector_type: expected clang++, on PATH or named by "
                                 "POPSNN_CXX, got " +
                                 compiler_.front());
      }
      compiler_ = {clang};
      return true;
    }
    return false;
  }

  void execute(Unit& unit, const Words& flags, Redirects redirects = {}) const {
    Words command = compiler_;
    command.insert(command.end(), flags.begin(), flags.end());
    redirects.err = unit.base + ".err";
    unit.failed = runProcess(command, redirects) != 0;
    unit.messages += readFile(redirects.err);
  }

  static Words join(std::initializer_list<Words> parts) {
    Words out;
    for (const Words& part : parts) out.insert(out.end(), part.begin(), part.end());
    return out;
  }

  // Empty where the unit fails.
  std::string preprocessed(Unit& unit, const Words& flags) const {
    const std::string out = unit.base + ".ii";
    execute(unit,
            join({{"-E", "-std=c++17", "-O3", "-D__POPC__"},
                  options_.compile_flags,
                  options_.preprocess_flags,
                  {"-isystem", includeFolder(), "-include", folder_ + "/popc_abi.h"},
                  flags,
                  {"-x", "c++", unit.input, "-o", out}}),
            {unit.input == "-" ? folder_ + "/stdin" : "", "", ""});
    return unit.failed ? "" : readFile(out);
  }

  void preprocess(Unit& unit) const {
    const bool from_stdin = unit.input == "-";
    if (!from_stdin && !fs::is_regular_file(unit.input)) {
      throw std::runtime_error("popc: cannot read '" + unit.input + "': no such file");
    }
    unit.text = preprocessed(unit, {"-MD", "-MF", unit.base + ".d", "-MT", "x"});
    if (!unit.failed && unrollsByName(unit.text)) {
      const std::string messages = unit.messages;
      expandUnrollPragmas(unit.text, preprocessed(unit, {"-dD"}));
      if (!unit.failed) unit.messages = messages;  // the second time, these are the same
    }
    if (unit.failed) return;
    stripSupervisorTarget(unit.text);
  }

  // [[poplar::constraint]] is for the device's compiler.
  Words quiet(const Unit& unit) const {
    return madeByClang(unit.text) ? Words{"-Wno-unknown-attributes", "-Qunused-arguments"}
                                  : Words{"-Wno-attributes"};
  }

  void findTypes(Unit& unit) const {
    writeFile(unit.base + ".ii", unit.text);
    Words flags = {"-std=c++17"};
    for (const std::string& flag : options_.compile_flags) {
      const bool optimises = flag.rfind("-O", 0) == 0 || flag.rfind("-flto", 0) == 0;
      if (!optimises && flag.rfind("-g", 0) != 0) flags.push_back(flag);
    }
    execute(unit,
            join({flags,
                  quiet(unit),
                  {"-w", "-O0", "-gdwarf-4", "-gz=none", "-fno-access-control",
                   "-fno-eliminate-unused-debug-types"},
                  madeByClang(unit.text) ? Words{"-fstandalone-debug"}
                                         : Words{"-femit-class-debug-always"},
                  {"-fPIC", "-shared", "-pipe", unit.base + ".ii", "-o", unit.base + ".so"}}));
    if (unit.failed) return;
    std::vector<std::string> errors;
    unit.types = findVertexTypes(Dwarf(unit.base + ".so"), errors);
    for (const std::string& error : errors) {
      unit.messages += (unit.input == "-" ? "<stdin>" : unit.input) + ": error: " + error + '\n';
      unit.failed = true;
    }
  }

  // A header may put one explicit instantiation into several sources: the first counts.
  void dropRepeatedTypes() {
    std::set<std::string> seen;
    for (Unit& unit : units_) {
      unit.types.erase(
          std::remove_if(unit.types.begin(), unit.types.end(),
                         [&](const VertexType& type) { return !seen.insert(type.name).second; }),
          unit.types.end());
    }
  }

  // A device has no errno and no trapping arithmetic; without them loops become vector code. It
  // rounds a product before it adds it. A compiler that fuses both picks another product of a sum
  // in a loop's vectors than in its last elements: a result then depends on how many a tile has.
  static Words arithmeticFlags() {
    return {"-std=c++17", "-O3", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off"};
  }

  void compileUnit(Unit& unit) const {
    const size_t number = &unit - units_.data();
    std::string text = unit.text + unitTail(number, unit.types);
    if (number + 1 == units_.size()) {
      std::vector<size_t> counts;
      for (const Unit& each : units_) counts.push_back(each.types.size());
      text += libraryTail(counts);
    }
    writeFile(unit.base + ".ii", text);
    execute(unit, join({arithmeticFlags(),
                        options_.compile_flags,
                        quiet(unit),
                        {"-fno-access-control", "-fPIC", "-fvisibility=hidden", "-pipe", "-c",
                         unit.base + ".ii", "-o", unit.base + ".o"}}));
  }

  // Written to a temporary file of the same folder and renamed: a library that is loaded must not
  // change.
  bool link() {
    Words command = {"-shared", "-Wl,-z,defs"};
    for (const Unit& unit : units_) command.push_back(unit.base + ".o");
    const fs::path library = output();
    if (library.has_parent_path()) fs::create_directories(library.parent_path());
    const std::string fresh = library.string() + "." + std::to_string(getpid()) + ".tmp";
    Unit& last = units_.back();
    execute(last, join({options_.compile_flags, command, {"-o", fresh}}));
    std::cerr << last.messages;
    if (last.failed) {
      std::error_code ignored;
      fs::remove(fresh, ignored);
      return false;
    }
    std::ofstream out(fresh, std::ios::binary | std::ios::app);
    out << poplar::emulator::checksumEnd(readFile(fresh));
    out.close();
    if (!out) throw std::runtime_error("popc: cannot write '" + fresh + "'");
    fs::rename(fresh, library);
    return true;
  }

  // A library that was damaged since is made again.
  static bool isMade(const std::string& path) {
    return fs::exists(path) && poplar::emulator::isWhole(readFile(path));
  }

  const std::string& output() {
    if (output_.empty()) {
      output_ = options_.output;
      if (output_.empty()) {
        CacheKey key;
        key.add(kVersion);
        key.addCompiler(compiler_);
        if (options_.native) key.addMachine();
        for (const std::string& flag : join({arithmeticFlags(), options_.compile_flags}))
          key.add(flag);
        for (const Unit& unit : units_) key.addSource(unit.text);
        output_ = options_.cache_dir + '/' + key.text() + ".gp";
      }
    }
    return output_;
  }

  int done() {
    if (!options_.cache_dir.empty()) std::cout << output() << std::endl;
    return 0;
  }

  void writeDependencies() {
    std::string all = output() + ":";
    for (const Unit& unit : units_) {
      std::istringstream words(readFile(unit.base + ".d").substr(2));  // after "x:"
      for (std::string word; words >> word;) {
        if (word != "\\" && word.rfind(folder_, 0) != 0) all += " \\\n  " + word;
      }
    }
    writeFile(options_.dependency_file, all + '\n');
  }

  const Options& options_;
  std::string folder_;
  Words compiler_;
  std::vector<Unit> units_;
  std::string output_;
};

}  // namespace

std::vector<std::string> findCompiler() {
  const Words named = namedCompiler();
  if (!named.empty()) return named;
  for (const char* name : {"c++", "g++", "clang++"}) {
    const std::string path = onPath(name);
    if (!path.empty()) return {path};
  }
  throw std::runtime_error(
      "popc: found no C++ compiler: expected POPSNN_CXX or CXX to name one, or c++, g++ or clang++ "
      "on PATH");
}

int compile(const Options& options, const std::string& folder) {
  return Build(options, folder).run();
}

}  // namespace popc
