#include "compile/codelet_library.hpp"

#include <dlfcn.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <poplar/exceptions.hpp>

#include "compile/codelet_checksum.hpp"

extern char** environ;

namespace poplar {
namespace emulator {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kAbi = 3;

[[noreturn]] void failLoad(const std::string& path, const std::string& why) {
  throw file_load_error("addCodelets: cannot load '" + path + "': " + why);
}

[[noreturn]] void failLevel(const std::string& level, const std::string& why) {
  throw file_load_error("addCodelets: POPSNN_CPU_LEVEL: " + why + ", got '" + level + "'");
}

// `bytes` becomes the contents of the file.
const popc_library* openLibrary(const std::string& path, std::string& bytes) {
  if (!fs::is_regular_file(path)) failLoad(path, "expected a file, found none");
  std::ifstream in(path, std::ios::binary);
  bytes.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  if (!isWhole(bytes)) {
    failLoad(path,
             "expected a library made by popc, whose checksum ends it, got other bytes: "
             "compile it again with this popc");
  }
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    failLoad(path, std::string("expected a library made by popc, got: ") + dlerror());
  }
  const auto entry = reinterpret_cast<popc_library_fn>(dlsym(handle, "popc_library_v1"));
  if (!entry) {
    failLoad(path, "expected a library made by popc, found no symbol popc_library_v1");
  }
  const popc_library* library = entry();
  if (library->abi != kAbi) {
    failLoad(path, "expected codelet ABI " + std::to_string(kAbi) + ", got " +
                       std::to_string(library->abi) + ": compile it again with this popc");
  }
  return library;
}

struct Level {
  const char* name;  // as for -march
  bool available;    // on this CPU
};

// From high to low. Only the features that every compiler knows are asked for: no CPU has them and
// lacks another one of its level.
std::vector<Level> levels() {
#ifdef __x86_64__
  __builtin_cpu_init();
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                  __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  return {{"x86-64-v4", v4}, {"x86-64-v3", v3}, {"x86-64", true}};
#else
  return {};
#endif
}

// Next to `path`, "name.gp", there may be "name.x86-64-v3.gp" for newer CPUs: the same vertices and
// results. $POPSNN_CPU_LEVEL names the highest level to take.
std::string fileForThisCpu(const std::string& path) {
  const fs::path file(path);
  if (file.extension() != ".gp" || !fs::is_regular_file(file)) return path;
  const char* highest = std::getenv("POPSNN_CPU_LEVEL");
  bool allowed = !highest || !*highest;
  for (const Level& level : levels()) {
    if (!allowed && level.name == std::string(highest)) {
      if (!level.available) failLevel(highest, "expected a level of this CPU");
      allowed = true;
    }
    const fs::path other = fs::path(file).replace_extension(std::string(level.name) + ".gp");
    if (allowed && level.available && fs::is_regular_file(other)) return other.string();
  }
  if (!allowed) failLevel(highest, "expected x86-64, x86-64-v3 or x86-64-v4");
  return path;
}

// $POPSNN_POPC, else ../bin/popc next to this library's folder, else popc on PATH.
std::string popcCommand() {
  if (const char* named = std::getenv("POPSNN_POPC")) return named;
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&popcCommand), &info) && info.dli_fname) {
    std::error_code error;
    const fs::path self = fs::canonical(info.dli_fname, error);
    const fs::path command = self.parent_path().parent_path() / "bin" / "popc";
    if (!error && access(command.c_str(), X_OK) == 0) return command.string();
  }
  return "popc";
}

std::string cacheFolder() {
  fs::path folder;
  if (const char* named = std::getenv("POPSNN_CACHE_DIR")) {
    folder = named;
  } else if (const char* xdg = std::getenv("XDG_CACHE_HOME")) {
    folder = fs::path(xdg) / "popsnn";
  } else if (const char* home = std::getenv("HOME")) {
    folder = fs::path(home) / ".cache" / "popsnn";
  } else {
    throw graph_program_compilation_error(
        "addCodelets: found no folder for compiled codelets: expected POPSNN_CACHE_DIR, "
        "XDG_CACHE_HOME or HOME to be set");
  }
  folder /= "codelets";
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw graph_program_compilation_error("addCodelets: cannot make the folder '" +
                                          folder.string() + "': " + error.message());
  }
  // Libraries are loaded from here: nobody else may put one there.
  struct stat status{};
  if (stat(folder.c_str(), &status) != 0 || status.st_uid != geteuid()) {
    throw graph_program_compilation_error("addCodelets: expected the folder '" + folder.string() +
                                          "' to belong to this user, got another owner");
  }
  fs::permissions(folder, fs::perms::owner_all, error);
  return folder.string();
}

// Splits at blanks as a shell does: quotes and backslashes group.
std::vector<std::string> splitFlags(const std::string& flags) {
  std::vector<std::string> out;
  bool open = false;  // a word has begun
  char quote = '\0';
  for (size_t i = 0; i < flags.size(); ++i) {
    const char c = flags[i];
    const bool blank = c == ' ' || c == '\t' || c == '\n';
    if (!quote && blank) {
      open = false;
      continue;
    }
    if (!open) out.emplace_back();
    open = true;
    if (c == quote) {
      quote = '\0';
    } else if (!quote && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == '\\' && quote != '\'' && i + 1 < flags.size()) {
      out.back() += flags[++i];
    } else {
      out.back() += c;
    }
  }
  if (quote) {
    throw graph_program_compilation_error("addCodelets: expected the quotes in flags '" + flags +
                                          "' to be closed");
  }
  return out;
}

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

// Files, not pipes: nobody has to read while popc runs.
File temporaryFile() {
  File file(std::tmpfile());
  if (!file) {
    throw graph_program_compilation_error(std::string("addCodelets: cannot make a temporary "
                                                      "file: ") +
                                          std::strerror(errno));
  }
  return file;
}

std::string contents(std::FILE* file) {
  std::rewind(file);
  std::string out;
  char buffer[4096];
  while (const size_t count = std::fread(buffer, 1, sizeof buffer, file)) out.append(buffer, count);
  return out;
}

std::string runPopc(const std::vector<std::string>& sources, const std::string& flags,
                    bool for_device, const std::string& text) {
  std::vector<std::string> command = {popcCommand(), "--cache-dir", cacheFolder(), "-target",
                                      for_device ? "ipu2" : "cpu"};
  for (const std::string& flag : splitFlags(flags)) command.push_back(flag);
  command.insert(command.end(), sources.begin(), sources.end());
  std::vector<char*> argv;
  for (std::string& word : command) argv.push_back(&word[0]);
  argv.push_back(nullptr);

  const File in = temporaryFile(), out = temporaryFile(), messages = temporaryFile();
  // Of a text that is cut off, popc would compile what is there.
  if (std::fwrite(text.data(), 1, text.size(), in.get()) != text.size() ||
      std::fflush(in.get()) != 0) {
    throw graph_program_compilation_error("addCodelets: cannot write the source to a file in " +
                                          fs::temp_directory_path().string() + ": " +
                                          std::strerror(errno));
  }
  std::rewind(in.get());
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(in.get()), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(out.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(messages.get()), STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error) {
    throw graph_program_compilation_error("addCodelets: cannot run '" + command[0] +
                                          "': " + std::strerror(error) +
                                          ": expected popc there (see POPSNN_POPC)");
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::string path = contents(out.get());
  if (status != 0) {
    throw graph_program_compilation_error("addCodelets: popc failed:\n" + contents(messages.get()));
  }
  while (!path.empty() && path.back() == '\n') path.pop_back();
  return path;
}

}  // namespace

CodeletLibrary::CodeletLibrary(std::string path, bool for_device) : path_(std::move(path)) {
  std::string bytes;
  const popc_library* const library = openLibrary(fileForThisCpu(path_), bytes);
  const std::string device = for_device ? deviceLibrary(bytes) : "";
  if (!device.empty()) add(*openLibrary(storeCodelets(device), bytes));
  add(*library);
}

void CodeletLibrary::add(const popc_library& library) {
  for (uint32_t i = 0; i < library.num_vertices; ++i) {
    const popc_vertex& vertex = library.vertices[i];
    if (by_name_.emplace(vertex.name, &vertex).second) vertices_.push_back(&vertex);
  }
}

const CodeletLibrary& CodeletLibrary::load(const std::string& path, bool for_device) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, bool>, std::unique_ptr<CodeletLibrary>> loaded;
  const std::lock_guard<std::mutex> lock(mutex);
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  const std::pair<std::string, bool> key(error ? path : real.string(), for_device);
  std::unique_ptr<CodeletLibrary>& library = loaded[key];
  if (!library) {
    try {
      library.reset(new CodeletLibrary(key.first, for_device));
    } catch (...) {
      loaded.erase(key);
      throw;
    }
  }
  return *library;
}

const popc_vertex* CodeletLibrary::find(const std::string& name) const {
  const auto entry = by_name_.find(name);
  return entry == by_name_.end() ? nullptr : entry->second;
}

std::string compileCodelets(const std::vector<std::string>& sources, const std::string& flags,
                            bool for_device) {
  return runPopc(sources, flags, for_device, "");
}

std::string compileCodeletText(const std::string& text, const std::string& flags, bool for_device) {
  return runPopc({"-"}, flags, for_device, text);
}

std::string storeCodelets(const std::string& contents) {
  uint64_t hash = 0xCBF29CE484222325u;  // FNV-1a
  for (unsigned char c : contents) hash = (hash ^ c) * 0x100000001B3u;
  const fs::path folder = cacheFolder();
  fs::create_directories(folder);
  const fs::path path = folder / ("stored-" + std::to_string(hash) + ".gp");
  const fs::path made = path.string() + "." + std::to_string(getpid());
  std::ofstream out(made, std::ios::binary);
  out.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  out.close();
  if (!out) throw file_load_error("Executable::deserialize: cannot write '" + made.string() + "'");
  fs::rename(made, path);  // whole or not at all, also where others write the same
  return path.string();
}

}  // namespace emulator
}  // namespace poplar
