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
#include <utility>

#include "cache_key.hpp"
#include "compile/codelet_checksum.hpp"
#include "language/c_source.hpp"
#include "language/pragmas.hpp"
#include "link/record.hpp"
#include "link/undefined.hpp"
#include "process.hpp"
#include "source_text.hpp"
#include "wrapper.hpp"

namespace popc {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

struct Unit {
  std::string input;
  Words preprocess_flags, compile_flags;
  std::string base;  // path of its temporary files, without suffix
  std::string text;  // preprocessed
  std::string own_text;
  std::vector<VertexType> types;
  std::string messages;
  bool failed = false, has_assembly = false, uses_worker = false, is_c = false;
  bool kept_types = false, dropped = false;  // see preferSources()
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

Words join(std::initializer_list<Words> parts) {
  Words out;
  for (const Words& part : parts) out.insert(out.end(), part.begin(), part.end());
  return out;
}

// A device has no errno and no trapping arithmetic; without them loops become vector code. It
// rounds a product before it adds it. A compiler that fuses both picks another product of a sum
// in a loop's vectors than in its last elements: a result then depends on how many a tile has.
Words arithmeticFlags() {
  return {"-std=c++17", "-O3", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off"};
}

// The sources of the libraries that the options name, then those that they name themselves.
std::vector<SourceRecord> allSources(const Options& options) {
  std::vector<SourceRecord> out;
  for (const std::string& library : options.libraries) {
    for (SourceRecord& source : readRecord(library)) out.push_back(std::move(source));
  }
  for (const std::string& input : options.inputs) out.push_back({input, {}, {}});
  for (SourceRecord& source : out) {
    source.preprocess_flags = join({source.preprocess_flags, options.preprocess_flags});
    source.compile_flags = join({source.compile_flags, options.compile_flags});
  }
  return out;
}

// Compiles the sources for one kind of target.
class Build {
 public:
  Build(const std::vector<SourceRecord>& sources, const std::string& folder, bool for_ipu)
      : folder_(folder + (for_ipu ? "/ipu" : "/cpu")),
        stdin_file_(folder + "/stdin"),
        for_ipu_(for_ipu),
        compiler_(findCompiler()) {
    for (const SourceRecord& source : sources) {
      units_.emplace_back();
      units_.back().input = source.path;
      units_.back().preprocess_flags = source.preprocess_flags;
      units_.back().compile_flags = source.compile_flags;
      units_.back().base = folder_ + "/" + std::to_string(units_.size() - 1);
    }
    if (std::any_of(units_.begin(), units_.end(), [](const Unit& u) { return isC(u.input); })) {
      // In C++, as the tables of the library are; some of its flags are of the link.
      const Words flags = flagsOfCxx(units_.back().compile_flags);
      units_.push_back({folder_ + "/support.cpp", {}, flags, folder_ + "/support", {}, {}, {}, {}});
    }
  }

  bool preprocessAll() {
    writeFile(folder_ + "/popc_abi.h", prelude(for_ipu_));
    writeFile(folder_ + "/popc_c.h", preludeOfC());
    writeFile(folder_ + "/support.cpp", supportOfC(for_ipu_));
    if (!forEachUnit([this](Unit& unit) { preprocess(unit); })) return false;
    return !takeClang() || forEachUnit([this](Unit& unit) { preprocess(unit); });
  }

  // Of a device's sources, those with assembly stay out where the host's have all of their
  // vertices without it; what stays keeps the vertices that only the device has, and refuses
  // assembly when it is run.
  void preferSources(const Build& host) {
    for (size_t i = 0; i < units_.size(); ++i) {
      Unit& unit = units_[i];
      if (!unit.has_assembly || host.units_[i].text.empty()) continue;
      std::string host_text = host.units_[i].text;
      if (replaceAssembly(host_text)) continue;
      const std::set<std::string> known = vertexDeclarations(host.units_[i].own_text);
      for (const std::string& declaration : vertexDeclarations(unit.own_text)) {
        unit.kept_types = unit.kept_types || known.count(declaration) == 0;
      }
      unit.dropped = !unit.kept_types;
      uses_host_ = true;
    }
    units_.erase(
        std::remove_if(units_.begin(), units_.end(), [](const Unit& unit) { return unit.dropped; }),
        units_.end());
  }

  bool hasAssembly() const {
    return std::any_of(units_.begin(), units_.end(), [](const Unit& u) { return u.has_assembly; });
  }
  bool usesHost() const { return uses_host_; }
  bool empty() const { return units_.empty(); }
  bool sameSources(const Build& other) const {
    return std::equal(units_.begin(), units_.end(), other.units_.begin(), other.units_.end(),
                      [](const Unit& a, const Unit& b) { return a.own_text == b.own_text; });
  }

  void addTo(CacheKey& key) const {
    key.addCompiler(compiler_);
    key.add(for_ipu_ ? "ipu" : "cpu");
    for (const Unit& unit : units_) key.addSource(unit.text);
  }

  // The names of the vertex types, once they are compiled.
  std::set<std::string> typeNames() const {
    std::set<std::string> out;
    for (const Unit& unit : units_) {
      for (const VertexType& type : unit.types) out.insert(type.name);
    }
    return out;
  }

  // Compiles all but vertices of sources with assembly that `others` has.
  bool compileAll(const std::string& library, const std::set<std::string>& others) {
    if (!forEachUnit([this](Unit& unit) { findTypes(unit); })) return false;
    for (Unit& unit : units_) {
      if (unit.kept_types) dropTypes(unit, others);
    }
    dropRepeatedTypes();
    return forEachUnit([this](Unit& unit) { compileUnit(unit); }) && link(library);
  }

  // Codelets are written for clang, which takes some that g++ does not: where that failed and no
  // compiler is named, clang has them. Where it fails, too, the first messages stay.
  bool compileAnyhow(const std::string& library, const std::set<std::string>& others) {
    if (compileAll(library, others)) return true;
    const std::string clang = namedCompiler().empty() ? onPath("clang++") : "";
    if (clang.empty() || madeByClang(units_.front().text)) return false;
    const std::string messages = log_;
    compiler_ = {clang};
    log_.clear();
    const bool done = forEachUnit([this](Unit& unit) { preprocess(unit); });
    if (done && compileAll(library, others)) return true;
    log_ = messages;
    return false;
  }

  std::string takeMessages() { return std::exchange(log_, ""); }

  void addDependencies(std::set<std::string>& out) const {
    for (const Unit& unit : units_) {
      std::istringstream words(readFile(unit.base + ".d").substr(2));  // after "x:"
      for (std::string word; words >> word;) {
        if (word != "\\" && word.rfind(folder_, 0) != 0) out.insert(word);
      }
    }
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
      log_ += unit.messages;
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

  // Empty where the unit fails.
  std::string preprocessed(Unit& unit, const Words& flags) const {
    const std::string out = unit.base + ".ii";
    execute(unit,
            join({{"-E", "-O3", "-D__POPC__"},
                  unit.is_c ? Words{} : Words{"-std=c++17"},
                  unit.is_c ? flagsOfC(unit.compile_flags) : unit.compile_flags,
                  unit.preprocess_flags,
                  for_ipu_ ? Words{"-D__IPU__", "-D__IPU_ARCH_VERSION__=2"} : Words{},
                  {"-isystem", includeFolder(), "-idirafter", includeFolder() + "/poplar",
                   "-include", folder_ + (unit.is_c ? "/popc_c.h" : "/popc_abi.h")},
                  flags,
                  {"-x", unit.is_c ? "c" : "c++", unit.input, "-o", out}}),
            {unit.input == "-" ? stdin_file_ : "", "", ""});
    return unit.failed ? "" : readFile(out);
  }

  void preprocess(Unit& unit) const {
    const bool from_stdin = unit.input == "-";
    if (!from_stdin && !fs::is_regular_file(unit.input)) {
      throw std::runtime_error("popc: cannot read '" + unit.input + "': no such file");
    }
    unit.is_c = isC(unit.input);
    preprocessAs(unit);
    if (!unit.is_c || (!unit.failed && isValidC(unit))) return;
    // A vertex, or a builtin of the device, which are C++ here.
    unit.is_c = unit.failed = false;
    unit.messages.clear();
    preprocessAs(unit);
  }

  void preprocessAs(Unit& unit) const {
    unit.text = preprocessed(unit, {"-MD", "-MF", unit.base + ".d", "-MT", "x"});
    if (!unit.failed && unrollsByName(unit.text)) {
      const std::string messages = unit.messages;
      expandUnrollPragmas(unit.text, preprocessed(unit, {"-dD"}));
      if (!unit.failed) unit.messages = messages;  // the second time, these are the same
    }
    if (unit.failed) return;
    stripSupervisorTarget(unit.text);
    unit.own_text = ownText(unit.text);
    unit.uses_worker = usesWorker(unit.text, unit.own_text);
    if (for_ipu_) unit.has_assembly = replaceAssembly(unit.text);
    if (unit.is_c) refuseInC(unit.text);
  }

  void compileC(Unit& unit, const Words& flags) const {
    writeFile(unit.base + ".i", unit.text);
    execute(unit, join({flagsOfC(arithmeticFlags()),
                        flagsOfC(unit.compile_flags),
                        quiet(unit),
                        flags,
                        {"-x", "cpp-output", unit.base + ".i"}}));
  }

  // The messages are those of the compilation, told there.
  bool isValidC(Unit& unit) const {
    const std::string messages = unit.messages;
    compileC(unit, {"-w", "-Werror=implicit-function-declaration", "-fsyntax-only"});
    unit.messages = messages;
    return !unit.failed;
  }

  // C with vertices or builtins of the device is compiled as C++, with the conversions of C.
  static Words languageFlags(const Unit& unit) {
    return isC(unit.input) && !madeByClang(unit.text) ? Words{"-fpermissive"} : Words{};
  }

  // [[poplar::constraint]] is for the device's compiler, and nothing here is called from outside.
  Words quiet(const Unit& unit) const {
    return madeByClang(unit.text) ? Words{"-Wno-unknown-attributes", "-Qunused-arguments"}
                                  : Words{"-Wno-attributes", "-Wno-psabi"};
  }

  void findTypes(Unit& unit) const {
    unit.types.clear();
    if (unit.is_c) return;
    writeFile(unit.base + ".ii", unit.text);
    Words flags = {"-std=c++17"};
    for (const std::string& flag : unit.compile_flags) {
      const bool optimises = flag.rfind("-O", 0) == 0 || flag.rfind("-flto", 0) == 0;
      if (!optimises && flag.rfind("-g", 0) != 0) flags.push_back(flag);
    }
    execute(unit,
            join({flags,
                  quiet(unit),
                  languageFlags(unit),
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

  static void dropTypes(Unit& unit, const std::set<std::string>& names) {
    unit.types.erase(
        std::remove_if(unit.types.begin(), unit.types.end(),
                       [&](const VertexType& type) { return names.count(type.name) != 0; }),
        unit.types.end());
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

  // Vectors of the device lie over elements, and over one another, in ways that clang allows its
  // own; those of half are a class.
  static Words vectorFlags(const Unit& unit) {
    return unit.text.find("HalfVector") == std::string::npos ? Words{}
                                                             : Words{"-fno-strict-aliasing"};
  }

  void compileUnit(Unit& unit) const {
    if (unit.is_c) {
      return compileC(unit, {"-fexceptions", "-fPIC", "-fvisibility=hidden", "-pipe", "-c", "-o",
                             unit.base + ".o"});
    }
    const size_t number = &unit - units_.data();
    std::string text = unit.text + unitTail(number, unit.types, unit.uses_worker);
    if (number + 1 == units_.size()) {
      std::vector<size_t> counts;
      for (const Unit& each : units_) counts.push_back(each.types.size());
      text += libraryTail(counts);
    }
    writeFile(unit.base + ".ii", text);
    execute(unit, join({arithmeticFlags(),
                        unit.compile_flags,
                        quiet(unit),
                        languageFlags(unit),
                        vectorFlags(unit),
                        {"-fno-access-control", "-fPIC", "-fvisibility=hidden", "-pipe", "-c",
                         unit.base + ".ii", "-o", unit.base + ".o"}}));
  }

  // Whether the objects, and `more`, make the library. The messages of the last unit say why not.
  bool links(const std::string& library, const Words& more) {
    Unit& last = units_.back();
    last.messages.clear();
    execute(
        last,
        join({last.compile_flags, {"-shared", "-Wl,-z,defs"}, objects(), more, {"-o", library}}));
    return !last.failed;
  }

  Words objects() const {
    Words out;
    for (const Unit& unit : units_) out.push_back(unit.base + ".o");
    return out;
  }

  bool link(const std::string& library) {
    Unit& last = units_.back();
    if (!links(library, {})) {
      const std::string messages = last.messages;
      if (linkErrors(messages) != messages || !linkWithRefusals(library)) {
        log_ += linkErrors(messages);
        last.messages.clear();
        return false;
      }
    }
    log_ += std::exchange(last.messages, "");
    return true;
  }

  // Calls of functions of assembly, and of libraries that are linked later, are refused where they
  // are run.
  bool linkWithRefusals(const std::string& library) {
    Unit& last = units_.back();
    links(library, {"-Wl,--no-demangle"});
    const Words missing = undefinedSymbols(last.messages);
    if (missing.empty() || !notCalled(missing, objects()).empty()) return false;
    const std::string base = folder_ + "/refusals";
    writeFile(base + ".cpp",
              "#include <poplar/emulator/device/NotEmulated.hpp>\n" + refusals(missing));
    execute(last, {"-std=c++17", "-w", "-fPIC", "-fvisibility=hidden", "-c", "-I", includeFolder(),
                   base + ".cpp", "-o", base + ".o"});
    if (last.failed || !links(library, {base + ".o"})) return false;
    for (const std::string& symbol : missing) {
      log_ += "popc: warning: no C++ source defines '" + demangled(symbol) +
              "': a run that calls it is refused\n";
    }
    return true;
  }

  std::string folder_, stdin_file_;
  bool for_ipu_;
  bool uses_host_ = false;
  Words compiler_;
  std::vector<Unit> units_;
  std::string log_;
};

// The library of all targets that the options name.
class Library {
 public:
  Library(const Options& options, const std::string& folder)
      : options_(options),
        folder_(folder),
        sources_(allSources(options)),
        host_(sources_, folder, false),
        device_(sources_, folder, true) {}

  int run() {
    if (options_.for_ipu && !tell(device_, device_.preprocessAll())) return 1;
    bool needs_host = options_.for_cpu || device_.hasAssembly();
    if (needs_host && !tell(host_, host_.preprocessAll())) return 1;
    std::set<std::string> files;
    if (needs_host) host_.addDependencies(files);
    if (options_.for_ipu) device_.addDependencies(files);
    bool needs_device = options_.for_ipu;
    if (needs_host && needs_device) {
      const bool same = device_.sameSources(host_);
      if (!same) device_.preferSources(host_);
      // The same code for both is compiled once: for the model where that is asked for.
      needs_device = !(same && options_.for_cpu) && !device_.empty();
      needs_host = options_.for_cpu || device_.usesHost();
    }
    findOutput(needs_host, needs_device);
    if (!options_.dependency_file.empty()) writeDependencies(files);
    if (options_.cache_dir.empty() || !isMade()) {
      std::string host, device;
      if (needs_host && !make(host_, {}, host)) return 1;
      if (needs_device && !make(device_, host_.typeNames(), device)) return 1;
      write(needs_host ? host : device, needs_host ? device : "");
    }
    if (!options_.cache_dir.empty()) std::cout << output_ << std::endl;
    return 0;
  }

 private:
  // What the compiler says of both kinds of target is told once.
  bool tell(Build& build, bool done) {
    const std::string messages = build.takeMessages();
    if (messages != told_) std::cerr << messages;
    told_ = messages;
    return done;
  }

  bool make(Build& build, const std::set<std::string>& others, std::string& library) {
    const std::string path = folder_ + (&build == &host_ ? "/cpu.so" : "/ipu.so");
    if (!tell(build, build.compileAnyhow(path, others))) return false;
    library = readFile(path);
    return true;
  }

  void findOutput(bool has_host, bool has_device) {
    output_ = options_.output;
    if (!output_.empty()) return;
    CacheKey key;
    key.add(kVersion);
    if (options_.native) key.addMachine();
    for (const std::string& flag : arithmeticFlags()) key.add(flag);
    for (const SourceRecord& source : sources_) {
      for (const std::string& flag : source.compile_flags) key.add(flag);
    }
    if (has_host) host_.addTo(key);
    if (has_device) device_.addTo(key);
    output_ = options_.cache_dir + '/' + key.text() + ".gp";
  }

  // A library that was damaged since is made again.
  bool isMade() const {
    return fs::exists(output_) && poplar::emulator::isWhole(readFile(output_));
  }

  // Written to a temporary file of the same folder and renamed: a library that is loaded must not
  // change.
  void write(const std::string& library, const std::string& device) const {
    const fs::path to = output_;
    if (to.has_parent_path()) fs::create_directories(to.parent_path());
    const std::string fresh = output_ + "." + std::to_string(getpid()) + ".tmp";
    std::string all = library;
    if (options_.cache_dir.empty()) all += recordText(sources_, output_);
    if (!device.empty()) all += poplar::emulator::devicePart(device, all.size());
    std::ofstream out(fresh, std::ios::binary);
    out << all << poplar::emulator::checksumEnd(all);
    out.close();
    if (!out) throw std::runtime_error("popc: cannot write '" + fresh + "'");
    fs::permissions(fresh, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                    fs::perm_options::add);
    fs::rename(fresh, to);
  }

  void writeDependencies(const std::set<std::string>& files) const {
    std::string all = output_ + ":";
    for (const std::string& file : files) all += " \\\n  " + file;
    writeFile(options_.dependency_file, all + '\n');
  }

  const Options& options_;
  std::string folder_;
  std::vector<SourceRecord> sources_;
  Build host_, device_;
  std::string told_, output_;
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
  return Library(options, folder).run();
}

}  // namespace popc
